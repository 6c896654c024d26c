"""The words of a legal choice, for lists and buttons."""

from collections.abc import Callable
from typing import Any

from engine.finance.actions import Pass
from engine.rails.actions import LayTile
from engine.rails.hexes import side_name
from engine.record import Action
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import geography, market, mergers, share_merge
from engine.titles.g1862.catalogue import BANDS, FACES
from engine.titles.g1862.flotation import MARKER_COST
from engine.titles.g1862.pictures import merger_view
from engine.titles.g1862.rounds.records import Operating, Parliament
from engine.titles.g1862.state import DIRECTOR_SHARES, State
from engine.titles.g1862.steps import buying, dividend, passing, raising, running, trains


def label(s: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, at most 100 characters."""
    words = _LABELS.get((type(action), parameter))
    return words(s, action)[:100] if words else str(getattr(action, parameter, ""))


def _named(s: State, code: str) -> str:
    charter = s.companies[code].charter
    return f"{code} · {charter.name}, home {charter.place}"


def _permit(s: State, code: str) -> str:
    permit = s.companies[code].permit
    return f" · {permit} permit" if permit else ""


def _share(s: State, action: a.BuyShare) -> str:
    company = s.companies[action.company]
    where = {"ipo": "IPO", "pool": "bank pool", "treasury": "treasury"}[action.source]
    left = buying.lying(company, action.source) * 10
    return f"10 % {action.company} · {where} · £{buying.price(company, action.source)} ({left} % there)"


def _sell_company(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    half = "" if company.trains else ", half: no train"
    return f"{action.company} · £{company.effective} a share{half}"


def _sell_count(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    seller = next(iter(_sellers(s)))
    steps = market.sale_steps(s, company, action.count, director=company.director == seller)
    after = market.price_at((company.cell or 0) - steps)
    fall = f" · price {company.price}→{after}" if steps else ""
    return f"{action.count} × 10 % · £{action.count * company.effective}{fall}"


def _sellers(s: State) -> tuple[int, ...]:
    r = s.stock
    return (r.fines[0].seat if r.fines else r.turn,)


def _hex(s: State, action: LayTile) -> str:
    spec = s.board.spec(action.hex)
    place = f"{action.hex} {spec.name}" if spec.name else action.hex
    return f"{place} ({'upgrade' if action.hex in s.board.laid else 'new'})"


def _tile(s: State, action: LayTile) -> str:
    return f"{action.tile} ↻{action.rotation} · {geography.left(s.board, action.tile)} left"


def _line(s: State, action: a.AddStation) -> str:
    name = s.board.spec(action.hex).name
    return f"{action.hex} {name} · line {side_name(action.a)} to {side_name(action.b)}"


def _place(s: State, action: a.PlaceMarker | a.RemoveMarker) -> str:
    if action.hex not in s.board:
        return action.hex
    stops = s.board.tile(action.hex).stops
    return f"{action.hex} {s.board.spec(action.hex).name} · value {stops[0].value or 0}"


def _dividend(s: State, action: a.Dividend) -> str:
    r = s.operating
    company = s.companies[r.code]
    plan = dividend.check(s, 0, action)
    after = dividend.price_after(company, plan.paid)
    move = f"price {company.price}→{after}"
    if action.kind == "keep":
        return f"Keep £{r.revenue} · {move}"
    added = f", £{plan.added} from the treasury" if plan.added else ""
    return f"Pay £{plan.paid // dividend.SHARES} a share{added} · {move}"


def _train(s: State, action: a.BuyTrain) -> str:
    company = s.companies[s.operating.code]
    face = FACES[action.train.rstrip("*")]
    allowed = "" if face.kind in running.permits(s, company) else " · no permit to run it"
    if action.seller == trains.BANK:
        free = BANDS[face.band].warranties
        return f"{face.name} {face.kind} · bank · £{BANDS[face.band].price}{', 1 warranty' * bool(free)}{allowed}"
    train = next(train for train in s.companies[action.seller].trains if train.name == action.train)
    return f"{action.train} {face.kind} · {action.seller} · £{trains.resale(s, train)}{allowed}"


def _warranties(_: State, action: a.BuyTrain) -> str:
    if not action.warranties:
        return "no extra warranty"
    return f"{action.warranties} extra for £{action.warranties * trains.WARRANTY}: as many more runs after it rusts"


def _raise(s: State, action: a.RaiseMoney) -> str:
    company = s.companies[s.operating.code]
    if action.how == "treasury":
        count = raising.shares_needed(s, company)
        return f"Sell {count * 10} % from the treasury for £{count * company.price}"
    return f"Refinance: all shares two to one, £{share_merge.new_money(company)} from the bank"


def _merge(s: State, action: a.Merge) -> str:
    company, other = s.companies[s.operating.code], s.companies[action.company]
    price = mergers.new_price(company, other)
    return f"{company.code} ({company.price}) with {other.code} ({other.price}) · new price £{price}"


def _merger(s: State, action: a.Merge) -> str:
    """Return all that a merger does: price, exchange, and who directs the survivor."""
    company, other = s.companies[s.operating.code], s.companies[action.company]
    heir = merger_view.heir(s, (company, other, s.companies[action.survivor]))
    last = "nobody directs it" if heir is None else f"{{{heir}}} directs it if all options are redeemed"
    price = mergers.new_price(company, other)
    return f"{company.code} with {other.code}: £{price}, shares two to one, {action.survivor} goes on; {last}"


def _option(s: State, action: a.Option) -> str:
    m = s.operating.merging
    assert m is not None
    return f"Redeem for £{m.redeem}" if action.choice == "redeem" else f"Give up for £{m.sell}"


def no(s: State) -> str:
    """Return what passing means now: "No merger", "No track"; at a turn of another round that it is over."""
    r = s.round
    if isinstance(r, Operating):
        if r.step == "acquire" or r.step not in passing.DECLINES:
            return "End the turn"
        if r.step == "train" and not s.companies[r.code].trains:
            return "Go bankrupt"
        return f"No {'more ' * passing.has_begun(r)}{passing.DECLINES[r.step][1]}"
    if isinstance(r, Parliament):
        return "Done" if r.winner >= 0 else "Pass"
    return "Done" if r.acted else "Pass"


# One function a parameter; each takes its own type of action, which the key names.
_LABELS: dict[tuple[type[Action], str], Callable[[State, Any], str]] = {
    (Pass, ""): lambda s, _: no(s),
    (a.Bid, "company"): lambda s, action: _named(s, action.company) + _permit(s, action.company),
    (a.Bid, "amount"): lambda _, action: f"£{action.amount}",
    (a.Start, "company"): lambda s, action: _named(s, action.company) + _permit(s, action.company),
    (a.Start, "price"): lambda _, action: f"{action.price} · certificate £{DIRECTOR_SHARES * action.price}",
    (a.BuyShare, "share"): _share,
    (a.Sell, "company"): _sell_company,
    (a.Sell, "count"): _sell_count,
    (a.Markers, "count"): lambda _, action: f"{action.count} markers for £{action.count * MARKER_COST}",
    (LayTile, "hex"): _hex,
    (LayTile, "choice"): _tile,
    (a.AddStation, "line"): _line,
    (a.LinkLondon, "place"): lambda _, action: f"London, a space beside {action.place}",
    (a.PlaceMarker, "hex"): _place,
    (a.RemoveMarker, "hex"): _place,
    (a.Run, "plan"): lambda _, action: "the best run" if action.plan == "best" else action.plan,
    (a.Dividend, "choice"): _dividend,
    (a.BuyTrain, "train"): _train,
    (a.BuyTrain, "warranties"): _warranties,
    (a.RaiseMoney, "choice"): _raise,
    (a.Merge, ""): _merger,
    (a.Merge, "company"): _merge,
    (a.Merge, "survivor"): lambda _, action: f"{action.survivor} goes on",
    (a.Answer, "reply"): lambda _, action: {"accept": "Accept", "decline": "Decline"}[action.reply],
    (a.Option, "choice"): _option,
}
