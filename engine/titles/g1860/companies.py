"""What becomes of companies: price, director, flotation, layers, bankruptcy, nationalisation."""

from engine.finance import market, rounds, trading
from engine.finance.events import CompanyFloated, Held, PriorityGiven, ReceivershipBegan
from engine.finance.rounds import list_clockwise
from engine.finance.state import IPO, POOL
from engine.title import Tell
from engine.titles.g1860.catalogue import MARKET, PRIVATES
from engine.titles.g1860.events import BasePlaced, CompanyClosed, HomeNotPlaced, LayerOpened, Nationalised, WentBankrupt
from engine.titles.g1860.state import CLOSED, Company, State


def count_sale_steps(s: State, company: Company, count: int) -> int:
    """Return how many spaces a sale moves the price down (Share Price Movement).

    Only of a company that has operated, and not once the first 8+4 is sold;
    in a red-letter zone, judged before the sale, the first share is free.
    """
    if s.unlimited or company.cell is None or not company.operated:
        return 0
    return count - 1 if MARKET.is_red_letter(company.price) else count


def explain_held_price(s: State, company: Company) -> Held:
    """Return why a sale moves no price."""
    if s.unlimited:
        return "late"
    return "zone" if company.operated else "fresh"


def find_sale_price(s: State, company: Company) -> int:
    """Return what the bank pays for a share: half without a train, rounded down (Buying and Selling Shares).

    Where companies that never operated sell at the full price, shares of a company that never operated sell in full.
    """
    if company.trains or (s.rules.full_price and not company.operated):
        return company.price
    return company.price // 2


def note_empty_bank(s: State, tell: Tell) -> None:
    """Note that the bank has run out; once nationalised it is endless."""
    if not s.nationalised:
        rounds.note_bank_broken(s, s.bank, tell)


def settle_director(s: State, company: Company, tell: Tell) -> None:
    """Hand the certificate to the player who must have it after a purchase or an exchange.

    From a director to a player with more shares (Buying and Selling Shares); from the pool to the
    first player with two (Companies In Receivership). Two singles go the other way, so that no
    player's count changes.
    """
    if company.director == POOL:
        taker = next((seat for seat in range(s.seats) if company.shares[seat] >= 2), None)
    elif company.director >= 0:
        taker = trading.find_successor(company, company.director, company.shares[company.director])
    else:
        return
    if taker is not None:
        trading.change_director(company, taker, tell)


def replace_director_who_sold(company: Company, seller: int, keep: int, tell: Tell) -> None:
    """Settle the certificate of a director who has sold down to ``keep`` shares (Buying and Selling Shares)."""
    taker = trading.find_successor(company, seller, keep)
    if taker is not None:
        trading.change_director(company, taker, tell)
    elif keep < 2:
        company.director = POOL
        if company.floated:
            tell(ReceivershipBegan(company.code))


def may_director_sell(company: Company, seller: int, keep: int) -> bool:
    """Return whether a director may sell down to ``keep`` shares (Buying and Selling Shares).

    Keeping one share, with no one to take over, needs a single to hand back
    to him: one in the pool, or one sold in this transaction.
    """
    if keep != 1 or trading.find_successor(company, seller, keep) is not None:
        return True
    singles = company.shares[seller] - 2
    return company.pool + singles >= 1


LAST_LAYER = 4

SHARES_TO_FLOAT = 5
"""Shares that must be sold for a company to float (Flotation & Capitalisation)."""


def settle_flotation(s: State, company: Company, tell: Tell) -> None:
    """Float a company of which players hold half (Flotation & Capitalisation), and open layers that follow."""
    if company.started and not company.floated and sum(company.shares) >= SHARES_TO_FLOAT:
        _float(s, company, tell)
    open_layers(s, tell)


def _float(s: State, company: Company, tell: Tell) -> None:
    company.floated, company.bankrupt = True, False
    assert company.par is not None
    capital = 10 * company.par
    company.cash += capital
    if company.cell is None:
        market.place_marker(s, company, company.par)
    else:
        company.cell = max(1, company.cell)  # its price may have fallen to 0 since its par (differences 83)
        market.move_to_bottom(s, company)
    tell(CompanyFloated(company.code, capital))
    if not company.home_placed:
        _place_home(s, company, tell)
    elif not s.rules.unfitting_home_tile_skipped and not s.stopped:
        _queue_home_tile(s, company)  # once more for one that was bankrupt (differences 20)


def _place_home(s: State, company: Company, tell: Tell) -> None:
    """Place the home base; its director lays a tile there if the hex has no track."""
    if s.stopped:
        tell(HomeNotPlaced(company.code))
        return
    company.home_placed = True
    company.unplaced -= 1
    company.bases.insert(0, company.charter.home)
    tell(BasePlaced(company.code, company.charter.home[0], 0))
    _queue_home_tile(s, company)


def _queue_home_tile(s: State, company: Company) -> None:
    if not s.board.tile(company.charter.home[0]).track:
        s.stock.homes.append(company.code)


def open_layers(s: State, tell: Tell) -> None:
    """Open the next layer when a company of this one has operated or sold out (Major Companies)."""
    while s.layer < LAST_LAYER:
        layer = [company for company in s.companies.values() if company.charter.layer == s.layer]
        if not any(company.operated or company.ipo == 0 for company in layer):
            return
        s.layer += 1
        tell(LayerOpened(s.layer))


def declare_bankrupt(s: State, company: Company, tell: Tell) -> None:
    """Carry out the bankruptcy of a company whose price is 0."""
    tell(WentBankrupt(company.code))
    company.shares = [0] * s.seats
    company.ipo, company.pool, company.director = 10, 0, IPO
    company.par = company.cell = None
    company.floated, company.bankrupt = False, True
    company.insolvent = company.insolvent and not s.rules.bankruptcy_ends_insolvency
    company.reserved = any(
        private.railway == company.code and s.privates[code] != CLOSED for code, private in PRIVATES.items()
    )
    if s.nationalised:
        company.closed = True
    s.priority = find_next_dealer(s)
    tell(PriorityGiven(s.priority))


def find_next_dealer(s: State) -> int:
    """Return who deals next: fewest shares, ties clockwise beginning with the priority holder (Bankrupt Companies)."""
    held = [sum(company.shares[seat] for company in s.companies.values()) for seat in range(s.seats)]
    order = list_clockwise(s.priority, s.seats)
    return min(order, key=lambda seat: held[seat])


def nationalise_if_due(s: State, tell: Tell) -> None:
    """Nationalise at the end of a round once every company with a director has a train."""
    if not s.formed or s.nationalised:
        return
    for company in s.companies.values():
        waits = company.started and company.director >= 0 and (s.rules.waiting_block or company.floated)
        if waits and not company.trains:
            return
    s.nationalised = True
    s.stopped = s.stopped or s.rules.nationalisation_stops_building  # without a stock round in between
    tell(Nationalised())


def close_lowest_earners(s: State, tell: Tell) -> bool:
    """Close the companies that earned least after an operating round; return whether the game ends.

    All with the lowest revenue; if that is one company, all with the next
    lowest too. With two or fewer left all close.
    """
    r = s.operating
    left = [company for company in s.companies.values() if company.running]
    earned = {company.code: r.earned.get(company.code, 0) for company in left}
    if len(left) <= 2:
        _close_companies(left, earned, tell)
        return True
    levels = sorted(set(earned.values()))
    closing = [company for company in left if earned[company.code] == levels[0]]
    if len(closing) == 1:
        closing += [company for company in left if earned[company.code] == levels[1]]
    _close_companies(closing, earned, tell)
    return len(closing) == len(left)


def _close_companies(companies: list[Company], earned: dict[str, int], tell: Tell) -> None:
    for company in companies:
        company.closed = True
        tell(CompanyClosed(company.code, earned[company.code]))
