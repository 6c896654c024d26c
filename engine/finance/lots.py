"""Lots of shares, followed from purchase to the end: through dividends, sales, mergers and bankruptcies.

Shares of one company are alike, so those bought first count as sold first. A
merger or refinancing leaves half a share for each (1862 §5.2.4); what a holder
paid or got for an odd one is spread over the holder's lots. A lot is counted in
fractions of today's shares, so that the lots of a holder add up to its shares.
"""

from collections.abc import Callable
from fractions import Fraction

from engine.report import ShareDeal, ShareSale

_HALF = Fraction(1, 2)


class ShareLot:
    """Shares that a seat bought (or sold) in one round; ``held`` are left of them, in today's shares.

    ``at`` is how many moves were played before.
    """

    def __init__(self, seat: int, company: str, round_name: str, at: int) -> None:
        self.seat, self.bought_as, self.round, self.at = seat, company, round_name, at
        self.company = company
        self.shares = 0
        self.held = self.paid = self.fined = self.dividends = self.sold = self.left = Fraction()

    def add(self, shares: int, paid: int) -> None:
        """Add shares of the same round."""
        self.shares, self.held, self.paid = self.shares + shares, self.held + shares, self.paid + paid

    @property
    def became(self) -> str:
        """The company whose shares they are now, if another."""
        return self.company * (self.company != self.bought_as)


class Lots:
    """All lots of a game, and shares that were sold, followed as if they had been kept; ``moves`` are played so far."""

    def __init__(self) -> None:
        self.moves = 0
        self._lots: list[ShareLot] = []
        self._kept: list[ShareLot] = []

    def buy(self, seat: int, company: str, round_name: str, shares: int, paid: int) -> None:
        """Note a purchase; those of one round are one lot."""
        self._find_or_add(self._lots, seat, company, round_name).add(shares, paid)

    def sell(self, seat: int, company: str, round_name: str, shares: int, each: int, *, forced: bool = False) -> None:
        """Note a sale, of the shares bought first; shares that had to be sold could not have been kept."""
        left = Fraction(shares)
        for lot in self._list_held(seat, company):
            taken = min(lot.held, left)
            lot.held, lot.sold, left = lot.held - taken, lot.sold + taken * each, left - taken
        if not forced:
            self._find_or_add(self._kept, seat, company, round_name).add(shares, shares * each)

    def fine(self, seat: int, company: str, round_name: str, amount: int) -> None:
        """Note what was paid because a company did not float: it belongs to what its seat bought last of it."""
        lots = [lot for lot in self._lots if lot.seat == seat and lot.bought_as == company]
        lot = lots[-1] if lots else self._find_or_add(self._lots, seat, company, round_name)
        lot.fined += amount

    def pay(self, company: str, each: int) -> None:
        """Note a dividend of ``each`` for a share."""
        for lot in (*self._lots, *self._kept):
            if lot.company == company:
                lot.dividends += lot.held * each

    def merge(self, survivor: str, gone: str) -> None:
        """Note that two shares became one; ``gone`` is "" where a company merged its own."""
        for lot in (*self._lots, *self._kept):
            if lot.held and lot.company in (survivor, gone):
                lot.company, lot.held = survivor, lot.held * _HALF

    def settle(self, seat: int, company: str, holding: int, amount: int) -> None:
        """Make the lots of a seat what it holds after a merger, and spread what it got (or paid) for an odd share."""
        lots, total = self._list_held(seat, company), self.count(seat, company)
        for lot in lots:
            part = lot.held / total
            lot.paid, lot.sold = lot.paid + part * max(-amount, 0), lot.sold + part * max(amount, 0)
            lot.held = part * holding

    def close(self, company: str, each: int) -> None:
        """Note that the shares of a company are void; ``each`` was paid for one."""
        for lot in (*self._lots, *self._kept):
            if lot.company == company:
                lot.sold, lot.held = lot.sold + lot.held * each, Fraction()

    def count(self, seat: int, company: str) -> Fraction:
        """Return how many shares of a company the lots of a seat stand for."""
        return sum((lot.held for lot in self._list_held(seat, company)), Fraction())

    def count_worth(self, worth: Callable[[str, int], int], each: Callable[[str], int]) -> None:
        """Count what is left at the end: ``worth`` of all that a seat holds of a company, ``each`` for one share."""
        for lot in self._lots:
            if lot.held:
                lot.left = worth(lot.company, lot.seat) * lot.held / self.count(lot.seat, lot.company)
        for lot in self._kept:
            lot.left = lot.held * each(lot.company)

    def list_deals(self) -> tuple[ShareDeal, ...]:
        """Return all purchases and what came of them."""
        return tuple(
            ShareDeal(
                lot.seat,
                lot.bought_as,
                lot.round,
                lot.shares,
                round(lot.paid),
                round(lot.dividends),
                round(lot.sold),
                round(lot.left),
                lot.became,
                lot.at,
                round(lot.fined),
            )
            for lot in self._lots
        )

    def list_sales(self) -> tuple[ShareSale, ...]:
        """Return all sales and what they gave up; of a company that went bankrupt what holders were paid counts."""
        return tuple(
            ShareSale(
                lot.seat,
                lot.bought_as,
                lot.round,
                lot.shares,
                round(lot.paid),
                round(lot.dividends),
                round(lot.sold + lot.left),
                lot.became,
                lot.at,
            )
            for lot in self._kept
        )

    def _list_held(self, seat: int, company: str) -> list[ShareLot]:
        """Return the lots of a seat of which something is left, the oldest first."""
        return [lot for lot in self._lots if lot.seat == seat and lot.company == company and lot.held]

    def _find_or_add(self, lots: list[ShareLot], seat: int, company: str, round_name: str) -> ShareLot:
        """Return the lot of a seat, company and round, a new one if there is none that is still of that company."""
        for lot in reversed(lots):
            if lot.round != round_name:
                break
            if (lot.seat, lot.bought_as, lot.company) == (seat, company, company):
                return lot
        lots.append(ShareLot(seat, company, round_name, self.moves))
        return lots[-1]
