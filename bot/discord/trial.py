"""A trial of real Discord: everything that a table needs, done once in a thread of its own and deleted again.

A person has to help: press the button, send the form, take what a command completes. A running bot stays silent.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.discord.answer import NEEDED_PERMISSIONS, TRIAL, TRIAL_COMMAND
from bot.discord.channels import Channels
from bot.discord.components import draw_all, make_layout, make_modal
from bot.screens.drawing import Draw
from bot.screens.screen import Button, Control, Form, Screen, read_custom_id
from engine import Record
from engine.view import Note
from engine.words import join_words, pluralise

READY_SECONDS = 60.0
LISTING_SECONDS = 0.5
"""How long after each server the gateway may take to name the next."""
PERSON_TIMEOUT_SECONDS = 120.0
"""How long a person is waited for at each step."""
WORD = "whistle"
_ID = re.compile("[0-9]{1,20}")
_FIRST_NUMBER = 1
_MS = 1_000


class TrialStep(Record, frozen=True):
    """One thing that was tried: what, whether it went well, and a few words with the time that Discord took."""

    what: str
    well: bool
    words: str


class TrialFailedError(Exception):
    """A step that went wrong; the message is a sentence for the operator."""


Step = Callable[[], Awaitable[str]]


class Trial(discord.Client):
    """A client for one trial in one channel.

    Args:
        channel: id of a text channel of a server that the bot is in.
        draw: draws views. report: is told each step as soon as it is done.
        patience: seconds that a person is waited for at each step.
    """

    def __init__(
        self, channel: str, draw: Draw, report: Callable[[TrialStep], None], patience: float = PERSON_TIMEOUT_SECONDS
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=LISTING_SECONDS,
        )
        self._channel, self._draw, self._report, self._patience = channel, draw, report, patience
        self._channels = Channels(self)
        self._heard: asyncio.Queue[discord.Interaction] = asyncio.Queue()
        self._listening: asyncio.Task[None] | None = None
        self._place: discord.TextChannel
        self._caller: discord.User | discord.Member
        self._sent: list[tuple[str, str]] = []  # channel and message, in the order to be deleted
        self._thread, self._command = "", ""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Take what people do."""
        data: Any = interaction.data or {}
        control = read_custom_id(str(data.get("custom_id", "")))
        if data.get("name") == TRIAL_COMMAND or (control is not None and control.verb == TRIAL):
            self._heard.put_nowait(interaction)

    async def run_trial(self, token: str) -> bool:
        """Try everything, delete what was made, and return whether all went well."""
        first: tuple[tuple[str, Step], ...] = (
            ("login", lambda: self._log_in(token)),
            ("gateway", self._connect),
            ("channel", self._find_channel),
            ("rights", self._check_rights),
            ("thread", self._open_thread),
            ("post with a picture", self._post),
            ("edit", self._edit),
            ("command", self._declare),
        )
        helped: tuple[tuple[str, Step], ...] = (
            ("press", self._await_press),
            ("form", self._await_form),
            ("ping", self._ping),
            ("private message", self._whisper),
            ("completion", self._await_completion),
            ("answer to a command", self._await_command),
        )
        try:
            well = await self._try_all(first, go_on=("rights",)) and await self._try_all(
                helped, go_on=("ping", "private message")
            )
            return bool(await self._try("clean-up", self._delete_all)) and well
        finally:
            await self.close()
            if self._listening is not None:
                await asyncio.gather(self._listening, return_exceptions=True)

    async def _try_all(self, steps: tuple[tuple[str, Step], ...], go_on: tuple[str, ...]) -> bool:
        """Try steps in turn up to the first that fails, unless others can do without it."""
        well = True
        for what, step in steps:
            if not await self._try(what, step):
                well = False
                if what not in go_on:
                    break
        return well

    async def _try(self, what: str, step: Step) -> bool:
        try:
            words, well = await step(), True
        except TrialFailedError as failure:
            words, well = str(failure), False
        except discord.HTTPException as refusal:
            words, well = f"Discord refused it: {refusal.status}, code {refusal.code}: {refusal.text}", False
        except (discord.DiscordException, OSError, TimeoutError) as error:
            words, well = f"{type(error).__name__}: {error}".rstrip(": "), False
        self._report(TrialStep(what, well, words))
        return well

    async def _log_in(self, token: str) -> str:
        if not token:
            raise TrialFailedError("DISCORD_TOKEN isn't set.")
        began = time.monotonic()
        await self.login(token)
        return f"as {self.user} ({_count_ms(began)})"

    async def _connect(self) -> str:
        began = time.monotonic()
        self._listening = asyncio.create_task(self.connect(reconnect=False))
        ready = asyncio.create_task(self.wait_until_ready())
        await asyncio.wait((self._listening, ready), timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not self.is_ready():
            ready.cancel()
            raise TrialFailedError("Discord's gateway didn't become ready.")
        return f"{pluralise(len(self.guilds), 'server')} ({_count_ms(began)})"

    async def _find_channel(self) -> str:
        found = self.get_channel(int(self._channel)) if _ID.fullmatch(self._channel) else None
        if not isinstance(found, discord.TextChannel):
            raise TrialFailedError("The bot sees no text channel with this id. Copy it with right-click → Copy ID.")
        self._place = found
        return f"#{found.name} of “{found.guild.name}”"

    async def _check_rights(self) -> str:
        granted = self._place.permissions_for(self._place.guild.me)
        wanted = {**NEEDED_PERMISSIONS, "create_public_threads": "Create Public Threads"}
        wanted["manage_threads"] = "Manage Threads (to wake sleeping threads)"
        lacking = [words for name, words in wanted.items() if not getattr(granted, name)]
        if lacking:
            raise TrialFailedError(f"The bot lacks {join_words(lacking)} in #{self._place.name}.")
        return f"all {len(wanted)} granted"

    async def _open_thread(self) -> str:
        began = time.monotonic()
        above = await self._send(self._channel, Screen("Stationmaster tries out this channel; this goes away soon."))
        self._thread = await self._channels.find_or_make_thread(self._channel, above, f"Trial · {above}")
        if self._thread == self._channel:
            raise TrialFailedError("Discord made no thread; the bot needs Create Public Threads.")
        return f"opened in {_count_ms(began)}"

    async def _post(self) -> str:
        began = time.monotonic()
        picture = Note("Stationmaster", "A trial picture.", ("This picture was drawn and sent.",))
        press = Button("Press me", Control(0, 0, TRIAL, "press"), "main")
        words = (
            "**A trial.** 1. Press the button and fill in the form. 2. Type "
            f"`/{TRIAL_COMMAND}`, begin the word with “{WORD[:2]}”, choose what is offered, and send it."
        )
        message = await self._send(self._thread, Screen(words, (picture,), rows=((press,),)))
        shown = await self._channels.fetch_shown(self._thread, message)
        if shown is None or not shown.controls:
            raise TrialFailedError("The message can't be read back with its button.")
        return f"sent and read back in {_count_ms(began)}"

    async def _edit(self) -> str:
        began = time.monotonic()
        channel, message = self._sent[0]
        if not await self._channels.edit(channel, message, Screen("A trial, edited once."), (), _FIRST_NUMBER):
            raise TrialFailedError("The message to be edited is gone.")
        return f"edited in {_count_ms(began)}"

    async def _declare(self) -> str:
        began = time.monotonic()
        option = {"type": 3, "name": "word", "description": "A word to complete", "autocomplete": True}
        command: Any = {"name": TRIAL_COMMAND, "description": "Part of a trial of Stationmaster", "type": 1}
        made = await self.http.upsert_guild_command(
            self.application_id or 0, self._place.guild.id, {**command, "options": [{**option, "required": True}]}
        )
        self._command = str(made["id"])
        return f"/{TRIAL_COMMAND} declared in {_count_ms(began)}"

    async def _await_press(self) -> str:
        pressed = await self._hear(discord.InteractionType.component, "pressed the button")
        self._caller = pressed.user
        began = time.monotonic()
        form = Form("A trial", Control(0, 0, TRIAL, "form"), "Write anything", "such as hello")
        await pressed.response.send_modal(make_modal(form))
        return f"by {pressed.user.display_name}; acknowledged with a form in {_count_ms(began)}"

    async def _await_form(self) -> str:
        sent = await self._hear(discord.InteractionType.modal_submit, "sent the form")
        began = time.monotonic()
        await sent.response.defer(ephemeral=True, thinking=True)
        acknowledged = _count_ms(began)
        await sent.followup.send(view=make_layout(Screen("✓ The form arrived.")), ephemeral=True)
        return f"acknowledged in {acknowledged}, answered in private in {_count_ms(began)}"

    async def _ping(self) -> str:
        began = time.monotonic()
        user = str(self._caller.id)
        await self._send(self._thread, Screen(f"<@{user}> — your phone should ring now.", mention=(user,)))
        return f"{self._caller.display_name} pinged in {_count_ms(began)}; did the phone ring?"

    async def _whisper(self) -> str:
        began = time.monotonic()
        try:
            private = await self._channels.open_private_channel(str(self._caller.id))
            await self._send(private, Screen("A trial of Stationmaster's private messages; this goes away soon."))
        except discord.Forbidden:
            raise TrialFailedError(
                f"Discord doesn't deliver private messages to {self._caller.display_name}, who may have turned them "
                "off for this server. The bot pings such players at the table."
            ) from None
        return f"delivered in {_count_ms(began)}"

    async def _await_completion(self) -> str:
        asked = await self._hear(discord.InteractionType.autocomplete, f"typed /{TRIAL_COMMAND}")
        began = time.monotonic()
        await _offer(asked)
        return f"offered in {_count_ms(began)}"

    async def _await_command(self) -> str:
        sent = await self._hear(discord.InteractionType.application_command, f"sent /{TRIAL_COMMAND}")
        began = time.monotonic()
        await sent.response.send_message("✓ All of it works.", ephemeral=True)
        return f"answered in {_count_ms(began)}; heartbeat {self.latency * _MS:.0f} ms"

    async def _hear(self, kind: discord.InteractionType, done: str) -> discord.Interaction:
        """Return what a person does next of a kind; complete the word with each letter.

        Raises:
            TrialFailedError: no one did.
        """
        try:
            async with asyncio.timeout(self._patience):
                while (heard := await self._heard.get()).type is not kind:
                    if heard.type is discord.InteractionType.autocomplete:
                        await _offer(heard)
        except TimeoutError:
            raise TrialFailedError(f"No one {done} within {self._patience:.0f} seconds.") from None
        return heard

    async def _send(self, channel: str, screen: Screen) -> str:
        images = await draw_all(screen.pictures, self._draw)
        message = await self._channels.send(
            channel, screen, images, number=_FIRST_NUMBER + len(self._sent), nonce=secrets.token_hex(8)
        )
        self._sent.append((channel, message))
        return message

    async def _delete_all(self) -> str:
        """Delete what was made, whatever step was the last."""
        began, left = time.monotonic(), list[str]()
        if self._command:
            await self.http.delete_guild_command(self.application_id or 0, self._place.guild.id, int(self._command))
        for channel, message in reversed(self._sent):
            if not await self._channels.delete(channel, message):
                left.append("a message")
        if self._thread not in ("", self._channel):
            try:
                await self.http.delete_channel(int(self._thread))
            except discord.Forbidden:
                left.append("the thread, for which it needs Manage Threads")
        if left:
            raise TrialFailedError(f"The bot couldn't delete {join_words(left)}.")
        return f"{pluralise(len(self._sent), 'message')} and all else deleted in {_count_ms(began)}"


async def _offer(asked: discord.Interaction) -> None:
    """Complete the word."""
    await asked.response.autocomplete([discord.app_commands.Choice(name=WORD, value=WORD)])


def _count_ms(began: float) -> str:
    return f"{(time.monotonic() - began) * _MS:.0f} ms"
