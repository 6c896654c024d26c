"""What one line of a reply says: the mark of a choice, an amount, a verb with its values, a command."""

import re
from collections.abc import Sequence

from bot.mail.phrases import AUTO_COMMANDS, COMMANDS, GREETING, LIMIT_WORDS, WORDS, join_words, list_vocabulary
from bot.model.orders import join_rules
from engine import Record

_POLITE = re.compile(
    rf"^(?:(?:{join_words('begins')})\s+|(?:{join_words('begins_words')})\s+(?=[^\W\d]{{3}}))+|"
    rf"(?<![\s,.!–-])[\s,.!–-]*(?:\band\s+)?\b(?:{join_words('ends')})\s?[.!]*$",
    re.IGNORECASE,
)
DOUBTED = rf"[^()]*\b(?:{join_words('doubt')})\b"
_APPROVED = re.compile(
    rf"(?:(?<=\d) (?-i:x{{1,3}})|(?<=\d) ?(?:{join_words('unit')})|(?<![\s,–-])[\s,–-]++(?:{join_words('approved')}|"
    rf"\((?!{DOUBTED})[^()\d?]{{2,60}}\)))[.!]*$",
    re.IGNORECASE,
)
"""What people say of a choice behind it: "2 is fine", "B (as we said)", "bid 20 pounds"."""
_REASON = re.compile(
    rf"(?:^|(?<=^[1-9b-h]) |(?<=^pass) |(?<=\d) )(?:{join_words('because')})\s(?!{DOUBTED})[^\d?]{{2,80}}$|"
    rf"(?:(?<=^[1-9])|(?<=^pass))\s+(?:[-–—/]{{1,2}}|\((?=.*\)$))\s*(?!{DOUBTED})[^\d?]{{2,80}}$",
    re.IGNORECASE,
)
"""Why people choose so: "2 because Bob is broke", "pass - Bob can have it"."""
_COMMENT = re.compile(
    rf"(?P<move>^bid [£$€]?\d{{1,6}}|^pass|^[1-9])\s+[-–—]{{1,2}}\s+(?!{DOUBTED})"
    r"(?:\d{1,2}(?:st|nd|rd|th)\b|[^\d?£$€]){2,80}$",
    re.IGNORECASE,
)
"""A comment behind a move, with no numbers but ordinals: "pass - see you on the 4th"."""
_NAMED = re.compile(
    rf"^(?:(?:my |mein |mon )?(?:{join_words('move')})\s?[:=]\s*|(bid|buy|sell|par)\s?:\s*(?=\S))", re.IGNORECASE
)
"""What stands before a move that is named: "my move: 2", "bid: 25"."""
MAX_PADDED_WORDS = 8
_PADDING = frozenset(WORDS["padding"])
_NODS = frozenset(WORDS["nod"])
_NUMBERED = re.compile(rf"\b(?:{join_words('choice')})\b", re.IGNORECASE)
_BID = re.compile(
    rf"(?:{join_words('bid')})\s*[£$€]?\s?(\d{{1,6}})\s?(?:[£$€]|gbp|eur|pounds?|quid)?[.!]*$", re.IGNORECASE | re.ASCII
)
_BID_FOR = re.compile(
    rf"(?:{join_words('bid')}) (\d{{1,6}}) (?:{join_words('bid_for')}) ([\w&]{{2,5}})[.!]*$", re.IGNORECASE
)
_MOVES = {
    "pass": rf"(?:(?:{join_words('pass_before')}) )?(?:{join_words('pass')})(?: (?:{join_words('pass_after')}))?",
    "best": join_words("best"),
    "pay": join_words("pay"),
    "keep": join_words("keep"),
    "done": join_words("done"),
    "no train": join_words("no_train"),
    "no track": join_words("no_track"),
    "no base": join_words("no_base"),
}
_MOVES_SAID = [(re.compile(rf"(?:{words})[.!]*$", re.IGNORECASE), move) for move, words in _MOVES.items()]
"""Whole moves in the words of any language, and in ours."""
_VERBS_SAID = [
    (re.compile(rf"(?:{join_words(verb)}) (?:(?:die|den|das|la|le|el|il|de|het) )?(?=\S)", re.IGNORECASE), verb)
    for verb in ("buy", "sell", "exchange")
]
_DECLINED = re.compile(rf"^(?:{join_words('declined')})\s*[,.!;–-]+\s+(?=\S)", re.IGNORECASE)
"""Before a move: "no thanks, pass"."""
_AND = re.compile(rf"\s+(?:{join_words('and')})\s+", re.IGNORECASE)
_UNDO = re.compile(r"^undo (?:that|it|my (?:last )?move|the last (?:one|move)|my last one)\W*$", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(?:(?:the )?(\w+) (?:one|option|choice)|(?:die|den|das|la|le|el|lo) ([^\W\d]{5,9}?)n?)[.!]*$", re.IGNORECASE
)
_ORDINALS = {word: place for place, words in enumerate(WORDS["ordinals"], 1) for word in words.split()}
_NUMBERS = {word: place for place, words in enumerate(WORDS["numbers"]) for word in words.split()}
"""Choices written out."""
_TENS = {word: 10 * place for place, words in enumerate(WORDS["tens"], 1) for word in words.split()}
_AMOUNT_SAID = re.compile(
    rf"^((?:{join_words('bid')})\s)?\s*(?:an?\s)?({'|'.join(_TENS)})(?:[- ]({'|'.join(_NUMBERS)}))?(?=[.!]*$)",
    re.IGNORECASE,
)
"""An amount in words, alone or bid: "forty", "bid forty-five"."""
SMILE = re.compile(
    r"(?<![\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])(?:(?<=\s)(?:[:;=]-?[)(DP]|\^\^|xD)|[\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])+$"
)
_NOD = re.compile("^[\u2705\u2714\u2611\U0001f44d\U0001f44c\ufe0f\U0001f3fb-\U0001f3ff]+\\s+(?=\\S)")
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
_AMOUNT = re.compile(r"(?!(\d)\1+$)[£$€]?\d{2,6}$", re.ASCII)
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


_RUN = re.compile(r"\s*(?:/act )?run\s", re.IGNORECASE)
_FURTHER_TRAIN = re.compile(r"\s*\d[\w+/*]*\s+\[?[a-z]{1,2}\d+[\w.\]]*-", re.IGNORECASE)
"""What goes on with a run, as the desk writes it: "run 2E H7-G8; 2/3E F7-G8"."""


def split_orders(lines: Sequence[str]) -> list[str]:
    """Return the orders of lines: divided by commas and semicolons outside quotation marks, but not within a run."""
    found: list[str] = []
    for written in join_rules(lines):
        said = _DECLINED.sub("", written)
        line = said if FROWN.search(said) else _NOD.sub("", SMILE.sub("", said))
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
    bare = (_BULLET.sub("", each.strip()) for each in found)
    named = (each if each.startswith("/") else _NAMED.sub(r"\1 ", each).lstrip() for each in bare)
    tidy = (
        each
        if each.startswith("/")
        else _APPROVED.sub("", _POLITE.sub("", _REASON.sub("", _COMMENT.sub(r"\g<move>", each))))
        for each in named
    )
    return [each for order in tidy for each in map(_drop_padding, _part_by_and(order.strip())) if each]


def _part_by_and(order: str) -> list[str]:
    """Return the orders that "and" or "then" joins, "best and pay": each begins as one, the first may be a mark."""
    parts = [each.strip() for each in _AND.split(order)]
    words = [part.split(" ")[0].casefold() for part in parts]
    is_first = words[0] in list_vocabulary() or read_mark(parts[0]) is not None
    is_joined = not order.startswith("/") and is_first and all(word in list_vocabulary() for word in words[1:])
    return parts if is_joined else [order]


def _drop_padding(order: str) -> str:
    """Return the choice alone if only padding stands around it; "" for a word or two of padding without a choice."""
    if (ordinal := _ORDINAL.match(order)) and (place := _ORDINALS.get((ordinal[1] or ordinal[2]).casefold())):
        return str(place)
    if amount := _AMOUNT_SAID.match(order):
        ones = _NUMBERS[amount[3].casefold()] + 1 if amount[3] else 0
        order = f"{amount[1] or ''}{_TENS[amount[2].casefold()] + ones}"
    if bid := _BID_FOR.match(order):
        return f"bid {bid[2]} {bid[1]}"
    if bid := _BID.match(order):
        return f"bid {bid[1]}"
    order = next((move for words, move in _MOVES_SAID if words.match(order)), _UNDO.sub("undo", order))
    order = next((words.sub(f"{verb} ", order) for words, verb in _VERBS_SAID if words.match(order)), order)
    words = [word.strip("*_\"“”„'[]:.!") for word in order.replace("’", "'").split()]
    if len(words) == 2 and _NUMBERED.fullmatch(words[0]) and read_mark(words[1]) and not _MARK.match(order):
        return words[1]
    if order.endswith("?") or not words or words[0].casefold() in list_vocabulary():
        return order
    said = [
        word
        for word in words
        if word
        and word.casefold() not in _PADDING
        and not (len(words) <= MAX_PADDED_WORDS and _is_slip(word.casefold()))
    ]
    if len(words) == 2 and words[0].casefold() in _NODS and words[1].isalpha():  # "OK A" may be signed
        return order
    if len(said) == 1 and (_MARK.match(said[0]) or (read_mark(said[0]) and _NUMBERED.search(order))):
        return said[0]
    if not said and len(words) <= 2 and read_mark(order) is None:
        return ""
    return order


def _is_slip(word: str) -> bool:
    """Return whether a word is one that stands before a choice, with a letter too many, missing, or out of place."""
    return any(
        word[:1] == meant[0] and abs(len(word) - len(meant)) <= 1 and (_leave_one_out(word) & _leave_one_out(meant))
        for meant in WORDS["slips"]
    )


def _leave_one_out(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))} if 4 < len(word) < 13 else set()


def is_known(order: str, *, is_first: bool) -> bool:
    """Return whether words can be an order at all: what is not must not be half done."""
    game, rest = split_table(order)
    if game:
        return is_known(rest, is_first=True)
    if order.startswith("/") or (is_first and (read_mark(order) or _AMOUNT.match(order))):
        return True
    if read_mark(order.rstrip("? ")):  # a question, or not where a choice stands
        return False
    first, _, rest = order.casefold().partition(" ")
    first = first.strip(".!")
    if first == "stop" and rest:  # "stop selling" is no wish to get no more letters
        return False
    if first in LIMIT_WORDS and read_maximum(order) is None:  # "Most likely", and "Auto" is a car in German
        return first == "auto" and len(order) <= 200 and rest.split(" ", maxsplit=1)[0] in AUTO_COMMANDS
    if first.rstrip("?") in COMMANDS:
        return len(order) <= 200 and not (first.rstrip("?") in _CHANGING_COMMANDS and order.endswith("?"))
    if order.endswith("?"):
        return False
    words = order.partition(";")[0].split()  # what follows are more trains
    is_value = len(words) == 1 and (
        is_first or first in _OWN_WORDS or not _TALKED.match(order) or bool(GREETING.match(order))
    )
    is_word = first in list_vocabulary() or is_value
    return len(words) <= 14 and is_word and not order.isdecimal()


_TALKED = re.compile(r"[^\W\d_][^\WA-Z\d_]{4,}[.!]*$")
"""A word behind an order that names nothing at the table, and may say that nothing is meant: "pass, presumably"."""
_OWN_WORDS = ("nothing",)
_CHANGING_COMMANDS = frozenset({"pass", "undo", "redo", "yes", "no", "leave", "stop", "start", "away", "snooze"}) | {
    *LIMIT_WORDS
}
"""Commands that change something: as a question they are none."""
