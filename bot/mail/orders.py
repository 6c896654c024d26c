"""What a whole reply orders, and where that is in doubt.

Its first paragraph orders: as the letter writes orders (``choices``), or in
words (``clauses``). Those below may go on; what names another move, asks or
takes back makes it a doubt, and the player is asked back.
"""

import re
from collections.abc import Collection, Sequence

import msgspec

from bot.mail.choices import is_command, is_sure, is_written, read_mark, read_maximum, split_orders
from bot.mail.clauses import ClauseReader
from bot.mail.doubts import find_doubt, is_in_doubt
from bot.mail.quoted import name_copied, name_quoted
from bot.mail.reply import ReadReply
from bot.mail.together import Clause, HeardOrders, put_together
from bot.model.letters import NumberedMoves
from bot.service.press import Message
from engine import Record

MAX_ORDERS = 12
MAX_MESSAGES = 4
MAX_NEW_LETTERS = 6000
"""Of new text in a reply: what looks for doubts takes longer the more there is."""
_WITH_AMOUNTS = frozenset(("bid", "raise", "open", "markers", "redeem"))
"""Kinds of actions of which a number alone says enough."""
_TO = re.compile(r"^to\s+([^:]{1,80}):\s*(.*)$", re.IGNORECASE)


class MailOrders(Record, frozen=True):
    """What is ordered, in order, and what is said to other players.

    Args:
        orders: as written. remarks: lines that order nothing, in later paragraphs.
        why: why nothing is to be done; empty if something is.
        messages: to other players, after the orders.
    """

    orders: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    why: str = ""
    messages: tuple[Message, ...] = ()


def take_messages(read: ReadReply) -> tuple[ReadReply, tuple[Message, ...]]:
    """Return a reply without what it says to other players, and that: from a line "to Bob: …" on, all is a message.

    So nothing below such a line is an order, whatever it says.
    """
    found: list[Message] = []
    kept: list[tuple[str, ...]] = []
    for paragraph in read.paragraphs:
        orders: list[str] = []
        for line in paragraph:
            if begun := _TO.match(line):
                found.append(Message(begun[1].strip(), begun[2].strip()))
            elif found:
                found[-1] = Message(found[-1].to, f"{found[-1].text} {line}".strip())
            else:
                orders.append(line)
        kept += [tuple(orders)] if orders else []
    return msgspec.structs.replace(read, paragraphs=tuple(kept)), tuple(found)


def read_orders(
    reply: ReadReply,
    choices: int = 9,
    *,
    asks_maximum: bool = False,
    asks_consent: bool = False,
    offered: NumberedMoves | None = None,
    players: Collection[str] = (),
) -> MailOrders:
    """Return what a reply orders: all of its first paragraph, and later ones as far as they are orders.

    Args:
        reply: what its writer wrote.
        choices: how many were offered.
        asks_maximum: it answers a letter that asks for a maximum bid.
        asks_consent: it answers a letter that asks yes or no.
        offered: the choices, if they are known.
        players: the names of the others at the table.
    """
    reply, messages = take_messages(reply)
    if len(messages) > MAX_MESSAGES:
        return MailOrders(why=f"A mail can have {MAX_MESSAGES} messages. Nothing was done.")
    if not reply.paragraphs:
        return MailOrders(why="" if messages else reply.why or "I found no new text in your e-mail.", messages=messages)
    if sum(map(len, reply.lines)) > MAX_NEW_LETTERS:
        limit = f"{MAX_NEW_LETTERS:,}"
        return MailOrders(
            why=f"Your e-mail is too long: the limit is {limit} characters of new text. Nothing was done."
        )
    reading = _Reading(reply, choices, offered, players)
    read = reading.answer_question() if asks_consent else None
    read = read or (reading.set_maximum() if asks_maximum else None) or reading.read_moves(only_written=asks_maximum)
    return msgspec.structs.replace(read, messages=() if read.why else messages)


class _Reading:
    """Reads one reply."""

    def __init__(self, reply: ReadReply, choices: int, offered: NumberedMoves | None, players: Collection[str]) -> None:
        self.reply, self.choices, self.offered = reply, choices, offered
        self.reader = ClauseReader(offered, players)
        self.first = split_orders(reply.paragraphs[0])

    def answer_question(self) -> MailOrders | None:
        """Return the answer to a letter that asks yes or no."""
        said = self.reader.read_consent(self.reply.paragraphs[0])
        read = self._finish((said,), (), self.reply.paragraphs[1:]) if said else None
        return None if read is None or read.why else read

    def set_maximum(self) -> MailOrders | None:
        """Return the maximum bid that answers a letter which asks for one."""
        limit = read_maximum(self.first[0], is_asked=True) if self.first else None
        rest = self.first[1:]
        if limit is None or not all(is_written(each, is_first=False) for each in rest):
            return None
        return self._finish((f"most {limit}", *rest), (), self.reply.paragraphs[1:])

    def read_moves(self, *, only_written: bool = False) -> MailOrders:
        """Return what is ordered: as the letter writes it, or in words unless ``only_written``."""
        named, mark, why = name_quoted(self.reply, self.offered)
        if why:
            return MailOrders(why=why)
        if mark:
            self.reply = named
            return self._read_words(mark)
        is_all_written = bool(self.first) and all(
            is_written(each, is_first=at == 0) or self._is_shown(each) for at, each in enumerate(self.first)
        )
        written = self._finish(self.first, (), self.reply.paragraphs[1:]) if is_all_written else None
        if is_in_doubt(self.reply.lines, self.reader.labeller.players):
            if written is not None and any(map(is_command, self.first)):
                return written
            return MailOrders(why=f"I'm not sure what “{self.reply.lines[0][:80]}” means. Nothing was done.")
        if written is not None and (self.offered is None or all(map(self._is_plain, self.first))):
            return written
        if only_written:
            return written or MailOrders(why=f"I can't read “{self.reply.lines[0][:80]}”. Nothing was done.")
        top = self.reply.paragraphs[0]
        self.reply, mark = name_copied(self.reply, self.offered)
        said = self._read_words(mark)
        if written is not None and self._has_verb_of_its_own(said):
            return written
        only = self.offered if self.offered is not None and len(self.offered.offers) == 1 else None
        if said.why and only and self.reader.read_consent(top) == "yes":  # "go ahead"
            return self._finish((f"1 (turn {only.version})",), (), self.reply.paragraphs[1:], 1, top)
        return written if said.why and written is not None else said

    def _is_shown(self, order: str) -> bool:
        """Return whether an order is one that the letter shows."""
        return self.offered is not None and order.casefold() in map(str.casefold, self.offered.examples)

    def _has_verb_of_its_own(self, said: MailOrders) -> bool:
        """Return whether what is written has a verb that the letter shows, and is read as another: "tile F13 202 0"."""
        shown = {each.split()[0] for each in self.offered.examples} if self.offered is not None else set[str]()
        verb = self.first[0].split()[0].casefold()
        return verb in shown and not said.why and "(turn" not in said.orders[0] and said.orders[0].split()[0] != verb

    def _is_plain(self, order: str) -> bool:
        """Return whether an order needs no second look: no number that may be an amount, a run, a count of cubes."""
        if self._is_shown(order):
            return True
        is_lettered = self.offered is not None and self.offered.lettered
        if (
            is_lettered
            and order[:1].isalpha()
            and len(order.strip(" .!()")) > 2
            and "(turn" not in order
            and read_mark(order)
        ):
            return False
        is_amount = order[:1].isdigit() and len(order) > 1
        return is_sure(order) and not (is_amount and self.reader.kinds.isdisjoint(_WITH_AMOUNTS))

    def _read_words(self, mark: str = "") -> MailOrders:
        """Return what is ordered in words: in the first paragraph that orders anything; ``mark`` is known already."""
        heard, clauses = HeardOrders((mark,)) if mark else None, list[Clause]()
        rest, lines = list(self.reply.paragraphs), tuple[str, ...]()
        while rest and (heard is None or not heard.orders):
            lines = rest.pop(0)
            read = self.reader.read_lines(lines)
            heard = put_together([*clauses, *read], self.offered) if read is not None else None
            if read is None or heard is None:
                return MailOrders(why=f"I can't read “{' '.join(lines)[:80]}”. Nothing was done.", remarks=lines)
            clauses += read
        if heard is None or not heard.orders:
            lines = self.reply.lines
            return MailOrders(why=f"I can't read “{' '.join(lines)[:80]}”. Nothing was done.", remarks=lines)
        return self._finish(heard.orders, heard.talk, rest, heard.place, lines)

    def _finish(
        self,
        orders: Sequence[str],
        talk: Sequence[str],
        below: Sequence[tuple[str, ...]],
        place: int = 0,
        lines: tuple[str, ...] = (),
    ) -> MailOrders:
        """Return orders with those that later paragraphs add, or why they are in doubt."""
        found, remarks = [*orders], [*talk]
        for paragraph in below:
            more = split_orders(paragraph)
            if not remarks and all(is_written(each, is_first=False) for each in more):
                found += more
                continue
            heard = self.reader.read_below(paragraph, found, place)
            if heard is None:
                asked = f"You wrote “{found[0]}”, then “{paragraph[0][:80]}”: I'm not sure which you mean."
                return MailOrders(why=f"{asked} Nothing was done; reply with only your choice.", remarks=paragraph)
            found += heard.orders
            remarks += () if heard.orders else paragraph
        if len(found) > MAX_ORDERS:
            return MailOrders(why=f"{len(found)} orders are too many: the limit is {MAX_ORDERS}. Nothing was done.")
        top = lines or next(iter(self.reply.paragraphs), (found[0],))
        reply = msgspec.structs.replace(self.reply, paragraphs=(top, *below))
        doubt = find_doubt(reply, found, remarks, self.choices)
        if doubt:
            return MailOrders(why=f"{doubt} Nothing was done; reply with only your choice.", remarks=tuple(remarks))
        return MailOrders(tuple(found), tuple(remarks))
