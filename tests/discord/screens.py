"""Go through the private desk in kept games, and count the lines and buttons of its screens as a phone shows them.

``python -m tests.discord.screens 1860-3 --every 12`` counts what one comes to at every twelfth position by two choices
of each menu and every button; ``--read`` prints the first screens as a phone of 44 characters a line shows them.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from bot.model.errors import BotError
from bot.screens.desk import DeskAsked
from bot.screens.desk_menus import MAX_SHORT_LABEL
from bot.screens.desk_screens import SCREEN
from bot.screens.screen import MAX_BUTTONS, MAX_PHONE_LINES, PHONE_CHARACTERS, WHOLE_SCREEN, Screen, count_lines
from bot.service.workers.choices import encode_tips
from bot.service.workers.jobs import Held
from engine import Game, Rng, RuleError
from engine.words import WordingError
from tests.discord.turns import NAMES
from tests.playthroughs.record import read

MAX_SCREENS = 30
"""Of a position."""
OPTIONS = 2
"""Of a menu, those that are chosen."""


class Shown(NamedTuple):
    """A screen that one comes to: after so many moves, at a path."""

    at: int
    path: str
    screen: Screen

    @property
    def lines(self) -> int:
        return count_lines("\n".join(filter(None, [self.screen.text, self.screen.after])))

    @property
    def labels(self) -> list[str]:
        return [button.label for row in self.screen.rows for button in row]

    @property
    def fits(self) -> bool:
        """Whether it shows no more than it should."""
        labels = [*self.labels, *(option.label for menu in self.screen.menus for option in menu.options)]
        buttons = [label for label in self.labels if label != "More…"]
        short = all(len(label) <= MAX_SHORT_LABEL for label in labels)
        whole = self.path.startswith(WHOLE_SCREEN)
        return short and (whole or (self.lines <= MAX_PHONE_LINES and len(buttons) <= MAX_BUTTONS))


def list_positions(name: str, every: int, first: int = 0) -> Iterator[tuple[int, Game]]:
    """Yield some positions of a kept game, and how many moves were made before each."""
    kept = read(name)
    game = Game.new(kept.setup)
    for at, entry in enumerate(kept.read_log()):
        if at % every == first:
            yield at, game
        game = game.play(entry.seat, entry.action).game


def list_screens(at: int, game: Game, most: int = MAX_SCREENS, *, new_here: bool = False) -> Iterator[Shown]:
    """Yield the screens that the first of those who must act comes to."""
    held, seat, rng = Held(game), game.actors[0], Rng(at)
    tips, seen, waiting = encode_tips(game.tips(seat)), set[str](), [""]
    while waiting and len(seen) < most:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            screen = SCREEN.do(
                held, DeskAsked(1, NAMES[: game.setup.seats], seat, tips, path, new_here=new_here)
            ).screen
        except (BotError, RuleError, WordingError):
            continue
        yield Shown(at, path, screen)
        waiting += [button.control.arg for row in screen.rows for button in row if button.control.verb == "at"]
        for menu in screen.menus:
            if menu.control.verb == "pick":
                options = [*menu.options]
                some = [options.pop(rng.below(len(options))) for _ in range(min(OPTIONS, len(options)))]
                waiting += [f"{menu.control.arg.partition('/')[0]}.{option.value}" for option in some]


def format_screen(shown: Shown) -> str:
    """Return a screen as a phone shows it."""
    text = "\n".join(filter(None, [shown.screen.text, shown.screen.after])).replace("*", "")
    lines = [part for line in text.splitlines() for part in wrap(line.removeprefix("-# "), PHONE_CHARACTERS) or [""]]
    for menu in shown.screen.menus:
        first = f" · {menu.options[0].label}" if menu.options else ""
        lines.append(f"<{menu.placeholder}> {len(menu.options)}{first}")
    return "\n".join([*lines, *(f"[{label}]" for label in shown.labels)])


def main() -> None:
    """Count the screens of games, or print some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--every", type=int, default=31)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--read", action="store_true")
    wish = parser.parse_args()
    for name in wish.games:
        lines, buttons, over = Counter[int](), Counter[int](), list[Shown]()
        for at, game in list_positions(name, wish.every, wish.first):
            for shown in list_screens(at, game, 1 if wish.read else MAX_SCREENS):
                if wish.read:
                    sys.stdout.write(f"--- {name}, move {at + 1}\n{format_screen(shown)}\n")
                if not shown.path.startswith(WHOLE_SCREEN):
                    lines[shown.lines] += 1
                    buttons[len(shown.labels) - ("More…" in shown.labels)] += 1
                over += [] if shown.fits else [shown]
        counts = f"lines {dict(sorted(lines.items()))}, buttons {dict(sorted(buttons.items()))}"
        sys.stdout.write(f"{name}: {sum(lines.values())} screens, {counts}; {len(over)} beyond\n")
        for shown in over:
            sys.stdout.write(f"--- {name}, move {shown.at + 1}, {shown.path}\n{format_screen(shown)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
