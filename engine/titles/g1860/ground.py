"""What lies on the board, in the form the track and running rules want it."""

from msgspec.structs import replace

from engine.rails.reach import Bases, bases_of
from engine.titles.g1860.state import Company, State, Ways
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


def look(s: State, code: str) -> None:
    """Note on 18xx.games that a company has had its turn, and has looked at its ways (differences 80)."""
    if s.rules.site:
        s.ways = replace(s.ways, looked=tuple(sorted({*s.ways.looked, code})))


def decline(s: State, code: str) -> None:
    """Note on 18xx.games that a company could have built a base and did not: it is asked again (differences 80)."""
    if s.rules.site:
        s.ways = replace(s.ways, declined=tuple(sorted({*s.ways.declined, code})))


def hide(s: State, code: str) -> None:
    """Note that whoever has looked on 18xx.games does not see the home base of a company (differences 80)."""
    s.ways = replace(s.ways, unseen=(*s.ways.unseen, *((who, code) for who in s.ways.looked)))


def forget(s: State) -> None:
    """Note that a tile or a base has been built: 18xx.games forgets the ways it has looked for."""
    s.ways = Ways()


def unseen(s: State, company: Company) -> tuple[str, ...]:
    """Return whose home base a company may not see on 18xx.games (differences 80)."""
    return tuple(code for who, code in s.ways.unseen if who == company.code)
