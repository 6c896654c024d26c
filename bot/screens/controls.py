"""Which control does what."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from bot.screens import desk_controls, lobby_controls
from bot.screens.answer import Answer
from bot.screens.wire import Control

Handler = Callable[[Answer, Control], Awaitable[None]]

CONTROLS: Mapping[str, Handler] = MappingProxyType(
    {
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
)
UNKNOWN = "I do not know this button (any more). **/act menu** opens your desk."
