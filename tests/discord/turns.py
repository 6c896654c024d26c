"""The turns of a game as one makes them at the desk: where a player is in one, and which moves of it were meant."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from bot.model.errors import BotError
from bot.screens.desk import AFTER_PASS, Desk, DeskAsked, build_desk, count_declines
from bot.screens.desk import read_action as read_draft
from bot.screens.run_editor import FIRST_AMOUNT, find_best_plan, list_amounts
from bot.service.workers.choices import TipRow, encode_tips
from bot.service.workers.jobs import Held
from engine import Action, Game, RuleError
from engine.codec import encode_action
from engine.words import read_action, write_parameters
from tests.discord.plan_distance import measure_plan

NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gus", "Hal")


class Place(NamedTuple):
    """Where a player is: how many moves of the turn are played and put aside, and which screen is shown."""

    played: int
    aside: int
    screen: str
    path: str = ""
    typed: str = ""


class Turn:
    """The moves that a seat made in one go, and the positions before each of them."""

    def __init__(self, game: Game, seat: int, moves: Sequence[Action]) -> None:
        self.start, self.seat, self.moves = game, seat, moves
        orders = game.title.orders
        self.is_operating = orders is not None and orders.moment(game.state).round.startswith("OR ")
        self._held = [Held(game)]
        self._desks: dict[Place, Desk] = {}

    def hold(self, at: int) -> Held:
        """Return the position after so many moves."""
        while len(self._held) <= at:
            game = self._held[-1].game
            self._held.append(Held(game.play(self.seat, self.moves[len(self._held) - 1]).game))
        return self._held[at]

    @cache  # noqa: B019  # a turn lives as long as it is counted
    def find_tips(self, at: int) -> tuple[TipRow, ...]:
        """Return what is advised after so many moves."""
        return encode_tips(self.hold(at).game.tips(self.seat))

    def sit(self, place: Place) -> DeskAsked:
        """Return who sits where."""
        basket = tuple(encode_action(each).decode() for each in self.moves[place.played : place.played + place.aside])
        tips = self.find_tips(place.played)
        return DeskAsked(1, NAMES, self.seat, tips, place.path, place.typed, basket)

    def find_desk(self, place: Place) -> Desk:
        """Return the desk at a place; it depends on the path only where that declines a step first."""
        key = place._replace(path=AFTER_PASS * count_declines(place.path), typed="", screen="")
        if key not in self._desks:
            self._desks[key] = build_desk(self.hold(place.played), self.sit(key))
        return self._desks[key]

    @cache  # noqa: B019
    def find_meant_amounts(self, place: Place) -> dict[int, str]:
        """Return the plans for other amounts that earn what was made, by their place in the menu."""
        at = place.played + place.aside
        desk = self.find_desk(place)
        plans = [each.plan for each in list_amounts(desk, self.find_best_plan(place))]
        fitting = enumerate(self.is_meant(at, read_action(type(self.moves[at]), {"plan": plan})) for plan in plans)
        return {FIRST_AMOUNT + number: plans[number] for number, fits in fitting if fits}

    def find_best_plan(self, place: Place) -> str:
        """Return the plan of the best run that is known."""
        return find_best_plan(self.find_desk(place))

    def is_meant(self, at: int, action: Action) -> bool:
        """Return whether a move is the one that was made there, or a run over the same track or for the same money."""
        if at >= len(self.moves) or type(made := self.moves[at]) is not type(action):
            return False
        if write_parameters(made) == write_parameters(action):
            return True
        title, game = self.start.title, self.hold(at).game
        if action.verb not in title.open_verbs or title.story is None:
            plain = title.advice.plain
            return write_parameters(plain(game.state, made)) == write_parameters(plain(game.state, action))
        try:  # by our count of both: a file may have stated another
            runs = [read_action(type(made), write_parameters(each)) for each in (made, action)]
            ran = [[title.story.ran(event) for event in game.play(self.seat, each).events] for each in runs]
        except RuleError:
            return False
        plans = [
            write_parameters(each)["plan"] for each in runs
        ]  # that site pays less for some ways over the same track
        return ran[0] == ran[1] or not measure_plan(*plans)

    def are_meant(self, at: int, actions: Sequence[Action]) -> bool:
        """Return whether these are the next moves; each is looked at in its own position."""
        return all(self.is_meant(at + number, action) for number, action in enumerate(actions))

    def leads_on(self, place: Place, path: str) -> bool:
        """Return whether a path says values of the next move that was made, and no others."""
        declines = count_declines(path)
        at = place.played + place.aside + declines
        declined = self.moves[at - declines : at]
        if at >= len(self.moves) or not path or any(move.verb != "pass" for move in declined):
            return False
        made, verb = self.moves[at], path.lstrip(AFTER_PASS).split(".")[0]
        if verb != made.verb:
            return False
        desk = self.find_desk(place._replace(path=path))
        try:
            draft = desk.follow(path)
        except BotError:
            return False
        if draft.asked is None:
            return self.is_meant(at, desk.advised.resolve(read_draft(desk.game, desk.legal, draft)))
        words = write_parameters(made)
        plain = write_parameters(desk.game.title.advice.plain(desk.game.state, made))
        return all(value in (words.get(name), plain.get(name)) for name, value in draft.given.items())


def list_turns(game: Game) -> Iterator[Turn]:
    """Yield the turns of a game: what a seat did without a break, for a company or for itself."""
    here = Game.new(game.setup)
    run, start, key = list[Action](), here, (-1, "")
    for entry in [game.log[place] for place in game.line]:
        ask, orders = here.ask(), here.title.orders
        now = (
            entry.seat,
            f"{ask.company}{orders.moment(here.state).round}" if ask.company and orders else ask.headline,
        )
        if now != key and run:
            yield Turn(start, key[0], tuple(run))
        if now != key:
            run, start, key = [], here, now
        run.append(entry.action)
        here = here.play(entry.seat, entry.action).game
    yield Turn(start, key[0], tuple(run))
