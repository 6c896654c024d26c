"""What is asked of every reader: it understands, and reads again what it writes; or refuses with a sentence."""

import traceback
from typing import NamedTuple

from pydantic import ValidationError

from bot.mail.body import UnreadableError
from bot.model.errors import MAX_SENTENCE_LENGTH, explain_error
from bot.model.plain import make_printable
from bot.operations.settings import explain_errors
from engine.titles.steel_driver.board import BoardError
from tests.fuzz.readers import Reader

ENDS = (".", "?", "!", "”", ")", "…", ":")
"""How a sentence for people may end; some are cut, some have an example last."""


class Finding(NamedTuple):
    """What is wrong with a reader: a word for its kind, and words about it."""

    kind: str
    words: str


class Verdict(NamedTuple):
    """Whether a case was refused, and what is wrong, if anything."""

    refused: bool
    finding: Finding | None = None


def explain(error: Exception) -> str | None:
    """Return the sentence of a refusal; ``None`` for a defect of ours."""
    if isinstance(error, UnreadableError | BoardError):
        return make_printable(str(error))
    if isinstance(error, ValidationError):
        return " ".join(explain_errors(error))
    return explain_error(error)


def judge(reader: Reader, case: object) -> Verdict:
    """Let a reader read a case, and return what is to be said of it."""
    try:
        read = reader.read(case)
    except Exception as error:  # noqa: BLE001  # what it raises is the question
        return Verdict(refused=True, finding=_judge_refusal(error))
    if read is None:
        return Verdict(refused=True)
    if reader.write is not None:
        again = reader.read(reader.write(read))
        if again != read:
            return Verdict(refused=False, finding=Finding("other", f"{read!r} is read again as {again!r}"))
    return Verdict(refused=False)


def _judge_refusal(error: Exception) -> Finding | None:
    sentence = explain(error)
    if sentence is None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename.rpartition('/')[2].removesuffix('.py')}-{last.name.strip('<>_')}"
        return Finding(f"{type(error).__name__}-{where}", f"{error!r} at {last.filename}:{last.lineno}")
    plain, words = sentence.replace("\n", "").isprintable(), sentence.partition(" For example: ")[0].rstrip()
    if not words or not plain or len(sentence) > MAX_SENTENCE_LENGTH + 3 or not words.endswith(ENDS):
        return Finding("sentence", repr(sentence[-300:]))
    return None
