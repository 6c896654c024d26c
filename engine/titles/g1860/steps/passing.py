"""Passing, and saying that a step is done (2.2, 4.1, 6.36)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import certificate, operating
from engine.finance.actions import Pass
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Auction, Operating, State, Stock
from engine.titles.g1860.steps import bidding, dealing, selling, trains
from engine.titles.g1860.track import home_lays


class Plan(Record, frozen=True):
    """A pass of a seat."""

    seat: int


def refused(s: State, seat: int) -> str:
    """Return why a player may not pass now, or nothing."""
    r = s.round
    if isinstance(r, Auction):
        return "You won the auction; choose a lot." if r.won else ""
    if isinstance(r, Stock):
        if r.homes:
            if not any(True for _ in home_lays(s.board, s.companies[r.homes[0]].charter.home[0])):
                return ""  # a table that skips the tile is not asked (5.3)
            return f"{r.homes[0]} has floated; lay its home tile."
        if dealing.over(s, seat) and any(selling.options(s, seat)):
            return certificate.too_many(s.certificates(seat), dealing.limit(s))
        return ""
    return _refused_step(s, r)


def _refused_step(s: State, r: Operating) -> str:
    """Return why a step of a company's turn may not be passed."""
    company = s.companies[r.code]
    if r.step == "discard":
        return f"{r.code} has {len(company.trains)} trains; {s.limit} are allowed. Give one back."
    if r.step == "run":
        return f"{r.code} must run its trains."
    if r.step == "dividend":
        return "Pay out or keep."
    if r.step == "train" and trains.must_buy(s, company):
        return f"{r.code} has no train and can pay for one, so it must buy."
    return ""


def options(s: State, seat: int) -> Iterator[Pass]:
    """Yield the pass, where it may be said."""
    if not refused(s, seat):
        yield Pass()


def check(s: State, seat: int, action: Pass) -> Plan:
    """Check a pass."""
    del action
    why = refused(s, seat)
    if why:
        raise RuleError(why, rule(_SECTIONS.get(s.round.step if isinstance(s.round, Operating) else "", "4.14")))
    return Plan(seat)


_SECTIONS = {"discard": "6.34", "run": "6.17", "dividend": "6.27", "train": "6.36"}


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Pass."""
    from engine.titles.g1860.rounds import stock  # noqa: PLC0415 - the course of the round stands above the steps

    r = s.round
    if isinstance(r, Auction):
        bidding.drop_out(s, plan.seat, tell)
    elif isinstance(r, Stock) and r.homes:
        r.homes.pop(0)
    elif isinstance(r, Stock):
        stock.pass_turn(s, plan.seat, tell)
    else:
        operating.decline(r, DECLINES, tell)


DECLINES = {"track": ("lays", "track"), "base": ("builds", "base"), "train": ("buys", "train")}
"""What a company does not do where its director passes, by step."""
