"""A message as we think of it: words, pictures, menus, buttons.

``show`` turns a screen into Discord's components; tests and the desk read it
as it is.
"""

from typing import Literal

from bot.screens.wire import Control
from engine import Record
from engine.view import View

Tone = Literal["plain", "main", "good", "bad"]
LABEL = 80
"""Signs on a button."""


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
        mention: ids of the users whose phone may ring.
    """

    text: str
    pictures: tuple[View, ...] = ()
    after: str = ""
    menus: tuple[Menu, ...] = ()
    rows: tuple[tuple[Button, ...], ...] = ()
    mention: tuple[str, ...] = ()


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


def rows_of(buttons: list[Button]) -> tuple[tuple[Button, ...], ...]:
    """Return buttons in rows of five."""
    return tuple(tuple(buttons[start : start + 5]) for start in range(0, len(buttons), 5))


def clip(text: str, most: int) -> str:
    """Return text of at most ``most`` characters; the end of longer text is cut."""
    return text if len(text) <= most else text[: most - 1] + "…"
