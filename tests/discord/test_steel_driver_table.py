"""Steel Driver from the lobby to the winner, in Discord: each decision by a command, a button or the desk."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.model.records import Position
from bot.screens.desk_buttons import name_opener
from engine import Action, Game, Rng
from engine.codec import decode_file
from engine.words import list_parameters, write_parameters
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import at_once, open_table, replay_position, say, sizes, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel
from tests.support.boards import TWO_COASTS
from tests.support.sure import as_a, sure

MAX_MOVES = 200
FIRST_BID, HIGHEST_BID = 5, 6
AUCTIONS = 3  # a turn; more than that are like the others
SAID_TURNS = 2  # bids and builds of later turns are like those of the first two, and come without Discord
APART = 600  # seconds between the moves of friends who do not sit together


def _amount(bid: Action) -> int:
    return int(write_parameters(bid)["amount"])


class Table:
    """Three friends; what each decides is drawn by a seed, how it is said goes round: command, button, desk."""

    def __init__(self, desk: Desk, thread: Channel, people: tuple[Person, ...]) -> None:
        self.desk = desk
        self.thread = thread
        self.people = people
        self.rng = Rng(7)
        self.said: Counter[str] = Counter()

    async def here(self) -> Position:
        return await self.desk.services.table.load_position(1)

    async def move(self, position: Position) -> Position:
        """Let the one who is asked decide; return what it leads to. Pictures are real where a phase ends."""
        person, action = self.people[position.game.actors[0]], self.decision(replay_position(position))
        tried = replay_position(position).play(position.game.actors[0], action).game
        self.desk.painting = tried.state.phase != replay_position(position).state.phase
        state = replay_position(position).state
        if state.phase != "goods" and state.turn > SAID_TURNS:
            await self.desk.services.table.submit(1, str(person.id), action)
            return await self.here()
        ways = (self.command, self.button, self.through_desk)
        answer = await ways[len(position.game.line) % 3](person, position, action)
        assert answer.text.startswith("✓") or "The game is over" in answer.text, (action, answer.text)
        after = await self.here()
        assert after.game.list_actions()[-1].action == action
        return after

    def decision(self, game: Game) -> Action:
        """Return what the seeded player would do, but with few and short auctions."""
        action = game.title.advice.choose(game.state, game.actors[0], self.rng)
        if action.verb != "bid":
            return action
        legal = game.legal(game.actors[0])
        shortly = next(each for each in legal if each.verb == "pass")
        words = write_parameters(action)
        if "company" not in words:
            return shortly if int(words["amount"]) > HIGHEST_BID else action
        said = [each.action for each in game.list_in_force()]
        since = max((at for at, each in enumerate(said) if each.verb not in {"bid", "pass"}), default=-1)
        if sum("company" in write_parameters(each) for each in said[since + 1 :]) >= AUCTIONS:
            return shortly
        bids = [each for each in legal if write_parameters(each).get("company") == words["company"]]
        return max((each for each in bids if _amount(each) <= FIRST_BID), key=_amount)

    async def command(self, person: Person, position: Position, action: Action) -> Interaction:
        """Type the move."""
        self.said["command"] += 1
        whole = {each.name for each in list_parameters(type(action)) if each.whole}
        words: dict[str, Any] = {
            name: int(word) if name in whole else word for name, word in write_parameters(action).items()
        }
        return await person.slash(self.thread, f"act {action.verb}", **words)

    async def button(self, person: Person, position: Position, action: Action) -> Interaction:
        """Tap the move itself in the turn message; the desk has what has no button there."""
        await self.desk.settle()
        label = position.game.title.words.label(replay_position(position).state, action, "")[:80]
        shown = turn_of(self.thread)
        button = at_once(shown, [label])
        if button is None:  # a button tells the reason behind the move
            return await self.through_desk(person, position, action)
        self.said["button"] += 1
        return await person.click(shown, button)

    async def through_desk(self, person: Person, position: Position, action: Action) -> Interaction:
        """Open the desk from the table message, say the move step by step, look at the check, confirm."""
        self.said["desk"] += 1
        shown = await person.click(self.thread.public[0], "Act")
        if name_opener(type(action)) in shown.message.labels:
            shown = await person.click(shown.message, name_opener(type(action)))
        label, state = position.game.title.words.label, replay_position(position).state
        if button := at_once(shown.message, [label(state, action, "")[:80]]):
            return await person.click(shown.message, button)
        while "Confirm" not in shown.message.labels:  # what has one value only is said already
            shown = await say(person, shown, replay_position(position), action)
        assert "Check" in shown.text, shown.text
        return await person.click(shown.message, "Confirm")


async def auctions(table: Table, position: Position) -> Position:
    """Sell companies till building begins; friends who bid against each other sit together."""
    while replay_position(position).state.phase == "auction":
        position = await table.move(position)
    await table.desk.settle()
    assert min(sizes(turn_of(table.thread).files))[0] >= 800
    return position


async def apart(table: Table, position: Position, phase: str) -> int:
    """Play a phase with hours between the moves; return how often one message held for two companies.

    Whoever is to act next is rung, once, and no one else; who stays on the move is not rung again.
    """
    server, stayed = table.desk.server, 0
    while position.game.actors and replay_position(position).state.phase == phase:
        table.desk.forward(APART)
        await table.desk.settle()
        before, rung = turn_of(table.thread), len(server.pings())
        after = await table.move(position)
        await table.desk.settle()
        if not after.game.actors:
            return stayed
        names = [table.people[seat].user.name for seat in after.game.actors if seat not in position.game.actors]
        assert server.pings()[rung:] == names
        assert (turn_of(table.thread) is before) == (not names)
        assert after.ask().headline in turn_of(table.thread).text
        stayed += not names and position.ask().company != after.ask().company
        position = after
    return stayed


@pytest.mark.slow
async def test_a_table_from_the_lobby_to_the_winner(server: StandIn, desk: Desk) -> None:
    people = tuple(server.person(name) for name in ("alice", "bob", "cid"))
    stayed = 0
    async with desk.running():
        thread = await open_table(desk, *people, title="steel_driver", options="first=host tie=best advice=public")
        assert server.pings() == ["alice"]
        table = Table(desk, thread, people)
        while replay_position(position := await table.here()).state.phase == "auction":
            rung = len(server.pings())
            position = await auctions(table, position)
            assert len(server.pings()) - rung <= 1  # bids are made at once, and ring no one
            stayed += await apart(table, position, "build")
            assert len((await table.here()).game.line) < MAX_MOVES
        assert stayed  # several companies of one controller stayed in one message
        await apart(table, await table.here(), "goods")
        await end(table)
    assert min(table.said.values()) >= 12, table.said
    server.check()
    assert server.refusals == []


async def end(table: Table) -> None:
    """Look at the result, the final pictures, and the log that tells it all again."""
    alice, thread, server = table.people[0], table.thread, table.desk.server
    game = replay_position(await table.here())
    scores = sure(game.result()).scores
    last = next(message for message in reversed(thread.public) if "is over" in message.text)
    for place, score in enumerate(scores, 1):
        assert f"{place}. {table.people[score.seat].user.name.title()} — ${score.total}" in last.text
    told, *shown = [file.alt.split(" ·")[0] for file in last.files]
    assert told.startswith("The end. 1 ")
    assert [each.partition(". ")[0] for each in shown] == ["Cash over time", "Goods and sets", game.state.board.name]
    assert min(sizes(last.files))[0] >= 800
    assert set(server.pings()[-3:]) == {"alice", "bob", "cid"}
    assert thread.last.text.startswith("**Biggest swing** — ")
    assert [file.alt.split(":")[0] for file in thread.last.files] == ["Chances to win"]
    assert "**Turning points** — " in thread.last.text
    assert "**Worth** — at the start, after turn 1, " in thread.last.text
    assert "ranscontinental link" in texts(thread)
    assert table.desk.painting
    more = await alice.click(thread.public[0], "More…")
    chart = await alice.click(more.message, "Cash over the turns")
    assert sizes(chart.message.files)
    report = await alice.slash(thread, "view report")
    assert "**Value of a share** — " in report.text
    assert "brought $" in report.text.split("**Decisions of yours to try again**")[1]
    assert "**The whole report** — **/view report**" in thread.last.text
    stored = await alice.slash(thread, "game export")
    again = Game.replay(*decode_file(stored.message.files[0].data))
    assert again.state == game.state
    assert again.result() == game.result()


async def test_the_host_chooses_the_groups_own_board(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    folder = as_a(Path, desk.path).parent / "boards"
    folder.mkdir()
    (folder / "ours.toml").write_text(TWO_COASTS, "utf-8")
    (folder / "bad.toml").write_text(TWO_COASTS.replace("value = 20", "value = 25"), "utf-8")
    async with desk.running():
        await alice.slash(server.games, "game new", title="steel_driver", seats=3)
        await desk.settle()
        lobby = server.games.last
        assert "Board: a reconstruction, not the printed one" in lobby.text
        shown = await alice.click(lobby, "Variants…")
        assert "The included board is a reconstruction" in shown.text
        shown = await alice.choose(shown.message, "Board")
        refused = await alice.click(shown.message, "bad.toml")
        assert "bad.toml, places.middle: a value must be 0, 10, 20, … 200." in refused.text
        chosen = await alice.click(shown.message, "ours.toml")
        assert "`board=ours.toml`" in chosen.text
        await desk.settle()
        assert "Board: custom (ours.toml)" in lobby.text
        (folder / "ours.toml").unlink()
        for person in (bob, server.person("cid")):
            await person.click(lobby, "Join")
        await alice.click(lobby, "Start")
        await desk.settle()
        assert (await desk.services.table.load_position(1)).game.replay().state.board.name == "Two coasts"
    server.check()
