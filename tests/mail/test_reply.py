"""Replies of all mail programs and languages are read as meant, and no quoted choice ever is an order."""

import base64
import json
from pathlib import Path

import pytest

from tests.mail.letters import ADDRESS, HTML, MARKED, NAMED, PLAIN, TURN, mail, read_reply

REPLIES = Path(__file__).parent / "replies"
CLOSINGS = (Path(__file__).parent / "closings.txt").read_text("utf-8").splitlines()
SHARED = Path(__file__).parents[2].parent / "shared" / "mail" / "replies"

# What stands between the new text and the quote, the new text, and what was meant.
ABOVE_MARKED = [
    ("gmail-fr", "2", f"Le dim. 22 nov. 2026 à 09:14, Stationmaster <\n{ADDRESS}> a écrit :"),
    ("gmail-es", "2", f"El dom, 22 nov 2026 a las 9:14, Stationmaster (<{ADDRESS}>)\nescribió:"),
    ("gmail-it", "bid 20", f"Il giorno dom 22 nov 2026 alle ore 09:14 Stationmaster <\n{ADDRESS}> ha scritto:"),
    ("gmail-pt", "2", f"Em dom., 22 de nov. de 2026 às 09:14, Stationmaster <{ADDRESS}> escreveu:"),
    ("gmail-pl", "2", f"niedz., 22 lis 2026 o 09:14 Stationmaster <{ADDRESS}>\nnapisał(a):"),
    ("gmail-ja", "２", f"2026年11月22日(日) 9:14 Stationmaster <{ADDRESS}>:"),
    ("gmail-ko", "2", f"2026년 11월 22일 (일) 오전 9:14, Stationmaster <{ADDRESS}>님이 작성:"),
    ("gmail-zh", "2", f"Stationmaster <{ADDRESS}> 于2026年11月22日周日 09:14写道："),
    ("gmail-ru", "2", f"вс, 22 нояб. 2026 г. в 09:14, Stationmaster <{ADDRESS}>:"),
    ("gmail-tr", "2", f"Stationmaster <{ADDRESS}>, 22 Kas 2026 Paz,\n09:14 tarihinde şunu yazdı:"),
    ("gmail-cs", "2", f"ne 22. 11. 2026 v 9:14 odesílatel Stationmaster <{ADDRESS}> napsal:"),
    ("gmail-hu", "2", f"Stationmaster <{ADDRESS}> ezt írta (időpont: 2026. nov. 22., V, 9:14):"),
    ("gmail-fi", "2", f"su 22. marrask. 2026 klo 9.14 Stationmaster ({ADDRESS})\nkirjoitti:"),
    ("gmail-sv", "2", f"Den sön 22 nov. 2026 kl 09:14 skrev Stationmaster <{ADDRESS}>:"),
    ("gmail-da", "2", f"Den søn. 22. nov. 2026 kl. 09.14 skrev Stationmaster <{ADDRESS}>:"),
    ("gmail-uk", "2", f"нд, 22 лист. 2026 р. о 09:14 Stationmaster <{ADDRESS}> пише:"),
    ("gmail-el", "2", f"Στις Κυρ 22 Νοε 2026 στις 9:14 π.μ., ο χρήστης Stationmaster <{ADDRESS}>\nέγραψε:"),
    ("gmail-he", "2", f"\u202bב-22 בנוב׳ 2026 ב-9:14 מאת \u202aStationmaster\u202c <\u202a{ADDRESS}\u202c>:\u202c"),
    ("gmail-vi", "2", f"Vào CN, 22 thg 11, 2026 vào lúc 09:14 Stationmaster <{ADDRESS}> đã viết:"),
    ("thunderbird-fr", "2", "Le 22/11/2026 à 09:14, Stationmaster a écrit :"),
    ("roundcube-de", "2", "Am 22.11.2026 09:14, schrieb Stationmaster:"),
    ("yandex-ru", "2", f'22.11.2026, 09:14, "Stationmaster" <{ADDRESS}>:'),
    ("mail-ru", "2", f"Воскресенье, 22 ноября 2026, 9:14 +03:00 от Stationmaster <{ADDRESS}>:"),
    ("no-address", "2", "On 22 Nov 2026, at 09:14, Stationmaster wrote:"),
    ("no-moment", "2", "Stationmaster schreef:"),
]  # fmt: skip
SIGNED = [
    ("fr-iphone", "2\n\nEnvoyé de mon iPhone", ("2",)),
    ("es-iphone", "pass\n\nEnviado desde mi iPhone", ("pass",)),
    ("it-gruss", "2\n\nCordiali saluti\nGiulia Rossi\nvia Roma 1", ("2",)),
    ("pl-gruss", "2\n\nPozdrawiam,\nPaweł", ("2",)),
    ("ja-gruss", "2\n\nよろしくお願いします。\n田中", ("2",)),
    ("zh-iphone", "2\n\n发自我的iPhone", ("2",)),
    ("nl-gruss", "best, pay\n\nMet vriendelijke groet,\nJan", ("best, pay",)),
    ("ru-gruss", "2\n\nС уважением,\nИван", ("2",)),
    ("pt-android", "2\n\nEnviado do meu Galaxy", ("2",)),
    ("name-only", "2\n\nAnn", ("2",)),
    ("name-below", "2\nAnn", ("2",)),
    ("full-name", "bid 20\n\nPierre Dupont\n+33 6 12 34 56 78", ("bid 20",)),
    ("greeted", "Hallo Stationmaster,\n\n2\n\nDanke!", ("2",)),
    ("three-orders", "best\npay\n\nno train", ("best", "pay", "no train")),
    ("best-is-an-order", "best", ("best",)),
    ("best-is-a-greeting", "2\n\nBest,\nAnn", ("2",)),
    ("bracketed", "(2)", ("(2)",)),
    ("name-behind", "2, Ann", ("2",)),
    ("names-behind-a-word", "pass - Ann Alder", ("pass",)),
    ("another-name-behind", "pass, Bob", ("pass, Bob",)),
    ("best-above-a-name", "2\nBest\nAnn", ("2",)),
    ("best-above-an-order", "pay\nBest\npass", ("pay", "Best", "pass")),
]
BLOCKS = {
    "fr": ("De : ", "Envoyé : dimanche 22 novembre 2026 09:14", "À : Ann", "Objet : [1860 #7] Your turn"),
    "es": ("De: ", "Enviado: domingo, 22 de noviembre de 2026 9:14", "Para: Ann", "Asunto: [1860 #7] Your turn"),
    "it": ("Da: ", "Inviato: domenica 22 novembre 2026 09:14", "A: Ann", "Oggetto: [1860 #7] Your turn"),
    "pl": ("Od: ", "Wysłano: niedziela, 22 listopada 2026 09:14", "Do: Ann", "Temat: [1860 #7] Your turn"),
    "ja": ("差出人: ", "送信日時: 2026年11月22日 9:14", "宛先: Ann", "件名: [1860 #7] Your turn"),
    "zh": ("发件人：", "发送时间：2026年11月22日 9:14", "收件人：Ann", "主题：[1860 #7] Your turn"),
    "ru": ("От: ", "Отправлено: 22 ноября 2026 г. 9:14", "Кому: Ann", "Тема: [1860 #7] Your turn"),
    "sv": ("Från: ", "Skickat: den 22 november 2026 09:14", "Till: Ann", "Ämne: [1860 #7] Your turn"),
    "bold": ("*From:* ", "*Sent:* Sunday, November 22, 2026 9:14 AM", "*To:* Ann", "*Subject:* [1860 #7] Your turn"),
}


def read(data: bytes) -> tuple[str, ...]:
    """Return the lines that a reply is taken to say."""
    return read_reply(data, TURN).lines


@pytest.mark.parametrize(("text", "said"), [pytest.param(b, a, id=n) for n, a, b in ABOVE_MARKED])
def test_a_quote_is_known_by_its_marks_whatever_the_words_above_it(text: str, said: str) -> None:
    """Above, below or without marks: what the writer added is read, and nothing else."""
    meant = ("2",) if said == "２" else (said,)
    assert read(mail(f"{said}\n\n{text}\n\n{MARKED}\n")) == meant
    assert read(mail(f"{text}\n\n{MARKED}\n\n{said}\n")) == meant
    assert read(mail(f"{said}\n\n{text}\n\n{PLAIN}\n")) == meant
    assert read(mail(f"{text}\n\n{PLAIN}\n")) == ()
    assert read_reply(mail(f"{text}\n\n{PLAIN}\n")).lines == ()


@pytest.mark.parametrize("text", [pytest.param(b, id=n) for n, _, b in ABOVE_MARKED[::4]])
def test_an_answer_between_the_quoted_lines_is_read(text: str) -> None:
    """Who answers below the line that is meant has answered."""
    first, rest = MARKED.split("\n", maxsplit=1)
    assert read(mail(f"{text}\n{first}\n\nbest, pay\n\n{rest}\n")) == ("best, pay",)


@pytest.mark.parametrize("language", BLOCKS)
def test_a_block_of_headers_begins_the_mail_before(language: str) -> None:
    """Outlook quotes without any mark, below a block of headers in its own language."""
    sender, *more = BLOCKS[language]
    block = "\n".join([f"{sender}{NAMED}", *more])
    for rule in ("", "________________________________\n", "-----Message d'origine-----\n"):
        assert read(mail(f"2\n\n{rule}{block}\n\n{PLAIN}\n")) == ("2",)
        assert read_reply(mail(f"\n\n{rule}{block}\n\n{PLAIN}\n")).lines == ()
    bold = "<br>".join(f"<b>{line.partition(':')[0]}:</b>{line.partition(':')[2]}" for line in block.splitlines())
    assert read(mail("", f"<html><body><p>2</p><div><p>{bold}</p></div>{HTML}</body></html>")) == ("2",)


@pytest.mark.parametrize(("text", "meant"), [pytest.param(a, b, id=n) for n, a, b in SIGNED])
def test_greetings_and_signatures_are_no_orders(text: str, meant: tuple[str, ...]) -> None:
    """Whatever ends a mail, in many languages, ends what is read of it."""
    assert read(mail(f"{text}\n\n{ABOVE_MARKED[0][2]}\n{MARKED}\n")) == meant
    assert read(mail(text)) == meant


def test_html_only_mail_is_read_without_its_quotes() -> None:
    """Each program marks its quote in a way of its own."""
    quotes = [
        f'<div class="gmail_quote"><div class="gmail_attr">On … wrote:</div><blockquote>{HTML}</blockquote></div>',
        f'<blockquote type="cite"><div>{HTML}</div></blockquote>',
        f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>De:</b> {ADDRESS}</div>{HTML}',
        f'<div name="quote">{HTML}</div>',
        f'<div class="yahoo_quoted">{HTML}</div>',
        f'<div class="protonmail_quote">On … wrote:<blockquote>{HTML}</blockquote></div>',
        f'<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> x</p></div>{HTML}',
    ]
    for quote in quotes:
        assert read_reply(mail("", f"<html><body><div>best,&nbsp;pay</div>{quote}</body></html>")).lines == (
            "best, pay",
        )
        assert read_reply(mail("", f"<html><body><div><br></div>{quote}</body></html>")).lines == ()


def test_nothing_is_read_of_a_mail_that_only_quotes() -> None:
    """An empty reply is no order, however its program quotes, and even with no word above the quote."""
    for text in (
        MARKED,
        PLAIN,
        f"\n\n{PLAIN}",
        f"-----Original-Nachricht-----\n{PLAIN}",
        f"\n\nSent from my iPad\n\n{MARKED}",
    ):
        assert read(mail(text)) == ()
    wrapped = "> 1  Best run 210 over the whole of the island and back again, with both trains\n2\n> 3  No run"
    assert read(mail(f"{ABOVE_MARKED[0][2]}\n{wrapped}")) == ()


def test_signs_of_all_scripts_and_character_sets_are_read() -> None:
    """A keycap, a full-width digit, a blank that does not break: all are the same 2."""
    for sign in ("2\ufe0f\u20e3", "２", "\u200b2\u200b", "\u202a2\u202c", "\u00a02\u00a0", "②"):
        assert read(mail(f"{sign}\n\n{MARKED}")) == ("2",)
    for kind in ("iso-2022-jp", "shift_jis", "koi8-r", "windows-1252", "gb2312"):
        assert read(mail("bid 20", kind=kind)) == ("bid 20",)


def test_hostile_mails_are_refused_in_a_sentence() -> None:
    """Too large, too many parts, no text, an unknown character set: never an error, never an order."""
    parts = "".join("--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" for _ in range(3000))
    nested = f"Content-Type: multipart/mixed; boundary=x\r\n\r\n{parts}".encode()
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(300))
    image = b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(b"x" * 999)
    for data in (b"x" * ((1 << 20) + 1), nested, deep, image):
        assert read_reply(data).lines == ()
        assert read_reply(data).why
    odd = b"Content-Type: text/plain; charset=x-nowhere\r\n\r\n2\r\n"
    assert read_reply(odd).lines == ("2",)
    for data in (
        b"",
        b"\x00" * 99,
        mail("", "<blockquote>" * 5000 + "2"),
        mail("On " * 33000),
        mail("From: a@b.c\n" * 3000),
    ):
        assert "2" not in read_reply(data).lines


def test_replies_of_many_programs_in_many_languages_are_read_as_meant() -> None:
    """195 replies, made without a look at the parser: texts, pages, character sets, forwards, clauses, no word."""
    expected = json.loads((REPLIES / "expected.json").read_text("utf-8"))
    assert len(expected) == len(list(REPLIES.glob("*.eml"))) > 100
    for sent in ((), TURN):
        found = {name: list(read_reply((REPLIES / name).read_bytes(), sent).lines) for name in expected}
        assert found == expected


def test_the_closing_of_a_mail_is_neither_order_nor_remark() -> None:
    """Wishes, names, cards of offices, in thirty languages, none of them marked as a signature."""
    assert len(CLOSINGS) > 90
    for closing in CLOSINGS:
        text = "2\n\n" + closing.replace(" ¶ ", "\n")
        assert read(mail(f"{text}\n\n{ABOVE_MARKED[0][2]}\n\n{MARKED}\n")) == ("2",), closing


@pytest.mark.parametrize("remark", ["Sorry, I was on holiday", "Nice move, Bob!", "War im Urlaub", "J'étais absent"])
def test_a_remark_below_an_order_is_kept_and_reported(remark: str) -> None:
    """What is not read must be said, so that no one waits for it."""
    assert read(mail(f"2\n\n{remark}\n\nAnn\n\n{ABOVE_MARKED[0][2]}\n\n{MARKED}\n")) == ("2", remark)


@pytest.mark.recorded
@pytest.mark.skipif(not SHARED.exists(), reason="no ../shared/mail")
def test_all_replies_of_the_collection_are_read_as_meant() -> None:
    """46 replies of 14 programs in three languages."""
    expected = json.loads((SHARED / "expected.json").read_text("utf-8"))
    assert len(expected) == 46
    for name, lines in expected.items():
        assert list(read_reply((SHARED / name).read_bytes()).lines) == lines, name
