"""Go through the lessons at the local table as learners do, right and wrong, and count what it takes.

``python -m tests.bot.lesson_walk --read 1860 3`` prints a lesson as it is read: at each step the hint, what the rules
refuse, moves that are legal but not asked for, then the right one. Without arguments it writes ``docs/lessons.md``.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bot.screens.lesson_screens import LESSON, LessonAsked, LessonPlace
from bot.screens.screen import make_mark
from bot.terminal import LocalTable, open_table
from engine import TITLES, Action
from engine.codec import encode_action
from engine.lessons import Lesson, Stage, follow_lesson, judge_action, list_lessons, read_action
from engine.words import write_command, write_parameters

WORDS_A_MINUTE, STEP_SECONDS, TAP_SECONDS = 180, 15, 3
"""How fast one reads about something new, looks at a picture and decides, and presses."""
TAPS = 3
"""Of a step: the choice, *Confirm*, *Next*."""
MAX_WRONG = 3
"""Moves beside the right one that are tried at each step."""
DOCUMENT = Path(__file__).parents[2] / "docs" / "lessons.md"
HEAD = f"""# The lessons

The courses of `/learn`, and ten questions of each game that a newcomer can answer afterwards, with the lesson that
answers them. *Minutes*: of those who answer each step right at once, and of those who first read its hint and try a
wrong move, at {WORDS_A_MINUTE} words a minute, {STEP_SECONDS} seconds to look and decide, and {TAP_SECONDS} seconds a
tap. *Moves*: the legal ones of each step; every one has an answer of its own. `python -m tests.bot.lesson_walk` writes
this page.
"""


class Tried(NamedTuple):
    """A step of a lesson: where it is, the right move, others with an answer of their own each, and refused ones."""

    stage: Stage
    right: Action
    wrong: tuple[Action, ...]
    refused: tuple[Action, ...]
    legal: int


def list_steps(lesson: Lesson) -> Iterator[Tried]:
    """Yield each step as a learner comes to it who answers it right by the first move that is."""
    stage = follow_lesson(lesson)
    while stage.step < len(lesson.step):
        step, game, seat = lesson.step[stage.step], stage.game, stage.seat
        typed = [read_action(lesson.game, words) for words in step.tries]
        tips = [tip.action for tip in game.tips(seat) if tip.action.verb in game.title.open_verbs]
        actions = list(dict.fromkeys([*game.legal(seat), *tips, *typed]))
        judged = [(action, judge_action(lesson, stage, action)) for action in actions]
        right, after = next((action, verdict.next) for action, verdict in judged if verdict.next is not None)
        wrong = {str(verdict.comment): action for action, verdict in judged if verdict.next is None}
        refused = tuple(read_action(lesson.game, words) for words in step.refused)
        yield Tried(stage, right, (*wrong.values(),), refused, len(actions))
        assert after is not None
        stage = after


def count_minutes(lesson: Lesson, *, errs: bool = False) -> float:
    """Return how long a lesson takes: all that is read, and each step and tap.

    Those who err ask for the hint at each step and try a wrong move, where there is one.
    """
    place, words, taps, steps = LessonPlace(lesson.game, lesson.id), 0, 0, [*list_steps(lesson)]
    for step in steps:
        words += _count_words(LessonAsked(place))
        if errs:
            hint = len(re.findall(r"\w\S*", lesson.step[step.stage.step].hint))
            words += hint + (_count_words(_answer(step, place, step.wrong[0])) if step.wrong else 0)
            taps += 1 + TAPS * bool(step.wrong)
        words += _count_words(_answer(step, place, step.right))
        taps += TAPS
        played = judge_action(lesson, step.stage, step.right).played
        place = LessonPlace(place.title, place.lesson, (*place.moves, encode_action(played).decode()))
    return words / WORDS_A_MINUTE + (len(steps) * STEP_SECONDS + taps * TAP_SECONDS) / 60


def _answer(step: Tried, place: LessonPlace, action: Action) -> LessonAsked:
    """Return a move as it is answered: by its button if it has one, else as typed."""
    if action in [tip.action for tip in step.stage.game.tips(step.stage.seat)]:
        return LessonAsked(place, "tip", sign=make_mark(action))
    return LessonAsked(place, "typed", verb=action.verb, words=write_parameters(action))


def _count_words(asked: LessonAsked) -> int:
    return len(re.findall(r"\w\S*", LESSON.do(None, asked).screen.text))


async def read_lesson(table: LocalTable, lesson: Lesson, said: list[str]) -> None:
    """Type a lesson at the local table: at each step refused and wrong moves, the hint, and the right move."""

    async def type_line(line: str) -> None:
        said.append(f"\n> {line}")
        await table.answer(line)

    await type_line(f"/learn {lesson.game} lesson:{lesson.number}")
    for number, step in enumerate(list_steps(lesson)):
        if number:
            await type_line("/learn next")
        await type_line("/learn hint")
        for action in (*step.refused[:1], *step.wrong[:MAX_WRONG], step.right):
            await type_line(write_command(action))


def read_all(lessons: list[Lesson]) -> str:
    """Return lessons as they are read at the local table, their pictures left out."""

    async def read() -> list[str]:
        said: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            async with open_table(Path(folder) / "store.sqlite", Path(folder), said.append) as table:
                table.draw = _draw_nothing
                for lesson in lessons:
                    await read_lesson(table, lesson, said)
        return said

    return "\n".join(line for line in asyncio.run(read()) if not re.match(r"\s+→ ", line))


async def _draw_nothing(*_: object) -> bytes:
    return b""


def main() -> None:
    """Print lessons, or the figures of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--read", nargs="*", metavar=("TITLE", "LESSON"))
    wish = parser.parse_args()
    lessons = [lesson for game in TITLES for lesson in list_lessons(game)]
    if wish.read is not None:
        title, number = (*wish.read, "", "")[:2]
        wanted = [each for each in lessons if title in ("", each.game) and number in ("", str(each.number))]
        sys.stdout.write(read_all(wanted) + "\n")
        return
    DOCUMENT.write_text(HEAD + "".join(f"\n{part}" for part in map(write_course, TITLES)), encoding="utf-8")


def write_course(game: str) -> str:
    """Return the part of the page about a title: its lessons with their figures, then the questions."""
    rows, totals = list[str](), [0.0, 0.0, 0]
    for lesson in list_lessons(game):
        steps, minutes = [*list_steps(lesson)], [count_minutes(lesson), count_minutes(lesson, errs=True)]
        rows.append(
            f"| {lesson.number} | {lesson.title} | {minutes[0]:.1f} | {minutes[1]:.1f} "
            f"| {' + '.join(str(step.legal) for step in steps)} |"
        )
        totals = [totals[0] + minutes[0], totals[1] + minutes[1], totals[2] + sum(step.legal for step in steps)]
    rows.append(f"| | together | {totals[0]:.0f} | {totals[1]:.0f} | {totals[2]:,} |")
    heads = "| | lesson | minutes | with an error a step | moves |\n|--:|---|--:|--:|---|"
    return "\n".join([f"## {TITLES[game].name}", "", heads, *rows, "", *list_questions(game), ""])


def list_questions(game: str) -> list[str]:
    """Return what a newcomer can answer after a course, with the lesson that answers it, a line each."""
    asked = [(lesson.number, each) for lesson in list_lessons(game) for each in lesson.question]
    return [f"{at}. {each.ask} {each.answer} *({number})*" for at, (number, each) in enumerate(asked, 1)]


if __name__ == "__main__":
    main()
