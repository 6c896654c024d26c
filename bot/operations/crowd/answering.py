"""How Discord is asked and answers, for stand-ins of it: bodies of requests, JSON, what it says of the bot."""

import json
from collections.abc import Iterable
from typing import Any

from aiohttp import BodyPartReader, web

Json = dict[str, Any]  # what Discord sends and takes


def plain(data: object, status: int = 200) -> web.Response:
    """Answer JSON, nothing for ``None``; the client reads it only if the content type is exactly this."""
    if data is None:
        return web.Response(status=204)
    return web.Response(body=json.dumps(data).encode(), status=status, content_type="application/json")


async def read_body(request: web.Request) -> tuple[Json, list[tuple[str, bytes]]]:
    """Return the JSON of a request and its files, name and content, in the order of their numbers."""
    if not request.content_type.startswith("multipart/"):
        return (await request.json() if request.can_read_body else {}), []
    payload: Json = {}
    files: dict[int, tuple[str, bytes]] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = await part.read()
        if part.name == "payload_json":
            payload = json.loads(data)
        else:
            files[int(str(part.name).removeprefix("files[").removesuffix("]"))] = (part.filename or "", bytes(data))
    return payload, [files[number] for number in sorted(files)]


def served(parts: Iterable[Json]) -> None:
    """Let the pictures of components come from a place of Discord's own, as they do once it has them."""
    for part in parts:
        for item in part.get("items") or []:
            item["media"] = {"url": item["media"]["url"], "proxy_url": item["media"]["url"]}


def application(number: int, owner: Json) -> Json:
    """Return what Discord says of the bot's application."""
    return {
        "id": str(number), "name": "Stationmaster", "icon": None, "description": "", "flags": 0,
        "bot_public": True, "bot_require_code_grant": False, "owner": owner, "verify_key": "0" * 64,
    }  # fmt: skip
