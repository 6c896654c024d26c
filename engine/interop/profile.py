"""The profile 18xx.games: a title played as that site plays it, so that its games replay exactly.

The titles know nothing of it. What differs is a table of their switches in the folder of the title here, and, where
that site remembers what no rule asks for, a state of its own.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from engine.printed import Reading, read_data
from engine.record import Record
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


class Difference(Record, frozen=True):
    """A point where the profile departs from the rulebook; a row of ``docs/differences.md``.

    Args:
        number: by which code, tests and documents cite it. section: where the rulebook speaks of it.
        about: in a word or two. rulebook, profile: what either plays.
        switches: fields of the title's ``Rules`` by which it does.
        situation: the number of the reading that a table by the profile has otherwise.
    """

    number: str
    rulebook: str
    profile: str
    section: str = ""
    about: str = ""
    switches: tuple[str, ...] = ()
    situation: str = ""


class _Differences(msgspec.Struct, forbid_unknown_fields=True):
    difference: tuple[Difference, ...]


@cache
def read_differences(package: str) -> tuple[Difference, ...]:
    """Return the differences of a title, by the name of the package with its profile."""
    return read_data(package, "differences.toml", _Differences).difference


def _read_as_there(package: str, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings of a table by the profile: what differs there takes the place of our own reading."""
    differences = read_differences(package)
    other = {each.situation for each in differences}
    there = (
        Reading(
            ", ".join(filter(None, (f"differences {each.number}", each.situation))),
            each.section,
            each.about.capitalize() or each.section,
            f"This table plays as on {SITE}: {each.profile}. By the rulebook: {each.rulebook}.",
        )
        for each in differences
    )
    return (*(each for each in readings if each.number not in other), *there)


def play_as_on_18xx_games(title: Title[S], profile: SiteProfile[S], package: str) -> Title[S]:
    """Return a title with the lobby option that lets a table choose the profile; ``package`` has the differences."""
    options = (*title.options[: profile.place], PROFILE, *title.options[profile.place :])

    def deal(setup: Setup) -> S:
        chosen = choose_options(options, setup.options, title.short_name)
        plain = replace(setup, options=remove_profile(setup.options))
        return (profile.deal if chosen[PROFILE.name] == SITE else title.deal)(plain)

    def apply(state: S, plan: Any, tell: Tell) -> None:  # noqa: ANN401 - each title has its own type of plan
        title.apply(state, plan, profile.listen(state, tell))

    def list_readings(chosen: Options) -> Sequence[Reading]:
        ours = title.words.readings(chosen)
        return _read_as_there(package, ours) if chosen.get(PROFILE.name) == SITE else ours

    words = replace(title.words, readings=list_readings)
    return replace(title, options=options, deal=deal, apply=apply, words=words)
