"""How many taps a decision takes: kept games are taken up in the middle, and played on with one thumb."""

from collections.abc import Iterator

import pytest

from bot.model.records import Position
from bot.screens.desk_choices import name_opener
from bot.screens.screen import read_custom_id
from bot.store import log
from engine import Action
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message
from tests.playthroughs.record import read

MAX_TURN_TAPS = 6
MAX_OTHER_TAPS = 5
USUAL = (
    "Run, pay",
    ", end turn",
    "No merger",
    "Best run",
    "Run ",
    "Pay ",
    "Buy ",
    "No ",
    "End the turn",
    "Done",
)


class Thumb:
    """Someone who plays by tapping only; each tap is counted."""

    def __init__(self, desk: Desk, thread: Channel, people: tuple[Person, ...]) -> None:
        self.desk = desk
        self.thread = thread
        self.people = people
        self.taps: list[str] = []
        self.shown: Interaction | None = None

    async def here(self) -> Position:
        return await self.desk.services.table.load_position(int(self.thread.name.rpartition("#")[2]))

    @property
    def message(self) -> Message:
        return turn_of(self.thread) if self.shown is None else self.shown.message

    async def tap(self, label: str, menu: str = "") -> None:
        """Tap a button, or an option of a menu."""
        here = await self.here()
        person = self.people[here.actors[0].number]
        self.taps.append(label)
        source = self.message
        if menu:
            self.shown = await person.choose(source, label, select=menu)
        else:
            self.shown = await person.click(source, label)

    async def say(self, verb: str) -> None:
        """Open the desk and go by the first choice of each screen to the check of a move; confirm it."""
        await self.tap("Act")
        opener = name_opener(next(kind for kind in (await self.here()).game.title.actions if kind.verb == verb))
        if opener in self.message.labels:
            await self.tap(opener)
        while not any(label.startswith("Confirm") for label in self.message.labels):
            further = list(choices(self.message))
            if not further:  # the few there are have buttons that play at once
                await self.tap(self.message.labels[0])
                break
            await self.tap(*further[0])
        else:
            await self.tap("Confirm")
        assert self.shown is not None
        assert "✓" in self.shown.text

    async def go_on(self) -> bool:
        """Tap what is most usual on the desk; ``False`` if nothing of it is there."""
        for words in USUAL:
            for label in self.message.labels:
                if label.startswith(words) or (words.startswith(",") and words in label):
                    await self.tap(label)
                    return True
        return False


def choices(message: Message) -> Iterator[tuple[str, str]]:
    """Yield (label, menu) of the choices that a screen of the desk leads on to."""
    for part in message.controls:
        control = read_custom_id(part["custom_id"])
        assert control is not None
        if part["type"] == 3:
            yield from ((option["label"], part["placeholder"]) for option in part["options"])
        elif control.verb == "at" and "." in control.arg:
            yield part["label"], ""


async def take_up_game(server: StandIn, desk: Desk, name: str, count: int, table: str = "") -> Thumb:
    """Open a table with a kept game on it after so many moves."""
    kept, said = read(name), read(name).read_log()
    people = tuple(server.person(each) for each in ("alice", "bob", "cid", "dora")[: kept.setup.seats])
    setup = kept.setup
    thread = await open_table(desk, *people, title=setup.title, seed=setup.seed, name=table or f"Friday {count}")
    thumb = Thumb(desk, thread, people)
    game = (await thumb.here()).table.id
    users = [str(person.id) for person in people]
    entries = [log.NewEntry(game, at, entry, users[entry.seat], (), 0) for at, entry in enumerate(said[: count - 1])]
    async with desk.services.database.writing(game) as session:
        await log.append_all(session, entries)
    last = said[count - 1]
    await desk.services.table.submit(game, users[last.seat], last.action)
    await desk.settle()
    return thumb


@pytest.mark.parametrize(("name", "count", "company"), [("1860-3", 390, "IWNJ"), ("1862-3", 379, "N&S")])
async def test_an_operating_turn_takes_six_taps(
    server: StandIn, desk: Desk, name: str, count: int, company: str
) -> None:
    """A tile, no base or marker, the best run, a dividend and a train from the bank, nothing typed."""
    async with desk.running():
        thumb = await take_up_game(server, desk, name, count)
        assert (await thumb.here()).ask().company == company
        before = len((await thumb.here()).game.line)
        if "No merger" in thumb.message.labels:
            await thumb.tap("No merger")
        else:
            await thumb.tap("Act")
        while not any(label.startswith("Confirm") for label in thumb.message.labels):
            await thumb.tap(*next(choices(thumb.message)))
        await thumb.tap(next(label for label in reversed(thumb.message.labels) if label.startswith("Confirm")))
        while (here := await thumb.here()).ask().company == company:
            assert await thumb.go_on(), thumb.message.labels
        said = [entry.action for entry in here.game.list_actions()[before:]]
    assert_a_whole_turn(said)
    assert len(thumb.taps) <= MAX_TURN_TAPS, thumb.taps
    server.check()


@pytest.mark.parametrize(
    ("name", "moments"),
    [
        ("1860-3", {"bid": 1, "start": 24, "buy": 51}),
        ("1862-3", {"bid": 3, "start": 10, "buy": 53, "merge": 184}),
        ("steel_driver-4", {"bid": 7, "build": 28, "cube": 208}),
    ],
)
async def test_no_other_decision_takes_more_than_five(
    server: StandIn, desk: Desk, name: str, moments: dict[str, int]
) -> None:
    """A lot, a share, Parliament, a merger, an opening, a link, a cube: each said by taps alone."""
    async with desk.running():
        for verb, count in moments.items():
            thumb = await take_up_game(server, desk, name, count)
            before = await thumb.here()
            await thumb.say(verb)
            after = await thumb.here()
            assert after.game.list_actions()[len(before.game.line)].action.verb == verb
            assert len(thumb.taps) <= MAX_OTHER_TAPS, thumb.taps
    server.check()


def assert_a_whole_turn(said: list[Action]) -> None:
    """Check that nothing of a turn was left out."""
    verbs = [action.verb for action in said]
    assert [verb for verb in verbs if verb != "pass"] == ["tile", "run", "dividend", "train"]
    assert verbs.count("pass") >= 1
