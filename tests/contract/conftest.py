"""The shelf of the contract: the titles of the program and the tiny one of the tests."""

import pytest

from engine import TITLES
from tests.contract.walks import SHELF


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, title in SHELF.items():
        monkeypatch.setitem(TITLES, name, title)
