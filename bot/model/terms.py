"""What people can ask each other at a table: the terms of a proposal, and their words."""

from collections.abc import Sequence

import msgspec

from bot.model.plain import thread_mark

MAX_MOVES_NAMED = 4
"""Moves that a question to take back names one by one."""


class Terms(msgspec.Struct, frozen=True, tag_field="ask", tag=str.lower):
    """What is to be done if it is agreed."""


class TakeBack(Terms, frozen=True):
    """Take moves back.

    Args:
        to: moves in force that remain. lost: words for the moves lost, in order, the newest of many.
        count: how many are lost. first: words for the first of them. whose: the players who made them.
    """

    to: int
    lost: tuple[str, ...] = ()
    count: int = 0
    first: str = ""
    whose: tuple[str, ...] = ()


class Replace(Terms, frozen=True):
    """Give a seat to another person.

    Args:
        seat: its number. before: what its holder is called. user, name: who takes it.
    """

    seat: int
    before: str
    user: str
    name: str


class StandIn(Terms, frozen=True):
    """Let the program's player sit in for a seat, until a person takes it back, or for this turn only."""

    seat: int
    before: str
    once: bool = False
    manner: str = ""


class ActFor(Terms, frozen=True):
    """Let a person act for a seat, until its holder says otherwise, or for this turn only.

    Args:
        seat: its number. before: what it is called. user, name: who acts.
    """

    seat: int
    before: str
    user: str
    name: str
    once: bool = False


class SetClock(Terms, frozen=True):
    """Give a table a clock, or another one, or none.

    Args:
        budget, increment: seconds; no budget is no clock. paused: no one's time goes by. told: what it means.
        grace: seconds after that.
    """

    budget: int
    increment: int
    paused: bool
    told: str
    grace: int = 0


class FastAuctions(Terms, frozen=True):
    """Let all players submit their maximum bids at the same time, or stop doing so."""

    on: bool = True


class EndEarly(Terms, frozen=True):
    """End the game; the scores stand as they are."""


class Close(Terms, frozen=True):
    """Close the table without a result."""


class Relocate(Terms, frozen=True):
    """Move the table to another channel or thread of its server."""

    channel: str


class ChangeHost(Terms, frozen=True):
    """Make another player the host.

    Args:
        user, name: the new host.
    """

    user: str
    name: str


AnyTerms = TakeBack | Replace | StandIn | ActFor | SetClock | FastAuctions | EndEarly | Close | Relocate | ChangeHost


def make_subject(terms: Terms) -> str:
    """Return what a proposal is about: of two about the same, the later one takes the place of the earlier.

    Who acts for a seat, the stand-in or a person, is one matter.
    """
    if isinstance(terms, StandIn | ActFor):
        return f"acting:{terms.seat}"
    kind = type(terms).__name__.lower()
    return f"{kind}:{terms.seat}" if isinstance(terms, Replace) else kind


def describe_request(terms: AnyTerms) -> str:
    """Return what is asked for, after "Ann asks"."""
    if isinstance(terms, TakeBack):
        return f"to take back {format_moves(max(1, terms.count))}"
    if isinstance(terms, Replace):
        return f"for {terms.name} to take {terms.before}'s seat"
    if isinstance(terms, StandIn):
        how = f" ({terms.manner})" if terms.manner else ""
        return f"for the stand-in{how} to play for {terms.before}{', this turn only' * terms.once}"
    if isinstance(terms, ActFor):
        return f"for {terms.name} to act for {terms.before}{', this turn only' * terms.once}"
    if isinstance(terms, SetClock):
        words = terms.told
        return f"to set the clock: {words}"
    if isinstance(terms, FastAuctions):
        return "for fast auctions"
    if isinstance(terms, EndEarly):
        return "to end the game now, with the scores as they stand"
    if isinstance(terms, Relocate):
        return f"to move the table to {thread_mark(terms.channel)}"
    if isinstance(terms, ChangeHost):
        return f"for {terms.name} to become the host"
    return "to close the table without a result"


def list_details(terms: AnyTerms) -> Sequence[str]:
    """Return what it means, a line each."""
    if isinstance(terms, TakeBack):
        return _list_lost_moves(terms)
    if isinstance(terms, Replace):
        return ("Only the seat's player changes; the history shows both names.",)
    if isinstance(terms, StandIn):
        return (
            "The program makes sound but unremarkable moves for the seat and marks them. Without it, the game waits.",
            "The player can take the seat back with a move or /game stand_in; /game replace gives it to someone else.",
        )
    if isinstance(terms, ActFor):
        return (f"{terms.before} keeps the seat and can move at any time. The log shows who acted for the seat.",)
    if isinstance(terms, SetClock):
        return (
            "The clock stops during a player's quiet hours and vacation.",
            "If it runs out, no one loses: the other players can vote to let someone act for the seat.",
        )
    if isinstance(terms, FastAuctions):
        return (
            "When something is auctioned, all players secretly submit their maximum bid at the same time.",
            "The bot then raises in turn order by the minimum; if two maximums are equal, the player asked first wins.",
            "This lasts as long as every player at the table has agreed; /auto fast on:False ends it.",
        )
    if isinstance(terms, EndEarly):
        return ("The position is scored as it stands and play ends. You can take this back like a move.",)
    if isinstance(terms, Relocate):
        return ("A majority of the players decides. The game continues there; messages left here link to it.",)
    if isinstance(terms, ChangeHost):
        return ("A majority of the players decides. The host can move, rename, hand over and close the table.",)
    return ("No one wins and no one can move, but the game stays readable. /game reopen opens it again.",)


def _list_lost_moves(terms: TakeBack) -> Sequence[str]:
    """Return the moves lost; of many the first and the last."""
    if terms.count > MAX_MOVES_NAMED and terms.first:
        names = f"of {', '.join(terms.whose)}" if terms.whose else ""
        return (f"{terms.count} moves {names}".strip(), f"from: {terms.first}", f"to: {terms.lost[-1]}")
    if terms.count <= len(terms.lost):
        return terms.lost
    return (f"{terms.count} moves; the last {len(terms.lost)} of them:", *terms.lost)


def find_counter_kind(terms: AnyTerms) -> str:
    """Return how other terms are named instead: "counter" by a choice, "counterform" by a form, empty if not at all."""
    if isinstance(terms, FastAuctions | EndEarly | Close | Relocate | ChangeHost):
        return ""
    return "counterform" if isinstance(terms, SetClock) else "counter"


def label_agreement(terms: AnyTerms) -> str:
    """Return the words of the button that agrees."""
    return "Take the seat" if isinstance(terms, Replace) else "Agree"


def format_moves(count: int) -> str:
    """Return a number of moves in words."""
    return "a move" if count == 1 else f"{count} moves"
