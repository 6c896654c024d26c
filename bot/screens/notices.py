"""The public messages of a table, as screens: lobby, table message, turn, result, questions."""

from collections.abc import Sequence

import msgspec

from bot.model import posts, terms
from bot.model.records import EXPERIENCES, LogLine, Position, Proposal, Table
from bot.model.seating import describe_damage, join_names
from bot.screens.boards import BOARD
from bot.screens.desk_screens import TurnButtons
from bot.screens.drawing import Invitation
from bot.screens.screen import MAX_ALT_LENGTH, Button, Control, Screen, Tone, clip, make_rows
from bot.screens.since import make_since_button
from bot.screens.text import fold_log, format_variants
from bot.service.game_clock import describe_clock as clock_words
from engine import TITLES, Ask
from engine.posters import can_make_broadsheet
from engine.view import MapView, Network, View
from render.hexes.close_ups import find_close_ups

MAX_LOG_LINES = 5
MAX_LOOKS = 3
"""Pictures with a button on the table message; More has the others."""
MAX_TURN_LINES = 2
"""Lines of the turn message that say what can be done; the desk has all of them."""
MAX_TURN_LOOKS = 4
"""Pictures with a button on the turn message, beside *Since you*."""


def write_mentions(users: Sequence[str], table: Table | None = None) -> str:
    """Return Discord's words that name users; who has no place there goes by what they are called at the table."""
    named = (name_user(user, table) for user in dict.fromkeys(users))
    return " ".join(name for name in named if name)


def name_user(user: str, table: Table | None) -> str:
    """Return Discord's words that name a user, or the name of a person without an account there."""
    return f"<@{user}>" if user.isdecimal() else table.find_name(user) if table is not None else ""


def describe_lobby(table: Table) -> Invitation:
    """Return what the picture of an open table shows: the board, the seats, what was agreed."""
    clock = [f"Clock: {clock_words(table.clock)}"] if table.clock else []
    facts = (f"Pace: {table.pace}", *clock, f"Variants: {format_variants(table)}")
    return Invitation(table.setup, table.names, table.name, facts)


def make_lobby(table: Table) -> Screen:
    """Return the lobby message: who sits there, what was agreed, and the buttons while it is open."""
    title = TITLES[table.title]
    free = table.places - len(table.seats)
    state = {
        "open": f"looking for {free} more" if free else "full; the host can start",
        "running": "started" + (f", in <#{table.home.thread}>" if table.home.thread else ""),
        "finished": f"over: {table.reason}",
        "closed": f"closed: {table.reason}",
    }[table.state]
    players = ", ".join(f"{seat.name}{' (host)' if seat.user == table.host else ''}" for seat in table.seats)
    for_whom = f" · for {table.experience}" * (table.experience != EXPERIENCES[0])
    of = f" of {table.places}" if table.state == "open" else ""
    lines = [
        f"## {title.name} — {table.name}",
        f"Game {table.id} · {len(table.seats)}{of} players · {state}",
        f"Players: {players or 'none yet'}",
        f"Pace: {table.pace} · {'open to all' if table.privacy == 'open' else 'by invitation'}{for_whom}",
        *([f"Clock: {clock_words(table.clock)}"] if table.clock else []),
        f"Variants: {format_variants(table)}",
        f"-# A seed decides the deal; it is revealed at the end. Its fingerprint is {table.fingerprint}.",
    ]
    if table.state != "open":
        return Screen("\n".join(lines))
    buttons = [
        Button("Join", Control(table.id, 0, "join"), "good"),
        Button("Leave", Control(table.id, 0, "leave")),
        Button("Variants…", Control(table.id, 0, "variants")),
        Button("Start", Control(table.id, 0, "start"), "main"),
        Button("Invite…", Control(table.id, 0, "invite")),
        *([Button("Learn the game", Control(0, 0, "learncourse", title.id))] if title.package else []),
    ]
    return Screen("\n".join(lines), rows=make_rows(buttons))


def make_card(here: Position, log: Sequence[LogLine], pictures: tuple[View, ...], *, has_page: bool = False) -> Screen:
    """Return the table message: whose turn it is, the last lines of the log, the buttons to look."""
    table, game = here.table, here.game
    head = f"## {game.title.name} — {table.name}"
    if here.damage:
        status = describe_damage(here)
    elif here.actors:
        ask = here.ask()
        status = f"**{ask.headline}** · {join_names([seat.name for seat in here.actors])} to {ask.kind}"
    else:
        status = f"**The game is over**: {table.reason}" if table.reason else "**The game is over**"
    if table.state == "closed":
        status = f"**Closed**: {table.reason}"
    lines = [
        _format_log_line(line) for line in [each for each in fold_log(log) if any(each.sentences)][-MAX_LOG_LINES:]
    ]
    further = [Button("Log", Control(table.id, 0, "log")), Button("More…", Control(table.id, 0, "more"))]
    further += [Button("Board", Control(table.id, 0, BOARD))] * has_page
    can_act = table.state == "running" and not here.damage
    act = (Button("Act", Control(table.id, 0, "act"), "main"),) if can_act else ()
    rows = make_rows([*act, *list_looks(here)[:MAX_LOOKS], *further])
    return Screen(f"{head}\n{status}", pictures, "\n".join(lines), rows=rows)


def _format_log_line(line: LogLine) -> str:
    words = clip(" ".join(line.sentences), 300)
    return f"-# ~~{words}~~" if line.taken_back else f"-# {words}"


def list_looks(here: Position) -> list[Button]:
    """Return a button for each picture that needs no further words."""
    return [
        Button(picture.label, Control(here.table.id, 0, "view", picture.name))
        for picture in here.game.title.views.pictures
        if not picture.about
    ][:9]


def make_turn(post: posts.Turn, here: Position, buttons: TurnButtons | None, board: str = "") -> Screen:
    """Return the turn message: who is asked what, and all that is needed to act.

    Args:
        post: what is owed.
        here: the position.
        buttons: of the one who must act; ``None`` where several may.
        board: address of the board at this moment; "" without one.
    """
    if here.damage:  # it keeps the button by which a turn is known
        act = [Button("Act", Control(here.table.id, here.version, "act"), "main"), *list_looks(here)[:5]]
        return Screen(describe_damage(here), rows=make_rows(act))
    task = _describe_task(post.ask, buttons)
    lines = [f"{write_mentions(post.mention, here.table)} — **{post.ask.headline}**", *task]
    lines += post.ask.lines[:MAX_TURN_LINES]
    lines += _format_clocks(here)
    lines += [f"-# [Board at this move](<{board}>)"] * bool(board)
    first = [Button("Act", Control(here.table.id, here.version, "act"), "main")]
    longer: list[Button] = []
    if buttons is not None:
        first += buttons.quick
        longer += buttons.openers
    looks = [make_since_button(here.table.id), *list_looks(here)[:MAX_TURN_LOOKS]]
    rows = make_rows(first) + make_rows(longer) + make_rows(looks)
    menus = () if buttons is None else buttons.menus
    return Screen("\n".join(lines), menus=menus, rows=rows, mention=post.pings)


def _format_clocks(here: Position) -> list[str]:
    """Return when the time of those who must decide is over, where the table has a clock."""
    clock = here.table.clock
    if clock is None or clock.paused:
        return ["-# The clock is paused."] if clock else []
    names = {seat.number: seat.name for seat in here.table.seats}
    lines = []
    for seat, end, over in zip(clock.running, clock.ends, clock.graces or clock.ends, strict=True):
        due = f"{names[seat]} is late" if clock.graces and end == over else f"{names[seat]} until <t:{end}:f>"
        lines.append(f"-# Clock: {due}{f', grace until <t:{over}:f>' if clock.graces else ''}.")
    return lines


def add_close_ups(seen: Sequence[View]) -> list[View]:
    """Return the pictures of a turn with close-ups of what is asked before the map that shows where that is."""
    found: list[View] = []
    for view in seen:
        if isinstance(view, MapView) and any("can" in h.mark for h in view.hexes) and find_close_ups(view):
            asked = view.alt.partition(". ")[0]
            found.append(msgspec.structs.replace(view, close=True, alt=f"{asked}, closely."))
        found.append(view)
    return found


def add_buttons_to_alt(seen: Sequence[View], buttons: TurnButtons | None) -> list[View]:
    """Return the pictures of a turn, the words of the map beginning with what is to be pressed: "Buttons: Pass"."""
    best = "; ".join(button.label for button in buttons.quick) if buttons else ""
    return [
        msgspec.structs.replace(view, alt=clip(f"Buttons: {best}. {view.alt}", MAX_ALT_LENGTH))
        if best and isinstance(view, MapView | Network)
        else view
        for view in seen
    ]


def _describe_task(ask: Ask, buttons: TurnButtons | None) -> list[str]:
    """Return what is asked for: a duty where the player can't pass, as far as all may know that."""
    if not ask.kind:
        return []
    if buttons is None or buttons.may_pass is None:
        return [f"To do: {ask.kind}"]
    return [f"You {'may' if buttons.may_pass else 'must'} {ask.kind}."]


def make_summary(post: posts.Summary, board: str = "") -> Screen:
    """Return the one line of a turn that is done, with the address of the board after it, if there is one."""
    return Screen(f"{post.line} · [Board](<{board}>)" if board else post.line)


def make_ping(post: posts.Ping, what: str, table: Table, *, is_reply: bool = False) -> Screen:
    """Return a ping for what is asked; a reminder tells since when, and what happens if nothing comes.

    One that is shown as a reply to the turn needn't say what the turn is.
    """
    who = write_mentions(post.mention, table)
    fix = (
        "\n-# Discord doesn't deliver my private messages to you, so I can only ping you here. Allow direct messages "
        "from members of this server (server name → Privacy Settings), or use **/me remind place:table**."
    ) * post.refused
    _, kind, *_, number = post.follows.split(":")
    if kind != "turn" or (post.refused and not post.number):
        return Screen(f"{who} — {what}.{fix}", mention=post.mention)
    if not post.number:
        return Screen(f"{who} — {'' if is_reply else f'{what}: '}still your turn.", mention=post.mention)
    last = f" The others can vote on a stand-in <t:{post.patience}:R>." if post.patience else ""
    text = f"{who} — {what}: your turn since <t:{post.since}:R>.{last}"
    act = Button("Act", Control(post.game, 0, "act"), "main")
    hint = fix or "\n-# To change your reminders, use /me remind." * (post.number == 1)
    return Screen(f"{text}{hint}", rows=((act, *make_snooze_buttons(post.game, int(number))),), mention=post.mention)


def make_snooze_buttons(game: int, turn_from: int) -> tuple[Button, ...]:
    """Return the buttons that put off the reminders of a turn."""
    words = (
        ("Snooze 4 h", "4h"),
        ("Snooze until tonight", "tonight"),
        ("Snooze until tomorrow", "tomorrow"),
        ("Stop for this turn", "turn"),
    )
    return tuple(Button(label, Control(game, turn_from, "snooze", until)) for label, until in words)


def make_on_deck(post: posts.OnDeck, table: Table) -> Screen:
    """Return the message for those who are probably next."""
    after = post.headline.partition(":")[0]  # the turn stands above it
    return Screen(f"{write_mentions(post.mention, table)} — you're next, after {after}.", mention=post.pings)


def make_time_up(post: posts.TimeUp, table: Table) -> Screen:
    """Return the message that a clock has run out, with the ways to go on."""
    name = table.seats[post.seat].name
    lines = [
        f"{write_mentions(post.mention, table)} **{post.text}**".lstrip(),
        f"-# No one loses on time: {name} can still move. The others can vote to have the seat played.",
    ]
    ways = (
        ("Use a stand-in this turn", "sitin", "once"),
        ("Use a stand-in from now on", "sitin", ""),
        ("Ask a person, this turn…", "deputy", "once"),
        ("Ask a person, from now on…", "deputy", ""),
    )
    buttons = tuple(Button(label, Control(post.game, 0, verb, f"{post.seat}.{once}")) for label, verb, once in ways)
    return Screen("\n".join(lines), rows=(buttons,), mention=post.pings)


def make_giving(post: posts.Giving, table: Table) -> Screen:
    """Return the message by which friends take the seats that one person holds."""
    held = table.list_held(post.user)
    if not post.user:
        give = Button("Give seats…", Control(table.id, 0, "give"), "main")
        text = f"One person plays {join_names(table.names)}. Friends can take over their seats in the running game."
        return Screen(text, rows=((give,),) if len(table.people) == 1 else ())
    if len(held) < 2:
        return Screen("-# All the other seats have been taken.")
    buttons = [
        Button(clip(f"I'm {table.names[seat]}", 80), Control(table.id, 0, "take", str(seat)), "good") for seat in held
    ]
    text = f"**Seats of “{table.name}”**: tap your name to take your seat. The last seat can't be given away."
    return Screen(text, rows=make_rows(buttons))


def make_notice(post: posts.Notice | posts.Prompt | posts.BidPrompt, table: Table | None = None) -> Screen:
    """Return a sentence for the channel; about a lot with a button to bid for it, to guests with one to join.

    Who is asked for something is named, with or without an account in Discord. A notice pings no one but a role.
    """
    who = write_mentions(post.mention, None if isinstance(post, posts.Notice) else table)
    role = post.role if isinstance(post, posts.Notice) else ""
    rows: tuple[tuple[Button, ...], ...] = ()
    if isinstance(post, posts.BidPrompt):
        rows = ((Button("Set my maximum bid…", Control(post.game, 0, "bidform", f"bid;{post.company};0;")),),)
    elif (isinstance(post, posts.Prompt) or role) and table is not None and table.state == "open":
        start, join = Button("Start", Control(post.game, 0, "start"), "main"), Control(post.game, 0, "join")
        rows = ((start if post.mention == (table.host,) else Button("Join", join, "good"),),)
    if isinstance(post, posts.Notice):
        pings, who = (f"&{role}",) * bool(role), f"<@&{role}>" if role else who
    else:
        pings = post.pings
    return Screen(f"{who} {post.text}" if who else post.text, rows=rows, mention=pings)


def make_moved(table: Table, place: str) -> Screen:
    """Return what stays of a message where a table lived before it was moved, or closed for good."""
    if table.state == "closed":
        return Screen(f"-# “{table.name}” is closed: {table.reason}.")
    return Screen(f"-# “{table.name}” has moved to <#{place}>.")


def describe_proposal(asked: Proposal, table: Table) -> str:
    """Return who asks for what."""
    asker = table.find_name(asked.proposer) if asked.proposer else "After a long wait, the table"
    return f"{asker} asks {terms.describe_request(asked.terms)}"


def make_ballot(post: posts.Ballot, asked: Proposal, table: Table) -> Screen:
    """Return a question, what it means and who has answered; once it is decided, only the answers."""
    answers = {vote.user: "yes" if vote.yes else "no" for vote in asked.votes}
    deciders = [user for user in asked.deciders if user != asked.proposer]
    if asked.state != "open":
        said = ", ".join(f"{name_user(user, table)} {answers.get(user, 'no answer')}" for user in deciders)
        return Screen(f"**{describe_proposal(asked, table)}: {asked.state}**" + (f" ({said})" if said else ""))
    lines = [f"**{describe_proposal(asked, table)}**"]
    lines += [f"-# {line}" for line in terms.list_details(asked.terms)]
    lines += [f"{name_user(user, table)}: {answers.get(user, 'not yet')}" for user in deciders]
    if asked.voters:
        lines.append(f"-# {asked.enough} of {len(asked.voters)} votes are needed.")
    lines.append(f"-# No answer counts as no <t:{asked.expires}:R>.")
    words: tuple[tuple[str, str, Tone], ...] = (
        ("yes", terms.label_agreement(asked.terms), "good"),
        ("no", "No", "bad"),
        *((("no.w", "Withdraw", "plain"),) if asked.proposer else ()),
    )
    buttons = [
        Button(label, Control(asked.game, asked.version, "vote", f"{asked.id}.{word}"), tone)
        for word, label, tone in words
    ]
    if way := terms.find_counter_kind(asked.terms):
        buttons.insert(2, Button("Counter…", Control(asked.game, asked.version, way, str(asked.id))))
    return Screen("\n".join(lines), rows=(tuple(buttons),), mention=post.pings)


def make_end(post: posts.End, table: Table) -> Screen:
    """Return the end of the game: the ranking, and the seed that settled the deal."""
    lines = [
        f"## {table.name} is over: {post.reason}",
        *post.lines,
        write_mentions(post.mention),
        f"-# Seed {table.seed}, fingerprint {table.fingerprint}.",
    ]
    kept = [("Watch time-lapse", "film", "")]
    kept += [("Poster", "sheet", ""), ("Print (A3)", "sheet", "pdf")] * can_make_broadsheet(TITLES[table.title])
    rows = (tuple(Button(label, Control(table.id, 0, verb, arg)) for label, verb, arg in kept),)
    return Screen("\n".join(lines), rows=rows, mention=post.pings)
