"""What a whole reply orders, and where that is in doubt.

A lone letter may be a signature, a lone number part of a sentence. It counts
only at the top of a reply, and only while the reply holds no other choice;
where that is in doubt the player is asked back.
"""

import re
from collections.abc import Sequence

import msgspec

from bot.mail.choices import DOUBTED, FROWN, is_known, read_mark, read_maximum, split_orders, split_table
from bot.mail.clauses import read_clauses, read_consent
from bot.mail.doubts import AFTER_A_NUMBER, MAX_TALK_LETTERS, RETRACTION, find_doubt
from bot.mail.guards import is_call, is_in_doubt
from bot.mail.heard import HeardOrders
from bot.mail.labels import name_choice, names_another
from bot.mail.phrases import COMMANDS, join_words, list_verbs, list_vocabulary
from bot.mail.quoted import name_quoted
from bot.mail.reply import ReadReply
from bot.mail.spoken import OPEN
from bot.model.letters import NumberedMoves
from bot.service.press import Message
from engine import Record

MAX_ORDERS = 12
MAX_MESSAGES = 4
_TO = re.compile(r"^to\s+([^:]{1,80}):\s*(.*)$", re.IGNORECASE)
MAX_PRAISE_LETTERS = 60
_PRAISE = re.compile(rf"^(?:{join_words('praise')})\b[^\d?]*[!.]$", re.IGNORECASE)
_BEFORE_A_DATE = re.compile(rf"\b(?:{join_words('month')}|{join_words('before_number')})$", re.IGNORECASE)
_SECOND_THOUGHTS = re.compile(rf"\b(?:{join_words('second_thought')})\b|n['’]t\b", re.IGNORECASE)
"""Words beside a move that ask for more, put it off or take it back."""
_HARMLESS = re.compile(rf"\b(?:{join_words('harmless')})", re.IGNORECASE)
"""Words that sound like a move or a doubt but are neither here."""
_CAN_HAVE = re.compile(r"\bcan have\b|\bcan['’]t (?:afford|pay|beat)\b", re.IGNORECASE)
_SAID_FIRST = re.compile(r"^(\D{3,80}?)[.!]+\s+([^.!,;]{1,25})[.!]*$", re.IGNORECASE)
_SAID_LAST = re.compile(r"^([^.!,;]{1,25})[.!]+\s+(\D{3,80})$", re.IGNORECASE)
"""A move in a sentence of its own beside another: "Too rich for me. Pass.", "2. Good luck all!"."""
_MOVE_WORDS = ("yes", "no", "pass", "start")
"""Commands that may begin a move."""
_SURE = re.compile(
    r"(?:pass|best(?: runs?)?|run best|pay|keep|withhold|no (?:more )?(?:trains?|track|base)|bid [£$€]?\d[\d,]*|done|"
    r"[£$€]?\d+)[.!]*",
    re.IGNORECASE,
)
_PLAIN_MOVE = re.compile(r"(?:pass|undo|bid \d+)[.!]*$", re.IGNORECASE)


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
) -> MailOrders:
    """Return what a reply orders: all of its first paragraph, and later ones as far as they are orders.

    Args:
        reply: what its writer wrote.
        choices: how many were offered.
        asks_maximum: it answers a letter that asks for a maximum bid.
        asks_consent: it answers a letter that asks yes or no.
        offered: the choices, if they are known.
    """
    reply, messages = take_messages(reply)
    if asks_consent and reply.paragraphs and (said := read_consent(reply.paragraphs[0])):
        remarks = tuple(line for lines in reply.paragraphs[1:] for line in lines)
        if not find_doubt(reply, (said,), remarks, choices):
            return MailOrders((said,), remarks, messages=messages)
    if messages:
        read = MailOrders()
        if reply.paragraphs:
            read = _read_moves(reply, choices, offered, asks_maximum=asks_maximum)
        if len(messages) > MAX_MESSAGES:
            return MailOrders(why=f"A mail can have {MAX_MESSAGES} messages. Nothing was done.")
        return msgspec.structs.replace(read, messages=() if read.why else messages)
    return _read_moves(reply, choices, offered, asks_maximum=asks_maximum)


def _read_moves(reply: ReadReply, choices: int, offered: NumberedMoves | None, *, asks_maximum: bool) -> MailOrders:
    """Return what a reply orders that says nothing to other players."""
    if not reply.paragraphs:
        return MailOrders(why=reply.why or "I found no new text in your e-mail.")
    if is_in_doubt(reply.lines) and not asks_maximum:
        read = _read_patterns(reply, choices, offered, asks_maximum=False)
        if read.why or any(map(_is_command, read.orders)):
            return read
        return MailOrders(why=f"I'm not sure what “{read.orders[0][:80]}” means beside the rest. Nothing was done.")
    named, mark, why = name_quoted(reply, offered)
    if why or mark:
        said = None if why else _read_words(named, choices, offered, mark=mark)
        return said or MailOrders(why=why or f"I can't read “{' '.join(reply.lines)[:80]}”. Nothing was done.")
    read = _read_patterns(reply, choices, offered, asks_maximum=asks_maximum)
    is_lettered = offered is not None and offered.lettered
    has_run = offered is not None and any('"do":"run"' in each.action for each in offered.offers)
    if asks_maximum or (not read.why and _is_plain(read.orders, is_lettered=is_lettered, has_run=has_run)):
        return read
    said = _read_words(reply, choices, offered)
    if said is not None or read.why:
        return said or read
    for place, order in enumerate(read.orders):
        word = order.casefold().split()[0].strip(".!")
        is_step = word in ("best", "pay", "keep", "withhold", "no")
        is_own = is_step and place > 0 and not _SURE.fullmatch(order)  # "pay half", "no buy it"
        if is_own or ((is_step or word in list_verbs()) and OPEN.search(order)):  # "pay or keep"
            return MailOrders(why=f"I'm not sure what “{order[:80]}” means. Nothing was done.")
    return read


def _is_command(order: str) -> bool:
    """Return whether an order is none at the desk: it shows, sets or explains something."""
    words = split_table(order)[1].casefold().split() or [""]
    return words[0].startswith("/") or (words[0] in COMMANDS and words[0] not in _MOVE_WORDS)


def _is_plain(orders: Sequence[str], *, is_lettered: bool, has_run: bool) -> bool:
    """Return whether orders need no second look: marks, amounts, commands, moves of one word."""
    return all(
        split_table(each)[0]
        or (read_mark(each) and not (is_lettered and len(each.strip(" .!")) > 2))
        or (_SURE.fullmatch(each) and not (has_run and each[:1].isdigit()))
        or each.startswith("/")
        or re.search(r"\w:\S", each)  # values with their names
        or (each.casefold().split()[0] in COMMANDS and each.casefold().split()[0] not in _MOVE_WORDS)
        for each in orders
    )


def _read_words(reply: ReadReply, choices: int, offered: NumberedMoves | None, *, mark: str = "") -> MailOrders | None:
    """Return what a reply orders that is read word by word; ``None`` if a word in it may mean something else.

    ``mark``: the first order, if it is known.
    """
    heard, talk = HeardOrders((mark,)) if mark else None, list[str]()
    rest, lines = list(reply.paragraphs), tuple[str, ...]()
    while rest and heard is None:
        lines = rest.pop(0)
        heard = read_clauses(lines, offered)
        if heard is None:
            return None
        if not heard.orders:
            talk += lines
            heard = None
    if heard is None or (heard.is_bare and talk):
        return None
    orders, remarks = [*heard.orders], [*talk, *heard.talk]
    if heard.talk and is_call(heard.talk[0]) and lines[0].casefold().startswith(heard.talk[0]):
        return None
    for paragraph in rest:
        more = read_clauses(paragraph, None)
        if more is not None and more.orders and not more.is_bare:
            orders += more.orders
            remarks += more.talk
        else:
            remarks += paragraph
    if len(orders) > MAX_ORDERS:
        return None
    below = msgspec.structs.replace(reply, paragraphs=((heard.orders[0],), *rest))
    return None if find_doubt(below, orders, remarks, choices) else MailOrders(tuple(orders), tuple(remarks))


def _read_patterns(reply: ReadReply, choices: int, offered: NumberedMoves | None, *, asks_maximum: bool) -> MailOrders:
    """Return what a reply orders by the patterns that are known."""
    reply, praise = _drop_praise(reply)
    first, said = _part_talk(reply.paragraphs[0])
    praise += said
    if asks_maximum:
        limit = read_maximum(first[0], is_asked=True) if first else None
        first = [f"most {limit}", *first[1:]] if limit is not None else first
    first = _name_first(first, offered)
    unknown = [each for place, each in enumerate(first) if not is_known(each, is_first=place == 0)]
    if unknown:
        return MailOrders(why=f"I can't read “{unknown[0][:80]}”. Nothing was done.", remarks=tuple(unknown))
    orders, remarks = [*first], list[str](praise)
    for paragraph in reply.paragraphs[1:]:
        split = split_orders(paragraph)
        if remarks == praise and all(is_known(each, is_first=False) for each in split):
            orders += split
        else:
            remarks += paragraph
    if not orders:
        return MailOrders(why=f"I can't read “{' '.join(reply.lines)[:80]}”. Nothing was done.", remarks=tuple(remarks))
    if len(orders) > MAX_ORDERS:
        return MailOrders(why=f"{len(orders)} orders are too many: the limit is {MAX_ORDERS}. Nothing was done.")
    doubt = find_doubt(reply, orders, remarks, choices) or _find_contradiction(reply, orders[0], offered)
    if doubt:
        return MailOrders(why=f"{doubt} Nothing was done; reply with only your choice.", remarks=tuple(remarks))
    return MailOrders(tuple(orders), tuple(remarks))


def _name_first(orders: list[str], offered: NumberedMoves | None) -> list[str]:
    """Return orders with the mark of the choice whose words the first uses, if nothing else can be made of it."""
    if offered is None or not orders:
        return orders
    is_swap = orders[0].startswith("exchange ")  # for something, which the verb doesn't take
    if is_known(orders[0], is_first=True) and not is_swap:
        return orders
    return [name_choice(orders[0], offered) or orders[0], *orders[1:]]


def _find_contradiction(reply: ReadReply, order: str, offered: NumberedMoves | None) -> str:
    """Return a sentence if the words beside a mark are those of another choice; else ""."""
    mark, line = read_mark(order), reply.paragraphs[0][0]
    if offered is None or mark is None or not names_another(line, mark.number, offered):
        return ""
    return f"“{line[:80]}” names another choice than “{order}”."


def _part_talk(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what lines order, and the talk beside it where that is one plain move, as in "Too rich for me. Pass."."""
    parted, is_sentence = list[str](), False
    for line in lines:
        first, last = _SAID_FIRST.match(line), _SAID_LAST.match(line)
        if first and _is_plain_move(first[2]) and not _BEFORE_A_DATE.search(first[1]):
            parted += first.groups()
            is_sentence = True
        elif last and _is_plain_move(last[1]) and not AFTER_A_NUMBER.search(f". {last[2]}"):
            parted += last.groups()
        else:
            parted.append(line)
    orders = split_orders(parted)
    moves = [each for each in orders if not _is_talk(each)]
    if len(moves) != 1 or len(moves) == len(orders):
        return split_orders(lines), []
    before = orders[: orders.index(moves[0])]
    mark = read_mark(moves[0])
    is_plain = _PLAIN_MOVE.match(moves[0]) or (mark and (not before or (is_sentence and not mark.lettered)))
    if not is_plain or any(map(_list_names, before)):  # "hey Bob, pass" is said to Bob
        return split_orders(lines), []
    return moves, [each for each in orders if each != moves[0]]


def _is_plain_move(words: str) -> bool:
    """Return whether words are one move that needs no others: "pass", "bid 20", "4 it is"."""
    orders = split_orders([words])
    if len(orders) != 1:
        return False
    mark = read_mark(orders[0])
    return _PLAIN_MOVE.match(orders[0]) is not None or (mark is not None and not mark.lettered)


def _list_names(words: str) -> list[str]:
    """Return the words in capitals behind the first."""
    return [word for word in words.split()[1:] if word[0].isupper() and not re.match(r"I(?:['’]|$)", word)]


def _is_talk(words: str) -> bool:
    """Return whether words only talk: no move, number, company, question or doubt is among them."""
    bare = _HARMLESS.sub("", words)
    said = [word.strip(".,!;:()'’\"") for word in bare.split()]
    return (
        (len(words.split()) > 1 or words.casefold() == "sorry")
        and len(words) <= MAX_TALK_LETTERS
        and words.lstrip("¡")[:1].isalpha()
        and not any(letter.isdigit() or letter == "?" for letter in words)
        and not re.match(DOUBTED, bare, re.IGNORECASE)
        and not (
            _SECOND_THOUGHTS.search(_CAN_HAVE.sub("", bare))
            or RETRACTION.search(words)
            or FROWN.search(words)
            or _TO.match(words)
        )
        and not any(word.casefold() in list_vocabulary() or (len(word) > 1 and word.isupper()) for word in said)
    )


def _is_said_before(line: str) -> bool:
    """Return whether a line above a choice only talks, as "Sorry for the delay, my 2 kids were ill."."""
    if len(line) > 2 * MAX_TALK_LETTERS or not line.endswith((".", "!", "…", ")")):  # "See page", and below it "2"
        return False
    numbers = [found for found in re.finditer(r"(?<!\S)\d+(?!\S)", line) if AFTER_A_NUMBER.match(line[found.end() :])]
    bare = line
    for found in reversed(numbers):
        bare = f"{bare[: found.start()]}some{bare[found.end() :]}"
    return all(_is_talk(each) for each in re.split(r"[,;] |(?<=\w)[.!] ", bare.strip(" .!:)(")) if each)


def _drop_praise(reply: ReadReply) -> tuple[ReadReply, list[str]]:
    """Return a reply without a word to the others above its numbered choice, as "Nice move, Bob!", and that word.

    Nothing in it could be an order, and what follows is a number alone: a letter may sign it.
    """
    first, *rest = reply.paragraphs
    line = first[0]
    words = {word.strip(".,!?;:").casefold() for word in line.split()}
    below = (first[1:], *rest) if first[1:] else tuple(rest)
    is_praise = len(line) <= MAX_PRAISE_LETTERS and _PRAISE.match(line) is not None
    is_talk = (is_praise and not words & list_vocabulary()) or _is_said_before(line)
    if not is_talk or not below or RETRACTION.search(line):
        return reply, []
    if not _is_plain_move(below[0][0]) or (not is_praise and _list_names(line)):
        return reply, []
    return msgspec.structs.replace(reply, paragraphs=below), [line]
