"""The posts owed: stored with the move, sent later, each once.

A post is ``owed`` until it is ``sent`` or ``dropped``. Replacing a post with
its key makes it owed again and keeps the id of its message, so that the
message is edited. The posts of a table are handed out to one sender at a time,
who holds the lease of the table. A post that was handed out before and never
accounted for may stand in the channel: it is ``unsure``. Discord may be given
the row's id as nonce, so that the message is not made twice.
"""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import String, and_, bindparam, case, cast, func, or_, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.posts import (
    AnyPost,
    Card,
    End,
    Errand,
    Expire,
    Lobby,
    OnDeck,
    Owed,
    Pictures,
    Ping,
    Reminder,
    Summary,
    TimeUp,
    Turn,
    turn_key,
)
from bot.model.records import Table
from bot.store import leases, letters
from bot.store.tables import LeaseRow, OutboxRow
from engine import Record

MOST_AT_ONCE = 100
LONGEST_RETRY = 600
"""Seconds after which a post that could not be sent is tried again at the latest."""
OUT_OF_SIGHT = 1 << 20
"""Added to how often a post was handed out, when the place where it may stand is gone."""
CLOCKS_DIFFER = 10
"""Seconds by which the clocks of two machines may differ."""


class StoredPost(Record, frozen=True):
    """A post as it lies in the outbox.

    Args:
        id: its number; use ``f"sm{id}.{revision}"`` as Discord's nonce.
        channel, message: where it was posted before; then edit it there.
        attempts: how often sending failed.
        unsure: it was handed out before and nobody said what became of it: it may have been posted.
        created: when it was first owed; it cannot stand anywhere from before.
        silent: it may stand, and have rung, in a place that is gone; it rings nobody any more.
    """

    id: int
    game: int
    key: str
    post: AnyPost
    due: int
    revision: int
    attempts: int
    channel: str
    message: str
    unsure: bool = False
    created: int = 0
    silent: bool = False


_decode = msgspec.json.Decoder(AnyPost).decode


async def owe(session: AsyncSession, posts: Sequence[Owed], now: int) -> None:
    """Put posts into the outbox; one with a known key replaces the earlier one."""
    if not posts:
        return
    await letters.owe_copies(session, posts, now)
    keys = [owed.key for owed in posts]
    known = {row.key: row for row in await session.exec(_OF_KEYS, params={"keys": keys})}
    new = [_fresh(owed, now) for owed in posts if owed.key not in known]
    if new:
        await session.exec(_OUTBOX.insert(), params=new)
    again = [(owed, known[owed.key]) for owed in posts if owed.key in known]
    if again:
        await session.exec(_REPLACE, params=[_replacing(owed, row.payload, row.message) for owed, row in again])


def _replacing(owed: Owed, payload: str, message: str) -> dict[str, str | int]:
    """Return what a post that was owed before is replaced with."""
    post = owed.post if message else _still_loud(payload, owed.post)
    return {"of_key": owed.key, "post": _encoded(post), "from_now": owed.due}


def _fresh(owed: Owed, now: int) -> dict[str, str | int]:
    """Return the columns of a post that was not owed before."""
    return {
        "game": owed.post.game,
        "key": owed.key,
        "kind": _kind(type(owed.post)),
        "payload": _encoded(owed.post),
        "state": "owed",
        "due": owed.due,
        "revision": 0,
        "attempts": 0,
        "handed": 0,
        "error": "",
        "channel": "",
        "message": "",
        "created": now,
    }


def _encoded(post: AnyPost) -> str:
    return msgspec.json.encode(post).decode()


def _kind(post: type[AnyPost]) -> str:
    return post.__name__.lower()


def _still_loud(payload: str, post: AnyPost) -> AnyPost:
    """Let a turn message that was not posted yet still ping, though it is replaced by a quiet one."""
    if isinstance(post, Turn):
        before = _decode(payload)
        if isinstance(before, Turn) and not before.quiet:
            return msgspec.structs.replace(post, quiet=False)
    return post


async def close_turn(session: AsyncSession, old: Table) -> None:
    """Drop what is still owed for a turn that has passed: its calls, and its message if that was never posted."""
    await session.exec(_CLOSE_TURN, params={"number": old.id, "turn": turn_key(old.id, old.turn_from)})


async def drop(session: AsyncSession, game: int, kinds: Sequence[type[AnyPost]]) -> None:
    """Drop the posts of some kinds that a table still owes."""
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.game) == game, col(OutboxRow.state) == "owed")
        .where(col(OutboxRow.kind).in_([_kind(kind) for kind in kinds]))
        .values(state="dropped")
        .execution_options(synchronize_session=False)
    )


async def due(session: AsyncSession, now: int) -> list[StoredPost]:
    """Return the posts to send now, in the order they were owed."""
    return [_letter(row) for row in await session.exec(_DUE, params={"now": now})]


async def waiting(session: AsyncSession, now: int, most: int, lease: str) -> list[int]:
    """Return the tables that have something to send now, the longest waiting first.

    What a table's lease is called begins with ``lease`` and ends with its number; one that is had is left out.
    """
    asked = {"now": now, "most": most, "lease": lease}
    return list(await session.exec(_WAITING, params=asked))


async def hand_out(session: AsyncSession, tables: Collection[int], now: int) -> dict[int, list[StoredPost]]:
    """Return what these tables have to send now, as it was first owed, and note that it was handed out."""
    found: dict[int, list[StoredPost]] = {}
    asked = {"now": now, "tables": list(tables)}
    for row in await session.exec(_OF_TABLES, params=asked):
        found.setdefault(row.game, []).append(_letter(row))
    await session.exec(_HAND_OUT, params=asked)
    return found


async def expired(session: AsyncSession, now: int) -> list[int]:
    """Return the tables whose time to begin is up."""
    waiting = (col(OutboxRow.state) == "owed", col(OutboxRow.due) <= now, col(OutboxRow.kind) == _kind(Expire))
    return list(await session.exec(select(OutboxRow.game).where(*waiting).order_by(col(OutboxRow.id))))


async def next_chance(session: AsyncSession, now: int, lease: str) -> int | None:
    """Return the moment after ``now`` at which a post is due or a table's lease ends; ``None`` if nothing is to come.

    What a table's lease is called begins with ``lease``.
    """
    ends = (await session.exec(_NEXT_CHANCE, params={"now": now, "prefix": lease})).one()
    return min((end for end in ends if end is not None), default=None)


async def find(session: AsyncSession, key: str) -> StoredPost | None:
    """Return a post by its key, sent or not."""
    return next(iter(await find_all(session, (key,))), None)


async def find_all(session: AsyncSession, keys: Collection[str]) -> list[StoredPost]:
    """Return the posts with these keys, sent or not, in the order they were first owed."""
    return [_letter(row) for row in await session.exec(_OF_KEYS, params={"keys": list(keys)})]


async def still_owed(session: AsyncSession, numbers: Sequence[int]) -> dict[int, StoredPost]:
    """Return those of some posts that are still owed, as they are owed now, by number."""
    rows = await session.exec(_STILL_OWED, params={"numbers": list(numbers)}) if numbers else ()
    return {row.id: _letter(row) for row in rows}


async def set_clock_back(session: AsyncSession, now: int) -> int:
    """Bring what is owed nearer if it was owed, or tried, by a clock that was ahead; return by how many seconds."""
    latest = (await session.exec(select(func.max(OutboxRow.created)))).one() or 0
    ahead: int = max(0, latest - now)
    waits = col(OutboxRow.state).in_(("owed", "paused", "held"))
    soon = or_(col(OutboxRow.attempts) > 0, col(OutboxRow.kind).in_(_NEVER_LATE))
    tried = (waits, soon, col(OutboxRow.due) > now + LONGEST_RETRY)
    await session.exec(update(OutboxRow).where(*tried).values(due=now + LONGEST_RETRY))
    if ahead > CLOCKS_DIFFER:
        nearer = {"due": OutboxRow.due - ahead}
        await session.exec(update(OutboxRow).where(waits).values(**nearer))
        await session.exec(update(OutboxRow).where(col(OutboxRow.created) > now).values(created=now))
        return ahead
    return 0


async def at(session: AsyncSession, channel: str, message: str) -> list[StoredPost]:
    """Return the posts that stand in a message, the latest first."""
    here = _posts().where(OutboxRow.channel == channel, OutboxRow.message == message)
    return [_letter(row) for row in await session.exec(here.order_by(col(OutboxRow.id).desc()))]


async def every(session: AsyncSession, game: int) -> list[tuple[str, StoredPost]]:
    """Return all posts of a table with their states, oldest first."""
    rows = await session.exec(select(OutboxRow).where(OutboxRow.game == game).order_by(col(OutboxRow.id)))
    return [(row.state, _letter(row)) for row in rows]


def _posts() -> Any:  # noqa: ANN401  # the library types four columns at most
    """Return the question for posts, of which not more is read than is needed."""
    row = OutboxRow
    columns: tuple[Any, ...] = (
        row.id, row.game, row.key, row.payload, row.due, row.revision, row.attempts, row.channel, row.message,
        row.handed, row.created,
    )  # fmt: skip
    return select(*columns)


def _letter(row: Any) -> StoredPost:  # noqa: ANN401  # the columns above, of a table's row or alone
    return StoredPost(
        row.id, row.game, row.key, _decode(row.payload), row.due, row.revision, row.attempts, row.channel, row.message,
        row.handed > 0, row.created, row.handed >= OUT_OF_SIGHT,
    )  # fmt: skip


_NEVER_LATE = [kind.__name__.lower() for kind in (Card, Turn, Summary, Pictures, Lobby, End)]
"""What is owed at once: where it is due much later, the clock was ahead when that was written."""

# Questions that are asked all the time are made once.
_DUE = (
    _posts()
    .where(OutboxRow.state == "owed", OutboxRow.due <= bindparam("now"))
    .order_by(col(OutboxRow.due), col(OutboxRow.id))
    .limit(MOST_AT_ONCE)
)
_OF_KEYS = _posts().where(col(OutboxRow.key).in_(bindparam("keys", expanding=True))).order_by(col(OutboxRow.id))
_NOW: tuple[Any, ...] = (
    col(OutboxRow.state) == "owed",
    col(OutboxRow.due) <= bindparam("now"),
    col(OutboxRow.kind) != _kind(Expire),
)
_HAD = select(LeaseRow.name).where(
    LeaseRow.name == bindparam("lease", type_=String) + cast(OutboxRow.game, String), leases.is_busy(bindparam("now"))
)
_WAITING = (
    select(OutboxRow.game)
    .where(*_NOW, ~_HAD.exists())
    .group_by(col(OutboxRow.game))
    .order_by(func.min(OutboxRow.due))
    .limit(bindparam("most"))
)
_MINE = (*_NOW, col(OutboxRow.game).in_(bindparam("tables", expanding=True)))
_OF_TABLES = _posts().where(*_MINE).order_by(col(OutboxRow.game), col(OutboxRow.id))
_HAND_OUT = (
    update(OutboxRow).where(*_MINE).values(handed=OutboxRow.handed + 1).execution_options(synchronize_session=False)
)
_NEXT_DUE = select(func.min(OutboxRow.due)).where(OutboxRow.state == "owed", OutboxRow.due > bindparam("now"))
_NEXT_CHANCE = select(_NEXT_DUE.scalar_subquery(), leases.NEXT_FREE.scalar_subquery())
_STILL_OWED = _posts().where(
    col(OutboxRow.id).in_(bindparam("numbers", expanding=True)), col(OutboxRow.state) == "owed"
)


_OUTBOX = SQLModel.metadata.tables["outbox"]
_SENT = (
    _OUTBOX.update()
    .where(_OUTBOX.c.id == bindparam("number"), _OUTBOX.c.created == bindparam("since"))
    .values(
        channel=bindparam("in_channel"),
        message=bindparam("in_message"),
        sent=bindparam("now"),
        handed=0,
        state=case((_OUTBOX.c.revision == bindparam("of_revision"), "sent"), else_=_OUTBOX.c.state),
    )
)
_REPLACE = (
    _OUTBOX.update()
    .where(_OUTBOX.c.key == bindparam("of_key"))
    .values(
        payload=bindparam("post"),
        revision=_OUTBOX.c.revision + 1,
        state="owed",
        due=bindparam("from_now"),
        attempts=0,
        error="",
    )
)
_CLOSE_TURN = (
    _OUTBOX.update()
    .where(
        _OUTBOX.c.game == bindparam("number"),
        _OUTBOX.c.state == "owed",
        or_(
            _OUTBOX.c.kind.in_((_kind(Turn), _kind(Ping), _kind(Reminder), _kind(TimeUp), _kind(OnDeck))),
            and_(
                _OUTBOX.c.kind == _kind(Pictures),
                ~select(OutboxRow.id).where(OutboxRow.key == bindparam("turn"), OutboxRow.message != "").exists(),
            ),
        ),
    )
    .values(state="dropped")
)


async def sent(session: AsyncSession, stored: StoredPost, channel: str, message: str, now: int) -> None:
    """Note that a post was sent; if it was replaced meanwhile it stays owed, as an edit.

    Where it is owed as a message of its own by now, as after a move of its table, where it stands is not noted.
    """
    which = {"number": stored.id, "since": stored.created, "of_revision": stored.revision}
    await session.exec(_SENT, params={**which, "in_channel": channel, "in_message": message, "now": now})


async def put_off(session: AsyncSession, stored: StoredPost, until: int) -> None:
    """Note that a post is due later."""
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id) == stored.id, col(OutboxRow.revision) == stored.revision)
        .values(due=until)
    )


async def not_sent(session: AsyncSession, posts: Sequence[StoredPost]) -> None:
    """Note that posts which were handed out cannot stand anywhere by that; what was unsure before stays so."""
    numbers = [stored.id for stored in posts if not stored.unsure]
    if not numbers:
        return
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id).in_(numbers), col(OutboxRow.handed) == 1)  # to nobody else meanwhile
        .values(handed=0)
        .execution_options(synchronize_session=False)
    )


async def failed(session: AsyncSession, stored: StoredPost, error: str, again: int | None) -> None:
    """Note that sending failed; try again at a moment, or never."""
    values = {"attempts": stored.attempts + 1, "error": error[:500]}
    state = {"state": "dropped"} if again is None else {"due": again}
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id) == stored.id, col(OutboxRow.revision) == stored.revision)
        .values(**values, **state)
    )


async def hurry(session: AsyncSession, tables: Collection[int], now: int) -> list[int]:
    """Owe now what these tables tried in vain to send; return those that did."""
    tried = (col(OutboxRow.game).in_(tables), col(OutboxRow.state) == "owed", col(OutboxRow.attempts) > 0)
    late = list(await session.exec(select(OutboxRow.game).where(*tried).distinct()))
    await session.exec(update(OutboxRow).where(*tried, col(OutboxRow.due) > now).values(due=now))
    return late


async def calls_owed(session: AsyncSession, game: int, turn_from: int) -> list[StoredPost]:
    """Return the calls to a turn that are still owed."""
    rows = await session.exec(
        select(OutboxRow).where(
            col(OutboxRow.game) == game,
            col(OutboxRow.state) == "owed",
            col(OutboxRow.kind).in_((_kind(Ping), _kind(Reminder))),
        )
    )
    found = [_letter(row) for row in rows]
    return [each for each in found if isinstance(each.post, Ping | Reminder) and each.post.turn_from == turn_from]


async def recall(session: AsyncSession, game: int, now: int) -> None:
    """Drop all calls that are owed, and let those that were sent be sent anew, to whoever decides now."""
    await drop(session, game, (Turn, Ping, Reminder, Errand))
    calls = (col(OutboxRow.game) == game, col(OutboxRow.kind).in_((_kind(Ping), _kind(Reminder))))
    anew = {"channel": "", "message": "", "handed": 0, "created": now}
    await session.exec(update(OutboxRow).where(*calls).values(**anew).execution_options(synchronize_session=False))
