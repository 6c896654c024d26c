"""Whatever a mail holds, the event loop goes on: nothing on it takes 50 ms, and no thread keeps it from running."""

import asyncio
import time

import pytest

from bot.mail.body import MAX_BYTES
from tests.mail.conftest import Begun, Mails, version
from tests.mail.test_quarantine import hostile

MAX_GAP_SECONDS = 0.05
BEAT_SECONDS = 0.002


async def measure_gap(mails: Mails, data: bytes) -> float:
    """Return the longest time, in seconds of the processor, in which the loop did not run while a mail was read."""
    gaps, over = [0.0], asyncio.Event()

    async def beat() -> None:
        last = time.process_time()
        while not over.is_set():
            await asyncio.sleep(BEAT_SECONDS)
            gaps.append(time.process_time() - last)
            last = time.process_time()

    beating = asyncio.create_task(beat())
    await asyncio.sleep(0)
    await mails.front.receive(data)
    over.set()
    await beating
    return max(gaps)


async def test_reader_that_kept_the_loop_would_be_found(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(*_: object) -> str:
        end = time.process_time() + 2 * MAX_GAP_SECONDS
        while time.process_time() < end:
            pass
        return "ignored"

    monkeypatch.setattr(begun.mails.front.clerk, "receive", read)
    assert await measure_gap(begun.mails, b"") > MAX_GAP_SECONDS


@pytest.mark.parametrize("name", hostile(10))
async def test_loop_goes_on_while_a_hostile_mail_is_read(begun: Begun, name: str) -> None:
    """From a stranger and, with its fields, from a player; 12.9 s for 900 kB of results in 0.2."""
    mails, game, first, _ = begun
    data = hostile(900_000)[name]
    assert await measure_gap(mails, data) < MAX_GAP_SECONDS
    head, _, body = data.partition(b"\n\n")
    field = b"\n".join(line for line in head.split(b"\n") if not line.startswith((b"From:", b"To:")))
    if field and not field.startswith(b"\0"):
        own = field + b"\n" + mails.reply(first, "zz zz").partition(b"MIME-Version")[0] + b"\n" + body
        assert await measure_gap(mails, own) < MAX_GAP_SECONDS
    assert await version(mails, game) == 0


PIECES = (
    b"1, ", b"bid 5, ", b"A\n", b"> a\n", b"From: x\n", b"On 1 Jan 2026, ann@x.y wrote:\n", b"<b>", b"<blockquote>",
    b"=", b"\xf0\x9f\x91\x8d", b"no wait, ", b"code 123456 ", b"- ", b"&nbsp;", b"-----x-----\n",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("kind", ["plain", "html", "plain; format=flowed"])
async def test_loop_goes_on_while_a_long_reply_is_read(begun: Begun, piece: bytes, kind: str) -> None:
    mails, game, first, _ = begun
    reply = mails.reply(first, "").partition(b"MIME-Version")[0] + b"Content-Type: text/" + kind.encode() + b"\n\n"
    assert await measure_gap(mails, reply + piece * ((MAX_BYTES - len(reply)) // len(piece))) < MAX_GAP_SECONDS
    assert await version(mails, game) == 0
