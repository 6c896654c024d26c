"""Pictures for the eye: ``python -m tests.render.gallery FOLDER [PALETTE]``.

Every sample is drawn at full size and as wide as a phone shows it.
Those of the titles are moments of the games in ``tests/playthroughs``.
"""

import io
import sys
from pathlib import Path

from PIL import Image

from render import PALETTES, Palette, PictureStyle, png
from tests.render.positions import BIG
from tests.render.samples import SMALL

PHONE = 400


def main(folder: Path, palette: Palette = "standard") -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = {f"small-{name}": make for name, make in SMALL.items()} | BIG
    for name, make in samples.items():
        picture = png(make(), PictureStyle(palette))
        (folder / f"{name}.png").write_bytes(picture)
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        size = (PHONE, max(1, round(PHONE * image.height / image.width)))
        image.resize(size, Image.Resampling.LANCZOS).save(folder / f"{name}-phone.png")
        sys.stdout.write(f"{name}: {image.width} x {image.height}, {len(picture) // 1024} KB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(known for known in PALETTES if known in sys.argv[2:3]))
