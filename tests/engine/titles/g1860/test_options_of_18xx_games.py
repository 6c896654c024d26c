"""What was legal in the recorded game, move by move: the site's lists and ours, and the one way they differ in."""

from collections import Counter
from typing import Any

import pytest

from engine.interop.exchange import TraceWish, trace_game
from engine.titles.g1860.actions import BuyShare
from tests.engine.titles.g1860.positions import legal, play, table
from tests.engine.titles.g1860.record import oracle
from tests.engine.titles.g1860.test_recorded_game import import_recorded

Moves = set[tuple[Any, ...]]


def test_78_the_directors_certificate_comes_with_a_second_share_or_for_one() -> None:
    """Out of receivership.

    With other shares in the pool the second share brings it; the site has two ways, we one (differences 78).
    """
    s = table("cash 164 0\nIOW 1 . | pool 4* | par 82 at 82 | 2+1", options={"profile": "18xx.games"})
    assert [buy for buy in legal(s, BuyShare) if buy.source == "pool"] == [BuyShare("IOW", "pool")]
    play(s, BuyShare("IOW", "pool"))
    company = s.companies["IOW"]
    assert (company.director, company.shares, company.pool, s.cash[0]) == (0, [2, 0], 3, 82)


def read_accepted(line: dict[str, Any]) -> dict[str, Moves]:
    """Return what the site accepted of all it tried before a move, by kind, in the form of our own list."""
    tried: dict[str, list[tuple[Any, ...]]] = {
        "track": [(lay["hex"], lay["tile"], turn) for lay in line.get("track") or () for turn in lay["ok"]],
        "tokens": [(place["hex"], place["city"]) for place in line.get("tokens") or () if place["ok"]],
        "buy": [
            (one["corporation"], one["from"].replace("market", "pool"), one["percent"], one["price"])
            for one in line.get("buy") or ()
            if one["ok"]
        ],
        "sell": [(one["corporation"], one["percent"], one["price"]) for one in line.get("sell") or () if one["ok"]],
        "par": [(one["corporation"], par) for one in line.get("par") or () for par in one.get("ok", one["prices"])],
    }
    found = {kind: set(moves) for kind, moves in tried.items() if line.get(kind)}
    if paid := line.get("dividends"):
        found["dividend"] = {(kind, after["share_price"]) for kind, after in paid["kinds"].items()}
    return found


def list_ours(line: dict[str, Any], kind: str) -> Moves:
    """Return what we allowed, in the same form."""
    found = line.get(kind, ())
    if kind == "par":
        return {(company, price) for company, prices in dict(found).items() for price in prices}
    return set(dict(found).items()) if kind == "dividend" else {tuple(one) for one in found}


@pytest.mark.recorded
def test_they_differ_in_this_way_only() -> None:
    """All that the site accepted, move by move: 406 lists are equal, in two it sells the certificate itself."""
    ours = {line.index: line.before or {} for line in trace_game(import_recorded(), TraceWish(options=True))}
    same: Counter[str] = Counter()
    more = []
    for line in oracle("legal"):
        for kind, theirs in read_accepted(line).items():
            found = list_ours(ours.get(line["index"], {}), kind)
            same[kind] += found == theirs
            more += [(line["index"], kind, *move) for move in found ^ theirs]
    assert more == [(index, "buy", "NGStL", "pool", 20, 104) for index in (446, 448)]
    assert same == {"buy": 77, "dividend": 52, "par": 69, "sell": 101, "tokens": 34, "track": 73}
