"""Flotation: when half the shares have left, capital, and the first markers (5.6)."""

from engine.finance import chain
from engine.finance.events import CompanyFloated
from engine.title import Tell
from engine.titles.g1862 import bank
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.events import MarkersBought
from engine.titles.g1862.rounds.records import Stock
from engine.titles.g1862.state import TO_FLOAT, Company, State

CHARTERED_MARKERS = 3
CHARTERED_COST = 180
MARKER_COST = 40
FEWEST_MARKERS = 2
CAPITAL_SHARES = 10
SEVEN = 7
"""Markers of a company without the variant of eight (23.4)."""


def settle(s: State, company: Company, tell: Tell) -> None:
    """Float a company as soon as five shares have left the IPO or its treasury.

    Without a director it has the fewest markers, or in a stock round whoever acts for it chooses (5.6).
    """
    if company.floated or not company.started or company.ipo + company.treasury > TO_FLOAT:
        return
    company.floated = True
    company.obliged = -1
    if company.chartered:
        capital = CAPITAL_SHARES * (company.par or 0)
        tell(CompanyFloated(company.code, capital))
        bank.pay(s, company, capital, tell)
        buy_markers(company, CHARTERED_MARKERS, CHARTERED_COST, tell)
        if s.rules.chartered_marker_waits:
            chain.place(s, company, MARKET.prices, company.par or 0)
        return
    tell(CompanyFloated(company.code, 0))
    if company.director < 0 and not (s.rules.receivership_markers_chosen and isinstance(s.round, Stock)):
        buy_markers(company, FEWEST_MARKERS, FEWEST_MARKERS * MARKER_COST, tell)
    elif isinstance(s.round, Stock):
        s.round.choosing = company.code


def buy_markers(company: Company, count: int, cost: int, tell: Tell) -> None:
    """Buy the first station markers, the home marker among them."""
    company.cash -= cost
    company.unplaced = count
    tell(MarkersBought(company.code, count, cost))


def most_markers(s: State, company: Company) -> int:
    """Return how many markers a company that was not chartered can buy (5.6, 23.4)."""
    most = s.rules.markers if s.rules.eighth_marker_at_start else SEVEN
    return min(most, company.cash // MARKER_COST)
