"""1862: Railway Mania in the Eastern Counties, and every variant.

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
from engine.titles.g1862 import advice, player, thinking, worth
from engine.titles.g1862.actions import ACTIONS, Answer, Run, Withdraw
from engine.titles.g1862.advice import ORDERS
from engine.titles.g1862.ground import find_bases
from engine.titles.g1862.pictures import look
from engine.titles.g1862.pictures.ask import ask
from engine.titles.g1862.pictures.label import write_label
from engine.titles.g1862.pictures.say import BRIEF, HEADLINES, say
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.rules import OPTIONS
from engine.titles.g1862.setup import deal
from engine.titles.g1862.state import Operating, State
from engine.titles.g1862.steps.running import spell_out
from engine.titles.g1862.worth import REPORTED, STORY


def _spell_out(s: State, seat: int, action: Action) -> Action:
    """Write out "best" at the run step; everything else is logged as said."""
    del seat
    if isinstance(action, Run) and isinstance(s.round, Operating) and s.round.step == "run" and not action.recorded:
        return spell_out(s, action)
    return action


TITLE: Title[State] = Title(
    id="1862",
    name="1862: Railway Mania in the Eastern Counties",
    seats=(2, 8),
    options=OPTIONS,
    actions=ACTIONS,
    open_verbs=frozenset({"run"}),
    deal=deal,
    clone=State.clone,
    actors=turn.find_actors,
    legal=turn.list_legal,
    check=turn.check,
    apply=turn.apply,
    spell_out=_spell_out,
    result=worth.find_result,
    words=Wording(
        ask=ask,
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
    replies=Replies((Answer, Withdraw), Answer("accept"), Answer("decline")),
    unasked=UnaskedRuns(lambda s, plans: s.record.recall(plans), lambda s: s.record.take()),
    orders=ORDERS,
    story=STORY,
    report=lambda: ShareReporter(REPORTED),
    brief=BRIEF,
    package=__name__,
)
