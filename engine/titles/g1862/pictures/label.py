"""The words of a legal choice, for lists and buttons."""

from engine.finance import market, rounds, trading
from engine.finance.rounds import Pass
from engine.rails import places
from engine.rails.board import Board
from engine.rails.laying import LayTile
from engine.rails.maps import name_side
from engine.rails.places import describe_blocking, describe_lay, describe_tile_for_hex
from engine.record import Action
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import catalogue, companies, share_merge
from engine.titles.g1862.catalogue import BANDS, FACES, UNITS, Band
from engine.titles.g1862.companies import MARKER_COST
from engine.titles.g1862.ground import bases
from engine.titles.g1862.pictures import merger_view
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Operating, Parliament, SaleTerms, State
from engine.titles.g1862.steps import dividend, merging, raising, running, shares, track, trains
from engine.titles.g1862.steps.shares import lying
from engine.words import join_words, pluralise


def label(s: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, at most 200 characters."""
    return trading.find_label(_LABELS, s, action, parameter)


def _offered(s: State, action: a.Bid | a.Start) -> str:
    """Return a company that may be had, with the permit that comes with it."""
    company = s.companies[action.company]
    return trading.describe_charter(company.charter) + (f" · {company.permit} permit" if company.permit else "")


def _share(s: State, action: a.BuyShare) -> str:
    company = s.companies[action.company]
    return trading.describe_share(UNITS, company, action.source, lying(company, action.source))


def _buy(s: State, action: a.BuyShare) -> str:
    return trading.describe_buying(UNITS, s.companies[action.company], action.source)


def _sell(s: State, action: a.Sell) -> str:
    return trading.describe_sale(action.company, _sell_count(s, action))


def _sell_company(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    return trading.describe_sellable(UNITS, company, _terms(s, company).each, _price_after(s, company, 1))


def _sell_count(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    after = _price_after(s, company, action.count)
    held = after == company.price and company.cell is not None
    why = companies.why_held(s, company) if held else None
    return trading.describe_block(UNITS, action.count, _terms(s, company).each, (company.price, after), why)


def _price_after(s: State, company: Company, count: int) -> int:
    """Return the price after so many shares are sold; off the market it stays."""
    return market.find_price_after(company, -companies.sale_steps(s, company, count, _terms(s, company).free))


def _terms(s: State, company: Company) -> SaleTerms:
    r = s.stock
    return shares.sale_terms(s, company, r.fines[0].seat if r.fines else r.turn)


def _hex(s: State, action: LayTile) -> str:
    place = places.write_hex_for_list(s.board.map, action.hex)
    return f"{place} · {'upgrade' if action.hex in s.board.laid else 'new'}"


def _laid(s: State, action: LayTile) -> Board:
    """Return the board with the tile on it, its small stations kept."""
    fit = track.check(s, 0, action).fit
    return s.board.with_tile(action.hex, fit.tile, action.rotation)


def _tile(s: State, action: LayTile) -> str:
    after = _laid(s, action)
    return describe_tile_for_hex(s.board, after, action, UNITS, catalogue.left(s.board, action.tile))


def _lay(s: State, action: LayTile) -> str:
    return describe_lay(s.board, _laid(s, action), action)


def _built(s: State, action: a.AddStation) -> str:
    return f"Build a small station on {places.write_hex(s.board.map.hexes, action.hex)}"


def _placed(s: State, action: a.PlaceMarker) -> str:
    details = _place(s, action).partition(" · ")[2]
    return f"Place a marker on {places.write_hex(s.board.map.hexes, action.hex)}" + (f" · {details}" if details else "")


def _removed(s: State, action: a.RemoveMarker) -> str:
    return f"Take the marker off {places.write_hex(s.board.map.hexes, action.hex)}"


def _line(s: State, action: a.AddStation) -> str:
    name = s.board.spec(action.hex).name
    return f"{action.hex} {name} · line {name_side(action.a)} to {name_side(action.b)}"


def _place(s: State, action: a.PlaceMarker) -> str:
    code = s.operating.code
    others = [company.code for company in s.companies.values() if company.floated and company.code != code]
    blocks = describe_blocking(s.board, bases(s), (action.hex, 0), code, others)
    left = s.companies[code].unplaced - 1
    return f"{_station(s, action)} · {blocks} · {pluralise(left, 'marker')} left"


def _station(s: State, action: a.PlaceMarker | a.RemoveMarker) -> str:
    if action.hex not in s.board:
        return action.hex
    value = s.board.tile(action.hex).stops[0].value or 0
    return f"{places.write_hex_for_list(s.board.map, action.hex)} · worth {UNITS.money(value)}"


def _dividend(s: State, action: a.Dividend) -> str:
    r = s.operating
    company = s.companies[r.code]
    plan = dividend.check(s, 0, action)
    if action.kind == "keep":
        return trading.describe_keeping(UNITS, company, UNITS.money(r.revenue))
    added = f", {UNITS.money(plan.added)} of it from the treasury" if plan.added else ""
    return trading.describe_paying(UNITS, company, plan.paid, added)


def train_told(name: str) -> str:
    """Return a train with its warranties in words: "3E**" is "3E with 2 warranties"."""
    left = name.count("*")
    return f"{name.rstrip('*')} with {pluralise(left, 'warranty', 'warranties')}" if left else name


def _train(s: State, action: a.BuyTrain) -> str:
    company = s.companies[s.operating.code]
    face = FACES[action.train.rstrip("*")]
    allowed = "" if face.kind in running.permits(s, company) else " · no permit to run it"
    if action.seller == trains.BANK:
        band = BANDS[face.band]
        free = f", {pluralise(band.warranties, 'warranty', 'warranties')}" * bool(band.warranties)
        left = f"leaves {UNITS.money(company.cash - band.price)}"
        rusts = _rusting(s, band)
        return f"{face.name} {face.kind} · bank · {UNITS.money(band.price)}{free}, {left}{rusts}{allowed}"
    seller = s.companies[action.seller]
    train = trains.named(s, seller, action.train)
    assert train is not None
    asked = f", {{{seller.director}}} is asked" if _asks(s, company, seller) else ""
    told = train_told(action.train).replace(face.name, f"{face.name} {face.kind}")
    return f"{told} · from {action.seller} · {UNITS.money(trains.resale(s, train))}{asked}{allowed}"


def _asks(s: State, company: Company, seller: Company) -> bool:
    """Tell whether another director is asked for a train (§7.9)."""
    return s.rules.train_sales_need_consent and seller.director not in (company.director, -1)


def _bought(s: State, action: a.BuyTrain) -> str:
    company, face = s.companies[s.operating.code], FACES[action.train.rstrip("*")]
    if action.seller == trains.BANK:
        more = f" with {pluralise(action.warranties, 'extra warranty', 'extra warranties')}" * bool(action.warranties)
        price = BANDS[face.band].price + action.warranties * trains.WARRANTY
        left = f"leaves {UNITS.money(company.cash - price)}{_rusting(s, BANDS[face.band])}"
        return f"Buy {face.name}{more} for {UNITS.money(price)}, {left}"
    seller = s.companies[action.seller]
    train = trains.named(s, seller, action.train)
    assert train is not None
    does = f"Ask {{{seller.director}}} for" if _asks(s, company, seller) else "Buy"
    return f"{does} the {train_told(action.train)} of {action.seller} for {UNITS.money(trains.resale(s, train))}"


def _rusting(s: State, band: Band) -> str:
    """Return whose trains rust after this purchase: the first of a band begins a phase (§9.0)."""
    if s.begun(band.name):
        return ""
    gone = {old.name for old in BANDS.values() if old.rusts_at == band.name}
    losers = [
        company.code for company in s.companies.values() if any(train.printed.band in gone for train in company.trains)
    ]
    return f"; then rusts band {join_words(sorted(gone))}: {join_words(losers)}" if losers else ""


def _warranties(_: State, action: a.BuyTrain) -> str:
    if not action.warranties:
        return "no extra warranty"
    runs = "one more run" if action.warranties == 1 else f"{action.warranties} more runs"
    return f"{action.warranties} extra for £{action.warranties * trains.WARRANTY}: {runs} after it rusts"


def _raise(s: State, action: a.RaiseMoney) -> str:
    company = s.companies[s.operating.code]
    if action.how == "treasury":
        count = raising.shares_needed(s, company)
        return f"Sell {count * 10}% from the treasury for £{count * company.price}"
    return f"Refinance: all shares two to one, £{share_merge.new_money(company)} from the bank"


def _merge(s: State, action: a.Merge) -> str:
    company, other = s.companies[s.operating.code], s.companies[action.company]
    price = merging.new_price(company, other)
    mine, theirs = UNITS.money(company.price), UNITS.money(other.price)
    return f"{company.code} ({mine}) with {other.code} ({theirs}) · new price {UNITS.money(price)}"


def _merger(s: State, action: a.Merge) -> str:
    """Return all that a merger does: price, exchange, and who directs the survivor."""
    company, other = s.companies[s.operating.code], s.companies[action.company]
    heir = merger_view.heir(s, (company, other, s.companies[action.survivor]))
    last = "no one directs it" if heir is None else f"{{{heir}}} directs it if all options are redeemed"
    price = merging.new_price(company, other)
    return f"{company.code} with {other.code}: £{price}, shares two to one, {action.survivor} goes on; {last}"


def _option(s: State, action: a.Option) -> str:
    m = s.operating.merging
    assert m is not None
    return f"Redeem for £{m.redeem}" if action.choice == "redeem" else f"Give up for £{m.sell}"


def no(s: State) -> str:
    """Return what passing means now: "No merger", "No track"; at a turn of another round that it is over."""
    r = s.round
    if isinstance(r, Operating):
        if r.step == "acquire" or r.step not in turn.DECLINES:
            return "End the turn"
        if r.step == "train" and not s.companies[r.code].trains:
            return "Go bankrupt"
        if r.step == "redeem":
            return "No redeeming"
        return rounds.describe_decline(r, turn.DECLINES)
    if isinstance(r, Parliament):
        return "Done" if r.winner >= 0 else "Pass"
    return "Done" if r.acted else "Pass"


_LABELS: trading.Labels[State] = {
    (Pass, ""): lambda s, _: no(s),
    (a.Bid, ""): lambda s, action: (
        f"Bid £{action.amount}" if s.parliament.lot else f"Propose {action.company} with a bid of £{action.amount}"
    ),
    (a.Bid, "company"): _offered,
    (a.Bid, "amount"): lambda _, action: f"£{action.amount}",
    (a.Start, ""): lambda _, action: trading.describe_start(UNITS, action.company, action.price, DIRECTOR_SHARES),
    (a.Start, "company"): _offered,
    (a.Start, "price"): lambda _, action: trading.describe_par(UNITS, action.price, DIRECTOR_SHARES),
    (a.BuyShare, ""): _buy,
    (a.BuyShare, "share"): _share,
    (a.Sell, ""): _sell,
    (a.Sell, "company"): _sell_company,
    (a.Sell, "count"): _sell_count,
    (a.Markers, ""): lambda _, action: f"Buy {pluralise(action.count, 'marker')} for £{action.count * MARKER_COST}",
    (a.Markers, "count"): lambda _, action: f"{pluralise(action.count, 'marker')} for £{action.count * MARKER_COST}",
    (LayTile, ""): _lay,
    (LayTile, "hex"): _hex,
    (LayTile, "choice"): _tile,
    (a.AddStation, ""): _built,
    (a.AddStation, "line"): _line,
    (a.LinkLondon, ""): lambda *_: "Build the link to London",
    (a.LinkLondon, "place"): lambda _, action: f"London, a space beside {action.place}",
    (a.PlaceMarker, ""): _placed,
    (a.PlaceMarker, "hex"): _place,
    (a.RemoveMarker, ""): _removed,
    (a.RemoveMarker, "hex"): _station,
    (a.Run, ""): lambda _, action: trading.describe_run(action.plan, running.BEST),
    (a.Run, "plan"): lambda _, action: trading.describe_run_plan(action.plan, running.BEST),
    (a.Dividend, ""): _dividend,
    (a.Dividend, "choice"): _dividend,
    (a.BuyTrain, ""): _bought,
    (a.BuyTrain, "train"): _train,
    (a.BuyTrain, "warranties"): _warranties,
    (a.RaiseMoney, ""): _raise,
    (a.RaiseMoney, "choice"): _raise,
    (a.Redeem, ""): lambda s, _: f"Redeem 10% for £{s.companies[s.operating.code].price}",
    (a.Merge, ""): _merger,
    (a.Merge, "company"): _merge,
    (a.Merge, "survivor"): lambda _, action: f"{action.survivor} goes on",
    (a.Answer, ""): lambda _, action: action.reply.capitalize(),
    (a.Answer, "reply"): lambda _, action: action.reply.capitalize(),
    (a.Withdraw, ""): lambda *_: "Take the proposal back",
    (a.Option, ""): _option,
    (a.Option, "choice"): _option,
}
