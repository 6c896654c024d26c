"""What one press plays: a move, and the declines that belong to it.

Each is an ordinary entry of the log, said by the same seat. Moves made in one go are stored in
one transaction. A crash between a move and a decline leaves the
later ones unsaid: they are asked again, and nothing is lost.
"""

from itertools import takewhile

import msgspec

from bot.service.errors import BotError
from bot.service.records import Outcome
from bot.service.services import Services
from bot.service.table import Delivery, Moves, Typed
from engine import Action, RuleError, Said
from engine.words import decline

MOST_DECLINES = 8
TYPED = Delivery()


async def press(
    services: Services, game: int, user: str, action: Action | Typed | Moves, delivery: Delivery = TYPED,
    declines: int = 0,
) -> Outcome:  # fmt: skip
    """Play an action, or several in one go, then decline until so many steps of the same turn are declined.

    Raises:
        StaleError, BotError, WordingError, RuleError: of the action itself, see ``GameTable.submit``.
    """
    done = await services.table.submit(game, user, action, delivery)
    if done.repeated:
        return done
    for count in range(1, MOST_DECLINES + 1):
        further = await _decline(services, done, declines)
        if further is None:
            break
        name = None if delivery.interaction is None else f"{delivery.interaction}+{count}"
        try:
            then = await services.table.submit(game, user, further, Delivery(name, done.version))
        except (BotError, RuleError):  # somebody else was faster: what was played stands
            break
        done = msgspec.structs.replace(then, sentences=(*done.sentences, *then.sentences))
    return done


async def _decline(services: Services, done: Outcome, declines: int) -> Action | None:
    """Return the decline that is to follow for the seat that has just acted, if there is one."""
    if not declines or done.ask is None or not done.ask.company or done.proposal is not None:
        return None
    here = await services.table.position(done.table.id)
    seat, no = here.game.log[-1].seat, decline(here.game.title.actions)
    made = takewhile(lambda said: said == Said(seat, no), reversed(here.game.log)) if no is not None else ()
    is_due = here.version == done.version and seat in done.ask.seats[:1] and len([*made]) < declines
    return no if is_due else None  # some were made already, as nothing else could be
