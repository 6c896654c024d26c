"""What a game asks names the players, wherever it is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.components import escape_markdown, format_marks
from bot.model.errors import BotError, explain_error
from bot.model.plain import MAX_NAME_LENGTH, render_marks, thread_mark, tidy_name, tidy_person
from engine import UnreadableLogError
from engine.title import Ask
from tests.bot.test_local import evening
from tests.support.settings import BareSettings


def test_an_ask_names_seats_by_their_number() -> None:
    ask = Ask((1,), "{0} asks {1}", "answer {0}", ("{1} has 5.", "{7} is nobody, {x} neither."))
    named = ask.insert_names(("Ann", "Bob"))
    assert (named.headline, named.kind) == ("Ann asks Bob", "answer Ann")
    assert named.lines == ("Bob has 5.", "{7} is nobody, {x} neither.")


async def test_the_local_table_names_the_leader_of_an_auction(tmp_path: Path) -> None:
    settings = BareSettings(
        database=str(tmp_path / "store.sqlite"),
        pictures=tmp_path / "pictures",
    )
    new = '/game new title:steel_driver options:first=host players:"Ann, Bob, Cid"'
    said = await evening(settings, new, "/act bid company:red amount:3", "/rules now", "/act menu")
    assert said.count("Ann leads with 3 of 10 cubes. You have 10 cubes; still in: Cid has 10.") == 2
    assert "{" not in said


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("[click](https://evil.example)", "(click)(https evil.example)"),
        ("https://evil.example/x", "https evil.example/x"),
        ("<https://evil.example>", "https evil.example"),
        ("<@123> @everyone <#4>", "123 everyone #4"),
        ("||spoiler|| **bold** `code`", "spoiler bold code"),
        ("# Heading", "Heading"),
        ("-# small", "small"),
        ("> quote", "quote"),
        ("back\\slash", "backslash"),
        ("[thread:123]", "(thread:123)"),
        ("\u202egpj.exe\x00", "gpj.exe"),
        ("two\nlines\ttabbed", "two lines tabbed"),
        ("  ", "Someone"),
        ("**", "Someone"),
        ("[CLAN] Zoë O'Neill", "(CLAN) Zoë O'Neill"),
    ],
)
def test_nothing_in_a_name_is_formatted_linked_or_rung(typed: str, shown: str) -> None:
    assert tidy_name(typed, "Someone") == shown


def test_names_of_people_have_no_commas_so_that_lists_of_names_can_be_told_apart() -> None:
    assert tidy_person("Smith, John") == "Smith John"
    assert tidy_person(",") == "Someone"
    assert tidy_name("Friday, 8 pm", "") == "Friday, 8 pm", "a table may have them"


@given(st.text(max_size=200))
def test_a_name_made_tidy_is_one_short_line_that_stays_as_it_is(typed: str) -> None:
    name = tidy_name(typed, "Someone")
    assert 1 <= len(name) <= MAX_NAME_LENGTH
    assert tidy_name(name, "Someone") == name
    assert "](" not in name
    assert "://" not in name


def test_each_front_turns_the_marks_of_the_service_into_its_own_form() -> None:
    text = f"(/game list) shows #7 · {thread_mark('123')}. Looking is free: /view map. /game join game:7 takes a seat."
    assert format_marks(text) == (
        "(**/game list**) shows #7 · <#123>. Looking is free: **/view map**. **/game join game:7** takes a seat."
    )
    assert format_marks('Say /game clock set:"by pace" then.') == 'Say **/game clock set:"by pace"** then.'
    assert format_marks("/game vote game:1 which:3.") == "**/game vote game:1 which:3**."
    assert render_marks(text, str, lambda _: "its thread").startswith("(/game list) shows #7 · its thread.")
    assert (
        format_marks("either/or, 1/2, https://a.example/game start") == "either/or, 1/2, https://a.example/game start"
    )


def test_a_refusal_is_shown_letter_by_letter() -> None:
    said = "There is no game “[click](https://evil.example) <@1> **b** ||s|| a_b _x_”."
    shown = escape_markdown(said)
    assert shown == (
        "There is no game “\\[click](https:\u200b//evil.example) \\<\\@1> \\*\\*b\\*\\* \\|\\|s\\|\\| a_b \\_x\\_”."
    )
    assert escape_markdown("> no\n# head\n- item") == "\\> no\n\\# head\n\\- item"


@pytest.mark.parametrize("noise", ["\x00", "\x1b[31m", "\u202e", "\u2066", "\x9b"])
def test_a_refusal_echoes_no_control_characters(noise: str) -> None:
    for error in (BotError(f"No “{noise}x” here."), UnreadableLogError(f"No “{noise}x” here.")):
        sentence = explain_error(error)
        assert sentence is not None
        assert noise not in sentence
        assert "x” here." in sentence
