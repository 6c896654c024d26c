"""From the bytes of a reply to the words its writer meant: without what was quoted, without greeting or signature.

What mail programs quote is found by its structure, which is the same in all
languages: marks at the line's start, blocks of headers, a line that names us
and ends with a colon, lines that we sent. A quoted choice must never be taken
for an order; so where it is not certain what is new, nothing is read.
"""

import re
from collections.abc import Collection, Sequence
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr
from itertools import pairwise

from bot.mail.body import BodyLine, clean_line, read_lines
from bot.mail.choices import split_orders
from bot.mail.phrases import (
    BETWEEN_RULES,
    CONFIDENTIAL,
    FORWARD_HEAD,
    GREETING,
    HEADER,
    OPENING,
    PRODUCTS,
    RULE,
    SENT,
    SIGNATURE,
    WISH,
    join_words,
    list_vocabulary,
)
from engine import Record

OUR_NAME = "Stationmaster"
LAST_LINE = re.compile(r"^Table #\d+ .*version \d+\W*$")
"""The last line of every mail of ours."""
FIRST_LINE = re.compile(r"^\W*Reply above this line", re.IGNORECASE)
MAX_ATTRIBUTION_LINES = 5
MAX_CLOSING_LETTERS = 48
PARTICLES = frozenset(
    (
        "af", "al", "ben", "bin", "da", "das", "de", "degli", "dei", "del", "della", "den", "der", "di", "do", "dos",
        "du", "e", "el", "la", "le", "ter", "van", "von", "y", "zu",
    )
)  # fmt: skip
"""Small words of names: Jan de Vries."""
MIN_WRAPPED_LETTERS = 70
MAX_WRITER_LETTERS = 1000
"""Characters of the field From in which the name of the writer is looked for."""

_ADDRESS = re.compile(r"(?<![\w.+\-])[\w.+\-]+@[\w.\-]+\w")
_MOMENT = re.compile(r"\d{1,2}[:.h時시]\s?\d{2}|\b\d{4}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_BEST = re.compile(rf"(?:{join_words('best_run')})\b", re.IGNORECASE)
_INITIALLED = re.compile(
    r"^\W*(?:(?:[^\W\d_]\.\s?)+(?:[a-zäöü]{1,3}\.? )?[^\W\d_a-zäöü][\w'’-]+|(?:[^\W\d_]\.\s?){2,})\W*$"
)
_SIGNED = re.compile(r"^(.*[^\s,.;–—-])(?:\s*[,.;]\s*|\s+[–—-]\s+)([^\W\d][^,.;\d]{1,40})\W*$")
_COLON = re.compile(r"[:：][^\w:：]*$")


class ReadReply(Record, frozen=True):
    """What a person wrote.

    Args:
        paragraphs: its lines, without those that are empty; the first paragraph holds the orders.
        why: why nothing was read; empty if something may have been.
        above: closings that stand above these lines. below: what is left out below them: a closing, a name, what was
            written under the quote. beside: lines that stand right below one of ours, each with that line of ours.
    """

    paragraphs: tuple[tuple[str, ...], ...] = ()
    why: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines."""
        return tuple(line for paragraph in self.paragraphs for line in paragraph)


def read_message(message: Message, sent: Collection[str] = (), names: Collection[str] = (OUR_NAME,)) -> ReadReply:
    """Return what the writer of a mail meant.

    Args:
        message: the mail.
        sent: lines of ours that it may quote.
        names: what our mails come from, as it may stand above a quote: a name, an address.

    Raises:
        UnreadableError: it has no text, or is built in a way no one needs.
    """
    lines = read_lines(message)
    ours = frozenset(_normalize(line) for line in sent) - {""}
    new, more = _split_new(lines, ours, tuple(name.casefold() for name in names))
    read, above, below = _cut_closing(new, _find_writer(message))
    paragraphs = _split_paragraphs(read)
    beside = tuple(
        (" ".join(after.text.split()), _normalize(before.text.lstrip("> ")))
        for before, after in pairwise(lines)
        if before.quoted and after.text and not after.quoted and _normalize(before.text.lstrip("> ")) in ours
    )
    return ReadReply(paragraphs, above=above, below=(*below, *more), beside=beside)


def _normalize(line: str) -> str:
    return " ".join(clean_line(line).split())


def _find_writer(message: Message) -> frozenset[str]:
    """Return the words by which the writer may sign."""
    raw = next((value for name, value in message.raw_items() if name.lower() == "from"), "")
    sender = str(raw)[:MAX_WRITER_LETTERS]
    sender = sender.encode("utf-8", "surrogateescape").decode("utf-8", "replace")  # some send it as it is
    try:
        name = str(make_header(decode_header(parseaddr(sender)[0])))
    except (MessageError, LookupError, ValueError, UnicodeError, RecursionError):
        name = ""
    return frozenset(word.casefold().strip(".,") for word in clean_line(name).split())


# --- what is new -------------------------------------------------------------------


def _split_new(lines: Sequence[BodyLine], ours: Collection[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines that the writer added above the quote, and those between and below; the latter if no others."""
    start, end = _find_quote(lines, ours, names)
    above = [line.text for line in lines[:start]]
    rest = list(lines[end:])
    below = [line.text for place, line in enumerate(rest) if not _is_old(rest, place, ours, names)]
    new = [line for line in above if line and not _ends_text(line) and not RULE.match(line)]
    is_below = any(line and not _ends_text(line) for line in below)
    says = any(not _opens(line) or (not is_below and _says_more(line)) for line in new)
    return (above, below) if says else (below, [])


def _find_quote(lines: Sequence[BodyLine], ours: Collection[str], names: Sequence[str]) -> tuple[int, int]:
    """Return where the first quote begins, and from where on something new may stand again.

    Where the quote is not marked line by line, nothing after it is new, unless its last line is known.
    """
    for place, line in enumerate(lines):
        if line.quoted:
            return place, place
        if not line.text:
            continue
        begins = _count_attribution(lines, place, names)
        if begins:
            is_marked = _find_next(lines, place + begins).quoted
            return place, place + begins if is_marked else _find_quote_end(lines, place)
        is_head = BETWEEN_RULES.match(line.text) or FIRST_LINE.match(line.text) or FORWARD_HEAD.search(line.text)
        if is_head or _begins_header_block(lines, place, names) or _is_ours(line.text, ours):
            return place, _find_quote_end(lines, place)
    return len(lines), len(lines)


def _find_quote_end(lines: Sequence[BodyLine], place: int) -> int:
    """Return the line after our last line, where a quote without marks ends."""
    found = [at for at in range(place, len(lines)) if LAST_LINE.match(lines[at].text)]
    return found[-1] + 1 if found else len(lines)


def _count_attribution(lines: Sequence[BodyLine], place: int, names: Sequence[str]) -> int:
    """Return how many lines from here on say that a person wrote what follows; 0 for none.

    They name us, and a moment or an address, and end with a colon or before a quote, in whatever language. A moment
    with a colon, right above lines that are marked as quoted, needs no name: "You wrote on 22 November, 9:14:".
    """
    said = ""
    for count in range(1, MAX_ATTRIBUTION_LINES + 1):
        at = place + count - 1
        if at >= len(lines) or not lines[at].text or lines[at].quoted:
            break
        said = f"{said} {lines[at].text}".strip()
        if count == 1 and not _can_open_attribution(said, names):
            return 0
        folded = said.casefold()
        if _COLON.search(said) and _MOMENT.search(said) and _find_next(lines, at + 1).quoted:
            return count
        if not any(name in folded for name in names) and not _ADDRESS.search(said):
            continue
        is_bare = len(said) <= MAX_CLOSING_LETTERS and _COLON.search(said) and not OPENING.match(said)
        if not (_MOMENT.search(said) or _ADDRESS.search(said) or is_bare):  # "Stationmaster schreef:"
            continue
        is_quoted_below = at + 1 < len(lines) and lines[at + 1].quoted
        if _COLON.search(lines[at].text) or is_quoted_below or FIRST_LINE.match(_find_next(lines, at + 1).text):
            return count
    return 0


def _find_next(lines: Sequence[BodyLine], place: int) -> BodyLine:
    """Return the next line that says something."""
    return next((line for line in lines[place:] if line.text), BodyLine(""))


def _can_open_attribution(line: str, names: Sequence[str]) -> bool:
    """Return whether a line can be the first of an attribution: it says when, or who."""
    is_named = any(name in line.casefold() for name in names)
    return len(line) > 12 and bool(_MOMENT.search(line) or _ADDRESS.search(line) or is_named)


def _begins_header_block(lines: Sequence[BodyLine], place: int, names: Sequence[str]) -> bool:
    """Return whether lines as "From: …", "Sent: …", "To: …" begin here, one of them naming an address or us."""
    block: list[str] = []
    for line in lines[place : place + 8]:
        if not line.text or not HEADER.match(line.text):
            break
        block.append(line.text)
    if len(block) < 2:
        return False
    said = " ".join(block).casefold()
    return bool(_ADDRESS.search(said)) or (len(block) > 2 and any(name in said for name in names))


def _is_ours(line: str, ours: Collection[str]) -> bool:
    """Return whether a line is one that we sent, and longer than what one might write oneself."""
    bare = _normalize(line)
    return bool(LAST_LINE.match(line)) or (bare in ours and len(bare) > 12 and " " in bare)


def _is_old(lines: Sequence[BodyLine], place: int, ours: Collection[str], names: Sequence[str]) -> bool:
    """Return whether a line among or below quoted ones is itself quoted: marked, or the wrapped end of one."""
    line = lines[place]
    if (
        line.quoted
        or _is_ours(line.text, ours)
        or _normalize(line.text) in ours
        or _count_attribution(lines, place, names)
    ):
        return True
    before = lines[place - 1] if place else BodyLine("")
    follows = lines[place + 1] if place + 1 < len(lines) else BodyLine("")
    is_whole = _normalize(before.text.lstrip("> ")) in ours
    room = MIN_WRAPPED_LETTERS - len(line.text.split(" ", maxsplit=1)[0])
    wrapped = before.quoted and not is_whole and len(before.text) >= room
    return bool(line.text) and wrapped and (follows.quoted or not follows.text)


# --- greetings and signatures ------------------------------------------------------


def _ends_text(line: str) -> bool:
    """Return whether a line ends what was written: a signature's mark, a mail program's own line, a greeting."""
    if SIGNATURE.match(line):
        return True
    if len(line) <= 160 and PRODUCTS.search(line) and not line[:1].isdigit():
        return True
    return len(line) <= 120 and bool(SENT.search(line) or GREETING.match(line)) and not _is_order(line)


def _is_order(line: str) -> bool:
    """Return whether a line begins as an order would: "best" and "ty" are greetings too."""
    first, *rest = (part.strip() for part in re.split("[,;]", line.casefold().lstrip(" -–•*")))
    if _BEST.match(line):  # "best n pay", "beste Fahrt"
        return True
    is_first = first in list_vocabulary() or first.startswith(("best run", "best and ", "best then "))
    return (is_first and all(part.split(" ")[0] in list_vocabulary() for part in rest if part)) or _lists_orders(line)


def _lists_orders(line: str) -> bool:
    """Return whether a line that could be a salutation or a closing lists moves: "beste, zahlen, kein Zug"."""
    orders = split_orders([line])
    return len(orders) > 1 and all(order.split(" ")[0] in list_vocabulary() or order == "keep" for order in orders)


def _opens(line: str) -> bool:
    """Return whether a line is a salutation or a banner."""
    return OPENING.match(line) is not None and not _lists_orders(line) and not _BEST.match(line)


def _says_more(line: str) -> bool:
    """Return whether a line that begins like a salutation may say more than "Hi Bob,": "Liever niet, bedankt"."""
    return len(line.split()) > 2


def _cut_closing(lines: Sequence[str], writer: Collection[str]) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    """Return lines up to the closing or signature, without the salutation; the closings above and all left out below.

    The initial of the writer is a signature below a closing, and below a number.
    """
    found: list[str] = []
    above: list[str] = []
    opened: list[str] = []
    signed: Sequence[str] = ()
    lines = ["" if RULE.match(line) else line for line in lines]
    for place, line in enumerate(lines):
        rest = [each for each in lines[place + 1 :] if each]
        is_word = any(found) and " " not in line  # "Best" with a name below, or alone at the end
        signs = (line.endswith(",") or (is_word and rest)) and GREETING.match(line) and _is_signed(rest, writer)
        ends = (signs or _ends_text(line)) and not (GREETING.match(line) and not any(found) and OPENING.match(line))
        if ends and not any(found) and GREETING.match(line) and not SIGNATURE.match(line):
            above.append(line)
            continue
        is_last = line.endswith(",") or (is_word and not rest)
        if ends or (any(found) and not found[-1] and GREETING.match(line) and is_last):
            signed = lines[place:]
            break
        if not any(found) and _opens(line):
            opened.append(line)
            continue
        found.append(line)
    kept = _drop_closing(found, writer)
    if not any(kept):
        kept = [line for line in opened if _says_more(line)]
    card = next((at for at, line in enumerate(signed) if SIGNATURE.match(line)), len(signed))
    initials = {word[:1] for word in writer}
    is_number = bool(kept) and kept[0][:1].isdigit()  # so that a letter is no other choice
    below = [
        line
        for line in (*found[len(kept) :], *signed[:card])
        if line.casefold().strip(" .-–—") not in initials or (not is_number and line not in signed)
    ]
    return kept, tuple(above), tuple(below)


def _is_signed(rest: Sequence[str], writer: Collection[str]) -> bool:
    """Return whether nothing but a name follows a closing that might be an order too."""
    return not rest or (len(rest) == 1 and _is_name(rest[0], writer))


def _is_initialled(line: str) -> bool:
    """Return whether a line is a name that begins with initials: "A. Alder", "A.B."."""
    return bool(_INITIALLED.match(line)) and not _split_words(line) & list_vocabulary()


def _drop_closing(lines: list[str], writer: Collection[str]) -> list[str]:
    """Drop a later paragraph that closes the mail, with what stands below it: a name, a wish, a clause of an office."""
    places = [at for at in range(1, len(lines)) if lines[at] and not lines[at - 1]]
    for at in places:
        after = lines[at + 1] if at + 1 < len(lines) else ""
        if any(lines[:at]) and _closes(lines[at], after, writer):
            return lines[:at]
    filled = [at for at in range(len(lines)) if lines[at]]
    last = lines[filled[-1]] if filled else ""
    if len(filled) > 1 and _is_initialled(last):
        return lines[: filled[-1]]
    could_order = len(last.strip(" .")) == 1 or bool(_split_words(last) & list_vocabulary())  # May Pass, or a letter
    signs = bool(_split_words(last)) and _split_words(last) <= set(writer) and (len(filled) > 1 or not could_order)
    if filled and not signs:
        lines = [*lines[: filled[-1]], _cut_name(last, writer), *lines[filled[-1] + 1 :]]
    return lines[: filled[-1]] if signs else lines


def _cut_name(line: str, writer: Collection[str]) -> str:
    """Return a line without the writer's name behind it: "2, Ann", "pass - Bob"; "A. Alder" is a name only."""
    signed = _SIGNED.match(line)
    if signed is None or (len(signed[1]) == 1 and signed[1].isalpha()):
        return line
    words = _split_words(signed[2])
    return signed[1] if words <= set(writer) and not words & list_vocabulary() else line


def _closes(line: str, after: str, writer: Collection[str]) -> bool:
    """Return whether a paragraph of these first two lines closes the mail; a name below words does in any language."""
    if line[:1].isdigit() or _split_words(line.split(" ", maxsplit=1)[0]) & list_vocabulary():
        return False
    if _is_name(line, writer) or (CONFIDENTIAL.search(line) and len(line) > MAX_CLOSING_LETTERS):
        return True
    first, second, *_ = *(word.casefold().strip(".,|") for word in line.split()), "", ""
    if second and {first, second} <= set(writer):
        return True
    is_short = len(line) <= MAX_CLOSING_LETTERS and not any(letter.isdigit() for letter in line)
    return is_short and bool(WISH.match(line) or (after and _is_name(after, writer)))


def _split_words(line: str) -> set[str]:
    return {word.casefold().strip(".,-–—/~") for word in line.split()} - {""}


def _is_name(line: str, writer: Collection[str]) -> bool:
    words = [word for word in line.lstrip("/").strip(" -–—~,.").split() if word.casefold() not in PARTICLES]
    if (line.startswith("/") and not line[1:2].isupper()) or line.endswith(("!", "?", "…")):
        return False
    if not 1 <= len(words) <= 4 or any(letter.isdigit() for letter in line):
        return False
    folded = _split_words(line)
    if folded <= set(writer):
        return True
    if folded & list_vocabulary():
        return False
    foreign = not line.isascii() and all(letter.isalpha() or letter in " .-" for letter in line) and len(line) <= 24
    return foreign or all(word[:1].isupper() for word in words)


def _split_paragraphs(lines: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    found: list[list[str]] = [[]]
    for line in lines:
        text = " ".join(line.split())
        if text:
            found[-1].append(text)
        elif found[-1]:
            found.append([])
    return tuple(tuple(paragraph) for paragraph in found if paragraph)
