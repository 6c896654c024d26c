"""Formation of the Southern Railway; Railway Nationalisation, and the creation of British Rail."""

import pytest

from engine import Event
from engine.errors import RuleError
from engine.finance.events import BankBroke, DividendPaid, GameEnded, PriceMoved, RoundBegun, TrainsRan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1860 import TITLE, companies, worth
from engine.titles.g1860.actions import BuyTrain, Dividend, PlaceBase, Run
from engine.titles.g1860.events import CompanyClosed, Nationalised, PrivatesPaid, SouthernFormed, TrackStopped
from tests.engine.titles.g1860.positions import (
    ROUTE,
    Fields,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    settle,
    table,
)

LAST = {"9+5": -1}
SOUTH: Fields = {"formed": True, "stopped": True, "phase": "9", "depot": LAST}
BRITISH: Fields = {**SOUTH, "nationalised": True}


def closing(*earned: int, dead: int = 0) -> tuple[bool, list[str]]:
    """End a nationalised round in which companies earned so much; return the state and the codes closed."""
    codes = ["C&N", "IOW", "IWNJ", "FYN", "NGStL", "BHI&R", "S&C", "VYSC"][: len(earned)]
    lines = "\n".join(f"{code} 5* | at 90 | 9+5" for code in codes)
    s = operating("cash 0 0\n" + lines, codes[-1], "", **BRITISH)
    for code in codes[:dead]:
        s.companies[code].closed = True
    s.operating.earned = {code: revenue for code, revenue in zip(codes, earned, strict=True) if revenue}
    told: list[Event] = []
    ended = companies.close_lowest_earners(s, told.append)
    return ended, [event.company for event in of_kind(told, CompanyClosed)]


def test_the_first_9_5_forms_the_southern() -> None:
    """The Southern Railway; Phases: track and bases go on to the end of the current set."""
    s = operating(
        "cash 500 0\nIOW 5* | at 90 | 1000cc\nC&N . 5* | at 82 | 500cc | 8+4", "IOW", "train",
        phase="8", depot=LAST, rounds=(1, 3),
    )  # fmt: skip
    told = play(s, BuyTrain("9+5", "bank", 800))
    assert of_kind(told, SouthernFormed)
    assert (s.formed, s.stopped) == (True, False)
    play(s, *[Pass()] * (s.operating.code == "IOW"))
    assert s.operating.code == "C&N"
    assert legal(s, LayTile)


def test_from_the_next_stock_round_nothing_is_built() -> None:
    """Building stops; Game Overview; Phases: no tiles, no upgrades, no bases from the next SR on."""
    s = operating(
        "cash 500 0\nIOW 5* | at 90 | 0cc\nC&N . 5* | at 82 | 9cc", "C&N", "end",
        phase="9", depot=LAST, formed=True,
    )  # fmt: skip
    told = settle(s)
    assert of_kind(told, TrackStopped)
    assert s.stopped
    told = begin_operating(s)
    assert not of_kind(told, TrackStopped)
    s = table("cash 0 0\nIOW 5* | at 90 | 900cc | 9+5", tiles=ROUTE, **SOUTH)
    begin_operating(s)
    assert s.operating.step == "run"
    assert catch_refusal(s, LayTile("I5", "742", 2)).sentence
    assert catch_refusal(s, PlaceBase("J4", 0)).sentence


def test_halts_count_no_more() -> None:
    """Building stops: they earn nothing, take no allowance, and count nothing in leases; they may be passed."""
    tiles = "J4 57/2, F2 787/0, F4 742/3"
    text = "cash 0 0\nC&N 5* | at 90 | 0cc | 9+5"
    before = operating(text, "C&N", "run", tiles=tiles, phase="9", depot=LAST, formed=True)
    play(before, Run("best"))
    assert before.operating.subsidy > 0
    after = operating(text, "C&N", "run", tiles=tiles, **SOUTH)
    play(after, Run("best"))
    assert (after.operating.subsidy, after.operating.revenue) == (0, before.operating.revenue)


@pytest.mark.parametrize(
    ("line", "options", "nationalised"),
    [
        ("C&N . 5* | at 82 | 9+5", {}, True),
        ("C&N . 5* | at 82", {}, False),
        ("C&N 1 . | pool 2* | at 82", {}, True),
        ("C&N | bankrupt", {}, True),
        ("C&N . 2* | par 82 | new", {}, False),
        ("C&N . 2* | par 82 | new", {"waiting_companies": "ignore"}, True),
        ("C&N . 2* | par 82 | bankrupt | 9+5", {}, True),
    ],
)
def test_every_company_with_a_director_has_a_train(line: str, options: dict[str, str], nationalised: bool) -> None:
    """The test for nationalisation; Phases; The End of the Game.

    60-49: Checked at the end of each SR and OR; receivership and bankruptcy do not hold it up.
    """
    south: Fields = {**SOUTH, "options": options}
    s = table(f"cash 0 0\nIOW 5* | at 90 | 0cc | 9+5\n{line}", **south)
    companies.nationalise_if_due(s, lambda _: None)
    assert s.nationalised is nationalised


def test_no_check_before_the_southern_nor_during_rounds() -> None:
    """The test for nationalisation: only after the first 9+5, only at the end of a round."""
    s = table("cash 500 0\nIOW 5* | at 90 | 9cc | 8+4", phase="8", depot={"8+4": 0, "9+5": -1})
    companies.nationalise_if_due(s, lambda _: None)
    assert not s.nationalised
    s = operating(
        "cash 500 0\nIOW 5* | at 90 | 1000cc\nC&N . 5* | at 82 | 500cc | 8+4", "IOW", "train",
        phase="9", depot=LAST, formed=True,
    )  # fmt: skip
    told = play(s, BuyTrain("9+5", "bank", 800))
    assert not of_kind(told, Nationalised)
    assert not s.nationalised


def test_the_check_at_the_end_of_a_stock_round() -> None:
    """The test for nationalisation; British Rail: then the next OR is the first of British Rail."""
    s = table("cash 500 0\nIOW 5* . | at 90 | 0cc | 9+5\nC&N . 5* | at 82 | 0cc | 9+5", **SOUTH)
    told = play(s, *[Pass()] * 2)
    assert of_kind(told, Nationalised)
    assert s.nationalised


def test_only_operating_rounds_follow() -> None:
    """British Rail: no SR, numbering goes on, no set limit; the bank is endless."""
    s = operating(
        "cash 9990 0\nIOW 5* | at 90 | 9cc | 9+5\nC&N . 5* | at 82 | 9cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5",
        "FYN", "end",
        phase="9", depot=LAST, formed=True, rounds=(3, 3), tiles="J4 5/1, F2 787/0, B4 115/5",
    )  # fmt: skip
    told = settle(s)
    assert of_kind(told, Nationalised)
    assert of_kind(told, RoundBegun)[0] == RoundBegun("OR 2.4")
    assert all(event.name.startswith("OR") for event in of_kind(told, RoundBegun))
    assert s.bank < 0, "dividends have been paid beyond its last pound"
    assert of_kind(told, GameEnded) == [GameEnded("nationalization")]
    assert not of_kind(told, BankBroke)


def test_a_nationalised_round_runs_automatically() -> None:
    """Nationalised rounds; The maximum; Closing; The End of the Game.

    Privates pay, the maximum is run and paid out, prices move; no choice is left. The last one left runs once more.
    """
    s = table(
        "cash 0 0\nprivates RPSC 0\nIOW 5* 5 | at 90 | 9cc | 9+5\n"
        "C&N 5* | at 26 | 9cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5",
        tiles="J4 5/1, F2 787/0, B4 115/5", **BRITISH,
    )  # fmt: skip
    told = begin_operating(s)
    assert of_kind(told, PrivatesPaid)
    assert [event.company for event in of_kind(told, TrainsRan)] == ["IOW", "C&N", "IOW"]
    assert DividendPaid("IOW", 50, (25, 25)) in told
    assert PriceMoved("C&N", 26, 36) in told
    assert s.over == "nationalization"


def test_the_first_number_counts_all_stops() -> None:
    """Nationalised rounds: towns and cities together; no halts."""
    tiles = "J4 6/0, J6 746/0"
    text = "cash 0 0\nIOW 5* | at 90 | 9cc | 2+1\nC&N 5* | at 82 | 9+5\nFYN 5* | at 62 | 9+5"
    s = operating(text, "IOW", "run", tiles=tiles, **BRITISH)
    with pytest.raises(RuleError, match="can count only 2 stops; this run counts 3"):
        TITLE.check(s, 0, Run("2+1 I3-J4-J6"))


def test_less_than_the_maximum_is_refused() -> None:
    """The maximum: the director calculates the maximum; he may not run less to close a company early."""
    s = table(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 9+5\nC&N 5* | at 82 | 9+5\nFYN 5* | at 62 | 9+5",
        tiles="J4 6/0, J6 746/0", **BRITISH,
    )  # fmt: skip
    told = begin_operating(s)
    (ran,) = of_kind(told, TrainsRan)
    assert (ran.company, ran.revenue) == ("IOW", 60), "Esplanade 30, Ryde 20, Brading 10: never less"


def test_receivership_pays_nothing_after_nationalisation() -> None:
    """Nationalised rounds: no run, revenue 0, the price falls; it closes first."""
    s = table(
        "cash 0 0\nIOW 1 . | pool 2* | at 90 | 9cc | 9+5\nC&N 5* | at 82 | 9cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5\n"
        "S&C 5* | at 54 | 9cc | 9+5",
        tiles="J4 5/1, F2 787/0, B4 115/5, F12 6/2", **BRITISH,
    )  # fmt: skip
    told = begin_operating(s)
    assert not [event for event in of_kind(told, TrainsRan) if event.company == "IOW"]
    assert CompanyClosed("IOW", 0) in told
    assert s.companies["IOW"].price < 90


def test_trains_from_the_bank_only() -> None:
    """Nationalised rounds: no trades after nationalisation."""
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 9+5\nC&N 5* | at 82 | 9cc | 9+5 8+4\nFYN 5* | at 62 | 9cc | 9+5", "IOW",
        "train", **BRITISH,
    )  # fmt: skip
    assert catch_refusal(s, BuyTrain("8+4", "C&N", 50)).rule.section in (
        "Buying Trains",
        "Railway Nationalisation, and the creation of British Rail",
    )
    assert legal(s, BuyTrain) == [BuyTrain("9+5", "bank", 800)]


def test_building_has_stopped_without_a_stock_round_in_between() -> None:
    """Nationalised rounds: no track and no bases from the first nationalisation OR on; the site never stops it then."""
    for profile, stopped in (("rulebook", True), ("18xx.games", False)):
        s = table("cash 0 0\nIOW 5* | at 90 | 9+5", formed=True, phase="9", depot=LAST, options={"profile": profile})
        companies.nationalise_if_due(s, lambda _: None)
        assert s.stopped is stopped


@pytest.mark.parametrize(
    ("earned", "closed"),
    [
        ((10, 20, 30, 40), ["C&N", "IOW"]),
        ((10, 20, 20, 40), ["C&N", "IOW", "IWNJ"]),
        ((10, 10, 20, 20), ["C&N", "IOW"]),
        ((10, 10, 10, 40), ["C&N", "IOW", "IWNJ"]),
        ((0, 0, 0, 40), ["C&N", "IOW", "IWNJ"]),
        ((0, 20, 30, 40, 50), ["C&N", "IOW"]),
        ((10, 20, 30), ["C&N", "IOW"]),
    ],
)
def test_the_lowest_payers_close(earned: tuple[int, ...], closed: list[str]) -> None:
    """Closing; Game Overview; Phases; The End of the Game.

    All with the lowest amount; if that is one, all with the next lowest too.
    """
    ended, codes = closing(*earned)
    assert codes == closed
    assert not ended


@pytest.mark.parametrize("earned", [(40, 50), (40,), (10, 10, 10), (10, 20, 20), (0, 0, 0, 0)])
def test_the_last_ones_close_and_the_game_ends(earned: tuple[int, ...]) -> None:
    """Closing; The End of the Game: two or fewer left, or a tie that leaves none: the game ends at once."""
    ended, codes = closing(*earned)
    assert ended
    assert len(codes) == len(earned)


def test_only_companies_still_open_take_part() -> None:
    """Closing: closed ones are out."""
    ended, codes = closing(0, 0, 30, 40, 50, dead=2)
    assert codes == ["IWNJ", "FYN"]
    assert not ended


def test_closing_begins_with_the_first_full_round() -> None:
    """Closing: an OR that ends with the trigger closes no one yet."""
    s = operating(
        "cash 500 0\nIOW 5* | at 90 | 900cc | 9+5\nC&N . 5* | at 82 | 9cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5",
        "FYN", "end",
        phase="9", depot=LAST, formed=True, rounds=(1, 3), tiles="J4 5/1, F2 787/0, B4 115/5",
    )  # fmt: skip
    told = settle(s)
    assert of_kind(told, Nationalised)
    assert not of_kind(told, CompanyClosed), "IOW is asked about trains before its first full round ends"
    assert s.operating.code == "IOW"


def test_closed_companies_keep_their_price() -> None:
    """Closed companies: they pay no more, do not operate, and score at full price."""
    s = table(
        "cash 0 0\nIOW 5* | at 90 | 9cc | 9+5 | closed\nC&N 5* | at 82 | 900cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5",
        tiles="J4 5/1, F2 787/0, B4 115/5", **BRITISH,
    )  # fmt: skip
    begin_operating(s)
    assert "IOW" not in s.operating.order
    assert worth.find_holding_worth(s, s.companies["IOW"], 0) == 450


def test_340_ends_the_game_after_nationalisation_too() -> None:
    """340 after nationalisation: at the end of that OR, before anybody closes."""
    topped: Fields = {**BRITISH, "topped": True}
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 9cc | 9+5\nC&N 5* | at 82 | 9cc | 9+5\nFYN 5* | at 340 | 9cc | 9+5", "IOW", "end",
        **topped,
    )  # fmt: skip
    s.operating.index = 2
    told = settle(s)
    assert of_kind(told, GameEnded) == [GameEnded("stock_market")]
    assert not of_kind(told, CompanyClosed)


def test_paying_is_no_choice_after_nationalisation() -> None:
    """Nationalised rounds: companies may not retain revenue."""
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 9+5\nC&N 5* | at 82 | 9cc | 9+5\nFYN 5* | at 62 | 9cc | 9+5", "IOW",
        "dividend", revenue=100, **BRITISH,
    )  # fmt: skip
    told = settle(s)
    assert DividendPaid("IOW", 100, (50, 0)) in told
    assert catch_refusal(s, Dividend("keep")).sentence
