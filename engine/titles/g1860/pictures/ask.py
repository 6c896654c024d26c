"""What the game waits for, in a headline and a few lines."""

import msgspec

from engine.finance import rounds, trading
from engine.finance.events import name_round
from engine.printed import word_reading
from engine.title import Ask
from engine.titles.g1860.catalogue import CHARTERS, PRIVATES, TRAINS, UNITS
from engine.titles.g1860.pictures import say, sheets
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Auction, Offer, Operating, State, Stock
from engine.titles.g1860.steps import bidding, privates, shares, trains
from engine.words import add_article, join_words, pluralise

_PACKAGE = "engine.titles.g1860"
KINDS = {
    "discard": "return a train",
    "track": "lay track",
    "base": "build a base",
    "run": "run trains",
    "dividend": "pay or keep",
    "train": "buy trains",
}
_PICTURES = {"dividend": ("map", "market"), "train": ("trains", "table"), "discard": ("trains",)}


MAX_TRAIN_LIMIT = 9
"""Trains that a company may still own, above which the limit is none (Phases)."""


def ask(s: State) -> Ask:
    """Return what the game waits for, from whom, and where it is written."""
    return ask_seat(s, None)


def ask_seat(s: State, seat: int | None) -> Ask:
    """Return what the game waits for, with what a seat may know of treasuries that are hidden (Miscellaneous)."""
    r, seats = s.round, turn.find_actors(s)
    if s.over:
        return trading.OVER
    if isinstance(r, Auction):
        asked = _ask_auction(s, r, seats)
    elif isinstance(r, Stock):
        asked = _ask_stock(s, r, seats)
    else:
        asked = _ask_operating(s, r, seats, seat)
    return msgspec.structs.replace(asked, rules=_list_topics(s, r), readings=_list_readings(s, r))


_TOPICS = {
    "discard": ("Train limit",),
    "track": ("Tiles in a turn", "Yellow track must connect", "An upgrade must be of use"),
    "base": ("The price of a base", "Where bases go"),
    "run": ("Trains must run", "A run"),
    "dividend": ("Dividend", "Dividend and price"),
    "train": ("Buying trains", "A train must be bought"),
}


def _list_topics(s: State, r: Auction | Stock | Operating) -> tuple[str, ...]:
    """Return the topics of the rules about what can be done now."""
    if isinstance(r, Auction):
        return ("Choosing a lot",) if r.is_won else ("Bidding", "The highest bid allowed")
    if isinstance(r, Stock):
        return (
            ("Home tile",)
            if r.homes
            else ("At and above the limit",)
            if shares.is_above_limit(s, r.turn)
            else ("A stock turn", "Buying", "How sales move the price")
        )
    if r.offer is not None:
        return ("Buying trains", "The only train")
    return (*_TOPICS[r.step], *(("Insolvent companies", "Leasing") if s.companies[r.code].insolvent else ()))


def _list_readings(s: State, r: Auction | Stock | Operating) -> tuple[str, ...]:
    """Return how the table reads a disputed point, where it matters to the decision."""
    if not isinstance(r, Stock) or r.homes or s.rules.variable_privates:
        return ()
    owned = [code for code, owner in s.privates.items() if owner == r.turn and PRIVATES[code].railway]
    railways = [s.companies[PRIVATES[code].railway] for code in owned]
    if any(company.bankrupt and company.started for company in railways):
        return (word_reading(_PACKAGE, "60-33", other=not s.rules.exchange_after_flotation),)
    if any(company.started and shares.has_sold(s, r.turn, company.code) for company in railways):
        return (word_reading(_PACKAGE, "60-41"),)
    deals = (privates.list_buy_options(s, r.turn), privates.list_sell_options(s, r.turn))
    if r.passes == s.seats - 1 and any(True for each in deals for _ in each):
        return (word_reading(_PACKAGE, "60-36"),)
    return ()


def _describe_lot(lot: str) -> str:
    """Return a lot by its name, with what it costs at least."""
    name = PRIVATES[lot].name if lot in PRIVATES else CHARTERS[lot].name
    return f"{name} ({lot}, {'from ' * (lot not in PRIVATES)}£{bidding.find_lot_price(lot):,})"


def _ask_auction(s: State, r: Auction, seats: tuple[int, ...]) -> Ask:
    lots = f"Lots left: {', '.join(map(_describe_lot, r.lots))}."
    number = 7 - len(r.lots)
    if r.is_won:
        lines = (f"You won for £{r.high:,}; cash £{s.cash[r.chooser]:,}.", lots)
        return Ask(seats, f"Auction {number} of 6 is won", "choose a lot", lines, pictures=("lots",))
    most, least = bidding.find_max_bid(s, r.turn), r.high + bidding.MIN_RAISE
    range_ = f"Bid £{least:,} to £{most:,}, or pass" if most >= least else f"You can't bid £{least:,}, so you must pass"
    leads = f"{{{r.leader}}} leads with £{r.high:,}." if r.leader >= 0 else "No bids yet."
    leads += trading.describe_dropouts(r.passed)
    if r.leader < 0:
        leads += f" If all pass, {f'{{{r.passed[0]}}}' if r.passed else 'you'} must take a lot at its price."
    line = f"{range_}; the winner picks a lot and pays its price too."
    return Ask(
        seats,
        f"Auction {number} of 6",
        "bid or pass",
        (leads, line, lots),
        pictures=("lots",),
    )


def _ask_stock(s: State, r: Stock, seats: tuple[int, ...]) -> Ask:
    seat = seats[0]
    if r.homes:
        home = s.companies[r.homes[0]].charter
        return Ask(
            seats,
            f"{home.code} has floated",
            "lay the home tile",
            (f"Its home base needs a yellow tile on {home.place} ({home.home[0]}).",),
            home.code,
            ("map",),
        )
    limit = " (no limit now)" if s.unlimited else f" of {shares.find_certificate_limit(s)} allowed"
    lines = [f"Cash £{s.cash[seat]:,}, {pluralise(s.count_certificates(seat), 'certificate')}{limit}."]
    if shares.is_above_limit(s, seat):
        lines.append(trading.ABOVE_LIMIT)
    lines += trading.describe_holdings(UNITS, s.companies.values(), seat)
    if lame := [company.code for company in s.companies.values() if company.receivership]:
        lines.append(f"In receivership: {join_words(lame)}; the first player with two shares becomes director.")
    if r.acted:
        lines.append("You have sold shares; you can still buy one certificate.")
    else:
        lines += trading.describe_passes(r.passes, s.seats)
    return Ask(seats, name_round(s.name), "buy, sell or pass", tuple(lines), pictures=("market", "table"))


def _ask_offer(s: State, offer: Offer, place: str, seat: int | None) -> Ask:
    """Ask the director of the company that is to sell (Buying Trains)."""
    printed = f"its printed price is {TRAINS[offer.train].price:,}cc"
    if offer.proposer == s.companies[offer.seller].director:  # a counter-offer
        does = f"{offer.seller} ({{{offer.proposer}}}) asks {offer.buyer} for {offer.price:,}cc for its {offer.train}"
    else:
        does = f"{offer.buyer} ({{{offer.proposer}}}) offers {offer.seller} {offer.price:,}cc for its {offer.train}"
    line = f"{does}; {printed}."
    seller = s.companies[offer.seller]
    after = f"{offer.seller} has {join_words(sorted(seller.trains))} and {sheets.write_treasury(s, seller, seat)}."
    return Ask(
        (offer.decider,), f"An offer for a train ({place})", "accept or decline", (line, after), offer.seller,
        ("table", "trains"),
    )  # fmt: skip


def _describe_tiles_left(s: State, r: Operating) -> str:
    """Say which tiles can still be laid (Laying Track)."""
    if s.rules.accelerated_track:
        return "It can lay a yellow tile and upgrade another." if not r.laid else "It can still lay a second tile."
    if not r.laid:
        return "It can lay two yellow tiles without a city, lay one with a city, or upgrade one tile."
    return f"You have laid a tile on {say.name_hex(r.laid[0][0])}; you can lay another without a city."


_LEASES = {
    "standard": "40cc and 20cc for each stop, including halts",
    "original": "half of the revenue, and all of the subsidy for halts",
    "simplified": "40cc and 20cc for each stop the train could count",
}


def _ask_operating(s: State, r: Operating, seats: tuple[int, ...], seat: int | None) -> Ask:
    company = s.companies[r.code]
    place = rounds.describe_turn(s, r)
    if r.offer is not None:
        return _ask_offer(s, r.offer, place, seat)
    has = ", ".join(sorted(company.trains)) or "none"
    treasury = sheets.write_treasury(s, company, seat)  # where all read this, what is hidden stays so (Miscellaneous)
    bases = pluralise(company.unplaced, "base")
    lines = [f"Treasury {treasury}, price £{company.price:,}, trains {has}, {bases} left."]
    if company.insolvent and not company.trains and r.step in ("track", "base", "run"):
        pays = _LEASES[s.rules.insolvency]
        lines.append(
            f"Insolvent: it leases {add_article(trains.find_cheapest(s))} for {pays}; it keeps all of it, so its price "
            "falls."
        )
    if r.step == "track":
        lines.append(_describe_tiles_left(s, r))
    if r.step == "dividend":
        lines.append(f"It ran for £{r.revenue:,}" + (f" and {r.subsidy:,}cc for halts." if r.subsidy else "."))
    if r.step == "train":
        sale = ", ".join(f"{name} for {TRAINS[name].price:,}cc" for name in trains.list_for_sale(s))
        room = s.train_limit - len(company.trains)
        lines.append(
            f"For sale: {sale}" + (f"; {pluralise(room, 'more train')} allowed." if room < MAX_TRAIN_LIMIT else ".")
        )
    lines += rounds.describe_next_steps(r, KINDS)
    return Ask(
        seats, f"{r.code} operates ({place})", KINDS[r.step], tuple(lines), r.code, _PICTURES.get(r.step, ("map",))
    )
