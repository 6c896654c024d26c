"""Pictures of views: view -> scene -> pixels, or SVG for browsers.

``png`` and ``svg`` draw one view; a ``Renderer`` draws off the event loop and remembers
what it has drawn. Alt text is ``view.alt``.
"""

from render.cache import PictureStyle, Renderer, film, pdf, png
from render.svg import svg
from render.theme import PALETTES, Palette

__all__ = ["PALETTES", "Palette", "PictureStyle", "Renderer", "film", "pdf", "png", "svg"]
