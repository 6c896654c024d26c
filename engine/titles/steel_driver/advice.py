"""Moves worth a button of their own, and what standing orders mean in Steel Driver."""

import re
from collections.abc import Iterator, Sequence

from engine.finance.rounds import Pass
from engine.hints import Tip
from engine.orders import Bidding, Moment, Orders
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.titles.steel_driver import player
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.events import BidRaised, CompanyWon, DroppedOut
from engine.titles.steel_driver.pictures.label import write_cubes, write_label
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.rounds.turn import find_actor
from engine.titles.steel_driver.state import State, find_acting, find_company
from engine.titles.steel_driver.steps import building

MAX_TIPS = 3


def find_tips(state: State, seat: int) -> Sequence[Tip]:
    """Return the bids, links or cubes a good player would think of, and passing where that may be best."""
    if seat not in turn.find_actors(state):
        return ()
    if state.phase == "build":
        builds = [each for each in player.rank_builds(state) if simplify(state, each) == each][:MAX_TIPS]
        return [_judge(state, action, player.explain_link(state, building.check(state, action))) for action in builds]
    if state.phase == "goods":
        return [_judge(state, action) for action in player.rank_claims(state)[:MAX_TIPS]]
    return [*(_suggest_bids(state, seat) if state.sale else _suggest_openings(state, seat))]


def _judge(state: State, action: Action, reason: str = "") -> Tip:
    """Return a move that the program thinks good, with the reason for it."""
    return Tip(action, write_label(state, action, ""), reason=reason, judged=True)


def _suggest_bids(state: State, seat: int) -> Iterator[Tip]:
    """Yield the next raise and dropping out, what is best first, with the reason for it."""
    sale = state.sale
    assert sale is not None, "bids are raised in an auction"
    worth = player.estimate_worth(state, sale.company)
    more, out = Raise(sale.bid + 1), Pass()
    about = f"worth about {write_cubes(worth)}"
    pays = worth > sale.bid and state.cubes[seat] > sale.bid
    raises = [Tip(more, write_label(state, more, ""), reason=about * pays)] if state.cubes[seat] > sale.bid else []
    drops = [Tip(out, write_label(state, out, ""), reason=about * (not pays))]
    yield from [*raises, *drops] if pays else [*drops, *raises]


def _suggest_openings(state: State, seat: int) -> Iterator[Tip]:
    """Yield the companies to put up at half of what they are worth, so that rivals pay for the rest, and passing."""
    for number in player.rank_companies(state)[:MAX_TIPS]:
        worth = player.estimate_worth(state, number)
        bid = max(1, min(worth // 2, state.cubes[seat]))
        yield _judge(state, Open(state.board.ids[number], bid), f"worth about {write_cubes(worth)}")
    later = "you may put one up later" if state.passes + 1 < state.seats else "ends the auctions"
    yield Tip(Pass(), f"{write_label(state, Pass(), '')} · {later}")


def order_for_menu(state: State, seat: int, actions: Sequence[Action]) -> Sequence[Action]:
    """Return legal actions as menus list them: what a good player would think of first, if the table wants advice."""
    del seat
    if not state.rules.advice:
        return actions
    ranks = {state.board.ids[number]: rank for rank, number in enumerate(player.rank_companies(state))}
    sorting: Sorting = {
        Open: lambda openings: sorted(openings, key=lambda each: ranks[each.company]),
        Build: lambda builds: [build for build in player.rank_builds(state) if build in builds],
        Claim: lambda _: player.rank_claims(state),
    }
    return sort_actions(actions, sorting)


def simplify(state: State, action: Action) -> Action:
    """Return the build by which menus show a link that could be built from either end; other actions as they are."""
    return building.prefer_direction(state, action) if isinstance(action, Build) else action


def find_moment(s: State) -> Moment:
    """Return where the game stands; a company that is put up is bid for."""
    if find_actor(s) < 0:
        return Moment("the end")
    name = f"turn {s.turn}, {s.phase}"
    if s.phase == "auction":
        return Moment(name, "bid", s.board.ids[s.sale.company]) if s.sale else Moment(name)
    if s.phase == "build":
        return Moment(name, "build", s.board.ids[find_acting(s)])
    return Moment(name)


def raise_bid(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return one cube more for the company on sale."""
    sale = s.sale
    if sale is None or sale.company != find_company(s, company) or sale.bid + 1 > min(most, s.cubes[seat]):
        return None
    return Raise(sale.bid + 1)


def list_bidders(s: State) -> tuple[int, ...]:
    """Return the bidders who have more cubes than the high bid."""
    sale = s.sale
    if sale is None:
        return ()
    return tuple(seat for seat in sale.bidders if seat != sale.leader and s.cubes[seat] > sale.bid)


def read_link(s: State, words: str) -> Action | None:
    """Return the build that "Denver-Omaha" means, said as the log has it."""
    ends = [part.strip() for part in re.split(r"->|→|-", words, maxsplit=1)]
    return building.turn_round(s, Build(*ends)) if len(ends) == 2 and all(ends) else None


def find_controller(s: State, company: str) -> int:
    """Return the seat that controls a company, -1 if none does."""
    number = find_company(s, company)
    return s.companies[number].controller if number >= 0 else -1


def _list_companies(s: State) -> tuple[tuple[str, str], ...]:
    return tuple((code, brand.name) for code, brand in zip(s.board.ids, s.board.companies, strict=True))


ORDERS: Orders[State] = Orders(
    moment=find_moment,
    passes={},
    companies=_list_companies,
    raised=raise_bid,
    bidders=list_bidders,
    bidding=Bidding(BidRaised, DroppedOut, CompanyWon),
    link=read_link,
    director=find_controller,
)
