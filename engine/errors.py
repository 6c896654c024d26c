"""What can go wrong: a rule says no, or a log cannot be read.

``RuleError``: an action the rules forbid; a sentence a player understands.
``LogError``: a log that breaks off at one of its actions.
Anything else that is raised in the engine is a defect of ours.
"""

import re

from engine.record import Rule

_SEAT = re.compile(r"\{(\d{1,2})\}")


OURS = "Table"
"""The book of our own rules, about turns and undoing: there is no paragraph to look up, so none is cited."""


class RuleError(Exception):
    """An action, or a set-up, that the rules refuse; nothing has changed.

    Args:
        sentence: one or two sentences with a full stop: what, why, what would be needed; may name a seat as ``{0}``.
        rule: the paragraph that says so.
    """

    def __init__(self, sentence: str, rule: Rule) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule

    def __str__(self) -> str:
        sentence = _SEAT.sub(lambda found: f"player {int(found[1]) + 1}", self.sentence)
        return sentence if self.rule.book == OURS else f"{sentence} ({self.rule})"


class LogError(Exception):
    """A log that cannot be replayed beyond one of its actions.

    Args:
        index: position of the action in the log, from 0.
        cause: the sentence that says why.
    """

    def __init__(self, index: int, cause: str) -> None:
        super().__init__(f"Action {index}: {cause}")
        self.index = index
        self.cause = cause


class UnreadableLogError(Exception):
    """Bytes that aren't a log of any game we know; the message is one line."""
