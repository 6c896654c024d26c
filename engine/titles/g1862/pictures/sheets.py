"""Tables of 1862: holdings, companies, trains and phases, Parliament, one company, one player."""

from typing import Literal

from engine.finance import market
from engine.finance.events import describe_overdraft
from engine.finance.holdings import (
    describe_shares,
    list_shareholders,
    make_heads,
    make_owner_row,
    make_place_entry,
    make_place_row,
    name_director,
)
from engine.finance.trains import write_count_left
from engine.pictures import find_own_row, make_entries
from engine.printed import make_brands
from engine.title import Request
from engine.titles.g1862 import ground, worth
from engine.titles.g1862.catalogue import BANDS, CHARTERS, MARKET, UNITS, Band
from engine.titles.g1862.companies import is_rusted
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Parliament, State, Train
from engine.titles.g1862.steps import bidding, shares, trains
from engine.view import MAX_ALT_CHARACTERS, Card, CharterView, Entry, Sheet, TableView

BRANDS = make_brands(CHARTERS.values())
PERMIT_LETTERS = {"freight": "F", "local": "L", "express": "E"}


def list_companies_in_play(s: State) -> list[Company]:
    """Return the companies that can still matter."""
    return [company for company in s.companies.values() if not company.gone]


def write_permits(company: Company) -> str:
    """Return a company's permits as letters."""
    return "".join(PERMIT_LETTERS[kind] for kind in company.permits)


def write_trains(company: Company) -> str:
    """Return a company's trains, with a star for each warranty."""
    return " ".join(sorted(train.name for train in company.trains))


def view_holdings(s: State, request: Request) -> TableView:
    """Return who owns what: shares in per cent, the director marked, cash, certificates, worth."""
    started = [company for company in s.companies.values() if company.started]
    rows = []
    for seat in range(s.seats):
        deal = " (deal)" if s.priority == seat else ""
        rows.append((
            *make_owner_row(UNITS, started, seat, request.find_name(seat) + deal, s.cash[seat]),
            Entry(f"{s.count_certificates(seat)}/{s.limit}"), Entry(f"£{worth.find_total(s, seat):,}", tone="strong"),
        ))  # fmt: skip
    places = (
        ("IPO", [make_place_entry(UNITS, company.ipo) for company in started]),
        ("Treasury", [make_place_entry(UNITS, company.treasury) for company in started]),
        ("Pool", [make_place_entry(UNITS, company.pool, starred=company.director < 0) for company in started]),
    )
    rows += [
        (*make_place_row(name, held), *make_entries("", ""))
        for name, held in places
        if any(entry.text for entry in held)
    ]
    top = make_heads(started, "Certs", "Worth")
    return TableView("Shares (%), * director's certificate", top, tuple(rows), mine=find_own_row(request))


def describe_status(s: State, company: Company) -> str:
    """Return in a word or two how a company stands."""
    if not company.started:
        if not s.has_begun(company.group):
            return f"from phase {company.group}"
        if company.barred:
            return "failed to float"
        return "may start" if ground.is_startable(s, company) else "home is full"
    if not company.floated:
        return "must float" if company.obliged >= 0 else "not floated"
    if company.receivership:
        return "receivership"
    return "" if company.trains else "no train"


def view_companies(s: State, request: Request) -> TableView:
    """Return how the started companies stand: price, treasury, trains, permits, markers, director."""
    rows = []
    for company in sorted(list_companies_in_play(s), key=market.rank_company):
        if not company.started:
            continue
        london = " + London" if company.london else ""
        rows.append((
            Entry(chip=company.code), Entry(str(company.price)), Entry(str(company.par)), Entry(f"£{company.cash:,}"),
            _describe_trains(s, company), Entry(write_permits(company)),
            Entry(f"{company.marker_count - bool(company.london)}{london}"), Entry(str(company.unplaced)),
            _name_director(company, request),
        ))  # fmt: skip
    heads = make_entries("Company", "Price", "Par", "Treasury", "Trains", "Permits", "On map", "Left", "Director")
    return TableView("Companies in operating order", heads, tuple(rows))


def _describe_trains(s: State, company: Company) -> Entry:
    """Return a company's trains, or why it has none."""
    if company.trains:
        return Entry(write_trains(company))
    return Entry("none" if company.floated else describe_status(s, company), tone="dim")


def _name_director(company: Company, request: Request) -> Entry:
    """Return who directs a company."""
    if company.receivership:
        return Entry("receivership", tone="bad")
    return Entry(name_director(company, request))


def view_unstarted_companies(s: State) -> TableView:
    """Return the companies that have not been started: permit, home, whether they may be."""
    rows = [
        (
            Entry(chip=code),
            Entry(CHARTERS[code].name),
            Entry(f"{CHARTERS[code].place} ({CHARTERS[code].home})"),
            Entry(s.companies[code].permit or "none needed"),
            Entry(
                describe_status(s, s.companies[code]),
                tone="good" if describe_status(s, s.companies[code]) == "may start" else "dim",
            ),
        )
        for code in s.offer
        if not s.companies[code].started and not s.companies[code].gone
    ]
    return TableView(
        "Companies not yet started", make_entries("Company", "Name", "Home", "Permit", "Status"), tuple(rows)
    )


def view_table(s: State, request: Request) -> Sheet:
    """Return holdings and companies on one sheet."""
    notes = [f"Certificate limit {s.limit}."]
    if s.bank < 0:  # what it has stands in its row
        notes.insert(0, describe_overdraft(UNITS, s.bank))
    if s.lner_due:
        notes.append("The LNER will form at the end of this set of operating rounds.")
    return Sheet(
        f"{s.name} · phase {s.phase}",
        describe_holdings(s, request),
        (
            view_holdings(s, request),
            *([view_companies(s, request)] if any(each.started for each in list_companies_in_play(s)) else []),
        ),
        BRANDS,
        tuple(notes),
    )


def describe_holdings(s: State, request: Request) -> str:
    """Return the holdings in words, for those who cannot see the picture."""
    words = (
        f"{request.find_name(seat)}: £{s.cash[seat]:,}, {describe_shares(UNITS, s.companies.values(), seat)}."
        for seat in range(s.seats)
    )
    return f"{s.name}, phase {s.phase}. {' '.join(words)}"[:MAX_ALT_CHARACTERS]


def view_parliament(s: State, request: Request) -> Sheet:
    """Return how the auction stands, what can be started, and what it costs."""
    r = s.round
    offered = [company.code for company in bidding.list_offered_companies(s)]
    lot = r.lot if isinstance(r, Parliament) else ""
    words = f"Parliament, {s.name}. To be started: {', '.join(offered) or 'none'}."
    if isinstance(r, Parliament) and lot:
        out = ", ".join(request.find_name(seat) for seat in r.out) or "no one"
        words += f" {lot}: £{r.high:,} by {request.find_name(r.leader)}; passed: {out}."
    costs = (
        f"A charter costs its bid, from £0, and the director's certificate: three shares at a par of the winner's "
        f"choice, so at least £{bidding.RESERVE:,}. Once five shares are out of the IPO it floats: the bank pays in "
        "ten times par, and £180 is spent on three station markers."
    )
    left = view_unstarted_companies(s)
    tables = (_view_bids(s, request), *([left] if left.rows else []), _view_costs())
    return Sheet(f"Parliament · {s.name}", words[:MAX_ALT_CHARACTERS], tables, BRANDS, (costs,))


def _view_costs() -> TableView:
    """Return what a charter costs at each par, and what the company has when it floats."""
    rows = tuple(
        (
            Entry(str(par), tone="strong"), Entry(f"£{DIRECTOR_SHARES * par:,}"), Entry(f"£{5 * par:,}"),
            Entry(f"£{10 * par - 180:,}"),
        )
        for par in MARKET.pars
    )  # fmt: skip
    heads = make_entries("Par", "Certificate", "Five shares", "Treasury after")
    return TableView("What a charter costs on top of the bid", heads, rows)


def _view_bids(s: State, request: Request) -> TableView:
    """Return what all players can bid, and during an auction who leads and who has passed."""
    r = s.round
    lot = r.lot if isinstance(r, Parliament) else ""
    rows = []
    for seat in range(s.seats):
        most = bidding.find_max_bid(s, seat)
        able = most >= 0 and s.count_certificates(seat) < s.limit
        row = [
            Entry(request.find_name(seat)), Entry(f"£{s.cash[seat]:,}"), Entry(f"£{most:,}" if able else "–"),
            Entry(f"{s.count_certificates(seat)}/{s.limit}"),
        ]  # fmt: skip
        rows.append((*row, _describe_standing(r, seat)) if isinstance(r, Parliament) and lot else tuple(row))
    heads = make_entries("Player", "Cash", "Can bid", "Certs", *(["Auction"] if lot else []))
    title = f"The charter of {lot}: {CHARTERS[lot].name}" if lot else "Bids"
    return TableView(title, heads, tuple(rows), mine=find_own_row(request))


def _describe_standing(r: Parliament, seat: int) -> Entry:
    """Return how a player stands in an auction."""
    if r.winner >= 0:
        return Entry(f"won for £{r.high:,}", tone="good") if seat == r.winner else Entry("")
    if seat == r.leader:
        return Entry(f"bids £{r.high:,}", tone="good")
    if seat in r.out:
        return Entry("passed", tone="dim")
    return Entry("to bid" if seat == r.turn else "", tone="strong")


def view_trains(s: State, request: Request) -> Sheet:
    """Return the trains left, what they cost, the phases, and who has which train."""
    del request
    rows = tuple(_make_band_row(s, band) for band in BANDS.values())
    heads = make_entries(
        "Band", "Left", "Price", *(kind.capitalize() for kind in s.rules.types), "ORs", "Limit", "Rusts"
    )
    last = any(is_rusted(s, train) for company in s.companies.values() for train in company.trains)
    owned = tuple(
        (
            Entry(chip=company.code), Entry(write_permits(company)), Entry(write_trains(company)),
            *[Entry(", ".join(train.name for train in company.trains if is_rusted(s, train)), tone="bad")] * last,
        )
        for company in s.companies.values()
        if company.floated
    )  # fmt: skip
    owners = make_entries("Company", "Permits", "Trains", *["Last runs"] * last)
    band = trains.find_band_for_sale(s)
    words = f"Phase {s.phase}. For sale: band {band.name} at £{band.price:,}. A star is a warranty: one run after rust."
    return Sheet(
        f"Trains · phase {s.phase}",
        words,
        (
            TableView("Trains", heads, rows, mine=list(BANDS).index(band.name)),
            TableView("Owned", owners, owned),
        ),
        BRANDS,
        (words,),
    )


def _make_band_row(s: State, band: Band) -> tuple[Entry, ...]:
    left = s.depot[band.name]
    gone = is_rusted(s, Train("", band.freight.name))
    limit = f"{band.limit_all} in all" if band.limit_all else f"{band.limit_each} a type"
    if s.rules.simple:
        limit = f"{trains.SIMPLE_LIMITS[band.name]} in all"
    never = not band.rusts_at or (s.rules.shorter and band.name == "D")
    cells = (
        write_count_left(left, rusted=gone),
        f"£{band.price:,}",
        *(band.find_face(kind).name + "*" * band.warranties for kind in s.rules.types),
        str(band.rounds),
        limit,
        "never" if never else f"at {band.rusts_at}",
    )
    tone: Literal["dim", ""] = "dim" if gone else ""
    return Entry(band.name, tone="good" if band.name == s.phase else tone), *(Entry(cell, tone=tone) for cell in cells)


def view_company(s: State, request: Request) -> CharterView:
    """Return one company as its charter, with its shareholders."""
    company = shares.find_company(s, request.about)
    charter = company.charter
    facts = [
        ("Home", f"{charter.place} ({charter.home})"),
        ("Permits", ", ".join(company.permits) or "none needed"),
        ("Status", describe_status(s, company) or "operating"),
    ]
    if company.started:
        facts += [
            ("Director", name_director(company, request, "no one")),
            ("Price", f"£{company.price:,}"),
            ("Par", f"£{company.par:,}, {'chartered' if company.chartered else 'not chartered'}"),
            ("Treasury", f"£{company.cash:,}"),
        ]
    placed = (*company.places, *["London"] * bool(company.london))
    rest = (("IPO", company.ipo), ("Treasury", company.treasury), ("Pool", company.pool))
    words = f"{charter.name}: " + ", ".join(f"{name.lower()} {value}" for name, value in facts)
    markers = ", ".join(s.board.spec(each).full_name if each in s.board.map.hexes else each for each in placed)
    words += f", trains {write_trains(company) or 'none'}, markers {markers or 'none'}"
    return CharterView(
        f"{company.code} · {charter.name}",
        f"{words}."[:MAX_ALT_CHARACTERS],
        company.code,
        tuple(facts),
        tuple(
            Card(train.name, "last run" if is_rusted(s, train) else train.printed.kind, dim=is_rusted(s, train))
            for train in company.trains
        ),
        (*((hex_, True) for hex_ in placed), *(("left", False) for _ in range(company.unplaced))),
        list_shareholders(UNITS, company, request, rest),
        brands=BRANDS,
    )


def view_player(s: State, request: Request) -> Sheet:
    """Return what one player has, and what it is worth."""
    seat = int(request.about)
    rows = [
        (
            Entry(chip=company.code),
            Entry(f"{company.shares[seat] * 10}" + "*" * (company.director == seat)),
            Entry(f"£{company.effective_price:,}"),
            Entry(f"£{worth.find_holding_worth(s, company, seat):,}"),
        )
        for company in s.companies.values()
        if company.shares[seat]
    ]
    name = request.find_name(seat)
    owed = [company.code for company in s.companies.values() if company.obliged == seat]
    note = (
        f"Cash £{s.cash[seat]:,}, {s.count_certificates(seat)} of {s.limit} certificates, "
        f"worth £{worth.find_total(s, seat):,}." + (f" Under obligation for {', '.join(owed)}." if owed else "")
    )
    return Sheet(
        name,
        f"{name}: {note}"[:MAX_ALT_CHARACTERS],
        (TableView("Shares", make_entries("Company", "Per cent", "Each", "Worth"), tuple(rows)),),
        BRANDS,
        (note,),
    )
