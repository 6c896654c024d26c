"""What players are worth, in between and at the end (22.4)."""

from engine.finance.show import RoundEnd
from engine.title import Result, Score
from engine.titles.g1862.catalogue import UNITS
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State

REASONS = {
    "bank": "the bank has run out",
    "stock_market": "a share price reached the top",
    "lner": "the last rounds after the LNER are over",
    "manually_ended": "the table ended it",
    "standstill": "no company runs and nobody can buy or start anything any more",
}
"""Why a game ends, in words, by what logs have."""


def holding(s: State, company: Company, seat: int) -> int:
    """Return what a player's shares of a company are worth, at half price without a train.

    18xx.games halves each certificate, so the director's is worth half of
    three shares rounded once (differences 7).
    """
    held = company.shares[seat]
    if not s.rules.site or company.trains or company.director != seat:
        return held * company.effective
    return DIRECTOR_SHARES * company.price // 2 + (held - DIRECTOR_SHARES) * company.effective


def total(s: State, seat: int) -> int:
    """Return cash and shares; what lies in treasuries does not count."""
    return s.cash[seat] + sum(holding(s, company, seat) for company in s.companies.values())


def totals(s: State) -> tuple[int, ...]:
    """Return what each seat is worth."""
    return tuple(total(s, seat) for seat in range(s.seats))


def mark(s: State) -> None:
    """Note worth and prices at the end of a round, for the chart and the market."""
    prices = tuple((company.code, company.price) for company in s.companies.values() if company.cell is not None)
    s.marks = [*s.marks, RoundEnd(s.name, totals(s), prices)]


def result(s: State) -> Result | None:
    """Return the final result, ``None`` while the game goes on."""
    if not s.over:
        return None
    scores = []
    for seat in range(s.seats):
        parts = [("cash", s.cash[seat])]
        parts += [(company.code, worth) for company in s.companies.values() if (worth := holding(s, company, seat))]
        scores.append(Score(seat, total(s, seat), tuple(parts)))
    scores.sort(key=lambda score: (-score.total, score.seat))
    winners = tuple(score.seat for score in scores if score.total == scores[0].total)
    return Result(s.over, tuple(scores), winners, REASONS[s.over], UNITS.currency)
