"""Who plays by mail hears how their proposals end, and that a turn is theirs no longer."""

import re

import pytest

from bot.mail.compose import describe_outcome
from bot.mail.front import Settler
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.records import Calls, NewTable, Proposal, Vote
from bot.model.terms import Close, StandIn
from bot.service.hosting import Guest
from bot.service.sending import Sending
from bot.store import games
from tests.bot.conftest import Clock
from tests.mail.conftest import ONE, TWO, Begun, Mails, settle
from tests.mail.letters import text_part
from tests.support.sure import sure


def list_new(mails: Mails, before: int, address: str) -> list[str]:
    """Return the texts of the mails to someone since so many had gone out."""
    return [text_part(mail) for to, mail in mails.out[before:] if to == address]


async def test_a_refused_proposal_is_reported_to_its_proposer(begun: Begun) -> None:
    mails, _, first, second = begun
    await mails.answer(first, "bid 5")
    await mails.answer(second, "bid 10")
    await mails.answer(first, "bid 15")
    assert "must agree" in await mails.answer(second, "undo")
    before = len(mails.out)
    await mails.answer(first, "no")
    (told,) = list_new(mails, before, second)
    assert "You asked to take back 2 moves." in told
    assert "declined, so nothing changes" in told


async def test_a_proposal_that_no_one_answers_is_reported_to_its_proposer(begun: Begun, clock: Clock) -> None:
    mails, _, first, second = begun
    assert "must agree" in await mails.answer(first, "auto fast")
    before, clock.now = len(mails.out), clock.now + DAY + 1
    await mails.services.tidy()
    await mails.send_all()
    told = [text for text in list_new(mails, before, first) if "You asked" in text]
    assert len(told) == 1
    assert "Not everyone answered in time, which counts as no" in told[0]
    assert not [text for text in list_new(mails, before, second) if "asked" in text]


async def test_a_proposal_that_lapses_with_a_move_is_reported_to_its_proposer(begun: Begun) -> None:
    mails, _, first, second = begun
    await mails.answer(first, "bid 5")
    await mails.answer(second, "bid 10")
    await mails.answer(first, "bid 15")
    assert "must agree" in await mails.answer(first, "/game undo to:1")
    before = len(mails.out)
    await mails.answer(second, "bid 25")
    assert any("The game moved on before everyone answered" in text for text in list_new(mails, before, first))


async def test_a_turn_that_is_undone_is_reported_to_who_had_it(begun: Begun) -> None:
    """Who took the move back knows it; the next turn is asked for as usual."""
    mails, _, first, second = begun
    await mails.answer(first, "bid 5")
    assert "your turn" in str(mails.last(second)["Subject"])
    before = len(mails.out)
    assert "takes back a move" in await mails.answer(first, "undo")
    (told,) = list_new(mails, before, second)
    assert told.startswith("It's no longer your turn.")
    assert "1 move taken back" in told
    before = len(mails.out)
    await mails.answer(first, "bid 10")
    assert any("1  Bid" in text or "A  Bid" in text for text in list_new(mails, before, second))


async def test_a_turn_that_was_never_mailed_is_not_taken_back_by_mail(begun: Begun) -> None:
    mails, _, first, second = begun
    await mails.front.receive(mails.reply(first, "bid 5"))
    before = len(mails.out)
    await mails.front.receive(mails.reply(first, "undo"))
    await mails.send_all()
    assert list_new(mails, before, second) == []


async def test_moves_undone_after_a_yes_are_reported_to_those_who_said_it(mails: Mails) -> None:
    """The last yes is answered at once; the others hear of it by a letter, unless it is their turn."""
    table = await mails.seat("1860", 3)
    people = []
    for amount in (5, 10, 15, 20):
        here = await mails.services.table.load_position(table.id)
        people.append(f"{here.actors[0].name.lower()}@home.example")
        await mails.answer(people[-1], f"bid {amount}")
    first, second, third, _ = people
    assert "must agree" in await mails.answer(second, "/game undo to:1")
    await mails.answer(first, "yes")
    before = len(mails.out)
    assert "✓" in await mails.answer(third, "yes")
    assert [text for text in list_new(mails, before, first) if "asked to take back 3 moves. Everyone agreed." in text]


@pytest.mark.parametrize(
    ("state", "votes", "says"),
    [
        ("accepted", (), "A majority agreed."),
        ("declined", (Vote("2", yes=False),), "Someone declined, so nothing changes."),
        ("open", (), ""),
    ],
)
async def test_every_end_of_a_proposal_has_its_words(
    mails: Mails, state: str, votes: tuple[Vote, ...], says: str
) -> None:
    table = await mails.services.hosting.open_table(NewTable("1860", 2, seed=5), [Guest(ONE), Guest(TWO)])
    terms = StandIn(0, "P2") if state == "accepted" else Close()
    asked = Proposal(1, table.id, "", terms, 0, (), state, 9, votes, voters=("1", "2"))  # type: ignore[arg-type]
    told = describe_outcome(asked, table, "1")
    assert told.endswith(says)
    assert told.startswith("The table asked " if says else "")


async def test_a_table_is_opened_with_all_its_invitations_or_not_at_all(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails at the second guest: there is no table and no letter, and trying again works."""
    invite, calls = games.invite, list[str]()

    async def fail_at_second(*args: object) -> None:
        calls.append("")
        if len(calls) == 2:
            raise BotError("full")
        await invite(*args)  # type: ignore[arg-type]

    guests = [Guest(ONE), Guest(TWO)]
    monkeypatch.setattr(games, "invite", fail_at_second)
    with pytest.raises(BotError, match="full"):
        await mails.services.hosting.open_table(NewTable("1860", 2, seed=5), guests)
    assert await mails.send_all() == []
    with pytest.raises(BotError):
        await mails.services.lobby.get_table(1)
    table = await mails.services.hosting.open_table(NewTable("1860", 2, seed=5), guests)
    assert len(table.invited) == 2
    assert sorted(to for to, _ in await mails.send_all()) == [ONE, TWO]


async def seat_three(mails: Mails) -> tuple[int, list[str]]:
    """Seat three by mail; return the table, and their addresses in the order of their turns."""
    table = await mails.seat(people=3)
    await mails.send_all()
    here = await mails.services.table.load_position(table.id)
    names = [here.table.seats[(here.actors[0].number + place) % 3].name for place in range(3)]
    return table.id, [f"{name.lower()}@home.example" for name in names]


async def test_who_is_next_hears_it_by_mail_and_then_is_asked(begun: Begun) -> None:
    """On waking, if they sleep; not at all once it is no longer so."""
    mails = begun.mails
    _, (first, second, third) = await seat_three(mails)
    sleeper = sure(await mails.services.contacts.find_contact(third)).user
    clock = mails.clock
    await mails.services.people.set_calls(sleeper, Calls(on_deck=True, away_from=clock.now, away_to=clock.now + HOUR))
    await mails.answer(first, "bid 5")
    before = len(mails.out)
    assert list_new(mails, before, third) == []
    clock.now += HOUR
    await mails.send_all()
    (told,) = list_new(mails, before, third)
    assert "You're next, after P" in told
    before = len(mails.out)
    await mails.answer(second, "bid 10")
    (asked,) = list_new(mails, before, third)
    assert "You're next" not in asked
    assert "1  Bid" in asked or "A  Bid" in asked


async def test_a_host_on_mail_is_prompted_about_a_seat_that_no_one_holds(begun: Begun) -> None:
    mails = begun.mails
    game, people = await seat_three(mails)
    table = await mails.services.lobby.get_table(game)
    await mails.answer(people[0], "bid 5")
    here = await mails.services.table.load_position(game)
    before = len(mails.out)
    await mails.services.seats.resign(game, here.actors[0].user)
    await mails.send_all()
    host = next(address for address in people if address.startswith(table.find_name(table.host).lower()))
    assert any("no one holds it" in text for text in list_new(mails, before, host))


async def test_a_turn_by_mail_says_when_it_is_due_and_the_others_hear_how_to_go_on(begun: Begun, clock: Clock) -> None:
    """The limit and the grace period, in the reader's time zone; the late player is told, then the other."""
    mails, _, first, second = begun
    assert "must agree" in await mails.answer(first, "/game clock turn:48 grace:24")
    await mails.answer(second, "yes")
    clock.now += HOUR
    due = text_part(mails.last(first)) if "Due " in text_part(mails.last(first)) else await mails.answer(first, "help")
    assert re.search(r"Due \w{3} \d\d \w{3}, \d\d:\d\d; grace until \w{3} \d\d \w{3}, \d\d:\d\d \(UTC\)\.", due)
    before, clock.now = len(mails.out), clock.now + 48 * HOUR
    await mails.send_all()
    (told,) = [text for text in list_new(mails, before, first) if "is late. After 1 day of grace" in text]
    assert "You're late; grace until" in told
    before, clock.now = len(mails.out), clock.now + 24 * HOUR
    await mails.send_all()
    (told,) = [text for text in list_new(mails, before, second) if "The clock of" in text]
    assert re.search(r'reply /game stand_in seat:"P\d" once:yes', told)


async def test_no_reminder_comes_beside_the_digest(begun: Begun, clock: Clock) -> None:
    """The digest of each day says what waits for them; the turn itself rings for no one who wants digests."""
    mails, _, first, second = begun
    await mails.answer(second, "remind digest:18 zone:UTC")
    await mails.answer(first, "bid 10")
    settling = Sending(mails.services.outbox, Settler(mails.services))
    before = len(mails.out)
    clock.now += (18 * HOUR - clock.now) % DAY - DAY
    for _ in range(4):
        clock.now += DAY
        await settle(settling)
        await mails.services.tidy()
        await mails.send_all()
    told = list_new(mails, before, second)
    assert len(told) == 4
    assert all("Waiting for you:" in text and "Reminder: " not in text for text in told)
