"""Nothing secret is in the bytes of another's page: hidden treasuries, drafts and notes."""

import pytest

from bot.model.orders import OrderWish
from bot.service.boards import BoardViewer
from bot.service.people import DeskPlace
from bot.service.services import Services
from bot.web.course import OpenPage, make_asked
from bot.web.guard import FigureAddress
from engine import TITLES
from tests.bot.conftest import ANN, BOB, CID
from tests.playthroughs.record import read
from tests.web import worlds
from tests.web.conftest import Browser, fetch_moves, find_path
from tests.web.worlds import list_leaks

CANARY = "canary4711"


@pytest.mark.parametrize(
    ("name", "every", "first"), [("1860-treasuries-hidden", 260, 70), ("1862-2", 300, 120), ("steel_driver-3", 90, 40)]
)
def test_who_may_not_know_gets_the_same(name: str, every: int, first: int) -> None:
    """In two worlds that differ by hidden treasuries; where nothing is hidden, no seat is told what others are not.

    ``tests.web.worlds`` compares every position of many games.
    """
    kept = read(name)
    assert [*list_leaks(kept.setup, kept.read_log(), every, first)] == []


def test_the_comparison_of_worlds_finds_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were shareholders not meant to know what they are shown, it would say so."""
    monkeypatch.setattr(worlds, "may_know", lambda company, seat: False)
    kept = read("1860-treasuries-hidden")
    (leak, *_) = list_leaks(kept.setup, kept.read_log()[:70], 70)
    assert "tells of" in leak


async def test_drafts_notes_and_orders_change_no_page(services: Services, game: int, browser: Browser) -> None:
    """Not even their writer's own, which may be shown to others by mistake: every byte stays as it was."""
    here = await services.table.load_position(game)
    paths = [await find_path(services, game, user) for user in ("", ANN.id, BOB.id, CID.id)]

    async def read_all() -> list[str]:
        bodies = list[str]()
        for path in paths:
            moves = await fetch_moves(browser, path)
            figures = [picture.name for picture in TITLES["steel_driver"].views.pictures]
            for address in ("", "moves.json", *(f"at/6-{moves[6][0]}/standard/{figure}" for figure in figures)):
                bodies.append(await (await browser.get(path + address)).text())
        return bodies

    before = await read_all()
    await services.people.set_note(game, ANN.id, CANARY)
    await services.people.save_draft(game, ANN.id, here.version, DeskPlace("pass", CANARY, (CANARY,)))
    waits = next(seat.user for seat in here.table.seats if seat.number not in here.game.ask().seats)
    await services.orders.set_order(game, waits, OrderWish("bid", "any", 1))
    assert (await services.table.load_position(game)).version == here.version
    assert await read_all() == before
    assert not any(CANARY in body for body in before)


async def test_only_who_must_decide_sees_what_may_be_chosen(services: Services, game: int) -> None:
    """What is legal can tell what a treasury holds, so only the page of the player who acts shows it, and only now."""
    here = await services.table.load_position(game)
    acting = here.table.seats[here.game.ask().seats[0]].user
    for user in ("", ANN.id, BOB.id, CID.id):
        page = OpenPage(BoardViewer(game, user), here)
        for number in (5, 6):
            asked = make_asked(page, FigureAddress(number, "0" * 16, "standard", "map"))
            assert asked.acts == (user == acting and number == 6)
            assert asked.request.seat == (int(user) - 1 if user else None)
