"""The routes of channels, threads, messages, users and commands."""

import json
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, web

from tests.discord.command_limits import check_tree
from tests.discord.limits import check_message, is_empty
from tests.discord.request_limits import check_channel, check_history, check_thread
from tests.discord.world import FORUM, V2, Channel, File, Message

if TYPE_CHECKING:
    from tests.discord.stand_in import StandIn

BASE = "/api/v10"


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """An answer of 4xx with Discord's code."""

    def __init__(self, status: int, code: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.code = code


def plain(data: object, status: int = 200) -> web.Response:
    """Answer JSON, nothing for ``None``; the client reads it only if the content type is exactly this."""
    if data is None:
        return web.Response(status=204)
    return web.Response(body=json.dumps(data).encode(), status=status, content_type="application/json")


async def read_body(request: web.Request) -> tuple[dict[str, Any], list[tuple[str, bytes]]]:
    """Return the JSON of a request and its files, name and content, in the order of their numbers."""
    if not request.content_type.startswith("multipart/"):
        return (await request.json() if request.can_read_body else {}), []
    payload: dict[str, Any] = {}
    files: dict[int, tuple[str, bytes]] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = await part.read()
        if part.name == "payload_json":
            payload = json.loads(data)
        else:
            files[int(str(part.name).removeprefix("files[").removesuffix("]"))] = (part.filename or "", bytes(data))
    return payload, [files[number] for number in sorted(files)]


class Post:
    """Make and change messages, for channels and for webhooks alike."""

    def __init__(self, server: "StandIn") -> None:
        self.server = server
        self.world = server.world

    def check(self, where: str, payload: dict[str, Any], files: list[tuple[str, bytes]]) -> None:
        """Refuse a new message that breaks a limit or shows nothing."""
        self.server.judge(where, check_message(payload, files))
        if is_empty(payload, files):
            self.server.note(f"{where}: an empty message")
            raise Refused(400, 50006, "Cannot send an empty message")

    def fill(self, message: Message, payload: dict[str, Any], files: list[tuple[str, bytes]]) -> None:
        """Put what was sent into a new message."""
        message.content = payload.get("content") or ""
        message.embeds = payload.get("embeds") or []
        message.components = payload.get("components") or []
        message.files = self._files(payload.get("attachments") or [], files)
        self._number(message)

    def edit(self, where: str, message: Message, payload: dict[str, Any], files: list[tuple[str, bytes]]) -> None:
        """Change a message; files that are not listed go, no one is pinged."""
        flags = payload.get("flags") or 0
        v2 = (message.flags | flags) & V2
        kept = payload.get("attachments")
        held = [f for f in message.files if kept is None or str(f.id) in {str(part.get("id")) for part in kept}]
        body = {key: value for key, value in payload.items() if key != "flags"} | {"flags": v2}
        self.server.judge(where, check_message(body, files, [f.name for f in held]))
        after = {key: payload.get(key, getattr(message, key)) for key in ("content", "embeds")}
        if v2 and any(after.values()):
            self.server.judge(where, ["content and embeds must be cleared in a v2 message"])
        message.flags |= v2
        for key in ("content", "embeds", "components"):
            if key in payload:
                setattr(message, key, payload[key] or ("" if key == "content" else []))
        message.files = held + self._files(kept or [], files)
        message.edits += 1
        self._number(message)

    def create(
        self, channel: Channel, payload: dict[str, Any], files: list[tuple[str, bytes]], *, interaction: bool = False
    ) -> Message:
        """Put a new message into a channel and ping whom it mentions."""
        message = Message(self.world.snowflake(), channel, self.world.me, sent=self.world.clock.iso())
        message.flags = payload.get("flags") or 0
        message.nonce = str(payload["nonce"]) if payload.get("nonce") else None
        reference = payload.get("message_reference") or {}
        message.reply_to = int(reference["message_id"]) if reference.get("message_id") else None
        self.fill(message, payload, files)
        self.keep(message)
        self.world.ring(message, payload.get("allowed_mentions"), interaction=interaction)
        return message

    def keep(self, message: Message) -> None:
        """Remember a message in its channel."""
        message.channel.messages.append(message)
        self.world.messages[message.id] = message

    def _files(self, listed: list[dict[str, Any]], files: list[tuple[str, bytes]]) -> list[File]:
        alts = {str(part["id"]): part.get("description") or "" for part in listed if "id" in part}
        found = []
        for number, (name, data) in enumerate(files):
            kind = "image/png" if name.endswith(".png") else "application/octet-stream"
            found.append(File(self.world.snowflake(), name, data, alts.get(str(number), ""), kind))
        return found

    def _number(self, message: Message) -> None:
        """Resolve ``attachment://`` as Discord does, and give each component a number."""

        def walk(parts: list[dict[str, Any]], number: int) -> int:
            for part in parts:
                number += 1
                part.setdefault("id", number)
                number = walk(part.get("components") or [], number)
                for item in part.get("items") or []:  # once Discord has a picture, it comes from a place of its own
                    item["media"] = {"url": item["media"]["url"], "proxy_url": item["media"]["url"]}
            return number

        walk(message.components, 0)


def as_listed(node: dict[str, Any]) -> dict[str, Any]:
    """Return a command as Discord lists it: what is false or empty is left out."""
    kept = {key: value for key, value in node.items() if value or key in {"description", "value", "min_value"}}
    if "options" in kept:
        kept["options"] = [as_listed(option) for option in kept["options"]]
    return kept


class ChannelRoutes:
    """What a bot asks with its own token."""

    def __init__(self, server: "StandIn") -> None:
        self.server = server
        self.world = server.world
        self.post = Post(server)

    def routes(self) -> list[web.RouteDef]:
        channel, message = f"{BASE}/channels/{{channel}}", f"{BASE}/channels/{{channel}}/messages/{{message}}"
        tree = f"{BASE}/applications/{{app}}/commands"
        return [
            web.get(f"{BASE}/users/@me", self.me),
            web.get(f"{BASE}/oauth2/applications/@me", self.application),
            web.get(f"{BASE}/gateway/bot", self.shards),
            web.put(tree, self.sync),
            web.get(tree, self.tree),
            web.post(f"{BASE}/applications/{{app}}/guilds/{{guild}}/commands", self.add_command),
            web.delete(f"{BASE}/applications/{{app}}/guilds/{{guild}}/commands/{{command}}", self.remove_command),
            web.post(f"{BASE}/users/@me/channels", self.open_dm),
            web.get(f"{BASE}/users/{{user}}", self.user),
            web.get(channel, self.channel),
            web.patch(channel, self.change_channel),
            web.delete(channel, self.delete_thread),
            web.post(f"{channel}/typing", self.nothing),
            web.put(f"{channel}/thread-members/{{user}}", self.add_member),
            web.post(f"{channel}/threads", self.start_thread),
            web.post(f"{channel}/messages", self.send),
            web.get(f"{channel}/messages", self.history),
            web.put(f"{channel}/messages/pins/{{message}}", self.pin),
            web.delete(f"{channel}/messages/pins/{{message}}", self.pin),
            web.get(message, self.message),
            web.patch(message, self.change),
            web.delete(message, self.delete),
            web.post(f"{message}/threads", self.start_thread),
            web.get("/cdn/{file}/{name}", self.cdn),
        ]

    async def me(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != "Bot token":
            raise Refused(401, 0, "401: Unauthorized")
        return plain(self.world.me.json())

    async def application(self, request: web.Request) -> web.Response:
        team = [
            {"user": user.json(), "role": role, "membership_state": 2 if accepted else 1, "permissions": ["*"]}
            for user, role, accepted in self.world.team
        ]
        return plain({
            "id": str(self.world.app_id), "name": "Stationmaster", "icon": None, "description": "", "flags": 0,
            "bot_public": True, "bot_require_code_grant": False, "owner": self.world.owner.json(), "verify_key": "",
            "team": {"id": "1", "name": "Rail", "icon": None, "members": team} if team else None,
        })  # fmt: skip

    async def shards(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1000, "max_concurrency": 1}
        return plain({"url": self.server.url.replace("http", "ws"), "shards": 1, "session_start_limit": limit})

    async def nothing(self, request: web.Request) -> web.Response:
        return plain(None)

    async def sync(self, request: web.Request) -> web.Response:
        commands = await request.json()
        self.server.judge("commands", check_tree(commands))
        self.world.syncs += 1
        known = {c["name"]: c["id"] for c in self.world.commands}
        stamp = {"application_id": str(self.world.app_id), "version": str(self.world.snowflake())}
        self.world.commands = [
            {
                "description": "",
                **c,
                **stamp,
                "type": c.get("type", 1),
                "id": known.get(c["name"]) or str(self.world.snowflake()),
            }
            for c in commands
        ]
        return plain(self.world.commands)

    async def tree(self, request: web.Request) -> web.Response:
        return plain([self.server.rewording(as_listed(command)) for command in self.world.commands])

    async def add_command(self, request: web.Request) -> web.Response:
        """Declare a command in the server alone."""
        command = await request.json()
        self.server.judge("command", check_tree([{**command, "contexts": [0], "integration_types": [0]}]))
        command["id"] = str(self.world.snowflake())
        self.world.commands = [*self.world.commands, command]
        return plain(command, 201)

    async def remove_command(self, request: web.Request) -> web.Response:
        gone = request.match_info["command"]
        self.world.commands = [command for command in self.world.commands if command["id"] != gone]
        return plain(None)

    async def open_dm(self, request: web.Request) -> web.Response:
        user = self.world.users[int((await request.json())["recipient_id"])]
        return plain(self.world.dm(user).json(self.world.clock))

    async def user(self, request: web.Request) -> web.Response:
        user = self.world.users.get(int(request.match_info["user"]))
        if user is None:
            raise Refused(404, 10013, "Unknown User")
        return plain(user.json())

    def _channel(self, request: web.Request) -> Channel:
        channel = self.world.channels.get(int(request.match_info["channel"]))
        if channel is None:
            raise Refused(404, 10003, "Unknown Channel")
        return channel

    def _message(self, request: web.Request) -> Message:
        channel = self._channel(request)
        message = self.world.messages.get(int(request.match_info["message"]))
        if message is None or message.deleted or message.channel is not channel or message.ephemeral:
            raise Refused(404, 10008, "Unknown Message")
        return message

    async def channel(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        self.server.require(channel)
        return plain(channel.json(self.world.clock))

    async def change_channel(self, request: web.Request) -> web.Response:
        channel, body = self._channel(request), await request.json()
        mine = channel.is_thread and channel.owner is self.world.me
        self.server.require(channel, *([] if mine and not channel.locked else ["manage_threads"]))
        if channel.archived and body.get("archived") is not False:
            raise Refused(400, 50083, "Thread is archived")
        self.server.judge("change of a channel", check_channel(body))
        channel.name = body.get("name", channel.name)
        channel.archived = body.get("archived", channel.archived)
        channel.locked = body.get("locked", channel.locked)
        self.server.emit("THREAD_UPDATE", channel.json(self.world.clock))
        return plain(channel.json(self.world.clock))

    async def delete_thread(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        self.server.require(channel, "manage_threads")
        self.server.delete(channel)
        return plain(channel.json(self.world.clock))

    async def add_member(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        if request.match_info["user"] != "@me":
            channel.members.add(int(request.match_info["user"]))
        return plain(None)

    async def start_thread(self, request: web.Request) -> web.Response:
        parent = self._channel(request)
        payload, files = await read_body(request)
        self.server.require(parent, "send_messages" if parent.kind == FORUM else "create_public_threads")
        at_message, in_forum = "message" in request.match_info, parent.kind == FORUM
        self.server.judge("thread", check_thread(payload, at_message=at_message, in_forum=in_forum))
        if in_forum:
            self.post.check("forum post", payload["message"], files)
        if at_message:
            source = self._message(request)
            if source.id in self.world.channels:
                raise Refused(400, 160004, "A thread has already been created for this message")
            thread = self.world.thread(parent, payload["name"], self.world.me, source.id)
        else:
            thread = self.world.thread(parent, payload["name"], self.world.me)
        thread.archive_after = payload.get("auto_archive_duration") or thread.archive_after
        data = thread.json(self.world.clock)
        if parent.kind == FORUM:
            message = self.post.create(thread, payload["message"], files)
            message.id, thread.messages[0].id = thread.id, thread.id
            self.world.messages[thread.id] = message
            data["message"] = self.server.message_json(message)
        self.server.emit("THREAD_CREATE", thread.json(self.world.clock) | {"newly_created": True})
        return plain(data, 201)

    async def send(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        payload, files = await read_body(request)
        need = "send_messages_in_threads" if channel.is_thread else "send_messages"
        self.server.require(channel, need, *(["attach_files"] if files else []))
        if payload.get("embeds"):
            self.server.require(channel, "embed_links")
        if channel.kind == FORUM:
            raise Refused(400, 50008, "Cannot send messages in a non-text channel")
        if channel.locked and "manage_threads" not in self.world.list_permissions(channel):
            raise Refused(403, 160005, "This thread is locked")
        self.post.check(f"message in {channel.name}", payload, files)
        known = self.world.of_nonce(str(payload["nonce"])) if payload.get("enforce_nonce") else None
        if known is not None:
            return plain(self.server.message_json(known))
        channel.archived = False
        message = self.post.create(channel, payload, files)
        self.server.announce(message)
        return plain(self.server.message_json(message))

    async def history(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        self.server.require(channel, "read_message_history")
        self.server.judge("history", check_history(request.query))
        found = channel.public[::-1]
        if before := request.query.get("before"):
            found = [m for m in found if m.id < int(before)]
        if after := request.query.get("after"):
            found = [m for m in found if m.id > int(after)]
        found = found[: int(request.query.get("limit", 50))]
        return plain([{k: v for k, v in self.server.message_json(m).items() if k != "nonce"} for m in found])

    async def message(self, request: web.Request) -> web.Response:
        message = self._message(request)
        self.server.require(message.channel, "read_message_history")
        return plain(self.server.message_json(message))

    async def change(self, request: web.Request) -> web.Response:
        message = self._message(request)
        payload, files = await read_body(request)
        self.server.require(message.channel, *(["attach_files"] if files else []))
        if message.channel.archived:
            raise Refused(400, 50083, "Thread is archived")
        if message.author is not self.world.me:
            raise Refused(403, 50005, "Cannot edit a message authored by another user")
        self.post.edit(f"edit in {message.channel.name}", message, payload, files)
        self.server.emit("MESSAGE_UPDATE", self.server.message_json(message))
        return plain(self.server.message_json(message))

    async def delete(self, request: web.Request) -> web.Response:
        message = self._message(request)
        if message.author is not self.world.me:
            self.server.require(message.channel, "manage_messages")
        message.deleted = True
        return plain(None)

    async def pin(self, request: web.Request) -> web.Response:
        message = self._message(request)
        self.server.require(message.channel, "pin_messages")
        if message.channel.archived:
            raise Refused(400, 50083, "Thread is archived")
        message.pinned = request.method == "PUT"
        return plain(None)

    async def cdn(self, request: web.Request) -> web.Response:
        number = int(request.match_info["file"])
        for message in self.world.messages.values():
            for file in message.files:
                if file.id == number:
                    return web.Response(body=file.data, content_type=file.kind)
        for person_file in self.world.uploads.values():
            if person_file.id == number:
                return web.Response(body=person_file.data, content_type=person_file.kind)
        raise Refused(404, 0, "Not Found")
