"""How a title finds the picture that is asked for, and what pictures may be asked about."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from engine.errors import RuleError
from engine.record import Rule
from engine.title import Request
from engine.view import View

S = TypeVar("S")
PICTURES = Rule("Table", "3", "pictures")


def drawn(views: Mapping[str, Callable[[S, Request], View]], s: S, seats: int, request: Request) -> View:
    """Return the view of the picture that is asked for.

    Args:
        views: by name of the picture; one named "player" is about a seat.
        s: the position.
        seats: how many there are at the table.
        request: what is asked.

    Raises:
        RuleError: there is no such picture, or no such seat; a view may raise it for what it is about.
    """
    view = views.get(request.picture)
    if view is None:
        raise RuleError(f"There is no picture “{request.picture[:40]}”; there are {', '.join(views)}.", PICTURES)
    if request.picture == "player" and request.about not in {str(seat) for seat in range(seats)}:
        raise RuleError(f"There is no seat “{request.about[:40]}” at this table.", PICTURES)
    return view(s, request)


def about(kind: str, companies: Mapping[str, str], seats: int) -> Sequence[tuple[str, str]]:
    """Return what a picture may be asked about, as (value, words): companies by code with their names, or seats."""
    if kind == "company":
        return [(code, f"{code} · {name}") for code, name in companies.items()]
    if kind == "seat":
        return [(str(seat), f"Seat {seat + 1}") for seat in range(seats)]
    return []
