"""How a press is answered at first: by the answer itself if it is there in a blink, else by "thinking"."""

import pytest

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import Fault, StandIn

BLINK = "bot.discord.first_response.BLINK_SECONDS"
LONG = 30.0
"""A blink that every answer comes within."""


def count_requests(server: StandIn, before: int) -> tuple[int, int]:
    """Return how many first responses there were, and how many changes of them."""
    asked = server.requests[before:]
    return sum("/callback" in each for each in asked), sum("/webhooks/" in each for each in asked)


async def test_an_answer_within_a_blink_needs_no_acknowledgement(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move then costs one request of the player's, unless many press at once or the press comes late."""
    alice, bob = server.person("alice"), server.person("bob")
    monkeypatch.setattr(BLINK, LONG)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = len(server.requests)
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        assert count_requests(server, before) == (1, 0)

        await desk.settle()
        opened = await bob.click(turn_of(thread), "Act")
        before = len(server.requests)
        await bob.click(opened.message, "Bid 2")  # the private message itself changes
        assert count_requests(server, before) == (1, 0)

        before = len(server.requests)
        await alice.slash(thread, "view table")
        assert count_requests(server, before) == (1, 1), "a picture takes a while to upload"

        await desk.settle()
        monkeypatch.setattr("bot.discord.first_response.RUSH", 0)
        before = len(server.requests)
        await bob.click(turn_of(thread), "Act")
        assert count_requests(server, before) == (1, 1), "others wait"

        monkeypatch.setattr("bot.discord.first_response.RUSH", 4)
        monkeypatch.setattr("bot.discord.first_response.MAX_AGE_SECONDS", 0.0)
        before = len(server.requests)
        await bob.click(turn_of(thread), "Act")
        assert count_requests(server, before) == (1, 1), "a late press plays nothing"
    server.check()


async def test_a_first_response_whose_receipt_was_lost_is_put_right(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord took the answer, and the line was cut: asked again, it says that it knows the answer."""
    alice, bob = server.person("alice"), server.person("bob")
    monkeypatch.setattr(BLINK, LONG)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", "/callback", -2))
        pressed = await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        assert pressed.text.count("✓ Alice bids £1") == 1
    assert len(server.violations) == 1
    assert server.violations[0].endswith("acknowledged twice")
