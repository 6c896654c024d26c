"""Turning the actions of 18xx.games into ours, each checked by the rules before the next is read.

A pass of the site does not tell which step it ends. Where it stops at a step
that we pass by, the pass would end the next one here; when the log then
breaks a rule, it is read again without that pass.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.errors import LogError, RuleError
from engine.game import follow
from engine.interop.site import SILENT, Raw, SiteFile, automatic, in_force
from engine.interop.translator import Reader
from engine.log import Said
from engine.title import Setup, Title

MOST_LEFT_OUT = 24
"""Passes that may be left out of one file."""
LOOK_BACK = 6
"""Passes of a turn that are tried, the latest first."""

Translated = list[tuple[int, Said]]
"""Our actions, each with the position in the file of the one it comes from."""


def translate(
    file: SiteFile, setup: Setup, title: Title[Any], reader: Callable[[Mapping[str, int]], Reader]
) -> Translated:
    """Return our actions for a file.

    Args:
        file: the whole game.
        setup: the game it begins with.
        title: whose rules check it.
        reader: makes what reads the title's actions, from the seats by player id.

    Raises:
        LogError: an action cannot be read, or breaks a rule.
    """
    seats = {str(player.id): seat for seat, player in enumerate(file.people)}
    places = in_force(file.actions)

    def read(left_out: Collection[int]) -> tuple[Translated, LogError | None]:
        found: Translated = []
        kept = [at for at in places if at not in left_out]
        try:
            for entry in _read(file.actions, kept, title, title.deal(setup), reader(seats)):
                found.append(entry)
        except LogError as refusal:
            return found, refusal
        return found, None

    left_out: set[int] = set()
    found, refusal = read(left_out)
    while refusal is not None and len(left_out) < MOST_LEFT_OUT:
        for at in _suspects(file.actions, found, refusal.index):
            again, better = read(left_out | {at})
            if better is None or better.index > refusal.index:
                left_out.add(at)
                found, refusal = again, better
                break
        else:
            raise refusal
    if refusal is not None:
        raise refusal
    return found


def _read(
    actions: Sequence[Raw], places: Sequence[int], title: Title[Any], state: object, reader: Reader
) -> Iterator[tuple[int, Said]]:
    """Yield our actions, playing them on ``state``."""
    for position in places:
        raw = actions[position]
        for action in (raw, *automatic(raw)):
            if action.get("type") in SILENT:
                continue
            try:
                for seat, ours in reader.read(state, action):
                    spelled = title.spell_out(state, seat, ours)
                    yield position, follow(title, state, Said(seat, spelled), _ignore)
            except RuleError as refusal:
                raise LogError(position, str(refusal)) from refusal


def _suspects(actions: Sequence[Raw], found: Translated, failed: int) -> list[int]:
    """Return the positions of a company's passes that we have played just before, the latest first."""
    played = dict.fromkeys(position for position, _ in found)
    passes = [at for at in played if at <= failed and _is_pass(actions[at])]
    return passes[: -LOOK_BACK - 1 : -1]


def _is_pass(raw: Raw) -> bool:
    return raw.get("type") == "pass" and raw.get("entity_type") == "corporation" and "step" not in raw


def _ignore(event: object) -> None:
    """Take no notice of a fact."""
