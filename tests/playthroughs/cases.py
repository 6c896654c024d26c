"""Which games are kept: every title, every number of players, every value of every option."""

from collections.abc import Iterator

from engine import TITLES, Setup
from engine.setup import ADVICE

SITE = {"profile": "18xx.games"}
TOGETHER = {
    "1860": (
        {"edition": "first", "insolvency": "original", "accelerated_track": "on", "variable_privates": "on"},
        {"original_game": "on", "profile": "18xx.games", "insolvency": "original", "re_enter": "on"},
        {"map": "original", "destinations": "on", "any_order": "on", "full_price": "on", "treasuries": "hidden"},
    ),
    "1862": (
        {"trains": "advanced_freight", "eight_markers": "on", "home_first": "off"},
        {"length": "long", "profile": "18xx.games", "eight_markers": "on"},
        {"length": "mixed"},
    ),
    "steel_driver": ({"first": "host", "line": "differing", "claims": "played", "tie": "best"},),
}
"""Options that tables choose together, and values that came after the games were numbered."""


def cases() -> Iterator[tuple[str, Setup]]:
    """Yield (name, set-up) of each game that is kept."""
    for name, title in TITLES.items():
        low, high = title.seats
        for seats in range(low, high + 1):
            yield f"{name}-{seats}", Setup(name, seats, {}, seats)
            if any(option.name == "profile" for option in title.options):
                yield f"{name}-{seats}-site", Setup(name, seats, dict(SITE), 10 + seats)
        number = 0
        for option in title.options:
            for value, _ in option.values[1:] if option != ADVICE else ():  # no rule depends on it
                if {option.name: value} not in (SITE, *TOGETHER[name]):
                    number += 1
                    seats = low + number % (min(high, 4) - low + 1)
                    yield f"{name}-{option.name}-{value}", Setup(name, seats, {option.name: value}, 100 + number)
        for number, options in enumerate(TOGETHER[name], 1):
            yield (
                f"{name}-together-{number}",
                Setup(name, low + number % (min(high, 4) - low + 1), dict(options), 200 + number),
            )


def in_full(name: str) -> bool:
    """Return whether states of a game are kept in full: two of each title, by the rulebook and by the profile."""
    return name in {"1860-3", "1860-3-site", "1862-4", "1862-3-site", "steel_driver-4"}
