"""What a replay writes beside its result: states, what is legal and runs, in the form of 18xx.games."""

import itertools

import pytest

from engine.game import Game
from engine.interop.exchange import RUN, TraceWish, export_game, import_log, trace_game
from engine.interop.g1860 import trace as trace_1860
from engine.interop.g1862 import trace as trace_1862
from engine.titles.g1862.state import COMPANY, Merging
from tests.engine.titles.g1860 import positions as of_1860
from tests.engine.titles.g1862 import positions as of_1862
from tests.playthroughs.record import read
from tests.support.sure import as_a

Row = tuple[str, int, int]
"""Director, cash and treasury of a company."""
ISLE = "cash 500 300\nIOW 4* 2 | pool 1 | par 82 at 90 | 20cc | 2+1\nC&N . 2* | par 74 at 74 | 5cc"
COUNTIES = """N&E 90 5*,1,0,0 trains=2F at=B13 cash=100 treasury=1
WStI 90 0,5*,1,0 trains=2F at=B5,B13 cash=30
ENR 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0"""


def test_a_position_of_1860() -> None:
    s = of_1860.operating(ISLE, "IOW", "dividend", revenue=100)
    s.privates["RPSC"] = 1
    shown = trace_1860.dump_state(s, "ab")
    assert {name: shown[name] for name in ("round", "phase", "order", "bank", "tiles")} == {
        "round": "OR 2.1", "phase": "2", "order": ["IOW", "C&N"], "bank": 10_000 - 800, "tiles": {"J4": ["5", 1]},
    }  # fmt: skip
    assert shown["players"] == {
        "a": {"cash": 500, "shares": {"IOW": 40}, "privates": []},
        "b": {"cash": 300, "shares": {"IOW": 20, "C&N": 20}, "privates": ["RPSC"]},
    }
    assert shown["companies"] == {
        "IOW": {
            "cash": 20, "price": 90, "par": 82, "director": "a", "receivership": False, "floated": True,
            "trains": ["2+1"], "tokens": [["I3", 0]], "ipo": 30, "pool": 10, "treasury": 0,
        },
        "C&N": {
            "cash": 5, "price": 74, "par": 74, "director": "b", "receivership": False, "floated": True,
            "trains": [], "tokens": [["F2", 0]], "ipo": 80, "pool": 0, "treasury": 0,
        },
    }  # fmt: skip
    assert trace_1860.list_options(s, 0) == {"dividend": {"payout": 100, "withhold": 82}}


def test_legal_actions_of_a_stock_round_of_1860() -> None:
    """Shares (%), with what they cost or bring; a company without a train sells at half."""
    s = of_1860.table(ISLE.replace("2+1", "2+1 3+2"), number=2)
    menu = trace_1860.list_options(s, 0)
    assert menu["buy"] == [["C&N", "ipo", 10, 74], ["IOW", "ipo", 10, 82], ["IOW", "pool", 10, 90]]
    assert menu["sell"] == [["IOW", 10 * count, 90 * count] for count in range(1, 5)]
    assert as_a(dict, menu["par"])["S&C"] == [54, 58, 62]
    assert "IOW" not in as_a(dict, menu["par"]), "it is started"


def test_a_position_of_1862() -> None:
    """An obligation stands among the privates; who has no marker has none."""
    s = of_1862.operating(of_1862.table(COUNTIES), "N&E", "dividend")
    s.operating.revenue = 100
    s.companies["WStI"].london = "B15"
    shown = trace_1862.dump_state(s, "abcd")
    assert {name: shown[name] for name in ("round", "phase", "order", "bank", "tiles")} == {
        "round": "OR 1.1", "phase": "A", "order": ["N&E", "WStI"], "bank": 15_000 - 4_130, "tiles": {},
    }  # fmt: skip
    assert shown["players"] == {
        "a": {"cash": 1000, "shares": {"N&E": 50, "ENR": 30}, "privates": ["ENR"]},
        "b": {"cash": 1000, "shares": {"N&E": 10, "WStI": 50}, "privates": []},
        "c": {"cash": 1000, "shares": {"WStI": 10}, "privates": []},
        "d": {"cash": 1000, "shares": {}, "privates": []},
    }
    assert shown["companies"] == {
        "N&E": {
            "cash": 100, "price": 90, "par": 90, "director": "a", "receivership": False, "floated": True,
            "trains": ["2F"], "tokens": [["B13", 0]], "ipo": 0, "pool": 30, "treasury": 10,
        },
        "WStI": {
            "cash": 30, "price": 90, "par": 90, "director": "b", "receivership": False, "floated": True,
            "trains": ["2F"], "tokens": [["B13", 0], ["B15", 3], ["B5", 0]], "ipo": 0, "pool": 40, "treasury": 0,
        },
        "ENR": {
            "cash": 0, "price": 54, "par": 54, "director": "a", "receivership": False, "floated": False,
            "trains": [], "tokens": [], "ipo": 70, "pool": 0, "treasury": 0,
        },
    }  # fmt: skip
    assert trace_1862.list_options(s, 0) == {"dividend": {"payout": 100, "withhold": 82}}


@pytest.mark.parametrize(
    ("survivor", "other", "holder", "moved", "order", "of_active", "of_partner"),
    [
        ("N&E", "WStI", 0, False, "ECR N&E ENR WStI", ("d", 100, 10), ("c", 30, 0)),
        ("N&E", "WStI", COMPANY, False, "ECR N&E ENR WStI", ("d", 130, 10), ("c", 0, 0)),
        ("WStI", "N&E", COMPANY, False, "ECR N&E ENR WStI", ("d", 130, 10), ("c", 0, 0)),
        ("N&E", "WStI", COMPANY, True, "ECR N&E ENR", ("a", 100, 10), ("c", 30, 20)),
        ("WStI", "N&E", COMPANY, True, "ECR WStI ENR", ("d", 100, 10), ("b", 30, 20)),
        ("N&E", "", COMPANY, False, "ECR N&E ENR WStI", ("d", 100, 10), ("b", 30, 20)),
    ],
)
def test_52_while_shares_are_merged_the_site_keeps_the_old_directors_and_one_treasury_for_both(
    survivor: str, other: str, holder: int, *, moved: bool, order: str, of_active: Row, of_partner: Row
) -> None:
    """Where markers are removed the survivor has the turn, and the company that is gone none any more."""
    s = of_1862.operating(of_1862.table(COUNTIES), "N&E", "merge")
    s.operating.order, s.operating.index = ["ECR", "N&E", "ENR", "WStI"], 1
    s.operating.merging = Merging(survivor, other, "merge", 0, 90, [], holder, moved=moved)
    s.companies["N&E"].former, s.companies["WStI"].former, s.companies["WStI"].treasury = 3, 2, 2
    shown = trace_1862.dump_state(s, "abcd")
    assert shown["order"] == order.split()
    companies = as_a(dict, shown["companies"])
    told = [tuple(companies[code][name] for name in ("director", "cash", "treasury")) for code in ("N&E", "WStI")]
    assert told == [of_active, of_partner]


def test_legal_actions_of_a_stock_round_of_1862() -> None:
    menu = trace_1862.list_options(of_1862.stock(of_1862.table(COUNTIES)), 0)
    assert menu["buy"] == [
        ["ENR", "ipo", 10, 54],
        ["N&E", "pool", 10, 90],
        ["N&E", "treasury", 10, 90],
        ["WStI", "pool", 10, 90],
    ]
    others = [["N&E", 10 * count, 90 * count] for count in range(1, 6)]
    assert menu["sell"] == [["ENR", 30, 3 * 27], *others], "of a company without a train, at half"


@pytest.mark.parametrize("name", ["1860-2", "1862-2"])
def test_the_runs_of_a_game_and_the_best_there_was(name: str) -> None:
    """A run never earns more than the best there is; how long the search took is told in milliseconds."""
    kept = read(name)
    said = kept.read_log()
    game = Game.replay(kept.setup, said[: len(said) // 5])
    ticks = itertools.count()
    steps = list(trace_game(import_log(export_game(game, ["A", "B"])), TraceWish(clock=lambda: next(ticks) / 3)))
    runs = [step for step in steps if (step.after or {}).get("type") == RUN]
    assert runs
    for step in runs:
        after, run = step.after or {}, step.run
        if run is None:
            assert after["run"] == {"revenue": 0, "subsidy": 0}
            continue
        earned, best = as_a(dict, run["earned"]), as_a(dict, run["best"])
        assert earned == after["run"]
        assert earned["revenue"] <= best["revenue"]
        assert (run["index"], run["ms"]) == (step.index, 333.333)
        assert run["company"] in as_a(list, after["order"])
    assert any(step.run for step in runs)
    assert all("run" not in (step.after or {}) for step in steps if step not in runs)


def test_a_trace_has_only_the_requested_parts() -> None:
    kept = read("1860-2")
    file = import_log(export_game(Game.replay(kept.setup, kept.read_log()[:9]), ["A", "B"]))
    for wish, told in ((TraceWish(states=False), ()), (TraceWish(states=False, options=True), ("before",))):
        for step in trace_game(file, wish):
            assert [name for name in ("before", "after", "run") if getattr(step, name) is not None] == [*told]


def test_markers_that_may_be_placed_are_reported_by_hex_and_city() -> None:
    """A hex of 1862 has one city, the boxes of London are cities of their own."""
    line = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
    s = of_1862.operating(of_1862.table(COUNTIES, tiles=line), "N&E", "token")
    s.companies["N&E"].unplaced = 3
    tokens = as_a(list, trace_1862.list_options(s, 0)["tokens"])
    assert ["B5", 0] in tokens or ["B9", 0] in tokens
    assert {city for _, city in tokens} <= {0, 3, 4}
