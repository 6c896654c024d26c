"""Which control does what."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from bot.screens import desk_controls, lobby_controls
from bot.screens.answer import Answer
from bot.screens.wire import Control
from bot.service.errors import BotError

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
UNKNOWN = "I do not know this button (any more). /act menu opens your desk."
_FORMS = frozenset({"ask"})
"""Controls that open a form: it must be the first answer, and tells nothing of the table."""


async def handle(answer: Answer, control: Control) -> None:
    """Do what a control means, if its table belongs to the server it was pressed in.

    Raises:
        BotError: there is no such control, or no such table here; and whatever the control raises.
    """
    work = CONTROLS.get(control.verb)
    if work is None:
        raise BotError(UNKNOWN)
    if control.verb not in _FORMS:
        await answer.acknowledge()
        await answer.services.lobby.admit(control.game, answer.user, answer.guild)
    await work(answer, control)
