"""Reminders, quiet hours, and what people wish for themselves."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.commands.command import Call
from bot.commands.me import me
from bot.service import quiet
from bot.service.errors import BotError
from bot.service.posts import DAY, HOUR, MOST_REMINDERS, REMIND_AFTER, Reminder
from bot.service.records import Calls, Person, Style
from bot.service.services import House
from tests.bot.conftest import ANN, BOB, Clock, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.toy import Bid


async def reminders(house: House) -> list[Reminder]:
    """Send what is due and return the reminders among it."""
    return [post for post in await send_all(house) if isinstance(post, Reminder)]


@pytest.mark.parametrize("pace", list(REMIND_AFTER))
async def test_who_lets_a_table_wait_is_reminded_five_times_then_left_alone(
    house: House, clock: Clock, pace: str
) -> None:
    await seat_three(house, pace=pace)
    await house.table.submit(1, ANN.id, Bid(3))
    began, found = clock.now, []
    while (due := await house.post.next_due()) is not None:
        clock.now = max(clock.now, due)
        found += [(post.mention, post.number, clock.now - began) for post in await reminders(house)]
    wait = REMIND_AFTER[pace]
    assert [waited for _, _, waited in found] == [wait, 2 * wait, *(2 * wait + days * DAY for days in (1, 2, 3))]
    assert {mention for mention, _, _ in found} == {(BOB.id,)}
    assert [number for _, number, _ in found] == list(range(1, MOST_REMINDERS + 1))


async def test_a_turn_that_passes_takes_its_reminders_along(house: House, game: int, clock: Clock) -> None:
    await house.table.submit(game, ANN.id, Bid(3))
    await send_all(house)
    clock.now += 2 * DAY
    assert len(await reminders(house)) == 1
    await house.table.submit(game, BOB.id, Bid(4))
    clock.now += DAY
    assert [post.mention for post in await reminders(house)] == [("3",)]


async def test_a_closed_table_reminds_nobody(house: House, game: int, clock: Clock) -> None:
    await house.table.submit(game, ANN.id, Bid(3))
    await house.lobby.close(game, ANN.id)
    clock.now += 9 * DAY
    assert await reminders(house) == []


async def test_reminders_outlive_a_restart(house: House, game: int, clock: Clock) -> None:
    await house.table.submit(game, ANN.id, Bid(3))
    await send_all(house)
    clock.now += DAY
    again = await House.open(house.database.path, clock)
    try:
        assert [post.mention for post in await reminders(again)] == [(BOB.id,)]
    finally:
        await again.close()


@pytest.mark.parametrize(
    ("hour", "ends"),
    [(21, None), (22, 8), (23, 8), (3, 8), (7, 8), (8, None), (12, None)],
)
def test_quiet_hours_go_over_midnight_in_the_persons_own_zone(hour: int, ends: int | None) -> None:
    zone = ZoneInfo("America/New_York")
    now = datetime(2026, 11, 21, hour, 30, tzinfo=zone)
    until = quiet.quiet_until(Calls(quiet_from=22, quiet_to=8, zone="America/New_York"), int(now.timestamp()))
    if ends is None:
        assert until == int(now.timestamp())
    else:
        end = datetime.fromtimestamp(until, zone)
        assert (end.hour, end.minute) == (ends, 0)
        assert 0 < until - now.timestamp() < 12 * HOUR


def test_equal_hours_are_no_quiet_hours() -> None:
    assert quiet.quiet_until(Calls(quiet_from=5, quiet_to=5), 1_800_000_000) == 1_800_000_000


async def test_a_call_that_is_put_off_stays_owed(house: House, game: int, clock: Clock) -> None:
    await house.table.submit(game, ANN.id, Bid(3))
    await send_all(house)
    clock.now += DAY
    (letter,) = await house.post.due()
    await house.post.put_off(letter, clock.now + 60)
    assert await house.post.due() == []
    assert await house.post.next_due() == clock.now + 60


@pytest.mark.parametrize(
    "wrong", [Calls(quiet_from=24), Calls(quiet_to=-1), Calls(zone="Atlantis/City"), Calls(zone="../etc/passwd")]
)
async def test_hours_and_zones_that_do_not_exist_are_refused(house: House, wrong: Calls) -> None:
    with pytest.raises(BotError):
        await house.post.set_calls(ANN.id, wrong)
    assert await house.post.calls(ANN.id) == {ANN.id: Calls()}


async def say(house: House, name: str, **values: str | int | bool) -> str:
    """Give a command of /me as Ann, and return the answer."""
    command = me().find(name)
    assert command is not None
    return (await command.run(Call(house, Person(ANN.id, "Ann"), values))).text


async def test_me_style_is_kept_and_told(house: House) -> None:
    assert "mono" in await say(house, "style", palette="mono", words=True)
    assert await house.post.style(ANN.id) == Style("mono", text_first=True)
    await say(house, "style", words=False)
    assert await house.post.style(ANN.id) == Style("mono", text_first=False)
    with pytest.raises(BotError, match="standard"):
        await say(house, "style", palette="pink")


async def test_me_remind_is_kept_and_told(house: House) -> None:
    assert "from 22:00 to 8:00, Europe/Berlin" in await say(
        house, "remind", quiet_from=22, quiet_to=8, zone="Europe/Berlin"
    )
    assert "not reminded" in await say(house, "remind", reminders=False)
    assert (await house.post.calls(ANN.id))[ANN.id] == Calls(
        reminders=False, quiet_from=22, quiet_to=8, zone="Europe/Berlin"
    )


async def test_me_games_begins_with_those_that_wait_for_me(house: House, game: int) -> None:
    other = await seat_three(house)
    await house.table.submit(other, ANN.id, Bid(3))
    first, second = (await say(house, "games")).splitlines()
    assert first.startswith(f"**#{game} ")
    assert "your turn" in first
    assert second.startswith(f"#{other} ")
    assert "waits for Bob" in second
