"""The contract between a title and everything that plays, draws or stores it.

A title is a record of functions over its own state; there is no base class of
games. ``game.py`` lists the titles; a new one is a folder and a line there.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, Literal, TypeVar

import msgspec

from engine.brief import Brief
from engine.errors import RuleError
from engine.hints import Earning, RunEdit, Tip
from engine.orders import Orders
from engine.printed import Reading
from engine.record import Action, Event, Record
from engine.report import Reporter
from engine.setup import LobbyOption, Options, Rng, Setup
from engine.thinking import Thought
from engine.view import Identity, View
from engine.words import describe_kinds

S = TypeVar("S")
Tell = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """Ignore an event, as replays do, and moves that are only tried out."""


_SEAT = re.compile(r"\{(\d{1,2})\}")


def insert_names(text: str, names: Sequence[str]) -> str:
    """Return words of a title with ``{0}``, ``{1}`` and so on replaced by the players' names."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, text)


@contextmanager
def insert_names_in_refusals(names: Sequence[str]) -> Iterator[None]:
    """Let refusals of rules tell players by their names.

    Raises:
        RuleError: what the block raises, with the names in it.
    """
    try:
        yield
    except RuleError as refusal:
        raise RuleError(insert_names(refusal.sentence, names), refusal.rule) from None


class Ask(Record, frozen=True):
    """What the game waits for; headline, kind and lines may name a seat as ``{0}``.

    Args:
        seats: who must decide; one seat, or several where all may answer; none only when the game is over.
        headline: "S&C operates (OR 4.1, 3rd of 6)".
        kind: a few words for the ping: "lay track", "buy or pass".
        lines: what is asked, the money that matters, the consequences; six at most.
        company: code of the company that acts, empty for a player.
        pictures: names of the pictures that show what is to be decided, the most telling
            first; where it is empty, those of ``Picture.every_turn``.
        rules: topics of the paragraphs of the rules about what can be done.
        readings: how the table reads disputed points that matter now, a short line each.
    """

    seats: tuple[int, ...]
    headline: str
    kind: str
    lines: tuple[str, ...] = ()
    company: str = ""
    pictures: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    def insert_names(self, names: Sequence[str]) -> "Ask":
        """Return the same with the players' names in it."""
        lines = tuple(insert_names(line, names) for line in self.lines)
        return msgspec.structs.replace(
            self, headline=insert_names(self.headline, names), kind=insert_names(self.kind, names), lines=lines
        )


def explain_not_now(kind: type[Action], ask: Ask, could: Sequence[type[Action]]) -> str:
    """Word that a player can't do something now, as "You can't sell now; you can buy or pass", with a full stop.

    Args:
        kind: what was said.
        ask: what the player is asked.
        could: the kinds of legal actions; if none of them is a pass, the player must do what is asked.
    """
    if any(each.verb == "pass" for each in could):
        return f"You can't {kind.brief} now; you can {describe_kinds(could)}."
    return f"You can't {kind.brief} now. {ask.headline}: you must first {ask.kind}."


class Score(Record, frozen=True):
    """What one seat has at the end, and of what it is made."""

    seat: int
    total: int
    parts: tuple[tuple[str, int], ...] = ()


class Result(Record, frozen=True):
    """The end of a game: why it ended, and the scores from first to last.

    Args:
        reason: as logs have it, in a word.
        scores, winners: from first to last, and the seats that share the first place.
        words: the reason as players say it, where that is something else.
        currency: stands before the scores.
    """

    reason: str
    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    words: str = ""
    currency: str = ""

    @property
    def reason_in_words(self) -> str:
        """Why it ended, in words."""
        return self.words or self.reason


class Picture(Record, frozen=True):
    """A picture a title can show: its name, words for it, and what it is asked with.

    Args:
        name: "map", "market", …: as in ``/view map``.
        label: words for a button.
        about: kind of the argument: nothing, a company, a seat or a hex.
        every_turn: posted after every turn; about the whole game, then.
    """

    name: str
    label: str
    about: Literal["", "company", "seat", "hex"] = ""
    every_turn: bool = False


class Request(Record, frozen=True):
    """Ask for one picture.

    Args:
        picture: name of the picture; empty where a title is to show choices by a picture of its own.
        seat: who looks; ``None`` sees what a bystander may see.
        about: the argument, see ``Picture.about``.
        names: what the seats are called; "Player 1" and so on where it is empty.
        table: what the table is called.
    """

    picture: str = ""
    seat: int | None = None
    about: str = ""
    names: tuple[str, ...] = ()
    table: str = ""

    def find_name(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.names[seat] if seat < len(self.names) else f"Player {seat + 1}"


class Wording(msgspec.Struct, Generic[S], frozen=True):
    """What a title says.

    Args:
        ask: what is asked of whom; called when ``actors`` is empty too, then it says that the game is over.
        label: words for one parameter of an action on a menu, or for the whole of it where the parameter is "";
            where it is "menu", few words for the whole of it, or "".
        say: a fact as a sentence with a full stop, or "" for one that needs no words.
        rules: (section, topic, text) of every paragraph in our own words, in the order of the rulebook; the
            options are those of the table that asks, empty where none does; the first two paragraphs are the goal and
            the game in short.
        headings: the section of each printed heading that isn't a section of ``rules`` itself.
        readings: how a table with these options reads what the rulebook leaves open; by default nothing is open.
        ask_seat: what ``ask`` says to one seat, where that may know more than all; by default it doesn't.
        headlines: facts that a film tells of a round, those first that matter most.
    """

    ask: Callable[[S], Ask]
    label: Callable[[S, Action, str], str]
    say: Callable[[Event, Sequence[str]], str]
    rules: Callable[[Options], Sequence[tuple[str, str, str]]]
    headings: Mapping[str, str] = {}
    readings: Callable[[Options], Sequence[Reading]] = lambda _options: ()
    ask_seat: Callable[[S, int], Ask] | None = None
    headlines: tuple[type[Event], ...] = ()


class Views(msgspec.Struct, Generic[S], frozen=True):
    """What a title shows.

    Args:
        pictures: what can be looked at, in the order of buttons; at least one is posted every turn.
        look: one of ``pictures`` as a seat (or a bystander) may see it; RuleError for a picture it does not have.
        illustrate: a picture that shows choices in place, lettered or numbered; ``None`` if there is none.
        subjects: what a picture may be asked about, as (value, words); empty for a kind that is unknown.
        identity: face and colours of its pictures; by default none of its own.
        reach: the hexes or places that a company's track leads to; by default none.
    """

    pictures: tuple[Picture, ...]
    look: Callable[[S, Request], View]
    illustrate: Callable[[S, Request, Sequence[Action]], View | None]
    subjects: Callable[[S, str], Sequence[tuple[str, str]]]
    identity: Identity = Identity()
    reach: Callable[[S, str], Collection[str]] = lambda _s, _company: ()


class Hints(msgspec.Struct, Generic[S], frozen=True):
    """What a title knows of good moves.

    Args:
        choose: a legal action for a seat, by the seeded player; far below a second.
        think: the same after so many tries, with a reason and what else was thought of; it sees only what the seat
            may see. The last argument is its temper: 1 bold, -1 steady. By default, what ``choose`` says.
        tips: moves worth a button of their own, best first; may search for a second or two; may be empty.
        usual: legal actions of a seat in the order in which menus list them, the best or most usual first, nonsense
            last; by a glance at each, for it is done at every decision. By default as they stand.
        plain: the action by which menus show one of several with the same effect, such as a tile turned so
            that it looks alike; by default the action itself.
        prove: the tips that take the place of those not proven, after going on for a budget of some million
            tries (about a second each, off the event loop): better or proven ones, never worse; what is
            proven it leaves as it is. By default all as they are.
        plans: at most five ways to run that differ in what matters, best first, their words saying how, their
            shorthand a number; ``known`` are the tips, of which none is looked for again; off the event loop, for
            it may search for a second or two. By default none.
        edits: the changes of a plan of runs by one step, each with the whole plan after it, which can be read but
            may break a rule; by default none.
        amounts: a plan for each other amount that runs near a plan earn, the most first, its words the amount; takes
            about a tenth of a second. By default none.
        glance: what the company to act would earn if it ran now, before it does; ``None`` where it does not run.
            A search of a fraction of a second, or of so many ``parts`` of that. By default nothing.
        worth: what each seat is worth now, as anyone at the table may know it; by default nothing is known.
        regrets: what a beginner would regret of having come from one position to another, a sentence each.
        play_on: what each seat has at the end of so many games that the program's players play on from a position, of
            which it knows all; ``None`` where they can't do that quickly.
    """

    choose: Callable[[S, int, Rng], Action]
    tips: Callable[[S, int], Sequence[Tip]]
    usual: Callable[[S, int, Sequence[Action]], Sequence[Action]] = lambda _s, _seat, actions: actions
    plain: Callable[[S, Action], Action] = lambda _s, action: action
    prove: Callable[[S, int, Sequence[Tip], int], Sequence[Tip]] = lambda _s, _seat, tips, _budget: tips
    plans: Callable[[S, int, Sequence[Tip]], Sequence[Tip]] = lambda _s, _seat, _known: ()
    edits: Callable[[S, int, str], Sequence[RunEdit]] = lambda _s, _seat, _plan: ()
    amounts: Callable[[S, int, str], Sequence[RunEdit]] = lambda _s, _seat, _plan: ()
    glance: Callable[[S, int], Earning | None] = lambda _s, _parts: None
    worth: Callable[[S], Sequence[int]] = lambda _s: ()
    regrets: Callable[[S, S, int], Sequence[str]] = lambda _before, _after, _seat: ()
    think: Callable[[S, int, Rng, int, int], Thought] | None = None
    play_on: Callable[[S, Rng, int], Sequence[Sequence[int]]] | None = None


class UnaskedRuns(msgspec.Struct, Generic[S], frozen=True):
    """How the log keeps runs of companies that run without a question to a player.

    Args:
        recall: hand a state the runs that the log holds for the next ``apply``.
        take: the runs made since, for the log.
    """

    recall: Callable[[S, Sequence[str]], None]
    take: Callable[[S], tuple[str, ...]]


class Replies(Record, frozen=True):
    """What players say to offers of others; an action that one of these follows was an offer.

    Args:
        kinds: types of the actions that answer an offer, or take it back.
        accept: the action that agrees to an offer.
        decline: the action that turns it down.
    """

    kinds: tuple[type[Action], ...]
    accept: Action
    decline: Action


class Flow(Record, frozen=True):
    """Money between a player and a company's shares: less than 0 if the player paid it, more if they got it.

    Where ``company`` is "", it belongs to what the player pays for next.
    """

    seat: int
    company: str
    amount: int


class Ran(Record, frozen=True):
    """What a company ran for, or could run for: revenue, and the subsidy beside it; ``proven`` if no run has more."""

    company: str
    revenue: int
    subsidy: int = 0
    proven: bool = False


class Story(msgspec.Struct, Generic[S], frozen=True):
    """How the story of a game is told; all functions are pure, and change nothing.

    Args:
        flows: what players paid and got for shares, by a fact. ran: what a fact says a company ran for.
        best: what the company that acts could run for, as far as a glance finds it; ``None`` where it has nothing.
        worth: what the shares of a seat count at the end, by company.
        merged: who went on and who went up in it, if a fact says so.
    """

    flows: Callable[[Event], Sequence[Flow]]
    ran: Callable[[Event], Ran | None]
    best: Callable[[S], Ran | None]
    worth: Callable[[S, int], Sequence[tuple[str, int]]]
    merged: Callable[[Event], tuple[str, str] | None] = lambda _event: None


AnyStory = Story[Any]


class Title(msgspec.Struct, Generic[S], frozen=True):
    """One game of the shelf, as a record of pure functions.

    A seat is a number from 0. Functions never change a state but ``apply`` and ``unasked.recall``, never
    search longer than their docstring here says, and raise nothing but what is named.

    Args:
        id: as in commands, files and the database: "1860"; never changed once games are stored.
        name: as players know it.
        seats: fewest and most players.
        options: what the table may choose before the start; empty if nothing.
        actions: the types of its actions; each verb becomes a command, all are known to the database.
        open_verbs: verbs with too many actions to list, for which ``legal`` yields suggestions only; may be empty.
        deal: the position of a set-up before the first decision; RuleError for options or seats it refuses.
        clone: a copy that shares nothing mutable; some microseconds, as each action takes one.
        actors: the seats that must or may decide now, who decides first in front; empty when the game is over.
        legal: every legal action of a seat; a generator, for some positions have thousands.
        check: what ``apply`` needs for an action of a seat (a type of the title's own); RuleError if it
            is refused, with the state as it was.
        apply: plays what ``check`` returned, and all that follows automatically, telling each fact; never fails.
        spell_out: an action with shorthand ("best") replaced by what is logged, any other as it is; may
            search for a second or two; RuleError where nothing can be found.
        result: reason and scores in the title's own money or points; ``None`` while the game goes on.
        words, views, advice: what it says, what it shows, what it knows of good moves.
        unasked: how the log keeps runs that no player was asked about; ``None`` where companies never run so.
        orders: what standing orders mean with it; ``None`` if there are none.
        story: what the story of a finished game is told from; ``None`` where that is its values over time alone.
        report: makes what finds the facts of a report of a finished game; ``None`` where there are none.
        brief: how a stretch of a game is told in few words; by default as the log tells it.
        replies: what players say to offers of others; ``None`` where they make none.
        package: where its folder ``lessons`` is; empty where no lesson teaches it.
    """

    id: str
    name: str
    seats: tuple[int, int]
    options: tuple[LobbyOption, ...]
    actions: tuple[type[Action], ...]
    open_verbs: frozenset[str]
    deal: Callable[[Setup], S]
    clone: Callable[[S], S]
    actors: Callable[[S], tuple[int, ...]]
    legal: Callable[[S, int], Iterable[Action]]
    check: Callable[[S, int, Action], Any]  # what it returns is for apply alone: each title has its own type
    apply: Callable[[S, Any, Tell], None]
    spell_out: Callable[[S, int, Action], Action]
    result: Callable[[S], Result | None]
    words: Wording[S]
    views: Views[S]
    advice: Hints[S]
    unasked: UnaskedRuns[S] | None = None
    orders: Orders[S] | None = None
    story: Story[S] | None = None
    report: Callable[[], Reporter] | None = None
    brief: Brief[S] = Brief()
    replies: Replies | None = None
    package: str = ""

    @property
    def short_name(self) -> str:
        """The name up to its colon: "1860"."""
        return self.name.partition(":")[0]
