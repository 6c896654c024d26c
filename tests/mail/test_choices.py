"""A lone letter or number is played only where it is the answer; else the player is asked back."""

import quopri
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path

import pytest

from bot.mail.choices import read_mark
from bot.mail.orders import read_orders
from bot.screens.desk import DeskAsked, build_desk
from bot.screens.written_desk import format_order, read_order
from bot.service.workers.jobs import Held
from engine import Game, Rng, Setup
from engine.player import choose_action
from engine.words import write_parameters
from tests.mail.conftest import Begun, version
from tests.mail.letters import ADDRESS, HTML, MARKED, NAMED, PLAIN, TURN, mail, read_reply

REPLIES = [
    tuple(line.split(" = ", maxsplit=1))
    for line in (Path(__file__).parent / "choices.txt").read_text("utf-8").splitlines()
    if not line.startswith("#") or line.startswith("#8")
]
QUOTE = f"On Sun, 22 Nov 2026 at 09:14, Stationmaster <{ADDRESS}> wrote:"


HEAD = f"From: Ann Alder <ann@home.example>\nTo: {NAMED}\nMIME-Version: 1.0\n"
ABOVE = f'<div dir="ltr" class="gmail_attr">{escape(QUOTE)}<br></div>'
GMAIL = f'<br><div class="gmail_quote">{ABOVE}<blockquote class="gmail_quote">{HTML}</blockquote></div>'
OUTLOOK = f"""<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p>
<b>From:</b> {escape(NAMED)}<br><b>Sent:</b> 22 November 2026 09:14<br><b>To:</b> Ann</p></div></div>{HTML}"""
BLOCK = f"Von: {NAMED}\nGesendet: Sonntag, 22. November 2026 09:14\nAn: Ann\nBetreff: Turn\n\n{PLAIN}\n"
TOP, REST = "\n".join(MARKED.split("\n")[:4]), "\n".join(MARKED.split("\n")[4:])


def divide_lines(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


PROGRAMS: dict[str, Callable[[str], bytes]] = {
    "gmail": lambda text: mail("", f'<div dir="ltr">{divide_lines(text)}</div>{GMAIL}'),
    "gmail app": lambda text: mail("", f'<div dir="auto">{escape(text).replace(chr(10), "<br>")}</div>{GMAIL}'),
    "outlook": lambda text: mail("", f"<html><body>{divide_lines(text)}{OUTLOOK}</body></html>"),
    "apple mail": lambda text: mail("", f'{divide_lines(text)}<br><blockquote type="cite">{HTML}</blockquote>'),
    "two parts": lambda text: mail(f"{text}\n\n{QUOTE}\n\n{MARKED}\n", f"{divide_lines(text)}{GMAIL}"),
    "below": lambda text: mail(f"{QUOTE}\n{MARKED}\n\n{text}\n"),
    "between": lambda text: mail(f"{QUOTE}\n{TOP}\n\n{text}\n\n{REST}\n"),
    "block": lambda text: mail(f"{text}\n\n{BLOCK}"),
    "rule": lambda text: mail(f"{text}\n\n________________________________\n{BLOCK}"),
    "original": lambda text: mail(f"{text}\n\n-----Ursprüngliche Nachricht-----\n{BLOCK}"),
    "flowed": lambda text: (
        f"{HEAD}Content-Type: text/plain; charset=utf-8; format=flowed\n\n{text}\n\n{QUOTE}\n{MARKED}\n".encode()
    ),
    "soft breaks": lambda text: (
        f"{HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n".encode()
        + quopri.encodestring(f"{text}\n\n{QUOTE}\n{MARKED}\n".encode())
    ),
}  # fmt: skip
"""A reply as a mail program sends it: where the quote stands, and how it is marked."""


@cache
def read_meaning(text: str) -> str:
    """Return the orders of a reply, "?" if it is asked back."""
    return read_mail(mail(text))


def read_mail(data: bytes) -> str:
    """Return the orders of a mail, "?" if it is asked back."""
    found = read_orders(read_reply(data, TURN))
    return "?" if found.why else ", ".join(found.orders).casefold()


@pytest.mark.parametrize(("expected", "written"), REPLIES, ids=[written for _, written in REPLIES])
def test_choice_is_played_where_it_is_the_answer_and_asked_back_elsewhere(expected: str, written: str) -> None:
    """Bare, above a marked quote, above a quote without marks, and as a page."""
    text = written.replace(" ¶", "\n").replace("\n ", "\n")
    played = expected.casefold()
    for whole in (text, f"{text}\n\n{QUOTE}\n{MARKED}\n", f"{text}\n\n{QUOTE}\n\n{PLAIN}\n"):
        found = read_meaning(whole)
        if read_mark(played.upper()) and found != "?":
            assert read_mark(found.upper().strip(".!")) == read_mark(played.upper())
        else:
            assert found.rstrip(".") == played


@pytest.mark.parametrize("program", PROGRAMS)
def test_reply_means_the_same_from_every_program(program: str) -> None:
    """Below a quote a lone letter may be asked back that is a signature above one; never the other way round."""
    for _, written in REPLIES:
        text = written.replace(" ¶", "\n").replace("\n ", "\n")
        found = read_mail(PROGRAMS[program](text))
        assert found in ({read_meaning(text), "?"} if program in ("below", "between") else {read_meaning(text)}), (
            written
        )


def test_near_half_of_the_replies_are_asked_back() -> None:
    asked = sum(expected == "?" for expected, _ in REPLIES)
    assert len(REPLIES) >= 600
    assert asked >= len(REPLIES) * 0.4


def test_second_choice_below_the_quote_is_seen() -> None:
    """A number above the quote and another one under it: no one can tell which counts."""
    assert read_meaning(f"2\n\n{QUOTE}\n{MARKED}\n\n3\n") == "?"
    assert read_meaning(f"2\n\n{QUOTE}\n{MARKED}\n\nAnn\n") == "2"
    assert read_meaning(f"{QUOTE}\n{MARKED}\n\n3\n") == "3"


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


def test_a_move_may_be_written_as_its_values_in_order() -> None:
    """“train 2+1 bank 250”: which words belong to which value follows from what is legal, "2+1 bank" and "250"."""
    game, move = Game.new(Setup("1860", 2, seed=1)), None
    while move is None:
        seat = min(game.actors)
        action = choose_action(game, seat, Rng(1 + len(game.log)))
        move = action if action.verb == "train" else None
        game = game if move else game.play(seat, action).game
    desk = build_desk(Held(game), DeskAsked(1, ("Ann", "Bob"), seat, (), "", "", ()))
    said = read_order(desk, " ".join(["train", *write_parameters(move).values()]))
    assert (said.verb, said.words) == ("train", write_parameters(move))
    words = write_parameters(move)
    bought = read_order(desk, f"buy a {words['train'].replace(' ', ' from ')}")
    assert (bought.verb, bought.words) == ("train", words)


@pytest.mark.parametrize(("verb", "text"), [("tile", "no more track"), ("tile", "skip track"), ("token", "no base")])
def test_a_step_may_be_declined_by_the_name_that_people_give_it(verb: str, text: str) -> None:
    game = Game.new(Setup("1860", 3, seed=5))
    while True:
        seat = min(game.actors)
        desk = build_desk(Held(game), DeskAsked(1, ("Ann", "Bob", "Cid"), seat, (), "", "", ()))
        if {verb, "pass"} <= {action.verb for action in desk.legal}:
            break
        game = game.play(seat, choose_action(game, seat, Rng(1 + len(game.log)))).game
    assert read_order(desk, text).verb == "pass"


def test_a_move_may_be_written_in_other_words_and_another_order() -> None:
    """Only what names one legal move is read: "buy a 3 train" asks for a train, "sell two C&N" turns its values."""
    game, found = Game.new(Setup("1860", 3, seed=5)), dict[str, tuple[str, str]]()
    asked = {
        "sell": ("sell two shares of C&N", "sell C&N 2"), "tile": ("lay a tile on F2 787 1", "tile F2 787 1"),
        "buy": ("buy one share of IOW", "buy IOW ipo"), "train": ("buy a 2+1 train bank", "train 2+1 bank 250"),
        "run": ("best runs", "run best"), "dividend": ("pay out", "dividend pay"),
    }  # fmt: skip
    while asked.keys() - found.keys():
        seat = min(game.actors)
        desk = build_desk(Held(game), DeskAsked(1, ("Ann", "Bob", "Cid"), seat, (), "", "", ()))
        for verb, (text, meant) in asked.items():
            if verb not in found and any(format_order(action) == meant for action in desk.legal):
                said = read_order(desk, text)
                found[verb] = (" ".join([said.verb, *said.words.values()]), meant)
        game = game.play(seat, choose_action(game, seat, Rng(1 + len(game.log)))).game
    assert [each for each in found.values() if each[0] != each[1]] == []
