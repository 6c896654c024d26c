"""The values that pass between the database, the table service and its guests.

Ids of people, servers, channels and messages are text, as Discord sends them; moments are seconds since 1970, UTC.
"""

from collections.abc import Mapping
from typing import Literal

from bot.model.clock import GameClock
from bot.model.standing import Course, Standing
from bot.model.terms import AnyTerms
from engine import Ask, Record, Result, Setup

TableState = Literal["open", "running", "finished", "closed"]
Pace = Literal["live", "several a day", "daily", "relaxed"]
Privacy = Literal["open", "invite", "private"]
CallPlace = Literal["table", "dm", "both", "none"]
SeatOrder = Literal["random", "as joined", "host sets"]

PACES: tuple[Pace, ...] = ("live", "several a day", "daily", "relaxed")
EXPERIENCES = ("anyone", "new players", "experienced players")
"""Whom an open table looks for."""
PRIVACIES: tuple[Privacy, ...] = ("open", "invite", "private")
"""Who may join; the last is what tables to think at are, and no command offers it."""


class Person(Record, frozen=True):
    """A person who acts: their id, and the name others see."""

    id: str
    name: str


class Seat(Record, frozen=True):
    """A place at a table and who holds it now; ``number`` 0 sits first.

    Args:
        user: its holder, empty where no one holds it.
        name: what the seat is called.
        proxy, proxy_name: who acts for the holder, empty for no one.
        stand_in: the program's player sits in for now.
        once: proxy or stand-in only until the turn that now is has passed.
        manner: how the program plays, in words that ``engine.player.read_manner`` knows; empty for its best.
    """

    number: int
    user: str
    name: str
    proxy: str = ""
    proxy_name: str = ""
    stand_in: bool = False
    once: bool = False
    manner: str = ""

    @property
    def caller(self) -> str:
        """Who is called when the seat must decide; empty for no one."""
        return "" if self.stand_in else self.proxy or self.user


class Tenure(Record, frozen=True):
    """The time a person held a seat; ``gone`` is ``None`` while they do."""

    number: int
    user: str
    name: str
    joined: int
    gone: int | None


class Home(Record, frozen=True):
    """Where a table lives in Discord; empty text where it does not (yet).

    Args:
        guild: the server. channel: where it was opened.
        thread: the table's own thread or forum post.
        message: the table message, edited in place.
    """

    guild: str = ""
    channel: str = ""
    thread: str = ""
    message: str = ""


class Table(Record, frozen=True):
    """A table as the database knows it, without the position.

    Args:
        id: number of the game; what controls and commands carry.
        places: how many seats were asked for.
        seats: who holds them; before the start in the order of joining.
        invited: ids of people who may join though the table is closed to others.
        turn_from: log version at which the current turn began.
        fingerprint: hash of the seed, published when the table is opened.
        expires: when an open table is closed for want of players. started: when play began.
        reason: why a finished game ended, or a closed one was closed.
        clock: the time there is to decide; ``None`` is no clock.
        barred: why nothing can be written into its thread; empty where it can, as far as is known.
        experience: whom it looks for. season: of a league, 0 for none.
        page: token of its page for all, empty where the host has turned that off; ``None``: it never had one.
        asked, followed, stopped: there may be proposals that are open or agreed, followers, orders that have stopped
            and whose owners don't know yet.
    """

    id: int
    name: str
    title: str
    options: dict[str, str]
    seed: int
    rules: int
    places: int
    host: str
    state: TableState
    pace: Pace
    privacy: Privacy
    order: SeatOrder
    home: Home
    created: int
    expires: int
    started: int | None = None
    turn_from: int = 0
    fingerprint: str = ""
    reason: str = ""
    seats: tuple[Seat, ...] = ()
    invited: tuple[str, ...] = ()
    clock: GameClock | None = None
    barred: str = ""
    experience: str = EXPERIENCES[0]
    season: int = 0
    page: str | None = None
    asked: bool = True
    followed: bool = True
    stopped: bool = True

    @property
    def setup(self) -> Setup:
        """What the engine starts from; before the start with the seats asked for."""
        seats = self.places if self.state == "open" else len(self.seats)
        return Setup(self.title, seats, dict(self.options), self.seed, self.rules)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def is_lost(self) -> bool:
        """Return whether its channel is gone, so that its players can be told in private only."""
        return bool(self.home.guild) and not self.home.channel and self.privacy != "private"

    def list_held(self, user: str) -> tuple[int, ...]:
        """Return the seats a user holds; several at a hot seat."""
        return tuple(seat.number for seat in self.seats if user and seat.user == user)

    def list_playable(self, user: str) -> tuple[int, ...]:
        """Return the seats a user may act for: their own, then those they stand proxy for."""
        lent = (seat.number for seat in self.seats if user and seat.proxy == user and seat.user != user)
        return (*self.list_held(user), *lent)

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of those who hold seats, each once."""
        return tuple(dict.fromkeys(seat.user for seat in self.seats if seat.user))

    def find_name(self, user: str) -> str:
        """Return what a person is called here: by their seats, else by those they stand proxy for."""
        own = [seat.name for seat in self.seats if user and seat.user == user]
        lent = [seat.proxy_name for seat in self.seats if user and seat.proxy == user][:1]
        return " and ".join(dict.fromkeys(own or lent)) or "Someone"

    def find_seats(self, numbers: tuple[int, ...]) -> tuple[Seat, ...]:
        """Return the seats with these numbers, with their holders."""
        return tuple(seat for seat in self.seats if seat.number in numbers)


class NewTable(Record, frozen=True):
    """What a host says when opening a table; ``options`` are ``name=value`` choices, ``manner`` that of stand-ins."""

    title: str
    seats: int
    name: str = ""
    options: Mapping[str, str] = {}
    pace: Pace = "relaxed"
    privacy: Privacy = "open"
    seed: int | None = None
    stand_ins: int = 0
    clock: bool = False
    manner: str = ""
    experience: str = EXPERIENCES[0]


class Position(Record, frozen=True):
    """A running or finished game as it stands.

    Args:
        version: number of log entries, undone ones and undos included; what
            controls carry. ``len(game.line)`` is the number of moves in force.
        damage: what is wrong with the log after this, the last intact position; the table is then read-only.
    """

    table: Table
    game: Standing
    version: int
    damage: str = ""

    @property
    def course(self) -> Course:
        """All that the position follows from, for the workers."""
        return Course(self.table.id, self.game.setup, self.game.log)

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Who is asked to decide; one who could only take a proposal back is not, and no one at a damaged table."""
        return () if self.damage else self.table.find_seats(self.ask().seats)

    def ask(self) -> Ask:
        """Return what the game waits for, with the names of the players in it."""
        return self.game.ask().insert_names(self.table.names)


class Choice(Record, frozen=True):
    """A value that may be typed or picked, with its words."""

    value: str
    label: str


class Vote(Record, frozen=True):
    """What one person said to a proposal."""

    user: str
    yes: bool


State = Literal["open", "accepted", "declined", "withdrawn", "countered", "lapsed"]


class Proposal(Record, frozen=True):
    """Something that one person asks of others; silence is a no.

    Args:
        terms: what is to be done. proposer: who asks; they agree, and may withdraw.
        version: of the log when it was asked.
        needed: ids of those who must all say yes.
        voters: ids of those of whom ``enough`` must say yes.
        absent: who is spoken of and ends the matter by a word or a move; empty for no one.
        state: open, accepted, declined, withdrawn, countered by another proposal, or lapsed as the game went on.
    """

    id: int
    game: int
    proposer: str
    terms: AnyTerms
    version: int
    needed: tuple[str, ...]
    state: State
    expires: int
    votes: tuple[Vote, ...] = ()
    voters: tuple[str, ...] = ()
    enough: int = 0
    absent: str = ""

    @property
    def deciders(self) -> tuple[str, ...]:
        """Ids of those who are asked."""
        return tuple(dict.fromkeys((*self.needed, *self.voters)))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of those who are asked and have not answered."""
        said = {vote.user for vote in self.votes}
        return tuple(user for user in self.deciders if user not in said and user != self.proposer)

    @property
    def is_agreed(self) -> bool:
        """Return whether all have said yes whose yes is needed."""
        said = {vote.user for vote in self.votes if vote.yes} | {self.proposer}
        return said >= set(self.needed) and len(said & set(self.voters)) >= self.enough

    @property
    def is_refused(self) -> bool:
        """Return whether it cannot be agreed any more."""
        said = {vote.user for vote in self.votes if not vote.yes}
        short = len(set(self.voters) - said) < self.enough
        return bool(said & {*self.needed, self.absent}) or short


class Outcome(Record, frozen=True):
    """What came of an action, an undo or a vote.

    Args:
        version: version after it. sentences: what happened, with names.
        ask: what the game waits for now. actors: who must decide.
        handed_over: the turn passed to others; ``line`` is the result line of the turn that ended.
        repeated: this very interaction was answered before; nothing was played again.
        proposal: the action needs the consent of others, and they were asked.
        result: the end of the game, else ``None``.
    """

    table: Table
    version: int
    sentences: tuple[str, ...]
    ask: Ask | None
    actors: tuple[Seat, ...]
    handed_over: bool = False
    line: str = ""
    repeated: bool = False
    proposal: Proposal | None = None
    result: Result | None = None


class LogLine(Record, frozen=True):
    """One entry of the log in words.

    Args:
        seq: place in the log, from 0. move: number among those in force, from 1; 0 for others (undone, or an undo).
        taken_back: it was undone and is no longer in force.
        folded: it is a bid of a raise war of orders, which is told with the last bid.
        first: number of the first move that is told here, 0 for what is not in force.
    """

    seq: int
    move: int
    seat: int
    name: str
    sentences: tuple[str, ...]
    at: int
    taken_back: bool = False
    folded: bool = False
    first: int = 0


class Calls(Record, frozen=True):
    """When a person may be called to their turn.

    Args:
        reminders: whether they are reminded of turns that wait for them.
        quiet_from, quiet_to: hours between which nothing may ring, in ``zone``; none if they are equal.
        zone: name of a time zone, as "Europe/Berlin".
        place: where they are called: at the table, by direct message, both, or not at all.
        delay: minutes after which they are called at all. every: hours between reminders, 0 as the table has it.
        most: reminders of a turn. digest: hour of a daily message of all that waits; -1 for none.
        away_from, away_to: moments between which they are away; the same for never. away_note: why.
        on_deck: they are told when they are probably next.
    """

    reminders: bool = True
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = "UTC"
    place: CallPlace = "table"
    delay: int = 0
    every: int = 0
    most: int = 5
    digest: int = -1
    away_from: int = 0
    away_to: int = 0
    away_note: str = ""
    on_deck: bool = False


class ServerRules(Record, frozen=True):
    """What those who run a server decided for it.

    Args:
        channels: ids of those in which tables may be opened; all if there is none.
        roles: one of which it takes to open or join tables, names by id; none if there is none.
        tables: that one person may host at a time. seats: at so many tables one person may sit.
        imports: files that may be brought in within a day. 0 is no limit.
        paused: nothing is played, and no one is called. no_boards: its tables have no public page.
    """

    channels: tuple[str, ...] = ()
    roles: dict[str, str] = {}
    tables: int = 0
    seats: int = 0
    imports: int = 0
    paused: bool = False
    no_boards: bool = False


class Style(Record, frozen=True):
    """How one person wants to see things; ``hidden``: their results are for their own eyes."""

    palette: str = "standard"
    text_first: bool = False
    hidden: bool = False
