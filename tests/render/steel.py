"""The network of Steel Driver."""

from engine.view import Link, Network, Place
from tests.render.facts import brands_of, facts

LAND_TEXT = """
30,60 75,70 330,75 560,75 600,110 660,110 690,140 720,170 735,215 760,205 800,205 835,170 885,150 920,120
945,95 975,120 970,180 940,215 910,250 890,300 905,330 860,400 835,445 830,500 850,560 835,590 812,560 795,520
740,515 690,525 660,550 620,540 560,550 530,600 480,560 440,520 380,510 320,490 250,480 180,450 95,410 55,340
20,260 28,160
"""
LAND = tuple(tuple(int(number) for number in pair.split(",")) for pair in LAND_TEXT.split())
TRACKS = {
    "R": "baltimore-pittsburgh pittsburgh-cleveland",
    "G": "san_francisco-reno reno-salt_lake_city",
    "B": "new_york-albany albany-buffalo buffalo-detroit",
    "Y": "charleston-atlanta atlanta-memphis",
    "K": "los_angeles-santa_fe santa_fe-kansas_city",
    "P": "charleston-richmond",
}
BUILT = {link: company for company, links in TRACKS.items() for link in links.split()}
OFFERED = {"salt_lake_city-denver": "1", "salt_lake_city-helena": "2", "denver-omaha": "3", "cleveland-chicago": "12"}


def steel_driver():
    """Return the network of Steel Driver in the middle of a game."""
    board = facts("steel_driver")
    letters = {"black": "K", "white": "W", "silver": "S", "orange": "O", "red": "R"}
    places = tuple(
        Place(
            p["id"], p["name"], p["x"], p["y"], p["shape"], p["value"], p["colour"], letters[p["colour"]], k % 4 != 0,
            ("R",) if p["id"] == "baltimore" else (),
        )
        for k, p in enumerate(board["locations"])
    )  # fmt: skip

    def of(table, a, b):
        return table.get(f"{a}-{b}") or table.get(f"{b}-{a}") or ""

    links = tuple(
        Link(r["a"], r["b"], r["cost"], of(BUILT, r["a"], r["b"]), of(OFFERED, r["a"], r["b"]),
             "can" if of(OFFERED, r["a"], r["b"]) else "")
        for r in board["routes"]
    )  # fmt: skip
    width, height = board["canvas"]["width"], board["canvas"]["height"]
    brands = brands_of("steel_driver")
    return Network(
        "Steel Driver · Red builds", "The net", width, height, places, links, (LAND,), brands, ("Red: 7 cubes left",)
    )
