"""Merging shares two to one, holder by holder, for mergers and refinancing (§5.2.4).

Shares are moved in tenths; where a director's certificate lies is told by
``Company.director``, and who directs is settled only at the end.
"""

from engine.finance.rounds import list_clockwise
from engine.finance.state import POOL
from engine.title import Tell, ignore_event
from engine.titles.g1862 import companies, events
from engine.titles.g1862.state import COMPANY, DIRECTOR_SHARES, Company, Merging, State
from engine.titles.g1862.steps import trains

BANK_POOL = "pool"
REFINANCED_SHARES = 10
"""Refinancing brings the value of so many shares at par (§7.11.2)."""
# What a certificate as option costs and brings, in halves of the price, by the shares held (§5.2.4).
_CERTIFICATE = {5: (1, 5), 4: (2, 4), 3: (3, 3)}


def begin(s: State, merging: Merging) -> None:
    """Begin: what lies in the IPO goes to the pool, then the holders come in turn (§5.2.2)."""
    survivor, other = find_parties(s, merging)
    for company in (survivor, other):
        if company is not None:
            company.pool += company.ipo
            company.ipo = 0
    both = find_parties(s, merging)
    seats = list_clockwise(merging.initiator, s.seats)
    merging.holders = [*(seat for seat in seats if any(count_held(company, seat) for company in both)), COMPANY]
    s.operating.merging = merging


def find_parties(s: State, merging: Merging) -> tuple[Company, Company | None]:
    """Return the survivor and the company that ends; none when the company refinances."""
    return s.companies[merging.survivor], s.companies[merging.other] if merging.other else None


def count_held(company: Company | None, holder: int) -> int:
    """Return the shares of a holder: a seat, or the companies' treasuries."""
    if company is None:
        return 0
    return company.treasury if holder == COMPANY else company.shares[holder]


def _add(company: Company, holder: int, count: int) -> None:
    if holder == COMPANY:
        company.treasury += count
    else:
        company.shares[holder] += count


def advance(s: State, tell: Tell) -> bool:
    """Take the next holder; false while a player must decide about an option share.

    When all have had their turn ``holder`` is no one and no holder is left:
    see ``is_finished``.
    """
    m = s.operating.merging
    assert m is not None
    if m.redeem:
        if find_purse(s, m) >= m.redeem:
            return False
        give_up(s, m, tell)
        return True
    m.holder = m.holders.pop(0)
    _merge_holder(s, m, tell)
    return True


def is_finished(merging: Merging) -> bool:
    """Return whether every holder has had his turn and no option is open."""
    return not merging.holders and not merging.redeem


def find_decider(merging: Merging) -> int:
    """Return who decides about the open option: the holder; for the treasury the initiator (§5.2.4)."""
    return merging.initiator if merging.holder == COMPANY else merging.holder


def find_new_money(company: Company) -> int:
    """Return what the bank pays a company that refinances: ten times par (§7.11.2)."""
    return REFINANCED_SHARES * (company.par or 0)


def find_purse(s: State, m: Merging) -> int:
    """Return the money of the holder; companies that merge pay from both treasuries.

    One that refinances must keep what the train costs beyond the new money (§7.11.2).
    """
    if m.holder != COMPANY:
        return s.cash[m.holder]
    if not m.other and s.rules.refinancing_keeps_train_money:
        company = s.companies[m.survivor]
        spare = company.cash + find_new_money(company) - trains.find_band_for_sale(s).price
        return min(company.cash, spare)
    return sum(company.cash for company in find_parties(s, m) if company is not None)


def _pay(s: State, m: Merging, amount: int, tell: Tell) -> None:
    """Give money to the holder, or take it."""
    survivor, other = find_parties(s, m)
    companies.pay(s, survivor if m.holder == COMPANY else m.holder, amount, tell)
    if m.holder != COMPANY:
        return
    if survivor.cash < 0 and other is not None:
        other.cash += survivor.cash
        survivor.cash = 0


def _merge_holder(s: State, m: Merging, tell: Tell) -> None:
    """Carry a holder through steps 1 to 3 of §5.2.4, up to the option."""
    survivor, other = find_parties(s, m)
    count = count_held(survivor, m.holder) + count_held(other, m.holder)
    if not count:
        return
    directed = next((c for c in (survivor, other) if c is not None and c.director == m.holder), None)
    if directed is not None and count < 2 * DIRECTOR_SHARES:
        if sum(c.ordinary_in_pool for c in (survivor, other) if c is not None) < DIRECTOR_SHARES:
            _open_certificate_option(s, m, directed, count, tell)
            return
        _swap_certificate(m, directed, (survivor, other), tell)
    _return_half(m, survivor, other, count // 2, tell)
    odd = count % 2 == 1
    if other is not None and not _swap_rest(s, m, odd=odd, tell=tell):
        odd = False
    if odd:
        m.redeem = m.sell = m.price // 2
        m.parts = 1


def _swap_certificate(m: Merging, directed: Company, both: tuple[Company, Company | None], tell: Tell) -> None:
    """Swap a director's certificate for three ordinary ones of the pool, the survivor's first (§5.2.4)."""
    directed.director = POOL
    _add(directed, m.holder, -DIRECTOR_SHARES)
    directed.pool += DIRECTOR_SHARES
    wanted = DIRECTOR_SHARES
    for company in both:
        if company is not None:
            count = min(wanted, company.ordinary_in_pool)
            company.pool -= count
            _add(company, m.holder, count)
            wanted -= count
    m.emptied = directed.ordinary_in_pool == 0
    tell(events.CertificateSwapped(m.holder, directed.code))


def _return_half(m: Merging, survivor: Company, other: Company | None, count: int, tell: Tell) -> None:
    """Return half of the shares to the pool, those of the company that ends first (§5.2.4, step 1)."""
    if other is not None:
        if other.director == m.holder:
            other.director = POOL
        count -= _return(m, other, min(count, count_held(other, m.holder)), tell)
    _return(m, survivor, count, tell)


def _return(m: Merging, company: Company, count: int, tell: Tell) -> int:
    _add(company, m.holder, -count)
    company.pool += count
    if count:
        tell(events.SharesReturned(company.code, m.holder, count))
    return count


def _swap_rest(s: State, m: Merging, *, odd: bool, tell: Tell) -> bool:
    """Swap what is left of the company that ends, the option last; false if the option was cashed (§5.2.4, step 2)."""
    survivor, other = find_parties(s, m)
    assert other is not None
    while count_held(other, m.holder):
        option = odd and count_held(other, m.holder) == 1
        source = _choose_source(m, survivor)
        if source is None:
            _cash_share(s, m, other, option=option, tell=tell)
            if option:
                return False
            continue
        _add(survivor, m.holder, 1)
        _add(other, m.holder, -1)
        if source == POOL:
            survivor.pool -= 1
            other.pool += 1
        else:
            _add(survivor, source, -1)
            _add(other, source, 1)
        tell(events.SharesSwapped(m.holder, other.code, survivor.code, BANK_POOL if source == POOL else str(source)))
    return True


def _choose_source(m: Merging, survivor: Company) -> int | None:
    """Return where a survivor share comes from: the pool, else a later holder; the treasury takes from the pool."""
    if survivor.ordinary_in_pool > 0:
        return POOL
    if m.holder == COMPANY:
        return None
    for later in m.holders:
        ordinary = survivor.treasury if later == COMPANY else survivor.count_ordinary(later)
        if ordinary > 0:
            return later
    return None


def _cash_share(s: State, m: Merging, other: Company, *, option: bool, tell: Tell) -> None:
    """Sell a share that cannot be swapped: at the price, an option at half (§5.2.4, step 3)."""
    half = (m.price + s.rules.spare_option_rounds_up) // 2
    amount = half if option else m.price
    _return(m, other, 1, ignore_event)
    _pay(s, m, amount, tell)
    tell(events.SharesCashed(m.holder, other.code, 1, amount))


def _open_certificate_option(s: State, m: Merging, directed: Company, count: int, tell: Tell) -> None:
    """Make the director's certificate itself the option: the pool has no three shares to swap (§5.2.4)."""
    survivor, other = find_parties(s, m)
    for company in (survivor, other):
        if company is not None:
            _return(m, company, count_held(company, m.holder) - DIRECTOR_SHARES * (company is directed), tell)
    redeem, sell = (halves * m.price // 2 for halves in _CERTIFICATE[count])
    if directed is other and not _exchange_certificates(m, survivor, directed, tell):
        directed.director = POOL
        _return(m, directed, DIRECTOR_SHARES, ignore_event)
        _pay(s, m, sell, tell)
        tell(events.SharesCashed(m.holder, directed.code, DIRECTOR_SHARES, sell))
        return
    m.redeem, m.sell, m.parts = redeem, sell, DIRECTOR_SHARES


def _exchange_certificates(m: Merging, survivor: Company, other: Company, tell: Tell) -> bool:
    """Swap the certificate of the company that ends for the survivor's, in the pool or with a later holder (§5.2.4)."""
    where = survivor.director
    if where != POOL and where not in m.holders:
        return False
    if where == POOL:
        survivor.pool -= DIRECTOR_SHARES
        other.pool += DIRECTOR_SHARES
    else:
        _add(survivor, where, -DIRECTOR_SHARES)
        _add(other, where, DIRECTOR_SHARES)
    _add(survivor, m.holder, DIRECTOR_SHARES)
    _add(other, m.holder, -DIRECTOR_SHARES)
    survivor.director, other.director = m.holder, where
    tell(events.CertificatesExchanged(m.holder, other.code, survivor.code))
    return True


def redeem(s: State, m: Merging, tell: Tell) -> None:
    """Pay for the option and keep it (§5.2.4, step 4)."""
    _pay(s, m, -m.redeem, tell)
    tell(events.OptionRedeemed(m.holder, m.survivor, m.redeem))
    m.redeem = m.sell = m.parts = 0


def give_up(s: State, m: Merging, tell: Tell) -> None:
    """Be paid for the option; it goes to the pool (§5.2.4, step 4)."""
    survivor = s.companies[m.survivor]
    if m.parts == DIRECTOR_SHARES:
        survivor.director = POOL
    _return(m, survivor, m.parts, ignore_event)
    _pay(s, m, m.sell, tell)
    tell(events.OptionSold(m.holder, m.survivor, m.sell))
    m.redeem = m.sell = m.parts = 0


def settle_survivor_director(s: State, m: Merging, tell: Tell) -> None:
    """Settle who directs the survivor: most shares, at least three; ties from the initiator clockwise (§5.2.5)."""
    company = s.companies[m.survivor]
    order = list_clockwise(m.initiator, s.seats)
    most = max(company.shares)
    if most >= DIRECTOR_SHARES:
        companies.install_director(company, next(seat for seat in order if company.shares[seat] == most), tell)
    else:
        # No one holds three, so the certificate lies in the pool already.
        company.director = POOL
        companies.abandon_company(company, tell)
