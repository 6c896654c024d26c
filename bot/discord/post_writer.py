"""Write the message of each kind of post."""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
import msgspec
import structlog

from bot.discord.channels import Channels
from bot.discord.components import Image, draw_all
from bot.discord.errors import TooEarlyError, classify_error
from bot.discord.pings import PingWriter, drop_repeated_mentions
from bot.discord.placement import PostPlacement, is_unsure, refuse_to_send_blindly
from bot.discord.post_pictures import CALL_WAIT_SECONDS, EDIT_WAIT_SECONDS, PostPictures
from bot.model import posts
from bot.model.errors import BotError
from bot.model.records import Home, Position, Proposal, Table
from bot.model.terms import MAX_MOVES_NAMED, TakeBack
from bot.screens import notices, since
from bot.screens import story as stories
from bot.screens.boards import link_moment, link_past
from bot.screens.desk_screens import TurnButtons
from bot.screens.drawing import LOBBY, Draw
from bot.screens.screen import Screen
from bot.service.services import Services
from bot.service.table import Look
from bot.service.workers.jobs import DefectError
from bot.store.outbox import POSTS, Place, StoredPost
from engine import LogError, RuleError
from engine.view import View

log = structlog.get_logger(__name__)
REFUSALS_BEFORE_DELETION = 8  # some minutes: then a turn message that can't become its result is deleted


class PostWriter:
    """Writes each kind of post.

    Args:
        services: what is to be posted. draw: draws views off the event loop.
        channels: where to write.
    """

    def __init__(self, services: Services, draw: Draw, channels: Channels) -> None:
        self.channels = channels
        self.services = services
        self.draw = draw
        self.placement = PostPlacement(services, channels)
        self.pictures = PostPictures(services, draw, self._find_post)
        self.pings = PingWriter(services, channels, self.placement)
        self.homes: dict[int, Home] = {}
        """Where each table lived when a post of it was last written."""
        self._read: dict[int, Position] = {}
        self._written: dict[int, dict[str, StoredPost]] = {}
        self._in_position: dict[type[posts.Post], Callable[[StoredPost, Any, Position], Awaitable[Place | None]]] = {
            posts.Card: self.write_card,
            posts.Turn: self.write_turn,
            posts.Pictures: self.write_pictures,
            posts.Story: self.write_story,
        }  # each writer takes its own kind of post: Any
        self._at_table: dict[type[posts.Post], Callable[[StoredPost, Any, Table], Awaitable[Place | None]]] = {
            posts.Lobby: self.write_lobby,
            posts.Summary: self.write_summary,
            posts.Ping: self.pings.write_ping,
            posts.OnDeck: self.pings.write_on_deck,
            posts.StopNote: self.pings.write_stop_note,
            posts.Notice: self.write_notice,
            posts.Prompt: self.write_notice,
            posts.BidPrompt: self.write_notice,
            posts.TimeUp: self.write_time_up,
            posts.Whisper: self.pings.write_whisper,
            posts.Ballot: self.write_ballot,
            posts.End: self.write_end,
            posts.Giving: self.write_giving,
            posts.Errand: self.run_errand,
            posts.Leftover: self.rewrite_leftover,
            posts.OldCall: self.pings.delete_old_call,
        }

    async def read(self, owed: Sequence[StoredPost]) -> None:
        """Read a table and its position once for all posts of it that are to be written now."""
        if not owed:
            return
        game = owed[0].game
        self._written[game] = {stored.key: stored for stored in owed}
        if any(type(stored.post) in self._in_position for stored in owed):
            with contextlib.suppress(BotError, LogError):  # each post says so then
                self._read[game] = await self.services.table.load_position(game)

    def forget(self, batch: str) -> None:
        """Forget what was read for the posts of a table."""
        game = int(batch.removeprefix(POSTS))
        self.pictures.forget(game)
        self._read.pop(game, None)
        self._written.pop(game, None)
        self.homes.pop(game, None)

    async def _find_post(self, game: int, key: str) -> StoredPost | None:
        """Return a post of a table: one that is written now, or as the database has it."""
        return self._written.get(game, {}).get(key) or await self.services.posted.find_post(key)

    async def write(self, stored: StoredPost) -> Place | None:
        """Send or edit the message of a post, and return where it stands; ``None`` if it is no longer wanted.

        The table, and the position where it is asked for, is read once for all posts of a claim, and again where
        this process has read another meanwhile. A post that may have been sent before is looked for first.
        """
        stored = await self.services.obligations.recheck_pings(stored)
        in_position, at_table = self._in_position.get(type(stored.post)), self._at_table.get(type(stored.post))
        here = self._read.get(stored.game)
        read = self._written.get(stored.game, {}).get(stored.key, stored)
        if here is not self.services.table.live.get_cached(stored.game) or stored.created != read.created:
            here = None  # a player has moved, or the table was
            self._read.pop(stored.game, None)
        if in_position is not None:
            here = self._read[stored.game] = here or await self.services.table.load_position(stored.game)
            self.homes[stored.game] = here.table.home
            if _is_by_mail_alone(here.table, stored.post):
                return await self.services.settle(stored)
            place = await in_position(await self._locate(stored, here.table), stored.post, here)
        elif at_table is not None:
            if isinstance(stored.post, posts.Ping | posts.OnDeck):
                here = here or await self.services.table.load_position(stored.game)
                if here.damage:
                    return None
            table = here.table if here is not None else await self.services.lobby.get_table(stored.game)
            self.homes[stored.game] = table.home
            if _is_by_mail_alone(table, stored.post):
                return await self.services.settle(stored)
            place = await at_table(await self._locate(stored, table), stored.post, table)
        else:
            return None
        home = here.table.home if here is not None else None
        if home is not None and (not (home.thread and home.message) or (place and place[0] != home.thread)):
            self._read.pop(stored.game, None)  # it has found its place by now, or goes above it, with why
        if place is not None and stored.key in (written := self._written.get(stored.game, {})):
            written[stored.key] = msgspec.structs.replace(stored, channel=place[0], message=place[1], unsure=False)
        return place

    async def _locate(self, stored: StoredPost, table: Table) -> StoredPost:
        """Return the post with the message it was posted in before a crash, if it was."""
        if isinstance(stored.post, posts.Summary | posts.Pictures | posts.Whisper | posts.Errand | posts.Leftover):
            return self.services.outbox.add_known_place(stored)
        in_channel = isinstance(stored.post, posts.Lobby)
        return await self.placement.locate(stored, *(() if in_channel else (table.home.thread,)), table.home.channel)

    async def write_lobby(self, stored: StoredPost, post: posts.Lobby, table: Table) -> Place | None:
        """Write the lobby message; once the game runs it links to the thread."""
        del post
        if not table.home.channel:
            return None
        if table.started is not None and stored.message:
            thread = await self.placement.find_or_make_thread(table)
            table = msgspec.structs.replace(table, home=msgspec.structs.replace(table.home, thread=thread))
        images = await self._draw_lobby(table) if table.state == "open" else []
        return await self.placement.send_or_edit(stored, table.home.channel, notices.make_lobby(table), images)

    async def _draw_lobby(self, table: Table) -> list[Image]:
        """Return the picture of an open table; none while its options and number of players don't fit together."""
        with contextlib.suppress(RuleError):
            board = await self.services.workers.do(LOBBY, notices.describe_lobby(table))
            return await draw_all([board], self.draw) if board else []
        return []

    async def write_card(self, stored: StoredPost, post: posts.Card, here: Position) -> Place | None:
        """Write the table message, in a thread of its own, and pin it."""
        del post
        table = here.table
        thread = await self.placement.find_or_make_thread(table)
        if not thread:
            return None
        names = [each.name for each in here.game.title.views.pictures if each.every_turn][:1]
        seen = tuple(await self.pictures.look_at(here, names, None, await self.pictures.find_since(here)))
        known = await self.services.table.told.list_lines(here)
        lines = [line for line in known if not line.folded][-2 * notices.MAX_LOG_LINES :]
        images = await draw_all(seen, self.draw)
        screen = notices.make_card(here, lines, seen, has_page=bool(self.services.boards.web))
        place = await self.placement.send_or_edit(stored, thread, screen, images)
        self.services.outbox.remember_place(stored, place)  # if what follows fails it is not sent again
        if place[1] != table.home.message:
            await self.channels.pin(*place)
            await self.services.lobby.set_home(table.id, Home(message=place[1]))
        return place

    async def write_turn(self, stored: StoredPost, post: posts.Turn, here: Position) -> Place | None:
        """Write the turn message; pictures that take long follow, so that the ping does not wait for them.

        Within the turn it is edited, with pictures of the position as it is now: after a
        move, or when a longer search has found a better button.
        """
        table = here.table
        thread = await self.placement.find_or_make_thread(table)
        if not thread or post.turn_from != table.turn_from or not (here.actors or here.damage):
            return None
        buttons = None if here.damage else await self.pictures.fetch_buttons(here)
        screen = notices.make_turn(post, here, buttons, await link_moment(self.services, here))
        if stored.message:
            return await self._edit_turn(stored, here, thread, screen, buttons)
        screen = drop_repeated_mentions(stored, screen)
        is_refused = bool(self.placement.form_refusals[stored.id])
        images = None if here.damage or is_refused else await self.pictures.draw_soon(here, buttons, CALL_WAIT_SECONDS)
        place = await self.placement.post_at_table(stored, table, thread, screen, images or ())
        self.services.outbox.remember_place(stored, place)
        if here.damage:
            return place
        if images and place[0] == thread:
            self.pictures.note_shown(here)
        await self.services.follow_turn(post, here)
        return place

    async def _edit_turn(
        self, stored: StoredPost, here: Position, thread: str, screen: Screen, buttons: TurnButtons | None
    ) -> Place:
        """Edit the turn message; where its pictures take long, first without them."""
        table = here.table
        images = await self.pictures.draw_soon(here, buttons, EDIT_WAIT_SECONDS)
        if images is None:
            await self.placement.post_at_table(stored, table, thread, screen)
            images = await self.pictures.draw_turn(here, buttons)
        return await self.placement.post_at_table(stored, table, thread, screen, images)

    async def write_summary(self, stored: StoredPost, post: posts.Summary, table: Table) -> Place | None:
        """Turn the old turn message into its line of result, and delete the word to who was next.

        A turn message that may exist unknown to us is looked for: its buttons must not stay live.
        """
        here = self._read.get(post.game) or await self.services.table.load_position(post.game)
        try:
            post = msgspec.structs.replace(post, line=await since.fetch_result(self.services, post, here))
        except (BotError, DefectError, LogError, RuleError) as error:
            log.error("a result in full", game=table.id, exc_info=error)
        screen = notices.make_summary(post, await link_past(self.services, here, post.move))
        thread = await self.placement.find_or_make_thread(table)
        known = await self._find_turn_posts(post, (thread, table.home.channel), stored)
        turn = next((one for one in known if isinstance(one.post, posts.Turn) and one.message), None)
        for call in known:
            if isinstance(call.post, posts.OnDeck) and call.message:
                await self.channels.delete(call.channel, call.message)
        if turn and self.placement.form_refusals[stored.id] >= REFUSALS_BEFORE_DELETION:
            # its buttons must not stay live
            turn = None if await self.channels.delete(turn.channel, turn.message) else turn
        if turn and await self.placement.edit(turn, table, screen):
            return turn.channel, turn.message
        if any(is_unsure(one) and isinstance(one.post, posts.Turn | posts.Summary) for one in known):
            refuse_to_send_blindly(stored)
        return await self.placement.post_at_table(known[-1], table, thread, screen) if thread else None

    async def _find_turn_posts(self, post: posts.Summary, places: Sequence[str], own: StoredPost) -> list[StoredPost]:
        """Return the turn message, the word to who is next, and last the post itself, each where it really is.

        They may be in any of the ``places``: the thread, or the channel above if that took nothing.
        """
        known = [*await self.services.posted.list_turn_posts(post.game, post.turn_from), own]
        known, looked = [self.services.outbox.add_known_place(one) for one in known], True
        for place in dict.fromkeys(filter(None, places)):
            lost = {one.id: one.created for one in known if is_unsure(one)}
            found = await self.channels.find(place, list(lost), min(lost.values())) if lost else {}
            looked = looked and found is not None
            known = [
                msgspec.structs.replace(one, channel=place, message=found[one.id]) if found and one.id in found else one
                for one in known
            ]
        return [msgspec.structs.replace(one, unsure=one.unsure and not looked) for one in known]

    async def write_pictures(self, stored: StoredPost, post: posts.Pictures, here: Position) -> Place | None:
        """Add the pictures of the turn to its message, or to the end of the game."""
        del stored
        found = await self._find_post(post.game, post.follows)
        above = found and self.services.outbox.add_known_place(found)
        if above is None or (isinstance(above.post, posts.Turn) and above.post.turn_from != here.table.turn_from):
            return None
        if not above.message:
            raise TooEarlyError("The message that these pictures belong to hasn't been posted yet.")
        if isinstance(above.post, posts.Turn) and self.pictures.are_shown(here):
            return above.channel, above.message
        moves = len(here.game.line)
        at = None if post.move >= moves else post.move  # the log may be damaged before it
        if isinstance(above.post, posts.Turn):
            buttons = await self.pictures.fetch_buttons(here)
            screen = notices.make_turn(above.post, here, buttons, await link_moment(self.services, here))
            images = await self.pictures.draw_turn(here, buttons)
        elif isinstance(above.post, posts.End):
            screen = notices.make_end(above.post, here.table)
            seen = await self.pictures.look_at(here, post.pictures, at, min(post.since, moves))
            images = await draw_all(seen, self.draw)
        else:
            return None
        await self.placement.edit(above, here.table, screen, images)
        return above.channel, above.message

    async def write_notice(
        self, stored: StoredPost, post: posts.Notice | posts.Prompt | posts.BidPrompt, table: Table
    ) -> Place | None:
        """Write a sentence to the table; once it has started, in its thread."""
        channel = await self.placement.find_or_make_thread(table) if table.state == "running" else table.home.thread
        channel = channel or table.home.channel
        if not channel and table.is_lost:
            await self.pings.tell_in_private(stored, post, table)
        screen = drop_repeated_mentions(stored, notices.make_notice(post, table))
        return await self.placement.post_at_table(stored, table, channel, screen) if channel else None

    async def write_ballot(self, stored: StoredPost, post: posts.Ballot, table: Table) -> Place | None:
        """Write a proposal with its votes so far."""
        asked = await self.services.consent.get_proposal(post.proposal)
        thread = await self.placement.find_or_make_thread(table)
        if asked is None or not thread:
            return None
        screen = drop_repeated_mentions(stored, notices.make_ballot(post, asked, table))
        seen = await self._look_before_and_after(asked) if asked.state == "open" else []
        images = await draw_all(seen, self.draw)
        return await self.placement.post_at_table(stored, table, thread, screen, images)

    async def _look_before_and_after(self, asked: Proposal) -> list[View]:
        """Return the board as it is and as it would be if many moves were taken back; none for a few."""
        terms = asked.terms
        if not isinstance(terms, TakeBack) or terms.count <= MAX_MOVES_NAMED:
            return []
        here = await self.services.table.load_position(asked.game)
        picture = next((each.name for each in here.game.title.views.pictures if each.every_turn), None)
        if picture is None or terms.to >= len(here.game.line):
            return []
        looks = [Look(picture, since=terms.to), Look(picture, at=terms.to)]
        return [await self.services.table.look_at(here, "", look) for look in looks]

    async def write_time_up(self, stored: StoredPost, post: posts.TimeUp, table: Table) -> Place | None:
        """Write that a player's clock has run out; the others may vote."""
        thread = await self.placement.find_or_make_thread(table)
        if not thread or post.turn_from != table.turn_from:
            return None
        screen = drop_repeated_mentions(stored, notices.make_time_up(post, table))
        return await self.placement.post_at_table(stored, table, thread, screen)

    async def write_giving(self, stored: StoredPost, post: posts.Giving, table: Table) -> Place | None:
        """Write the message by which friends take seats."""
        thread = await self.placement.find_or_make_thread(table)
        screen = notices.make_giving(post, table)
        return await self.placement.post_at_table(stored, table, thread, screen) if thread else None

    async def run_errand(self, stored: StoredPost, post: posts.Errand, table: Table) -> Place | None:
        """Let the stand-in move; its move is posted like any other."""
        del stored, post
        await self.services.stand_ins.play_turn(table.id)
        return "", ""

    async def rewrite_leftover(self, stored: StoredPost, post: posts.Leftover, table: Table) -> Place | None:
        """Replace a message at the old place of a table by a link to the new one; delete it if it can't be edited."""
        lives, now = table.home.thread or table.home.channel, await self.services.posted.find_post(post.key)
        if table.state == "running":
            lives = await self.placement.find_or_make_thread(table)
        if not lives or now is None:
            return None
        may_stand = False
        for place in post.places:
            found: dict[int, str] | None = {now.id: post.message}
            if not post.message:
                try:
                    found = await self.channels.find(place, [now.id], post.since, excluded=now.message)
                except discord.NotFound as error:
                    if classify_error(error) != "gone":
                        raise
                    continue  # nothing is left where the channel itself is gone
            may_stand = may_stand or found is None
            if not (message := (found or {}).get(now.id, "")):
                continue
            if self.placement.form_refusals[stored.id]:
                await self.channels.delete(place, message)
            else:
                await self.channels.edit(place, message, notices.make_moved(table, lives), (), number=0)
            return place, message
        if may_stand:  # where we may not look now
            refuse_to_send_blindly(stored)
        return None

    async def write_end(self, stored: StoredPost, post: posts.End, table: Table) -> Place | None:
        """Announce the end."""
        thread = await self.placement.find_or_make_thread(table)
        screen = drop_repeated_mentions(stored, notices.make_end(post, table))
        return await self.placement.post_at_table(stored, table, thread, screen) if thread else None

    async def write_story(self, stored: StoredPost, post: posts.Story, here: Position) -> Place | None:
        """Write the story of the game under its end, unless the end was undone; it mentions no one."""
        thread = await self.placement.find_or_make_thread(here.table)
        if not thread or here.version != post.version or not (told := await stories.fetch_story(self.services, here)):
            return None
        screen = Screen(stories.format_chapters(told))
        curves = await draw_all(await stories.list_curves(self.services, here), self.draw)
        return await self.placement.post_at_table(stored, here.table, thread, screen, curves)


def _is_by_mail_alone(table: Table, post: posts.Post) -> bool:
    """Return whether a table is in no chat, so that only private messages can be sent."""
    return table.home == Home() and not isinstance(post, posts.Whisper)
