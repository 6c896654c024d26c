"""What most would do right after a move of a company, so that one press can do both."""

from bot.service.workers.held import Held, Task
from engine import Action, Game, Record, RuleError
from engine.codec import decode_action, encode_action
from engine.words import decline

MOST_PARTS = 2
"""Parts of the words of the second move that are told with those of the first."""


class FollowUp(Record, frozen=True):
    """A second move of the same turn, and what is added to the words of the first."""

    action: Action
    words: str


class AfterThat(Record, frozen=True):
    """A seat and a move of it, JSON, after which the second one is looked for."""

    seat: int
    action: str


def follow_up(game: Game, seat: int, action: Action) -> FollowUp | None:
    """Return what most would do after a move of a company, in the same turn: pay what it ran for, buy no more.

    ``None`` where the move cannot be made, the turn is over with it, or what comes next is no matter of course.
    """
    company = game.ask().company
    if not company:
        return None
    try:
        after = game.play(seat, action).game
    except RuleError:
        return None
    asked = after.ask()
    if asked.company != company or asked.seats[:1] != (seat,):
        return None
    if action.verb in game.title.open_verbs:
        return next((FollowUp(tip.action, _then(tip.label)) for tip in after.tips(seat)), None)
    return _no_more(after, seat) if asked.kind == game.ask().kind else None


def _then(label: str) -> str:
    """Return the words of a move as those of a second one."""
    return f", then {label[:1].lower()}{' · '.join(label[1:].split(' · ')[:MOST_PARTS])}"


def _no_more(after: Game, seat: int) -> FollowUp | None:
    no = decline(after.title.actions)
    try:
        return None if no is None else FollowUp(after.play(seat, no).action, ", and no more")
    except RuleError:
        return None


def _after_that(held: Held, asked: AfterThat) -> str:
    """Return the second move as JSON; empty if there is none."""
    found = follow_up(held.game, asked.seat, decode_action(held.game.setup.title, asked.action))
    return "" if found is None else encode_action(found.action).decode()


FOLLOW_UP = Task("follow-up", _after_that, AfterThat, str)
