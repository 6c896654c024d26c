"""What the rules are asked, each question a task of a worker."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby

import msgspec

from bot.model.orders import Order, OrderWish, replaces
from bot.model.records import Choice
from bot.model.seating import count_moves_at_last_turn
from bot.model.standing import Facts, read_facts
from bot.service.decisions import get_meaning
from bot.service.orders import SAME_PRESS, Chain, ChainMove, list_offers, resolve_order
from bot.service.workers.choices import (
    TipRow,
    add_choices,
    can_mark_changes,
    decode_tips,
    mark_changes,
    read_signs,
)
from bot.service.workers.jobs import Held, Task
from engine import Action, Event, Game, Played, Record, Request, RuleError, Setup
from engine.codec import decode_action, encode_action, encode_entry
from engine.fuzzy import capitalise_hex, find_meant, restore_code, strip_currency
from engine.game import TURN
from engine.title import explain_not_now, insert_names, insert_names_in_refusals
from engine.view import AnyView, View
from engine.words import (
    Label,
    WordingError,
    list_completions,
    list_parameters,
    merge_repeats,
    understand,
    write_command,
    write_parameters,
)

PROGRAM_MARK = "⚙ "
MAX_BIDS_TOLD = 2
"""Sentences of a raise war of orders; if there are more, it is told in one."""
MAX_GAINS = 12
"""Moves of a completion whose best runs are looked for."""


class Wish(Record, frozen=True):
    """A move that a player wants to make.

    Args:
        seats: that may make it; the first that can does.
        names: of the players, for what is told.
        verb, words: as typed, or empty. action: JSON, where nothing was typed.
        rest: moves of the same seat that are made with it, all or none; JSON.
        adviser, tips: for whom shorthand means the move its button tells of, and which.
        orders: that hold at the table, to be followed after it.
    """

    seats: tuple[int, ...]
    names: tuple[str, ...]
    verb: str = ""
    words: Mapping[str, str] = {}
    action: bytes = b""
    rest: tuple[bytes, ...] = ()
    adviser: int = -1
    tips: tuple[TipRow, ...] = ()
    orders: tuple[Order, ...] = ()


class FurtherMove(Record, frozen=True):
    """A move made after another: by which seat, its entry of the log, what is told, and the program that made it."""

    seat: int
    said: bytes
    told: tuple[str, ...]
    made_by: str


class MadeMove(Record, frozen=True):
    """A move that can be made: by which seat, its entry of the log, what is told of it and where it leads.

    With it come the moves that are made with it or follow it by themselves, and the orders that are others then.
    """

    seat: int
    said: bytes
    told: tuple[str, ...]
    facts: Facts
    further: tuple[FurtherMove, ...] = ()
    orders: tuple[Order, ...] = ()


class OrderToSet(Record, frozen=True):
    """A standing order that is set just now, to be followed from a position on with those that hold."""

    names: tuple[str, ...]
    new: Order
    orders: tuple[Order, ...]


class Followed(Record, frozen=True):
    """What came of it: the order as it was set, the moves, the orders that changed, where it leads."""

    new: Order | None
    further: tuple[FurtherMove, ...]
    orders: tuple[Order, ...]
    facts: Facts


class UndoAsked(Record, frozen=True):
    """Take moves back until ``to`` are in force; with ``None`` bring back what the last undo took."""

    seat: int
    to: int | None


class ValuesAsked(Record, frozen=True):
    """A parameter of a verb whose values are asked for, given the words so far; ``names`` of the players."""

    seats: tuple[int, ...]
    verb: str
    words: Mapping[str, str]
    parameter: str
    names: tuple[str, ...] = ()


class PictureAsked(Record, frozen=True):
    """A picture to be looked at: now or ``at`` so many moves, with what is new ``since`` so many.

    Where ``since`` is ``None``, what is new since the viewer's last turn. With an ``entry`` of the log, the position
    as it was after that, with what it made new.
    """

    request: Request
    at: int | None = None
    since: int | None = None
    entry: int | None = None


def _get_facts(held: Held, _: None) -> Facts:
    return read_facts(held.game)


def _deal(_: None, setup: Setup) -> Facts:
    return read_facts(Game.new(setup))


def try_move(held: Held, wish: Wish) -> MadeMove:
    """Try a move for each seat that may make it; the refusal of the last one counts."""
    for seat in wish.seats[:-1]:
        try:
            return _try_seat(held, wish, seat)
        except (RuleError, WordingError):
            continue
    with insert_names_in_refusals(wish.names):
        return _try_seat(held, wish, wish.seats[-1])


def _try_seat(held: Held, wish: Wish, seat: int) -> MadeMove:
    game = held.game
    action = _read_action(held, wish, seat)
    try:
        played = game.play(seat, action)
    except RuleError as refusal:
        raise _add_example(held, wish, seat, action, refusal) from None
    told = _describe_events(played, wish.names)
    said = encode_entry(played.game.log[-1])
    rest, events = list[FurtherMove](), played.events
    for each in wish.rest:
        played = played.game.play(seat, decode_action(game.title.id, each))
        entry, sentences = encode_entry(played.game.log[-1]), _describe_events(played, wish.names)
        rest.append(FurtherMove(seat, entry, sentences, SAME_PRESS))
        events += played.events
    chain = Chain(played.game, wish.orders, events)
    chain.run()
    held.remember_tried(chain.game)
    further = (*rest, *list_further(chain, wish.names))
    return MadeMove(seat, said, told, read_facts(chain.game), further, _list_changed_orders(chain, wish.orders))


def _add_example(held: Held, wish: Wish, seat: int, action: Action, refusal: RuleError) -> RuleError:
    """Return the refusal with a move that would be taken: of moves that are typed freely, or not typed to the end."""
    title = held.game.title
    tips = decode_tips(title.id, wish.tips) if action.verb in title.open_verbs else ()
    example = next((tip.action for tip in tips if type(tip.action) is type(action) and tip.action != action), None)
    if wish.verb and not {each.name for each in list_parameters(type(action))} <= wish.words.keys():
        example = example or next((each for each in held.list_legal(seat) if type(each) is type(action)), None)
    if example is None:
        return refusal
    return RuleError(f"{refusal.sentence} For example: {write_command(example)}", refusal.rule)


def _describe_events(played: Played, names: Sequence[str]) -> tuple[str, ...]:
    return merge_repeats(played.game.title.words.say(event, names) for event in played.events)


def _set_order(held: Held, wished: OrderToSet) -> Followed:
    """Set an order in the place of one like it, and follow all orders from here on.

    Raises:
        RuleError: it could do nothing, or stops at once.
    """
    with insert_names_in_refusals(wished.names):
        new = resolve_order(held.game, wished.new)
        orders = (*(order for order in wished.orders if not replaces(new, order)), new)
        chain = Chain(held.game, orders)
        chain.run()
        after = chain.orders[new.id]
        if after.state != "active" and not chain.moves:
            raise RuleError(after.reason, TURN)
    held.remember_tried(chain.game)
    return Followed(new, list_further(chain, wished.names), _list_changed_orders(chain, orders), read_facts(chain.game))


def _list_orderable(held: Held, _: None) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return what orders can be about, and which steps they can pass, each with its words."""
    known = held.game.title.orders
    return ((), ()) if known is None else (known.companies(held.game.state), tuple(known.passes.items()))


def _list_order_offers(held: Held, seat: int) -> list[OrderWish]:
    return list_offers(held.game, seat)


def list_further(chain: Chain, names: tuple[str, ...]) -> tuple[FurtherMove, ...]:
    """Return the moves of a chain as they are stored and told; a raise war of orders is told with its last bid."""
    found = list[FurtherMove]()
    for lot, moves in groupby(chain.moves, lambda move: move.lot):
        war = [*moves]
        each = [note_further(move.game, move.seat, move.events, names, move.made_by) for move in war]
        is_war = lot and len(war) > 1 and sum(len(move.told) for move in each) > MAX_BIDS_TOLD
        found += _fold_war(each, war, names) if is_war else each
    return tuple(found)


def _fold_war(each: list[FurtherMove], war: Sequence[ChainMove], names: tuple[str, ...]) -> list[FurtherMove]:
    """Return the moves of a raise war with all of it told in one sentence, with the last; the others tell nothing."""
    game = war[-1].game
    bidding, say = get_meaning(game).bidding, game.title.words.say
    if bidding is None:
        return each
    told = _mark(bidding.fold([event for move in war for event in move.events], lambda event: say(event, names), names))
    replace = msgspec.structs.replace
    return [*(replace(move, told=()) for move in each[:-1]), replace(each[-1], told=told)]


def _mark(told: Iterable[str]) -> tuple[str, ...]:
    """Return sentences with the mark of moves that no person made."""
    return tuple(f"{PROGRAM_MARK}{sentence}" if sentence else "" for sentence in told)


def note_further(after: Game, seat: int, events: Sequence[Event], names: tuple[str, ...], made_by: str) -> FurtherMove:
    """Return the last move of a game, which no person made, as it is stored; what is told of it has a mark."""
    told = merge_repeats(after.title.words.say(event, names) for event in events)
    return FurtherMove(seat, encode_entry(after.log[-1]), _mark(told), made_by)


def _list_changed_orders(chain: Chain, before: Sequence[Order]) -> tuple[Order, ...]:
    return tuple(order for order, old in zip(chain.orders.values(), before, strict=True) if order != old)


def _read_action(held: Held, wish: Wish, seat: int) -> Action:
    """Return the action of a wish, shorthand as its button tells it."""
    title = held.game.title
    action = decode_action(title.id, wish.action) if wish.action else _parse_action(held, wish, seat)
    tips = decode_tips(title.id, wish.tips) if seat == wish.adviser else ()
    return next((tip.action for tip in tips if tip.short == action), action)


def _parse_action(held: Held, wish: Wish, seat: int) -> Action:
    """Return the action that typed words mean; out of turn, it need not be legal.

    Raises:
        WordingError: the words cannot be read.
    """
    title, legal, called = held.game.title, held.list_legal(seat), _get_label(held, wish.names)
    words = _tidy_words(wish)
    forgive = partial(find_meant, label=called)
    if find_meant(wish.verb, words, legal, called) is None:
        known = [each for kind in ("company", "hex") for each in title.views.subjects(held.game.state, kind)]
        signs = read_signs(held, seat, wish.verb, words)
        codes = {name: restore_code(word, known) for name, word in signs.items()}
        with suppress(WordingError):  # then it is told in the words that were typed
            return understand(title.actions, wish.verb, codes, legal, forgive, called)
    try:
        return understand(title.actions, wish.verb, words, legal, forgive, called)
    except WordingError:
        kind = next((each for each in title.actions if each.verb and each.verb == wish.verb), None)
        if kind is None or not legal or any(action.verb == wish.verb for action in legal):
            raise
        sentence = explain_not_now(kind, held.game.ask().insert_names(wish.names), [*map(type, legal)])
        raise WordingError(f"{sentence} For example: {write_command(legal[0], called)}") from None


def _get_label(held: Held, names: Sequence[str]) -> Label:
    """Return what gives the words of a value on a menu."""
    label, state = held.game.title.words.label, held.game.state
    return lambda action, name: insert_names(label(state, action, name), names)


def _tidy_words(wish: Wish) -> Mapping[str, str]:
    """Return typed words with hexes as maps have them, and amounts without their signs."""
    return {
        name: capitalise_hex(word) if word[:1] not in "£$€" else strip_currency(word)
        for name, word in wish.words.items()
    }


def _take_back(held: Held, back: UndoAsked) -> Facts:
    seat, game = back.seat, held.game
    after = game.redo(seat) if back.to is None else game.undo(seat, back.to)
    held.remember_tried(after)
    return read_facts(after)


def _list_legal(held: Held, seats: tuple[int, ...]) -> list[bytes]:
    return [encode_action(action) for seat in seats for action in held.list_legal(seat)]


def _complete(held: Held, asked: ValuesAsked) -> list[Choice]:
    """Return the legal values of a parameter, in words."""
    legal = [action for seat in asked.seats for action in held.list_legal(seat)]
    label, state, name = held.game.title.words.label, held.game.state, asked.parameter
    found = list_completions(legal, asked.verb, asked.words, name)
    words = [insert_names(label(state, action, name), asked.names) for action in found]
    gains = _describe_gains(held, asked, found)
    whole = [" · ".join(filter(None, parts)) for parts in zip(words, gains, strict=True)]
    return [Choice(write_parameters(action)[name], told) for action, told in zip(found, whole, strict=True)]


def _describe_gains(held: Held, asked: ValuesAsked, found: Sequence[Action]) -> list[str]:
    """Return what tiles bring the best run where they are the last thing to be said of a few moves, as on menus."""
    others = {each.name for action in found[:1] for each in list_parameters(type(action))} - {asked.parameter}
    is_last = 1 < len(found) <= MAX_GAINS and bool(others) and others <= set(asked.words)
    return held.gains.describe(asked.seats[0], found) if is_last else [""] * len(found)


def _look(held: Held, seen: PictureAsked) -> View:
    """Look at a position, and mark what is new in it, and what may be chosen if it is that of now."""
    game, request = held.game, seen.request
    if seen.entry is not None:
        branch = Held(Game.replay(game.setup, game.log[: seen.entry + 1]))
        return mark_changes(branch.replay_to(len(branch.game.line) - 1).look(request), branch.game.look(request), "new")
    then = game if seen.at is None else held.replay_to(seen.at)
    view = then.look(request)
    since = count_moves_at_last_turn(then, request.seat) if seen.since is None else min(seen.since, len(then.line))
    if can_mark_changes(view) and since not in (0, len(then.line)):
        words = "new" if request.seat is None or seen.since is not None else "new since your last turn"
        view = mark_changes(held.replay_to(since).look(request), view, words)
    return add_choices(held, request, view) if len(then.line) == len(game.line) else view


def _list_subjects(held: Held, kind: str) -> list[tuple[str, str]]:
    return [(value, words) for value, words in held.game.title.views.subjects(held.game.state, kind)]


STAND = Task("stand", _get_facts, None, Facts, lane="moves")
DEAL = Task("deal", _deal, Setup, Facts, lane="moves")
ORDERABLE = Task("orderable", _list_orderable, None, tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]])
OFFERS = Task("offers", _list_order_offers, int, list[OrderWish])
SET = Task("set", _set_order, OrderToSet, Followed, lane="moves")
PLAY = Task("play", try_move, Wish, MadeMove, lane="moves")
BACK = Task("back", _take_back, UndoAsked, Facts, lane="moves")
LEGAL = Task("legal", _list_legal, tuple[int, ...], list[bytes])
COMPLETE = Task("complete", _complete, ValuesAsked, list[Choice])
LOOK = Task("look", _look, PictureAsked, AnyView)
SUBJECTS = Task("subjects", _list_subjects, str, list[tuple[str, str]])
