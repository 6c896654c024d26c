"""A server's evening: a role is called once, a season pairs its members, and a follower hears how a game goes."""

import pytest

from bot.discord.post_sender import find_rank
from bot.model import posts
from bot.store.outbox import StoredPost
from tests.discord.conftest import Desk
from tests.discord.play import turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Role
from tests.support.toy import Said


async def test_a_season_from_the_call_for_players_to_its_standings(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call pings the role, later edits don't; the tables begin in threads of their own; news comes in private."""
    monkeypatch.setattr(Said, "is_turning_point", True)
    alice, bob, eve, games = *(server.person(name) for name in ("alice", "bob", "eve")), server.games
    async with desk.running():
        await alice.slash(games, "game new", title="toy", seats=3, experience="new players")
        await desk.settle()
        await alice.slash(games, "game invite", role=Role(77, "Drivers", mentionable=True), game=1)
        await desk.settle()
        call = games.last
        assert call.text == "<@&77> “The Toy” needs 2 more players: The Toy, relaxed, for new players."
        assert call.labels == ["Join"]
        assert list(map(int, server.world.called)) == [77]
        assert "for new players" in (await bob.slash(games, "game list", show="open")).text
        await alice.slash(games, "league open", name="Autumn", title="toy", seats=2)
        assert (await bob.slash(games, "league join")).text.startswith("You play in “Autumn”: ")
        begun = await alice.slash(games, "league pair")
        assert "1 new table" in begun.text
        await server.world.until(lambda: bool(server.threads), what="the thread")
        await desk.settle()
        thread = server.threads[-1]
        assert (await eve.slash(thread, "me follow")).text.startswith("You follow “Autumn”")
        await (alice if alice.mention in turn_of(thread).text else bob).click(turn_of(thread), "Bid 1")
        await desk.settle()
        told = [message.text for message in server.world.dm(eve.user).messages]
        assert len(told) == 1
        assert told[0].startswith(f"“Autumn” <#{thread.id}>: ")
        while (await desk.services.table.load_position(2)).actors:
            await (alice if alice.mention in turn_of(thread).text else bob).slash(thread, "act pass")
            await desk.settle()
        shown = await bob.slash(games, "league show")
        assert "1 game" in shown.text
        (picture,) = shown.message.files
        assert picture.alt.startswith("Standings of “Autumn”: ")
        assert [file.name for file in (await bob.slash(games, "league show", file=True)).message.files] == [
            "1-standings.csv"
        ]
        ended = [message.text for message in server.world.dm(eve.user).messages][-1]
        assert "The game is over" in ended


def test_players_never_wait_for_the_news_of_followers() -> None:
    """Pings go first, then what the table reads, then its table message, and news last."""
    made = (posts.Bulletin(1), posts.Card(1), posts.Lobby(1), posts.Ring(1))
    owed = [StoredPost(1, "posts:1", 1, "", post, 0, 0, 0, "c", "m") for post in made]
    assert [type(each.post) for each in sorted(owed, key=find_rank)] == [type(each) for each in reversed(made)]
