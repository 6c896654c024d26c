"""The text of a board file, looked over before it is parsed.

The parser of the standard library is recursive and slow on text that no
board needs: keys of thousands of dots, brackets in brackets, numbers of
60,000 digits. One pass of bounded steps refuses these by line and reason.
"""

import re

MAX_CHARACTERS = 65_536
MAX_LINE_CHARACTERS = 4_000
MAX_WORD_CHARACTERS = 80
MAX_TEXT_CHARACTERS = 400
MAX_DOTS = 3
MAX_DEPTH = 6
MAX_KEYS = 1_200
MAX_BRACKETS = 3_500
MAX_TABLES = 150
_PIECE = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)|(?P<note>\#[^\n]*+)|(?P<word>[^\W]++(?:[+:-]++\w*+)*+)"""
    r"""|(?P<open>[\[{])|(?P<close>[\]}])|(?P<equals>=)|(?P<dot>\.)|(?P<blank>[ \t\r]++)|(?P<other>.)"""
)


class BoardTextError(Exception):
    """A text that is not looked at further: the line, from 1, and the reason; 0 for the whole."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason


class _Tally:
    """What was counted so far in a text."""

    def __init__(self) -> None:
        self.depth = self.dots = 0
        self.keys = self.brackets = self.tables = 0

    def begin_line(self, line: str) -> None:
        """Begin a line: it may open a table, and no key goes on from the line before."""
        self.tables += not self.depth and line.lstrip().startswith("[")
        self.dots = 0

    def count_piece(self, kind: str) -> None:
        """Count a piece."""
        if kind == "dot":
            self.dots += 1
        elif kind not in ("word", "text", "blank"):
            self.dots = 0
        if kind == "open":
            self.depth, self.brackets = self.depth + 1, self.brackets + 1
        elif kind == "close":
            self.depth = max(0, self.depth - 1)
        self.keys += kind == "equals"

    def find_excess(self) -> str:
        """Return what is too much by now, empty if nothing is."""
        if self.dots > MAX_DOTS:
            return f"a key has more than {MAX_DOTS} dots"
        if self.depth > MAX_DEPTH:
            return f"brackets are nested more than {MAX_DEPTH} deep"
        for count, most, what in (
            (self.keys, MAX_KEYS, "keys"),
            (self.brackets, MAX_BRACKETS, "brackets"),
            (self.tables, MAX_TABLES, "tables"),
        ):
            if count > most:
                return f"there are more than {most} {what} up to here"
        return ""


def check_size(text: str) -> None:
    """Refuse a text that would take the parser long.

    Raises:
        SheetError: it is too long, or one of its lines has what no board needs.
    """
    if len(text) > MAX_CHARACTERS:
        raise BoardTextError(0, f"it has {len(text)} characters; the limit is {MAX_CHARACTERS}")
    tally = _Tally()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE_CHARACTERS:
            raise BoardTextError(
                number, f"it has {len(line)} characters; the limit for a line is {MAX_LINE_CHARACTERS}"
            )
        tally.begin_line(line)
        for piece in _PIECE.finditer(line):
            kind = piece.lastgroup or ""
            tally.count_piece(kind)
            reason = _find_excess(kind, piece[0]) or tally.find_excess()
            if reason:
                raise BoardTextError(number, reason)


def _find_excess(kind: str, what: str) -> str:
    """Return what is too much about a piece of a line, empty if nothing is."""
    if kind == "word" and len(what) > MAX_WORD_CHARACTERS:
        return f"a word or number has {len(what)} characters; the limit is {MAX_WORD_CHARACTERS}"
    if kind == "text" and len(what) > MAX_TEXT_CHARACTERS:
        return f"a text has {len(what)} characters; the limit is {MAX_TEXT_CHARACTERS}"
    if kind == "text" and (len(what) < 2 or what[0] != what[-1]):
        return "a text must end on its line"
    return ""
