"""What titles write alike for 18xx.games: who acts, optional rules, the ids of tiles and of certificates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engine.errors import RuleError, UnreadableLogError
from engine.finance.events import CompanyStarted, DirectorChanged, ShareBought, SharesSold
from engine.finance.state import IPO, POOL
from engine.interop.site import FORMAT, read_digits
from engine.record import Action, Event

Written = dict[str, object]
"""An action of the site, to be encoded as JSON."""


DIVIDENDS = {"pay": "payout", "keep": "withhold", "hudson": "hudson"}
"""The site's words for what becomes of revenue."""

W = TypeVar("W")
DIRECTORS = 0
"""Number of the director's certificate; every other stands for one share."""


def find_writer(writers: Mapping[type[Action], W], action: Action) -> W:
    """Return what writes an action.

    Raises:
        UnreadableLogError: the site has no such action.
    """
    if type(action) not in writers:
        raise UnreadableLogError(f"18xx.games has no “{action.verb}” under this table's rules.")
    return writers[type(action)]


def write_player(id_: int) -> Written:
    """Return a player as the one who acts."""
    return {"entity": id_, "entity_type": "player"}


def write_company(code: str) -> Written:
    """Return a company as the one that acts."""
    return {"entity": code, "entity_type": "corporation"}


class TileIds:
    """The ids of the tiles that lie on the map, as they are given out or read."""

    def __init__(self) -> None:
        self._on: dict[str, str] = {}

    def take_copy(self, hex_: str, name: str) -> str:
        """Return the id of a free copy of a tile, and remember where it lies."""
        taken = {tile for there, tile in self._on.items() if there != hex_}
        copies = (f"{name}-{number}" for number in range(len(taken) + 1))
        self._on[hex_] = next(copy for copy in copies if copy not in taken)
        return self._on[hex_]

    def note_copy(self, hex_: str, tile: str) -> None:
        """Note where a file lays a copy of a tile.

        Raises:
            RuleError: it lies elsewhere.
        """
        there = next((there for there, lying in self._on.items() if lying == tile and there != hex_), None)
        if there is not None:
            raise RuleError(f"Tile {tile[:20]} lies on {there}.", FORMAT)
        self._on[hex_] = tile

    def find_hex(self, city: str) -> str:
        """Return the hex of a city by its id: ``57-0-0``, or ``E2-0-0`` before any tile.

        Raises:
            RuleError: that hex has a tile by now.
        """
        tile = city.rpartition("-")[0]
        there = next((there for there, lying in self._on.items() if lying == tile), "")
        printed = tile.rpartition("-")[0]
        if not there and printed in self._on:
            raise RuleError(f"There is no city “{city[:20]}” on the map; {printed} has another tile.", FORMAT)
        return there or printed

    def find_city_id(self, hex_: str, index: int) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        return f"{self._on.get(hex_, f'{hex_}-0')}-{index}"


class Certificates:
    """The certificates of all companies, each with an identity: who holds which, the oldest possession first.

    What a file names moves first; what follows from it, a change of director above all, takes certificates in the
    order in which their holder got them. It follows the facts that our game tells.

    Args:
        codes: of the companies; the certificates of IOW are called "IOW_0", "IOW_1" and so on, and all lie in the IPO.
        count: how many a company has, the director's among them.
        directors: shares that the director's certificate stands for.
    """

    def __init__(self, codes: Iterable[str], count: int, directors: int) -> None:
        self._count = count
        self._directors = directors
        self._held: dict[str, dict[int, list[int]]] = {}
        for code in codes:
            self.reset(code)
        self._named: list[int] = []
        self._change = 0
        self._back: tuple[str, int, int] | None = None

    def reset(self, code: str) -> None:
        """Put all certificates of a company into the IPO, as they were at the beginning."""
        self._held[code] = {IPO: list(range(self._count))}

    def list_numbers(self, code: str, holder: int) -> list[int]:
        """Return the numbers that a holder has of a company, the oldest first."""
        return self._held[code].setdefault(holder, [])

    def list_singles(self, code: str, holder: int) -> list[int]:
        """Return a holder's numbers but the director's certificate."""
        return [number for number in self.list_numbers(code, holder) if number != DIRECTORS]

    def count_shares(self, code: str, holder: int) -> int:
        """Return how many shares a holder's certificates of a company stand for."""
        return self._count_worth(self.list_numbers(code, holder))

    def _count_worth(self, numbers: Sequence[int]) -> int:
        return sum(self._directors if number == DIRECTORS else 1 for number in numbers)

    def find_holder(self, code: str, number: int) -> int | None:
        """Return who holds a certificate, ``None`` if there is none."""
        return next((holder for holder, held in self._held.get(code, {}).items() if number in held), None)

    def choose_for_sale(self, code: str, holder: int, shares: int) -> list[int]:
        """Return the certificates a holder names for a sale: singles, and the director's where they do not do."""
        singles = self.list_singles(code, holder)
        return singles[:shares] if shares <= len(singles) else [*singles, DIRECTORS]

    def note_sold(self, code: str, named: Sequence[str], seat: int) -> None:
        """Note the certificates that a file names for a sale.

        Raises:
            RuleError: the player doesn't have one of them, or it is named twice.
        """
        numbers = [split_id(f"_{each}")[1] for each in named]
        for at, (number, each) in enumerate(zip(numbers, named, strict=True)):
            if self.find_holder(code, number) != seat:
                raise RuleError(f"{code}_{each[:20]} isn't a share of the player who sells it.", FORMAT)
            if number in numbers[:at]:
                raise RuleError(f"The action sells {code}_{number} twice.", FORMAT)
        self.note_named(numbers)

    def note_bought(self, share: str, *, change: int = 0) -> int:
        """Note the certificate that a file names for a purchase, and return the place that has it.

        Raises:
            RuleError: there is none, or a player has it.
        """
        code, number = split_id(share)
        holder = self.find_holder(code, number)
        if holder is None:
            raise RuleError(f"There is no share “{share[:20]}”.", FORMAT)
        if holder >= 0:
            raise RuleError(f"{share[:20]} belongs to a player, so it can't be bought.", FORMAT)
        self.note_named([number], change if number == DIRECTORS else 0)
        return holder

    def note_named(self, numbers: Sequence[int], change: int = 0) -> None:
        """Note which certificates a purchase or sale is about, and the singles the buyer gives the pool for more."""
        self._named, self._change = list(numbers), change

    def move(self, code: str, numbers: Sequence[int], to: int) -> None:
        """Move certificates, in this order."""
        for number in numbers:
            for held in self._held[code].values():
                if number in held:
                    held.remove(number)
            self.list_numbers(code, to).append(number)

    def begin_action(self) -> None:
        """Begin an action: who sold a part of his director's certificate in the one before gets singles back."""
        if self._back is not None:
            code, seat, count = self._back
            self.move(code, self.list_numbers(code, POOL)[:count], seat)
        self._named, self._change, self._back = [], 0, None

    def hear(self, event: Event) -> None:
        """Follow a fact of the game."""
        if isinstance(event, CompanyStarted):
            self.move(event.company, [DIRECTORS], event.seat)
        elif isinstance(event, ShareBought):
            self.move_bought(event.company, event.seat)
        elif isinstance(event, SharesSold):
            self.move_sold(event)
        elif isinstance(event, DirectorChanged):
            self.swap_directors(event.company, event.seat)

    def move_bought(self, code: str, to: int) -> None:
        """Move the certificate that was named, and the change for it."""
        self.move(code, self._named, to)
        self.move(code, self.list_numbers(code, to)[: self._change], POOL)

    def move_sold(self, event: SharesSold) -> None:
        """Move what was named to the pool; a fined player's shares of a failed company are not named."""
        if self._named:
            rest = self._count_worth(self._named) - event.count
            self._back = (event.company, event.seat, rest) if rest > 0 else None
            self.move(event.company, self._named, POOL)
            self._named = []

    def swap_directors(self, code: str, seat: int) -> None:
        """Swap the director's certificate for the first others of who takes it, as many as it stands for."""
        here = self.find_holder(code, DIRECTORS)
        assert here is not None, "a certificate lies somewhere"
        if here != seat:
            self.move(code, self.list_numbers(code, seat)[: self._directors], here)
            self.move(code, [DIRECTORS], seat)


def split_id(share: str) -> tuple[str, int]:
    """Return company and number of the id of a certificate; -1 for what is none."""
    code, _, number = share.rpartition("_")
    known = read_digits(number)
    return code, known if known is not None and len(number) == 1 else -1


def write_ids(code: str, numbers: Sequence[int]) -> list[str]:
    """Return the site's ids of certificates."""
    return [f"{code}_{number}" for number in numbers]
