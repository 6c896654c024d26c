"""Facts of 1860 in words, for the log and the line of result, and a stretch of a game in few words."""

from collections.abc import Iterator, Mapping, Sequence

from engine.brief import BidWon, Bit, Brief, Piece
from engine.finance import events as facts
from engine.finance.advice import TellPiece, make_pieces
from engine.finance.events import Names, Words, make_sentences, say_floated, say_revenue_kept, say_run, say_train_bought
from engine.finance.holdings import describe_rust, list_price_changes, list_threats
from engine.rails import places
from engine.rails.laying import TileLaid, say_tile_laid, tell_tile
from engine.record import Event
from engine.titles.g1860 import events as e
from engine.titles.g1860.catalogue import MAPS, PRIVATES, TRAINS, UNITS, load_map
from engine.titles.g1860.state import State
from engine.titles.g1860.steps.trains import find_next_train
from engine.titles.g1860.worth import REASONS
from engine.words import add_article


def say(event: Event, names: Names) -> str:
    """Return a fact as a sentence; seats are told by ``names``."""
    return _WORDS[type(event)](event, names)


def _say_ran(event: facts.TrainsRan, _: Names) -> str:
    halts = f" and {event.subsidy:,}cc for halts" if event.subsidy else ""
    if event.leased:
        way = f" ({event.runs[0][1]})" if event.runs else ""
        return f"{event.company} leases {add_article(event.leased)}{way} and earns {event.revenue:,}cc{halts}."
    return say_run(UNITS, event, halts)


def name_hex(coord: str) -> str:
    """Return a hex by its name: "Shalcombe (C7)"."""
    return places.write_hex(load_map(MAPS[0]).hexes, coord)


def _say_base(event: e.BasePlaced, _: Names) -> str:
    return f"{event.company} builds a base at {name_hex(event.hex)}" + (f" for {event.cost}cc." if event.cost else ".")


def _say_offered(event: e.TrainOffered, names: Names) -> str:
    if event.countered:
        does = f"{event.seller} asks {event.buyer} for {event.price:,}cc for its {event.train}"
    else:
        does = f"{event.buyer} offers {event.seller} {event.price:,}cc for its {event.train}"
    return f"{does}; {names[event.seat]} must answer."


def _say_declined(event: e.OfferDeclined, names: Names) -> str:
    return f"{names[event.seat]} declines; {event.seller} keeps its {event.train}."


# One function a fact; each takes its own type of event, which the key names.
_WORDS: dict[type[Event], Words] = {
    **make_sentences(UNITS, REASONS),
    e.AuctionWon: lambda event, names: f"{names[event.seat]} wins the auction for £{event.amount:,}.",
    e.PrivateBought: lambda event, names: (
        f"{names[event.seat]} buys the {PRIVATES[event.private].name} for £{event.price:,}."
    ),
    e.PrivateSold: lambda event, names: (
        f"{names[event.seat]} sells the {PRIVATES[event.private].name} for £{event.price:,}."
    ),
    e.PrivateExchanged: lambda event, names: (
        f"{names[event.seat]} swaps the {PRIVATES[event.private].name} for 10% {event.company}."
    ),
    e.PrivateClosed: lambda event, _: f"The {PRIVATES[event.private].name} closes.",
    e.LayerOpened: lambda event, _: f"The companies of layer {event.layer} can now be started.",
    facts.CompanyFloated: lambda event, _: say_floated(event, f"{event.capital:,}cc"),
    e.BasePlaced: _say_base,
    e.HomeNotPlaced: lambda event, _: f"{event.company} floats too late for a home base, so it can never run.",
    TileLaid: lambda event, _: say_tile_laid(event, name_hex(event.hex), f"{event.cost:,}cc"),
    e.PrivatesPaid: lambda event, names: f"{names[event.seat]} gets £{event.amount:,} from private companies.",
    facts.TrainsRan: _say_ran,
    e.BonusEarned: lambda event, _: f"{event.company} reaches {event.destination}: {event.amount:,}cc.",
    facts.RevenueKept: lambda event, _: say_revenue_kept(event, f"{event.revenue:,}cc"),
    facts.TrainBought: lambda event, _: say_train_bought(event, f"{event.price:,}cc"),
    e.TrainOffered: _say_offered,
    e.OfferDeclined: _say_declined,
    e.OfferWithdrawn: lambda event, _: f"{event.buyer} takes back its offer for the {event.train} of {event.seller}.",
    e.TrainDiscarded: lambda event, _: f"{event.company} returns {add_article(event.train)} to the bank.",
    e.InsolvencyBegan: lambda event, _: f"{event.company} has no train and is insolvent: it leases one each turn.",
    e.InsolvencyEnded: lambda event, _: f"{event.company} is solvent again.",
    e.WentBankrupt: lambda event, _: f"{event.company} is bankrupt; its shares go back to the IPO.",
    e.SouthernFormed: lambda *_: "The Southern Railway is formed; building ends after this set of operating rounds.",
    e.TrackStopped: lambda *_: "No more track or bases can be built, and halts no longer count.",
    e.Nationalised: lambda *_: "The railways are nationalised: British Rail.",
    e.CompanyClosed: lambda event, _: f"British Rail closes {event.company} (it earned £{event.revenue:,}).",
}


_PIECES: Mapping[type[Event], TellPiece] = {
    **make_pieces(UNITS, lambda amount: f"{amount:,}cc"),
    e.AuctionWon: lambda event, names, _: BidWon(names[event.seat], f"£{event.amount:,}"),
    e.PrivateBought: lambda event, names, _: Bit(
        names[event.seat], f"buys the {PRIVATES[event.private].name} for £{event.price:,}"
    ),
    TileLaid: tell_tile,
    e.BasePlaced: lambda event, *_: Bit(event.company, f"base at {places.name_place(load_map(MAPS[0]), event.hex)}"),
    e.PrivatesPaid: lambda *_: None,
}


def tell(event: Event, names: Sequence[str], seat: int) -> Piece | None:
    """Return the piece of a line that a fact is."""
    told = _PIECES.get(type(event))
    return told(event, names, seat) if told else Bit("", say(event, names).rstrip("."))


def list_concerns(before: State, after: State, seat: int, names: Sequence[str]) -> list[str]:
    """Return what a seat should know: prices of its shares, trains that rust soon, who could take its companies."""
    return [
        *list_price_changes(UNITS, before, after, seat),
        *list_trains_to_rust(after, seat),
        *list_threats(UNITS, after, seat, names),
    ]


def list_trains_to_rust(s: State, seat: int) -> Iterator[str]:
    """Yield the trains that rust with the kind that is sold now or next (Phases)."""
    on_sale = find_next_train(s)
    kinds = list(TRAINS)
    for name in kinds[kinds.index(on_sale) :][:2]:
        kind, left = TRAINS[name], 0 if name == on_sale else s.depot[on_sale]
        if kind.rusts and kind.phase > s.phase and 0 <= left <= 1:
            owners = [code for code, each in s.companies.items() if each.shares[seat] and kind.rusts in each.trains]
            yield from describe_rust(kind.rusts, owners, name, left)


BRIEF: Brief[State] = Brief(tell, list_concerns)

HEADLINES = (
    e.SouthernFormed, facts.TopReached, facts.BankBroke, e.WentBankrupt, facts.ReceivershipBegan, facts.PhaseBegun,
    facts.CompanyFloated, facts.DirectorChanged, e.InsolvencyBegan, e.LayerOpened, facts.CompanyStarted, e.AuctionWon,
)  # fmt: skip
"""Facts that a film tells of a round, those first that matter most."""
