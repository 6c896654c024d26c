"""Which version of the rules a log was played under, where the log does not say it."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.errors import LogError, RuleError
from engine.game import Game
from engine.log import Said
from engine.setup import Setup

UNTOLD = 1
"""What both 0.1 and 0.2 wrote."""
READINGS = (3, 2)
"""As 0.2 played and as 0.1 did, in the order in which they are tried; see ``engine.setup.RULES``."""


def replay_as_written(setup: Setup, log: Sequence[Said]) -> Game:
    """Play a log again under the version of the rules that plays it whole; its set-up then says which.

    Raises:
        RuleError: the set-up is refused.
        LogError: an action breaks a rule; of several readings, under the one that gets furthest.
    """
    if setup.rules != UNTOLD:
        return Game.replay(setup, log)
    refusals = []
    for rules in READINGS:
        try:
            return Game.replay(replace(setup, rules=rules), log)
        except LogError as refusal:
            refusals.append(refusal)
    raise max(refusals, key=lambda refusal: refusal.index)


def as_written(setup: Setup, log: Sequence[Said]) -> Setup:
    """Return a set-up with the version of the rules that plays its log whole, as 0.2 played where none does."""
    if setup.rules != UNTOLD:
        return setup
    try:
        return replay_as_written(setup, log).setup
    except (RuleError, LogError):
        return replace(setup, rules=READINGS[0])
