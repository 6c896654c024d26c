"""The first game of a player: a line that says why, and what a beginner would regret, before it is done.

Why is data, ``data/why.toml`` of a title: a sentence for each kind of question. What would be regretted is found by
trying a move on a copy; where it passes, all others pass after it until the player is asked again.
"""

from functools import cache

from engine.errors import RuleError
from engine.game import Game
from engine.printed import read_data
from engine.record import Action, Record
from engine.words import find_pass


class Why(Record, frozen=True, forbid_unknown_fields=True):
    """A sentence for a kind of question.

    Args:
        kind: ``Ask.kind``, "buy trains". say: the sentence.
        verb: only where the player can do that, if not empty.
    """

    kind: str
    say: str
    verb: str = ""


class _Whys(Record, frozen=True, forbid_unknown_fields=True):
    why: tuple[Why, ...]


@cache
def list_whys(package: str) -> tuple[Why, ...]:
    """Return the sentences of a title; none if it has no such file."""
    return read_data(package, "why.toml", _Whys).why if package else ()


def find_why(game: Game, seat: int) -> str:
    """Return why a player is asked what they are asked now; empty if there is nothing to say."""
    kind, verbs = game.ask(seat).kind, {action.verb for action in game.legal(seat)}
    for each in list_whys(game.title.package):
        if each.kind == kind and (not each.verb or each.verb in verbs):
            return each.say
    return ""


def list_regrets(game: Game, seat: int, action: Action) -> tuple[str, ...]:
    """Return what a beginner would regret of a legal move, a sentence each; "{2}" stands for a player's name."""
    after = game.play(seat, action).game
    no = find_pass(game.title.actions)
    goes_on = after
    for _ in range(2 * game.setup.seats if action == no else 0):
        asked = goes_on.ask()
        if no is None or not asked.seats or seat in asked.seats or asked.kind != game.ask(seat).kind:
            break
        try:
            goes_on = goes_on.play(asked.seats[0], no).game
        except RuleError:
            break
    return tuple(game.title.advice.regrets(game.state, goes_on.state, seat))
