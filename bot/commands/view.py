"""``/view``: a subcommand for every picture of every title, and the log."""

from collections.abc import Sequence

import msgspec

from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.model.errors import BotError
from bot.model.records import Choice, Position
from bot.model.seating import find_viewing_seat
from bot.screens.boards import WAYS, do_with_board, make_board_screen
from bot.screens.controls import make_sheet
from bot.screens.drawing import FILM, Film
from bot.screens.open_desk import fetch_counsel, require_seat
from bot.screens.screen import Screen
from bot.screens.since import NOTHING_NEW, fetch_since
from bot.screens.story import MAX_REPORT_LENGTH, MORE, fetch_report, format_chapters, shorten
from bot.screens.text import format_log, format_outcome
from bot.service.table import Look
from bot.web.album import make_album
from engine import TITLES, Picture
from engine.fuzzy import list_candidates
from engine.view import Note
from engine.words import join_words

LOG_LINES = 25
_ABOUT = {"company": "company", "seat": "player", "hex": "hex"}
_SHARE = CommandParameter("share", "yes: show it to everyone", "bool")
_AT_MOVE = CommandParameter("at", "show the position after this many moves", "int", completes=True)


def build_view() -> Group:
    """Return the group with all pictures of the titles."""
    pictures: dict[str, list[Picture]] = {}
    for title in TITLES.values():
        for picture in title.views.pictures:
            pictures.setdefault(picture.name, []).append(picture)
    log = Command("log", "Show the log of moves.", (_FROM, _BRANCHES, _SHARE, GAME), _log, _complete_moves)
    at = Command("at", "Show any past position.", (_MOVE, _UNDONE, _SHARE, GAME), _at, _complete_moves)
    film = Command("film", "Watch the game so far: the board after every round.", (_SHARE, GAME), _film)
    ask = CommandParameter("ask", "yes: what the stand-in would do, and why, instead of a copy", "bool")
    plan = Command("plan", "Plan your next turn on a copy that only you see.", (ask, GAME), _plan)
    drawn = (
        _build_command(name, group)
        for name, group in pictures.items()
        if name not in ("log", "since", "at", "film", "plan", "board", "album", "report")
    )
    since = Command("since", "Show what happened since your last turn, in a few lines.", (GAME,), _since)
    board = Command("board", "Get the address of the table's live page in a browser.", (_WAY, GAME), _board)
    form = CommandParameter("form", "a page with every move, or a poster; a page if left out", choices=_FORMS)
    album = Command("album", "Get a finished game as one page to keep, or as a poster.", (form, GAME), _album)
    report = Command("report", "Report on a finished game: deals, sales, rust, missed revenue.", (GAME,), _report)
    return Group("view", "Look at the table.", (*drawn, log, since, at, film, plan, board, album, report), free=True)


_BRANCHES = CommandParameter("branches", "yes: show every undone move", "bool")
_WAY = CommandParameter(
    "way",
    "own: a page of your own; renew, end: addresses; off, on: the page for all (host)",
    choices=tuple(Choice(way, way) for way in WAYS),
)
_FORMS = (
    Choice("page", "a page for the browser: every move, the story, charts"),
    Choice("poster", "a poster as a picture"),
    Choice("print", "the poster as a PDF to print on A3"),
)
_FROM = CommandParameter("from", "first entry to show", "int", completes=True)
_MOVE = CommandParameter("move", "number of moves played", "int", completes=True)
_UNDONE = CommandParameter("undone", "show the position after this undone move", "int", completes=True)


def _build_command(name: str, pictures: Sequence[Picture]) -> Command:
    kinds = dict.fromkeys(picture.about for picture in pictures if picture.about)
    about = tuple(CommandParameter(_ABOUT[kind], f"which {_ABOUT[kind]}", completes=True) for kind in kinds)

    async def run(call: Call) -> Reply:
        game = await call.find_game()
        here = await call.services.table.load_position(game)
        picture = next((each for each in here.game.title.views.pictures if each.name == name), None)
        if picture is None:
            known = join_words([each.name for each in here.game.title.views.pictures])
            raise BotError(f"{here.game.title.name} has no picture “{name}”; it has {known}.")
        look = Look(name, await _find_subject(call, here, picture), call.read_int("at"))
        return await _show(call, game, look)

    async def complete(call: Call, parameter: str) -> list[Choice]:
        if parameter == "at":
            return await _complete_moves(call, parameter)
        kind = next(kind for kind, word in _ABOUT.items() if word == parameter)
        found = await call.services.table.list_subjects(await call.find_game(), kind)
        return [Choice(value, words) for value, words in found]

    return Command(
        name, f"Show the {pictures[0].label.lower()}."[:100], (*about, _AT_MOVE, _SHARE, GAME), run, complete
    )


async def _find_subject(call: Call, here: Position, picture: Picture) -> str:
    """Return what a picture is asked about; where it was not wanted, what is nearest."""
    if not picture.about:
        return ""
    wanted = call.read_text(_ABOUT[picture.about])
    if picture.about == "seat":
        seat = find_viewing_seat(here, call.person.id)
        named = [each.number for each in here.table.seats if wanted and each.name.lower().startswith(wanted.lower())]
        if wanted and not named and not wanted.isdecimal():
            names = join_words(here.table.names)
            raise BotError(f"No player at “{here.table.name}” is called “{wanted[:40]}”; there are {names}.")
        return wanted if wanted.isdecimal() else str(named[0]) if named else str(seat or 0)
    known = await call.services.table.list_subjects(here.table.id, picture.about)
    if not wanted and picture.about == "company":
        acting = here.game.ask().company if here.actors else ""
        return acting or next((value for value, _ in known), "")
    several = list_candidates(wanted, known) if wanted else []
    if len(several) > 1:
        raise BotError(f"“{wanted[:40]}” could be {join_words(several, 'or')}; choose one.")
    return several[0] if several else wanted


async def _show(call: Call, game: int, look: Look) -> Reply:
    call.spend("pictures")
    drawn = await call.services.table.look(game, call.person.id, look)
    return Reply(views=(drawn,), game=game, public=bool(call.values.get("share")))


async def _report(call: Call) -> Reply:
    game = await call.find_game()
    here = await call.services.table.load_position(game)
    if here.game.result() is None:
        raise BotError("Only finished games have a report; this one isn't over. /view since shows what you missed.")
    call.spend("searches")
    chapters = await fetch_report(call.services, here, "" if call.hot_seat else call.person.id)
    text, plain = format_chapters(chapters), "\n".join(each.plain for each in chapters)
    if not chapters:
        return Reply("There is nothing to report about this game.", game=game)
    if call.hot_seat or len(text) <= MAX_REPORT_LENGTH:
        return Reply(plain, game=game, screen=None if call.hot_seat else Screen(text))
    head = format_chapters([each for each in shorten(chapters) if each != MORE])
    text = f"{head}\nThe file has the whole report."
    return Reply(text, files=((f"report-{game}.txt", plain.encode()),), game=game)


async def _album(call: Call) -> Reply:
    game, form = await call.find_game(), call.read_text("form", "page")
    call.spend("pictures")
    if form in ("poster", "print"):
        here = await call.services.table.load_position(game)
        data, name = await make_sheet(call.services, here, "pdf" if form == "print" else "png")
        return Reply(f"{here.table.name}: the game on one sheet.", files=((name, data),), game=game)
    data = await make_album(call.services, game)
    return Reply("Save this page and open it in a browser.", files=((f"game-{game}.html", data),), game=game)


async def _film(call: Call) -> Reply:
    call.spend("pictures")
    game = await call.find_game()
    here = await call.services.table.load_position(game)
    data = await call.services.workers.do_once(FILM, Film(here.table.names, here.table.name), here.course)
    words = f"{here.table.name}: the board after every round."
    files = ((f"game-{game}.webp", data),)
    return Reply(words, files=files, game=game, public=bool(call.values.get("share")))


async def _at(call: Call) -> Reply:
    """Show the first picture of every turn as it was after a move."""
    game = await call.find_game()
    here = await call.services.table.load_position(game)
    picture = next(
        (each for each in here.game.title.views.pictures if each.every_turn), here.game.title.views.pictures[0]
    )
    undone, move = call.read_int("undone"), call.read_int("move")
    if undone is None and move is None:
        raise BotError("Choose a position: the number of moves played with move:, or an undone move with undone:.")
    if undone is None:
        return await _show(call, game, Look(picture.name, at=move))
    branch = await _list_branch(call, game, undone)
    shown = await _show(call, game, Look(picture.name, entry=undone))
    return msgspec.structs.replace(shown, text="\n".join(branch))


async def _list_branch(call: Call, game: int, undone: int) -> list[str]:
    """Return the moves of a branch up to one that was taken back, a line each.

    Raises:
        BotError: that entry of the log is none.
    """
    lines = await call.services.table.read_log(game)
    if not 0 <= undone < len(lines) or not lines[undone].taken_back:
        raise BotError(f"Entry {str(undone)[:20]} of the log isn't an undone move; type undone: to see them all.")
    first = undone
    while first and lines[first - 1].taken_back:
        first -= 1
    told = format_log(lines[first : undone + 1][-LOG_LINES:], branches=True)
    return [f"Undone moves, entries {first} to {undone}:", *told]


async def _plan(call: Call) -> Reply:
    call.spend("searches")
    game = await call.find_game()
    if call.values.get("ask") is True:
        here, seat = await require_seat(call.services, call.person.id, game)
        lines, _ = await fetch_counsel(call.services, here, seat)
        return Reply("\n".join(lines), game=game)
    outcome = await call.services.transfer.plan(game, call.person, call.delivery.interaction)
    return Reply(format_outcome(outcome), game=outcome.table.id, outcome=outcome)


async def _board(call: Call) -> Reply:
    game, way = await call.find_game(), call.read_text("way")
    call.spend("searches")
    words = await do_with_board(call.services, game, call.person.id, way)
    here = await call.services.table.load_position(game)
    screen = None if call.hot_seat else make_board_screen(words, here, call.person.id, way)
    return Reply(words.plain, game=game, screen=screen)


async def _since(call: Call) -> Reply:
    game = await call.find_game()
    call.spend("searches")
    here = await call.services.table.load_position(game)
    since = await fetch_since(call.services, here, call.person.id)
    return Reply("\n".join(since.lines if since.happened else (NOTHING_NEW, *since.lines)), game=game)


async def _log(call: Call) -> Reply:
    game = await call.find_game()
    here = await call.services.table.load_position(game)
    call.spend("searches")
    since = call.read_int("from")
    branches = call.values.get("branches") is True
    known = [line for line in await call.services.table.read_log(game, since or 0) if not line.folded]
    lines = format_log(known[-LOG_LINES:] if since is None else known[:LOG_LINES], branches=branches)
    note = Note(f"Log of “{here.table.name}”", "The log.", tuple(lines) or ("No moves yet.",))
    return Reply(views=(note,), game=game, public=bool(call.values.get("share")))


async def _complete_moves(call: Call, parameter: str) -> list[Choice]:
    """Suggest moves to look back to, newest first; for the log, entries to begin with."""
    lines = [line for line in await call.services.table.read_log(await call.find_game()) if not line.folded]
    if parameter == "from":
        return [Choice(str(line.seq), " ".join(line.sentences)) for line in reversed(lines)]
    if parameter == "undone":
        return [
            Choice(str(line.seq), f"×{line.seq}: {' '.join(line.sentences)}")
            for line in reversed(lines)
            if line.taken_back
        ]
    found = [Choice(str(line.move), f"{line.move}: {' '.join(line.sentences)}") for line in lines if line.move]
    return [*reversed(found), Choice("0", "0: the beginning")]
