"""How far a plan of runs is from another: how many changes of the editor lead from one to the other."""


def measure_plan(made: str, plan: str) -> int:
    """Return how many changes lead from a plan to the runs that were made: for each train cuts, stops, brackets."""
    wanted, total = _list_runs(made), 0
    for train, stops in _list_runs(plan):
        fitting = [other for name, other in wanted if name == train]
        nearest = min(fitting, key=lambda other: _measure_run(stops, other), default=None)
        total += 99 if nearest is None else _measure_run(stops, nearest)
        if nearest is not None:
            wanted.remove((train, nearest))
    return total + 99 * len(wanted)


def _list_runs(plan: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the trains of a plan with their stops."""
    runs = [run.strip().split(" ", 1) for part in plan.split(";") for run in part.split(" + ")]
    return [(run[0], tuple(run[-1].strip().split("-"))) for run in runs]


def _measure_run(stops: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """Return how far a run is from another: ends to cut off, stops to add, stops to put in brackets or out of them."""
    least = 99
    for other in (wanted, wanted[::-1]):
        plain, bare = [each.strip("[]") for each in stops], [each.strip("[]") for each in other]
        for start in range(len(plain)):
            if plain[start] not in bare:
                continue
            at = bare.index(plain[start])
            same = 0
            while start + same < len(plain) and at + same < len(bare) and plain[start + same] == bare[at + same]:
                same += 1
            brackets = sum(stops[start + n] != other[at + n] for n in range(same))
            cuts = 10 * ((start > 0) + (start + same < len(plain)))
            least = min(least, cuts + 2 * (len(bare) - same) + brackets)
    return least
