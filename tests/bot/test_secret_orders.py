"""A secret order leaves no trace before it acts: two copies of a table, one with an order, look the same to others."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlmodel import col, select

from bot.commands import build_tree
from bot.commands.command import Call, Command, Value
from bot.mail.compose import Composer
from bot.model.clock import HOUR
from bot.model.errors import BotError
from bot.model.orders import ANY, OrderWish, read_rules
from bot.model.posts import AnyCall, BidPrompt, Card, Ping, Post, StopNote, Turn
from bot.model.records import Calls, NewTable, Person, Position
from bot.screens.notices import make_card, make_notice, make_turn
from bot.screens.open_desk import fetch_turn_buttons
from bot.service.services import Services
from bot.store import log, posted
from bot.store.outbox import LETTERS
from bot.store.tables import ContactRow, OutboxRow
from engine import Game, LogEntry, Rng, RuleError, Setup
from engine.codec import encode_action
from engine.view import View
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.bot.test_table_posts import send_all

PEOPLE = (ANN, BOB, CID)
STARTS = {"1860": (0, 8, 30, 45), "1862": (1, 12, 40, 60), "steel_driver": (0, 1, 6, 25)}
"""Moves made before: auctions, stock rounds, companies' turns."""
UNDO_STEP = 5
"""At which another player asks for moves to be taken back."""
LOOKS: tuple[tuple[str, Mapping[str, Value]], ...] = (
    ("view log", {}),
    ("view table", {}),
    ("view player", {}),
    ("view lots", {}),
    ("view order", {}),
    ("game info", {}),
    ("me games", {}),
    ("game list", {}),
    ("act menu", {}),
    ("game export", {}),
    ("auto list", {}),
    ("view plan", {}),
    ("view since", {}),
)
"""What another player may look at."""


def begin(title: str, moves: int) -> tuple[LogEntry, ...]:
    """Return the first moves of a game as the seeded player makes them."""
    game, rng = Game.new(Setup(title, 3, seed=3)), Rng(3)
    while len(game.line) < moves and game.actors:
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return game.log


@cache
def list_commands() -> Mapping[str, Command]:
    """Return all commands by name."""
    return {f"{group.name} {each.name}": each for group in build_tree() for each in group.commands}


class Copy:
    """One of two copies of a table."""

    def __init__(self, services: Services, clock: Clock, number: int) -> None:
        self.services = services
        self.clock = clock
        self.number = number

    async def move(self) -> None:
        """Let who is asked make the move of the seeded player."""
        here = await self.services.table.load_position(self.number)
        game = here.game.replay()
        action = game.title.advice.choose(game.state, game.actors[0], Rng(len(game.log)))
        await self.services.table.submit(self.number, here.table.seats[game.actors[0]].user, action)

    async def see(self, owner: Person, *, closely: bool) -> list[object]:
        """Return what others can see: posts, lists, and with ``closely`` whatever they look at."""
        here = await self.services.table.load_position(self.number)
        await self.services.agreements.ask_bidders(here)
        await self.services.obligations.call_on_deck(here, here.table.people)
        sent = [post for post in await send_all(self.services) if not _is_private(post, owner)]
        seen: list[object] = [_write_post(post, owner) for post in sent]
        seen += [await self._render(post, here) for post in sent if isinstance(post, Turn | Card)]
        seen += await self._read_letters(owner)
        for person in PEOPLE:
            if person != owner:
                seen.append(await self.services.obligations.list_waiting(person.id))
                seen += [await self._look(person, *look) for look in LOOKS if closely]
        table = replace(here.table, stopped=False)  # by which the desk of its owner knows that an order has stopped
        return [*seen, here.version, table, [(said.seat, encode_action(said.action)) for said in here.game.log]]

    async def _render(self, post: Turn | Card, here: Position) -> object:
        """Return a message with its buttons and menus as Discord shows it."""
        if isinstance(post, Turn):
            screen = make_turn(replace(post, pings=()), here, await fetch_turn_buttons(self.services, here))
        else:
            screen = make_card(here, await self.services.table.told.list_lines(here), ())
        return screen.text, screen.after, screen.rows, screen.menus

    async def _read_letters(self, owner: Person) -> list[object]:
        """Return the mails that others get now."""
        async with self.services.database.reading() as session:
            keys = list(
                await session.exec(select(OutboxRow.key).where(OutboxRow.batch == LETTERS).order_by(col(OutboxRow.id)))
            )
            letters = await posted.find_all(session, keys)
        composer = Composer(self.services, _draw)
        mine = [each for each in letters if each.letter.user != owner.id and each.due <= self.clock.now]
        pages = [await composer.compose(each) for each in mine]
        return [(each.letter, page and page.page) for each, page in zip(mine, pages, strict=True)]

    async def undo(self, person: Person) -> object:
        """Let a person ask to take back two moves; return what they read."""
        here = await self.services.table.load_position(self.number)
        try:
            done = await self.services.back.undo(self.number, person.id, to=max(0, len(here.game.line) - 2))
        except (BotError, RuleError) as refusal:
            return str(refusal)
        return done.sentences, done.proposal and msgspec.structs.replace(done.proposal, id=0)

    async def _look(self, person: Person, name: str, values: Mapping[str, Value]) -> object:
        command = list_commands()[name]
        call = Call(self.services, person, {**values, "game": self.number})
        try:
            reply = await command.run(call)
        except (BotError, RuleError) as refusal:
            return str(refusal)
        return reply.text, reply.views, reply.files


def _is_private(post: Post, owner: Person) -> bool:
    """Return whether no one but the owner sees a post."""
    return isinstance(post, StopNote) or (isinstance(post, Ping) and post.private and owner.id in post.mention)


async def _draw(view: View, palette: str) -> bytes:
    del view, palette
    return b""


def _write_post(post: Post, owner: Person) -> object:
    """Return a post as others see it: whether its owner is pinged by a mention, no one else can see."""
    if isinstance(post, AnyCall):
        post = replace(post, pings=tuple(user for user in post.pings if user != owner.id))
    return make_notice(post).text if isinstance(post, BidPrompt) else msgspec.json.encode(post)


async def open_copy(store: Path, title: str, moves: int, calls: Mapping[str, Calls], *, fast: bool) -> Copy:
    clock = Clock()
    services = await Services.open(store, clock, folder=store.parent)
    table = await services.lobby.create(ANN, NewTable(title, 3, seed=3))
    for person in PEOPLE[1:]:
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    async with services.database.writing() as session:
        session.add_all(
            ContactRow(
                address=f"{person.name.lower()}@home.example", user=person.id, name=person.name, state="confirmed"
            )
            for person in PEOPLE
        )
    for user, wish in calls.items():
        await services.people.set_calls(user, wish)
    if fast:
        await services.agreements.set_fast_auctions(table.id, ANN.id, on=True)
        for person in PEOPLE[1:]:
            await services.consent.vote(table.id, person.id, yes=True)
    async with services.database.writing(table.id) as session:
        entries = [
            log.NewEntry(table.id, seq, said, PEOPLE[said.seat].id, (f"Move {seq}.",), clock())
            for seq, said in enumerate(begin(title, moves))
        ]
        await log.append_all(session, entries)
    services.table.forget_log(table.id)
    await send_all(services)
    return Copy(services, clock, table.id)


NAMES = tuple(person.name for person in PEOPLE)
RULES = tuple(
    read_rules(text.format(*NAMES), NAMES)
    for text in ("if {0} passes, pass; else bid 400", "if {1} bids over 5, pass; else pass", "if {2} passes, pass")
)


def list_wishes(title: str) -> st.SearchStrategy[OrderWish]:
    """Return orders that anyone might set at any moment; some are refused."""
    with_company = {
        "1860": ("choice", ANY, "C&N", "IOW"), "1862": ("ECR", "NGC", "ENR", ANY), "steel_driver": ("black", "red", ANY)
    }[title]  # fmt: skip
    company = st.sampled_from(with_company)
    return st.one_of(
        st.builds(OrderWish, st.just("bid"), company, st.sampled_from((0, 5, 20, 400))),
        st.builds(OrderWish, st.just("pass"), coming=st.booleans()),
        st.builds(OrderWish, st.just("buy"), company, st.sampled_from((0, 3, 6))),
        st.builds(OrderWish, st.just("run"), company, keep=st.booleans()),
        st.builds(OrderWish, st.just("if"), rules=st.sampled_from(RULES)),
        st.builds(OrderWish, st.just("steps"), company, steps=st.just(("track",)), keep=st.booleans()),
    )


CALLS = st.builds(
    Calls,
    on_deck=st.booleans(),
    delay=st.sampled_from((0, 30)),
    place=st.sampled_from(("table", "dm", "both")),
    quiet_from=st.sampled_from((0, 20)),
    quiet_to=st.sampled_from((0, 8)),
)


async def compare(
    folder: Path, title: str, moves: int, owner: Person, wish: OrderWish, calls: Mapping[str, Calls], *, fast: bool
) -> int:
    """Play two copies of a table until the order of one acts; return how often they were compared with it in force."""
    plain, secret = [
        await open_copy(folder / name / "store.sqlite", title, moves, calls, fast=fast) for name in ("plain", "secret")
    ]
    compared = 0
    try:
        try:
            await secret.services.orders.set_order(secret.number, owner.id, wish)
        except (BotError, RuleError):
            return 0
        other = PEOPLE[(PEOPLE.index(owner) + 1) % len(PEOPLE)]
        for step in range(UNDO_STEP + 2):
            here, there = [await each.services.table.load_position(each.number) for each in (plain, secret)]
            if here.game.log != there.game.log or not here.actors:
                break
            first, second = [await each.see(owner, closely=step in (0, 4)) for each in (plain, secret)]
            assert first == second
            compared += 1
            if step == UNDO_STEP:  # the order may stop with it, of which no one else hears
                asked, also_asked = [await each.undo(other) for each in (plain, secret)]
                assert asked == also_asked
                first, second = [await each.see(owner, closely=True) for each in (plain, secret)]
                assert first == second
            for each in (plain, secret):
                each.clock.now += HOUR // 2
                await each.move()
    finally:
        for each in (plain, secret):
            await each.services.close()
    return compared


@pytest.mark.parametrize("title", sorted(STARTS))
def test_a_hidden_order_changes_nothing_that_others_can_see(title: str, fresh_store: Path, tmp_path: Path) -> None:
    """Posts, pings of others, on-deck notices, fast auctions, lists, log, menus, exports: the same in both copies."""

    @seed(1)  # whatever is written here
    @settings(max_examples=2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from(STARTS[title]), st.sampled_from(PEOPLE), list_wishes(title),
        st.fixed_dictionaries({person.id: CALLS for person in PEOPLE}), st.booleans(),
    )  # fmt: skip
    def holds(moves: int, owner: Person, wish: OrderWish, calls: Mapping[str, Calls], fast: bool) -> None:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        for name in ("plain", "secret"):
            (folder / name).mkdir(parents=True)
            shutil.copy(fresh_store, folder / name / "store.sqlite")
        compared = asyncio.run(compare(folder, title, moves, owner, wish, calls, fast=fast))
        assume(compared > 1)  # the order is set and waits

    holds()
