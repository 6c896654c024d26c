"""The list of sentences is complete, and the lint finds each kind."""

from pathlib import Path

import pytest

from tests.sentences.collect import Sentence, collect_sentences
from tests.sentences.lint import KINDS, find_hits

EXAMPLES = {
    "a clause as subject": "Only who asked may withdraw it.",
    "what or where as subject": "Where all agree the lot is sold.",
    "tell, say": "Tell how the bot is.",
    "somebody, nobody": "Nobody calls you.",
    "by itself": "The bot does that by itself.",
    "a filler": "The table is opened anew.",
    "are the most": "20,000 are the most.",
    "to be had": "A 2+1 is not to be had yet.",
    "is to (must)": "IOW is to buy a train.",
    "is no (isn't a)": "This is no game log.",
    "a verb as noun": "No answer within a day is a no.",
    "cannot, will not": "You cannot pass.",
    "10 %": "a share of 10 %",
    "a sum without its comma": "ECR ran for £1270.",
    "of whom": "the player of whom it was asked",
    "a roundabout operator": "Those who run this server have paused its games.",
    "hyphen for a range": "a game for 3-6 players",
    "no for not": "Sales move no price.",
    "runs for the most": "The company runs for the most.",
    "at which (at what)": "At which price?",
    "all is (all of it is)": "All is kept, so the price falls.",
    "a rule without its verb": "Down one space for each share.",
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_found(kind: str) -> None:
    assert kind in [hit.kind for hit in find_hits([Sentence("a.py:1", EXAMPLES[kind])])]


def test_plain_sentences_pass() -> None:
    plain = ("Games survive a player dropping out.", "Who starts?", "Pick the player who starts.", "You can't pass.")
    assert find_hits([Sentence("a.py:1", text) for text in plain]) == []


def test_code_data_and_documents_are_read(tmp_path: Path) -> None:
    for folder in ("engine/titles/g9/data", "render", "bot/store", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "engine/a.py").write_text(
        '"""A module."""\n\nclass Buy:\n    """Buy a share."""\n\n    verb = "buy"\nx = f"{name} has {c:>{w}}."\n'
    )
    (tmp_path / "bot/b.py").write_text(
        'x = (\n    "One sentence "\n    "in two parts."\n)\ny = r"\\d+ and more"\nz = "SELECT a FROM b"\n'
    )
    (tmp_path / "bot/store/migrations.py").write_text('x = "read by no one"\n')
    (tmp_path / "engine/titles/g9/data/rules.toml").write_text('text = "First rule. Second rule."\n')
    (tmp_path / "docs/d.md").write_text(
        "# A heading here\n\nOne sentence\nover lines. Another one.\n\n```\nnot this code\n```\n"
    )
    (tmp_path / "first.md").write_text("Read me first.\n")
    assert [tuple(each) for each in collect_sentences(tmp_path)] == [
        ("engine/a.py:3", "Buy a share."),
        ("engine/a.py:7", "{name} has {c}."),
        ("bot/b.py:2", "One sentence in two parts."),
        ("engine/titles/g9/data/rules.toml:1", "First rule."),
        ("engine/titles/g9/data/rules.toml:1", "Second rule."),
        ("first.md:1", "Read me first."),
        ("docs/d.md:1", "A heading here"),
        ("docs/d.md:3", "One sentence over lines."),
        ("docs/d.md:3", "Another one."),
    ]
