"""§3.2, §4.1, §4.3: which companies can be proposed, the auctions, the charters, and the fine for a failed one."""

from collections.abc import Mapping
from itertools import product

import pytest

from engine import Action, Event
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.setup import Rng, Setup
from engine.titles.g1862 import TITLE, ground
from engine.titles.g1862.actions import Bid, BuyShare, Sell, Start
from engine.titles.g1862.events import CharterFailed, DebtLapsed, FinePaid
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Parliament, State
from engine.titles.g1862.steps import bidding
from tests.engine.titles.g1862.positions import (
    NO_SWITCHES,
    catch_refusal,
    differs,
    legal,
    of_kind,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.support.sure import as_a


def test_4_1_a_proposal_is_a_multiple_of_five_from_nothing() -> None:
    """§3.2: proposal is a multiple of five from nothing."""
    s = parliament(table())
    assert Bid("N&E", 0) in legal(s)
    assert "multiples" in catch_refusal(s, Bid("N&E", 3)).sentence
    assert "162" in catch_refusal(s, Bid("N&E", 840)).sentence
    play(s, Bid("N&E", 835))


def test_4_1_players_raise_in_turn_and_passing_drops_out() -> None:
    """§3.0, §4.2: players raise in turn and passing drops out."""
    s = parliament(table(seats=3), 1)
    play(s, Bid("N&E", 0))
    assert turn.find_actors(s) == (2,)
    assert "at least £5" in catch_refusal(s, Bid("N&E", 0)).sentence
    assert "being auctioned" in catch_refusal(s, Bid("WStI", 10)).sentence
    assert "multiples" in catch_refusal(s, Bid("N&E", 7)).sentence
    play(s, Bid("N&E", 5), Pass())
    assert turn.find_actors(s) == (1,)
    play(s, Bid("N&E", 10), Pass())
    assert s.parliament.winner == 1
    assert s.cash == [1000, 990, 1000], "only the winner pays"


def test_4_2_the_charter_its_par_and_two_more_shares() -> None:
    """§4.2, §3.1, §2.1, §4.1, §6.5.4, §6.5.4.1, §6.5.4.2.

    A chartered company has ten times its par, and pays £60 for each of three markers.
    """
    s = parliament(table(cash=[600, 0, 0, 0]))
    play(s, Bid("N&E", 5))
    assert legal(s) == [Start("N&E", par) for par in (54, 58, 62, 68, 74, 82, 90, 100)]
    assert "can be £54" in catch_refusal(s, Start("N&E", 56)).sentence
    play(s, Start("N&E", 100))
    company = s.companies["N&E"]
    assert (company.shares[0], company.director, company.ipo, company.obliged) == (3, 0, 7, 0)
    play(s, BuyShare("N&E", "ipo"), BuyShare("N&E", "ipo"))
    assert company.floated
    assert company.obliged == -1
    assert (company.cash, company.unplaced, company.price) == (1000 - 180, 3, 100)
    assert s.cash[0] == 600 - 5 - 500


@differs("parliament_adds_own_company")
def test_4_2_only_shares_of_the_company_just_started_are_added(switches: Mapping[str, object]) -> None:
    """On 18xx.games a standing order can add shares of any company that has started (differences 81)."""
    s = parliament(table("WStI 54 3*,0,0,0 ipo=7", switches=switches))
    play(s, Bid("N&E", 5), Pass(), Pass(), Pass(), Start("N&E", 54))
    other = BuyShare("WStI", "ipo")
    assert other not in legal(s)
    if not switches:
        assert "only buy shares of N&E" in catch_refusal(s, other).sentence
        return
    play(s, other)
    assert s.parliament.lot == "N&E"
    play(s, other)
    assert s.parliament.lot == "", "with five shares of the other company the charter is done"
    assert s.companies["WStI"].shares[0] == 5


def test_4_2_on_18xx_games_money_for_the_other_company_decides_whether_more_is_added() -> None:
    s = parliament(
        table("WStI 54 3*,0,0,0 ipo=7", cash=[5 + 162 + 60, 0, 0, 0], switches={"parliament_adds_own_company": False})
    )
    play(s, Bid("N&E", 5), Start("N&E", 54), BuyShare("WStI", "ipo"))
    assert not isinstance(s.round, Parliament), "no player can do more"


@pytest.mark.parametrize("last", [Pass(), BuyShare("WStI", "ipo")])
def test_4_2_on_18xx_games_the_winner_is_asked_as_long_as_another_company_has_a_share(last: Action) -> None:
    """Differences 81: with money for none of his own shares he can only finish, but a standing order can add more."""
    text = "WStI 54 3*,0,0,0 ipo=7"
    s = parliament(table(text, cash=[5 + 300 + 120, 0, 0, 0], switches={"parliament_adds_own_company": False}))
    play(s, Bid("N&E", 5), Start("N&E", 100), BuyShare("WStI", "ipo"))
    assert legal(s) == [Pass()]
    assert "A share of N&E costs £100, so you can only finish. Cash £66." in TITLE.words.ask(s).lines
    assert "£100" in catch_refusal(s, BuyShare("N&E", "ipo")).sentence
    assert TITLE.advice.choose(s, 0, Rng(1)) == Pass()
    play(s, last)
    assert not isinstance(s.round, Parliament), "no player can do more"


@pytest.mark.parametrize(("held", "cash"), [(2, 3 * 54), (2, 3 * 54 - 1), (1, 3 * 54)])
def test_4_2_on_18xx_games_two_shares_are_given_for_a_certificate_in_the_pool(held: int, cash: int) -> None:
    """Differences 81: the director's certificate costs one share, though three must be affordable."""
    text = f"WStI 54 {held},2,{2 - held},1 treasury=2"
    s = parliament(table(text, cash=[5 + 162 + cash, 0, 0, 0], switches={"parliament_adds_own_company": False}))
    company = s.companies["WStI"]
    play(s, Bid("N&E", 5), Start("N&E", 54))
    if (held, cash) != (2, 3 * 54):
        assert "director's certificate" in catch_refusal(s, BuyShare("WStI", "pool")).sentence
        return
    play(s, BuyShare("WStI", "pool"))
    assert (company.shares[0], company.pool, company.treasury, s.cash[0]) == (3, 2, 2, 2 * 54)
    assert (company.director, company.ordinary_in_pool) == (0, 2)


@pytest.mark.parametrize("last", [Pass(), BuyShare("WStI", "pool")])
def test_4_2_on_18xx_games_the_winner_is_asked_while_a_certificate_in_the_pool_can_be_had(last: Action) -> None:
    """Differences 81: he has no money for his own shares, and nothing else lies anywhere."""
    text = "WStI 26 2,2,2,1\nECR 54 3*,3,2,1 treasury=1"
    s = parliament(table(text, cash=[5 + 300 + 54 + 78, 0, 0, 0], switches={"parliament_adds_own_company": False}))
    play(s, Bid("N&E", 5), Start("N&E", 100), BuyShare("ECR", "treasury"))
    assert legal(s) == [Pass()]
    play(s, last)
    assert s.companies["WStI"].director == (0 if isinstance(last, BuyShare) else POOL)


@pytest.mark.parametrize(("left", "pars"), [(3 * 62, [54, 58, 62]), (3 * 62 - 1, [54, 58]), (3 * 54, [54])])
def test_4_2_the_par_is_one_that_can_be_paid_for_three_shares(left: int, pars: list[int]) -> None:
    s = parliament(table(cash=[5 + left, 0, 0, 0]))
    play(s, Bid("N&E", 5))
    assert legal(s) == [Start("N&E", par) for par in pars]
    assert catch_refusal(s, Start("N&E", 100)).rule.section


def test_4_1_once_a_charter_is_done_the_next_player_proposes_as_at_the_beginning() -> None:
    """Nothing of the auction before is left."""
    s = parliament(table(), 2)
    play(s, Bid("N&E", 5), Bid("N&E", 10), Pass(), Pass(), Pass(), Start("N&E", 54), BuyShare("N&E", "ipo"), Pass())
    assert s.round == Parliament(2, 0, won=s.parliament.won)


def test_62_1_player_with_less_than_162_or_at_the_limit_must_pass() -> None:
    """§4.1: 62-1: who cannot bid is passed over when it is his turn to propose."""
    s = parliament(table(cash=[161, 1000, 1000, 1000]))
    settle(s)
    assert turn.find_actors(s) == (1,)
    s = parliament(table(limit=0))
    settle(s)
    assert not hasattr(s.round, "lot"), "nobody may open, so the stock round begins"


def test_62_2_player_with_a_charter_may_bid_but_not_propose() -> None:
    """§4.1: 62-2: a charter of this round bars from proposing, not from bidding."""
    s = parliament(table(seats=2))
    play(s, Bid("N&E", 0), Pass(), Start("N&E", 54), Pass())
    play(s, Bid("WStI", 0))
    assert turn.find_actors(s) == (0,)
    play(s, Bid("WStI", 5), Pass(), Start("WStI", 54), Pass())
    assert turn.find_actors(s) == (1,)
    play(s, Pass())
    assert s.name == "SR 1", "the winner may not propose again"


def test_62_3_the_player_left_of_the_winner_continues_and_the_deal_stays() -> None:
    """§4.1: 62-3: left of the winner, not of who proposed."""
    s = parliament(table(seats=3))
    play(s, Bid("N&E", 0), Bid("N&E", 5), Pass(), Pass())
    assert s.parliament.winner == 1
    play(s, Start("N&E", 54), Pass())
    assert turn.find_actors(s) == (2,)
    assert s.priority == 0


def test_3_0_two_parliaments_begin_the_game() -> None:
    """§2.4.4: two parliaments begin the game."""
    assert TITLE.deal(Setup("1862", 2)).parliament.number == 1
    s = parliament(table(seats=2), number=1)
    play(s, Pass(), Pass())
    assert (s.name, s.parliament.number) == ("PR 1", 2)
    play(s, Pass(), Pass())
    assert s.name == "SR 1"


def test_3_2_a_full_home_that_cannot_grow_cannot_be_started() -> None:
    text = "WVR 54 5*,0,0,0 at=F11,D13\nN&B 54 0,5*,0,0 at=F11,D13"
    s = table(text, tiles="F11:790:1 D13:14:0", phase="B")
    assert ground.is_startable(s, s.companies["ESR"]), "yellow N grows to three slots in phase B"
    assert not ground.is_startable(s, s.companies["ECR"]), "green has two slots, and russet no more"
    s.phase = "A"
    assert not ground.is_startable(s, s.companies["ESR"])
    assert "can't be started" in catch_refusal(parliament(s), Bid("ESR", 0)).sentence


@pytest.mark.parametrize(("group", "before"), [("B", "A"), ("C", "B")])
def test_3_2_later_companies_wait_for_their_phase(group: str, before: str) -> None:
    """§3.2, §2.4.1: four from phase B on, and four from phase C on."""
    s = parliament(table(phase=before))
    s.companies["N&E"].group = group
    assert f"before phase {group}" in catch_refusal(s, Bid("N&E", 0)).sentence
    s.phase = group
    assert Bid("N&E", 0) in legal(s)
    s.phase = "H"
    assert Bid("N&E", 0) in legal(s)


def fail_to_float(
    cash: int, *, got: int = 0, switches: Mapping[str, object] = NO_SWITCHES
) -> tuple[State, list[Event]]:
    """Player 0 has a chartered company with 3 shares at par 100 that has not floated; the round ends."""
    text = "N&E 100 3*,0,0,0 ipo=7 unfloated chartered obliged=0\nWStI 54 4,5*,0,0 trains=2F at=B5"
    s = table(text, switches=switches)
    s.companies["N&E"].par = 100
    s.cash = [cash, 0, 0, 0]
    stock(s)
    if got:
        s.stock.got[0]["N&E"] = got
    s.stock.passes = 4
    return s, settle(s)


def test_4_3_the_fine_is_five_times_par_from_cash_first() -> None:
    s, events = fail_to_float(600)
    assert of_kind(events, CharterFailed)[0].fine == 500
    assert s.cash[0] == 100
    again = s.companies["N&E"]
    assert (again.started, again.ipo, again.shares[0], again.barred) == (False, 10, 0, True)


def test_4_3_then_the_shares_of_the_failed_company_at_half_of_par() -> None:
    """§4.3, 62-54: then the shares of the failed company, at half of par."""
    s, events = fail_to_float(400)
    assert [event.amount for event in of_kind(events, FinePaid)] == [400, 100]
    assert s.cash[0] == 150 - 100, "the certificate brings 3 × 50"


def test_62_5_then_other_shares_as_the_debtor_chooses() -> None:
    """§4.3: 62-5: forced sales go on until the fine is paid."""
    s, _ = fail_to_float(0)
    assert s.stock.fines[0].owed == 350
    assert {as_a(Sell, action).company for action in legal(s)} == {"WStI"}
    assert "owe £350" in catch_refusal(s, Pass()).sentence
    play(s, Sell("WStI", 4))
    assert s.cash[0] == 0
    assert s.companies["WStI"].price < 54, "these sales move the price"
    assert s.name == "OR 1.1"


def test_4_3_debt_that_cannot_be_paid_is_cancelled() -> None:
    s, _ = fail_to_float(0)
    s.stock.got[0]["WStI"] = 4
    events = settle(s)
    assert of_kind(events, DebtLapsed)[0].amount == 350


@differs("fines_spare_new_shares")
def test_62_6_shares_bought_in_this_round_do_not_pay_the_fine(switches: dict[str, object]) -> None:
    """62-6, differences 56: not by the rules (§6.4.2); on 18xx.games they do."""
    s, _ = fail_to_float(0, got=3, switches=switches)
    assert s.stock.fines[0].owed == (350 if switches else 500)


def test_4_3_a_share_bought_in_this_round_does_not_keep_the_certificate_from_being_sold() -> None:
    """§4.3: seat 0 keeps the one he bought last, and the certificate brings 3 × 50; 18xx.games sells all four."""
    text = "N&E 100 4*,0,0,0 ipo=6 unfloated chartered obliged=0\nWStI 54 4,5*,0,0 trains=2F at=B5"
    for spared, owed in ((True, 350), (False, 300)):
        s = stock(table(text, switches={"fines_spare_new_shares": spared}, cash=[0, 0, 0, 0]))
        s.stock.got[0]["N&E"] = 1
        s.stock.passes = 4
        settle(s)
        assert s.stock.fines[0].owed == owed


@differs("fines_from_new_deal")
def test_4_3_several_fines_go_clockwise_from_the_priority_deal(switches: dict[str, object]) -> None:
    """§4.3, differences 73: seat 2 has the deal by passing first, so seat 3 pays first; there the old deal counts."""
    text = "N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0\nWStI 54 0,0,0,3* ipo=7 unfloated chartered obliged=3"
    s = stock(table(text, switches=switches), 2)
    events = play(s, Pass(), Pass(), Pass(), Pass())
    assert s.priority == 2
    assert [event.seat for event in of_kind(events, CharterFailed)] == ([0, 3] if switches else [3, 0])


def test_4_3_a_failed_company_skips_the_next_parliament() -> None:
    """§4.3, 62-67: a failed company skips the next Parliament."""
    s, _ = fail_to_float(600)
    parliament(s)
    s.cash = [1000] * 4
    assert "next stock round" in catch_refusal(s, Bid("N&E", 0)).sentence
    play(s, Pass(), Pass(), Pass(), Pass())
    assert Start("N&E", 54) in legal(s)


def test_62_4_obligations_are_no_certificates() -> None:
    """62-4: an obligation does not count."""
    s = table("N&E 100 3*,0,0,0 ipo=7 unfloated chartered obliged=0")
    assert s.count_certificates(0) == 1


def test_4_3_a_debtor_continues_selling_until_the_debt_is_paid() -> None:
    """§4.3: the fine is paid “lastly from other stock sales”: one sale does not end it."""
    s, _ = fail_to_float(0)
    events = play(s, Sell("WStI", 1))
    assert of_kind(events, DebtLapsed) == []
    assert s.stock.fines[0].owed == 350 - 54
    assert Sell("WStI", 3) in legal(s), "the same company again"
    assert "owe £296" in catch_refusal(s, Pass()).sentence
    events = play(s, Sell("WStI", 3))
    assert of_kind(events, DebtLapsed), "nothing is left to sell"
    assert s.name == "OR 1.1"


def test_56_on_18xx_games_all_fines_come_before_the_first_sale() -> None:
    """Differences 56: both lose charters and cash first, then sell; sparing new shares is a rule apart."""
    text = """N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0
    ENR 54 0,3*,0,0 ipo=7 unfloated chartered obliged=1
    WStI 54 2,2,5*,0 trains=2F at=B5"""
    for together, spared in product((True, False), repeat=2):
        switches = {"fines_taken_together": together, "fines_spare_new_shares": spared}
        s = stock(table(text, switches=switches, cash=[0, 0, 0, 0]))
        s.stock.got[0]["WStI"] = 1
        s.stock.passes = 4
        settle(s)
        assert turn.find_actors(s) == (0,)
        assert s.companies["ENR"].started is not together
        assert Sell("WStI", 1) in legal(s)
        assert (Sell("WStI", 2) in legal(s)) is not spared


@differs("fines_taken_together")
def test_56_on_18xx_games_the_debts_of_a_player_are_one(switches: dict[str, object]) -> None:
    """Differences 56: what both fines leave is one debt, and money that came back is taken with the first sale."""
    text = """N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0
    ENR 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0
    WStI 54 2,5*,0,0 trains=2F at=B5"""
    s = stock(table(text, switches=switches, cash=[0, 0, 0, 0]))
    s.stock.passes = 4
    settle(s)
    assert [fine.owed for fine in s.stock.fines] == ([2 * (270 - 81)] if switches else [270 - 81, 270])


@differs("fines_taken_together")
def test_66_a_debtor_whose_last_share_went_back_owes_nothing_more(switches: dict[str, object]) -> None:
    """§4.3: seat 0 sells his share of ENR, which fails later; there it has gone back before, and his debt lapses.

    That site waits for ever for the sale of a share that is no more (differences 66).
    """
    text = """N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0
    ENR 54 1,3*,0,0 ipo=6 unfloated chartered obliged=1
    WStI 54 0,2,5*,0 trains=2F at=B5"""
    s = stock(table(text, switches=switches, cash=[0, 0, 0, 0]))
    s.stock.passes = 4
    settle(s)
    assert turn.find_actors(s) == ((1,) if switches else (0,))
    assert [action.company for action in legal(s, Sell)] == (["WStI", "WStI"] if switches else ["ENR"])


def test_all_companies_that_may_be_proposed_are_reported_by_name() -> None:
    """§2.4.2, §4.1: with eight players there are ten of them, which takes two lines."""
    s = TITLE.deal(Setup("1862", 8, {}, 3))
    told = "\n".join(TITLE.words.ask(s).lines)
    assert all(f"{company.charter.name} ({company.code})" in told for company in bidding.list_offered_companies(s))
    assert len(bidding.list_offered_companies(s)) == 10


def test_4_1_a_player_who_can_only_pass_is_told_why() -> None:
    s = parliament(table(cash=[150, 1000, 1000, 1000]))
    told = "a bid must be at least £0, but you have £150 and must keep £162 for the director's certificate."
    assert catch_refusal(s, Bid("N&E", 0)).sentence == f"You must pass: {told}"
    s = parliament(table(limit=0))
    assert catch_refusal(s, Bid("N&E", 0)).sentence == "You hold 0 certificates; the limit is 0, so you must pass."
