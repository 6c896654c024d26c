"""Pictures of views: view -> scene -> pixels.

``png`` draws one view; a ``Renderer`` draws off the event loop and remembers
what it has drawn. Alt text is ``view.alt``.
"""

from render.cache import Renderer, Style, png
from render.film import film
from render.theme import PALETTES, Palette

__all__ = ["PALETTES", "Palette", "Renderer", "Style", "film", "png"]
