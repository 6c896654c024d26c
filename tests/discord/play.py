"""Shortcuts of the tests: open a table, find the turn message."""

import contextlib
import io
from collections.abc import Sequence
from typing import Any

from PIL import Image

from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Position
from bot.model.records import Person as Host
from bot.screens.desk import follow
from bot.screens.desk_menus import fit_label
from bot.screens.screen import MAX_LABEL_LENGTH, clip, read_custom_id
from bot.service.options import parse_options
from bot.service.workers import jobs
from bot.service.workers.jobs import Held
from engine import Action, Game
from engine.words import write_parameters
from tests.discord.conftest import Desk
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, File, Message

_LATEST: list[Held] = []


def replay_position(position: Position) -> Game:
    """Return the game of a position; of the position asked for last, only what came after it is played."""
    setup, log = position.game.setup, position.game.log
    known = _LATEST[0].game if _LATEST else None
    if known is not None and known.setup == setup and log[: len(known.log)] == known.log:
        rest = log[len(known.log) :]
        held = _LATEST[0].add_entries([jobs.encode_row(said) for said in rest]) if rest else _LATEST[0]
    else:
        held = Held(Game.replay(setup, log))
    _LATEST[:] = [held]
    return held.game


async def open_table(desk: Desk, *people: Person, title: str = "toy", options: str = "", **wish: Any) -> Channel:  # noqa: ANN401  # of a NewTable
    """Let the first person open a table, the others join, the first start it; return its thread.

    What it says is posted; the commands and buttons that lead here are pressed in ``test_toy_table``.
    """
    server, lobby = desk.server, desk.services.lobby
    host, *guests = [Host(str(person.id), person.user.name.title()) for person in people]
    before = len(server.threads)
    named = NewTable(
        title, **{"name": "Friday", "seed": 1, "seats": len(people), "options": parse_options(options), **wish}
    )
    table = await lobby.create(host, named, Home(str(server.guild.id), str(server.games.id)))
    await server.world.until(lambda: _lobby(server, named.name), what="the lobby message")
    for guest in guests:
        await lobby.join(table.id, guest)
    await lobby.start(table.id, host.id, "as joined")
    await server.world.until(lambda: len(server.threads) > before, what="the thread")
    await desk.settle()
    return server.threads[-1]


async def open_live_table(desk: Desk, alice: Person, bob: Person) -> Channel:
    """Open a table at which both have just bid, so that Bob, who is to act, is pinged two minutes later."""
    thread = await open_table(desk, alice, bob)
    for person, bid in ((alice, "Bid 1"), (bob, "Bid 2"), (alice, "Bid 3")):
        await person.click(turn_of(thread), bid)
        await desk.settle()
    return thread


def _lobby(server: StandIn, name: str) -> Message | None:
    found = [message for message in server.games.public if name in message.text and "Join" in message.labels]
    return found[-1] if found else None


def turn_of(thread: Channel) -> Message:
    """Return the newest message that has an Act button, but for the table message."""
    return [m for m in thread.public if "Act" in m.labels and not m.text.startswith("##")][-1]


def at_once(message: Message, words: Sequence[str]) -> str | None:
    """Return the label of the button that plays a move at once, if it reads like one of these words."""
    controls = {part.get("label", ""): read_custom_id(part["custom_id"]) for part in message.controls}
    quick = [label for label, control in controls.items() if control is not None and control.verb in {"tip", "do"}]
    fitting = [
        label
        for label in quick
        for each in words
        if label in (clip(each, MAX_LABEL_LENGTH), fit_label(each)) or label.startswith(f"{each} · ")
    ]
    return fitting[0] if fitting else None


async def say(person: Person, shown: Interaction, game: Game, action: Action) -> Interaction:
    """Say as many values of an action as one tap can say on a screen: by a button, in a menu, or in the form."""
    legal, words = game.choices(game.actors[0]), write_parameters(action)
    told: dict[int, tuple[str, str]] = {}
    forms = []
    for part in shown.message.controls:
        control = read_custom_id(part["custom_id"])
        if control is None or control.verb not in {"at", "pick", "ask"}:
            continue
        path = control.arg.partition("/")[0]
        ways = [(f"{path}.{option['value']}", option["label"]) for option in part.get("options", ())]
        for end, label in ways or [(path, part.get("label", ""))]:
            with contextlib.suppress(BotError):
                given = follow(legal, game.title.open_verbs, end).given
                if not end.startswith(f"{action.verb}") or not given.items() <= words.items():
                    continue
                if control.verb == "ask":
                    forms.append((label, next(word for name, word in words.items() if name not in given)))
                elif label != "Back":
                    told[len(given)] = (label, part.get("placeholder", "") if ways else "")
    if told:
        label, menu = told[max(told)]
        return await (person.choose(shown.message, label, select=menu) if menu else person.click(shown.message, label))
    label, word = forms[0]
    return await person.submit(await person.click(shown.message, label), value=word)


def sizes(files: Sequence[File]) -> list[tuple[int, int]]:
    """Open pictures that arrived, all of each, and return their sizes."""
    found = []
    for file in files:
        image = Image.open(io.BytesIO(file.data))
        image.load()
        assert image.format == "PNG"
        assert file.alt
        found.append(image.size)
    return found


def texts(thread: Channel) -> str:
    """Return all that the channel says."""
    return "\n".join(message.text for message in thread.public)
