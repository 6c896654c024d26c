"""A game as a value: its set-up, its log, and the state that follows.

Nothing of a log is ever deleted: ``Undo`` and ``Redo`` are entries too, and the
actions in force follow from all entries. ``play``, ``undo`` and ``redo`` return a new game and leave the old one as it
was, so a refused action cannot leave a trace and "what if" costs nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from engine.errors import LogError, RuleError
from engine.hints import Tip
from engine.interop.g1860.profile import TITLE as G1860
from engine.interop.g1862.profile import TITLE as G1862
from engine.record import Action, Event, Record, Rule
from engine.setup import Setup
from engine.title import Ask, Request, Result, Tell, Title, ignore_event
from engine.titles.steel_driver import TITLE as STEEL_DRIVER
from engine.view import Banner, MapView, MarketView, Network, Sheet, View
from engine.words import pluralise

T = TypeVar("T")
TITLES: dict[str, Title[Any]] = {title.id: title for title in (G1860, G1862, STEEL_DRIVER)}
"""The shelf: every title that can be played, a folder each."""
TABLE = Rule("Table", "undoing moves")
TURN = Rule("Table", "turns")
AMBIGUOUS_RULES = 1
"""The version of the rules that both 0.1 and 0.2 wrote into logs."""
CANDIDATE_RULES = (3, 2)
"""As 0.2 played and as 0.1 did, in the order in which they are tried; see ``engine.setup.RULES``."""
_WHOLE_GAME_VIEWS = (MapView, Network, MarketView, Sheet)
"""Pictures of the whole game, whose banner shows who is ahead; a card shows it itself."""
MAX_LEADERS_NAMED, MAX_NAME_CHARACTERS = 2, 16
"""How many players a banner names as leaders, and the length of a name."""


class Undo(Action, frozen=True, tag="undo"):
    """Undo moves until only the first ``to`` actions are in force."""

    verb = "undo"
    to: int


class Redo(Action, frozen=True, tag="redo"):
    """Restore what the last undo took back, if no move was made since."""

    verb = "redo"


class LogEntry(Record, frozen=True):
    """One entry of the log: who did what.

    Args:
        seat: who acted. action: what they did.
        runs: plans that companies without a director ran as a consequence, in order, as they were
            chosen when the action was first played; a replay reads them and searches for nothing.
    """

    seat: int
    action: Action
    runs: tuple[str, ...] = ()


def resolve_undos(log: Sequence[LogEntry]) -> tuple[list[int], list[list[int]]]:
    """Return the positions in force, and the stack of lines that redo can bring back."""
    line: list[int] = []
    undone: list[list[int]] = []
    for position, entry in enumerate(log):
        action = entry.action
        if isinstance(action, Undo):
            keep = max(0, action.to)  # a log from outside may hold any number
            undone.append(line[keep:])
            line = line[:keep]
        elif isinstance(action, Redo):
            if undone:
                line = [*line, *undone.pop()]
        else:
            undone.clear()
            line.append(position)
    return line, undone


class Played(Record, frozen=True):
    """The game after an action, with the facts that followed from it."""

    game: "Game"
    action: Action
    events: tuple[Event, ...]


class Game(Record, frozen=True):
    """One position of one game; make it with ``Game.new`` or ``Game.replay``."""

    setup: Setup
    log: tuple[LogEntry, ...]
    line: tuple[int, ...]
    state: Any  # the title's own state: each title has its type, and only its functions read it

    @staticmethod
    def new(setup: Setup) -> "Game":
        """Deal a new game.

        Raises:
            RuleError: the title, the number of seats or the options are not allowed.
        """
        return Game(setup, (), (), find_title(setup).deal(setup))

    @staticmethod
    def replay(setup: Setup, log: Sequence[LogEntry], watch: Callable[[int, Any], None] | None = None) -> "Game":
        """Play a log again, checking every action in force.

        Args:
            setup: of the game.
            log: all its entries.
            watch: is told the place of each action in force, and the state before it, which it leaves as it is.

        Raises:
            RuleError: the set-up is refused.
            LogError: an action of the log breaks a rule.
        """
        title = find_title(setup)
        line, _ = resolve_undos(log)
        state = title.deal(setup)
        played: list[LogEntry] = []
        for position in line:
            entry = log[position]
            if watch is not None:
                watch(position, state)
            try:
                played.append(play_entry(title, state, entry, ignore_event))
            except RuleError as refusal:
                raise LogError(position, str(refusal)) from refusal
        whole = list(log)
        for position, entry in zip(line, played, strict=True):
            whole[position] = entry
        return Game(setup, tuple(whole), tuple(line), state)

    @property
    def title(self) -> Title[Any]:
        """The title's functions."""
        return find_title(self.setup)

    @property
    def actors(self) -> tuple[int, ...]:
        """Seats that must decide now; empty when the game is over."""
        return self.title.actors(self.state)

    def ask(self, seat: int | None = None) -> Ask:
        """Return what the game waits for, as all may read it, or as a seat may."""
        words = self.title.words
        return words.ask(self.state) if seat is None or words.ask_seat is None else words.ask_seat(self.state, seat)

    def pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures that belong to this moment, the most telling first."""
        return self.ask().pictures or tuple(picture.name for picture in self.title.views.pictures if picture.every_turn)

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Return every legal action of a seat (suggestions for open verbs)."""
        return tuple(self.title.legal(self.state, seat)) if seat in self.actors else ()

    def choices(self, seat: int) -> tuple[Action, ...]:
        """Return the legal actions as menus show them: the most usual first, one of several with the same effect."""
        plain, state = self.title.advice.plain, self.state
        found = [action for action in self.legal(seat) if plain(state, action) == action]
        return tuple(self.title.advice.usual(state, seat, found)) if found else ()

    def tips(self, seat: int) -> Sequence[Tip]:
        """Return the moves worth a button of their own; may run the route search."""
        return self.title.advice.tips(self.state, seat) if seat in self.actors else ()

    def play(self, seat: int, action: Action) -> Played:
        """Play one action on a copy.

        Raises:
            RuleError: the rules refuse it; nothing has changed.
        """
        title = self.title
        if seat not in self.actors:
            raise RuleError("It's not your turn.", TURN)
        spelled = title.spell_out(self.state, seat, action)
        state = title.clone(self.state)
        events: list[Event] = []
        entry = play_entry(title, state, LogEntry(seat, spelled), events.append)
        game = Game(self.setup, (*self.log, entry), (*self.line, len(self.log)), state)
        return Played(game, spelled, tuple(events))

    def undo(self, seat: int, to: int) -> "Game":
        """Return the game with only its first ``to`` actions in force.

        Raises:
            RuleError: there are not that many actions in force.
        """
        if not 0 <= to < len(self.line):
            raise RuleError(
                f"There is no move {to} to go back to; the game has {pluralise(len(self.line), 'move')}.", TABLE
            )
        return self._append(seat, Undo(to))

    def redo(self, seat: int) -> "Game":
        """Return the game with what the last undo took back in force again.

        Raises:
            RuleError: nothing was undone, or something was played since.
        """
        _, undone = resolve_undos(self.log)
        if not undone:
            raise RuleError("There is no undone move to restore.", TABLE)
        return self._append(seat, Redo())

    def _append(self, seat: int, entry: Action) -> "Game":
        return Game.replay(self.setup, (*self.log, LogEntry(seat, entry)))

    def at(self, count: int) -> "Game":
        """Return the position after the first ``count`` actions in force, as a game of its own.

        Raises:
            RuleError: there are not that many actions in force.
        """
        if not 0 <= count <= len(self.line):
            raise RuleError(f"There is no move {count}; the game has {pluralise(len(self.line), 'move')}.", TABLE)
        return Game.replay(self.setup, [self.log[position] for position in self.line[:count]])

    def list_in_force(self) -> tuple[LogEntry, ...]:
        """Return the actions in force, in order."""
        return tuple(self.log[position] for position in self.line)

    def look(self, request: Request) -> View:
        """Return a view of the position, under a banner that names the game and the moment."""
        return self._add_banner(self.title.views.look(self.state, request), request)

    def illustrate(self, request: Request, actions: Sequence[Action]) -> View | None:
        """Return a picture that shows choices in place, ``None`` if there is none."""
        view = self.title.views.illustrate(self.state, request, actions)
        return view and self._add_banner(view, request)

    def _add_banner(self, view: View, request: Request) -> View:
        ask = self.ask().insert_names([request.find_name(seat) for seat in range(self.setup.seats)])
        who = ", ".join(request.find_name(seat) for seat in ask.seats)
        asks = f"{ask.headline}: {ask.kind}" if ask.kind and not ask.company and who else ask.headline
        table = "" if request.table == self.title.name else request.table  # a table without a name has the game's
        leads = self._describe_leader(request) if isinstance(view, _WHOLE_GAME_VIEWS) and not request.about else ""
        banner = Banner(self.title.name, table, asks, ask.company, who, leads)
        return msgspec.structs.replace(view, banner=banner, identity=self.title.views.identity)

    def _describe_leader(self, request: Request) -> str:
        """Return who is ahead or has won; "" if no one is, or too many are."""
        over, worth = self.result(), list(self.title.advice.worth(self.state))
        ahead = over.winners if over else [seat for seat, each in enumerate(worth) if each == max(worth)]
        if not ahead or len(ahead) > min(MAX_LEADERS_NAMED, self.setup.seats - 1):
            return ""
        called = (request.find_name(seat) for seat in ahead)
        names = [
            name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1].rstrip()}…"
            for name in called
        ]
        return f"{' and '.join(names)} {'won' if over else 'ahead'}"  # "leads" is said of bids

    def result(self) -> Result | None:
        """Return the final result, ``None`` while the game goes on."""
        return self.title.result(self.state)


def play_entry(title: Title[Any], state: Any, entry: LogEntry, tell: Tell) -> LogEntry:  # noqa: ANN401 - the title's own state
    """Play an entry of a log on a state, in place; return it with the runs that companies made automatically.

    If the entry holds such runs, they are checked and run; otherwise the best are searched for.

    Raises:
        RuleError: the rules refuse the action, or a run it holds; the state is of no more use.
    """
    plan = title.check(state, entry.seat, entry.action)
    if title.unasked:
        title.unasked.recall(state, entry.runs)
    title.apply(state, plan, tell)
    runs = title.unasked.take(state) if title.unasked else ()
    if entry.runs and runs != entry.runs:
        raise RuleError("The log contains runs of companies that don't run automatically there.", TABLE)
    return LogEntry(entry.seat, entry.action, runs)


def find_title(setup: Setup) -> Title[Any]:
    """Return the title of a set-up.

    Raises:
        RuleError: there is no such title.
    """
    title = TITLES.get(setup.title)
    if title is None:
        raise RuleError(f"There is no game “{setup.title[:40]}”; the games are {', '.join(TITLES)}.", TURN)
    return title


def replay_as_written(setup: Setup, log: Sequence[LogEntry]) -> Game:
    """Replay a log under the version of the rules that plays it to the end; the setup of the game has it.

    Raises:
        RuleError, LogError: see ``play_as_written``.
    """
    return play_as_written(setup, lambda dated: Game.replay(dated, log))


def play_as_written(setup: Setup, play: Callable[[Setup], T]) -> T:
    """Play a log under the version of the rules that plays it to the end.

    Raises:
        RuleError: the set-up is refused.
        LogError: an action breaks a rule; of several readings, under the one that gets furthest.
    """
    if setup.rules != AMBIGUOUS_RULES:
        return play(setup)
    refusals = []
    for rules in CANDIDATE_RULES:
        try:
            return play(replace(setup, rules=rules))
        except LogError as refusal:
            refusals.append(refusal)
    raise max(refusals, key=lambda refusal: refusal.index)
