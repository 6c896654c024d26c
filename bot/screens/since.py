"""What happened since a player's own last turn, and the result of a turn, folded; who is waited for."""

from bot.model.posts import Summary
from bot.model.records import LogLine, Position
from bot.model.seating import describe_damage, find_viewing_seat, join_names
from bot.screens.screen import Button, Control, Screen
from bot.service.services import Services
from bot.service.workers.account import STRETCH, StretchAsked
from bot.service.workers.tasks import PROGRAM_MARK
from engine import Record
from engine.words import pluralise

MAX_HAPPENED_LINES = 12
"""Lines of what happened that are shown, the latest."""
MAX_SHORT_LENGTH = 40
"""Characters of a line of result that stands as the log has it; a longer one, or one of several moves, is folded."""
NOTHING_NEW = "Nothing has happened since your last turn."


class Since(Record, frozen=True):
    """What a person reads who comes back to a table.

    Args:
        happened: what others did, a line each. concerns: what it means for the reader.
        waiting: who must decide what now.
    """

    happened: tuple[str, ...]
    concerns: tuple[str, ...] = ()
    waiting: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it, for who reads it without any form."""
        return tuple(filter(None, (*self.happened, *self.concerns, self.waiting)))


async def fetch_since(services: Services, here: Position, user: str) -> Since:
    """Return what happened since a person's last turn; a turn of theirs that goes on now is left out.

    Moves of standing orders are no turns: what they did is told. Only what anyone at the table may know is told.
    """
    log = await services.table.told.list_lines(here)
    seats, seat = here.table.list_playable(user), find_viewing_seat(here, user)
    acting = any(each.number in seats for each in here.actors)
    until = here.table.turn_from if acting else here.version
    own = [line.seq for line in log if line.seat in seats and line.seq < until and not _is_by_program(line)]
    last = own[-1] if own else -1
    asked = StretchAsked(
        sum(place <= last for place in here.game.line), sum(place < until for place in here.game.line),
        here.table.names, -1 if seat is None else seat,
        tuple(line.seq for line in log if line.seq > last and _is_by_program(line)),
    )  # fmt: skip
    found = await services.workers.do(STRETCH, asked, here.course)
    happened = list(found.happened)
    if len(happened) > MAX_HAPPENED_LINES:
        more = len(happened) - MAX_HAPPENED_LINES + 1
        happened = [f"… {pluralise(more, 'earlier line')}; the log has them all", *happened[more:]]
    undone = sum(line.taken_back for line in log if last < line.seq < until)
    if undone:
        happened.append(f"{pluralise(undone, 'move')} taken back")
    return Since(tuple(happened), found.concerns, describe_waiting(here, user))


async def fetch_result(services: Services, post: Summary, here: Position) -> str:
    """Return the line of result of a turn in few words, if its moves are still in force and that is shorter."""
    if stands_as_logged(post.line):
        return post.line
    if sum(place < post.version for place in here.game.line) != post.move:
        return post.line
    log = await services.table.told.list_lines(here, post.turn_from)
    asked = StretchAsked(
        sum(place < post.turn_from for place in here.game.line), post.move, here.table.names,
        by_order=tuple(line.seq for line in log if _is_by_program(line)),
    )  # fmt: skip
    found = await services.workers.do(STRETCH, asked, here.course)
    return min("\n".join(found.happened) or post.line, post.line, key=len)


def stands_as_logged(line: str) -> bool:
    """Return whether a result is told in the words of the log: it is short, or says who acted for whom."""
    return (len(line) <= MAX_SHORT_LENGTH and " · " not in line) or " acts for " in line


def _is_by_program(line: LogLine) -> bool:
    return line.folded or any(sentence.startswith(PROGRAM_MARK) for sentence in line.sentences)


def describe_waiting(here: Position, user: str) -> str:
    """Return who must decide what, and who waits for it; "" if the game is over."""
    if here.damage:
        return describe_damage(here)
    if not here.actors:
        return ""
    ask, seats = here.ask(), here.table.list_playable(user)
    others = [each.name for each in here.actors if each.number not in seats]
    if not others:
        return f"It's your turn: {ask.headline} — {ask.kind}"
    mine = "You and " if len(others) < len(here.actors) else ""
    return f"Waiting for {mine.lower()}{join_names(others)}: {ask.headline} — {ask.kind}"


def make_since_button(game: int) -> Button:
    """Return the button that shows it to whoever presses it."""
    return Button("Since you", Control(game, 0, "since"))


def make_since_screen(since: Since) -> Screen:
    """Return it as a message."""
    lines = [*since.happened] or [NOTHING_NEW]
    lines += [f"-# {line}" for line in since.concerns]
    lines += [f"**{since.waiting}**"] if since.waiting else []
    return Screen("\n".join(lines))
