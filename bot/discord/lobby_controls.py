"""Buttons of the lobby message."""

from bot.discord.answer import Answer
from bot.discord.permissions import refuse_missing
from bot.discord.screen import Screen
from bot.discord.wire import Control
from bot.records import Table
from bot.seating import listed
from engine import TITLES

HOW_TURNS_WORK = (
    "-# When it is your turn you are mentioned once, with the board and buttons.",
    "-# **Act** opens your private desk: only what is legal, nothing played before **Confirm**.",
    "-# **Take it back** is free until somebody else has acted.",
)


async def join(answer: Answer, control: Control) -> None:
    """Take a seat."""
    await answer.acknowledge()
    table = await answer.office.house.lobby.join(control.game, answer.person)
    lines = (f"You sit at “{table.name}” with {listed(table.names)}.", *HOW_TURNS_WORK)
    await answer.show(Screen("\n".join(lines)))


async def leave(answer: Answer, control: Control) -> None:
    """Give up the seat."""
    await answer.acknowledge()
    table = await answer.office.house.lobby.leave(control.game, answer.user)
    await answer.show(Screen(f"You have left “{table.name}”."))


async def start(answer: Answer, control: Control) -> None:
    """Begin the game."""
    await answer.acknowledge()
    refuse_missing(answer.interaction)
    outcome = await answer.office.house.lobby.start(control.game, answer.user)
    await answer.show(Screen(" ".join(outcome.sentences)))


async def variants(answer: Answer, control: Control) -> None:
    """Show what the table has agreed on, and what else there is."""
    await answer.acknowledge()
    table = await answer.office.house.lobby.info(control.game)
    await answer.show(Screen("\n".join(option_lines(table))))


def option_lines(table: Table) -> list[str]:
    """Return a line for each option of a table: its value, and what it means."""
    lines = [f"**Variants of “{table.name}”**"]
    for option in TITLES[table.title].options:
        value = table.options.get(option.name, option.default)
        words = dict(option.values).get(value, value)
        lines.append(f"**{option.label}**: {words} — {option.help} (`{option.name}={value}`)")
    return lines if len(lines) > 1 else [*lines, "This title has none."]
