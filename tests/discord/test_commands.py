"""The slash commands in Discord: what they offer while one types, and what they answer."""

from typing import Any

import msgspec
import pytest

from bot.discord.slash import declare_commands
from tests.discord.conftest import Desk
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn


async def test_the_tree_is_declared_once_and_within_the_limits(server: StandIn, desk: Desk) -> None:
    desk.syncs = True
    async with desk.running():
        pass
    async with desk.running():
        names = [command["name"] for command in server.world.commands]
    menus, groups = (
        ["Games we share", "Show position here"],
        ["act", "admin", "auto", "game", "league", "learn", "me", "rules", "stats", "view"],
    )
    assert sorted(names) == [*menus, *groups]
    assert server.world.syncs == 1
    assert not any(command["dm_permission"] for command in server.world.commands)  # in servers only
    server.check()


async def test_commands_of_one_title_get_its_group_where_there_is_no_room(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group holds 25 commands: with more, "/act steel_driver build" instead of "/act build"."""
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    monkeypatch.setattr("bot.discord.slash.MAX_COMMANDS_PER_GROUP", 18)
    monkeypatch.setattr("bot.discord.client.declare_commands", declare_commands)
    desk.syncs = True
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, title="steel_driver")
        group = next(command for command in server.world.commands if command["name"] == "act")
        assert len(group["options"]) <= 18
        assert "steel_driver" in {option["name"] for option in group["options"] if option["type"] == 2}
        actor = next(person for person in (alice, bob, carol) if person.mention in turn_of(thread).text)
        early = await actor.slash(thread, "act steel_driver build", route="Denver Omaha")
        assert early.text.endswith(")")  # refused by a rule
    server.check()


async def test_autocomplete_offers_legal_values_in_words(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        offered = await alice.complete(thread, "act bid", "amount")
        assert offered[0] == {"name": "£1", "value": 1}
        assert len(offered) == 20
        assert await alice.complete(thread, "act bid", "amount", amount="19") == [{"name": "£19", "value": 19}]
        assert await bob.complete(thread, "act bid", "amount") == []  # not his turn
        games = await alice.complete(server.games, "act bid", "game")
        assert games == [{"name": "#1 Friday · The Toy · running", "value": 1}]
        variants = await alice.complete(server.games, "game new", "options", title="toy", options="len")
        assert {"name": "Length: 4 lots", "value": "length=long"} in variants
        assert (await alice.slash(server.games, "act bid", amount=2, game=1)).text.startswith("✓ Alice bids £2")
        assert "Which table?" in (await alice.slash(server.games, "act pass")).text
    server.check()


async def test_looking_and_asking(server: StandIn, desk: Desk) -> None:
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.slash(thread, "act bid", amount=2)
        await desk.settle()
        private = await alice.slash(thread, "view map")
        assert private.message.ephemeral
        assert private.message.image().startswith(b"\x89PNG")
        shared = await carol.slash(thread, "view table", share=True)
        assert not shared.message.ephemeral
        assert "card 100" in (own := (await alice.slash(thread, "view player")).text) or "card 101" in own
        assert "card hidden" in (await alice.slash(thread, "view player", player="1")).text
        assert "Alice bids £2" in (await carol.slash(thread, "view log")).text
        assert (await carol.slash(thread, "view at", move=0)).message.files
        assert "Bob to bid or pass" in (await carol.slash(thread, "rules now")).text
        why = await bob.slash(thread, "rules why", move="bid amount:1")
        assert why.text == "A bid must be more than £2; you said £1. (Toy, bidding)"
        assert "A bid is higher than the last" in (await carol.slash(thread, "rules search", words="bid")).text
        assert "Bob bids" not in texts(thread)
        assert (await bob.slash(thread, "act menu")).message.labels[-1] == "More…"
    server.check()


async def test_the_table_message_leads_to_the_log_and_to_all_there_is_to_see(server: StandIn, desk: Desk) -> None:
    """Log, and More for the pictures without a button of their own and those that need a further word."""
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    async with desk.running():
        thread = await open_table(desk, alice, bob, title="steel_driver", seats=3, stand_ins=1)
        card = next(message for message in thread.public if message.text.startswith("##"))
        assert card.labels == ["Act", "Map", "Company boxes", "Players", "Log", "More…"]
        assert "No moves yet." in (await carol.click(card, "Log")).text
        more = await carol.click(card, "More…")
        assert {"Goods and sets", "Card"} <= set(more.message.labels)
        company = await carol.choose(more.message, "Green", select="One company: which company?")
        assert company.message.image().startswith(b"\x89PNG")
        shared = await alice.press_person(thread, bob, "Games we share")
        assert "Steel Driver · running" in shared.text
        assert "waiting for" in shared.text
        assert shared.message.ephemeral
        wished: dict[str, Any] = {"with": bob.user}
        listed = await alice.slash(thread, "game list", **wished)
        assert listed.text == shared.text
        assert "You have no tables with Carol" in (await alice.press_person(thread, carol, "Games we share")).text
    server.check()


async def test_the_lobby(server: StandIn, desk: Desk) -> None:
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    async with desk.running():
        opened = await alice.slash(server.games, "game new", title="toy", seats=3, privacy="invite", name="Sunday")
        await desk.settle()
        assert opened.message.deleted, "the lobby message says it all"
        lobby = server.games.last
        assert "by invitation" in (await bob.click(lobby, "Join")).text
        await alice.slash(server.games, "game invite", user1=bob.user, game=1)
        menu = await bob.click(lobby, "Invite…")
        refused = await bob.choose_people(menu.message, bob)
        assert "Only the host, Alice, can invite players" in refused.text
        menu = await alice.click(lobby, "Invite…")
        await alice.choose_people(menu.message, carol)
        await desk.settle()
        assert server.pings() == ["bob", "carol"]
        invitation = next(each for each in server.games.public if bob.mention in each.text)
        assert "You have joined" in (await bob.click(invitation, "Join")).text
        await carol.click(lobby, "Join")
        await carol.click(lobby, "Leave")
        assert "Only the host, Alice, can start the game" in (await bob.click(lobby, "Start")).text
        assert (await bob.click(lobby, "Variants…")).message.controls == []
        variants = await alice.click(lobby, "Variants…")
        asked = await alice.choose(variants.message, "Length")
        await alice.click(asked.message, "4 lots")
        await desk.settle()
        assert "Variants: Length: 4 lots" in lobby.text
        assert "The host changed the variants of “Sunday”: Length: 4 lots" in texts(server.games)
        assert "Sunday" in (await carol.slash(server.games, "game list", show="open")).text
        assert "Bob" in (await carol.slash(server.games, "game info", game=1)).text
        await alice.slash(server.games, "game close", game=1)
        await desk.settle()
        assert "closed: the host closed it" in lobby.text
        assert lobby.labels == []
        wrong = await alice.slash(server.games, "game new", title="toy", seats=9)
        assert "for 2 to 4 players, not 9" in wrong.text
    server.check()


async def test_taking_back(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        done = await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        undone = await alice.click(done.message, "Take it back")
        assert "Alice takes back a move" in undone.text
        await desk.settle()
        assert alice.mention in turn_of(thread).text
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        await bob.click(turn_of(thread), "Bid 2")
        await desk.settle()
        asked = await alice.slash(thread, "game undo", to=0)
        assert "Bob must agree" in asked.text
        await desk.settle()
        ballot = thread.last
        assert ballot.labels == ["Agree", "No", "Counter…", "Withdraw"]
        assert server.pings()[-1] == "bob"
        agreed = await bob.click(ballot, "Agree")
        assert "as everyone agreed" in agreed.text
        await desk.settle()
        assert ": accepted**" in ballot.text
        assert ballot.labels == []
        assert "Highest bid £0" in turn_of(thread).text
    server.check()


async def test_a_large_undo_is_asked_with_the_board_before_and_after(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        for person, amount in ((alice, 1), (bob, 2), (alice, 3), (bob, 4), (alice, 5)):
            await person.slash(thread, "act bid", amount=amount)
        await desk.settle()
        await alice.slash(thread, "game undo", to=0)
        await desk.settle()
        ballot = thread.last
        assert "5 moves of Alice, Bob\n-# from: Alice bids £1" in ballot.text
        assert len(ballot.files) == 2
        await bob.click(ballot, "Agree")
        await desk.settle()
        assert "~~5 moves of Alice and Bob, from “Alice bids £1" in thread.public[0].text
        for person, amount in ((alice, 1), (bob, 2), (alice, 3), (bob, 4)):
            await person.slash(thread, "act bid", amount=amount)
        await alice.slash(thread, "game undo", to=0)
        await desk.settle()
        assert "Alice bids £1" in thread.last.text
        assert not thread.last.files, "of a few moves each is named"
    server.check()


async def test_games_travel_as_files(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.slash(thread, "act bid", amount=2)
        await desk.settle()
        sent = await bob.slash(thread, "game export", format="native")
        data = sent.message.image()
        assert msgspec.json.decode(data)["setup"]["title"] == "toy"
        assert "seed" not in msgspec.json.decode(data)["setup"]
        seed = (await desk.services.lobby.get_table(1)).seed
        sealed = await alice.slash(server.games, "game import", file=alice.upload("toy.json", data))
        assert "When the game is over, the table shows the seed" in sealed.text
        file = alice.upload("toy.json", data)
        await alice.slash(server.games, "game import", file=file, name="Again", seed=seed)
        await desk.settle()
        again = server.threads[-1]
        assert again.name == "The Toy · Again · #2"
        assert "Highest bid £2" in turn_of(again).text
        bad = await alice.slash(server.games, "game import", file=alice.upload("x.json", b"no log"))
        assert bad.message.ephemeral
        assert "isn't a game log" in bad.text
        assert len(server.threads) == 2
    server.check()
