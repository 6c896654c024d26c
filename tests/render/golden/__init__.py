"""Small pictures kept as they were; ``python -m tests.render.golden`` draws them anew, to be looked at in review."""

import io
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from render import PictureStyle, png
from tests.render.samples import SMALL

FOLDER = Path(__file__).parent
NAMES = ("board", "market")
WIDTH = 400


def draw_sample(name: str) -> Image.Image:
    """Return a sample as it is drawn today."""
    return Image.open(io.BytesIO(png(SMALL[name](), PictureStyle(width=WIDTH)))).convert("RGB")


def far_apart(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures differ by a level on average, or by 24 in any block of 8 x 8 pixels."""
    if one.size != other.size:
        return True
    difference = ImageChops.difference(one, other)
    blocks = difference.reduce(8)
    return max(ImageStat.Stat(difference).mean) >= 1 or any(sum(band.histogram()[25:]) for band in blocks.split())
