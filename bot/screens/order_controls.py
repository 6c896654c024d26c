"""Buttons and forms of standing orders, which move for a person."""

import msgspec

from bot.model.errors import BotError
from bot.model.orders import Kind, OrderWish, describe_order, explain_order, read_rules
from bot.screens.answer import Answer
from bot.screens.desk_menus import fit_label
from bot.screens.open_desk import show_outcome
from bot.screens.screen import (
    MAX_BUTTONS,
    OUT_OF_DATE,
    WHOLE_SCREEN,
    Button,
    Control,
    Form,
    Screen,
    fit_phone,
    make_rows,
    read_number,
)
from bot.service.standing_orders import build_order
from bot.service.table import Delivery
from bot.service.workers.tasks import OFFERS

MAX_ORDER_BUTTONS = 20
MAX_WISH_LENGTH = 64
"""Characters of an order in an id, so that the ids of the buttons made of it have room for a larger limit."""
_ORDERS: tuple[Kind, ...] = ("pass", "buy", "bid", "run", "steps")


async def show_orders(answer: Answer, control: Control) -> None:
    """Show the orders that fit this moment, and those that hold."""
    here = await answer.services.table.load_position(control.game)
    seats = here.table.list_playable(answer.user)
    offers = await answer.services.workers.do(OFFERS, seats[0], here.course) if seats else []
    mine = await answer.services.orders.list_active(control.game, answer.user)
    lines = ["**What should a standing order do for you?**", "-# It stops when you can respond to something."]
    lines += [f"-# {order.id}: {describe_order(order)}" for order in mine]
    back, buttons = Button("Back", Control(control.game, here.version, "act")), list[Button]()
    for wish in offers:
        verb = "bidform" if wish.kind == "bid" else "order"
        label = f"{describe_order(build_order(here, answer.user, wish)).capitalize()}…"
        buttons.append(Button(fit_label(label), Control(control.game, here.version, verb, _write_wish(wish))))
    if seats and here.game.title.orders is not None:
        buttons.append(Button("On a condition…", Control(control.game, here.version, "ifform")))
    buttons += [
        Button(f"Clear order {order.id}", Control(control.game, here.version, "unorder", str(order.id)), "bad")
        for order in mine[:5]
    ]
    buttons.insert(MAX_BUTTONS - 1, back)
    more = Control(control.game, here.version, "auto", WHOLE_SCREEN)
    text, rows = fit_phone(lines, buttons[:MAX_ORDER_BUTTONS], more, whole=control.arg == WHOLE_SCREEN)
    await answer.show(Screen(text, rows=rows))


async def show_order(answer: Answer, control: Control) -> None:
    """Show what an order does and when it stops, before it is set."""
    here = await answer.services.table.load_position(control.game)
    wish = _read_wish(control.arg)
    words = explain_order(build_order(here, answer.user, wish))
    buttons = [
        Button("Set this order", Control(control.game, here.version, "orders", control.arg), "good"),
        Button("Back", Control(control.game, here.version, "auto")),
    ]
    await answer.show(Screen(words, rows=make_rows(buttons)))


async def set_order(answer: Answer, control: Control) -> None:
    """Set an order."""
    outcome = await answer.services.orders.set_order(
        control.game, answer.user, _read_wish(control.arg), Delivery(answer.key, control.version)
    )
    await show_outcome(answer, outcome)


async def open_limit_form(answer: Answer, control: Control) -> None:
    """Ask how far a bid may go; a form must be the first answer."""
    form = Control(control.game, control.version, "bidmost", control.arg)
    await answer.open_form(Form("Bid for me", form, "Your maximum bid", "0 drops out of this lot"))


async def take_limit(answer: Answer, control: Control) -> None:
    """Take the limit of a bid, and say what the order does."""
    typed = "".join(answer.values).strip()
    if (amount := read_number(typed)) is None:
        raise BotError("The limit must be a whole number, such as 40.")
    wish = msgspec.structs.replace(_read_wish(control.arg), amount=amount)
    await show_order(answer, Control(control.game, control.version, "order", _write_wish(wish)))


async def open_rules_form(answer: Answer, control: Control) -> None:
    """Ask for a move on a condition; a form must be the first answer."""
    form = Control(control.game, control.version, "ifsaid")
    hint = "if Bob bids over 50, pass; else bid 60"
    await answer.open_form(Form("Move on a condition", form, "What to do on your next turn", hint))


async def take_rules(answer: Answer, control: Control) -> None:
    """Set a move on a condition; the answer says it in words, and from the list it can be cleared."""
    table = await answer.services.lobby.get_table(control.game)
    wish = OrderWish("if", rules=read_rules("".join(answer.values), table.names))
    outcome = await answer.services.orders.set_order(
        control.game, answer.user, wish, Delivery(answer.key, control.version)
    )
    await show_outcome(answer, outcome)


async def clear_order(answer: Answer, control: Control) -> None:
    """Take an order away."""
    if (number := read_number(control.arg)) is None:
        raise BotError(OUT_OF_DATE)
    await answer.services.orders.cancel(control.game, answer.user, number)
    await show_orders(answer, control)


def _write_wish(wish: OrderWish) -> str:
    return f"{wish.kind};{wish.company};{wish.amount};{','.join(wish.steps)}{'+' * wish.keep}{'>' * wish.coming}"


def _read_wish(arg: str) -> OrderWish:
    """Read an order from a control.

    Raises:
        BotError: it is none.
    """
    parts = arg.split(";") if len(arg) <= MAX_WISH_LENGTH else []
    amount = read_number(parts[2]) if len(parts) == 4 else None
    if amount is None:
        raise BotError(OUT_OF_DATE)
    coming, rest = parts[3].endswith(">"), parts[3].removesuffix(">")
    steps = tuple(word for word in rest.removesuffix("+").split(",") if word)
    for kind in _ORDERS:
        if kind == parts[0]:
            return OrderWish(kind, parts[1], amount, steps=steps, keep=rest.endswith("+"), coming=coming)
    raise BotError(OUT_OF_DATE)
