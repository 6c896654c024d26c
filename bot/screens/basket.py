"""Moves put aside at the desk, to be made in one go: what they bring is seen before any of them is made."""

from bot.screens.at_desk import Desk
from engine import Game
from engine.codec import decode_action
from engine.english import once


def basketed(number: int, names: tuple[str, ...], game: Game, seat: int, basket: tuple[str, ...]) -> Desk:
    """Return a desk at the position to which the moves of a basket lead, on a copy.

    Raises:
        RuleError: one of them is refused.
    """
    here, told, moves = game, list[str](), [decode_action(game.setup.title, each) for each in basket]
    for action in moves:
        played = here.play(seat, action)
        told += once(here.title.words.say(event, names) for event in played.events)
        here = played.game
    return Desk(
        number, names, here, seat, here.choices(seat) if seat in here.actors else (), basket=tuple(told),
        version=len(game.log),
    )  # fmt: skip
