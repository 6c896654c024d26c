"""The tables that this process has to itself for now: of two that had one, each would send what the other has sent."""

from collections.abc import Iterable

from bot.store.server_clock import seconds_run


class Leased:
    """Tables by number, each with the second of this process's run at which its lease ends."""

    def __init__(self) -> None:
        self.until: dict[int, float] = {}

    def have(self, games: Iterable[int], until: float) -> None:
        """Have tables until a second of this process's run."""
        self.until.update(dict.fromkeys(games, until))

    def has(self, game: int) -> bool:
        """Tell whether a table is still this process's: not if it stood still for longer than the lease."""
        return seconds_run() <= self.until[game]
