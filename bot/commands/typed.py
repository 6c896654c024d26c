"""Slash commands as a person types them, at the terminal or in a letter: reading and completing a line."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import msgspec

from bot.commands.command import Call, ChannelOrRole, Command, CommandParameter, Group, Value, suggest
from bot.model.errors import BotError
from bot.model.plain import replace_unkept
from bot.model.records import Person
from bot.screens.text import read_words
from engine import Record
from engine.codec import MAX_FILE_BYTES
from engine.fuzzy import strip_currency
from engine.words import join_words

FIRST_COMMANDS = (
    ("game", "new"), ("learn", "learn"), ("act", "menu"), ("view", "map"), ("view", "table"), ("view", "log"),
    ("rules", "now"), ("rules", "why"), ("game", "undo"), ("game", "list"),
)  # fmt: skip
"""What one needs to play a first game."""
_MAX_DIGITS = 18
_MIN_LIKENESS = 0.75
"""How much of a name must be spelled right, for it to be asked whether it is meant."""
_MAX_SUGGESTIONS = 3
_NAME = re.compile(r"\S:")
_MOVE = re.compile(r"(?:/act )?[a-z_]+ \S+:")
"""A move with named values, which are not options of the command that is about it."""
_QUOTES = str.maketrans("", "", '"“”„‘’«»')
_YES = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class TypedCommand(Record, frozen=True):
    """A line understood: the command and the values of its parameters."""

    group: str
    command: Command
    values: dict[str, Value]


class Completion(Record, frozen=True):
    """A way to go on: ``text`` replaces the last ``back`` characters; ``label`` explains it."""

    text: str
    back: int
    label: str


def read_line(groups: Sequence[Group], line: str, *, from_afar: bool = False, attached: bytes = b"") -> TypedCommand:
    """Read a line like "/act bid amount:20"; ``from_afar`` it can name no file of this machine, but bring one.

    Raises:
        BotError: there is no such command or parameter, or a value is missing or cannot be read.
    """
    head, _, rest = replace_unkept(line).strip().removeprefix("/").partition(" ")
    name, _, said = rest.strip().partition(" ")
    if any(group.single and group.name == head.lower() for group in groups):
        name, said = head, rest
    group, command = find_command(groups, head, name)
    return TypedCommand(group.name, command, read_values(group, command, said, from_afar=from_afar, attached=attached))


def list_help(groups: Sequence[Group], topic: str, verbs: Collection[str] = ()) -> Iterator[str]:
    """Yield the lines of the help: what one needs first and the topics; a topic; or one command.

    Args:
        groups: all commands.
        topic: "", the name of a group, or that of a group and a command.
        verbs: of the title that is played; the moves of others are left out.

    Raises:
        BotError: there is no such topic or command.
    """
    head, _, name = topic.lower().removeprefix("/").partition(" ")
    if not head:
        yield "The first ten commands:"
        for group_name, command_name in FIRST_COMMANDS:
            first = find_command(groups, group_name, command_name)[1]
            yield f"  {'/' + ' '.join(dict.fromkeys((group_name, command_name))):<12} {first.help}"
        yield "More by topic:"
        yield from (f"  {'/help ' + group.name:<12} {group.help}" for group in groups)
        return
    group = find_group(groups, head)
    if name or group.single:
        command = find_command(groups, head, name.strip() or group.name)[1]
        yield f"/{' '.join(dict.fromkeys((group.name, command.name)))} — {command.help}"
        yield from (f"  {each.name + ':':<12} {each.help}" for each in command.parameters)
        return
    yield f"/{group.name} — {group.help} For its options: /help {group.name} {group.commands[0].name}"
    for command in group.commands:
        if not verbs or group.name != "act" or command.name in (*verbs, "menu"):
            yield f"  {command.name:<12} {command.help}"


def find_group(groups: Sequence[Group], head: str) -> Group:
    """Return a group of commands.

    Raises:
        BotError: there is none.
    """
    group = next((each for each in groups if each.name == head.lower()), None)
    if group is None:
        known = ", ".join("/" + each.name for each in groups)
        raise BotError(
            f"There is no /{head[:40]}{_suggest_command(groups, head.lower()) or f'; there are {known} and /help.'}"
        )
    return group


def find_command(groups: Sequence[Group], head: str, name: str) -> tuple[Group, Command]:
    """Return the command "/head name" and its group.

    Raises:
        BotError: there is none.
    """
    group = find_group(groups, head)
    command = group.find(name.lower())
    known = ", ".join(each.name for each in group.commands)
    if not name:
        raise BotError(f"/{group.name} needs one more word: {known}.")
    if command is None:
        perhaps = _suggest_command((group,), name.lower()) or f"; it has: {known}."
        raise BotError(f"/{group.name} has no “{name[:40]}”{perhaps}")
    return group, command


def read_values(
    group: Group, command: Command, said: str, *, from_afar: bool = False, attached: bytes = b""
) -> dict[str, Value]:
    """Return the values typed after a command; one that stands alone needs no name.

    Raises:
        BotError: see ``check_values``.
    """
    alone = len([each for each in command.parameters if each.name != "game"]) == 1
    line = f"{command.name} {said}"
    named = add_names(command, line) if alone or group.name == "act" else _name_first(command, line)
    return check_values(group, command, read_words(named)[1], from_afar=from_afar, attached=attached)


def check_values(
    group: Group, command: Command, named: Mapping[str, str], *, from_afar: bool = False, attached: bytes = b""
) -> dict[str, Value]:
    """Return the values of a command's parameters from words by name.

    Raises:
        BotError: there is no such parameter, or a value is missing or cannot be read.
    """
    parameters = {each.name: each for each in command.parameters}
    values: dict[str, Value] = {}
    for key, text in named.items():
        if key not in parameters:
            known = ", ".join(parameters) or "none"
            raise BotError(f"/{group.name} {command.name} has no option “{key[:40]}”; its options: {known}.")
        if from_afar and parameters[key].kind == "file":
            raise BotError(f"{key} can't be named in an e-mail; attach the file.")
        values[key] = _read_value(parameters[key], text)
    for each in command.parameters:
        if attached and each.kind == "file":
            values[each.name] = attached
        if each.required and each.name not in values and group.name != "act":  # there what fits alone may be missing
            raise BotError(f"/{group.name} {command.name} needs {each.name} ({each.help}).")
    return values


def add_names(command: Command, rest: str) -> str:
    """Return a move whose values stand alone, "sell IOW 2", with the names of its parameters, as far as that is plain.

    The last word is the amount if there is one to be said; what is left goes to the first parameter in words, and its
    rest to a second one.
    """
    verb, _, said = rest.strip().partition(" ")
    known = [each for each in command.parameters if each.name != "game"]
    if known and known[0].name == "move" and _MOVE.match(said):
        return f"{verb} move:{said}"
    if not said or _NAME.search(said) or not known:
        return rest
    wholes, texts = [[each.name for each in known if (each.kind == "int") is whole] for whole in (True, False)]
    words, named = said.translate(_QUOTES).split(), []
    if len(wholes) == 1 and words and strip_currency(words[-1]).isdecimal():
        named = [(wholes[0], words.pop())]
    if len(texts) > 1 and len(words) > 1:
        named.append((texts[1], " ".join(words[1:])))
        words = words[:1]
    if words:
        named.append((next(iter(texts), wholes[0] if wholes else ""), " ".join(words)))
    return " ".join([verb, *(f'{name}:"{value}"' for name, value in named)])


def _name_first(command: Command, rest: str) -> str:
    """Return a line whose first value stands alone, "new 1860 seats:3", with the name of the first parameter."""
    verb, _, said = rest.strip().partition(" ")
    first = next((each.name for each in command.parameters if each.name != "game"), "")
    alone = said.strip() and ":" not in said.split()[0].partition('"')[0]
    return f"{verb} {first}:{said.strip()}" if first and alone else rest


def _suggest_command(groups: Sequence[Group], word: str) -> str:
    """Return which command may be meant: one of that name or nearly, or whose help has the word; empty if none."""
    if len(groups) > 1 and (near := get_close_matches(word, [each.name for each in groups], 1, _MIN_LIKENESS)):
        return f". Did you mean /{near[0]}?"
    known = [(f"/{group.name} {each.name}", each) for group in groups for each in group.commands]
    spelled = get_close_matches(word, [each.name for _, each in known], 1, _MIN_LIKENESS)
    found = [typed for typed, each in known if each.name in spelled]
    found = found or [typed for typed, each in known if word in re.findall(r"[a-z]{3,}", each.help.lower())]
    return f". Did you mean {join_words(found, 'or')}?" if 0 < len(found) <= _MAX_SUGGESTIONS else ""


def _read_value(parameter: CommandParameter, text: str) -> Value:
    """Return a typed value in the form its parameter wants."""
    if parameter.kind == "int":
        number = strip_currency(text)
        digits = number.removeprefix("-")
        if digits.isascii() and digits.isdecimal() and len(digits) > _MAX_DIGITS:
            raise BotError(f"{parameter.name} is too large; use at most {_MAX_DIGITS} digits.")
        if not digits.isascii() or not digits.isdecimal():
            raise BotError(f"{parameter.name} must be a whole number, not “{text[:40]}”.")
        return int(number)
    if parameter.kind == "bool":
        if text.lower() not in _YES:
            raise BotError(f"{parameter.name} must be yes or no, not “{text[:40]}”.")
        return _YES[text.lower()]
    if parameter.kind == "user":
        return Person(text, text)
    if parameter.kind in ("channel", "role"):
        return ChannelOrRole(text, text)
    if parameter.kind == "file":
        return _read_file(text)
    return text


def _read_file(path: str) -> bytes:
    """Return the bytes of a file of a reasonable size."""
    try:
        with Path(path).expanduser().open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "that isn't a file name"
        raise BotError(f"The file “{path[:80]}” can't be read: {why}.") from None
    if len(data) > MAX_FILE_BYTES:
        raise BotError(f"The file is too large; the limit is {MAX_FILE_BYTES:,} bytes.")
    return data


async def complete(groups: Sequence[Group], call: Call, line: str) -> list[Completion]:
    """Return the ways to go on with an unfinished line; ``call`` tells who types, and where."""
    words = _split(line)
    last = words[-1]
    if len(words) == 1:
        names = [(each.name, each.help) for each in groups]
        names += [("help", "Show help."), ("use", "Go to another table: /use 7."), ("quit", "Leave.")]
        heads = [(f"/{name}", text) for name, text in names]
        return [Completion(f"{head} ", len(last), text) for head, text in heads if head.startswith(last)]
    group = next((each for each in groups if f"/{each.name}" == words[0].lower()), None)
    if group is None:
        return []
    if group.single:
        return await _complete_parameter(group.commands[0], call, words[1:])
    if len(words) == 2:
        fitting = [each for each in group.commands if each.name.startswith(last.lower())]
        return [Completion(f"{each.name} ", len(last), each.help) for each in fitting]
    command = group.find(words[1].lower())
    return [] if command is None else await _complete_parameter(command, call, words[2:])


async def _complete_parameter(command: Command, call: Call, words: list[str]) -> list[Completion]:
    """Complete the name of a parameter, or its value."""
    last = words[-1]
    known = {each.name: each for each in command.parameters}
    values: dict[str, Value] = {}
    for word in words[:-1]:
        key, _, text = word.partition(":")
        values[key] = text.replace('"', "")
    name, colon, partial = last.partition(":")
    if not colon:
        free = [each for each in known.values() if each.name not in values and each.name.startswith(name)]
        return [Completion(f"{each.name}:", len(last), each.help) for each in free]
    if name not in known:
        return []
    for key in [key for key, value in values.items() if key in known and known[key].kind == "int"]:
        if str(values[key]).isdecimal():
            values[key] = int(str(values[key]))
    wanted = partial.replace('"', "")
    asked = msgspec.structs.replace(call, values={**values, name: wanted} if wanted else values)
    choices = await suggest(command, asked, name, wanted)
    quoted = [f'"{each.value}" ' if " " in each.value else f"{each.value} " for each in choices]
    return [Completion(text, len(partial), each.label) for text, each in zip(quoted, choices, strict=True)]


def _split(line: str) -> list[str]:
    """Split a line at blanks outside quotation marks; the last word may be unfinished or empty."""
    words, quoted = [""], False
    for letter in line:
        quoted ^= letter == '"'
        if letter == " " and not quoted:
            if words[-1]:
                words.append("")
        else:
            words[-1] += letter
    return words
