"""Fields of the actions of 18xx.games, and its optional rules: what every title reads alike."""

from collections.abc import Mapping
from typing import TypeVar

from engine.errors import RuleError
from engine.interop.site import Raw, SiteSettings
from engine.record import Rule

FORMAT = Rule("18xx.games", "log", "actions")

R = TypeVar("R")


def text(raw: Raw, name: str) -> str:
    """Return a field that is text.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, str):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return value


def texts(raw: Raw, name: str) -> list[str]:
    """Return a field that is a list of texts, not empty.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return [str(item) for item in value]


def number(raw: Raw, name: str) -> int:
    """Return a field that is a whole number.

    Raises:
        RuleError: it is missing or something else.
    """
    value = raw.get(name)
    if not isinstance(value, int):
        raise RuleError(f"The action has no {name}.", FORMAT)
    return value


def reader_of(readers: Mapping[str, R], raw: Raw, game: str) -> R:
    """Return what reads an action, by its type.

    Raises:
        RuleError: the game has no such action.
    """
    kind = text(raw, "type")
    if kind not in readers:
        raise RuleError(f"“{kind[:40]}” is no action of {game}.", FORMAT)
    return readers[kind]


def amount(raw: Raw, name: str) -> int:
    """Return a whole number that may be missing: 0 then."""
    value = raw.get(name)
    return value if isinstance(value, int) else 0


def player_seat(seats: Mapping[str, int], raw: Raw) -> int:
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


def par(raw: Raw) -> int:
    """Return the par that an action names: "100,0,6" is price, row and column."""
    price = text(raw, "share_price").split(",")[0]
    if not price.isdecimal():
        raise RuleError("The action has no share_price.", FORMAT)
    return int(price)


def chosen_options(
    settings: SiteSettings, known: Mapping[str, Mapping[str, str]], profile: str, game: str
) -> dict[str, str]:
    """Return our lobby options for the site's optional rules; a game we exported brings its own.

    Args:
        settings: of the file.
        known: our options by the site's names of its optional rules.
        profile: which of our rules play as the site does.
        game: the title's name.

    Raises:
        RuleError: an optional rule that we do not know.
    """
    if settings.stationmaster is not None:
        return settings.stationmaster
    chosen = {"profile": profile}
    for name in settings.optional_rules or ():
        if name not in known:
            raise RuleError(f"There is no optional rule “{name[:40]}” in {game}.", FORMAT)
        chosen |= known[name]
    return chosen
