"""An inspection reads all tables without keeping the event loop from its work."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.model.obligations import Obligation
from bot.model.posts import Ballot, Notice, Turn
from bot.model.records import Home, NewTable
from bot.service import inspection
from bot.service.inspection import Inspection
from bot.service.invariants import Fault, find_faults
from bot.service.services import Services
from bot.store import outbox
from bot.store.fates import PostFate, TableFates
from engine import Ask
from tests.bot.conftest import ANN


class Blind:
    """Looks at no table."""

    async def look_at(self, table: TableFates) -> None:
        """See nothing."""

    async def erase(self, channel: str, message: str) -> None:
        """Delete nothing."""


@pytest.mark.parametrize("kind", ["sqlite"])
async def test_other_work_goes_on_after_each_table(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing is wrong, and no message is looked at."""
    monkeypatch.setattr(inspection, "MAX_TABLES_READ", 3)
    monkeypatch.setattr(inspection, "MAX_LOOK_SECONDS", 0.0)
    for _ in range(7):
        table = await services.lobby.create(ANN, NewTable("toy", 3))
        await services.lobby.set_home(table.id, Home("1", "2"))
    turns, seen = [0], dict[int, int]()

    def note(table: TableFates, _: int) -> list[Fault]:
        seen[table.game] = turns[0]
        return []

    async def work() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(inspection, "find_faults", note)
    working = asyncio.create_task(work())
    try:
        await Inspection(services.table, Blind()).run_round()
    finally:
        working.cancel()
    assert list(seen) == list(range(1, 8))
    assert len(set(seen.values())) == 7, "nothing else was done between two tables"


NOW, TEXT = 1_000_000, outbox.encode(Notice(1, "The server is back."))


def make_post(key: str, kind: str, state: str = "sent", error: str = "", due: int = NOW) -> PostFate:
    return PostFate(
        1, 1, f"1:{key}", kind, state, due, 0, 1, error, "c", "m", NOW, NOW if state == "sent" else None, TEXT
    )


def make_table(
    *posts: PostFate, state: str = "open", lease: int = 0, is_paused: bool = False, asked: tuple[Obligation, ...] = ()
) -> TableFates:
    known = {post.key: post for post in posts}
    return TableFates(
        1, "Isle", state, Home("g", "c", "t", "m"), 0, 0, (), NOW, 0, {}, is_paused, asked, frozenset(), known, (), (),
        lease,
    )  # fmt: skip


def list_faults(*posts: PostFate, lease: int = 0, is_paused: bool = False) -> list[tuple[str, str]]:
    """Return what is wrong with an open table with these posts too, and how it is repaired."""
    needed = (make_post("lobby", "lobby"), make_post("expire", "expire", "owed"))
    table = make_table(*needed, *posts, lease=lease, is_paused=is_paused)
    return [(fault.key, fault.repair) for fault in find_faults(table, NOW)]


@pytest.mark.parametrize(("seconds", "faults"), [(90, []), (91, [("posts:1", "free")]), (901, [])])
def test_a_lease_that_no_living_sender_holds_so_long_is_ended(seconds: int, faults: list[tuple[str, str]]) -> None:
    """One of more than a quarter of an hour is from a clock that was ahead, and binds no one."""
    assert list_faults(lease=NOW + seconds) == faults


@pytest.mark.parametrize(
    ("kind", "error", "is_owed"), [("notice", "", True), ("notice", "400", False), ("summary", "400", True)]
)
def test_a_post_dropped_for_a_reason_is_not_owed_again_but_the_result_of_a_turn_is(
    kind: str, error: str, is_owed: bool
) -> None:
    assert list_faults(make_post("7", kind, "dropped", error)) == [("1:7", "owe")] * is_owed


def test_a_post_held_back_is_owed_again_once_the_server_is_not_paused() -> None:
    held = make_post("7", "notice", "held")
    assert (list_faults(held), list_faults(held, is_paused=True)) == ([("1:7", "owe")], [])


@pytest.mark.parametrize(("ahead", "repair"), [(7200, []), (7201, ["hurry"]), (-300, []), (-301, ["none"])])
def test_a_post_is_sent_within_two_hours_and_late_after_five_minutes(ahead: int, repair: list[str]) -> None:
    """Rate limits of Discord last an hour at most."""
    assert [how for _, how in list_faults(make_post("card", "card", "owed", due=NOW + ahead))] == repair


@pytest.mark.parametrize(
    ("state", "error", "repairs"),
    [("sent", "", []), ("owed", "", []), ("dropped", "", ["owe"]), ("dropped", "400", []), (None, "", ["build"])],
)
@pytest.mark.parametrize("end", ["", ":refused", ":refused:7", ":7"])
def test_the_last_ping_of_a_player_is_neither_lost_nor_missing(
    state: str | None, error: str, repairs: list[str], end: str
) -> None:
    """At the table, in private, or at the table since private messages are refused; it may be refused itself."""
    row = Obligation(1, "1:turn:0", "turn", "7", NOW, NOW, pings=2, pinged=NOW - 60, stands=True)
    posts = [make_post(f"turn:0:ping:{NOW - 60}:1{end}", "ping", state, error)] if state else []
    faults = find_faults(make_table(*posts, state="running", asked=(row,)), NOW)
    assert [fault.repair for fault in faults if fault.kind == "ping"] == repairs


@pytest.mark.parametrize(("users", "repairs"), [("89", []), ("8", ["build"])])
def test_everyone_whom_a_vote_asks_has_an_obligation(users: str, repairs: list[str]) -> None:
    vote = replace(make_post("ballot:3", "ballot"), payload=outbox.encode(Ballot(1, 3, ("8", "9"))))
    asked = tuple(Obligation(1, "1:ballot:3", "ballot", user, NOW, NOW) for user in users)
    table = replace(make_table(vote, state="running", asked=asked), ballots=(3,))
    assert [fault.repair for fault in find_faults(table, NOW) if fault.kind == "obligation"] == repairs


@pytest.mark.parametrize(("error", "repairs"), [("", ["owe"]), ("400", [])])
def test_the_word_to_those_who_are_next_is_owed_again_unless_it_was_refused(error: str, repairs: list[str]) -> None:
    turn = replace(make_post("turn:0", "turn"), payload=outbox.encode(Turn(1, 0, 0, (), (), Ask((0,), "Bid", "bid"))))
    faults = find_faults(make_table(turn, make_post("deck:0", "ondeck", "dropped", error), state="running"), NOW)
    assert [fault.repair for fault in faults if fault.key == "1:deck:0"] == repairs
