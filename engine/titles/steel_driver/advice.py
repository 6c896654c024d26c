"""Moves worth a button of their own, and what standing orders mean in Steel Driver."""

import re
from collections.abc import Iterator, Sequence

from engine.finance.rounds import Pass
from engine.hints import Tip
from engine.orders import Bidding, Moment, Orders
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.titles.steel_driver import player, score
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.events import BidRaised, CompanyWon, DroppedOut
from engine.titles.steel_driver.pictures.label import write_cubes, write_label
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.rounds.turn import find_actor
from engine.titles.steel_driver.state import (
    NOBODY,
    TURNS,
    State,
    count_goods,
    find_acting,
    find_company,
    list_members,
)
from engine.titles.steel_driver.steps import bidding, building, goods
from engine.words import add_article, pluralise

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


def list_regrets(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield what a beginner would regret of a bid or a pass, a link, a cube."""
    if before.phase == "auction":
        yield from _list_auction_regrets(before, after, seat)
    elif before.phase == "build":
        yield from _list_building_regrets(before, after, seat)
    elif before.phase == "goods":
        yield from _list_claim_regrets(before, after)


def _list_auction_regrets(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield that no cubes are left, no company is, or that the last share gives another player the goods."""
    sale, companies = after.sale, [*zip(before.companies, after.companies, strict=True)]
    if after.phase == "auction" and after.turn == before.turn:
        bid = sale.bid if sale and sale.leader == seat else 0
        left = len(bidding.list_available(after)) - (sale is not None)
        if left and bid + before.cubes[seat] > after.cubes[seat] == bid:
            yield f"You keep no cubes for the {pluralise(left, 'company', 'companies')} still to be put up."
    elif not any(was.controller == seat or now.shares[seat] > was.shares[seat] for was, now in companies):
        yield "If no one else bids, the auctions end and you control no company this turn."
    for brand, (was, now) in zip(before.board.companies, companies, strict=True):
        heir, _ = score.find_controller(now)
        led = was.shares[seat] == max(was.shares) > 0
        if before.turn == TURNS and led and heir != seat and was.shares != now.shares:
            yield f"If no one else bids, {{{heir}}} will choose the goods of {brand.name}."


def _list_building_regrets(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield that the better end was made the start, or that a rival can close the line."""
    places, number = before.board.places, find_acting(before)
    company, name = after.companies[number], before.board.companies[number].name
    if not before.companies[number].network:
        start = places[company.start]
        if start.value > max(places[place].value for place in list_members(company.network & ~(1 << company.start))):
            yield f"{start.name} (${start.value:,}) becomes {name}'s start, and a start never scores."
    closer = _find_closer(after)
    if closer not in (NOBODY, seat) and _find_closer(before) == NOBODY:
        yield f"{{{closer}}} can then close the line from coast to coast and take the ${building.BUILDER_BONUS:,}."


def _find_closer(state: State) -> int:
    """Return the seat that can build the link that closes the line, the first in the order of play; -1 for none."""
    if state.joined or state.phase != "build":
        return NOBODY
    west, east = (building.find_joined_places(state, end) for end in state.board.ends)
    for number in (*state.order[state.active :], *state.order[: state.active]):
        for lay in building.list_lays(state, number) if number not in state.passed else ():
            ends = 1 << lay.origin | 1 << lay.destination
            if ends & west and ends & east:
                return state.companies[number].controller
    return NOBODY


def _list_claim_regrets(before: State, after: State) -> Iterator[str]:
    """Yield that a cube which others can take would have added more."""
    number = find_acting(before)
    held, had = before.companies[number].goods, score.find_value_of_sets(before.companies[number].goods)
    reach, others = goods.find_places_in_reach(before, number), 0
    for other in before.order:
        if other != number and other not in before.passed:
            others |= before.companies[other].network
    adds = {
        colour: score.find_value_of_sets([count + (at == colour) for at, count in enumerate(held)]) - had
        for colour, count in enumerate(count_goods(before, reach))
        if count
    }
    taken = [colour for colour, count in enumerate(after.companies[number].goods) if count > held[colour]]
    contested = [colour for colour in adds if not reach & before.board.colours[colour] & ~others]
    best = max(contested, key=lambda colour: adds[colour], default=NOBODY)
    if len(taken) == 1 and best != NOBODY and adds[taken[0]] < adds[best]:
        cube = f"{add_article(GOODS[best])} cube"
        yield f"This adds ${adds[taken[0]]:,}; {cube} would add ${adds[best]:,}, and others can take it."
