"""What the clauses of a reply say together: moves one after the other, one instead of another, more of the same."""

import re
from collections.abc import Sequence

from bot.model.letters import NumberedMoves
from engine import Record

_OPPOSED = ({"accept", "decline"}, {"pay", "keep"}, {"redeem", "give"})


class Clause(Record, frozen=True):
    """What a clause says.

    Args:
        order: the move, as the desk or the letter calls it; "" for talk. words: as written.
        place: the choice of the letter that it names, from 1; 0 for none.
        corrects: it takes back the one before. is_bare: a place or an amount and nothing else.
        echoes: the choices that all its words belong to. values: these words, where it names none of them.
        times: how often the move is made.
    """

    order: str
    words: str
    place: int = 0
    corrects: bool = False
    is_bare: bool = False
    echoes: tuple[int, ...] = ()
    times: int = 1
    values: tuple[str, ...] = ()


class HeardOrders(Record, frozen=True):
    """What clauses say: the orders, and talk beside them; ``is_bare`` if the first is a number and nothing else."""

    orders: tuple[str, ...]
    talk: tuple[str, ...] = ()
    is_bare: bool = False


def put_together(clauses: Sequence[Clause], offered: NumberedMoves | None) -> HeardOrders | None:
    """Return the orders of clauses; ``None`` if some of them don't go together."""
    named = [each for each in clauses if each.echoes and not each.order]
    talk = tuple(each.words for each in clauses if each.words and not each.order and not each.echoes)
    moves = _list_moves(clauses)
    if moves is None or (named and not moves):
        return None
    if not moves:
        return HeardOrders((), talk)
    first, *rest = moves
    if named and not rest and not first.place and re.fullmatch(r"bid \d+", first.order):  # "Blue, two cubes"
        values = " ".join(word for each in named for word in each.values if not word.isdecimal())
        return HeardOrders((f"bid {values} {first.order.removeprefix('bid ')}",), talk)
    if len(moves) == 2 and re.fullmatch(r"bid \D+", first.order) and re.fullmatch(r"bid \d+", rest[0].order):
        return HeardOrders((f"{first.order} {rest[0].order.removeprefix('bid ')}",), talk)
    if named and first.place not in set(named[0].echoes).intersection(*(each.echoes for each in named)):
        return None
    said = {each.order.split()[-1] for each in moves}
    if any(each.is_bare for each in rest) or any(both <= said for both in _OPPOSED):
        return None
    actions = "".join(each.action for each in offered.offers) if offered is not None else ""
    is_market = any(f'"do":"{kind}"' in actions for kind in ("buy", "sell", "bid", "start"))
    is_over = is_market or any(each.place for each in rest)
    if first.order == "pass" and rest and is_over:  # nothing follows a pass
        return None
    if offered is not None and len(offered.offers) == 2 and len({each.place for each in moves} - {0}) > 1:
        return None
    order = f"{first.place} (turn {offered.version})" if first.place and offered is not None else first.order
    again = [each.order for each in moves for _ in range(each.times - (each is first))]
    return HeardOrders((order, *again), talk, first.is_bare and not first.corrects)


def _list_moves(clauses: Sequence[Clause]) -> list[Clause] | None:
    """Return the moves that hold: what is corrected is dropped, what is said twice is one; ``None`` if unclear."""
    moves, is_corrected = list[Clause](), False
    for clause in clauses:
        if not clause.order:
            is_corrected |= clause.corrects
        elif clause.corrects or is_corrected:
            is_corrected = False
            before = moves[0].order.split() if len(moves) == 1 else []
            after = clause.order.split()
            if not before or not (before[0] == after[0] or (moves[0].place and clause.place)):
                return None
            if after[0] == "bid" and len(before) == 3 and len(after) == 2:  # the amount of the same company
                clause = Clause(f"bid {before[1]} {after[1]}", clause.words)  # noqa: PLW2901
            moves = [clause]
        elif not any(_says_same(clause, each) for each in moves):
            moves.append(clause)
    return None if is_corrected else moves


def _says_same(one: Clause, other: Clause) -> bool:
    """Return whether a clause repeats a move, or says more of the choice that it is: "on Godshill, the 757"."""
    is_same_kind = one.order.split()[0] == other.order.split()[0] or one.is_bare
    return (
        one.order == other.order
        or (one.place != 0 and one.place == other.place)
        or (other.place != 0 and other.place in one.echoes and is_same_kind)
    )
