"""Ratings and other figures of finished games: what counts, what is mixed with what, and that strength is recovered."""

import random
from collections.abc import Mapping
from itertools import pairwise

import pytest

from bot.service.league import (
    MIN_RATED_GAMES,
    RATING_SCALE,
    FinishedGame,
    LeagueLine,
    SeatScore,
    list_meetings,
    make_tables,
    rate_games,
    sum_companies,
)

GAMES, PEOPLE = 40, "ABCDEF"


def play(
    game: int, title: str = "1860", options: str = "{}", *, voted: bool = False, helped: bool = False, **totals: int
) -> FinishedGame:
    """Return a finished game with these totals; the highest wins, several share it."""
    return FinishedGame(game, title, options, seat(totals), by_vote=voted, stand_in=helped)


def seat(totals: Mapping[str, int]) -> tuple[SeatScore, ...]:
    top = max(totals.values())
    return tuple(SeatScore(user, user, total, total == top) for user, total in totals.items())


def find(found: list[FinishedGame], user: str) -> LeagueLine:
    (table,) = make_tables(found)
    return next(each for each in table.standings if each.user == user)


def simulate(seed: int, seats: int) -> float:
    """Return the rank correlation of six players' strengths with their ratings after some games.

    Each plays a step better than the one before, and in a game by chance better or worse by as much.
    """
    rng = random.Random(seed)  # noqa: S311  # no secret
    played = []
    for game in range(GAMES):
        who = rng.sample(range(len(PEOPLE)), seats)
        totals = {PEOPLE[each]: round(1000 * (each + rng.gauss(0, 1))) + 9000 for each in who}
        played.append(FinishedGame(game, "1860", "{}", seat(totals)))
    ratings = rate_games(played)
    order = sorted(PEOPLE, key=lambda user: ratings[user].mu)
    apart = sum((place - PEOPLE.index(user)) ** 2 for place, user in enumerate(order))
    return 1 - 6 * apart / (len(PEOPLE) * (len(PEOPLE) ** 2 - 1))


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_forty_games_recover_the_order_of_six_players(seats: int) -> None:
    assert min(simulate(seed, seats) for seed in range(10)) >= 0.8


def test_a_rating_appears_with_the_fifth_game() -> None:
    """A newcomer has 1000 points; who wins gains, and doubt falls."""
    played = [play(game, A=100, B=50) for game in range(MIN_RATED_GAMES)]
    assert find(played[:-1], "A").rating is None
    first, second = find(played, "A"), find(played, "B")
    assert (first.rating or 0) > 25 * RATING_SCALE > (second.rating or 0)
    doubts = [find([*played, *([play(9, A=100, B=50)] * more)], "A").doubt or 0 for more in (0, 5, 10)]
    assert all(later < before for before, later in pairwise(doubts))


def test_games_by_vote_and_with_stand_ins_are_left_out() -> None:
    (table,) = make_tables([play(1, A=100, B=50), play(2, A=1, B=9, voted=True), play(3, A=1, B=9, helped=True)])
    assert (table.games, table.left_out) == (1, 2)
    assert [(each.user, each.games, each.won) for each in table.standings] == [("A", 1, 1), ("B", 1, 0)]


def test_ties_are_ties() -> None:
    """Those who share the first place win both; those with equal totals behind it have one rank."""
    game = play(1, A=100, B=100, C=50, D=50, E=10)
    assert game.ranks == [1, 1, 3, 3, 5]
    assert find([game], "A").chance == 0.4
    level = rate_games([play(1, A=100, B=100)])
    assert level["A"].mu == level["B"].mu


def test_a_tie_that_the_rules_break_has_one_winner() -> None:
    seats = (SeatScore("A", "A", 1540, won=False), SeatScore("B", "B", 1540, won=True))
    assert FinishedGame(1, "toy", "{}", seats).ranks == [2, 1]


def test_numbers_of_players_options_and_titles_are_not_mixed() -> None:
    played = [
        play(1, A=1, B=2), play(2, A=1, B=2), play(3, A=1, B=2, C=3), play(4, options='{"map":"old"}', A=1, B=2),
        play(5, title="1862", A=1, B=2),
    ]  # fmt: skip
    found = [(each.kind.title, each.kind.players, each.kind.options, each.games) for each in make_tables(played)]
    assert found == [
        ("1860", 2, "{}", 2), ("1860", 3, "{}", 1), ("1860", 2, '{"map":"old"}', 1), ("1862", 2, "{}", 1)
    ]  # fmt: skip


def test_shares_chance_and_streaks() -> None:
    played = [play(game, A=total, B=100) for game, total in enumerate((200, 50, 200, 200, 100))]
    line = find(played, "A")
    assert (line.games, line.won, line.best, line.longest, line.streak) == (5, 4, 200, 3, 3)
    assert line.chance == pytest.approx(4 * 0.5 + 1)
    assert line.share == pytest.approx((1 + 0.5 + 1 + 1 + 1) / 5)


def test_a_player_who_was_forgotten_is_in_no_table() -> None:
    seats = (SeatScore("A", "A", 3, won=True), SeatScore("", "a former player", 2, won=False))
    (table,) = make_tables([FinishedGame(1, "toy", "{}", seats)])
    assert [each.user for each in table.standings] == ["A"]


def test_two_players_are_compared_with_margins() -> None:
    found = list_meetings([play(1, A=7, B=5), play(2, A=3, C=4), play(3, A=1, B=4, voted=True)], "A", "B")
    assert [(each.ranks, each.margin, each.game.counts) for each in found] == [((1, 2), 2, True), ((2, 1), -3, False)]


def test_a_favourite_company_is_the_one_of_most_games() -> None:
    """Then what it brought decides; a loss is one."""
    found = sum_companies([(True, [("IOW", 100, 350), ("FYN", 80, 60)]), (False, [("IOW", 50, 100), ("YRC", 10, 90)])])
    assert [(each.company, each.games, each.won, each.brought) for each in found] == [
        ("IOW", 2, 1, 150), ("YRC", 1, 0, 80), ("FYN", 1, 1, -20),
    ]  # fmt: skip
