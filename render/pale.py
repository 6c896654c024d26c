"""Washed out copies of items: surroundings, and what is sold out."""

import msgspec

from render.scene import Chip, Inset, Item, Stamp


def pale(item: Item) -> Item:
    """Return an item with all its colours washed out."""
    if isinstance(item, Stamp):
        return Stamp(item.x, item.y, tuple(pale(part) for part in item.items))
    if isinstance(item, Inset):
        return item
    if isinstance(item, Chip):
        look = item.livery
        faded = msgspec.structs.replace(look, fill=_role(look.fill), ink=_role(look.ink), accent=_role(look.accent))
        return msgspec.structs.replace(item, livery=faded)
    roles = {name: _role(getattr(item, name)) for name in ("fill", "line", "colour", "halo") if getattr(item, name, "")}
    return msgspec.structs.replace(item, **roles)


def _role(role: str) -> str:
    return role if not role or role.startswith("pale:") else f"pale:{role}"
