"""The install that the Dockerfile runs, run outside it; and what a package must bring along."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_dockerfile_installs_with_the_script_that_is_tested_here() -> None:
    runs = re.findall(r"^RUN (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert runs[0] == "scripts/install /opt/stationmaster"
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), f"the Dockerfile copies {name}, which is not there"


def test_the_dockerfile_runs_as_nobody_special_with_a_volume_and_a_health_check() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER [1-9]\d+$", text, re.MULTILINE)
    assert "VOLUME /data" in text
    assert 'CMD ["stationmaster", "health"]' in text


def test_the_two_bots_of_the_compose_file_share_one_store_and_all_shards() -> None:
    text = (ROOT / "compose.yaml").read_text()
    shards = [words.split("/") for words in re.findall(r"STATIONMASTER_SHARDS: (\S+)", text)]
    assert [int(number) for number, _ in shards] == list(range(len(shards)))
    assert {int(count) for _, count in shards} == {len(shards)} == {2}
    assert text.count("STATIONMASTER_DATABASE: postgresql://") == 1
    assert text.count("<<: *settings") == len(shards)


@pytest.mark.slow
def test_a_fresh_install_is_well(tmp_path: Path) -> None:
    """The installed package brings data, fonts and migrations: the doctor finds nothing amiss."""
    environment = {**os.environ, "PYTHON": sys.executable, "STATIONMASTER_DATABASE": str(tmp_path / "games.sqlite")}
    environment["STATIONMASTER_PICTURES"] = str(tmp_path / "pictures")
    environment["PIP_NO_COMPILE"] = "1"  # what is not compiled runs as well, and is there sooner
    environment.pop("PYTHONPATH", None)
    target = tmp_path / "venv"
    subprocess.run([ROOT / "scripts/install", target], check=True, env=environment, cwd=tmp_path, timeout=600)
    for command in ("migrate", "doctor"):
        told = subprocess.run(
            [target / "bin/stationmaster", command],
            check=False, env=environment, cwd=tmp_path, timeout=120, capture_output=True, text=True,
        )  # fmt: skip
        assert told.returncode == 0, told.stdout + told.stderr
    assert "1860" in told.stdout
