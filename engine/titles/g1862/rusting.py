"""How trains leave the game: rust, and the warranties that delay it (16.4, 17.4)."""

from engine.title import Tell
from engine.titles.g1862.catalogue import BANDS
from engine.titles.g1862.events import TrainsRusted
from engine.titles.g1862.state import Company, State, Train


def doomed(s: State, train: Train) -> bool:
    """Tell whether only a warranty keeps a train in the game; D trains stay in the shorter game (23.2)."""
    band = train.printed.band
    if s.rules.shorter and band == "D":
        return False
    rusts_at = BANDS[band].rusts_at
    return bool(rusts_at) and s.begun(rusts_at)


def rust(s: State, tell: Tell) -> None:
    """Remove every train whose time has come and that has no warranty."""
    for company in s.companies.values():
        _remove(s, company, tell)


def wear(s: State, company: Company, tell: Tell) -> None:
    """Take a warranty off each train of a company that has operated; some leave the game (16.4)."""
    company.trains = [Train(train.id, train.face, max(0, train.stars - 1)) for train in company.trains]
    _remove(s, company, tell)


def _remove(s: State, company: Company, tell: Tell) -> None:
    gone = [train for train in company.trains if not train.stars and doomed(s, train)]
    if gone:
        company.trains = [train for train in company.trains if train not in gone]
        tell(TrainsRusted(tuple(train.face for train in gone), company.code))
