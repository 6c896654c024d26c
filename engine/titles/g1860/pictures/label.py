"""The words of a legal choice, for lists and buttons."""

from engine.finance import market, rounds, trading
from engine.finance.rounds import Pass
from engine.rails import places
from engine.rails.laying import LayTile, lay_on_board
from engine.rails.places import describe_blocking, describe_lay, describe_tile_for_hex
from engine.record import Action
from engine.titles.g1860 import actions as a
from engine.titles.g1860 import companies
from engine.titles.g1860.catalogue import PRIVATES, TRAINS, UNITS
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Operating, State, Stock
from engine.titles.g1860.steps import building, running, trains
from engine.titles.g1860.steps.building import find_bases
from engine.words import add_article, join_words


def write_label(s: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, at most 200 characters."""
    return trading.find_label(_LABELS, s, action, parameter)


def _write_share(s: State, action: a.BuyShare) -> str:
    company = s.companies[action.company]
    left = company.ipo if action.source == "ipo" else company.pool
    return trading.describe_share(UNITS, company, action.source, left)


def _write_share_purchase(s: State, action: a.BuyShare) -> str:
    return trading.describe_buying(UNITS, s.companies[action.company], action.source)


def _write_private(_: State, action: a.BuyPrivate | a.SellPrivate | a.Exchange | a.ClosePrivate) -> str:
    private = PRIVATES[action.private]
    if isinstance(action, a.SellPrivate):
        return f"{private.name} · £{private.sold_for:,}"
    if isinstance(action, a.Exchange):
        return f"{private.name} → 10% {private.railway}"
    return f"{private.name} · £{private.price:,}, pays £{private.revenue:,}"


def _write_block(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    steps = companies.count_sale_steps(s, company, action.count)
    prices = (company.price, market.find_price_after(company, -steps))
    why = None if steps or company.cell is None else companies.explain_held_price(s, company)
    return trading.describe_block(UNITS, action.count, companies.find_sale_price(s, company), prices, why)


def _write_sale(s: State, action: a.Sell) -> str:
    return trading.describe_sale(action.company, _write_block(s, action))


def _write_seller(s: State, action: a.Sell) -> str:
    company = s.companies[action.company]
    after = market.find_price_after(company, -companies.count_sale_steps(s, company, 1))
    return trading.describe_sellable(UNITS, company, companies.find_sale_price(s, company), after)


def _write_hex(s: State, action: LayTile) -> str:
    spec = s.board.spec(action.hex)
    place = places.write_hex_for_list(s.board.map, action.hex)
    if s.board.tile(action.hex).colour != "plain":
        return f"{place} · upgrade"
    return f"{place} · new" + (f" for {spec.cost:,}cc" if spec.cost else "")


def _write_tile(s: State, action: LayTile) -> str:
    return describe_tile_for_hex(s.board, lay_on_board(s.board, action), action, UNITS, s.board.count_left(action.tile))


def _write_lay(s: State, action: LayTile) -> str:
    return describe_lay(s.board, lay_on_board(s.board, action), action)


def _write_city(s: State, action: a.PlaceBase) -> str:
    name = s.board.tile(action.hex).stops[action.city].name or s.board.spec(action.hex).name
    cost = building.find_base_cost(s.companies[s.operating.code])
    return f"{action.hex} {name} · base for {cost:,}cc · {_describe_site(s, action)}"


def _describe_site(s: State, action: a.PlaceBase) -> str:
    """Return what a city is worth, and whom a base there keeps out."""
    stop, code = s.board.tile(action.hex).stops[action.city], s.operating.code
    others = [company.code for company in s.companies.values() if company.running and company.code != code]
    blocks = describe_blocking(s.board, find_bases(s), (action.hex, action.city), code, others)
    return f"worth {UNITS.money(stop.value or 0)} · {blocks}"


def _write_base(s: State, action: a.PlaceBase) -> str:
    where = places.write_hex(s.board.map.hexes, action.hex)
    cost = building.find_base_cost(s.companies[s.operating.code])
    return f"Build a base at {where} for {cost:,}cc · {_describe_site(s, action)}"


def _write_base_for_menu(s: State, action: a.PlaceBase) -> str:
    where, cost = (
        places.write_hex(s.board.map.hexes, action.hex),
        building.find_base_cost(s.companies[s.operating.code]),
    )
    return f"Base at {where} for {cost:,}cc"


def _write_private_for_menu(_: State, action: a.BuyPrivate | a.SellPrivate | a.Exchange | a.ClosePrivate) -> str:
    """Return what is done with a private company, by the first words of its name."""
    private = PRIVATES[action.private]
    name = private.name.removesuffix(" Company")
    match action:
        case a.BuyPrivate():
            return f"Buy {name} for £{private.price:,}"
        case a.SellPrivate():
            return f"Sell {name} for £{private.sold_for:,}"
        case a.Exchange():
            return f"Swap {name.partition(' & ')[0]} for 10% {private.railway}"
    return f"Close {name}"


def _write_dividend(s: State, action: a.Dividend) -> str:
    r = s.operating
    company = s.companies[r.code]
    if action.kind == "keep":
        return trading.describe_keeping(UNITS, company, f"{r.revenue:,}cc")
    return trading.describe_paying(UNITS, company, r.revenue)


def _write_train(s: State, action: a.BuyTrain) -> str:
    company = s.companies[s.operating.code]
    if action.seller not in s.companies:
        place = ", ".join(filter(None, ("bank", _describe_place_of_train(s, action))))
        return f"{action.train} · {place} · {action.price:,}cc{_describe_effects(s, action)}"
    seller = s.companies[action.seller]
    whose = "you direct both" if seller.director == company.director else f"{{{seller.director}}} is asked"
    return f"{action.train} · from {action.seller} · {whose}; its printed price is {TRAINS[action.train].price:,}cc"


def _describe_place_of_train(s: State, action: a.BuyTrain) -> str:
    """Return where a train of the bank lies if one of its kind lies elsewhere too (Buying Trains)."""
    if not trains.is_in_two_places(s, action.train):
        return ""
    return "from the pile" if action.seller == trains.PILE else "returned"


def _describe_effects(s: State, action: a.BuyTrain) -> str:
    """Return what a train of the bank leaves in the treasury, what rusts, and what is sold next if that is chosen."""
    left = s.companies[s.operating.code].cash - action.price
    uncovers = action.seller == trains.PILE and s.depot[action.train] == 1
    kinds = list(TRAINS)
    later = f"; {kinds[kinds.index(action.train) + 1]} is next" if uncovers else ""
    return f", leaves {left:,}cc{_describe_rust(s, action.train)}{later}"


def _describe_rust(s: State, name: str) -> str:
    """Return whose trains rust if this one is bought: the first of its kind begins a phase (Phases)."""
    kind = TRAINS[name]
    if not kind.rusts or kind.phase <= s.phase:
        return ""
    losers = [company.code for company in s.companies.values() if kind.rusts in company.trains]
    return f"; all {kind.rusts} then rust: {join_words(losers)}" if losers else f"; all {kind.rusts} then rust"


def _write_train_purchase(s: State, action: a.BuyTrain) -> str:
    if action.seller not in s.companies:
        lying = _describe_place_of_train(s, action)
        return f"Buy {action.train}{f' ({lying})' * bool(lying)} for {action.price:,}cc{_describe_effects(s, action)}"
    return f"Offer {action.seller} {action.price:,}cc for its {action.train}"


def write_pass(s: State) -> str:
    """Return what passing means now: "No track", "No base"; at a turn of a stock round that it is over."""
    r = s.round
    if isinstance(r, Operating):
        return rounds.describe_decline(r, s.companies[r.code], turn.DECLINES) if r.step in turn.DECLINES else "Pass"
    return "Done" if isinstance(r, Stock) and r.acted else "Pass"


_LABELS: trading.Labels[State] = {
    (Pass, ""): lambda s, _: write_pass(s),
    (a.Bid, ""): lambda _, action: f"Bid £{action.amount:,}",
    (a.Bid, "amount"): lambda _, action: f"£{action.amount:,}",
    (a.Start, ""): lambda _, action: trading.describe_start(UNITS, action.company, action.par, 2),
    (a.Start, "company"): lambda s, action: trading.describe_charter(s.companies[action.company].charter),
    (a.Start, "price"): lambda _, action: trading.describe_par(UNITS, action.par, 2),
    (a.BuyShare, ""): _write_share_purchase,
    (a.BuyShare, "share"): _write_share,
    (a.BuyPrivate, ""): lambda _, action: (
        f"Buy the {PRIVATES[action.private].name} for £{PRIVATES[action.private].price:,}"
    ),
    (a.BuyPrivate, "menu"): _write_private_for_menu,
    (a.BuyPrivate, "share"): _write_private,
    (a.Sell, ""): _write_sale,
    (a.Sell, "company"): _write_seller,
    (a.Sell, "count"): _write_block,
    (a.SellPrivate, ""): lambda _, action: (
        f"Sell the {PRIVATES[action.private].name} for £{PRIVATES[action.private].sold_for:,}"
    ),
    (a.SellPrivate, "menu"): _write_private_for_menu,
    (a.SellPrivate, "company"): _write_private,
    (a.Exchange, ""): lambda _, action: (
        f"Swap the {PRIVATES[action.private].name} for 10% {PRIVATES[action.private].railway}"
    ),
    (a.Exchange, "menu"): _write_private_for_menu,
    (a.Exchange, "private"): _write_private,
    (a.ClosePrivate, ""): lambda _, action: f"Close the {PRIVATES[action.private].name}",
    (a.ClosePrivate, "menu"): _write_private_for_menu,
    (a.ClosePrivate, "private"): _write_private,
    (LayTile, ""): _write_lay,
    (LayTile, "menu"): lambda s, action: places.write_lay_for_menu(s.board.map, action),
    (LayTile, "hex"): _write_hex,
    (LayTile, "choice"): _write_tile,
    (a.PlaceBase, ""): _write_base,
    (a.PlaceBase, "menu"): _write_base_for_menu,
    (a.PlaceBase, "city"): _write_city,
    (a.Run, ""): lambda _, action: trading.describe_run(action.plan, running.BEST),
    (a.Run, "plan"): lambda _, action: trading.describe_run_plan(action.plan, running.BEST),
    (a.Dividend, "choice"): _write_dividend,
    (a.Dividend, ""): _write_dividend,
    (a.BuyTrain, ""): _write_train_purchase,
    (a.BuyTrain, "train"): _write_train,
    (a.BuyTrain, "price"): lambda s, action: (
        f"{action.price:,}cc · leaves {s.companies[s.operating.code].cash - action.price:,}cc"
    ),
    (a.Answer, ""): lambda _, action: action.reply.capitalize(),
    (a.Answer, "reply"): lambda _, action: action.reply.capitalize(),
    (a.Counter, ""): lambda _, action: f"Ask for {action.price:,}cc instead",
    (a.Counter, "price"): lambda _, action: f"{action.price:,}cc",
    (a.Withdraw, ""): lambda *_: "Take the offer back",
    (a.Discard, ""): lambda _, action: f"Return {add_article(action.train)} to the bank",
    (a.Discard, "train"): lambda _, action: f"return {add_article(action.train)}",
}
