"""What a person is told when something cannot be done.

Every refusal is one or two sentences: what, why, what can be done. Anything
that is not a refusal is a defect of ours: ``explain_error`` returns ``None`` for
it, the player gets a reference number and the log the trace.
"""

import secrets

from bot.model.plain import make_printable
from engine import LogError, RuleError, UnreadableLogError
from engine.words import WordingError

MAX_SENTENCE_LENGTH = 1500


class BotError(Exception):
    """Refuse politely; nothing has changed.

    Args:
        sentence: one or two sentences with a full stop, for the person who asked.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class StaleError(BotError):
    """Refuse a control that was drawn before the latest move.

    Args:
        version: number of log entries now; the control carried another.
        moved_first: another player moved in the very same moment.
    """

    def __init__(self, sentence: str, version: int, *, moved_first: bool = False) -> None:
        super().__init__(sentence)
        self.version = version
        self.moved_first = moved_first


def explain_error(error: BaseException) -> str | None:
    """Return what the person is told, without what cannot be seen, or ``None`` for a defect of ours."""
    if isinstance(error, BotError):
        return make_printable(error.sentence[:MAX_SENTENCE_LENGTH])
    if isinstance(error, RuleError | WordingError | LogError | UnreadableLogError):
        return make_printable(str(error)[:MAX_SENTENCE_LENGTH])
    return None


def make_reference() -> str:
    """Return a short number under which a defect stands in the log."""
    return secrets.token_hex(3).upper()


def describe_defect(number: str) -> str:
    """Return the sentence for a defect of ours, which may have come after something was done."""
    return f"Something went wrong on our side. No move is half done: the table shows the current state. Ref {number}."
