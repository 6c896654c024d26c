"""Limits of the requests that are neither messages nor commands, as sentences."""

from collections.abc import Iterator, Mapping
from typing import Any

ARCHIVE_AFTER = {60, 1440, 4320, 10080}
PUBLIC_THREAD = 11
THREAD_KEYS = frozenset({
    "name", "auto_archive_duration", "type", "rate_limit_per_user", "invitable", "message", "applied_tags",
})  # fmt: skip
CHANNEL_KEYS = frozenset({"name", "archived", "locked", "auto_archive_duration", "rate_limit_per_user", "invitable"})


def check_thread(payload: dict[str, Any], *, at_message: bool, in_forum: bool) -> Iterator[str]:
    """Yield what is wrong with a thread that is to be made."""
    if unknown := set(payload) - THREAD_KEYS:
        yield f"unknown keys {sorted(unknown)}"
    if not 1 <= len(payload.get("name") or "") <= 100:
        yield "name must have 1 to 100 characters"
    if payload.get("auto_archive_duration", 60) not in ARCHIVE_AFTER:
        yield "auto_archive_duration is none of 60, 1440, 4320, 10080"
    if not at_message and not in_forum and payload.get("type") != PUBLIC_THREAD:
        yield "a thread without a message is private unless its type is 11"
    if in_forum and not payload.get("message"):
        yield "a forum post needs a message"


def check_channel(payload: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a change of a thread."""
    if unknown := set(payload) - CHANNEL_KEYS:
        yield f"unknown keys {sorted(unknown)}"
    if "name" in payload and not 1 <= len(payload["name"] or "") <= 100:
        yield "name must have 1 to 100 characters"
    if payload.get("auto_archive_duration", 60) not in ARCHIVE_AFTER:
        yield "auto_archive_duration is none of 60, 1440, 4320, 10080"


def check_history(query: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a look back into a channel."""
    if not 1 <= int(query.get("limit", 50)) <= 100:
        yield f"limit is {query['limit']}, 1 to 100 are allowed"
    if len({"before", "after", "around"} & set(query)) > 1:
        yield "before, after and around exclude one another"


def check_callback(payload: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the frame of an answer to an interaction."""
    if unknown := set(payload) - {"type", "data", "attachments"}:
        yield f"unknown keys {sorted(unknown)}"
    if payload.get("type") not in {4, 5, 6, 7, 8, 9}:
        yield f"there is no answer of type {payload.get('type')}"
