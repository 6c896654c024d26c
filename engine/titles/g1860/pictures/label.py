"""The words of a legal choice, for lists and buttons."""

from collections.abc import Callable
from typing import Any

from engine.finance.actions import Pass
from engine.rails.actions import LayTile
from engine.record import Action
from engine.titles.g1860 import actions as a
from engine.titles.g1860 import market
from engine.titles.g1860.catalogue import PRIVATES, TRAINS
from engine.titles.g1860.state import Operating, State, Stock
from engine.titles.g1860.steps import dividend, passing, trains


def label(s: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, at most 100 characters."""
    words = _LABELS.get((type(action), parameter))
    return words(s, action)[:100] if words else str(getattr(action, parameter, ""))


def _share(s: State, action: a.BuyShare) -> str:
    company = s.companies[action.company]
    if action.source == "ipo":
        return f"10 % {action.company} · IPO · £{company.par} ({company.ipo * 10} % left)"
    return f"10 % {action.company} · bank pool · £{company.price} ({company.pool * 10} % there)"


def _private(_: State, action: a.BuyPrivate | a.SellPrivate | a.Exchange | a.ClosePrivate) -> str:
    private = PRIVATES[action.private]
    if isinstance(action, a.SellPrivate):
        return f"{private.name} · £{private.sold_for}"
    if isinstance(action, a.Exchange):
        return f"{private.name} → 10 % {private.railway}"
    return f"{private.name} · £{private.price}, pays £{private.revenue}"


def _sell_count(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    each = market.sale_price(s, company)
    steps = market.sale_steps(s, company, action.count)
    after = market.price_at((company.cell or 0) - steps) if company.cell is not None else company.price
    fall = f" · price {company.price}→{after}" if steps else ""
    return f"{action.count} × 10 % · £{action.count * each}{fall}"


def _sell_company(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    return f"{action.company} · £{market.sale_price(s, company)} a share"


def _start(s: State, action: a.Start) -> str:
    charter = s.companies[action.company].charter
    return f"{charter.code} · {charter.name}, home {charter.place}"


def _hex(s: State, action: LayTile) -> str:
    spec = s.board.spec(action.hex)
    place = f"{action.hex} {spec.name}" if spec.name else action.hex
    if action.hex in s.board.laid or s.board.tile(action.hex).track:
        return f"{place} (upgrade)"
    return f"{place} (new{f', {spec.cost}cc' if spec.cost else ''})"


def _tile(s: State, action: LayTile) -> str:
    return f"{action.tile} ↻{action.rotation} · {s.board.left(action.tile)} left"


def _city(s: State, action: a.PlaceBase) -> str:
    spec = s.board.spec(action.hex)
    stop = s.board.tile(action.hex).stops[action.city]
    return f"{action.hex} {stop.name or spec.name} · value {stop.value}"


def _dividend(s: State, action: a.Dividend) -> str:
    r = s.operating
    company = s.companies[r.code]
    after = dividend.price_after(company, r.revenue, paid=action.kind == "pay")
    price = f"price {company.price}→{after}"
    if action.kind == "pay":
        return f"Pay £{r.revenue // 10} a share · {price}"
    return f"Keep {r.revenue}cc · {price}"


def _train(s: State, action: a.BuyTrain) -> str:
    if action.seller == trains.BANK:
        return f"{action.train} · bank · {TRAINS[action.train].price}cc"
    seller = s.companies[action.seller]
    r = s.operating
    asks = "" if seller.director == s.companies[r.code].director else " · its director is asked"
    return f"{action.train} · from {action.seller}{asks}"


def no(s: State) -> str:
    """Return what passing means now: "No track", "No base"; at a turn of a stock round that it is over."""
    r = s.round
    if isinstance(r, Operating):
        more = "more " * passing.has_begun(r)
        return f"No {more}{passing.DECLINES[r.step][1]}" if r.step in passing.DECLINES else "Pass"
    return "Done" if isinstance(r, Stock) and r.acted else "Pass"


_LABELS: dict[tuple[type[Action], str], Callable[[State, Any], str]] = {
    (Pass, ""): lambda s, _: no(s),
    (a.Bid, "amount"): lambda _, action: f"£{action.amount}",
    (a.Start, "company"): _start,
    (a.Start, "price"): lambda _, action: f"par {action.par} · £{2 * action.par} for the director's certificate",
    (a.BuyShare, "share"): _share,
    (a.BuyPrivate, "share"): _private,
    (a.Sell, "company"): _sell_company,
    (a.Sell, "count"): _sell_count,
    (a.SellPrivate, "company"): _private,
    (a.Exchange, "private"): _private,
    (a.ClosePrivate, "private"): _private,
    (LayTile, "hex"): _hex,
    (LayTile, "choice"): _tile,
    (a.PlaceBase, "city"): _city,
    (a.Run, "plan"): lambda _, action: "the best run" if action.plan == "best" else action.plan,
    (a.Dividend, "choice"): _dividend,
    (a.BuyTrain, "train"): _train,
    (a.BuyTrain, "price"): lambda _, action: f"{action.price}cc",
    (a.Answer, "reply"): lambda _, action: {"accept": "Accept", "decline": "Decline"}[action.reply],
    (a.Counter, "price"): lambda _, action: f"{action.price}cc",
    (a.Discard, "train"): lambda _, action: f"return a {action.train}",
}
