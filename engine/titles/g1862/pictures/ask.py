"""What the game waits for, in a headline and a few lines."""

import msgspec

from engine.finance import rounds, trading
from engine.finance.events import name_round
from engine.printed import word_reading
from engine.title import Ask
from engine.titles.g1862 import ground, share_merge
from engine.titles.g1862.catalogue import UNITS
from engine.titles.g1862.pictures import label, mergers, say
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import COMPANY, DIRECTOR_SHARES, Merging, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import bidding, merging, running, shares, trains
from engine.words import join_words, pluralise

_PACKAGE = "engine.titles.g1862"
KINDS = {
    "home": "upgrade the home",
    "merge": "merge or go on",
    "track": "build track",
    "token": "place a marker",
    "run": "run trains",
    "dividend": "pay or keep",
    "train": "buy trains",
    "redeem": "redeem a share",
    "acquire": "acquire or end",
}
_RARE = ("redeem", "acquire")
_TYPES = {
    "freight": "Freight n: n hexes long; pays its two ends and £20 for each hex between, £30 to or from a port.",
    "local": "Local n: n large stations and every small one on the way, no port or red area; subsidy £10 a hex.",
    "express": "Express n: n large stations, ports and red areas; passes small stations.",
}
_PICTURES = {"dividend": ("map", "market"), "train": ("trains", "table"), "merge": ("map", "merger", "table"),
             "acquire": ("map", "merger", "table"), "redeem": ("table",)}  # fmt: skip

MAX_NAMES_CHARACTERS = 285
"""Characters of the names of companies in one line; they have two, and beyond that only their codes are told."""


def ask(s: State) -> Ask:
    """Return what the game waits for, from whom, and where it is written."""
    r, seats = s.round, turn.find_actors(s)
    if s.over:
        return trading.OVER
    if isinstance(r, Parliament):
        asked = _ask_parliament(s, r, seats)
    elif isinstance(r, Stock):
        asked = _ask_stock(s, r, seats)
    elif r.offer is not None:
        asked = _ask_offer(s, r)
    elif r.merging is not None and not r.removing:
        asked = _ask_option(s, r.merging, seats)
    else:
        asked = _ask_operating(s, r, seats)
    return msgspec.structs.replace(asked, rules=_list_topics(s, r), readings=_list_readings(s, r))


_TOPICS = {
    "home": ("The first build",),
    "merge": ("Connection", "The price after a merger"),
    "track": ("Building track", "Where tiles fit", "London"),
    "token": ("Station markers",),
    "run": ("Running trains", "Trains must run"),
    "dividend": ("Paying out or retaining", "Dividends and the price", "George Hudson"),
    "train": ("Buying trains", "A train is compulsory", "Raising money for a train"),
    "redeem": ("Redeeming",),
    "acquire": ("Acquisitions", "The price after a merger"),
}


def _list_topics(s: State, r: Parliament | Stock | Operating) -> tuple[str, ...]:
    """Return the topics of the rules about what can be done now."""
    if isinstance(r, Parliament):
        return (
            ("The charter",)
            if r.winner >= 0
            else ("The auction for a charter", "Players who must pass")
            if r.lot
            else ("Proposals", "Players who must pass")
        )
    if isinstance(r, Stock):
        special = (
            ("Station markers at flotation",)
            if r.choosing
            else ("Obligations", "Shares sold for a fine")
            if r.fines
            else ()
        )
        return special or (
            ("Above the certificate limit",)
            if shares.must_sell(s, r.turn)
            else ("A stock turn", "Buying a share", "Selling shares")
        )
    if r.offer is not None:
        return ("Consent to a merger",) if r.offer.kind == "merge" else ("Buying trains",)
    if r.merging is not None:
        return ("What the survivor gets",) if r.removing else ("Options",)
    return (*_TOPICS[r.step], *(("The turn without a director",) if s.companies[r.code].receivership else ()))


def _list_readings(s: State, r: Parliament | Stock | Operating) -> tuple[str, ...]:
    """Return how the table reads a disputed point, where it matters to the decision."""
    if isinstance(r, Stock) and r.fines and r.got[turn.find_actors(s)[0]]:
        return (word_reading(_PACKAGE, "62-6", other=not s.rules.fines_spare_new_shares),)
    if not isinstance(r, Operating):
        return ()
    if r.removing:
        return (word_reading(_PACKAGE, "62-45"),)
    company = s.companies[r.code]
    if r.offer is not None or r.merging is not None:
        return ()
    if r.step == "dividend" and r.revenue in [times * company.price for times in (2, 3, 4)]:
        return (word_reading(_PACKAGE, "62-46"),)
    sellers = {action.seller for action in trains.list_options(s, company.director)} if r.step == "train" else set()
    if all(seller == trains.BANK or s.companies[seller].director == company.director for seller in sellers):
        return ()
    alone = not s.rules.train_sales_need_consent
    if trains.is_short(s, company) and not (alone and s.rules.own_trains_before_money):
        return (word_reading(_PACKAGE, "62-48", other=not s.rules.own_trains_before_money),)
    return (word_reading(_PACKAGE, "62-47", other=alone),)


def _ask_parliament(s: State, r: Parliament, seats: tuple[int, ...]) -> Ask:
    pictures = ("parliament", "market")
    if r.winner >= 0:
        company = s.companies[r.lot]
        money = f"Cash £{s.cash[r.winner]:,}."
        if company.started:
            can_pay = s.cash[r.winner] >= (company.par or 0)
            more = f"You can buy up to {pluralise(r.extra, 'more share')} at £{company.par:,}."
            line = more if can_pay else f"A share of {r.lot} costs £{company.par:,}, so you can only finish."
            return Ask(seats, f"More shares of {r.lot}", "add shares", (f"{line} {money}",), r.lot, pictures)
        lines = (f"The director's certificate is three shares; the company floats with five. {money}",)
        return Ask(seats, f"Start {r.lot}", "choose the par", lines, r.lot, pictures)
    most = bidding.find_max_bid(s, r.turn)
    if r.lot:
        lowest, name = r.high + bidding.BID_STEP, s.companies[r.lot].charter.name
        raises = f"Raise to £{lowest:,}" + (f", or up to £{most:,}," if most > lowest else "") + " or pass and be out"
        words = f"{{{r.leader}}} leads with £{r.high:,}. {raises if most >= lowest else 'You must pass'}."
        words += trading.describe_dropouts(r.out)
        return Ask(seats, f"The charter of {name} ({r.lot}, {s.name})", "bid or pass", (words,), r.lot, pictures)
    offered = bidding.list_offered_companies(s)
    names = [f"{company.charter.name} ({company.code})" for company in offered]
    first = len(names) if len("; ".join(names)) <= MAX_NAMES_CHARACTERS else len(names) // 2
    parts = ["; ".join(part) for part in (names[:first], names[first:]) if part]  # "Norfolk & Suffolk, Joint Railway"
    if not parts or any(len(each) > MAX_NAMES_CHARACTERS for each in parts):
        parts = [", ".join(company.code for company in offered) or "none"]
    offer = (
        f"Propose a company with a bid of £0 to £{most:,}, or pass.",
        *[f"{'Available: ' * (each is parts[0])}{each}{'.' if each is parts[-1] else ';'}" for each in parts],
        *["A company's permit determines which type of train it can run."] * (not s.rules.simple),
    )
    return Ask(seats, f"Parliament ({s.name})", "propose or pass", offer, pictures=pictures)


def _ask_stock(s: State, r: Stock, seats: tuple[int, ...]) -> Ask:
    seat = seats[0]
    if r.choosing:
        company = s.companies[r.choosing]
        lines = (f"Treasury £{company.cash:,}; each marker costs £40, including the home marker.",)
        return Ask(seats, f"{r.choosing} has floated", "choose its markers", lines, r.choosing, ("map",))
    if r.fines:
        lines = (f"You owe £{r.fines[0].owed:,} for a company that didn't float; you must sell shares.",)
        return Ask(seats, f"A fine ({s.name})", "sell shares", lines, pictures=("table",))
    held = pluralise(s.count_certificates(seat), "certificate")
    lines_: list[str] = [f"Cash £{s.cash[seat]:,}, {held} of {s.limit} allowed."]
    lines_ += trading.describe_holdings(UNITS, s.companies.values(), seat)
    owed = [company.code for company in s.companies.values() if company.obliged == seat]
    if owed:
        lines_.append(f"Obligation: {join_words(owed)} must float in this round, or you are fined five times par.")
    if shares.must_sell(s, seat):
        lines_.append(trading.ABOVE_LIMIT)
    elif shares.is_above_limit(s, seat):
        lines_.append("Your sale took you above the certificate limit; sell down to it in your next turn.")
    if r.acted:
        lines_.append("You have sold shares; you can sell others, and buy a share or start a company.")
    else:
        lines_ += trading.describe_passes(r.passes, s.seats)
    return Ask(seats, name_round(s.name), "buy, sell or pass", tuple(lines_), pictures=("market", "table"))


def _ask_offer(s: State, r: Operating) -> Ask:
    offer = r.offer
    assert offer is not None
    company, other = s.companies[offer.company], s.companies[offer.other]
    if offer.kind == "merge":
        price = merging.find_new_price(company, other)
        pair = (company, other, s.companies[offer.survivor])
        survives = f"{offer.survivor} survives at £{price:,}"
        lines = (
            f"{offer.company} ({{{offer.proposer}}}) wants to merge with {offer.other}; {survives}.",
            f"Shares are merged two for one. {mergers.describe_succession(s, pair, '{{{}}}'.format)}",
        )
        return Ask((offer.decider,), "A merger is proposed", "accept or decline", lines, offer.other, ("merger",))
    seller = s.companies[offer.other]
    sold = trains.find_train(s, seller, offer.train)
    cost = f"for £{trains.find_resale_price(s, sold):,}" if sold is not None else "at its price"
    wish = f"{offer.company} ({{{offer.proposer}}}) wants to buy the {offer.train} of {offer.other} {cost}."
    return Ask((offer.decider,), "An offer for a train", "accept or decline", (wish,), offer.other, ("trains",))


def _ask_option(s: State, m: Merging, seats: tuple[int, ...]) -> Ask:
    what = "the director's certificate" if m.parts == DIRECTOR_SHARES else "one share"
    who, has = ("The treasury holds", "it has") if m.holder == COMPANY else ("You hold", "you have")
    lines = (
        f"{who} {what} of {m.survivor} as an option.",
        f"Pay £{m.redeem:,} to redeem it, or sell it for £{m.sell:,}; {has} £{share_merge.find_purse(s, m):,}.",
        "Shares are merged two for one.",
    )
    return Ask(seats, f"An option share of {m.survivor}", "redeem or sell", lines, m.survivor, ("merger",))


def _ask_operating(s: State, r: Operating, seats: tuple[int, ...]) -> Ask:
    company = s.companies[r.removing or r.code]
    place = rounds.describe_turn(s, r)
    if r.removing:
        surplus = merging.count_surplus_markers(s)
        line = f"It has {surplus} above the limit of {s.rules.markers}, counting both companies' markers."
        return Ask(seats, f"{r.removing} has too many markers", "remove a marker", (line,), r.removing, ("map",))
    has = ", ".join(map(label.describe_train, sorted(train.name for train in company.trains))) or "none"
    left = pluralise(company.unplaced, "marker")
    lines = [
        f"Treasury £{company.cash:,}, price £{company.price:,}, trains {has}, {left} left.",
        *([] if s.rules.simple else [f"It can run only {join_words(company.permits, 'or')} trains."]),
    ]
    if company.receivership:
        lines.append("In receivership: it doesn't build or merge, makes its best run and keeps everything.")
    lines += _list_step_lines(s, r)
    lines += rounds.describe_next_steps(r, KINDS, _RARE)
    kind = KINDS[r.step]
    return Ask(seats, f"{r.code} operates ({place})", kind, tuple(lines), r.code, _PICTURES.get(r.step, ("map",)))


def _list_step_lines(s: State, r: Operating) -> list[str]:
    """Return what matters at a step."""
    company = s.companies[r.code]
    if r.step == "track" and not r.laid and ground.list_due_homes(s, company):
        due = " or ".join(s.board.spec(hex_).full_name for hex_ in ground.list_due_homes(s, company))
        return [f"The first tile must be laid on {due}, for the home marker."]
    if r.step == "track" and r.laid:
        return [f"You have laid a tile on {say.name_hex(r.laid[0][0])}; you can lay another yellow tile without N."]
    if r.step == "track":
        return ["It can lay two yellow tiles, lay one with N, upgrade one tile, or build a small station."]
    if r.step == "dividend":
        added = running.find_hudson_addition(s, company)
        more = f" Hudson: £{added:,} from the treasury would lift it to the price." if added else ""
        return [f"It ran for £{r.revenue:,}" + (f" and £{r.subsidy:,} subsidy." if r.subsidy else ".") + more]
    if r.step == "train":
        band = trains.find_band_for_sale(s)
        faces = ", ".join(band.find_face(kind).name for kind in s.rules.types)
        need = " It must have a train, so raise the money for one." if trains.is_short(s, company) else ""
        warranty = f"a warranty for £{trains.WARRANTY_PRICE:,} adds one run after rust."
        sale = f"For sale: {faces} for £{band.price:,}; {warranty}{need}"
        return [sale, *(_TYPES[kind] for kind in running.list_permits(s, company))]
    return []
