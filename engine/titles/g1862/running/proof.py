"""The last search for the best runs of one way to join the Freights: spot by spot, the Freights first (§7.8)."""

from collections.abc import Callable, Sequence
from functools import cached_property
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
        self._groups: dict[Claims, tuple[int, list[tuple[tuple[int, ...], Claim]]]] = {}
        self._freed: dict[tuple[Claims, bytes], ClaimSet] = {}
        self._searches: dict[tuple[ClaimSet, ...], SpotSearch] = {}

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
        team, left = self.teams[len(chosen)], self._left
        top, groups = self._list_groups(team)
        taken = apart = 0
        for one in chosen:
            taken |= one.claim.pays
            apart |= one.claim.apart
        self.budget.charge(len(team.claims))
        options = [_Option(top, (None,), _IDLE)]
        for numbers, claim in groups:
            if not claim.apart & apart:
                missed = top - claim.bonus - left[claim.pays] + left[claim.pays & taken]
                options.append(_Option(missed, numbers, claim))
        return sorted(options, key=lambda option: option.missed)

    @cached_property
    def _left(self) -> BitSums:
        """What is left of the worth of spots beyond their prices, added up."""
        return BitSums(self.search_before.relaxation.left)

    def _list_groups(self, team: Claims) -> tuple[int, list[tuple[tuple[int, ...], Claim]]]:
        """Return the most that a team is worth beyond the prices, and its claims, those together that pay the same."""
        if team not in self._groups:
            relaxation = self.search_before.relaxation
            kind = [claim_set for claim_set, _ in relaxation.kinds].index(team)
            found: dict[tuple[int, int, int], list[int]] = {}
            for number, claim in enumerate(team.claims):
                if team.is_possible(number):
                    alike = (claim.pays, claim.bonus, claim.apart if len(self.teams) > 1 else 0)
                    found.setdefault(alike, []).append(number)
            groups = []
            for numbers in found.values():
                meets = 0
                for number in numbers:
                    meets |= team.claims[number].meets
                groups.append((tuple(numbers), team.claims[numbers[0]]._replace(meets=meets)))
            self._groups[team] = (relaxation.find_top(kind), groups)
        return self._groups[team]

    def _search_others(self, chosen: tuple[_Option, ...], bound: int) -> int:
        """Search the trains that are no Freights apart from the others, or all at once."""
        home, claims = self.book.survey.home, [option.claim for option in chosen]
        reached = home
        for claim in claims:
            reached |= claim.meets
        kinds = [
            (self._free_at(each, reached) if chosen else each, self.claim_sets.count(each)) for each in self.others
        ]
        fixed = [[(team, number) for number in option.numbers] for team, option in zip(self.teams, chosen, strict=True)]

        def keep(value: int, picks: Chosen) -> None:
            theirs = [(self.others[kind], number) for kind, number in picks]
            for firsts in product(*fixed):
                if self.keep(self.claim_sets, value, self._order_picks([*firsts, *theirs])):
                    return

        search = self._find_search(kinds)
        still_open = search.search(home, claims, self.prices, bound, keep)
        self.prices = search.prices
        return still_open

    def _find_search(self, kinds: Sequence[tuple[ClaimSet, int]]) -> SpotSearch:
        """Return a search of these claims: most claims of Freights leave the same to the others."""
        key = tuple(claim_set for claim_set, _ in kinds)
        if key not in self._searches:
            self._searches[key] = SpotSearch(kinds, self.book.worth, self.budget, self.find_goal)
        return self._searches[key]

    def _free_at(self, claim_set: Claims, reached: int) -> ClaimSet:
        """Return claims of which those that come to what is reached hang on nothing else."""
        free = bytes([bool(claim.hangs and claim.meets & reached) for claim in claim_set.claims])
        if (claim_set, free) not in self._freed:
            self._freed[claim_set, free] = ClaimSet(
                [claim._replace(hangs=0) if at else claim for claim, at in zip(claim_set.claims, free, strict=True)]
            )
        return self._freed[claim_set, free]

    def _order_picks(self, picks: Sequence[tuple[Claims, int | None]]) -> Picks:
        """Return picks in the order of the trains."""
        waiting: dict[Claims, list[int | None]] = {}
        for claim_set, number in picks:
            waiting.setdefault(claim_set, []).append(number)
        return tuple(waiting[each].pop() if waiting.get(each) else None for each in self.claim_sets)
