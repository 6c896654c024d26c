"""Files as 18xx.games itself writes them: without fields of our own, and with the passes that only it wants."""

import json

from engine.game import Game
from engine.interop.g1862.writer import Writer
from engine.log import Said
from engine.rng import Rng
from engine.titles.g1862 import TITLE
from engine.titles.g1862.rounds.records import Operating

OUR_FIELDS = frozenset({"source", "turned", "plan", "raise", "recorded", "step"})


def self_played(setup):
    """Play a game of 1862 to its end."""
    s, rng, log = TITLE.deal(setup), Rng(setup.seed), []
    while TITLE.actors(s):
        seat = TITLE.actors(s)[0]
        action = TITLE.spell_out(s, seat, TITLE.choose(s, seat, rng))
        TITLE.apply(s, TITLE.check(s, seat, action), lambda _: None)
        log.append(Said(seat, action))
    return Game.replay(setup, log)


class _Turn:
    """A company's turn: whether the site has had its passes for the merger and the acquisition."""

    def __init__(self, s):
        self.key, self.code = (s.name, s.round.index), s.round.code
        self.asked = not s.lner and not s.companies[self.code].receivership
        self.opened = self.closed = False


def site_actions(game):
    """Return a game's actions in the words of the site, a pass for every merger and acquisition left out here."""
    s, out, turn = TITLE.deal(game.setup), [], None
    writer = Writer(tuple(range(1, game.setup.seats + 1)))
    for entry in game.said():
        r = s.round if isinstance(s.round, Operating) else None
        key = (s.name, r.index) if r else None
        if turn is not None and turn.key != key and turn.asked and not turn.closed:
            out.append(_pass(turn.code))
        if r is not None and (turn is None or turn.key != key):
            turn = _Turn(s)
        turn = turn if r is not None else None
        idle = r is not None and r.merging is None and not r.removing and r.offer is None
        if idle and turn.asked:
            if not turn.opened and r.step not in {"home", "merge"}:
                out.append(_pass(turn.code))
            turn.opened = turn.opened or r.step != "home"
            turn.closed = turn.closed or r.step == "acquire" or entry.action.verb == "merge"
        written = writer.write(s, entry.seat, entry.action)
        TITLE.apply(s, TITLE.check(s, entry.seat, entry.action), lambda _: None)
        if written is not None:
            out.append({name: value for name, value in written.items() if name not in OUR_FIELDS})
    return [{**action, "id": number} for number, action in enumerate(out, 1)]


def _pass(code):
    return {"type": "pass", "entity": code, "entity_type": "corporation"}


def site_file(setup, actions, **changed):
    """Return the bytes of a file of the site with these actions."""
    players = [{"id": seat + 1, "name": f"P{seat}"} for seat in range(setup.seats)]
    file = {"id": 7, "title": "1862", "players": players, "settings": {"seed": setup.seed, "optional_rules": []}}
    return json.dumps({**file, "actions": actions, **changed}).encode()
