"""What six weeks of four people come to: rings, useless ones, characters to read, snoozes that ended as they said."""

import asyncio
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

import structlog

from bot.model.clock import DAY, HOUR, MINUTE
from tests.chaos.expected_posts import number_of
from tests.discord.world import DM
from tests.simulation.lives import Lives, find_moment
from tests.simulation.promises import Promises
from tests.simulation.year import Span

SILENT = 4096
"""Discord's flag for a message that rings no one."""
DOUBLE_SECONDS = 10 * MINUTE
"""Two calls for the same thing within this time are one too many."""


class Call(NamedTuple):
    """That something rang: whose, when, by what, and the key of the post that asked; ``by`` of a letter is "mail"."""

    user: str
    moment: float
    by: str
    key: str


class Figures:
    """What was measured of the lives of four.

    Args:
        lives: their world, at the end.
    """

    def __init__(self, lives: Lives) -> None:
        self.lives = lives
        self.rows = lives.rows

    def list_calls(self) -> list[Call]:
        """Return all that rang, in order."""
        world, found = self.lives.server.world, list[Call]()
        keys = {row["id"]: row["key"] for row in self.rows("SELECT id, key FROM outbox")}
        for ping in world.pings:
            found.append(
                Call(str(ping.user.id), find_moment(ping.message), "table", keys.get(number_of(ping.message), ""))
            )
        for message in world.messages.values():
            is_owed = message.author is world.me and number_of(message)  # others are answers
            if message.channel.kind == DM and is_owed and not message.flags & SILENT:
                user = str(message.channel.people[0].id)
                found.append(Call(user, find_moment(message), "private", keys.get(number_of(message), "")))
        users = {each.mail: each.user for each in self.lives.players if each.mail}
        found += [Call(users[address], moment, "mail", subject) for moment, address, subject in self.lives.mails
                  if address in users]  # fmt: skip
        return sorted(found, key=lambda call: call.moment)

    def describe(self) -> Iterator[str]:
        """Yield what was measured, a line each."""
        calls = [call for call in self.list_calls() if call.by != "mail"]
        digests = [call for call in calls if ":digest:" in call.key]
        rings = [call for call in calls if ":digest:" not in call.key]
        days = len(self.lives.sizes)
        by_person = Counter(call.user for call in rings)
        worst = Counter((call.user, int(call.moment // DAY)) for call in rings)
        rates = sorted(by_person[each.user] / days for each in self.lives.players)
        games = len(self.rows("SELECT id FROM game"))
        logged = self.rows("SELECT count(*) AS n FROM log")[0]["n"]
        yield f"{days} days, {self.lives.moves} moves, {logged} with those of orders, {games} games"
        yield f"rings a person and day {rates[0]:.1f} to {rates[-1]:.1f}, worst day {max(worst.values(), default=0)}"
        kinds = Counter(call.key.split(":")[1] if call.key else "?" for call in rings)
        yield f"rings by what they are for: {dict(kinds)}; digests {len(digests)}; letters {len(self.lives.mails)}"
        useless, wrong = [*self.list_useless(rings)], sum(self._is_wrong(call) for call in rings)
        yield f"useless {len(useless)} of {len(rings)}; on deck {kinds['deck']}, {wrong} of them wrong"
        yield from (f"    useless: {each}" for each in useless[:8])
        late, turns = self.list_untold(self.list_calls())
        yield f"turns untold for an hour {len(late)} of {turns}"
        yield from (f"    untold: {each}" for each in late[:8])
        kept, promised = self.count_kept(rings)
        yield f"snoozes kept to the minute {kept} of {promised}"
        sizes = sorted(self.lives.sizes)
        sent = sorted(self.lives.sent_sizes)[int(len(sizes) * 0.9)]
        yield f"characters a day: median {median(sizes):.0f}, p90 {sizes[int(len(sizes) * 0.9)]}, most {sizes[-1]}"
        yield f"p90 with the ids and marks that no one sees {sent}"
        results = sorted(self.count_results().values())
        yield f"of which results: median {median(results):.0f}, p90 {results[int(len(results) * 0.9)]}"
        yield f"messages a day {sum(map(len, self.lives.texts)) / days:.1f}, calls left standing {self.count_stubs()}"

    def list_useless(self, rings: Sequence[Call]) -> Iterator[str]:
        """Yield the rings for something that was over, and second ones."""
        over = {
            row["key"].replace(":summary:", ":turn:"): row["created"]
            for row in self.rows("SELECT key, created FROM outbox WHERE kind = 'summary'")
        }
        last: dict[tuple[str, str], float] = {}
        for call in rings:
            subject = ":".join(call.key.split(":")[:3])
            ended = over.get(subject, self.lives.run.loop.epoch())
            before = last.get((call.user, subject), 0.0)
            last[call.user, subject] = call.moment
            when = f"{datetime.fromtimestamp(call.moment, UTC):%m-%d %H:%M}"
            if call.moment > ended + 5:
                yield f"{call.key} rang {call.user} at {when}, when it was over"
            elif call.moment - before < DOUBLE_SECONDS and not self._is_both(call):
                yield f"{call.key} rang {call.user} at {when}, {call.moment - before:.0f} s after another"

    def _is_both(self, call: Call) -> bool:
        return self.lives.lives[call.user].wishes.place == "both" if call.user in self.lives.lives else False

    def _is_wrong(self, call: Call) -> bool:
        """Return whether a call to the player who is next was wrong: neither they nor an order of theirs came next."""
        game, kind, turn, *_ = (*call.key.split(":"), "", "", "")
        if kind != "deck":
            return False
        asked = self.rows("SELECT payload FROM outbox WHERE key = ?", f"{game}:turn:{turn}")
        asked_users = [user for row in asked for user in _read_mention(row["payload"])]
        moved = self.rows(
            "SELECT log.seq, seat.user FROM log JOIN seat ON seat.game = log.game AND seat.number = log.seat "
            "WHERE log.game = ? AND log.seq >= ? AND seat.gone IS NULL ORDER BY log.seq", int(game), int(turn),
        )  # fmt: skip
        others = [row for row in moved if row["user"] not in asked_users]
        later = self.rows(
            "SELECT turn_from, user FROM (SELECT CAST(substr(key, instr(key, ':turn:') + 6) AS INTEGER) AS turn_from, "
            "json_extract(payload, '$.mention[0]') AS user FROM outbox WHERE game = ? AND kind = 'turn') "
            "WHERE turn_from > ? ORDER BY turn_from LIMIT 1", int(game), int(turn),
        )  # fmt: skip
        came = others[0]["user"] if others and (not later or others[0]["seq"] < later[0]["turn_from"]) else None
        return bool(later) and (came or later[0]["user"]) != call.user

    def list_untold(self, calls: Sequence[Call]) -> tuple[list[str], int]:
        """Return the turns their player heard of only an hour after they wished to, and how many turns there were."""
        told: dict[tuple[str, str], float] = {}
        for call in calls:
            subject = ":".join(call.key.split(":")[:3])
            told.setdefault((call.user, subject), call.moment)
        mails = [(call.user, call.moment) for call in calls if call.by == "mail"]
        late, total = list[str](), 0
        acted = {(row["game"], row["seq"]): row["user"] for row in self.rows("SELECT game, seq, user FROM log")}
        for row in self.rows("SELECT key, game, created, payload FROM outbox WHERE kind = 'turn'"):
            turn = int(row["key"].rpartition(":")[2])
            user = (_read_mention(row["payload"]) or ("",))[0]
            me = next((each for each in self.lives.players if each.user == user), None)
            if me is None or acted.get((row["game"], turn - 1)) == user:
                continue
            total += 1
            first = min(
                [told.get((user, row["key"]), 1e12)]
                + [moment for each, moment in mails if each == user and moment >= row["created"]]
            )
            over = self.rows("SELECT created FROM outbox WHERE key = ?", row["key"].replace(":turn:", ":summary:"))
            deadline = me.find_peace_end(row["created"]) + HOUR
            is_due = deadline < self.lives.run.loop.epoch()
            if is_due and first > deadline and (not over or over[0]["created"] > deadline):
                moments = row["created"], first if first < 1e12 else 0, deadline, over[0]["created"] if over else 0
                times = ", ".join(f"{datetime.fromtimestamp(each, UTC):%m-%d %H:%M:%S}" for each in moments)
                late.append(f"{row['key']} of {me.person.user.name}: begun, told, due and over at {times}")
        return late, total

    def count_kept(self, rings: Sequence[Call]) -> tuple[int, int]:
        """Return how many snoozes ended with a ring in the minute they named, of those whose turn was not over."""
        kept = promised = 0
        for user, since, moment in self.lives.snoozes:
            (turn,) = self.rows(_TURN_AT, int(since)) or ({"key": ""},)
            over = self.rows(
                "SELECT created FROM outbox WHERE key = ?", str(turn["key"]).replace(":turn:", ":summary:")
            )
            again = any(each == user and since < later < moment for each, later, _ in self.lives.snoozes)
            if again or (over and over[0]["created"] <= moment + MINUTE) or moment > self.lives.run.loop.epoch():
                continue
            promised += 1
            kept += any(call.user == user and 0 <= call.moment - moment < MINUTE + 15 for call in rings)
        return kept, promised

    def count_results(self) -> dict[int, int]:
        """Return the characters of the results of turns, by day."""
        found, world = defaultdict(int, dict.fromkeys(range(len(self.lives.sizes)), 0)), self.lives.server.world
        for row in self.rows("SELECT created, message FROM outbox WHERE kind = 'summary' AND message != ''"):
            message = world.messages.get(int(row["message"]))
            if message is not None:
                found[int((row["created"] - self.lives.span.start) // DAY)] += len(message.text)
        return found

    def count_stubs(self) -> str:
        """Return how many pings that were sent to the thread still stand there, of how many."""
        world = self.lives.server.world
        pings = self.rows(
            "SELECT id, message FROM outbox WHERE kind IN ('ping', 'oldcall', 'ondeck') AND message != '' "
            "AND payload NOT LIKE '%\"private\":true%'"
        )
        known = [world.messages[int(row["message"])] for row in pings if int(row["message"]) in world.messages]
        return f"{sum(world.is_visible(each) for each in known)} of {len(pings)}"


def _read_mention(payload: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+", (re.search(r'"mention":\[([^\]]*)\]', payload) or ["", ""])[1]))


_TURN_AT = "SELECT key FROM outbox WHERE kind = 'turn' AND created <= ? ORDER BY created DESC, id DESC LIMIT 1"


async def live(lives: Lives) -> list[str]:
    """Live through the weeks; return what is wrong with them."""
    lives.note_errors()
    async with lives.open():
        await lives.start_bot()
        await lives.settle()
        await lives.open_tables()
        people = [asyncio.create_task(lives.spend_time(each)) for each in lives.players]
        try:
            for day in range(lives.span.days):
                await lives.pass_day(day)
                lives.end_day()
                if broken := [repr(each.exception()) for each in people if each.done()]:
                    return broken
                await lives.open_tables()
            return await Promises(lives).look(fully=True)
        finally:
            for each in people:
                each.cancel()
            await asyncio.gather(*people, return_exceptions=True)


def run_lives(title: str, span: Span, folder: Path, hurry: float, *, orders: bool) -> tuple[Lives, list[str]]:
    """Run the lives at a title on a store of their own; return their world, and what is wrong."""
    lives = Lives(title, span, folder, folder / "fresh.sqlite", hurry, orders=orders)
    logging = structlog.get_config()
    try:
        return lives, lives.run.run(live(lives))
    finally:
        structlog.configure(**logging)


def measure_lives(titles: Sequence[str], span: Span, folder: Path, hurry: float, *, shows_day: bool = False) -> int:
    """Print what the lives at titles come to, and the long day that 90% don't exceed; return how many went wrong."""
    wrong = 0
    for title in titles:
        for orders in (False, True):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                Path(place, "fresh.sqlite").write_bytes((folder / "fresh.sqlite").read_bytes())
                lives, found = run_lives(title, span, Path(place), hurry, orders=orders)
                write(
                    f"{title}{', orders' * orders}\n" + "".join(f"    {line}\n" for line in Figures(lives).describe())
                )
                write("".join(f"    WRONG {each[:400]}\n" for each in found[:6]))
                if shows_day:
                    day = sorted(range(len(lives.sizes)), key=lambda day: lives.sizes[day])[int(len(lives.sizes) * 0.9)]
                    write("\n---\n".join([f"Day {day}", *lives.texts[day]]) + "\n")
                wrong += bool(found)
    return wrong


def write(words: str) -> None:
    """Write to standard output, at once."""
    sys.stdout.write(words)
    sys.stdout.flush()
