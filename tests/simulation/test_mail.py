"""Tables by mail on a simulated clock: every command on a line fails, and a guard that is taken out is missed."""

import asyncio
from collections.abc import Awaitable, Callable
from email.message import Message
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy.util import await_only

from bot.mail import origin
from bot.mail.clerk import Clerk
from bot.mail.inbox import Inbox
from tests.simulation import mail_lines
from tests.simulation.mail_world import MAIL, MailWorld, play_by_mail
from tests.simulation.runs import Case, Runner, list_cases

SLICE = 2
"""Cases of the hundreds that ``make simulate`` runs."""


@pytest.fixture
def runner(tmp_path: Path, fresh_store: Path) -> Runner:
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    return Runner(tmp_path, MailWorld, play_by_mail)


def test_a_table_by_mail_is_settled_by_its_seed(runner: Runner) -> None:
    """In both directions: lines, threads and mails give the same trace when a run is repeated."""
    first, again = runner.run_apart(Case(2, MAIL)), runner.run_apart(Case(2, MAIL))
    assert first.faults == []
    assert first.trace == again.trace
    met = {str(point) for point, _ in first.met}
    assert {f"smtp {verb}" for verb in ("connect", "EHLO", "MAIL", "RCPT", "DATA", "TEXT", "QUIT")} <= met
    assert {f"imap {verb}" for verb in ("connect", "LOGIN", "SELECT", "SEARCH", "FETCH", "STORE", "IDLE")} <= met


def test_some_commands_fail_once(runner: Runner) -> None:
    met = [each for each in runner.run_apart(Case(2, MAIL)).met if each[0].kind in mail_lines.FAULTS]
    cases = list(list_cases(Case(2, MAIL), met, mail_lines.FAULTS))
    chosen = cases[3 :: len(cases) // SLICE]
    outcomes = [runner.run_apart(case) for case in chosen]
    assert [(str(each.case), each.faults) for each in outcomes if each.faults] == []
    assert sum(each.has_struck for each in outcomes) >= len(chosen) - 1


def test_it_finds_an_inbox_that_a_mail_stops(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: ``From:`` with 500 "(" broke the reader, and the inbox began with that mail again for ever."""
    assert runner.run_apart(Case(2, MAIL, has_stranger=True)).faults == []

    def find_local_part(message: Message) -> str:
        return parseaddr(str(message.get("From", "")))[1].partition("@")[0]

    async def give_up(self: Clerk, data: bytes, why: str) -> str:
        raise RuntimeError(why)

    def wait_for(self: Inbox, work: Callable[[], Awaitable[str]], loop: asyncio.AbstractEventLoop) -> str:
        return str(await_only(work()))

    monkeypatch.setattr(origin, "_find_local_part", find_local_part)
    monkeypatch.setattr(Clerk, "set_aside", give_up)
    monkeypatch.setattr(Inbox, "_wait_for", wait_for)
    found = runner.run_apart(Case(2, MAIL, has_stranger=True)).faults
    assert "the table could not be played on" in found
    assert any("was not read" in sentence for sentence in found)
