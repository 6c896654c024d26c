"""A whole game as a reader of the log sees it; a change of the rules shows up as a readable difference."""

from syrupy.assertion import SnapshotAssertion

from engine import Event
from engine.setup import Rng, Setup
from engine.titles.steel_driver import TITLE
from engine.words import write_parameters
from tests.support.sure import sure

NAMES = ("Don", "Simon", "Richard")


def test_a_game_of_three_told_from_lobby_to_winner(snapshot: SnapshotAssertion) -> None:
    state, rng = TITLE.deal(Setup("steel_driver", 3, {}, 1862)), Rng(1862)
    lines = []
    while TITLE.actors(state):
        (seat,) = TITLE.actors(state)
        ask = TITLE.words.ask(state).insert_names(NAMES)
        action = TITLE.advice.choose(state, seat, rng)
        words = " ".join([action.verb, *(f"{name}:{value}" for name, value in write_parameters(action).items())])
        count = len(list(TITLE.legal(state, seat)))
        lines.append(f"[{NAMES[seat]}] {ask.headline}")
        lines += [f"    {line}" for line in ask.lines]
        lines.append(f"  /act {words}  ({TITLE.words.label(state, action, '')}; one of {count})")
        told: list[Event] = []
        TITLE.apply(state, TITLE.check(state, seat, action), told.append)
        lines += [f"  {TITLE.words.say(event, NAMES)}" for event in told]
    result = sure(TITLE.result(state))
    lines += [f"{NAMES[score.seat]} {score.total}: {score.parts}" for score in result.scores]
    assert "\n".join(lines) == snapshot
