"""Which control does what."""

from collections.abc import Awaitable, Callable

import discord

from bot.discord import desk_controls, lobby_controls
from bot.discord.answer import Answer, guarded
from bot.discord.office import Office
from bot.screens.wire import Control, control_of

Handler = Callable[[Answer, Control], Awaitable[None]]

CONTROLS: dict[str, Handler] = {
    "act": desk_controls.act,
    "at": desk_controls.at,
    "pick": desk_controls.pick,
    "ask": desk_controls.ask,
    "say": desk_controls.say,
    "do": desk_controls.do,
    "tip": desk_controls.tip,
    "undo": desk_controls.undo,
    "view": desk_controls.view,
    "shut": desk_controls.shut,
    "vote": desk_controls.vote,
    "join": lobby_controls.join,
    "leave": lobby_controls.leave,
    "start": lobby_controls.start,
    "invite": lobby_controls.invite,
    "guests": lobby_controls.guests,
    "variants": lobby_controls.variants,
    "option": lobby_controls.option,
    "choose": lobby_controls.choose,
}
UNKNOWN = "I do not know this button (any more). **/act menu** opens your desk."


async def dispatch(office: Office, interaction: discord.Interaction) -> None:
    """Handle a button, a menu or a form of ours by its custom id; no view need be remembered for it."""
    text = str(interaction.data.get("custom_id", "")) if interaction.data else ""
    control = control_of(text)
    answer = Answer(interaction, office)
    if control is None or control.verb not in CONTROLS:
        await guarded(answer, answer.tell(UNKNOWN), control=text)
        return
    work = CONTROLS[control.verb](answer, control)
    await guarded(answer, work, game=control.game, control=control.verb)
