"""What most would do right after a move of a company, so that one press can do both."""

from bot.service.workers.held import Held, Task
from engine import Action, Game, Record, RuleError
from engine.codec import decode_action, encode_action
from engine.words import decline

MOST_PARTS = 2
"""Parts of the words of a move that are told where two moves are."""
MOST_DECLINES = 8


class FollowUp(Record, frozen=True):
    """Moves that follow in the same turn, and what is added to the words of the first."""

    actions: tuple[Action, ...]
    words: str


class AfterThat(Record, frozen=True):
    """A seat and a move of it, JSON, after which the others are looked for."""

    seat: int
    action: str


def follow_up(game: Game, seat: int, action: Action) -> FollowUp | None:
    """Return what most would do after a move of a company, in the same turn: pay what it ran for, or end the turn.

    ``None`` where the move cannot be made, the turn is over with it, or what comes next is no matter of course.
    """
    company = game.ask().company
    try:
        after = game.play(seat, action).game
    except RuleError:
        return None
    if not company or not _goes_on(after, company, seat):
        return None
    if action.verb in game.title.open_verbs:
        tip = next(iter(after.tips(seat)), None)
        return None if tip is None else FollowUp((tip.action,), f", then {_lower(shortened(tip.label))}")
    declines = _to_the_end(after, company, seat)
    return FollowUp(declines, ", then end the turn") if declines else None


def shortened(label: str) -> str:
    """Return the first parts of the words of a move."""
    return " · ".join(label.split(" · ")[:MOST_PARTS])


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _goes_on(game: Game, company: str, seat: int) -> bool:
    ask = game.ask()
    return ask.company == company and ask.seats[:1] == (seat,)


def _to_the_end(game: Game, company: str, seat: int) -> tuple[Action, ...]:
    """Return the declines that end a company's turn; none where one of its steps cannot be declined."""
    no, count = decline(game.title.actions), 0
    while no is not None and _goes_on(game, company, seat):
        count += 1
        if count > MOST_DECLINES:
            return ()
        try:
            game = game.play(seat, no).game
        except RuleError:
            return ()
    return () if no is None else (no,) * count


def _after_that(held: Held, asked: AfterThat) -> list[str]:
    """Return the moves that follow as JSON."""
    found = follow_up(held.game, asked.seat, decode_action(held.game.setup.title, asked.action))
    return [] if found is None else [encode_action(each).decode() for each in found.actions]


FOLLOW_UP = Task("follow-up", _after_that, AfterThat, list[str])
