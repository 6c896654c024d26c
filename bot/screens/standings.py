"""Pictures of a league: the table of a season, and a person's card."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bot.service.league import LeagueLine, LeagueTable
from bot.service.seasons import SeasonTable
from engine import TITLES
from engine.setup import read_own_file
from engine.view import MAX_ALT_CHARACTERS, Card, Entry, Sheet, TableView
from engine.words import pluralise

MAX_ROWS = 24
"""Rows of a picture that can still be read on a phone; the words and the file have all."""

Tone = Literal["", "strong", "dim"]
Result = tuple[LeagueTable, LeagueLine]
"""What a person did in games of one kind, and the standings of all in these."""


def name_kind(table: LeagueTable) -> str:
    """Return the title, the number of players and the options that differ from the usual ones."""
    kind = table.kind
    title = TITLES.get(kind.title)
    chosen = msgspec.json.decode(kind.options, type=dict[str, str])
    usual = {option.name: option.default for option in title.options} if title else {}
    files = {name: own.name for name, value in chosen.items() if (own := read_own_file(value))}
    words = [f"{name} {files.get(name, value)}" for name, value in chosen.items() if usual.get(name) != value]
    return ", ".join([title.short_name if title else kind.title, f"{kind.players} players", *words])


def make_season_sheet(table: SeasonTable) -> Sheet:
    """Return the standings of a season as a picture; people who haven't played yet stand dim below the others."""
    season, title = table.season, TITLES.get(table.season.title)
    heads = ("", "Player", "Points", "Games", "Won", "Share", "Rating")
    rows, shown = [], table.standings[:MAX_ROWS]
    for place, line in enumerate(shown, 1):
        tone: Tone = "dim" if not line.games else "strong" if place == 1 else ""
        figures = [f"{line.points:.1f}", f"{line.games}", f"{line.won}", f"{line.share:.0%}"]
        figures = figures if line.games else ["–"] * len(figures)
        rating = "–" if line.rating is None else f"{line.rating} ± {line.doubt}"
        rows.append(tuple(Entry(text, tone=tone) for text in (f"{place}", line.name, *figures, rating)))
    notes = [_note_count(table)]
    if len(table.standings) > len(shown):
        notes.append(f"{pluralise(len(table.standings) - len(shown), 'more player')} below.")
    leaders = ", ".join(f"{line.name} {line.points:.1f}" for line in shown if line.games)
    return Sheet(
        title=f"{season.name} · {title.short_name if title else season.title}",
        alt=f"Standings of “{season.name}”: {leaders or 'no game has ended yet'}."[:MAX_ALT_CHARACTERS],
        tables=(TableView("", tuple(Entry(head) for head in heads), tuple(rows)),),
        notes=tuple(notes),
        identity=title.views.identity if title else Sheet("", "", ()).identity,
    )


def _note_count(table: SeasonTable) -> str:
    """Return how many games count, are still played, and don't count."""
    running = f", {table.running} running" * bool(table.running)
    out = f", {table.left_out} left out (ended by vote, or with a stand-in)" * bool(table.left_out)
    count = f"{pluralise(table.games, 'game')}{running}{out}"
    return f"{count}. Points: the share of the others left behind. Share: of the winner's score."


def make_person_sheet(name: str, results: Sequence[Result]) -> Sheet:
    """Return a person's card: what they did at each kind of game, and what they are proud of above."""
    lines = [line for _, line in results]
    games, won = sum(line.games for line in lines), sum(line.won for line in lines)
    rated = max(results, key=lambda each: each[1].rating or 0, default=None)
    cards = [Card(f"{won} of {games}", f"by chance {sum(line.chance for line in lines):.1f}", title="games won")]
    if rated is not None and rated[1].rating is not None:
        cards.append(Card(f"{rated[1].rating} ± {rated[1].doubt}", name_kind(rated[0]), title="rating"))
    if (longest := max((line.longest for line in lines), default=0)) > 1:
        cards.append(Card(f"{longest} in a row", "of one kind", title="games won"))
    heads = ("Game", "Games", "Won", "By chance", "Share", "Best", "Rating")
    rows = tuple(
        tuple(
            Entry(text)
            for text in (
                name_kind(table), f"{line.games}", f"{line.won}", f"{line.chance:.1f}", f"{line.share:.0%}",
                f"{line.best:,}", "–" if line.rating is None else f"{line.rating} ± {line.doubt}",
            )
        )
        for table, line in results[:MAX_ROWS]
    )  # fmt: skip
    told = "; ".join(f"{name_kind(table)}: {pluralise(line.games, 'game')}, {line.won} won" for table, line in results)
    return Sheet(
        title=name,
        alt=f"Results of {name}: {told}."[:MAX_ALT_CHARACTERS],
        tables=(TableView("", tuple(Entry(head) for head in heads), rows),),
        notes=("Share: of the winner's score. A rating comes after five games of one kind; newcomers have 1000.",),
        cards=tuple(cards),
    )
