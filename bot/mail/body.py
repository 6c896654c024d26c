"""From the bytes of a mail to the text that its writer saw: parts, character sets, flowed lines, HTML.

Nothing here trusts the mail: sizes are capped before anything is looked at.
"""

import email
import re
from email.message import Message
from email.policy import compat32
from html import unescape
from typing import Any

from lxml import etree, html

from engine import Record

MAX_BYTES = 1 << 20
TOO_LARGE = "Your e-mail is larger than 1 MB. Send only the text, without attachments."
MAX_PARTS = 20
MAX_LINES = 20_000
"""Of a mail; an attachment of 1 MB has 14,000. Each is looked at once for every part that is open."""
MAX_MULTIPARTS = 20
"""Parts that hold parts, one in the other or not, those of a quoted mail included."""
MAX_HTML_LETTERS = 1 << 18
MAX_HTML_TAGS = 6000
"""What follows is not looked at: a page of 6,000 tags is a hundred of our letters."""
MAX_TEXT_LETTERS = 1 << 14
MAX_HEAD_BYTES = 1 << 16
MAX_FIELD_BYTES = 1 << 13
"""Of a field "Content-…", which every part may have: the time that Python takes to read one grows with its square."""
MAX_REPORT_BLOCKS = 2000
MAX_LINE_LETTERS = 2000
"""Characters of a line that are looked at: the time that some patterns take grows with its square."""

_INVISIBLE = re.compile("[\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u20e3\ufe0e\ufe0f\u00ad]")
_BLANKS = dict.fromkeys((0x3000, 0xA0, 0x202F, 0x2007, 0x2009), " ")
_PLAIN_SIGNS = {**_BLANKS, **{0xFF01 + n: chr(0x21 + n) for n in range(94)}}
_PLAIN_SIGNS.update({0x2460 + n: str(n + 1) for n in range(9)})
_PLAIN_SIGNS.update({zero + n: str(n) for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50) for n in range(10)})
_UNSEEN_TAGS = ("head", "script", "style", "title", "template", "noscript", "del", "s", "strike")
"""What is struck out is not meant any more."""
_BLOCKS = frozenset(
    (
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "td", "tr", "ul",
    )
)  # fmt: skip
_QUOTED = (
    "gmail_quote", "gmail_quote_container", "gmail_attr", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix",
    "zmail_extra", "tutanota_quote", "gmail_signature", "moz-signature", "protonmail_signature_block", "ydp-signature",
)  # fmt: skip
_QUOTED_NAMES = ("quote", "quoted-content", "x_quote")
_REST_IDS = (
    "divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container", "reply-intro", "stopSpelling",
    "x_divRplyFwdMsg", "OLK_SRC_BODY_SECTION", "isForwardContent", "isReplyContent", "composer_signature_quote",
)  # fmt: skip
_SIGNATURES = ("ms-outlook-mobile-signature", "Signature", "AppleMailSignature", "signature", "composer_signature")
_NO_CHARSETS = frozenset(("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"))
_CONTROL_SIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MARK = re.compile(r">+")
_CONTENT_FIELD = re.compile(rb"^content-[a-z-]{1,40}:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_INITIALS = re.compile(r"[^\W\d_]{1,3}>\s?")
"""The Bat! and others mark a quote by the initials of whom it quotes: "S> "."""


class UnreadableError(Exception):
    """A mail that is not read; the message says why, for the person who sent it."""


class BodyLine(Record, frozen=True):
    """A line of the text; ``quoted`` if the mail says so itself, by ``>`` or by its HTML."""

    text: str
    quoted: bool = False


def parse_mail(data: bytes) -> Message:
    """Return a mail with its parts.

    Raises:
        UnreadableError: it is too large, or has too many parts, or too long fields.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableError(TOO_LARGE)
    if data.count(b"\n--") > 40 * MAX_PARTS:  # a part has two such lines, a quoted mail some more
        raise UnreadableError("Your e-mail has too many parts. Send it as plain text.")
    if data.lower().count(b"multipart/") > MAX_MULTIPARTS:
        raise UnreadableError("Your e-mail has too many parts. Send it as plain text.")
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if lines.count(b"\n") > MAX_LINES:
        raise UnreadableError(
            f"Your e-mail has more than {MAX_LINES:,} lines. Send only the text, without attachments."
        )
    if len(lines.partition(b"\n\n")[0]) > MAX_HEAD_BYTES:
        raise UnreadableError("The header of your e-mail is too long. Send it as plain text.")
    if any(len(field[0]) > MAX_FIELD_BYTES for field in _CONTENT_FIELD.finditer(lines)):
        raise UnreadableError("Part of your e-mail has too long a header. Send it as plain text.")
    if b"message/delivery-status" in lines.lower() and lines.count(b"\n\n") > MAX_REPORT_BLOCKS:
        raise UnreadableError("The report in your e-mail has too many parts. Send only the text.")
    try:
        return email.message_from_bytes(data, policy=compat32)
    except (RecursionError, ValueError, LookupError) as error:
        raise UnreadableError("I can't read the format of your e-mail. Send it as plain text.") from error


def read_lines(message: Message) -> list[BodyLine]:
    """Return what the writer saw, line by line: the text part, else the HTML part.

    Raises:
        UnreadableError: it has too many parts, or no text.
    """
    plain, rich = _find_text_parts(message)
    if plain is not None:
        lines = _read_plain(plain)
        if rich is None or any(line.text for line in lines):
            return lines
    if rich is None:
        raise UnreadableError("Your e-mail contains no text. Write your reply in the e-mail itself.")
    return _read_rich("<".join(_decode(rich)[:MAX_HTML_LETTERS].split("<", MAX_HTML_TAGS + 1)[: MAX_HTML_TAGS + 1]))


def _find_text_parts(message: Message) -> tuple[Message | None, Message | None]:
    """Return the first text part and the first HTML part that are no attachments."""
    found: dict[str, Message] = {}
    try:
        for count, part in enumerate(message.walk()):
            if count >= MAX_PARTS:
                raise UnreadableError("Your e-mail has too many parts. Send it as plain text.")
            if not part.is_multipart() and part.get_content_disposition() != "attachment":
                found.setdefault(part.get_content_type(), part)
    except RecursionError as error:
        raise UnreadableError("I can't read the format of your e-mail. Send it as plain text.") from error
    return found.get("text/plain"), found.get("text/html")


def find_attached_file(message: Message) -> bytes:
    """Return the first attached file that may hold a game, by its kind or name; b"" if there is none."""
    for count, part in enumerate(message.walk()):
        if count >= MAX_PARTS:
            break
        name = str(part.get_filename() or "")
        data = part.get_payload(decode=True) if not part.is_multipart() else None
        if isinstance(data, bytes) and (name.lower().endswith(".json") or part.get_content_subtype() == "json"):
            return data
    return b""


def _decode(part: Message) -> str:
    """Return the text of a part, whatever its character set claims to be."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = (part.get_content_charset() or "utf-8").lower()
    charset = {"gb2312": "gb18030", "gbk": "gb18030", "us-ascii": "utf-8", "ascii": "utf-8"}.get(charset, charset)
    for name in (charset, "utf-8") if is_text_charset(charset) else ("utf-8",):
        try:
            return data.decode(name)
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("latin-1")


def is_text_charset(name: str) -> bool:
    """Return whether a character set is one of texts: Python knows others, some of which take quadratic time."""
    return name.replace("_", "-") not in _NO_CHARSETS


def _read_plain(part: Message) -> list[BodyLine]:
    """Return the lines of a text part, with flowed ones put together again."""
    text = _drop_armour(_decode(part)[: 4 * MAX_TEXT_LETTERS].replace("\r\n", "\n").replace("\r", "\n"))
    if "&nbsp;" in text:  # some programs make their text of HTML, and leave its signs in it
        text = unescape(text)
    said = part.get_param("format")
    flowed = isinstance(said, str) and said.lower() == "flowed"
    joins = part.get_param("delsp")
    lines = _unflow(text, drops=isinstance(joins, str) and joins.lower() == "yes") if flowed else _mark_quotes(text)
    return _cap_lines(lines)


def _drop_armour(text: str) -> str:
    """Return a text that is signed by PGP in the mail itself without what was put around it."""
    before, begins, rest = text.partition("-----BEGIN PGP SIGNED MESSAGE-----\n")
    if not begins or before.strip():
        return text
    _, _, signed = rest.partition("\n\n")  # behind "Hash: …"
    said, _, after = signed.partition("\n-----BEGIN PGP SIGNATURE-----\n")
    lines = [line.removeprefix("- ") if line.startswith("- -") else line for line in said.split("\n")]
    return "\n".join(lines) + after.partition("-----END PGP SIGNATURE-----")[2]


def _mark_quotes(text: str) -> list[BodyLine]:
    found = []
    for raw in text.split("\n"):
        line = clean_line(raw)
        marked = line.lstrip().startswith((">", "|", "¦", "＞")) and line.strip() not in ("|", "||")
        quoted = marked or _INITIALS.match(line) is not None
        found.append(BodyLine(line.strip(), quoted))
    return found


def _unflow(text: str, *, drops: bool) -> list[BodyLine]:
    """Undo format=flowed (RFC 3676): a line that ends with a blank goes on; a stuffed blank is no quote."""
    found: list[BodyLine] = []
    begun: list[str] = []
    depth = 0

    def end() -> None:
        if begun:
            found.append(BodyLine(clean_line("".join(begun)).strip(), depth > 0))
            begun.clear()

    for raw in text.split("\n"):
        mark = _MARK.match(raw)
        if (len(mark[0]) if mark else 0) != depth:
            end()
            depth = len(mark[0]) if mark else 0
        rest = raw[depth:].removeprefix(" ")
        goes_on = rest.endswith(" ") and rest != "-- "
        begun.append(rest[:-1] if goes_on and drops else rest)
        if not goes_on:
            end()
    end()
    return found


def clean_line(line: str) -> str:
    """Return a line without what no one sees, with digits and blanks of all scripts as plain ones."""
    line = _INVISIBLE.sub("", line).translate(_PLAIN_SIGNS)
    return line if line.isprintable() else "".join(letter if letter.isprintable() else " " for letter in line)


def _cap_lines(lines: list[BodyLine]) -> list[BodyLine]:
    room, found = MAX_TEXT_LETTERS, []
    for line in lines:
        text = line.text[:MAX_LINE_LETTERS]
        room -= len(text) + 1
        if room < 0:
            break
        found.append(BodyLine(text, line.quoted))
    return found


def _read_rich(text: str) -> list[BodyLine]:
    """Return the lines of an HTML part; what its quotes hold is marked as quoted, or left out."""
    try:
        tree = html.document_fromstring(text, parser=html.HTMLParser(huge_tree=False, remove_comments=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        if "<?xml" in text[:100]:
            return _read_rich(text.partition("?>")[2])
        return []
    _drop_control_signs(tree)
    _cut_quotes(tree)
    found: list[BodyLine] = []
    begun: list[str] = []
    depth = 0

    def end() -> None:
        line = " ".join(clean_line("".join(begun)).split())
        found.append(BodyLine(line, depth > 0))
        begun.clear()

    for event, element in etree.iterwalk(tree, events=("start", "end", "comment", "pi")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if tag in _BLOCKS:
                end()
            depth += tag == "blockquote"
            begun.append(element.text or "")
        elif event == "end":
            if tag in _BLOCKS and tag != "br":
                end()
            depth -= tag == "blockquote"
            begun.append(element.tail or "")
        else:
            begun.append(element.tail or "")
    end()
    return _cap_lines([line for at, line in enumerate(found) if line.text or (at and found[at - 1].text)])


def _drop_control_signs(tree: Any) -> None:  # noqa: ANN401  # lxml brings no types
    """Take out of a page what may be read but not written, so that parts of it can be moved."""
    for element in tree.iter():
        if element.text and _CONTROL_SIGN.search(element.text):
            element.text = _CONTROL_SIGN.sub("", element.text)
        if element.tail and _CONTROL_SIGN.search(element.tail):
            element.tail = _CONTROL_SIGN.sub("", element.tail)


def _cut_quotes(tree: Any) -> None:  # noqa: ANN401  # lxml brings no types
    """Take out of a page what mail programs mark as the mail before, as a signature, or as unseen."""
    for element in [each for each in tree.iter() if isinstance(each.tag, str) and _is_left_out(each)]:
        if element.getparent() is not None:
            element.tail = f"\n{element.tail or ''}"  # what follows it stays
            element.drop_tree()
    first = next((each for each in tree.iter() if isinstance(each.tag, str) and _begins_the_rest(each)), None)
    here = first
    while here is not None and (parent := here.getparent()) is not None:
        for later in list(here.itersiblings()):
            parent.remove(later)
        here.tail = None
        if here is first:
            parent.remove(first)
        here = parent


def _is_left_out(element: Any) -> bool:  # noqa: ANN401
    if element.tag in _UNSEEN_TAGS or "line-through" in (element.get("style") or "").lower():
        return True
    classes = (element.get("class") or "").split()
    if any(name in _QUOTED for name in classes):
        blocks = element.tag == "blockquote" or element.find("blockquote") is not None
        return not ("gmail_quote" in classes and blocks)  # Gmail quotes block by block: an answer may stand between
    return (element.get("name") or "") in _QUOTED_NAMES or (element.get("id") or "") in _SIGNATURES


def _begins_the_rest(element: Any) -> bool:  # noqa: ANN401
    if (element.get("id") or "") in _REST_IDS:
        return True
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.tag == "div" and "border-top:solid#" in style and "border:none" in style
