"""How far long work has come, on a terminal: a bar with a count and the time. In a pipe nothing is written."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

T = TypeVar("T")
Watch = Callable[[str, int, int], None]
"""Is told what is done, how many of it, and of how many; 0 where nobody knows."""


def unwatched(what: str, done: int, of: int) -> None:
    """Take no notice."""
    del what, done, of


@contextmanager
def shown(file: TextIO | None = None) -> Iterator[Watch]:
    """Show how far work is while the block runs; the bar is gone when it ends.

    Args:
        file: where to; standard error if left out. One that is no terminal gets nothing.
    """
    file = file or sys.stderr
    if not file.isatty():
        yield unwatched
        return
    from rich.console import Console  # noqa: PLC0415  # a pipe does not wait for it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(file=file)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bars:
        bar = bars.add_task("", total=None)

        def watch(what: str, done: int, of: int) -> None:
            bars.update(bar, description=what, completed=done, total=of or None)

        yield watch


def waited_for(items: Iterable[T], what: str, file: TextIO | None = None) -> Iterator[T]:
    """Yield items, showing that the next one is on its way while it is awaited."""
    left = iter(items)
    while True:
        with shown(file) as watch:
            watch(what, 0, 0)
            try:
                item = next(left)
            except StopIteration:
                return
        yield item
