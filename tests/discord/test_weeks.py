"""Weeks at one table over the loopback Discord: every message that rings is in the list, and none besides."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.model.clock import DAY, HOUR
from bot.model.posts import STAND_IN_SECONDS
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message
from tests.support.sure import sure


class Weeks:
    """A table whose clock goes on as the test says, and who was rung since the last look."""

    def __init__(self, server: StandIn, desk: Desk, thread: Channel) -> None:
        self.server = server
        self.desk = desk
        self.thread = thread
        self._seen = 0
        self._began = desk.clock()

    @property
    def days(self) -> int:
        """Return how many days have gone by."""
        return (self.desk.clock() - self._began) // DAY

    async def later(self, seconds: int) -> list[str]:
        """Let time go by; return who was rung since the last look."""
        self.desk.forward(seconds)
        await self.desk.settle()
        return self.rung()

    def rung(self) -> list[str]:
        """Return who was rung since the last look, by name."""
        found = self.server.pings()
        new, self._seen = found[self._seen :], len(found)
        return sorted(new)

    async def say(self, person: Person, command: str, **options: Any) -> str:  # noqa: ANN401  # of every command
        """Give a command in the thread, and wait for what it brings."""
        answer = await person.slash(self.thread, command, **options)
        await self.desk.settle()
        return answer.text

    async def press(self, person: Person, label: str, other: str = "") -> Interaction:
        """Press a button of the newest message that has one of this label; another of its buttons, if that is named."""
        answer = await person.click(self.with_button(label), other or label)
        await self.desk.settle()
        return answer

    async def sleeps(self, person: Person, zone: str, after: int, **wishes: Any) -> None:  # noqa: ANN401  # of /me remind
        """Let someone have six quiet hours a day in their zone, which begin so many hours from now."""
        begin = (datetime.fromtimestamp(self.desk.clock(), ZoneInfo(zone)).hour + after) % 24
        await self.say(person, "me remind", zone=zone, quiet_from=begin, quiet_to=(begin + 6) % 24, **wishes)

    def with_button(self, label: str) -> Message:
        """Return the newest message of the thread with a button."""
        return [message for message in self.thread.public if label in message.labels and not message.deleted][-1]


async def test_three_weeks_of_1860(server: StandIn, desk: Desk) -> None:
    """All that can happen to three players in three weeks; each list is who rings, and no one else does."""
    alice, bob, carol, dave = (server.person(name) for name in ("alice", "bob", "carol", "dave"))
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, title="1860", clock=True)
        weeks = Weeks(server, desk, thread)
        assert weeks.rung() == ["alice"]

        deputy = await bob.slash(weeks.thread, "game proxy", user=dave.user)
        await desk.settle()
        assert "Take it back" not in deputy.message.labels, "it is no move"
        assert weeks.rung() == ["dave"], "who acts for somebody is told once"
        assert "It stops if" in await weeks.say(carol, "auto bid", on="choice", up_to=30)
        await weeks.say(alice, "act bid", amount=5)
        assert await weeks.later(HOUR) == ["dave"], "the proxy is called"
        assert "✓" in await weeks.say(dave, "act bid", amount=10)
        assert "Dave acts for Bob" in texts(thread)
        assert await weeks.later(HOUR) == ["alice"], "Carol's order has bid 15; nobody called her"

        assert await weeks.later(DAY) == ["alice"]
        answer = await alice.click(weeks.with_button("Snooze 4 h"), "Snooze 4 h")
        assert "pinged again" in answer.text
        assert await weeks.later(3 * HOUR) == []
        first = weeks.with_button("Snooze 4 h")
        assert await weeks.later(HOUR) == ["alice"]
        assert first.deleted, "a new reminder takes the place of the old one"
        await alice.click(weeks.with_button("Stop for this turn"), "Stop for this turn")
        assert await weeks.later(4 * DAY) == [], "its clock tells the others"

        await weeks.say(alice, "game undo", to=0)
        assert weeks.rung() == ["dave"], "Bob's bid would be lost; Carol's was made by order"
        assert "How far back instead" in (await dave.click(weeks.with_button("Counter…"), "Counter…")).text
        await dave.click(weeks.with_button("Agree"), "No")
        assert weeks.rung() == []

        await weeks.say(bob, "game stand_in", seat="Alice")
        assert weeks.rung() == ["carol"]
        await carol.click(weeks.with_button("Agree"), "Agree")
        await desk.settle()
        assert weeks.rung() == []
        assert await weeks.later(STAND_IN_SECONDS) == ["dave"], "Bob's turn"
        assert "⚙ Alice" in texts(thread), "the stand-in has moved, marked"
        await weeks.say(alice, "game stand_in", seat="Alice", on=False)
        assert weeks.rung() == []

        erin = server.person("erin")
        await weeks.say(carol, "game replace", seat="Carol", user=erin.user)
        assert weeks.rung() == ["erin"]
        await erin.click(weeks.with_button("Take the seat"), "Take the seat")
        assert await weeks.later(0) == []
        assert "Carol → Erin" in await weeks.say(erin, "game info")

        await weeks.sleeps(erin, "America/New_York", 0, on_deck=True)
        await weeks.sleeps(alice, "Asia/Tokyo", 6)
        await weeks.say(dave, "act pass")
        assert await weeks.later(HOUR) == [], "Erin sleeps in New York"
        assert await weeks.later(6 * HOUR) == ["erin"]
        await weeks.say(erin, "auto bid", on="choice", up_to=100)
        assert weeks.rung() == ["erin"], "her order has raised; Alice sleeps in Tokyo, and after her Erin would choose"
        assert await weeks.later(7 * HOUR) == ["alice"]
        await weeks.say(alice, "me away", days=2)
        assert await weeks.later(DAY) == []
        assert await weeks.later(DAY + HOUR) == ["alice"]
        await weeks.say(alice, "me remind", digest=0)
        await desk.services.tidy()
        await desk.settle()
        assert "Waiting for you" in texts(server.world.dm(alice.user))
        assert weeks.rung() == []

        await weeks.say(alice, "game undo", to=3)
        assert weeks.rung() == ["dave"]
        await weeks.press(dave, "Agree")
        assert weeks.rung() == [], "it is the turn of who asked"
        assert "Moves made before it were undone" in await weeks.say(erin, "auto list")
        await weeks.say(alice, "game clock", set="off")
        assert weeks.rung() == ["bob", "erin"]
        form = await weeks.press(bob, "Counter…")
        await bob.submit(form, value="96 + 12")
        await desk.settle()
        assert weeks.rung() == ["alice", "erin"], "his terms take the place of hers"
        for person in (alice, erin):
            await weeks.press(person, "Agree")
        assert weeks.rung() == []
        assert await weeks.later(DAY) == ["alice"], "who took moves back is reminded like anybody"
        await weeks.press(alice, "Stop for this turn")
        assert await weeks.later(5 * DAY) == ["bob", "erin"], "her clock has run out"
        await weeks.press(erin, "Use a stand-in this turn")
        assert weeks.rung() == ["bob"]
        await weeks.press(bob, "Agree")
        assert await weeks.later(STAND_IN_SECONDS) == ["dave", "erin"], (
            "the stand-in has moved: Bob's turn, and she is next"
        )
        assert await weeks.later(DAY) == ["dave"]
        await weeks.press(dave, "Stop for this turn")
        assert await weeks.later(8 * DAY) == ["alice", "erin"], "Bob's clock has run out"
        assert weeks.days >= 21
    server.check()


async def test_a_clock_that_runs_out_rings_the_others_once_and_takes_nothing(server: StandIn, desk: Desk) -> None:
    """Set before the start, shown at the turn; by vote a friend acts for this turn, the stand-in for the next."""
    alice, bob, carol, dave = (server.person(name) for name in ("alice", "bob", "carol", "dave"))
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, title="toy", clock=True)
        weeks = Weeks(server, desk, thread)
        assert "Clock: Alice until" in turn_of(thread).text
        assert "Bob 10 days" in await weeks.say(bob, "game clock")
        await weeks.say(alice, "me remind", reminders=False)
        assert weeks.rung() == ["alice"]
        assert sorted(await weeks.later(10 * DAY)) == ["bob", "carol"]
        up = weeks.with_button("Ask a person, this turn…")
        assert "No one loses on time" in up.text
        menu = await bob.click(up, "Ask a person, this turn…")
        await bob.choose_people(sure(menu.message), dave)
        await desk.settle()
        assert sorted(weeks.rung()) == ["carol", "dave"]
        for person in (carol, dave):
            await person.click(weeks.with_button("Agree"), "Agree")
            await desk.settle()
        assert weeks.rung() == ["dave"], "he is called to the turn"
        assert "pinged when you're next" in await weeks.say(carol, "me remind", on_deck=True)
        await weeks.say(dave, "act bid", amount=3)
        assert "Dave acts for Alice" in texts(thread)
        assert await weeks.later(HOUR) == ["bob", "carol"], "his turn, and she is on deck"
        assert "you're next, after Bob" in thread.last.text
        await weeks.say(bob, "act pass")
        assert await weeks.later(HOUR) == ["carol"]
        await weeks.say(carol, "act bid", amount=4)
        assert await weeks.later(HOUR) == ["alice", "carol"], "her turn again, and Bob has passed"
        assert sorted(await weeks.later(2 * DAY)) == ["bob", "carol"], "one day was given back"
        await carol.click(weeks.with_button("Use a stand-in this turn"), "Use a stand-in this turn")
        await desk.settle()
        assert weeks.rung() == ["bob"]
        await bob.click(weeks.with_button("Agree"), "Agree")
        await desk.settle()
        assert "until the end of this turn" in texts(thread)
        assert await weeks.later(STAND_IN_SECONDS) == ["carol"], "Bob has passed"

        await weeks.say(carol, "game clock", set="off")
        assert sorted(weeks.rung()) == ["alice", "bob"]
        form = await bob.click(weeks.with_button("Counter…"), "Counter…")
        await bob.submit(form, value="96 + 12")
        await desk.settle()
        assert sorted(weeks.rung()) == ["alice", "carol"], "his terms take the place of hers"
        for person in (alice, carol):
            await person.click(weeks.with_button("Agree"), "Agree")
            await desk.settle()
        assert "4 days each, plus 12 hours per turn" in await weeks.say(bob, "game clock")
    server.check()


@pytest.mark.slow
async def test_three_weeks_of_1862(server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that can happen to four players in three weeks; each list is who rings, and no one else does."""
    monkeypatch.setattr("bot.service.stand_ins.TRIES", 0)  # how well the stand-in plays is told elsewhere
    alice, bob, carol, dave, erin, frank = (
        server.person(n) for n in ("alice", "bob", "carol", "dave", "erin", "frank")
    )
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, dave, title="1862", pace="daily", clock=True)
        weeks = Weeks(server, desk, thread)
        assert weeks.rung() == ["alice"]
        await weeks.sleeps(bob, "Asia/Tokyo", 0)
        await weeks.sleeps(carol, "America/New_York", 6, on_deck=True)
        await weeks.say(dave, "me away", days=3, note="at sea")
        assert "Dave is away until" in texts(thread)
        assert weeks.rung() == []
        await weeks.say(alice, "game proxy", user=erin.user)
        assert weeks.rung() == ["erin"], "who acts for somebody is told once, with the turn that waits"
        assert "It stops if the lot is sold" in await weeks.say(carol, "auto bid", on="any", up_to=60)

        await weeks.say(erin, "act pass")
        assert weeks.rung() == ["carol"], "Bob sleeps; Carol is next, and nobody can tell that an order bids for her"
        assert await weeks.later(HOUR) == []
        assert await weeks.later(6 * HOUR) == ["bob"], "he wakes"
        await weeks.say(bob, "act bid", company="NGC", amount=20)
        assert "⚙ Carol bids £25 for NGC." in texts(thread)
        assert weeks.rung() == [], "her order went on, and Dave is at sea"
        assert await weeks.later(2 * DAY) == []
        assert await weeks.later(17 * HOUR) == ["dave"], "he is back, and called once"
        await weeks.say(dave, "me remind", digest=0)
        await desk.services.tidy()
        await desk.settle()
        assert "Waiting for you" in texts(server.world.dm(dave.user))
        assert weeks.rung() == [], "a digest comes in private"

        await weeks.say(dave, "act bid", company="NGC", amount=30)
        assert weeks.rung() == ["erin"], "Alice's turn"
        assert await weeks.later(13 * HOUR) == ["erin"], "a reminder"
        await weeks.press(erin, "Snooze 4 h")
        assert await weeks.later(3 * HOUR) == []
        assert await weeks.later(HOUR) == ["erin"]
        await weeks.say(erin, "act pass")
        assert weeks.rung() == ["bob", "carol"], "her order bids still, and nobody can tell"
        await weeks.say(erin, "me remind", on_deck=True)
        assert await weeks.later(8 * HOUR) == []

        await weeks.say(dave, "game undo", to=3)
        assert weeks.rung() == ["erin"], "her pass would be lost"
        instead = await weeks.press(erin, "Counter…")
        await erin.choose(sure(instead.message), "2")
        await desk.settle()
        assert weeks.rung() == ["dave"], "her terms: his bid and Carol's go as well"
        await weeks.press(dave, "Agree")
        assert weeks.rung() == ["carol"], "her order stopped: what it answered was taken back across it"
        assert "Moves made before it were undone" in await weeks.say(carol, "auto list")
        assert await weeks.later(13 * HOUR) == ["carol"]
        assert "was pinged" not in texts(thread), "answered calls are deleted"

        await weeks.say(bob, "game stand_in", seat="Carol")
        assert weeks.rung() == ["alice", "dave"]
        await weeks.press(alice, "Agree")
        assert weeks.rung() == []
        assert await weeks.later(STAND_IN_SECONDS) == ["dave", "erin"], (
            "the stand-in has moved; after Dave it is Alice's turn"
        )
        await weeks.say(carol, "game stand_in", seat="Carol", on=False)
        await weeks.say(carol, "game replace", seat="Carol", user=frank.user)
        assert weeks.rung() == ["frank"]
        await weeks.press(frank, "Take the seat")
        await weeks.say(frank, "me remind", place="dm")
        assert "Carol → Frank" in await weeks.say(frank, "game info")
        assert weeks.rung() == []

        await weeks.say(dave, "me remind", reminders=False)
        assert await weeks.later(4 * DAY) == ["alice", "bob"], "his clock has run out; nobody loses by it"
        assert "The clock of Dave has run out" in server.world.dm(frank.user).last.text, "as he wishes"
        await weeks.press(bob, "Use a stand-in this turn")
        assert weeks.rung() == ["alice"]
        assert "Bob asks for the stand-in to play" in server.world.dm(frank.user).last.text
        await weeks.press(frank, "Agree")
        assert await weeks.later(STAND_IN_SECONDS) == ["erin"], "Alice's turn"
        await weeks.say(dave, "game end")
        assert weeks.rung() == ["alice", "bob"]
        await weeks.press(frank, "Agree", "No")
        assert await weeks.later(HOUR) == [], "declined: the game goes on"

        await weeks.say(erin, "act pass")
        assert await weeks.later(HOUR) == ["bob"]
        await weeks.say(bob, "act pass")
        assert await weeks.later(DAY) == [], "Frank is called in private"
        assert "It's your turn" in texts(server.world.dm(frank.user))
        await weeks.say(alice, "game close", sure=True)
        assert weeks.rung() == ["bob", "dave"]
        for person in (bob, dave, frank):
            await weeks.press(person, "Agree")
        assert await weeks.later(12 * DAY) == [], "a closed table calls nobody"
        await weeks.say(bob, "game reopen")
        assert weeks.rung() == []
        assert weeks.days >= 21
    server.check()


async def test_friends_take_the_seats_of_a_game_that_was_brought_in(server: StandIn, desk: Desk) -> None:
    """Whoever brought it in gives the seats away with one press; each tap takes one, the last stays."""
    alice, bob, carol = (server.person(name) for name in ("alice", "bob", "carol"))
    async with desk.running():
        await open_table(desk, alice, bob, carol, title="toy")
        file = await desk.services.transfer.export(1, "native", None)
        await alice.slash(server.games, "game import", file=alice.upload(file.name, file.data), name="Again")
        await desk.settle()
        weeks = Weeks(server, desk, server.threads[-1])
        offer = weeks.with_button("Give seats…")
        with pytest.raises(LookupError):
            await bob.click(offer, "I'm Bob")
        assert "Only a player who holds several" in (await bob.click(offer, "Give seats…")).text
        await alice.click(offer, "Give seats…")
        await desk.settle()
        assert "takes over Carol's seat" in (await carol.click(offer, "I'm Carol")).text
        await desk.settle()
        assert "You already have a seat at" in (await carol.click(offer, "I'm Bob")).text
        await bob.click(offer, "I'm Bob")
        await desk.settle()
        assert "All the other seats have been taken." in offer.text
        people = (await desk.services.lobby.get_table(2)).people
        assert people == tuple(str(person.id) for person in (alice, bob, carol))
        assert weeks.rung() == ["alice"], "it was her turn when the first game began; a seat taken rings nobody else"
    server.check()
