"""What people were promised, looked at once a day in the simulated year; and the year itself.

Nothing here asks the bot when a person sleeps or is to be called: their own clocks and wishes say it.
"""

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import structlog

from bot.model.clock import DAY, HOUR, MINUTE
from bot.screens.screen import read_custom_id
from tests.chaos.expected_posts import number_of
from tests.discord.world import DM, EPOCH_MS, Message
from tests.simulation.invariants import CHECKS, Ring, Shown, Snapshot, check_results, check_secrets
from tests.simulation.year import Player, Span, Year

WAITS = {"relaxed": DAY, "daily": 12 * HOUR}
"""Seconds after which a table reminds whom it waits for, the first and the second time; then it does so daily."""
LATE_SECONDS = 30 * MINUTE
MORNING_SECONDS = 5 * MINUTE
"""In which a call comes after the quiet hours."""
CHORE_SECONDS = HOUR + 5 * MINUTE
"""In which a digest comes after its hour."""
JUST_SECONDS = 20
"""Between the moment when a call was welcome and the one at which it rings."""
FULL_LOOK_DAYS = 60
CALLS = ("turn", "ping", "reminder", "deck")


class Promises:
    """Looks at what came of a day.

    Args:
        year: the world.
    """

    def __init__(self, year: Year) -> None:
        self.year = year
        self.messages: dict[int, list[Message]] = defaultdict(list)
        self.rings: dict[int, list[Ring]] = defaultdict(list)
        self.calls: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        self.digests: dict[str, list[float]] = defaultdict(list)
        self.names: dict[int, str] = {}
        self._seen = self._rung = self._errors = 0
        self._last = 0
        self._since = year.span.start

    async def look(self, *, fully: bool) -> list[str]:
        """Return what is wrong after a day; ``fully`` with everything that was ever posted."""
        players = {each.user: each for each in self.year.players}
        found = [*self._read_new(players), *self._check_turns(), *self._check_silence(players)]
        found += self._check_digests(players)
        day = self._take_snapshot()
        for check in CHECKS:
            await asyncio.sleep(0)  # the loop takes too long a step for a frozen one
            if check is not check_secrets:
                found += [f"{check.__name__.removeprefix('check_')}: {each}" for each in check(day)]
        found = [*(each for each in found if not _is_expected(each)), *self.year.check_bounds()]
        if fully:
            whole = self.year.snapshot()
            for check in CHECKS:
                await asyncio.sleep(0)
                if check is not check_results:
                    found += [each for each in check(whole) if not _is_expected(each)]
            await asyncio.sleep(0)
            found += [f"mail: {each}" for each in self.year.check_mail(whole)] + await self.year.judge_tables()
        noted = self.year.rows("SELECT words FROM note WHERE name = 'inspection'")
        mended = json.loads(noted[0]["words"]).get("counts") if noted else {}
        found += [f"the inspection had to restore {mended}"] if mended else []
        found += self.year.errors[self._errors :] + self.year.server.violations + self.year.ended
        self._errors, self._since = len(self.year.errors), self.year.run.loop.epoch()
        return found

    def _read_new(self, players: dict[str, Player]) -> Iterator[str]:
        """Note who was called since the last look; yield what rang in a person's quiet hours, or late after them."""
        world = self.year.server.world
        new = [*islice(world.messages.values(), self._seen, None)]
        self._seen += len(new)
        for message in new:
            if message.author is world.me and number_of(message):
                self.messages[number_of(message)].append(message)
        pings, self._rung = world.pings[self._rung :], len(world.pings)
        letters = [(str(each.channel.people[0].id), each) for each in new if each.channel.kind == DM]
        for user, message in [*((str(ping.user.id), ping.message) for ping in pings), *letters]:
            number, moment = number_of(message), ((message.id >> 22) + EPOCH_MS) / 1000
            if not number or user not in players:
                continue
            if message.channel.kind != DM:
                self.rings[number].append(Ring(user, number))
            if number not in self.names:
                self.names[number] = self.year.rows("SELECT key FROM outbox WHERE id = ?", number)[0]["key"]
            game, kind, turn, *_ = self.names[number].split(":")
            yield from self._judge_call(players[user], moment, self.names[number])
            if kind in CALLS:
                self.calls[game, turn, user].append(moment)
            if kind == "digest":
                self.digests[user].append(moment)

    def _judge_call(self, player: Player, moment: float, key: str) -> Iterator[str]:
        name, when = player.person.user.name, format_moment(moment)
        if player.wants_peace(moment) and player.wants_peace(moment - JUST_SECONDS) and ":digest:" not in key:
            yield f"peace: {key} rang {name} at {when} ({player.wish_at(moment)})"
        game, kind, turn, *_ = key.split(":")
        if kind != "ping" or (game, turn, player.user) in self.calls:
            return
        began = self.year.rows("SELECT created FROM outbox WHERE key = ?", f"{game}:turn:{turn}")[0]["created"]
        if any(began < since < moment for since, _ in player.wishes) or not player.wants_peace(began):
            return
        late = moment - player.find_peace_end(began)
        if late > MORNING_SECONDS:
            yield f"morning: {key} rang {name} at {when}, {late:.0f} s after their quiet hours"

    def _check_turns(self) -> Iterator[str]:
        """Each running table has exactly one message of a turn with buttons: that of the turn that is on."""
        year, world = self.year, self.year.server.world
        for row in year.rows(_RUNNING, year.run.loop.epoch() - LATE_SECONDS):
            thread = year.thread_of(row["game"])
            seen = [each for each in (thread.messages[-60:] if thread else ()) if each.author is world.me]
            live = [number_of(each) for each in seen if world.is_visible(each) and shows_turn(each)]
            if live != [row["turn"]]:
                yield f"turns: table {row['game']} shows {live}, not {row['turn']}, in turn {row['turn_from']}"

    def _check_silence(self, players: dict[str, Player]) -> Iterator[str]:
        """Whoever must act was called, and is reminded as the pace of the table has it and they themselves wish."""
        now = self.year.run.loop.epoch()
        for row in self.year.rows(_WAITING):
            wait, began = WAITS[row["pace"]], row["created"]
            sits = {seat["user"] for seat in self.year.rows(_PEOPLE_SITTING, row["game"])}
            for user in json.loads(row["payload"])["mention"]:
                player, times = players[user], self.calls.get((str(row["game"]), str(row["turn_from"]), user), [])
                wish = player.wish_at(now)
                if user not in sits or wish.place == "none" or len(times) > wish.most:
                    continue
                base = times[-1] + (wait if len(times) < 3 else DAY) if times else began + wait
                base = max([base, *(end for begin, end in player.away if began < end <= now)])
                if now > (deadline := player.find_peace_end(base)) + LATE_SECONDS:
                    rang = [format_moment(each) for each in times]
                    yield (
                        f"silence: {row['key']} of {format_moment(began)} should have called {player.person.user.name} "
                        f"again by {format_moment(deadline)}, and did so at {rang}"
                    )

    def _check_digests(self, players: dict[str, Player]) -> Iterator[str]:
        """A digest comes once a day, in its hour, and to no one who is away."""
        for user, moments in self.digests.items():
            player = players[user]
            for moment in moments:
                wish = player.wish_at(moment)
                here = datetime.fromtimestamp(moment, ZoneInfo(wish.zone))
                begins = here.replace(hour=wish.digest, minute=0, second=0, fold=0).timestamp()
                changes = [since for since, _ in player.wishes if begins - DAY < since <= max(moments)]
                changed = any(since <= moment for since in changes)
                back = any(begins - HOUR < end <= moment for _, end in player.away)
                if not (changed or back or begins <= moment < begins + CHORE_SECONDS):
                    yield f"digest: {player.person.user.name} got theirs at {here}, not at {wish.digest}:00"
                if any(begin + JUST_SECONDS < moment < end for begin, end in player.away):
                    yield f"digest: {player.person.user.name} got one at {here} while away"
                others = [datetime.fromtimestamp(each, ZoneInfo(wish.zone)).date() for each in moments]
                if others.count(here.date()) > 1 and not changes:  # of zone, too, between two
                    yield f"digest: {player.person.user.name} got several on {here.date()}"
        self.digests.clear()

    def _take_snapshot(self) -> Snapshot:
        """Return what was owed or sent since the last look, with the messages it stands in."""
        year, last = self.year, self._last
        outbox = year.rows(_CHANGED, last)
        self._last = max([last, *(row["id"] for row in outbox)])
        shown = {each.id: each for row in outbox for each in self.messages.get(row["id"], ())}
        for game in {row["game"] for row in outbox if row["kind"] == "summary"}:
            thread = year.thread_of(game)
            shown |= {each.id: each for each in (thread.messages[-60:] if thread else ()) if not each.ephemeral}
        told, year.told = year.told, []
        world = year.server.world
        return Snapshot(
            year.run.loop.epoch(), year.rows("SELECT * FROM game WHERE state = 'running'"),
            year.rows("SELECT game, seq, interaction FROM log"), outbox,
            [Shown(m.id, m.channel.id, number_of(m), m.text) for m in shown.values()
             if m.author is world.me and world.is_visible(m)],
            [ring for row in outbox for ring in self.rings.get(row["id"], ())],
            [str(item.id) for item in told], year.outages,
        )  # fmt: skip


def _is_expected(sentence: str) -> bool:
    """Return whether a sentence says what may be so: a call that comes later, a letter that isn't needed any more."""
    return " never rang " in sentence or (":to:" in sentence and sentence.endswith("given up: no longer wanted"))


_WAITING = (
    "SELECT outbox.*, game.turn_from, game.pace FROM game JOIN outbox ON outbox.key = game.id || ':turn:' || "
    "game.turn_from WHERE game.state = 'running' AND outbox.state = 'sent'"
)
_RUNNING = (
    "SELECT game.id AS game, game.turn_from, outbox.id AS turn FROM game LEFT JOIN outbox ON outbox.key = game.id || "
    "':turn:' || game.turn_from WHERE game.state = 'running' AND game.started < ?"
)
_PEOPLE_SITTING = "SELECT user FROM seat WHERE game = ? AND gone IS NULL AND NOT stand_in"
_CHANGED = (
    "SELECT * FROM outbox WHERE id > ? OR state = 'owed' "
    "OR key IN (SELECT id || ':turn:' || turn_from FROM game WHERE state = 'running') ORDER BY id"
)


def shows_turn(message: Message) -> bool:
    """Return whether a message is that of a turn and has its buttons."""
    controls = [read_custom_id(each["custom_id"]) for each in message.controls if "custom_id" in each]
    verbs = {control.verb for control in controls if control is not None}
    return not message.ephemeral and "act" in verbs and not verbs & {"log", "snooze"}


def format_moment(moment: float) -> str:
    """Return a moment as people write it."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}"


async def live_through(year: Year) -> list[str]:
    """Live through a span; return what is wrong on the first day on which anything is."""
    year.note_errors()
    async with year.open():
        await year.start_bot()
        await year.settle()
        await year.open_tables()
        people = [asyncio.create_task(year.spend_time(each)) for each in year.players]
        promises, found = Promises(year), list[str]()
        try:
            for day in range(year.span.days):
                await year.pass_day(day)
                is_last = day == year.span.days - 1
                found = await promises.look(fully=is_last or day % FULL_LOOK_DAYS == FULL_LOOK_DAYS - 1)
                found += [repr(each.exception()) for each in people if each.done()]
                if found:
                    return [f"{format_moment(year.run.loop.epoch())}: {each}" for each in found]
                year.forget_the_past()
                await year.open_tables()
        finally:
            for each in people:
                each.cancel()
            with contextlib.suppress(Exception):
                await asyncio.gather(*people, return_exceptions=True)
    return found


SPANS = ((datetime(2027, 3, 10, tzinfo=UTC), 366, 200), (datetime(2038, 1, 15, tzinfo=UTC), 10, 20))
"""Begin, days and tables: a year with both changes of the clocks in Europe and America and a leap day; and the 19th of
January 2038, on which seconds need more than 31 bits."""


def run_span(span: Span, folder: Path) -> tuple[Year, list[str]]:
    """Run a span on a store of its own, in a folder with an empty one; return its world and what is wrong."""
    year, logging = Year(span, folder, folder / "fresh.sqlite"), structlog.get_config()
    try:
        return year, year.run.run(live_through(year))
    finally:
        structlog.configure(**logging)
