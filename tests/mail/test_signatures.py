"""Where no server of ours has looked, the sender is proven by the signature of their mail, which we check."""

import base64
import random
import time

import dkim
import pytest

from bot.mail.clerk import Clerk, Trust
from bot.mail.proof import is_signed
from tests.mail.conftest import POST, Begun, version

MAIL = b"From: <p1@home.co.uk>\r\nTo: <turns@games.example>\r\nMessage-ID: <1@home.co.uk>\r\n\r\n2\r\n"
POLICY = "v=DMARC1; p=reject"


def _prime(chance: random.Random) -> int:
    """Return a prime of 512 bits, good enough for a test."""
    while True:
        found = chance.getrandbits(512) | (3 << 510) | 1
        if pow(2, found - 1, found) == 1 and found % 65537 != 1:
            return found


def _der(kind: int, data: bytes) -> bytes:
    length = len(data).to_bytes((len(data).bit_length() + 7) // 8 or 1, "big")
    return bytes([kind]) + (bytes([len(data)]) if len(data) < 128 else bytes([0x80 | len(length)]) + length) + data


def _whole(number: int) -> bytes:
    return _der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


@pytest.fixture(scope="module")
def keys() -> tuple[bytes, str]:
    """A pair: the private key as a signer has it, and the record that the DNS has of the public one."""
    chance = random.Random(1860)  # noqa: S311  # a key of a test
    p, q, e = _prime(chance), _prime(chance), 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    parts = (0, p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    private = base64.encodebytes(_der(0x30, b"".join(_whole(each) for each in parts)))
    named = b"RSA PRIVATE" + b" KEY"
    pem = b"-----BEGIN " + named + b"-----\n" + private + b"-----END " + named + b"-----\n"
    rsa = _der(0x30, _der(6, bytes.fromhex("2a864886f70d010101")) + b"\x05\x00")
    public = _der(0x30, rsa + _der(3, b"\x00" + _der(0x30, _whole(p * q) + _whole(e))))
    return pem, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


class Names:
    """A DNS that knows what it was told."""

    def __init__(self, records: dict[str, str]) -> None:
        self.records = records

    def __call__(self, name: str | bytes, timeout: float = 5) -> str | None:
        """Return the TXT record of a name."""
        del timeout
        asked = name.decode() if isinstance(name, bytes) else name
        return self.records.get(asked.rstrip("."))


def sign_mail(mail: bytes, private: bytes, domain: str, *, partly: bool = False) -> bytes:
    """Return a mail with a signature of a domain; ``partly`` it says how much of the text it is about."""
    signature: bytes = dkim.sign(mail, b"s", domain.encode(), private, length=partly)
    return signature + mail


def test_a_signature_of_the_senders_domain_proves_and_nothing_else_does(keys: tuple[bytes, str]) -> None:
    """Whole, of the same people, with a policy: each is needed."""
    private, public = keys
    names = Names(
        {
            "s._domainkey.home.co.uk": public,
            "s._domainkey.mx.home.co.uk": public,
            "s._domainkey.evil.co.uk": public,
            "s._domainkey.co.uk": public,
            "_dmarc.home.co.uk": POLICY,
        }
    )
    good = sign_mail(MAIL, private, "home.co.uk")
    assert is_signed(good, "home.co.uk", names)
    assert is_signed(sign_mail(MAIL, private, "mx.home.co.uk"), "home.co.uk", names)
    assert is_signed(sign_mail(good, private, "evil.co.uk"), "home.co.uk", names), "a list may have signed it too"
    assert not is_signed(MAIL, "home.co.uk", names)
    assert not is_signed(good.replace(b"\r\n2\r\n", b"\r\n3\r\n"), "home.co.uk", names)
    assert not is_signed(good.replace(b"<p1@home.co.uk>", b"<p2@home.co.uk>"), "home.co.uk", names)
    assert not is_signed(sign_mail(MAIL, private, "evil.co.uk"), "home.co.uk", names)
    assert not is_signed(sign_mail(MAIL, private, "co.uk"), "home.co.uk", names), "others live there too"
    assert not is_signed(sign_mail(MAIL, private, "home.co.uk", partly=True) + b"3\r\n", "home.co.uk", names)
    assert is_signed(good, "home.co.uk", Names({"s._domainkey.home.co.uk": public})), "needs no policy"
    assert not is_signed(good, "home.co.uk", Names({"_dmarc.home.co.uk": POLICY})), "no key"
    for hostile in (b"", b"\x00" * 99, b"DKIM-Signature: x\r\n" * 500 + MAIL, b"From: \r\n" + good):
        assert not is_signed(hostile, "home.co.uk", names)


def test_under_an_ending_that_no_one_lists_only_the_domain_itself_signs(keys: tuple[bytes, str]) -> None:
    """Of "games.example" and "evil.example" no one can return whether they belong together, so they do not."""
    private, public = keys
    mail = MAIL.replace(b"home.co.uk", b"home.example")
    names = Names(
        {
            "s._domainkey.home.example": public,
            "s._domainkey.evil.example": public,
            "_dmarc.home.example": POLICY,
            "_dmarc.example": POLICY,
        }
    )
    assert is_signed(sign_mail(mail, private, "home.example"), "home.example", names)
    assert not is_signed(sign_mail(mail, private, "evil.example"), "home.example", names)


async def test_a_reply_without_results_of_a_server_is_believed_by_its_signature(
    begun: Begun, keys: tuple[bytes, str]
) -> None:
    """Brought by LMTP: signed it is played, forged it waits for a code; results that came with it count for nothing."""
    mails, game, first, _ = begun
    private, public = keys
    names = Names({"s._domainkey.home.example": public, "_dmarc.home.example": POLICY})
    clerk = Clerk(mails.services, POST, Trust(look=lambda data, domain: is_signed(data, domain, names)))
    reply = mails.reply(first, "B").replace(b"\n", b"\r\n")
    assert await clerk.receive(reply) == "answered"
    assert await version(mails, game) == 0
    unproven = mails.reply(first, "B", proof="").replace(b"\n", b"\r\n")
    assert await clerk.receive(sign_mail(unproven, private, "home.example")) == "answered"
    assert await version(mails, game) == 1


def _encode_name(name: str | bytes) -> bytes:
    return name if isinstance(name, bytes) else name.encode()


def test_endless_blanks_do_not_keep_the_library_busy(keys: tuple[bytes, str]) -> None:
    """900 kB of blanks took minutes, in which no other thread runs: a mail that no one writes is not proven."""
    head = (
        b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=home.co.uk; s=s; h=from; bh=aaaa; b=bbbb\r\n" + MAIL
    )
    for blanks in (b" " * 50_000, b" \t" * 25_000, (b" " * 998 + b"x\r\n") * 900):
        at = time.process_time()
        assert not is_signed(
            head + blanks, "home.co.uk", lambda name, **_: POLICY if b"_dmarc" in _encode_name(name) else keys[1]
        )
        assert time.process_time() - at < 0.3
