"""What must hold in every position, found by playing at random and by sense."""

from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import Action, Event
from engine.codec import decode_file, encode_file
from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.game import Game
from engine.setup import Rng, Setup
from engine.titles.steel_driver import TITLE, events
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.state import State
from engine.words import list_parameters, read_action, understand, write_parameters
from tests.engine.titles.steel_driver.positions import mutables
from tests.support.sure import sure

GAMES = settings(max_examples=12, deadline=None)
seeds = st.integers(0, 2**32)
tables = st.integers(3, 6)


def everything_sayable(state: State) -> Iterator[Action]:
    """Yield every action of every verb, allowed or not, with amounts around the limits."""
    most = max(state.cubes) + 2
    yield Pass()
    yield from (Raise(amount) for amount in range(-1, most))
    yield from (Open(company, amount) for company in state.board.ids for amount in range(-1, most))
    for route in state.board.routes:
        a, b = state.board.places[route.a].id, state.board.places[route.b].id
        yield Build(a, b)
        yield Build(b, a)
    yield from (Claim(place.id) for place in state.board.places)


def list_allowed(state: State, seat: int) -> set[Action]:
    """Return the actions that ``check`` lets through."""
    found, refusals = set(), set()
    for action in everything_sayable(state):
        try:
            TITLE.check(state, seat, action)
        except RuleError as refusal:
            refusals.add(refusal.sentence)
        else:
            found.add(action)
    assert all(sentence.endswith(".") for sentence in refusals)
    return found


def walk(seats: int, seed: int, *, sense: bool) -> Iterator[tuple[State, int, list[Event]]]:
    """Yield every position of a game with the seat to act and what was told before it."""
    rng = Rng(seed)
    told: list[Event] = []
    state = TITLE.deal(Setup("steel_driver", seats, {}, seed))
    while TITLE.actors(state):
        (seat,) = TITLE.actors(state)
        yield state, seat, told
        action = TITLE.advice.choose(state, seat, rng) if sense else rng.choose(list(TITLE.legal(state, seat)))
        told.clear()
        TITLE.apply(state, TITLE.check(state, seat, action), told.append)
    yield state, -1, told


@GAMES
@given(tables, seeds)
def test_legal_is_exactly_what_check_allows(seats: int, seed: int) -> None:
    for number, (state, seat, _) in enumerate(walk(seats, seed, sense=seed % 2 == 0)):
        if seat >= 0 and number % 9 == 0:
            legal = list(TITLE.legal(state, seat))
            assert len(legal) >= 2, "a single choice is made without asking"
            assert len(set(legal)) == len(legal)
            assert set(legal) == list_allowed(state, seat)
            assert not list(TITLE.legal(state, (seat + 1) % seats))


@GAMES
@given(tables, seeds)
def test_cubes_links_shares_and_cash_are_conserved(seats: int, seed: int) -> None:
    taken = spent = earned = 0
    for state, _, told in walk(seats, seed, sense=True):
        for event in told:
            if isinstance(event, events.CubesTaken):
                taken += seats * event.each
            elif isinstance(event, events.LinkBuilt):
                spent += event.cost
            elif isinstance(event, events.ProfitTaken) and event.seat >= 0:
                earned += event.amount
            elif isinstance(event, events.SharesPaid):
                earned += sum(dollars for _, _, dollars in event.to)
        taken = taken or sum(state.cubes)
        if state.phase in ("auction", "build"):
            assert sum(state.cubes) + sum(company.treasury for company in state.companies) == taken - spent
        assert sum(state.cash) == earned
        for number, company in enumerate(state.companies):
            assert company.links == 17 - state.owner.count(number)
            assert sum(company.shares) <= state.turn <= 5
            assert company.treasury >= 0
        assert min(state.cubes) >= 0


@GAMES
@given(tables, seeds)
def test_networks_are_connected_and_score_once(seats: int, seed: int) -> None:
    scored: set[tuple[str, str]] = set()
    for _, _, told in walk(seats, seed, sense=False):
        for event in told:
            if isinstance(event, events.LinkBuilt):
                place = (event.company, event.destination)
                assert event.value == 0 or place not in scored
                scored.add(place)
                if event.first:
                    scored.add((event.company, event.origin))
                else:
                    assert (event.company, event.origin) in scored


@GAMES
@given(tables, seeds)
def test_a_clone_is_equal_and_shares_nothing_mutable(seats: int, seed: int) -> None:
    for number, (state, _, _) in enumerate(walk(seats, seed, sense=True)):
        if number % 20 == 0:
            copy = state.clone()
            assert copy == state
            assert not {id(part) for part in mutables(state)} & {id(part) for part in mutables(copy)}


@GAMES
@given(tables, seeds)
def test_a_game_is_stored_and_replayed_alike(seats: int, seed: int) -> None:
    setup = Setup("steel_driver", seats, {}, seed)
    game, rng = Game.new(setup), Rng(seed)
    while game.actors:
        (seat,) = game.actors
        before = game.state.clone()
        after = game.play(seat, TITLE.advice.choose(game.state, seat, rng)).game
        assert game.state == before, "a game is a value"
        game = after
    again = Game.replay(*decode_file(encode_file(setup, game.log)))
    assert (again.state, again.log) == (game.state, game.log)
    assert game.at(len(game.line) // 2).state == game.undo(0, len(game.line) // 2).state


@GAMES
@example(4, 6544925)  # where a company has more to tell than a choice can hold
@given(tables, seeds)
def test_every_action_is_said_and_understood_alike(seats: int, seed: int) -> None:
    for number, (state, seat, _) in enumerate(walk(seats, seed, sense=True)):
        if seat >= 0 and number % 9 == 0:
            legal = list(TITLE.legal(state, seat))
            for action in legal:
                assert read_action(type(action), write_parameters(action)) == action
                assert understand(TITLE.actions, action.verb, write_parameters(action), legal) == action
                for parameter in list_parameters(type(action)):
                    assert 0 < len(TITLE.words.label(state, action, parameter.name)) <= 100
                assert 0 < len(TITLE.words.label(state, action, "")) <= 80
            for tip in TITLE.advice.tips(state, seat):
                assert tip.action in legal
                assert len(tip.label) <= 80
            ask = TITLE.words.ask(state)
            assert ask.seats == (seat,)
            assert len(ask.lines) <= 6
            assert all(len(line) <= 200 for line in ask.lines)


@GAMES
@given(tables, seeds)
def test_every_fact_has_its_sentence(seats: int, seed: int) -> None:
    names = tuple(f"<{seat}>" for seat in range(seats))
    kinds = set()
    for _, _, told in walk(seats, seed, sense=True):
        for event in told:
            sentence = TITLE.words.say(event, names)
            assert sentence.endswith((".", ")."))
            assert len(sentence) < 400
            kinds.add(type(event))
    assert events.GameEnded in kinds


@GAMES
@given(tables, seeds)
def test_the_score_is_the_sum_of_its_parts(seats: int, seed: int) -> None:
    *_, (state, _, _) = walk(seats, seed, sense=True)
    result = sure(TITLE.result(state))
    assert {score.seat for score in result.scores} == set(range(seats))
    assert all(score.total == sum(part for _, part in score.parts) for score in result.scores)
    assert result.winners
    assert result.scores[0].seat in result.winners
