"""The schema of each release as a step from the one before; a new database takes them all.

A change after the last release joins the last step: only the schemas of releases can be migrated.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic.operations import Operations

from bot.store.salvage import add_copies
from bot.store.tables import LARGE


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), primary_key=True)


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), primary_key=True)


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _long(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _int(*names: str, large: bool = False, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, LARGE if large else sa.Integer(), nullable=nullable) for name in names]


def _bool(*names: str) -> list[sa.Column[bool]]:
    return [sa.Column(name, sa.Boolean(), nullable=False) for name in names]


def _unique(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable, unique=True)


def _of_game(*, is_key: bool = False) -> sa.Column[int]:
    return sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), primary_key=is_key, nullable=False)


def _new(
    name: str, default: str | sa.ColumnElement[bool] = "", kind: sa.types.TypeEngine[Any] | None = None
) -> sa.Column[Any]:
    """Return a column for rows that are there already."""
    return sa.Column(name, kind or sa.String(), nullable=False, server_default=default)


def _index(op: Operations, table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, [*columns])


def _make_0002(op: Operations) -> None:
    """Make the tables of version 0.1."""
    op.create_table(
        "game", _id(), *_text("name", "title"), *_long("options"), *_int("seed", "rules", "places"),
        *_text("host", "state", "pace", "privacy", "seating", "guild", "channel", "thread", "message"),
        *_int("created", "expires"), *_int("started", "ended", nullable=True), *_int("turn_from"),
        *_text("fingerprint", "reason"), _unique("interaction", nullable=True),
    )  # fmt: skip
    op.create_table(
        "seat", _id(), _of_game(), *_int("number"), *_text("user", "name"), *_int("joined"),
        *_int("gone", nullable=True), sa.Column("replaced_by", sa.String(), nullable=True),
    )  # fmt: skip
    op.create_table("invite", _of_game(is_key=True), _key("user"), *_int("at"))
    op.create_table("style", _key("user"), *_text("palette"), *_bool("text_first"))
    op.create_table(
        "log", _id(), _of_game(), *_int("seq", "seat"), *_text("user"), *_long("payload", "told"),
        _unique("interaction", nullable=True), *_int("at"), sa.UniqueConstraint("game", "seq", name="uq_log_game_seq"),
    )  # fmt: skip
    op.create_table(
        "outbox", _id(), _of_game(), _unique("key"), *_text("kind"), *_long("payload"), *_text("state"),
        *_int("due", "revision", "attempts"), *_text("error", "channel", "message"), *_int("created"),
        *_int("sent", nullable=True),
    )  # fmt: skip
    op.create_table(
        "proposal", _id(), _of_game(), *_text("proposer"), *_int("back_to", "version"), *_long("needed", "lost"),
        *_text("state"), *_int("created", "expires"), _unique("interaction", nullable=True),
    )  # fmt: skip
    op.create_table(
        "vote", sa.Column("proposal", sa.Integer(), sa.ForeignKey("proposal.id"), primary_key=True), _key("user"),
        *_bool("yes"), *_int("at"),
    )  # fmt: skip
    op.create_table("calls", _key("user"), *_bool("reminders"), *_int("quiet_from", "quiet_to"), *_text("zone"))
    for table, *columns in (
        ("game", "state"), ("game", "thread"), ("seat", "game"), ("seat", "user"), ("outbox", "game"),
        ("outbox", "state", "due"), ("proposal", "game"),
    ):  # fmt: skip
        _index(op, table, *columns)


_LARGE_0014: Mapping[str, tuple[str, ...]] = {
    "game": ("seed", "created", "expires", "started", "ended"),
    "seat": ("joined", "gone"),
    "invite": ("at",),
    "log": ("at",),
    "outbox": ("due", "created", "sent"),
    "proposal": ("created", "expires"),
    "vote": ("at",),
}
"""Columns that need 64 bits, which servers keep since version 0.2; SQLite's integers have them anyway."""


def _add_columns_of_0014(op: Operations) -> None:
    added: Mapping[str, Sequence[sa.Column[Any]]] = {
        "outbox": [_new("handed", "0", sa.Integer())],
        "proposal": [
            *(_new("subject"), _new("terms", kind=sa.Text()), _new("voters", "[]", sa.Text())),
            *(_new("enough", "0", sa.Integer()), _new("absent")),
        ],
        "seat": [
            _new("proxy"),
            _new("proxy_name"),
            _new("stand_in", sa.false(), sa.Boolean()),
            _new("once", sa.false(), sa.Boolean()),
        ],
        "log": [_new("made_by")],
        "calls": [
            *(_new("place", "table"), _new("delay", "0", sa.Integer()), _new("every", "0", sa.Integer())),
            *(_new("most", "5", sa.Integer()), _new("digest", "-1", sa.Integer()), _new("digested")),
            *(_new("away_from", "0", LARGE), _new("away_to", "0", LARGE), _new("away_note")),
            _new("on_deck", sa.false(), sa.Boolean()),
        ],
        "game": [_new("clock", kind=sa.Text()), _new("imported", sa.false(), sa.Boolean())],
    }
    for table, news in added.items():
        for column in news:
            op.add_column(table, column)


def _make_0014(op: Operations) -> None:
    """Upgrade the tables of version 0.1 to those of version 0.2."""
    _add_columns_of_0014(op)
    op.create_table("lease", _key("name"), *_text("holder"), *_int("until", large=True))
    op.create_table("note", _key("name"), *_long("words"))
    op.create_table("standing_order", _id(), _of_game(), *_text("user", "state"), *_long("payload"))
    op.create_table("own_note", _of_game(is_key=True), _key("user"), *_long("words"))
    op.create_table("server", _key("guild"), *_long("rules"))
    op.create_table(
        "audit", _id(), *_text("guild"), *_int("at", large=True), *_text("user", "name"), *_long("words")
    )  # fmt: skip
    op.create_table(
        "draft", _of_game(is_key=True), _key("user"), *_int("version"), *_text("path"), *_long("typed"),
        _new("basket", "[]", sa.Text()),
    )  # fmt: skip
    op.create_table(
        "contact", _id(), _unique("address"), *_text("user", "name", "state"), *_int("epoch"), *_text("code"),
        *_int("tries"), *_int("until", "asked", large=True),
    )  # fmt: skip
    op.create_table(
        "letter", _id(), *_int("game"), _unique("key"), *_text("user"), *_long("payload", "offers"), *_text("state"),
        *_int("due", large=True), *_int("attempts", "handed"), *_text("error"), *_int("created", large=True),
        *_int("sent", large=True, nullable=True),
    )  # fmt: skip
    op.create_table(
        "score", _of_game(is_key=True), sa.Column("seat", sa.Integer(), primary_key=True), *_text("user", "name"),
        *_int("total", "place"),
    )  # fmt: skip
    for table, *columns in (
        ("standing_order", "game"), ("audit", "guild"), ("contact", "user"), ("letter", "state", "due"),
        ("score", "user"),
    ):  # fmt: skip
        _index(op, table, *columns)
    _renumber_shared_seats(op)
    held = sa.text("gone IS NULL")
    op.create_index("uq_seat_held", "seat", ["game", "number"], unique=True, sqlite_where=held, postgresql_where=held)
    _write_terms(op)
    if op.get_bind().dialect.name == "postgresql":
        for table, names in _LARGE_0014.items():
            for name in names:
                op.alter_column(table, name, type_=sa.BigInteger())


def _renumber_shared_seats(op: Operations) -> None:
    """Give a number of its own to a seat that two people hold: in a race, two could once sit down on one."""
    seat = sa.table("seat", sa.column("id"), sa.column("game"), sa.column("number"), sa.column("gone"))
    held = sa.select(seat.c.id, seat.c.game, seat.c.number).where(seat.c.gone.is_(None)).order_by(seat.c.id)
    taken: defaultdict[int, set[int]] = defaultdict(set)
    for row in op.get_bind().execute(held).all():
        number = row.number
        if number in taken[row.game]:
            number = max(taken[row.game]) + 1
            op.execute(seat.update().where(seat.c.id == row.id).values(number=number))
        taken[row.game].add(number)


def _write_terms(op: Operations) -> None:
    """Write the requests to take moves back, which were the only ones in version 0.1, as terms."""
    proposal = sa.table("proposal", *(sa.column(name) for name in ("id", "back_to", "lost", "subject", "terms")))
    for row in op.get_bind().execute(sa.select(proposal.c.id, proposal.c.back_to, proposal.c.lost)).all():
        lost = json.loads(row.lost)
        terms = json.dumps({"ask": "takeback", "to": row.back_to, "lost": lost, "count": len(lost)})
        op.execute(proposal.update().where(proposal.c.id == row.id).values(subject="takeback", terms=terms))
    with op.batch_alter_table("proposal") as table:
        table.drop_column("back_to")
        table.drop_column("lost")


_MOVED = '"key", "user", offers, state, due, attempts, handed, error, created, sent'


def _make_0017(op: Operations) -> None:
    """Upgrade the tables of version 0.2.

    Letters join the posts, with ids after those of all posts, and keep their numbers; pings become obligations.
    """
    for table, column in (
        *(
            ("game", _new("barred")),
            ("game", _new("experience", "anyone")),
            ("game", _new("season", "0", sa.Integer())),
        ),
        *(("seat", _new("manner")), ("style", _new("hidden", sa.false(), sa.Boolean()))),
    ):
        op.add_column(table, column)
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(_new("batch"))
        outbox.add_column(_new("user"))
        outbox.add_column(_new("offers", kind=sa.Text()))
        outbox.add_column(sa.Column("number", sa.Integer(), nullable=True))
        outbox.alter_column("game", existing_type=sa.Integer(), nullable=True)
    op.execute("UPDATE outbox SET batch = CASE kind WHEN 'expire' THEN 'expiries' ELSE 'posts:' || game END")
    op.execute(
        f"""INSERT INTO outbox (id, number, game, kind, batch, payload, revision, channel, message, {_MOVED})
        SELECT id + (SELECT coalesce(max(id), 0) FROM outbox), id, nullif(game, 0), 'letter', 'letters',
        '{{"post":"letter",' || substr(payload, 2), 0, '', '', {_MOVED} FROM letter"""  # noqa: S608  # names of ours
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval(pg_get_serial_sequence('outbox', 'id'), coalesce(max(id), 0) + 1, false) FROM outbox")
    for columns in (("batch", "sent"), ("user",), ("number",)):
        _index(op, "outbox", *columns)
    op.drop_table("letter")
    op.create_table(
        "obligation", _of_game(is_key=True), _key("slot"), _key("user"), *_text("subject", "kind"),
        *_int("since", "first", large=True), *_int("wait", "pings"), *_int("pinged", "snooze", large=True),
        *_bool("refused", "stands", "open"), *_int("due", large=True, nullable=True),
    )  # fmt: skip
    _index(op, "obligation", "user")
    kept: list[Any] = [*_long("moves"), *_int("tries"), *_bool("done"), *_int("at", large=True)]
    op.create_table("lesson", _key("user"), _key("title"), _key("lesson"), *kept)
    _write_obligations(op)
    read: list[Any] = [*_text("content"), *_int("at", "until", large=True), *_text("fate"), *_int("contact", "game")]
    op.create_table("incoming", _id(), _unique("name"), *read, *_bool("proven"), *_text("words"))
    for columns in (("content",), ("at",), ("contact", "at")):
        _index(op, "incoming", *columns)
    op.create_table("board", _of_game(is_key=True), _key("user"), _unique("token"), *_int("until", large=True))
    keys = [sa.Column(name, sa.Integer(), primary_key=True) for name in ("contact", "game", "turn")]
    op.create_table("proof_code", *keys, *_text("code", "used"), *_int("tries"), *_int("until", large=True))
    op.create_table("follow", _of_game(is_key=True), _key("user"), *_int("since"))
    named = _text("guild", "host", "name", "title")
    op.create_table("season", _id(), *named, *_long("options"), *_int("seats"), *_text("pace"), *_bool("open"))
    season = sa.Column("season", sa.Integer(), sa.ForeignKey("season.id"), primary_key=True)
    op.create_table("member", season, _key("user"), *_text("guild", "name"))
    for indexed, name in (("game", "season"), ("season", "guild"), ("member", "user"), ("follow", "user")):
        _index(op, indexed, name)
    add_copies(op.get_bind())


_DAY = 86_400
_WAITS = {"live": 3600, "several a day": 4 * 3600, "daily": 12 * 3600, "relaxed": _DAY}
"""Seconds until the first reminder by the pace of a table, as in version 0.2."""
_OUTBOX = sa.table(
    "outbox",
    *(sa.column(name) for name in ("id", "batch", "game", "user", "key", "kind", "payload", "offers", "state", "due")),
    *(sa.column(name) for name in ("revision", "attempts", "handed", "error", "channel", "message", "created", "sent")),
)


def _write_obligations(op: Operations) -> None:
    """Write the pings and reminders that are owed as obligations, and let each table look when its next ping is due."""
    bind, c = op.get_bind(), _OUTBOX.c
    games = sa.table("game", *(sa.column(name) for name in ("id", "state", "turn_from", "pace", "clock", "guild")))
    asked = sa.table("proposal", *(sa.column(name) for name in ("id", "game", "state")))
    servers = bind.execute(sa.text("SELECT guild, rules FROM server")).all()
    paused = {row.guild for row in servers if _read(row.rules).get("paused")}
    seated = sa.text(
        """SELECT game, count(DISTINCT "user") AS people FROM seat WHERE gone IS NULL AND "user" <> '' GROUP BY game"""
    )
    people = {row.game: row.people for row in bind.execute(seated).all()}
    kinds = ("turn", "ping", "reminder", "ballot", "timeup")
    posts = bind.execute(sa.select(_OUTBOX).where(c.kind.in_(kinds)).order_by(c.id)).all()
    of_game = defaultdict[int, list[Any]](list)
    for post in posts:
        of_game[post.game].append(post)
    for table in bind.execute(sa.select(games).where(games.c.state == "running")).all():
        turn, wait = f"{table.id}:turn:{table.turn_from}", _WAITS.get(table.pace, _DAY)
        ballots = bind.execute(sa.select(asked.c.id).where(asked.c.game == table.id, asked.c.state == "open"))
        subjects = {turn, *(f"{table.id}:ballot:{row.id}" for row in ballots)}
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        for post in of_game[table.id]:
            said = _read(post.payload)
            subject = said.get("follows", post.key)
            for user in said.get("mention", ()) if subject in subjects else ():
                _note_asked(rows.setdefault((subject, user), _make_obligation(subject, user, post, wait)), post, said)
        waits = [row for row in rows.values() if row["subject"] == turn]
        if waits and not table.clock and people.get(table.id, 0) > 1:
            then = 2 * wait + 3 * _DAY
            patience = {"user": "", "first": waits[0]["since"] + then, "wait": then, "pings": 0, "pinged": 0}
            rows[turn, ""] = {**waits[0], **patience}
        if rows:
            names = next(iter(rows.values()))
            op.bulk_insert(sa.table("obligation", *(sa.column(name) for name in names)), [*rows.values()])
            op.execute(_OUTBOX.insert().values(**_make_ring(table.id, "held" if table.guild in paused else "owed")))
    for post in (each for each in posts if each.kind == "timeup"):
        payload = post.payload.replace("timeup", "clockalarm", 1)
        op.execute(_OUTBOX.update().where(c.id == post.id).values(kind="clockalarm", payload=payload))
    op.execute(_OUTBOX.delete().where(c.kind.in_(("ping", "reminder"))))


def _note_asked(row: dict[str, Any], post: Any, said: Mapping[str, Any]) -> None:  # noqa: ANN401  # a row
    """Note in an obligation what a post of version 0.2 did, or was to do."""
    is_owed, number = post.state in ("owed", "paused", "held"), said.get("number", 1)
    if post.kind == "reminder" and is_owed and row["pings"]:  # a first ping that is still owed comes before it
        row |= {"pings": number, "pinged": post.due - (row["wait"] if number < 3 else _DAY)}
    elif post.kind == "reminder" and not is_owed:
        row |= {"pings": number + 1, "pinged": post.sent or post.due}
    elif is_owed and not post.message and (post.kind == "ping" or said.get("quiet") is False):
        row |= {"pings": 0, "first": post.due}


def _make_obligation(subject: str, user: str, post: Any, wait: int) -> dict[str, Any]:  # noqa: ANN401  # a row
    kind = subject.split(":")[1]
    return {
        "game": post.game, "slot": kind if kind == "turn" else subject, "subject": subject, "user": user, "kind": kind,
        "since": post.created, "first": post.created, "wait": wait if kind == "turn" else 0, "pings": 1, "snooze": 0,
        "pinged": post.sent or post.due, "refused": False, "stands": False, "open": True, "due": None,
    }  # fmt: skip


def _read(words: str) -> dict[str, Any]:
    """Return what a row says; nothing if it is damaged, which must not stop the migration."""
    try:
        return dict(json.loads(words))
    except ValueError:
        return {}


def _make_ring(game: int, state: str) -> dict[str, Any]:
    return {
        "batch": f"posts:{game}", "game": game, "user": "", "key": f"{game}:ring", "kind": "ring", "offers": "",
        "payload": json.dumps({"post": "ring", "game": game}), "state": state, "due": 0, "revision": 0,
        "attempts": 0, "handed": 0, "error": "", "channel": "", "message": "", "created": 0,
    }  # fmt: skip


STEPS: Mapping[str, Callable[[Operations], None]] = {"0002": _make_0002, "0014": _make_0014, "0017": _make_0017}
"""By the number of the schema that each leads to, oldest first: those of 0.1, of 0.2 and of this version."""
