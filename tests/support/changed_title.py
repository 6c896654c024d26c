"""A title with some of its functions replaced, wherever in its record they stand."""

from typing import Any

from msgspec.structs import replace

from engine.title import Title

GROUPS = ("words", "views", "advice")


def change(title: Title[Any], **functions: Any) -> Title[Any]:  # noqa: ANN401  # each field has its own type
    """Return a title with these fields, which may be fields of its words, views or advice."""
    for name in GROUPS:
        group = getattr(title, name)
        inside = {field: functions.pop(field) for field in group.__struct_fields__ if field in functions}
        title = replace(title, **{name: replace(group, **inside)})
    return replace(title, **functions)
