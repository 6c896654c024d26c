"""The clauses of a reply, read from the labels of their words: "I'd like the Cowes Marina then, please".

An order needs a word for it, or the place or the name of a choice; each of its
other words must be idle or name something of it. A clause that has nothing of
the letter and nothing dangerous is talk. All else is a question.
"""

import re
from collections.abc import Sequence

from msgspec import structs

from bot.mail.choices import FROWN, NOD
from bot.mail.labelled import MOVES, Labeller, Word, list_capitals
from bot.mail.moves import MoveReader, list_rest
from bot.mail.together import Clause, HeardOrders
from bot.mail.vocabulary import (
    ACQUIRES,
    ANSWERS,
    CORRECTION,
    DANGERS,
    DOES,
    ENDS,
    LIST,
    MILD,
    ORDER_WORDS,
    PHRASES,
    PLEASE,
    SALUTATION,
    TALKED_OF,
    VERBS,
    VERBS_OF,
)
from bot.mail.worded import WordedChoice

MAX_LETTERS = 700
"""Of what is read in words; a longer reply is asked back."""
MAX_CLAUSES, MAX_TALK_LETTERS = 16, 140
_FROM = re.compile(r"(?:from|von|chez|från|fra|od) (?!me\b|my\b|here\b)")
"""How a seller is named behind what is bought, so that it is no talk."""
_LETTER = re.compile(r"[a-i]\W*")
_NAMING = frozenset(("capital", "player"))
_OF_TALK = (MOVES | DANGERS) - {"others"}
"""Labels that talk beside a move may not have."""
_DECLINES = frozenset(("pass", "decline", "no train", "no track", "no base"))
_NO_DANGER = frozenset((*_DECLINES, "unsure"))
"""Labels that count for nothing where a word denies."""
_COPULAS = frozenset(("is", "are", "looks", "seems", "ist", "sind", "est", "sont", "es", "è"))
"""Words that make a name and a value a remark: "the treasury is full"."""
_DENIALS = frozenset(("denial", "doubt"))
"""Labels that it may have beside a pass: "None of them tempts me, I pass"."""


def split_joined(words: Sequence[Word]) -> list[list[Word]]:
    """Return the parts of words between those that join moves, as "and"."""
    parts: list[list[Word]] = [[]]
    for word in words:
        parts = [*parts, []] if "joined" in word.labels else [*parts[:-1], [*parts[-1], word]]
    return [each for each in parts if each]


class ClauseReader(MoveReader):
    """Reads the clauses of a reply to a letter with these choices, at a table with these other ``players``."""

    def read_lines(self, lines: Sequence[str]) -> list[Clause] | None:
        """Return the clauses of lines; ``None`` if a word in them may mean something else."""
        found = list[Clause]()
        if sum(map(len, lines)) > MAX_LETTERS or any(FROWN.search(line) for line in lines):
            return None
        for line in lines:
            read = self._read_line(NOD.sub("", line))
            if read is None or len(found) + len(read) > MAX_CLAUSES:
                return self._read_one(lines[0]) if len(lines) == 1 else None
            found += read
        is_one = sum(bool(each.order) for each in found) == 0 and any(each.echoes for each in found)
        return (is_one and len(lines) == 1 and self._read_one(lines[0])) or found

    def _read_one(self, line: str) -> list[Clause] | None:
        """Return the one clause of a line whose commas part none: "one more: N&E, from the IPO"."""
        if "," not in line or re.search(r"\b\d+\b", line):
            return None
        whole = self._read_line(line.replace(",", " "))
        return whole if whole and len(whole) == 1 and whole[0].order and whole[0].order != "pass" else None

    def read_below(self, lines: Sequence[str], orders: Sequence[str], place: int) -> HeardOrders | None:
        """Return what a paragraph below a move adds to it, or only says; ``None`` if it may change that move."""
        chosen = self.offers[place - 1] if 0 < place <= len(self.offers) else None
        verbs = {each.split()[0] for each in (*orders, *([chosen.order] if chosen else []))}
        more, is_talk = list[str](), False
        for line in lines:
            self.capitals = list_capitals(line)
            pieces = [*ENDS.split(self.folder.fold_line(line)), ""]
            for part, stop in zip((each.strip() for each in pieces[::2]), pieces[1::2], strict=True):
                if not part or _LETTER.fullmatch(part):
                    continue
                read = self._read_part(part, is_later=False) if stop[:1] != "?" else None
                if read and any(each.is_about or each.denies or each.wishes for each in read):
                    read = None
                words = self.labeller.label(part, talks=True)
                is_taken_back = PHRASES["no"].fullmatch(part) or re.match(r"\d+ of (?:them|these|those)", part)
                if is_taken_back or (not read and self._is_about_moves(words, chosen)):
                    return None
                for clause in read or ():
                    is_talk |= not clause.order
                    if clause.echoes and not clause.order and place not in clause.echoes:
                        return None
                    if not clause.order or clause.order in orders or (clause.place and clause.place == place):
                        continue
                    is_bare = clause.is_bare or clause.is_named or clause.place
                    if is_bare or clause.order in ("accept", "decline") or {clause.order.split()[0], "pass"} & verbs:
                        return None
                    more.append(clause.order)
        return HeardOrders(tuple(more), tuple(lines) if is_talk or not more else ())

    def _is_about_moves(self, words: Sequence[Word], chosen: WordedChoice | None) -> bool:
        """Return whether words that can't be read may change a move: another name, or only words of the letter."""
        names = {word.text for word in words for each in self.offers if word.text in each.proper}
        if names - (chosen.words if chosen else set()):
            return True
        loud = [word for word in words if not word.is_idle and "counted" not in word.labels]
        is_value = any(not word.labels.isdisjoint(("number", "values", "amounts")) for word in loud)
        return is_value and all(word.labels for word in loud)

    def read_consent(self, lines: Sequence[str]) -> str:
        """Return what lines answer to a question, "yes" or "no"; "" if they say neither, or both, or something else."""
        labeller, found = Labeller(ANSWERS), set[str]()
        if sum(map(len, lines)) > MAX_LETTERS or any(FROWN.search(line) for line in lines):
            return ""
        for part in (each.strip() for line in lines for each in ENDS.split(self.folder.fold_line(line))):
            for words in split_joined(labeller.label(part)):
                says = {answer for answer in ANSWERS if any(answer in word.labels for word in words)}
                only = [each for each in says if all(each in word.labels or word.is_idle for word in words)]
                if only:
                    found.add(only[0])
                elif "?" in part or any(not word.labels.isdisjoint(DANGERS) for word in words):
                    return ""
        return found.pop() if len(found) == 1 else ""

    def _read_line(self, line: str) -> list[Clause] | None:
        """Return the clauses of a line; ``None`` if one can't be read. One may stand in brackets."""
        text = self.folder.fold_line(line)
        self.is_digit = re.match(r"\W*\d", line) is not None
        self.capitals = list_capitals(line)
        self.titled = frozenset(word.lower() for word in re.findall(r"[^\W\d_]+", line) if not word.islower())
        self.acquires = ACQUIRES.search(line.lower().replace("’", "'")) is not None
        self.is_asked_for = PLEASE.search(line) is not None
        whole = self._read_parts(re.sub(r"[()]", " ", text)) if "(" in text else None
        return whole if whole and any(each.order for each in whole) else self._read_parts(text)

    def _read_parts(self, text: str) -> list[Clause] | None:
        """Return the clauses of a line that is folded."""
        marks = [int(found[1]) for found in LIST.finditer(text)]
        if len(marks) > 1 and marks == list(range(1, len(marks) + 1)):
            text = LIST.sub(", ", text)
        found, begun, last = list[Clause](), "", ""
        pieces = [*ENDS.split(text), ""]
        for part, stop in zip((each.strip() for each in pieces[::2]), pieces[1::2], strict=True):
            if not part:
                continue
            is_later = any(each.order for each in found)
            if is_later and _FROM.match(part):  # of whom, which is said of the move before
                said = self._read_clause(f"{last} {part}")
                if not said or not said[0].order or len(found) > 1:
                    return None
                found = said
                continue
            last = f"{begun} {part}".strip()
            read = (
                self._read_talk(part, is_later=False, is_cry=True)
                if stop[:1] == "?"
                else self._read_part(last, is_later=is_later)
            )
            if read is None:
                return None
            begun = "" if read else last
            found += [each if each.stop else structs.replace(each, stop=stop.strip() or stop) for each in read]
        if not begun:
            return found
        labels = {label for word in self._label(begun) for label in word.labels}  # "Ely is best, so put it there"
        fits = (at for at, each in enumerate(self.offers, 1) if not labels.isdisjoint(VERBS_OF.get(each.kind, ())))
        return [*found, Clause("", begun, wishes=tuple(fits))]

    def _read_part(self, text: str, *, is_later: bool) -> list[Clause] | None:
        """Return the clauses of a part between two stops; [] if a verb waits for its values, ``None`` if unclear."""
        if _LETTER.fullmatch(text) and is_later:  # a signature
            return None
        corrected = CORRECTION.match(text) if is_later else None
        if corrected and corrected.end() == len(text):
            return [Clause("", "", corrects=True)]
        if corrected:
            read = self._read_clause(text[corrected.end() :])
            if read and len(read) == 1 and read[0].order:
                return [Clause(read[0].order, text, read[0].place, corrects=True, is_bare=read[0].is_bare)]
        bare = ORDER_WORDS.sub("", text)
        whole = self._read_clause(text, is_later=is_later)
        if bare != text and not _LETTER.fullmatch(bare) and not (whole and whole[0].order):
            whole = self._read_clause(bare, is_later=is_later) or whole
        words = self._label(bare)
        if whole is not None and any(each.order or each.is_idle for each in whole):
            return whole
        several = self._read_joined(text, words, is_later=is_later)
        if several and any(each.order for each in several):
            return several
        if whole is not None or several is not None:
            return whole
        verbs = VERBS.keys() & {label for word in words for label in word.labels}
        return [] if any(all(verb in word.labels or word.is_idle for word in words) for verb in verbs) else None

    def _read_joined(self, text: str, words: Sequence[Word], *, is_later: bool) -> list[Clause] | None:
        """Return the clauses around a colon or an "and", [] if they don't go together, ``None`` if one is unclear."""
        before, _, after = text.partition(": ") if text.count(": ") == 1 else ("", "", "")
        told = self._read_clause(before, is_later=True) if before.strip() else None
        if told and all(not each.echoes or each.place for each in told):
            said = self._read_part(after, is_later=is_later)
            return (
                [*(structs.replace(each, stop=":") for each in told), *said] if said else None
            )  # "Let me diversify: C&N for 90"
        reason, _, move = text.rpartition(" so ")
        talk, said = self._read_talk(reason, is_later=False), self._read_clause(move) if reason else None
        if (
            talk
            and said
            and not any(each.is_bare or each.is_named for each in said)
            and any(each.order for each in said)
        ):
            return [structs.replace(talk[0], stop="."), *said]  # "I've plenty of cubes so I'll put up Red"
        parts = split_joined([word for word in words if not ("instead" in word.labels and word is words[-1])])
        if len(parts) < 2:
            return None
        read = [self._read_clause(ORDER_WORDS.sub("", " ".join(word.text for word in each))) for each in parts]
        found = [clause for each in read if each for clause in each if clause.order or clause.is_idle]
        if words and "instead" in words[-1].labels and len({each.order.split()[0] for each in found if each.order}) < 2:
            return []
        return found if all(read) and len(found) == sum(len(each) for each in read if each) else None

    def _label(self, text: str) -> tuple[Word, ...]:
        return self.labeller.label(text, self.capitals)

    def _read_clause(self, text: str, *, is_later: bool = False) -> list[Clause] | None:
        """Return what a clause says, several moves if they stand in a row; ``None`` if that is doubtful."""
        if "?" in text:
            return None
        words = self._label(text)
        if not words:
            return [Clause("", text, is_idle=True)]
        if len(words) > 1 and words[0].text in self.capitals - self.known and words[1].text.split()[0] in DOES:
            words = words[1:]  # "EUR keeps the 240"
        is_told = "capital" in words[-1].labels or "player" in words[-1].labels  # "no thanks, Ann"
        if is_told and any(not word.labels.isdisjoint(("accept", "decline")) for word in words[:-1]):
            words = words[:-1]
        is_valued = any("valued" in word.labels and word.labels.isdisjoint(MOVES) for word in words)
        moves = [] if is_valued else self._read_move(words, text)
        if not moves and all(word.is_idle for word in words):
            return [Clause("", text, is_idle=True)]
        rest = list_rest(words, self.verbs)
        echoes = tuple(at for at, each in enumerate(self.offers, 1) if rest and each.echoes(rest))
        if len(moves) == 1 and echoes:
            return [structs.replace(moves[0], echoes=echoes)]
        if moves:
            return moves
        return (
            self._read_reasoned(words, text)
            or self._read_talk(text, is_later=is_later)
            or ([Clause("", text, echoes=echoes, values=tuple(rest))] if echoes else None)
        )

    def _read_reasoned(self, words: Sequence[Word], text: str) -> list[Clause] | None:
        """Return a move with why it is made behind it, or talk that only says why: "because we need it"."""
        at = next((at for at, word in enumerate(words) if "tail" in word.labels), None)
        if at is None:
            return None
        tail = words[at:]
        if any(not word.labels.isdisjoint({"open", "unsure", "retraction", "denial", "number"}) for word in tail):
            return None
        joins = [place for place, word in enumerate(tail) if "joined" in word.labels]
        if any(self._read_move(tail[place + 1 :], "") for place in joins):  # "as we can, and keep the money"
            return None
        if all(word.is_idle for word in words[:at]):
            return [Clause("", text, is_known=all(word.labels for word in tail))]
        return self._read_move(words[:at], text) or None

    def _read_talk(self, text: str, *, is_later: bool, is_cry: bool = False) -> list[Clause] | None:
        """Return a clause that only talks: there is no danger in it, and no move; "550?!" is a cry."""
        words = self.labeller.label(text, self.capitals, talks=True)
        loud = [word for word in words if not word.is_idle]
        said = [word.labels - _NO_DANGER if "denial" in word.labels else word.labels for word in words]  # "nothing"
        wavers = any(MILD.fullmatch(word.text) and not word.labels.isdisjoint(DANGERS) for word in words)
        said = [each - DANGERS if MILD.fullmatch(word.text) else each for word, each in zip(words, said, strict=True)]
        dangers = set[str]().union(*(each for each in said if "reason" not in each)) & _OF_TALK - self.impossible
        is_advice = wavers and any(not word.labels.isdisjoint(("others", "player")) for word in words)  # "you should"
        if len(text) > MAX_TALK_LETTERS or dangers - _DENIALS or is_advice:
            return None
        telling = (word for word in loud if word.labels.isdisjoint(("counted", "reason", "valued")))
        about = [
            word.text
            for word in telling
            if re.search(r"\d", word.text) or not word.labels.isdisjoint(("name", "values"))
        ]  # what it says of the letter: names, numbers, values
        if about and not is_later and any("valued" in word.labels for word in words):  # "40 is a joke. I want 60."
            return [Clause("", text, is_known=True, wavers=wavers)]
        if about and (is_cry or len(loud) > len(about) or any(word.text in _COPULAS for word in words)):
            echoes = tuple(at for at, each in enumerate(self.offers, 1) if each.mentions(about))
            return [Clause("", text, echoes=echoes, is_about=True, denies=bool(dangers), wavers=wavers)]
        if about:
            return None
        named = {word for kind in self.kinds for word in TALKED_OF.get(kind, ())}
        is_known = all(word.labels - _NAMING or (is_later and word.text in named) for word in loud)  # "do this merger"
        calls = not all(word.labels.isdisjoint(_NAMING | {"others"}) for word in loud)
        is_called = len(words) == 1 or (len(words) == 2 and SALUTATION.fullmatch(words[0].text))  # "hey Bob"
        is_name = bool(is_called) and words[-1].text in self.titled | self.labeller.players
        said_so = Clause("", text, is_known=is_known, calls=calls, is_name=is_name, denies=bool(dangers), wavers=wavers)
        return [said_so] if loud else None
