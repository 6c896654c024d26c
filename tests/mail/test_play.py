"""A table is played by answering mails: every reply is answered once, and what it orders is played once."""

import pytest

from bot.commands import build_tree
from bot.mail.commands import only_tells, read_command
from bot.mail.front import Settler
from bot.model.clock import HOUR
from bot.model.errors import BotError
from bot.model.records import NewTable, Person
from bot.screens.report import Chapter
from bot.service.hosting import Guest
from bot.service.sending import Sending
from bot.service.table import Typed
from engine.title import Result, Score
from tests.bot.conftest import Clock
from tests.mail.conftest import PROVEN, Begun, settle, version
from tests.mail.letters import text_part


async def test_a_choice_is_played_and_answered_and_the_next_player_is_asked(begun: Begun) -> None:
    mails, game, first, second = begun
    asked = text_part(mails.last(first))
    assert "A  Bid £5" in asked, "an amount is asked: the marks are letters, so that a number is none"
    assert "Or in words: bid 5" in asked
    assert "✓ P" in await mails.answer(first, "B")
    assert await version(mails, game) == 1
    assert "bids £10" in text_part(mails.last(second)), "what happened since"
    assert "✓" in await mails.answer(second, "bid 20")
    assert "✓" in await mails.answer(first, "Bid £30 please")
    assert await version(mails, game) == 3


async def test_several_orders_are_played_in_order_until_another_player_must_act(begun: Begun) -> None:
    """Done, refused with the reason, not done: the answer tells each."""
    mails, game, first, second = begun
    told = await mails.answer(first, "bid 10, start IOW 100, map\n\nsorry for the delay")
    assert "✓ P" in told
    assert "✗ start IOW 100:" in told
    assert "Not done: map" in told
    assert "Ignored: “sorry for the delay”" in told
    assert await version(mails, game) == 1
    told = await mails.answer(second, "bid 3")
    assert "✗ bid 3:" in told
    assert "1  Bid" in told, "the refusal shows what is legal"
    assert await version(mails, game) == 1


async def test_words_that_say_no_move_for_certain_play_nothing(begun: Begun) -> None:
    """Doubts, conditions, sums and signs behind a verb or a choice; "no" with what the turn does not ask for."""
    mails, game, first, _ = begun
    for text in ("bid 20 or 25", "bid 20 unless Bob passed", "bid 20 (or 25?)", "pass if Bob passes", "bid 20-25",
                 "2/3", "2+3", "2.3", "A/B", "AB", "20%", "2%", "2nd", "2x", "~~2~~", "bid up to 20",
                 "bid not 20", "bid 20 tomorrow", "pass later", "pass the salt", "no pass", "no idea", "none yet",
                 "no train", "no clue yet", "no 2", "bid 70 (max 90)", "wait", "passt!",
                 "if P1 passes, pass, I think", "if P2 bids, I'd pass", "Please remove my address"):  # fmt: skip
        assert "✗" in await mails.answer(first, text), text
        assert await version(mails, game) == 0, text
        mails.clock.now += 3600
        await mails.answer(first, "help")  # many in a row that say nothing would be a robot's


async def test_declining_the_question_of_the_turn_passes(begun: Begun) -> None:
    mails, game, first, second = begun
    assert "✓ P" in await mails.answer(first, "bid 5")
    assert "passes" in await mails.answer(second, "no bid")
    assert await version(mails, game) == 2


async def test_two_choices_of_one_turn_are_asked_back(begun: Begun) -> None:
    """Only one of them can be made, and no one knows which: by number, in words, with a command between."""
    mails, game, first, second = begun
    for text in ("pass, bid 20", "bid 20, bid 25", "bid 20\npass", "pass, map, bid 20", "B, pass", "B, bid 30",
                 "bid 10, bid 20, pass", f"#{game} pass, bid 5", "pass\n\nbid 20",
                 "bid 20\n\nThanks,\nbid 25"):  # fmt: skip
        told = await mails.answer(first, text)
        assert told.startswith("✗ "), text
        assert "I'm not sure which you mean" in told, text
        assert "A  Bid" in told, "the choices are shown again"
        assert await version(mails, game) == 0, text
        await mails.answer(first, "help")
        mails.clock.now += 1200
    for text in ("bid 5, bid 5", "pass, pass"):
        player = first if text.startswith("bid") else second
        assert "✓" in await mails.answer(player, text), text
    assert await version(mails, game) == 2


async def test_a_mail_without_an_order_plays_nothing_and_gets_help(begun: Begun) -> None:
    """A first paragraph that is not understood whole is not half done."""
    mails, game, first, _ = begun
    for text in ("", "👍", "I will look at it tonight", "2", "bid 10 and then we shall see what you do"):
        assert "✗" in await mails.answer(first, text), text
    assert await version(mails, game) == 0


async def test_the_same_mail_again_is_answered_once_and_played_once(begun: Begun, clock: Clock) -> None:
    """Delivered twice, or killed between the move and its answer: the move stands once."""
    mails, game, first, second = begun
    reply = mails.reply(first, "B")
    assert await mails.front.receive(reply) == "answered"
    assert await mails.front.receive(reply) == "known"
    assert len([to for to, mail in await mails.send_all() if to == first]) == 1
    assert await version(mails, game) == 1
    reply = mails.reply(second, "bid 20, map")
    ledger = mails.front.clerk.ledger
    note = ledger.note

    async def kill(*_: object) -> None:
        raise ConnectionAbortedError

    ledger.note = kill  # type: ignore[assignment,method-assign]
    with pytest.raises(ConnectionAbortedError):
        await mails.front.receive(reply)
    ledger.note = note  # type: ignore[method-assign]
    assert await version(mails, game) == 2
    assert await mails.front.receive(reply) == "answered"
    assert await version(mails, game) == 2
    assert len([to for to, mail in await mails.send_all() if to == second]) == 1


async def test_an_answer_to_an_older_mail_is_refused_and_the_position_is_sent(begun: Begun) -> None:
    mails, game, first, second = begun
    old = mails.last(first)
    await mails.answer(first, "B")
    await mails.answer(second, "bid 20")
    for text in ("C", "bid 40", "C (turn 0)"):
        told = await mails.answer(first, text, to=old)
        assert "✗" in told
        assert "bids £20" in told, "what happened since"
    assert await version(mails, game) == 2


async def test_a_button_pressed_meanwhile_wins(begun: Begun) -> None:
    """Mail and button at once: one is played, the other is told."""
    mails, game, first, _ = begun
    here = await mails.services.table.load_position(game)
    reply = mails.reply(first, "B")
    await mails.services.table.submit(game, here.actors[0].user, Typed("bid", {"amount": "15"}))
    await mails.front.receive(reply)
    await mails.send_all()
    assert "“B” answers an e-mail of an earlier turn" in text_part(mails.last(first))
    assert await version(mails, game) == 1


async def test_commands_that_are_no_moves(begun: Begun) -> None:
    """Map, market, log, games, help, why, remind, away, undo: as with a slash elsewhere."""
    mails, game, first, second = begun
    for text, part in (
        ("help", "stop: unsubscribe"),
        ("games", "your turn"),
        ("/learn 1860 lesson:float", "Make IOW float."),
        ("/learn move:buy IOW ipo", "✓ Half is sold: IOW floats"),
        ("/rules term term:float title:1860", "Start to operate, once 50%"),
        ("why bid 3", "£5"),
        ("log", "Log of"),
        ("rules now", "you can use"),
        ("remind digest:18 zone:Europe/Berlin", "at 18:00"),
        ("remind digest -1", "Reminders are on"),
        ("snooze 4h", "pinged again"),
        ("map", "map"),
        ("market", "market"),
        ("/me away days:2", "You're away"),
        ("away 0", "You're back"),
    ):
        told = await mails.answer(first, text)
        assert "✗" not in told, told
        assert part.lower() in told.lower(), told
    forbidden = ("/game close sure:true", "/game import file:/etc/passwd", "/me mail code:1")
    for text in forbidden:
        assert "✗" in await mails.answer(second, text)
    assert (await mails.services.lobby.get_table(game)).state == "running"
    await mails.answer(first, "B")
    assert "asked" in (await mails.answer(first, "undo")).lower() or await version(mails, game) == 2


async def test_the_report_of_a_finished_game_can_be_asked_for_again(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a word, as an answer to any letter of its table; it changes nothing, so it may stand beside moves."""
    mails, _, first, _ = begun
    assert "this one isn't over" in await mails.answer(first, "report")

    async def fetch_report(*_: object) -> list[Chapter]:
        return [Chapter("Best deal", "Ann's.")]

    result = Result("the table ended it", (Score(1, 7), Score(0, 5)), (1,))
    monkeypatch.setattr("bot.commands.view.fetch_report", fetch_report)
    monkeypatch.setattr("bot.model.standing.Standing.result", lambda self: result)
    assert "Best deal" in await mails.answer(first, "report")
    assert only_tells("report")


@pytest.mark.parametrize(("said", "hours"), [("help", 2), ("snooze 4h", 4), ("snooze turn", None)])
async def test_a_snooze_holds_for_mails_too(begun: Begun, clock: Clock, said: str, hours: int | None) -> None:
    """The table would remind after a day; 22 hours have gone by."""
    mails, _, first, second = begun
    settling = Sending(mails.services.outbox, Settler(mails.services))
    await mails.answer(first, "bid 10")
    clock.now += 22 * HOUR
    await mails.answer(second, said)
    reminded = []
    for hour in range(1, 12):
        clock.now += HOUR
        await settle(settling)
        reminded += [hour for to, mail in await mails.send_all() if to == second and "Reminder: " in text_part(mail)]
    assert reminded == ([hours] if hours else [])


async def test_stop_is_stop_until_start(begun: Begun, clock: Clock) -> None:
    """Also as one click: the subject alone, to the address in the header, from an unproven sender."""
    mails, game, first, second = begun
    told = await mails.answer(first, "stop")
    assert "You're unsubscribed" in told
    here = await mails.services.table.load_position(game)
    await mails.services.table.submit(game, here.actors[0].user, Typed("pass", {}))
    await mails.answer(second, "pass")
    assert text_part(mails.last(first)).startswith("✓ You're unsubscribed")
    assert "You'll get e-mail" in await mails.answer(first, "start")
    click = mails.reply(second, "").replace(b"Subject: Re: [1860", b"Subject: stop\nX-Was: [1860")
    assert await mails.front.receive(click.replace(PROVEN.format(domain="home.example").encode(), b"")) == "answered"
    await mails.send_all()
    assert "You're unsubscribed" in text_part(mails.last(second))


async def test_an_invitation_is_answered_by_one_button_for_every_guest(begun: Begun) -> None:
    """A touch writes a new mail, which says by its address alone what it answers; also of someone known already."""
    mails, _, first, second = begun
    host = await mails.services.contacts.find_contact(first)
    guest = await mails.services.contacts.find_contact(second)
    assert host is not None
    assert guest is not None
    table = await mails.services.lobby.create(Person(host.user, host.name), NewTable("1860", 2, "Again", seed=3))
    mails.clock.now += 8 * 86400
    await mails.services.hosting.invite_by_letter(table.id, host.user, Guest(second))
    await mails.send_all()
    touched = mails.reply(second, "yes", to=next(m for _, m in mails.out if "“Again”" in text_part(m)))
    told = touched.partition(b"In-Reply-To")[0] + b"Content-Type: text/plain\n\nyes\n"
    assert await mails.front.receive(told) == "answered"
    assert (await mails.services.lobby.get_table(table.id)).people == (host.user, guest.user)


@pytest.mark.parametrize(
    ("order", "command", "values"),
    [
        ("undo", "game undo", {}),
        ("yes", "game vote", {"answer": "yes"}),
        ("no which:2", "game vote", {"answer": "no", "which": 2}),
        ("yes but only if Bob pays", "game vote", {"answer": "yes but only if Bob pays"}),
        ("info", "game info", {}),
        ("log 20", "view log", {"from": 20}),
        ("market at:5", "view market", {"at": 5}),
        ("show map", "view map", {}),
        ("rules of this turn", "rules now", {}),
        ("why bid amount:5", "rules why", {"move": "bid amount:5"}),
        ("why “bid 5”", "rules why", {"move": "bid 5"}),
        ("style mono", "me style", {"palette": "mono"}),
        ("quiet quiet_from 22 quiet_to 8", "me remind", {"quiet_from": 22, "quiet_to": 8}),
        ("away", "me away", {"days": 7}),
        ("away 5 back on Sunday", "me away", {"days": 5, "note": "back on Sunday"}),
    ],
)
def test_word_of_a_letter_is_a_command_with_its_values(order: str, command: str, values: dict[str, object]) -> None:
    word, _, rest = order.partition(" ")
    said = read_command(build_tree(), word, rest)
    assert (f"{said.group} {said.command.name}", said.values) == (command, values)


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("away soon", "whole number"),
        ("undo that", "takes no|whole number"),
        ("show", "needs one more word"),
        ("view markt", "Did you mean /view market"),
        ("log from:x", "whole number"),
    ],
)
def test_word_of_a_letter_is_refused_with_what_works(order: str, why: str) -> None:
    word, _, rest = order.partition(" ")
    with pytest.raises(BotError, match=why):
        read_command(build_tree(), word, rest)
