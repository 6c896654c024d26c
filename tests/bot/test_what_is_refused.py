"""What people at a table may not ask is refused in one sentence, and leaves no trace."""

from collections.abc import Awaitable, Callable

import pytest

from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person, ServerRules
from bot.service.game_clock import ClockWish
from bot.service.hosting import Guest
from bot.service.people import FIRST_SCREEN, DeskPlace
from bot.service.services import Services
from bot.service.table import Typed
from tests.bot.conftest import ANN, BOB, CID, EVE, seat_three
from tests.support.toy import Bid

FAY = Person("8", "Fay")
HERE, THERE = Home("g1", "c1"), Home("g1", "c2")
Ask = Callable[[Services, int], Awaitable[object]]

ASKED: list[tuple[Ask, str]] = [
    (lambda s, game: s.seats.propose_replacement(game, BOB.id, 1, CID), "Cid already has a seat at this table."),
    (lambda s, game: s.seats.propose_replacement(game, EVE.id, 0, FAY), "Only players of “.+” can ask for this."),
    (
        lambda s, game: s.seats.propose_replacement(game, ANN.id, 7, EVE),
        "There is no such seat; the players are Ann, Bob and Cid.",
    ),
    (lambda s, game: s.seats.resign(game, EVE.id), "You don't have a seat in a running game"),
    (lambda s, game: s.seats.set_proxy(game, EVE.id, FAY), "You don't have a seat in a running game"),
    (lambda s, game: s.seats.set_proxy(game, ANN.id, ANN), "You can't be your own proxy."),
    (lambda s, game: s.seats.propose_deputy(game, EVE.id, 0, FAY, once=True), "Only players of “.+” can ask for this."),
    (lambda s, game: s.seats.propose_deputy(game, BOB.id, 0, ANN, once=True), "Ann already plays that seat."),
    (lambda s, game: s.stand_ins.propose(game, EVE.id, 0), "Only players of “.+” can ask for this."),
    (lambda s, game: s.stand_ins.propose(game, BOB.id, 0), "Ann hasn't kept the table waiting"),
    (
        lambda s, game: s.stand_ins.propose(game, ANN.id, 1),
        "Bob doesn't have to act now: others can vote",
    ),
    (lambda s, game: s.stand_ins.take_back(game, ANN.id, 0), "The stand-in doesn't play for Ann."),
    (lambda s, game: s.hosting.rename(game, ANN.id, "\u200b"), "This name has no visible characters"),
    (lambda s, game: s.hosting.rename(game, BOB.id, "Ours"), "Only the host|Only Ann"),
    (lambda s, game: s.hosting.hand_over(game, ANN.id, EVE.id), "The new host must have a seat at “.+”."),
    (lambda s, game: s.hosting.hand_over(game, BOB.id, EVE.id), "Only the host, Ann, can hand over the table."),
    (lambda s, game: s.hosting.kick(game, ANN.id, ANN.id), "to give up your seat now, use /game resign"),
    (lambda s, game: s.lobby.leave(game, BOB.id), "you can leave it only before the start; .+, use /game resign"),
    (lambda s, game: s.lobby.join(game, FAY), "is running: you can join it only before the start.$"),
    (lambda s, game: s.lobby.invite(game, ANN.id, [FAY.id]), "players can be invited only before the start"),
    (lambda s, game: s.lobby.set_options(game, ANN.id, {}), "variants can be chosen only before the start"),
    (
        lambda s, game: s.hosting.set_clock(game, ANN.id, ClockWish("off")),
        "the clock changes only with everyone's consent",
    ),
    (lambda s, game: s.agreements.propose_clock(game, EVE.id, ClockWish(budget=48)), "You have no seat"),
    (lambda s, game: s.agreements.propose_clock(game, ANN.id, ClockWish(to="pause")), "This table has no clock"),
    (lambda s, game: s.obligations.snooze(game, ANN.id, "later"), "choose 4h, tonight, tomorrow or turn"),
    (lambda s, game: s.agreements.propose_clock(game, ANN.id, ClockWish(budget=0)), "The budget must be 1 to "),
    (
        lambda s, game: s.agreements.propose_clock(game, ANN.id, ClockWish(budget=2, increment=3)),
        "the increment can't exceed it",
    ),
    (lambda s, game: s.agreements.reopen(game, EVE.id), "is running, not closed"),
    (lambda s, game: s.agreements.reopen(game, ANN.id), "is running, not closed"),
    (lambda s, game: s.agreements.propose_close(game, EVE.id), "You have no seat"),
    (lambda s, game: s.agreements.set_fast_auctions(game, ANN.id, on=True), "The Toy has no fast auctions."),
    (lambda s, game: s.back.restart_turn(game, ANN.id), "You haven't moved yet this turn."),
    (lambda s, game: s.back.restart_turn(game, EVE.id), "You have no seat at"),
    (lambda s, game: s.consent.vote(game, BOB.id, yes=True), "“The Toy” has no open proposal to vote on."),
    (lambda s, game: s.table.submit(game, BOB.id, Typed("lay", {})), "The Toy has no /act lay."),
    (lambda s, game: s.transfer.plan(game, EVE), "Only players of “.+” can see its log until the game ends"),
    (lambda s, game: s.moving.move_table(game, BOB.id, THERE), "Only the host and server managers can move a table"),
    (lambda s, game: s.moving.propose_move(game, EVE.id, THERE), "Only the host and server managers can move a table"),
    (lambda s, game: s.moving.propose_move(game, BOB.id, Home("g2", "c3")), "only within that server"),
    (lambda s, game: s.hosting.propose_host(game, EVE.id, BOB.id), "Only the host and server managers can hand a"),
    (lambda s, game: s.hosting.propose_host(game, BOB.id, EVE.id), "The new host must have a seat at"),
    (lambda s, game: s.moving.move_table(game, ANN.id, Home("g2", "c3")), "it can be moved only within that server"),
    (lambda s, game: s.obligations.set_away(ANN.id, 400), "must be 0 to 365"),
    (lambda s, game: s.servers.announce("g1", EVE, " "), "An announcement must have 1 to "),
    (lambda s, game: s.servers.set_paused("g1", EVE, on=False), "are already running"),
    (
        lambda s, game: s.servers.set_rules("g1", EVE, ServerRules(tables=-1), "x"),
        r"A limit must be 0 \(no limit\) to ",
    ),
]


@pytest.fixture
async def housed(services: Services) -> int:
    """A table of three that lives in a channel; Ann is to bid."""
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5), HERE)
    await services.lobby.join(table.id, BOB)
    await services.lobby.join(table.id, CID)
    await services.lobby.start(table.id, ANN.id, "as joined")
    return table.id


async def test_an_invalid_proposal_changes_nothing(services: Services, housed: int) -> None:
    """One table for all: each is refused, and what the next is asked about stands as it stood."""
    before, log = await services.lobby.get_table(housed), await services.table.read_log(housed)
    for ask, sentence in ASKED:
        with pytest.raises(BotError, match=sentence):
            await ask(services, housed)
        assert await services.lobby.get_table(housed) == before, sentence
        assert await services.table.read_log(housed) == log
        assert await services.consent.list_open(housed) == []


async def test_at_an_open_table_no_seat_changes_hands(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5), HERE)
    with pytest.raises(BotError, match="hasn't started yet"):
        await services.seats.resign(table.id, ANN.id)
    assert (await services.lobby.get_table(table.id)).people == (ANN.id,)


async def test_no_invitation_is_mailed_to_a_full_table(services: Services) -> None:
    """Nor where seats are free and the table was closed before it began."""
    full, closed = [await services.lobby.create(ANN, NewTable("toy", 2, seed=5), HERE) for _ in range(2)]
    await services.lobby.join(full.id, BOB)
    await services.lobby.close(closed.id, ANN.id)
    for table, words in ((full, "has no free seat"), (closed, "is closed; players can be invited only before")):
        with pytest.raises(BotError, match=words):
            await services.hosting.invite_by_letter(table.id, ANN.id, Guest("fay@home.example"))
        assert (await services.lobby.get_table(table.id)).invited == ()


async def test_a_moved_table_posts_what_it_owes_in_the_new_place(services: Services, housed: int) -> None:
    assert (await services.moving.move_table(housed, ANN.id, THERE)).home == THERE
    assert await services.moving.list_tables_in("c2") == [housed]
    assert await services.moving.list_tables_in("c1") == []
    await services.moving.pause_posts("g1")
    assert await services.outbox.list_due() == [], "the bot is not there"
    await services.moving.resume_posts("g1")
    due = [stored.key for stored in await services.outbox.list_due()]
    assert {f"{housed}:card", f"{housed}:lobby"} <= set(due)
    table = await services.lobby.get_table(housed)
    await services.moving.note_lost(table)
    assert await services.moving.list_homes("g1") == [(housed, Home("g1"))]
    await services.moving.note_lost(table)  # it was seen before; it has no place already
    assert (await services.moving.rehouse(table, HERE, "too late")).home == Home("g1")
    told = [stored.key for stored in await services.outbox.list_due() if ":nowhere:" in stored.key]
    assert sorted(key.rpartition(":")[2] for key in told) == [ANN.id, BOB.id, CID.id]


async def test_a_draft_is_kept_for_its_position_only(services: Services) -> None:
    game = await seat_three(services)
    draft = DeskPlace("bid.3", "7", ("{}",))
    await services.people.save_draft(game, ANN.id, 0, draft)
    assert await services.people.load_draft(game, ANN.id, 0) == draft
    assert await services.people.load_draft(game, BOB.id, 0) == FIRST_SCREEN
    await services.table.submit(game, ANN.id, Bid(1))
    assert await services.people.load_draft(game, ANN.id, 1) == FIRST_SCREEN
    await services.people.save_draft(game, ANN.id, 0, FIRST_SCREEN)
    assert await services.people.load_draft(game, ANN.id, 0) == FIRST_SCREEN
