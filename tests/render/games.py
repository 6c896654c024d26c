"""Big views, made from the facts beside the repository; tests that need them skip visibly without."""

from functools import cache

import msgspec

from engine.view import (
    Board,
    Cell,
    Chart,
    Entry,
    HexView,
    Leg,
    Line,
    Market,
    Panel,
    Panels,
    Series,
    Sheet,
    Stop,
    Table,
    Token,
    Track,
)
from tests.render.facts import brands_of, facts
from tests.render.steel import steel_driver

NEIGHBOURS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))


def _end(end):
    return end["edge"] if "edge" in end else 10 + end["node"]


def _turned(end, turns):
    return (end + turns) % 6 if end < 10 else end


def _stop_60(node, turns=0, tokens=()):
    place = node.get("position_hint")
    place = None if place in (None, "center") else (float(place) + turns) % 6
    if node["kind"] == "offboard":
        return Stop("offboard", 20, values=tuple(node["revenue_by_phase_colour"].items()))
    slots = node.get("slots", 0)
    tokens = tuple(Token(code) for code in tokens)[:slots]
    return Stop(
        node["kind"], node["revenue"] or None, slots=slots, tokens=tokens + (None,) * (slots - len(tokens)), place=place
    )


def tile_60(tile, turns=0, tokens=(), **fields):
    """Return a tile of 1860 as a hex, turned, with tokens in its first city."""
    stops = []
    for node in tile["nodes"]:
        stops.append(_stop_60(node, turns, tokens))
        tokens = () if node["kind"] == "city" else tokens
    track = tuple(Track(*(_turned(_end(e), turns) for e in s["ends"])) for s in tile["segments"])
    base = {"coord": "", "x": 0, "y": 0, "ink": tile["colour"], "tile": tile["id"], "letter": tile.get("label") or ""}
    return HexView(**{**base, "stops": tuple(stops), "track": track, **fields})


def hex_60(h):
    """Return a printed hex of 1860."""
    terrain = (h.get("terrain_type") or [""])[0]
    return HexView(
        h["coord"], h["x"], h["y"], h["name"] or "",
        {"none": "plain", "yellow": "yellow", "offboard-sea": "sea"}[h["preprinted_colour"]],
        letter=(h.get("labels") or [""])[0],
        cost=h.get("terrain_cost", 0),
        terrain="hill" if terrain == "mountain" else terrain,
        barriers=tuple(h.get("impassable_edges", ())),
        homes=tuple(h.get("home_of", ())),
        stops=tuple(_stop_60(node) for node in h["nodes"]),
        track=tuple(Track(*(_end(e) for e in s["ends"])) for s in h["segments"]),
    )  # fmt: skip


def _laid(text):
    """Read tiles on a map: hex, number, turns, tokens."""
    rows = (word.split(":") for word in text.split())
    return {at: (tile, int(turns), tuple(filter(None, codes.split("/")))) for at, tile, turns, codes in rows}


LAID = _laid("""
G5:773:0:IWNJ/C&N F2:788:0:C&N F4:743:0: G7:775:0:IWNJ/S&C I3:758:0:IOW J4:205:2:IOW J6:757:2:
J8:6:1: I9:12:3: I11:760:0: H8:742:5: I7:745:3: H4:744:2: G9:746:0:NGStL G11:743:0: L6:115:1:BHI&R
K5:742:2: F6:782:2: E5:748:4: D6:743:1: E7:8:3: F8:781:0: C5:743:4: B4:5:5:FYN H6:778:0: I5:750:1:
H10:754:0: D8:16:2:
""")


@cache
def printed_60():
    """Return the map of 1860 before the first tile."""
    hexes = tuple(hex_60(h) for h in facts("1860")["maps"]["extended"]["hexes"])
    return Board("1860 · the Isle of Wight", "The map", hexes, brands_of("1860"))


@cache
def played_60():
    """Return a map of 1860 in the middle of a game."""
    tiles = {tile["id"]: tile for tile in facts("1860")["tiles"]}
    hexes = []
    for h in printed_60().hexes:
        if h.coord in LAID:
            number, turns, tokens = LAID[h.coord]
            there = {"coord": h.coord, "x": h.x, "y": h.y, "name": h.name, "barriers": h.barriers}
            hexes.append(tile_60(tiles[number], turns, tokens, **there))
        else:
            hexes.append(h)
    return Board("1860 · OR 4.1 · S&C operates", "The map", tuple(hexes), brands_of("1860"))


def _legs(text):
    legs = []
    for word in text.split():
        coord, a, b = word.split(":")
        legs.append(Leg(coord, int(a), int(b)))
    return tuple(legs)


def runs_60():
    """Return the map of 1860 with three runs."""
    lines = (
        Line(
            "4+2", 1, _legs("F2:10:11 F2:11:12 F2:12:0 F4:3:10 F4:10:0 F6:3:10 F6:10:4 G5:1:10"), "F2–F4–[F6]–G5 = 120"
        ),
        Line("3+2", 2, _legs("G5:11:0 G7:3:11 G7:11:10 G7:10:0 G9:3:10"), "G5–G7–G9 = 90"),
        Line(
            "5+3", 3, _legs("I3:10:5 J4:2:10 J4:10:0 J6:3:10 J6:10:0 J8:3:10 J8:10:1 I9:4:10"), "I3–J4–J6–J8–I9 = 150"
        ),
    )
    return msgspec.structs.replace(played_60(), title="1860 · S&C runs for £360", lines=lines, notes=("proven best",))


def choices_60():
    """Return the map of 1860 with hexes to choose and hexes that are new."""
    hexes, number = [], 0
    for h in played_60().hexes:
        if h.coord in ("F10", "E9", "F12", "G13", "H12", "D4", "G9", "I7", "A5"):
            number += 1
            hexes.append(msgspec.structs.replace(h, mark="can", choice=str(number)))
        else:
            hexes.append(msgspec.structs.replace(h, mark="new") if h.coord in ("G11", "H8", "I5") else h)
    return msgspec.structs.replace(played_60(), title="1860 · where to lay track?", hexes=tuple(hexes))


def crop_60():
    """Return a part of the map of 1860."""
    hexes = tuple(h for h in choices_60().hexes if 5 <= h.x <= 8 and 3 <= h.y <= 9)
    return msgspec.structs.replace(played_60(), title="1860 · around G7", hexes=hexes, part=True)


def market_60():
    """Return the stock market of 1860 with all companies in it."""
    tokens = {54: ("S&C",), 62: ("FYN", "NGStL", "VYSC"), 74: ("IOW",), 82: ("C&N", "IWNJ"), 90: ("BHI&R",)}
    pars = {54: ("S&C", "VYSC"), 62: ("FYN", "NGStL"), 74: ("IOW", "IWNJ"), 82: ("C&N",)}
    market = facts("1860")["stock_market"]
    cells = []
    for c in market["cells"]:
        price = c["price"]
        zone = (
            "closed"
            if c.get("bankrupt")
            else "red"
            if c.get("red_zone")
            else "par"
            if price in market["par_prices"]
            else ""
        )
        sign = {"closed": "X", "red": "R", "par": "P", "": ""}[zone]
        cells.append(
            Cell(c["index"] / 2, c["index"] % 2, price, zone, sign, tokens.get(price, ()), pars.get(price, ()))
        )
    zones = (
        ("closed", "X", "bankrupt"),
        ("red", "R", "the first share sold moves nothing"),
        ("par", "P", "par prices"),
    )
    return Market("1860 · stock market", "Prices", tuple(cells), brands_of("1860"), zones)


def sheet_60():
    """Return the holdings of four players and the eight companies."""
    brands = brands_of("1860")
    head = (Entry("Player"), Entry("Cash"), *(Entry(chip=b.code) for b in brands), Entry("Certs"), Entry("Worth"))
    rows = tuple(
        (
            Entry(name),
            Entry(f"£{137 * (k + 2) % 900}"),
            *(Entry(f"{(k + j) % 6 * 10}%") if (k + j) % 3 else Entry("–", tone="dim") for j in range(8)),
            Entry(f"{5 + k}/16"),
            Entry(f"£{545 + 217 * k}", tone="strong"),
        )
        for k, name in enumerate(("Alice ★", "Bob", "Carol (away)", "Dieter"))
    )
    companies = tuple(
        (Entry(b.name, b.code), *(Entry(t) for t in (f"£{97 * (k + 1)}", str(54 + 4 * k), "3+2, 4+2", "1", "210→190")))
        for k, b in enumerate(brands)
    )
    titles = ("Company", "Treasury", "Price", "Trains", "Tokens", "Last run")
    return Sheet(
        "1860 · holdings",
        "Who owns what",
        (Table("Players", head, rows, 1), Table("Companies", tuple(Entry(t) for t in titles), companies)),
        brands,
        ("★ has the priority. IOW is in receivership.",),
    )


def panels_60():
    """Return six ways to lay a tile at F10."""
    tiles = {tile["id"]: tile for tile in facts("1860")["tiles"]}
    around = {(h.x, h.y): h for h in played_60().hexes}
    home = next(h for h in played_60().hexes if h.coord == "F10")
    beside = [around.get((home.x + dx, home.y + dy)) for dx, dy in NEIGHBOURS]
    beside = tuple(msgspec.structs.replace(h, faded=True) for h in beside if h)
    there = {"coord": "F10", "x": home.x, "y": home.y, "name": home.name}
    ways = (("741", 0), ("742", 0), ("742", 1), ("743", 2), ("743", 0), ("741", 3))
    panels = tuple(
        Panel("ABCDEF"[k], f"{number} ↻{turns} · 3 left", (tile_60(tiles[number], turns, **there), *beside))
        for k, (number, turns) in enumerate(ways)
    )
    return Panels("F10 Chale Green: which tile?", "Six ways", panels, brands_of("1860"))


def manifest_60():
    """Return all tiles of 1860."""
    panels = tuple(
        Panel("", f"{tile['id']} ×{k % 4}", (tile_60(tile),), dim=k % 4 == 0)
        for k, tile in enumerate(facts("1860")["tiles"])
    )
    return Panels("1860 · tiles left", "All tiles", panels, brands_of("1860"))


def chart_60():
    """Return prices of the companies of 1860."""
    series = tuple(
        Series(b.code, (None,) * k + tuple(60 + 17 * k + (j * (13 + 5 * k)) % 140 for j in range(12 - k)), b.code)
        for k, b in enumerate(brands_of("1860"))
    )
    return Chart(
        "1860 · prices", "Prices", tuple(f"{a}.{b}" for a in range(1, 7) for b in (1, 2)), series, brands_of("1860")
    )


def tile_62(tile, turns=0, tokens=(), **fields):
    """Return a tile of 1862 as a hex, turned, with tokens in its city."""
    stops = tuple(
        Stop("city", n["revenue"] or None, slots=n.get("slots", 0), tokens=_padded(tokens, n.get("slots", 0)))
        for n in tile["nodes"]
        if n["kind"] == "large_station"
    )
    track = tuple(Track(_turned(_end(a), turns), _turned(_end(b), turns)) for a, b in tile["track"])
    base = {
        "coord": "",
        "x": 0,
        "y": 0,
        "ink": tile["colour"],
        "tile": tile["id"],
        "letter": (tile.get("label") or "")[:1],
    }
    return HexView(**{**base, "stops": stops, "track": track, **fields})


def with_small_stations(tile, turns=0, **fields):
    """Return a tile of plain lines with a small station on each line."""
    whole = tile_62(tile, turns, **fields)
    track = tuple(Track(end, 10 + k) for k, t in enumerate(whole.track) for end in (t.a, t.b))
    return msgspec.structs.replace(whole, track=track, stops=tuple(Stop("town", 20) for _ in whole.track))


def _padded(tokens, slots):
    tokens = tuple(Token(code) for code in tokens)[:slots]
    return tokens + (None,) * (slots - len(tokens))


@cache
def printed_62():
    """Return the map of 1862 with some tiles laid."""
    tiles = {tile["id"]: tile for tile in facts("1862")["tiles"]}
    laid = _laid(
        "F11:795:0:ESR/ECR/E&H C8:14:1:E&H/N&S E8:611:2:WNR D9:791:0:L&E/W&F/I&B D11:57:1: E10:6:3: C10:794:0:L&H/WStI"
    )
    homes = {c["home"]: (c["code"],) for c in facts("1862")["companies"]}
    kinds = {"large_station": "city", "small_station": "town", "offboard": "offboard"}
    hexes = []
    for h in facts("1862")["map"]["hexes"]:
        there = {"coord": h["coord"], "x": h["col"], "y": h["row"], "name": h["name"] or ""}
        if h["coord"] in laid:
            number, turns, tokens = laid[h["coord"]]
            hexes.append(tile_62(tiles[number], turns, tokens, **there))
            continue
        stops = tuple(
            Stop(
                kinds[n["kind"]],
                tuple(n["revenue_by_phase_band"].values())[1],
                tuple(n["revenue_by_phase_band"].items()),
            )
            if n["kind"] == "offboard"
            else Stop(
                kinds[n["kind"]], n["revenue"] or None, slots=n.get("slots", 0), tokens=(None,) * n.get("slots", 0)
            )
            for n in h["nodes"]
        )
        track = tuple(Track(_end(a), _end(b)) for a, b in h.get("preprinted_track") or ())
        ink = {"red": "red", "blue": "sea"}.get(h["colour"], "plain")
        hexes.append(
            HexView(
                **there, ink=ink, stops=stops, track=track, homes=homes.get(h["coord"], ()), letter=h.get("label") or ""
            )
        )
    return Board("1862 · OR 3.2 · ECR operates", "The map", tuple(hexes), brands_of("1862"))


BIG = {
    "1860-printed": printed_60,
    "1860-played": played_60,
    "1860-runs": runs_60,
    "1860-choices": choices_60,
    "1860-crop": crop_60,
    "1860-market": market_60,
    "1860-sheet": sheet_60,
    "1860-panels": panels_60,
    "1860-manifest": manifest_60,
    "1860-chart": chart_60,
    "1862-map": printed_62,
    "steel-driver": steel_driver,
}
