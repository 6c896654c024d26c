"""The End of the Game, with the scores; the first edition in short."""

import pytest

from engine.errors import RuleError
from engine.finance.events import BankBroke, GameEnded
from engine.finance.rounds import EndGame, Pass
from engine.setup import Setup
from engine.title import Ask, Request
from engine.titles.g1860 import TITLE, worth
from engine.titles.g1860.actions import Dividend, Sell
from engine.titles.g1860.state import State, TurnStep
from engine.view import Sheet, View
from tests.engine.titles.g1860.positions import begin_operating, catch_refusal, of_kind, operating, play, settle, table
from tests.support.sure import sure

PAIR = "IOW 5* 2 | at {} | 9cc | 2+1\nC&N . 5* | at 90 | 9cc | 2+1"


def test_a_price_of_340_ends_the_game_with_the_round() -> None:
    """When the game ends: at the end of the current OR, not of the set; the rest of the round is played."""
    s = operating("cash 90 0\n" + PAIR.format(330), "IOW", "dividend", revenue=350, rounds=(1, 3))
    told = play(s, Dividend("pay"))
    assert not s.over
    assert s.operating.code == "C&N"
    while not s.over:
        told += play(s, Pass())
    assert of_kind(told, GameEnded) == [GameEnded("stock_market")]
    assert s.operating.number == 1


def test_the_bank_runs_out_in_an_operating_round() -> None:
    """When the game ends: the game ends at the end of that OR; every payment is made in full."""
    s = operating("cash 9900 90\n" + PAIR.format(90), "IOW", "dividend", revenue=80, rounds=(1, 3))
    told = play(s, Dividend("pay"))
    assert of_kind(told, BankBroke)
    assert s.cash == [9940, 106]
    while not s.over:
        told += play(s, Pass())
    assert s.over == "bank"
    assert s.operating.number == 1


def test_the_bank_runs_out_in_a_stock_round() -> None:
    """When the game ends: the end of the next OR."""
    s = table("cash 9900 90\n" + PAIR.format(90), turn=1, phase="3")
    told = play(s, Sell("IOW", 1))
    assert of_kind(told, BankBroke)
    assert not s.over
    while not s.over:
        told += play(s, Pass())
    assert s.name == "OR 2.1"
    assert s.over == "bank"


@pytest.mark.parametrize(("cash", "broken"), [(9900, False), (9901, True)])
def test_running_out_means_below_zero(cash: int, broken: bool) -> None:
    """The bank runs out: 60-50: money of players above 10,000; company credits never matter."""
    s = operating(f"cash {cash} 0\n" + PAIR.format(90), "IOW", "dividend", revenue=140)
    s.companies["IOW"].cash = 90_000
    s.cash[1] = 10_000 - 98 - 9900
    play(s, Dividend("pay"))
    assert s.broken is broken


def test_private_income_can_break_the_bank() -> None:
    """When the game ends: so does the income of privates in the rulebook's game; 18xx.games does not look then."""
    for profile, broken in (("rulebook", True), ("18xx.games", False)):
        s = table(
            "cash 9980 0\nprivates RPSC 0\nIOW 5* 2 | at 90 | 9cc | 2+1", options={"profile": profile}, tiles="J4 5/1"
        )
        begin_operating(s)
        assert s.broken is broken


def test_the_score() -> None:
    """Scoring; The goal: cash, open privates at face, shares at market, half of it without a train; no credits."""
    s = table(
        "cash 100 7\nprivates RPSC 0 BHC bank\nIOW 5* 2 | at 95 | 900cc | 2+1\nC&N 3* 3 | at 95 | 900cc\n"
        "FYN 2* 1 | par 62 | new\nS&C | bankrupt"
    )
    s.over = "bank"
    result = sure(TITLE.result(s))
    assert dict(result.scores[0].parts) == {"cash": 100, "privates": 130, "shares": 475 + 3 * 47 + 2 * 31}
    assert dict(result.scores[1].parts) == {"cash": 7, "privates": 0, "shares": 190 + 3 * 47 + 31}
    assert result.winners == (0,)
    assert [score.total for score in result.scores] == [908, 369]


def test_rounding_on_the_site() -> None:
    """Scoring: 18xx.games halves each certificate: the director's two shares are worth a whole one."""
    s = table("cash 0 0\nC&N 3* 3 | at 95", options={"profile": "18xx.games"})
    assert worth.find_holding_worth(s, s.companies["C&N"], 0) == 95 + 47
    assert worth.find_holding_worth(s, s.companies["C&N"], 1) == 3 * 47


def test_equal_scores_share_the_win() -> None:
    """Scoring: ties are unspecified: all who have the most win."""
    s = table("cash 100 100 90\nIOW 3* 3 3 | at 95 | 2+1")
    s.over = "bank"
    assert sure(TITLE.result(s)).winners == (0, 1)


def test_no_result_before_the_end() -> None:
    """Scoring: scores stand only when the game is over."""
    assert TITLE.result(table("cash 100 100")) is None


def test_no_one_acts_after_the_end() -> None:
    """When the game ends: the game is over."""
    s = table("cash 100 100\nIOW 3* 3 | at 95 | 2+1")
    play(s, EndGame())
    assert TITLE.actors(s) == ()
    assert s.over == "manually_ended"
    assert settle(s) == []
    with pytest.raises(RuleError):
        TITLE.check(s, 0, Pass())


TREASURIES = "cash 9 9 9\nIOW 5* 1 . | at 90 | {} | 2+1\nC&N . 5* 1 | at 50 | 7cc | 2+1"


def looks(s: State, seat: int | None) -> list[View | Ask]:
    """Return all that a seat may see of a position."""
    pictures = [(picture.name, value) for picture in TITLE.views.pictures for value in ("", *_about(s, picture.about))]
    seen = []
    for name, about in pictures:
        if name in ("company", "player") and not about:
            continue
        seen.append(TITLE.views.look(s, Request(name, seat, about)))
    return [*seen, TITLE.words.ask(s)]


def _about(s: State, about: str) -> list[str]:
    return [value for value, _ in TITLE.views.subjects(s, about)] if about else []


@pytest.mark.parametrize("step", ["track", "run", "train"])
def test_hidden_treasuries(step: TurnStep) -> None:
    """Secrets: a shareholder may see the treasury, others may not; whoever looks without a share sees no change."""
    hidden = {"treasuries": "hidden"}
    few, many = (operating(TREASURIES.format(cash), "IOW", step, options=hidden) for cash in ("600cc", "610cc"))
    assert looks(few, 2) == looks(many, 2)
    assert looks(few, None) == looks(many, None)
    assert looks(few, 0) != looks(many, 0)
    assert looks(few, 1) != looks(many, 1)
    openly = [operating(TREASURIES.format(cash), "IOW", step) for cash in ("600cc", "610cc")]
    assert looks(openly[0], 2) != looks(openly[1], 2), "open treasuries"


@pytest.mark.parametrize("line", ["IOW 1 . . | pool 2* | at 90 | {} | 2+1", "IOW | bankrupt | {}"])
def test_treasuries_without_a_director_are_open(line: str) -> None:
    """Secrets: receivership and bankrupt companies must show theirs."""
    s = table("cash 9 9 9\n" + line.format("600cc"), options={"treasuries": "hidden"})
    sheet = TITLE.views.look(s, Request("company", 2, "IOW"))
    assert "600cc" in sheet.alt


def test_player_cash_is_open() -> None:
    """Secrets: players reveal their cash."""
    s = table("cash 123 9 9", options={"treasuries": "hidden"})
    assert "£123" in TITLE.views.look(s, Request("player", None, "0")).alt


def test_the_sheet_of_a_player_says_why_shares_count_half() -> None:
    """Scoring: of a company without a train; one that has a train counts in full, without a word."""
    without = TITLE.views.look(table("cash 9 9\nIOW 5* . | at 90 | 600cc"), Request("player", None, "0"))
    assert isinstance(without, Sheet)
    assert any(note.startswith("IOW: no train") for note in without.notes)
    owner = TITLE.views.look(table("cash 9 9\nIOW 5* . | at 90 | 600cc | 2+1"), Request("player", None, "0"))
    assert isinstance(owner, Sheet)
    assert len(owner.notes) == 1


def test_nothing_passes_between_players() -> None:
    """Deals: no action moves money, shares or privates from player to player."""
    verbs = {kind.verb for kind in TITLE.actions}
    assert verbs <= {
        "bid", "pass", "start", "buy", "sell", "exchange", "close", "tile", "token", "run", "dividend", "train",
        "answer", "counter", "cancel", "discard", "",
    }  # fmt: skip


def test_the_first_edition_has_one_map() -> None:
    """First edition: the map: the original one; asking for the other is refused (Options that exclude each other)."""
    s = TITLE.deal(Setup("1860", 2, {"edition": "first"}))
    assert s.board.map.name == "original"
    with pytest.raises(RuleError) as refusal:
        TITLE.deal(Setup("1860", 2, {"edition": "first", "map": "extended"}))
    assert refusal.value.rule.section == "The Map"


def test_the_first_edition_does_not_skip_towns() -> None:
    """First edition: small stations: small stations may not be skipped, halts may."""
    assert not TITLE.deal(Setup("1860", 2, {"edition": "first"})).rules.skip_towns
    assert TITLE.deal(Setup("1860", 2)).rules.skip_towns


def test_the_first_edition_leases_alike() -> None:
    """First edition: the rest: the same lease, 40 and 20 a stop."""
    assert TITLE.deal(Setup("1860", 2, {"edition": "first"})).rules.insolvency == "standard"


@pytest.mark.parametrize("variant", ["variable_privates", "accelerated_track", "original_game"])
@pytest.mark.parametrize("edition", ["first", "second"])
def test_variants_go_with_either_edition(variant: str, edition: str) -> None:
    """Variants by edition: some are printed in one edition only; each is allowed with either."""
    assert TITLE.deal(Setup("1860", 2, {"edition": edition, variant: "on"}))


def test_the_limit_row_of_the_player_aid() -> None:
    """First edition: train limit in the aid: 60-48: two trains from phase 6 on, as in the phase table."""
    s = table("cash 0 0", phase="6")
    assert s.train_limit == 2
    assert table("cash 0 0", phase="5").train_limit == 3


def test_agreement_ends_the_game_where_it_stands() -> None:
    """Deals: the table may end it; the scores stand."""
    s = table("cash 100 50\nIOW 3* 3 | at 95 | 2+1")
    catch_refusal(s, Sell("IOW", 9))
    play(s, EndGame())
    assert [score.total for score in sure(TITLE.result(s)).scores] == [385, 335]


def test_the_top_of_the_market_is_the_reason_if_the_bank_breaks_too() -> None:
    """When the game ends: both end the game with the same round; the price is named, as 18xx.games does."""
    s = operating("cash 9900 90\n" + PAIR.format(330), "IOW", "dividend", revenue=350, rounds=(1, 3))
    told = play(s, Dividend("pay"))
    assert of_kind(told, BankBroke)
    assert s.topped
    while not s.over:
        told += play(s, Pass())
    assert of_kind(told, GameEnded) == [GameEnded("stock_market")]
