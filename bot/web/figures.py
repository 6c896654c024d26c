"""What a worker makes for pages: a figure of a position, a place or a company in words, the moments of a game."""

import gzip
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from bot.model.errors import BotError
from bot.service.workers.choices import add_choices, can_mark_changes, mark_changes
from bot.service.workers.jobs import Held, Task
from engine import Game, Record, Request, Title
from engine.game import play_entry
from engine.hex_view import HexView, Stop
from engine.title import ignore_event
from engine.view import AnyView, Banner, CharterView, MapView, MarketView, Network, Place, View
from engine.words import join_words, write_parameters
from render import Palette, PictureStyle, png
from render.html import HtmlWriter, html, wrap_article, write_lines

COMPRESSION = 6
CARD = "card"
PLACES = ("hex", "place")
"""What a figure can be about besides a picture of the title: its name is then the kind."""


class FigureAsked(Record, frozen=True):
    """A figure of a position.

    Args:
        request: the picture and what it is about; or "hex" or "place", and which.
        at: moves in force. palette: of the viewer.
        acts: whether the viewer must decide now, and sees what may be chosen.
    """

    request: Request
    at: int
    palette: Palette = "standard"
    acts: bool = False


def _draw_figure(held: Held, asked: FigureAsked) -> bytes:
    return gzip.compress(write_figure(held, asked).encode(), COMPRESSION, mtime=0)


def write_figure(held: Held, asked: FigureAsked) -> str:
    """Return a figure as XHTML.

    Raises:
        BotError, RuleError: there is no such position, picture, place or company.
    """
    then, request, style = held.replay_to(asked.at), asked.request, PictureStyle(asked.palette)
    if request.picture in PLACES:
        return _describe_place(held, asked, then)
    view = then.look(request)
    if can_mark_changes(view) and asked.at:
        view = mark_changes(held.replay_to(asked.at - 1).look(request), view)
    if asked.acts:
        view = add_choices(held, request, view)
    return html(view, style, _list_network(then, request.about) if isinstance(view, CharterView) else ())


class PreviewAsked(Record, frozen=True):
    """The picture of a preview, as all may see it, after so many moves; ``names`` of the players, of the table."""

    at: int
    names: tuple[str, ...]
    table: str


def _draw_preview(held: Held, asked: PreviewAsked) -> bytes:
    """Return a position as a PNG: its card, which has the board, who holds what and how the game went."""
    return png(held.replay_to(asked.at).look(Request(CARD, None, "", asked.names, asked.table)))


def _list_network(then: Game, company: str) -> list[str]:
    """Return what a company's track leads to, as figures name it."""
    board = then.look(Request(next(each.name for each in then.title.views.pictures if each.every_turn)))
    kind = "place" if isinstance(board, Network) else "hex"
    return [f"{kind}:{each}" for each in sorted(then.title.views.reach(then.state, company))]


def _describe_place(held: Held, asked: FigureAsked, then: Game) -> str:
    """Return a hex or place of the board in words."""
    board = next(each.name for each in then.title.views.pictures if each.every_turn)
    request = msgspec.structs.replace(asked.request, picture=board, about="")
    view, about = then.look(request), asked.request.about
    if isinstance(view, MapView):
        found = next((h for h in view.hexes if h.coord == about), None)
        if found is not None:
            fits = sorted(set(_list_fitting_tiles(held, asked))) if asked.acts else []
            codes = [code for code, _ in then.title.views.subjects(then.state, "company")]
            reached = [code for code in codes if about in then.title.views.reach(then.state, code)]
            return _describe_hex(view, found, asked, fits, reached)
    if isinstance(view, Network):
        place = next((each for each in view.places if each.id == about), None)
        if place is not None:
            return _describe_network_place(view, place, asked)
    raise BotError(f"There is no place “{about[:40]}” on this board.")


def _list_fitting_tiles(held: Held, asked: FigureAsked) -> Iterator[str]:
    """Yield the tiles that the viewer may lay on a hex now."""
    for action in held.list_legal(asked.request.seat or 0):
        tile = getattr(action, "tile", "")
        if tile and write_parameters(action).get("hex") == asked.request.about:
            yield str(tile)


def _describe_hex(view: MapView, h: HexView, asked: FigureAsked, fits: list[str], reached: list[str]) -> str:
    writer = HtmlWriter(view, PictureStyle(asked.palette))
    facts = [f"Tile {h.tile}" if h.tile else "No tile yet"]
    facts += [f"Needs tiles with the letter {h.letter}"] * bool(h.letter)
    facts += [f"Terrain: {h.cost}{f' ({h.terrain})' if h.terrain else ''}"] * bool(h.cost)
    facts += [_describe_stop(stop) for stop in h.stops]
    facts += [f"You can lay here now: {', '.join(fits)}"] * bool(fits)
    here = [token.company for stop in h.stops for token in stop.tokens if token]
    homes = (*h.homes, *(code for stop in h.stops for code in stop.reserved))
    waiting = [code for code in dict.fromkeys(homes) if code not in here]
    rows = (("Companies here:", here), ("Home of:", waiting), ("Reached by:", reached))
    chips = "".join(f"<p>{label} {''.join(map(writer.write_chip, codes))}</p>" for label, codes in rows if codes)
    return wrap_article("place", f"{h.name} ({h.coord})" if h.name else h.coord, write_lines(facts) + chips)


def _describe_stop(stop: Stop) -> str:
    """Return a stop in words: "City, £40, 1 of 2 slots free"; of an area its value by phase."""
    kinds = {"city": "City", "town": "Town", "halt": "Halt", "offboard": "Area off the board"}
    words = [f"{kinds[stop.kind]}{f' {stop.name}' if stop.name else ''}"]
    words += [str(stop.value)] if stop.value else []
    words += [f"{phase} {value}" for phase, value in stop.values]
    if stop.slots:
        words.append(f"{sum(not token for token in stop.tokens)} of {stop.slots} slots free")
    return ", ".join(words)


def _describe_network_place(view: Network, place: Place, asked: FigureAsked) -> str:
    writer, names = HtmlWriter(view, PictureStyle(asked.palette)), {each.id: each.name for each in view.places}
    facts = [f"Value {place.value}", f"{place.goods.capitalize()} goods{'' if place.cube else ', taken'}"]
    facts += ["A company may start here"] * (place.shape == "hexagon")
    links = [link for link in view.links if place.id in (link.a, link.b)]
    for link in links:
        other = names.get(link.b if link.a == place.id else link.a, "")
        facts.append(f"To {other}: {link.company or f'free, cost {link.cost}'}")
    builders = list(dict.fromkeys((*place.starts, *(link.company for link in links if link.company))))
    chips = f"<p>Companies here: {''.join(map(writer.write_chip, builders))}</p>" if builders else ""
    return wrap_article("place", place.name, write_lines(facts) + chips)


class PastMoment(Record, frozen=True):
    """A position of a game in few words: its round, and what is asked of whom; empty at the end."""

    round: str
    asks: str


class MomentsAsked(Record, frozen=True):
    """The positions after so many moves in force and more; ``names`` of the players."""

    since: int
    names: tuple[str, ...]


def _list_moments(held: Held, asked: MomentsAsked) -> tuple[PastMoment, ...]:
    """Return the moments from a position on to the latest."""
    game = held.game
    board = next(each.name for each in game.title.views.pictures if each.every_turn)
    then = held.replay_to(min(asked.since, len(game.line)))
    state = game.title.clone(then.state)
    found = [_describe_moment(game, state, board, asked.names)]
    for position in game.line[asked.since :]:
        play_entry(game.title, state, game.log[position], ignore_event)
        found.append(_describe_moment(game, state, board, asked.names))
    return tuple(found)


def _describe_moment(game: Game, state: Any, board: str, names: tuple[str, ...]) -> PastMoment:  # noqa: ANN401  # the title's own
    now = Game(game.setup, (), (), state)
    ask = now.ask().insert_names(names)
    who = join_words([names[seat] for seat in ask.seats if seat < len(names)])
    title = game.title.views.look(state, Request(board, names=names)).title
    return PastMoment(title.partition(" · ")[0].partition(",")[0], f"{ask.headline}: {who}" if who else "")


class AlbumAsked(Record, frozen=True):
    """All figures of a finished game that an album holds.

    Args:
        names: of the players, of the table. afterwards: what is told of it when it is over, by the name of its figure.
    """

    names: tuple[str, ...]
    table: str
    afterwards: dict[str, AnyView] = {}


class Album(Record, frozen=True):
    """The figures of a game: most of them repeat most of what the ones before show.

    Args:
        pieces: of XHTML, each once. drawn: the distinct figures, each by its pieces.
        shown: by name, which figure each position has, the beginning first.
    """

    pieces: tuple[str, ...]
    drawn: tuple[tuple[int, ...], ...]
    shown: dict[str, tuple[int, ...]]


def _draw_album(held: Held, asked: AlbumAsked) -> bytes:
    """Return all figures of a game as a bystander saw them, packed."""
    game = held.game
    pieces, drawn, known = dict[str, int](), list[tuple[int, ...]](), dict[bytes, int]()
    shown: dict[str, list[int]] = {name: [] for name in list_album_figures(game.title)}

    def draw(view: View) -> int:
        name = hashlib.sha256(msgspec.json.encode(view)).digest()
        if name not in known:
            known[name] = len(drawn)
            parts = _PIECES.split(html(view, PictureStyle()))
            drawn.append(tuple(pieces.setdefault(part, len(pieces)) for part in parts if part))
        return known[name]

    state = game.title.deal(game.setup)
    for position in (None, *game.line):
        if position is not None:
            play_entry(game.title, state, game.log[position], ignore_event)
        now = Game(game.setup, (), (), state)
        for name, numbers in shown.items():
            view = now.look(Request(name, names=asked.names, table=asked.table))
            numbers.append(draw(msgspec.structs.replace(view, banner=_keep_company(view))))
    whole = {name: tuple(numbers) for name, numbers in shown.items()}
    for name, view in asked.afterwards.items():
        whole[name] = (draw(view),) * (len(game.line) + 1)
    return gzip.compress(msgspec.json.encode(Album(tuple(pieces), tuple(drawn), whole)), 9, mtime=0)


def _keep_company(view: View) -> Banner | None:
    """Return of a banner what a board marks: the company that acts; the page says the rest."""
    return Banner("", company=view.banner.company) if view.banner and isinstance(view, MapView | MarketView) else None


def list_album_figures(title: Title[Any]) -> list[str]:
    """Return the pictures that an album shows: those of every turn, values over time and the card."""
    return [
        each.name for each in title.views.pictures if not each.about and (each.every_turn or each.name in _IN_ALBUM)
    ]


_IN_ALBUM = ("table", "chart", CARD, "boxes", "order")
_PIECES = re.compile(r"(?=<(?:g|path|text|rect|circle|svg|tr|li)[ >])")
"""Where figures are divided into pieces, most of which are in the figures before too."""

ALBUM = Task("album", _draw_album, AlbumAsked, bytes, lane="pictures", rank=8, seconds=180.0)
FIGURE = Task("figure", _draw_figure, FigureAsked, bytes, lane="pictures", rank=4)
PREVIEW = Task("preview", _draw_preview, PreviewAsked, bytes, lane="pictures", rank=6)
MOMENTS = Task("moments", _list_moments, MomentsAsked, tuple[PastMoment, ...], lane="pictures", rank=5)
