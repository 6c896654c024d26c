"""The pictures and buttons of a table's posts: those of a turn are drawn once, and go out with its message if they can.

Its ping waits for them but shortly.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.discord.components import Image, draw_all
from bot.model import posts
from bot.model.errors import BotError
from bot.model.records import Position
from bot.screens import notices
from bot.screens.desk_screens import TurnButtons
from bot.screens.drawing import Draw
from bot.screens.open_desk import fetch_turn_buttons
from bot.service.services import Services
from bot.service.table import Look
from bot.service.workers.jobs import DefectError
from bot.store.outbox import StoredPost
from engine.view import View

log = structlog.get_logger(__name__)
CALL_WAIT_SECONDS, EDIT_WAIT_SECONDS = 0.3, 0.6
"""For which the words of a new turn wait for its pictures, and those of a turn that goes on, as it calls no one: with
them they need no further edit."""
FindPost = Callable[[int, str], Awaitable[StoredPost | None]]


class PostPictures:
    """Pictures as they are posted.

    Args:
        services: what they show. draw: draws views off the event loop.
        find_post: finds a post of a table by its key.
    """

    def __init__(self, services: Services, draw: Draw, find_post: FindPost) -> None:
        self.services = services
        self.draw = draw
        self._find_post = find_post
        self._drawn: dict[int, tuple[int, asyncio.Task[list[Image]]]] = {}
        self._shown: dict[int, int] = {}

    async def look_at(self, here: Position, names: Sequence[str], at: int | None, since: int) -> list[View]:
        """Return pictures as a bystander sees them; leave out any that has a defect."""
        found: list[View] = []
        for name in names:
            try:
                found.append(await self.services.table.look_at(here, "", Look(name, at=at, since=since)))
            except (DefectError, BotError) as error:  # or two workers broke over it
                log.error("picture", game=here.table.id, name=name, exc_info=error)
        return found

    async def find_since(self, here: Position) -> int:
        """Return the moves since which things are new, so that all messages of a position show the same picture."""
        if here.version == here.table.turn_from or not here.actors:  # no one has moved in this turn
            shown = await self._find_post(here.table.id, posts.build_pictures_key(here.table.id, here.version))
            if shown is not None and isinstance(shown.post, posts.Pictures):
                return shown.post.since
        return sum(position < here.table.turn_from for position in here.game.line)

    async def fetch_buttons(self, here: Position) -> TurnButtons | None:
        """Return the buttons that play at once; if working them out fails, the turn is posted without them."""
        try:
            return await fetch_turn_buttons(self.services, here)
        except Exception as error:
            log.error("a turn without quick buttons", game=here.table.id, exc_info=error)
            return None

    async def draw_turn(self, here: Position, buttons: TurnButtons | None) -> list[Image]:
        """Return the pictures of a turn message; those of a position that are being drawn are waited for."""
        known, drawing = self._drawn.pop(here.table.id, (0, None))
        return await (drawing if drawing is not None and known == here.version else self._draw(here, buttons))

    async def _draw(self, here: Position, buttons: TurnButtons | None) -> list[Image]:
        seen = await self.look_at(here, here.game.pictures(), None, await self.find_since(here))
        return await draw_all(notices.add_buttons_to_alt(notices.add_close_ups(seen), buttons), self.draw)

    async def draw_soon(self, here: Position, buttons: TurnButtons | None, seconds: float) -> list[Image] | None:
        """Return the pictures of a turn message if they are drawn in so many seconds; else ``draw_turn`` has them."""
        self.forget(here.table.id)
        drawing = asyncio.create_task(self._draw(here, buttons))
        self._drawn[here.table.id] = here.version, drawing
        await asyncio.wait([drawing], timeout=seconds)
        return drawing.result() if drawing.done() and not drawing.exception() else None

    def note_shown(self, here: Position) -> None:
        """Note that a turn message was sent with its pictures."""
        self._shown[here.table.id] = here.version

    def are_shown(self, here: Position) -> bool:
        """Return whether the turn message of a position was sent with its pictures."""
        return self._shown.get(here.table.id) == here.version

    def forget(self, game: int) -> None:
        """Forget the pictures of a table."""
        self._shown.pop(game, None)
        _, drawing = self._drawn.pop(game, (0, None))
        if drawing is not None:
            drawing.cancel()
