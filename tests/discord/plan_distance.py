"""How far a plan of runs is from another: what is left to change in the editor to come from one to the other."""

NEVER, CUT, STOP = 99, 10, 3
"""What a run weighs that can't be changed into another, an end that is cut off, a stop that is missing."""


def measure_plan(made: str, plan: str) -> int:
    """Return how much is left to change in a plan to come to the runs that were made; 0 where only the ways differ."""
    wanted, total = _list_runs(made), 0
    for train, stops in _list_runs(plan):
        fitting = [other for name, other in wanted if name == train]
        nearest = min(fitting, key=lambda other: _measure_run(stops, other), default=None)
        total += NEVER if nearest is None else _measure_run(stops, nearest)
        if nearest is not None:
            wanted.remove((train, nearest))
    return total + NEVER * len(wanted)


def _list_runs(plan: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the trains of a plan with their stops."""
    runs = [run.strip().split(" ", 1) for part in plan.split(";") for run in part.split(" + ")]
    return [(run[0], tuple(run[-1].strip().split("-"))) for run in runs]


def _measure_run(stops: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """Return how far a run is from another: ends to cut off, stops to add; brackets only where nothing else is left.

    Whenever an end moves, the stops that count are chosen anew.
    """
    least = NEVER - 1
    for other in (wanted, wanted[::-1]):
        plain, bare = [each.strip("[]") for each in stops], [each.strip("[]") for each in other]
        for start in range(len(plain)):
            if plain[start] not in bare:
                continue
            at = bare.index(plain[start])
            same = 0
            while start + same < len(plain) and at + same < len(bare) and plain[start + same] == bare[at + same]:
                same += 1
            left = CUT * ((start > 0) + (start + same < len(plain))) + STOP * (len(bare) - same)
            least = min(least, left + 2 if left else sum(stops[n] != other[n] for n in range(same)))
    return least
