"""Turning the actions of 18xx.games into ours, each checked by the rules before the next is read.

A pass of the site does not tell which step it ends. Where it stops at a step
that we pass by, the pass would end the next one here; when the log then
breaks a rule, it is read again without that pass.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from engine.errors import LogError, RuleError
from engine.game import follow
from engine.interop.site import SILENT, Raw, SiteFile, automatic, in_force
from engine.interop.translator import Reader, Translator
from engine.log import Said
from engine.record import Action
from engine.setup import Setup
from engine.title import Title

MOST_LEFT_OUT = 24
"""Passes that may be left out of one file."""
LOOK_BACK = 6
"""Passes of a turn that are tried, the latest first."""


class TranslatedAction(NamedTuple):
    """One of our actions, with the position in the file of the one it comes from.

    ``extra`` is an answer to a question that only the site asks.
    """

    position: int
    said: Said
    extra: bool = False


Translated = list[TranslatedAction]


def translate(file: SiteFile, setup: Setup, title: Title[Any], translator: Translator) -> Translated:
    """Return our actions for a file; every question of the site is answered in them.

    Args:
        file: the whole game.
        setup: the game it begins with.
        title: whose rules check it.
        translator: of the title.

    Raises:
        LogError: an action cannot be read, or breaks a rule.
    """
    seats = {str(player.id): seat for seat, player in enumerate(file.people)}
    places = in_force(file.actions)

    def read(left_out: Collection[int]) -> tuple[Translated, LogError | None]:
        found: Translated = []
        kept = [at for at in places if at not in left_out]
        try:
            for entry in _read(file.actions, kept, _Course(title, setup, translator), translator.reader(seats)):
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


def dealt(setup: Setup, title: Title[Any], translator: Translator | None) -> Any:  # noqa: ANN401 - a title's own state
    """Return the state a game begins with, with every question of the site asked."""
    state = title.deal(setup)
    if translator is not None and translator.waiting is not None:
        translator.waiting.wait(state)
    return state


def thinned(exact: Translated) -> Translated:
    """Return the actions of a game without the answers to questions that a table of ours is not asked.

    Runs that companies made by themselves after such an answer follow from the action before it.
    """
    kept: Translated = []
    for entry in exact:
        if not entry.extra:
            kept.append(entry)
        elif entry.said.runs and kept:
            before = kept[-1].said
            kept[-1] = kept[-1]._replace(said=Said(before.seat, before.action, (*before.runs, *entry.said.runs)))
    return kept


class _Course:
    """A game that is being read."""

    def __init__(self, title: Title[Any], setup: Setup, translator: Translator) -> None:
        self.title = title
        self.state = dealt(setup, title, translator)
        self._waiting = translator.waiting

    def play(self, seat: int, action: Action, reader: Reader) -> tuple[Said, bool]:
        """Play an action and return it spelled out; with whether it answers what only the site asks."""
        waiting = self._waiting
        extra = waiting is not None and waiting.idles(action) and waiting.asks_alone(self.state)
        spelled = self.title.spell_out(self.state, seat, action)
        return follow(self.title, self.state, Said(seat, spelled), reader.told), extra


def _read(actions: Sequence[Raw], places: Sequence[int], course: _Course, reader: Reader) -> Iterator[TranslatedAction]:
    """Yield our actions, each after it was played."""
    for position in places:
        raw = actions[position]
        for action in (raw, *automatic(raw)):
            if action.get("type") in SILENT:
                continue
            try:
                for seat, ours in reader.read(course.state, action):
                    yield TranslatedAction(position, *course.play(seat, ours, reader))
            except RuleError as refusal:
                raise LogError(position, str(refusal)) from refusal


def _suspects(actions: Sequence[Raw], found: Translated, failed: int) -> list[int]:
    """Return the positions of a company's passes that we have played just before, the latest first."""
    played = dict.fromkeys(entry.position for entry in found)
    passes = [at for at in played if at <= failed and _is_pass(actions[at])]
    return passes[: -LOOK_BACK - 1 : -1]


def _is_pass(raw: Raw) -> bool:
    return raw.get("type") == "pass" and raw.get("entity_type") == "corporation" and "step" not in raw
