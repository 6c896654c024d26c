"""Each await fails once; and the blockers of 0.2 are found when their fixes are taken out."""

import re
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from bot.discord import post_sender
from bot.discord.client import RETRIED_STATUSES
from bot.discord.errors import classify_error
from bot.model.posts import Ping
from bot.screens import screen
from bot.service.inspection import Inspection
from bot.service.obligations import Obligations
from bot.service.outbox import Outbox
from tests.simulation.__main__ import replay
from tests.simulation.branches import run_branches
from tests.simulation.points import CLASSES, FAULTS, SPELL_SECONDS, Fault
from tests.simulation.runs import Case, Outcome, Runner, list_cases

QUICK = "begin"
SLICE = 2
"""Cases of the two thousand that ``make simulate`` runs."""
HANDLED = {
    "token": "token",
    "forbidden": "forbidden",
    "limit": "line",
    "line": "line",
    "unsure": "line",
    "form": "form",
}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory, fresh_store: Path) -> Runner:
    folder = tmp_path_factory.mktemp("simulation")
    (folder / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    return Runner(folder)


@pytest.fixture(scope="module")
def calm(runner: Runner) -> Outcome:
    """A run in which nothing goes wrong."""
    outcome = runner.run_apart(Case(2, QUICK))
    assert outcome.faults == []
    return outcome


@pytest.mark.parametrize("status", range(400, 600))
def test_every_status_has_one_class_and_is_handled_as_it_says(status: int) -> None:
    named = [name for name, statuses in CLASSES.items() if status in statuses]
    assert len(named) == 1
    answer = SimpleNamespace(status=status, reason="", headers={})
    assert classify_error(discord.HTTPException(answer, "")) == HANDLED[named[0]]
    assert (named[0] == "unsure") == (status in RETRIED_STATUSES)


def test_some_awaits_fail_once(runner: Runner, calm: Outcome) -> None:
    """The whole list is in ``make simulate``."""
    assert {point.kind for point, _ in calm.met} == set(FAULTS)
    cases = list(list_cases(Case(2, QUICK), calm.met))
    chosen = cases[7 :: len(cases) // SLICE]
    outcomes = [runner.run_apart(case) for case in chosen]
    assert [(str(each.case), each.faults) for each in outcomes if each.faults] == []
    assert sum(each.has_struck for each in outcomes) >= len(chosen)


def test_people_do_what_they_want_to(runner: Runner) -> None:
    """Undo and redo by vote, a refusal, the stand-in, a proxy, another person: nothing is wrong afterwards."""
    assert runner.run_apart(Case(2, "agree")).faults == []


def find_case(calm: Outcome, place: str, fault: Fault, nth: int = 1) -> Case:
    """Return the case in which a fault comes the nth time that a request is sent from a place."""
    point = next(point for point, _ in calm.met if point.kind == "request" and place in point.place)
    return Case(2, QUICK, point, fault, nth)


def test_a_login_that_discord_refuses_is_tried_again(runner: Runner, calm: Outcome) -> None:
    """Only a wrong token ends the bot: it would be started again at once, and be refused again."""
    outcome = runner.run_apart(find_case(calm, "client.py:login", Fault("status 403", SPELL_SECONDS)))
    assert outcome.has_struck
    assert outcome.faults == []


def test_a_post_that_may_stand_where_the_bot_may_not_look_is_looked_for_later(runner: Runner) -> None:
    """A table that moved left it behind; its message there must not stay as it is beside the new one."""
    met = runner.run_apart(Case(1, "move")).met
    point = next(point for point, _ in met if point.kind == "request" and "channels.py:find:" in point.place)
    outcome = runner.run_apart(Case(1, "move", point, Fault("status 403", SPELL_SECONDS), 1))
    assert outcome.has_struck
    assert outcome.faults == []


def test_a_printed_case_is_replayed_exactly(runner: Runner, calm: Outcome, capsys: pytest.CaptureFixture[str]) -> None:
    case = find_case(calm, "channels.py:send", Fault("killed after"))
    """Also where it was a branch of a run that went on to other faults."""
    (outcome,) = run_branches(runner, Case(2, QUICK), [case])
    assert outcome.has_struck
    assert replay({case.scene: runner}, str(case).split()) == 0
    assert capsys.readouterr().out.splitlines() == outcome.trace


def test_it_finds_a_loop_that_a_forged_button_freezes(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: the version of ``v1|1|-1|ask|bid`` was read, and never written to the end."""
    monkeypatch.setattr("tests.simulation.loop.TICK_SECONDS", 0.05)

    def format_base36(number: int) -> str:
        digits = ""
        while number or not digits:
            number, rest = divmod(number, 36)
            digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits[:100]
        return digits

    monkeypatch.setattr(screen, "_CUSTOM_ID", re.compile(r"v1\|(-?[0-9a-z]{1,6})\|(-?[0-9a-z]{1,6})\|([a-z]+)\|(.*)"))
    monkeypatch.setattr(screen, "format_base36", format_base36)
    found = runner.run_apart(Case(5, QUICK, has_stranger=True)).faults
    assert "FrozenError" in found[0]
    assert "format_base36" in found[0]


async def inspect_nothing(self: Inspection) -> list[object]:
    """Find nothing wrong at any table."""
    del self
    return []


async def hurry_nothing(self: Outbox, guild: str) -> None:
    """Leave the posts of a server to their time."""
    del self, guild


def test_it_finds_a_table_that_refusals_silence(runner: Runner, calm: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: what Discord refused three times was given up, the turn as well, and nothing looked after it."""
    case = find_case(calm, "channels.py:send", Fault("status 400", SPELL_SECONDS), nth=3)
    monkeypatch.setattr(post_sender, "MAX_ATTEMPTS", 3)
    monkeypatch.setattr(post_sender, "NEVER_DROPPED", ())
    monkeypatch.setattr(Inspection, "run_round", inspect_nothing)
    assert any(sentence.startswith("turn: 1:turn:") for sentence in runner.run_apart(case).faults)


def test_it_finds_results_that_are_given_up(runner: Runner, calm: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: the result of a turn that Discord refused three times was never posted."""
    monkeypatch.setattr(post_sender, "MAX_ATTEMPTS", 3)
    monkeypatch.setattr(post_sender, "NEVER_DROPPED", ())
    monkeypatch.setattr(Inspection, "run_round", inspect_nothing)
    case = find_case(calm, "channels.py:edit", Fault("status 400", SPELL_SECONDS), nth=3)
    assert any(sentence.startswith("summary: 1:summary:") for sentence in runner.run_apart(case).faults)


async def reach_no_one(self: Obligations, ping: Ping) -> None:
    """Leave it at a private message that Discord refuses."""
    del self, ping


def test_it_finds_a_player_whom_private_messages_do_not_reach(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.2: who had chosen private messages and closed them was called nowhere."""
    point, count = next(each for each in runner.run_apart(Case(2, "private")).met if "channels.py:send" in str(each[0]))
    case = Case(2, "private", point, Fault("status 403", SPELL_SECONDS), count)
    assert runner.run_apart(case).faults == []
    monkeypatch.setattr(Obligations, "note_unreachable", reach_no_one)
    assert any(sentence.startswith("called: 1:turn:3 was to call") for sentence in runner.run_apart(case).faults)


def test_it_finds_a_table_that_lost_permissions_silence(
    runner: Runner, calm: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.2: after 403 for twelve seconds a table was silent for up to ten minutes."""
    case = find_case(calm, "channels.py:send", Fault("status 403", SPELL_SECONDS), nth=5)
    monkeypatch.setattr(post_sender.PostSender, "_find_refused_wait", lambda *_: 600)
    monkeypatch.setattr(Outbox, "hurry", hurry_nothing)
    monkeypatch.setattr(Inspection, "run_round", inspect_nothing)
    assert any(sentence.startswith("turn: 1:turn:") for sentence in runner.run_apart(case).faults)
