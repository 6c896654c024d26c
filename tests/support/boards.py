"""A small board of Steel Driver, as a group would write it."""

TWO_COASTS = """
format = "steel-driver-board/1"
name = "Two coasts"
ends = ["west", "east"]
canvas = { width = 200, height = 100 }

[companies]
red = { name = "Red", code = "R", colour = "#c62828" }
yellow = { name = "Yellow", code = "Y", colour = "#f9c80e", ink = "#000000" }
green = { name = "Green", code = "G", colour = "#2e7d32" }
blue = { name = "Blue", code = "B", colour = "#1565c0" }
purple = { name = "Purple", code = "P", colour = "#6a1b9a" }
black = { name = "Black", code = "K", colour = "#212121" }

[places]
west = { name = "West", x = 10, y = 50, shape = "hexagon", value = 30, goods = "red" }
middle = { name = "Middle", x = 100, y = 50, shape = "circle", value = 20, goods = "white" }
east = { name = "East", x = 190, y = 50, shape = "hexagon", value = 50, goods = "black" }

[routes]
west-middle = 3
middle-east = 4
"""

_FIRST = ("Upper", "Great", "Saint", "North", "Little", "Mount")
_LAST = (
    "Harrisonville", "Chattanooga", "Minneapolis", "Williamsport", "Fredericksburg", "Charlottesville", "Bloomington",
    "Jacksonville", "Montgomery", "Albuquerque",
)  # fmt: skip


def write_crowded_board() -> str:
    """Return a board of 60 places with long names and no land: ten columns, six rows, links to the right and down."""
    names = [[f"{first} {last}" for last in _LAST] for first in _FIRST]
    head = TWO_COASTS[: TWO_COASTS.index("[places]")].replace("200, height = 100", "1000, height = 600")
    ends = head.replace('"west", "east"', '"p0_0", "p5_9"').replace("Two coasts", "The crowded plains")
    places, routes = ["[places]"], ["[routes]"]
    for row, line in enumerate(names):
        for column, name in enumerate(line):
            x, y = 50 + 100 * column + 37 * (row * 7 + column * 3) % 50, 50 + 100 * row + 29 * (row + column * 5) % 40
            shape = "hexagon" if (row + column) % 5 == 0 else "circle"
            what = f'shape = "{shape}", value = 20, goods = "white"'
            places.append(f'p{row}_{column} = {{ name = "{name}", x = {x}, y = {y}, {what} }}')
            routes += [f"p{row}_{column}-p{row}_{column + 1} = 3"] * (column < 9)
            routes += [f"p{row}_{column}-p{row + 1}_{column} = 4"] * (row < 5)
    return "\n".join((ends, *places, "", *routes, ""))
