"""Which control does what: the buttons of a lobby and all there is to look at, and where the others are handled."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from bot.model.errors import BotError
from bot.model.records import Choice, Position, Table
from bot.model.seating import join_names
from bot.screens import desk_controls, lesson_controls, order_controls, proposal_controls
from bot.screens.answer import Answer
from bot.screens.boards import BOARD, show_board
from bot.screens.drawing import FILM, SHEET, Film, Keepsake
from bot.screens.lesson_screens import PREFIX
from bot.screens.open_desk import show_counsel
from bot.screens.screen import (
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    Button,
    Control,
    Menu,
    MenuOption,
    Screen,
    clip,
    make_rows,
    read_number,
)
from bot.screens.since import fetch_since, make_since_screen
from bot.screens.text import format_log
from bot.service import options as lobby_options
from bot.service.servers import Kind
from bot.service.services import Services
from bot.service.table import Look
from engine import TITLES, Picture
from engine.posters import can_make_broadsheet

MAX_GUESTS = 10
HOW_TURNS_WORK = (
    "-# When it's your turn, the bot mentions you once, with the board and buttons.",
    "-# **Act** opens your private desk: it offers only legal moves and plays nothing until you confirm.",
    "-# **Take it back** undoes your move instantly until another player has acted.",
)
LOG_LINES = 15
MAX_LOG_LENGTH = 3500
_WHICH = {"company": "Which company?", "seat": "Which player?", "hex": "Which hex?"}


async def join(answer: Answer, control: Control) -> None:
    """Take a seat."""
    await answer.services.servers.refuse_role(answer.guild, answer.roles)
    table = await answer.services.lobby.join(control.game, answer.person)
    told = "\n".join([f"You have joined “{table.name}”. Players: {join_names(table.names)}.", *HOW_TURNS_WORK])
    await answer.show(await lesson_controls.greet_newcomer(answer.services, answer.user, table.title, table.id, told))


async def leave(answer: Answer, control: Control) -> None:
    """Give up the seat."""
    table = await answer.services.lobby.leave(control.game, answer.user)
    await answer.show(Screen(f"You have left “{table.name}”."))


async def start(answer: Answer, control: Control) -> None:
    """Begin the game."""
    table = await answer.services.lobby.get_table(control.game)
    answer.refuse_missing_permissions(table.home.channel)
    outcome = await answer.services.lobby.start(control.game, answer.user)
    told = " ".join(outcome.sentences)
    await answer.show(await lesson_controls.greet_newcomer(answer.services, answer.user, table.title, table.id, told))


async def invite(answer: Answer, control: Control) -> None:
    """Ask the host whom to invite."""
    menu = Menu("Choose people…", Control(control.game, 0, "guests"), (), most=MAX_GUESTS)
    await answer.show(Screen("**Invite people**\nThey are notified once and can take a seat.", menus=(menu,)))


async def invite_chosen(answer: Answer, control: Control) -> None:
    """Invite those who were chosen."""
    chosen = [person.id for person in answer.people[:MAX_GUESTS]]
    if not chosen:
        raise BotError("Choose at least one person to invite.")
    table = await answer.services.lobby.invite(control.game, answer.user, chosen)
    await answer.show(Screen(f"Invited to “{table.name}”: {' '.join(f'<@{user}>' for user in chosen)}"))


async def show_variants(answer: Answer, control: Control) -> None:
    """Show what the table has agreed on; the host of an open one may choose."""
    await answer.show(_make_variants_screen(await answer.services.lobby.get_table(control.game), answer.user))


async def ask_option(answer: Answer, control: Control) -> None:
    """Ask the host for the value of one variant."""
    name = "".join(answer.values[:1])
    table = await answer.services.lobby.get_table(control.game)
    each = next((each for each in TITLES[table.title].options if each.name == name), None)
    if each is None:
        raise BotError(f"There is no variant “{name[:40]}”.")
    now = each.write_value(table.options.get(each.name, each.default))
    files = await asyncio.to_thread(lobby_options.list_own_files, answer.services.lobby.folder, each)
    buttons = [
        Button(clip(words, 80), Control(table.id, 0, "choose", f"{name}={value}"), "main" if value == now else "plain")
        for value, words in (*each.values, *((file, file) for file in files))
    ]
    back = Button("Back", Control(table.id, 0, "variants"))
    await answer.show(Screen(f"**{each.label}**\n{each.help}", rows=make_rows([*buttons, back])))


async def set_option(answer: Answer, control: Control) -> None:
    """Set a variant as the host chose it."""
    name, _, value = control.arg.partition("=")
    table = await answer.services.lobby.set_options(control.game, answer.user, {name: value})
    await answer.show(_make_variants_screen(table, answer.user))


def _make_variants_screen(table: Table, user: str) -> Screen:
    """Return a line for each variant, and for the host a menu to change them."""
    lines, options = [f"**Variants of “{table.name}”**"], []
    for each in TITLES[table.title].options:
        now = table.options.get(each.name, each.default)
        words = each.describe_value(now)
        lines.append(clip(f"**{each.label}**: {words}\n-# {each.help} `{each.name}={each.write_value(now)}`", 400))
        options.append(MenuOption(clip(each.label, MAX_OPTION_LENGTH), each.name, clip(words, MAX_OPTION_LENGTH)))
    if user != table.host or table.state != "open" or not options:
        return Screen("\n".join(lines))
    control = Control(table.id, 0, "option")
    return Screen("\n".join(lines), menus=(Menu("Change a variant…", control, tuple(options[:MAX_MENU_OPTIONS])),))


async def show_picture(answer: Answer, control: Control) -> None:
    """Show a picture privately: what it is about stands in the control or was chosen in a menu."""
    picture, _, about = control.arg.partition(".")
    about = about or "".join(answer.values[:1])
    seen = await answer.services.table.look(control.game, answer.user, Look(picture, about))
    await answer.show(Screen(f"**{seen.title}**", (seen,)))


async def send_film(answer: Answer, control: Control) -> None:
    """Make the time-lapse of the game so far, a frame a round."""
    here = await answer.services.table.load_position(control.game)
    data = await answer.services.workers.do_once(FILM, Film(here.table.names, here.table.name), here.course)
    await answer.send_file(f"game-{control.game}.webp", data, f"**{here.table.name}**: the board after every round.")


async def send_sheet(answer: Answer, control: Control) -> None:
    """Make the sheet that tells the game so far, as a picture, or to be printed."""
    here = await answer.services.table.load_position(control.game)
    data, name = await make_sheet(answer.services, here, "pdf" if control.arg == "pdf" else "png")
    await answer.send_file(name, data, f"**{here.table.name}**: the game on one sheet.")


async def make_sheet(services: Services, here: Position, form: Literal["png", "pdf"]) -> tuple[bytes, str]:
    """Return the sheet of a game and the name of its file.

    Raises:
        BotError: the title has none.
    """
    data = await services.workers.do_once(SHEET, Keepsake(here.table.names, here.table.name, form), here.course)
    if not data:
        raise BotError(UNKNOWN)
    return data, f"game-{here.table.id}.{form}"


async def show_log(answer: Answer, control: Control) -> None:
    """Show the last entries of the log before one, newest last."""
    here = await answer.services.table.load_position(control.game)
    end = here.version if (entry := read_number(control.arg)) is None else entry
    known = [line for line in await answer.services.table.told.list_lines(here) if line.seq < end and not line.folded]
    shown = known[-LOG_LINES:]
    words = "\n".join(format_log(shown)) or "No moves yet."
    earlier = [Button("Show earlier", Control(control.game, 0, "log", str(shown[0].seq)))] if known != shown else []
    rows = make_rows(earlier)
    await answer.show(Screen(f"**Log of “{here.table.name}”**\n{clip(words, MAX_LOG_LENGTH)}", rows=rows))


async def show_since(answer: Answer, control: Control) -> None:
    """Show what happened since the last turn of whoever presses."""
    here = await answer.services.table.load_position(control.game)
    await answer.show(make_since_screen(await fetch_since(answer.services, here, answer.user)))


async def show_more(answer: Answer, control: Control) -> None:
    """Offer all there is to look at: every picture, of whom or what where it needs a word."""
    here = await answer.services.table.load_position(control.game)
    pictures = here.game.title.views.pictures
    plain = [Button(each.label, Control(control.game, 0, "view", each.name)) for each in pictures if not each.about]
    plain.append(Button("Watch time-lapse", Control(control.game, 0, "film")))
    plain += [Button("Poster", Control(control.game, 0, "sheet"))] * can_make_broadsheet(here.game.title)
    if answer.services.boards.web:
        plain.append(Button("Board", Control(control.game, 0, BOARD)))
    menus = [
        _make_picture_menu(control.game, each, await answer.services.table.list_subjects(control.game, each.about))
        for each in pictures
        if each.about
    ]
    words = (
        "**More views**\n-# /view at shows any past position, /rules search finds a rule, /game export saves the game."
    )
    await answer.show(Screen(words, menus=tuple(menu for menu in menus if menu.options), rows=make_rows(plain)))


def _make_picture_menu(game: int, picture: Picture, subjects: Sequence[tuple[str, str]]) -> Menu:
    """Return the menu of what a picture can be about."""
    options = [Choice(value, words) for value, words in subjects]  # companies have their code in their words
    return Menu(
        f"{picture.label}: {_WHICH[picture.about].lower()}",
        Control(game, 0, "view", picture.name),
        tuple(MenuOption(clip(each.label, MAX_OPTION_LENGTH), each.value) for each in options[:MAX_MENU_OPTIONS]),
    )


Handler = Callable[[Answer, Control], Awaitable[None]]

CONTROLS: Mapping[str, Handler] = MappingProxyType(
    {
        "act": desk_controls.open_desk,
        "at": desk_controls.go_to,
        "pick": desk_controls.pick_value,
        "then": desk_controls.choose_next,
        "ask": desk_controls.open_value_form,
        "say": desk_controls.take_value,
        "do": desk_controls.play_checked,
        "tip": desk_controls.play_tip,
        "undo": desk_controls.undo,
        "basket": desk_controls.add_to_basket,
        "unbasket": desk_controls.empty_basket,
        "plans": desk_controls.show_plans,
        "counsel": show_counsel,
        "doall": desk_controls.play_basket,
        "doin": desk_controls.play_after_basket,
        "restart": desk_controls.restart,
        "again": desk_controls.repeat_last,
        "view": show_picture,
        "log": show_log,
        "since": show_since,
        "film": send_film,
        "sheet": send_sheet,
        BOARD: show_board,
        "more": show_more,
        "shut": desk_controls.close_desk,
        "vote": proposal_controls.vote,
        "snooze": desk_controls.snooze,
        "sitin": proposal_controls.propose_stand_in,
        "deputy": proposal_controls.ask_deputy,
        "deputed": proposal_controls.propose_deputy,
        "give": proposal_controls.give_seats,
        "take": proposal_controls.take_seat,
        "counter": proposal_controls.show_other_terms,
        "counterto": proposal_controls.propose_fewer,
        "counterwho": proposal_controls.propose_other_person,
        "counterform": proposal_controls.open_clock_form,
        "counterclock": proposal_controls.propose_clock,
        "auto": order_controls.show_orders,
        "order": order_controls.show_order,
        "orders": order_controls.set_order,
        "bidform": order_controls.open_limit_form,
        "bidmost": order_controls.take_limit,
        "ifform": order_controls.open_rules_form,
        "ifsaid": order_controls.take_rules,
        "unorder": order_controls.clear_order,
        "join": join,
        "leave": leave,
        "start": start,
        "invite": invite,
        "guests": invite_chosen,
        "variants": show_variants,
        "option": ask_option,
        "choose": set_option,
        "learnlist": lesson_controls.show_courses,
        "learncourse": lesson_controls.show_course,
        "learnopen": lesson_controls.open_lesson,
        "learnat": lesson_controls.go_to,
        "learnpick": lesson_controls.pick_value,
        "learnask": lesson_controls.open_value_form,
        "learnsay": lesson_controls.take_value,
        "learndo": lesson_controls.play_checked,
        "learntip": lesson_controls.play_tip,
        "learnplans": lesson_controls.show_plans,
        "learnhint": lesson_controls.show_hint,
        "learnrule": lesson_controls.show_rule,
        "learnnew": lesson_controls.explain_as_i_play,
        "learntable": lesson_controls.open_practice,
    }
)
UNKNOWN = "This button no longer works. To open your desk, use /act menu."
TOO_SLOW = "The database took too long to answer, so the form couldn't open. Press the button again."
ADMISSION_SECONDS = 1.0
"""How long a form waits for the database; Discord waits three seconds for it."""
_SPENDS: Mapping[str, Kind] = MappingProxyType(
    {
        "view": "pictures",
        "film": "pictures",
        "sheet": "pictures",
        "act": "searches",
        "at": "searches",
        "pick": "searches",
        "then": "searches",
        "say": "searches",
        "log": "searches",
        BOARD: "searches",
        "since": "searches",
        "plans": "searches",
        "counsel": "searches",
        **dict.fromkeys(("learnat", "learnpick", "learnsay", "learndo", "learntip", "learnplans"), "searches"),
        **dict.fromkeys(("learnopen", "learnhint", "learnrule"), "searches"),
    }
)
"""What controls that only look or search are counted as; moves are never limited."""
LESSONS = frozenset(verb for verb in CONTROLS if verb.startswith(PREFIX))
"""Controls of lessons, which belong to no table: its number is 0."""
FORMS = frozenset({"ask", "bidform", "counterform", "ifform", "learnask"})
"""Controls that open a form: it must be the first answer."""
FREE = frozenset({"view", "since", "film", "sheet", BOARD, "variants", *FORMS, *LESSONS})
"""Controls that go on while a server is paused: they only look, or ask what another control takes."""


async def _admit(answer: Answer, control: Control) -> None:
    """Refuse a control of a table elsewhere, and a form that a slow store keeps waiting for too long."""
    try:
        async with asyncio.timeout(ADMISSION_SECONDS if control.verb in FORMS else None):
            await answer.services.lobby.refuse_foreign(control.game, answer.user, answer.guild)
    except TimeoutError:
        raise BotError(TOO_SLOW) from None


async def handle(answer: Answer, control: Control) -> None:
    """Do what a control means, if its table belongs to the server it was pressed in.

    What opens no form is acknowledged first. Nothing is done before it is known where the table belongs, and
    nothing is read but this.

    Raises:
        BotError: there is no such control, no such table here, or too much is asked for; and whatever
            the control raises.
    """
    work = CONTROLS.get(control.verb)
    if work is None:
        raise BotError(UNKNOWN)
    if control.verb not in FORMS:
        await answer.acknowledge()
    if control.game or control.verb not in LESSONS:
        await _admit(answer, control)
    if control.verb not in FREE:
        await answer.services.servers.refuse_paused(answer.guild)
    if control.verb in _SPENDS:
        answer.services.quota.spend(_SPENDS[control.verb], answer.user, answer.guild)
    await work(answer, control)
