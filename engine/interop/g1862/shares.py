"""The certificates of a game of 1862, as its files on 18xx.games name them."""

from collections.abc import Mapping

from engine.interop.certificates import Certificates
from engine.titles.g1862.catalogue import CHARTERS
from engine.titles.g1862.state import DIRECTOR_SHARES, IPO, POOL, Company, State
from engine.titles.g1862.steps import buying

COUNT = 8
TREASURY = -3
OWNERS: Mapping[buying.Source, int] = {"ipo": IPO, "pool": POOL, "treasury": TREASURY}
"""Who has the certificates of each place they are bought from."""


def unsold() -> Certificates:
    """Return the certificates of all companies before the first is sold."""
    return Certificates(CHARTERS, COUNT, IPO)


def settle(known: Certificates, s: State) -> None:
    """Note where the certificates lie now; of those that are alike the lowest have moved."""
    for code, company in s.companies.items():
        lying = {IPO: company.ipo, POOL: company.pool, TREASURY: company.treasury}
        known.settle(code, company.director, {**lying, **dict(enumerate(company.shares))}, DIRECTOR_SHARES)


def source(known: Certificates, company: Company, share: str) -> buying.Source:
    """Return where a certificate that is bought lies; where something lies at all, if we had it elsewhere."""
    places = [place for place in buying.SOURCES if buying.lying(company, place) > 0]
    guess = next((place for place, owner in OWNERS.items() if owner == known.owner(share)), None)
    return guess if guess and guess in places else next(iter(places), "pool")
