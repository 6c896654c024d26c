"""Whatever a mail holds, the event loop goes on: what looks at all of it runs in threads."""

import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

from bot.mail import clerk
from bot.mail.body import MAX_BYTES
from bot.mail.orders import MAX_NEW_LETTERS, read_orders
from bot.mail.reply import ReadReply
from bot.mail.vocabulary import PHRASES
from tests.mail.conftest import Begun, version
from tests.mail.test_quarantine import hostile

P = ParamSpec("P")
T = TypeVar("T")
READERS = ("look_at", "read_orders", "read_message")
PIECES = (
    b"1, ", b"bid 5, ", b"A\n", b"> a\n", b"From: x\n", b"On 1 Jan 2026, ann@x.y wrote:\n", b"<b>", b"<blockquote>",
    b"=", b"\xf0\x9f\x91\x8d", b"no wait, ", b"optoin ", b"no thanks, pass. ", b"hope you ", b"I would ",
    b"code 123456 ", b"- ", b"&nbsp;", b"-----x-----\n",
)  # fmt: skip


@pytest.fixture
def on_loop(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which readers ran on the event loop's own thread."""
    found: list[str] = []

    def watch(name: str, read: Callable[P, T]) -> Callable[P, T]:
        def run(*args: P.args, **named: P.kwargs) -> T:
            if threading.current_thread() is threading.main_thread():
                found.append(name)
            return read(*args, **named)

        return run

    for name in READERS:
        monkeypatch.setattr(clerk, name, watch(name, getattr(clerk, name)))
    monkeypatch.setattr(clerk.Clerk, "_prove", watch("_prove", clerk.Clerk._prove))
    return found


@pytest.mark.parametrize("name", hostile(10))
async def test_a_hostile_mail_is_read_beside_the_loop(begun: Begun, on_loop: list[str], name: str) -> None:
    """From a stranger and, with its fields, from a player; 900 kB of results kept 0.2's loop for 12.9 s."""
    mails, game, first, _ = begun
    data = hostile(900_000)[name]
    await mails.front.receive(data)
    head, _, body = data.partition(b"\n\n")
    field = b"\n".join(line for line in head.split(b"\n") if not line.startswith((b"From:", b"To:")))
    if field and not field.startswith(b"\0"):
        await mails.front.receive(
            field + b"\n" + mails.reply(first, "zz zz").partition(b"MIME-Version")[0] + b"\n" + body
        )
    assert on_loop == []
    assert await version(mails, game) == 0


@pytest.mark.parametrize("kind", ["plain", "html", "plain; format=flowed"])
async def test_long_replies_are_read_beside_the_loop_and_play_nothing(
    begun: Begun, on_loop: list[str], kind: str
) -> None:
    mails, game, first, _ = begun
    reply = mails.reply(first, "").partition(b"MIME-Version")[0] + b"Content-Type: text/" + kind.encode() + b"\n\n"
    for piece in PIECES:
        await mails.front.receive(reply + piece * ((MAX_BYTES - len(reply)) // len(piece)))
    assert on_loop == []
    assert await version(mails, game) == 0


def test_no_words_are_looked_for_without_end() -> None:
    """“hope … well”: a mail of “hope you”, repeated, kept a process for 22 seconds and its loop with it."""
    assert [label for label, pattern in PHRASES.items() if "]*" in pattern.pattern] == []


@pytest.mark.parametrize(("count", "is_played"), [(MAX_NEW_LETTERS - 100, True), (MAX_NEW_LETTERS, False)])
def test_a_reply_of_too_many_letters_is_asked_back(count: int, *, is_played: bool) -> None:
    found = read_orders(ReadReply((("pass",), ("la " * (count // 3),))))
    assert found.orders == (("pass",) if is_played else ())
    assert ("too long" in found.why) is not is_played
