"""Where a company of 1860 may build a base (6.13-6.15)."""

from collections.abc import Collection, Iterator

from engine.errors import RuleError
from engine.rails import reach as shared
from engine.rails.reach import Place
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.track import TrackSurvey


def free_slots(survey: TrackSurvey, place: Place, waiting: Collection[str]) -> int:
    """Return the slots of a city that the company may use; one is kept for each home base that waits there (6.15)."""
    return shared.free_slots(survey.board, survey.bases, place, survey.builder.company, waiting)


def sites(survey: TrackSurvey, waiting: Collection[str]) -> Iterator[Place]:
    """Return every city where the company may build a base; the price is not asked."""
    return shared.sites(survey.board, survey.bases, survey.reach.nodes, survey.builder.company, waiting)


def check_site(survey: TrackSurvey, place: Place, waiting: Collection[str], price: int = 0) -> None:
    """Check that the company may build a base in a city.

    Args:
        survey: the company and the board.
        place: hex, and stop on the tile as it lies.
        waiting: companies whose home base is not on the board.
        price: of this base in company credits; checked against the builder's cash.

    Raises:
        RuleError: the first rule that forbids it.

    Rule: 1860 6.13-6.15.
    """
    board, company = survey.board, survey.builder.company
    coord, index = place
    if coord not in board:
        raise RuleError(f"There is no hex {coord} on this map.", rule("6.14"))
    stops = board.tile(coord).stops
    name = board.spec(coord).name or coord
    if not 0 <= index < len(stops) or stops[index].kind not in ("city", "offboard"):
        raise RuleError(f"There is no such large station on {board.spec(coord).called}.", rule("6.14"))
    if stops[index].kind == "offboard":
        raise RuleError(f"No base may be built on {name}.", rule("6.14"))
    if shared.stands_on(board, survey.bases, coord, company):
        raise RuleError(
            f"{company} has a base on {board.spec(coord).called} already; one is the most on a hex.", rule("6.14")
        )
    if len(survey.bases.get(place, ())) >= stops[index].slots:
        raise RuleError(f"Every circle of {name} is taken.", rule("6.14"))
    if free_slots(survey, place, waiting) <= 0:
        homes = " and ".join(home for home in board.spec(coord).homes if home in waiting)
        raise RuleError(f"The free circle of {name} is kept for the home base of {homes}.", rule("6.15"))
    if not survey.reach.nodes >> board.graph.node_at[place] & 1:
        raise RuleError(
            f"{company} cannot reach {name}: no track leads there from its bases without passing a tokened-out town.",
            rule("6.14"),
        )
    cash = survey.builder.cash
    if cash is not None and cash < price:
        raise RuleError(f"This base costs {price}cc; {company} has {cash}cc.", rule("6.13"))
