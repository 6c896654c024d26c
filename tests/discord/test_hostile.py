"""What nobody should send: forged controls, absurd words. A sentence comes back, and nothing changes."""

import random

from bot.screens.controls import CONTROLS, FORMS
from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn

ARGS = (
    "", ".", "~", "bid", "bid.0", "bid.99", "bid.=5", "bid.=99999999", "bid.*", "pass~0", "bid.=1~0", "~~~", "0.0",
    "x.y", "map", "map.x", "player.99", "length", "length=huge", "=", "1.yes", "zz.no", "bid.0.0.0.0.0.0", "…",
)  # fmt: skip
WORDS = (
    "",
    " ",
    "💥" * 40,
    "a" * 6000,
    "'; DROP TABLE game; --",
    "{0}{99}",
    "<@&1> @everyone",
    "\x00",
    "-1",
    "1e9",
    "٣",
)


async def test_forged_controls(server: StandIn, desk: Desk) -> None:
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    chance = random.Random(7)  # noqa: S311 - not a secret
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        harmless = sorted(set(CONTROLS) - {"leave", "start"} - FORMS)
        for verb in harmless:
            for arg in chance.sample(ARGS, 6):
                person = chance.choice((alice, bob, carol))
                game, version = chance.choice(("1", "zzzzzzzzz", "2")), chance.choice(("0", "zz", "1"))
                answer = await person.press(turn_of(thread), f"v1|{game}|{version}|{verb}|{arg}"[:100])
                assert answer.text.strip() or answer.message.deleted
                assert "broke" not in answer.text, (verb, arg, answer.text)
        await desk.settled()
        assert "Highest bid £0" in turn_of(thread).text
        assert set(server.pings()) <= {"alice"}
    server.check()


async def test_absurd_words(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        for word in WORDS:
            for answer in (
                await alice.slash(thread, "act offer", lot=word, price=5),
                await alice.slash(thread, "act answer", word=word, reply=word),
                await alice.slash(thread, "act tile", hex=word, choice=word),
                await alice.slash(thread, "rules why", move=word),
                await alice.slash(thread, "rules search", words=word),
                await alice.slash(thread, "view player", player=word),
                await alice.slash(thread, "game new", title="toy", options=word, name=word),
            ):
                assert answer.text.strip() or answer.message.deleted
                assert "broke" not in answer.text, (word, answer.words, answer.text)
            assert isinstance(await alice.complete(thread, "act offer", "lot", lot=word), list)
        for number in (-1, 0, 21, 2**53 - 1):
            refused = await alice.slash(thread, "act bid", amount=number)
            assert "(Toy 1, bidding)" in refused.text or "too large" in refused.text
        await desk.settled()
        assert "Highest bid £0" in turn_of(thread).text
    server.check()
    assert server.pings() == ["alice"]
