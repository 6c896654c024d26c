"""Replies word by word, for what the patterns of ``choices`` don't know: "I'd like the Cowes Marina then, please".

A clause is read if each of its words is noise, or names a thing at the table,
and together they fit one choice, or one move that needs no choice. A clause
without any such word is talk. All else is a question, and nothing is played.
"""

import re
from collections.abc import Sequence

from msgspec import structs

from bot.mail.choices import FROWN
from bot.mail.folding import Folder
from bot.mail.guards import SMALL_TALK, is_manner, is_remark, is_valued, may_stand_beside
from bot.mail.heard import Clause, HeardOrders, put_together
from bot.mail.labels import WordedChoice, fold_words, get_verb, list_offers
from bot.mail.phrases import WORDS
from bot.mail.spoken import (
    ALONE,
    AMOUNTS,
    ANSWERS,
    CORRECTION,
    COUNTED,
    DOUBT,
    ENDS,
    INSTEAD,
    JOINED,
    LIST,
    MOVES,
    NOISE,
    OF_ACTION,
    ONLY_AT,
    OPEN,
    ORDER_WORDS,
    OTHERS,
    REAL_WORDS,
    REASON,
    STEPS,
    SUBJECT,
    TAIL,
    TALKED_OF,
    THINGS,
    THINGS_OF,
    VALUES,
    VERBS,
    read_place,
    says_denial,
)
from bot.model.letters import NumberedMoves

MAX_LETTERS = 700
"""Of what is read so; a longer reply is asked back."""
MAX_CLAUSES, MAX_TALK_LETTERS, MAX_VALUES = 16, 140, 6
_CAPITALS = re.compile(r"(?=.*[A-Z].*[A-Z])[A-Za-z&]{2,6}")
_FROM = re.compile(r"(?:from|von|chez|från|fra|od) (?!me\b|my\b|here\b)")
"""How a seller is named behind what is bought, so that it is no talk."""
_ANYWHERE = ("bid", "buy", "sell", "exchange", "start")
"""Verbs that are read where the choices aren't known: later in a turn."""


def read_clauses(lines: Sequence[str], offered: NumberedMoves | None) -> HeardOrders | None:
    """Return what lines order and say; ``None`` if a word in them may mean something else."""
    if sum(map(len, lines)) > MAX_LETTERS or any(FROWN.search(line) for line in lines):
        return None
    reader = _Reader(offered)
    found = list[Clause]()
    for line in lines:
        read = reader.read_line(line)
        if read is None or len(found) > MAX_CLAUSES:
            found.clear()
            break
        found += read
    heard = put_together(found, offered) if found else None
    is_one = sum(bool(each.order) for each in found) < 2 and not re.search(r"\b\d+\b", lines[0])
    if (
        heard is None and len(lines) == 1 and is_one and not MOVES["pass"].search(lines[0])
    ):  # "one more: N&E, from the IPO"
        whole = reader.read_line(lines[0].replace(",", " "))
        heard = put_together(whole, offered) if whole and len(whole) == 1 else None
    return heard


def read_consent(lines: Sequence[str]) -> str:
    """Return what lines answer to a question, "yes" or "no"; "" if they say neither, or both, or something else."""
    reader, found = _Reader(None), set[str]()
    if sum(map(len, lines)) > MAX_LETTERS or any(FROWN.search(line) for line in lines):
        return ""
    whole = (part.strip() for line in lines for part in ENDS.split(reader.folder.fold_line(line)))
    for part in (each for unit in whole for each in JOINED.split(unit)):
        bare = SMALL_TALK.sub(" ", part).strip()
        could = [(word, pattern) for word, pattern in ANSWERS if pattern.search(bare)]
        says = next((word for word, each in could if NOISE.issuperset(fold_words(each.sub(" ", bare)))), "")
        if not says and (not part or all(word in NOISE for word in fold_words(bare))):
            continue
        if not says and (DOUBT.search(bare) or says_denial(bare) or "?" in bare):
            return ""
        found |= {says} - {""}
    return found.pop() if len(found) == 1 else ""


class _Reader:
    """Reads the clauses of a reply to a letter."""

    def __init__(self, offered: NumberedMoves | None) -> None:
        self.offers: tuple[WordedChoice, ...] = () if offered is None else list_offers(offered)
        self.is_free, self.is_digit = True, False
        self.capitals, self.named = frozenset[str](), frozenset[str]()
        self.is_lettered = offered is not None and offered.lettered
        self.kinds = {each.kind for each in self.offers}
        self.verbs = {verb for kind in self.kinds for verb in OF_ACTION.get(kind, ())}
        self.known = {word for each in self.offers for word in each.words if not says_denial(word)}
        self.folder = Folder(self.offers, self.known)

    def read_line(self, line: str) -> list[Clause] | None:
        """Return the clauses of a line; ``None`` if one can't be read. One may stand in brackets."""
        text = self.folder.fold_line(line)
        self.is_digit = re.match(r"\W*\d", line) is not None
        words = re.findall(r"[\w&]+", line)
        self.capitals = frozenset(word.lower() for word in words if _CAPITALS.fullmatch(word))
        self.named = frozenset(word.lower() for word in words[1:] if word.istitle())
        self.is_free = "(" not in text
        if not self.is_free and (whole := self._read_parts(re.sub(r"[()]", " ", text))):
            return whole
        return self._read_parts(text)

    def _read_parts(self, text: str) -> list[Clause] | None:
        """Return the clauses of a line that is folded."""
        marks = [int(found[1]) for found in LIST.finditer(text)]
        if len(marks) > 1 and marks == list(range(1, len(marks) + 1)):
            text = LIST.sub(", ", text)
        found = list[Clause]()
        begun = ""
        for part in (each.strip() for each in ENDS.split(text)):
            if not part:
                continue
            read = self._read_part(f"{begun} {part}".strip(), is_later=any(each.order for each in found))
            if read == []:  # a verb whose values follow
                begun = f"{begun} {part}".strip()
                continue
            if read is None:
                return None
            begun = ""
            found += read
        return None if begun else found

    def _read_part(self, text: str, *, is_later: bool) -> list[Clause] | None:
        """Return the clauses of a part between two stops; [] if a verb waits for its values, ``None`` if unclear."""
        if re.fullmatch(r"[a-i]\W*", text):  # a choice, or a signature
            return None
        corrected = CORRECTION.match(text)
        if corrected and is_later and corrected.end() == len(text):
            return [Clause("", "", corrects=True)]
        if corrected and is_later:
            read = self._read_clause(text[corrected.end() :])
            if read is not None and read.order:
                return [Clause(read.order, text, read.place, corrects=True, is_bare=read.is_bare)]
        if is_later and _FROM.match(text):  # of whom, which is said of the move before
            return None
        whole = self._read_clause(ORDER_WORDS.sub("", text), is_later=is_later)
        if whole is not None:
            return [whole]
        if (several := self._read_joined(text, is_later=is_later)) is not None:
            return several or None
        if any(verb.search(text) and not self._list_rest(verb.sub(" ", text)) for verb in VERBS.values()):
            return []  # a verb whose values follow: "bid:"
        if several := self._read_in_one_breath(text):
            return several
        is_one = not any(
            each.search(part) for part in JOINED.split(text)[1:] for each in (*MOVES.values(), *VERBS.values())
        )
        is_plain = self.is_free and not is_later and is_one and "?" not in text
        free = self._read_values(SMALL_TALK.sub(" ", text), is_free=True) if is_plain else None
        return [free] if free else None

    def _read_joined(self, text: str, *, is_later: bool) -> list[Clause] | None:
        """Return the clauses around a colon or an "and", () if they don't go together, ``None`` if one is unclear."""
        before, _, after = text.partition(": ") if text.count(": ") == 1 else ("", "", "")
        told = self._read_clause(ORDER_WORDS.sub("", before), is_later=True) if before.strip() else None
        if told is not None and (not told.echoes or told.place) and (said := self._read_part(after, is_later=is_later)):
            return [told, *said]  # "Let me diversify: C&N for 90"
        *parts, last = [each for each in JOINED.split(text) if each.strip()] or [""]
        if not parts:
            return None
        read = [self._read_clause(ORDER_WORDS.sub("", each)) for each in (*parts, INSTEAD.sub("", last))]
        found = [each for each in read if each is not None and (each.order or not each.words)]
        is_swap = len({each.order.split()[0] for each in found if each.order}) > 1
        if INSTEAD.search(last) and not is_swap:
            return []
        return found if len(found) == len(read) else None

    def _read_in_one_breath(self, text: str) -> list[Clause]:
        """Return moves that stand in a row without a stop, as they are dictated: "best run pay dividend no train"."""
        found = list[tuple[int, str]]()
        for move in ("no train", "no track", "no base", "keep", "best", "pay"):
            if (said := MOVES[move].search(text)) is not None:
                found.append((said.start(), move))
                text = f"{text[: said.start()]}{' ' * len(said[0])}{text[said.end() :]}"
        is_all = len(found) > 1 and "?" not in text and not self._list_rest(text)
        return [Clause(move, move) for _, move in sorted(found)] if is_all else []

    def _read_clause(self, text: str, *, is_later: bool = False) -> Clause | None:
        """Return what a clause says; ``None`` if it says a move and something else, or something doubtful."""
        bare = SMALL_TALK.sub(" ", text).strip(" ,")
        subject = SUBJECT.match(bare)  # "EUR keeps the 240"
        if subject and subject[1] in self.capitals - self.known:
            bare = bare[subject.end() :]
        said, _, last = bare.rpartition(" ")  # "no thanks, Ann"
        is_name = last in self.named and last not in self.known | NOISE | THINGS | REAL_WORDS
        if is_name and any(MOVES[each].fullmatch(said.strip(" ,")) for each in ("accept", "decline", "pass")):
            bare = said
        if "?" in bare:
            return None
        if is_valued(text):
            return self._read_talk(bare, text, is_later=is_later)
        move = self._read_move(bare)
        if move is None and all(word in NOISE for word in fold_words(bare)):
            return Clause("", "")
        rest = self._list_rest(self._drop_verbs(bare))
        echoes = tuple(at for at, each in enumerate(self.offers, 1) if rest and each.echoes(rest))
        if move is not None and echoes:
            move = structs.replace(move, echoes=echoes)
        return (
            move
            or self._read_reasoned(bare)
            or self._read_talk(bare, text, is_later=is_later)
            or (Clause("", text, echoes=echoes, values=tuple(rest)) if echoes else None)
        )

    def _drop_verbs(self, text: str) -> str:
        for verb in self.verbs:
            text = VERBS[verb].sub(" ", text)
        return text

    def _read_reasoned(self, text: str) -> Clause | None:
        """Return a move with why it is made behind it, or talk that only says why: "because we need it"."""
        found = TAIL.search(text)
        tail = REASON.sub(" ", text[found.end() :]) if found else ""
        if not found or OPEN.search(tail) or says_denial(tail) or re.search(r"\d", tail):
            return None
        if any(self._read_move(part) for part in JOINED.split(tail)[1:]):  # "as we can, and keep the money"
            return None
        before = text[: found.start()].strip()
        if all(word in NOISE for word in fold_words(before)):
            return Clause("", text)
        return self._read_move(before)

    def _read_talk(self, bare: str, text: str, *, is_later: bool) -> Clause | None:
        """Return a clause that only talks: no word of the letter, no number, no doubt is in it."""
        said = COUNTED.sub(" ", REASON.sub(" ", bare))
        words = fold_words(said)
        if not VALUES.isdisjoint(words):
            return None
        if len(text) > MAX_TALK_LETTERS or re.search(r"\d", said) or DOUBT.search(said) or says_denial(said):
            return None
        if any(word in self.known and word not in NOISE and word not in THINGS for word in words):
            return None
        rest = [word for word in words if word not in NOISE]
        named = {word for kind in self.kinds for word in TALKED_OF.get(kind, ())}
        if is_later and rest and named.issuperset(rest):  # "L&E, let's do this merger"
            return Clause("", text)
        if said == bare and all(word in THINGS for word in rest):
            return None
        if any(each.search(said) for each in (*MOVES.values(), *VERBS.values())):
            return None
        return Clause("", text)

    def _read_move(self, text: str) -> Clause | None:
        """Return the one move that a clause says without a word that is left over."""
        if not text:
            return None
        place = 0 if self.is_lettered else read_place(text, len(self.offers))
        if place:
            return Clause(
                self.offers[place - 1].order, text, place, is_bare=bool(re.fullmatch(r"\W*(?:\S+\s)?\d\W*", text))
            )
        found = [at for at, offer in enumerate(self.offers, 1) if self._fits(text, offer)]
        plain = self._read_plain_move(text)
        if len(found) == 1:
            return Clause(plain.order if plain else self.offers[found[0] - 1].order, text, found[0])
        is_amount = all(word.isdecimal() for word in self._list_rest(self._drop_verbs(text)))
        if not plain and (several := self._read_several(text)):
            return several
        return plain or (self._read_values(text) if not found or is_amount else None)

    def _read_several(self, text: str) -> Clause | None:
        """Return what is bought more than once: "two 2E", or "both" where only one thing is for sale."""
        count, *rest = self._list_rest(self._drop_verbs(text)) or [""]
        times = 2 if count in WORDS["both"] else int(count) if re.fullmatch("[2-4]", count) else 0
        could = [at for at, each in enumerate(self.offers, 1) if each.kind in ("buy", "train") and not each.numbers]
        found = [at for at in could if self.offers[at - 1].covers(rest, rest)] if rest else could
        is_known = self.kinds <= {"pass", "buy"} or ("train" in self.kinds and rest)
        if not times or not is_known or len(found) != 1 or VERBS["sell"].search(text):
            return None
        offer, is_digit = self.offers[found[0] - 1], count.isdecimal()
        if (offer.kind == "train" and " bank" not in offer.order) or (is_digit and (not rest or self.is_digit)):
            return None
        return Clause(offer.order, text, found[0], times=times)

    def _read_plain_move(self, text: str) -> Clause | None:
        """Return a move that needs no values: "pass", "pay"; ``None`` for none."""
        for move, pattern in MOVES.items():
            if ONLY_AT.get(move, "") not in ("", *self.kinds):
                continue
            beside = pattern.sub(" ", text)
            if pattern.search(text) and not self._list_rest(beside):
                is_all = not any(MOVES[each].search(beside) for each in STEPS if each != move)
                return Clause(move, text) if is_all else None
        rest = " ".join(word for word in text.split() if word not in NOISE)
        for move, pattern in ALONE:
            if pattern.fullmatch(rest):
                return Clause(move, text)
        return None

    def _read_values(self, text: str, *, is_free: bool = False) -> Clause | None:
        """Return a verb with values that are none of the choices: "bid 45", "sell 2 C&N"; or the values alone.

        They are numbers and words of the letter; if it ``is_free``, any words: the desk knows more than the letter.
        """
        if is_free and (not self.offers or DOUBT.search(text) or says_denial(text) or OTHERS.search(text)):
            return None
        is_one_start = [each.kind for each in self.offers].count("start") == 1
        for verb, pattern in VERBS.items():
            if not pattern.search(text) or verb not in (self.verbs if self.kinds else _ANYWHERE):
                continue
            rest = self._list_rest(pattern.sub(" ", text))
            rest = ["2" if verb == "sell" and word in WORDS["both"] else word for word in rest]
            is_known = 0 < len(rest) <= MAX_VALUES and all(is_free or self._is_value(word) for word in rest)
            can_be_bare = verb in ("bid", "redeem") or "markers" in self.kinds or (verb == "start" and is_one_start)
            if not is_known or (not can_be_bare and all(map(str.isdecimal, rest))):
                continue
            if verb == "bid":
                rest.sort(key=str.isdecimal)
            kinds = [each for each in self.kinds if verb in OF_ACTION.get(each, ())]
            name = verb if verb in kinds or not kinds else get_verb(min(kinds))
            return Clause(" ".join([name, *rest]), text)
        rest = self._list_rest(text)
        if len(rest) == 1:
            return self._read_number(rest[0], text)
        is_named = (
            self.offers
            and "build" not in self.kinds
            and 1 < len(rest) <= MAX_VALUES
            and not re.fullmatch("[1-9]", rest[0])
        )
        return Clause(" ".join(rest), text) if is_named and all(map(self._is_value, rest)) else None

    def _read_number(self, number: str, text: str) -> Clause | None:
        """Return what a clause means that is one number: a choice, a run, an amount; "22" may be a slip for 2."""
        if not re.fullmatch(r"(?!(\d)\1+$)\d{1,5}", number):
            return None
        if not may_stand_beside(word for word in fold_words(text) if word != number and word not in THINGS):
            return None
        things = {word for word in fold_words(text) if word in THINGS and word not in AMOUNTS}
        if things - ({"one", "run", "route"} if len(number) > 1 else set()):  # "two shares"
            return None
        is_called = bool(self.offers) and not AMOUNTS.isdisjoint(fold_words(text))  # "2 cubes"
        if not self.is_lettered and len(number) == 1 and not is_called:
            return Clause(number, text, int(number), is_bare=True) if int(number) <= len(self.offers) else None
        runs = [at for at, each in enumerate(self.offers, 1) if each.kind in ("run", "tile") and number in each.words]
        if len(runs) == 1:
            return Clause(self.offers[runs[0] - 1].order, text, runs[0])
        kind = next((each for each in ("bid", "raise", "open", "markers") if each in self.kinds), "")
        sums = [at for at, each in enumerate(self.offers, 1) if number in each.further]
        if len(sums) == 1 and len(number) > 1 and not kind and "start" not in self.kinds:
            return Clause(self.offers[sums[0] - 1].order, text, sums[0])
        if self.offers and not kind and "start" not in self.kinds:
            return None
        order = f"{'markers' if kind == 'markers' else 'bid'} {number}" if kind else number
        return Clause(order, text, is_bare=True)

    def _is_value(self, word: str) -> bool:
        is_named = word in self.known or (word in VALUES and "train" in self.kinds)
        return is_named or any(letter.isdigit() for letter in word) or "&" in word

    def _list_rest(self, text: str) -> list[str]:
        """Return the words that are neither noise nor things in general."""
        return [word for word in fold_words(text) if word not in NOISE and word not in THINGS and not is_manner(word)]

    def _fits(self, text: str, offer: WordedChoice) -> bool:
        """Return whether a clause names a choice: by its verb or a name, with no word that is not the choice's."""
        said = fold_words(text)
        passes = MOVES["pass"].search(text)
        if passes and not offer.moves and passes[0] not in offer.words:  # El Paso is a city
            return False
        patterns = [MOVES[move] for move in offer.moves]
        if not offer.moves or offer.kind == "run":
            patterns += [VERBS[verb] for verb in OF_ACTION.get(offer.kind, ())]
        for pattern in patterns:
            if "sell" in self.kinds and pattern is MOVES["decline"]:
                continue
            if pattern.search(text) and offer.covers(self._list_rest(pattern.sub(" ", text)), said):
                return True
        rest = self._list_rest(text)
        if not rest and offer.is_alone and "onemore" in said:  # "one more share"
            is_only = [each.is_alone for each in self.offers].count(True) == 1
            return is_only or not THINGS_OF.get(offer.kind, frozenset()).isdisjoint(said)
        is_named = any(not word.isdecimal() for word in rest) and not is_remark(text)
        return is_named and not offer.moves and offer.kind != "sell" and offer.covers(rest, said)  # "I own two"
