"""The log of a whole run at debug level tells no secrets: it is what an operator shows others to ask for help."""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
import structlog

from bot.operations.logs import set_up
from tests.simulation.mail_world import MAIL, MailWorld, play_by_mail
from tests.simulation.points import Fault, Point
from tests.simulation.runs import SEED, Case, Runner
from tests.simulation.simulation import Simulation
from tests.simulation.world import World

HIDDEN = ("token-of-the-bot", "key-of-the-mail-" * 2, "password-of-the-mailbox")
REFUSED = Fault("says 452 4.3.1 <p1@home.example>: this mailbox is full")
CASE = Case(2, MAIL, Point("smtp", "RCPT"), REFUSED, has_stranger=True)


class _Told(MailWorld):
    """A world whose settings can be recognised where they should not stand."""

    def __init__(self, run: Simulation, folder: Path, fresh: Path) -> None:
        super().__init__(run, folder, fresh)
        given = zip(("discord_token", "mail_key", "imap_password"), HIDDEN, strict=True)
        self.settings = type(self.settings)(**{**self.settings.model_dump(), **dict(given)})


@pytest.fixture
def _debug_log() -> Iterator[None]:
    """Log what ``LOG_LEVEL=DEBUG`` logs."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    set_up("DEBUG", as_json=True)
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**before)


@pytest.mark.usefixtures("_debug_log")
def test_the_log_of_a_table_by_mail_tells_no_secrets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, fresh_store: Path
) -> None:
    """Neither a token, a password or an address, nor the seed, which tells what is to come."""
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    outcome = Runner(tmp_path, _Told, play_by_mail).run(CASE)
    told = capsys.readouterr().err
    assert outcome.has_struck
    assert "this mailbox is full" in told
    assert [each for each in (*HIDDEN, str(SEED + CASE.seed)) if each in told] == []
    assert re.findall(r"[\w.+-]+@[\w-]+\.[\w.-]+", told) == []


class _Paged(World):
    """A world whose tables have pages; the bot's token can be recognised."""

    pages: ClassVar[list[str]] = []

    def __init__(self, run: Simulation, folder: Path, fresh: Path) -> None:
        super().__init__(run, folder, fresh)
        self.settings = type(self.settings)(
            **{**self.settings.model_dump(), "discord_token": HIDDEN[0], "web": "https://trains.example"}
        )

    async def judge(self) -> list[str]:
        """Note the addresses of pages."""
        self.pages[:] = [row["token"] for row in self.rows("SELECT token FROM board")]
        return await super().judge()


@pytest.mark.usefixtures("_debug_log")
def test_the_log_of_a_table_on_discord_tells_no_secrets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, fresh_store: Path
) -> None:
    """Neither the token, the seed, the address of a page nor what a position of 1860 hides; where a move fails, too."""
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    runner, case = Runner(tmp_path, _Paged), Case(2, "stop")
    point = next(each for each, _ in runner.run(case).met if each.kind == "commit" and "store_change" in each.place)
    assert runner.run(replace(case, point=point, fault=Fault("broken"))).has_struck
    told = capsys.readouterr().err
    assert "disk I/O error" in told
    assert _Paged.pages
    assert [each for each in (HIDDEN[0], str(SEED + 2), *_Paged.pages) if each in told] == []
    assert re.findall(r"cash|treasury|treasuries", told) == []
