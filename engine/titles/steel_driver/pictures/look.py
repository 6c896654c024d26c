"""What of a position can be seen: its pictures, and those that show choices."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from engine import pictures
from engine.record import Action
from engine.title import Picture, Request
from engine.titles.steel_driver.actions import Build, Claim
from engine.titles.steel_driver.pictures import boxes, chart, goods, land, order
from engine.titles.steel_driver.score import result
from engine.titles.steel_driver.state import State
from engine.view import View

PICTURES = (
    Picture("map", "Map", every_turn=True),
    Picture("boxes", "Company boxes"),
    Picture("company", "One company", about="company"),
    Picture("table", "Players"),
    Picture("order", "Order and profit"),
    Picture("goods", "Goods and sets"),
    Picture("chart", "Cash over the turns"),
    Picture("card", "Card"),
)

_LOOK: Mapping[str, Callable[[State, Request], View]] = MappingProxyType(
    {
        "map": land.look,
        "boxes": boxes.look,
        "company": boxes.company,
        "table": boxes.players,
        "order": order.look,
        "goods": goods.look,
        "chart": chart.look,
        "card": lambda s, request: pictures.card(land.look(s, request), chart.look(s, request), result(s), request),
    }
)


def look(state: State, request: Request) -> View:
    """Return a picture; nothing in this game is hidden from anybody.

    Raises:
        RuleError: there is no such picture, or no such company to show.
    """
    return pictures.drawn(_LOOK, state, state.seats, request)


def subjects(state: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be asked about; only companies, by their id."""
    if about != "company":
        return ()
    brands = state.board.companies
    return [(key, brand.name) for key, brand in zip(state.board.ids, brands, strict=True)]


def illustrate(state: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture for choosing among actions: numbered links or cubes on the map, or the boxes."""
    if any(isinstance(action, Build | Claim) for action in actions):
        return land.numbered(state, actions)
    return boxes.look(state, request)
