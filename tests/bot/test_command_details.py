"""Commands: what is suggested for moves, and what settings answer."""

import pytest
from syrupy.assertion import SnapshotAssertion

from bot.commands import build_tree
from bot.commands.act import format_menu
from bot.commands.command import MAX_INT, Call, Command, CommandParameter, Value, suggest
from bot.commands.typed import read_line
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.records import Choice, Home, NewTable, Position
from bot.service.services import Services
from bot.service.workers.choices import MenuLine
from tests.bot.conftest import ANN, BOB, CID, DAN, Clock
from tests.bot.test_commands import find
from tests.bot.test_orders import open_game
from tests.support.toy import Bid


@pytest.mark.parametrize(("command", "label"), [("game undo", "before move 1: "), ("admin rollback", "before 1: ")])
async def test_positions_to_go_back_to_are_named_by_the_move_after_them(
    services: Services, game: int, command: str, label: str
) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    found = await suggest(find(command), Call(services, ANN, {}, game), "to", "")
    assert [choice.value for choice in found] == ["1", "0"]
    assert found[1].label == f"{label}Ann bids £1 for lot 1."


async def test_moves_to_ask_about_are_labelled_with_their_words(services: Services, game: int) -> None:
    found = await suggest(find("rules why"), Call(services, ANN, {}, game), "move", "bid")
    assert [(choice.value, choice.label) for choice in found][:1] == [("bid amount:1", "£1 to £20")]


async def test_only_settings_that_differ_from_the_defaults_are_repeated(services: Services) -> None:
    async def remind(**values: Value) -> str:
        return (await find("me remind").run(Call(services, ANN, values))).text

    assert "per turn" not in await remind(reminders=True)
    assert "You get up to 2 reminders per turn." in await remind(most=2)
    assert "Quiet time is 22:00 to 7:00" in await remind(quiet_from=22, quiet_to=7)
    with pytest.raises(BotError, match="place must be one of: "):
        await remind(place="the moon")


async def test_vacation_begins_with_its_last_day_and_ends_without_days(services: Services) -> None:
    away = await find("me away").run(Call(services, ANN, {"days": 3}))
    assert away.text.startswith("You're away until ")
    back = await find("me away").run(Call(services, ANN))
    assert back.text.startswith("You're back: ")


@pytest.mark.parametrize("values", [{}, {"stop": True}])
async def test_a_player_without_a_linked_address_is_told_how_to_link_one(
    services: Services, values: dict[str, Value]
) -> None:
    reply = await find("me mail").run(Call(services, ANN, values))
    assert reply.text == "You have no linked address. To link one, use /me mail address:…"


async def test_two_different_players_are_compared(services: Services) -> None:
    compare = find("stats head_to_head")
    call = Call(services, ANN, {"user": ANN, "other": BOB}, home=Home("g", "c"))
    assert (await compare.run(call)).text == "No game with both Ann and Bob has ended here yet."
    with pytest.raises(BotError, match="Choose two different players"):
        await compare.run(Call(services, ANN, {"user": ANN, "other": ANN}, home=Home("g", "c")))


async def test_a_picture_of_a_player_shows_the_own_seat_or_the_first(services: Services, game: int) -> None:
    for person, name in ((CID, "Cid"), (DAN, "Ann")):
        shown = await find("view player").run(Call(services, person, {}, game))
        assert f"'{name}'" in repr(shown.views[0])


async def test_the_first_entry_of_the_log_can_be_seen_after_an_undo(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.back.undo(game, ANN.id)
    shown = await find("view at").run(Call(services, CID, {"undone": 0}, game))
    assert shown.text == "Undone moves, entries 0 to 0:\n   ×  Ann bids £1 for lot 1. (taken back)"


async def test_the_start_of_a_game_is_shown_to_everyone(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.join(table.id, BOB)
    assert (await find("game start").run(Call(services, ANN, {}, table.id))).public


def test_of_a_long_menu_forty_lines_are_listed() -> None:
    lines = [MenuLine(f"/act bid amount:{amount}", f"£{amount}") for amount in range(1, 42)]
    assert len(format_menu(lines)) == 40
    assert format_menu(lines[:1]) == ["/act bid amount:1 — £1"]


def test_the_largest_number_is_the_limit_that_is_named(services: Services) -> None:
    assert Call(services, ANN, {"amount": MAX_INT}).read_int("amount") == MAX_INT
    with pytest.raises(BotError, match="amount is too large"):
        Call(services, ANN, {"amount": MAX_INT + 1}).read_int("amount")


async def test_suggestions_that_begin_with_the_typed_text_come_first(services: Services) -> None:
    async def offer(_: Call, __: str) -> list[Choice]:
        return [Choice(value, value) for value in ("b a", "a b", "c a")]

    command = Command("go", "Go.", (CommandParameter("to", "where", completes=True),), find("me games").run, offer)
    assert [each.value for each in await suggest(command, Call(services, ANN), "to", "a")] == ["a b", "b a", "c a"]


async def test_seats_that_changed_hands_are_listed_by_their_number(services: Services, game: int) -> None:
    await services.seats.resign(game, BOB.id)
    info = await find("game info").run(Call(services, ANN, {}, game))
    assert "Seat 2: Bob → no one" in info.text
    assert "Seat 1:" not in info.text


async def test_unnamed_players_of_a_local_table_are_numbered_from_one(services: Services) -> None:
    values: dict[str, Value] = {"title": "toy", "seats": 2}
    opened = await find("game new").run(Call(services, ANN, values, hot_seat=True))
    assert "Seats: Player 1, Player 2" in opened.text
    values["stand_ins"] = 1
    played = await find("game new").run(Call(services, ANN, values, hot_seat=True))
    assert "Player 1" in played.text
    assert "Player 2" not in played.text


@pytest.mark.parametrize(("once", "span"), [(True, ", this turn only"), (False, "")])
async def test_acting_for_a_seat_is_for_this_turn_only_if_asked(
    services: Services, game: int, clock: Clock, once: bool, span: str
) -> None:
    clock.now += 8 * DAY
    values: dict[str, Value] = {"seat": "Ann", "user": DAN, "once": once}
    asked = await find("game proxy").run(Call(services, BOB, values, game))
    assert asked.text.startswith(f"Bob asks for Dan to act for Ann{span}; Dan and Cid")


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("/view company ECR", {"company": "ECR"}),
        ("/act tile J6", {"hex": "J6"}),
        ("/act tile J6 57 2", {"hex": "J6", "choice": "57 2"}),
    ],
)
def test_words_without_names_are_given_to_the_parameters_in_their_order(line: str, values: dict[str, Value]) -> None:
    assert read_line(build_tree(), line).values == values


def test_every_command_is_listed_with_its_parameters(snapshot: SnapshotAssertion) -> None:
    """Required ones have a star, those that are completed an ellipsis."""
    lines = []
    for group in build_tree():
        lines.append(f"/{group.name}" + " (free)" * group.free + " (managers)" * group.managing)
        for command in group.commands:
            words = [
                f"{each.name}{'*' * each.required}:{each.kind}{'…' * each.completes}" for each in command.parameters
            ]
            lines.append(" ".join([f"  {command.name}", *words]))
    assert "\n".join(lines) == snapshot


async def test_the_log_begins_with_the_newest_moves_or_those_that_are_asked_for(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.view.LOG_LINES", 2)
    for person, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, person.id, Bid(bid))
    for asked, bids in (({}, [2, 3]), ({"from": 0}, [1, 2]), ({"from": 2}, [3])):
        (note,) = (await find("view log").run(Call(services, ANN, asked, game))).views
        assert [f"£{bid}" in line for bid, line in zip(bids, note.lines, strict=True)] == [True] * len(bids)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("form", "ending"), [("print", "pdf"), ("poster", "png")])
async def test_a_game_on_one_sheet_is_a_file_to_print_or_a_picture(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch, form: str, ending: str
) -> None:
    async def make(_: Services, here: Position, kind: str) -> tuple[bytes, str]:
        return here.table.name.encode(), f"sheet.{kind}"

    monkeypatch.setattr("bot.commands.view.make_sheet", make)
    reply = await find("view album").run(Call(services, ANN, {"form": form}, game))
    assert [name for name, _ in reply.files] == [f"sheet.{ending}"]


async def test_an_order_that_moves_at_once_is_answered_like_a_move(services: Services) -> None:
    """With who is next; one that waits says only what it will do."""
    game = await open_game(services, "1860")
    bid = find("auto bid")
    waits = await bid.run(Call(services, BOB, {"on": "any", "up_to": 20}, game))
    assert (waits.outcome, "Next:" in waits.text) == (None, False)
    moves = await bid.run(Call(services, ANN, {"on": "any", "up_to": 10}, game))
    assert moves.outcome is not None
    assert "Next: " in moves.text
