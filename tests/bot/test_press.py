"""What one press plays beside its move."""

import pytest

from bot.service.press import press
from bot.service.records import NewTable
from bot.service.services import Services
from bot.service.table import Delivery
from bot.store import log
from engine.finance.actions import Pass
from tests.bot.conftest import ANN, BOB
from tests.playthroughs.record import read


@pytest.mark.parametrize(("name", "count", "told"), [("1860-2-site", 90, "IWNJ lays no more track.")])
async def test_what_can_only_be_declined_is_declined_by_itself_and_told(
    services: Services, name: str, count: int, told: str
) -> None:
    """In the profile 18xx.games each step waits for a pass, though nothing else is possible; nobody is asked for it.

    Each is an ordinary entry of the log, of the same seat, made once though the press is delivered twice.
    """
    kept = read(name)
    wish = NewTable(kept.setup.title, kept.setup.seats, options=dict(kept.setup.options), seed=kept.setup.seed)
    table = await services.lobby.create(ANN, wish)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    users, said = (ANN.id, BOB.id), kept.said()
    entries = [log.Entry(table.id, at, entry, users[entry.seat], (), 0) for at, entry in enumerate(said[:count])]
    async with services.database.writing(table.id) as session:
        await log.append_all(session, entries)
    user, delivery = users[said[count].seat], Delivery("i1", count)
    outcome = await press(services, table.id, user, said[count].action, delivery)
    here = await services.table.position(table.id)
    played = here.game.log[count:]
    assert [type(entry.action) for entry in played[1:]] == [Pass] * (len(played) - 1)
    assert len(played) > 1
    assert {entry.seat for entry in played} == {said[count].seat}
    assert told in outcome.sentences
    again = await press(services, table.id, user, said[count].action, delivery)
    assert again.repeated
    assert (await services.table.position(table.id)).version == here.version
