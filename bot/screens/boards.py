"""Where the page of a table is: its address for all, a player's own, and what can be done about them."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from bot.model.errors import BotError
from bot.model.records import Position
from bot.screens.answer import Answer
from bot.screens.screen import Button, Control, Screen, make_rows
from bot.service.boards import name_moment
from bot.service.services import Services
from engine import Record

BOARD = "board"


class BoardWords(Record, frozen=True):
    """What is said about the page of a table: sentences, and addresses with what each is called."""

    lines: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()

    @property
    def plain(self) -> str:
        """The same without links that hide their address."""
        return "\n".join((*self.lines, *(f"{name}: {link}" for name, link in self.links)))


async def link_moment(services: Services, here: Position) -> str:
    """Return the address of a table's page as it is now; "" where there is none."""
    return await services.boards.make_public_link(here, name_moment(here))


async def link_past(services: Services, here: Position, move: int) -> str:
    """Return the address of a table's page after so many moves in force; "" where there is none."""
    line = here.game.line
    return await services.boards.make_public_link(here, f"e{line[move - 1]}") if 0 < move <= len(line) else ""


async def _show_public(services: Services, here: Position, user: str) -> BoardWords:
    del user
    link = await link_moment(services, here)
    if not link:
        return BoardWords(("The page of this table is off; players can still have one of their own.",))
    return BoardWords(("Anyone who has this address can watch the table.",), (("Board", link),))


async def _show_own(services: Services, here: Position, user: str) -> BoardWords:
    link = await services.boards.make_own_link(here.table.id, user)
    told = "This address is yours alone: it shows what only you may see. It replaces your earlier one; don't share it."
    return BoardWords((told,), (("Your board", link),))


async def _renew(services: Services, here: Position, user: str) -> BoardWords:
    link = await services.boards.renew(here.table.id, user)
    return BoardWords(("The page has a new address; the old one no longer works.",), (("Board", link),))


async def _end_own(services: Services, here: Position, user: str) -> BoardWords:
    await services.boards.revoke_own_link(here.table.id, user)
    return BoardWords(("The address of your own page no longer works.",))


async def _turn_off(services: Services, here: Position, user: str) -> BoardWords:
    await services.boards.turn(here.table.id, user, on=False)
    return BoardWords(("The page of this table is off.",))


async def _turn_on(services: Services, here: Position, user: str) -> BoardWords:
    await services.boards.turn(here.table.id, user, on=True)
    return await _show_public(services, await services.table.load_position(here.table.id), user)


WAYS: Mapping[str, Callable[[Services, Position, str], Awaitable[BoardWords]]] = MappingProxyType(
    {"show": _show_public, "own": _show_own, "renew": _renew, "end": _end_own, "off": _turn_off, "on": _turn_on}
)
"""What can be done about the page of a table."""


async def do_with_board(services: Services, game: int, user: str, way: str) -> BoardWords:
    """Do something about the page of a table, and return what to say.

    Raises:
        BotError: pages aren't served, there is no such way, or the user may not.
    """
    services.boards.refuse_unserved()
    here = await services.table.load_position(game)
    work = WAYS.get(way or "show")
    if work is None:
        raise BotError(f"Choose one of these: {', '.join(WAYS)}.")
    return await work(services, here, user)


def make_board_screen(words: BoardWords, here: Position, user: str, way: str) -> Screen:
    """Return the words with links that show no preview, and buttons for what else the user can do."""
    lines = [*words.lines, *(f"**{name}**: <{link}>" for name, link in words.links)]
    game, buttons = here.table.id, list[Button]()
    if user in here.table.people and way not in ("own", "end"):
        buttons.append(Button("My own page", Control(game, 0, BOARD, "own"), "main"))
        buttons.append(Button("Renew address", Control(game, 0, BOARD, "renew")))
    if way == "own":
        buttons.append(Button("End my page", Control(game, 0, BOARD, "end")))
    if user == here.table.host and way in ("", "show", "on", "off"):
        on = way == "off" or not words.links
        buttons.append(
            Button("Turn page on" if on else "Turn page off", Control(game, 0, BOARD, "on" if on else "off"))
        )
    return Screen("\n".join(lines), rows=make_rows(buttons))


async def show_board(answer: Answer, control: Control) -> None:
    """Show in private where the board of a table is in a browser."""
    words = await do_with_board(answer.services, control.game, answer.user, control.arg)
    here = await answer.services.table.load_position(control.game)
    await answer.show(make_board_screen(words, here, answer.user, control.arg))
