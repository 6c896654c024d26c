"""What the program's player does at a table: for a seat that it has, and for all others where a player looks ahead."""

import msgspec

from bot.model.orders import Order
from bot.model.standing import read_facts
from bot.service.orders import MAX_CHAIN_MOVES, Chain
from bot.service.workers.choices import TipRow, encode_tips
from bot.service.workers.jobs import Held, Task
from bot.service.workers.tasks import Followed, FurtherMove, list_further, note_further
from engine import Action, Game, Record, Rng, Tip
from engine.player import STRONGEST, Manner, read_manner, think_of_action
from engine.thinking import Thought

STAND_IN_MAKER = "stand-in"
TRIES = 24
"""Of moves, before each move of the program's player: about a tenth of a second."""
MAX_MOVES_FORESEEN = 200
MAX_OTHERS_TOLD = 3
_SALT = 0x9E3779B1


class SeatToPlay(Record, frozen=True):
    """A seat at which the program's player is to move, and how.

    Args:
        names: of the players. orders: that hold at the table.
        tries: before each move. manner: as ``engine.player.read_manner`` knows it.
        says_why: the moves are told with their reasons.
    """

    seat: int
    names: tuple[str, ...]
    orders: tuple[Order, ...]
    tries: int = 0
    manner: str = ""
    says_why: bool = False


def _play_stand_in(held: Held, sitting: SeatToPlay) -> Followed:
    """Let the program's player move for a seat until another must decide; orders of others are followed in between."""
    game, orders = held.game, sitting.orders
    found: list[FurtherMove] = []
    while sitting.seat in game.ask().seats and len(found) < MAX_CHAIN_MOVES:
        thought = _think(game, sitting.seat, sitting.tries, read_manner(sitting.manner))
        played = game.play(sitting.seat, thought.action)
        made = note_further(played.game, sitting.seat, played.events, sitting.names, STAND_IN_MAKER)
        found.append(_add_reason(made, thought.reason) if sitting.says_why else made)
        chain = Chain(played.game, orders, played.events)
        chain.run(MAX_CHAIN_MOVES - len(found))
        found += list_further(chain, sitting.names)
        game, orders = chain.game, tuple(chain.orders.values())
    held.remember_tried(game)
    changed = tuple(order for order, old in zip(orders, sitting.orders, strict=True) if order != old)
    return Followed(None, tuple(found), changed, read_facts(game))


def _think(game: Game, seat: int, tries: int, manner: Manner = STRONGEST) -> Thought:
    """Return what the program would do; its chances follow from the log."""
    return think_of_action(game, seat, Rng(game.setup.seed + _SALT * (len(game.log) + 1)), tries, manner)


def _add_reason(made: FurtherMove, reason: str) -> FurtherMove:
    """Return a move whose first sentence says why, too."""
    first, *others = made.told or ("",)
    if not reason or not first.endswith("."):
        return made
    return msgspec.structs.replace(made, told=(f"{first[:-1]}: {reason}.", *others))


class CounselAsked(Record, frozen=True):
    """Who asks what the program would do, after so many tries."""

    seat: int
    tries: int


def _give_counsel(held: Held, asked: CounselAsked) -> tuple[TipRow, ...]:
    """Return what the program would do in the seat, with its reason, and what else it tried, the best first."""
    game = held.game
    title, state = game.title, game.state
    thought = _think(game, asked.seat, asked.tries)

    def describe(action: Action, reason: str = "") -> Tip:
        spelled = title.spell_out(state, asked.seat, action)
        return Tip(spelled, title.words.label(state, spelled, ""), reason=reason)

    others = [each.action for each in thought.alternatives if each.action != thought.action]
    return encode_tips([describe(thought.action, thought.reason), *map(describe, others[:MAX_OTHERS_TOLD])])


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
COUNSEL = Task("counsel", _give_counsel, CounselAsked, tuple[TipRow, ...], lane="searches", rank=3, seconds=10.0)
FORESEEN = Task("foreseen", _foresee, Foresee, list[FurtherMove], lane="searches")
