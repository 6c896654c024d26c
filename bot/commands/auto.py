"""``/auto``: standing orders, which move for you until something happens that you can answer."""

import re

from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Reply
from bot.model.errors import BotError
from bot.model.orders import ANY, OrderWish, describe_order, read_rules
from bot.model.records import Choice
from bot.screens.text import format_outcome
from bot.service.workers.tasks import ORDERABLE

_PERCENT_PER_SHARE = 10
"""Percent of a share, where people say percent."""
_MAX_SHARES = 10
"""Shares of a company."""


def build_auto() -> Group:
    """Return the group of standing orders."""
    company = CommandParameter("company", "which company", required=True, completes=True)
    lot = CommandParameter("on", "which company or lot; “any” for whatever is auctioned", required=True, completes=True)
    limit = CommandParameter("up_to", "your maximum bid; 0 drops out", "int", required=True)
    until = CommandParameter("until", "when to stop: float, a number of shares such as 5, or 50%")
    source = CommandParameter(
        "source", "where to buy them", choices=tuple(Choice(n, n) for n in ("ipo", "pool", "treasury"))
    )
    steps = CommandParameter("steps", "the steps to skip, separated by commas", required=True, completes=True)
    of = CommandParameter("company", "which company; all your companies if left out", completes=True)
    keep = CommandParameter("keep", "yes: keep the order after this round, until you clear it", "bool")
    coming = CommandParameter("next", "yes: pass in the next stock round, not this one", "bool")
    fast = CommandParameter("on", "no: go back to bidding in turn", "bool")
    links = CommandParameter("links", "links in the order to build them: Denver-Omaha, Omaha-Chicago", required=True)
    rules = CommandParameter("rules", "such as: if Bob passes, pass; if IOW < 100 buy IOW, else pass", required=True)
    which = CommandParameter("which", "number of the order; all orders if left out", "int", completes=True)
    return Group(
        "auto",
        "Set standing orders: the bot moves for you.",
        (
            Command("pass", "Auto-pass this stock round until another player affects you.", (coming, GAME), _pass),
            Command("buy", "Buy a share of a company each turn.", (company, until, source, GAME), _buy, _complete),
            Command("bid", "Bid up to your maximum.", (lot, limit, GAME), _bid, _complete),
            Command(
                "run", "Run a company's best routes and pay out, every time.", (company, keep, GAME), _run, _complete
            ),
            Command("skip", "Skip steps of your companies' turns.", (steps, of, keep, GAME), _skip, _complete),
            Command("build", "Build links from a list, in order.", (company, links, GAME), _build, _complete),
            Command("if", "Move on a condition, such as what a player does before you.", (rules, GAME), _if),
            Command("fast", "Ask for fast auctions: all players set their maximum bids at once.", (fast, GAME), _fast),
            Command("list", "List your orders at this table.", (GAME,), _list),
            Command("clear", "Clear one or all of your orders.", (which, GAME), _clear, _complete_orders),
        ),
    )


async def _set(call: Call, wish: OrderWish) -> Reply:
    game = await call.find_game()
    outcome = await call.services.orders.set_order(game, call.person.id, wish, call.delivery)
    if outcome.ask is None or outcome.line or outcome.handed_over:
        return Reply(format_outcome(outcome), game=game, outcome=outcome)
    return Reply("\n".join(outcome.sentences), game=game)


async def _pass(call: Call) -> Reply:
    return await _set(call, OrderWish("pass", coming=call.values.get("next") is True))


async def _buy(call: Call) -> Reply:
    wish = OrderWish(
        "buy", call.read_text("company"), read_shares(call.read_text("until", "float")), call.read_text("source")
    )
    return await _set(call, wish)


def read_shares(until: str) -> int:
    """Return how many shares are wanted; 0 until the company floats.

    Raises:
        BotError: the text says neither.
    """
    word = until.strip().lower()
    if word == "float":
        return 0
    found = re.fullmatch(r"(\d{1,3})\s*(%?)", word)
    count, left = divmod(int(found[1]), _PERCENT_PER_SHARE if found[2] else 1) if found else (0, 0)
    if not count or left:
        raise BotError("until must be float, a number of shares such as 5, or a percentage such as 50%.")
    if count > _MAX_SHARES:
        raise BotError(f"A company has only {_MAX_SHARES} shares; until can be at most {_MAX_SHARES} or 100%.")
    return count


async def _bid(call: Call) -> Reply:
    return await _set(call, OrderWish("bid", call.read_text("on"), call.read_int("up_to") or 0))


async def _run(call: Call) -> Reply:
    return await _set(call, OrderWish("run", call.read_text("company"), keep=call.values.get("keep") is True))


async def _skip(call: Call) -> Reply:
    steps = tuple(word.strip() for word in call.read_text("steps").split(",") if word.strip())
    return await _set(
        call, OrderWish("steps", call.read_text("company"), steps=steps, keep=call.values.get("keep") is True)
    )


async def _build(call: Call) -> Reply:
    links = tuple(word.strip()[:60] for word in call.read_text("links").split(",") if word.strip())[:20]
    return await _set(call, OrderWish("build", call.read_text("company"), links=links))


async def _if(call: Call) -> Reply:
    table = await call.services.lobby.get_table(await call.find_game())
    return await _set(call, OrderWish("if", rules=read_rules(call.read_text("rules"), table.names)))


async def _fast(call: Call) -> Reply:
    game, on = await call.find_game(), call.values.get("on") is not False
    outcome = await call.services.agreements.set_fast_auctions(game, call.person.id, call.delivery, on=on)
    return Reply(format_outcome(outcome), game=game, outcome=outcome)


async def _list(call: Call) -> Reply:
    game = await call.find_game()
    table = await call.services.lobby.get_table(game)
    lines = [
        f"{order.id}: {describe_order(order)}" for order in await call.services.orders.list_active(game, call.person.id)
    ]
    lines += [
        f"Stopped: {describe_order(each)}. {each.reason}"
        for each in await call.services.orders.collect_stopped(table, call.person.id)
    ]
    return Reply(
        "\n".join(lines) or "You have no orders at this table. To set one, use for example /auto pass or /auto run.",
        game=game,
    )


async def _clear(call: Call) -> Reply:
    game = await call.find_game()
    gone = await call.services.orders.cancel(game, call.person.id, call.read_int("which"))
    return Reply("Cleared: " + "; ".join(describe_order(order) for order in gone) + ".", game=game)


async def _complete(call: Call, parameter: str) -> list[Choice]:
    here = await call.services.table.load_position(await call.find_game())
    companies, steps = await call.services.workers.do(ORDERABLE, None, here.course)
    if parameter == "steps":
        said = [word.strip() for word in call.read_text("steps").split(",") if word.strip() in dict(steps)]
        left = [(step, words) for step, words in steps if step not in said]
        return [Choice(", ".join([*said, step]), ", ".join([*said, words])) for step, words in left]
    found = [Choice(code, words) for code, words in companies]
    return [Choice(ANY, "whatever is auctioned"), *found] if parameter == "on" else found


async def _complete_orders(call: Call, parameter: str) -> list[Choice]:
    del parameter
    found = await call.services.orders.list_active(await call.find_game(), call.person.id)
    return [Choice(str(order.id), describe_order(order)) for order in found]
