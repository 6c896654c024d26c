"""Who sits where, who may act, and what the others are told."""

from collections.abc import Sequence

import msgspec

from bot.model.errors import BotError, StaleError
from bot.model.records import Outcome, Position, Proposal, Seat, SeatOrder, Table
from bot.model.standing import Standing
from engine import Game, LogEntry, Result, Rng, words
from engine.player import find_rejection

_ORDER_SALT = 0x5EA7


def join_names(names: list[str] | tuple[str, ...]) -> str:
    """Return names as a sentence has them, each once: "Alice, Bob and Carol"."""
    return words.join_words(list(dict.fromkeys(names)))


def refuse_guest(table: Table, user: str, what: str) -> None:
    """Refuse a user who is not the host.

    Raises:
        BotError: they are not.
    """
    if user != table.host:
        name = join_names([seat.name for seat in table.seats if seat.user == table.host])
        raise BotError(f"Only the host{f', {name},' * bool(name)} can {what}.")


def list_acting_seats(here: Position, user: str) -> tuple[int, ...]:
    """Return the seats a user may act for that must decide now, first to act first."""
    held = here.table.list_playable(user) if here.table.state == "running" and not here.damage else ()
    return tuple(seat for seat in here.game.actors if seat in held)


def find_viewing_seat(here: Position, user: str) -> int | None:
    """Return the seat whose secrets a user may see: the acting one at a hot seat; ``None`` for a stranger."""
    held = here.table.list_playable(user)
    acting = [seat for seat in here.game.actors if seat in held]
    return next(iter((*acting, *held)), None)


def count_moves_at_last_turn(game: Game | Standing, seat: int | None) -> int:
    """Return the number of moves in force when a seat last acted; changes after it are new to it."""
    if seat is None:
        return max(0, len(game.line) - 1)
    return max((count for count, position in enumerate(game.line, 1) if game.log[position].seat == seat), default=0)


def describe_move(here: Position, seat: int, user: str, told: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is told of a move, and by whom it was made if not by the holder of the seat."""
    there = next(each for each in here.table.seats if each.number == seat)
    if there.user == user:
        return told
    return (f"{there.proxy_name or here.table.find_name(user)} acts for {there.name}.", *told)


def explain_blocked(here: Position, user: str, verb: str = "") -> str:
    """Return why a user cannot act now, or never with a verb that the game doesn't have."""
    table = here.table
    if here.damage:
        return describe_damage(here)
    if table.state == "closed":
        return f"“{table.name}” is closed: you can look at it, but not play."
    if table.state == "finished":
        return f"“{table.name}” is over. /view table shows the final position."
    if not table.list_playable(user):
        return (
            f"You have no seat at “{table.name}”. The players are {join_names(table.names)}. "
            "You can look at everything public."
        )
    if verb and not any(verb == kind.verb for kind in here.game.title.actions):
        return f"{here.game.title.name} has no /act {verb[:40]}."
    waiting = join_names([seat.name for seat in here.actors])
    ask = here.ask()
    return f"It's not your turn: {waiting} must {ask.kind} ({ask.headline}). You can always look: /view map."


def refuse_repeated_offer(here: Position, said: LogEntry) -> None:
    """Refuse an offer that was turned down, if nothing but offers and answers has been played since.

    Raises:
        BotError: says who turned it down, and when it can be made again.
    """
    reply = find_rejection(here.game.title.replies, here.game.list_actions(), said.seat, said.action)
    if reply is not None:
        raise BotError(
            f"{here.table.names[reply.seat]} has turned this offer down. You can make a different offer now; the same "
            "one can be made again once something else has been played."
        )


def describe_damage(here: Position) -> str:
    """Say that a table is read-only, and why."""
    return (
        f"“{here.table.name}” is read-only because its stored game is damaged: {here.damage}. "
        "It shows the last intact position. The operator can restore it with “stationmaster check --repair”."
    )


def refuse_damaged(here: Position) -> None:
    """Refuse whatever would change a table whose log is damaged.

    Raises:
        BotError: it is.
    """
    if here.damage:
        raise BotError(describe_damage(here))


def refuse_unseated(here: Position, user: str) -> None:
    """Refuse a user who has no seat, or a game that cannot be changed any more.

    Raises:
        BotError: with the reason.
    """
    refuse_damaged(here)
    if here.table.state == "closed" or not here.table.list_playable(user):
        raise BotError(explain_blocked(here, user))


def refuse_stale(here: Position, version: int | None) -> None:
    """Refuse a control that was drawn for an earlier position.

    Raises:
        StaleError: it was. BotError: the table is damaged.
    """
    if version is not None:
        refuse_damaged(here)
    if version is not None and version != here.version:
        raise StaleError(f"That menu is out of date; the game has moved on. {describe_waiting(here)}", here.version)


def make_race_error(here: Position) -> StaleError:
    """Return the refusal for a user who lost a race."""
    return StaleError(
        f"Another player moved first, so your move wasn't played. {describe_waiting(here)}",
        here.version,
        moved_first=True,
    )


def describe_waiting(here: Position) -> str:
    """Say in one sentence what the game waits for."""
    if not here.actors:
        return describe_damage(here) if here.damage else f"“{here.table.name}” is over."
    ask = here.ask()
    return f"Now: {ask.headline} — {join_names([seat.name for seat in here.actors])} to {ask.kind}."


def list_ranking(result: Result, names: Sequence[str], dash: str = " —") -> tuple[str, ...]:
    """Return who came in which place with what, a line each: "1. Ann — £640"."""
    return tuple(
        f"{place}. {names[score.seat]}{dash} {result.currency}{score.total:,}"
        for place, score in enumerate(result.scores, 1)
    )


def make_outcome(
    here: Position, told: tuple[str, ...], *, handed_over: bool = False, line: str = "", repeated: bool = False,
    proposal: Proposal | None = None,
) -> Outcome:  # fmt: skip
    """Return what the person who acted is told."""
    ask = here.ask() if here.actors else None
    actors: tuple[Seat, ...] = here.actors
    result = here.game.result()
    return Outcome(here.table, here.version, told, ask, actors, handed_over, line, repeated, proposal, result)


def arrange_seats(table: Table, order: SeatOrder, seating: Sequence[str]) -> list[Seat]:
    """Return the seats as they are to sit, each with the number it has so far."""
    if order == "random":
        return Rng(table.seed ^ _ORDER_SALT).shuffle(table.seats)
    if order == "as joined":
        return list(table.seats)
    left = list(table.seats)
    seats = [seat for user in seating for seat in left if seat.user == user]
    if sorted(seat.number for seat in seats) != list(range(len(left))):
        raise BotError(f"Name each player once, in seating order: {join_names(table.names)}.")
    return seats


def number_seats(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return seats numbered as they stand."""
    return tuple(msgspec.structs.replace(seat, number=number) for number, seat in enumerate(seats))
