"""What a replay can write beside its result: states, options and runs, a row for each action.

The forms are those by which games of 18xx.games are compared. A title that
has them brings a ``Tracer``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.errors import LogError, RuleError
from engine.finance.events import TrainsRan
from engine.game import LogEntry, find_title, play_entry
from engine.interop.exchange import TRANSLATORS, Imported
from engine.interop.translator import Row, Tracer, TranslatedAction, deal_waiting
from engine.record import Event, Record

Clock = Callable[[], float]
RUN = "run_routes"


class Traced(Record, frozen=True):
    """What one action of the file did.

    Args:
        index: position in the file.
        before: what was legal before it. after: the state it led to. run: what its run of
            trains earned, and the best there was. Each ``None`` where not asked for.
        events: the facts, in order. state: the state itself, for pictures.
    """

    index: int
    before: Row | None
    after: Row | None
    run: Row | None
    events: tuple[Event, ...]
    state: Any  # the title's own state; only its functions read it


class TraceWish(Record, frozen=True):
    """What a trace tells: states, options (slow), and runs where there is a clock in seconds to time them by."""

    states: bool = True
    options: bool = False
    clock: Clock | None = None


def trace_game(imported: Imported, wanted: TraceWish = TraceWish()) -> Iterator[Traced]:  # noqa: B008 - a frozen value
    """Play an imported game again and yield what each action of the file did.

    Raises:
        LogError: an action breaks a rule.
    """
    title = find_title(imported.setup)
    translator = TRANSLATORS.get(title.id)
    tracer = translator.tracer if translator else None
    exact = imported.exact or tuple(map(TranslatedAction, imported.index, imported.log))
    state = deal_waiting(imported.setup, title, translator if imported.exact is not None else None)
    said = 0
    for place, kind in zip(imported.places, imported.kinds, strict=True):
        first = said
        while said < len(exact) and exact[said].position == place:
            said += 1
        entries = [each.entry for each in exact[first:said]]
        before: Row | None = None
        if tracer and wanted.options and entries:
            seat = entries[0].seat
            before = {"index": place, "entity": imported.ids[seat], **tracer.options(state, seat)}
        best = _search_best(tracer, state, entries, wanted.clock) if tracer and wanted.clock else None
        events = _play_action(imported, state, entries, place)
        earned = _read_earned(events) if tracer else None
        after: Row | None = None
        if tracer and wanted.states:
            ran = {"run": earned} if kind == RUN else {}
            after = {"index": place, "type": kind, **tracer.state(state, imported.ids), **ran}
        run = {"index": place, **best, "earned": earned} if best and earned else None
        yield Traced(place, before, after, run, events, state)


def _play_action(imported: Imported, state: object, entries: list[LogEntry], place: int) -> tuple[Event, ...]:
    """Play what one action of the file says on ``state`` and return the facts."""
    title = find_title(imported.setup)
    events: list[Event] = []
    for entry in entries:
        try:
            play_entry(title, state, entry, events.append)
        except RuleError as refusal:
            raise LogError(place, str(refusal)) from refusal
    return tuple(events)


def _read_earned(events: Sequence[Event]) -> dict[str, int] | None:
    """Return revenue and subsidy of the run among the facts of an action, ``None`` without one."""
    ran = next((event for event in events if isinstance(event, TrainsRan)), None)
    return {"revenue": ran.revenue, "subsidy": ran.subsidy} if ran is not None else None


def _search_best(tracer: Tracer, state: object, entries: list[LogEntry], clock: Clock) -> Row | None:
    """Return company and best run before a run of trains, with the milliseconds of the search alone."""
    search = next((found for entry in entries if (found := tracer.best(state, entry.action)) is not None), None)
    if search is None:
        return None
    start = clock()
    best: Row = search()
    return {**best, "ms": round((clock() - start) * 1000, 3)}
