"""Who holds which shares, and what players are worth: in words, in tables, over time and at the end."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from engine.finance.state import RoundEnd, ShareCompany, ShareState
from engine.pictures import make_entries, name_chart
from engine.printed import Units
from engine.title import Request, Result, Score
from engine.view import Brand, Chart, Entry, Holding, Series
from engine.words import join_words

MAX_CONTROL_CHARACTERS = 260
"""Length of the line about a player's holdings."""
MAX_SHARES_TO_TAKE = 2
"""A rival who needs no more shares than this could soon take a company."""


def describe_shares(units: Units, companies: Collection[ShareCompany], seat: int) -> str:
    """Return a player's shares in words: "40% C&N (director), 10% FYN", "no shares"."""
    told = (
        f"{units.percent(each.shares[seat])} {each.code}{' (director)' if each.director == seat else ''}"
        for each in companies
        if each.shares[seat]
    )
    return ", ".join(told) or "no shares"


def describe_control(units: Units, companies: Collection[ShareCompany], seat: int) -> str:
    """Return a player's companies, and who could take them over: "C&N 40% (director, next {1} 30%)".

    Those the player directs come first, as many as fit; "" if the player has no shares.
    """
    mine = sorted((each for each in companies if each.shares[seat]), key=lambda each: each.director != seat)
    told = [f"{each.code} {units.percent(each.shares[seat])}{_describe_director(units, each, seat)}" for each in mine]
    while len("; ".join(told)) > MAX_CONTROL_CHARACTERS:
        told = [*told[:-2], f"and {len(mine) - len(told) + 2} more"]
    return "; ".join(told)


def _describe_director(units: Units, company: ShareCompany, seat: int) -> str:
    """Return whether a player directs a company, and who else is near to it."""
    if company.director < 0:
        return " (no director)"
    mine = company.shares[seat]
    if company.director != seat:
        theirs = company.shares[company.director]
        return f" ({{{company.director}}} directs with {units.percent(theirs)})" * (theirs - mine <= MAX_SHARES_TO_TAKE)
    most, rival = max((count, -other) for other, count in enumerate(company.shares) if other != seat)
    is_near = most and mine - most <= MAX_SHARES_TO_TAKE
    return f" (director, next {{{-rival}}} {units.percent(most)})" if is_near else " (director)"


def make_holding_entry(units: Units, company: ShareCompany, seat: int) -> Entry:
    """Return a player's share of a company in percent, with a star for its director; empty without shares."""
    directs = company.director == seat
    count = company.shares[seat]
    return Entry(f"{count * units.share}{'*' * directs}", tone="strong" if directs else "") if count else Entry("")


def make_place_entry(units: Units, count: int, *, starred: bool = False) -> Entry:
    """Return how much of a company lies in a place, in percent; a star stands for its director's certificate."""
    return Entry(f"{count * units.share}{'*' * starred}" if count else "")


def make_heads(companies: Iterable[ShareCompany], *more: str) -> tuple[Entry, ...]:
    """Return the head row of a table of holdings: player, cash, the companies, and ``more``."""
    return (*make_entries("Player", "Cash"), *(Entry(chip=company.code) for company in companies), *make_entries(*more))


def make_owner_row(
    units: Units, companies: Iterable[ShareCompany], seat: int, who: str, cash: int
) -> tuple[Entry, ...]:
    """Return the first entries of a player's row: name, cash, and the share of each company."""
    return (*make_entries(who, units.money(cash)), *(make_holding_entry(units, company, seat) for company in companies))


def make_place_row(place: str, lying: Iterable[Entry], cash: str = "") -> tuple[Entry, ...]:
    """Return the first entries of the row of the IPO or pool: its name, and what lies there of each company."""
    return Entry(place, tone="dim"), Entry(cash), *lying


def name_director(company: ShareCompany, request: Request, vacant: str = "") -> str:
    """Return the name of a director; ``vacant`` if the company has none."""
    return request.find_name(company.director) if company.director >= 0 else vacant


def list_shareholders(
    units: Units, company: ShareCompany, request: Request, places: Iterable[tuple[str, int]]
) -> tuple[Holding, ...]:
    """Return who holds a company: its director, the other players by size, then the places where shares lie.

    Args:
        units: of the title.
        company: whose shares they are.
        request: has the names of the seats.
        places: where other shares lie, each with how many.
    """
    seats = sorted(range(len(company.shares)), key=lambda seat: (seat != company.director, -company.shares[seat]))
    owned = [(request.find_name(seat), company.shares[seat], "director" * (seat == company.director)) for seat in seats]
    parts = [*owned, *((place, count, "") for place, count in places)]
    return tuple(Holding(who, count * units.share, role) for who, count, role in parts if count)


def note_round(s: ShareState, worth: tuple[int, ...], priced: Iterable[ShareCompany]) -> None:
    """Note worth by seat and prices at the end of a round, for the chart and the market."""
    s.marks.append(RoundEnd(s.name, worth, tuple((company.code, company.price) for company in priced)))


def chart_worth(
    s: ShareState, request: Request, units: Units, brands: tuple[Brand, ...], worth: tuple[int, ...]
) -> Chart:
    """Return a chart of the players' worth at the end of each round and now; ``request`` has their names."""
    series = tuple(
        Series(request.find_name(seat), tuple(end.worth[seat] for end in s.marks)) for seat in range(s.seats)
    )
    last = ", ".join(f"{line.name} {units.money(each)}" for line, each in zip(series, worth, strict=True) if s.marks)
    words = f"Worth: {last or 'no round has ended yet'}."
    steps = tuple(end.name for end in s.marks)
    now = worth if s.marks and worth != s.marks[-1].worth else ()
    return Chart(name_chart("Worth", steps, now), words, steps, series, brands, units.currency, now=now)


def make_result(s: ShareState, scores: Iterable[Score], reasons: Mapping[str, str], units: Units) -> Result | None:
    """Return the final scores from first to last; ``None`` until the game is over.

    Args:
        s: the state.
        scores: by seat; read at the end only.
        reasons: why a game ends, in words.
        units: of the title.
    """
    if not s.over:
        return None
    ranked = tuple(sorted(scores, key=lambda score: (-score.total, score.seat)))
    winners = tuple(score.seat for score in ranked if score.total == ranked[0].total)
    return Result(s.over, ranked, winners, reasons[s.over], units.currency)


def list_price_changes(units: Units, before: ShareState, after: ShareState, seat: int) -> Iterator[str]:
    """Yield one line about the shares that a seat has and whose prices moved."""
    moved = [
        f"{code} {units.move(old, company.price)}"
        for code, company in after.companies.items()
        if company.shares[seat] and code in before.companies and company.price != (old := before.companies[code].price)
        if old
    ]
    if moved:
        yield f"Your shares: {', '.join(moved)}"


def list_threats(units: Units, s: ShareState, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Yield the companies of a seat that another player could take with few shares that are for sale."""
    for code, company in s.companies.items():
        if company.director != seat:
            continue
        rivals = [other for other in range(s.seats) if other != seat]
        rival = max(rivals, key=lambda other: company.shares[other])
        needed = company.shares[seat] - company.shares[rival] + 1
        if company.shares[rival] and needed <= min(MAX_SHARES_TO_TAKE, count_shares_for_sale(company)):
            yield f"{names[rival]} could take {code} with {units.percent(needed)} more"


def count_shares_for_sale(company: ShareCompany) -> int:
    """Return how many shares of a company a player could buy."""
    return company.ipo + company.ordinary_in_pool


def describe_rust(trains: str, owners: Sequence[str], cause: str, left: int) -> Iterator[str]:
    """Yield what rusts soon.

    Args:
        trains: what rusts.
        owners: companies that have some and of which the reader has shares.
        cause: the train that does it.
        left: how many trains are sold before it.
    """
    if owners:
        yield f"The {trains} trains of {join_words(owners)} rust with the {'second ' * bool(left)}next train ({cause})"
