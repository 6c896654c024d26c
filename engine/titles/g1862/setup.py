"""Dealing a game: cash, companies, permits, trains (§2.4)."""

from collections.abc import Sequence

from engine.errors import RuleError
from engine.rails.board import Board
from engine.record import Record
from engine.setup import Rng, Setup
from engine.titles.g1862.catalogue import BANDS, CHARTERS, PLAYERS, Kind, load_map, rule
from engine.titles.g1862.rules import Rules, read_options
from engine.titles.g1862.state import Company, Parliament, State

COMPANIES_PER_PHASE = 4
"""Companies that wait for phase B, and as many for phase C (§2.4.1)."""
COMPANIES_AT_ONCE = 8
MIN_SEATS, MAX_SEATS = 2, 8


class Deal(Record, frozen=True):
    """What chance decides: companies in the order of the deal with their phase, and their permits."""

    groups: dict[str, str]
    permits: dict[str, Kind]


def deal(setup: Setup, rules: Rules | None = None, dealt: Deal | None = None) -> State:
    """Return the state a game begins with.

    Args:
        setup: of the game.
        rules: the switches, where they are not just those of its options.
        dealt: what chance decided, where it is not our own shuffle that does.

    Raises:
        RuleError: the number of players or the options are not allowed (§2.4.4, §11.0).
    """
    if not MIN_SEATS <= setup.seats <= MAX_SEATS:
        raise RuleError(f"1862 is for two to eight players, not {setup.seats}.", rule("2.4.4"))
    rules = rules or read_options(setup)
    dealt = dealt or deal_companies(rules, setup.seats, setup.seed)
    return State(
        rules=rules,
        seats=setup.seats,
        cash=[PLAYERS.cash[setup.seats]] * setup.seats,
        companies={
            code: make_company(code, setup.seats, dealt.groups[code], dealt.permits.get(code, ""))
            for code in CHARTERS
            if code in dealt.groups
        },
        offer=tuple(dealt.groups),
        board=Board(load_map()),
        depot={name: band.counts[rules.length] for name, band in BANDS.items()},
        sold=dict.fromkeys(BANDS, 0),
        round=Parliament(1, 0),
        limit=PLAYERS.certificates[setup.seats],
    )


def make_company(code: str, seats: int, group: str, permit: str) -> Company:
    """Return a company that has not been started."""
    return Company(code, [0] * seats, group=group, permit=permit, permits=[permit] if permit else [])


def count_extra_companies(seats: int) -> int:
    """Return how many more companies seven or eight players may have at once (§2.4.2)."""
    return max(0, seats - 6)


def deal_companies(rules: Rules, seats: int, seed: int) -> Deal:
    """Deal companies and permits by our own shuffle (§2.4.1, §2.4.2, §11.1)."""
    rng = Rng(seed)
    first = COMPANIES_AT_ONCE + (count_extra_companies(seats) if rules.extra_companies else 0)
    order = rng.shuffle(list(CHARTERS))[: first + 2 * COMPANIES_PER_PHASE]
    groups = group_companies(order, first)
    if rules.simple:
        return Deal(groups, {})
    stack = rng.shuffle(make_permit_stack(rules, seats, len(order)))
    return Deal(groups, dict(zip((code for code in CHARTERS if code in groups), stack, strict=False)))


def make_permit_stack(rules: Rules, seats: int, companies: int) -> list[Kind]:
    """Return the permits that are shuffled; there may be more than companies (§2.4.1, §2.4.2, §11.1)."""
    each = {2: 8 if companies <= 2 * 8 else 9, 3: 6}[len(rules.types)]
    stack = [kind for kind in rules.types for _ in range(each)]
    if len(rules.types) == len(("freight", "express", "local")) and seats <= 6:
        stack.remove("express")
        stack.remove("local")
    return stack


def group_companies(order: Sequence[str], first: int) -> dict[str, str]:
    """Return the phase from which each company is open, if so many are open at once (§2.4.1)."""
    return {
        code: "A" if at < first else "B" if at < first + COMPANIES_PER_PHASE else "C" for at, code in enumerate(order)
    }
