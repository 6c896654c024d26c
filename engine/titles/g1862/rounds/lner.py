"""The LNER, which brings the end (22.2)."""

from engine.title import Tell
from engine.titles.g1862.events import LnerFormed
from engine.titles.g1862.state import State


def form(s: State, tell: Tell) -> None:
    """Form the LNER: the IPO is emptied, unstarted companies go, the certificate limit rises."""
    s.lner, s.lner_due = True, False
    for company in s.companies.values():
        if company.started:
            company.pool += company.ipo
            company.ipo = 0
        else:
            company.gone = True
    s.limit = max(sum(company.shares[seat] for company in s.companies.values()) for seat in range(s.seats))
    tell(LnerFormed(s.limit))
