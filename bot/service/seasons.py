"""Leagues: seasons of tables of one kind of game, who plays whom in them, and the standings.

A season is a name, its people and its tables. It has no rounds: whoever isn't playing a game of the season is paired
for the next one, with those they have met least.
"""

import asyncio
import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.plain import tidy_name, tidy_person
from bot.model.records import Home, NewTable, Person, Table
from bot.model.seating import join_names
from bot.service.league import FinishedGame
from bot.service.lobby import Lobby, build_table
from bot.service.people import People
from bot.service.workers.tasks import DEAL
from bot.store import games, groups
from bot.store.groups import Season
from engine import TITLES, Record, RuleError
from engine.fuzzy import fold
from engine.words import pluralise

MAX_OPEN_SEASONS, MAX_MEMBERS = 20, 100
MAX_SWAP_ROUNDS = 20
"""How often all pairs of tables are looked through for people to exchange."""

Meetings = Mapping[frozenset[str], int]


# --- who plays whom -------------------------------------------------------------------------


def list_sizes(people: int, seats: int, bounds: tuple[int, int]) -> list[int]:
    """Return how many sit at each table: as few as possible are left out, and tables are near the wished size."""
    least, most = bounds
    for playing in range(people, least - 1, -1):
        counts = [count for count in range(1, playing // least + 1) if -(-playing // count) <= most]
        if counts:
            count = min(counts, key=lambda each: (abs(playing / each - seats), each))
            return [playing // count + (place < playing % count) for place in range(count)]
    return []


def pair_people(
    people: Sequence[str], played: Mapping[str, int], met: Meetings, seats: int, bounds: tuple[int, int]
) -> list[tuple[str, ...]]:
    """Return who sit together: whoever has played least first, each with those they have met least.

    Greedy, then improved by exchanging two people as long as that lowers the sum of squared meetings.
    """
    sizes = list_sizes(len(people), seats, bounds)
    waiting = sorted(people, key=lambda each: played.get(each, 0))[: sum(sizes)]
    tables: list[list[str]] = []
    for size in sizes:
        table = [waiting.pop(0)]
        while len(table) < size:
            table.append(
                min(waiting, key=lambda each: sum(met.get(frozenset((each, other)), 0) ** 2 for other in table))
            )
            waiting.remove(table[-1])
        tables.append(table)
    for _ in range(MAX_SWAP_ROUNDS):
        if not sum(_exchange(one, other, met) for one, other in combinations(tables, 2)):
            break
    return [tuple(table) for table in tables]


def _exchange(one: list[str], other: list[str], met: Meetings) -> bool:
    """Exchange two people of two tables wherever that is better; return whether anyone was."""

    def weigh(who: str, table: Sequence[str], leaving: str) -> int:
        """Return by how much the meetings at a table grow with a person in the place of another."""
        return sum((2 * met.get(frozenset((who, each)), 0) + 1) for each in table if each not in (who, leaving))

    is_better = False
    for here in range(len(one)):
        for there in range(len(other)):
            a, b = one[here], other[there]
            now = weigh(a, one, a) + weigh(b, other, b)
            if weigh(b, one, a) + weigh(a, other, b) < now:
                one[here], other[there], is_better = b, a, True
    return is_better


# --- standings ------------------------------------------------------------------------------


class SeasonLine(Record, frozen=True):
    """How a person stands in a season.

    Args:
        points: for each game, the share of the other players who were left behind; a tie is half of that.
        share: of the winner's total, on average. rating, doubt: of the server, at games of this kind.
    """

    user: str
    name: str
    games: int
    points: float
    won: int
    share: float
    rating: int | None = None
    doubt: int | None = None


class SeasonTable(Record, frozen=True):
    """The standings of a season, the leader first, and how many games count, don't, and are still played."""

    season: Season
    standings: tuple[SeasonLine, ...]
    games: int
    left_out: int
    running: int


def rank_season(members: Sequence[Person], played: Sequence[FinishedGame]) -> list[SeasonLine]:
    """Return the standings after some games, the leader first; members without a game stand last."""
    names = {each.id: each.name for each in members}
    names |= {seat.user: seat.name for each in played for seat in each.seats if seat.user}
    lines = []
    for user, name in names.items():
        mine = [(each, place) for each in played for place, seat in enumerate(each.seats) if seat.user == user]
        points = sum(_score(each.ranks, place) for each, place in mine)
        tops = [max(seat.total for seat in each.seats) for each, _ in mine]
        shares = [
            each.seats[place].total / top if top > 0 else 1.0 for (each, place), top in zip(mine, tops, strict=True)
        ]
        won = sum(each.seats[place].won for each, place in mine)
        lines.append(SeasonLine(user, name, len(mine), points, won, sum(shares) / max(1, len(shares))))
    return sorted(lines, key=lambda each: (-each.points, -each.won, -each.share, each.name))


def _score(ranks: Sequence[int], place: int) -> float:
    """Return the share of the others that a seat left behind."""
    mine = ranks[place]
    behind = sum(rank > mine for rank in ranks) + (ranks.count(mine) - 1) / 2
    return behind / max(1, len(ranks) - 1)


def write_standings(table: SeasonTable) -> bytes:
    """Return the standings as CSV."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("season", "place", *SeasonLine.__struct_fields__))
    for place, line in enumerate(table.standings, 1):
        rows.writerow((table.season.name, place, *(getattr(line, name) for name in line.__struct_fields__)))
    return out.getvalue().encode()


# --- seasons --------------------------------------------------------------------------------


class Paired(Record, frozen=True):
    """What pairing led to: the tables that began, who waits for others, and why tables didn't begin."""

    tables: tuple[Table, ...]
    waiting: tuple[str, ...]
    refused: tuple[str, ...]


class Seasons:
    """The seasons of servers. Tables without a server have none."""

    def __init__(self, lobby: Lobby, people: People) -> None:
        self.lobby = lobby
        self.people = people
        self.database = lobby.database

    async def open(self, person: Person, name: str, wish: NewTable, guild: str) -> Season:
        """Open a season, in which its host plays.

        Raises:
            BotError: no server, no name, one that is taken, too many seasons, or tables that can't be.
            RuleError: the title refuses the options together.
        """
        if not guild:
            raise BotError("A league belongs to a server. Use this command there.")
        table = build_table(person, wish, Home(guild), self.lobby.clock())
        await self.lobby.workers.do(DEAL, table.setup)
        name = tidy_name(name, "")
        if not name:
            raise BotError("This name has no visible characters; choose another.")
        wished = Season(0, guild, person.id, name, table.title, table.options, table.places, table.pace)
        async with self.database.writing() as session:
            known = await groups.list_seasons(session, guild)
            if len(known) >= MAX_OPEN_SEASONS:
                raise BotError(
                    f"This server already has {pluralise(MAX_OPEN_SEASONS, 'open season')}; close one first."
                )
            if any(fold(each.name) == fold(name) for each in known):
                raise BotError(f"There is already an open season “{name}”; choose another name.")
            season = await groups.add_season(session, wished)
            await groups.set_member(session, season, table_person(person), on=True)
        return season

    async def find(self, guild: str, name: str = "", *, also_closed: bool = False) -> Season:
        """Return a season by its name; without one, the only open one of the server.

        Raises:
            BotError: there is none, or there are several.
        """
        async with self.database.reading() as session:
            known = await groups.list_seasons(session, guild, all_of_them=also_closed)
        asked = tidy_name(name, "")  # as names are kept
        found = [each for each in known if (fold(each.name) == fold(asked) if name else each.open)]
        if len(found) == 1 or (found and name):
            return found[0]
        if not known:
            raise BotError("There is no season on this server. To open one, use /league open.")
        names = ", ".join(f"“{each.name}”" for each in known[:MAX_OPEN_SEASONS])
        which = f"There is no open season “{asked[:40]}”" if name else "Which season? Add its name, as in season:…"
        raise BotError(f"{which.rstrip('.')}. Seasons: {names}.")

    async def list_names(self, guild: str) -> list[str]:
        """Return the names of all seasons of a server, open ones first."""
        async with self.database.reading() as session:
            known = await groups.list_seasons(session, guild, all_of_them=True)
        return list(dict.fromkeys(each.name for each in sorted(known, key=lambda each: not each.open)))

    async def set_member(self, season: Season, person: Person, *, on: bool) -> list[Person]:
        """Let a person play in a season, or no longer; return who does now. Games that run go on.

        Raises:
            BotError: the season has as many people as it may have.
        """
        async with self.database.writing() as session:
            await groups.set_member(session, season, table_person(person), on=on)
            members = await groups.list_members(session, season.id)
            if len(members) > MAX_MEMBERS:
                raise BotError(f"“{season.name}” is full: the limit is {pluralise(MAX_MEMBERS, 'member')}.")
        return members

    async def close(self, season: Season, user: str, *, manages: bool) -> None:
        """Close a season: its tables go on, and its standings stay.

        Raises:
            BotError: the user neither opened it nor manages the server.
        """
        _refuse_stranger(season, user, manages=manages)
        async with self.database.writing() as session:
            await groups.close_season(session, season.id)

    async def pair(self, season: Season, user: str, home: Home, key: str | None, *, manages: bool) -> Paired:
        """Begin tables for all who aren't playing a game of a season; ``key`` makes a repeated delivery one.

        Tables that an earlier pairing opened and couldn't start begin first.

        Raises:
            BotError: the user neither opened it nor manages the server, or too few people wait.
        """
        _refuse_stranger(season, user, manages=manages)
        async with self.database.reading() as session:
            members = await groups.list_members(session, season.id)
            rows = await groups.list_meetings(session, season.id)
        names, seated = {each.id: each for each in members}, dict[int, list[str]]()
        for game, _, sits in rows:
            seated.setdefault(game, []).append(sits)
        busy = {sits for _, state, sits in rows if state != "finished"}
        met = Counter(frozenset(pair) for people in seated.values() for pair in combinations(people, 2))
        played = Counter(sits for people in seated.values() for sits in people)
        free, bounds = [each.id for each in members if each.id not in busy], TITLES[season.title].seats
        tables, refused = list[Table](), list[str]()
        for number in dict.fromkeys(game for game, state, _ in rows if state == "open"):
            table = await self.lobby.get_table(number)
            try:
                tables.append(await self._start(table))
            except (BotError, RuleError) as error:
                refused.append(f"#{number}: {join_names(table.names)}. {error}")
        if len(free) < bounds[0] and not tables and not refused:
            known = f"free members of “{season.name}”: {len(free)} of {len(members)}"
            raise BotError(f"{TITLES[season.title].name} needs at least {bounds[0]} players; {known}.")
        groups_of = pair_people(free, played, met, season.seats, bounds)
        for count, users in enumerate(groups_of):
            people = [names[each] for each in users]
            try:
                tables.append(await self._begin(season, people, home, f"{key}:{count}" if key else None))
            except (BotError, RuleError) as error:
                why = f"The answer to {people[0].name}, who would host: {error}"
                refused.append(f"{join_names([each.name for each in people])}. {why}")
        left = [names[each].name for each in free if not any(each in users for users in groups_of)]
        return Paired(tuple(tables), tuple(left), tuple(refused))

    async def _begin(self, season: Season, people: Sequence[Person], home: Home, key: str | None) -> Table:
        """Open a table of a season with all its people, and start it."""

        async def seat_others(session: AsyncSession, game: int) -> None:
            await groups.hold_season(session, season.id)
            rows = await groups.list_meetings(session, season.id)
            busy = {sits for _, state, sits in rows if state != "finished"}
            if busy & {each.id for each in people}:
                raise BotError("They have just been paired.")
            await games.change(session, game, season=season.id)
            for person in people[1:]:
                await games.add_seat(session, await games.fetch(session, game), person, self.lobby.clock())
                try:
                    await self.lobby.servers.refuse_too_many(session, person.id, season.guild)
                except BotError:
                    raise BotError(f"{person.name} has as many seats as this server allows.") from None

        wish = NewTable(season.title, len(people), season.name, season.options, season.pace, "invite")
        table = await self.lobby.create(people[0], wish, home, key, seat_others)
        return await self._start(table) if table.state == "open" else table

    async def _start(self, table: Table) -> Table:
        """Start an open table, unless another pairing has just done so."""
        try:
            return (await self.lobby.start(table.id, table.host)).table
        except BotError:
            table = await self.lobby.get_table(table.id)
            if table.state == "open":
                raise
            return table

    async def make_standings(self, season: Season) -> SeasonTable:
        """Return the standings of a season; ratings are those of the server at games of this kind."""
        async with self.database.reading() as session:
            members = await groups.list_members(session, season.id)
            rows = await groups.list_meetings(session, season.id)
        numbers = {game for game, state, _ in rows if state == "finished"}
        found = [each for each in await self.people.list_finished(season.guild, season.title) if each.game in numbers]
        counted = [each for each in found if each.counts]
        lines = await asyncio.to_thread(rank_season, members, counted)
        rated = {
            line.user: line
            for table in reversed(await self.people.make_league(season.guild, season.title))
            if any(table.kind.options == each.options and table.kind.players == len(each.seats) for each in counted)
            for line in table.standings
        }
        lines = [
            msgspec.structs.replace(each, rating=of.rating, doubt=of.doubt) if (of := rated.get(each.user)) else each
            for each in lines
        ]
        running = len({game for game, state, _ in rows if state != "finished"})
        return SeasonTable(season, tuple(lines), len(counted), len(found) - len(counted), running)


def table_person(person: Person) -> Person:
    """Return a person under the name that tables show."""
    return Person(person.id, tidy_person(person.name))


def _refuse_stranger(season: Season, user: str, *, manages: bool) -> None:
    """Refuse to manage a season of another person.

    Raises:
        BotError: the user neither opened it nor manages the server, or it is closed.
    """
    if not manages and user != season.host:
        raise BotError(f"Only the person who opened “{season.name}” and server managers can do this.")
    if not season.open:
        raise BotError(f"“{season.name}” is closed; its standings stay: /league show.")
