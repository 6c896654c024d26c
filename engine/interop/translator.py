"""Translating the games of a title from 18xx.games: the records a title brings, and the reading of a whole file.

Each action is checked by the rules before the next is read. A pass of the site does not say which step it ends. Where
the site stops at a step that we skip, its pass would end our next step; if the log then breaks a rule, it is read again
without that pass.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.errors import LogError, RuleError
from engine.finance.state import ShareCompany
from engine.finance.trading import find_share_price
from engine.game import LogEntry, play_entry
from engine.interop.report import Repair, compare_action, compare_order
from engine.interop.site import ASIDE, SILENT, Raw, SiteFile, list_automatic, list_in_force
from engine.interop.writing import Written
from engine.record import Action, Event, Record
from engine.setup import Setup
from engine.title import Tell, Title

Row = dict[str, object]
"""What is compared after an action, as JSON."""


class Reader(Protocol):
    """What reads the actions of one game, in order."""

    def read(self, s: Any, raw: Raw) -> Iterator[tuple[int, Action]]:  # noqa: ANN401 - each title has its own state
        """Yield what we say for one action of the site, seat by seat."""

    def hear(self, event: Event) -> None:
        """Hear a fact of what was played."""


class Writer(Protocol):
    """What writes the actions of one game, in order."""

    def write(self, s: Any, seat: int, action: Action) -> Written | None:  # noqa: ANN401 - each title has its own state
        """Return an action as the site logs it, before it is played; ``None`` where the site logs nothing."""

    def hear(self, event: Event) -> None:
        """Hear a fact of what was played."""

    def write_afterwards(self) -> list[Written]:
        """Return what the site needs after the action that was played, so that it goes on."""

    def find_stop(self) -> str:
        """Return what the site stops at forever, which names a seat as ``{0}``; empty as long as it goes on."""


class LegalMenu:
    """Gathers what is legal, by kind."""

    def __init__(self) -> None:
        self._moves: dict[str, list[list[object]]] = {}
        self._pars: dict[str, list[int]] = {}
        self._prices: dict[str, int] = {}

    def add(self, kind: str, *move: object) -> None:
        """Add a move: a tile, a token, a share to buy or sell."""
        self._moves.setdefault(kind, []).append([*move])

    def extend(self, kind: str, moves: Iterable[list[object]]) -> None:
        """Add several moves of a kind."""
        self._moves.setdefault(kind, []).extend(moves)

    def buy(self, company: ShareCompany, source: str) -> None:
        """Add a share that may be bought, a tenth of the company, with its price."""
        self.add("buy", company.code, source, 10, find_share_price(company, source))

    def sell(self, company: str, count: int, each: int) -> None:
        """Add shares that may be sold, in percent, and what they bring."""
        self.add("sell", company, count * 10, count * each)

    def par(self, company: str, price: int) -> None:
        """Add a price at which a company may start."""
        self._pars.setdefault(company, []).append(price)

    def dividend(self, kind: str, price: int) -> None:
        """Add a kind of dividend, and the share price after it."""
        self._prices[kind] = price

    def make_row(self) -> Row:
        """Return what there is; kinds without a move are left out."""
        return {
            **self._moves,
            **({"par": self._pars} if self._pars else {}),
            **({"dividend": self._prices} if self._prices else {}),
        }


def list_holdings(companies: Iterable[ShareCompany], seat: int) -> dict[str, int]:
    """Return what a player has of each company, in percent of ten shares."""
    return {company.code: company.shares[seat] * 10 for company in companies if company.shares[seat]}


class Tracer(Record, frozen=True):
    """How a replay of a title is compared with one of the site.

    Args:
        state: of a state and the players' ids in seat order, what is compared after each action.
        options: what a seat may do, in the site's words.
        best: the search for the best run where an action runs trains, ``None`` elsewhere.
    """

    state: Callable[[Any, Sequence[str]], Row]
    options: Callable[[Any, int], Row]
    best: Callable[[Any, Action], Callable[[], Row] | None]


class Waiting(Record, frozen=True):
    """How a title is played with every question of the site asked, also where there is but one answer.

    Files of the site are read, compared and written so; a table of ours is
    not asked, and its log does not have those answers.

    Args:
        wait: returns a state that was just dealt as one that asks them; rest: returns it as one that asks no more.
        asks_alone: whether the site alone asks the question that a state waits at.
        idle: seat and action that answer such a question;
        idles: tells whether an action may be such an answer.
        silent: tells whether a table of ours says nothing where a state waits for such an answer; otherwise it says
            what follows from the answer too.
    """

    wait: Callable[[Any], Any]
    rest: Callable[[Any], Any]
    asks_alone: Callable[[Any], bool]
    idle: Callable[[Any], tuple[int, Action]]
    idles: Callable[[Action], bool]
    silent: Callable[[Any], bool]


class Translator(Record, frozen=True):
    """Games of one title to and from 18xx.games.

    Args:
        reader: makes the reader of a file from the seats by player id.
        writer: makes the writer of a file from the players' ids in seat order.
        tracer: what is compared.
        waiting: the questions the site asks and we do not, ``None`` where it asks none.
    """

    reader: Callable[[Mapping[str, int]], Reader]
    writer: Callable[[tuple[int, ...]], Writer]
    tracer: Tracer
    waiting: Waiting | None = None


MAX_LEFT_OUT = 24
"""Passes that may be left out of one file."""
MAX_LOOK_BACK = 6
"""Passes of a turn that are tried, the latest first."""


class TranslatedAction(NamedTuple):
    """One of our actions, with the position in the file of the one it comes from.

    ``extra`` is an answer to a question that only the site asks. ``events``
    is what follows, as a table of ours is told it.
    """

    position: int
    entry: LogEntry
    extra: bool = False
    events: tuple[Event, ...] = ()


Translated = list[TranslatedAction]


class Translation(NamedTuple):
    """A file in our words.

    Args:
        actions: with the answers to every question of the site.
        further: answers to what only the site would ask after them.
        state: to which they lead at a table of ours; ``None`` where that is only known by playing the log, as an
            action of the file answers a question of the site otherwise than a table of ours goes on.
        end: the state to which they lead, in any case.
        repairs: what the file states otherwise, and what was left out or put in.
    """

    actions: Translated
    further: Translated
    state: Any | None
    end: Any
    repairs: tuple[Repair, ...]


def translate(file: SiteFile, setup: Setup, title: Title[Any], translator: Translator) -> Translation:
    """Return a file in our words, each action played once and checked.

    Args:
        file: the whole game.
        setup: the game it begins with.
        title: whose rules check it.
        translator: of the title.

    Raises:
        LogError: an action cannot be read, or breaks a rule.
    """
    seats = {str(player.id): seat for seat, player in enumerate(file.people)}
    places = list_in_force(file.actions)

    def read(left_out: Collection[int]) -> tuple[_Course, LogError | None]:
        course = _Course(title, setup, translator)
        kept = [at for at in places if at not in left_out]
        try:
            _read_actions(file.actions, kept, course, translator.reader(seats))
        except LogError as refusal:
            return course, refusal
        return course, None

    left_out: set[int] = set()
    course, refusal = read(left_out)
    while refusal is not None and len(left_out) < MAX_LEFT_OUT:
        for at in _list_suspects(file.actions, course.found, refusal.index):
            again, better = read(left_out | {at})
            if better is None or better.index > refusal.index:
                left_out.add(at)
                course, refusal = again, better
                break
        else:
            raise refusal
    if refusal is not None:
        raise refusal
    course.repairs += (Repair(at, "This pass ends no step that is left, so it was left out.") for at in left_out)
    said_aside = ((at, raw) for at, raw in enumerate(file.actions) if raw["type"] in ASIDE)  # an undo leaves them
    course.repairs += (Repair(at, words) for at, raw in said_aside for words in compare_order(raw))
    return course.finish()


def deal_waiting(setup: Setup, title: Title[Any], translator: Translator | None) -> Any:  # noqa: ANN401 - a title's own state
    """Return the state a game begins with, with every question of the site asked."""
    state = title.deal(setup)
    if translator is not None and translator.waiting is not None:
        return translator.waiting.wait(state)
    return state


def remove_idle_answers(exact: Translated) -> Translated:
    """Return the actions of a game without the answers to questions that a table of ours is not asked.

    What follows from such an answer, and the runs that companies make after it, follow from the action before it.
    """
    kept: Translated = []
    for each in exact:
        if not each.extra:
            kept.append(each)
        elif kept:
            last = kept[-1]
            entry = LogEntry(last.entry.seat, last.entry.action, (*last.entry.runs, *each.entry.runs))
            kept[-1] = last._replace(entry=entry, events=(*last.events, *each.events))
    return kept


class _Course:
    """A game that is being read, and what was found of it."""

    def __init__(self, title: Title[Any], setup: Setup, translator: Translator) -> None:
        self.found: Translated = []
        self.state = deal_waiting(setup, title, translator)
        self._title = title
        self._waiting = translator.waiting
        self._strays = False
        self.repairs: list[Repair] = []

    def play(self, position: int, seat: int, action: Action, tell: Tell) -> list[Event]:
        """Play an action, spelled out, and return what followed.

        Raises:
            RuleError: the rules refuse it.
        """
        waiting = self._waiting
        alone = waiting is not None and waiting.asks_alone(self.state)
        extra = waiting is not None and alone and waiting.idles(action)
        is_silent = waiting is not None and extra and waiting.silent(self.state)
        self._strays |= alone and not extra
        events: list[Event] = []

        def hear(event: Event) -> None:
            events.append(event)
            tell(event)

        spelled = self._title.spell_out(self.state, seat, action)
        said = play_entry(self._title, self.state, LogEntry(seat, spelled), hear)
        self.found.append(TranslatedAction(position, said, extra, tuple(events[is_silent:])))
        return events

    def finish(self) -> Translation:
        """Return what was found; where only the site would still ask something, a table of ours goes on."""
        count, waiting = len(self.found), self._waiting
        if waiting is not None:
            while waiting.asks_alone(self.state):
                self.play(-1, *waiting.idle(self.state), lambda _: None)
            self.state = waiting.rest(self.state)
        repairs = tuple(sorted(self.repairs, key=lambda repair: repair.place))
        return Translation(
            self.found[:count], self.found[count:], None if self._strays else self.state, self.state, repairs
        )


def _read_actions(actions: Sequence[Raw], places: Sequence[int], course: _Course, reader: Reader) -> None:
    """Play what is read, an action after the other.

    Raises:
        LogError: an action cannot be read, or breaks a rule.
    """
    for position in places:
        raw = actions[position]
        for action in (raw, *list_automatic(raw)):
            if action.get("type") in SILENT:
                course.repairs += (Repair(position, words) for words in compare_order(action))
                continue
            said: list[Action] = []
            events: list[Event] = []
            try:
                for seat, ours in reader.read(course.state, action):
                    said.append(ours)
                    events += course.play(position, seat, ours, reader.hear)
                course.repairs += [Repair(position, words) for words in compare_action(action, said, events)]
            except RuleError as refusal:
                raise LogError(position, str(refusal)) from refusal


def _list_suspects(actions: Sequence[Raw], found: Translated, failed: int) -> list[int]:
    """Return the positions of a company's passes that we have played just before, the latest first."""
    played = dict.fromkeys(entry.position for entry in found)
    passes = [
        at
        for at in played
        if at <= failed
        and actions[at].get("type") == "pass"
        and actions[at].get("entity_type") == "corporation"
        and "step" not in actions[at]
    ]
    return passes[: -MAX_LOOK_BACK - 1 : -1]
