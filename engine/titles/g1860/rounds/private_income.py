"""What the private companies pay (3.1, 12.9)."""

from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.state import ASIDE, State


def private_revenue(s: State, code: str) -> int:
    """Return what a private pays at the start of an operating round.

    With variable revenue (12.9) Brading pays 10 once BHI&R has floated,
    Yarmouth 5 more once one train of FYN has run to Newport, and Ryde and Cowes half once
    the Fishbourne Ferry is bought.
    """
    revenue = PRIVATES[code].revenue
    if not s.rules.variable_privates:
        return revenue
    if code == "BHC" and (s.companies["BHI&R"].floated or s.companies["BHI&R"].operated):
        return 10
    fyn = s.companies["FYN"]
    if code == "YHC" and "Newport" in (fyn.through if s.rules.yarmouth_by_one_train else fyn.reached):
        return revenue + 5
    if code in {"RPSC", "CMH"} and s.privates["FFC"] != ASIDE:
        return revenue // 2
    return revenue
