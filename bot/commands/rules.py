"""``/rules``: what is legal, why something is not, and a search of the rules and their readings."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from bot.commands.act import build_act
from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.commands.typed import add_names
from bot.model.errors import BotError, explain_error
from bot.model.records import Choice
from bot.screens.text import format_standing, read_words
from bot.service.lobby import find_title
from bot.service.table import Typed
from engine import TITLES
from engine.fuzzy import list_candidates
from engine.lessons import list_terms
from engine.setup import Options
from engine.title import Title
from engine.words import join_words, pluralise

Paragraph = tuple[str, str, str]
"""Section, topic and text of a paragraph of the rules."""
_BEGINNING = frozenset(
    f"{how}{what}"
    for how in ("", "how to ", "how do i ", "how do you ", "how does one ")
    for what in ("play", "play this game", "play the game", "learn", "start", "tutorial", "learn to play", "begin")
)
"""What newcomers ask for, who want no paragraph but a course."""
MAX_NEAR_TERMS = 3
MAX_FOUND, MAX_TOPICS = 5, 10
"""Paragraphs shown of those that a search of the rules finds, and topics of others."""
OVERVIEW = 2
"""How many paragraphs at the beginning say what the goal is and how the game goes."""
READING = "reading "
"""Before the number of how a point is read."""
MAX_PARAGRAPH_LENGTH, MAX_WHOLE_WORD = 600, 4
_NUMBER = re.compile(r"§\d[\d.]*|\d+(?:\.\d+)+\.?")
_SHORT = re.compile(r"\b(\w{1,2})ie[sd]\b")
_FIND = "SELECT rowid FROM rule WHERE rule MATCH ? ORDER BY bm25(rule, 4, 8, 1), rowid"
"""A word of a heading counts for four of the text, one of a topic for eight."""
_EMPTY = frozenset(
    re.split(
        r"\W+",
        "a after an and any are at be before by can could do does for from happens has have how i if in is it its many "
        "may me must my no not of on or s should that the their them then there they this to we what when where which "
        "who whose why will with you",
    )
)
"""Words that every paragraph has, or none."""
_MEANINGS: dict[str, tuple[str, ...]] = {
    word: tuple(other for other in group.split() if other != word)
    for group in (
        "president presidency director", "token marker base", "consent agree permission", "withhold retain keep",
        "bankrupt bankruptcy", "float flotation floated", "sell sold sale selling", "buy bought purchase buying",
        "lay laid build built", "route run ran running", "pay paid payout", "win won winner", "hold held holding",
        "merge merger merging", "acquire acquisition takeover", "obsolete rust rusts", "corp corporation company",
        "cert certificate", "offboard area", "privates private", "objective aim goal", "insolvent insolvency",
        "nationalise nationalize nationalisation nationalization", "upgrade upgrades promote", "tie equal",
        "value worth price", "money cash", "revenue earn income", "lease leased leasing", "exchange swap",
        "chain joined", "optional variant", "debt fine owe", "drop fall falls lower", "trainless trains",
        "become becomes change",
    )
    for word in group.split()
}  # fmt: skip
"""Words that players use for one another, by each of them."""


def build_rules() -> Group:
    """Return the group of rules commands."""
    choices = tuple(Choice(title.id, title.name) for title in TITLES.values())
    title = CommandParameter("title", "which game's rules; this table's if left out", choices=choices[:25])
    words = CommandParameter("words", "words, a section (7.8.1) or a heading; if left out, the goal and an overview")
    term = CommandParameter("term", "the term, such as float; all terms if left out", completes=True)
    move = CommandParameter(
        "move", "the move as you would type it after /act: bid amount:20", required=True, completes=True
    )
    return Group(
        "rules",
        "Ask about the rules.",
        (
            Command("now", "Show what the game is waiting for, and the rules about it.", (GAME,), _now),
            Command(
                "why",
                "Show why a move is illegal, and by which rule; nothing is played.",
                (move, GAME),
                _why,
                _complete_moves,
            ),
            Command("search", "Search the rules, in our own words.", (words, title, GAME), _search),
            Command("term", "Explain a term of the game.", (term, title, GAME), _term, _complete_terms),
        ),
        free=True,
    )


async def _now(call: Call) -> Reply:
    game = await call.find_game()
    here = await call.services.table.load_position(game)
    may = await call.services.table.list_menu(game, call.person.id)
    verbs = join_words([*dict.fromkeys(" ".join(line.typed.split()[:2]) for line in may if line.typed)], "or")
    lines = [format_standing(here), *([f"You can use {verbs}; /act menu lists every choice."] if verbs else [])]
    title = here.game.title
    about = here.ask().rules if here.actors else ()
    lines += [
        _format_paragraph(*rule)
        for topic in about
        for rule in title.words.rules(here.table.options)
        if rule[1] == topic
    ]
    return Reply("\n".join(lines), game=game)


async def _complete_moves(call: Call, parameter: str) -> list[Choice]:
    """Suggest moves to ask about: those that are possible now, to be changed at will."""
    del parameter
    may = await call.services.table.list_menu(await call.find_game(), call.person.id)
    return [Choice(line.typed.removeprefix("/act "), line.words or line.typed) for line in may if line.typed]


async def _why(call: Call) -> Reply:
    game = await call.find_game()
    call.spend("searches")
    try:
        move = call.read_text("move").strip().removeprefix("/act ")
        known = build_act().find(move.partition(" ")[0].lower())
        verb, words = read_words(add_names(known, move) if known is not None else move)
        text = await call.services.table.explain(game, call.person.id, Typed(verb, words))
    except Exception as error:
        sentence = explain_error(error)
        if sentence is None:
            raise
        text = sentence
    return Reply(text, game=game)


async def _search(call: Call) -> Reply:
    """Show the paragraphs that fit the words best; without words, the goal of the game and an overview."""
    call.spend("searches")
    title, options = await _find_title(call)
    paragraphs = list_paragraphs(title, options)
    wanted = " ".join(call.read_text("words")[:100].split())
    course = [f"To learn it step by step, use /learn {title.id}."] if title.package else []
    if not wanted or wanted.casefold().rstrip("?") in _BEGINNING:
        return Reply("\n".join([*(_format_paragraph(*each) for each in paragraphs[:OVERVIEW]), *course]))
    found = search_rules(paragraphs, wanted, title.words.headings)
    section = find_section(wanted, title.words.headings)
    empty = [f"The rulebook has no rules under {section}."] if section and not _list_under(paragraphs, section) else []
    if not found and not empty:
        raise BotError(f"The rules of {title.name} have nothing on “{wanted}”. Try a single word, or a section.")
    lines = [_format_paragraph(section, topic, text[:MAX_PARAGRAPH_LENGTH]) for section, topic, text in found]
    rest = [topic for _, topic, _ in found[MAX_FOUND:]]
    if len(rest) > MAX_TOPICS:
        rest = [*rest[:MAX_TOPICS], pluralise(len(rest) - MAX_TOPICS, "more paragraph")]
    return Reply("\n".join([*empty, *lines[:MAX_FOUND], *([f"Also: {join_words(rest)}."] if rest else [])]))


async def _find_title(call: Call) -> tuple[Title[Any], Options]:
    """Return the title that is named, or else that of the table with its options."""
    if name := call.read_text("title"):
        return find_title(name), {}
    table = await call.services.lobby.get_table(await call.find_game())
    return find_title(table.title), dict(table.options)


async def _term(call: Call) -> Reply:
    """Explain a term in a sentence, with its place in the rulebook; without one, list all terms."""
    title, _ = await _find_title(call)
    terms, wanted = list_terms(title.id), call.read_text("term").strip()
    if not wanted:
        return Reply(f"Terms of {title.name}: {join_words([term.name for term in terms])}.")
    known = list_candidates(wanted, [(term.name, term.name) for term in terms])
    if not known:
        near = get_close_matches(wanted.lower(), [term.name for term in terms], MAX_NEAR_TERMS)
        hint = f" Did you mean {join_words(near, 'or')}?" if near else " To list all terms, leave it out."
        raise BotError(f"“{wanted[:40]}” isn't a term of {title.name}.{hint}")
    return Reply("\n".join(f"{term.name}: {term.text} ({term.section})" for term in terms if term.name in known))


async def _complete_terms(call: Call, parameter: str) -> list[Choice]:
    """Suggest the terms of the title, each with its sentence."""
    del parameter
    title, _ = await _find_title(call)
    return [Choice(term.name, f"{term.name}: {term.text}") for term in list_terms(title.id)]


def list_paragraphs(title: Title[Any], options: Options) -> Sequence[Paragraph]:
    """Return the rules of a title, then how a table reads disputed points, by the numbers they have in documents."""
    readings = (
        (
            each.section,
            f"{READING}{each.number}" if each.number[:1].isdigit() else each.number,
            f"{each.question} {each.answer}",
        )
        for each in title.words.readings(options)
    )
    return (*title.words.rules(options), *readings)


def search_rules(
    paragraphs: Sequence[Paragraph], wanted: str, headings: Mapping[str, str] = MappingProxyType({})
) -> list[Paragraph]:
    """Return the paragraphs that words ask for, best first.

    A section's number finds what stands in it and below it, or in the section above if the book has nothing but an
    example there. What stands under a heading of the book comes first, then a topic; then words decide (see
    ``_rank``).
    """
    numbers = [word for word in wanted.split() if _NUMBER.fullmatch(word) or wanted.isdecimal()]
    rest = " ".join(word for word in wanted.split() if word not in numbers)
    within = _list_within(paragraphs, numbers[0].strip("§.")) if len(numbers) == 1 else ()
    if within and not rest:
        return list(within)
    same = wanted.casefold()
    headed = list(_list_under(paragraphs, find_section(wanted, headings)))
    headed += [
        each
        for each in paragraphs
        if same in (each[0].partition(" (")[0].casefold(), each[1].casefold(), each[1].casefold().removeprefix(READING))
    ]
    ranked = _rank(within, rest) if within else _rank(paragraphs, wanted)
    return list(dict.fromkeys([*headed, *ranked]))


def find_section(wanted: str, headings: Mapping[str, str]) -> str:
    """Return the section of a printed heading, whatever its signs, or of its number; empty if there is none."""
    sections = {_strip_signs(section): section for section in headings.values()}
    sections |= {_strip_signs(heading.partition(" (")[0]): section for heading, section in headings.items()}
    sections |= {_strip_signs(heading): section for heading, section in headings.items()}
    return sections.get(_strip_signs(wanted)) or sections.get(_strip_signs(wanted.partition(" (")[0]), "")


def _strip_signs(text: str) -> str:
    return re.sub(r"[^\w.]", "", text.casefold()).strip(".")


def _list_under(paragraphs: Sequence[Paragraph], section: str) -> Sequence[Paragraph]:
    """Return what stands under a section, or below it."""
    if section.startswith("§"):
        return _list_within(paragraphs, section.strip("§"))
    return [each for each in paragraphs if section and each[0].partition(" (")[0] == section]


def _list_within(paragraphs: Sequence[Paragraph], number: str) -> Sequence[Paragraph]:
    """Return what stands under a section's number; "7.1" isn't §7.11, and "7.0" is the whole of chapter 7."""
    while number:
        found = [each for each in paragraphs if f"{each[0]}.".startswith(f"§{number}.")]
        if found:
            return found
        number = number.removesuffix(".0") if number.endswith(".0") else number.rpartition(".")[0]
    return ()


def _rank(paragraphs: Sequence[Paragraph], wanted: str) -> list[Paragraph]:
    """Return the paragraphs that have all words, best first; if these are few, also some that have some of them.

    Words are compared by their stems. A paragraph that has them as typed comes before one that has others of the
    same meaning.
    """
    typed = [word for word in re.findall(r"[^\W_]+(?:[&+/.-][^\W_]+)*", _shorten(wanted)) if word not in _EMPTY]
    alike = [" OR ".join(map(_quote, {word: word} | dict.fromkeys(_MEANINGS.get(word, ())))) for word in typed]
    queries = (" AND ".join(map(_quote, typed)), " AND ".join(f"({each})" for each in alike), " OR ".join(alike))
    with closing(sqlite3.connect(":memory:")) as index:
        index.deserialize(_make_index(tuple(paragraphs)))
        found: dict[int, None] = {}
        for query in queries if typed else ():
            more = [row for (row,) in index.execute(_FIND, (query,)) if row not in found]
            found |= dict.fromkeys(more if query != queries[-1] else more[: max(0, MAX_FOUND - len(found))])
    return [paragraphs[row] for row in found]


@lru_cache(maxsize=8)
def _make_index(paragraphs: tuple[Paragraph, ...]) -> bytes:
    """Return a database of the stems in paragraphs; that of a whole book takes some 20 ms to make."""
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE rule USING fts5 (section, topic, words, tokenize = 'porter unicode61')")
        rows = [(row, *map(_shorten, each)) for row, each in enumerate(paragraphs)]
        index.executemany("INSERT INTO rule (rowid, section, topic, words) VALUES (?, ?, ?, ?)", rows)
        index.commit()
        return index.serialize()


def _quote(word: str) -> str:
    """Return a word as a search for it; a long one also finds words that begin with it, such as "bankruptcy"."""
    return f'"{word}"' + "*" * (len(word) > MAX_WHOLE_WORD)


def _shorten(text: str) -> str:
    """Return text in lower case, with "ties" and "tied" as "tie": the stemmer knows only longer words of this kind."""
    return _SHORT.sub(r"\1ie", text.lower())


def _format_paragraph(section: str, topic: str, text: str) -> str:
    """Return a paragraph of the rules with its section: "§7.13, Redeeming: Once in an operating round …"."""
    return f"{section}, {topic}: {text}" if section else f"{topic.capitalize()}: {text}"
