"""A hundred replies as programs and people write them: none is played wrongly, few are asked back though clear.

All are constructed, in the forms of real programs; none is a captured mail.
"""

from collections.abc import Callable

import pytest

from bot.mail.commands import only_tells
from bot.mail.orders import read_mark, read_orders
from bot.mail.phrases import list_vocabulary
from tests.mail.letters import HTML, MARKED, NAMED, PLAIN, TURN, mail, read_reply

MAX_ASKED_BACK = 5
"""Replies of the hundred that are clear to a person, and asked back."""
Wrap = Callable[[str], bytes]
BANNER = (
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments\n"
    "unless you recognize the sender and know the content is safe.\n\n"
)
CLAUSE = (
    "This e-mail is confidential and intended only for the recipient named above. If you are not the "
    "intended recipient, please delete it."
)
SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n2\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAd\n=abcd\n"
    "-----END PGP SIGNATURE-----"
)


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


CLEAR: tuple[tuple[Wrap, str, tuple[str, ...]], ...] = (
    (gmail, "2", ("2",)),
    (gmail, "Two.", ("Two.",)),
    (gmail, "2.", ("2",)),
    (gmail, "(3)", ("(3)",)),
    (gmail, "#1", ("#1",)),
    (gmail, "Option 2", ("Option 2",)),
    (gmail, "2 please", ("2",)),
    (gmail, "I'll take 2, thanks", ("2",)),
    (gmail, "Let's go with 1.", ("1",)),
    (gmail, "2 👍", ("2",)),
    (gmail, "Hi,\n\n2\n\nBest,\nAnn", ("2",)),
    (gmail, "Nice move Bob!\n\n2", ("2",)),
    (gmail, "Haha, well played!\n\n1", ("1",)),
    (gmail, "best, pay, no train", ("best", "pay", "no train")),
    (gmail, "best\npay", ("best", "pay")),
    (gmail, "bid 25", ("bid 25",)),
    (gmail, "Bid 25.", ("Bid 25.",)),
    (gmail, "pass", ("pass",)),
    (gmail, "Pass!", ("Pass!",)),
    (gmail, "buy IOW", ("buy IOW",)),
    (gmail, "help", ("help",)),
    (gmail, "map", ("map",)),
    (gmail, "undo", ("undo",)),
    (gmail, "why bid 5", ("why bid 5",)),
    (gmail, "most 150", ("most 150",)),
    (gmail, "withhold", ("withhold",)),
    (gmail_html, "2", ("2",)),
    (gmail_html, "I'll take 3", ("3",)),
    (gmail_html, "best, pay", ("best", "pay")),
    (gmail_html, "pass\n\nCheers\nAnn", ("pass",)),
    (gmail_html, "<del>1</del> 2", ("2",)),
    (gmail_html, "<s>pass</s>\n2", ("2",)),
    (gmail_html, "<b>2</b>", ("2",)),
    (gmail_html, "<span style='text-decoration: line-through'>1</span> 3", ("3",)),
    (outlook, "2", ("2",)),
    (outlook, "Hi,\n\n2\n\nKind regards,\nAnn Alder\nHead of Sales | Acme Ltd", ("2",)),
    (outlook, "[EXTERNAL] This message comes from outside your organisation. Do not click links.\n\n2", ("2",)),
    (
        outlook,
        BANNER + "3",
        ("3",),
    ),
    (outlook, "pass", ("pass",)),
    (outlook, "bid 30\n\nThanks\nAnn", ("bid 30",)),
    (outlook, "best", ("best",)),
    (
        outlook,
        "2\n\n" + CLAUSE,
        ("2",),
    ),
    (outlook, "Option 1 please.\n\nRegards\nA. Alder", ("Option 1",)),
    (outlook_de, "2", ("2",)),
    (outlook_de, "Ich nehme die 2", ("2",)),
    (outlook_de, "Hallo,\n\n1\n\nViele Grüße\nAnn", ("1",)),
    (outlook_de, "passe", ("pass",)),
    (outlook_de, "die 3 bitte", ("3",)),
    (outlook_de, "2\n\nMfG\nAnn Alder", ("2",)),
    (outlook_de, "zwei", ("zwei",)),
    (outlook_de, "Schön gespielt!\n\n2", ("2",)),
    (outlook_de, "bid 40", ("bid 40",)),
    (outlook_de, "Achtung: Diese E-Mail stammt von einem externen Absender.\n\n2", ("2",)),
    (apple, "2", ("2",)),
    (apple, "1 (turn 187)", ("1 (turn 187)",)),
    (apple, "pay", ("pay",)),
    (apple, "Ok, 2 then", ("2",)),
    (apple, "best, pay, buy train", ("best", "pay", "buy train")),
    (apple, "no train", ("no train",)),
    (apple, "log", ("log",)),
    (apple, "2\n\nAnn", ("2",)),
    (apple, "2\n\n— Ann", ("2",)),
    (apple, "Sure: 2", ("2",)),
    (apple, "undo please", ("undo",)),
    (iphone, "2", ("2",)),
    (iphone, "Pass", ("Pass",)),
    (iphone, "3!", ("3",)),
    (iphone, "I'd like 1", ("1",)),
    (iphone, "bid 20 please", ("bid 20",)),
    (iphone, "Best", ("Best",)),
    (iphone, "2\n\nLG Ann", ("2",)),
    (iphone, "1️⃣", ("1",)),
    (iphone, "2 :)", ("2",)),
    (iphone, "market", ("market",)),
    (iphone, "stop", ("stop",)),
    (iphone, "away 5", ("away 5",)),
    (below, "2", ("2",)),
    (below, "pass", ("pass",)),
    (below, "best, pay", ("best", "pay")),
    (below, "2\n\n-- \nAnn Alder", ("2",)),
    (below, "bid 25\n\nCheers,\nAnn", ("bid 25",)),
    (below, "ich nehme 3", ("3",)),
    (below, "Two", ("Two",)),
    (between, "2", ("2",)),
    (between, "pass", ("pass",)),
    (between, "best", ("best",)),
    (bare, "2", ("2",)),
    (bare, "bid 15", ("bid 15",)),
    (bare, "2 (turn 187)", ("2 (turn 187)",)),
    (bare, "games", ("games",)),
    (
        bare,
        SIGNED,
        ("2",),
    ),
    (bare, "remind digest:18", ("remind digest:18",)),
    (bare, "yes", ("yes",)),
    (bare, "No.", ("No.",)),
)
"""What a person would play at once, and the orders that they mean."""

DOUBTFUL: tuple[tuple[Wrap, str], ...] = (
    (gmail, "Thanks!\n\nA"),
    (gmail, "Danke\nB."),
    (gmail, "Hi,\nsee you tonight?\nA"),
    (gmail, "1\n\nno wait, 2"),
    (gmail, "1 or 2?"),
    (gmail, "If Bob passes, 2"),
    (gmail, "not 2"),
    (gmail, "maybe 1"),
    (gmail, ""),
    (gmail, "2\n\nActually no, 3"),
    (gmail, "I'm away until the 3rd"),
    (gmail, "Nice pass!\n\nA"),
    (gmail, "What does 2 do?"),
    (gmail_html, "<del>2</del>"),
    (gmail_html, "1<br><br>scratch that, 2"),
    (outlook, "See you at 2"),
    (outlook, "1, 2"),
    (outlook, "Great!\n\nB"),
    (outlook_de, "lieber nicht 2"),
    (outlook_de, "2 oder 3?"),
    (apple, "Ann"),
    (apple, "A. Alder"),
    (iphone, "👎"),
    (iphone, "2 ❓"),
    (below, ""),
    (below, "-- \n2 Elm Street"),
    (bare, "Thank you for your message."),
    (bare, "Call me on 2"),
    (between, "why not 2?"),
    (bare, "Congratulations Bob!\n\nor is it 2?"),
)
"""What orders nothing, or not certainly."""


def read(data: bytes) -> tuple[str, ...]:
    """Return what a reply to the turn mail orders."""
    return read_orders(read_reply(data, TURN[2:5]), 3).orders


def test_a_hundred_replies_are_read_and_at_most_five_asked_back() -> None:
    assert len(CLEAR) + len(DOUBTFUL) >= 100
    found = [(wrap.__name__, text, read(wrap(text)), meant) for wrap, text, meant in CLEAR]
    assert [each for each in found if each[2] not in (each[3], ())] == [], "played wrongly"
    asked = [each[:2] for each in found if not each[2]]
    assert len(asked) <= MAX_ASKED_BACK, asked


@pytest.mark.parametrize(("wrap", "text"), DOUBTFUL)
def test_what_orders_nothing_for_certain_is_asked_back(wrap: Wrap, text: str) -> None:
    moves = [each for each in read(wrap(text)) if not only_tells(each)]
    assert not any(read_mark(each) or each.split()[0].casefold().strip(".!") in list_vocabulary() for each in moves)
