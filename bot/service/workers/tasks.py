"""What the rules are asked, each question a task of a worker."""

from collections.abc import Mapping
from itertools import islice

from bot.service.changes import has_marks, with_changes
from bot.service.records import Choice
from bot.service.seating import since_last_turn
from bot.service.standing import Facts, facts
from bot.service.workers.held import Held, Task
from bot.service.workers.proof import TipRow, tip_rows, tips_of
from engine import Action, Game, Record, Redo, Request, RuleError, Said, Setup, Undo
from engine.codec import decode_action, encode_action, encode_said
from engine.title import named
from engine.view import AnyView, View
from engine.words import WordingError, completions, decline, spoken, understand


class Wish(Record, frozen=True):
    """A move that somebody wishes to make.

    Args:
        seats: that may make it; the first that can does.
        names: of the players, for what is told.
        verb, words: as typed, or empty. action: JSON, where nothing was typed.
        adviser, tips: for whom shorthand means the move its button tells of, and which.
    """

    seats: tuple[int, ...]
    names: tuple[str, ...]
    verb: str = ""
    words: Mapping[str, str] = {}
    action: bytes = b""
    adviser: int = -1
    tips: tuple[TipRow, ...] = ()


class Made(Record, frozen=True):
    """A move that can be made: by which seat, its entry of the log, what is told of it and where it leads."""

    seat: int
    said: bytes
    told: tuple[str, ...]
    facts: Facts


class Back(Record, frozen=True):
    """Take moves back until ``to`` are in force; with ``None`` bring back what the last undo took."""

    seat: int
    to: int | None


class Asked(Record, frozen=True):
    """A parameter of a verb whose values are asked for, given the words so far; ``names`` of the players."""

    seats: tuple[int, ...]
    verb: str
    words: Mapping[str, str]
    parameter: str
    names: tuple[str, ...] = ()


class Seen(Record, frozen=True):
    """A picture to be looked at: now or ``at`` so many moves, with what is new ``since`` so many.

    Where ``since`` is ``None``, what is new since the viewer's last turn.
    """

    request: Request
    at: int | None = None
    since: int | None = None


def _facts(held: Held, _: None) -> Facts:
    return facts(held.game)


def _dealt(_: None, setup: Setup) -> Facts:
    return facts(Game.new(setup))


def _made(held: Held, wish: Wish) -> Made:
    """Try a move for each seat that may make it; the refusal of the last one counts."""
    for seat in wish.seats[:-1]:
        try:
            return _made_by(held, wish, seat)
        except (RuleError, WordingError):
            continue
    return _made_by(held, wish, wish.seats[-1])


def _made_by(held: Held, wish: Wish, seat: int) -> Made:
    game = held.game
    action = _meant(held, wish, seat)
    played = game.play(seat, action)
    said = played.game.log[-1]
    held.tried(said, played.game)
    told = tuple(game.title.say(event, wish.names) for event in played.events)
    return Made(seat, encode_said(said), told, facts(played.game))


def _meant(held: Held, wish: Wish, seat: int) -> Action:
    """Return the action of a wish, shorthand as its button tells it."""
    title = held.game.title
    if wish.action:
        action = decode_action(title.id, wish.action)
    else:
        action = understand(title.actions, wish.verb, wish.words, held.legal(seat))
    tips = tips_of(title.id, wish.tips) if seat == wish.adviser else ()
    return next((tip.action for tip in tips if tip.short == action), action)


def _taken_back(held: Held, back: Back) -> Facts:
    seat, game = back.seat, held.game
    after = game.redo(seat) if back.to is None else game.undo(seat, back.to)
    held.tried(Said(seat, Redo() if back.to is None else Undo(back.to)), after)
    return facts(after)


def _legal(held: Held, seats: tuple[int, ...]) -> list[bytes]:
    return [encode_action(action) for seat in seats for action in held.legal(seat)]


def _only(held: Held, seat: int) -> bytes:
    """Return the pass of a seat that can do nothing else; b"" where there is a choice."""
    game = held.game
    legal = islice(game.title.legal(game.state, seat), 2) if seat in game.actors else ()
    found = [*legal]
    return encode_action(found[0]) if found == [decline(game.title.actions)] else b""


def _completed(held: Held, asked: Asked) -> list[Choice]:
    """Return the legal values of a parameter, in words."""
    legal = [action for seat in asked.seats for action in held.legal(seat)]
    label, state, name = held.game.title.label, held.game.state, asked.parameter
    found = completions(legal, asked.verb, asked.words, name)
    return [Choice(spoken(action)[name], named(label(state, action, name), asked.names)) for action in found]


def _tips(held: Held, seat: int) -> tuple[TipRow, ...]:
    return tip_rows(held.game.tips(seat))


def _seen(held: Held, seen: Seen) -> View:
    """Look at a position, and mark what is new in it."""
    game, request = held.game, seen.request
    then = game if seen.at is None else held.at(seen.at)
    view = then.look(request)
    since = since_last_turn(then, request.seat) if seen.since is None else min(seen.since, len(then.line))
    if not has_marks(view) or since in (0, len(then.line)):
        return view
    words = "new" if request.seat is None or seen.since is not None else "new since your last turn"
    return with_changes(held.at(since).look(request), view, words)


def _subjects(held: Held, kind: str) -> list[tuple[str, str]]:
    return [(value, words) for value, words in held.game.title.subjects(held.game.state, kind)]


STAND = Task("stand", _facts, None, Facts, lane="moves")
DEAL = Task("deal", _dealt, Setup, Facts, lane="moves")
PLAY = Task("play", _made, Wish, Made, lane="moves")
BACK = Task("back", _taken_back, Back, Facts, lane="moves")
LEGAL = Task("legal", _legal, tuple[int, ...], list[bytes])
ONLY = Task("only", _only, int, bytes)
COMPLETE = Task("complete", _completed, Asked, list[Choice])
TIPS = Task("tips", _tips, int, tuple[TipRow, ...], lane="searches", rank=1)
LOOK = Task("look", _seen, Seen, AnyView)
SUBJECTS = Task("subjects", _subjects, str, list[tuple[str, str]])
