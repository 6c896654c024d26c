"""What is said of a standing order."""

from bot.model.orders import ANY, ROUND, Kind, Order


def title(order: Order) -> str:
    """Return an order in a few words."""
    until = f"until you hold {order.amount} shares" if order.amount else "until it floats"
    words = {
        "pass": f"pass in {'the next' if order.coming else 'this'} stock round",
        "buy": f"buy {order.company} {until}",
        "bid": f"bid for {'whatever is sold' if order.company == ANY else order.company} up to {order.amount}",
        "run": f"run {order.company} for the best and pay",
        "steps": f"pass {', '.join(order.steps)}" + (f" of {order.company}" if order.company else ""),
        "build": f"build with {order.company}: {', '.join(order.links)}",
    }
    is_named = order.round and order.round != ROUND and not order.coming
    return words[order.kind] + (f" ({order.round})" if is_named else "")


STOPS: dict[Kind, str] = {
    "pass": "somebody sells shares, comes within one share of a company you direct, or starts a company, and you could "
    "answer it",
    "buy": "its price changes, you cannot buy it, or somebody does what you could answer",
    "bid": "the lot is gone (beyond your limit it drops out)",
    "run": "the best run is less than the last one, or cannot be paid",
    "steps": "you may not pass",
    "build": "the next link cannot be built",
}


def told(order: Order) -> str:
    """Return what an order does and when it stops."""
    ends = f"at the end of {'that round' if order.coming else order.round}" if order.round else "when you clear it"
    return (
        f"Standing order: {title(order)}. It stops when {STOPS[order.kind]}; at a bankruptcy; when moves are taken "
        f"back across it; and {ends}. Nobody sees it before it acts; its moves are marked ⚙. /auto clear takes it away."
    )
