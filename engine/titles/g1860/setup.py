"""Dealing a game: cash, lots, charters, the board."""

from engine.errors import RuleError
from engine.rails.board import Board
from engine.setup import Setup
from engine.titles.g1860.catalogue import CHARTERS, LOTS, PLAYERS, PRIVATES, TRAINS, load_map, rule
from engine.titles.g1860.rules import Rules, read_options
from engine.titles.g1860.state import ASIDE, BANK, Auction, Company, State


def deal(setup: Setup, rules: Rules | None = None, kind: type[State] = State) -> State:
    """Return the state a game begins with; 1860 needs no chance.

    Args:
        setup: of the game.
        rules: the switches, where they are not just those of its options.
        kind: of state, where it is another.

    Raises:
        RuleError: the number of players or the options are not allowed.
    """
    if setup.seats not in PLAYERS.cash:
        raise RuleError(f"1860 is for two to four players, not {setup.seats}.", rule("Starting Money"))
    rules = rules or read_options(setup)
    reserved = {private.railway for private in PRIVATES.values()}
    return kind(
        rules=rules,
        seats=setup.seats,
        cash=[PLAYERS.cash[setup.seats]] * setup.seats,
        privates={code: BANK if private.railway else ASIDE for code, private in PRIVATES.items()},
        companies={
            code: Company(code, [0] * setup.seats, reserved=code in reserved, unplaced=len(charter.base_costs))
            for code, charter in CHARTERS.items()
        },
        board=Board(load_map(rules.map)),
        depot={name: 2 if name == "7+4" and rules.two_7_4 else kind.count for name, kind in TRAINS.items()},
        returned=[],
        round=Auction(list(LOTS)),
    )
