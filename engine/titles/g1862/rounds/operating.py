"""The course of the operating rounds: whose turn, which step, what needs no decision, the LNER (§7.1, §10.3)."""

from collections.abc import Callable

from engine.finance import market
from engine.finance.events import TurnBegan
from engine.finance.rounds import begin_round, do_unless, end_game, next_company, skip_unless, sort_companies
from engine.title import Tell
from engine.titles.g1862 import companies, ground, share_merge, worth
from engine.titles.g1862.events import LnerFormed, Refinanced
from engine.titles.g1862.rounds import stock
from engine.titles.g1862.state import Company, Operating, State, TurnStep
from engine.titles.g1862.steps import building, merging, raising, running, trains


def settle(s: State, tell: Tell) -> bool:
    """Do what needs no decision in an operating round; return whether anything did."""
    r = s.operating
    if r.number == 0:
        _begin(s, tell)
        return True
    if r.offer is not None:
        return False
    if r.removing:
        if any(merging.list_remove_options(s, 0)):
            return False
        r.removing = ""
        return True
    if r.merging is not None:
        return _go_on_merging(s, tell)
    if not r.step:
        _begin_next_turn(s, tell)
        return True
    return _SETTLE[r.step](s, s.companies[r.code], tell)


def _begin(s: State, tell: Tell) -> None:
    """Begin an operating round: the order of the companies by price and place in the stack (§7.1)."""
    r = s.operating
    r.step, r.done = "", []
    begin_round(s, r, tell)
    r.order = sort_companies((company for company in s.companies.values() if company.floated), market.rank_company)


def _begin_next_turn(s: State, tell: Tell) -> None:
    """Go to the next company that can still operate, or end the round."""
    r = s.operating
    s.fresh = [hex_ for hex_, _ in r.laid]
    if not next_company(r, lambda code: code not in r.done and s.companies[code].floated):
        _end_round(s, tell)
        return
    r.step, r.laid, r.revenue, r.subsidy, r.plan, r.ran, r.rescued = "merge", [], 0, 0, "", [], False
    r.hasty = r.unredeemed = False
    tell(TurnBegan(r.code))
    company = s.companies[r.code]
    if not company.home_placed and not company.receivership:
        ground.place_home(s, company, tell)
        if s.rules.home_upgrade_first and company.waiting:
            r.step = "home"


def _end_round(s: State, tell: Tell) -> None:
    """End the round: the endings, the LNER, the next round or Parliament (§10.0)."""
    r = s.operating
    worth.mark_round_end(s)
    last = r.number >= r.rounds
    if s.topped:
        end_game(s, "stock_market", tell)
    elif last and s.broken:
        end_game(s, "bank", tell)
    elif last and s.lner:
        end_game(s, "lner", tell)
    elif not last:
        s.round = Operating(r.number, r.rounds, [])
        _begin(s, tell)
    else:
        s.turn += 1
        if s.lner_due:
            form_lner(s, tell)
            stock.begin_stock(s, tell)
        else:
            stock.begin_parliament(s, tell)


def _go_on_merging(s: State, tell: Tell) -> bool:
    """Go on with the merging of shares; at its end move the assets, or the money raised (§7.5.6, §7.11.2)."""
    m = s.operating.merging
    assert m is not None
    if not share_merge.is_finished(m):
        if share_merge.advance(s, tell):
            return True
        _skip_redeeming(s, s.companies[m.survivor])
        return False
    if m.kind != "refinance":
        step = merging.complete_merger if m.moved else merging.move_assets
        step(s, tell)
        return True
    share_merge.settle_survivor_director(s, m, tell)
    company = s.companies[m.survivor]
    amount = share_merge.find_new_money(company)
    companies.pay(s, company, amount, tell)
    tell(Refinanced(company.code, amount))
    s.operating.merging = None
    s.operating.rescued = not company.receivership
    _skip_redeeming(s, company)
    return True


def _skip_redeeming(s: State, company: Company) -> None:
    """After money was raised without a question, leave redeeming out if it is not possible now (differences 57)."""
    r = s.operating
    if r.hasty:
        r.hasty, r.unredeemed = False, not raising.can_pay_for_pool_share(s, company)


def _settle_home(s: State, company: Company, tell: Tell) -> bool:
    """Wait for the upgrade that makes room for the home marker, where that comes before the merger."""
    del tell
    if company.waiting and any(building.list_lay_options(s, company.director)):
        return False
    s.operating.begin_next_step()
    return True


def _may_merge(s: State, company: Company) -> bool:
    """Return whether a merger is asked for."""
    return merging.is_open_for(s, company) or s.asks_without_choice()


def _may_place(s: State, company: Company) -> bool:
    return building.is_marker_open_for(s, company) or s.asks_without_choice()


def _may_redeem(s: State, company: Company) -> bool:
    return raising.is_redeem_open_for(s, company) and not s.operating.unredeemed


def _settle_track(s: State, company: Company, tell: Tell) -> bool:
    """Wait for track; a home marker that waits for an upgrade that no one can make any more is placed first (§7.2)."""
    if not s.operating.laid and s.rules.lost_room_is_taken:
        ground.settle_impossible(s, company, tell)
    if building.is_track_open_for(s, company):
        return False
    company.due = []
    s.operating.begin_next_step()
    return True


def _settle_run(s: State, company: Company, tell: Tell) -> bool:
    """Wait for the director's plan; without a run go on; a company in receivership runs automatically (§8.0)."""
    company.due = []
    by_itself = company.receivership and s.rules.receiverships_run_by_rule
    asked = not by_itself and s.asks_without_choice()
    if not asked and not running.can_run(s, company):
        s.operating.begin_next_step()
        return True
    if by_itself:
        running.run_best(s, tell)
        return True
    return False


def _settle_train(s: State, company: Company, tell: Tell) -> bool:
    r = s.operating
    if company.receivership:
        trains.buy_in_receivership(s, company, tell)
        if company.trains:
            r.begin_next_step()
        else:
            companies.declare_bankrupt(s, company, tell)
        return True
    if not s.rules.only_way_asked and _raise_at_once(s, company, tell):
        return True
    if trains.is_open_for(s, company) or (trains.is_short(s, company) and any(raising.list_raise_options(s, 0))):
        return False
    if company.trains:
        r.begin_next_step()
    else:
        companies.declare_bankrupt(s, company, tell)
    return True


def _raise_at_once(s: State, company: Company, tell: Tell) -> bool:
    """Raise money without being asked where there is but one way (§7.11)."""
    if not trains.is_short(s, company) or trains.is_open_for(s, company):
        return False
    ways = list(raising.list_raise_options(s, 0))
    if len(ways) != 1:
        return False
    s.operating.hasty = True
    raising.apply_raise(s, raising.check_raise(s, 0, ways[0]), tell)
    if s.operating.merging is None:
        _skip_redeeming(s, company)
    return True


def _end_turn(s: State, company: Company, tell: Tell) -> bool:
    """End the turn; the company has operated."""
    del tell
    if s.operating.step == "end":
        company.operated = True
    s.operating.step = ""
    return True


_SETTLE: dict[TurnStep, Callable[[State, Company, Tell], bool]] = {
    "home": _settle_home,
    "merge": skip_unless(_may_merge),
    "track": _settle_track,
    "token": skip_unless(_may_place),
    "run": _settle_run,
    "dividend": do_unless(
        running.is_dividend_open_for, running.settle_dividend
    ),  # what leaves no choice is kept: §7.8.5, §8.0
    "train": _settle_train,
    "redeem": skip_unless(_may_redeem),
    "acquire": skip_unless(_may_merge),
    "end": _end_turn,
    "left": _end_turn,
}


def form_lner(s: State, tell: Tell) -> None:
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
