"""What every title writes alike for 18xx.games: who acts, optional rules, the ids of certificates and tiles."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Written = dict[str, object]
"""An action of the site, to be encoded as JSON."""


def corporation(code: str) -> Written:
    """Return a company as the one that acts."""
    return {"entity": code, "entity_type": "corporation"}


def optional_rules(known: Sequence[tuple[str, str, str]], options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options; some of ours it does not have.

    Args:
        known: option, value, and the site's name for it.
        options: what the table chose.
    """
    return [rule for name, value, rule in known if options.get(name) == value]


class Certificates:
    """Where each certificate of a game lies, by its id on the site: "IOW_0" is the director's.

    Args:
        companies: codes of all of them.
        count: certificates of each, the director's among them.
        unsold: the owner they all have at first.
    """

    def __init__(self, companies: Iterable[str], count: int, unsold: int) -> None:
        self._at = {code: dict.fromkeys(range(count), unsold) for code in companies}

    def settle(self, company: str, director: int, shares: Mapping[int, int], worth: int) -> None:
        """Move certificates to where the state says they lie: the director's, then singles, lowest first.

        Args:
            company: its code.
            director: who has the director's certificate.
            shares: by owner, those of the director's certificate counted.
            worth: shares that the director's certificate stands for.
        """
        at = self._at[company]
        at[0] = director
        wanted = Counter(shares)
        wanted[director] -= worth
        wanted.subtract(owner for number, owner in at.items() if number)
        for number in sorted(at)[1:]:
            if wanted[at[number]] < 0:
                wanted[at[number]] += 1
                at[number] = next(owner for owner, missing in wanted.items() if missing > 0)
                wanted[at[number]] -= 1

    def next_of(self, company: str, owner: int) -> str:
        """Return the id of the next single of an owner that is no player."""
        return f"{company}_{min(number for number, at in self._at[company].items() if at == owner and number)}"

    def sold(self, company: str, seat: int, count: int) -> list[str]:
        """Return the ids of certificates that are sold; the director's comes last."""
        singles = [number for number, at in self._at[company].items() if at == seat and number]
        names = [f"{company}_{number}" for number in singles[:count]]
        return names if count <= len(singles) else [*names, f"{company}_0"]


class TileIds:
    """The ids of the tiles that lie on the map, as they are given out."""

    def __init__(self) -> None:
        self._on: dict[str, str] = {}

    def lay(self, hex_: str, name: str) -> str:
        """Return the id of a free copy of a tile, and remember where it lies."""
        taken = {tile for there, tile in self._on.items() if there != hex_}
        copies = (f"{name}-{number}" for number in range(len(taken) + 1))
        self._on[hex_] = next(copy for copy in copies if copy not in taken)
        return self._on[hex_]

    def city(self, hex_: str, index: int) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        return f"{self._on.get(hex_, f'{hex_}-0')}-{index}"
