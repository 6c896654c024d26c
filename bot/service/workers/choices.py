"""Moves worth offering: tips for buttons, menus as one would type them; pictures with what is new or can be chosen."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import shorten

import msgspec

from bot.service.workers.jobs import Held, Task
from engine import Action, Record, Request, Tip
from engine.codec import decode_action, encode_action
from engine.hex_view import HexView
from engine.title import insert_names
from engine.view import MAX_ALT_CHARACTERS, CharterView, MapView, MarketView, Network, Panels, Sheet, View
from engine.words import Label, list_completions, list_parameters, write_command, write_parameters

PROOF_SECONDS = 10 * 60
"""After which all searches for a proof end, whatever they have."""


class Advised(Record, frozen=True):
    """What is known of a position.

    Args:
        version: of its table's log. seat: who is asked.
        tips: the moves worth a button. earlier: those that better ones have replaced; their buttons still work.
        plans: the ways to run that a player asked to see, with the numbers they have there as shorthand.
        counsel: what the program would do, and what else it thought of, if a player asked.
    """

    version: int
    seat: int
    tips: tuple[Tip, ...]
    earlier: tuple[Tip, ...] = ()
    plans: tuple[Tip, ...] = ()
    counsel: tuple[Tip, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every move that some button was drawn for."""
        return tuple(tip.action for tip in (*self.tips, *self.plans, *self.counsel, *self.earlier))

    def resolve(self, action: Action) -> Action:
        """Return the move that shorthand stands for, as the buttons tell it; any other action as it is."""
        return next((tip.action for tip in self.tips if tip.short == action), action)


NO_ADVICE = Advised(-1, -1, ())


class TipRow(msgspec.Struct, frozen=True):
    """A tip on the wire; its actions are JSON of their own, ``short`` may be empty."""

    action: str
    label: str
    short: str
    proven: bool
    reason: str = ""
    judged: bool = False


def encode_tips(tips: Iterable[Tip]) -> tuple[TipRow, ...]:
    """Return tips for the wire."""
    return tuple(
        TipRow(_encode_action(tip.action), tip.label, _encode_action(tip.short), tip.proven, tip.reason, tip.judged)
        for tip in tips
    )


def _encode_action(action: Action | None) -> str:
    return "" if action is None else encode_action(action).decode()


def decode_tips(title: str, rows: Iterable[TipRow]) -> tuple[Tip, ...]:
    """Return tips from the wire."""
    return tuple(
        Tip(
            decode_action(title, row.action),
            row.label,
            decode_action(title, row.short) if row.short else None,
            row.proven,
            row.reason,
            row.judged,
        )
        for row in rows
    )


class Considered(Record, frozen=True):
    """The moves worth a button that a seat knows of, beside which others are looked for.

    ``budget`` is of tries of a search that goes on from them.
    """

    seat: int
    tips: tuple[TipRow, ...]
    budget: int = 0


def _find_tips(held: Held, seat: int) -> tuple[TipRow, ...]:
    return encode_tips(held.game.tips(seat))


def _find_plans(held: Held, considered: Considered) -> tuple[TipRow, ...]:
    """Return the ways to run that differ in what matters."""
    title = held.game.title
    return encode_tips(title.advice.plans(held.game.state, considered.seat, decode_tips(title.id, considered.tips)))


def _prove(held: Held, considered: Considered) -> tuple[TipRow, ...]:
    """Return better tips, or their proof, as far as a budget of tries goes."""
    title, known = held.game.title, decode_tips(held.game.title.id, considered.tips)
    return encode_tips(title.advice.prove(held.game.state, considered.seat, known, considered.budget))


TIPS = Task("tips", _find_tips, int, tuple[TipRow, ...], lane="searches", rank=1)
PLANS = Task("plans", _find_plans, Considered, tuple[TipRow, ...], lane="searches", rank=1)
PROVE = Task(
    "prove", _prove, Considered, tuple[TipRow, ...], lane="proofs", seconds=PROOF_SECONDS, cpu_seconds=PROOF_SECONDS
)


def can_mark_changes(view: View) -> bool:
    """Return whether a view can show what is new."""
    return isinstance(view, MapView | Network)


def has_picture_changed(before: View, after: View) -> bool:
    """Return whether a map shows anything new; who acts and what may be done there does not count."""
    if isinstance(before, MapView) and isinstance(after, MapView):
        return {_strip_marks(tile) for tile in before.hexes} != {_strip_marks(tile) for tile in after.hexes}
    if isinstance(before, Network) and isinstance(after, Network):
        built = {(link.a, link.b): link.company for link in before.links}
        return built != {(link.a, link.b): link.company for link in after.links} or before.places != after.places
    return False


def mark_changes(before: View, after: View, since: str = "new") -> View:
    """Return the later view with what differs from the earlier marked "new"; marks it has stay.

    ``since`` is what the legend says of the mark.
    """
    if isinstance(before, MapView) and isinstance(after, MapView):
        seen = {tile.coord: _strip_marks(tile) for tile in before.hexes}
        hexes = tuple(
            msgspec.structs.replace(tile, mark="new")
            if not tile.mark and seen.get(tile.coord) != _strip_marks(tile)
            else tile
            for tile in after.hexes
        )
        return msgspec.structs.replace(after, hexes=hexes, new=since)
    if isinstance(before, Network) and isinstance(after, Network):
        built = {(link.a, link.b): link.company for link in before.links}
        links = tuple(
            msgspec.structs.replace(link, mark="new")
            if not link.mark and built.get((link.a, link.b)) != link.company
            else link
            for link in after.links
        )
        return msgspec.structs.replace(after, links=links, new=since)
    return after


def _strip_marks(tile: HexView) -> HexView:
    """Return a hex without what is drawn upon it for the moment."""
    return msgspec.structs.replace(tile, mark="", choice="", faded=False)


MAX_AMOUNTS = 4
MAX_MENU_LINES = 12
MAX_REST_NAMED = 24
"""Choices beyond those with a line of their own that are named; of still more the number is told."""
MAX_NOTES = 6
MAX_SIGN_LENGTH, NO_SIGN = 3, "none"
_CHOICE_COUNT = re.compile(r" · \d+ choices$")
"""What a menu says of values that are asked next."""
CHANGE_WORDS = ("→", "stays", "leaves", "new price")
"""Words by which a choice says what it changes in prices and treasuries."""


class MenuAsked(Record, frozen=True):
    """Whose legal moves are listed; ``names`` of the players."""

    seats: tuple[int, ...]
    names: tuple[str, ...]


class MenuLine(Record, frozen=True):
    """A move as one would type it, and in words."""

    typed: str
    words: str


def _list_menu(held: Held, on: MenuAsked) -> list[MenuLine]:
    """Return what may be done, as one would type it and in words: a range of amounts is one line."""
    title, state = held.game.title, held.game.state
    lines: list[MenuLine] = []
    for seat in on.seats:
        legal = held.list_legal(seat)
        for verb in dict.fromkeys(kind.verb for kind in title.actions if kind.verb):
            could = [action for action in legal if action.verb == verb]
            lines += build_menu(
                could, lambda action, name: insert_names(title.words.label(state, action, name), on.names)
            )
    return lines


def build_menu(could: Sequence[Action], label: Label) -> list[MenuLine]:
    """Return lines for the actions of one verb, told apart by their first parameter."""
    if not could:
        return []
    first = next(iter(list_parameters(type(could[0]))), None)
    if first is None:
        return [MenuLine(write_command(could[0]), label(could[0], ""))]
    heads = list_completions(could, could[0].verb, {}, first.name)
    if first.whole and len(heads) > MAX_AMOUNTS:
        ends = (min(heads, key=_make_amount_key(first.name)), max(heads, key=_make_amount_key(first.name)))
        return [
            MenuLine(write_command(ends[0], label), " to ".join(label(end, first.name).split(" · ")[0] for end in ends))
        ]
    lines = [_build_line(could, action, first.name, label) for action in heads[:MAX_MENU_LINES]]
    rest = ", ".join(label(action, first.name).split(" · ")[0] for action in heads[MAX_MENU_LINES:][:MAX_REST_NAMED])
    more = (
        f" and {len(heads) - MAX_MENU_LINES - MAX_REST_NAMED} more"
        if len(heads) > MAX_MENU_LINES + MAX_REST_NAMED
        else ""
    )
    return [*lines, *([MenuLine("", f"also: {rest}{more}")] if rest else [])]


def _build_line(could: Sequence[Action], action: Action, name: str, label: Label) -> MenuLine:
    """Return the line of one value of the first parameter, with the values of a second one where it has several."""
    value = write_parameters(action)[name]
    under = [each for each in could if write_parameters(each).get(name) == value]
    words = label(action, name)
    for second in [each for each in list_parameters(type(action)) if each.name != name]:
        said = list_completions(under, action.verb, {name: value}, second.name)
        if second.whole and len(said) > 1:
            least, most = (by(said, key=_make_amount_key(second.name)) for by in (min, max))
            ends = (label(each, second.name).split(" · ")[0] for each in (least, most))
            words = f"{words} · {' to '.join(ends)}"
        elif len(said) > 1:
            words = f"{words} · {len(said)} choices"
    return MenuLine(write_command(action, label), words)


def _make_amount_key(name: str) -> Callable[[Action], int]:
    return lambda action: int(write_parameters(action)[name])


MENU = Task("menu", _list_menu, MenuAsked, list[MenuLine])


def add_choices(held: Held, request: Request, view: View) -> View:
    """Return a picture of the position as it is now, with the choices of the player who must decide.

    A map dashes it, for all to see. Market, table and company note what each choice changes, for the one
    who decides alone: it may tell what a treasury holds.
    """
    if isinstance(view, MapView | Network):
        return _mark_places(held, view)
    if isinstance(view, MarketView | Sheet | CharterView) and request.seat in held.game.ask().seats[:1]:
        changes = _describe_changes(held, request)
        return msgspec.structs.replace(
            view, notes=(*view.notes, *changes), alt=_shorten_alt(" ".join([view.alt, *changes]))
        )
    return view


def _group_by_verb(held: Held) -> Iterator[Sequence[Action]]:
    """Yield what the one to decide may do, verb by verb, but for what cannot be listed."""
    title = held.game.title
    for seat in held.game.ask().seats[:1]:
        legal = held.list_legal(seat)
        for verb in dict.fromkeys(kind.verb for kind in title.actions if kind.verb not in title.open_verbs):
            could = [action for action in legal if verb and action.verb == verb]
            if could:
                yield could


def _find_places(held: Held, could: Sequence[Action]) -> Collection[str]:
    """Return the hexes, places or links ("a b") that actions choose from, as a bystander may know them."""
    drawn = held.game.title.views.illustrate(held.game.state, Request(), could)
    if isinstance(drawn, Panels):
        return {panel.hexes[0].coord for panel in drawn.panels if panel.letter}
    if isinstance(drawn, MapView):
        return {each.coord for each in drawn.hexes if each.choice}
    if isinstance(drawn, Network):
        links = {f"{link.a} {link.b}" for link in drawn.links if link.choice}
        return links or {place.id for place in drawn.places if place.choice}
    return ()


def _mark_places(held: Held, view: MapView | Network) -> View:
    """Return a map with the places of the first verb that has any marked, and named before all else in its words."""
    places = next((found for could in _group_by_verb(held) if (found := _find_places(held, could))), ())
    if not places:
        return view
    ask = held.game.ask()
    if isinstance(view, MapView):
        hexes = tuple(
            msgspec.structs.replace(h, mark="new can" if "new" in h.mark else "can") if h.coord in places else h
            for h in view.hexes
        )
        names = [f"{h.coord} {h.name}".strip() for h in hexes if h.coord in places]
        view = msgspec.structs.replace(view, hexes=hexes)
    else:
        name = {place.id: place.name for place in view.places}
        links = tuple(
            msgspec.structs.replace(each, mark="can") if f"{each.a} {each.b}" in places else each for each in view.links
        )
        names = [f"{name[each.a]}–{name[each.b]}" for each in links if f"{each.a} {each.b}" in places]
        names = names or [name[each] for each in name if each in places]
        view = msgspec.structs.replace(view, links=links)
    told = f"{ask.headline}, to {ask.kind}: {', '.join(names)}. {view.alt}"
    return msgspec.structs.replace(view, alt=_shorten_alt(told))


def _shorten_alt(told: str) -> str:
    """Return the words of a picture, cut between two of them where they are too many."""
    return shorten(told, MAX_ALT_CHARACTERS, placeholder=" …")


def _describe_changes(held: Held, request: Request) -> list[str]:
    """Return what each choice changes in prices and treasuries, in the words of menus."""
    title, state = held.game.title, held.game.state
    lines = [
        line.words
        for could in _group_by_verb(held)
        if not _find_places(held, could)
        for line in build_menu(
            could, lambda action, name: insert_names(title.words.label(state, action, name), request.names)
        )
    ]
    told = [_CHOICE_COUNT.sub("", line) for line in lines if any(word in line for word in CHANGE_WORDS)]
    return [f"Now: {line}." for line in told[:MAX_NOTES]]


def find_marks(picture: View | None, words: Sequence[str]) -> list[str]:
    """Return the sign of each choice on the picture, empty where it has none.

    Args:
        picture: hexes or places with ``choice``, or lettered panels in the order of the choices.
        words: the choices as typed; a hex is meant by its coordinate at the beginning.
    """
    if isinstance(picture, Panels):
        letters = [panel.letter for panel in picture.panels if panel.letter]
        return letters if len(letters) == len(words) else [""] * len(words)
    signs = dict(_list_signs(picture))
    return [signs.get(word) or signs.get(word.split(" ")[0]) or "" for word in words]


def _list_signs(picture: View | None) -> Iterator[tuple[str, str]]:
    if isinstance(picture, MapView):
        yield from ((part.coord, part.choice) for part in picture.hexes if part.choice)
    if isinstance(picture, Network):
        for link in picture.links:
            if link.choice:
                yield from ((f"{link.a} {link.b}", link.choice), (f"{link.b} {link.a}", link.choice))
        yield from ((place.id, place.choice) for place in picture.places if place.choice)


def read_signs(held: Held, seat: int, verb: str, words: Mapping[str, str]) -> dict[str, str]:
    """Return typed words, with what a number or letter on the picture of the choices stands for in its place."""
    could = [action for action in held.list_legal(seat) if action.verb == verb]
    kinds = {each.name: each for action in could for each in list_parameters(type(action))}
    read = dict(words)
    for name in [each for each in kinds if len(words.get(each, NO_SIGN)) <= MAX_SIGN_LENGTH and not kinds[each].whole]:
        values = list_completions(could, verb, read, name)
        said = [write_parameters(action)[name] for action in values]
        signs = find_marks(held.game.illustrate(Request(seat=seat), values), said) if values else []
        read[name] = dict(zip(signs, said, strict=True)).get(words[name].upper(), words[name])
    return read


class Lot(Record, frozen=True):
    """A lot that is bid for: in which round, which one, and the seats that could go higher."""

    round: str
    company: str
    seats: tuple[int, ...]


def _find_lot(held: Held, _: None) -> Lot | None:
    """Return the lot that is bid for; ``None`` where none is."""
    orders, state = held.game.title.orders, held.game.state
    moment = None if orders is None else orders.moment(state)
    if orders is None or moment is None or moment.step != "bid":
        return None
    return Lot(moment.round, moment.company, orders.bidders(state))


LOT = Task("lot", _find_lot, None, Lot | None)
