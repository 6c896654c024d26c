"""Reading the games that releases wrote, and playing them again."""

import gzip
from functools import cache
from pathlib import Path

import msgspec

from engine import TITLES, LogEntry, Setup
from engine.codec import decode_entry
from engine.game import play_entry
from engine.title import ignore_event
from tests.releases.neutral import DIGITS, EVERY, digest

FOLDER = Path(__file__).parent / "games"
RULES = {"0.1": 2, "0.2": 3}
"""The version of the rules that stands for what a release played."""


class _Kept(msgspec.Struct, frozen=True):
    seats: int
    options: dict[str, str]
    seed: int
    log: tuple[tuple[int, msgspec.Raw], ...]
    digests: str


class OldGame(msgspec.Struct, frozen=True):
    """A game as a release wrote it; ``digests`` tell its states, see ``neutral``."""

    setup: Setup
    log: tuple[tuple[int, msgspec.Raw], ...]
    digests: str

    def read_log(self) -> tuple[LogEntry, ...]:
        """Return the log as the engine has it."""
        return tuple(decode_entry(self.setup.title, seat, bytes(raw)) for seat, raw in self.log)


@cache
def games(release: str, title: str) -> tuple[OldGame, ...]:
    """Return the games of a title that a release wrote."""
    data = gzip.decompress((FOLDER / f"{release}-{title}.json.gz").read_bytes())
    return tuple(
        OldGame(Setup(title, kept.seats, kept.options, kept.seed, RULES[release]), kept.log, kept.digests)
        for kept in msgspec.json.decode(data, type=tuple[_Kept, ...])
    )


def find_parting(game: OldGame) -> str:
    """Return the first action after which a game is not as its release had it, "" if there is none."""
    title = TITLES[game.setup.title]
    state = title.deal(game.setup)
    said = game.read_log()
    marks = [0, *range(EVERY, len(said), EVERY), len(said)]
    kept = dict(zip(marks, (game.digests[n : n + DIGITS] for n in range(0, len(game.digests), DIGITS)), strict=True))
    for count in range(len(said) + 1):
        if count:
            play_entry(title, state, said[count - 1], ignore_event)
        if count in kept and digest(title, state) != kept[count]:
            return f"after {count} actions of {len(said)}"
    return ""
