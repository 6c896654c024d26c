"""The log format of 18xx.games: what a file holds, and which of its actions are in force."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec

from engine.codec import opened, refuse_monstrous
from engine.errors import UnreadableLogError
from engine.record import Record

MOST_DIGITS = 18
Raw = Mapping[str, object]
"""An action of the site, as decoded JSON."""

ASIDE = frozenset({"message"})
SILENT = frozenset({"message", "log", "program_buy_shares", "program_share_pass", "program_disable",
                    "program_auction_bid", "program_merger_pass", "program_harzbahn_draft_pass",
                    "program_independent_mines", "program_close_pass", "program_tile_lay"})  # fmt: skip
"""Actions without an effect on the game: chat, and standing orders, whose deeds are logged apart."""


class SitePlayer(Record, frozen=True):
    """A player of a file; ids are numbers, or strings in a game at one screen."""

    id: int | str
    name: str = ""


class SiteSettings(Record, frozen=True):
    """What the table chose.

    Args:
        stationmaster: our lobby options in a game that we exported. sealed: the fingerprint of the
            seed in one that was still running then.
    """

    optional_rules: tuple[str, ...] | None = None
    seed: int | str | None = None
    stationmaster: dict[str, str] | None = None
    sealed: str = ""


class SiteFile(Record, frozen=True):
    """A whole game; fields we do not need are not read."""

    title: str
    players: tuple[SitePlayer | str, ...]
    actions: tuple[dict[str, object], ...]
    settings: SiteSettings = SiteSettings()
    id: int | str = ""
    status: str = ""
    result: dict[str, int] | None = None
    game_end_reason: str | None = None

    @property
    def people(self) -> tuple[SitePlayer, ...]:
        """The players in seat order; old files have only their names, which are their ids then."""
        return tuple(SitePlayer(player, player) if isinstance(player, str) else player for player in self.players)


def read_site(data: bytes) -> SiteFile:
    """Read a file of 18xx.games.

    Raises:
        UnreadableLogError: it is none; one clear line.
    """
    refuse_monstrous(data)
    try:
        file = msgspec.json.decode(data, type=SiteFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise UnreadableLogError(f"This is no game log: {cause}.") from None
    for position, action in enumerate(file.actions):
        if not all(isinstance(part.get("type"), str) for part in (action, *automatic(action))):
            raise UnreadableLogError(f"This is no game log: action {position} does not say what it is.")
    return file


def automatic(action: Raw) -> list[Raw]:
    """Return what a standing order did after an action; the site logs it inside that action."""
    found = action.get("auto_actions")
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def seed_of(file: SiteFile, known: int | None = None) -> int:
    """Return the number that settled the chance of a game: its seed, else the first digits of its id.

    Args:
        file: the whole game.
        known: opens a sealed one.

    Raises:
        UnreadableLogError: it is sealed, or the seed has too many digits.
    """
    if file.settings.sealed:
        return opened(file.settings.sealed, known)
    given = file.settings.seed if file.settings.seed not in (None, "") else file.id
    digits = re.search(r"\d+", str(given))
    if digits and len(digits.group()) > MOST_DIGITS:
        raise UnreadableLogError(f"The seed of this game has more than {MOST_DIGITS} digits.")
    return int(digits.group()) if digits else 0


def in_force(actions: Sequence[Raw]) -> list[int]:
    """Return the positions of the actions in force, after undo and redo; chat left out.

    The site keeps a list as long as the log: undo empties it from a place on
    and remembers what was there, redo puts that back.
    """
    places: dict[int, int] = {}
    for position, action in enumerate(actions):
        if isinstance(number := action.get("id"), int):
            places.setdefault(number, position)
    kept: list[int] = []
    undone: list[list[int]] = []
    for position, action in enumerate(actions):
        kind = action.get("type")
        if kind == "undo":
            count = _left_by(action, places, kept)
            undone.append(kept[count:])
            del kept[count:]
        elif kind == "redo":
            kept += undone.pop() if undone else ()
        elif kind not in ASIDE:
            kept.append(position)
            undone.clear()
    return kept


def _left_by(undo: Raw, places: Mapping[int, int], kept: Sequence[int]) -> int:
    """Return how many actions in force an undo leaves: those up to the one it names, or all but the last."""
    target = undo.get("action_id")
    if isinstance(target, int):
        return bisect_right(kept, places[target]) if target and target in places else 0
    return len(kept[:-1])
