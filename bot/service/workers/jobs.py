"""What passes between the bot and a worker, the positions that a worker holds, and the jobs that it does at them.

One job goes out and one reply comes back, each a frame of MessagePack. A
position travels as its log, whole the first time, then as what was said since.
A refusal comes back as the error it was.
"""

import struct
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from bot.model.errors import BotError
from bot.model.standing import UNNUMBERED
from bot.service.workers.gains import Gains
from engine import Action, Game, LogEntry, LogError, Redo, Rule, RuleError, Setup, Undo, UnreadableLogError
from engine.codec import decode_entry, encode_entry
from engine.game import find_title, play_entry
from engine.player import find_rejection
from engine.title import Title
from engine.words import WordingError

LENGTH = struct.Struct(">I")
"""Each frame has its length before it."""
Refusal = BotError | RuleError | WordingError | LogError | UnreadableLogError
REFUSALS = (BotError, RuleError, WordingError, LogError, UnreadableLogError)


class WireEntry(msgspec.Struct, frozen=True, array_like=True):
    """A log entry on the wire, said as the database has it."""

    seat: int
    said: bytes


class Entries(msgspec.Struct, frozen=True):
    """A position: the entries that follow the first ``base`` of a log; with a ``setup`` the whole log."""

    game: int
    base: int
    rows: tuple[WireEntry, ...]
    setup: Setup | None = None


class Job(msgspec.Struct, frozen=True):
    """A task of a room with what it takes, encoded, the position it is about, and how long it may keep a processor."""

    room: str
    task: str
    takes: bytes
    place: Entries | None
    cpu_seconds: int | None = None


class Done(msgspec.Struct, frozen=True, tag=True):
    """What a task gives, encoded."""

    value: bytes


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A refusal for a person."""

    kind: Literal["bot", "rule", "wording", "log", "unreadable"]
    sentence: str
    rule: Rule | None = None
    index: int = 0


class Missing(msgspec.Struct, frozen=True, tag=True):
    """The worker does not know the position that the entries follow."""


class Broken(msgspec.Struct, frozen=True, tag=True):
    """A defect of ours, with its trace."""

    trace: str


Reply = Done | Refused | Missing | Broken


class DefectError(Exception):
    """A defect of ours that a worker met; the message is the trace."""


def encode_row(said: LogEntry) -> WireEntry:
    """Return an entry for the wire."""
    return WireEntry(said.seat, encode_entry(said))


def decode_rows(title: str, rows: Sequence[WireEntry]) -> list[LogEntry]:
    """Return entries from the wire."""
    return [decode_entry(title, each.seat, each.said) for each in rows]


def encode_refusal(error: Refusal) -> Refused:
    """Return a refusal for the wire."""
    if isinstance(error, RuleError):
        return Refused("rule", error.sentence, error.rule)
    if isinstance(error, LogError):
        return Refused("log", error.cause, index=error.index)
    if isinstance(error, WordingError):
        return Refused("wording", str(error))
    if isinstance(error, UnreadableLogError):
        return Refused("unreadable", str(error))
    return Refused("bot", error.sentence)


def decode_error(reply: Refused | Broken) -> Exception:
    """Return the error that a reply tells of."""
    if isinstance(reply, Broken):
        return DefectError(reply.trace)
    if reply.kind == "rule" and reply.rule is not None:
        return RuleError(reply.sentence, reply.rule)
    if reply.kind == "log":
        return LogError(reply.index, reply.sentence)
    if reply.kind == "wording":
        return WordingError(reply.sentence)
    return UnreadableLogError(reply.sentence) if reply.kind == "unreadable" else BotError(reply.sentence)


A = TypeVar("A")
R = TypeVar("R")
Lane = Literal["moves", "looks", "searches", "pictures", "files", "boards", "proofs"]
MAX_POSITIONS, MAX_FRESH = 512, 64
"""Positions that a worker keeps, 0.1 to 0.2 MiB each; of the latest also what was worked out there, 0.5 MiB each."""
LANDMARK_MOVES, MAX_LANDMARKS = 16, 100
"""Moves between positions that are kept of a game that a page leafs through, 4 to 16 KiB each; how many at most."""
LOOK_BACK_MOVES = 48
"""Moves before its end at which a log that is read whole is noted, so that what is new needs no second replay."""
MAX_EARLIER_POSITIONS = 12
"""Earlier positions of a table that are kept for looking back; about 10 KiB each."""


class LaneRules(NamedTuple):
    """What holds for the jobs of a lane.

    Args:
        nice: how far its processes step back for the event loop and the moves.
        megabytes: of address space; a job that needs more breaks its worker, not the machine.
        long: its jobs never take the last of several workers.
        apart: a process is started for each job, tried once, and ended with it or when no one waits for it any more.
    """

    nice: int = 0
    megabytes: int = 1024
    long: bool = False
    apart: bool = False


LANES: Mapping[Lane, LaneRules] = {
    "moves": LaneRules(),
    "looks": LaneRules(nice=5),
    "searches": LaneRules(nice=5, long=True),
    "pictures": LaneRules(nice=5, long=True),
    "files": LaneRules(nice=5, megabytes=512, apart=True),
    "boards": LaneRules(nice=5, megabytes=512, apart=True),
    "proofs": LaneRules(nice=15, megabytes=512, apart=True),
}
"""Searches and pictures are done by the workers that look; what strangers bring and what lasts minutes is apart.

One picture of a table is a look of low rank: a tenth of a second, as soon as a worker has no other look to do. Films,
albums and sheets last seconds.
"""


class Held:
    """A position that a worker holds, with what was worked out about it.

    ``again`` is what each seat could do as the last time, as far as it was asked for, ``raised`` what it could buy
    after a sale; ``gains`` what moves bring.
    ``companies`` acted by entries of the log that are typed freely; of those that are not there it is looked up.
    """

    def __init__(
        self,
        game: Game,
        earlier: Sequence[Game] = (),
        landmarks: Sequence[Game] = (),
        companies: Mapping[int, str] | None = None,
    ) -> None:
        self.game = game
        self._companies = dict(companies or {})
        self._earlier = [*earlier[-MAX_EARLIER_POSITIONS:]]
        self._landmarks = [*landmarks[-MAX_LANDMARKS:]]
        self._legal: dict[int, tuple[Action, ...]] = {}
        self.again: dict[int, Action | None] = {}
        self.raised: dict[int, Any] = {}
        self.gains = Gains(game)
        self._ahead: Held | None = None
        self._tried: tuple[tuple[WireEntry, ...], Game] | None = None

    def shed(self) -> "Held":
        """Return the position without what was worked out, but for one earlier position, near enough to look back."""
        return Held(self.game, self._earlier[:1], companies=self._companies)

    def list_legal(self, seat: int) -> tuple[Action, ...]:
        """Return the legal actions of a seat as menus show them, worked out once; no offer that was just declined."""
        if seat not in self._legal:
            found, game, replies = self.game.choices(seat), self.game, self.game.title.replies
            if replies is not None and game.line and isinstance(game.log[game.line[-1]].action, replies.kinds):
                played = game.list_in_force()
                found = tuple(each for each in found if find_rejection(replies, played, seat, each) is None)
            self._legal[seat] = found
        return self._legal[seat]

    def look_ahead(self, seat: int, action: Action) -> "Held":
        """Return the position after the step that is asked is declined, worked out once.

        Raises:
            RuleError: it cannot be.
        """
        if self._ahead is None:
            self._ahead = Held(self.game.play(seat, action).game)
        return self._ahead

    def replay_to(self, count: int) -> Game:
        """Return the position after the first ``count`` actions in force, from the nearest one that is known.

        Raises:
            RuleError: there are not that many actions in force.
        """
        line, log = self.game.line, self.game.log
        if not 0 <= count < len(line):
            return self.game if count == len(line) else self.game.at(count)
        known = (game for game in (*self._earlier, *self._landmarks) if len(game.line) <= count)
        near = [game for game in known if game.line == line[: len(game.line)]]
        game = max(near or [Game.new(self.game.setup)], key=lambda each: len(each.line))
        while (step := len(game.line) + LANDMARK_MOVES) < count:
            game = _play_moves(game, [log[position] for position in line[len(game.line) : step]])
            game = Game(game.setup, log[: line[step]], line[:step], game.state)
            self._landmarks.append(game)
        return _play_moves(game, [log[position] for position in line[len(game.line) : count]])

    def remember_tried(self, after: Game) -> None:
        """Remember a position that will probably be stored, by the entries that lead there."""
        self._tried = (tuple(encode_row(entry) for entry in after.log[len(self.game.log) :]), after)

    def find_company(self, place: int) -> str:
        """Return the company that acted by an entry in force; once found it is known at later positions, too."""
        if place not in self._companies:
            self._companies[place] = self.replay_to(self.game.line.index(place)).ask().company
        return self._companies[place]

    def add_entries(self, rows: Sequence[WireEntry]) -> "Held":
        """Return the position after more entries, each checked."""
        companies = dict(self._companies)
        after = Held(self._play_entries(rows, companies), (*self._earlier, self.game), self._landmarks, companies)
        for place in after.game.line[len(self.game.line) :]:
            if after.game.log[place].action.verb in self.game.title.open_verbs:
                after.find_company(place)  # of moves that were tried it isn't noted yet, and now it is near
        return after

    def _play_entries(self, rows: Sequence[WireEntry], companies: dict[int, str]) -> Game:
        if self._tried is not None and tuple(rows) == self._tried[0]:
            return self._tried[1]
        entries = decode_rows(self.game.setup.title, rows)
        log = (*self.game.log, *entries)
        note = _note_companies(self.game.title, log, companies)
        if not any(isinstance(entry.action, Undo | Redo) for entry in entries):
            with suppress(RuleError):  # then let the log itself say where it is wrong
                return _play_moves(self.game, entries, note)
        return Game.replay(self.game.setup, log, note)


Watch = Callable[[int, Any], None]
"""What is told the place of each action before it is played, and the state."""


def _note_companies(title: Title[Any], log: Sequence[LogEntry], companies: dict[int, str]) -> Watch:
    """Return what notes the companies that act by what is typed freely."""

    def note_company(place: int, state: Any) -> None:  # noqa: ANN401 - the title's own state
        if log[place].action.verb in title.open_verbs:
            companies[place] = title.words.ask(state).company

    return note_company


def _play_moves(game: Game, entries: Sequence[LogEntry], watch: Watch | None = None) -> Game:
    """Return the game after more moves of its log, each checked."""
    title, state, said = game.title, game.title.clone(game.state), list[LogEntry]()
    line = range(len(game.log), len(game.log) + len(entries))
    for place, entry in zip(line, entries, strict=True):
        if watch is not None:
            watch(place, state)
        said.append(play_entry(title, state, entry, lambda _: None))
    return Game(game.setup, (*game.log, *said), (*game.line, *line), state)


def _replay_whole(setup: Setup, rows: Sequence[WireEntry]) -> Held:
    """Return the position after a log, each entry checked, with the one ``LOOK_BACK_MOVES`` moves before it."""
    log, companies = decode_rows(setup.title, rows), dict[int, str]()
    note = _note_companies(find_title(setup), log, companies)
    if any(
        isinstance(entry.action, Undo | Redo) for entry in log[-LOOK_BACK_MOVES:]
    ):  # what they take back may be earlier
        return Held(Game.replay(setup, log, note), companies=companies)
    before = Held(Game.replay(setup, log[:-LOOK_BACK_MOVES], note), companies=companies)
    return before.add_entries(rows[-LOOK_BACK_MOVES:])


class Positions:
    """The positions a worker holds, at most so many; each by the number of its table and the length of its log."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[int, Held] = OrderedDict()

    def find_position(self, place: Entries) -> Held | None:
        """Return a position; ``None`` if the one that its entries follow is not here.

        Raises:
            LogError, RuleError, UnreadableLogError: the log breaks a rule.
        """
        kept = self._held.get(place.game)
        if place.setup is not None:
            held = _replay_whole(place.setup, place.rows)
        elif kept is None or len(kept.game.log) != place.base:
            return None
        else:
            held = kept.add_entries(place.rows) if place.rows else kept
        if place.game != UNNUMBERED and (kept is None or len(kept.game.log) <= len(held.game.log)):
            self._held[place.game] = held
            self._held.move_to_end(place.game)
        old = next(islice(reversed(self._held), MAX_FRESH, None), None)
        if old is not None:
            self._held[old] = self._held[old].shed()
        while len(self._held) > self._most:
            self._held.popitem(last=False)
        return held


class Task(msgspec.Struct, Generic[A, R], frozen=True):
    """Something that a worker does at a position, or without one.

    Args:
        name: on the wire. do: does it; what it takes and gives passes through MessagePack.
        takes, gives: the types of both.
        lane: where it queues up, see ``LANES``.
        rank: who goes first among those that wait; the least.
        seconds: by the clock, after which the worker is given up.
        cpu_seconds: of a processor, after which the system ends the process; ``None`` for no bound.
        warms: it loads what stays for good.
    """

    name: str
    do: Callable[[Any, A], R]  # held: Held, or None for a task without a position
    takes: Any
    gives: Any
    lane: Lane = "looks"
    rank: int = 0
    seconds: float = 30.0
    cpu_seconds: int | None = None
    warms: bool = False

    @property
    def room(self) -> str:
        """The module that has the task, where a process looks for it by its name."""
        return self.do.__module__

    def answer(self, job: Job, positions: Positions) -> bytes:
        """Do a job and return the reply."""
        return msgspec.msgpack.encode(self._do_job(job, positions))

    def _do_job(self, job: Job, positions: Positions) -> Reply:
        try:
            held = None if job.place is None else positions.find_position(job.place)
            if job.place is not None and held is None:
                return Missing()
            value = self.do(held, msgspec.msgpack.decode(job.takes, type=self.takes))
            return Done(msgspec.msgpack.encode(value))
        except REFUSALS as refusal:
            return encode_refusal(refusal)
        except MemoryError:
            raise  # the worker ends, and with it what took the memory
        except Exception as error:  # noqa: BLE001  # a defect of ours: it is told where the log is written
            return Broken("".join(traceback.format_exception(error)))
