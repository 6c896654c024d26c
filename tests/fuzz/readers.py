"""Every reader of the outside: what reads, what is made from its grammar to be read, and how it is written again.

``docs/inputs.md`` has the grammar and bound of each in words; its rows bear the names of these readers.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from bot.commands import build_tree
from bot.commands.auto import read_shares
from bot.commands.typed import TypedCommand, read_line
from bot.mail.body import parse_mail
from bot.mail.choices import read_mark, split_table
from bot.mail.orders import MailOrders, read_orders
from bot.mail.origin import find_addressee, find_origin, sort_mail
from bot.mail.proof import is_signed, parse_results
from bot.mail.reply import read_message
from bot.model.errors import BotError
from bot.model.orders import OrderRule, read_rules, write_rules
from bot.model.plain import replace_unkept, tidy_name
from bot.model.quiet import check_calls
from bot.model.records import Calls
from bot.operations.mailing import read_guest
from bot.operations.settings import list_variables
from bot.screens.desk import Desk, build_desk, read_action
from bot.screens.order_controls import _read_wish, _write_wish
from bot.screens.proposal_controls import _HOURS
from bot.screens.screen import MAX_CUSTOM_ID_LENGTH, Control, read_custom_id, read_number, write_custom_id
from bot.screens.text import MAX_LINE_LENGTH, quote_typed, read_typed, read_words
from bot.screens.written_desk import read_order
from bot.service.boards import is_token
from bot.service.contacts import check_mailbox
from bot.service.lobby import find_title
from bot.service.options import parse_options
from bot.service.press import tidy_message
from bot.service.workers.files import FileAsked, read_game_file
from bot.service.workers.jobs import Held
from bot.store.address import check_address, hide_password
from bot.web.figures import FigureAsked, write_figure
from bot.web.guard import FigureAddress, Guard, read_figure, reads_gzip
from engine import Game, Request
from engine.codec import decode_entry, encode_entry
from engine.titles.steel_driver.board import read_board
from tests.fuzz import files
from tests.fuzz.grammar import any_text, around, matching
from tests.fuzz.mails import POST, RESULTS, SENT, TOKEN, addresses, mails
from tests.playthroughs import record
from tests.support.settings import BareSettings

MAX_DISCORD_TEXT = 6000
"""Characters that Discord takes of a text of a command."""
POSITIONS = (("1860-3", 0), ("1860-3", 190), ("1862-4", 30), ("1862-4", 170), ("steel_driver-4", 25))
"""Games that are kept, and after how many moves words are typed at them."""


class Reader(NamedTuple):
    """A reader.

    Args:
        read: reads, returning what was understood; raises what is refused. inputs: from its grammar and all around it.
        write: writes again what was understood; reading that gives the same.
        apart: it runs in a worker or a process with bounds, so its time is only reported.
    """

    read: Callable[[Any], Any]
    inputs: st.SearchStrategy[Any]
    write: Callable[[Any], Any] | None = None
    apart: bool = False


@cache
def desk(name: str, moves: int) -> Desk:
    """Return the desk of the first who must act at a position of a game that is kept."""
    from bot.screens.desk import DeskAsked

    kept = record.read(name)
    held = Held(Game.replay(kept.setup, kept.read_log()[:moves]))
    names = tuple(f"Player {seat}" for seat in range(kept.setup.seats))
    return build_desk(held, DeskAsked(7, names, held.game.actors[0]))


@st.composite
def at_desks(draw: st.DrawFn, words: Callable[[Desk], st.SearchStrategy[str]]) -> tuple[tuple[str, int], str]:
    """Draw a position and words typed there."""
    where = draw(st.sampled_from(POSITIONS))
    return where, draw(around(words(desk(*where)), 600))


def paths(there: Desk) -> st.SearchStrategy[str]:
    """Return paths of a desk."""
    verbs = sorted({action.verb for action in there.legal} | {"bid", "pass", "tile", "run"})
    token = st.integers(0, 30).map(str) | st.integers(0, 10**10).map(lambda number: f"={number}") | st.just("*")
    return st.tuples(st.sampled_from(verbs), st.lists(token, max_size=4)).map(
        lambda drawn: ".".join([drawn[0], *drawn[1]])
    )


def orders(there: Desk) -> st.SearchStrategy[str]:
    """Return moves as people write them."""
    from bot.screens.written_desk import format_order

    known = st.sampled_from([format_order(action) for action in there.legal[:200]])
    named = st.sampled_from(
        ["bid amount:20", "sell 10% of IOW", "no more trains", "pass", "best", "tile to:I7", "run", "why bid 5"]
    )
    return known | known.map(str.upper) | named


def _follow(there: tuple[tuple[str, int], str]) -> object:
    """Read a path of the desk, and the action at its end."""
    here = desk(*there[0])
    draft = here.follow(replace_unkept(there[1]), "IOW 2")
    return draft if draft.asked is not None else read_action(here.game, here.legal, draft)


def _understand(there: tuple[tuple[str, int], str]) -> object:
    """Read a move as written, and let the rules say whether it can be made."""
    from engine.fuzzy import find_meant
    from engine.words import understand

    here = desk(*there[0])
    said = read_order(here, replace_unkept(there[1]))
    if said.why:
        raise BotError(said.why)

    def forgive(verb: str, given: Mapping[str, str], legal: Any) -> Any:  # noqa: ANN401
        return find_meant(verb, given, legal, here.label)

    action = understand(here.game.title.actions, said.verb, said.words, here.legal, forgive, here.label)
    return here.game.play(here.seat, action).game.actors


def figures(there: Desk) -> st.SearchStrategy[str]:
    """Return figures of a page as their address names them."""
    pictures = st.sampled_from([*(each.name for each in there.game.title.views.pictures), "hex", "place"])
    return st.builds("{}.{}".format, pictures, st.sampled_from(["", "IOW", "L&Y", "F2", "Wien", "1"]))


def _write_figure_path(address: FigureAddress) -> str:
    about = f".{address.about}" if address.about else ""
    return f"{address.number}-{address.name}/{address.palette}/{address.picture}{about}"


def _write_figure(there: tuple[tuple[str, int], str]) -> str:
    """Draw a figure of the latest position for whoever must decide, if the address could be one."""
    here = desk(*there[0])
    said = read_figure(f"1-0123456789abcdef/standard/{there[1]}")
    if said is None:
        raise BotError("There is no such page.")
    names = tuple(f"Player {seat}" for seat in range(here.game.setup.seats))
    request = Request(said.picture, here.seat, said.about, names, "Table")
    return write_figure(Held(here.game), FigureAsked(request, len(here.game.line), acts=True))


def _list_typed() -> Iterator[str]:
    values = {
        "text": "words",
        "int": "7",
        "bool": "yes",
        "user": "ann",
        "channel": "games",
        "role": "players",
        "file": "/x",
    }
    for group in build_tree():
        for command in group.commands:
            named = [f"{each.name}:{values[each.kind]}" for each in command.parameters]
            yield f"/{group.name} {command.name} {' '.join(named)}"
            yield f"/{group.name} {command.name} {values['text']} 7"
            yield f'{group.name} {command.name} ""'


def _line(line: str) -> TypedCommand:
    return read_line(groups(), line, from_afar=True)


@cache
def groups() -> tuple[Any, ...]:
    """Return the commands."""
    return build_tree()


def _write_words(read: tuple[str, dict[str, str]]) -> str:
    """Return words as ``read_words`` reads them; a value with blanks or a quotation mark in marks of its own."""
    verb, named = read
    return " ".join([verb, *(f"{name}:«{value}»" for name, value in named.items())])


def _mail(data: bytes) -> MailOrders | str:
    """Read a mail as the clerk does, down to its orders."""
    message = parse_mail(data)
    found = sort_mail(message, POST)
    find_origin(message, POST)
    if found.kind != "person":
        return found.kind
    return read_orders(read_message(message, SENT, ("stationmaster", POST.address)))


def _settings(values: dict[str, str]) -> BareSettings:
    known = {field for field, variable in list_variables().items() if variable.startswith("STATIONMASTER_")}
    aliases = list_variables()
    named = {
        aliases[field] if field in ("token", "shard") else field: value
        for field, value in values.items()
        if field in known
    }
    settings = BareSettings(**named)  # type: ignore[arg-type]  # what stands in the environment is text
    assert settings.limits
    assert settings.shards.count
    assert settings.schedule is None or settings.schedule.kept
    return settings


def _is_signed(data: bytes) -> bool:
    """Look for signatures whose keys no one publishes."""
    return is_signed(data, "home.example", lambda *_, **__: None)


def _rules(text: str) -> tuple[OrderRule, ...]:
    return read_rules(replace_unkept(text), ("Ann", "Bob", "if Bob", "İß", "Cid sells"))


def _hours(text: str) -> tuple[int, int] | None:
    found = _HOURS.fullmatch(text)
    return (int(found[1]), int(found[2] or 0)) if found else None


def _zone(text: str) -> str:
    return check_calls(Calls(zone=text)).zone


def _read_row(drawn: tuple[str, bytes]) -> tuple[str, bytes]:
    return drawn[0], encode_entry(decode_entry(drawn[0], 0, drawn[1]))


def _store(address: str) -> str:
    return hide_password(check_address(address))


def in_discord(valid: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return texts of a command, and all around them that Discord takes."""
    return around(valid, MAX_DISCORD_TEXT)


def same(read: Any) -> Any:  # noqa: ANN401
    """Write what is its own writing."""
    return read


def write_shares(read: int) -> str:
    """Write a number of shares."""
    return str(read or "float")


number = st.integers(0, (1 << 31) - 1)
controls = st.builds(Control, number, number, matching("[a-z]{1,20}"), matching("[ -~]{0,50}")).map(write_custom_id)
wishes = matching(r"(pass|buy|bid|run|steps);[A-Z&]{0,4};[0-9]{1,9};([a-z]{1,8}(,[a-z]{1,8}){0,2})?\+?>?")
conditions = matching(
    r"(if ((Ann|Bob|İß) (passes|bids( (over|<=) £?[0-9]{1,4})?|(sells|buys) (a share of )?[A-Z&]{2,4})"
    r"|[A-Z&]{2,4} (<|is at least|>) ?[0-9]{1,4}),? "
    r"(pass|buy [A-Z&]{2,4}( from the pool)?|sell [1-9] IOW|bid [0-9]{1,3})"
    r"(; |, |\n)){1,3}(else (pass|bid 5))?"
)
signed = st.sampled_from(
    (POST.make_reply_address(TOKEN), POST.make_bounce_address(12), POST.format_message_id(12, TOKEN))
)
marks = st.sampled_from(("1", "a.", "(c)", "option 2", "#3", "9 (turn 12)", "#8 2", "two", "# 7: bid 5"))
typed = st.sampled_from(list(_list_typed()))
words = matching(r"[a-z]{1,8}( [a-z_]{1,8}:(\"[a-zA-Z& ]{1,8}\"|[A-Za-z0-9]{1,5})){0,4}")
variables = st.sampled_from(sorted(BareSettings.model_fields))
setting = st.sampled_from(
    ("24h,7", "off", "0/2", "20,200", "turns@games.example", "+", "127.0.0.1:8025", "/run/x.sock",
     "https://a.example/m", "60",
     "postgresql://a:b@c/d", "data/x.sqlite", "INFO", "true", "tls", "none", "587", "")
)  # fmt: skip

READERS: Mapping[str, Reader] = {
    "button id": Reader(read_custom_id, around(controls, 2 * MAX_CUSTOM_ID_LENGTH), write_custom_id),
    "number in an id": Reader(read_number, around(matching("[0-9]{1,9}"), 6000), str),
    "standing order in an id": Reader(_read_wish, around(wishes, 100), _write_wish),
    "conditional order": Reader(_rules, in_discord(conditions), write_rules),
    "hours of a clock": Reader(_hours, around(matching(r"[0-9]{1,4} ?\+ ?[0-9]{1,4}"), 4000), "{0[0]}+{0[1]}".format),
    "path of a desk": Reader(_follow, at_desks(paths), apart=True),
    "words on a desk": Reader(read_typed, around(any_text(40).map(quote_typed), 4000)),
    "written move": Reader(_understand, at_desks(orders), apart=True),
    "typed command": Reader(_line, in_discord(typed)),
    "named words": Reader(read_words, around(words, MAX_LINE_LENGTH + 100)),
    "name of a game": Reader(find_title, in_discord(st.sampled_from(("1860", "steel driver", "1862"))),
    lambda read: read.id),
    "lobby options": Reader(parse_options, in_discord(matching("([a-z_]{1,9}(=[a-z]{1,5})? ){0,3}"))),
    "number of shares": Reader(read_shares, in_discord(matching("float|[1-9][0-9]?|[1-9]0%")), write_shares),
    "name": Reader(lambda text: tidy_name(text, "Someone"), in_discord(matching("[A-Za-z ]{1,80}")), same),
    "time zone": Reader(_zone, in_discord(st.sampled_from(("Europe/Berlin", "UTC", "America/Argentina/Salta"))), same),
    "mail address": Reader(check_mailbox, addresses() | in_discord(st.just("ann@home.example")), same),
    "guest": Reader(lambda text: check_mailbox(read_guest(text).address), addresses()),
    "our own address": Reader(POST.read_token, around(signed, 8000), POST.make_reply_address),
    "address of a bounce": Reader(POST.read_bounce, around(signed, 8000), POST.make_bounce_address),
    "link to unsubscribe": Reader(POST.read_stop, around(st.just(POST.make_stop_link(TOKEN)) | signed, 8000)),
    "reference in a subject": Reader(
        POST.read_subject, around(signed.map(lambda said: f"(ref {said.partition('+')[2].partition('@')[0]})"), 2000)
    ),
    "message ids": Reader(POST.find_letters, around(signed, 60_000)),
    "addressee of a mail": Reader(lambda data: find_addressee(data[:4096], POST), mails()),
    "mark of a choice": Reader(read_mark, around(marks, 2000)),
    "message to players": Reader(tidy_message, around(marks, 2000)),
    "table of an order": Reader(split_table, around(marks, 2000)),
    "mail": Reader(_mail, mails()),
    "results of a server": Reader(parse_results, around(st.sampled_from(RESULTS), 70_000)),
    "signature of a mail": Reader(_is_signed, files.sign(mails()), apart=True),
    "board": Reader(read_board, files.boards(), apart=True),
    "file of a game": Reader(lambda data: read_game_file(FileAsked(data)).rows, files.games(), apart=True),
    "row of a log": Reader(_read_row, files.rows(), same),
    "token of a page": Reader(is_token, around(matching("[A-Za-z0-9_-]{22}"), 4000)),
    "address of a figure": Reader(
        read_figure, around(matching(r"[0-9]{1,6}-[0-9a-f]{16}/(standard|mono|x)/[a-z]{1,9}(\.[A-Z&]{1,5})?"), 4000),
        _write_figure_path,
    ),
    "figure of a position": Reader(_write_figure, at_desks(figures), apart=True),
    "encodings of a browser": Reader(
        reads_gzip, around(st.sampled_from(("gzip", "br, gzip;q=0", "deflate;q=0.5, *")), 9000)
    ),
    "visitor behind a proxy": Reader(lambda text: Guard(frozenset({"::1"})).find_address("::1", text),
        around(st.sampled_from(("10.0.0.1", "6.6.6.6, 2001:db8::1", "unknown")), 4000)),
    "settings": Reader(_settings, st.dictionaries(variables, around(setting, 5000), min_size=1, max_size=4)),
    "address of a database": Reader(_store, around(st.sampled_from(("postgresql://a:b@c/d", "data/x.sqlite")), 5000)),
}  # fmt: skip


@contextmanager
def open_readers(address: str = "") -> Iterator[dict[str, Reader]]:
    """Open all readers, those of a house with tables among them; ``address`` is that of its store on a server."""
    from tests.fuzz.house import House, commands, presses, requests

    house = House(address)
    try:
        yield {
            **READERS,
            "control": Reader(house.press, presses, apart=True),
            "command": Reader(house.run, commands(groups()), apart=True),
            "request of a page": Reader(house.browse, requests, apart=True),
        }
    finally:
        house.close()
