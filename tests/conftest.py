"""The kinds of store: a file, and a real PostgreSQL server."""

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def server_store(testrun_uid: str, worker_id: str) -> str:
    """A store on a PostgreSQL server, for the tests of this process one after the other."""
    return postgres.made(postgres.started(testrun_uid), f"tests_{worker_id}")


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """Which kind of store; a module that wants both has ``pytestmark = BOTH``."""
    return getattr(request, "param", "sqlite")
