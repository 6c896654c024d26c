"""Files of 18xx.games with one thing changed, as a slip, an older page or a forger would change them."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Raw = dict[str, Any]
Change = Callable[[Random, list[Raw], int], str]
"""Changes actions at a place, and returns in a few words what it did; nothing where it can't."""

MAX_AFTER = 40
"""Actions that are kept after the changed one."""
UNREAD = frozenset({"id", "created_at", "user", "message", "skip", "hexes", "revenue_str", "reason", "original_type"})
"""Fields that mean nothing: when, by whom, why; what is shown of a route."""
TYPES = ("pass", "bid", "par", "buy_shares", "sell_shares", "lay_tile", "place_token", "run_routes", "dividend",
         "buy_train", "choose", "merge", "undo", "redo", "convert", "end_game", "program_disable", "buy_company",
         "sell_company", "remove_token")  # fmt: skip
ODD_VALUES: tuple[object, ...] = (None, "", 0, -1, True, False, [], {}, "0", 10**9, "ZZZ")
NEAR = (-10, -5, -1, 1, 2, 5, 10, 100)


def change_file(data: bytes, seed: int) -> tuple[bytes, str]:
    """Return a file that ends soon after one changed action, and what was changed; the same seed changes the same."""
    rng, file = Random(seed), json.loads(data)  # noqa: S311 - no secret
    while True:
        actions = [json.loads(json.dumps(action)) for action in file["actions"]]
        at = rng.randrange(len(actions))
        actions = actions[: at + 1 + rng.randrange(MAX_AFTER)]
        changed = {**file, "actions": actions, "status": "active", "result": {}, "game_end_reason": None}
        what = rng.choice(CHANGES)(rng, actions, at) if rng.random() < 0.97 else _change_head(rng, changed)
        if what:
            return json.dumps(changed).encode(), f"{at}: {what}"


def _change_head(rng: Random, file: Raw) -> str:
    people = file["players"]
    file["players"] = rng.choice([people[:-1], people[::-1], [*people, people[0]], people[1:] + people[:1]])
    return "other players"


def _list_fields(action: Raw) -> list[tuple[Any, Any]]:
    """Return every place of an action that holds a value, as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    left: list[Any] = [action]
    while left:
        here = left.pop()
        for key in list(here) if isinstance(here, dict) else range(len(here)):
            if key in UNREAD:
                continue
            found.append((here, key))
            if isinstance(here[key], dict | list):
                left.append(here[key])
    return found


def _show(value: object) -> str:
    return json.dumps(value)[:40]


def _change_value(rng: Random, actions: list[Raw], at: int) -> str:
    """Another value in a field: near a number, or what the same field holds in another action."""
    here, key = rng.choice(_list_fields(actions[at]))
    before = here[key]
    if isinstance(before, int) and not isinstance(before, bool) and rng.random() < 0.5:
        here[key] = before + rng.choice(NEAR)
    elif rng.random() < 0.15:
        here[key] = rng.choice(ODD_VALUES)
    else:
        others = [
            there[same]
            for action in actions
            for there, same in _list_fields(action)
            if same == key and there[same] != before and isinstance(there[same], type(before))
        ]
        if not others:
            return ""
        here[key] = json.loads(json.dumps(rng.choice(others)))
    return "" if here[key] == before else f"{key} {_show(here[key])} for {_show(before)}"


def _drop_field(rng: Random, actions: list[Raw], at: int) -> str:
    here, key = rng.choice(_list_fields(actions[at]))
    before = here.pop(key)
    return f"no {key} ({_show(before)})"


def _repeat_element(rng: Random, actions: list[Raw], at: int) -> str:
    """Say an element of a list again, or turn the list round."""
    lists = [here[key] for here, key in _list_fields(actions[at]) if isinstance(here[key], list) and here[key]]
    if not lists:
        return ""
    found = rng.choice(lists)
    if rng.random() < 0.5 and len(found) > 1:
        found.reverse()
        return "a list turned round"
    found.insert(rng.randrange(len(found)), json.loads(json.dumps(rng.choice(found))))
    return "an element twice"


def _change_entity(rng: Random, actions: list[Raw], at: int) -> str:
    other = rng.choice(actions)
    before, after = ({name: each.get(name) for name in ("entity", "entity_type")} for each in (actions[at], other))
    if before == after:
        return ""
    actions[at].update(after if rng.random() < 0.7 else {"entity": after["entity"]})
    return f"{actions[at]['type']} of {after['entity']} for {before['entity']}"


def _change_type(rng: Random, actions: list[Raw], at: int) -> str:
    before, after = actions[at]["type"], rng.choice(TYPES)
    actions[at]["type"] = after
    return f"{after} for {before}" if after != before else ""


def _drop(_rng: Random, actions: list[Raw], at: int) -> str:
    gone = actions.pop(at)
    return f"without a {gone['type']}"


def _double(rng: Random, actions: list[Raw], at: int) -> str:
    """Say an action twice, later ones by new ids."""
    _insert(actions, at + 1 + rng.randrange(3), actions[at])
    return f"{actions[at]['type']} twice"


def _borrow(rng: Random, actions: list[Raw], at: int) -> str:
    """Put an action of another place here, too."""
    other = rng.choice(actions)
    _insert(actions, at, other)
    return f"one more {other['type']}"


def _insert(actions: list[Raw], at: int, action: Mapping[str, Any]) -> None:
    numbers = {each["id"]: each["id"] + (place >= at) for place, each in enumerate(actions)}
    for each in actions:
        each["id"] = numbers[each["id"]]
        if each["type"] == "undo" and each.get("action_id") in numbers:
            each["action_id"] = numbers[each["action_id"]]
    place = min(at, len(actions))
    number = actions[place - 1]["id"] + 1 if place else 1
    actions.insert(place, {**json.loads(json.dumps(action)), "id": number})


def _move(rng: Random, actions: list[Raw], at: int) -> str:
    """Move an action forth or back; the ids keep their order."""
    to = min(max(at + rng.choice((-3, -2, -1, 1, 2, 3)), 0), len(actions) - 1)
    if to == at:
        return ""
    numbers = [each["id"] for each in actions]
    moved = actions.pop(at)
    actions.insert(to, moved)
    for number, each in zip(numbers, actions, strict=True):
        each["id"] = number
    return f"{moved['type']} moved to {to}"


CHANGES: tuple[Change, ...] = (
    *4 * (_change_value,), _drop_field, _repeat_element, _change_entity, _change_type, _drop, _double, _borrow, _move,
)  # fmt: skip
