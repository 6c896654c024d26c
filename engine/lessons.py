"""Lessons: a position, one thing to do in it, and an answer to whatever the learner does.

A lesson is a TOML file in the folder ``lessons`` of its title. It names a log, and for each step what is accepted, as
patterns over actions and the facts that follow: no code. The rules of the game judge what is legal; a lesson only
says what it would lead to. Nothing is stored but which moves the learner has made.

A pattern is the tag of an action and its fields in order: each a literal, alternatives ``a|b``, a range ``5..`` or
``1..4``, or ``*``; what is left out matches anything. A pattern of a fact is the name of an event and some
``field=pattern``.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, get_origin

import msgspec
from msgspec.structs import replace

from engine.errors import LogError
from engine.game import TITLES, Game, LogEntry, Played
from engine.player import choose_action
from engine.printed import read_data
from engine.record import Action, Event, Record
from engine.setup import Rng, Setup
from engine.words import merge_repeats

NAMES = ("Ann", "Bob", "Cid", "Dora")
"""The players of every lesson, by seat."""
MAX_OTHERS_MOVES = 200
"""Moves that the others make before the learner is asked again; more is a defect of the lesson."""
_PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_RANGE = re.compile(r"(\d*)\.\.(\d*)")
_RUNS = " > "
"""Before each run that a company without a director made, in a log."""


class StartingPoint(Record, frozen=True, forbid_unknown_fields=True):
    """The position that a lesson starts from.

    Args:
        log: file with one action a line, "0 buy IOW ipo"; none for a new game.
        first: how many lines of it are played; all if left out.
        more: lines that are played after them.
        rules: version of the rules, so that the log keeps its meaning.
        seat: the learner's.
    """

    log: str = ""
    first: int | None = None
    more: tuple[str, ...] = ()
    seat: int = 0
    seats: int = 3
    options: dict[str, str] = {}
    seed: int = 0
    rules: int = 4


class Comment(Record, frozen=True, forbid_unknown_fields=True):
    """What is said to the actions that match a pattern; ``{Event.field}`` and ``{field}`` of the action are filled in.

    Args:
        action: the pattern. fact: a pattern of an event that must follow. say: the answer.
    """

    action: str
    say: str
    fact: str = ""


class Exercise(Record, frozen=True, forbid_unknown_fields=True):
    """One thing to do.

    Args:
        text: the situation. ask: the task, shown in bold. hint: on demand.
        picture: of the title, shown beside the text; the desk's own if left out.
        accept: what completes the step. answer: what is said to other legal actions; the first that matches.
        refused: actions that the rules refuse; for tests alone, as the refusal is the engine's.
        tries: typed actions of open verbs, for tests alone.
        then: lines that the others play after it, "1 pass".
        position: where this step starts, if not where the one before ends.
        lasts: verbs; the step goes on while one of them is legal, and is left out where none is.
    """

    text: str
    ask: str
    hint: str
    accept: tuple[Comment, ...]
    answer: tuple[Comment, ...] = ()
    picture: str = ""
    refused: tuple[str, ...] = ()
    tries: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    position: StartingPoint | None = None
    lasts: tuple[str, ...] = ()


class Term(Record, frozen=True, forbid_unknown_fields=True):
    """A word of the game in a sentence, with the stage in the rulebook."""

    name: str
    text: str
    section: str


class _Glossary(Record, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


class Question(Record, frozen=True, forbid_unknown_fields=True):
    """What a learner can answer after a lesson."""

    ask: str
    answer: str


class _Written(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lesson as its file has it; see ``Lesson``."""

    title: str
    understand: str
    close: str
    step: tuple[Exercise, ...]
    position: StartingPoint = StartingPoint()
    rules: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    question: tuple[Question, ...] = ()
    others: bool = False
    practice: bool = False


class Lesson(_Written, frozen=True, kw_only=True):
    """One lesson of a course.

    Args:
        game: id of the title. id: its name in files and the database: "float". number: its place in the course, from 1.
        title: as the course lists it. understand: the one thing to understand. close: what holds in the next game too.
        rules: topics of the paragraphs behind it. terms: of the glossary, explained here for the first time.
        question: what can be answered afterwards.
        others: the others play by the seeded player until the learner is asked again.
        practice: it leads to a table with stand-ins.
    """

    game: str
    id: str
    number: int


class Stage(Record, frozen=True):
    """Where a learner is in a lesson.

    Args:
        game: the position. told: what the others did to get there. seat: the learner's.
        step: its number, from 0; behind the last one at the end.
    """

    game: Game
    told: tuple[str, ...]
    seat: int
    step: int


class Verdict(Record, frozen=True):
    """What comes of a legal action in a lesson.

    Args:
        say: the answer; empty if the lesson has none of its own. facts: what follows, in the words of the game.
        played: the action as it was played. comment: what it matched.
        next: where the learner goes on if it was right, else ``None``.
    """

    say: str
    facts: tuple[str, ...]
    played: Action
    comment: Comment | None = None
    next: Stage | None = None


@cache
def list_lessons(game: str) -> tuple[Lesson, ...]:
    """Return the course of a title in order; empty if it has none.

    Raises:
        msgspec.ValidationError: a file holds something else.
    """
    title = TITLES.get(game)
    if title is None or not title.package:
        return ()
    found = sorted(
        (each for each in (files(title.package) / "lessons").iterdir() if each.name.endswith(".toml")),
        key=lambda each: each.name,
    )
    lessons: list[Lesson] = []
    for number, file in enumerate(found, 1):
        written = msgspec.toml.decode(file.read_bytes(), type=_Written)
        name = file.name.removesuffix(".toml").partition("-")[2]
        lessons.append(Lesson(game=game, id=name, number=number, **msgspec.structs.asdict(written)))
    return tuple(lessons)


def find_lesson(game: str, name: str) -> Lesson | None:
    """Return a lesson by its id or number."""
    return next((each for each in list_lessons(game) if name in (each.id, str(each.number))), None)


@cache
def list_terms(game: str) -> tuple[Term, ...]:
    """Return the glossary of a title; empty if it has none."""
    title = TITLES.get(game)
    return read_data(title.package, "glossary.toml", _Glossary).term if title is not None and title.package else ()


def read_action(game: str, words: str) -> Action:
    """Return an action from the words of a log: its tag and its fields in order, the last one to the end of the line.

    Raises:
        ValueError: they are none.
    """
    tag, _, rest = words.strip().partition(" ")
    kind = next((each for each in TITLES[game].actions if each.__struct_config__.tag == tag), None)
    if kind is None:
        raise ValueError(words)
    names = _list_fields(kind)
    said = rest.split(" ", len(names) - 1) if names and rest else []
    return msgspec.convert(dict(zip(names, said, strict=False)), kind, strict=False)


def _list_fields(kind: type[Action]) -> list[str]:
    """Return the fields of an action that stand in a log: all but lists, which only games from elsewhere have."""
    return [each.name for each in msgspec.structs.fields(kind) if get_origin(each.type) is not tuple]


def write_action(action: Action) -> str:
    """Return an action as the words of a log."""
    values = (str(getattr(action, name)) for name in _list_fields(type(action)))
    return " ".join([str(action.__struct_config__.tag), *values])


def _read_entry(game: str, line: str) -> LogEntry:
    seat, _, words = line.partition(" ")
    said, *runs = words.split(_RUNS)
    return LogEntry(int(seat), read_action(game, said), tuple(runs))


@cache
def _replay_start(game: str, number: int, step: int) -> Stage:
    """Return where a lesson, or one of its steps, starts; replayed once."""
    lesson = list_lessons(game)[number - 1]
    begin = lesson.step[step].position or lesson.position
    lines: Sequence[str] = ()
    if begin.log:
        folder = files(TITLES[game].package) / "lessons"
        lines = (folder / begin.log).read_text(encoding="utf-8").splitlines()[: begin.first]
    setup = Setup(game, begin.seats, begin.options, begin.seed, begin.rules)
    start = Game.replay(setup, [_read_entry(game, line) for line in (*lines, *begin.more)])
    return Stage(*_play_others(lesson, start, begin.seat), begin.seat, step)


def _play_others(lesson: Lesson, game: Game, seat: int) -> tuple[Game, tuple[str, ...]]:
    """Let the seeded player move for the others until the learner is asked, and say what they did."""
    told: list[str] = []
    for _ in range(MAX_OTHERS_MOVES if lesson.others else 0):
        asked = game.ask().seats
        if not asked or seat in asked:
            break
        rng = Rng(lesson.position.seed + len(game.log))
        played = game.play(asked[0], choose_action(game, asked[0], rng))
        told += _word(played)
        game = played.game
    return game, tuple(told)


def _word(played: Played) -> tuple[str, ...]:
    """Return what followed from an action, in the words of the game."""
    title, names = played.game.title, NAMES[: played.game.setup.seats]
    return tuple(filter(None, merge_repeats(title.words.say(event, names) for event in played.events)))


def follow_lesson(lesson: Lesson, moves: Iterable[Action] = ()) -> Stage:
    """Return where right moves lead.

    Raises:
        RuleError: one isn't legal. LogError: one isn't what its step asks for, as the lesson has changed.
    """
    stage = _replay_start(lesson.game, lesson.number, 0)
    for number, action in enumerate(moves):
        found = judge_action(lesson, stage, action) if stage.step < len(lesson.step) else None
        if found is None or found.next is None:
            raise LogError(number, "this lesson has changed")
        stage = found.next
    return stage


def judge_action(lesson: Lesson, stage: Stage, action: Action) -> Verdict:
    """Play an action on a copy and return what is to be said of it; may search as ``Title.spell_out`` does.

    Raises:
        RuleError: the rules refuse it, in their own words.
    """
    step, game = lesson.step[stage.step], stage.game
    done = game.play(stage.seat, action)
    comment = next((each for each in (*step.accept, *step.answer) if _fits(each, done, action)), None)
    after = _go_on(lesson, stage, done.game) if comment in step.accept else None
    return Verdict(fill_in(comment.say, done, action) if comment else "", _word(done), done.action, comment, after)


def _go_on(lesson: Lesson, stage: Stage, game: Game) -> Stage:
    """Return where the learner goes on after a right action and what the others do."""
    told: list[str] = []
    for line in lesson.step[stage.step].then:
        entry = _read_entry(lesson.game, line)
        played = game.play(entry.seat, entry.action)
        told += _word(played)
        game = played.game
    game, others = _play_others(lesson, game, stage.seat)
    after = Stage(game, (*told, *others), stage.seat, stage.step)
    verbs = {action.verb for action in game.legal(stage.seat)}
    if verbs.intersection(lesson.step[stage.step].lasts):
        return after
    for number in range(stage.step + 1, len(lesson.step)):
        step = lesson.step[number]
        if step.position is not None:
            return _replay_start(lesson.game, lesson.number, number)
        if not step.lasts or verbs.intersection(step.lasts):
            return replace(after, step=number)
    return replace(after, step=len(lesson.step))


def _fits(comment: Comment, done: Played, action: Action) -> bool:
    """Return whether a comment is for an action, as said or as played, and for what followed."""
    if not any(matches(comment.action, write_action(each)) for each in (action, done.action)):
        return False
    name, *fields = comment.fact.split() or [""]
    wanted = dict(field.split("=", 1) for field in fields)
    return not name or any(
        type(event).__name__ == name
        and all(_fits_word(value, str(getattr(event, field))) for field, value in wanted.items())
        for event in done.events
    )


def matches(pattern: str, words: str) -> bool:
    """Return whether the words of an action fit a pattern."""
    wanted = pattern.split(" ")
    said = words.split(" ", len(wanted) - 1) if wanted[-1] == "*" else words.split(" ")
    return len(said) >= len(wanted) - (wanted[-1] == "*") and all(
        _fits_word(each, word) for each, word in zip(wanted, said, strict=False)
    )


def _fits_word(pattern: str, word: str) -> bool:
    """Return whether a word fits ``*``, alternatives, a range or a literal."""
    span = _RANGE.fullmatch(pattern)
    if span is not None:
        return word.isdecimal() and int(span[1] or 0) <= int(word) <= int(span[2] or word)
    return pattern == "*" or word in pattern.split("|")


def fill_in(text: str, done: Played, action: Action) -> str:
    """Return a text with the fields of the action, ``{amount}``, and of what followed, ``{PriceMoved.after}``.

    Raises:
        AttributeError, KeyError: there is no such field, or no such event followed.
    """
    facts: dict[str, Event] = {}
    for event in done.events:
        facts.setdefault(type(event).__name__, event)

    def fill(found: re.Match[str]) -> str:
        source: Any = facts[found[1]] if found[2] else action
        return str(getattr(source, found[2] or found[1]))

    return _PLACE.sub(fill, text)
