"""Who directs a company, and when the certificate changes hands (4.12, 4.13, 7.8)."""

from engine.finance import certificate
from engine.finance.certificate import POOL
from engine.finance.events import ReceivershipBegan
from engine.title import Tell
from engine.titles.g1860.state import Company, State


def successor(company: Company, keep: int, seller: int) -> int | None:
    """Return who takes the certificate when ``seller`` keeps ``keep`` shares; ``None`` if nobody can.

    Most shares, more than the seller keeps, at least two; ties to the closest clockwise (4.13).
    """
    return certificate.successor(company.shares, seller, keep, 2)


def settle(s: State, company: Company, tell: Tell) -> None:
    """Hand the certificate to whoever must have it after a purchase or an exchange.

    From a director to a player with more shares (4.13); from the pool to the
    first player with two (7.8). Two singles go the other way, so that no
    player's count changes.
    """
    if company.director == POOL:
        taker = next((seat for seat in range(s.seats) if company.shares[seat] >= 2), None)
    elif company.director >= 0:
        taker = successor(company, company.shares[company.director], company.director)
    else:
        return
    if taker is not None:
        certificate.hand_over(company, taker, tell)


def leave(company: Company, seller: int, keep: int, tell: Tell) -> None:
    """Settle the certificate of a director who has sold down to ``keep`` shares (4.12)."""
    taker = successor(company, keep, seller)
    if taker is not None:
        certificate.hand_over(company, taker, tell)
    elif keep < 2:
        company.director = POOL
        if company.floated:
            tell(ReceivershipBegan(company.code))


def may_leave(company: Company, seller: int, keep: int) -> bool:
    """Tell whether a director may sell down to ``keep`` shares (4.12).

    Keeping one share, with nobody to take over, needs a single to hand back
    to him: one in the pool, or one sold in this transaction.
    """
    if keep != 1 or successor(company, keep, seller) is not None:
        return True
    singles = company.shares[seller] - 2
    return company.pool + singles >= 1
