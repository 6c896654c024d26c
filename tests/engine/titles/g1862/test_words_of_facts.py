"""Facts of 1862 in words: each as the log and the line of result tell it."""

import pytest

from engine.brief import fold
from engine.finance import events as f
from engine.rails.laying import TileLaid
from engine.record import Event
from engine.titles.g1862 import TITLE
from engine.titles.g1862 import events as e

NAMES = ("Ada", "Ben", "Cy")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (f.CompanyFloated("N&E", 540), "N&E floats with £540."),
        (f.CompanyFloated("N&E", 0), "N&E floats."),
        (e.MarkersBought("N&E", 1, 40), "N&E buys 1 station marker for £40."),
        (e.MarkersBought("N&E", 3, 120), "N&E buys 3 station markers for £120."),
        (e.CharterFailed(1, "N&E", 270), "N&E hasn't floated: Ben is fined £270."),
        (e.FinePaid(1, 100, 170), "Ben pays £100 of the fine; £170 is left."),
        (e.FinePaid(1, 100, 0), "Ben pays £100 of the fine."),
        (e.DebtLapsed(1, 70), "Ben has nothing left; £70 of the fine is waived."),
        (e.HomePlaced("N&E", "B13", "", waits=False), "N&E places its home marker on Bishop's Stortford (B13)."),
        (
            e.HomePlaced("N&E", "B13", "", waits=True),
            "N&E places its home marker on Bishop's Stortford (B13), where it waits for a tile with a free space.",
        ),
        (
            e.HomePlaced("N&E", "B13", "WStI", waits=False),
            "N&E places its home marker on Bishop's Stortford (B13); WStI loses its own there.",
        ),
        (TileLaid("N&E", "B13", "57", 2), "N&E lays tile 57, turned by 120°, on Bishop's Stortford (B13)."),
        (
            e.StationBuilt("N&E", "C12", 0, 3),
            "N&E builds a small station on Great Dunmow (C12), on the line south to north.",
        ),
        (e.LondonLinked("N&E"), "N&E builds its link to London."),
        (e.MarkerPlaced("N&E", "B13"), "N&E places a station marker on Bishop's Stortford (B13)."),
        (e.MarkerRemoved("N&E", "B13"), "The marker of N&E on Bishop's Stortford (B13) is removed."),
        (f.TrainsRan("N&E", "", 80, 0), "N&E runs for £80."),
        (
            f.TrainsRan("N&E", "", 80, 20, (("2F", "Ely-Wisbech", 80),)),
            "N&E runs for £80 and a subsidy of £20: 2F Ely-Wisbech £80.",
        ),
        (e.RunCorrected("N&E", 80, 0, 90, 10), "Recorded for N&E: £80 and £0 subsidy; the rules give £90 and £10."),
        (f.DividendPaid("N&E", 90, (45, 0, 9), 9), "N&E pays £90: Ada £45, Cy £9, its treasury £9."),
        (f.DividendPaid("N&E", 90, (0, 0, 0), added=30), "N&E pays £90, £30 of it from its treasury (Hudson)."),
        (f.RevenueKept("N&E", 90), "N&E keeps £90."),
        (f.RevenueKept("N&E", 0), "N&E earns nothing."),
        (e.TrainsRusted(("1F", "2F"), "N&E"), "N&E loses its 1F and 2F to rust."),
        (f.TrainBought("N&E", "2F", "bank", 200, 0), "N&E buys a 2F from the bank for £200."),
        (f.TrainBought("N&E", "2F", "bank", 200, 2), "N&E buys a 2F and 2 warranties from the bank for £200."),
        (f.TrainBought("N&E", "8E", "WStI", 100, 0), "N&E buys an 8E from WStI for £100."),
        (f.PhaseBegun("B"), "Phase B begins."),
        (e.LnerAnnounced(), "The LNER will form at the end of this set of operating rounds."),
        (e.LnerFormed(13), "The LNER forms; the certificate limit is 13, and sales no longer lower prices."),
        (
            e.OfferMade("merge", "N&E", "WStI", 0, 1, "N&E survives"),
            "Ada asks Ben to merge WStI with N&E: N&E survives.",
        ),
        (
            e.OfferMade("train", "N&E", "WStI", 0, 1, "2F for £100"),
            "Ada asks Ben for a train of WStI: 2F for £100, for N&E.",
        ),
        (e.OfferAccepted(1, "merge", "N&E", "WStI"), "Ben agrees."),
        (e.OfferDeclined(1, "N&E", "WStI"), "Ben declines."),
        (e.OfferWithdrawn(0, "N&E", "WStI"), "Ada takes the proposal back."),
        (f.BidMade(0, 5, "N&E"), "Ada bids £5 for N&E."),
        (e.CharterWon(0, "N&E", 5), "Ada gets the charter of N&E for £5."),
        (f.CompanyStarted(0, "N&E", 54, 162), "Ada starts N&E at par £54 for £162."),
        (e.MergerBegan("N&E", "WStI", 122, 100), "WStI merges into N&E: price £122, par £100."),
        (e.SharesReturned("N&E", 0, 2), "Ada returns 20% N&E to the pool."),
        (e.SharesReturned("N&E", -1, 1), "The treasury returns 10% N&E to the pool."),
        (e.SharesCashed(0, "N&E", 2, 134), "Ada sells 20% N&E to the bank for £134: there is nothing to swap it for."),
        (e.CertificateSwapped(0, "N&E"), "Ada swaps the director's certificate of N&E for ordinary shares."),
        (e.CertificatesExchanged(0, "WStI", "N&E"), "Ada swaps the director's certificate of WStI for that of N&E."),
        (e.OptionRedeemed(-1, "N&E", 67), "The treasury redeems the option for £67."),
        (e.OptionSold(2, "N&E", 67), "Cy gives the option up for £67."),
        (e.MergerEnded("N&E", "WStI"), "N&E takes over everything WStI had."),
        (e.RefinancingBegan("N&E"), "N&E merges its own shares to raise money."),
        (e.Refinanced("N&E", 540), "N&E is refinanced with £540."),
        (e.TreasurySold("N&E", 2, 100), "N&E sells 20% from its treasury for £100."),
        (e.WentBankrupt("N&E", (125, 0, 25)), "N&E is bankrupt; its shares bring Ada £125, Cy £25."),
        (e.WentBankrupt("N&E", (0, 0, 0)), "N&E is bankrupt; its shares bring nothing."),
        (e.ShareRedeemed("N&E", 90), "N&E redeems 10% for £90."),
        (f.BankBroke(), "The bank has run out: the game ends with this set of operating rounds."),
        (f.TopReached("N&E"), "N&E is at the top: the game ends with this operating round."),
        (f.GameEnded("bank"), "The game is over: the bank has run out."),
    ],
)
def test_a_fact_is_a_sentence(event: Event, words: str) -> None:
    assert TITLE.words.say(event, NAMES) == words


def fold_for(seat: int, *events: Event) -> list[str]:
    """Return facts in few words, as a seat reads them; -1 for the result of a turn."""
    pieces = [TITLE.brief.tell(event, NAMES, seat) for event in events if TITLE.brief.tell is not None]
    return fold((piece, False) for piece in pieces if piece is not None)


def test_a_fine_is_one_line_of_its_player() -> None:
    found = fold_for(-1, e.CharterFailed(1, "N&E", 270), e.FinePaid(1, 90, 180), e.FinePaid(1, 30, 150),
                     e.DebtLapsed(1, 150), f.SharesSold(1, "FDR", 2, 50))  # fmt: skip
    assert found == ["Ben: fined £270, as N&E hasn't floated, pays £120 of it, £150 waived, sells 20% FDR"]


def test_a_merger_is_told_as_what_the_survivor_takes_over() -> None:
    found = fold_for(
        -1, e.OfferAccepted(1, "merge", "N&E", "FDR"), e.MergerBegan("FDR", "N&E", 82, 74),
        e.OptionRedeemed(1, "FDR", 41),
        e.OptionSold(0, "FDR", 41), e.SharesCashed(-1, "N&E", 2, 82), e.MarkerRemoved("FDR", "C8"),
        e.MarkerRemoved("FDR", "F13"), e.MergerEnded("FDR", "N&E"),
    )  # fmt: skip
    assert found == [
        "Ben agrees to merge FDR with N&E, redeems options for £41",
        "FDR takes over N&E (price £82, par £74), 2 markers removed",
        "Ada gives options up for £41", "The treasury sells 20% N&E to the bank",
    ]  # fmt: skip
    assert fold_for(-1, e.RefinancingBegan("FDR"), e.Refinanced("FDR", 540)) == ["FDR: refinanced with £540"]


def test_what_the_map_shows_is_told_to_players_who_were_away_alone() -> None:
    facts = (e.HomePlaced("N&E", "C8", "", waits=False), TileLaid("N&E", "B13", "57", 2), e.MarkerPlaced("N&E", "B13"))
    assert fold_for(0, *facts) == ["N&E: home at Ely, tile on B13, marker at Bishop's Stortford"]
    assert fold_for(-1, *facts) == ["N&E: marker at Bishop's Stortford"]


def test_trains_that_rust_are_counted() -> None:
    found = fold_for(-1, f.PhaseBegun("C"), e.TrainsRusted(("2L", "2L", "2F"), "N&E"), e.TrainsRusted(("2E",), "FDR"))
    assert found == ["Phase C", "N&E: 2 × 2L, 2F rust", "FDR: 2E rusts"]


def test_a_bankrupt_company_and_the_lner_take_a_few_words() -> None:
    found = fold_for(-1, e.WentBankrupt("N&E", (125, 0, 25)), e.LnerAnnounced(), e.LnerFormed(8))
    assert found == [
        "N&E: bankrupt (its shares bring Ada £125, Cy £25)", "The LNER forms after these operating rounds",
        "The LNER forms: 8 certificates allowed, sales don't lower prices",
    ]  # fmt: skip
