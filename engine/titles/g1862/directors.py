"""Who directs a company, and when the certificate changes hands (7)."""

from engine.finance import certificate
from engine.finance.certificate import POOL
from engine.finance.events import ReceivershipBegan
from engine.title import Tell
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State


def successor(company: Company, keep: int, holder: int) -> int | None:
    """Return who takes the certificate when its holder keeps ``keep`` shares; ``None`` if nobody does.

    Most shares, more than the holder keeps, at least three; ties to the nearest on his left (7.1).
    """
    return certificate.successor(company.shares, holder, keep, DIRECTOR_SHARES)


def settle(company: Company, tell: Tell) -> None:
    """Hand the certificate to whoever must have it after a purchase (7.1, 7.3)."""
    if company.director == POOL:
        taker = successor(company, 0, company.former)
        if taker is None and company.shares[company.former] >= DIRECTOR_SHARES:
            taker = company.former
    elif company.director >= 0:
        taker = successor(company, company.shares[company.director], company.director)
    else:
        return
    if taker is not None:
        install(company, taker, tell)


def install(company: Company, seat: int, tell: Tell) -> None:
    """Make a player the director."""
    company.former = seat
    certificate.hand_over(company, seat, tell)


def leave(company: Company, seller: int, tell: Tell) -> None:
    """Settle the certificate of a director who has just sold (7.1, 7.2)."""
    keep = company.shares[seller]
    taker = successor(company, keep, seller)
    if taker is not None:
        install(company, taker, tell)
    elif keep < DIRECTOR_SHARES:
        abandon(company, tell)


def abandon(company: Company, tell: Tell) -> None:
    """Put the certificate into the pool: receivership."""
    if company.director >= 0:
        company.former = company.director
    company.director = POOL
    tell(ReceivershipBegan(company.code))


def may_leave(s: State, company: Company, seller: int, count: int) -> bool:
    """Tell whether a director may sell so many shares (7.2).

    With nobody to take over, what he keeps needs ordinary certificates: his
    own and those in the pool; or else enough of one of the two.
    """
    keep = company.shares[seller] - count
    if keep >= DIRECTOR_SHARES or successor(company, keep, seller) is not None:
        return True
    own = company.ordinary(seller)
    if s.rules.sold_shares_give_change:
        return own + company.ordinary_in_pool >= keep
    return own >= keep or company.ordinary_in_pool >= keep
