"""Pictures of choices: numbered links or cubes on the map, or the boxes."""

from collections.abc import Sequence

from engine.record import Action
from engine.title import Request
from engine.titles.steel_driver.actions import Build, Claim
from engine.titles.steel_driver.pictures import boxes, land
from engine.titles.steel_driver.state import State
from engine.view import View


def illustrate(state: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture for choosing among actions: numbered links or cubes on the map, or the boxes."""
    if any(isinstance(action, Build | Claim) for action in actions):
        return land.numbered(state, actions)
    return boxes.look(state, request)
