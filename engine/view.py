"""What anyone may draw or print: the only way out of a state.

Views are frozen records of plain values. They hold what is to be seen, never
how it looks: colours of companies are suggestions that a palette may replace,
and everything is told by letters and words as well.
"""

from typing import Literal

import msgspec

from engine.hex_view import HexView, Leg, Line
from engine.record import Record

MAX_ALT_CHARACTERS = 1024
"""Letters of a picture's words for who cannot see it: what a front can take."""


class Banner(Record, frozen=True):
    """What stands above a picture, so that a stranger knows what it shows.

    Args:
        game: name of the game; table: name of the table, empty where there is none.
        asks: what the game waits for: "S&C operates (OR 4.1, 3rd of 6)"; company: that acts, empty for a player.
        who: the players who act.
        leads: who is ahead: "Alice ahead"; empty if no one is, or if the picture shows it.
    """

    game: str
    table: str = ""
    asks: str = ""
    company: str = ""
    who: str = ""
    leads: str = ""


class Identity(Record, frozen=True):
    """What a title's pictures have of their own: suggestions, as the colours of companies are.

    Args:
        face: of its name and of areas: "fatface", "slab" or "woodtype"; empty for none of its own.
        place: name of the land that its board shows, in lines.
        colours: ``#rrggbb`` by what it is the colour of: "paper", "sea", "land", "head", …
        scale: a distance in words and in sides of hexes: ("5 miles", 3.94).
    """

    face: str = ""
    colours: tuple[tuple[str, str], ...] = ()
    place: tuple[str, ...] = ()
    scale: tuple[str, float] = ("", 0.0)


class Framed(msgspec.Struct, frozen=True, kw_only=True):
    """What all views have about them.

    Args:
        headline: of a result, told first: "ECR ran for £1,270".
        banner: what stands above the picture; ``None`` where its title is enough.
        identity: of the title it is from.
    """

    headline: str = ""
    banner: Banner | None = None
    identity: Identity = Identity()


class Brand(Record, frozen=True):
    """A company as it is told apart: letters first, colour second.

    Args:
        code: "C&N"; written on tokens and chips.
        name: full name.
        colour: background as ``#rrggbb``; ink: letters on it.
        slot: its number in the title, by which palettes give it colour and pattern.
        emblem: what it bears: "anchor", "wheel"; empty for none.
    """

    code: str
    name: str
    colour: str
    ink: str
    slot: int
    emblem: str = ""


class View(Framed, frozen=True, tag_field="view", tag=True):
    """A thing to be looked at; ``title`` heads it, ``alt`` tells it in words (at most 1024 characters)."""

    title: str
    alt: str


class MapView(View, frozen=True):
    """A map of hexes, with runs, marks and numbered choices on it.

    Coordinates are read as letters for columns and numbers for half-rows, on a pointy map as rows and half-columns.
    ``new`` says since when what is marked "new" is so, ``asks`` what is chosen by the numbers on it. ``close`` says
    that only what is asked about need be seen: of a large map the parts where that is. ``phase`` is that of the game,
    ``inks`` are the colours of tiles that may be laid in it.
    """

    hexes: tuple[HexView, ...]
    brands: tuple[Brand, ...] = ()
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    new: str = "new"
    asks: str = "to choose from"
    close: bool = False
    phase: str = ""
    inks: tuple[str, ...] = ()


class Cell(Record, frozen=True):
    """A space of a stock market.

    Args:
        x, y: place on the printed market, in cells (halves allowed).
        price: in pounds; zone: name of its colour zone; sign: letter of the zone.
        tokens: companies in it, first to operate first. pars: companies whose par it is.
    """

    x: float
    y: float
    price: int
    zone: str = ""
    sign: str = ""
    tokens: tuple[str, ...] = ()
    pars: tuple[str, ...] = ()


class MarketView(View, frozen=True):
    """A stock market; ``zones`` explains the signs, ``wrap`` is the most columns in a band.

    ``moves`` tells by company from which cell its price came since the last round, and whether it rose.
    """

    cells: tuple[Cell, ...]
    brands: tuple[Brand, ...] = ()
    zones: tuple[tuple[str, str, str], ...] = ()
    wrap: int = 14
    notes: tuple[str, ...] = ()
    moves: tuple[tuple[str, int, bool], ...] = ()


class Entry(Record, frozen=True):
    """What stands in one place of a table: words, maybe a company's chip, a tone, tile colours as swatches."""

    text: str = ""
    chip: str = ""
    tone: Literal["", "strong", "good", "bad", "dim"] = ""
    swatch: tuple[str, ...] = ()


class TableView(Record, frozen=True):
    """Columns with headings, and rows of entries; numbers are set right.

    ``heads`` may hold chips too. ``mine`` is the row of the viewer, or -1; ``acting`` are the rows of who acts.
    """

    title: str
    heads: tuple[Entry, ...]
    rows: tuple[tuple[Entry, ...], ...]
    mine: int = -1
    acting: tuple[int, ...] = ()


class Card(Record, frozen=True):
    """A train or a private company as a card: what it is called, a line below, and whether it is about to go.

    ``title`` is the full name of a private company.
    """

    name: str
    words: str = ""
    dim: bool = False
    title: str = ""


class Sheet(View, frozen=True):
    """Tables one below the other, then cards side by side, then notes."""

    tables: tuple[TableView, ...]
    brands: tuple[Brand, ...] = ()
    notes: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()


class Holding(Record, frozen=True):
    """A part of a company: who has it, how much of it; what its holder is to it, as "director"."""

    who: str
    count: int
    role: str = ""


class CharterView(View, frozen=True):
    """One company as its charter: facts, trains as cards, tokens as a row, shares by owner.

    Args:
        company: code, one of ``brands``. facts: name and value.
        cards: trains. tokens: where each stands, or what placing it costs; ``True`` for those placed.
        holdings: who has how much, the director first, in ``unit``.
    """

    company: str
    facts: tuple[tuple[str, str], ...]
    cards: tuple[Card, ...] = ()
    tokens: tuple[tuple[str, bool], ...] = ()
    holdings: tuple[Holding, ...] = ()
    unit: str = "%"
    brands: tuple[Brand, ...] = ()
    notes: tuple[str, ...] = ()


class Panel(Record, frozen=True):
    """One lettered picture among several: a hex in place, with pale neighbours.

    Args:
        letter: "A", or empty in a manifest. caption: "742 ↻3 · 3 left".
        hexes: the hex itself first, then its neighbours (``faded``).
    """

    letter: str
    caption: str
    hexes: tuple[HexView, ...]
    dim: bool = False


class Panels(View, frozen=True):
    """Lettered choices side by side, or the manifest of tiles with counts left."""

    panels: tuple[Panel, ...]
    brands: tuple[Brand, ...] = ()
    notes: tuple[str, ...] = ()


class Series(Record, frozen=True):
    """One line of a chart; ``None`` where there is no value."""

    name: str
    values: tuple[int | None, ...]
    chip: str = ""


class Chart(View, frozen=True):
    """Values over time: one label for each step, lines told apart by end labels and dashes.

    ``unit`` stands before the values: a currency. ``most`` is a value that the axis reaches at least. ``now`` are the
    present values of all lines, if they have changed since the last step.
    """

    steps: tuple[str, ...]
    series: tuple[Series, ...]
    brands: tuple[Brand, ...] = ()
    unit: str = ""
    most: int = 0
    now: tuple[int | None, ...] = ()

    def write_value(self, value: int) -> str:
        """Return a value with its unit: "£9,869"."""
        return f"{'−' if value < 0 else ''}{self.unit}{abs(value):,}"


class Place(Record, frozen=True):
    """A location of a network map.

    Args:
        x, y: on the view's canvas. shape: "hexagon" or "circle".
        value: in pounds. goods: colour name of its goods; letter: that colour's letter.
        cube: its goods are still available. choice: number of an option.
    """

    id: str
    name: str
    x: float
    y: float
    shape: Literal["hexagon", "circle"]
    value: int
    goods: str
    letter: str
    cube: bool = False
    starts: tuple[str, ...] = ()
    choice: str = ""


class NetworkLink(Record, frozen=True):
    """A route between two places: its cost while unbuilt, then the company that built it."""

    a: str
    b: str
    cost: int
    company: str = ""
    choice: str = ""
    mark: Literal["", "new", "can"] = ""


class Network(View, frozen=True):
    """A map of places and links, with an outline of the land behind it; ``new`` as for a ``MapView``.

    ``land`` is the name of the board, in lines.
    """

    width: float
    height: float
    places: tuple[Place, ...]
    links: tuple[NetworkLink, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    brands: tuple[Brand, ...] = ()
    notes: tuple[str, ...] = ()
    new: str = "new"
    land: tuple[str, ...] = ()


class Rank(Record, frozen=True):
    """A line of a card: a place or a seat, who has it, and what that is worth.

    ``first`` for who won or leads; ``line`` is the number of its line in the card's chart, -1 for none.
    """

    place: str
    name: str
    words: str = ""
    first: bool = False
    line: int = -1


class Poster(View, frozen=True):
    """A card to be shared, 1600 by 900: the board, who stands where, worth by round, some facts."""

    board: MapView | Network
    ranks: tuple[Rank, ...]
    chart: Chart | None = None
    facts: tuple[str, ...] = ()


class Reel(View, frozen=True):
    """A frame of a film: the board, what happened, who is worth what on a chart with fixed axes."""

    board: MapView | Network
    caption: str
    chart: Chart


class Reached(Record, frozen=True):
    """The track that a company can reach from its tokens, hex by hex; ends as in ``Track``."""

    company: str
    legs: tuple[Leg, ...]


class Broadsheet(View, frozen=True):
    """A sheet to hang up at the end of a game: its networks as a diagram, who won, worth over time, the story.

    Args:
        game, table: names. board: with the terrain that was there at the start. networks: of a board of hexes.
        turning: how the game was decided, in a few words. best_company: whose run earned most, empty if none ran.
        best_words: who made it and when. best_stops: the stops it called at, with what they paid.
        story: sentences, what matters most first.
    """

    game: str
    table: str
    board: MapView | Network
    ranks: tuple[Rank, ...]
    chart: Chart
    networks: tuple[Reached, ...] = ()
    turning: str = ""
    best_company: str = ""
    best_words: str = ""
    best_stops: tuple[str, ...] = ()
    story: tuple[str, ...] = ()


class AidSection(Record, frozen=True):
    """A part of a cheat sheet: its heading and its lines."""

    title: str
    lines: tuple[str, ...]


class AidView(View, frozen=True):
    """A game on one page: sections, and the phases with the present one marked, if it has any."""

    sections: tuple[AidSection, ...]
    phases: TableView | None = None


class Note(View, frozen=True):
    """Plain lines: a log, a rule, a list."""

    lines: tuple[str, ...]


AnyView = (
    MapView | MarketView | Sheet | CharterView | Panels | Chart | Network | Poster | Broadsheet | Reel | AidView | Note
)
