"""The share exchange of a merger as a picture: holdings before and after, and the open options (14)."""

from collections.abc import Callable

from engine.title import Request
from engine.titles.g1862 import mergers, share_merge
from engine.titles.g1862.actions import Merge
from engine.titles.g1862.rounds import Merging, Operating
from engine.titles.g1862.sheets import BRANDS
from engine.titles.g1862.state import COMPANY, DIRECTOR_SHARES, Company, State
from engine.view import Entry, Sheet, Table

_Pair = tuple[Company, Company, Company]
"""The company that acts, the other, and which of the two survives."""


def merger(s: State, request: Request) -> Sheet:
    """Return the merger that is proposed, begun, or the first that is possible, with each holder's shares."""
    r = s.round
    if isinstance(r, Operating) and r.merging is not None:
        return _begun(s, r.merging, request)
    pair = _pair(s)
    if pair is None:
        words = "No merger is proposed or possible now."
        return Sheet("Merger", words, (), BRANDS, (words,))
    return _planned(s, pair, request)


def proposed(s: State, action: Merge, request: Request) -> Sheet:
    """Return what a merger would do to the shares before it is proposed."""
    companies = s.companies
    return _planned(s, (companies[s.operating.code], companies[action.company], companies[action.survivor]), request)


def _planned(s: State, pair: _Pair, request: Request) -> Sheet:
    company, other, survivor = pair
    price = mergers.new_price(company, other)
    rows, shares = _forecast(s, pair, request)
    heads = (
        Entry("Holder"), Entry(chip=company.code), Entry(chip=other.code), Entry("Together"),
        Entry(chip=survivor.code), Entry("Option"),
    )  # fmt: skip
    notes = (
        f"{company.code} {company.effective}, {other.code} {other.effective}: £{price}; {survivor.code} survives.",
        f"Each option costs £{price // 2} to redeem and brings £{price // 2}.",
        succession(s, pair, request.called),
    )
    table = Table("Shares in per cent, before and after", heads, rows)
    title = f"{company.code} with {other.code}"
    return Sheet(f"Merger · {title}", f"{title}. {' '.join(notes)} {shares}"[:1024], (table,), BRANDS, notes)


def _pair(s: State) -> _Pair | None:
    r = s.round
    if not isinstance(r, Operating):
        return None
    if r.offer is not None and r.offer.kind == "merge":
        return s.companies[r.offer.company], s.companies[r.offer.other], s.companies[r.offer.survivor]
    if r.step in ("merge", "acquire"):
        company = s.companies[r.code]
        other = next(mergers.partners(s, company), None)
        if other is not None:
            return company, other, company
    return None


def _forecast(s: State, pair: _Pair, request: Request) -> tuple[tuple[tuple[Entry, ...], ...], str]:
    """Return a row a holder, with half of what he has, and the same in words."""
    rows = []
    words = []
    for holder, (mine, theirs) in _holdings(s, pair).items():
        name = "Treasury" if holder == COMPANY else request.called(holder)
        kept, odd = divmod(mine + theirs, 2)
        rows.append((
            Entry(name), Entry(str(mine * 10) if mine else ""), Entry(str(theirs * 10) if theirs else ""),
            Entry(str((mine + theirs) * 10)), Entry(str(kept * 10), tone="strong"), Entry("+10" if odd else ""),
        ))  # fmt: skip
        words.append(f"{name}: {(mine + theirs) * 10} % become {kept * 10} %{' and an option' * odd}.")
    return tuple(rows), " ".join(words)


def _holdings(s: State, pair: _Pair) -> dict[int, tuple[int, int]]:
    """Return what each holder has of both companies, in the order of the exchange (14.1)."""
    company, other, _ = pair
    seats = [company.director, *(seat for seat in s.after(company.director) if seat != company.director)]
    held = {
        holder: (share_merge.held(company, holder), share_merge.held(other, holder)) for holder in (*seats, COMPANY)
    }
    return {holder: both for holder, both in held.items() if any(both)}


def heir(s: State, pair: _Pair) -> int | None:
    """Return who would direct the survivor if all options were redeemed; nobody below three shares (14.6)."""
    after = {holder: (sum(both) + 1) // 2 for holder, both in _holdings(s, pair).items() if holder != COMPANY}
    most = max(after.values(), default=0)
    return next((holder for holder, held in after.items() if held == most >= DIRECTOR_SHARES), None)


def succession(s: State, pair: _Pair, called: Callable[[int], str]) -> str:
    """Return in a sentence who would direct the survivor."""
    seat, code = heir(s, pair), pair[2].code
    if seat is None:
        return f"Nobody would hold three shares: {code} goes into receivership."
    return f"If all options are redeemed, {called(seat)} directs {code}."


def _begun(s: State, m: Merging, request: Request) -> Sheet:
    """Return how far the exchange has come: shares now, who is still to come, the open option."""
    survivor, other = share_merge.parties(s, m)
    heads = [Entry("Holder"), Entry(chip=m.survivor), *([Entry(chip=m.other)] if m.other else []), Entry("Turn")]
    rows = []
    for holder in (*range(s.seats), COMPANY):
        name = "Treasury" if holder == COMPANY else request.called(holder)
        turn = "option" if holder == m.holder and m.redeem else "to come" if holder in m.holders else "done"
        held = [share_merge.held(party, holder) for party in (survivor, other) if party is not None]
        if sum(held) or holder in m.holders:
            cells = [Entry(str(count * 10) if count else "") for count in held]
            rows.append((Entry(name), *cells, Entry(turn, tone="strong" if turn == "option" else "dim")))
    pool = [Entry(str(party.pool * 10)) for party in (survivor, other) if party is not None]
    rows.append((Entry("Pool", tone="dim"), *pool, Entry("")))
    note = f"Price £{m.price}." + (
        f" The open option: redeem it for £{m.redeem}, or give it up for £{m.sell}." if m.redeem else ""
    )
    what = f"{m.other} into {m.survivor}" if m.other else f"{m.survivor} is refinanced"
    table = Table("Shares in per cent now", tuple(heads), tuple(rows))
    return Sheet(f"Merger · {what}", f"{what}. {note}", (table,), BRANDS, (note,))
