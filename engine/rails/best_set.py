"""The best set of choices, one for each train, that exclude one another by shared bits.

Exact branch and bound. What a choice is worth, and what a whole set is really
worth, the title says.
"""

from collections.abc import Callable, Sequence

from engine.rails.routes import LIMIT, Path, SearchTooLarge

Choice = tuple[int, int, int, int, Path]
"""Value, bits that exclude other choices, bits by which it joins others, side value, its path."""

Picks = tuple[Choice | None, ...]
"""A choice for each train, ``None`` for a train that stays idle."""

Settle = Callable[[Picks], int | None]
"""Tells what a whole set is worth, never more than the best such sum; ``None`` if it is not allowed."""


def total(picks: Picks) -> int:
    """Return the sum of the values."""
    return sum(pick[0] for pick in picks if pick)


def best_set(
    offers: Sequence[Sequence[Choice]],
    settle: Settle = total,
    *,
    anchor: int | None = None,
    floor: int = 0,
    limit: int = LIMIT,
) -> tuple[int, Picks]:
    """Find the set worth most: at most one choice for each train, no two with a common exclusive bit.

    With an ``anchor`` all picks must hang together by their joining bits, and
    one must have a bit of the anchor. The side values must sum up to the
    ``floor``. Ties go to the choices that come first. Worth 0: there is none.

    ``offers`` holds for each train its choices, best first, all worth more
    than 0; trains with the same choices share one object and stand side by side.

    Raises:
        SearchTooLarge: more than ``limit`` choices were looked at.
    """
    search = _Search(settle, offers, floor, limit)
    search.extend(0, list(offers), 0, 0, 0, () if anchor is None else (anchor,))
    return search.best, search.picks


class _Search:
    """One run of the search: the best set so far, and the picks now on trial."""

    def __init__(self, settle: Settle, offers: Sequence[Sequence[Choice]], floor: int, left: int) -> None:
        self.settle = settle
        self.left = left
        self.best = 0
        self.picks: Picks = (None,) * len(offers)
        self.trial: list[Choice | None] = [None] * len(offers)
        # The side value that must be there before each train; the others cannot bring more.
        self.needs = [floor]
        for offer in reversed(offers):
            most = max((choice[3] for choice in offer), default=0) if floor else 0
            self.needs.insert(0, self.needs[0] - most)

    def extend(
        self, depth: int, lists: list[Sequence[Choice]], worth: int, side: int, used: int, groups: tuple[int, ...]
    ) -> None:
        """Try the choices of one train, then of those after it.

        ``lists`` holds for this train and those after it what still fits; the last
        train's is not narrowed. ``worth``, ``side`` and ``used`` are sum, sum of side values
        and exclusive bits of the picks before; ``groups`` the joining bits of each part of
        them that does not yet hang together with the others.
        """
        if side < self.needs[depth]:
            return
        if len(lists) < 2:
            self._last(depth, lists[0] if lists else (), worth, side, used, groups)
            return
        own, rest = lists[0], lists[1:]
        hope = worth + sum(offer[0][0] for offer in rest if offer)
        for number, choice in enumerate(own):
            value, bits, joins, more, _ = choice
            if value + hope <= self.best:
                break
            narrowed = self._narrow(own, number, rest, used | bits)
            if value + worth + sum(offer[0][0] for offer in narrowed if offer) > self.best:
                self.trial[depth] = choice
                self.extend(depth + 1, narrowed, worth + value, side + more, used | bits, _merge(groups, joins))
        self.trial[depth] = None
        if hope > self.best:
            self.extend(depth + 1, [() if offer is own else offer for offer in rest], worth, side, used, groups)

    def _narrow(
        self, own: Sequence[Choice], number: int, rest: Sequence[Sequence[Choice]], used: int
    ) -> list[Sequence[Choice]]:
        """Return what still fits for the trains after this one; twins choose later in the list."""
        fits: dict[int, Sequence[Choice]] = {}
        for offer in rest:
            if id(offer) not in fits:
                later = offer[number + 1 :] if offer is own else offer
                if len(rest) > 1:
                    self._count(len(later))
                    later = [choice for choice in later if not choice[1] & used]
                fits[id(offer)] = later
        return [fits[id(offer)] for offer in rest]

    def _last(
        self, depth: int, offer: Sequence[Choice], worth: int, side: int, used: int, groups: tuple[int, ...]
    ) -> None:
        """Try the choices of the last train, and none."""
        lacks = self.needs[-1] - side
        tried = 0
        for choice in offer:
            tried += 1
            value, bits, joins, more, _ = choice
            if worth + value <= self.best:
                break
            if not bits & used and more >= lacks and all(joins & group for group in groups):
                self.trial[depth] = choice
                self._close()
        self._count(tried)
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

    def _count(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise SearchTooLarge


def _merge(groups: tuple[int, ...], joins: int) -> tuple[int, ...]:
    """Return the parts of a set after one more pick, which may hang some of them together."""
    if not groups:
        return ()
    apart = tuple(group for group in groups if not group & joins)
    for group in groups:
        if group & joins:
            joins |= group
    return (joins, *apart)
