"""Damage to rows of the store, and to messages and threads in Discord."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from tests.chaos.expected_posts import number_of
from tests.discord.stand_in import Fault
from tests.discord.world import Message

if TYPE_CHECKING:
    from tests.inspection.cases import World

Row = dict[str, Any]
Damage = Callable[["World"], Awaitable[str]]
"""Does the damage and describes it; returns "" if there was nothing to damage."""


async def pick(world: "World", kinds: str, state: str) -> Row | None:
    """Return one row of the outbox that the table still needs: in a state, of some kinds, of any if none is named."""
    current = f"{world.game}:%:{world.turn_from}%"
    found = await world.rows(
        "SELECT * FROM outbox WHERE game = :game AND state = :state AND kind NOT IN ('notice', 'ondeck')"
        " AND (key LIKE :current OR key = :card OR state = 'owed') ORDER BY id",
        state=state, current=current, card=f"{world.game}:card",
    )  # fmt: skip
    rows = [row for row in found if not kinds or row["kind"] in kinds.split()]
    return world.chance.choice(rows) if rows else None


def change_row(state: str, change: str, kinds: str = "") -> Damage:
    """Return the damage that changes a row in a state, or deletes it."""

    async def damage(world: "World") -> str:
        row = await pick(world, kinds, state)
        if row is None:
            return ""
        await world.change(f"{change} WHERE id = :id", id=row["id"])
        world.damaged = row
        return f"{row['kind']} {row['state']}"

    return damage


OWED, SENT, DELETE = "owed", "sent", "DELETE FROM outbox"
DROP, HANDED = "UPDATE outbox SET state = 'dropped'", "UPDATE outbox SET handed = handed + 1"
GIVE_UP = "UPDATE outbox SET state = 'dropped', error = '400', attempts = 3"
FORGET = "UPDATE outbox SET channel = '', message = '', sent = NULL"
NO_PING = "turn card summary pictures ring errand clockalarm ballot end"
"""Kinds whose rows may be deleted: nothing else says that a call was owed."""
TURN_AND_CARD = "turn card"
NEW = "turn summary pictures ping ring errand clockalarm ballot notice end"
"""Kinds that have no message yet when they are owed."""


async def hold_lease(world: "World") -> str:
    """Let a dead process hold the lease on the table's posts."""
    await world.hold("ghost", 890)
    world.keeps_lease = True
    return "lease"


def delete_message(kind: str) -> Damage:
    """Return the damage that deletes a message in Discord."""

    async def damage(world: "World") -> str:
        found = world.find(kind)
        if not found:
            return ""
        found[-1].deleted = True
        return kind

    return damage


def strip_message(kind: str) -> Damage:
    """Return the damage that takes the buttons off a message."""

    async def damage(world: "World") -> str:
        found = world.find(kind)
        if not found:
            return ""
        found[-1].components = [part for part in found[-1].components if part["type"] == 10]
        return kind

    return damage


async def revive_old(world: "World") -> str:
    """Give the message of a past turn its buttons back, as if the edit had been lost."""
    old = [m for m in world.bare if world.server.world.is_visible(m)]
    if not old:
        return ""
    old[-1].components = world.bare[old[-1]]
    return "result"


async def double_turn(world: "World") -> str:
    """Put a second message of the turn into the thread, with another number."""
    found = world.find("turn")
    if not found:
        return ""
    copy = Message(world.server.world.snowflake(), found[-1].channel, found[-1].author, sent=world.server.clock.iso())
    copy.components = [{**part} for part in found[-1].components]
    copy.components[0]["id"] = number_of(found[-1]) + 1000 + 5000
    copy.channel.messages.append(copy)
    world.server.world.messages[copy.id] = copy
    return "turn"


async def delete_thread(world: "World") -> str:
    """Delete the thread; the bot receives the event."""
    world.server.delete(world.thread)
    return "thread, told"


async def delete_thread_unheard(world: "World") -> str:
    """Delete the thread; the bot receives no event."""
    world.server.world.forget(world.thread)
    return "thread, unheard"


async def archive_thread(world: "World") -> str:
    """Archive the thread."""
    world.thread.archived = True
    return "thread, archived"


def forget_home(column: str) -> Damage:
    """Return the damage that clears a column of the table's home."""

    async def damage(world: "World") -> str:
        await world.change(f"UPDATE game SET {column} = '' WHERE id = :game")  # noqa: S608  # names of ours
        return f"game.{column}"

    return damage


def refuse(status: int, seconds: int) -> Damage:
    """Return the damage that Discord refuses all messages for a while."""

    async def damage(world: "World") -> str:
        def choose(method: str, path: str) -> Fault | None:
            return Fault(method, path, status) if path.startswith("/channels") and "/messages" in path else None

        world.server.choose_fault = choose
        world.calm_after = seconds
        return f"{seconds} s of {status}"

    return damage


DAMAGES: dict[str, Damage] = {
    "drop what is owed": change_row(OWED, DROP),
    "drop what was sent": change_row(SENT, f"{DROP}, sent = NULL"),
    "delete what is owed": change_row(OWED, DELETE, NO_PING),
    "delete what was sent": change_row(SENT, DELETE, NO_PING),
    "call owed sent": change_row(OWED, "UPDATE outbox SET state = 'sent'", NEW),
    "hold back": change_row(OWED, "UPDATE outbox SET state = 'held'"),
    "garble a state": change_row(OWED, "UPDATE outbox SET state = 'lost'"),
    "put off for weeks": change_row(OWED, "UPDATE outbox SET due = due + 2000000", "turn card summary pictures"),
    "hand out without a lease": change_row(OWED, HANDED),
    "give up": change_row(OWED, GIVE_UP, "turn card summary end"),
    "forget the place": change_row(SENT, FORGET, TURN_AND_CARD),
    "mistake the message": change_row(SENT, "UPDATE outbox SET message = '1'", TURN_AND_CARD),
    "hold the lease": hold_lease,
    "delete the turn message": delete_message("turn"),
    "delete the table message": delete_message("card"),
    "delete a ballot": delete_message("ballot"),
    "strip the turn message": strip_message("turn"),
    "strip the table message": strip_message("card"),
    "revive old buttons": revive_old,
    "double the turn message": double_turn,
    "delete the thread": delete_thread,
    "delete the thread unheard": delete_thread_unheard,
    "archive the thread": archive_thread,
    "forget the thread": forget_home("thread"),
    "forget the table message": forget_home("message"),
    "refuse 400": refuse(400, 8),
    "refuse 403": refuse(403, 12),
    "refuse 404": refuse(404, 8),
}  # fmt: skip
