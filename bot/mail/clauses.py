"""Replies word by word, for what the patterns of ``choices`` don't know: "I'd like the Cowes Marina then, please".

A clause is read if each of its words is noise, or names a thing at the table,
and together they fit one choice, or one move that needs no choice. A clause
without any such word is talk. All else is a question, and nothing is played.
"""

import re
from collections.abc import Sequence

from msgspec import structs

from bot.mail.choices import FROWN, SMILE
from bot.mail.heard import Clause, HeardOrders, put_together
from bot.mail.labels import WordedChoice, fold_words, get_verb, guess_word, list_offers
from bot.mail.numerals import write_digits
from bot.mail.spoken import (
    ALONE,
    AMOUNTS,
    ANOTHER,
    ANSWERS,
    BANK,
    CORRECTION,
    DOUBT,
    ENDS,
    JOINED,
    LAST,
    LAST_OF,
    LETTERS,
    LIST,
    MOVES,
    NOISE,
    OF_ACTION,
    ONLY_AT,
    OPEN,
    ORDER_WORDS,
    ORDINALS,
    OTHERS,
    PLACE,
    POOL,
    REAL_WORDS,
    REASON,
    SMALL_TALK,
    TAIL,
    THINGS,
    THINGS_OF,
    TYPOS,
    VERBS,
    ZERO,
    is_manner,
    says_denial,
)
from bot.model.letters import NumberedMoves

MAX_LETTERS = 700
"""Of what is read so; a longer reply is asked back."""
MAX_CLAUSES = 16
MAX_TALK_LETTERS = 140
MAX_VALUES = 6
_REPEATED = re.compile(r"(\w)\1{2,}")
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
            return None
        found += read
    heard = put_together(found, offered)
    if heard is None and len(lines) == 1:  # "one more: N&E, from the IPO"
        whole = reader.read_line(lines[0].replace(",", " "))
        heard = put_together(whole, offered) if whole and len(whole) == 1 else None
    return heard


def read_consent(lines: Sequence[str]) -> str:
    """Return what lines answer to a question, "yes" or "no"; "" if they say neither, or both, or something else."""
    reader, found = _Reader(None), set[str]()
    if sum(map(len, lines)) > MAX_LETTERS or any(FROWN.search(line) for line in lines):
        return ""
    whole = (part.strip() for line in lines for part in ENDS.split(reader.fold_line(line)))
    for part in (each for unit in whole for each in JOINED.split(unit)):
        bare = SMALL_TALK.sub(" ", part).strip()
        says = next((word for word, pattern in ANSWERS if reader.is_all(pattern, bare)), "")
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
        self.is_free = True
        self.is_lettered = offered is not None and offered.lettered
        self.kinds = {each.kind for each in self.offers}
        self.verbs = {verb for kind in self.kinds for verb in OF_ACTION.get(kind, ())}
        self.known = {word for each in self.offers for word in each.words if not says_denial(word)}
        self.initials = sorted({(each.upper(), name) for offer in self.offers for each, name in offer.initials})
        join = r"(?: ?& ?| ?[+] ?| (?:and|und|et|y|e|en|i|och|n) )".join  # "C and N", "C & N"
        names = sorted(name for name in self.known if "&" in name[1:-1])
        self.joined = [(name, re.compile(rf"\b{join(map(re.escape, name.split('&')))}\b")) for name in names]

    def read_line(self, line: str) -> list[Clause] | None:
        """Return the clauses of a line; ``None`` if one can't be read. One may stand in brackets."""
        text = self.fold_line(line)
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
            if read is None and begun:
                read = self._read_part(part, is_later=any(each.order for each in found))
                read = None
            if read == []:  # a verb whose values follow
                begun = f"{begun} {part}".strip()
                continue
            if read is None:
                return None
            begun = ""
            found += read
        return None if begun else found

    def fold_line(self, line: str) -> str:
        """Return a line in small letters, with its names and numbers as the letter has them."""
        text = SMILE.sub("", line).replace("’", "'").replace("`", "'")
        text = re.sub(r'[*_“”„"\[\]]', " ", text)
        text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
        text = re.sub(r"[£$€]\s?(?=\d)", "", text)
        text = re.sub(r"(?<=\d)\s?(?:[£$€]|cc\b|gbp\b)", "", text, flags=re.IGNORECASE)
        text = re.sub(r"(?<=\d) ?%", "%", text)
        text = re.sub(r"[-=]>|→", " to ", text)
        for initials, name in self.initials:
            text = re.sub(rf"\b{initials}\b", name, text)
        text = write_digits(re.sub(r"(?<=[^\W\d])[-–](?=[^\W\d])", " ", text).lower().replace("st. ", "st "))
        text = ZERO.sub("0", ANOTHER.sub("onemore", LAST_OF.sub("", text)))
        text = re.sub(r"\ball (?=\d)|(?<!drop )(?<!dropping )(?<!bow )(?<!count me )\bout (?=of\b)", "", text)
        if "tile" in self.kinds:
            text = re.sub(r"\b(?:number|nummer|no\.?|nr\.?|numéro|número|numero) (?=\d{2})", "", text)
        text = BANK.sub("bank", POOL.sub("pool", text))
        for name, pattern in self.joined:
            text = pattern.sub(name, text)
        return LETTERS.sub(lambda found: self._mend_word(found[0]), text)

    def _mend_word(self, word: str) -> str:
        """Return a word as it was meant, where a letter is wrong or only its beginning stands there."""
        if _REPEATED.search(word):
            shorter = (_REPEATED.sub(letters, word) for letters in (r"\1", r"\1\1"))
            return next((each for each in shorter if each in self.known | NOISE | THINGS | REAL_WORDS), word)
        if len(word) < 4 or word in self.known or word in NOISE or word in THINGS or word in REAL_WORDS:
            return word
        return guess_word(word, self.known, slips=False) or guess_word(word, TYPOS, slips=True) or word

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
        whole = self._read_clause(ORDER_WORDS.sub("", text))
        if whole is not None:
            return [whole]
        parts = [each for each in JOINED.split(text) if each.strip()]
        if len(parts) > 1:
            read_parts = [self._read_clause(ORDER_WORDS.sub("", each)) for each in parts]
            if all(each is not None and (each.order or not each.words) for each in read_parts):
                return [each for each in read_parts if each is not None]
        if any(verb.search(text) and not self._list_rest(verb.sub(" ", text)) for verb in VERBS.values()):
            return []  # a verb whose values follow: "bid:"
        if several := self._read_in_one_breath(text):
            return several
        is_one = not any(each.search(part) for part in parts[1:] for each in (*MOVES.values(), *VERBS.values()))
        is_plain = self.is_free and not is_later and is_one and "?" not in text
        free = self._read_values(SMALL_TALK.sub(" ", text), is_free=True) if is_plain else None
        return [free] if free else None

    def is_all(self, pattern: re.Pattern[str], text: str) -> bool:
        """Return whether what a pattern finds is all of a text, but for noise."""
        return bool(pattern.search(text)) and all(word in NOISE for word in fold_words(pattern.sub(" ", text)))

    def _read_in_one_breath(self, text: str) -> list[Clause]:
        """Return moves that stand in a row without a stop, as they are dictated: "best run pay dividend no train"."""
        found = list[tuple[int, str]]()
        for move in ("no train", "no track", "no base", "keep", "best", "pay"):
            if (said := MOVES[move].search(text)) is not None:
                found.append((said.start(), move))
                text = f"{text[: said.start()]}{' ' * len(said[0])}{text[said.end() :]}"
        is_all = len(found) > 1 and "?" not in text and not self._list_rest(text)
        return [Clause(move, move) for _, move in sorted(found)] if is_all else []

    def _read_clause(self, text: str) -> Clause | None:
        """Return what a clause says; ``None`` if it says a move and something else, or something doubtful."""
        bare = SMALL_TALK.sub(" ", text).strip(" ,")
        if "?" in bare:
            return None
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
            or self._read_talk(bare, text)
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

    def _read_talk(self, bare: str, text: str) -> Clause | None:
        """Return a clause that only talks: no word of the letter, no number, no doubt is in it."""
        said = REASON.sub(" ", bare)
        words = fold_words(said)
        if len(text) > MAX_TALK_LETTERS or re.search(r"\d", said) or DOUBT.search(said) or says_denial(said):
            return None
        if any(word in self.known and word not in NOISE and word not in THINGS for word in words):
            return None
        if said == bare and all(word in NOISE or word in THINGS for word in words):
            return None
        if any(each.search(said) for each in (*MOVES.values(), *VERBS.values())):
            return None
        return Clause("", text)

    def _read_move(self, text: str) -> Clause | None:
        """Return the one move that a clause says without a word that is left over."""
        if not text:
            return None
        place = self._read_place(text)
        if place:
            return Clause(
                self.offers[place - 1].order, text, place, is_bare=bool(re.fullmatch(r"\W*(?:\S+\s)?\d\W*", text))
            )
        found = [at for at, offer in enumerate(self.offers, 1) if self._fits(text, offer)]
        plain = self._read_plain_move(text)
        if len(found) == 1:
            return Clause(plain.order if plain else self.offers[found[0] - 1].order, text, found[0])
        is_amount = all(word.isdecimal() for word in self._list_rest(self._drop_verbs(text)))
        return plain or (self._read_values(text) if not found or is_amount else None)

    def _read_place(self, text: str) -> int:
        """Return the place of the choice that a clause names by its number: "the last one", "number two"."""
        words = " ".join(word for word in text.strip(" .").split() if word not in NOISE or word in ("the", "no."))
        found = PLACE.fullmatch(words)
        if found is None or self.is_lettered or not self.offers:
            return 0
        place = int(found[1] or found[2] or 0) or ORDINALS.get(found[3] or "", 0)
        if not place and found[3] and LAST.fullmatch(found[3]):
            place = len(self.offers)
        is_said = bool(found[1]) or " " in words
        return place if is_said and 0 < place <= len(self.offers) else 0

    def _read_plain_move(self, text: str) -> Clause | None:
        """Return a move that needs no values: "pass", "pay"; ``None`` for none."""
        for move, pattern in MOVES.items():
            if ONLY_AT.get(move, "") not in ("", *self.kinds):
                continue
            if pattern.search(text) and not self._list_rest(pattern.sub(" ", text)):
                return Clause(move, text)
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
        is_named = self.offers and 1 < len(rest) <= MAX_VALUES and not re.fullmatch("[1-9]", rest[0])
        return Clause(" ".join(rest), text) if is_named and all(map(self._is_value, rest)) else None

    def _read_number(self, number: str, text: str) -> Clause | None:
        """Return what a clause means that is one number: a choice, a run, an amount; "22" may be a slip for 2."""
        if not re.fullmatch(r"(?!(\d)\1+$)\d{1,5}", number):
            return None
        if any(word in THINGS and word not in AMOUNTS for word in fold_words(text)):  # "two shares"
            return None
        is_called = bool(self.offers) and not AMOUNTS.isdisjoint(fold_words(text))  # "2 cubes"
        if not self.is_lettered and len(number) == 1 and not is_called:
            return Clause(number, text, int(number), is_bare=True) if int(number) <= len(self.offers) else None
        runs = [at for at, each in enumerate(self.offers, 1) if each.kind in ("run", "tile") and number in each.words]
        if len(runs) == 1:
            return Clause(self.offers[runs[0] - 1].order, text, runs[0])
        kind = next((each for each in ("bid", "raise", "open", "markers") if each in self.kinds), "")
        if self.offers and not kind and "start" not in self.kinds:
            return None
        order = f"{'markers' if kind == 'markers' else 'bid'} {number}" if kind else number
        return Clause(order, text, is_bare=True)

    def _is_value(self, word: str) -> bool:
        return word in self.known or any(letter.isdigit() for letter in word) or "&" in word

    def _list_rest(self, text: str) -> list[str]:
        """Return the words that are neither noise nor things in general."""
        return [word for word in fold_words(text) if word not in NOISE and word not in THINGS and not is_manner(word)]

    def _fits(self, text: str, offer: WordedChoice) -> bool:
        """Return whether a clause names a choice: by its verb or a name, with no word that is not the choice's."""
        said = fold_words(text)
        patterns = [MOVES[move] for move in offer.moves]
        if not offer.moves or offer.kind == "run":
            patterns += [VERBS[verb] for verb in OF_ACTION.get(offer.kind, ())]
        for pattern in patterns:
            if pattern.search(text) and offer.covers(self._list_rest(pattern.sub(" ", text)), said):
                return True
        rest = self._list_rest(text)
        if not rest and offer.is_alone and "onemore" in said:  # "one more share"
            is_only = [each.is_alone for each in self.offers].count(True) == 1
            return is_only or not THINGS_OF.get(offer.kind, frozenset()).isdisjoint(said)
        is_named = any(not word.isdecimal() for word in rest)
        return is_named and not offer.moves and offer.kind != "sell" and offer.covers(rest, said)  # "I own two"
