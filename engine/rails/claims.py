"""What runs can score, in a form that is weighed fast: thousands of claims for each set of prices.

A *spot* is a bit that pays once, no matter which train runs there; a *claim* is what one run can score; a plan
picks at most one claim for each train. This is maximum coverage over groups: ``coverage`` solves it.
"""

import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import getitem
from typing import NamedTuple

from engine.rails.routes import list_bits

_BYTE = 8
_FORMATS = {4: "I", 8: "Q"}
_NARROW, _WIDE = _FORMATS
_MAX_CACHED_SUMS = 100_000


class Lanes:
    """The sum of a start and of weights of bits for each of many masks; asked again, it costs what changed.

    One long integer has a lane for each mask, so that a weight is added to thousands of sums in one step.

    Args:
        starts: what each sum begins with. masks: bits of the weights that belong to it.
        drops: bits of the weights of which the last sums leave out the least, one mask for each of them.
    """

    def __init__(self, starts: Sequence[int], masks: Sequence[int], drops: Sequence[int]) -> None:
        self.starts, self.masks, self.drops = starts, masks, drops
        self.most = max(starts, default=0)
        self.used = _list_used_bits(masks)
        self._of: dict[int, _Packed] = {}

    def add_up(self, weights: Sequence[int]) -> Sequence[int]:
        """Return all sums for weights that are not negative."""
        most = self.most + sum([weights[bit] for bit in self.used])
        lane = _NARROW if most >> _NARROW * _BYTE == 0 else _WIDE
        if lane not in self._of:
            self._of[lane] = _Packed(self, lane)
        return self._of[lane].add_up(weights)


class _Packed:
    """Lanes of so many bytes, wide enough for every sum."""

    def __init__(self, lanes: Lanes, lane: int) -> None:
        count = len(lanes.starts)
        self.layout = struct.Struct(f"<{count}{_FORMATS[lane]}")
        self.total = int.from_bytes(self.layout.pack(*lanes.starts), "little")
        self.columns = _transpose_bits(lanes.masks, lanes.used, lane)
        self.last = [0] * len(lanes.used)
        self.numbers = lanes.used
        dropping = len(lanes.drops)
        self.drops = [*zip(bits := _list_used_bits(lanes.drops), _transpose_bits(lanes.drops, bits, lane), strict=True)]
        self.each = int.from_bytes(struct.pack(f"<{dropping}{_FORMATS[lane]}", *[1] * dropping), "little")
        self.shift = (count - dropping) * lane * _BYTE

    def add_up(self, weights: Sequence[int]) -> Sequence[int]:
        """Return all sums: those of the last weights, and what has changed since."""
        total, last = self.total, self.last
        for place, bit in enumerate(self.numbers):
            change = weights[bit] - last[place]
            if change:
                total += change * self.columns[place]
                last[place] += change
        self.total = total
        if self.each:
            total -= self._find_smallest_drops(weights) << self.shift
        return self.layout.unpack(total.to_bytes(self.layout.size, "little"))

    def _find_smallest_drops(self, weights: Sequence[int]) -> int:
        """Return the least weight of each mask of drops: the smallest weights are given out first."""
        found, without = 0, self.each
        for weight, _, column in sorted([(weights[bit], bit, column) for bit, column in self.drops]):
            here = column & without
            if here:
                found += weight * here
                without ^= here
                if not without:
                    break
        return found


def _list_used_bits(masks: Sequence[int]) -> list[int]:
    """Return the numbers of the bits that any mask has."""
    used = 0
    for mask in masks:
        used |= mask
    return list_bits(used)


def _transpose_bits(masks: Sequence[int], bits: Sequence[int], lane: int) -> list[int]:
    """Return for each of these bits the lanes of the masks that have it, with a 1 in each: a bit matrix turned over."""
    width = (max(bits, default=0) + _BYTE) // _BYTE
    rows = b"".join([mask.to_bytes(width, "little") for mask in masks])
    spaced = bytearray(len(masks) * lane)
    columns = []
    for bit in bits:
        spaced[::lane] = rows[bit // _BYTE :: width].translate(_BITS[bit % _BYTE])
        columns.append(int.from_bytes(spaced, "little"))
    return columns


# For each bit of a byte: 0 or 1, for all 256 bytes.
_BITS = tuple(bytes(byte >> bit & 1 for byte in range(256)) for bit in range(_BYTE))


class Claim(NamedTuple):
    """What one run can score.

    Args:
        pays: bits of spots. drops: bits of the spots of which one must be left out, 0 if none must.
        bonus: paid on top. meets: bits by which it can be connected with others.
        credit: bits of the spots that it has to its credit in a bound. hangs: of these, the spots of which one is to
            the credit of the claim that it is connected with.
        apart: bits of which no two claims of a plan have the same.
    """

    pays: int
    drops: int
    bonus: int
    meets: int
    credit: int
    hangs: int
    apart: int = 0


Picks = tuple[int | None, ...]
"""For each claim set the number of its claim, ``None`` for a train that stays idle."""

Settle = Callable[[Picks], bool]
"""Whether picks are allowed together; they need not be complete."""


class ClaimSet:
    """The claims of one kind of train."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = claims

    def is_possible(self, number: int) -> bool:
        """Return whether a claim can be run at all; asked only of those that matter."""
        return 0 <= number < len(self.claims)

    @cached_property
    def _lanes(self) -> tuple[Lanes, list[int]]:
        """The lanes, and for each claim its place in them."""
        numbers = sorted(range(len(self.claims)), key=lambda number: self.claims[number].hangs != 0)
        claims = [self.claims[number] for number in numbers]
        lanes = Lanes(
            [claim.bonus for claim in claims],
            [claim.credit for claim in claims],
            [claim.hangs for claim in claims if claim.hangs],
        )
        return lanes, sorted(range(len(numbers)), key=numbers.__getitem__)

    def compute_worths(self, weights: Sequence[int]) -> Sequence[int]:
        """Return what each claim has to its credit if spots have these weights, but for the least where it hangs."""
        lanes, places = self._lanes
        worths = lanes.add_up(weights)
        return [worths[place] for place in places]


def _add_up_subsets(weights: Sequence[int]) -> list[int]:
    """Return the sum of the weights for every set of them, by its bits."""
    table = [0]
    for weight in weights:
        table += [one + weight for one in table]
    return table


class BitSums(dict[int, int]):
    """The sums of weights by bits of spots: ``add_up`` adds them up, a look-up also remembers, as most come again."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__()
        self._parts = [_add_up_subsets(weights[place : place + _BYTE]) for place in range(0, len(weights), _BYTE)]

    def __missing__(self, mask: int) -> int:
        """Add up the weights of some spots, and remember the sum."""
        total = self.add_up(mask)
        if len(self) < _MAX_CACHED_SUMS:
            self[mask] = total
        return total

    def add_up(self, mask: int) -> int:
        """Return the sum of the weights of some spots."""
        return sum(map(getitem, self._parts, mask.to_bytes(len(self._parts), "little")))


class Leasts(dict[int, int]):
    """The least of weights by bits of spots, 0 of none; remembered."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__()
        self.weights = weights

    def __missing__(self, mask: int) -> int:
        """Look for the least, and remember it."""
        least = self[mask] = min([self.weights[spot] for spot in list_bits(mask)], default=0)
        return least


def find_owing(owing: tuple[int, ...], covered: int, claim: Claim) -> tuple[int, ...]:
    """Return the spots of which one must be left out after one claim more, in groups.

    A claim that must leave one out leaves out one that pays for another. Claims that have only each other for that
    are a group: each leaves out what it shares with the next, and the last any spot of the group.
    """
    if not (owing or claim.drops):
        return ()
    joined = [spots for spots in owing if spots & claim.pays]
    others = tuple(spots for spots in owing if not spots & claim.pays)
    if not claim.drops or (claim.drops & covered).bit_count() > len(joined):
        return others
    group = claim.drops
    for spots in joined:
        group |= spots
    return (*others, group)


def sum_owed(owing: tuple[int, ...], leasts: Leasts) -> int:
    """Return what must be left out of groups of spots, at least."""
    return sum([leasts[spots] for spots in owing]) if owing else 0
