"""``/game``: the lobby, taking back, files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from bot.commands.command import GAME, Call, ChannelOrRole, Command, CommandParameter, Group, Reply
from bot.commands.people import MANNER_PARAMETERS, build_people, read_manner_wanted
from bot.model import terms
from bot.model.errors import BotError
from bot.model.plain import tidy_name
from bot.model.records import EXPERIENCES, PACES, Choice, NewTable, Pace, Person, Privacy, SeatOrder, Table
from bot.model.seating import join_names
from bot.screens.lesson_controls import greet_newcomer
from bot.screens.proposal_controls import answer_question
from bot.screens.text import format_outcome, format_standing, format_table
from bot.service import options as lobby_options
from bot.service.consent.asking import name_decider
from bot.service.hosting import Guest
from bot.service.lobby import find_title
from bot.service.options import parse_options
from bot.service.workers.files import FORMATS, FileAsked
from engine import TITLES, LobbyOption

MAX_SEATS, MAX_SHARED_TABLES = 20, 25


def _make_choices(*values: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, value) for value in values)


def build_game() -> Group:
    """Return the group of lobby and table commands."""
    titles = tuple(Choice(title.id, title.name) for title in TITLES.values())[:25]
    title = CommandParameter("title", "which game", required=True, choices=titles)
    return Group("game", "Open, join and manage tables.", (*_build_lobby(title), *build_people(), *_build_keeping()))


def _build_lobby(title: CommandParameter) -> tuple[Command, ...]:
    new = (
        title,
        CommandParameter("seats", "number of players", "int"),
        CommandParameter("name", "name of the table"),
        CommandParameter("options", "variants as name=value, separated by spaces", completes=True),
        CommandParameter("pace", "how often players expect to move", choices=_make_choices(*PACES)),
        CommandParameter("privacy", "who may join", choices=_make_choices("open", "invite")),
        CommandParameter("experience", "whom the table looks for", choices=_make_choices(*EXPERIENCES)),
        CommandParameter("seed", "number that decides everything left to chance; random if left out", "int"),
        CommandParameter("clock", "yes: a clock that fits the pace; no one loses on time", "bool"),
        CommandParameter("stand_ins", "number of seats the bot plays, for practice", "int"),
        *MANNER_PARAMETERS,
        CommandParameter("players", "names of the players at this keyboard, separated by commas", local=True),
    )
    guests = (
        *(CommandParameter(f"user{n}", "person to invite", "user") for n in range(1, 5)),
        CommandParameter("role", "role of this server to mention, once per table", "role"),
        CommandParameter("mail", "e-mail address of a person to play by mail"),
    )
    order = CommandParameter(
        "order", "how seats are assigned", choices=_make_choices("random", "as joined", "host sets")
    )
    seating = CommandParameter("seating", "for “host sets”: names in seating order, with commas", completes=True)
    show = CommandParameter("show", "which tables", choices=_make_choices("mine", "open", "running", "finished", "all"))
    other = CommandParameter("with", "only the tables you share with this person", "user")
    return (
        Command("new", "Open a table.", new, _new, _complete_options, "here"),
        Command("join", "Take a seat at an open table.", (GAME,), _join),
        Command("leave", "Leave a table before it starts.", (GAME,), _leave),
        Command("invite", "Invite people to your table.", (*guests, GAME), _invite),
        Command("start", "Start the game (host).", (order, seating, GAME), _start, _complete_seating, "there"),
        Command("info", "Show a table's options, players and current turn.", (GAME,), _info),
        Command("list", "List tables.", (show, other), _list),
        Command(
            "move", "Move a table to this channel or thread; players need a majority.", (GAME,), _move, posts="here"
        ),
    )


def _build_keeping() -> tuple[Command, ...]:
    to = CommandParameter("to", "how many moves to keep; undoes your last move if left out", "int", completes=True)
    at = CommandParameter("at", "number of moves played; the current position if left out", "int", completes=True)
    turn = CommandParameter("turn", "yes: undo everything you did this turn", "bool")
    answer = CommandParameter("answer", "yes or no", required=True, choices=_make_choices("yes", "no"))
    which = CommandParameter("which", "which question, if there are several", "int", completes=True)
    kind = CommandParameter(
        "format", "Stationmaster's own, 18xx.games, or values over time (csv)", choices=_make_choices(*FORMATS)
    )
    file = CommandParameter("file", "a game exported by Stationmaster or 18xx.games", "file", required=True)
    name = CommandParameter("name", "name of the table")
    seed = CommandParameter("seed", "the seed the table showed at its end, if the file was exported before that", "int")
    repair = CommandParameter("repair", "yes: play on even if the file isn't quite what its moves lead to", "bool")
    return (
        Command(
            "undo", "Undo moves; other players must agree to undo theirs.", (to, turn, GAME), _undo, _complete_moves
        ),
        Command("fork", "Open any position as a table of your own.", (at, GAME), _fork, _complete_forks),
        Command("redo", "Restore the moves of the last undo.", (GAME,), _redo),
        Command("vote", "Vote on a question at this table.", (answer, which, GAME), _vote, _complete_questions),
        Command("export", "Export the game as a file.", (kind, GAME), _export),
        Command(
            "import",
            "Open a table from a file; you hold all its seats.",
            (file, name, seed, repair),
            _import,
            posts="here",
        ),
    )


async def _new(call: Call) -> Reply:
    players = _read_players(call)
    title = find_title(call.read_text("title"))
    programs = call.read_int("stand_ins") or 0
    seats = call.read_int("seats") or (len(players) and len(players) + programs) or title.seats[0]
    wish = NewTable(
        title.id,
        seats,
        call.read_text("name"),
        parse_options(call.read_text("options")),
        cast("Pace", call.read_text("pace", "relaxed")),
        cast("Privacy", call.read_text("privacy", "open")),
        call.read_int("seed"),
        programs,
        call.values.get("clock") is True,
        read_manner_wanted(call).words if programs else "",
        call.read_text("experience", EXPERIENCES[0]),
    )
    await _refuse_here(call)
    if not call.hot_seat:
        table = await call.services.lobby.create(call.person, wish, call.home, call.delivery.interaction)
        return Reply(format_table(table), game=table.id, public=True, posted=True)
    names = players or [f"Player {seat + 1}" for seat in range(max(1, min(seats - programs, MAX_SEATS)))]
    table = await call.services.lobby.create(Person(call.person.id, names[0]), wish, call.home)
    for name in names[1:]:
        await call.services.lobby.join(table.id, Person(call.person.id, name), hot_seat=True)
    outcome = await call.services.lobby.start(table.id, call.person.id, "as joined")
    told = f"{format_table(outcome.table)}\n{format_outcome(outcome)}"
    greeting = await greet_newcomer(call.services, call.person.id, table.title, table.id, told)
    told += f"\nNew to {title.short_name}? Type /learn {title.id}, or /me new_here." * bool(greeting.pictures)
    return Reply(told, greeting.pictures, game=table.id, outcome=outcome, public=True)


def _read_players(call: Call) -> list[str]:
    """Return the names of all at this keyboard; none if they were left out.

    Raises:
        BotError: two are alike, or there are more or fewer than seats.
    """
    names = [name for said in call.read_text("players").split(",") if (name := tidy_name(said, ""))]
    twice = next((name for name in names if [other.lower() for other in names].count(name.lower()) > 1), None)
    if twice is not None:
        raise BotError(f"Two players are called {twice}; give each player a different name.")
    seats, stand_ins = call.read_int("seats"), call.read_int("stand_ins") or 0
    if names and seats is not None and seats - stand_ins != len(names):
        places = f"{str(seats)[:20]} seats" + f", {str(stand_ins)[:20]} of them for stand-ins" * bool(stand_ins)
        raise BotError(f"There are {places}, but {len(names)} names: {join_names(names)}.")
    return names


async def _complete_options(call: Call, parameter: str) -> list[Choice]:
    """Suggest one more name=value after those typed already."""
    if parameter != "options":
        return []
    title = find_title(call.read_text("title"))
    found = await asyncio.to_thread(_list_values, call.services.lobby.folder, title.options)
    known = {f"{option.name}={value}".lower() for option, value, _ in found}
    kept = [word for word in call.read_text("options").replace(",", " ").split() if word.lower() in known]
    taken = {word.lower().partition("=")[0] for word in kept}
    return [
        Choice(" ".join([*kept, f"{option.name}={value}"]), " ".join([*kept, f"{option.label}: {words}"]))
        for option, value, words in found
        if option.name not in taken
    ]


def _list_values(folder: Path, options: Sequence[LobbyOption]) -> list[tuple[LobbyOption, str, str]]:
    """Return each value of each option with its words, files of the group's own last."""
    return [
        (option, value, words)
        for option in options
        for value, words in (*option.values, *((name, name) for name in lobby_options.list_own_files(folder, option)))
    ]


async def _refuse_here(call: Call) -> None:
    """Refuse to open a table, or to move one, where those who run the server allow none.

    Raises:
        BotError: says where, or who.
    """
    await call.services.servers.refuse_place(call.home.guild, call.channels)
    await call.services.servers.refuse_role(call.home.guild, call.roles)


async def _join(call: Call) -> Reply:
    await call.services.servers.refuse_role(call.home.guild, call.roles)
    table = await call.services.lobby.join(await call.find_game(), call.person)
    told = f"You have joined “{table.name}”.\n{format_table(table)}"
    screen = None if call.hot_seat else await greet_newcomer(call.services, call.person.id, table.title, table.id, told)
    return Reply(told, game=table.id, screen=screen)


async def _leave(call: Call) -> Reply:
    table = await call.services.lobby.leave(await call.find_game(), call.person.id)
    return Reply(f"You have left “{table.name}”.", game=table.id)


async def _invite(call: Call) -> Reply:
    guests = [value for name, value in call.values.items() if name.startswith("user") and isinstance(value, Person)]
    game, address, role = await call.find_game(), call.read_text("mail").strip(), call.values.get("role")
    if not guests and not address and not isinstance(role, ChannelOrRole):
        raise BotError("Name the person to invite: user1:@…, role:@…, or mail:ann@home.example.")
    if isinstance(role, ChannelOrRole) and not role.mentionable:
        raise BotError("Only roles that everyone may mention can be invited, as set in the server's role settings.")
    if address and call.hot_seat:
        raise BotError("The local table has no mail. To open a table by mail, run “stationmaster mail new”.")
    if address and not call.services.contacts.served:
        raise BotError("This bot has no mailbox; its operator can set one up.")
    if address:
        table = await call.services.hosting.invite_by_letter(game, call.person.id, Guest(address))
    if isinstance(role, ChannelOrRole):
        table = await call.services.hosting.call_role(game, call.person.id, role.id)
    if guests:
        table = await call.services.lobby.invite(game, call.person.id, [guest.id for guest in guests])
    names = [tidy_name(guest.name, "someone") for guest in guests]
    names += [tidy_name(role.name, "a role")] if isinstance(role, ChannelOrRole) else []
    told = f"Invited to “{table.name}”: {', '.join([*names, *([address] if address else [])])}."
    by_mail = " An e-mail asks them to accept, unless they have unsubscribed or were asked less than a week ago."
    by_mail = by_mail if address else ""
    return Reply(told + by_mail, game=table.id)


async def _start(call: Call) -> Reply:
    table = await call.services.lobby.get_table(await call.find_game())
    users = {seat.name.lower(): seat.user for seat in table.seats}
    named = [word.strip().lower() for word in call.read_text("seating").split(",") if word.strip()]
    seating = [users.get(name, name) for name in named]
    order = cast("SeatOrder", call.read_text("order") or ("host sets" if seating else "random"))
    outcome = await call.services.lobby.start(table.id, call.person.id, order, seating)
    told, screen = format_outcome(outcome), None
    if not call.hot_seat:
        greeting = await greet_newcomer(call.services, call.person.id, table.title, table.id, told)
        screen = greeting if greeting.pictures else None
    return Reply(told, game=table.id, outcome=outcome, public=screen is None, screen=screen)


async def _complete_seating(call: Call, parameter: str) -> list[Choice]:
    del parameter
    table = await call.services.lobby.get_table(await call.find_game())
    said = [word.strip() for word in call.read_text("seating").split(",") if word.strip() in table.names]
    left = [name for name in table.names if name not in said]
    return [Choice(", ".join([*said, name]), ", ".join([*said, name])) for name in left]


async def _info(call: Call) -> Reply:
    table = await call.services.lobby.get_table(await call.find_game())
    lines = [format_table(table)]
    if table.started is not None:
        lines.append(format_standing(await call.services.table.load_position(table.id)))
        lines += [*await call.services.agreements.describe_clock(table), *await _format_history(call, table)]
    for asked in await call.services.consent.list_open(table.id):
        waiting = join_names([name_decider(table, asked, user) for user in asked.waiting])
        headline = f"{table.find_name(asked.proposer)} asks {terms.describe_request(asked.terms)}"
        lines.append(f"{headline}; waiting for {waiting}. To answer, use /game vote which:{asked.id}.")
    return Reply("\n".join(lines), game=table.id)


async def _format_history(call: Call, table: Table) -> list[str]:
    """Return a line for each seat that had several holders, and for each that a proxy acts for."""
    held: dict[int, list[str]] = {}
    for each in await call.services.seats.list_tenures(table.id):
        known = held.setdefault(each.number, [])
        known += [each.name] if known[-1:] != [each.name] else []
    for seat in table.seats:
        held[seat.number] += ["no one"] if not (seat.user or seat.stand_in) else []
    lines = [f"Seat {seat + 1}: {' → '.join(names)}" for seat, names in held.items() if len(names) > 1]
    return lines + [f"{seat.proxy_name} acts for {seat.name}." for seat in table.seats if seat.proxy]


_NONE = {
    "mine": "You have no tables.",
    "open": "No table is looking for players.",
    "finished": "No game has ended yet.",
}


async def _list(call: Call) -> Reply:
    show = call.read_text("show", "mine")
    other = call.values.get("with")
    if isinstance(other, Person):
        return await list_games_with(call, other)
    tables = await call.services.lobby.list_tables(show, call.person.id, call.home.guild, own=call.alone)
    lines = [format_table(table).partition("\n")[0] for table in tables[:25]]
    return Reply("\n".join(lines) or f"{_NONE.get(show, 'There are no tables.')} To open one, use /game new.")


async def list_games_with(call: Call, other: Person) -> Reply:
    """List the tables of this server at which the person and another one sit, newest first."""
    mine = await call.services.lobby.list_tables("all", call.person.id, call.home.guild, own=True)
    lines = [await _format_shared(call, table) for table in mine if other.id in table.people][:MAX_SHARED_TABLES]
    both = "" if other.id == call.person.id else f" with {tidy_name(other.name, 'them')}"
    return Reply("\n".join(lines) or f"You have no tables{both} here. To open one, use /game new.")


async def _format_shared(call: Call, table: Table) -> str:
    """Return a table in a line, and where it stands."""
    line = format_table(table).partition("\n")[0]
    if table.state != "running":
        return line
    here = await call.services.table.load_position(table.id)
    return f"{line} · waiting for {join_names([seat.name for seat in here.actors])}"


async def _move(call: Call) -> Reply:
    await _refuse_here(call)
    game, user = await call.find_game(), call.person.id
    table = await call.services.lobby.get_table(game)
    if user == table.host or call.hot_seat:
        table = await call.services.moving.move_table(game, user, call.home)
    elif call.manages and table.home.guild:
        table = await call.services.servers.move_table(game, call.person, call.home)
    else:
        outcome = await call.services.moving.propose_move(game, user, call.home, call.delivery)
        return Reply(format_outcome(outcome), game=game, outcome=outcome, public=True)
    return Reply(f"“{table.name}” has moved here; its messages follow.", game=table.id)


async def _undo(call: Call) -> Reply:
    game = await call.find_game()
    if call.values.get("turn") is True:
        outcome = await call.services.back.restart_turn(game, call.person.id, call.delivery)
        return Reply(format_outcome(outcome), game=game, outcome=outcome, public=True)
    outcome = await call.services.back.undo(game, call.person.id, call.read_int("to"), call.delivery)
    return Reply(format_outcome(outcome), game=game, outcome=outcome, public=True)


async def _complete_moves(call: Call, parameter: str) -> list[Choice]:
    del parameter
    lines = [line for line in await call.services.table.read_log(await call.find_game()) if line.move]
    return [
        Choice(str(line.first - 1), f"before move {line.first}: {' '.join(line.sentences)}")
        for line in reversed(lines)
        if not line.folded
    ]


async def _fork(call: Call) -> Reply:
    once, game = call.delivery.interaction, await call.find_game()
    outcome = await call.services.transfer.fork(game, call.person, call.read_int("at"), once)
    return Reply(format_outcome(outcome), game=outcome.table.id, outcome=outcome)


async def _complete_forks(call: Call, parameter: str) -> list[Choice]:
    del parameter
    lines = [line for line in await call.services.table.read_log(await call.find_game()) if line.move]
    shown = [line for line in reversed(lines) if not line.folded]
    return [Choice(str(line.move), f"after move {line.move}: {' '.join(line.sentences)}") for line in shown]


async def _redo(call: Call) -> Reply:
    game = await call.find_game()
    outcome = await call.services.back.redo(game, call.person.id, call.delivery)
    return Reply(format_outcome(outcome), game=game, outcome=outcome, public=True)


async def _vote(call: Call) -> Reply:
    answer = call.read_text("answer").lower()
    if answer not in ("yes", "no"):
        raise BotError("Answer yes or no.")
    game, which = await call.find_game(), call.read_int("which")
    outcome, sheet = await answer_question(call.services, call.person.id, game, which, yes=answer == "yes")
    return Reply(format_outcome(outcome), game=game, outcome=outcome, public=sheet is None, screen=sheet)


async def _complete_questions(call: Call, parameter: str) -> list[Choice]:
    del parameter
    found = await call.services.consent.list_open(await call.find_game())
    mine = [asked for asked in found if call.person.id in (*asked.deciders, asked.proposer, asked.absent)]
    return [Choice(str(asked.id), f"{asked.id}: {terms.describe_request(asked.terms)}") for asked in mine]


async def _export(call: Call) -> Reply:
    game = await call.find_game()
    user = None if call.hot_seat else call.person.id
    file = await call.services.transfer.export(game, call.read_text("format", FORMATS[0]), user)
    return Reply(file.words, files=((file.name, file.data),), game=game)


async def _import(call: Call) -> Reply:
    data = call.values.get("file")
    if not isinstance(data, bytes):
        raise BotError("Attach the file to import.")
    await _refuse_here(call)
    asked = FileAsked(data, call.read_int("seed"), repair=call.values.get("repair") is True)
    name, once = call.read_text("name"), call.delivery.interaction
    outcome = await call.services.transfer.import_file(call.person, asked, name, call.home, once)
    return Reply(
        f"{format_table(outcome.table)}\n{format_outcome(outcome)}", game=outcome.table.id, outcome=outcome, public=True
    )
