"""Who takes a director's certificate."""

from collections.abc import Iterable, Sequence


def successor(shares: Sequence[int], others: Iterable[int], keep: int, least: int) -> int | None:
    """Return the seat that takes the certificate from its holder, ``None`` if nobody does.

    Most shares, more than the holder keeps; ties to the nearest on his left.

    Args:
        shares: of the company, by seat.
        others: the other seats clockwise, beginning left of the holder.
        keep: shares he keeps.
        least: shares that the certificate itself stands for.
    """
    able = [seat for seat in others if shares[seat] >= least and shares[seat] > keep]
    return max(able, key=shares.__getitem__, default=None)
