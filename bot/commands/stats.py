"""``/stats``: the league of a server, how players did, and how two of them met."""

from contextlib import suppress

from bot.commands.command import Call, Command, CommandParameter, Group, Reply
from bot.commands.me import read_person, refuse_hidden
from bot.model.errors import BotError
from bot.model.plain import tidy_person
from bot.model.records import Choice
from bot.screens.standings import make_person_sheet, name_kind
from bot.service.league import LeagueLine, LeagueTable, sum_companies
from bot.service.lobby import find_title
from bot.service.workers.account import STAKES
from engine import TITLES, LogError
from engine.words import pluralise, write_ordinal

MAX_RESULT_LINES, MAX_KINDS, MAX_GAMES_REPLAYED = 15, 4, 20


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
            Command("companies", "Show a player's favourite companies.", (title, user), _companies),
            Command("head_to_head", "Compare two players in the games they shared.", (other, user), _head_to_head),
        ),
        free=True,
    )


async def _player(call: Call) -> Reply:
    person = read_person(call, "user")
    await refuse_hidden(call, person)
    name = tidy_person(person.name)
    found = await call.services.people.make_league(call.home.guild)
    results = [(table, each) for table in found for each in table.standings if each.user == person.id]
    if not results:
        return Reply(f"No game with {'you' if person.id == call.person.id else name} has ended here yet.")
    call.spend("pictures")
    lines = [f"{name_kind(table)}: {_format_line(each)}" for table, each in results[:MAX_RESULT_LINES]]
    return Reply("\n".join([f"{name}:", *lines]), views=(make_person_sheet(name, results),))


async def _companies(call: Call) -> Reply:
    """Play the newest games once more, at a worker, to see what each company brought."""
    title, person = find_title(call.read_text("title")), read_person(call, "user")
    await refuse_hidden(call, person)
    call.spend("searches")
    found = await call.services.people.list_finished(call.home.guild, title.id)
    seats = [(each.game, place, seat) for each in found for place, seat in enumerate(each.seats) if each.counts]
    mine = [each for each in seats if each[2].user == person.id][-MAX_GAMES_REPLAYED:]
    played = list[tuple[bool, list[tuple[str, int, int]]]]()
    for game, place, seat in mine:
        with suppress(BotError, LogError):  # a damaged table hides no other
            here = await call.services.table.load_position(game)
            stakes = await call.services.workers.do(STAKES, None, here.course)
            played.append((seat.won, [(each.company, each.paid, each.got) for each in stakes if each.seat == place]))
    lines = sum_companies(played)[:MAX_RESULT_LINES]
    name = tidy_person(person.name)
    if not lines:
        return Reply(f"No game of {title.short_name} with shares of {name} has ended here yet.")
    words = [
        f"{each.company}: {pluralise(each.games, 'game')}, {each.won} won, brought {each.brought:+,} a game "
        f"(paid {each.paid:,}, got {each.got:,})"
        for each in lines
    ]
    return Reply("\n".join([f"{name} at {title.short_name}, newest {pluralise(len(played), 'game')}:", *words]))


async def _title(call: Call) -> Reply:
    title = find_title(call.read_text("title"))
    found = await call.services.people.make_league(call.home.guild, title.id)
    if not found:
        return Reply(f"No game of {title.name} has ended here yet.")
    lines = list[str]()
    for table in found[:MAX_KINDS]:
        lines.append(f"{name_kind(table)}: {pluralise(table.games, 'game')}{_format_left_out(table)}")
        hidden = await call.services.people.find_hidden([each.user for each in table.standings], call.person.id)
        shown = [each for each in table.standings if each.user not in hidden]
        lines += [f"{each.name}: {_format_line(each)}" for each in shown[:MAX_RESULT_LINES]]
        lines += [f"{pluralise(len(hidden), 'player')} keep{'s' * (len(hidden) == 1)} results private."] * bool(hidden)
    return Reply("\n".join(lines))


def _format_left_out(table: LeagueTable) -> str:
    out = table.left_out
    return f"; {out} left out, ended by vote or played with a stand-in" if out else ""


def _format_line(each: LeagueLine) -> str:
    rated = f"rating {each.rating} ± {each.doubt}, " if each.rating is not None else ""
    row = f", {each.streak} in a row" if each.streak > 1 else ""
    longest = f", longest row {each.longest}" if each.longest > max(1, each.streak) else ""
    return (
        f"{rated}{pluralise(each.games, 'game')}, {each.won} won (by chance {each.chance:.1f}){row}{longest}, "
        f"{each.share:.0%} of the winner's score, best {each.best}"
    )


async def _head_to_head(call: Call) -> Reply:
    one, other = read_person(call, "user"), read_person(call, "other")
    if one.id == other.id:
        raise BotError("Choose two different players.")
    await refuse_hidden(call, one, other)
    found = await call.services.people.list_meetings(call.home.guild, one.id, other.id)
    names = tidy_person(one.name), tidy_person(other.name)
    if not found:
        return Reply(f"No game with both {names[0]} and {names[1]} has ended here yet.")
    counted = [each.ranks for each in found if each.game.counts]
    ahead, behind = sum(first < second for first, second in counted), sum(first > second for first, second in counted)
    ties = f", {pluralise(len(counted) - ahead - behind, 'tie')}" if len(counted) > ahead + behind else ""
    lines = [f"{names[0]} {ahead} : {behind} {names[1]} (games finished ahead of the other{ties})."]
    for each in found[-MAX_RESULT_LINES:]:
        first, second = each.ranks
        uncounted = "" if each.game.counts else " (doesn't count)"
        lines.append(
            f"{each.game.title}: {names[0]} {write_ordinal(first)}, {names[1]} {write_ordinal(second)}, "
            f"margin {each.margin:+d}{uncounted}."
        )
    return Reply("\n".join(lines))
