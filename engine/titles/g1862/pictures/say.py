"""Facts of 1862 in words, for the log and the line of result, and a stretch of a game in few words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.brief import BidWon, Bit, Brief, Piece
from engine.finance import events as facts
from engine.finance.advice import TellPiece, make_pieces
from engine.finance.events import Names, Words, list_amounts, make_sentences, say_run, say_train_bought
from engine.finance.holdings import describe_rust, list_price_changes, list_threats
from engine.rails import places
from engine.rails.laying import TileLaid, say_tile_laid, tell_tile
from engine.rails.maps import name_side
from engine.record import Event
from engine.titles.g1862 import events as e
from engine.titles.g1862.catalogue import BANDS, UNITS, load_map
from engine.titles.g1862.state import COMPANY, State
from engine.titles.g1862.steps.trains import find_band_for_sale
from engine.titles.g1862.worth import REASONS
from engine.words import join_words, pluralise


def say(event: Event, names: Names) -> str:
    """Return a fact as a sentence; seats are told by ``names``."""
    return _WORDS[type(event)](event, names)


def _name_holder(names: Names, seat: int) -> str:
    return "The treasury" if seat == COMPANY else names[seat]


def _say_dividend(event: facts.DividendPaid, names: Names) -> str:
    added = f", £{event.added:,} of it from its treasury (Hudson)" if event.added else ""
    treasury = f"its treasury £{event.treasury:,}" * bool(event.treasury)
    parts = [part for part in (list_amounts(UNITS, event.paid, names), treasury) if part]
    return f"{event.company} pays £{event.revenue:,}{added}" + (f": {', '.join(parts)}." if parts else ".")


def _say_ran(event: facts.TrainsRan, _: Names) -> str:
    return say_run(UNITS, event, f" and a subsidy of £{event.subsidy:,}" if event.subsidy else "")


def _say_corrected(event: e.RunCorrected, _: Names) -> str:
    return (
        f"Recorded for {event.company}: £{event.revenue:,} and £{event.subsidy:,} subsidy; the rules give "
        f"£{event.our_revenue:,} and £{event.our_subsidy:,}."
    )


def _say_bought(event: facts.TrainBought, _: Names) -> str:
    more = f" and {pluralise(event.warranties, 'warranty', 'warranties')}" if event.warranties else ""
    return say_train_bought(event, UNITS.money(event.price), more)


def name_hex(coord: str) -> str:
    """Return a hex by its name: "Ely (C8)"."""
    return places.write_hex(load_map().hexes, coord)


def _say_home(event: e.HomePlaced, _: Names) -> str:
    if event.displaced:
        return (
            f"{event.company} places its home marker on {name_hex(event.hex)}; {event.displaced} loses its own there."
        )
    waits = ", where it waits for a tile with a free space" if event.waits else ""
    return f"{event.company} places its home marker on {name_hex(event.hex)}{waits}."


def _say_station(event: e.StationBuilt, _: Names) -> str:
    line = f"{name_side(event.a)} to {name_side(event.b)}"
    return f"{event.company} builds a small station on {name_hex(event.hex)}, on the line {line}."


def _say_offer(event: e.OfferMade, names: Names) -> str:
    asks = f"{names[event.proposer]} asks {names[event.decider]}"
    if event.kind == "merge":
        return f"{asks} to merge {event.other} with {event.company}: {event.detail}."
    return f"{asks} for a train of {event.other}: {event.detail}, for {event.company}."


def _say_swapped(event: e.SharesSwapped, names: Names) -> str:
    source = "the pool" if event.source == "pool" else _name_holder(names, int(event.source)).lower()
    if event.source not in ("pool", str(COMPANY)):
        source = names[int(event.source)]
    return f"{_name_holder(names, event.seat)} swaps 10% {event.other} for 10% {event.survivor} from {source}."


def _say_bankrupt(event: e.WentBankrupt, names: Names) -> str:
    paid = list_amounts(UNITS, event.paid, names)
    return f"{event.company} is bankrupt" + (f"; its shares bring {paid}." if paid else "; its shares bring nothing.")


def _say_failed(event: e.CharterFailed, names: Names) -> str:
    return f"{event.company} hasn't floated: {names[event.seat]} is fined £{event.fine:,}."


# One function a fact; each takes its own type, which the key names.
_WORDS: dict[type[Event], Words] = {
    **make_sentences(UNITS, REASONS),
    e.CharterWon: lambda event, names: (
        f"{names[event.seat]} gets the charter of {event.company} for £{event.amount:,}."
    ),
    e.MarkersBought: lambda event, _: (
        f"{event.company} buys {pluralise(event.count, 'station marker')} for £{event.cost:,}."
    ),
    facts.TopReached: lambda event, _: f"{event.company} is at the top: the game ends with this operating round.",
    facts.BankBroke: lambda _event, _: "The bank has run out: the game ends with this set of operating rounds.",
    e.CharterFailed: _say_failed,
    e.FinePaid: lambda event, names: (
        f"{names[event.seat]} pays £{event.amount} of the fine" + (f"; £{event.owed} is left." if event.owed else ".")
    ),
    e.DebtLapsed: lambda event, names: f"{names[event.seat]} has nothing left; £{event.amount} of the fine is waived.",
    e.HomePlaced: _say_home,
    TileLaid: lambda event, _: say_tile_laid(event, name_hex(event.hex)),
    e.StationBuilt: _say_station,
    e.LondonLinked: lambda event, _: f"{event.company} builds its link to London.",
    e.MarkerPlaced: lambda event, _: f"{event.company} places a station marker on {name_hex(event.hex)}.",
    e.MarkerRemoved: lambda event, _: f"The marker of {event.company} on {name_hex(event.hex)} is removed.",
    facts.TrainsRan: _say_ran,
    e.RunCorrected: _say_corrected,
    facts.DividendPaid: _say_dividend,
    e.TrainsRusted: lambda event, _: f"{event.company} loses its {join_words(event.trains)} to rust.",
    facts.TrainBought: _say_bought,
    e.LnerAnnounced: lambda _event, _: "The LNER will form at the end of this set of operating rounds.",
    e.LnerFormed: lambda event, _: (
        f"The LNER forms; the certificate limit is {event.limit}, and sales no longer lower prices."
    ),
    e.OfferMade: _say_offer,
    e.OfferAccepted: lambda event, names: f"{names[event.seat]} agrees.",
    e.OfferDeclined: lambda event, names: f"{names[event.seat]} declines.",
    e.OfferWithdrawn: lambda event, names: f"{names[event.seat]} takes the proposal back.",
    e.MergerBegan: lambda event, _: (
        f"{event.other} merges into {event.survivor}: price £{event.price:,}, par £{event.par:,}."
    ),
    e.SharesReturned: lambda event, names: (
        f"{_name_holder(names, event.seat)} returns {event.count * 10}% {event.company} to the pool."
    ),
    e.SharesSwapped: _say_swapped,
    e.SharesCashed: lambda event, names: (
        f"{_name_holder(names, event.seat)} sells {event.count * 10}% {event.company} to the bank for "
        f"£{event.amount:,}: there is nothing to swap it for."
    ),
    e.CertificateSwapped: lambda event, names: (
        f"{_name_holder(names, event.seat)} swaps the director's certificate of {event.company} for ordinary shares."
    ),
    e.CertificatesExchanged: lambda event, names: (
        f"{names[event.seat]} swaps the director's certificate of {event.other} for that of {event.survivor}."
    ),
    e.OptionRedeemed: lambda event, names: f"{_name_holder(names, event.seat)} redeems the option for £{event.amount}.",
    e.OptionSold: lambda event, names: f"{_name_holder(names, event.seat)} gives the option up for £{event.amount:,}.",
    e.MergerEnded: lambda event, _: f"{event.survivor} takes over everything {event.other} had.",
    e.RefinancingBegan: lambda event, _: f"{event.company} merges its own shares to raise money.",
    e.Refinanced: lambda event, _: f"{event.company} is refinanced with £{event.amount:,}.",
    e.TreasurySold: lambda event, _: (
        f"{event.company} sells {event.count * 10}% from its treasury for £{event.amount:,}."
    ),
    e.WentBankrupt: _say_bankrupt,
    e.ShareRedeemed: lambda event, _: f"{event.company} redeems 10% for £{event.price:,}.",
}


def _say_rust(trains: Sequence[str]) -> str:
    """Return which trains rust: "2 × 2L, 2F rust"."""
    counts = Counter(trains)
    named = ", ".join(f"{count} × {train}" if count > 1 else train for train, count in counts.items())
    return f"{named} {'rust' if len(trains) > 1 else 'rusts'}"


def _tell_bankrupt(event: e.WentBankrupt, names: Names, _: int) -> Piece:
    paid = list_amounts(UNITS, event.paid, names)
    return Bit(event.company, "bankrupt" + (f" (its shares bring {paid})" if paid else ""))


_PIECES: Mapping[type[Event], TellPiece] = {
    **make_pieces(UNITS, UNITS.money),
    e.CharterWon: lambda event, names, _: BidWon(names[event.seat], UNITS.money(event.amount), event.company),
    TileLaid: tell_tile,
    e.MarkersBought: lambda event, *_: Bit(event.company, "buys # marker", "buys # markers", amount=event.count),
    e.StationBuilt: lambda event, *_: Bit(event.company, "a small station", "# small stations", "station", 1),
    e.LondonLinked: lambda event, *_: Bit(event.company, "links London"),
    e.MarkerPlaced: lambda event, *_: Bit(event.company, f"marker at {places.name_place(load_map(), event.hex)}"),
    e.TrainsRusted: lambda event, *_: Bit(event.company, _say_rust(event.trains)),
    e.MarkerRemoved: lambda event, *_: Bit(
        event.company,
        f"marker at {places.name_place(load_map(), event.hex)} removed",
        "# markers removed",
        "removed",
        1,
    ),
    e.CharterFailed: lambda event, names, _: Bit(
        names[event.seat], f"fined £{event.fine:,}, as {event.company} hasn't floated"
    ),
    e.FinePaid: lambda event, names, _: Bit(names[event.seat], "pays £# of it", key="fine", amount=event.amount),
    e.DebtLapsed: lambda event, names, _: Bit(names[event.seat], f"£{event.amount:,} waived"),
    e.OfferAccepted: lambda event, names, _: (  # a train that was agreed to is told
        Bit(names[event.seat], f"agrees to merge {event.other} with {event.company}") if event.kind == "merge" else None
    ),
    e.MergerBegan: lambda event, *_: Bit(
        event.survivor, f"takes over {event.other} (price £{event.price:,}, par £{event.par:,})"
    ),
    e.OptionRedeemed: lambda event, names, _: Bit(
        _name_holder(names, event.seat), "redeems options for £#", key="redeem", amount=event.amount
    ),
    e.OptionSold: lambda event, names, _: Bit(
        _name_holder(names, event.seat), "gives options up for £#", key="give", amount=event.amount
    ),
    e.SharesCashed: lambda event, names, _: Bit(
        _name_holder(names, event.seat),
        f"sells #% {event.company} to the bank",
        key=f"cash {event.company}",
        amount=10 * event.count,
    ),
    e.RefinancingBegan: lambda *_: None,
    e.Refinanced: lambda event, *_: Bit(event.company, f"refinanced with £{event.amount:,}"),
    e.WentBankrupt: _tell_bankrupt,
    e.LnerAnnounced: lambda *_: Bit("", "The LNER forms after these operating rounds"),
    e.LnerFormed: lambda event, *_: Bit(
        "", f"The LNER forms: {event.limit} certificates allowed, sales don't lower prices"
    ),
    e.ShareRedeemed: lambda event, *_: Bit(event.company, "redeems #%", key="redeem", amount=10),
    e.TreasurySold: lambda event, *_: Bit(event.company, "sells #% of its own", key="own", amount=10 * event.count),
    e.SharesReturned: lambda *_: None,  # how a merger deals with each share; that it took place is told
    e.SharesSwapped: lambda *_: None,
    e.CertificateSwapped: lambda *_: None,
    e.CertificatesExchanged: lambda *_: None,
    e.MergerEnded: lambda *_: None,
}


def tell(event: Event, names: Sequence[str], seat: int) -> Piece | None:
    """Return the piece of a line that a fact is."""
    told = _PIECES.get(type(event))
    if told:
        return told(event, names, seat)
    if isinstance(event, e.HomePlaced) and not event.displaced:
        return Bit(event.company, f"home at {places.name_place(load_map(), event.hex)}") if seat >= 0 else None
    return Bit("", say(event, names).rstrip("."))


def list_concerns(before: State, after: State, seat: int, names: Sequence[str]) -> list[str]:
    """Return what a seat should know: prices of its shares, trains that rust soon, who could take its companies."""
    return [
        *list_price_changes(UNITS, before, after, seat),
        *list_trains_to_rust(after, seat),
        *list_threats(UNITS, after, seat, names),
    ]


def list_trains_to_rust(s: State, seat: int) -> Iterator[str]:
    """Yield the trains without a warranty that rust with the band that is sold now or next (§9.0)."""
    on_sale, bands = find_band_for_sale(s).name, list(BANDS)
    for name in bands[bands.index(on_sale) :][:2]:
        left = 0 if name == on_sale else s.depot[on_sale]
        old = {each.name for each in BANDS.values() if each.rusts_at == name}
        if s.has_begun(name) or not 0 <= left <= 1 or (s.rules.shorter and old == {"D"}):
            continue
        trains = {
            code: [train.face for train in company.trains if train.printed.band in old and not train.stars]
            for code, company in s.companies.items()
            if company.shares[seat]
        }
        faces = sorted({face for each in trains.values() for face in each})
        yield from describe_rust(join_words(faces), [code for code, each in trains.items() if each], name, left)


BRIEF: Brief[State] = Brief(tell, list_concerns)

HEADLINES = (
    e.LnerFormed, e.LnerAnnounced, facts.TopReached, facts.BankBroke, e.WentBankrupt, e.MergerBegan, e.Refinanced,
    e.CharterFailed, facts.PhaseBegun, facts.CompanyFloated, facts.DirectorChanged, e.CharterWon, facts.CompanyStarted,
)  # fmt: skip
"""Facts that a film tells of a round, those first that matter most."""
