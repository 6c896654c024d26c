"""Files as groups, players and operators bring them: boards, logs of both formats, mails with signatures."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from bot.service.workers.files import FORMATS, encode_export
from engine import Game
from engine.codec import encode_entry
from tests.fuzz.grammar import NASTY, PUMPS, json_values, mutate, mutate_bytes
from tests.playthroughs import record
from tests.support.boards import TWO_COASTS

GAMES = ("1860-2-site", "1862-2-site", "steel_driver-3", "1862-3")
MOVES = 40
"""Of a game that is bent; reading one costs time for each."""


@st.composite
def boards(draw: st.DrawFn) -> str:
    """Draw the TOML of a board: a whole one, some lines bent or said again, or a bomb."""
    lines = TWO_COASTS.split("\n")
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        line = draw(mutate(st.just(lines[at])) | st.sampled_from(BOMBS) | st.just(lines[at] * 2))
        lines[at : at + draw(st.integers(0, 1))] = [line]
    return "\n".join(lines)


BOMBS = (
    "a" + ".a" * 30_000 + " = 1", "x = " + "[" * 3000, "x = " + "{a=" * 2000, "x = " + "9" * 60_000, "x = 1e999999999",
    "x = nan",
    "x = " + "[" * 900 + "]" * 900, "[a" + ".a" * 3000 + "]", "[[x]]", 'x = """' + "a\n" * 20_000, "x = '''",
    "x = 0x" + "f" * 50_000,
    "x = 9999-99-99", "x = 1979-05-27T07:32:00.999999999999Z", "x = inf", "x = -0", '"\\u0000" = 1', '"\\ud800" = 1',
    "# \x00", "\x1b = 1",
    "\n".join(f"k{number} = 1" for number in range(4000)), "\n".join(f"[t{number}]" for number in range(4000)),
    "outlines = [" + "[[1.0,2.0],[3.0,4.0],[5.0,6.0]]," * 1000 + "]", *(piece * 3900 for piece in PUMPS[:20]),
)  # fmt: skip


@cache
def _exports(name: str) -> tuple[bytes, ...]:
    """Return the beginning of a game that is kept, in the formats that are read."""
    kept = record.read(name)
    game = Game.replay(kept.setup, kept.read_log()[:MOVES])
    names = tuple(f"Player {seat}" for seat in range(kept.setup.seats))
    kinds = FORMATS[:1] if "steel" in name else FORMATS[:2]
    return tuple(encode_export(game, names, kind) for kind in kinds)


@st.composite
def games(draw: st.DrawFn) -> bytes:
    """Draw the file of a game, whole or bent: a value for another, bytes for others, a bomb."""
    data = draw(st.sampled_from(_exports(draw(st.sampled_from(GAMES)))))
    way = draw(st.sampled_from(("whole", "bytes", "value", "value", "value", "key", "bomb")))
    if way == "bytes":
        return draw(mutate_bytes(st.just(data)))
    if way == "bomb":
        return draw(st.sampled_from(JSON_BOMBS))
    document = json.loads(data)
    if way in ("value", "key"):
        for _ in range(draw(st.integers(1, 3))):
            _bend(draw, document)
    return json.dumps(document, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


JSON_BOMBS = (
    b"[" * 100_000, b'{"a":' * 50_000, b"9" * 100_000, b'"' + b"a" * 1_000_000,
    b'{"stationmaster":1,"log":[' + b"{}," * 50_000 + b"{}]}",
    b"\xff\xfe{\x00}\x00", b"\xef\xbb\xbf{}", b"null", b"[]", b"", b"{}", b'{"stationmaster": 1e308}',
    b'{"stationmaster": -1}',
    b'{"title":"1860","players":[],"actions":[' + b'{"type":"undo"},' * 20_000 + b'{"type":"redo"}]}',
    b'{"title":"1860","players":[{"id":1},{"id":1}],"actions":[]}',
    b'{"title":"1862","players":["a","a"],"actions":[{"type":"pass"}]}',
    b'{"title":"1860","players":' + b"[" * 5000 + b"]" * 5000 + b"}",
)  # fmt: skip


def _bend(draw: st.DrawFn, document: Any) -> None:  # noqa: ANN401
    """Put something else in one place of a document."""
    here = document
    for _ in range(8):
        places = list(here) if isinstance(here, dict) else range(len(here))
        if not places:
            return
        at = draw(st.sampled_from(list(places)))
        if isinstance(here[at], dict | list) and here[at] and draw(st.integers(0, 3)):
            here = here[at]
            continue
        change = draw(st.sampled_from(("value", "value", "gone", "twice", "near")))
        if change == "gone":
            del here[at]
        elif change == "twice" and isinstance(here, list):
            here.insert(at, here[at])
        elif change == "near" and isinstance(here[at], int) and not isinstance(here[at], bool):
            here[at] += draw(st.sampled_from((-1, 1, -10, 10**6, -(10**18))))
        elif change == "near" and isinstance(here[at], str):
            here[at] = draw(mutate(st.just(here[at])))
        else:
            here[at] = draw(json_values())
        return


@st.composite
def rows(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw the row of a log as the store has it, and its title."""
    kept = record.read(draw(st.sampled_from(GAMES)))
    row = encode_entry(draw(st.sampled_from(kept.read_log()[:100])))
    return kept.setup.title, draw(st.just(row) | mutate_bytes(st.just(row)))


@st.composite
def sign(draw: st.DrawFn, base: st.SearchStrategy[bytes]) -> bytes:
    """Draw a mail with signatures, true to their form or not."""
    tags = [
        "v=1",
        "a=rsa-sha256",
        "c=relaxed/relaxed",
        "d=home.example",
        "s=x",
        "h=from:to:subject",
        "bh=AAAA",
        "b=AAAA",
        "t=1",
    ]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(tags) - 1))
        bent = draw(
            mutate(st.just(tags[at]))
            | st.sampled_from(NASTY).map(lambda each: f"h={each}")
            | st.sampled_from(PUMPS).map(lambda each: each * 2000)
        )
        tags[at] = bent
    field = "; ".join(tags).replace("\r", " ").replace("\n", " ").encode("utf-8", "surrogatepass")
    return (b"DKIM-Signature: " + field + b"\r\n") * draw(st.integers(1, 3)) + draw(base)


def read_corpus(path: Path) -> bytes:
    """Return a case that is kept, packed or not."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
