"""What must hold for every table and its posts, in the store and in what people see.

A running table has one live turn message, the players who must act are called, no other turn has live buttons, and
every post that the table still needs, promised calls included, is owed or sent. ``bot.service.inspection`` checks this
every few minutes and repairs what is wrong; the simulation judges its runs by it.
"""

from collections.abc import Callable, Iterator, Set
from typing import Literal

from bot.model import posts
from bot.model.clock import MINUTE
from bot.model.obligations import TABLE, list_ping_keys
from bot.store import leases
from bot.store.fates import PostFate, TableFates
from engine import Record

LATE_SECONDS = 5 * MINUTE
MAX_AHEAD_SECONDS = 2 * 60 * MINUTE
"""How far a post that is due at once may be put off: Discord's rate limits last an hour at most."""
MAX_REST_SECONDS = 90
"""Longest time for which a sender holds a batch, or a batch rests after an error."""
AT_ONCE = ("card", "turn", "summary", "pictures", "lobby", "end")
CALLS = ("ping", "ring", "clockalarm", "errand", "timeup", "ondeck")

Repair = Literal["owe", "build", "repost", "adopt", "erase", "hurry", "free", "home", "none"]
"""How a fault is repaired.

"owe": owe the post again. "build": owe a new post, as there is no row. "repost": send it again, as its message is gone.
"adopt": note where its message is. "erase": delete a message that belongs to no post. "hurry": make the post due now.
"free": end the lease on the table's posts. "home": note the table's thread and message. "none": nothing, as it is tried
again anyway.
"""


class Fault(Record, frozen=True):
    """Something wrong with a post or message: ``words`` describe it, ``repair`` says what to do about it."""

    game: int
    kind: str
    key: str
    words: str
    repair: Repair
    place: tuple[str, str] = ("", "")


class ShownMessage(Record, frozen=True):
    """A message of the bot that people can see.

    Args:
        channel, message: where it is. number: of its post.
        controls: what its buttons do: table, version, verb, argument.
    """

    channel: str
    message: str
    number: int
    controls: tuple[tuple[int, int, str, str], ...]

    def has(self, game: int, verb: str, argument: str = "") -> bool:
        """Return whether it has a button of a table with a verb, and an argument that begins so."""
        return any(c[0] == game and c[2] == verb and c[3].startswith(argument) for c in self.controls)

    def find_version(self, game: int) -> int | None:
        """Return the version in the buttons of a table's turn message; ``None`` if it isn't one."""
        if self.has(game, "log") or self.has(game, "snooze"):
            return None
        return next((version for of, version, verb, _ in self.controls if of == game and verb == "act"), None)


class Visible(Record, frozen=True):
    """What people see of a table: its newest messages, those that must exist, and which of those are gone."""

    shown: tuple[ShownMessage, ...]
    gone: frozenset[str] = frozenset()


# --- by the store ---------------------------------------------------------


def find_faults(table: TableFates, now: int) -> list[Fault]:
    """Return what is wrong with the posts of a table in the store."""
    found = [each for check in _OF_ALL for each in check(table, now)]
    if table.state == "running":
        found += [each for check in _OF_RUNNING for each in check(table, now)]
    if table.state == "open":
        found += [*_need(table, "lobby", f"{table.game}:lobby"), *_need(table, "expire", f"{table.game}:expire")]
    if table.state == "finished":
        found += _need(table, "end", f"{table.game}:end:{table.version}")
    for number in table.ballots:
        found += _need(table, "ballot", f"{table.game}:ballot:{number}")
    return list({(fault.key, fault.repair): fault for fault in found}.values())


def _need(table: TableFates, kind: str, key: str) -> list[Fault]:
    """Return the fault if a post is neither owed nor sent."""
    post = table.posts.get(key)
    if post is None:
        return [Fault(table.game, kind, key, "was never owed", "build")]
    return [_lose(post)] if post.is_lost else []


def _lose(post: PostFate) -> Fault:
    return Fault(post.game, post.kind, post.key, f"was {post.state}: {post.error or 'without a reason'}", "owe")


def _check_waiting(table: TableFates, now: int) -> Iterator[Fault]:
    """Yield posts that are late, put off for too long, or held back without need."""
    if MAX_REST_SECONDS < table.lease - now <= leases.MAX_LEASE_SECONDS:
        yield Fault(table.game, "lease", f"posts:{table.game}", f"is held for {table.lease - now} s", "free")
    for post in table.posts.values():
        if not post.is_waiting or post.kind == "expire":
            continue
        if post.state == "owed" and post.kind in AT_ONCE and post.due > now + MAX_AHEAD_SECONDS:
            yield Fault(table.game, post.kind, post.key, f"was put off for {post.due - now} s", "hurry")
        elif post.state == "held" and not table.is_paused:
            yield Fault(table.game, post.kind, post.key, "is held back, though the server isn't paused", "owe")
        elif post.state == "owed" and post.due < now - LATE_SECONDS:
            words = f"{now - post.due} s late after {post.attempts} tries: {post.error or 'not tried yet'}"
            yield Fault(table.game, post.kind, post.key, words, "none")


def _check_lost(table: TableFates, _now: int) -> Iterator[Fault]:
    """Yield posts that were dropped without a reason and are still wanted."""
    for post in table.posts.values():
        if post.is_lost and (not post.error or post.kind == "summary") and _is_wanted(table, post):
            yield _lose(post)


def _is_wanted(table: TableFates, post: PostFate) -> bool:
    """Return whether a table still needs a post, apart from those that the checks of the turn look for."""
    if post.kind in ("expire", "lobby", "nudge"):
        return table.state == "open" or post.kind == "lobby"
    if post.kind in CALLS or post.kind in ("turn", "pictures", "card", "end"):
        return False  # the checks of the turn look for these
    if post.kind == "story":
        return post.key == f"{table.game}:story:{table.version}" and table.state == "finished"
    if post.kind in ("notice", "prompt"):
        return table.state == "open" or post.key.split(":")[1] not in _BEFORE_START
    turn = getattr(post.post, "turn_from", -1)
    return post.kind == "summary" or turn in (-1, table.turn_from) or getattr(post.post, "about", "") in _LASTING


_BEFORE_START = ("nudge", "invite", "options")
"""Notices and prompts of open tables that no one needs once the game has begun, by key."""
_LASTING = ("notice", "question", "end", "answer", "invitation", "code")
"""Subjects of letters that remain useful after a turn."""


def _check_turn(table: TableFates, _now: int) -> Iterator[Fault]:
    """Yield faults of the turn message, its pictures, and the table message."""
    key = posts.build_turn_key(table.game, table.turn_from)
    yield from _need(table, "turn", key)
    yield from _need(table, "card", f"{table.game}:card")
    yield from _need(table, "pictures", posts.build_pictures_key(table.game, table.turn_from))
    turn = table.turn
    if turn is not None:
        post = turn.post
        if isinstance(post, posts.Turn) and post.version != table.version:
            yield Fault(table.game, "turn", key, f"shows version {post.version}, not {table.version}", "build")


def _check_old_turns(table: TableFates, _now: int) -> Iterator[Fault]:
    """Yield past turns whose message has buttons instead of a result."""
    for turn in table.old_turns:
        key = turn.key.replace(":turn:", ":summary:")
        known = table.posts.get(key)
        words = "the buttons of a turn that is over are live"
        yield Fault(table.game, "summary", key, words, "build" if known is None else "owe")


def _check_home(table: TableFates, _now: int) -> Iterator[Fault]:
    """Yield a fault if the table doesn't know its thread or its table message."""
    card, home = table.posts.get(f"{table.game}:card"), table.home
    if card is None or not card.message or card.state != "sent" or "" not in (home.thread, home.message):
        return
    words, place = "doesn't know its thread or its table message", (card.channel, card.message)
    if (home.thread, home.message) != place:
        yield Fault(table.game, "table", f"{table.game}:home", words, "home", place)


def _check_calls(table: TableFates, now: int) -> Iterator[Fault]:
    """Yield missing calls: to players who must act, to the stand-in, and at the end of a clock."""
    turn = table.turn
    post = turn.post if turn is not None else None
    if not isinstance(post, posts.Turn) or table.is_paused:
        return
    sits = {seat.number: table.seats.get(seat.number, ("", False)) for seat in post.actors}
    if any(program for _, program in sits.values()):
        key = f"{table.game}:errand:{table.version}"
        if key not in table.posts or not table.posts[key].error:  # it may have been given up for a reason
            yield from _need(table, "errand", key)
    for seat, end in table.clock:
        key = f"{table.game}:time:{table.turn_from}:{seat}:{end}"
        if end > now and not (key in table.posts and table.posts[key].is_waiting):
            yield Fault(table.game, "clockalarm", key, "isn't owed, and a clock runs", "build")
    deck = table.posts.get(posts.build_deck_key(table.game, table.turn_from))
    if deck is not None and deck.is_lost and not deck.error:
        yield _lose(deck)


def _check_obligations(table: TableFates, now: int) -> Iterator[Fault]:
    """Yield who is asked without an obligation, whose ping is lost, and whether the next ping isn't owed."""
    if table.is_paused:
        return
    known = {row.key: row for row in table.obligations}
    for key in (posts.build_turn_key(table.game, table.turn_from), *_list_ballot_keys(table)):
        post = table.posts.get(key)
        asking = post.post if post is not None else None
        users = asking.mention if isinstance(asking, posts.Turn | posts.Ballot) else ()
        if post is not None and any((key, user) not in known for user in users):
            yield Fault(table.game, "obligation", key, "asks a player who has no obligation", "build")
    for row in table.obligations:
        if row.user == TABLE or not row.open or not row.pings:
            continue
        pings = [table.posts[key] for key in list_ping_keys(row) if key in table.posts]
        yield from (_lose(ping) for ping in pings if ping.is_lost and not ping.error)
        is_at_table = row.stands and (row.refused or row.user not in table.elsewhere)
        if not pings and is_at_table and not row.snooze:
            yield Fault(table.game, "ping", f"{row.subject}:{row.user}", f"ping {row.pings} is missing", "build")
    due = min((row.due for row in table.obligations if row.due is not None), default=None)
    ring = table.posts.get(key := posts.build_ring_key(table.game))
    if due is not None and (ring is None or not ring.is_waiting or ring.due > max(due, now)):
        yield Fault(table.game, "ring", key, "isn't owed, and a ping is due", "build")


def _list_ballot_keys(table: TableFates) -> list[str]:
    return [f"{table.game}:ballot:{number}" for number in table.ballots]


_OF_ALL: tuple[Callable[[TableFates, int], Iterator[Fault]], ...] = (_check_waiting, _check_lost, _check_old_turns)
_OF_RUNNING = (_check_turn, _check_home, _check_calls, _check_obligations)


# --- by what people see ---------------------------------------------------


def list_expected(table: TableFates) -> dict[str, PostFate]:
    """Return the posts whose messages must exist, by key."""
    keys = {f"{table.game}:ballot:{number}" for number in table.ballots}
    keys |= {f"{table.game}:lobby"} if table.state == "open" else set()
    if table.state == "running":
        keys |= {posts.build_turn_key(table.game, table.turn_from), f"{table.game}:card"}
    known = {key: table.posts[key] for key in sorted(keys & table.posts.keys())}
    return {key: post for key, post in known.items() if post.message and not post.is_waiting and not post.is_lost}


_VERBS = {"turn": ("act",), "card": ("log", "act"), "lobby": ("join",), "ballot": ("vote",)}


def compare_shown(table: TableFates, look: Visible) -> list[Fault]:
    """Return what is wrong with the messages of a table while nothing is being sent."""
    by_id = {each.message: each for each in look.shown}
    found: list[Fault] = []
    for key, post in list_expected(table).items():
        seen = by_id.get(post.message)
        other = next((each for each in look.shown if each.number == post.id and each.controls), None)
        if seen is None and post.message in look.gone:
            place = (other.channel, other.message) if other else ("", "")
            if not other and post.kind == "card" and table.home.message not in ("", post.message):
                place = (table.home.thread, table.home.message)
            words = "its message is gone"
            found.append(Fault(table.game, post.kind, key, words, "adopt" if all(place) else "repost", place))
        elif seen is not None and not any(seen.has(table.game, verb) for verb in _VERBS[post.kind]):
            found.append(Fault(table.game, post.kind, key, "its message has no buttons", "owe"))
        elif seen is not None and post.kind == "turn" and seen.find_version(table.game) != table.version:
            found.append(Fault(table.game, post.kind, key, "its message has old buttons", "owe"))
    return [*found, *_find_old_turns(table, look, {fault.place[1] for fault in found})]


def _find_old_turns(table: TableFates, look: Visible, known: Set[str]) -> Iterator[Fault]:
    """Yield the messages of turns that can still be pressed though another is the present one, but for those known."""
    turn, waiting = table.turn, {post.kind for post in table.posts.values() if post.is_waiting}
    if table.state != "running" or turn is None or not turn.message or turn.is_lost:
        return
    if waiting & {"turn", "summary", "leftover"}:
        return
    others = {0, *(post.id for post in table.posts.values() if post.kind != "turn")}  # 0: answers to commands
    for each in look.shown:
        if each.message in known or each.message == turn.message or each.number in others:
            continue
        if each.find_version(table.game) is not None:
            words, place = "another message of a turn has live buttons", (each.channel, each.message)
            yield Fault(table.game, "old turn", each.message, words, "erase", place)
