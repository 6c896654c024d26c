"""Dealing a game: cash, companies, permits, trains (1)."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from engine.errors import RuleError
from engine.rails.board import Board
from engine.record import Record
from engine.rng import Rng
from engine.setup import Setup
from engine.titles.g1862.catalogue import BANDS, CHARTERS, PLAYERS, Kind
from engine.titles.g1862.geography import counties
from engine.titles.g1862.rounds.records import Parliament
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.rules import Rules, read_options
from engine.titles.g1862.state import Company, State

LATER = 4
"""Companies that wait for phase B, and as many for phase C (1.2)."""
OPEN_AT_ONCE = 8
FEWEST, MOST = 2, 8


class Deal(Record, frozen=True):
    """What chance decides: companies in the order of the deal with their phase, and their permits."""

    groups: dict[str, str]
    permits: dict[str, Kind]


def deal(setup: Setup, rules: Rules | None = None) -> State:
    """Return the state a game begins with.

    Args:
        setup: of the game.
        rules: the switches, where they are not just those of its options.

    Raises:
        RuleError: the number of players or the options are not allowed (1.1, 23).
    """
    if not FEWEST <= setup.seats <= MOST:
        raise RuleError(f"1862 is for two to eight players, not {setup.seats}.", rule("1.1"))
    rules = rules or read_options(setup)
    dealt = deal_18xx(setup.seed, setup.seats) if rules.site else deal_companies(rules, setup.seats, setup.seed)
    return State(
        rules=rules,
        seats=setup.seats,
        cash=[PLAYERS.cash[setup.seats]] * setup.seats,
        companies={
            code: fresh_company(code, setup.seats, dealt.groups[code], dealt.permits.get(code, ""))
            for code in CHARTERS
            if code in dealt.groups
        },
        offer=tuple(dealt.groups),
        board=Board(counties()),
        depot={name: band.counts[rules.length] for name, band in BANDS.items()},
        sold=dict.fromkeys(BANDS, 0),
        round=Parliament(1, 0),
        limit=PLAYERS.certificates[setup.seats],
    )


def fresh_company(code: str, seats: int, group: str, permit: str) -> Company:
    """Return a company that has not been started."""
    return Company(code, [0] * seats, group, permit, [permit] if permit else [])


def extra(seats: int) -> int:
    """Return how many more companies seven or eight players may have at once (1.3)."""
    return max(0, seats - 6)


def deal_companies(rules: Rules, seats: int, seed: int) -> Deal:
    """Deal companies and permits by our own shuffle (1.2, 1.3, 23.1)."""
    rng = Rng(seed)
    first = OPEN_AT_ONCE + (extra(seats) if rules.extra_companies else 0)
    order = rng.shuffled(list(CHARTERS))[: first + 2 * LATER]
    groups = _groups(order, first)
    if rules.simple:
        return Deal(groups, {})
    stack = rng.shuffled(permit_stack(rules, seats, len(order)))
    return Deal(groups, dict(zip((code for code in CHARTERS if code in groups), stack, strict=False)))


def permit_stack(rules: Rules, seats: int, companies: int) -> list[Kind]:
    """Return the permits that are shuffled; there may be more than companies (1.2, 1.3, 23.1)."""
    each = {2: 8 if companies <= 2 * 8 else 9, 3: 6}[len(rules.types)]
    stack = [kind for kind in rules.types for _ in range(each)]
    if len(rules.types) == len(("freight", "express", "local")) and seats <= 6:
        stack.remove("express")
        stack.remove("local")
    return stack


def _groups(order: Sequence[str], first: int) -> dict[str, str]:
    return {code: "A" if at < first else "B" if at < first + LATER else "C" for at, code in enumerate(order)}


def deal_18xx(seed: int, seats: int) -> Deal:
    """Deal as 18xx.games does, by its linear congruential generator (differences 58)."""
    numbers = _numbers(seed)
    drawn = dict(zip(CHARTERS, numbers, strict=False))
    removed = 4 - extra(seats)
    order = sorted(CHARTERS, key=lambda code: drawn[code])[removed:]
    groups = _groups(order, len(order) - 2 * LATER)
    kinds: list[Kind] = list(islice(cycle(("freight", "express", "local")), 18))
    if seats <= 6:
        kinds = kinds[:-2]
    lots = [next(numbers) for _ in kinds]
    permits = [kind for _, kind in sorted(zip(lots, kinds, strict=True))]
    return Deal(groups, dict(zip((code for code in CHARTERS if code in groups), permits, strict=False)))


def _numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of the site's generator for a seed."""
    state = seed
    while True:
        state = (1103515245 * state + 12345) % 2**31
        yield state
