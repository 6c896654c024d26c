"""The buttons of proposals, pressed by people who can't or with nothing chosen, are refused in a sentence."""

from typing import Any, cast

import pytest

from bot.model.errors import BotError
from bot.model.records import NewTable, Person
from bot.screens import proposal_controls as controls
from bot.screens.answer import Answer
from bot.screens.screen import Control, Screen
from bot.service.game_clock import ClockWish
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.support.toy import Bid


class Press:
    """A press of a person, with what was chosen or typed; what it shows is kept."""

    key = ""
    people: tuple[Person, ...] = ()

    def __init__(self, services: Services, person: Person, *values: str) -> None:
        self.services = services
        self.person = person
        self.user = person.id
        self.values = values
        self.screens: list[Screen] = []

    async def show(self, screen: Screen) -> None:
        """Keep a screen."""
        self.screens.append(screen)

    def describe_missing_permissions(self) -> str:
        """Nothing is missing."""
        return ""


def press(services: Services, person: Person, *values: str) -> Answer:
    return cast("Answer", cast("Any", Press(services, person, *values)))


@pytest.fixture
async def question(services: Services, game: int) -> int:
    """The number of Ann's question whether her bid is taken back; Bob has bid since."""
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    asked = (await services.back.undo(game, ANN.id)).proposal
    assert asked is not None
    return asked.id


async def test_only_the_proposer_withdraws(services: Services, game: int, question: int) -> None:
    """Of a proposal that was never made, no one is the proposer: it is not open."""
    with pytest.raises(BotError, match=r"Only the proposer can withdraw it."):
        await controls.vote(press(services, BOB), Control(game, 0, "vote", f"{question}.no.w"))
    with pytest.raises(BotError, match=r"This proposal is no longer open"):
        await controls.vote(press(services, BOB), Control(game, 0, "vote", f"{question + 1}.no.w"))


async def test_only_those_asked_propose_other_terms(services: Services, game: int, question: int) -> None:
    with pytest.raises(BotError, match=r"Only the players being asked can propose other terms."):
        await controls.propose_fewer(press(services, EVE, "0"), Control(game, 0, "counterto", str(question)))


async def test_a_person_must_be_chosen(services: Services, game: int) -> None:
    with pytest.raises(BotError, match=r"Choose a person."):
        await controls.propose_deputy(press(services, BOB), Control(game, 0, "deputed", "0."))
    asked = (await services.seats.propose_replacement(game, ANN.id, 0, EVE)).proposal
    assert asked is not None
    with pytest.raises(BotError, match=r"Choose a person."):
        await controls.propose_other_person(press(services, EVE), Control(game, 0, "counterwho", str(asked.id)))


async def test_a_clock_is_typed_in_hours(services: Services, game: int) -> None:
    asked = (await services.agreements.propose_clock(game, ANN.id, ClockWish(budget=48))).proposal
    assert asked is not None
    with pytest.raises(BotError, match=r"Type the hours per player, then the hours added each turn, as in 96\+12."):
        await controls.propose_clock(press(services, BOB, "soon"), Control(game, 0, "counterclock", str(asked.id)))


async def test_closing_a_table_has_no_other_terms(services: Services, game: int) -> None:
    asked = (await services.agreements.propose_close(game, ANN.id)).proposal
    assert asked is not None
    with pytest.raises(BotError, match=r"You can't propose other terms here; answer yes or no."):
        await controls.show_other_terms(press(services, CID), Control(game, 0, "counter", str(asked.id)))


async def test_a_person_who_takes_a_seat_gets_the_cheat_sheet_of_a_game_new_to_them_once(services: Services) -> None:
    """By a tap on a seat that is given away, or by accepting one."""
    made = await services.lobby.create(ANN, NewTable("steel_driver", 3, seed=5))
    await services.lobby.join(made.id, ANN, hot_seat=True)
    await services.lobby.join(made.id, BOB)
    await services.lobby.start(made.id, ANN.id, "as joined")
    cid, eve = Press(services, CID), Press(services, EVE)
    asked = (await services.seats.propose_replacement(made.id, BOB.id, 2, CID)).proposal
    assert asked is not None
    await controls.vote(cast("Answer", cast("Any", cid)), Control(made.id, 0, "vote", f"{asked.id}.yes"))
    await services.seats.offer_seats(made.id, ANN.id)
    await controls.take_seat(cast("Answer", cast("Any", eve)), Control(made.id, 0, "take", "1"))
    for person in (cid, eve):
        assert "New to Steel Driver? Here is the game on one page" in person.screens[0].text
        assert person.screens[0].pictures
    assert not await services.people.note_newcomer(EVE.id, "steel_driver", made.id)
