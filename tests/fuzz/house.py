"""A house with tables, where commands and controls arrive as in the running bot, but for Discord."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from bot.commands.command import Call, ChannelOrRole, Command, Group, make_screen, suggest
from bot.commands.typed import complete
from bot.discord.answer import DiscordAnswer, _collect_values
from bot.discord.components import make_layout, make_modal
from bot.discord.slash import read_value
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.screens.controls import CONTROLS, UNKNOWN, handle
from bot.screens.screen import Form, Screen, format_base36, read_custom_id, write_custom_id
from bot.service.services import Services
from bot.service.table import Delivery
from bot.service.workers.files import FileAsked, encode_export
from bot.web.front import WebFront
from bot.web.guard import Guard
from bot.web.server import open_pages
from engine import Game
from tests.fuzz.grammar import any_text, around, json_values, mutate_bytes
from tests.playthroughs import record
from tests.support import postgres
from tests.support.reading import in_threads

T = TypeVar("T")
ANN, BOB = Person("1", "Ann"), Person("2", "Bob")
HOME = Home("g", "c")
OPENED = (("1860-3", 190), ("1862-4", 30), ("steel_driver-4", 25))
"""Tables that are opened from games that are kept, after so many moves; Ann holds all their seats."""
SKIPPED = frozenset({"film"})
"""Controls that only draw, which takes seconds."""
PLACE = "https://trains.example"
ANSWER_SECONDS = 20.0
"""In which a page is answered, its picture drawn on a busy machine."""
MAX_CALLS = 400
"""After so many the house is built anew: people leave, games end."""


class Press(NamedTuple):
    """What comes with a control: its id, what was chosen or typed, who was chosen, who presses, the words pressed."""

    text: str
    data: object
    user: Person
    clicked: str = ""


class Given(NamedTuple):
    """A command with values as Discord or a line of text gives them."""

    group: Group
    command: Command
    values: Mapping[str, object]
    user: Person
    here: int | None
    hot_seat: bool = False


class Heard:
    """An answer to a person that is put into Discord's form and thrown away."""

    def __init__(self, services: Services, press: Press) -> None:
        self.services, self.press = services, press
        self.key, self.user, self.person, self.guild = "", press.user.id, press.user, "g"
        self.roles, self.clicked_text = ("r",), press.clicked
        self.shown = 0
        self.channels = ("c", "c")

    @property
    def values(self) -> list[str]:
        """What was chosen or typed, as Discord's answer reads it."""
        found: list[str] = []
        _collect_values(self.press.data, found)
        return found

    @property
    def people(self) -> list[Person]:
        """Who was chosen, likewise."""

        class Interaction:
            data = self.press.data

        answer = object.__new__(DiscordAnswer)
        answer.interaction = Interaction()  # type: ignore[assignment]  # as far as it is looked at
        return answer.people

    async def acknowledge(self, *, private: bool = True) -> None:
        """Take note."""

    async def show(self, screen: Screen) -> None:
        """Put a screen into Discord's form, whose library refuses what is too long."""
        make_layout(screen)
        for row in screen.rows:
            for button in row:
                assert read_custom_id(write_custom_id(button.control)) == button.control
        self.shown += 1

    async def dismiss(self) -> None:
        """Take note."""

    async def send_file(self, name: str, data: bytes, text: str) -> None:
        """Take note."""

    async def open_form(self, form: Form) -> None:
        """Put a form into Discord's form."""
        make_modal(form)
        self.shown += 1

    async def send_text(self, text: str) -> None:
        """Take note."""

    def refuse_missing_permissions(self, channel: str = "") -> None:
        """Refuse nothing."""

    def describe_missing_permissions(self) -> str:
        """Return nothing."""
        return ""


class House:
    """Services with tables, and the loop in which they are asked; ``address`` is that of a server, if not a file."""

    def __init__(self, address: str = "") -> None:
        self._address = address
        self._folder = tempfile.TemporaryDirectory()
        self._loop = asyncio.new_event_loop()
        self._services: Services | None = None
        self._calls = 0
        self._pages = AsyncExitStack()
        self._front: WebFront | None = None
        self._port = 0
        self._known: dict[str, str] = {}

    async def _open(self) -> Services:
        self._calls += 1
        if self._services is not None and self._calls % MAX_CALLS:
            return self._services
        if self._services is not None:
            await self._close()
        path = Path(self._folder.name) / f"{self._calls}.sqlite"
        if self._address:
            await postgres.empty_tables(self._address)
        self._services = services = await Services.open(self._address or path, folder=path.parent, workers=in_threads())
        for name, moves in OPENED:
            kept = record.read(name)
            names = tuple(f"Player {seat}" for seat in range(kept.setup.seats))
            data = encode_export(Game.replay(kept.setup, kept.read_log()[:moves]), names, "native")
            await services.transfer.import_file(ANN, FileAsked(data), name, HOME)
            services.quota.__init__()  # type: ignore[misc]  # as many imports as we like
        await services.lobby.create(ANN, NewTable("1860", 3, name="Open"), HOME)
        return services

    def open_store(self) -> Path:
        """Open the store, if it is not open; return its file."""
        if self._services is None:
            self._loop.run_until_complete(self._open())
        return max(Path(self._folder.name).glob("*.sqlite"))

    def close(self) -> None:
        """Close the store and the loop."""
        if self._services is not None:
            self._loop.run_until_complete(self._close())
        self._loop.close()
        self._folder.cleanup()

    async def _close(self) -> None:
        await self._pages.aclose()
        self._front = None
        if self._services is not None:
            await self._services.close()

    def browse(self, request: bytes) -> int:
        """Send bytes to the server of pages as they are; return the status of the answer."""
        return self._loop.run_until_complete(self._browse(request))

    async def _browse(self, request: bytes) -> int:
        if not request.strip():
            raise BotError("Nothing was asked yet.")
        services = await self._open()
        if self._front is None:
            self._front = WebFront(services)
            self._port = await self._pages.enter_async_context(open_pages(self._front, "127.0.0.1:0"))
            services.boards.web = PLACE
            for number in range(1, len(OPENED) + 1):
                here = await services.table.load_position(number)
                course = await self._front.courses.load(here, None)
                links = {
                    f"/page{number}": await services.boards.make_public_link(here),
                    f"/own{number}": await services.boards.make_own_link(number, ANN.id),
                    f"NAME{number}": f"{len(course.moves) - 1}-{course.moves[-1].name}",
                }
                self._known |= {word: meant.removeprefix(PLACE).rstrip("/") for word, meant in links.items()}
        guard = Guard()
        guard.streams, self._front.guard = self._front.guard.streams, guard  # as many requests as we like
        for word, meant in self._known.items():
            request = request.replace(word.encode(), meant.encode())
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                writer.write(request + b"\r\n\r\n")
                while (head := await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 "):
                    pass
        finally:
            writer.close()
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        assert status < 500 or status == 503, head
        assert any(each.startswith("Content-Security-Policy: ") for each in lines), head
        return status

    def press(self, press: Press) -> int:
        """Do what a control asks for; return how many screens were shown.

        Raises:
            BotError, RuleError, WordingError: it is refused.
        """
        return self._loop.run_until_complete(self._press(press))

    async def _press(self, press: Press) -> int:
        services = await self._open()
        services.quota.__init__()  # type: ignore[misc]
        control = read_custom_id(press.text)
        if control is None:
            raise BotError(UNKNOWN)
        answer = Heard(services, press)
        await handle(answer, control)
        return answer.shown

    def run(self, given: Given) -> object:
        """Run a command.

        Raises:
            BotError, RuleError, WordingError, LogError, UnreadableLogError: it is refused.
        """
        return self._loop.run_until_complete(self._run(given))

    async def _run(self, given: Given) -> object:
        services = await self._open()
        services.quota.__init__()  # type: ignore[misc]
        values = {name: each if isinstance(each, bytes | Person | ChannelOrRole) else await read_value(each)
                  for name, each in given.values.items()}  # fmt: skip
        call = Call(
            services, given.user, values, given.here, HOME, Delivery(f"k{self._calls}"), channels=("c",), roles=("r",),
            manages=True, hot_seat=given.hot_seat,
        )  # fmt: skip
        if given.values.get("completing"):
            for each in given.command.parameters:
                choices = await suggest(given.command, call, each.name, str(values.get(each.name, "")))
                assert all(1 <= len(choice.value) <= 100 and len(choice.label) <= 100 for choice in choices)
                assert len(choices) <= 25
            return await complete((given.group,), call, f"/{given.group.name} {given.command.name} {values}")
        reply = await given.command.run(call)
        make_layout(make_screen(reply))
        return reply.text


numbers = st.sampled_from((0, 1, 2, 3, 4, 7, -1, 40, 100, 2**31 - 1, 2**31, 2**53 - 1, 1 - 2**53, 10**9))
people = st.sampled_from((ANN, BOB, Person("99", "\u202eEvil\x00 ```"), Person("x", "")))
plain = st.sampled_from(
    ("IOW", "C&N", "bid 5", "tile I7", "map", "pass", "any", "any, all", "1860", "yes", "B1", "Berlin-Paris", "1", "0")
)
VALUES: Mapping[str, st.SearchStrategy[Any]] = {
    "text": around(plain, 6000),
    "int": numbers,
    "bool": st.booleans(),
    "user": people,
    "channel": st.just(ChannelOrRole("5", "games")),
    "role": st.just(ChannelOrRole("6", "players")),
    "file": st.binary(max_size=30),
}


@st.composite
def commands(draw: st.DrawFn, groups: Sequence[Group]) -> Given:
    """Draw a command with values, most of the kind that it wants."""
    group = draw(st.sampled_from([each for each in groups if each.name != "admin"]))
    command = draw(st.sampled_from(group.commands))
    values = {}
    for each in command.parameters:
        fixed = st.sampled_from([choice.value for choice in each.choices]) if each.choices else VALUES[each.kind]
        if each.required or draw(st.booleans()):
            values[each.name] = draw(fixed | VALUES[each.kind])
    if draw(st.integers(0, 3)) == 0:
        values["completing"] = True
    return Given(
        group,
        command,
        values,
        draw(st.sampled_from((ANN, ANN, BOB))),
        draw(st.sampled_from((1, 2, 3, 4, None))),
        draw(st.integers(0, 4)) == 0,
    )


args = st.sampled_from(
    ("", "bid", "bid.0", "bid.=5", "tile", "tile.0", "tile.0.0", "run.*", "pass~0", "map", "player.1", "chart",
     "1.yes", "1.no.w", "0.once",
     "bid;A;5;", "steps;;0;tile,token+>", "pass;;0;", "map=small", "4h", "turn", "1", "2.abc123", "0.ff+1ff",
     "sell.0.0~1~9")
)  # fmt: skip
tables = st.sampled_from(((1, 190), (2, 30), (3, 25)))
anything = st.tuples(st.integers(0, 5), st.sampled_from((0, 190, 30, 25, 2**31 - 1)))
ids = st.tuples(tables | anything, st.sampled_from(sorted({*CONTROLS} - SKIPPED)), around(args, 90))
controls = ids.map(
    lambda drawn: f"v1|{format_base36(drawn[0][0])}|{format_base36(drawn[0][1])}|{drawn[1]}|{drawn[2]}"[:100]
)
chosen = around(plain, 4000) | st.sampled_from(("0", "1", "24"))
forms = chosen.map(
    lambda text: {"components": [{"type": 18, "component": {"type": 4, "custom_id": "value", "value": text}}]}
)
menus = st.lists(chosen, max_size=3).map(
    lambda values: {"values": values, "resolved": {"users": {"99": {"username": "x"}, "1": {}}}}
)
data = st.one_of(forms, menus, json_values(), st.none())
typed = st.just("") | around(plain, 500).map(lambda text: f"Typed: `{text}`")
presses = st.builds(
    Press, controls | around(controls, 120), data, st.sampled_from((ANN, ANN, BOB)), typed | any_text(50)
)


def often(usual: st.SearchStrategy[T], seldom: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """Return cases of which two of three are usual."""
    return st.integers(0, 2).flatmap(lambda drawn: usual if drawn else seldom)


targets = st.sampled_from(
    ("/page1/", "/page2", "/own3/", "/page1/moves.json", "/own1/moves.json", "/page3/live", "/page3/live?since=NAME3",
     "/page1/at/NAME1/standard/map", "/page2/at/NAME2/mono/company.L&Y", "/own3/at/NAME3/standard/place.Wien",
     "/page1/at/NAME1/standard/hex.F2", "/page1/at/0-0123456789abcdef/standard/market", "/s/page.js", "/s/../page.html",
     "/", "*", "http://other.example/s/page.css", "/page1/at/NAME1/standard/company.%00%ff")
)  # fmt: skip
plain_head = st.tuples(
    st.sampled_from(("Accept-Encoding", "Last-Event-ID", "If-None-Match", "X-Forwarded-For", "Cookie", "Range")),
    st.sampled_from(("gzip, br;q=0", '"0-1"', "::1, x", "bytes=0-0, -1", "x" * 8000)),
)
other_head = st.tuples(
    st.sampled_from(("Host", "Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "Connection")),
    st.sampled_from(("close", "0", "-1", "9", "chunked", "100-continue", "websocket", "x" * 9000)),
)
plain_heads, any_heads = st.lists(plain_head, max_size=2), st.lists(plain_head | other_head, max_size=3)
methods = st.sampled_from(("GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "get"))
lines = st.builds(
    lambda method, target, head: "\r\n".join(
        [f"{method} {target} HTTP/1.1", "Host: x", *(f"{name}: {value}" for name, value in head)]
    ).encode("utf-8", "surrogatepass"),
    methods, often(targets, around(targets, 9000)), often(plain_heads, any_heads),
)  # fmt: skip
requests = often(lines, mutate_bytes(lines))
