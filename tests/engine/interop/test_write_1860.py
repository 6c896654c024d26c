"""Games of 1860 written for 18xx.games: certificates and trains by their ids, and who acts."""

import pytest

from engine import Action
from engine.errors import RuleError
from engine.finance.events import CompanyStarted, DirectorChanged, ShareBought, SharesSold
from engine.finance.rounds import Pass
from engine.finance.state import IPO, POOL
from engine.game import play_entry
from engine.interop.g1860.profile import TITLE
from engine.interop.g1860.reader import Reader
from engine.interop.g1860.writer import Writer
from engine.interop.site import read_texts
from engine.interop.writing import DIRECTORS, Certificates, write_ids
from engine.setup import Setup
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import Answer, BuyShare, BuyTrain, Discard, Exchange, Run, Sell, Start
from engine.titles.g1860.state import State
from tests.engine.titles.g1860.positions import operating, play, table
from tests.playthroughs.record import read
from tests.support.sure import as_a, sure

IDS = (11, 22)


def write_actions(
    w: Writer,
    s: State,
    *actions: Action,
    seat: int | None = None,
) -> dict[str, object] | None:
    """Write actions and play them; return what the last one is there."""
    for action in actions:
        who = TITLE.actors(s)[0] if seat is None else seat
        found = w.write(s, who, action)
        for event in play(s, action, seat=who):
            w.hear(event)
    return found


def start_iow() -> tuple[Writer, State]:
    """Return a game in which seat 0 has just started IOW at 74."""
    w, s = Writer(IDS), table("cash 900 900", number=2)
    assert write_actions(w, s, Start("IOW", 74)) == {
        "type": "par", "corporation": "IOW", "share_price": "74,0,20", "entity": 11, "entity_type": "player",
    }  # fmt: skip
    return w, s


def test_certificates_by_their_ids() -> None:
    """The certificates sold are those named; a change of director swaps the first two of the taker."""
    w, s = start_iow()
    assert sure(write_actions(w, s, BuyShare("IOW", "ipo")))["shares"] == ["IOW_1"]
    write_actions(w, s, Pass(), BuyShare("IOW", "ipo"), Pass(), BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].director == 1
    assert w.shares.list_singles("IOW", 0) == [1, 2]
    s.stock.turn = 0
    sale = sure(write_actions(w, s, Sell("IOW", 2)))
    assert (sale["shares"], sale["percent"], sale["share_price"]) == (["IOW_1", "IOW_2"], 20, 37)
    assert (w.shares.list_singles("IOW", POOL), w.shares.list_singles("IOW", 1)) == ([1, 2], [3])


@pytest.mark.parametrize("name", ["1860-3", "1860-4-site"])
def test_the_certificates_agree_with_the_state(name: str) -> None:
    """Whatever a whole game does, each holder's certificates stand for their shares, the director's one too."""
    kept = read(name)
    seats, s = range(kept.setup.seats), TITLE.deal(kept.setup)
    w = Writer(tuple(seats))
    for entry in kept.read_log():
        w.write(s, entry.seat, entry.action)
        play_entry(TITLE, s, entry, w.hear)
        w.shares.begin_action()
        for code, company in s.companies.items():
            counts = [w.shares.count_shares(code, holder) for holder in (*seats, IPO, POOL)]
            assert counts == [*company.shares, company.ipo, company.pool]
            assert w.shares.find_holder(code, DIRECTORS) == company.director


def test_an_exchange_takes_the_first_of_the_ipo() -> None:
    """The reserved certificate becomes an ordinary one."""
    w, s = start_iow()
    s.privates["RPSC"] = 1
    swap = sure(write_actions(w, s, Exchange("RPSC"), seat=1))
    assert (swap["entity"], swap["entity_type"], swap["shares"]) == ("RPSC", "company", ["IOW_1"])


def test_a_pass_for_a_home_tile_comes_from_the_company() -> None:
    """Where no tile fits the home of a company that has floated."""
    w, s = start_iow()
    s.rules = TITLE.deal(Setup("1860", 2, {"profile": "18xx.games"})).rules
    s.stock.homes = ["IOW"]
    s.board = s.board.with_tile("I3", "758", 0)
    assert w.write(s, 0, Pass()) == {"type": "pass", "entity": "IOW", "entity_type": "corporation"}


@pytest.mark.parametrize(("gives_back", "leases"), [(True, "2+1-0"), (False, "2+1-1")])
def test_a_leased_train_has_the_id_of_the_one_it_is(gives_back: bool, leases: str) -> None:
    """The next of the pile, or one that lies among the returned."""
    w = Writer(IDS)
    s = operating("cash 0 0\nC&N 5* | at 90 | 900cc\nIOW . 5* | at 82 | 9cc | insolvent", "C&N", "train")
    assert sure(write_actions(w, s, BuyTrain("2+1", "bank", 250)))["train"] == "2+1-0"
    if gives_back:
        s.operating.step = "discard"
        assert sure(write_actions(w, s, Discard("2+1")))["train"] == "2+1-0"
        s.depot["2+1"] = 0
    s.operating.index, s.operating.step = s.operating.order.index("IOW"), "run"
    run = write_actions(w, s, TITLE.spell_out(s, 1, Run("best")))
    assert [route["train"] for route in as_a(list, sure(run)["routes"])] == [leases]


def test_a_train_that_a_company_bought_automatically_has_an_id() -> None:
    """7.7: in receivership it buys without an action; it sells that train, and buys a returned one."""
    w = Writer(IDS)
    text = "cash 0 0\nC&N . 5* | at 90 | 900cc | 2+1\nIOW 5* | at 82 | 900cc"
    s = operating(text, "IOW", "train")
    assert sure(write_actions(w, s, BuyTrain("2+1", "bank", 250)))["train"] == "2+1-1", "2+1-0 is the one of C&N"
    s.companies["C&N"].trains.clear()
    s.returned.append("2+1")
    s.operating.step = "train"
    assert sure(write_actions(w, s, BuyTrain("2+1", "bank", 250)))["train"] == "2+1-0"


def test_the_player_entering_a_run_in_receivership_is_written_and_read() -> None:
    """Any player may (differences 49): the log that comes back has the same seats."""
    text = "cash 0 0\nIOW 1 1 | pool 2* | at 82 | 9cc | 2+1"
    s = operating(text, "IOW", "run", options={"profile": "18xx.games"})
    found = sure(Writer(IDS).write(s, 1, Run("none")))
    assert (found["entity"], found["user"]) == ("IOW", 22)
    reader = Reader({"11": 0, "22": 1})
    assert list(reader.read(s, found)) == [(1, Run("none"))]
    del found["user"]
    assert list(reader.read(s, found)) == [(0, Run("none"))], "files of old games do not say it"


@pytest.mark.parametrize("asked", [0, 1])
def test_a_train_of_another_director_is_written_when_it_is_agreed_to(asked: int) -> None:
    """The site does not ask: nothing is written of a proposal, nor of one that is declined."""
    holds = ["| 2+1 2+1" if seat == asked else "" for seat in (0, 1)]
    s = operating(
        f"cash 0 0\nC&N 5* | at 90 | 900cc {holds[0]}\nIOW . 5* | at 82 | 900cc {holds[1]}",
        ("IOW", "C&N")[asked], "train",
    )  # fmt: skip
    w, seller = Writer(IDS), ("C&N", "IOW")[asked]
    assert write_actions(w, s, BuyTrain("2+1", seller, 50)) is None
    assert write_actions(w, s, Answer("decline"), seat=asked) is None
    assert write_actions(w, s, BuyTrain("2+1", seller, 60)) is None
    assert write_actions(w, s, Answer("accept"), seat=asked) == {
        "type": "buy_train", "train": "2+1-0", "price": 60, "seller": seller,
        "entity": ("IOW", "C&N")[asked], "entity_type": "corporation",
    }  # fmt: skip


def test_the_certificates_of_a_bankrupt_company_lie_in_the_ipo_again() -> None:
    """8.1: it may start anew, and then the same certificates are sold."""
    w, s = start_iow()
    companies.declare_bankrupt(s, s.companies["IOW"], w.hear)
    assert [w.shares.count_shares("IOW", holder) for holder in (0, IPO)] == [0, 10]


@pytest.mark.parametrize("shares", [None, "IOW_1", [], [1], ["IOW_1", 2]])
def test_shares_that_are_no_list_of_names_are_refused(shares: object) -> None:
    with pytest.raises(RuleError, match="no shares"):
        read_texts({"shares": shares}, "shares")
    assert read_texts({"shares": ["IOW_1"]}, "shares") == ["IOW_1"]


def test_a_train_bought_unasked_comes_from_the_pile_not_from_those_returned() -> None:
    """7.7: the returned one keeps its id until someone takes it."""
    w = Writer(IDS)
    s = operating("cash 0 0\nC&N 5* | at 90 | 900cc\nIOW . 5* | at 82 | 900cc", "C&N", "train")
    assert sure(write_actions(w, s, BuyTrain("2+1", "bank", 250)))["train"] == "2+1-0"
    s.operating.step = "discard"
    assert sure(write_actions(w, s, Discard("2+1")))["train"] == "2+1-0"
    assert s.returned == ["2+1"]
    s.companies["C&N"].trains.append("2+1")  # by itself, from the pile
    s.operating.index, s.operating.step = s.operating.order.index("IOW"), "train"
    assert sure(write_actions(w, s, BuyTrain("2+1", "bank", 250)))["train"] == "2+1-0"
    assert w.list_trains(s, "C&N", ["2+1"]) == ["2+1-1"]


@pytest.mark.parametrize(("seller", "id_"), [("bank", "2+1-0"), ("pile", "2+1-1")])
def test_of_two_trains_alike_the_file_names_which_is_bought(seller: str, id_: str) -> None:
    """6.34: one was returned, one is on the pile; both are the bank's there."""
    w, reader = Writer(IDS), Reader({"11": 0, "22": 1})
    s = operating("cash 0 0\nC&N 5* | at 90 | 900cc\nIOW . 5* | at 82 | 900cc", "C&N", "train")
    for action in (BuyTrain("2+1", "bank", 250), Discard("2+1")):
        before = TITLE.clone(s)
        found = sure(write_actions(w, s, action))
        assert list(reader.read(before, found)) == [(0, action)]
        s.operating.step = "discard"
    s.operating.index, s.operating.step = s.operating.order.index("IOW"), "train"
    before, action = TITLE.clone(s), BuyTrain("2+1", seller, 250)
    found = sure(write_actions(w, s, action))
    assert (found["train"], found["variant"], "seller" in found) == (id_, "2+1", False)
    assert list(reader.read(before, found)) == [(1, action)]


def test_nothing_is_written_beside_actions_where_the_site_does_not_hang() -> None:
    """Differences 79: only after a bankruptcy in a stock round, before a pass."""
    w, s = start_iow()
    assert w.write_afterwards() == []
    for event in play(s, Pass()):
        w.hear(event)
    assert w.write_afterwards() == []


def buy(of: Certificates, seat: int, *numbers: int, change: int = 0) -> None:
    """Let a seat buy certificates of IOW, one after the other."""
    for number in numbers:
        of.note_named([number], change)
        of.hear(ShareBought(seat, "IOW", "ipo", 74))


def sell(of: Certificates, seat: int, shares: int) -> list[int]:
    """Let a seat sell shares of IOW; return the certificates that it names."""
    named = of.choose_for_sale("IOW", seat, shares)
    of.note_named(named)
    of.hear(SharesSold(seat, "IOW", shares, 37))
    return named


def make_certificates(**bought: tuple[int, ...]) -> Certificates:
    """Return the certificates after seat 0 has started IOW, and seats ``s0``, ``s1`` … have bought some."""
    of = Certificates(["IOW"], 9, 2)
    of.hear(CompanyStarted(0, "IOW", 74, 148))
    for seat, numbers in bought.items():
        buy(of, int(seat[1:]), *numbers)
    return of


def list_singles(of: Certificates, *holders: int) -> list[list[int]]:
    return [of.list_singles("IOW", holder) for holder in holders]


def test_the_director_gets_the_first_certificate() -> None:
    of = make_certificates()
    assert (of.count_shares("IOW", 0), of.list_singles("IOW", IPO)) == (2, [1, 2, 3, 4, 5, 6, 7, 8])
    assert write_ids("IOW", [0, 1]) == ["IOW_0", "IOW_1"]
    assert (of.find_holder("IOW", 0), of.find_holder("IOW", 9), of.find_holder("FYN", 0)) == (0, None, None)


def test_the_one_named_moves() -> None:
    assert make_certificates(s1=(5, 2)).list_singles("IOW", 1) == [5, 2], "in order of acquisition"


def test_a_change_of_director_swaps_the_first_two_of_the_taker() -> None:
    """4.13: seat 1 has more; the two it got first go to the director before."""
    of = make_certificates(s1=(7, 4, 1))
    of.hear(DirectorChanged("IOW", 1))
    assert list_singles(of, 1, 0) == [[1], [7, 4]]
    assert of.find_holder("IOW", DIRECTORS) == 1


def test_a_director_who_sells_out_has_no_part_in_the_change() -> None:
    """4.13: the taker's certificates stand for the director's in the pool."""
    of = make_certificates(s1=(3, 4), s2=(1, 2))
    assert sell(of, 0, 2) == [DIRECTORS]
    of.hear(DirectorChanged("IOW", 1))
    of.begin_action()
    assert (list_singles(of, POOL, 0, 1), of.find_holder("IOW", DIRECTORS)) == ([[3, 4], [], []], 1)


def test_a_part_of_the_directors_certificate_is_given_back_out_of_the_pool() -> None:
    """4.12: no one can take it; he sells two shares of three and gets back the first single of the pool."""
    of = make_certificates(s0=(6,), s2=(3,))
    sell(of, 2, 1)
    assert sell(of, 0, 2) == [6, DIRECTORS]
    of.begin_action()
    assert (list_singles(of, 0, POOL), of.find_holder("IOW", DIRECTORS)) == ([[3], [6]], POOL)
    of.begin_action()
    assert list_singles(of, 0, POOL) == [[3], [6]], "it is given back once"


def test_singles_are_named_before_the_directors() -> None:
    of = make_certificates(s0=(6, 2))
    assert (of.choose_for_sale("IOW", 0, 2), of.choose_for_sale("IOW", 0, 4)) == ([6, 2], [6, 2, DIRECTORS])


def test_two_shares_take_the_directors_certificate_out_of_the_pool() -> None:
    """7.8: both go to the pool for it."""
    of = make_certificates(s1=(5,))
    sell(of, 0, 2)
    buy(of, 1, 2)
    of.hear(DirectorChanged("IOW", 1))
    assert (list_singles(of, 1, POOL), of.find_holder("IOW", DIRECTORS)) == ([[], [5, 2]], 1)


def test_the_directors_certificate_bought_out_of_the_pool_sends_one_back() -> None:
    of = make_certificates(s1=(5,))
    sell(of, 0, 2)
    buy(of, 1, DIRECTORS, change=1)
    of.hear(DirectorChanged("IOW", 1))
    assert (of.count_shares("IOW", 1), list_singles(of, 1, POOL)) == (2, [[], [5]])


def test_singles_bought_out_of_the_pool_leave_the_directors_certificate_in_it() -> None:
    """7.8: one share does not take it."""
    of = make_certificates(s0=(5,))
    sell(of, 0, 3)
    buy(of, 1, 5)
    assert (list_singles(of, 1), of.find_holder("IOW", DIRECTORS)) == ([[5]], POOL)
