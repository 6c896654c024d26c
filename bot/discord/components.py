"""Turn a screen into Discord's components, files and Markdown."""

import asyncio
import io
import re
from collections.abc import Sequence

import discord
import structlog
from discord import ui

from bot.model.plain import render_marks
from bot.screens.drawing import Draw
from bot.screens.screen import MAX_ALT_LENGTH, Form, Menu, Screen, Tone, clip, write_custom_id
from engine import Record
from engine.view import View

STYLES: dict[Tone, discord.ButtonStyle] = {
    "plain": discord.ButtonStyle.secondary,
    "main": discord.ButtonStyle.primary,
    "good": discord.ButtonStyle.success,
    "bad": discord.ButtonStyle.danger,
}
MAX_TEXT_LENGTH = 3800
DEFAULT_PALETTE = "standard"
_FORMATTING = re.compile(r"[*~|`<@\[\\]|(?<!\w)_|_(?!\w)|^[#>-]", re.MULTILINE)


class Image(Record, frozen=True):
    """A drawn picture: file name, alt text, PNG."""

    name: str
    alt: str
    data: bytes


async def draw_all(pictures: Sequence[View], draw: Draw, palette: str = DEFAULT_PALETTE) -> list[Image]:
    """Draw pictures, side by side; leave out any that can't be drawn."""
    drawn = await asyncio.gather(*(_try_to_draw(picture, draw, palette) for picture in pictures))
    return [
        Image(f"{type(picture).__name__.lower()}-{number}.png", clip(picture.alt, MAX_ALT_LENGTH), data)
        for number, (picture, data) in enumerate(zip(pictures, drawn, strict=True), 1)
        if data
    ]


async def _try_to_draw(picture: View, draw: Draw, palette: str) -> bytes:
    try:
        return await draw(picture, palette)
    except Exception as error:  # noqa: BLE001  # the words say all that it would have shown
        structlog.get_logger(__name__).error("picture", title=picture.title, exc_info=error)
        return b""


def make_layout(screen: Screen, images: Sequence[Image] = (), mark: int | None = None) -> ui.LayoutView:
    """Return the components of a screen.

    The view is stopped at once: controls are dispatched by their custom ids, so
    Discord's library need not remember any view.

    Args:
        screen: what is to be seen, except its pictures.
        images: its pictures, drawn.
        mark: a number by which the message can be known again.
    """
    view = ui.LayoutView(timeout=None)
    text, after = format_marks(screen.text), format_marks(screen.after)
    view.add_item(ui.TextDisplay(clip(text, MAX_TEXT_LENGTH - len(after)) or "\u200b", id=mark))
    for image in images:
        item = discord.MediaGalleryItem(f"attachment://{image.name}", description=image.alt or None)
        view.add_item(ui.MediaGallery(item))
    if after:
        view.add_item(ui.TextDisplay(after))
    for menu in screen.menus:
        view.add_item(ui.ActionRow(_make_select(menu)))
    for row in screen.rows:
        view.add_item(
            ui.ActionRow(
                *(ui.Button(label=b.label, style=STYLES[b.tone], custom_id=write_custom_id(b.control)) for b in row)
            )
        )
    view.stop()
    return view


def _make_select(menu: Menu) -> ui.Select[ui.LayoutView] | ui.UserSelect[ui.LayoutView]:
    name, most = write_custom_id(menu.control), menu.most
    if not menu.options:
        return ui.UserSelect(custom_id=name, placeholder=menu.placeholder, min_values=menu.least, max_values=most)
    options = [
        discord.SelectOption(label=option.label, value=option.value, description=option.detail or None)
        for option in menu.options
    ]
    return ui.Select(
        custom_id=name, placeholder=menu.placeholder, options=options, min_values=menu.least, max_values=most
    )


def make_files(images: Sequence[Image]) -> list[discord.File]:
    """Return fresh files to send; a file can be sent once."""
    return [discord.File(io.BytesIO(i.data), i.name, description=i.alt or None) for i in images]


def make_modal(form: Form) -> ui.Modal:
    """Return a form; like a view it is dispatched by its custom id and not remembered."""
    window = ui.Modal(title=form.title, custom_id=write_custom_id(form.control), timeout=None)
    field: ui.TextInput[ui.Modal] = ui.TextInput(custom_id="value", placeholder=form.hint or None, max_length=500)
    window.add_item(ui.Label(text=form.label, component=field))
    window.stop()
    return window


def allow_mentions(mention: Sequence[str]) -> discord.AllowedMentions:
    """Return the mentions that notify: those of these users and roles ("&7") and no others."""
    users = [discord.Object(int(user)) for user in mention if user.isdecimal()]
    roles = [discord.Object(int(role[1:])) for role in mention if role.startswith("&")]
    return discord.AllowedMentions(everyone=False, roles=roles or False, replied_user=False, users=users or False)


def format_marks(text: str) -> str:
    """Return text with commands bold and threads as links."""
    return render_marks(text, lambda command: f"**{command}**", lambda thread: f"<#{thread}>")


def escape_markdown(sentence: str) -> str:
    """Return a plain sentence that Discord shows as it is: without formatting, links or mentions."""
    return _FORMATTING.sub(lambda found: f"\\{found[0]}", sentence).replace("://", ":\u200b//")
