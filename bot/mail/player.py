"""Does what a reply orders, one order after the other, and says what became of each."""

import re
from collections.abc import Sequence

import msgspec
import structlog

from bot.commands import build_tree
from bot.commands.act import build_act
from bot.commands.command import Group
from bot.mail.choices import Mark, read_mark, read_maximum, split_table
from bot.mail.commands import (
    HELP,
    OrderDone,
    brings_file,
    changes_no_game,
    join_sentences,
    only_tells,
    read_command,
    read_typed_command,
    run_command,
    to_plain_words,
)
from bot.mail.orders import MailOrders
from bot.mail.phrases import COMMANDS
from bot.mail.replays import MailReply, find_late_order
from bot.model.errors import BotError, describe_defect, explain_error, make_reference
from bot.model.letters import Contact, NumberedMoves, build_letter_key
from bot.model.orders import OrderWish
from bot.model.posts import Owed, build_turn_key
from bot.model.records import Outcome
from bot.model.seating import explain_blocked, list_acting_seats
from bot.screens.lesson_controls import greet_newcomer
from bot.screens.open_desk import find_alternatives, understand_order
from bot.screens.text import format_view
from bot.service.press import MAX_MESSAGE_CHARACTERS
from bot.service.services import Services
from bot.service.table import Delivery, Typed
from bot.store import log
from bot.store.database import StoreError
from bot.store.incoming import Fate
from bot.store.outbox import StoredPost
from engine import Record, RuleError
from engine.codec import decode_action
from engine.words import pluralise

MAX_RESPONSE_LETTERS = 4000
_OFFER = "If it was meant for the other players, reply yes to send it to them: “{}”"
_LETTERED = " The choices have letters here, because a number is an amount."
_DECLINE = re.compile(r"no (?:more )?(?:trains?|track|base)[.!]*", re.IGNORECASE)
"""A step that may be left out: where it doesn't come, the moves after it are played anyway."""
_log = structlog.get_logger(__name__)


class Response(Record, frozen=True):
    """What a person is told, and what became of their mail.

    ``picture`` goes with it, and ``file``, as in ``OrderDone``. ``game``: the table it tells of, 0 for that answered.

    ``pending``: what waits for their yes to this, as JSON. ``offered``: words that they can send to the other players.
    ``owed``: their messages, which are owed together with the answer.
    """

    text: str
    fate: Fate = "answered"
    picture: str = ""
    file: str = ""
    game: int = 0
    pending: str = ""
    offered: str = ""
    owed: tuple[Owed, ...] = ()


class Player:
    """Acts for the writer of a reply, through the same services and commands as any front."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.groups: tuple[Group, ...] = build_tree()
        self._verbs = {command.name for command in build_act().commands}

    async def answer(self, reply: MailReply) -> Response:
        """Do what is ordered, until something is refused or someone else must act; return what to say.

        Raises:
            StoreError: the database is down; what was done by then is not done twice when the mail comes again.
        """
        contact, game, letter, orders = reply.contact, reply.game, reply.letter, reply.orders
        if contact.state == "stopped" and orders.orders[:1] != ("start",):
            return Response("You've unsubscribed. Reply start to get e-mail again.", "refused")
        asked = letter is not None and letter.letter.about == "invitation"
        if contact.state == "asked" or asked or await self._is_invited(contact, game):
            joined = await self._join(contact, game, orders)
            if joined is not None:
                return joined
        if orders.why:
            can_say = game and await self.services.press.is_open(game, contact.user)
            said = " ".join(reply.written)[:MAX_MESSAGE_CHARACTERS] if can_say else ""
            offer = f"\n{_OFFER.format(said)}" if said else ""
            return Response(f"✗ {orders.why}{offer}\n{HELP}", "asked back", offered=said)
        if late := await find_late_order(self.services, reply):
            why = f"“{late}” answers an e-mail of an earlier turn, and the game has moved on."
            return Response(f"✗ Nothing was played: {why} This is the position now.", "refused")
        if both := await self._find_alternatives(contact, game, letter, orders.orders, reply.key):
            why = f"“{both[0]}” and “{both[1]}” are two choices for the same turn: I'm not sure which you mean."
            return Response(f"✗ {why} Nothing was done; reply with one of them.", "asked back")
        return await self._do_all(reply)

    async def _do_all(self, reply: MailReply) -> Response:
        """Do one order after the other, until one is refused."""
        contact, game, orders, delivery = reply.contact, reply.game, reply.orders, reply.key
        letter, is_lettered = reply.letter, False
        if letter is not None and letter.offered is not None:
            is_lettered = letter.offered.lettered
        told: list[str] = []
        fate: Fate = "answered"
        picture, file, opened, left = "", "", 0, list(orders.orders)
        while left:
            order = left.pop(0)
            place = len(orders.orders) - len(left)
            try:
                key = f"{delivery}#{place}"
                if brings_file(order):
                    brought = read_typed_command(self.groups, order, reply.attached)
                    done = await run_command(self.services, contact, game, brought, key)
                else:
                    done = await self._do_order(contact, game, letter, order, key, is_first=place == 1)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001  # a defect is told with its number; the mail is answered
                if _DECLINE.fullmatch(order) and isinstance(error, BotError) and len(orders.orders) > 1:
                    told.append(f"✓ {order}: you aren't asked for one here.")
                    continue
                hint = _LETTERED if is_lettered and order.strip(" .!").isdecimal() else ""
                told.append(f"✗ {order}: {_explain_error(error)}{hint}")
                fate = fate if fate == "played" else "refused"
                break
            is_shown = done.picture or (only_tells(order) and not order.startswith("/"))
            told.append(done.text if is_shown else f"✓ {done.text}")
            picture, file, opened = done.picture or picture, done.file or file, done.game or opened
            fate = "played" if done.played else fate
        if left:
            told.append(f"Not done: {', '.join(left)}.")
        if orders.remarks:
            told.append(f"Ignored: “{' / '.join(orders.remarks)[:200]}”.")
        said, owed = await self._write_messages(reply)
        if said and not owed and fate != "played":
            fate = "refused"
        text = "\n".join((*told, *said))[:MAX_RESPONSE_LETTERS]
        return Response(text, fate, picture, file, opened, owed=tuple(owed))

    async def _write_messages(self, reply: MailReply) -> tuple[list[str], list[Owed]]:
        """Return what became of each message to other players, and those that are owed to them."""
        told, owed = list[str](), list[Owed]()
        for place, message in enumerate(reply.orders.messages, 1):
            try:
                said = await self.services.press.write(reply.game, reply.contact.user, message, f"{reply.key}m{place}")
            except StoreError:
                raise
            except BotError as error:
                told.append(f"✗ to {message.to}: {_explain_error(error)}")
            else:
                told.append(f"✓ {said.told}")
                owed.append(said.owed)
        return told, owed

    async def _find_alternatives(
        self, contact: Contact, game: int, letter: StoredPost | None, orders: Sequence[str], delivery: str
    ) -> tuple[str, ...]:
        """Return two moves of which only one can be made, as "pass" and "bid 20"; () if there are none.

        Raises:
            StoreError: the database is down.
        """
        moves = [each for each in orders if split_table(each)[0] in (0, game) and self._is_move(split_table(each)[1])]
        if len(moves) < 2 or await self.services.table.find_answer(f"{delivery}#1", game, contact.user) is not None:
            return ()
        here = await self.services.table.load_position(game)
        offered = letter.offered if letter is not None else None
        seats, mark = list_acting_seats(here, contact.user), _read_choice(split_table(moves[0])[1], offered)
        first = ""
        if mark is not None and offered is not None and mark.number < len(offered.offers):
            first = offered.offers[mark.number].action
        if not seats or (offered is not None and offered.version != here.version) or (mark is not None and not first):
            return ()  # it is refused when it is done
        found = await find_alternatives(self.services, here, seats[0], [split_table(each)[1] for each in moves], first)
        return tuple(moves[place] for place in found)

    def _is_move(self, order: str) -> bool:
        """Return whether an order is no command."""
        word, _, rest = order.casefold().strip(" .!").partition(" ")
        is_command = word in COMMANDS and (word not in self._verbs or order.casefold() == "start")
        said = {each.removesuffix("s") for each in rest.split()}
        if word == "no" and said & {*self._verbs, "track", "base"}:  # "no more trains"
            return True
        return not is_command and (not order.startswith("/") or order.startswith("/act "))

    async def unsubscribe(self, contact: Contact) -> Response:
        """Send no more letters to an address."""
        await self.services.contacts.set_state(contact.id, "stopped")
        return Response("✓ You're unsubscribed and keep your seats. Reply start to get e-mail again.")

    async def _join(self, contact: Contact, game: int, orders: MailOrders) -> Response | None:
        """Take the answer to an invitation; ``None`` if it is none."""
        said = orders.orders[0].casefold().strip(".! ") if orders.orders else ""
        if said == "stop":
            return await self.unsubscribe(contact)
        if said == "no":
            return Response("✓ You declined; you'll get no more e-mails about it.")
        if said != "yes":
            why = "✗ Reply yes to take a seat, or no to decline."
            return Response(why, "asked back") if contact.state == "asked" else None
        try:
            told = f"✓ {await self.services.hosting.accept_invitation(contact, game)}"
            table = await self.services.lobby.get_table(game)
            greeting = await greet_newcomer(self.services, contact.user, table.title, table.id, told)
            sheet = [line for view in greeting.pictures for line in ("", *format_view(view))]
            return Response("\n".join([told, *sheet]))
        except StoreError:
            raise
        except (BotError, RuleError) as refusal:
            return Response(f"✗ {_explain_error(refusal)}", "refused")

    async def list_others(self, game: int, user: str) -> list[str]:
        """Return the names of the other players of a table."""
        try:
            seats = (await self.services.lobby.get_table(game)).seats if game else ()
        except BotError:
            return []
        return [seat.name for seat in seats if seat.user != user]

    async def _is_invited(self, contact: Contact, game: int) -> bool:
        """Return whether a table that has not begun waits for a person's word, whichever mail they answer."""
        table = await self.services.lobby.get_table(game)
        return table.state == "open" and contact.user in table.invited and contact.user not in table.people

    async def _do_order(
        self, contact: Contact, game: int, letter: StoredPost | None, order: str, delivery: str, *, is_first: bool
    ) -> OrderDone:
        """Do one order.

        Raises:
            BotError, RuleError, WordingError: it is refused; nothing has changed.
        """
        named, rest = split_table(order)
        if named and named != game:
            return await self._do_elsewhere(contact, named, rest, delivery, letter)
        order = rest
        done = await self.services.table.find_answer(delivery, game, contact.user)
        if done is not None:
            return OrderDone(join_sentences(done), played=True)
        if (most := read_maximum(order)) is not None:
            lot = letter.letter.lot if letter is not None else ""
            made = await self._set_maximum(contact, game, lot, most, delivery)
            return OrderDone(to_plain_words(join_sentences(made)), played=True)
        mark = _read_choice(order, letter.offered if letter is not None else None) if is_first or named else None
        if mark is not None:
            return OrderDone(
                join_sentences(await self._play_marked(contact, game, letter, mark, delivery)), played=True
            )
        if not self._is_move(order):
            if order.startswith("/"):
                said = read_typed_command(self.groups, order)
                return await run_command(self.services, contact, game, said, delivery)
            word, _, rest = order.partition(" ")
            word = word.casefold().strip(".!")
            if word in ("yes", "no") and letter is not None and letter.letter.about == "question":
                rest = f"{rest} which:{letter.letter.proposal}"  # and no other, should that one be over
            return await self._do_command(contact, game, word, rest.strip(), delivery)
        offered = letter.offered if letter is not None and is_first else None
        return OrderDone(join_sentences(await self._play_words(contact, game, order, offered, delivery)), played=True)

    async def _do_elsewhere(
        self, contact: Contact, game: int, order: str, delivery: str, digest: StoredPost | None
    ) -> OrderDone:
        """Do an order for another table than that of the letter it answers, as a digest offers it.

        Raises:
            BotError: they do not sit there, or the turn there began after the digest was sent; see ``_do_order``.
        """
        try:
            table = await self.services.lobby.get_table(game)
        except StoreError:
            raise
        except BotError:
            table = None
        if table is None or contact.user not in table.people:
            raise BotError(f"You have no seat at table #{game}.")
        is_done = await self.services.table.find_answer(delivery, game, contact.user) is not None
        if not is_done and not changes_no_game(order):
            async with self.services.database.reading() as session:
                begun = await log.list_told(session, game, max(0, table.turn_from - 1))
            since = begun[0].at if begun and table.turn_from else table.started or 0
            if digest is None or digest.sent < since:
                raise BotError(f"Table #{game} has moved on since that e-mail; reply to a newer one.")
        key = build_letter_key(build_turn_key(game, table.turn_from), contact.user)
        letter = await self.services.posted.find_post(key)
        told = await self._do_order(contact, game, letter, order, delivery, is_first=True)
        return msgspec.structs.replace(told, text=f"#{game}: {told.text}")

    async def _play_marked(
        self, contact: Contact, game: int, letter: StoredPost | None, mark: Mark, delivery: str
    ) -> Outcome:
        """Play a marked choice as it stood in the letter that is answered.

        Raises:
            BotError: it is not known which letter, or it had no such choice; StaleError: it is old.
        """
        offered = letter.offered if letter is not None else None
        if mark.version is not None and (offered is None or offered.version != mark.version):
            offered = await self.services.posted.find_offer(contact.user, game, mark.version)
        if offered is None:
            raise BotError(
                "I can't see which e-mail you replied to. Choose from this one, or write your move in words."
            )
        if mark.lettered and not offered.lettered:
            raise BotError("A letter could be a signature. Reply with the number of a choice.")
        if mark.number >= len(offered.offers):
            raise BotError(f"There's no such choice; that e-mail offered {pluralise(len(offered.offers), 'choice')}.")
        table = await self.services.lobby.get_table(game)
        action = decode_action(table.title, offered.offers[mark.number].action.encode())
        return await self.services.table.submit(game, contact.user, action, Delivery(delivery, offered.version))

    async def _play_words(
        self, contact: Contact, game: int, order: str, offered: NumberedMoves | None, delivery: str
    ) -> Outcome:
        """Play a move in words.

        Raises:
            BotError: it is not their turn, the words mean nothing, or the letter they answer is of another turn.
        """
        here = await self.services.table.load_position(game)
        seats = list_acting_seats(here, contact.user)
        if not seats:
            raise BotError(explain_blocked(here, contact.user))
        if offered is not None and not here.table.turn_from <= offered.version <= here.version:
            raise BotError("You replied to an older e-mail, and the game has moved on. Reply to this one.")
        said = await understand_order(self.services, here, seats[0], order)
        if said.why:
            raise BotError(said.why)
        return await self.services.table.submit(game, contact.user, Typed(said.verb, said.words), Delivery(delivery))

    async def _set_maximum(self, contact: Contact, game: int, lot: str, amount: int, delivery: str) -> Outcome:
        """Let the bot bid for a person up to an amount; ``lot`` is what they were asked about, empty if they weren't.

        Raises:
            BotError: the lot is sold by now, or nothing is auctioned. RuleError: the game knows no such order.
        """
        now = await self.services.agreements.find_lot(await self.services.table.load_position(game))
        if lot and (now is None or now.company != lot):
            raise BotError(f"The auction of {lot} is over, so nothing was set.")
        if now is None:
            raise BotError("Nothing is being auctioned now, so no maximum bid was set.")
        wish = OrderWish("bid", now.company, amount)
        return await self.services.orders.set_order(game, contact.user, wish, Delivery(delivery))

    async def _do_command(self, contact: Contact, game: int, word: str, rest: str, delivery: str) -> OrderDone:
        """Do what is no move.

        Raises:
            BotError: it cannot be done, or is no command.
        """
        if word == "help":
            return OrderDone(HELP)
        if word == "stop":
            return OrderDone((await self.unsubscribe(contact)).text.removeprefix("✓ "))
        if word == "start":
            await self.services.contacts.set_state(contact.id, "confirmed")
            return OrderDone("You'll get e-mail at this address.")
        if word == "link":
            address = await self.services.contacts.link_by_letter(contact, rest, game)
            return OrderDone(f"I've written to {address}. Reply yes there to play from it.")
        if word == "snooze":
            return OrderDone(await self.services.obligations.snooze(game, contact.user, rest or "4h"))
        return await run_command(self.services, contact, game, read_command(self.groups, word, rest), delivery)


def _read_choice(order: str, offered: NumberedMoves | None) -> Mark | None:
    """Return the choice that an order marks; where choices have letters, a number is an amount."""
    is_amount = offered is not None and offered.lettered and order.strip(" .!").isdecimal()
    return None if is_amount else read_mark(order)


def _explain_error(error: Exception) -> str:
    sentence = explain_error(error)
    if sentence is None:
        number = make_reference()
        _log.error("defect", ref=number, exc_info=error)
        return describe_defect(number)
    return to_plain_words(sentence)
