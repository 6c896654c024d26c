"""Limits of the tree of slash commands, as sentences."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

NAME = re.compile(r"^[-_'\w]{1,32}$")
SUBCOMMAND, GROUP, TEXT, WHOLE, NUMBER = 1, 2, 3, 4, 10
KINDS = range(1, 12)
CHANNEL_TYPES = frozenset({0, 2, 4, 5, 10, 11, 12, 13, 15})
"""Kinds of channels that are documented as ready; 16, of media, is not."""
CHAT = 1
MAX_INTEGER = (1 << 53) - 1
COMMAND_KEYS = frozenset({
    "name", "description", "type", "options", "nsfw", "dm_permission", "default_member_permissions", "contexts",
    "integration_types", "name_localizations", "description_localizations", "handler", "id",
})  # fmt: skip
OPTION_KEYS = frozenset({
    "name", "description", "type", "options", "required", "choices", "autocomplete", "min_value", "max_value",
    "min_length", "max_length", "channel_types", "name_localizations", "description_localizations",
})  # fmt: skip


def check_tree(commands: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with a whole tree."""
    chats = [command for command in commands if command.get("type", CHAT) == CHAT]
    if len(chats) > 100:
        yield f"{len(chats)} commands, at most 100"
    if len(commands) - len(chats) > 30:
        yield "more than 15 user and 15 message commands"
    for name, count in Counter((c["name"], c.get("type", CHAT)) for c in commands).items():
        if count > 1:
            yield f"command {name[0]} is declared twice"
    for command in commands:
        yield from _check_place(command)
    for command in chats:
        yield from check_command(command)


def _check_place(command: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with where a command may be used; it must be said, not left to what is usual."""
    if unknown := set(command) - COMMAND_KEYS:
        yield f"{command['name']} has unknown keys {sorted(unknown)}"
    for key, known in (("contexts", {0, 1, 2}), ("integration_types", {0, 1})):
        given = command.get(key)
        if not given or len(set(given)) < len(given) or not set(given) <= known:
            yield f"{key} of {command['name']} are {given}, not some of {sorted(known)}"


def check_command(command: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with one command and all below it."""
    size = characters(command)
    if size > 8000:
        yield f"/{command['name']} has {size} characters, at most 8000"
    yield from _check_level(command, 0)


def characters(node: dict[str, Any]) -> int:
    """Return the characters that count to a command's 8000: names, descriptions, values."""
    total = len(node["name"]) + len(node.get("description") or "")
    for key in ("name_localizations", "description_localizations"):
        total += max((len(text) for text in (node.get(key) or {}).values()), default=0)
    total += sum(len(c["name"]) + len(str(c["value"])) for c in node.get("choices") or [])
    return total + sum(characters(option) for option in node.get("options") or [])


def _check_level(node: dict[str, Any], depth: int) -> Iterator[str]:
    yield from _check_words(node)
    options = node.get("options") or []
    if len(options) > 25:
        yield f"{node['name']} has {len(options)} options or subcommands, at most 25"
    if len({option["name"] for option in options}) < len(options):
        yield f"{node['name']} has two options of one name"
    nested = [option for option in options if option["type"] in {SUBCOMMAND, GROUP}]
    if nested and len(nested) < len(options):
        yield f"{node['name']} mixes subcommands and options"
    optional = ""
    for option in options:
        if option["type"] in {SUBCOMMAND, GROUP}:
            if depth >= 2 or (option["type"] == GROUP and depth >= 1):
                yield f"{option['name']} is nested too deep"
            yield from _check_level(option, depth + 1)
            continue
        if option.get("required") and optional:
            yield f"{node['name']}: required {option['name']} stands after optional {optional}"
        if not option.get("required"):
            optional = option["name"]
        yield from _check_option(option)


def _check_words(node: dict[str, Any]) -> Iterator[str]:
    if not NAME.match(node["name"]) or node["name"] != node["name"].lower():
        yield f"name {node['name']!r} must be 1 to 32 lower-case letters, digits, - or _"
    if not 1 <= len(node.get("description") or "") <= 100:
        yield f"description of {node['name']} must have 1 to 100 characters"


def _check_option(option: dict[str, Any]) -> Iterator[str]:
    yield from _check_words(option)
    yield from _check_bounds(option)
    if unknown := set(option) - OPTION_KEYS:
        yield f"{option['name']} has unknown keys {sorted(unknown)}"
    if option["type"] not in KINDS:
        yield f"{option['name']} is of no known type: {option['type']}"
    if unknown := set(option.get("channel_types") or ()) - CHANNEL_TYPES:
        yield f"{option['name']} declares channel types {sorted(unknown)}, which apps can't choose from"
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield f"{option['name']} has choices and autocomplete"
    if len(choices) > 25:
        yield f"{option['name']} has {len(choices)} choices, at most 25"
    for choice in choices:
        if not 1 <= len(choice["name"]) <= 100:
            yield f"choice name of {option['name']} must have 1 to 100 characters"
        if isinstance(choice["value"], str) and len(choice["value"]) > 100:
            yield f"choice value of {option['name']} is longer than 100"
        if not isinstance(choice["value"], str) and abs(choice["value"]) > MAX_INTEGER:
            yield f"choice value of {option['name']} is beyond ±(2^53-1)"


def _check_bounds(option: dict[str, Any]) -> Iterator[str]:
    """Yield bounds Discord does not take: its integers end at 2^53-1."""
    low, high = option.get("min_value"), option.get("max_value")
    for bound in (low, high):
        if bound is not None and option["type"] not in {WHOLE, NUMBER}:
            yield f"{option['name']} is no number, but has a bound"
        if bound is not None and abs(bound) > MAX_INTEGER:
            yield f"bound {bound} of {option['name']} is beyond ±(2^53-1)"
    if low is not None and high is not None and low > high:
        yield f"bounds of {option['name']} are the wrong way round"
    lengths = [option[key] for key in ("min_length", "max_length") if option.get(key) is not None]
    if lengths and (option["type"] != TEXT or not all(0 <= length <= 6000 for length in lengths)):
        yield f"lengths of {option['name']} are {lengths}, 0 to 6000 of a text are allowed"
