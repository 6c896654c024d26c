"""Before the start: open, join, leave, invite, start, close; files in and out."""

import pytest

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.posts import Ballot, Card, Lobby, Notice, Prompt, Summary
from bot.model.records import Home, NewTable, Person
from bot.service.lobby import SEED_LIMIT
from bot.service.options import parse_options
from bot.service.services import Services
from bot.service.table import Typed
from bot.service.workers.files import FileAsked
from engine import LogError, RuleError, Setup, UnreadableLogError
from engine.codec import encode_file
from engine.game import LogEntry, Redo, Undo
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock, close_together
from tests.bot.test_table_posts import send_all
from tests.support.sure import as_a
from tests.support.toy import Bid, Pass


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (NewTable("chess", 2), "There is no game “chess”"),
        (NewTable("x" * 100_000, 2), "There is no game “xxx"),
        (NewTable("toy", 1), "The Toy is for 2 to 4 players, not 1."),
        (NewTable("toy", -(10**40)), "The Toy is for 2 to 4 players"),
        (NewTable("toy", 2, options={"colour": "red"}), "The Toy has no option “colour”. Its options: length."),
        (NewTable("toy", 2, options={"length": "🦄"}), "Length (length) must be short or long, not “🦄”."),
        (NewTable("toy", 4, options={"length": "long"}), "Four players play the short game only."),
        (NewTable("toy", 2, seed=-1), "The seed must be a whole number"),
        (NewTable("toy", 2, seed=SEED_LIMIT), "The seed must be a whole number"),
        (NewTable("toy", 2, pace="yesterday"), "The pace must be one of"),  # type: ignore[arg-type]
    ],
)
async def test_a_table_that_cannot_be_is_refused_when_it_is_opened(
    services: Services, wish: NewTable, sentence: str
) -> None:
    with pytest.raises((BotError, RuleError)) as refusal:
        await services.lobby.create(ANN, wish)
    assert sentence in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert await services.lobby.list_tables("all") == []


async def test_names_are_kept_short_and_plain(services: Services) -> None:
    wish = NewTable("toy", 2, name="**Big**\n@everyone\t" + "ü" * 100_000)
    table = await services.lobby.create(Person("1", "<@1>\x00"), wish)
    assert table.name.startswith("Big everyone üü")
    assert len(table.name) == 80
    assert table.seats[0].name == "1"


async def test_opening_by_the_same_delivery_twice_opens_one_table(services: Services) -> None:
    first = await services.lobby.create(ANN, NewTable("toy", 2), Home("g", "c"), "i1")
    second = await services.lobby.create(ANN, NewTable("toy", 2), Home("g", "c"), "i1")
    assert first == second
    assert len(await services.lobby.list_tables("all")) == 1


async def test_seats_are_taken_and_given_up(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    with pytest.raises(BotError, match="The Toy needs at least 2 players; so far there is 1"):
        await services.lobby.start(table.id, ANN.id)
    await services.lobby.join(table.id, BOB)
    assert (await services.lobby.join(table.id, BOB)).names == ("Ann", "Bob")
    with pytest.raises(BotError, match="is full: its seats belong to Ann and Bob"):
        await services.lobby.join(table.id, CID)
    with pytest.raises(BotError, match="You don't have a seat at"):
        await services.lobby.leave(table.id, EVE.id)
    left = await services.lobby.leave(table.id, ANN.id)
    assert left.names == ("Bob",)
    assert left.host == BOB.id
    assert (await services.lobby.leave(table.id, BOB.id)).state == "closed"


async def test_a_table_by_invitation_lets_only_guests_in(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3, privacy="invite"))
    with pytest.raises(BotError, match="is by invitation"):
        await services.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="Only the host, Ann, can invite players"):
        await services.lobby.invite(table.id, BOB.id, [BOB.id])
    await services.lobby.invite(table.id, ANN.id, [BOB.id, CID.id])
    await services.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="is by invitation"):
        await services.lobby.join(table.id, EVE)


async def test_only_the_host_starts_and_closes(services: Services, game: int) -> None:
    with pytest.raises(BotError, match="Only the host, Ann, can close"):
        await services.lobby.close(game, BOB.id)
    for late in (
        services.lobby.join(game, EVE),
        services.lobby.leave(game, BOB.id),
        services.lobby.start(game, ANN.id),
    ):
        with pytest.raises(BotError, match=r"is running: .+ only before the start"):
            await late


async def test_the_order_is_by_seed_as_joined_or_as_the_host_sets(services: Services) -> None:
    orders = set()
    for seed in range(8):
        table = await services.lobby.create(ANN, NewTable("toy", 3, seed=seed))
        await services.lobby.join(table.id, BOB)
        await services.lobby.join(table.id, CID)
        started = await services.lobby.start(table.id, ANN.id, "random")
        assert await services.lobby.get_table(table.id) == started.table
        orders.add(started.table.names)
    assert len(orders) > 2
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="Name each player once"):
        await services.lobby.start(table.id, ANN.id, "host sets", [ANN.id, ANN.id])
    started = await services.lobby.start(table.id, ANN.id, "host sets", [BOB.id, ANN.id])
    assert started.table.names == ("Bob", "Ann")


async def test_fewer_may_start_than_were_asked_for(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 4))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id)
    here = await services.table.load_position(table.id)
    assert here.game.setup.seats == 2


async def test_tables_are_listed_by_the_requested_filter(services: Services, game: int) -> None:
    opened = await services.lobby.create(EVE, NewTable("toy", 2), Home("g1", "c"))
    assert [table.id for table in await services.lobby.list_tables("mine", ANN.id)] == [game]
    assert [table.id for table in await services.lobby.list_tables("open")] == [opened.id]
    assert [table.id for table in await services.lobby.list_tables("all")] == [opened.id, game]
    assert [table.id for table in await services.lobby.list_tables("all", guild="g1")] == [opened.id]
    assert await services.lobby.list_tables("nonsense") == []


def test_options_are_read_as_pairs() -> None:
    assert parse_options("map=small, fast  a=B") == {"map": "small", "fast": "on", "a": "b"}
    with pytest.raises(BotError, match="twice"):
        parse_options("a=1 a=2")
    with pytest.raises(BotError, match="too long"):
        parse_options("x" * 100_000)


async def test_an_exported_game_comes_in_again_as_it_stood(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await services.back.undo(game, ANN.id)
    await services.table.submit(game, ANN.id, Bid(4))
    file = await services.transfer.export(game)
    assert file.name == f"toy-{game}-1.json"
    outcome = await services.transfer.import_file(EVE, FileAsked(file.data), "Copy")
    there, here = await services.table.load_position(outcome.table.id), await services.table.load_position(game)
    assert there.game.replay().state == here.game.replay().state
    assert there.table.names == here.table.names
    assert (there.version, here.version) == (1, 3)  # what was taken back is folded away
    services.table.live.forget(there.table.id)
    assert (await services.table.load_position(there.table.id)).game == there.game
    await services.table.submit(there.table.id, EVE.id, Typed("pass"))


async def test_a_file_by_the_same_delivery_twice_opens_one_table(services: Services) -> None:
    data = encode_file(Setup("toy", 2), [LogEntry(0, Bid(3))])
    first = await services.transfer.import_file(ANN, FileAsked(data), interaction="i1")
    second = await services.transfer.import_file(ANN, FileAsked(data), interaction="i1")
    assert second.repeated
    assert second.table.id == first.table.id


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This isn't a game log"),
        (b"\xff\xfe\x00" * 1000, "This isn't a game log"),
        (b'{"stationmaster": 1', "This isn't a game log"),
        (b"[" * 100_000, "a game log"),
        (b'{"stationmaster": 99, "setup": {"title": "toy", "seats": 2}, "log": []}', "format 99"),
        (b'{"stationmaster": 1, "setup": {"title": "chess", "seats": 2}, "log": []}', "no game “chess”"),
        (b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 99999999999}, "log": []}', "Expected `int` <= 100"),
        (b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 9}, "log": []}', "2 to 4 players"),
        (
            b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 2, "rules": 9}, "log": []}',
            "version 9 of the rules",
        ),
        (
            b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 2, "rules": 1' + b"0" * 30 + b"}}",
            "doesn't fit in 64 bits",
        ),
        (
            b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 2, "seed": 99999999999999999999}}',
            "doesn't fit in 64 bits",
        ),
        (b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 2, "seed": -1}, "log": []}', "Expected `int` >= 0"),
        (encode_file(Setup("toy", 2, seed=1 << 60), []), "The seed must be a whole number from 0 to"),
        (encode_file(Setup("toy", 2), [LogEntry(0, Bid(10**40))]), "doesn't fit in 64 bits"),
        (encode_file(Setup("toy", 2), [LogEntry(0, Undo(1 << 63))]), "doesn't fit in 64 bits"),
        (encode_file(Setup("toy", 2), [LogEntry(0, Redo())]), "Action 0: There is no undone move to restore"),
        (encode_file(Setup("toy", 2), [LogEntry(0, Bid(3)), LogEntry(0, Bid(4))]), "Action 1: It's not your turn"),
        (encode_file(Setup("toy", 2), [LogEntry(-1, Pass())]), "Action 0: There is no seat -1"),
        (encode_file(Setup("toy", 2), [LogEntry(7, Undo(0))]), "Action 0: There is no seat 7"),
        (encode_file(Setup("toy", 2), [LogEntry(0, Undo(5))]), "Action 0: There is no move 5"),
        (encode_file(Setup("toy", 2, {"length": "huge"}), []), "Length"),
    ],
)
async def test_a_file_that_is_no_game_is_refused_and_nothing_is_stored(
    services: Services, data: bytes, sentence: str
) -> None:
    with pytest.raises((BotError, RuleError, LogError, UnreadableLogError)) as refusal:
        await services.transfer.import_file(ANN, FileAsked(data))
    assert sentence in str(refusal.value)
    assert await services.lobby.list_tables("all") == []


async def test_an_unknown_format_is_refused(services: Services, game: int) -> None:
    with pytest.raises(BotError, match=r"The format must be one of: native, 18xx\.games"):
        await services.transfer.export(game, "pdf")


async def test_an_open_table_reminds_its_host_on_the_tenth_day(services: Services, clock: Clock) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    assert [type(post) for post in await send_all(services)] == [Lobby]
    clock.now += 10 * DAY - 1
    assert await send_all(services) == []
    clock.now += 1
    (nudge,) = await send_all(services)
    assert isinstance(nudge, Prompt)
    assert (nudge.game, nudge.mention) == (table.id, (ANN.id,))
    assert "will close in 4 days" in nudge.text


@pytest.mark.parametrize(("started", "message"), [(False, Lobby), (True, Card)])
async def test_a_table_that_is_closed_says_so_where_it_stands(
    services: Services, started: bool, message: type[Lobby | Card]
) -> None:
    """In the channel before the start, at the head of its thread after it; no one is called any more."""
    game = (await services.lobby.create(ANN, NewTable("toy", 2))).id
    if started:
        await services.lobby.join(game, BOB)
        await services.lobby.start(game, ANN.id, "as joined")
    await send_all(services)
    await (close_together(services, game) if started else services.lobby.close(game, ANN.id))
    told = [post for post in await send_all(services) if not isinstance(post, Ballot | Summary)]
    assert [type(post) for post in told] == [message, Notice]
    assert "is closed" in as_a(Notice, told[1]).text


async def test_joined_players_are_notified_of_changed_variants_and_a_lone_host_is_not(services: Services) -> None:
    for number, guests in enumerate(([], [BOB])):
        game = (await services.lobby.create(ANN, NewTable("toy", 3, name="Monday"))).id
        for guest in guests:
            await services.lobby.join(game, guest)
        await services.lobby.set_options(game, ANN.id, {"length": "long"})
        due = [each.post for each in await services.outbox.list_due()]
        told = [post.text for post in due if isinstance(post, Notice) and post.game == game]
        text = (
            "The host changed the variants of “Monday”: Length: 4 lots. If you don't want to play them, you can leave."
        )
        assert told == [text][:number]
