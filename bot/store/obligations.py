"""Obligations as they are stored: opened and closed with the posts that ask, in the same transaction."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, or_
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import obligations, pinging
from bot.model.clock import DAY
from bot.model.obligations import Obligation
from bot.model.pinging import Asked, Planned
from bot.model.posts import AnyCall, AnyPost, OldCall, Owed, Post, Turn
from bot.store import people
from bot.store.rows import Insert, PreparedInsert, make_columns, update_rows
from bot.store.tables import ContactRow, GameRow, ObligationRow, OutboxRow

_OBLIGATION = SQLModel.metadata.tables["obligation"]
_COLUMNS = tuple(_OBLIGATION.c[name] for name in Obligation.__struct_fields__)
_OF_GAME: Any = core_select(*_COLUMNS).where(_OBLIGATION.c.game == bindparam("of_game"))
_OF_USER: Any = core_select(*_COLUMNS).where(
    _OBLIGATION.c.user == bindparam("of_user"), _OBLIGATION.c.open,
    or_(_OBLIGATION.c.kind.not_in(obligations.NEWS), _OBLIGATION.c.pings == 0),
)  # fmt: skip
_POSTS: Any = select(OutboxRow.key, OutboxRow.payload, OutboxRow.message).where(
    col(OutboxRow.key).in_(bindparam("keys", expanding=True))
)
_REACHED: Any = select(ContactRow.user).where(
    col(ContactRow.user).in_(bindparam("users", expanding=True)), ContactRow.state == "confirmed"
)
MAX_SNOOZE_SECONDS = 2 * DAY
"""A snooze that ends later was asked for by a clock that was ahead, or ends with an absence."""
_decode = msgspec.json.Decoder(AnyPost).decode


def _encode(post: Post) -> str:
    return msgspec.json.encode(post).decode()


async def fetch_of_game(session: AsyncSession, game: int) -> list[Obligation]:
    """Return all obligations at a table."""
    return [Obligation(*row) for row in await session.exec(_OF_GAME, params={"of_game": game})]


async def fetch_of_user(session: AsyncSession, user: str) -> list[Obligation]:
    """Return what a person is still to do at all tables, or to hear."""
    return [Obligation(*row) for row in await session.exec(_OF_USER, params={"of_user": user})]


async def list_reached(session: AsyncSession, users: Sequence[str]) -> list[str]:
    """Return those of some users who have a confirmed address."""
    return [*await session.exec(_REACHED, params={"users": list(users)})] if users else []


async def _retire_pings(session: AsyncSession, plan: Planned, now: int) -> None:
    """Delete the pings at the table to those who needn't answer any more; what was not sent is dropped."""
    for subject, over in plan.answered.items():
        game = int(subject.partition(":")[0])
        is_ping = (OutboxRow.game == game, OutboxRow.kind == "ping", col(OutboxRow.key).startswith(f"{subject}:ping:"))
        pings: Any = select(OutboxRow.id, OutboxRow.payload).where(*is_ping, OutboxRow.state != "dropped")
        rows = await session.exec(pings)
        for number, payload in rows.all():
            ping = _decode(payload)
            if not ping.private and not set(ping.mention) - over:
                this = col(OutboxRow.id) == number
                stands = or_(col(OutboxRow.message) != "", col(OutboxRow.handed) > 0)
                await update_rows(session, OutboxRow, this, ~stands, state="dropped")
                await update_rows(
                    session, OutboxRow, this, stands,
                    kind="oldcall", payload=_encode(OldCall(ping.game)), state="owed", due=now, attempts=0, error="",
                    revision=OutboxRow.revision + 1,
                )  # fmt: skip


async def ask(session: AsyncSession, posts: Sequence[Owed], now: int) -> list[Owed]:
    """Open what posts ask of people, and close what they end; return all that is owed by it."""
    owed = list[Owed]()
    for game, of_game in groupby(posts, key=lambda each: each.post.game):
        mine = list(of_game)
        if any(isinstance(each.post, AnyCall) for each in mine):
            asked = await _read_asked(session, game, mine)
            plan = pinging.ask(mine, asked, now)
            await store(session, plan, now)
            mine = list(plan.owed)
        owed += mine
    return owed


async def _read_asked(session: AsyncSession, game: int, posts: Sequence[Owed]) -> Asked:
    """Return what is known of the people whom posts ask, and of the posts themselves."""
    rows = await fetch_of_game(session, game)
    asking = [each for each in posts if isinstance(each.post, AnyCall)]
    new = {user for each in asking for user in _list_asked(each.post)}
    next_up = {user for each in asking if isinstance(each.post, Turn) for user in each.post.others}
    users = sorted(new | next_up | {row.user for row in rows if row.user})
    known = {row.subject for row in rows}  # of a turn that begins, no message stands
    begins = {each.key for each in asking if isinstance(each.post, Turn) and each.post.told and each.key not in known}
    unposted, posted = await _read_posts(session, [each.key for each in asking if each.key not in begins])
    calls, reached = await people.fetch_wishes(session, users)
    turn = next((each.post for each in asking if isinstance(each.post, Turn)), None)
    lost = turn.lost if turn is not None else await _is_lost(session, game)
    return Asked(rows, calls, reached, unposted, posted, lost)


async def _is_lost(session: AsyncSession, game: int) -> bool:
    """Return whether the channel of a table is gone."""
    lost = (GameRow.id == game, GameRow.guild != "", GameRow.channel == "", GameRow.privacy != "private")
    return (await session.exec(select(GameRow.id).where(*lost))).first() is not None


def _list_asked(post: Post) -> tuple[str, ...]:
    return post.mention if isinstance(post, AnyCall) else ()


async def _read_posts(session: AsyncSession, keys: Sequence[str]) -> tuple[dict[str, AnyCall], set[str]]:
    """Return the posts that are not posted, by key, and the keys of those that are."""
    rows = (await session.exec(_POSTS, params={"keys": list(keys)})).all() if keys else ()
    found = {key: _decode_question(payload) for key, payload, message in rows if not message}
    return (
        {key: post for key, post in found.items() if post is not None},
        {key for key, _, message in rows if message},
    )


def _decode_question(payload: str) -> AnyCall | None:
    try:
        post: Post = _decode(payload)
    except msgspec.DecodeError:
        return None
    return post if isinstance(post, AnyCall) else None


async def read_questions(session: AsyncSession, game: int, by: int) -> tuple[dict[str, AnyCall], Asked]:
    """Return the posts that ask something at a table, by key, and what is known of those for whom it is time.

    ``by``: moment up to which an obligation is due.
    """
    rows = await fetch_of_game(session, game)
    keys = sorted({row.subject for row in rows if row.due is not None and row.due <= by})
    found = (await session.exec(_POSTS, params={"keys": keys})).all() if keys else []
    posts = {key: _decode_question(payload) for key, payload, _ in found}
    users = sorted({row.user for row in rows if row.user})
    calls, reached = await people.fetch_wishes(session, users)
    posted = {key for key, _, message in found if message}
    lost = await _is_lost(session, game)
    return {key: post for key, post in posts.items() if post is not None}, Asked(rows, calls, reached, {}, posted, lost)


async def store(session: AsyncSession, plan: Planned, now: int) -> None:
    """Store the obligations of a plan, and delete the pings that are answered; its posts are the caller's to owe."""
    await save(session, plan.rows)
    await _retire_pings(session, plan, now)
    if plan.over:
        await session.exec(delete(ObligationRow).where(col(ObligationRow.subject).in_(plan.over)))
    for subject, user in plan.gone:
        this = (col(ObligationRow.subject) == subject, col(ObligationRow.user) == user)
        await session.exec(delete(ObligationRow).where(*this))


def _overwrite(new: Insert) -> Insert:
    """Let obligations replace those in their places."""
    keys = ["game", "slot", "user"]
    values = {name: new.excluded[name] for name in Obligation.__struct_fields__ if name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=values)


_SAVE = PreparedInsert(_OBLIGATION, _overwrite)


async def save(session: AsyncSession, rows: Sequence[Obligation]) -> None:
    """Store obligations as they are now."""
    if rows:
        slots = [{"slot": row.kind if row.kind == "turn" else row.subject} for row in rows]
        columns = [make_columns(row, ObligationRow) for row in rows]
        await session.exec(
            _SAVE.get(session), params=[{**slot, **row} for slot, row in zip(slots, columns, strict=True)]
        )


async def set_clock_back(session: AsyncSession, now: int, ahead: int) -> None:
    """Let no ping wait for a clock that was ahead by so many seconds."""
    row, since, pinged = ObligationRow, col(ObligationRow.since), col(ObligationRow.pinged)
    far = col(row.snooze) > now + max(ahead, MAX_SNOOZE_SECONDS)
    await update_rows(session, row, far, snooze=row.snooze - ahead)
    await update_rows(session, row, pinged > now, pinged=now)
    await update_rows(session, row, since > now, first=row.first - (row.since - now), since=now)


async def note_maximum_bid(session: AsyncSession, game: int, user: str) -> None:
    """Note that a person who was pinged for a maximum bid has set one; the others can't see that."""
    theirs = (col(ObligationRow.game) == game, col(ObligationRow.user) == user)
    asked = (col(ObligationRow.kind) == "bidprompt", col(ObligationRow.pings) > 0)
    await update_rows(session, ObligationRow, *theirs, *asked, snooze=obligations.FOR_THE_TURN)


async def close(session: AsyncSession, game: int, now: int, user: str = "") -> None:
    """Close the obligations at a table, those of one person or all."""
    rows = [row for row in await fetch_of_game(session, game) if user in ("", row.user)]
    plan = Planned((), (), tuple(row.key for row in rows), (), obligations.list_answered(rows, ()))
    await store(session, plan, now)


async def close_bids(session: AsyncSession, game: int, now: int, lot: str, done: Collection[str] = ()) -> None:
    """Close what was asked about other lots than the one with this key, and of people who need not answer any more."""
    rows = [row for row in await fetch_of_game(session, game) if row.kind == "bidprompt"]
    rows = [row for row in rows if row.subject != lot or row.user in done]
    if rows:
        gone = tuple(row.key for row in rows)
        await store(session, Planned((), (), gone, (), obligations.list_answered(rows, ())), now)
