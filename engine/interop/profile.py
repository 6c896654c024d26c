"""The profile 18xx.games: a title played as that site plays it, so that its games replay exactly.

The titles know nothing of it. What differs is a table of their switches in the folder of the title here, and, where
that site remembers what no rule asks for, a state of its own.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from engine.setup import LobbyOption, Options, Setup, choose_options
from engine.title import Tell, Title

S = TypeVar("S")
SITE = "18xx.games"
PROFILE = LobbyOption(
    "profile",
    "Rules profile",
    "Play by the rulebook, or as 18xx.games does where it differs, so that its games replay exactly.",
    (("rulebook", "the rulebook"), (SITE, "as on 18xx.games")),
)
"""Whose reading of the rules is played, for a title that the site has too."""


def remove_profile(options: Options) -> dict[str, str]:
    """Return lobby options as the title itself knows them."""
    return {name: value for name, value in options.items() if name != PROFILE.name}


class SiteProfile(msgspec.Struct, Generic[S], frozen=True):
    """How one title is played as on 18xx.games.

    Args:
        place: of the lobby option among those of the title.
        deal: the position of a set-up, given without the lobby option; RuleError for options the site does not have.
        listen: a way to tell facts by which a state takes note of them first; by default none does.
    """

    place: int
    deal: Callable[[Setup], S]
    listen: Callable[[S, Tell], Tell] = lambda _state, tell: tell


def play_as_on_18xx_games(title: Title[S], profile: SiteProfile[S]) -> Title[S]:
    """Return a title with the lobby option that lets a table choose the profile."""
    options = (*title.options[: profile.place], PROFILE, *title.options[profile.place :])

    def deal(setup: Setup) -> S:
        chosen = choose_options(options, setup.options, title.short_name)
        plain = replace(setup, options=remove_profile(setup.options))
        return (profile.deal if chosen[PROFILE.name] == SITE else title.deal)(plain)

    def apply(state: S, plan: Any, tell: Tell) -> None:  # noqa: ANN401 - each title has its own type of plan
        title.apply(state, plan, profile.listen(state, tell))

    return replace(title, options=options, deal=deal, apply=apply)
