"""The command tree: fit for Discord, made from the titles, each command defined once."""

import re
from collections.abc import Iterator

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, Command, CommandParameter, Group, Value, suggest
from bot.commands.typed import read_line
from bot.discord.slash import split_by_title
from bot.model.errors import BotError
from bot.model.records import Choice, Home, NewTable, Person
from bot.service.services import Services
from bot.service.table import Delivery
from engine import TITLES
from engine.words import list_parameters
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.support.sure import sure
from tests.support.toy import Bid

NAME = re.compile(r"[-_a-z0-9]{1,32}")


def commands() -> Iterator[tuple[Group, Command]]:
    for group in build_tree():
        for command in group.commands:
            yield group, command


def test_groups_and_subcommands_keep_discords_limits() -> None:
    for group in build_tree():
        assert NAME.fullmatch(group.name)
        assert 1 <= len(group.help) <= 100
        common, own = split_by_title(group.commands)
        assert len(common) + len(own) <= 25
        assert all(1 <= len(commands) <= 25 for commands in own.values())
        names = [command.name for command in group.commands]
        assert len(set(names)) == len(names)
        assert weight(group) <= 8000


def weight(group: Group) -> int:
    """Return the characters Discord counts in a command: names, descriptions and values."""
    total = len(group.name) + len(group.help)
    for command in group.commands:
        total += len(command.name) + len(command.help)
        for each in command.parameters:
            total += len(each.name) + len(each.help) + sum(len(c.value) + len(c.label) for c in each.choices)
    return total


def test_every_command_and_parameter_keeps_discords_limits() -> None:
    for group, command in commands():
        where = f"/{group.name} {command.name}"
        assert NAME.fullmatch(command.name), where
        assert 1 <= len(command.help) <= 100, where
        assert len(command.parameters) <= 25, where
        required = [each.required for each in command.parameters]
        assert required == sorted(required, reverse=True), f"{where}: required before optional"
        assert len({each.name for each in command.parameters}) == len(required), where
        for each in command.parameters:
            assert_fit(each, where)


def assert_fit(each: CommandParameter, where: str) -> None:
    assert NAME.fullmatch(each.name), where
    assert 1 <= len(each.help) <= 100, f"{where} {each.name}"
    assert len(each.choices) <= 25, where
    assert not (each.choices and each.completes), f"{where} {each.name}: choices or autocomplete, not both"
    assert all(1 <= len(choice.label) <= 100 and len(choice.value) <= 100 for choice in each.choices), where


def test_every_action_of_every_title_has_its_command_with_all_its_parameters() -> None:
    act = next(group for group in build_tree() if group.name == "act")
    for title in TITLES.values():
        for kind in title.actions:
            if kind.verb:
                command = act.find(kind.verb)
                assert command is not None
                assert {each.name for each in list_parameters(kind)} <= {each.name for each in command.parameters}


def test_every_picture_of_every_title_has_its_command() -> None:
    view = next(group for group in build_tree() if group.name == "view")
    for title in TITLES.values():
        assert all(view.find(picture.name) for picture in title.views.pictures)


def find(name: str) -> Command:
    group_name, command_name = name.split()
    group = next(group for group in build_tree() if group.name == group_name)
    command = group.find(command_name)
    assert command is not None
    return command


async def test_an_action_goes_through_its_command_once(services: Services, game: int) -> None:
    call = Call(services, ANN, {"amount": 3}, game, delivery=Delivery("i1"))
    reply = await find("act bid").run(call)
    assert reply.text.startswith("Ann bids £3 for lot 1.\nNext: Bob to bid or pass — Auction of lot 1.")
    assert (await find("act bid").run(call)).text == reply.text, "a second delivery is answered as the first"


async def test_a_list_longer_than_its_window_says_its_range_and_the_rest(services: Services) -> None:
    """Amounts: the least, some between, the most; of all else the first, best first, and how many more there are."""
    amounts = [Choice(str(each), f"£{each}") for each in range(25, 640, 5)]
    places = [Choice(f"p{each}", f"Place {each}") for each in range(40)]

    async def offers(_: Call, parameter: str) -> list[Choice]:
        return amounts if parameter == "amount" else places

    fields = tuple(CommandParameter(name, name, completes=True) for name in ("amount", "place"))
    command = Command("bid", "Bid.", fields, find("me games").run, offers)
    call = Call(services, ANN)
    shown = await suggest(command, call, "amount", "")
    assert len(shown) == 25
    assert [each.label for each in shown[:3]] == ["£25", "£30", "£35"]
    assert (shown[-1].value, shown[-1].label) == ("635", "£635 · the maximum; any amount from £25")
    assert [each.value for each in await suggest(command, call, "amount", "63")] == ["630", "635"]
    shown = await suggest(command, call, "place", "")
    assert shown[-1].label == "Place 24 · 15 more: type to find them"


async def test_rules_now_shows_the_duty_and_what_is_written_about_it(services: Services) -> None:
    """``/act menu`` lists the choices; this explains them."""
    table = await services.lobby.create(ANN, NewTable("steel_driver", 3, seed=3), Home("g", "c"))
    for guest in (BOB, CID):
        await services.lobby.join(table.id, guest)
    await services.lobby.start(table.id, ANN.id, "as joined")
    said = (await find("rules now").run(Call(services, ANN, {}, table.id))).text
    assert "Ann to put up a company, or pass the marker." in said
    assert "You can use /act bid or /act pass; /act menu lists every choice." in said
    assert "\nPhase 2: Auction Control Markers, Opening an auction: The holder" in said
    others = (await find("rules now").run(Call(services, BOB, {}, table.id))).text
    assert "You may say" not in others
    assert "The end of the auctions: " in others


async def test_the_game_may_be_named_or_is_the_one_of_the_thread(services: Services, game: int) -> None:
    reply = await find("rules now").run(Call(services, ANN, {"game": game}))
    assert "Auction of lot 1: Ann to bid or pass" in reply.text
    with pytest.raises(BotError, match="Which table"):
        await find("rules now").run(Call(services, ANN))


async def test_a_whole_lobby_by_commands(services: Services) -> None:
    new: dict[str, Value] = {"title": "toy", "seats": 2, "privacy": "invite", "options": "length=long", "seed": 4}
    opened = await find("game new").run(Call(services, ANN, new, home=Home("g", "c")))
    assert opened.game is not None
    assert "Length: 4 lots" in opened.text
    here = opened.game
    await find("game invite").run(Call(services, ANN, {"user1": BOB, "user2": CID}, here))
    await find("game join").run(Call(services, BOB, {}, here))
    begun = await find("game start").run(Call(services, ANN, {"seating": "bob, ann"}, here))
    assert "begins. Seating order: Bob, Ann." in begun.text
    listed = await find("game list").run(Call(services, BOB))
    assert f"#{here} The Toy" in listed.text
    info = await find("game info").run(Call(services, EVE, {}, here, Home("g")))
    assert "Bob to bid or pass" in info.text
    exported = await find("game export").run(Call(services, ANN, {}, here))
    file: dict[str, Value] = {"file": exported.files[0][1], "seed": 4, "name": "Copy"}
    brought = await find("game import").run(Call(services, EVE, file))
    assert "“Copy”" in brought.text


async def test_undo_vote_and_redo_by_commands(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    asked = await find("game undo").run(Call(services, ANN, {"to": 0}, game))
    assert asked.text.startswith("Ann asks to take back 2 moves; Bob must agree within a day.")
    with pytest.raises(BotError, match="Answer yes or no"):
        await find("game vote").run(Call(services, BOB, {"answer": "perhaps"}, game))
    done = await find("game vote").run(Call(services, BOB, {"answer": "yes"}, game))
    assert done.text.startswith("Ann takes back 2 moves, as everyone agreed.")
    back = await find("game redo").run(Call(services, ANN, {}, game))
    assert back.text.startswith("Ann restores 2 moves.")


async def test_suggestions_are_few_short_and_filtered_by_the_typed_text(services: Services, game: int) -> None:
    async def values(name: str, parameter: str, partial: str, **given: str | int) -> list[str]:
        call = Call(services, ANN, given, game)
        return [choice.value for choice in await suggest(find(name), call, parameter, partial)]

    assert await values("act bid", "amount", "1") == ["1", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"]
    assert await values("act bid", "amount", "x" * 100_000) == []
    assert await values("act bid", "colour", "") == []
    assert await values("act bid", "game", "toy") == [str(game)]
    assert await values("game new", "options", "", title="toy") == ["length=short", "length=long"]
    assert await values("game new", "options", "", title="💥") == []
    assert await values("game new", "title", "to") == ["toy"]
    assert await values("view player", "player", "b") == ["1"]
    assert await values("view at", "move", "") == ["0"]
    assert await values("view at", "undone", "") == []
    assert await values("act bid", "amount", "", game=10**9) == []


async def test_at_most_25_are_offered_whose_words_fit(services: Services) -> None:
    for number in range(30):
        await services.lobby.create(Person("1", "Ann"), NewTable("toy", 2, name=f"{number} " + "n" * 200))
    found = await suggest(find("game info"), Call(services, ANN), "game", "")
    assert len(found) == 25
    assert max(len(choice.label) for choice in found) <= 100


async def test_the_rules_can_be_searched_and_asked(services: Services, game: int) -> None:
    assert (
        "§1, Bidding: A bid is higher"
        in (await find("rules search").run(Call(services, ANN, {"words": "bid"}, game))).text
    )
    assert "§2, Offers: " in (await find("rules search").run(Call(services, ANN, {"words": "2", "title": "toy"}))).text
    train = (await find("rules search").run(Call(services, ANN, {"words": "§7.11", "title": "1862"}))).text
    assert train.startswith("§7.11, A train is compulsory: ")
    assert "\n§7.11.2, Refinancing: " in train
    turn = (await find("rules search").run(Call(services, ANN, {"words": "7.1", "title": "1862"}))).text
    assert [line.partition(",")[0] for line in turn.splitlines()] == ["§7.1"] * 3
    headed = (await find("rules search").run(Call(services, ANN, {"words": "buying trains", "title": "1860"}))).text
    assert "Buying Trains, The only train: " in headed
    with pytest.raises(BotError, match="have nothing on “zeppelin”"):
        await find("rules search").run(Call(services, ANN, {"words": "zeppelin"}, game))
    for move, answer in (
        ("bid amount:0", "A bid must be more than £0; you said £0. (Toy, bidding)"),
        ("/act bid amount:2", "This move is legal: Ann bids £2 for lot 1."),
        ("bid", "How much do you bid? Add the amount. For example: /act bid amount:1"),
        ('bid amount:"2', "A quotation mark is missing."),
    ):
        assert (await find("rules why").run(Call(services, ANN, {"move": move}, game))).text == answer


async def test_a_past_position_and_the_log_by_commands(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.back.undo(game, ANN.id)
    log = (await find("view log").run(Call(services, BOB, {"share": True}, game))).views[0]
    assert log.lines == ("   ×  Ann bids £1 for lot 1. (taken back)", "   ·  Ann takes back a move.")  # type: ignore[attr-defined]
    assert (await find("view at").run(Call(services, BOB, {"move": 0}, game))).views[0].title == "Lots"
    assert (await find("view table").run(Call(services, BOB, {}, game))).views[0].title == "Table"


async def test_a_branch_that_was_taken_back_is_read_and_seen(services: Services, game: int) -> None:
    """The position after any of its moves is shown as it was, with the moves that led there; others are told apart."""
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(4))
    await services.back.undo(game, BOB.id)
    at = find("view at")
    shown = await at.run(Call(services, CID, {"undone": 1}, game))
    assert shown.text == "Undone moves, entries 1 to 1:\n   ×  Bob bids £4 for lot 1. (taken back)"
    assert sure(shown.views[0].banner).who == "Cid", "it was his turn then; it is Bob's now"
    for wrong in (0, 2, 99, -1):
        with pytest.raises(BotError, match="isn't an undone move"):
            await at.run(Call(services, CID, {"undone": wrong}, game))
    with pytest.raises(BotError, match="Choose a position"):
        await at.run(Call(services, CID, {}, game))


@pytest.mark.parametrize(("having", "hint"), [(1, "/test c0"), (3, "/test c0, /test c1 or /test c2"), (4, "")])
def test_commands_whose_help_has_the_word_are_named_while_they_are_few(having: int, hint: str) -> None:
    """A word that is no command: up to three that speak of it may be meant, more are no help."""
    blow = find("game info").run
    named = tuple(Command(f"c{number}", "Blow the whistle.", (), blow) for number in range(having))
    groups = (Group("test", "Some.", (*named, Command("other", "Wave.", (), blow))),)
    with pytest.raises(BotError) as refusal:
        read_line(groups, "/test whistle")
    offered = f". Did you mean {hint}?" if hint else "; it has: c0, c1, c2, c3, other."
    assert str(refusal.value) == f"/test has no “whistle”{offered}"


def test_a_typed_number_has_at_most_18_digits() -> None:
    """More than any rule or store can take; what is less is the rules' to refuse."""
    assert read_line(build_tree(), "/act bid amount:" + "9" * 18).values == {"amount": 10**18 - 1}
    with pytest.raises(BotError, match=r"^amount is too large; use at most 18 digits"):
        read_line(build_tree(), "/act bid amount:" + "9" * 19)


async def test_the_menu_of_another_players_turn_says_whose_turn_it_is(services: Services, game: int) -> None:
    """Who may do nothing there reads why: it is another's turn, they have no seat, or the game is closed."""
    menu = find("act menu").run
    with pytest.raises(BotError, match="It's not your turn: Ann must"):
        await menu(Call(services, BOB, {}, game))
    with pytest.raises(BotError, match="You have no seat"):
        await menu(Call(services, EVE, {}, game))


async def test_a_number_that_is_too_large_is_not_called_a_fraction(services: Services, game: int) -> None:
    undo = find("game undo").run
    with pytest.raises(BotError, match=r"^to is too large; the limit is 9,007,199,254,740,991\.$"):
        await undo(Call(services, ANN, {"to": 1 << 60}, game))


async def test_no_one_is_invited_by_mail_to_the_local_table(services: Services, game: int) -> None:
    """The local table may run beside a mailbox: that isn't what is missing."""
    invite = find("game invite").run
    call = Call(services, ANN, {"mail": "bob@home.example"}, game, hot_seat=True)
    with pytest.raises(BotError, match="stationmaster mail new"):
        await invite(call)


@pytest.mark.parametrize("line", ["bid amount:2", "/act bid amount:2", "move:bid amount:2", "move:/act bid amount:2"])
def test_a_move_to_ask_about_needs_no_option_name(line: str) -> None:
    """The values of the move are not taken for options of the command."""
    assert read_line(build_tree(), f"/rules why {line}").values["move"] == line.removeprefix("move:")
