"""What a replay can write beside its result: states, options and runs, a record for each action.

The forms are those by which games of 18xx.games are compared; a title that
has them brings a module with ``state``, ``options`` and ``run``.
"""

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from engine.errors import LogError, RuleError
from engine.game import title_of
from engine.interop import trace_1860
from engine.interop.exchange import Imported
from engine.record import Event, Record

TRACERS: Mapping[str, ModuleType] = {"1860": trace_1860}


class Traced(Record, frozen=True):
    """What one action of the file did.

    Args:
        index: position in the file. before: what was legal. after: the state it led to.
        events: the facts, in order. state: the state itself, for pictures.
    """

    index: int
    before: dict[str, object] | None
    after: dict[str, object] | None
    events: tuple[Event, ...]
    state: Any  # the title's own state; only its functions read it


def trace(imported: Imported, *, options: bool = False, states: bool = True) -> Iterator[Traced]:
    """Play an imported game again and yield what each action of the file did.

    Args:
        imported: the game.
        options: tell what was legal before each action; slow.
        states: tell the state after each action.

    Raises:
        LogError: an action breaks a rule.
    """
    title = title_of(imported.setup)
    tracer = TRACERS.get(title.id)
    state = title.deal(imported.setup)
    said = 0
    for place in imported.places:
        first = said
        while said < len(imported.index) and imported.index[said] == place:
            said += 1
        seat = imported.log[min(first, len(imported.log) - 1)].seat
        before = tracer.options(state, seat) if tracer and options else None
        events: list[Event] = []
        for entry in imported.log[first:said]:
            try:
                title.apply(state, title.check(state, entry.seat, entry.action), events.append)
            except RuleError as refusal:
                raise LogError(place, str(refusal)) from refusal
        after = tracer.state(state, imported.ids) if tracer and states else None
        yield Traced(place, before, after, tuple(events), state)
