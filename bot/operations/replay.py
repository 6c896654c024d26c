"""Replay a log file: check every action, tell the result, write what was asked for."""

import json
import re
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, TextIO

import msgspec
import typer

from bot.model.seating import list_ranking
from bot.operations.cli import REFUSED, UNREADABLE, Watch, end_with, ignore_progress, show_progress
from engine import TITLES, Game, LogError, Record, Request, UnreadableLogError
from engine.codec import MAX_FILE_BYTES
from engine.interop.exchange import Imported, TraceWish, import_log, trace_game
from engine.posters import make_frames
from engine.words import pluralise
from render import film, png

commands = typer.Typer()


class Wishes(Record, frozen=True):
    """What a replay writes beside the result; ``None`` for what is not wanted.

    Args:
        trace: the state after each action, as JSON lines. routes: each run of
            trains and the best there was. options: what was legal before each action.
        images: a folder for the pictures of every turn. film: a file for its time-lapse, a frame a round.
        until: stop after so many actions in force.
        seed: opens a log that was taken while the game ran.
    """

    trace: Path | None = None
    routes: Path | None = None
    options: Path | None = None
    images: Path | None = None
    film: Path | None = None
    until: int | None = None
    seed: int | None = None


class Report(Record, frozen=True):
    """The result of a replay; ``result`` has the score of each player id, empty before the end.

    ``words`` tell it to a person: the title's name, how many actions, why it ended, who has what.
    ``repairs`` tell how the file differs from the game that was played.
    """

    title: str
    finished: bool
    reason: str
    actions: int
    result: dict[str, int]
    words: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


def read_file(path: Path) -> bytes:
    """Return a file that may be a log.

    Raises:
        UnreadableLogError: there is none, or it is huge.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableLogError(f"{path}: {error.strerror or type(error).__name__}.") from None
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableLogError(f"The file is too large; the limit is {MAX_FILE_BYTES:,} bytes.")
    return data


def replay(data: bytes, wishes: Wishes, watch: Watch = ignore_progress) -> Report:
    """Play a log again and write what is wished; ``watch`` is told how far it is.

    Raises:
        UnreadableLogError: the bytes are no log. LogError: an action breaks a rule.
    """
    watch("reading the file", 0, 0)
    found = import_log(data, wishes.seed)
    most = len(found.log) if wishes.until is None else min(wishes.until, len(found.log))
    with ExitStack() as files:
        writers = _open_writers(files, wishes)
        state, count = TITLES[found.setup.title].deal(found.setup), 0
        before = Game(found.setup, (), (), state).actors
        clock = perf_counter if wishes.routes is not None else None
        steps = trace_game(found, TraceWish(wishes.trace is not None, wishes.options is not None, clock))
        for step in islice(steps, wishes.until):
            state, count = step.state, count + 1
            watch("actions", count, most)
            for file, row in zip(writers, (step.after, step.before, step.run), strict=True):
                if file is not None and row is not None:
                    file.write(msgspec.json.encode(row).decode() + "\n")
            now = Game(found.setup, (), (), state)
            if wishes.images is not None and now.actors != before:
                _draw(now, step.index, found.names, wishes.images)
            before = now.actors
    if wishes.film is not None:
        watch("drawing the film", 0, 0)
        wishes.film.write_bytes(film(make_frames(Game.replay(found.setup, found.log), found.names)))
    return _make_report(found, state, count)


def _open_writers(files: ExitStack, wishes: Wishes) -> tuple[TextIO | None, TextIO | None, TextIO | None]:
    """Open the files for states, options and runs, in this order."""
    trace_file, options, routes = (
        files.enter_context(path.open("w", encoding="utf-8")) if path is not None else None
        for path in (wishes.trace, wishes.options, wishes.routes)
    )
    return trace_file, options, routes


def _draw(game: Game, index: int, names: tuple[str, ...], folder: Path) -> None:
    """Write the pictures of every turn, named by the position in the file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in game.pictures():
        view = game.look(Request(name, names=names))
        (folder / f"{index:05}-{re.sub('[^a-z]+', '-', name)}.png").write_bytes(png(view))


def _make_report(found: Imported, state: object, count: int) -> Report:
    title = TITLES[found.setup.title]
    result, played = title.result(state), f"{title.name}: {pluralise(count, 'action')} in force"
    repairs = found.report.write_lines()
    if result is None:
        so_far = (f"{played}, not finished.",)
        return Report(title.id, finished=False, reason="", actions=count, result={}, words=so_far, repairs=repairs)
    scores = {found.ids[score.seat]: score.total for score in result.scores}
    reason = result.reason_in_words
    words = (f"{played}, over: {reason}.", *(f"  {line}" for line in list_ranking(result, found.names, ":")))
    return Report(
        title.id, finished=True, reason=result.reason, actions=count, result=scores, words=words, repairs=repairs
    )


@commands.command("replay")
def replay_file(  # noqa: PLR0913  # one parameter an option of the command
    file: Annotated[Path, typer.Argument(help="A log in our format or that of 18xx.games.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    trace: Annotated[Path | None, typer.Option(help="Write the state after each action.")] = None,
    routes: Annotated[Path | None, typer.Option(help="Write each run and the best possible run.")] = None,
    options: Annotated[Path | None, typer.Option(help="Write the legal actions before each action.")] = None,
    images: Annotated[Path | None, typer.Option(help="Write the pictures of every turn to a folder.")] = None,
    film: Annotated[Path | None, typer.Option(help="Write a time-lapse of the board, a frame a round (WebP).")] = None,
    until: Annotated[int | None, typer.Option(min=0, help="Stop after this many actions that aren't undone.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of a game that was exported before it ended.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a file that states anything other than what its moves lead to.")
    ] = False,
) -> None:
    """Replay a game log, checking every action; exit 1 for a broken rule, 2 for a file that isn't a log."""
    try:
        with show_progress() as watch:
            wishes = Wishes(trace, routes, options, images, film, until, seed)
            report = replay(read_file(file), wishes, watch)
    except LogError as refusal:
        end_with(f"Action {refusal.index} is refused: {refusal.cause}", REFUSED)
    except UnreadableLogError as refusal:
        end_with(str(refusal), UNREADABLE)
    except OSError as error:
        end_with(f"{error.filename}: {error.strerror}.", UNREADABLE)
    except Exception as error:  # noqa: BLE001  # a hostile file may find a hole in the reader: one clear line, never a trace
        end_with(f"This file can't be read as a game log ({type(error).__name__}: {error}).", UNREADABLE)
    if strict and report.repairs:
        end_with(" ".join(report.repairs), REFUSED)
    if as_json:
        fields = ("title", "finished", "reason", "actions", "result", "repairs")
        typer.echo(json.dumps({name: getattr(report, name) for name in fields}, ensure_ascii=False))
        return
    for line in (*report.words, *report.repairs):
        typer.echo(line)
