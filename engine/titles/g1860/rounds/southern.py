"""The Southern Railway, nationalisation and the closing of companies (9)."""

from engine.title import Tell
from engine.titles.g1860.events import CompanyClosed, Nationalised
from engine.titles.g1860.state import Company, State


def check(s: State, tell: Tell) -> None:
    """Nationalise at the end of a round once every company with a director has a train (9.3)."""
    if not s.formed or s.nationalised:
        return
    for company in s.companies.values():
        waits = company.started and company.director >= 0 and (s.rules.waiting_block or company.floated)
        if waits and not company.trains:
            return
    s.nationalised = True
    s.stopped = s.stopped or s.rules.nationalisation_stops_building  # without a stock round in between (9.2)
    tell(Nationalised())


def close_lowest(s: State, tell: Tell) -> bool:
    """Close the companies that earned least after an operating round; tell whether the game ends (9.7).

    All with the lowest revenue; if that is one company, all with the next
    lowest too. With two or fewer left all close.
    """
    r = s.operating
    left = [company for company in s.companies.values() if company.running]
    earned = {company.code: r.earned.get(company.code, 0) for company in left}
    if len(left) <= 2:
        _close(left, earned, tell)
        return True
    levels = sorted(set(earned.values()))
    closing = [company for company in left if earned[company.code] == levels[0]]
    if len(closing) == 1:
        closing += [company for company in left if earned[company.code] == levels[1]]
    _close(closing, earned, tell)
    return len(closing) == len(left)


def _close(companies: list[Company], earned: dict[str, int], tell: Tell) -> None:
    for company in companies:
        company.closed = True
        tell(CompanyClosed(company.code, earned[company.code]))
