"""Six weeks at one table: four people in four time zones live their lives beside a game, in Discord and by mail.

The moves are those of the seeded player. What it measures is what people would complain about: how often it rings, how
often for nothing, how much there is to read, and whether a snooze ends at the minute that it named.
"""

import asyncio
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from bot.model.clock import DAY, HOUR
from bot.model.orders import OrderWish
from bot.service.orders import list_offers
from engine import Rng
from engine.player import choose_action
from tests.discord.world import DM, EPOCH_MS, Channel, Message
from tests.simulation.world import Row
from tests.simulation.year import Player, Span, Wishes, Year, newest

START = datetime(2027, 3, 10, tzinfo=UTC).timestamp()
"""Before the clocks change in America and in Europe."""
TITLES = ("1860", "1862", "steel_driver")
MAX_MOVES_AT_ONCE = 12
ORDERS, SNOOZES, UNDOS = 0.3, 0.2, 0.03
"""How likely a person who may do so sets an order, snoozes instead of moving, takes a move back."""
AGAIN = re.compile(r"pinged again on (\d+ \w+) at (\d\d:\d\d) \(([^)]+)\)")


class Life(NamedTuple):
    """How a person lives: when they look at the table, on average, and what they wish of their calls.

    Args:
        visit: seconds between two looks. away: days of the span in which they are away.
        mail: they answer half of their turns by mail.
    """

    wishes: Wishes
    visit: int
    on_deck: bool = False
    away: tuple[int, int] = (0, 0)
    mail: bool = False


LIVES = (
    Life(Wishes("Europe/Berlin", 22, 7), HOUR),
    Life(Wishes("America/New_York", 23, 8, "dm"), 2 * HOUR, mail=True),
    Life(Wishes("Europe/London", 23, 7, "table", 8), 8 * HOUR),
    Life(Wishes("Australia/Sydney", 22, 7, "both"), 5 * HOUR, on_deck=True, away=(20, 25)),
)


class Lives(Year):
    """The world of the four.

    Args:
        title: what they play. span: when. folder, fresh: as of a year.
        hurry: how many times more often they look. orders: they set standing orders.
    """

    def __init__(self, title: str, span: Span, folder: Path, fresh: Path, hurry: float, *, orders: bool) -> None:
        super().__init__(span, folder, fresh)
        self.title = title
        self.hurry = hurry
        self.orders = orders
        self.lives: dict[str, Life] = {}
        self.mails: list[tuple[float, str, str]] = []
        self.snoozes: list[tuple[str, float, float]] = []
        self.sizes: list[int] = []
        self.sent_sizes: list[int] = []
        self.texts: list[list[str]] = []

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        """Take a mail of the bot, and note when it came."""
        done = await super().handle_DATA(server, session, envelope)
        if done.startswith("250"):
            address, mail = self.got[-1]
            self.mails.append((self.run.loop.epoch(), address, str(mail["Subject"])))
        return done

    async def settle(self) -> None:
        """Let the four come and say when and how they are to be called."""
        for name, life in zip(("Ann", "Bob", "Cid", "Dan"), LIVES, strict=True):
            me = Player(self.person(name))
            self.players.append(me)
            self.lives[me.user] = life
            await self.wish(me, life.wishes)
            if life.on_deck:
                await self.press(me.person.slash(self.server.games, "me remind", on_deck=True))
            if life.mail:
                await self.link(me, f"{name.lower()}@home.example")

    async def open_tables(self) -> None:
        """Open the table, and a new one when its game is over."""
        if not self.rows("SELECT id FROM game WHERE state = 'running'"):
            people = [each.person for each in self.players]
            await self.open_table(self.title, people, self.habits.getrandbits(40), pace="daily")

    async def spend_time(self, me: Player) -> None:
        """Let a person look at the table now and then while they are awake, until cancelled."""
        life = self.lives[me.user]
        leaves, back = (self.span.start + day * DAY for day in life.away)
        while True:
            await asyncio.sleep(self.habits.expovariate(self.hurry / life.visit))
            now = self.run.loop.epoch() // 1
            if leaves < now < back and not me.away:
                await self.press(me.person.slash(self.server.games, "me away", days=life.away[1] - life.away[0]))
                me.away.append([now, now + back - leaves])
            if not me.wants_peace(now):
                for row in self.rows(_SEATS, me.user):
                    await self.sit_down(me, row)

    async def sit_down(self, me: Player, row: Row) -> None:
        """Let a person do at a table what waits for them there, and sometimes something else."""
        thread = self.thread_of(row["id"])
        if thread is None:
            return
        ballot = next((each for each in newest(thread, "Agree") if me.person.mention in each.text), None)
        if ballot is not None:
            await self.press(me.person.click(ballot, self.habits.choice(("Agree", "Agree", "No"))))
        if self._is_asked(row) and self.habits.random() < SNOOZES and await self.snooze(me, thread):
            return
        moved = 0
        while self._is_asked(row) and moved < MAX_MOVES_AT_ONCE:
            game = self.game(row["id"])
            action = choose_action(game, row["number"], Rng(self.span.seed + len(game.log)))
            turn = next((each for each in newest(thread, "Act") if me.person.mention in each.text), None)
            by_mail = bool(me.mail) and moved == 0 and self.habits.random() < 0.5
            if turn is None or (by_mail and self.move_by_mail(me, row["id"], action)):
                return
            before = self.moves
            await self.move(me, thread, turn, action, game.title.words.label(game.state, action, ""))
            if self.moves == before:
                return
            moved += 1
            await asyncio.sleep(20)
        if moved and self.habits.random() < UNDOS:
            await self.press(me.person.slash(thread, "game undo"))
        if self.orders and self.habits.random() < ORDERS:
            await self.set_order(me, thread, row)

    def _is_asked(self, row: Row) -> bool:
        return row["number"] in self.game(row["id"]).actors

    async def snooze(self, me: Player, thread: Channel) -> bool:
        """Let a person snooze the newest call that has buttons for it; return whether there was one."""
        places = (self.server.world.dm(me.person.user), thread)
        calls = [each for place in places for each in newest(place, "Snooze 4 h") if _concerns(each, me)]
        if not calls:
            return False
        label = self.habits.choice(("Snooze 4 h", "Snooze until tonight", "Snooze until tomorrow"))
        done, now = await self.press(me.person.click(calls[0], label)), self.run.loop.epoch()
        found = AGAIN.search(done.text) if done is not None else None
        if found is None:
            return False
        here = datetime.fromtimestamp(now, ZoneInfo(found[3]))
        then = datetime.strptime(f"{found[1]} {here.year} {found[2]} +0000", "%d %B %Y %H:%M %z")
        self.snoozes.append((me.user, now, then.replace(tzinfo=here.tzinfo).timestamp()))
        return True

    async def set_order(self, me: Player, thread: Channel, row: Row) -> None:
        """Let a person set one of the orders that fit the moment."""
        offers = list_offers(self.game(row["id"]), row["number"])
        if offers:
            command, options = write_order(self.habits.choice(offers), self.habits.choice((20, 60, 120)))
            await self.press(me.person.slash(thread, command, **options))

    def end_day(self) -> None:
        """Note what the table posted on a day, as it stands when that ends."""
        world, (row,) = self.server.world, self.rows("SELECT max(id) AS id FROM game")
        thread = self.thread_of(row["id"])
        since = self.run.loop.epoch() - DAY
        posted = [
            each for each in (thread.messages if thread else ()) if each.author is world.me and not each.ephemeral
        ]
        today = [each for each in posted if find_moment(each) >= since and world.is_visible(each)]
        names = {str(me.person.id): f"@{me.person.user.name}" for me in self.players}
        self.texts.append([show(each.text, names) for each in today])
        self.sizes.append(sum(map(len, self.texts[-1])))
        self.sent_sizes.append(sum(len(each.text) for each in today))


def show(text: str, names: Mapping[str, str]) -> str:
    """Return a message as Discord shows it: people by name, moments in words, no marks of size and weight."""
    text = re.sub(r"<@(\d+)>", lambda found: names.get(found[1], "@someone"), text)
    text = re.sub(r"<t:\d+:R>", "in 12 hours", text)
    text = re.sub(r"<t:\d+:f>", "4 April 2027 10:41", text)
    text = re.sub(r"<#\d+>", "#table", text)
    return re.sub(r"^(-# |## )|\*\*|~~", "", text, flags=re.MULTILINE)


def write_order(wish: OrderWish, limit: int) -> tuple[str, dict[str, Any]]:
    """Return the command that sets an order, with its options."""
    if wish.kind == "pass":
        return "auto pass", {"next": True} if wish.coming else {}
    if wish.kind == "buy":
        return "auto buy", {"company": wish.company}
    if wish.kind == "bid":
        return "auto bid", {"on": wish.company, "up_to": limit}
    if wish.kind == "run":
        return "auto run", {"company": wish.company, "keep": True}
    return "auto skip", {"steps": ",".join(wish.steps), "company": wish.company}


def _concerns(message: Message, me: Player) -> bool:
    return message.channel.kind == DM or me.person.mention in message.text


def find_moment(message: Message) -> float:
    return ((message.id >> 22) + EPOCH_MS) / 1000


_SEATS = (
    "SELECT game.id, game.turn_from, seat.number, seat.name, seat.stand_in FROM seat JOIN game ON game.id = seat.game "
    "WHERE seat.user = ? AND seat.gone IS NULL AND game.state = 'running' ORDER BY game.id"
)
