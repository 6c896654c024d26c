"""A table's set-up: lobby options, the board, the first position. Rules 1.1 to 1.6."""

from collections.abc import Sequence

from engine import options
from engine.errors import RuleError
from engine.rng import Rng
from engine.rulebook import read_rules
from engine.title import LobbyOption, Options, Setup, own_file
from engine.titles.steel_driver.board import GOODS, Board, BoardError, read_board, shipped
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.rulebook import SETUP
from engine.titles.steel_driver.state import COMPANIES, Choices, Company, State

SEATS = (3, 6)

OPTIONS = (
    LobbyOption(
        "board",
        "Board",
        "The shipped board is a reconstruction: the printed values, routes and costs are not published. "
        "A group that owns the game can put its own file into the folder boards, beside the database.",
        (("shipped", "a reconstruction, not the printed one"),),
        "boards/*.toml",
    ),
    LobbyOption(
        "first",
        "First holder of the marker",
        "Who holds the Active Player marker at the start; the rulebook says the youngest player.",
        (("drawn", "drawn by lot"), ("host", "the player in the first seat")),
    ),
    LobbyOption(
        "line",
        "Ties for the transcontinental link",
        "Which links are counted when two lines need equally few companies.",
        (("all", "all links of the line"), ("differing", "only links of companies not common to all such lines")),
    ),
    LobbyOption(
        "claims",
        "Order of claiming goods",
        "Which order of play of turn 5 is meant for the final determination.",
        (("passed", "the order in which companies passed"), ("played", "the order in which turn 5 was played")),
    ),
    LobbyOption(
        "tie",
        "Ties for the win",
        "Which goods cubes decide between players with equal cash.",
        (("total", "all cubes of the companies you control"), ("best", "the cubes of your best company")),
    ),
)


def deal(setup: Setup) -> State:
    """Return the first position of a game.

    ``setup.options["board"]`` is "shipped", or an ``OwnFile`` with the TOML text
    of a board, so that a log carries all it needs.

    Raises:
        RuleError: the number of seats, an option or the board is not allowed.
    """
    if not SEATS[0] <= setup.seats <= SEATS[1]:
        raise RuleError(f"Steel Driver is for 3 to 6 players, not {setup.seats}.", SETUP)
    chosen = options.chosen(OPTIONS, setup.options, "Steel Driver", SETUP)
    state = State(
        board=_board(chosen["board"]),
        choices=Choices(chosen["line"] == "all", chosen["claims"] == "passed", chosen["tie"] == "total"),
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


def rules(given: Options) -> Sequence[tuple[str, str, str]]:
    """Return the rules in our own words, with the ends of the transcontinental link on the board of these options."""
    value = given.get("board", "")
    board = _board(value) if own_file(value) else shipped()
    west, east = (board.places[end].name for end in board.ends)
    return [(section, heading, text.format(west=west, east=east)) for section, heading, text in read_rules(__package__)]


def _board(value: str) -> Board:
    """Return the shipped board, or the group's own."""
    own = own_file(value)
    if own is None:
        return shipped()
    try:
        return read_board(own.text, own.name or "your board")
    except BoardError as cause:
        where = f"{cause.file}, {cause.place}" if cause.place else cause.file
        raise RuleError(f"This board cannot be played on: {where}: {cause.reason}.", SETUP) from None
