"""The final determination: goods are placed, claimed and paid."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.steel_driver import events, score
from engine.titles.steel_driver.actions import Claim
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.rules import FINAL
from engine.titles.steel_driver.state import (
    COMPANIES,
    NOBODY,
    State,
    count_goods,
    find_acting,
    find_place,
    let_next_act,
    list_members,
    skip_passed,
)


class Taking(Record, frozen=True):
    """A cube that a company takes."""

    company: int
    place: int


def begin(state: State, tell: Tell) -> None:
    """Empty the treasuries, place the goods, settle who controls what."""
    state.phase = "goods"
    for company in state.companies:
        company.treasury = 0
        state.cubes_left |= company.network
    tell(events.GoodsPlaced(tuple(zip(GOODS, count_goods(state, state.cubes_left), strict=True))))
    if not state.rules.passed_order:
        state.order = state.played
    for number in range(COMPANIES):
        company = state.companies[number]
        company.controller, tied = score.find_controller(company)
        if company.controller != NOBODY:
            name, shares = state.board.companies[number].name, company.shares[company.controller]
            tell(events.ControlTaken(company.controller, name, shares, tied))


def find_places_in_reach(state: State, number: int) -> int:
    """Return the places whose cubes a company may claim."""
    return state.cubes_left & state.companies[number].network


def list_options(state: State) -> Iterator[Claim]:
    """Yield every cube the company whose turn it is may claim."""
    for place in list_members(find_places_in_reach(state, find_acting(state))):
        yield Claim(state.board.places[place].id)


def check(state: State, action: Claim) -> Taking:
    """Return the claim, or say why it cannot be made.

    Raises:
        RuleError: the place has no cube that the company can claim.
    """
    number = find_acting(state)
    name = state.board.companies[number].name
    place = find_place(state, action.place)
    if place == NOBODY:
        raise RuleError(f"There is no place “{action.place[:24]}” on this board.", FINAL)
    here = state.board.places[place].name
    if not state.companies[number].network >> place & 1:
        raise RuleError(f"{name} has no track at {here}, so it can't claim the cube there.", FINAL)
    if not state.cubes_left >> place & 1:
        raise RuleError(f"The cube at {here} has already been claimed.", FINAL)
    return Taking(number, place)


def apply(state: State, plan: Taking, tell: Tell, *, forced: bool = False) -> None:
    """Move the cube into the company's box."""
    company, place = state.companies[plan.company], state.board.places[plan.place]
    state.cubes_left &= ~(1 << plan.place)
    company.goods[place.goods] += 1
    let_next_act(state)
    name, value = state.board.companies[plan.company].name, score.find_value_of_sets(company.goods)
    tell(events.CubeClaimed(company.controller, name, place.name, GOODS[place.goods], value, forced))


def settle(state: State, tell: Tell) -> bool:
    """Do one thing that needs no decision; return whether there was one.

    A company without a cube in reach passes. One with a single cube in reach
    takes it; so does one whose cubes no other can reach: it will get all of
    them in the end, in whatever order.
    """
    if is_over(state):
        return False
    if skip_passed(state):
        return True
    number = find_acting(state)
    reach = find_places_in_reach(state, number)
    if not reach:
        state.passed.append(number)
        let_next_act(state)
        reason = "no cube is left in its reach"
        tell(events.CompanyPassed(state.board.companies[number].name, reason, len(state.passed)))
        return True
    if reach & (reach - 1) == 0 or not reach & _find_places_of_others(state, number):
        apply(state, Taking(number, next(list_members(reach))), tell, forced=True)
        return True
    return False


def is_over(state: State) -> bool:
    """Return whether all companies have passed."""
    return len(state.passed) == len(state.order)


def pay_shares(state: State, tell: Tell) -> None:
    """Pay every share the value of its company's sets, and end the game."""
    for number in range(COMPANIES):
        company = state.companies[number]
        company.value = score.find_value_of_sets(company.goods)
        held = tuple((seat, count, count * company.value) for seat, count in enumerate(company.shares) if count)
        for seat, _, dollars in held:
            state.cash[seat] += dollars
        if held:
            tell(events.SharesPaid(state.board.companies[number].name, company.value, held))
    state.phase = "over"
    state.history.append(state.cash.copy())
    final = score.find_result(state)
    tell(events.GameEnded(final.winners if final else (), tuple(state.cash)))


def _find_places_of_others(state: State, number: int) -> int:
    """Return the places where another company has track; one that has passed has no cube left there."""
    places = 0
    for other in state.order:
        if other != number:
            places |= state.companies[other].network
    return places
