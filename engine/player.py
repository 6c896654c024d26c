"""The program's player as a table meets it: how well it plays, its temper, and the offers that it does not repeat.

A level says how many decisions in a hundred are made without a thought, and how many are slips. All follows from the
seed, so that the same log and the same manner give the same move.
"""

from collections.abc import Sequence
from typing import Any

from engine.finance.trading import BuyOfShare, SaleOfShares
from engine.finance.trains import RunTrains
from engine.game import Game, LogEntry
from engine.record import Action, Record
from engine.setup import Rng
from engine.thinking import Thought
from engine.title import Replies, Title


class Level(Record, frozen=True):
    """How well the program plays.

    Args:
        at_once, slips: of a hundred decisions, how many it makes without trying moves out, and how many are slips.
        breadth: a slip is one of so many moves that come to mind first.
    """

    at_once: int = 0
    slips: int = 0
    breadth: int = 4


LEVELS = {"beginner": Level(at_once=100, slips=15), "club": Level(at_once=50), "strong": Level()}
TEMPERS = {"even": 0, "steady": -1, "bold": 1}
"""How much more the program likes a chance than what is certain."""


class Manner(Record, frozen=True):
    """How the program plays a seat; the names of a level and a temper."""

    level: str = "strong"
    temper: str = "even"

    @property
    def words(self) -> str:
        """What it is called where it isn't the strongest, "beginner, bold"; empty where it is."""
        plain = Manner()
        return ", ".join(
            word for word, usual in ((self.level, plain.level), (self.temper, plain.temper)) if word != usual
        )


STRONGEST = Manner()


def read_manner(words: str) -> Manner:
    """Return the manner that words name, in any order; what they don't name is as in the strongest."""
    named = words.replace(",", " ").replace("-", " ").split()
    level = next((word for word in named if word in LEVELS), STRONGEST.level)
    return Manner(level, next((word for word in named if word in TEMPERS), STRONGEST.temper))


def think(
    title: Title[Any],
    state: Any,  # noqa: ANN401 - the title's own state
    seat: int,
    rng: Rng,
    tries: int,
    manner: Manner = STRONGEST,
) -> Thought:
    """Return what a title's player does after so many tries; at once if it doesn't think."""
    level = LEVELS[manner.level]
    chance = rng.below(100) if level.at_once or level.slips else 100
    if chance < level.slips + level.at_once and not is_asked(title, state, seat):
        usual = list_usual_moves(title, state, seat, level.breadth) if chance < level.slips else []
        return Thought(rng.choose(usual) if usual else title.advice.choose(state, seat, rng))
    if title.advice.think is None or tries < 1:
        return Thought(title.advice.choose(state, seat, rng))
    return title.advice.think(state, seat, rng, tries, TEMPERS[manner.temper])


def is_asked(title: Title[Any], state: Any, seat: int) -> bool:  # noqa: ANN401 - the title's own state
    """Return whether a seat answers an offer, over which every level thinks: others rely on a fair answer."""
    return title.replies is not None and any(isinstance(move, title.replies.kinds) for move in title.legal(state, seat))


def list_usual_moves(title: Title[Any], state: Any, seat: int, most: int) -> list[Action]:  # noqa: ANN401
    """Return the moves that come to mind first; none where a move is typed freely."""
    legal = list(title.legal(state, seat))
    if any(move.verb in title.open_verbs for move in legal):
        return []
    return list(title.advice.usual(state, seat, legal))[:most]


def think_of_action(game: Game, seat: int, rng: Rng, tries: int, manner: Manner = STRONGEST) -> Thought:
    """Return what the player of a title does after so many tries; at once, where that was no move to make."""
    thought = think(game.title, game.state, seat, rng, tries, manner)
    return settle(game.title.replies, game.list_in_force(), seat, thought) or Thought(choose_action(game, seat, rng))


def settle(replies: Replies | None, played: Sequence[LogEntry], seat: int, thought: Thought) -> Thought | None:
    """Return a thought that repeats no offer that was turned down and undoes no purchase of the same stock round.

    A thought knows the position, not how the game came to it; of the moves that were thought of, the best that does
    neither is made; ``None`` if each does.
    """
    for move in dict.fromkeys((thought.action, *(each.action for each in thought.alternatives))):
        if find_rejection(replies, played, seat, move) is None and find_purchase(played, seat, move) is None:
            return thought if move == thought.action else Thought(move, alternatives=thought.alternatives)
    return None


# --- sales -------------------------------------------------------------------------------


def find_purchase(played: Sequence[LogEntry], seat: int, action: Action) -> LogEntry | None:
    """Return the purchase that a sale would undo: of the same company, since trains last ran."""
    if not isinstance(action, SaleOfShares):
        return None
    for entry in reversed(played):
        if isinstance(entry.action, RunTrains):
            return None
        bought = isinstance(entry.action, BuyOfShare) and entry.action.company == action.company
        if bought and entry.seat == seat:
            return entry
    return None


# --- offers ------------------------------------------------------------------------------
# The books don't limit how often players ask each other, so no title refuses a repeated offer and every log stays
# playable; what accepts moves from people refuses it.

MAX_CHOICES = 50
"""Choices of the seeded player, whose next one is rarely the same."""


def find_rejection(replies: Replies | None, played: Sequence[LogEntry], seat: int, action: Action) -> LogEntry | None:
    """Return the reply by which the very same offer was turned down, if only offers were made and answered since.

    Args:
        replies: those of the title.
        played: the actions in force.
        seat: who would make the offer.
        action: the offer.
    """
    first: LogEntry | None = None
    last: LogEntry | None = None
    if replies is None:
        return None
    for entry in reversed(played):
        if isinstance(entry.action, replies.kinds):
            first, last = entry, last or entry
        elif first is None or last is None or last.action == replies.accept:
            return None
        elif last.action == replies.decline and (entry.seat, entry.action) == (seat, action):
            return first
        else:
            first = last = None
    return None


def choose_action(game: Game, seat: int, rng: Rng) -> Action:
    """Return what the seeded player does, who repeats no offer that was turned down."""
    played = game.list_in_force()
    for _ in range(MAX_CHOICES):
        action = game.title.advice.choose(game.state, seat, rng)
        if find_rejection(game.title.replies, played, seat, action) is None:
            break
    return action
