"""What the program's player does at a table: for a seat that it has, and for all others where a player looks ahead."""

import msgspec

from bot.model.orders import Order
from bot.model.standing import read_facts
from bot.service.orders import MAX_CHAIN_MOVES, Chain
from bot.service.workers.jobs import Held, Task
from bot.service.workers.tasks import Followed, FurtherMove, list_further, note_further
from engine import Game, Record, Rng
from engine.player import read_manner, think_of_action
from engine.setup import ADVICE, may_advise

STAND_IN_MAKER = "stand-in"
MAX_MOVES_FORESEEN = 200
_SALT = 0x9E3779B1


class SeatToPlay(Record, frozen=True):
    """A seat at which the program's player is to move in a manner, after so many tries each; orders at the table."""

    seat: int
    names: tuple[str, ...]
    orders: tuple[Order, ...]
    tries: int = 0
    manner: str = ""


def _play_stand_in(held: Held, sitting: SeatToPlay) -> Followed:
    """Let the program's player move for a seat until another must decide; orders of others are followed in between."""
    game, orders = held.game, sitting.orders
    found: list[FurtherMove] = []
    while sitting.seat in game.ask().seats and len(found) < MAX_CHAIN_MOVES:
        rng = Rng(game.setup.seed + _SALT * (len(game.log) + 1))
        thought = think_of_action(game, sitting.seat, rng, sitting.tries, read_manner(sitting.manner))
        played = game.play(sitting.seat, thought.action)
        made = note_further(played.game, sitting.seat, played.events, sitting.names, STAND_IN_MAKER)
        found.append(_add_reason(made, thought.reason) if _tells_reasons(game) else made)
        chain = Chain(played.game, orders, played.events)
        chain.run(MAX_CHAIN_MOVES - len(found))
        found += list_further(chain, sitting.names)
        game, orders = chain.game, tuple(chain.orders.values())
    held.remember_tried(game)
    changed = tuple(order for order, old in zip(orders, sitting.orders, strict=True) if order != old)
    return Followed(None, tuple(found), changed, read_facts(game))


def _tells_reasons(game: Game) -> bool:
    """Return whether all may read why the stand-in moves: where a title judges moves, that is the table's choice."""
    return ADVICE not in game.title.options or may_advise(game.setup.options, private=False)


def _add_reason(made: FurtherMove, reason: str) -> FurtherMove:
    """Return a move whose first sentence says why, too."""
    first, *others = made.told or ("",)
    if not reason or not first.endswith("."):
        return made
    return msgspec.structs.replace(made, told=(f"{first[:-1]}: {reason}.", *others))


class Foresee(Record, frozen=True):
    """Whose next turn is looked for, and the names of the players."""

    seats: tuple[int, ...]
    names: tuple[str, ...]


def _foresee(held: Held, asked: Foresee) -> list[FurtherMove]:
    """Return the moves that the program would make for all others until one of the seats must decide."""
    game, title = held.game, held.game.title
    found: list[FurtherMove] = []
    while (seats := game.ask().seats) and not set(asked.seats) & set(seats) and len(found) < MAX_MOVES_FORESEEN:
        seat = seats[0]
        rng = Rng(game.setup.seed + len(game.log))
        played = game.play(seat, title.advice.choose(game.state, seat, rng))
        game = played.game
        found.append(note_further(game, seat, played.events, asked.names, STAND_IN_MAKER))
    return found


STAND_IN = Task("stand-in", _play_stand_in, SeatToPlay, Followed, lane="moves")
STAND_IN_THINKING = Task("stand-in thinking", _play_stand_in, SeatToPlay, Followed, lane="searches", rank=4)
FORESEEN = Task("foreseen", _foresee, Foresee, list[FurtherMove], lane="searches")
