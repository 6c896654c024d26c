"""A message as we think of it: words, pictures, menus, buttons, and what a button means.

``bot.discord.components`` turns a screen into Discord's components; tests and the desk read it as it is.

The whole meaning of a control stands in its custom id, ``v1|game|version|verb|arg``, numbers in base 36, at most 100
characters. So a button works after a restart, and one that was drawn before the latest move is known as such. What
comes back may be forged: it is read by its exact grammar or not at all.
"""

import re
import zlib
from collections.abc import Sequence
from textwrap import wrap
from typing import Literal

from engine import Action, Record
from engine.codec import encode_action
from engine.view import View

PREFIX = "v1"
MAX_CUSTOM_ID_LENGTH = 100
MAX_NUMBER = (1 << 31) - 1
"""The largest number that a column of the database holds."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER_36 = "(0|[1-9a-z][0-9a-z]{0,5})"
_CUSTOM_ID = re.compile(rf"{PREFIX}\|{_NUMBER_36}\|{_NUMBER_36}\|([a-z]{{1,20}})\|([^\x00-\x1f\x7f\ud800-\udfff]*)")
_NUMBER = re.compile("[0-9]{1,9}")
_STEPS = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}")
Tone = Literal["plain", "main", "good", "bad"]
OUT_OF_DATE = "That menu is out of date. Open it again."
MAX_LABEL_LENGTH = 80
"""Characters on a button."""
MAX_MENU_OPTIONS, MAX_OPTION_LENGTH = 25, 100
"""Lines of a menu, and characters in each."""
MAX_ALT_LENGTH = 1024
"""Characters that describe a picture."""
MAX_BUTTONS = 5
"""Buttons of a screen before *More…*: one row."""
MAX_PHONE_LINES, PHONE_CHARACTERS = 7, 44
"""Lines of a screen before *More…*, and characters in each, as a phone shows them."""
MIN_LINES = 3
"""Lines that a screen has in any case, whatever stands above it."""
WHOLE_SCREEN = "+"
"""What stands before the argument of a control that shows a screen with all its buttons and words."""


class Control(Record, frozen=True):
    """The meaning of a button, a menu or a form.

    Args:
        game: number of the game.
        version: log version it was drawn at; 0 where it does not matter.
        verb: what to do, a key of ``CONTROLS``. arg: with what, in the verb's own form.
    """

    game: int
    version: int
    verb: str
    arg: str = ""


def write_custom_id(control: Control) -> str:
    """Return the custom id of a control; one that is too long is a defect of ours."""
    text = "|".join((PREFIX, format_base36(control.game), format_base36(control.version), control.verb, control.arg))
    assert len(text) <= MAX_CUSTOM_ID_LENGTH, text
    return text


def read_custom_id(text: str) -> Control | None:
    """Read a custom id; ``None`` if ``write_custom_id`` can't have written it."""
    found = _CUSTOM_ID.fullmatch(text) if len(text) <= MAX_CUSTOM_ID_LENGTH else None
    if found is None:
        return None
    game, version = int(found[1], 36), int(found[2], 36)
    return Control(game, version, found[3], found[4]) if max(game, version) <= MAX_NUMBER else None


def read_number(text: str) -> int | None:
    """Read a decimal number of at most nine digits, as it stands within an argument; ``None`` if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def is_steps(text: str) -> bool:
    """Return whether a text is what a menu sends: the number of a value, or of each value of a whole move."""
    return _STEPS.fullmatch(text) is not None


def make_mark(*actions: Action) -> str:
    """Return a short mark of actions, by which a button knows that it still means them."""
    return f"{zlib.crc32(b''.join(map(encode_action, actions))):x}"


def format_base36(number: int) -> str:
    """Return a number from 0 in base 36.

    Raises:
        ValueError: it is negative.
    """
    if number < 0:
        raise ValueError(number)
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits


class Button(Record, frozen=True):
    """A button; ``tone`` "main" is the one most people want."""

    label: str
    control: Control
    tone: Tone = "plain"


class MenuOption(Record, frozen=True):
    """A line of a menu: its words, what it sends, smaller words below."""

    label: str
    value: str
    detail: str = ""


class Menu(Record, frozen=True):
    """A menu of at most 25 options, or of the people of the server where it has none; ``most`` may be chosen."""

    placeholder: str
    control: Control
    options: tuple[MenuOption, ...]
    most: int = 1
    least: int = 1


class Screen(Record, frozen=True):
    """One message.

    Args:
        text: what stands above the pictures, in Discord's Markdown.
        pictures: one below the other. after: words below them.
        menus: one a row. rows: buttons, at most five a row.
        mention: ids of the users whose phone may ring. silent: no phone does.
    """

    text: str
    pictures: tuple[View, ...] = ()
    after: str = ""
    menus: tuple[Menu, ...] = ()
    rows: tuple[tuple[Button, ...], ...] = ()
    mention: tuple[str, ...] = ()
    silent: bool = False


class Form(Record, frozen=True):
    """A form with one field, opened by a button.

    Args:
        title: at most 45 characters. label: of the field, likewise.
        hint: shown in the empty field.
    """

    title: str
    control: Control
    label: str
    hint: str = ""


def make_rows(buttons: list[Button]) -> tuple[tuple[Button, ...], ...]:
    """Return buttons in rows of five."""
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))


def clip(text: str, most: int) -> str:
    """Return text of at most ``most`` characters; the end of longer text is cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def count_lines(text: str) -> int:
    """Return how many lines of a phone a text takes."""
    plain = text.replace("*", "").replace("`", "")
    return sum(len(wrap(line.removeprefix("-# "), PHONE_CHARACTERS)) or 1 for line in plain.splitlines())


def clip_lines(text: str, most: int) -> str:
    """Return as many whole words of a text as fit into so many lines of a phone."""
    if count_lines(text) <= most:
        return text
    words = text.split(" ")
    while words and count_lines(f"{' '.join(words)}…") > most:
        words.pop()
    return f"{' '.join(words).rstrip('.,;:')}…"


def fit_phone(
    lines: Sequence[str], buttons: Sequence[Button], more: Control, *, whole: bool = False, taken: int = 0
) -> tuple[str, tuple[tuple[Button, ...], ...]]:
    """Return the words and buttons that a phone shows without scrolling; the others come with *More…*.

    Args:
        lines: the words, the most important ones first.
        buttons: the buttons, likewise.
        more: what *More…* does.
        whole: everything is shown.
        taken: lines that are taken by what stands above or below.
    """
    kept, height, room = list[str](), 0, max(MAX_PHONE_LINES - taken, MIN_LINES)
    for line in lines:
        height += count_lines(line)
        if height > room:
            break
        kept.append(line)
    if whole or (len(kept) == len(lines) and len(buttons) <= MAX_BUTTONS):
        return "\n".join(lines), make_rows([*buttons])
    return "\n".join(kept or lines[:1]), make_rows([*buttons[:MAX_BUTTONS], Button("More…", more)])
