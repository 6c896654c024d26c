"""1862 in Discord through two Parliaments, a stock round, a set of operating rounds and a merger."""

import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from bot.model.records import Position
from bot.screens.desk import AFTER_PASS, count_declines, follow
from bot.screens.desk_buttons import name_opener
from bot.screens.run_editor import EDITOR
from bot.screens.screen import WHOLE_SCREEN, read_custom_id
from engine import Action, Game, Rng
from engine.codec import read_file
from engine.title import insert_names
from engine.words import find_pass, list_parameters, write_parameters
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import at_once, open_table, replay_position, say, sizes, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, File
from tests.strength.rivals.g1862 import choose

SEED = 344  # Bob's EUR proposes to merge with Alice's ESR soon after the second Parliament
ROUNDS = ["PR 1", "SR 1", "OR 1.1", "PR 2", "SR 2", "OR 2.1"]
MAX_MOVES = 120
AT_THE_DESK = {"bid", "pass", "start", "buy", "tile", "token", "train", "run", "dividend", "merge", "answer", "option"}
PAINTED = AT_THE_DESK - {"pass", "start", "buy", "train"}
POSTED = {"bid", "merge"}
"""Verbs of which the turn message that follows is looked at too, with its pictures."""


class Table:
    """Three friends who play what 0.2's player picks, whom no change reaches; the first of a kind at the desk."""

    def __init__(self, desk: Desk, thread: Channel, people: tuple[Person, ...]) -> None:
        self.desk = desk
        self.thread = thread
        self.people = people
        self.names = tuple(person.user.name.title() for person in people)
        self.rng = Rng(SEED)
        self.ways: Counter[tuple[str, str]] = Counter()
        self.shown: defaultdict[str, list[str]] = defaultdict(list)
        self.turns: dict[str, str] = {}
        self.rounds: dict[str, int] = {}
        self.pictures: defaultdict[str, list[File]] = defaultdict(list)

    async def here(self) -> Position:
        return await self.desk.services.table.load_position(1)

    async def play_to(self, name: str) -> None:
        """Play until this round begins; look at each screen and picture of a first time."""
        while (game := replay_position(await self.here())).state.name != name:
            assert len(game.line) < MAX_MOVES
            self.rounds.setdefault(game.state.name, len(game.line))
            await self.move()

    async def move(self) -> None:
        """Let the one who is asked decide."""
        position = await self.here()
        game = replay_position(position)
        person, action = self.people[game.actors[0]], self.decision(game)
        is_new = not any(verb == action.verb for verb, _ in self.ways)
        has_warranties = getattr(action, "warranties", 0) and "warranties" not in self.shown
        if is_new or has_warranties:
            answer = await self.through_desk(person, position, action)
        elif self.ways[action.verb, "button"] < 2:
            answer = await self.button(person, position, action)
        else:
            answer = await self.command(person, action)
        assert answer.text.startswith("✓"), (action, answer.text)
        assert (await self.here()).game.list_actions()[-1].action.verb == action.verb
        if is_new and action.verb in POSTED:
            await self.desk.settle()
            turn = turn_of(self.thread)  # it will be written anew
            self.turns[action.verb] = "\n".join([turn.text, *turn.labels])
            self.pictures[f"turn after {action.verb}"] += turn.files
        self.desk.painting = False

    def decision(self, game: Game) -> Action:
        """Return what the player of 0.2 would do, but keep a share that a merger leaves open, if one can."""
        action = choose(game.state, game.actors[0], self.rng)
        if action.verb != "option":
            return action
        return next(each for each in game.legal(game.actors[0]) if each.verb == "option")

    async def command(self, person: Person, action: Action) -> Interaction:
        """Type the move."""
        self.ways[action.verb, "command"] += 1
        whole = {each.name for each in list_parameters(type(action)) if each.whole}
        words: dict[str, Any] = {
            name: int(word) if name in whole else word for name, word in write_parameters(action).items()
        }
        return await person.slash(self.thread, f"act {action.verb}", **words)

    async def button(self, person: Person, position: Position, action: Action) -> Interaction:
        """Tap the move in the turn message if it is there, else type it."""
        await self.desk.settle()
        shown = turn_of(self.thread)
        button = at_once(shown, list_labels(position, action))
        if button is None:
            return await self.command(person, action)
        self.ways[action.verb, "button"] += 1
        return await person.click(shown, button)

    async def through_desk(self, person: Person, position: Position, action: Action) -> Interaction:
        """Open the desk, say the move step by step, look at what will happen, confirm."""
        self.ways[action.verb, "desk"] += 1
        self.desk.painting = action.verb in PAINTED
        shown = await person.click(self.thread.public[0], "Act")
        if name_opener(type(action)) in shown.message.labels:
            shown = await person.click(shown.message, name_opener(type(action)))
        elif (whole := list_labels(position, action)[-2]) in shown.message.labels and at_once(
            shown.message, [whole]
        ) is None:
            shown = await person.click(shown.message, whole)  # the only move of its verb: straight to its check
        if "More…" in shown.message.labels:
            self.note(action, shown)
            shown = await person.click(shown.message, "More…")
        self.note(action, shown)
        if button := at_once(shown.message, list_labels(position, action)):
            self.desk.painting = action.verb in POSTED
            return await person.click(shown.message, button)
        while "Confirm" not in shown.message.labels:
            self.only_legal(position, shown)
            shown = await say(person, shown, replay_position(position), action)
            self.note(action, shown)
        self.foretold(position, action, shown)
        self.desk.painting = action.verb in POSTED
        return await person.click(shown.message, "Confirm")

    def note(self, action: Action, shown: Interaction) -> None:
        """Keep what a screen says and shows."""
        kind = "warranties" if getattr(action, "warranties", 0) else action.verb
        self.shown[kind].append("\n".join([shown.text, *labels(shown)]))
        self.pictures[kind] += shown.message.files

    def only_legal(self, position: Position, shown: Interaction) -> None:
        """Check that each choice of a screen leads on to something legal."""
        game = replay_position(position)
        no = find_pass(game.title.actions)
        for part in shown.message.controls:
            control = read_custom_id(part["custom_id"])
            assert control is not None
            path = control.arg.partition("/")[0]
            ends = [f"{path}.{option['value']}" for option in part.get("options", ())] or [path]
            for end in ends if control.verb in {"at", "pick"} and path else ():
                if end.startswith((WHOLE_SCREEN, EDITOR)):
                    continue
                later, seat = game, game.actors[0]
                for _ in range(count_declines(end)):
                    assert no is not None
                    later = later.play(seat, no).game
                draft = follow(
                    later.choices(seat), game.title.open_verbs, end.lstrip(AFTER_PASS)
                )  # refuses what leads nowhere
                assert draft.asked is None or draft.values

    def foretold(self, position: Position, action: Action, shown: Interaction) -> None:
        """Check that the last screen tells everything that the move brings about."""
        played = replay_position(position).play(position.game.actors[0], action)
        for event in played.events:
            assert f"• {insert_names(position.game.title.words.say(event, self.names), self.names)}" in shown.text


def list_labels(position: Position, action: Action) -> list[str]:
    """Return the words that a button may have which plays a move at once."""
    game = replay_position(position)
    tips = {tip.action: tip.label for tip in game.tips(game.actors[0])}
    names = position.table.names
    words = [tips.get(action, ""), game.title.words.label(game.state, action, ""), action.verb.capitalize()]
    return [insert_names(each, names) for each in words if each]


def labels(shown: Interaction) -> list[str]:
    """Return the words of all buttons and options of a screen."""
    parts = shown.message.controls
    options = [f"{o['label']} · {o.get('description', '')}" for p in parts for o in p.get("options", ())]
    return [*options, *(part["label"] for part in parts if "label" in part)]


def check_words(table: Table) -> None:
    """Check that the screens say what a choice brings, where it is made."""
    said = {kind: "\n".join(screens) for kind, screens in table.shown.items()}
    assert "Lynn & Hunstanton Railway, home King's Lynn · local permit" in said["bid"]
    assert "A company's permit determines which type of train it can run." in said["bid"]
    assert "par £74 · £222 for the director's certificate" in said["start"]
    assert "Buy 2E for £100, leaves £" in said["train"]
    assert re.search(r"no permit to run it", said["train"])
    assert "adds one run after rust" in said["train"]
    assert "Express n: n large stations, ports and red areas" in said["train"]
    assert "2 extra for £100: 2 more runs after it rusts" in said["warranties"]
    assert "Pay £8 a share · £20 from the treasury" in said["dividend"]
    assert "EUR with ESR: £105, shares two for one, EUR survives; Bob directs it if all options" in said["merge"]
    assert "If all options are redeemed, Bob directs EUR." in said["answer"]
    assert "Redeem for £52\nGive up for £52" in said["option"]


def check_pictures(table: Table) -> None:
    """Check that what is to be decided is shown where it is decided, large enough to be read."""
    heads = {kind: [file.alt.split(". ")[0] for file in files] for kind, files in table.pictures.items()}
    assert set(heads["merge"]) == {"EUR with ESR"}  # the check
    assert heads["answer"] == ["EUR with ESR"]  # Accept and Decline play at once
    assert heads["option"][0] == "ESR into EUR"
    assert list(dict.fromkeys(heads["tile"])) == ["Tiles for E4 Fakenham", "Map, operating round 1.1, phase A"]
    assert heads["token"] == ["Map, operating round 1.1, phase A"]
    assert set(heads["run"]) == {"Map, operating round 2.1, phase B"}
    for file in [*table.pictures["merge"], *table.pictures["answer"]]:
        assert "Bob: 50% become 20% and an option. Alice: 50% become 20% and an option." in file.alt
    every = [file for files in table.pictures.values() for file in files]
    assert min(width for width, _ in sizes(every)) >= 700


def check_turns(table: Table) -> None:
    """Check the turn messages: a bid shows Parliament, a proposal the merger to the director who is asked."""
    assert table.people[1].mention in table.turns["bid"]
    assert "Alice leads with £0. Raise to £5, or up to £635, or pass and be out." in table.turns["bid"]
    shown = table.pictures["turn after bid"]
    assert [file.alt.split(",")[0] for file in shown] == ["Parliament", "Share prices: none yet."]
    assert table.people[0].mention in table.turns["merge"]
    assert " wants to merge with ESR; EUR survives at £105." in table.turns["merge"]
    assert table.people[1].mention not in table.turns["merge"]  # who proposed is not asked
    assert "\nAccept\nDecline\n" in table.turns["merge"]
    assert [file.alt.split(". ")[0] for file in table.pictures["turn after merge"]] == ["EUR with ESR"]


@pytest.mark.slow
async def test_two_parliaments_and_a_merger(server: StandIn, desk: Desk) -> None:
    people = tuple(server.person(name) for name in ("alice", "bob", "cid"))
    async with desk.running():
        thread = await open_table(desk, *people, title="1862", seed=SEED)
        table = Table(desk, thread, people)
        await table.play_to("PR 2")
        before = replay_position(await table.here())
    async with desk.running():  # the rest after a restart
        assert replay_position(await table.here()).state == before.state
        await table.play_to("OR 2.2")
        await desk.settle()
        assert list(table.rounds) == ROUNDS
        stored = await people[2].slash(thread, "game export")
        game = replay_position(await table.here())
        file = read_file(stored.message.files[0].data, game.setup.seed)  # sealed, for the game goes on
        again = Game.replay(file.setup, file.log)
    assert again.state == game.state
    assert game.state.companies["EUR"].director == 1
    assert not game.state.companies["ESR"].floated
    check_words(table)
    check_pictures(table)
    check_turns(table)
    assert {verb for verb, way in table.ways if way == "desk"} == AT_THE_DESK
    ways = {way: sum(count for (_, each), count in table.ways.items() if each == way) for _, way in table.ways}
    assert ways["command"] >= 50
    assert ways["button"] >= 8
    server.check()
    assert server.refusals == []
