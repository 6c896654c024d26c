"""``/admin``: what those who run a server may do there, all of it on the record."""

from datetime import UTC, datetime

import msgspec

from bot.commands.command import GAME, Call, ChannelOrRole, Command, CommandParameter, Group, Reply
from bot.commands.people import find_seat
from bot.model.errors import BotError
from bot.model.plain import thread_mark, tidy_name
from bot.model.records import Choice, Person, ServerRules
from bot.screens.text import format_outcome
from bot.service.duties import COMMANDS_DUTY, decode_declared


def build_admin() -> Group:
    """Return the group of those who manage a server."""
    channel = CommandParameter("channel", "which channel; leave out to list the allowed channels", "channel")
    role = CommandParameter("role", "which role; leave out to list the allowed roles", "role")
    allowed = CommandParameter("allowed", "no: remove it from the list", "bool")
    limits = (
        CommandParameter("tables", "tables one person may host at a time (0: no limit)", "int"),
        CommandParameter("seats", "tables one person may play at (0: no limit)", "int"),
        CommandParameter("imports", "files that may be imported in a day (0: no limit)", "int"),
        CommandParameter("boards", "no: tables here have no public page in a browser", "bool"),
    )
    seat = CommandParameter("seat", "whose seat", required=True, completes=True)
    user = CommandParameter("user", "who acts for the seat; a stand-in (the bot) if left out", "user")
    once = CommandParameter("once", "no: from now on, not just for this turn", "bool")
    to = CommandParameter("to", "how many moves to keep", "int", required=True, completes=True)
    sure = CommandParameter("sure", "yes: do it; otherwise you only see what would be undone", "bool")
    on = CommandParameter("on", "no: resume the games", "bool")
    text = CommandParameter("text", "the announcement", required=True)
    return Group(
        "admin",
        "For server managers. Every action is recorded.",
        (
            Command("channels", "Choose where tables may be opened.", (channel, allowed), _channels),
            Command("roles", "Choose who may open and join tables.", (role, allowed), _roles),
            Command("limits", "Limit tables, seats and imports.", limits, _limits),
            Command(
                "act_for",
                "Let a person or a stand-in act for a seat, without a vote.",
                (seat, user, once, GAME),
                _act_for,
                _complete_seats,
            ),
            Command(
                "rollback", "Undo moves without a vote, after a preview.", (to, sure, GAME), _rollback, _complete_moves
            ),
            Command("pause", "Pause or resume all games on this server.", (on,), _pause),
            Command("announce", "Send an announcement to all tables on this server.", (text,), _announce),
            Command("backup", "Back up the database now (operator only).", (), _backup),
            Command("health", "Show the bot's status.", (), _health),
            Command("audit", "List the recorded /admin actions.", (), _audit),
        ),
        free=True,
        managing=True,
    )


def refuse_non_manager(call: Call) -> None:
    """Refuse anyone who doesn't manage the server, whatever Discord lets them see.

    Raises:
        BotError: they do not.
    """
    if not call.manages and not call.hot_seat:
        raise BotError("Only server managers can do that: members with the permission Manage Server.")


async def _fetch_rules(call: Call) -> ServerRules:
    if not call.home.guild:
        raise BotError("This command needs a Discord server. Use it in one of the server's channels.")
    refuse_non_manager(call)
    return await call.services.servers.get_rules(call.home.guild)


async def _channels(call: Call) -> Reply:
    rules, channel = await _fetch_rules(call), call.values.get("channel")
    if isinstance(channel, ChannelOrRole):
        on = call.values.get("allowed") is not False
        kept = [each for each in rules.channels if each != channel.id]
        rules = msgspec.structs.replace(rules, channels=(*kept, *([channel.id] if on else [])))
        words = f"{'allowed' if on else 'stopped allowing'} tables in #{tidy_name(channel.name, 'a channel')}"
        await call.services.servers.set_rules(call.home.guild, call.person, rules, words)
    where = " ".join(map(thread_mark, rules.channels))
    return Reply(f"Tables may be opened only in {where}." if where else "Tables may be opened in every channel.")


async def _roles(call: Call) -> Reply:
    rules, role = await _fetch_rules(call), call.values.get("role")
    if isinstance(role, ChannelOrRole):
        on, name = call.values.get("allowed") is not False, tidy_name(role.name, "a role")
        kept = {key: value for key, value in rules.roles.items() if key != role.id}
        rules = msgspec.structs.replace(rules, roles={**kept, **({role.id: name} if on else {})})
        words = f"{'allowed' if on else 'stopped allowing'} {name} to open and join tables"
        await call.services.servers.set_rules(call.home.guild, call.person, rules, words)
    who = ", ".join(rules.roles.values())
    return Reply(f"Only these roles may open and join tables: {who}." if who else "Everyone may open and join tables.")


async def _limits(call: Call) -> Reply:
    rules = await _fetch_rules(call)
    said = {name: call.read_int(name) for name in ("tables", "seats", "imports")}
    chosen = {name: value for name, value in said.items() if value is not None}
    boards = call.values.get("boards")
    words = [f"{name} {value}" for name, value in chosen.items()]
    words += [f"public pages {'on' if boards else 'off'}"] * isinstance(boards, bool)
    if words:
        no_boards = not boards if isinstance(boards, bool) else rules.no_boards
        rules = msgspec.structs.replace(rules, **chosen, no_boards=no_boards)
        await call.services.servers.set_rules(call.home.guild, call.person, rules, f"set limits: {', '.join(words)}")
    most = {name: str(getattr(rules, name) or "no limit") for name in said}
    return Reply(
        f"Limits per person: {most['tables']} for tables hosted, {most['seats']} for tables played at. "
        f"Imported files per day: {most['imports']}. Games that are already running go on."
        f"{' Tables here have no public page.' * rules.no_boards}"
    )


async def _act_for(call: Call) -> Reply:
    refuse_non_manager(call)
    game, user = await call.find_game(), call.values.get("user")
    seat = (await find_seat(call, game)).number
    deputy = user if isinstance(user, Person) else None
    once = call.values.get("once") is not False
    done = await call.services.servers.set_deputy(game, call.person, seat, deputy, once=once)
    return Reply(" ".join(done.sentences), game=game)


async def _complete_seats(call: Call, parameter: str) -> list[Choice]:
    del parameter
    table = await call.services.lobby.get_table(await call.find_game())
    return [Choice(seat.name, seat.name) for seat in table.seats]


async def _rollback(call: Call) -> Reply:
    refuse_non_manager(call)
    game, sure = await call.find_game(), call.values.get("sure") is True
    done = await call.services.servers.roll_back(game, call.person, call.read_int("to") or 0, sure=sure)
    if not sure:
        return Reply(
            "\n".join([*done.sentences, "To do it, repeat the command with sure:yes. /game redo restores the moves."])
        )
    return Reply(format_outcome(done), game=game)


async def _complete_moves(call: Call, parameter: str) -> list[Choice]:
    del parameter
    lines = [line for line in await call.services.table.read_log(await call.find_game()) if line.move]
    shown = [line for line in reversed(lines) if not line.folded]
    return [Choice(str(line.first - 1), f"before {line.first}: {' '.join(line.sentences)}") for line in shown]


async def _pause(call: Call) -> Reply:
    await _fetch_rules(call)
    on = call.values.get("on") is not False
    await call.services.servers.set_paused(call.home.guild, call.person, on=on)
    return Reply(
        "All games here are paused: no moves are accepted and no clock runs. To resume, use /admin pause on:no."
        if on
        else "All games here have resumed."
    )


async def _announce(call: Call) -> Reply:
    await _fetch_rules(call)
    count = await call.services.servers.announce(call.home.guild, call.person, call.read_text("text"))
    return Reply(f"Sent to {count} table{'s' * (count != 1)}.")


async def _backup(call: Call) -> Reply:
    if not call.operates and not call.hot_seat:
        raise BotError(
            "Only the bot's operator can back up the database: it contains the tables of every server. "
            "To save one of your tables, use /game export."
        )
    words = await call.services.duties.back_up()
    await call.services.servers.note_deed(call.home.guild, call.person, f"made a backup: {words}")
    return Reply(f"{words} It is in the bot's folder “backups”; to restore it, run “stationmaster restore”.")


async def _health(call: Call) -> Reply:
    refuse_non_manager(call)
    services = call.services
    counts = await services.servers.count_tables(call.home.guild)
    tables = ", ".join(
        f"{counts[state]} {state}" for state in ("open", "running", "finished", "closed") if state in counts
    )
    late = await services.outbox.count_late()
    declared = decode_declared(await services.duties.read_note(COMMANDS_DUTY))
    lines = [
        f"Tables here: {tables or 'none'}.",
        f"Overdue messages: {late}." if late else "All messages have been sent.",
        f"Commands: {declared.refused or f'{declared.commands} registered'}."
        if declared
        else "Commands: not registered yet.",
        f"Last backup: {_format_moment(await services.duties.find_last_backup())}.",
        f"Last check that replayed all games: {_format_moment(await services.duties.read_note('check'))}.",
    ]
    if (await services.servers.get_rules(call.home.guild)).paused:
        lines.insert(0, "All games here are paused.")
    return Reply("\n".join(lines))


async def _audit(call: Call) -> Reply:
    refuse_non_manager(call)
    deeds = await call.services.servers.list_deeds(call.home.guild)
    lines = [f"{_format_moment(str(deed.at))}: {deed.name} {deed.words}" for deed in deeds]
    return Reply("\n".join(lines) or "/admin hasn't been used yet.")


def _format_moment(noted: str) -> str:
    return f"{datetime.fromtimestamp(int(noted), UTC):%Y-%m-%d %H:%M} UTC" if noted.isdecimal() else "never"
