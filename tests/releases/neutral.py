"""What a state is told by in every release: money, shares, prices, trains, track, tokens, whose turn it is, the result.

Old releases run this file too (``write.py``), so it imports nothing of the engine and asks for nothing that one of them
lacks.
"""

import hashlib
import json
from typing import Any

EVERY = 10
"""Actions between two digests; the last action has one as well."""
DIGITS = 8

_ROUND = [
    "number",
    "rounds",
    "turn",
    "passes",
    "acted",
    "bought",
    "just_sold",
    "sold",
    "got",
    "last",
    "homes",
    "choosing",
    "fines",
    "closing",
    "lots",
    "high",
    "leader",
    "passed",
    "chooser",
    "lot",
    "out",
    "winner",
    "extra",
    "step",
    "laid",
    "revenue",
    "subsidy",
    "leased",
    "earned",
    "offer",
    "rescued",
    "removing",
    "done",
]
_MERGING = ["survivor", "other", "kind", "initiator", "price", "holders", "holder", "redeem", "sell", "parts", "moved"]
_TABLE = [
    "cash",
    "bank",
    "depot",
    "sold",
    "phase",
    "clock",
    "priority",
    "turn",
    "over",
    "broken",
    "topped",
    "fresh",
    "privates",
    "returned",
    "layer",
    "formed",
    "stopped",
    "nationalised",
    "lner_due",
    "lner",
    "limit",
]
_RAILWAY = [
    "shares",
    "ipo",
    "pool",
    "treasury",
    "director",
    "reserved",
    "par",
    "cell",
    "stamp",
    "cash",
    "trains",
    "bases",
    "markers",
    "unplaced",
    "waiting",
    "london",
    "home_placed",
    "due",
    "floated",
    "operated",
    "obliged",
    "barred",
    "former",
    "gone",
    "bankrupt",
    "insolvent",
    "closed",
    "reached",
    "group",
    "permit",
    "permits",
    "chartered",
    "price",
]
_DRIVER = [
    "marker",
    "cash",
    "cubes",
    "earned",
    "order",
    "owner",
    "history",
    "passed",
    "played",
    "turn",
    "phase",
    "passes",
    "active",
    "joined",
    "cubes_left",
    "agreed",
    "sale",
]
_BUILDER = ["shares", "goods", "treasury", "network", "start", "links", "profit", "controller", "last", "value"]


def digest(title: Any, state: Any) -> str:  # noqa: ANN401  # the types differ by title and release
    """Return what tells a state from all others, alike in every release."""
    return hashlib.sha256(json.dumps(neutral(title, state), sort_keys=True).encode()).hexdigest()[:DIGITS]


def neutral(title: Any, state: Any) -> dict[str, Any]:  # noqa: ANN401  # the types differ by title and release
    """Return a state as plain values, in the form that all releases share."""
    if title.id == "steel_driver":
        found = {**_fields(state, _DRIVER), "companies": [_fields(company, _BUILDER) for company in state.companies]}
    else:
        found = _fields(state, _TABLE)
        if hasattr(state, "train_limit"):  # which 0.1 and 0.2 call the limit in 1860
            found["limit"] = state.train_limit
        found["companies"] = {code: _fields(company, _RAILWAY) for code, company in state.companies.items()}
        found["board"] = {coord: list(tile) for coord, tile in state.board.laid.items()}
        found["marks"] = [list(mark.worth) for mark in state.marks]
        found["round"] = _round(state)
    found["actors"] = list(title.actors(state))
    result = title.result(state)
    if result is not None:
        found["result"] = [result.reason, sorted((score.seat, score.total) for score in result.scores)]
    return found


def _round(state: Any) -> dict[str, Any]:  # noqa: ANN401  # see above
    here = state.round
    found = {"kind": type(here).__name__, **_fields(here, _ROUND)}
    if found["kind"] == "Parliament":
        found["won"] = list(here.won)
    if "just_sold" in found:
        found["just_sold"] = sorted(set(here.just_sold))  # 0.3 notes each company once, with its terms
    if hasattr(here, "order"):  # 0.1 left a company that had merged in it
        later = here.order[here.index + 1 :]
        found["order"] = [
            code for code in later if code not in getattr(here, "done", ()) and state.companies[code].floated
        ]
        found["acting"] = here.order[here.index] if 0 <= here.index < len(here.order) else ""
    if getattr(here, "merging", None) is not None:
        found["merging"] = _fields(here.merging, _MERGING)
    return found


def _fields(of: Any, names: list[str]) -> dict[str, Any]:  # noqa: ANN401  # see above
    return {name: _plain(getattr(of, name)) for name in names if hasattr(of, name)}


def _plain(value: Any) -> Any:  # noqa: ANN401  # see above
    """Return a value as lists, mappings and plain values; a record by its fields."""
    if hasattr(value, "__struct_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
