"""``/me``: what a person wishes for themselves, at all tables."""

import asyncio
from typing import get_args

import msgspec

from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.model import quiet
from bot.model.errors import BotError
from bot.model.plain import thread_mark, tidy_person
from bot.model.records import CallPlace, Calls, Choice, Person, Table
from bot.model.seating import join_names
from bot.screens.lesson_controls import describe_new_here
from bot.screens.text import format_table
from bot.service.game_clock import format_span
from bot.service.lobby import find_title
from bot.service.obligations import format_day
from bot.service.press import Message
from engine import TITLES
from engine.words import pluralise
from render import PALETTES

_PALETTES = {
    "standard": "as printed",
    "dark": "light letters on dark grounds",
    "deutan": "for red-green colour blindness (weak green)",
    "protan": "for red-green colour blindness (weak red)",
    "tritan": "for blue-yellow colour blindness",
    "mono": "without colours",
}


TEST = (
    "This is a test: my private messages reach you. Your pings, or your daily summary, will come here, as you chose. "
    "To change that, use /me remind."
)
REFUSED = (
    "Discord doesn't deliver my private messages to you, so nothing was changed. Allow direct messages from members "
    "of this server (server name → Privacy Settings), then try again."
)
_MESSAGE = (
    CommandParameter("text", "the message", required=True),
    CommandParameter("to", "which player; all if left out"),
    GAME,
)
_CONFIRM = (CommandParameter("on", "no: end it", "bool"),)
_FOLLOW = (CommandParameter("on", "no: stop following it", "bool"), GAME)
_PROFILE = (
    CommandParameter("user", "which person; you if left out", "user"),
    CommandParameter("hidden", "yes: only you see your profile and results", "bool"),
)
_MUTE = (
    CommandParameter("on", "no: get messages again", "bool"),
    CommandParameter("everyone", "yes: for the whole table (host)", "bool"),
    GAME,
)


def build_me() -> Group:
    """Return the group of a person's own settings."""
    palettes = tuple(Choice(name, f"{name}: {_PALETTES[name]}") for name in PALETTES)
    style = (
        CommandParameter("palette", "colours of pictures only you see", choices=palettes),
        CommandParameter("words", "yes: also describe these pictures in words", "bool"),
    )
    remind = (
        CommandParameter("reminders", "yes: remind me of my turns", "bool"),
        CommandParameter("quiet_from", "hour when quiet time starts, 0 to 23", "int"),
        CommandParameter("quiet_to", "hour when quiet time ends; the same hour: no quiet time", "int"),
        CommandParameter("zone", "your time zone, such as Europe/Berlin", completes=True),
        CommandParameter("place", "where to ping you", choices=tuple(Choice(n, n) for n in get_args(CallPlace))),
        CommandParameter("delay", "minutes to wait before pinging you", "int"),
        CommandParameter("every", "hours between reminders; 0: as the table's pace sets", "int"),
        CommandParameter("most", "reminders per turn, up to 5", "int"),
        CommandParameter("on_deck", "yes: ping me when I'm next, after the current player", "bool"),
        CommandParameter("digest", "hour of a daily summary of waiting turns; -1: none", "int"),
    )
    away = (
        CommandParameter("days", "number of days from now; 0: you're back", "int", required=True),
        CommandParameter("note", "a note for the other players"),
    )
    note = (CommandParameter("text", "the note; “-” deletes it; leave out to show it"), GAME)
    titles = tuple(Choice(title.id, title.name) for title in TITLES.values() if title.package)
    new = (
        CommandParameter("title", "which game; that of this table if left out", choices=titles),
        CommandParameter("on", "no: stop it", "bool"),
        GAME,
    )
    sure = (CommandParameter("sure", "yes: delete it permanently", "bool"),)
    mail = (
        CommandParameter("address", "your e-mail address; a code is sent to it"),
        CommandParameter("code", "the code from the e-mail"),
        CommandParameter("stop", "yes: stop all mail", "bool"),
    )
    return Group(
        "me",
        "Your settings and turns at all tables.",
        (
            Command("games", "List your tables, those waiting for you first.", (), _games),
            Command("style", "Choose how your private pictures look.", style, _style),
            Command("away", "Go on vacation: no pings; your tables are notified.", away, _away),
            Command("follow", "Follow a table's turning points without playing.", _FOLLOW, _follow),
            Command("note", "Keep a private note at this table.", note, _note),
            Command("forget", "Delete your personal data; game logs stay playable.", sure, _forget),
            Command("mail", "Play by e-mail: link your address.", mail, _mail),
            Command("message", "Send a message to players who play by e-mail, and to the thread.", _MESSAGE, _message),
            Command(
                "confirm", "Confirm each of your e-mails by answering a letter, not by a code.", _CONFIRM, _confirm
            ),
            Command("mute", "Get no messages from other players by e-mail.", _MUTE, _mute),
            Command("new_here", "Explain each question in your first game of a title.", new, _new_here),
            Command("remind", "Choose when and where you are pinged.", remind, _remind, _complete_zone),
            Command("profile", "Show a player's profile: tables, moves, pace.", _PROFILE, _profile),
        ),
        free=True,
    )


async def _games(call: Call) -> Reply:
    tables = await call.services.lobby.list_tables("mine", call.person.id)
    waiting = await call.services.obligations.list_waiting(call.person.id)
    lines = [await _format_standing(call, table) for table in tables[:25] if table.id not in waiting]
    lines.sort(key=lambda line: not line[0])  # a private copy pings no one, but it can be their turn there
    return Reply(
        "\n".join([*waiting.values(), *(words for _, words in lines)])
        or "You have no tables. To open one, use /game new."
    )


async def _format_standing(call: Call, table: Table) -> tuple[bool, str]:
    """Return whether a table waits for the person, and its line."""
    where = f" · {thread_mark(table.home.thread)}" if table.home.thread else ""
    head = f"#{table.id} “{table.name}”{where}"
    if table.state != "running":
        return False, f"{head} · {table.state}"
    here = await call.services.table.load_position(table.id)
    names = join_names([seat.name for seat in here.actors])
    mine = any(call.person.id in (seat.user, seat.proxy) for seat in here.actors)
    return mine, f"{head} · your turn: {here.ask().headline}" if mine else f"{head} · waiting for {names}"


async def _style(call: Call) -> Reply:
    style = await call.services.people.get_style(call.person.id)
    palette = call.read_text("palette", style.palette)
    if palette not in PALETTES:
        raise BotError(f"There is no palette “{palette[:40]}”; there are {join_names([*PALETTES])}.")
    words = bool(call.values.get("words", style.text_first))
    style = msgspec.structs.replace(style, palette=palette, text_first=words)
    await call.services.people.set_style(call.person.id, style)
    described = " They are also described in words." if style.text_first else ""
    return Reply(f"Your private pictures use the palette {style.palette} ({_PALETTES[style.palette]}).{described}")


async def _remind(call: Call) -> Reply:
    calls = (await call.services.people.get_calls(call.person.id))[call.person.id]
    wished = {
        "reminders": bool(call.values.get("reminders", calls.reminders)),
        "quiet_from": calls.quiet_from if (hour := call.read_int("quiet_from")) is None else hour,
        "quiet_to": calls.quiet_to if (hour := call.read_int("quiet_to")) is None else hour,
        "zone": call.read_text("zone", calls.zone),
        "place": call.read_text("place", calls.place),
        "on_deck": bool(call.values.get("on_deck", calls.on_deck)),
    }
    for name in ("delay", "every", "most", "digest"):
        said = call.read_int(name)
        wished[name] = getattr(calls, name) if said is None else said
    if wished["place"] not in get_args(CallPlace):
        raise BotError(f"place must be one of: {', '.join(get_args(CallPlace))}.")
    calls = quiet.check_calls(msgspec.structs.replace(calls, **wished))
    digest = call.read_int("digest")
    is_private = call.values.get("place") in ("dm", "both") or (digest is not None and digest >= 0)
    if is_private and call.send_private is not None and not await call.send_private(TEST):
        raise BotError(REFUSED)
    await call.services.people.set_calls(call.person.id, calls)
    told = ["Reminders are on." if calls.reminders else "Reminders are off."]
    if calls.quiet_from == calls.quiet_to:
        told.append("You can be pinged at any hour.")
    else:
        told.append(f"Quiet time is {calls.quiet_from}:00 to {calls.quiet_to}:00, {calls.zone}.")
    told += _format_changes(calls)
    return Reply(" ".join(told))


def _format_changes(calls: Calls) -> list[str]:
    """Return which settings of a person's pings differ from the defaults."""
    places = {"dm": "by private message only", "both": "at the table and by private message", "none": "nowhere"}
    where = places.get(calls.place, "")
    return [
        *([f"You are pinged {where}."] if where else []),
        *([f"Pings come after {pluralise(calls.delay, 'minute')}."] if calls.delay else []),
        *([f"Reminders come every {pluralise(calls.every, 'hour')}."] if calls.every else []),
        *([f"You get up to {pluralise(calls.most, 'reminder')} per turn."] if calls.most != Calls().most else []),
        *(["You are pinged when you're next."] if calls.on_deck else []),
        *([f"A daily summary comes at {calls.digest}:00."] if calls.digest >= 0 else []),
    ]


async def _away(call: Call) -> Reply:
    days = call.read_int("days") or 0
    calls = await call.services.obligations.set_away(call.person.id, days, call.read_text("note"))
    if not days:
        return Reply("You're back: pings come as usual, and your tables are notified.")
    return Reply(f"You're away until {format_day(calls, calls.away_to)}: no pings, and your tables are notified.")


async def _complete_zone(call: Call, parameter: str) -> list[Choice]:
    del call, parameter
    return [Choice(zone, zone) for zone in await asyncio.to_thread(quiet.list_zones)]


async def _profile(call: Call) -> Reply:
    user = call.values.get("user")
    person = user if isinstance(user, Person) else call.person
    if (hidden := call.values.get("hidden")) is not None:
        style = await call.services.people.get_style(call.person.id)
        await call.services.people.set_style(call.person.id, msgspec.structs.replace(style, hidden=hidden is True))
        return Reply(f"{'Only you' if hidden is True else 'Everyone'} can see your profile and results now.")
    await refuse_hidden(call, person)
    found = await call.services.people.get_profile(person.id, call.home.guild)
    lines = [tidy_person(person.name)]
    if not found.tables:
        return Reply(f"{tidy_person(person.name)} hasn't played here yet.")
    states = ", ".join(f"{count} {state}" for state, count in found.tables.items())
    lines.append(f"Tables here: {states}; moves: {found.moves}.")
    if found.pace is not None:
        lines.append(f"Typical time to move: {format_span(found.pace)} (median).")
    if person.id == call.person.id:
        calls = (await call.services.people.get_calls(person.id))[person.id]
        style = await call.services.people.get_style(person.id)
        lines.append(f"Your settings: time zone {calls.zone}; pings: {calls.place}; palette: {style.palette}.")
    return Reply("\n".join(lines))


async def _note(call: Call) -> Reply:
    game, words = await call.find_game(), call.read_text("text").strip()
    if words:
        await call.services.people.set_note(game, call.person.id, "" if words == "-" else words)
    kept = await call.services.people.get_note(game, call.person.id)
    return Reply(kept or "You have no note at this table.", game=game)


async def _follow(call: Call) -> Reply:
    """Follow a table, or stop that; where none is meant, list those that are followed."""
    if call.hot_seat:
        raise BotError("At the local table, everyone sees everything; there is nothing to follow.")
    if call.values.get("game", call.here) is None:
        tables = await call.services.obligations.list_followed(call.person.id)
        lines = [format_table(table).partition("\n")[0] for table in tables]
        return Reply("\n".join(lines) or "You follow no table. To follow one, add its number: /me follow game:…")
    on, meant = call.values.get("on") is not False, call.values.get("game", call.here)
    known = [table.id for table in await call.services.obligations.list_followed(call.person.id)]
    game = meant if isinstance(meant, int) and meant in known and not on else await call.find_game()  # also in private
    table = await call.services.obligations.follow(game, call.person.id, on=on)
    if not on:
        return Reply(f"You no longer follow “{table.name}”.", game=table.id)
    return Reply(
        f"You follow “{table.name}”: you get a silent private message when a company floats, merges or goes bankrupt, "
        "at other turning points, and when the game ends. To stop, use /me follow on:False.",
        game=table.id,
    )


async def _new_here(call: Call) -> Reply:
    """Let the desk say why, or no longer."""
    word, on = call.read_text("title"), call.values.get("on") is not False
    title = find_title(word or (await call.services.lobby.get_table(await call.find_game())).title)
    await call.services.people.set_new_here(call.person.id, title.id, on=on)
    return Reply(describe_new_here(title.id, on=on))


async def _message(call: Call) -> Reply:
    game, message = await call.find_game(), Message(call.read_text("to"), call.read_text("text"))
    name = call.delivery.interaction or f"{call.services.clock()}"
    return Reply(await call.services.press.send(game, call.person.id, message, name), game=game)


async def _mute(call: Call) -> Reply:
    """Mute messages for the person, or at a whole table."""
    press, on, everyone = call.services.press, call.values.get("on") is not False, call.values.get("everyone") is True
    game = await call.find_game() if everyone or call.values.get("game") is not None else 0
    if everyone:
        table = await press.turn_off(game, call.person.id, on=not on, manages=call.manages)
        return Reply(f"Messages are {'off' if on else 'on'} at “{table.name}”.", game=table.id)
    await press.mute(call.person.id, on=on)
    return Reply(f"You get {'no' if on else 'the'} messages of other players by e-mail.")


async def _confirm(call: Call) -> Reply:
    """Hold the orders of the person's mails until they are confirmed, or no longer."""
    on = call.values.get("on") is not False
    await call.services.contacts.set_confirming(call.person.id, on=on)
    if not on:
        return Reply("Your e-mails count again without a letter to confirm, if it's certain that they are yours.")
    return Reply(
        "The bot answers each of your e-mails with a letter, and does what it orders when you reply yes to that. Codes "
        "don't count. To end this, use /me confirm on:no."
    )


async def _mail(call: Call) -> Reply:
    """Link an address of the person: a code goes there, and comes back here."""
    if call.hot_seat:
        raise BotError(
            "You can't link an address at the local table. To open a table by mail, run “stationmaster mail new”."
        )
    contacts = call.services.contacts
    if call.read_text("code"):
        linked = await contacts.confirm(call.person.id, call.read_text("code"))
        tables = (
            await call.services.seats.merge_people(linked.before, call.person.id)
            if linked.before != call.person.id
            else ()
        )
        seats = "".join(f" Its seat at “{table.name}” is now yours." for table in tables)
        return Reply(
            f"{linked.address} is linked: mail about your turns goes there, and you can move by answering it.{seats}"
        )
    if call.read_text("address"):
        if not contacts.served:
            raise BotError("This bot has no mailbox; its operator can set one up.")
        await contacts.link(call.person.id, call.person.name, call.read_text("address"))
        return Reply("A code has been sent to that address. Enter it within ten minutes: /me mail code:…")
    known = await contacts.find_confirmed(call.person.id)
    if known is not None and call.values.get("stop") is True:
        await contacts.set_state(known.id, "stopped")
        return Reply(f"No more mail will be sent to {known.address}.")
    return Reply(
        f"Your mail is sent to {known.address}."
        if known
        else "You have no linked address. To link one, use /me mail address:…"
    )


async def _forget(call: Call) -> Reply:
    if call.hot_seat:
        raise BotError("At the local table, everyone plays as one person; delete the database file instead.")
    if call.values.get("sure") is not True:
        return Reply(
            "This deletes your settings, notes, orders and votes, and your name from every table. Your seats become "
            "“a former player”; in running games they stay empty until another player takes them. Logs stay playable. "
            "This can't be undone. To confirm, use /me forget sure:true; by e-mail, there's no answer to that."
        )
    count = await call.services.seats.forget_person(call.person.id)
    return Reply(f"Done: your personal data has been deleted, at {pluralise(count, 'table')}.")


def read_person(call: Call, name: str) -> Person:
    """Return the person that a parameter names; whoever types, if it was left out."""
    value = call.values.get(name)
    return value if isinstance(value, Person) else call.person


async def refuse_hidden(call: Call, *people: Person) -> None:
    """Refuse to show the results of people who keep them for themselves.

    Raises:
        BotError: one of them does, and it isn't the person who asks.
    """
    hidden = await call.services.people.find_hidden([each.id for each in people], call.person.id)
    for person in people:
        if person.id in hidden:
            raise BotError(f"{tidy_person(person.name, 'This player')} keeps results private.")
