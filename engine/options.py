"""What a table has chosen in the lobby."""

from collections.abc import Mapping, Sequence

from engine.errors import RuleError
from engine.record import Rule
from engine.title import LobbyOption

SITE = "18xx.games"
PROFILE = LobbyOption(
    "profile",
    "Rules profile",
    "The rulebook, or the points where 18xx.games plays otherwise, so that its games replay exactly.",
    (("rulebook", "the rulebook"), (SITE, "as on 18xx.games")),
)
"""Whose reading of the rules is played, for a title that the site has too."""


def chosen(options: Sequence[LobbyOption], given: Mapping[str, str], game: str, rule: Rule) -> dict[str, str]:
    """Return the value of every option of a title: what was given, else its default.

    Args:
        options: what the lobby offers.
        given: value by name of option.
        game: what the title is called.
        rule: what a refusal cites.

    Raises:
        RuleError: the title has no such option, or the option no such value.
    """
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            raise RuleError(f"{game} has no option “{name[:40]}”; it has {', '.join(known)}.", rule)
        if not known[name].admits(value):
            values = ", ".join(each for each, _ in known[name].values)
            raise RuleError(f"{known[name].label} can be {values}, not “{value[:40]}”.", rule)
    return {option.name: option.default for option in options} | dict(given)
