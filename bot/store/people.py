"""What is kept of people: what they wish for themselves, their addresses and notes; and how they are forgotten."""

import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, bindparam, delete, literal, null, or_, union_all, update
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Contact
from bot.model.records import Calls, Style
from bot.store import groups, leases
from bot.store.groups import FollowRow, MemberRow, SeasonRow
from bot.store.rows import make_columns, make_record, update_rows, upsert
from bot.store.tables import (
    AuditRow,
    BoardRow,
    CallsRow,
    ContactRow,
    DraftRow,
    GameRow,
    IncomingRow,
    InviteRow,
    LessonRow,
    LogRow,
    NoteRow,
    ObligationRow,
    OrderRow,
    OutboxRow,
    OwnNoteRow,
    ProofCodeRow,
    ProposalRow,
    ScoreRow,
    SeatRow,
    StyleRow,
    VoteRow,
)

FORMER = "a former player"
_PERSON_COLUMNS = ("user", "host", "proxy", "replaced_by", "proposer", "absent")
_SECRET_TABLES, _SECRET_COLUMNS = ("proof_code",), ("seed", "code", "token", "interaction")
_SENTENCES = msgspec.json.Decoder(list[str])
_TERMS = msgspec.json.Decoder(dict[str, Any])
_STYLE = select(StyleRow).where(StyleRow.user == bindparam("user"))
_CALLS = select(CallsRow).where(col(CallsRow.user).in_(bindparam("users", expanding=True)))
_CALLS_TABLE, _CONTACT_TABLE = (SQLModel.metadata.tables[name] for name in ("calls", "contact"))
_WISHED = [_CALLS_TABLE.c[name] for name in Calls.__struct_fields__]
_WISHES: Any = union_all(
    core_select(_CALLS_TABLE.c.user, *_WISHED, literal(0).label("is_by_mail")).where(
        _CALLS_TABLE.c.user.in_(bindparam("users", expanding=True))
    ),
    core_select(_CONTACT_TABLE.c.user, *(null().cast(each.type) for each in _WISHED), literal(1)).where(
        _CONTACT_TABLE.c.user.in_(bindparam("users", expanding=True)), _CONTACT_TABLE.c.state == "confirmed"
    ),
)
"""Questions that are asked all the time are made once."""


async def fetch_style(session: AsyncSession, user: str) -> Style:
    """Return how a person wants to see things; the standard if they never said."""
    row = (await session.exec(_STYLE, params={"user": user})).first()
    return Style() if row is None else make_record(Style, row.model_dump())


async def list_hidden(session: AsyncSession, users: Collection[str]) -> set[str]:
    """Return those of some people whose results are for their own eyes."""
    query = select(StyleRow.user).where(col(StyleRow.user).in_(users), col(StyleRow.hidden).is_(True))
    return set(await session.exec(query))


async def set_style(session: AsyncSession, user: str, style: Style) -> None:
    """Note how a person wants to see things."""
    await upsert(session, StyleRow(user=user, **make_columns(style, StyleRow)))


async def fetch_calls(session: AsyncSession, users: Sequence[str]) -> dict[str, Calls]:
    """Return when people may be called; at any time if they never said."""
    rows = await session.exec(_CALLS, params={"users": list(users)}) if users else ()
    known = {row.user: make_record(Calls, row.model_dump()) for row in rows}
    return {user: known.get(user, Calls()) for user in users}


async def fetch_wishes(session: AsyncSession, users: Sequence[str]) -> tuple[dict[str, Calls], list[str]]:
    """Return when people may be called, and who of them has a confirmed address."""
    rows = (await session.exec(_WISHES, params={"users": list(users)})).all() if users else ()
    known = {row.user: Calls(*row[1:-1]) for row in rows if not row.is_by_mail}
    return {user: known.get(user, Calls()) for user in users}, [row.user for row in rows if row.is_by_mail]


async def set_calls(session: AsyncSession, user: str, calls: Calls) -> None:
    """Note when a person may be called."""
    known = (await session.exec(_CALLS, params={"users": [user]})).first()
    digested = known.digested if known else ""
    await upsert(session, CallsRow(user=user, digested=digested, **make_columns(calls, CallsRow)))


async def list_digests(session: AsyncSession) -> list[tuple[str, Calls, str]]:
    """Return those who wish a daily digest, their wishes, and the day of the last one."""
    rows = await session.exec(select(CallsRow).where(CallsRow.digest >= 0))
    return [(row.user, make_record(Calls, row.model_dump()), row.digested) for row in rows]


async def record_digest(session: AsyncSession, user: str, day: str) -> None:
    """Note the day of a person's digest."""
    await session.exec(update(CallsRow).where(col(CallsRow.user) == user).values(digested=day))


async def fetch_contact(session: AsyncSession, number: int) -> Contact | None:
    """Return an address by its number."""
    row = await session.get(ContactRow, number)
    return None if row is None else make_record(Contact, row.model_dump())


async def find_contact(session: AsyncSession, address: str) -> Contact | None:
    """Return an address by its letters, folded."""
    row = (await session.exec(select(ContactRow).where(ContactRow.address == address))).first()
    return None if row is None else make_record(Contact, row.model_dump())


async def list_contacts(session: AsyncSession, user: str) -> list[Contact]:
    """Return the addresses of a person, the newest first."""
    rows = await session.exec(select(ContactRow).where(ContactRow.user == user).order_by(col(ContactRow.id).desc()))
    return [make_record(Contact, row.model_dump()) for row in rows]


async def add_contact(session: AsyncSession, contact: Contact) -> Contact:
    """Keep a new address; with an empty user its person is new too, and named after it."""
    row = ContactRow(**make_columns(contact, ContactRow))
    session.add(row)
    await session.flush()
    if not row.user:
        row.user = f"p{row.id}"
        session.add(row)
        await session.flush()
    return make_record(Contact, row.model_dump())


async def change_contact(session: AsyncSession, contact: Contact) -> None:
    """Keep an address as it is now."""
    row = await session.get(ContactRow, contact.id)
    if row is not None:
        row.sqlmodel_update(make_columns(contact, ContactRow))
        session.add(row)
        await session.flush()


async def count_contacts_asked(session: AsyncSession, moment: int) -> int:
    """Return how many addresses were asked since a moment."""
    found: int = (
        await session.exec(select(func.count()).select_from(ContactRow).where(col(ContactRow.asked) > moment))
    ).one()
    return found


async def read_own_note(session: AsyncSession, game: int, user: str) -> str:
    """Return the note that a person keeps at a table; empty if there is none."""
    row = await session.get(OwnNoteRow, (game, user))
    return "" if row is None else row.words


async def set_own_note(session: AsyncSession, game: int, user: str, words: str) -> None:
    """Keep a note; an empty one takes it away."""
    if words:
        await upsert(session, OwnNoteRow(game=game, user=user, words=words))
    else:
        await session.exec(delete(OwnNoteRow).where(col(OwnNoteRow.game) == game, col(OwnNoteRow.user) == user))


SHEET = "sheet"
"""Stands for a lesson where a person has got the cheat sheet of a title."""
NEW_HERE = "new_here"
"""Stands for a lesson where a person wants to know why, in their first game of a title."""


async def note_newcomer(session: AsyncSession, user: str, title: str, game: int) -> bool:
    """Return whether a person has played no title of this kind but at this table, and wasn't found to before."""
    if await session.get(LessonRow, (user, title, SHEET)) is not None:
        return False
    played = (
        select(func.count())
        .select_from(SeatRow)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(SeatRow.user == user, GameRow.title == title, col(GameRow.started).is_not(None), GameRow.id != game)
    )
    if (await session.exec(played)).one():
        return False
    await upsert(session, LessonRow(user=user, title=title, lesson=SHEET, done=True, at=0))
    return True


async def set_new_here(session: AsyncSession, user: str, title: str, now: int, *, on: bool) -> None:
    """Note whether a person wants to know why, in their first game of a title."""
    await session.exec(
        delete(LessonRow).where(
            col(LessonRow.user) == user, col(LessonRow.title) == title, col(LessonRow.lesson) == NEW_HERE
        )
    )
    if on:
        session.add(LessonRow(user=user, title=title, lesson=NEW_HERE, at=now))


async def is_new_here(session: AsyncSession, user: str, title: str) -> bool:
    """Return whether a person wants to know why, and no game of a title has ended for them since."""
    row = await session.get(LessonRow, (user, title, NEW_HERE))
    if row is None:
        return False
    ended = (
        select(func.count())
        .select_from(SeatRow)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(SeatRow.user == user, GameRow.title == title, col(GameRow.ended) > row.at)
    )
    return not (await session.exec(ended)).one()


async def merge_wishes(session: AsyncSession, before: str, after: str) -> None:
    """Let a person have the lessons, seasons, followed tables and wishes for letters of another, who is the same."""
    await leases.merge_mail_notes(session, before, after)
    for row in (await session.exec(select(LessonRow).where(LessonRow.user == before))).all():
        known = await session.get(LessonRow, (after, row.title, row.lesson))
        if known is None:
            kept = row.model_dump() | {"user": after}
            session.add(LessonRow(**kept))
        else:
            latest = max(known, row, key=lambda each: each.at)
            known.moves, known.at = latest.moves, latest.at
            known.done, known.tries = known.done or row.done, known.tries + row.tries
            session.add(known)
        await session.delete(row)
    await groups.rename(session, before, after)
    await session.flush()


async def list_lessons(session: AsyncSession, user: str) -> list[LessonRow]:
    """Return the lessons that a person has begun, the latest first."""
    mine = select(LessonRow).where(LessonRow.user == user, col(LessonRow.lesson).not_in((SHEET, NEW_HERE)))
    rows = mine.order_by(col(LessonRow.at).desc(), LessonRow.lesson)
    return list(await session.exec(rows))


async def list_games(session: AsyncSession, user: str) -> list[int]:
    """Return the tables at which a person sits or sat, has acted for a person, or is spoken of in a question."""
    sat = await session.exec(select(SeatRow.game).where((col(SeatRow.user) == user) | (col(SeatRow.proxy) == user)))
    acted = await session.exec(select(LogRow.game).where(LogRow.user == user).distinct())
    spoken_of = await session.exec(select(ProposalRow.game).where(_names_user(user)).distinct())
    return sorted({*sat, *acted, *spoken_of})


def _names_user(user: str) -> ColumnElement[bool]:
    """Return the condition that a proposal has a person's id: who asks, who is asked, whom it is about."""
    lists = (ProposalRow.needed, ProposalRow.voters, ProposalRow.terms)
    named = [col(each).contains(_json(user), autoescape=True) for each in lists]
    return or_(col(ProposalRow.proposer) == user, col(ProposalRow.absent) == user, *named)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def list_invitations(session: AsyncSession, user: str) -> list[int]:
    """Return the tables to which a person is invited."""
    return list(await session.exec(select(InviteRow.game).where(InviteRow.user == user)))


async def forget_in_game(session: AsyncSession, game: int, user: str) -> None:
    """Take a person's name and id from a table: its seats, its log in words, what it owes and asks."""
    seats = (await session.exec(select(SeatRow).where(SeatRow.game == game))).all()
    names = {row.name for row in seats if row.user == user} | {row.proxy_name for row in seats if row.proxy == user}
    for row in seats:
        if row.user == user or (not row.user and row.name in names):
            row.user, row.name = "", FORMER
        if row.proxy == user:
            row.proxy, row.proxy_name = "", ""
        row.replaced_by = "" if row.replaced_by == user else row.replaced_by
        session.add(row)
    await session.flush()
    names -= {"", *(row.name for row in seats if row.user and row.user != user)}
    await _erase_in_log(session, game, names)
    await _erase_in_proposals(session, game, user, names)
    await update_rows(session, LogRow, col(LogRow.game) == game, col(LogRow.user) == user, user="")
    asked = select(ProposalRow.id).where(ProposalRow.game == game)
    mine = (col(OrderRow.game) == game, col(OrderRow.user) == user)
    await session.exec(delete(OrderRow).where(*mine))
    await session.exec(delete(ObligationRow).where(col(ObligationRow.game) == game, col(ObligationRow.user) == user))
    await session.exec(delete(VoteRow).where(col(VoteRow.proposal).in_(asked), col(VoteRow.user) == user))
    await session.exec(delete(OutboxRow).where(col(OutboxRow.game) == game, col(OutboxRow.kind) == "whisper"))
    await session.exec(delete(OutboxRow).where(col(OutboxRow.key).startswith(f"{game}:said:")))


async def rename_in_game(session: AsyncSession, game: int, before: str, after: str) -> None:
    """Let all that a person has at a table be another's, who is the same: seats, log, votes, place as a host."""
    invited = await session.get(InviteRow, (game, before))
    if invited is not None and await session.get(InviteRow, (game, after)) is None:
        session.add(InviteRow(game=game, user=after, at=invited.at))
        await session.flush()
    await session.exec(delete(InviteRow).where(col(InviteRow.game) == game, col(InviteRow.user) == before))
    changes = (
        (SeatRow, "user"), (SeatRow, "proxy"), (SeatRow, "replaced_by"), (LogRow, "user"), (OrderRow, "user"),
        (ScoreRow, "user"),
    )  # fmt: skip
    for table, column in changes:
        theirs = (col(table.game) == game, getattr(table, column) == before)
        await update_rows(session, table, *theirs, **{column: after})
    await update_rows(session, GameRow, col(GameRow.id) == game, col(GameRow.host) == before, host=after)
    await _rename_asked(session, game, before, after)


async def _rename_asked(session: AsyncSession, game: int, before: str, after: str) -> None:
    """Let what a person is asked at a table be asked of another; what both were asked is asked once."""
    theirs = (col(ObligationRow.game) == game, col(ObligationRow.user) == before)
    both = select(ObligationRow.slot).where(ObligationRow.game == game, ObligationRow.user == after)
    slots = list(await session.exec(both))
    await session.exec(delete(ObligationRow).where(*theirs, col(ObligationRow.slot).in_(slots)))
    await update_rows(session, ObligationRow, *theirs, user=after)
    for row in (await session.exec(select(ProposalRow).where(ProposalRow.game == game, _names_user(before)))).all():
        terms = _TERMS.decode(row.terms)
        row.terms = _json(terms | {"user": after}) if terms.get("user") == before else row.terms
        row.needed, row.voters = (each.replace(_json(before), _json(after)) for each in (row.needed, row.voters))
        row.proposer, row.absent = (after if each == before else each for each in (row.proposer, row.absent))
        session.add(row)
    await session.flush()
    asked = select(ProposalRow.id).where(ProposalRow.game == game)
    voted = select(VoteRow.proposal).where(col(VoteRow.proposal).in_(asked), VoteRow.user == after)
    mine = (col(VoteRow.proposal).in_(asked), col(VoteRow.user) == before)
    await session.exec(delete(VoteRow).where(*mine, col(VoteRow.proposal).in_(list(await session.exec(voted)))))
    await update_rows(session, VoteRow, *mine, user=after)


async def _erase_in_proposals(session: AsyncSession, game: int, user: str, names: set[str]) -> None:
    """Take a person's id and names out of what was asked at a table, which is settled by now."""
    for row in (await session.exec(select(ProposalRow).where(ProposalRow.game == game))).all():
        terms = _TERMS.decode(row.terms)
        if terms.get("user") == user:  # they may never have sat here
            terms |= {"user": "", "name": FORMER}
        row.terms = _json(
            {key: value if key == "ask" else _replace_names(value, names) for key, value in terms.items()}
        )
        row.needed, row.voters = (each.replace(_json(user), _json("")) for each in (row.needed, row.voters))
        row.proposer, row.absent = ("" if each == user else each for each in (row.proposer, row.absent))
        session.add(row)
    await session.flush()


async def _erase_in_log(session: AsyncSession, game: int, names: set[str]) -> None:
    """Write what was told of a game without a person's names."""
    for row in (await session.exec(select(LogRow).where(LogRow.game == game))).all():
        row.told = _json(_replace_names(_SENTENCES.decode(row.told), names))
        session.add(row)
    await session.flush()


def _replace_names(said: object, names: set[str]) -> object:
    """Return a sentence, or several, without names."""
    if isinstance(said, list):
        return [_replace_names(each, names) for each in said]
    if not isinstance(said, str) or not names:
        return said
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)", FORMER, said)


async def collect_rows(session: AsyncSession, user: str) -> dict[str, list[dict[str, object]]]:
    """Return all rows about a person, by table: without what would tell them, or whoever gets the file, a secret."""
    mine = select(ContactRow.id).where(ContactRow.user == user)
    found: dict[str, list[dict[str, object]]] = {}
    for table in SQLModel.metadata.sorted_tables:
        named = [table.c[name] == user for name in _PERSON_COLUMNS if name in table.c]
        if "contact" in table.c:
            named.append(table.c.contact.in_(mine))
        if not named or table.name in _SECRET_TABLES:
            continue
        shown: Any = core_select(*(column for column in table.c if column.name not in _SECRET_COLUMNS))
        rows = (await session.exec(shown.where(or_(*named)))).mappings().all()
        if rows:
            found[table.name] = [dict(row) for row in rows]
    return found


async def forget_person(session: AsyncSession, user: str) -> None:
    """Drop what a person wished for themselves, their invitations and notes, and their name as a host."""
    for table in (
        *(CallsRow, StyleRow, InviteRow, OwnNoteRow, DraftRow, BoardRow, ObligationRow, LessonRow),
        *(FollowRow, MemberRow),
    ):
        await session.exec(delete(table).where(col(table.user) == user))
    await update_rows(session, ScoreRow, col(ScoreRow.user) == user, user="", name=FORMER)
    await update_rows(session, AuditRow, col(AuditRow.user) == user, user="", name=FORMER)
    await session.exec(delete(OutboxRow).where(col(OutboxRow.user) == user))  # letters: posts have no user
    await session.exec(delete(NoteRow).where(col(NoteRow.name).in_(leases.list_mail_notes(user))))
    theirs = select(ContactRow.id).where(ContactRow.user == user)
    await session.exec(delete(IncomingRow).where(col(IncomingRow.contact).in_(theirs)))
    await session.exec(delete(ProofCodeRow).where(col(ProofCodeRow.contact).in_(theirs)))
    await session.exec(delete(ContactRow).where(col(ContactRow.user) == user))
    await update_rows(session, GameRow, col(GameRow.host) == user, host="")
    await update_rows(session, SeasonRow, col(SeasonRow.host) == user, host="")
