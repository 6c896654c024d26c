"""Steel Driver: six companies, five turns, one continent. For 3 to 6 players."""

from engine.printed import read_headings, read_identity, read_readings
from engine.title import Hints, Title, Views, Wording
from engine.titles.steel_driver import advice, player, rules, score, setup, thinking
from engine.titles.steel_driver.actions import ACTIONS
from engine.titles.steel_driver.advice import ORDERS
from engine.titles.steel_driver.pictures import ask, label, look, say
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import State

TITLE: Title[State] = Title(
    id="steel_driver",
    name="Steel Driver",
    seats=rules.SEATS,
    options=rules.OPTIONS,
    actions=ACTIONS,
    open_verbs=frozenset(),
    deal=setup.deal,
    clone=State.clone,
    actors=turn.find_actors,
    legal=turn.list_legal,
    check=turn.check,
    apply=turn.apply,
    spell_out=turn.spell_out,
    result=score.find_result,
    words=Wording(
        ask=ask.ask,
        label=label.write_label,
        say=say.say,
        rules=setup.list_rules,
        headings=read_headings(__name__),
        readings=lambda _options: read_readings(__name__),
        headlines=say.HEADLINES,
    ),
    views=Views(
        pictures=look.PICTURES,
        look=look.look,
        illustrate=look.illustrate,
        subjects=look.list_subjects,
        identity=read_identity(__name__),
        reach=look.list_reached_places,
    ),
    advice=Hints(
        choose=player.choose,
        tips=advice.find_tips,
        usual=advice.order_for_menu,
        plain=advice.simplify,
        worth=lambda state: tuple(state.cash),
        regrets=lambda before, after, seat: tuple(advice.list_regrets(before, after, seat)),
        think=thinking.think,
        play_on=thinking.play_on,
    ),
    orders=ORDERS,
    report=score.AuctionReporter,
    brief=say.BRIEF,
    package=__name__,
)
