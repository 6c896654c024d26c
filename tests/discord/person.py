"""What a person does: types commands, presses buttons, chooses, fills in forms."""

from typing import TYPE_CHECKING, Any

from tests.discord.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction, deliver, new_token
from tests.discord.world import Channel, File, Message, Role, User, parts

if TYPE_CHECKING:
    from tests.discord.stand_in import StandIn

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, ATTACHMENT = 3, 4, 5, 6, 7, 8, 11
USER_MENU, MESSAGE_MENU = 2, 3
TYPES = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: User, CHANNEL: Channel, ROLE: Role, ATTACHMENT: File}


class Person:
    """One user of the server. Every act waits until an answer is shown, unless ``wait`` says "ack" or "no"."""

    def __init__(self, server: "StandIn", user: User, *, admin: bool = False) -> None:
        self.server = server
        self.user = user
        self.admin = admin

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def mention(self) -> str:
        return f"<@{self.user.id}>"

    async def slash(self, channel: Channel, command: str, /, wait: str = "done", **options: object) -> Interaction:
        """Type a slash command: ``slash(games, "game new", title="1860")``.

        Raises:
            LookupError: Discord knows no such command or option, so no one could type it.
        """
        data = self._command(command, options, "")
        words = " ".join(
            [f"/{command}", *(f"{k}:{v if not isinstance(v, User) else v.name}"[:60] for k, v in options.items())]
        )
        return await self._act(COMMAND, channel, data, words, wait)

    async def press_long(self, message: Message, menu: str, wait: str = "done") -> Interaction:
        """Choose an entry of a message's context menu.

        Raises:
            LookupError: Discord knows no such entry.
        """
        node = _find_named([each for each in self.server.world.commands if each.get("type") == MESSAGE_MENU], menu)
        data = {"id": node["id"], "name": menu, "type": MESSAGE_MENU, "target_id": str(message.id)}
        data["resolved"] = {"messages": {str(message.id): self.server.message_json(message)}}
        return await self._act(COMMAND, message.channel, data, f"{menu}: {message.id}", wait)

    async def press_person(self, channel: Channel, person: "Person", menu: str) -> Interaction:
        """Choose an entry of a person's context menu.

        Raises:
            LookupError: Discord knows no such entry.
        """
        node = _find_named([each for each in self.server.world.commands if each.get("type") == USER_MENU], menu)
        data = {"id": node["id"], "name": menu, "type": USER_MENU, "target_id": str(person.id)}
        data["resolved"] = {"users": {str(person.id): person.user.json()}}
        return await self._act(COMMAND, channel, data, f"{menu}: {person.user.name}", "done")

    async def complete(self, channel: Channel, command: str, focused: str, **options: object) -> list[dict[str, Any]]:
        """Return what autocomplete offers for one option, given what is typed so far."""
        options.setdefault(focused, "")
        data = self._command(command, options, focused)
        return (await self._act(AUTOCOMPLETE, channel, data, f"/{command} {focused}?", "done")).choices

    async def click(self, message: Message, button: str, wait: str = "done") -> Interaction:
        """Press the button with this label, start of a label, or custom id.

        Raises:
            LookupError: the message shows this person no such button.
        """
        part = self._find(message, button, {2})
        if part.get("disabled"):
            raise LookupError(f"the button {button!r} is disabled")
        data = {"component_type": 2, "custom_id": part["custom_id"], "id": part.get("id", 0)}
        return await self._act(COMPONENT, message.channel, data, f"[{part.get('label')}]", wait, message)

    async def press(self, message: Message, custom_id: str, wait: str = "done") -> Interaction:
        """Send a custom id that the message no longer shows, as an old screen does."""
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        return await self._act(COMPONENT, message.channel, data, f"[{custom_id}]", wait, message)

    async def choose(self, message: Message, *labels: str, select: str = "", wait: str = "done") -> Interaction:
        """Choose options by label, start of a label or value, in the only select, or in that named by placeholder.

        Raises:
            LookupError: there is no such select or option.
        """
        part = self._find(message, select, {3})
        values = [_option(part, label) for label in labels]
        if not part.get("min_values", 1) <= len(values) <= part.get("max_values", 1):
            raise LookupError(f"{len(values)} options chosen of {part.get('placeholder')!r}")
        data = {"component_type": 3, "custom_id": part["custom_id"], "values": values, "id": part.get("id", 0)}
        return await self._act(COMPONENT, message.channel, data, f"[{', '.join(labels)}]", wait, message)

    async def choose_people(self, message: Message, *people: "Person") -> Interaction:
        """Choose people in the only menu of people.

        Raises:
            LookupError: there is none.
        """
        part = self._find(message, "", {5})
        users = {str(person.id): person.user.json() for person in people}
        data = {"component_type": 5, "custom_id": part["custom_id"], "values": list(users), "id": part.get("id", 0)}
        data["resolved"] = {"users": users, "members": {}}
        return await self._act(COMPONENT, message.channel, data, "[people]", "done", message)

    async def submit(self, asked: Interaction, wait: str = "done", **values: object) -> Interaction:
        """Fill in the modal that ``asked`` opened; fields by custom id.

        Raises:
            LookupError: no modal was opened, or it has no such field, or a required one is left empty.
        """
        if asked.modal is None:
            raise LookupError(f"{asked} opened no modal")
        rows = [_fill_part(row, values) for row in asked.modal["components"]]
        if values:
            raise LookupError(f"the modal has no field {sorted(values)}")
        data = {"custom_id": asked.modal["custom_id"], "components": rows}
        return await self._act(SUBMIT, asked.channel, data, f"[{asked.modal['title']}]", wait, asked.source)

    async def send(self, kind: int, message: Message, data: dict[str, Any]) -> Interaction:
        """Send whatever a client can make up, from a message; do not wait for the answer."""
        return await self._act(kind, message.channel, data, f"{data}"[:90], "no", message)

    async def again(self, item: Interaction) -> Interaction:
        """Let Discord deliver the very same interaction a second time (after a resume, say)."""
        item.answer, item.waiting, item.born = 0, False, self.server.clock.now()
        item.followups.clear()
        deliver(self.server, item, admin=self.admin)
        return await self._await_answer(item, "done")

    def say(self, channel: Channel, words: str) -> Message:
        """Write an ordinary message."""
        message = Message(self.server.world.snowflake(), channel, self.user, words, sent=self.server.clock.iso())
        channel.messages.append(message)
        self.server.world.messages[message.id] = message
        self.server.announce(message)
        return message

    def upload(self, name: str, data: bytes) -> File:
        """Return a file to give to an option of a command."""
        file = File(self.server.world.snowflake(), name, data)
        self.server.world.uploads[file.id] = file
        return file

    async def _act(
        self, kind: int, channel: Channel, data: dict[str, Any], words: str, wait: str, source: Message | None = None
    ) -> Interaction:
        clock = self.server.clock
        number = self.server.world.snowflake()
        item = Interaction(number, new_token(), kind, self.user, channel, data, clock.now(), words, source)
        deliver(self.server, item, admin=self.admin)
        return await self._await_answer(item, wait)

    async def _await_answer(self, item: Interaction, wait: str) -> Interaction:
        if wait == "ack":
            await self.server.world.until(lambda: item.answer, what=f"an ack of {item}")
        elif wait == "done":
            await self.server.world.until(lambda: item.done, what=f"an answer to {item}")
        return item

    def _find(self, message: Message, name: str, kinds: set[int]) -> dict[str, Any]:
        if message.seen_by not in {None, self.user}:
            raise LookupError(f"{self.user.name} does not see this message")
        found = [part for part in message.controls if part["type"] in kinds]
        for fits in (str.__eq__, str.startswith):
            for part in found:
                shown = part.get("label") or part.get("placeholder") or ""
                if fits(shown, name) or part["custom_id"] == name:
                    return part
        raise LookupError(f"no {name!r} among {[p.get('label') or p.get('placeholder') for p in found]}")

    def _command(self, words: str, options: dict[str, Any], focused: str) -> dict[str, Any]:
        """Return the data of a command, checked against what the bot has synced."""
        names = words.split()
        node = _find_named(self.server.world.commands, names[0])
        data = {"id": node["id"], "name": node["name"], "type": 1, "options": [], "resolved": {}}
        level = data["options"]
        for name in _way(node, names[1:]):
            node = _find_named(node.get("options") or [], name)
            level.append({"type": node["type"], "name": name, "options": []})
            level = level[0]["options"]
        declared = {option["name"]: option for option in node.get("options") or []}
        for name, value in options.items():
            level.append(
                self._option(
                    _find_named(list(declared.values()), name), value, data["resolved"], focused=name == focused
                )
            )
        missing = [n for n, o in declared.items() if o.get("required") and n not in options]
        if missing and not focused:
            raise LookupError(f"/{words} needs {missing}")
        return data

    def _option(
        self, declared: dict[str, Any], value: object, resolved: dict[str, Any], *, focused: bool
    ) -> dict[str, Any]:
        kind = declared["type"]
        if kind in TYPES and not focused and not isinstance(value, TYPES[kind]):
            raise LookupError(f"{declared['name']} takes {TYPES[kind].__name__}, not {value!r}")
        if declared.get("choices") and not focused:
            value = _choice(declared, value)
        if isinstance(value, User):
            resolved.setdefault("users", {})[str(value.id)] = value.json()
            member = {"roles": [], "joined_at": self.server.clock.iso(), "flags": 0, "permissions": "0", "nick": None}
            resolved.setdefault("members", {})[str(value.id)] = member
            value = str(value.id)
        if isinstance(value, Channel):
            shown = {"id": str(value.id), "name": value.name, "type": value.kind, "permissions": "0"}
            resolved.setdefault("channels", {})[str(value.id)] = shown
            value = str(value.id)
        if isinstance(value, Role):
            shown = {"id": str(value.id), "name": value.name, "permissions": "0", "color": 0, "position": 1}
            shown["mentionable"] = value.mentionable
            resolved.setdefault("roles", {})[str(value.id)] = shown | {"hoist": False, "managed": False, "flags": 0}
            value = str(value.id)
        if isinstance(value, File):
            url = f"{self.server.url}/cdn/{value.id}/{value.name}"
            resolved.setdefault("attachments", {})[str(value.id)] = {
                "id": str(value.id), "filename": value.name, "size": len(value.data), "url": url, "proxy_url": url,
            }  # fmt: skip
            value = str(value.id)
        option = {"type": kind, "name": declared["name"], "value": value}
        return option | ({"focused": True} if focused else {})


def _find_named(nodes: list[dict[str, Any]], name: str) -> dict[str, Any]:
    for node in nodes:
        if node["name"] == name:
            return node
    raise LookupError(f"Discord knows no {name!r}, only {[node['name'] for node in nodes]}")


def _way(node: dict[str, Any], names: list[str]) -> list[str]:
    """Return the names down to a subcommand; one that stands in a group of its own is found there, as when typing."""
    for part in node.get("options") or []:
        if len(names) == 1 and part["type"] == 2 and any(below["name"] == names[0] for below in part["options"]):
            return [part["name"], *names]
    return names


def _choice(declared: dict[str, Any], value: object) -> object:
    for choice in declared["choices"]:
        if value in {choice["name"], choice["value"]}:
            return choice["value"]
    raise LookupError(f"{value!r} is doesn't offer {declared['name']}: {[c['name'] for c in declared['choices']]}")


def _option(select: dict[str, Any], label: str) -> str:
    options = select["options"]
    for fits in (str.__eq__, str.startswith):
        for option in options:
            if fits(option["label"], label) or option["value"] == label:
                return str(option["value"])
    raise LookupError(f"no {label!r} among {[option['label'] for option in options]}")


def _fill_part(row: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return one part of a modal as it is submitted; used values are taken out."""
    filled: dict[str, Any] = {key: row[key] for key in ("type", "id") if key in row}
    if row["type"] == 10:
        return filled
    field = parts([row])[1]
    answer: dict[str, Any] = {key: field[key] for key in ("type", "id", "custom_id") if key in field}
    value = values.pop(field["custom_id"], field.get("value", "") if field["type"] == 4 else [])
    if field.get("required", True) and value in ("", []):
        raise LookupError(f"{field['custom_id']} is required")
    answer["value" if field["type"] in {4, 21, 23} else "values"] = value
    return filled | ({"components": [answer]} if row["type"] == 1 else {"component": answer})
