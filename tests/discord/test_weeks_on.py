"""Later weeks at a table of 1860: a train is haggled for, a company goes bankrupt, orders stop when they must."""

from msgspec.structs import replace

from bot.model.clock import DAY, HOUR
from bot.service.services import Services
from bot.service.transfer import restore_log
from engine.codec import encode_file
from engine.setup import RULES
from tests.discord.conftest import Desk
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.test_weeks import Weeks
from tests.playthroughs.record import read

LATE = 348
"""Moves of the kept game after which S&C buys trains, and after it IWNJ operates, whose price is nearly nothing."""


async def test_trains_are_haggled_for_and_orders_stop_when_they_must(server: StandIn, desk: Desk) -> None:
    """Taken back, declined, countered, declined: who must answer is rung once. Bankruptcy stops orders, a sale one."""
    alice, bob, carol = (server.person(name) for name in ("alice", "bob", "carol"))
    kept = read("1860-3")
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, title="1860", seed=kept.setup.seed)
        assert server.pings() == ["alice"]
    services = await Services.open(desk.path, desk.clock)
    await restore_log(
        services.database, 1, encode_file(replace(kept.setup, rules=RULES), kept.read_log()[:LATE]), desk.clock()
    )
    await services.close()

    async with desk.running():
        weeks = Weeks(server, desk, thread)
        await desk.settle()
        assert weeks.rung() == ["alice", "alice"], "at the start, and for the turn that was restored"
        server.clock.forward(HOUR)
        assert "the best run earns less" in await weeks.say(carol, "auto run", company="C&N", keep=True)
        assert "pass in the next stock round" in await weeks.say(alice, "auto pass", next=True)
        await weeks.say(alice, "act train", train="3+2 FYN", price=60)
        assert await weeks.later(HOUR) == ["bob"], "an offer is a turn of its own"
        asked = weeks.with_button("Decline")
        assert "S&C (Alice) offers FYN 60cc for its 3+2" in asked.text
        own = await alice.click(asked, "Act")
        assert "— Bob to accept or decline" in own.text
        assert own.message.labels == ["Take the offer back", "Take it back", "Restart turn", "Close"]
        late = await bob.click(asked, "Act")
        await alice.click(own.message, "Take the offer back")
        assert await weeks.later(HOUR) == [], "nobody is called: it is her turn again, and she knows"
        assert "S&C takes back its offer for the 3+2 of FYN" in asked.text
        assert asked.labels == [], "what he was asked stands there no more"
        assert turn_of(thread).text.startswith(alice.mention)
        assert "the game has moved on. Now: S&C operates" in (await bob.click(late.message, "Accept 60cc")).text
        await weeks.say(alice, "act train", train="3+2 FYN", price=60)
        assert await weeks.later(HOUR) == ["bob"], "a new question"
        await weeks.press(bob, "Decline")
        assert await weeks.later(HOUR) == ["alice"]
        await weeks.say(alice, "act train", train="3+2 FYN", price=80)
        assert await weeks.later(HOUR) == ["bob"]
        await weeks.say(bob, "act counter", price=120)
        assert await weeks.later(HOUR) == ["alice"], "his price"
        await weeks.press(alice, "Decline")
        assert await weeks.later(HOUR) == [], "it is her turn still"
        await weeks.say(alice, "act pass")
        assert await weeks.later(HOUR) == ["bob"], "IWNJ"

        for said in kept.read_log()[LATE + 1 : LATE + 4]:
            await desk.services.table.submit(1, str(bob.id), said.action)
        await desk.settle()
        assert "IWNJ is bankrupt" in texts(thread)
        for person in (alice, carol):
            assert "A company went bankrupt." in await weeks.say(person, "auto list")
        assert await weeks.later(HOUR) == [], "Bob begins the stock round"

        for person in (alice, carol):
            assert "another player sells shares" in await weeks.say(person, "auto pass")
        await weeks.say(bob, "act sell", company="FYN", count=1)
        await weeks.say(bob, "act pass")
        assert await weeks.later(HOUR) == ["carol"], "a share lies in the pool, which she could buy"
        assert "Bob sold FYN." in await weeks.say(carol, "auto list")
        await weeks.say(carol, "auto pass")
        assert await weeks.later(HOUR) == ["alice"], "Carol's new order has passed at once; hers had stopped as well"
        await weeks.say(alice, "auto pass")
        assert await weeks.later(HOUR) == ["bob"]
        await weeks.say(bob, "act buy", share="S&C ipo")
        assert [line.name for line in await desk.services.table.read_log(1)][-3:] == ["Bob", "Carol", "Alice"]
        assert await weeks.later(HOUR) == [], "that alarms nobody: both orders went on, and he has the turn again"
    server.check()


async def test_the_end_of_a_game_rings_no_one_in_quiet_hours(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        weeks = Weeks(server, desk, await open_table(desk, alice, bob, title="toy"))
        await weeks.sleeps(bob, "UTC", 0)
        for person in (alice, bob, alice, bob):
            weeks.rung()
            await weeks.say(person, "act pass")
        assert "all lots sold" in texts(weeks.thread)
        assert weeks.rung() == ["alice"]
    server.check()


async def test_a_player_who_is_back_early_is_called_at_once_and_one_who_snoozes_is_not(
    server: StandIn, desk: Desk
) -> None:
    """What waits for the end of a vacation or of quiet hours comes when they end now; a snooze ends by itself."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        weeks = Weeks(server, desk, await open_table(desk, alice, bob, title="toy", pace="daily"))
        weeks.rung()
        await weeks.say(bob, "me away", days=20)
        await weeks.say(alice, "act pass")
        assert await weeks.later(DAY) == []
        await weeks.say(bob, "me away", days=0)
        assert weeks.rung() == ["bob"]
        assert await weeks.later(12 * HOUR) == ["bob"]
        await weeks.press(bob, "Snooze 4 h")
        await weeks.sleeps(bob, "Asia/Tokyo", 12)
        assert await weeks.later(3 * HOUR) == []
        assert await weeks.later(HOUR) == ["bob"]
    server.check()
