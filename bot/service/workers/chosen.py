"""What may be chosen now, on the pictures of a table: dashed on the map, told in words, noted for who decides."""

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import shorten

import msgspec

from bot.service.workers.held import Held
from bot.service.workers.menu import menu_of
from engine import Action, Request
from engine.framing import MOST_ALT
from engine.title import named
from engine.view import CharterView, HexView, MapView, MarketView, Network, Panels, Sheet, View

MOST_NOTES = 6
_CHOICES = re.compile(r" · \d+ choices$")
"""What a menu says of values that are asked next."""
CHANGES = ("→", "stays", "leaves", "new price")
"""Words by which a choice says what it changes in prices and treasuries."""


def with_choices(held: Held, request: Request, view: View) -> View:
    """Return a picture of the position as it is now, with what the one to decide may choose.

    A map dashes it, for everybody to see. Market, table and company note what each choice changes, for the one
    who decides alone: it may tell what a treasury holds.
    """
    if isinstance(view, MapView | Network):
        return _dashed(held, view)
    if isinstance(view, MarketView | Sheet | CharterView) and request.seat in held.game.ask().seats[:1]:
        changes = _changes(held, request)
        return msgspec.structs.replace(view, notes=(*view.notes, *changes), alt=_cut(" ".join([view.alt, *changes])))
    return view


def _by_verb(held: Held) -> Iterator[Sequence[Action]]:
    """Yield what the one to decide may do, verb by verb, but for what cannot be listed."""
    title = held.game.title
    for seat in held.game.ask().seats[:1]:
        legal = held.legal(seat)
        for verb in dict.fromkeys(kind.verb for kind in title.actions if kind.verb not in title.open_verbs):
            could = [action for action in legal if verb and action.verb == verb]
            if could:
                yield could


def _places(held: Held, could: Sequence[Action]) -> Collection[str]:
    """Return the hexes, places or links ("a b") that actions choose from, as a bystander may know them."""
    drawn = held.game.title.views.illustrate(held.game.state, Request(), could)
    if isinstance(drawn, Panels):
        return {panel.hexes[0].coord for panel in drawn.panels if panel.letter}
    if isinstance(drawn, MapView):
        return {each.coord for each in drawn.hexes if each.choice}
    if isinstance(drawn, Network):
        links = {f"{link.a} {link.b}" for link in drawn.links if link.choice}
        return links or {place.id for place in drawn.places if place.choice}
    return ()


def _dashed(held: Held, view: MapView | Network) -> View:
    """Return a map with the places of the first verb that has any marked, and named before all else in its words."""
    places = next((found for could in _by_verb(held) if (found := _places(held, could))), ())
    if not places:
        return view
    ask = held.game.ask()
    if isinstance(view, MapView):
        hexes = tuple(_with_mark(h) if h.coord in places else h for h in view.hexes)
        names = [f"{h.coord} {h.name}".strip() for h in hexes if h.coord in places]
        view = msgspec.structs.replace(view, hexes=hexes)
    else:
        name = {place.id: place.name for place in view.places}
        links = tuple(
            msgspec.structs.replace(each, mark="can") if f"{each.a} {each.b}" in places else each for each in view.links
        )
        names = [f"{name[each.a]}–{name[each.b]}" for each in links if f"{each.a} {each.b}" in places]
        names = names or [name[each] for each in name if each in places]
        view = msgspec.structs.replace(view, links=links)
    told = f"{ask.headline}, to {ask.kind}: {', '.join(names)}. {view.alt}"
    return msgspec.structs.replace(view, alt=_cut(told))


def _cut(told: str) -> str:
    """Return the words of a picture, cut between two of them where they are too many."""
    return shorten(told, MOST_ALT, placeholder=" …")


def _with_mark(tile: HexView) -> HexView:
    return msgspec.structs.replace(tile, mark="new can" if "new" in tile.mark else "can")


def _changes(held: Held, request: Request) -> list[str]:
    """Return what each choice changes in prices and treasuries, in the words of menus."""
    title, state = held.game.title, held.game.state
    lines = [
        line.words
        for could in _by_verb(held)
        if not _places(held, could)
        for line in menu_of(could, lambda action, name: named(title.words.label(state, action, name), request.names))
    ]
    told = [_CHOICES.sub("", line) for line in lines if any(word in line for word in CHANGES)]
    return [f"Now: {line}." for line in told[:MOST_NOTES]]
