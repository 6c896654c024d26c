"""Private tables to think at: a fork of any position, or a plan that begins at one's own next turn.

All seats are one person's; nobody else sees such a table, and it calls nobody.
"""

from collections.abc import Sequence

import msgspec

from bot.model.errors import BotError
from bot.model.plain import tidied
from bot.model.records import Home, Outcome, Person, Position
from bot.model.seating import outcome
from bot.model.standing import UNNUMBERED, Course, Standing
from bot.service.servers.house_rules import Servers
from bot.service.table import GameTable
from bot.service.transfer import refuse_to_show
from bot.service.workers.next_up import FORESEEN, Foresee
from bot.service.workers.tasks import STAND
from bot.store import games, log
from engine import Said
from engine.codec import decode_said
from engine.english import counted

FORK = msgspec.structs.replace(STAND, lane="searches")
ANALYSIS, PLAN = WHATS = ("Analysis of", "Plan for")
Told = tuple[Said, tuple[str, ...], str]
"""An entry of a log, what is told of it, and who made it: empty for a person."""


class Analysis:
    """Makes tables to think at."""

    def __init__(self, table: GameTable, servers: Servers) -> None:
        self.table = table
        self.servers = servers

    async def fork(self, game: int, person: Person, at: int | None = None) -> Outcome:
        """Open a private table from a position, now or after so many moves.

        Raises:
            BotError: no such game or move, or it may not be seen by this person while it runs.
        """
        here = await self._seen(game, person)
        count = len(here.game.line) if at is None else at
        if not 0 <= count <= len(here.game.line):
            raise BotError(f"There is no move {str(count)[:20]}; the game has {counted(len(here.game.line), 'move')}.")
        made = await self._opened(here, person, await self._entries(here, count), ANALYSIS)
        told = f"A table of your own, game {made.table.id}: all seats are yours, and nobody else sees it."
        return outcome(made, (told, f"“{here.table.name}” is not touched. /game close game:{made.table.id} ends this."))

    async def plan(self, game: int, person: Person) -> Outcome:
        """Open a private table at a person's next turn; until then the program moves for all others.

        Raises:
            BotError: the person does not play in this running game.
        """
        here = await self._seen(game, person)
        mine = here.table.played_by(person.id)
        if here.table.state != "running" or not mine:
            raise BotError(f"You hold no seat in a running game at “{here.table.name}”; /game fork opens any position.")
        entries = await self._entries(here, len(here.game.line))
        found = await self.table.workers.do(FORESEEN, Foresee(mine, here.table.names), here.course)
        title = here.table.title
        entries += [(decode_said(title, each.seat, each.said), each.told, each.made_by) for each in found]
        made = await self._opened(here, person, entries, PLAN)
        guessed = f" after {len(found)} moves that the program guessed for the others" if found else ""
        told = f"Your plan, game {made.table.id}{guessed}: try what you like, nobody sees it."
        return outcome(made, (told, f"“{here.table.name}” is not touched. /game close game:{made.table.id} ends this."))

    async def _seen(self, game: int, person: Person) -> Position:
        here = await self.table.position(game)
        if here.table.state == "running" or here.table.privacy == "private":
            refuse_to_show(here.table, person.id)
        return here

    async def _entries(self, here: Position, count: int) -> list[Told]:
        """Return the first moves in force with what was told of them."""
        told = {line.seq: line.sentences for line in await self.table.lines(here)}
        return [(here.game.log[place], told[place], "") for place in here.game.line[:count]]

    async def _opened(self, here: Position, person: Person, entries: Sequence[Told], what: str) -> Position:
        """Store a private table with this log."""
        now, before = self.table.clock(), here.table
        said = tuple(each for each, _, _ in entries)
        facts = await self.table.workers.do(FORK, None, Course(UNNUMBERED, before.setup, said))
        game = Standing.read(before.setup, said, facts)
        result = game.result()
        seats = tuple(
            msgspec.structs.replace(seat, user=person.id, proxy="", proxy_name="", stand_in=False, once=False)
            for seat in before.seats
        )
        table = msgspec.structs.replace(
            before, id=0, name=_called(what, before.name), host=person.id, privacy="private",
            state="running" if result is None else "finished", home=Home(before.home.guild), created=now, expires=now,
            started=now, turn_from=len(said), reason="" if result is None else result.told, seats=seats, clock=None,
        )  # fmt: skip
        async with self.table.database.writing() as session:
            number = await games.insert(session, table, None)
            await self.servers.refuse_too_many(session, person.id, table.home.guild)
            await games.change(session, number, started=now, turn_from=table.turn_from, reason=table.reason)
            await log.append_all(
                session,
                (
                    log.NewEntry(number, seq, one, person.id, words, now, made_by=made_by)
                    for seq, (one, words, made_by) in enumerate(entries)
                ),
            )
        made = Position(msgspec.structs.replace(table, id=number), game, len(said))
        self.table.live.keep(made)
        return made


def _called(what: str, name: str) -> str:
    """Return the name of a private table after that of the game it comes from, also where that is one already."""
    for each in WHATS:
        name = name.removeprefix(f"{each} ")
    return tidied(f"{what} {name}", name)
