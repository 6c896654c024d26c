"""Steel Driver: six companies, five turns, one continent. For 3 to 6 players."""

from engine.title import Title
from engine.titles.steel_driver import player, rounds, rulebook, saying, score, setup, views, wording
from engine.titles.steel_driver.actions import ACTIONS
from engine.titles.steel_driver.state import State, clone

TITLE: Title[State] = Title(
    id="steel_driver",
    name="Steel Driver",
    seats=setup.SEATS,
    options=setup.OPTIONS,
    actions=ACTIONS,
    open_verbs=frozenset(),
    pictures=views.PICTURES,
    deal=setup.deal,
    clone=clone,
    actors=rounds.actors,
    legal=rounds.legal,
    check=rounds.check,
    apply=rounds.apply,
    spell_out=rounds.spell_out,
    ask=wording.ask,
    label=wording.label,
    tips=wording.tips,
    say=saying.say,
    look=views.look,
    illustrate=views.illustrate,
    subjects=wording.subjects,
    result=score.result,
    choose=player.choose,
    rules=rulebook.rules,
)
