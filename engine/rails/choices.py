"""What has been chosen of the claims of all trains, and how the others are judged beside it; see ``spot_search``."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from engine.rails.claims import BitSums, Claim, ClaimSet, Leasts, find_owing
from engine.rails.lagrangian_bound import Relaxation
from engine.rails.routes import list_bits

Chosen = tuple[tuple[int, int], ...]
"""KindOfTrain and number of each claim."""


class Cluster(NamedTuple):
    """Claims that are connected with one another, but not with the anchor yet.

    Args:
        meets: where others can be connected with them. credit: spots to their credit.
        hangs: spots of which they give one back to the claim that connects them; 0 if they need not.
    """

    meets: int
    credit: int
    hangs: int


class Selection(NamedTuple):
    """Claims that were chosen.

    Args:
        left: how many trains of each kind have no claim yet. banned: numbers of claims that are out, as bits.
        group: what those meet that are connected with the anchor. parts: the others.
        taken: spots that are to the credit of no claim any more. solid: those to the credit of connected ones.
        covered: spots that pay. value: what they are worth, unless some must be left out.
        missed: what it falls short of the bound. apart: bits that no other claim may have.
        owing: spots of which one must be left out, at worst. picks: the claims.
    """

    left: tuple[int, ...]
    banned: tuple[int, ...]
    group: int
    taken: int
    solid: int
    parts: tuple[Cluster, ...] = ()
    covered: int = 0
    value: int = 0
    missed: int = 0
    apart: int = 0
    owing: tuple[int, ...] = ()
    picks: Chosen = ()


class ClaimRow(NamedTuple):
    """A claim: what it misses at least; what, if all its credit is its own; and what it gives back then."""

    floor: int
    missed: int
    least: int
    claim: Claim
    number: int


class Outlook(NamedTuple):
    """How claims are judged.

    Args:
        bound: what no plan exceeds. prices: of each spot, and their sums. priced: spots that have one.
        left: what spots are worth beyond that. least: the least of that.
        rows: the claims of each kind. idle: what a train of a kind misses that has none, or one that pays nothing more.
    """

    bound: int
    prices: Sequence[int]
    price: BitSums
    priced: int
    left: BitSums
    least: Leasts
    rows: list[list[ClaimRow]]
    idle: list[int]


def join_parts(choice: Selection, claim: Claim) -> tuple[Cluster, list[Cluster]]:
    """Return the part that a claim makes, and those that it connects."""
    joined = [part for part in choice.parts if part.meets & claim.meets]
    meets, credit, hangs, inner = claim.meets, claim.credit & ~choice.taken, claim.hangs, 0
    for part in joined:
        meets |= part.meets
        inner |= part.credit
        hangs = hangs | part.hangs if part.hangs and hangs else 0
    # What others have to their credit there, it has given back already.
    return Cluster(meets, credit | inner, 0 if hangs & choice.taken & ~inner else hangs), joined


def look_out(bound: int, relaxation: Relaxation, allowed: Sequence[bytes]) -> Outlook:
    """List the claims of each kind by what they miss."""
    left, leasts = BitSums(relaxation.left), Leasts(relaxation.left)
    rows, idle = list[list[ClaimRow]](), list[int]()
    for kind, (claim_set, count) in enumerate(relaxation.kinds):
        top = relaxation.find_top(kind) if count else 0
        found = []
        for number, claim in enumerate(claim_set.claims if count else ()):
            if allowed[kind][number]:
                missed, least = top - claim.bonus - left[claim.credit], leasts[claim.hangs]
                found.append(ClaimRow(missed + least, missed, least, claim, number))
        rows.append(sorted(found))
        idle.append(max(0, top - max([row.claim.bonus for row in found], default=0)))
    prices = relaxation.prices
    priced = sum(1 << spot for spot, price in enumerate(prices) if price)
    return Outlook(bound, prices, BitSums(prices), priced, left, leasts, rows, idle)


Candidate = tuple[int, int, int]
"""What a claim misses, its kind and its place."""


class KindOfTrain(NamedTuple):
    """A kind of train among those that are alike: its number, its claims and where each stands, and its trains."""

    number: int
    claims: Sequence[Claim]
    place_of: dict[Claim, int]
    trains: int


def join_alike(kinds: Sequence[tuple[ClaimSet, int]]) -> list[list[KindOfTrain]]:
    """Return kinds of trains in groups, those together whose claims differ only in what they must leave out.

    The first of a group must leave out something wherever another must.
    """
    known = [
        KindOfTrain(
            number, claim_set.claims, {strip_drops(claim): at for at, claim in enumerate(claim_set.claims)}, count
        )
        for number, (claim_set, count) in enumerate(kinds)
    ]
    groups: list[list[KindOfTrain]] = []
    for kind in sorted(known, key=lambda kind: -sum(claim.drops != 0 for claim in kind.claims)):
        group = next((group for group in groups if is_alike(group[0], kind)), None)
        if group is None:
            groups.append([kind])
        else:
            group.append(kind)
    return sorted(groups, key=lambda group: min(kind.number for kind in group))


def is_alike(first: KindOfTrain, kind: KindOfTrain) -> bool:
    """Return whether a kind can join a group."""
    if (
        not len(first.claims) == len(first.place_of) == len(kind.claims)
        or first.place_of.keys() != kind.place_of.keys()
    ):
        return False
    return all(
        first.claims[first.place_of[claim]].drops or not kind.claims[at].drops for claim, at in kind.place_of.items()
    )


def strip_drops(claim: Claim) -> Claim:
    """Return a claim without what must be left out of it."""
    return claim._replace(drops=0)


def find_hardest(choice: Selection, candidates: Sequence[Candidate], outlook: Outlook) -> int:
    """Return the spot that fewest claims come to, 0 if none comes to any more."""
    free, rows = ~choice.taken, outlook.rows
    counts, any_spot = list[int](), 0  # the counts in binary, all spots at once: bits of ones, twos, fours and so on
    for _, kind, place in candidates:
        carry = rows[kind][place].claim.credit & free
        any_spot |= carry
        for digit, ones in enumerate(counts):
            if not carry:
                break
            counts[digit], carry = ones ^ carry, ones & carry
        if carry:
            counts.append(carry)
    fewest = any_spot
    for ones in reversed(counts):
        fewest = fewest & ~ones or fewest
    spots = [1 << spot for spot in list_bits(fewest)]
    return min(spots, key=lambda spot: (-outlook.price[spot], spot), default=0)


def add_claim(choice: Selection, candidate: Candidate, row: ClaimRow, worths: BitSums) -> Selection:
    """Return a choice with one claim more."""
    missed, kind, _ = candidate
    claim = row.claim
    part, joined = join_parts(choice, claim)
    parts = tuple([one for one in choice.parts if one not in joined])
    is_near = bool(claim.meets & choice.group)
    return Selection(
        tuple([count - (number == kind) for number, count in enumerate(choice.left)]),
        choice.banned,
        choice.group | part.meets if is_near else choice.group,
        choice.taken | claim.credit,
        choice.solid | part.credit if is_near else choice.solid,
        parts if is_near else (*parts, part),
        choice.covered | claim.pays,
        find_value(choice, claim, worths),
        choice.missed + missed,
        choice.apart | claim.apart,
        find_owing(choice.owing, choice.covered, claim),
        (*choice.picks, (kind, row.number)),
    )


def find_value(choice: Selection, claim: Claim, worths: BitSums) -> int:
    """Return what a choice is worth with one claim more, if nothing must be left out."""
    return choice.value + claim.bonus + worths[claim.pays & ~choice.covered]


def list_ways(alike: Sequence[Sequence[KindOfTrain]], picks: Chosen) -> Iterator[tuple[Chosen, list[Claim]]]:
    """Yield the ways to give claims to trains that are alike."""
    shared = []
    for number, (first, *others) in enumerate(alike):
        chosen = [claim for kind, claim in picks if kind == number]
        if not others:
            shared.append([[(first, claim) for claim in chosen]])
            continue
        trains = [place for place, kind in enumerate((first, *others)) for _ in range(kind.trains)]
        ways = dict.fromkeys(permutations(trains, len(chosen)))
        stripped = [strip_drops(first.claims[claim]) for claim in chosen]
        group = alike[number]
        shared.append(
            [[(group[at], group[at].place_of[one]) for at, one in zip(way, stripped, strict=True)] for way in ways]
        )
    for given in product(*shared):
        each = [one for way in given for one in way]
        yield tuple((kind.number, place) for kind, place in each), [kind.claims[place] for kind, place in each]
