"""§2.4, §11.0: cash, limits, companies and permits by number of players; the deal of 18xx.games; the options."""

from collections import Counter

import pytest

from engine.errors import RuleError
from engine.finance.state import IPO
from engine.interop.g1862.profile import TITLE, deal_18xx
from engine.setup import Setup
from engine.titles.g1862.rules import read_options
from engine.titles.g1862.setup import make_permit_stack
from engine.titles.g1862.state import Marker, Merging, Operating, State, Train
from engine.titles.g1862.steps import shares
from tests.support.sure import list_said


def deal(seats: int, seed: int = 1, **options: str) -> State:
    return TITLE.deal(Setup("1862", seats, options, seed))


@pytest.mark.parametrize(
    ("seats", "cash", "limit"),
    [(2, 1200, 25), (3, 800, 18), (4, 600, 13), (5, 480, 11), (6, 400, 10), (7, 345, 9), (8, 300, 8)],
)
def test_2_4_4_cash_and_certificate_limit(seats: int, cash: int, limit: int) -> None:
    """§6.5.2, §10.2: cash and certificate limit."""
    s = deal(seats)
    assert s.cash == [cash] * seats
    assert s.limit == limit
    assert s.bank == 15000 - seats * cash


def test_1_nothing_has_happened_before_the_first_proposal() -> None:
    """§2.4.1, §6.5.4.3, §7.9, §9.0: nothing has happened before the first proposal."""
    s = deal(3)
    dealt = {"rules", "seats", "cash", "companies", "offer", "board", "depot", "sold", "round", "limit", "record"}
    assert {name: value for name, value in list_said(s).items() if name not in dealt} == {"phase": "A", "turn": 1}
    assert set(s.sold.values()) == {0}
    assert list_said(s.round) == {"number": 1, "leader": -1, "winner": -1}
    company = next(iter(s.companies.values()))
    named = {"code": company.code, "group": company.group, "permit": company.permit, "permits": [company.permit]}
    assert list_said(company) == {**named, "shares": [0, 0, 0], "ipo": 10, "director": IPO, "obliged": -1}


def test_rounds_and_mergers_begin_with_nothing_done() -> None:
    s = deal(2)
    s.priority = 1
    assert list_said(shares.make_round(s)) == {"turn": 1, "sold": [[], []], "got": [{}, {}]}
    assert list_said(Operating(0, 1, [])) == {"rounds": 1, "index": -1}
    assert list_said(Merging("N&E", "", "refinance", 0, 54, [])) == {
        "survivor": "N&E", "kind": "refinance", "price": 54, "holder": -2,
    }  # fmt: skip
    assert (Marker("B13", 1).slot, Train("A-1", "2F").name) == (0, "2F")


@pytest.mark.parametrize(("seats", "first"), [(2, 8), (6, 8), (7, 9), (8, 10)])
def test_2_4_1_companies_by_phase(seats: int, first: int) -> None:
    """§2.4.1, §2.4.2: eight at once, more with seven and eight players."""
    groups = Counter(company.group for company in deal(seats).companies.values())
    assert groups == {"A": first, "B": 4, "C": 4}


def test_2_4_1_permits_six_five_five() -> None:
    permits = Counter(company.permit for company in deal(5).companies.values())
    assert permits == {"freight": 6, "local": 5, "express": 5}


@pytest.mark.parametrize(("seats", "companies"), [(7, 17), (8, 18)])
def test_2_4_2_permits_of_seven_and_eight_are_six_each_at_most(seats: int, companies: int) -> None:
    permits = Counter(company.permit for company in deal(seats).companies.values())
    assert sum(permits.values()) == companies
    assert max(permits.values()) <= 6
    assert len(deal(seats, extra_companies="off").companies) == 16


@pytest.mark.parametrize(
    ("length", "counts"),
    [
        ("short", (6, 5, 4, 3, 3, 2, 1)),
        ("standard", (7, 6, 4, 3, 3, 2, 1)),
        ("long", (7, 6, 5, 4, 3, 2, 1)),
        ("mixed", (6, 5, 5, 4, 3, 2, 1)),
    ],
)
def test_2_4_3_trains_by_length_and_h_without_end(length: str, counts: tuple[int, ...]) -> None:
    """§2.2, §9.0: trains by length, and H without end."""
    depot = deal(4, length=length).depot
    assert "".join(depot) == "ABCDEFGH"
    assert tuple(depot.values()) == (*counts, -1)


def test_the_deal_depends_on_the_seed_alone() -> None:
    """§2.4.1: the deal depends on the seed alone."""
    assert deal(4, 5) == deal(4, 5)
    assert deal(4, 5).offer != deal(4, 6).offer


DEALS = (
    (2, 1, "L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC", "AAAAAAAABBBBCCCC", "fefllleeflffleef"),
    (2, 2, "ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H", "AAAAAAAABBBBCCCC", "eeeeelflflffllff"),
    (2, 3, "WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H", "AAAAAAAABBBBCCCC", "elleeflfffffeell"),
    (3, 1, "L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC", "AAAAAAAABBBBCCCC", "fefllleeflffleef"),
    (3, 2, "ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H", "AAAAAAAABBBBCCCC", "eeeeelflflffllff"),
    (3, 3, "WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H", "AAAAAAAABBBBCCCC", "elleeflfffffeell"),
    (4, 1, "L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC", "AAAAAAAABBBBCCCC", "fefllleeflffleef"),
    (4, 2, "ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H", "AAAAAAAABBBBCCCC", "eeeeelflflffllff"),
    (4, 3, "WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H", "AAAAAAAABBBBCCCC", "elleeflfffffeell"),
    (5, 1, "L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC", "AAAAAAAABBBBCCCC", "fefllleeflffleef"),
    (5, 2, "ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H", "AAAAAAAABBBBCCCC", "eeeeelflflffllff"),
    (5, 3, "WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H", "AAAAAAAABBBBCCCC", "elleeflfffffeell"),
    (6, 1, "L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC", "AAAAAAAABBBBCCCC", "fefllleeflffleef"),
    (6, 2, "ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H", "AAAAAAAABBBBCCCC", "eeeeelflflffllff"),
    (6, 3, "WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H", "AAAAAAAABBBBCCCC", "elleeflfffffeell"),
    (
        7,
        1,
        "ECR L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC",
        "AAAAAAAAABBBBCCCC",
        "ffleelfelffefllel",
    ),
    (
        7,
        2,
        "SVR ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H",
        "AAAAAAAAABBBBCCCC",
        "eeefeffelfellflfl",
    ),
    (
        7,
        3,
        "ESR WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H",
        "AAAAAAAAABBBBCCCC",
        "eelelefeflffflfll",
    ),
    (
        8,
        1,
        "FDR ECR L&D N&S ENR Y&N N&E L&E E&H ESR SVR W&F I&B WNR WVR WStI EUR NGC",
        "AAAAAAAAAABBBBCCCC",
        "effeelllelflffleef",
    ),
    (
        8,
        2,
        "WVR SVR ENR NGC N&S ESR Y&N W&F WNR L&E ECR EUR N&B FDR L&D I&B N&E L&H",
        "AAAAAAAAAABBBBCCCC",
        "leeefeffelfellflfl",
    ),
    (
        8,
        3,
        "ECR ESR WStI ENR WNR W&F WVR L&D FDR N&S N&B Y&N N&E E&H EUR NGC L&E L&H",
        "AAAAAAAAAABBBBCCCC",
        "lleeleelffffffeell",
    ),
)
"""(seats, seed, companies as offered, the phase of each, the first letter of its permit), as the site deals."""


@pytest.mark.parametrize(("seats", "seed", "order", "phases", "permits"), DEALS)
def test_the_deal_of_18xx_games(seats: int, seed: int, order: str, phases: str, permits: str) -> None:
    """Differences 58: the same companies, phases and permits for a seed."""
    dealt = deal_18xx(seed, seats)
    companies = order.split()
    assert list(dealt.groups) == companies
    assert dealt.groups == dict(zip(companies, phases, strict=True))
    assert {code: permit[0] for code, permit in dealt.permits.items()} == dict(zip(companies, permits, strict=True))


@pytest.mark.parametrize(
    ("trains", "seats", "companies", "stack"),
    [
        ("", 6, 16, {"freight": 6, "express": 5, "local": 5}),
        ("", 7, 18, {"freight": 6, "express": 6, "local": 6}),
        ("", 8, 16, {"freight": 6, "express": 6, "local": 6}),
        ("advanced_freight", 4, 16, {"freight": 8, "local": 8}),
        ("advanced_express", 7, 17, {"express": 9, "local": 9}),
    ],
)
def test_2_4_2_the_permits_that_are_shuffled(trains: str, seats: int, companies: int, stack: dict[str, int]) -> None:
    """§2.4.2, 62-52, 62-66: six of each type from seven players on, nine if two types are played."""
    rules = read_options(Setup("1862", seats, {"trains": trains} if trains else {}))
    assert Counter(make_permit_stack(rules, seats, companies)) == stack


def test_11_1_types_of_train() -> None:
    """§6.5.4.3: types of train."""
    assert set(Counter(c.permit for c in deal(4, trains="advanced_freight").companies.values()).items()) == {
        ("freight", 8),
        ("local", 8),
    }
    assert {company.permit for company in deal(4, trains="simple_express").companies.values()} == {""}
    assert {company.permit for company in deal(8, trains="advanced_express").companies.values()} == {
        "express",
        "local",
    }


def test_11_2_the_shorter_game_fixes_the_trains() -> None:
    assert deal(4, shorter="on").depot["A"] == 6
    assert deal(5, shorter="on").depot["A"] == 7
    with pytest.raises(RuleError, match="leave the length open"):
        deal(4, shorter="on", length="long")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"new_players": "on", "trains": "advanced_freight"}, "one type of train"),
        ({"profile": "18xx.games", "shorter": "on"}, "doesn't offer"),
        ({"profile": "18xx.games", "home_first": "off"}, "doesn't offer"),
        ({"speed": "on"}, "no option"),
        ({"length": "endless"}, "can be standard, short, long or mixed"),
    ],
)
def test_23_options_that_forbid_each_other_are_refused(options: dict[str, str], words: str) -> None:
    """§11.0: options that forbid each other are refused."""
    with pytest.raises(RuleError, match=words):
        TITLE.deal(Setup("1862", 4, options))


def test_11_3_new_players_get_a_simple_game() -> None:
    """§11.3, §2.5: the game for new players has one type of train, Express unless Freight is chosen."""
    rules = read_options(Setup("1862", 4, {"new_players": "on"}))
    assert rules.types == ("express",)
    chosen = {"new_players": "on", "trains": "simple_freight", "shorter": "on"}
    assert read_options(Setup("1862", 4, chosen)).types == ("freight",)


def test_2_4_4_two_to_eight_players() -> None:
    for seats in (1, 9):
        with pytest.raises(RuleError, match="two to eight"):
            deal(seats)
