"""Operating Rounds: order, steps, number of rounds; what the steps do to a company's turn."""

import pytest

from engine.finance.events import RoundBegun, TrainsRan, TurnBegan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile, TileLaid
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import BuyShare, BuyTrain, Discard, Dividend, PlaceBase, Run
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.events import PrivatesPaid
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import TurnStep
from engine.titles.g1860.steps import building
from tests.engine.titles.g1860.positions import (
    ROUTE,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    step_of,
    table,
)
from tests.support.sure import sure

IOW = "cash 300 300\nIOW 5* 2 | par 82 at 90 | 600cc | 2+1"


def test_companies_operate_from_the_highest_price_down() -> None:
    """A company's turn; Flotation & Capitalisation.

    Price high to low, ties by position in the space; the order is fixed at the start of the OR.
    """
    s = table(
        "cash 0 0\nBHI&R 5* | at 74 | 2+1\nFYN 5* | at 90 | 2+1\nIOW 5* | at 74 | 2+1\nS&C 2* | par 54 | new\n"
        "VYSC | bankrupt",
        tiles="L6 115/1, B4 115/5",
    )
    begin_operating(s)
    assert s.operating.order == ["FYN", "BHI&R", "IOW"]
    s.companies["IOW"].cell = sure(s.companies["IOW"].cell) + 10
    play(s, Pass())
    assert (s.operating.code, s.operating.order) == ("BHI&R", ["FYN", "BHI&R", "IOW"])


def test_privates_pay_before_the_first_company() -> None:
    """A company's turn: privates pay, then the companies operate."""
    s = table(IOW + "\nprivates RPSC 1", tiles=ROUTE)
    told = [type(event) for event in begin_operating(s)]
    assert told.index(PrivatesPaid) < told.index(TurnBegan)


def test_the_steps_come_in_their_order() -> None:
    """A company's turn; Game Overview; The game in short: excess trains, track, base, run, dividend, then trains."""
    s = table(IOW.replace("2+1", "2+1 3+2 3+2 3+2 3+2"), phase="3", tiles=ROUTE)
    begin_operating(s)
    steps = [s.operating.step]
    assert catch_refusal(s, LayTile("I5", "742", 2)).rule.section == "Operating Public Companies"
    play(s, Discard("2+1"))
    for action in (Pass(), Pass(), Run("best"), Dividend("pay")):
        steps.append(s.operating.step)
        assert catch_refusal(s, BuyTrain("3+2", "bank", 300)).rule.section == "Operating Public Companies"
        play(s, action)
    assert steps == ["discard", "track", "base", "run", "dividend"]


@pytest.mark.parametrize(("phase", "rounds"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("8", 3)])
def test_the_number_of_rounds_is_read_at_the_end_of_the_stock_round(phase: str, rounds: int) -> None:
    """A company's turn; Game Overview; Phases; Buying Trains.

    The phase's number, as it is at the end of the SR; a later phase changes the next set.
    """
    s = table("cash 0 0\nC&N 5* | at 74\nIOW 1 2* | par 74", phase=phase, tiles="F2 787/0")
    play(s, Pass(), Pass())
    assert (s.name, s.operating.rounds) == ("OR 2.1", rounds)


def test_the_pier_changes_with_the_tiles_of_the_phase() -> None:
    """The Map: a run counts it by the latest colour of tiles there is."""
    for phase, revenue in (("2", 50), ("3", 70), ("4", 70), ("5", 90), ("9", 90)):
        s = operating("cash 0 0\nIOW 5* | at 90 | 3+2", "IOW", "run", phase=phase, tiles="I3 758")
        assert of_kind(play(s, Run("3+2 J2-I3")), TrainsRan)[0].revenue == revenue


def test_a_new_phase_leaves_the_number_of_rounds() -> None:
    """Buying Trains; Phases: it changes after the next SR."""
    s = operating(
        "cash 0 0\nC&N 5* | at 74 | 900cc", "C&N", "train",
        phase="4", depot={"5+3": 2, "9+5": -1}, rounds=(1, 2),
    )  # fmt: skip
    play(s, BuyTrain("5+3", "bank", TRAINS["5+3"].price))
    assert (s.phase, s.operating.rounds) == ("5", 2)


def test_the_set_of_rounds_leads_back_to_the_stock_round() -> None:
    """A company's turn: so many ORs, then the next SR."""
    s = table("cash 500 0\nBHI&R 5* | at 74\nIOW 2* . | par 74", phase="3", tiles="L6 115/1")
    told = play(s, BuyShare("BHI&R", "ipo"), Pass(), Pass(), Pass())
    while s.name.startswith("OR"):
        told += play(s, Pass())
    assert [event.name for event in of_kind(told, RoundBegun)] == ["OR 2.1", "OR 2.2", "SR 3"]


def test_two_yellow_tiles_without_a_city() -> None:
    """Tiles in a turn; Variant: Accelerated Track Development.

    Up to two yellow tiles, neither with a city; the second may connect to the first (Yellow track must connect).
    """
    s = operating(IOW, "IOW", "track")
    play(s, LayTile("I5", "742", 2))
    assert s.operating.step == "track"
    assert catch_refusal(s, LayTile("J6", "746", 2)).rule.section == "Laying Track"
    second = [lay for lay in legal(s, LayTile) if lay.hex not in ("I5", "J6")]
    assert second, "some lead on from the tile just laid"
    play(s, second[0])
    assert step_of(s) == "base"
    assert catch_refusal(s, second[0]).rule.section == "Operating Public Companies"
    s = operating(IOW + " | bases G5", "IOW", "track", tiles="")
    assert any(lay.hex == "J4" for lay in legal(s, LayTile)), "Ryde can be the only tile"
    play(s, LayTile("F4", "741", 5))
    assert not any(lay.hex == "J4" for lay in legal(s, LayTile))
    assert "must be the only one of its turn" in catch_refusal(s, LayTile("J4", "57", 2)).sentence


def test_a_city_tile_is_the_only_tile_of_the_turn() -> None:
    """Tiles in a turn; Variant: Accelerated Track Development: a city tile in either position."""
    s = operating(IOW, "IOW", "track", tiles="")
    play(s, LayTile("J4", "5", 1))
    assert s.operating.step == "base"


def test_no_upgrade_beside_a_yellow_tile() -> None:
    """Tiles in a turn; Upgrading Track: two yellow tiles or one upgrade."""
    s = operating(IOW.replace("2+1", "3+2"), "IOW", "track", tiles=ROUTE, phase="3")
    upgrade = next(lay for lay in legal(s, LayTile) if lay.hex == "I3")
    play(s, LayTile("I5", "742", 2))
    assert catch_refusal(s, upgrade).rule.section == "Laying Track"
    s = operating(IOW.replace("2+1", "3+2"), "IOW", "track", tiles=ROUTE, phase="3")
    told = play(s, upgrade)
    assert of_kind(told, TileLaid)
    assert s.operating.step == "base"


def test_difficult_terrain_costs_sixty_once() -> None:
    """Difficult terrain; The Map: 60cc on the first tile; nothing for an upgrade there; not without the money."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 60cc | 2+1", "IOW", "track", tiles="J4 57/2")
    costly = next(lay for lay in legal(s, LayTile) if lay.hex == "K5")
    play(s, costly)
    assert s.companies["IOW"].cash == 0
    s = operating("cash 0 0\nIOW 5* | at 90 | 59cc | 2+1", "IOW", "track", tiles="J4 57/2")
    assert catch_refusal(s, costly).rule.section == "Special rules for tile placement"


def test_bases_keep_their_place_on_an_upgrade() -> None:
    """Upgrades; Building Bases: bases stay on the tile in the place that corresponds."""
    s = operating(IOW.replace("2+1", "3+2") + " | bases J4", "IOW", "track", tiles=ROUTE, phase="3")
    lay = next(lay for lay in legal(s, LayTile) if lay.hex == "J4")
    play(s, lay)
    assert s.companies["IOW"].bases == [("I3", 0), ("J4", 0)]
    two = IOW.replace("2+1", "9+5") + " | bases G5.1"
    s = operating(two, "IOW", "track", tiles="G5 763/0", phase="5")
    play(s, LayTile("G5", "773", 0))
    assert s.companies["IOW"].bases == [("I3", 0), ("G5", 1)], "Shide stays Shide"


def test_insolvent_companies_build_little() -> None:
    """Building while insolvent: no upgrade, no tile that costs money; free yellow tiles are allowed."""
    line = "cash 0 0\nIOW 5* | at 90 | 100cc | insolvent"
    s = operating(line, "IOW", "track", tiles="J4 57/2", phase="3")
    assert {lay.hex for lay in legal(s, LayTile)} & {"K5", "I3", "J4"} == set()
    assert catch_refusal(s, LayTile("K5", "743", 2)).rule.section == "Insolvency"
    s = operating(line, "IOW", "track", tiles=ROUTE)
    assert LayTile("I5", "742", 2) in legal(s)


def test_a_company_in_receivership_lays_no_tile_and_builds_no_base() -> None:
    """Building while insolvent; Bases stay; Companies In Receivership: its turn goes on to the run by itself."""
    s = table("cash 0 0\nIOW 1 . | pool 2* | at 90 | 600cc | 2+1", tiles=ROUTE)
    told = begin_operating(s)
    assert of_kind(told, TrainsRan)
    assert not of_kind(told, TileLaid)


def test_one_base_a_turn_for_40_then_100() -> None:
    """The price of a base: at most one a turn; the first extra base 40cc, further ones 100cc."""
    s = operating(IOW, "IOW", "base")
    assert legal(s, PlaceBase) == [PlaceBase("J4", 0)]
    assert building.find_base_cost(s.companies["IOW"]) == 40
    play(s, PlaceBase("J4", 0))
    assert (s.companies["IOW"].cash, s.companies["IOW"].unplaced, s.operating.step) == (560, 2, "run")
    assert building.find_base_cost(s.companies["IOW"]) == 100
    assert catch_refusal(s, PlaceBase("J4", 0)).rule.section == "Operating Public Companies"
    s = operating(IOW + " | bases G7", "IOW", "base", tiles="J4 57/2, G5 763/0, G7 761/0", phase="3")
    assert legal(s, PlaceBase) == [PlaceBase("G5", 1), PlaceBase("J4", 0)]
    play(s, PlaceBase("J4", 0))
    assert s.operating.step == "run", "the other city must wait for the next turn"


def test_no_base_without_the_money() -> None:
    """The price of a base: a company that cannot pay is not asked."""
    s = table("cash 0 0\nIOW 5* | at 90 | 39cc | 2+1", tiles=ROUTE)
    begin_operating(s)
    play(s, Pass())
    assert s.operating.step == "run"


@pytest.mark.parametrize(("state", "step"), [("insolvent", "run"), ("2+1", "base")])
def test_no_bases_for_the_insolvent(state: str, step: str) -> None:
    """Bases stay: bases are permanent; insolvent companies build none, others are asked."""
    s = table(f"cash 0 0\nIOW 5* | at 90 | 100cc | {state}", tiles=ROUTE)
    begin_operating(s)
    play(s, Pass())
    assert s.operating.step == step


def test_trains_must_run() -> None:
    """Trains must run: every train that can must run; the director picks the runs."""
    s = operating(IOW.replace("2+1", "2+1 2+1"), "IOW", "run", tiles="J4 5/1, I5 742/2")
    assert catch_refusal(s, Pass()).rule.section == "Operating Public Companies"
    assert catch_refusal(s, Run("")).rule.section == "Running Trains"
    play(s, Run("best"))
    assert s.operating.revenue > 0


def test_halts_pay_the_treasury() -> None:
    """Revenue and halts; Track Tiles: 10cc a counted halt for the treasury, also when the revenue is paid out."""
    s = operating("cash 0 0\nIOW 6* 4 | at 90 | 100cc | 2+1", "IOW", "dividend", revenue=100, subsidy=20)
    play(s, Dividend("pay"))
    assert (s.companies["IOW"].cash, s.cash) == (120, [60, 40])


def test_the_director_acts_for_the_company() -> None:
    """A company's turn: the holder of the director's certificate, no one else."""
    s = operating("cash 0 0\nIOW 2 5* | at 90 | 100cc | 2+1", "IOW", "run")
    assert TITLE.actors(s) == (1,)
    assert catch_refusal(s, Run("best"), seat=0).sentence == "It's not your turn."


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("discard", "IOW has 5 trains and the limit is 4; return one."),
        ("run", "IOW must run its trains."),
        ("dividend", "IOW must pay out or keep its revenue."),
    ],
)
def test_a_step_that_must_be_done_has_no_pass(step: TurnStep, told: str) -> None:
    refusal = turn.find_pass_refusal(operating(f"{IOW} 2+1 2+1 2+1 2+1", "IOW", step, revenue=50), 0)
    assert refusal is not None
    assert refusal.sentence == told


def test_a_company_without_bases_builds_none() -> None:
    """Where bases go: the last of its bases is on the map."""
    s = operating(IOW, "IOW", "base", tiles="J4 5/1, J6 57/0")
    s.companies["IOW"].unplaced = 0
    assert catch_refusal(s, PlaceBase("K7", 0)).sentence == "IOW has no base left."


def test_the_director_asked_for_a_train_comes_first() -> None:
    """Buying trains: a proposer who does something else is told who must answer, not to take the offer back."""
    s = operating("cash 0 0\nIOW 5* . | at 90 | 300cc | 2+1\nC&N . 5* | at 82 | 2+1 3+2", "IOW", "train", phase="3")
    play(s, BuyTrain("3+2", "C&N", 50))
    refusal = catch_refusal(s, Pass(), seat=0)
    assert refusal.sentence == "You can't pass now: {1} must first answer your offer, unless you take it back."
    assert refusal.rule.section == "Buying Trains"
