"""English counts and lists, and actions as players type them: parameters, completion, reading.

The slash commands of Discord, the local table and the private desk all speak
through these functions, so a command is defined once, in the action type.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TypeVar

import msgspec

from engine.record import Action, Record


def pluralise(number: int, noun: str, plural: str = "") -> str:
    """Return "1 base", "3 bases", "no base"; ``plural`` if it isn't formed with s."""
    if not number:
        return f"no {noun}"
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def add_article(name: str) -> str:
    """Return a name with its article: "a 4+2", "an 8+4"."""
    figures = re.match(r"\d+", name)
    vowel = figures[0] in ("11", "18") or figures[0].startswith("8") if figures else name[:1].lower() in "aeiou"
    return f"{'an' if vowel else 'a'} {name}"


def join_words(names: Sequence[str], last: str = "and") -> str:
    """Return "C&N", "C&N and IOW", "C&N, IOW and FYN"."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def merge_repeats(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return sentences with repeats in a row merged into one: "Ann swaps 10%, 4 times."."""
    alike = [(sentence, len([*same])) for sentence, same in groupby(sentences)]
    return tuple(one if times == 1 or not one else f"{one.rstrip('.')}, {times} times." for one, times in alike)


def write_ordinal(number: int) -> str:
    """Return "1st", "2nd", "11th"."""
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


A = TypeVar("A", bound=Action)
Label = Callable[[Action, str], str]
"""The words of a value on a menu: an action and the parameter."""
Forgive = Callable[[str, Mapping[str, str], Sequence[Action]], Action | None]
"""Finds the one legal action that words of a verb can mean."""
_JOINED = re.compile(r"[–—→]|(?<=\S)-|-(?=\s)|\bto\b")
_NAMES = re.compile(r"[\W_]+")
"""What the spelling of a name has besides letters and figures."""
MAX_VALUES_COMPARED = 60
"""How many values of a parameter are compared with a word."""
MAX_MEANINGS_LISTED = 8
"""How many values are listed if a word can mean several."""
MAX_CHOICES_LISTED = 6
"""How many choices are listed if a word means none."""


class Parameter(Record, frozen=True):
    """One parameter of a subcommand: its name, its help, whether it is a whole number, and its question."""

    name: str
    help: str
    whole: bool
    question: str = ""


class WordingError(Exception):
    """Words that mean no action; the message is a sentence for the player."""


@cache  # making the commands asks for each many times
def list_parameters(kind: type[Action]) -> tuple[Parameter, ...]:
    """Return the parameters of an action type, in the order they are typed."""
    fields = {f.encode_name: f for f in msgspec.structs.fields(kind)}
    return tuple(
        Parameter(
            name,
            (help_ := kind.helps.get(name, name)),
            len(span) == 1 and fields[span[0]].type is int,
            kind.asks.get(name, help_),
        )
        for name, span in _map_fields(kind).items()
    )


def _map_fields(kind: type[Action]) -> Mapping[str, tuple[str, ...]]:
    """Return the fields of an action type by parameter."""
    return kind.command or {name: (name,) for name in kind.__struct_fields__}


def describe_kinds(kinds: Iterable[type[Action]]) -> str:
    """Return kinds of actions in words: "buy, sell, start a company, or pass"."""
    known = dict.fromkeys(kind for kind in kinds if kind.verb)
    could = dict.fromkeys(kind.brief for kind in known if kind.verb != "pass")
    last = dict.fromkeys(kind.brief for kind in known if kind.verb == "pass")
    several = join_words([*could, *last], "or")
    return several if len(could) < 2 or not last else f"{', '.join(could)}, or {next(iter(last))}"


def write_parameters(action: Action) -> dict[str, str]:
    """Return the parameters of an action as players would type them, by name."""
    spans = _map_fields(type(action))
    return {name: " ".join(str(getattr(action, field)) for field in span) for name, span in spans.items()}


def read_action(kind: type[A], words: Mapping[str, str]) -> A:
    """Make an action from typed parameters.

    Raises:
        WordingError: a parameter is missing, superfluous, or not of its form.
    """
    values: dict[str, str] = {}
    spans = _map_fields(kind)
    for name in words:
        if name not in spans:
            known = f"; it takes {join_words([*spans])}" if spans else ""
            raise WordingError(f"/act {kind.verb} takes no “{name[:40]}”{known}.")
    values.update(kind.usual)
    for name, span in spans.items():
        if name in words:
            # what dashes, arrows or "to" keep apart ("Boston–New York"), else what blanks do
            parts = [part.strip() for part in _JOINED.split(words[name])] if len(span) > 1 else [words[name].strip()]
            parts = parts if len(parts) == len(span) else words[name].split()
            parts += [kind.usual[field] for field in span[len(parts) :] if field in kind.usual]
            if len(parts) != len(span):
                raise WordingError(f"“{words[name][:40]}” isn't a choice for {name}.")
            values.update(zip(span, parts, strict=True))
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as cause:
        raise WordingError(_explain_error(kind, cause, values)) from None


def write_command(action: Action, label: Label | None = None) -> str:
    """Return an action as players would type it: "/act tile hex:F2 choice:"742 1"".

    With the labels of a menu, a code becomes its name if they differ in spelling only.
    """
    values = write_parameters(action)
    if label is not None:
        values = {name: _prefer_name(value, label(action, name)) for name, value in values.items()}
    words = "".join(
        f' {name}:"{value}"' if " " in value or not value else f" {name}:{value}" for name, value in values.items()
    )
    return f"/act {action.verb}{words}"


def _prefer_name(value: str, words: str) -> str:
    """Return the name that a label begins with if only its spelling differs from the value; else the value."""
    head = words.partition(" · ")[0].replace("→", "-") if not value.isdecimal() else ""
    return head if _NAMES.sub("", head).casefold() == _NAMES.sub("", value).casefold() else value


def _explain_error(kind: type[Action], cause: msgspec.ValidationError, values: Mapping[str, str]) -> str:
    """Return a validation error of msgspec as a sentence for players."""
    text = str(cause)
    spans = _map_fields(kind)
    field = text.split("`")[1] if "missing required field" in text else text.rpartition("$.")[2].strip("`")
    name = next((name for name, span in spans.items() if field in span), field)
    if "missing required field" in text:
        question = kind.asks.get(name, "")
        return f"{question} Add the {name}." if question else f"/act {kind.verb} needs {name}."
    value = f"“{values.get(field, '')[:40]}”"
    return (
        f"The {name} must be a whole number, not {value}." if "int" in text else f"{value} isn't a choice for {name}."
    )


def find_pass(kinds: Sequence[type[Action]]) -> Action | None:
    """Return the action that passes or ends a step; ``None`` in a game without one."""
    return next((kind() for kind in kinds if kind.verb == "pass" and not list_parameters(kind)), None)


def _forgive_nothing(verb: str, given: Mapping[str, str], legal: Sequence[Action]) -> Action | None:
    """Find nothing: accept exact words only."""
    del verb, given, legal
    return None


def understand(
    kinds: Sequence[type[Action]],
    verb: str,
    words: Mapping[str, str],
    legal: Sequence[Action],
    forgive: Forgive = _forgive_nothing,
    label: Label | None = None,
) -> Action:
    """Return the action meant by a verb and its parameters.

    If several action types share the verb, a legal action with exactly these words
    wins; then one that ``forgive`` finds. If all given words fit, the error asks for
    what is missing. Otherwise it is the first type that the words can form, with
    the parameters that have one value only, so that the rules can explain what is wrong.

    Raises:
        WordingError: the words form no action with this verb; the message has an example of what
            works now, in the words of ``label``.
    """
    given = _rename_stray_parameter(kinds, verb, {name: " ".join(value.split()) for name, value in words.items()})
    for action in legal:
        if action.verb == verb and given == write_parameters(action):
            return action
    found = forgive(verb, given, legal)
    if found is not None:
        return found
    could = [action for action in legal if action.verb == verb]
    now = f"; you can {describe_kinds(map(type, legal))}" if legal else ""
    refusal = f"This game has no “{verb[:40]}”{now}."
    why = _ask_for_missing(could, given, forgive)
    for kind in kinds:
        if verb and kind.verb == verb and not why:  # an action without a verb is the table's, never typed
            try:
                return read_action(kind, {**given, **_fill_only_choices(kind, could, given, forgive)})
            except WordingError as error:
                refusal = str(error) if could or not legal else f"You can't {kind.brief} now{now}."
    why = (
        why
        or _explain_unavailable(could, given, forgive, label)
        or _explain_ambiguous(could, given, forgive)
        or refusal
    )
    example = _find_nearest(could or legal, given, forgive)
    raise WordingError(f"{why} For example: {write_command(example, label)}" if example else why)


def _rename_stray_parameter(kinds: Sequence[type[Action]], verb: str, given: Mapping[str, str]) -> Mapping[str, str]:
    """Return typed words; one under a name that another game uses, "token city:Ely", gets its name here."""
    known = {each.name: each.whole for kind in kinds if kind.verb == verb for each in list_parameters(kind)}
    strange = [name for name in given if name not in known]
    free = [name for name in known if name not in given]
    if len(strange) != 1 or not free or (len(known) > 1 and known[free[0]] is not given[strange[0]].isdecimal()):
        return given
    return {free[0] if name == strange[0] else name: value for name, value in given.items()}


def _ask_for_missing(could: Sequence[Action], given: Mapping[str, str], forgive: Forgive) -> str:
    """Return a question for what is missing if all given words fit legal actions; else ""."""
    left = could
    for name, value in given.items():
        fitting = _find_fitting_values(left, name, value, forgive)
        left = [action for action in left if write_parameters(action).get(name) in fitting]
    missing = [each for each in list_parameters(type(left[0])) if each.name not in given] if left else []
    several = [each for each in missing if len({write_parameters(action).get(each.name) for action in left}) > 1]
    asked = f"{several[0].question} Add the {several[0].name}." if several else ""
    return _explain_ambiguous(left, given, forgive) or asked


def _fill_only_choices(
    kind: type[Action], could: Sequence[Action], given: Mapping[str, str], forgive: Forgive
) -> dict[str, str]:
    """Return the parameters of a kind of action that can have one value only, given some words."""
    alike = [action for action in could if type(action) is kind]
    found: dict[str, str] = {}
    for name in (each.name for each in list_parameters(kind)):
        heads = [write_parameters(head)[name] for head in list_completions(alike, kind.verb, {}, name)]
        known = [*_find_fitting_values(alike, name, given[name], forgive)] if name in given else heads
        if len(known) == 1:
            found[name] = known[0]
    return found


def _explain_unavailable(
    could: Sequence[Action], given: Mapping[str, str], forgive: Forgive, label: Label | None
) -> str:
    """Explain that a word isn't available, and list what is; return "" if each word can mean something."""
    for each in list_parameters(type(could[0])) if could else ():
        heads = list_completions(could, could[0].verb, {}, each.name)
        if each.whole or each.name not in given or len(heads) > MAX_VALUES_COMPARED:
            continue
        if not _find_fitting_values(could, each.name, given[each.name], forgive):
            names = [label(head, each.name).partition(" · ")[0] if label else "" for head in heads]
            known = [name or write_parameters(head)[each.name] for name, head in zip(names, heads, strict=True)]
            if len(known) > MAX_CHOICES_LISTED + 1:
                known = [*known[:MAX_CHOICES_LISTED], f"{len(known) - MAX_CHOICES_LISTED} more"]
            only = f"only {known[0]} is" if len(known) == 1 else f"choose {join_words(known, 'or')}"
            return f"“{given[each.name][:40]}” isn't available; {only}."
    return ""


def _explain_ambiguous(could: Sequence[Action], given: Mapping[str, str], forgive: Forgive) -> str:
    """Explain that a word can mean several values; return "" if none does."""
    for name, value in given.items():
        fitting = _find_fitting_values(could, name, value, forgive)
        if 1 < len(fitting) <= MAX_MEANINGS_LISTED:
            return f"“{value[:40]}” could mean {join_words([*fitting], 'or')}; type one of them."
    return ""


def _find_fitting_values(could: Sequence[Action], name: str, value: str, forgive: Forgive) -> dict[str, None]:
    """Return the values of a parameter that a word can mean, among the first sixty."""
    heads = list_completions(could, could[0].verb, {}, name)[:MAX_VALUES_COMPARED] if could else []
    fitting = [head for head in heads if forgive(head.verb, {name: value}, [head]) is not None]
    return dict.fromkeys(write_parameters(head)[name] for head in fitting)


def _find_nearest(could: Sequence[Action], given: Mapping[str, str], forgive: Forgive) -> Action | None:
    """Return the first action that fits the given words as far as possible."""
    for name, value in given.items():
        fitting = _find_fitting_values(could, name, value, forgive)
        could = [action for action in could if write_parameters(action).get(name) in fitting] or could
    return next(iter(could), None)


def list_completions(legal: Sequence[Action], verb: str, given: Mapping[str, str], parameter: str) -> list[Action]:
    """Return one legal action for each value that a parameter can have, given the others."""
    seen: dict[str, Action] = {}
    for action in legal:
        if action.verb != verb:
            continue
        words = write_parameters(action)
        if parameter in words and all(words.get(name) == value for name, value in given.items() if name != parameter):
            seen.setdefault(words[parameter], action)
    return list(seen.values())
