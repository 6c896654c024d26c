"""What a learner presses or types in a lesson, and the course with its lessons."""

import asyncio
import re

import msgspec

from bot.model.errors import BotError
from bot.model.records import Home, NewTable
from bot.screens.answer import Answer
from bot.screens.desk_controls import HINT, MAX_TYPED_LENGTH
from bot.screens.lesson_screens import LESSON, PREFIX, LessonAsked, LessonPlace, make_head
from bot.screens.screen import (
    MAX_LABEL_LENGTH,
    OUT_OF_DATE,
    Button,
    Control,
    Form,
    Menu,
    MenuOption,
    Screen,
    clip,
    is_steps,
    make_rows,
    read_number,
)
from bot.screens.text import read_typed
from bot.service.lobby import find_title
from bot.service.people import Progress
from bot.service.services import Services
from engine import TITLES
from engine.fuzzy import strip_currency
from engine.lessons import find_lesson, list_lessons
from engine.pictures import view_aid

_MARKS = re.compile(r"\*+|^-# ", re.MULTILINE)
"""What Discord's Markdown takes as marks in the words of a lesson."""
_HIDDEN = re.compile(r"\|\|(.*?)\|\|")
"""Words that Discord shows when one taps on them."""
PRACTICE_SEATS = 3
NO_LESSON = "You're in no lesson. To choose one, use /learn."


async def find_place(services: Services, user: str) -> LessonPlace | None:
    """Return where a person is in the lesson they opened last; ``None`` if they have opened none."""
    known = await services.people.list_progress(user)
    return LessonPlace(known[0].title, known[0].lesson, known[0].moves) if known else None


async def answer_learner(services: Services, user: str, asked: LessonAsked) -> Screen:
    """Return the screen that follows from what a learner did, and keep how far they are.

    Raises:
        BotError: the lesson has changed, or the button is of another position.
    """
    shown = await services.workers.do(LESSON, asked)
    place = asked.place
    if shown.played or shown.wrong:
        known = await services.people.list_progress(user)
        before = next((each for each in known if (each.title, each.lesson) == (place.title, place.lesson)), None)
        before = before or Progress(place.title, place.lesson)
        moves = () if shown.over else (*place.moves, shown.played) if shown.played else place.moves
        after = msgspec.structs.replace(
            before, moves=moves, tries=before.tries + shown.wrong, done=before.done or shown.over
        )
        await services.people.keep_progress(user, after)
    return msgspec.structs.replace(shown.screen, pictures=shown.pictures)


async def start_lesson(services: Services, user: str, title: str, name: str) -> Screen:
    """Start a lesson from its beginning.

    Raises:
        BotError: there is no such lesson.
    """
    lesson = await asyncio.to_thread(find_lesson, title, name)
    if lesson is None:
        raise BotError(f"There is no lesson “{name[:40]}”. To see all lessons, use /learn.")
    known = await services.people.list_progress(user)
    before = next((each for each in known if (each.title, each.lesson) == (title, lesson.id)), None)
    progress = msgspec.structs.replace(before, moves=()) if before else Progress(title, lesson.id)
    await services.people.keep_progress(user, progress)
    return await answer_learner(services, user, LessonAsked(LessonPlace(title, lesson.id)))


async def make_course_screen(services: Services, user: str, title: str) -> Screen:
    """Return the lessons of a title, those that are done marked, and a button for the next one."""
    lessons = await asyncio.to_thread(list_lessons, title)
    if not lessons:
        raise BotError(f"There is no course for {TITLES[title].name} yet." if title in TITLES else OUT_OF_DATE)
    known = {each.lesson: each for each in await services.people.list_progress(user) if each.title == title}
    done = {name for name, each in known.items() if each.done}
    following = next((each for each in lessons if each.id not in done), lessons[0])
    lines = [f"**Learn {TITLES[title].name}**", "Each lesson takes a few minutes. Only you can see it."]
    lines += [f"{'✓' if each.id in done else each.number} {each.title}" for each in lessons]
    options = tuple(MenuOption(f"{each.number} · {each.title}", f"{title}/{each.id}") for each in lessons)
    first = Control(0, 0, f"{PREFIX}open", f"{title}/{following.id}")
    start = Button(clip(f"{following.number} · {following.title}", MAX_LABEL_LENGTH), first, "main")
    others = Button("Other games", Control(0, 0, f"{PREFIX}list"))
    menu = Menu("Choose a lesson…", Control(0, 0, f"{PREFIX}open"), options)
    return Screen("\n".join(lines), menus=(menu,), rows=((start, others),))


async def make_courses_screen(services: Services, user: str) -> Screen:
    """Return all courses, and the lesson to go on with."""
    lines, buttons = ["**Learn a game** in short lessons, with the same buttons as at a table."], []
    known = await services.people.list_progress(user)
    for title in TITLES.values():
        lessons = await asyncio.to_thread(list_lessons, title.id)
        done = {each.lesson for each in known if each.title == title.id and each.done}
        if lessons:
            lines.append(f"{title.name}: {len(done & {each.id for each in lessons})} of {len(lessons)} lessons done")
            buttons.append(Button(title.short_name, Control(0, 0, f"{PREFIX}course", title.id)))
    latest = await asyncio.to_thread(find_lesson, known[0].title, known[0].lesson) if known else None
    if latest is not None and not known[0].done:
        place = LessonPlace(latest.game, latest.id, known[0].moves)
        buttons.insert(
            0, Button(clip(f"Go on: {make_head(latest)}", MAX_LABEL_LENGTH), place.make_control("at"), "main")
        )
    return Screen("\n".join(lines), rows=make_rows(buttons))


async def show_courses(answer: Answer, control: Control) -> None:
    """Show all courses."""
    del control
    await answer.show(await make_courses_screen(answer.services, answer.user))


async def show_course(answer: Answer, control: Control) -> None:
    """Show the lessons of a title."""
    await answer.show(await make_course_screen(answer.services, answer.user, control.arg))


async def open_lesson(answer: Answer, control: Control) -> None:
    """Start the lesson of a button, or one chosen in a menu."""
    title, _, name = (control.arg or "".join(answer.values[:1])).partition("/")
    await answer.show(await start_lesson(answer.services, answer.user, title, name))


async def _require_place(answer: Answer, control: Control) -> LessonPlace:
    """Return where the learner is.

    Raises:
        BotError: the control belongs to another step.
    """
    place = await find_place(answer.services, answer.user)
    if place is None or place.mark != control.version:
        raise BotError("This button belongs to an earlier step. To go on where you are, use /learn.")
    return place


async def _answer(answer: Answer, asked: LessonAsked) -> None:
    await answer.show(await answer_learner(answer.services, answer.user, asked))


async def go_to(answer: Answer, control: Control) -> None:
    """Go to a screen of the desk in a lesson."""
    place = await _require_place(answer, control)
    await _answer(answer, LessonAsked(place, path=control.arg, typed=read_typed(answer.clicked_text)))


async def pick_value(answer: Answer, control: Control) -> None:
    """Take what was chosen in a menu."""
    chosen = "".join(answer.values[:1])
    if not is_steps(chosen):
        raise BotError(OUT_OF_DATE)
    place = await _require_place(answer, control)
    await _answer(answer, LessonAsked(place, path=f"{control.arg.partition('/')[0]}.{chosen}"))


async def open_value_form(answer: Answer, control: Control) -> None:
    """Open a form for a number or text; a form must be the first answer."""
    path, question, span = (*control.arg.split("/", 2), "", "")[:3]
    if not path:
        raise BotError(OUT_OF_DATE)
    typed = Control(0, control.version, f"{PREFIX}say", path)
    await answer.open_form(Form(clip(question or path.capitalize(), 45), typed, clip(span or HINT, 45), span))


async def take_value(answer: Answer, control: Control) -> None:
    """Take what was typed into the form."""
    typed = " ".join("".join(answer.values).split())[:MAX_TYPED_LENGTH]
    if not typed:
        raise BotError("The form was empty. Type a value.")
    typed = strip_currency(typed) if strip_currency(typed).isdecimal() else typed
    place, number = await _require_place(answer, control), read_number(typed)
    path = f"{control.arg}.*" if number is None else f"{control.arg}.={number}"
    await _answer(answer, LessonAsked(place, path=path, typed=typed if number is None else ""))


async def play_checked(answer: Answer, control: Control) -> None:
    """Answer the move that was checked."""
    place = await _require_place(answer, control)
    path, _, sign = control.arg.partition("~")
    await _answer(answer, LessonAsked(place, "check", path, read_typed(answer.clicked_text), sign))


async def play_tip(answer: Answer, control: Control) -> None:
    """Answer a move that has a button of its own."""
    place = await _require_place(answer, control)
    await _answer(answer, LessonAsked(place, "tip", sign=control.arg.rpartition(".")[2]))


async def show_plans(answer: Answer, control: Control) -> None:
    """Show the ways to run."""
    await _answer(answer, LessonAsked(await _require_place(answer, control), "plans"))


async def show_hint(answer: Answer, control: Control) -> None:
    """Show the hint of a step."""
    await _answer(answer, LessonAsked(await _require_place(answer, control), "hint"))


async def show_rule(answer: Answer, control: Control) -> None:
    """Show the rules behind a lesson."""
    await _answer(answer, LessonAsked(await _require_place(answer, control), "rule"))


async def greet_newcomer(services: Services, user: str, title_id: str, game: int, before: str) -> Screen:
    """Return a screen with words, and for a person who has never played the title with its cheat sheet, once.

    ``game``: the table where they take a seat; 0 if they are to be seated later.
    """
    title = TITLES[title_id]
    if not title.package or not await services.people.note_newcomer(user, title_id, game):
        return Screen(before)
    sheet = await asyncio.to_thread(view_aid, title.package)
    words = f"New to {title.short_name}? Here is the game on one page; /view sheet shows it at the table at any time."
    course = Button("Learn the game", Control(0, 0, f"{PREFIX}course", title.id), "main")
    help_along = Button("Explain as I play", Control(0, 0, f"{PREFIX}new", title.id))
    return Screen(f"{before}\n{words}", (sheet,), rows=((course, help_along),))


async def explain_as_i_play(answer: Answer, control: Control) -> None:
    """Let the desk say why, in a person's first game of a title."""
    title = find_title(control.arg)
    await answer.services.people.set_new_here(answer.user, title.id, on=True)
    await answer.send_text(describe_new_here(title.id, on=True))


def describe_new_here(title: str, *, on: bool) -> str:
    """Return what a person is told who wants to know why, or no longer."""
    name = TITLES[title].short_name
    if not on:
        return f"Your desk no longer explains {name}."
    return (
        f"In your next game of {name}, your desk explains each question and marks with ⚠ what beginners regret. "
        "It stops after that game, or at once with /me new_here on:no."
    )


async def open_practice(answer: Answer, control: Control) -> None:
    """Open a table with stand-ins in the other seats, and start it."""
    title, services, place = find_title(control.arg), answer.services, answer.channels
    await services.servers.refuse_paused(answer.guild)
    await services.servers.refuse_place(answer.guild, place)
    await services.servers.refuse_role(answer.guild, answer.roles)
    answer.refuse_missing_permissions(place[0])
    seats = max(title.seats[0], PRACTICE_SEATS)
    name = f"{title.short_name}: practice"
    wish = NewTable(title.id, seats, name, privacy="invite", stand_ins=seats - 1, manner="beginner")
    table = await services.lobby.create(answer.person, wish, Home(answer.guild, place[0]), answer.key)
    await services.people.set_new_here(answer.user, title.id, on=True)
    outcome = await services.lobby.start(table.id, answer.user, "as joined")
    told = f"Your practice table is open: its message stands in <#{place[0]}>." if place[0] else ""
    told = "\n".join(filter(None, [told, describe_new_here(title.id, on=True), *outcome.sentences]))
    await answer.show(await greet_newcomer(services, answer.user, table.title, table.id, told))


def write_plain(screen: Screen, way: str) -> str:
    """Return a screen of a lesson as words without marks, with the way to go on: it has buttons elsewhere."""
    return "\n".join([_MARKS.sub("", _HIDDEN.sub(r"Answer: \1", screen.text)), way])
