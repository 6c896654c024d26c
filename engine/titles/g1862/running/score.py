"""What runs earn together: every spot pays one run, every hex one subsidy (15.4-15.12)."""

from collections.abc import Sequence

import msgspec

from engine.rails.routes import bit_numbers, bits_of
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.running import touching
from engine.titles.g1862.running.runs import ALONE, SUBSIDY, Plan, Run, RunEnd, Survey, plan_of


def scored(survey: Survey, runs: Sequence[Run]) -> Plan:
    """Return runs with what each of them scores, so that all together score most.

    A spot that several runs come to pays the first of them that can count
    it. Trains with two numbers leave out what is told in ``left_out``, and
    beyond that what is worth least (15.5).
    """
    if survey.rules.touching_joins:
        return touching.scored(survey, runs)
    share = _Share(survey, runs)
    done: list[Run] = []
    touched = towns = 0
    chains: set[int] = set()
    for number, run in enumerate(runs):
        spots = share.of(number)
        revenue = sum(survey.values[spot] for spot in bit_numbers(spots))
        subsidy = 0
        counted = bits_of(node for node in run.nodes if survey.spot[node] & spots)
        if FACES[run.train].kind == "local":
            new = bits_of(run.nodes) & survey.towns & ~towns
            towns |= new
            counted |= new
            revenue += sum(survey.values[town] for town in bit_numbers(new))
            hexes = survey.hexes(run.links) & ~touched
            touched |= hexes
            subsidy = hexes.bit_count() * SUBSIDY
        if run.chain != ALONE and run.chain not in chains:
            chains.add(run.chain)
            revenue += survey.bonus(*chain_ends(survey, [one for one in runs if one.chain == run.chain]))
        left_out = share.left_out(number, counted)
        done.append(msgspec.structs.replace(run, counted=counted, revenue=revenue, subsidy=subsidy, left_out=left_out))
    return plan_of(done)


def chain_ends(survey: Survey, chain: Sequence[Run]) -> tuple[RunEnd, RunEnd]:
    """Return the outer ends of runs that follow one another from end to end."""
    return survey.ends_of(chain[0])[0], survey.ends_of(chain[-1])[1]


def visited(survey: Survey, run: Run) -> list[int]:
    """Return the large stations and areas that a run comes to, in order."""
    return [node for node in run.nodes if not survey.towns >> node & 1]


class _Share:
    """Which run scores which spot: dearest first, runs that must choose give way to one another."""

    def __init__(self, survey: Survey, runs: Sequence[Run]) -> None:
        self.survey = survey
        self.runs = runs
        self.wants = [self._wants(number) for number in range(len(runs))]
        self.room = [self._room(number) for number in range(len(runs))]
        self.owner: dict[int, int] = {}
        every = 0
        for wants in self.wants:
            every |= wants
        for spot in sorted(bit_numbers(every), key=lambda spot: (-survey.values[spot], spot)):
            self._give(spot, set())

    def _wants(self, number: int) -> int:
        """Return the spots a run may score."""
        survey, run = self.survey, self.runs[number]
        if FACES[run.train].kind != "freight":
            return survey.spots(node for node in visited(survey, run) if not run.left_out >> node & 1)
        chain = [other for other in self.runs if other.chain == run.chain]
        first, last = chain_ends(survey, chain)
        return (first.spot if run is chain[0] else 0) | (last.spot if run is chain[-1] else 0)

    def _room(self, number: int) -> int:
        face = FACES[self.runs[number].train]
        return face.scored if face.kind != "freight" else 2

    def _give(self, spot: int, asked: set[int]) -> bool:
        """Give a spot to a run with room, or to one that can pass another of its spots on."""
        able = [number for number, wants in enumerate(self.wants) if wants >> spot & 1 and number not in asked]
        for number in able:
            if sum(owner == number for owner in self.owner.values()) < self.room[number]:
                self.owner[spot] = number
                return True
        for number in able:
            asked.add(number)
            for other in [held for held, owner in self.owner.items() if owner == number]:
                if self._give(other, asked):
                    self.owner[spot] = number
                    return True
        return False

    def of(self, number: int) -> int:
        """Return the spots a run scores."""
        return bits_of(spot for spot, owner in self.owner.items() if owner == number)

    def left_out(self, number: int, counted: int) -> int:
        """Return the stops a train with two numbers leaves out, so many as it must."""
        run, face = self.runs[number], FACES[self.runs[number].train]
        if face.kind == "freight":
            return 0
        left_out = run.left_out
        stops = visited(self.survey, run)
        must = len(stops) - face.scored
        for node in sorted(stops, key=lambda node: (self.survey.values[node], node)):
            if left_out.bit_count() < must and not counted >> node & 1:
                left_out |= 1 << node
        return left_out
