"""The desk for those who read and write: numbered choices, examples of the other verbs, and what orders say.

An order is what a player writes instead of pressing: "bid 20", "best", "no
train". It knows no game: verbs, values and their words come from the title.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from bot.model.errors import BotError
from bot.model.letters import NumberedMove
from bot.screens.desk import Desk, DeskAsked, build_desk
from bot.screens.desk_buttons import find_short_verbs
from bot.screens.desk_choices import describe_way
from bot.screens.screen import clip
from bot.screens.text import read_words
from bot.screens.written_words import find_by_words
from bot.service.workers.jobs import Held, Task, WireEntry
from bot.service.workers.tasks import MadeMove, Wish, try_move
from engine import Action, Record, RuleError
from engine.codec import encode_action
from engine.fuzzy import find_meant, fold
from engine.hints import write_tip
from engine.setup import may_advise
from engine.title import insert_names, insert_names_in_refusals
from engine.words import Parameter, WordingError, find_pass, list_completions, list_parameters, write_parameters

MAX_OFFERS = 9
MAX_WORDS = 14
MAX_OFFER_LENGTH = 400
"""Room for the ways of four trains."""
_AMOUNT = re.compile(r"[£$€]?(\d{1,6})$", re.ASCII)
_NO = ("no", "none", "skip", "done", "nothing", "pass")
_ALIKE = {
    "best run": "best", "best runs": "best", "run all trains": "best", "pay out": "pay", "pay dividends": "pay",
    "pay a dividend": "pay", "keep it": "keep", "keep all": "keep", "withhold": "keep", "hold": "keep",
    "no track": "no tile", "no build": "no tile", "no building": "no tile", "build nothing": "no tile",
    "buy nothing": "nothing",
}  # fmt: skip
"""Words that people write, and the words of ours that say the same."""
_STEPS = {"track": "tile", "base": "token", "station": "token", "marker": "token", "merger": "merge"}
"""What people call the steps of a turn by another word than its verb."""
_FILLERS = frozenset(
    ("a", "an", "the", "on", "at", "for", "from", "in", "of", "share", "shares", "train", "tile", "rotation")
)
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4"}


class Written(Record, frozen=True):
    """Choices to be numbered, and an example for each verb that needs further words.

    ``lettered`` if a number alone might be taken for an amount.
    """

    offers: tuple[NumberedMove, ...]
    examples: tuple[str, ...]
    lettered: bool = False


class Understood(Record, frozen=True):
    """The meaning of an order: a verb with its words, as if typed; ``why`` holds the refusal if it has none."""

    verb: str = ""
    words: Mapping[str, str] = {}
    why: str = ""


class SeveralOrders(Record, frozen=True):
    """Orders to be done one after the other.

    Args:
        sitting: who gives them, before which version of the log.
        orders: as written; ``first`` is the action of the first, if a mark stands for it.
    """

    sitting: DeskAsked
    version: int
    orders: tuple[str, ...]
    first: str = ""


def _write_desk(held: Held, sitting: DeskAsked) -> Written:
    with insert_names_in_refusals(sitting.names):
        desk = build_desk(held, sitting)
        found = dict[Action, str]()
        advises = may_advise(desk.game.setup.options, private=True)
        for tip in desk.advised.tips:  # the shorthand of a run hides each train's way
            if tip.judged and not advises:
                continue
            way = f"; {describe_way(desk, tip.action)}" if tip.short is not None else ""
            found[tip.action] = f"{insert_names(write_tip(tip, advises=advises), desk.names)}{way}"
        short = find_short_verbs(desk.legal)
        plain = [action for action in desk.legal if action.verb in short]
        rest = [desk.advised.resolve(action) for action in _list_one_of_each(desk.legal, short, tips=bool(found))]
        room = MAX_OFFERS - len(found) - len([action for action in plain if action not in found])
        for action in [each for each in rest if each not in found][: max(room, 0)]:
            found[action] = _describe_action(desk, action)
        for action in plain:
            found.setdefault(action, desk.label(action, "") or action.verb.capitalize())
        offers = [
            NumberedMove(clip(" ".join(label.split()), MAX_OFFER_LENGTH), encode_action(action).decode())
            for action, label in list(found.items())[:MAX_OFFERS]
        ]
        return Written(tuple(offers), tuple(_list_examples(desk, short)), _is_amount_asked(desk.legal))


def _is_amount_asked(legal: Sequence[Action]) -> bool:
    """Return whether an amount from 1 to 9 is all that some move needs."""
    kinds = {type(action): [each.whole for each in list_parameters(type(action))] for action in legal}
    alone = {kind for kind, wholes in kinds.items() if wholes == [True]}
    return any(
        len(value) == 1 for action in legal if type(action) in alone for value in write_parameters(action).values()
    )


def _list_one_of_each(legal: Sequence[Action], short: set[str], *, tips: bool) -> Iterator[Action]:
    """Yield a move for each value of the first parameter of each verb; of a mere amount none, if there are tips."""
    for verb in dict.fromkeys(action.verb for action in legal if action.verb and action.verb not in short):
        could = [action for action in legal if action.verb == verb]
        known = list_parameters(type(could[0]))
        if not (tips and len(known) == 1 and known[0].whole):
            yield from list_completions(could, verb, {}, known[0].name)


def _describe_action(desk: Desk, action: Action) -> str:
    """Return what an action does, in one line: the title's words for it, or the verb and its values."""
    told = desk.label(action, "")
    if told:
        return told
    values = [desk.label(action, each.name).partition(" · ") for each in list_parameters(type(action))]
    heads = ", ".join(dict.fromkeys(head for head, _, _ in values if head))
    return " · ".join(filter(None, (f"{action.verb.capitalize()} {heads}".strip(), values[0][2] if values else "")))


def format_order(action: Action) -> str:
    """Return an action as one would write it in a letter: "bid 20"."""
    return " ".join([action.verb, *(value for value in write_parameters(action).values() if value)])


def _list_examples(desk: Desk, short: set[str]) -> Iterator[str]:
    for verb in dict.fromkeys(action.verb for action in desk.legal if action.verb and action.verb not in short):
        could = [action for action in desk.legal if action.verb == verb]
        yield format_order(could[0])


def _understand(held: Held, sitting: DeskAsked) -> Understood:
    with insert_names_in_refusals(sitting.names):
        try:
            return read_order(build_desk(held, sitting), sitting.typed)
        except BotError as refusal:
            return Understood(why=refusal.sentence)


def read_order(desk: Desk, text: str) -> Understood:
    """Return what an order says at a desk.

    Raises:
        BotError: a quotation mark is missing.
    """
    text = text.strip().removeprefix("/act ").strip(" .!")
    text = _ALIKE.get(text.casefold(), text)
    first, _, rest = text.partition(" ")
    verb = first.casefold()
    known = dict.fromkeys(kind.verb for kind in desk.game.title.actions if kind.verb)
    no = find_pass(desk.game.title.actions)
    if verb in _NO and verb not in known:
        return (
            Understood(no.verb)
            if no is not None and _is_decline(desk, rest)
            else Understood(why=_explain_unread(desk, text))
        )
    legal, words = {action.verb for action in desk.legal}, rest.split()
    if verb == "buy" and "train" in legal and "buy" not in legal and "train" not in rest.casefold():
        verb, text = "train", f"train {rest}"  # "buy 2+1 from bank"
    meant = [word for word in words if word.casefold().removesuffix("s") in legal] if verb not in legal else []
    if len(meant) == 1:  # "buy a 3 train" is "train 3", "lay tile 5 C4" is "tile 5 C4"
        words.remove(meant[0])
        verb, rest = meant[0].casefold().removesuffix("s"), " ".join(words)
        text = f"{verb} {rest}"
    return _read_verb(desk, verb, text, rest.strip()) if verb in known else _read_value(desk, text)


def _is_decline(desk: Desk, what: str) -> bool:
    """Return whether nothing stands behind "no" or "skip", or what the turn asks for: "no more trains"."""
    words = [word for word in what.casefold().split() if word not in ("a", "any", "more", "new", "other", "the")]
    verbs = {action.verb for action in desk.legal} - {"pass"}
    names = {form for word in words for form in (word, word.removesuffix("s"))}
    return not words or (
        len(words) == 1 and not verbs.isdisjoint({*names, *(_STEPS.get(each, each) for each in names)})
    )


def _read_verb(desk: Desk, verb: str, text: str, rest: str) -> Understood:
    """Return a verb with what stands behind it: named words, or values in the order of its parameters."""
    if ":" in rest:
        return Understood(*read_words(text))
    kinds = dict.fromkeys(type(action) for action in desk.legal if action.verb == verb)  # a raise names no company
    kinds = kinds or dict.fromkeys(kind for kind in desk.game.title.actions if kind.verb == verb)
    names = [each for kind in kinds for each in list_parameters(kind)]
    known: dict[str, Parameter] = {each.name: each for each in names}
    if not rest:
        return Understood(verb)
    legal = tuple(dict.fromkeys((*map(desk.advised.resolve, desk.legal), *desk.legal)))
    parts = rest.split()
    amounts = sum(each.whole for each in known.values())
    fillers = _FILLERS if amounts else {*_FILLERS, "one"}
    bare = [_NUMBERS.get(word.casefold(), word) for word in parts if word.casefold() not in fillers]
    ways = [(list(known), parts), (list(known), bare)]
    if len(known) > 1 and amounts <= 1:  # two of them could change places
        ways.append(([*known][::-1], bare))  # "sell 2 C&N"
    for given in (given for order, words in ways for given in _spread_words(order, words)):
        found = find_meant(verb, given, legal, desk.label)
        if found is not None:
            return Understood(verb, write_parameters(found))
    shorthand = next((tip.short for tip in desk.advised.tips if tip.short and format_order(tip.short) == text), None)
    if shorthand is not None:
        return Understood(verb, write_parameters(shorthand))
    if (loose := find_by_words(desk, verb, rest)) is not None:
        return Understood(verb, write_parameters(loose))
    order = list(known)
    if len(order) > 1 and len(parts) >= len(order):
        head = dict(zip(order[:-1], parts, strict=False))
        return Understood(verb, {**head, order[-1]: " ".join(parts[len(order) - 1 :])})
    return Understood(verb, {order[0]: rest} if order else {"more": rest})


def _spread_words(names: Sequence[str], parts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the ways to spread words over parameters in order: over one of them, over two, over more."""
    if len(parts) > MAX_WORDS:
        return
    for count in range(1, min(len(names), len(parts), 4) + 1):
        for chosen in combinations(names, count):
            for cuts in combinations(range(1, len(parts)), count - 1):
                ends = (0, *cuts, len(parts))
                yield {name: " ".join(parts[ends[at] : ends[at + 1]]) for at, name in enumerate(chosen)}


def _read_value(desk: Desk, text: str) -> Understood:
    """Return the one move of which a value alone can be meant: "best", "pay"."""
    wanted = fold(text)
    for tip in desk.advised.tips:
        if tip.short is not None and wanted in {fold(value) for value in write_parameters(tip.short).values()}:
            return Understood(tip.short.verb, write_parameters(tip.short))
    if amount := _AMOUNT.match(text):
        kinds = dict.fromkeys(type(action) for action in desk.legal if list_parameters(type(action)))
        names = [(kind.verb, each) for kind in kinds for each in list_parameters(kind)]
        if len(names) == 1 and names[0][1].whole:  # the one amount that is asked for, legal or not
            return Understood(names[0][0], {names[0][1].name: amount[1]})
    if not wanted or wanted.isdecimal():
        alone = _find_amount(desk, wanted) if _AMOUNT.match(text) else None
        return Understood(alone.verb, write_parameters(alone)) if alone else Understood(why=_explain_unread(desk, text))
    found = [action for action in desk.legal if wanted in {fold(value) for value in write_parameters(action).values()}]
    if not found:
        found = [action for action in desk.legal if wanted in _fold_labels(desk, action)]
    several = {(action.verb, tuple(write_parameters(action).values())) for action in found}
    if len(several) == 1:
        return Understood(found[0].verb, write_parameters(found[0]))
    if (loose := find_by_words(desk, "", text)) is not None:
        return Understood(loose.verb, write_parameters(loose))
    return Understood(why=_explain_unread(desk, text))


def _find_amount(desk: Desk, amount: str) -> Action | None:
    """Return the one move with an amount where all else is the same for all moves that have one."""
    amounts = [action for action in desk.legal if any(each.whole for each in list_parameters(type(action)))]
    rest = {tuple(value for value in write_parameters(action).values() if not value.isdecimal()) for action in amounts}
    found = [action for action in amounts if amount in write_parameters(action).values()]
    is_only = len(rest) == 1 and len({action.verb for action in amounts}) == 1
    return found[0] if is_only and len(found) == 1 else None


def _fold_labels(desk: Desk, action: Action) -> set[str]:
    heads = {desk.label(action, each.name).split(" · ")[0] for each in list_parameters(type(action))}
    return {fold(head) for head in heads | {head.split(" (")[0] for head in heads}}


def _explain_unread(desk: Desk, text: str) -> str:
    verbs = ", ".join(dict.fromkeys(action.verb for action in desk.legal if action.verb))
    return f"I don't understand “{text[:60]}”. Write one of {verbs}, or the number of a choice."


def _find_alternatives(held: Held, asked: SeveralOrders) -> tuple[int, ...]:
    """Return the places of two orders of which only one can be done: the later could have been instead of the earlier.

    They are tried one after the other; where one cannot be done in its turn, it is tried before each of those above it.
    Returns () where all can be done, or what cannot be done could not be done earlier either.
    """
    positions, done = [held], list[MadeMove]()
    for place, _ in enumerate(asked.orders):
        made = _try_order(positions[-1], asked, place)
        if made is None:
            others = [_try_order(each, asked, place) for each in positions[:-1]]
            instead = (at for at, each in enumerate(others) if each is not None and each.said != done[at].said)
            return next(((at, place) for at in instead), ())
        rows = [WireEntry(made.seat, made.said), *(WireEntry(each.seat, each.said) for each in made.further)]
        positions.append(positions[-1].add_entries(rows))
        done.append(made)
    return ()


def _try_order(held: Held, asked: SeveralOrders, place: int) -> MadeMove | None:
    """Return what comes of an order at a position, ``None`` if it is refused there."""
    sitting = asked.sitting
    if len(held.game.log) != asked.version:  # what was advised is of the first position
        sitting = replace(sitting, tips=())
    wish = Wish((sitting.seat,), sitting.names, adviser=sitting.seat, tips=sitting.tips)
    try:
        if asked.first and not place:
            return try_move(held, replace(wish, action=asked.first.encode()))
        with insert_names_in_refusals(sitting.names):
            said = read_order(build_desk(held, sitting), asked.orders[place])
        return None if said.why else try_move(held, replace(wish, verb=said.verb, words=said.words))
    except (BotError, RuleError, WordingError):
        return None


WRITTEN = Task("written", _write_desk, DeskAsked, Written)
UNDERSTOOD = Task("understood", _understand, DeskAsked, Understood, lane="moves")
ALTERNATIVES = Task("alternatives", _find_alternatives, SeveralOrders, tuple[int, ...], lane="moves")
