"""What no one should send: forged controls, absurd words. A sentence comes back, and nothing changes."""

import asyncio
import random
from typing import Any

import pytest

from bot.screens.controls import CONTROLS, FORMS, TOO_SLOW, UNKNOWN
from bot.screens.screen import OUT_OF_DATE, Control, format_base36, read_custom_id, read_number, write_custom_id
from tests.discord.conftest import Desk
from tests.discord.interactions import COMPONENT, SUBMIT
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn

ARGS = (
    "", ".", "~", "bid", "bid.0", "bid.99", "bid.=5", "bid.=99999999", "bid.*", "pass~0", "bid.=1~0", "~~~", "0.0",
    "x.y", "map", "map.x", "player.99", "length", "length=huge", "=", "1.yes", "zz.no", "bid.0.0.0.0.0.0", "…",
    "bid.-1", "bid.=-5", "bid.=٣", "٣", "-1", "٣.yes", "-1.", "bid;A;-1;",
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
        await desk.settle()
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
            assert "(Toy, bidding)" in refused.text or "too large" in refused.text
        await desk.settle()
        assert "Highest bid £0" in turn_of(thread).text
    server.check()
    assert server.pings() == ["alice"]


CHOSEN: tuple[list[str], ...] = (
    [], [""], ["-1"], ["0"], ["0", "1"], ["999999999"], ["9" * 5000], ["٣"], ["\x00"], ["x" * 6000], ["1\n"],
    [str(number) for number in range(30)], ["@everyone <@&1> <@1>"], ["\ud83d"],
)  # fmt: skip
"""Values that no menu of ours has offered, none, and too many."""


def fill_form(words: str, name: str = "value") -> list[dict[str, Any]]:
    """Return the components of a form that was filled in."""
    return [{"type": 18, "component": {"type": 4, "custom_id": name, "value": words}}]


@pytest.mark.parametrize("title", ["toy", "1860", "steel_driver"])
async def test_forged_values_of_menus_and_forms(server: StandIn, desk: Desk, title: str) -> None:
    """From a player, a stranger, and another server: at once a sentence, nothing changed, nothing shown elsewhere."""
    people = (server.person("alice"), server.person("bob"), server.person("dora"))
    carol, elsewhere = server.person("carol"), server.world.channel(server.world.guild("Elsewhere"), "talk")
    chance = random.Random(9)  # noqa: S311 - not a secret
    async with desk.running():
        thread = await open_table(desk, *people[: 2 if title == "toy" else 3], title=title)
        opened = await people[0].click(turn_of(thread), "Act")
        sources = (turn_of(thread), opened.message, server.games.public[0], carol.say(elsewhere, "look"))
        for verb in CONTROLS:
            for kind in (3, 3, 5, 5, SUBMIT + 10, SUBMIT + 10):
                source, values = chance.choice(sources), chance.choice(CHOSEN)
                person = carol if source.channel is elsewhere else chance.choice((people[0], people[1], carol))
                named = f"v1|1|{chance.choice(('0', 'zz'))}|{verb}|{chance.choice(ARGS)}"[:100]
                data: dict[str, Any] = {"component_type": kind, "custom_id": named, "values": values, "resolved": {}}
                if kind == SUBMIT + 10:
                    filled = chance.choice(
                        ([], fill_form("".join(values)), fill_form("7", "other"), fill_form("7") * 3)
                    )
                    data = {"custom_id": named, "components": filled}
                answer = await person.send(SUBMIT if kind == SUBMIT + 10 else COMPONENT, source, data)
                await server.world.until(lambda sent=answer: sent.done or sent.modal, 10)  # type: ignore[misc]
                assert answer.modal or answer.text.strip() or answer.message.deleted
                assert "broke" not in answer.text, (named, values, answer.text)
                if source.channel is elsewhere:
                    assert "There is no table 1 here" in answer.text, (named, values, answer.text)
        await desk.settle()
        assert (await desk.services.table.load_position(1)).version == 0
        assert {table.id: table.invited for table in await desk.services.lobby.list_tables()} == {1: ()}
    server.check()


async def test_a_limit_for_a_lot_that_a_bystander_types_is_refused_with_a_sentence(server: StandIn, desk: Desk) -> None:
    """The button stands in public, under the word that a lot comes."""
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        asked = await carol.press(turn_of(thread), write_custom_id(Control(1, 0, "bidform", "bid;A;0;")))
        assert asked.modal
        assert "You have no seat at “Friday”" in (await carol.submit(asked, value="5")).text
    server.check()


async def test_only_people_are_invited(server: StandIn, desk: Desk) -> None:
    """A forged menu names whatever it likes; who is invited is mentioned, and kept."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settle()
        lobby = server.games.public[0]
        forged = {
            "component_type": 5,
            "custom_id": write_custom_id(Control(1, 0, "guests")),
            "values": ["9" * 5000, "@all"],
        }
        answer = await alice.send(COMPONENT, lobby, forged)
        await server.world.until(lambda: answer.done)
        assert answer.text == "Choose at least one person to invite."
        invited = await alice.choose_people((await alice.click(lobby, "Invite…")).message, bob)
        assert bob.mention in invited.text
        assert (await desk.services.lobby.get_table(1)).invited == (str(bob.id),)
    server.check()


FORGED = (
    "v1|1|-1|ask|bid", "v1|-1|1|ask|bid", "v1|1|+1|ask|bid", "v1| 1|1|ask|bid", "v1|1|1_0|ask|bid", "v1|1|01|ask|bid",
    "v1|1|A|ask|bid", "v1|1|\u0663|ask|bid", "v1||1|ask|bid", "v1|1|zzzzzzz|ask|bid", "v1|zzzzzz|1|ask|bid",
    "v1|1|1|ASK|bid", "v1|1|1|ask|b\x00d", "v1|1|1|ask|bid\n", "v1|1|1|ask|" + "x" * 90, "v1|1|1|ask", "v2|1|1|ask|",
)  # fmt: skip


@pytest.mark.parametrize("text", FORGED)
def test_an_id_that_is_not_ours_is_not_read(text: str) -> None:
    assert read_custom_id(text) is None


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1 ", "1_0", "\u0663", "1e9", "1.0", "1" * 10])
def test_a_number_within_an_id_has_plain_digits_only(text: str) -> None:
    assert read_number(text) is None


def test_a_negative_number_is_a_defect_and_no_endless_loop() -> None:
    with pytest.raises(ValueError, match="-1"):
        format_base36(-1)


async def test_one_press_does_not_freeze_the_bot(server: StandIn, desk: Desk) -> None:
    """A number below 0 was written for ever when the form of a forged button was opened."""
    alice, bob, mallory = server.person("alice"), server.person("bob"), server.person("mallory")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        assert (await mallory.press(turn_of(thread), "v1|1|-1|ask|bid")).text.startswith(UNKNOWN[:30])
        assert (await mallory.press(turn_of(thread), "v1|1|1|ask|")).text == OUT_OF_DATE
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
    server.check()


@pytest.mark.parametrize("verb", sorted(FORMS))
async def test_no_form_of_a_table_opens_in_another_server(server: StandIn, desk: Desk, verb: str) -> None:
    """Nor in its own for a number that names no table."""
    alice, bob, mallory = server.person("alice"), server.person("bob"), server.person("mallory")
    elsewhere = server.world.channel(server.world.guild("Elsewhere"), "talk")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        stolen = mallory.say(elsewhere, "look")
        for message, game in ((stolen, 1), (turn_of(thread), 2)):
            answer = await mallory.press(message, write_custom_id(Control(game, 1, verb, "bid")))
            assert answer.modal is None
            assert f"There is no table {game} here" in answer.text
    server.check()


async def test_a_slow_store_delays_no_acknowledgement(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord waits three seconds; a form that cannot come in time is refused with a sentence."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        opened = await alice.click(turn_of(thread), "Act")
        monkeypatch.setattr("bot.screens.controls.ADMISSION_SECONDS", 0.05)
        admit, held = desk.services.lobby.refuse_foreign, asyncio.Event()

        async def slow(game: int, user: str, guild: str) -> None:
            await held.wait()
            await admit(game, user, guild)

        monkeypatch.setattr(desk.services.lobby, "refuse_foreign", slow)
        assert (await alice.click(opened.message, "Other…")).text == TOO_SLOW
        pressed = await alice.click(turn_of(thread), "Bid 1", "ack")
        held.set()
        await server.world.until(lambda: "✓ Alice bids £1" in pressed.text)
    server.check()
