"""Tables of 1860: holdings, companies, trains and phases, one company, one player."""

from typing import Literal

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
from engine.titles.g1860 import worth
from engine.titles.g1860.catalogue import CHARTERS, LOTS, PHASES, PRIVATES, TRAINS, UNITS
from engine.titles.g1860.state import ASIDE, BANK, Auction, Company, State
from engine.titles.g1860.steps import building, shares, trains
from engine.titles.g1860.steps.privates import find_private_revenue
from engine.view import MAX_ALT_CHARACTERS, Card, CharterView, Entry, Sheet, TableView

BRANDS = make_brands(CHARTERS.values())
HIDDEN = "hidden"


def write_treasury(s: State, company: Company, seat: int | None) -> str:
    """Return a treasury as a viewer may see it (Miscellaneous): shareholders, or all where it is open."""
    holds = seat is not None and company.shares[seat] > 0
    open_to_all = s.rules.open_treasuries or company.receivership or company.bankrupt or s.over
    return f"{company.cash:,}cc" if holds or open_to_all else HIDDEN


def view_holdings(s: State, request: Request) -> TableView:
    """Return who owns what: shares in per cent, the director marked, cash, privates, certificates, worth."""
    started = [company for company in s.companies.values() if company.started]
    rows = []
    for seat in range(s.seats):
        owned = " ".join(code for code, owner in s.privates.items() if owner == seat)
        deal = " (deal)" if s.priority == seat else ""
        limit = "" if s.unlimited else f"/{shares.find_certificate_limit(s)}"
        rows.append((
            *make_owner_row(UNITS, started, seat, request.find_name(seat) + deal, s.cash[seat]),
            Entry(owned), Entry(f"{s.count_certificates(seat)}{limit}"),
            Entry(f"£{worth.find_total(s, seat):,}", tone="strong"),
        ))  # fmt: skip
    ipo = (make_place_entry(UNITS, company.ipo) for company in started)
    pool = (make_place_entry(UNITS, company.pool, starred=company.receivership) for company in started)
    rows += [
        (*make_place_row("IPO", ipo), *make_entries("", "", "")),
        (*make_place_row("Pool", pool), *make_entries("", "", "")),
    ]
    bank = " ".join(code for code, owner in s.privates.items() if owner == BANK)
    left = f"£{max(0, s.bank):,}"
    rows.append((*make_place_row("Bank", make_entries(*[""] * len(started)), left), *make_entries(bank, "", "")))
    top = make_heads(started, "Privates", "Certs", "Worth")
    return TableView("Shares (%), * director", top, tuple(rows), mine=find_own_row(request))


def describe_status(s: State, company: Company) -> str:
    """Return in a word or two how a company stands."""
    if company.closed:
        return "closed"
    if company.bankrupt:
        return "bankrupt"
    if not company.started:
        return (
            "may start" if company.charter.layer <= s.layer or s.rules.any_order else f"layer {company.charter.layer}"
        )
    if not company.floated:
        return "not floated"
    if company.receivership:
        return "receivership" + (", insolvent" if company.insolvent else "")
    return "insolvent" if company.insolvent else ""


def view_companies(s: State, request: Request) -> TableView:
    """Return how the companies stand: price, treasury, trains, bases, director."""
    rows = []
    for company in s.companies.values():
        shown = company.started or company.trains or company.cash
        rows.append((
            Entry(chip=company.code),
            Entry(str(company.price) if company.started else ""),
            Entry(str(company.par) if company.par else ""),
            Entry(write_treasury(s, company, request.seat) if shown else ""),
            Entry(" ".join(sorted(company.trains))),
            Entry(f"{len(company.bases)}/{len(company.charter.base_costs)}"),
            Entry(name_director(company, request)),
            Entry(describe_status(s, company), tone="bad" if company.insolvent or company.bankrupt else "dim"),
        ))  # fmt: skip
    heads = make_entries("Company", "Price", "Par", "Treasury", "Trains", "Bases", "Director", "Status")
    return TableView("Companies", heads, tuple(rows))


def view_table(s: State, request: Request) -> Sheet:
    """Return holdings and companies on one sheet."""
    return Sheet(
        f"{s.name} · phase {s.phase}",
        describe_holdings(s, request),
        (view_holdings(s, request), view_companies(s, request)),
        BRANDS,
        (*([_write_bank(s)] if s.bank < 0 else []), _write_limit(s)),
    )


def _write_limit(s: State) -> str:
    """Return how many certificates a player may hold, in words."""
    return (
        "There is no certificate limit now."
        if s.unlimited
        else f"Certificate limit {shares.find_certificate_limit(s)}."
    )


def _write_bank(s: State) -> str:
    """Return what the bank has, or by how much it is overdrawn."""
    return f"Bank £{s.bank:,}." if s.bank >= 0 else describe_overdraft(UNITS, s.bank)


def describe_holdings(s: State, request: Request) -> str:
    """Return the holdings in words, for those who cannot see the picture."""
    words = (
        f"{request.find_name(seat)}: £{s.cash[seat]:,}, {describe_shares(UNITS, s.companies.values(), seat)}, "
        f"worth £{worth.find_total(s, seat):,}."
        for seat in range(s.seats)
    )
    return f"{s.name}, phase {s.phase}. {' '.join(words)}"[:MAX_ALT_CHARACTERS]


def view_lots(s: State, request: Request) -> Sheet:
    """Return the lots of the initial auction, sold ones with their owner, and what all players have."""
    rows = []
    for lot in LOTS:
        private = PRIVATES.get(lot)
        closed = private is not None and s.privates[lot] not in (BANK, ASIDE) and s.privates[lot] < 0
        sold = closed or (s.privates[lot] >= 0 if private else s.companies[lot].started)
        owner = s.privates[lot] if private else s.companies[lot].director
        taker = request.find_name(owner) if sold and owner >= 0 else ""  # a director's certificate may lie in the pool
        chip = private.railway if private else lot
        name = private.name if private else "Director's certificate, 20%"
        pays = f"£{private.revenue:,} a round" if private else f"par {', '.join(map(str, CHARTERS[lot].pars))}"
        price = f"£{private.price:,}" if private else "2 × par"
        tone: Literal["dim", "strong"] = "dim" if sold else "strong"
        rows.append((
            Entry(lot, tone=tone), Entry(name, tone="dim" if sold else ""), Entry(price), Entry(pays), Entry(chip=chip),
            Entry("closed", tone="dim") if closed else Entry(taker, tone="good"),
        ))  # fmt: skip
    heads = make_entries("Lot", "", "Price", "Terms", "Share of", "Sold to")
    cash = tuple((Entry(request.find_name(seat)), Entry(f"£{s.cash[seat]:,}")) for seat in range(s.seats))
    left = [
        PRIVATES[lot].name if lot in PRIVATES else f"the director's certificate of {lot}"
        for lot in LOTS
        if not (s.privates.get(lot, -1) >= 0 or (lot in s.companies and s.companies[lot].started))
    ]
    lots_left = f"Still available: {', '.join(left) or 'nothing'}. " if isinstance(s.round, Auction) else ""
    words = f"Initial auction. {lots_left}{_describe_standing_bid(s, request)}"
    money = ", ".join(f"{request.find_name(seat)} £{s.cash[seat]:,}" for seat in range(s.seats))
    tables = (
        TableView("Lots", heads, tuple(rows)),
        TableView("Players", make_entries("Player", "Cash"), cash, mine=find_own_row(request)),
    )
    return Sheet("Initial auction", f"{words} {money}.", tables, BRANDS, (_describe_standing_bid(s, request),))


def _describe_standing_bid(s: State, request: Request) -> str:
    """Return the bid that stands in words."""
    if not isinstance(s.round, Auction):
        return "The auction is over."
    if s.round.leader < 0:
        return "No bid yet."
    return f"{request.find_name(s.round.leader)} has bid £{s.round.high:,}."


def view_trains(s: State, request: Request) -> Sheet:
    """Return the trains left, what is for sale, the phase and the bank."""
    rows = []
    for kind in TRAINS.values():
        left = s.depot[kind.name]
        gone = any(later.rusts == kind.name and later.phase <= s.phase for later in TRAINS.values())
        rusts = next((later.name for later in TRAINS.values() if later.rusts == kind.name), "")
        rows.append((
            Entry(kind.name, tone="dim" if gone or not left else "strong"),
            Entry(write_count_left(left, rusted=gone), tone="dim" if gone else ""),
            Entry(f"{kind.price:,}cc"), Entry(kind.phase, tone="good" if kind.phase == s.phase else ""),
            Entry(str(kind.rounds)), Entry(str(kind.limit) if s.rules.train_limit else "none"),
            Entry(swatch=kind.colours), Entry(f"first {rusts}" if rusts else "never"),
        ))  # fmt: skip
    now = list(PHASES).index(s.phase)
    heads = make_entries("Train", "Left", "Price", "Phase", "ORs", "Limit", "Tiles", "Rusts at")
    returned = f"Returned and for sale: {', '.join(s.returned)}. " if s.returned else ""
    words = f"Phase {s.phase}. For sale: {', '.join(trains.list_for_sale(s))}. {returned}{_write_bank(s)}"
    return Sheet(
        f"Trains · phase {s.phase}",
        words,
        (TableView("Trains", heads, tuple(rows), mine=now), _view_privates(s, request)),
        BRANDS,
        (words,),
    )


def _view_privates(s: State, request: Request) -> TableView:
    rows = []
    for code, private in PRIVATES.items():
        owner = s.privates[code]
        where = request.find_name(owner) if owner >= 0 else {BANK: "bank", ASIDE: "later"}.get(owner, "closed")
        rows.append((
            Entry(code), Entry(private.name), Entry(f"£{private.price}"), Entry(f"£{find_private_revenue(s, code)}"),
            Entry(chip=private.railway), Entry(where),
        ))  # fmt: skip
    return TableView("Private companies", make_entries("Code", "Name", "Value", "Pays", "Share", "Owner"), tuple(rows))


def view_company(s: State, request: Request) -> CharterView:
    """Return one company as its charter, with its shareholders."""
    company = shares.find_company(s, request.about)
    charter = company.charter
    facts = (
        ("Price", f"£{company.price:,}" if company.started else "not started"),
        ("Par", f"£{company.par:,}" if company.par else "–"),
        ("Treasury", write_treasury(s, company, request.seat)),
        ("Director", name_director(company, request, "no one")),
        ("Home", f"{charter.place} ({charter.home[0]})"),
        ("Next base", f"{building.find_base_cost(company):,}cc" if company.unplaced else "none left"),
        ("Status", describe_status(s, company) or "operating"),
    )
    owned = " ".join(sorted(company.trains)) or "none"
    rusts = {later.rusts: later.name for later in reversed(TRAINS.values()) if later.rusts}
    placed = [hex_ for hex_, _ in company.bases]
    words = f"{charter.name}. " + " ".join(f"{name}: {value}." for name, value in facts)
    words += f" Trains: {owned}. Bases: {', '.join(s.board.spec(each).full_name for each in placed) or 'none'}."
    costs = charter.base_costs[len(charter.base_costs) - company.unplaced :] if company.unplaced else ()
    return CharterView(
        f"{company.code} · {charter.name}",
        words[:MAX_ALT_CHARACTERS],
        company.code,
        facts,
        tuple(
            Card(name, f"rusts at {rusts[name]}" if name in rusts else "permanent") for name in sorted(company.trains)
        ),
        (*((hex_, True) for hex_ in placed), *((f"{cost:,}cc", False) for cost in costs)),
        list_shareholders(UNITS, company, request, (("IPO", company.ipo), ("Pool", company.pool))),
        brands=BRANDS,
    )


def view_player(s: State, request: Request) -> Sheet:
    """Return what one player owns."""
    seat = int(request.about)
    rows = []
    for company in s.companies.values():
        if company.shares[seat]:
            value = worth.find_holding_worth(s, company, seat)
            rows.append((
                Entry(chip=company.code), Entry(f"{company.shares[seat] * 10}%"),
                Entry("director" if company.director == seat else ""), Entry(f"{company.price}"), Entry(f"£{value:,}"),
            ))  # fmt: skip
    cards = tuple(
        Card(code, f"worth £{PRIVATES[code].price}, pays £{find_private_revenue(s, code)}", title=PRIVATES[code].name)
        for code, owner in s.privates.items()
        if owner == seat
    )
    total = worth.find_total(s, seat)
    has = f"£{s.cash[seat]:,} in cash, worth £{total:,}, {s.count_certificates(seat)} certificates"
    words = f"{request.find_name(seat)}: {has}."
    return Sheet(
        f"{request.find_name(seat)} · worth £{total:,}", words,
        (TableView("", make_entries("Company", "Held", "", "Price", "Value"), tuple(rows)),), BRANDS,
        (words, *_explain_half_value(s, seat)), cards,
    )  # fmt: skip


def _explain_half_value(s: State, seat: int) -> tuple[str, ...]:
    """Return why shares count less than their price."""
    halved = [
        company.code
        for company in s.companies.values()
        if worth.find_holding_worth(s, company, seat) < company.shares[seat] * company.price
    ]
    return (f"{' and '.join(halved)}: no train, so each share counts at half its price.",) if halved else ()
