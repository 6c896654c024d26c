"""Sets of goods, control by shares, the winner, and what each auction of a finished game brought."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.record import Event
from engine.report import AuctionWin, Findings
from engine.title import Result, Score
from engine.titles.steel_driver import events
from engine.titles.steel_driver.state import COMPANIES, NOBODY, Company, State

SET_PAYS = {1: 10, 2: 30, 3: 60, 4: 100, 5: 150}


def find_value_of_sets(goods: Sequence[int]) -> int:
    """Return the value in dollars of the best sets of these cubes, given their number by colour.

    A further colour in a set adds more than starting a new set would, so the
    best sets take one cube of every colour still held, again and again.
    """
    return sum(SET_PAYS[size] for size in find_set_sizes(goods))


def find_set_sizes(goods: Sequence[int]) -> list[int]:
    """Return the sizes of the best sets, largest first."""
    return [sum(count >= layer for count in goods) for layer in range(1, max(goods) + 1)]


def find_controller(company: Company) -> tuple[int, bool]:
    """Return who controls a company by its shares, and whether there was a tie.

    Among tied players the first one clockwise wins, starting with the last
    controller. A company without shares has no controller (-1).
    """
    most = max(company.shares)
    if most == 0:
        return NOBODY, False
    seats = len(company.shares)
    tied = company.shares.count(most) > 1
    turn = (max(company.last, 0) + step for step in range(seats))
    return next(seat % seats for seat in turn if company.shares[seat % seats] == most), tied


def find_result(state: State) -> Result | None:
    """Return the final scores, ``None`` while the game goes on."""
    if state.phase != "over":
        return None
    ranked = sorted(range(state.seats), key=lambda seat: (-state.cash[seat], -_count_tie_cubes(state, seat), seat))
    best = ranked[0]
    key = (state.cash[best], _count_tie_cubes(state, best))
    winners = tuple(seat for seat in sorted(ranked) if (state.cash[seat], _count_tie_cubes(state, seat)) == key)
    reason = "the table agreed to end the game" if state.agreed else "five turns were played"
    return Result(reason, tuple(_score_seat(state, seat) for seat in ranked), winners, currency="$")


def _score_seat(state: State, seat: int) -> Score:
    """Return what a seat has, from profits and from each company's shares."""
    parts = [("profits", state.earned[seat])]
    for number in range(COMPANIES):
        company = state.companies[number]
        if company.shares[seat] and company.value:
            label = f"{state.board.companies[number].name} {company.shares[seat]} × ${company.value:,}"
            parts.append((label, company.shares[seat] * company.value))
    return Score(seat, state.cash[seat], tuple(parts))


def _count_tie_cubes(state: State, seat: int) -> int:
    """Return the goods cubes that break a tie for a seat."""
    counts = [sum(company.goods) for company in state.companies if company.controller == seat]
    return sum(counts) if state.rules.total_cubes else max(counts, default=0)


class AuctionReporter:
    """Follows what each company that was won at auction brought: the profit of its turn, and the share at the end."""

    def __init__(self) -> None:
        self._wins: list[AuctionWin] = []
        self._moves = self._opened = 0

    def note(self, s: State, event: Event) -> None:
        """Note a fact."""
        wins = self._wins
        if isinstance(event, events.AuctionOpened):
            self._opened = self._moves
        elif isinstance(event, events.CompanyWon):
            wins.append(AuctionWin(event.seat, event.company, f"turn {s.turn}", event.amount, at=self._opened))
        elif isinstance(event, events.ProfitTaken) and event.seat != NOBODY:
            at = next(at for at in reversed(range(len(wins))) if wins[at].company == event.company)
            wins[at] = replace(wins[at], profit=event.amount)
        elif isinstance(event, events.SharesPaid):
            paid = [replace(win, share=event.value) if win.company == event.company else win for win in wins]
            self._wins = paid

    def end_move(self, s: State) -> None:
        """Count the moves."""
        del s
        self._moves += 1

    def finish(self, s: State) -> Findings:
        """Return all auctions in their order."""
        del s
        return Findings(auctions=tuple(self._wins))
