"""The command line: run, mail, migrate, backup, restore, check, tables, export, replay, doctor and so on.

Each command stands in the module that does its work, which is loaded when it is
called: replaying a log does not wait for the database, nor the terminal for Discord's library.
"""

import asyncio
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, TypeVar

import typer
from typer.core import TyperGroup

from bot.model.errors import BotError, explain_error
from engine import LogError, RuleError, UnreadableLogError

MODULES = {
    "mail": "mailing",
    "migrate": "backup",
    "export": "backup",
    "album": "backup",
    "tables": "personal",
    "servers": "personal",
    "league": "personal",
    "person": "personal",
    "forget": "personal",
    "backup": "backup",
    "restore": "backup",
    "check": "repair",
    "replay": "replay",
    "selfplay": "selfplay",
    "bench": "selfplay",
    "doctor": "doctor",
    "health": "doctor",
}
"""The module of each command but ``run``, in the order of the help."""
REFUSED, UNREADABLE = 1, 2
T = TypeVar("T")
Watch = Callable[[str, int, int], None]
"""Is told what is done, how many of it, and of how many; 0 where no one knows."""


class Commands(TyperGroup):
    """The commands, loaded on use; their refusals are one line on standard error and exit code 1."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  # typer gives its Context no public name
        """Return the names of all commands."""
        del ctx
        return ["run", *MODULES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401  # nor its Command
        """Return a command, ``None`` if there is none of this name."""
        if cmd_name not in MODULES:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"bot.operations.{MODULES[cmd_name]}")
        return typer.main.get_group(module.commands).get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> object:  # noqa: ANN401  # likewise
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (BotError, RuleError, LogError, UnreadableLogError) as refusal:
            end_with(explain_error(refusal) or "", REFUSED)


app = typer.Typer(
    name="stationmaster",
    help="Play long railway board games in Discord, by e-mail or at a local table.",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # typer hands over what was typed
    if wanted:
        typer.echo(f"stationmaster {metadata.version('stationmaster')}")
        raise typer.Exit


@app.callback()
def stationmaster(
    version: Annotated[  # noqa: FBT002  # its callback ends the program
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Let typer choose a command; without this callback it makes no group."""


@app.command()
def run() -> None:
    """Run the bot; without DISCORD_TOKEN, open a local table and serve e-mail if it is set up.

    Without a terminal, it serves e-mail alone.
    """
    from bot.operations.settings import load_settings  # noqa: PLC0415  # other commands do without it

    settings = load_settings()
    if not settings.bot_token and (sys.stdin.isatty() or not settings.mails):
        from bot import terminal  # noqa: PLC0415  # likewise
        from bot.web.server import open_local_pages  # noqa: PLC0415  # likewise

        served: list[terminal.Serve] = []
        if settings.web != "off":
            served.append(partial(open_local_pages, listen=settings.web_listen))
        if settings.mails:
            from bot.operations.serve import serve_beside_terminal  # noqa: PLC0415  # likewise

            served.append(partial(serve_beside_terminal, settings=settings))
        asyncio.run(terminal.run(settings.database, settings.pictures, sys.stdin, sys.stdout, served, settings.folder))
        return
    from bot.operations.logs import log_crashes  # noqa: PLC0415  # likewise

    log_crashes()
    from bot.discord.client import LoginRefusedError  # noqa: PLC0415  # the terminal does not wait for this library
    from bot.operations.serve import serve  # noqa: PLC0415  # likewise

    try:
        asyncio.run(serve(settings, settings.bot_token))
    except LoginRefusedError as refusal:
        end_with(str(refusal), REFUSED)


def end_with(sentence: str, code: int) -> NoReturn:
    """Say one line on standard error and end."""
    typer.echo(" ".join(sentence.split())[:1000], err=True)
    raise typer.Exit(code)


def find_document(name: str) -> Path:
    """Return where a page of the manual is: in the checkout, or installed with the program."""
    checkout = Path(__file__).parents[2] / "docs" / name
    return checkout if checkout.exists() else Path(sysconfig.get_path("data"), "share", "doc", "stationmaster", name)


def main() -> None:
    """Run the command line."""
    app()


def ignore_progress(what: str, done: int, of: int) -> None:
    """Take no notice."""
    del what, done, of


@contextmanager
def show_progress(file: TextIO | None = None) -> Iterator[Watch]:
    """Show how far work is while the block runs; the bar is gone when it ends.

    Args:
        file: where to; standard error if left out. One that is no terminal gets nothing.
    """
    file = file or sys.stderr
    if not file.isatty():
        yield ignore_progress
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


def show_waiting(items: Iterable[T], what: str, file: TextIO | None = None) -> Iterator[T]:
    """Yield items, showing that the next one is on its way while it is awaited."""
    left = iter(items)
    while True:
        with show_progress(file) as watch:
            watch(what, 0, 0)
            try:
                item = next(left)
            except StopIteration:
                return
        yield item
