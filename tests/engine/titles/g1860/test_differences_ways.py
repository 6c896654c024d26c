"""The ways that 18xx.games remembers until a tile or a base is built (docs/differences.md, 1860, 80)."""

import pytest

from engine.errors import RuleError
from engine.finance.events import Declined, RoundBegun, TurnBegan
from engine.finance.rounds import Pass
from engine.interop.g1860.profile import TITLE, RememberingState
from engine.rails.laying import LayTile
from engine.setup import Rng
from engine.titles.g1860.actions import BuyShare, PlaceBase
from engine.titles.g1860.events import BasePlaced
from engine.titles.g1860.state import State, Stock
from engine.titles.g1860.steps import building
from tests.engine.titles.g1860.positions import catch_refusal, legal, operating, play, step_of

SITE = {"profile": "18xx.games"}
EACH = pytest.mark.parametrize("options", [{}, SITE], ids=["rulebook", "18xx.games"])
BEYOND = "J4 57/5, K5 743/2, L6 5/1, K7 9/1, J8 57/1"
"""From Ryde to Brading and on by Bembridge, whose one circle is kept for BHI&R, to Sandown."""
LAY = LayTile("I9", "5", 3)
"""A tile beyond Sandown."""
BASE = PlaceBase("J8", 0)


def after_a_flotation(options: dict[str, str], tiles: str = BEYOND) -> State:
    """Return the turn of IOW after one in which it built nothing; BHI&R has floated in between."""
    companies = "IOW 5* . | at 90 | 450cc | 6+3 | bases J4\nBHI&R . 4* | par 54"
    s = operating(f"cash 900 900\n{companies}", "IOW", "track", tiles=tiles, options=options)
    while step_of(s) in ("track", "base"):
        play(s, Pass())
    to_the_next(s)
    play(s, BuyShare("BHI&R", "ipo"))
    assert s.companies["BHI&R"].bases == [("L6", 0)]
    to_the_next(s)
    assert s.operating.code == "IOW"
    return s


def to_the_next(s: State) -> None:
    """Play on to the next stock round, or to the next turn in an operating round."""
    kind = type(s.round)
    while isinstance(s.round, kind):
        seat, rng = TITLE.actors(s)[0], Rng(1)
        deals = isinstance(s.round, Stock) and not s.round.homes
        play(s, Pass() if deals else TITLE.advice.choose(s, seat, rng))


@EACH
def test_80_company_that_looked_before_a_flotation_lays_track_beyond_the_home_base(options: dict[str, str]) -> None:
    """Yellow track must connect.

    The way through Bembridge is closed; 18xx.games takes the lay, and no one is offered it.
    """
    s = after_a_flotation(options)
    assert not any(lay.hex == LAY.hex for lay in building.list_lay_options(s, 0))
    if not options:
        with pytest.raises(RuleError, match="without passing a tokened-out city"):
            building.check_lay(s, 0, LAY)
        return
    play(s, LAY)
    assert step_of(s) == "run", "it looks anew then, and no city is in reach"


def test_80_for_the_reach_of_trains_it_looks_again() -> None:
    """A train must reach it: no upgrade beyond the home base is legal in either profile."""
    s = after_a_flotation(SITE)
    s.phase = "4"
    assert "reaches Sandown" in catch_refusal(s, LayTile("J8", "205", 1)).sentence


@EACH
def test_80_company_that_declined_before_a_flotation_builds_a_base_beyond_the_home_base(
    options: dict[str, str],
) -> None:
    """Where bases go: there is no city in reach; 18xx.games asks again whoever has declined, and takes the base."""
    s = after_a_flotation(options)
    if not options:
        assert not building.is_base_open_for(s, s.companies["IOW"])
        return
    play(s, Pass())
    assert (step_of(s), legal(s)) == ("base", [Pass()]), "it isn't offered"
    assert "Every circle of Bembridge" in catch_refusal(s, PlaceBase("L6", 0)).sentence, (
        "a slot that is filled stays filled"
    )
    play(s, BASE)
    assert s.companies["IOW"].bases[-1] == ("J8", 0)
    assert isinstance(s, RememberingState)
    assert (s.looked, s.declined, s.unseen) == ((), (), ())


def test_80_company_that_has_not_looked_sees_the_home_base() -> None:
    """A company in its first turn sees all bases."""
    s = after_a_flotation(SITE)
    assert s.find_unseen_homes(s.companies["IOW"]) == ("BHI&R",)
    assert s.find_unseen_homes(s.companies["BHI&R"]) == ()


def test_80_the_tile_of_a_home_hex_lets_all_look_again() -> None:
    """Home tile: whoever floats on a hex without track lays a tile there."""
    s = after_a_flotation(SITE, tiles="J4 5/1")
    assert s.find_unseen_homes(s.companies["IOW"]) == ()


def test_80_each_company_remembers_flotations_since_its_own_last_look() -> None:
    """Two flotations: who had its turn before both sees neither home base, who had it in between sees the first."""
    s = after_a_flotation(SITE)
    assert isinstance(s, RememberingState)
    s.note(TurnBegan("C&N"))
    s.acting = "C&N"
    s.note(Declined("C&N", "builds", "base"))
    s.acting = "C&N"
    s.note(RoundBegun("SR 4"))
    assert (s.looked, s.declined) == (("C&N", "IOW"), ("C&N", "IOW"))
    s.note(BasePlaced("FYN", "B4", 0))
    assert s.find_unseen_homes(s.companies["IOW"]) == ("BHI&R", "FYN")
    assert s.find_unseen_homes(s.companies["C&N"]) == ("FYN",)
    s.note(BasePlaced("FYN", "F2", 40))
    assert s.find_unseen_homes(s.companies["C&N"]) == ()


def test_80_by_the_rulebook_nothing_is_remembered() -> None:
    s = after_a_flotation({})
    assert type(s) is State
    assert s.find_unseen_homes(s.companies["IOW"]) == ()


def test_80_a_copy_remembers_as_much() -> None:
    s = after_a_flotation(SITE)
    assert s.clone() == s


def test_80_company_that_cannot_pay_or_build_is_not_asked_again() -> None:
    """Building while insolvent; The price of a base: what that site remembers is asked last."""
    s = after_a_flotation(SITE)
    iow = s.companies["IOW"]
    assert building.is_base_open_for(s, iow)
    iow.insolvent = True
    assert not building.is_base_open_for(s, iow)
    iow.insolvent, iow.cash = False, building.find_base_cost(iow) - 1
    assert not building.is_base_open_for(s, iow)


def test_80_a_pass_for_track_declines_no_base() -> None:
    """Who was not asked for a base has declined none."""
    s = operating("cash 900 900\nIOW 5* . | at 90 | 10cc | 6+3", "IOW", "track", options=SITE)
    play(s, Pass())
    assert step_of(s) != "base"
    assert isinstance(s, RememberingState)
    assert s.declined == ()


def test_80_a_hex_that_is_not_on_the_map_is_refused_as_ever() -> None:
    s = after_a_flotation(SITE)
    assert catch_refusal(s, LayTile("Z9", "5", 0)).sentence == "There is no hex Z9 on this map."
