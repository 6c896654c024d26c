"""Where the certificates of a game lie, by the ids that 18xx.games gives them."""

from collections import Counter
from collections.abc import Iterable, Mapping


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

    def sell(self, company: str, seat: int, count: int, pool: int) -> list[str]:
        """Move certificates to the pool, the director's last, and return their ids.

        Where only a part of the director's is sold, singles come back: see ``settle``.
        """
        singles = [number for number, at in self._at[company].items() if at == seat and number]
        numbers = singles[:count] if count <= len(singles) else [*singles, 0]
        for number in numbers:
            self._at[company][number] = pool
        return [f"{company}_{number}" for number in numbers]

    def claim(self, share: str, owner: int) -> None:
        """Note that a certificate lies with an owner, because a file says so; another of theirs takes its place.

        Which copies change hands in a merger is not written in the files of
        the site: we only guess until one of them is named.
        """
        at, number = self._at[share.rpartition("_")[0]], _number(share)
        before = at.get(number, owner)
        if before != owner:
            other = next((known for known, there in at.items() if known and there == owner), number)
            at[other] = before
        at[number] = owner

    def owner(self, share: str) -> int | None:
        """Return who has a certificate, as far as we know; ``None`` if there is no such certificate."""
        return self._at[share.rpartition("_")[0]].get(_number(share))

    def move(self, share: str, owner: int) -> None:
        """Note that a certificate goes to an owner."""
        self._at[share.rpartition("_")[0]][_number(share)] = owner


def _number(share: str) -> int:
    number = share.rpartition("_")[2]
    return int(number) if number.isdecimal() and len(number) == 1 else -1
