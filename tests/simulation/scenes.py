"""Scenes: what people do at a table besides moving, so that whatever the bot awaits is awaited in one of them.

Each wish is repeated until the store shows that it was granted, as people do when an answer fails to come.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.model.clock import Intervals
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.world import Channel, Message
from tests.simulation.world import Row, World

HOUR = 3600
PAUSE = (0.2, 4.0)
USUAL = Intervals()
RARE = Intervals(outbox=900, inspection=900, chores=HOUR, commands=24 * HOUR, heartbeat=900)
GARBAGE = ("", "\x00", "🚂" * 200, "-1", "999999999999999999999", "' OR 1=1 --", "<@0>", "NaN")


class Table:
    """A table and those who sit at it, the host first.

    Args:
        world: around the bot. people: of the table and beside it.
    """

    def __init__(self, world: World, title: str, people: list[Person], seed: int) -> None:
        self.world = world
        self.title = title
        self.people = people
        self.seed = seed
        self.number = 0

    async def open(self) -> None:
        """Open the table and start it."""
        self.number = await self.world.open_table(self.title, self.people, self.seed)

    async def play(self, moves: int) -> None:
        """Make moves as the seeded player would."""
        await self.world.play(self.number, self.people, moves, PAUSE)

    @property
    def row(self) -> Row:
        """The table as the store has it."""
        return self.world.rows("SELECT * FROM game WHERE id = ?", self.number)[0]

    @property
    def seats(self) -> list[Row]:
        """The seats as the store has them."""
        return self.world.rows("SELECT * FROM seat WHERE game = ? AND gone IS NULL ORDER BY number", self.number)

    @property
    def place(self) -> Channel:
        """The thread, or the channel where there is none yet."""
        return self.world.thread_of(self.number) or self.world.server.games

    def sits(self, person: Person) -> bool:
        """Return whether a person has a seat."""
        return str(person.id) in {seat["user"] for seat in self.seats}

    def count(self, what: str) -> int:
        """Return how many rows of the store fit: ``"vote"``, ``"proposal WHERE state = 'accepted'"``."""
        found: int = self.world.rows(f"SELECT count(*) AS count FROM {what}")[0]["count"]  # noqa: S608 - of this file
        return found

    def find(self, label: str) -> Message:
        """Return the newest message with a button.

        Raises:
            LookupError: there is none.
        """
        channels = self.world.server.world.channels.values()
        found = [each for channel in channels for each in channel.public if label in each.labels and not each.deleted]
        if not found:
            raise LookupError(label)
        return max(found, key=lambda message: message.id)

    async def click(self, person: Person, label: str) -> Interaction:
        """Press the newest button of this label."""
        return await person.click(self.find(label), label)

    async def say(self, person: Person, command: str, **options: Any) -> Interaction:  # noqa: ANN401  # of every command
        """Type a command at the table."""
        return await person.slash(self.place, command, **options)

    async def reach(self, is_done: Callable[[], bool], act: Callable[[], Awaitable[Interaction]]) -> None:
        """Repeat something until the store shows that it is done."""
        while not is_done():
            await self.world.press(act())
            await asyncio.sleep(1)

    async def ask(self, act: Callable[[], Awaitable[Interaction]]) -> Interaction:
        """Repeat something until an answer comes."""
        while (answer := await self.world.press(act())) is None:
            await asyncio.sleep(1)
        return answer

    async def agree(self, person: Person, command: str, voters: list[Person], **options: Any) -> None:  # noqa: ANN401
        """Have a person ask the others for something with a command until they have agreed to it."""
        accepted = f"proposal WHERE state = 'accepted' AND game = {self.number}"
        opened = f"proposal WHERE state = 'open' AND game = {self.number}"
        before = self.count(accepted)
        while self.count(accepted) == before:
            if not self.count(opened):
                await self.world.press(self.say(person, command, **options))
            for voter in voters:
                await asyncio.sleep(3)  # until the question has come
                if self.count(opened) and self.count(accepted) == before:
                    await self.world.press(self.click(voter, "Agree"))


async def begin_a_table(table: Table) -> None:
    """Nothing but two moves."""
    await table.open()
    await table.play(2)


async def play_a_table(table: Table) -> None:
    """Nothing but moves."""
    await table.open()
    await table.play(8)


async def be_called_in_private(table: Table) -> None:
    """Moves of two who are called to them by private message."""
    await table.open()
    for person in table.people:
        await table.ask(partial(table.say, person, "me remind", place="dm"))
    await table.play(3)


async def meet_in_the_lobby(table: Table) -> None:
    """Join, leave, invite, rename, choose a variant, be sent away, come back, start by button."""
    world, (alice, bob, carol) = table.world, table.people
    games = world.server.games
    await table.reach(
        lambda: bool(table.count("game")), lambda: alice.slash(games, "game new", title=table.title, seats=3)
    )
    table.number = world.rows("SELECT id FROM game")[0]["id"]
    await table.reach(lambda: table.sits(bob), lambda: table.click(bob, "Join"))
    await table.reach(lambda: not table.sits(bob), lambda: table.click(bob, "Leave"))
    await table.ask(lambda: alice.slash(games, "game invite", user1=carol.user, game=table.number))
    await table.reach(lambda: table.sits(carol), lambda: carol.slash(games, "game join", game=table.number))
    await table.reach(
        lambda: not table.sits(carol), lambda: alice.slash(games, "game kick", seat="Carol", game=table.number)
    )
    await table.reach(
        lambda: table.row["name"] == "Renamed",
        lambda: alice.slash(games, "game rename", name="Renamed", game=table.number),
    )
    options = await table.ask(lambda: table.click(alice, "Variants…"))
    longer = await table.ask(lambda: alice.choose(options.message, "Length"))
    await table.reach(lambda: "long" in table.row["options"], lambda: alice.click(longer.message, "4 lots"))
    await table.reach(lambda: table.sits(bob), lambda: table.click(bob, "Join"))
    await table.ask(lambda: table.click(bob, "Start"))
    dave = world.person("dave")
    await table.reach(lambda: table.sits(dave), lambda: table.click(dave, "Join"))
    await table.reach(lambda: table.row["state"] != "open", lambda: table.click(alice, "Start"))
    seated = {seat["user"]: seat["number"] for seat in table.seats}
    table.people = sorted((alice, bob, dave), key=lambda person: seated[str(person.id)])
    await table.play(2)


async def agree_and_disagree(table: Table) -> None:
    """Undo by vote and redo, refuse an end, give a seat to the stand-in, to a proxy, to another person."""
    await table.open()
    alice, bob, carol = table.people
    await table.play(4)
    await table.agree(alice, "game undo", [bob, carol], to=1, game=table.number)
    entries = table.count("log")
    await table.reach(lambda: table.count("log") > entries, lambda: table.say(alice, "game redo"))
    refused = "proposal WHERE state = 'declined'"
    while not table.count(refused):
        await table.world.press(table.say(alice, "game close", sure=True))
        await asyncio.sleep(3)
        await table.world.press(table.click(carol, "No"))
    await table.agree(alice, "game stand_in", [bob, carol], seat="Alice")
    await table.reach(
        lambda: not table.seats[0]["stand_in"], lambda: table.say(alice, "game stand_in", seat="Alice", on=False)
    )
    dave = table.world.person("dave")
    await table.reach(lambda: bool(table.seats[1]["proxy"]), lambda: table.say(bob, "game proxy", user=dave.user))
    await table.reach(lambda: not table.seats[1]["proxy"], lambda: table.say(bob, "game proxy"))
    while not table.sits(dave):
        await table.world.press(table.say(carol, "game replace", seat="Carol", user=dave.user))
        await asyncio.sleep(3)
        await table.world.press(table.click(dave, "Take the seat"))
    table.people[2] = dave
    await table.play(2)


async def give_orders(table: Table) -> None:
    """Standing orders and fast auctions, set, listed and cleared; a desk that is opened, changed and closed."""
    await table.open()
    alice, bob, carol = table.people
    orders = "standing_order WHERE state = 'active'"
    await table.reach(
        lambda: bool(table.count("standing_order")), lambda: table.say(carol, "auto bid", on="any", up_to=30)
    )
    await table.ask(lambda: table.say(carol, "auto list"))
    await table.play(2)
    await table.reach(lambda: not table.count(orders), lambda: table.say(carol, "auto clear"))
    for person in (alice, bob, carol):
        await table.ask(partial(table.say, person, "auto fast"))
    await table.play(1)


async def look_around(table: Table) -> None:
    """Everything that only looks or keeps: pictures, log, film, a desk, notes, settings, files, a fork."""
    await table.open()
    alice, bob, *_ = table.people
    await table.play(2)
    looks: tuple[tuple[Person, str, dict[str, Any]], ...] = (
        (alice, "act menu", {}), (alice, "view log", {}), (bob, "view at", {"move": 1}), (bob, "view film", {}),
        (bob, "view plan", {}), (alice, "game info", {}), (alice, "game list", {"show": "all"}),
        (bob, "me note", {"text": "Watch Alice."}), (bob, "me games", {}), (bob, "me profile", {}),
        (bob, "me style", {"palette": "standard"}), (alice, "rules now", {}), (alice, "rules search", {"words": "bid"}),
        (alice, "stats player", {}), (alice, "stats title", {"title": table.title}), (bob, "game export", {}),
        (bob, "game export", {"format": "csv"}),
    )  # fmt: skip
    for person, command, options in looks:
        await table.ask(partial(table.say, person, command, **options))
    for label in ("Log", "More…", "Map"):
        await table.ask(partial(table.click, alice, label))
    await table.reach(lambda: table.count("game") > 1, lambda: table.say(bob, "game fork", at=1))


async def be_late(table: Table) -> None:
    """Reminders, a snooze, quiet hours, a holiday, and time that runs out."""
    await table.open()
    alice, bob = table.people
    await table.ask(lambda: table.say(bob, "me remind", delay=5, on_deck=True, digest=8))
    await table.ask(lambda: table.say(alice, "me remind", every=2, place="both"))
    await table.agree(alice, "game clock", [bob], budget=5, increment=1)
    await table.play(1)
    while (late := next((each for each in table.people if each.mention in table.find("Act").text), None)) is None:
        await asyncio.sleep(1)  # the turn message is still to come
    for label in ("Snooze 4 h", "Stop for this turn"):
        while True:
            await asyncio.sleep(HOUR)
            try:
                pressed = await table.world.press(table.click(late, label))
            except LookupError:
                continue
            if pressed is not None:
                break
    await asyncio.sleep(8 * HOUR)
    await table.ask(lambda: table.say(late, "me away", days=2, note="at sea"))
    await table.ask(lambda: table.say(late, "me away", days=0))
    await table.play(2)


async def move_house(table: Table) -> None:
    """A table that moves to another channel and loses its thread there."""
    await table.open()
    world = table.world
    alice = table.people[0]
    elsewhere = world.server.world.channel(world.server.guild, "elsewhere")
    old = table.place
    await table.reach(
        lambda: table.row["channel"] == str(elsewhere.id) and table.place not in (old, world.server.games),
        lambda: alice.slash(elsewhere, "game move", game=table.number),
    )
    await table.play(2)
    world.delete(table.place)
    await table.reach(  # where no thread could be made, that was the channel
        lambda: int(table.row["channel"] or 0) in world.server.world.channels,
        lambda: alice.slash(world.server.games, "game move", game=table.number),
    )
    await table.play(2)


async def stop_early(table: Table) -> None:
    """Press old buttons and type garbage; then close and reopen the table, and end it by vote."""
    await table.open()
    world = table.world
    alice, bob = table.people
    await table.play(1)
    old = table.find("Act")
    stale = [part["custom_id"] for part in old.controls if "custom_id" in part]
    await table.play(2)
    for custom_id in stale:
        for person in (alice, bob):
            await world.press(person.press(old, custom_id, wait="no"))
    for words in GARBAGE:
        await world.press(table.say(bob, "game rename", name=words))
        await world.press(table.say(bob, "rules search", words=words))
    for _ in range(2):  # twice, as by a nervous thumb
        await world.press(alice.click(table.find("Act"), "Act", wait="no"))
    await table.agree(alice, "game close", [bob], sure=True)
    await table.reach(lambda: table.row["state"] == "running", lambda: table.say(alice, "game reopen"))
    await table.play(1)
    await table.agree(bob, "game end", [alice])
    await table.reach(lambda: not table.sits(bob), lambda: table.say(bob, "me forget", sure=True))


async def play_a_season(table: Table) -> None:
    """A season of five: pairings with a game between them, a follower, one who leaves, standings, its end."""
    world, (alice, *others) = table.world, table.people
    eve, games = others[-1], world.server.games

    def find_people(number: int) -> list[Person]:
        seats = world.rows("SELECT user FROM seat WHERE game = ? AND gone IS NULL ORDER BY number", number)
        return [next(each for each in table.people if str(each.id) == seat["user"]) for seat in seats]

    def count_running() -> int:
        return table.count("game WHERE season > 0 AND state = 'running'")

    await table.reach(
        lambda: bool(table.count("season")),
        lambda: alice.slash(games, "league open", name="Autumn", title=table.title, seats=2),
    )
    for count, person in enumerate(others[:3], 2):
        await table.reach(lambda: table.count("member") == count, lambda: person.slash(games, "league join"))  # noqa: B023  # awaited at once
    await table.reach(lambda: count_running() == 2, lambda: alice.slash(games, "league pair"))
    first, second = (row["id"] for row in world.rows("SELECT id FROM game ORDER BY id"))
    for number in (first, second):
        await table.reach(
            lambda: table.count(f"follow WHERE game = {number}") == 1,  # noqa: B023  # awaited at once
            lambda: eve.slash(games, "me follow", game=number),  # noqa: B023  # awaited at once
        )
    await table.reach(lambda: table.count("member") == 3, lambda: others[2].slash(games, "league leave"))
    await table.reach(lambda: table.count("member") == 4, lambda: eve.slash(games, "league join"))
    await world.play(first, find_people(first), 99, PAUSE)
    await table.reach(lambda: count_running() == 2, lambda: alice.slash(games, "league pair"))
    await table.ask(lambda: alice.slash(games, "league show"))
    await world.play(second, find_people(second), 99, PAUSE)
    await table.reach(lambda: not table.count("season WHERE open"), lambda: alice.slash(games, "league close"))
    table.number = max(row["id"] for row in world.rows("SELECT id FROM game"))


@dataclass(frozen=True)
class Scene:
    """What people do.

    Args:
        play: it. title, players: of the table. seconds: in which all of it must be possible.
        intervals: of idle looks; rare where days go by, as each costs as much as a move.
    """

    play: Callable[[Table], Awaitable[None]]
    title: str = "toy"
    players: int = 2
    seconds: float = 900.0
    intervals: Intervals = USUAL


SCENES: Mapping[str, Scene] = {
    "begin": Scene(begin_a_table, seconds=400.0),
    "play": Scene(play_a_table),
    "private": Scene(be_called_in_private),
    "lobby": Scene(meet_in_the_lobby, players=3),
    "agree": Scene(agree_and_disagree, players=3),
    "orders": Scene(give_orders, "1860", 3),
    "look": Scene(look_around),
    "move": Scene(move_house),
    "season": Scene(play_a_season, players=5, seconds=1800.0),
    "stop": Scene(stop_early, "1860"),
    "1862": Scene(play_a_table, "1862", 3),
    "steel_driver": Scene(play_a_table, "steel_driver", 3),
    "late": Scene(be_late, seconds=40 * HOUR, intervals=RARE),
}
