"""Which control does what."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from bot.model.errors import BotError
from bot.screens import desk_controls, proposal_controls, table_controls
from bot.screens.answer import Answer
from bot.screens.screen import Control
from bot.service.servers import Kind

Handler = Callable[[Answer, Control], Awaitable[None]]

CONTROLS: Mapping[str, Handler] = MappingProxyType(
    {
        "act": desk_controls.open_desk,
        "at": desk_controls.go_to,
        "pick": desk_controls.pick_value,
        "ask": desk_controls.open_value_form,
        "say": desk_controls.take_value,
        "do": desk_controls.play_checked,
        "tip": desk_controls.play_tip,
        "undo": desk_controls.undo,
        "basket": desk_controls.add_to_basket,
        "unbasket": desk_controls.empty_basket,
        "plans": desk_controls.show_plans,
        "doall": desk_controls.play_basket,
        "doin": desk_controls.play_after_basket,
        "restart": desk_controls.restart,
        "again": desk_controls.repeat_last,
        "view": table_controls.show_picture,
        "log": table_controls.show_log,
        "film": table_controls.send_film,
        "more": table_controls.show_more,
        "shut": desk_controls.close_desk,
        "vote": proposal_controls.vote,
        "snooze": desk_controls.snooze,
        "sitin": proposal_controls.propose_stand_in,
        "deputy": proposal_controls.ask_deputy,
        "deputed": proposal_controls.propose_deputy,
        "give": proposal_controls.give_seats,
        "take": proposal_controls.take_seat,
        "counter": proposal_controls.show_other_terms,
        "counterto": proposal_controls.propose_fewer,
        "counterwho": proposal_controls.propose_other_person,
        "counterform": proposal_controls.open_clock_form,
        "counterclock": proposal_controls.propose_clock,
        "auto": desk_controls.show_orders,
        "order": desk_controls.show_order,
        "orders": desk_controls.set_order,
        "bidform": desk_controls.open_limit_form,
        "bidmost": desk_controls.take_limit,
        "unorder": desk_controls.clear_order,
        "join": table_controls.join,
        "leave": table_controls.leave,
        "start": table_controls.start,
        "invite": table_controls.invite,
        "guests": table_controls.invite_chosen,
        "variants": table_controls.show_variants,
        "option": table_controls.ask_option,
        "choose": table_controls.set_option,
    }
)
UNKNOWN = "This button no longer works. To open your desk, use /act menu."
TOO_SLOW = "The database took too long to answer, so the form couldn't open. Press the button again."
ADMISSION_SECONDS = 1.0
"""How long the acknowledgement waits for the store; Discord waits three seconds for the acknowledgement."""
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
"""Controls that open a form: it must be the first answer."""
FREE = frozenset({"view", "film", "variants", *FORMS})
"""Controls that go on while a server is paused: they only look, or ask what another control takes."""


async def handle(answer: Answer, control: Control) -> None:
    """Do what a control means, if its table belongs to the server it was pressed in.

    Nothing is done before that is known, and nothing is read but this. What opens no form is acknowledged
    while a slow store keeps us waiting.

    Raises:
        BotError: there is no such control, no such table here, or too much is asked for; and whatever
            the control raises.
    """
    work = CONTROLS.get(control.verb)
    if work is None:
        raise BotError(UNKNOWN)
    admission = asyncio.ensure_future(answer.services.lobby.refuse_foreign(control.game, answer.user, answer.guild))
    try:
        await asyncio.wait([admission], timeout=ADMISSION_SECONDS)
        if not admission.done():
            if control.verb in FORMS:
                raise BotError(TOO_SLOW)
            await answer.acknowledge()
        await admission
    finally:
        admission.cancel()
    if control.verb not in FORMS:
        await answer.acknowledge()
    if control.verb not in FREE:
        await answer.services.servers.refuse_paused(answer.guild)
    if control.verb in _SPENDS:
        answer.services.quota.spend(_SPENDS[control.verb], answer.user, answer.guild)
    await work(answer, control)
