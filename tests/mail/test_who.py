"""Who may say what: each row of what someone might try, and what happens then."""

import re
from email.header import Header
from email.message import EmailMessage

import pytest
from structlog.testing import capture_logs

from bot.mail.address import ReplyToken
from bot.mail.clerk import Clerk
from bot.mail.origin import sort_mail
from bot.mail.page import join_lines
from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.service.contacts import check_mailbox
from bot.service.hosting import Guest
from tests.bot.conftest import Clock
from tests.mail.conftest import ONE, POST, PROVEN, TWO, Begun, Mails, code_in, version
from tests.mail.letters import text_part

DSN = (
    "From: MAILER-DAEMON@mx.games.example\nTo: {to}\nSubject: Undelivered Mail\nAuto-Submitted: auto-replied\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
    "--b\nContent-Type: text/plain\n\nIt failed.\n--b\nContent-Type: message/delivery-status\n\n"
    "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; x@home.example\nAction: failed\nStatus: {status}\n\n--b--\n"
)


async def test_a_forged_sender_waits_for_a_code_that_only_the_known_address_gets(begun: Begun) -> None:
    """The token and the name of the sender are not enough: our own server must have found them genuine."""
    mails, game, first, _ = begun
    results = (
        "",
        "Authentication-Results: mx.games.example; dmarc=fail header.from=home.example\n",
        "Authentication-Results: mx.evil.example; dmarc=pass header.from=home.example\n",
        "Authentication-Results: mx.games.example; dmarc=pass header.from=evil.example\n",
        "Authentication-Results: mx.games.example; dmarc=none\n" + PROVEN.format(domain="home.example"),
        "Authentication-Results: ;;;\n",
    )
    for proof in results[:4]:
        before = len(mails.out)
        assert await mails.front.receive(mails.reply(first, "B", proof=proof)) == "answered"
        ((to, mail),) = await mails.send_all()
        assert to == first
        assert "Nothing was done yet" in text_part(mail)
        assert len(mails.out) == before + 1
        assert await version(mails, game) == 0
    mails.clock.now += 25 * 3600
    asked = mails.last(first)
    await mails.send_all()  # a reminder
    await mails.front.receive(mails.reply(first, "B", asked, proof=""))
    await mails.send_all()
    code = code_in(text_part(mails.last(first)))
    asked = next(mail for to, mail in mails.out if to == first and "A  Bid" in text_part(mail))
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    await mails.front.receive(mails.reply(first, f"B\n\ncode {wrong}", to=asked, proof=results[4]))
    assert await version(mails, game) == 0
    await mails.front.receive(mails.reply(first, f"B\n\ncode {code}", to=asked, proof=results[5]))
    assert await version(mails, game) == 1


async def test_a_token_is_of_one_person_table_and_epoch(begun: Begun) -> None:
    """Guessed, changed, old or another player's: nothing is played, and only a player's own address is answered."""
    mails, game, first, second = begun
    good = mails.reply(first, "B").decode()
    address = mails.last(first)["Reply-To"]
    found = re.search(r"turns\+\S+@games\.example", str(address))
    assert found is not None
    token = found[0]
    known = POST.read_token(token)
    assert known is not None
    assert known.game == game
    sign = token.partition("@")[0].rpartition(".")[2]
    others = (
        token.replace(sign, sign[::-1]),
        token.replace("+1.", "+2."),
        POST.make_reply_address(ReplyToken(game, known.contact, known.epoch + 1)),
        POST.make_reply_address(ReplyToken(game, 99, 1)),
        "turns+@games.example",
    )
    before = len(mails.out)
    for other in others:
        assert await mails.front.receive(good.replace(token, other).encode()) == "stranger"
    assert await mails.front.receive(good.replace("From: ", "From: <x@y.example>, ").encode()) == "stranger"
    assert await mails.send_all() == []
    assert len(mails.out) == before
    assert await mails.front.receive(good.replace(f"From: <{first}>", f"From: <{second}>").encode()) == "answered"
    ((to, told),) = await mails.send_all()
    assert to == first, "at the address that is known, for the other may be a stranger's"
    assert f"If that's yours too, link it: reply “link {second}” to this e-mail." in text_part(told)
    assert POST.read_token(token.upper()) == known, "addresses may come back in capitals"
    assert len(token.partition("@")[0]) <= 64
    await mails.answer(first, "stop")
    late = good.replace("Message-ID: <", "Message-ID: <late")
    assert await mails.front.receive(late.encode()) == "answered", "after a stop it does nothing more"
    assert "You've unsubscribed." in text_part((await mails.send_all())[-1][1])
    assert await version(mails, game) == 0
    await mails.front.receive(mails.reply(first, "start", to=mails.out[0][1] if mails.out[0][0] == first else None))
    assert (await mails.services.contacts.find_contact(first)).state == "confirmed"  # type: ignore[union-attr]


async def test_robot_falls_silent_and_is_read_again_when_it_makes_sense(begun: Begun, clock: Clock) -> None:
    """Five mails that order nothing, the fifth answer says so; then only what can be read is answered, and played."""
    mails, game, first, _ = begun
    words = "your message is important to us"
    told = [await mails.answer(first, words) for _ in range(24)]
    assert [bool(each) for each in told] == [True] * 5 + [False] * 19
    assert ["5 e-mails in a row" in each for each in told[:5]] == [False] * 4 + [True]
    again = Clerk(mails.services, POST, mails.front.mailbox.trust)
    assert await again.receive(mails.reply(first, words)) == "silent", "after a restart too"
    assert "✓" in await mails.answer(first, "bid 5")
    assert await version(mails, game) == 1
    assert "✗" in await mails.answer(first, words)


async def test_mails_above_the_limit_are_read_later_in_their_order_and_the_first_is_told(
    begun: Begun, clock: Clock
) -> None:
    """Twenty an hour: the others wait, none is lost, and "stop" always counts."""
    mails, game, first, second = begun
    clock.now += 2 * 3600
    for _ in range(20):
        assert "✗" not in await mails.answer(first, "help")
        clock.now += 60
    waiting = [mails.reply(first, "bid 20, map"), mails.reply(first, "help")]
    assert [await mails.front.receive(each) for each in (*waiting, *waiting)] == ["later"] * 4
    ((to, told),) = await mails.send_all()
    assert to == first
    assert "Nothing is lost: I'll read this one in about 40 minutes" in text_part(told)
    clock.now += 40 * 60 - 1
    assert [await mails.front.receive(each) for each in waiting] == ["later"] * 2
    assert await version(mails, game) == 0
    clock.now += 1
    assert await mails.front.receive(waiting[1]) == "later", "the other came first"
    assert [await mails.front.receive(waiting[0]), await version(mails, game)] == ["answered", 1]
    assert await mails.front.receive(waiting[1]) == "later", "one at a time, as the hour frees places"
    clock.now += 60
    assert await mails.front.receive(waiting[1]) == "answered"
    for _ in range(20):
        await mails.front.receive(mails.reply(second, "help"))
    click = mails.reply(second, "").replace(b"Subject: Re: [1860", b"Subject: stop\nX-Was: [1860")
    assert await mails.front.receive(click) == "answered"
    assert (await mails.services.contacts.find_contact(second)).state == "stopped"  # type: ignore[union-attr]


async def test_machines_are_never_answered(begun: Begun) -> None:
    """Away notes, receipts, lists, loops, reactions, bounces: no answer, nothing played."""
    mails, game, first, _ = begun
    good = mails.reply(first, "B").decode()
    heads = (
        "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "Precedence: bulk", "X-Autoreply: yes",
        "List-Id: <x.y>", "Return-Path: <>", "Precedence: auto_reply",
    )  # fmt: skip
    for head in heads:
        assert await mails.front.receive(f"{head}\n{good}".encode()) == "machine", head
    for subject in ("Out of office", "Automatische Antwort: Your turn", "Réponse automatique : x", "Abwesenheitsnotiz"):
        assert await mails.front.receive(re.sub(r"Subject: .*", f"Subject: {subject}", good).encode()) == "machine"
    for subject, kind in (
        ("Automatisch antwoord: [1860 #1] your turn", "utf-8"), ("Afwezigheidsbericht", "utf-8"),
        ("Niet aanwezig t/m 3 december", "utf-8"), ("Autosvar: Re: [1860 #1]", "utf-8"),
        ("Automatiskt svar: SV: tåg", "iso-8859-1"), ("Frånvaromeddelande", "iso-8859-1"),
        ("自動応答: [1860 #1] your turn", "iso-2022-jp"), ("自動返信 不在のお知らせ", "utf-8"),
        ("【不在通知】12月3日まで", "utf-8"), ("現在不在です", "iso-2022-jp"), ("부재중 자동 응답", "utf-8"),
    ):  # fmt: skip
        line = f"Subject: {Header(subject, kind).encode()}"
        head, _, rest = good.partition("Subject: ")
        away = "\n".join((head + line, rest.partition("\n")[2]))
        assert await mails.front.receive(away.encode()) == "machine", subject
    for subject in ("Re: Autoriteiten", "Svar: mitt bud", "SV: [1860 #1]", "返信: 不明な点", "Antw: afwezig"):
        message = EmailMessage()
        message["From"], message["Subject"] = "ann@home.example", subject
        assert sort_mail(message, POST).kind == "person", subject
    own = re.sub(r"Message-ID: .*", f"Message-ID: {mails.last(first)['Message-ID']}", good)
    assert await mails.front.receive(own.encode()) == "loop"
    assert await mails.send_all() == []
    assert await version(mails, game) == 0


async def test_an_address_that_fails_for_good_gets_no_more_mails_and_the_table_hears(begun: Begun) -> None:
    """A full mailbox, or one that is slow, is tried again by the next reminder."""
    mails, game, first, second = begun
    number = int(str(mails.last(first)["Message-ID"]).split(".l")[1].split(".")[0])
    to = POST.make_bounce_address(number)
    for status in ("4.4.1", "5.2.2"):
        assert await mails.front.receive(DSN.format(to=to, status=status).encode(), (to,)) == "late"
    with capture_logs() as told:  # not the address is refused, but our letters: whoever runs the bot hears
        assert await mails.front.receive(DSN.format(to=to, status="5.7.1").encode(), (to,)) == "policy"
    assert [each["event"] for each in told if "SPF" in each["event"]]
    assert (await mails.services.contacts.find_contact(first)).state == "confirmed"  # type: ignore[union-attr]
    forged = to.replace("bounce-", "bounce-9")
    assert await mails.front.receive(DSN.format(to=forged, status="5.1.1").encode(), (forged,)) == "late"
    assert (await mails.services.contacts.find_contact(first)).state == "confirmed"  # type: ignore[union-attr]
    assert await mails.front.receive(DSN.format(to=to, status="5.1.1").encode(), (to,)) == "bounce"
    assert (await mails.services.contacts.find_contact(first)).state == "failing"  # type: ignore[union-attr]
    assert any(to == second and "is bouncing" in text_part(mail) for to, mail in await mails.send_all())
    complaint = DSN.replace("delivery-status;", "feedback-report;")
    number = int(str(mails.last(second)["Message-ID"]).split(".l")[1].split(".")[0])
    to = POST.make_bounce_address(number)
    assert await mails.front.receive(complaint.format(to=to, status="5.0.0").encode(), (to,)) == "complaint"
    assert (await mails.services.contacts.find_contact(second)).state == "stopped"  # type: ignore[union-attr]
    assert game


OLD_BOUNCES = {
    "qmail": (
        "Hi. This is the qmail-send program at mx.home.example.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        "<p1@home.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n"
    ),
    "exim": (
        "This message was created automatically by mail delivery software.\n\nA message that you sent could not be "
        "delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n"
        "  p1@home.example\n    unrouteable address\n"
    ),
}


@pytest.mark.parametrize("program", OLD_BOUNCES)
async def test_bounces_of_older_servers_are_known_to_a_library(begun: Begun, program: str) -> None:
    """They have no status; a full mailbox is not for good in their words either."""
    mails, _, first, _ = begun
    number = int(str(mails.last(first)["Message-ID"]).split(".l")[1].split(".")[0])
    to = POST.make_bounce_address(number)
    head = f"From: MAILER-DAEMON@mx.home.example\nTo: {to}\nSubject: failure notice\nX-Failed-Recipients: {first}\n\n"
    text = OLD_BOUNCES[program].replace("p1@home.example", first)
    full = text.replace("no mailbox here by that name. (#5.1.1)", "over quota").replace("unrouteable address", "quota")
    assert await mails.front.receive(f"{head}{full}".encode(), (to,)) == "late"
    assert await mails.front.receive(f"{head}{text}".encode(), (to,)) == "bounce"
    assert (await mails.services.contacts.find_contact(first)).state == "failing"  # type: ignore[union-attr]


async def test_an_address_is_invited_once_a_week_and_never_after_stop(mails: Mails, clock: Clock) -> None:
    """Strangers' mailboxes are spared: ten a day, once a week, never who said stop."""
    letters, wish = mails.services.hosting, NewTable("1860", 2, seed=5)
    await letters.open_table(wish, [Guest("a@home.example"), Guest("b@home.example")])
    with pytest.raises(BotError, match="less than a week ago"):
        await letters.open_table(wish, [Guest("a@home.example"), Guest("c@home.example")])
    await mails.send_all()
    assert "You're unsubscribed" in await mails.answer("a@home.example", "stop")
    clock.now += 8 * 86400
    with pytest.raises(BotError, match="has unsubscribed"):
        await letters.open_table(wish, [Guest("a@home.example"), Guest("c@home.example")])
    with pytest.raises(BotError, match="listed twice"):
        await letters.open_table(wish, [Guest("C@home.example"), Guest("c@home.example")])
    for number in range(5):
        await letters.open_table(wish, [Guest(f"x{number}@home.example"), Guest(f"y{number}@home.example")])
    with pytest.raises(BotError, match="new addresses today"):
        await letters.open_table(wish, [Guest(f"{number}@home.example") for number in range(5, 7)] * 1)


async def test_an_address_is_linked_by_the_code_that_comes_to_it(mails: Mails, clock: Clock) -> None:
    """Ten minutes, five tries, and no one else's address."""
    contacts = mails.services.contacts
    await contacts.link("77", "Ann", "Ann@Home.example")
    ((to, mail),) = await mails.send_all()
    assert to == "ann@home.example"
    code = code_in(text_part(mail))
    for _ in range(5):
        with pytest.raises(BotError, match="code is wrong or too old"):
            await contacts.confirm("77", "000000" if code != "000000" else "1")
    with pytest.raises(BotError, match="code is wrong or too old"):
        await contacts.confirm("77", code)
    await contacts.link("77", "Ann", "ann@home.example")
    await mails.send_all()
    clock.now += 601
    with pytest.raises(BotError, match="code is wrong or too old"):
        await contacts.confirm("77", code_in(text_part(mails.last("ann@home.example"))))
    await contacts.link("77", "Ann", "ann@home.example")
    await mails.send_all()
    linked = await contacts.confirm("77", code_in(text_part(mails.last("ann@home.example"))))
    assert (linked.address, linked.before) == ("ann@home.example", "77")
    clock.now += 86_400
    for _ in range(2):  # the owner hears of it once a day, the other one learns nothing
        await contacts.link("78", "Eve", "ann@home.example")
    ((to, mail),) = await mails.send_all()
    assert (to, "Eve asked to play from your address. It stays yours" in text_part(mail)) == (linked.address, True)
    assert (await contacts.find_contact(linked.address)).user == "77"  # type: ignore[union-attr]


def test_addresses_and_headers_hold_no_lines_and_no_tags() -> None:
    """Line breaks, marks of direction and lists of addresses go nowhere."""
    for bad in (
        "",
        "ann",
        "@x.y",
        "a@b",
        "a@b.c\nBcc: x@y.z",
        "a@b.c,d@e.f",
        "<a@b.c> x@y.z",
        "a b@c.d",
        "é@b.c",
        "x" * 300 + "@b.c",
    ):
        with pytest.raises(BotError, match="isn't an e-mail address"):
            check_mailbox(bad)
    assert join_lines("a\r\nBcc: x\u202e") == "a Bcc: x"


async def test_names_with_tags_and_marks_do_no_harm(mails: Mails) -> None:
    """What people call themselves and their tables is shown letter by letter."""
    guests = [Guest(ONE, "<b>Ann</b>\u202e\r\nBcc: x@y.zz"), Guest(TWO, '"><script>alert(1)</script>')]
    wish = NewTable("1860", 2, name="<img src=x>\r\nTo: all", seed=5)
    table = await mails.services.hosting.open_table(wish, guests)
    for _, mail in await mails.send_all():
        html = mail.get_body(("html",))
        assert html is not None
        text = html.get_content()
        assert "<script" not in text
        assert "<img src=x" not in text
        assert mail["Bcc"] is None
        assert mail["Cc"] is None
        assert "\n" not in mail["Subject"]
        assert all(len(name) <= 32 for name in table.names)


async def test_a_robot_that_answers_every_mail_for_a_day_is_answered_five_times(begun: Begun) -> None:
    """It has no header that tells what it is; the table's reminders go on, its answers end."""
    mails, game, first, _ = begun
    answered = 0
    for _ in range(23):
        before = len(mails.out)
        came = await mails.front.receive(mails.reply(first, "Thank you for your message. We have received it."))
        answered += came == "answered"
        await mails.send_all()
        assert len(mails.out) - before == (came == "answered")
        mails.clock.now += 3600
    assert answered == 5
    assert await version(mails, game) == 0
