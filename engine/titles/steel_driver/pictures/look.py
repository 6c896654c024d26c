"""What of a position can be seen: its pictures, and those that show choices."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from engine import pictures
from engine.record import Action
from engine.title import Picture, Request
from engine.titles.steel_driver.actions import Build, Claim
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.pictures import label, sheets
from engine.titles.steel_driver.pictures.label import SIGNS
from engine.titles.steel_driver.pictures.sheets import join_parts, write_heading
from engine.titles.steel_driver.score import find_result
from engine.titles.steel_driver.state import COMPANIES, NOBODY, State, find_acting, find_place, list_members
from engine.view import Network, NetworkLink, Place, View

Numbers = Mapping[int, str]
NONE: Numbers = {}


def view_map(state: State, request: Request) -> Network:
    """Return the map as it lies."""
    del request
    alt = join_parts(write_heading(state, state.board.name), _describe_map(state))
    return _view_network(state, write_heading(state), alt)


def view_numbered_map(state: State, actions: Sequence[Action]) -> Network:
    """Return the map with the links or cubes to choose from numbered 1, 2, … in the order given."""
    routes: dict[int, str] = {}
    places: dict[int, str] = {}
    told: list[str] = []
    for number, action in enumerate(actions, 1):
        if isinstance(action, Build):
            _add_number(routes, _find_route_number(state, action), number)
        elif isinstance(action, Claim):
            _add_number(places, find_place(state, action.place), number)
        told.append(f"{number}: {label.write_label(state, action, 'route')}.")
    title = f"{state.board.companies[find_acting(state)].name}: {len(actions)} to choose from"
    return _view_network(state, title, join_parts(title, told), routes=routes, places=places)


def _view_network(
    state: State,
    title: str,
    alt: str,
    *,
    routes: Numbers = NONE,
    places: Numbers = NONE,
) -> Network:
    """Return the map with marks and numbers; it says where the board comes from, until the first link is built."""
    board = state.board
    return Network(
        title=title,
        alt=alt,
        width=board.width,
        height=board.height,
        places=tuple(_view_place(state, number, places) for number in range(len(board.places))),
        links=tuple(_view_link(state, number, routes) for number in range(len(board.routes))),
        outlines=board.outlines,
        brands=board.companies,
        notes=(board.note,) if board.note and all(owner == NOBODY for owner in state.owner) else (),
        land=tuple(state.board.name.replace(" (", "\n(").split("\n")),
    )


def _view_place(state: State, number: int, choices: Numbers) -> Place:
    """Return one location; its goods are shown until they are claimed in the final determination."""
    place = state.board.places[number]
    starts = [
        brand.code
        for brand, company in zip(state.board.companies, state.companies, strict=True)
        if company.start == number
    ]
    return Place(
        id=place.id,
        name=place.name,
        x=place.x,
        y=place.y,
        shape="hexagon" if place.start else "circle",
        value=place.value,
        goods=GOODS[place.goods],
        letter=SIGNS[GOODS[place.goods]][0],
        cube=state.phase in ("auction", "build") or bool(state.cubes_left >> number & 1),
        starts=tuple(starts),
        choice=choices.get(number, ""),
    )


def _view_link(state: State, number: int, choices: Numbers) -> NetworkLink:
    """Return one route: its cost, or the company that built it."""
    route, owner, places = state.board.routes[number], state.owner[number], state.board.places
    choice = choices.get(number, "")
    return NetworkLink(
        a=places[route.a].id,
        b=places[route.b].id,
        cost=route.cost,
        company=state.board.companies[owner].code if owner != NOBODY else "",
        choice=choice,
        mark="can" if choice else "",
    )


def _describe_map(state: State) -> Iterable[str]:
    """Yield the links of each company in words, then the cubes that still lie on the map."""
    places = state.board.places
    for number in range(COMPANIES):
        links = [route for route, owner in zip(state.board.routes, state.owner, strict=True) if owner == number]
        name = state.board.companies[number].name
        if links:
            start = places[state.companies[number].start].name
            track = ", ".join(f"{places[route.a].name}–{places[route.b].name}" for route in links)
            yield f"{name}, from {start}: {track}."
        else:
            yield f"{name} has no track."
    if state.cubes_left:
        left = [place.name for number, place in enumerate(places) if state.cubes_left >> number & 1]
        yield f"Cubes at {', '.join(left)}."


def _find_route_number(state: State, action: Build) -> int:
    """Return the number of the route a build would use."""
    origin, destination = find_place(state, action.origin), find_place(state, action.destination)
    return next(route for route, other, _ in state.board.exits[origin] if other == destination)


def _add_number(choices: dict[int, str], key: int, number: int) -> None:
    """Put a number on a link or place; two builds of one link, from either end, share it as "3/4"."""
    choices[key] = f"{choices[key]}/{number}" if key in choices else str(number)


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
        "map": view_map,
        "boxes": sheets.view_boxes,
        "company": sheets.view_company,
        "table": sheets.view_players,
        "order": sheets.view_order,
        "goods": sheets.view_goods,
        "chart": sheets.view_chart,
        "card": lambda s, request: pictures.make_card(
            view_map(s, request), sheets.view_chart(s, request), find_result(s), request
        ),
        "sheet": lambda _s, _request: pictures.view_aid("engine.titles.steel_driver"),
    }
)


def look(state: State, request: Request) -> View:
    """Return a picture; nothing in this game is hidden from anybody.

    Raises:
        RuleError: there is no such picture, or no such company to show.
    """
    return pictures.find_view(_LOOK, state, state.seats, request)


def list_subjects(state: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be asked about; only companies, by their id."""
    if about != "company":
        return ()
    brands = state.board.companies
    return [(key, brand.name) for key, brand in zip(state.board.ids, brands, strict=True)]


def list_reached_places(state: State, company: str) -> Sequence[str]:
    """Return the places that a company's network has."""
    if company not in state.board.ids:
        return ()
    network = state.companies[state.board.ids.index(company)].network
    return [state.board.places[place].id for place in list_members(network)]


def illustrate(state: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture for choosing among actions: numbered links or cubes on the map, or the boxes."""
    if any(isinstance(action, Build | Claim) for action in actions):
        return view_numbered_map(state, actions)
    return sheets.view_boxes(state, request)
