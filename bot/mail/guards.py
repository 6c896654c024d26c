"""What keeps the words of a move from being one: questions without their mark, other turns, what others say.

``clauses`` finds the words of a move wherever they stand. Here is what must not stand beside them; it errs towards
asking back, for a move that was not meant is worse than a question.
"""

import re
from collections.abc import Iterable

from bot.mail.phrases import WORDS, find_words

SMALL_TALK = find_words("small_talk")
_ASKS = find_words("asks", before=r"^\W*(?:(?:so|and|well|hmm?|but|or)\W+)*")
_HEDGES, _VALUED, _PUT_OFF = find_words("hedges"), find_words("valued"), find_words("put_off")
_STOPS = re.compile(r"[,;!…\n()]+|\.(?=\s|$)|\s[-–—]+\s")
_BESIDE_CHOICE = frozenset(WORDS["beside_choice"])
_EXCLAIMED = frozenset(WORDS["exclaimed"])
_MANNERS = frozenset(WORDS["manners"])
_SAID_OF_A_THING = re.compile(
    r"\b(?:am|is|are|was|were|i'm|we're|off|out|full|much|still|there|here|looks?|seems?|sounds?|let|go|need|again)\b"
)
_IT_IS = re.compile(r"\bit(?: is|'s)$|^(?:my|our|the) (?:choice|move|answer|vote|pick|order|decision) is\b")
"""“Norwich it is”, “my choice is Norwich”: these do choose."""
_SHORT_WORDS = frozenset(WORDS["short_words"])


def is_valued(text: str) -> bool:
    """Return whether a clause says that something is too dear, or the like: what it names isn't chosen."""
    return _VALUED.search(text) is not None


def is_in_doubt(lines: Iterable[str]) -> bool:
    """Return whether lines ask, speak of another turn, set a condition, or tell what someone said or might do."""
    for line in lines:
        text = line.lower().replace("’", "'")
        bare = SMALL_TALK.sub(" ", text)
        if _PUT_OFF.search(bare) or _HEDGES.search(bare) or any(map(_ASKS.match, _STOPS.split(text))):
            return True
    return False


def may_stand_beside(words: Iterable[str]) -> bool:
    """Return whether words may stand beside the bare number of a choice: in “2 cheers” and “game 2” it is none."""
    return all(word in _BESIDE_CHOICE for word in words)


def is_remark(text: str) -> bool:
    """Return whether a clause without a verb says something about what it names, as “Norwich is full”."""
    return _SAID_OF_A_THING.search(_IT_IS.sub("", text)) is not None


def is_call(words: str) -> bool:
    """Return whether talk before a move may be the name of whom it is said to: “Bob, pass!”."""
    bare = words.strip(" ,.!:")
    return bool(bare) and " " not in bare and bare not in _EXCLAIMED


def is_manner(word: str) -> bool:
    """Return whether an adverb says only how something is done, as "gracefully" does."""
    return word in _MANNERS


def is_short_word(initials: str) -> bool:
    """Return whether initials are a word, as “NO” for New Orleans."""
    return initials.lower() in _SHORT_WORDS
