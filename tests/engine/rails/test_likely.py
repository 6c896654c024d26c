"""Which tiles stand first on a menu."""

from engine.rails.actions import LayTile
from engine.rails.likely import likely
from tests.engine.rails.toy import lay_out


def test_what_pays_and_meets_track_comes_first_and_what_leads_nowhere_last() -> None:
    """By hex, then by tile; those alike keep their order."""
    board = lay_out("C4 town")
    alone, beside, joined, poor = (
        LayTile("B5", "bend", 0), LayTile("C6", "town", 1), LayTile("C6", "town", 0), LayTile("C6", "line", 0),
    )  # fmt: skip
    assert likely(board, [alone, poor, beside, joined]) == [joined, beside, poor, alone]
    assert likely(board, [LayTile("D5", "bend", 3), alone]) == [LayTile("D5", "bend", 3), alone]
