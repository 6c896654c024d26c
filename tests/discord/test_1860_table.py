"""1860 from /game new through the auction and a stock round into the operating rounds, by clicks and commands."""

import re
from typing import Any

import pytest

from bot.model.clock import HOUR
from bot.screens.screen import read_custom_id
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import open_table, sizes, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.test_taps import take_up_game
from tests.discord.world import Channel, File, Message
from tests.playthroughs.record import read
from tests.support.sure import sure

LOTS = ("BHC", "C&N", "YHC", "IOW", "CMH", "RPSC")


class Players:
    """People who play by the turn message: the one who is named there acts."""

    def __init__(self, desk: Desk, thread: Channel, *people: Person) -> None:
        self.desk = desk
        self.thread = thread
        self.people = people

    @property
    def turn(self) -> Message:
        return turn_of(self.thread)

    @property
    def actor(self) -> Person:
        return next(person for person in self.people if person.mention in self.turn.text)

    @property
    def asked(self) -> str:
        return sure(re.search(r"^You (?:may|must) (.*)\.$", self.turn.text, re.MULTILINE))[1]

    async def click(self, label: str) -> Interaction:
        """Click a button of the turn message, and wait for what it brings."""
        answer = await self.actor.click(self.turn, label)
        await self.desk.settle()
        return answer

    async def command(self, words: str, **options: Any) -> None:  # noqa: ANN401  # of every command
        """Type a command, and wait for what it brings."""
        answer = await self.actor.slash(self.thread, words, **options)
        assert "✓" in answer.text, answer.text
        await self.desk.settle()

    async def through_desk(self, *steps: str) -> list[File]:
        """Open the desk, go through its screens by the beginnings of labels, confirm; return the pictures shown."""
        person, pictures = self.actor, []
        shown = await person.click(self.turn, "Act")
        for step in (*steps, ""):
            pictures += shown.message.files
            if "Confirm" in shown.message.labels:
                break
            menus = [part for part in shown.message.controls if part["type"] == 3]
            if menus and not (step and step in shown.message.labels):
                option = next(o for o in menus[0]["options"] if o["label"].startswith(step))
                shown = await person.choose(shown.message, option["label"], select=menus[0]["placeholder"])
            else:
                leading = [
                    part for part in shown.message.controls if sure(read_custom_id(part["custom_id"])).verb == "at"
                ]
                label = next(part["label"] for part in leading if part["label"].startswith(step))
                shown = await person.click(shown.message, label)
        done = await person.click(shown.message, "Confirm")
        assert "✓" in done.text, done.text
        await self.desk.settle()
        return pictures

    async def run_as_typed(self, plan: str) -> None:
        """Type a plan into the form of the desk; the check shows it on the map."""
        person = self.actor
        shown = await person.click((await person.click(self.turn, "Act")).message, "More…")
        shown = await person.submit(await person.click(shown.message, "Type it…"), value=plan)
        assert "Check" in shown.text
        assert len(shown.message.files) == 1
        assert "✓" in (await person.click(shown.message, "Confirm")).text
        await self.desk.settle()

    async def auction(self) -> None:
        """Sell the six lots for a bid of 5 each."""
        lots = list(LOTS)
        while lots:
            if self.asked != "choose a lot":
                await self.click("Bid £5" if "Bid £5" in self.turn.labels else "Pass")
            elif (lot := lots.pop(0)) in {"C&N", "IOW"}:
                opener = ["Start a company…"] if len(lots) > 1 else []
                await self.through_desk(*opener, "Start C&N at par £74" if lot == "C&N" else "par £74")
            else:
                await self.command("act buy", share=lot)

    async def stock_round(self) -> None:
        """Buy three shares of each company, so that both float; the director of C&N lays its home tile."""
        shares = ["C&N ipo"] * 3 + ["IOW ipo"] * 3
        while "operates" not in self.turn.text:
            if self.asked == "lay the home tile":
                await self.through_desk("")
            elif len(shares) == 6:  # the button of the turn message opens the desk at its verb
                shares.pop()
                shown = await self.actor.click(self.turn, "Buy…")
                shown = await self.actor.click(shown.message, "10% IOW")
                await self.actor.click(shown.message, "Confirm")
                await self.desk.settle()
            elif shares:
                await self.command("act buy", share=shares.pop(0))
            else:
                await self.click("Pass")


def _usual(table: Players) -> str:
    """Return the button for what is usual: buy one train, run, pay."""
    if table.asked == "buy trains":
        return "Buy 2+1" if "trains none" in table.turn.text else "No more trains"
    more = "No more track" in table.turn.labels
    return {
        "lay track": "No more track" if more else "No track",
        "build a base": "No base",
        "pay or keep": "Pay £",
        "buy, sell or pass": "Pass",
    }[table.asked]


@pytest.mark.slow
async def test_the_first_rounds(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob, title="1860")
        table = Players(desk, thread, alice, bob)
        await table.auction()
        await table.stock_round()
    assert "C&N lays tile 787" in texts(thread)
    assert server.pings()[:2] == ["alice", "bob"]
    assert not any(message.text.startswith("✓") for message in thread.public)  # answers are private

    desk.painting = True
    async with desk.running():  # the rest after a restart
        company = table.turn.text.split("**")[1].split(" ")[0]
        drawn = await table.through_desk("", "")
        assert len(sizes(drawn)) >= 2  # where, which (lettered), and the map as it would be
        assert f"{company} lays" in thread.public[0].text  # the table message has the log
        assert sizes(thread.public[0].files)[0][0] >= 1000  # and the map
        assert sizes(table.turn.files)[0][0] >= 1000  # and within a turn its message is kept up to date
        desk.painting = False
        while "pays £" not in texts(thread):
            await (table.run_as_typed("best") if table.asked == "run trains" else table.click(_usual(table)))
    server.check()
    assert server.refusals == []


async def test_a_turn_that_ends_after_a_sale_leaves_no_empty_line(server: StandIn, desk: Desk) -> None:
    """What was done is told already; the table message showed a bare line, and the log that someone moves."""
    async with desk.running():
        thumb = await take_up_game(server, desk, "1860-3", 72)
        seat = (await thumb.here()).actors[0]
        assert "Done" in thumb.message.labels
        await thumb.tap("Done")
        await desk.settle()
        lines = thumb.thread.public[0].text.splitlines()
        assert [line for line in lines if line.startswith("-#")], "what was done before"
        assert "-# " not in lines
        assert "-#" not in lines
        told = (await thumb.people[0].click(thumb.thread.public[0], "Log")).text
        assert told.splitlines()[-1].endswith(f"  {seat.name} is done.")
    server.check()


async def test_a_reminder_describes_the_current_decision(server: StandIn, desk: Desk) -> None:
    """Who ends the stock round goes on with their company: one turn, and another question than when it began."""
    async with desk.running():
        thumb = await take_up_game(server, desk, "1860-3", 249)
        here = await thumb.here()
        assert here.ask().headline == "Stock round 6"
        await desk.services.table.submit(here.table.id, here.actors[0].user, read("1860-3").read_log()[249].action)
        after = await thumb.here()
        assert (after.table.turn_from, after.actors) == (here.table.turn_from, here.actors)
        desk.forward(30 * HOUR)
        reminded = await server.world.until(
            lambda: next((each for each in thumb.thread.public if "your turn since" in each.text), None)
        )
        assert "C&N operates (OR 6.1, 1 of 5): your turn since" in reminded.text
        assert "Stock round" not in reminded.text
    server.check()
