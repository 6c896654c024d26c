"""A lone letter or number is played only where it is the answer; else the player is asked back."""

from pathlib import Path

import pytest

from bot.mail.orders import read_mark, read_orders
from tests.mail.conftest import Begun, version
from tests.mail.letters import ADDRESS, MARKED, PLAIN, TURN, mail, read_reply

REPLIES = [
    tuple(line.split(" = ", maxsplit=1))
    for line in (Path(__file__).parent / "choices.txt").read_text("utf-8").splitlines()
    if not line.startswith("#") or line.startswith("#8")
]
QUOTE = f"On Sun, 22 Nov 2026 at 09:14, Stationmaster <{ADDRESS}> wrote:"


def meant(text: str) -> str:
    """Return the orders of a reply, "?" if it is asked back."""
    found = read_orders(read_reply(mail(text), TURN))
    return "?" if found.why else ", ".join(found.orders).casefold()


@pytest.mark.parametrize(("expected", "written"), REPLIES, ids=[written for _, written in REPLIES])
def test_choice_is_played_where_it_is_the_answer_and_asked_back_elsewhere(expected: str, written: str) -> None:
    """Bare, above a marked quote, above a quote without marks, and as a page."""
    text = written.replace(" ¶", "\n").replace("\n ", "\n")
    played = expected.casefold()
    for whole in (text, f"{text}\n\n{QUOTE}\n{MARKED}\n", f"{text}\n\n{QUOTE}\n\n{PLAIN}\n"):
        found = meant(whole)
        if read_mark(played.upper()) and found != "?":
            assert read_mark(found.upper().strip(".!")) == read_mark(played.upper())
        else:
            assert found.rstrip(".") == played


def test_near_half_of_the_replies_are_asked_back() -> None:
    asked = sum(expected == "?" for expected, _ in REPLIES)
    assert len(REPLIES) >= 60
    assert asked >= len(REPLIES) * 0.45


def test_second_choice_below_the_quote_is_seen() -> None:
    """A number above the quote and another one under it: nobody can tell which counts."""
    assert meant(f"2\n\n{QUOTE}\n{MARKED}\n\n3\n") == "?"
    assert meant(f"2\n\n{QUOTE}\n{MARKED}\n\nAnn\n") == "2"
    assert meant(f"{QUOTE}\n{MARKED}\n\n3\n") == "3"


async def test_signatures_and_second_choices_play_nothing(begun: Begun) -> None:
    """Through the whole clerk: the audit's replies are asked back, the choice alone is played."""
    mails, game, first, _ = begun
    for text in ("Thanks!\n\nA", "Danke\nB.", "Hi,\nsee you tonight?\nA", "A\n\nno wait, B"):
        told = await mails.answer(first, text)
        assert "✗" in told, text
        assert "A  Bid" in told, "the choices are shown again"
        assert await version(mails, game) == 0, text
    assert "✓" in await mails.answer(first, "B please\n\nThanks,\nAnn")
    assert await version(mails, game) == 1
