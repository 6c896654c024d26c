"""What the Dockerfile says, and what an installed package must bring along."""

import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it brings no types
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.operations.settings import list_variables
from tests.architecture.sources import PACKAGES, files, imports

ROOT = Path(__file__).parents[1]


def test_the_dockerfile_installs_with_the_script_that_is_tested_here() -> None:
    runs = re.findall(r"^RUN (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert runs[0] == "scripts/install /opt/stationmaster"
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), f"the Dockerfile copies {name}, which is not there"


def test_the_dockerfile_runs_unprivileged_with_a_volume_and_a_health_check() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER [1-9]\d+$", text, re.MULTILINE)
    assert "VOLUME /data" in text
    assert 'CMD ["stationmaster", "health"]' in text


def test_the_two_bots_of_the_compose_file_share_one_store_and_all_shards() -> None:
    bots = list_composed_bots()
    shards = [bot["environment"]["STATIONMASTER_SHARDS"].split("/") for bot in bots]
    assert [int(number) for number, _ in shards] == list(range(len(shards)))
    assert {int(count) for _, count in shards} == {len(shards)} == {2}
    (address,) = {bot["environment"]["STATIONMASTER_DATABASE"] for bot in bots}
    assert address == "${STATIONMASTER_DATABASE:-postgresql://stationmaster@store/stationmaster}"
    assert all(bot["environment"]["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?") for bot in bots)


def list_composed_bots() -> list[dict[str, Any]]:
    """Return the services of the compose file that are bots."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    return [service for service in services.values() if service["image"] == "stationmaster"]


def test_whatever_stands_in_env_reaches_both_bots_of_the_compose_file() -> None:
    """Only what tells the bots apart is settled by the file itself; a missing .env breaks nothing."""
    bots = list_composed_bots()
    assert len(bots) == 2
    for bot in bots:
        assert bot["env_file"] == [{"path": ".env", "required": False}]
        kept = {name for name, value in bot["environment"].items() if f"${{{name}:" not in str(value)}
        assert kept == {"STATIONMASTER_SHARDS", "PGPASSWORD"}
        assert set(bot["environment"]) - {"PGPASSWORD"} <= set(list_variables().values())


def pins(lock: str) -> dict[str, set[str]]:
    """Return what a lock file pins: the hashes of each requirement with its version."""
    found: dict[str, set[str]] = {}
    pinned = ""
    for line in (ROOT / lock).read_text().splitlines():
        if match := re.match(r"(\S+==\S+)", line):
            pinned = match[1]
        found.setdefault(pinned, set()).update(re.findall(r"--hash=(\S+)", line))
    return found


def list_needs(name: str, python: str, extras: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield a distribution and all it needs on a Python, by the metadata of what is installed here."""
    yield canonicalize_name(name)
    try:
        requires = distribution(name).requires or []
    except PackageNotFoundError:  # another Python needs it
        return
    for line in requires:
        wanted, there = Requirement(line), {"python_version": python, "python_full_version": f"{python}.0"}
        marker = wanted.marker
        if marker is None or any(marker.evaluate({**there, "extra": extra}) for extra in {"", *extras}):
            yield from list_needs(wanted.name, python, frozenset(wanted.extras))


def list_promised_versions() -> list[str]:
    """Return the versions of Python that the package says it runs on."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    return re.findall(r"Python :: (3\.\d+)$", "\n".join(classifiers), re.MULTILINE)


def test_ci_tests_every_python_that_is_promised_counts_coverage_and_builds_the_image() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    assert re.findall(r'"(3\.\d+)"', workflow) == list_promised_versions() == ["3.11", "3.12", "3.13", "3.14"]
    for command in ("make test\n", "make coverage\n", "docker build "):
        assert f"run: {command}" in workflow


def test_a_tag_publishes_the_notes_of_its_version_and_an_image_that_names_it() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    assert yaml.safe_load(workflow)["jobs"]["release"]["steps"]
    arguments = re.findall(r"^ARG (\w+)=", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert arguments
    assert all(f"--build-arg {name}=" in workflow for name in arguments)
    notes = subprocess.run(["scripts/notes", "0.2.0"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert notes.strip().startswith("### Added\n- Play by e-mail")
    assert "0.1.0" not in notes
    assert subprocess.run(["scripts/notes", "0.2"], cwd=ROOT, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("python", list_promised_versions())
def test_the_lock_has_what_every_python_needs(python: str) -> None:
    """A package that only newer ones need, such as ``audioop-lts``, is pinned too: pip refuses what has no hash."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = {
        name for each in map(Requirement, project) for name in list_needs(each.name, python, frozenset(each.extras))
    }
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert wanted <= {pin.partition("==")[0] for pin in pins(lock)}


def test_every_library_that_is_imported_is_declared() -> None:
    """What comes along with another library may go with its next version."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    libraries = [distribution(Requirement(each).name) for each in declared]
    homes = {path.parts[0].removesuffix(".py") for library in libraries for path in library.files or ()}
    imported = {module.partition(".")[0] for path in files() for module, _ in imports(path)}
    assert imported - {"bot", "engine", "render"} - sys.stdlib_module_names - homes == set()


def test_hosts_install_the_same_pinned_packages_as_the_tests() -> None:
    """Hosts install requirements.lock, these tests run with requirements-dev.lock: the same files, none missing."""
    hosts, ours = pins("requirements.lock"), pins("requirements-dev.lock")
    assert len(hosts) > 40
    assert all(ours.get(pin) == hashes for pin, hashes in hosts.items())


WELL = """
import bot, engine, render
from bot.operations.cli import app
print(bot.__file__, engine.__file__, render.__file__)
app(["migrate"], standalone_mode=False)
app(["doctor"])
"""


@pytest.mark.slow
def test_an_installed_package_is_well(tmp_path: Path) -> None:
    """It brings its data, fonts and migrations along: the doctor finds nothing amiss.

    What it needs is taken from this environment; ``make install-check`` installs that too, as the Dockerfile does.
    """
    environment = {**os.environ, "STATIONMASTER_DATABASE": str(tmp_path / "games.sqlite"), "PIP_NO_COMPILE": "1"}
    environment["STATIONMASTER_PICTURES"] = str(tmp_path / "pictures")
    environment.pop("PYTHONPATH", None)
    target = tmp_path / "venv"
    venv.create(target, with_pip=False)
    python = target / "bin" / "python"
    site = [str(python), "-c", "import site; print(site.getsitepackages()[0])"]
    packages = Path(subprocess.run(site, check=True, capture_output=True, text=True).stdout.strip())
    beside = [path for path in sys.path if path.endswith("site-packages")]  # but not what is linked from there
    (packages / "beside.pth").write_text("\n".join(beside))
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run(
        [*install, "--ignore-installed", "--no-build-isolation", str(ROOT)], check=True, env=environment, cwd=tmp_path,
        timeout=300,
    )  # fmt: skip
    assert "bot.operations.cli" in (target / "bin" / "stationmaster").read_text()
    told = subprocess.run(
        [str(python), "-c", WELL],
        check=False,
        env=environment,
        cwd=tmp_path,
        timeout=300,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "1860" in told.stdout
    assert told.stdout.splitlines()[0].count(str(target)) == 3, "it ran what was installed"
    for package in PACKAGES:
        assert (packages / package / "py.typed").exists(), "type checkers read its annotations"
