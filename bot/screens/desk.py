"""The private desk: from "what may I do" to a confirmed move, one screen after the other.

It knows no game: the legal actions, their words and their pictures come from
the title. It knows no Discord either: it makes screens. Nothing is played
before Confirm; until then a move is tried on a copy.
"""

from collections.abc import Sequence

import msgspec

from bot.screens.draft import Draft, action_of, follow, mark, verbs
from bot.screens.marks import marks
from bot.screens.screen import Button, Menu, Option, Screen, Tone, clip, rows_of
from bot.screens.wire import Control
from bot.service.advised import NOTHING, Advised
from bot.service.changes import has_changed, with_changes
from engine import Action, Ask, Game, Record, Request, RuleError
from engine.title import named
from engine.view import Panels, View
from engine.words import decline, parameters, spoken

PER_MENU = 25
MOST_MENUS = 12
MOST_BUTTONS = 5
MOST_WHOLE = 10
MOST_AMOUNTS = 4
LABEL = 80
LINE = 100
MOST_ALT = 1024
MOST_SPAN = 30


class Desk(Record, frozen=True):
    """Who sits at the desk, before which position; it stands with a worker, for it needs the state.

    Args:
        number: of the table. names: of the players.
        legal: what the seat may do. advised: moves worth a button of their own.
        again: what the acting company did the last time in this step, if it can do that again.
        basket: what the moves bring that were put aside; the position is the one they lead to.
        version: of the log that the desk belongs to, where moves were put aside.
    """

    number: int
    names: tuple[str, ...]
    game: Game
    seat: int
    legal: tuple[Action, ...]
    advised: Advised = NOTHING
    again: Action | None = None
    basket: tuple[str, ...] = ()
    version: int | None = None

    @property
    def request(self) -> Request:
        """Who looks, and what the seats are called."""
        return Request(seat=self.seat, names=self.names)

    def ask(self) -> Ask:
        """Return what the game waits for, with the names of the players in it."""
        return self.game.ask().named(self.names)

    def control(self, verb: str, arg: str = "") -> Control:
        """Return a control of this desk."""
        verb = "doin" if verb == "do" and self.basket else verb
        return Control(self.number, len(self.game.log) if self.version is None else self.version, verb, arg)

    def words(self, action: Action, parameter: str) -> str:
        """Return the words of a value, or of a whole action if ``parameter`` is empty."""
        return named(self.game.title.label(self.game.state, action, parameter), self.names)

    def follow(self, path: str, typed: str = "") -> Draft:
        """Read a path at this desk."""
        return follow(self.legal, self.game.title.open_verbs, path, typed)


def screen(desk: Desk, path: str = "", typed: str = "") -> Screen:
    """Return the screen at a path: the choice of what to do, of one value, or the check.

    May draw and search: keep it off the event loop.

    Raises:
        BotError, WordingError, RuleError: the path leads to nothing that can be done.
    """
    if desk.basket and not path:
        return _basket(desk)
    if not path:
        longer = _longer(desk)
        if not longer or desk.follow(longer[0]).asked is None:
            return _first(desk)
        path = longer[0]
    draft = desk.follow(path, typed)
    return _check(desk, draft, typed) if draft.asked is None else _value(desk, draft)


def _basket(desk: Desk) -> Screen:
    """Return what the moves that were put aside bring, and what may follow them."""
    left = [button for button in quick(desk, 5) if button.control.verb == "doin"]
    rows = [*openers(desk, least=1), *left, Button("Confirm all", desk.control("doall"), "good")]
    rows.append(Button("Empty the basket", desk.control("unbasket"), "bad"))
    return Screen("\n".join([*_put_aside(desk), *_then(desk.game, desk)]), rows=rows_of(rows))


def _put_aside(desk: Desk) -> list[str]:
    """Return what the moves that were put aside bring, a line each."""
    return ["**In your basket** (nothing is played yet)", *(f"• {told}" for told in desk.basket)] if desk.basket else []


def _then(after: Game, desk: Desk) -> list[str]:
    """Return how a player would stand after the moves: money, certificates, what is left to do."""
    ask = after.ask().named(desk.names)
    return [f"-# Then: {line}" for line in ask.lines] if desk.seat in (ask.seats or after.actors) else []


def _is_open(desk: Desk, after: Game) -> bool:
    """Tell whether a player's own turn goes on after a move, so that others may be added to it."""
    ask = after.ask()
    return not desk.game.ask().company and not ask.company and (ask.seats or after.actors)[:1] == (desk.seat,)


def quick(desk: Desk, most: int) -> list[Button]:
    """Return buttons that play at once: the tips, then what needs no further words."""
    buttons: list[Button] = []
    done = set()
    for number, tip in enumerate(desk.advised.tips):
        tone: Tone = "main" if not buttons else "plain"
        label = clip(named(tip.label, desk.names), LABEL)
        buttons.append(Button(label, desk.control("tip", f"{number}.{mark(tip.action)}"), tone))
        done.add(tip.action)
    if desk.again is not None and desk.again not in done:
        told = desk.game.title.say(desk.game.play(desk.seat, desk.again).events[0], desk.names)
        label = f"Same as last time: {told}"
        if label.partition(": ")[2] not in [button.label for button in buttons]:
            buttons.append(Button(clip(label, LABEL), desk.control("again", mark(desk.again))))
    short = short_verbs(desk.legal)
    for action in desk.legal:
        if action.verb in short and action not in done:
            label = desk.words(action, "") or action.verb.capitalize()
            buttons.append(Button(clip(label, LABEL), desk.control("do", f"{action.verb}~{mark(action)}")))
    return buttons[:most]


def short_verbs(legal: Sequence[Action]) -> set[str]:
    """Return the verbs that say all by themselves, as "pass" does; looks at each action once, for there may be many."""
    kinds = {type(action) for action in legal}
    return {kind.verb for kind in kinds if kind.verb} - {kind.verb for kind in kinds if parameters(kind)}


def _first(desk: Desk) -> Screen:
    """Return the choice of what to do."""
    ask = desk.ask()
    lines = [f"**{ask.headline}**", *ask.lines]
    for verb in _longer(desk):
        kind = next(type(action) for action in desk.legal if action.verb == verb)
        lines.append(f"-# **{verb}**: {(kind.__doc__ or '').splitlines()[0]}")
    at_once = {tip.action for tip in desk.advised.tips}
    left = {action.verb for action in desk.legal if action not in at_once}
    further = [button for button in openers(desk, least=1) if button.control.arg in left]
    buttons = [*further, *quick(desk, 10), *_plans(desk), *_take_back(desk), _cancel(desk)]
    return Screen("\n".join(lines), rows=rows_of(buttons))


def openers(desk: Desk, least: int = 2) -> list[Button]:
    """Return a button for each verb that needs further words, if there are so many."""
    longer = _longer(desk)
    buttons = [Button(f"{verb.capitalize()}…", desk.control("at", verb)) for verb in longer]
    return buttons if len(buttons) >= least else []


def _longer(desk: Desk) -> list[str]:
    """Return the verbs that need further words, the most usual first: in the order in which a title has its actions."""
    short = short_verbs(desk.legal)
    found = set(verbs(desk.legal)) - short
    return [verb for verb in dict.fromkeys(kind.verb for kind in desk.game.title.actions) if verb in found]


def _value(desk: Desk, draft: Draft) -> Screen:
    """Return the choice of one value: buttons for a few, menus for many, a form for free numbers and text."""
    asked = draft.asked
    assert asked is not None
    shorts = quick(desk, MOST_WHOLE) if _is_home(desk, draft) else []
    choices = [desk.advised.meant(action) for action in draft.values]
    picture = desk.game.illustrate(desk.request, choices)
    signs = marks(picture, [spoken(action)[asked.name] for action in draft.values])
    labels = [
        " · ".join(part for part in (sign, desk.words(action, asked.name)) if part)
        for sign, action in zip(signs, draft.values, strict=True)
    ]
    labels = [label or spoken(action)[asked.name] for label, action in zip(labels, draft.values, strict=True)]
    if isinstance(picture, Panels):
        labels = _with_runs(desk, draft, labels)
    if picture and any(signs):
        head = picture.title if isinstance(picture, Panels) else asked.help
        picture = msgspec.structs.replace(picture, alt=clip(f"{head}. {'; '.join(labels)}.", MOST_ALT))
    is_open = draft.verb in desk.game.title.open_verbs
    text = _said(desk, draft, f"**{draft.verb.capitalize()}** — {asked.help}")
    at_once = {tip.action for tip in desk.advised.tips} if shorts else set()
    other = [number for number, action in enumerate(choices) if action not in at_once or _goes_on(desk, draft, action)]
    after = ""
    buttons: list[Button] = []
    menus: tuple[Menu, ...] = ()
    if asked.whole and (is_open or len(labels) > MOST_WHOLE):
        amounts = [int(spoken(action)[asked.name]) for action in draft.values]
        room = MOST_AMOUNTS - len(labels) + len(other)  # those among them that are played at once stand there already
        for number in [number for number in common_amounts(amounts) if number in other][: max(room, 0)]:
            buttons.append(Button(clip(labels[number], LABEL), desk.control("at", f"{draft.path}.{number}")))
        least, most = amounts.index(min(amounts)), amounts.index(max(amounts))
        after = f"-# From {labels[least]} to {labels[most]}."
        span = f"{_head(labels[least])} to {_head(labels[most])}"
        buttons.append(Button("Other…", desk.control("ask", f"{draft.path}/{asked.name}/{clip(span, MOST_SPAN)}")))
    elif len(labels) <= (MOST_WHOLE if asked.whole else MOST_BUTTONS) and max(map(len, labels)) <= LABEL:
        for number in other:
            buttons.append(Button(labels[number], desk.control("at", f"{draft.path}.{number}")))
    else:
        menus = _menus(desk, draft, labels)
    if len(labels) > PER_MENU * MOST_MENUS:
        after = f"-# {len(labels) - PER_MENU * MOST_MENUS} more than the menus hold; Other… takes what you type."
    if (is_open and not asked.whole) or len(menus) == MOST_MENUS:
        buttons.append(Button("Other…", desk.control("ask", f"{draft.path}/{asked.name}")))
    buttons = [*shorts, *buttons, *_ways_out(desk, draft)]
    return Screen(text, (picture,) if picture else (), after, menus, rows_of(buttons))


def _with_runs(desk: Desk, draft: Draft, labels: list[str]) -> list[str]:
    """Return the words of tiles with what each brings the best run, where a glance proves that for all of them."""
    title, company = desk.game.title, desk.game.ask().company
    old, told, changed = title.glance(desk.game.state), list[str](), False
    for label, action in zip(labels, draft.values, strict=True) if old else ():
        after = desk.game.play(desk.seat, action).game
        new = title.glance(after.state) if after.ask().company == company else ""
        if not new:
            return labels
        changed |= new != old
        told.append(_with_run(label, old, new))
    if not changed:  # then it is of no use for choosing
        return labels
    buttons = len(labels) <= MOST_BUTTONS and max(map(len, labels)) <= LABEL
    return told if not buttons or max(map(len, told)) <= LABEL else labels


def _with_run(label: str, old: str, new: str) -> str:
    """Return the words of a choice with the best run before and after it, as much as a button holds."""
    if new == old:
        return f"{label} · best run stays"
    whole = f"{label} · best run {old}→{new}"
    return whole if len(whole) <= LABEL else f"{label} · best run {new}"


def _goes_on(desk: Desk, draft: Draft, action: Action) -> bool:
    """Tell whether more than one action has the value that is asked, so that something else is asked after it."""
    asked = draft.asked
    assert asked is not None
    said = spoken(action)
    others = (each for each in desk.legal if each.verb == draft.verb and each != action)
    return any(spoken(each).get(asked.name) == said[asked.name] for each in others)


def common_amounts(amounts: Sequence[int]) -> list[int]:
    """Return the places of four amounts most people want: the least, 5, 10 and 20 more, as far as legal."""
    low = min(amounts, default=0)
    near = [low, low + 5, low + 10, low + 20]
    chosen = [amounts.index(amount) for amount in near if amount in amounts]
    return sorted(list(dict.fromkeys([*chosen, *range(len(amounts))]))[:4])


def _menus(desk: Desk, draft: Draft, labels: list[str]) -> tuple[Menu, ...]:
    """Return as many menus as the values need, side by side instead of pages to turn; what is beyond must be typed."""
    found = []
    for start in range(0, min(len(labels), PER_MENU * MOST_MENUS), PER_MENU):
        part = labels[start : start + PER_MENU]
        options = tuple(Option(clip(label, LINE), str(start + place)) for place, label in enumerate(part))
        several = len(labels) > PER_MENU
        title = f"{_head(part[0])} to {_head(part[-1])}, of {len(labels)}" if several else "Choose…"
        arg = f"{draft.path}/{start // PER_MENU}" if several else draft.path
        found.append(Menu(clip(title, 150), desk.control("pick", arg), options))
    return tuple(found)


def _head(label: str) -> str:
    return label.split(" · ", maxsplit=1)[0]


def _said(desk: Desk, draft: Draft, headline: str) -> str:
    """Return the headline with what is said so far, and what the table waits for."""
    ask = desk.ask()
    said = ", ".join(f"{name} {value}" for name, value in draft.given.items())
    facts = ask.lines if "." not in draft.path else ()
    lines = [headline, *([f"So far: {said}"] if said else []), f"-# {ask.headline}", *(f"-# {line}" for line in facts)]
    return "\n".join(lines)


def _is_home(desk: Desk, draft: Draft) -> bool:
    """Tell whether this is the first screen of the desk: the value of the most usual verb is asked at once."""
    return draft.path == _longer(desk)[0]


def _ways_out(desk: Desk, draft: Draft) -> list[Button]:
    if _is_home(desk, draft) and not desk.basket:
        others = [button for button in openers(desk) if button.control.arg != draft.verb]
        return [*others, *_plans(desk), *_take_back(desk), _cancel(desk)]
    return [Button("Back", desk.control("at", draft.back)), _cancel(desk)]


def _plans(desk: Desk) -> list[Button]:
    """Return the button of all ways to run, where a company runs."""
    runs = any(tip.short is not None for tip in desk.advised.tips)
    return [Button("Other plans…", desk.control("plans"))] if runs else []


def _take_back(desk: Desk) -> list[Button]:
    """Return the button that takes back the last move, if it was this seat's, and the one of standing orders."""
    game = desk.game
    is_own = bool(game.line) and game.log[game.line[-1]].seat == desk.seat
    back = [Button("Take it back", desk.control("undo"))] if is_own else []
    if is_own and len(game.line) > 1 and game.log[game.line[-2]].seat == desk.seat:
        back.append(Button("Restart turn", desk.control("restart")))
    known = game.title.orders
    waits = known is not None and bool(known.moment(game.state).step)
    return [*back, Button("Auto…", desk.control("auto"))] if waits else back


def _cancel(desk: Desk) -> Button:
    return Button("Close", desk.control("shut"))


def _check(desk: Desk, draft: Draft, typed: str) -> Screen:
    """Return what will happen, tried on a copy, with Confirm, Back and Cancel."""
    action = desk.advised.meant(action_of(desk.game, desk.legal, draft))
    played = desk.game.play(desk.seat, action)
    names = desk.names
    lines = [desk.words(action, "") or f"{draft.verb} {' '.join(draft.given.values())}"]
    lines = [*_put_aside(desk), f"**Check — {clip(lines[0], 300)}**", "This will happen:"]
    lines += [f"• {named(desk.game.title.say(event, names), names)}" for event in played.events]
    lines += _earning(desk, played.game)
    lines += _then(played.game, desk) if _is_open(desk, played.game) or desk.basket else []
    if typed:
        lines.insert(1, quoted(typed))
    meant = f"{draft.path}~{mark(action)}"
    buttons = [Button("Confirm all" if desk.basket else "Confirm", desk.control("do", meant), "good")]
    if _is_open(desk, played.game):
        buttons.append(Button("And then…", desk.control("basket", meant)))
    if declined := _declined(desk, played.game):
        words = ", ".join(label[:1].lower() + label[1:] for label in declined)
        label = clip(f"Confirm, {words}", LABEL)
        buttons.append(Button(label, desk.control("do", f"{meant}~{len(declined)}"), "good"))
    if draft.back:
        buttons.append(Button("Back", desk.control("at", draft.back)))
    buttons.append(Button("Cancel", desk.control("at"), "bad"))
    return Screen(clip("\n".join(lines), 3500), preview(desk, played.action, played.game), rows=rows_of(buttons))


def _earning(desk: Desk, after: Game) -> list[str]:
    """Return what a move brings the runs of the company, where that is found quickly."""
    title, company = desk.game.title, desk.game.ask().company
    old = title.glance(desk.game.state)
    if not old or after.ask().company != company:
        return []
    new = title.glance(after.state)
    if not new:
        return []
    return [f"Best run {old} → **{new}**" if new != old else f"Best run stays {old}"]


def _declined(desk: Desk, after: Game) -> list[str]:
    """Return the words of all that may be declined next in the same turn, one step after the other."""
    found: list[str] = []
    company, no = after.ask().company, decline(desk.game.title.actions)
    while no is not None and company and after.ask().company == company and after.ask().seats[:1] == (desk.seat,):
        try:
            declined = after.play(desk.seat, no).game
        except RuleError:
            break
        found.append(named(after.title.label(after.state, no, ""), desk.names) or no.verb)
        after = declined
    return found


def preview(desk: Desk, action: Action, after: Game) -> tuple[View, ...]:
    """Return the map as it will look if the move changes it, else the title's picture of the move."""
    first = next((picture for picture in desk.game.title.pictures if picture.every_turn), None)
    if first is not None:
        request = Request(first.name, desk.seat, names=desk.names)
        before, then = desk.game.look(request), after.look(request)
        if has_changed(before, then):
            return (with_changes(before, then, "what this changes"),)
    drawn = desk.game.illustrate(desk.request, (action,))
    return () if drawn is None else (drawn,)


def quoted(typed: str) -> str:
    """Return typed text as a line of the message, from which Confirm reads it again."""
    return f"Typed: `{typed.replace('`', '')}`"


def unquoted(text: str) -> str:
    """Return the text that ``quoted`` put into a message; empty if there is none."""
    _, found, rest = text.rpartition("Typed: `")
    return rest.split("`")[0] if found else ""
