"""Find kinds of English that read as translated, in the list of sentences."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.sentences.collect import Sentence

KINDS = {
    "a clause as subject": (
        r"(?i:\b(only|all|to|for|by|from|with|at|as|than) who\b)|^Who(ever|m)?\b[^?]*$|\b(?i:whom?ever)\b"
    ),
    "what or where as subject": r"^(What|Where|Which)\b[^?]*[.;]$",
    "tell, say": r"(?i:\b(tell|tells|told|telling|say|says|said|saying)\b)",
    "somebody, nobody": r"(?i:\b(some|no|every|any)body\b)",
    "by itself": r"(?i:\bby (it|them)sel(f|ves)\b)",
    "a filler": (
        r"(?i:\b(all the same|beside (it|them|this|those|the others)|anew|on (its|their) way|mended|lapse[sd]?)\b)"
        r"|(?i:\bany more\b)|\bas well:"
    ),
    "are the most": (
        r"(?i:\b(are|is) the (most|least)\b|\bat the (most|least)\b|\bat (most|least)[.,;)]|\bthe most there\b)"
    ),
    "to be had": r"(?i:\bto be had\b)",
    "is to (must)": r"(?i:\b(is|are|was|were) to [a-z]+\b)",
    "is no (isn't a)": r"(?i:(?<!\bthere )\b(is|are|was|were|be) (no|none) (?!one\b|longer\b|more\b|other\b)[a-z]+)",
    "a verb as noun": r"(?i:\b(is|as|are) a (no|yes)\b|\bthe word of\b)",
    "cannot, will not": r"(?i:\bcannot\b|\b(can|will|do|does|did|is|are|was|were|has|have|had) not\b)",
    "10 %": r"[\d})] %",
    "a sum without its comma": r"[£$€]\d{4}|\b\d{4,}cc\b",
    "of whom": r"(?i:\b(of|to|for|with|by|from) whom\b)",
    "a roundabout operator": r"(?i:\b(those|people|person|who|whoever|one) (who )?runs? (the|this|it)\b)",
    "hyphen for a range": r"\b\d+ ?- ?\d+ (players|minutes|hours|days|moves|tables|people)\b|\bfor \d+-\d+\b",
    "no for not": r"(?i:\b(moves?|lowers?|changes?) no (price|prices|position|positions)\b)",
    "runs for the most": r"(?i:\bfor the most\b)",
    "at which (at what)": r"^(At|For) which (par|price|cost)\b",
    "all is (all of it is)": r"(?i:\ball is\b)",
    "a rule without its verb": (
        r"^(Down|Up to (one|two|three|four)|Retained|Paid out|Always possible|Par;|One (in|on) (a|each)|Or (when|it)"
        r"|Then the first)\b"
    ),
}
"""The kinds that a machine can find: the name, and what matches it."""

EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "a filler": {"time-lapse": "the word for such a picture"},
    "tell, say": {"`say`": "the name of a function"},
    "cannot, will not": {
        "The application did not respond": "quoted from Discord",
        "routes and costs are not published": "the digests of released games have this note of the board",
    },
}
"""By kind: a part of the sentence that may stand, and why."""


_FILLED_IN = re.compile(r"\{[^{}]*\}")


class Hit(NamedTuple):
    """A kind found in a sentence."""

    kind: str
    sentence: Sentence


def find_hits(sentences: Iterable[Sentence]) -> list[Hit]:
    """Return each kind with each sentence in which it is found, exceptions left out."""
    patterns = {kind: re.compile(pattern) for kind, pattern in KINDS.items()}
    return [
        Hit(kind, each)
        for each in sentences
        for kind, pattern in patterns.items()
        if pattern.search(_FILLED_IN.sub("{}", each.text))
        and not any(part in each.text for part in EXCEPTIONS.get(kind, ()))
    ]


def find_unused_exceptions(sentences: Iterable[Sentence]) -> list[str]:
    """Return the exceptions that no sentence needs any longer."""
    texts = [each.text for each in sentences]
    parts = [part for kind in EXCEPTIONS.values() for part in kind]
    return [part for part in parts if not any(part in text for text in texts)]
