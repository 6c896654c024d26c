"""Where 18xx.games plays otherwise than the rulebook and the state differs by it: the rows 1 to 16, side by side.

Row 2 is in ``test_paragraphs_dealing.py``, row 3 in ``test_recorded_game.py``, rows 4, 7 and 15 where their rules are.
"""

import pytest

from engine.errors import RuleError
from engine.finance.events import SharesSold, TrainBought
from engine.finance.state import IPO, POOL
from engine.interop.g1862.reader import Reader
from engine.rails.laying import LayTile
from engine.titles.g1862 import TITLE, ground
from engine.titles.g1862.actions import Answer, Bid, BuyTrain, Dividend, Merge, RaiseMoney, Run, Sell
from engine.titles.g1862.events import (
    CharterFailed,
    DebtLapsed,
    FinePaid,
    HomePlaced,
    RunCorrected,
    SharesReturned,
    SharesSwapped,
)
from engine.titles.g1862.state import Operating
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    differs,
    go_bankrupt,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.support.sure import sure

SITE = {"profile": "18xx.games"}
PROFILES = pytest.mark.parametrize("options", [{}, SITE], ids=["rulebook", "18xx.games"])
TRACK = "B13:57:0 B11:8852:0 B9:790:0"
LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"


@differs("operating_restacks")
@pytest.mark.parametrize("paid", [70, 74])
def test_1_operating_puts_a_marker_under_the_others(switches: dict[str, object], paid: int) -> None:
    """§7.8.5: Differences 1, rule §7.1: on 18xx.games only if the price changes; with £74 it does, in both."""
    s = table("N&E 74 5*,0,0,0 trains=2F at=B13\nWStI 74 5*,0,0,0 trains=2F at=B5", switches=switches)
    operating(s, "N&E", "dividend").operating.revenue = paid
    one, other = s.companies["N&E"], s.companies["WStI"]
    assert one.stamp < other.stamp
    play(s, Dividend("pay"))
    assert (one.price == other.price) is (paid == 70)
    if paid == 70:
        assert min((one, other), key=lambda company: company.stamp).code == ("N&E" if switches else "WStI")


@differs("stated_results_count")
def test_3_a_recorded_result_is_kept_on_18xx_games_alone(switches: dict[str, object]) -> None:
    """Differences 3: the rulebook's profile computes what a run earns."""
    s = operating(
        table(
            "N&E 90 5*,0,0,0 trains=2E at=B13 permits=express", tiles="B13:57:0 B11:8852:0 B9:790:0", switches=switches
        ),
        "N&E",
        "run",
    )
    action = Run("2E B13-B9", (500, 20))
    if switches:
        assert of_kind(play(s.clone(), Run("2E B13-B9", (60, 0))), RunCorrected) == [], "as we reckon it"
        assert of_kind(play(s, action), RunCorrected) == [RunCorrected("N&E", 500, 20, 60, 0)]
        assert (s.operating.revenue, s.operating.subsidy) == (500, 20)
    else:
        with pytest.raises(RuleError, match="Only an imported game"):
            play(s, action)
        play(s, Run("2E B13-B9"))
        assert s.operating.revenue == 60


@pytest.mark.parametrize(("options", "free"), [({}, False), ({"failed_charter": "parliament"}, True), (SITE, True)])
def test_5_when_a_failed_company_is_free_again(options: dict[str, str], free: bool) -> None:
    """Differences 5: after the next Parliament; on 18xx.games, and by an option of ours, in it."""
    s = stock(table("N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0", options=options))
    s.stock.passes = 4
    settle(s)
    assert not s.companies["N&E"].started
    assert (Bid("N&E", 0) in legal(parliament(s, 1))) is free


@PROFILES
def test_6_a_share_without_a_train_sells_for_half_rounded_down(options: dict[str, str]) -> None:
    """Differences 6: in both."""
    s = stock(table("N&E 95 2,5*,0,0", options=options))
    play(s, Sell("N&E", 2))
    assert s.cash[0] == 1000 + 2 * 47


def test_6_the_site_pays_all_where_its_log_does_not_say_half() -> None:
    """Differences 6: it reads the price of a share from the action; such a log alone can say so."""
    text = "N&E 95 2,5*,0,0"
    s = stock(table(text, options=SITE))
    raw = {"type": "sell_shares", "entity": 1, "entity_type": "player", "shares": ["N&E_1", "N&E_2"], "percent": 20}
    reader = Reader({"1": 0})
    reader.shares.move("N&E", [1, 2], 0)
    (said,) = reader.read(s, raw)
    play(s, said[1])
    assert s.cash[0] == 1000 + 2 * 95
    reader = Reader({"1": 0})
    reader.shares.move("N&E", [1, 2], 0)
    (said,) = reader.read(stock(table(text, options=SITE)), {**raw, "share_price": 47})
    assert said[1] == Sell("N&E", 2)
    assert "imported game" in catch_refusal(stock(table(text)), Sell("N&E", 2, 95)).sentence
    assert "imported game" in catch_refusal(stock(table(text, options=SITE)), Sell("N&E", 2, 94)).sentence
    s = stock(table(text, switches={"stated_prices_count": True}))
    play(s, Sell("N&E", 2, 95))
    assert s.cash[0] == 1000 + 2 * 95


@differs("late_treasury_sales_keep_price")
def test_8_treasury_shares_sold_after_the_lner(switches: dict[str, object]) -> None:
    """Differences 8: they lower the price on 18xx.games only."""
    s = table("N&E 430 5*,0,0,0 treasury=5 cash=600 at=B13", phase="H", lner=True, switches=switches)
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    operating(s, "N&E", "train")
    play(s, RaiseMoney("treasury"))
    assert s.companies["N&E"].price == (400 if switches else 430)


@differs("merger_may_end_game")
def test_9_a_merger_into_the_top(switches: dict[str, object]) -> None:
    """Differences 9: reaching £1000 ends the game; on 18xx.games a merger only sets the price."""
    s = table("N&E 900 6*,0,0,0 trains=2F at=B13\nWStI 900 6*,0,0,0 trains=2F at=B5,B13", tiles=LINE, switches=switches)
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert s.companies["N&E"].price == 1000
    assert s.topped is not bool(switches)


@differs("last_slot_gives_way")
def test_10_a_home_marker_displaces_the_one_placed_last(switches: dict[str, object]) -> None:
    """Differences 10: 18xx.games takes the highest slot, the same unless a slot was vacated and filled again."""
    text = "N&E 90 5*,0,0,0 new unplaced=3\nENR 54 5*,0,0,0 at=F3,B13\nWStI 54 5*,0,0,0 at=B5,B13"
    s = table(text, tiles="B13:15:0", phase="B", switches=switches)
    s.round = Operating(0, 1, [])
    events = settle(s)
    assert of_kind(events, HomePlaced)[0].displaced == "WStI"
    assert s.companies["WStI"].unplaced == 1


@differs("last_slot_gives_way")
def test_10_where_a_slot_was_vacated_and_filled_again(switches: dict[str, object]) -> None:
    """Differences 10: the last placed goes by the rulebook, the highest slot on 18xx.games."""
    text = """
        N&E 90 5*,0,0,0 new unplaced=3
        ENR 54 5*,0,0,0 at=F3,B13
        WStI 54 5*,0,0,0 at=B5,B13
        EUR 54 5*,0,0,0 at=E12
    """
    s = table(text, tiles="B13:15:0", phase="B", switches=switches)
    s.companies["ENR"].markers.pop()
    ground.put_marker(s, s.companies["EUR"], "B13")
    s.round = Operating(0, 1, [])
    assert of_kind(settle(s), HomePlaced)[0].displaced == ("WStI" if switches else "EUR")


@differs("last_slot_gives_way")
def test_10_an_upgrade_closes_the_gap(switches: dict[str, object]) -> None:
    """§7.6.3, §7.7.

    Differences 10: WStI lies in the second slot when the tile is upgraded, and in the first one after it there.
    """
    s = table(
        "ENR 54 5*,0,0,0 at=B13\nWStI 54 5*,0,0,0 trains=2F at=B13", tiles="B13:15:0", phase="D", switches=switches
    )
    s.companies["ENR"].markers.clear()
    operating(s, "WStI", "track")
    play(s, next(lay for lay in legal(s, LayTile) if lay.hex == "B13"))
    assert [marker.slot for marker in s.companies["WStI"].markers] == [0 if switches else 1]


@PROFILES
@pytest.mark.parametrize(("cash", "sold", "left"), [(450, 1, 0), (430, 4, 130), (0, 4, 0)])
def test_11_the_sale_for_a_fine(options: dict[str, str], cash: int, sold: int, left: int) -> None:
    """Differences 11: ordinary shares first and only as many as are needed; what is over is kept.

    The rest of the holding is lost, the rest of the debt forgiven; both as on 18xx.games.
    """
    s = stock(table("N&E 100 4*,0,0,0 ipo=6 unfloated chartered obliged=0", cash=[cash, 0, 0, 0], options=options))
    s.stock.passes = 4
    events = settle(s)
    assert of_kind(events, CharterFailed)[0].fine == 500
    assert of_kind(events, SharesSold) == [SharesSold(0, "N&E", sold, 50)]
    assert sum(event.amount for event in of_kind(events, FinePaid)) == min(500, cash + 200)
    assert s.cash[0] == left
    assert sum(event.amount for event in of_kind(events, DebtLapsed)) == (300 if cash == 0 else 0)
    assert s.companies["N&E"].shares[0] == 0


@PROFILES
def test_12_the_trains_of_a_bankrupt_company_leave_the_game(options: dict[str, str]) -> None:
    """Differences 12: 18xx.games still lists them for sale, and the money goes to the dead company."""
    s = table("N&E 90 5*,0,0,0 cash=900 at=B13\nWStI 54 5*,0,0,0 trains=1F at=B5", options=options)
    operating(s, "N&E", "train")
    assert BuyTrain("1F", "WStI") in legal(s)
    card = s.companies["WStI"].trains[0].id
    go_bankrupt(s, "WStI")
    assert s.companies["WStI"].trains == []
    assert (BuyTrain("1F", "WStI") in legal(s)) is bool(options)
    if options:
        told = [TITLE.words.label(s, BuyTrain("1F", "WStI"), parameter) for parameter in ("", "train")]
        assert told == ["Buy the 1F of WStI for £100", "1F freight · from WStI · £100 · no permit to run it"], (
            "a menu tells it as any other"
        )
        s.companies["WStI"].director = POOL
        assert "WStI is in receivership" in catch_refusal(s, BuyTrain("1F", "WStI")).sentence, (
            "started anew, and not floated"
        )
        s.companies["WStI"].director = IPO
        raw = {"type": "buy_train", "entity": "N&E", "entity_type": "corporation", "train": card, "price": 100}
        (said,) = Reader({}).read(s, raw)
        play(s, said[1])
        assert [train.face for train in s.companies["N&E"].trains] == ["1F"]
        assert s.companies["WStI"].cash == 100
        assert {action.seller for action in legal(s, BuyTrain)} == {"bank"}


@differs("receivership_limit_by_type")
def test_13_receivership_in_the_last_phases(switches: dict[str, object]) -> None:
    """Differences 13: three trains are the limit of all types; 18xx.games asks for fewer than three of that type."""
    s = table(
        "N&E 90 2,2,2,0 cash=1500 trains=7F,7F,7F at=B13 permits=freight,express\nWStI 54 0,5*,0,0 trains=7F at=B5",
        phase="H",
        switches=switches,
    )
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    events = settle(operating(s, "N&E", "train"))
    assert [event.train for event in of_kind(events, TrainBought)] == (["6E"] if switches else [])


@PROFILES
@pytest.mark.parametrize(("owns", "face"), [("2E,2E", "2E"), ("2E,2E,2E", "1F")])
def test_14_receivership_with_several_permits(options: dict[str, str], owns: str, face: str) -> None:
    """Differences 14: Express, Freight, Local; the first that is permitted and has room, as 18xx.games has it."""
    s = table(
        f"N&E 90 2,2,2,0 cash=500 trains={owns} at=B13 permits=freight,express,local\nWStI 54 0,5*,0,0 trains=2F at=B5",
        options=options,
    )
    events = settle(operating(s, "N&E", "train"))
    assert [event.train.rstrip("*") for event in of_kind(events, TrainBought)] == [face]


@PROFILES
def test_16_the_survivors_shares_replace_a_certificate_first(options: dict[str, str]) -> None:
    """Differences 16: the pool has two of each; seat 0 gets two of the survivor and one of the other.

    That one goes back as his half, so nothing is left to be swapped; the rulebook leaves it open.
    """
    s = table("N&E 90 3*,3,2,0 trains=2F at=B13\nWStI 90 0,5*,3,0 trains=2F at=B5,B13", tiles=LINE, options=options)
    operating(s, "N&E", "merge")
    events = play(s, Merge("WStI", "N&E"))
    if not options:
        events += play(s, Answer("accept"), seat=1)
    assert sure(s.operating.merging).holder == 0
    assert [(event.company, event.count) for event in of_kind(events, SharesReturned)] == [("WStI", 1)]
    assert of_kind(events, SharesSwapped) == []
    assert s.companies["N&E"].shares[0] == 2
