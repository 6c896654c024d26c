"""Which number or letter a choice has on its picture."""

from collections.abc import Iterator, Sequence

from engine.view import MapView, Network, Panels, View


def marks(picture: View | None, words: Sequence[str]) -> list[str]:
    """Return the sign of each choice on the picture, empty where it has none.

    Args:
        picture: hexes or places with ``choice``, or lettered panels in the order of the choices.
        words: the choices as typed; a hex is meant by its coordinate at the beginning.
    """
    if isinstance(picture, Panels):
        letters = [panel.letter for panel in picture.panels if panel.letter]
        return letters if len(letters) == len(words) else [""] * len(words)
    signs = dict(_signs(picture))
    return [signs.get(word) or signs.get(word.split(" ")[0]) or "" for word in words]


def _signs(picture: View | None) -> Iterator[tuple[str, str]]:
    if isinstance(picture, MapView):
        yield from ((part.coord, part.choice) for part in picture.hexes if part.choice)
    if isinstance(picture, Network):
        yield from (
            (link_end, link.choice) for link in picture.links for link_end in _ends(link.a, link.b) if link.choice
        )
        yield from ((place.id, place.choice) for place in picture.places if place.choice)


def _ends(a: str, b: str) -> tuple[str, str]:
    return f"{a} {b}", f"{b} {a}"
