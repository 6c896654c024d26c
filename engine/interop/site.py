"""The log format of 18xx.games: what a file holds, and which of its actions are in force."""

import re
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


class Player(Record, frozen=True):
    """A player of a file; ids are numbers, or strings in a game at one screen."""

    id: int | str
    name: str = ""


class Settings(Record, frozen=True):
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
    players: tuple[Player | str, ...]
    actions: tuple[dict[str, object], ...]
    settings: Settings = Settings()
    id: int | str = ""
    status: str = ""
    result: dict[str, int] | None = None
    game_end_reason: str | None = None

    @property
    def people(self) -> tuple[Player, ...]:
        """The players in seat order; old files have only their names, which are their ids then."""
        return tuple(Player(player, player) if isinstance(player, str) else player for player in self.players)


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
    kept: list[bool] = []
    undone: list[list[int]] = []
    for position, action in enumerate(actions):
        kind = action.get("type")
        kept.append(False)
        if kind == "undo":
            group = [at for at in range(_undo_from(actions, kept, action), position) if _taken(actions, kept, at)]
            for at in group:
                kept[at] = False
            undone.append(group)
        elif kind == "redo":
            for at in undone.pop() if undone else ():
                kept[at] = True
        else:
            kept[position] = True
            if kind not in ASIDE:
                undone.clear()
    return [at for at, keep in enumerate(kept) if keep and actions[at].get("type") not in ASIDE]


def _taken(actions: Sequence[Raw], kept: Sequence[bool], at: int) -> bool:
    return kept[at] and actions[at].get("type") not in ASIDE


def _undo_from(actions: Sequence[Raw], kept: Sequence[bool], undo: Raw) -> int:
    """Return the position from which an undo empties the log."""
    target = undo.get("action_id")
    if isinstance(target, int):
        return next((at + 1 for at, action in enumerate(actions) if action.get("id") == target), 0) if target else 0
    return next((at for at in range(len(kept) - 1, -1, -1) if _taken(actions, kept, at)), len(kept))
