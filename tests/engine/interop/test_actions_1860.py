"""Single actions of 1860 in the words of 18xx.games, and actions of files whose passes are left out."""

import re

import pytest
from msgspec.structs import replace

from engine import Action, RuleError
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import POOL
from engine.interop.g1860.reader import Reader
from engine.interop.g1860.writer import Writer
from engine.rails.laying import LayTile
from engine.setup import Setup
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import (
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Discard,
    Dividend,
    Exchange,
    PlaceBase,
    Run,
    Sell,
    SellPrivate,
    Start,
)  # fmt: skip
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import State, TurnStep
from tests.engine.titles.g1860.positions import operating, play, table

IDS = (11, 22)
SEATS = {"11": 0, "22": 1}
ISLE = "cash 900 900\nIOW 4* 2 | pool 1 | par 82 at 90 | 200cc | 2+1\nC&N . 2* | par 74 at 74 | 5cc"
ROUTE = {
    "train": "2+1-0", "connections": [["I3", "J4"]], "hexes": ["I3", "J4"], "revenue": 50, "revenue_str": "I3-J4",
    "subsidy": 0, "halts": 0, "nodes": ["I3-0", "J4-0"],
}  # fmt: skip
RAN = {"type": "run_routes", "extra_revenue": 0, "plan": "2+1 I3-J4", "subsidy": 0, "routes": [ROUTE]}
TURN: list[tuple[State, Action, dict[str, object]]] = [
    (operating(ISLE, "IOW", "track", tiles=""), LayTile("J4", "6", 0), {
        "type": "lay_tile", "hex": "J4", "tile": "6-0", "rotation": 0}),
    (operating(ISLE, "IOW", "base"), PlaceBase("J4", 0), {
        "type": "place_token", "city": "J4-0-0", "slot": 0, "tokener": "IOW"}),
    (operating(ISLE, "IOW", "run"), Run("2+1 I3-J4"), RAN),
    (operating(ISLE, "IOW", "run"), Run("none"), {**RAN, "plan": "none", "routes": []}),
    (operating(ISLE, "IOW", "dividend", revenue=50), Dividend("keep"), {"type": "dividend", "kind": "withhold"}),
    (operating(ISLE, "IOW", "dividend", revenue=50), Dividend("pay"), {"type": "dividend", "kind": "payout"}),
    (operating(ISLE, "IOW", "track"), Pass(), {"type": "pass"}),
]  # fmt: skip


@pytest.mark.parametrize(("s", "action", "written"), TURN)
def test_events_of_a_companys_turn_are_described(s: State, action: Action, written: dict[str, object]) -> None:
    """Both ways: the company acts, and what is read of it is what was done, by its director."""
    found = Writer(IDS).write(s, 0, action)
    assert found == {**written, "entity": "IOW", "entity_type": "corporation"}
    assert list(Reader(SEATS).read(s, found)) == [(0, action)]


@pytest.mark.parametrize(("director", "user", "seat"), [(0, {"user": 22}, 0), (-1, {"user": 22}, 1), (-1, {}, 0)])
def test_49_a_company_acts_through_its_director_or_the_player_who_entered_it(
    director: int, user: dict[str, int], seat: int
) -> None:
    """In receivership, where a file does not say who did, it was the first player's hand."""
    s = operating(ISLE, "IOW", "run")
    s.companies["IOW"].director = director
    *_, (acts, _) = Reader(SEATS).read(s, {**RAN, **user, "entity": "IOW", "entity_type": "corporation"})
    assert acts == seat


def test_a_city_is_named_by_a_tile_and_a_number() -> None:
    for city in ("x", "J4-0-", "J4-0-x", "J4-0-1.5", "J4-0-²", "J4-0-" + "9" * 5000):
        raw = {"type": "place_token", "city": city, "entity": "IOW", "entity_type": "corporation"}
        with pytest.raises(RuleError) as refusal:
            list(Reader(SEATS).read(operating(ISLE, "IOW", "base"), raw))
        assert refusal.value.sentence == f"There is no city “{city[:20]}” on the map."


def test_a_bid_is_of_a_player() -> None:
    s = TITLE.deal(Setup("1860", 2))
    assert Writer(IDS).write(s, 0, Bid(5)) == {"type": "bid", "price": 5, "entity": 11, "entity_type": "player"}


def read(s: State, raw: dict[str, object]) -> list[tuple[int, Action]]:
    """Read one action of a file and play all that it means."""
    found = []
    for seat, action in Reader(SEATS).read(s, raw):
        found.append((seat, action))
        play(s, action, seat=seat)
    return found


def buy_certificate() -> State:
    """Seat 0 has bought IOW's director's certificate, after which its private may be exchanged (differences 9)."""
    s = table(ISLE, options={"profile": "18xx.games"})
    s.stock.bought, s.stock.opened, s.privates["RPSC"] = True, "IOW", 0
    assert TITLE.actors(s) == (0,)
    return s


def test_passes_that_a_file_leaves_out_are_put_in() -> None:
    """The next action decides: who bought has ended his turn, and a company its steps."""
    buys = {"type": "buy_shares", "shares": ["IOW_3"], "entity": 22, "entity_type": "player"}
    s = buy_certificate()
    assert read(s, buys) == [(0, Pass()), (1, BuyShare("IOW", "ipo"))]
    runs = {**RAN, "entity": "IOW", "entity_type": "corporation"}
    assert read(operating(ISLE, "IOW", "track"), runs) == [(0, Pass()), (0, Pass()), (0, Run("2+1 I3-J4"))]


def test_a_player_who_has_not_acted_is_not_skipped() -> None:
    """An action out of turn is read as it stands, and refused when it is played; after the end too."""
    starts = {"type": "par", "corporation": "FYN", "share_price": "74,0,20", "entity": 22, "entity_type": "player"}
    s = table(ISLE)
    assert list(Reader(SEATS).read(s, starts)) == [(1, Start("FYN", 74))]
    s = buy_certificate()
    s.over = "agreed"
    assert list(Reader(SEATS).read(s, starts)) == [(1, Start("FYN", 74))]
    assert list(Reader(SEATS).read(s, {"type": "pass", "entity": 11, "entity_type": "player"})) == []


def test_no_step_that_must_be_done_is_passed_by() -> None:
    """A company with a train must run: what comes later in its turn is read as it stands, and refused."""
    pays = {"type": "dividend", "kind": "payout", "entity": "IOW", "entity_type": "corporation"}
    assert list(Reader(SEATS).read(operating(ISLE, "IOW", "run"), pays)) == [(0, Dividend("pay"))]


def test_actions_outside_turns_wait_for_no_one() -> None:
    """An exchange (differences 9), and the end on which all agree: no one is passed by for them."""
    s = buy_certificate()
    s.privates["RPSC"] = 1
    swaps = {"type": "buy_shares", "shares": ["IOW_4"], "entity": "RPSC", "entity_type": "company"}
    assert list(Reader(SEATS).read(s, swaps)) == [(1, Exchange("RPSC"))]
    ends = {"type": "end_game", "entity": 22, "entity_type": "player"}
    assert list(Reader(SEATS).read(s, ends)) == [(turn.find_actors(s)[0], EndGame())]


def test_a_player_who_is_not_on_turn_can_end_the_game() -> None:
    s = operating(ISLE, "IOW", "track")
    ends = {"type": "end_game", "entity": 22, "entity_type": "player"}
    assert turn.find_actors(s) == (0,)
    assert list(Reader(SEATS).read(s, ends)) == [(0, EndGame())]


def test_a_pass_of_a_company_whose_turn_is_over_is_left_out() -> None:
    s = operating(ISLE, "IOW", "track")
    passes: dict[str, object] = {"type": "pass", "entity": "C&N", "entity_type": "corporation"}
    assert list(Reader(SEATS).read(s, passes)) == []
    assert list(Reader(SEATS).read(s, {**passes, "entity": "IOW"})) == [(0, Pass())]


COMPANY = {"entity": "IOW", "entity_type": "corporation"}
PLAYER = {"entity": 11, "entity_type": "player"}


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ({"type": "discard_train", "train": "2+1-3", **COMPANY}, Discard("2+1")),
        ({"type": "buy_train", "train": "3+2-0", "price": 300, "variant": "3+2", **COMPANY},
            BuyTrain("3+2", "bank", 300)),
        ({"type": "buy_train", "train": "2+1-0", "price": 70, "seller": "C&N", **COMPANY}, BuyTrain("2+1", "C&N", 70)),
        ({"type": "place_token", "city": "J4-0-1", "slot": 0, **COMPANY}, PlaceBase("J4", 1)),
        ({"type": "lay_tile", "hex": "J4", "tile": "57-1", "rotation": 4, **COMPANY}, LayTile("J4", "57", 4)),
        ({"type": "par", "corporation": "FYN", "share_price": "74,0,20", **PLAYER}, Start("FYN", 74)),
        ({"type": "bid", "price": 25, **PLAYER}, Bid(25)),
        ({"type": "bid", "price": 25, "company": "RPSC", **PLAYER}, BuyPrivate("RPSC")),
        ({"type": "buy_company", "company": "RPSC", "price": 130, **PLAYER}, BuyPrivate("RPSC")),
        ({"type": "sell_company", "company": "RPSC", "price": 100, **PLAYER}, SellPrivate("RPSC")),
        ({"type": "sell_shares", "shares": ["IOW_3", "IOW_4"], "percent": 20, **PLAYER}, Sell("IOW", 2)),
        ({"type": "sell_shares", "shares": ["IOW_3", "IOW_0"], "percent": 30, **PLAYER}, Sell("IOW", 3)),
        ({"type": "sell_shares", "shares": ["IOW_3", "IOW_0"], "percent": 20, **PLAYER}, Sell("IOW", 2)),
        ({"type": "buy_shares", "shares": ["IOW_3"], **PLAYER}, BuyShare("IOW", "ipo")),
        ({"type": "end_game", **PLAYER}, EndGame()),
    ],
)  # fmt: skip
def test_actions_of_18xx_games_are_read(raw: dict[str, object], action: Action) -> None:
    """Kinds of tiles and trains stand before the last dash of their ids."""
    steps: dict[object, TurnStep] = {"discard_train": "discard", "place_token": "base", "lay_tile": "track"}
    s = operating(ISLE, "IOW", steps.get(raw["type"], "train")) if raw["entity"] == "IOW" else table(ISLE)
    reader = Reader(SEATS)
    if raw["type"] == "sell_shares":
        reader.shares.move("IOW", [0, 3, 4], 0)
    assert next(reader.read(s, raw)) == (0, action)


@pytest.mark.parametrize("share", ["IOW_5", "IOW_9", "IOW_x", "IOW_12", "IOW_3"])
def test_a_player_sells_certificates_that_are_the_players(share: str) -> None:
    """18xx.games refuses a share that another player, the IPO or the pool has, and one that doesn't exist."""
    reader, s = Reader(SEATS), table(ISLE)
    reader.shares.move("IOW", [3], 1)
    reader.shares.move("IOW", [4], 0)
    with pytest.raises(RuleError, match=f"{share} isn't a share of the player who sells it"):
        next(reader.read(s, {"type": "sell_shares", "shares": ["IOW_4", share], **PLAYER}))
    with pytest.raises(RuleError, match="IOW_3 belongs to a player, so it can't be bought"):
        next(reader.read(s, {"type": "buy_shares", "shares": ["IOW_3"], **PLAYER}))
    with pytest.raises(RuleError, match="The action sells IOW_4 twice"):
        next(reader.read(s, {"type": "sell_shares", "shares": ["IOW_4", "IOW_4"], "percent": 20, **PLAYER}))
    with pytest.raises(RuleError, match="The action has no percent"):
        next(reader.read(s, {"type": "sell_shares", "shares": ["IOW_4"], **PLAYER}))


def test_the_hexes_of_a_route_are_on_the_map() -> None:
    reader, s = Reader(SEATS), operating(ISLE, "IOW", "run")
    for coord in ("Z99", "J5", ""):
        runs = {"type": "run_routes", "routes": [{**ROUTE, "hexes": ["I3", coord]}], **COMPANY}
        with pytest.raises(RuleError, match=f"There is no hex “{coord}” on the map"):
            list(reader.read(s, runs))


def test_the_second_owner_of_a_certificate_or_train_buys_it_from_the_first() -> None:
    """A file names what is bought, not always from whom."""
    reader, s = Reader(SEATS), table(ISLE)
    buys = {"type": "buy_shares", "shares": ["IOW_3"], **PLAYER}
    assert next(reader.read(s, buys))[1] == BuyShare("IOW", "ipo")
    reader.shares.move("IOW", [3], POOL)
    assert next(reader.read(s, buys))[1] == BuyShare("IOW", "pool")
    s = operating(ISLE, "IOW", "train")
    train = {"type": "buy_train", "train": "2+1-0", "price": 250}
    assert next(reader.read(s, {**train, **COMPANY}))[1] == BuyTrain("2+1", "bank", 250)
    assert next(reader.read(s, {**train, **COMPANY}))[1] == BuyTrain("2+1", "IOW", 250)
    s.operating.step = "discard"
    next(reader.read(s, {"type": "discard_train", "train": "2+1-0", **COMPANY}))
    s.operating.step = "train"
    assert next(reader.read(s, {**train, **COMPANY}))[1] == BuyTrain("2+1", "bank", 250)


def test_routes_name_trains_of_the_company_itself() -> None:
    """Of a train whose owner went bankrupt or gave it back no action tells, so only one that is still there counts."""
    reader, s = Reader(SEATS), operating(ISLE, "IOW", "run")
    reader.owner["2+1-0"] = "C&N"
    runs = {"type": "run_routes", "routes": [ROUTE], **COMPANY}
    assert list(reader.read(s, runs)) == [(0, Run("2+1 I3-J4"))]
    s.companies["C&N"].trains.append("2+1")
    with pytest.raises(RuleError, match=re.escape("The 2+1-0 is a train of C&N, not IOW.")):
        list(reader.read(s, runs))
    reader.owner["2+1-0"] = "IOW"
    assert list(reader.read(s, runs)) == [(0, Run("2+1 I3-J4"))]


def test_a_train_that_went_back_automatically_is_the_banks() -> None:
    """7.7: a company in receivership returns what is too much, of which no action tells."""
    reader, s = Reader(SEATS), operating(ISLE, "IOW", "train")
    train = {"type": "buy_train", "train": "2+1-0", "price": 250, **COMPANY}
    assert next(reader.read(s, train))[1] == BuyTrain("2+1", "bank", 250)
    s.companies["IOW"].trains.clear()
    s.returned.append("2+1")
    assert next(reader.read(s, train))[1] == BuyTrain("2+1", "bank", 250), "the returned one, though the pile has more"
    assert next(reader.read(s, {**train, "train": "2+1-1"}))[1] == BuyTrain("2+1", "pile", 250)


@pytest.mark.parametrize(
    ("code", "step", "raw", "refusal"),
    [
        ("C&N", "run", {"type": "run_routes", "routes": [ROUTE]}, "C&N has no train to run."),
        ("IOW", "dividend", {"type": "dividend", "kind": "half"}, "“half” isn't a kind of dividend."),
        ("IOW", "track", {"type": "pass", "entity_type": "company"}, "IOW is a corporation, not a company."),
        ("IOW", "track", {"type": "pass", "entity_type": None}, "IOW is a corporation, which the action doesn't"),
        ("IOW", "track", {"type": "pass", "entity": 11}, "11 is a player, not a corporation."),
        (
            "IOW",
            "track",
            {"type": "par", "corporation": "IOW"},
            "IOW is a corporation, but the action “par” is a player's.",
        ),
        ("IOW", "track", {"type": "buy_shares", "shares": ["IOW_1"]}, "In 1860, companies can't buy shares."),
        (
            "IOW",
            "track",
            {"type": "sell_shares", "shares": ["IOW_1", "C&N_2"]},
            "The action names shares of IOW and of another company.",
        ),
        (
            "IOW",
            "train",
            {"type": "buy_train", "train": "2+1-1", "price": 250},
            "isn't on top of the pile; the 2+1-0 is.",
        ),
        ("IOW", "train", {"type": "buy_train", "train": "2+1-0"}, "The action has no price."),
        (
            "IOW",
            "train",
            {"type": "buy_train", "train": "2+1-0", "price": 250, "variant": 0},
            "The action has no variant.",
        ),
        ("IOW", "run", {"type": "run_routes", "routes": [], "entity": "C&N"}, "It's the turn of IOW, not of C&N."),
        (
            "IOW",
            "run",
            {"type": "run_routes", "routes": [ROUTE], "entity": "LMS"},
            "There is no company “LMS” in 1860.",
        ),
    ],
)
def test_what_a_company_cannot_do_is_refused_in_a_file(
    code: str, step: TurnStep, raw: dict[str, object], refusal: str
) -> None:
    s = operating(ISLE, code, step, revenue=50)
    with pytest.raises(RuleError, match=re.escape(refusal)):
        list(Reader(SEATS).read(s, {"entity": code, "entity_type": "corporation", **raw}))


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        (
            {"type": "buy_shares", "shares": ["IOW_3", "IOW_4"]},
            "buys 2 certificates; only one can be bought at a time.",
        ),
        ({"type": "buy_shares", "shares": ["IOW_9"]}, "There is no share “IOW_9”."),
        ({"type": "buy_company", "company": "RPSC"}, "The action has no price."),
        ({"type": "sell_company", "company": "RPSC", "price": "30"}, "The action has no price."),
        ({"type": "bid", "company": "RPSC"}, "The action has no price."),
        (
            {"type": "buy_shares", "shares": ["C&N_8"], "entity": "RPSC", "entity_type": "company"},
            "isn't exchanged for a share of C&N.",
        ),
    ],
)
def test_what_a_player_cannot_do_is_refused_in_a_file(raw: dict[str, object], refusal: str) -> None:
    with pytest.raises(RuleError, match=re.escape(refusal)):
        list(Reader(SEATS).read(table(ISLE), {**PLAYER, **raw}))


def test_in_a_stock_round_a_company_passes_only_for_its_home_tile() -> None:
    """Differences 72: the pass of another is left out, as no one is asked for it."""
    company = {"type": "pass", "entity": "IOW", "entity_type": "corporation"}
    assert not list(Reader(SEATS).read(table(ISLE), company))
    s = table(ISLE)
    s.stock.homes = ["IOW"]
    s.rules = replace(s.rules, unfitting_home_tile_skipped=False)
    assert list(Reader(SEATS).read(s, company)) == [(0, Pass())]
    assert not list(Reader(SEATS).read(s, company | {"entity": "C&N"}))


def test_a_home_tile_is_laid_by_the_company_that_waits_for_it() -> None:
    """18xx.games asks NGStL, so a lay of another company of the same director is refused."""
    s = table("NGStL 3* . | par 74 at 74\n" + ISLE)
    s.stock.homes = ["NGStL"]
    lay = {"type": "lay_tile", "hex": "G9", "tile": "5-0", "rotation": 0, "entity_type": "corporation"}
    with pytest.raises(RuleError, match=re.escape("It's the turn of NGStL, not of IOW.")):
        list(Reader(SEATS).read(s, {**lay, "entity": "IOW"}))
    assert list(Reader(SEATS).read(s, {**lay, "entity": "NGStL"})) == [(0, LayTile("G9", "5", 0))]
