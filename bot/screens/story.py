"""The report of a finished game in words, and the story under its end, which is the report in short."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from bot.model.records import Position
from bot.model.seating import join_names
from bot.screens.report import (
    Chapter,
    describe_chances,
    describe_decisions,
    describe_findings,
    list_missed_by_company,
    make_chances_chart,
)
from bot.service.services import Services
from bot.service.workers.account import ACCOUNT, CHANCES, END, Account, Chances, Stake
from engine.view import Chart
from engine.words import pluralise

T = TypeVar("T")
MAX_LEADS = 6
MAX_MOMENTS = 6
"""Of a course, that are shown."""
MAX_STORY_LENGTH, MAX_REPORT_LENGTH = 1900, 3400
"""Characters of a story, which is one message, and of a report that a command answers."""
MORE = Chapter("The whole report", "/view report")


async def fetch_report(services: Services, here: Position, user: str = "") -> list[Chapter]:
    """Return the report of a game; [] where there is nothing to report. Plays the game once more, at a worker.

    For a user who played, it ends with decisions of their own to try again.
    """
    found, names = await services.workers.do(ACCOUNT, None, here.course), here.table.names
    return [
        *describe_chances(await _fetch_chances(services, here), names),
        *format_account(found, names),
        *describe_decisions(found, here.table.list_held(user) if user else (), names),
    ]


async def list_curves(services: Services, here: Position) -> list[Chart]:
    """Return the chances to win in the course of a finished game as a chart; none where worth tells as much."""
    chances, result = await _fetch_chances(services, here), here.game.result()
    if result is None or not chances.steps:
        return []
    return [make_chances_chart(chances, here.table.names, result.winners, here.game.title.views.identity)]


async def _fetch_chances(services: Services, here: Position) -> Chances:
    if here.game.title.advice.play_on is None:
        return Chances()
    return await services.workers.do(CHANCES, None, here.course)


async def fetch_story(services: Services, here: Position) -> list[Chapter]:
    """Return the story of a game for the message under its end: the report in short."""
    return shorten(await fetch_report(services, here))


def format_account(account: Account, names: Sequence[str]) -> list[Chapter]:
    """Return an account in words, what matters most first."""
    return [
        *_describe_course(account, names),
        *describe_findings(account, names),
        *_describe_runs(account, names),
        *_describe_misses(account, names),
        *_describe_stakes(account, names),
    ]


def shorten(chapters: Sequence[Chapter]) -> list[Chapter]:
    """Return what leads, as far as a message holds it, and where to read the rest."""
    found = [each for each in chapters if each.leads]
    while len(format_chapters([*found, MORE])) > MAX_STORY_LENGTH:
        found.pop()
    return [*found, MORE] if len(found) < len(chapters) else found


def format_chapters(chapters: Sequence[Chapter]) -> str:
    """Return a story or a report as a message has it."""
    return "\n".join(each.marked for each in chapters)


def _describe_course(account: Account, names: Sequence[str]) -> Iterator[Chapter]:
    """Yield who led from when to when, the biggest gain and the biggest loss."""
    steps, values, unit = account.steps, account.values, account.unit
    if len(steps) < 3 or not values:
        return
    leads, finish = list(_find_leads(account)), _format_finish(account, names)
    if leads or finish:
        told = [_format_leads(leads, names, steps[-1], is_level=bool(finish))] if leads else []
        told += [finish] * bool(finish)
        yield Chapter("Turning points", f"{'; '.join(told)}.", leads=True)
    counted = range(1, len(steps) - (steps[-1] == END))  # the final count is no one's gain: everybody has it
    changes = [(row[k] - row[k - 1], seat, k) for seat, row in enumerate(values) for k in counted]
    gain, seat, at = max(changes)
    line = f"{names[seat]} {unit}{gain:,} {_format_time(steps[at])}"
    loss, seat, at = min(changes)
    fall = f"; biggest loss: {names[seat]} {unit}{-loss:,} {_format_time(steps[at])}" if loss < 0 else ""
    if gain > 0:
        yield Chapter("Biggest gain", f"{line}{fall}.", leads=True)
    courses = (" → ".join(f"{unit}{value:,}" for value in _sample(row)) for row in values)
    rows = (f"{names[seat]} {course}" for seat, course in enumerate(courses))
    moments = _sample(steps)
    rounds = ", ".join(step for step in moments if step not in ("start", END))
    parts = ["at the start"] * (steps[0] == "start") + [f"after {rounds}"] + [f"at the {END}"] * (steps[-1] == END)
    yield Chapter("Worth", "\n• ".join([", ".join(parts), *rows]), leads=True)


def _format_leads(leads: Sequence[tuple[int, str]], names: Sequence[str], last: str, *, is_level: bool) -> str:
    """Return who was in the lead, and from when on; ``is_level`` if no one was at the end."""
    seat, step = leads[-1]
    if len(leads) > MAX_LEADS:
        return f"the lead changed {len(leads) - 1} times, last {_format_time(step)}, to {names[seat]}"
    parts = [f"{names[one]} from {since}" for one, since in leads[:-1]]
    final = f"{names[seat]} only at the end" if step == last else f"{names[seat]} from {step}"
    return f"in the lead: {', '.join([*parts, final])}{'' if is_level or step == last else ' to the end'}"


def _format_finish(account: Account, names: Sequence[str]) -> str:
    """Return who finished level, and whom the rules made the winner then; "" if one was ahead."""
    last = [row[-1] for row in account.values]
    level = [seat for seat, value in enumerate(last) if value == max(last)]
    if len(level) < 2 or not account.winners:
        return ""
    winners = join_names([names[seat] for seat in account.winners])
    told = f"{winners} wins the tie-break" if len(account.winners) == 1 else f"{winners} share the win"
    return f"{join_names([names[seat] for seat in level])} finish level at {account.unit}{max(last):,}, and {told}"


def _format_time(step: str) -> str:
    """Return a round or turn as a sentence has it; what is counted after the last turn has no name of its own."""
    return f"at the {step}" if step in ("start", END) else f"in {step}"


def _find_leads(account: Account) -> Iterator[tuple[int, str]]:
    """Yield who came into the lead in which round; who is level with the leader does not, nor at a tie at the end."""
    leader = -1
    for at, step in enumerate(account.steps):
        now = [row[at] for row in account.values]
        most = max(now)
        is_over = at == len(account.steps) - 1 and account.winners
        if now.count(most) == len(now) or (leader >= 0 and now[leader] == most) or (is_over and now.count(most) > 1):
            continue
        leader = now.index(most)
        yield leader, step


def _sample(row: Sequence[T]) -> list[T]:
    """Return values at ``MAX_MOMENTS`` of a course, evenly spread, the first and the last among them."""
    if len(row) <= MAX_MOMENTS:
        return list(row)
    return [row[round(k * (len(row) - 1) / (MAX_MOMENTS - 1))] for k in range(MAX_MOMENTS)]


def _describe_runs(account: Account, names: Sequence[str]) -> Iterator[Chapter]:
    if not account.runs:
        return
    by_round: dict[str, int] = {}
    for run in account.runs:
        by_round[run.round] = by_round.get(run.round, 0) + run.revenue
    most = max(account.runs, key=lambda run: run.revenue)
    by = f"{names[most.seat]}, " if most.seat >= 0 else ""
    rounds = " → ".join(f"{account.unit}{sum_:,} ({step})" for step, sum_ in _sample(list(by_round.items())))
    best = f"the best {account.unit}{most.revenue:,} by {most.company} ({by}{most.round})"
    yield Chapter("Revenue", f"{pluralise(len(account.runs), 'run')}, {best}. Total per round: {rounds}.")


def _describe_misses(account: Account, names: Sequence[str]) -> Iterator[Chapter]:
    """Yield what each player's runs fell short of the best, as far as that is known."""
    own = [run for run in account.runs if run.seat >= 0]
    if not own:
        return
    told = []
    for seat, name in enumerate(names):
        below = [run for run in own if run.seat == seat and run.left]
        if below:
            most = max(below, key=lambda run: run.left)
            where = f"{account.unit}{most.left:,} of it by " * (len(below) > 1) + f"{most.company} in {most.round}"
            total = sum(run.left for run in below)
            told.append(f"{name} {account.unit}{total:,} in {pluralise(len(below), 'run')} ({where})")
    is_least = not all(run.proven for run in own)
    searched = pluralise(sum(run.proven for run in own), "run")
    known = "" if not is_least else f" The best is certain for {searched} of {len(own)} only."
    if not told:
        best = "every run was the best possible" if not known else "a short search found no better run"
        yield Chapter("Left on the table", f"nothing; {best}.{known}")
        return
    by_company = list_missed_by_company(account)
    known = f" By company: {by_company}.{known}" if by_company else known
    lost = {run.seat for run in own if run.left}
    without = [name for seat, name in enumerate(names) if seat not in lost]
    nothing = [f"{join_names(without)} nothing{' that was found' * is_least}"] if without else []
    yield Chapter("Left on the table", f"{'at least: ' * is_least}{' · '.join([*told, *nothing])}.{known}")


def _describe_stakes(account: Account, names: Sequence[str]) -> Iterator[Chapter]:
    """Yield the best and the worst stake of each player, by what it brought beyond what it cost.

    What no shares were bought of, such as private companies, stands apart.
    """
    if not account.stakes:
        return
    best = max(account.stakes, key=_get_gain)
    worst = min(account.stakes, key=_get_gain)
    first, last = (f"{names[one.seat]}'s in {_format_stake(one, account.unit)}" for one in (best, worst))
    yield Chapter("Stakes", f"the best {first}; the worst {last}.")
    for seat, name in enumerate(names):
        own = sorted((stake for stake in account.stakes if stake.seat == seat), key=_get_gain)
        if len(own) > 1:
            yield Chapter(
                name, f"best {_format_stake(own[-1], account.unit)}, worst {_format_stake(own[0], account.unit)}."
            )
    shares = {deal.company for deal in account.findings.deals}
    for kind in sorted({stake.company for stake in account.stakes} - shares) if shares else ():
        rows = [stake for stake in account.stakes if stake.company == kind]
        told = [f"{names[row.seat]} paid {account.unit}{row.paid:,} and got {account.unit}{row.got:,}" for row in rows]
        yield Chapter(f"{kind[:1].upper()}{kind[1:]}", f"{' · '.join(told)}.")


def _get_gain(stake: Stake) -> int:
    return stake.got - stake.paid


def _format_stake(stake: Stake, unit: str) -> str:
    return f"{stake.company} (paid {unit}{stake.paid:,}, got {unit}{stake.got:,})"
