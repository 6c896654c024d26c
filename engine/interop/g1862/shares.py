"""The certificates of a game of 1862 on 18xx.games, where each has an identity: who holds which, in order.

What a file names moves first; all that follows takes certificates in the
order in which their holder got them. It follows the facts that our game
tells (differences 53).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.finance.events import CompanyStarted, DirectorChanged, ShareBought, SharesSold
from engine.finance.state import IPO, POOL
from engine.record import Event
from engine.titles.g1862 import events as e
from engine.titles.g1862.catalogue import CHARTERS
from engine.titles.g1862.state import DIRECTOR_SHARES
from engine.titles.g1862.steps import shares

COUNT = 8
DIRECTORS = 0
"""Number of the director's certificate."""
TREASURY = -3
OWNERS: Mapping[shares.Source, int] = {"ipo": IPO, "pool": POOL, "treasury": TREASURY}
"""Who has the certificates of each place they are bought from."""


class Shares:
    """The certificates of all companies: each holder's numbers, by company, the oldest possession first.

    Holders are seats, ``IPO``, ``POOL`` and ``TREASURY``; of two companies
    that merge, ``TREASURY`` holds what both treasuries had.
    """

    def __init__(self) -> None:
        self._held: dict[str, dict[int, list[int]]] = {}
        for code in CHARTERS:
            self.reset(code)
        self._named: list[int] = []
        self._chartered = False
        self._back: tuple[str, int, int] | None = None
        self._merging: tuple[str, str] = ("", "")

    def reset(self, code: str) -> None:
        """Put all certificates of a company into the IPO, as they were at the beginning."""
        self._held[code] = {IPO: list(range(COUNT))}

    def list_numbers(self, code: str, holder: int) -> list[int]:
        """Return the numbers that a holder has of a company, the oldest first."""
        return self._held[code].setdefault(holder, [])

    def list_singles(self, code: str, holder: int) -> list[int]:
        """Return a holder's numbers but the director's certificate."""
        return [number for number in self.list_numbers(code, holder) if number != DIRECTORS]

    def find_holder(self, code: str, number: int) -> int | None:
        """Return who holds a certificate, ``None`` if there is none."""
        return next((holder for holder, held in self._held.get(code, {}).items() if number in held), None)

    def choose_for_sale(self, code: str, seat: int, count: int) -> list[int]:
        """Return what a player names to sell so many shares: singles, or all that he has."""
        singles = self.list_singles(code, seat)
        return singles[:count] if count <= len(singles) else [*singles, DIRECTORS]

    def begin_action(self, *, chartered: bool) -> None:
        """Begin an action; a company that is started in Parliament is ``chartered``.

        Who sold a part of his director's certificate in the action before gets singles of the pool back.
        """
        if self._back is not None:
            code, seat, count = self._back
            self.move(code, self.list_numbers(code, POOL)[:count], seat)
        self._named, self._back, self._chartered = [], None, chartered

    def note_named(self, numbers: Sequence[int]) -> None:
        """Note which certificates the purchase or sale is about."""
        self._named = list(numbers)

    def move(self, code: str, numbers: Sequence[int], to: int) -> None:
        """Move certificates, in this order."""
        for number in numbers:
            for held in self._held[code].values():
                if number in held:
                    held.remove(number)
            self.list_numbers(code, to).append(number)

    def hear(self, event: Event) -> None:
        """Follow a fact of the game."""
        follow = _FOLLOW.get(type(event))
        if follow is not None:
            follow(self, event)

    def start_company(self, event: CompanyStarted) -> None:
        """Give the director's certificate to a player; without a charter the others lie in the treasury."""
        if not self._chartered:
            self.move(event.company, self.list_numbers(event.company, IPO)[:], TREASURY)
        self.move(event.company, [DIRECTORS], event.seat)

    def move_bought(self, code: str, to: int) -> None:
        """Move the certificate that was named."""
        self.move(code, self._named, to)

    def move_sold(self, event: SharesSold) -> None:
        """Move what was named to the pool; a fined player's shares of a failed company are not named."""
        if self._named:
            worth = sum(DIRECTOR_SHARES if number == DIRECTORS else 1 for number in self._named)
            self._back = (event.company, event.seat, worth - event.count) if worth > event.count else None
            self.move(event.company, self._named, POOL)
            self._named = []

    def swap_directors(self, code: str, seat: int) -> None:
        """Swap the director's certificate for the first three others of who takes it."""
        here = next(holder for holder, held in self._held[code].items() if DIRECTORS in held)
        if here != seat:
            self.move(code, self.list_numbers(code, seat)[:DIRECTOR_SHARES], here)
            self.move(code, [DIRECTORS], seat)

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
        as_option = directs and self._count_shares(holder) < 2 * DIRECTOR_SHARES
        if code == self._merging[0] or as_option:
            self.move(code, singles[::-1][: event.count], POOL)
            return
        first = [DIRECTORS] if DIRECTORS in self.list_numbers(code, holder) else []
        rest = event.count - DIRECTOR_SHARES * len(first)
        self.move(code, [*first, *singles[:rest]], POOL)

    def _count_shares(self, holder: int) -> int:
        """Return the shares a holder has in the companies that merge."""
        numbers = [number for code in filter(None, self._merging) for number in self.list_numbers(code, holder)]
        return sum(DIRECTOR_SHARES if number == DIRECTORS else 1 for number in numbers)

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


def split_id(share: str) -> tuple[str, int]:
    """Return company and number of the id of a certificate; -1 for what is none."""
    code, _, number = share.rpartition("_")
    return code, int(number) if number.isdecimal() and len(number) == 1 else -1


def write_ids(code: str, numbers: Sequence[int]) -> list[str]:
    """Return the site's ids of certificates."""
    return [f"{code}_{number}" for number in numbers]


def find_source(known: Shares, code: str, number: int) -> shares.Source:
    """Return where a certificate lies that is bought; the pool, where it is then missed, if nowhere of the kind."""
    holder = known.find_holder(code, number)
    return next((place for place, owner in OWNERS.items() if owner == holder), "pool")


# One function a fact; each takes its own type, which the key names.
_FOLLOW: Mapping[type[Event], Callable[[Shares, Any], None]] = {
    CompanyStarted: Shares.start_company,
    ShareBought: lambda known, event: known.move_bought(event.company, event.seat),
    SharesSold: Shares.move_sold,
    DirectorChanged: lambda known, event: known.swap_directors(event.company, event.seat),
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
