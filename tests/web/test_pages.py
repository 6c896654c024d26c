"""The server of pages: addresses, headers, what may be kept, what a stale or hostile address gets."""

import asyncio
import json
from xml.etree import ElementTree

import pytest
from multidict import CIMultiDict

from bot.model.errors import BotError
from bot.model.records import ServerRules
from bot.service.services import Services
from bot.web.front import FRESH_SECONDS, WebFront
from bot.web.guard import BURST, Guard
from engine import TITLES
from tests.bot.conftest import ANN, BOB, EVE, Clock
from tests.web.conftest import Browser, find_path, play


async def _fetch_moves(browser: Browser, path: str) -> list[list[str]]:
    answer = await browser.get(f"{path}moves.json")
    assert answer.status == 200
    moves: list[list[str]] = (await answer.json())["moves"]
    return moves


def _address(path: str, moves: list[list[str]], number: int, figure: str) -> str:
    return f"{path}at/{number}-{moves[number][0]}/standard/{figure}"


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
        assert "://" not in (await answer.text()).replace("http://www.w3.org/", "").replace(
            "http://scripts.sil.org/", ""
        )


async def test_a_page_shows_its_table(services: Services, game: int, browser: Browser) -> None:
    """The shell names the table, the list has each move with its name, its sentence and what it asked."""
    path = await find_path(services, game)
    page = await (await browser.get(path)).text()
    assert "Sunday" in page
    assert "<b>trains" not in page
    moves = await _fetch_moves(browser, path)
    assert len(moves) == 7
    assert len({move[0] for move in moves}) == 7
    assert all(move[1] for move in moves)
    assert "Turn 1 of 5" in moves[0][3]


async def test_an_address_without_its_slash_leads_to_the_page(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    answer = await browser.get(path.rstrip("/"), allow_redirects=False)
    assert answer.status == 308
    assert answer.headers["Location"] == path.rpartition("/t/")[2]
    assert (await browser.get(path.rstrip("/"))).status == 200


async def test_every_figure_of_every_position_can_be_read(services: Services, game: int, browser: Browser) -> None:
    """Figures are XHTML; one of the public page may be kept for ever under its address."""
    path = await find_path(services, game)
    moves = await _fetch_moves(browser, path)
    for picture in TITLES["steel_driver"].views.pictures:
        figure = f"{picture.name}.Red" if picture.about else picture.name
        answer = await browser.get(_address(path, moves, 6, figure))
        if picture.about and answer.status == 404:
            continue
        assert answer.status == 200, figure
        assert answer.headers["Cache-Control"].startswith("private, max-age=31536000")
        assert ElementTree.fromstring(await answer.text()).tag.endswith("article")  # noqa: S314  # our own
    for number in range(7):
        assert (await browser.get(_address(path, moves, number, "map"))).status == 200


async def test_a_moment_that_was_taken_back_is_gone(services: Services, game: int, browser: Browser) -> None:
    """After an undo another move has the number, and its name differs: a picture kept for ever is never wrong."""
    path = await find_path(services, game)
    old = await _fetch_moves(browser, path)
    here = await services.table.load_position(game)
    user = here.table.seats[here.game.log[-1].seat].user
    await services.back.undo(game, user, None)
    assert (await browser.get(_address(path, old, 6, "map"))).status == 410
    moves = await _fetch_moves(browser, path)
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
    figure = await browser.get(_address(path, course["moves"], 3, "map"))
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
    name = (await _fetch_moves(browser, path))[6][0]
    answer = await browser.get(address.format(path=path, name=name))
    assert answer.status in (404, 410), await answer.text()
    assert answer.content_type == "text/plain"
    assert len(await answer.text()) < 200


async def test_pages_only_read(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    assert (await browser.post(path, data={"move": "1"})).status == 405
    assert (await browser.head(path)).status == 200


async def test_a_move_reaches_an_open_page(services: Services, game: int, front: WebFront, browser: Browser) -> None:
    """The event has the number, the name and the sentence, so no page asks for the whole list again."""
    path = await find_path(services, game)
    moves = await _fetch_moves(browser, path)
    async with browser.get(f"{path}live?since={moves[6][0]}") as stream:
        assert stream.content_type == "text/event-stream"
        assert await stream.content.readline() == b"retry: 2000\n"
        await stream.content.readline()
        await play(services, game)
        await front.watch.look()
        async with asyncio.timeout(5):
            lines = [await stream.content.readline() for _ in range(3)]
        said = json.loads(lines[2].removeprefix(b"data: "))
        assert said["number"] == 7
        assert said["before"] == moves[6][0]
        assert said["move"][1]
        front.watch.end()
        async with asyncio.timeout(5):
            assert (await stream.content.read()).strip() == b""


async def test_an_open_page_hears_nothing_more_when_its_address_has_ended(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """Also where moves follow one another so fast that the stream is never silent."""
    path, now = await find_path(services, game, BOB.id), [0.0]
    front.guard.clock = lambda: now[0]
    moves = await _fetch_moves(browser, path)
    async with browser.get(f"{path}live?since={moves[6][0]}") as stream:
        assert await stream.content.readline() == b"retry: 2000\n"
        await services.boards.revoke_own_link(game, BOB.id)
        now[0] += 2 * FRESH_SECONDS
        await play(services, game)
        await front.watch.look()
        async with asyncio.timeout(5):
            assert (await stream.content.read()).strip() == b""


async def test_a_page_that_was_away_hears_what_it_missed(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    moves = await _fetch_moves(browser, path)
    async with browser.get(f"{path}live", headers={"Last-Event-ID": moves[2][0]}) as stream:
        async with asyncio.timeout(5):
            lines = [await stream.content.readline() for _ in range(5)]
        assert lines[2] == f"id: {moves[6][0]}\n".encode()


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
    assert guard.find_address("2001:db8::1", "") == guard.find_address("2001:db8::2:1", ""), "one household"
    assert guard.find_address("2001:db8::1", "") != guard.find_address("2001:db8:0:1::1", "")
    assert all(guard.open_stream("a") for _ in range(6))
    assert not guard.open_stream("a")
    guard.close_stream("a")
    assert guard.open_stream("a")
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
