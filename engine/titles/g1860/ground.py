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
    """Return trains with the table's way of counting stops (differences 24, 70)."""
    rules = s.rules
    re_enter = rules.re_enter or not rules.upgrades_reached_without_re_entry
    return Fleet(trains, rules.skip_towns, re_enter, apart=not rules.towns_take_city_places)
