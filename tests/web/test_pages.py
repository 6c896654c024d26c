"""The server of pages: addresses, headers, what may be kept, what a stale or hostile address gets."""

import asyncio
import re
from xml.etree import ElementTree

import pytest
from multidict import CIMultiDict

from bot.model.errors import BotError
from bot.model.records import NewTable, ServerRules
from bot.service.boards import BoardViewer
from bot.service.services import Services
from bot.web.course import PageCourse, pack_course
from bot.web.front import FRESH_SECONDS, WebFront
from bot.web.guard import BURST, MAX_DRAWINGS_EACH, PREVIEW_COST, Guard
from engine import TITLES
from tests.bot.conftest import ANN, BOB, EVE, Clock
from tests.web.conftest import PLACE, Browser, address_figure, begin, fetch_moves, find_path, finish, play


async def test_every_answer_is_protected(services: Services, game: int, browser: Browser) -> None:
    """No third party, no cookie, no frame, no index; an address is told to no one."""
    path = await find_path(services, game)
    for address in (path, f"{path}moves.json", "/s/page.js", "/t/nothing", "/"):
        answer = await browser.get(address)
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert "Set-Cookie" not in answer.headers
        told = await answer.text()
        for known in ("http://www.w3.org/", "http://scripts.sil.org/", f"{PLACE}/t/"):  # the last in a preview's tags
            told = told.replace(known, "")
        assert "://" not in told


async def test_a_page_shows_its_table(services: Services, game: int, browser: Browser) -> None:
    """The shell names the table, the list has each move with its name, its sentence and what it asked."""
    path = await find_path(services, game)
    page = await (await browser.get(path)).text()
    assert "Sunday" in page
    assert "<b>trains" not in page
    moves = await fetch_moves(browser, path)
    assert len(moves) == 7
    assert len({move[0] for move in moves}) == 7
    assert all(move[1] for move in moves)
    assert "Turn 1 of 5" in moves[0][3]


async def test_a_move_of_which_nothing_is_told_has_its_own_words(
    services: Services, game: int, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the pass of a player who has just sold."""
    monkeypatch.setattr("bot.web.course.tell_moves", lambda lines: {})
    moves = await fetch_moves(browser, await find_path(services, game))
    assert re.fullmatch(r"(Ann|Bob|Cid): (auction|bid|pass).*\.", moves[1][1])


async def test_a_game_that_is_over_has_its_report(services: Services, game: int, browser: Browser) -> None:
    """In Steel Driver with the chances to win as a chart; while a game runs there is neither."""
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    for name in ("story", "chances"):
        assert (await browser.get(address_figure(path, moves, 6, name))).status == 404
    assert not (await (await browser.get(f"{path}moves.json")).json())["over"]
    other = await begin(services, NewTable("steel_driver", 3, seed=5), 0)
    await finish(services, other)
    path = await find_path(services, other)
    course = await (await browser.get(f"{path}moves.json")).json()
    assert course["over"]
    assert course["pictures"][-2:] == [["story", "Report"], ["chances", "Chances"]]
    story = await (await browser.get(address_figure(path, course["moves"], 3, "story"))).text()
    assert "<h3>Best auction</h3>" in story
    assert "•" not in story
    assert "try again" not in story
    own = address_figure(await find_path(services, other, BOB.id), course["moves"], 3, "story")
    assert "Decisions of yours to try again" in await (await browser.get(own)).text()
    assert "turn 5" in await (await browser.get(address_figure(path, course["moves"], 3, "chances"))).text()
    assert (await browser.get(address_figure(path, course["moves"], 3, "nothing"))).status == 404


async def test_a_preview_shows_the_public_card(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """By a whole address, as tags need; of a position in force only, and never of a player's own page."""
    path = await find_path(services, game)
    page = await (await browser.get(path)).text()
    assert 'property="og:title" content="Sunday' in page
    image = re.findall(r'property="og:image" content="https://trains\.example(/t/[^"]+\.png)"', page)[0]
    answer = await browser.get(image)
    assert answer.content_type == "image/png"
    assert (await answer.read()).startswith(b"\x89PNG")
    front.guard.clock = lambda: 0.0
    front.guard._buckets.clear()
    statuses = [(await browser.get(image)).status for _ in range(int(BURST / PREVIEW_COST) + 1)]
    assert statuses == [*[200] * int(BURST / PREVIEW_COST), 429], "who asks for many waits"
    front.guard._buckets.clear()
    own = await find_path(services, game, BOB.id)
    assert (await browser.get(f"{own}{image.rpartition('/')[2]}")).status == 404
    here = await services.table.load_position(game)
    await services.back.undo(game, here.table.seats[here.game.log[-1].seat].user, None)
    assert (await browser.get(image)).status == 404


async def test_an_address_without_its_slash_leads_to_the_page(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    answer = await browser.get(path.rstrip("/"), allow_redirects=False)
    assert answer.status == 308
    assert answer.headers["Location"] == path.rpartition("/t/")[2]
    assert (await browser.get(path.rstrip("/"))).status == 200


async def test_every_figure_of_every_position_can_be_read(services: Services, game: int, browser: Browser) -> None:
    """Figures are XHTML; one of the public page may be kept for ever under its address."""
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    for picture in TITLES["steel_driver"].views.pictures:
        figure = f"{picture.name}.Red" if picture.about else picture.name
        answer = await browser.get(address_figure(path, moves, 6, figure))
        if picture.about and answer.status == 404:
            continue
        assert answer.status == 200, figure
        assert answer.headers["Cache-Control"].startswith("private, max-age=31536000")
        assert ElementTree.fromstring(await answer.text()).tag.endswith("article")  # noqa: S314  # our own
    for number in range(7):
        assert (await browser.get(address_figure(path, moves, number, "map"))).status == 200


async def test_a_moment_that_was_taken_back_is_gone(services: Services, game: int, browser: Browser) -> None:
    """After an undo another move has the number, and its name differs: a picture kept for ever is never wrong."""
    path = await find_path(services, game)
    old = await fetch_moves(browser, path)
    here = await services.table.load_position(game)
    user = here.table.seats[here.game.log[-1].seat].user
    await services.back.undo(game, user, None)
    assert (await browser.get(address_figure(path, old, 6, "map"))).status == 410
    moves = await fetch_moves(browser, path)
    assert [move[0] for move in moves] == [move[0] for move in old[:6]]


async def test_the_list_is_sent_again_only_if_it_changed(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    first = await browser.get(f"{path}moves.json")
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = await browser.get(f"{path}moves.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304
    await play(services, game)
    later = await browser.get(f"{path}moves.json", headers={"If-None-Match": first.headers["ETag"]})
    assert later.status == 200


async def test_a_players_own_page_is_kept_nowhere(services: Services, game: int, browser: Browser) -> None:
    """It tells its seat, and no preview shows more than the name of the program."""
    path = await find_path(services, game, BOB.id)
    answer = await browser.get(path)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "og:" not in await answer.text()
    listed = await browser.get(f"{path}moves.json")
    assert listed.headers["Cache-Control"] == "private, no-store"
    course = await listed.json()
    assert course["names"][course["seat"]] == "Bob"
    figure = await browser.get(address_figure(path, course["moves"], 3, "map"))
    assert figure.headers["Cache-Control"] == "private, no-store"


async def test_own_links_end(services: Services, game: int, browser: Browser, clock: Clock) -> None:
    """With the next one, by the owner's wish, and after a while; a stranger gets none."""
    first = await find_path(services, game, BOB.id)
    second = await find_path(services, game, BOB.id)
    assert (await browser.get(first)).status == 404
    assert (await browser.get(second)).status == 200
    clock.now += 61 * 86_400
    assert (await browser.get(second)).status == 404
    third = await find_path(services, game, BOB.id)
    await services.boards.revoke_own_link(game, BOB.id)
    assert (await browser.get(third)).status == 404
    with pytest.raises(BotError, match="Only players at this table"):
        await services.boards.make_own_link(game, EVE.id)


async def test_only_a_digest_of_an_own_link_is_stored(services: Services, game: int, browser: Browser) -> None:
    """Who reads the database finds no key to a player's page."""
    path = await find_path(services, game, BOB.id)
    async with services.database.reading() as session:
        from bot.store import boards

        stored = await boards.fetch(session, game, BOB.id)
    assert stored is not None
    assert stored.token not in path
    assert (await browser.get(f"/t/{stored.token[:22]}/")).status == 404


async def test_players_renew_and_the_host_turns_off(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    with pytest.raises(BotError, match="Only players at this table"):
        await services.boards.renew(game, EVE.id)
    renewed = (await services.boards.renew(game, BOB.id)).removeprefix(services.boards.web)
    assert (await browser.get(path)).status == 404
    assert (await browser.get(renewed)).status == 200
    with pytest.raises(BotError, match="Only the host"):
        await services.boards.turn(game, BOB.id, on=False)
    await services.boards.turn(game, ANN.id, on=False)
    assert (await browser.get(renewed)).status == 404
    assert await services.boards.make_public_link(await services.table.load_position(game)) == ""
    own = await find_path(services, game, BOB.id)
    assert (await browser.get(own)).status == 200
    await services.boards.turn(game, ANN.id, on=True)
    assert (await browser.get(await find_path(services, game))).status == 200


async def test_a_server_can_turn_off_all_its_pages(
    services: Services, game: int, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await find_path(services, game)

    async def get_rules(guild: str) -> ServerRules:
        del guild
        return ServerRules(no_boards=True)

    monkeypatch.setattr(services.servers, "get_rules", get_rules)
    assert (await browser.get(path)).status == 404
    assert await services.boards.make_public_link(await services.table.load_position(game)) == ""


@pytest.mark.parametrize(
    "address",
    [
        "{path}at/6-0000000000000000/standard/map",
        "{path}at/999999-{name}/standard/map",
        "{path}at/6-{name}/neon/map",
        "{path}at/6-{name}/standard/nothing",
        "{path}at/6-{name}/standard/place.nowhere",
        "{path}at/6-{name}/standard/company.%00",
        "{path}at/-1-{name}/standard/map",
        "{path}at/6-{name}/standard/%3Cscript%3E",
        "{path}" + "x" * 400,
        "/t/AAAAAAAAAAAAAAAAAAAAAA/",
        "/t/../s/page.js%00",
        "/s/../front.py",
        "/s/%2e%2e%2ffront.py",
    ],
)
async def test_a_hostile_address_gets_a_sentence(services: Services, game: int, browser: Browser, address: str) -> None:
    """Whatever is asked for, the answer is short and plain, and never the sign of a defect."""
    path = await find_path(services, game)
    name = (await fetch_moves(browser, path))[6][0]
    answer = await browser.get(address.format(path=path, name=name))
    assert answer.status in (404, 410), await answer.text()
    assert answer.content_type == "text/plain"
    assert len(await answer.text()) < 200


async def test_pages_only_read(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    assert (await browser.post(path, data={"move": "1"})).status == 405
    assert (await browser.head(path)).status == 200


async def test_figures_that_wait_are_counted(services: Services, game: int, front: WebFront, browser: Browser) -> None:
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    while front.guard.drawings.take("127.0.0.1"):
        pass
    answer = await browser.get(address_figure(path, moves, 6, "map"))
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    front.guard.drawings.give_back("127.0.0.1")
    assert (await browser.get(address_figure(path, moves, 6, "map"))).status == 200
    assert front.guard.drawings.taken == MAX_DRAWINGS_EACH - 1


async def test_of_a_crowd_one_looks_an_address_up(
    services: Services, game: int, front: WebFront, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Again after a second, however many ask meanwhile: an address that has ended is not kept alive by its crowd."""
    token, now, looked = (await find_path(services, game)).split("/")[2], [0.0], list[str]()
    front.guard.clock, find = lambda: now[0], services.boards.find_viewer

    async def find_viewer(token: str) -> BoardViewer | None:
        looked.append(token)
        return await find(token)

    monkeypatch.setattr(services.boards, "find_viewer", find_viewer)
    for seconds in (0, FRESH_SECONDS / 2, FRESH_SECONDS):
        now[0] = seconds
        await asyncio.gather(*(front._find_viewer(token) for _ in range(50)))
    assert len(looked) == 2


async def test_the_list_is_packed_once(
    services: Services, game: int, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, packed = await find_path(services, game), []

    def pack(course: PageCourse) -> bytes:
        packed.append(course)
        return pack_course(course)

    monkeypatch.setattr("bot.web.front.pack_course", pack)
    answers = await asyncio.gather(*(browser.get(f"{path}moves.json") for _ in range(5)))
    assert {len(await answer.read()) for answer in answers} != {0}
    assert len(packed) == 1


async def test_who_refuses_gzip_gets_it_plain(services: Services, game: int, browser: Browser) -> None:
    path = f"{await find_path(services, game)}moves.json"
    for accepts, encoding in (("gzip;q=0", None), ("br, gzip ; q=0.5", "gzip"), ("identity", None), ("*", "gzip")):
        answer = await browser.get(path, headers={"Accept-Encoding": accepts})
        assert answer.headers.get("Content-Encoding") == encoding
        assert len((await answer.json())["moves"]) == 7


async def test_who_renews_while_the_host_turns_off_gets_no_page(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's word holds, though the page was on when the address was asked for."""
    here = await services.table.load_position(game)
    link = await services.boards.make_public_link(here)
    await services.boards.turn(game, ANN.id, on=False)

    async def say_on(*_: object) -> str:
        return link

    with monkeypatch.context() as race:
        race.setattr(services.boards, "make_public_link", say_on)
        with pytest.raises(BotError, match="is off"):
            await services.boards.renew(game, BOB.id)
    assert await services.boards.make_public_link(here) == ""


async def test_an_address_that_asks_too_much_waits(services: Services, game: int) -> None:
    """A bucket for each address; trying addresses of pages empties it ten times as fast."""
    now = [0.0]
    guard = Guard(frozenset({"10.0.0.1"}), lambda: now[0])
    assert all(guard.admit("a") for _ in range(int(BURST)))
    assert not guard.admit("a")
    assert guard.admit("b")
    now[0] += 1
    assert guard.admit("a")
    assert guard.find_address("10.0.0.1", "6.6.6.6, 9.9.9.9") == "9.9.9.9"
    assert guard.find_address("5.5.5.5", "9.9.9.9") == "5.5.5.5"
    assert guard.find_address("::ffff:5.5.5.5", "") == "5.5.5.5"
    assert guard.find_address("2001:db8::1", "") == guard.find_address("2001:db8::8000:0:0:1", ""), "one household"
    assert guard.find_address("2001:db8::1", "") != guard.find_address("2001:db8:0:1::1", "")
    assert all(guard.streams.take("a") for _ in range(6))
    assert not guard.streams.take("a")
    guard.streams.give_back("a")
    assert guard.streams.take("a")
    del services, game


async def test_a_proxy_that_adds_a_header_of_its_own_is_believed_not_the_visitor(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    front.guard.proxies = frozenset({"127.0.0.1"})
    path = await find_path(services, game)
    while front.guard.admit("9.9.9.9", 20.0):
        pass
    headers = CIMultiDict([("X-Forwarded-For", "6.6.6.6"), ("X-Forwarded-For", "9.9.9.9")])
    assert (await browser.get(path, headers=headers)).status == 429


async def test_too_many_requests_are_refused(services: Services, game: int, front: WebFront, browser: Browser) -> None:
    path = await find_path(services, game)
    while front.guard.admit("127.0.0.1", 20.0):
        pass
    answer = await browser.get(path)
    assert answer.status == 429
    assert answer.headers["Retry-After"] == "5"
