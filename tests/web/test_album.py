"""A finished game as one file that holds all it needs."""

import base64
import gzip
import json
import re
from functools import cache

import pytest

from bot.model.errors import BotError
from bot.screens.report import Chapter, make_report_view
from bot.service.services import Services
from bot.service.workers.jobs import Held
from bot.web import figures
from bot.web.album import FACES, make_album, write_album
from bot.web.figures import AlbumAsked, list_album_figures
from engine import Game
from tests.playthroughs.record import read

NAMES = ("Ann", 'Bob </script><i a="1">', "Cid", "Dan")


@cache
def pack_beginning() -> tuple[bytes, bytes]:
    """Return the course and the figures of the first moves of a game that is kept."""
    kept = read("steel_driver-4")
    game = Game.replay(kept.setup, kept.read_log()[:40])
    report = make_report_view([Chapter("Leader", "Ann."), Chapter("Rust", "\n• One.\n• Two.")])
    packed = figures._draw_album(Held(game), AlbumAsked(NAMES, "Sunday", {"story": report}))
    moves = [[f"{number:016x}", f"{NAMES[1]} moves", 1, "Turn 1", "", number - 1] for number in range(41)]
    pictures = [[name, name.title()] for name in (*list_album_figures(game.title), "story")]
    course = {"table": NAMES[1], "game": "SD", "names": NAMES, "seat": -1, "over": True}
    return json.dumps({**course, "pictures": pictures, "companies": [], "moves": moves}).encode(), packed


def test_every_position_has_each_figure() -> None:
    """Figures share their pieces, so that a game of hundreds of moves is a file to be sent."""
    whole = json.loads(gzip.decompress(pack_beginning()[1]))
    assert {"map", "table", "card", "story"} <= whole["shown"].keys()
    assert all(len(numbers) == 41 for numbers in whole["shown"].values())
    assert len(whole["drawn"]) < 41 * len(whole["shown"])
    assert len(set(whole["pieces"])) == len(whole["pieces"])


def test_an_album_asks_for_nothing_from_anywhere() -> None:
    """Its policy names its own program and style by their digests; names can't leave their place."""
    page = write_album(*pack_beginning(), NAMES[1], "woodtype").decode()
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)[0]
    assert "default-src 'none'" in policy
    assert "connect-src" not in policy
    assert policy.count("sha256-") == 2
    assert page.count("</script>") == 3
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)
    assert "import {" not in page
    data = re.findall(r'id="figures">([^<]+)<', page)[0]
    assert gzip.decompress(base64.b64decode(data))


async def test_a_game_that_goes_on_has_no_album(services: Services, game: int) -> None:
    with pytest.raises(BotError, match="isn't over"):
        await make_album(services, game)


def test_an_album_has_the_letters_that_it_needs_and_no_others() -> None:
    """Those of every album, and those of its title's names."""
    page = write_album(*pack_beginning(), NAMES[1], "woodtype").decode()
    letters = [bool(data) for data in re.findall(r"url\(data:font/woff2;base64,([^)]*)\)", page)]
    assert sum(letters) == len(FACES) + 1 < len(letters)
