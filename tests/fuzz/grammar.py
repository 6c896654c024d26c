"""Strategies made from grammars: what is valid, what nearly is, what was changed, and what no one should send."""

import re
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T", str, bytes)
NASTY = (
    "\x00", "\ud83d", "\udcff", "\u202e", "\u200b\u200d\ufeff", "\u0663", "\U0001d7d9", "\u2460", "\uff11", "²", "İ",
    "ı",
    "ß", "ﬁ", "\u0345", "-", "+", "−", "-1", "+1", "0x1f", "1_0", "1e9", "01", "NaN", "Infinity", "9" * 20, "9" * 5000,
    "2147483648", "-2147483649", "9223372036854775808", "%s%n", "{0}{99}", "../..", "C:\\", "'; DROP TABLE game; --",
    "<@&1> @everyone", "`", "```", "|", "~", ";", "=", ".", "*", "[", "(", '"', "“", "\\", "\r\n", "\n\n", "\t",
    "\x1b[0m",
    "\x7f", "\u2028", "💥", "🙂", "a\u0301", "́", " ", "  ",
)  # fmt: skip
"""Letters, signs and numbers that a reader may take for something else, or choke on."""
PUMPS = (
    "a", "A.", "1", "1,", "1 ", "-", "=", "*", ".", ",", " ", "\t", "(", "[", "{", "<", '"', ":", "::x", "a@", "a.b@",
    "/",
    "\\", "|", "~", "#", "#1 ", "🙂", "İ", "ß", "é", "no ", "ok ", "if a ", "x:1 ", 'x:"', "a=b ", "–", "F2-", "&#0;",
    "&", "%",
    "=?", "=?utf-8?q?a?= ", "\n", "\n\n", "> ", "--", "\ud83d", "\u0663", "a-b ", "10% ", "1.1.", "]", ")", "}", ";",
    "'",
)  # fmt: skip
"""What is said over and over, so that a reader whose time grows faster than its input shows it."""


@st.composite
def pump(draw: st.DrawFn, most: int, base: st.SearchStrategy[str]) -> str:
    """Draw a text of at most so many characters in which one piece, or two in turn, stand again and again."""
    head, tail = draw(base), draw(st.one_of(st.just(""), st.just("x"), base))
    piece = draw(st.sampled_from(PUMPS) | st.tuples(st.sampled_from(PUMPS), st.sampled_from(PUMPS)).map("".join))
    room = max(most - len(head) - len(tail), 0)
    count = draw(st.sampled_from((room, room // 2, room // 8, 40))) // len(piece)
    return f"{head}{piece * count}{tail}"[:most]


@st.composite
def mutate(draw: st.DrawFn, base: st.SearchStrategy[str]) -> str:
    """Draw a text of a grammar with one to four changes."""
    text = draw(base)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        to = min(len(text), at + draw(st.integers(0, 8)))
        new = draw(st.sampled_from(NASTY) | st.text(max_size=3) | st.just("") | st.just(text[at:to] * 2))
        text = draw(st.sampled_from((text[:at] + new + text[to:], text[:at] + new + text[at:])))
    return text


def any_text(most: int) -> st.SearchStrategy[str]:
    """Return texts of all letters that Python knows, halves of pairs among them."""
    some = st.text(st.characters(codec=None, exclude_categories=()), max_size=min(most, 60))
    return st.one_of(some, st.lists(st.sampled_from(NASTY), max_size=6).map("".join)).map(lambda text: text[:most])


def around(valid: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    """Return texts of a grammar and all around it; ``most`` is what the front lets through, and a little more."""
    return st.one_of(valid, mutate(valid), mutate(valid), pump(most, valid | st.just("")), any_text(most))


def matching(pattern: "str | re.Pattern[str]") -> st.SearchStrategy[str]:
    """Return texts that a pattern matches as a whole."""
    return st.from_regex(pattern, fullmatch=True)


@st.composite
def mutate_bytes(draw: st.DrawFn, base: st.SearchStrategy[bytes]) -> bytes:
    """Draw bytes with one to six changes: cut, doubled, another byte, a nasty piece."""
    data = draw(base)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.sampled_from((0, 1, 1, 2, 8, 200, 5000))))
        nasty = st.sampled_from([each.encode("utf-8", "surrogatepass") for each in NASTY])
        new = draw(nasty | st.binary(max_size=3) | st.just(data[at:to] * 2) | st.just(b""))
        data = data[:at] + new + data[to:]
    return data


@st.composite
def json_values(draw: st.DrawFn) -> object:
    """Draw what may stand in JSON, nested."""
    leaf = st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(-5, 200), st.floats(allow_nan=False),
        st.sampled_from(NASTY),
        st.text(max_size=8),
    )  # fmt: skip
    return draw(
        st.recursive(
            leaf, lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=6), each, max_size=4)
        )
    )
