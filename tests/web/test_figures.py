"""What workers draw for pages: places in words, networks, tables that reflow; and positions to leaf through."""

import re
from functools import cache

import pytest
from msgspec.structs import replace

from bot.model.errors import BotError
from bot.service.workers.jobs import LANDMARK_MOVES, Held
from bot.web import figures
from bot.web.figures import FigureAsked, MomentsAsked, list_album_figures, write_figure
from engine import Game, Request, RuleError
from engine.codec import encode_entry
from engine.hex_view import HexView, Stop, Token
from engine.view import Banner, MapView, Network, NetworkLink, Note, Place, View
from tests.playthroughs.record import read

NAMES = ("Ann", "Bob", "Cid", "Dan")
COUNTS = {"1860-3": 330, "1862-4": 300, "steel_driver-4": 60}


@cache
def hold(game: str) -> Held:
    kept = read(game)
    return Held(Game.replay(kept.setup, kept.read_log()[: COUNTS[game]]))


def draw(game: str, picture: str, about: str = "", *, seat: int | None = None, acts: bool = False) -> str:
    held = hold(game)
    return write_figure(held, FigureAsked(Request(picture, seat, about, NAMES), len(held.game.line), acts=acts))


def read_text(figure: str) -> str:
    return re.sub(r"<[^>]+>", " ", figure)


def test_a_hex_is_told_in_words() -> None:
    """Its tile, its stops with what they are worth, who is there, and who reaches it."""
    told = read_text(draw("1860-3", "hex", "F2"))
    assert "Cowes (F2)" in told
    assert "City" in told
    assert "Companies here:" in told
    assert re.search(r"Reached by:.*C&amp;N", told)


def test_a_place_is_told_in_words() -> None:
    view = hold("steel_driver-4").game.look(Request("map"))
    place = view.places[0]  # type: ignore[attr-defined]
    told = read_text(draw("steel_driver-4", "place", place.id))
    assert place.name in told
    assert f"Value {place.value}" in told


@pytest.mark.parametrize(("game", "kind"), [("1860-3", "hex"), ("1862-4", "hex"), ("steel_driver-4", "place")])
def test_a_company_has_its_network(game: str, kind: str) -> None:
    """What its track leads to, its own stations first of all; nothing of a company that has built nothing."""
    held = hold(game)
    title, state = held.game.title, held.game.state
    sizes = []
    for code, _ in title.views.subjects(state, "company"):
        lit = re.findall(r'data-lit="([^"]*)"', draw(game, "company", code))
        reached = set(title.views.reach(state, code))
        assert {f"{kind}:{each}" for each in reached} == set(" ".join(lit).split())
        sizes.append(len(reached))
    assert max(sizes) > 1
    assert not title.views.reach(title.deal(held.game.setup), title.views.subjects(state, "company")[0][0])


def test_tokens_stand_within_their_network() -> None:
    held = hold("1860-3")
    view = held.game.look(Request("map"))
    for h in view.hexes:  # type: ignore[attr-defined]
        for token in (token for stop in h.stops for token in stop.tokens if token):
            assert h.coord in held.game.title.views.reach(held.game.state, token.company)


def test_a_table_is_html_that_can_be_read_aloud() -> None:
    """Rows and columns instead of a picture of them; chips are buttons that say which company they are."""
    figure = draw("1862-4", "table", seat=1)
    assert figure.count("<table>") >= 2
    assert 'aria-label="' in figure
    assert '<tr class="mine">' in figure
    assert "<svg" in figure


def test_only_who_acts_reads_which_tiles_fit() -> None:
    """Of a hex where a tile can be laid."""
    kept = read("1860-3")
    log = kept.read_log()
    at = next(n for n, entry in enumerate(log) if type(entry.action).__name__ == "LayTile" and n > 100)
    held = Held(Game.replay(kept.setup, log[:at]))
    request = Request("hex", log[at].seat, log[at].action.hex, NAMES)  # type: ignore[attr-defined]
    fits = {each.tile for each in held.game.choices(log[at].seat) if getattr(each, "hex", "") == request.about}  # type: ignore[attr-defined]
    told = read_text(write_figure(held, FigureAsked(request, at, acts=True)))
    assert f"You can lay here now: {', '.join(sorted(fits))} " in told
    assert "You can lay here now" not in write_figure(held, FigureAsked(request, at))


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(BotError, match="There is no place “Z99”"):
        draw("1860-3", "hex", "Z99")
    with pytest.raises(RuleError):
        draw("1860-3", "nothing")


def test_every_position_is_found_by_landmarks() -> None:
    """In whatever order a page leafs through, also after moves were undone."""
    kept = read("steel_driver-4")
    game = Game.replay(kept.setup, kept.read_log()[:70]).undo(0, 40)
    for entry in kept.read_log()[40:60]:
        game = game.play(entry.seat, entry.action).game
    held = Held(game)
    for count in (59, 3, 0, LANDMARK_MOVES, 2 * LANDMARK_MOVES + 1, 41, 60, 17):
        found, wanted = held.replay_to(count), game.at(count)
        assert len(found.line) == count
        assert [encode_entry(each) for each in found.list_in_force()] == [encode_entry(each) for each in wanted.log]
        look = Request("map", names=NAMES)
        assert found.look(look) == wanted.look(look)
    with pytest.raises(RuleError):
        held.replay_to(61)


ASKED = FigureAsked(Request("hex", None, "F2", NAMES), 0)


def list_words(figure: str) -> list[str]:
    """Return what a figure says, line by line; a chip says its company."""
    found = re.sub(r'<button[^>]* aria-label="([^"]*)".*?</button>', r" \1", figure)
    return [
        " ".join(each.split()) for each in re.split(r"<(?:/?li|/?p|h2|/h2)[^>]*>", found) if read_text(each).strip()
    ]


def list_facts(place: HexView, fits: tuple[str, ...] = (), reached: tuple[str, ...] = ()) -> list[str]:
    words = figures._describe_hex(MapView("Map", "A map", hexes=(place,)), place, ASKED, [*fits], [*reached])
    return [read_text(each).strip() for each in list_words(words)]


def test_a_hex_tells_each_thing_that_is_on_it() -> None:
    """And nothing of what isn't: an empty hex says only that no tile lies there."""
    assert list_facts(HexView("F2", 0, 0)) == ["F2", "No tile yet"]
    city = Stop("city", 40, slots=2, tokens=(Token("IOW"), None), reserved=("FYN",), name="Shide")
    edge = Stop("offboard", values=(("yellow", 20), ("grey", 50)))
    place = HexView(
        "F2", 0, 0, "Cowes", tile="57", letter="C", cost=60, terrain="water", homes=("IOW", "S&C"), stops=(city, edge)
    )
    assert list_facts(place, ("57", "58"), ("IOW",)) == [
        "Cowes (F2)", "Tile 57", "Needs tiles with the letter C", "Terrain: 60 (water)",
        "City Shide, 40, 1 of 2 slots free", "Area off the board, yellow 20, grey 50", "You can lay here now: 57, 58",
        "Companies here: IOW", "Home of: S&amp;C FYN", "Reached by: IOW",
    ]  # fmt: skip
    assert "Terrain: 60" in list_facts(replace(place, terrain=""))


def test_a_place_tells_its_goods_and_links_and_where_a_company_may_start() -> None:
    """The other end of each link, from whichever side, and who built it or what it costs."""
    ends = (("A", "hexagon", True), ("B", "circle", False), ("C", "circle", True))
    one, two, three = (Place(each, f"Town {each}", 0, 0, kind, 20, "red", "R", cube) for each, kind, cube in ends)  # type: ignore[arg-type]
    links = (NetworkLink("A", "B", 10), NetworkLink("C", "A", 20, "UP"), NetworkLink("B", "C", 30))
    view = Network("Map", "A map", width=1, height=1, places=(one, two, three), links=links)
    told = [list_words(figures._describe_network_place(view, each, ASKED)) for each in (one, two)]
    assert [[read_text(line).strip() for line in lines] for lines in told] == [
        ["Town A", "Value 20", "Red goods", "A company may start here", "To Town B: free, cost 10", "To Town C: UP",
         "Companies here: UP"],
        ["Town B", "Value 20", "Red goods, taken", "To Town A: free, cost 10", "To Town C: free, cost 30"],
    ]  # fmt: skip
    (*_, chips) = list_words(figures._describe_network_place(view, replace(one, starts=("SP", "UP")), ASKED))
    assert read_text(chips).split() == ["Companies", "here:", "SP", "UP"]


def test_moments_tell_the_round_and_who_is_asked_of_positions_that_are_not_known_yet() -> None:
    held = hold("1860-3")
    every = figures._list_moments(held, MomentsAsked(0, NAMES))
    assert len(every) == len(held.game.line) + 1
    assert (every[0].round, every[100].round, every[-1].round) == ("AR 1", "OR 2.2", "OR 7.2")
    seat = held.game.ask().seats[0]
    assert every[-1].asks == f"{held.game.ask().insert_names(NAMES).headline}: {NAMES[seat]}"
    assert figures._list_moments(held, MomentsAsked(len(held.game.line) - 2, NAMES)) == every[-3:]


def test_an_album_has_the_pictures_of_every_turn_and_those_of_the_whole_game() -> None:
    """None of one company or player, none of what is over soon; of a banner which company acts, on a board."""
    assert list_album_figures(hold("1860-3").game.title) == ["map", "market", "table", "chart", "card"]
    assert list_album_figures(hold("steel_driver-4").game.title) == ["map", "boxes", "table", "order", "chart", "card"]
    banner = Banner("1860", "Friday", company="IOW", who="Ann")
    board = MapView("Map", "A map", hexes=(), banner=banner)
    assert figures._keep_company(board) == Banner("", company="IOW")
    assert figures._keep_company(replace(board, banner=None)) is None
    assert figures._keep_company(Note("Log", "The log", (), banner=banner)) is None


def test_changes_are_marked_since_the_move_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the beginning nothing has changed."""
    held, compared = hold("steel_driver-4"), list[tuple[View, View]]()

    def mark(before: View, after: View) -> View:
        compared.append((before, after))
        return after

    monkeypatch.setattr(figures, "mark_changes", mark)
    request = Request("map", None, "", NAMES)
    for at in (0, 9):
        write_figure(held, FigureAsked(request, at))
    assert compared == [(held.game.at(8).look(request), held.game.at(9).look(request))]
