"""What the lines of a reply order: a mark, verbs with their values, commands; split as people write them."""

import re
from collections.abc import Sequence

from bot.mail.choices import find_doubt, mark_of, table_of
from bot.mail.reply import COMMANDS, ReadReply, vocabulary
from engine import Record

MOST_ORDERS = 12

_POLITE = re.compile(
    r"^(?:(?:and then|and|then|please|bitte|i|also)\s+)+|[\s,]*(?:please|bitte|thanks|thank you|danke|ok)[.!]*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?:[-*•]\s+)")
_QUOTES = '"“”„'


class MailOrders(Record, frozen=True):
    """What is ordered, in order.

    Args:
        orders: as written. remarks: lines that order nothing, in later paragraphs.
        why: why nothing is to be done; empty if something is.
    """

    orders: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    why: str = ""


def orders_of(reply: ReadReply, choices: int = 9) -> MailOrders:
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
    if len(orders) > MOST_ORDERS:
        return MailOrders(
            why=f"These are {len(orders)} orders; {MOST_ORDERS} at a time are the most. Nothing was done."
        )
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
            quoted ^= letter in _QUOTES
            if letter in ",;" and not quoted and not is_long:
                found.append(begun)
                begun = ""
            else:
                begun += letter
        found.append(begun)
    tidy = (_POLITE.sub("", _BULLET.sub("", each.strip())).strip() for each in found)
    return [each for each in tidy if each]


def _is_known(order: str, *, is_first: bool) -> bool:
    """Tell whether words can be an order at all: what is not must not be half done."""
    game, rest = table_of(order)
    if game:
        return _is_known(rest, is_first=True)
    if order.startswith("/") or (is_first and mark_of(order)):
        return True
    if mark_of(order.rstrip("? ")):  # a question, or not where a choice stands
        return False
    first = order.casefold().split(" ", maxsplit=1)[0].strip(".!")
    if first in COMMANDS and first not in vocabulary_of_moves():
        return len(order) <= 200
    return len(order.split()) <= 14 and (first in vocabulary() or len(order.split()) == 1) and not order.isdecimal()


def vocabulary_of_moves() -> frozenset[str]:
    """Return the words with which moves begin."""
    return vocabulary() - set(COMMANDS)
