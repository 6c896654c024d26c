"""How many taps a decision takes: counted over whole games, and pressed for real in the middle of some."""

import re
from collections.abc import Sequence

import pytest

from bot.model.records import Position
from bot.screens.run_editor import list_amounts
from bot.store import log
from engine import Game
from engine.words import read_action, write_parameters
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.taps import MAX_TAPS, count_taps, read_game, read_kept_taps
from tests.discord.turns import Place, Turn, list_turns
from tests.discord.world import Channel, Message
from tests.playthroughs.record import read
from tests.support.sure import sure

GOAL_TAPS, MAX_TURN_TAPS, MAX_OTHER_TAPS = 5, 8, 5
_OPTION = re.compile("<(?:then )?(.*)>")


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

    async def press(self, pressed: Sequence[str]) -> None:
        """Press what was counted: "[Confirm]", "<H4 Wootton · +£40>"."""
        for each in pressed:
            option = _OPTION.fullmatch(each)
            if option is None:
                await self.tap(each[1:-1] if each.startswith("[") else each)
            else:
                menus = [part for part in self.message.controls if part["type"] == 3]
                label = option[1]
                fitting = [menu for menu in menus if label in [choice["label"] for choice in menu["options"]]]
                await self.tap(label, fitting[-1 if each.startswith("<then") else 0]["placeholder"])


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


RECORDED = ("oracle/1860/game-19354.json", "oracle/1862/game-46925.json")
SELF_PLAYED = ("1860-3",)


@pytest.mark.parametrize("name", [*RECORDED, *SELF_PLAYED])
def test_an_operating_turn_takes_five_taps_in_the_middle_and_nine_in_ten_at_most_eight(name: str) -> None:
    """Of whole games, as they were counted last: ``python -m tests.discord.taps GAME… --keep``."""
    turns = read_kept_taps()[name]
    taps = sorted(MAX_TAPS + 1 if each is None else each.taps for each in turns)
    assert taps[len(taps) // 2] <= GOAL_TAPS
    assert sum(each <= MAX_TURN_TAPS for each in taps) >= 0.9 * len(taps)
    assert not any(each is None or each.types_run for each in turns)


@pytest.mark.parametrize(
    ("names", "every"), [pytest.param(RECORDED, 29, marks=pytest.mark.recorded), (SELF_PLAYED, 31)]
)
@pytest.mark.slow
def test_turns_take_as_few_taps_as_when_whole_games_were_counted(names: Sequence[str], every: int) -> None:
    for name in names:
        turns = [turn for turn in list_turns(read_game(name)) if turn.is_operating]
        kept = read_kept_taps()[name]
        assert len(kept) == len(turns)
        some = [(sure(count_taps(turn)), sure(known)) for turn, known in [*zip(turns, kept, strict=True)][::every]]
        assert sum(made.taps for made, _ in some) <= sum(known.taps for _, known in some), name
        assert all(known.types_run or not made.types_run for made, known in some), name


@pytest.mark.parametrize(
    ("name", "count", "moves"),
    [
        ("1860-3", 390, 5),
        ("1862-3", 381, -5),
        ("1860-3", 1, 1),
        ("1860-3", 24, 1),
        ("1860-3", 51, 1),
        ("1862-3", 10, 1),
        ("1862-3", 184, 1),
        ("1862-3", 60, 2),
        ("steel_driver-4", 28, 1),
        ("steel_driver-4", 208, 1),
    ],
)
async def test_what_is_counted_is_what_the_bot_does(
    server: StandIn, desk: Desk, name: str, count: int, moves: int
) -> None:
    """A turn of a company, a lot, a company to start, a share, a merger, a link, a cube: each by taps alone.

    Where ``moves`` is less than 0, so many are made, with another run than the best.
    """
    kept = read(name)
    log_, here = kept.read_log(), Game.replay(kept.setup, kept.read_log()[:count])
    made = [entry.action for entry in log_[count : count + abs(moves)]]
    if moves < 0:
        run = next(at for at, action in enumerate(made) if action.verb in here.title.open_verbs)
        turn, there = Turn(here, log_[count].seat, made), Place(run, 0, "desk")
        other = list_amounts(turn.find_desk(there), turn.find_best_plan(there))[0]
        made[run] = read_action(type(made[run]), {"plan": other.plan})
    counted = sure(count_taps(Turn(here, log_[count].seat, made)))
    assert not counted.typed
    assert counted.taps <= (MAX_OTHER_TAPS if len(made) == 1 else MAX_TURN_TAPS), counted
    async with desk.running():
        thumb = await take_up_game(server, desk, name, count)
        await thumb.press(counted.pressed)
        said = [entry.action for entry in (await thumb.here()).game.list_actions()[count:]]
    assert [action.verb for action in said[: abs(moves)]] == [action.verb for action in made]
    assert moves > 0 or write_parameters(said[run])["plan"] == other.plan
    server.check()
