"""Pages: how much each address may ask for, counted at the limits."""

import pytest

from bot.web.guard import BURST, MAX_ADDRESSES, PER_SECOND, Guard, Places


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def guard(now: list[float]) -> Guard:
    return Guard(clock=lambda: now[0])


def test_the_last_request_of_a_burst_is_answered_and_the_next_refused(guard: Guard) -> None:
    assert guard.admit("a", BURST - 1)
    assert guard.admit("a")
    assert not guard.admit("a")
    assert guard.admit("b")


def test_a_refused_request_costs_nothing_and_time_gives_requests_back(guard: Guard, now: list[float]) -> None:
    guard.admit("a", BURST)
    assert not guard.admit("a", 5.0)
    now[0] += 1 / PER_SECOND
    assert guard.admit("a")
    assert not guard.admit("a")


def test_rest_gives_no_more_than_a_burst(guard: Guard, now: list[float]) -> None:
    guard.admit("a")
    now[0] += 1000.0
    assert guard.admit("a", BURST)
    assert not guard.admit("a")


def test_the_address_that_asked_longest_ago_is_forgotten_first(guard: Guard) -> None:
    guard.admit("first", BURST)
    guard.admit("second", BURST)
    for number in range(MAX_ADDRESSES - 2):
        guard.admit(str(number))
    assert not guard.admit("first"), "as many as the limit are remembered"
    guard.admit("one more")
    assert not guard.admit("first")
    assert guard.admit("second")


def test_places_are_limited_for_each_address_and_in_all() -> None:
    places = Places(3, 2)
    assert [places.take(address) for address in "aaabb"] == [True, True, False, True, False]
    places.give_back("a")
    assert places.take("b")
    assert not places.take("a")
