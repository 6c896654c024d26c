"""What is offered while an option of a command is typed: whole lists, at tables where a little has happened."""

import pytest

from bot.commands.command import Call, suggest
from bot.model.records import Home, NewTable, Person
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.bot.test_commands import find
from tests.support.toy import Bid, Pass

Offered = list[tuple[str, str]]


@pytest.fixture
async def table(services: Services) -> int:
    """A table of the toy: Ann bid 1, Bob 2, Cid passed, which he took back to bid 5, and asks for Bob's turn again."""
    new = await services.lobby.create(ANN, NewTable("toy", 3, name="Friday", seed=3), Home("g", "c"))
    for guest in (BOB, CID):
        await services.lobby.join(new.id, guest)
    await services.lobby.start(new.id, ANN.id, "as joined")
    for person, action in ((ANN, Bid(1)), (BOB, Bid(2)), (CID, Pass())):
        await services.table.submit(new.id, person.id, action)
    await services.back.undo(new.id, CID.id)
    await services.table.submit(new.id, CID.id, Bid(5))
    return new.id


async def open_1860(services: Services) -> int:
    new = await services.lobby.create(ANN, NewTable("1860", 3, seed=3))
    for guest in (BOB, CID):
        await services.lobby.join(new.id, guest)
    await services.lobby.start(new.id, ANN.id, "as joined")
    return new.id


async def offer(services: Services, person: Person, game: int, name: str, **given: str | int) -> Offered:
    """Return what is offered for the option whose value is "?", by value and words."""
    parameter = next(key for key, value in given.items() if value == "?")
    values = {key: value for key, value in given.items() if value != "?"}
    found = await suggest(find(name), Call(services, person, values, game), parameter, "")
    return [(each.value, each.label) for each in found]


@pytest.mark.parametrize(
    ("name", "option", "offered"),
    [
        (
            "game undo",
            "to",
            [
                ("2", "before move 3: Cid bids £5 for lot 1."),
                ("1", "before move 2: Bob bids £2 for lot 1."),
                ("0", "before move 1: Ann bids £1 for lot 1."),
            ],
        ),
        (
            "game fork",
            "at",
            [
                ("3", "after move 3: Cid bids £5 for lot 1."),
                ("2", "after move 2: Bob bids £2 for lot 1."),
                ("1", "after move 1: Ann bids £1 for lot 1."),
            ],
        ),
        (
            "view at",
            "move",
            [
                ("3", "3: Cid bids £5 for lot 1."),
                ("2", "2: Bob bids £2 for lot 1."),
                ("1", "1: Ann bids £1 for lot 1."),
                ("0", "0: the beginning"),
            ],
        ),
        ("view at", "undone", [("2", "×2: Cid passes.")]),
        (
            "view log",
            "from",
            [
                ("4", "Cid bids £5 for lot 1."),
                ("3", "Cid takes back a move."),
                ("2", "Cid passes."),
                ("1", "Bob bids £2 for lot 1."),
                ("0", "Ann bids £1 for lot 1."),
            ],
        ),
        ("game replace", "seat", [("Ann", "Ann"), ("Bob", "Bob"), ("Cid", "Cid")]),
        ("game vote", "which", []),
    ],
)
async def test_moves_and_seats_of_the_table_are_offered(
    services: Services, table: int, name: str, option: str, offered: Offered
) -> None:
    """A move that was taken back is offered only where one may look at it."""
    assert await offer(services, CID, table, name, **{option: "?"}) == offered


async def test_a_question_is_offered_to_those_who_ask_and_answer_it(services: Services, table: int) -> None:
    await services.back.undo(table, BOB.id, 1)
    for person in (BOB, CID):
        assert await offer(services, person, table, "game vote", which="?") == [("1", "1: to take back 2 moves")]
    for person in (ANN, EVE):
        assert await offer(services, person, table, "game vote", which="?") == []


async def test_steps_that_are_not_in_the_list_yet_are_offered(services: Services) -> None:
    """What is no step is dropped."""
    game = await open_1860(services)

    async def go_on(said: str) -> Offered:
        found = await suggest(find("auto skip"), Call(services, ANN, {"steps": said}, game), "steps", "")
        return [(each.value, each.label) for each in found]

    assert await go_on("") == [("track", "building track"), ("base", "building a base"), ("train", "buying trains")]
    assert await go_on("track, x") == [
        ("track, base", "track, building a base"), ("track, train", "track, buying trains")
    ]  # fmt: skip


async def test_lots_and_ones_own_orders_are_offered(services: Services) -> None:
    game = await open_1860(services)
    await find("auto bid").run(Call(services, BOB, {"on": "any", "up_to": 9}, game))
    assert await offer(services, BOB, game, "auto bid", on="?") == [
        ("any", "whatever is auctioned"), ("choice", "the choice of a lot")
    ]  # fmt: skip
    assert await offer(services, BOB, game, "auto clear", which="?") == [
        ("1", "bid for any lot up to 9 (AR 1, 6 lots left)")
    ]
    assert await offer(services, CID, game, "auto clear", which="?") == []


async def test_a_table_that_two_share_is_listed(services: Services, table: int) -> None:
    shared = await find("game list").run(Call(services, ANN, {"with": BOB}, home=Home("g")))
    assert shared.text == f"#{table} “Friday” · The Toy · running · relaxed · waiting for Ann"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("", ["Ann", "Bob", "Cid"]),
        ("Bob", ["Bob, Ann", "Bob, Cid"]),
        ("Bob, Ann", ["Bob, Ann, Cid"]),
        ("nobody, Ann", ["Ann, Bob", "Ann, Cid"]),
    ],
)
async def test_an_order_of_seats_is_continued_by_the_names_left(services: Services, said: str, left: list[str]) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    command = find("game start")
    assert command.complete
    found = await command.complete(Call(services, ANN, {"seating": said}, table.id), "seating")
    assert [(each.value, each.label) for each in found] == [(names, names) for names in left]


async def test_without_orders_none_is_suggested_or_listed(services: Services, game: int) -> None:
    assert await suggest(find("auto clear"), Call(services, ANN, {}, game), "which", "") == []
    listed = await find("auto list").run(Call(services, ANN, {}, game))
    assert listed.text == "You have no orders at this table. To set one, use for example /auto pass or /auto run."


async def test_players_who_share_no_table_are_told_so(services: Services) -> None:
    with_bob = await find("game list").run(Call(services, ANN, {"with": BOB}))
    assert with_bob.text == "You have no tables with Bob here. To open one, use /game new."
    alone = await find("game list").run(Call(services, ANN, {"with": ANN}))
    assert alone.text == "You have no tables here. To open one, use /game new."
