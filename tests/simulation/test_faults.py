"""Each await fails once; and the blockers of 0.2 are found when what mends them is taken out."""

import re
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from bot.discord import post_sender
from bot.discord.client import RETRIED_STATUSES
from bot.discord.errors import classify_error
from bot.discord.recovery import Recovery
from bot.screens import screen
from tests.simulation.points import CLASSES, FAULTS, SPELL_SECONDS, Fault
from tests.simulation.runs import Case, Runner, list_cases

SLICE = 6
"""Cases of the thousand that ``make simulate`` runs."""
HANDLED = {
    "token": "token",
    "forbidden": "forbidden",
    "limit": "line",
    "line": "line",
    "unsure": "line",
    "form": "form",
}


@pytest.fixture
def runner(tmp_path: Path, fresh_store: Path) -> Runner:
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    return Runner(tmp_path)


@pytest.mark.parametrize("status", range(400, 600))
def test_every_status_has_one_class_and_is_handled_as_it_says(status: int) -> None:
    named = [name for name, statuses in CLASSES.items() if status in statuses]
    assert len(named) == 1
    answer = SimpleNamespace(status=status, reason="", headers={})
    assert classify_error(discord.HTTPException(answer, "")) == HANDLED[named[0]]
    assert (named[0] == "unsure") == (status in RETRIED_STATUSES)


def test_some_awaits_fail_once(runner: Runner) -> None:
    """The whole list is in ``make simulate``; here every hundredth."""
    calm = runner.run_apart(Case(2))
    assert calm.faults == []
    assert {point.kind for point, _ in calm.met} == set(FAULTS)
    cases = list(list_cases(Case(2), calm.met))
    chosen = cases[:: len(cases) // SLICE]
    outcomes = [runner.run_apart(case) for case in chosen]
    assert [(str(each.case), each.faults) for each in outcomes if each.faults] == []
    assert sum(each.has_struck for each in outcomes) >= len(chosen) - 2


def sending_cases(runner: Runner, fault: Fault) -> list[Case]:
    """Return the cases in which requests to channels fail."""
    met = [each for each in runner.run_apart(Case(2)).met if "discord/channels.py" in each[0].place]
    return [case for case in list_cases(Case(2), met) if case.fault == fault]


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_a_login_that_discord_refuses_is_tried_again(runner: Runner, status: int) -> None:
    """Only a wrong token ends the bot: it would be started again at once, and be refused again."""
    met = runner.run_apart(Case(2)).met
    point = next(point for point, _ in met if point.kind == "request" and "client.py:login" in point.place)
    outcome = runner.run_apart(Case(2, point=point, fault=Fault(f"status {status}", SPELL_SECONDS)))
    assert outcome.has_struck
    assert outcome.faults == []


def test_it_finds_a_loop_that_a_forged_button_freezes(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: the version of ``v1|1|-1|ask|bid`` was read, and never written to the end."""
    assert runner.run_apart(Case(5, has_stranger=True)).faults == []
    monkeypatch.setattr("tests.simulation.loop.TICK_SECONDS", 0.05)

    def format_base36(number: int) -> str:
        digits = ""
        while number or not digits:
            number, rest = divmod(number, 36)
            digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits[:100]
        return digits

    monkeypatch.setattr(screen, "_CUSTOM_ID", re.compile(r"v1\|(-?[0-9a-z]{1,6})\|(-?[0-9a-z]{1,6})\|([a-z]+)\|(.*)"))
    monkeypatch.setattr(screen, "format_base36", format_base36)
    found = runner.run_apart(Case(5, has_stranger=True)).faults
    assert "FrozenError" in found[0]
    assert "format_base36" in found[0]


def test_it_finds_a_table_that_refusals_silence(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: what Discord refused three times was given up, the turn as well, and nothing looked after it."""

    async def look_away(self: Recovery) -> None:
        del self

    monkeypatch.setattr(post_sender, "MAX_ATTEMPTS", 3)
    monkeypatch.setattr(post_sender, "NEVER_DROPPED", ())
    monkeypatch.setattr(Recovery, "check_turns", look_away)
    cases = sending_cases(runner, Fault("status 400", SPELL_SECONDS))
    assert any("has 0 live messages" in sentence for case in cases for sentence in runner.run_apart(case).faults)
