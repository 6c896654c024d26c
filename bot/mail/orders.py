"""What a whole reply orders, and where that is in doubt.

A lone letter may be a signature, a lone number part of a sentence. It counts
only at the top of a reply, and only while the reply holds no other choice;
where that is in doubt the player is asked back.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from bot.mail.choices import DOUBTED, FROWN, Mark, is_known, read_mark, read_maximum, split_orders, split_table
from bot.mail.labels import name_choice, names_another
from bot.mail.phrases import CONFIDENTIAL, join_words, list_verbs, list_vocabulary
from bot.mail.reply import ReadReply
from bot.model.letters import NumberedMoves
from bot.service.press import Message
from engine import Record

MAX_ORDERS = 12
MAX_MESSAGES = 4
_TO = re.compile(r"^to\s+([^:]{1,80}):\s*(.*)$", re.IGNORECASE)
MAX_PRAISE_LETTERS = 60
_PRAISE = re.compile(rf"^(?:{join_words('praise')})\b[^\d?]*[!.]$", re.IGNORECASE)
_THANKS = re.compile(rf"^\W*(?:{join_words('thanks')})\b", re.IGNORECASE)
_DASHED = re.compile(r"^\s*[-–—~/]\s")
_RETRACTION = re.compile(rf"\b(?:{join_words('retraction')})\b|{join_words('retraction_line')}", re.IGNORECASE)
"""Words by which people take back what they have just written."""
_ALONE = re.compile(rf"^\W*(?:(?:{join_words('hesitation')})\W+)*([1-9]|[a-h]|\d{{2,4}})\W*$", re.IGNORECASE)
"""A choice or an amount and nothing else but words of doubt."""
_NUMBER = re.compile(r"(?<![\w£$€#.,:/+-])([1-9])(?![\w%£$€:/+-]|[.,]\d|\s?[%£$€])")
_BEFORE_A_NUMBER = re.compile(rf"\b(?:{join_words('before_number')})\W*$", re.IGNORECASE)
_AFTER_A_NUMBER = re.compile(
    rf"^\s*(?:{join_words('after_number')})\b|^\.? ?(?:{join_words('month')})\b|^\.? (?:{join_words('until')}) \d",
    re.IGNORECASE,
)
_BEFORE_A_DATE = re.compile(rf"\b(?:{join_words('month')}|{join_words('before_number')})$", re.IGNORECASE)
_LETTER = re.compile(r"(?<![\w'’.-])([A-H]|[a-h](?=\s*(?:$|[.,;!?)])))(?![\w'’]|\.\w)")
_ARTICLE = re.compile(r"^ (?!than\b|is\b|or\b|and\b|oder\b|ist\b|und\b|please\b|bitte\b|instead\b|would\b)[a-zäöü]")
MAX_TALK_LETTERS = 80
_SECOND_THOUGHTS = re.compile(rf"\b(?:{join_words('second_thought')})\b|n['’]t\b", re.IGNORECASE)
"""Words beside a move that ask for more, put it off or take it back."""
_HARMLESS = re.compile(rf"\b(?:{join_words('harmless')})", re.IGNORECASE)
"""Words that sound like a move or a doubt but are neither here."""
_CAN_HAVE = re.compile(r"\bcan have\b|\bcan['’]t (?:afford|pay|beat)\b", re.IGNORECASE)
_SAID_FIRST = re.compile(r"^(\D{3,80}?)[.!]+\s+([^.!,;]{1,25})[.!]*$", re.IGNORECASE)
_SAID_LAST = re.compile(r"^([^.!,;]{1,25})[.!]+\s+(\D{3,80})$", re.IGNORECASE)
"""A move in a sentence of its own beside another: "Too rich for me. Pass.", "2. Good luck all!"."""
_UNSURE = re.compile(
    rf"\W*(?:(?:but|aber|mais|pero|ma|maar|ale|men|well|hm+|or|oder|just)\W+)?(?:{join_words('unsure')})\W*$",
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
    reply: ReadReply, choices: int = 9, *, asks_maximum: bool = False, offered: NumberedMoves | None = None
) -> MailOrders:
    """Return what a reply orders: all of its first paragraph, and later ones as far as they are orders.

    Args:
        reply: what its writer wrote.
        choices: how many were offered.
        asks_maximum: it answers a letter that asks for a maximum bid.
        offered: the choices, if they are known.
    """
    reply, messages = take_messages(reply)
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
        elif last and _is_plain_move(last[1]) and not _AFTER_A_NUMBER.search(f". {last[2]}"):
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
            or _RETRACTION.search(words)
            or FROWN.search(words)
            or _TO.match(words)
        )
        and not any(word.casefold() in list_vocabulary() or (len(word) > 1 and word.isupper()) for word in said)
    )


def _is_said_before(line: str) -> bool:
    """Return whether a line above a choice only talks, as "Sorry for the delay, my 2 kids were ill."."""
    if len(line) > 2 * MAX_TALK_LETTERS or not line.endswith((".", "!", "…", ")")):  # "See page", and below it "2"
        return False
    numbers = [found for found in re.finditer(r"(?<!\S)\d+(?!\S)", line) if _AFTER_A_NUMBER.match(line[found.end() :])]
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
    if not is_talk or not below or _RETRACTION.search(line):
        return reply, []
    if not _is_plain_move(below[0][0]) or (not is_praise and _list_names(line)):
        return reply, []
    return msgspec.structs.replace(reply, paragraphs=below), [line]


def find_doubt(reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int) -> str:
    """Return why it is not certain what a reply orders, in a sentence; "" if it is.

    Args:
        reply: what its writer wrote.
        orders: what it orders.
        remarks: its lines that order nothing.
        choices: how many were offered.
    """
    if not orders:
        return ""
    below = [line for line in reply.below if not (CONFIDENTIAL.search(line) and len(line) > MAX_TALK_LETTERS)]
    later = (*orders[1:], *reply.lines[1:], *remarks, *below)
    taken_back = [line for line in later if _RETRACTION.search(line) or FROWN.search(line) or _UNSURE.match(line)]
    if taken_back:
        return f"You wrote “{orders[0]}”, then “{taken_back[0][:80]}”: I'm not sure which you mean."
    known = {each.casefold() for each in orders}
    moves = [line for line in map(_read_bare_move, (*remarks, *reply.below)) if line and line not in known]
    if moves:
        return f"You wrote “{orders[0]}” but also “{moves[0]}”: I'm not sure which you mean."
    chosen: dict[int, int] = {}
    for table, found in [(table, read_mark(rest)) for table, rest in map(split_table, orders) if table]:
        if found is not None and chosen.setdefault(table, found.number) != found.number:
            return f"You chose two moves for table #{table}."
    mark = read_mark(orders[0])
    if mark is not None:
        return _find_doubt_about_mark(mark, reply, orders, remarks, choices)
    amounts = {word for order in orders for word in order.split()}
    alone = [line for line in remarks if (sign := _ALONE.match(line)) and sign[1] not in amounts]
    return f"You wrote “{orders[0]}” but also “{alone[0]}”: I'm not sure which you mean." if alone else ""


def _find_doubt_about_mark(
    mark: Mark, reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int
) -> str:
    """Return why a number or letter may not be a choice: it may end a mail, and another may be meant."""
    rule = next((each for each in orders[1:] if each.startswith("/auto if ")), "")
    if rule:  # "2", and below it "if Bob passes, otherwise 3"
        return f"You wrote “{orders[0]}”, then “{rule.removeprefix('/auto ')[:80]}”: I'm not sure which you mean."
    top = reply.paragraphs[0][0]
    is_below_words = mark.lettered and not split_orders((top.partition(",")[0],))  # "ok", and behind or below it "A"
    if mark.version is None and (reply.above or is_below_words or _THANKS.match(top) or _DASHED.match(top)):
        closing = reply.above[-1] if reply.above else top
        return f"“{orders[0]}” follows a closing (“{closing[:80]}”), so it may be a signature."
    other = _find_other_choice(mark, reply.below, (), choices) or _find_other_choice(mark, remarks, remarks, choices)
    other = other or _find_other_choice(
        mark, (), [each for each in orders[1:] if each[:3].casefold() in _ANSWERS], choices
    )
    return f"You wrote “{orders[0]}” but also “{other}”: I'm not sure which you mean." if other else ""


def _read_bare_move(line: str) -> str:
    """Return a line that is nothing but a move, as "bid 25", in small letters; "" for any other."""
    words = line.casefold().strip(" .!?").split()
    return " ".join(words) if words and len(words) <= 4 and words[0] in list_verbs() else ""


_ANSWERS = ("no ", "yes")


def _find_other_choice(mark: Mark, alone: Iterable[str], prose: Iterable[str], choices: int) -> str:
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
