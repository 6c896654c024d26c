"""Log entries about to be stored: a move, with those that programs make after it; words that are too long for one."""

from collections.abc import Mapping, Sequence

import msgspec

from bot.model.errors import BotError
from bot.model.records import Position
from bot.model.standing import Facts, Standing, hands_over
from bot.service.workers.tasks import Further
from bot.store import log
from engine import Record, Said
from engine.codec import decode_said

MAX_TEXT = 500
MAX_DIGITS = 15


class Change(Record, frozen=True):
    """A log entry about to be stored: who said what, where it leads, what is told of it.

    ``further`` are moves of programs that follow it, stored with it; ``game`` is where all of it leads.
    """

    said: Said
    user: str
    game: Standing
    told: tuple[str, ...]
    interaction: str | None
    further: tuple[Further, ...] = ()
    made_by: str = ""

    @property
    def all_told(self) -> tuple[str, ...]:
        """What is told of all of it."""
        return (*self.told, *(sentence for each in self.further for sentence in each.told))


def followed(game: Standing, further: Sequence[Further], told: Facts) -> Standing:
    """Return where a game stands after the moves of programs."""
    for each in further:
        game = game.after(decode_said(game.setup.title, each.seat, each.said), told)
    return game


def entries_of(here: Position, change: Change, now: int) -> list[log.NewEntry]:
    """Return the entries of a change as the log has them."""
    table = here.table
    first = log.NewEntry(
        table.id, here.version, change.said, change.user, change.told, now, change.interaction, change.made_by
    )
    holders = {seat.number: seat.user for seat in table.seats}
    return [
        first,
        *(
            log.NewEntry(
                table.id, here.version + place, decode_said(table.title, each.seat, each.said), holders[each.seat],
                each.told, now, made_by=each.made_by,
            )
            for place, each in enumerate(change.further, 1)
        ),
    ]  # fmt: skip


def leads_to(here: Position, change: Change) -> tuple[Position, bool]:
    """Return the position after a change, and whether the turn passes with it."""
    passed = hands_over(here.game, change.game)
    result = change.game.result()
    table = msgspec.structs.replace(
        here.table,
        turn_from=len(change.game.log) if passed else here.table.turn_from,
        state="running" if result is None else "finished",
        reason="" if result is None else result.told,
    )
    return Position(table, change.game, len(change.game.log)), passed


def refuse_monstrous(words: Mapping[str, str]) -> None:
    """Refuse words no move needs, before anything looks into them.

    Raises:
        BotError: a text is too long, or a number too large.
    """
    for name, word in words.items():
        if len(word) > MAX_TEXT or len(name) > MAX_TEXT:
            raise BotError(f"That is too long; {MAX_TEXT} characters are enough for any move.")
        if len(word.strip().lstrip("+-")) > MAX_DIGITS and word.strip().lstrip("+-").isdecimal():
            raise BotError(f"{name} is too large a number.")
