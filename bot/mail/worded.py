"""Choices named by their own words, as "swap the Cowes Marina" for "3  Swap the Cowes Marina & Ferry Company …"."""

import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from bot.mail.phrases import WORDS, join_words
from bot.model.letters import NumberedMove, NumberedMoves
from engine import Record

_HEAD = re.compile(r" · |[:;,]")
"""What ends the words of a choice: its reasons and consequences follow."""
_PROPER = re.compile(r"[A-Z(]|.*[\d&]")
_SPLIT = re.compile(r"[\s()“”\"„_£$€–—→:;,!?]+")
_SUM = re.compile(r"(?<=[£$€])\d{2,}|\b\d{2,}(?=cc\b)")
_SUMMED = frozenset(("dividend", "build", "option", "redeem", "token", "station", "merge"))
"""Kinds of actions whose labels have amounts that are no values: one may say them."""
_ELIDED = re.compile(r"^(?:l|d|j|qu)['’]")
_UNIT = re.compile(r"(?<=\d)cc\b|'s$|\.$")
_NUMBERS = ("amount", "count", "price")
"""Values of an action that must be said, if the choice shows them."""
_SINGLE = frozenset(WORDS["single"])
_DOUBLE = frozenset(WORDS["both"])
_VERBAL = frozenset(("bid", "markers", "tile", "train", "station", "run", "redeem", "dividend"))
"""Kinds of actions that a number tells from each other."""
_ALONE = frozenset(
    ("redeem", "london", "merge", "raise", "buy", "buy-private", "exchange", "token", "remove", "cube", "build")
)
_MOVES = {
    "dividend pay": ("pay",), "dividend keep": ("keep",), "answer accept": ("accept",), "answer decline": ("decline",),
    "option redeem": ("redeem",), "option sell": ("give", "save"),
}  # fmt: skip
_SAVERS = frozenset(("token", "station", "london", "redeem", "merge"))
"""Kinds of actions that one may do or not: "no, we keep the money"."""
_DECLINES = {"train": "no train", "track": "no track", "base": "no base", "marker": "no base"}
_VERBS = {"open": "bid", "buy-private": "buy", "sell-private": "sell"}
"""What the desk calls actions of another name."""
_DENIAL = re.compile(f"{join_words('denial')}|{join_words('condition')}|{join_words('doubt')}")
_TRAINS = {"e": "express", "f": "freight", "l": "local"}
"""What the letter behind a train of 1862 stands for."""
_ANDS = frozenset(("and", "und", "et", "y", "e", "en", "i", "och"))
"""How people write the "&" of a name."""
BARE_TRAIN = "nowarranty"
"""A word of the choice of a new train that has no warranty."""
MAX_CHOICES = 9
"""Of a letter; where there are so many, others may be left out."""
MIN_GUESSED_LETTERS = 5


class WordedChoice(Record, frozen=True):
    """A choice of a letter, and the words that may name it.

    Args:
        kind: of its action. words: of its label and its values. names: those that tell it from others.
        numbers: that must be said, each in any of its forms. moves: what it is, if that needs no values.
        ends: of a link, in order. further: words of what follows from it.
        figures: all numbers of its label. initials: of names of several words, with these.
        proper: names that say enough without a verb.
        order: how one would write it. is_alone: the only one of its kind, so that the verb says enough.
    """

    kind: str
    words: frozenset[str]
    names: frozenset[str]
    numbers: tuple[frozenset[str], ...] = ()
    moves: tuple[str, ...] = ()
    order: str = ""
    is_alone: bool = False
    ends: tuple[str, ...] = ()
    further: frozenset[str] = frozenset()
    initials: tuple[tuple[str, str], ...] = ()
    proper: frozenset[str] = frozenset()
    figures: frozenset[str] = frozenset()

    def covers(self, rest: Sequence[str], said: Collection[str]) -> bool:
        """Return whether words are all of this choice, and say enough of it; ``said`` are those with articles."""
        found = [each for word in rest for each in [self._find_word(word)]]
        if not all(found):
            return False
        if any(not (forms & {*found, *said}) for forms in self.numbers):
            return False
        if self.ends:  # a link from one end to the other
            order = [self.ends.index(word) for word in found if word in self.ends]
            if order != sorted(order):
                return False
        if self.moves:
            return True
        is_named = any(word in self.names and (self.kind in _VERBAL or not word.isdecimal()) for word in found)
        return is_named or (self.is_alone and not rest)

    def echoes(self, rest: Sequence[str]) -> bool:
        """Return whether words are all of this choice, what follows from it included."""
        return all(map(self._find_word, rest))

    def mentions(self, words: Sequence[str]) -> bool:
        """Return whether names and numbers are all of this choice, what follows from it included."""
        return all(word in self.figures or self._find_word(word) for word in words)

    def _find_word(self, word: str) -> str:
        """Return the word of this choice that a word means: itself, without its plural, without its signs."""
        if word in self.words or word in self.further:
            return word
        bare = word.removesuffix("s").removesuffix("'")
        if bare in self.words:
            return bare
        plain = re.sub(r"\W", "", word)
        if plain.isdecimal() or len(plain) < 2:  # "20%" isn't 20
            return ""
        return next((each for each in self.words if re.sub(r"\W", "", each) == plain and "/" not in each), "")


def fold_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without what stands around them."""
    return [word for word in map(fold_word, _SPLIT.split(text.lower())) if word and word != "&"]


def fold_word(word: str) -> str:
    """Return a word without what stands around it: "l'IOW", "IOW's", "20cc"."""
    return _UNIT.sub("", _ELIDED.sub("", word.strip(".'’/-*").removesuffix("'s")))


def list_offers(offered: NumberedMoves) -> tuple[WordedChoice, ...]:
    """Return the choices of a letter with the words that name them."""
    actions: list[dict[str, Any]] = [msgspec.json.decode(each.action) for each in offered.offers]
    return tuple(
        _make_offer(each, action, [str(other.get("do", "")) for other in actions])
        for each, action in zip(offered.offers, actions, strict=True)
    )


def find_head(label: str) -> str:
    """Return the words of a choice in small letters, without its reasons and consequences."""
    return _HEAD.split(label)[0].strip().casefold()


def _make_offer(offer: NumberedMove, action: dict[str, Any], kinds: Sequence[str]) -> WordedChoice:
    """Return a choice with its words."""
    head = _HEAD.split(offer.label)[0]
    kind = str(action.get("do", ""))
    values = [value for name, value in action.items() if name != "do" and isinstance(value, str) and name != "plan"]
    amounts = {name: value for name, value in action.items() if name in _NUMBERS and isinstance(value, int)}
    words = {*fold_words(head.replace("-", " ")), *fold_words(" ".join(values).replace("_", " "))}
    is_bank = action.get("seller") == "bank"
    few: dict[int, frozenset[str]] = {1: _SINGLE, 2: _DOUBLE}
    forms = [  # of shares their percentage too, of one an article
        few.get(value, frozenset()) | {str(value), f"{value}0%" if name == "count" else str(value)}
        for name, value in amounts.items()
    ]
    numbers = () if is_bank else tuple(each for each in forms if each & words)
    words |= {str(value) for value in amounts.values()}
    words |= {BARE_TRAIN} if is_bank and action.get("warranties") == 0 else set()
    words |= {_TRAINS[word[-1]] for word in words if re.fullmatch(r"[\d/]+[efl]", word)}
    moves: tuple[str, ...] = _MOVES.get(" ".join([kind, *map(str, values)]), ())
    if kind == "pass":
        moves = ("pass", *(move for word, move in _DECLINES.items() if word in words or f"{word}s" in words))
        is_offer = not _SAVERS.isdisjoint(kinds) and not {"dividend", "run", "buy", "sell", "bid"} & {*kinds}
        moves += ("save", "decline") if is_offer else ()
    elif kind == "run" and head.casefold().startswith("best"):
        moves = ("best",)
    elif kind == "raise" and values:
        moves = ("refinance",) if values[0] == "refinance" else ()
    verb = "bid" if kind == "raise" and amounts else get_verb(kind)
    is_only = kinds.count(kind) == 1 and (kind in _ALONE or is_bank or len(kinds) == 1)
    is_alone = is_only and not numbers and len(kinds) < MAX_CHOICES
    order = " ".join([verb, *values, *map(str, amounts.values())])
    proper = {fold_word(word.lower()) for word in head.split()[1:] if _PROPER.match(word)}
    proper |= {word for word in fold_words(" ".join(values).replace("_", " ")) if not word.isdecimal()}
    names = words - {fold_words(head)[0], "company", "ipo", "ferry", "pool", "10%"}
    ends = tuple(word for word in fold_words(head.replace("-", " ")) if word in names) if "→" in head else ()
    initials = tuple(
        ("".join(word[0] for word in value.split("_")), value.replace("_", " ")) for value in values if "_" in value
    )
    further = frozenset(word for word in fold_words(offer.label) if word.isalpha() and not _DENIAL.fullmatch(word))
    further |= _ANDS if " & " in head else frozenset()
    further |= frozenset(_SUM.findall(offer.label)) if kind in _SUMMED else frozenset()
    further |= {"1"} if kind == "buy" else set()
    further |= _DOUBLE if "20%" in words else frozenset()
    return WordedChoice(
        kind,
        frozenset(words),
        frozenset(names),
        numbers,
        moves,
        order,
        is_alone,
        ends,
        further - words,
        initials,
        frozenset(proper & names),
        frozenset(re.findall(r"\d+", offer.label)),
    )


def get_verb(kind: str) -> str:
    """Return what the desk calls actions of a kind."""
    return _VERBS.get(kind, kind)


def guess_word(word: str, known: Collection[str], *, slips: bool) -> str:
    """Return the one known word that a word means, by its beginning or but for a slip; "" if none or several."""
    if len(word) < MIN_GUESSED_LETTERS - slips or not word.isalpha():
        return ""
    could = [
        each for each in known if len(each) >= MIN_GUESSED_LETTERS - slips and each.isalpha() and each[0] == word[0]
    ]
    begun = [] if slips else [each for each in could if each.startswith(word)]
    found = begun or [each for each in could if is_slip(word, each)]
    return found[0] if len(found) == 1 else ""


def is_slip(word: str, meant: str) -> bool:
    """Return whether a word is another with a letter too many, missing or out of place, or wrong if it is long."""
    short, long = sorted((word, meant), key=len)
    if len(long) - len(short) > 1 or long == short:
        return False
    if len(short) < len(long):
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    differ = [at for at in range(len(word)) if word[at] != meant[at]]
    is_swapped = len(differ) == 2 and word[differ[0]] == meant[differ[1]] and word[differ[1]] == meant[differ[0]]
    return is_swapped or (len(differ) == 1 and len(word) >= 6)
