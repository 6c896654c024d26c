"""A table's set-up: the board, the first position."""

from collections.abc import Sequence

from engine.errors import RuleError
from engine.printed import read_rules
from engine.setup import Options, Rng, Setup, choose_options, read_own_file
from engine.titles.steel_driver.board import GOODS, BoardError, PrintedBoard, load_shipped_board, read_board
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.rules import OPTIONS, SEATS, TAKING_CUBES, THE_BOARD, read_options
from engine.titles.steel_driver.state import COMPANIES, Company, State


def deal(setup: Setup) -> State:
    """Return the first position of a game.

    ``setup.options["board"]`` is "shipped", or an ``OwnFile`` with the TOML text
    of a board, so that a log carries all it needs.

    Raises:
        RuleError: the number of seats, an option or the board is not allowed.
    """
    if not SEATS[0] <= setup.seats <= SEATS[1]:
        raise RuleError(f"Steel Driver is for 3 to 6 players, not {setup.seats}.", TAKING_CUBES)
    chosen = choose_options(OPTIONS, setup.options, "Steel Driver")
    state = State(
        board=_choose_board(chosen["board"]),
        rules=read_options(chosen),
        seats=setup.seats,
        marker=0 if chosen["first"] == "host" else Rng(setup.seed).below(setup.seats),
        cash=[0] * setup.seats,
        cubes=[0] * setup.seats,
        earned=[0] * setup.seats,
        companies=[Company([0] * setup.seats, [0] * len(GOODS)) for _ in range(COMPANIES)],
        order=list(range(COMPANIES)),
        owner=[],
        history=[[0] * setup.seats],
        passed=[],
        played=[],
    )
    state.owner = [-1] * len(state.board.routes)
    turn.begin(state)
    return state


def list_rules(given: Options) -> Sequence[tuple[str, str, str]]:
    """Return the rules in our own words, with the ends of the transcontinental link on the board of these options."""
    value = given.get("board", "")
    board = _choose_board(value) if read_own_file(value) else load_shipped_board()
    west, east = (board.places[end].name for end in board.ends)
    return [(section, topic, text.format(west=west, east=east)) for section, topic, text in read_rules(__package__)]


def _choose_board(value: str) -> PrintedBoard:
    """Return the shipped board, or the group's own."""
    own = read_own_file(value)
    if own is None:
        return load_shipped_board()
    try:
        return read_board(own.text, own.name or "your board")
    except BoardError as cause:
        where = f"{cause.file}, {cause.place}" if cause.place else cause.file
        raise RuleError(f"This board can't be used: {where}: {cause.reason}.", THE_BOARD) from None
