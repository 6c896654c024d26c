"""What a game is told from, played once more: the story of a finished one, and a stretch of it in few words."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import Any

import msgspec

from bot.service.workers.jobs import Held, Task
from engine import Action, Event, Game, Record, Request, Rng, Title
from engine.brief import Bit, Piece, fold
from engine.game import play_entry
from engine.report import CharterFine, Findings
from engine.title import AnyStory, Ran
from engine.view import Chart

MAX_RUNS_EXAMINED = 240
"""Runs of which it is asked what they could have earned, evenly spread: a glance takes up to 30 ms. Games have 140."""
_CHART_PICTURE = "chart"
END = "end"
"""The step of a course at which all is counted once more."""


class RunReport(Record, frozen=True):
    """A run: in which round, of which company, by which seat (-1: automatically), what it earned and what it left.

    ``left`` is what the best run that a glance finds earns more, in revenue and subsidy together; ``proven`` if no run
    earns more than that one. ``at`` is how many moves were played before.
    """

    round: str
    company: str
    seat: int
    revenue: int
    left: int = 0
    proven: bool = False
    at: int = 0


class Stake(Record, frozen=True):
    """What a seat has put into a company, and what it has got from it, the shares it holds at the end included."""

    seat: int
    company: str
    paid: int = 0
    got: int = 0


class Account(Record, frozen=True):
    """What a finished game was.

    Args:
        steps: the rounds or turns after which values were noted. values: of each seat, after each of them.
        unit: stands before amounts. runs, stakes: none where the title keeps none.
        winners: seats that share the first place, tie-breaks counted; none while the game runs.
        findings: what the title's reporter has found.
    """

    steps: tuple[str, ...] = ()
    values: tuple[tuple[int, ...], ...] = ()
    unit: str = ""
    runs: tuple[RunReport, ...] = ()
    stakes: tuple[Stake, ...] = ()
    winners: tuple[int, ...] = ()
    findings: Findings = Findings()


class _Ledger:
    """Who has paid and got what, by company."""

    def __init__(self) -> None:
        self._rows: dict[tuple[int, str], tuple[int, int]] = {}
        self._ahead: dict[int, int] = {}

    def note(self, story: AnyStory, event: Event) -> None:
        """Note what a fact says; of a company that goes up in another the stakes go with it."""
        for flow in story.flows(event):
            if not flow.company:
                self._ahead[flow.seat] = -flow.amount
                continue
            ahead = self._ahead.pop(flow.seat, 0) if flow.amount < 0 else 0
            self._add(flow.seat, flow.company, max(-flow.amount, 0) + ahead, max(flow.amount, 0))
        survivor, gone = story.merged(event) or ("", "")
        for seat, company in [row for row in self._rows if gone and row[1] == gone]:
            self._add(seat, survivor, *self._rows.pop((seat, company)))

    def _add(self, seat: int, company: str, paid: int, got: int) -> None:
        before = self._rows.get((seat, company), (0, 0))
        self._rows[seat, company] = (before[0] + paid, before[1] + got)

    def sum_stakes(
        self, worth: Sequence[Sequence[tuple[str, int]]], fines: Sequence[CharterFine] = ()
    ) -> tuple[Stake, ...]:
        """Return all stakes with what the shares of each seat are worth at the end, and the fines for charters."""
        for fine in fines:
            self._add(fine.seat, fine.company, fine.paid, 0)
        for seat, held in enumerate(worth):
            for company, amount in held:
                self._add(seat, company, 0, amount)
        return tuple(Stake(*row, *sums) for row, sums in sorted(self._rows.items()) if row[0] >= 0 and sums[0])


def build_account(held: Held, _: None) -> Account:
    """Return the account of a game as it stands."""
    game = held.game
    chart = next(
        (game.look(Request(each.name)) for each in game.title.views.pictures if each.name == _CHART_PICTURE), None
    )
    found, result = Account(), game.result()
    if isinstance(chart, Chart):
        values = tuple(tuple(value or 0 for value in line.values) for line in chart.series)
        found = Account(chart.steps, values, chart.unit, winners=() if result is None else result.winners)
    if result is not None and found.steps:
        found = _add_end(found, {score.seat: score.total for score in result.scores})
    runs, stakes, findings = _replay(game, is_examined=True)
    return msgspec.structs.replace(found, runs=runs, stakes=stakes, findings=findings)


def _add_end(found: Account, totals: Mapping[int, int]) -> Account:
    """Return an account whose course ends with the final scores; a vote may end a game within a round."""
    if all(row[-1] == totals[seat] for seat, row in enumerate(found.values)):
        return found
    values = tuple((*row, totals[seat]) for seat, row in enumerate(found.values))
    return msgspec.structs.replace(found, steps=(*found.steps, END), values=values)


def list_stakes(held: Held, _: None) -> tuple[Stake, ...]:
    """Return what each seat has put into each company and got from it, which takes a fraction of the whole account."""
    return _replay(held.game, is_examined=False)[1]


def _replay(game: Game, *, is_examined: bool) -> tuple[tuple[RunReport, ...], tuple[Stake, ...], Findings]:
    """Return the runs and the stakes of a game, and what its title's reporter finds.

    ``is_examined``: it is asked what runs could have earned.
    """
    title, ledger, runs = game.title, _Ledger(), list[RunReport]()
    state, story, asked = Game.new(game.setup).state, title.story, 0
    every = -(-sum(_is_run(title, said.action) for said in game.list_in_force()) // MAX_RUNS_EXAMINED)
    reporter = None if title.report is None else title.report()
    for at, said in enumerate(game.list_in_force()):
        acting, best = _find_runner(title, state, said.action), None
        if story is not None and acting:
            best, asked = story.best(state) if is_examined and not asked % every else None, asked + 1

        def note(
            event: Event, at: int = at, seat: int = said.seat, acting: str = acting, best: Ran | None = best
        ) -> None:
            """Note a fact while the state is as it was told: companies run on their own in rounds that follow."""
            if reporter is not None:
                reporter.note(state, event)
            if story is None:
                return
            ledger.note(story, event)
            if (ran := story.ran(event)) is not None and title.orders is not None:
                by = seat if ran.company == acting else -1
                missed, proven = _compute_missed_revenue(ran, best), best is not None and best.proven
                round_name = title.orders.moment(state).round
                runs.append(RunReport(round_name, ran.company, by, ran.revenue, missed, proven, at))

        play_entry(title, state, said, note)
        if reporter is not None:
            reporter.end_move(state)
    worth = [] if story is None else [story.worth(state, seat) for seat in range(game.setup.seats)]
    findings = Findings() if reporter is None else reporter.finish(state)
    return tuple(runs), ledger.sum_stakes(worth, findings.fines), findings


def _find_runner(title: Title[Any], state: Any, action: Action) -> str:  # noqa: ANN401 - the title's own state
    """Return the company that an action lets run, "" if it does something else."""
    return title.orders.moment(state).company if title.orders is not None and _is_run(title, action) else ""


def _is_run(title: Title[Any], action: Action) -> bool:
    return title.orders is not None and type(action) is type(title.orders.run)


def _compute_missed_revenue(ran: Ran, best: Ran | None) -> int:
    if best is None or best.company != ran.company:
        return 0
    return max(0, best.revenue + best.subsidy - ran.revenue - ran.subsidy)


STAKES = Task("stakes", list_stakes, None, tuple[Stake, ...], lane="searches", rank=5)
ACCOUNT = Task("account", build_account, None, Account, lane="searches", rank=2, seconds=120.0)


MAX_CHANCES, GAMES_PLAYED_ON = 10, 24
"""Positions of which chances are estimated, and the games that are played on from each."""
CLOSE = 0.05
"""Of what players have on average, how far behind counts as close: the best guess for Steel Driver, see ``CHANCES``."""


class Chances(Record, frozen=True):
    """Each seat's chances to win, in percent, at the end of some rounds; none where no one can estimate them."""

    steps: tuple[str, ...] = ()
    values: tuple[tuple[int, ...], ...] = ()


def estimate_chances(held: Held, _: None) -> Chances:
    """Return the chances to win in the course of a game, as the program's players play it on; takes some seconds."""
    game = held.game
    title, state = game.title, Game.new(game.setup).state
    if title.advice.play_on is None or title.orders is None:
        return Chances()
    ends: dict[str, Any] = {}
    for said in game.list_in_force():
        before = title.orders.moment(state).round
        play_entry(title, state, said, lambda _: None)
        if title.orders.moment(state).round != before and title.actors(state):
            ends[before.partition(",")[0]] = title.clone(state)  # of "turn 1, auction" and "turn 1, build" the last
    chosen = list(ends.items())[:: max(1, -(-len(ends) // MAX_CHANCES))]
    rows = [_count_wins(title.advice.play_on(at, Rng(game.setup.seed), GAMES_PLAYED_ON)) for _, at in chosen]
    return Chances(tuple(name for name, _ in chosen), tuple(zip(*rows, strict=True)))


def _count_wins(games: Sequence[Sequence[int]]) -> list[int]:
    """Return how many games of a hundred each seat wins, who is close behind a little."""
    shares = []
    for totals in games:
        spread = max(1.0, CLOSE * sum(totals) / len(totals))
        weights = [exp((total - max(totals)) / spread) for total in totals]
        shares.append([weight / sum(weights) for weight in weights])
    return [round(100 * sum(wins) / len(games)) for wins in zip(*shares, strict=True)]


CHANCES = Task("chances", estimate_chances, None, Chances, lane="searches", rank=2, seconds=120.0)
"""At 400 positions of 40 games of Steel Driver its Brier score was 0.475; that of the cash so far is 0.70 at best."""


class StretchAsked(Record, frozen=True):
    """A stretch of a game.

    Args:
        since, to: moves in force before it, and at its end.
        names: of the players. seat: who reads it; -1 for no one.
        by_order: places in the log of moves that standing orders made.
    """

    since: int
    to: int
    names: tuple[str, ...]
    seat: int = -1
    by_order: tuple[int, ...] = ()


class Stretch(Record, frozen=True):
    """What happened in a stretch of a game, a line each, and what its reader should know."""

    happened: tuple[str, ...]
    concerns: tuple[str, ...] = ()


def tell_stretch(held: Held, asked: StretchAsked) -> Stretch:
    """Tell a stretch of a game in few words; it is played once more from the nearest position that is known."""
    before = held.replay_to(asked.since)
    title, state = before.title, before.title.clone(before.state)

    def list_pieces() -> Iterator[tuple[Piece, bool]]:
        for position in held.game.line[asked.since : asked.to]:
            events = list[Event]()
            play_entry(title, state, held.game.log[position], events.append)
            for event in events:
                if title.brief.tell is not None:
                    piece = title.brief.tell(event, asked.names, asked.seat)
                else:
                    piece = Bit("", title.words.say(event, asked.names).rstrip("."))
                if piece is not None:
                    yield piece, position in asked.by_order

    happened = tuple(fold(list_pieces()))
    if asked.seat < 0:
        return Stretch(happened)
    return Stretch(happened, tuple(title.brief.concerns(before.state, state, asked.seat, asked.names)))


class TurnsAsked(Record, frozen=True):
    """Which turning points are wanted: those of the log from the entry ``since`` on; ``names`` by seat."""

    since: int
    names: tuple[str, ...]


def list_turning_points(held: Held, asked: TurnsAsked) -> list[str]:
    """Return the turning points in the last entries of a log that are in force, as everyone may know them."""
    line = held.game.line
    first = sum(position < asked.since for position in line)
    before = held.replay_to(first)
    title, state, found = before.title, before.title.clone(before.state), list[Event]()
    for position in line[first:]:
        play_entry(title, state, held.game.log[position], found.append)
    return [title.words.say(event, asked.names) for event in found if event.is_turning_point]


TURNING_POINTS = Task("turning points", list_turning_points, TurnsAsked, list[str])
STRETCH = Task("stretch", tell_stretch, StretchAsked, Stretch)
