"""Whatever is written is read back: each title, each format, at any moment of a game."""

from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.model.standing import read_facts
from bot.service.workers.files import FileAsked, encode_export, read_game_file
from engine import TITLES, Game
from engine.codec import decode_entry
from engine.interop.exchange import TRANSLATORS
from engine.setup import RULES
from tests.playthroughs import record

MAX_MOVES = 300
"""Of the long games; tests of the games that are kept look at their later moments."""
GAMES = {
    "steel_driver": ["steel_driver-3", "steel_driver-first-host"],
    "1860": ["1860-2", "1860-4-site", "1860-treasuries-hidden"],
    "1862": ["1862-2", "1862-4-site"],
}
FORMS = [
    (title, number, kind)
    for title, games in GAMES.items()
    for number in range(len(games))
    for kind in ("native", *(("18xx.games",) if title in TRANSLATORS else ()))
]


@cache
def replay_start(title: str, number: int) -> Game:
    """Return the beginning of a game that is kept; one of Steel Driver whole."""
    kept = record.read(GAMES[title][number])
    return Game.replay(replace(kept.setup, rules=RULES), kept.read_log()[:MAX_MOVES])


def is_offer_open(game: Game) -> bool:
    """Return whether a player must answer another's offer; 18xx.games knows an offer only once it is accepted."""
    return getattr(getattr(game.state, "round", None), "offer", None) is not None


def test_every_title_on_the_shelf_is_here() -> None:
    assert set(GAMES) == set(TITLES) - {"toy"}


@pytest.mark.parametrize(("title", "number", "kind"), FORMS)
def test_a_file_of_any_moment_is_read_back(title: str, number: int, kind: str) -> None:
    """The position, the names and the set-up come back; with undone moves in the log, and sealed, too."""
    whole = replay_start(title, number)
    names = tuple(f"Player {chr(65 + seat)}" for seat in range(whole.setup.seats))

    @settings(max_examples=3, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, len(whole.log)), st.integers(0, 4), st.booleans())
    def holds(moment: int, lost: int, sealed: bool) -> None:
        game = whole.at(moment)
        if 0 < lost <= moment:
            game = game.undo(0, moment - lost)
        assume(kind == "native" or not is_offer_open(game))
        data = encode_export(game, names, kind, sealed=sealed)
        brought = read_game_file(FileAsked(data, game.setup.seed if sealed else None))
        log = [decode_entry(title, row.seat, row.said) for row in brought.rows]
        again = Game.replay(brought.setup, log)
        assert again.state == game.state
        assert brought.names == names
        assert brought.setup == game.setup
        assert brought.facts == read_facts(again)

    holds()
