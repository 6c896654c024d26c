"""The check of a move: what it will bring, tried on a copy, before it is confirmed."""

from bot.screens.at_desk import Desk
from bot.screens.draft import Draft, action_of, mark
from bot.screens.screen import LABEL, Button, Screen, clip, rows_of
from bot.service.changes import has_changed, with_changes
from engine import Action, Game, Request, RuleError
from engine.english import once
from engine.title import named
from engine.view import View
from engine.words import decline


def put_aside(desk: Desk) -> list[str]:
    """Return what the moves that were put aside bring, a line each."""
    return ["**In your basket** (nothing is played yet)", *(f"• {told}" for told in desk.basket)] if desk.basket else []


def then(after: Game, desk: Desk) -> list[str]:
    """Return how a player would stand after the moves: money, certificates, what is left to do."""
    ask = after.ask().named(desk.names)
    return [f"-# Then: {line}" for line in ask.lines] if desk.seat in ask.seats else []


def _is_open(desk: Desk, after: Game) -> bool:
    """Tell whether a player's own turn goes on after a move, so that others may be added to it."""
    ask = after.ask()
    return not desk.game.ask().company and not ask.company and ask.seats[:1] == (desk.seat,)


def check(desk: Desk, draft: Draft, typed: str) -> Screen:
    """Return what will happen, tried on a copy, with Confirm, Back and Cancel."""
    action = desk.advised.meant(action_of(desk.game, desk.legal, draft))
    played = desk.game.play(desk.seat, action)
    names = desk.names
    lines = [desk.words(action, "") or f"{draft.verb} {' '.join(draft.given.values())}"]
    lines = [*put_aside(desk), f"**Check — {clip(lines[0], 300)}**", "This will happen:"]
    lines += [
        f"• {named(told, names)}" for told in once(desk.game.title.words.say(event, names) for event in played.events)
    ]
    lines += _earning(desk, action)
    lines += then(played.game, desk) if _is_open(desk, played.game) or desk.basket else []
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


def _earning(desk: Desk, action: Action) -> list[str]:
    """Return what a move brings the runs of the company, where that is found quickly."""
    gains = desk.gained()
    old, new = gains.now, gains.after(desk.seat, action)
    if old is None or new is None:
        return []
    return [f"Best run {old.words} → **{new.words}**" if new.words != old.words else f"Best run stays {old.words}"]


def _declined(desk: Desk, after: Game) -> list[str]:
    """Return the words of all that may be declined next in the same turn, one step after the other."""
    found: list[str] = []
    company, no = after.ask().company, decline(desk.game.title.actions)
    while no is not None and company and after.ask().company == company and after.ask().seats[:1] == (desk.seat,):
        try:
            declined = after.play(desk.seat, no).game
        except RuleError:
            break
        found.append(named(after.title.words.label(after.state, no, ""), desk.names) or no.verb)
        after = declined
    return found


def preview(desk: Desk, action: Action, after: Game) -> tuple[View, ...]:
    """Return the map as it will look if the move changes it, else the title's picture of the move."""
    first = next((picture for picture in desk.game.title.views.pictures if picture.every_turn), None)
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
