"""A process of its own that searches on for better tips: a job comes in, each longer search's tips go out.

A search keeps a processor busy, so it must not share a process with the bot,
and it can be ended at any moment. ``python -m bot.service.workers.proof`` reads one line,
writes one line a search, longer and longer ones, and ends when all is proven.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from bot.service.standing import Standing
from engine import Action, Game, Tip
from engine.codec import decode_action, decode_file, encode_action, encode_file

BUDGETS = (4_000_000, 16_000_000, 64_000_000, 256_000_000)
"""Tries of each search; the last takes minutes."""
LONGEST = 10 * 60
"""Seconds after which all searches end, whatever they have."""
MEMORY = 1 << 29
POLITE = 15


class TipRow(msgspec.Struct, frozen=True):
    """A tip on the wire; its actions are JSON of their own, ``short`` may be empty."""

    action: str
    label: str
    short: str
    proven: bool


class _Job(msgspec.Struct, frozen=True):
    """A position by its log, who is asked there, and what is known."""

    game: str
    seat: int
    tips: tuple[TipRow, ...]


def write_job(game: Game | Standing, seat: int, tips: Sequence[Tip]) -> bytes:
    """Return a job as one line."""
    return msgspec.json.encode(_Job(encode_file(game.setup, game.said()).decode(), seat, tip_rows(tips))) + b"\n"


def read_job(line: bytes) -> tuple[Game, int, tuple[Tip, ...]]:
    """Return the position of a job, the seat that is asked and what is known."""
    job = msgspec.json.decode(line, type=_Job)
    setup, said = decode_file(job.game.encode())
    return Game.replay(setup, said), job.seat, tips_of(setup.title, job.tips)


def write_tips(tips: Sequence[Tip]) -> bytes:
    """Return tips as one line."""
    return msgspec.json.encode(tip_rows(tips)) + b"\n"


def read_tips(title: str, line: bytes) -> tuple[Tip, ...]:
    """Return the tips of a line."""
    return tips_of(title, msgspec.json.decode(line, type=tuple[TipRow, ...]))


def tip_rows(tips: Iterable[Tip]) -> tuple[TipRow, ...]:
    """Return tips for the wire."""
    return tuple(TipRow(_text(tip.action), tip.label, _text(tip.short), tip.proven) for tip in tips)


def _text(action: Action | None) -> str:
    return "" if action is None else encode_action(action).decode()


def tips_of(title: str, rows: Iterable[TipRow]) -> tuple[Tip, ...]:
    """Return tips from the wire."""
    return tuple(
        Tip(
            decode_action(title, row.action),
            row.label,
            decode_action(title, row.short) if row.short else None,
            row.proven,
        )
        for row in rows
    )


def searches(game: Game, seat: int, tips: Sequence[Tip]) -> Iterator[tuple[Tip, ...]]:
    """Yield the tips of longer and longer searches, each going on from the one before, until all are proven."""
    for budget in BUDGETS:
        if all(tip.proven for tip in tips):
            return
        tips = tuple(game.title.advice.prove(game.state, seat, tips, budget))
        yield tuple(tips)


def _be_modest() -> None:
    """Let all others go first, and end if it takes too much, also when nobody is left to end it.

    Where the system cannot be told so, the bot's own clock has to do.
    """
    with suppress(AttributeError, OSError):
        os.nice(POLITE)
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  # not on every system

        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> None:
    """Do the job on standard input."""
    _be_modest()
    for tips in searches(*read_job(sys.stdin.buffer.readline())):
        sys.stdout.buffer.write(write_tips(tips))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
