"""What a page shows to whom: a hidden treasury is changed, and whoever may not know it must get the same bytes.

``python -m tests.web.worlds --games 100 --seed 7`` does so at each position of self-played games.
"""

import argparse
from collections.abc import Iterator
from typing import Any

from bot.service.workers.jobs import Held
from bot.web.figures import FigureAsked, _describe_moment, write_figure
from engine import TITLES, Game, LogEntry, Request, Setup
from engine.game import ignore_event, play_entry
from tests.playthroughs.record import play

NAMES = ("Ann", "Bob", "Cid", "Dan")
OTHER = 1000
"""How much more or less a hidden treasury holds in the other world."""
STRANGER = None


def list_leaks(setup: Setup, log: tuple[LogEntry, ...], every: int, first: int = 0) -> Iterator[str]:
    """Yield what differs for those who may not know it, at one position in ``every``; nothing if all is well."""
    title = TITLES[setup.title]
    state, names = title.deal(setup), NAMES[: setup.seats]
    for number, entry in enumerate(log, 1):
        play_entry(title, state, entry, ignore_event)
        if number % every == first:
            yield from compare_worlds(Game(setup, log[:number], tuple(range(number)), title.clone(state)), names)


def compare_worlds(game: Game, names: tuple[str, ...]) -> Iterator[str]:
    """Yield what each seat and a stranger can tell by of treasuries that are hidden from them."""
    for seat in (STRANGER, *range(game.setup.seats)):
        if game.state.over:
            return
        companies = game.state.companies.items()
        hidden = [code for code, company in companies if company.floated and not may_know(company, seat)]
        if not hidden:
            continue
        richer, poorer = game.title.clone(game.state), game.title.clone(game.state)
        for code in hidden:
            richer.companies[code].cash += OTHER
            poorer.companies[code].cash = 0
        worlds = (Game(game.setup, game.log, game.line, state) for state in (richer, poorer))
        told, also_told = (dict(list_shown(each, seat, names)) for each in worlds)
        yield from (
            f"move {len(game.line)}, seat {seat}: {name} tells of {', '.join(hidden)}"
            for name, text in told.items()
            if also_told[name] != text
        )


def may_know(company: Any, seat: int | None) -> bool:  # noqa: ANN401  # the title's own
    """Return whether a seat may know what a company has: it holds a share of it, or all may know."""
    return bool((seat is not None and company.shares[seat]) or company.receivership or company.bankrupt)


def list_shown(game: Game, seat: int | None, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield everything that a page shows of a position to a seat, by name."""
    held, moves = Held(game), len(game.line)
    acts = seat in game.ask().seats[:1]
    subjects = game.title.views.subjects
    for each in game.title.views.pictures:
        for about in [value for value, _ in subjects(game.state, each.about)] if each.about else [""]:
            asked = FigureAsked(Request(each.name, seat, about, names, "Table"), moves, acts=acts)
            yield f"{each.name} {about}", write_figure(held, asked)
    for coord, _ in [*subjects(game.state, "hex")][:: 1 + moves % 7]:
        yield f"hex {coord}", write_figure(held, FigureAsked(Request("hex", seat, coord, names), moves, acts=acts))
    board = next(each.name for each in game.title.views.pictures if each.every_turn)
    moment = _describe_moment(game, game.state, board, names)
    yield "moment", f"{moment.round} {moment.asks}"


def main() -> None:
    """Compare the worlds of many games, and end with 1 if any page tells something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--every", type=int, default=1)
    wish = parser.parse_args()
    found = 0
    for k in range(wish.games):
        setup = Setup("1860", 2 + k % 3, {"treasuries": "hidden"}, wish.seed + k)
        leaks = [*list_leaks(setup, play(setup), wish.every, k % wish.every)]
        found += len(leaks)
        print(f"game {k + 1}, seed {setup.seed}: {len(leaks)} leaks", *leaks[:5], sep="\n  ", flush=True)  # noqa: T201
    raise SystemExit(found > 0)


if __name__ == "__main__":
    main()
