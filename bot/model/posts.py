"""Posts that a table owes to its channel, and the rules of when.

A move and the posts it owes are stored in one transaction, so a crash loses neither. There is one post for each
``key``: a post with the key of an earlier one replaces it (and the message is edited in place).
"""

from collections.abc import Mapping, Sequence

import msgspec

from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.records import Calls, Pace, Position, Proposal, Seat, Table
from bot.model.seating import list_ranking
from bot.model.standing import hands_over
from engine import Ask

LIVE_SECONDS = 5 * MINUTE
PING_DELAY_SECONDS = 2 * MINUTE
MAX_LINE_LENGTH = 1900
MAX_SENTENCES_IN_LINE = 12
"""Sentences of a turn that are told in one line; of more each has its own."""
STAND_IN_SECONDS = 25
"""Seconds after which a stand-in moves: the others shall see what happened."""
MAX_REMINDERS = 5
REMINDER_SECONDS: Mapping[Pace, int] = {"live": HOUR, "several a day": 4 * HOUR, "daily": 12 * HOUR, "relaxed": DAY}
"""How long a table of a pace waits for a person before it reminds them."""


class Post(msgspec.Struct, frozen=True, tag_field="post", tag=str.lower):
    """A message owed. ``game`` is the table's number."""

    game: int


class Lobby(Post, frozen=True):
    """Post or edit the lobby message of an open, started or closed table; look it up when sending."""


class Card(Post, frozen=True):
    """Edit the table message in place; look everything up when sending."""


class Turn(Post, frozen=True):
    """Post the turn message; with a ``message_id`` already known, edit it (within a turn).

    Args:
        version: what its buttons carry. turn_from: version at which the turn began.
        actors: who must decide. mention: ids of their users, to be shown.
        quiet: mention without notifying: the table is live (a ``Ping`` follows), or
            only the one who just acted is asked.
    """

    version: int
    turn_from: int
    actors: tuple[Seat, ...]
    mention: tuple[str, ...]
    quiet: bool
    ask: Ask


class Summary(Post, frozen=True):
    """Turn the old turn message (``follows``) into its line of result; if that was never posted, post the line.

    ``move`` counts the moves in force after it, for "show position here".
    """

    version: int
    turn_from: int
    move: int
    line: str
    follows: str


class Pictures(Post, frozen=True):
    """Add the pictures of every turn to the turn (or end) message with the key ``follows``.

    Args:
        move: moves in force; look at the position after it (``look(at=move)``).
        since: moves in force when the last turn began; later changes are marked.
    """

    version: int
    move: int
    since: int
    pictures: tuple[str, ...]
    follows: str


class Ping(Post, frozen=True):
    """Mention the actors in reply to the turn message, dropped if the turn passes; ``refused`` private messages."""

    turn_from: int
    mention: tuple[str, ...]
    headline: str
    follows: str
    refused: bool = False


class Reminder(Post, frozen=True):
    """Mention the actors again when the table has waited long; dropped if the turn passes before it is due.

    Args:
        number: of this turn, from 1. since: moment from which the table waits. wait: seconds until the first was due.
    """

    turn_from: int
    mention: tuple[str, ...]
    headline: str
    follows: str
    since: int
    number: int = 1
    wait: int = 0


class OnDeck(Post, frozen=True):
    """Tell those who wish it that they are probably next; dropped if the turn passes before."""

    turn_from: int
    mention: tuple[str, ...]
    headline: str


class Notice(Post, frozen=True):
    """Tell the channel one or two sentences; about a ``lot`` with a button to bid for it by order."""

    text: str
    mention: tuple[str, ...] = ()
    lot: str = ""


class Whisper(Post, frozen=True):
    """Tell one person something in private, of which ``games``; a call says to which turn, and its ``headline``."""

    user: str
    text: str
    games: tuple[int, ...] = ()
    turn_from: int = -1
    headline: str = ""


class Ballot(Post, frozen=True):
    """Post or edit the message of a proposal; look it up when sending (``consent.proposal``)."""

    proposal: int
    mention: tuple[str, ...]


class End(Post, frozen=True):
    """Announce the end of the game, mentioning all players."""

    version: int
    move: int
    reason: str
    lines: tuple[str, ...]
    mention: tuple[str, ...]


class Story(Post, frozen=True):
    """Tell the story of the game under its end; told when sending, for the whole game is played once more."""

    version: int


class Errand(Post, frozen=True):
    """Let the program's player move, when this is due; nothing is sent."""

    version: int


class TimeUp(Post, frozen=True):
    """Tell the table that the clock of a seat has run out, and ask what it wants; looked up when sending."""

    turn_from: int
    seat: int


class Giving(Post, frozen=True):
    """Ask who holds several seats whether to give some away, or let friends take them; looked up when sending.

    ``user`` gives them to the players who take them; empty until they do so.
    """

    user: str = ""


class Expire(Post, frozen=True):
    """Close the open table when this is due; handled by ``Lobby.tidy``, never sent."""


class Leftover(Post, frozen=True):
    """Take pictures and buttons off a message that stayed behind when its table was moved; say where the table is.

    Args:
        key: of its post. places: where it may stand.
        message: its id; empty where no one knows whether it stands at all.
        since: when it was first owed.
    """

    key: str
    places: tuple[str, ...]
    message: str
    since: int


class OldCall(Post, frozen=True):
    """Delete a ping or reminder of a turn that other players must decide by now."""


AnyPost = (
    Lobby | Card | Turn | Summary | Pictures | Ping | Reminder | Notice | Whisper | Ballot | End | Story | Errand
    | TimeUp | Giving | OnDeck | Expire | Leftover | OldCall
)  # fmt: skip


class Owed(msgspec.Struct, frozen=True):
    """A post with its key, by which there is one and only one, and the moment it is due."""

    key: str
    post: Post
    due: int


def build_turn_key(game: int, turn_from: int) -> str:
    """Build the key of the turn message of the turn that began at a version."""
    return f"{game}:turn:{turn_from}"


def build_ping_key(game: int, turn_from: int) -> str:
    """Build the key of the call that follows the turn message of a lively table."""
    return f"{game}:ping:{turn_from}"


def build_reminder_key(game: int, turn_from: int, number: int) -> str:
    """Build the key of a reminder of a turn."""
    return f"{game}:reminder:{turn_from}:{number}"


def build_deck_key(game: int, turn_from: int) -> str:
    """Build the key of the word to those who are next after a turn."""
    return f"{game}:deck:{turn_from}"


def build_pictures_key(game: int, version: int) -> str:
    """Build the key of the pictures of a position in which a turn began."""
    return f"{game}:pictures:{version}"


def build_giving_key(game: int) -> str:
    """Build the key of the message by which friends take seats."""
    return f"{game}:giving"


def make_ballot(proposal: Proposal, now: int) -> Owed:
    """Return the message of a proposal, as it stands."""
    post = Ballot(proposal.game, proposal.id, proposal.waiting if proposal.state == "open" else ())
    return Owed(f"{proposal.game}:ballot:{proposal.id}", post, now)


class LogStep(msgspec.Struct, frozen=True):
    """A log entry about to be stored, seen from the table.

    Args:
        before: the position it was said in; ``None`` at the deal.
        after: the position it leads to, with ``table.turn_from`` of the turn then running.
        user: who said it. told: sentences of the whole turn so far, its own included.
        now: the moment. live: two different players acted within the last five minutes.
    """

    before: Position | None
    after: Position
    user: str
    told: tuple[str, ...]
    now: int
    live: bool


def list_posts(step: LogStep) -> list[Owed]:
    """Return the posts that a stored log entry (or the deal) owes."""
    after = step.after
    table, version = after.table, after.version
    if table.privacy == "private" and table.home.guild:
        return []  # a table to think at has no place, and its owner sees it all on the desk
    posts = [Owed(f"{table.id}:card", Card(table.id), step.now)]
    passed = step.before is None or hands_over(step.before.game, after.game)
    if step.before is not None and passed:
        posts.append(_make_summary(step.before.table, after, step))
    result = after.game.result()
    if result is not None and passed:
        ranks = list_ranking(result, table.names)
        end = End(table.id, version, len(after.game.line), result.reason_in_words, ranks, table.people)
        posts.append(Owed(f"{table.id}:end:{version}", end, step.now))
        posts.append(_make_pictures(after, step, f"{table.id}:end:{version}"))
        posts.append(Owed(f"{table.id}:story:{version}", Story(table.id, version), step.now))
    elif after.game.actors:
        posts += _list_turn_posts(after, step, passed=passed)
    return posts


def _make_summary(old: Table, after: Position, step: LogStep) -> Owed:
    between = "\n" if len(step.told) > MAX_SENTENCES_IN_LINE else " · "
    line = between.join(sentence.rstrip(".") for sentence in step.told) or "—"
    line = line if len(line) <= MAX_LINE_LENGTH else line[: MAX_LINE_LENGTH - 1] + "…"
    follows = build_turn_key(old.id, old.turn_from)
    post = Summary(old.id, after.version, old.turn_from, len(after.game.line), line, follows)
    return Owed(f"{old.id}:summary:{old.turn_from}", post, step.now)


def _list_turn_posts(after: Position, step: LogStep, *, passed: bool) -> list[Owed]:
    table = after.table
    key = build_turn_key(table.id, table.turn_from)
    actors = after.actors
    mention = list_called(actors)
    wanted = tuple(user for user in mention if user != step.user)
    quiet = step.live or not wanted or not passed
    turn = Turn(table.id, after.version, table.turn_from, actors, mention, quiet, after.ask())
    posts = [Owed(key, turn, step.now)]
    if passed:
        posts.append(_make_pictures(after, step, key))
    if passed and step.live and wanted:
        ping = Ping(table.id, table.turn_from, wanted, after.ask().headline, key)
        posts.append(Owed(build_ping_key(table.id, table.turn_from), ping, step.now + PING_DELAY_SECONDS))
    if passed and (wanted or len(table.people) > 1):  # who has it by their own move may forget it like anybody
        posts.append(_make_reminder(table, mention, after.ask().headline, step.now))
    posts += _list_unheld(after, step.now) if passed else []
    return posts


def list_called(actors: Sequence[Seat]) -> tuple[str, ...]:
    """Return the ids of those who are called when these seats must decide."""
    return tuple(dict.fromkeys(seat.caller for seat in actors if seat.caller))


def list_recall_posts(here: Position, now: int) -> list[Owed]:
    """Return the posts owed when others than before decide in a turn that has begun: they are called to it.

    The calls to those before are dropped or deleted (``reset_calls``).
    """
    table, ask = here.table, here.ask() if here.actors else None
    posts = [Owed(f"{table.id}:card", Card(table.id), now)]
    if ask is None or table.state != "running":
        return posts
    key, mention = build_turn_key(table.id, table.turn_from), list_called(here.actors)
    turn = Turn(table.id, here.version, table.turn_from, here.actors, mention, quiet=True, ask=ask)
    posts.append(Owed(key, turn, now))
    posts += _list_unheld(here, now)
    if not mention:
        return posts
    ping = Ping(table.id, table.turn_from, mention, ask.headline, key)
    return [
        *posts,
        Owed(build_ping_key(table.id, table.turn_from), ping, now),
        _make_reminder(table, mention, ask.headline, now),
    ]


def _list_unheld(here: Position, now: int) -> list[Owed]:
    """Return what is owed where seats must decide at which no person sits: the stand-in moves, or the host hears."""
    table, actors = here.table, here.actors
    if any(seat.stand_in for seat in actors):
        due = now + STAND_IN_SECONDS if table.home.channel else now
        return [Owed(f"{table.id}:errand:{here.version}", Errand(table.id, here.version), due)]
    if list_called(actors):
        return []
    names = " and ".join(seat.name for seat in actors)
    text = f"The seat of {names} must act, but no one holds it. Give it to a player with /game replace."
    return [Owed(f"{table.id}:deserted:{table.turn_from}", Notice(table.id, text, (table.host,)), now)]


def _make_reminder(table: Table, mention: tuple[str, ...], headline: str, now: int) -> Owed:
    """Return the first reminder of a turn that begins now."""
    wait = REMINDER_SECONDS[table.pace]
    follows = build_turn_key(table.id, table.turn_from)
    return _owe_reminder(Reminder(table.id, table.turn_from, mention, headline, follows, now, wait=wait), now + wait)


def make_next_reminder(sent: Reminder, now: int, wishes: Sequence[Calls] = ()) -> Owed | None:
    """Return the reminder after one that was just sent: once more as soon, then daily; ``None`` after the last.

    What those who are reminded wish goes before the habit of the table.
    """
    if sent.number >= find_max_reminders(wishes):
        return None
    own = [wish.every * HOUR for wish in wishes if wish.every]
    wait = min(own) if own else sent.wait if sent.number == 1 else DAY
    return _owe_reminder(msgspec.structs.replace(sent, number=sent.number + 1), now + wait)


def find_max_reminders(wishes: Sequence[Calls]) -> int:
    """Return how many reminders of a turn those who are called wish, at most ``MAX_REMINDERS``."""
    return max((wish.most for wish in wishes), default=MAX_REMINDERS)


def _owe_reminder(post: Reminder, due: int) -> Owed:
    return Owed(build_reminder_key(post.game, post.turn_from, post.number), post, due)


def _make_pictures(after: Position, step: LogStep, follows: str) -> Owed:
    since = sum(place < step.before.table.turn_from for place in after.game.line) if step.before else 0
    post = Pictures(after.table.id, after.version, len(after.game.line), since, after.game.pictures(), follows)
    return Owed(build_pictures_key(after.table.id, after.version), post, step.now)
