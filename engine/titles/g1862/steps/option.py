"""Redeeming an option share, or giving it up (14.2 d)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import share_merge
from engine.titles.g1862.actions import Option
from engine.titles.g1862.rounds.records import Merging
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import State


class Plan(Record, frozen=True):
    """A decision about the open option."""

    redeem: bool


def _merging(s: State) -> Merging:
    merging = s.operating.merging
    assert merging is not None
    return merging


def options(s: State, seat: int) -> Iterator[Option]:
    """Yield both choices; who cannot pay is not asked."""
    del seat
    if share_merge.purse(s, _merging(s)) >= _merging(s).redeem:
        yield Option("redeem")
    yield Option("sell")


def check(s: State, seat: int, action: Option) -> Plan:
    """Check a decision."""
    del seat
    m = _merging(s)
    money = share_merge.purse(s, m)
    if action.choice == "redeem" and money < m.redeem:
        raise RuleError(f"Redeeming costs £{m.redeem}; there is £{money}.", rule("14.2"))
    return Plan(action.choice == "redeem")


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Carry the decision out."""
    if plan.redeem:
        share_merge.redeem(s, _merging(s), tell)
    else:
        share_merge.give_up(s, _merging(s), tell)
