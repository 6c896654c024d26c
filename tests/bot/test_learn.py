"""``/learn``: courses, lessons by words, progress, and lessons at the local table."""

import io
from pathlib import Path

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, Reply, Value, suggest
from bot.commands.typed import read_line
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.screens.lesson_screens import LESSON, LessonAsked, LessonPlace
from bot.screens.screen import MAX_CUSTOM_ID_LENGTH, write_custom_id
from bot.service.people import Progress
from bot.service.services import Services
from bot.terminal import run
from engine import TITLES
from engine.codec import encode_action
from engine.lessons import Lesson, follow_lesson, judge_action, list_lessons, read_action
from tests.bot.conftest import BOB, CID, EVE
from tests.bot.lesson_walk import DOCUMENT, list_questions

ANN = Person("1", "Ann")
LESSONS = [lesson for game in TITLES for lesson in list_lessons(game)]


async def type_line(services: Services, line: str, here: int | None = None) -> Reply:
    said = read_line(build_tree(), line)
    return await said.command.run(Call(services, ANN, said.values, here))


async def test_a_course_lists_its_lessons_and_marks_those_done(services: Services) -> None:
    assert "12 lessons" in (await type_line(services, "/learn")).text
    await services.people.keep_progress("1", Progress("1860", "goal", done=True))
    shown = await type_line(services, "/learn 1860")
    assert "✓ What counts in the end\n2 Six auctions\n" in shown.text
    assert shown.screen is not None
    assert shown.screen.rows[0][0].label == "2 · Six auctions"


async def test_right_wrong_and_illegal_moves_are_answered(services: Services) -> None:
    shown = await type_line(services, "/learn 1860 lesson:float")
    assert "1860 · 3 of 12 · Float a company\nYou are Ann. " in shown.text
    assert "float: Start to operate" in shown.text
    wrong = await type_line(services, "/act pass")
    assert "↩ IOW stays at 40%." in wrong.text
    assert "Nothing is played. Make IOW float." in wrong.text
    illegal = await type_line(services, "/act start FYN 62")
    assert "✗ FYN can't be started until C&N or IOW has operated" in illegal.text
    assert "(1860, Major Companies)" in illegal.text
    right = await type_line(services, "/act buy IOW ipo")
    assert "✓ Half is sold: IOW floats with £820" in right.text
    assert await services.people.list_progress("1") == [Progress("1860", "float", tries=1, done=True)]
    assert "1860 · 4 of 12" in (await type_line(services, "/learn next")).text


async def test_a_lesson_goes_on_where_it_was_left(services: Services) -> None:
    await type_line(services, "/learn 1860 lesson:2")
    await type_line(services, "/act bid 20")
    assert "(2 of 2)" in (await type_line(services, "/learn again")).text
    assert "Bob passes." in (await type_line(services, "/learn next")).text
    courses = await type_line(services, "/learn")
    assert courses.screen is not None
    assert courses.screen.rows[0][0].label == "Go on: 1860 · 2 of 12 · Six auctions"
    assert "1860 · 3 of 12" in (await type_line(services, "/learn skip")).text


async def test_at_a_table_a_lesson_is_answered_with_its_own_word(services: Services) -> None:
    shown = await type_line(services, "/learn 1860 lesson:float", here=1)
    assert "Answer with /learn move:" in shown.text
    assert "✓ Half is sold" in (await type_line(services, "/learn move:buy IOW ipo", here=1)).text


async def test_hints_rules_and_moves_are_listed(services: Services) -> None:
    await type_line(services, "/learn 1862 lesson:hudson")
    assert "Hint: Let the treasury add £10" in (await type_line(services, "/learn hint")).text
    assert "§7.8.6, George Hudson: " in (await type_line(services, "/learn rule")).text
    assert "/act dividend choice:hudson" in (await type_line(services, "/act menu")).text


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("/learn hint", "You're in no lesson"),
        ("/learn move:pass", "You're in no lesson"),
        ("/learn 1860 lesson:99", "There is no lesson “99”"),
        ("/learn chess", "There is no game “chess”"),
    ],
)
async def test_what_there_is_not_is_refused(services: Services, line: str, refusal: str) -> None:
    with pytest.raises(BotError, match=refusal):
        await type_line(services, line)


@pytest.mark.parametrize("words", ["how to play", "How do I play?", "tutorial"])
async def test_a_search_for_how_to_play_leads_to_the_course(services: Services, words: str) -> None:
    found = await type_line(services, f'/rules search words:"{words}" title:1860')
    assert "The goal: You invest in railway companies" in found.text
    assert found.text.endswith("To learn it step by step, use /learn 1860.")


async def test_a_term_is_explained_with_its_place(services: Services) -> None:
    found = await type_line(services, "/rules term term:float title:1862")
    assert found.text == "float: Start to operate, once 50% of the company has been bought. (§6.5.4)"
    assert (await type_line(services, "/rules term term:Priv title:1860")).text.startswith("private company: A ferry")
    assert "par, IPO, bank pool" in (await type_line(services, "/rules term title:1860")).text
    with pytest.raises(BotError, match="Did you mean float"):
        await type_line(services, "/rules term term:flaot title:1860")
    term = next(each for group in build_tree() for each in group.commands if each.name == "term")
    offered = await suggest(term, Call(services, ANN, {"title": "1860"}), "term", "hal")
    assert "halt" in [each.value for each in offered]


async def test_each_way_to_a_seat_brings_the_cheat_sheet_once(services: Services) -> None:
    """Typed: joining, starting, taking a seat that was offered, joining a season. By buttons: ``tests/discord``."""
    groups, home, titles = build_tree(), Home("g", "c"), set[str]()

    async def say(who: Person, line: str, here: int | None = None, **values: Value) -> str:
        said = read_line(groups, line)
        reply = await said.command.run(Call(services, who, said.values | values, here, home))
        pictures = reply.screen.pictures if reply.screen is not None else ()
        titles.update(type(picture).__name__ for picture in pictures)
        return f"{who.name}{' has the sheet' * bool(pictures)}"

    table = await services.lobby.create(ANN, NewTable("1862", 2), home)
    assert await say(BOB, "/game join", table.id) == "Bob has the sheet"
    assert await say(ANN, '/game start order:"as joined"', table.id) == "Ann has the sheet"
    await services.seats.propose_replacement(table.id, BOB.id, 1, EVE)
    assert await say(EVE, "/game vote answer:yes", table.id) == "Eve has the sheet"
    await services.seats.propose_replacement(table.id, EVE.id, 1, BOB)
    assert await say(BOB, "/game vote answer:yes", table.id) == "Bob"
    assert await say(ANN, "/league open name:Autumn title:1862") == "Ann"
    assert await say(CID, "/league join") == "Cid has the sheet"
    assert await say(CID, "/league join") == "Cid"
    assert titles == {"AidView"}


async def test_progress_is_forgotten_with_its_person(services: Services) -> None:
    await services.people.keep_progress("1", Progress("1860", "float"))
    await services.seats.forget_person("1")
    assert await services.people.list_progress("1") == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game}-{lesson.id}")
def test_every_lesson_is_played_by_its_buttons(lesson: Lesson) -> None:
    """Each right move leads on; every button and menu fits Discord, and none belongs to a table."""
    place, stage = LessonPlace(lesson.game, lesson.id), follow_lesson(lesson)
    while stage.step < len(lesson.step):
        shown = LESSON.do(None, LessonAsked(place))
        assert lesson.step[stage.step].ask in shown.screen.text
        assert shown.pictures
        controls = [button.control for row in shown.screen.rows for button in row]
        controls += [menu.control for menu in shown.screen.menus]
        assert all(control.verb.startswith("learn") for control in controls)
        assert all(len(write_custom_id(control)) <= MAX_CUSTOM_ID_LENGTH for control in controls)
        assert len(shown.screen.rows) + len(shown.screen.menus) <= 5 or len(controls) <= 25
        assert len(shown.screen.text) < 3000
        tried = (judge_action(lesson, stage, action) for action in stage.game.legal(stage.seat))
        verdict = next(each for each in tried if each.next is not None)
        place = LessonPlace(place.title, place.lesson, (*place.moves, encode_action(verdict.played).decode()))
        assert verdict.next is not None
        stage = verdict.next
    closed = LESSON.do(None, LessonAsked(place))
    assert lesson.close in closed.screen.text
    assert closed.over
    assert ("/game new" in closed.screen.text) is lesson.practice


def test_a_lesson_that_has_changed_is_started_again() -> None:
    moves = (encode_action(read_action("1860", "pass")).decode(),)
    with pytest.raises(BotError, match="This lesson has changed"):
        LESSON.do(None, LessonAsked(LessonPlace("1860", "float", moves)))
    with pytest.raises(BotError, match="This lesson no longer exists"):
        LESSON.do(None, LessonAsked(LessonPlace("1860", "fly")))


async def test_the_local_table_teaches_before_the_first_game(tmp_path: Path) -> None:
    out = io.StringIO()
    lines = ("/learn 1860 lesson:float", "/act buy IOW ipo", "/quit")
    await run(tmp_path / "store.sqlite", tmp_path / "pictures", io.StringIO("\n".join(lines) + "\n"), out)
    said = out.getvalue()
    assert "New to a game? Type /learn" in said.splitlines()[0]
    assert "**" not in said
    assert f"→ {tmp_path / 'pictures' / 'lesson-1.png'}" in said
    assert "✓ Half is sold" in said


@pytest.mark.parametrize("game", TITLES)
def test_the_document_lists_what_can_be_answered_after_each_course(game: str) -> None:
    """``python -m tests.bot.lesson_walk`` writes it, with the minutes and the moves of each lesson."""
    written = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"\n{line}\n" in written for line in list_questions(game))
    assert all(f"| {lesson.number} | {lesson.title} | " in written for lesson in list_lessons(game))
