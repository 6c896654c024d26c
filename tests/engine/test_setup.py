"""What a table has chosen in the lobby."""

import pytest

from engine.errors import RuleError
from engine.setup import LobbyOption, choose_options

OPTIONS = (
    LobbyOption("map", "Map", "Which map.", (("large", "large"), ("small", "small"))),
    LobbyOption("fast", "Fast", "Fast play."),
)


def test_what_is_not_given_has_its_default() -> None:
    assert choose_options(OPTIONS, {"map": "small"}, "Toy") == {"map": "small", "fast": "off"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"colour": "red"}, "Toy has no option “colour”; it has map, fast."),
        ({"map": "huge"}, "Map can be large, small, not “huge”."),
    ],
)
def test_an_option_or_value_that_the_lobby_does_not_have_is_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(RuleError) as refusal:
        choose_options(OPTIONS, given, "Toy")
    assert refusal.value.sentence == sentence
