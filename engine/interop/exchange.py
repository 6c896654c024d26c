"""Whole games in and out, in our own format and that of 18xx.games, and traces of what their actions do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from engine import codec
from engine.errors import LogError, RuleError, UnreadableLogError
from engine.finance.events import TrainsRan
from engine.game import Game, LogEntry, find_title, play_entry, replay_as_written
from engine.interop.g1860 import reader as reader_1860
from engine.interop.g1860 import trace as trace_1860
from engine.interop.g1860 import writer as writer_1860
from engine.interop.g1862 import profile as profile_1862
from engine.interop.g1862 import reader as reader_1862
from engine.interop.g1862 import trace as trace_1862
from engine.interop.g1862 import writer as writer_1862
from engine.interop.report import ReadingReport, compare_result
from engine.interop.site import SiteFile, list_in_force, read_seed, read_site
from engine.interop.translator import (
    Row,
    Tracer,
    TranslatedAction,
    Translator,
    Waiting,
    deal_waiting,
    remove_idle_answers,
    translate,
)
from engine.interop.travel import list_optional_rules, read_options
from engine.record import Action, Event, Record
from engine.setup import RULES, Setup
from engine.title import insert_names

Clock = Callable[[], float]
RUN = "run_routes"
TRANSLATORS: Mapping[str, Translator] = MappingProxyType(
    {
        "1860": Translator(
            reader_1860.Reader,
            writer_1860.Writer,
            Tracer(trace_1860.dump_state, trace_1860.list_options, trace_1860.prepare_search),
        ),
        "1862": Translator(
            reader_1862.Reader,
            writer_1862.Writer,
            Tracer(trace_1862.dump_state, trace_1862.list_options, trace_1862.prepare_search),
            Waiting(
                profile_1862.ask_everything,
                profile_1862.ask_as_usual,
                profile_1862.goes_on_alone,
                profile_1862.answer_idly,
                profile_1862.may_be_idle_answer,
                profile_1862.is_silent,
            ),
        ),
    }
)


class Imported(Record, frozen=True):
    """A game read from a file.

    Args:
        ids: the players' ids in the file, in seat order; names: what they are called.
        log: our actions in force; index: for each the position in the file of the action it comes from.
        places: positions of all actions in force in the file; some say nothing that we need.
        kinds: for each place, what the file calls that action.
        recorded: result the file states, by player id, if any.
        exact: of a file of the site, all actions with their positions, every question of the site answered.
        events: of a file of the site, what followed from each of our actions.
        state: of a file of the site, to which they lead; ``None`` where the log must be played for it.
        report: what a file of the site states otherwise.
    """

    setup: Setup
    ids: tuple[str, ...]
    names: tuple[str, ...]
    log: tuple[LogEntry, ...]
    index: tuple[int, ...]
    places: tuple[int, ...]
    kinds: tuple[str, ...]
    recorded: dict[str, int] | None = None
    exact: tuple[TranslatedAction, ...] | None = None
    events: tuple[tuple[Event, ...], ...] = ()
    state: Any | None = None
    report: ReadingReport = ReadingReport()


def import_log(data: bytes, seed: int | None = None) -> Imported:
    """Read a game of our own format or of 18xx.games, checking every action.

    Args:
        data: the file.
        seed: opens one that was taken while the game ran.

    Raises:
        UnreadableLogError: the bytes are no log of a title that we have.
        LogError: an action breaks a rule; its index is its position in the file.
    """
    codec.check_limits(data)
    if is_native(data):
        return _import_native(data, seed)
    return _import_site(read_site(data), seed)


class _FileHead(Record, frozen=True):
    """The field that only our own files have: their version."""

    stationmaster: int = 0


def is_native(data: bytes) -> bool:
    """Return whether a file has our own format; ``False`` for bytes that are no JSON."""
    try:
        return msgspec.json.decode(data, type=_FileHead).stationmaster > 0
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _import_native(data: bytes, seed: int | None) -> Imported:
    file = codec.read_file(data, seed)
    try:
        game = replay_as_written(file.setup, file.log)
    except RuleError as refusal:
        raise UnreadableLogError(str(refusal)) from None
    setup = game.setup
    kinds = tuple(str(entry.action.__struct_config__.tag) for entry in game.list_in_force())
    ids = tuple(str(seat) for seat in range(setup.seats))
    names = file.names or tuple(f"Player {seat + 1}" for seat in range(setup.seats))
    return Imported(setup, ids, names, game.list_in_force(), game.line, game.line, kinds)


def _import_site(file: SiteFile, seed: int | None) -> Imported:
    translator = TRANSLATORS.get(file.title)
    if translator is None:
        raise UnreadableLogError(f"Games of “{file.title[:40]}” from 18xx.games can't be read here.")
    try:
        options, rules = file.settings.stationmaster, file.settings.rules or RULES
        if options is None:
            options = read_options(file.title, file.settings.optional_rules or ())
        setup = Setup(file.title, len(file.players), options, read_seed(file, seed), rules)
        find_title(setup).deal(setup)
    except RuleError as refusal:
        raise UnreadableLogError(str(refusal)) from None
    ids = tuple(str(player.id) for player in file.people)
    title = find_title(setup)
    found = translate(file, setup, title, translator)
    exact = found.actions
    said = remove_idle_answers([*exact, *found.further])
    places = tuple(list_in_force(file.actions))
    kinds = tuple(str(file.actions[place].get("type")) for place in places)
    names = tuple(player.name or f"Player {seat + 1}" for seat, player in enumerate(file.people))
    log, index = tuple(each.entry for each in said), tuple(each.position for each in said)
    told = tuple(entry.events for entry in said)
    result = title.result(found.end if found.state is not None else _find_end(setup, log, found.end))
    report = compare_result(file.result, file.status, result, tuple(zip(ids, names, strict=True)))
    report = msgspec.structs.replace(report, repairs=found.repairs)
    return Imported(setup, ids, names, log, index, places, kinds, file.result, tuple(exact), told, found.state, report)


def _find_end(setup: Setup, log: Sequence[LogEntry], there: Any) -> Any:  # noqa: ANN401 - a title's own state
    """Return the state in which a table of ours ends: 18xx.games can be ended at a question that it alone asks."""
    try:
        return Game.replay(setup, log).state
    except LogError:
        return there  # no table can play it, which opening one will say


class _Writing:
    """A game that is being written, played with every question of the site asked."""

    def __init__(self, game: Game, translator: Translator) -> None:
        self.actions: list[dict[str, object]] = []
        self.stop = ""
        self._title = game.title
        self._waiting = translator.waiting
        self._writer = translator.writer(tuple(range(1, game.setup.seats + 1)))
        self._there = deal_waiting(game.setup, game.title, translator)
        self._runs: tuple[str, ...] = ()

    def write(self, said: LogEntry) -> None:
        """Write an action, after the answers to what only the site asks before it."""
        self.write_answer()
        self._runs = said.runs
        self._write_and_play(said.seat, said.action)

    def write_answer(self) -> None:
        """Answer what only the site asks."""
        while self._waiting is not None and self._waiting.asks_alone(self._there):
            self._write_and_play(*self._waiting.idle(self._there))

    def _write_and_play(self, seat: int, action: Action) -> None:
        """Write an action and play it; runs that follow it here may follow a later answer on 18xx.games."""
        written = self._writer.write(self._there, seat, action)
        if written is not None:
            self.actions.append({**written, "id": len(self.actions) + 1})
        title, there = self._title, self._there
        plan = title.check(there, seat, action)
        if title.unasked:
            title.unasked.recall(there, self._runs)
        title.apply(there, plan, self._writer.hear)
        for more in self._writer.write_afterwards():
            self.actions.append({**more, "id": len(self.actions) + 1})
        stop = self._writer.find_stop()
        if stop and not self.stop:
            self.stop = f"18xx.games can't play this game beyond action {len(self.actions)}, because {stop}."
        if title.unasked:
            self._runs = self._runs[len(title.unasked.take(there)) :]


class SiteGame(Record, frozen=True):
    """A game in the format of 18xx.games, with a sentence if that site can't play it to where it stands here."""

    data: bytes
    stop: str


def export_game(game: Game, names: Sequence[str], *, sealed: bool = False) -> bytes:
    """Return a game in the format of 18xx.games; see ``write_site_game``."""
    return write_site_game(game, names, sealed=sealed).data


def write_site_game(game: Game, names: Sequence[str], *, sealed: bool = False) -> SiteGame:
    """Return a game in the format of 18xx.games.

    Our lobby options and plans of runs travel along in fields of our own, so
    that the file replays here to the same result under any options. A sealed
    file keeps the seed back.

    Raises:
        UnreadableLogError: 18xx.games does not have the title, or an action of this table.
    """
    translator = TRANSLATORS.get(game.title.id)
    if translator is None:
        raise UnreadableLogError(f"18xx.games doesn't have {game.title.name}.")
    title, writing = game.title, _Writing(game, translator)
    for said in game.list_in_force():
        writing.write(said)
    writing.write_answer()
    result = game.result()
    data = msgspec.json.encode(
        {
            "id": 0,
            "title": title.id,
            "description": "exported by Stationmaster",
            "players": [{"id": seat + 1, "name": names[seat]} for seat in range(game.setup.seats)],
            "settings": {
                **({"sealed": codec.fingerprint(game.setup.seed)} if sealed else {"seed": game.setup.seed}),
                "optional_rules": list_optional_rules(title.id, game.setup.options),
                "stationmaster": game.setup.options,
                "rules": game.setup.rules,
            },
            "status": "finished" if result else "active",
            "game_end_reason": result.reason if result else None,
            "result": {str(score.seat + 1): score.total for score in result.scores} if result else {},
            "actions": writing.actions,
        }
    )
    return SiteGame(data, insert_names(writing.stop, names))


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

    The forms are those by which games of 18xx.games are compared; a title that has them brings a ``Tracer``.

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
