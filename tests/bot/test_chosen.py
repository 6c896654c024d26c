"""What may be chosen now: dashed on maps for all, told in words, noted for who decides."""

from functools import cache

import pytest

from bot.screens.desk import Desk
from bot.screens.desk_menus import MAX_SHORT_LABEL, fit_label
from bot.screens.desk_screens import make_screen
from bot.screens.run_editor import make_amount_menus
from bot.service.workers import choices
from bot.service.workers.choices import MenuLine
from bot.service.workers.gains import Gains
from bot.service.workers.jobs import Held
from bot.service.workers.tasks import PLAY, PictureAsked, Wish, _look
from engine import TITLES, Earning, Game, Request, RuleError, Setup
from engine.hints import make_earning
from engine.view import MapView, MarketView, Network, Panels, View
from engine.words import write_parameters
from tests.playthroughs.record import read
from tests.support.changed_title import change
from tests.support.sure import as_a
from tests.support.toy import Bid, toy

NAMES = ("Ann", "Bob", "Cid", "Dora")


def hold_game(name: str, count: int) -> Held:
    kept = read(name)
    return Held(Game.replay(kept.setup, kept.read_log()[:count]))


@cache
def paying() -> Held:
    """Return a company of 1860 that pays or keeps."""
    there = hold_game("1860-3", 390)
    while there.game.ask().kind != "pay or keep":
        seat = there.game.ask().seats[0]
        there = Held(there.game.play(seat, (there.game.tips(seat) or ())[0].action).game)
    return there


def look_at(there: Held, picture: str, seat: int | None = None, about: str = "") -> View:
    names = NAMES[: there.game.setup.seats]
    return _look(there, PictureAsked(Request(picture, seat, about, names), since=len(there.game.line)))


@pytest.mark.parametrize(("name", "count"), [("1860-3", 390), ("1862-3", 382)])
def test_the_map_dashes_where_a_tile_may_be_laid_and_names_it(name: str, count: int) -> None:
    """For a bystander as for who decides; what is new stays marked too."""
    there = hold_game(name, count)
    lays = {
        write_parameters(each)["hex"] for each in there.list_legal(there.game.ask().seats[0]) if each.verb == "tile"
    }
    view = look_at(there, "map")
    assert isinstance(view, MapView)
    assert {tile.coord for tile in view.hexes if "can" in tile.mark} == lays
    assert view.alt.startswith(there.game.ask().headline)
    assert all(coord in view.alt for coord in lays)
    before = _look(there, PictureAsked(Request("map", names=NAMES[:3]), at=count - 1))
    assert isinstance(before, MapView)
    assert not any("can" in tile.mark for tile in before.hexes), "of the past nothing can be chosen"


def test_the_network_dashes_links_to_build() -> None:
    there = hold_game("steel_driver-4", 28)
    view = look_at(there, "map")
    assert isinstance(view, Network)
    routes = {
        frozenset(write_parameters(each)["route"].split()) for each in there.list_legal(there.game.ask().seats[0])
    }
    assert {frozenset((link.a, link.b)) for link in view.links if link.mark == "can"} == routes


def test_the_network_names_places_of_which_one_is_to_be_chosen() -> None:
    there = hold_game("steel_driver-4", 208)
    names = {place.id: place.name for place in as_a(Network, look_at(there, "map")).places}
    could = [names[write_parameters(each)["place"]] for each in there.list_legal(there.game.ask().seats[0])]
    told, _, rest = look_at(there, "map").alt.partition(". ")
    assert told.startswith("Blue claims a goods cube (1st of 6), to claim a cube: ")
    assert sorted(told.partition(": ")[2].split(", ")) == sorted(could)
    assert rest.startswith("United States")


def test_of_many_choices_that_change_a_price_six_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of the menu, but for how many values are asked next; what changes nothing is left out."""
    there = paying()
    lines = [MenuLine("", f"sell {count}: £90 → £{90 - count} · 2 choices") for count in range(1, 9)]
    monkeypatch.setattr(choices, "build_menu", lambda could, label: [MenuLine("", "pass"), *lines])
    market = as_a(MarketView, look_at(there, "market", there.game.ask().seats[0]))
    told = [f"Now: sell {count}: £90 → £{90 - count}." for count in range(1, 7)]
    assert list(market.notes[-6:]) == told
    assert not any("sell" in note for note in market.notes[:-6])
    assert market.alt.endswith(" ".join(told))


def test_a_market_shows_price_changes_to_the_deciding_player_only() -> None:
    """What a train leaves in a treasury is for its director's eyes; so is all that is noted."""
    there = paying()
    seat = there.game.ask().seats[0]
    mine, other = look_at(there, "market", seat), look_at(there, "market", (seat + 1) % 3)
    assert isinstance(mine, MarketView)
    assert isinstance(other, MarketView)
    assert len(mine.notes) == 2
    assert "Now: Pay £" in mine.notes[0]
    assert "→" in mine.notes[1]
    assert other.notes == ()


def test_legal_builds_do_not_reveal_hidden_treasuries() -> None:
    """10.4: terrain costs money, so a dashed hex would tell a bystander that it is there."""
    kept = read("1860-treasuries-hidden")
    game = Game.replay(kept.setup, kept.read_log()[:0])
    for entry in kept.read_log():
        game = game.play(entry.seat, entry.action).game
        if game.ask().kind == "lay track":
            break
    view = look_at(Held(game), "map", None)
    assert isinstance(view, MapView)
    assert not any("can" in tile.mark for tile in view.hexes)


def test_a_tile_shows_its_connections_payment_and_effect_on_the_best_run_in_its_alt_text_too() -> None:
    """“C · joins Newport to Carisbrooke · £20 · best run £150→£190”, as on its button."""
    there = hold_game("1860-3", 424)
    seat = there.game.ask().seats[0]
    desk = Desk(7, NAMES[:3], there.game, seat, there.list_legal(seat))
    shown = make_screen(desk, "tile.0")
    labels = [f"{option.label} · {option.detail}" for option in shown.menus[0].options]
    assert all(len(option.label) <= MAX_SHORT_LABEL for option in shown.menus[0].options)
    assert isinstance(shown.pictures[0], Panels)
    assert labels[0].startswith("A · adds no connection · pays £30→£60 · tile 777")
    assert labels[0].endswith("best run £190 + 10cc")
    assert labels[1].endswith("best run stays")
    assert shown.pictures[0].alt.endswith(f"{'; '.join(labels)}.")


def test_an_unproven_result_of_a_short_search_is_shown_as_at_least_or_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run found that is better than the one of now is told; one that is not says nothing."""
    there = hold_game("1860-3", 424)
    game, seat = there.game, there.game.ask().seats[0]
    better, same = [action for action in there.list_legal(seat) if action.verb == "tile"][:2]
    found = iter([("£180", 180, True), ("£190", 190, False), ("£170", 170, False)])

    def glance(state: object, parts: int) -> Earning:
        del state, parts
        words, amount, proven = next(found)
        return make_earning(words, amount, proven=proven)

    monkeypatch.setitem(TITLES, "1860", change(game.title, glance=glance))
    assert Gains(game).describe(seat, [better, same]) == ["best run £180→at least £190", ""]


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ([("£180", True), None], ["", ""]),
        ([("£180", True), ("£180", True)], ["", ""]),
        ([("£190", True), None], ["best run £180→£190", ""]),
        ([("£190", True), ("£180", True)], ["best run £180→£190", "best run stays"]),
    ],
)
def test_no_gain_is_shown_where_no_move_gains(
    monkeypatch: pytest.MonkeyPatch, after: list[tuple[str, bool] | None], words: list[str]
) -> None:
    monkeypatch.setitem(TITLES, "toy", toy())
    game = Game.new(Setup("toy", 2))
    gains, moves = Gains(game), (Bid(1), Bid(2))
    known = {move: each and make_earning(each[0], 0, proven=each[1]) for move, each in zip(moves, after, strict=True)}
    monkeypatch.setattr(gains, "now", make_earning("£180", 180, proven=True))
    monkeypatch.setattr(gains, "estimate_after", lambda seat, action, parts: known[action])
    assert gains.describe(0, moves) == words


@pytest.mark.parametrize("company", ["wnr", "west norfolk railway", "West Norfolk Railway"])
def test_a_company_is_known_in_any_case_and_by_its_name_where_it_is_refused_too(company: str) -> None:
    """2.1: it can't be started yet, and that is what is said, not that there is none."""
    there = Held(Game.new(Setup("1862", 3, seed=3)))
    with pytest.raises(RuleError, match=r"^WNR can't be started before phase C\. "):
        PLAY.do(there, Wish((0,), NAMES[:3], "bid", {"company": company, "amount": "0"}))


def test_a_hex_is_known_by_its_name() -> None:
    """A marker cannot be placed in Ely yet; typed rightly it would be C8."""
    hexes = dict(TITLES["1862"].views.subjects(Game.new(Setup("1862", 3)).state, "hex"))
    assert hexes["C8"] == "C8 · Ely"
    assert "E0" not in hexes, "it has no name"


@pytest.mark.parametrize(
    ("words", "most", "label"),
    [
        ("Pay £10 · price £90→£100", 24, "Pay £10 · price £90→£100"),
        ("Pay £10 · price £90→£100", 23, "Pay £10"),
        ("Buy 2F for £200, leaves £500", 28, "Buy 2F for £200, leaves £500"),
        ("Buy 2F for £200, leaves £500", 27, "Buy 2F for £200"),
        ("Newmarket", 5, "Newm…"),
    ],
)
def test_a_label_loses_its_last_parts_only_where_it_is_too_long(words: str, most: int, label: str) -> None:
    assert fit_label(words, most) == label


def test_below_another_amount_stands_only_what_differs_from_the_plan() -> None:
    """The second train runs as it does in the plan, so its run isn't repeated."""
    held = hold_game("1860-3", 126)
    seat = held.game.actors[0]
    desk = Desk(7, NAMES[:3], held.game, seat, held.list_legal(seat))
    menu = make_amount_menus(desk, "3+2 B6-C7-D6-[E5]-[F4]-[F2.2]-F2.1-F2.0; 2+1 A7-B6")[0]
    assert (menu.placeholder, menu.options[1].label) == ("Run for another amount", "£110")
    assert menu.options[1].detail == "3+2 B6-[C7]-[D6]-[E5]-[F4]-[F2.2]-F2.1-F2.0"
