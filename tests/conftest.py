"""What holds for every test: the kinds of store, and that a skip for want of recorded games is looked at.

A test may skip because ``../shared`` is missing only if it is marked
``recorded``. In CI (``CI=true``) any other such skip is a failure, and so is
one of a marked test where ``../shared`` is there and should have prevented it.

The bot is imported where it is used: the process that only hands out tests
loads this file too, and would go through every module of the bot to count its
lines before the first test begins.
"""

import asyncio
import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.support.beside import SHARED


def pytest_configure() -> None:
    """Let no example be late on a busy machine; print errors that are logged without their locals, which take long.

    While modules are loaded and tests collected next to nothing becomes garbage, so its collector waits till then.
    """
    gc.disable()
    settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    ending = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], ending])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with long tests, whatever the order of the others, so that no process waits for one in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Let the collector of garbage begin, seldom, and spare it what stays until the end anyway: modules and tests."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip that should not have been into a failure."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        why = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if "../shared" in why and (SHARED.exists() or item.get_closest_marker("recorded") is None):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {why}"
    return report


@pytest.fixture(scope="session")
def fresh_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as the migrations make it, to be copied: they are tested once, not in each test."""
    from bot.store.database import Database
    from tests.support import quick_files

    quick_files.hasten()
    path = tmp_path_factory.mktemp("fresh") / "store.sqlite"

    async def make() -> None:
        await (await Database.open(path)).close()

    asyncio.run(make())
    return path


@pytest.fixture(scope="session")
def server_store(testrun_uid: str, worker_id: str) -> str:
    """A store on a PostgreSQL server, for the tests of this process one after the other."""
    from tests.support import postgres

    return postgres.make_store(postgres.start_server(testrun_uid), f"tests_{worker_id}")


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """Which kind of store; a module that wants both has ``pytestmark = BOTH``."""
    return getattr(request, "param", "sqlite")
