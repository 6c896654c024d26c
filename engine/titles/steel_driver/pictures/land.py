"""The map: places, routes with their costs, links by company, numbered choices."""

from collections.abc import Iterable, Mapping, Sequence

from engine.record import Action
from engine.title import Request
from engine.titles.steel_driver.actions import Build, Claim
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.pictures import label
from engine.titles.steel_driver.pictures.words import SIGNS, heading, telling
from engine.titles.steel_driver.state import COMPANIES, NOBODY, State, acting, place_id
from engine.view import Network, NetworkLink, Place

Numbers = Mapping[int, str]
NONE: Numbers = {}


def look(state: State, request: Request) -> Network:
    """Return the map as it lies."""
    del request
    alt = telling(heading(state, state.board.name), _told(state))
    return _network(state, heading(state), alt)


def numbered(state: State, actions: Sequence[Action]) -> Network:
    """Return the map with the links or cubes to choose from numbered 1, 2, … in the order given."""
    routes: dict[int, str] = {}
    places: dict[int, str] = {}
    told: list[str] = []
    for number, action in enumerate(actions, 1):
        if isinstance(action, Build):
            _add(routes, _route(state, action), number)
        elif isinstance(action, Claim):
            _add(places, place_id(state, action.place), number)
        told.append(f"{number}: {label.label(state, action, 'route')}.")
    title = f"{state.board.companies[acting(state)].name}: {len(actions)} to choose from"
    return _network(state, title, telling(title, told), routes=routes, places=places)


def _network(
    state: State,
    title: str,
    alt: str,
    *,
    routes: Numbers = NONE,
    places: Numbers = NONE,
) -> Network:
    """Return the map with marks and numbers."""
    board = state.board
    return Network(
        title=title,
        alt=alt,
        width=board.width,
        height=board.height,
        places=tuple(_place(state, number, places) for number in range(len(board.places))),
        links=tuple(_link(state, number, routes) for number in range(len(board.routes))),
        outlines=board.outlines,
        brands=board.companies,
        notes=_notes(state),
        land=tuple(state.board.name.replace(" (", "\n(").split("\n")),
    )


def _notes(state: State) -> tuple[str, ...]:
    """Return where the board comes from, until the first link is built."""
    fresh = all(owner == NOBODY for owner in state.owner)
    return (state.board.note,) if fresh and state.board.note else ()


def _place(state: State, number: int, choices: Numbers) -> Place:
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


def _link(state: State, number: int, choices: Numbers) -> NetworkLink:
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


def _told(state: State) -> Iterable[str]:
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


def _route(state: State, action: Build) -> int:
    """Return the number of the route a build would use."""
    origin, destination = place_id(state, action.origin), place_id(state, action.destination)
    return next(route for route, other, _ in state.board.exits[origin] if other == destination)


def _add(choices: dict[int, str], key: int, number: int) -> None:
    """Put a number on a link or place; two builds of one link, from either end, share it as "3/4"."""
    choices[key] = f"{choices[key]}/{number}" if key in choices else str(number)
