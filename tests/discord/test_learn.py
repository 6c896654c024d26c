"""``/learn`` on a phone: a course and its lessons by buttons, seen by one person only."""

from tests.discord.conftest import Desk
from tests.discord.stand_in import StandIn


async def test_a_lesson_is_played_by_buttons_alone(server: StandIn, desk: Desk) -> None:
    alice = server.person("alice")
    async with desk.running():
        games = server.games
        before = len(games.public)
        course = await alice.slash(games, "learn", title="1860")
        assert "**Learn 1860" in course.text
        lesson = await alice.choose(course.message, "3 · Float a company")
        assert "**Make IOW float.**" in lesson.text
        assert lesson.message.image()
        hint = await alice.click(lesson.message, "Hint")
        assert "Hint: One share of IOW is missing." in hint.text
        rule = await alice.click(hint.message, "Rule")
        assert "Flotation & Capitalisation, Flotation: " in rule.text
        back = await alice.click(rule.message, "Pass")
        assert "↩ IOW stays at 40%." in back.text
        again = await alice.click(back.message, "Try again")
        check = await alice.click(again.message, "10% IOW")
        assert "**Check — " in check.text
        done = await alice.click(check.message, "Confirm")
        assert "✓ Half is sold: IOW floats with £820 in its treasury." in done.text
        following = await alice.click(done.message, "Next lesson")
        assert "1860 · 4 of 12 · Income or a share?" in following.text
        other = await alice.slash(games, "learn", title="1860", lesson="5")
        assert "This button belongs to an earlier step" in (await alice.click(following.message, "Pass")).text
        assert "✓ You own 20% of FYN" in (await alice.slash(games, "act start", company="FYN", price=62)).text
        assert "1860 · 6 of 12" in (await alice.click(other.message, "Skip")).text
        assert len(games.public) == before, "no one else sees any of it"
    server.check()


async def test_players_new_to_a_title_get_its_cheat_sheet_once(server: StandIn, desk: Desk) -> None:
    alice, bob = (server.person(name) for name in ("alice", "bob"))
    async with desk.running():
        for number in (1, 2):
            await alice.slash(server.games, "game new", title="1862", seats=2)
            await desk.settle()
            lobby = server.games.last
            joined = await bob.click(lobby, "Join")
            assert "You have joined" in joined.text
            assert ("New to 1862? Here is the game on one page" in joined.text) is (number == 1)
            started = await alice.click(lobby, "Start")
            assert ("New to 1862?" in started.text) is (number == 1)
            if number == 1:
                assert joined.message.image()
                helped = await bob.click(joined.message, "Explain as I play")
                assert "In your next game of 1862, your desk explains each question" in helped.text
                assert "**Learn 1862" in (await bob.click(joined.message, "Learn the game")).text
            await desk.settle()
        shown = await bob.slash(server.threads[-1], "view sheet")
        assert "Cheat sheet" in shown.text
    server.check()


async def test_a_lobby_leads_to_the_course(server: StandIn, desk: Desk) -> None:
    alice, bob = (server.person(name) for name in ("alice", "bob"))
    async with desk.running():
        games = server.games
        await alice.slash(games, "game new", title="1862")
        await desk.settle()
        shown = await bob.click(games.last, "Learn the game")
        assert "**Learn 1862" in shown.text
        assert "Parliament" in (await bob.choose(shown.message, "2 · A bill in Parliament")).text
    server.check()


async def test_a_course_ends_at_a_practice_table(server: StandIn, desk: Desk) -> None:
    """The last lesson opens a table with stand-ins and starts it."""
    alice = server.person("alice")
    async with desk.running():
        games = server.games
        course = await alice.slash(games, "learn", title="steel_driver", lesson="9")
        for _ in range(60):
            if "Open a practice table" in course.message.labels:
                break
            course = await alice.click(course.message, course.message.labels[0])
        opened = await alice.click(course.message, "Open a practice table")
        assert "Your practice table is open" in opened.text
        await desk.settle()
        started = "\n".join(message.text for message in server.threads[-1].public)
        assert "Stand-in 1" in started
        assert "Steel Driver: practice" in started
    server.check()
