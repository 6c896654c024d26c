"""The tables of the database; rows stay inside ``bot.store``. Ids of Discord are text; moments are seconds, UTC."""

from sqlalchemy import BigInteger, Index, Integer, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

LARGE = BigInteger().with_variant(Integer(), "sqlite")  # seeds and moments; SQLite's integers have 64 bits anyway


class GameRow(SQLModel, table=True):
    """A game from the lobby to the end, without its moves."""

    __tablename__ = "game"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    title: str
    options: str = Field(sa_type=Text)
    seed: int = Field(sa_type=LARGE)
    rules: int
    places: int
    host: str
    state: str = Field(index=True)
    pace: str
    privacy: str
    seating: str
    guild: str = ""
    channel: str = ""
    thread: str = Field(default="", index=True)
    message: str = ""
    barred: str = ""
    created: int = Field(sa_type=LARGE)
    expires: int = Field(sa_type=LARGE)
    started: int | None = Field(default=None, sa_type=LARGE)
    ended: int | None = Field(default=None, sa_type=LARGE)
    turn_from: int = 0
    fingerprint: str = ""
    reason: str = ""
    clock: str = Field(default="", sa_type=Text)
    experience: str = "anyone"
    season: int = Field(default=0, index=True)
    imported: bool = False
    interaction: str | None = Field(default=None, unique=True)


class SeatRow(SQLModel, table=True):
    """The time one person holds one seat; ``number`` is settled at the start. A seat has one holder at a time."""

    __tablename__ = "seat"
    __table_args__ = (
        Index(
            "uq_seat_held",
            "game",
            "number",
            unique=True,
            sqlite_where=text("gone IS NULL"),
            postgresql_where=text("gone IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    number: int
    user: str = Field(index=True)
    name: str
    joined: int = Field(sa_type=LARGE)
    gone: int | None = Field(default=None, sa_type=LARGE)
    replaced_by: str | None = None
    proxy: str = ""
    proxy_name: str = ""
    stand_in: bool = False
    once: bool = False
    manner: str = ""


class InviteRow(SQLModel, table=True):
    """A person whom the host invited."""

    __tablename__ = "invite"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    at: int = Field(sa_type=LARGE)


class LogRow(SQLModel, table=True):
    """One entry of the log: only ever added, never changed.

    ``payload`` is the action as JSON; ``told`` the sentences it was told in, a
    JSON list, for reading only; ``made_by`` is "order", "stand-in", "alone" or "press", empty for a person.
    """

    __tablename__ = "log"
    __table_args__ = (UniqueConstraint("game", "seq", name="uq_log_game_seq"),)

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id")
    seq: int
    seat: int
    user: str
    payload: str = Field(sa_type=Text)
    told: str = Field(sa_type=Text)
    interaction: str | None = Field(default=None, unique=True)
    at: int = Field(sa_type=LARGE)
    made_by: str = ""


class BoardRow(SQLModel, table=True):
    """An address of a table's page: the one of all, or that of one player; ``until`` as in ``BoardAddress``."""

    __tablename__ = "board"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    token: str = Field(unique=True)
    until: int = Field(default=0, sa_type=LARGE)


class OwnNoteRow(SQLModel, table=True):
    """A note that one person keeps at a table."""

    __tablename__ = "own_note"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    words: str = Field(sa_type=Text)


class DraftRow(SQLModel, table=True):
    """The move that a person has in the making at a table, as their desk had it."""

    __tablename__ = "draft"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    version: int
    path: str
    typed: str = Field(sa_type=Text)
    basket: str = Field(default="[]", sa_type=Text)


class OrderRow(SQLModel, table=True):
    """A standing order; ``payload`` is all of it as JSON."""

    __tablename__ = "standing_order"

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    user: str
    state: str
    payload: str = Field(sa_type=Text)


class OutboxRow(SQLModel, table=True):
    """A post owed to a channel, or a letter owed to a person; ``batch`` names what is sent together, in order.

    ``revision`` counts how often the post was replaced, so that a sender that
    was slower than the next move does not call the newer post sent. ``handed``
    counts how often it was handed out to a sender without a word of what became
    of it: it may have been posted. A letter may be about no game; ``user`` is
    to whom it goes, ``offers`` what its choices mean, and ``number`` what it is
    called where it arrives, if that is not its id, as in those of version 0.2.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due", "state", "due"),
        Index("ix_outbox_batch_sent", "batch", "sent"),
    )

    id: int | None = Field(default=None, primary_key=True)
    batch: str
    game: int | None = Field(default=None, foreign_key="game.id", index=True)
    user: str = Field(default="", index=True)
    key: str = Field(unique=True)
    kind: str
    payload: str = Field(sa_type=Text)
    offers: str = Field(default="", sa_type=Text)
    state: str
    due: int = Field(sa_type=LARGE)
    revision: int = 0
    attempts: int = 0
    handed: int = 0
    error: str = ""
    channel: str = ""
    message: str = ""
    created: int = Field(sa_type=LARGE)
    sent: int | None = Field(default=None, sa_type=LARGE)
    number: int | None = Field(default=None, index=True)


class ObligationRow(SQLModel, table=True):
    """What one person is asked to do at a table; ``subject`` is the key of the post that asks.

    ``slot`` is that too, but for turns, of which a person has one at a table: the next overwrites it.
    """

    __tablename__ = "obligation"

    game: int = Field(foreign_key="game.id", primary_key=True)
    slot: str = Field(primary_key=True)
    user: str = Field(primary_key=True, index=True)
    subject: str
    kind: str
    since: int = Field(sa_type=LARGE)
    first: int = Field(sa_type=LARGE)
    wait: int
    pings: int
    pinged: int = Field(sa_type=LARGE)
    snooze: int = Field(sa_type=LARGE)
    refused: bool
    stands: bool
    open: bool
    due: int | None = Field(default=None, sa_type=LARGE)


class ProposalRow(SQLModel, table=True):
    """Something that one person asks of others; ``terms`` is JSON, ``subject`` what it is about."""

    __tablename__ = "proposal"

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    proposer: str
    subject: str
    terms: str = Field(sa_type=Text)
    version: int
    needed: str = Field(sa_type=Text)
    voters: str = Field(default="[]", sa_type=Text)
    enough: int = 0
    absent: str = ""
    state: str
    created: int = Field(sa_type=LARGE)
    expires: int = Field(sa_type=LARGE)
    interaction: str | None = Field(default=None, unique=True)


class VoteRow(SQLModel, table=True):
    """What one person said to a proposal, last word."""

    __tablename__ = "vote"

    proposal: int = Field(foreign_key="proposal.id", primary_key=True)
    user: str = Field(primary_key=True)
    yes: bool
    at: int = Field(sa_type=LARGE)


class CallsRow(SQLModel, table=True):
    """When one person may be called; hours are of their zone."""

    __tablename__ = "calls"

    user: str = Field(primary_key=True)
    reminders: bool = True
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = "UTC"
    place: str = "table"
    delay: int = 0
    every: int = 0
    most: int = 5
    digest: int = -1
    digested: str = ""
    away_from: int = Field(default=0, sa_type=LARGE)
    away_to: int = Field(default=0, sa_type=LARGE)
    away_note: str = ""
    on_deck: bool = False


class StyleRow(SQLModel, table=True):
    """How one person wants to see things."""

    __tablename__ = "style"

    user: str = Field(primary_key=True)
    palette: str = "standard"
    text_first: bool = False
    hidden: bool = False


class LessonRow(SQLModel, table=True):
    """How far one person is in a lesson; ``moves`` is JSON."""

    __tablename__ = "lesson"

    user: str = Field(primary_key=True)
    title: str = Field(primary_key=True)
    lesson: str = Field(primary_key=True)
    moves: str = Field(default="[]", sa_type=Text)
    tries: int = 0
    done: bool = False
    at: int = Field(sa_type=LARGE)


class ServerRow(SQLModel, table=True):
    """What those who run a server decided for it; ``rules`` is JSON."""

    __tablename__ = "server"

    guild: str = Field(primary_key=True)
    rules: str = Field(sa_type=Text)


class AuditRow(SQLModel, table=True):
    """What a person who runs a server did there with the bot: only ever added."""

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    guild: str = Field(index=True)
    at: int = Field(sa_type=LARGE)
    user: str
    name: str
    words: str = Field(sa_type=Text)


class ScoreRow(SQLModel, table=True):
    """What a seat had at the end of a finished game, and its place."""

    __tablename__ = "score"

    game: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    user: str = Field(index=True)
    name: str
    total: int
    place: int


class LeaseRow(SQLModel, table=True):
    """Who does something alone, until when: the posts of a table, a chore. ``holder`` is a process, "" no one."""

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    holder: str
    until: int = Field(sa_type=LARGE)


class NoteRow(SQLModel, table=True):
    """A word the program keeps for itself: what was declared to Discord, when the last backup was made."""

    __tablename__ = "note"

    name: str = Field(primary_key=True)
    words: str = Field(sa_type=Text)


class ContactRow(SQLModel, table=True):
    """An address of a person's own, at which they are written to; ``address`` is folded."""

    __tablename__ = "contact"

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True)
    user: str = Field(index=True)
    name: str
    state: str
    epoch: int = 1
    code: str = ""
    tries: int = 0
    until: int = Field(default=0, sa_type=LARGE)
    asked: int = Field(default=0, sa_type=LARGE)


class IncomingRow(SQLModel, table=True):
    """What a person wrote to us, and what became of it. Letters are in the outbox.

    ``name`` is made of what its sender calls it, ``content`` of what is signed in it: its date and its text.
    """

    __tablename__ = "incoming"
    __table_args__ = (Index("ix_incoming_contact_at", "contact", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    content: str = Field(index=True)
    at: int = Field(index=True, sa_type=LARGE)
    until: int = Field(sa_type=LARGE)
    fate: str
    contact: int
    game: int
    proven: bool
    words: str


class ProofCodeRow(SQLModel, table=True):
    """The code that an address must send with what comes in its name; ``used`` is what it proved."""

    __tablename__ = "proof_code"

    contact: int = Field(primary_key=True)
    game: int = Field(primary_key=True)
    turn: int = Field(primary_key=True)
    code: str
    tries: int
    until: int = Field(sa_type=LARGE)
    used: str
