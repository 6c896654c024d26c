"""What mail servers write about senders, as they publish it: the true ones are proven, forged ones are not.

``results.txt`` has fields of real servers with the place where each was published, and some that are constructed.
"""

from collections.abc import Iterator
from email import message_from_string
from email.utils import parseaddr
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.mail.proof import Results, is_proven, list_results, name_servers, parse_results

PUBLISHED_SERVERS = 21
"""Kinds of servers whose results are published samples."""


class Sample(NamedTuple):
    """The fields of one mail."""

    name: str
    servers: tuple[str, ...]
    is_proven: bool
    source: str
    head: str


def read_samples() -> Iterator[Sample]:
    """Yield the samples of the file."""
    text = Path(__file__).with_name("results.txt").read_text(encoding="utf-8")
    for block in text.split("== ")[1:]:
        title, _, head = block.partition("\n")
        name, servers, proven, source = title.split(" | ")
        yield Sample(name, tuple(servers.split(",")), proven == "proven", source, head.strip() + "\n\n")


SAMPLES = [*read_samples()]


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{each.name}-{each.is_proven}" for each in SAMPLES])
def test_results_prove_the_true_sender_and_no_other(sample: Sample) -> None:
    message = message_from_string(sample.head)
    domain = parseaddr(str(message["From"]))[1].rpartition("@")[2]
    assert is_proven(message, sample.servers, domain) is sample.is_proven, sample.source
    assert not is_proven(message, sample.servers, "bank.example")
    assert not is_proven(message, (), domain), "no one is trusted"
    assert not is_proven(message, ("mx.other.example",), domain), "another's server"


def test_samples_are_of_many_servers_and_name_their_sources() -> None:
    published = [each for each in SAMPLES if each.source != "constructed"]
    assert all(each.source.startswith("github.com/") for each in published)
    assert len({each.name for each in published if each.is_proven}) >= PUBLISHED_SERVERS
    assert sum(not each.is_proven for each in published) >= 15


def test_results_are_read_to_the_next_server_and_no_further() -> None:
    head = (
        "Received: a\nAuthentication-Results: x; spf=pass\nX-A: b\nAuthentication-Results: y; dkim=none\nReceived: c\n"
    )
    message = message_from_string(f"{head}Authentication-Results: z; dmarc=pass\n\n")
    assert [each.server for each in list_results(message)] == ["x", "y"]
    assert parse_results("").server == ""
    assert parse_results("spf=pass smtp.mailfrom=a").server == "-"


@pytest.mark.parametrize("sample", [each for each in SAMPLES if each.servers != ("-",)], ids=lambda each: each.name)
def test_the_name_that_is_learned_from_a_mail_proves_others(sample: Sample) -> None:
    """``doctor --mail`` writes it among the settings: one for servers with numbers, or with a name for each method."""
    message = message_from_string(sample.head)
    domain = parseaddr(str(message["From"]))[1].rpartition("@")[2]
    learned = name_servers(list_results(message))
    if sample.is_proven:
        assert is_proven(message, (learned,), domain), learned
    for server in sample.servers if sample.is_proven else ():
        assert learned == server or not server.startswith("*"), learned


def test_servers_of_no_known_domain_stand_for_themselves() -> None:
    for name in ("mx1.games.example", "163.com", "co.uk", "disroot.org"):
        assert name_servers([Results(name, ())]) == name
    assert name_servers([Results("mx1.mail.de", ())]) == "*.mail.de"
