"""What standing orders mean in Steel Driver: bids up to a limit, and lists of links."""

import re

from engine.orders import Moment, Orders
from engine.record import Action
from engine.titles.steel_driver.actions import Build, Raise
from engine.titles.steel_driver.rounds.turn import actor
from engine.titles.steel_driver.state import State, acting, company_id
from engine.titles.steel_driver.steps import build


def moment(s: State) -> Moment:
    """Return where the game stands; a company that is put up is bid for."""
    if actor(s) < 0:
        return Moment("the end")
    name = f"turn {s.turn}, {s.phase}"
    if s.phase == "auction":
        return Moment(name, "bid", s.board.ids[s.sale.company]) if s.sale else Moment(name)
    if s.phase == "build":
        return Moment(name, "build", s.board.ids[acting(s)])
    return Moment(name)


def raised(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return one cube more for the company on sale."""
    sale = s.sale
    if sale is None or sale.company != company_id(s, company) or sale.bid + 1 > min(most, s.cubes[seat]):
        return None
    return Raise(sale.bid + 1)


def bidders(s: State) -> tuple[int, ...]:
    """Return the bidders who have more cubes than the high bid."""
    sale = s.sale
    if sale is None:
        return ()
    return tuple(seat for seat in sale.bidders if seat != sale.leader and s.cubes[seat] > sale.bid)


def link(s: State, words: str) -> Action | None:
    """Return the build that "Denver-Omaha" means, said as the log has it."""
    ends = [part.strip() for part in re.split(r"->|→|-", words, maxsplit=1)]
    return build.facing(s, Build(*ends)) if len(ends) == 2 and all(ends) else None


def _companies(s: State) -> tuple[tuple[str, str], ...]:
    return tuple((code, brand.name) for code, brand in zip(s.board.ids, s.board.companies, strict=True))


ORDERS: Orders[State] = Orders(
    moment=moment, passes={}, companies=_companies, raised=raised, bidders=bidders, link=link
)
