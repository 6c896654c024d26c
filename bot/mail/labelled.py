"""The words of a clause, each with all that it may be: the longest phrase first, then single words.

Whatever reads a clause looks at these labels only. A word without a label is
unknown, and an order with an unknown word in it is asked back.
"""

import re
from collections.abc import Collection, Sequence

from bot.mail.vocabulary import (
    ANSWERS,
    BESIDE,
    CHOICE_WORDS,
    CONCEDES,
    IDLE,
    PHRASES,
    PLAYER,
    SINGLE_WORDS,
    STEPS,
    VERBS,
)
from bot.mail.worded import WordedChoice, fold_word
from engine import Record

_SPLIT = re.compile(r"[\s()“”\"„_£$€–—→:;,!?]+")
_NAMED = re.compile(r"[A-Z].*[A-Z]|[A-Z]\w+|[A-H]|.*\d.*|.+&.+")
MOVES = frozenset((*STEPS, *VERBS))
IT_IS = frozenset(("it", "it's", "its", "is", "this", "that", "that's", "there", "there's", "es", "ist"))
_JOINS = {"&": "and", "+": "and"}
_RARE = frozenset(("reason", "counted", "yes", "no"))
"""Labels that only some clauses need: those that talk, those that answer."""
_MEANT = frozenset(("choice", "move", "answer", "pick", "vote", "decision", "order"))
_OF_TALK = {label: found for label, found in PHRASES.items() if label not in ANSWERS}


class Word(Record, frozen=True):
    """A word or a phrase of a clause.

    Args:
        text: in small letters, as the choices of a letter have their words.
        labels: what the desk calls a move that it may say; a section of ``words.toml`` in which it stands; "name"
            for a word of the letter's choices, and "proper" for those that are names; "number"; "player"; "subject"
            for the company that acts; "capital" for what looks like a name.
    """

    text: str
    labels: frozenset[str]

    @property
    def is_idle(self) -> bool:
        """Whether it changes nothing beside a move."""
        return "proper" not in self.labels and not IDLE.isdisjoint(self.labels)


class Labeller:
    """Cuts clauses into labelled words.

    Args:
        moves: that can be meant, by what the desk calls them. offers: the choices of the letter.
        players: the names of the others at the table.
        subject: how the letter names the company that acts.
    """

    def __init__(
        self,
        moves: Collection[str],
        offers: Sequence[WordedChoice] = (),
        players: Collection[str] = (),
        subject: str = "",
    ) -> None:
        self.names = frozenset[str]().union(*(each.words for each in offers))
        self.proper = frozenset[str]().union(*(each.proper for each in offers))
        self.subject = frozenset(word for word in list_capitals(f". {subject}") if not word.isdecimal())
        self.players = frozenset(part.casefold() for name in players for part in name.split())
        self.auctions = not {each.kind for each in offers}.isdisjoint(("bid", "raise"))
        self.phrases = {each: found for each, found in PHRASES.items() if each in moves or each not in MOVES | _RARE}

    def label(self, text: str, capitals: Collection[str] = (), *, talks: bool = False) -> tuple[Word, ...]:
        """Return the words of a clause.

        Args:
            text: the clause, in small letters.
            capitals: its words that were written like names.
            talks: it orders nothing, so that words for any move count, and a long reason is one phrase.
        """
        bare = [word for each in _SPLIT.split(text) if (word := _JOINS.get(each, each.strip(".'’/-*")))]
        line = " ".join(PLAYER if word in self.players else word for word in bare)
        edges = [0]
        for word in line.split(" "):
            edges.append(edges[-1] + len(word) + 1)
        starts, ends = {edge: at for at, edge in enumerate(edges)}, {edge - 1: at for at, edge in enumerate(edges)}
        phrases = dict[int, dict[int, set[str]]]()
        for label, pattern in (_OF_TALK if talks else self.phrases).items():
            for found in pattern.finditer(line):
                if found.start() in starts and found.end() in ends and found[0]:
                    if label == CONCEDES and not self.auctions:
                        continue
                    ways = phrases.setdefault(starts[found.start()], {})
                    ways.setdefault(ends[found.end()], set()).add("pass" if label == CONCEDES else label)
        words, at = list[Word](), 0
        while at < len(bare):
            ways = phrases.get(at, {})
            end = max(ways, default=at + 1)
            if end > at + 1:
                idle = SINGLE_WORDS["noise"] | SINGLE_WORDS["things"]
                for shorter in ways:  # "run for 50" runs too
                    ways[end] |= ways[shorter] & MOVES if idle.issuperset(bare[shorter:end]) else set()
                is_beside = SINGLE_WORDS["beside_choice"].issuperset(bare[at:end])
                words.append(Word(" ".join(bare[at:end]), frozenset((*ways[end], *["beside_choice"][:is_beside]))))
            else:
                word = fold_word(bare[at])
                words.append(Word(word, frozenset((*ways.get(end, ()), *self._label_word(word, capitals)))))
            at = end
        return tuple(each for each in words if each.text)

    def _label_word(self, word: str, capitals: Collection[str]) -> set[str]:
        labels = {label for label, words in SINGLE_WORDS.items() if word in words}
        if word.isdecimal():
            labels.add("number")
        if word in self.names or word.removesuffix("s") in self.names:
            labels |= {"name", "proper"} if word in self.proper else {"name"}
            labels |= {"subject"} if word in self.subject and word not in self.proper else set()  # "no merger for W&F"
        elif word in self.players:
            labels = {"player"}
        elif word in self.subject and not labels:
            labels = {"subject"}
        elif word in capitals and not labels:
            labels.add("capital")
        return labels


def may_stand_beside(words: Sequence[Word], signs: Collection[str]) -> bool:
    """Return whether the words beside a bare number or name let it be a choice: in "it's 5 here" it is none.

    Args:
        words: of the clause.
        signs: which of them are the number or the name.
    """
    first = next(at for at, word in enumerate(words) if word.text in signs)
    before = {word.text for word in words[:first]}
    if not before.isdisjoint(IT_IS) and before.isdisjoint(CHOICE_WORDS | _MEANT):  # "my choice is Norwich"
        return False
    beside = (word for word in words if word.text not in signs and word.text not in CHOICE_WORDS)
    return all(not word.labels.isdisjoint(BESIDE) for word in beside)


def list_capitals(line: str) -> frozenset[str]:
    """Return the words of a line, in small letters, that are written like names: "IOW", "C&N", "4F", "Ryde"."""
    words = [fold_word(word) for word in _SPLIT.split(line)]
    return frozenset(
        word.lower()
        for at, word in enumerate(words)
        if _NAMED.fullmatch(word) and (at or len(word) == 1 or not word.istitle())
    )
