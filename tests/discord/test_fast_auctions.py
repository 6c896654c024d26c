"""Fast auctions by agreement: all are asked at once, bids follow in turn, and no one waits for anybody's turn."""

from bot.model.clock import HOUR
from bot.screens.screen import Control, write_custom_id
from bot.service.table import Typed
from engine.words import write_parameters
from tests.discord.conftest import Desk
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.test_weeks import Weeks


async def test_all_say_their_most_at_once_and_the_bids_follow_in_turn(server: StandIn, desk: Desk) -> None:
    """Only where all agree; one call for each, none for a limit said before; a word of anybody ends it."""
    alice, bob, cid = (server.person(name) for name in ("alice", "bob", "cid"))
    async with desk.running():
        thread = await open_table(desk, alice, bob, cid, title="steel_driver")
        weeks = Weeks(server, desk, thread)
        assert weeks.rung() == ["cid"]
        asked = await weeks.say(cid, "auto fast")
        assert "Cid asks for fast auctions; Alice and Bob must agree within a day." in asked
        assert weeks.rung() == ["alice", "bob"]
        await weeks.press(alice, "Agree")
        assert "already off" in await weeks.say(alice, "auto fast", on=False), "one has not agreed yet"
        await weeks.press(bob, "Agree")
        assert "Fast auctions are on" in texts(thread)
        assert await weeks.later(HOUR) == []

        code = write_parameters((await desk.services.table.list_legal(1, str(cid.id)))[0])["company"]
        await desk.services.table.submit(1, str(cid.id), Typed("bid", {"company": code, "amount": "2"}))
        await desk.settle()
        assert weeks.rung() == ["alice", "bob"], "Alice's turn, and Bob may say his most at once"
        for person, most in ((bob, "6"), (alice, "4")):
            form = await person.click(weeks.with_button("Set my maximum bid…"), "Set my maximum bid…")
            checked = await person.submit(form, value=most)
            assert "It stops if the lot is sold" in checked.text
            await person.click(checked.message, "Set this order")
        await desk.settle()
        assert [line.name for line in await desk.services.table.read_log(1) if line.move] == ["Cid", "Alice", "Bob"]
        assert await weeks.later(HOUR) == ["cid"], "Alice 3, Bob 4: she is asked, and said no limit"
        await weeks.say(cid, "act pass")
        assert [line.name for line in await desk.services.table.read_log(1, 3) if line.move] == ["Cid", "Alice"]
        assert "⚙ Bob" in texts(thread)
        assert await weeks.later(HOUR) == ["alice"], "who puts the next one up; nobody was asked in between"

        listed = await bob.press(turn_of(thread), write_custom_id(Control(1, 0, "auto")))
        form = await bob.click(listed.message, "On a condition…")
        said = await bob.submit(form, value="if Alice passes, pass")
        assert said.text.startswith("✓ Standing order: if Alice passes, pass")

        assert "players bid in turn again" in await weeks.say(bob, "auto fast", on=False)
        assert await weeks.later(HOUR) == []
    server.check()
