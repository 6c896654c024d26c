"""What a letter says, as text and as HTML, and the mail made of it."""

from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate
from functools import cache, partial
from mimetypes import guess_type
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.reply import OUR_NAME
from bot.model.letters import Contact
from engine import Record

MAX_PICTURE_BYTES = 600_000
MAX_LINE_LETTERS = 140
_MORE = "map · market · log · why bid 5 · undo · games · remind quiet_from:22 quiet_to:8 · away 5 · stop"
FOOTER = f"Reply with a choice or in words; you can list several moves: best, pay, no train. Also: help · {_MORE}"
WAITING_FOOTER = f"You can reply: help · to all: hello · {_MORE}"
OVER_FOOTER = "You can reply: report · log · games · to all: hello · stop"
LOBBY_FOOTER = "You can reply: help · games · remind quiet_from:22 quiet_to:8 · away 5 · stop"
"""Where nothing is asked: of others' turns, a finished game, and a table that hasn't begun."""


class MarkedChoice(Record, frozen=True):
    """A marked choice; ``link`` answers with it at a touch."""

    mark: str
    label: str
    link: str = ""


class Section(Record, frozen=True):
    """What another table asks in the same letter; its choices are marked by the table's number too: "#8 1"."""

    game: int
    version: int
    turn: int
    subject: str
    headline: str
    lines: tuple[str, ...]
    choices: tuple[MarkedChoice, ...]


class Page(Record, frozen=True):
    """A letter, complete in words.

    Args:
        subject: how things stand. first: the line a locked phone shows.
        answers: what became of the orders it answers. headline, lines: what is asked.
        since: what happened. picture: name of the picture beside it, with its words in ``alt``.
        last: the last line, by which a reply's quote is known. others: what other tables ask.
        board: address of the table's page as it is now.
    """

    subject: str
    first: str
    answers: tuple[str, ...] = ()
    headline: str = ""
    lines: tuple[str, ...] = ()
    choices: tuple[MarkedChoice, ...] = ()
    examples: tuple[str, ...] = ()
    since: tuple[str, ...] = ()
    picture: str = ""
    alt: str = ""
    footer: str = FOOTER
    last: str = ""
    others: tuple[Section, ...] = ()
    board: str = ""


class Envelope(Record, frozen=True):
    """From where to where a mail goes, and what it belongs to; ``turn`` as in a ``ReplyToken``."""

    post: OwnMailbox
    to: Contact
    game: int
    letter: int
    follows: str = ""
    turn: int | None = None

    @property
    def token(self) -> ReplyToken:
        """Whom it goes to, about which turn."""
        return ReplyToken(self.game, self.to.id, self.to.epoch, self.turn)

    @property
    def stops_at(self) -> str:
        """Where one press ends all mails; "" where only a mail does."""
        return self.post.make_stop_link(ReplyToken(self.game, self.to.id, self.to.epoch))


def write_text(page: Page) -> str:
    """Return the text part: all that the mail says."""
    lines = [] if page.answers else [page.first, ""]
    lines += page.answers
    if page.headline:
        lines += [*([""] if page.answers else []), page.headline]
    lines += page.lines
    if page.choices:
        lines += ["", *(f"{choice.mark}  {choice.label}" for choice in page.choices)]
    if page.examples:
        lines += ["", f"Or in words: {' · '.join(page.examples)}"]
    for other in page.others:
        lines += ["", other.headline, *other.lines]
        lines += ["", *(f"{choice.mark}  {choice.label}" for choice in other.choices)]
    if page.alt:
        lines += ["", page.alt]
    if page.since:
        lines += ["", "Since your last turn:", *page.since]
    if page.board:
        lines += ["", f"Board: {page.board}"]
    lines += ["", page.footer, "", page.last]
    return "\n".join(lines) + "\n"


@cache
def _load_template() -> Template:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("letter.html")


def _link_page(page: Page, envelope: Envelope, version: int | None) -> Page:
    """Return a page whose choices answer at a touch.

    Such an answer does not say what it replies to, so its words do; without a ``version`` the choice is a word that
    says enough, as "yes". What another table asks is answered to that table.
    """
    others = []
    for other in page.others:
        there = msgspec.structs.replace(envelope, game=other.game, turn=other.turn)
        choices = _link_choices(other.choices, there, other.subject, other.version)
        others.append(msgspec.structs.replace(other, choices=choices))
    choices = _link_choices(page.choices, envelope, page.subject, version)
    return msgspec.structs.replace(page, choices=choices, others=tuple(others))


def _link_choices(
    choices: Sequence[MarkedChoice], envelope: Envelope, subject: str, version: int | None
) -> tuple[MarkedChoice, ...]:
    turn = "" if version is None else f" (turn {version})"
    link = partial(envelope.post.make_mailto, envelope.token, f"Re: {subject}")
    links = [link(each.mark.split()[-1] + turn) for each in choices]
    return tuple(MarkedChoice(each.mark, each.label, link) for each, link in zip(choices, links, strict=True))


def make_mail(
    page: Page,
    envelope: Envelope,
    picture: bytes = b"",
    version: int | None = None,
    file: tuple[str, bytes] = ("", b""),
) -> EmailMessage:
    """Return the mail of a page, with its picture inside it; nothing is fetched from anywhere.

    Args:
        page: what it says.
        envelope: whom it says it to.
        picture: as PNG.
        version: of the position that its choices are for.
        file: its name, and what is in it; "" for none.
    """
    post = envelope.post
    mail = EmailMessage()
    mail["From"] = Address(OUR_NAME, addr_spec=post.address)
    mail["To"] = envelope.to.address
    mail["Subject"] = join_lines(page.subject)
    mail["Date"] = formatdate(localtime=False)
    name = post.format_message_id(envelope.letter, envelope.token)
    mail["Message-ID"] = name
    mail["In-Reply-To"] = envelope.follows or post.format_thread_id(envelope.game)
    mail["References"] = " ".join(filter(None, (post.format_thread_id(envelope.game), envelope.follows, name)))
    mail["Reply-To"] = Address(OUR_NAME, addr_spec=post.make_reply_address(envelope.token))
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    by_mail = f"<{post.make_mailto(envelope.token, 'stop')}>"
    mail["List-Unsubscribe"] = f"<{envelope.stops_at}>, {by_mail}" if envelope.stops_at else by_mail
    if envelope.stops_at:
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(write_text(page), cte="quoted-printable")
    rich_page = _load_template().render(letter=_link_page(page, envelope, version))
    mail.add_alternative(rich_page, subtype="html", cte="quoted-printable")
    if picture and page.picture:
        rich = mail.get_payload()[1]  # type: ignore[index]
        rich.add_related(picture, "image", "png", cid=f"<{page.picture}>", filename="map.png", disposition="inline")  # type: ignore[union-attr]
    if file[0]:
        kind, _, subkind = (guess_type(file[0])[0] or "application/octet-stream").partition("/")
        mail.add_attachment(file[1], kind, subkind, filename=file[0])
    return mail


def join_lines(text: str) -> str:
    """Return text that is safe in a header: one line, without marks of direction."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:MAX_LINE_LETTERS]
