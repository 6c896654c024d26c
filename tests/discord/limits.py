"""Discord's limits on messages, choices and modals; each broken one is a sentence.

Sources: Discord's documentation, and the "own assertions" of our design notes:
what the published schema does not catch is checked here as well.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.discord.component_limits import check_components, check_ids, check_v2
from tests.discord.world import V2, parts

MAX_FILE_BYTES = 10 * 1024 * 1024
KEYS = frozenset({
    "content", "tts", "embeds", "allowed_mentions", "components", "attachments", "flags", "nonce", "enforce_nonce",
    "message_reference", "sticker_ids", "poll", "thread_name", "applied_tags", "username", "avatar_url",
})  # fmt: skip


def check_message(
    payload: dict[str, Any], files: Sequence[tuple[str, bytes]] = (), held: Sequence[str] = ()
) -> Iterator[str]:
    """Yield what is wrong with a message that is sent or edited.

    Args:
        payload: the JSON of the message.
        files: name and bytes of each file that comes with it.
        held: names of files the message holds already.
    """
    unknown = set(payload) - KEYS
    if unknown:
        yield f"unknown keys {sorted(unknown)}"
    if len(payload.get("content") or "") > 2000:
        yield f"content has {len(payload['content'])} characters, at most 2000"
    yield from check_embeds(payload.get("embeds") or [])
    yield from check_files(payload.get("attachments"), files, held)
    yield from check_mentions(payload.get("allowed_mentions"))
    if len(str(payload.get("nonce") or "")) > 25:
        yield "nonce is longer than 25 characters"
    components = payload.get("components") or []
    if (payload.get("flags") or 0) & V2:
        yield from check_v2(payload, components)
        yield from check_references(components, [*(name for name, _ in files), *held])
    else:
        yield from check_components(components)


def is_empty(payload: dict[str, Any], files: Sequence[object]) -> bool:
    """Return whether a new message would show nothing."""
    shown = (payload.get(key) for key in ("content", "embeds", "components", "sticker_ids", "poll"))
    return not files and not any(shown)


def check_embeds(embeds: list[dict[str, Any]]) -> Iterator[str]:
    """Yield broken limits of embeds; all of them together hold 6000 characters."""
    if len(embeds) > 10:
        yield f"{len(embeds)} embeds, at most 10"
    total = sum(len(text) for embed in embeds for text in _texts(embed))
    if total > 6000:
        yield f"embeds hold {total} characters in total, at most 6000"
    for embed in embeds:
        yield from _check_embed(embed)


def _texts(embed: dict[str, Any]) -> Iterator[str]:
    yield embed.get("title") or ""
    yield embed.get("description") or ""
    yield (embed.get("footer") or {}).get("text", "")
    yield (embed.get("author") or {}).get("name", "")
    for part in embed.get("fields") or []:
        yield part["name"]
        yield part["value"]


def _check_embed(embed: dict[str, Any]) -> Iterator[str]:
    for text, most in zip(_texts(embed), (256, 4096, 2048, 256), strict=False):
        if len(text) > most:
            yield f"an embed text has {len(text)} characters, at most {most}"
    fields = embed.get("fields") or []
    if len(fields) > 25:
        yield f"embed has {len(fields)} fields, at most 25"
    for part in fields:
        if not 1 <= len(part["name"]) <= 256:
            yield "embed field name must have 1 to 256 characters"
        if not 1 <= len(part["value"]) <= 1024:
            yield "embed field value must have 1 to 1024 characters"


def check_files(
    kept: list[dict[str, Any]] | None, files: Sequence[tuple[str, bytes]], held: Sequence[str]
) -> Iterator[str]:
    """Yield broken limits of attachments: ten of 10 MiB, alt text 1024."""
    count = len(files) + len(held) if kept is None else max(len(kept), len(files))
    if count > 10:
        yield f"{count} attachments, at most 10"
    for name, data in files:
        if len(data) > MAX_FILE_BYTES:
            yield f"{name} has {len(data)} bytes, at most {MAX_FILE_BYTES}"
        if not data:
            yield f"{name} is empty"
    for part in kept or []:
        if len(part.get("description") or "") > 1024:
            yield f"alt text has {len(part['description'])} characters, at most 1024"


def check_mentions(allowed: dict[str, Any] | None) -> Iterator[str]:
    """Yield broken rules of ``allowed_mentions``."""
    if not allowed:
        return
    if "users" in (allowed.get("parse") or []) and allowed.get("users"):
        yield "allowed_mentions: parse 'users' and a list of users exclude each other"
    if len(allowed.get("users") or []) > 100:
        yield "allowed_mentions: more than 100 users"


def check_references(components: list[Any], names: Sequence[str]) -> Iterator[str]:
    """Yield attachments that a v2 message does not show, and references to none."""
    used = set()
    for part in parts(components):
        media = [item["media"]["url"] for item in part.get("items") or [] if part["type"] == 12]
        media += [part["media"]["url"]] if part["type"] == 11 else []
        media += [part["file"]["url"]] if part["type"] == 13 else []
        used |= {url.removeprefix("attachment://") for url in media if url.startswith("attachment://")}
    for name in sorted(used - set(names)):
        yield f"attachment://{name} is not attached"
    for name in sorted(set(names) - used):
        yield f"attachment {name} is not shown: a v2 message must refer to it"


def check_choices(choices: list[dict[str, Any]]) -> Iterator[str]:
    """Yield broken limits of an autocomplete answer."""
    if len(choices) > 25:
        yield f"{len(choices)} choices, at most 25"
    for choice in choices:
        if not 1 <= len(choice["name"]) <= 100:
            yield f"choice name must have 1 to 100 characters: {choice['name'][:40]!r}"
        if isinstance(choice["value"], str) and not 1 <= len(choice["value"]) <= 100:
            yield f"choice value must have 1 to 100 characters: {choice['value'][:40]!r}"


def check_modal(data: dict[str, Any]) -> Iterator[str]:
    """Yield broken limits of a modal: 1 to 5 labels or texts, title 45."""
    if not 1 <= len(data.get("title") or "") <= 45:
        yield f"modal title must have 1 to 45 characters: {data.get('title')!r}"
    if not 1 <= len(data.get("custom_id") or "") <= 100:
        yield "modal custom_id must have 1 to 100 characters"
    components = data.get("components") or []
    if not 1 <= len(components) <= 5:
        yield f"modal has {len(components)} components, 1 to 5 are allowed"
    for part in components:
        yield from _check_modal_row(part)
    yield from check_ids(components)


def _check_modal_row(part: dict[str, Any]) -> Iterator[str]:
    if part["type"] not in {1, 10, 18}:
        yield f"component type {part['type']} may not stand in a modal"
    if part["type"] == 18:
        if not 1 <= len(part.get("label") or "") <= 45:
            yield f"label must have 1 to 45 characters: {part.get('label')!r}"
        if len(part.get("description") or "") > 100:
            yield "label description is longer than 100"
    for inner in parts([part])[1:]:
        yield from _check_input(inner)


def _check_input(part: dict[str, Any]) -> Iterator[str]:
    if part["type"] == 2:
        yield "a button may not stand in a modal"
        return
    if not 1 <= len(part.get("custom_id") or "") <= 100:
        yield "custom_id must have 1 to 100 characters"
    if len(part.get("placeholder") or "") > (100 if part["type"] == 4 else 150):
        yield "placeholder is too long"
    if part["type"] == 4 and len(part.get("value") or "") > 4000:
        yield "text input holds more than 4000 characters"
    if part["type"] == 3 and not 1 <= len(part.get("options") or []) <= 25:
        yield f"select has {len(part.get('options') or [])} options, 1 to 25 are allowed"
