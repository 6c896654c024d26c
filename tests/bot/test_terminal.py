"""The local table at a real terminal: lines typed at a prompt, work that takes long, what is served beside."""

import asyncio
import io
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot import terminal
from bot.model.errors import BotError
from bot.service.services import Services


@pytest.fixture
def store(tmp_path: Path, fresh_store: Path) -> Path:
    return Path(shutil.copy(fresh_store, tmp_path / "store.sqlite"))


class Terminal(io.StringIO):
    """What a person sees and types at."""

    def isatty(self) -> bool:
        return True


async def sit(store: Path, source: io.StringIO, served: Sequence[terminal.Serve] = ()) -> None:
    await terminal.run(store, store.parent, source, sys.stdout, served)


async def test_lines_are_typed_at_a_prompt_until_the_end(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other; an interrupt drops the line only, the end of the input ends the evening."""
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("/dance\rhalf a line\x03/use 3\r\x04")
        async with asyncio.timeout(60):
            await sit(store, Terminal())
    shown = " ".join(out.getvalue().split())
    assert shown.index("There is no /dance") < shown.index("There is no table 3 here")
    assert "half a line" not in shown


async def test_quitting_ends_what_is_served_beside(store: Path) -> None:
    """So does the end of the input."""
    ended: list[Services] = []

    @asynccontextmanager
    async def serve(services: Services) -> AsyncIterator[None]:
        yield
        ended.append(services)

    await sit(store, io.StringIO("/game list\n/quit\n/game list\n"), [serve])
    await sit(store, io.StringIO("/game list\n"), [serve])
    assert len(ended) == 2


async def slow_answer() -> bool:
    await asyncio.sleep(0.2)
    return True


async def quick_answer() -> bool:
    return True


async def test_only_work_that_takes_long_is_shown_and_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is done, the line that showed it is gone."""
    monkeypatch.setattr(terminal, "PROGRESS_AFTER_SECONDS", 0.05)
    pipe, screen, quick = io.StringIO(), Terminal(), Terminal()
    assert await terminal._show_progress(slow_answer(), pipe)
    assert pipe.getvalue() == ""
    assert await terminal._show_progress(quick_answer(), quick)
    assert quick.getvalue() == ""
    monkeypatch.setenv("TERM", "xterm")
    assert await terminal._show_progress(slow_answer(), screen)
    shown, _, after = screen.getvalue().rpartition("working")
    assert shown
    assert "\x1b[2K" in after, "the line is erased"


@pytest.mark.parametrize(
    ("number", "sentence"), [("9" * 18, "There is no table "), ("9" * 19, "Add the table's number")]
)
async def test_the_number_of_a_table_has_at_most_18_digits(store: Path, number: str, sentence: str) -> None:
    out = io.StringIO()
    await terminal.run(store, store.parent, io.StringIO(f"/use {number}\n"), out)
    assert f"\n{sentence}" in out.getvalue()


@pytest.mark.parametrize(("columns", "width"), [(40, 40), (5, 20)])
async def test_lines_break_between_words_at_the_width_of_the_terminal(
    store: Path, monkeypatch: pytest.MonkeyPatch, columns: int, width: int
) -> None:
    """A line has at least 20 columns however narrow the terminal is, and a long word stays whole."""
    out, folder = Terminal(), "pictures" * 6
    monkeypatch.setattr(terminal, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
    await terminal.run(store, Path(folder), io.StringIO(), out)
    lines = out.getvalue().splitlines()
    assert any(line.endswith(folder) for line in lines)
    assert max(len(line) for line in lines if not line.endswith(folder)) == width


async def test_two_local_tables_cannot_share_a_store(store: Path) -> None:
    async with terminal.open_table(store, store.parent, lambda line: None):
        with pytest.raises(BotError):
            async with terminal.open_table(store, store.parent, lambda line: None):
                pass
