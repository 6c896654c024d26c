"""The best set of choices, one for each train, that exclude one another by shared bits.

Exact branch and bound. The choices of a train are sorted, and sets of them
are bits of one integer, lowest for the best: so the best choice that fits all
picks so far is the lowest bit left.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.rails.routes import Path, SearchTooLarge, list_bits

MAX_TRIES = 400_000
"""Choices tried before the search gives up: some seconds."""

Choice = tuple[int, int, int, int, Path]
"""Value, bits that exclude other choices, bits by which it joins others, side value, its path."""

_HEAD = 4096
_IN_HEAD = (1 << _HEAD) - 1

Picks = tuple[Choice | None, ...]
"""A choice for each train, ``None`` for a train that stays idle."""

Settle = Callable[[Picks], int | None]
"""Tells what a whole set is worth, never more than the best such sum; ``None`` if it is not allowed."""


def add_up_values(picks: Picks) -> int:
    """Return the sum of the values."""
    return sum(pick[0] for pick in picks if pick)


class Candidates:
    """The choices of one kind of train, best first, all worth more than 0."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.choices = choices
        self.all = (1 << len(choices)) - 1
        self._excluding = _transpose_bits([choice[1] for choice in choices])
        self._joining = _transpose_bits([choice[2] for choice in choices])
        self._heads = [column & _IN_HEAD for column in self._excluding]
        self._beyond = choices[_HEAD][0] if len(choices) > _HEAD else 0
        self._sides: dict[int, int] = {}
        for number, choice in enumerate(choices):
            self._sides[choice[3]] = self._sides.get(choice[3], 0) | 1 << number
        self.most_side = max(self._sides, default=0)

    def find_best_value(self, some: int) -> int:
        """Return the value of the best of some choices, 0 of none."""
        return self.choices[(some & -some).bit_length() - 1][0] if some else 0

    def bound_best_value(self, some: int, bits: int, start: int) -> int:
        """Return what the best of some choices from one on without these exclusive bits is worth at most.

        Only the first few thousand are looked at, which is enough most of the time.
        """
        fits = (some & _IN_HEAD & ~_select_any(self._heads, bits)) >> start << start
        return self.find_best_value(fits) or self._beyond

    def select_excluded(self, bits: int) -> int:
        """Return the choices that have any of these exclusive bits."""
        return _select_any(self._excluding, bits)

    def select_joined(self, bits: int) -> int:
        """Return the choices that have any of these joining bits."""
        return _select_any(self._joining, bits)

    def select_with_side(self, least: int) -> int:
        """Return the choices with at least this side value."""
        if least <= 0:
            return self.all
        found = 0
        for side, some in self._sides.items():
            if side >= least:
                found |= some
        return found


def _select_any(columns: Sequence[int], bits: int) -> int:
    found = 0
    for number in list_bits(bits):
        if number < len(columns):
            found |= columns[number]
    return found


def _transpose_bits(masks: Sequence[int]) -> list[int]:
    """Return for each bit the masks that have it, as bits by their place: a bit matrix turned over."""
    used = 0
    for mask in masks:
        used |= mask
    width = (used.bit_length() + 7) // 8
    rows = b"".join([mask.to_bytes(width, "little") for mask in reversed(masks)])
    columns = [0] * used.bit_length()
    for place in range(width):
        column = rows[place::width]
        for bit in list_bits(used >> 8 * place & 0xFF):
            columns[8 * place + bit] = int(column.translate(_DIGITS[bit]), 2)
    return columns


# For each bit of a byte: the digit "0" or "1" that it is, for all 256 bytes.
_DIGITS = tuple(bytes(48 + (byte >> bit & 1) for byte in range(256)) for bit in range(8))


class Packing(NamedTuple):
    """The best set found: what it is worth, its picks, and what no set exceeds."""

    worth: int
    picks: Picks
    bound: int


def find_best_packing(
    trains: Sequence[Candidates],
    settle: Settle = add_up_values,
    *,
    anchors: tuple[int, ...] = (),
    floor: int = 0,
    limit: int = MAX_TRIES,
) -> tuple[int, Picks]:
    """Find the set worth most: at most one choice for each train, no two with a common exclusive bit.

    With ``anchors`` all picks must be connected by their joining bits, and
    with each anchor. The side values must sum up to the ``floor``. Ties go to
    the choices that come first. Worth 0: there is none.

    ``trains`` holds the candidates of each train; those of a kind are one object,
    side by side. Every choice has an exclusive bit, so it is taken once.

    Raises:
        SearchTooLarge: more than ``limit`` choices were tried.
    """
    found = search_best_packing(trains, settle, anchors=anchors, floor=floor, limit=limit)
    if found.bound > found.worth:
        raise SearchTooLarge
    return found.worth, found.picks


def search_best_packing(
    trains: Sequence[Candidates],
    settle: Settle = add_up_values,
    *,
    anchors: tuple[int, ...] = (),
    floor: int = 0,
    limit: int = MAX_TRIES,
) -> Packing:
    """Find what ``find_best_packing`` does, or the best of so many tries, with a bound; more tries never find less."""
    search = _Search(trains, settle, floor, limit)
    groups = anchors[:1]
    for anchor in anchors[1:]:
        groups = _merge_groups(groups, anchor)
    free = [candidates.all for candidates in trains]
    try:
        search.extend(0, free, 0, 0, groups)
    except SearchTooLarge:
        return Packing(search.best, search.picks, search.bound_rest(0, free))
    return Packing(search.best, search.picks, search.best)


class _Search:
    """One run of the search: the best set so far, and the picks now on trial."""

    def __init__(self, trains: Sequence[Candidates], settle: Settle, floor: int, left: int) -> None:
        self.trains = trains
        self.settle = settle
        self.left = left
        self.best = 0
        self.picks: Picks = (None,) * len(trains)
        self.trial: list[Choice | None] = [None] * len(trains)
        # The side value that must be there after each train; the others cannot bring more.
        self.needs = [floor]
        for candidates in reversed(trains[1:]):
            self.needs.insert(0, self.needs[0] - candidates.most_side)

    def extend(self, depth: int, free: list[int], worth: int, side: int, groups: tuple[int, ...]) -> None:
        """Try the choices of one train, then of those after it.

        ``free`` has for this train and those after it the choices that still fit; ``worth`` and
        ``side`` are the sums of the picks before; ``groups`` the joining bits of each part
        of them that is not yet connected with the others.
        """
        if len(free) < 2:
            self._try_last_choices(depth, free[0] if free else 0, worth, side, groups)
            return
        own, rest = free[0] & self.trains[depth].select_with_side(self.needs[depth] - side), free[1:]
        for number in self._list_promising(depth, own, rest, worth):
            choice = self.trains[depth].choices[number]
            if worth + choice[0] + self._bound_after_pick(depth, number, rest) <= self.best:
                continue
            narrowed = self._narrow(depth, number, rest)
            if len(narrowed) == 1:
                narrowed[0] &= self.trains[-1].select_with_side(self.needs[-1] - side - choice[3])
            if worth + choice[0] + self.bound_rest(depth + 1, narrowed) > self.best:
                self.trial[depth] = choice
                self.extend(depth + 1, narrowed, worth + choice[0], side + choice[3], _merge_groups(groups, choice[2]))
        self.trial[depth] = None
        if side >= self.needs[depth] and worth + self.bound_rest(depth + 1, rest) > self.best:
            twins = self.trains[depth]
            idle = [0 if self.trains[depth + 1 + n] is twins else some for n, some in enumerate(rest)]
            self.extend(depth + 1, idle, worth, side, groups)

    def _list_promising(self, depth: int, own: int, rest: Sequence[int], worth: int) -> Iterator[int]:
        """Yield the choices of a train, best first, while they may lead to a better set."""
        candidates = self.trains[depth]
        hope = worth + self.bound_rest(depth + 1, rest)
        while own:
            low = own & -own
            own ^= low
            number = low.bit_length() - 1
            if candidates.choices[number][0] + hope <= self.best:
                return
            self._count_try()
            yield number

    def bound_rest(self, depth: int, free: Sequence[int]) -> int:
        """Return the sum of the best choices for the trains from one on, each for itself."""
        return sum(self.trains[depth + number].find_best_value(some) for number, some in enumerate(free))

    def _bound_after_pick(self, depth: int, number: int, rest: Sequence[int]) -> int:
        """Return what the trains after a pick can bring at most, found quickly."""
        own, bits = self.trains[depth], self.trains[depth].choices[number][1]
        later = zip(self.trains[depth + 1 :], rest, strict=True)
        return sum(train.bound_best_value(some, bits, number + 1 if train is own else 0) for train, some in later)

    def _narrow(self, depth: int, number: int, rest: Sequence[int]) -> list[int]:
        """Return what still fits beside a pick for the trains after it; twins choose later in the list."""
        bits = self.trains[depth].choices[number][1]
        narrowed: list[int] = []
        known: dict[int, int] = {}
        for after, some in enumerate(rest, depth + 1):
            candidates = self.trains[after]
            if id(candidates) not in known:
                known[id(candidates)] = candidates.select_excluded(bits)
            fits = some & ~known[id(candidates)]
            narrowed.append(fits >> (number + 1) << (number + 1) if candidates is self.trains[depth] else fits)
        return narrowed

    def _try_last_choices(self, depth: int, some: int, worth: int, side: int, groups: tuple[int, ...]) -> None:
        """Try the choices of the last train that connect everything, and none."""
        lacks = self.needs[-1] - side
        if some:
            candidates = self.trains[depth]
            for group in groups:
                some &= candidates.select_joined(group)
            for number in self._list_promising(depth, some & candidates.select_with_side(lacks), (), worth):
                self.trial[depth] = candidates.choices[number]
                self._close()
        if self.trial:
            self.trial[-1] = None
        if worth > self.best and lacks <= 0 and len(groups) < 2:
            self._close()

    def _close(self) -> None:
        """Keep the set on trial if it is the best."""
        picks = tuple(self.trial)
        worth = self.settle(picks)
        if worth is not None and worth > self.best:
            self.best, self.picks = worth, picks

    def _count_try(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise SearchTooLarge


def _merge_groups(groups: tuple[int, ...], joins: int) -> tuple[int, ...]:
    """Return the parts of a set after one more pick, which may connect some of them."""
    if not groups:
        return ()
    apart = tuple(group for group in groups if not group & joins)
    for group in groups:
        if group & joins:
            joins |= group
    return (joins, *apart)
