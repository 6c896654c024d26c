"""Orders as a letter writes them: the mark of a choice, an amount, a step of a turn, a verb with its values, a command.

They are read to the letter. What people write in words of their own is for ``clauses``.
"""

import re
from collections.abc import Sequence

from bot.mail.phrases import AUTO_COMMANDS, COMMANDS, LIMIT_WORDS, WORDS, join_words, list_verbs, list_vocabulary
from bot.model.orders import join_rules
from engine import Record

_NUMBERS = {word: place for place, words in enumerate(WORDS["numbers"]) for word in words.split()}
"""Choices written out."""
SMILE = re.compile(
    r"(?<![\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])(?:(?<=\s)(?:[:;=]-?[)(DP]|\^\^|xD)|[\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])+$"
)
NOD = re.compile("^[\u2705\u2714\u2611\U0001f44d\U0001f44c\ufe0f\U0001f3fb-\U0001f3ff]+\\s+(?=\\S)")
"""A tick or a thumb up before a choice."""
FROWN = re.compile("[\u2049\u2753\u2754\U0001f914\U0001f44e\U0001f937\U0001f615]")
"""A question mark as a picture, a thumb down, a shrug: what stands before them may not be meant."""
_BULLET = re.compile(r"^(?:[-*•]\s+|(?:[-=]>|=|→|👉|\[x\])\s*)")
QUOTES = '"“”„'
_IN_AMOUNT = re.compile(r"(?<=\d),(\d{3})(?!\d)")
"""A comma within "1,250", and what follows it."""
_LONG = ("why ", "away ", "auto skip ", "auto build ", "/")
"""How orders begin whose words have commas."""
_MARK = re.compile(
    r"^(?:option|choice|nr\.?|no\.|#)?\s*\(?([1-9]|[a-i])[).:]?\s*(?:\(turn (\d{1,9})\))?[.!]?$",
    re.IGNORECASE | re.ASCII,
)
_AMOUNT = re.compile(r"(?!(\d)\1+$)[£$€]?\d{2,6}[.!]?$", re.ASCII)
"""An amount and no choice; "22" may be a 2 that was typed twice."""
_MAXIMUM = re.compile(r"(?:most|max|maximum|auto bid)\s+[£$€]?(\d{1,6})", re.IGNORECASE | re.ASCII)
_MAXIMUM_ASKED = re.compile(
    r"(?:(?:i(?:['’]d|['’]ll)?|i would|i will|would|will) )?"
    r"(?:(?:bid |pay )?(?:up to|at most)|bid|pay|(?:my )?(?:most|max|maximum|limit)(?: is|:)?)?"
    r"\s*[£$€]?(\d{1,6})\s?(?:max|maximum|at most|tops|cubes?)?",
    re.IGNORECASE | re.ASCII,
)
_TABLE = re.compile(
    rf"^(?:#\s?|(?:{join_words('table')})\s?#?\s?(?=\d+\s?:))(\d{{1,9}})\s*[:.]?\s+(\S.*)$", re.IGNORECASE
)
_RUN = re.compile(r"\s*(?:/act )?run\s", re.IGNORECASE)
_FURTHER_TRAIN = re.compile(r"\s*\d[\w+/*]*\s+\[?[a-z]{1,2}\d+[\w.\]]*-", re.IGNORECASE)
"""What goes on with a run, as the desk writes it: "run 2E H7-G8; 2/3E F7-G8"."""
_STEP = re.compile(
    r"(?:pass|best(?: runs?)?|run best|pay|keep|withhold|no (?:more )?(?:trains?|track|base)|done|"
    r"bid [£$€]?\d[\d,]*)[.!]*",
    re.IGNORECASE,
)
"""Moves of which no word could mean anything else."""
_VALUE = re.compile(r"[A-Z].*|.*[\d&:].*")
_BESIDE_VALUES = frozenset(("a", "the", "from", "of", "train", "best", "pool", "ipo", "bank", "half"))
_MOVE_WORDS = ("yes", "no", "pass", "start", "undo", "redo")
"""Commands that say a move, so that nothing may stand behind them."""
_ASKED = re.compile(r"(?:(?<=^yes)|(?<=^undo)|(?<=^redo))\W+(?:please|pls|bitte)\W*$", re.IGNORECASE)
_BID = re.compile(r"^bid [£$€]?(\d+)(?:\s?(?:gbp|pounds?|quid|[£$€]))?(?=[.!]*$)", re.IGNORECASE)
_PAY = re.compile(r"^pay (?:it |a |the )?(?:out|dividends?)(?=[.!]*$)", re.IGNORECASE)
_CHANGING_COMMANDS = frozenset(
    ("pass", "undo", "redo", "yes", "no", "leave", "stop", "start", "away", "snooze", *LIMIT_WORDS)
)
"""Commands that change something: as a question they are none."""


class Mark(Record, frozen=True):
    """A marked choice, by its number from 0; ``version`` where the words say it; ``lettered`` as it was written."""

    number: int
    version: int | None = None
    lettered: bool = False


def read_mark(order: str) -> Mark | None:
    """Return the choice that an order marks."""
    found = _MARK.match(order)
    if found is None:
        written = _NUMBERS.get(order.casefold().strip(" .!"))
        return None if written is None else Mark(written)
    sign = found[1].lower()
    number = int(sign) - 1 if sign.isdecimal() else ord(sign) - ord("a")
    return Mark(number, int(found[2]) if found[2] else None, not sign.isdecimal())


def read_maximum(order: str, *, is_asked: bool = False) -> int | None:
    """Return the maximum bid that an order says, ``None`` if it says none.

    ``is_asked``: it answers a letter that asks for one, so an amount alone says enough.
    """
    bare = _IN_AMOUNT.sub(r"\1", order.strip(" .!"))
    found = (_MAXIMUM_ASKED if is_asked else _MAXIMUM).fullmatch(bare) or _MAXIMUM.fullmatch(bare)
    return int(found[1]) if found else None


def split_table(order: str) -> tuple[int, str]:
    """Return the table that an order names and the rest of it, as in "#8 best"; 0 if it names none."""
    found = _TABLE.match(order)
    return (int(found[1]), found[2]) if found else (0, order)


def split_orders(lines: Sequence[str]) -> list[str]:
    """Return the orders of lines: divided by commas and semicolons outside quotation marks, but not within a run."""
    found: list[str] = []
    for written in join_rules(lines):
        line = written if FROWN.search(written) else NOD.sub("", SMILE.sub("", written))
        begun, quoted = "", False
        is_long = split_table(line)[1].casefold().startswith(_LONG)
        for at, letter in enumerate(line):
            quoted ^= letter in QUOTES
            if letter in ",;" and not quoted and not is_long and not _IN_AMOUNT.match(line, at):
                found.append(begun)
                begun = ""
            else:
                begun += letter
        found.append(begun)
    found = [each for each in found if each.strip()]
    for at in range(len(found) - 1, 0, -1):
        before = found[at - 1]
        if _FURTHER_TRAIN.match(found[at]) and (_RUN.match(before) or _FURTHER_TRAIN.match(before)):
            found[at - 1 : at + 1] = [f"{before}; {found[at].strip()}"]
    return [_tidy(order) for each in found if (order := _BULLET.sub("", each.strip()).strip())]


def _tidy(order: str) -> str:
    """Return an order without what is said to be polite, a move of ours as the desk writes it."""
    plain = _ASKED.sub("", _PAY.sub("pay", _BID.sub(r"bid \1", order)))
    bare = plain.strip(" .!")
    if re.fullmatch("[1-9A-I]", bare, re.IGNORECASE):
        return bare
    return (bare.casefold() if bare[:4].casefold() in ("pass", "bid ") else bare) if _STEP.fullmatch(plain) else plain


def is_sure(order: str) -> bool:
    """Return whether an order needs no second look: a mark, an amount, a step, a command."""
    table, rest = split_table(order)
    if table:
        return is_sure(rest)
    return bool(
        order.startswith("/") or read_mark(order) or _AMOUNT.match(order) or _STEP.fullmatch(order) or is_command(order)
    )


def is_command(order: str) -> bool:
    """Return whether an order is none at the desk: it shows, sets or explains something."""
    rest = split_table(order)[1]
    first, _, more = rest.casefold().partition(" ")
    word = first.strip(".!").removesuffix("?")
    if word in LIMIT_WORDS and read_maximum(rest) is None:  # "Most likely", and "Auto" is a car in German
        return word == "auto" and len(rest) <= 200 and more.split(" ", maxsplit=1)[0] in AUTO_COMMANDS
    if word not in COMMANDS or len(rest) > 200 or (word in _MOVE_WORDS and more):
        return rest.startswith("/")
    is_wish = word != "stop" or not more  # "stop selling" is no wish to get no more letters
    return is_wish and not (word in _CHANGING_COMMANDS and rest.endswith("?"))


def is_written(order: str, *, is_first: bool) -> bool:
    """Return whether an order is written as the letter writes it; a mark or an amount can only be the first."""
    table, rest = split_table(order)
    if table:
        return is_written(rest, is_first=True)
    if not is_first and (read_mark(order) or _AMOUNT.match(order)):
        return False
    if is_sure(order):
        return True
    first, *values = order.partition(";")[0].strip(" .!").split()  # what follows are more trains
    known = list_vocabulary() | _BESIDE_VALUES
    is_known = all(_VALUE.fullmatch(word) or word.casefold() in known for word in values)
    return first.casefold() in list_verbs() and 0 < len(values) <= 14 and is_known and not order.endswith("?")
