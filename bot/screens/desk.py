"""The private desk: who sits there, before which position, and the move in the making.

A draft of a move is a path, "tile.3.0": the verb, then for each value asked the number it has in the list of legal
values, ``=45`` for a number typed, ``*`` for text that stands in the message itself. A value that can be only one is
not asked. With the log version beside it a path means the same after a restart. Each ``!`` in front declines a step
first: "!tile.3.0" merges with no one and lays a tile.
"""

from collections.abc import Mapping, Sequence

import msgspec

from bot.model.errors import BotError
from bot.screens.screen import OUT_OF_DATE, WHOLE_SCREEN, Button, Control, count_lines, fit_phone, read_number
from bot.service.workers.choices import NO_ADVICE, Advised, TipRow, decode_tips
from bot.service.workers.gains import Gains
from bot.service.workers.jobs import Held
from engine import Action, Ask, Game, Record, Request
from engine.codec import decode_action
from engine.first_game import list_regrets
from engine.fuzzy import find_meant
from engine.title import insert_names
from engine.words import (
    Parameter,
    find_pass,
    list_completions,
    list_parameters,
    merge_repeats,
    understand,
    write_parameters,
)

TYPED = "*"
AFTER_PASS = "!"  # noqa: S105  # no password
"""What a path begins with that first declines the step that is asked; so many as steps are declined."""
RAISED = "$"
"""What the path of a purchase begins with that a sale makes possible: "$.3.0.1", its group, itself, the sale."""
MAX_DECLINES = 3
"""Steps that are declined on the way to a choice, at most."""


class Draft(Record, frozen=True):
    """A move in the making.

    Args:
        path: as it came. verb: what is done.
        given: the words said so far, by parameter.
        values: one legal action for each value that may follow, empty when all is said.
        asked: the parameter asked next, ``None`` when all is said.
    """

    path: str
    verb: str
    given: dict[str, str]
    values: tuple[Action, ...] = ()
    asked: Parameter | None = None

    @property
    def back(self) -> str:
        """The path one step back; empty for the first screen."""
        return self.path.rpartition(".")[0]


def follow(legal: Sequence[Action], open_verbs: frozenset[str], path: str, typed: str = "") -> Draft:
    """Read a path.

    Args:
        legal: what the seat may do.
        open_verbs: verbs of which ``legal`` holds suggestions only.
        path: the verb and its tokens.
        typed: text for the ``*`` of the path.

    Raises:
        BotError: the path leads nowhere; the position or the program has changed.
    """
    verb, *tokens = path.split(".")
    could = [action for action in legal if action.verb == verb]
    if not could:
        raise BotError(f"“{verb[:20]}” isn't one of your legal moves now. To see them, press Act.")
    given: dict[str, str] = {}
    while (asked := find_next_parameter(could, given)) is not None:
        values = list_completions(could, verb, given, asked.name)
        if len(values) == 1 and verb not in open_verbs:
            word = write_parameters(values[0])[asked.name]
        elif tokens:
            word = _read_word([write_parameters(value)[asked.name] for value in values], tokens.pop(0), typed)
        else:
            return Draft(path, verb, given, tuple(values), asked)
        given[asked.name] = word
        could = [action for action in could if write_parameters(action).get(asked.name) == word]
    if tokens:
        raise BotError(OUT_OF_DATE)
    return Draft(path, verb, given)


def _read_word(values: Sequence[str], token: str, typed: str) -> str:
    """Return the value a token means."""
    if token == TYPED:
        return typed
    number = read_number(token.removeprefix("="))
    if number is None or (number >= len(values) and not token.startswith("=")):
        raise BotError(OUT_OF_DATE)
    return str(number) if token.startswith("=") else values[number]


def find_next_parameter(could: Sequence[Action], given: dict[str, str]) -> Parameter | None:
    """Return the next parameter of the actions that fit so far."""
    for action in could:
        for parameter in list_parameters(type(action)):
            if parameter.name not in given:
                return parameter
    return None


def read_action(game: Game, legal: Sequence[Action], draft: Draft) -> Action:
    """Return the action of a draft that is complete.

    Raises:
        WordingError: typed words that cannot be read.
    """
    label, state = game.title.words.label, game.state

    def label_value(action: Action, name: str) -> str:
        return label(state, action, name)

    def forgive(verb: str, given: Mapping[str, str], legal: Sequence[Action]) -> Action | None:
        return find_meant(verb, given, legal, label_value)

    return understand(game.title.actions, draft.verb, draft.given, legal, forgive, label_value)


class Desk(Record, frozen=True):
    """Who sits at the desk, before which position; it stands with a worker, for it needs the state.

    Args:
        number: of the table. names: of the players.
        legal: what the seat may do. advised: moves worth a button of their own.
        again: what the acting company did the last time in this step, if it can do that again.
        basket: what the moves bring that were put aside; the position is the one they lead to.
        version: of the log that the desk belongs to, where moves were put aside.
        declined: so many steps were declined on the way here, and the basket is nothing but these.
        new_here: the player has never finished this game, and wants to know why.
        gains: what moves bring the best run, as far as it is known.
        above: lines of a phone that are taken by what stands above the desk.
    """

    number: int
    names: tuple[str, ...]
    game: Game
    seat: int
    legal: tuple[Action, ...]
    advised: Advised = NO_ADVICE
    again: Action | None = None
    basket: tuple[str, ...] = ()
    version: int | None = None
    gains: Gains | None = None
    declined: int = 0
    new_here: bool = False
    above: int = 0

    @property
    def request(self) -> Request:
        """Who looks, and what the seats are called."""
        return Request(seat=self.seat, names=self.names)

    def ask(self) -> Ask:
        """Return what the game waits for, with the names of the players in it."""
        return self.game.ask(self.seat).insert_names(self.names)

    def make_control(self, verb: str, arg: str = "") -> Control:
        """Return a control of this desk."""
        verb = "doin" if verb == "do" and self.basket and not self.declined else verb
        return Control(self.number, len(self.game.log) if self.version is None else self.version, verb, arg)

    def fit(
        self, path: str, lines: Sequence[str], buttons: Sequence[Button], *, whole: bool = False, below: str = ""
    ) -> tuple[str, tuple[tuple[Button, ...], ...]]:
        """Return the words and buttons of a screen that a phone shows; the others come with *More…*."""
        taken = self.above + count_lines(below)
        return fit_phone(lines, buttons, self.make_control("at", f"{WHOLE_SCREEN}{path}"), whole=whole, taken=taken)

    def label(self, action: Action, parameter: str) -> str:
        """Return the words of a value, or of a whole action if ``parameter`` is empty."""
        return insert_names(self.game.title.words.label(self.game.state, action, parameter), self.names)

    def find_gains(self) -> Gains:
        """Return what moves bring the best run, with what is known of it already."""
        return self.gains or Gains(self.game)

    def list_regrets(self, action: Action) -> list[str]:
        """Return what a beginner would regret of a move, with the names of the players; nothing for others."""
        found = list_regrets(self.game, self.seat, action) if self.new_here else ()
        return [f"⚠ {insert_names(each, self.names)}" for each in found]

    def follow(self, path: str, typed: str = "") -> Draft:
        """Read a path at this desk."""
        draft = follow(self.legal, self.game.title.open_verbs, path.lstrip(AFTER_PASS), typed)
        return msgspec.structs.replace(draft, path=path)


class DeskAsked(Record, frozen=True):
    """Who sits at the desk of a table, what they are advised, and where they are: see ``Draft``."""

    number: int
    names: tuple[str, ...]
    seat: int
    tips: tuple[TipRow, ...] = ()
    path: str = ""
    typed: str = ""
    basket: tuple[str, ...] = ()
    new_here: bool = False
    above: int = 0


def build_desk(held: Held, sitting: DeskAsked) -> Desk:
    """Return the desk of who sits there."""
    desk = _build_desk(held, msgspec.structs.replace(sitting, path=sitting.path.removeprefix(WHOLE_SCREEN)))
    if not (sitting.new_here or sitting.above):
        return desk
    return msgspec.structs.replace(desk, new_here=sitting.new_here, above=sitting.above)


def _build_desk(held: Held, sitting: DeskAsked) -> Desk:
    game, seat = held.game, sitting.seat
    if sitting.path.startswith(AFTER_PASS):
        return _build_desk_after_pass(held, sitting)
    if sitting.basket:
        return build_desk_after(sitting.number, sitting.names, game, seat, sitting.basket)
    advised = Advised(len(game.log), seat, decode_tips(game.setup.title, sitting.tips))
    return Desk(sitting.number, sitting.names, game, seat, held.list_legal(seat), advised, gains=held.gains)


def count_declines(path: str) -> int:
    """Return how many steps a path declines first."""
    path = path.removeprefix(WHOLE_SCREEN)
    return len(path) - len(path.lstrip(AFTER_PASS))


def _build_desk_after_pass(held: Held, sitting: DeskAsked) -> Desk:
    """Return the desk at a step after the one that is asked, which is declined with those between.

    Raises:
        BotError: one of them cannot be declined.
    """
    no, ahead, told, count = find_pass(held.game.title.actions), held, list[str](), count_declines(sitting.path)
    for _ in range(count):
        if no is None or count > MAX_DECLINES or no not in ahead.list_legal(sitting.seat):
            raise BotError(OUT_OF_DATE)
        told += (held.game.title.words.say(event, sitting.names) for event in ahead.game.play(sitting.seat, no).events)
        ahead = ahead.look_ahead(sitting.seat, no)
    return Desk(
        sitting.number, sitting.names, ahead.game, sitting.seat, ahead.list_legal(sitting.seat),
        basket=tuple(merge_repeats(told)), version=len(held.game.log), gains=ahead.gains, declined=count,
    )  # fmt: skip


def build_desk_after(number: int, names: tuple[str, ...], game: Game, seat: int, basket: tuple[str, ...]) -> Desk:
    """Return a desk at the position to which the moves of a basket lead, on a copy.

    Raises:
        RuleError: one of them is refused.
    """
    here, told, moves = game, list[str](), [decode_action(game.setup.title, each) for each in basket]
    for action in moves:
        played = here.play(seat, action)
        told += merge_repeats(here.title.words.say(event, names) for event in played.events)
        here = played.game
    return Desk(
        number, names, here, seat, here.choices(seat) if seat in here.actors else (), basket=tuple(told),
        version=len(game.log),
    )  # fmt: skip
