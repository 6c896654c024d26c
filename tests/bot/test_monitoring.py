"""What those who watch the bot are shown: metrics, whether it lives, whether people can play."""

import ast
import asyncio
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn, cast

import pytest
import yaml  # type: ignore[import-untyped]  # it brings no types
from aiohttp import ClientConnectionError, ClientSession
from aiohttp.test_utils import TestClient, TestServer
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from bot.discord.client import DiscordClient
from bot.model.measures import Durations
from bot.model.records import Home, NewTable
from bot.operations import monitoring
from bot.operations.monitoring import MonitoringFront
from bot.service.services import Services
from tests.architecture.sources import files, tree
from tests.bot.conftest import ANN
from tests.support.toy import Bid

DOCS = Path(__file__).parents[2] / "docs"
LOGS, LEVELS = ("log", "_log"), ("debug", "info", "warning", "error", "critical", "exception")


def make_client(*, up: bool = True) -> DiscordClient:
    """Return what monitoring looks at of a client."""
    return cast("DiscordClient", SimpleNamespace(is_listening=up, latency=0.04, guilds=[1, 2]))


async def fetch(services: Services, bot: DiscordClient, path: str) -> tuple[int, str]:
    async with TestClient(TestServer(MonitoringFront(services, bot).make_app())) as client:
        answer = await client.get(path)
        return answer.status, await answer.text()


def read_samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Read metrics as Prometheus does."""
    families = text_string_to_metric_families(text)
    return {
        (sample.name.removeprefix("stationmaster_"), frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def label(**labels: str) -> frozenset[tuple[str, str]]:
    return frozenset(labels.items())


async def test_metrics_count_tables_moves_waits_and_what_is_owed(services: Services, game: int) -> None:
    """A table of three that plays, and one that waits for players; no one sends their posts."""
    await services.table.submit(game, ANN.id, Bid(1))
    await services.lobby.create(ANN, NewTable("toy", 2), Home("g", "c"))
    for seconds in (0.004, 0.3, 9.0):
        services.measures.acknowledged.add(seconds)
    found = read_samples((await fetch(services, make_client(), "/metrics"))[1])
    assert found["tables", label(title="toy", state="open")] == 1
    assert found["tables", label(title="toy", state="running")] == 1
    assert found["moves_total", label(title="toy")] == 1
    assert found["players", label()] == 3
    assert found["servers", label()] == 0, "the one table that plays lives on no server"
    assert found["acknowledgement_seconds_bucket", label(le="0.5")] == 2
    assert found["acknowledgement_seconds_count", label()] == 3
    assert found["gateway_up", label()] == 1
    assert found["guilds", label()] == 2
    assert found["workers", label(lane="moves")] == 1
    assert found["queue", label(kind="post")] > 0
    assert found["queue", label(kind="letter")] == 0
    assert found["store_up", label()] == 1
    assert ("process_resident_memory_bytes", label()) in found


async def test_a_bot_is_ready_if_discord_and_the_database_answer(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await fetch(services, make_client(), "/healthz") == (200, "alive\n")
    assert await fetch(services, make_client(), "/readyz") == (200, "ready\n")
    assert await fetch(services, make_client(up=False), "/readyz") == (503, "not connected to Discord\n")

    def fail() -> NoReturn:
        raise OSError

    monkeypatch.setattr(services.database, "reading", fail)
    assert await fetch(services, make_client(), "/readyz") == (503, "the database doesn't answer\n")
    found = read_samples((await fetch(services, make_client(), "/metrics"))[1])
    assert found["store_up", label()] == 0


async def test_metrics_are_served_once_the_port_is_free(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bots on one machine have one default; a port that is taken ends nothing."""
    monkeypatch.setattr(monitoring, "RETRY_SECONDS", 0.01)
    blocker = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = blocker.sockets[0].getsockname()[1]
    serving = asyncio.create_task(monitoring.serve_monitoring(services, make_client(), f"127.0.0.1:{port}"))
    with capture_logs() as logged:
        await asyncio.sleep(0.05)
    assert [each["event"] for each in logged] == ["metrics not served"]
    blocker.close()
    async with asyncio.timeout(10), ClientSession() as session:
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                    assert await answer.text() == "alive\n"
                    break
            except ClientConnectionError:
                await asyncio.sleep(0.01)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def test_a_histogram_counts_what_is_on_its_bound_below_it() -> None:
    seen = Durations((1.0, 2.0))
    for seconds in (1.0, 1.5, 2.5):
        seen.add(seconds)
    assert seen.list_buckets() == [("1", 1), ("2", 2), ("+Inf", 3)]
    assert seen.total == 5.0


def list_metrics(text: str) -> set[str]:
    """Return the metrics of ours that a file names, without what Prometheus appends to those of a histogram."""
    return {re.sub("_(bucket|count|sum)$", "", name) for name in re.findall(r"stationmaster_([a-z_]+)", text)}


async def test_the_manual_lists_every_metric_and_dashboard_and_alerts_name_no_other(
    services: Services, game: int
) -> None:
    shown = list_metrics(re.sub("# .*", "", (await fetch(services, make_client(), "/metrics"))[1]))
    shown |= {"moves_total"}  # of no title before the first move
    manual = (DOCS / "monitoring.md").read_text(encoding="utf-8").partition("## Metrics")[2].partition("## The log")[0]
    listed = {word for row in re.findall(r"^\| (`.+?) \|", manual, re.MULTILINE) for word in re.findall(r"`(\w+)", row)}
    assert listed == shown
    for name in ("alerts.yml", "dashboard.json"):
        named = list_metrics((DOCS / "monitoring" / name).read_text(encoding="utf-8"))
        assert named
        assert named <= shown
    json.loads((DOCS / "monitoring" / "dashboard.json").read_text(encoding="utf-8"))
    rules = yaml.safe_load((DOCS / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    assert {set(rule) == {"alert", "expr", "for", "labels", "annotations"} for rule in rules} == {True}


def test_the_manual_lists_every_field_of_the_log() -> None:
    used = {"timestamp", "level", "event", "logger", "exception"}
    for node in (node for path in files("bot") for node in ast.walk(tree(path)) if isinstance(node, ast.Call)):
        if isinstance(node.func, ast.Attribute):
            of, does = ast.unparse(node.func.value), node.func.attr
            if (of in LOGS and does in LEVELS) or does == "bound_contextvars":
                used |= {word.arg for word in node.keywords if word.arg}
        if ast.unparse(node.func) == "run_safely":
            used |= {word.arg for word in node.keywords if word.arg}
    manual = (DOCS / "monitoring.md").read_text(encoding="utf-8").partition("## The log")[2]
    listed = {
        word for row in re.findall(r"^\| (`.+?) \|", manual, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)
    }
    assert used - {"exc_info"} <= listed


async def test_without_discord_nothing_of_it_is_shown_or_missed(services: Services) -> None:
    """A bot that serves e-mail alone is ready while its database answers."""
    async with TestClient(TestServer(MonitoringFront(services, None).make_app())) as client:
        assert (await client.get("/readyz")).status == 200
        text = await (await client.get("/metrics")).text()
    assert "gateway" not in text
    assert "stationmaster_" in text
