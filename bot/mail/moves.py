"""The move that a clause says: what each of its words may be must belong to one choice, step or verb with values."""

import re
from collections.abc import Collection, Sequence

from bot.mail.folding import Folder
from bot.mail.labelled import IT_IS, MOVES, Labeller, Word, may_stand_beside
from bot.mail.phrases import WORDS
from bot.mail.together import Clause
from bot.mail.vocabulary import (
    CHOICE_WORDS,
    FIRST,
    LAST,
    ONLY_AT,
    ORDINALS,
    STEPS,
    STEPS_IN_A_ROW,
    THINGS_OF,
    VERBS,
    VERBS_OF,
)
from bot.mail.worded import WordedChoice, get_verb, list_offers
from bot.model.letters import NumberedMoves

MAX_VALUES = 6
_MARKET = frozenset(
    ("buy", "sell", "bid", "open", "raise", "start", "exchange", "buy-private", "sell-private", "answer")
)
"""Kinds of actions that no step of an operating turn follows."""
_OPERATES = frozenset(("lay", "run", "remove", "merge", "claim", "redeem", "ask"))
"""Verbs of companies' turns."""
_ASKED = frozenset(("answer", "option"))
"""Kinds of actions with which someone answers who is not on turn: no other move follows."""
_ACQUIRED = frozenset(("buy", "start", "buy-private", "train"))
"""Kinds of actions by which one gets something."""
_ANYWHERE = ("bid", "buy", "sell", "exchange", "start")
"""Verbs that are read where the choices aren't known: later in a turn."""
_NODS = frozenset((*WORDS["nod"], *WORDS["thanks"], "bitte", "please"))


class MoveReader:
    """Reads moves of a letter with these choices, at a table with these other ``players``."""

    def __init__(self, offered: NumberedMoves | None, players: Collection[str] = ()) -> None:
        self.offers: tuple[WordedChoice, ...] = () if offered is None else list_offers(offered)
        self.is_lettered = offered is not None and offered.lettered
        self.count = len(self.offers) or 9
        self.is_digit = False
        self.capitals = self.titled = frozenset[str]()
        self.acquires = self.is_asked_for = False
        self.kinds = {each.kind for each in self.offers}
        self.verbs = {verb for kind in self.kinds for verb in VERBS_OF.get(kind, ())} or {*_ANYWHERE}
        self.known = {word for each in self.offers for word in each.words}
        steps = {each for each in STEPS if ONLY_AT.get(each, "") in ("", *self.kinds)}
        if self.kinds and self.kinds <= _MARKET | {"pass"}:
            steps -= STEPS_IN_A_ROW
        moves = {*self.verbs, *steps, *(move for each in self.offers for move in each.moves)}
        is_operating = bool(self.kinds) and self.kinds.isdisjoint(_MARKET)
        self.impossible = {"accept", "decline"} if self.kinds and "answer" not in self.kinds else set[str]()
        self.impossible |= {"start", "exchange", "bid"} - self.verbs if is_operating else set()
        if self.kinds and not is_operating:
            self.impossible |= {*STEPS_IN_A_ROW, *_OPERATES} - moves
        self.impossible |= {"save"} - moves
        self.impossible |= {"counter"} - self.verbs | (MOVES - moves if set() < self.kinds <= _ASKED else set())
        self.impossible |= {"best"} if self.kinds & {"dividend", "train"} and "run" not in self.kinds else set()
        self.is_proposed = "answer" in self.kinds and "pass" not in self.kinds
        self.steps = [each for each in STEPS if each in steps]
        self.labeller = Labeller(moves, self.offers, players, "" if offered is None else offered.subject)
        self.folder = Folder(self.offers, self.known | self.labeller.subject)

    def _read_move(self, words: Sequence[Word], text: str) -> list[Clause]:
        """Return the one move that a clause says without a word that is left over, or several steps in a row."""
        if not words:
            return []
        if letter := self._read_letter(words):
            return [Clause(letter.upper(), text, ord(letter) - ord("a") + 1, is_bare=True)]
        place = self._read_place(words)
        if place:
            order = self.offers[place - 1].order if self.offers else str(place)
            return [Clause(order, text, place, is_bare=True)]
        found = [at for at, offer in enumerate(self.offers, 1) if self._fits(words, offer)]
        steps = self._read_steps(words, text)
        if len(found) == 1 and len(steps) < 2:
            order = steps[0].order if steps else self.offers[found[0] - 1].order
            rest = list_rest(words, self.verbs)
            named = [each for each in self.offers if each.echoes(rest) and not each.proper.isdisjoint(rest)]
            has_verb = any(not word.labels.isdisjoint(MOVES) for word in words)
            if not has_verb and len(named) > 1:  # "IOW", where it may be bought and sold
                return []
            ends = self.offers[found[0] - 1].ends
            is_whole = bool(ends) and set(ends) <= {*rest}  # a link by both its ends
            return [Clause(order, text, found[0], is_named=not (has_verb or self.is_asked_for or is_whole))]
        if len(found) != 1 and not steps and self.acquires and (bought := self._read_acquired(words, text)):
            return [bought]
        if not steps and (several := self._read_several(words, text)):
            return [several]
        rest = list_rest(words, self.verbs)
        if not steps and (not found or all(word.isdecimal() for word in rest)):
            return [each for each in [self._read_values(words, text)] if each]
        return steps

    def _read_acquired(self, words: Sequence[Word], text: str) -> Clause | None:
        """Return the one purchase that a wish without a verb names: "I'd like one C&N share", where it is sold too."""
        rest = list_rest(words, self.verbs)
        could = [
            at
            for at, each in enumerate(self.offers, 1)
            if each.kind in _ACQUIRED and rest and each.covers(rest, rest) and not each.proper.isdisjoint(rest)
        ]
        return Clause(self.offers[could[0] - 1].order, text, could[0]) if len(could) == 1 else None

    def _read_letter(self, words: Sequence[Word]) -> str:
        """Return the letter of a choice that a clause names: "B", "I'll take B", but no "OK A", which may be signed."""
        letters = [word.text for word in words if re.fullmatch("[a-i]", word.text) and word.text != "i"]
        before = {word.text for word in words[:-1]}
        is_signed = len(words) > 1 and words[-1].text in letters and before <= _NODS
        is_meant = len(words) == 1 or (len(letters) == 1 and letters[0] in self.capitals)
        is_signed |= any(word.text == "x" for word in words)
        return letters[0] if is_meant and letters and not is_signed and may_stand_beside(words, letters) else ""

    def _read_place(self, words: Sequence[Word]) -> int:
        """Return the place of the choice that a clause names by its number: "2", "the second one"; 0 for none."""
        signs = [(word, place) for word in words if (place := self._count_place(word, words))]
        if len(signs) != 1:
            return 0
        sign, place = signs[0]
        is_said = len(words) > 1 or sign.text.isdecimal()
        return place if is_said and place <= self.count and may_stand_beside(words, (sign.text,)) else 0

    def _count_place(self, word: Word, words: Sequence[Word]) -> int:
        """Return the place that a word says, if it says one; 0 for none."""
        if re.fullmatch("[1-9](?:st|nd|rd|th)?", word.text):
            return 0 if self.is_lettered and word.text.isdecimal() else int(word.text[0])
        if word.text in FIRST and not CHOICE_WORDS.isdisjoint(each.text for each in words if each is not word):
            return 1
        return ORDINALS.get(word.text, 0) or (self.count if LAST.fullmatch(word.text) else 0)

    def _read_steps(self, words: Sequence[Word], text: str) -> list[Clause]:
        """Return moves that need no values: "pass", "best run pay dividend no train"; [] for none."""
        for step in self.steps:
            if any(step in word.labels for word in words) and all(
                step in word.labels or word.is_idle for word in words
            ):
                return [Clause("decline" if step == "pass" and self.is_proposed else step, text)]
        loud = [word for word in words if not word.is_idle]
        row = [next((each for each in self.steps if each in word.labels), "") for word in loud]
        is_row = all(each in STEPS_IN_A_ROW for each in row) and len(set(row)) == len(row)
        if not is_row:
            return []
        places = [[at for at, offer in enumerate(self.offers, 1) if each in offer.moves] for each in row]
        return [Clause(each, each, at[0] if len(at) == 1 else 0) for each, at in zip(row, places, strict=True)]

    def _read_several(self, words: Sequence[Word], text: str) -> Clause | None:
        """Return what is bought more than once: "two 2E", or "both" where only one thing is for sale."""
        count, *rest = list_rest(words, self.verbs) or [""]
        times = 2 if count in WORDS["both"] else int(count) if re.fullmatch("[2-4]", count) else 0
        could = [at for at, each in enumerate(self.offers, 1) if each.kind in ("buy", "train") and not each.numbers]
        found = [at for at in could if self.offers[at - 1].covers(rest, rest)] if rest else could
        is_known = self.kinds <= {"pass", "buy"} or ("train" in self.kinds and rest)
        if not times or not is_known or len(found) != 1 or any("sell" in word.labels for word in words):
            return None
        offer, is_digit = self.offers[found[0] - 1], count.isdecimal()
        if (offer.kind == "train" and " bank" not in offer.order) or (is_digit and (not rest or self.is_digit)):
            return None
        return Clause(offer.order, text, found[0], times=times)

    def _read_values(self, words: Sequence[Word], text: str) -> Clause | None:
        """Return a verb with values that are none of the choices: "bid 45", "sell 2 C&N"; or the values alone."""
        is_one_start = [each.kind for each in self.offers].count("start") == 1
        for verb in VERBS:
            if verb not in self.verbs or not any(verb in word.labels for word in words):
                continue
            rest = [word for word in words if verb not in word.labels and not word.is_idle]
            values = ["2" if verb == "sell" and word.text in WORDS["both"] else word.text for word in rest]
            can_be_bare = (
                verb in ("bid", "counter", "redeem") or "markers" in self.kinds or (verb == "start" and is_one_start)
            )
            is_known = all(self._is_value(word) or word.text in WORDS["both"] for word in rest)
            is_other = verb != "sell" and any(
                "proper" in word.labels and not self._is_offered(word, verb) for word in rest
            )
            if is_other or not is_known or not 0 < len(rest) <= MAX_VALUES:
                continue
            if not can_be_bare and all(map(str.isdecimal, values)):
                continue
            if verb == "bid" and sum(map(str.isdecimal, values)) > 1:
                return None
            if verb == "bid":
                values.sort(key=str.isdecimal)
            kinds = [each for each in self.kinds if verb in VERBS_OF.get(each, ())]
            name = verb if verb in (*kinds, "counter") or not kinds else get_verb(min(kinds))
            return Clause(" ".join([name, *values]), text)
        rest = [word for word in words if not word.is_idle]
        if len(rest) == 1:
            return self._read_number(rest[0].text, words, text)
        is_named = (
            self.offers
            and "build" not in self.kinds
            and 1 < len(rest) <= MAX_VALUES
            and not re.fullmatch("[1-9]", rest[0].text)
        )
        has_name = any(not word.text.isdecimal() for word in rest)
        order = " ".join(word.text for word in rest)
        return Clause(order, text, is_named=True) if is_named and has_name and all(map(self._is_value, rest)) else None

    def _read_number(self, number: str, words: Sequence[Word], text: str) -> Clause | None:
        """Return what a clause means that is one number: a run, an amount, a sum; "22" may be a slip for 2."""
        if not re.fullmatch(r"(?!(\d)\1+$)\d{1,5}", number):
            return None
        beside = [word for word in words if word.text != number]
        things = {word.text for word in beside if "things" in word.labels and "amounts" not in word.labels}
        told = [word for word in words if "things" not in word.labels or word.text in IT_IS]
        if not may_stand_beside(told, (number,)):
            return None
        if things - ({"one", "run", "route"} if len(number) > 1 else set()):  # "two shares"
            return None
        is_called = bool(self.offers) and any("amounts" in word.labels for word in beside)  # "2 cubes"
        if not self.is_lettered and len(number) == 1 and not is_called:
            return None
        runs = [at for at, each in enumerate(self.offers, 1) if each.kind in ("run", "tile") and number in each.words]
        if len(runs) == 1:
            return Clause(self.offers[runs[0] - 1].order, text, runs[0])
        kind = next((each for each in ("bid", "raise", "open", "markers") if each in self.kinds), "")
        sums = [at for at, each in enumerate(self.offers, 1) if number in each.further]
        if len(sums) == 1 and len(number) > 1 and not kind and "start" not in self.kinds:
            return Clause(self.offers[sums[0] - 1].order, text, sums[0])
        if self.offers and not kind and "start" not in self.kinds:
            return None
        if kind and self.kinds - {kind, "pass"}:  # an amount of which of them?
            return None
        order = f"{'markers' if kind == 'markers' else 'bid'} {number}" if kind else number
        return Clause(order, text, is_bare=True)

    def _is_offered(self, word: Word, verb: str) -> bool:
        """Return whether a word is one of a choice that a verb fits, or none is listed."""
        could = [each for each in self.offers if verb in VERBS_OF.get(each.kind, ())]
        return not could or any(word.text in each.words for each in could)

    def _is_value(self, word: Word) -> bool:
        if not word.labels.isdisjoint(MOVES) or " " in word.text:
            return False
        is_named = "name" in word.labels or ("values" in word.labels and "train" in self.kinds)
        return is_named or "capital" in word.labels or any(letter.isdigit() for letter in word.text) or "&" in word.text

    def _fits(self, words: Sequence[Word], offer: WordedChoice) -> bool:
        """Return whether a clause names a choice: by its verb or a name, with no word that is not the choice's."""
        if any("player" in word.labels for word in words):  # "Bob always pays out"
            return False
        said = [word.text for word in words]
        passes = next((word for word in words if "pass" in word.labels), None)
        if passes and not offer.moves and passes.text not in offer.words:  # El Paso is a city
            return False
        wanted = [*offer.moves, *(VERBS_OF.get(offer.kind, ()) if not offer.moves or offer.kind == "run" else ())]
        for move in wanted:
            if "sell" in self.kinds and move == "decline":
                continue
            rest = [word.text for word in words if move not in word.labels and not word.is_idle]
            if any(move in word.labels for word in words) and offer.covers(rest, said):
                return True
        rest = [word.text for word in words if not word.is_idle]
        if not rest and offer.is_alone and "onemore" in said:  # "one more share"
            is_only = [each.is_alone for each in self.offers].count(True) == 1
            return is_only or not THINGS_OF.get(offer.kind, frozenset()).isdisjoint(said)
        if "to" in said and offer.kind != "build":  # "the ferry to Ryde"
            return False
        if offer.moves or offer.proper.isdisjoint(rest) or not offer.covers(rest, said):
            return False
        ours = offer.words - set(rest)  # "C&N at 82"
        is_told = (
            word for word in words if word.text in (*rest, *IT_IS) or not ("things" in word.labels or word.text in ours)
        )
        return may_stand_beside(list(is_told), rest)


def list_rest(words: Sequence[Word], verbs: Collection[str]) -> list[str]:
    """Return the words that are neither idle nor a verb."""
    return [word.text for word in words if not word.is_idle and word.labels.isdisjoint(verbs)]
