"""A hundred replies as programs and people write them: none is played wrongly, few are asked back though clear.

All are constructed, in the forms of real programs; none is a captured mail.
"""

from collections.abc import Callable

import pytest

from bot.mail.choices import read_mark
from bot.mail.commands import only_tells
from bot.mail.orders import read_orders
from bot.mail.phrases import list_vocabulary
from tests.mail.letters import (
    TURN,
    apple,
    bare,
    below,
    between,
    gmail,
    gmail_html,
    gmx,
    iphone,
    outlook,
    outlook_de,
    owa,
    proton,
    read_reply,
    samsung,
    thunderbird,
    yahoo,
)

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
    (gmail, "Bid 25.", ("bid 25",)),
    (gmail, "pass", ("pass",)),
    (gmail, "Pass!", ("pass",)),
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
    (outlook, "Option 1 please.\n\nRegards\nA. Alder", ("1",)),
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
    (iphone, "Pass", ("pass",)),
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

LATER: tuple[tuple[Wrap, str, tuple[str, ...]], ...] = (
    (yahoo, "2", ("2",)),
    (yahoo, "pass", ("pass",)),
    (yahoo, "Best run please", ("best",)),
    (yahoo, "bid 35\nAnn", ("bid 35",)),
    (yahoo, "I choose option 3.", ("3",)),
    (yahoo, "Hello,\n2\nThanks", ("2",)),
    (yahoo, "My answer: 1", ("1",)),
    (yahoo, "2\n\nSent from Yahoo Mail on Android", ("2",)),
    (yahoo, "number 2", ("2",)),
    (yahoo, "2 it is", ("2",)),
    (proton, "3", ("3",)),
    (proton, "bid £45", ("bid 45",)),
    (proton, "buy IOW from the pool", ("buy IOW from the pool",)),
    (proton, "sell 2 IOW, pass", ("sell 2 IOW", "pass")),
    (proton, "if Bob bids over 50, pass; else bid 60", ("/auto if Bob bids over 50, pass; else bid 60",)),
    (proton, "If Bob passes: pass\nelse bid 20", ("/auto if Bob passes, pass; else bid 20",)),
    (proton, "best, pay\nto all: sorry for the wait", ("best", "pay")),
    (proton, "table", ("table",)),
    (proton, "mute", ("mute",)),
    (samsung, "2", ("2",)),
    (samsung, "Pass.", ("pass",)),
    (samsung, "Go for 1", ("1",)),
    (samsung, "ok 2", ("2",)),
    (samsung, "bid 20!", ("bid 20",)),
    (samsung, "2 thx", ("2",)),
    (samsung, "the first one", ("1",)),
    (samsung, "no trains", ("no trains",)),
    (samsung, "yes pls", ("yes",)),
    (samsung, "undo!", ("undo!",)),
    (owa, "2", ("2",)),
    (owa, "Hi,\n\nplease play 2.\n\nKind regards,\n\nAnn", ("2",)),
    (owa, "bid 55", ("bid 55",)),
    (owa, "Best\nPay\nNo train", ("Best", "Pay", "No train")),
    (owa, "pass\n\nAnn Alder\nT +44 20 7946 0000", ("pass",)),
    (owa, "if IOW < 100 buy IOW, else pass", ("/auto if IOW < 100 buy IOW, else pass",)),
    (owa, "snooze 4h", ("snooze 4h",)),
    (owa, "auto pass", ("auto pass",)),
    (owa, "log", ("log",)),
    (owa, "3 - good luck!", ("3",)),
    (gmx, "2", ("2",)),
    (gmx, "Ich passe.", ("pass",)),
    (gmx, "Bitte die 1", ("1",)),
    (gmx, "Nummer 3", ("3",)),
    (gmx, "2, danke!", ("2",)),
    (gmx, "Moin,\n\n2\n\nGruß\nJens", ("2",)),
    (gmx, "ich würde die 2 nehmen", ("2",)),
    (gmx, "bid 60 bitte", ("bid 60",)),
    (gmx, "drei", ("drei",)),
    (gmx, "Dann nehme ich 1.", ("1",)),
    (thunderbird, "2", ("2",)),
    (thunderbird, "pass", ("pass",)),
    (thunderbird, "best, pay", ("best", "pay")),
    (thunderbird, "Zwei.", ("Zwei.",)),
    (thunderbird, "remind digest:18", ("remind digest:18",)),
    (gmail, "✅ 2", ("2",)),
    (gmail, "2!!", ("2",)),
    (gmail, "Definitely 2", ("2",)),
    (gmail, "2. Thanks for running this!", ("2",)),
    (gmail, "bid 70 (max 90)", ()),
    (gmail, "bid twenty", ("bid 20",)),
    (gmail, "raise to 30", ("bid 30",)),
    (gmail, "I pass", ("pass",)),
    (gmail, "I'm going to pass.", ("pass",)),
    (gmail, "pass again", ("pass",)),
    (gmail, "Pass, have fun!", ("pass",)),
    (gmail, "2\n\nP.S. see you on the 5th", ("2",)),
    (gmail, "2\n\nPS: happy birthday Bob!", ("2",)),
    (gmail, "best\n\nAlso, are we playing on Friday?", ("best",)),
    (gmail, "Réponse : 2", ("2",)),
    (gmail, "Le 2, merci", ("2",)),
    (gmail, "je passe", ("pass",)),
    (gmail, "la 3 s'il vous plaît", ("3",)),
    (gmail, "2 por favor", ("2",)),
    (gmail, "opción 2", ("2",)),
    (gmail, "I'd rather not pass", ()),
    (gmail, "Should I pass?", ()),
    (gmail, "pass unless Bob bids", ()),
    (gmail, "if Bob bids, I'd pass", ()),
    (gmail, "2 would be silly", ()),
    (gmail, "Bob should pass", ()),
    (gmail, "if I had 100 pounds I would buy IOW", ()),
    (gmail, "don't pass yet", ()),
    (gmail, "bid 20 or maybe 25", ()),
    (gmail, "let me think, back at 2", ()),
    (samsung, "wait", ()),
    (samsung, "1? 2?", ()),
    (yahoo, "2 minutes please", ()),
    (yahoo, "I have 2 questions", ()),
    (owa, "Automatic reply: I am out of the office until 2 December", ()),
    (gmx, "Bin bis 2.12. nicht da", ()),
    (gmx, "passt!", ()),
    (gmx, "Das passt mir nicht", ()),
    (proton, "Please remove my address", ()),
    (proton, "if Bob passes, pass, I think", ()),
    (apple, "2 or 3, you choose", ()),
    (apple, "see option 2 in my last mail", ()),
    (iphone, "Pass the salt", ()),
    (iphone, "best wishes", ()),
    (below, "I agree with 2 of you", ()),
)
"""Another hundred, written later without a look at the reader; () where nothing may be played."""

REFUSED = frozenset(
    (
        "bid twenty", "bid 70 (max 90)", "pass unless Bob bids", "if Bob bids, I'd pass", "bid 20 or maybe 25", "wait",
        "passt!", "Please remove my address", "if Bob passes, pass, I think", "Pass the salt",
    )
)  # fmt: skip
"""What the game refuses, though it begins like a move."""


def read(data: bytes) -> tuple[str, ...]:
    """Return what a reply to the turn mail orders."""
    return read_orders(read_reply(data, TURN[2:5]), 3).orders


def test_a_hundred_replies_are_read_and_at_most_five_asked_back() -> None:
    assert len(CLEAR) + len(DOUBTFUL) >= 100
    found = [(wrap.__name__, text, read(wrap(text)), meant) for wrap, text, meant in CLEAR]
    assert [each for each in found if each[2] not in (each[3], ())] == [], "played wrongly"
    asked = [each[:2] for each in found if not each[2]]
    assert len(asked) <= MAX_ASKED_BACK, asked


def test_another_hundred_are_read_and_at_most_one_in_twenty_asked_back() -> None:
    """Words behind a verb that are no move of the game are refused there (``tests/mail/test_play.py``)."""
    found = [(wrap.__name__, text, read(wrap(text)), meant) for wrap, text, meant in LATER]
    clear = [each for each in found if each[3]]
    assert len(found) >= 99
    assert [each for each in clear if each[2] not in (each[3], ()) and each[1] not in REFUSED] == [], "played wrongly"
    asked = [each[1] for each in clear if not each[2] or each[1] in REFUSED]
    assert len(asked) * 20 <= len(clear), asked
    assert [each[1] for each in found if not each[3] and each[2] and each[1] not in REFUSED] == []


@pytest.mark.parametrize(("wrap", "text"), DOUBTFUL)
def test_what_orders_nothing_for_certain_is_asked_back(wrap: Wrap, text: str) -> None:
    moves = [each for each in read(wrap(text)) if not only_tells(each)]
    assert not any(read_mark(each) or each.split()[0].casefold().strip(".!") in list_vocabulary() for each in moves)


AROUND = {
    "2": (
        "the second one", "second option please", "2 (as discussed on the phone)", "2 is fine", "2 works for me",
        "sure, 2", "2 lol", "2 sounds good!", "2 it shall be. Cheers, Ann", "2, Ann", "2 - Ann Alder", "2\nBest\nAnn",
        "2\n\nBest", "2, all the best", "2 obviously", "gonna go with 2", "I'll stick with 2", "my move: 2", "2 ty",
        "yep, 2", "hmm, 2", "2 because Bob is broke", "2, since nothing else makes sense", "2 - it is cheap",
        "2 x", "die zweite", "2 // the blue one",
    ),
    "bid 20": ("bid 20 pounds", "bid 20 and good luck", "bid 20 and that's it", "bid 20\nbest\nAnn", "bid: 20",
               "ich biete 20", "bid 20 for now"),
    "pass": ("I'm passing this one", "Passing.", "pass for now", "pass this round, take care", "ok pass",
             "fine, pass", "pass then", "Move: pass", "Too rich for me. pass", "Bob can have it, pass",
             "pass – Bob can have it"),
    "undo": ("undo that", "undo my last move please"),
}  # fmt: skip
"""What is ordered, and replies that say it with words around it."""


@pytest.mark.parametrize(("meant", "text"), [(meant, text) for meant, texts in AROUND.items() for text in texts])
def test_words_around_a_choice_do_not_hide_it(meant: str, text: str) -> None:
    assert read(gmail(text)) == (meant,)


def test_best_may_be_a_move_or_a_greeting() -> None:
    """Above a name, or alone in the last paragraph, it greets: "2", then "Best", must not run the trains as well."""
    assert read(gmail("best run, pay, no train")) == ("best run", "pay", "no train")
    assert read(gmail("2\nbest\npay")) == read(gmail("2\n\nbest, pay")) == ("2", "best", "pay")
    assert read(gmail("best")) == ("best",)
    assert read(gmail("2\n\nBest\nAnn")) == read(gmail("2\nBest,\nAnn")) == ("2",)


def test_the_runs_of_several_trains_are_one_order() -> None:
    """As the desk and the log write them; what stands behind them is another order."""
    runs = "run 2E H7-G8; 2/3E F7-G8-[H7]; 3+2 F2-F4; 2L E12-E10-F11; 2L F7-F9-G10; 2L F7-F5; 2L D13-E14; 2L F3-G4"
    for text in (runs, runs.replace(";", ","), runs.replace("; ", ",\n")):
        assert [each.replace(",", ";") for each in read(gmail(text))] == [runs]
    assert read(gmail(f"tile E2 14 4, {runs}, pay, no train")) == ("tile E2 14 4", runs, "pay", "no train")
    assert read(gmail("run best, pay")) == ("run best", "pay")
