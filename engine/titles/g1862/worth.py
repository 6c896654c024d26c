"""What players are worth, in between and at the end (§10.4), and what the story of a game is told from."""

from engine.finance.advice import find_run, list_payouts, list_share_payments
from engine.finance.holdings import make_result, note_round
from engine.finance.reporter import Conversion, FineStep, ShareGame
from engine.record import Event
from engine.title import Flow, Ran, Result, Score, Story
from engine.titles.g1862 import events as e
from engine.titles.g1862.catalogue import UNITS
from engine.titles.g1862.running.search import find_best_plan
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State
from engine.titles.g1862.steps import running

REASONS = {
    "bank": "the bank has run out",
    "stock_market": "a share price reached the top",
    "lner": "the last rounds after the LNER are over",
    "manually_ended": "the table ended it",
    "hundredth_round": "any game ends in its hundredth Parliament",
    "standstill": "no company can run, and no player can buy or start anything",
}
"""Why a game ends, in words, by what logs have."""


def find_holding_worth(s: State, company: Company, seat: int) -> int:
    """Return what a player's shares of a company are worth, at half price without a train.

    Each share is halved, or the director's certificate as a whole (§10.4).
    """
    held = company.shares[seat]
    if not s.rules.certificate_scores_whole or company.trains or company.director != seat:
        return held * company.effective_price
    return DIRECTOR_SHARES * company.price // 2 + (held - DIRECTOR_SHARES) * company.effective_price


def list_parts(s: State, seat: int) -> tuple[tuple[str, int], ...]:
    """Return a player's worth by cash and companies of which they have something."""
    shares = ((company.code, find_holding_worth(s, company, seat)) for company in s.companies.values())
    return (("cash", s.cash[seat]), *(part for part in shares if part[1]))


def find_total(s: State, seat: int) -> int:
    """Return cash and shares; what lies in treasuries does not count."""
    return s.cash[seat] + sum(find_holding_worth(s, company, seat) for company in s.companies.values())


def list_totals(s: State) -> tuple[int, ...]:
    """Return what each seat is worth."""
    return tuple(find_total(s, seat) for seat in range(s.seats))


def mark_round_end(s: State) -> None:
    """Note worth and prices at the end of a round, for the chart and the market."""
    note_round(s, list_totals(s), (company for company in s.companies.values() if company.cell is not None))


def find_result(s: State) -> Result | None:
    """Return the final result, ``None`` while the game goes on."""
    scores = (Score(seat, find_total(s, seat), list_parts(s, seat)) for seat in range(s.seats))
    return make_result(s, scores, REASONS, UNITS)


def _list_share_payments(event: Event) -> list[Flow]:
    """Return what players paid and got for shares; the bid for a charter is paid for its company."""
    if isinstance(event, e.CharterWon):
        return [Flow(event.seat, event.company, -event.amount)]
    if isinstance(event, e.WentBankrupt):
        return list_payouts(event.company, event.paid)
    if isinstance(event, e.OptionRedeemed):
        return [Flow(event.seat, event.company, -event.amount)]
    if isinstance(event, e.OptionSold | e.SharesCashed):
        return [Flow(event.seat, event.company, event.amount)]
    return list_share_payments(event)


def _find_best_run(s: State) -> Ran | None:
    """Return the best run of the company that acts, of those found at a glance."""
    found = find_best_plan(running.make_problem_now(s), budget=running.GLANCE)
    return Ran(s.operating.code, found.plan.revenue, found.plan.subsidy, found.exact)


STORY: Story[State] = Story(
    flows=_list_share_payments,
    ran=find_run,
    best=_find_best_run,
    worth=lambda s, seat: [
        (company.code, find_holding_worth(s, company, seat)) for company in s.companies.values() if company.shares[seat]
    ],
    merged=lambda event: (event.survivor, event.other) if isinstance(event, e.MergerEnded) else None,
)


def _find_conversion(s: State, event: Event) -> Conversion | None:
    """Return what a fact does to the shares of a company: mergers, refinancing, bankruptcies, failed charters."""
    if isinstance(event, e.MergerEnded):
        return Conversion(event.survivor, event.other)
    if isinstance(event, e.Refinanced):
        return Conversion(event.company)
    if isinstance(event, e.WentBankrupt):
        return Conversion(event.company, void=True, each=s.companies[event.company].effective_price)
    return Conversion(event.company, void=True) if isinstance(event, e.CharterFailed) else None


def _find_fine(event: Event) -> FineStep | None:
    """Return what a fact says of a fine for a charter (§4.3)."""
    if isinstance(event, e.CharterFailed):
        return FineStep(event.seat, event.company, event.fine)
    if isinstance(event, e.FinePaid):
        return FineStep(event.seat, paid=event.amount)
    return FineStep(event.seat) if isinstance(event, e.DebtLapsed) else None


REPORTED = ShareGame(
    UNITS,
    flows=_list_share_payments,
    convert=_find_conversion,
    worth=lambda s, code, seat: find_holding_worth(s, s.companies[code], seat),
    worth_each=lambda s, code: s.companies[code].effective_price,
    list_trains=lambda company: [train.face for train in company.trains],
    find_rust=lambda event: (event.company, event.trains) if isinstance(event, e.TrainsRusted) else None,
    find_fine=_find_fine,
)
