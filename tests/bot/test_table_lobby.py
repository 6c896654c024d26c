"""Before the start: open, join, leave, invite, start, close; files in and out."""

import pytest

from bot.service.errors import BotError
from bot.service.lobby import MOST_SEED, pairs
from bot.service.records import Home, NewTable, Person
from bot.service.services import House
from bot.service.table import Typed
from engine import LogError, RuleError, Setup, UnreadableLogError
from engine.codec import encode_file
from engine.log import Said, Undo
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.support.toy import Bid, Pass


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (NewTable("chess", 2), "There is no game “chess” on the shelf"),
        (NewTable("x" * 100_000, 2), "There is no game “xxx"),
        (NewTable("toy", 1), "The Toy is for 2 to 4 players, not 1."),
        (NewTable("toy", -(10**40)), "The Toy is for 2 to 4 players"),
        (NewTable("toy", 2, options={"colour": "red"}), "toy has no option “colour”; it has: length."),
        (NewTable("toy", 2, options={"length": "🦄"}), "Length (length) is one of short, long, not “🦄”."),
        (NewTable("toy", 4, options={"length": "long"}), "Four players play the short game only."),
        (NewTable("toy", 2, seed=-1), "The seed is a whole number"),
        (NewTable("toy", 2, seed=MOST_SEED), "The seed is a whole number"),
        (NewTable("toy", 2, pace="yesterday"), "The pace is one of"),  # type: ignore[arg-type]
    ],
)
async def test_a_table_that_cannot_be_is_refused_when_it_is_opened(house: House, wish: NewTable, sentence: str) -> None:
    with pytest.raises((BotError, RuleError)) as refusal:
        await house.lobby.create(ANN, wish)
    assert sentence in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert await house.lobby.tables("all") == []


async def test_names_are_kept_short_and_plain(house: House) -> None:
    wish = NewTable("toy", 2, name="**Big**\n@everyone\t" + "ü" * 100_000)
    table = await house.lobby.create(Person("1", "<@1>\x00"), wish)
    assert table.name.startswith("Big everyone üü")
    assert len(table.name) == 80
    assert table.seats[0].name == "1"


async def test_opening_by_the_same_delivery_twice_opens_one_table(house: House) -> None:
    first = await house.lobby.create(ANN, NewTable("toy", 2), Home("g", "c"), "i1")
    second = await house.lobby.create(ANN, NewTable("toy", 2), Home("g", "c"), "i1")
    assert first == second
    assert len(await house.lobby.tables("all")) == 1


async def test_seats_are_taken_and_given_up(house: House) -> None:
    table = await house.lobby.create(ANN, NewTable("toy", 2))
    with pytest.raises(BotError, match="needs at least 2 players; 1 sit here"):
        await house.lobby.start(table.id, ANN.id)
    await house.lobby.join(table.id, BOB)
    assert (await house.lobby.join(table.id, BOB)).names == ("Ann", "Bob")
    with pytest.raises(BotError, match="is full: Ann and Bob sit there"):
        await house.lobby.join(table.id, CID)
    with pytest.raises(BotError, match="You do not sit at"):
        await house.lobby.leave(table.id, EVE.id)
    left = await house.lobby.leave(table.id, ANN.id)
    assert left.names == ("Bob",)
    assert left.host == BOB.id
    assert (await house.lobby.leave(table.id, BOB.id)).state == "closed"


async def test_a_table_by_invitation_lets_only_guests_in(house: House) -> None:
    table = await house.lobby.create(ANN, NewTable("toy", 3, privacy="invite"))
    with pytest.raises(BotError, match="is by invitation"):
        await house.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="Only Ann, the host, may invite people"):
        await house.lobby.invite(table.id, BOB.id, [BOB.id])
    await house.lobby.invite(table.id, ANN.id, [BOB.id, CID.id])
    await house.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="is by invitation"):
        await house.lobby.join(table.id, EVE)


async def test_only_the_host_starts_and_closes(house: House, game: int) -> None:
    with pytest.raises(BotError, match="Only Ann, the host, may close"):
        await house.lobby.close(game, BOB.id)
    for late in (house.lobby.join(game, EVE), house.lobby.leave(game, BOB.id), house.lobby.start(game, ANN.id)):
        with pytest.raises(BotError, match="is running; that is settled before the start"):
            await late


async def test_the_order_is_by_seed_as_joined_or_as_the_host_sets(house: House) -> None:
    orders = set()
    for seed in range(8):
        table = await house.lobby.create(ANN, NewTable("toy", 3, seed=seed))
        await house.lobby.join(table.id, BOB)
        await house.lobby.join(table.id, CID)
        started = await house.lobby.start(table.id, ANN.id, "random")
        assert await house.lobby.info(table.id) == started.table
        orders.add(started.table.names)
    assert len(orders) > 2
    table = await house.lobby.create(ANN, NewTable("toy", 2))
    await house.lobby.join(table.id, BOB)
    with pytest.raises(BotError, match="Name everybody once"):
        await house.lobby.start(table.id, ANN.id, "host sets", [ANN.id, ANN.id])
    started = await house.lobby.start(table.id, ANN.id, "host sets", [BOB.id, ANN.id])
    assert started.table.names == ("Bob", "Ann")


async def test_fewer_may_start_than_were_asked_for(house: House) -> None:
    table = await house.lobby.create(ANN, NewTable("toy", 4))
    await house.lobby.join(table.id, BOB)
    await house.lobby.start(table.id, ANN.id)
    here = await house.table.position(table.id)
    assert here.game.setup.seats == 2


async def test_tables_are_listed_by_what_one_asks(house: House, game: int) -> None:
    opened = await house.lobby.create(EVE, NewTable("toy", 2), Home("g1", "c"))
    assert [table.id for table in await house.lobby.tables("mine", ANN.id)] == [game]
    assert [table.id for table in await house.lobby.tables("open")] == [opened.id]
    assert [table.id for table in await house.lobby.tables("all")] == [opened.id, game]
    assert [table.id for table in await house.lobby.tables("all", guild="g1")] == [opened.id]
    assert await house.lobby.tables("nonsense") == []


def test_options_are_read_as_pairs() -> None:
    assert pairs("map=small, fast  a=B") == {"map": "small", "fast": "on", "a": "b"}
    with pytest.raises(BotError, match="twice"):
        pairs("a=1 a=2")
    with pytest.raises(BotError, match="too long"):
        pairs("x" * 100_000)


async def test_an_exported_game_comes_in_again_as_it_stood(house: House, game: int) -> None:
    await house.table.submit(game, ANN.id, Bid(3))
    await house.consent.undo(game, ANN.id)
    await house.table.submit(game, ANN.id, Bid(4))
    name, data = await house.transfer.export(game)
    assert name == f"toy-{game}-1.json"
    outcome = await house.transfer.bring_in(EVE, data, "Copy")
    there, here = await house.table.position(outcome.table.id), await house.table.position(game)
    assert there.game.state == here.game.state
    assert there.version == here.version == 3
    house.table.live.forget(there.table.id)
    assert (await house.table.position(there.table.id)).game == there.game
    await house.table.submit(there.table.id, EVE.id, Typed("pass"))


async def test_a_file_by_the_same_delivery_twice_opens_one_table(house: House) -> None:
    data = encode_file(Setup("toy", 2), [Said(0, Bid(3))])
    first = await house.transfer.bring_in(ANN, data, interaction="i1")
    second = await house.transfer.bring_in(ANN, data, interaction="i1")
    assert second.repeated
    assert second.table.id == first.table.id


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This is no game log"),
        (b"\xff\xfe\x00" * 1000, "This is no game log"),
        (b'{"stationmaster": 1', "This is no game log"),
        (b"[" * 100_000, "no game log"),
        (b'{"stationmaster": 99, "setup": {"title": "toy", "seats": 2}, "log": []}', "version 99"),
        (b'{"stationmaster": 1, "setup": {"title": "chess", "seats": 2}, "log": []}', "no game “chess”"),
        (b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 99999999999}, "log": []}', "2 to 4 players"),
        (encode_file(Setup("toy", 2), [Said(0, Bid(3)), Said(0, Bid(4))]), "Action 1: It is not your turn"),
        (encode_file(Setup("toy", 2), [Said(-1, Pass())]), "Action 0: There is no seat -1"),
        (encode_file(Setup("toy", 2), [Said(7, Undo(0))]), "Action 0: There is no seat 7"),
        (encode_file(Setup("toy", 2), [Said(0, Undo(5))]), "Action 0: There is no move 5"),
        (encode_file(Setup("toy", 2, {"length": "huge"}), []), "Length"),
    ],
)
async def test_a_file_that_is_no_game_is_refused_and_nothing_is_stored(
    house: House, data: bytes, sentence: str
) -> None:
    with pytest.raises((BotError, RuleError, LogError, UnreadableLogError)) as refusal:
        await house.transfer.bring_in(ANN, data)
    assert sentence in str(refusal.value)
    assert await house.lobby.tables("all") == []


async def test_a_format_that_is_none_is_refused(house: House, game: int) -> None:
    with pytest.raises(BotError, match=r"The format is one of: native, 18xx\.games"):
        await house.transfer.export(game, "pdf")
