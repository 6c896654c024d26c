"""The last search for the best runs of one way to join the Freights: spot by spot, the Freights first (§7.8)."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

from engine.rails.choices import Chosen
from engine.rails.claims import BitSums, Claim, ClaimSet, Picks
from engine.rails.coverage import CoverageSearch
from engine.rails.spot_search import SpotSearch
from engine.titles.g1862.running.claims import Book, Claims


class _Option(NamedTuple):
    """What a team of Freights can claim.

    Args:
        missed: of the bound. numbers: of its claims that pay the same, ``None`` if it stays idle.
        claim: what they pay, and where they come to together.
    """

    missed: int
    numbers: tuple[int | None, ...]
    claim: Claim


_IDLE = Claim(0, 0, 0, 0, 0, 0)


class Proof:
    """The search for plans that are worth a goal.

    Where chains of Freights pass much without being paid, what others get there depends on nothing: each chain that
    may matter is taken in turn, and then the others hang on one another but not on it.

    Args:
        claim_sets: one for each train, with credit for all that they come to.
        search: the one that has begun; its bound begins low.
        keep: keeps picks if they are connected. find_goal: returns what a plan must be worth to matter.
    """

    def __init__(
        self,
        book: Book,
        claim_sets: list[Claims],
        search: CoverageSearch,
        keep: Callable[[list[Claims], int, Picks], bool],
        find_goal: Callable[[], int],
    ) -> None:
        self.book = book
        self.search_before = search
        self.prices = search.relaxation.prices
        self.keep = keep
        self.find_goal = find_goal
        self.budget = search.budget
        singles = len(book.faces)
        self.teams = [] if search.rules.hanging else [each.paid_alone for each in claim_sets[singles:] if each.claims]
        self.claim_sets = [*claim_sets[:singles], *self.teams] if self.teams else claim_sets
        self.others = [each for each in dict.fromkeys(self.claim_sets) if each not in self.teams]

    def search(self, bound: int) -> int:
        """Return what no plan exceeds that was not come to, 0 if all were."""
        return self._choose_teams((), bound)

    def _choose_teams(self, chosen: tuple[_Option, ...], possible: int) -> int:
        """Take each claim of the next team, those that miss least first; then the others have their turn."""
        if len(chosen) == len(self.teams):
            return self._search_others(chosen, possible)
        still_open = 0
        relaxed = self.search_before.relaxation.bound + self.search_before.anchored
        for option in self._list_options(chosen):
            here = min(possible, relaxed - sum(one.missed for one in chosen) - option.missed)
            if here < self.find_goal():
                break
            if self.budget.left < self.budget.reserve:
                return max(still_open, here)
            still_open = max(still_open, self._choose_teams((*chosen, option), here))
        return still_open

    def _list_options(self, chosen: tuple[_Option, ...]) -> list[_Option]:
        """Return what the next team can claim; claims that pay the same are one, wherever they lead."""
        team, relaxation = self.teams[len(chosen)], self.search_before.relaxation
        kind = [claim_set for claim_set, _ in relaxation.kinds].index(team)
        left, top = BitSums(relaxation.left), relaxation.find_top(kind)
        taken = apart = 0
        for one in chosen:
            taken |= one.claim.pays
            apart |= one.claim.apart
        found: dict[tuple[int, int, int], list[int]] = {}
        for number, claim in enumerate(team.claims):
            if not claim.apart & apart and team.is_possible(number):
                alike = (claim.pays, claim.bonus, claim.apart if len(self.teams) > 1 else 0)
                found.setdefault(alike, []).append(number)
        self.budget.charge(len(team.claims))
        options = [_Option(top, (None,), _IDLE)]
        for (pays, bonus, _), numbers in found.items():
            claim = team.claims[numbers[0]]
            for number in numbers:
                claim = claim._replace(meets=claim.meets | team.claims[number].meets)
            options.append(_Option(top - bonus - left[pays] + left[pays & taken], tuple(numbers), claim))
        return sorted(options, key=lambda option: option.missed)

    def _search_others(self, chosen: tuple[_Option, ...], bound: int) -> int:
        """Search the trains that are no Freights apart from the others, or all at once."""
        home, claims = self.book.survey.home, [option.claim for option in chosen]
        reached = home
        for claim in claims:
            reached |= claim.meets
        kinds: list[tuple[ClaimSet, int]] = []
        for each in self.others:
            count = self.claim_sets.count(each)
            kinds.append((_free_at(each, reached), count) if chosen else (each, count))
        fixed = [[(team, number) for number in option.numbers] for team, option in zip(self.teams, chosen, strict=True)]

        def keep(value: int, picks: Chosen) -> None:
            theirs = [(self.others[kind], number) for kind, number in picks]
            for firsts in product(*fixed):
                if self.keep(self.claim_sets, value, self._order_picks([*firsts, *theirs])):
                    return

        search = SpotSearch(kinds, self.book.worth, self.budget, keep, self.find_goal)
        still_open = search.search(home, claims, self.prices, bound)
        self.prices = search.prices
        return still_open

    def _order_picks(self, picks: Sequence[tuple[Claims, int | None]]) -> Picks:
        """Return picks in the order of the trains."""
        waiting: dict[Claims, list[int | None]] = {}
        for claim_set, number in picks:
            waiting.setdefault(claim_set, []).append(number)
        return tuple(waiting[each].pop() if waiting.get(each) else None for each in self.claim_sets)


def _free_at(claim_set: Claims, reached: int) -> ClaimSet:
    """Return claims of which those that come to what is reached hang on nothing else."""
    return ClaimSet([claim._replace(hangs=0) if claim.meets & reached else claim for claim in claim_set.claims])
