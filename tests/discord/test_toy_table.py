"""A whole table of the toy, from /game new to the end, by commands and clicks."""

from tests.discord.conftest import Desk
from tests.discord.stand_in import StandIn


async def test_a_table_from_new_to_the_end(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        opened = await alice.slash(server.games, "game new", title="toy", seats=2, name="Friday", seed=1)
        assert opened.message.ephemeral
        await server.settled()
        lobby = server.games.last
        assert "Friday" in lobby.text
        await bob.click(lobby, "Join")
        await alice.click(lobby, "Start")
        await server.settled()
        thread = server.threads[0]
        server.check()
