"""Evolve the weights of the player of Steel Driver: ``python -m tests.strength.train_steel_driver``.

It plays games of three, four and five against the player of 0.2 and, so that it doesn't only learn that one's
weakness, some against the weights it began with. Seeds stay below those of ``tests.strength``.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

import engine.titles.steel_driver
from engine import Record
from engine.titles.steel_driver.player import Weights, choose_by, read_weights
from tests.strength.evolution import Generation, evolve
from tests.strength.matches import Match, Played, play_game
from tests.strength.players import OLD, Player

PLACE = Path(engine.titles.steel_driver.__file__).with_name("data") / "player.toml"
TITLE = "steel_driver"
TURNS = 5
MIN_SPREAD = 0.15
"""First spread of a weight near 0, in the scale of its kind."""
SCALES = {
    "held": 10.0, "others": 10.0, "network": 10.0, "end": 2.0, "basis": 5.0, "extension": 15.0, "contested": 15.0,
    "colour": 20.0,
}  # fmt: skip
BOUNDS = {"opening": (0.0, 1.0), "jump": (0.0, 1.0), "overhead": (-0.5, 9.0), "turns": (0.0, 9.0)}
"""What a weight may be at all."""
MARGIN = 300
"""Dollars ahead that count as much as a win."""


def list_weights(weights: Weights) -> tuple[float, ...]:
    """Return weights as numbers, in the order of their fields."""
    return tuple(
        each
        for value in msgspec.structs.astuple(weights)
        for each in (value if isinstance(value, tuple) else (float(value),))
    )


def make_weights(numbers: Sequence[float]) -> Weights:
    """Return numbers as weights, in the order of their fields."""
    left = iter(numbers)
    named: dict[str, float | tuple[float, ...]] = {}
    for each in msgspec.structs.fields(Weights):
        low, high = BOUNDS.get(each.name, (-1e6, 1e6))
        found = tuple(max(low, min(high, next(left))) for _ in range(TURNS if each.name == "turns" else 1))
        named[each.name] = found if each.name == "turns" else found[0]
    return msgspec.convert(named, Weights)


def list_spreads(weights: Weights) -> tuple[float, ...]:
    """Return the first spread of each weight."""
    return tuple(
        max(abs(each) / 4, MIN_SPREAD * SCALES.get(field.name, 1.0))
        for field in msgspec.structs.fields(Weights)
        for each in (getattr(weights, field.name) if field.name == "turns" else (getattr(weights, field.name),))
    )


def rate_game(game: Played) -> float:
    """Return how good a game was: the win, and a little for how far it was won or lost."""
    return game.won + max(-1.0, min(1.0, (game.own - max(game.others)) / MARGIN)) / 2


class Course(Record, frozen=True):
    """How long to train: seeds of each number of players in a generation."""

    seeds: int
    rival: Player
    former: Player

    def rate(self, numbers: Sequence[float], number: int) -> float:
        """Return how good weights are on the games of a generation."""
        weights = make_weights(numbers)
        rated = []
        for seats in (3, 4, 5):
            for each in range(self.seeds):
                seed = number * 1000 + each
                rival = self.former if each % 4 == 3 else self.rival
                match = Match(TITLE, seats, choose_with(weights), rival)
                rated.append(rate_game(play_game(match, seed, seed % seats)))
        return sum(rated) / len(rated)


def choose_with(weights: Weights) -> Player:
    """Return the player who has some weights."""
    return lambda state, seat, rng: choose_by(state, seat, rng, weights)


def write_file(weights: Weights, note: Callable[[str], None]) -> None:
    """Write the weights for the program, in few digits."""
    lines = ["# Weights of the program's player, found by playing: python -m tests.strength.train_steel_driver"]
    for field in msgspec.structs.fields(Weights):
        value = getattr(weights, field.name)
        words = f"[{', '.join(f'{each:.3f}' for each in value)}]" if field.name == "turns" else f"{value:.3f}"
        lines.append(f"{field.name} = {words}")
    PLACE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    note(str(PLACE))


def main() -> None:
    """Train, and write the weights after each generation."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.train_steel_driver", description=__doc__)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--size", type=int, default=24, help="weights tried in a generation")
    parser.add_argument("--seeds", type=int, default=24, help="games of each number of players for each of them")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    start = read_weights()
    course = Course(wanted.seeds, OLD[TITLE], choose_with(start))
    first = Generation(list_weights(start), list_spreads(start))
    for number, now in enumerate(evolve(first, course.rate, wanted.seed, wanted.size), 1):
        write_file(make_weights(now.mean), lambda _: None)
        print(f"{number}: {now.best:.3f}", flush=True)  # noqa: T201
        if number == wanted.generations:
            break


if __name__ == "__main__":
    main()
