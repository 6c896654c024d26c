"""Draw the kept pictures anew."""

from tests.render.golden import FOLDER, NAMES, drawn

for name in NAMES:
    drawn(name).quantize(128).save(FOLDER / f"{name}.png")
