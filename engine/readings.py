"""Which version of the rules a log was played under, where the log does not say it."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from engine.errors import LogError
from engine.game import Game
from engine.log import Said
from engine.setup import Setup

T = TypeVar("T")
UNTOLD = 1
"""What both 0.1 and 0.2 wrote."""
READINGS = (3, 2)
"""As 0.2 played and as 0.1 did, in the order in which they are tried; see ``engine.setup.RULES``."""


def replay_as_written(setup: Setup, log: Sequence[Said]) -> Game:
    """Play a log again under the version of the rules that plays it whole; its set-up then says which.

    Raises:
        RuleError, LogError: see ``play_as_written``.
    """
    return play_as_written(setup, lambda told: Game.replay(told, log))


def play_as_written(setup: Setup, play: Callable[[Setup], T]) -> T:
    """Return what plays a log whole, under the version of the rules with which it succeeds.

    Raises:
        RuleError: the set-up is refused.
        LogError: an action breaks a rule; of several readings, under the one that gets furthest.
    """
    if setup.rules != UNTOLD:
        return play(setup)
    refusals = []
    for rules in READINGS:
        try:
            return play(replace(setup, rules=rules))
        except LogError as refusal:
            refusals.append(refusal)
    raise max(refusals, key=lambda refusal: refusal.index)
