"""A stretch of a game in few words: a line for each company or player, an auction as who beat whom, passes counted.

A title says of each fact which piece of a line it is; ``fold`` puts the pieces together.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

import msgspec

from engine.record import Event, Record
from engine.words import join_words

S = TypeVar("S")
ORDER_MARK = "⚙ "
"""Stands before a line in which a standing order moved."""
MAX_PASSERS_NAMED = 3
"""Passes in a row of which it is told whose they are."""


class Bit(Record, frozen=True):
    """A part of a line.

    Args:
        about: what the line is about: a company, a player; a bit about "" has a line of its own.
        words: "#" stands for the amount.
        many: the words where the amount is more than 1; as ``words`` where it is empty.
        key: bits of a line with the same key become one, their amounts added; never if it is empty.
        amount: how much or how many.
        first: what a value was before: with it the words are what it is now, "£68→74".
        follows: it follows from what others did, so no standing order made it.
    """

    about: str
    words: str
    many: str = ""
    key: str = ""
    amount: int = 0
    first: str = ""
    follows: bool = False

    def join(self, later: "Bit") -> "Bit":
        """Return one bit for this and a later one with the same key."""
        return msgspec.structs.replace(later, amount=self.amount + later.amount, first=self.first)

    def write(self) -> str:
        """Return the words; "" for a value that is what it was."""
        if self.first:
            sign = "" if self.first[0].isdigit() else self.first[0]
            return f"{self.first}→{self.words.removeprefix(sign)}" if self.first != self.words else ""
        words = self.many if self.many and self.amount > 1 else self.words
        return words.replace("#", str(self.amount))


class Heading(Record, frozen=True):
    """A round began."""

    name: str


class PassMade(Record, frozen=True):
    """A player passed, or left an auction."""

    player: str


class BidFor(Record, frozen=True):
    """A player bid an amount for a lot; "" if it has no name."""

    player: str
    amount: str
    lot: str = ""


class BidWon(Record, frozen=True):
    """A player won the lot that all bids before were for."""

    player: str
    amount: str
    lot: str = ""


Piece = Bit | Heading | PassMade | BidFor | BidWon
Names = Sequence[str]


def _concern_no_one(before: object, after: object, seat: int, names: Names) -> Sequence[str]:
    """Return nothing that a seat should know."""
    del before, after, seat, names
    return ()


class Brief(msgspec.Struct, Generic[S], frozen=True):
    """How a title tells a stretch of a game in few words; both functions are pure, and change nothing.

    Args:
        tell: the piece that a fact is, for a seat that reads it (-1 for no one); ``None`` for one that needs no words.
            By default each fact is told as in the log.
        concerns: what a stretch means for a seat, by the position before it and the one after it: prices of what it
            has, trains that rust soon, who could take a company from it. Only what all may see. By default nothing.
    """

    tell: Callable[[Event, Names, int], Piece | None] | None = None
    concerns: Callable[[S, S, int, Names], Sequence[str]] = _concern_no_one


class _Line:
    """A line that grows."""

    def __init__(self, about: str) -> None:
        self.about = about
        self.bits: list[Bit] = []
        self.by_order = False

    def add(self, bit: Bit) -> None:
        """Add a bit, to the one with its key if there is one."""
        for place, old in enumerate(self.bits):
            if bit.key and old.key == bit.key:
                self.bits[place] = old.join(bit)
                return
        self.bits.append(bit)

    def write(self) -> str:
        """Return the line; "" if nothing is left to tell."""
        words = ", ".join(_drop_repeated_verbs(filter(None, (bit.write() for bit in self.bits))))
        if not words:
            return ""
        link = " " if _begins_with_verb(words) else ": "
        return f"{ORDER_MARK * self.by_order}{f'{self.about}{link}' if self.about else ''}{words}"


def _begins_with_verb(words: str) -> bool:
    """Return whether words say what someone does: "takes over I&B at £82", not "tile on G5"."""
    first = words.split(" ", 1)[0]
    return first.isalpha() and first.islower() and first.endswith("s")


def _drop_repeated_verbs(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a line; one that begins like the one before goes on from it: "buys 10% FYN, 20% IOW"."""
    before = ""
    for part in parts:
        first, _, rest = part.partition(" ")
        yield rest if rest and first == before and first.isalpha() else part
        before = first


class _Folder:
    """Pieces in their order, put together to lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._heading = ""
        self._open: list[_Line] = []
        self._passes: list[str] = []
        self._bids: list[tuple[BidFor, bool]] = []

    def add(self, piece: Piece, *, by_order: bool) -> None:
        """Add a piece, which a standing order may have caused."""
        if isinstance(piece, Heading):
            self.end_section()
            self._heading = piece.name
        elif isinstance(piece, PassMade):
            if not self._bids:
                self._passes.append(piece.player)
        elif isinstance(piece, BidFor):
            self._end_passes()
            self._bids.append((piece, by_order))
        elif isinstance(piece, BidWon):
            self._end_auction(piece, by_order=by_order)
        else:
            if not piece.about:
                self._end_passes()
            self._find_line(piece.about).add(piece)
            self._find_line(piece.about).by_order |= by_order and bool(piece.about) and not piece.follows

    def _find_line(self, about: str) -> _Line:
        """Return the line of what a bit is about, a new one for "" and for what was not told of in this round."""
        line = next((each for each in self._open if about and each.about == about), None)
        if line is None:
            line = _Line(about)
            self._open.append(line)
        return line

    def _add_line(self, words: str, *, by_order: bool = False) -> None:
        line = _Line("")
        line.add(Bit("", words))
        line.by_order = by_order
        self._open.append(line)

    def _end_passes(self) -> None:
        named, count = [*dict.fromkeys(self._passes)], len(self._passes)
        self._passes = []
        if count > MAX_PASSERS_NAMED:
            self._add_line(f"{count} passes")
        elif named:
            self._add_line(f"{join_words(named)} {'pass' if len(named) > 1 else 'passes'}")

    def _end_auction(self, won: BidWon, *, by_order: bool) -> None:
        rivals = [*dict.fromkeys(bid.player for bid, _ in self._bids if bid.player != won.player)]
        by_order = by_order or any(ordered for _, ordered in self._bids)
        lot = won.lot or next((bid.lot for bid, _ in self._bids if bid.lot), "")
        self._bids, self._passes = [], []
        what = f"for {lot} " if lot else ""
        if rivals:
            self._add_line(f"{won.player} beats {join_words(rivals)} {what}at {won.amount}", by_order=by_order)
        else:
            self._add_line(f"{won.player} wins {lot or 'the auction'} for {won.amount}", by_order=by_order)

    def end_section(self) -> None:
        """Write what is open: a round has ended, or the stretch."""
        self._end_passes()
        if self._bids:
            last, count = self._bids[-1][0], len(self._bids)
            lot = f" for {last.lot}" * bool(last.lot)
            words = f"leads{lot} at {last.amount} ({count} bids)" if count > 1 else f"bids {last.amount}{lot}"
            self._add_line(f"{last.player} {words}", by_order=any(ordered for _, ordered in self._bids))
            self._bids = []
        found = [words for line in self._open if (words := line.write())]
        self._open = []
        if found and self._heading:
            found[0] = f"{self._heading} · {found[0]}"
            self._heading = ""
        self.lines += found


def fold(pieces: Iterable[tuple[Piece, bool]]) -> list[str]:
    """Return lines for the pieces of a stretch of a game, in their order.

    Args:
        pieces: each with whether a standing order caused it.
    """
    folder = _Folder()
    for piece, by_order in pieces:
        folder.add(piece, by_order=by_order)
    folder.end_section()
    return folder.lines
