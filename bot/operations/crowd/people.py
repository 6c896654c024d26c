"""People who press buttons at many tables, and what they see of it."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.operations.crowd.loopback import MOST_SECONDS, Channel, Loopback, Message
from bot.screens.wire import control_of

PATIENCE = 60.0
PLAYS = 0.5
"""Of all presses, so many play a move where a button plays one; the others look at the desk or at pictures."""


@dataclass
class Timings:
    """What was seen of the presses: seconds, by kind."""

    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    presses: int = 0
    moves: int = 0
    late: int = 0
    lost: int = 0
    silent: int = 0


def turn_of(thread: Channel) -> Message | None:
    """Return the turn message that waits in a thread; the table message, whose words are a heading, is none."""
    found = [each for each in thread.messages if "act" in verbs_of(each) and not each.text.startswith("## ")]
    return found[-1] if found else None


def verbs_of(message: Message) -> dict[str, str]:
    """Return the buttons of a message by what they do."""
    known = {name: control_of(name) for name in message.buttons}
    return {control.verb: name for name, control in known.items() if control is not None}


class People:
    """Those who play, each at the tables whose turn they have."""

    def __init__(self, server: Loopback, seed: int) -> None:
        self.server, self.seen, self.chance = server, Timings(), random.Random(seed)  # noqa: S311 - not a secret
        self._busy: set[int] = set()

    async def play(self, threads: Sequence[Channel], seconds: float, rate: float) -> None:
        """Press so often a second for a while, and wait until everything has been told."""
        async with asyncio.TaskGroup() as group:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                group.create_task(self._press(threads))
                await asyncio.sleep(self.chance.expovariate(rate))

    async def _press(self, threads: Sequence[Channel]) -> None:
        """Press one thing at a table where nobody is pressing."""
        free = [thread for thread in threads if thread.id not in self._busy]
        thread = self.chance.choice(free) if free else None
        turn = turn_of(thread) if thread is not None else None
        if thread is None or turn is None:
            return
        verbs = verbs_of(turn)
        plays = [verbs[verb] for verb in ("tip", "do") if verb in verbs and self.chance.random() < PLAYS]
        pressed = plays[0] if plays else verbs.get(self.chance.choice(("act", "view")), verbs["act"])
        self._busy.add(thread.id)
        try:
            moved = await self._pressed(turn, pressed, plays=bool(plays))
        finally:
            self._busy.discard(thread.id)
        if moved is not None:
            await self._told(turn, *moved)

    async def _pressed(self, turn: Message, pressed: str, *, plays: bool) -> tuple[int, float] | None:
        """Press a button; return, if a move was made, how often the turn message had been edited, and when."""
        asked = [number for number in self.server.people if f"<@{number}>" in turn.text]
        began, edits = time.monotonic(), turn.edits
        self.seen.presses += 1
        press = await self.server.press(asked[0] if asked else 1, turn, pressed)
        try:
            async with asyncio.timeout(MOST_SECONDS):
                self.seen.acknowledged.append(await press.acknowledged)
        except TimeoutError:
            self.seen.lost += 1
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                self.seen.answered.append(await press.answered)
        except TimeoutError:
            self.seen.silent += 1
            return None
        if not plays:
            return None
        moved = "✓" in press.text
        self.seen.moves += moved
        self.seen.late += not moved
        return (edits, began) if moved else None

    async def _told(self, turn: Message, edits: int, began: float) -> None:
        """Note when the channel tells of a move: by a new turn message, or by an edit within the turn."""

        def told() -> Message | None:
            now = turn_of(turn.channel)
            if now is turn:
                return turn if turn.edits > edits else None
            last = turn.channel.messages[-1]
            if now is None or now.id < turn.id:  # the result stands there, what comes next not yet; or it is the end
                return last if last.text.startswith("## ") and last.id > turn.id else None
            return now

        def is_whole() -> bool:
            now = told()
            return now is not None and (now.files > 0 or "act" not in verbs_of(now))

        try:
            await self.server.until(told, PATIENCE)
            self.seen.words.append(time.monotonic() - began)
            await self.server.until(is_whole, PATIENCE)
            self.seen.pictures.append(time.monotonic() - began)
        except TimeoutError:
            self.seen.silent += 1

    async def start(self, lobbies: Sequence[Message]) -> float:
        """Start tables in the same moment; return after how many seconds the last has its turn message.

        Raises:
            TimeoutError: one of them has none after five minutes.
        """
        before, began = {thread.id for thread in self.server.threads}, time.monotonic()

        async def started(lobby: Message) -> None:
            self.seen.presses += 1
            press = await self.server.press(1, lobby, verbs_of(lobby)["start"])
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    self.seen.acknowledged.append(await press.acknowledged)
            except TimeoutError:
                self.seen.lost += 1

        await asyncio.gather(*(started(lobby) for lobby in lobbies))

        def all_begun() -> bool:
            fresh = [thread for thread in self.server.threads if thread.id not in before]
            return sum(turn_of(thread) is not None for thread in fresh) >= len(lobbies)

        await self.server.until(all_begun, 5 * PATIENCE)
        return time.monotonic() - began
