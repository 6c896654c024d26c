"""1860: Railways on the Isle of Wight, both editions, both maps, every variant.

The rulebook's steps are files in ``steps/``; the course of the rounds lies in
``rounds/``, where ``turn`` leads an action through its step.
"""

from functools import partial

from engine.finance.reporter import ShareReporter
from engine.printed import read_headings, read_identity, read_readings, read_rules
from engine.rails.laying import simplify_rotation
from engine.rails.reach import list_reached_hexes
from engine.rails.run_edits import list_edits, list_other_amounts
from engine.record import Action
from engine.title import Hints, Replies, Title, UnaskedRuns, Views, Wording
from engine.titles.g1860 import advice, player, thinking, worth
from engine.titles.g1860.actions import ACTIONS, Answer, Counter, Run, Withdraw
from engine.titles.g1860.advice import ORDERS
from engine.titles.g1860.pictures import look
from engine.titles.g1860.pictures.ask import ask, ask_seat
from engine.titles.g1860.pictures.label import write_label
from engine.titles.g1860.pictures.say import BRIEF, HEADLINES, say
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.rules import OPTIONS
from engine.titles.g1860.setup import deal
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps.building import find_bases
from engine.titles.g1860.steps.running import spell_out
from engine.titles.g1860.worth import REPORTED, STORY


def _spell_out(s: State, seat: int, action: Action) -> Action:
    """Write out "best" at the run step; everything else is logged as said."""
    del seat
    if isinstance(action, Run) and isinstance(s.round, Operating) and s.round.step == "run":
        return spell_out(s, action)
    return action


TITLE: Title[State] = Title(
    id="1860",
    name="1860: Railways on the Isle of Wight",
    seats=(2, 4),
    options=OPTIONS,
    actions=ACTIONS,
    open_verbs=frozenset({"run"}),
    deal=deal,
    clone=lambda s: s.clone(),
    actors=turn.find_actors,
    legal=turn.list_legal,
    check=turn.check,
    apply=turn.apply,
    spell_out=_spell_out,
    result=worth.find_result,
    words=Wording(
        ask=ask,
        ask_seat=ask_seat,
        label=write_label,
        say=say,
        rules=lambda _options: read_rules(__name__),
        headings=read_headings(__name__),
        readings=lambda _options: read_readings(__name__),
        headlines=HEADLINES,
    ),
    views=Views(
        pictures=look.PICTURES,
        look=look.look,
        illustrate=look.illustrate,
        subjects=look.list_subjects,
        identity=read_identity(__name__),
        reach=lambda s, company: list_reached_hexes(s.board, find_bases(s), company),
    ),
    advice=Hints(
        choose=player.choose,
        think=thinking.think,
        tips=advice.find_tips,
        usual=advice.order_for_menu,
        plain=lambda s, action: simplify_rotation(s.board, action),
        prove=advice.prove,
        plans=advice.list_plans,
        edits=partial(list_edits, advice.find_editable_runs),
        amounts=partial(list_other_amounts, advice.find_editable_runs),
        glance=advice.estimate_earning,
        worth=worth.list_totals,
        regrets=lambda before, after, seat: tuple(advice.list_regrets(before, after, seat)),
    ),
    replies=Replies((Answer, Counter, Withdraw), Answer("accept"), Answer("decline")),
    unasked=UnaskedRuns(lambda s, plans: s.record.recall(plans), lambda s: s.record.take()),
    orders=ORDERS,
    story=STORY,
    report=lambda: ShareReporter(REPORTED),
    brief=BRIEF,
    package=__name__,
)
