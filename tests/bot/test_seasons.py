"""A league: who joins a season, who plays whom, and who leads."""

from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import combinations

import pytest
from msgspec.json import encode
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.commands.command import Call, Reply, Value
from bot.commands.league import build_league
from bot.commands.me import build_me
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Outcome, Person, ServerRules, Table
from bot.screens.standings import make_person_sheet, make_season_sheet
from bot.service import seasons
from bot.service.league import GameKind, LeagueLine, LeagueTable
from bot.service.seasons import SeasonLine, SeasonTable, list_sizes, pair_people, rank_season
from bot.service.services import Services
from bot.service.table import Delivery
from bot.store.groups import Season
from engine.setup import OwnFile
from tests.bot.conftest import ANN, BOB, CID, DAN, EVE
from tests.bot.test_league import play
from tests.support.sure import sure
from tests.support.toy import Bid, Pass

HOME = Home("g", "c")


async def call(services: Services, verb: str, who: Person = ANN, /, *, manages: bool = False, **values: Value) -> Reply:
    command = sure(build_league().find(verb))
    delivery = Delivery(str(values.pop("key", "")) or None)
    return await command.run(Call(services, who, dict(values), None, HOME, delivery, manages=manages))


@pytest.mark.parametrize(
    ("people", "seats", "sizes"),
    [(7, 4, [4, 3]), (6, 4, [3, 3]), (8, 4, [4, 4]), (5, 4, [3, 2]), (2, 4, [2]), (1, 4, []), (9, 3, [3, 3, 3])],
)
def test_tables_are_near_the_wished_size_and_leave_few_out(people: int, seats: int, sizes: list[int]) -> None:
    assert list_sizes(people, seats, (2, 4)) == sizes


def test_five_people_at_tables_of_exactly_four_leave_one_out_in_turn() -> None:
    """Whoever has played most waits."""
    assert list_sizes(5, 4, (4, 4)) == [4]
    ((*first,),) = pair_people("ABCDE", {}, {}, 4, (4, 4))
    played = Counter(first)
    ((*second,),) = pair_people("ABCDE", played, {}, 4, (4, 4))
    assert {*"ABCDE"} - {*first} <= {*second}


@pytest.mark.parametrize(("people", "seats", "rounds", "most"), [(6, 3, 10, 5), (9, 3, 4, 2), (16, 4, 5, 2)])
def test_people_meet_those_they_have_met_least(people: int, seats: int, rounds: int, most: int) -> None:
    """Of nine at tables of three, all can meet once in four rounds; pairing round by round, no two meet three times."""
    names = [chr(65 + each) for each in range(people)]
    met: Counter[frozenset[str]] = Counter()
    for _ in range(rounds):
        tables = pair_people(names, {}, met, seats, (2, 6))
        assert sorted(each for table in tables for each in table) == names
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
    assert max(met.values()) <= most
    assert len(met) >= 0.8 * len(names) * (len(names) - 1) / 2


def test_points_are_the_share_of_the_others_left_behind() -> None:
    """A tie is half; members who haven't played stand last."""
    found = rank_season([DAN], [play(1, A=300, B=200, C=100), play(2, A=100, B=300, C=100)])
    assert [(each.name, each.points, each.games, each.won) for each in found] == [
        ("B", 1.5, 2, 1), ("A", 1.25, 2, 1), ("C", 0.25, 2, 0), ("Dan", 0, 0, 0),
    ]  # fmt: skip
    assert found[0].share == pytest.approx((200 / 300 + 1) / 2)


async def finish(services: Services, game: int, winner: Person) -> None:
    """Play the toy to its end; the winner pays little for all."""
    while (here := await services.table.load_position(game)).actors:
        leads = here.actors[0].user == winner.id
        await services.table.submit(game, here.actors[0].user, Bid(1) if leads else Pass())


async def test_a_season_from_its_opening_to_its_standings(services: Services) -> None:
    opened = await call(services, "open", name="Autumn", title="toy", seats=2)
    assert "The season “Autumn” is open: The Toy, relaxed, 2 players at a table." in opened.text
    for who in (BOB, CID, DAN):
        joined = await call(services, "join", who)
    assert joined.text == "You play in “Autumn”: Ann, Bob, Cid and Dan."
    first = await call(services, "pair", key="i1")
    assert first.text.splitlines()[0] == "“Autumn”: 2 new tables."
    tables = [await services.lobby.get_table(game) for game in (1, 2)]
    assert [{*table.people} for table in tables] == [{ANN.id, BOB.id}, {CID.id, DAN.id}]
    assert [(each.state, each.season, each.privacy, each.name) for each in tables] == [
        ("running", 1, "invite", "Autumn")
    ] * 2
    with pytest.raises(BotError, match="The Toy needs at least 2 players; free members of “Autumn”: 0 of 4"):
        await call(services, "pair")
    await call(services, "join", EVE)
    for table in tables:
        await finish(services, table.id, ANN if ANN.id in table.people else CID)
    again = await call(services, "pair")
    assert "2 new tables" in again.text
    pairs = {frozenset((await services.lobby.get_table(game)).people) for game in (3, 4)}
    assert not pairs & {frozenset(table.people) for table in tables}
    shown = (await call(services, "show", season="autumn")).text
    assert shown.startswith("“Autumn” · The Toy · 2 games; 2 running\n1. ")
    assert "1. Ann: 1.0 points, 1 game, 1 won, 100% of the winner's score" in shown or "1. Cid: 1.0 points" in shown
    (file,) = (await call(services, "show", file=True)).files
    assert file[0] == "1-standings.csv"
    assert file[1].decode().splitlines()[0] == "season,place,user,name,games,points,won,share,rating,doubt"
    assert len(file[1].decode().splitlines()) == 6
    assert (await call(services, "close")).text == "The season “Autumn” is closed. Games that run go on."
    closed = await services.seasons.find("g", "autumn", also_closed=True)
    with pytest.raises(BotError, match="“Autumn” is closed; its standings stay"):
        await services.seasons.close(closed, ANN.id, manages=True)
    assert "“Autumn” · The Toy · closed" in (await call(services, "show", season="Autumn")).text


async def test_what_a_season_refuses(services: Services) -> None:
    with pytest.raises(BotError, match="There is no season on this server"):
        await call(services, "join")
    await call(services, "open", name="Autumn", title="toy")
    with pytest.raises(BotError, match="There is already an open season “autumn”"):
        await call(services, "open", name="autumn", title="toy")
    with pytest.raises(BotError, match="This name has no visible characters"):
        await call(services, "open", name="\u200b", title="toy")
    await call(services, "open", name="Winter", title="toy")
    with pytest.raises(BotError, match=r"Which season\? Add its name, as in season:…\. Seasons: “Winter”, “Autumn”"):
        await call(services, "join")
    with pytest.raises(BotError, match="There is no open season “Spring”"):
        await call(services, "join", season="Spring")
    with pytest.raises(BotError, match="Only the person who opened “Winter” and server managers can do this"):
        await call(services, "pair", BOB, season="Winter")
    with pytest.raises(BotError, match="A league belongs to a server"):
        await services.seasons.open(ANN, "x", NewTable("toy", 2), "")


async def test_a_table_that_could_not_start_begins_with_the_next_pairing(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await call(services, "open", name="Autumn", title="toy", seats=2)
    await call(services, "join", BOB)

    async def refuse(*_: object) -> Outcome:
        raise BotError("Try again in a moment.")

    with monkeypatch.context() as patched:
        patched.setattr(services.lobby, "start", refuse)
        assert (await call(services, "pair")).text.endswith("Try again in a moment.")
    assert "1 new table.\n#1: " in (await call(services, "pair")).text
    assert [table.state for table in await services.lobby.list_tables("all")] == ["running"]


async def test_a_season_is_found_by_its_name_as_it_was_typed(services: Services) -> None:
    for name in ("**@everyone**", "=1+1", "\n#" + "long" * 50):
        await call(services, "open", name=name, title="toy")
        assert "no game" in (await call(services, "show", season=name)).text
    with pytest.raises(BotError, match=r"There is no open season “hidden”\. Seasons: “long.*”, “1\+1”, “everyone”\."):
        await call(services, "join", season="hidden\u200b||")


async def test_a_follower_can_stop_in_a_private_message(services: Services) -> None:
    """There numbers mean only tables at which one sits, but the news arrives there."""
    (command,) = (each for each in build_me().commands if each.name == "follow")
    await services.lobby.create(ANN, NewTable("toy", 2), HOME)
    at_home = Call(services, CID, {"game": 1}, None, HOME, Delivery(None))
    assert (await command.run(at_home)).text.startswith("You follow “")
    private = {"game": 1, "on": False}
    assert "no longer follow" in (await command.run(Call(services, CID, private, None, Home(""), Delivery(None)))).text
    with pytest.raises(BotError, match="There is no table 1 here"):
        await command.run(Call(services, CID, private, None, Home(""), Delivery(None)))


async def test_a_person_with_too_many_seats_holds_up_one_table_only(services: Services) -> None:
    await call(services, "open", name="Autumn", title="toy", seats=2)
    for who in (BOB, CID, DAN):
        await call(services, "join", who)
    await services.lobby.create(BOB, NewTable("toy", 2), HOME)
    await services.servers.set_rules("g", ANN, ServerRules(seats=1), "limits")
    lines = (await call(services, "pair")).text.splitlines()
    assert lines[0] == "“Autumn”: 1 new table."
    assert lines[1].partition(": ")[2] in ("Cid and Dan", "Dan and Cid")
    assert lines[2].endswith("Ann, who would host: Bob has as many seats as this server allows.")
    assert (await call(services, "leave", BOB)).text.startswith("You have left “Autumn”.")
    with pytest.raises(BotError, match="needs at least 2 players; free members of “Autumn”: 1 of 3"):
        await call(services, "pair")
    await services.seats.forget_person(CID.id)
    assert "Cid" not in (await call(services, "show")).text


async def test_a_server_has_a_limited_number_of_seasons_and_members(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seasons, "MAX_OPEN_SEASONS", 1)
    monkeypatch.setattr(seasons, "MAX_MEMBERS", 1)
    await call(services, "open", name="Autumn", title="toy")
    with pytest.raises(BotError, match="This server already has 1 open season; close one first"):
        await call(services, "open", name="Winter", title="toy")
    with pytest.raises(BotError, match="“Autumn” is full: the limit is 1 member"):
        await call(services, "join", BOB)


async def test_two_pairings_at_once_seat_everyone_once(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another pairs while the first is about to open the table."""
    await call(services, "open", name="Autumn", title="toy", seats=2)
    await call(services, "join", BOB)
    create = services.lobby.create

    async def create_late(
        host: Person, wish: NewTable, home: Home, key: str, also: Callable[[AsyncSession, int], Awaitable[None]]
    ) -> Table:
        monkeypatch.setattr(services.lobby, "create", create)
        assert "1 new table" in (await call(services, "pair", key="second")).text
        return await create(host, wish, home, key, also)

    monkeypatch.setattr(services.lobby, "create", create_late)
    first = (await call(services, "pair", key="first")).text
    assert first.startswith("“Autumn”: no new table.")
    assert first.endswith("They have just been paired.")
    assert len(await services.lobby.list_tables("all")) == 1


def test_the_picture_of_a_season_has_the_leader_first_and_newcomers_dim() -> None:
    season = Season(1, "g", "1", "Autumn", "1862", {}, 3, "daily")
    lines = (SeasonLine("1", "Ann", 2, 1.5, 1, 0.985, 1042, 97), SeasonLine("2", "Bob", 0, 0, 0, 0))
    sheet = make_season_sheet(SeasonTable(season, lines, 2, 1, 1))
    (table,) = sheet.tables
    assert [[entry.text for entry in row] for row in table.rows] == [
        ["1", "Ann", "1.5", "2", "1", "98%", "1042 ± 97"], ["2", "Bob", "–", "–", "–", "–", "–"],
    ]  # fmt: skip
    assert {entry.tone for entry in table.rows[0]} == {"strong"}
    assert {entry.tone for entry in table.rows[1]} == {"dim"}
    assert (sheet.title, sheet.alt) == ("Autumn · 1862", "Standings of “Autumn”: Ann 1.5.")
    assert sheet.notes[0].startswith("2 games, 1 running, 1 left out (ended by vote, or with a stand-in).")
    long = make_season_sheet(SeasonTable(season, lines[1:] * 30, 0, 0, 0))
    assert len(long.tables[0].rows) == 24
    assert long.notes[1] == "6 more players below."


def test_a_card_of_a_person_has_every_kind_of_game() -> None:
    """The figures above are of all kinds; a board of the group's own goes by its name."""
    small = LeagueTable(GameKind("1862", 3, "{}"), 5, 0, ())
    options = encode({"map": OwnFile("isle.toml", "x = 1").value}).decode()
    own = LeagueTable(GameKind("steel_driver", 4, options), 1, 0, ())
    rated = LeagueLine("1", "Ann", 5, 2, 1.7, 0.9, 17713, 0, 2, 1042, 97)
    sheet = make_person_sheet("Ann", [(small, rated), (own, LeagueLine("1", "Ann", 1, 0, 0.25, 0.5, 900, 0, 0))])
    assert [(card.name, card.title, card.words) for card in sheet.cards] == [
        ("2 of 6", "games won", "by chance 1.9"), ("1042 ± 97", "rating", "1862, 3 players"),
        ("2 in a row", "games won", "of one kind"),
    ]  # fmt: skip
    assert [row[0].text for row in sheet.tables[0].rows] == [
        "1862, 3 players",
        "Steel Driver, 4 players, map isle.toml",
    ]
    assert sheet.alt == (
        "Results of Ann: 1862, 3 players: 5 games, 2 won; Steel Driver, 4 players, map isle.toml: 1 game, 0 won."
    )


async def test_a_private_copy_of_a_table_is_no_table_of_the_season(services: Services) -> None:
    await call(services, "open", name="Autumn", title="toy", seats=2)
    await call(services, "join", BOB)
    await call(services, "pair")
    (table,) = await services.lobby.list_tables("running")
    copy = (await services.transfer.fork(table.id, ANN)).table
    assert (table.season, copy.season) == (1, 0)
    assert (await call(services, "show")).text.startswith("“Autumn” · The Toy · no game; 1 running\n")
