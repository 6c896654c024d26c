"""What workers draw for pages: places in words, networks, tables that reflow; and positions to leaf through."""

import re
from functools import cache

import pytest

from bot.model.errors import BotError
from bot.service.workers.jobs import LANDMARK_MOVES, Held
from bot.web.figures import FigureAsked, write_figure
from engine import Game, Request, RuleError
from engine.codec import encode_entry
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
    assert "You can lay here now" in write_figure(held, FigureAsked(request, at, acts=True))
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
