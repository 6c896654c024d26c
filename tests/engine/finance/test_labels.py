"""The words of choices, as every title of shares and trains has them."""

from engine.finance import trading
from engine.finance.rounds import Pass
from engine.printed import PrintedCompany, Units
from engine.rails.laying import LayTile

DOLLARS = Units("$", 20)


def test_a_label_is_what_the_title_says_or_else_what_is_typed() -> None:
    """It has two hundred signs at most."""
    said: trading.Labels[str] = {
        (LayTile, "hex"): lambda s, lay: f"{lay.hex} in {s}",
        (LayTile, ""): lambda *_: "x" * 201,
    }
    lay = LayTile("B2", "7", 3)
    assert trading.find_label(said, "the hills", lay, "hex") == "B2 in the hills"
    assert trading.find_label(said, "the hills", lay, "tile") == "7"
    assert trading.find_label(said, "the hills", lay, "") == "x" * 200
    assert trading.find_label(said, "the hills", Pass(), "") == ""


def test_the_cost_of_starting_a_company_is_shown_with_its_par() -> None:
    """The director's certificate is as many shares as the title says."""
    assert (
        trading.describe_charter(PrintedCompany("AB", "A and B Railway", "Aston", "red", "white", "ship"))
        == "AB · A and B Railway, home Aston"
    )
    assert trading.describe_par(DOLLARS, 60, 2) == "par $60 · $120 for the director's certificate"
    assert trading.describe_start(DOLLARS, "AB", 60, 3) == "Start AB at par $60 for $180"


def test_a_run_is_the_best_or_one_that_is_written_out() -> None:
    assert [trading.describe_run(plan, "best") for plan in ("best", "2 A1-B2")] == [
        "Run the best routes",
        "Run these routes",
    ]
    assert [trading.describe_run_plan(plan, "best") for plan in ("best", "2 A1-B2")] == ["the best run", "2 A1-B2"]
