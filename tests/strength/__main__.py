"""Play a match and tell its figures: ``python -m tests.strength 1860 --seats 3 --candidate now --rival 0.2``."""

import argparse

from tests.strength.matches import Match, describe, play_match
from tests.strength.players import find_player

FIRST_SEED = 1_000_000
"""Training uses lower seeds."""


def main() -> None:
    """Play as the command line says; print the figures after each seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength", description=__doc__)
    parser.add_argument("title", choices=("steel_driver", "1860", "1862"))
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument(
        "--candidate", default="now", help="now, think, 0.2, one-ply, flat, beginner, club, strong-bold"
    )
    parser.add_argument("--rival", default="0.2")
    parser.add_argument("--seeds", type=int, default=100, help="each is played once for every seat")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    wanted = parser.parse_args()
    players = [find_player(wanted.title, name) for name in (wanted.candidate, wanted.rival)]
    games = []
    for game in play_match(
        Match(wanted.title, wanted.seats, *players), range(wanted.first, wanted.first + wanted.seeds)
    ):
        games.append(game)
        if len(games) % wanted.seats == 0:
            print(f"\r{describe(games)}", end="", flush=True)  # noqa: T201
    print()  # noqa: T201


if __name__ == "__main__":
    main()
