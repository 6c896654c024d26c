"""What the clauses of a reply say together: moves one after the other, one instead of another, more of the same."""

import re
from collections.abc import Sequence
from itertools import pairwise

from bot.mail.phrases import WORDS
from bot.mail.vocabulary import THEREFORE
from bot.model.letters import NumberedMoves
from engine import Record

_OPPOSED = ({"accept", "decline"}, {"pay", "keep"}, {"redeem", "give"})
_EXCLAIMED = frozenset(WORDS["exclaimed"])
_DECLINES = frozenset(("pass", "decline", "no train", "no track", "no base"))
"""Moves by which nothing is done; talk beside them may deny and name what it likes."""
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
        is_known: it is talk of known words. calls: talk that names someone or something. is_name: it is only a name.
        denies: it is talk with a "no" or a doubt in it. wavers: with a word that would set a condition beside a move.
        is_about: it is talk of the choices that it echoes.
        wishes: the choices that its verb fits, without a value.
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
    is_name: bool = False
    is_about: bool = False
    denies: bool = False
    wavers: bool = False
    wishes: tuple[int, ...] = ()


class HeardOrders(Record, frozen=True):
    """What clauses say: the orders, and talk beside them; ``place`` is that of the first."""

    orders: tuple[str, ...]
    talk: tuple[str, ...] = ()
    place: int = 0


def put_together(clauses: Sequence[Clause], offered: NumberedMoves | None) -> HeardOrders | None:
    """Return the orders of clauses; ``None`` if some of them don't go together."""
    named = [each for each in clauses if (each.echoes or each.is_about) and not each.order]
    talk = tuple(each.words for each in clauses if _is_talk(each))
    moves = _list_moves(clauses)
    wished = [each for each in clauses if each.wishes]
    if moves == [] and (named or wished):
        return _take_named(named, wished, offered)
    if moves == []:
        return HeardOrders((), talk)
    is_other = any(each.place not in wish.wishes for wish in wished for each in moves or ())
    if moves is None or is_other or _is_part_of_talk(clauses):
        return None
    first, *rest = moves
    if first.order in _DECLINES and not rest:
        named = [each for each in named if not each.is_about]
    if named and not rest and not first.place and re.fullmatch(r"bid \d+", first.order):  # "Blue, two cubes"
        values = " ".join(word for each in named for word in each.values if not word.isdecimal())
        return HeardOrders((f"bid {values} {first.order.removeprefix('bid ')}",), talk)
    if len(moves) == 2 and re.fullmatch(r"bid \D+", first.order) and re.fullmatch(r"bid \d+", rest[0].order):
        return HeardOrders((f"{first.order} {rest[0].order.removeprefix('bid ')}",), talk)
    if named and first.place not in set(named[0].echoes).intersection(*(each.echoes for each in named)):
        return None
    if _contradict(first, rest, offered):
        return None
    is_marked = first.place and offered is not None and not re.fullmatch("[A-I]", first.order)
    order = f"{first.place} (turn {offered.version})" if is_marked and offered is not None else first.order
    again = [each.order for each in moves for _ in range(each.times - (each is first))]
    return HeardOrders((order, *again), talk, first.place)


def _contradict(first: Clause, rest: Sequence[Clause], offered: NumberedMoves | None) -> bool:
    """Return whether moves don't follow each other: two choices of one turn, both answers, anything after a pass."""
    moves = (first, *rest)
    said = {each.order.split()[-1] for each in moves}
    is_other = first.is_bare and any(each.place not in (0, first.place) for each in rest)  # "7 (bid 30)"
    if is_other or any(each.is_bare for each in rest) or any(both <= said for both in _OPPOSED):
        return True
    actions = "".join(each.action for each in offered.offers) if offered is not None else ""
    is_market = any(f'"do":"{kind}"' in actions for kind in _MARKET)
    if first.order == "pass" and rest and (is_market or any(each.place for each in rest)):
        return True
    return offered is not None and len(offered.offers) == 2 and len({each.place for each in moves} - {0}) > 1


def _take_named(named: Sequence[Clause], wished: Sequence[Clause], offered: NumberedMoves | None) -> HeardOrders | None:
    """Return the one choice that clauses name together, without a verb that has a value.

    "Ely is worth most, so put it there", or "one more of C&N, from the pool".
    """
    is_list = len(named) > 1 and not any(each.is_about for each in named)
    if offered is None or not named or len(wished) > 1 or not (wished or is_list):
        return None
    places = set.intersection(*(set(each.echoes) for each in named), *(set(each.wishes) for each in wished))
    if len(places) != 1:
        return None
    place = places.pop()
    return HeardOrders((f"{place} (turn {offered.version})",), tuple(each.words for each in named), place)


def _is_part_of_talk(clauses: Sequence[Clause]) -> bool:
    """Return whether the first move may be part of what is said around it.

    The name of someone before it; a number behind a sentence that goes on; a name with any talk beside it; a move
    with a denial, unless that is a sentence of its own before it: "This won't be popular. Buy the 2E."
    """
    at = next(at for at, each in enumerate(clauses) if each.order)
    move, before = clauses[at], clauses[:at]
    denials = [each for each in clauses if each.wavers or (each.denies and move.order not in _DECLINES)]
    remarks = [
        each
        for each, after in pairwise(clauses[: at + 1])
        if each.words.count(" ") > 1 and (each.stop[:1] in (".", "!", "…") or THEREFORE.match(after.words))
    ]
    remarks += [  # "Buy the 2E. That could be something."
        each
        for last, each in pairwise(clauses[at:])
        if last.stop[:1] in (".", "!", "…") and each.words.count(" ") > 2 and not (each.denies or each.is_about)
    ]
    is_short = move.is_bare or move.is_named
    if any(each not in remarks or (is_short and each in before) for each in denials):
        return True
    called = before[-1].words.strip(" ,.!:") if before and _is_talk(before[-1]) else ""
    if called and before[-1].is_name and called not in _EXCLAIMED:  # "Bob, pass!"
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
    return not (clause.order or clause.echoes or clause.is_about or clause.is_idle or clause.corrects or clause.wishes)


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
