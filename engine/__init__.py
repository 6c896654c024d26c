"""Rules of long railway board games: pure, typed, always checked.

A game is a set-up and a log of actions: ``Game.new``, ``Game.play``,
``Game.replay``. What is legal, what it means and what may be seen of it comes
from the title, a record of functions in ``TITLES``.
"""

from engine.errors import LogError, RuleError, UnreadableLogError
from engine.game import TITLES, Game, LogEntry, Played, Redo, Undo
from engine.hints import Earning, Tip
from engine.record import Action, Event, Record, Rule
from engine.setup import LobbyOption, Rng, Setup
from engine.title import Ask, Picture, Request, Result, Score, Title

__all__ = [
    "TITLES",
    "Action",
    "Ask",
    "Earning",
    "Event",
    "Game",
    "LobbyOption",
    "LogEntry",
    "LogError",
    "Picture",
    "Played",
    "Record",
    "Redo",
    "Request",
    "Result",
    "Rng",
    "Rule",
    "RuleError",
    "Score",
    "Setup",
    "Tip",
    "Title",
    "Undo",
    "UnreadableLogError",
]
