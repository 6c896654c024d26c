"""Posts that a table owes to its channel, and the rules of when.

A move and the posts it owes are stored in one transaction, so a crash loses neither. There is one post for each
``key``: a post with the key of an earlier one replaces it (and the message is edited in place).
"""

from collections.abc import Mapping
from hashlib import sha256

import msgspec

from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.records import Pace, Proposal, Seat
from engine import Ask

LIVE_SECONDS = 5 * MINUTE
PING_DELAY_SECONDS = 2 * MINUTE
MAX_LINE_LENGTH = 1900
MAX_SENTENCES_IN_LINE = 12
"""Sentences of a turn that are told in one line; of more each has its own."""
STAND_IN_SECONDS = 25
"""Seconds after which a stand-in moves: the others shall see what happened."""
SAME_WAITS, MAX_DAILY_REMINDERS = 2, 3
"""Reminders that come after the wait of the table, and those that follow daily before the others are asked."""
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
        after: seconds until they are pinged, as the table is live; 0 if at once.
        told: who acted just now, and knows of it; no one where others than before decide in a turn that has begun.
        wait: seconds until they are reminded; 0 if they aren't.
        patience: seconds until the others are asked whether the stand-in shall play; 0 if they aren't.
        others: the other players; once it is owed, those of them who wish to be told that they are probably next.
        lost: the channel of the table is gone.
        pings: who of them is pinged by the message itself.
    """

    version: int
    turn_from: int
    actors: tuple[Seat, ...]
    mention: tuple[str, ...]
    ask: Ask
    after: int = 0
    told: tuple[str, ...] = ()
    wait: int = 0
    patience: int = 0
    others: tuple[str, ...] = ()
    lost: bool = False
    pings: tuple[str, ...] = ()


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
    """Ping people for what the post with the key ``follows`` tells or asks them, in reply to it or in private.

    Args:
        follows: key of the post that asks.
        mention: ids of the users.
        number: how often they were pinged before.
        since: moment from which the table waits.
        patience: moment at which the others are asked, 0 if they aren't.
        private: by private message. refused: at the table, as private messages don't reach them.
        note: what else its person is told. silent: it arrives without a ring.
    """

    follows: str
    mention: tuple[str, ...]
    number: int = 0
    since: int = 0
    patience: int = 0
    private: bool = False
    refused: bool = False
    note: str = ""
    silent: bool = False


class Ring(Post, frozen=True):
    """Ping those for whom it is time; nothing is sent, what follows from it is owed (``Obligations.ring``)."""


class OnDeck(Post, frozen=True):
    """Tell those who wish it that they are probably next; dropped if the turn passes before."""

    turn_from: int
    mention: tuple[str, ...]
    headline: str
    pings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What they are told."""
        return f"You're next, after {self.headline}."


class StopNote(Post, frozen=True):
    """Tell the owner of a standing order why it has stopped and who is called, in private alone.

    ``silent``: they made the move that stopped it.
    """

    text: str
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()
    silent: bool = False


class Notice(Post, frozen=True):
    """Tell the channel one or two sentences; those it mentions are named, not pinged; on mail they get a letter.

    ``turn_from``: version at which the turn began that it is about; once that is over, no letter is written.
    ``role``: id of a role of the server that it pings, once.
    """

    text: str
    mention: tuple[str, ...] = ()
    turn_from: int = 0
    role: str = ""


class Prompt(Post, frozen=True):
    """Ask people for something in one or two sentences: to take a seat, to give one away, to start."""

    text: str
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()


class BidPrompt(Post, frozen=True):
    """Ask people for their maximum bids for a lot, the ``company`` or other thing that is for sale.

    ``done`` are those who said it before: no one can see that, so they are mentioned like the others.
    """

    text: str
    company: str
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


class Whisper(Post, frozen=True):
    """Tell one person something in private, of which ``games``.

    ``silent``: it arrives without a ring, and not while its person sleeps or is away.
    """

    user: str
    text: str
    games: tuple[int, ...] = ()
    silent: bool = False


class Ballot(Post, frozen=True):
    """Post or edit the message of a proposal; look it up when sending (``consent.proposal``).

    ``concerned``: who hears by letter how it ended, as they did not end it themselves.
    """

    proposal: int
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()
    concerned: tuple[str, ...] = ()


class End(Post, frozen=True):
    """Announce the end of the game, mentioning all players."""

    version: int
    move: int
    reason: str
    lines: tuple[str, ...]
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What those are told who are pinged for it elsewhere, or later."""
        return "\n".join([f"The game is over: {self.reason}.", *self.lines])


class Story(Post, frozen=True):
    """Tell the story of the game under its end; told when sending, for the whole game is played once more."""

    version: int


class Errand(Post, frozen=True):
    """Let the program's player move, when this is due; nothing is sent."""

    version: int


class ClockAlarm(Post, frozen=True):
    """The clock of a seat may have run out when this is due; if it has, a ``TimeUp`` is owed. Nothing is sent."""

    turn_from: int
    seat: int


class Nudge(Post, frozen=True):
    """Ask the host of an open table to start it, when this is due; nothing is sent, a ``Prompt`` is owed."""


class Bulletin(Post, frozen=True):
    """Tell the followers of a table what has turned in it; looked up when it is due, and owed to each of them."""


class TimeUp(Post, frozen=True):
    """Tell the table that the clock of a seat has run out, and ask the others what they want."""

    turn_from: int
    seat: int
    text: str
    mention: tuple[str, ...]
    pings: tuple[str, ...] = ()
    name: str = ""


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
    """Delete a ping that was answered, or that other players must answer by now."""


AnyPost = (
    Lobby | Card | Turn | Summary | Pictures | Ping | Ring | Notice | Prompt | BidPrompt | Whisper | Ballot | End
    | Story | Errand | ClockAlarm | Nudge | Bulletin | TimeUp | Giving | OnDeck | StopNote | Expire | Leftover | OldCall
)  # fmt: skip
AnyAlarm = Ring | ClockAlarm | Nudge | Bulletin
"""The posts of which nothing is sent: what they ask is looked up when they are due (``Obligations.carry_out``)."""
AnyNews = OnDeck | End | StopNote
"""The posts that tell something to the people they mention, who are pinged for it once."""
AnyCall = Turn | Ballot | BidPrompt | TimeUp | Prompt | AnyNews
"""The posts that ask or tell something, each of whose people has an obligation until it is done, or they know."""


class Owed(msgspec.Struct, frozen=True):
    """A post with its key, by which there is one and only one, and the moment it is due."""

    key: str
    post: Post
    due: int


def name_kind(post: type[Post]) -> str:
    """Return the name of a kind of post."""
    return post.__name__.lower()


def build_turn_key(game: int, turn_from: int) -> str:
    """Build the key of the turn message of the turn that began at a version."""
    return f"{game}:turn:{turn_from}"


def build_ring_key(game: int) -> str:
    """Build the key of the post by which the next ping of a table comes."""
    return f"{game}:ring"


def build_ping_key(subject: str, moment: int, number: int, user: str = "") -> str:
    """Build the key of a ping for what the post with the key ``subject`` asks, at the table or to one user."""
    return f"{subject}:ping:{moment}:{number}" + (f":{user}" if user else "")


def build_deck_key(game: int, turn_from: int) -> str:
    """Build the key of the word to those who are next after a turn."""
    return f"{game}:deck:{turn_from}"


def build_pictures_key(game: int, version: int) -> str:
    """Build the key of the pictures of a position in which a turn began."""
    return f"{game}:pictures:{version}"


def build_role_key(game: int) -> str:
    """Build the key of the message that mentions a role, of which a table has one."""
    return f"{game}:role"


def build_news_key(game: int, user: str, sentence: str) -> str:
    """Build the key of the word to a follower of a table: what is said once isn't said again."""
    return f"{game}:news:{user}:{sha256(sentence.encode()).hexdigest()[:16]}"


def build_giving_key(game: int) -> str:
    """Build the key of the message by which friends take seats."""
    return f"{game}:giving"


def make_ballot(proposal: Proposal, now: int) -> Owed:
    """Return the message of a proposal, as it stands."""
    waiting = proposal.waiting if proposal.state == "open" else ()
    concerned = [proposal.proposer] if proposal.state in ("accepted", "declined", "lapsed") else []
    if proposal.state == "accepted":  # the last yes is answered at once
        concerned += [vote.user for vote in proposal.votes if vote.yes][:-1]
    named = tuple(dict.fromkeys(user for user in concerned if user))
    post = Ballot(proposal.game, proposal.id, waiting, concerned=named)
    return Owed(f"{proposal.game}:ballot:{proposal.id}", post, now)
