"""What a command is: its name, its parameters, what it does, what completes it; and how its reply is shown."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

from bot.model.errors import BotError
from bot.model.records import Choice, Home, Outcome, Person
from bot.screens.answer import Answer
from bot.screens.open_desk import show_desk, show_outcome
from bot.screens.screen import Screen, clip
from bot.service import servers
from bot.service.services import Services
from bot.service.table import Delivery
from engine import TITLES, Record
from engine.view import Note, View


class ChannelOrRole(Record, frozen=True):
    """A channel or a role: its id, the name others see, and whether everyone may mention it."""

    id: str
    name: str
    mentionable: bool = False


Kind = Literal["text", "int", "bool", "user", "channel", "role", "file"]
Value = str | int | bool | Person | ChannelOrRole | bytes
MAX_REPLY_LENGTH = 3500
MAX_CHOICES = 25
MAX_CHOICE_LENGTH = 100
FIRST_AMOUNTS = 15
"""Of many amounts, the least ones that are shown one by one."""
MAX_INT = (1 << 53) - 1


class CommandParameter(Record, frozen=True):
    """One parameter of a command.

    Args:
        name: lower case. help: at most 100 characters.
        kind: text, a whole number, yes or no, a user (``Person``), a channel or role (``ChannelOrRole``),
            or a file (``bytes``).
        choices: the only values, if they never change.
        completes: values are suggested while typing.
        local: only at the local table.
    """

    name: str
    help: str
    kind: Kind = "text"
    required: bool = False
    choices: tuple[Choice, ...] = ()
    completes: bool = False
    local: bool = False


class Call(Record, frozen=True):
    """A command as a person gave it.

    Args:
        values: what was typed, by parameter; what was left out is missing.
        here: game of the thread it was given in (or open in the terminal), if any.
        home: where it was given.
        hot_seat: all seats are on one machine.
        channels: where it was given: the channel, and the one it belongs to. roles: of the person.
        manages: the person may manage the server. operates: the person runs the bot.
        reach: sends the person a private message and returns whether it is delivered, where a front has these.
    """

    services: Services
    person: Person
    values: Mapping[str, Value] = {}
    here: int | None = None
    home: Home = Home()
    delivery: Delivery = Delivery()
    hot_seat: bool = False
    channels: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    manages: bool = False
    send_private: Callable[[str], Awaitable[bool]] | None = None
    operates: bool = False

    @property
    def alone(self) -> bool:
        """Return whether it was given in a direct message, where only the person's own tables count."""
        return not self.home.guild and not self.hot_seat

    async def find_game(self) -> int:
        """Return the number of the table that is meant; the only way to it, so a number means nothing elsewhere.

        Raises:
            BotError: none was named and none lives here, or the one named belongs to another server.
        """
        named = self.values.get("game", self.here)
        if not isinstance(named, int):
            where = "go to a table with /use 7, or open one with /game new" if self.hot_seat else "use its thread"
            raise BotError(f"Which table? Add its number, as in game:7, or {where}.")
        if named != self.here and self.hot_seat:
            await self.services.lobby.get_table(named)
        elif named != self.here:
            await self.services.lobby.refuse_foreign(named, self.person.id, self.home.guild)
        return named

    def spend(self, kind: servers.Kind) -> None:
        """Count one more picture or search that is asked for; at the local table nothing is counted.

        Raises:
            BotError: it is more than one person or server may ask for in a minute.
        """
        if not self.hot_seat:
            self.services.quota.spend(kind, self.person.id, self.home.guild)

    def read_text(self, name: str, default: str = "") -> str:
        """Return a text parameter."""
        value = self.values.get(name, default)
        return value if isinstance(value, str) else str(value)

    def read_int(self, name: str) -> int | None:
        """Return a whole number, ``None`` if it was left out.

        Raises:
            BotError: it is no whole number of a reasonable size.
        """
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, int):
            raise BotError(f"{name} must be a whole number.")
        if abs(value) > MAX_INT:
            raise BotError(f"{name} is too large; the limit is {MAX_INT:,}.")
        return value


class Reply(Record, frozen=True):
    """What a command answers.

    Args:
        text: what is said, in the plain words of the service.
        views: what is to be drawn, in order. files: name and content.
        game: the game it is about. outcome: what came of an action.
        public: everyone may see it; otherwise only who asked.
        desk: open the private desk of legal choices.
        posted: the table's own message says it already, where tables have messages.
        screen: with buttons, where a front has these; ``text`` and ``views`` are the same without.
    """

    text: str = ""
    views: tuple[View, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    game: int | None = None
    outcome: Outcome | None = None
    public: bool = False
    desk: bool = False
    posted: bool = False
    screen: Screen | None = None


class Command(Record, frozen=True):
    """One subcommand: "/game new".

    Args:
        run: does it. complete: suggests values of a parameter, given the others.
        posts: "here" if it lets a table live here, "there" if the table's own place must take posts; a front looks.
    """

    name: str
    help: str
    parameters: tuple[CommandParameter, ...]
    run: Callable[[Call], Awaitable[Reply]]
    complete: Callable[[Call, str], Awaitable[list[Choice]]] | None = None
    posts: Literal["", "here", "there"] = ""


class Group(Record, frozen=True):
    """A top-level command with its subcommands: "/game".

    Args:
        free: its commands go on while a server is paused. managing: only for those who may manage the server.
    """

    name: str
    help: str
    commands: tuple[Command, ...]
    free: bool = False
    managing: bool = False

    @property
    def single(self) -> bool:
        """Return whether the group is one command, typed without a second word: "/learn"."""
        return [command.name for command in self.commands] == [self.name]

    def find(self, name: str) -> Command | None:
        """Return a subcommand by its name."""
        return next((command for command in self.commands if command.name == name), None)


GAME = CommandParameter("game", "which game; this thread's game if left out", "int", completes=True)


async def suggest(command: Command, call: Call, parameter: str, partial: str) -> list[Choice]:
    """Return the values to offer while ``partial`` is typed: at most 25, each fit for Discord.

    Never raises for what people type: where nothing can be suggested the list is empty.
    """
    known = next((each for each in command.parameters if each.name == parameter), None)
    if known is None:
        return []
    found = list(known.choices)
    try:
        if parameter == "game":
            found = await _list_games(call)
        elif command.complete is not None and known.completes:
            found = await command.complete(call, parameter)
    except BotError:
        return []
    wanted = " ".join(partial.lower().split())
    fitting = [each for each in found if wanted in each.value.lower() or wanted in each.label.lower()]
    fitting.sort(key=lambda each: not each.value.lower().startswith(wanted))
    fitting = [each for each in fitting if len(each.value) <= MAX_CHOICE_LENGTH]
    return [Choice(each.value, clip(each.label, MAX_CHOICE_LENGTH) or each.value) for each in _choose_window(fitting)]


def _choose_window(choices: list[Choice]) -> list[Choice]:
    """Return as many choices as are shown; where there are more, the last one says how many, or how far they go.

    Of amounts the first ones and the most are shown, and some between; of all else the first ones.
    """
    beyond = len(choices) - MAX_CHOICES
    if beyond <= 0:
        return choices
    if all(each.value.isdecimal() for each in choices):
        amounts = sorted(choices, key=lambda each: int(each.value))
        near, far = amounts[:FIRST_AMOUNTS], amounts[FIRST_AMOUNTS:]
        steps = MAX_CHOICES - FIRST_AMOUNTS
        spread = [far[(number + 1) * len(far) // steps - 1] for number in range(steps)]
        last = Choice(spread[-1].value, f"{spread[-1].label} · the maximum; any amount from {near[0].label}")
        return [*near, *spread[:-1], last]
    last = choices[MAX_CHOICES - 1]
    more = f" · {beyond} more: type to find them"
    label = clip(last.label, MAX_CHOICE_LENGTH - len(more))
    return [*choices[: MAX_CHOICES - 1], Choice(last.value, label + more)]


async def _list_games(call: Call) -> list[Choice]:
    tables = await call.services.lobby.list_tables("mine", call.person.id, call.home.guild)
    open_ones = await call.services.lobby.list_tables("open", call.person.id, call.home.guild, own=call.alone)
    known = {
        table.id: f"#{table.id} {table.name} · {TITLES[table.title].short_name} · {table.state}"
        for table in (*tables, *open_ones)
    }
    return [Choice(str(number), label) for number, label in known.items()]


async def reply_with(answer: Answer, reply: Reply) -> None:
    """Show a reply; what happened at the table is posted there anyway."""
    if reply.posted:
        await answer.dismiss()
    elif reply.screen is not None:
        await answer.show(reply.screen)
    elif reply.desk and reply.game is not None:
        await show_desk(answer, reply.game)
    elif reply.files:
        name, data = reply.files[0]
        await answer.send_file(name, data, reply.text)
    elif reply.outcome is not None and reply.outcome.result is None:
        await show_outcome(answer, reply.outcome)
    else:
        await answer.show(make_screen(reply))


def make_screen(reply: Reply) -> Screen:
    """Return the screen of a reply: plain notes as words, everything else as pictures."""
    notes = [view for view in reply.views if isinstance(view, Note)]
    pictures: tuple[View, ...] = tuple(view for view in reply.views if not isinstance(view, Note))
    words = [reply.text] if reply.text else []
    words += ["\n".join([f"**{note.title}**", *note.lines]) for note in notes if not reply.text]
    words += [f"**{view.title}**" for view in pictures]
    return Screen(clip("\n".join(words), MAX_REPLY_LENGTH), pictures)
