"""``/stats``: who won what, on this server."""

from bot.commands.command import Call, Command, CommandParameter, Group, Reply
from bot.model.errors import BotError
from bot.model.plain import tidy_name
from bot.model.records import Choice, Person
from bot.service.lobby import find_title
from bot.service.people import Tally
from engine import TITLES

MAX_LINES = 15


def build_stats() -> Group:
    """Return the group of statistics."""
    user = CommandParameter("user", "which player; you if left out", "user")
    other = CommandParameter("other", "the player to compare with", "user", required=True)
    titles = tuple(Choice(title.id, title.name) for title in TITLES.values())[:25]
    title = CommandParameter("title", "which game", required=True, choices=titles)
    return Group(
        "stats",
        "Show results on this server.",
        (
            Command("player", "Show a player's results at each game.", (user,), _player),
            Command("title", "Show all players' results at one game.", (title,), _title),
            Command("head_to_head", "Compare two players in the games they shared.", (other, user), _head_to_head),
        ),
        free=True,
    )


def _read_person(call: Call, name: str) -> Person:
    value = call.values.get(name)
    return value if isinstance(value, Person) else call.person


async def _player(call: Call) -> Reply:
    person = _read_person(call, "user")
    found = await call.services.people.tally_player(call.home.guild, person.id)
    name = tidy_name(person.name, "Someone")
    if not found:
        return Reply(f"No game with {'you' if person.id == call.person.id else name} has ended here yet.")
    lines = [_format_tally(TITLES[tally.name].name if tally.name in TITLES else tally.name, tally) for tally in found]
    return Reply("\n".join([f"{name}:", *lines]))


async def _title(call: Call) -> Reply:
    title = find_title(call.read_text("title"))
    games, found = await call.services.people.tally_title(call.home.guild, title.id)
    if not games:
        return Reply(f"No game of {title.name} has ended here yet.")
    lines = [_format_tally(tally.name, tally) for tally in found[:MAX_LINES]]
    return Reply("\n".join([f"{title.name}: {games} game{'s' * (games != 1)} ended here.", *lines]))


async def _head_to_head(call: Call) -> Reply:
    one, other = _read_person(call, "user"), _read_person(call, "other")
    if one.id == other.id:
        raise BotError("Choose two different players.")
    found = await call.services.people.list_shared_games(call.home.guild, one.id, other.id)
    names = tidy_name(one.name, "Someone"), tidy_name(other.name, "Someone")
    if not found:
        return Reply(f"No game with both {names[0]} and {names[1]} has ended here yet.")
    ahead = sum(first < second for _, first, second in found)
    behind = sum(first > second for _, first, second in found)
    lines = [f"{names[0]} {ahead} : {behind} {names[1]} (games finished ahead of the other)."]
    lines += [
        f"{title}: {names[0]} in place {first}, {names[1]} in place {second}."
        for title, first, second in found[-MAX_LINES:]
    ]
    return Reply("\n".join(lines))


def _format_tally(name: str, tally: Tally) -> str:
    return f"{name}: {tally.games} game{'s' * (tally.games != 1)}, {tally.won} won, best {tally.best}"
