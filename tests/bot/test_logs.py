"""What the log tells of a defect: where it came from, short, and nothing of the game."""

import contextlib
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from sqlalchemy import column, insert, table
from sqlalchemy.exc import SQLAlchemyError

from bot.operations import logs
from bot.operations.logs import MAX_LINE_LETTERS, MAX_LINES, format_trace
from bot.service.services import Services

SEED = 4_815_162_342


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def broken(depth: int) -> None:
    """Break, with a seed and a whole game among the locals."""
    seed, game = SEED, list(range(5_000))
    if depth:
        broken(depth - 1)
    del game
    raise LookupError("x" * 5_000 if seed else "")


def caught(depth: int) -> Exception:
    try:
        broken(depth)
    except LookupError as error:
        try:
            raise RuntimeError("on top") from error
        except RuntimeError as top:
            return top
    raise AssertionError


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_trace_is_short_and_holds_no_locals(capsys: pytest.CaptureFixture[str], form: str) -> None:
    as_json = form == "json"
    logs.set_up("INFO", as_json=as_json)
    structlog.get_logger().error("defect", ref="ABC123", exc_info=caught(300))
    said = capsys.readouterr().err
    assert str(SEED) not in said
    assert "4999" not in said
    assert "RuntimeError: on top" in said
    assert "LookupError" in said
    assert "in broken" in said
    lines = json.loads(said)["exception"].splitlines() if as_json else said.splitlines()
    assert len(lines) <= MAX_LINES + 2
    assert max(map(len, lines)) <= MAX_LINE_LETTERS + 20


def test_an_error_under_way_is_traced_too(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", as_json=True)
    try:
        broken(1)
    except LookupError:
        structlog.get_logger().exception("defect")
    assert "in broken" in json.loads(capsys.readouterr().err)["exception"]


def test_a_trace_of_many_causes_keeps_its_beginning_and_its_end() -> None:
    error: Exception = ValueError("first")
    for number in range(80):
        try:
            raise RuntimeError(f"cause {number}") from error
        except RuntimeError as later:
            error = later
    trace = format_trace(error)
    assert len(trace.splitlines()) == MAX_LINES
    assert "ValueError: first" in trace
    assert trace.endswith("RuntimeError: cause 79")


async def test_database_error_reports_hold_no_values(services: Services) -> None:
    """A row holds the seed of its table."""
    with pytest.raises(SQLAlchemyError) as caught:
        async with services.database.writing() as session:
            await session.exec(insert(table("game", column("seed"), column("nothing"))).values(seed=SEED, nothing=1))
    assert str(SEED) not in format_trace(caught.value)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_log_that_cannot_be_written_ends_nothing(monkeypatch: pytest.MonkeyPatch, *, as_json: bool) -> None:
    """It lies on the disk that is full: a word about the store must not become a defect of its own."""
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stderr", full)
        logs.set_up(as_json=as_json)
        log = structlog.get_logger()
        for tell in (log.info, log.warning, log.error):
            tell("the database failed", error="x" * 100_000)
        monkeypatch.undo()
        with contextlib.suppress(OSError):
            full.close()


def test_what_libraries_log_is_json_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One kind of line on one stream, so that a collector of logs reads all of them."""
    monkeypatch.setattr(logging.root, "handlers", [])
    logs.set_up("INFO", as_json=True)
    with structlog.contextvars.bound_contextvars(game=7):
        logging.getLogger("discord.gateway").warning("shard %s is slow", 3)
        try:
            broken(1)
        except LookupError:
            logging.getLogger("aiohttp").exception("failed")
    slow, failed = map(json.loads, capsys.readouterr().err.splitlines())
    assert (slow["event"], slow["logger"], slow["level"], slow["game"]) == (
        "shard 3 is slow",
        "discord.gateway",
        "warning",
        7,
    )
    assert "in broken" in failed["exception"]
