"""What one person, and one server, may ask for; moves are never limited."""

import asyncio

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, Value
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.service.servers import Limit, Limits, Quota
from bot.service.services import Services
from bot.service.workers.files import FileAsked
from engine import LogEntry, Setup
from engine.codec import encode_file
from tests.bot.conftest import ANN, BOB, seat_three
from tests.support.settings import BareSettings
from tests.support.toy import Bid

HERE = Home("g1", "c1")
FILE = FileAsked(encode_file(Setup("toy", 2), [LogEntry(0, Bid(3))]))


class Seconds:
    """A clock that goes on when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_last_minute_counts_for_a_person() -> None:
    clock = Seconds()
    quota = Quota(Limits(pictures=Limit(person=2)), clock)
    quota.spend("pictures", "1", "g1")
    clock.now += 40
    quota.spend("pictures", "1", "g2")
    with pytest.raises(BotError, match=r"The limit for pictures is 2 a minute per person\. Try again in 20 seconds\."):
        quota.spend("pictures", "1", "g1")
    quota.spend("pictures", "2", "g1")
    quota.spend("searches", "1", "g1")
    clock.now += 20
    quota.spend("pictures", "1", "g1")
    with pytest.raises(BotError, match=r"Try again in 40 seconds\."):
        quota.spend("pictures", "1", "g1")


def test_a_server_has_one_common_limit_and_refused_requests_do_not_count() -> None:
    clock = Seconds()
    quota = Quota(Limits(searches=Limit(person=2, server=3)), clock)
    for person in ("1", "1", "2"):
        quota.spend("searches", person, "g1")
    for _ in range(5):
        with pytest.raises(BotError, match="The limit for menus and searches is 3 a minute per server"):
            quota.spend("searches", "3", "g1")
    for _ in range(2):
        quota.spend("searches", "3", "g2")
        quota.spend("searches", "4", "")  # a direct message is no server


def test_idle_users_are_dropped_from_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.servers.MAX_COUNTED", 10)
    clock = Seconds()
    quota = Quota(Limits(pictures=Limit(person=1)), clock)
    for number in range(100):
        quota.spend("pictures", str(number), "g1")
        clock.now += 30
    assert len(quota._asked) <= 13


async def test_one_person_hosts_so_many_tables_and_no_more(services: Services) -> None:
    services.quota.limits = Limits(tables=Limit(person=2, server=3))
    opened = [await services.lobby.create(ANN, NewTable("toy", 2), HERE, f"i{number}") for number in range(2)]
    with pytest.raises(BotError, match=r"You already host 2 open or running tables.* /game close"):
        await services.lobby.create(ANN, NewTable("toy", 2), Home("g2"))
    with pytest.raises(BotError, match="You already host 2 open"):
        await services.transfer.import_file(ANN, FILE, home=HERE)
    again = await services.lobby.create(ANN, NewTable("toy", 2), HERE, "i1")  # the same delivery is answered
    assert again.id == opened[1].id
    await services.lobby.create(BOB, NewTable("toy", 2), HERE)
    with pytest.raises(BotError, match="This server already has 3 open"):
        await services.lobby.create(Person("7", "Gus"), NewTable("toy", 2), HERE)
    assert len(await services.lobby.list_tables()) == 3
    await services.lobby.close(opened[0].id, ANN.id)
    await services.lobby.create(ANN, NewTable("toy", 2), HERE)


async def test_tables_opened_in_the_same_moment_are_counted_too(services: Services) -> None:
    services.quota.limits = Limits(tables=Limit(person=2))
    made = await asyncio.gather(
        *(services.lobby.create(ANN, NewTable("toy", 2), HERE) for _ in range(6)), return_exceptions=True
    )
    assert sum(isinstance(each, BotError) for each in made) == 4
    assert len(await services.lobby.list_tables()) == 2


async def test_files_pictures_and_searches_are_limited_but_no_move(services: Services) -> None:
    game = await seat_three(services)
    one = Limit(person=1)
    services.quota.limits = Limits(imports=one, pictures=one, searches=one)
    commands = {f"{group.name} {command.name}": command for group in build_tree() for command in group.commands}
    limited: dict[str, dict[str, Value]] = {
        "game import": {"file": FILE.data},
        "view table": {},
        "rules search": {"words": "bid", "title": "toy"},
    }
    for name, values in limited.items():
        await commands[name].run(Call(services, ANN, values, game, HERE))
        with pytest.raises(BotError, match="is 1 a minute per person"):
            await commands[name].run(Call(services, ANN, values, game, HERE))
        if name != "game import":
            await commands[name].run(Call(services, ANN, values, game, hot_seat=True))  # the terminal has no limits
    for user, amount in ((ANN, 1), (BOB, 2)):
        await commands["act bid"].run(Call(services, user, {"amount": amount}, game, HERE))


def test_the_defaults_are_those_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = BareSettings().limits
    assert limits == Limits(Limit(20, 200), Limit(3, 10), Limit(40, 400), Limit(60, 600))
    monkeypatch.setenv("STATIONMASTER_LIMIT_TABLES", "0,7")
    assert BareSettings().limits.tables == Limit(0, 7)
    for wrong in ("many", "1", "-1,2", "1,2,3"):
        monkeypatch.setenv("STATIONMASTER_LIMIT_TABLES", wrong)
        with pytest.raises(ValueError, match="limit_tables"):
            BareSettings()
