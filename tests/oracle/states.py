"""States of the public engine in the words of our traces."""

from typing import Any

PLACES = {"ipo": "ipo", "pool": "market", "treasury": "treasury"}


def expect_state(state: dict[str, Any]) -> dict[str, Any]:
    """Return what a trace tells of a state of the engine."""
    run = state.get("run_routes")
    return {
        "round": state["round"],
        "phase": state["phase"],
        "players": {key: _player(player) for key, player in state["players"].items()},
        "companies": {code: _company(company) for code, company in state["corporations"].items() if company["ipoed"]},
        "order": state["operating_order"],
        "tiles": {hex_: _tile(*tile) for hex_, tile in state["tiles"].items()},
        "bank": state["bank_cash"],
        **({"run": {"revenue": run["effective_revenue"], "subsidy": run["subsidy"]}} if run else {}),
    }


def _player(player: dict[str, Any]) -> dict[str, Any]:
    return {
        "cash": player["cash"],
        "shares": {code: held["percent"] for code, held in player["shares"].items() if held["percent"]},
        "privates": sorted(player["privates"]),
    }


def _company(company: dict[str, Any]) -> dict[str, Any]:
    return {
        "cash": company["cash"],
        "price": company["share_price"],
        "par": company["par_price"],
        "director": None if company["director"] == "market" else company["director"],
        "receivership": company["receivership"],
        "floated": company["floated"],
        "trains": sorted(company["trains"]),
        "tokens": sorted([token["hex"], token["city"]] for token in company["tokens"]),
        **{ours: company[theirs]["percent"] for ours, theirs in PLACES.items()},
    }


def _tile(name: str, rotation: int) -> list[Any]:
    """Return name and rotation; a tile with small stations added there has no rotation of its own."""
    return [name.split("_", maxsplit=1)[0], None] if "_" in name else [name, rotation]


def differences(ours: object, theirs: object, path: str = "") -> list[str]:
    """Return where two values differ, a line each."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = []
        for key in {*ours, *theirs}:
            found += differences(ours.get(key), theirs.get(key), f"{path}/{key}")
        return sorted(found)
    if path.startswith("/tiles/") and isinstance(theirs, list) and isinstance(ours, list) and theirs[1] is None:
        ours = [ours[0], None]
    return [] if ours == theirs else [f"{path}: {ours} instead of {theirs}"]
