"""Sentences of a report: who is named stands beside what would have been better."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.commands import view
from bot.commands.command import Call
from bot.model.records import Person
from bot.screens.report import Chapter, describe_chances, describe_decisions, make_chances_chart
from bot.screens.story import format_account
from bot.service.workers.account import Account, Chances, RunReport, Stake, estimate_chances
from bot.service.workers.jobs import Held
from engine import Game
from engine.report import (
    AuctionWin,
    CharterFine,
    Findings,
    PriceFall,
    RustCaused,
    RustVictim,
    ShareDeal,
    ShareSale,
    TrainSaving,
)
from engine.view import Identity
from tests.playthroughs.record import read
from tests.support.sure import sure

NAMES = ("Ann", "Bob", "Cid")


def tell(findings: Findings, unit: str = "£") -> dict[str, str]:
    return {each.about: each.text for each in format_account(Account(unit=unit, findings=findings), NAMES)}


def test_the_best_and_the_worst_deal() -> None:
    """The worst stands beside what brought most for its price in the same round, or beside the cash."""
    best = ShareDeal(0, "IWNJ", "SR 4", 3, 300, 900, 200, 450)
    worst = ShareDeal(1, "FYN", "SR 5", 2, 200, sold=80)
    better = ShareDeal(2, "C&N", "SR 5", 1, 100, left=130)
    found = tell(Findings(deals=(best, worst, better)))
    assert found["Best deal"] == (
        "Ann's 3 IWNJ, bought in SR 4 for £300, brought £1,550: £900 in dividends, £200 when sold and £450 at the end."
    )
    assert found["Worst deal"] == (
        "Bob's 2 FYN, bought in SR 5 for £200, brought £80 when sold; Cid's 1 C&N of the same round brought £130 for "
        "£100."
    )
    alone = tell(Findings(deals=(best, worst)))
    assert alone["Worst deal"].endswith("brought £80 when sold; keeping the cash would have saved £120.")
    assert "Worst deal" not in tell(Findings(deals=(best, ShareDeal(1, "FYN", "SR 5", 2, 200, left=240))))
    void = ShareDeal(1, "FYN", "PR 2", 0, 25)
    assert tell(Findings(deals=(best, void)))["Worst deal"].startswith(
        "Bob's charter of FYN, bought in PR 2 for £25, brought nothing; "
    )


def test_a_fine_belongs_to_its_charter() -> None:
    """It can make a purchase the worst; what had to be sold for it is called a forced sale."""
    failed = ShareDeal(1, "L&E", "PR 6", 3, 300, sold=150, fine=500)
    low = ShareDeal(0, "Y&N", "PR 7", 5, 330, left=65)
    fall = PriceFall("SR 6", "SVR", 1, 3, 232, 200, ((0, 2, 64),), forced=True)
    fines = (CharterFine(1, "L&E", "SR 6", 500, 500), CharterFine(2, "WNR", "SR 1", 290, 154))
    found = tell(Findings(deals=(low, failed), falls=(fall,), fines=fines))
    assert found["Worst deal"] == (
        "Bob's 3 L&E, bought in PR 6 for £300, cost a fine of £500 and brought £150 when sold; keeping the cash would "
        "have saved £650."
    )
    assert found["Fines"] == (
        "\n• Bob was fined £500 in SR 6, because L&E hadn't floated."
        "\n• Cid was fined £290 in SR 1, because WNR hadn't floated, and could pay £154 of it."
    )
    assert found["Sales that cost others"].startswith("Bob's forced sale of 3 SVR in SR 6 lowered")


def test_the_sales_to_regret() -> None:
    """The dearest of each player; and the one that came just in time."""
    sales = (
        ShareSale(2, "IWNJ", "SR 5", 3, 155, 870, 470),
        ShareSale(0, "ECR", "SR 3", 2, 284, 747, 108, "FDR"),
        ShareSale(0, "N&E", "SR 2", 1, 90, 0, 100),
        ShareSale(1, "VYSC", "SR 6", 4, 400),
    )
    found = tell(Findings(sales=sales))
    assert found["Most regretted sale"] == (
        "Cid sold 3 IWNJ in SR 5 for £155; kept, they would have brought £1,340: £870 in dividends and £470 at the "
        "final price (£1,185 given up)."
    )
    assert found["Other sales to regret"] == (
        "Ann sold 2 ECR in SR 3 for £284; kept, they would have brought £855: £747 in dividends and £108 at the final "
        "price, as FDR (£571 given up)."
    )
    assert found["Best sale"] == "Bob sold 4 VYSC in SR 6 for £400; kept, they would have brought nothing."


def test_whose_train_took_whose() -> None:
    taken = (
        RustVictim("IOW", 1, ("3+2",), last=True),
        RustVictim("FYN", 0, ("3+2", "3+2"), last=True),
        RustVictim("C&N", 2, ("3+2", "3+2", "2+1"), last=False),
        RustVictim("S&C", -2, ("3+2",), last=False),
    )
    found = tell(Findings(rust=(RustCaused("OR 6.2", "FYN", 0, "6+3", taken),)))
    assert found["Rust"] == (
        "Ann's 6+3 for FYN in OR 6.2 took the last trains of Bob's IOW and Ann's own FYN, and 2 × 3+2 and a 2+1 of "
        "Cid's C&N, and a 3+2 of S&C."
    )
    alone = tell(Findings(rust=(RustCaused("OR 6.2", "FYN", -2, "6+3", taken[3:]),)))
    assert alone["Rust"] == "The 6+3 for FYN in OR 6.2 took a 3+2 of S&C."


def test_who_paid_for_whose_sale() -> None:
    falls = (
        PriceFall("SR 3", "ECR", 1, 2, 142, 128, ((0, 1, 14), (2, 4, 56))),
        PriceFall("SR 4", "ECR", 1, 1, 128, 122, ((0, 1, 6),)),
        PriceFall("SR 5", "ECR", 1, 1, 122, 119, ((0, 1, 3),)),
    )
    assert tell(Findings(falls=falls))["Sales that cost others"] == (
        "\n• Bob's sale of 2 ECR in SR 3 lowered the price from £142 to £128: Cid's 4 shares lost £56 and Ann's 1 "
        "share lost £14."
        "\n• Bob's sale of 1 ECR in SR 4 lowered the price from £128 to £122: Ann's 1 share lost £6."
    )


def test_revenue_kept_and_the_train_it_bought() -> None:
    savings = (
        TrainSaving("IOW", 0, 340, 3, 34, "8+4", 700, "OR 6.2", 0), TrainSaving("FYN", 1, 90, 1, 9),
        TrainSaving("C&N", 2, 70, 1, 7, "7+4", 600, "OR 6.3", 1),
    )  # fmt: skip
    assert tell(Findings(savings=savings))["Revenue kept"] == (
        "\n• Ann's IOW kept £340 of 3 runs (£34 a share), then bought an 8+4 for £700 in OR 6.2."
        "\n• Bob's FYN kept £90 of 1 run (£9 a share) and bought no train after that."
        "\n• Cid's C&N kept £70 of 1 run (£7 a share), then bought a 7+4 for £600 in OR 6.3 under Bob."
    )


def test_missed_revenue_by_company() -> None:
    runs = (
        RunReport("OR 1", "ECR", 0, 80, 30, proven=True),
        RunReport("OR 2", "N&E", 0, 80, 50, proven=True),
        RunReport("OR 2", "ECR", 1, 80, 10, proven=True),
    )
    found = {each.about: each.text for each in format_account(Account(unit="£", runs=runs), NAMES)}
    assert found["Left on the table"].endswith("Cid nothing. By company: N&E £50 and ECR £40.")


def test_a_players_own_decisions_can_be_tried_again() -> None:
    """The three that cost most, each with the position before it; of Steel Driver the auctions that brought least."""
    findings = Findings(
        (ShareDeal(0, "FYN", "SR 5", 2, 200, sold=80, at=70), ShareDeal(1, "C&N", "SR 5", 1, 500, at=71)),
        (ShareSale(0, "IWNJ", "SR 4", 3, 155, 870, at=51), ShareSale(0, "C&N", "SR 6", 1, 90, at=95)),
    )
    runs = (RunReport("OR 1", "ECR", 0, 80, 30, at=40), RunReport("OR 2", "ECR", 0, 80, 130, at=60))
    (found,) = describe_decisions(Account(unit="£", runs=runs, findings=findings), [0], NAMES)
    assert found.about == "Decisions of yours to try again"
    assert found.text.splitlines()[1:] == [
        "• selling 3 IWNJ in SR 4 cost £715: /game fork at:51",
        "• running ECR in OR 2 cost £130: /game fork at:60",
        "• buying 2 FYN in SR 5 cost £120: /game fork at:70",
    ]
    won = Findings(auctions=(AuctionWin(0, "Blue", "turn 1", 5, 20, 70, at=9), AuctionWin(1, "Red", "turn 1", 1)))
    (found,) = describe_decisions(Account(unit="$", findings=won), [0], NAMES)
    assert found.text == "winning Blue in turn 1 brought $90 for 5 cubes: /game fork at:9"
    assert not list(describe_decisions(Account(unit="$", findings=won), [2], NAMES))


def test_private_companies_stand_apart_from_shares() -> None:
    stakes = (Stake(0, "ECR", 100, 500), Stake(0, "private companies", 90, 10), Stake(1, "private companies", 20, 65))
    deals = (ShareDeal(0, "ECR", "SR 1", 1, 100),)
    account = Account(unit="£", stakes=stakes, findings=Findings(deals))
    found = {each.about: each.text for each in format_account(account, NAMES)}
    assert found["Private companies"] == "Ann paid £90 and got £10 · Bob paid £20 and got £65."


def test_what_cubes_brought_at_auctions() -> None:
    auctions = (
        AuctionWin(0, "Black", "turn 1", 4, 50, 150),
        AuctionWin(1, "Blue", "turn 1", 5, 20, 70),
        AuctionWin(1, "Black", "turn 2", 0, 0, 150),
    )
    found = tell(Findings(auctions=auctions), "$")
    black = "Ann's Black, won in turn 1 for 4 cubes, brought $200: $50 of profit and $150 for the share."
    assert found["Best auction"] == black
    assert found["Worst auction"] == (
        f"Bob's Blue, won in turn 1 for 5 cubes, brought $90: $20 of profit and $70 for the share; {black}"
    )
    assert found["Auctions"].splitlines()[1:] == [
        "• Ann won 1 company for 4 cubes, which brought $200, $50 a cube.",
        "• Bob won 2 companies for 5 cubes, which brought $240, $48 a cube.",
        "• Cid won none.",
    ]
    assert found["Value of a share"] == "Black $150, Blue $70."


def test_chances_to_win_and_where_they_turned() -> None:
    chances = Chances(("turn 1", "turn 2", "turn 4"), ((30, 20, 10), (40, 70, 75), (30, 10, 15)))
    curve, turn = describe_chances(chances, NAMES)
    assert curve.text.splitlines() == [
        "if the program's players had played on after turn 1, turn 2, turn 4",
        "• Ann 30% → 20% → 10%",
        "• Bob 40% → 70% → 75%",
        "• Cid 30% → 10% → 15%",
    ]
    assert turn.text == "Bob's chances went from 40% to 70% between the ends of turn 1 and turn 2."
    assert not list(describe_chances(Chances(), NAMES))
    chart = make_chances_chart(chances, NAMES, (1, 2), Identity())
    assert chart.steps == ("turn 1", "turn 2", "turn 4", "end")
    assert [line.values for line in chart.series] == [(30, 20, 10, 0), (40, 70, 75, 50), (30, 10, 15, 50)]


@pytest.mark.parametrize(("name", "steps"), [("steel_driver-3", 5), ("1862-2", 0)])
def test_chances_are_estimated_at_the_end_of_turns(name: str, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of all add up; the last turn leads on to the final determination. 1862 has no quick players."""
    monkeypatch.setattr("bot.service.workers.account.GAMES_PLAYED_ON", 2)
    kept = read(name)
    found = estimate_chances(Held(Game.replay(kept.setup, kept.read_log()[: None if steps else 9])), None)
    assert found.steps == tuple(f"turn {number}" for number in range(1, steps + 1))
    assert all(98 <= sum(column) <= 102 for column in zip(*found.values, strict=True))


async def test_a_report_that_is_too_long_for_a_message_comes_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its beginning above; at the local table any length is shown."""
    chapters = [Chapter("Best deal", "Ann's.", leads=True), Chapter("Revenue", "£1 " * 1200)]

    async def fetch(*_: object) -> list[Chapter]:
        return chapters

    async def load(_: int) -> object:
        return SimpleNamespace(game=SimpleNamespace(result=lambda: "over"))

    monkeypatch.setattr(view, "fetch_report", fetch)
    quota = SimpleNamespace(spend=lambda *_: None)
    services: Any = SimpleNamespace(table=SimpleNamespace(load_position=load), quota=quota)
    command = sure(view.build_view().find("report"))
    reply = await command.run(Call(services, Person("5", "Ann"), here=7))
    assert reply.text == "**Best deal** — Ann's.\nThe file has the whole report."
    assert reply.files == (("report-7.txt", f"Best deal: Ann's.\nRevenue: {'£1 ' * 1200}".encode()),)
    whole = await command.run(Call(services, Person("5", "Ann"), here=7, hot_seat=True))
    assert (whole.files, len(whole.text) > 3400) == ((), True)


def test_a_chapter_of_several_sentences_begins_on_a_line_of_its_own() -> None:
    one, many = Chapter("Rust", "One."), Chapter("Rust", "\n• One.\n• Two.")
    assert (one.plain, one.marked) == ("Rust: One.", "**Rust** — One.")
    assert (many.plain, many.marked) == ("Rust:\n• One.\n• Two.", "**Rust**\n• One.\n• Two.")
