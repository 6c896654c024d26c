"""Where the page of a table is: told in private, at the table and by mail, only where pages are served."""

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, Reply
from bot.mail.commands import only_tells
from bot.mail.page import Page, write_text
from bot.model import posts
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.screens.boards import do_with_board, link_moment
from bot.screens.notices import make_card, make_turn
from bot.service.boards import name_moment
from bot.service.services import Services
from bot.store import people
from tests.bot.conftest import ANN, BOB, EVE
from tests.web.conftest import PLACE, Browser


async def _ask(services: Services, game: int, person: Person, way: str = "", *, hot_seat: bool = False) -> Reply:
    group = next(group for group in build_tree() if group.name == "view")
    command = next(command for command in group.commands if command.name == "board")
    values = {"way": way} if way else {}
    return await command.run(Call(services, person, values, game, hot_seat=hot_seat))


def _labels(reply: Reply) -> list[str]:
    assert reply.screen is not None
    return [button.label for row in reply.screen.rows for button in row]


async def test_the_public_address_leads_to_the_moment(services: Services, game: int) -> None:
    """Its link shows no preview in the channel, and everyone gets the same one."""
    reply = await _ask(services, game, EVE)
    here = await services.table.load_position(game)
    assert name_moment(here) == f"e{here.game.line[-1]}"
    assert reply.screen is not None
    assert f"<{await services.boards.make_public_link(here, name_moment(here))}>" in reply.screen.text
    assert _labels(reply) == []
    assert _labels(await _ask(services, game, BOB)) == ["My own page", "Renew address"]
    assert _labels(await _ask(services, game, ANN)) == ["My own page", "Renew address", "Turn page off"]


async def test_a_player_gets_and_ends_a_page_of_their_own(services: Services, game: int, browser: Browser) -> None:
    reply = await _ask(services, game, BOB, "own")
    assert not reply.public
    assert _labels(reply) == ["End my page"]
    path = reply.text.rpartition(PLACE)[2]
    assert (await browser.get(path)).status == 200
    await _ask(services, game, BOB, "end")
    assert (await browser.get(path)).status == 404


async def test_forgetting_a_person_ends_their_page(services: Services, game: int, browser: Browser) -> None:
    path = (await _ask(services, game, BOB, "own")).text.rpartition(PLACE)[2]
    async with services.database.writing() as session:
        await people.forget_person(session, BOB.id)
    assert (await browser.get(path)).status == 404


async def test_the_host_turns_the_page_off_and_on(services: Services, game: int) -> None:
    assert "is off" in (await _ask(services, game, ANN, "off")).text
    assert "is off" in (await _ask(services, game, BOB)).text
    with pytest.raises(BotError, match="This table's page is off"):
        await _ask(services, game, BOB, "renew")
    assert PLACE in (await _ask(services, game, ANN, "on")).text
    assert PLACE in (await _ask(services, game, BOB, "renew")).text


async def test_the_local_table_gets_plain_words(services: Services, game: int) -> None:
    reply = await _ask(services, game, ANN, hot_seat=True)
    assert reply.screen is None
    assert f"Board: {PLACE}/t/" in reply.text


async def test_without_pages_nothing_is_promised(services: Services, game: int) -> None:
    services.boards.web = ""
    with pytest.raises(BotError, match="serves no pages"):
        await _ask(services, game, ANN)
    assert await services.boards.make_public_link(await services.table.load_position(game)) == ""


async def test_an_unknown_way_is_named(services: Services, game: int) -> None:
    with pytest.raises(BotError, match="Choose one of these: show, own"):
        await do_with_board(services, game, ANN.id, "sideways")


async def test_a_table_that_has_not_begun_has_no_page(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("steel_driver", 3))
    with pytest.raises(BotError, match="hasn't started"):
        await _ask(services, table.id, ANN)


async def test_the_table_message_and_the_turn_lead_to_the_board(services: Services, game: int) -> None:
    """A button tells the address in private; the turn has its own moment, without a preview."""
    here = await services.table.load_position(game)
    shown = [button.label for row in make_card(here, (), (), has_page=True).rows for button in row]
    assert "Board" in shown
    assert "Board" not in [button.label for row in make_card(here, (), ()).rows for button in row]
    post = posts.Turn(game, here.version, here.table.turn_from, here.actors, (), here.ask())
    link = await link_moment(services, here)
    assert f"(<{link}>)" in make_turn(post, here, None, link).text
    assert "Board" not in make_turn(post, here, None).text


async def test_a_mail_leads_to_the_board(services: Services, game: int) -> None:
    here = await services.table.load_position(game)
    link = await link_moment(services, here)
    assert f"Board: {link}" in write_text(Page("It is your turn", "first", board=link))
    assert "Board" not in write_text(Page("It is your turn", "first"))


@pytest.mark.parametrize(("order", "tells"), [("board", True), ("view board", True), ("/view board", True),
    ("board own", False), ("show board off", False), ("map", True)])  # fmt: skip
def test_only_the_plain_question_changes_nothing(order: str, tells: bool) -> None:
    """A forged mail can't renew or end an address."""
    assert only_tells(order) is tells


async def test_server_managers_turn_pages_off(services: Services, game: int) -> None:
    """It is on the record, and told with the limits."""
    group = next(group for group in build_tree() if group.name == "admin")
    command = next(command for command in group.commands if command.name == "limits")
    call = Call(services, EVE, {"boards": False}, home=Home(guild="7"), manages=True)
    assert "Tables here have no public page." in (await command.run(call)).text
    assert (await services.servers.get_rules("7")).no_boards
    assert "public pages off" in (await services.servers.list_deeds("7"))[0].words
    assert (await services.boards.make_public_link(await services.table.load_position(game))).startswith(PLACE)
