"""The ledger, in which each mail that came in has one visible fate; and the codes that prove senders."""

import hmac
import secrets

import msgspec

from bot.model.clock import DAY, HOUR, Clock
from bot.model.posts import Owed
from bot.store import incoming, outbox
from bot.store.database import Database
from bot.store.incoming import LedgerLine, ProofCode, Received
from engine import Record

MAX_MAILS_AN_HOUR = 20
"""Of one address, that are read at once; the others are read later."""
MAX_UNPROVEN_AN_HOUR = 5
MAX_REFUSALS = 5
CODE_SECONDS = 7 * DAY
MAX_CODE_TRIES = 5
STALE_SECONDS = 2 * HOUR
"""After which a mail that waits, and did not come again, holds up no other: someone has deleted it."""
IGNORED_DAYS, KEPT_DAYS = 30, 400
"""For which the ledger remembers mails of robots and strangers, and all others."""


class Allowance(Record, frozen=True):
    """How much of what comes from an address is read now.

    Args:
        minutes: until a mail may be read, 0 if it is read now. was_told: whether its person knows that mails wait.
        unproven: mails within the hour whose sender was not proven.
        in_vain: how many of the last ones in a row, up to ``MAX_REFUSALS``, said nothing that could be read.
    """

    minutes: int = 0
    was_told: bool = False
    unproven: int = 0
    in_vain: int = 0


class Ledger:
    """Notes what becomes of mails.

    Args:
        database: where it is kept. clock: gives the moment.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    async def note(self, mail: Received, *answers: Owed) -> None:
        """Note what became of a mail, and owe what answers it, or neither."""
        now = self.clock()
        async with self.database.writing(wakes=bool(answers)) as session:
            await incoming.note(session, mail, now)
            await outbox.owe(session, answers, now)

    async def find(self, name: str) -> Received | None:
        """Return a mail by its name."""
        async with self.database.reading() as session:
            return await incoming.find(session, name)

    async def find_same(self, mail: Received) -> Received | None:
        """Return another mail from the same address with the same date and text."""
        async with self.database.reading() as session:
            return await incoming.find_same(session, mail)

    async def find_room(self, contact: int, name: str) -> Allowance:
        """Return whether one more mail from an address is read now; they are read in the order in which they came."""
        now = self.clock()
        async with self.database.reading() as session:
            lately = await incoming.list_of_contact(session, contact, now - DAY)
        place = next((place for place, each in enumerate(lately) if each.name == name), -1)
        waiting = [each for each in lately if each.fate == "waits" and each.until > now - STALE_SECONDS]
        done = [each for each in lately if each.fate not in ("waits", "ignored")]
        read = sorted(each.until for each in done if each.proven and each.until > now - HOUR)
        minutes = 0
        if len(read) >= MAX_MAILS_AN_HOUR:
            minutes = -(-(read[-MAX_MAILS_AN_HOUR] + HOUR - now) // 60)
        elif any(each in waiting for each in lately[place + 1 :]):
            minutes = 5
        vain = [each.fate == "asked back" for each in done[:MAX_REFUSALS]]
        return Allowance(
            minutes, bool(waiting), sum(not each.proven and each.until > now - HOUR for each in done),
            vain.index(False) if False in vain else len(vain),
        )  # fmt: skip

    async def list_lines(self, seconds: int, most: int) -> list[LedgerLine]:
        """Return the last mails in and out, the newest first."""
        async with self.database.reading() as session:
            return await incoming.list_ledger(session, self.clock() - seconds, most)

    async def tidy(self) -> None:
        """Forget what no one asks about any more."""
        now = self.clock()
        async with self.database.writing(wakes=False) as session:
            await incoming.prune(session, now - IGNORED_DAYS * DAY, only="ignored")
            await incoming.prune(session, now - KEPT_DAYS * DAY)
            await incoming.drop_codes(session, now)

    # --- codes -------------------------------------------------------------------------

    async def make_code(self, contact: int, game: int, turn: int) -> str:
        """Return the code for an address, a table and a turn; "" if it was guessed at too often."""
        now = self.clock()
        async with self.database.writing(wakes=False) as session:
            known = await incoming.fetch_code(session, contact, game, turn)
            if known is not None and known.tries >= MAX_CODE_TRIES:
                return ""
            if known is not None and not known.used and known.until >= now:
                return known.code
            fresh = ProofCode(contact, game, turn, f"{secrets.randbelow(1_000_000):06}", now + CODE_SECONDS)
            await incoming.keep_code(session, fresh)
            return fresh.code

    async def take_code(self, code: ProofCode) -> bool:
        """Take a code as a mail, ``used``, says it, once; return whether it was right."""
        now = self.clock()
        async with self.database.writing(wakes=False) as session:
            known = await incoming.fetch_code(session, code.contact, code.game, code.turn)
            if known is None or known.until < now or known.tries >= MAX_CODE_TRIES:
                return False
            is_right = hmac.compare_digest(known.code.encode(), code.code.encode())
            if known.used:  # the same mail comes again where the program died over it
                return is_right and known.used == code.used
            change = {"used": code.used} if is_right else {"tries": known.tries + 1}
            await incoming.keep_code(session, msgspec.structs.replace(known, **change))
            return is_right
