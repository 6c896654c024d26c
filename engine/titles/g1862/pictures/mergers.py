"""The share exchange of a merger as a picture: holdings before and after, and the open options (§5.2.4)."""

from collections.abc import Callable

import msgspec

from engine.finance.rounds import list_clockwise
from engine.title import Request
from engine.titles.g1862 import share_merge
from engine.titles.g1862.actions import Merge
from engine.titles.g1862.pictures.sheets import BRANDS
from engine.titles.g1862.state import COMPANY, DIRECTOR_SHARES, Company, Merging, Operating, State
from engine.titles.g1862.steps import merging
from engine.view import MAX_ALT_CHARACTERS, Entry, Sheet, TableView

_BLANKS = (Entry(""), Entry(""))
_Pair = tuple[Company, Company, Company]
"""The company that acts, the other, and which of the two survives."""


def view_merger(s: State, request: Request) -> Sheet:
    """Return the merger that has begun or is proposed, else all that are possible, with each holder's shares."""
    r = s.round
    if isinstance(r, Operating) and r.merging is not None:
        return _view_exchange(s, r.merging, request)
    pairs = _list_pairs(s)
    if not pairs:
        words = "No merger is proposed or possible now."
        return Sheet("Merger", words, (), BRANDS, (words,))
    return _view_plan(s, pairs[0], request) if len(pairs) == 1 else _view_choice(s, pairs, request)


def view_proposal(s: State, action: Merge, request: Request) -> Sheet:
    """Return what a merger would do to the shares before it is proposed."""
    companies = s.companies
    return _view_plan(s, (companies[s.operating.code], companies[action.company], companies[action.survivor]), request)


def _view_plan(s: State, pair: _Pair, request: Request) -> Sheet:
    company, other, survivor = pair
    price = merging.find_new_price(company, other)
    table, shares = _make_forecast(s, pair, request)
    parts = f"{company.code} £{company.effective_price:,} and {other.code} £{other.effective_price:,}"
    notes = (
        f"{parts} make £{price:,}; {survivor.code} survives.",
        f"Each option costs £{price // 2:,} to redeem and brings £{price // 2:,}.",
        describe_succession(s, pair, request.find_name),
    )
    title = f"{company.code} with {other.code}"
    return Sheet(
        f"Merger · {title}", f"{title}. {' '.join(notes)} {shares}"[:MAX_ALT_CHARACTERS], (table,), BRANDS, notes
    )


def _view_choice(s: State, pairs: list[_Pair], request: Request) -> Sheet:
    """Return the mergers among which a company may choose: what each leads to, then its shares."""
    company = pairs[0][0]
    rows = []
    for pair in pairs:
        other, seat = pair[1], find_heir(s, pair)
        price = merging.find_new_price(company, other)
        rows.append((
            Entry(chip=other.code), Entry(request.find_name(other.director)), Entry(f"£{price:,}"),
            Entry(request.find_name(seat) if seat is not None else "receivership", tone="bad" if seat is None else ""),
        ))  # fmt: skip
    heads = (Entry("With"), Entry("Director now"), Entry("New price"), Entry("New director"))
    tables = [TableView("", heads, tuple(rows))]
    words = []
    for pair in pairs:
        table, shares = _make_forecast(s, pair, request)
        tables.append(msgspec.structs.replace(table, title=f"{company.code} with {pair[1].code}: shares (%)"))
        words.append(f"With {pair[1].code} at £{merging.find_new_price(company, pair[1]):,}: {shares}")
    note = (
        "Either of the two can survive. An option is redeemed, or given up, at half the new price; "
        "the director shown assumes that all options are redeemed."
    )
    title = f"Mergers open to {company.code}"
    return Sheet(title, f"{title}. {' '.join(words)}"[:MAX_ALT_CHARACTERS], tuple(tables), BRANDS, (note,))


def _list_pairs(s: State) -> list[_Pair]:
    """Return the merger proposed, else all that the active company may propose."""
    r = s.round
    if not isinstance(r, Operating):
        return []
    if r.offer is not None and r.offer.kind == "merge":
        return [(s.companies[r.offer.company], s.companies[r.offer.other], s.companies[r.offer.survivor])]
    if r.step in ("merge", "acquire"):
        company = s.companies[r.code]
        return [(company, other, company) for other in merging.list_partners(s, company)]
    return []


def _make_forecast(s: State, pair: _Pair, request: Request) -> tuple[TableView, str]:
    """Return a row a holder: what he has, half of it, and an option where the half is odd; the same in words."""
    company, other, survivor = pair
    rows: list[tuple[Entry, ...]] = []
    words = []
    viewer = -1
    for holder, (mine, theirs) in _list_holdings(s, pair).items():
        viewer = len(rows) if holder == request.seat else viewer
        name = "Treasury" if holder == COMPANY else request.find_name(holder)
        kept, odd = divmod(mine + theirs, 2)
        rows.append((
            Entry(name), _make_percent_entry(mine), _make_percent_entry(theirs), _make_percent_entry(mine + theirs),
            Entry(str(kept * 10), tone="strong"), Entry("+10" if odd else "", tone="good"),
        ))  # fmt: skip
        words.append(f"{name}: {(mine + theirs) * 10}% become {kept * 10}%{' and an option' * odd}.")
    loose = [party.ipo + party.pool for party in (company, other)]
    if any(loose):
        rows.append(
            (Entry("IPO, pool", tone="dim"), *(_make_percent_entry(count) for count in (*loose, sum(loose))), *_BLANKS)
        )
    heads = (
        Entry("Holder"), Entry(chip=company.code), Entry(chip=other.code), Entry("Together"),
        Entry("after", chip=survivor.code), Entry("Option"),
    )  # fmt: skip
    return TableView("Shares (%) before and after", heads, tuple(rows), mine=viewer), " ".join(words)


def _make_percent_entry(count: int) -> Entry:
    return Entry(str(count * 10) if count else "")


def _list_holdings(s: State, pair: _Pair) -> dict[int, tuple[int, int]]:
    """Return what each holder has of both companies, in the order of the exchange (§5.2.4)."""
    company, other, _ = pair
    seats = list_clockwise(company.director, s.seats)
    held = {
        holder: (share_merge.count_held(company, holder), share_merge.count_held(other, holder))
        for holder in (*seats, COMPANY)
    }
    return {holder: both for holder, both in held.items() if any(both)}


def find_heir(s: State, pair: _Pair) -> int | None:
    """Return who would direct the survivor if all options were redeemed; it takes three shares (§5.2.5)."""
    after = {holder: (sum(both) + 1) // 2 for holder, both in _list_holdings(s, pair).items() if holder != COMPANY}
    most = max(after.values(), default=0)
    return next((holder for holder, held in after.items() if held == most >= DIRECTOR_SHARES), None)


def describe_succession(s: State, pair: _Pair, called: Callable[[int], str]) -> str:
    """Return in a sentence who would direct the survivor."""
    seat, code = find_heir(s, pair), pair[2].code
    if seat is None:
        return f"No one would hold three shares, so {code} goes into receivership."
    return f"If all options are redeemed, {called(seat)} directs {code}."


def _view_exchange(s: State, m: Merging, request: Request) -> Sheet:
    """Return how far the exchange has come: shares now and after it, who is still to come, the open option."""
    survivor, other = share_merge.find_parties(s, m)
    rows: list[tuple[Entry, ...]] = []
    deciding = -1
    for holder in (*range(s.seats), COMPANY):
        held = [share_merge.count_held(party, holder) for party in (survivor, other) if party is not None]
        if not sum(held) and holder not in m.holders:
            continue
        if holder == m.holder and m.redeem:
            deciding = len(rows)
        name = "Treasury" if holder == COMPANY else request.find_name(holder)
        rows.append((Entry(name), *(_make_percent_entry(count) for count in held), *_describe_outlook(m, holder, held)))
    pool = [_make_percent_entry(party.pool) for party in (survivor, other) if party is not None]
    rows.append((Entry("Pool", tone="dim"), *pool, *_BLANKS, Entry("")))
    heads = (
        Entry("Holder"), Entry(chip=m.survivor), *([Entry(chip=m.other)] if m.other else []),
        Entry("after", chip=m.survivor), Entry("Option"), Entry("Turn"),
    )  # fmt: skip
    note = f"Price £{m.price:,}." + (
        f" The open option: pay £{m.redeem:,} to redeem it, or sell it for £{m.sell:,}." if m.redeem else ""
    )
    what = f"{m.other} into {m.survivor}" if m.other else f"{m.survivor} is refinanced"
    table = TableView("Shares (%) now and after", heads, tuple(rows), mine=deciding)
    told = " ".join(_describe_row(row, heads) for row in rows)
    return Sheet(f"Merger · {what}", f"{what}. {note} {told}"[:MAX_ALT_CHARACTERS], (table,), BRANDS, (note,))


def _describe_outlook(m: Merging, holder: int, held: list[int]) -> tuple[Entry, Entry, Entry]:
    """Return what a holder keeps for certain, what is his option, and how far he is."""
    if holder == m.holder and m.redeem:
        return (
            Entry(str((sum(held) - m.parts) * 10), tone="strong"),
            Entry(f"+{m.parts * 10}", tone="good"),
            Entry("decides"),
        )
    if holder in m.holders:
        kept, odd = divmod(sum(held), 2)
        return Entry(str(kept * 10)), Entry("+10" if odd else ""), Entry("to come", tone="dim")
    return Entry(str(sum(held) * 10), tone="strong"), Entry(""), Entry("done", tone="dim")


def _describe_row(row: tuple[Entry, ...], heads: tuple[Entry, ...]) -> str:
    """Return a row in words."""
    cells = [
        f"{entry.text}{'% ' + head.chip if head.chip else ''}{' ' + head.text if head.chip and head.text else ''}"
        for entry, head in zip(row[1:], heads[1:], strict=True)
        if entry.text
    ]
    return f"{row[0].text}: {', '.join(cells)}."
