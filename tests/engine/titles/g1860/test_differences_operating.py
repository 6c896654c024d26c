"""Where 18xx.games plays otherwise in building and in a company's turn (docs/differences.md, 1860)."""

import pytest

from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import BuyTrain, Run, Start
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.events import InsolvencyEnded
from engine.titles.g1860.steps import building
from engine.titles.g1860.steps import building as track_step
from tests.engine.titles.g1860.positions import begin_operating, legal, of_kind, operating, play, settle, table
from tests.support.sure import sure

SITE = {"profile": "18xx.games"}
EACH = pytest.mark.parametrize("options", [{}, SITE], ids=["rulebook", "18xx.games"])
NOBODYS = "cash 0 0\nIOW 1 1 | pool 2* | at 90"


@EACH
def test_the_marker_lies_on_the_market_from_its_par_on_18xx_games(options: dict[str, str]) -> None:
    """Capital: the marker is placed when the company floats; 18xx.games places it with the par (differences 19)."""
    s = table("cash 300 300", options=options)
    play(s, Start("IOW", 82))
    company = s.companies["IOW"]
    assert (company.cell is not None) is bool(options)
    assert not company.floated
    if options:
        assert MARKET.prices[sure(company.cell)] == 82


@EACH
def test_a_company_that_can_lay_nothing_is_asked_on_18xx_games(options: dict[str, str]) -> None:
    """Tiles in a turn: no tile to lay, no question; 18xx.games waits for the pass (differences 22)."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | 2+1 | homeless", "IOW", "track", options=options)
    company = s.companies["IOW"]
    assert not list(track_step.list_lay_options(s, 0))
    assert track_step.is_track_open_for(s, company) is bool(options)


@EACH
def test_only_the_largest_train_reaches_upgrades_on_18xx_games(options: dict[str, str]) -> None:
    """A train must reach it.

    Any train may reach the tile; 18xx.games looks at the one with the largest numbers (differences 23).
    """
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | 2+1 4+2 3+2", "IOW", "track", options=options)
    fleet = track_step.survey(s, s.companies["IOW"]).builder.fleet
    assert fleet.trains == (((4, 2),) if options else ((2, 1), (4, 2), (3, 2)))


@EACH
def test_the_way_to_an_upgrade_may_enter_a_hex_twice_on_18xx_games(options: dict[str, str]) -> None:
    """A train must reach it.

    No hex twice, unless “Option: re-enter hexes” is agreed; 18xx.games allows it for the reach in any game
    (differences 24).
    """
    s = table("cash 0 0", options=options)
    assert building.make_fleet(s, ((2, 1),)).re_enter is bool(options)
    agreed = table("cash 0 0", options={**options, "re_enter": "on"})
    assert building.make_fleet(agreed, ((2, 1),)).re_enter


@EACH
def test_insolvency_ends_at_the_run_step_on_18xx_games(options: dict[str, str]) -> None:
    """Money for a train.

    With the price in hand nothing is leased; 18xx.games then ends the insolvency at once (differences 47).
    """
    s = operating("cash 0 0\nIOW 5* | at 90 | 260cc | insolvent", "IOW", "run", options=options)
    told = settle(s)
    assert s.operating.step == "train"
    assert s.companies["IOW"].insolvent is not bool(options)
    assert bool(of_kind(told, InsolvencyEnded)) is bool(options)
    assert {action.train for action in legal(s, BuyTrain)} == {"2+1"}


@EACH
@pytest.mark.parametrize("nationalised", [False, True])
def test_any_player_acts_for_a_company_in_receivership_on_18xx_games(
    options: dict[str, str], nationalised: bool
) -> None:
    """Receivership; Nationalised rounds.

    It acts by itself; on 18xx.games any player enters what it does (differences 49, 63).
    """
    s = table(NOBODYS + " | 0cc | 2+1", tiles="J4 5/1", options=options)
    s.formed = s.nationalised = nationalised
    begin_operating(s)
    if not options:
        assert s.name == "SR 3" or s.over
        assert (s.companies["IOW"].cash > 0) is not nationalised
        return
    assert TITLE.actors(s) == (0, 1)
    if not nationalised:
        play(s, Pass(), seat=1) if s.operating.step == "track" else None
    assert s.operating.step == "run"
    play(s, Run("best"), seat=1)
    assert s.companies["IOW"].cash == 50


@EACH
def test_a_player_asked_for_track_may_pass(options: dict[str, str]) -> None:
    """Tiles in a turn: whoever is asked about track may pass in either profile (differences 22)."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | 2+1", "IOW", "track", options=options)
    assert legal(s, LayTile)
    play(s, Pass())
    assert s.operating.step != "track"


@EACH
@pytest.mark.parametrize("re_enter", ["off", "on"])
def test_81_a_company_whose_only_way_comes_twice_to_a_hex_runs_nothing(options: dict[str, str], re_enter: str) -> None:
    """A run: from Shorwell by Calbourne, a halt, to Shalcombe it comes to D8 twice; 18xx.games waits for a run.

    Where hexes may be entered again (Option: re-enter hexes) it runs.
    """
    s = operating(
        "cash 0 0\nVYSC 5* | at 90 | 9cc | 5+3", "VYSC", "run",
        tiles="E9 762/2, D8 16/2, D6 750/5, E7 22/5, C7 748/3", options={**options, "re_enter": re_enter},
    )  # fmt: skip
    settle(s)
    assert (s.name == "OR 2.1" and s.operating.step == "run") is (re_enter == "on")
