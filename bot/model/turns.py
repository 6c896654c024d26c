"""The posts that a log entry owes: the result of a turn that is over, the next turn, the end."""

from collections.abc import Sequence

import msgspec

from bot.model.clock import DAY
from bot.model.orders import Order, change_order, describe_order
from bot.model.posts import (
    MAX_DAILY_REMINDERS,
    MAX_LINE_LENGTH,
    MAX_SENTENCES_IN_LINE,
    PING_DELAY_SECONDS,
    REMINDER_SECONDS,
    SAME_WAITS,
    STAND_IN_SECONDS,
    Bulletin,
    Card,
    End,
    Errand,
    Owed,
    Pictures,
    Prompt,
    StopNote,
    Story,
    Summary,
    Turn,
    Whisper,
    build_pictures_key,
    build_turn_key,
)
from bot.model.records import Position, Seat, Table
from bot.model.seating import join_names, list_ranking
from bot.model.standing import hands_over
from engine.title import insert_names


class LogStep(msgspec.Struct, frozen=True):
    """A log entry about to be stored, seen from the table.

    Args:
        before: the position it was said in; ``None`` at the deal.
        after: the position it leads to, with ``table.turn_from`` of the turn then running.
        user: who said it. told: sentences of the whole turn so far, its own included.
        now: the moment. live: two different players acted within the last five minutes.
        followed: people who don't play follow the table.
    """

    before: Position | None
    after: Position
    user: str
    told: tuple[str, ...]
    now: int
    live: bool
    followed: bool = False


def list_posts(step: LogStep, card_due: int = 0) -> list[Owed]:
    """Return the posts that a stored log entry (or the deal) owes; the table message is due at a moment, or now."""
    after = step.after
    table, version = after.table, after.version
    if table.privacy == "private" and table.home.guild:
        return []  # a table to think at has no place, and its owner sees it all on the desk
    posts = [Owed(f"{table.id}:card", Card(table.id), max(step.now, card_due))]
    posts += [Owed(f"{table.id}:bulletin", Bulletin(table.id), step.now)] * step.followed
    passed = step.before is None or hands_over(step.before.game, after.game)
    if step.before is not None and passed:
        summary = _make_summary(step.before.table, after, step)
        posts.append(Owed(f"{table.id}:summary:{step.before.table.turn_from}", summary, step.now))
        if table.is_lost:
            posts += _tell_in_private(step, f"“{table.name}” (game {table.id}): {summary.line}")
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


def _tell_in_private(step: LogStep, text: str) -> list[Owed]:
    """Return a word to each player but the one who acted; those without an account get letters anyway."""
    table, version = step.after.table, step.after.version
    others = [user for user in table.people if user != step.user and user.isdecimal()]
    return [
        Owed(f"{table.id}:result:{version}:{user}", Whisper(table.id, user, text, silent=True), step.now)
        for user in others
    ]


def _make_summary(old: Table, after: Position, step: LogStep) -> Summary:
    between = "\n" if len(step.told) > MAX_SENTENCES_IN_LINE else " · "
    line = between.join(sentence.rstrip(".") for sentence in step.told) or "—"
    line = line if len(line) <= MAX_LINE_LENGTH else line[: MAX_LINE_LENGTH - 1] + "…"
    follows = build_turn_key(old.id, old.turn_from)
    return Summary(old.id, after.version, old.turn_from, len(after.game.line), line, follows)


def _list_turn_posts(after: Position, step: LogStep, *, passed: bool) -> list[Owed]:
    table = after.table
    key = build_turn_key(table.id, table.turn_from)
    actors = after.actors
    mention = list_called(actors)
    wanted = tuple(user for user in mention if user != step.user)
    turn = Turn(
        table.id, after.version, table.turn_from, actors, mention, after.ask(), find_delay(step),
        told=(step.user,) if step.user else (), wait=find_wait(table) if wanted or len(table.people) > 1 else 0,
        patience=find_patience(table), others=tuple(u for u in list_called(table.seats) if u not in mention),
        lost=table.is_lost,
    )  # fmt: skip
    posts = [Owed(key, turn, step.now)]
    if passed:
        posts.append(_make_pictures(after, step, key))
    if passed or any(seat.stand_in for seat in actors):  # it has made as many moves as it may in one go
        posts += _list_unheld(after, step.now)
    return posts


def find_delay(step: LogStep) -> int:
    """Return after how many seconds those who must decide are called; where no one sees the others play, at once."""
    home = step.after.table.home
    return PING_DELAY_SECONDS if step.live and (home.channel or home.thread) else 0


def find_wait(table: Table) -> int:
    """Return after how many seconds a table reminds those for whom it waits; 0 while its clock is paused."""
    return 0 if table.clock is not None and table.clock.paused else REMINDER_SECONDS[table.pace]


def find_patience(table: Table) -> int:
    """Return after how many seconds the others are asked; 0 where no one is left to ask, or a clock tells when."""
    is_asked = len(table.people) > 1 and table.clock is None
    return SAME_WAITS * REMINDER_SECONDS[table.pace] + MAX_DAILY_REMINDERS * DAY if is_asked else 0


def list_called(actors: Sequence[Seat]) -> tuple[str, ...]:
    """Return the ids of those who are called when these seats must decide."""
    return tuple(dict.fromkeys(seat.caller for seat in actors if seat.caller))


def list_recall_posts(here: Position, now: int) -> list[Owed]:
    """Return the posts owed when others than before decide in a turn that has begun: they are pinged for it."""
    table, ask = here.table, here.ask() if here.actors else None
    posts = [Owed(f"{table.id}:card", Card(table.id), now)]
    if ask is None or table.state != "running":
        return posts
    mention, wait = list_called(here.actors), find_wait(table)
    turn = Turn(
        table.id, here.version, table.turn_from, here.actors, mention, ask, wait=wait, patience=find_patience(table),
        lost=table.is_lost,
    )  # fmt: skip
    return [*posts, Owed(build_turn_key(table.id, table.turn_from), turn, now), *_list_unheld(here, now)]


def list_readers(table: Table, orders: Sequence[tuple[str, Order]]) -> list[tuple[str, Order]]:
    """Return who is concerned by orders, each with who set it, as they see them: who set it, and who holds the seat."""
    found = list[tuple[str, Order]]()
    for setter, order in orders:
        holder = table.seats[order.seat].user
        found.append((setter, order))
        if holder not in ("", setter):
            found.append((holder, change_order(order, by_proxy=True)))
    return found


def list_stop_posts(
    after: Position, stopped: Sequence[tuple[str, Order]], now: int, by: str = "", delay: int = 0
) -> list[Owed]:
    """Return the posts that tell those concerned by standing orders why they have stopped, and who is called.

    Args:
        after: the position then.
        stopped: the orders, with their readers.
        now: the moment.
        by: who stopped them, and knows of it.
        delay: seconds until those are called who must decide.
    """
    table, owed = after.table, list[Owed]()
    if table.privacy == "private" and table.home.guild:
        return []
    for owner in dict.fromkeys(owner for owner, _ in stopped):
        mine = [order for each, order in stopped if each == owner]
        words = [
            f"{'The' if each.by_proxy else 'Your'} order stopped ({describe_order(each)}): "
            f"{insert_names(each.reason, table.names)}"
            for each in mine
        ]
        seats = [seat.number for seat in after.actors]
        if set(seats) & set(table.list_playable(owner)):
            words.append("It's your turn.")
        elif seats:
            words.append(f"It's {join_names([seat.name for seat in after.actors])}'s turn.")
        note = StopNote(table.id, " ".join(words), (owner,), silent=owner == by)
        due = now + delay * (owner in list_called(after.actors))  # with the call to the turn
        owed.append(Owed(f"{table.id}:order:{mine[0].id}{':holder' * mine[0].by_proxy}", note, due))
    return owed


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
    return [Owed(f"{table.id}:deserted:{table.turn_from}", Prompt(table.id, text, (table.host,)), now)]


def _make_pictures(after: Position, step: LogStep, follows: str) -> Owed:
    since = sum(place < step.before.table.turn_from for place in after.game.line) if step.before else 0
    post = Pictures(after.table.id, after.version, len(after.game.line), since, after.game.pictures(), follows)
    return Owed(build_pictures_key(after.table.id, after.version), post, step.now)
