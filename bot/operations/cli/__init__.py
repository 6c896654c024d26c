"""The command line: run, mail, migrate, backup, restore, check, export, replay, selfplay, bench, doctor, health.

Each command stands in a module that is loaded when it is called: who replays a
log does not wait for the store, nor the terminal for Discord's library.
"""

from importlib import import_module, metadata
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot.model.errors import BotError, sentence_of
from bot.operations.cli.ending import REFUSED, end
from engine import LogError, RuleError, UnreadableLogError

WHERE = {
    "run": "serving",
    "mail": "by_mail",
    "migrate": "keeping",
    "export": "keeping",
    "backup": "keeping",
    "restore": "keeping",
    "check": "keeping",
    "replay": "replaying",
    "selfplay": "playing_alone",
    "bench": "measuring",
    "doctor": "serving",
    "health": "serving",
}
"""The module of each command, in the order of the help."""


class Commands(TyperGroup):
    """The commands, loaded on use; their refusals are one line on standard error and exit code 1."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  # typer gives its Context no public name
        """Return the names of all commands."""
        del ctx
        return list(WHERE)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401  # nor its Command
        """Return a command, ``None`` if there is no such."""
        if cmd_name not in WHERE:
            return None
        module = import_module(f"{__name__}.{WHERE[cmd_name]}")
        return typer.main.get_group(module.commands).get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> object:  # noqa: ANN401  # likewise
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (BotError, RuleError, LogError, UnreadableLogError) as refusal:
            end(sentence_of(refusal) or "", REFUSED)


app = typer.Typer(
    name="stationmaster",
    help="A Discord bot, and a local table, for long railway board games.",
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
    """Let a command be chosen; without this typer has no group."""


def main() -> None:
    """Run the command line."""
    app()
