"""*Since you* on the turn message: what happened since one's own last turn, for whoever presses it."""

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn

MAX_ROW_BUTTONS = 5


async def test_since_you_stands_on_the_turn_message_and_answers_in_private(server: StandIn, desk: Desk) -> None:
    alice, bob, carol = (server.person(name) for name in ("alice", "bob", "carol"))
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, title="1860")
        for person, move in ((alice, "Bid £5"), (bob, "Bid £10"), (carol, "Pass")):
            await person.click(turn_of(thread), move)
            await desk.settle()
        turn = turn_of(thread)
        assert turn.labels.count("Since you") == 1
        looks = turn.labels[turn.labels.index("Since you") :]
        assert len(looks) <= MAX_ROW_BUTTONS, "it takes the place of a picture, not a row of its own"
        before = len(thread.public)
        shown = await alice.click(turn, "Since you")
        assert shown.text == "Bob bids £10\n**It's your turn: Auction 1 of 6 — bid or pass**"
        assert (await bob.click(turn, "Since you")).text.startswith("Carol passes\n**Waiting for Alice: ")
        typed = await carol.slash(thread, "view since")
        assert typed.text.startswith("Nothing has happened since your last turn.\nWaiting for Alice: ")
        assert len(thread.public) == before
    server.check()
