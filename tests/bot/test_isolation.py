"""A table belongs to its server: elsewhere its number names nothing; a direct message knows one's own tables."""

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, Command, Value, suggest
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.screens.controls import CONTROLS, FORMS, handle
from bot.screens.screen import Control
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, EVE

HERE, ELSEWHERE, DIRECT = Home("g1", "c1"), Home("g2", "c2"), Home()
ABOUT_A_TABLE = [
    (f"{group.name} {command.name}", command)
    for group in build_tree()
    for command in group.commands
    if any(each.name == "game" for each in command.parameters)
]
GIVEN: dict[str, Value] = {"answer": "yes", "move": "bid amount:1", "to": 0, "words": "auction", "user1": BOB}


@pytest.fixture
async def table(services: Services) -> int:
    """A table of server g1: Ann and Bob play."""
    made = await services.lobby.create(ANN, NewTable("toy", 2, name="Secret evening", seed=5), HERE)
    await services.lobby.join(made.id, BOB)
    await services.lobby.start(made.id, ANN.id, "as joined")
    return made.id


def call(services: Services, who: Person, number: int, home: Home) -> Call:
    return Call(services, who, {**GIVEN, "game": number}, home=home, manages=True)


async def refusal(command: Command, given: Call) -> str:
    try:
        await command.run(given)
    except Exception as error:  # noqa: BLE001 - whatever it says is what a stranger would read
        return str(error)
    return ""


async def test_no_command_takes_a_number_of_another_server(services: Services, table: int) -> None:
    """Not even from someone who sits there, or who manages the other server; the words are those for no table."""
    for name, command in ABOUT_A_TABLE:
        for who in (EVE, ANN):
            said = await refusal(command, call(services, who, table, ELSEWHERE))
            assert said == f"There is no table {table} here. /game list shows the tables.", name
            missing = await refusal(command, call(services, who, 999, ELSEWHERE))
            assert missing == said.replace(str(table), "999"), name
        assert "There is no table" in await refusal(command, call(services, EVE, table, DIRECT)), name
    assert (await services.table.load_position(table)).version == 0


@pytest.mark.parametrize(("name", "command"), ABOUT_A_TABLE[::4])
async def test_a_command_takes_the_number_of_a_table_here(
    services: Services, table: int, name: str, command: Command
) -> None:
    assert "There is no table" not in await refusal(command, call(services, ANN, table, HERE)), name


async def test_nothing_is_completed_from_a_number_of_another_server(services: Services, table: int) -> None:
    for name, command in ABOUT_A_TABLE:
        for each in command.parameters:
            for home in (ELSEWHERE, DIRECT):
                offered = await suggest(command, call(services, EVE, table, home), each.name, "")
                assert offered in ([], list(each.choices)), f"{name} {each.name}"


async def test_a_direct_message_knows_the_tables_one_sits_at(services: Services, table: int) -> None:
    other = await services.lobby.create(EVE, NewTable("toy", 2, name="Eve alone"), ELSEWHERE)
    game = dict(ABOUT_A_TABLE)["game info"]
    reply = await game.run(call(services, ANN, table, DIRECT))
    assert "Secret evening" in reply.text
    listing = next(
        each for group in build_tree() for each in group.commands if (group.name, each.name) == ("game", "list")
    )
    for show in ("all", "open", "mine", "running"):
        mine = await listing.run(Call(services, ANN, {"show": show}, home=DIRECT))
        assert "Eve alone" not in mine.text
        theirs = await listing.run(Call(services, ANN, {"show": show}, home=ELSEWHERE))
        assert "Secret evening" not in theirs.text
    assert [each.value for each in await suggest(game, Call(services, ANN, home=DIRECT), "game", "")] == [str(table)]
    assert [each.value for each in await suggest(game, Call(services, ANN, home=ELSEWHERE), "game", "")] == [
        str(other.id)
    ]


async def test_the_table_of_the_thread_needs_no_number_and_the_terminal_has_all(services: Services, table: int) -> None:
    info = dict(ABOUT_A_TABLE)["game info"]
    assert "Secret evening" in (await info.run(Call(services, EVE, {}, table, HERE))).text
    assert "Secret evening" in (await info.run(Call(services, EVE, {"game": table}, hot_seat=True))).text


class Pressed:
    """A press of someone in a server, as far as controls look before they do anything."""

    def __init__(self, services: Services, user: str, guild: str) -> None:
        self.services, self.user, self.guild = services, user, guild
        self.acknowledged = False

    async def acknowledge(self, *, private: bool = True) -> None:
        self.acknowledged = True


async def test_no_control_takes_a_number_of_another_server(services: Services, table: int) -> None:
    """There is no such table there, whatever the control; at most the press is acknowledged, and no form opened."""
    for verb in sorted(CONTROLS):
        for user, guild in ((ANN.id, "g2"), (EVE.id, "g2"), (EVE.id, "")):
            pressed = Pressed(services, user, guild)
            with pytest.raises(BotError, match=f"There is no table {table} here"):
                await handle(pressed, Control(table, 0, verb, "1.yes"))  # type: ignore[arg-type]
            assert pressed.acknowledged == (verb not in FORMS)
    assert (await services.table.load_position(table)).version == 0


async def test_an_unknown_control_is_refused(services: Services, table: int) -> None:
    with pytest.raises(BotError, match="This button no longer works"):
        await handle(Pressed(services, ANN.id, "g1"), Control(table, 0, "fly"))  # type: ignore[arg-type]
    await services.lobby.refuse_foreign(table, EVE.id, "g1")
