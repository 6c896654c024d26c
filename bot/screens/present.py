"""Outcomes, tables and logs in words, for whoever reads them: channel, reply or terminal."""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from bot.model.posts import MOST_IN_LINE
from bot.model.records import LogLine, Outcome, Position, Table
from bot.model.seating import listed, ranking
from bot.screens.screen import clip
from engine import TITLES


def told(outcome: Outcome) -> str:
    """Return what happened and who is next."""
    lines = [*outcome.sentences]
    if outcome.result is not None:
        return "\n".join([*lines, *final(outcome)])
    return "\n".join([*lines, *asked(outcome)])


def asked(outcome: Outcome) -> list[str]:
    """Return who must decide what, in at most two lines."""
    if outcome.ask is None:
        return []
    names = listed([seat.name for seat in outcome.actors])
    lines = [f"Next: {names} to {outcome.ask.kind} — {outcome.ask.headline}."]
    return [*lines, " · ".join(outcome.ask.lines).replace(". · ", ". ")] if outcome.ask.lines else lines


def final(outcome: Outcome) -> list[str]:
    """Return the end of the game: why, the scores, and the seed that settled all chance."""
    if outcome.result is None:
        return []
    scores, table = ranking(outcome.result, outcome.table.names, ":"), outcome.table
    seed = f"The seed was {table.seed} (fingerprint {table.fingerprint})."
    return [f"The game is over: {outcome.result.told}.", *scores, seed]


def card(table: Table) -> str:
    """Return a table in words: what is played, with what options, by whom."""
    title = TITLES.get(table.title)
    played = title.name if title else table.title
    name = f"{played}" if table.name == played else f"“{table.name}” · {played}"
    lines = [f"#{table.id} {name} · {table.state} · {table.pace}"]
    if title is not None:
        lines.append(f"Variants: {variants(table)}")
    alone = len({seat.user for seat in table.seats}) < 2
    host = "" if alone and len(table.seats) > 1 else " (host)"
    seats = ", ".join(f"{seat.name}{host}" if seat.user == table.host else seat.name for seat in table.seats)
    free = table.places - len(table.seats) if table.state == "open" else 0
    lines.append(f"Seats: {seats}" + (f" · {free} free" if free else ""))
    if table.privacy == "invite" and table.state == "open":
        lines.append("By invitation.")
    if table.state == "open":
        lines.append(f"Seed is drawn; its fingerprint is {table.fingerprint}.")
    if table.state == "finished":
        lines.append(f"The seed was {table.seed} (fingerprint {table.fingerprint}).")
    if table.reason:
        lines.append(f"Ended: {table.reason}.")
    return "\n".join(lines)


def variants(table: Table) -> str:
    """Return what was agreed in the lobby that is not as usual, in words; of a board always which it is."""
    chosen = [(option, table.options.get(option.name, option.default)) for option in TITLES[table.title].options]
    told = [
        f"{option.label}: {option.words(value)}" for option, value in chosen if value != option.default or option.files
    ]
    return " · ".join(told) or "standard"


def standing(here: Position) -> str:
    """Return where a running game stands: whose turn, what is asked."""
    if not here.actors:
        return f"“{here.table.name}” is over."
    ask = here.ask()
    names = listed([seat.name for seat in here.actors])
    return "\n".join([f"{ask.headline}: {names} to {ask.kind}.", *ask.lines])


def log_lines(lines: Sequence[LogLine], *, branches: bool = False) -> list[str]:
    """Return log lines as text: "12  Ann bids £3." and "  ×  … (taken back)".

    What was taken back together takes one line, unless ``branches`` are to be read.
    """
    return [_log_line(line) for line in (lines if branches else folded(lines))]


def folded(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return log lines with moves that were taken back together in one: how many, whose, the first and the last."""
    found: list[LogLine] = []
    for undone, group in groupby(lines, key=lambda line: line.taken_back):
        branch = list(group)
        found += [_branch(branch)] if undone and len(branch) > 1 else branch
    return found


def _branch(lines: Sequence[LogLine]) -> LogLine:
    first, last = (" ".join(line.sentences).rstrip(".") for line in (lines[0], lines[-1]))
    names = listed(list(dict.fromkeys(line.name for line in lines)))
    told = f"{len(lines)} moves of {names}, from “{clip(first, 80)}” to “{clip(last, 80)}”"
    return msgspec.structs.replace(lines[0], sentences=(told,))


def _log_line(line: LogLine) -> str:
    between = f"\n{'':6}" if len(line.sentences) > MOST_IN_LINE else " "
    said = between.join(line.sentences) or f"{line.name} moves."
    number = str(line.move) if line.move else "×" if line.taken_back else "·"
    return f"{number:>4}  {said}{' (taken back)' if line.taken_back else ''}"
