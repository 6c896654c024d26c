"""Games as files: ours, those of 18xx.games, values by round.

A file is read in a process for it alone: played through once, undone moves folded.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from bot.model.errors import BotError
from bot.model.plain import tidy_person
from bot.model.standing import Facts
from bot.service.workers.jobs import LANES, Held, Task
from engine import Event, Game, LogEntry, LogError, Record, Redo, Request, RuleError, Setup, Undo
from engine.codec import encode_entry, encode_file, read_file
from engine.game import find_title, play_as_written, play_entry
from engine.interop.exchange import export_game, import_log, is_native, write_site_game
from engine.interop.profile import SITE
from engine.view import Chart
from engine.words import merge_repeats

FORMATS = ("native", "18xx.games", "csv")
_CHART_PICTURE = "chart"
MAX_ENTRIES = 20_000
CPU_SECONDS = 4
TOO_MUCH = (
    f"Reading this log takes more than {CPU_SECONDS} seconds or {LANES['files'].megabytes} MB; nothing was stored."
)
NOT_STRICT = "Nothing was stored. To play on from the game as it was read, import the file again with repair:yes."


class ReadMove(Record, frozen=True):
    """A move in force: who said what (as the database has it), and what was told of it."""

    seat: int
    said: str
    told: tuple[str, ...]


class ImportedGame(Record, frozen=True):
    """A game read from a file.

    Args:
        names: of the players, by seat. rows: the moves in force. facts: of where they lead.
        report: how the file differs from that, in sentences; nothing if it does not.
    """

    setup: Setup
    names: tuple[str, ...]
    rows: tuple[ReadMove, ...]
    facts: Facts
    report: tuple[str, ...] = ()


class FileAsked(Record, frozen=True):
    """A file to be read.

    Args:
        seed: opens it if it is sealed.
        repair: a game that goes on is read too if the file differs from what its moves lead to.
    """

    data: bytes
    seed: int | None = None
    repair: bool = False


def read_game_file(asked: FileAsked) -> ImportedGame:
    """Read a file of either format; every move is played once and checked.

    Raises:
        UnreadableLogError: it is no log, or sealed. LogError: an entry cannot be read or played.
        RuleError: the set-up is refused. BotError: it has too many entries, or people would play on from a game that
            isn't quite the one in the file.
    """
    if is_native(asked.data):
        file = read_file(asked.data, asked.seed)
        _refuse_too_long(len(file.log))
        return play_as_written(
            file.setup, lambda told: _play_moves(told, file.names, _list_in_force(file.log, told.seats))
        )
    found = import_log(asked.data, asked.seed)
    _refuse_too_long(len(found.log))
    if found.state is None:
        brought = _play_moves(found.setup, found.names, zip(found.index, found.log, strict=True))
    else:
        brought = _build_brought(found.setup, found.names, zip(found.log, found.events, strict=True), found.state)
    report = found.report.write_lines()
    if report and brought.facts.result is None and not asked.repair:
        raise BotError("\n".join((*report, NOT_STRICT)))
    return replace(brought, report=report)


def _play_moves(setup: Setup, names: Sequence[str], log: Iterable[tuple[int, LogEntry]]) -> ImportedGame:
    """Play moves, each with its place in the file."""
    title = find_title(setup)
    state = title.deal(setup)
    rows: list[tuple[LogEntry, Sequence[Event]]] = []
    for place, entry in log:
        try:
            if entry.seat not in title.actors(state):
                raise LogError(place, "It's not your turn.")
            action = title.spell_out(state, entry.seat, entry.action)
            events: list[Event] = []
            said = play_entry(title, state, LogEntry(entry.seat, action, entry.runs), events.append)
        except RuleError as refusal:
            raise LogError(place, str(refusal)) from refusal
        rows.append((said, events))
    return _build_brought(setup, names, rows, state)


def _build_brought(
    setup: Setup, names: Sequence[str], rows: Iterable[tuple[LogEntry, Sequence[Event]]], state: object
) -> ImportedGame:
    """Return a game that was read, by its moves with what followed from each, and the state at its end."""
    title = find_title(setup)
    called = [names[seat] if seat < len(names) else "" for seat in range(setup.seats)]
    called = [
        tidy_person(name, f"Player {seat + 1}") for seat, name in enumerate(called)
    ]  # each stands in every sentence
    moves = tuple(
        ReadMove(
            said.seat, encode_entry(said).decode(), merge_repeats(title.words.say(event, called) for event in events)
        )
        for said, events in rows
    )
    facts = Facts(tuple(title.actors(state)), title.words.ask(state), title.result(state))
    return ImportedGame(setup, tuple(called), moves, facts)


def _refuse_too_long(count: int) -> None:
    if count > MAX_ENTRIES:
        raise BotError(f"The log has {count} entries; the limit is {MAX_ENTRIES}.")


def _list_in_force(log: Sequence[LogEntry], seats: int) -> Iterator[tuple[int, LogEntry]]:
    """Yield the moves in force with their places; every undo and redo must be one that could be said.

    Raises:
        LogError: an entry names a seat or a move that is not there.
    """
    line: list[int] = []
    undone: list[list[int]] = []
    for place, entry in enumerate(log):
        if not 0 <= entry.seat < seats:
            raise LogError(place, f"There is no seat {entry.seat}.")
        if isinstance(entry.action, Undo):
            if not 0 <= entry.action.to < len(line):
                raise LogError(place, f"There is no move {entry.action.to} to go back to; {len(line)} are in force.")
            undone.append(line[entry.action.to :])
            del line[entry.action.to :]
        elif isinstance(entry.action, Redo):
            if not undone:
                raise LogError(place, "There is no undone move to restore.")
            line += undone.pop()
        else:
            undone.clear()
            line.append(place)
    return ((place, log[place]) for place in line)


def _read_file(_: None, asked: FileAsked) -> ImportedGame:
    return read_game_file(asked)


READ_FILE = Task("read file", _read_file, FileAsked, ImportedGame, lane="files", cpu_seconds=CPU_SECONDS)


# --- writing -----------------------------------------------------------------------------


def encode_export(game: Game, names: tuple[str, ...], kind: str, *, sealed: bool = False) -> bytes:
    """Return a game as a file of one of the ``FORMATS``; a sealed one keeps its seed back.

    Raises:
        BotError: no such format. UnreadableLogError: the format has no such game.
    """
    if kind not in FORMATS:
        raise BotError(f"The format must be one of: {', '.join(FORMATS)}.")
    if kind == "csv":
        return encode_csv(game, names)
    if kind == "native":
        return encode_file(game.setup, game.log, names, sealed=sealed)
    return export_game(game, names, sealed=sealed)


def _export(held: Held, wanted: tuple[tuple[str, ...], str, bool]) -> tuple[bytes, str]:
    """Return a file, and a sentence if it is for 18xx.games, which can't play it to where it stands."""
    names, kind, sealed = wanted
    if kind == SITE:
        written = write_site_game(held.game, names, sealed=sealed)
        return written.data, written.stop
    return encode_export(held.game, names, kind, sealed=sealed), ""


EXPORT = Task("export", _export, tuple[tuple[str, ...], str, bool], tuple[bytes, str])


def encode_csv(game: Game, names: tuple[str, ...]) -> bytes:
    """Return what the chart of a game shows to a bystander: a line a series, a column a step; UTF-8.

    Raises:
        BotError: the title has no chart.
    """
    has_chart = any(picture.name == _CHART_PICTURE for picture in game.title.views.pictures)
    chart = game.look(Request(_CHART_PICTURE, names=names)) if has_chart else None
    if not isinstance(chart, Chart):
        raise BotError(f"{game.title.name} has no chart of values over time.")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([chart.title, *chart.steps])
    for series in chart.series:
        writer.writerow([series.name, *("" if value is None else value for value in series.values)])
    return out.getvalue().encode()
