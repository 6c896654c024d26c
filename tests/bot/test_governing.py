"""Those who run a server: their rules hold, their deeds need no vote, and all of it is on the record."""

from datetime import UTC, datetime

import pytest

from bot.commands import build_tree
from bot.commands.command import Call, ChannelOrRole, Reply, Value
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.posts import Notice, Ping, TimeUp
from bot.model.records import Home, NewTable, Person, ServerRules
from bot.operations import backup
from bot.operations.settings import Schedule
from bot.service.game_clock import has_started_clock
from bot.service.services import Services
from bot.service.workers.files import FileAsked
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid

HOME = Home("g", "c")


@pytest.fixture
async def played(services: Services) -> int:
    """Ann, Bob and Cid play on a server; Ann has bid 3, Bob 4, and Cid is to act."""
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5, clock=True), HOME)
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.table.submit(table.id, ANN.id, Bid(3))
    await services.table.submit(table.id, BOB.id, Bid(4))
    await send_all(services)
    return table.id


async def say(
    services: Services, line: str, here: int | None = None, *, operates: bool = False, **values: Value
) -> str:
    """Give a command on the server; return what is answered."""
    group, name = line.split()
    command = sure(next(each for each in build_tree() if each.name == group).find(name))
    call = Call(services, EVE, values, here, HOME, channels=("c",), manages=True, operates=operates)
    reply: Reply = await command.run(call)
    return reply.text


async def test_only_server_managers_can(services: Services, played: int) -> None:
    group = next(each for each in build_tree() if each.name == "admin")
    assert group.managing
    for command in group.commands:
        who = "Only the bot's operator" if command.name == "backup" else "Only server managers"
        with pytest.raises(BotError, match=who):
            await command.run(Call(services, EVE, {"seat": "Cid", "to": 0, "text": "x"}, played, HOME))
    with pytest.raises(BotError, match=r"Only the bot's operator .* it contains the tables of every server"):
        await say(services, "admin backup")


async def test_tables_are_opened_where_and_by_whom_it_is_allowed(services: Services) -> None:
    new = sure(next(each for each in build_tree() if each.name == "game").find("new"))
    assert "every channel" in await say(services, "admin channels")
    assert "[thread:c2]" in await say(services, "admin channels", channel=ChannelOrRole("c2", "games"))
    wish: dict[str, Value] = {"title": "toy", "seats": 3}
    with pytest.raises(BotError, match=r"opened only in \[thread:c2\]"):
        await new.run(Call(services, ANN, wish, None, HOME, channels=("c",)))
    assert "Only these roles may open and join tables: Rail fans." in await say(
        services, "admin roles", role=ChannelOrRole("r", "Rail fans")
    )
    with pytest.raises(BotError, match="one of these roles to open or join tables: Rail fans"):
        await new.run(Call(services, ANN, wish, None, HOME, channels=("t", "c2")))
    assert (await new.run(Call(services, ANN, wish, None, HOME, channels=("t", "c2"), roles=("r",)))).game == 1
    assert "Everyone" in await say(services, "admin roles", role=ChannelOrRole("r", "Rail fans"), allowed=False)


async def test_limits_hold_for_tables_seats_and_imports(services: Services, played: int) -> None:
    assert "1 for tables hosted, 2 for tables played at" in await say(
        services, "admin limits", tables=1, seats=2, imports=1
    )
    with pytest.raises(BotError, match="0 \\(no limit\\) to 1000"):
        await say(services, "admin limits", tables=-1)
    with pytest.raises(BotError, match="You already host 1 open or running table,"):
        await services.lobby.create(ANN, NewTable("toy", 3), HOME)
    second = await services.lobby.create(BOB, NewTable("toy", 3), HOME)
    third = await services.lobby.create(CID, NewTable("toy", 3), HOME)
    with pytest.raises(BotError, match="You already have seats at 2 open or running tables"):
        await services.lobby.join(third.id, BOB)
    assert BOB.id not in (await services.lobby.get_table(third.id)).people
    await services.lobby.create(ANN, NewTable("toy", 3), Home("other", "c"))
    await services.lobby.leave(second.id, BOB.id)
    file = FileAsked((await services.transfer.export(played, "native", None)).data)
    await services.transfer.import_file(EVE, file, "", HOME)
    with pytest.raises(BotError, match="The limit of imports on this server is 1 a day"):
        await services.transfer.import_file(Person("8", "Fay"), file, "", HOME)


async def test_a_rollback_is_previewed_and_announced_at_the_table(services: Services, played: int) -> None:
    shown = await say(services, "admin rollback", played, to=0)
    assert "2 moves by Ann and Bob." in shown
    assert "First: Ann bids £3" in shown
    assert len((await services.table.load_position(played)).game.line) == 2
    await say(services, "admin rollback", played, to=0, sure=True)
    assert (await services.table.load_position(played)).game.line == ()
    assert (await services.table.read_log(played))[-1].sentences == ("Server manager Eve took back 2 moves.",)
    for player in (ANN, BOB):
        with pytest.raises(BotError, match="a server manager or a former player"):
            await services.back.redo(played, player.id)


async def test_act_for_needs_no_vote(services: Services, played: int) -> None:
    assert "Eve acts for Cid until the end of this turn" in await say(
        services, "admin act_for", played, seat="Cid", user=EVE
    )
    await services.table.submit(played, EVE.id, Bid(5))
    assert "stand-in plays for Bob from now on" in await say(services, "admin act_for", played, seat="Bob", once=False)


async def test_a_pause_stops_play_calls_and_clocks(services: Services, played: int, clock: Clock) -> None:
    """Cid was called before it; the reminder that fell into it comes after its end."""
    left = sure((await services.lobby.get_table(played)).clock).left
    clock.now += HOUR
    await send_all(services)
    await say(services, "admin pause")
    with pytest.raises(BotError, match="paused"):
        await services.servers.refuse_paused("g")
    await services.servers.refuse_paused("other")
    clock.now += 30 * DAY
    rung = [post for post in await send_all(services) if isinstance(post, Ping | TimeUp)]
    assert rung == []
    await say(services, "admin pause", on=False)
    table = await services.lobby.get_table(played)
    assert has_started_clock(table)
    assert sure(table.clock).left[2] == left[2] - HOUR
    assert [post.mention for post in await send_all(services) if isinstance(post, Ping)] == [(CID.id,)]


async def test_a_backup_is_made_once_in_ten_minutes(services: Services, clock: Clock) -> None:
    await services.duties.back_up()
    clock.now += 599
    with pytest.raises(BotError, match="possible in 1 minute"):
        await services.duties.back_up()
    clock.now += 1
    await services.duties.back_up()


async def test_backups_on_demand_are_bounded_and_leave_the_schedule_as_it_is(
    services: Services, played: int, clock: Clock
) -> None:
    """Every six hours for three days: the newest seven stay, and the schedule makes and keeps its own."""
    folder, schedule = services.folder / "backups", Schedule(DAY, 2)
    most, began = 0, clock.now
    for hour in range(72):
        if hour % 6 == 0:
            await services.duties.back_up()
        await backup.back_up_if_due(services, schedule)
        most = max(most, len(list(folder.iterdir())))
        clock.now += HOUR
    assert most == 7 + 2
    days = [f"stationmaster-{datetime.fromtimestamp(began + day * DAY, UTC):%Y%m%dT%H%M%SZ}.sqlite" for day in (1, 2)]
    assert sorted(path.name for path in folder.iterdir())[7:] == days


async def test_everything_is_on_the_record(services: Services, played: int) -> None:
    assert await say(services, "admin announce", text="Dinner at  eight") == "Sent to 1 table."
    told = [post.text for post in await send_all(services) if isinstance(post, Notice)]
    assert told == ["From the server managers: Dinner at eight"]
    assert "1 table, 2 log entries" in await say(services, "admin backup", operates=True)
    with pytest.raises(BotError, match="in the last ten minutes; the next is possible in 10 minutes"):
        await say(services, "admin backup", operates=True)
    assert len(list((services.folder / "backups").glob("*.sqlite"))) == 1
    health = await say(services, "admin health")
    assert "Tables here: 1 running." in health
    assert "Last backup: 2027" in health
    lines = (await say(services, "admin audit")).splitlines()
    assert ["made a backup" in lines[0], "announced: Dinner at eight" in lines[1]] == [True, True]
    await services.seats.forget_person(EVE.id)
    assert "a former player announced" in await say(services, "admin audit")
    assert await services.servers.get_rules("g") == ServerRules()


async def test_a_profile_shows_tables_moves_and_pace(services: Services, played: int, clock: Clock) -> None:
    clock.now += 3 * HOUR
    await services.table.submit(played, CID.id, Bid(5))
    told = await say(services, "me profile", user=CID)
    assert "Tables here: 1 running; moves: 1." in told
    assert "Typical time to move: 3 hours" in told
    assert "hasn't played here yet" in await say(services, "me profile", user=EVE)
