"""What becomes of companies: price, director, flotation, rust, bankruptcy; what the bank pays."""

from engine.finance import market, rounds, trading
from engine.finance.events import CompanyFloated, Held, ReceivershipBegan
from engine.finance.state import POOL
from engine.title import Tell
from engine.titles.g1862.catalogue import BANDS, MARKET
from engine.titles.g1862.events import MarkersBought, TrainsRusted, WentBankrupt
from engine.titles.g1862.setup import make_company
from engine.titles.g1862.state import DIRECTOR_SHARES, SHARES_TO_FLOAT, Company, Operating, State, Stock, Train


def count_sale_steps(s: State, company: Company, count: int, free: int = 0) -> int:
    """Return how many spaces a sale to the pool moves the price down, if so many shares are free (§6.4.2).

    None before flotation and after the LNER.
    """
    if not company.floated or company.cell is None or s.lner:
        return 0
    return max(0, count - free)


def explain_held_price(s: State, company: Company) -> Held:
    """Return why a sale moves no price."""
    if s.lner:
        return "late"
    if not company.floated:
        return "fresh"
    return "two" if MARKET.count_free_shares(company.price) > 1 else "zone"


def find_space_at_most(price: int, *, halves: int = 0) -> int:
    """Return the highest space not above a price and so many halves of a pound (§7.5.3)."""
    return max(space for space in MARKET.prices if 2 * space <= 2 * price + halves)


def note_empty_bank(s: State, tell: Tell) -> None:
    """Note that the bank could not pay in full (§10.2); after the LNER it is endless (§10.3)."""
    if not s.lner:
        rounds.note_bank_broken(s, s.bank, tell)


def pay(s: State, to: Company | int, amount: int, tell: Tell, *, watched: bool = True) -> None:
    """Pay a company, or the player of a seat, and note whether the bank could (§10.2) unless that is for later."""
    if isinstance(to, Company):
        to.cash += amount
    else:
        s.cash[to] += amount
    if watched:
        note_empty_bank(s, tell)


def settle_director(company: Company, tell: Tell) -> None:
    """Hand the certificate to the player who must have it after a purchase (§6.3)."""
    if company.director == POOL:
        taker = trading.find_successor(company, company.former, 0)
        if taker is None and company.shares[company.former] >= DIRECTOR_SHARES:
            taker = company.former
    elif company.director >= 0:
        taker = trading.find_successor(company, company.director, company.shares[company.director])
    else:
        return
    if taker is not None:
        install_director(company, taker, tell)


def install_director(company: Company, seat: int, tell: Tell) -> None:
    """Make a player the director."""
    company.former = seat
    trading.change_director(company, seat, tell)


def replace_director_who_sold(company: Company, seller: int, tell: Tell) -> None:
    """Settle the certificate of a director who has just sold (§6.3)."""
    keep = company.shares[seller]
    taker = trading.find_successor(company, seller, keep)
    if taker is not None:
        install_director(company, taker, tell)
    elif keep < DIRECTOR_SHARES:
        abandon_company(company, tell)


def abandon_company(company: Company, tell: Tell) -> None:
    """Put the certificate into the pool: receivership."""
    if company.director >= 0:
        company.former = company.director
    company.director = POOL
    tell(ReceivershipBegan(company.code))


def may_director_sell(s: State, company: Company, seller: int, count: int) -> bool:
    """Return whether a director may sell so many shares (§6.3).

    With no one to take over, what he keeps needs ordinary certificates: his
    own and those in the pool; or else enough of one of the two.
    """
    keep = company.shares[seller] - count
    if keep >= DIRECTOR_SHARES or trading.find_successor(company, seller, keep) is not None:
        return True
    own = company.count_ordinary(seller)
    if s.rules.sold_shares_give_change:
        return own + company.ordinary_in_pool >= keep
    return own >= keep or company.ordinary_in_pool >= keep


CHARTERED_MARKERS = 3
CHARTERED_COST = 180
MARKER_COST = 40
MIN_MARKERS = 2
CAPITAL_SHARES = 10
MAX_MARKERS_WITHOUT_EIGHTH = 7
"""Markers of a company without the variant of eight (§11.4)."""


def settle_flotation(s: State, company: Company, tell: Tell) -> None:
    """Float a company as soon as five shares have left the IPO or its treasury.

    Without a director it has the fewest markers, or in a stock round the player who acts for it chooses (§6.5.4.2).
    """
    if company.floated or not company.started or company.ipo + company.treasury > SHARES_TO_FLOAT:
        return
    company.floated = True
    company.obliged = -1
    if company.chartered:
        capital = CAPITAL_SHARES * (company.par or 0)
        tell(CompanyFloated(company.code, capital))
        pay(s, company, capital, tell)
        buy_markers(company, CHARTERED_MARKERS, CHARTERED_COST, tell)
        if s.rules.chartered_marker_waits:
            market.place_marker(s, company, company.par or 0)
        return
    tell(CompanyFloated(company.code, 0))
    if company.director < 0 and not (s.rules.receivership_markers_chosen and isinstance(s.round, Stock)):
        buy_markers(company, MIN_MARKERS, MIN_MARKERS * MARKER_COST, tell)
    elif isinstance(s.round, Stock):
        s.round.choosing = company.code


def buy_markers(company: Company, count: int, cost: int, tell: Tell) -> None:
    """Buy the first station markers, the home marker among them."""
    company.cash -= cost
    company.unplaced = count
    tell(MarkersBought(company.code, count, cost))


def find_max_markers(s: State, company: Company) -> int:
    """Return how many markers a company that was not chartered can buy (§6.5.4.2, §11.4)."""
    most = s.rules.markers if s.rules.eighth_marker_at_start else MAX_MARKERS_WITHOUT_EIGHTH
    return min(most, company.cash // MARKER_COST)


def is_rusted(s: State, train: Train) -> bool:
    """Return whether only a warranty keeps a train in the game; D trains stay in the shorter game (§11.2)."""
    band = train.printed.band
    if s.rules.shorter and band == "D":
        return False
    rusts_at = BANDS[band].rusts_at
    return bool(rusts_at) and s.has_begun(rusts_at)


def rust_trains(s: State, tell: Tell) -> None:
    """Remove every train whose time has come and that has no warranty."""
    for company in s.companies.values():
        _remove_rusted(s, company, tell)


def wear_trains(s: State, company: Company, tell: Tell) -> None:
    """Take a warranty off each train of a company that has operated; some leave the game (§7.10)."""
    company.trains = [Train(train.id, train.face, max(0, train.stars - 1)) for train in company.trains]
    _remove_rusted(s, company, tell)


def _remove_rusted(s: State, company: Company, tell: Tell) -> None:
    gone = [train for train in company.trains if not train.stars and is_rusted(s, train)]
    if gone:
        company.trains = [train for train in company.trains if train not in gone]
        tell(TrainsRusted(tuple(train.face for train in gone), company.code))


def declare_bankrupt(s: State, company: Company, tell: Tell) -> None:
    """Carry out the bankruptcy of a company; if it is its turn, the turn is over (§7.12)."""
    paid = tuple(held * company.effective_price for held in company.shares)
    for seat, amount in enumerate(paid):
        pay(s, seat, amount, tell, watched=s.rules.payments_are_watched)
    tell(WentBankrupt(company.code, paid))
    again = make_company(company.code, s.seats, company.group, company.permit)
    again.operated = company.operated
    again.gone = s.lner
    s.companies[company.code] = again
    if not s.rules.payments_are_watched:
        note_empty_bank(s, tell)
    r = s.round
    if isinstance(r, Operating):
        r.done = [*r.done, company.code]
        if r.step and r.code == company.code:
            r.step = "left"


def settle_bankruptcies(s: State, tell: Tell) -> bool:
    """Declare every company bankrupt whose price is 0 (§7.12); return whether there was one."""
    for company in list(s.companies.values()):
        if company.cell == 0:
            declare_bankrupt(s, company, tell)
            return True
    return False
