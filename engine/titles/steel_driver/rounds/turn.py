"""The course of a turn: whose turn it is, what comes next; cubes at its begin, profits at its end."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import RuleError
from engine.finance.rounds import EndGame, Pass
from engine.record import Action, Record
from engine.steps import explain_wrong_time
from engine.title import Tell, ignore_event
from engine.titles.steel_driver import events, score
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.rules import AUCTIONS, BUILDING, FINAL, GAME_PLAY
from engine.titles.steel_driver.state import NOBODY, State, find_acting, find_company, find_place
from engine.titles.steel_driver.state import TURNS as LAST_TURN
from engine.titles.steel_driver.steps import bidding, building, goods

_Apply = Callable[[State, Any, Tell], None]  # Any: each function takes the plan its key names
CUBES_EACH = {3: 10, 4: 8, 5: 7, 6: 6}


class AgreedEnd(Record, frozen=True):
    """The table agreed to end the game."""


Plan = bidding.Opening | bidding.Raising | bidding.Leaving | building.Lay | goods.Taking | AgreedEnd


def begin(state: State) -> None:
    """Bring a dealt position to its first decision."""
    take_cubes(state, ignore_event)
    _advance(state, ignore_event)


def find_actor(state: State) -> int:
    """Return the seat that must decide, -1 when the game is over."""
    if state.phase == "auction":
        return bidding.find_actor(state)
    if state.phase == "over":
        return -1
    return state.companies[find_acting(state)].controller


def find_actors(state: State) -> tuple[int, ...]:
    """Return the seats that must decide: one, or none when the game is over."""
    seat = find_actor(state)
    return (seat,) if seat >= 0 else ()


def list_legal(state: State, seat: int) -> Iterable[Action]:
    """Yield every legal action of a seat."""
    if seat != find_actor(state):
        return ()
    if state.phase == "auction":
        return bidding.list_options(state, seat)
    return building.list_options(state) if state.phase == "build" else goods.list_options(state)


def check(state: State, seat: int, action: Action) -> Plan:
    """Return what ``apply`` needs.

    Raises:
        RuleError: the action is not allowed; nothing has changed.
    """
    asked = find_actor(state)
    if asked < 0:
        raise RuleError("The game is over.", GAME_PLAY)
    if isinstance(action, EndGame):
        return AgreedEnd()
    if seat != asked:
        raise RuleError("It's not your turn.", GAME_PLAY)
    if state.phase == "auction":
        return _check_auction(state, seat, action)
    if state.phase == "build":
        if isinstance(action, Build):
            return building.check(state, action)
        raise RuleError(explain_wrong_time(type(action), (Build,), _name_acting_company(state)), BUILDING)
    if isinstance(action, Claim):
        return goods.check(state, action)
    raise RuleError(explain_wrong_time(type(action), (Claim,), _name_acting_company(state)), FINAL)


def _check_auction(state: State, seat: int, action: Action) -> Plan:
    """Check an action of the auction phase."""
    if isinstance(action, Open):
        return bidding.check_open(state, seat, action)
    if isinstance(action, Raise):
        return bidding.check_raise(state, seat, action)
    if isinstance(action, Pass):
        return bidding.Leaving(seat)
    raise RuleError(explain_wrong_time(type(action), (Open, Pass)), AUCTIONS)


def spell_out(state: State, seat: int, action: Action) -> Action:
    """Return an action as the log has it: ids for names, links outward, a bid for the company on sale as a raise."""
    del seat
    if isinstance(action, Open):
        company = find_company(state, action.company)
        if state.sale and state.sale.company == company:
            return Raise(action.amount)
        return Open(state.board.ids[company], action.amount) if company != NOBODY else action
    if isinstance(action, Build) and state.phase == "build":
        return building.turn_round(state, action)
    if isinstance(action, Claim):
        place = find_place(state, action.place)
        return Claim(state.board.places[place].id) if place != NOBODY else action
    return action


def apply(state: State, plan: Plan, tell: Tell) -> None:
    """Do what was checked, then all that follows without a decision."""
    _APPLY[type(plan)](state, plan, tell)
    _advance(state, tell)


def _end(state: State, plan: AgreedEnd, tell: Tell) -> None:
    """End the game as it stands."""
    del plan
    state.phase, state.agreed, state.sale = "over", True, None
    state.history.append(state.cash.copy())
    final = score.find_result(state)
    tell(events.GameEnded(final.winners if final else (), tuple(state.cash), agreed=True))


def _advance(state: State, tell: Tell) -> None:
    """Go on until a player must decide or the game is over."""
    while state.phase != "over":
        if state.phase == "auction":
            moved = bidding.settle(state, tell) or _end_auctions(state, tell)
        elif state.phase == "build":
            moved = building.settle(state, tell) or _end_building(state, tell)
        else:
            moved = goods.settle(state, tell) or _end_claims(state, tell)
        if not moved:
            return


def _end_auctions(state: State, tell: Tell) -> bool:
    """Begin building when the auctions are over."""
    if not bidding.is_over(state):
        return False
    left = tuple(state.board.companies[number].name for number in bidding.list_available(state))
    tell(events.AuctionsEnded(left, state.marker))
    state.phase = "build"
    return True


def _end_building(state: State, tell: Tell) -> bool:
    """Pay profits and begin the next turn, or the final determination."""
    if not building.is_over(state):
        return False
    pay_profits(state, tell)
    end_turn(state, tell)
    if state.turn < LAST_TURN:
        take_cubes(state, tell)
    else:
        goods.begin(state, tell)
    return True


def _end_claims(state: State, tell: Tell) -> bool:
    """Pay the shares when no cube can be claimed any more."""
    if not goods.is_over(state):
        return False
    goods.pay_shares(state, tell)
    return True


def _name_acting_company(state: State) -> str:
    return state.board.companies[find_acting(state)].name


_APPLY: Mapping[type, _Apply] = MappingProxyType(
    {
        bidding.Opening: bidding.apply_open,
        bidding.Raising: bidding.apply_raise,
        bidding.Leaving: bidding.apply_pass,
        building.Lay: building.apply,
        goods.Taking: goods.apply,
        AgreedEnd: _end,
    }
)


def take_cubes(state: State, tell: Tell) -> None:
    """Begin a turn: every player takes cubes; the pool never runs short."""
    state.turn += 1
    state.phase = "auction"
    state.passes = 0
    each = CUBES_EACH[state.seats]
    state.cubes = [held + each for held in state.cubes]
    tell(events.CubesTaken(state.turn, each, tuple(state.cubes)))


def pay_profits(state: State, tell: Tell) -> None:
    """Pay each controller of this turn the profit levels of his companies."""
    for number in state.order:
        company = state.companies[number]
        if company.controller != NOBODY:
            state.cash[company.controller] += company.profit
            state.earned[company.controller] += company.profit
        if company.profit:
            tell(events.ProfitTaken(company.controller, state.board.companies[number].name, company.profit))


def end_turn(state: State, tell: Tell) -> None:
    """Make the pass row the order of play, and clear profits and controllers."""
    state.played, state.order, state.passed = state.order, state.passed, []
    state.active = 0
    for company in state.companies:
        company.profit = 0
        company.controller = NOBODY
    state.history.append(state.cash.copy())
    names = tuple(state.board.companies[number].name for number in state.order)
    tell(events.TurnEnded(state.turn, tuple(state.cash), names))
