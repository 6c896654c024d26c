"""What each bound is for: the case behind it, as an attacker who reads the code would make it."""

import asyncio
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from bot.mail.body import MAX_LINES, MAX_MULTIPARTS, UnreadableError, parse_mail, read_lines
from bot.mail.choices import read_mark
from bot.mail.origin import find_origin, sort_mail
from bot.mail.proof import is_proven
from bot.mail.reply import read_message
from bot.model.errors import BotError
from bot.model.quiet import check_calls
from bot.model.records import Calls, Home, NewTable
from bot.operations.backup import back_up, restore_backup
from bot.screens.controls import FORMS
from bot.screens.order_controls import MAX_WISH_LENGTH, _read_wish, _write_wish
from bot.screens.screen import MAX_CUSTOM_ID_LENGTH, OUT_OF_DATE
from bot.service.contacts import check_mailbox
from bot.service.lobby import build_table
from bot.service.workers.files import FileAsked, encode_export, read_game_file
from engine import Game
from tests.fuzz.grammar import PUMPS
from tests.fuzz.house import ANN, House, Press, presses
from tests.fuzz.judge import judge
from tests.fuzz.mails import POST, TOKEN
from tests.fuzz.readers import Reader
from tests.playthroughs import record

HEAD = f"From: Ann <ann@home.example>\nTo: {POST.make_reply_address(TOKEN)}\n".encode()


def test_parts_in_parts_are_refused_before_they_are_opened() -> None:
    """Python looks at every line once for each part that is open: 300 of them and 400,000 lines took 12 seconds."""
    opened = [b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(300)]
    for count, body in ((MAX_MULTIPARTS + 1, b"x\n"), (1, b"x\n" * (MAX_LINES + 1))):
        with pytest.raises(UnreadableError, match=r"too many parts|more than 20,000 lines"):
            parse_mail(HEAD + b"".join(opened[:count]) + b"\n" + body)
    assert parse_mail(HEAD + b"".join(opened[:MAX_MULTIPARTS]) + b"\nx\n").is_multipart()


@pytest.mark.parametrize(
    "charset", ["punycode", "PUNYCODE", "idna", "unicode_escape", "raw-unicode-escape", "undefined"]
)
def test_a_character_set_that_is_none_of_texts_is_not_used(charset: str) -> None:
    """Punycode takes quadratic time: 300 KB took 6 seconds."""
    mail = parse_mail(HEAD + f"Content-Type: text/plain; charset={charset}\n\n2\\u0031-a\n".encode())
    assert read_lines(mail)[0].text == "2\\u0031-a"


def test_text_around_a_quote_may_hold_signs_that_are_no_text() -> None:
    """Moving what follows a quote raised an error at the first sign that XML does not know."""
    page = b'Content-Type: text/html\n\n<p>pass<div class="moz-cite-prefix">Ann wrote</div>&#1;\x00\x02</p>'
    assert "pass" in [line.text for line in read_lines(parse_mail(HEAD + page))]


@pytest.mark.parametrize("mark", ["İ", "ı", "K", "ſ", "(İ)", "option ı", "٢", "²"])
def test_no_letter_of_another_alphabet_marks_a_choice(mark: str) -> None:
    """In any case İ is two letters, of which no number was to be had."""
    assert read_mark(mark) is None


@pytest.mark.parametrize(
    ("named", "other"), [("ſam@home.example", "sam@home.example"), ("ann@straße.example", "ann@strasse.example"),
                         ("\u212aim@home.example", "kim@home.example")]
)  # fmt: skip
def test_an_address_is_no_other_that_looks_alike_when_folded(named: str, other: str) -> None:
    """Whoever owns the one was taken for the other, and got the code that was meant for it."""
    with pytest.raises(BotError, match="isn't an e-mail address"):
        check_mailbox(named)
    assert find_origin(message_from_bytes(f"From: {named}\n\n".encode()), POST).sender != other
    result, domain = f"mx.games.example; dmarc=pass header.from={named}", other.rpartition("@")[2]
    message = message_from_bytes(f"Authentication-Results: {result}\n\n".encode())
    assert is_proven(message, ("mx.games.example",), domain) is named.endswith(domain)


@pytest.mark.parametrize("piece", PUMPS)
def test_a_choice_is_read_above_a_line_of_anything(piece: str) -> None:
    """Patterns went back and forth on lines of one sign."""
    text = piece.replace("\n", " ") * (1900 // len(piece))
    data = HEAD + b"Content-Type: text/plain; charset=utf-8\n\npass\n\n" + text.encode("utf-8", "replace")
    assert read_message(parse_mail(data)).lines[:1] == ("pass",)


def test_bounces_without_sense_are_sorted() -> None:
    """The library that knows the forms of older servers fails at a sender that is empty or in no character set."""
    own = f"To: {POST.make_bounce_address(12)}\n".encode()
    for head in (
        b"From: \n",
        b"From: MAILER-DAEMON@b.example\nSubject: \xe9\n",
        b"Content-Type: text/plain; charset=zlib\n",
    ):
        assert sort_mail(parse_mail(head + own + b"\n\xe9\n"), POST, (POST.make_bounce_address(12),)).letter == 12


@pytest.mark.parametrize(
    "zone", ["right/UTC", "posix/Europe/Berlin", "localtime", "posixrules", "Factory", "", "Europe/Berlin\x00"]
)
def test_a_zone_is_one_that_people_know(zone: str) -> None:
    """Others are those of the machine, or count leap seconds."""
    with pytest.raises(BotError, match="There is no time zone"):
        check_calls(Calls(zone=zone))


def test_a_privacy_that_no_menu_offers_is_refused() -> None:
    wish = NewTable("1860", 3, privacy="secret")  # type: ignore[arg-type]  # as typed at the terminal
    with pytest.raises(BotError, match="must be one of: open, invite"):
        build_table(ANN, wish, Home(), 0)


def test_a_long_name_in_a_file_does_not_stand_in_each_of_its_sentences() -> None:
    """A name of a megabyte, told with every move, filled the store."""
    kept = record.read("1860-2")
    data = encode_export(Game.replay(kept.setup, kept.read_log()[:20]), ("A" * 50_000, "B\u202e`"), "native")
    brought = read_game_file(FileAsked(data))
    assert [len(name) for name in brought.names] == [80, 1]
    assert max(len(told) for row in brought.rows for told in row.told) < 300


def test_an_order_in_an_id_leaves_room_for_a_larger_limit() -> None:
    assert _write_wish(_read_wish("bid;IOW;5;+>")) == "bid;IOW;5;+>"
    with pytest.raises(BotError, match=OUT_OF_DATE):
        _read_wish(f"bid;{'x' * MAX_WISH_LENGTH};5;")


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    opened = House()
    yield opened
    opened.close()


@pytest.mark.parametrize("verb", [*sorted(FORMS), "deputy", "order", "bidmost", "at", "say", "vote", "counter"])
def test_an_id_as_long_as_can_be_leads_to_no_longer_one(house: House, verb: str) -> None:
    """What it opens has a longer verb, or a number more."""
    for piece in ("1", "bid;A;1;", "x/", "tile."):
        text = f"v1|1|0|{verb}|{piece * 100}"[:MAX_CUSTOM_ID_LENGTH]
        form = {"components": [{"type": 18, "component": {"type": 4, "custom_id": "value", "value": "999999999"}}]}
        assert judge(Reader(house.press, presses), Press(text, form, ANN)).finding is None


def test_a_backup_with_zeros_in_it_is_refused_or_sound(house: House, tmp_path: Path) -> None:
    """A page of zeros is a table without values, at which looking for damage failed."""
    good, bad = tmp_path / "good.sqlite", tmp_path / "bad.sqlite"
    asyncio.run(back_up(str(house.open_store()), good))
    data, refused = good.read_bytes(), 0
    for at in (5100, 7600, 40_000, len(data) - 9000):
        bad.write_bytes(data[:at] + bytes(8192) + data[at + 8192 :])
        try:
            asyncio.run(restore_backup(str(tmp_path / f"{at}.sqlite"), bad))
        except BotError as refusal:
            refused += refusal.sentence.endswith(".")
    assert refused
