"""Companies and states of no title, for tests of what all games of shares have in common."""

from typing import Any

from engine.finance.state import ShareCompany, ShareState, StockRound


class Company(ShareCompany):
    """A company of ten shares, three of them on its director's certificate."""

    prices = (0, 40, 50, 60, 75, 100)
    certificate = 3


def state(**fields: Any) -> ShareState:  # noqa: ANN401  # of a state
    """Return a state of two players in their first stock round."""
    start = {"seats": 2, "cash": [0, 0], "companies": {}, "depot": {}, "round": StockRound(0), "turn": 1}
    return ShareState(**{**start, **fields})
