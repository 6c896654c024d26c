"""The sentences of the log."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.record import Event
from engine.titles.steel_driver import events as e
from engine.words import listed, nth

Names = Sequence[str]


def say(event: Event, names: Names) -> str:
    """Return an event as a sentence; ``names`` are the players by seat."""
    return _SAY[type(event)](event, names)


def _cubes_taken(event: e.CubesTaken, names: Names) -> str:
    held = ", ".join(f"{name} {count}" for name, count in zip(names, event.cubes, strict=True))
    return f"Turn {event.turn} begins: everyone takes {event.each} cubes ({held})."


def _opened(event: e.AuctionOpened, names: Names) -> str:
    return f"{names[event.seat]} puts {event.company} up for auction at {event.amount}."


def _raised(event: e.BidRaised, names: Names) -> str:
    return f"{names[event.seat]} bids {event.amount} for {event.company}."


def _dropped(event: e.DroppedOut, names: Names) -> str:
    if event.forced:
        return f"{names[event.seat]} has too few cubes to go above {event.amount} and is out."
    return f"{names[event.seat]} drops out."


def _won(event: e.CompanyWon, names: Names) -> str:
    paid = f"{names[event.seat]} wins {event.company} for {event.amount} (treasury {event.treasury})"
    return f"{paid}; the marker goes to {names[event.marker]}."


def _marker(event: e.MarkerPassed, names: Names) -> str:
    if event.forced:
        return f"{names[event.seat]} has no cubes: the marker goes to {names[event.to]}."
    return f"{names[event.seat]} passes the marker to {names[event.to]}."


def _auctions_ended(event: e.AuctionsEnded, names: Names) -> str:
    left = f"nobody took {', '.join(event.left)}" if event.left else "all six companies are controlled"
    return f"The auctions are over: {left}; the marker lies with {names[event.marker]}."


def _built(event: e.LinkBuilt, names: Names) -> str:
    scored = f"+${event.value}, profit ${event.profit}" if event.value else "no new profit"
    start = f", starting in {event.origin}" if event.first else ""
    forced = ", the only link possible" if event.forced else ""
    line = f"{event.origin}–{event.destination} for {event.cost}"
    return f"{event.company} ({names[event.seat]}) builds {line} ({scored}{start}{forced})."


def _joined(event: e.LineJoined, _: Names) -> str:
    others = f"; {', '.join(event.others)} ${event.other_bonus} each" if event.others else ""
    return f"The transcontinental link is made, {event.links} links: {event.builder} gains ${event.bonus}{others}."


def _passed(event: e.CompanyPassed, _: Names) -> str:
    return f"{event.company} passes, {nth(event.place)} of all: {event.reason}."


def _profit(event: e.ProfitTaken, names: Names) -> str:
    if event.seat < 0:
        return f"{event.company} made ${event.amount}, which nobody collects."
    return f"{names[event.seat]} takes ${event.amount} from {event.company}."


def _turn_ended(event: e.TurnEnded, names: Names) -> str:
    cash = ", ".join(f"{name} ${amount}" for name, amount in zip(names, event.cash, strict=True))
    return f"Turn {event.turn} ends: {cash}. Order of play: {', '.join(event.order)}."


def _goods_placed(event: e.GoodsPlaced, _: Names) -> str:
    counts = ", ".join(f"{count} {colour}" for colour, count in event.counts if count)
    return f"Final determination: treasuries are emptied, goods cubes are placed ({counts or 'none'})."


def _control(event: e.ControlTaken, names: Names) -> str:
    tie = ", next after the last controller among those tied" if event.tied else ""
    shares = "1 share" if event.shares == 1 else f"{event.shares} shares"
    return f"{names[event.seat]} controls {event.company} with {shares}{tie}."


def _claimed(event: e.CubeClaimed, names: Names) -> str:
    what = f"the {event.goods} cube of {event.place}"
    return f"{event.company} ({names[event.seat]}) claims {what}; its sets are worth ${event.worth}."


def _paid(event: e.SharesPaid, names: Names) -> str:
    to = ", ".join(f"{names[seat]} ${dollars} for {count}" for seat, count, dollars in event.to)
    return f"{event.company} is worth ${event.value} a share: {to}."


def _ended(event: e.GameEnded, names: Names) -> str:
    winners = listed([names[seat] for seat in event.winners])
    cash = ", ".join(f"{name} ${amount}" for name, amount in zip(names, event.cash, strict=True))
    why = "By agreement the game ends here" if event.agreed else "The game is over"
    return f"{why}: {winners} {'share the win' if len(event.winners) > 1 else 'wins'} ({cash})."


_SAY: Mapping[type[Event], Callable[[Any, Names], str]] = MappingProxyType(  # Any: each function takes its own event
    {
        e.CubesTaken: _cubes_taken,
        e.AuctionOpened: _opened,
        e.BidRaised: _raised,
        e.DroppedOut: _dropped,
        e.CompanyWon: _won,
        e.MarkerPassed: _marker,
        e.AuctionsEnded: _auctions_ended,
        e.LinkBuilt: _built,
        e.LineJoined: _joined,
        e.CompanyPassed: _passed,
        e.ProfitTaken: _profit,
        e.TurnEnded: _turn_ended,
        e.GoodsPlaced: _goods_placed,
        e.ControlTaken: _control,
        e.CubeClaimed: _claimed,
        e.SharesPaid: _paid,
        e.GameEnded: _ended,
    }
)
