"""Passing, and saying that a step is done (3.1, 5.1, 8.2, 18.2)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import certificate, operating
from engine.finance.actions import Pass
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import bankruptcy
from engine.titles.g1862.rounds import parliament, stock
from engine.titles.g1862.rounds.records import Operating, Parliament, Stock
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import bidding, dealing, raising, selling, track, trains


class Plan(Record, frozen=True):
    """A pass of a seat."""

    seat: int


def refused(s: State, seat: int) -> tuple[str, str]:
    """Return why a player may not pass now, and the rule; or two empty words."""
    r = s.round
    if isinstance(r, Parliament):
        started = r.winner >= 0 and not s.companies[r.lot].started
        return (f"You won the charter of {r.lot}; choose its par.", "3.4") if started else ("", "")
    if isinstance(r, Stock):
        return _refused_deal(s, r, seat)
    return _refused_step(s, r)


def _refused_deal(s: State, r: Stock, seat: int) -> tuple[str, str]:
    if r.choosing:
        return f"{r.choosing} has floated; choose its station markers.", "5.6"
    if r.fines:
        return f"You owe £{r.fines[0].owed}; sell shares to pay it.", "4.1"
    enough = r.acted and not s.rules.forced_sales_go_on
    if dealing.over(s, seat) and not enough and any(selling.options(s, seat)):
        return certificate.too_many(s.certificates(seat), s.limit), "5.2"
    return "", ""


def _refused_step(s: State, r: Operating) -> tuple[str, str]:
    """Return why a step of a company's turn may not be passed."""
    company = s.companies[r.code]
    if r.offer or r.merging or r.removing or r.step in ("home", "run", "dividend"):
        return "This must be decided; it cannot be passed.", "8.2"
    if r.step == "track" and track.must_build(s):
        if not s.rules.first_build_at_home and r.laid:
            return f"While no tile lies at its home for the home marker, {r.code} must build what it can.", "9.3"
        return f"The first track of {r.code} must give its home marker a place.", "9.3"
    if r.step == "train":
        if r.rescued or trains.must_buy(s, company):
            return f"{r.code} has no train and can pay for one, so it must buy.", "18.1"
        if trains.short(s, company) and not raising.lost(s, company):
            return f"{r.code} has no train; raise the money for one, or buy one from another company.", "18.2"
    return "", ""


def options(s: State, seat: int) -> Iterator[Pass]:
    """Yield the pass, where it may be said."""
    if not refused(s, seat)[0]:
        yield Pass()


def check(s: State, seat: int, action: Pass) -> Plan:
    """Check a pass."""
    del action
    why, section = refused(s, seat)
    if why:
        raise RuleError(why, rule(section))
    return Plan(seat)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Pass; at the train step of a company that can have no train this is its end."""
    r = s.round
    if isinstance(r, Parliament):
        if r.winner >= 0:
            parliament.close_charter(s)
        else:
            bidding.drop_out(s, plan.seat, tell)
    elif isinstance(r, Stock):
        stock.pass_turn(s, plan.seat, tell)
    elif r.step == "train" and not s.companies[r.code].trains:
        bankruptcy.declare(s, s.companies[r.code], tell)
    else:
        operating.decline(r, DECLINES, tell)


DECLINES = {
    "merge": ("proposes", "merger"),
    "track": ("builds", "track"),
    "token": ("places", "marker"),
    "train": ("buys", "train"),
    "redeem": ("redeems", "share"),
    "acquire": ("acquires", "company"),
}
"""What a company does not do where its director passes, by step."""
