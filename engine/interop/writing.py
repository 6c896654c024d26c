"""What titles write alike for 18xx.games: who acts, optional rules, the ids of tiles and of certificates."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.errors import UnreadableLogError
from engine.record import Action

Written = dict[str, object]
"""An action of the site, to be encoded as JSON."""


DIVIDENDS = {"pay": "payout", "keep": "withhold", "hudson": "hudson"}
"""The site's words for what becomes of revenue."""

W = TypeVar("W")
DIRECTORS = 0
"""Number of the director's certificate; it stands for two shares, every other for one."""
TWO_SHARES = 2


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


def list_optional_rules(known: Sequence[tuple[str, str, str]], options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options; some of ours it does not have.

    Args:
        known: option, value, and the site's name for it.
        options: what the table chose.
    """
    return [rule for name, value, rule in known if options.get(name) == value]


class TileIds:
    """The ids of the tiles that lie on the map, as they are given out."""

    def __init__(self) -> None:
        self._on: dict[str, str] = {}

    def take_copy(self, hex_: str, name: str) -> str:
        """Return the id of a free copy of a tile, and remember where it lies."""
        taken = {tile for there, tile in self._on.items() if there != hex_}
        copies = (f"{name}-{number}" for number in range(len(taken) + 1))
        self._on[hex_] = next(copy for copy in copies if copy not in taken)
        return self._on[hex_]

    def find_city_id(self, hex_: str, index: int) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        return f"{self._on.get(hex_, f'{hex_}-0')}-{index}"


class ShareRegister:
    """The certificates of one company, where each has an identity: each holder's in order of acquisition.

    What a file names moves first. What follows from it, a change of director
    above all, takes certificates in the order in which their holder got them.

    Args:
        code: the company; its certificates are called "IOW_0", "IOW_1" and so on.
        count: how many there are, the director's among them.
        seats: players, who are holders 0 to ``seats`` - 1.
        places: numbers below zero of the IPO, where all lie at first, and of the pool.
    """

    def __init__(self, code: str, count: int, seats: int, places: tuple[int, int]) -> None:
        self.code = code
        self._count = count
        self._seats = seats
        self._ipo, self._pool = places
        self._held: dict[int, list[int]] = {}
        self.director = self._ipo
        self.reset()

    def reset(self) -> None:
        """Put all certificates back into the IPO, in their order, as a bankruptcy does."""
        self._held = {holder: [] for holder in (*range(self._seats), self._pool)}
        self._held[self._ipo] = list(range(self._count))
        self.director = self._ipo

    @property
    def fresh(self) -> bool:
        """All certificates lie in the IPO."""
        return len(self._held[self._ipo]) == self._count

    def count_shares(self, holder: int) -> int:
        """Return how many shares a holder's certificates stand for."""
        return _worth(self._held[holder])

    def list_singles(self, holder: int) -> list[int]:
        """Return a holder's certificates but the director's, those that came first at the front."""
        return [number for number in self._held[holder] if number != DIRECTORS]

    def find_holder(self, number: int) -> int | None:
        """Return who holds a certificate; ``None`` if there is no such certificate."""
        return next((holder for holder, numbers in self._held.items() if number in numbers), None)

    def write_ids(self, numbers: Sequence[int]) -> list[str]:
        """Return the site's ids of certificates."""
        return [f"{self.code}_{number}" for number in numbers]

    def choose_for_sale(self, holder: int, shares: int) -> list[int]:
        """Return the certificates a holder names for a sale: singles, and the director's where they do not do."""
        singles = self.list_singles(holder)
        return singles[:shares] if shares <= len(singles) else [*singles, DIRECTORS]

    def transfer(self, numbers: Sequence[int], to: int, shares: int | None = None) -> None:
        """Move the named certificates and do all that follows for the director's certificate.

        Args:
            numbers: of one holder.
            to: their new holder.
            shares: how many change hands, where the director's certificate counts but for one of its two.
        """
        seller, before = self.find_holder(numbers[0]), self.director
        assert seller is not None, "a certificate lies somewhere"
        change = 0 if shares is None else _worth(numbers) - shares
        for number in numbers:
            self._put_certificate(number, to)
        taker = self._find_leader(before)
        if DIRECTORS in numbers and to == self._pool and taker is None:
            self.director = self._pool
            self._give(self._pool, seller, change)
        elif DIRECTORS in numbers and seller == self._pool:
            self.director = to
            self._give(to, self._pool, change)
        elif taker is not None and taker != before:
            self._hand_over_certificate(taker, before)
            self._give(self._pool, seller, change)

    def _find_leader(self, before: int) -> int | None:
        """Return who must direct: most shares, two at least; the director first, then the closest clockwise."""
        most = max(self.count_shares(seat) for seat in range(self._seats))
        if most < TWO_SHARES:
            return None
        order = [(max(0, before) + step) % self._seats for step in range(self._seats)]
        return next(seat for seat in order if self.count_shares(seat) == most)

    def _hand_over_certificate(self, taker: int, before: int) -> None:
        """Hand over the director's certificate against the taker's first two others."""
        self.director = taker
        if before == self._ipo:
            return
        back = before if self.count_shares(before) >= TWO_SHARES else self._pool
        for number in self.list_singles(taker)[:TWO_SHARES]:
            self._put_certificate(number, back)
        self._put_certificate(DIRECTORS, taker)

    def _give(self, giver: int, to: int, count: int) -> None:
        """Give the first certificates of a holder to another."""
        for number in self._held[giver][:count]:
            self._put_certificate(number, to)

    def _put_certificate(self, number: int, to: int) -> None:
        for numbers in self._held.values():
            if number in numbers:
                numbers.remove(number)
        self._held[to].append(number)


def _worth(numbers: Sequence[int]) -> int:
    return sum(TWO_SHARES if number == DIRECTORS else 1 for number in numbers)
