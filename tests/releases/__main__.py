"""``python -m tests.releases``: play every game that earlier releases wrote, and list where one parts."""

import sys

from engine import TITLES
from tests.releases.kept import RULES, find_parting, games

parted = [
    f"{release} {title} {number}: {where}"
    for release in RULES
    for title in TITLES
    for number, game in enumerate(games(release, title))
    if (where := find_parting(game))
]
sys.stdout.write("\n".join([*parted, f"{len(parted)} of the kept games play differently."]) + "\n")
