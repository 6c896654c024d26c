"""People who press buttons at many tables, and what they see of it."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.screens.screen import read_custom_id
from tests.discord.interactions import Interaction
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message

ACKNOWLEDGE_SECONDS = 3.0
"""Discord shows a press as failed after this time."""
ANSWER_SECONDS = 3.0
"""A press that has no answer after this time is listed."""
WAIT_SECONDS = 60.0
MOVE_SHARE = 0.5
"""Share of presses that play a move where a button plays one; the others open the desk or a picture."""


@dataclass
class Timings:
    """What people saw of their presses: seconds, by kind, and counts.

    Args:
        changes: of the first responses to moves, each a request.
        late: presses that played nothing, as the turn had moved on. lost: not
            acknowledged in time. silent: without an answer, or moves that the channel never showed.
        waits: a line for each press that had no answer within three seconds, to find out why.
    """

    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    presses: int = 0
    moves: int = 0
    changes: int = 0
    late: int = 0
    lost: int = 0
    silent: int = 0
    waits: list[str] = field(default_factory=list)


def find_turn(thread: Channel) -> Message | None:
    """Return the turn message that waits in a thread; the table message, whose words are a heading, is none."""
    for message in reversed(thread.public):
        if "act" in buttons_of(message) and not message.text.startswith("## "):
            return message
    return None


def buttons_of(message: Message) -> dict[str, str]:
    """Return the custom ids of a message's controls by what they do."""
    known = {part["custom_id"]: read_custom_id(part["custom_id"]) for part in message.controls}
    return {control.verb: name for name, control in known.items() if control is not None}


class People:
    """Players, each at the tables whose turn they have."""

    def __init__(self, server: StandIn, seed: int) -> None:
        self.server, self.seen, self.chance = server, Timings(), random.Random(seed)  # noqa: S311 - not a secret
        self._busy: set[int] = set()

    async def play(self, threads: Sequence[Channel], seconds: float, rate: float) -> None:
        """Press ``rate`` buttons a second for a while, and wait until every result has been shown."""
        async with asyncio.TaskGroup() as group:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                group.create_task(self._press_one(threads))
                await asyncio.sleep(self.chance.expovariate(rate))

    async def start(self, lobbies: Sequence[Message]) -> float:
        """Start tables at the same moment; return the seconds until the last shows its turn message.

        Raises:
            TimeoutError: one of them shows none after five minutes.
        """
        before, began = {thread.id for thread in self.server.threads}, time.monotonic()
        await asyncio.gather(*(self._press(lobby, buttons_of(lobby)["start"]) for lobby in lobbies))

        def are_all_begun() -> bool:
            fresh = [thread for thread in self.server.threads if thread.id not in before]
            return sum(find_turn(thread) is not None for thread in fresh) >= len(lobbies)

        await self.server.world.until(are_all_begun, 5 * WAIT_SECONDS)
        return time.monotonic() - began

    async def _press_one(self, threads: Sequence[Channel]) -> None:
        """Press one button at a table where no one is pressing, and wait for its result."""
        free = [thread for thread in threads if thread.id not in self._busy]
        thread = self.chance.choice(free) if free else None
        turn = find_turn(thread) if thread is not None else None
        if thread is None or turn is None:
            return
        buttons = buttons_of(turn)
        moves = [buttons[verb] for verb in ("tip", "do") if verb in buttons and self.chance.random() < MOVE_SHARE]
        pressed = moves[0] if moves else buttons.get(self.chance.choice(("act", "view")), buttons["act"])
        began, edits = time.monotonic(), turn.edits
        self._busy.add(thread.id)
        press = None
        try:
            press = await self._press(turn, pressed)
            moved = await self._see_answer(press, began, is_move=bool(moves))
        finally:
            self._busy.discard(thread.id)
        if (took := time.monotonic() - began) > ANSWER_SECONDS:
            answer = "no answer" if press is None else f"answer {press.answer}, {'' if press.done else 'not '}done"
            self._note_wait(f"{thread.name}: {pressed}: {took:.1f} s, {answer}", began)
        if moved:
            await self._see_move(turn, edits, began)

    def _note_wait(self, words: str, began: float) -> None:
        """Note that a press waited long; the clock's time finds what the bot logged meanwhile."""
        at = datetime.fromtimestamp(time.time() - (time.monotonic() - began), tz=UTC)
        self.seen.waits.append(f"{at:%H:%M:%S.%f} {words}")

    async def _press(self, message: Message, custom_id: str) -> Interaction | None:
        """Press a button as the player it calls; return ``None`` if the press is not acknowledged in time."""
        users = self.server.world.users.values()
        called = next((user for user in users if f"<@{user.id}>" in message.text), None)
        person = self.server.person(called.name if called else "Player 1")
        self.seen.presses += 1
        began = time.monotonic()
        press = await person.press(message, custom_id, wait="no")
        try:
            await self.server.world.until(lambda: press.answer, ACKNOWLEDGE_SECONDS)
        except TimeoutError:
            self.seen.lost += 1
            return None
        self.seen.acknowledged.append(time.monotonic() - began)
        return press

    async def _see_answer(self, press: Interaction | None, began: float, *, is_move: bool) -> bool:
        """Wait for the answer to a press; return whether it made a move."""
        if press is None:
            return False
        try:
            await self.server.world.until(lambda: press.done, WAIT_SECONDS)
        except TimeoutError:
            self.seen.silent += 1
            return False
        self.seen.answered.append(time.monotonic() - began)
        moved = is_move and "✓" in press.text
        self.seen.moves += moved
        self.seen.changes += press.changes * moved
        self.seen.late += is_move and not moved
        return moved

    async def _see_move(self, turn: Message, edits: int, began: float) -> None:
        """Note when the channel shows a move: by a new turn message, or by an edit within the turn."""

        def find_result() -> Message | None:
            now = find_turn(turn.channel)
            if now is turn:
                return turn if turn.edits > edits else None
            last = turn.channel.last
            if now is None or now.id < turn.id:  # the result is there, the next turn is not; or the game is over
                return last if last.text.startswith("## ") and last.id > turn.id else None
            return now

        def is_whole() -> bool:
            now = find_result()
            return now is not None and (bool(now.files) or "act" not in buttons_of(now))

        try:
            await self.server.world.until(find_result, WAIT_SECONDS)
            self.seen.words.append(time.monotonic() - began)
            await self.server.world.until(is_whole, WAIT_SECONDS)
            self.seen.pictures.append(time.monotonic() - began)
        except TimeoutError:
            self.seen.silent += 1
            now = find_turn(turn.channel)
            shown = (
                "no turn" if now is None else f"turn {now.id} with {sorted(buttons_of(now))}, {len(now.files)} files"
            )
            self._note_wait(f"{turn.channel.name}: move not shown: {turn.id} before, {shown}", began)
