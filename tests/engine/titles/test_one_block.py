"""Shares of a company sold in one turn are one block: no way to split it brings more, or leaves a better price."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import TITLES, Event
from engine.errors import RuleError
from engine.finance.events import Passed, PriceMoved, RoundBegun, SharesSold
from engine.finance.rounds import run_automatic_steps
from engine.finance.state import POOL
from engine.title import Title
from engine.titles import g1860, g1862
from engine.titles.g1860.actions import Sell as Sell1860
from engine.titles.g1862.actions import Sell
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Fine, State, Stock
from tests.engine.titles.g1860 import positions as positions_1860
from tests.engine.titles.g1862.positions import stock, table
from tests.playthroughs import record

SELL = {"1860": Sell1860, "1862": Sell}
LARGEST = 5
AFTERWARDS = (Passed, RoundBegun)
"""Facts of what comes after a player's turn."""
Sale = tuple[str, int]


def compositions(count: int) -> Iterator[list[int]]:
    """Yield every way to sell so many shares in turn: one at a time, all at once, and all between."""
    if not count:
        yield []
    for first in range(1, count + 1):
        for rest in compositions(count - first):
            yield [first, *rest]


def sell(title: Title[Any], s: object, seat: int, blocks: Iterable[Sale]) -> list[Event] | None:
    """Sell on a copy; return the facts of the turn, or ``None`` where a sale is refused or comes after it."""
    copy, facts = title.clone(s), list[Event]()
    for company, count in blocks:
        if any(isinstance(fact, AFTERWARDS) for fact in facts):
            return None
        try:
            title.apply(copy, title.check(copy, seat, SELL[title.id](company, count)), facts.append)
        except RuleError:
            return None
    ends = [at for at, fact in enumerate(facts) if isinstance(fact, AFTERWARDS)]
    return facts[: ends[0]] if ends else facts


def outcome(facts: Iterable[Event], company: str, price: int) -> tuple[int, int]:
    """Return what the sales of a company brought, and its price after them."""
    brought = 0
    for fact in facts:
        if isinstance(fact, SharesSold) and fact.company == company:
            brought += fact.count * fact.each
        if isinstance(fact, PriceMoved) and fact.company == company:
            price = fact.after
    return brought, price


def no_split_beats_the_block(title: Title[Any], s: Any, seat: int) -> int:  # noqa: ANN401  # of either title
    """Compare every split of every block, alone and with another company's share between; return how many there were.

    A company whose price falls to nothing on the way is bankrupt, and the rest of the block is worth nothing.
    """
    compared = 0
    for code, company in s.companies.items():
        others = [other for other in s.companies if other != code and s.companies[other].shares[seat]][:1]
        for count in range(2, min(LARGEST, company.shares[seat]) + 1):
            block = sell(title, s, seat, [(code, count)])
            for parts in compositions(count):
                blocks = [(code, part) for part in parts]
                for split in (blocks, [blocks[0], *((other, 1) for other in others), *blocks[1:]]):
                    facts = sell(title, s, seat, split) if len(parts) > 1 else None
                    if facts is not None:
                        assert block is not None, f"{split} is allowed, and the block of {count} is not"
                        assert outcome(facts, code, company.price) == outcome(block, code, company.price), split
                        compared += 1
    return compared


PRICES = (14, 36, 54, 90, 200, 210, 220, 400, 430)


@st.composite
def holdings(draw: st.DrawFn) -> str:
    """Draw who holds a company: tenths by seat, with a star for a director."""
    first = draw(st.integers(1, 6))
    shares = [first, *(draw(st.integers(0, (10 - first) // 2)) for _ in range(2))]
    most = max(shares)
    words = list(map(str, shares))
    if most >= 3:
        words[draw(st.sampled_from([seat for seat, held in enumerate(shares) if held == most]))] += "*"
    elif 10 - sum(shares) < 3:
        words = ["3*", "2", "1"]
    return ",".join(words)


@st.composite
def draw_forced(draw: st.DrawFn) -> State:
    """Draw a position in which the first of three players must sell: above the limit, or for one fine or two."""
    lines = [
        f"{code} {draw(st.sampled_from(PRICES))} {draw(holdings())} {draw(st.sampled_from(['trains=2F', '']))}"
        for code in ("N&E", "WStI")
    ]
    s = stock(table("\n".join(lines), seats=3, limit=draw(st.integers(0, 4)), cash=[0, 500, 500]))
    if draw(st.booleans()):
        s.stock.closing = True
        owed = draw(st.lists(st.integers(1, 900), min_size=1, max_size=2))
        s.stock.fines = [Fine(0, "", amount) for amount in owed]
    run_automatic_steps(s, turn.settle, lambda _: None)
    return s


@given(draw_forced())
def test_in_1862_no_sequence_of_forced_sales_beats_one_block(s: State) -> None:
    """1862 §6.4: above the certificate limit and for fines too."""
    if isinstance(s.round, Stock):
        no_split_beats_the_block(g1862.TITLE, s, 0)


def make_forced(chance: Random) -> State | None:
    """Return a position in which the first player must sell, of up to three companies; ``None`` if none came of it.

    Companies with and without trains, directors, receiverships, shares in treasuries; players above the limit, or with
    up to three fines, some shares bought in this round.
    """
    seats, lines = chance.randint(2, 4), []
    for code in ("N&E", "WStI", "E&H")[: chance.randint(1, 3)]:
        shares = [chance.randint(1, 7)]
        for _ in range(seats - 1):
            shares.append(chance.randint(0, min(5, 10 - sum(shares))))
        treasury = chance.choice((0, chance.randint(0, 10 - sum(shares))))
        held, words = max(shares), list(map(str, shares))
        if held >= 3 and (chance.random() < 0.8 or 10 - sum(shares) - treasury < 3):
            words[chance.choice([seat for seat, each in enumerate(shares) if each == held])] += "*"
        elif 10 - sum(shares) - treasury < 3:
            continue
        trains = chance.choice(("trains=2F", ""))
        lines.append(f"{code} {chance.choice(MARKET.prices[1:])} {','.join(words)} treasury={treasury} {trains}")
    s = stock(table("\n".join(lines), seats=seats, limit=chance.randint(0, 6), cash=[0] + [500] * (seats - 1)))
    if chance.random() < 0.5:
        s.stock.closing = True
        s.stock.fines = [Fine(0, "", chance.randint(1, 900)) for _ in range(chance.randint(1, 3))]
    for company in s.companies.values():
        if company.shares[0] and chance.random() < 0.2:
            s.stock.got[0][company.code] = chance.randint(1, company.shares[0])
    run_automatic_steps(s, turn.settle, lambda _: None)
    return s if isinstance(s.round, Stock) and g1862.TITLE.actors(s) == (0,) else None


def results(s: State, blocks: Iterable[Sale]) -> list[tuple[int, int]] | None:
    """Return what the sales of each company brought and its price after them; ``None`` where one is refused."""
    facts = sell(g1862.TITLE, s, 0, blocks)
    return None if facts is None else [outcome(facts, code, each.price) for code, each in s.companies.items()]


def test_in_1862_no_order_of_sales_of_several_companies_beats_their_blocks() -> None:
    """1862 §6.4: drawn sales of up to three companies, mixed; some order of the blocks brings and leaves as much."""
    chance, seen = Random(6), Counter[str]()  # noqa: S311
    while seen["split"] < 600:
        s = make_forced(chance)
        held = [] if s is None else [code for code, each in s.companies.items() if each.shares[0]]
        if s is None or not held:
            continue
        for _ in range(8):
            sales = [(chance.choice(held), chance.randint(1, 3)) for _ in range(chance.randint(2, 5))]
            total = Counter[str]()
            for code, count in sales:
                total[code] += count
            split = results(s, sales) if len(total) < len(sales) else None
            if split is None:
                continue
            assert split in [results(s, [(code, total[code]) for code in order]) for order in permutations(total)], (
                sales
            )
            directors = {s.companies[code].director for code in total}
            seen.update(("split", "fine" if s.stock.fines else "limit", "mixed" if len(total) > 1 else "one"))
            seen.update(("director",) * (0 in directors) + ("receivership",) * (POOL in directors))
            seen.update(("new",) * bool(s.stock.got[0]) + ("fines",) * (len(s.stock.fines) > 1))
    assert min(seen[kind] for kind in ("fine", "fines", "limit", "mixed", "director", "receivership", "new")) > 20, seen


@given(st.lists(st.tuples(st.sampled_from((7, 40, 62, 90, 174, 250, 330)), st.integers(1, 6)), min_size=2, max_size=2))
def test_in_1860_no_sequence_of_sales_beats_one_block(held: list[tuple[int, int]]) -> None:
    """1860, “One transaction”: nor of a player above the certificate limit."""
    lines = [
        f"{code} {count}{'*' if count >= 2 else ''} . | pool 2 | par 82 at {at}"
        for code, (at, count) in zip(("IOW", "C&N"), held, strict=True)
    ]
    s = positions_1860.table("cash 0 0\n" + "\n".join(lines))
    assert no_split_beats_the_block(g1860.TITLE, s, 0) == 0, "a second sale is refused"


@pytest.mark.parametrize("name", ["1862-3", "1862-5", "1862-length-long", "1860-2", "1860-4"])
def test_no_split_beats_the_block_in_games_that_were_played(name: str) -> None:
    """1862 §6.4, 1860 “One transaction”: in every tenth position of a stock round; in 1862 above the limit."""
    kept, looked, compared = record.read(name), 0, 0
    title = TITLES[kept.setup.title]
    for number, (_, played) in enumerate(record.states(kept.setup, kept.read_log())):
        seats = title.actors(played)
        if number % 10 or not seats or "SR" not in played.name or played.round.passes >= played.seats:
            continue
        s = title.clone(played)
        if title is g1862.TITLE:
            s.rules, s.limit, s.round.above = replace(s.rules, forced_sales_in_one_block=True), 0, True
        looked += 1
        compared += no_split_beats_the_block(title, s, seats[0])
    assert looked > 4
    assert bool(compared) is (title is g1862.TITLE)


def test_the_comparison_finds_a_block_that_is_split_at_a_gain() -> None:
    """1862 5.4: as 0.2 sold; three shares at once fall one space, three times one share none."""
    s = stock(table("N&E 430 3,5*,1,0 trains=2F", limit=0))
    assert no_split_beats_the_block(g1862.TITLE, s, 0) > 0
    s.rules = replace(s.rules, forced_sales_in_one_block=False)
    with pytest.raises(AssertionError, match="N&E"):
        no_split_beats_the_block(g1862.TITLE, s, 0)


def test_the_comparison_finds_a_second_sale_in_1860(monkeypatch: pytest.MonkeyPatch) -> None:
    """1860, “One transaction”: sold twice in a turn, the first share of a red zone would be free twice."""
    s = positions_1860.table("cash 0 0\nIOW 3 5* | par 82 at 174")
    assert no_split_beats_the_block(g1860.TITLE, s, 0) == 0
    monkeypatch.setattr("engine.titles.g1860.steps.shares.has_sold_now", lambda _s, _code: False)
    with pytest.raises(AssertionError, match="IOW"):
        no_split_beats_the_block(g1860.TITLE, s, 0)
