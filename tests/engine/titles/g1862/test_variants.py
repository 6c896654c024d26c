"""§11.1 to §11.4: fewer types of train, the shorter game, new players; short and long games.

What the kept games of these options have in their logs was played to the end: ``tests/playthroughs`` replays them.
"""

from collections.abc import Iterable
from functools import cache

import pytest

from engine.record import Action
from engine.title import Request
from engine.titles.g1862 import TITLE, companies
from engine.titles.g1862.actions import BuyTrain, Dividend, Redeem, Start
from engine.titles.g1862.catalogue import BANDS, FACES
from engine.titles.g1862.events import LnerAnnounced
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import running
from engine.view import Sheet
from tests.engine.titles.g1862.positions import catch_refusal, legal, of_kind, operating, parliament, play, stock, table
from tests.playthroughs.record import Kept, read

TYPES = {
    "simple_express": {"express"},
    "simple_freight": {"freight"},
    "advanced_freight": {"freight", "local"},
    "advanced_express": {"express", "local"},
}


def buyer(owns: str, phase: str, band: str, **options: str) -> State:
    """Return a company with these trains and money enough, the bank selling a band."""
    s = table(f"N&E 90 5*,0,0,0 cash=2000 trains={owns} at=B13", options=options, phase=phase)
    s.depot = {name: 0 if name < band else 2 for name in s.depot}
    s.sold = {name: int(name <= phase) for name in s.sold}
    return operating(s, "N&E", "train")


def kinds(actions: Iterable[Action]) -> set[str]:
    return {FACES[action.train.rstrip("*")].kind for action in actions if isinstance(action, BuyTrain)}


@cache
def read_kept(name: str) -> Kept:
    return read(f"1862-{name}")


def list_actions_of(game: Kept) -> list[Action]:
    return [entry.action for entry in game.read_log()]


def list_actions(name: str) -> list[Action]:
    return list_actions_of(read_kept(name))


@pytest.mark.parametrize("trains", TYPES)
def test_11_1_the_bank_sells_the_types_that_are_played(trains: str) -> None:
    s = buyer("2E", "A", "A", trains=trains)
    assert kinds(legal(s, BuyTrain)) == TYPES[trains]
    other = "1F" if trains.endswith("express") else "2E"
    assert f"not “{other}”" in catch_refusal(s, BuyTrain(other, "bank")).sentence


@pytest.mark.parametrize(
    ("phase", "band", "owns", "may"),
    [
        ("D", "D", "2E,2E,2/3L,2/3L", {"express", "local"}),
        ("D", "D", "2E,2E,2E,2/3L", {"local"}),
        ("E", "F", "2E,2/3L", {"express", "local"}),
        ("F", "F", "2E,2E,2/3L", {"local"}),
        ("G", "G", "2E,2/3L", {"express", "local"}),
        ("G", "G", "2E,2/3L,2/3L", set()),
        ("H", "H", "2E,2/3L,2/3L", set()),
    ],
)
def test_11_1_limits_of_the_advanced_game(phase: str, band: str, owns: str, may: set[str]) -> None:
    """Three of each type to phase D, two of each to F, then three in all."""
    assert kinds(legal(buyer(owns, phase, band, trains="advanced_express"), BuyTrain)) == may


@pytest.mark.parametrize(("phase", "most"), list(zip("ABCDEFGH", (4, 4, 4, 4, 3, 3, 2, 2), strict=True)))
def test_11_1_limits_of_the_simple_game(phase: str, most: int) -> None:
    """§9.0: Four trains in phases A to D, three in E and F, two in G and H."""
    assert legal(buyer(",".join(["2E"] * (most - 1)), phase, phase, trains="simple_express"), BuyTrain)
    assert not legal(buyer(",".join(["2E"] * most), phase, phase, trains="simple_express"), BuyTrain)


def test_11_1_the_sheet_of_trains_shows_limits_and_when_trains_rust() -> None:
    """In all or of each type; D trains stay in the shorter game, and the last bands for ever."""

    def list_columns(**options: str) -> list[list[str]]:
        shown = TITLE.views.look(table(options=options), Request("trains"))
        assert isinstance(shown, Sheet)
        rows = shown.tables[0].rows
        return [[row[column].text for row in rows] for column in (-2, -1)]

    limits, rusting_at = list_columns()
    assert limits == ["3 a type"] * 4 + ["2 a type"] * 2 + ["3 in all"] * 2
    assert rusting_at == ["at C", "at E", "at F", "at G"] + ["never"] * 4
    assert list_columns(shorter="on")[1] == ["at C", "at E", "at F"] + ["never"] * 5
    assert list_columns(trains="simple_express")[0] == ["4 in all"] * 4 + ["3 in all"] * 2 + ["2 in all"] * 2


@pytest.mark.parametrize("permit", ["", "local"])
def test_11_1_in_a_simple_game_no_permit_is_needed(permit: str) -> None:
    text = f"N&E 90 5*,0,0,0 cash=20 trains=1F at=B13 permits={permit}"
    s = operating(table(text, options={"trains": "simple_freight"}), "N&E", "run")
    assert running.make_problem_now(s).runnable


def test_11_2_the_first_e_train_brings_the_lner_and_d_trains_stay() -> None:
    """Trains of band C go with F as ever; those of D, which G would remove, are permanent."""
    s = buyer("3E,4E", "D", "E", shorter="on")
    events = play(s, BuyTrain("4/5E", "bank"))
    assert of_kind(events, LnerAnnounced)
    assert s.lner_due
    s.phase = "G"
    companies.rust_trains(s, lambda _: None)
    assert [train.face for train in s.companies["N&E"].trains] == ["4E", "4/5E"]


@pytest.mark.parametrize("trains", ["simple_express", "simple_freight"])
@pytest.mark.parametrize("shorter", ["off", "on"])
def test_11_3_the_game_for_new_players(trains: str, shorter: str) -> None:
    """Starts in Parliament only, no redeeming, no extra warranties, no Hudson; it goes with the shorter game."""
    options = {"new_players": "on", "trains": trains, "shorter": shorter}
    s = stock(table("N&E 90 1,5*,0,0 trains=1F", options=options))
    assert legal(s, Start) == []
    assert TITLE.legal(parliament(table(options=options)), 0), "in Parliament companies are proposed"
    s = operating(table("N&E 90 5*,0,0,0 cash=900 trains=1F at=B13", options=options), "N&E", "train")
    bought = legal(s, BuyTrain)
    assert bought
    assert {action.warranties for action in bought} == {0}
    play(s, bought[0])
    assert s.companies["N&E"].trains[-1].stars == BANDS["A"].warranties == 1, "trains of A and D bring one free"
    s = operating(table("N&E 100 5*,2,0,0 cash=500 trains=1F at=B13", options=options), "N&E", "dividend")
    s.operating.revenue = 50
    assert {action.kind for action in legal(s, Dividend)} == {"pay", "keep"}
    s = operating(table("N&E 90 5*,0,0,0 cash=200 trains=1F at=B13", options=options), "N&E", "redeem")
    assert legal(s, Redeem) == []


@pytest.mark.parametrize("trains", TYPES)
def test_11_1_a_whole_game_with_fewer_types(trains: str) -> None:
    """Played to its end: every type of the game is bought, and no other."""
    assert kinds(list_actions(f"trains-{trains}")) == TYPES[trains]
    assert read_kept(f"trains-{trains}").reason in {"lner", "stock_market", "bank"}


def test_11_2_a_whole_shorter_game() -> None:
    """No one gets beyond a train of the band that is on sale after the last set; the LNER ends it."""
    bands = {
        FACES[action.train.rstrip("*")].band for action in list_actions("shorter-on") if isinstance(action, BuyTrain)
    }
    assert "E" in bands
    assert "H" not in bands
    assert read_kept("shorter-on").reason == "lner"


def test_11_3_a_whole_game_for_new_players() -> None:
    actions = list_actions("new_players-on")
    assert not [action for action in actions if isinstance(action, Redeem)]
    assert {action.kind for action in actions if isinstance(action, Dividend)} == {"pay", "keep"}
    assert {action.warranties for action in actions if isinstance(action, BuyTrain)} == {0}
    assert kinds(actions) == {"express"}


@pytest.mark.parametrize("length", ["short", "standard", "long"])
def test_2_4_3_a_whole_game_of_each_length(length: str) -> None:
    """Played to the LNER: the bank sells band after band, of none more than there are, and ends with H."""
    game = read_kept("4" if length == "standard" else f"length-{length}")
    bought = [action for action in list_actions_of(game) if isinstance(action, BuyTrain) and action.seller == "bank"]
    bands = [FACES[action.train].band for action in bought]
    assert bands == sorted(bands)
    assert bands[-1] == "H"
    assert all(bands.count(band.name) <= band.counts[length] for band in BANDS.values() if band.name != "H")
    assert game.reason == "lner"


def test_11_3_new_players_buy_no_warranties_and_top_nothing_up() -> None:
    s = buyer("2E", "A", "A", new_players="on", trains="simple_express")
    assert "no extra warranties" in catch_refusal(s, BuyTrain("2E", "bank", 1)).sentence
    s.operating.step, s.operating.revenue = "dividend", 60
    assert catch_refusal(s, Dividend("hudson")).rule.section == "§11.3"


def test_10_3_no_company_starts_after_the_lner() -> None:
    s = stock(table("N&E 90 5*,0,0,0 trains=2F at=B13", lner=True, phase="H"))
    assert catch_refusal(s, Start("ENR", 54)).sentence == "No company can be started once the LNER has formed."
