"""The first game of a player: why they are asked, and what a beginner would regret; off after it, or at once."""

import pytest

from bot.commands import build_tree
from bot.commands.command import Call
from bot.commands.typed import read_line
from bot.model.errors import BotError
from bot.screens.desk import Desk
from bot.screens.desk_screens import make_screen
from bot.service.people import Progress
from bot.service.services import Services
from engine import TITLES, Game
from engine.first_game import find_why, list_regrets, list_whys
from engine.lessons import find_lesson, follow_lesson, read_action
from engine.player import choose_action
from engine.setup import Rng, Setup
from engine.titles.g1860.state import State
from engine.titles.steel_driver.actions import Build, Claim
from tests.bot.conftest import ANN
from tests.engine.titles.steel_driver import positions


async def say(services: Services, line: str) -> str:
    said = read_line(build_tree(), line)
    return (await said.command.run(Call(services, ANN, said.values))).text


def reach(game: str, lesson: str) -> Game:
    known = find_lesson(game, lesson)
    assert known is not None
    return follow_lesson(known).game


@pytest.mark.parametrize("game", ["1860", "1862", "steel_driver"])
def test_every_question_of_a_game_is_explained(game: str) -> None:
    here, kinds = Game.replay(Setup(game, 3, seed=7), []), {each.kind for each in list_whys(TITLES[game].package)}
    while asked := here.ask().seats:
        assert here.ask().kind in kinds
        assert find_why(here, asked[0])
        here = here.play(asked[0], choose_action(here, asked[0], Rng(len(here.log)))).game


def test_a_sale_that_gives_up_a_company_is_marked() -> None:
    here = reach("1860", "sell")
    assert list_regrets(here, 0, read_action("1860", "sell IOW 1")) == ()
    lost = "You lose control of IOW: no one will direct it. Its treasury has £"
    assert list_regrets(here, 0, read_action("1860", "sell IOW 4"))[0].startswith(lost)


def test_a_pass_that_may_be_the_last_chance_to_float_is_marked() -> None:
    here = reach("1860", "float")
    last = "If the others pass too, this round ends and IOW hasn't floated."
    assert list_regrets(here, 0, read_action("1860", "pass")) == (last,)
    assert list_regrets(here, 0, read_action("1860", "buy IOW ipo")) == ()


def test_a_charter_that_misses_its_float_is_marked() -> None:
    regrets = list_regrets(reach("1862", "obligation"), 0, read_action("1862", "pass"))
    assert regrets == ("You lose control of ESR: no one will direct it.",) or "hasn't floated" in regrets[0]


def test_a_purchase_that_scraps_a_players_trains_is_marked() -> None:
    found = list_regrets(reach("1860", "rust"), 0, read_action("1860", "train 4+2 bank 350"))
    assert "This scraps 3 trains of IOW." in found


def test_a_treasury_emptied_before_its_trains_are_scrapped_is_marked() -> None:
    here = reach("1860", "rust")
    state = here.title.clone(here.state)
    assert isinstance(state, State)
    state.companies["IOW"].trains = ["2+1", "2+1"]
    after = state.clone()
    after.companies["IOW"].cash = 40
    state.companies["IOW"].cash = 620
    found = here.title.advice.regrets(state, after, 0)
    assert found == ("IOW keeps £40. Its trains will soon be scrapped, and a 4+2 costs £350.",)


def regret(here: Game, move: str) -> tuple[str, ...]:
    return list_regrets(here, here.actors[0], read_action("steel_driver", move))


def test_a_bid_of_all_cubes_while_companies_are_left_is_marked() -> None:
    here = reach("steel_driver", "auction")
    assert regret(here, "open red 10") == ("You keep no cubes for the 5 companies still to be put up.",)
    assert regret(here, "open red 9") == ()


def test_a_pass_that_may_end_the_auctions_is_marked_for_those_without_a_company() -> None:
    here = reach("steel_driver", "auction")
    last = "If no one else bids, the auctions end and you control no company this turn."
    assert regret(here, "pass") == (last,)
    assert regret(reach("steel_driver", "control"), "pass") == ()


def test_a_pass_that_gives_a_rival_the_goods_of_a_company_is_marked() -> None:
    here = reach("steel_driver", "majority")
    assert regret(here, "pass") == ("If no one else bids, {2} will choose the goods of Blue.",)
    assert regret(here, "raise 6") == ()


def test_a_first_link_from_its_better_end_is_marked() -> None:
    here = reach("steel_driver", "link")
    assert regret(here, "build new_york boston") == ("New York ($50) becomes Red's start, and a start never scores.",)
    assert regret(here, "build boston new_york") == ()


def test_a_link_that_lets_a_rival_close_the_line_is_marked() -> None:
    state = positions.building(positions.deal(), green=20, red=20)
    positions.lay(state, "green", "san_francisco-reno reno-salt_lake_city")
    positions.lay(state, "red", "new_york-buffalo buffalo-detroit detroit-chicago chicago-des_moines des_moines-omaha")
    positions.box(state, "red").controller = 1

    def try_link(*ends: str) -> tuple[str, ...]:
        after = TITLES["steel_driver"].clone(state)
        positions.play(after, 0, Build(*ends))
        return tuple(TITLES["steel_driver"].advice.regrets(state, after, 0))

    assert try_link("salt_lake_city", "denver") == (
        "{1} can then close the line from coast to coast and take the $50.",
    )
    assert try_link("reno", "los_angeles") == ()


def test_a_cube_that_adds_less_than_one_which_others_can_take_is_marked() -> None:
    state = positions.building(positions.deal(), green=0, black=0)
    positions.lay(state, "green", "chicago-milwaukee milwaukee-minneapolis")
    positions.lay(state, "black", "des_moines-minneapolis")
    state.phase, green = "goods", positions.box(state, "green")
    state.cubes_left, green.goods = green.network, [0, 1, 0, 0, 0]

    def try_claim(place: str) -> tuple[str, ...]:
        after = TITLES["steel_driver"].clone(state)
        positions.play(after, 0, Claim(place))
        return tuple(TITLES["steel_driver"].advice.regrets(state, after, 0))

    assert try_claim("milwaukee") == ("This adds $10; an orange cube would add $20, and others can take it.",)
    assert try_claim("minneapolis") == ()


def test_the_desk_says_why_and_marks_buttons_for_those_who_are_new() -> None:
    here = reach("1860", "float")
    desk = Desk(1, ("Ann", "Bob", "Cid"), here, 0, here.choices(0), new_here=True)
    shown = make_screen(desk)
    assert "You buy one share a turn" in shown.text
    assert "⚠ If the others pass too, this round ends and IOW hasn't floated." in shown.text
    assert "⚠ Pass" in [button.label for row in shown.rows for button in row]
    plain = make_screen(Desk(1, ("Ann", "Bob", "Cid"), here, 0, here.choices(0)))
    assert "⚠" not in plain.text + "".join(button.label for row in plain.rows for button in row)


async def test_help_is_switched_on_and_off(services: Services) -> None:
    assert "your desk explains each question" in await say(services, "/me new_here title:1860")
    assert await services.people.is_new_here("1", "1860")
    assert not await services.people.is_new_here("1", "1862")
    assert await services.people.list_progress("1") == []
    assert await say(services, "/me new_here title:1860 on:no") == "Your desk no longer explains 1860."
    assert not await services.people.is_new_here("1", "1860")
    with pytest.raises(BotError):
        await say(services, "/me new_here")


async def test_progress_of_two_who_are_one_person_is_joined(services: Services) -> None:
    await services.people.keep_progress("p7", Progress("1860", "float", tries=2, done=True))
    await services.people.keep_progress("p7", Progress("1862", "merger", tries=1))
    await services.people.keep_progress("1", Progress("1860", "float", ("{}",), tries=1))
    await services.seats.merge_people("p7", "1")
    assert await services.people.list_progress("p7") == []
    known = {each.lesson: each for each in await services.people.list_progress("1")}
    assert known["float"] == Progress("1860", "float", ("{}",), tries=3, done=True)
    assert known["merger"] == Progress("1862", "merger", tries=1)
