"""The local table: a whole evening through a pipe, and completion by Tab."""

import io
import shutil
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from bot import terminal
from bot.commands import typed
from bot.model.errors import BotError
from bot.model.records import Position
from bot.operations.settings import Settings
from bot.screens.report import Chapter
from bot.service.services import Services
from bot.terminal import LocalTable, TabCompleter, run
from engine import TITLES, Tip
from engine.view import View
from tests.support.changed_title import change
from tests.support.settings import BareSettings
from tests.support.toy import Bid, toy


@pytest.fixture
def settings(tmp_path: Path, fresh_store: Path) -> Settings:
    shutil.copy(fresh_store, tmp_path / "store.sqlite")
    return BareSettings(database=str(tmp_path / "store.sqlite"), pictures=tmp_path / "pictures")


async def evening(settings: Settings, *lines: str) -> str:
    out = io.StringIO()
    await run(settings.database, settings.pictures, io.StringIO("\n".join(lines) + "\n"), out)
    return out.getvalue()


NEW = '/game new title:toy seats:3 players:"Ann, Bob, Cid"'


async def test_a_newcomer_gets_five_lines_of_help(settings: Settings) -> None:
    said = (await evening(settings)).splitlines()
    assert len(said) == 5
    assert "/game new title:" in said[1]
    assert said[4] == f"Pictures are saved in {settings.pictures}"


async def test_help_is_by_topic_with_the_first_ten_commands(settings: Settings) -> None:
    """All commands at once were 139 lines; the moves of other titles are left out."""

    async def ask(words: str) -> list[str]:
        said = await evening(settings, NEW, f"/help {words}", "/quit")
        return said.partition(f"> /help {words}".rstrip())[2].splitlines()[1:]

    begin, topic, command, wrong = [await ask(words) for words in ("", "act", "game undo", "bridge")]
    assert len(begin) < 30
    assert "  /act menu    List your legal moves." in begin
    assert "  /help view   Look at the table." in begin
    assert [line.split()[0] for line in topic[1:-1]] == ["menu", "bid", "pass", "answer", "offer"]
    assert command[0] == "/game undo — Undo moves; other players must agree to undo theirs."
    assert command[1].startswith("  to:")
    assert wrong[0].startswith("There is no /bridge")


async def test_a_game_is_played_to_its_end_by_typing(settings: Settings) -> None:
    said = await evening(settings, NEW, "/act bid amount:3", *["/act pass"] * 5, "/quit", "/act pass")
    assert "Next: Ann to bid or pass — Auction of lot 1.\nHighest bid £0 · Cash £20" in said
    assert "> /act bid amount:3\nAnn bids £3 for lot 1.\nNext: Bob" in said
    assert "The game is over: all lots sold.\n1. Ann: 24\n2. Bob: 20\n3. Cid: 20\nThe seed was " in said
    assert said.count("> /act pass") == 5, "nothing is read after /quit"
    names = sorted(path.name for path in settings.pictures.iterdir())
    assert names[:3] == ["game-1-0000-map.png", "game-1-0000-table.png", "game-1-0001-map.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in settings.pictures.iterdir())
    assert f"→ {settings.pictures / 'game-1-0006-table.png'}" in said


async def test_closing_a_plan_leads_back_to_the_table_it_was_made_from(settings: Settings) -> None:
    said = await evening(settings, NEW, "/view plan", "/act bid amount:5", "/game close", "/act bid amount:3")
    assert "Ann bids £3 for lot 1." in said
    assert said.rindex("#1 ") > said.index("/game close"), "it says where one is again"


async def test_the_story_follows_the_end_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it tells is shown elsewhere: here, that it stands under the final picture, and is told once."""

    async def story(services: Services, here: Position) -> list[Chapter]:
        assert services.database
        return [Chapter("Turning points", f"{here.table.names[0]} led.")]

    monkeypatch.setattr(terminal, "fetch_story", story)
    said = await evening(settings, NEW, "/view report", "/act bid amount:3", *["/act pass"] * 5, "/view table")
    assert "> /view report\nOnly finished games have a report; this one isn't over." in said
    assert said.count("Turning points: Ann led.") == 1
    assert said.index("The game is over") < said.index("Turning points") < said.rindex("/view table")


async def test_the_next_evening_continues_where_the_last_one_ended(settings: Settings) -> None:
    await evening(settings, NEW, "/act bid amount:3")
    said = await evening(settings, "/act pass", "/view log")
    assert "#1 The Toy" in said
    assert "Auction of lot 1: Bob to bid or pass" in said
    assert "   1  Ann bids £3 for lot 1.\n   2  Bob passes." in said


async def test_undo_at_one_keyboard_needs_no_vote(settings: Settings) -> None:
    said = await evening(settings, NEW, "/act bid amount:3", "/act pass", "/game undo", "/game undo to:0", "/game redo")
    assert "Bob takes back a move." in said
    assert "Bob takes back a move.\nNext: Ann" in said
    assert "restores a move." in said


async def test_views_are_printed_as_text_and_drawn(settings: Settings) -> None:
    said = await evening(settings, NEW, "/view table", "/view player player:bob", "/view table at:0", "/act menu")
    assert "Cash\nPlayer  Cash\nAnn     £20\nBob     £20" in said
    assert "Bob\n£20\ncard hidden" in said
    assert "/act bid amount:1 — £1 to £20\n" in said


async def test_the_menu_explains_the_word_best(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """And how far it is proven; "best" then plays it."""
    found = Tip(Bid(3), "Best found 3 (at most 5)", Bid(20), proven=False)
    free = change(toy(), open_verbs=frozenset({"bid"}), tips=lambda s, seat: (found,))
    monkeypatch.setitem(TITLES, "toy", free)
    said = await evening(settings, NEW, "/act menu", "/act bid amount:20")
    assert "/act bid amount:20 — Best found 3 (at most 5)\n" in said
    assert "Ann bids £3 for lot 1." in said


async def test_a_move_needs_no_names_of_parameters_where_it_is_plain_without(settings: Settings) -> None:
    said = await evening(settings, NEW, "/act bid £3", "/rules why bid 2", "/act bid 4", "/act pass")
    assert "A bid must be more than £3; you said £2." in said
    assert "Ann bids £3 for lot 1." in said
    assert "Bob bids £4 for lot 1." in said


NONSENSE = [
    ("/dance", "There is no /dance; there are /game, /act, /view, /rules, /learn, /auto, /me, /stats,"),
    ("hello", "There is no /hello"),
    ("/act", "/act needs one more word: menu, "),
    ("/act fly", "/act has no “fly”"),
    ("/act bid", "How much do you bid? Add the amount. For example: /act bid amount:1"),
    ("/act bid x 20", "For example: /act bid amount:1"),
    ("/game redo twice", "“twice” has no name before it: write name:value, such as game:7."),
    ("/act pas", "/act has no “pas”. Did you mean /act pass?"),
    ("/act dropping out", "/act has no “dropping”; it has: menu, "),
    ("/act base city:Newport", "/act has no “base”. Did you mean /act token?"),
    ("/actt pass", "There is no /actt. Did you mean /act?"),
    ("pass", "There is no /pass. Did you mean /act pass or /auto pass?"),
    ("/act bid amount:20 colour:red", "has no option “colour”; its options: "),
    ("/act bid amount:many", "amount must be a whole number, not “many”. For example: /act bid amount:1"),
    ("/act bid amount:" + "9" * 5000, "That's too long; the limit is 4,000 characters."),
    ("/act bid amount:" + "9" * 50, "amount is too large; use at most 18 digits."),
    ("/act bid amount:-5", "A bid must be more than £0; you said £-5."),
    ('/act bid amount:"5', "A quotation mark is missing."),
    ("/view table share:perhaps", "share must be yes or no"),
    ("/game import file:/nowhere/at/all", "The file “/nowhere/at/all” can't be read: No such file or directory."),
    ("/game import file:\x00", "can't be read"),
    ("/use 99", "There is no table 99 here."),
    ("/use me", "Add the table's number, as in /use 7."),
    ("/" + "ß" * 200_000, "That line is too long; the limit is 100,000 characters."),
    ("/game new title:toy seats:999999999", "The Toy is for 2 to 4 players"),
    ("/game new title:toy seats:-3", "The Toy is for 2 to 4 players"),
    ('/game new title:toy seats:2 players:"A, B, C"', "There are 2 seats, but 3 names: A, B and C."),
    ('/game new title:toy seats:3 players:"Ann, Bob"', "There are 3 seats, but 2 names: Ann and Bob."),
    ('/game new title:toy players:"Ann, ann, Bob"', "Two players are called Ann; give each player a different name."),
    ("/game new title:🦄", "There is no game “🦄”; the games are 1860, 1862, Steel Driver and The Toy."),
    ('/game new title:"STEEL driver" seats:9', "Steel Driver is for 3 to 6 players, not 9."),
]


async def test_a_line_that_makes_no_sense_is_answered_kindly(settings: Settings) -> None:
    """One after the other, in one evening; the table goes on."""
    said = await evening(settings, NEW, *(line for line, _ in NONSENSE), "/game info")
    at = 0
    for line, sentence in NONSENSE:
        at = said.find(sentence, at)
        assert at >= 0, (line[:80], sentence)
    assert "Traceback" not in said
    assert "Something went wrong" not in said
    assert "Auction of lot 1: Ann to bid or pass" in said[at:]


async def test_a_defect_of_ours_gets_a_number_and_the_evening_continues(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("bot.service.table.GameTable.list_menu", broken)
    said = await evening(settings, NEW, "/rules now", "/act bid amount:3")
    assert "Something went wrong on our side. No move is half done: the table shows the current state. Ref " in said
    assert "Ann bids £3" in said


@pytest.fixture
async def table(services: Services, tmp_path: Path) -> LocalTable:
    table = LocalTable(services, tmp_path / "pictures", lambda line: None)
    assert await table.answer(NEW)
    return table


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("/g", ["/game "]),
        ("/game ex", ["export "]),
        ("/game new ti", ["title:"]),
        ("/game new title:to", ["toy "]),
        ("/game new title:toy options:", ["length=short ", "length=long "]),
        ("/act b", ["bid ", "build ", "base "]),
        ("/act bid amount:2", ["2 ", "20 ", "12 "]),
        ("/act bid amount:2 am", []),
        ("/nothing x", []),
        ("/act nothing x", []),
        ("/act bid nothing:x", []),
        ('/game start order:"', ['"as joined" ', '"host sets" ', "random "]),
        ("/view player player:", ["0 ", "1 ", "2 "]),
        (
            "",
            [
                "/game ",
                "/act ",
                "/view ",
                "/rules ",
                "/league ",
                "/learn ",
                "/auto ",
                "/me ",
                "/stats ",
                "/admin ",
                "/help ",
                "/use ",
                "/quit ",
            ],
        ),
    ],
)
async def test_tab_completes_from_the_same_source_as_discord(table: LocalTable, line: str, texts: list[str]) -> None:
    found = [each.text async for each in TabCompleter(table).get_completions_async(Document(line), CompleteEvent())]
    if line == "/act b":
        assert "bid " in found
        assert set(found) <= {"bid ", "build ", "base ", "buy "}
    else:
        assert sorted(found) == sorted(texts)


async def test_tab_completions_can_be_typed(table: LocalTable) -> None:
    """Every completed value of every verb reads back as a legal move."""
    for line in ("/act bid amount:3", "/act pass", "/act pass"):
        await table.answer(line)
    lots = await typed.complete(table.groups, table.make_call(), "/act offer lot:")
    assert [each.text for each in lots] == ['"1 1" ', '"1 2" ']
    prices = await typed.complete(table.groups, table.make_call(), '/act offer lot:"1 2" price:')
    assert [each.text for each in prices] == ["1 ", "5 "]
    order = typed.read_line(table.groups, '/act offer lot:"1 2" price:5 ')
    reply = await order.command.run(table.make_call(order.values))
    assert reply.text.startswith("Ann offers lot 1 for £5.\nNext: Cid")


def test_reading_is_strict_about_names() -> None:
    with pytest.raises(BotError, match="There is no /"):
        typed.read_line((), "/anything at:all")


async def test_an_export_never_overwrites_another(settings: Settings) -> None:
    said = await evening(settings, NEW, "/game export", "/game export")
    names = [line.rpartition("/")[2] for line in said.splitlines() if line.endswith(".json")]
    assert len(set(names)) == 2


async def test_the_prompt_says_whose_turn_it_is(table: LocalTable) -> None:
    assert await table.make_prompt() == "#1 Ann> "
    await table.answer("/act bid amount:1")
    assert await table.make_prompt() == "#1 Bob> "


async def test_available_choices_are_drawn_and_named(settings: Settings) -> None:
    """The home tile of C&N: numbered hexes or lettered panels are written to a file, and told with their words."""
    new = '/game new title:1862 seats:2 players:"Ann, Bob" seed:3'
    said = await evening(settings, new, "/act menu", '/act bid company:"lynn & hunstanton railway" amount:£10')
    assert "/act bid company:L&H amount:0 — L&H · Lynn & Hunstanton Railway, home King's Lynn" in said
    assert "Ann bids £10 for L&H." in said


@pytest.mark.parametrize("name", ["map", "table"])
async def test_a_failing_picture_delays_no_other(table: LocalTable, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    draw = table.draw

    async def draw_poisoned(view: View, palette: str) -> bytes:
        if name == "table" and view.title == "Table":
            raise ZeroDivisionError
        return await draw(view, palette)

    monkeypatch.setattr(table, "draw", draw_poisoned)
    said: list[str] = []
    table.say = said.append
    await table.answer(NEW)
    await table.answer("/act bid amount:1")
    assert any("Ann bids £1" in line for line in said)
    assert any("couldn't be drawn; the move stands" in line for line in said) == (name == "table")
    assert not any("nothing was changed" in line for line in said)
