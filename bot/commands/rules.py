"""``/rules``: what may be done now and why, why not, and the rules in our own words."""

from bot.commands.act import build_act
from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.commands.typed import add_names
from bot.model.errors import BotError, explain_error
from bot.model.records import Choice
from bot.screens.text import format_standing, read_words
from bot.service.lobby import find_title
from bot.service.table import Typed
from engine import TITLES
from engine.words import join_words

MAX_FOUND = 5
MAX_PARAGRAPH_LENGTH = 600


def build_rules() -> Group:
    """Return the group of rules commands."""
    choices = tuple(Choice(title.id, title.name) for title in TITLES.values())
    title = CommandParameter("title", "which game's rules; this table's if left out", choices=choices[:25])
    words = CommandParameter("words", "words to find, or a section of the rulebook such as 7.8.1", required=True)
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
    call.spend("searches")
    name, options = call.read_text("title"), dict[str, str]()
    if not name:
        table = await call.services.lobby.get_table(await call.find_game())
        name, options = table.title, dict(table.options)
    title = find_title(name)
    wanted = call.read_text("words")[:100].lower().replace("§", "").split()
    found = [
        _format_paragraph(section, topic, text[:MAX_PARAGRAPH_LENGTH])
        for section, topic, text in title.words.rules(options)
        if wanted and all(_mentions(word, section, f"{topic} {text}") for word in wanted)
    ]
    if not found:
        raise BotError(
            f"The rules of {title.name} have nothing on “{' '.join(wanted)}”. Try a single word, or a section."
        )
    rest = [f"… and {len(found) - MAX_FOUND} more paragraphs."] if len(found) > MAX_FOUND else []
    return Reply("\n".join([*found[:MAX_FOUND], *rest]))


def _mentions(word: str, section: str, text: str) -> bool:
    """Return whether a paragraph stands under a section or heading, or has a word: "7.1" is not §7.11."""
    place = "" if section.startswith("§") else section
    return f"{section}.".startswith(f"§{word}.") or word in f"{place} {text}".lower()


def _format_paragraph(section: str, topic: str, text: str) -> str:
    """Return a paragraph of the rules with its section: "§7.13, Redeeming: Once in an operating round …"."""
    return f"{section}, {topic}: {text}"
