"""How mail programs and people begin and end what they write, in many languages, and the words of orders.

The words are in ``words.toml``; what they are part of is here and in ``choices`` and ``orders``. Structure goes before
words (see ``reply``); these only take away what is left.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from engine import TITLES
from engine.words import list_parameters

WORDS = {
    kind: tuple(word for words in languages.values() for word in words)
    for kind, languages in tomllib.loads((files("bot.mail") / "words.toml").read_text("utf-8")).items()
}
"""Words by their kind, each a regular expression."""


def join_words(kind: str) -> str:
    """Return the words of a kind as alternatives of a regular expression."""
    return "|".join(WORDS[kind])


MAX_REACH = 120
"""Letters that an expression looks ahead: a mail of one word, repeated, would else take the square of its length."""
_GOES_ON = re.compile(r" (?:\(\?[!=].*\))?$")
"""How an expression ends behind which another word must follow."""


def find_words(*kinds: str, before: str = r"(?<![\w'&+/%])") -> re.Pattern[str]:
    """Return what finds the words of these kinds anywhere, as whole words, the longest first."""
    words = sorted((word for kind in kinds for word in WORDS[kind]), key=len, reverse=True)
    ends = "|".join(word if _GOES_ON.search(word) else rf"(?:{word})(?![\w'&+/%])" for word in words)
    return re.compile(rf"{before}(?:{ends})".replace("]*", f"]{{0,{MAX_REACH}}}"), re.IGNORECASE)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


PRODUCTS = _compile(rf"\b(?:{join_words('product')})\b|{join_words('product_within')}")
SENT = _compile(rf"^\W*(?:\w+ ){{0,6}}?(?:{join_words('sent')})|(?:{join_words('sent')})\W*$")
CONFIDENTIAL = _compile(join_words("confidential"))
_AFTER = r"(?:\W*$|[\s,!.:;\-–—]+(?!\d)\S.{0,40}$|ございます.*$|いたします.*$)"
GREETING = _compile(
    rf"^\W*+(?:(?:{join_words('greeting')}){_AFTER}|[^\d\sa-z]{{0,12}}(?:{join_words('greeting_within')})\D{{0,30}}$)"
)
WISH = _compile(rf"^\W*(?:{join_words('wish')})")
OPENING = _compile(
    rf"^\W*+(?:(?:{join_words('opening')})(?:\W*|[\s,]+[^\d:]{{1,30}}?[,!.:،、。]*)|(?:{join_words('formula')})[^\d]{{0,40}}|"
    rf"[^\d\s,]{{1,20}}\s?(?:{join_words('honorific')})\W*|{join_words('banner')})$"
)
"""How a mail begins: a salutation, or the banner that an office puts above what comes from outside."""

BETWEEN_RULES = re.compile(r"^\W*?(?<![-_=*─—–])[-_=*─—–]{3,}+\s*+[^\W\d_].{2,200}?\s*[-_=*─—–]{3,}\W*$")
"""-----Original Message-----, in any language."""
RULE = re.compile(r"^[-_=*─—–]{8,}$")
SIGNATURE = re.compile(r"^(?:--|—|__|–)$")
HEADER = re.compile(r"^\**([^\W\d_][^:：*\d]{0,24}?)\s?\**\s?[:：]\**\s*(.*)$")
"""A line as "From: …" of a header block, in any language."""
FORWARD_HEAD = _compile(join_words("forward"))

LIMIT_WORDS = ("most", "max", "maximum", "auto")
"""Words with which maximum bids and other standing orders begin."""
AUTO_COMMANDS = ("pass", "buy", "bid", "run", "skip", "build", "fast", "list", "clear")
COMMANDS = (
    *LIMIT_WORDS,
    "undo", "redo", "yes", "no", "map", "market", "log", "games", "help", "why", "remind", "stop", "start", "away",
    "board", "report", "link", "snooze", "table", "rules", "status", "show", "view", "pass", "leave", "info", "quiet",
    "style", "mute", "unmute",
)  # fmt: skip
"""Words that are no moves."""


@cache
def list_verbs() -> frozenset[str]:
    """Return the words with which moves begin, at any table."""
    return frozenset(kind.verb for title in TITLES.values() for kind in title.actions if kind.verb)


@cache
def list_vocabulary() -> frozenset[str]:
    """Return the words with which orders begin, at any table."""
    names = {each.name for title in TITLES.values() for kind in title.actions for each in list_parameters(kind)}
    return frozenset(
        list_verbs()
        | names
        | set(COMMANDS)
        | {"best", "pay", "no", "withhold", "split", "half", "full", "none", "all", "lay", "skip"}
    )
