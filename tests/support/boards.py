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
