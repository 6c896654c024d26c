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
from engine.titles.g1862.ground import find_bases
from engine.titles.g1862.pictures import mergers
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Operating, Parliament, SaleTerms, State
from engine.titles.g1862.steps import building, merging, raising, running, shares, trains
from engine.titles.g1862.steps.shares import count_lying
from engine.words import join_words, pluralise


def write_label(s: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, at most 200 characters."""
    return trading.find_label(_LABELS, s, action, parameter)


def _write_offered_company(s: State, action: a.Bid | a.Start) -> str:
    """Return a company that may be had, with the permit that comes with it."""
    company = s.companies[action.company]
    return trading.describe_charter(company.charter) + (f" · {company.permit} permit" if company.permit else "")


def _write_share(s: State, action: a.BuyShare) -> str:
    company = s.companies[action.company]
    return trading.describe_share(UNITS, company, action.source, count_lying(company, action.source))


def _write_share_purchase(s: State, action: a.BuyShare) -> str:
    return trading.describe_buying(UNITS, s.companies[action.company], action.source)


def _write_sale(s: State, action: a.Sell) -> str:
    return trading.describe_sale(action.company, _write_block(s, action))


def _write_seller(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    return trading.describe_sellable(UNITS, company, _find_terms(s, company).each, _find_price_after(s, company, 1))


def _write_block(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    after = _find_price_after(s, company, action.count)
    held = after == company.price and company.cell is not None
    why = companies.explain_held_price(s, company) if held else None
    return trading.describe_block(UNITS, action.count, _find_terms(s, company).each, (company.price, after), why)


def _find_price_after(s: State, company: Company, count: int) -> int:
    """Return the price after so many shares are sold; off the market it stays."""
    return market.find_price_after(
        company, -companies.count_sale_steps(s, company, count, _find_terms(s, company).free)
    )


def _find_terms(s: State, company: Company) -> SaleTerms:
    r = s.stock
    return shares.find_sale_terms(s, company, r.fines[0].seat if r.fines else r.turn)


def _write_hex(s: State, action: LayTile) -> str:
    place = places.write_hex_for_list(s.board.map, action.hex)
    return f"{place} · {'upgrade' if action.hex in s.board.laid else 'new'}"


def _lay_on_board(s: State, action: LayTile) -> Board:
    """Return the board with the tile on it, its small stations kept."""
    fit = building.check_lay(s, 0, action).fit
    return s.board.with_tile(action.hex, fit.tile, action.rotation)


def _write_tile(s: State, action: LayTile) -> str:
    after = _lay_on_board(s, action)
    return describe_tile_for_hex(s.board, after, action, UNITS, catalogue.count_left(s.board, action.tile))


def _write_lay(s: State, action: LayTile) -> str:
    return describe_lay(s.board, _lay_on_board(s, action), action)


def _write_station_building(s: State, action: a.AddStation) -> str:
    return f"Build a small station on {places.write_hex(s.board.map.hexes, action.hex)}"


def _write_placing(s: State, action: a.PlaceMarker) -> str:
    details = _write_place(s, action).partition(" · ")[2]
    return f"Place a marker on {places.write_hex(s.board.map.hexes, action.hex)}" + (f" · {details}" if details else "")


def _write_removal(s: State, action: a.RemoveMarker) -> str:
    return f"Remove the marker on {places.write_hex(s.board.map.hexes, action.hex)}"


def _write_line(s: State, action: a.AddStation) -> str:
    name = s.board.spec(action.hex).name
    return f"{action.hex} {name} · line {name_side(action.a)} to {name_side(action.b)}"


def _write_place(s: State, action: a.PlaceMarker) -> str:
    code = s.operating.code
    others = [company.code for company in s.companies.values() if company.floated and company.code != code]
    blocks = describe_blocking(s.board, find_bases(s), (action.hex, 0), code, others)
    left = s.companies[code].unplaced - 1
    return f"{_write_station(s, action)} · {blocks} · {pluralise(left, 'marker')} left"


def _write_station(s: State, action: a.PlaceMarker | a.RemoveMarker) -> str:
    if action.hex not in s.board:
        return action.hex
    value = s.board.tile(action.hex).stops[0].value or 0
    return f"{places.write_hex_for_list(s.board.map, action.hex)} · worth {UNITS.money(value)}"


def _write_dividend(s: State, action: a.Dividend) -> str:
    r = s.operating
    company = s.companies[r.code]
    plan = running.check_dividend(s, 0, action)
    if action.kind == "keep":
        return trading.describe_keeping(UNITS, company, UNITS.money(r.revenue))
    added = f" · {UNITS.money(plan.added)} from the treasury" if plan.added else ""
    return trading.describe_paying(UNITS, company, plan.paid, added)


def describe_train(name: str) -> str:
    """Return a train with its warranties in words: "3E**" is "3E with 2 warranties"."""
    left = name.count("*")
    return f"{name.rstrip('*')} with {pluralise(left, 'warranty', 'warranties')}" if left else name


def _write_train(s: State, action: a.BuyTrain) -> str:
    company = s.companies[s.operating.code]
    face = FACES[action.train.rstrip("*")]
    allowed = "" if face.kind in running.list_permits(s, company) else " · no permit to run it"
    if action.seller == trains.BANK:
        band = BANDS[face.band]
        free = f", {pluralise(band.warranties, 'warranty', 'warranties')}" * bool(band.warranties)
        left = f"leaves {UNITS.money(company.cash - band.price)}"
        rusts = _describe_rust(s, band)
        return f"{face.name} {face.kind} · bank · {UNITS.money(band.price)}{free}, {left}{rusts}{allowed}"
    seller = s.companies[action.seller]
    train = trains.find_train(s, seller, action.train)
    assert train is not None
    asked = f", {{{seller.director}}} is asked" if _must_ask(s, company, seller) else ""
    told = describe_train(action.train).replace(face.name, f"{face.name} {face.kind}")
    return f"{told} · from {action.seller} · {UNITS.money(trains.find_resale_price(s, train))}{asked}{allowed}"


def _must_ask(s: State, company: Company, seller: Company) -> bool:
    """Return whether another director is asked for a train (§7.9)."""
    return s.rules.train_sales_need_consent and seller.director not in (company.director, -1)


def _write_train_purchase(s: State, action: a.BuyTrain) -> str:
    company, face = s.companies[s.operating.code], FACES[action.train.rstrip("*")]
    if action.seller == trains.BANK:
        more = f" with {pluralise(action.warranties, 'extra warranty', 'extra warranties')}" * bool(action.warranties)
        price = _find_price(action)
        left = f"leaves {UNITS.money(company.cash - price)}{_describe_rust(s, BANDS[face.band])}"
        return f"Buy {face.name}{more} for {UNITS.money(price)}, {left}"
    seller = s.companies[action.seller]
    train = trains.find_train(s, seller, action.train)
    assert train is not None
    does = f"Ask {{{seller.director}}} for" if _must_ask(s, company, seller) else "Buy"
    costs = UNITS.money(trains.find_resale_price(s, train))
    return f"{does} the {describe_train(action.train)} of {action.seller} for {costs}"


def _find_price(action: a.BuyTrain) -> int:
    """Return the price of a train from the bank with its extra warranties."""
    return BANDS[FACES[action.train].band].price + action.warranties * trains.WARRANTY_PRICE


def _write_train_for_menu(s: State, action: a.BuyTrain) -> str:
    """Return a train from the bank and what is left, or whose train it is; its warranties stand below it."""
    company, face = s.companies[s.operating.code], FACES[action.train.rstrip("*")]
    allowed = "" if face.kind in running.list_permits(s, company) else " · no permit to run it"
    if action.seller != trains.BANK:
        seller, (_, _, warranties) = s.companies[action.seller], describe_train(action.train).partition(" with ")
        train = trains.find_train(s, seller, action.train)
        assert train is not None
        costs = UNITS.money(trains.find_resale_price(s, train))
        asked = f" · {{{seller.director}}} is asked" if _must_ask(s, company, seller) else ""
        return f"{face.name} of {action.seller} for {costs}{f' · {warranties}' * bool(warranties)}{asked}{allowed}"
    price = _find_price(action)
    rusts = _describe_rust(s, BANDS[face.band])
    return f"{face.name} for {UNITS.money(price)} · leaves {UNITS.money(company.cash - price)}{rusts}{allowed}"


def _describe_rust(s: State, band: Band) -> str:
    """Return whose trains rust after this purchase: the first of a band begins a phase (§9.0)."""
    if s.has_begun(band.name):
        return ""
    gone = {old.name for old in BANDS.values() if old.rusts_at == band.name}
    losers = [
        company.code for company in s.companies.values() if any(train.printed.band in gone for train in company.trains)
    ]
    return f"; then rusts band {join_words(sorted(gone))}: {join_words(losers)}" if losers else ""


def _write_warranties(_: State, action: a.BuyTrain) -> str:
    if action.seller != trains.BANK:
        left = action.train.count("*")
        return f"it keeps its {pluralise(left, 'warranty', 'warranties')}" if left else "it has no warranty"
    if not action.warranties:
        return "no extra warranty"
    runs = "one more run" if action.warranties == 1 else f"{action.warranties} more runs"
    return f"{action.warranties} extra for £{action.warranties * trains.WARRANTY_PRICE:,}: {runs} after it rusts"


def _write_raise(s: State, action: a.RaiseMoney) -> str:
    company = s.companies[s.operating.code]
    if action.how == "treasury":
        count = raising.count_shares_needed(s, company)
        return f"Sell {count * 10}% from the treasury for £{count * company.price:,}"
    return f"Refinance for £{share_merge.find_new_money(company):,} · all shares two for one"


def _write_merge(s: State, action: a.Merge) -> str:
    company, other = s.companies[s.operating.code], s.companies[action.company]
    price = merging.find_new_price(company, other)
    mine, theirs = UNITS.money(company.price), UNITS.money(other.price)
    return f"{company.code} ({mine}) with {other.code} ({theirs}) · new price {UNITS.money(price)}"


def _write_merger_for_menu(s: State, action: a.Merge) -> str:
    price = merging.find_new_price(s.companies[s.operating.code], s.companies[action.company])
    more = _write_merger(s, action).partition("; ")[2]
    return f"With {action.company} · {action.survivor} survives · £{price:,} · shares two for one; {more}"


def _write_merger(s: State, action: a.Merge) -> str:
    """Return all that a merger does: price, exchange, and who directs the survivor."""
    company, other = s.companies[s.operating.code], s.companies[action.company]
    heir = mergers.find_heir(s, (company, other, s.companies[action.survivor]))
    last = "no one directs it" if heir is None else f"{{{heir}}} directs it if all options are redeemed"
    price = merging.find_new_price(company, other)
    return f"{company.code} with {other.code}: £{price:,}, shares two for one, {action.survivor} survives; {last}"


def _write_option(s: State, action: a.Option) -> str:
    m = s.operating.merging
    assert m is not None
    return f"Redeem for £{m.redeem:,}" if action.choice == "redeem" else f"Give up for £{m.sell:,}"


def write_pass(s: State) -> str:
    """Return what passing means now: "No merger", "No track"; at a turn of another round that it is over."""
    r = s.round
    if isinstance(r, Operating):
        if r.step == "acquire" or r.step not in turn.DECLINES:
            return "End the turn"
        if r.step == "train" and not s.companies[r.code].trains:
            return "Go bankrupt"
        if r.step == "redeem":
            return "Don't redeem"
        return rounds.describe_decline(r, s.companies[r.code], turn.DECLINES)
    if isinstance(r, Parliament):
        return "Done" if r.winner >= 0 else "Pass"
    return "Done" if r.acted else "Pass"


_LABELS: trading.Labels[State] = {
    (Pass, ""): lambda s, _: write_pass(s),
    (a.Bid, ""): lambda s, action: (
        f"Bid £{action.amount:,}" if s.parliament.lot else f"Propose {action.company} with a bid of £{action.amount:,}"
    ),
    (a.Bid, "company"): _write_offered_company,
    (a.Bid, "amount"): lambda _, action: f"£{action.amount:,}",
    (a.Start, ""): lambda _, action: trading.describe_start(UNITS, action.company, action.price, DIRECTOR_SHARES),
    (a.Start, "company"): _write_offered_company,
    (a.Start, "price"): lambda _, action: trading.describe_par(UNITS, action.price, DIRECTOR_SHARES),
    (a.BuyShare, ""): _write_share_purchase,
    (a.BuyShare, "share"): _write_share,
    (a.Sell, ""): _write_sale,
    (a.Sell, "company"): _write_seller,
    (a.Sell, "count"): _write_block,
    (a.Markers, ""): lambda _, action: f"Buy {pluralise(action.count, 'marker')} for £{action.count * MARKER_COST:,}",
    (a.Markers, "count"): lambda _, action: f"{pluralise(action.count, 'marker')} for £{action.count * MARKER_COST:,}",
    (LayTile, ""): _write_lay,
    (a.BuyTrain, "menu"): _write_train_for_menu,
    (LayTile, "menu"): lambda s, action: places.write_lay_for_menu(s.board.map, action),
    (LayTile, "hex"): _write_hex,
    (LayTile, "choice"): _write_tile,
    (a.AddStation, ""): _write_station_building,
    (a.AddStation, "menu"): lambda s, action: f"Station on {places.write_hex(s.board.map.hexes, action.hex)}",
    (a.AddStation, "line"): _write_line,
    (a.LinkLondon, ""): lambda *_: "Build the link to London",
    (a.LinkLondon, "place"): lambda _, action: f"London, a space beside {action.place}",
    (a.PlaceMarker, ""): _write_placing,
    (a.PlaceMarker, "menu"): lambda s, action: f"Put marker on {places.write_hex(s.board.map.hexes, action.hex)}",
    (a.PlaceMarker, "hex"): _write_place,
    (a.RemoveMarker, ""): _write_removal,
    (a.RemoveMarker, "menu"): lambda s, action: f"Remove from {places.write_hex(s.board.map.hexes, action.hex)}",
    (a.RemoveMarker, "hex"): _write_station,
    (a.Run, ""): lambda _, action: trading.describe_run(action.plan, running.BEST),
    (a.Run, "plan"): lambda _, action: trading.describe_run_plan(action.plan, running.BEST),
    (a.Dividend, ""): _write_dividend,
    (a.Dividend, "choice"): _write_dividend,
    (a.BuyTrain, ""): _write_train_purchase,
    (a.BuyTrain, "train"): _write_train,
    (a.BuyTrain, "warranties"): _write_warranties,
    (a.RaiseMoney, ""): _write_raise,
    (a.RaiseMoney, "choice"): _write_raise,
    (a.Redeem, ""): lambda s, _: f"Redeem 10% for £{s.companies[s.operating.code].price:,}",
    (a.Merge, ""): _write_merger,
    (a.Merge, "menu"): _write_merger_for_menu,
    (a.Merge, "company"): _write_merge,
    (a.Merge, "survivor"): lambda _, action: f"{action.survivor} survives",
    (a.Answer, ""): lambda _, action: action.reply.capitalize(),
    (a.Answer, "reply"): lambda _, action: action.reply.capitalize(),
    (a.Withdraw, ""): lambda *_: "Take the proposal back",
    (a.Option, ""): _write_option,
    (a.Option, "choice"): _write_option,
}
