"""``/me``: what a person wishes for themselves, at all tables."""

import asyncio
from typing import get_args

import msgspec

from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.model import terms
from bot.model.errors import BotError
from bot.model.plain import thread_mark, tidied
from bot.model.records import CallPlace, Calls, Choice, Person, Table
from bot.model.seating import listed
from bot.service import quiet
from bot.service.game_clock import span
from bot.service.seats.calling import day
from engine.words import counted
from render import PALETTES

_PALETTES = {
    "standard": "as printed",
    "deutan": "for red-green blindness, green weak",
    "protan": "for red-green blindness, red weak",
    "tritan": "for blue-yellow blindness",
    "mono": "without colours",
}


TEST = (
    "This is a test: my private messages reach you. Your calls, or your daily message, come here now, as you wish. "
    "/me remind changes that."
)
REFUSED = (
    "Discord does not deliver my private messages to you, so nothing was changed. Allow direct messages from members "
    "of this server (server name → Privacy Settings), then choose this again."
)


def me() -> Group:
    """Return the group of a person's own settings."""
    palettes = tuple(Choice(name, f"{name}: {_PALETTES[name]}") for name in PALETTES)
    style = (
        CommandParameter("palette", "colours of the pictures that only you see", choices=palettes),
        CommandParameter("words", "tell each of these pictures in words too", "bool"),
    )
    remind = (
        CommandParameter("reminders", "remind me of turns that wait for me", "bool"),
        CommandParameter("quiet_from", "hour from which nothing rings, 0 to 23", "int"),
        CommandParameter("quiet_to", "hour until which nothing rings; the same hour: none", "int"),
        CommandParameter("zone", "your time zone, as Europe/Berlin", completes=True),
        CommandParameter("place", "where you are called", choices=tuple(Choice(n, n) for n in get_args(CallPlace))),
        CommandParameter("delay", "minutes after which you are called", "int"),
        CommandParameter("every", "hours between reminders; 0: as the table has it", "int"),
        CommandParameter("most", "reminders of a turn, 5 at most", "int"),
        CommandParameter("on_deck", "tell me when I am next, after whoever is asked", "bool"),
        CommandParameter("digest", "hour of a daily message of all that waits; -1: none", "int"),
    )
    away = (
        CommandParameter("days", "for how many days, from now; 0: you are back", "int", required=True),
        CommandParameter("note", "what your tables are told"),
    )
    note = (CommandParameter("text", "the note; “-” takes it away; left out: show it"), GAME)
    sure = (CommandParameter("sure", "yes, remove it for good", "bool"),)
    mail = (
        CommandParameter("address", "your address; a code is sent there"),
        CommandParameter("code", "the code that came"),
        CommandParameter("stop", "yes: no more mails", "bool"),
    )
    whose = CommandParameter("user", "of whom; you if left out", "user")
    return Group(
        "me",
        "Your own settings and turns, at all tables.",
        (
            Command("games", "List the tables that wait for you, and your others.", (), _games),
            Command("style", "Choose how pictures are shown to you.", style, _style),
            Command("away", "Be away: nobody calls you, and your tables are told.", away, _away),
            Command("note", "Keep a note at this table that only you see.", note, _note),
            Command("forget", "Remove all that is kept of you; logs stay playable.", sure, _forget),
            Command("mail", "Play by e-mail too: link an address of yours.", mail, _mail),
            Command("remind", "Choose whether and when you are called.", remind, _remind, _complete_zone),
            Command("profile", "Tell how somebody plays: tables, results, pace.", (whose,), _profile),
        ),
        free=True,
    )


async def _games(call: Call) -> Reply:
    tables = await call.services.lobby.tables("mine", call.person.id)
    lines = [await _standing(call, table) for table in tables[:25]]
    lines.sort(key=lambda line: not line[0])
    asked = [line for table in tables[:25] for line in await _asked(call, table)]
    return Reply("\n".join([*asked, *(words for _, words in lines)]) or "You sit at no table. /game new opens one.")


async def _asked(call: Call, table: Table) -> list[str]:
    """Return a line for each question of a table that waits for the person."""
    found = [] if table.started is None else await call.services.consent.pending(table.id)
    return [
        f"#{table.id} “{table.name}” · {table.called(asked.proposer)} asks {terms.headline(asked.terms)}: "
        f"/game vote game:{table.id} which:{asked.id}"
        for asked in found
        if call.person.id in asked.waiting
    ]


async def _standing(call: Call, table: Table) -> tuple[bool, str]:
    """Tell whether a table waits for the person, and its line."""
    where = f" · {thread_mark(table.home.thread)}" if table.home.thread else ""
    head = f"#{table.id} “{table.name}”{where}"
    if table.state != "running":
        return False, f"{head} · {table.state}"
    here = await call.services.table.position(table.id)
    names = listed([seat.name for seat in here.actors])
    mine = any(call.person.id in (seat.user, seat.proxy) for seat in here.actors)
    return mine, f"{head} · your turn: {here.ask().headline}" if mine else f"{head} · waits for {names}"


async def _style(call: Call) -> Reply:
    style = await call.services.people.style(call.person.id)
    palette = call.text("palette", style.palette)
    if palette not in PALETTES:
        raise BotError(f"The palettes are {', '.join(PALETTES)}.")
    words = bool(call.values.get("words", style.text_first))
    style = msgspec.structs.replace(style, palette=palette, text_first=words)
    await call.services.people.set_style(call.person.id, style)
    told = "and told in words" if style.text_first else "without words"
    return Reply(f"Pictures that only you see are drawn {style.palette} ({_PALETTES[style.palette]}), {told}.")


async def _remind(call: Call) -> Reply:
    calls = (await call.services.people.calls(call.person.id))[call.person.id]
    wished = {
        "reminders": bool(call.values.get("reminders", calls.reminders)),
        "quiet_from": calls.quiet_from if (hour := call.whole("quiet_from")) is None else hour,
        "quiet_to": calls.quiet_to if (hour := call.whole("quiet_to")) is None else hour,
        "zone": call.text("zone", calls.zone),
        "place": call.text("place", calls.place),
        "on_deck": bool(call.values.get("on_deck", calls.on_deck)),
    }
    for name in ("delay", "every", "most", "digest"):
        said = call.whole(name)
        wished[name] = getattr(calls, name) if said is None else said
    if wished["place"] not in get_args(CallPlace):
        raise BotError(f"You may be called at: {', '.join(get_args(CallPlace))}.")
    calls = quiet.checked(msgspec.structs.replace(calls, **wished))
    digest = call.whole("digest")
    is_private = call.values.get("place") in ("dm", "both") or (digest is not None and digest >= 0)
    if is_private and call.reach is not None and not await call.reach(TEST):
        raise BotError(REFUSED)
    await call.services.people.set_calls(call.person.id, calls)
    told = ["You are reminded of turns that wait for you." if calls.reminders else "You are not reminded."]
    if calls.quiet_from == calls.quiet_to:
        told.append("Calls come at any hour.")
    else:
        told.append(f"Nothing rings from {calls.quiet_from}:00 to {calls.quiet_to}:00, {calls.zone}.")
    told += _further(calls)
    return Reply(" ".join(told))


def _further(calls: Calls) -> list[str]:
    """Return what is not as usual in somebody's calls."""
    places = {"dm": "in private only", "both": "at the table and in private", "none": "nowhere"}
    where = places.get(calls.place, "")
    return [
        *([f"You are called {where}."] if where else []),
        *([f"Calls come after {calls.delay} minutes."] if calls.delay else []),
        *([f"Reminders come every {calls.every} hours."] if calls.every else []),
        *([f"There are {calls.most} reminders of a turn."] if calls.most != Calls().most else []),
        *(["You are told when you are next."] if calls.on_deck else []),
        *([f"What waits is told at {calls.digest}:00 every day."] if calls.digest >= 0 else []),
    ]


async def _away(call: Call) -> Reply:
    days = call.whole("days") or 0
    calls = await call.services.calling.away(call.person.id, days, call.text("note"))
    if not days:
        return Reply("You are back; calls come as usual, and your tables are told.")
    return Reply(f"You are away until {day(calls, calls.away_to)}. Nobody calls you; your tables are told.")


async def _complete_zone(call: Call, parameter: str) -> list[Choice]:
    del call, parameter
    return [Choice(zone, zone) for zone in await asyncio.to_thread(quiet.zones)]


async def _profile(call: Call) -> Reply:
    user = call.values.get("user")
    person = user if isinstance(user, Person) else call.person
    found = await call.services.people.profile(person.id, call.home.guild)
    lines = [tidied(person.name, "Someone")]
    if not found.tables:
        return Reply(f"{tidied(person.name, 'Someone')} has played at no table here yet.")
    states = ", ".join(f"{count} {state}" for state, count in found.tables.items())
    lines.append(f"Tables here: {states}; moves: {found.moves}.")
    if found.pace is not None:
        lines.append(f"Moves within {span(found.pace)}, half of the time, once it is their turn.")
    if person.id == call.person.id:
        calls = (await call.services.people.calls(person.id))[person.id]
        style = await call.services.people.style(person.id)
        lines.append(f"You: zone {calls.zone}, called {calls.place}, palette {style.palette}.")
    return Reply("\n".join(lines))


async def _note(call: Call) -> Reply:
    game, words = await call.game(), call.text("text").strip()
    if words:
        await call.services.drafts.set_note(game, call.person.id, "" if words == "-" else words)
    kept = await call.services.drafts.note(game, call.person.id)
    return Reply(kept or "You keep no note at this table.", game=game)


async def _mail(call: Call) -> Reply:
    """Link an address of the person: a code goes there, and comes back here."""
    if call.hot_seat:
        raise BotError("All at this keyboard are one person; stationmaster mail new opens a table by mail.")
    contacts = call.services.contacts
    if call.text("code"):
        linked = await contacts.confirm(call.person.id, call.text("code"))
        tables = (
            await call.services.seats.become(linked.before, call.person.id) if linked.before != call.person.id else ()
        )
        seats = "".join(f" Your seat at “{table.name}” goes with it." for table in tables)
        return Reply(
            f"{linked.address} is yours: mails about your turns go there, and you move by answering them.{seats}"
        )
    if call.text("address"):
        if not contacts.served:
            raise BotError("This Stationmaster sends no mails; whoever hosts it can give it a mailbox.")
        await contacts.link(call.person.id, call.person.name, call.text("address"))
        return Reply("A code is on its way there. Type it within ten minutes: /me mail code:…")
    known = await contacts.of_user(call.person.id)
    if known is not None and call.values.get("stop") is True:
        await contacts.settle(known.id, "stopped")
        return Reply(f"No more mails go to {known.address}.")
    return Reply(f"Mails go to {known.address}." if known else "No mails go to you. /me mail address:… links one.")


async def _forget(call: Call) -> Reply:
    if call.hot_seat:
        raise BotError("All at this keyboard are one person; delete the file of the store instead.")
    if call.values.get("sure") is not True:
        return Reply(
            "This removes your settings, notes, orders and votes, and your name from every table: your seats become "
            "“a former player”, in running games they stay empty until somebody takes them. Logs stay playable. It "
            "cannot be taken back. Say /me forget sure:true if you mean it."
        )
    count = await call.services.seats.forget(call.person.id)
    return Reply(f"Done: nothing is kept of you any more, at {counted(count, 'table')}.")
