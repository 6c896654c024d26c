"""From a letter owed to the page it says: looked up when it is sent, so that it tells what is so then."""

import re
from collections.abc import Sequence

import msgspec
import structlog

from bot.mail.commands import fetch_file, to_plain_words
from bot.mail.page import (
    LOBBY_FOOTER,
    MAX_LINE_LETTERS,
    MAX_PICTURE_BYTES,
    OVER_FOOTER,
    WAITING_FOOTER,
    MarkedChoice,
    Page,
    Section,
    join_lines,
)
from bot.model import terms
from bot.model.letters import Letter, NumberedMoves, build_letter_key
from bot.model.orders import ANY
from bot.model.posts import build_turn_key
from bot.model.records import Position, Proposal, Table
from bot.model.seating import join_names, list_acting_seats, list_ranking
from bot.screens.boards import link_moment
from bot.screens.drawing import Draw
from bot.screens.open_desk import fetch_written_desk
from bot.screens.screen import clip
from bot.screens.since import fetch_since
from bot.screens.story import fetch_report
from bot.screens.written_desk import Written
from bot.service.game_clock import describe_due
from bot.service.services import Services
from bot.service.table import Look
from bot.store.outbox import StoredPost
from engine import TITLES, Record

MAX_ALT_LETTERS = 900
MAX_CHOICE_LETTERS = 60
MAX_FIRST_LETTERS = 110
"""Of the line that a locked phone shows, with as many choices as fit whole."""
INVITATION_CHOICES = (MarkedChoice("yes", "I'll play"), MarkedChoice("no", "Not this time"))
CONSENT_CHOICES = (MarkedChoice("yes", "I agree"), MarkedChoice("no", "I disagree"))
BID_FOOTER = "Reply with an amount · most 150 · auto list · auto clear · map · market · log · help · stop"
TURN_GONE = "It's no longer your turn."
_log = structlog.get_logger(__name__)


class Composed(Record, frozen=True):
    """A page, its picture and its file, and what its choices mean; of other tables by the keys of their turns' letters.

    ``turn``: version at which the turn began that it tells of, ``None`` where it is about no table.
    """

    page: Page
    picture: bytes = b""
    file: tuple[str, bytes] = ("", b"")
    offered: NumberedMoves | None = None
    others: tuple[tuple[str, NumberedMoves], ...] = ()
    turn: int | None = None


class Composer:
    """Makes pages of letters.

    Args:
        services: what is told. draw: draws views off the event loop.
    """

    def __init__(self, services: Services, draw: Draw) -> None:
        self.services = services
        self.draw = draw

    async def compose(self, stored: StoredPost) -> Composed | None:
        """Return what a letter says now; ``None`` if it is not wanted any more."""
        letter = stored.letter
        if not letter.game:
            return Composed(Page("Stationmaster", letter.text, (letter.text,), footer=""))
        table = await self.services.lobby.get_table(letter.game)
        here = await self.services.table.load_position(letter.game) if table.started is not None else None
        composed = await self._compose_about(letter, here.table if here is not None else table, here)
        turn = here.table.turn_from if here is not None else 0
        if composed is None:
            return None
        board = await link_moment(self.services, here) if here is not None else ""
        file = await fetch_file(self.services, letter) if letter.file else ("", b"")
        page = msgspec.structs.replace(composed.page, board=board)
        return msgspec.structs.replace(composed, turn=turn, page=page, file=file)

    async def _compose_about(self, letter: Letter, table: Table, here: Position | None) -> Composed | None:
        """Return what a letter about a table says."""
        if letter.about == "invitation":
            return await self._compose_invitation(letter, table)
        if letter.about == "outcome":
            return await self._compose_outcome(letter, table)
        if letter.about in ("turn", "reminder", "bid", "withdrawn"):
            return await self._compose_request(letter, here) if here is not None else None
        if letter.about == "question":
            return await self._compose_question(letter, table)
        if letter.about == "end" and here is not None:
            return await self._compose_end(letter, here)
        if letter.turn_from and letter.turn_from != table.turn_from:  # they were next, and aren't any more
            return None
        return await self._add_other_tables(letter, await self._compose_answer(letter, table, here))

    async def _add_other_tables(self, letter: Letter, composed: Composed) -> Composed:
        """Return a digest with what the other tables ask, each with its own marked choices."""
        sections, offers = list[Section](), list[tuple[str, NumberedMoves]]()
        for game in letter.games[1:]:
            here = await self.services.table.load_position(game)
            seats = list_acting_seats(here, letter.user)
            if not seats:
                continue
            desk, ask, table = await fetch_written_desk(self.services, here, seats[0]), here.ask(), here.table
            choices = tuple(MarkedChoice(f"#{game} {each.mark}", each.label) for each in mark_choices(desk))
            head = f"#{game} “{table.name}”: {ask.headline} — {ask.kind}"
            how = f"Start a reply to this table with its number: #{game} {example_order(desk)}"
            due = await self._list_due(table, seats[0], letter.user)
            sections.append(
                Section(
                    game,
                    here.version,
                    table.turn_from,
                    subject_of(table, describe_state(here, is_asked=True)),
                    head,
                    (*ask.lines, *ask.readings, *due, how),
                    choices,
                )
            )
            key = build_letter_key(build_turn_key(game, table.turn_from), letter.user)
            offers.append((key, _number_moves(here, seats[0], desk)))
        page = msgspec.structs.replace(composed.page, others=tuple(sections))
        return msgspec.structs.replace(composed, page=page, others=tuple(offers))

    async def _list_due(self, table: Table, seat: int, user: str) -> tuple[str, ...]:
        """Return a line with the moment by which a person must decide, in their time zone, if there is a clock."""
        if table.clock is None:
            return ()
        calls = await self.services.people.get_calls(user)
        return tuple(filter(None, (describe_due(table.clock, seat, calls[user].zone),)))

    async def _compose_invitation(self, letter: Letter, table: Table) -> Composed:
        """Return a page that asks for a yes: to a seat, or to be offered one in a game that runs."""
        title, is_asked = TITLES[table.title], self.services.contacts.is_asked
        there = [seat.name for seat in table.seats if seat.user != letter.user and not await is_asked(seat.user)]
        joined = f"{join_names(there)} {'has' if len(there) == 1 else 'have'} joined so far"
        lines: tuple[str, ...] = (
            f"{title.name}, {table.places} players; {joined if there else 'no one has joined yet'}.",
            "You play by replying to e-mails like this one, a few moves a day. There's nothing to install.",
            "Reply yes to take a seat. If you do nothing, you'll get no more e-mails; stop unsubscribes you for good.",
        )
        if table.state == "running":
            head = f"May the players of “{table.name}” offer you a seat?"
            lines = (
                f"{title.name}, {table.places} players; the game is running, and a player may be replaced.",
                lines[1],
                "Reply yes if you'd like to; you'll be asked again before you get a seat.",
                "If you do nothing, you'll get no more e-mails; stop unsubscribes you for good.",
            )
            page = Page(subject_of(table, head), head, headline=head, lines=lines, choices=INVITATION_CHOICES)
            return Composed(msgspec.structs.replace(page, footer="yes · no · stop", last=last_line_of(table, 0)))
        played = "" if table.name == title.name else f" ({title.name})"
        first, head = f"You're invited to “{table.name}”{played}.", f"Will you play “{table.name}”?"
        subject = subject_of(table, f"You're invited to “{table.name}”")
        page = Page(subject, first, headline=head, lines=lines, choices=INVITATION_CHOICES)
        return Composed(msgspec.structs.replace(page, footer="yes · no · stop", last=last_line_of(table, 0)))

    async def _compose_turn(self, letter: Letter, here: Position, answers: tuple[str, ...] = ()) -> Composed:
        """Return a page that asks for a move."""
        seat = list_acting_seats(here, letter.user)[0]
        desk, ask, table = await fetch_written_desk(self.services, here, seat), here.ask(), here.table
        choices = mark_choices(desk)
        first = f"{ask.headline}:"
        for mark, label in ((each.mark, re.split(r" · |: |; ", each.label, maxsplit=1)[0]) for each in choices):
            longer = f"{first}{' ·' * (not first.endswith(':'))} {mark} {clip(label, MAX_CHOICE_LETTERS)}"
            if len(longer) > MAX_FIRST_LETTERS:
                break
            first = longer
        due = await self._list_due(table, seat, letter.user)
        again = "Reminder: it's still your turn. " if letter.about == "reminder" else ""
        picture, name, alt = await self._draw_picture(here, letter.user, letter.picture)
        shown = clip(f"{again}{first.removesuffix(':')}", MAX_LINE_LETTERS)
        page = Page(
            subject_of(table, describe_state(here, is_asked=True)), shown, answers,
            f"{again}{ask.headline} — {ask.kind}",
            (*ask.lines, *ask.readings, *due), choices, desk.examples, await self._list_since(here, letter.user), name,
            alt, last=last_line_of(table, here.version),
        )  # fmt: skip
        return Composed(page, picture, offered=_number_moves(here, seat, desk))

    async def _compose_question(self, letter: Letter, table: Table) -> Composed | None:
        """Return a page that asks for a yes or a no."""
        asked = await self.services.consent.get_proposal(letter.proposal)
        if asked is None or asked.state != "open" or letter.user not in asked.waiting:
            return None
        asker = table.find_name(asked.proposer) if asked.proposer else "After a long wait, the table"
        head = f"{asker} asks {terms.describe_request(asked.terms)}"
        lines = (*terms.list_details(asked.terms), "Reply yes or no. No reply counts as no.")
        page = Page(subject_of(table, head), head, headline=head, lines=lines, choices=CONSENT_CHOICES)
        return Composed(
            msgspec.structs.replace(page, footer="yes · no · log · map · stop", last=last_line_of(table, asked.version))
        )

    async def _compose_request(self, letter: Letter, here: Position) -> Composed | None:
        """Return a page about what is asked of a player in the game, or isn't any more."""
        if letter.about == "bid":
            return await self._compose_bid(letter, here)
        is_acting = bool(list_acting_seats(here, letter.user))
        if letter.about == "withdrawn":  # only if the turn was ever mailed
            key = build_letter_key(build_turn_key(letter.game, letter.turn_from), letter.user)
            turn = await self.services.posted.find_post(key)
            if turn is None or not turn.sent or is_acting:
                return None
            composed = await self._compose_answer(msgspec.structs.replace(letter, text=TURN_GONE), here.table, here)
            since = await self._list_since(here, letter.user)
            return msgspec.structs.replace(composed, page=msgspec.structs.replace(composed.page, since=since))
        is_late = here.table.state != "running" or here.table.turn_from != letter.turn_from
        said = (letter.text,) if letter.text else ()
        return None if is_late or not is_acting else await self._compose_turn(letter, here, said)

    async def _compose_outcome(self, letter: Letter, table: Table) -> Composed | None:
        """Return a page that tells how a proposal ended, unless the mail of the turn or of the end tells it."""
        asked = await self.services.consent.get_proposal(letter.proposal)
        told = "" if asked is None else describe_outcome(asked, table, letter.user)
        if asked is None or not told or (asked.state == "accepted" and table.state == "finished"):
            return None
        here = await self.services.table.load_position(table.id)
        if asked.state == "accepted" and list_acting_seats(here, letter.user):
            return None
        return await self._compose_answer(msgspec.structs.replace(letter, text=told), table, here)

    async def _compose_bid(self, letter: Letter, here: Position) -> Composed | None:
        """Return a page that asks for a maximum bid."""
        page = await ask_maximum(self.services, letter, here)
        if page is None:
            return None
        picture, name, alt = await self._draw_picture(here, letter.user)
        subject, last = subject_of(here.table, page.headline), last_line_of(here.table, here.version)
        return Composed(msgspec.structs.replace(page, subject=subject, picture=name, alt=alt, last=last), picture)

    async def _compose_end(self, letter: Letter, here: Position) -> Composed:
        """Return a page that tells the end, with the ranking, the report of the game and the seed."""
        result, table = here.game.result(), here.table
        scores = () if result is None else list_ranking(result, table.names)
        told = () if result is None else [each.plain for each in await fetch_report(self.services, here)]
        head = f"“{table.name}” is over: {table.reason}."
        seed = f"The seed was {table.seed}; its fingerprint is {table.fingerprint}."
        picture, name, alt = await self._draw_picture(here, letter.user)
        since, last = await self._list_since(here, letter.user), last_line_of(table, here.version)
        lines = (*scores, *told, seed)
        subject = subject_of(table, describe_state(here, is_asked=False))
        page = Page(subject, head, (), head, lines, (), (), since, name, alt, OVER_FOOTER, last)
        return Composed(page, picture)

    async def _compose_answer(self, letter: Letter, table: Table, here: Position | None) -> Composed:
        """Return a page that tells words; where it is (still) the person's turn, it asks for the move too."""
        said = tuple(line for line in to_plain_words(letter.text).splitlines() if line.strip())
        if letter.about in ("answer", "notice") and here is not None and list_acting_seats(here, letter.user):
            return await self._compose_turn(letter, here, said)
        version = here.version if here is not None else 0
        waits: tuple[str, ...] = ()
        if here is not None and here.actors:
            waits = (f"{here.ask().headline}: waiting for {join_names([seat.name for seat in here.actors])}.",)
        image, name, alt = b"", "", ""
        if here is not None and letter.picture:
            image, name, alt = await self._draw_picture(here, letter.user, letter.picture)
        page = Page(
            subject_of(table, describe_lobby(table) if here is None else describe_state(here, is_asked=False)),
            clip(said[0] if said else "…", MAX_LINE_LETTERS),
            said,
            lines=waits,
            picture=name,
            alt=alt,
            footer=LOBBY_FOOTER if here is None else WAITING_FOOTER if here.actors else OVER_FOOTER,
        )
        return Composed(msgspec.structs.replace(page, last=last_line_of(table, version)), image)

    async def _list_since(self, here: Position, user: str) -> tuple[str, ...]:
        """Return what happened since a person's last turn, and what it means for them."""
        since = await fetch_since(self.services, here, user)
        return tuple(to_plain_words(line) for line in (*since.happened, *since.concerns))

    async def _draw_picture(self, here: Position, user: str, wanted: str = "") -> tuple[bytes, str, str]:
        """Return the picture that matters, its name and its words; nothing of it where it cannot be drawn."""
        name = wanted or next(iter(here.game.pictures()), "")
        if not name:
            return b"", "", ""
        try:
            view = await self.services.table.look_at(here, user, Look(name))
            style = await self.services.people.get_style(user)
            image = await self.draw(view, style.palette)
        except Exception as error:  # noqa: BLE001  # the words are complete without it
            _log.error("picture of a letter", game=here.table.id, exc_info=error)
            return b"", "", ""
        told = getattr(view, "alt", "")
        is_titled = view.title.casefold() in told.casefold()
        alt = clip(told if is_titled else f"{view.title}: {told}", MAX_ALT_LETTERS)
        return (image, f"{name}.{here.version}", alt) if len(image) <= MAX_PICTURE_BYTES else (b"", "", alt)


def mark_choices(desk: Written) -> tuple[MarkedChoice, ...]:
    """Return the choices with their marks: numbers, or letters where a number might be an amount."""
    marks = "ABCDEFGHI" if desk.lettered else "123456789"
    return tuple(MarkedChoice(mark, offer.label) for mark, offer in zip(marks, desk.offers, strict=False))


def example_order(desk: Written) -> str:
    """Return an order that would be understood at a desk: a mark, or the example of a verb."""
    marks = [each.mark for each in mark_choices(desk)]
    return (marks or [*desk.examples, "help"])[0]


def subject_of(table: Table, state: str) -> str:
    """Return the subject of a mail of a table: how things stand there; its References make them one conversation."""
    return join_lines(f"[{TITLES[table.title].short_name} #{table.id}] {state or table.name}")


def last_line_of(table: Table, version: int) -> str:
    """Return the last line of every mail of a table."""
    return f"Table #{table.id} “{join_lines(table.name)}”, {TITLES[table.title].short_name}, version {version}"


def list_sent_lines(offered: NumberedMoves | None) -> Sequence[str]:
    """Return the lines of a letter that a reply might quote: its choices, however they were marked."""
    offers = offered.offers if offered else ()
    return [f"{mark}  {offer.label}" for at, offer in enumerate(offers) for mark in ("123456789"[at], "ABCDEFGHI"[at])]


def describe_outcome(asked: Proposal, table: Table, user: str) -> str:
    """Return how a proposal ended, for one of those it concerns; empty if it is open still."""
    who = "You" if user == asked.proposer else table.find_name(asked.proposer) if asked.proposer else "The table"
    asks = f"{who} asked {terms.describe_request(asked.terms)}."
    noes = [table.find_name(vote.user) for vote in asked.votes if not vote.yes and vote.user != asked.proposer]
    if asked.state == "accepted":
        return f"{asks} {'A majority' if asked.voters else 'Everyone'} agreed."
    if asked.state == "declined" and noes:
        return f"{asks} {join_names(noes)} declined, so nothing changes."
    if asked.state == "declined":
        return f"{asks} Not everyone answered in time, which counts as no. Nothing changes."
    if asked.state == "lapsed":
        return f"{asks} The game moved on before everyone answered, so nothing changes."
    return ""


def describe_lobby(table: Table) -> str:
    """Return how a table without a game stands, for a subject."""
    return "Waiting for players" if table.state == "open" else f"The table is {table.state}"


def describe_state(here: Position, *, is_asked: bool) -> str:
    """Return how a game stands in a few words, for a subject: "SR 3: your turn, buy or sell"."""
    result, table = here.game.result(), here.table
    if table.state == "closed":
        return "The table is closed"
    if result is not None:
        return f"The game is over: {join_names([table.names[seat] for seat in result.winners])} won"
    if not here.actors:
        return "News"
    ask = here.ask()
    if is_asked:
        return f"{ask.headline}: your turn, {ask.kind}" if ask.kind else f"{ask.headline}: your turn"
    return f"{ask.headline}: waiting for {join_names([seat.name for seat in here.actors])}"


async def ask_maximum(services: Services, letter: Letter, here: Position) -> Page | None:
    """Return the page that asks for a maximum bid, without its subject; ``None`` if it is not wanted any more."""
    lot = await services.agreements.find_lot(here)
    orders = await services.orders.list_active(here.table.id, letter.user)
    has_said = any(order.kind == "bid" and order.company in (letter.lot, ANY) for order in orders)
    is_wanted = lot is not None and lot.company == letter.lot and here.table.state == "running" and not has_said
    if not is_wanted or list_acting_seats(here, letter.user):  # the mail of their turn asks for a bid
        return None
    head = f"{here.ask().headline}: what's the most you would pay?"
    how = (
        "Reply with an amount, such as 150. The bot bids for you, never more than necessary, and no one sees your "
        "maximum. Reply 0 to drop out. If you don't reply, you bid in turn as usual."
    )
    return Page("", head, headline=head, lines=(*here.ask().lines, how), footer=BID_FOOTER)


def _number_moves(here: Position, seat: int, desk: Written) -> NumberedMoves:
    """Return what the choices of a desk mean in a position, for a letter."""
    ask = here.ask()
    acting = ask.headline if ask.company else ""
    return NumberedMoves(here.version, seat, desk.offers, desk.lettered, acting, desk.examples)
