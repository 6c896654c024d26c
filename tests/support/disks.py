"""Disks of a few megabytes, mounted for a test: really full, or really read-only, also for root."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def mount_small_disk(place: Path) -> Iterator[Path]:
    """Mount a disk of three megabytes; a user who may not mount skips the test."""
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("only root may mount a disk here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(filler: Path) -> None:
    """Write until nothing more fits."""
    with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
        for size in (1 << 16, 1 << 9, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass


def set_read_only(place: Path, *, on: bool) -> None:
    """Let nothing more be written to a mounted disk, or lift that."""
    subprocess.run(["mount", "-o", f"remount,{'ro' if on else 'rw'}", place], check=True)
