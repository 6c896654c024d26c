"""The pictures of a title: their list, the one that is requested, what they can be about, and the card."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeVar

import msgspec

from engine.errors import RuleError
from engine.printed import read_data
from engine.record import Record, Rule
from engine.title import Picture, Request, Result
from engine.view import (
    MAX_ALT_CHARACTERS,
    AidSection,
    AidView,
    Chart,
    Entry,
    MapView,
    Network,
    Poster,
    Rank,
    TableView,
    View,
)

S = TypeVar("S")


def make_entries(*words: str) -> tuple[Entry, ...]:
    """Return words as a row of a table."""
    return tuple(Entry(word) for word in words)


def find_own_row(request: Request) -> int:
    """Return the row of the player who looks; -1 for a bystander."""
    return -1 if request.seat is None else request.seat


def name_chart(what: str, steps: Sequence[str], now: Sequence[int | None] = ()) -> str:
    """Return the title of a chart: "Worth up to OR 4.2"; "up to now" with values of the round under way."""
    if not steps or steps[-1] in ("start", "end"):
        return f"{what} over time"
    return f"{what} up to {'now' if now else steps[-1]}"


PICTURES = Rule("Table", "pictures")
NO_NAMES: Mapping[str, str] = MappingProxyType({})


_LABELS: Mapping[str, str] = MappingProxyType({"sheet": "Cheat sheet"})
_ABOUT: Mapping[str, Literal["company", "seat"]] = MappingProxyType({"company": "company", "player": "seat"})


def make_pictures(names: Iterable[str], every_turn: Collection[str]) -> tuple[Picture, ...]:
    """Return pictures by their names; one named "company" is about a company, one named "player" about a seat.

    Args:
        names: in the order they are offered; a button has them with a capital, or in words.
        every_turn: those that are posted after every turn.
    """
    return tuple(
        Picture(name, _LABELS.get(name, name.title()), _ABOUT.get(name, ""), every_turn=name in every_turn)
        for name in names
    )


def find_view(views: Mapping[str, Callable[[S, Request], View]], s: S, seats: int, request: Request) -> View:
    """Return the view that a request asks for.

    Args:
        views: by name of the picture; one named "player" is about a seat.
        s: the position.
        seats: how many there are at the table.
        request: what is asked.

    Raises:
        RuleError: there is no such picture, or no such seat; a view may raise it for what it is about.
    """
    view = views.get(request.picture)
    if view is None:
        raise RuleError(f"There is no picture “{request.picture[:40]}”; the pictures are {', '.join(views)}.", PICTURES)
    if request.picture == "player" and request.about not in {str(seat) for seat in range(seats)}:
        raise RuleError(f"There is no seat “{request.about[:40]}” at this table.", PICTURES)
    return view(s, request)


def list_subjects(
    kind: str, companies: Mapping[str, str], seats: int, hexes: Mapping[str, str] = NO_NAMES
) -> Sequence[tuple[str, str]]:
    """Return what a picture can be about, as (value, words): companies, hexes or seats."""
    if kind == "hex":
        return [(coord, f"{coord} · {name}") for coord, name in hexes.items()]
    if kind == "company":
        return [(code, f"{code} · {name}") for code, name in companies.items()]
    if kind == "seat":
        return [(str(seat), f"Seat {seat + 1}") for seat in range(seats)]
    return []


class _Phases(Record, frozen=True, forbid_unknown_fields=True):
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class _Aid(Record, frozen=True, forbid_unknown_fields=True):
    section: tuple[AidSection, ...]
    phases: _Phases | None = None


def view_aid(package: str, phase: str = "") -> AidView:
    """Return the cheat sheet of a title, ``data/sheet.toml`` of its package, with the present phase marked."""
    written = read_data(package, "sheet.toml", _Aid)
    told = ". ".join(section.title for section in written.section)
    if written.phases is None:
        return AidView("Cheat sheet", f"Cheat sheet: {told}.", written.section)
    rows = tuple(make_entries(*row) for row in written.phases.rows)
    now = tuple(number for number, row in enumerate(written.phases.rows) if row[0] == phase)
    phases = TableView("Phases", make_entries(*written.phases.heads), rows, acting=now)
    return AidView("Cheat sheet", f"Cheat sheet: {told}. Phases.", written.section, phases)


def make_card(board: View, chart: View, result: Result | None, request: Request) -> Poster:
    """Return the card of a game: its board, who leads or has won, worth by round, and three facts.

    Args:
        board: the map as it lies.
        chart: worth by round, a line for each seat.
        result: of the game, ``None`` while it goes on.
        request: who asks, and what the seats are called.
    """
    assert isinstance(board, MapView | Network)
    assert isinstance(chart, Chart)
    if isinstance(board, MapView):  # a card is for those who did not follow each turn: nothing is new to them
        plain = tuple(msgspec.structs.replace(each, mark="") for each in board.hexes)
        board = msgspec.structs.replace(board, hexes=plain)
    values = chart.now or tuple(line.values[-1] for line in chart.series if line.values)
    last = {seat: value or 0 for seat, value in enumerate(values)}
    if not result and len(set(last.values())) < 2:  # no one is ahead yet: show the seats
        seats = tuple(Rank(str(seat + 1), request.find_name(seat)) for seat in range(len(chart.series)))
        told = ". ".join(["Standings", *(rank.name for rank in seats)])
        return Poster("Standings", f"{told}."[:MAX_ALT_CHARACTERS], board, seats, chart)
    totals = {score.seat: score.total for score in result.scores} if result else last
    ahead = result.winners if result else [seat for seat, total in totals.items() if total == max(totals.values())]
    ranks = tuple(
        Rank(
            str(1 + sum(other > total for other in totals.values())),
            request.find_name(seat),
            chart.write_value(total),
            first=seat in ahead,
            line=seat,
        )
        for seat, total in sorted(totals.items(), key=lambda one: -one[1])
    )
    facts = (*_list_facts(chart), *_describe_lead(ranks, totals, chart, over=result is not None))
    title = "The end" if result else "Standings now" if chart.now else f"Standings after {chart.steps[-1]}"
    won = [rank for rank in ranks if rank.first]
    headline = f"{' and '.join(rank.name for rank in won)} won with {won[0].words}" if result and won else ""
    told = ". ".join([title, *(f"{rank.place} {rank.name} {rank.words}" for rank in ranks), *facts])
    return Poster(title, f"{told}."[:MAX_ALT_CHARACTERS], board, ranks, chart, facts, headline=headline)


def _list_facts(chart: Chart) -> tuple[str, ...]:
    """Return facts about the course of a game: who led longest, and the biggest gain."""
    rows = [[value or 0 for value in line.values] for line in chart.series]
    if not rows or len(chart.steps) < 3:
        return ()
    leads = [sum(row[k] == max(other[k] for other in rows) for k in range(1, len(chart.steps))) for row in rows]
    longest = leads.index(max(leads))
    leaps = [(row[k] - row[k - 1], seat, k) for seat, row in enumerate(rows) for k in range(1, len(row))]
    gain, seat, at = max(leaps)
    when = "at the end" if chart.steps[at] == "end" else f"in {chart.steps[at]}"
    return (
        f"{chart.series[longest].name} led in {leads[longest]} of {len(chart.steps) - 1} rounds",
        f"Biggest gain: {chart.series[seat].name}, {chart.write_value(gain)} {when}",
    )


def _describe_lead(ranks: Sequence[Rank], totals: Mapping[int, int], chart: Chart, *, over: bool) -> tuple[str, ...]:
    """Return by how much the first is ahead of the second, if at all."""
    ahead = sorted(totals.values(), reverse=True)[:2]
    if len(set(ahead)) < 2:
        return ()
    best, second = ahead
    return (f"{ranks[0].name} {'won' if over else 'leads'} by {chart.write_value(best - second)}",)
