"""Money, shares, tiles, bases and trains are conserved, and every sum is explained by a fact told."""

from collections import Counter

import pytest

from engine import Rng, Setup
from engine.finance import events as shared
from engine.finance.state import IPO, POOL
from engine.interop.g1860.profile import TITLE
from engine.rails.laying import TileLaid
from engine.record import Event
from engine.titles.g1860 import events
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.state import State


def flows(s: State, told: list[Event], subsidy: dict[str, int]) -> tuple[list[int], Counter[str]]:  # noqa: C901 - a table
    """Return how much each player and each company gains by these facts."""
    players = [0] * s.seats
    companies: Counter[str] = Counter()
    for event in told:
        match event:
            case events.AuctionWon(seat, amount):
                players[seat] -= amount
            case events.PrivateBought(seat, _, price) | shared.CompanyStarted(seat, _, _, price):
                players[seat] -= price
            case shared.ShareBought(seat, _, _, price):
                players[seat] -= price
            case events.PrivateSold(seat, _, price) | events.PrivatesPaid(seat, price):
                players[seat] += price
            case shared.SharesSold(seat, _, count, each):
                players[seat] += count * each
            case shared.DividendPaid(code, _, paid):
                players = [have + more for have, more in zip(players, paid, strict=True)]
                companies[code] += subsidy.pop(code, 0)
            case shared.RevenueKept(code, revenue):
                companies[code] += revenue + subsidy.pop(code, 0)
            case shared.TrainsRan(company=code, subsidy=halts):
                subsidy[code] = halts
            case shared.CompanyFloated(code, amount) | events.BonusEarned(code, _, amount):
                companies[code] += amount
            case events.BasePlaced(company=code, cost=cost) | TileLaid(company=code, cost=cost):
                companies[code] -= cost
            case shared.TrainBought(code, _, seller, price):
                companies[code] -= price
                companies[seller] += price
    companies.pop("bank", None)
    return players, companies


def check_shares(s: State) -> None:
    for company in s.companies.values():
        assert sum(company.shares) + company.ipo + company.pool == 10, company
        assert min(company.shares) >= 0
        assert company.ipo >= company.reserved
        held = {IPO: company.ipo, POOL: company.pool}.get(company.director)
        assert (company.shares[company.director] if held is None else held) >= 2, company
        if company.director >= 0:
            assert company.shares[company.director] == max(company.shares), company
        assert company.floated <= (company.par is not None)


def check_pieces(s: State) -> None:
    for company in s.companies.values():
        assert len(company.bases) + company.unplaced == len(company.charter.base_costs)
        assert len({hex_ for hex_, _ in company.bases}) == len(company.bases)
    standing = Counter(base for company in s.companies.values() for base in company.bases)
    for (hex_, city), count in standing.items():
        assert count <= s.board.tile(hex_).stops[city].slots, (hex_, city)
    assert all(s.board.count_left(tile) >= 0 for tile in s.board.map.manifest.counts)
    gone = {kind.rusts for kind in TRAINS.values() if kind.phase <= s.phase}
    lying = Counter([*s.returned, *(name for company in s.companies.values() for name in company.trains)])
    for name, kind in TRAINS.items():
        if name in gone:
            assert not lying[name]
        elif kind.count > 0:
            assert lying[name] + s.depot[name] == kind.count + (s.rules.two_7_4 and name == "7+4")


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}), (3, {"profile": "18xx.games"}), (4, {}), (3, {"destinations": "on", "any_order": "on"}),
        (4, {"two_7_4": "on", "insolvency": "original", "edition": "first"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sense", [True, False])
def test_everything_is_conserved(seats: int, options: dict[str, str], sense: bool) -> None:
    s, rng = TITLE.deal(Setup("1860", seats, options)), Rng(seats)
    subsidy: dict[str, int] = {}
    for _ in range(500 if sense else 200):
        if s.over:
            break
        seat = TITLE.actors(s)[0]
        cash, credits_ = s.cash.copy(), {code: company.cash for code, company in s.companies.items()}
        legal = list(TITLE.legal(s, seat))
        action = TITLE.advice.choose(s, seat, rng) if sense or not legal else rng.choose(legal)
        told: list[Event] = []
        TITLE.apply(s, TITLE.check(s, seat, TITLE.spell_out(s, seat, action)), told.append)
        players, companies = flows(s, told, subsidy)
        assert s.cash == [have + more for have, more in zip(cash, players, strict=True)], action
        for code, company in s.companies.items():
            assert company.cash == credits_[code] + companies[code], (action, code)
            assert company.cash >= 0
        assert min(s.cash) >= 0
        check_shares(s)
        check_pieces(s)
