"""Players who look for each other: whom a table is for, and a role that is mentioned once."""

import pytest

from bot.commands.command import Call, ChannelOrRole
from bot.commands.game import build_game
from bot.discord.components import allow_mentions
from bot.model.errors import BotError
from bot.model.posts import Notice, build_role_key
from bot.model.records import Home, NewTable
from bot.screens.notices import make_lobby, make_notice
from bot.screens.text import format_table
from bot.service.services import Services
from bot.store import posted
from tests.bot.conftest import ANN, BOB
from tests.support.sure import sure

HOME = Home("77", "70")
BEGINNERS = NewTable("toy", 3, seed=5, experience="new players")


async def invite(services: Services, game: int, role: ChannelOrRole) -> str:
    command = sure(build_game().find("invite"))
    return (await command.run(Call(services, ANN, {"role": role}, game, HOME))).text


async def test_a_table_shows_whom_it_is_for(services: Services) -> None:
    """The list of open tables has the pace, the free seats and the experience; that of anyone needs no words."""
    table = await services.lobby.create(ANN, BEGINNERS, HOME)
    assert format_table(table).startswith("#1 The Toy · open · relaxed · 2 free · for new players\n")
    assert "open to all · for new players" in make_lobby(table).text
    listed = sure(build_game().find("list"))
    found = await listed.run(Call(services, BOB, {"show": "open"}, None, HOME))
    assert found.text == "#1 The Toy · open · relaxed · 2 free · for new players"
    anyone = await services.lobby.create(ANN, NewTable("toy", 3), HOME)
    assert "for anyone" not in format_table(anyone) + make_lobby(anyone).text
    with pytest.raises(BotError, match="The experience must be one of: anyone, new players, experienced players"):
        await services.lobby.create(ANN, NewTable("toy", 3, experience="champions"), HOME)


async def test_a_role_is_mentioned_once_for_a_table_that_all_can_join(services: Services) -> None:
    table = await services.lobby.create(ANN, BEGINNERS, HOME)
    with pytest.raises(BotError, match="Only roles that everyone may mention"):
        await invite(services, table.id, ChannelOrRole("5", "Admins"))
    players = ChannelOrRole("6", "Train gamers", mentionable=True)
    assert await invite(services, table.id, players) == "Invited to “The Toy”: Train gamers."
    with pytest.raises(BotError, match="has already invited a role, which a table can do once"):
        await invite(services, table.id, players)
    async with services.database.reading() as session:
        owed = sure(await posted.find(session, build_role_key(table.id)))
    assert isinstance(owed.post, Notice)
    screen = make_notice(owed.post, table)
    assert screen.text == "<@&6> “The Toy” needs 2 more players: The Toy, relaxed, for new players."
    assert "'roles': [6]" in str(allow_mentions(screen.mention).to_dict())
    assert [button.label for row in screen.rows for button in row] == ["Join"]
    with pytest.raises(BotError, match="Only the host, Ann, can invite players"):
        await services.hosting.call_role(table.id, BOB.id, "6")


async def test_no_role_is_invited_where_its_members_could_not_join(services: Services) -> None:
    closed = await services.lobby.create(ANN, NewTable("toy", 3, privacy="invite"), HOME)
    with pytest.raises(BotError, match="is by invitation, so the members of a role couldn't join"):
        await services.hosting.call_role(closed.id, ANN.id, "6")
    full = await services.lobby.create(ANN, NewTable("toy", 2, stand_ins=1), HOME)
    with pytest.raises(BotError, match="has no free seats"):
        await services.hosting.call_role(full.id, ANN.id, "6")
