"""What a table can take to 18xx.games, and bring from there: its lobby options in that site's optional rules.

The lobby says from this table what keeps a game here, the writer which optional rules a file has, and the reader which
options a file means.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.errors import RuleError
from engine.interop.profile import PROFILE, SITE
from engine.record import Record, Rule
from engine.setup import ADVICE, LobbyOption
from engine.title import Title
from engine.words import join_words


class Travel(Record, frozen=True):
    """A value of a lobby option with which 18xx.games can go on.

    Args:
        option, value: as the lobby has them.
        rules: the site's optional rules for it; none where nothing differs for a table of the profile.
        returns: a file with these rules means this value; else several other values together.
    """

    option: str
    value: str
    rules: tuple[str, ...] = ()
    returns: bool = True


TRAVELS: Mapping[str, tuple[Travel, ...]] = MappingProxyType(
    {
        "1860": (
            Travel("map", "original", ("two_player_map",)),
            Travel("insolvency", "original", ("original_insolvency",)),
            Travel("insolvency", "simplified", ("simplified_insolvency",)),
            Travel("no_skip_towns", "on", ("no_skip_towns",)),
            Travel("re_enter", "on", ("re_enter_hexes",)),
            Travel("full_price", "on", ("non_operated_full_value",)),
            Travel("edition", "first", ("two_player_map", "no_skip_towns"), returns=False),
            Travel("original_game", "on", ("two_player_map", "no_skip_towns"), returns=False),
            Travel("treasuries", "hidden"),
        ),
        "1862": (
            Travel("length", "mixed", ("short_length", "long_length")),
            Travel("length", "short", ("short_length",)),
            Travel("length", "long", ("long_length",)),
            Travel("eight_markers", "on", ("eight_tokens",)),
            Travel("failed_charter", "parliament"),
            Travel("train_sales", "buyer"),
        ),
    }
)
"""By title what travels besides the defaults; where several rows take the same rules, the first is meant."""
COMBINED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"original_game": ("two_player_map", "original_insolvency", "no_skip_towns")}
)
"""Optional rules of the site that stand for several others."""


FORMAT = Rule(SITE, "optional rules of a log")


def read_options(title: str, rules: Sequence[str]) -> dict[str, str]:
    """Return our lobby options for the site's optional rules.

    Raises:
        RuleError: an optional rule that we do not know.
    """
    left = set[str]()
    known = {rule for travel in TRAVELS[title] for rule in travel.rules}
    for name in rules:
        parts = COMBINED.get(name, (name,))
        if not known.issuperset(parts):
            raise RuleError(f"There is no optional rule “{name[:40]}” in {title}.", FORMAT)
        left.update(parts)
    chosen = {PROFILE.name: SITE}
    for travel in TRAVELS[title]:
        if travel.returns and travel.rules and left.issuperset(travel.rules) and travel.option not in chosen:
            chosen[travel.option] = travel.value
    return chosen


def list_optional_rules(title: str, options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options, those of which it has any."""
    chosen = (travel.rules for travel in TRAVELS[title] if options.get(travel.option) == travel.value)
    return list(dict.fromkeys(rule for rules in chosen for rule in rules))


def list_obstacles(title: str, known: Sequence[LobbyOption], options: Mapping[str, str]) -> Iterator[LobbyOption]:
    """Yield the lobby options of a title whose value keeps a table from 18xx.games."""
    travels = {(travel.option, travel.value) for travel in TRAVELS[title]}
    for option in known:
        value = options.get(option.name, option.default)
        if option == ADVICE:
            continue
        if option.name == PROFILE.name:
            if value != SITE:
                yield option
        elif value != option.default and (option.name, value) not in travels:
            yield option


def explain_stay(title: Title[Any], options: Mapping[str, str]) -> str:
    """Return why 18xx.games can't go on with a table of these options, or nothing if it can or lacks the title."""
    if title.id not in TRAVELS:
        return ""
    found = [_describe(option, options) for option in list_obstacles(title.id, title.options, options)]
    return f"18xx.games can't continue this game, because it {join_words(found)}." if found else ""


def _describe(option: LobbyOption, options: Mapping[str, str]) -> str:
    value = options.get(option.name, option.default)
    if option.name == PROFILE.name:
        return "is played by the rulebook"
    return f"has “{option.label}{f': {option.describe_value(value)}' * (value != 'on')}”"
