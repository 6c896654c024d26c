"""Nothing secret is in the bytes of another's page: hidden treasuries, drafts and notes."""

from bot.service.boards import BoardViewer
from bot.service.people import DeskPlace
from bot.service.services import Services
from bot.web.front import OpenPage, make_asked
from bot.web.guard import FigureAddress
from engine import TITLES
from tests.bot.conftest import ANN, BOB, CID
from tests.playthroughs.record import read
from tests.web.conftest import Browser, find_path
from tests.web.worlds import list_leaks

CANARY = "canary4711"


def test_who_may_not_know_a_treasury_gets_the_same_bytes() -> None:
    """In two worlds that differ by hidden treasuries; ``tests.web.worlds`` compares every position of many games."""
    kept = read("1860-treasuries-hidden")
    assert [*list_leaks(kept.setup, tuple(kept.read_log()), every=260, first=70)] == []


async def test_drafts_and_notes_are_on_no_page(services: Services, game: int, browser: Browser) -> None:
    """Not even on their writer's own, which may be shown to others by mistake."""
    here = await services.table.load_position(game)
    await services.people.set_note(game, ANN.id, CANARY)
    await services.people.save_draft(game, ANN.id, here.version, DeskPlace("pass", CANARY, (CANARY,)))
    for user in ("", ANN.id, BOB.id, CID.id):
        path = await find_path(services, game, user)
        listed = await browser.get(f"{path}moves.json")
        moves = (await listed.json())["moves"]
        bodies = [await listed.text(), await (await browser.get(path)).text()]
        for picture in TITLES["steel_driver"].views.pictures:
            answer = await browser.get(f"{path}at/6-{moves[6][0]}/standard/{picture.name}")
            bodies.append(await answer.text())
        assert not any(CANARY in body for body in bodies)


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
