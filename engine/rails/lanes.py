"""Sums for thousands of masks at once: one long integer has a lane for each of them, and adds them all in one step."""

import struct
from collections.abc import Sequence

from engine.rails.routes import bit_numbers

_BYTE = 8
_FORMATS = {4: "I", 8: "Q"}
_NARROW, _WIDE = _FORMATS


class Lanes:
    """The sum of a start and of weights of bits for each of many masks; asked again, it costs what changed.

    Args:
        starts: what each sum begins with. masks: bits of the weights that belong to it.
        drops: bits of the weights of which the last sums leave out the least, one mask for each of them.
    """

    def __init__(self, starts: Sequence[int], masks: Sequence[int], drops: Sequence[int]) -> None:
        self.starts, self.masks, self.drops = starts, masks, drops
        self.most = max(starts, default=0)
        self.used = _union(masks)
        self._of: dict[int, _Packed] = {}

    def sums(self, weights: Sequence[int]) -> Sequence[int]:
        """Return all sums for weights that are not negative."""
        most = self.most + sum([weights[bit] for bit in self.used])
        lane = _NARROW if most >> _NARROW * _BYTE == 0 else _WIDE
        if lane not in self._of:
            self._of[lane] = _Packed(self, lane)
        return self._of[lane].sums(weights)


class _Packed:
    """Lanes of so many bytes, wide enough for every sum."""

    def __init__(self, lanes: Lanes, lane: int) -> None:
        count = len(lanes.starts)
        self.layout = struct.Struct(f"<{count}{_FORMATS[lane]}")
        self.total = int.from_bytes(self.layout.pack(*lanes.starts), "little")
        self.columns = _columns(lanes.masks, lanes.used, lane)
        self.last = [0] * len(lanes.used)
        self.numbers = lanes.used
        dropping = len(lanes.drops)
        self.drops = [*zip(bits := _union(lanes.drops), _columns(lanes.drops, bits, lane), strict=True)]
        self.each = int.from_bytes(struct.pack(f"<{dropping}{_FORMATS[lane]}", *[1] * dropping), "little")
        self.shift = (count - dropping) * lane * _BYTE

    def sums(self, weights: Sequence[int]) -> Sequence[int]:
        """Return all sums: those of the last weights, and what has changed since."""
        total, last = self.total, self.last
        for place, bit in enumerate(self.numbers):
            change = weights[bit] - last[place]
            if change:
                total += change * self.columns[place]
                last[place] += change
        self.total = total
        if self.each:
            total -= self._leasts(weights) << self.shift
        return self.layout.unpack(total.to_bytes(self.layout.size, "little"))

    def _leasts(self, weights: Sequence[int]) -> int:
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


def _union(masks: Sequence[int]) -> list[int]:
    """Return the numbers of the bits that any mask has."""
    used = 0
    for mask in masks:
        used |= mask
    return bit_numbers(used)


def _columns(masks: Sequence[int], bits: Sequence[int], lane: int) -> list[int]:
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
