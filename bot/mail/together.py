"""What the clauses of a reply say together: moves one after the other, one instead of another, more of the same."""

import re
from collections.abc import Sequence

from bot.mail.phrases import WORDS
from bot.model.letters import NumberedMoves
from engine import Record

_OPPOSED = ({"accept", "decline"}, {"pay", "keep"}, {"redeem", "give"})
_EXCLAIMED = frozenset(WORDS["exclaimed"])
_MARKET = frozenset(("buy", "sell", "bid", "start"))


class Clause(Record, frozen=True):
    """What a clause says.

    Args:
        order: the move, as the desk or the letter calls it; "" for talk. words: as written.
        place: the choice of the letter that it names, from 1; 0 for none.
        corrects: it takes back the one before. is_bare: a place or an amount and nothing else.
        echoes: the choices that all its words belong to. values: these words, where it names none of them.
        times: how often the move is made. is_named: it is a choice's name without a verb.
        stop: what ends it; "" for the end of a line. is_idle: it changes nothing.
        is_known: it is talk of known words. calls: talk that names someone or something.
    """

    order: str
    words: str
    place: int = 0
    corrects: bool = False
    is_bare: bool = False
    echoes: tuple[int, ...] = ()
    times: int = 1
    values: tuple[str, ...] = ()
    is_named: bool = False
    stop: str = ""
    is_idle: bool = False
    is_known: bool = False
    calls: bool = False


class HeardOrders(Record, frozen=True):
    """What clauses say: the orders, and talk beside them; ``place`` is that of the first."""

    orders: tuple[str, ...]
    talk: tuple[str, ...] = ()
    place: int = 0


def put_together(clauses: Sequence[Clause], offered: NumberedMoves | None) -> HeardOrders | None:
    """Return the orders of clauses; ``None`` if some of them don't go together."""
    named = [each for each in clauses if each.echoes and not each.order]
    talk = tuple(each.words for each in clauses if _is_talk(each))
    moves = _list_moves(clauses)
    if moves is None or (named and not moves):
        return None
    if not moves:
        return HeardOrders((), talk)
    if _is_part_of_talk(clauses):
        return None
    first, *rest = moves
    if named and not rest and not first.place and re.fullmatch(r"bid \d+", first.order):  # "Blue, two cubes"
        values = " ".join(word for each in named for word in each.values if not word.isdecimal())
        return HeardOrders((f"bid {values} {first.order.removeprefix('bid ')}",), talk)
    if len(moves) == 2 and re.fullmatch(r"bid \D+", first.order) and re.fullmatch(r"bid \d+", rest[0].order):
        return HeardOrders((f"{first.order} {rest[0].order.removeprefix('bid ')}",), talk)
    if named and first.place not in set(named[0].echoes).intersection(*(each.echoes for each in named)):
        return None
    said = {each.order.split()[-1] for each in moves}
    is_other = first.is_bare and any(each.place not in (0, first.place) for each in rest)  # "7 (bid 30)"
    if is_other or any(each.is_bare for each in rest) or any(both <= said for both in _OPPOSED):
        return None
    actions = "".join(each.action for each in offered.offers) if offered is not None else ""
    is_market = any(f'"do":"{kind}"' in actions for kind in _MARKET)
    is_over = is_market or any(each.place for each in rest)
    if first.order == "pass" and rest and is_over:  # nothing follows a pass
        return None
    if offered is not None and len(offered.offers) == 2 and len({each.place for each in moves} - {0}) > 1:
        return None
    is_marked = first.place and offered is not None and not re.fullmatch("[A-I]", first.order)
    order = f"{first.place} (turn {offered.version})" if is_marked and offered is not None else first.order
    again = [each.order for each in moves for _ in range(each.times - (each is first))]
    return HeardOrders((order, *again), talk, first.place)


def _is_part_of_talk(clauses: Sequence[Clause]) -> bool:
    """Return whether the first move may be part of what is said around it.

    The name of someone before it; a number behind a sentence that goes on; a name with any talk beside it.
    """
    at = next(at for at, each in enumerate(clauses) if each.order)
    move, before = clauses[at], clauses[:at]
    called = before[-1].words.strip(" ,.!:") if before and _is_talk(before[-1]) else ""
    if called and " " not in called and called not in _EXCLAIMED:  # "Bob, pass!"
        return True
    if move.is_named and any(_is_talk(each) and not each.is_known for each in clauses):
        return True
    if not move.is_bare or move.corrects:
        return False
    is_letter = re.fullmatch("[A-I]", move.order)
    if is_letter and (before or any(each.calls for each in clauses[at + 1 : at + 2])):  # "ok, A", "A. Alder"
        return True
    talk = [each for each in before if _is_talk(each)]
    goes_on = not all(each.stop for each in before) or any(each.stop in (",", ";", ":") for each in talk)
    return goes_on or any(each.calls and not each.is_known for each in talk) or clauses[-1].stop[:1] in ("-", "–", "—")


def _is_talk(clause: Clause) -> bool:
    return not (clause.order or clause.echoes or clause.is_idle or clause.corrects)


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
            is_counted = clause.is_bare and clause.place  # "1, no, 2"
            if not before or is_counted or not (before[0] == after[0] or (moves[0].place and clause.place)):
                return None
            if after[0] == "bid" and len(before) == 3 and len(after) == 2:  # the amount of the same company
                clause = Clause(f"bid {before[1]} {after[1]}", clause.words)  # noqa: PLW2901
            moves = [clause]
        elif not any(_says_same(clause, each) for each in moves):
            moves.append(clause)
        elif re.search("onemore|again", clause.words):
            return None
    return None if is_corrected else moves


def _says_same(one: Clause, other: Clause) -> bool:
    """Return whether a clause repeats a move, or says more of the choice that it is: "on Godshill, the 757"."""
    is_same_kind = one.order.split()[0] == other.order.split()[0] or one.is_bare
    return (
        one.order == other.order
        or (one.place != 0 and one.place == other.place)
        or (other.place != 0 and other.place in one.echoes and is_same_kind)
    )
