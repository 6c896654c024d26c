"""The certificates of a game of 1862 on 18xx.games, where mergers move them too (differences 53)."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.finance.events import CompanyStarted
from engine.finance.state import IPO, POOL
from engine.interop.writing import DIRECTORS, Certificates
from engine.record import Event
from engine.titles.g1862 import events as e
from engine.titles.g1862.catalogue import CHARTERS
from engine.titles.g1862.state import DIRECTOR_SHARES
from engine.titles.g1862.steps import shares

COUNT = 8
TREASURY = -3
CHANGE = DIRECTOR_SHARES - 1
"""Singles that a standing order gives for the director's certificate in Parliament (differences 81)."""
OWNERS: Mapping[shares.Source, int] = {"ipo": IPO, "pool": POOL, "treasury": TREASURY}
"""Who has the certificates of each place they are bought from."""


class Shares(Certificates):
    """The certificates of all companies.

    Holders are seats, ``IPO``, ``POOL`` and ``TREASURY``; of two companies
    that merge, ``TREASURY`` holds what both treasuries had.
    """

    def __init__(self) -> None:
        super().__init__(CHARTERS, COUNT, DIRECTOR_SHARES)
        self._chartered = False
        self._merging: tuple[str, str] = ("", "")

    def begin_action(self, *, chartered: bool = False) -> None:
        """Begin an action; a company that is started in Parliament is ``chartered``."""
        super().begin_action()
        self._chartered = chartered

    def hear(self, event: Event) -> None:
        """Follow a fact of the game; without a charter the certificates of a new company lie in its treasury."""
        if isinstance(event, CompanyStarted) and not self._chartered:
            self.move(event.company, self.list_numbers(event.company, IPO)[:], TREASURY)
        follow = _FOLLOW.get(type(event))
        if follow is None:
            super().hear(event)
        else:
            follow(self, event)

    def begin_merger(self, survivor: str, other: str) -> None:
        """Begin to merge shares: the IPO is emptied."""
        self._merging = (survivor, other)
        for code in filter(None, (survivor, other)):
            self.move(code, self.list_numbers(code, IPO)[:], POOL)

    def swap_for_singles(self, event: e.CertificateSwapped) -> None:
        """Swap a director's certificate for three singles of the pool, the survivor's first, the newest first."""
        seat = find_holder(event.seat)
        wanted = DIRECTOR_SHARES
        for code in filter(None, self._merging):
            numbers = self.list_singles(code, POOL)[::-1][:wanted]
            self.move(code, numbers, seat)
            wanted -= len(numbers)
        self.move(event.company, [DIRECTORS], POOL)

    def return_shares(self, event: e.SharesReturned) -> None:
        """Return shares: of the survivor the newest first, of the other the certificate and then the oldest.

        A holder of fewer than six who keeps his certificate as the option returns all others, the newest first.
        """
        code, holder = event.company, find_holder(event.seat)
        directs = any(DIRECTORS in self.list_numbers(each, holder) for each in filter(None, self._merging))
        singles = self.list_singles(code, holder)
        held = sum(self.count_shares(each, holder) for each in filter(None, self._merging))
        as_option = directs and held < 2 * DIRECTOR_SHARES
        if code == self._merging[0] or as_option:
            self.move(code, singles[::-1][: event.count], POOL)
            return
        first = [DIRECTORS] if DIRECTORS in self.list_numbers(code, holder) else []
        rest = event.count - DIRECTOR_SHARES * len(first)
        self.move(code, [*first, *singles[:rest]], POOL)

    def swap_single(self, event: e.SharesSwapped) -> None:
        """Swap the newest of the company that ends for the oldest single of the survivor."""
        holder, donor = find_holder(event.seat), POOL if event.source == "pool" else find_holder(int(event.source))
        theirs = self.list_singles(event.survivor, donor)[0]
        self.move(event.other, self.list_singles(event.other, holder)[-1:], donor)
        self.move(event.survivor, [theirs], holder)

    def exchange_directors(self, event: e.CertificatesExchanged) -> None:
        """Swap the director's certificate of the company that ends for the survivor's."""
        donor = next(holder for holder, held in self._held[event.survivor].items() if DIRECTORS in held)
        self.move(event.other, [DIRECTORS], donor)
        self.move(event.survivor, [DIRECTORS], find_holder(event.seat))

    def move_given_up(self, code: str, holder: int, count: int) -> None:
        """Move what is given up to the pool: a director's certificate, or the newest single."""
        self.move(code, [DIRECTORS] if count == DIRECTOR_SHARES else self.list_singles(code, holder)[-1:], POOL)

    def move_option(self, event: e.OptionSold) -> None:
        """Move the option to the pool: the newest single, or the certificate where there is none."""
        holder = find_holder(event.seat)
        self.move(event.company, self.list_singles(event.company, holder)[-1:] or [DIRECTORS], POOL)

    def empty_ipo(self) -> None:
        """Move all that lies in an IPO to the pool, but of companies that were never started (§10.3)."""
        for code, held in self._held.items():
            if len(held.get(IPO, ())) < COUNT:
                self.move(code, self.list_numbers(code, IPO)[:], POOL)


def find_holder(seat: int) -> int:
    """Return the holder of a fact of a merger, where the companies' treasuries are seat -1."""
    return seat if seat >= 0 else TREASURY


def find_source(holder: int) -> shares.Source:
    """Return where a certificate lies that is bought; the pool, where it is then missed, if nowhere of the kind."""
    return next((place for place, owner in OWNERS.items() if owner == holder), "pool")


# One function a fact; each takes its own type, which the key names.
_FOLLOW: Mapping[type[Event], Callable[[Shares, Any], None]] = {
    e.CharterFailed: lambda known, event: known.reset(event.company),
    e.WentBankrupt: lambda known, event: known.reset(event.company),
    e.MergerBegan: lambda known, event: known.begin_merger(event.survivor, event.other),
    e.RefinancingBegan: lambda known, event: known.begin_merger(event.company, ""),
    e.CertificateSwapped: Shares.swap_for_singles,
    e.CertificatesExchanged: Shares.exchange_directors,
    e.SharesReturned: Shares.return_shares,
    e.SharesSwapped: Shares.swap_single,
    e.SharesCashed: lambda known, event: known.move_given_up(event.company, find_holder(event.seat), event.count),
    e.OptionSold: Shares.move_option,
    e.MergerEnded: lambda known, event: known.reset(event.other),
    e.TreasurySold: lambda known, event: known.move(
        event.company, known.list_numbers(event.company, TREASURY)[: event.count], POOL
    ),
    e.ShareRedeemed: lambda known, event: known.move_bought(event.company, TREASURY),
    e.LnerFormed: lambda known, _event: known.empty_ipo(),
}
