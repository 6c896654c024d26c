"""Facts that games of track tiles have in common, and their words."""

from engine.record import Event


class TileLaid(Event, frozen=True):
    """A company laid or upgraded a tile.

    Args:
        cost: what it paid for the terrain.
        home: it lies under the company's home, not laid in its turn.
    """

    company: str
    hex: str
    tile: str
    rotation: int
    cost: int = 0
    home: bool = False


def laid(event: TileLaid, place: str, cost: str = "") -> str:
    """Return a lay in words: "C&N lays tile 8 ↻2 on Ryde (I3) for 20cc."; ``cost`` is the money, if any was paid."""
    home, paid = f", its home{',' * bool(event.cost)}" * event.home, f" for {cost}" if event.cost else ""
    return f"{event.company} lays tile {event.tile} ↻{event.rotation} on {place}{home}{paid}."
