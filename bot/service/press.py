"""What one press plays: a move, the declines that belong to it, and those that leave no choice.

Each is an ordinary entry of the log, said by the same seat. Moves made in one go are stored in
one transaction. A crash between a move and a decline leaves the
later ones unsaid: they are asked again, and nothing is lost.
"""

import msgspec

from bot.service.errors import BotError
from bot.service.records import Outcome
from bot.service.services import Services
from bot.service.table import Delivery, Moves, Typed
from bot.service.workers.tasks import ONLY
from engine import Action, RuleError
from engine.codec import decode_action
from engine.words import decline

MOST_DECLINES = 8
TYPED = Delivery()


async def press(
    services: Services, game: int, user: str, action: Action | Typed | Moves, delivery: Delivery = TYPED,
    declines: int = 0,
) -> Outcome:  # fmt: skip
    """Play an action, or several in one go, then decline so many steps, then what leaves no choice in the same turn.

    Raises:
        StaleError, BotError, WordingError, RuleError: of the action itself, see ``GameTable.submit``.
    """
    done = await services.table.submit(game, user, action, delivery)
    if done.repeated:
        return done
    for count in range(1, MOST_DECLINES + 1):
        further = await _decline(services, done, wanted=count <= declines)
        if further is None:
            break
        name = None if delivery.interaction is None else f"{delivery.interaction}+{count}"
        try:
            then = await services.table.submit(game, user, further, Delivery(name, done.version))
        except (BotError, RuleError):  # somebody else was faster: what was played stands
            break
        done = msgspec.structs.replace(then, sentences=(*done.sentences, *then.sentences))
    return done


async def _decline(services: Services, done: Outcome, *, wanted: bool) -> Action | None:
    """Return the decline that is to follow for the seat that has just acted, if there is one."""
    if done.ask is None or not done.ask.company or done.proposal is not None:
        return None
    here = await services.table.position(done.table.id)
    if here.version != done.version or here.game.log[-1].seat not in done.ask.seats[:1]:
        return None
    if wanted:
        return decline(here.game.title.actions)
    only = await services.workers.do(ONLY, done.ask.seats[0], here.course)
    return decode_action(here.table.title, only) if only else None
