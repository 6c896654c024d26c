"""Matches: a candidate in every seat in turn against one rival in all others, and what the games looked like."""

import time
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import mean
from typing import Any

from engine import TITLES, Action, Event, LogEntry, Record, Rng, Setup
from engine.finance.events import RoundBegun
from engine.game import play_entry
from engine.player import MAX_CHOICES, find_rejection, settle
from engine.thinking import Thought
from engine.title import Title
from tests.strength.players import OLD, Player

MAX_MOVES = 4000
"""Moves after which a game counts as lost: it would not end."""
Z95 = 1.96
"""Standard deviations of a normal distribution that 95 % lie within."""


class Match(Record, frozen=True):
    """What is played: the title, for how many, and who against whom."""

    title: str
    seats: int
    candidate: Player
    rival: Player


class Played(Record, frozen=True):
    """One game of a match.

    Args:
        won: the candidate's part of the first place: 1, or less where it is shared.
        own, others: final scores.
        thought: milliseconds of processor time of each of the candidate's decisions.
        rounds, revenue: operating rounds, and what all trains earned.
        moves: of all seats, by name.
    """

    won: float
    own: int
    others: tuple[int, ...]
    thought: tuple[float, ...]
    rounds: int
    revenue: int
    moves: tuple[str, ...]


def play_match(match: Match, seeds: Sequence[int]) -> Iterator[Played]:
    """Yield the games: every seed, with the candidate in each seat in turn."""
    for seed in seeds:
        for seat in range(match.seats):
            yield play_game(match, seed, seat)


def play_game(match: Match, seed: int, mine: int) -> Played:
    """Play one game with the candidate in a seat."""
    title = TITLES[match.title]
    state = title.deal(Setup(match.title, match.seats, seed=seed))
    chances = [Rng(seed * 64 + seat) for seat in range(match.seats)]
    thought: list[float] = []
    told: list[Event] = []
    played: list[LogEntry] = []
    while (actors := title.actors(state)) and len(played) < MAX_MOVES:
        seat = actors[0]
        began = time.process_time()
        player = match.candidate if seat == mine else match.rival
        action = _choose(player, title, state, played, seat, chances[seat])
        if seat == mine:
            thought.append(1000 * (time.process_time() - began))
        played.append(play_entry(title, state, LogEntry(seat, title.spell_out(state, seat, action)), told.append))
    result = title.result(state)
    totals = {score.seat: score.total for score in result.scores} if result else dict.fromkeys(range(match.seats), 0)
    winners = result.winners if result else ()
    runs = [ran.revenue for event in told if title.story and (ran := title.story.ran(event))]
    return Played(
        won=(mine in winners) / max(1, len(winners)),
        own=totals.pop(mine),
        others=tuple(totals.values()),
        thought=tuple(thought),
        rounds=sum(isinstance(event, RoundBegun) and event.name.startswith("OR") for event in told),
        revenue=sum(runs),
        moves=tuple(type(entry.action).__name__ for entry in played),
    )


def _choose(
    player: Player,
    title: Title[Any],
    state: Any,  # noqa: ANN401 - the title's own state
    played: Sequence[LogEntry],
    seat: int,
    rng: Rng,
) -> Action:
    """Return what a player does; one who would repeat an offer that was turned down does what 0.2 does instead.

    A player that thinks doesn't sell what it just bought either, as at a table.
    """
    found = player(state, seat, rng)
    if isinstance(found, Thought):
        settled = settle(title.replies, played, seat, found)
        if settled is not None:
            return settled.action
        found = found.action
    for _ in range(MAX_CHOICES):
        if find_rejection(title.replies, played, seat, found) is None:
            break
        found = OLD[title.id](state, seat, rng)
    return found


def find_interval(won: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the probability to win, given the games that were won."""
    part, spread = won / games, Z95 * Z95 / games
    middle = (part + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * sqrt(part * (1 - part) / games + spread / games / 4)
    return middle - half, middle + half


def describe(games: Sequence[Played]) -> str:
    """Return the figures of a match in a line."""
    low, high = find_interval(sum(game.won for game in games), len(games))
    thought = [each for game in games for each in game.thought]
    others = mean(each for game in games for each in game.others)
    least = min(min(game.own, *game.others) for game in games)
    told = [
        f"{len(games)} {'game' if len(games) == 1 else 'games'}",
        f"{100 * mean(game.won for game in games):.1f}% [{100 * low:.1f}-{100 * high:.1f}]",
        f"{mean(thought):.2f} ms a decision (most {max(thought):.0f})",
        f"{mean(game.own for game in games):.0f} : {others:.0f}, least {least}",
    ]
    rounds = sum(game.rounds for game in games)
    if rounds:
        mergers = sum(game.moves.count("Merge") for game in games) / len(games)
        told.append(
            f"{rounds / len(games):.1f} rounds, {sum(game.revenue for game in games) / rounds:.0f} a round, "
            f"{mergers:.1f} mergers proposed"
        )
    return "; ".join(told)
