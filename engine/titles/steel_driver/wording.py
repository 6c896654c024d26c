"""What the game asks, and how its moves are worded for menus and buttons."""

from collections.abc import Sequence

from engine.record import Action
from engine.title import Ask, Tip
from engine.titles.steel_driver import player, rounds, score
from engine.titles.steel_driver.actions import Build, Claim, EndGame, Open, Pass, Raise
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.state import TURNS, State, acting, company_id, members, place_id
from engine.titles.steel_driver.steps import auction, build, goods, transcontinental

SIGNS = {"black": "K ■", "white": "W ○", "silver": "S ◆", "orange": "O ●", "red": "R ▲"}
TIPS = 3


def cubes(count: int) -> str:
    """Return "1 cube", "4 cubes"."""
    return f"{count} cube" if count == 1 else f"{count} cubes"


def ask(state: State) -> Ask:
    """Return what the game waits for."""
    seats = rounds.actors(state)
    if not seats:
        return Ask((), "The game is over", "over", pictures=("chart", "goods", "map"))
    if state.phase == "auction":
        return _ask_sale(state, seats) if state.sale else _ask_marker(state, seats)
    number = acting(state)
    brand, company = state.board.companies[number], state.companies[number]
    place = f"{_nth(state.active + 1)} of {len(state.order)}"
    if state.phase == "build":
        headline = f"{brand.name} builds (turn {state.turn} of {TURNS}, {place})"
        lines = [
            f"Build one link: {len(list(build.lays(state, number)))} are possible.",
            f"Treasury {cubes(company.treasury)} · profit ${company.profit} · {company.links} links left.",
            _network(state, number),
        ]
        if not state.joined:
            ends = " and ".join(state.board.places[end].name for end in state.board.ends)
            lines.append(f"The link that joins {ends} earns its builder $50, the others on the line $30.")
        return Ask(seats, headline, "build a link", tuple(lines), brand.code)
    headline = f"{brand.name} claims a goods cube ({place})"
    reach = goods.within_reach(state, number).bit_count()
    lines = [
        f"{reach} cubes in reach; you choose for {brand.name} with most of its shares.",
        f"Has {holding(company.goods)}, worth ${score.worth(company.goods)} a share.",
    ]
    return Ask(seats, headline, "claim a cube", tuple(lines), brand.code, ("map", "goods"))


def _ask_marker(state: State, seats: tuple[int, ...]) -> Ask:
    """Ask the marker holder to put up a company or pass the marker on."""
    left = [state.board.companies[number].name for number in auction.available(state)]
    to_pass = state.seats - state.passes
    others = [seat for seat in range(state.seats) if seat != seats[0]]
    end = "Passing now ends the auctions." if to_pass == 1 else f"{to_pass} passes in a row end the auctions."
    return Ask(
        seats,
        f"Auctions, turn {state.turn} of {TURNS}: put up a company, or pass the marker",
        "open an auction or pass",
        (
            f"Available: {', '.join(left)}.",
            f"You have {cubes(state.cubes[seats[0]])}; {_rivals(state, others)}.",
            end,
        ),
        pictures=("map", "boxes"),
    )


def _ask_sale(state: State, seats: tuple[int, ...]) -> Ask:
    """Ask the next bidder to raise or drop out."""
    sale = state.sale
    assert sale is not None, "asked for a bid without an auction"
    brand, company = state.board.companies[sale.company], state.companies[sale.company]
    mine, rivals = state.cubes[seats[0]], _rivals(state, [seat for seat in sale.bidders if seat != seats[0]])
    return Ask(
        seats,
        f"Auction of {brand.name} (turn {state.turn} of {TURNS}): raise above {sale.bid} or drop out",
        "raise or drop out",
        (
            f"{{{sale.leader}}} leads with {cubes(sale.bid)}. You have {cubes(mine)}; still in: {rivals}.",
            f"{brand.name}: treasury {company.treasury}, {company.links} links left. {_network(state, sale.company)}",
        ),
        brand.code,
        ("boxes",),
    )


def label(state: State, action: Action, parameter: str) -> str:
    """Return words for one parameter of an action, or for the whole of it where ``parameter`` is empty."""
    if isinstance(action, Open):
        return _label_open(state, action, parameter)
    if isinstance(action, Raise):
        return _label_amount(state, action.amount) if parameter else f"Raise to {action.amount}"
    if isinstance(action, Build):
        return route(state, action) if parameter else f"Build {route(state, action)}"
    if isinstance(action, Claim):
        return claim(state, action) if parameter else f"Claim {claim(state, action)}"
    if isinstance(action, EndGame):
        return "End the game by agreement"
    return "Drop out" if state.sale else "Pass the marker"


def _label_open(state: State, action: Open, parameter: str) -> str:
    number = company_id(state, action.company)
    brand, company = state.board.companies[number], state.companies[number]
    if parameter == "amount":
        return _label_amount(state, action.amount)
    if parameter == "company":
        links = f"{company.links} links left"
        return f"{brand.name} · treasury {company.treasury} · {links} · you hold {_shares(state, number)}"
    return f"Open {brand.name} at {action.amount}"


def _shares(state: State, number: int) -> str:
    count = state.companies[number].shares[rounds.actor(state)]
    return "1 share" if count == 1 else f"{count} shares"


def _label_amount(state: State, amount: int) -> str:
    return f"{cubes(amount)} of your {state.cubes[rounds.actor(state)]}"


def route(state: State, action: Build) -> str:
    """Return "Denver→Omaha · 4 cubes · +$30"."""
    lay = build.check(state, action)
    places = state.board.places
    line = f"{places[lay.origin].name}→{places[lay.destination].name}"
    first = " · starts here" if state.companies[lay.company].network == 0 else ""
    joins = transcontinental.would_join(state, lay.origin, lay.destination)
    bonus = f" +${transcontinental.BUILDER_BONUS} transcontinental" if joins else ""
    return f"{line} · {cubes(lay.cost)} · +${lay.value}{bonus}{first}"


def claim(state: State, action: Claim) -> str:
    """Return "Denver · silver S ◆ · sets $60→$100"."""
    company = state.companies[acting(state)]
    place = state.board.places[place_id(state, action.place)]
    more = company.goods.copy()
    more[place.goods] += 1
    colour = GOODS[place.goods]
    values = f"sets ${score.worth(company.goods)}→${score.worth(more)}"
    return f"{place.name} · {colour} {SIGNS[colour]} · {values}"


def tips(state: State, seat: int) -> Sequence[Tip]:
    """Return the moves worth a button: the next raise, the best links, the best cubes, passing."""
    if seat not in rounds.actors(state):
        return ()
    found: list[Action] = []
    if state.phase == "build":
        found += player.best_builds(state)[:TIPS]
    elif state.phase == "goods":
        found += player.best_claims(state)[:TIPS]
    elif state.sale:
        found += [Raise(state.sale.bid + 1), Pass()]
    else:
        found += [Open(state.board.ids[number], 1) for number in player.by_appeal(state)[:TIPS]]
        found.append(Pass())
    return [Tip(action, label(state, action, "")) for action in found]


def subjects(state: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be asked about; only companies, by their id."""
    if about != "company":
        return ()
    brands = state.board.companies
    return [(key, brand.name) for key, brand in zip(state.board.ids, brands, strict=True)]


def holding(counts: Sequence[int]) -> str:
    """Return "2 black, 1 red" for cubes by colour."""
    held = [f"{count} {colour}" for colour, count in zip(GOODS, counts, strict=True) if count]
    return ", ".join(held) or "no cubes"


def _network(state: State, number: int) -> str:
    """Return the places a company has track to, its start first."""
    company, places = state.companies[number], state.board.places
    if company.network == 0:
        return "It has no track yet: it may start at any hexagon."
    rest = [places[place].name for place in members(company.network) if place != company.start]
    more = f" and {len(rest) - 9} more" if len(rest) > 9 else ""
    return f"Track from {places[company.start].name} to {', '.join(rest[:9])}{more}."


def _rivals(state: State, seats: Sequence[int]) -> str:
    """Return the cubes of other players."""
    return ", ".join(f"{{{seat}}} has {state.cubes[seat]}" for seat in seats)


def _nth(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
