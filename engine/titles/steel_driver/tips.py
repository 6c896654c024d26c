"""Moves worth a button of their own."""

from collections.abc import Sequence

from engine.finance.actions import Pass
from engine.record import Action
from engine.title import Tip
from engine.titles.steel_driver import player
from engine.titles.steel_driver.actions import Open, Raise
from engine.titles.steel_driver.pictures.label import label
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import State

TIPS = 3


def tips(state: State, seat: int) -> Sequence[Tip]:
    """Return the moves worth a button: the next raise, the best links, the best cubes, passing."""
    if seat not in turn.actors(state):
        return ()
    found: list[Action] = []
    if state.phase == "build":
        found += player.best_builds(state)[:TIPS]
    elif state.phase == "goods":
        found += player.best_claims(state)[:TIPS]
    elif state.sale:
        found += [Raise(state.sale.bid + 1), Pass()]
    else:
        found += [Open(state.board.ids[number], 1) for number in player.by_appeal(state)[:TIPS]]
        found.append(Pass())
    return [Tip(action, label(state, action, "")) for action in found]
