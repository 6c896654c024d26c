"""Facts of 1860 in words, for the log and the line of result."""

from engine.finance import events as facts
from engine.finance.events import Names, Words, make_sentences, say_floated, say_revenue_kept, say_run, say_train_bought
from engine.rails import places
from engine.rails.laying import TileLaid, say_tile_laid
from engine.record import Event
from engine.titles.g1860 import events as e
from engine.titles.g1860.catalogue import MAPS, PRIVATES, UNITS, load_map
from engine.titles.g1860.worth import REASONS
from engine.words import add_article


def say(event: Event, names: Names) -> str:
    """Return a fact as a sentence; seats are told by ``names``."""
    return _WORDS[type(event)](event, names)


def _say_ran(event: facts.TrainsRan, _: Names) -> str:
    halts = f" and {event.subsidy}cc for halts" if event.subsidy else ""
    if event.leased:
        way = f" ({event.runs[0][1]})" if event.runs else ""
        return f"{event.company} leases {add_article(event.leased)}{way} and earns {event.revenue}cc{halts}."
    return say_run(UNITS, event, halts)


def name_hex(coord: str) -> str:
    """Return a hex by its name: "Shalcombe (C7)"."""
    return places.write_hex(load_map(MAPS[0]).hexes, coord)


def _say_base(event: e.BasePlaced, _: Names) -> str:
    return f"{event.company} builds a base at {name_hex(event.hex)}" + (f" for {event.cost}cc." if event.cost else ".")


def _say_offered(event: e.TrainOffered, names: Names) -> str:
    if event.countered:
        does = f"{event.seller} asks {event.buyer} for {event.price}cc for its {event.train}"
    else:
        does = f"{event.buyer} offers {event.seller} {event.price}cc for its {event.train}"
    return f"{does}; {names[event.seat]} must answer."


def _say_declined(event: e.OfferDeclined, names: Names) -> str:
    return f"{names[event.seat]} declines; {event.seller} keeps its {event.train}."


# One function a fact; each takes its own type of event, which the key names.
_WORDS: dict[type[Event], Words] = {
    **make_sentences(UNITS, REASONS),
    e.AuctionWon: lambda event, names: f"{names[event.seat]} wins the auction for £{event.amount}.",
    e.PrivateBought: lambda event, names: (
        f"{names[event.seat]} buys the {PRIVATES[event.private].name} for £{event.price}."
    ),
    e.PrivateSold: lambda event, names: (
        f"{names[event.seat]} sells the {PRIVATES[event.private].name} for £{event.price}."
    ),
    e.PrivateExchanged: lambda event, names: (
        f"{names[event.seat]} swaps the {PRIVATES[event.private].name} for 10% {event.company}."
    ),
    e.PrivateClosed: lambda event, _: f"The {PRIVATES[event.private].name} closes.",
    e.LayerOpened: lambda event, _: f"The companies of layer {event.layer} can now be started.",
    facts.CompanyFloated: lambda event, _: say_floated(event, f"{event.capital}cc"),
    e.BasePlaced: _say_base,
    e.HomeNotPlaced: lambda event, _: f"{event.company} floats too late for a home base, so it can never run.",
    TileLaid: lambda event, _: say_tile_laid(event, name_hex(event.hex), f"{event.cost}cc"),
    e.PrivatesPaid: lambda event, names: f"{names[event.seat]} gets £{event.amount} from private companies.",
    facts.TrainsRan: _say_ran,
    e.BonusEarned: lambda event, _: f"{event.company} reaches {event.destination}: {event.amount}cc.",
    facts.RevenueKept: lambda event, _: say_revenue_kept(event, f"{event.revenue}cc"),
    facts.TrainBought: lambda event, _: say_train_bought(event, f"{event.price}cc"),
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
    e.CompanyClosed: lambda event, _: f"British Rail closes {event.company} (it earned £{event.revenue}).",
}
