"""A whole table of the toy, from /game new to the end, by commands and clicks."""

import io

from PIL import Image

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn


async def test_a_table_from_new_to_the_end(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    desk.painting = True
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        table_message, turn = thread.public
        assert table_message.pinned
        assert turn.labels == ["Act", "Bid 1", "pass", "Since you", "Map", "Table"]
        assert [Image.open(io.BytesIO(file.data)).format for file in turn.files] == ["PNG", "PNG"]
        assert all(file.alt for file in turn.files)
        assert server.pings() == ["alice"]

        done = await alice.click(turn, "Bid 1")
        assert "Alice bids £1 for lot 1" in done.text
        assert done.message.ephemeral
        await desk.settle()
        assert turn.text == "Alice bids £1 for lot 1"
        assert (turn.labels, turn.files) == ([], [])
        assert server.pings() == ["alice", "bob"]
        assert f"{bob.mention} — **Auction of lot 1**" in turn_of(thread).text

        opened = await bob.click(turn_of(thread), "Act")
        assert opened.message.ephemeral
        step = await bob.click(opened.message, "£7")
        assert "Bob bids £7 for lot 1." in step.text
        played = await bob.click(step.message, "Confirm")
        assert "✓ Bob bids £7" in played.text
        await desk.settle()
        assert server.pings() == ["alice", "bob"]  # the table is live: the next ping waits two minutes

        await alice.click(turn_of(thread), "pass")
        await desk.settle()
        refused = await alice.slash(thread, "act bid", amount=3)
        assert "It's not your turn: Bob must" in refused.text
        await bob.slash(thread, "act bid", amount=3)
        await desk.settle()
        await alice.slash(thread, "act pass")
        await desk.settle()
        assert "Friday is over" in thread.last.text
        assert thread.public[0].labels[:2] == ["Map", "Table"], "there is nothing to act on"
        assert [Image.open(io.BytesIO(file.data)).format for file in thread.last.files] == ["PNG", "PNG"]
        assert server.pings()[-2:] == ["alice", "bob"]
        film = await bob.click(thread.last, "Watch time-lapse")
        assert film.message.ephemeral
        (moving,) = film.message.files
        assert Image.open(io.BytesIO(moving.data)).format == "WEBP"
        assert moving.alt.endswith(": the board after every round.")
    server.check()


async def test_a_declined_offer_does_not_ring_again(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.slash(thread, "act bid", amount=1)
        await bob.slash(thread, "act pass")
        await alice.slash(thread, "act offer", lot="1 1", price=5)
        await bob.slash(thread, "act answer", word="decline")
        await desk.settle()
        rung = server.pings().count("bob")
        refused = await alice.slash(thread, "act offer", lot="1 1", price=5)
        assert "Bob has turned this offer down. You can make a different offer now" in refused.text
        await desk.settle()
        assert server.pings().count("bob") == rung
        assert "✓ Alice offers lot 1 for £1" in (await alice.slash(thread, "act offer", lot="1 1", price=1)).text
    server.check()
