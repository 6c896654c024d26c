"""The course of a table's page: what of it is worked out again after a move or an undo, and what is remembered."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.model.records import NewTable
from bot.service.boards import BoardViewer
from bot.service.services import Services
from bot.web import course
from bot.web.course import CourseMove, OpenPage, PageCourse, PageCourses, list_afterwards, make_asked
from bot.web.figures import MomentsAsked
from bot.web.guard import KEPT, NEVER, FigureAddress
from engine import TITLES
from tests.web.conftest import begin, finish, play


@pytest.fixture
def asked(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which position on moments were asked of the workers, each time."""
    found, do = list[int](), services.workers.do

    async def note(task: object, said: object, *rest: object) -> object:
        if isinstance(said, MomentsAsked):
            found.append(said.since)
        return await do(task, said, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(services.workers, "do", note)
    return found


async def load(services: Services, courses: PageCourses, game: int, seat: int | None = None) -> PageCourse:
    return await courses.load(await services.table.load_position(game), seat)


async def test_only_positions_that_are_not_known_are_worked_out(
    services: Services, game: int, asked: list[int]
) -> None:
    """Nothing again for the next who looks; all for one who looks at a position of before."""
    courses = PageCourses(services)
    first = await load(services, courses, game)
    assert [move.entry for move in first.moves] == [-1, *range(6)]
    assert (first.moves[0].told, first.moves[0].seat) == ("Steel Driver.", -1), "the beginning"
    assert first.moves[0].asks == "Auctions, turn 1 of 5: Cid"
    assert "company" not in dict(first.pictures), "which needs to know of what"
    assert await load(services, courses, game) is first
    before = await services.table.load_position(game)
    await play(services, game)
    later = await load(services, courses, game)
    assert (later.moves[:-1], later.moves[-1].entry) == (first.moves, 6)
    assert (await load(services, courses, game, 1)).seat == 1
    assert asked == [0, 6], "from the latest one that was known on"
    here = await services.table.load_position(game)
    await services.back.undo(game, here.table.seats[here.game.log[-1].seat].user, None)
    undone = await load(services, courses, game)
    assert undone.moves == first.moves, "an undo leads back to a position of the same name"
    await courses.load(before, None)
    assert asked == [0, 6, 6, 0]


async def test_another_deal_or_another_name_of_the_table_is_another_course(
    services: Services, game: int, asked: list[int]
) -> None:
    courses, here = PageCourses(services), await services.table.load_position(game)
    first = await courses.load(here, None)
    renamed = await courses.load(replace(here, table=replace(here.table, name="Monday")), None)
    assert not {move.name for move in first.moves} & {move.name for move in renamed.moves}
    assert asked == [0, 0]


async def test_of_many_who_look_at_once_one_has_the_course_worked_out(
    services: Services, game: int, asked: list[int]
) -> None:
    courses = PageCourses(services)
    here = await services.table.load_position(game)
    found = await asyncio.gather(*(courses.load(here, None) for _ in range(5)))
    assert all(each is found[0] for each in found)
    assert asked == [0]


async def test_the_courses_that_were_looked_at_last_are_remembered(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them here: the third drops the one that was looked at longest ago."""
    monkeypatch.setattr(course, "MAX_COURSES_KEPT", 2)
    other, third = [await begin(services, NewTable("steel_driver", 3, seed=seed), 0) for seed in (6, 7)]
    courses = PageCourses(services)
    first, second, _, last = [await load(services, courses, each) for each in (game, other, game, third)]
    assert await load(services, courses, game) is first
    assert await load(services, courses, third) is last
    assert await load(services, courses, other) is not second


async def test_the_positions_of_the_tables_that_moved_last_are_remembered(
    services: Services, game: int, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "MAX_TABLES_KEPT", 1)
    other, courses = await begin(services, NewTable("steel_driver", 3, seed=6), 1), PageCourses(services)
    for each in (game, other, game):
        await load(services, courses, each)
        await play(services, each)
    assert asked == [0, 0, 0], "the second forgot the first"
    await load(services, courses, game)
    assert asked[3:] == [7]


def test_a_position_is_found_by_its_number_and_name() -> None:
    moves = tuple(CourseMove(name, "", 0, "", "", 0) for name in ("a", "b"))
    page = PageCourse("Friday", "Toy", (), -1, False, (), (), moves)  # noqa: FBT003  # whether it is over
    asked = [(0, "a"), (1, "b"), (0, "b"), (2, "b"), (-1, "b")]
    assert [page.find(number, name) for number, name in asked] == [True, True, False, False, False]


async def test_only_who_must_decide_now_is_shown_the_choices_of_the_latest_position(
    services: Services, game: int
) -> None:
    """On their own page, which may be kept nowhere."""
    here = await services.table.load_position(game)
    (seat, *_) = here.game.ask().seats
    other = next(each.number for each in here.table.seats if each.number != seat)
    for viewer, number, acts in ((seat, 6, True), (seat, 5, False), (other, 6, False), (None, 6, False)):
        user = "" if viewer is None else here.table.seats[viewer].user
        page = OpenPage(BoardViewer(game, user), here)
        assert make_asked(page, FigureAddress(number, "a", "standard", "map")).acts == acts
        assert page.keeps == (NEVER if user else KEPT)


async def test_a_report_belongs_to_a_game_that_is_over(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the chances to win only where the title can play a position on."""
    assert list_afterwards(await services.table.load_position(game)) == []
    other = await begin(services, NewTable("steel_driver", 3, seed=5), 0)
    await finish(services, other)
    over = await services.table.load_position(other)
    assert list_afterwards(over) == ["story", "chances"]
    title = over.game.title
    monkeypatch.setitem(TITLES, "steel_driver", replace(title, advice=replace(title.advice, play_on=None)))
    assert list_afterwards(over) == ["story"]
