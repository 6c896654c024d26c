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


def gmail(text: str) -> bytes:
    """The web page and the app: the answer on top."""
    return mail(f"{text}\n\nOn Sun, Nov 22, 2026 at 9:14 AM {NAMED} wrote:\n\n{MARKED}\n")


def gmail_html(text: str) -> bytes:
    """The same without a text part."""
    lines = "<br>".join(text.split("\n"))
    attribution = f'<div dir="ltr" class="gmail_attr">On Sun, Nov 22, 2026, {NAMED} wrote:<br></div>'.replace(
        "<turns", "&lt;turns"
    )
    return mail(
        "", f'<div dir="ltr">{lines}</div><div class="gmail_quote">{attribution}<blockquote>{HTML}</blockquote></div>'
    )


def outlook(text: str) -> bytes:
    """The program: a block of headers, nothing marked."""
    head = (
        f"From: {NAMED}\nSent: Sunday, November 22, 2026 9:14 AM\nTo: Ann Alder\nSubject: [1860 #7] OR 4.1: your turn"
    )
    return mail(f"{text}\n\n{'_' * 32}\n{head}\n\n{PLAIN}\n")


def outlook_de(text: str) -> bytes:
    """The same in German, with its own rule."""
    head = f"Von: {NAMED}\nGesendet: Sonntag, 22. November 2026 09:14\nAn: Ann Alder\nBetreff: [1860 #7] OR 4.1"
    return mail(f"{text}\n\n-----Ursprüngliche Nachricht-----\n{head}\n\n{PLAIN}\n")


def apple(text: str) -> bytes:
    """Mail on a Mac."""
    return mail(f"{text}\n\n> On 22. Nov 2026, at 09:14, {NAMED} wrote:\n> \n{MARKED}\n")


def iphone(text: str) -> bytes:
    """Mail on a phone, with its line."""
    return mail(f"{text}\n\nSent from my iPhone\n\n> On 22 Nov 2026, at 09:14, {NAMED} wrote:\n> \n{MARKED}\n")


def below(text: str) -> bytes:
    """Thunderbird and mutt: the answer under the quote."""
    return mail(f"On 22/11/2026 09:14, {NAMED} wrote:\n{MARKED}\n\n{text}\n")


def between(text: str) -> bytes:
    """The answer among the quoted lines."""
    lines = MARKED.split("\n")
    return mail("\n".join([f"Am 22.11.26 um 09:14 schrieb {NAMED}:", *lines[:4], "", text, "", *lines[4:]]))


def bare(text: str) -> bytes:
    """Nothing is quoted."""
    return mail(f"{text}\n")


def yahoo(text: str) -> bytes:
    """Yahoo on the web."""
    said = "On Sunday, November 22, 2026 at 09:14:02 AM GMT, Stationmaster <turns@games.example> wrote:"
    return mail(f"{text}\n\n    {said}  \n \n {PLAIN}\n")


def proton(text: str) -> bytes:
    """Proton, with its line."""
    said = f"On Sunday, November 22nd, 2026 at 9:14 AM, {NAMED} wrote:"
    return mail(f"{text}\n\nSent with Proton Mail secure email.\n\n{said}\n\n{MARKED}\n")


def samsung(text: str) -> bytes:
    """The app of Samsung's phones: nothing is marked."""
    head = f"From: {NAMED}\nDate: 22/11/2026 09:14 (GMT+00:00)\nTo: Ann Alder\nSubject: [1860 #7] OR 4.1: your turn"
    return mail(f"{text}\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\n{head}\n\n{PLAIN}\n")


def owa(text: str) -> bytes:
    """Outlook on the web, without a text part."""
    lines = "".join(f"<div>{line or '<br>'}</div>" for line in text.split("\n"))
    head = "<b>From:</b> Stationmaster<br><b>Sent:</b> Sunday, November 22, 2026 9:14 AM<br><b>To:</b> Ann Alder<br>"
    quote = f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr">{head}</div><div>{HTML}</div>'
    return mail("", f'<div class="elementToProof">{lines}</div>{quote}')


def gmx(text: str) -> bytes:
    """GMX and WEB.DE on the web."""
    head = f"Gesendet: Sonntag, 22. November 2026 um 09:14 Uhr\nVon: {NAMED}\nAn: ann@home.example\nBetreff: [1860 #7]"
    return mail(f"{text}\n\n\n{head}\n\n{PLAIN}\n")


def thunderbird(text: str) -> bytes:
    """Thunderbird writing HTML."""
    lines = "<br>".join(text.split("\n"))
    said = '<div class="moz-cite-prefix">Am 22.11.26 um 09:14 schrieb Stationmaster:<br></div>'
    return mail("", f'<html><body><p>{lines}</p>{said}<blockquote type="cite">{HTML}</blockquote></body></html>')
