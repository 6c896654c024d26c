"""Single actions of 1862 in the words of 18xx.games, and actions of files whose passes are left out."""

from typing import Literal

import pytest

from engine import Action, RuleError
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import POOL
from engine.interop.g1862 import profile
from engine.interop.g1862.reader import Reader
from engine.interop.g1862.shares import TREASURY
from engine.interop.g1862.writer import Writer
from engine.titles.g1862.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    LinkLondon,
    Merge,
    Option,
    PlaceMarker,
    RaiseMoney,
    Redeem,
    Run,
    Sell,
    Start,
)
from engine.titles.g1862.state import COMPANY, Merging, State, TurnStep
from tests.engine.titles.g1862.positions import operating, play, stock, table

IDS = (11, 22, 33, 44)
SEATS = {str(player): seat for seat, player in enumerate(IDS)}
COUNTIES = """N&E 90 5*,1,0,0 trains=2F at=B13 cash=400 treasury=1
WStI 82 0,5*,1,0 trains=2F at=B5,B13 cash=300 ipo=3"""
OF = {"entity": "N&E", "entity_type": "corporation"}
MERGES = {"type": "merge", "corporation": "WStI", **OF}


def at(step: TurnStep, code: str = "N&E", **state: str) -> State:
    """Return a company at a step, where the site asks every question."""
    s = operating(table(COUNTIES, tiles="B13:57:0 B5:57:0", options={"profile": "18xx.games"}), code, step)
    s = profile.ask_everything(s)
    for name, value in state.items():
        setattr(s, name, value)
    return s


def choice(word: Literal["first", "last"]) -> dict[str, object]:
    return {"type": "choose", "choice": word, **OF}


@pytest.mark.parametrize(
    ("step", "action", "written"),
    [
        ("merge", Merge("WStI", "N&E"), {**MERGES, "auto_actions": [choice("first")]}),
        ("acquire", Merge("WStI", "WStI"), {**MERGES, "auto_actions": [choice("last")]}),
        ("merge", Pass(), {"type": "pass"}),
        ("run", Run("none"), {"type": "run_routes", "extra_revenue": 0, "plan": "none", "routes": [], "subsidy": 0}),
        ("token", PlaceMarker("B9"), {"type": "place_token", "city": "B9-0-0", "slot": 0, "tokener": "N&E"}),
        ("dividend", Dividend("pay"), {"type": "dividend", "kind": "payout"}),
        ("dividend", Dividend("keep"), {"type": "dividend", "kind": "withhold"}),
        ("train", BuyTrain("1F", "bank", 2), {
            "type": "buy_train", "train": "A-0", "price": 100, "variant": "1F*", "warranties": 2}),
        ("redeem", Redeem(), {"type": "buy_shares", "shares": [], "percent": 10}),
    ],
)  # fmt: skip
def test_events_of_a_companys_turn_are_described(step: TurnStep, action: Action, written: dict[str, object]) -> None:
    """Both ways, but for a merger, which is read in two parts; the site does not ask for it (differences 21)."""
    found = Writer(IDS).write(at(step), 0, action)
    assert found == {**written, **OF}
    if not isinstance(action, Merge | Redeem):
        assert list(Reader(SEATS).read(at(step), found)) == [(0, action)]


@pytest.mark.parametrize(("word", "survivor"), [("first", "N&E"), ("last", "WStI")])
def test_the_survivor_is_reported_next(word: Literal["first", "last"], survivor: str) -> None:
    """The first is the company whose turn it is; the other director agrees, which the site does not log."""
    reader, s = Reader(SEATS), at("merge")
    assert list(reader.read(s, MERGES)) == []
    said = next(reader.read(s, choice(word)))
    assert said == (0, Merge("WStI", survivor))


def test_the_boxes_of_london_are_cities_of_their_own() -> None:
    """Their spaces are taken in order; who links to one has the first that is free."""
    s, w = at("token"), Writer(IDS)
    for link, city in ((LinkLondon("B15"), "B15-0-3"), (LinkLondon("D15"), "D15-0-4")):
        written = w.write(s, 0, link)
        assert written == {"type": "place_token", "city": city, "slot": 0, "tokener": "N&E", **OF}
        assert list(Reader(SEATS).read(s, written)) == [(0, link)]
    s.companies["WStI"].london = "B15"
    assert (w.write(s, 0, LinkLondon("B15")) or {})["slot"] == 1


def read(s: State, raw: dict[str, object]) -> list[tuple[int, Action]]:
    """Read one action of a file and play all that it means."""
    found = []
    for seat, action in Reader(SEATS).read(s, raw):
        found.append((seat, action))
        play(s, action, seat=seat)
    return found


def test_passes_that_a_file_leaves_out_are_put_in() -> None:
    """Of the company whose turn it is, until the company that acts has its own; of players likewise."""
    buys = {"type": "buy_train", "train": "A-0", "price": 100, "variant": "1F*", "warranties": 0}
    wsti = {**buys, "entity": "WStI", "entity_type": "corporation"}
    passes, last = read(at("train"), wsti)[:-1], (1, BuyTrain("1F", "bank", 0))
    assert passes[0] == (0, Pass())
    assert read(at("train"), wsti)[-1] == last
    assert all(action in (Pass(), Run("none")) for _, action in passes)
    shares = {"type": "buy_shares", "shares": ["WStI_7"], "entity": 22, "entity_type": "player"}
    s = stock(table(COUNTIES, options={"profile": "18xx.games"}))
    s = profile.ask_everything(s)
    assert [seat for seat, _ in read(s, shares)] == [0, 1]


@pytest.mark.parametrize(("code", "why"), [("ENR", "isn't in play"), ("GWR", "isn't a company of 1862")])
def test_a_company_not_in_this_game_is_distinguished_from_an_unknown_one(code: str, why: str) -> None:
    s = stock(table(COUNTIES))
    s.companies.pop("ENR", None)
    starts = {"type": "par", "corporation": code, "share_price": "54,0,12", "entity": 11, "entity_type": "player"}
    with pytest.raises(RuleError, match=f"“{code}” {why}"):
        list(Reader(SEATS).read(s, starts))


def test_a_merger_that_no_one_is_asked_for_is_refused() -> None:
    """By the company whose turn it is, in its last step; no pass leads to another company's."""
    s = at("acquire")
    s.operating.merging = Merging("N&E", "WStI", "merge", 0, 122, [], COMPANY)
    with pytest.raises(RuleError, match="N&E isn't asked for a merger now"):
        list(Reader(SEATS).read(s, MERGES))


def test_a_marker_of_a_space_that_is_not_there_is_refused() -> None:
    reader, s = Reader(SEATS), at("merge")
    with pytest.raises(RuleError, match="B13 has no space 10"):
        list(reader.read(s, {"type": "remove_token", "city": "B13-0-0", "slot": 10, **OF}))


def test_a_run_without_routes_is_refused() -> None:
    with pytest.raises(RuleError, match=r"The action has no routes\."):
        list(Reader(SEATS).read(at("run"), {"type": "run_routes", **OF}))


def test_an_end_that_all_agree_on_waits_for_no_one() -> None:
    for s in (at("track", "WStI"), stock(table(COUNTIES))):
        ends = {"type": "end_game", "entity": 44, "entity_type": "player"}
        assert [action for _, action in Reader(SEATS).read(s, ends)] == [EndGame()]


def test_a_pass_that_no_player_was_asked_for_is_left_out() -> None:
    """Of another company, of a player in an operating round, of a company in a stock round, after the end."""
    company, player = {"type": "pass", **OF}, {"type": "pass", "entity": 11, "entity_type": "player"}
    assert list(Reader(SEATS).read(at("track"), company)) == [(0, Pass())]
    assert list(Reader(SEATS).read(at("track", over="agreed"), company)) == []
    assert list(Reader(SEATS).read(at("track"), {**company, "entity": "WStI"})) == []
    assert list(Reader(SEATS).read(at("track"), player)) == []
    assert list(Reader(SEATS).read(at("dividend"), company)) == []
    s = stock(table(COUNTIES))
    assert list(Reader(SEATS).read(s, player)) == [(0, Pass())]
    assert list(Reader(SEATS).read(s, company)) == []
    assert list(Reader(SEATS).read(s, {**player, "entity": 22})) == []


@pytest.mark.parametrize(
    ("seat", "action", "written"),
    [
        (0, Sell("N&E", 1), {"type": "sell_shares", "shares": ["N&E_1"], "percent": 10}),
        (1, Sell("WStI", 2), {
            "type": "sell_shares", "shares": ["WStI_1", "WStI_2"], "percent": 20, "share_price": 41}),
        (0, BuyShare("N&E", "pool"), {"type": "buy_shares", "shares": ["N&E_5"], "percent": 10}),
        (0, BuyShare("N&E", "treasury"), {"type": "buy_shares", "shares": ["N&E_4"], "percent": 10}),
        (1, BuyShare("WStI", "ipo"), {"type": "buy_shares", "shares": ["WStI_3"], "percent": 10}),
        (1, Start("ESR", 54), {"type": "par", "corporation": "ESR", "share_price": "54,0,12"}),
        (1, Pass(), {"type": "pass"}),
    ],
)  # fmt: skip
def test_events_of_a_players_stock_turn_are_described(seat: int, action: Action, written: dict[str, object]) -> None:
    """Certificates by their numbers, those longest held first; a company without a train sells at half its price."""
    s = stock(table(COUNTIES.replace("WStI 82 0,5*,1,0 trains=2F", "WStI 82 0,5*,1,0")), seat)
    w, reader = Writer(IDS), Reader(SEATS)
    lying = {"N&E": ((0, 1, 2), (3,), (4,), (5, 6, 7)), "WStI": ((), (0, 1, 2), (), ())}
    for code, places in lying.items():
        for known in (w.shares, reader.shares):  # as they lie in mid-game
            for holder, numbers in zip((0, 1, TREASURY, POOL), places, strict=True):
                known.move(code, numbers, holder)
    found = w.write(s, seat, action)
    assert found == {**written, "entity": IDS[seat], "entity_type": "player"}
    assert list(reader.read(s, found)) == [(seat, action)]


@pytest.mark.parametrize(
    ("treasury", "how", "written"), [(5, "treasury", "pass"), (0, "refinance", "pass"), (5, "refinance", "convert")]
)
def test_a_pass_raises_money_for_the_train_that_must_be_had(
    treasury: int, how: Literal["treasury", "refinance"], written: str
) -> None:
    """From the treasury if its shares suffice, else by refinancing; which of both may be chosen (18)."""
    text = f"N&E 50 5*,0,0,0 treasury={treasury} cash=10 at=B13 par=54 permits=express"
    s = operating(table(text, options={"profile": "18xx.games"}), "N&E", "train")
    found = Writer(IDS).write(s, 0, RaiseMoney(how))
    assert found == {"type": written, **OF}
    assert list(Reader(SEATS).read(s, found)) == [(0, RaiseMoney(how))]
    s.companies["N&E"].cash = 100
    assert list(Reader(SEATS).read(s, {"type": "pass", **OF})) == [(0, Pass())], "who can pay raises nothing"


@pytest.mark.parametrize(("holder", "who"), [(1, {"entity": 22, "entity_type": "player"}), (COMPANY, OF)])
def test_an_option_is_decided_by_its_holder_or_by_the_company_whose_turn_it_is(
    holder: int, who: dict[str, object]
) -> None:
    s = at("merge")
    s.operating.merging = Merging("N&E", "WStI", "merge", 0, 122, [], holder)
    assert Writer(IDS).write(s, 1, Option("sell")) == {"type": "choose", "choice": "sell", **who}
