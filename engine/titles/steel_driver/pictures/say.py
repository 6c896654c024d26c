"""The sentences of the log, and the same in few words."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.brief import BidFor, BidWon, Bit, Brief, Heading, PassMade, Piece
from engine.record import Event
from engine.titles.steel_driver import events as e
from engine.titles.steel_driver.score import find_controller
from engine.titles.steel_driver.state import State
from engine.words import join_words, pluralise, write_ordinal

Names = Sequence[str]


def say(event: Event, names: Names) -> str:
    """Return an event as a sentence; ``names`` are the players by seat."""
    return _SAY[type(event)](event, names)


def _say_cubes_taken(event: e.CubesTaken, names: Names) -> str:
    held = ", ".join(f"{name} {count}" for name, count in zip(names, event.cubes, strict=True))
    return f"Turn {event.turn} begins: everyone takes {event.each} cubes ({held})."


def _say_opened(event: e.AuctionOpened, names: Names) -> str:
    return f"{names[event.seat]} puts {event.company} up for auction at {event.amount}."


def _say_raised(event: e.BidRaised, names: Names) -> str:
    return f"{names[event.seat]} bids {event.amount} for {event.company}."


def _say_dropped(event: e.DroppedOut, names: Names) -> str:
    if event.forced:
        return f"{names[event.seat]} has too few cubes to go above {event.amount} and is out."
    return f"{names[event.seat]} drops out."


def _say_won(event: e.CompanyWon, names: Names) -> str:
    paid = f"{names[event.seat]} wins {event.company} for {event.amount} (treasury {event.treasury})"
    return f"{paid}; the marker goes to {names[event.marker]}."


def _say_marker_passed(event: e.MarkerPassed, names: Names) -> str:
    if event.forced:
        return f"{names[event.seat]} has no cubes: the marker goes to {names[event.to]}."
    return f"{names[event.seat]} passes the marker to {names[event.to]}."


def _say_auctions_ended(event: e.AuctionsEnded, names: Names) -> str:
    left = f"no one took {', '.join(event.left)}" if event.left else "all six companies are controlled"
    return f"The auctions are over: {left}; the marker is with {names[event.marker]}."


def _say_built(event: e.LinkBuilt, names: Names) -> str:
    scored = f"+${event.value:,}, profit ${event.profit:,}" if event.value else "no new profit"
    start = f", starting in {event.origin}" if event.first else ""
    forced = ", the only link possible" if event.forced else ""
    line = f"{event.origin}–{event.destination} for {event.cost}"
    return f"{event.company} ({names[event.seat]}) builds {line} ({scored}{start}{forced})."


def _say_joined(event: e.LineJoined, _: Names) -> str:
    others = f"; {', '.join(event.others)} ${event.other_bonus:,} each" if event.others else ""
    return f"The transcontinental link is complete ({event.links} links): {event.builder} gains ${event.bonus}{others}."


def _say_passed(event: e.CompanyPassed, _: Names) -> str:
    return f"{event.company} is the {write_ordinal(event.place)} to pass: {event.reason}."


def _say_profit(event: e.ProfitTaken, names: Names) -> str:
    if event.seat < 0:
        return f"{event.company} made ${event.amount:,}, which no one collects."
    return f"{names[event.seat]} takes ${event.amount:,} from {event.company}."


def _say_turn_ended(event: e.TurnEnded, names: Names) -> str:
    cash = ", ".join(f"{name} ${amount:,}" for name, amount in zip(names, event.cash, strict=True))
    return f"Turn {event.turn} ends: {cash}. Order of play: {', '.join(event.order)}."


def _say_goods_placed(event: e.GoodsPlaced, _: Names) -> str:
    counts = ", ".join(f"{count} {colour}" for colour, count in event.counts if count)
    return f"Final determination: treasuries are emptied, goods cubes are placed ({counts or 'none'})."


def _say_control(event: e.ControlTaken, names: Names) -> str:
    tie = ", the first clockwise of those tied" if event.tied else ""
    shares = "1 share" if event.shares == 1 else f"{event.shares} shares"
    return f"{names[event.seat]} controls {event.company} with {shares}{tie}."


def _say_claimed(event: e.CubeClaimed, names: Names) -> str:
    what = f"the {event.goods} cube of {event.place}"
    return f"{event.company} ({names[event.seat]}) claims {what}; its sets are worth ${event.worth:,}."


def _say_paid(event: e.SharesPaid, names: Names) -> str:
    to = ", ".join(f"{names[seat]} ${dollars:,} for {count}" for seat, count, dollars in event.to)
    return f"{event.company} is worth ${event.value:,} a share: {to}."


def _say_ended(event: e.GameEnded, names: Names) -> str:
    winners = join_words([names[seat] for seat in event.winners])
    cash = ", ".join(f"{name} ${amount:,}" for name, amount in zip(names, event.cash, strict=True))
    why = "The game ends here by agreement" if event.agreed else "The game is over"
    return f"{why}: {winners} {'share the win' if len(event.winners) > 1 else 'wins'} ({cash})."


_SAY: Mapping[type[Event], Callable[[Any, Names], str]] = MappingProxyType(  # Any: each function takes its own event
    {
        e.CubesTaken: _say_cubes_taken,
        e.AuctionOpened: _say_opened,
        e.BidRaised: _say_raised,
        e.DroppedOut: _say_dropped,
        e.CompanyWon: _say_won,
        e.MarkerPassed: _say_marker_passed,
        e.AuctionsEnded: _say_auctions_ended,
        e.LinkBuilt: _say_built,
        e.LineJoined: _say_joined,
        e.CompanyPassed: _say_passed,
        e.ProfitTaken: _say_profit,
        e.TurnEnded: _say_turn_ended,
        e.GoodsPlaced: _say_goods_placed,
        e.ControlTaken: _say_control,
        e.CubeClaimed: _say_claimed,
        e.SharesPaid: _say_paid,
        e.GameEnded: _say_ended,
    }
)


def tell(event: Event, names: Names, seat: int) -> Piece | None:
    """Return the piece of a line that a fact is."""
    told = _PIECES.get(type(event))
    return told(event, names, seat) if told else Bit("", say(event, names).rstrip("."))


def _tell_built(event: e.LinkBuilt, names: Names, seat: int) -> Piece:
    """Return a link in few words; what it cost is told to a seat, the result of a turn leaves it to the map."""
    earned = f"+${event.value:,}" if event.value else "no profit"
    more = f" for {event.cost} ({earned})" if seat >= 0 else f" {earned}"
    return Bit(
        f"{event.company} ({names[event.seat]})",
        f"{event.origin}–{event.destination}{more}",
        f"# links, the last to {event.destination}",
        "link",
        1,
    )


def _tell_joined(event: e.LineJoined, *_: object) -> Piece:
    others = f", {join_words(event.others)} +${event.other_bonus:,}" if event.others else ""
    return Bit("", f"Transcontinental link: {event.builder} +${event.bonus:,}{others}")


def _tell_goods(event: e.GoodsPlaced, *_: object) -> Piece:
    counts = ", ".join(f"{count} {colour}" for colour, count in event.counts if count)
    return Bit("", f"Final determination: {counts or 'no'} cubes")


def _tell_claimed(event: e.CubeClaimed, names: Names, _: int) -> Piece:
    about = f"{event.company} ({names[event.seat]})"
    return Bit(about, f"claims {event.goods}", f"claims # cubes, sets ${event.worth:,}", "cube", 1)


_PIECES: Mapping[type[Event], Callable[[Any, Names, int], Piece | None]] = MappingProxyType(
    {
        e.CubesTaken: lambda event, *_: Heading(f"Turn {event.turn}"),
        e.AuctionOpened: lambda event, names, _: BidFor(names[event.seat], str(event.amount), event.company),
        e.BidRaised: lambda event, names, _: BidFor(names[event.seat], str(event.amount), event.company),
        e.DroppedOut: lambda event, names, _: PassMade(names[event.seat]),
        e.CompanyWon: lambda event, names, _: BidWon(names[event.seat], pluralise(event.amount, "cube"), event.company),
        e.MarkerPassed: lambda event, names, _: PassMade(names[event.seat]),
        e.LinkBuilt: _tell_built,
        e.CompanyPassed: lambda event, *_: Bit("Out of the round", event.company, follows=True),
        e.AuctionsEnded: lambda event, *_: Bit(
            "", f"Auctions over{f': no one took {join_words(event.left)}' if event.left else ''}"
        ),
        e.LineJoined: _tell_joined,
        e.GoodsPlaced: _tell_goods,
        e.ControlTaken: lambda event, names, _: Bit("Control", f"{event.company} to {names[event.seat]}", follows=True),
        e.SharesPaid: lambda event, *_: Bit("A share is worth", f"{event.company} ${event.value:,}", follows=True),
        e.ProfitTaken: lambda *_: None,  # each link says what it earned, and the turn's end what players have
        e.CubeClaimed: _tell_claimed,
        e.TurnEnded: lambda event, names, _: Bit(
            "", f"Turn {event.turn} ends: " + ", ".join(f"{n} ${d:,}" for n, d in zip(names, event.cash, strict=True))
        ),
    }
)


def list_concerns(before: State, after: State, seat: int, names: Names) -> list[str]:
    """Return what a seat should know: its cubes and dollars, and who could control a company instead of it."""
    found = []
    if (before.cubes[seat], before.cash[seat]) != (after.cubes[seat], after.cash[seat]):
        cubes = pluralise(after.cubes[seat], "cube")
        found.append(f"You have {cubes} (had {before.cubes[seat]}) and ${after.cash[seat]:,}")
    for brand, company in zip(after.board.companies, after.companies, strict=True):
        if find_controller(company)[0] != seat:
            continue
        most, other = max((count, -other) for other, count in enumerate(company.shares) if other != seat)
        if most and most >= company.shares[seat] - 1:
            held = pluralise(most, "share")
            found.append(f"{names[-other]} has {held} in {brand.name}, you {company.shares[seat]}")
    return found


BRIEF: Brief[State] = Brief(tell, list_concerns)

HEADLINES = (e.LineJoined,)
"""Facts that a film tells of a turn, those first that matter most."""
