"""What a Discord server holds: people, channels, threads, messages, and who was pinged."""

import asyncio
import contextlib
import itertools
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Come = TypeVar("Come")
EPOCH_MS = 1420070400000
TEXT, DM, PUBLIC_THREAD, FORUM = 0, 1, 11, 15
NONCE_SECONDS = 300
EPHEMERAL, V2 = 1 << 6, 1 << 15
MENTION = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")

PERMISSIONS = {
    "manage_messages": 1 << 13,
    "manage_threads": 1 << 34,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "create_public_threads": 1 << 35,
    "send_messages_in_threads": 1 << 38,
    "pin_messages": 1 << 51,
}
USUAL = frozenset(PERMISSIONS) - {"manage_messages"}


class Clock:
    """Real time, which a test may put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> float:
        return time.time() + self.ahead

    def forward(self, seconds: float) -> None:
        self.ahead += seconds

    def iso(self) -> str:
        stamp = self.now()
        whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(stamp))
        return f"{whole}.{int(stamp % 1 * 1e6):06d}+00:00"


@dataclass(eq=False)
class User:
    id: int
    name: str
    bot: bool = False

    def json(self) -> dict[str, Any]:
        return {
            "id": str(self.id), "username": self.name, "discriminator": "0", "global_name": self.name.title(),
            "avatar": None, "bot": self.bot, "public_flags": 0,
        }  # fmt: skip


@dataclass(frozen=True)
class Role:
    id: int
    name: str
    mentionable: bool = False


@dataclass(eq=False)
class File:
    """An attachment that arrived: its name, alt text and bytes."""

    id: int
    name: str
    data: bytes
    alt: str = ""
    kind: str = "application/octet-stream"


@dataclass(eq=False)
class Message:
    id: int
    channel: "Channel"
    author: User
    content: str = ""
    embeds: list[Any] = field(default_factory=list)
    components: list[Any] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    pinned: bool = False
    sent: str = ""
    edits: int = 0
    seen_by: User | None = None
    reply_to: int | None = None
    deleted: bool = False
    _of: list[Any] | None = field(default=None, repr=False)
    _parts: list[dict[str, Any]] = field(default_factory=list, repr=False)

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def text(self) -> str:
        """All words of the message: content, embeds, v2 text displays."""
        words = [self.content]
        for embed in self.embeds:
            words += [embed.get("title") or "", embed.get("description") or ""]
            words += [f"{f['name']}\n{f['value']}" for f in embed.get("fields", ())]
            words.append((embed.get("footer") or {}).get("text", ""))
        words += [part["content"] for part in self.parts if part["type"] == 10]
        return "\n".join(word for word in words if word)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """All components, inner ones too; gathered once, for whoever waits looks at them again and again."""
        if self._of is not self.components:
            self._of, self._parts = self.components, parts(self.components)
        return self._parts

    @property
    def controls(self) -> list[dict[str, Any]]:
        """Buttons and selects, in order."""
        return [part for part in self.parts if part["type"] in {2, 3, 5, 6, 7, 8}]

    @property
    def labels(self) -> list[str]:
        """Words on the buttons, in order."""
        return [part.get("label") or "" for part in self.controls if part["type"] == 2]

    def image(self, name: str = "") -> bytes:
        """The bytes of the first file, or of the one so named."""
        for file in self.files:
            if not name or file.name == name:
                return file.data
        raise LookupError(f"no file {name!r} on message {self.id}: {[f.name for f in self.files]}")


@dataclass(eq=False)
class Channel:
    id: int
    name: str
    kind: int
    guild: "Guild | None" = None
    parent: "Channel | None" = None
    owner: User | None = None
    archived: bool = False
    locked: bool = False
    archive_after: int = 10080
    messages: list[Message] = field(default_factory=list)
    denied: frozenset[str] = frozenset()
    members: set[int] = field(default_factory=set)
    people: tuple[User, ...] = ()

    @property
    def is_thread(self) -> bool:
        return self.kind == PUBLIC_THREAD

    @property
    def public(self) -> list[Message]:
        """Messages everyone sees, oldest first."""
        return [m for m in self.messages if not m.ephemeral and not m.deleted]

    @property
    def last(self) -> Message:
        return self.public[-1]

    def json(self, clock: Clock) -> dict[str, Any]:
        data: dict[str, Any] = {"id": str(self.id), "name": self.name, "type": self.kind, "flags": 0}
        data["last_message_id"] = str(self.messages[-1].id) if self.messages else None
        if self.guild is None:
            return data | {"recipients": [user.json() for user in self.people]}
        data |= {"guild_id": str(self.guild.id), "position": 0, "permission_overwrites": [], "nsfw": False}
        if self.denied:
            everyone = {"id": str(self.guild.id), "type": 0, "allow": "0", "deny": str(mask(self.denied))}
            data["permission_overwrites"] = [everyone]
        data |= {"parent_id": str(self.parent.id) if self.parent else None, "rate_limit_per_user": 0, "topic": None}
        if self.kind == FORUM:
            data |= {"available_tags": [], "default_auto_archive_duration": 10080, "default_forum_layout": 0}
        if self.is_thread:
            data |= {
                "owner_id": str(self.owner.id if self.owner else 0), "message_count": len(self.messages),
                "member_count": len(self.members), "applied_tags": [],
                "thread_metadata": {
                    "archived": self.archived, "locked": self.locked, "auto_archive_duration": self.archive_after,
                    "archive_timestamp": clock.iso(), "create_timestamp": clock.iso(), "invitable": True,
                },
            }  # fmt: skip
        return data


@dataclass(eq=False)
class Guild:
    id: int
    name: str
    channels: dict[int, Channel] = field(default_factory=dict)
    granted: frozenset[str] = USUAL

    def json(self, clock: Clock, me: User) -> dict[str, Any]:
        role = {
            "id": str(self.id), "name": "@everyone", "color": 0, "hoist": False, "position": 0, "managed": False,
            "permissions": str(mask(self.granted)), "mentionable": False, "flags": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        }  # fmt: skip
        plain = [c for c in self.channels.values() if not c.is_thread]
        threads = [c for c in self.channels.values() if c.is_thread and not c.archived]
        return {
            "id": str(self.id), "name": self.name, "owner_id": "1", "member_count": 5, "large": False,
            "roles": [role], "emojis": [], "stickers": [], "features": [], "voice_states": [], "presences": [],
            "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
            "channels": [c.json(clock) for c in plain], "threads": [c.json(clock) for c in threads],
            "members": [{"user": me.json(), "roles": [], "joined_at": clock.iso(), "deaf": False, "mute": False,
                         "flags": 0}],
            "premium_tier": 0, "preferred_locale": "en-GB", "nsfw_level": 0, "verification_level": 0,
            "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "system_channel_flags": 0,
        }  # fmt: skip


@dataclass(frozen=True)
class Ping:
    """Someone's phone rang."""

    user: User
    message: Message


def mask(names: frozenset[str]) -> int:
    """Return permissions as Discord's bits."""
    return sum(PERMISSIONS[name] for name in names)


def parts(components: list[Any]) -> list[dict[str, Any]]:
    """Return all components, inner ones too, in the order they are shown."""
    found: list[dict[str, Any]] = []
    for part in components:
        found.append(part)
        found += parts(part.get("components") or [])
        for key in ("accessory", "component"):
            if part.get(key):
                found += parts([part[key]])
    return found


class World:
    """Everything the stand-in remembers; ``changed`` wakes those who wait for something."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._serial = itertools.count(1)
        self._changed: set[asyncio.Event] = set()
        self.me = User(self.snowflake(), "stationmaster", bot=True)
        self.app_id = self.me.id
        self.owner = self.me  # of the application; a team has it if it has members, each with role and acceptance
        self.team: list[tuple[User, str, bool]] = []
        self.users: dict[int, User] = {self.me.id: self.me}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.pings: list[Ping] = []
        self.called: list[str] = []
        """Roles that were mentioned so that they ring."""
        self.uploads: dict[int, File] = {}
        self.commands: list[dict[str, Any]] = []
        self.syncs = 0
        self.absent: set[int] = set()
        self.knows_nonces = True

    def snowflake(self) -> int:
        stamp = int(self.clock.now() * 1000) - EPOCH_MS
        return (stamp << 22) | (next(self._serial) & 0x3FFFFF)

    def user(self, name: str) -> User:
        for user in self.users.values():
            if user.name == name:
                return user
        user = User(self.snowflake(), name)
        self.users[user.id] = user
        return user

    def guild(self, name: str) -> Guild:
        guild = Guild(self.snowflake(), name)
        self.guilds[guild.id] = guild
        return guild

    def channel(self, guild: Guild, name: str, kind: int = TEXT) -> Channel:
        return self._keep(Channel(self.snowflake(), name, kind, guild))

    def thread(self, parent: Channel, name: str, owner: User, thread_id: int | None = None) -> Channel:
        return self._keep(
            Channel(thread_id or self.snowflake(), name, PUBLIC_THREAD, parent.guild, parent, owner, members={owner.id})
        )

    def dm(self, user: User) -> Channel:
        for channel in self.channels.values():
            if channel.kind == DM and channel.people == (user,):
                return channel
        return self._keep(Channel(self.snowflake(), user.name, DM, people=(user,)))

    def _keep(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        if channel.guild:
            channel.guild.channels[channel.id] = channel
        return channel

    def forget(self, channel: Channel) -> None:
        """Let a channel be gone."""
        self.channels.pop(channel.id, None)
        if channel.guild:
            channel.guild.channels.pop(channel.id, None)

    def is_visible(self, message: Message) -> bool:
        """Return whether a message can still be seen."""
        return not message.deleted and self.channels.get(message.channel.id) is message.channel

    def of_nonce(self, nonce: str) -> Message | None:
        """Return the bot's message that was made with a nonce in the last minutes."""
        since = self.clock.now() - (NONCE_SECONDS if self.knows_nonces else 0)
        for message in reversed(self.messages.values()):
            if (message.id >> 22) + EPOCH_MS <= since * 1000:
                return None
            if message.author is self.me and message.nonce == nonce and self.is_visible(message):
                return message
        return None

    def list_permissions(self, channel: Channel) -> frozenset[str]:
        """Permissions of the bot in a channel."""
        if channel.guild is None:
            return frozenset(PERMISSIONS)
        denied = channel.denied | (channel.parent.denied if channel.parent else frozenset())
        return channel.guild.granted - denied

    def ring(self, message: Message, allowed: dict[str, Any] | None, *, interaction: bool) -> None:
        """Ping those whom a new message really mentions (``allowed_mentions`` respected)."""
        text = "\n".join([message.content, *(p["content"] for p in parts(message.components) if p["type"] == 10)])
        named = [int(found) for found in MENTION.findall(text)]
        if allowed is None:
            rung = named
            everyone = not interaction
        else:
            by_kind = allowed.get("parse") or []
            listed = {int(user) for user in allowed.get("users") or []}
            rung = [user for user in named if "users" in by_kind or user in listed]
            everyone = "everyone" in by_kind
        self.called += [role for role in (allowed or {}).get("roles") or [] if f"<@&{role}>" in text]
        if everyone and ("@everyone" in text or "@here" in text):
            rung += [user.id for user in self.users.values() if not user.bot]
        for user_id in dict.fromkeys(rung):
            user = self.users.get(user_id)
            if user and (message.seen_by is None or message.seen_by is user):
                self.pings.append(Ping(user, message))

    def touch(self) -> None:
        """Something changed: wake those who wait."""
        for event in self._changed:
            event.set()

    async def until(self, come: Callable[[], Come | None], seconds: float = 120.0, what: str = "") -> Come:
        """Wait until ``come()`` is true, and return what it gives.

        Raises:
            TimeoutError: it did not come true in time.
        """
        event = asyncio.Event()
        self._changed.add(event)
        end = time.monotonic() + seconds
        try:
            while not (found := come()):
                left = end - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"waited {seconds} s in vain for {what or come}")
                event.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(left, 0.25)):
                        await event.wait()
        finally:
            self._changed.discard(event)
        return found
