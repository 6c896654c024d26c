"""Replies that wait for a word, come too late, or a second time: a mail acts only in the turn of its letter.

A letter names its turn in the address that a reply goes to, and by its own number. So a mail that was kept back, or
that another person sends once more, plays nothing once the game has passed that turn.
"""

import zlib

import msgspec

from bot.mail.choices import read_maximum, split_table
from bot.mail.commands import changes_no_game
from bot.mail.orders import MailOrders
from bot.model.letters import Contact
from bot.service.services import Services
from bot.store import log
from bot.store.outbox import StoredPost
from engine import Record

MAX_HELD_BYTES = 100_000
"""Of a file that waits with its order, packed, as 30,000 for a long game; a larger one must be sent again."""


class MailReply(Record, frozen=True):
    """A reply whose sender is certain, or which needs no certainty.

    Args:
        contact: the address that it comes from. game: the table that it answers, by ``turn``, if it says so.
        letter: the letter of ours that it answers, if it is known. orders: what it orders.
        key: of the one answer to it; what it does is done under this name. written: its lines.
        attached: the file that came with it, if it is about one.
    """

    contact: Contact
    game: int
    turn: int | None
    letter: StoredPost | None
    orders: MailOrders
    key: str
    written: tuple[str, ...] = ()
    attached: bytes = b""


class Pending(Record, frozen=True):
    """What waits for the yes of its writer: the orders, the turn and the letter that they answer, and their mail.

    ``packed``: the file that came with it.
    """

    orders: MailOrders
    turn: int | None
    letter: int
    mail: str = ""
    packed: bytes = b""

    @property
    def file(self) -> bytes:
        """The file as it came; b"" for none."""
        return zlib.decompress(self.packed) if self.packed else b""


def encode_pending(reply: MailReply, orders: MailOrders) -> str:
    """Return what waits for a yes as a letter holds it."""
    letter = reply.letter.number if reply.letter is not None else 0
    packed = zlib.compress(reply.attached, 1) if reply.attached else b""
    kept = packed if len(packed) <= MAX_HELD_BYTES else b""
    return msgspec.json.encode(Pending(orders, reply.turn, letter, reply.key, kept)).decode()


def decode_pending(held: str) -> Pending:
    """Return what a letter holds for a yes."""
    return msgspec.json.decode(held, type=Pending)


async def find_late_order(services: Services, reply: MailReply) -> str:
    """Return an order that would act in a turn that its letter knew nothing of; "" if there is none.

    A letter names its turn by the address that a reply goes to, and by its own number. So a mail that was kept
    back, or that another person sends once more, plays nothing in a later turn.
    """
    table = await services.lobby.get_table(reply.game)
    acting = [each for each in reply.orders.orders if split_table(each)[0] in (0, reply.game)]
    acting = [each for each in acting if not changes_no_game(split_table(each)[1])]
    if not acting or table.started is None or await _was_begun(services, reply):
        return ""
    letter = reply.letter.letter if reply.letter is not None else None
    offered = reply.letter.offered if reply.letter is not None else None
    said = (reply.turn, letter.turn_from if letter and letter.about in ("turn", "reminder") else None)
    turns = {each for each in said if each is not None}
    is_known = bool(turns) or (offered is not None and offered.version >= table.turn_from)
    if is_known and turns <= {table.turn_from}:
        return ""
    for order in acting:
        word = split_table(order)[1].casefold().strip(" .!")
        is_of_lot = letter is not None and letter.lot != "" and read_maximum(word) is not None
        is_vote = letter is not None and letter.about == "question" and word in ("yes", "no")
        is_own = word == "undo" and turns and await _has_moved_last(services, reply, min(turns))
        if not (is_of_lot or is_vote or is_own):
            return order
    return ""


async def _was_begun(services: Services, reply: MailReply) -> bool:
    """Return whether something of a reply was done before: the program died over it, and the mail came again."""
    for place in range(1, len(reply.orders.orders) + 1):
        done = await services.table.find_answer(f"{reply.key}#{place}", reply.game, reply.contact.user)
        if done is not None:
            return True
    return False


async def _has_moved_last(services: Services, reply: MailReply, turn: int) -> bool:
    """Return whether the last move at a table is the writer's own, made in a turn or after it."""
    async with services.database.reading() as session:
        entries = await log.list_told(session, reply.game, turn)
    return bool(entries) and entries[-1].user == reply.contact.user
