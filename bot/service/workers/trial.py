"""Trying a board of somebody's own before a table is opened on it: whole games by the seeded player.

``python -m bot.service.workers.trial`` does it in a bounded process of its own.
"""

import msgspec

from bot.service.errors import BotError, sentence_of
from bot.service.workers import bounded
from bot.service.workers.bounded import Bounds, TooMuchError
from engine import Game, Rng, RuleError, Setup
from engine.game import title_of
from engine.setup import own_file

BOUNDS = Bounds(seconds=10, megabytes=512, patience=60)
MOST_MOVES = 5_000
SEED = 1


def is_needed(setup: Setup) -> bool:
    """Tell whether a file of somebody's own stands in a set-up."""
    return any(own_file(value) for value in setup.options.values())


async def finished(setup: Setup) -> None:
    """Play whole games with a set-up in a process of its own.

    Raises:
        BotError: the file is refused, or a game on it does not come to its end.
    """
    try:
        refusal = await bounded.run(__name__, msgspec.json.encode(setup), BOUNDS)
    except TooMuchError:
        refusal = _endless(setup).encode()
    if refusal:
        raise BotError(refusal.decode())


def play_all(setup: Setup) -> None:
    """Play a game by each number of players that the title allows.

    Raises:
        RuleError: the set-up is refused. BotError: a game does not come to its end.
    """
    least, most = title_of(setup).seats
    for seats in sorted({setup.seats, least, most}):
        play(msgspec.structs.replace(setup, seats=seats, seed=SEED))


def play(setup: Setup) -> None:
    """Play one game to its end.

    Raises:
        RuleError: the set-up is refused. BotError: the game does not come to its end.
    """
    game, rng = Game.new(setup), Rng(setup.seed)
    title, state = game.title, game.state
    for _ in range(MOST_MOVES):
        actors = title.actors(state)
        if not actors:
            return
        try:
            action = title.spell_out(state, actors[0], title.advice.choose(state, actors[0], rng))
            title.apply(state, title.check(state, actors[0], action), lambda _event: None)
        except (RuleError, LookupError, ValueError, ArithmeticError, AssertionError):
            break
    raise BotError(_endless(setup))


def _endless(setup: Setup) -> str:
    names = [own.name for value in setup.options.values() if (own := own_file(value))]
    return f"{''.join(names[:1]) or 'The file'}: games tried on it do not come to an end, so nobody could finish one."


def _work(data: bytes) -> bytes:
    """Answer a set-up with the sentence that refuses it, or with nothing."""
    try:
        play_all(msgspec.json.decode(data, type=Setup))
    except Exception as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        return sentence.encode()
    return b""


if __name__ == "__main__":
    bounded.main(_work)
