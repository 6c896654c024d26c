"""The outbox: posts and letters owed, stored with the move, sent later, each once.

A post is ``owed`` until it is ``sent`` or ``dropped``. Replacing a post with
its key makes it owed again and keeps the id of its message, so that the
message is edited. Posts are sent in batches: those of a table are one, all
letters are another. A batch is handed out to one sender at a time, who holds
the lease of its name. A post that was handed out before and never accounted
for may have arrived: it is ``unsure``. Discord may be given the row's id as
nonce, so that the message is not made twice.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any

import msgspec
import structlog
from sqlalchemy import and_, bindparam, case, delete, func, or_, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Letter, NumberedMoves, list_recipients, write_letters
from bot.model.obligations import Obligation, find_due
from bot.model.posts import (
    AnyPost,
    Card,
    ClockAlarm,
    End,
    Expire,
    Lobby,
    OnDeck,
    Owed,
    Pictures,
    Post,
    Ring,
    Summary,
    TimeUp,
    Turn,
    build_ring_key,
    build_turn_key,
    name_kind,
)
from bot.model.records import Calls, Table
from bot.store import leases, obligations
from bot.store.rows import Insert, PreparedInsert, update_rows
from bot.store.tables import LeaseRow, OutboxRow
from engine import Record

_log = structlog.get_logger(__name__)
POSTS, LETTERS = "posts:", "letters"
"""What the names of batches begin with: those of a table's posts end with its number."""
NEVER_SENT = "expiries"
NOT_WANTED = "no longer wanted"
"""The error of a post that was dropped because it says nothing new any more."""
Place = tuple[str, str]
"""Channel and message in which a post stands; both are empty where it has none."""
MAX_POSTS_AT_ONCE = 1000
"""Posts that are handed out together."""
MAX_ERROR_LENGTH = 500
MAX_POST_RETRY_SECONDS = 600
"""Seconds after which a post that could not be sent is tried again at the latest."""
OUT_OF_SIGHT = 1 << 20
"""Added to how often a post was handed out, when the place where it may stand is gone."""
MAX_CLOCK_DIFFERENCE_SECONDS = 10
"""Seconds by which the clocks of two machines may differ."""


class StoredPost(Record, frozen=True):
    """A post or letter as it lies in the outbox.

    Args:
        id: its row; use ``f"sm{id}.{revision}"`` as Discord's nonce. batch: what it is sent with.
        channel, message: where it was posted before; then edit it there.
        attempts: how often sending failed.
        unsure: it was handed out before and no one said what became of it: it may have been posted.
        created: when it was first owed; it cannot stand anywhere from before.
        silent: it may stand, and have rung, in a place that is gone; it rings no one any more.
        sent: when it went out, 0 if it did not.
        number: what a letter is called where it arrives. offered: what its choices mean, once it was made.
    """

    id: int
    batch: str
    game: int
    key: str
    post: Post
    due: int
    revision: int
    attempts: int
    channel: str
    message: str
    unsure: bool = False
    created: int = 0
    silent: bool = False
    sent: int = 0
    number: int = 0
    offered: NumberedMoves | None = None

    @property
    def letter(self) -> Letter:
        """The letter that it is."""
        assert isinstance(self.post, Letter)
        return self.post


decode = msgspec.json.Decoder(AnyPost | Letter).decode
_offered = msgspec.json.Decoder(NumberedMoves).decode


def name_batch(post: Post) -> str:
    """Return the name of the batch that a post is sent with."""
    if isinstance(post, Letter | Expire):
        return LETTERS if isinstance(post, Letter) else NEVER_SENT
    return f"{POSTS}{post.game}"


async def owe(session: AsyncSession, posts: Sequence[Owed], now: int) -> None:
    """Put posts into the outbox, and letters to those they name; one with a known key replaces the earlier one.

    A letter that is known stays as it is. What posts ask of people opens their obligations.
    """
    if not posts:
        return
    if users := list_recipients(posts):
        posts = [*posts, *write_letters(posts, await obligations.list_reached(session, sorted(users)))]
    rows = [_make_row(owed, now) for owed in await obligations.ask(session, posts, now)]
    await session.exec(_OWE.get(session), params=rows)


async def count_keys(session: AsyncSession, prefix: str, since: int) -> int:
    """Return how many posts with keys that begin alike were owed since a moment; their letters don't count."""
    counted = select(func.count()).where(col(OutboxRow.key).startswith(prefix, autoescape=True), OutboxRow.user == "")
    return (await session.exec(counted.where(col(OutboxRow.created) >= since))).one()


async def reschedule(session: AsyncSession, rows: Sequence[Obligation], calls: Mapping[str, Calls], now: int) -> None:
    """Store obligations that ring at another moment, by what their people wish, and let their tables ring in time."""
    rows = [msgspec.structs.replace(row, due=find_due(row, calls.get(row.user, Calls()), now)) for row in rows]
    await obligations.save(session, rows)
    for game in sorted({row.game for row in rows}):
        due = [row.due for row in await obligations.fetch_of_game(session, game) if row.due is not None]
        if due:
            await owe(session, [Owed(build_ring_key(game), Ring(game), max(now, min(due)))], now)


def _make_row(owed: Owed, now: int) -> dict[str, str | int | None]:
    """Return the columns of a post as it is first owed."""
    post = owed.post
    return {
        "batch": name_batch(post),
        "game": post.game or None,
        "user": post.user if isinstance(post, Letter) else "",
        "key": owed.key,
        "kind": name_kind(type(post)),
        "payload": encode(post),
        "offers": "",
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


def encode(post: Post) -> str:
    """Return a post as it is stored."""
    return msgspec.json.encode(post).decode()


async def close_turn(session: AsyncSession, old: Table) -> None:
    """Drop what is still owed for a turn that has passed: its calls, and its message if that was never posted."""
    await session.exec(_CLOSE_TURN, params={"of_game": old.id, "turn": build_turn_key(old.id, old.turn_from)})


async def drop(session: AsyncSession, game: int, kinds: Sequence[type[Post]]) -> None:
    """Drop the posts of some kinds that a table still owes."""
    owed = (col(OutboxRow.game) == game, col(OutboxRow.state) == "owed")
    which = col(OutboxRow.kind).in_([name_kind(kind) for kind in kinds])
    await update_rows(session, OutboxRow, *owed, which, state="dropped")


async def list_waiting(session: AsyncSession, now: int, most: int, head: str) -> list[str]:
    """Return the batches that have something to send now, the longest waiting first.

    Their names begin with ``head``; one that another sender has, or that rests, is left out.
    """
    return [*await session.exec(_WAITING, params={"now": now, "most": most, "head": head})]


async def find_next_chance(session: AsyncSession, now: int, head: str) -> int | None:
    """Return the moment after ``now`` at which a post is due or a batch is free; ``None`` if nothing is to come."""
    ends = (await session.exec(_NEXT_CHANCE, params={"now": now, "head": head})).one()
    return min((end for end in ends if end is not None), default=None)


async def hand_out(session: AsyncSession, batches: Collection[str], now: int) -> dict[str, list[StoredPost]]:
    """Return what these batches have to send now, as it was first owed, and note that it was handed out."""
    found: dict[str, list[StoredPost]] = {}
    asked = {"now": now, "batches": list(batches), "most": MAX_POSTS_AT_ONCE}
    rows = sorted(await session.exec(_HAND_OUT, params=asked), key=attrgetter("id"))
    for stored in make_readable_posts(rows):
        found.setdefault(stored.batch, []).append(stored)
    damaged = {row.id for row in rows} - {stored.id for each in found.values() for stored in each}
    if damaged:  # a turn that was never owed is owed again
        _log.error("posts are damaged and were removed", keys=[row.key for row in rows if row.id in damaged])
        await session.exec(delete(OutboxRow).where(col(OutboxRow.id).in_(damaged)))
    return found


async def list_expired_tables(session: AsyncSession, now: int) -> list[int]:
    """Return the tables whose time to begin is up."""
    waiting = (col(OutboxRow.state) == "owed", col(OutboxRow.due) <= now, col(OutboxRow.kind) == name_kind(Expire))
    found = await session.exec(select(OutboxRow.game).where(*waiting).order_by(col(OutboxRow.id)))
    return [game for game in found if game is not None]


async def fetch_owed(session: AsyncSession, numbers: Sequence[int]) -> dict[int, StoredPost]:
    """Return those of some posts that are still owed, as they are owed now, by number."""
    rows = await session.exec(_STILL_OWED, params={"numbers": list(numbers)}) if numbers else ()
    return {stored.id: stored for stored in make_readable_posts(rows)}


async def set_clock_back(session: AsyncSession, now: int) -> int:
    """Bring what is owed nearer if it was owed, or tried, by a clock that was ahead; return by how many seconds."""
    latest = (await session.exec(select(func.max(OutboxRow.created)))).one() or 0
    ahead: int = max(0, latest - now)
    waits = col(OutboxRow.state).in_(("owed", "paused", "held"))
    soon = or_(col(OutboxRow.attempts) > 0, col(OutboxRow.kind).in_(_NEVER_LATE))
    tried = (waits, soon, col(OutboxRow.due) > now + MAX_POST_RETRY_SECONDS)
    await update_rows(session, OutboxRow, *tried, due=now + MAX_POST_RETRY_SECONDS)
    if ahead > MAX_CLOCK_DIFFERENCE_SECONDS:
        await update_rows(session, OutboxRow, waits, due=OutboxRow.due - ahead)
        await update_rows(session, OutboxRow, col(OutboxRow.created) > now, created=now)
        await obligations.set_clock_back(session, now, ahead)
        return ahead
    return 0


_COLUMNS: tuple[Any, ...] = (
    OutboxRow.id, OutboxRow.batch, OutboxRow.game, OutboxRow.key, OutboxRow.payload, OutboxRow.due,
    OutboxRow.revision, OutboxRow.attempts, OutboxRow.channel, OutboxRow.message, OutboxRow.handed, OutboxRow.created,
    OutboxRow.sent, OutboxRow.number, OutboxRow.offers,
)  # fmt: skip
"""Of posts not more is read than is needed."""


def select_posts() -> Any:  # noqa: ANN401  # the library types four columns at most
    """Return the question for posts."""
    return select(*_COLUMNS)


def make_stored_post(row: Any) -> StoredPost:  # noqa: ANN401  # the columns above, of a table's row or alone
    """Return the post in a row."""
    return StoredPost(
        row.id, row.batch, row.game or 0, row.key, decode(row.payload), row.due, row.revision, row.attempts,
        row.channel, row.message, row.handed > 0, row.created, row.handed >= OUT_OF_SIGHT, row.sent or 0,
        row.number or row.id, _offered(row.offers) if row.offers else None,
    )  # fmt: skip


def make_readable_posts(rows: Iterable[Any]) -> list[StoredPost]:
    """Return the posts in rows but for those that are damaged, which must not hold up the others."""
    found = []
    for row in rows:
        with suppress(msgspec.DecodeError):
            found.append(make_stored_post(row))
    return found


_NEVER_LATE = [name_kind(kind) for kind in (Card, Turn, Summary, Pictures, Lobby, End)]
"""What is owed at once: where it is due much later, the clock was ahead when that was written."""

# Questions that are asked all the time are made once.
_NOW: tuple[Any, ...] = (col(OutboxRow.state) == "owed", col(OutboxRow.due) <= bindparam("now"))
_SERVED = col(OutboxRow.batch).startswith(bindparam("head"))
_HAD = select(LeaseRow.name).where(LeaseRow.name == OutboxRow.batch, leases.is_busy(bindparam("now")))
_WAITING = (
    select(OutboxRow.batch)
    .where(*_NOW, _SERVED, ~_HAD.exists())
    .group_by(col(OutboxRow.batch))
    .order_by(func.min(OutboxRow.due))
    .limit(bindparam("most"))
)
_NEXT_DUE = (
    select(OutboxRow.due)
    .where(OutboxRow.state == "owed", OutboxRow.due > bindparam("now"), _SERVED)
    .order_by(col(OutboxRow.due))
    .limit(1)
)
_NEXT_FREE = select(func.min(LeaseRow.until)).where(
    col(LeaseRow.name).startswith(bindparam("head")), leases.is_busy(bindparam("now"))
)
_NEXT_CHANCE = select(_NEXT_DUE.scalar_subquery(), _NEXT_FREE.scalar_subquery())
_DUE_NOW = (
    select(OutboxRow.id)
    .where(*_NOW, col(OutboxRow.batch).in_(bindparam("batches", expanding=True)))
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
)
_HAND_OUT = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(_DUE_NOW.scalar_subquery()))
    .values(handed=OutboxRow.handed + 1)
    .returning(
        *[each for each in _COLUMNS if each is not OutboxRow.handed], (col(OutboxRow.handed) - 1).label("handed")
    )
    .execution_options(synchronize_session=False)
)
_STILL_OWED = select_posts().where(
    col(OutboxRow.id).in_(bindparam("numbers", expanding=True)), col(OutboxRow.state) == "owed"
)


_OUTBOX = SQLModel.metadata.tables["outbox"]


def _replace(new: Insert) -> Insert:
    """Let posts that are owed replace those with their keys; letters stay as they are."""
    state = case((_OUTBOX.c.state == "held", "held"), else_="owed")  # the server is paused
    again: dict[str, Any] = {"revision": _OUTBOX.c.revision + 1, "state": state, "attempts": 0, "error": ""}
    again |= {"payload": new.excluded.payload, "due": new.excluded.due}
    is_post = _OUTBOX.c.kind != name_kind(Letter)
    return new.on_conflict_do_update(index_elements=["key"], set_=again, where=is_post)


_OWE = PreparedInsert(_OUTBOX, _replace)
_SENT = (
    _OUTBOX.update()
    .where(_OUTBOX.c.id == bindparam("of_id"), _OUTBOX.c.created == bindparam("since"))
    .values(
        channel=bindparam("in_channel"),
        message=bindparam("in_message"),
        sent=bindparam("now"),
        handed=0,
        state=case((_OUTBOX.c.revision == bindparam("of_revision"), "sent"), else_=_OUTBOX.c.state),
    )
)
_NOT_SENT = (
    _OUTBOX.update()
    .where(_OUTBOX.c.id.in_(bindparam("numbers", expanding=True)), _OUTBOX.c.handed == 1)  # to no one else meanwhile
    .values(handed=0)
)
_CLOSE_TURN = (
    _OUTBOX.update()
    .where(
        _OUTBOX.c.game == bindparam("of_game"),
        _OUTBOX.c.state == "owed",
        or_(
            _OUTBOX.c.kind.in_([name_kind(kind) for kind in (Turn, ClockAlarm, TimeUp, OnDeck)]),
            and_(
                _OUTBOX.c.kind == name_kind(Pictures),
                ~select(OutboxRow.id).where(OutboxRow.key == bindparam("turn"), OutboxRow.message != "").exists(),
            ),
        ),
    )
    .values(state="dropped")
)


async def mark_sent(session: AsyncSession, posts: Sequence[tuple[StoredPost, Place]], now: int) -> None:
    """Note that posts were sent, and where each stands; one that was replaced meanwhile stays owed, as an edit.

    Where one is owed as a message of its own by now, as after a move of its table, where it stands is not noted.
    """
    notes = [
        {
            "of_id": post.id, "since": post.created, "of_revision": post.revision, "in_channel": channel,
            "in_message": message, "now": now,
        }
        for post, (channel, message) in posts
    ]  # fmt: skip
    if notes:
        await session.exec(_SENT, params=notes)


async def put_off(session: AsyncSession, stored: StoredPost, until: int) -> None:
    """Note that a post is due later."""
    this = (col(OutboxRow.id) == stored.id, col(OutboxRow.revision) == stored.revision)
    await update_rows(session, OutboxRow, *this, due=until)


async def mark_not_sent(session: AsyncSession, posts: Sequence[StoredPost]) -> None:
    """Note that posts which were handed out cannot stand anywhere by that; what was unsure before stays so."""
    numbers = [stored.id for stored in posts if not stored.unsure]
    if numbers:
        await session.exec(_NOT_SENT, params={"numbers": numbers})


async def mark_failed(session: AsyncSession, stored: StoredPost, error: str, again: int | None) -> None:
    """Note that sending failed; try again at a moment, or never."""
    this = (col(OutboxRow.id) == stored.id, col(OutboxRow.revision) == stored.revision)
    then = {"state": "dropped"} if again is None else {"due": again}
    await update_rows(session, OutboxRow, *this, attempts=stored.attempts + 1, error=error[:MAX_ERROR_LENGTH], **then)
