"""What comes next: what most do right after a move, who is probably asked, what a company did the last time."""

from collections.abc import Iterator

import msgspec

from bot.service.orders import Chain
from bot.service.workers.jobs import Held, Task
from engine import Action, Game, Record, Rng, RuleError
from engine.words import find_pass, write_parameters

MAX_LABEL_PARTS = 2
"""Parts of the words of a move that are told where two moves are."""
MAX_DECLINES = 8
MAX_MOVES_AHEAD = 40
MAX_MOVES_TRIED = 12


class FollowUp(Record, frozen=True):
    """Moves that follow in the same turn.

    Args:
        actions: the moves. words: what they do, "pay £18 a share".
        ends: whether the turn is over with them. aside: what they bring, "price £68→£74".
    """

    actions: tuple[Action, ...]
    words: str = ""
    ends: bool = False
    aside: str = ""


def find_follow_up(game: Game, seat: int, action: Action) -> FollowUp | None:
    """Return what most would do after a move of a company, in the same turn: pay what it ran for, and end the turn.

    After a run the turn is ended only if nothing is left open that many would do. ``None`` where the move cannot be
    made, the turn is over with it, or what comes next is no matter of course.
    """
    if action.verb in game.title.open_verbs:
        return next(list_follow_ups(game, seat, action), None)
    company = game.ask().company
    try:
        after = game.play(seat, action).game
    except RuleError:
        return None
    declines = _list_declines(after, company, seat) if company else ()
    return FollowUp(declines, ends=True) if declines else None


def list_follow_ups(game: Game, seat: int, run: Action) -> Iterator[FollowUp]:
    """Yield what can be done with what a company runs for, what most would do first: pay it out, keep it.

    Each ends the turn if nothing is left open that many would do. Otherwise each comes twice: first without ending the
    turn, then ending it.
    """
    company = game.ask().company
    try:
        after = game.play(seat, run).game
    except RuleError:
        return
    if not company or not _is_same_turn(after, company, seat):
        return
    for tip in after.tips(seat):
        first, _, aside = shorten_label(tip.label).partition(" · ")
        words, then = f"{first[:1].lower()}{first[1:]}", after.play(seat, tip.action).game
        declines, is_open = _list_declines(then, company, seat), _is_more_open(then, company, seat)
        ended = FollowUp((tip.action, *declines), words, ends=True, aside=aside)
        if is_open or not declines:
            yield FollowUp((tip.action,), words, not _is_same_turn(then, company, seat), aside)
        if declines:
            yield ended


def list_usual_follow_ups(game: Game, seat: int, run: Action) -> list[FollowUp]:
    """Return the most usual way to go on after a run, and the first that does something else with the money."""
    found = [*list_follow_ups(game, seat, run)]
    return [*found[:1], *[each for each in found if each.actions[0] != found[0].actions[0]][:1]]


class RunAhead(msgspec.Struct, frozen=True):
    """The run of a company later in the same turn: the declines up to it, the position then, its best run."""

    declines: tuple[Action, ...]
    game: Game
    best: Action


def find_run_ahead(game: Game, seat: int) -> RunAhead | None:
    """Return the run to which a company comes by declining what may be declined; ``None`` if it comes to none."""
    company, orders, no = game.ask().company, game.title.orders, find_pass(game.title.actions)
    declines: list[Action] = []
    while orders is not None and orders.run is not None and company and _is_same_turn(game, company, seat):
        if any(action.verb in game.title.open_verbs for action in game.choices(seat)):
            return RunAhead((*declines,), game, game.title.spell_out(game.state, seat, orders.run))
        if no is None or len(declines) > MAX_DECLINES:
            return None
        try:
            game = game.play(seat, no).game
        except RuleError:
            return None
        declines.append(no)
    return None


def list_runs_after(ahead: RunAhead, seat: int) -> list[FollowUp]:
    """Return what leads a company to the end of its runs: what is declined, its best run, what is done with the money.

    It is paid, then paid and the turn ended, then kept.
    """
    found = [*list_follow_ups(ahead.game, seat, ahead.best)]
    other = next((at for at, each in enumerate(found) if each.actions[0] != found[0].actions[0]), len(found))
    usual = found[: other + 1]
    return [msgspec.structs.replace(each, actions=(*ahead.declines, ahead.best, *each.actions)) for each in usual]


def list_duties_ahead(game: Game, seat: int) -> list[FollowUp]:
    """Return what a company must do next in its turn: by its first tip, and the same with the end of the turn.

    What comes before is declined. Empty where it must run, or need do nothing more.
    """
    company, no, declines = game.ask().company, find_pass(game.title.actions), list[Action]()
    while company and no is not None and len(declines) <= MAX_DECLINES and _is_same_turn(game, company, seat):
        could = game.choices(seat)
        if no in could:
            game = game.play(seat, no).game
            declines.append(no)
            continue
        if any(action.verb in game.title.open_verbs for action in could):
            return []  # its tips would search for the best runs
        tip = next((tip for tip in game.tips(seat) if tip.action in could and not tip.judged), None)
        if tip is None:
            return []
        then, words = game.play(seat, tip.action).game, shorten_label(tip.label).partition(" · ")[0]
        words = f"{words[:1].lower()}{words[1:]}"
        first = FollowUp((*declines, tip.action), words)
        ends = _list_declines(then, company, seat)
        return [first, FollowUp((*first.actions, *ends), words.partition(", ")[0], ends=True)] if ends else [first]
    return []


class Raised(msgspec.Struct, frozen=True):
    """A purchase that a player can't make as things stand, and the sales that make it possible.

    Those come first that no one would regret, and of them the least.
    """

    purchase: Action
    sales: tuple[Action, ...]


def list_raised(held: Held, seat: int) -> list[list[Raised]]:
    """Return what a player could buy after one sale, for want of money or of room for certificates now.

    What differs in its last words alone, as a company at another par, stands together.
    """
    if seat not in held.raised:
        groups: dict[tuple[type[Action], str], list[Raised]] = {}
        for each in _find_raised(held, seat):
            first = next(iter(write_parameters(each.purchase).values()), "")
            groups.setdefault((type(each.purchase), first), []).append(each)
        held.raised[seat] = [*groups.values()]
    found: list[list[Raised]] = held.raised[seat]
    return found


def _find_raised(held: Held, seat: int) -> list[Raised]:
    game, legal = held.game, held.list_legal(seat)
    if game.ask().company or game.ask().seats[:1] != (seat,):
        return []
    kinds = {type(action): action for action in legal}
    selling = {kind for kind, action in kinds.items() if _count_proceeds(game, seat, action) > 0}
    known, found, regrets = {*legal}, dict[Action, list[tuple[bool, int, Action]]](), game.title.advice.regrets
    for sale in (action for action in legal if type(action) in selling):
        after = game.play(seat, sale).game
        if after.ask().company or after.ask().seats[:1] != (seat,):
            continue
        way = (bool(regrets(game.state, after.state, seat)), _count_proceeds(game, seat, sale), sale)
        for action in after.choices(seat):
            if action not in known and type(action) not in selling:
                found.setdefault(action, []).append(way)
    ways = {action: sorted(sales, key=lambda way: way[:2]) for action, sales in found.items()}
    return [Raised(action, tuple(sale for *_, sale in sales)) for action, sales in ways.items()]


def _count_proceeds(game: Game, seat: int, action: Action) -> int:
    """Return what a move brings a player at once."""
    story = game.title.story
    events = game.play(seat, action).events if story is not None else ()
    return sum(flow.amount for event in events if story for flow in story.flows(event) if flow.seat == seat)


def _is_more_open(game: Game, company: str, seat: int) -> bool:
    """Return whether a company may still do something in its turn without asking another player: buy, borrow, merge."""
    no = find_pass(game.title.actions)
    for _ in range(MAX_DECLINES):
        if not _is_same_turn(game, company, seat):
            return False
        kinds = {(type(each), next(iter(write_parameters(each).values()), "")): each for each in game.choices(seat)}
        others = [each for each in kinds.values() if each != no]
        if len(others) == len(kinds) or any(not _asks_another(game, seat, each) for each in others):
            return True
        assert no is not None, "it is among the choices"
        game = game.play(seat, no).game
    return True


def _asks_another(game: Game, seat: int, action: Action) -> bool:
    """Return whether a move is an offer that another player must answer."""
    replies = game.title.replies
    after = game.play(seat, action).game
    actors = after.ask().seats
    if replies is None or not actors or actors[0] == seat:
        return False
    return any(isinstance(each, replies.kinds) for each in after.choices(actors[0]))


def shorten_label(label: str) -> str:
    """Return the first parts of the words of a move."""
    return " · ".join(label.split(" · ")[:MAX_LABEL_PARTS])


def _is_same_turn(game: Game, company: str, seat: int) -> bool:
    ask = game.ask()
    return ask.company == company and ask.seats[:1] == (seat,)


def _list_declines(game: Game, company: str, seat: int) -> tuple[Action, ...]:
    """Return the declines that end a company's turn; none where one of its steps cannot be declined."""
    no, count = find_pass(game.title.actions), 0
    while no is not None and _is_same_turn(game, company, seat):
        count += 1
        if count > MAX_DECLINES:
            return ()
        try:
            game = game.play(seat, no).game
        except RuleError:
            return ()
    return () if no is None else (no,) * count


def _find_next_actor(held: Held, seat: int) -> int:
    """Return the seat that is asked after this one if it plays as the program's player would; -1 if none is.

    It knows of no standing orders, which are secret.
    """
    game, title = held.game, held.game.title
    for _ in range(MAX_MOVES_AHEAD):
        asked = game.ask().seats
        if seat not in asked:
            return asked[0] if asked else -1
        rng = Rng(game.setup.seed + len(game.log))
        chain = Chain(game.play(seat, title.advice.choose(game.state, seat, rng)).game, ())
        chain.run(MAX_MOVES_AHEAD)
        game = chain.game
    return -1


def find_repeat(held: Held, seat: int) -> Action | None:
    """Return what the acting company did last in this step, where that is typed freely, as runs are, if still legal."""
    game = held.game
    company, verbs = game.ask().company, game.title.open_verbs
    kinds = {type(action) for action in held.list_legal(seat) if action.verb in verbs}
    if not company or not kinds:
        return None
    own = [place for place in game.line if game.log[place].seat == seat and type(game.log[place].action) in kinds]
    for place in own[: -MAX_MOVES_TRIED - 1 : -1]:
        action = game.log[place].action
        if held.find_company(place) == company and _is_legal(game, seat, action):
            return action
    return None


def _is_legal(game: Game, seat: int, action: Action) -> bool:
    try:
        game.play(seat, action)
    except RuleError:
        return False
    return True


NEXT_UP = Task("next-up", _find_next_actor, int, int)
