"""What the game waits for."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from engine.printed import word_reading
from engine.title import Ask
from engine.titles.steel_driver import score
from engine.titles.steel_driver.pictures.label import write_cubes, write_holding
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import TURNS, State, find_acting, list_members
from engine.titles.steel_driver.steps import bidding, building, goods
from engine.words import join_words, pluralise, write_ordinal


def ask(state: State) -> Ask:
    """Return what the game waits for, and where it is written."""
    phase = "sale" if state.sale else state.phase
    readings: tuple[str, ...] = ()
    if phase == "goods":
        readings = (word_reading("engine.titles.steel_driver", "AMB 7", other=not state.rules.passed_order),)
    return msgspec.structs.replace(_ask(state), rules=_TOPICS.get(phase, ()), readings=readings)


_TOPICS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "auction": ("Opening an auction", "The end of the auctions"),
        "sale": ("Bidding", "Winning a company"),
        "build": ("Building is compulsory", "Where a link begins"),
        "goods": ("Claiming goods",),
    }
)


def _ask(state: State) -> Ask:
    seats = turn.find_actors(state)
    if not seats:
        return Ask((), "The game is over", "over", pictures=("card", "chart", "goods", "map"))
    if state.phase == "auction":
        return _ask_sale(state, seats) if state.sale else _ask_marker(state, seats)
    number = find_acting(state)
    brand, company = state.board.companies[number], state.companies[number]
    place = f"{write_ordinal(state.active + 1)} of {len(state.order)}"
    if state.phase == "build":
        links = {lay.route for lay in building.list_lays(state, number)}  # one that may be built from either end is one
        headline = f"{brand.name} builds (turn {state.turn} of {TURNS}, {place})"
        lines = [
            f"Treasury {write_cubes(company.treasury)} · profit ${company.profit:,} · {company.links} links left.",
            f"{pluralise(len(links), 'link is', 'links are')} possible.",
            _describe_network(state, number),
            _describe_shares(state, number),
        ]
        if not state.joined:
            ends = " and ".join(state.board.places[end].name for end in state.board.ends)
            lines.append(f"The link that joins {ends} earns its builder $50, the others on the line $30.")
        return Ask(seats, headline, "build a link", tuple(lines), brand.code)
    headline = f"{brand.name} claims a goods cube ({place})"
    reach = goods.find_places_in_reach(state, number).bit_count()
    lines = [
        f"{pluralise(reach, 'cube')} in reach; as its largest shareholder, you choose for {brand.name}.",
        f"Has {write_holding(company.goods)}, worth ${score.find_value_of_sets(company.goods):,} a share.",
        _describe_shares(state, number),
    ]
    return Ask(seats, headline, "claim a cube", tuple(lines), brand.code, ("map", "goods"))


def _ask_marker(state: State, seats: tuple[int, ...]) -> Ask:
    """Ask the marker holder to put up a company or pass the marker on."""
    left = [state.board.companies[number].name for number in bidding.list_available(state)]
    others = [seat for seat in range(state.seats) if seat != seats[0]]
    return Ask(
        seats,
        f"Auctions, turn {state.turn} of {TURNS}",
        "put up a company, or pass the marker",
        (
            f"Available: {', '.join(left)}.",
            f"You have {write_cubes(state.cubes[seats[0]])}; {_describe_rivals(state, others)}.",
            _describe_pass(state),
        ),
        pictures=("map", "boxes"),
    )


def _describe_pass(state: State) -> str:
    """Return what a pass of the marker holder does now; who has no cubes passes without being asked."""
    left = [(state.marker + step) % state.seats for step in range(1, state.seats - state.passes)]
    able = [f"{{{seat}}}" for seat in left if state.cubes[seat]]
    if not able:
        return "Passing now ends the auctions."
    return f"If you pass, the auctions end unless {join_words(able, 'or')} puts up a company."


def _ask_sale(state: State, seats: tuple[int, ...]) -> Ask:
    """Ask the next bidder to raise or drop out."""
    sale = state.sale
    assert sale is not None, "asked for a bid without an auction"
    brand, company = state.board.companies[sale.company], state.companies[sale.company]
    mine = state.cubes[seats[0]]
    leads = f"{{{sale.leader}}} leads with {sale.bid} of {write_cubes(state.cubes[sale.leader])}"
    able = [seat for seat in sale.bidders if seat not in (seats[0], sale.leader) and state.cubes[seat] > sale.bid]
    rivals = f"still in: {_describe_rivals(state, able)}" if able else "no one else is still in"
    return Ask(
        seats,
        f"Auction of {brand.name} (turn {state.turn} of {TURNS}), {write_cubes(sale.bid)} bid",
        "raise or drop out",
        (
            f"{leads}. You have {write_cubes(mine)}; {rivals}.",
            f"{brand.name}: treasury {company.treasury}, {company.links} links left.",
            _describe_network(state, sale.company),
            *filter(None, [_describe_shares(state, sale.company)]),
        ),
        brand.code,
        ("boxes",),
    )


def _describe_network(state: State, number: int) -> str:
    """Return the places a company has track to, its start first."""
    company, places = state.companies[number], state.board.places
    if company.network == 0:
        return "It has no track yet and can start at any hexagon."
    rest = [places[place].name for place in list_members(company.network) if place != company.start]
    more = f" and {len(rest) - 9} more" if len(rest) > 9 else ""
    return f"Track from {places[company.start].name} to {', '.join(rest[:9])}{more}."


def _describe_shares(state: State, number: int) -> str:
    """Return who holds how much of a company; "" if no one does."""
    held = [(seat, count) for seat, count in enumerate(state.companies[number].shares) if count]
    told = ", ".join(f"{{{seat}}} {count}" for seat, count in sorted(held, key=lambda each: -each[1]))
    return f"Shares: {told}; the largest shareholder chooses its goods cubes at the end." if told else ""


def _describe_rivals(state: State, seats: Sequence[int]) -> str:
    """Return the cubes of other players."""
    return ", ".join(f"{{{seat}}} has {state.cubes[seat]}" for seat in seats)
