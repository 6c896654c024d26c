"""The words of the service: plain text with two marks, which each front replaces with its own.

A command stands as it is typed ("/game start"), a thread as ``thread_mark``
writes it. All else is text to be shown letter by letter; a front that would
format some of it (as Discord's Markdown does) escapes it.
"""

import re
from collections.abc import Callable

MAX_NAME_LENGTH = 80
_COMMAND = re.compile(r'(?<![^\s(“])/[a-z]+ [a-z_]+(?: [a-z_]+:(?:"[^"]*"|[^\s.,;)]+))*')
_THREAD = re.compile(r"\[thread:(\d{1,20})\]")
_FORMATS = dict.fromkeys(map(ord, "*_`~|<>@\\"), None) | {ord("["): "(", ord("]"): ")"}
_OPENS = "#->+•=\u200b "
_UNKEPT = re.compile("[\x00\ud800-\udfff]")
"""What no store keeps: the sign 0, and halves of pairs."""


def thread_mark(thread: str) -> str:
    """Return the mark of a thread; no name can hold one, for ``tidy_name`` leaves no square bracket."""
    return f"[thread:{thread}]"


def render_marks(text: str, command: Callable[[str], str], thread: Callable[[str], str]) -> str:
    """Return text with its marks in a front's own form; ``thread`` is given the id."""
    text = _COMMAND.sub(lambda found: command(found[0]), text)
    return _THREAD.sub(lambda found: thread(found[1]), text)


def tidy_name(name: str, default: str) -> str:
    """Return a name on one line, not too long, without what a front would format, link or ring by."""
    line = " ".join("".join(letter for letter in name if letter.isprintable() or letter.isspace()).split())
    line = " ".join(line.translate(_FORMATS).replace("://", " ").lstrip(_OPENS).split())
    return line[:MAX_NAME_LENGTH].strip() or default


def tidy_person(name: str, default: str = "Someone") -> str:
    """Return what a person is called: a tidy name without commas, which stand between the names of a list."""
    return tidy_name(name.replace(",", " "), default)


def replace_unkept(text: str) -> str:
    """Return what came from outside with "�" for what no store can keep; each front does this as it reads."""
    return _UNKEPT.sub("�", text)


def make_printable(sentence: str) -> str:
    """Return a sentence in which what cannot be seen (control characters, marks of direction) shows as "�"."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in sentence)
