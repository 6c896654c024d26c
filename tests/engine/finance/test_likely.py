"""What most people would do with shares stands first on menus."""

from engine.finance.likely import against_price, against_selling
from engine.record import Record


class Line(Record, frozen=True):
    """A company as a holder sees it."""

    director: int
    trains: tuple[str, ...] = ()
    operated: bool = True
    price: int = 60


def test_shares_that_earn_nothing_are_sold_first_and_those_one_directs_last() -> None:
    own, lame, earning, young = Line(0), Line(1), Line(1, ("2+1",)), Line(1, operated=False, price=80)
    assert sorted([own, earning, young, lame], key=lambda each: against_selling(each, 0)) == [lame, young, earning, own]


def test_a_company_is_started_at_the_most_that_one_can_float_alone() -> None:
    """With £400 and five shares to buy that is £80; what takes others comes last, the dearest at the end."""
    assert sorted([54, 74, 80, 82, 100], key=lambda par: against_price(par, 5, 400)) == [80, 74, 54, 82, 100]
