"""What is new on a map: two views compared, whatever the title."""

import msgspec

from engine.hex_view import HexView
from engine.view import MapView, Network, NetworkLink, View


def can_mark_changes(view: View) -> bool:
    """Return whether a view can show what is new."""
    return isinstance(view, MapView | Network)


def has_changed(before: View, after: View) -> bool:
    """Return whether something lies otherwise on a map; who acts and what may be done there does not count."""
    if isinstance(before, MapView) and isinstance(after, MapView):
        return {_strip_marks(tile) for tile in before.hexes} != {_strip_marks(tile) for tile in after.hexes}
    if isinstance(before, Network) and isinstance(after, Network):
        built = {(link.a, link.b): link.company for link in before.links}
        return built != {(link.a, link.b): link.company for link in after.links} or before.places != after.places
    return False


def mark_changes(before: View, after: View, since: str = "new") -> View:
    """Return the later view with what differs from the earlier marked "new"; marks it has stay.

    ``since`` is what the legend says of the mark.
    """
    if isinstance(before, MapView) and isinstance(after, MapView):
        seen = {tile.coord: _strip_marks(tile) for tile in before.hexes}
        hexes = tuple(
            msgspec.structs.replace(tile, mark="new")
            if not tile.mark and seen.get(tile.coord) != _strip_marks(tile)
            else tile
            for tile in after.hexes
        )
        return msgspec.structs.replace(after, hexes=hexes, new=since)
    if isinstance(before, Network) and isinstance(after, Network):
        built = {(link.a, link.b): link.company for link in before.links}
        links = tuple(_mark_link(link) if built.get((link.a, link.b)) != link.company else link for link in after.links)
        return msgspec.structs.replace(after, links=links, new=since)
    return after


def _strip_marks(tile: HexView) -> HexView:
    """Return a hex without what is drawn upon it for the moment."""
    return msgspec.structs.replace(tile, mark="", choice="", faded=False)


def _mark_link(link: NetworkLink) -> NetworkLink:
    return link if link.mark else msgspec.structs.replace(link, mark="new")
