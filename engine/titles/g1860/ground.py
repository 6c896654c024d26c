"""What lies on the board, in the form the track and running rules want it."""

from engine.rails.reach import Bases, bases_of
from engine.titles.g1860.state import State
from engine.titles.g1860.trace import Fleet


def bases(s: State) -> Bases:
    """Return who stands where; the bases of a bankrupt company are flipped (8.1)."""
    return bases_of((company.code, company.bases, company.bankrupt) for company in s.companies.values())


def waiting(s: State) -> list[str]:
    """Return the companies whose home base is not on the board, started or not (6.15)."""
    return [company.code for company in s.companies.values() if not company.home_placed]


def fleet_rules(s: State, trains: tuple[tuple[int, int], ...]) -> Fleet:
    """Return trains with the table's way of counting stops.

    18xx.games lets a train come twice to the hex that is being upgraded, and
    keeps towns apart from cities (differences 70).
    """
    return Fleet(trains, s.rules.skip_towns, s.rules.re_enter or s.rules.site, apart=s.rules.site)
