"""§5.2.4: merging shares two to one; the rulebook's two examples with every holding and every pound."""

from collections import Counter
from random import Random

import pytest

from engine.finance.events import DirectorChanged
from engine.finance.state import POOL
from engine.record import Event
from engine.titles.g1862 import share_merge
from engine.titles.g1862.actions import Merge, Option, RaiseMoney
from engine.titles.g1862.events import OptionRedeemed, OptionSold, SharesCashed
from engine.titles.g1862.state import COMPANY, DIRECTOR_SHARES, Merging, Operating, State
from engine.titles.g1862.steps import merging
from tests.engine.titles.g1862.positions import decide, legal, of_kind, operating, play, settle, table
from tests.support.sure import sure

RICHARD, EMMA, PETER, LINDA = range(4)
TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"


def example_1(linda: int) -> State:
    """WStI and N&E, both directed by Richard, both at 90 with trains (the book's first example)."""
    s = table(
        """
        N&E 90 4*,3,1,0 treasury=2 cash=200 trains=2F at=B13
        WStI 90 5*,0,1,1 treasury=1 ipo=1 chartered trains=2F at=B5,B13
        """,
        tiles=TILES,
        cash=[200, 200, 200, linda],
    )
    return operating(s, "N&E", "merge")


def test_merge_example_1_the_poor_holder_is_forced_to_sell() -> None:
    """§5.1, §5.1.1, §5.2.3, §5.2.4, §5.2.6, §7.5.5, 62-60: in the first example the poor holder is forced to sell."""
    s = example_1(linda=0)
    play(s, Merge("WStI", "N&E"))
    assert sure(s.operating.merging).price == 134
    richard = s.clone()
    richard.cash[RICHARD] = 67
    play(richard, Option("redeem"))
    assert richard.cash[RICHARD] == 0, "it may cost all he has"
    asked = []
    while s.operating.merging is not None:
        m = s.operating.merging
        asked.append((m.holder, m.redeem, m.sell))
        play(s, Option("redeem"))
    assert asked == [(RICHARD, 67, 67), (EMMA, 67, 67), (COMPANY, 67, 67)]
    company = s.companies["N&E"]
    assert (company.shares, company.treasury, company.pool) == ([5, 2, 1, 0], 2, 0)
    assert s.cash == [133, 133, 200, 67]
    assert company.cash == 133
    assert (company.price, company.par, company.director) == (134, 100, RICHARD)
    again = s.companies["WStI"]
    assert (again.ipo, again.started, again.permits) == (10, False, ["express"])


def test_merge_example_1_if_linda_redeems_the_treasury_finds_no_share() -> None:
    """§5.2.6: in the first example, if Linda redeems, the treasury finds no share."""
    s = example_1(linda=100)
    events = play(s, Merge("WStI", "N&E"))
    events += decide(s, "redeem")
    company = s.companies["N&E"]
    assert (company.shares, company.treasury, company.pool) == ([5, 2, 1, 1], 1, 0)
    assert s.cash == [133, 133, 200, 33]
    assert company.cash == 267
    cashed = of_kind(events, SharesCashed)
    assert [(event.seat, event.amount) for event in cashed] == [(COMPANY, 67)]


def test_merge_example_2_all_redeem() -> None:
    """§5.2.4, §5.2.7.

    Seats clockwise: Helen, Martin, Rachel, Charles; N&E has no train, I&B has (the book's second example).
    """
    s = table(
        """
        N&E 100 1,4*,0,3 ipo=2 chartered at=B13
        I&B 74 0,5*,3,0 treasury=2 trains=2F at=D9,B13
        """,
        tiles=f"{TILES} D9:621:0",
        cash=[600] * 4,
    )
    operating(s, "N&E", "merge")
    assert merging.find_new_price(s.companies["N&E"], s.companies["I&B"]) == 86
    play(s, Merge("I&B", "N&E"))
    prices = []
    while s.operating.merging is not None:
        prices.append((sure(s.operating.merging).redeem, sure(s.operating.merging).sell))
        play(s, Option("redeem"))
    assert prices == [(43, 43)] * 4
    company = s.companies["N&E"]
    assert (company.shares, company.treasury, company.pool) == ([1, 5, 2, 2], 0, 0)
    assert s.cash == [557] * 4
    assert (company.cash, company.price, company.par, company.director) == (86, 86, 82, 1)


def test_14_2c_an_option_that_cannot_be_swapped_brings_half_rounded_up() -> None:
    """§5.2.4: Rounded up by the rulebook; 18xx.games rounds down (differences 4)."""
    for up, amount in ((True, 48), (False, 47)):
        s = example_1(linda=100)
        s = table(
            """
            N&E 68 4*,3,1,0 treasury=2 cash=200 trains=2F at=B13
            WStI 54 5*,0,1,1 treasury=1 ipo=1 trains=2F at=B5,B13
            """,
            tiles=TILES,
            switches={"spare_option_rounds_up": up},
        )
        operating(s, "N&E", "merge")
        assert merging.find_new_price(s.companies["N&E"], s.companies["WStI"]) == 86
        s.companies["N&E"].cell = sure(s.companies["N&E"].cell) + 2
        events = play(s, Merge("WStI", "N&E"))
        while s.operating.merging is not None:
            s.operating.merging.price = 95
            events += play(s, Option("redeem"))
        assert of_kind(events, SharesCashed)[0].amount == amount


@pytest.mark.parametrize(("held", "redeem", "sell"), [(5, 67, 335), (4, 134, 268), (3, 201, 201)])
def test_14_2a_the_certificate_is_the_option_when_the_pool_has_no_three_shares(
    held: int, redeem: int, sell: int
) -> None:
    """§5.2.4: the certificate is the option when the pool has no three shares."""
    s = table(
        f"""
        N&E 134 0,{held}*,2,{8 - held} cash=0 trains=2F at=B13 par=54
        """,
        tiles=TILES,
    )
    s.cash = [500] * 4
    operating(s, "N&E", "train")
    company = s.companies["N&E"]
    company.trains = []
    merging = Merging("N&E", "", "refinance", 1, 134, [])
    share_merge.begin(s, merging)
    settle(s)
    m = sure(s.operating.merging)
    assert (m.holder, m.redeem, m.sell, m.parts) == (1, redeem, sell, 3)
    assert company.shares[1] == 3
    events = play(s, Option("sell"))
    assert of_kind(events, OptionSold)[0].amount == sell
    assert s.cash[1] == 500 + sell
    assert company.shares[1] == 0


def test_5_2_5_most_shares_direct_ties_go_to_the_initiator() -> None:
    s = table(
        """
        N&E 90 4*,4,0,0 treasury=2 cash=500 trains=2F at=B13
        WStI 90 4*,4,0,0 treasury=2 cash=500 trains=2F at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "N&E", "merge")
    events = play(s, Merge("WStI", "N&E"))
    events += decide(s, "redeem")
    assert s.companies["N&E"].shares[:2] == [4, 4]
    assert s.companies["N&E"].director == 0
    assert of_kind(events, DirectorChanged)[-1].seat == 0


def test_5_2_5_no_player_with_three_shares_means_receivership() -> None:
    """§7.11: 62-38: the director is asked once; after that rule 20 goes on with the turn."""
    s = table("N&E 100 4*,2,1,0 cash=0 at=B13 par=100", tiles=TILES)
    operating(s, "N&E", "train")
    settle(s)
    assert RaiseMoney("refinance") in legal(s)
    play(s, RaiseMoney("refinance"))
    decide(s, "redeem")
    company = s.companies["N&E"]
    assert company.director == POOL
    assert company.shares == [2, 1, 1, 0]
    assert len(company.trains) == 1
    assert company.cash == 900


def test_5_2_4_refinancing_halves_the_market_price_though_it_has_no_train() -> None:
    """§5.1, 62-59: refinancing merges the shares of one company."""
    s = table("N&E 65 5*,0,0,0 treasury=5 cash=0 at=B13 par=62", tiles=TILES)
    operating(s, "N&E", "train")
    s.companies["N&E"].treasury, s.companies["N&E"].pool = 1, 4
    play(s, RaiseMoney("refinance"))
    assert (sure(s.operating.merging).redeem, sure(s.operating.merging).sell) == (32, 32), "rounded down"


def test_5_2_4_b_the_certificate_that_a_director_returns_is_no_ordinary_share() -> None:
    """Richard returns WStI's certificate; what lies in the pool then is not three shares for Emma's certificate."""
    s = table(
        """
        N&E 90 0,4*,6,0 trains=2F at=B13
        WStI 90 6*,0,0,0 treasury=4 trains=2F at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "N&E", "merge")
    share_merge.begin(s, Merging("N&E", "WStI", "merge", RICHARD, 134, []))
    settle(s)
    m = sure(s.operating.merging)
    assert (s.companies["WStI"].director, s.companies["WStI"].pool) == (POOL, 4)
    assert (m.holder, m.parts, m.redeem, m.sell) == (EMMA, 3, 134, 268)


def any_shares(chance: Random) -> str:
    """Return how the shares of a company may lie: a director with three to five, others with none to five."""
    while True:
        held, director = [chance.choice((0, 0, 1, 2, 3, 4, 5)) for _ in range(4)], chance.randrange(4)
        held[director] = max(DIRECTOR_SHARES, held[director])
        if sum(held) <= 10:
            shares = ",".join(f"{count}{'*' * (seat == director)}" for seat, count in enumerate(held))
            return f"{shares} treasury={chance.randint(0, 10 - sum(held))}"


def merge_at_random(seed: int) -> tuple[State, dict[int, int], dict[int, tuple[int, int, int]], list[Event]]:
    """Merge two companies at random; return what each holder had of both, and the option he was asked about."""
    chance = Random(seed)  # noqa: S311
    one, other = any_shares(chance), any_shares(chance)
    s = table(
        f"N&E 90 {one} cash=300 trains=2F at=B13\nWStI 82 {other} cash=200 trains=2F at=B5,B13",
        tiles=TILES, cash=[chance.choice((0, 60, 300)) for _ in range(4)],
    )  # fmt: skip
    operating(s, "N&E", "merge", order=["N&E", "WStI"])
    both = s.companies["N&E"], s.companies["WStI"]
    had = {holder: sum(share_merge.count_held(company, holder) for company in both) for holder in (*range(4), COMPANY)}
    asked: dict[int, tuple[int, int, int]] = {}
    events: list[Event] = []
    merging.begin_merger(s, *both, both[0], events.append)
    events += settle(s)
    while isinstance(s.round, Operating) and s.operating.merging is not None:
        m = s.operating.merging
        asked[m.holder] = (m.parts, m.redeem, m.sell)
        for company in both:
            every = (*company.shares, company.pool, company.treasury, company.ipo)
            assert sum(every) == 10
            assert min(every) >= 0
        events += play(s, Option(chance.choice(("redeem", "sell"))))
    return s, had, asked, events


@pytest.mark.parametrize("part", range(4))
def test_5_2_4_each_holder_has_half_and_his_option(part: int) -> None:
    """§5.2.4: an odd share at half a price; a certificate as option is kept for three shares, or all is gone."""
    for seed in range(part, 120, 4):
        s, had, asked, events = merge_at_random(seed)
        company = s.companies["N&E"]
        kept = {event.seat for event in of_kind(events, OptionRedeemed)}
        given = {event.seat: event.amount for event in of_kind(events, OptionSold)}
        cashed = Counter[int]()
        for event in of_kind(events, SharesCashed):
            cashed[event.seat] += event.count
        for holder, count in had.items():
            parts, redeem, sell = asked.get(holder, (0, 0, 0))
            half = count // 2 + (holder in kept)
            if DIRECTOR_SHARES in (parts, cashed[holder]) or given.get(holder, 0) > 61:
                assert given.get(holder, 61 * count) == 61 * count
                half = DIRECTOR_SHARES * (holder in kept)
                assert (redeem, sell) in ((0, 0), (61 * (6 - count), 61 * count)), seed
            else:
                assert (redeem, sell) in ((0, 0), (61, 61)), seed
                half -= cashed[holder] - (count % 2 and cashed[holder] and holder not in kept | set(given))
            assert share_merge.count_held(company, holder) == half, (seed, holder)
        assert sum((*company.shares, company.pool, company.treasury)) == 10


@pytest.mark.parametrize(("initiator", "director"), [(1, 2), (3, 0)])
def test_5_2_5_other_ties_go_clockwise_from_the_initiator(initiator: int, director: int) -> None:
    """§5.2.5: three have three shares each, and the initiator has fewer."""
    held = {1: "3,1,3,3*", 3: "3,3,3*,1"}[initiator]
    s = table(f"N&E 90 {held} trains=2F at=B13", tiles=TILES)
    operating(s, "N&E", "merge")
    share_merge.settle_survivor_director(s, Merging("N&E", "WStI", "merge", initiator, 134, []), lambda _: None)
    assert s.companies["N&E"].director == director
