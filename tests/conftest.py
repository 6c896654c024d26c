"""What holds for every test: a skip for want of recorded games is rare, and in CI looked at.

A test may skip because ``../shared`` is missing only if it is marked
``recorded``. In CI (``CI=true``) any other such skip is a failure, and so is
one of a marked test where ``../shared`` is there and should have prevented it.
"""

import os

import pytest

from tests.support.beside import SHARED

REASON = "../" + "shared"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip that should not have been into a failure."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        why = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if REASON in why and (SHARED.exists() or item.get_closest_marker("recorded") is None):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {why}"
    return report
