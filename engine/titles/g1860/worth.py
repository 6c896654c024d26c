"""What a player is worth, the final score, and what the story of a game is told from."""

from engine.finance.advice import find_run, list_share_payments
from engine.finance.holdings import make_result, note_round
from engine.finance.reporter import Conversion, ShareGame
from engine.record import Event
from engine.title import Flow, Ran, Result, Score, Story
from engine.titles.g1860.catalogue import PRIVATES, UNITS
from engine.titles.g1860.events import (
    AuctionWon,
    PrivateBought,
    PrivateExchanged,
    PrivateSold,
    PrivatesPaid,
    WentBankrupt,
)
from engine.titles.g1860.running.search import search_best_plan
from engine.titles.g1860.state import CLOSED, Company, State
from engine.titles.g1860.steps import running

REASONS = {
    "bank": "the bank has run out",
    "stock_market": "a share price reached the top of the market",
    "nationalization": "British Rail has closed the last companies",
    "manually_ended": "the table agreed to end it",
    "hundredth_round": "the hundredth stock round was played",
    "standstill": "no company can run, and no player can buy or sell",
}
"""Why a game ends, in words, by what logs have."""
OWN_PRIVATES = "private companies"
"""What stands for all of them where payments are told by company."""


def find_holding_worth(s: State, company: Company, seat: int) -> int:
    """Return the value of a player's shares in one company; half without a train, rounded down.

    Each share is rounded as in a sale, or each certificate (differences 67).
    """
    held = company.shares[seat]
    each = find_share_worth(s, company)
    if held and each < company.price and company.director == seat and not s.rules.shares_halved_one_by_one:
        return company.price + (held - 2) * each
    return held * each


def find_share_worth(s: State, company: Company) -> int:
    """Return the value of one ordinary share at the end."""
    unoperated = s.rules.full_price_in_score and s.rules.full_price and not company.operated
    return company.price if company.trains or unoperated else company.price // 2


def list_parts(s: State, seat: int) -> tuple[tuple[str, int], ...]:
    """Return a player's worth by cash, privates and shares; company credits count for no one."""
    privates = sum(PRIVATES[code].price for code, owner in s.privates.items() if owner == seat)
    privates += sum(
        PRIVATES[code].price for code, owner in s.turned_over if owner == seat and s.privates[code] == CLOSED
    )
    shares = sum(find_holding_worth(s, company, seat) for company in s.companies.values())
    return (("cash", s.cash[seat]), ("privates", privates), ("shares", shares))


def find_total(s: State, seat: int) -> int:
    """Return a player's worth in pounds."""
    return sum(value for _, value in list_parts(s, seat))


def list_totals(s: State) -> tuple[int, ...]:
    """Return what each seat is worth, in pounds."""
    return tuple(find_total(s, seat) for seat in range(s.seats))


def mark_round_end(s: State) -> None:
    """Note worth and prices at the end of a round, for the chart."""
    note_round(s, list_totals(s), (company for company in s.companies.values() if company.started))


def find_result(s: State) -> Result | None:
    """Return the scores from first to last once the game is over (The End of the Game)."""
    scores = (Score(seat, find_total(s, seat), list_parts(s, seat)) for seat in range(s.seats))
    return make_result(s, scores, REASONS, UNITS)


def _list_share_payments(event: Event) -> list[Flow]:
    """Return what players paid and got for shares and privates; a share for a private company cost what that did."""
    if isinstance(event, AuctionWon):
        return [Flow(event.seat, "", -event.amount)] if event.amount else []
    if isinstance(event, PrivateBought):
        return [Flow(event.seat, OWN_PRIVATES, -event.price)]
    if isinstance(event, PrivateSold):
        return [Flow(event.seat, OWN_PRIVATES, event.price)]
    if isinstance(event, PrivatesPaid):
        return [Flow(event.seat, OWN_PRIVATES, event.amount)]
    if isinstance(event, PrivateExchanged):
        price = PRIVATES[event.private].price
        return [Flow(event.seat, OWN_PRIVATES, price), Flow(event.seat, event.company, -price)]
    return list_share_payments(event)


def _list_worth(s: State, seat: int) -> list[tuple[str, int]]:
    """Return what the shares of a seat count at the end, by company, and its private companies."""
    privates = dict(list_parts(s, seat))["privates"]
    shares = [
        (company.code, find_holding_worth(s, company, seat)) for company in s.companies.values() if company.shares[seat]
    ]
    return [*shares, *[(OWN_PRIVATES, privates)] * bool(privates)]


def _find_best_run(s: State) -> Ran | None:
    """Return the best run of the company that acts, of those found at a glance."""
    code = s.operating.code
    now = running.make_current_problem(s, s.companies[code])
    found = None if now is None else search_best_plan(now, running.GLANCE_TRIES)
    return None if found is None else Ran(code, found.plan.revenue, found.plan.subsidy, found.exact)


STORY: Story[State] = Story(
    flows=_list_share_payments,
    ran=find_run,
    best=_find_best_run,
    worth=_list_worth,
)


REPORTED = ShareGame(
    UNITS,
    flows=_list_share_payments,
    convert=lambda _s, event: Conversion(event.company, void=True) if isinstance(event, WentBankrupt) else None,
    worth=lambda s, code, seat: find_holding_worth(s, s.companies[code], seat),
    worth_each=lambda s, code: find_share_worth(s, s.companies[code]),
    list_trains=lambda company: company.trains,
    find_exchange=lambda event: (
        (event.seat, event.company, PRIVATES[event.private].price) if isinstance(event, PrivateExchanged) else None
    ),
)
