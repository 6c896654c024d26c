"""Games written as files, in a worker: our format, that of 18xx.games, values by round."""

import csv
import io

from bot.model.errors import BotError
from bot.service.workers.held import Held, Task
from engine import Game, Request
from engine.codec import encode_file
from engine.interop.exchange import export_game
from engine.view import Chart

FORMATS = ("native", "18xx.games", "csv")
_PICTURE = "chart"


def as_bytes(game: Game, names: tuple[str, ...], kind: str, *, sealed: bool = False) -> bytes:
    """Return a game as a file of one of the ``FORMATS``; a sealed one keeps its seed back.

    Raises:
        BotError: no such format. UnreadableLogError: the format has no such game.
    """
    if kind not in FORMATS:
        raise BotError(f"The format is one of: {', '.join(FORMATS)}.")
    if kind == "csv":
        return as_csv(game, names)
    if kind == "native":
        return encode_file(game.setup, game.log, names, sealed=sealed)
    return export_game(game, names, sealed=sealed)


def _exported(held: Held, wanted: tuple[tuple[str, ...], str, bool]) -> bytes:
    names, kind, sealed = wanted
    return as_bytes(held.game, names, kind, sealed=sealed)


EXPORT = Task("export", _exported, tuple[tuple[str, ...], str, bool], bytes)


def as_csv(game: Game, names: tuple[str, ...]) -> bytes:
    """Return what the chart of a game shows to a bystander: a line a series, a column a step; UTF-8.

    Raises:
        BotError: the title has no chart.
    """
    chart = game.look(Request(_PICTURE, names=names)) if _has_chart(game) else None
    if not isinstance(chart, Chart):
        raise BotError(f"{game.title.name} keeps no values over time.")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([chart.title, *chart.steps])
    for series in chart.series:
        writer.writerow([series.name, *("" if value is None else value for value in series.values)])
    return out.getvalue().encode()


def _has_chart(game: Game) -> bool:
    return any(picture.name == _PICTURE for picture in game.title.views.pictures)
