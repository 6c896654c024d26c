"""One interaction of Discord: acknowledge it, answer it, and report its errors in a sentence.

Discord waits three seconds for the acknowledgement; drawing, searching and reading the database don't delay it. An
answer that is there within a blink is the acknowledgement itself, which saves a request and the player a round trip.
"""

import asyncio
import contextlib
import io
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import aiohttp
import discord
import msgspec
import structlog
from discord import ui

from bot.discord.components import (
    MAX_TEXT_LENGTH,
    allow_mentions,
    draw_all,
    escape_markdown,
    make_files,
    make_layout,
    make_modal,
)
from bot.discord.errors import classify_error
from bot.discord.first_response import FirstResponse, Rush, TooLateError
from bot.model import errors
from bot.model.errors import BotError
from bot.model.plain import replace_unkept
from bot.model.records import Person
from bot.screens.controls import UNKNOWN, handle
from bot.screens.drawing import Draw
from bot.screens.screen import Form, Screen, clip, read_custom_id
from bot.screens.text import format_view
from bot.service.services import Services
from engine.view import MAX_ALT_CHARACTERS

CODE_BLOCK_LENGTH = 20
NOT_DRAWN = "A picture couldn't be drawn. /me style words:true describes pictures in words."
ANSWER_RETRY_SECONDS = (0.5, 2.0, 5.0)
"""Between two tries to answer."""
NEEDED_PERMISSIONS = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
    "send_messages_in_threads": "Send Messages in Threads",
}
TRIAL, TRIAL_COMMAND = "trial", "stationmaster-trial"
"""The verb of a button and the command of ``doctor --discord``, which the running bot leaves to it."""
log = structlog.get_logger(__name__)


class DiscordAnswer:
    """What a person did in Discord, and how they are answered: an ``Answer`` of the screens.

    Args:
        interaction: as Discord delivered it.
        services: what handlers ask. draw: draws views off the event loop.
        rush: who waits for a first response.
    """

    def __init__(self, interaction: discord.Interaction, services: Services, draw: Draw, rush: Rush) -> None:
        self.interaction = interaction
        self.services = services
        self.draw = draw
        self.first = FirstResponse(interaction, rush, services.measures, on_desk=self.on_desk)

    @property
    def key(self) -> str:
        """The id of the delivery; the same one may come twice."""
        return str(self.interaction.id)

    @property
    def user(self) -> str:
        """The id of the person."""
        return str(self.interaction.user.id)

    @property
    def person(self) -> Person:
        """The person, with the name others see."""
        return Person(self.user, self.interaction.user.display_name)

    @property
    def guild(self) -> str:
        """The id of the server; empty in a direct message."""
        return str(self.interaction.guild_id or "")

    @property
    def roles(self) -> tuple[str, ...]:
        """The ids of the roles that the person has on the server."""
        user = self.interaction.user
        return tuple(str(role.id) for role in user.roles) if isinstance(user, discord.Member) else ()

    @property
    def channels(self) -> tuple[str, str]:
        """The ids of the channel where a table opened here lives, and of the one it belongs to.

        A thread or forum post holds one table; a second one goes to the channel.

        Raises:
            BotError: a forum post holds one table.
        """
        channel, place = self.interaction.channel, str(self.interaction.channel_id or "")
        if not isinstance(channel, discord.Thread):
            return place, place
        if isinstance(channel.parent, discord.ForumChannel):
            raise BotError("This post already has a table. Create a new post in the forum and open the table there.")
        return str(channel.parent_id), str(channel.parent_id)

    @property
    def on_desk(self) -> bool:
        """Return whether it came from a private message, which may be changed in place."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def clicked_text(self) -> str:
        """The words of the message that was clicked."""
        message = self.interaction.message
        if message is None:
            return ""
        return "\n".join(part.content for part in message.components if isinstance(part, discord.TextDisplay))

    @property
    def values(self) -> list[str]:
        """What was chosen in a menu or typed into a form."""
        found: list[str] = []
        _collect_values(self.interaction.data, found)
        return found

    @property
    def people(self) -> list[Person]:
        """The people who were chosen in a menu."""
        data: Any = self.interaction.data or {}
        resolved = data.get("resolved", {})
        members, users = resolved.get("members", {}), resolved.get("users", {})
        names = {
            number: members.get(number, {}).get("nick") or user.get("global_name") or user.get("username") or "Someone"
            for number, user in users.items()
        }
        return [Person(number, str(names[number])) for number in self.values if number in names]

    def refuse_missing_permissions(self, channel: str = "") -> None:
        """Refuse to play where the bot may not post.

        Raises:
            BotError: names the channel and every permission that is missing.
        """
        words = self.describe_missing_permissions(channel)
        if words:
            raise errors.BotError(words)

    def describe_missing_permissions(self, channel: str = "") -> str:
        """Return the sentence that names what the bot may not do here, or in a channel; empty if we know of nothing."""
        place, granted = self.interaction.channel, self.interaction.app_permissions
        if channel and channel != str(self.interaction.channel_id):
            guild = self.interaction.guild
            place = guild and guild.get_channel_or_thread(int(channel))  # type: ignore[assignment]  # what it really gives
            if guild is None or place is None or guild.me is None:
                return ""
            granted = place.permissions_for(guild.me)
        in_thread = isinstance(place, discord.Thread)
        lacking = [
            words
            for name, words in NEEDED_PERMISSIONS.items()
            if not (getattr(granted, name) or (in_thread and name == "send_messages"))
        ]
        if not lacking:
            return ""
        called = getattr(place, "name", None)
        what = "read earlier messages" if lacking == [NEEDED_PERMISSIONS["read_message_history"]] else "post"
        return f"I can't {what} in {f'#{called}' if called else 'here'}: I need {', '.join(lacking)}."

    async def acknowledge(self, *, private: bool = True) -> None:
        """Show "thinking", or nothing where the clicked message will change, unless the answer is there in a blink.

        Raises:
            TooLateError: Discord does not know the interaction any more.
        """
        await self.first.acknowledge(private=private)

    async def show(self, screen: Screen) -> None:
        """Show a screen in place of "thinking" or of the clicked private message."""
        images = []
        if screen.pictures:
            await self.first.settle()
            style = await self.services.people.get_style(self.user)
            images = await draw_all(screen.pictures, self.draw, style.palette)
            screen = add_picture_words(screen) if style.text_first else screen
            if len(images) < len(screen.pictures):
                screen = msgspec.structs.replace(screen, text=f"{screen.text}\n-# {NOT_DRAWN}")
        await self._edit_response(lambda: make_layout(screen, images), lambda: make_files(images), screen.mention)

    async def dismiss(self) -> None:
        """Delete "thinking": the table itself says what is to be said."""
        await self.first.settle()
        await self.interaction.delete_original_response()

    async def send_file(self, name: str, data: bytes, text: str) -> None:
        """Answer with a file and words about it."""
        await self.first.settle()
        alt = text.replace("*", "").partition("\n")[0][:MAX_ALT_CHARACTERS] or None

        def view() -> ui.LayoutView:
            attached = f"attachment://{name}"
            moves = name.endswith(".webp")  # is shown where it stands
            shown: ui.Item[Any] = ui.File(attached)
            if moves:
                shown = ui.MediaGallery(discord.MediaGalleryItem(attached, description=alt))
            return make_layout(Screen(text)).add_item(shown)

        await self._edit_response(view, lambda: [discord.File(io.BytesIO(data), name, description=alt)])

    async def _edit_response(
        self, view: Callable[[], ui.LayoutView], attached: Callable[[], list[discord.File]], mention: Sequence[str] = ()
    ) -> None:
        """Put the answer in its place; try again where the line fails, for an edit can't appear twice."""

        async def respond() -> None:
            shown, allowed = view(), allow_mentions(mention)
            if self.on_desk:
                await self.interaction.response.edit_message(
                    view=shown, attachments=attached(), allowed_mentions=allowed
                )
            else:
                await self.interaction.response.send_message(
                    view=shown, files=attached(), allowed_mentions=allowed, ephemeral=self.first.is_private
                )

        if await self.first.claim() and await self.first.respond(respond):
            return
        for wait in (*ANSWER_RETRY_SECONDS, None):
            try:
                await self.interaction.edit_original_response(
                    view=view(), attachments=attached(), allowed_mentions=allow_mentions(mention)
                )
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if wait is None or classify_error(error) != "line":
                    raise
                await asyncio.sleep(wait)
            else:
                return

    async def open_form(self, form: Form) -> None:
        """Open a form; it must be the first answer.

        Raises:
            BotError: a form was submitted, and Discord opens none in answer to that.
            TooLateError: Discord does not know the interaction any more.
        """
        if self.interaction.type is discord.InteractionType.modal_submit:
            raise errors.BotError(UNKNOWN)
        try:
            await self.interaction.response.send_modal(make_modal(form))
        except discord.NotFound as error:
            raise TooLateError from error

    async def send_private(self, text: str) -> bool:
        """Send the person a private message; return whether Discord delivers it.

        Raises:
            BotError: Discord does not answer.
        """
        try:
            await self.interaction.user.send(view=make_layout(Screen(text)))
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            if classify_error(error) in ("gone", "forbidden", "form"):
                return False
            raise errors.BotError("Discord isn't responding. Nothing was changed; try again in a minute.") from error
        return True

    async def send_text(self, text: str) -> None:
        """Send a plain sentence, privately, and leave the clicked message as it is."""
        text = escape_markdown(text)
        if await self.first.claim():
            await self.interaction.response.send_message(view=make_layout(Screen(text)), ephemeral=True)
        elif self.on_desk:
            await self.interaction.followup.send(view=make_layout(Screen(text)), ephemeral=True)
        else:
            await self.show(Screen(text))


MakeAnswer = Callable[[discord.Interaction], DiscordAnswer]
"""Makes the answer to what Discord delivers."""


def add_picture_words(screen: Screen) -> Screen:
    """Return a screen whose text also describes its pictures."""
    lines = [line.replace("`", "") for picture in screen.pictures for line in format_view(picture)]
    room = MAX_TEXT_LENGTH - len(screen.text) - len(screen.after) - CODE_BLOCK_LENGTH
    words = clip("\n".join(lines), max(1, room))
    return msgspec.structs.replace(screen, text=f"{screen.text}\n```\n{words}\n```")


async def run_safely(answer: DiscordAnswer, work: Awaitable[None], **context: object) -> None:
    """Do the work of an interaction; report whatever goes wrong to the person in one sentence.

    A defect of ours gets a reference number; the log has the trace under it.
    """
    with structlog.contextvars.bound_contextvars(user=answer.user, interaction=answer.key, **context):
        try:
            await work
        except TooLateError as error:
            log.warning("answer too late", error=repr(error.__cause__)[:300])
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
            log.warning("answer not delivered", error=repr(error)[:300])  # what was done is done, and posted
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            await _report_error(answer, error)
        finally:
            with contextlib.suppress(TooLateError):
                await answer.first.settle()


async def _report_error(answer: DiscordAnswer, error: Exception) -> None:
    sentence = errors.explain_error(error)
    if sentence is None:
        number = errors.make_reference()
        log.error("defect", ref=number, exc_info=error)
        sentence = errors.describe_defect(number)
    try:
        await answer.send_text(sentence)
    except (TooLateError, discord.HTTPException, aiohttp.ClientError, OSError) as lost:
        log.warning("refusal not delivered", sentence=sentence, error=str(lost))


def _collect_values(data: object, found: list[str]) -> None:
    """Collect the values from Discord's nested parts."""
    if isinstance(data, dict):
        found += [replace_unkept(str(value)) for value in data.get("values") or []]
        if "value" in data and "custom_id" in data:
            found.append(replace_unkept(str(data["value"])))
        for key in ("components", "component"):
            _collect_values(data.get(key), found)
    elif isinstance(data, Sequence) and not isinstance(data, str):
        for part in data:
            _collect_values(part, found)


async def dispatch(make_answer: MakeAnswer, interaction: discord.Interaction) -> None:
    """Handle a button, a menu or a form of ours by its custom id; no view has to be kept for it."""
    text = str(interaction.data.get("custom_id", "")) if interaction.data else ""
    control = read_custom_id(text)
    if control is not None and control.verb == TRIAL:
        return
    answer = make_answer(interaction)
    if control is None:
        await run_safely(answer, answer.send_text(UNKNOWN), control=text)
        return
    await run_safely(answer, handle(answer, control), game=control.game, control=control.verb)
