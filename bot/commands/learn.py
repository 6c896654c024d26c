"""``/learn``: the courses, and a lesson by words: what is pressed elsewhere is typed here."""

from collections.abc import Mapping

from bot.commands.act import answer_in_lesson, build_act, name_ways, reply_in_lesson
from bot.commands.command import Call, Command, CommandParameter, Group, Reply
from bot.commands.typed import add_names
from bot.model.errors import BotError
from bot.model.records import Choice
from bot.screens.lesson_controls import (
    NO_LESSON,
    answer_learner,
    find_place,
    make_course_screen,
    make_courses_screen,
    start_lesson,
)
from bot.screens.lesson_screens import LessonAsked, LessonPlace, Show
from bot.screens.text import read_words
from bot.service.lobby import find_title
from engine import TITLES
from engine.lessons import find_lesson, list_lessons

WAYS_IN = "To open a lesson: /learn 1860 lesson:3. To go on: /learn next."
_SHOWN: Mapping[str, Show] = {"hint": "hint", "rule": "rule", "again": "step"}
"""What is shown of the present step, by the word that is typed."""


def build_learn() -> Group:
    """Return the command of lessons."""
    taught = [title for title in TITLES.values() if title.package]
    choices = tuple(Choice(title.id, title.name) for title in taught)
    parameters = (
        CommandParameter("title", "which game; all courses if left out", choices=choices),
        CommandParameter("lesson", "which lesson, by its number or name; the course if left out", completes=True),
        CommandParameter("move", "your answer in the lesson you're in, as after /act: buy IOW ipo"),
    )
    learn = Command("learn", "Learn a game in short lessons that only you see.", parameters, _learn, _complete)
    return Group("learn", learn.help, (learn,), free=True)


async def _learn(call: Call) -> Reply:
    """Show what the words ask for: a course, a lesson, a help in it, or the answer to a move."""
    word, name = call.read_text("title").strip().lower(), call.read_text("lesson").strip()
    services, user = call.services, call.person.id
    call.spend("searches")
    if move := call.read_text("move").strip().removeprefix("/act "):
        return await _answer_move(call, move)
    if word in (*_SHOWN, "next", "skip"):
        place = await find_place(services, user)
        if place is None:
            raise BotError(NO_LESSON)
        return await _go_on(call, place, word)
    if not word:
        screen = await make_courses_screen(services, user)
    elif name:
        screen = await start_lesson(services, user, find_title(word).id, name)
        return reply_in_lesson(screen, name_ways(call))
    else:
        screen = await make_course_screen(services, user, find_title(word).id)
    return reply_in_lesson(screen, WAYS_IN)


async def _go_on(call: Call, place: LessonPlace, word: str) -> Reply:
    """Show the present step again, with what was asked for, or go on behind it."""
    services, user = call.services, call.person.id
    lesson = find_lesson(place.title, place.lesson)
    known = await services.people.list_progress(user)
    if lesson is not None and (word == "skip" or (word == "next" and known[0].done and not place.moves)):
        following = find_lesson(place.title, str(lesson.number + 1))
        if following is None:
            return reply_in_lesson(await make_course_screen(services, user, place.title), WAYS_IN)
        return reply_in_lesson(await start_lesson(services, user, place.title, following.id), name_ways(call))
    asked = LessonAsked(place, _SHOWN.get(word, "step"))
    return reply_in_lesson(await answer_learner(services, user, asked), name_ways(call))


async def _answer_move(call: Call, move: str) -> Reply:
    """Answer a move that was typed after its verb."""
    place = await find_place(call.services, call.person.id)
    if place is None:
        raise BotError(NO_LESSON)
    known = build_act().find(move.partition(" ")[0].lower())
    verb, words = read_words(add_names(known, move) if known is not None else move)
    return await answer_in_lesson(call, place, verb, words)


async def _complete(call: Call, parameter: str) -> list[Choice]:
    """Suggest the lessons of the title that is named."""
    del parameter
    title = find_title(call.read_text("title")).id
    return [Choice(str(each.number), f"{each.number} · {each.title}") for each in list_lessons(title)]
