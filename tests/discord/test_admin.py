"""``/admin`` as Discord shows it: for those who manage the server, with its channels and roles, and a pause."""

from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Role


async def test_server_managers_decide_where_who_and_whether(server: StandIn, desk: Desk) -> None:
    """Channels and roles come from Discord's own menus; a pause refuses presses and commands, but no look."""
    boss, alice, bob = server.person("boss", admin=True), server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob, boss, title="toy")
        declared = next(each for each in server.world.commands if each["name"] == "admin")
        assert int(declared["default_member_permissions"]) == 1 << 5
        assert "Only server managers" in (await alice.slash(server.games, "admin pause")).text

        assert (
            f"only in <#{thread.parent.id if thread.parent else 0}>."
            in (await boss.slash(thread, "admin channels", channel=server.games)).text
        )
        refused = await alice.slash(thread, "game move", game=1)
        assert "is already here" in refused.text, "a thread counts as its channel"
        assert (
            "Only these roles may open and join tables: Drivers."
            in (await boss.slash(thread, "admin roles", role=Role(77, "Drivers"))).text
        )
        assert "to open or join tables: Drivers" in (await alice.slash(server.games, "game new", title="toy")).text

        before = len(server.pings())
        await boss.slash(thread, "admin pause")
        await desk.settle()
        assert "have paused the games" in thread.last.text
        assert "paused the games" in (await alice.click(turn_of(thread), "Act")).text
        assert "paused the games" in (await alice.slash(thread, "act bid", amount=3)).text
        assert "paused" not in (await alice.slash(thread, "view table")).text
        await boss.slash(thread, "admin pause", on=False)
        assert "✓" in (await alice.slash(thread, "act bid", amount=3)).text
        await desk.settle()
        assert [len(server.pings()) - before] == [1], "Bob, whose turn it is"
        assert "resumed the games" in (await boss.slash(thread, "admin audit")).text
    server.check()


async def test_only_the_operator_copies_the_database(server: StandIn, desk: Desk) -> None:
    """Neither a manager of a server nor a server's owner; the owner of the application may, alone or in a team."""
    boss, owner = server.person("boss", admin=True), server.person("owner", admin=True)
    helper, reader, asked = (server.person(name, admin=True) for name in ("helper", "reader", "asked"))
    server.world.owner = owner.user
    async with desk.running():
        refused = "Only the bot's operator can back up the database"
        assert refused in (await boss.slash(server.games, "admin backup")).text
        assert not (desk.services.folder / "backups").exists()
        assert "checked" in (await owner.slash(server.games, "admin backup")).text
    server.world.owner = server.world.me  # of a team it is an account of the team's own
    server.world.team = [
        (helper.user, "developer", True),
        (reader.user, "read_only", True),
        (asked.user, "admin", False),
    ]
    desk.forward(600)
    async with desk.running():
        for person in (boss, owner, reader, asked):
            assert refused in (await person.slash(server.games, "admin backup")).text
        assert "checked" in (await helper.slash(server.games, "admin backup")).text
    server.check()
