"""Controls on the wire: the whole meaning of a button stands in its custom id.

``v1|game|version|verb|arg``, numbers in base 36, at most 100 characters. So a
button works after a restart, and one that was drawn before the latest move is
known as such. What comes back may be forged: it is read by its exact grammar or not at all.
"""

import re

from engine import Record

PREFIX = "v1"
MOST = 100
MAX_NUMBER = (1 << 31) - 1
"""The largest number that a column of the store holds."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER_36 = "(0|[1-9a-z][0-9a-z]{0,5})"
_CUSTOM_ID = re.compile(rf"{PREFIX}\|{_NUMBER_36}\|{_NUMBER_36}\|([a-z]{{1,20}})\|([^\x00-\x1f\x7f]*)")
_NUMBER = re.compile("[0-9]{1,9}")


class Control(Record, frozen=True):
    """What a button, a menu or a form means.

    Args:
        game: number of the game.
        version: log version it was drawn at; 0 where it does not matter.
        verb: what to do, a key of ``CONTROLS``. arg: with what, in the verb's own form.
    """

    game: int
    version: int
    verb: str
    arg: str = ""


def custom_id(control: Control) -> str:
    """Return the custom id of a control; one that is too long is a defect of ours."""
    text = "|".join((PREFIX, base36(control.game), base36(control.version), control.verb, control.arg))
    assert len(text) <= MOST, text
    return text


def control_of(text: str) -> Control | None:
    """Read a custom id; ``None`` if ``custom_id`` cannot have written it."""
    found = _CUSTOM_ID.fullmatch(text) if len(text) <= MOST else None
    if found is None:
        return None
    game, version = int(found[1], 36), int(found[2], 36)
    return Control(game, version, found[3], found[4]) if max(game, version) <= MAX_NUMBER else None


def number_of(text: str) -> int | None:
    """Read a decimal number of at most nine digits, as it stands within an argument; ``None`` if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def base36(number: int) -> str:
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
