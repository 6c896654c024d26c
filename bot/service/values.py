"""The values of a game over time, as a table that spreadsheets read."""

import csv
import io

from bot.model.errors import BotError
from engine import Game, Request
from engine.view import Chart

_PICTURE = "chart"


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
