"""The log format of 18xx.games: what a file contains, which of its actions are in force, their fields."""

import re
from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from typing import Annotated, TypeVar

import msgspec

from engine.codec import check_limits, verify_seed
from engine.errors import LogError, RuleError, UnreadableLogError
from engine.record import Record, Rule
from engine.setup import RULES

MAX_DIGITS = 18
Raw = Mapping[str, object]
"""An action of the site, as decoded JSON."""

ASIDE = frozenset({"message"})
ORDERS = frozenset({"program_buy_shares", "program_share_pass", "program_disable",
                    "program_auction_bid", "program_merger_pass", "program_harzbahn_draft_pass",
                    "program_independent_mines", "program_close_pass", "program_tile_lay"})  # fmt: skip
"""Standing orders, whose deeds are logged apart."""
SILENT = ASIDE | ORDERS | {"log"}
"""Actions without an effect on the game."""
FORMAT = Rule("18xx.games", "actions of a log")
R = TypeVar("R")


class SitePlayer(Record, frozen=True):
    """A player of a file; ids are numbers, or strings in a game at one screen."""

    id: int | str
    name: str = ""


class SiteSettings(Record, frozen=True):
    """What the table chose.

    Args:
        stationmaster: our lobby options in a game that we exported. rules: the version of our rules in it, 0 if it
            does not say. sealed: the fingerprint of the seed in one that was still running then.
    """

    optional_rules: tuple[str, ...] | None = None
    seed: int | str | None = None
    stationmaster: dict[str, str] | None = None
    rules: Annotated[int, msgspec.Meta(ge=0, le=RULES)] = 0
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
        UnreadableLogError: it isn't one; the message is one line.
    """
    check_limits(data)
    try:
        file = msgspec.json.decode(data, type=SiteFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise UnreadableLogError(f"This isn't a game log: {cause}.") from None
    for position, action in enumerate(file.actions):
        if not all(isinstance(part.get("type"), str) for part in (action, *list_automatic(action))):
            raise UnreadableLogError(f"This isn't a game log: action {position} has no type.")
        stated = action.get("auto_actions") or []
        if not isinstance(stated, list) or len(stated) != len(list_automatic(action)):
            raise UnreadableLogError(f"This isn't a game log: action {position} has auto_actions that are none.")
    return file


def list_automatic(action: Raw) -> list[Raw]:
    """Return what a standing order did after an action; the site logs it inside that action."""
    found = action.get("auto_actions")
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def read_seed(file: SiteFile, known: int | None = None) -> int:
    """Return the number that settled the chance of a game: its seed, else the first digits of its id.

    Args:
        file: the whole game.
        known: opens a sealed one.

    Raises:
        UnreadableLogError: it is sealed, or the seed has too many digits.
    """
    if file.settings.sealed:
        return verify_seed(file.settings.sealed, known)
    given = file.settings.seed if file.settings.seed not in (None, "") else file.id
    digits = re.search("[0-9]+", str(given))
    if digits is None:
        return 0
    seed = read_digits(digits.group())
    if seed is None:
        raise UnreadableLogError(f"The seed of this game has more than {MAX_DIGITS} digits.")
    return seed


def list_in_force(actions: Sequence[Raw]) -> list[int]:
    """Return the positions of the actions in force, after undo and redo; chat left out.

    The site keeps a list as long as the log: undo empties it from a place on
    and remembers what was there, redo puts that back.

    Raises:
        LogError: an undo names an action that is not there, or nothing can be restored.
    """
    places: dict[int | str, int] = {}
    for position, action in enumerate(actions):
        if isinstance(number := action.get("id"), int | str):
            places.setdefault(number, position)
    kept: list[int] = []
    undone: list[list[int]] = []
    for position, action in enumerate(actions):
        kind = action.get("type")
        if kind == "undo":
            count = _count_left_by_undo(position, action, places, kept)
            undone.append(kept[count:])
            del kept[count:]
        elif kind == "redo":
            if not undone:
                raise LogError(position, "There is no undone action to restore.")
            kept += undone.pop()
        elif kind not in ASIDE:
            kept.append(position)
            undone.clear()
    return kept


def _count_left_by_undo(position: int, undo: Raw, places: Mapping[int | str, int], kept: Sequence[int]) -> int:
    """Return how many actions in force an undo leaves: those up to the one it names, or all but the last."""
    target = undo.get("action_id")
    if target is None or target is False:
        return len(kept[:-1])
    if target == 0:
        return 0
    if not isinstance(target, int | str) or target not in places:
        raise LogError(position, f"There is no action {str(target)[:20]} to go back to.")
    return bisect_right(kept, places[target])


def read_text(raw: Raw, name: str) -> str:
    """Return a field that is text.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, str):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return value


def read_texts(raw: Raw, name: str) -> list[str]:
    """Return a field that is a list of texts, not empty.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return [str(item) for item in value]


def read_digits(text: str) -> int | None:
    """Return the number that digits in a text mean; ``None`` if it has others than 0–9, or more than a file needs.

    ``int`` raises ``ValueError`` for most other texts and for thousands of digits, and takes digits of other scripts.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def read_number(raw: Raw, name: str) -> int:
    """Return a field that is a whole number; ``true``, which Python counts as 1, is none.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return value


def find_reader(readers: Mapping[str, R], raw: Raw, game: str) -> R:
    """Return what reads an action, by its type.

    Raises:
        RuleError: the game has no such action.
    """
    kind = read_text(raw, "type")
    if kind not in readers:
        raise RuleError(f"“{kind[:40]}” isn't an action of {game}.", FORMAT)
    return readers[kind]


def read_amount(raw: Raw, name: str) -> int:
    """Return a whole number that may be missing: 0 then.

    Raises:
        RuleError: it is something else.
    """
    return 0 if raw.get(name) is None else read_number(raw, name)


def read_subsidy(raw: Raw, routes: Sequence[object]) -> int:
    """Return the subsidy that a run states: on its routes, beside them where no route has one, as in old files.

    Raises:
        RuleError: it isn't a number.
    """
    stated: list[Raw] = [route for route in routes if isinstance(route, dict) and route.get("subsidy") is not None]
    return sum(read_amount(route, "subsidy") for route in stated or [raw])


def read_seat(seats: Mapping[str, int], raw: Raw) -> int:
    """Return the seat of the player that an action names.

    Args:
        seats: seat by player id as text.
        raw: the action.

    Raises:
        RuleError: the file has no such player.
    """
    entity = str(raw.get("entity", ""))
    if entity not in seats:
        raise RuleError(f"There is no player {entity[:40]} in this file.", FORMAT)
    return seats[entity]


_ACTORS: Mapping[str, str] = {
    "bid": "player",
    "par": "player",
    **dict.fromkeys(("lay_tile", "place_token", "remove_token", "run_routes"), "corporation"),
    **dict.fromkeys(("dividend", "buy_train", "merge", "convert"), "corporation"),
}
"""Who alone does what; other actions are done by players and by companies."""


def check_entity(raw: Raw, seats: Container[str], companies: Container[str], privates: Container[str] = ()) -> None:
    """Refuse an action whose entity is not what the file calls it, or does not do such things.

    Args:
        raw: the action.
        seats: ids of the players as text.
        companies: codes of the title.
        privates: codes of its private companies.

    Raises:
        RuleError: it can't have been done on 18xx.games.
    """
    entity, kind, does = str(raw.get("entity", "")), raw.get("entity_type"), read_text(raw, "type")
    known = {"player": entity in seats, "corporation": entity in companies, "company": entity in privates}
    real = [each for each, fits in known.items() if fits]
    if real and kind not in real:
        stated = f"not a {str(kind)[:20]}" if kind else "which the action doesn't state"
        raise RuleError(f"{entity[:20]} is a {real[0]}, {stated}.", FORMAT)
    if kind != _ACTORS.get(does, kind):
        raise RuleError(f"{entity[:20]} is a {str(kind)[:20]}, but the action “{does}” is a {_ACTORS[does]}'s.", FORMAT)


def read_share(raw: Raw) -> str:
    """Return the one certificate that an action buys.

    Raises:
        RuleError: it names none, or several.
    """
    named = read_texts(raw, "shares")
    if len(named) > 1:
        raise RuleError(f"The action buys {len(named)} certificates; only one can be bought at a time.", FORMAT)
    return named[0]


def split_shares(raw: Raw) -> tuple[str, list[str]]:
    """Return the company and the certificates of the shares that an action names.

    Raises:
        RuleError: they are of several companies.
    """
    named = [share.rpartition("_") for share in read_texts(raw, "shares")]
    code = named[0][0]
    if any(other != code for other, _, _ in named):
        raise RuleError(f"The action names shares of {code[:20]} and of another company.", FORMAT)
    return code, [certificate for _, _, certificate in named]


def split_tile(tile: str, counts: Mapping[str, int]) -> str:
    """Return the shape of a tile by its id, "57-0": there are as many ids as copies, whatever stations stand on them.

    Raises:
        RuleError: there are fewer copies.
    """
    shape, _, copy = tile.rpartition("-")
    count = counts.get(shape.partition("_")[0])
    number = read_digits(copy)
    if count is not None and (number is None or number >= count):
        raise RuleError(f"There is no copy {copy[:10]} of tile {shape[:20]}.", FORMAT)
    return shape


def read_par(raw: Raw, prices: Sequence[int]) -> int:
    """Return the par that an action names: "100,0,6" is price, row and column of a market with these prices."""
    first, *place = read_text(raw, "share_price").split(",")
    price = read_digits(first)
    if price is None:
        raise RuleError("The action has no share_price.", FORMAT)
    if place and (price not in prices or place != ["0", str(prices.index(price))]):
        raise RuleError(f"The market has no price {first[:10]} at “{','.join(place)[:20]}”.", FORMAT)
    return price
