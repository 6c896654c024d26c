"""Addresses of people's own: a code shows whose they are, strangers are not pestered, what is void stays void."""

import re

import pytest
from sqlmodel import col, select

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.letters import Contact, Letter
from bot.model.posts import Notice, Owed
from bot.model.records import NewTable, Person
from bot.service.contacts import Contacts, build_answer_key, check_mailbox
from bot.service.outbox import DuePosts
from bot.service.services import Services
from bot.store.outbox import LETTERS, StoredPost
from bot.store.tables import OutboxRow
from tests.bot.conftest import ANN, BOB, CID, THREE, Clock
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure

HOME = "ann@home.example"


async def code_of(contacts: Contacts) -> str:
    """Return the code of the newest letter with one."""
    letters = select(OutboxRow.payload).where(OutboxRow.batch == LETTERS).order_by(col(OutboxRow.id).desc())
    async with contacts.database.reading() as session:
        newest = (await session.exec(letters)).first()
    return sure(re.search(r"code is (\d{6})", newest or ""))[1]


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


async def refusal(contacts: Contacts, code: str) -> str:
    with pytest.raises(BotError) as refused:
        await contacts.confirm(ANN.id, code)
    return refused.value.sentence


async def test_a_code_is_good_for_ten_minutes_and_five_tries(services: Services, clock: Clock) -> None:
    """Whoever typed a wrong one four times may still type the right one; it is taken once."""
    contacts = services.contacts
    wrong = await refusal(contacts, "000000")
    for wait, tries, is_over in ((0, 5, True), (601, 0, True), (600, 4, False)):
        await contacts.link(ANN.id, "Ann", f" <{HOME.upper()}> ")
        code = await code_of(contacts)
        clock.now += wait
        for _ in range(tries):
            assert await refusal(contacts, other_than(code)) == wrong
        if is_over:
            assert await refusal(contacts, code) == wrong
    assert await contacts.find_confirmed(ANN.id) is None
    linked = await contacts.confirm(ANN.id, f" {code} ")
    assert (linked.address, linked.before) == (HOME, ANN.id)
    known = sure(await contacts.find_confirmed(ANN.id))
    assert (known.state, known.epoch, known.name) == ("confirmed", 2, "Ann")
    assert await refusal(contacts, code) == wrong


async def test_an_address_of_another_account_is_refused_but_a_mail_only_player_is_merged(services: Services) -> None:
    contacts = services.contacts
    alone = await contacts.find_or_add(HOME)
    assert (alone.user, alone.name, alone.state) == (f"p{alone.id}", "ann", "asked")
    assert await contacts.find_or_add(HOME, "Other") == alone
    await contacts.link(ANN.id, "Ann", HOME)
    assert sure(await contacts.get_contact(alone.id)).user == alone.user, "until the code has come back"
    assert (await contacts.confirm(ANN.id, await code_of(contacts))).before == alone.user
    await contacts.link(BOB.id, "Bob", HOME)
    with pytest.raises(BotError, match="wrong or too old"):
        await contacts.confirm(BOB.id, "000000")
    assert sure(await contacts.get_contact(alone.id)).user == ANN.id
    await contacts.link(ANN.id, "Ann", HOME)


async def test_a_mail_only_player_keeps_the_seats_after_linking_an_account(services: Services) -> None:
    """Tables that run are told that there is one more place to call them; a table that is open need not be."""
    known = await services.contacts.find_or_add(HOME)
    alone = Person(known.user, known.name)
    tables = [await services.lobby.create(alone, NewTable("toy", 2, seed=5)) for _ in range(2)]
    await services.lobby.join(tables[1].id, BOB)
    await services.lobby.start(tables[1].id, alone.id, "as joined")
    changed = await services.seats.merge_people(alone.id, ANN.id)
    assert [table.id for table in changed] == [table.id for table in tables]
    for table, people in zip(changed, ((ANN.id,), (ANN.id, BOB.id)), strict=True):
        now = await services.lobby.get_table(table.id)
        assert (now.host, now.people) == (ANN.id, people)
    told = [post for post in await send_all(services) if isinstance(post, Notice)]
    assert [(post.game, post.text) for post in told] == [
        (tables[1].id, "ann can now be reached in more than one place.")
    ]  # fmt: skip


async def test_ten_addresses_a_day_are_asked_and_none_twice_in_a_week(services: Services, clock: Clock) -> None:
    """A day later there may be more; a week later the same; never one that wants no mails."""
    contacts, table = services.contacts, await services.lobby.create(CID, THREE)

    async def invite_address(address: str) -> Contact:
        contact = await contacts.find_or_add(address)
        async with services.database.writing() as session:
            await contacts.invite(session, table.id, contact)
        return await contacts.find_or_add(address)

    first = await invite_address(HOME)
    assert (first.name, first.user) == ("ann", f"p{first.id}")
    assert await contacts.is_asked(first.user)
    assert not await contacts.is_asked(BOB.id)
    for number in range(9):
        await invite_address(f"{number}@home.example")
    for address in ("more@home.example", "9@home.example"):
        with pytest.raises(BotError, match="The bot wrote to 10 new addresses today"):
            await invite_address(address)
    clock.now += DAY
    await invite_address("more@home.example")
    clock.now += 6 * DAY - 1
    with pytest.raises(BotError, match="was invited less than a week ago"):
        await invite_address(HOME)
    clock.now += 1
    assert (await invite_address(HOME)).asked == clock.now
    await contacts.set_state(first.id, "stopped")
    assert not await contacts.is_asked(first.user)
    clock.now += 7 * DAY
    with pytest.raises(BotError, match="has unsubscribed"):
        await invite_address(HOME)


async def test_older_tokens_are_void_after_a_stop(services: Services) -> None:
    contacts = services.contacts
    known = await contacts.find_or_add(HOME)
    epochs = []
    for state in ("confirmed", "confirmed", "failing", "confirmed", "stopped"):
        epochs.append(sure(await contacts.set_state(known.id, state)).epoch)
    assert epochs == [1, 1, 1, 1, 2]
    assert await contacts.set_state(99, "stopped") is None


async def test_letters_are_counted_and_found_for_the_time_that_is_asked_for(services: Services, clock: Clock) -> None:
    outbox, posted, known = services.outbox, services.posted, await services.contacts.find_or_add(HOME)
    for name in ("a", "b"):
        letter = Letter(0, known.user, "notice", text=name)
        await outbox.owe(Owed(build_answer_key(known, name), letter, clock.now))
        clock.now += 100
    first, second = await letters_of(services)
    await outbox.note_sent([(first, ("", HOME))])
    clock.now += 100
    assert [await posted.count_letters(seconds) for seconds in (100, 101)] == [0, 1]
    assert await posted.count_letters(101, known.user) == 0, "answers to mails of their own count for no one"
    head = build_answer_key(known, "")
    found = [await posted.list_letters(known.user, head, *asked) for asked in ((1000, 9), (250, 9), (1000, 1))]
    assert [[each.letter.text for each in letters] for letters in found] == [["b", "a"], ["b"], ["b"]]
    for attempts in (1, 2):
        await outbox.note_failed(second, "full", clock.now + 5)
        second = sure(await posted.get_letter(second.number))
        assert second.attempts == attempts
        await outbox.put_off(second, clock.now + 5)
        second = sure(await posted.get_letter(second.number))
        assert second.attempts == attempts, "it was only put off"
    await outbox.release(LETTERS)
    assert await letters_of(services) == ()
    assert (await outbox.list_waiting(head=LETTERS)).next_due == clock.now + 5
    await outbox.note_failed(second, "x" * 501)
    clock.now += 5
    assert (await outbox.list_waiting(head=LETTERS)) == DuePosts((), None)
    async with services.database.reading() as session:
        errors = await session.exec(select(OutboxRow.error).where(OutboxRow.id == second.id))
        assert errors.one() == "x" * 500, "an answer of a server may be as long as it likes"


async def letters_of(services: Services) -> tuple[StoredPost, ...]:
    """Return the letters that are handed out now."""
    return tuple(each for batch in await services.outbox.claim([LETTERS]) for each in batch.posts)


def test_an_address_has_a_name_a_host_with_a_dot_and_plain_letters() -> None:
    long = f"{'a' * (200 - len('@home.example'))}@home.example"
    assert [check_mailbox(good) for good in ("A@b.c", " <ann.x+y@home.example> ", long)] == [
        "a@b.c", "ann.x+y@home.example", long,
    ]  # fmt: skip
    wrong = (
        "", "ann", "@home.example", "ann@", "ann@home", "ann@.home", "ann@home.", "a b@home.example",
        "a,b@home.example", "a@home.example>x", "änn@home.example", "ann\x07@home.example", f"a{long}",
        "a<b@home.example",
    )  # fmt: skip
    for each in wrong:
        with pytest.raises(BotError, match="an e-mail address that the bot can write to"):
            check_mailbox(each)


async def test_a_name_is_short_and_never_empty(services: Services) -> None:
    assert (await services.contacts.find_or_add(HOME, "A" * 40)).name == "A" * 32
    assert (await services.contacts.find_or_add("b@home.example", "**")).name == "Someone"
