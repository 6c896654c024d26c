"""A Discord on 127.0.0.1, as much of it as the bot speaks with while people play.

It refuses nothing and looks into nothing: what Discord takes is the matter of
the tests. Here is only measured how soon things come.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from aiohttp import WSMsgType, web

from bot.operations.crowd.answering import Json, application, plain, read_body, served

API = "/api/v10"
TEXT, THREAD = 0, 11
WORDS, EVERYTHING = 10, 1 << 50
MOST_SECONDS = 3.0
"""Seconds in which Discord wants an acknowledgement."""
EPOCH_MS = 1420070400000


@dataclass(eq=False)
class Message:
    """A message of the bot; ``files`` counts its pictures."""

    id: int
    channel: "Channel"
    components: list[Json] = field(default_factory=list)
    files: int = 0
    edits: int = 0

    def parts(self) -> list[Json]:
        """Return all components, inner ones too."""
        return [part for outer in self.components for part in (outer, *(outer.get("components") or []))]

    @property
    def text(self) -> str:
        """All its words."""
        return "\n".join(part["content"] for part in self.parts() if part["type"] == WORDS)

    @property
    def buttons(self) -> list[str]:
        """What its buttons mean."""
        return [part["custom_id"] for part in self.parts() if "custom_id" in part]


@dataclass(eq=False)
class Channel:
    """A channel, or a thread of one."""

    id: int
    name: str
    parent: "Channel | None" = None
    messages: list[Message] = field(default_factory=list)


class Press:
    """A button that somebody pressed: ``acknowledged`` and ``answered`` after how many seconds, and with what words."""

    def __init__(self, number: int) -> None:
        self.id = number
        self.began = time.monotonic()
        self.acknowledged: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.text = ""

    def happened(self, what: "asyncio.Future[float]") -> None:
        """Note that something happened now."""
        if not what.done():
            what.set_result(time.monotonic() - self.began)


class Loopback:
    """One Discord with one server and one channel; ``async with`` it.

    Args:
        people: names of those who play; their ids are 1, 2, 3, …
    """

    def __init__(self, people: Sequence[str]) -> None:
        self._serial = itertools.count(1)
        self.people = dict(enumerate(people, 1))
        self.me, self.guild = self._number(), self._number()
        self.games = Channel(self._number(), "games")
        self.channels = {self.games.id: self.games}
        self.url = ""
        self._commands: list[Json] = []
        self._presses: dict[str, Press] = {}
        self._sockets: set[web.WebSocketResponse] = set()
        self._sent = itertools.count(1)
        self._changed: set[asyncio.Event] = set()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=128 << 20)
        app.add_routes(self._routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        for socket in list(self._sockets):
            await socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def thread(self, name: str) -> Channel:
        """Make a thread of the bot's."""
        made = Channel(self._number(), name, self.games)
        self.channels[made.id] = made
        return made

    @property
    def threads(self) -> list[Channel]:
        """All threads, oldest first."""
        return [channel for channel in self.channels.values() if channel.parent is not None]

    async def press(self, person: int, message: Message, custom_id: str) -> Press:
        """Let somebody press a button."""
        press = Press(self._number())
        self._presses[str(press.id)] = press
        member = {
            "user": self._user(person),
            "roles": [],
            "joined_at": _now(),
            "permissions": str(EVERYTHING),
            "flags": 0,
        }
        await self._send("INTERACTION_CREATE", {
            "id": str(press.id), "token": str(press.id), "type": 3, "version": 1, "application_id": str(self.me),
            "data": {"component_type": 2, "custom_id": custom_id, "id": 1}, "message": self._message(message),
            "channel_id": str(message.channel.id), "channel": self._channel(message.channel), "context": 0,
            "guild_id": str(self.guild), "guild": {"id": str(self.guild), "locale": "en-GB", "features": []},
            "member": member, "app_permissions": str(EVERYTHING - 1), "locale": "en-GB", "guild_locale": "en-GB",
            "attachment_size_limit": 10 << 20, "entitlements": [], "authorizing_integration_owners": {},
        })  # fmt: skip
        return press

    async def until(self, come: Callable[[], object], seconds: float) -> None:
        """Wait until something is true.

        Raises:
            TimeoutError: it did not come true in time.
        """
        event = asyncio.Event()
        self._changed.add(event)
        try:
            async with asyncio.timeout(seconds):
                while not come():
                    event.clear()
                    await event.wait()
        finally:
            self._changed.discard(event)

    def _number(self) -> int:
        return (int(time.time() * 1000) - EPOCH_MS) << 22 | next(self._serial)

    def _touch(self) -> None:
        for event in self._changed:
            event.set()

    # --- the gateway --------------------------------------------------------------

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": 30_000}})
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                break
            code = json.loads(frame.data)["op"]
            if code == 1:
                await socket.send_json({"op": 11, "s": None, "t": None, "d": None})
            elif code == 2:
                self._sockets.add(socket)
                await self._greet()
        self._sockets.discard(socket)
        return socket

    async def _greet(self) -> None:
        await self._send("READY", {
            "v": 10, "user": self._user(self.me), "session_id": "1", "shard": [0, 1], "private_channels": [],
            "resume_gateway_url": self.url.replace("http", "ws") + "/gateway",
            "guilds": [{"id": str(self.guild), "unavailable": True}], "application": {"id": str(self.me), "flags": 0},
        })  # fmt: skip
        role = {
            "id": str(self.guild), "name": "@everyone", "color": 0, "hoist": False, "position": 0, "managed": False,
            "permissions": str(EVERYTHING - 1), "mentionable": False, "flags": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        }  # fmt: skip
        await self._send("GUILD_CREATE", {
            "id": str(self.guild), "name": "Crowd", "owner_id": "1", "member_count": len(self.people), "large": False,
            "roles": [role], "channels": [self._channel(self.games)], "features": [],
            "threads": [self._channel(thread) for thread in self.threads],
            "members": [{"user": self._user(self.me), "roles": [], "joined_at": _now(), "flags": 0}],
            "premium_tier": 0, "preferred_locale": "en-GB", "nsfw_level": 0, "verification_level": 0,
            "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "system_channel_flags": 0,
        })  # fmt: skip

    async def _send(self, event: str, data: Json) -> None:
        for socket in list(self._sockets):
            await socket.send_json({"op": 0, "t": event, "s": next(self._sent), "d": data})

    # --- what the bot asks --------------------------------------------------------

    def _routes(self) -> list[web.RouteDef]:
        channel, tree = f"{API}/channels/{{channel}}", f"{API}/applications/{{app}}/commands"
        return [
            web.get("/gateway", self._connect),
            web.get(f"{API}/users/@me", self._me),
            web.get(f"{API}/oauth2/applications/@me", self._application),
            web.get(tree, self._listed),
            web.put(tree, self._declared),
            web.get(channel, self._looked_up),
            web.put(f"{channel}/thread-members/{{user}}", _nothing),
            web.put(f"{channel}/messages/pins/{{message}}", _nothing),
            web.post(f"{channel}/messages/{{message}}/threads", self._threaded),
            web.get(f"{channel}/messages", self._history),
            web.post(f"{channel}/messages", self._posted),
            web.patch(f"{channel}/messages/{{message}}", self._edited),
            web.post(f"{API}/interactions/{{id}}/{{token}}/callback", self._acknowledged),
            web.patch(f"{API}/webhooks/{{app}}/{{token}}/messages/{{message}}", self._answered),
            web.post(f"{API}/webhooks/{{app}}/{{token}}", self._answered),
        ]

    async def _me(self, _: web.Request) -> web.Response:
        return plain(self._user(self.me))

    async def _application(self, _: web.Request) -> web.Response:
        return plain(application(self.me, self._user(self.me)))

    async def _listed(self, _: web.Request) -> web.Response:
        return plain(self._commands)

    async def _declared(self, request: web.Request) -> web.Response:
        own = {"application_id": str(self.me), "version": "1", "description": ""}
        self._commands = [
            {"type": 1, **own, **each, "id": str(number)} for number, each in enumerate(await request.json(), 1)
        ]
        return plain(self._commands)

    async def _looked_up(self, request: web.Request) -> web.Response:
        return plain(self._channel(self._of(request)))

    async def _threaded(self, request: web.Request) -> web.Response:
        number, wanted = int(request.match_info["message"]), await request.json()
        thread = self.channels.setdefault(number, Channel(number, wanted["name"], self._of(request)))
        return plain(self._channel(thread))

    async def _history(self, request: web.Request) -> web.Response:
        return plain([self._message(message) for message in reversed(self._of(request).messages[-50:])])

    async def _posted(self, request: web.Request) -> web.Response:
        channel = self._of(request)
        message = Message(self._number(), channel)
        await _fill(message, request)
        channel.messages.append(message)
        self._touch()
        return plain(self._message(message))

    async def _edited(self, request: web.Request) -> web.Response:
        number = int(request.match_info["message"])
        message = next(each for each in reversed(self._of(request).messages) if each.id == number)
        await _fill(message, request)
        message.edits += 1
        self._touch()
        return plain(self._message(message))

    async def _acknowledged(self, request: web.Request) -> web.Response:
        press, kind = self._presses[request.match_info["token"]], (await request.json())["type"]
        press.happened(press.acknowledged)
        return plain({"interaction": {"id": str(press.id), "type": 3}, "resource": {"type": kind}})

    async def _answered(self, request: web.Request) -> web.Response:
        press, message = self._presses[request.match_info["token"]], Message(self._number(), self.games)
        await _fill(message, request)
        press.text += message.text
        press.happened(press.answered)
        return plain(self._message(message))

    def _of(self, request: web.Request) -> Channel:
        return self.channels[int(request.match_info["channel"])]

    # --- as Discord writes it -----------------------------------------------------

    def _user(self, number: int) -> Json:
        name = self.people.get(number, "stationmaster")
        return {
            "id": str(number), "username": name, "discriminator": "0", "global_name": name, "avatar": None,
            "bot": number == self.me, "public_flags": 0,
        }  # fmt: skip

    def _channel(self, channel: Channel) -> Json:
        shown = {
            "id": str(channel.id), "name": channel.name, "type": TEXT, "flags": 0, "guild_id": str(self.guild),
            "position": 0, "permission_overwrites": [], "nsfw": False, "parent_id": None, "rate_limit_per_user": 0,
        }  # fmt: skip
        if channel.parent is None:
            return shown
        times = {"auto_archive_duration": 10080, "archive_timestamp": _now(), "create_timestamp": _now()}
        state = {"archived": False, "locked": False, "invitable": True, **times}
        return shown | {
            "type": THREAD, "parent_id": str(channel.parent.id), "owner_id": str(self.me), "message_count": 0,
            "member_count": 1, "applied_tags": [], "thread_metadata": state,
        }  # fmt: skip

    def _message(self, message: Message) -> Json:
        return {
            "id": str(message.id), "channel_id": str(message.channel.id), "author": self._user(self.me), "content": "",
            "timestamp": _now(), "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [],
            "mention_roles": [], "embeds": [], "attachments": [], "components": message.components, "flags": 1 << 15,
            "type": 0, "pinned": False, "reactions": [],
        }  # fmt: skip


async def _nothing(_: web.Request) -> web.Response:
    return plain(None)


async def _fill(message: Message, request: web.Request) -> None:
    """Put what was sent into a message; of its pictures only their number is kept."""
    payload, files = await read_body(request)
    message.components = payload.get("components") or message.components
    message.files = len(files) if "attachments" in payload else message.files
    served(message.parts())


def _now() -> str:
    return datetime.now(UTC).isoformat()
