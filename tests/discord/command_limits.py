"""Limits of the tree of slash commands, as sentences."""

import re
from collections import Counter
from collections.abc import Iterator

NAME = re.compile(r"^[-_'\w]{1,32}$")
SUBCOMMAND, GROUP = 1, 2
CHAT = 1


def check_tree(commands: list[dict]) -> Iterator[str]:
    """Yield what is wrong with a whole tree."""
    chats = [command for command in commands if command.get("type", CHAT) == CHAT]
    if len(chats) > 100:
        yield f"{len(chats)} commands, at most 100"
    if len(commands) - len(chats) > 30:
        yield "more than 15 user and 15 message commands"
    for name, count in Counter((c["name"], c.get("type", CHAT)) for c in commands).items():
        if count > 1:
            yield f"command {name[0]} is declared twice"
    for command in chats:
        yield from check_command(command)


def check_command(command: dict) -> Iterator[str]:
    """Yield what is wrong with one command and all below it."""
    size = characters(command)
    if size > 8000:
        yield f"/{command['name']} has {size} characters, at most 8000"
    yield from _check_level(command, 0)


def characters(node: dict) -> int:
    """Return the characters that count to a command's 8000: names, descriptions, values."""
    total = len(node["name"]) + len(node.get("description") or "")
    for key in ("name_localizations", "description_localizations"):
        total += max((len(text) for text in (node.get(key) or {}).values()), default=0)
    total += sum(len(c["name"]) + len(str(c["value"])) for c in node.get("choices") or [])
    return total + sum(characters(option) for option in node.get("options") or [])


def _check_level(node: dict, depth: int) -> Iterator[str]:
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


def _check_words(node: dict) -> Iterator[str]:
    if not NAME.match(node["name"]) or node["name"] != node["name"].lower():
        yield f"name {node['name']!r} must be 1 to 32 lower-case letters, digits, - or _"
    if not 1 <= len(node.get("description") or "") <= 100:
        yield f"description of {node['name']} must have 1 to 100 characters"


def _check_option(option: dict) -> Iterator[str]:
    yield from _check_words(option)
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
