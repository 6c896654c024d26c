"""Reminders, quiet hours, and what people wish for themselves."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from bot.commands.command import Call
from bot.commands.me import build_me
from bot.model import quiet
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.posts import REMINDER_SECONDS, Ping
from bot.model.quiet import MAX_REMINDERS
from bot.model.records import Calls, Pace, Person, Style
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, THREE, Clock, close_together, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid


async def reminders(services: Services) -> list[Ping]:
    """Send what is due and return the reminders among it."""
    return [post for post in await send_all(services) if isinstance(post, Ping) and post.number]


@pytest.mark.parametrize("pace", list(REMINDER_SECONDS))
async def test_a_late_player_gets_five_reminders_and_no_more(services: Services, clock: Clock, pace: Pace) -> None:
    await seat_three(services, replace(THREE, pace=pace))
    await services.table.submit(1, ANN.id, Bid(3))
    began, found = clock.now, list[tuple[tuple[str, ...], int, int]]()
    assert await reminders(services) == []
    while len(found) < MAX_REMINDERS:
        due = sure((await services.outbox.list_waiting()).next_due)
        clock.now = max(clock.now, due)
        found += [(post.mention, post.number, clock.now - began) for post in await reminders(services)]
    wait = REMINDER_SECONDS[pace]
    assert [waited for _, _, waited in found] == [wait, 2 * wait, *(2 * wait + days * DAY for days in (1, 2, 3))]
    assert {mention for mention, _, _ in found} == {(BOB.id,)}
    assert [number for _, number, _ in found] == list(range(1, MAX_REMINDERS + 1))
    clock.now += 100 * DAY
    assert await reminders(services) == []


async def test_a_turn_that_passes_takes_its_reminders_along(services: Services, game: int, clock: Clock) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await send_all(services)
    clock.now += 2 * DAY
    assert len(await reminders(services)) == 1
    await services.table.submit(game, BOB.id, Bid(4))
    await send_all(services)
    clock.now += DAY
    assert [post.mention for post in await reminders(services)] == [("3",)]


async def test_a_closed_table_sends_no_reminders(services: Services, game: int, clock: Clock) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await close_together(services, game)
    clock.now += 9 * DAY
    assert await reminders(services) == []


async def test_reminders_outlive_a_restart(services: Services, game: int, clock: Clock) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await send_all(services)
    clock.now += DAY
    again = await Services.open(services.database.address, clock)
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
    until = quiet.find_quiet_end(Calls(quiet_from=22, quiet_to=8, zone="America/New_York"), int(now.timestamp()))
    if ends is None:
        assert until == int(now.timestamp())
    else:
        end = datetime.fromtimestamp(until, zone)
        assert (end.hour, end.minute) == (ends, 0)
        assert 0 < until - now.timestamp() < 12 * HOUR


def test_a_zone_is_named_by_a_city() -> None:
    zones = quiet.list_zones()
    assert {"Europe/Berlin", "America/Argentina/Buenos_Aires"} <= set(zones)
    assert not {"UTC", "CET", "Etc/GMT+1"} & set(zones)


def test_equal_hours_are_no_quiet_hours() -> None:
    assert quiet.find_quiet_end(Calls(quiet_from=5, quiet_to=5), 1_800_000_000) == 1_800_000_000


async def test_a_call_that_is_put_off_stays_owed(services: Services, game: int, clock: Clock) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await send_all(services)
    clock.now += DAY
    (stored,) = await services.outbox.list_due()
    await services.outbox.put_off(stored, clock.now + 60)
    assert await services.outbox.list_due() == []
    assert (await services.outbox.list_waiting()).next_due == clock.now + 60


@pytest.mark.parametrize(
    "wrong", [Calls(quiet_from=24), Calls(quiet_to=-1), Calls(zone="Atlantis/City"), Calls(zone="../etc/passwd")]
)
async def test_hours_and_zones_that_do_not_exist_are_refused(services: Services, wrong: Calls) -> None:
    with pytest.raises(BotError):
        await services.people.set_calls(ANN.id, wrong)
    assert await services.people.get_calls(ANN.id) == {ANN.id: Calls()}


async def say(services: Services, name: str, **values: str | int | bool) -> str:
    """Give a command of /me as Ann, and return the answer."""
    command = build_me().find(name)
    assert command is not None
    return (await command.run(Call(services, Person(ANN.id, "Ann"), values))).text


async def test_me_style_is_kept_and_reported(services: Services) -> None:
    assert "mono" in await say(services, "style", palette="mono", words=True)
    assert await services.people.get_style(ANN.id) == Style("mono", text_first=True)
    await say(services, "style", words=False)
    assert await services.people.get_style(ANN.id) == Style("mono", text_first=False)
    with pytest.raises(BotError, match="standard"):
        await say(services, "style", palette="pink")


async def test_me_remind_is_kept_and_reported(services: Services) -> None:
    assert "Quiet time is 22:00 to 8:00, Europe/Berlin" in await say(
        services, "remind", quiet_from=22, quiet_to=8, zone="Europe/Berlin"
    )
    assert "Reminders are off." in await say(services, "remind", reminders=False)
    assert (await services.people.get_calls(ANN.id))[ANN.id] == Calls(
        reminders=False, quiet_from=22, quiet_to=8, zone="Europe/Berlin"
    )


async def test_me_games_begins_with_those_that_wait_for_me(services: Services, game: int) -> None:
    other = await seat_three(services)
    await services.table.submit(other, ANN.id, Bid(3))
    first, second = (await say(services, "games")).splitlines()
    assert first.startswith(f"#{game} ")
    assert "your turn" in first
    assert second.startswith(f"#{other} ")
    assert "waiting for Bob" in second
