"""Transcontinental Link, with vectors T1 to T6 on the shipped board."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Event
from engine.setup import Rng
from engine.titles.steel_driver import TITLE, events
from engine.titles.steel_driver.actions import Build
from engine.titles.steel_driver.state import State
from engine.titles.steel_driver.steps import building as building_step
from tests.engine.titles.steel_driver.positions import box, building, deal, lay, play
from tests.support.sure import sure

GREEN = "san_francisco-reno reno-salt_lake_city salt_lake_city-denver"
TRACKS = {
    "green": GREEN,
    "red": "baltimore-pittsburgh pittsburgh-cleveland cleveland-chicago pittsburgh-new_york",
    "blue": "new_york-albany albany-buffalo buffalo-detroit detroit-chicago",
    "black": "los_angeles-santa_fe santa_fe-kansas_city kansas_city-omaha omaha-des_moines des_moines-chicago",
    "yellow": "charleston-atlanta atlanta-memphis memphis-st_louis st_louis-chicago chicago-minneapolis "
    "minneapolis-omaha",
    "purple": "charleston-richmond richmond-cincinnati cincinnati-louisville louisville-indianapolis "
    "indianapolis-chicago louisville-st_louis st_louis-kansas_city",
}


def rulebook_example(**options: str) -> State:
    """Return the position of the rulebook's example; green is to build."""
    state = building(deal(**options), green=20)
    for name, links in TRACKS.items():
        lay(state, name, links)
    return state


def profits(state: State) -> dict[str, int]:
    """Return the profits that are not 0, by company id."""
    levels = {name: company.profit for name, company in zip(state.board.ids, state.companies, strict=True)}
    return {name: profit for name, profit in levels.items() if profit}


def line(told: list[Event]) -> events.LineJoined | None:
    """Return the event of the transcontinental link, if it was made."""
    return next((event for event in told if isinstance(event, events.LineJoined)), None)


def test_T1_green_builds_denver_omaha() -> None:
    """The transcontinental link: green 50, and red, yellow and black 30 each; Omaha adds 30 for green (9 links)."""
    state = rulebook_example()
    told = play(state, 0, Build("denver", "omaha"))
    assert profits(state) == {"green": 80, "red": 30, "yellow": 30, "black": 30}
    assert sure(line(told)).links == 9


def test_T2_green_builds_denver_kansas_city() -> None:
    """Ties for the line: black gives 3 links to Chicago, purple 4: only green, red and black are paid (10 links)."""
    state = rulebook_example()
    told = play(state, 0, Build("denver", "kansas_city"))
    assert profits(state) == {"green": 90, "red": 30, "black": 30}
    assert sure(line(told)).links == 10


def test_T3_blue_ties_with_red() -> None:
    """The bonus: with Buffalo–New York blue's line is as short as red's; all tied companies are paid."""
    state = rulebook_example()
    lay(state, "blue", "buffalo-new_york")
    play(state, 0, Build("denver", "omaha"))
    assert profits(state) == {"green": 80, "red": 30, "blue": 30, "yellow": 30, "black": 30}


def test_T4_the_bonus_is_paid_once() -> None:
    """The transcontinental link: after T1, Denver–Kansas City brings its value only."""
    state = rulebook_example()
    play(state, 0, Build("denver", "omaha"))
    told = play(state, 0, Build("denver", "kansas_city"))
    assert line(told) is None
    assert profits(state) == {"green": 120, "red": 30, "yellow": 30, "black": 30}


def test_T5_the_builder_alone_is_paid_alone() -> None:
    """The bonus: a line of green alone has 10 links, one with red 9: fewest companies comes first (AMB 15)."""
    state = building(deal(), green=20)
    lay(
        state,
        "green",
        "new_york-albany albany-buffalo buffalo-detroit detroit-chicago chicago-des_moines des_moines-omaha "
        "omaha-denver denver-salt_lake_city salt_lake_city-reno",
    )
    lay(
        state, "red", "new_york-pittsburgh pittsburgh-cleveland cleveland-chicago chicago-minneapolis minneapolis-omaha"
    )
    told = play(state, 0, Build("reno", "san_francisco"))
    assert profits(state) == {"green": 100}
    assert (sure(line(told)).others, sure(line(told)).links) == ((), 10)


def make_forked(**options: str) -> State:
    """Return the position of vector T6: two lines of three companies, by way of black or of purple."""
    state = building(deal(**options), green=20)
    lay(state, "green", GREEN)
    lay(state, "black", "kansas_city-omaha omaha-des_moines des_moines-chicago")
    lay(state, "purple", "kansas_city-st_louis st_louis-louisville louisville-cincinnati cincinnati-pittsburgh")
    lay(state, "red", "chicago-cleveland cleveland-pittsburgh pittsburgh-new_york")
    return state


def test_T6_all_links_of_the_line_count() -> None:
    """Ties for the line: by way of black 4+3+3 = 10, of purple 4+4+1 = 9: purple is paid (AMB 6)."""
    state = make_forked()
    told = play(state, 0, Build("denver", "kansas_city"))
    assert profits(state) == {"green": 90, "purple": 30, "red": 30}
    assert sure(line(told)).links == 9


def test_T6_only_links_of_companies_that_differ() -> None:
    """Ties for the line: with the lobby option the 3 links of black beat the 4 of purple (AMB 6, other reading)."""
    state = make_forked(line="differing")
    told = play(state, 0, Build("denver", "kansas_city"))
    assert profits(state) == {"green": 90, "black": 30, "red": 30}
    assert sure(line(told)).links == 10


@pytest.mark.parametrize("reading", ["all", "differing"])
@pytest.mark.parametrize(
    ("to", "paid"), [("omaha", {"green": 80, "red": 30, "yellow": 30, "black": 30}),
                     ("kansas_city", {"green": 90, "red": 30, "black": 30})]
)  # fmt: skip
def test_both_readings_agree_on_the_rulebooks_example(reading: str, to: str, paid: dict[str, int]) -> None:
    """Ties for the line: T1 and T2 come out alike."""
    state = rulebook_example(line=reading)
    play(state, 0, Build("denver", to))
    assert profits(state) == paid


def test_a_company_without_controller_is_part_of_the_line() -> None:
    """Companies without a controller: red has a profit mark of 30, and no one collects it (AMB 5)."""
    state = rulebook_example()
    box(state, "green").treasury = 4
    told = play(state, 0, Build("denver", "omaha"))
    assert events.ProfitTaken(-1, "Red", 30) in told
    assert state.cash == [80, 0, 0, 0]


def every_path(state: State, links: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield the owners of the links of every path between the two ends that uses each place once."""
    start, goal = state.board.ends

    def follow(place: int, seen: set[int], owners: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if place == goal:
            yield owners
            return
        for route, other, _ in state.board.exits[place]:
            if route in links and other not in seen:
                yield from follow(other, seen | {other}, (*owners, state.owner[route]))

    yield from follow(start, {start}, ())


def by_definition(state: State, paths: list[tuple[int, ...]]) -> frozenset[int]:
    """Return the companies to be paid, from the rule's own words."""
    fewest = min(len(set(path)) for path in paths)
    paths = [path for path in paths if len(set(path)) == fewest]
    free = set() if state.rules.all_links else set.intersection(*map(set, paths))
    length = {path: sum(owner not in free for owner in path) for path in paths}
    return frozenset(owner for path in paths if length[path] == min(length.values()) for owner in path)


@pytest.mark.parametrize("reading", ["all", "differing"])
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_and_6_3_equal_the_definition_on_random_tracks(reading: str, seed: int) -> None:
    """Ties for the line: compare with every path there is; the last link lies on all of them, as it does in play."""
    state, rng = deal(line=reading), Rng(seed)
    joining = []
    for route in rng.shuffle(range(len(state.board.routes)))[:50]:
        link = state.board.routes[route]
        if building_step.would_join(state, link.a, link.b):
            joining.append(route)
        else:
            state.owner[route] = rng.below(4)
    assert building_step.find_paid_line(state, 0) is None
    for last in joining[:1]:
        state.owner[last] = rng.below(4)
        links = {route for route, owner in enumerate(state.owner) if owner >= 0}
        expected = by_definition(state, list(every_path(state, links)))
        assert sure(building_step.find_paid_line(state, state.owner[last])).companies == expected


def test_the_line_is_not_made_while_a_link_is_missing() -> None:
    state = rulebook_example()
    told = play(state, 0, Build("denver", "bismarck"))
    assert line(told) is None
    assert not state.joined
    assert TITLE.words.ask(state).lines[-1].startswith("The link that joins San Francisco and New York")


def test_a_line_of_one_company_pays_no_other_player() -> None:
    """The builder needs none of the others, wherever their tracks lie."""
    state = building(deal(), green=20)
    lay(state, "green", f"{GREEN} denver-omaha omaha-des_moines des_moines-chicago chicago-cleveland")
    lay(state, "green", "cleveland-pittsburgh")
    told = play(state, 0, Build("pittsburgh", "new_york"))
    assert sure(line(told)).others == ()
