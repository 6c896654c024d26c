"""What a table is when it is opened: every word of a host's wish checked."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.plain import tidied
from bot.model.records import PACES, Home, NewTable, Person, Seat, Table
from bot.service import game_clock
from engine import TITLES, Setup, Title
from engine.codec import fingerprint
from engine.fuzzy import fold
from engine.words import join_words

OPEN_DAYS = 14
SEED_LIMIT = 1 << 53


def find_title(text: str) -> Title[Any]:
    """Return the title that somebody means: "1860", "steel driver", in any case, by its whole name or the head of it.

    Raises:
        BotError: there is none.
    """
    wanted = fold(text)
    for title in TITLES.values():
        if wanted in (fold(title.id), fold(title.name), fold(title.short_name)):
            return title
    names = join_words([title.short_name for title in TITLES.values()])
    raise BotError(f"There is no game “{text[:40]}”; the games are {names}.")


def build_table(host: Person, wish: NewTable, home: Home, now: int) -> Table:
    """Return the table a host wishes, every word of it checked."""
    title = find_title(wish.title)
    if not title.seats[0] <= wish.seats <= title.seats[1]:
        raise BotError(f"{title.name} is for {title.seats[0]} to {title.seats[1]} players, not {str(wish.seats)[:20]}.")
    if wish.pace not in PACES:
        raise BotError(f"The pace must be one of: {', '.join(PACES)}.")
    if wish.seed is not None and not 0 <= wish.seed < SEED_LIMIT:
        raise BotError(f"The seed must be a whole number from 0 to {SEED_LIMIT - 1}.")
    seed = secrets.randbelow(SEED_LIMIT) if wish.seed is None else wish.seed
    name = tidied(wish.name, title.name)
    return Table(
        0, name, title.id, check_options(title.id, wish.options), seed, Setup(title.id, wish.seats).rules, wish.seats,
        host.id, "open", wish.pace, wish.privacy, "random", home, now, now + OPEN_DAYS * DAY,
        fingerprint=fingerprint(seed), clock=game_clock.make_clock(wish.pace) if wish.clock else None,
        seats=(Seat(0, host.id, tidied(host.name, "Someone")), *_seat_stand_ins(wish)),
    )  # fmt: skip


def _seat_stand_ins(wish: NewTable) -> Sequence[Seat]:
    """Return the seats of a practice table that the program plays; BotError if there are not so many."""
    most = wish.seats - 1
    if not 0 <= wish.stand_ins <= most:
        raise BotError(f"A table for {wish.seats} can have 0 to {most} stand-ins.")
    return [Seat(number, "", f"Stand-in {number}", stand_in=True) for number in range(1, wish.stand_ins + 1)]


def check_options(title: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the lobby options of a title, each name and value checked.

    Raises:
        BotError: an unknown name or value; tells which there are.
    """
    known = {option.name: option for option in TITLES[title].options}
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            names = ", ".join(known) or "none"
            raise BotError(f"{TITLES[title].name} has no option “{name[:40]}”. Its options: {names}.")
        if not option.admits(value):
            values = ", ".join(each for each, _ in option.values)
            raise BotError(f"{option.label} ({name}) must be one of {values}, not “{value[:40]}”.")
    return dict(options)


def parse_options(text: str) -> dict[str, str]:
    """Read "map=small treasuries=closed" (commas allowed); a bare name means "on".

    Raises:
        BotError: a name stands twice, or the text is too long.
    """
    if len(text) > 500:
        raise BotError("That's too long; write options as name=value, separated by spaces.")
    found: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name in found:
            raise BotError(f"The option “{name[:40]}” is given twice.")
        found[name.lower()] = value.lower() or "on"
    return found
