"""What players see of a damaged table: its last intact position, why it's read-only, and no ping."""

import pytest

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.support.damage import change_rows


async def test_no_one_is_reminded_of_a_table_whose_damage_no_press_has_found(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
    await change_rows(desk.path, "UPDATE log SET payload = substr(payload, 1, 9) WHERE game = 1")
    rung = server.pings(thread)
    async with desk.running():
        desk.forward(30 * 86400)
        await desk.settle()
        assert server.pings(thread) == rung
        assert turn_of(thread).text.startswith("“Friday” is read-only because its stored game is damaged: log entry 1")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_damaged_table_shows_why_it_is_read_only_and_its_neighbour_plays_on(
    server: StandIn, desk: Desk
) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        other = await open_table(desk, bob, alice)
        for person, label in ((alice, "Bid 1"), (bob, "Bid 2")):
            await person.click(turn_of(thread), label)
            await desk.settle()
    await change_rows(desk.path, "UPDATE log SET payload = substr(payload, 1, 9) WHERE game = 1 AND seq = 1")
    rung = server.pings(thread)
    async with desk.running():
        turn = turn_of(thread)
        answer = await alice.click(turn, "Bid 3")
        sentence = "“Friday” is read-only because its stored game is damaged: log entry 2 can't be read."
        assert answer.text.startswith(sentence)
        await desk.settle()
        assert turn.text.startswith(sentence)
        assert turn.labels[0] == "Act"
        assert not any(label.startswith("Bid") for label in turn.labels)
        assert turn.files, "the last intact position"
        assert "“Friday” is read-only because" in thread.public[0].text
        assert "Alice bids £1" in thread.public[0].text
        assert "Bob bids £2" not in thread.public[0].text
        assert (await bob.click(turn, "Act")).text.startswith(sentence)
        assert "✓ Bob bids £1" in (await bob.click(turn_of(other), "Bid 1")).text
        desk.forward(30 * 86400)
        await desk.settle()
        assert server.pings(thread) == rung
    server.check()
