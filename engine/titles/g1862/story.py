"""What 1862 says for the story of a game."""

from engine.finance.story import flows, paid_out, ran
from engine.record import Event
from engine.title import Flow, Ran, Story
from engine.titles.g1862 import events as e
from engine.titles.g1862 import worth
from engine.titles.g1862.running.search import best_plan
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import running


def _flows(event: Event) -> list[Flow]:
    """Return what players paid and got for shares; the bid for a charter is paid for its company."""
    if isinstance(event, e.CharterWon):
        return [Flow(event.seat, event.company, -event.amount)]
    if isinstance(event, e.WentBankrupt):
        return paid_out(event.company, event.paid)
    if isinstance(event, e.OptionRedeemed):
        return [Flow(event.seat, event.company, -event.amount)]
    if isinstance(event, e.OptionSold | e.SharesCashed):
        return [Flow(event.seat, event.company, event.amount)]
    return flows(event)


def _best(s: State) -> Ran | None:
    """Return the best run of the company that acts, of those found at a glance."""
    plan = best_plan(running.current(s), budget=running.GLANCE).plan
    return Ran(s.operating.code, plan.revenue, plan.subsidy)


STORY: Story[State] = Story(
    flows=_flows,
    ran=ran,
    best=_best,
    worth=lambda s, seat: [
        (company.code, worth.holding(s, company, seat)) for company in s.companies.values() if company.shares[seat]
    ],
    merged=lambda event: (event.survivor, event.other) if isinstance(event, e.MergerEnded) else None,
)
