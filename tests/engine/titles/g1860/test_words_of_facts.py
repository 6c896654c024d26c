"""Facts of 1860 in words: each as the log and the line of result tell it."""

import pytest

from engine.finance import events as f
from engine.rails.laying import TileLaid
from engine.record import Event
from engine.titles.g1860 import TITLE
from engine.titles.g1860 import events as e

NAMES = ("Ada", "Ben", "Cy")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (f.BidMade(0, 25), "Ada bids £25."),
        (e.AuctionWon(0, 25), "Ada wins the auction for £25."),
        (e.PrivateBought(0, "YHC", 90), "Ada buys the Yarmouth Port & Shipping Company for £90."),
        (e.PrivateSold(1, "YHC", 45), "Ben sells the Yarmouth Port & Shipping Company for £45."),
        (e.PrivateExchanged(0, "RPSC", "IOW"), "Ada swaps the Ryde Pier & Ferry Company for 10% IOW."),
        (e.PrivateClosed("YHC"), "The Yarmouth Port & Shipping Company closes."),
        (f.CompanyStarted(0, "IOW", 82, 164), "Ada starts IOW at par £82 for £164."),
        (e.LayerOpened(2), "The companies of layer 2 can now be started."),
        (f.CompanyFloated("IOW", 820), "IOW floats with 820cc."),
        (e.BasePlaced("IOW", "I3", 40), "IOW builds a base at Ryde Esplanade (I3) for 40cc."),
        (e.BasePlaced("IOW", "I3", 0), "IOW builds a base at Ryde Esplanade (I3)."),
        (e.HomeNotPlaced("IOW"), "IOW floats too late for a home base, so it can never run."),
        (TileLaid("IOW", "I5", "751", 2, 0), "IOW lays tile 751, turned by 120°, on Ashey (I5)."),
        (
            TileLaid("IOW", "I3", "758", 0, 60, home=True),
            "IOW lays tile 758 on Ryde Esplanade (I3), its home, for 60cc.",
        ),
        (e.PrivatesPaid(0, 30), "Ada gets £30 from private companies."),
        (f.TrainsRan("IOW", "", 50, 0), "IOW runs for £50."),
        (
            f.TrainsRan("IOW", "", 50, 10, (("2+1", "Ryde-Newport", 50),)),
            "IOW runs for £50 and 10cc for halts: 2+1 Ryde-Newport £50.",
        ),
        (f.TrainsRan("IOW", "", 50, 0, leased="8+4"), "IOW leases an 8+4 and earns 50cc."),
        (
            f.TrainsRan("IOW", "", 50, 10, (("2+1", "Ryde-Newport", 50),), leased="2+1"),
            "IOW leases a 2+1 (Ryde-Newport) and earns 50cc and 10cc for halts.",
        ),
        (e.BonusEarned("IOW", "Newport", 100), "IOW reaches Newport: 100cc."),
        (f.DividendPaid("IOW", 50, (25, 0, 10)), "IOW pays £50: Ada £25, Cy £10."),
        (f.DividendPaid("IOW", 50, (0, 0, 0)), "IOW pays £50; no one holds shares."),
        (f.RevenueKept("IOW", 50), "IOW keeps 50cc."),
        (f.RevenueKept("IOW", 0), "IOW earns nothing."),
        (f.TrainBought("IOW", "2+1", "bank", 250), "IOW buys a 2+1 from the bank for 250cc."),
        (f.TrainBought("IOW", "8+4", "C&N", 10), "IOW buys an 8+4 from C&N for 10cc."),
        (e.TrainOffered("IOW", "C&N", "3+2", 50, 1), "IOW offers C&N 50cc for its 3+2; Ben must answer."),
        (e.OfferDeclined("IOW", "C&N", "3+2", 1), "Ben declines; C&N keeps its 3+2."),
        (e.OfferWithdrawn("IOW", "C&N", "3+2"), "IOW takes back its offer for the 3+2 of C&N."),
        (e.TrainDiscarded("IOW", "2+1"), "IOW returns a 2+1 to the bank."),
        (f.PhaseBegun("4", "2+1"), "Phase 4 begins; all 2+1 trains rust."),
        (f.PhaseBegun("3"), "Phase 3 begins."),
        (e.InsolvencyBegan("IOW"), "IOW has no train and is insolvent: it leases one each turn."),
        (e.InsolvencyEnded("IOW"), "IOW is solvent again."),
        (e.WentBankrupt("IOW"), "IOW is bankrupt; its shares go back to the IPO."),
        (e.SouthernFormed(), "The Southern Railway is formed; building ends after this set of operating rounds."),
        (e.TrackStopped(), "No more track or bases can be built, and halts no longer count."),
        (e.Nationalised(), "The railways are nationalised: British Rail."),
        (e.CompanyClosed("IOW", 50), "British Rail closes IOW (it earned £50)."),
        (f.BankBroke(), "The bank has run out of money."),
        (f.TopReached("IOW"), "IOW has reached the top of the market."),
        (f.GameEnded("bank"), "The game is over: the bank has run out."),
    ],
)
def test_a_fact_is_a_sentence(event: Event, words: str) -> None:
    assert TITLE.words.say(event, NAMES) == words
