"""What the lines of a reply order: a mark, verbs with their values, commands; split as people write them.

A lone letter may be a signature, a lone number part of a sentence. It counts
only at the top of a reply, and only while the reply holds no other choice;
where that is in doubt the player is asked back.
"""

import re
from collections.abc import Iterable, Sequence

from bot.mail.phrases import COMMANDS, vocabulary
from bot.mail.reply import ReadReply
from engine import Record

MAX_ORDERS = 12

_POLITE = re.compile(
    r"^(?:(?:and then|and|then|please|bitte|i|also)\s+)+|[\s,]*(?:please|bitte|thanks|thank you|danke|ok)[.!]*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?:[-*•]\s+)")
QUOTES = '"“”„'
_MARK = re.compile(
    r"^(?:option|choice|nr\.?|no\.|#)?\s*\(?([1-9]|[a-i])[).:]?\s*(?:\(turn (\d{1,9})\))?[.!]?$", re.IGNORECASE
)
_TABLE = re.compile(r"^#\s?(\d{1,9})\s*[:.]?\s+(\S.*)$")
_THANKS = re.compile(r"^\W*(?:thanks|thank you|danke)\b", re.IGNORECASE)
_DASHED = re.compile(r"^\s*[-–—~/]\s")
_RETRACTION = re.compile(
    r"\b(?:(?:no|oh|ah|hm+|actually|sorry|hang on|hold on|nein|halt|ne|nee)\W+(?:wait|warte|doch|moment|stop)|"
    r"on second thoughts?|scratch that|correction|changed my mind|i (?:mean|meant)|make (?:it|that)|"
    r"rather (?:take|than|not|play|the|an?|[a-h]|\d)|"
    r"instead|oops|ups|nein\W|lieber|stattdessen|korrektur|ich mein(?:e|te)|doch (?:lieber|nicht))\b|"
    r"(?:^|[.,;!–—-]\s*)(?:wait|warte|actually|nein)\b(?! for| auf)",
    re.IGNORECASE,
)
"""Words by which people take back what they have just written."""
_NUMBER = re.compile(r"(?<![\w£$€#.,:/+-])([1-9])(?![\w%£$€:/-]|[.,]\d)")
_BEFORE_A_NUMBER = re.compile(
    r"\b(?:at|um|by|until|till|bis|gegen|ab|since|seit|around|turn|round|runde|table|tisch|game|spiel|seat|phase)\W*$",
    re.IGNORECASE,
)
_AFTER_A_NUMBER = re.compile(
    r"^\s*(?:days?|tage?n?|hours?|stunden?|h|min\w*|weeks?|wochen?|months?|monate?n?|years?|jahre?n?|uhr|[ap]m|o'clock|"
    r"shares?|aktien?|trains?|züge?n?|players?|spieler|of us|times|mal|more|mehr|pounds?|pfund|kids|games?|turns?|"
    r"moves?|people|leute)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![\w'’.-])([A-H]|[a-h](?=\s*(?:$|[.,;!?)])))(?![\w'’]|\.\w)")
_ARTICLE = re.compile(r"^ (?!than\b|is\b|or\b|and\b|oder\b|ist\b|und\b|please\b|bitte\b|instead\b|would\b)[a-zäöü]")


class Mark(Record, frozen=True):
    """A marked choice, by its number from 0; ``version`` where the words say it; ``lettered`` as it was written."""

    number: int
    version: int | None = None
    lettered: bool = False


def read_mark(order: str) -> Mark | None:
    """Return the choice that an order marks."""
    found = _MARK.match(order)
    if found is None:
        return None
    sign = found[1].lower()
    number = int(sign) - 1 if sign.isdecimal() else ord(sign) - ord("a")
    return Mark(number, int(found[2]) if found[2] else None, not sign.isdecimal())


def split_table(order: str) -> tuple[int, str]:
    """Return the table that an order names and the rest of it, as in "#8 best"; 0 if it names none."""
    found = _TABLE.match(order)
    return (int(found[1]), found[2]) if found else (0, order)


class MailOrders(Record, frozen=True):
    """What is ordered, in order.

    Args:
        orders: as written. remarks: lines that order nothing, in later paragraphs.
        why: why nothing is to be done; empty if something is.
    """

    orders: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    why: str = ""


def read_orders(reply: ReadReply, choices: int = 9) -> MailOrders:
    """Return what a reply orders: all of its first paragraph, and later ones as far as they are orders.

    Args:
        reply: what its writer wrote.
        choices: how many were offered.
    """
    if not reply.paragraphs:
        return MailOrders(why=reply.why or "I found no new words in your mail.")
    first = _split(reply.paragraphs[0])
    unknown = [each for place, each in enumerate(first) if not _is_known(each, is_first=place == 0)]
    if unknown:
        return MailOrders(why=f"Not read: “{unknown[0][:80]}”. Nothing was done.", remarks=tuple(unknown))
    orders, remarks = [*first], list[str]()
    for paragraph in reply.paragraphs[1:]:
        split = _split(paragraph)
        if not remarks and all(_is_known(each, is_first=False) for each in split):
            orders += split
        else:
            remarks += paragraph
    if not orders:
        return MailOrders(why=f"Not read: “{' '.join(reply.lines)[:80]}”. Nothing was done.", remarks=tuple(remarks))
    if len(orders) > MAX_ORDERS:
        return MailOrders(why=f"These are {len(orders)} orders; {MAX_ORDERS} at a time are the most. Nothing was done.")
    doubt = find_doubt(reply, orders, remarks, choices)
    if doubt:
        return MailOrders(why=f"{doubt} Nothing was done; answer with your choice alone.", remarks=tuple(remarks))
    return MailOrders(tuple(orders), tuple(remarks))


def _split(lines: Sequence[str]) -> list[str]:
    """Return the orders of lines: divided by commas and semicolons outside quotation marks."""
    found: list[str] = []
    for line in lines:
        begun, quoted = "", False
        is_long = line.casefold().startswith(("why ", "away ", "/"))  # commas belong to their words
        for letter in line:
            quoted ^= letter in QUOTES
            if letter in ",;" and not quoted and not is_long:
                found.append(begun)
                begun = ""
            else:
                begun += letter
        found.append(begun)
    tidy = (_POLITE.sub("", _BULLET.sub("", each.strip())).strip() for each in found)
    return [each for each in tidy if each]


def _is_known(order: str, *, is_first: bool) -> bool:
    """Return whether words can be an order at all: what is not must not be half done."""
    game, rest = split_table(order)
    if game:
        return _is_known(rest, is_first=True)
    if order.startswith("/") or (is_first and read_mark(order)):
        return True
    if read_mark(order.rstrip("? ")):  # a question, or not where a choice stands
        return False
    first = order.casefold().split(" ", maxsplit=1)[0].strip(".!")
    if first in COMMANDS:
        return len(order) <= 200
    return len(order.split()) <= 14 and (first in vocabulary() or len(order.split()) == 1) and not order.isdecimal()


def find_doubt(reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int) -> str:
    """Return why it is not certain what a reply orders, in a sentence; "" if it is.

    Args:
        reply: what its writer wrote.
        orders: what it orders.
        remarks: its lines that order nothing.
        choices: how many were offered.
    """
    taken_back = [line for line in (*orders[1:], *remarks, *reply.below) if _RETRACTION.search(line)]
    if orders and taken_back:
        return f"“{orders[0]}”, but then “{taken_back[0][:80]}”: I am not sure which you mean."
    chosen: dict[int, int] = {}
    for table, found in [(table, read_mark(rest)) for table, rest in map(split_table, orders) if table]:
        if found is not None and chosen.setdefault(table, found.number) != found.number:
            return f"You chose two moves at once for table #{table}."
    mark = read_mark(orders[0]) if orders else None
    if mark is None:
        return ""
    top = reply.paragraphs[0][0]
    if mark.version is None and (reply.above or _THANKS.match(top) or _DASHED.match(top)):
        closing = reply.above[-1] if reply.above else top
        return f"“{orders[0]}” stands below a closing (“{closing[:80]}”), where it may be a signature."
    other = _other_choice(mark, reply.below, (), choices) or _other_choice(mark, remarks, remarks, choices)
    other = other or _other_choice(mark, (), [each for each in orders[1:] if each[:3].casefold() in _ANSWERS], choices)
    return f"“{orders[0]}”, but there is “{other}” too: I am not sure which you mean." if other else ""


_ANSWERS = ("no ", "yes")


def _other_choice(mark: Mark, alone: Iterable[str], prose: Iterable[str], choices: int) -> str:
    """Return another choice than the one that is marked: a line of its own, or a sign within a sentence; else ""."""
    for line in alone:
        other = read_mark(line.strip(" -–—*•?"))
        if other is not None and (other.number, other.lettered) != (mark.number, mark.lettered):
            return line
    for line in prose:
        for found in (_LETTER if mark.lettered else _NUMBER).finditer(line):
            other = read_mark(found[1])
            if other is None or other.number in (mark.number, *range(choices, 9)):
                continue
            before, after = line[: found.start()], line[found.end() :]
            is_amount = not mark.lettered and (_BEFORE_A_NUMBER.search(before) or _AFTER_A_NUMBER.search(after))
            if not is_amount and not (found[1] == "A" and _ARTICLE.search(after)):
                return line[:80]
    return ""
