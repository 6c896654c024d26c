"""A slice of ``python -m tests.mail.bench``: what mail bears, with the same judges."""

from pathlib import Path

import pytest

from bot.mail.clerk import Clerk
from tests.mail.bench import run_flood
from tests.simulation.mail_life import Wish, live
from tests.support import quick_files


@pytest.mark.parametrize("plus", ["+", ""])
async def test_good_replies_are_answered_among_poison_and_copies_of_them_move_nothing(
    tmp_path: Path, plus: str
) -> None:
    """Each mail has a fate in the ledger; twelve copies of each good one play nothing."""
    found, sent, moved = await run_flood(tmp_path, poison=30, good=2, plus=plus)
    assert (found.put, found.silent, found.unread, found.fates["played"]) == (32, 0, 0, 2)
    assert len(found.waited) == 2
    assert (sent, moved, found.moves) == (24, 0, 0)


WISH = Wish((("toy", 2),), moves=6, kills=2, hours=2.0, bounces=1, poison=2, before=2, every=2)


def test_a_table_by_mail_outlives_kills_an_outage_and_a_bounce(tmp_path: Path, fresh_store: Path) -> None:
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    quick_files.hasten()
    lived = live(1, tmp_path, WISH)
    assert (lived.wrong, lived.silent) == ([], [])
    assert (lived.moves, lived.fates["played"], lived.fates["noted"]) == (6, 6, 1)
    assert lived.waited_after, "someone wrote while the server was away"
    assert max(lived.waited) < 60


async def test_a_mail_without_a_fate_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge could fail at all."""

    async def forget(self: Clerk, name: str, word: str, *rest: object) -> str:
        del self, name, rest
        return word

    monkeypatch.setattr(Clerk, "_ignore", forget)
    found, _, _ = await run_flood(tmp_path, poison=3, good=1)
    assert found.silent == 3
