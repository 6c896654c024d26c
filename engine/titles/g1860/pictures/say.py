"""Facts of 1860 in words, for the log and the line of result."""

from engine.english import one
from engine.finance.events import BankBroke, GameEnded, Names, TopReached, Words, runs, words
from engine.rails import places
from engine.record import Event
from engine.titles.g1860 import events as e
from engine.titles.g1860.catalogue import PRIVATES, UNITS
from engine.titles.g1860.geography import MAPS, island
from engine.titles.g1860.worth import REASONS


def say(event: Event, names: Names) -> str:
    """Return a fact as a sentence; seats are told by ``names``."""
    return _WORDS[type(event)](event, names)


def _dividend(event: e.DividendPaid, names: Names) -> str:
    shares = ", ".join(f"{names[seat]} £{amount}" for seat, amount in enumerate(event.paid) if amount)
    return f"{event.company} pays £{event.revenue}" + (f": {shares}." if shares else "; nobody holds shares.")


def _kept(event: e.RevenueKept, _: Names) -> str:
    return f"{event.company} keeps {event.revenue}cc." if event.revenue else f"{event.company} earns nothing."


def _ran(event: e.TrainsRan, _: Names) -> str:
    halts = f" and {event.subsidy}cc for halts" if event.subsidy else ""
    if event.leased:
        way = f" ({event.runs[0][1]})" if event.runs else ""
        return f"{event.company} leases {one(event.leased)}{way} and keeps the {event.revenue}cc{halts}."
    told = runs(event.runs, UNITS.money)
    return f"{event.company} runs for £{event.revenue}{halts}" + (f": {told}." if told else ".")


def _bought(event: e.TrainBought, _: Names) -> str:
    seller = "the bank" if event.seller == "bank" else event.seller
    return f"{event.company} buys {one(event.train)} from {seller} for {event.price}cc."


def _phase(event: e.PhaseBegun, _: Names) -> str:
    rusted = f"; all {event.rusted} trains rust" if event.rusted else ""
    return f"Phase {event.phase} begins{rusted}."


def place(coord: str) -> str:
    """Return a hex by its name: "Shalcombe (C7)"."""
    return places.plain(island(MAPS[0]).hexes, coord)


def _tile(event: e.TileLaid, _: Names) -> str:
    cost = f" for {event.cost}cc" if event.cost else ""
    home = ", its home" if event.home else ""
    return f"{event.company} lays tile {event.tile} ↻{event.rotation} on {place(event.hex)}{home}{cost}."


def _base(event: e.BasePlaced, _: Names) -> str:
    return f"{event.company} builds a base at {place(event.hex)}" + (f" for {event.cost}cc." if event.cost else ".")


def _started(event: e.CompanyStarted, names: Names) -> str:
    return f"{names[event.seat]} starts {event.company} at par £{event.par} for £{event.price}."


def _offered(event: e.TrainOffered, names: Names) -> str:
    return (
        f"{event.buyer} offers {event.seller} {event.price}cc for its {event.train}; {names[event.seat]} must answer."
    )


def _declined(event: e.OfferDeclined, names: Names) -> str:
    return f"{names[event.seat]} declines; {event.seller} keeps its {event.train}."


# One function a fact; each takes its own type of event, which the key names.
_WORDS: dict[type[Event], Words] = {
    **words(UNITS),
    e.BidMade: lambda event, names: f"{names[event.seat]} bids £{event.amount}.",
    e.AuctionWon: lambda event, names: f"{names[event.seat]} wins the auction for £{event.amount}.",
    e.PrivateBought: lambda event, names: (
        f"{names[event.seat]} buys the {PRIVATES[event.private].name} for £{event.price}."
    ),
    e.PrivateSold: lambda event, names: (
        f"{names[event.seat]} sells the {PRIVATES[event.private].name} for £{event.price}."
    ),
    e.PrivateExchanged: lambda event, names: (
        f"{names[event.seat]} swaps the {PRIVATES[event.private].name} for 10 % {event.company}."
    ),
    e.PrivateClosed: lambda event, _: f"The {PRIVATES[event.private].name} closes.",
    e.CompanyStarted: _started,
    e.LayerOpened: lambda event, _: f"The companies of layer {event.layer} may be started now.",
    e.Floated: lambda event, _: f"{event.company} floats with {event.capital}cc.",
    e.BasePlaced: _base,
    e.HomeNotPlaced: lambda event, _: f"{event.company} floats too late for a home base, so it can never run.",
    e.TileLaid: _tile,
    e.PrivatesPaid: lambda event, names: f"{names[event.seat]} gets £{event.amount} from private companies.",
    e.TrainsRan: _ran,
    e.BonusEarned: lambda event, _: f"{event.company} reaches {event.destination}: {event.amount}cc.",
    e.DividendPaid: _dividend,
    e.RevenueKept: _kept,
    e.TrainBought: _bought,
    e.TrainOffered: _offered,
    e.OfferDeclined: _declined,
    e.OfferWithdrawn: lambda event, _: f"{event.buyer} takes back its offer for the {event.train} of {event.seller}.",
    e.TrainDiscarded: lambda event, _: f"{event.company} returns {one(event.train)} to the bank.",
    e.PhaseBegun: _phase,
    e.InsolvencyBegan: lambda event, _: f"{event.company} has no train and is insolvent: it leases one each turn.",
    e.InsolvencyEnded: lambda event, _: f"{event.company} is solvent again.",
    e.WentBankrupt: lambda event, _: f"{event.company} is bankrupt; its shares go back to the IPO.",
    e.SouthernFormed: lambda *_: "The Southern Railway is formed; track and bases end with this set of rounds.",
    e.TrackStopped: lambda *_: "No more track, bases or halts.",
    e.Nationalised: lambda *_: "The railways are nationalised: British Rail.",
    e.CompanyClosed: lambda event, _: f"British Rail closes {event.company} (it earned £{event.revenue}).",
    BankBroke: lambda *_: "The bank has run out of money.",
    TopReached: lambda event, _: f"{event.company} has reached the top of the market.",
    GameEnded: lambda event, _: f"The game is over: {REASONS[event.reason]}.",
}
