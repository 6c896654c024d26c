"""A turn mail, and replies to it as mail programs write them; all made here, none is a captured mail."""

from collections.abc import Collection
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from bot.mail.body import UnreadableError, parse_mail
from bot.mail.reply import ReadReply, read_message

ADDRESS = "turns+7.ann.q5xk3v9m2c7h4d8s@games.example"
NAMED = f"Stationmaster <{ADDRESS}>"
TURN = (
    "OR 4.1, IoWR runs: 1 best 210 · 2 without Cowes · 3 none",
    "",
    "1  Best run 210 (3+2 F2-F4-G5, 2+1 J6-H4)",
    "2  Run 180 without Cowes",
    "3  No run",
    "Other words: run, for instance: run trains 3+2",
    "",
    "IoWR treasury £120, trains 3+2 2+1, price £67",
    "FYN treasury £40, train 2+1, price £54",
    "",
    "Table #7 “Wight Nights”, 1860, version 187",
)
MARKED = "\n".join(f"> {line}".rstrip() for line in TURN)
PLAIN = "\n".join(TURN)
HTML = "".join(f"<div>{line or '<br>'}</div>" for line in TURN)


def mail(text: str, html: str = "", *, sender: str = "Ann Alder <ann@home.example>", kind: str = "utf-8") -> bytes:
    """Return a reply as bytes: its text part, its HTML part, or both."""
    parts = [MIMEText(text, "plain", kind)] if text else []
    parts += [MIMEText(html, "html", kind)] if html else []
    whole = parts[0] if len(parts) == 1 else MIMEMultipart("alternative", _subparts=parts)
    whole["From"] = sender
    whole["To"] = NAMED
    whole["Subject"] = "Re: [1860 #7 Wight Nights] Your turn"
    whole["Message-ID"] = "<reply-1@home.example>"
    return whole.as_bytes()


def read_reply(data: bytes, sent: Collection[str] = ()) -> ReadReply:
    """Return what the writer of a mail meant; never raises for what a mail may hold."""
    try:
        return read_message(parse_mail(data), sent)
    except UnreadableError as error:
        return ReadReply(why=str(error))


def text_part(mail: EmailMessage) -> str:
    """Return the text part of a mail of ours."""
    part = mail.get_body(("plain",))
    return str(part.get_content()) if part is not None else ""
