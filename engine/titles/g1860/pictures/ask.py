"""What the game waits for, in a headline and a few lines."""

from engine.title import Ask
from engine.titles.g1860.pictures import sheets
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import STEPS, Auction, Operating, State, Stock
from engine.titles.g1860.steps import bidding, dealing, trains

KINDS = {
    "discard": "return a train",
    "track": "lay track",
    "base": "build a base",
    "run": "run trains",
    "dividend": "pay or keep",
    "train": "buy trains",
}
_PICTURES = {"dividend": ("map", "market"), "train": ("trains", "table"), "discard": ("trains",)}


def ask(s: State) -> Ask:
    """Return what the game waits for, and from whom."""
    seats = turn.actors(s)
    r = s.round
    if s.over:
        return Ask((), "The game is over", "", pictures=("table", "chart", "map"))
    if isinstance(r, Auction):
        return _auction(s, r, seats)
    if isinstance(r, Stock):
        return _stock(s, r, seats)
    return _operating(s, r, seats)


def _auction(s: State, r: Auction, seats: tuple[int, ...]) -> Ask:
    lots = f"Lots left: {', '.join(r.lots)}."
    if r.chooser >= 0:
        return Ask(
            seats,
            "Choose a lot",
            "choose a lot",
            (f"You won for £{r.high}; cash £{s.cash[r.chooser]}.", lots),
            pictures=("lots",),
        )
    most = bidding.ceiling(s, r.turn)
    line = f"Bid £{r.high + bidding.RAISE} to £{most}, or pass; the winner picks a lot and pays its value too."
    return Ask(seats, f"Auction {7 - len(r.lots)} of 6", "bid or pass", (line, lots), pictures=("lots",))


def _stock(s: State, r: Stock, seats: tuple[int, ...]) -> Ask:
    seat = seats[0]
    if r.homes:
        home = s.companies[r.homes[0]].charter
        return Ask(
            seats,
            f"{home.code} has floated",
            "lay the home tile",
            (f"Lay a yellow tile on {home.place}.",),
            home.code,
            ("map",),
        )
    limit = "" if s.unlimited else f" of {dealing.limit(s)}"
    lines = [f"Cash £{s.cash[seat]}, {s.certificates(seat)} certificates{limit}."]
    if dealing.over(s, seat):
        lines.append("You are above the certificate limit: sell first.")
    if r.acted:
        lines.append("You have sold; buy one certificate, or be done.")
    return Ask(seats, s.name, "buy, sell or pass", tuple(lines), pictures=("market", "table"))


def _operating(s: State, r: Operating, seats: tuple[int, ...]) -> Ask:
    company = s.companies[r.code]
    place = f"{s.name}, {r.index + 1} of {len(r.order)}"
    if r.offer is not None:
        offer = r.offer
        line = f"{offer.buyer} and {offer.seller}: the {offer.train} for {offer.price}cc?"
        return Ask(
            (offer.decider,),
            f"An offer for a train ({place})",
            "accept or decline",
            (line,),
            offer.seller,
            ("table", "trains"),
        )
    has = " ".join(sorted(company.trains)) or "none"
    treasury = sheets.treasury(s, company, None)  # all read this: what is hidden stays so (10.4)
    lines = [f"Treasury {treasury}, price {company.price}, trains {has}, {company.unplaced} bases left."]
    if r.step == "dividend":
        lines.append(f"It ran for £{r.revenue}" + (f" and {r.subsidy}cc for halts." if r.subsidy else "."))
    if r.step == "train":
        lines.append(f"For sale: {', '.join(trains.for_sale(s))}.")
    later = [KINDS[step] for step in STEPS[STEPS.index(r.step) + 1 :] if step in KINDS]
    if later:
        lines.append(f"Then: {' → '.join(later)}.")
    return Ask(
        seats, f"{r.code} operates ({place})", KINDS[r.step], tuple(lines), r.code, _PICTURES.get(r.step, ("map",))
    )
