"""What players of share dealing games say word for word alike."""

from engine.record import Action


class Pass(Action, frozen=True, tag="pass"):
    """Pass, or say that this step is done."""

    verb = "pass"
    brief = "pass"


class EndGame(Action, frozen=True, tag="end"):
    """End the game by agreement of the table; the scores stand as they are."""

    verb = ""
