"""In CI no test skips for want of ``../shared`` but those that compare with recorded games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.support.beside import SHARED

PROBE = """
import pytest
from tests.support.beside import beside


{mark}
def test_probe():
    beside("no such record")
"""


@pytest.mark.parametrize("mark", ["", "@pytest.mark.recorded"])
def test_a_skip_that_should_not_be_fails_in_ci(tmp_path: Path, mark: str) -> None:
    """Where the folder is missing an unmarked test fails and a marked one skips; where it is there both fail."""
    probe = tmp_path / "test_probe.py"
    probe.write_text(PROBE.format(mark=mark), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "tests.conftest", str(probe)],
        env={**os.environ, "CI": "true"}, cwd=ROOT, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == (0 if mark and not SHARED.exists() else 1), done.stdout.decode()[-500:]
