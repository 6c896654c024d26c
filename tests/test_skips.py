"""In CI no test skips for want of ``../shared`` but those that compare with recorded games."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import ROOT
from tests.support.beside import SHARED

PROBE = """
import pytest
from tests.support.beside import beside


def test_plain():
    beside("no such record")


@pytest.mark.recorded
def test_marked():
    beside("no such record")
"""


def test_a_skip_that_should_not_be_fails_in_ci(tmp_path: Path) -> None:
    """Where the folder is missing an unmarked test fails and a marked one skips; where it is there both fail."""
    probe = tmp_path / "test_probe.py"
    probe.write_text(PROBE, encoding="utf-8")
    without = [f"-pno:{name}" for name in ("hypothesispytest", "xdist", "randomly", "cacheprovider")]
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "SLIPCOVER"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "tests.conftest", *without, str(probe)],
        env={**ours, "CI": "true"}, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert re.search(r"^FAILED \S*::test_plain", done.stdout, re.MULTILINE), done.stdout[-500:]
    marked = "FAILED" if SHARED.exists() else "SKIPPED"
    assert re.search(rf"^{marked} .*(test_marked|no such record)", done.stdout, re.MULTILINE), done.stdout[-500:]
    assert done.returncode == 1
