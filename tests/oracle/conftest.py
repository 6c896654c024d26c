"""Says at the end which files the public engine accepted only when asked aside what may be merged (differences 60)."""

import pytest

ASIDE = "asked aside"
"""The note of a test whose file the engine refused with the look before a merge, and accepted without."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the notes of all tests, also of those that ran in other processes."""
    reports = (report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind))
    noted = [
        f"{report.nodeid} {what}"
        for report in reports
        if report.when == "call"
        for name, what in report.user_properties
        if name == ASIDE
    ]
    if noted:
        terminalreporter.section(f"{len(noted)} judged with the look before a merge aside (differences 60)")
        for line in noted:
            terminalreporter.line(line)
