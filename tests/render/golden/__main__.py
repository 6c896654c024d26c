"""Draw the kept pictures anew."""

from tests.render.golden import FOLDER, NAMES, draw_sample

for name in NAMES:
    draw_sample(name).quantize(128).save(FOLDER / f"{name}.png")
