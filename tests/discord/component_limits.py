"""Limits of rows, buttons, selects and of the newer layout components."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.discord.world import parts

TOP_V2 = {1, 9, 10, 12, 13, 14, 17}
IN_CONTAINER = {1, 9, 10, 12, 13, 14}


def check_components(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield broken limits of classic components: five rows of five buttons or one select."""
    if len(rows) > 5:
        yield f"{len(rows)} action rows, at most 5"
    for row in rows:
        if row["type"] != 1:
            yield f"component type {row['type']} needs the v2 flag"
        else:
            yield from check_row(row)
    yield from check_ids(rows)


def check_v2(payload: dict[str, Any], components: list[dict[str, Any]]) -> Iterator[str]:
    """Yield broken limits of a layout: 40 components in all, 4000 characters, nothing beside it."""
    for key in ("content", "embeds", "sticker_ids", "poll"):
        if payload.get(key):
            yield f"{key} may not stand beside v2 components"
    everything = parts(components)
    if len(everything) > 40:
        yield f"{len(everything)} components, at most 40"
    if sum(len(part.get("content") or "") for part in everything if part["type"] == 10) > 4000:
        yield "text displays hold more than 4000 characters"
    for part in components:
        if part["type"] not in TOP_V2:
            yield f"component type {part['type']} may not stand at the top"
    for part in everything:
        yield from _check_v2_part(part)
    yield from check_ids(components)


def _check_v2_part(part: dict[str, Any]) -> Iterator[str]:
    kind = part["type"]
    if kind == 1:
        yield from check_row(part)
    if kind == 10 and not part.get("content"):
        yield "text display is empty"
    if kind == 9 and not 1 <= len(part.get("components") or []) <= 3:
        yield "a section has 1 to 3 texts"
    if kind == 9 and not part.get("accessory"):
        yield "a section needs an accessory"
    if kind == 12:
        items = part.get("items") or []
        if not 1 <= len(items) <= 10:
            yield f"media gallery has {len(items)} items, 1 to 10 are allowed"
        if any(len(item.get("description") or "") > 1024 for item in items):
            yield "alt text of a gallery item is longer than 1024"
    if kind == 17 and any(inner["type"] not in IN_CONTAINER for inner in part.get("components") or []):
        yield "a container holds something it may not"


def check_row(row: dict[str, Any]) -> Iterator[str]:
    """Yield broken limits of one row."""
    inner = row.get("components") or []
    buttons = [part for part in inner if part["type"] == 2]
    if not inner:
        yield "an action row is empty"
    if len(buttons) > 5:
        yield f"{len(buttons)} buttons in a row, at most 5"
    if len(inner) != len(buttons) and len(inner) > 1:
        yield "a select stands alone in its row"
    for part in inner:
        yield from check_button(part) if part["type"] == 2 else check_select(part)


def check_button(part: dict[str, Any]) -> Iterator[str]:
    """Yield broken limits of a button."""
    if len(part.get("label") or "") > 80:
        yield f"button label has {len(part['label'])} characters, at most 80"
    if not part.get("label") and not part.get("emoji"):
        yield "a button needs a label or an emoji"
    if part.get("style") == 5:
        if not part.get("url") or part.get("custom_id"):
            yield "a link button has a url and no custom_id"
    elif not 1 <= len(part.get("custom_id") or "") <= 100:
        yield f"custom_id must have 1 to 100 characters: {part.get('custom_id')!r}"


def check_select(part: dict[str, Any]) -> Iterator[str]:
    """Yield broken limits of a select menu."""
    if part["type"] not in {3, 5, 6, 7, 8}:
        yield f"component type {part['type']} may not stand in a row"
        return
    if not 1 <= len(part.get("custom_id") or "") <= 100:
        yield f"custom_id must have 1 to 100 characters: {part.get('custom_id')!r}"
    if len(part.get("placeholder") or "") > 150:
        yield "placeholder is longer than 150"
    if part["type"] == 3:
        yield from _check_options(part)


def _check_options(part: dict[str, Any]) -> Iterator[str]:
    options = part.get("options") or []
    if not 1 <= len(options) <= 25:
        yield f"select has {len(options)} options, 1 to 25 are allowed"
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if (text is not None or key != "description") and not 1 <= len(text or "") <= 100:
                yield f"option {key} must have 1 to 100 characters: {(text or '')[:40]!r}"
    values = Counter(option["value"] for option in options)
    for value in [value for value, count in values.items() if count > 1]:
        yield f"option value {value!r} is used twice"
    low, high = part.get("min_values", 1), part.get("max_values", 1)
    if not 0 <= low <= 25 or not max(1, low) <= high <= max(1, len(options)):
        yield f"select takes {low} to {high} values of {len(options)}"


def check_ids(components: list[dict[str, Any]]) -> Iterator[str]:
    """Yield custom ids that are used twice in one message."""
    ids = Counter(part["custom_id"] for part in parts(components) if part.get("custom_id"))
    for name in [name for name, count in ids.items() if count > 1]:
        yield f"custom_id {name!r} is used twice"
    numbers = Counter(part["id"] for part in parts(components) if part.get("id"))
    for number, count in numbers.items():
        if count > 1:
            yield f"component id {number} is used twice"
        if not 0 < number < 1 << 31:
            yield f"component id {number} has more than 31 bits"
