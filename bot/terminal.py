"""The local table: the same slash commands at a terminal, for all seats on one machine."""

import asyncio
import itertools
import re
import sys
import textwrap
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import TextIO

import structlog
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer
from prompt_toolkit.completion import Completion as Shown
from prompt_toolkit.document import Document

from bot.commands import build_tree, typed
from bot.commands.command import Call, Reply, Value
from bot.model.errors import BotError, describe_defect, explain_error, make_reference
from bot.model.plain import render_marks
from bot.model.posts import AnyAlarm, Errand, Pictures, Story, TimeUp
from bot.model.records import Person
from bot.model.seating import join_names
from bot.screens.drawing import make_drawer
from bot.screens.open_desk import fetch_desk_screen, require_seat
from bot.screens.story import fetch_story
from bot.screens.text import format_outcome, format_standing, format_table, format_view
from bot.service.services import Services
from bot.service.table import Look
from engine import TITLES
from engine.view import View
from render import Renderer

YOU = Person("local", "You")
MAX_LINE_LENGTH = 100_000
MAX_EXAMPLE_LENGTH = 200
PROGRESS_AFTER_SECONDS = 0.7
"""Seconds of work after which a terminal shows that it goes on."""

_SIGNED = re.compile(r"(?:\d{1,2}(?:/\d{1,2})*|[A-Z]) · ")
"""A choice that has its number or letter on a picture."""

Say = Callable[[str], None]


class LocalTable:
    """One terminal at the table.

    Args:
        services: the services. folder: where pictures are written. say: prints a line.
    """

    def __init__(self, services: Services, folder: Path, say: Say) -> None:
        self.services = services
        self.folder = folder
        self.say = say
        self.groups = build_tree()
        self.game: int | None = None
        self.before: int | None = None  # to be returned to when a plan is closed
        self.draw = make_drawer(Renderer())

    async def greet(self) -> None:
        """Explain how this works in five lines, and take up the newest running game."""
        self._print_help()
        running = [table for table in await self.services.lobby.list_tables("mine", YOU.id) if table.state == "running"]
        if running:
            await self.go_to(running[0].id)

    def _print_help(self) -> None:
        title = next(iter(TITLES), "1860")
        for line in (
            "Stationmaster, local table: everyone plays at this keyboard. New to a game? Type /learn",
            f'Open a game:   /game new title:{title} seats:3 players:"Ann, Bob, Cid"   (Tab completes everything)',
            "Move:          /act menu lists your legal moves; then, for example,  /act bid amount:20  or  /act pass",
            "Look and ask:  /view map   /view log   /rules now   /game undo   /use 7 (another table)   /help   /quit",
            f"Pictures are saved in {self.folder.resolve()}",
        ):
            self.say(line)

    async def go_to(self, game: int) -> None:
        """Go to a table and say where it stands."""
        table = await self.services.lobby.get_table(game)
        self.game = game
        self._print(format_table(table))
        if table.started is not None:
            self._print(format_standing(await self.services.table.load_position(game)))
            await self._print_board(game)

    async def _print_board(self, game: int) -> None:
        """Say where the board of a game can be seen in a browser, if it is served."""
        link = await self.services.boards.make_public_link(await self.services.table.load_position(game))
        if link:
            self.say(f"Board, live in a browser: {link}")

    async def answer(self, line: str) -> bool:
        """Do what a line says and print what comes of it; ``False`` if it says to leave."""
        line = line.strip()
        if not line or line.startswith("#"):
            return True
        if line.lower() in ("/quit", "/exit", "quit", "exit"):
            return False
        try:
            if len(line) > MAX_LINE_LENGTH:
                raise BotError(f"That line is too long; the limit is {MAX_LINE_LENGTH:,} characters.")
            await self._run_line(line)
        except Exception as error:  # noqa: BLE001  # the last resort: the terminal goes on
            sentence = explain_error(error)
            if sentence is None:
                number = make_reference()
                structlog.get_logger().error("defect", ref=number, exc_info=error)
                sentence = describe_defect(number)
            self.say(_strip_marks(sentence))
        return True

    async def _run_line(self, line: str) -> None:
        word, _, topic = line.partition(" ")
        if word.lower() in ("/help", "help", "?"):
            table = await self.services.lobby.get_table(self.game) if self.game is not None else None
            verbs = [each.verb for each in TITLES[table.title].actions] if table else []
            lines = list(typed.list_help(self.groups, topic.strip(), verbs))
            if not topic:
                self._print_help()
            self.say("\n".join(lines))
        elif line.startswith("/use"):
            number = line.removeprefix("/use").strip().removeprefix("game:")
            if not number.isdecimal() or len(number) > 18:
                raise BotError("Add the table's number, as in /use 7. /game list shows your tables.")
            await self.go_to(int(number))
        else:
            try:
                given = typed.read_line(self.groups, line)
            except BotError as refusal:
                raise BotError(f"{refusal.sentence}{await self._find_example(line)}") from None
            await self._show(
                await given.command.run(self.make_call(given.values)), f"{given.group}-{given.command.name}"
            )
            if self.game and self.before and (await self.services.lobby.get_table(self.game)).state == "closed":
                back, self.before = self.before, None
                await self.go_to(back)

    async def _find_example(self, line: str) -> str:
        """Return a move of the kind that a line was meant to be, as it would be taken now; "" if there is none."""
        group, verb = (*line[:MAX_EXAMPLE_LENGTH].lower().split(), "", "")[:2]
        if self.game is None or group.lstrip("/") != "act" or not verb:
            return ""
        try:
            may = await self.services.table.list_menu(self.game, YOU.id)
        except BotError:  # it has not begun
            return ""
        typed_so = next((each.typed for each in may if f"{each.typed} ".startswith(f"/act {verb} ")), "")
        return f" For example: {typed_so}" if typed_so else ""

    def make_call(self, values: dict[str, Value] | None = None) -> Call:
        """Return a call from this keyboard."""
        return Call(self.services, YOU, values or {}, self.game, hot_seat=True)

    async def _show(self, reply: Reply, name: str) -> None:
        """Print a reply, write its pictures (under this name) and files, and the pictures owed."""
        if reply.game is not None and reply.game != self.game:
            self.before, self.game = self.game, reply.game
            if reply.outcome is not None:
                await self._print_board(reply.game)
        if reply.screen is not None:
            self.game = None  # what is typed next is for the lesson
        if reply.text:
            self._print(reply.text)
        if reply.desk and reply.game is not None:
            await self._show_choices(reply.game)
        for number, view in enumerate(reply.screen.pictures if reply.screen is not None else (), 1):
            await self._draw(view, f"lesson-{number}.png")
        for view in reply.views:
            for line in format_view(view):
                self.say(line)
            await self._draw(view, f"game-{reply.game}-{name}.png")
        for file, content in reply.files:
            self._write(self._choose_free_name(file), content)
        await self.deliver()

    async def _show_choices(self, game: int) -> None:
        """Draw what may be chosen where the desk has a picture of it, and name the numbers and letters on it."""
        here, seat = await require_seat(self.services, YOU.id, game)
        shown = await fetch_desk_screen(self.services, here, seat)
        if shown.pictures:
            labels = [option.label for menu in shown.menus for option in menu.options]
            labels += [button.label for row in shown.rows for button in row]
            for label in labels:
                if _SIGNED.match(label):
                    self.say(f"  {label}")
        for number, view in enumerate(shown.pictures, 1):
            await self._draw(view, f"game-{game}-{here.version:04}-choices-{number}.png")

    def _choose_free_name(self, name: str) -> str:
        """Return a name that no file in the folder has yet: nothing written before is lost."""
        stem, dot, ending = name.rpartition(".")
        numbers = itertools.count(2)
        free = name
        while (self.folder / free).exists():
            free = f"{stem}-{next(numbers)}{dot}{ending}"
        return free

    async def deliver(self) -> None:
        """Write the pictures owed by tables at this keyboard; the rest was said already."""
        while await self._deliver():
            pass

    async def _deliver(self) -> bool:
        """Write what is owed now; return whether a stand-in moved, so that more is."""
        moved = False
        for stored in await self.services.outbox.list_due():
            table = await self.services.lobby.get_table(stored.game)
            if table.home.channel or table.home.thread or (table.people and YOU.id not in table.people):
                continue  # it lives elsewhere
            if isinstance(stored.post, Pictures):
                for name in stored.post.pictures:
                    look = Look(name, at=stored.post.move, since=stored.post.since)
                    await self._draw_owed(stored.game, look, f"game-{stored.game}-{stored.post.move:04}-{name}.png")
            if isinstance(stored.post, AnyAlarm):
                await self.services.obligations.carry_out(stored.post, stored.key)
            await self.services.outbox.note_sent([(stored, ("", "terminal"))])
            if isinstance(stored.post, TimeUp):
                self.say(f"{stored.post.text} No one loses on time.")
            if isinstance(stored.post, Story):
                here = await self.services.table.load_position(stored.game)
                for chapter in await fetch_story(self.services, here) if here.version == stored.post.version else ():
                    self._print(chapter.plain)
            if isinstance(stored.post, Errand):
                outcome = await self.services.stand_ins.play_turn(stored.game)
                self._print(format_outcome(outcome) if outcome else "")
                moved = True
        return moved

    async def _draw_owed(self, game: int, look: Look, name: str) -> None:
        """Write a picture that is owed; one that cannot be drawn keeps none of the others back."""
        try:
            await self._draw(await self.services.table.look(game, YOU.id, look), name)
        except Exception as error:  # noqa: BLE001  # what was played stands, whatever its picture does
            number = make_reference()
            structlog.get_logger().error("picture", ref=number, name=name, exc_info=error)
            self.say(f"  {name} couldn't be drawn; the move stands. Ref {number}.")

    async def make_prompt(self) -> str:
        """Return what stands before the line to be typed: the table, and whose turn it is."""
        if self.game is None:
            return "> "
        try:
            here = await self.services.table.load_position(self.game)
        except BotError:  # it has not begun
            return f"#{self.game}> "
        who = join_names([seat.name for seat in here.actors])
        return f"#{self.game} {who}> " if who else f"#{self.game} (over)> "

    async def _draw(self, view: View, name: str) -> None:
        style = await self.services.people.get_style(YOU.id)
        self._write(name, await self.draw(view, style.palette))

    def _write(self, name: str, content: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        path.write_bytes(content)
        self.say(f"  → {path}")

    def _print(self, text: str) -> None:
        for line in _strip_marks(text).splitlines():
            self.say(line)


def _strip_marks(text: str) -> str:
    """Return words as the terminal shows them: commands as typed, no threads."""
    return render_marks(text, str, lambda _thread: "").replace(" ·  ·", " ·")


class TabCompleter(Completer):
    """Completion by Tab from the same source as Discord's autocomplete."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table

    def get_completions(self, document: Document, complete_event: object) -> Sequence[Shown]:
        """Complete nothing: the prompt asks the asynchronous way."""
        del document, complete_event
        return []

    async def get_completions_async(self, document: Document, complete_event: object) -> AsyncGenerator[Shown, None]:
        """Yield the ways to go on with the line before the cursor."""
        del complete_event
        for each in await typed.complete(self.table.groups, self.table.make_call(), document.text_before_cursor):
            yield Shown(each.text, -each.back, display=each.text.strip() or each.text, display_meta=each.label)


@asynccontextmanager
async def open_table(
    store: Path | str, pictures: Path, say: Say, folder: Path | None = None
) -> AsyncIterator[LocalTable]:
    """Open the local table on a database; its pictures are written to a folder."""
    services = await Services.open(store, folder=folder, alone=True)
    try:
        await services.tidy()
        yield LocalTable(services, pictures, say)
    finally:
        await services.close()


Serve = Callable[[Services], AbstractAsyncContextManager[None]]
"""Serves something beside the local table while a block runs: the pages of tables, or e-mail."""


async def run(
    store: Path | str,
    pictures: Path,
    source: TextIO,
    out: TextIO,
    served: Sequence[Serve] = (),
    folder: Path | None = None,
) -> None:
    """Sit at the local table until ``/quit`` or the end of the input; a pipe works as well as a terminal.

    Args:
        store: the database.
        pictures: where pictures are written.
        source: what is typed.
        out: what is shown.
        served: what is served beside it.
        folder: for what lies beside the database; that of the file if left out.
    """
    own = out is sys.stdout

    def say(line: str) -> None:
        to = sys.stdout if own else out  # while work is shown, standard output writes above it
        if out.isatty():  # broken between words
            width = max(get_terminal_size().columns, 20)
            line = "\n".join(textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False))
        to.write(f"{line}\n")
        to.flush()

    async with open_table(store, pictures, say, folder) as table, AsyncExitStack() as stack:
        for serve in served:
            await stack.enter_async_context(serve(table.services))
        await table.greet()
        lines = _read_typed_lines(table) if source.isatty() and own else _read_piped_lines(source, say)
        async for line in lines:
            if not await _show_progress(table.answer(line), out):
                return


async def _show_progress(work: Coroutine[None, None, bool], out: TextIO) -> bool:
    """Await the answer to a line; one that takes long shows on a terminal that it is on its way, and since when."""
    task = asyncio.ensure_future(work)
    if out.isatty() and not (await asyncio.wait([task], timeout=PROGRESS_AFTER_SECONDS))[0]:
        from rich.console import Console  # noqa: PLC0415  # a pipe does not wait for it
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = (SpinnerColumn(), TextColumn("working"), TimeElapsedColumn())
        with Progress(*columns, console=Console(file=out), transient=True) as bars:
            bars.add_task("")
            await asyncio.wait([task])
    return await task


async def _read_piped_lines(source: TextIO, say: Say) -> AsyncIterator[str]:
    """Yield the lines of a pipe, each said again, so that the output reads like a table's protocol."""
    while line := await asyncio.to_thread(source.readline):
        if line.strip():
            say(f"> {line.strip()[:200]}")
        yield line


async def _read_typed_lines(table: LocalTable) -> AsyncIterator[str]:
    session: PromptSession[str] = PromptSession(completer=TabCompleter(table), complete_while_typing=False)
    while True:
        try:
            yield await session.prompt_async(await table.make_prompt())
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
