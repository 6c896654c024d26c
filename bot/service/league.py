"""The league of a server: ratings and other figures of finished games, of one kind of game each.

Ratings are those of Weng and Lin (Plackett-Luce): a rating is what a player is likely to play at, and how unsure that
is. Games of one title with another number of players or other options are another kind, and not mixed with it. Games
that were ended by vote, or in which a stand-in moved, don't count; they are counted apart. Ties are ties.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine import Record

if TYPE_CHECKING:
    from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

MIN_RATED_GAMES = 5
"""Games after which a rating is shown."""
RATING_SCALE = 40
"""Points for one of the model's: a newcomer has 1000."""


class SeatScore(Record, frozen=True):
    """How a seat ended: its player, "" for one who was forgotten, and whether it won, alone or with others."""

    user: str
    name: str
    total: int
    won: bool


class FinishedGame(Record, frozen=True):
    """A finished game with its seats.

    Args:
        options: as they are stored; equal for games of one kind.
        by_vote: it was ended by agreement. stand_in: the program moved for someone.
    """

    game: int
    title: str
    options: str
    seats: tuple[SeatScore, ...]
    by_vote: bool = False
    stand_in: bool = False

    @property
    def counts(self) -> bool:
        """Whether it counts for the league."""
        return not self.by_vote and not self.stand_in

    @property
    def ranks(self) -> list[int]:
        """The rank of each seat, from 1; winners share the first, equal totals any other."""
        return [
            1 if seat.won else 1 + sum(other.won or other.total > seat.total for other in self.seats if other != seat)
            for seat in self.seats
        ]


class LeagueLine(Record, frozen=True):
    """What a player did in the games of one kind.

    Args:
        rating, doubt: points, and their standard deviation; ``None`` before ``MIN_RATED_GAMES``.
        chance: games that would be won by chance. share: of the winner's total, on average.
        streak: games won in a row by now. longest: at any time.
    """

    user: str
    name: str
    games: int
    won: int
    chance: float
    share: float
    best: int
    streak: int
    longest: int
    rating: int | None = None
    doubt: int | None = None


class GameKind(Record, frozen=True):
    """Games that may be compared: of one title, with so many players and these options."""

    title: str
    players: int
    options: str


class LeagueTable(Record, frozen=True):
    """The standings of one kind of game, best first, and how many games count and don't."""

    kind: GameKind
    games: int
    left_out: int
    standings: tuple[LeagueLine, ...]


def make_tables(found: Sequence[FinishedGame]) -> list[LeagueTable]:
    """Return the standings of each kind of game, those most played first.

    Args:
        found: finished games, oldest first.
    """
    by_kind: dict[GameKind, list[FinishedGame]] = defaultdict(list)
    for each in found:
        by_kind[GameKind(each.title, len(each.seats), each.options)].append(each)
    tables = []
    for kind, played in by_kind.items():
        counted = [each for each in played if each.counts]
        ratings = rate_games(counted)
        users = list(dict.fromkeys(seat.user for each in counted for seat in each.seats if seat.user))
        standings = [_make_line(user, counted, ratings) for user in users]
        standings.sort(key=lambda each: (-(each.rating or 0), each.chance - each.won, -each.share))
        tables.append(LeagueTable(kind, len(counted), len(played) - len(counted), tuple(standings)))
    return sorted(tables, key=lambda each: -each.games)


def rate_games(counted: Iterable[FinishedGame]) -> Mapping[str, "PlackettLuceRating"]:
    """Return the rating of each player after games of one kind; who was forgotten plays as a newcomer each time."""
    from openskill.models import PlackettLuce  # noqa: PLC0415  # only where a league is asked for

    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    for each in counted:
        teams = [[ratings.get(seat.user) or model.rating()] for seat in each.seats]
        for seat, (rating,) in zip(
            each.seats, model.rate(teams, ranks=[float(rank) for rank in each.ranks]), strict=True
        ):
            if seat.user:
                ratings[seat.user] = rating
    return ratings


def _make_line(user: str, counted: Sequence[FinishedGame], ratings: "Mapping[str, PlackettLuceRating]") -> LeagueLine:
    mine = [(each, seat) for each in counted for seat in each.seats if seat.user == user]
    streak = longest = 0
    for _, seat in mine:
        streak = streak + 1 if seat.won else 0
        longest = max(longest, streak)
    shares = [seat.total / top if (top := max(other.total for other in each.seats)) > 0 else 1.0 for each, seat in mine]
    is_rated = len(mine) >= MIN_RATED_GAMES
    return LeagueLine(
        user,
        mine[-1][1].name,
        len(mine),
        sum(seat.won for _, seat in mine),
        sum(sum(seat.won for seat in each.seats) / len(each.seats) for each, _ in mine),
        sum(shares) / len(shares),
        max(seat.total for _, seat in mine),
        streak,
        longest,
        round(ratings[user].mu * RATING_SCALE) if is_rated else None,
        round(ratings[user].sigma * RATING_SCALE) if is_rated else None,
    )


class CompanyLine(Record, frozen=True):
    """What a company was to a player: games with a stake in it, those of them won, and what was paid and got."""

    company: str
    games: int
    won: int
    paid: int
    got: int

    @property
    def brought(self) -> int:
        """What it brought a game, on average."""
        return round((self.got - self.paid) / self.games)


def sum_companies(played: Iterable[tuple[bool, Sequence[tuple[str, int, int]]]]) -> list[CompanyLine]:
    """Return a player's companies, the favourite first: the one with most games, then what it brought.

    Args:
        played: for each game whether it was won, and the stakes: company, paid, got.
    """
    sums = defaultdict[str, list[int]](lambda: [0, 0, 0, 0])
    for won, stakes in played:
        for company, paid, got in stakes:
            sums[company] = [one + more for one, more in zip(sums[company], (1, won, paid, got), strict=True)]
    lines = [CompanyLine(company, *row) for company, row in sums.items()]
    return sorted(lines, key=lambda each: (-each.games, -each.brought, each.company))


class Meeting(Record, frozen=True):
    """Two players in one game: their ranks, and by how much the first was ahead."""

    game: FinishedGame
    ranks: tuple[int, int]
    margin: int


def list_meetings(found: Iterable[FinishedGame], one: str, other: str) -> list[Meeting]:
    """Return the games that two people played together, also those that don't count."""
    meetings = []
    for each in found:
        places = {seat.user: place for place, seat in enumerate(each.seats)}
        if one in places and other in places:
            first, second = places[one], places[other]
            margin = each.seats[first].total - each.seats[second].total
            meetings.append(Meeting(each, (each.ranks[first], each.ranks[second]), margin))
    return meetings
