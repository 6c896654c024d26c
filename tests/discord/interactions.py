"""Interactions: delivered to the bot, answered once and in time, followed up for 15 minutes."""

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.discord.limits import check_choices, check_message, check_modal
from tests.discord.request_limits import check_callback
from tests.discord.rest import BASE, Post, Refused, plain, read_body
from tests.discord.world import EPHEMERAL, Channel, Message, User, mask

if TYPE_CHECKING:
    from tests.discord.stand_in import StandIn

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
SAY, THINK, LATER, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
ANSWERS = {
    COMMAND: {SAY, THINK, MODAL},
    COMPONENT: {SAY, THINK, LATER, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {SAY, THINK, LATER, UPDATE},
}
TOKEN_SECONDS = 15 * 60


@dataclass(eq=False)
class Interaction:
    """What a person did, and what the bot answered.

    Args:
        answer: type of the first answer, 0 while there is none.
        original: the message that answers; for an update, the message that was clicked.
        changes: how often the original was edited after the first answer.
    """

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    data: dict[str, Any]
    born: float
    words: str
    source: Message | None = None
    answer: int = 0
    original: Message | None = None
    waiting: bool = False
    changes: int = 0
    followups: list[Message] = field(default_factory=list)
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.user.name}: {self.words}"

    @property
    def done(self) -> bool:
        """Return whether the person sees an answer, not only that the bot thinks."""
        if self.answer == LATER:
            return bool(self.changes or self.followups)
        return self.answer != 0 and not self.waiting

    @property
    def message(self) -> Message:
        """The message the person looks at: the last follow-up, or the original."""
        shown = self.followups[-1] if self.followups else self.original
        if shown is None:
            raise LookupError(f"{self} has no message; answer type {self.answer}")
        return shown

    @property
    def text(self) -> str:
        """All words the person was shown, newest last."""
        said = [] if self.original is None or self.waiting else [self.original.text]
        return "\n".join(said + [message.text for message in self.followups])


def payload_of(server: "StandIn", item: Interaction, *, admin: bool) -> dict[str, Any]:
    """Return an interaction as the gateway delivers it."""
    world, channel = server.world, item.channel
    data = {
        "id": str(item.id), "application_id": str(world.app_id), "type": item.kind, "token": item.token, "version": 1,
        "data": item.data, "channel": channel.json(world.clock), "channel_id": str(channel.id), "locale": "en-GB",
        "attachment_size_limit": 10 * 1024 * 1024, "entitlements": [], "authorizing_integration_owners": {},
        "app_permissions": str(mask(world.list_permissions(channel))), "context": 0 if channel.guild else 1,
    }  # fmt: skip
    if channel.guild:
        rights = (1 << 3 | 1 << 5) if admin else 0
        member = {
            "user": item.user.json(), "roles": [], "joined_at": world.clock.iso(), "deaf": False, "mute": False,
            "flags": 0, "nick": None, "permissions": str(mask(channel.guild.granted) | rights),
        }  # fmt: skip
        guild = {"id": str(channel.guild.id), "locale": "en-GB", "features": []}
        data |= {"guild_id": str(channel.guild.id), "guild": guild, "member": member, "guild_locale": "en-GB"}
    else:
        data["user"] = item.user.json()
    if item.source:
        data["message"] = server.message_json(item.source)
    return data


def deliver(server: "StandIn", item: Interaction, *, admin: bool = False) -> Interaction:
    """Send an interaction to the bot."""
    server.interactions[item.id] = server.tokens[item.token] = item
    server.emit("INTERACTION_CREATE", payload_of(server, item, admin=admin))
    return item


def new_token() -> str:
    """Return a token as long as Discord's are."""
    return secrets.token_urlsafe(60)


class InteractionRoutes:
    """Callbacks and webhooks."""

    def __init__(self, server: "StandIn") -> None:
        self.server = server
        self.world = server.world
        self.post = Post(server)

    def routes(self) -> list[web.RouteDef]:
        hook = f"{BASE}/webhooks/{{app}}/{{token}}"
        return [
            web.post(f"{BASE}/interactions/{{id}}/{{token}}/callback", self.callback),
            web.post(hook, self.follow_up),
            web.get(f"{hook}/messages/{{message}}", self.read),
            web.patch(f"{hook}/messages/{{message}}", self.change),
            web.delete(f"{hook}/messages/{{message}}", self.delete),
        ]

    async def callback(self, request: web.Request) -> web.Response:
        item = self.server.interactions.get(int(request.match_info["id"]))
        payload, files = await read_body(request)
        if item is None or item.token != request.match_info["token"]:
            raise Refused(404, 10062, "Unknown interaction")
        self.server.judge(f"answer to {item}", check_callback(payload))
        kind, data = payload["type"], payload.get("data") or {}
        where = f"answer {kind} to {item}"
        if item.answer:
            self.server.note(f"{where}: acknowledged twice")
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        late = self.world.clock.now() - item.born
        if late > self.server.patience:
            self.server.note(f"{where}: {late:.1f} s late, token invalidated")
            raise Refused(404, 10062, "Unknown interaction")
        if kind not in ANSWERS[item.kind] or (kind in {LATER, UPDATE} and item.source is None):
            self.server.judge(where, [f"answer type {kind} does not fit interaction type {item.kind}"])
        self._answer(where, item, kind, data, files)
        item.answer = kind
        if item.original and kind in {SAY, UPDATE}:
            self.server.announce(item.original)
        return plain(self._receipt(item, kind))

    def _answer(
        self, where: str, item: Interaction, kind: int, data: dict[str, Any], files: list[tuple[str, bytes]]
    ) -> None:
        if kind == SAY:
            self.post.check(where, data, files)
            item.original = self._say(item, data, files)
        elif kind == THINK:
            item.original = Message(
                self.world.snowflake(), item.channel, self.world.me, flags=(data.get("flags") or 0) & EPHEMERAL
            )
            item.waiting = True
        elif kind == LATER:
            item.original = item.source
        elif kind == UPDATE and item.source:
            self.post.edit(where, item.source, data, files)
            item.original = item.source
        elif kind == CHOICES:
            self.server.judge(where, check_choices(data.get("choices") or []))
            item.choices = data.get("choices") or []
        elif kind == MODAL:
            self.server.judge(where, check_modal(data))
            item.modal = data

    def _say(self, item: Interaction, data: dict[str, Any], files: list[tuple[str, bytes]]) -> Message:
        message = self.post.create(item.channel, data, files, interaction=True)
        if message.ephemeral:
            message.seen_by = item.user
            self.world.pings = [p for p in self.world.pings if p.message is not message or p.user is item.user]
        return message

    def _receipt(self, item: Interaction, kind: int) -> dict[str, Any]:
        data: dict[str, Any] = {"interaction": {"id": str(item.id), "type": item.kind}, "resource": {"type": kind}}
        if item.original and kind in {SAY, THINK, UPDATE}:
            data["interaction"]["response_message_id"] = str(item.original.id)
            data["interaction"]["response_message_loading"] = item.waiting
            data["resource"]["message"] = self.server.message_json(item.original)
        return data

    def _item(self, request: web.Request) -> Interaction:
        token = request.match_info["token"]
        item = self.server.tokens.get(token)
        if item is None or not item.answer:
            raise Refused(404, 10015, "Unknown Webhook")
        if self.world.clock.now() - item.born > TOKEN_SECONDS:
            self.server.note(f"{item}: the token is used after its 15 minutes")
            raise Refused(401, 50027, "Invalid Webhook Token")
        return item

    async def follow_up(self, request: web.Request) -> web.Response:
        item = self._item(request)
        payload, files = await read_body(request)
        self.post.check(f"follow-up to {item}", payload, files)
        if item.waiting and item.original:
            self._fill(item, payload, files)
            return plain(self.server.message_json(item.original))
        message = self._say(item, payload, files)
        item.followups.append(message)
        self.server.announce(message)
        return plain(self.server.message_json(message))

    def _fill(self, item: Interaction, payload: dict[str, Any], files: list[tuple[str, bytes]]) -> None:
        """Put words into the message that said "thinking"; it stays as private as it began."""
        message = item.original
        if message is None:
            return
        message.flags |= (payload.get("flags") or 0) & ~EPHEMERAL
        message.sent = self.world.clock.iso()
        message.seen_by = item.user if message.ephemeral else None
        self.post.fill(message, payload, files)
        self.post.keep(message)
        item.waiting = False
        self.world.ring(message, payload.get("allowed_mentions"), interaction=True)
        self.server.announce(message)

    def _message(self, request: web.Request, item: Interaction) -> Message:
        name = request.match_info["message"]
        message = item.original if name == "@original" else self.world.messages.get(int(name))
        if message is None or message.deleted or message not in [item.original, *item.followups]:
            raise Refused(404, 10008, "Unknown Message")
        return message

    async def read(self, request: web.Request) -> web.Response:
        return plain(self.server.message_json(self._message(request, self._item(request))))

    async def change(self, request: web.Request) -> web.Response:
        item = self._item(request)
        message = self._message(request, item)
        payload, files = await read_body(request)
        where = f"edit of the answer to {item}"
        if item.waiting and message is item.original:
            self.server.judge(where, check_message(payload, files))
            self._fill(item, payload, files)
        else:
            self.post.edit(where, message, payload, files)
        item.changes += 1
        return plain(self.server.message_json(message))

    async def delete(self, request: web.Request) -> web.Response:
        item = self._item(request)
        message = self._message(request, item)
        message.deleted = True
        item.waiting = False
        item.changes += 1
        return plain(None)
