"""§8.0, §7.13, §10.0: companies without a director, redeeming, the LNER and the three endings."""

import re
from pathlib import Path
from typing import Unpack

import pytest

from engine import Event
from engine.finance.events import BankBroke, GameEnded, TrainBought, TrainsRan
from engine.finance.rounds import Pass
from engine.interop.g1862 import profile
from engine.interop.g1862 import trace as trace_1862
from engine.titles.g1862 import companies, worth
from engine.titles.g1862.actions import BuyShare, Merge, Redeem, Run, Sell
from engine.titles.g1862.events import LnerFormed, WentBankrupt
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.rounds.operating import form_lner
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.runs import Aim, Problem
from engine.titles.g1862.state import State, Train
from engine.titles.g1862.steps import running
from tests.engine.titles.g1862.positions import (
    Fields,
    catch_refusal,
    differs,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.engine.titles.g1862.running import read_board

TWO = "N&E 90 2,2,2,0 {} at=B13 permits={}\nWStI 54 0,5*,0,0 trains=2F at=B5"


def operate_in_receivership(words: str, permits: str = "express", tiles: str = "", **fields: Unpack[Fields]) -> State:
    return operating(table(TWO.format(words, permits), tiles=tiles, **fields), "N&E", "merge")


def test_8_0_the_same_run_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round after round on the same track, as after the LNER, when no one decides anything."""
    asked: list[str] = []
    search = run_search.find_best_plan

    def best_plan(problem: Problem, *aim: Aim, budget: int) -> run_search.Best:
        asked.append(problem.company)
        return search(problem, *aim, budget=budget)

    monkeypatch.setattr(run_search, "find_best_plan", best_plan)
    vars(run_search)["_find_known_best"].cache_clear()  # of what other tests have asked
    s = operate_in_receivership("cash=150 trains=2E", tiles="B13:57:0")
    s.companies["N&E"].london = "B15"
    now = running.make_problem(s, s.companies["N&E"])
    plans = [run_search.find_best_unasked(each) for each in (now, running.make_problem(s, s.companies["N&E"]))]
    assert (asked, plans[0].revenue) == (["N&E"], 120)
    assert plans[1] == plans[0] == search(now, "both").plan
    s.companies["N&E"].london = ""
    assert run_search.find_best_unasked(running.make_problem(s, s.companies["N&E"])).revenue == 0
    assert asked == ["N&E", "N&E"]


def test_8_0_it_runs_keeps_and_buys_automatically() -> None:
    """§7.3, 62-64: it runs, keeps and buys automatically."""
    s = operate_in_receivership("cash=150 trains=2E", tiles="B13:57:0")
    s.companies["N&E"].london = "B15"
    events = settle(s)
    assert of_kind(events, TrainsRan)[0].revenue == 120
    company = s.companies["N&E"]
    assert [train.name for train in company.trains] == ["2E", "2E*"]
    assert company.cash == 150 + 120 - 100
    assert company.price < 90
    assert s.operating.code == "WStI"


@pytest.mark.parametrize(
    ("permits", "owns", "face"),
    [
        ("freight", "", "1F"),
        ("freight,local", "", "1F"),
        ("local,express", "", "2E"),
        ("freight,express", "", "2E"),
        ("express,local", "2E,2E,2E", "2L"),
    ],
)
def test_8_0_one_train_the_first_permitted_of_express_freight_local_with_room(
    permits: str, owns: str, face: str
) -> None:
    """§7.3: one train: the first permitted of Express, Freight and Local with room."""
    s = operate_in_receivership("cash=300" + (f" trains={owns}" if owns else ""), permits)
    events = settle(s)
    assert [event.train.rstrip("*") for event in of_kind(events, TrainBought)] == [face]


def test_8_0_no_train_and_no_money_is_bankruptcy_without_refinancing() -> None:
    """§7.3: no train and no money is bankruptcy without refinancing."""
    s = operate_in_receivership("cash=99 treasury=1")
    assert of_kind(settle(s), WentBankrupt)


def test_8_0_it_runs_for_revenue_and_subsidy_together() -> None:
    """§7.3, §8.0: £60 and two hexes are less than £50 and five."""
    s = operating(table("ENR 90 2,2,2,0 trains=2L at=F3 permits=local"), "ENR", "run")
    s.board = read_board(
        "F3 city 20: E4 F5; F5 city 40: F3; E4 line: F3 D5; D5 line: E4 C6; C6 line: D5 B7; B7 city 30: C6"
    )
    plan = running.check(s, 0, Run("best")).plan
    assert plan is not None
    assert (plan.revenue, plan.subsidy) == (50, 50)


def test_8_0_player_who_acts_for_a_receivership() -> None:
    s = table("N&E 90 2,1,2,0")
    s.priority = 1
    assert turn.find_acting_seat(s, s.companies["N&E"]) == 2


def test_7_13_one_share_from_the_pool_into_the_treasury() -> None:
    s = operating(table("N&E 90 5*,0,0,0 cash=200 trains=2E at=B13\nWStI 54 0,5*,0,0 at=B5"), "N&E", "redeem")
    play(s, Redeem())
    company = s.companies["N&E"]
    assert (company.treasury, company.pool, company.cash) == (1, 4, 110)
    assert s.operating.step != "redeem"
    s = operating(table("N&E 90 5*,0,0,0 cash=89 trains=2E at=B13"), "N&E", "redeem")
    assert "costs £90" in catch_refusal(s, Redeem()).sentence


def test_7_13_a_redeemed_share_can_be_bought_again() -> None:
    """§7.13: out of the treasury, and the company has the money."""
    s = operating(table("N&E 90 5*,0,0,0 cash=200 trains=2E at=B13", cash=[500] * 4), "N&E", "redeem")
    play(s, Redeem())
    play(stock(s), BuyShare("N&E", "treasury"))
    company = s.companies["N&E"]
    assert (company.treasury, company.shares[0], company.cash, s.cash[0]) == (0, 6, 200, 410)


@pytest.mark.parametrize(("held", "may"), [("5*,4,0,0", True), ("5*,5,0,0", False)])
def test_7_13_the_last_share_in_the_pool_can_be_redeemed(held: str, may: bool) -> None:
    s = operating(table(f"N&E 90 {held} cash=200 trains=2E at=B13"), "N&E", "redeem")
    assert (Redeem() in legal(s)) is may


def test_11_3_new_players_redeem_nothing() -> None:
    s = operating(table("N&E 90 5*,0,0,0 cash=200 trains=2E", options={"new_players": "on"}), "N&E", "redeem")
    assert "can't redeem shares" in catch_refusal(s, Redeem()).sentence


def finish(number: int, rounds: int, **fields: Unpack[Fields]) -> tuple[State, list[Event]]:
    """Let the last company of a round end its turn."""
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13", **fields)
    operating(s, "N&E", "end", rounds=rounds).operating.number = number
    return s, settle(s)


def test_10_2_the_top_ends_the_game_with_the_round() -> None:
    """§3.0, §10.1: the top ends the game with the round."""
    s, events = finish(1, 3, topped=True)
    assert s.over == "stock_market"
    assert of_kind(events, GameEnded)


def test_10_1_at_the_top_no_lner_forms() -> None:
    """§10.1, §10.3.

    Though the set is over in which the first H train was bought; after the LNER the top still ends it.
    """
    s, events = finish(3, 3, topped=True, lner_due=True)
    assert s.over == "stock_market"
    assert not of_kind(events, LnerFormed)
    assert finish(1, 3, topped=True, lner=True)[0].over == "stock_market"


def test_10_3_after_the_lner_an_empty_bank_ends_nothing() -> None:
    """§10.3: the last three rounds are played."""
    s = table("N&E 90 2,5*,0,0 cash=0 trains=4/5E", lner=True, phase="H")
    s.cash[0] = 0
    s.cash[3] += s.bank - 10
    play(stock(s), Sell("N&E", 2))
    assert (s.bank, s.broken, s.cash[0]) == (-170, False, 180)


def test_10_2_an_empty_bank_ends_it_with_the_set() -> None:
    """§3.0: an empty bank ends it with the set."""
    assert finish(1, 3, broken=True)[0].name == "OR 1.2"
    assert finish(3, 3, broken=True)[0].over == "bank"


def test_10_2_exactly_nothing_is_not_yet_empty() -> None:
    s = stock(table("N&E 90 2,5*,0,0 trains=2F"))
    s.cash[3] += s.bank - 180
    play(s, legal(s)[2])
    assert s.bank == 0
    assert not s.broken


def test_10_3_the_lner_forms_at_the_end_of_the_set() -> None:
    """§6.5.2: 62-32, 62-33."""
    s, events = finish(3, 3, lner_due=True)
    assert of_kind(events, LnerFormed)[0].limit == 5
    assert s.name == "SR 2"
    assert s.companies["WStI"].gone
    assert s.limit == 5


def test_10_2_the_bank_wins_over_the_lner() -> None:
    """62-34."""
    s, events = finish(3, 3, lner_due=True, broken=True)
    assert s.over == "bank"
    assert not of_kind(events, LnerFormed)


def test_10_3_shares_in_the_ipo_move_to_the_pool() -> None:
    s = table("N&E 90 5*,0,0,0 ipo=3 treasury=1 chartered trains=2F")
    form_lner(s, lambda _: None)
    company = s.companies["N&E"]
    assert (company.ipo, company.treasury, company.pool) == (0, 1, 4), "those of the treasury stay there"


def test_10_3_in_the_last_rounds_no_building_no_markers_no_mergers() -> None:
    s = table("N&E 90 5*,0,0,0 trains=4/5E unplaced=2 cash=900 at=B13\nWStI 54 5*,0,0,0 trains=2F at=B5,B13", lner=True,
              tiles="B13:57:0", phase="H")  # fmt: skip
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    operating(s, "N&E", "merge")
    assert "once the LNER has formed" in catch_refusal(s, Merge("WStI", "N&E")).sentence
    settle(s)
    assert s.operating.step in ("run", "dividend", "train")


def test_10_3_three_last_rounds_then_the_end() -> None:
    """§3.0, 62-65: three last rounds, then the end."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F at=B13", lner=True, phase="H"))
    play(s, Pass(), Pass(), Pass(), Pass())
    assert s.over == "lner" or s.operating.rounds == 3
    assert finish(3, 3, lner=True)[0].over == "lner"


@differs("certificate_scores_whole")
def test_10_4_shares_count_at_their_sale_value(switches: dict[str, object]) -> None:
    """Differences 7: 18xx.games halves the director's certificate as one."""
    s = table("N&E 95 4*,0,0,0", switches=switches)
    assert worth.find_holding_worth(s, s.companies["N&E"], 0) == (142 + 47 if switches else 4 * 47)
    s.companies["N&E"].trains = [Train("A-0", "2E")]
    assert worth.find_holding_worth(s, s.companies["N&E"], 0) == 380


def test_10_4_cash_and_shares_of_all_companies_and_nothing_of_treasuries() -> None:
    """§10.4, §3.0, §1.0: a company's shares and money are no one's; what has not been started is worth nothing."""
    text = "N&E 95 4*,1,0,0 treasury=3 cash=900 trains=2E\nWStI 54 0,5*,1,0 trains=2F"
    s = table(text, cash=[11, 0, 7, 0])
    assert worth.list_totals(s) == (11 + 4 * 95, 95 + 5 * 54, 7 + 54, 0)
    assert worth.list_parts(s, 2) == (("cash", 7), ("WStI", 54))


@pytest.mark.parametrize("options", [{}, {"profile": "18xx.games"}])
def test_69_a_standstill_ends_the_game(options: dict[str, str]) -> None:
    """No company, no money to start one: rounds would follow rounds for ever, and do there (differences 69)."""
    s = stock(table(cash=[100, 100, 100, 100], options=options))
    file = profile.ask_everything(s.clone())
    for each, name in (s, "SR 1"), (file, "PR 100"):
        settle(each)
        assert each.over == "standstill"
        assert trace_1862.dump_state(each, ("a", "b", "c", "d"))["round"] == name


@differs("hundredth_parliament_ends")
def test_70_the_hundredth_parliament(switches: dict[str, object]) -> None:
    """§10.0: no rule ends the game then, but 18xx.games does (differences 70)."""
    s = parliament(table(cash=[500, 0, 0, 0], switches=switches))
    s.turn = 100
    play(s, Pass())
    assert (s.name, s.over) == (("PR 100", "hundredth_round") if switches else ("SR 100", ""))


def test_2_3_a_subsidy_can_break_the_bank() -> None:
    """§10.2: money that leaves the bank as a subsidy is noticed like any other."""
    s = table("N&E 90 5*,0,0,0 trains=2L at=B13 permits=local", tiles="B13:57:0 B11:8852:0 B9:790:0")
    s.cash[1] += s.bank
    operating(s, "N&E", "run")
    events = play(s, Run("best"))
    assert s.companies["N&E"].cash > 0
    assert s.broken
    assert of_kind(events, BankBroke)


def test_7_12_companies_at_nothing_go_bankrupt_one_after_the_other() -> None:
    s = stock(table("N&E 90 5*,0,0,0\nWStI 90 0,5*,0,0\nENR 90 0,0,5*,0"))
    s.companies["N&E"].cell = s.companies["ENR"].cell = 0
    events: list[Event] = []
    assert [companies.settle_bankruptcies(s, events.append) for _ in range(3)] == [True, True, False]
    assert {event.company for event in of_kind(events, WentBankrupt)} == {"N&E", "ENR"}


def test_2_3_every_payment_of_the_bank_is_watched() -> None:
    """§10.2: nothing but ``companies.pay`` gives a player or a company money that is not another's."""
    gifts = {"steps/trains.py": 1, "steps/shares.py": 2, "companies.py": 2, "share_merge.py": 1}
    folder = Path(companies.__file__).parent
    found = {
        path.relative_to(folder).as_posix(): count
        for path in folder.rglob("*.py")
        if (count := len(re.findall(r"\bcash(?:\[\w+\])? \+=", path.read_text(encoding="utf-8"))))
    }
    assert found == gifts, "from purse to purse: a train, a share, a company's start, a joint treasury"
