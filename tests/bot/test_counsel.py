"""Asking the program at the desk what it would do, and why, where the table wants advice."""

from typing import Any, cast

import pytest

from bot.commands.command import Call
from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.screens.controls import CONTROLS
from bot.screens.open_desk import fetch_desk_screen
from bot.screens.screen import WHOLE_SCREEN, Control
from bot.service.people import DeskPlace
from bot.service.services import Services
from bot.service.workers.jobs import Task
from bot.service.workers.pool import TooMuchError
from bot.service.workers.stand_in import COUNSEL, TRIES
from tests.bot.conftest import ANN
from tests.bot.test_commands import find
from tests.bot.test_proposal_buttons import Press, press

QUESTION = "What would you do?"


async def open_table(services: Services, title: str, advice: str) -> Control:
    """Open a table for one person at which it is their turn; return the button that asks the program."""
    wish = NewTable(title, 3, seed=4, stand_ins=2, options={"advice": advice})
    table = await services.lobby.create(ANN, wish)
    await services.lobby.start(table.id, ANN.id, "as joined")
    while (here := await services.table.load_position(table.id)).actors[0].stand_in:
        await services.stand_ins.play_turn(table.id)
    return Control(table.id, here.version, "counsel")


@pytest.mark.parametrize("title", ["1860", "1862", "steel_driver"])
async def test_the_program_says_what_it_would_do_and_a_button_does_it(services: Services, title: str) -> None:
    asks = await open_table(services, title, "private")
    here = await services.table.load_position(asks.game)
    desk = await fetch_desk_screen(services, here, here.actors[0].number)
    whole = await fetch_desk_screen(services, here, here.actors[0].number, DeskPlace(WHOLE_SCREEN))
    assert QUESTION in [button.label for screen in (desk, whole) for row in screen.rows for button in row]
    answer = press(services, ANN)
    await CONTROLS["counsel"](answer, asks)
    shown = cast("Press", answer).screens[-1]
    assert shown.text.startswith("**The stand-in would choose: ")
    ((does, back),) = shown.rows
    assert (does.label, back.label) == ("Do that", "Back")
    await CONTROLS["tip"](press(services, ANN), does.control)
    assert (await services.table.load_position(asks.game)).version > asks.version


async def test_it_can_be_asked_in_words_too(services: Services) -> None:
    """By mail and at the local table there are no buttons."""
    asks = await open_table(services, "1862", "private")
    asked = Call(services, ANN, {"game": asks.game, "ask": True}, asks.game)
    reply = await find("view plan").run(asked)
    assert reply.text.startswith("The stand-in would choose: Propose ")
    assert not reply.public


@pytest.mark.parametrize("title", ["1862"])
async def test_a_table_without_advice_has_no_such_button_and_gets_no_answer(services: Services, title: str) -> None:
    asks = await open_table(services, title, "off")
    here = await services.table.load_position(asks.game)
    whole = await fetch_desk_screen(services, here, here.actors[0].number, DeskPlace(WHOLE_SCREEN))
    assert QUESTION not in [button.label for row in whole.rows for button in row]
    with pytest.raises(BotError, match="This table plays without advice from the program"):
        await CONTROLS["counsel"](press(services, ANN), asks)


async def test_counsel_that_takes_too_long_is_given_at_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = await open_table(services, "1862", "public")
    do, tries = services.table.workers.do, list[int]()

    async def fail_to_think(task: Task[Any, Any], takes: Any, course: Any = None) -> Any:  # noqa: ANN401
        if task is COUNSEL:
            tries.append(takes.tries)
            if takes.tries:
                raise TooMuchError("too long")
        return await do(task, takes, course)

    monkeypatch.setattr(services.table.workers, "do", fail_to_think)
    answer = press(services, ANN)
    await CONTROLS["counsel"](answer, asks)
    assert tries == [TRIES, 0]
    assert "The stand-in would choose" in cast("Press", answer).screens[-1].text
