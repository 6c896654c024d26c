"""Whom a post pings, and whom a table pings later: at the table, in private and by letter.

A post asks people (``ask``); later those are pinged for whom it is time (``ring``). Both plan what to store and to owe.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from bot.model.clock import HOUR
from bot.model.letters import About, Letter, build_letter_key, build_withdrawn_letter
from bot.model.obligations import (
    BID_SECONDS,
    DIGEST_SECONDS,
    FOR_THE_TURN,
    TABLE,
    Key,
    Obligation,
    find_due,
    list_answered,
)
from bot.model.posts import (
    AnyCall,
    Ballot,
    BidPrompt,
    End,
    OnDeck,
    Owed,
    Ping,
    Post,
    Ring,
    StopNote,
    TimeUp,
    Turn,
    build_deck_key,
    build_ping_key,
    build_ring_key,
    name_kind,
)
from bot.model.quiet import find_awake
from bot.model.records import Calls
from engine import Record


class Asked(Record, frozen=True):
    """What is known where obligations are planned.

    Args:
        rows: the obligations of the table. calls: wishes of their people, and of those who are asked now.
        by_mail: users with a confirmed address. unposted: posts that were owed before and aren't posted, by key.
        posted: keys of the posts that stand in a message.
        lost: the channel of the table is gone, so its people are pinged in private.
    """

    rows: Sequence[Obligation]
    calls: Mapping[str, Calls]
    by_mail: Collection[str] = ()
    unposted: Mapping[str, AnyCall] = {}
    posted: Collection[str] = ()
    lost: bool = False

    def is_pinged_at_table(self, user: str) -> bool:
        """Return whether a person is pinged at the table."""
        return not self.lost and self.calls[user].place in ("table", "both")

    def is_pinged_in_private(self, user: str) -> bool:
        """Return whether a person is pinged by private message; users of Discord have numbers."""
        place = self.calls[user].place
        return user.isdecimal() and (place in ("dm", "both") or (self.lost and place == "table"))

    def list_withdrawn(self, turn: Turn) -> list[tuple[str, Obligation]]:
        """Return those on mail who were called to decide and needn't any more, though they did not act."""
        called = [row for row in self.rows if row.kind == "turn" and row.open and row.pings]
        still = (*turn.told, *turn.mention)
        return [(row.user, row) for row in called if row.user in self.by_mail and row.user not in still]


class Planned(Record, frozen=True):
    """What is to be stored.

    Args:
        rows: obligations that are new or changed. over: subjects that are. gone: other obligations that are over.
        owed: posts.
        answered: by subject, the users whose pings at the table are deleted: they needn't answer, or are pinged again.
    """

    rows: tuple[Obligation, ...]
    over: tuple[str, ...]
    gone: tuple[Key, ...]
    owed: tuple[Owed, ...]
    answered: Mapping[str, set[str]]


def ask(posts: Sequence[Owed], asked: Asked, now: int) -> Planned:
    """Open what posts ask for and close what they end; those whose message is new ping in it.

    A post that was not posted yet still pings whom it would have pinged before it was replaced.
    """
    rows = {row.key: row for row in asked.rows}
    gone, owed, called = set[Key](), list[Owed](), set[str]()
    notes = _find_notes([each.post for each in posts])
    for each in posts:
        gone |= {row.key for row in rows.values() if _ends(each, row)}
        if not isinstance(each.post, AnyCall):
            owed.append(each)
            continue
        if isinstance(each.post, Turn):  # the obligations of the turn before are overwritten
            for row in [row for row in rows.values() if row.kind == "turn" and row.subject != each.key]:
                rows[row.key] = msgspec.structs.replace(row, open=False, stands=False)
            owed += [
                build_withdrawn_letter(row.game, u, row.subject, now) for u, row in asked.list_withdrawn(each.post)
            ]
        for row in _open_rows(each, [row for row in rows.values() if row.key not in gone], asked, now):
            rows[row.key] = row
            gone.discard(row.key)
        if isinstance(each.post, Turn):  # whose turn it is needs no maximum bid any more
            gone |= {row.key for row in rows.values() if row.kind == "bidprompt" and row.user in each.post.mention}
        if each.key in asked.posted:
            owed.append(each)
            continue
        due = [row for row in rows.values() if row.subject == each.key and _is_due(row, asked.calls, now)]
        due = [row for row in due if row.user != TABLE]
        post = _ping_in_message(each, {row.user for row in due}, asked)
        owed.append(msgspec.structs.replace(each, post=post))
        called |= {row.user for row in due if row.kind == "turn"}
        owed += _list_private(due, {each.key: post}, _Told(asked, notes, called), now)
        rows |= {row.key: _note_ping(row, now) for row in due}
    return _finish(posts[0].post.game, rows, gone, owed, asked, now)


def _ping_in_message(owed: Owed, due: Collection[str], asked: Asked) -> AnyCall:
    """Return a new post that pings those for whom it is time, and whom it would have pinged before it was replaced."""
    post = owed.post
    assert isinstance(post, AnyCall)
    if isinstance(post, StopNote):
        return msgspec.structs.replace(post, pings=())
    kept = asked.unposted[owed.key].pings if owed.key in asked.unposted else ()
    here = [user for user in post.mention if user in kept or (user in due and asked.is_pinged_at_table(user))]
    if isinstance(post, Turn):
        post = msgspec.structs.replace(post, others=tuple(u for u in post.others if asked.calls[u].on_deck))
    return msgspec.structs.replace(post, pings=tuple(here))


def ring(game: int, posts: Mapping[str, AnyCall], asked: Asked, now: int) -> Planned:
    """Ping those for whom it is time, and let a table whose patience has ended wait once more.

    ``posts`` are those that ask, by key, but for any that are lost.
    """
    rows, owed = {row.key: row for row in asked.rows}, list[Owed]()
    due = [row for row in rows.values() if _is_due(row, asked.calls, now)]
    rows |= {row.key: _note_ping(row, now) for row in due if row.user == TABLE}
    due = [row for row in due if row.user != TABLE]
    told = _Told(asked, _find_notes(posts.values()), {row.user for row in due if row.kind == "turn"})
    shown = {r.key for r in due if r.kind != "stopnote" and (r.refused or asked.is_pinged_at_table(r.user))}
    for subject in dict.fromkeys(row.subject for row in due):
        mine = [row for row in due if row.subject == subject]
        in_message = posts[subject].pings if subject in posts and subject not in asked.posted else ()
        here = [row for row in mine if row.key in shown and row.user not in in_message]
        owed += _list_shown_pings(here, _find_patience(rows, subject), now)
        owed += _list_private(mine, posts, told, now)
    again = [row for row in due if row.stands]
    for row in due:
        rows[row.key] = msgspec.structs.replace(_note_ping(row, now), stands=row.stands or row.key in shown)
    plan = _finish(game, rows, (), owed, asked, now)
    answered = {row.subject: {each.user for each in again if each.subject == row.subject} for row in again}
    return msgspec.structs.replace(plan, answered={**plan.answered, **answered})


def _list_shown_pings(rows: Sequence[Obligation], patience: int, now: int) -> list[Owed]:
    """Return the pings at the table for one subject: one message for those who are pinged for the same time."""
    owed = list[Owed]()
    for number, refused in sorted({(row.pings, row.refused) for row in rows}):
        group = [row for row in rows if (row.pings, row.refused) == (number, refused)]
        first, users, since = group[0], tuple(row.user for row in group), min(row.since for row in group)
        post = Ping(first.game, first.subject, users, number, since, patience, refused=refused)
        owed.append(Owed(build_ping_key(first.subject, now, number, "refused" * refused), post, now))
    return owed


def _ends(owed: Owed, row: Obligation) -> bool:
    """Return whether a post ends an obligation: a new turn that of the turn before, the end of a game all of them."""
    if isinstance(owed.post, Turn):
        if row.kind == "ondeck":
            is_same = row.subject == build_deck_key(row.game, owed.post.turn_from)
            return not is_same or row.user in owed.post.mention
        return row.kind in ("timeup", "end") or (row.kind == "prompt" and bool(owed.post.mention))
    if isinstance(owed.post, BidPrompt):  # another lot is up for auction
        return row.kind == "bidprompt" and row.subject != owed.key
    if isinstance(owed.post, Ballot):
        return row.subject == owed.key and not owed.post.mention
    return isinstance(owed.post, End)


def _open_rows(owed: Owed, rows: Sequence[Obligation], asked: Asked, now: int) -> list[Obligation]:
    """Return the obligations of a post as they are now: who was asked before keeps their pings."""
    post, known = owed.post, {row.user: row for row in rows if row.subject == owed.key}
    assert isinstance(post, AnyCall)
    found = [row for user, row in known.items() if user not in (*post.mention, TABLE)]
    found = [msgspec.structs.replace(row, open=False) for row in found]
    rests = _find_rests(rows, asked, now) if isinstance(post, Turn) else {}
    wait = post.wait if isinstance(post, Turn) else 0
    for user in post.mention:
        row = known.get(user) or _open_row(owed, user, asked, rests.get(user, owed.due), now)
        found.append(msgspec.structs.replace(row, open=True, wait=wait))
    patience = known.get(TABLE)
    if isinstance(post, Turn) and post.patience and post.mention:
        if patience is None or not patience.open:
            first = max(find_awake(asked.calls[user], now) for user in post.mention) + post.patience
            patience = Obligation(post.game, owed.key, name_kind(Turn), TABLE, now, first, post.patience)
        found.append(patience)
    elif patience is not None:
        found.append(msgspec.structs.replace(patience, open=False))
    return found


def _find_rests(rows: Sequence[Obligation], asked: Asked, now: int) -> dict[str, int]:
    """Return until when people aren't pinged for their turn who were just asked for a maximum bid and haven't set it.

    Those who play by mail get a letter for their turn in any case.
    """
    prompts = [row for row in rows if row.kind == "bidprompt" and row.open and row.pinged]
    prompts = [row for row in prompts if now - row.pinged < BID_SECONDS and row.user not in asked.by_mail]
    return {row.user: row.pinged + BID_SECONDS for row in prompts if row.snooze != FOR_THE_TURN}


def _open_row(owed: Owed, user: str, asked: Asked, due: int, now: int) -> Obligation:
    """Return a new obligation; who made the last move, or has bid already, knows of it and isn't pinged at once."""
    post = owed.post
    told, after = (post.told, post.after) if isinstance(post, Turn) else ((), 0)
    kind, pings = name_kind(type(post)), int(user in told)
    row = Obligation(post.game, owed.key, kind, user, now, max(now + after, due), 0, pings, now * pings)
    is_late = _is_due(row, asked.calls, now) or not asked.is_pinged_at_table(user)
    if isinstance(post, BidPrompt) and user in post.done and is_late:
        row = msgspec.structs.replace(row, pings=1)  # a ping that comes later would tell what the others miss
    return row


def _finish(
    game: int, rows: Mapping[Key, Obligation], gone: Collection[Key], owed: list[Owed], asked: Asked, now: int
) -> Planned:
    """Return a plan whose obligations have their moments, with the post by which the next one rings."""
    left = [
        msgspec.structs.replace(row, due=find_due(row, asked.calls.get(row.user, Calls()), now))
        for key, row in rows.items()
        if key not in gone and not (row.kind in ("end", "stopnote") and row.pings and now - row.pinged > HOUR)
    ]
    before = {row.key: row for row in asked.rows}
    if moments := [row.due for row in left if row.due is not None]:
        owed.append(Owed(build_ring_key(game), Ring(game), max(now, min(moments))))
    now_asked = {row.user for row in left if row.kind == "turn" and row.open}
    changed = tuple(
        row
        for row in left
        if before.get(row.key) != row and (row.kind != "turn" or row.open or row.user not in now_asked)
    )
    over = sorted({row.subject for row in asked.rows} - {row.subject for row in left})
    ended = sorted(key for key in before.keys() - {row.key for row in left} if key[0] not in over)
    return Planned(changed, tuple(over), tuple(ended), tuple(owed), list_answered(asked.rows, left))


def _is_due(row: Obligation, calls: Mapping[str, Calls], now: int) -> bool:
    due = find_due(row, calls.get(row.user, Calls()), now)
    return due is not None and due <= now


def _note_ping(row: Obligation, now: int) -> Obligation:
    return msgspec.structs.replace(row, pings=row.pings + 1, pinged=now, snooze=0)


def _find_patience(rows: Mapping[Key, Obligation], subject: str) -> int:
    row = rows.get((subject, TABLE))
    return row.first if row is not None and row.open and not row.pings else 0


class _Told(Record, frozen=True):
    """What people are told beside what they are pinged for.

    Args:
        asked: their wishes. notes: by user, why their order has stopped. called: users who are called to their turn.
    """

    asked: Asked
    notes: Mapping[str, str]
    called: Collection[str]


def _find_notes(posts: Iterable[Post]) -> dict[str, str]:
    """Return by user what the call to a turn tells beside it: why an order has stopped."""
    return {user: post.text for post in posts if isinstance(post, StopNote) for user in post.mention}


def _list_private(rows: Sequence[Obligation], posts: Mapping[str, AnyCall], told: _Told, now: int) -> list[Owed]:
    """Return the private messages and letters by which people are pinged, who wish them or have an address.

    Why an order has stopped is told with the turn that it leaves to its owner, or without a ring where that rings
    elsewhere: nothing rings twice.
    """
    owed, asked = list[Owed](), told.asked
    for row in rows:
        user, calls, post = row.user, asked.calls[row.user], posts.get(row.subject)
        is_note, note = row.kind == "stopnote", told.notes.get(user, "") if row.kind == "turn" else ""
        is_with_turn = is_note and user in told.called
        in_private = asked.is_pinged_in_private(user) and not row.refused
        is_only_told = is_note and not in_private and user.isdecimal() and calls.place != "none"
        if (in_private and not is_with_turn) or is_only_told:
            is_silent = is_only_told or getattr(post, "silent", False)
            ping = Ping(row.game, row.subject, (user,), row.pings, private=True, note=note, silent=is_silent)
            owed.append(Owed(build_ping_key(row.subject, now, row.pings, user), ping, now))
        if user in asked.by_mail and not (is_with_turn and calls.digest < 0):
            key = build_letter_key(f"{row.subject}:ping:{now}" if row.pings else row.subject, user)
            is_in_digest = row.kind == "turn" and calls.digest >= 0
            if not (is_in_digest and row.pings):
                owed.append(Owed(key, _write_letter(row, post, note), now + DIGEST_SECONDS * is_in_digest))
    return owed


def _write_letter(row: Obligation, post: AnyCall | None, note: str) -> Letter:
    """Return the letter by which a person is asked, or reminded, or told something."""
    if row.kind == "turn":
        about: About = "reminder" if row.pings else "turn"
        return Letter(row.game, row.user, about, note, turn_from=_read_number(row), number=row.pings)
    if row.kind == "end":
        return Letter(row.game, row.user, "end")
    if isinstance(post, OnDeck):
        return Letter(row.game, row.user, "notice", post.text, turn_from=post.turn_from)
    if row.kind == "ballot":
        return Letter(row.game, row.user, "question", proposal=_read_number(row))
    if isinstance(post, BidPrompt):
        return Letter(row.game, row.user, "bid", text=post.text, lot=post.company)
    text = getattr(post, "text", "")
    if isinstance(post, TimeUp):
        text += (
            f"\nNo one loses on time: {post.name} can still move. To ask the others for a stand-in, reply "
            f'/game stand_in seat:"{post.name}" once:yes'
        )
    return Letter(row.game, row.user, "notice", text=text)


def _read_number(row: Obligation) -> int:
    """Return the number at the end of a subject: where the turn began, or that of the proposal."""
    return int(row.subject.rpartition(":")[2])
