"""The course of the operating rounds: whose turn, which step, what needs no decision."""

from collections.abc import Callable

from engine.finance import market
from engine.finance.events import TurnBegan
from engine.finance.rounds import begin_round, do_unless, end_game, next_company, skip_unless, sort_companies
from engine.title import Tell
from engine.titles.g1860 import companies, worth
from engine.titles.g1860.events import InsolvencyBegan, InsolvencyEnded, PrivatesPaid
from engine.titles.g1860.rounds import stock
from engine.titles.g1860.state import Company, Operating, State, TurnStep
from engine.titles.g1860.steps import building, running, trains
from engine.titles.g1860.steps.privates import find_private_revenue

NATIONALISED_ROUNDS = 99


def settle(s: State, tell: Tell) -> bool:
    """Do what needs no decision in an operating round; return whether anything did."""
    r = s.operating
    if r.number == 0:
        _begin(s, tell)
        return True
    if r.offer is not None:
        return False
    if not r.step:
        _begin_next_turn(s, tell)
        return True
    company = s.companies[r.code]
    if company.cell == 0:
        companies.declare_bankrupt(s, company, tell)  # the rest of the turn is dropped
        _leave_turn(s, company, tell)
        return True
    return _SETTLE[r.step](s, company, tell)


def _begin(s: State, tell: Tell) -> None:
    """Begin an operating round: privates pay, the order of the companies is fixed."""
    r = s.operating
    r.step, r.earned = "", {}
    if s.nationalised:
        r.rounds = NATIONALISED_ROUNDS
    begin_round(s, r, tell)
    for seat in range(s.seats):
        income = sum(find_private_revenue(s, code) for code, owner in s.privates.items() if owner == seat)
        if income:
            s.cash[seat] += income
            tell(PrivatesPaid(seat, income))
    if s.rules.private_income_breaks_bank:
        companies.note_empty_bank(s, tell)
    r.order = sort_companies((company for company in s.companies.values() if company.running), market.rank_company)


def _begin_next_turn(s: State, tell: Tell) -> None:
    """Go to the next company that can still operate, or end the round."""
    r = s.operating
    s.fresh_tiles = [hex_ for hex_, _, _ in r.laid]
    if not next_company(r, lambda code: s.companies[code].running):
        _end_round(s, tell)
        return
    r.step, r.laid, r.revenue, r.subsidy, r.leased, r.plan = "discard", [], 0, 0, "", ""
    tell(TurnBegan(r.code))


def _end_round(s: State, tell: Tell) -> None:
    """End the round: the endings, nationalisation, the next round."""
    r = s.operating
    worth.mark_round_end(s)
    was_nationalised = s.nationalised
    if s.topped or s.broken:
        end_game(s, "stock_market" if s.topped else "bank", tell)
        return
    if was_nationalised and companies.close_lowest_earners(s, tell):
        end_game(s, "nationalization", tell)
        return
    companies.nationalise_if_due(s, tell)
    if s.nationalised or r.number < r.rounds:
        s.round = Operating(r.number, r.rounds, [])
        _begin(s, tell)
    else:
        stock.begin_stock(s, tell)


def _settle_discard(s: State, company: Company, tell: Tell) -> bool:
    """Excess trains go back first; in receivership the smallest."""
    if len(company.trains) <= s.train_limit:
        s.operating.begin_next_step()
        return True
    if company.receivership and s.rules.receiverships_run_by_rule:
        trains.give_back(s, company, min(company.trains), tell)
        return True
    return False


def _settle_run(s: State, company: Company, tell: Tell) -> bool:
    """Wait for the director's plan; without a run go on.

    In receivership and after nationalisation the most is run, which needs no decision.
    """
    r = s.operating
    running.update_insolvency(s, company, tell)
    if not running.can_run(s, company):
        r.begin_next_step()
        return True
    by_rule = s.rules.receiverships_run_by_rule if company.receivership else s.rules.nationalised_run_by_rule
    if by_rule and (company.receivership or s.nationalised):
        running.run_best(s, company, tell)
        return True
    return False


def _settle_train(s: State, company: Company, tell: Tell) -> bool:
    if company.receivership and s.rules.receiverships_run_by_rule:
        trains.buy_in_receivership(s, company, tell)
    elif trains.is_open_for(s, company):
        return False
    s.operating.begin_next_step()
    return True


def _finish_turn(s: State, company: Company, tell: Tell) -> bool:
    _end_turn(s, company, tell)
    return True


def _end_turn(s: State, company: Company, tell: Tell) -> None:
    """End a company's turn: insolvency, and what having operated opens."""
    if company.trains:
        if company.insolvent:
            company.insolvent = False
            tell(InsolvencyEnded(company.code))
    elif not company.insolvent and running.would_run(s, company):
        company.insolvent = True
        tell(InsolvencyBegan(company.code))
    _leave_turn(s, company, tell)


def _leave_turn(s: State, company: Company, tell: Tell) -> None:
    """Note that a company has operated, and free the turn for the next."""
    company.operated = True
    s.operating.step = ""
    companies.open_layers(s, tell)


_SETTLE: dict[TurnStep, Callable[[State, Company, Tell], bool]] = {
    "discard": _settle_discard,
    "track": skip_unless(building.is_track_open_for),
    "base": skip_unless(building.is_base_open_for),
    "run": _settle_run,
    "dividend": do_unless(running.is_dividend_open_for, running.settle_dividend),  # revenue that leaves no choice
    "train": _settle_train,
    "end": _finish_turn,
}
