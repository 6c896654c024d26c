"""Flotation: capital, marker, home base, home tile; and the layers (4.15, 5)."""

from engine.finance import chain
from engine.finance.events import CompanyFloated
from engine.title import Tell
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.events import BasePlaced, HomeNotPlaced, LayerOpened
from engine.titles.g1860.state import Company, State

LAST_LAYER = 4

TO_FLOAT = 5
"""Shares that must be sold for a company to float (5.1)."""


def settle(s: State, company: Company, tell: Tell) -> None:
    """Float a company of which players hold half (5.1), and open layers that follow."""
    if company.started and not company.floated and sum(company.shares) >= TO_FLOAT:
        _float(s, company, tell)
    open_layers(s, tell)


def _float(s: State, company: Company, tell: Tell) -> None:
    company.floated, company.bankrupt = True, False
    assert company.par is not None
    capital = 10 * company.par
    company.cash += capital
    if company.cell is None:
        chain.place(s, company, MARKET.prices, company.par)
    else:
        company.cell = max(1, company.cell)  # its price may have fallen to 0 since its par (differences 83)
        chain.restack(s, company)
    tell(CompanyFloated(company.code, capital))
    if not company.home_placed:
        _place_home(s, company, tell)
    elif not s.rules.unfitting_home_tile_skipped and not s.stopped:
        _ask_for_home_tile(s, company)  # once more for one that was bankrupt (differences 20)


def _place_home(s: State, company: Company, tell: Tell) -> None:
    """Place the home base; its director lays a tile there if the hex has no track (5.3, 5.4)."""
    if s.stopped:
        tell(HomeNotPlaced(company.code))
        return
    company.home_placed = True
    company.unplaced -= 1
    company.bases.insert(0, company.charter.home)
    tell(BasePlaced(company.code, company.charter.home[0], 0))
    _ask_for_home_tile(s, company)


def _ask_for_home_tile(s: State, company: Company) -> None:
    if not s.board.tile(company.charter.home[0]).track:
        s.stock.homes.append(company.code)


def open_layers(s: State, tell: Tell) -> None:
    """Open the next layer when a company of this one has operated or sold out (4.15)."""
    while s.layer < LAST_LAYER:
        layer = [company for company in s.companies.values() if company.charter.layer == s.layer]
        if not any(company.operated or company.ipo == 0 for company in layer):
            return
        s.layer += 1
        tell(LayerOpened(s.layer))
