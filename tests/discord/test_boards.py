"""Pages at a table in Discord: told in private by a button, linked from each turn, and nothing of them otherwise."""

import re

import pytest

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn

LINK = re.compile(r"<(https://trains\.example/t/[\w-]{22}/[#\w]*)>")


async def test_board_is_a_button_of_the_table_and_a_link_of_each_turn(server: StandIn, desk: Desk) -> None:
    """Everyone is shown one address, without a preview; a player's own is shown to them alone."""
    alice, bob, eve = server.person("alice"), server.person("bob"), server.person("eve")
    async with desk.running() as client:
        client.services.boards.web = "https://trains.example"
        thread = await open_table(desk, alice, bob)
        (public,) = LINK.findall(turn_of(thread).text)
        card = thread.public[0]
        for person in (alice, eve):
            shown = await person.click(card, "Board")
            assert shown.message.seen_by == person.user
            assert LINK.findall(shown.text) == [public]
        with pytest.raises(LookupError):
            await eve.click(shown.message, "My own page")
        own = await alice.click((await alice.click(card, "Board")).message, "My own page")
        assert LINK.findall(own.message.text)
        assert LINK.findall(own.message.text) != [public]
        turn = turn_of(thread)
        await alice.click(turn, "Bid 1")
        await desk.settle()
        assert LINK.findall(turn.text) == [f"{public}#e0"]
        assert not any("My own page" in message.text or "yours alone" in message.text for message in thread.public)
    server.check()


async def test_without_pages_no_board_is_offered(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        assert "Board" not in turn_of(thread).text
        with pytest.raises(LookupError):
            await alice.click(thread.public[0], "Board")
    server.check()
