"""How a table reads a disputed point is shown at the desk and by ``/rules now``."""

import pytest
from msgspec.structs import replace

from bot.commands.command import Call
from bot.commands.rules import build_rules
from bot.screens.open_desk import fetch_desk_screen, require_seat
from bot.service.services import Services
from engine import Game
from engine.title import Ask
from tests.bot.conftest import ANN
from tests.support.sure import sure

READING = "This table reads: a tie is a tie (§1, 1)."


@pytest.fixture(autouse=True)
def _disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Game.ask

    def dispute(game: Game, seat: int | None = None) -> Ask:
        return replace(ask(game, seat), readings=(READING,))

    monkeypatch.setattr(Game, "ask", dispute)


async def test_it_is_shown_where_the_rules_are_asked_about(services: Services, game: int) -> None:
    assert READING in (await sure(build_rules().find("now")).run(Call(services, ANN, {}, game))).text


async def test_it_is_shown_at_the_desk_once(services: Services, game: int) -> None:
    here, seat = await require_seat(services, ANN.id, game)
    assert (await fetch_desk_screen(services, here, seat)).text.count(READING) == 1
