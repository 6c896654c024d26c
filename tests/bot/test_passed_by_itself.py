"""What is passed by itself after a move."""

from bot.model.records import NewTable, Table
from bot.service.services import Services
from bot.service.table import Delivery
from bot.store import log
from engine.finance.rounds import Pass
from tests.bot.conftest import ANN, BOB
from tests.playthroughs.record import read


async def take_up_game(services: Services, name: str, count: int) -> Table:
    """Return a table of Ann's and Bob's with so many moves of a kept game on it."""
    kept = read(name)
    wish = NewTable(kept.setup.title, kept.setup.seats, options=dict(kept.setup.options), seed=kept.setup.seed)
    table = await services.lobby.create(ANN, wish)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    users, said = (ANN.id, BOB.id), kept.read_log()
    entries = [log.NewEntry(table.id, at, entry, users[entry.seat], (), 0) for at, entry in enumerate(said[:count])]
    async with services.database.writing(table.id) as session:
        await log.append_all(session, entries)
    return table


async def test_a_choice_that_can_only_be_declined_is_declined_automatically_and_reported(services: Services) -> None:
    """In the profile 18xx.games each step waits for a pass, though nothing else is possible; no one is asked for it.

    Each is an ordinary entry of the log, of the same seat, made once though the press is delivered twice.
    """
    count, said = 90, read("1860-2-site").read_log()
    table = await take_up_game(services, "1860-2-site", count)
    user, delivery = (ANN.id, BOB.id)[said[count].seat], Delivery("i1", count)
    outcome = await services.table.submit(table.id, user, said[count].action, delivery)
    here = await services.table.load_position(table.id)
    played = here.game.log[count:]
    assert [type(entry.action) for entry in played[1:]] == [Pass] * (len(played) - 1)
    assert len(played) > 1
    assert {entry.seat for entry in played} == {said[count].seat}
    assert "⚙ IWNJ lays no more track." in outcome.sentences
    again = await services.table.submit(table.id, user, said[count].action, delivery)
    assert again.repeated
    assert (await services.table.load_position(table.id)).version == here.version


async def test_the_first_step_of_another_players_turn_is_declined_automatically_where_nothing_else_is_possible(
    services: Services,
) -> None:
    """C&N can lay nothing: its director is not called for that; the log holds the pass that the site asks for.

    Who takes back a move of one's own takes such passes back with it, and no one is asked.
    """
    count, said = 166, read("1860-2-site").read_log()
    table = await take_up_game(services, "1860-2-site", count)
    first = (ANN.id, BOB.id)[said[count].seat]
    assert said[count + 1].seat != said[count].seat
    outcome = await services.table.submit(table.id, first, said[count].action)
    here = await services.table.load_position(table.id)
    assert here.game.log == said[: count + 2]
    assert here.ask().headline.startswith("IWNJ operates")
    assert "⚙ C&N lays no track." in outcome.sentences
    taken_back = await services.back.undo(table.id, first)
    assert taken_back.proposal is None
    assert len((await services.table.load_position(table.id)).game.line) == count
