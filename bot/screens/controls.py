"""Which control does what."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from bot.screens import (
    counter_controls,
    desk_controls,
    lobby_controls,
    look_controls,
    order_controls,
    plan_controls,
    seat_controls,
)
from bot.screens.answer import Answer
from bot.screens.wire import Control
from bot.service.errors import BotError
from bot.service.servers.limits import Kind

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
        "basket": desk_controls.basket,
        "unbasket": desk_controls.empty_basket,
        "plans": plan_controls.plans,
        "doall": desk_controls.do_all,
        "doin": desk_controls.do_after,
        "restart": desk_controls.restart,
        "again": desk_controls.again,
        "view": look_controls.view,
        "log": look_controls.log,
        "film": look_controls.film,
        "more": look_controls.more,
        "shut": desk_controls.shut,
        "vote": desk_controls.vote,
        "snooze": desk_controls.snooze,
        "sitin": seat_controls.sit_in,
        "deputy": seat_controls.deputy,
        "deputed": seat_controls.deputed,
        "give": seat_controls.give,
        "take": seat_controls.take,
        "counter": counter_controls.counter,
        "counterto": counter_controls.fewer,
        "counterwho": counter_controls.somebody_else,
        "counterform": counter_controls.clock_form,
        "counterclock": counter_controls.other_clock,
        "auto": order_controls.auto,
        "order": order_controls.order,
        "orders": order_controls.set_order,
        "bidform": order_controls.bid_form,
        "bidmost": order_controls.bid_most,
        "unorder": order_controls.clear,
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
_SPENDS: Mapping[str, Kind] = MappingProxyType(
    {
        "view": "pictures",
        "film": "pictures",
        "act": "searches",
        "at": "searches",
        "pick": "searches",
        "say": "searches",
        "log": "searches",
        "plans": "searches",
    }
)
"""What controls that only look or search are counted as; moves are never limited."""
FORMS = frozenset({"ask", "bidform", "counterform"})
"""Controls that open a form: it must be the first answer, and tells nothing of the table."""


FREE = frozenset({"view", "film", "variants", *FORMS})
"""Controls that go on while a server is paused: they only look, or ask what another control takes."""


async def handle(answer: Answer, control: Control) -> None:
    """Do what a control means, if its table belongs to the server it was pressed in.

    Raises:
        BotError: there is no such control, no such table here, or too much is asked for; and whatever
            the control raises.
    """
    work = CONTROLS.get(control.verb)
    if work is None:
        raise BotError(UNKNOWN)
    if control.verb not in FORMS:
        await answer.acknowledge()
        await answer.services.lobby.admit(control.game, answer.user, answer.guild)
    if control.verb not in FREE:
        await answer.services.servers.refuse_paused(answer.guild)
    if control.verb in _SPENDS:
        answer.services.quota.spend(_SPENDS[control.verb], answer.user, answer.guild)
    await work(answer, control)
