"""Swapping a private for a share of its railway (3.4, 3.5, 3.9), or turning it over (12.9)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import directors, flotation
from engine.titles.g1860.actions import ClosePrivate, Exchange
from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.events import PrivateExchanged
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import CLOSED, State
from engine.titles.g1860.steps import dealing
from engine.titles.g1860.steps.private_trading import close, known


class Plan(Record, frozen=True):
    """A private to be given up."""

    seat: int
    private: str


def options(s: State, seat: int) -> Iterator[Exchange]:
    """Yield every exchange that is allowed."""
    if s.rules.variable_privates:
        return
    for code, owner in s.privates.items():
        railway = PRIVATES[code].railway
        if owner == seat and railway and dealing.exchangeable(s, s.companies[railway]):
            yield Exchange(code)


def check(s: State, seat: int, action: Exchange) -> Plan:
    """Check an exchange."""
    code = known(action.private)
    railway = PRIVATES[code].railway
    if s.privates[code] != seat:
        raise RuleError(f"You do not own the {PRIVATES[code].name}.", rule("3.4"))
    if s.rules.variable_privates:
        raise RuleError("With variable revenue privates are not exchanged.", rule("12.9"))
    if not railway:
        raise RuleError(f"{code} is not linked to a railway.", rule("3.4"))
    company = s.companies[railway]
    if not company.started:
        again = " again" if company.bankrupt else ""
        raise RuleError(f"{railway} must be started{again} first.", rule("3.5" if company.bankrupt else "3.4"))
    if not dealing.exchangeable(s, company):
        raise RuleError(
            f"{railway} was bankrupt and has not floated again; its private can be exchanged once players hold half "
            "of it.",
            rule("3.5"),
        )
    return Plan(seat, code)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Take the top certificate of the IPO for the private, which leaves the game."""
    company = s.companies[PRIVATES[plan.private].railway]
    s.privates[plan.private] = CLOSED
    company.reserved = False
    company.ipo -= 1
    company.shares[plan.seat] += 1
    tell(PrivateExchanged(plan.seat, plan.private, company.code))
    directors.settle(s, company, tell)
    flotation.settle(s, company, tell)


def close_options(s: State, seat: int) -> Iterator[ClosePrivate]:
    """Yield every private that may be turned over, with variable revenue only."""
    if s.rules.variable_privates:
        yield from (ClosePrivate(code) for code, owner in s.privates.items() if owner == seat)


def check_close(s: State, seat: int, action: ClosePrivate) -> Plan:
    """Check the closing of a private."""
    code = known(action.private)
    if not s.rules.variable_privates:
        raise RuleError("Players may not close private companies.", rule("3.2"))
    if s.privates[code] != seat:
        raise RuleError(f"You do not own the {PRIVATES[code].name}.", rule("12.9"))
    return Plan(seat, code)


def apply_close(s: State, plan: Plan, tell: Tell) -> None:
    """Turn the private over: no revenue, no certificate; it still counts at the end (12.9)."""
    close(s, plan.private, tell)
    s.turned_over.append((plan.private, plan.seat))
