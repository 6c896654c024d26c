"""Pictures and their words."""

from collections.abc import Sequence

import msgspec
import pytest

from engine.brief import fold
from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.record import Action, Event
from engine.setup import Rng, Setup
from engine.title import Request
from engine.titles.steel_driver import TITLE
from engine.titles.steel_driver import events as e
from engine.titles.steel_driver.actions import Build, Open
from engine.titles.steel_driver.pictures.say import tell
from engine.titles.steel_driver.pictures.sheets import MAX_WORDS, join_parts
from engine.titles.steel_driver.state import Phase, State, find_company, find_place
from engine.view import AnyView, Chart, CharterView, Network, Sheet, View
from tests.engine.titles.steel_driver.positions import box, building, deal, lay, legal, play
from tests.support.sure import as_a, sure

NAMES = ("Don", "Simon", "Richard", "Andy")


def see(state: State, picture: str, **about: str) -> View:
    """Return a picture as Don sees it."""
    return TITLE.views.look(state, Request(picture, 0, names=NAMES, **about))


def cells(sheet: View, table: int = 0) -> list[list[str]]:
    """Return the rows of a table as plain words."""
    return [[entry.text or entry.chip for entry in row] for row in as_a(Sheet, sheet).tables[table].rows]


def network(state: State) -> Network:
    """Return the map."""
    return as_a(Network, see(state, "map"))


def choices_on_map(state: State, choices: Sequence[Action]) -> Network:
    """Return the map with what may be chosen."""
    return as_a(Network, TITLE.views.illustrate(state, Request(seat=0), choices))


def test_after_every_turn_the_map_is_shown() -> None:
    """The rest is there for who asks."""
    assert [picture.name for picture in TITLE.views.pictures if picture.every_turn] == ["map"]


@pytest.mark.parametrize("seats", [3, 6])
def test_every_picture_can_be_looked_at_at_any_time(seats: int) -> None:
    names = tuple(f"A rather long name {seat}" for seat in range(seats))
    state, rng = TITLE.deal(Setup("steel_driver", seats, {}, 4)), Rng(4)
    moves = 0
    while True:
        if moves % 25 == 0 or not TITLE.actors(state):
            for picture in TITLE.views.pictures:
                subjects = TITLE.views.subjects(state, picture.about) if picture.about else [("", "")]
                for subject, _ in subjects:
                    view = TITLE.views.look(state, Request(picture.name, 0, subject, names))
                    assert 0 < len(view.alt) <= 1024
                    assert view.title
                    assert msgspec.json.decode(msgspec.json.encode(view), type=AnyView) == view
        if not TITLE.actors(state):
            break
        seat = TITLE.actors(state)[0]
        play(state, seat, TITLE.advice.choose(state, seat, rng))
        moves += 1


def test_the_map_shows_places_by_shape_value_and_goods() -> None:
    view = network(deal())
    places = {place.id: place for place in view.places}
    assert (places["new_york"].shape, places["new_york"].value, places["new_york"].letter) == ("hexagon", 50, "K")
    assert (places["denver"].shape, places["denver"].goods, places["denver"].letter) == ("circle", "silver", "S")
    assert len(view.outlines) == 1
    assert "econstruction" in view.notes[0]
    state = deal()
    lay(state, "red", "baltimore-pittsburgh")
    assert network(state).notes == ()


def test_the_map_shows_links_by_company_and_costs() -> None:
    state = deal()
    lay(state, "red", "baltimore-pittsburgh")
    view = network(state)
    links = {(link.a, link.b): link for link in view.links}
    assert links["baltimore", "pittsburgh"].company == "RED"
    assert links["denver", "omaha"].company == ""
    assert links["denver", "omaha"].cost == 4
    assert next(place for place in view.places if place.id == "baltimore").starts == ("RED",)
    assert all(place.cube and place.letter for place in view.places)  # goods are told by letter and shape too
    assert "Red, from Baltimore: Baltimore–Pittsburgh." in view.alt


def test_choices_are_numbered_on_the_map_in_their_order() -> None:
    state = building(deal(), red=3)
    lay(state, "red", "baltimore-pittsburgh")
    choices = [action for action in legal(state) if isinstance(action, Build)]
    view = choices_on_map(state, choices)
    numbered = {link.choice: (link.a, link.b) for link in view.links if link.choice}
    assert list(range(1, len(choices) + 1)) == sorted(int(number) for number in numbered)
    for number, action in enumerate(choices, 1):
        assert set(numbered[str(number)]) == {action.origin, action.destination}
        assert f" {number}: {TITLE.words.label(state, action, 'route')}." in view.alt
    assert all((link.mark == "can") == bool(link.choice) for link in view.links)


def test_a_first_link_is_listed_once_in_the_direction_that_scores_more() -> None:
    """A link between two hexagons; the other direction is still legal, and two such moves share its number."""
    state = building(deal(), red=2)
    both = [Build("boston", "new_york"), Build("new_york", "boston")]
    assert set(both) < set(legal(state))
    assert [TITLE.advice.plain(state, each) for each in both] == [both[0]] * 2
    assert [link.choice for link in choices_on_map(state, both).links if link.choice] == ["1/2"]


def test_cubes_to_claim_are_numbered_on_their_places() -> None:
    state = deal()
    state.turn = 5
    for name, links in (("red", "baltimore-pittsburgh"), ("blue", "new_york-pittsburgh")):
        lay(state, name, links)
        box(state, name).shares = [1, 0, 0, 0]
    for seat in (0, 1, 2, 3):
        play(state, seat, Pass())
    view = choices_on_map(state, legal(state))
    places = {place.id: place for place in view.places}
    assert (places["baltimore"].choice, places["pittsburgh"].choice) == ("1", "2")
    assert places["new_york"].cube
    assert not places["denver"].cube
    left = [place.name for place in network(state).places if place.cube]
    assert len(left) == 3
    assert f"Cubes at {', '.join(left)}." in network(state).alt


def test_the_boxes_show_treasury_controller_and_shares() -> None:
    state = deal()
    play(state, 0, Open("green", 3))
    view = see(state, "boxes")
    assert isinstance(view, Sheet)
    assert cells(view)[2][2] == "in auction"
    assert "Green is being auctioned: Don bids 3" in view.notes
    for seat in (1, 2, 3):
        play(state, seat, Pass())
    assert cells(see(state, "boxes"))[2] == ["Green", "3", "Don", "$0", "17", "Don 1"]
    assert sure(TITLE.views.illustrate(state, Request(seat=1), [Pass()])).title.startswith("Company boxes")


def test_one_company_in_full() -> None:
    state = deal()
    lay(state, "red", "baltimore-pittsburgh")
    view = see(state, "company", about="red")
    assert isinstance(view, CharterView)
    facts = dict(view.facts)
    assert facts["Start"] == "Baltimore"
    assert (facts["Colours reached"], view.notes) == ("2 black", ("Places: Baltimore, Pittsburgh",))
    assert "Shares" not in facts, "they have rows of their own"
    assert facts["Links left"] == "16"
    with pytest.raises(RuleError, match="no company"):
        see(state, "company", about="pink")


def test_the_players_with_cash_cubes_and_shares() -> None:
    state = deal()
    box(state, "red").shares[1] = 2
    view = as_a(Sheet, see(state, "table"))
    assert cells(view)[0][:3] == ["Don ★", "$0", "8"]
    assert cells(view)[1] == ["Simon", "$0", "8", "2", "–", "–", "–", "–", "–"]
    assert view.tables[0].mine == 0


def test_the_order_of_play_the_pass_row_and_the_profit_track() -> None:
    state = building(deal(), red=9, blue=9)
    state.passed = [2]
    box(state, "blue").profit = 40
    view = as_a(Sheet, see(state, "order"))
    assert [table.title for table in view.tables] == ["Order of play", "Pass row: next order of play", "Profit track"]
    assert cells(view)[0] == ["1", "Red", "Don", "to act"]
    assert cells(view, 1) == [["1", "Green"]]
    assert cells(view, 2)[0] == ["Blue", "$40", "Don"]


def test_goods_and_sets() -> None:
    state = deal()
    state.phase = "goods"
    box(state, "yellow").goods = [4, 2, 1, 1, 0]
    view = see(state, "goods")
    assert cells(view)[1] == ["Yellow", "4", "2", "1", "1", "–", "4+2+1+1", "$150"]


def test_cash_over_the_turns() -> None:
    state = deal()
    state.history = [[0, 0, 0, 0], [50, 110, 0, 0]]
    view = see(state, "chart")
    assert isinstance(view, Chart)
    assert view.steps == ("start", "turn 1")
    assert (view.series[1].name, view.series[1].values, view.unit) == ("Simon", (0, 110), "$")


def test_there_is_no_other_picture() -> None:
    with pytest.raises(RuleError, match="no picture “market”"):
        see(deal(), "market")


def test_the_order_of_play_marks_the_acting_player_and_passes() -> None:
    """No one in an auction; in the build the one whose turn it is."""

    def marks(state: State) -> dict[str, str]:
        sheet = as_a(Sheet, TITLE.views.look(state, Request("order", 0)))
        return {row[1].text: row[-1].text for row in sheet.tables[0].rows if row[-1].text}

    assert marks(deal()) == {}
    state = building(deal(), red=9, blue=9)
    assert marks(state) == {"Red": "to act"}
    play(state, 0, Build("baltimore", "pittsburgh"))
    state.passed.append(find_company(state, "red"))
    assert marks(state) == {"Blue": "to act", "Red": "passed"}
    said = see(state, "order").alt
    assert "Red (Don, passed), " in said
    assert "Blue (Don, to act), " in said
    assert "Yellow (no one), " in said
    assert "Pass row: next order of play: Red." in said, "a place by its order, not by a number"


def test_goods_within_reach_are_those_of_a_companys_places() -> None:
    """Before the end: each place of the network has one cube of its colour."""
    state = deal()
    lay(state, "yellow", "baltimore-pittsburgh")
    counts = [0] * 5
    for name in ("baltimore", "pittsburgh"):
        counts[state.board.places[find_place(state, name)].goods] += 1
    (row,) = [row for row in cells(see(state, "goods")) if row[0] == "Yellow"]
    assert row[1:6] == [str(count) if count else "–" for count in counts]


def test_a_company_on_offer_shows_where_it_stands_and_how_many_ways_lead_on() -> None:
    """Ways are free routes to places it has not reached."""
    state = deal()
    lay(state, "yellow", "baltimore-pittsburgh")
    board = state.board
    inside = {find_place(state, "baltimore"), find_place(state, "pittsburgh")}
    ways = sum(there not in inside for place in inside for _, there, _ in board.exits[place])
    assert f"from Baltimore, {ways} ways on" in TITLE.words.label(state, Open("yellow", 1), "company")
    assert "starts anywhere" in TITLE.words.label(state, Open("red", 1), "company")
    lay(state, "blue", "pittsburgh-cleveland")
    assert f"from Baltimore, {ways - 1} ways on" in TITLE.words.label(state, Open("yellow", 1), "company")


@pytest.mark.parametrize(
    ("phase", "heading", "last", "note"),
    [
        ("auction", "Goods within reach", "At most", "Companies share these cubes: at the end each is claimed once"),
        ("goods", "Goods and sets", "A share", "Still on the map: "),
        ("over", "Goods and sets", "A share", ""),
    ],
)
def test_goods_are_described_before_and_after_the_end(phase: Phase, heading: str, last: str, note: str) -> None:
    state = deal()
    state.phase = phase
    view = as_a(Sheet, see(state, "goods"))
    assert heading in view.title
    assert view.tables[0].heads[-1].text == last
    assert view.notes[0].startswith("A set of 1, 2, 3, 4, 5 colours pays")
    assert view.notes[1].startswith(note) if note else len(view.notes) == 2, "the key of colours is the last note"
    assert len(view.notes) == 2 + bool(note)


def test_present_and_former_controllers_of_a_company() -> None:
    """No one in the beginning, which is dim among the boxes; the first seat is a player like any other."""
    state = deal()
    red = box(state, "red")
    facts = dict(as_a(CharterView, see(state, "company", about="red")).facts)
    assert (facts["Controller"], facts["Last controller"]) == ("no one", "no one")
    assert as_a(Sheet, see(state, "boxes")).tables[0].rows[find_company(state, "red")][2].tone == "dim"
    red.controller, red.last = 0, 1
    facts = dict(as_a(CharterView, see(state, "company", about="red")).facts)
    assert (facts["Controller"], facts["Last controller"]) == ("Don", "Simon")
    assert as_a(Sheet, see(state, "boxes")).tables[0].rows[find_company(state, "red")][2].tone == ""


def test_where_a_company_has_too_much_to_tell_its_places_and_links_are_left_to_the_map() -> None:
    """A choice has a hundred characters."""
    state = deal()
    brand = state.board.companies[find_company(state, "yellow")]
    short = len(TITLE.words.label(state, Open("yellow", 1), "company"))
    assert "starts anywhere" in TITLE.words.label(state, Open("yellow", 1), "company")
    for letters, told in ((100, True), (101, False)):
        long = msgspec.structs.replace(brand, name=brand.name + "x" * (letters - short))
        state.board = msgspec.structs.replace(
            state.board, companies=tuple(long if each is brand else each for each in state.board.companies)
        )
        brand = long
        short = letters
        words = TITLE.words.label(state, Open("yellow", 1), "company")
        assert ("starts anywhere" in words) is told
        assert "treasury" in words


def test_the_map_alone_is_posted_after_every_turn() -> None:
    assert [picture.name for picture in TITLE.views.pictures if picture.every_turn] == ["map"]


@pytest.mark.parametrize(
    ("cubes", "passes", "words"),
    [
        ([1, 1, 1, 1], 0, "If you pass, the auctions end unless {1}, {2} or {3} puts up a company."),
        ([1, 1, 1, 1], 1, "If you pass, the auctions end unless {1} or {2} puts up a company."),
        ([1, 0, 1, 1], 0, "If you pass, the auctions end unless {2} or {3} puts up a company."),
        ([1, 1, 0, 0], 0, "If you pass, the auctions end unless {1} puts up a company."),
        ([1, 1, 1, 1], 3, "Passing now ends the auctions."),
        ([1, 0, 0, 0], 0, "Passing now ends the auctions."),
    ],
)
def test_the_holder_of_the_marker_is_shown_the_effect_of_a_pass(cubes: list[int], passes: int, words: str) -> None:
    """The end of the auctions.

    The auctions end when all pass one after the other; who has no cubes passes without being asked.
    """
    state = deal()
    state.cubes, state.passes = cubes, passes
    assert TITLE.words.ask(state).lines[-1] == words


def test_the_words_of_a_picture_say_when_some_are_left_out() -> None:
    """The last part has room to its last sign; one more, and only a mark stands for it."""
    assert join_parts("Goods", ["x" * (MAX_WORDS - len("Goods. "))]) == "Goods. " + "x" * (MAX_WORDS - len("Goods. "))
    assert join_parts("Goods", ["one", "x" * MAX_WORDS, "three"]) == "Goods. one …"
    assert join_parts("Goods", ["x" * (MAX_WORDS - len("Goods. ") + 1)]) == "Goods. …"


def fold_for(seat: int, *events: Event) -> list[str]:
    """Return facts in few words, as a seat reads them; -1 for the result of a turn."""
    pieces = [tell(event, NAMES, seat) for event in events]
    return fold((piece, False) for piece in pieces if piece is not None)


def test_a_turn_of_building_in_few_words() -> None:
    """What a link cost is told to players who were away alone; each turn ends with what players have."""
    link = e.LinkBuilt(1, "Red", "Denver", "Omaha", 4, 30, 30, first=False, forced=False)
    ended = e.TurnEnded(2, (70, 30, 0, 0), ("Red", "Black"))
    joined = e.LineJoined("Red", 50, ("Black",), 30, 9)
    told = (link, joined, e.CompanyPassed("Black", "no cubes", 1), e.ProfitTaken(1, "Red", 30), ended)
    assert fold_for(-1, *told) == [
        "Red (Simon): Denver–Omaha +$30", "Transcontinental link: Red +$50, Black +$30", "Out of the round: Black",
        "Turn 2 ends: Don $70, Simon $30, Richard $0, Andy $0",
    ]  # fmt: skip
    assert fold_for(0, link) == ["Red (Simon): Denver–Omaha for 4 (+$30)"]
    assert fold_for(-1, link, link) == ["Red (Simon): 2 links, the last to Omaha"]


def test_the_end_in_few_words() -> None:
    found = fold_for(
        -1, e.AuctionsEnded(("Red", "Blue"), 0), e.GoodsPlaced((("black", 12), ("red", 0))),
        e.ControlTaken(0, "Red", 2, tied=False), e.ControlTaken(1, "Black", 3, tied=True),
        e.SharesPaid("Red", 140, ((0, 1, 140),)), e.SharesPaid("Black", 90, ((1, 1, 90),)),
    )  # fmt: skip
    assert found == [
        "Auctions over: no one took Red and Blue", "Final determination: 12 black cubes",
        "Control: Red to Don, Black to Simon", "A share is worth: Red $140, Black $90",
    ]  # fmt: skip
