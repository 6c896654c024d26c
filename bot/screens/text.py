"""What is read without pictures: outcomes, tables, logs and views as text, and commands as typed."""

import re
from collections.abc import Sequence
from itertools import groupby

import msgspec

from bot.model.errors import BotError
from bot.model.posts import MAX_SENTENCES_IN_LINE
from bot.model.records import EXPERIENCES, LogLine, Outcome, Position, Table
from bot.model.seating import describe_damage, join_names, list_ranking
from bot.screens.screen import clip
from engine import TITLES
from engine.interop.travel import explain_stay
from engine.view import AidView, Chart, MapView, MarketView, Network, Note, Panels, Sheet, TableView, View

MAX_LINE_LENGTH = 4000
_NAMED = re.compile(r"([^\s:\"“„‘]+):")
_MOVE = re.compile(r"(?:/act )?[a-z]+ \S")
_QUOTES = {'"': '"', "“": "”", "„": "“”", "‘": "’", "'": "'", "«": "»"}
_CLOSING = {ends: re.compile(rf"[{ends}](?=\s|\Z)") for ends in _QUOTES.values()}


def format_outcome(outcome: Outcome) -> str:
    """Return what happened and who is next."""
    lines = [*outcome.sentences]
    if outcome.result is not None:
        return "\n".join([*lines, *format_result(outcome)])
    return "\n".join([*lines, *format_next(outcome)])


def format_next(outcome: Outcome) -> list[str]:
    """Return who must decide what, in at most two lines."""
    if outcome.ask is None:
        return []
    names = join_names([seat.name for seat in outcome.actors])
    lines = [f"Next: {names} to {outcome.ask.kind} — {outcome.ask.headline}."]
    return [*lines, " · ".join(outcome.ask.lines).replace(". · ", ". ")] if outcome.ask.lines else lines


def format_result(outcome: Outcome) -> list[str]:
    """Return the end of the game: why, the scores, and the seed that settled all chance."""
    if outcome.result is None:
        return []
    scores, table = list_ranking(outcome.result, outcome.table.names, ":"), outcome.table
    seed = f"The seed was {table.seed} (fingerprint {table.fingerprint})."
    reason = outcome.result.reason_in_words
    return [f"The game is over: {reason}.", *scores, seed]


def format_table(table: Table) -> str:
    """Return a table in words: what is played, with what options, by whom."""
    title = TITLES.get(table.title)
    played = title.name if title else table.title
    name = f"{played}" if table.name == played else f"“{table.name}” · {played}"
    free = table.places - len(table.seats) if table.state == "open" else 0
    for_whom = f" · for {table.experience}" * (table.state == "open" and table.experience != EXPERIENCES[0])
    lines = [f"#{table.id} {name} · {table.state} · {table.pace}" + f" · {free} free" * bool(free) + for_whom]
    if title is not None:
        lines.append(f"Variants: {format_variants(table)}")
        if table.state == "open":
            lines += filter(None, [explain_stay(title, table.options)])
    alone = len({seat.user for seat in table.seats}) < 2
    host = "" if alone and len(table.seats) > 1 else " (host)"
    notes = [f" ({seat.manner})" * bool(seat.manner) or host * (seat.user == table.host) for seat in table.seats]
    seats = ", ".join(f"{seat.name}{note}" for seat, note in zip(table.seats, notes, strict=True))
    lines.append(f"Seats: {seats}")
    if table.privacy == "invite" and table.state == "open":
        lines.append("By invitation.")
    if table.state == "open":
        lines.append(f"The seed has been drawn; its fingerprint is {table.fingerprint}.")
    if table.state == "finished":
        lines.append(f"The seed was {table.seed} (fingerprint {table.fingerprint}).")
    if table.reason:
        lines.append(f"Ended: {table.reason}.")
    return "\n".join(lines)


def format_variants(table: Table) -> str:
    """Return what was agreed in the lobby that is not as usual, in words; of a board always which it is."""
    chosen = [(option, table.options.get(option.name, option.default)) for option in TITLES[table.title].options]
    found = [
        f"{option.label}: {option.describe_value(value)}"
        for option, value in chosen
        if value != option.default or option.files
    ]
    return " · ".join(found) or "standard"


def format_standing(here: Position) -> str:
    """Return where a running game stands: whose turn, what is asked."""
    if not here.actors:
        return describe_damage(here) if here.damage else f"“{here.table.name}” is over."
    ask = here.ask()
    names = join_names([seat.name for seat in here.actors])
    return "\n".join([f"{ask.headline}: {names} to {ask.kind}.", *ask.lines, *ask.readings])


def format_log(lines: Sequence[LogLine], *, branches: bool = False) -> list[str]:
    """Return log lines as text: "12  Ann bids £3." and "  ×  … (taken back)".

    What was taken back together takes one line, unless ``branches`` are to be read. So do bids of a raise war.
    """
    shown = [line for line in lines if not line.folded] if branches else fold_log(lines)
    return [_format_log_line(line) for line in shown]


def fold_log(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return log lines with moves that were taken back together in one: how many, whose, the first and the last."""
    found: list[LogLine] = []
    for undone, group in groupby([each for each in lines if not each.folded], key=lambda line: line.taken_back):
        branch = list(group)
        found += [_fold_branch(branch)] if undone and len(branch) > 1 else branch
    return found


def _fold_branch(lines: Sequence[LogLine]) -> LogLine:
    first, last = (" ".join(line.sentences).rstrip(".") for line in (lines[0], lines[-1]))
    names = join_names(list(dict.fromkeys(line.name for line in lines)))
    words = f"{len(lines)} moves of {names}, from “{clip(first, 80)}” to “{clip(last, 80)}”"
    return msgspec.structs.replace(lines[0], sentences=(words,))


def _format_log_line(line: LogLine) -> str:
    between = f"\n{'':6}" if len(line.sentences) > MAX_SENTENCES_IN_LINE else " "
    words = between.join(line.sentences) or f"{line.name} is done."
    number = str(line.move) if line.move else "×" if line.taken_back else "·"
    return f"{number:>4}  {words}{' (taken back)' if line.taken_back else ''}"


def quote_typed(typed: str) -> str:
    """Return typed text as a line of the message, from which Confirm reads it again."""
    return f"Typed: `{typed.replace('`', '')}`"


def read_typed(text: str) -> str:
    """Return the text that ``quote_typed`` put into a message; empty if there is none."""
    _, found, rest = text.rpartition("Typed: `")
    return rest.split("`")[0] if found else ""


def read_words(line: str) -> tuple[str, dict[str, str]]:
    """Read ``bid amount:20 on:"C&N"`` as the first word and its named parameters.

    Raises:
        BotError: a quotation mark is missing, or a word is no ``name:value``.
    """
    if len(line) > MAX_LINE_LENGTH:
        raise BotError(f"That's too long; the limit is {MAX_LINE_LENGTH:,} characters.")
    verb, _, rest = line.strip().partition(" ")
    named: dict[str, str] = {}
    last = ""
    while rest := rest.lstrip():
        found = _NAMED.match(rest)
        name = found[1].lower() if found else last
        if not name:
            raise BotError(f"“{rest.split()[0][:40]}” has no name before it: write name:value, such as game:7.")
        rest = rest[found.end() :] if found else rest
        if name == "move" and _MOVE.match(rest):  # a move as one would type it goes on to the end
            named[name] = rest.strip()
            break
        value, rest = _read_value(rest)
        named[name] = value if found else f"{named[name]} {value}"
        last = name
    return verb.lower(), named


def _read_value(text: str) -> tuple[str, str]:
    """Return a value and what follows it: all between quotation marks, else one word.

    Raises:
        BotError: a quotation mark is missing.
    """
    ends = _QUOTES.get(text[:1], "")
    closing = _CLOSING[ends].search(text, 1) if ends else None
    if closing is not None:
        return text[1 : closing.start()], text[closing.end() :]
    if ends and ends != "'":
        raise BotError("A quotation mark is missing.")
    word, blank, rest = text.partition(" ")
    return word, blank + rest


def format_view(view: View) -> list[str]:
    """Return a view as lines of text, the twin of its picture."""
    lines = [view.title]
    if isinstance(view, Note | AidView):
        return [*lines, *(view.lines if isinstance(view, Note) else _format_aid(view))]
    if isinstance(view, Sheet):
        for table in view.tables:
            lines += ["", *_format_columns(table)]
        lines += [f"{card.name} {card.title}: {card.words}" for card in view.cards]
    elif view.alt:
        lines.append(view.alt)
    if isinstance(view, MapView):
        lines += [line.words for line in view.lines if line.words]
    if isinstance(view, Chart):
        for series in view.series:
            values = ("–" if value is None else str(value) for value in series.values[-12:])
            lines.append(f"{series.name}: {' '.join(values)}")
    if isinstance(view, Panels):
        lines += [f"{panel.letter} {panel.caption}".strip() for panel in view.panels]
    if isinstance(view, MapView | MarketView | Sheet | Panels | Network):
        lines += getattr(view, "notes", ())
    return lines


def _format_aid(view: AidView) -> list[str]:
    """Return a cheat sheet below its title."""
    lines: list[str] = []
    for section in view.sections:
        lines += ["", section.title, *(f"• {line}" for line in section.lines)]
    return [*lines, "", *_format_columns(view.phases)] if view.phases is not None else lines


def _format_columns(table: TableView) -> list[str]:
    """Return a table in columns of equal width."""
    rows = [
        [f"{e.chip} {e.text}" if e.chip and e.text and e.chip != e.text else e.chip or e.text for e in row]
        for row in (table.heads, *table.rows)
    ]
    count = max((len(row) for row in rows), default=0)
    widths = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
    return [table.title, *lines] if table.title else lines
