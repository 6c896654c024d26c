"""Moves in words, for menus and buttons."""

from collections.abc import Sequence

from engine.finance.rounds import EndGame
from engine.record import Action
from engine.titles.steel_driver import player, score
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import NOBODY, State, find_acting, find_company, find_place, list_members
from engine.titles.steel_driver.steps import building
from engine.words import pluralise

SIGNS = {"black": "K ■", "white": "W ○", "silver": "S ◆", "orange": "O ●", "red": "R ▲"}
MAX_LABEL = 100
"""Characters of a choice; where a company has too much to tell, its places and links are left to the map."""


def write_cubes(count: int) -> str:
    """Return "1 cube", "4 cubes"."""
    return f"{count} cube" if count == 1 else f"{count} cubes"


def write_holding(counts: Sequence[int]) -> str:
    """Return "2 black, 1 red" for cubes by colour."""
    held = [f"{count} {colour}" for colour, count in zip(GOODS, counts, strict=True) if count]
    return ", ".join(held) or "no cubes"


def write_label(state: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of an action, or for the whole of it where ``parameter`` is empty."""
    if isinstance(action, Open):
        return _write_opening(state, action, parameter)
    if isinstance(action, Raise):
        return _write_amount(state, action.amount) if parameter else f"Raise to {write_cubes(action.amount)}"
    if isinstance(action, Build):
        return write_route(state, action) if parameter else f"Build {write_route(state, action)}"
    if isinstance(action, Claim):
        return write_claim(state, action) if parameter else f"Claim {write_claim(state, action)}"
    if isinstance(action, EndGame):
        return "End the game by agreement"
    return "Drop out" if state.sale else "Pass the marker"


def _write_opening(state: State, action: Open, parameter: str) -> str:
    number = find_company(state, action.company)
    brand, company = state.board.companies[number], state.companies[number]
    if parameter == "amount":
        return _write_amount(state, action.amount)
    if parameter == "company":
        links = f"{pluralise(company.links, 'link')} left"
        worth = f"worth about {player.estimate_worth(state, number)}" * state.rules.advice
        treasury = f"treasury {company.treasury}"
        mine = f"you hold {company.shares[turn.find_actor(state)] or 'none'}"
        full = " · ".join(filter(None, (brand.name, worth, _describe_reach(state, number), treasury, links, mine)))
        return full if len(full) <= MAX_LABEL else " · ".join(filter(None, (brand.name, worth, treasury, mine)))
    return f"Put up {brand.name} at {write_cubes(action.amount)}"


def _describe_reach(state: State, number: int) -> str:
    """Return what a company may build first: where it stands, and how many ways lead on."""
    company, places = state.companies[number], state.board.places
    if company.network == 0:
        return "starts anywhere"
    ways = sum(
        state.owner[route] == NOBODY and not company.network >> there & 1
        for place in list_members(company.network)
        for route, there, _ in state.board.exits[place]
    )
    return f"from {places[company.start].name}, {pluralise(ways, 'way')} on"


def _write_amount(state: State, amount: int) -> str:
    return f"{write_cubes(amount)} · of your {state.cubes[turn.find_actor(state)]}"


def write_route(state: State, action: Build) -> str:
    """Return "Denver→Omaha · +$30 · 4 cubes": what it brings stands first, for phones cut the end."""
    lay = building.check(state, action)
    places = state.board.places
    line = f"{places[lay.origin].name}→{places[lay.destination].name}"
    first = " · starts here" if state.companies[lay.company].network == 0 else ""
    joins = building.would_join(state, lay.origin, lay.destination)
    bonus = f" +${building.BUILDER_BONUS} transcontinental" if joins else ""
    value = f"+${lay.value}" if lay.value else "no profit"
    return f"{line} · {value}{bonus} · {write_cubes(lay.cost)}{first}"


def write_claim(state: State, action: Claim) -> str:
    """Return "Denver · silver (S ◆) · its sets $60→$100"."""
    company = state.companies[find_acting(state)]
    place = state.board.places[find_place(state, action.place)]
    more = company.goods.copy()
    more[place.goods] += 1
    colour = GOODS[place.goods]
    values = f"its sets ${score.find_value_of_sets(company.goods)}→${score.find_value_of_sets(more)}"
    return f"{place.name} · {colour} ({SIGNS[colour]}) · {values}"
