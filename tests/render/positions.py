"""Real positions of every title to draw: moments of the games that are kept in ``tests/playthroughs``."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from engine import TITLES, Game, Request
from engine.rails.laying import LayTile
from engine.view import Brand, MapView, Network, View
from tests.playthroughs.record import read, states
from tests.support.sure import as_a

NAMES = ("Alice", "Bob Longfellow", "Carol", "Dieter", "Eve", "Frank", "Grace", "Heidi")
TABLE = "Sunday Night Railways"
GAMES = {"1860": "1860-3", "1862": "1862-4", "steel_driver": "steel_driver-4"}
MOMENTS = {"start": 0.0, "third": 0.33, "late": 0.7, "end": 1.0}
CHOICES = ("LayTile", "PlaceBase", "PlaceMarker", "Run", "Build")
"""Kinds of action that are chosen by a picture."""


@cache
def _states(game: str) -> tuple[dict[str, Any], dict[str, tuple[Any, int]]]:
    """Return the states at the moments, and the state and seat before a choice of each kind, late in the game."""
    kept = read(game)
    title, said = TITLES[kept.setup.title], kept.read_log()
    wanted = {round(share * len(said)): name for name, share in MOMENTS.items()}
    before = title.deal(kept.setup)
    moments, choices = {"start": title.clone(before)}, {}
    for count, (_, state) in enumerate(states(kept.setup, said), 1):
        kind = type(said[count - 1].action).__name__
        if kind in CHOICES and count < 0.8 * len(said):
            choices[kind] = (before, said[count - 1].seat)
        if count in wanted:
            moments[wanted[count]] = title.clone(state)
        before = title.clone(state)
    return moments, choices


@cache
def _seats(game: str) -> int:
    return read(game).setup.seats


def _game(title: str, state: object) -> Game:
    """Return a position as a game without its log: its pictures have their banners."""
    return Game(read(GAMES[title]).setup, (), (), state)


def state_at(title: str, moment: str) -> Any:  # noqa: ANN401  # the title's own
    """Return the state of a title's game at a moment, which must not be changed."""
    return _states(GAMES[title])[0][moment]


@cache
def brands_of(title: str) -> tuple[Brand, ...]:
    """Return the companies of a title."""
    view = picture(title, "start", "map")
    assert isinstance(view, MapView | Network)
    return view.brands


def picture(title: str, moment: str, name: str) -> View:
    """Return a picture of a moment; of a company or player, that of the last one there is."""
    state, shelf = state_at(title, moment), TITLES[title]
    about = next(each.about for each in shelf.views.pictures if each.name == name)
    subjects = [value for value, _ in shelf.views.subjects(state, about)] if about else [""]
    return _game(title, state).look(Request(name, None, subjects[-1], NAMES[: _seats(GAMES[title])], TABLE))


def choice(title: str, kind: str, *, narrow: bool = False) -> View:
    """Return the picture that shows a choice among actions of a kind; ``narrow``: on one hex only."""
    state, seat = _states(GAMES[title])[1][kind]
    shelf = TITLES[title]
    legal = [action for action in shelf.legal(state, seat) if type(action).__name__ == kind]
    if narrow:
        hexes = [as_a(LayTile, action).hex for action in legal]
        most = max(hexes, key=hexes.count)
        legal = [action for action in legal if as_a(LayTile, action).hex == most]
    view = _game(title, state).illustrate(Request(seat=seat, names=NAMES, table=TABLE), legal[:25])
    assert view is not None, (title, kind)
    return view


def views() -> Iterator[tuple[str, Callable[[], View]]]:
    """Yield (name, how to make it) of every view."""
    for title in GAMES:
        for moment in MOMENTS:
            for each in TITLES[title].views.pictures:
                if (
                    each.name != "map"
                    and moment not in ("start", "late")
                    and not (moment == "end" and each.name == "card")
                ):
                    continue
                yield f"{title}-{moment}-{each.name}", partial(picture, title, moment, each.name)
        kinds = {kind.__name__ for kind in TITLES[title].actions}
        for kind in CHOICES:
            if kind in kinds:
                yield f"{title}-choice-{kind}", partial(choice, title, kind)
        if "LayTile" in kinds:
            yield f"{title}-choice-tiles", partial(choice, title, "LayTile", narrow=True)


BIG = dict(views())
"""The map of every title at four moments of a whole game, its other pictures at two, and those of its choices."""
HEX_MAPS = {
    name: make for name, make in BIG.items()
    if not name.startswith("steel") and (name.endswith("-map") or ("-choice-" in name and "tiles" not in name))
}  # fmt: skip
