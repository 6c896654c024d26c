"""Players who look for each other, whom a table is for and a role that is mentioned once; and who follows a table."""

from collections.abc import Awaitable, Callable, Sequence

import pytest

from bot.commands.command import Call, ChannelOrRole, Value
from bot.commands.game import build_game
from bot.commands.me import build_me
from bot.discord.components import allow_mentions
from bot.model.errors import BotError
from bot.model.posts import Notice, Whisper, build_role_key
from bot.model.records import Home, NewTable, Person
from bot.screens.notices import make_lobby, make_notice
from bot.screens.text import format_table
from bot.service import obligations
from bot.service.services import Services
from bot.service.workers.account import TurnsAsked, list_turning_points
from bot.service.workers.jobs import Held
from bot.store import groups, posted
from engine import Game
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.bot.test_table_posts import send_all
from tests.playthroughs.record import read
from tests.support.sure import sure
from tests.support.toy import Bid, Pass, Said

HOME = Home("77", "70")
BEGINNERS = NewTable("toy", 3, seed=5, experience="new players")


async def invite(services: Services, game: int, role: ChannelOrRole) -> str:
    command = sure(build_game().find("invite"))
    return (await command.run(Call(services, ANN, {"role": role}, game, HOME))).text


async def test_a_table_shows_whom_it_is_for(services: Services) -> None:
    """The list of open tables has the pace, the free seats and the experience; that of anyone needs no words."""
    table = await services.lobby.create(ANN, BEGINNERS, HOME)
    assert format_table(table).startswith("#1 The Toy · open · relaxed · 2 free · for new players\n")
    assert "open to all · for new players" in make_lobby(table).text
    listed = sure(build_game().find("list"))
    found = await listed.run(Call(services, BOB, {"show": "open"}, None, HOME))
    assert found.text == "#1 The Toy · open · relaxed · 2 free · for new players"
    anyone = await services.lobby.create(ANN, NewTable("toy", 3), HOME)
    assert "for anyone" not in format_table(anyone) + make_lobby(anyone).text
    with pytest.raises(BotError, match="The experience must be one of: anyone, new players, experienced players"):
        await services.lobby.create(ANN, NewTable("toy", 3, experience="champions"), HOME)


async def test_a_role_is_mentioned_once_for_a_table_that_all_can_join(services: Services) -> None:
    table = await services.lobby.create(ANN, BEGINNERS, HOME)
    with pytest.raises(BotError, match="Only roles that everyone may mention"):
        await invite(services, table.id, ChannelOrRole("5", "Admins"))
    players = ChannelOrRole("6", "Train gamers", mentionable=True)
    assert await invite(services, table.id, players) == "Invited to “The Toy”: Train gamers."
    with pytest.raises(BotError, match="has already invited a role, which a table can do once"):
        await invite(services, table.id, players)
    async with services.database.reading() as session:
        owed = sure(await posted.find(session, build_role_key(table.id)))
    assert isinstance(owed.post, Notice)
    screen = make_notice(owed.post, table)
    assert screen.text == "<@&6> “The Toy” needs 2 more players: The Toy, relaxed, for new players."
    assert "'roles': [6]" in str(allow_mentions(screen.mention).to_dict())
    assert [button.label for row in screen.rows for button in row] == ["Join"]
    with pytest.raises(BotError, match="Only the host, Ann, can invite players"):
        await services.hosting.call_role(table.id, BOB.id, "6")


async def test_no_role_is_invited_where_its_members_could_not_join(services: Services) -> None:
    closed = await services.lobby.create(ANN, NewTable("toy", 3, privacy="invite"), HOME)
    with pytest.raises(BotError, match="is by invitation, so the members of a role couldn't join"):
        await services.hosting.call_role(closed.id, ANN.id, "6")
    full = await services.lobby.create(ANN, NewTable("toy", 2, stand_ins=1), HOME)
    with pytest.raises(BotError, match="has no free seats"):
        await services.hosting.call_role(full.id, ANN.id, "6")


@pytest.fixture
def told(services: Services, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Awaitable[list[str]]]:
    """Return what followers are sent; every sentence of the toy is a turning point here."""
    monkeypatch.setattr(Said, "is_turning_point", True, raising=False)

    async def send() -> list[str]:
        sent = await send_all(services) + await send_all(services)
        assert all(each.silent for each in sent if isinstance(each, Whisper))
        return [f"{each.user}: {each.text}" for each in sent if isinstance(each, Whisper)]

    return send


async def follow(services: Services, who: Person, game: int | None, **values: Value) -> str:
    command = sure(build_me().find("follow"))
    return (await command.run(Call(services, who, dict(values), game, HOME))).text


async def test_followers_are_told_of_turning_points_in_private(
    services: Services, game: int, told: Callable[[], Awaitable[list[str]]]
) -> None:
    """Once each, from then on, without a ring; players and others aren't."""
    await services.table.submit(game, ANN.id, Bid(1))
    assert await told() == []
    assert (await follow(services, EVE, game)).startswith("You follow “The Toy”: you get a silent private message")
    await follow(services, EVE, game)
    await services.table.submit(game, BOB.id, Pass())
    assert await told() == ["9: “The Toy” #1: Bob passes."]
    assert await told() == []
    await services.back.undo(game, BOB.id)
    await services.table.submit(game, BOB.id, Pass())
    assert await told() == []
    assert (await follow(services, EVE, None)).startswith("#1 The Toy · running")
    assert await follow(services, EVE, game, on=False) == "You no longer follow “The Toy”."
    await services.table.submit(game, CID.id, Pass())
    assert await told() == []
    assert (await follow(services, EVE, None)).startswith("You follow no table.")


async def test_followers_are_told_how_a_game_ends(
    services: Services, game: int, told: Callable[[], Awaitable[list[str]]]
) -> None:
    await follow(services, EVE, game)
    while (here := await services.table.load_position(game)).actors:
        await services.table.submit(game, here.actors[0].user, Pass() if here.game.log else Bid(1))
    last = (await told())[-1]
    assert last.startswith("9: “The Toy” #1: The game is over: ")
    assert "\n1. " in last


async def test_who_can_follow_a_table(services: Services, game: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BotError, match="You play at “The Toy”, so you already get its turns and its end"):
        await follow(services, ANN, game)
    closed = await services.lobby.create(ANN, NewTable("toy", 3), HOME)
    await services.lobby.close(closed.id, ANN.id)
    with pytest.raises(BotError, match="“The Toy” is closed; look at it with /view"):
        await follow(services, EVE, closed.id)
    monkeypatch.setattr(obligations, "MAX_FOLLOWED", 0)
    with pytest.raises(BotError, match="You already follow"):
        await follow(services, EVE, game)
    with pytest.raises(BotError, match="At the local table, everyone sees everything"):
        await sure(build_me().find("follow")).run(Call(services, EVE, hot_seat=True))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1860-3", ("floats", "bankrupt", "British Rail")),
        ("1862-3", ("floats", "merges", "bankrupt")),
        ("steel_driver-3", ("The auctions are over",)),
    ],
)
def test_floats_mergers_and_bankruptcies_are_turning_points(name: str, words: Sequence[str]) -> None:
    """They are few, and say what everyone at the table reads."""
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log())
    names = tuple(f"Player {seat + 1}" for seat in range(game.setup.seats))
    found = list_turning_points(Held(game), TurnsAsked(0, names))
    assert [word for word in words if not any(word in each for each in found)] == []
    assert len(found) < 60
    assert list_turning_points(Held(game), TurnsAsked(len(game.log), names)) == []


async def test_following_twice_changes_nothing(services: Services, game: int) -> None:
    """A follower who asks again misses nothing that they haven't been told yet."""
    async with services.database.writing() as session:
        for since in (3, 5):
            await groups.follow(session, game, EVE.id, since)
        assert await groups.fetch_followers(session, game) == {EVE.id: 3}
