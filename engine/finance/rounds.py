"""What all 18xx rounds have in common: turns of players and of companies, passes, the end of the game."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from engine.errors import RuleError
from engine.finance.events import BankBroke, Declined, GameEnded, Passed, RoundBegun
from engine.finance.state import OperatingRound, ShareCompany, ShareState, StockRound
from engine.record import Action
from engine.steps import Checked, Step
from engine.title import Tell

S = TypeVar("S", bound=ShareState)
C = TypeVar("C", bound=ShareCompany)


class Pass(Action, frozen=True, tag="pass"):
    """Pass, or end this step."""

    verb = "pass"
    brief = "pass"


class EndGame(Action, frozen=True, tag="end"):
    """End the game by agreement of the table; the scores stand as they are."""

    verb = ""


def make_pass_step(find_refusal: Callable[[S, int], RuleError | None], apply: Callable[[S, int, Tell], None]) -> Step:
    """Return the step of passing, which is legal where nothing refuses it; its plan is the seat."""

    def list_options(s: S, seat: int) -> Iterator[Pass]:
        if find_refusal(s, seat) is None:
            yield Pass()

    def check(s: S, seat: int, action: Pass) -> int:
        del action
        refusal = find_refusal(s, seat)
        if refusal is not None:
            raise refusal
        return seat

    return list_options, check, apply


def carry_out(s: S, checked: Checked, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Apply a checked action, and everything automatic that follows, until a player must decide."""
    checked.step[2](s, checked.plan, tell)
    run_automatic_steps(s, follows, tell)


def run_automatic_steps(s: S, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Call ``follows``, which does one automatic thing, until it does nothing or the game is over."""
    while not s.over and follows(s, tell):
        pass


def skip_unless(is_open: Callable[[S, C], bool]) -> Callable[[S, C, Tell], bool]:
    """Return what handles a step of a company's turn: wait while the step is open to the company, else go on."""

    def handle_step(s: S, company: C, tell: Tell) -> bool:
        del tell
        if is_open(s, company):
            return False
        s.get_round(OperatingRound).begin_next_step()
        return True

    return handle_step


def do_unless(is_open: Callable[[S, C], bool], do: Callable[[S, C, Tell], None]) -> Callable[[S, C, Tell], bool]:
    """Return what handles a step of a company's turn: wait while the step is open to the company, else ``do`` it."""

    def handle_step(s: S, company: C, tell: Tell) -> bool:
        if is_open(s, company):
            return False
        do(s, company, tell)
        return True

    return handle_step


def list_clockwise(first: int, seats: int) -> tuple[int, ...]:
    """Return all seats clockwise from the first."""
    return tuple((first + step) % seats for step in range(seats))


def note_pass(r: StockRound, seat: int, tell: Tell) -> None:
    """Count a pass, unless the player has bought or sold this turn and only ends it."""
    if not r.acted:
        r.passes += 1
        tell(Passed(seat))


def note_sale(r: StockRound, seat: int, what: str) -> None:
    """Note a sale: it resets the passes, and the player cannot buy back this round."""
    r.acted, r.passes = True, 0
    if what not in r.sold[seat]:
        r.sold[seat].append(what)


def next_player(r: StockRound, seats: int) -> None:
    """Begin the turn of the next player clockwise."""
    r.turn = (r.turn + 1) % seats
    r.acted = r.bought = False


def sort_companies(companies: Iterable[ShareCompany], rank: Callable[[ShareCompany], tuple[float, ...]]) -> list[str]:
    """Return the companies in operating order, by the rank of their markers."""
    return [company.code for company in sorted(companies, key=rank)]


def begin_round(s: ShareState, r: OperatingRound, tell: Tell) -> None:
    """Begin the next round of a set, before its first turn."""
    r.number += 1
    r.index = -1
    tell(RoundBegun(s.name))


def next_company(r: OperatingRound, operates: Callable[[str], bool]) -> bool:
    """Go to the next company that can still operate; return whether there is one."""
    r.index += 1
    while r.index < len(r.order) and not operates(r.order[r.index]):
        r.index += 1
    return r.index < len(r.order)


def describe_next_steps(r: OperatingRound, kinds: Mapping[str, str], left_out: Collection[str] = ()) -> list[str]:
    """Return a line about the steps to come: "Then: run trains → pay or keep."; none at the last step."""
    steps = r.steps[r.steps.index(r.step) + 1 :]
    later = [kinds[each] for each in steps if each in kinds and each not in left_out]
    return [f"Then: {' → '.join(later)}."] if later else []


def describe_turn(s: ShareState, r: OperatingRound) -> str:
    """Return how far a round has come: "OR 2.1, 3 of 7"."""
    return f"{s.name}, {r.index + 1} of {len(r.order)}"


def has_begun_step(r: OperatingRound, company: ShareCompany) -> bool:
    """Return whether a company has some of what a step is for, so that passing means "no more"."""
    return (r.step == "track" and bool(r.laid)) or (r.step == "train" and bool(company.trains))


def decline_step(r: OperatingRound, company: ShareCompany, declines: Mapping[str, tuple[str, str]], tell: Tell) -> None:
    """Skip a step; ``declines`` has the verb and noun of each step: ("lays", "track")."""
    does, what = declines[r.step]
    tell(Declined(r.code, does, what, has_begun_step(r, company)))
    r.begin_next_step()


def describe_decline(r: OperatingRound, company: ShareCompany, declines: Mapping[str, tuple[str, str]]) -> str:
    """Return the words of skipping a step: "No track", "No more trains"."""
    return f"No {'more ' * has_begun_step(r, company)}{declines[r.step][1]}"


MAX_ROUNDS = 100
"""The set of rounds after which a game ends at tables that play with a limit."""


def list_end_options(s: object, seat: int) -> Iterator[Action]:
    """Yield nothing: ending a game is for the table to vote on."""
    del s, seat
    yield from ()


def check_end(s: object, seat: int, action: Action) -> Action:
    """Allow ending the game at any time."""
    del s, seat
    return action


def apply_end(s: ShareState, plan: Action, tell: Tell) -> None:
    """End the game as it stands."""
    del plan
    end_game(s, "manually_ended", tell)


def note_bank_broken(s: ShareState, left: int, tell: Tell) -> None:
    """Note when the bank first runs out: ``left`` is negative."""
    if left < 0 and not s.broken:
        s.broken = True
        tell(BankBroke())


def end_game(s: ShareState, reason: str, tell: Tell) -> None:
    """End the game for a reason."""
    s.over = reason
    tell(GameEnded(reason))
