"""Rows of people: only this person's, at this table, are renamed or forgotten; what two people share is kept once."""

import itertools
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import boards, census, groups, incoming, log, obligations, outbox, people, posted, servers
from bot.store.census import OwedCount
from bot.store.database import Database
from bot.store.groups import FollowRow, MemberRow, SeasonRow
from bot.store.incoming import LedgerLine, Received
from bot.store.outbox import LETTERS
from bot.store.tables import (
    BoardRow,
    ContactRow,
    GameRow,
    InviteRow,
    LogRow,
    ObligationRow,
    OrderRow,
    OutboxRow,
    ProposalRow,
    ScoreRow,
    SeatRow,
    VoteRow,
)

TABLES, PEOPLE = (1, 2), ("ann", "bob")
OF_TABLES: tuple[Any, ...] = (InviteRow, OrderRow, ObligationRow, ScoreRow, SeatRow, LogRow, FollowRow)
Owners = dict[str, list[tuple[int, str]]]


@pytest.fixture
async def database(fresh_store: Path, tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(Path(shutil.copy(fresh_store, tmp_path / "store.sqlite")))
    yield database
    await database.close()


@pytest.fixture
async def session(database: Database) -> AsyncIterator[AsyncSession]:
    """Two tables and two seasons in which Ann and Bob have a row of each kind."""
    async with database.writing() as session:
        for number in TABLES:
            session.add(make_table(number))
            session.add(ProposalRow(id=number, game=number, proposer="ann", subject="", version=0, needed="[]",
                                    terms='{"user":"ann"}', absent="bob", state="open",
                                    created=0, expires=9))  # fmt: skip
            session.add(SeasonRow(id=number, guild="g", host=PEOPLE[number - 1], name="", title="toy", options="{}",
                                  seats=3, pace="daily"))  # fmt: skip
        await session.flush()
        for number, (place, user) in itertools.product(TABLES, enumerate(PEOPLE)):
            session.add_all(make_rows(number, place, user))
        await session.flush()
        yield session


def make_table(number: int) -> GameRow:
    return GameRow(id=number, name="", title="toy", options="{}", seed=1, rules=1, places=3, host="ann",
                   state="running", pace="daily", privacy="open", seating="random", created=0, expires=9)  # fmt: skip


def make_rows(number: int, place: int, user: str) -> list[SQLModel]:
    post: dict[str, Any] = {
        "batch": "posts",
        "payload": "{}",
        "state": "owed",
        "due": 0,
        "created": 0,
    }
    return [
        InviteRow(game=number, user=user, at=5), OrderRow(game=number, user=user, state="on", payload="{}"),
        ask(number, user, "turn"), ScoreRow(game=number, seat=place, user=user, name=user, total=1, place=1),
        SeatRow(game=number, number=place, user=user, name=user, joined=0, replaced_by="ann",
                proxy=user, proxy_name=f"{user}ie"),
        LogRow(game=number, seq=place, seat=place, user=user, payload="{}", told='["ann bids, bob and bobie not"]',
               at=10 * number + place),
        VoteRow(proposal=number, user=user, yes=True, at=0), FollowRow(game=number, user=user, since=place),
        MemberRow(season=number, user=user, guild="g", name=user),
        OutboxRow(**post, key=f"{number}:{user}", game=number, kind="whisper" if user == "ann" else "turn"),
    ]  # fmt: skip


def ask(number: int, user: str, slot: str) -> ObligationRow:
    return ObligationRow(game=number, slot=slot, user=user, subject=slot, kind="turn", since=0, first=0, wait=0,
                         pings=0, pinged=0, snooze=0, refused=False, stands=False, open=True)  # fmt: skip


async def list_owners(session: AsyncSession) -> Owners:
    """Return table and person of each row, by what it is."""
    session.expire_all()
    found = {}
    for row in OF_TABLES:
        found[row.__name__] = sorted((each.game, each.user) for each in (await session.exec(select(row))).all())
    votes, members = (await session.exec(select(VoteRow))).all(), (await session.exec(select(MemberRow))).all()
    found["VoteRow"] = sorted((each.proposal, each.user) for each in votes)
    found["MemberRow"] = sorted((each.season, each.user) for each in members)
    return found


async def test_a_person_is_renamed_at_one_table_and_no_one_else_is(session: AsyncSession) -> None:
    before = await list_owners(session)
    await people.rename_in_game(session, 1, "ann", "ann2")
    after = await list_owners(session)
    renamed = [(1, "ann2"), (1, "bob"), (2, "ann"), (2, "bob")]
    kept = ("FollowRow", "MemberRow")  # these are no table's
    assert after == {name: owners if name in kept else renamed for name, owners in before.items()}
    hosts = {row.id: row.host for row in (await session.exec(select(GameRow))).all()}
    asked = {row.id: (row.proposer, row.absent, row.terms) for row in (await session.exec(select(ProposalRow))).all()}
    assert hosts == {1: "ann2", 2: "ann"}
    assert asked == {1: ("ann2", "bob", '{"user":"ann2"}'), 2: ("ann", "bob", '{"user":"ann"}')}


async def test_what_both_names_of_a_person_had_at_a_table_is_kept_once(session: AsyncSession) -> None:
    """An invitation, a question and a vote; what only one of them had becomes the other's."""
    session.add_all([ask(1, "ann", "ballot"), InviteRow(game=1, user="ann2", at=1)])
    session.add_all([ask(1, "ann2", "turn"), VoteRow(proposal=1, user="ann2", yes=False, at=1)])
    await session.flush()
    await people.rename_in_game(session, 1, "ann", "ann2")
    owners = await list_owners(session)
    assert owners["InviteRow"] == owners["VoteRow"] == [(1, "ann2"), (1, "bob"), (2, "ann"), (2, "bob")]
    assert owners["ObligationRow"] == [(1, "ann2"), (1, "ann2"), (1, "bob"), (2, "ann"), (2, "bob")]
    vote = await session.get(VoteRow, (1, "ann2"))
    assert vote is not None
    assert not vote.yes, "the word of the name that stays"
    invited = await session.get(InviteRow, (1, "ann2"))
    assert invited is not None
    assert invited.at == 1


async def test_a_person_is_forgotten_at_one_table_and_no_one_else_is(session: AsyncSession) -> None:
    """Seats and log stay without a name; orders, questions, votes and what was told in private are gone."""
    await people.forget_in_game(session, 1, "ann")
    owners = await list_owners(session)
    for name in ("OrderRow", "ObligationRow", "VoteRow"):
        assert owners[name] == [(1, "bob"), (2, "ann"), (2, "bob")], name
    for name in ("SeatRow", "LogRow"):
        assert owners[name] == [(1, ""), (1, "bob"), (2, "ann"), (2, "bob")], name
    seats = (
        await session.exec(
            select(SeatRow.name, SeatRow.replaced_by, SeatRow.proxy).order_by(col(SeatRow.game), col(SeatRow.number))
        )
    ).all()
    assert seats == [
        (people.FORMER, "", ""), ("bob", "", "bob"), ("ann", "ann", "ann"), ("bob", "ann", "bob")
    ]  # fmt: skip
    told = (await session.exec(select(LogRow.told).distinct().where(LogRow.game == 1))).all()
    assert told == ['["a former player bids, bob and bobie not"]']
    posts = (await session.exec(select(OutboxRow.key).order_by(OutboxRow.key))).all()
    assert posts == ["1:bob", "2:ann", "2:bob"]


async def test_a_name_that_another_player_has_too_stays_in_the_log(session: AsyncSession) -> None:
    seat = (await session.exec(select(SeatRow).where(SeatRow.game == 1, SeatRow.user == "ann"))).one()
    seat.name = "bob"
    await session.flush()
    await people.forget_in_game(session, 1, "ann")
    told = (await session.exec(select(LogRow.told).distinct())).all()
    assert told == ['["ann bids, bob and bobie not"]']


async def test_a_person_follows_and_plays_on_under_another_name(session: AsyncSession) -> None:
    """A table that both followed and a season in which both play are there once."""
    session.add_all([FollowRow(game=1, user="ann2", since=7), MemberRow(season=2, user="ann2", guild="g", name="")])
    await session.flush()
    await groups.rename(session, "ann", "ann2")
    owners = await list_owners(session)
    everyone = [(1, "ann2"), (1, "bob"), (2, "ann2"), (2, "bob")]
    assert owners["FollowRow"] == owners["MemberRow"] == everyone
    assert await groups.fetch_followers(session, 1) == {"ann2": 7, "bob": 1}
    seasons = (await session.exec(select(SeasonRow.host).order_by(col(SeasonRow.id)))).all()
    assert seasons == ["ann2", "bob"]


async def test_followers_are_told_on_and_never_back_and_of_tables_that_are_not_over(session: AsyncSession) -> None:
    await groups.note_told(session, 1, 1)
    assert await groups.fetch_followers(session, 1) == {"ann": 1, "bob": 1}
    await groups.note_told(session, 1, 0)
    assert await groups.fetch_followers(session, 1) == {"ann": 1, "bob": 1}
    assert await groups.fetch_followers(session, 2) == {"ann": 0, "bob": 1}
    session.add(OrderRow(game=2, user="ann", state="on", payload="{}"))
    over = await session.get(GameRow, 2)
    assert over is not None
    over.state = "finished"
    await session.flush()
    assert await groups.list_followed(session, "ann") == [1]


async def test_the_entries_and_the_last_moment_of_a_table_are_its_own(session: AsyncSession) -> None:
    assert await boards.count_entries(session, [1]) == {1: 2}
    assert await boards.count_entries(session, [1, 2, 3]) == {1: 2, 2: 2}
    assert [await log.fetch_last_moment(session, number) for number in (1, 2, 3)] == [11, 21, 0]


async def test_who_has_acted_since_a_moment_is_told_of_one_table(session: AsyncSession) -> None:
    """The moment itself is before it."""
    assert [await log.list_users_after(session, 1, after) for after in (9, 10, 11)] == [{"ann", "bob"}, {"bob"}, set()]


async def test_others_waited_for_a_person_since_the_entry_before_theirs(session: AsyncSession) -> None:
    """Not from two entries before, nor where they went on themselves; the latest of this server come first."""
    for place, (user, at) in enumerate((("bob", 15), ("ann", 40), ("ann", 90), ("bob", 95), ("ann", 99)), 2):
        session.add(LogRow(game=1, seq=place, seat=0, user=user, payload="{}", told="[]", at=at))
    await session.flush()
    assert await servers.list_waits(session, "ann", "", 9) == [4, 25]
    assert await servers.list_waits(session, "ann", "", 1) == [4]
    assert await servers.list_waits(session, "ann", "elsewhere", 9) == []


async def test_the_tables_of_a_person_are_those_where_any_row_names_them(session: AsyncSession) -> None:
    """One who only asked, was asked about, must answer, votes, or is spoken of is found like one who sat or acted."""
    for number, words in enumerate(("proposer", "absent", "needed", "voters", "terms"), 3):
        session.add(make_table(number))
        asked: dict[str, Any] = {"proposer": "bob", "absent": "", "needed": "[]", "voters": "[]", "terms": "{}"}
        asked[words] = {"needed": '["cid"]', "voters": '["cid"]', "terms": '{"user":"cid"}'}.get(words, "cid")
        session.add(ProposalRow(**asked, game=number, subject="", version=0, state="open", created=0, expires=9))
    session.add_all([make_table(8), SeatRow(game=8, number=0, user="bob", name="", joined=0, proxy="cid")])
    session.add_all([make_table(9), LogRow(game=9, seq=0, seat=0, user="cid", payload="{}", told="[]", at=0)])
    await session.flush()
    assert await people.list_games(session, "cid") == [3, 4, 5, 6, 7, 8, 9]
    assert await people.list_games(session, "ci") == []


async def test_what_is_owed_is_counted_as_due_later_and_failing_for_posts_and_for_letters(
    session: AsyncSession,
) -> None:
    """What is due now is due; what was sent or is never sent counts for nothing."""
    post: dict[str, Any] = {"payload": "{}", "created": 0, "game": 1}
    for number, (batch, state, due, attempts) in enumerate(
        (
            ("posts", "owed", 60, 1), ("posts", "owed", 100, 2), ("posts", "owed", 101, 1), ("posts", "sent", 9, 0),
            (LETTERS, "owed", 70, 0), (LETTERS, "owed", 300, 0), (LETTERS, "dropped", 5, 3),
            (outbox.NEVER_SENT, "owed", 5, 3),
        )
    ):  # fmt: skip
        session.add(OutboxRow(**post, key=f"n{number}", kind="notice", batch=batch, state=state, due=due,
                              attempts=attempts))  # fmt: skip
    await session.flush()
    counted = await census.count_all(session, 100)
    assert counted.posts == OwedCount(2 + 4, 1, 3, 100), "those of the two tables are due since 0"
    assert counted.letters == OwedCount(1, 1, 0, 30)
    assert (counted.tables, counted.servers, counted.people) == ({("toy", "running"): 2}, 0, 2)
    assert (await census.count_all(session, -1)).letters == OwedCount(0, 2, 0, 0)


async def test_the_pictures_of_a_message_are_those_that_follow_it(session: AsyncSession) -> None:
    row: dict[str, Any] = {"batch": "posts", "state": "sent", "due": 0, "created": 0}
    for game, key, kind, follows in ((1, "a", "pictures", "1:t"), (1, "b", "pictures", "1:u"), (1, "c", "turn", "1:t"),
                                     (2, "d", "pictures", "1:t"), (2, "e", "pictures", "2:t")):  # fmt: skip
        session.add(OutboxRow(**row, key=key, game=game, kind=kind, payload=f'{{"follows":"{follows}"}}'))
    await session.flush()
    assert await posted.list_pictures(session, 1, "1:t") == ["a"]


async def test_a_season_that_is_held_stays_as_it_is(session: AsyncSession) -> None:
    await groups.hold_season(session, 2)
    assert {row.id for row in (await session.exec(select(SeasonRow))).all()} == {1, 2}


async def test_when_a_lot_is_sold_only_those_who_were_asked_about_it_are_no_longer_asked(session: AsyncSession) -> None:
    """Nor those who need not answer about the next one."""
    for user, lot in (("ann", "1:lot:a"), ("ann", "1:lot:b"), ("bob", "1:lot:b")):
        session.add(ObligationRow(game=1, slot=lot, user=user, subject=lot, kind="bidprompt", since=0, first=0, wait=0,
                                  pings=0, pinged=0, snooze=0, refused=False, stands=False, open=True))  # fmt: skip
    await session.flush()
    await obligations.close_bids(session, 1, 5, "1:lot:b", ["bob"])
    left = [(row.user, row.subject) for row in await obligations.fetch_of_game(session, 1) if row.kind == "bidprompt"]
    assert left == [("ann", "1:lot:b")]


async def test_the_address_of_a_page_ends_for_one_player_and_when_its_time_is_over(session: AsyncSession) -> None:
    """That for all has no end; one that ends now is good."""
    for number, user, until in ((1, "", 0), (1, "ann", 1), (1, "bob", 9), (2, "ann", 6), (2, "", boards.PAGE_OFF)):
        session.add(BoardRow(game=number, user=user, token=f"{number}{user}", until=until))
    await session.flush()
    await boards.drop(session, 1, "bob")
    await boards.drop_outdated(session, 6)
    left = (await session.exec(select(BoardRow.token).order_by(BoardRow.token))).all()
    assert left == ["1", "2", "2ann"]
    assert await boards.renew(session, 1, "new", boards.PAGE_OFF)
    assert not await boards.renew(session, 2, "newer", boards.PAGE_OFF), "the host has turned it off"
    found = await boards.find(session, "other", "new")
    assert found == boards.BoardAddress(1, "", "new")


async def test_what_came_in_keeps_its_moment_when_its_fate_is_noted_again(session: AsyncSession) -> None:
    await incoming.note(session, Received("a", "waits", contact=1, game=1), 100)
    await incoming.note(session, Received("a", "played", "bid 3", contact=1, game=1), 160)
    assert await incoming.find(session, "a") == Received("a", "played", "bid 3", "", 1, 1, at=100, until=160)
    assert await incoming.find(session, "b") is None
    await incoming.note(session, Received("b", "noted", "x" * 400, contact=1, at=90), 170)
    long = await incoming.find(session, "b")
    assert long is not None
    assert (long.at, len(long.words)) == (90, 300)
    assert [each.name for each in await incoming.list_of_contact(session, 1, 159)] == ["a", "b"]
    assert [each.name for each in await incoming.list_of_contact(session, 1, 160)] == ["b"]
    await incoming.prune(session, 100)
    assert [await incoming.find(session, name) is None for name in "ab"] == [False, True]


async def test_the_ledger_has_the_newest_of_what_came_and_went_with_its_address_table_and_reason(
    session: AsyncSession,
) -> None:
    """No post of a channel, and nothing of before; a letter that failed says why, any other its key."""
    session.add(ContactRow(id=1, address="ann@games.example", user="ann", name="Ann", state="confirmed"))
    for name, at in (("old", 9), ("came", 15), ("late", 40)):
        await incoming.note(session, Received(name, "played", name, contact=1 if name == "came" else 0, game=1), at)
    letter: dict[str, Any] = {"batch": LETTERS, "kind": "letter", "payload": "{}", "due": 0}
    session.add(OutboxRow(**letter, key="k1", game=2, state="sent", sent=21, created=10, message="bob@games.example"))
    session.add(OutboxRow(**letter, key="k2", state="owed", attempts=2, error="451 busy", created=30))
    session.add(OutboxRow(**letter, key="k3", state="owed", created=8))
    await session.flush()
    newest = [
        LedgerLine(40, "in", "played", "", 1, "late"),
        LedgerLine(30, "out", "retried", "", 0, "451 busy"),
        LedgerLine(15, "in", "played", "ann@games.example", 1, "came"),
        LedgerLine(10, "out", "delivered", "bob@games.example", 2, "k1"),
    ]
    assert await incoming.list_ledger(session, 10, 9) == newest
    assert await incoming.list_ledger(session, 10, 2) == newest[:2]
