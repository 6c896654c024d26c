"""Mails as strangers send them: heads, parts, replies, bounces, results of servers, made to be read."""

import base64
import quopri

from hypothesis import strategies as st

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.body import MAX_BYTES
from tests.fuzz.grammar import NASTY, PUMPS, any_text, mutate, mutate_bytes, pump

POST = OwnMailbox("turns@games.example", b"k" * 32)
TOKEN = ReplyToken(7, 3, 1)
SENT = ("What do you do? IWNJ operates.", "1  Lay 783 on Newchurch & Alverstone (I7)", "Table #7 · version 12")
"""Lines of ours that a reply may quote."""
LINES = (
    "1", "A", "2.", "#8 best", "bid 25", "pass", "best, pay, no train", "why bid 5", "stop", "yes", "away 5 on a boat",
    "remind quiet_from:22 quiet_to:8 zone:Europe/Berlin", "/act bid amount:20", "/me games", "snooze 4h",
    "code 123456", "Hi,",
    "Thanks!", "Best regards,", "Ann", "-- ", "________________________________", "-----Original Message-----",
    "On 22 Nov 2026, at 09:14, Stationmaster <turns@games.example> wrote:", "> 1  Lay 783", "From: Stationmaster",
    "Sent: Monday", "To: Ann", "Sent from my iPhone", "sell IOW 2; buy FYN", "no wait, 2", "I'd take number 2 then 🙂",
    "Table #7 · 1862 · version 12", "", "", "Reply above this line", "S> ok", *SENT,
)  # fmt: skip
CHARSETS = (
    "utf-8", "us-ascii", "iso-8859-1", "utf-16", "utf-32", "utf-7", "gb2312", "iso-2022-jp", "hz", "big5hkscs",
    "punycode",
    "idna", "unicode_escape", "raw_unicode_escape", "undefined", "rot13", "zlib", "base64", "utf-8-sig", "charmap",
    "x", "",
)  # fmt: skip
KINDS = (
    "text/plain",
    "text/plain; format=flowed",
    "text/plain; format=flowed; delsp=yes",
    "text/html",
    "application/pdf",
)
TAGS = (
    "<p>", "</p>", "<br>", "<div>", "</div>", '<div class="gmail_quote">', "<blockquote>", "</blockquote>", "<style>",
    "</style>",
    "<style></style>", "<table><tr><td>", '<p id="Signature">', '<a name="quote">', '<div id="appendonsend">', "<b>",
    "<!--", "-->",
    "<?xml ?>", "<![CDATA[", "&nbsp;", "&#0;", "&#x110000;", "<svg>", "<li>", "<hr>", "<script>", "</script>",
    "<title>", "1", "pass",
    '<div style="border:none;border-top:solid #ccc 1px">',
)  # fmt: skip
RESULTS = (
    "mx.games.example; dmarc=pass header.from=home.example",
    "mx.games.example 1; dmarc=pass (p=none) header.from=home.example",
    "mx.games.example; spf=pass smtp.mailfrom=a@b; dmarc=pass header.from=home.example",
    "mx.games.example; none",
)  # fmt: skip


def lines() -> st.SearchStrategy[str]:
    """Return lines as people and mail programs write them, and as no one would."""
    one = st.sampled_from(LINES)
    return st.one_of(one, one, mutate(one), pump(2200, st.just("")), any_text(200))


def texts() -> st.SearchStrategy[str]:
    """Return texts of replies."""
    return st.lists(lines(), max_size=12).map("\n".join) | pump(70_000, lines())


def pages() -> st.SearchStrategy[str]:
    """Return HTML, well formed by chance only."""
    some = st.lists(st.sampled_from(TAGS) | lines(), max_size=25).map("".join)
    tag = st.sampled_from(TAGS)
    many = st.tuples(tag, tag, st.sampled_from((50, 3000, 40_000))).map(lambda drawn: (drawn[0] + drawn[1]) * drawn[2])
    return some | many | st.tuples(some, many).map("".join)


@st.composite
def addresses(draw: st.DrawFn) -> str:
    """Draw what may stand in From, To and their like."""
    own = POST.make_reply_address(TOKEN)
    plain = st.sampled_from(
        ("ann@home.example", "Ann <ann@home.example>", own, f"Stationmaster <{own}>", POST.make_bounce_address(9),
         "MAILER-DAEMON@b.example", "a@b, c@d", "(a) b@c", '"a\\"b" <a@b>', "g: a@b, c@d;", "<@a,@b:c@d>", "")
    )  # fmt: skip
    return draw(st.one_of(plain, plain, mutate(plain), pump(draw(st.sampled_from((300, 8000, 60_000))), plain)))


def _fold(text: str) -> bytes:
    """Return a value of a header on one line."""
    return text.replace("\r", " ").replace("\n", " ").encode("utf-8", "surrogatepass")


@st.composite
def heads(draw: st.DrawFn) -> bytes:
    """Draw the head of a mail."""
    names = st.sampled_from(("From", "To", "Cc", "Delivered-To", "Reply-To", "Return-Path", "From", "To"))
    found = [(draw(names), draw(addresses())) for _ in range(draw(st.integers(0, 3)))]
    references = f"{POST.format_thread_id(7)} {POST.format_message_id(12, TOKEN)}"
    subjects = (
        "Re: [1862 #7] Your turn",
        "stop",
        "Out of office",
        "=?utf-8?q?=C3=A9?=",
        "=?punycode?q?bcd?=",
        "=?x?b?!?=",
    )
    encoded = st.tuples(st.sampled_from(CHARSETS), st.sampled_from("qb"), st.sampled_from(PUMPS)).map(
        lambda drawn: f"=?{drawn[0]}?{drawn[1]}?{drawn[2] * 3000}?="
    )
    subject = draw(st.sampled_from(subjects) | mutate(st.sampled_from(subjects)) | pump(60_000, st.just("")) | encoded)
    found += [("Subject", subject)]
    if draw(st.booleans()):
        found += [
            ("From", "Ann <ann@home.example>"),
            ("To", POST.make_reply_address(TOKEN)),
            ("In-Reply-To", references),
        ]
    fields = (
        ("Auto-Submitted", "auto-replied"), ("Precedence", "bulk"), ("List-Id", "x"), ("Message-ID", "<a@b>"),
        ("Message-ID", POST.format_message_id(12, TOKEN)), ("References", references * 400), ("Return-Path", "<>"),
        ("Authentication-Results", RESULTS[0]), ("Content-Transfer-Encoding", "base64"), ("Content-Type",
         "text/html; charset=x"),
        ("Content-Type", "multipart/report; report-type=delivery-status; boundary=b"), ("X-Loop", "1"),
        ("Content-Type", 'multipart/report; report-type="feedback-report"; boundary=b'), ("X", draw(any_text(200))),
    )  # fmt: skip
    found += draw(st.lists(st.sampled_from(fields), max_size=3))
    return b"".join(name.encode() + b": " + _fold(value) + b"\r\n" for name, value in draw(st.permutations(found)))


@st.composite
def parts(draw: st.DrawFn, depth: int = 0) -> bytes:
    """Draw a part with its own head: a text, a page, a report, or several parts."""
    kind = draw(st.sampled_from((*KINDS, *KINDS, "multipart", "report", "nested")))
    if kind == "nested":
        count, rest = (
            draw(st.sampled_from((3, 25, 300))),
            draw(st.sampled_from((b"x\n" * 10, b"x\n" * 200_000, b"\n" * 50_000))),
        )
        opened = [b"Content-Type: multipart/mixed; boundary=n%d\n\n--n%d\n" % (level, level) for level in range(count)]
        return (b"".join(opened) + b"\n" + rest)[: MAX_BYTES - 3000]
    if kind == "report":
        status = draw(st.sampled_from(("5.1.1", "4.2.2", "5.7.1", "5.2.2", "9.9.9", "5.1")))
        quoted = f"Message-ID: {POST.format_message_id(12, TOKEN)}\n\n"
        return f"Content-Type: message/delivery-status\n\nAction: failed\n\nStatus: {status}\n\n{quoted}".encode()
    if kind == "multipart" and depth < 4:
        inside = [draw(parts(depth + 1)) for _ in range(draw(st.integers(0, 3)))]
        bound = f"b{depth}"
        body = b"".join(b"--" + bound.encode() + b"\n" + each + b"\n" for each in inside)
        return f"Content-Type: multipart/alternative; boundary={bound}\n\n".encode() + body + f"--{bound}--\n".encode()
    charset, coding = (
        draw(st.sampled_from(CHARSETS)),
        draw(st.sampled_from(("7bit", "base64", "quoted-printable", "x-uuencode"))),
    )
    text = draw(pages() if kind == "text/html" else texts())
    try:
        data = text.encode(charset or "utf-8", "ignore")
    except (LookupError, UnicodeError):
        data = text.encode("utf-8", "surrogatepass")
    if coding == "base64":
        data = base64.encodebytes(data)
    elif coding == "quoted-printable":
        data = quopri.encodestring(data)
    head = f"Content-Type: {kind}; charset={charset}\nContent-Transfer-Encoding: {coding}\n"
    return head.encode() + b"\n" + data


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """Draw a mail."""
    head, body = draw(heads()), draw(parts())
    whole = head + body
    if draw(st.integers(0, 9)) == 0:
        piece = draw(st.sampled_from(PUMPS) | st.sampled_from(NASTY)).encode("utf-8", "surrogatepass")
        whole += piece * ((MAX_BYTES - len(whole)) // len(piece))
    if draw(st.integers(0, 4)) == 0:
        return draw(mutate_bytes(st.just(whole)))
    return whole
