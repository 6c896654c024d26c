"""Controls on the wire: the whole meaning of a button stands in its custom id.

``v1|game|version|verb|arg``, numbers in base 36, at most 100 characters. So a
button works after a restart, and one that was drawn before the latest move is
known as such.
"""

from engine import Record

PREFIX = "v1"
MOST = 100
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


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
    """Read a custom id; ``None`` if it is none of ours."""
    parts = text.split("|", 4)
    if len(parts) != 5 or parts[0] != PREFIX or len(text) > MOST:
        return None
    try:
        return Control(int(parts[1], 36), int(parts[2], 36), parts[3], parts[4])
    except ValueError:
        return None


def base36(number: int) -> str:
    """Return a whole number from 0 in base 36."""
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits
