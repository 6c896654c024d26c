"""``/league``: seasons of tables, with pairings and standings."""

from typing import cast

from bot.commands.command import Call, Command, CommandParameter, Group, Reply
from bot.model.records import PACES, Choice, NewTable, Pace
from bot.model.seating import join_names
from bot.screens.lesson_controls import greet_newcomer
from bot.screens.standings import make_season_sheet
from bot.service.lobby import find_title
from bot.service.options import parse_options
from bot.service.seasons import SeasonLine, SeasonTable, write_standings
from bot.store.groups import Season
from engine import TITLES
from engine.words import pluralise

MAX_LINES = 30
USUAL_SEATS = 4


def build_league() -> Group:
    """Return the group of leagues."""
    titles = tuple(Choice(title.id, title.name) for title in TITLES.values())[:25]
    paces = tuple(Choice(pace, pace) for pace in PACES)
    new = (
        CommandParameter("name", "name of the season", required=True),
        CommandParameter("title", "which game", required=True, choices=titles),
        CommandParameter("seats", "players at a table, if the number of people allows", "int"),
        CommandParameter("options", "variants as name=value, separated by spaces"),
        CommandParameter("pace", "how often players expect to move", choices=paces),
    )
    season = CommandParameter("season", "which season; the open one if left out", completes=True)
    file = CommandParameter("file", "yes: as a CSV file, without a picture", "bool")
    return Group(
        "league",
        "Play a season: tables with pairings and standings.",
        (
            Command("open", "Open a season.", new, _open),
            Command("join", "Play in a season.", (season,), _join, _complete_season),
            Command("leave", "Leave a season; games that run go on.", (season,), _leave, _complete_season),
            Command("pair", "Begin tables for every member who is free.", (season,), _pair, _complete_season, "here"),
            Command("show", "Show the standings of a season.", (season, file), _show, _complete_season),
            Command("close", "Close a season; its standings stay.", (season,), _close, _complete_season),
        ),
    )


async def _find(call: Call, *, also_closed: bool = False) -> Season:
    name = call.read_text("season")
    return await call.services.seasons.find(call.home.guild, name, also_closed=also_closed)


async def _complete_season(call: Call, parameter: str) -> list[Choice]:
    del parameter
    return [Choice(name, name) for name in await call.services.seasons.list_names(call.home.guild)]


async def _open(call: Call) -> Reply:
    title = find_title(call.read_text("title"))
    seats = call.read_int("seats") or max(title.seats[0], min(USUAL_SEATS, title.seats[1]))
    options, pace = parse_options(call.read_text("options")), cast("Pace", call.read_text("pace", "relaxed"))
    wish = NewTable(title.id, seats, options=options, pace=pace)
    await call.services.servers.refuse_role(call.home.guild, call.roles)
    season = await call.services.seasons.open(call.person, call.read_text("name"), wish, call.home.guild)
    return Reply(
        f"The season “{season.name}” is open: {title.name}, {season.pace}, {pluralise(seats, 'player')} at a table. "
        f"To play in it, use /league join season:{season.name}. Once enough have joined, /league pair begins tables.",
        public=True,
    )


async def _join(call: Call) -> Reply:
    await call.services.servers.refuse_role(call.home.guild, call.roles)
    season = await _find(call)
    members = await call.services.seasons.set_member(season, call.person, on=True)
    told = f"You play in “{season.name}”: {join_names([each.name for each in members])}."
    return Reply(told, screen=await greet_newcomer(call.services, call.person.id, season.title, 0, told))


async def _leave(call: Call) -> Reply:
    season = await _find(call)
    await call.services.seasons.set_member(season, call.person, on=False)
    return Reply(f"You have left “{season.name}”. Games that run go on, and your results stay.")


async def _pair(call: Call) -> Reply:
    await call.services.servers.refuse_place(call.home.guild, call.channels)
    season = await _find(call)
    key = call.delivery.interaction
    paired = await call.services.seasons.pair(season, call.person.id, call.home, key, manages=call.manages)
    lines = [f"#{table.id}: {join_names(table.names)}" for table in paired.tables]
    lines += [f"Not begun — {why}" for why in paired.refused]
    if paired.waiting:
        lines.append(f"Waiting for the next pairing: {join_names(paired.waiting)}.")
    return Reply("\n".join([f"“{season.name}”: {pluralise(len(paired.tables), 'new table')}.", *lines]), public=True)


async def _show(call: Call) -> Reply:
    table = await call.services.seasons.make_standings(await _find(call, also_closed=True))
    if call.values.get("file") is True:
        return Reply(format_standings(table), files=((f"{table.season.id}-standings.csv", write_standings(table)),))
    call.spend("pictures")
    return Reply(format_standings(table), (make_season_sheet(table),), public=True)


def format_standings(table: SeasonTable) -> str:
    """Return the standings of a season in words."""
    season, title = table.season, TITLES.get(table.season.title)
    state = "" if season.open else " · closed"
    out = f"; {table.left_out} left out, ended by vote or played with a stand-in" if table.left_out else ""
    running = f"; {table.running} running" if table.running else ""
    head = f"“{season.name}” · {title.name if title else season.title}{state} · {pluralise(table.games, 'game')}"
    lines = [f"{place}. {_format_line(each)}" for place, each in enumerate(table.standings[:MAX_LINES], 1)]
    return "\n".join([head + running + out, *lines])


def _format_line(line: SeasonLine) -> str:
    if not line.games:
        return f"{line.name}: no game yet"
    rated = f", rating {line.rating} ± {line.doubt}" if line.rating is not None else ""
    return (
        f"{line.name}: {line.points:.1f} points, {pluralise(line.games, 'game')}, {line.won} won, "
        f"{line.share:.0%} of the winner's score{rated}"
    )


async def _close(call: Call) -> Reply:
    season = await _find(call)
    await call.services.seasons.close(season, call.person.id, manages=call.manages)
    return Reply(f"The season “{season.name}” is closed. Games that run go on.", public=True)
