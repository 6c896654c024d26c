"""Buttons of the lobby message."""

import asyncio

from bot.model.errors import BotError
from bot.model.records import Table
from bot.model.seating import listed
from bot.screens.answer import Answer
from bot.screens.screen import Button, Menu, MenuOption, Screen, clip, rows_of
from bot.screens.wire import Control
from bot.service.opening import own_files
from engine import TITLES

PER_MENU = 25
MOST_GUESTS = 10
HOW_TURNS_WORK = (
    "-# When it is your turn you are mentioned once, with the board and buttons.",
    "-# **Act** opens your private desk: only what is legal, nothing played before **Confirm**.",
    "-# **Take it back** is free until somebody else has acted.",
)


async def join(answer: Answer, control: Control) -> None:
    """Take a seat."""
    await answer.acknowledge()
    await answer.services.servers.refuse_role(answer.guild, answer.roles)
    table = await answer.services.lobby.join(control.game, answer.person)
    lines = (f"You sit at “{table.name}” with {listed(table.names)}.", *HOW_TURNS_WORK)
    await answer.show(Screen("\n".join(lines)))


async def leave(answer: Answer, control: Control) -> None:
    """Give up the seat."""
    await answer.acknowledge()
    table = await answer.services.lobby.leave(control.game, answer.user)
    await answer.show(Screen(f"You have left “{table.name}”."))


async def start(answer: Answer, control: Control) -> None:
    """Begin the game."""
    await answer.acknowledge()
    table = await answer.services.lobby.info(control.game)
    answer.refuse_missing_permissions(table.home.channel)
    outcome = await answer.services.lobby.start(control.game, answer.user)
    await answer.show(Screen(" ".join(outcome.sentences)))


async def invite(answer: Answer, control: Control) -> None:
    """Ask the host whom to invite."""
    await answer.acknowledge()
    menu = Menu("Whom?", Control(control.game, 0, "guests"), (), most=MOST_GUESTS)
    await answer.show(Screen("**Invite people**\nThey are told once, and may take a seat.", menus=(menu,)))


async def guests(answer: Answer, control: Control) -> None:
    """Invite those who were chosen."""
    await answer.acknowledge()
    chosen = answer.values[:MOST_GUESTS]
    table = await answer.services.lobby.invite(control.game, answer.user, chosen)
    await answer.show(Screen(f"Invited to “{table.name}”: {' '.join(f'<@{user}>' for user in chosen)}"))


async def variants(answer: Answer, control: Control) -> None:
    """Show what the table has agreed on; the host of an open one may choose."""
    await answer.acknowledge()
    await answer.show(_variants(await answer.services.lobby.info(control.game), answer.user))


async def option(answer: Answer, control: Control) -> None:
    """Ask the host for the value of one variant."""
    await answer.acknowledge()
    name = "".join(answer.values[:1])
    table = await answer.services.lobby.info(control.game)
    each = next((each for each in TITLES[table.title].options if each.name == name), None)
    if each is None:
        raise BotError(f"There is no variant “{name[:40]}”.")
    now = each.typed(table.options.get(each.name, each.default))
    files = await asyncio.to_thread(own_files.offered, answer.services.lobby.folder, each)
    buttons = [
        Button(clip(words, 80), Control(table.id, 0, "choose", f"{name}={value}"), "main" if value == now else "plain")
        for value, words in (*each.values, *((file, file) for file in files))
    ]
    back = Button("Back", Control(table.id, 0, "variants"))
    await answer.show(Screen(f"**{each.label}**\n{each.help}", rows=rows_of([*buttons, back])))


async def choose(answer: Answer, control: Control) -> None:
    """Set a variant as the host chose it."""
    await answer.acknowledge()
    name, _, value = control.arg.partition("=")
    table = await answer.services.lobby.choose(control.game, answer.user, {name: value})
    await answer.show(_variants(table, answer.user))


def _variants(table: Table, user: str) -> Screen:
    """Return a line for each variant, and for the host a menu to change them."""
    lines, options = [f"**Variants of “{table.name}”**"], []
    for each in TITLES[table.title].options:
        now = table.options.get(each.name, each.default)
        words = each.words(now)
        lines.append(clip(f"**{each.label}**: {words}\n-# {each.help} `{each.name}={each.typed(now)}`", 400))
        options.append(MenuOption(clip(each.label, 100), each.name, clip(words, 100)))
    if user != table.host or table.state != "open" or not options:
        return Screen("\n".join(lines))
    control = Control(table.id, 0, "option")
    return Screen("\n".join(lines), menus=(Menu("Change a variant…", control, tuple(options[:PER_MENU])),))
