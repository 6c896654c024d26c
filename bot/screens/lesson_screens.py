"""The screens of a lesson as workers make them: the desk at its position, and the answer to whatever is done there."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, cast

import msgspec

from bot.model.errors import BotError
from bot.screens.desk import Desk, read_action
from bot.screens.desk_screens import make_screen
from bot.screens.screen import (
    MAX_LABEL_LENGTH,
    OUT_OF_DATE,
    Button,
    Control,
    Screen,
    clip,
    make_mark,
    make_rows,
)
from bot.service.workers.choices import Advised, MenuLine, build_menu, encode_tips
from bot.service.workers.jobs import Held, Task
from bot.service.workers.tasks import Wish, try_move
from engine import TITLES, Action, LogError, Record, Request, RuleError, Tip
from engine.codec import decode_action, decode_entry, encode_action
from engine.lessons import (
    NAMES,
    Lesson,
    Stage,
    find_lesson,
    follow_lesson,
    judge_action,
    list_lessons,
    list_terms,
)
from engine.title import insert_names_in_refusals
from engine.view import AnyView
from engine.words import WordingError, write_command

MAX_KEPT_STAGES = 64
"""Positions of lessons that a worker keeps; about 10 KiB each."""
MAX_TOLD = 6
"""Sentences about what the others did."""
MAX_FACTS = 5
"""Sentences about what a move would lead to."""
RECALLING = (4, 8)
"""Lessons that begin with a question from an earlier one, as the last does."""
PREFIX = "learn"
"""Before the verb of a control of the desk, where it stands in a lesson."""
TAUGHT = frozenset({"at", "pick", "ask", "do", "tip", "plans"})
"""Controls of the desk that a lesson has too; all others belong to a table."""
_MARKS = 36**5
Show = Literal["step", "check", "tip", "typed", "plans", "hint", "rule", "menu"]


class LessonPlace(Record, frozen=True):
    """A lesson, and the right moves made in it so far, as JSON."""

    title: str
    lesson: str
    moves: tuple[str, ...] = ()

    @property
    def mark(self) -> int:
        """A number by which a button knows that it still belongs here."""
        return zlib.crc32("/".join((self.title, self.lesson, *self.moves)).encode()) % _MARKS

    def make_control(self, verb: str, arg: str = "") -> Control:
        """Return a control of the desk in this lesson."""
        return Control(0, self.mark, f"{PREFIX}{verb}", arg)

    def adapt(self, control: Control) -> Control:
        """Return a control of a table's desk as one of this lesson."""
        return self.make_control(control.verb, control.arg)


class LessonAsked(Record, frozen=True):
    """Something that a learner does.

    Args:
        place: where. show: a screen, or what is done with a move.
        path, typed: where they are at the desk. sign: the mark of the move that a button was drawn for.
        verb, words: of a move that was typed.
    """

    place: LessonPlace
    show: Show = "step"
    path: str = ""
    typed: str = ""
    sign: str = ""
    verb: str = ""
    words: Mapping[str, str] = {}


class LessonShown(Record, frozen=True):
    """The screen that follows; its pictures travel beside it.

    Args:
        played: the right move, as JSON, if it was one. wrong: whether it was another. over: the lesson is finished.
    """

    screen: Screen
    pictures: tuple[AnyView, ...] = ()
    played: str = ""
    wrong: bool = False
    over: bool = False


class _Seated(msgspec.Struct, frozen=True):
    """A learner at the desk of a lesson."""

    place: LessonPlace
    lesson: Lesson
    stage: Stage
    desk: Desk

    @property
    def head(self) -> str:
        """The line above everything: the game, the number of the lesson, its title, the step."""
        steps = len(self.lesson.step)
        part = f" ({self.stage.step + 1} of {steps})" if 1 < steps > self.stage.step else ""
        return f"**{make_head(self.lesson)}{part}**"


def make_head(lesson: Lesson) -> str:
    """Return the name of a lesson with its place: "1860 · 3 of 12 · Float a company"."""
    game = TITLES[lesson.game].short_name
    return f"{game} · {lesson.number} of {len(list_lessons(lesson.game))} · {lesson.title}"


@lru_cache(maxsize=MAX_KEPT_STAGES)
def _sit_down(place: LessonPlace) -> _Seated:
    """Return the desk at a place; replayed and searched once."""
    lesson = find_lesson(place.title, place.lesson)
    if lesson is None:
        raise BotError("This lesson no longer exists. To see all lessons, use /learn.")
    try:
        stage = follow_lesson(lesson, [decode_action(place.title, each) for each in place.moves])
    except (LogError, RuleError):
        raise BotError("This lesson has changed since you began it. Start it again with /learn.") from None
    game, seat = stage.game, stage.seat
    names = NAMES[: game.setup.seats]
    is_over = stage.step >= len(lesson.step)
    tips = () if is_over else tuple(game.tips(seat))
    legal = () if is_over else game.choices(seat)
    return _Seated(place, lesson, stage, Desk(0, names, game, seat, legal, Advised(len(game.log), seat, tips)))


def _show_lesson(_: None, asked: LessonAsked) -> LessonShown:
    """Show what follows from what a learner did; a refusal of the rules stands above the way back."""
    seated = _sit_down(asked.place)
    if seated.stage.step >= len(seated.lesson.step):
        return _close(seated)
    with insert_names_in_refusals(seated.desk.names):
        try:
            if asked.show in ("check", "tip", "typed"):
                return _judge(seated, _read_move(seated, asked))
            if asked.show == "plans":
                return _show_plans(seated)
            return _show_step(seated, asked)
        except (RuleError, WordingError) as refusal:
            lines = [seated.head, f"✗ {refusal}", f"**{seated.lesson.step[seated.stage.step].ask}**"]
            return LessonShown(Screen("\n".join(lines), rows=_make_exits(seated)))


def _read_move(seated: _Seated, asked: LessonAsked) -> Action:
    """Return the move that a button was drawn for, or that was typed.

    Raises:
        BotError: the button is of another position. RuleError, WordingError: the move is refused.
    """
    desk, title = seated.desk, seated.place.title
    if asked.show == "typed":
        wish = Wish(
            (desk.seat,), desk.names, asked.verb, asked.words, adviser=desk.seat, tips=encode_tips(desk.advised.tips)
        )
        made = try_move(Held(desk.game), wish)
        return decode_entry(title, desk.seat, made.said).action
    known = [*desk.advised.actions]
    if asked.show == "check":
        known.insert(0, read_action(desk.game, desk.legal, desk.follow(asked.path, asked.typed)))
    else:
        known += [tip.action for tip in _list_plans(seated)]
    found = next((action for action in known if make_mark(action) == asked.sign), None)
    if found is None:
        raise BotError(OUT_OF_DATE)
    return desk.advised.resolve(found)


def _list_plans(seated: _Seated) -> Sequence[Tip]:
    """Return the ways to run beside the tips."""
    desk = seated.desk
    return desk.game.title.advice.plans(desk.game.state, desk.seat, desk.advised.tips)


def _show_step(seated: _Seated, asked: LessonAsked) -> LessonShown:
    """Return the desk with the situation and the task above it; with a hint, or the rules, where they were wanted."""
    lesson, desk = seated.lesson, seated.desk
    step = lesson.step[seated.stage.step]
    made = make_screen(desk, asked.path, asked.typed)
    lines = [seated.head]
    if asked.show == "rule":
        paragraphs = TITLES[lesson.game].words.rules({})
        lines += [f"{section}, {topic}: {text}" for section, topic, text in paragraphs if topic in lesson.rules]
        lines.append(f"**{step.ask}**")
    elif asked.path:
        lines += [f"**{step.ask}**", made.text]
    elif asked.show == "menu":
        lines += [f"**{step.ask}**", *list_typed(desk)]
    else:
        told = [f"-# {each}" for each in seated.stage.told[-MAX_TOLD:]]
        goes_on = bool(step.lasts and told)
        lines += _recall(lesson) if seated.stage.step == 0 and not goes_on else []
        lines += told if goes_on else [*told, f"You are {desk.names[desk.seat]}. {step.text}"]
        lines += [f"Hint: {step.hint}"] if asked.show == "hint" else [] if goes_on else _explain_terms(seated)
        lines += [f"**{step.ask}**", made.text]
    pictures = made.pictures
    if step.picture and not asked.path and asked.show == "step":
        pictures = (desk.game.look(Request(step.picture, desk.seat, names=desk.names)),)
    replace, adapt = msgspec.structs.replace, seated.place.adapt
    menus = tuple(replace(each, control=adapt(each.control)) for each in made.menus if each.control.verb == "pick")
    buttons = [replace(each, control=adapt(each.control)) for row in made.rows for each in row if _is_taught(each)]
    screen = Screen("\n".join(lines), after=made.after, menus=menus, rows=(*make_rows(buttons), *_make_helps(seated)))
    return LessonShown(screen, cast("tuple[AnyView, ...]", pictures))


def _recall(lesson: Lesson) -> list[str]:
    """Return a question from the first half of the course so far, before the fourth, the eighth and the last lesson."""
    course = list_lessons(lesson.game)
    if lesson.number not in (*RECALLING, len(course)):
        return []
    earlier = [each for each in course[: lesson.number // 2] if each.question][-1:]
    which = slice(-1, None) if lesson.number == len(course) else slice(1)  # the last two may look back at the same one
    return [f"-# Do you remember? {each.ask} ||{each.answer}||" for known in earlier for each in known.question[which]]


def _explain_terms(seated: _Seated) -> Iterator[str]:
    """Yield a line for each term that is new in this lesson, at its first step."""
    if seated.stage.step == 0:
        known = {term.name: term for term in list_terms(seated.lesson.game)}
        for name in seated.lesson.terms:
            yield f"-# **{name}**: {known[name].text}"


def list_typed(desk: Desk) -> list[str]:
    """Return what may be done in a lesson, as one would type it, and what it does."""
    free = desk.game.title.open_verbs
    lines: list[MenuLine] = []
    for verb in dict.fromkeys(action.verb for action in desk.legal):
        lines += build_menu([each for each in desk.legal if each.verb == verb], desk.label) if verb not in free else []
    runs = [
        MenuLine(write_command(tip.short or tip.action), tip.label)
        for tip in desk.advised.tips
        if tip.action.verb in free
    ]
    return [" — ".join(filter(None, (line.typed, line.words))) for line in (*lines, *runs)]


def _is_taught(button: Button) -> bool:
    """Return whether a button of the desk belongs in a lesson: one that makes one move, or looks."""
    verb, arg = button.control.verb, button.control.arg
    return verb in TAUGHT and not (verb == "tip" and "+" in arg) and not (verb == "do" and arg.count("~") > 1)


def _make_helps(seated: _Seated) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons below every step."""
    place = seated.place
    return (
        (
            Button("Hint", place.make_control("hint")),
            Button("Rule", place.make_control("rule")),
            make_next_button("Skip", seated.lesson),
        ),
    )


def make_next_button(label: str, lesson: Lesson) -> Button:
    """Return the button that goes to the next lesson, or to the course behind the last one."""
    following = find_lesson(lesson.game, str(lesson.number + 1))
    verb, arg = ("open", f"{lesson.game}/{following.id}") if following else ("course", lesson.game)
    return Button(label, Control(0, 0, f"{PREFIX}{verb}", arg))


def _make_exits(seated: _Seated) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons below an answer that leads back."""
    return ((Button("Try again", seated.place.make_control("at"), "main"), *_make_helps(seated)[0]),)


def _show_plans(seated: _Seated) -> LessonShown:
    """Show the ways to run, the best first."""
    found = [*_list_plans(seated)] or [*seated.desk.advised.tips]
    lines = [seated.head, *(f"{number}. {tip.label}." for number, tip in enumerate(found, 1))]
    buttons = [
        Button(
            clip(f"{number} · Run {tip.label.partition(':')[0]}", MAX_LABEL_LENGTH),
            seated.place.make_control("tip", f"{number}.{make_mark(tip.action)}"),
            "main" if number == 1 else "plain",
        )
        for number, tip in enumerate(found, 1)
    ]
    back = Button("Back", seated.place.make_control("at"))
    return LessonShown(Screen("\n".join(lines), rows=make_rows([*buttons, back])))


def _judge(seated: _Seated, action: Action) -> LessonShown:
    """Answer a legal move: why it works, or what it would do, and the way back."""
    verdict = judge_action(seated.lesson, seated.stage, action)
    step = seated.lesson.step[seated.stage.step]
    if verdict.next is None:
        said = verdict.say or "That's legal, but it isn't what is asked for. It would do this:"
        facts = [] if verdict.say else [f"• {fact}" for fact in verdict.facts[:MAX_FACTS]]
        lines = [seated.head, f"↩ {said}", *facts, f"-# Nothing is played. **{step.ask}**"]
        return LessonShown(Screen("\n".join(lines), rows=_make_exits(seated)), wrong=True)
    played = encode_action(verdict.played).decode()
    place = msgspec.structs.replace(seated.place, moves=(*seated.place.moves, played))
    if verdict.next.step >= len(seated.lesson.step):
        shown = _close(seated, f"✓ {verdict.say}")
        return msgspec.structs.replace(shown, played=played)
    following = Button("Next", place.make_control("at"), "main")
    return LessonShown(Screen(f"{seated.head}\n✓ {verdict.say}", rows=((following,),)), played=played)


def _close(seated: _Seated, *said: str) -> LessonShown:
    """Return the end of a lesson: what holds in the next game too, and what can be answered now."""
    lesson = seated.lesson
    lines = [f"**{make_head(lesson)}**", *said, f"*{lesson.close}*"]
    lines += [f"-# {question.ask} ||{question.answer}||" for question in lesson.question]
    if lesson.practice:
        lines.append("At a practice table you play the real game, and the bot plays two seats:")
        lines.append(f"/game new title:{lesson.game} seats:3 stand_ins:2 level:beginner")
    course = Button("All lessons", Control(0, 0, f"{PREFIX}course", lesson.game))
    following = make_next_button("Next lesson", lesson)
    practice = Button("Open a practice table", Control(0, 0, f"{PREFIX}table", lesson.game), "main")
    buttons = (practice, course) if lesson.practice else (msgspec.structs.replace(following, tone="main"), course)
    return LessonShown(Screen("\n".join(lines), rows=(buttons,)), over=True)


LESSON = Task("lesson", _show_lesson, LessonAsked, LessonShown)
