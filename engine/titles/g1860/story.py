"""What 1860 says for the story of a game."""

from engine.finance.story import flows, ran
from engine.record import Event
from engine.title import Flow, Ran, Story
from engine.titles.g1860 import worth
from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.events import PrivateExchanged
from engine.titles.g1860.running.search import best_found
from engine.titles.g1860.state import State
from engine.titles.g1860.steps import running


def _flows(event: Event) -> list[Flow]:
    """Return what players paid and got for shares; a share for a private company cost what that did."""
    if isinstance(event, PrivateExchanged):
        return [Flow(event.seat, event.company, -PRIVATES[event.private].price)]
    return flows(event)


def _best(s: State) -> Ran | None:
    """Return the best run of the company that acts, of those found at a glance."""
    code = s.operating.code
    now = running.current(s, s.companies[code])
    plan = None if now is None else best_found(now, running.GLANCE).plan
    return None if plan is None else Ran(code, plan.revenue, plan.subsidy)


STORY: Story[State] = Story(
    flows=_flows,
    ran=ran,
    best=_best,
    worth=lambda s, seat: [
        (company.code, worth.shares_worth(s, company, seat)) for company in s.companies.values() if company.shares[seat]
    ],
)
