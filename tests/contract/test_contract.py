"""What every title on the shelf must keep to, in every position that play reaches."""

import contextlib
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from engine import TITLES, Action, Game, Request, Rng, RuleError, Setup
from engine.codec import decode_action, decode_entry, decode_file, encode_action, encode_entry, encode_file
from engine.titles.g1862.actions import BuyShare
from engine.words import list_parameters, read_action, understand, write_parameters
from tests.contract.walks import MAX_MOVES_WITH_OPTION, SHELF, Way, builtins, ident, of, positions, refusal, ways
from tests.support.sure import sure

WAYS = ways()


def ends(way: Way) -> None:
    """Sensible play comes to an end with a result."""
    game = of(way)
    if way[1].options and not game.ended:
        assert len(game.said) == MAX_MOVES_WITH_OPTION
        return
    assert game.ended
    result = TITLES[way[0]].result(game.last)
    assert result is not None
    assert sorted(score.seat for score in result.scores) == list(range(game.setup.seats))
    assert [score.total for score in result.scores] == sorted((score.total for score in result.scores), reverse=True)
    assert result.winners


def offers(way: Way, count: int) -> None:
    """Options ⊆ check, without doublets; and nothing is offered to those who do not act."""
    title = TITLES[way[0]]
    for state, _, _ in positions(way, count):
        for seat in range(way[1].seats):
            legal = list(title.legal(state, seat))
            if seat not in title.actors(state):
                assert not legal
            assert len(set(legal)) == len(legal)
            for action in legal:
                assert refusal(title, state, seat, title.spell_out(state, seat, action)) is None, action
        assert any(list(title.legal(state, seat)) for seat in title.actors(state)), "somebody can act"


def can_do_what_is_offered(way: Way) -> None:
    """Apply never fails after check, and leaves the state it was given a copy of alone."""
    title, rng = TITLES[way[0]], Rng(1)
    for state, seat, _ in positions(way, 8):
        before = builtins(state)
        legal = list(title.legal(state, seat))
        for action in rng.shuffle(legal)[:4]:
            copy = title.clone(state)
            title.apply(copy, title.check(copy, seat, title.spell_out(copy, seat, action)), lambda _: None)
        assert builtins(state) == before


def variants(action: Action, pool: dict[type, list[Any]], rng: Rng) -> Iterator[Action]:
    """Yield the action with one field changed: to values seen elsewhere, and to strange ones."""
    for field in msgspec.structs.fields(type(action)):
        value = getattr(action, field.name)
        others: list[object]
        if isinstance(value, int):
            others = [value + 1, value - 1, value + 5, value * 10, 0, -1, 10**9]
        elif get_args(field.type):
            others = list(get_args(field.type))
        else:
            others = [*rng.shuffle(pool[str])[:3], "", "nowhere", "é" * 99]
        for other in others:
            if other != value:
                yield msgspec.structs.replace(action, **{field.name: other})


def refuses(way: Way, count: int) -> None:
    """Check ⊆ options where all are listed: an action changed so that it is not offered is refused.

    The refusal is a sentence with a rule; asking leaves no trace; no one else may do it either.
    """
    title, rng = TITLES[way[0]], Rng(2)
    pool: dict[type, list[Any]] = {str: sorted({
        value for entry in of(way).said for value in map(str, msgspec.structs.astuple(entry.action))
    })}  # fmt: skip
    for state, seat, done in positions(way, count):
        legal = set(title.legal(state, seat))
        before = title.clone(state)
        samples = [done, *rng.shuffle(sorted(legal, key=repr))[:2]]
        for kind in rng.shuffle(title.actions)[:4]:
            samples.append(next((entry.action for entry in of(way).said if type(entry.action) is kind), done))
        for sample in samples:
            if sample.verb in title.open_verbs or not sample.verb:
                continue
            for action in (sample, *variants(sample, pool, rng)):
                why = refusal(title, state, seat, action)
                if why is None and _is_read_but_not_offered(way, action):
                    continue
                assert (why is None) == (action in legal), (action, why)
                if why:
                    assert why.sentence.endswith("."), why
                    assert why.rule.section
                    assert len(why.sentence) < 400
        assert state == before


def _is_read_but_not_offered(way: Way, action: Action) -> bool:
    """Return whether files of 18xx.games have it, and its own players are not offered it (1862: differences 81)."""
    name, setup = way[:2]
    return name == "1862" and setup.options.get("profile") == "18xx.games" and isinstance(action, BuyShare)


def refuses_whoever_is_not_asked(way: Way) -> None:
    """No one acts out of turn."""
    title = TITLES[way[0]]
    for state, _, action in positions(way, 40):
        for seat in range(-1, way[1].seats + 1):
            if seat not in title.actors(state):
                assert refusal(title, state, seat, action) is not None


def mutable(value: object) -> Iterator[object]:
    """Yield every part of a value that could be changed."""
    if isinstance(value, msgspec.Struct):
        if not value.__struct_config__.frozen:
            yield value
        for part in msgspec.structs.astuple(value):
            yield from mutable(part)
    elif isinstance(value, dict):
        yield value
        for part in value.values():
            yield from mutable(part)
    elif isinstance(value, (list, tuple, set)):
        if not isinstance(value, tuple):
            yield value
        for part in value:
            yield from mutable(part)


def clones(way: Way) -> None:
    """A clone is equal and shares nothing mutable."""
    title = TITLES[way[0]]
    for state, _, _ in positions(way, 10):
        copy = title.clone(state)
        assert copy == state
        assert builtins(copy) == builtins(state)
        assert not {id(part) for part in mutable(state)} & {id(part) for part in mutable(copy)}


def stores(way: Way) -> None:
    """Encode∘decode is the identity, of actions and of files; a replay leads to the same state."""
    game = of(way)
    for entry in game.said:
        assert decode_action(way[0], encode_action(entry.action)) == entry.action
        assert decode_entry(way[0], entry.seat, encode_entry(entry)) == entry
    log = game.said
    setup, again = decode_file(encode_file(game.setup, log))
    assert (setup, tuple(again)) == (game.setup, log)
    assert Game.replay(setup, again).state == game.last


@pytest.mark.parametrize("way", [way for way in WAYS if way[1].options], ids=ident)
def test_a_game_with_an_option(way: Way) -> None:
    """Every value of every lobby option is played to the end, under the whole contract."""
    ends(way)
    offers(way, 8)
    refuses(way, 6)
    stores(way)


def goes_back_and_on(way: Way) -> None:
    """Undo leads to the position that was; redo brings back; a play after undo forgets; nothing is deleted."""
    game = Game.replay(of(way).setup, of(way).said[:40])
    back = game.undo(0, 25)
    assert back.state == game.at(25).state
    assert len(back.log) == 41
    assert back.redo(0).state == game.state
    with pytest.raises(RuleError):
        game.redo(0)
    seat = back.actors[0]
    title = TITLES[way[0]]
    on = back.play(seat, next(iter(title.legal(back.state, seat)))).game
    with pytest.raises(RuleError):
        on.redo(0)
    assert Game.replay(on.setup, on.log).state == on.state


def keeps_what_it_was_when_it_refuses(way: Way) -> None:
    """A refused action changes nothing."""
    game = Game.replay(of(way).setup, of(way).said[:30])
    before = builtins(game.state)
    for kind in TITLES[way[0]].actions:
        for seat in range(way[1].seats):
            sample = next((entry.action for entry in of(way).said if type(entry.action) is kind), None)
            if sample is not None and (seat not in game.actors or sample not in game.legal(seat)):
                with contextlib.suppress(RuleError):
                    game.play(seat, sample)
                assert builtins(game.state) == before


def finds_words_that_fit(way: Way) -> None:
    """Labels at most 100 characters, buttons 80, pings short, lines few; said and understood alike."""
    title = TITLES[way[0]]
    for state, seat, _ in positions(way, 10):
        legal = list(title.legal(state, seat))
        for action in legal[:60]:
            if action.verb not in title.open_verbs:
                assert read_action(type(action), write_parameters(action)) == action
                assert understand(title.actions, action.verb, write_parameters(action), legal) == action
            for parameter in list_parameters(type(action)):
                assert 0 < len(title.words.label(state, action, parameter.name)) <= 100
        assert sorted(map(repr, title.advice.usual(state, seat, legal))) == sorted(map(repr, legal)), (
            "in another order only"
        )
        tips = title.advice.tips(state, seat)
        assert len(tips) <= 25
        for tip in tips:
            assert 0 < len(tip.label) <= 80
            for action in (tip.action, tip.short or tip.action):
                assert refusal(title, state, seat, title.spell_out(state, seat, action)) is None
        assert not all(tip.proven for tip in tips) or list(title.advice.prove(state, seat, tips, 0)) == list(tips)
        ask = title.words.ask(state)
        assert set(ask.seats) <= set(title.actors(state))
        assert ask.seats, "somebody is asked, as long as anybody may act"
        assert ask.headline
        assert len(ask.headline) <= 100
        assert 0 < len(ask.kind) <= 40
        assert len(ask.lines) <= 6
        assert {*ask.rules} <= {topic for _, topic, _ in title.words.rules(way[1].options)}
        assert all(0 < len(line) <= 300 for line in ask.lines)


def has_a_sentence_for_every_fact(way: Way) -> None:
    """Every fact has its sentence."""
    title = TITLES[way[0]]
    names = tuple(f"<{seat}>" for seat in range(way[1].seats))
    for events in of(way).told:
        for event in events:
            sentence = title.words.say(event, names)
            assert sentence.endswith((".", ")", "!")), sentence
            assert 0 < len(sentence) < 400


def shows_pictures_to_anybody(way: Way) -> None:
    """Every picture for every seat and a bystander, with words for those who cannot see it."""
    title = TITLES[way[0]]
    for state, _, _ in positions(way, 8):
        for picture in title.views.pictures:
            subjects = [value for value, _ in title.views.subjects(state, picture.about)] if picture.about else [""]
            for about in subjects[:3]:
                for seat in (None, 0):
                    view = title.views.look(state, Request(picture.name, seat, about, ("Ann", "Bob")))
                    assert 0 < len(view.alt) <= 1024, picture.name
        with pytest.raises(RuleError):
            title.views.look(state, Request("no such picture"))


def shows_pictures_of_the_end(way: Way) -> None:
    """Pictures can be looked at when the game is over."""
    title, state = TITLES[way[0]], of(way).last
    for picture in title.views.pictures:
        about = next((value for value, _ in title.views.subjects(state, picture.about)), "") if picture.about else ""
        assert title.views.look(state, Request(picture.name, None, about, ("Ann", "Bob"))).alt


def illustrates_choices(way: Way) -> None:
    """Choices of every kind can be illustrated."""
    title = TITLES[way[0]]
    for state, seat, _ in positions(way, 8):
        legal = list(title.legal(state, seat))
        for kind in {type(action) for action in legal}:
            title.views.illustrate(state, Request(seat=seat), [action for action in legal if type(action) is kind][:25])


@pytest.mark.parametrize("way", [way for way in WAYS if not way[1].options], ids=ident)
def test_a_plain_game(way: Way) -> None:
    """A game without options, few, some or many at the table, keeps to every claim; one test, for it is played once."""
    if way[2]:
        ends(way)
    stores(way)
    offers(way, 12)
    refuses(way, 8)
    for claim in (
        can_do_what_is_offered, refuses_whoever_is_not_asked, clones, goes_back_and_on, has_a_sentence_for_every_fact,
        keeps_what_it_was_when_it_refuses, finds_words_that_fit, shows_pictures_to_anybody, shows_pictures_of_the_end,
        illustrates_choices,
    ):  # fmt: skip
        claim(way)


@pytest.mark.parametrize("name", list(SHELF))
def test_commands_fit_discord(name: str) -> None:
    """25 subcommands, 25 parameters and choices, 100 characters of description at most; docstrings there."""
    title = TITLES[name]
    kinds = [kind for kind in title.actions if kind.verb]
    assert len({kind.verb for kind in kinds}) <= 25
    for kind in kinds:
        first = (kind.__doc__ or "").splitlines()[0]
        assert 0 < len(first) <= 100
        assert kind.verb == kind.verb.lower()
        assert len(kind.verb) <= 32
        for parameter in list_parameters(kind):
            assert 0 < len(parameter.help) <= 100, (kind, parameter)
            assert len(parameter.name) <= 32
    for verb in {kind.verb for kind in kinds}:
        same = [kind for kind in kinds if kind.verb == verb]
        assert len({sure(kind.__doc__).splitlines()[0] for kind in same}) == 1, "one description a subcommand"
    tags = [kind.__struct_config__.tag for kind in title.actions]
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize("name", list(SHELF))
def test_lobby_options_fit_discord(name: str) -> None:
    for option in TITLES[name].options:
        assert option.name == option.name.lower()
        assert 0 < len(option.label) <= 45
        assert option.help.endswith(".")
        assert 1 <= len(option.values) <= 25
        for value, words in option.values:
            assert 0 < len(value) <= 100
            assert 0 < len(words) <= 100


@pytest.mark.parametrize("name", list(SHELF))
def test_setups_are_refused_politely(name: str) -> None:
    title = TITLES[name]
    low, high = title.seats
    for seats, options in ((low - 1, {}), (high + 1, {}), (low, {"nonsense": "on"}), (-5, {}), (10**6, {})):
        with pytest.raises(RuleError) as refusal_:
            Game.new(Setup(name, seats, options))
        assert refusal_.value.sentence.endswith(".")
