"""A standing order: what is wished, what has come of it since, and its words; the grammar of conditional orders."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal

import msgspec

from bot.model.errors import BotError
from engine import Record
from engine.fuzzy import strip_currency
from engine.words import join_words

Kind = Literal["pass", "buy", "bid", "run", "steps", "build", "if"]
ANY = "any"
"""The lot of a bid that holds for whatever is sold."""
ROUND = "this"
"""The round of an order that is not set yet and shall end with its round."""
AFTER = "after "
"""How the round of an order begins that waits for the next stock round; then the round it was set in."""


class Heard(Record, frozen=True):
    """Something that happened after an order was set: about which company, in words, after how many moves in force.

    Where ``company`` is empty there is no answer to it, and the order holds no more.
    """

    company: str
    words: str
    at: int


class Condition(Record, frozen=True):
    """A player's last move, or the price of a share, as a rule of an order looks at it.

    Args:
        who: the player, by name; empty if it is about a price. seat: theirs.
        verb: of their move. company: it is about, or whose price counts; empty for any.
        sign: how a bid or a price compares with ``number``; empty if no number is given.
    """

    who: str = ""
    seat: int = -1
    verb: str = ""
    company: str = ""
    sign: Literal["", "<", "<=", "=", ">=", ">"] = ""
    number: int = 0


class OrderedMove(Record, frozen=True):
    """A move of a conditional order: a verb, a company or lot, shares or an amount, where shares are bought."""

    verb: str
    company: str = ""
    number: int = 0
    source: str = ""


class OrderRule(Record, frozen=True):
    """A move, and when it is made; ``None`` if no rule before it holds."""

    move: OrderedMove
    when: Condition | None = None


class OrderWish(Record, frozen=True):
    """An order as a person wishes it.

    Args:
        kind: what it does, see ``bot/service/orders.py``.
        company: what it is about: a company, a lot; ``ANY`` lot; empty for none, or all companies of the seat.
        amount: bid up to; shares to hold in the end, 0 until the company floats.
        source: where shares are bought, empty for wherever they are to be had.
        steps: to be passed. links: to be built, in this order. rules: of a conditional order; none when it has moved.
        keep: it outlives its round. coming: it is for the next stock round, as is a pass that is set in no stock round.
    """

    kind: Kind
    company: str = ""
    amount: int = 0
    source: str = ""
    steps: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    rules: tuple[OrderRule, ...] = ()
    keep: bool = False
    coming: bool = False


class Order(OrderWish, frozen=True, kw_only=True):
    """A standing order.

    Args:
        id: its number. seat: whose.
        round: in which it was set and with which it ends; ``AFTER`` and that round while it waits for the next stock
            round; empty if it outlives rounds.
        since: moves in force when it was set. last: when it acted last.
        seen: the price, or the revenue, that may not fall. heard: what alarms since it was set.
        state: active, or why it is not any more. reason: of its stop.
        by_proxy: as its reader sees it: another person set it for their seat.
    """

    id: int
    seat: int
    round: str = ""
    since: int = 0
    last: int = 0
    seen: int = 0
    heard: tuple[Heard, ...] = ()
    state: Literal["active", "stopped", "done", "cancelled"] = "active"
    reason: str = ""
    by_proxy: bool = False


def change_order(order: Order, **fields: Any) -> Order:  # noqa: ANN401  # fields of an order
    """Return an order with other fields."""
    return msgspec.structs.replace(order, **fields)


def replaces(new: Order, old: Order) -> bool:
    """Return whether a new order takes the place of an old one: the same seat's, of the same kind, about the same."""
    subjects = {(each.seat, each.kind, each.company, frozenset(each.steps), each.coming) for each in (new, old)}
    return len(subjects) == 1


def describe_order(order: Order) -> str:
    """Return an order in a few words."""
    until = f"until you hold {order.amount} shares" if order.amount else "until it floats"
    words = {
        "pass": f"pass in {'the next' if order.coming else 'this'} stock round",
        "buy": f"buy {order.company} {until}",
        "bid": f"bid for {'any lot' if order.company == ANY else order.company} up to {order.amount}",
        "run": f"make the best run of {order.company} and pay out",
        "steps": f"pass {', '.join(order.steps)}" + (f" for {order.company}" if order.company else ""),
        "build": f"build with {order.company}: {', '.join(order.links)}",
        "if": f"{'in the next stock round, ' if order.coming else ''}{write_rules(order.rules)}",
    }
    is_named = order.round and order.round != ROUND and not order.coming
    by_proxy = ", set by your proxy" if order.by_proxy else ""
    return words[order.kind] + (f" ({order.round})" if is_named else "") + by_proxy


STOP_REASONS: dict[Kind, str] = {
    "pass": "another player sells shares, comes within one share of a company you direct, or starts a company, and you "
    "could respond",
    "buy": "its price changes, you can't buy it, or another player does something you could respond to",
    "bid": "the lot is sold (above your limit, you drop out)",
    "run": "the best run earns less than the last one or can't be paid out",
    "steps": "you can't pass",
    "build": "the next link can't be built",
    "if": "none of its conditions is true on your turn, one can't be decided, its move isn't possible, or the lot is "
    "sold (you then decide as usual)",
}


def explain_order(order: Order) -> str:
    """Return what an order does and when it stops."""
    whole = "that round" if order.coming else "this round" if order.round == ROUND else order.round
    whole = "this auction" if "lots left" in whole else whole
    ends = f"at the end of {whole}" if order.round else "when you clear it"
    once = " It acts once, on your turn, and looks only at what players do after you set it." * (order.kind == "if")
    return (
        f"Standing order: {describe_order(order)}.{once} It stops if {STOP_REASONS[order.kind]}; if a company goes "
        "bankrupt; if an undo goes "
        f"back before it was set; and {ends}. No one else sees it before it acts; its moves are marked ⚙. To remove "
        "it, use /auto clear."
    )


MAX_RULES_CHARACTERS = 400
"""Characters of a conditional order."""
MAX_RULES = 6
_SOURCES = ("ipo", "pool", "treasury")
_THIRD = {"passes": "pass", "buys": "buy", "sells": "sell", "starts": "start", "bids": "bid"}
_SIGNS = {
    "<": "under|below|less than|<", "<=": "at most|up to|<=|≤", "=": "exactly|=", ">=": "at least|>=|≥",
    ">": "over|above|more than|>",
}  # fmt: skip
_SIGN = "|".join(f"(?:{words})" for words in sorted(_SIGNS.values(), key=lambda words: "=" not in words))
_ELSE_IF = re.compile(r"\b(?:else|otherwise),? if\b", re.IGNORECASE)
_BETWEEN_RULES = re.compile(r" ?; ?|[ ,.]+(?=(?:else|otherwise|if)\b)", re.IGNORECASE)
_RULE = re.compile(
    r"(?:if (?P<when>.{1,200}?)|(?:else|otherwise))[ ,:]+(?:then[ ,:]+)?(?P<verb>pass|buy|sell|bid)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"(?P<company>[^\s<>=≤≥'’]{1,20})(?:['’]s)?(?: price)?(?: is| costs)? ?"
    rf"(?P<sign>{_SIGN}) ?[£$€]?(?P<number>\d{{1,6}})",
    re.IGNORECASE | re.ASCII,
)
_DEED = re.compile(
    rf"(?P<verb>{'|'.join(_THIRD)})(?: (?:(?:a|shares?|a share) (?:of |in )?)?(?P<company>[^\s<>=≤≥\d£$€]\S{{0,19}}))??"
    rf"(?: ?(?P<sign>{_SIGN})? ?[£$€]?(?P<number>\d{{1,6}}))?",
    re.IGNORECASE | re.ASCII,
)
_TABLE = r"(?P<table>#\s?\d{1,9}[ :.]\s*)?"
_CONDITIONAL = re.compile(
    rf"{_TABLE}if (?P<rules>.{{1,120}}?(?:\b(?:{'|'.join(_THIRD)})\b|(?:{_SIGN}) ?[£$€]?\d).*)", re.IGNORECASE
)
_FURTHER_RULE = re.compile(r"(?:else|otherwise|if)\b", re.IGNORECASE)
_BEFORE_RULES = re.compile(r"; ?(?=if\b)", re.IGNORECASE)
_MIN_WRAPPED_LETTERS = 60
"""A line so long may have been broken by a mail program."""
_MARKS = str.maketrans({":": ",", **dict.fromkeys('"“”„«»')})
_FILLING = frozenset(("a", "share", "shares", "of", "from", "the", "for", "in", "on"))


def read_rules(text: str, names: Sequence[str]) -> tuple[OrderRule, ...]:
    """Return the rules of a conditional order: "if Bob passes, pass; if IOW < 100 buy IOW, else pass".

    Args:
        text: as typed; the first "if" can be left out.
        names: of the players, by seat.

    Raises:
        BotError: it has no such meaning.
    """
    line = " ".join(text.replace("\n", ";").split()).strip(" .;,")
    if len(line) > MAX_RULES_CHARACTERS:
        raise BotError(f"A conditional order can have {MAX_RULES_CHARACTERS} characters; this one has {len(line)}.")
    line = _ELSE_IF.sub("if", line if line[:3].casefold() == "if " else f"if {line}")
    parts = [part.strip(" ,.") for part in _BETWEEN_RULES.split(line) if part.strip(" ,.")]
    if len(parts) > MAX_RULES:
        raise BotError(f"A conditional order can have {MAX_RULES} rules; this one has {len(parts)}.")
    found = list[re.Match[str]]()
    for part in parts:
        match = _RULE.fullmatch(part)
        if match is None:
            raise BotError(
                f"I can't read “{part[:60]}”. Write a condition and a move (pass, buy, sell or bid), such as: if Bob "
                "passes, pass; if IOW < 100 buy IOW, else pass."
            )
        found.append(match)
    moves = tuple(map(_read_move, found))
    conditions = [match["when"] and _read_condition(match["when"].strip(" ,:"), names) for match in found]
    rules = tuple(OrderRule(move, when or None) for move, when in zip(moves, conditions, strict=True))
    if any(rule.when is None for rule in rules[:-1]):
        raise BotError("“else” must come last: no rule after it could ever apply.")
    return rules


def _read_condition(words: str, names: Sequence[str]) -> Condition:
    """Return a condition: what a player does, whose name it begins with, or how a price compares."""
    if price := _PRICE.fullmatch(words):
        return Condition(company=price["company"], sign=_find_sign(price["sign"]), number=int(price["number"]))
    whose = [
        (name, seat, deed)
        for seat, name in enumerate(names)
        if words[: len(name) + 1].casefold() == f"{name} ".casefold()
        and (deed := _DEED.fullmatch(words[len(name) + 1 :]))
    ]
    if len(whose) != 1:
        raise BotError(
            f"I can't read “{words[:60]}” as a condition. Write, for example, “{names[-1]} passes”, “{names[-1]} bids "
            f"over 50”, “{names[-1]} sells IOW” or “IOW < 100”. The players are {join_words(names)}."
        )
    name, seat, deed = whose[0]
    verb, number = _THIRD[deed["verb"].casefold()], deed["number"]
    if (number and verb != "bid") or (deed["company"] and verb in ("pass", "bid")):
        raise BotError(f"I can't read “{words[:60]}”: a bid goes with an amount, a purchase or sale with a company.")
    sign = _find_sign(deed["sign"] or "=") if number is not None else ""
    return Condition(name, seat, verb, deed["company"] or "", sign, int(number or 0))


def _find_sign(words: str) -> Literal["<", "<=", "=", ">=", ">"]:
    signs: tuple[Literal["<", "<=", "=", ">=", ">"], ...] = ("<", "<=", "=", ">=", ">")
    return next(sign for sign in signs if words.casefold() in _SIGNS[sign].split("|"))


def _read_move(found: re.Match[str]) -> OrderedMove:
    """Return the move of a rule: "buy IOW from the pool", "sell 2 IOW", "bid 60"."""
    verb, rest = found["verb"].casefold(), found["rest"]
    words = [word for word in strip_currency(rest).strip(" .,").split() if word.casefold() not in _FILLING]
    numbers = [int(word) for word in words if re.fullmatch(r"[0-9]{1,6}", word)]
    sources = [word.casefold() for word in words if word.casefold() in _SOURCES]
    rest_of = [word for word in words if not re.fullmatch(r"[0-9]{1,6}", word) and word.casefold() not in _SOURCES]
    company, number, source = (*rest_of, "")[0], (*numbers, 0)[0], (*sources, "")[0]
    wanted = {"pass": (0, 0), "buy": (1, 0), "sell": (1, 1), "bid": (len(rest_of[:1]), 1)}[verb]
    if (len(rest_of), len(numbers)) != wanted or len(sources) > (verb == "buy"):
        raise BotError(
            f"I can't read “{' '.join(f'{verb}{rest}'.split())[:60]}” as a move. Write pass, buy IOW, buy IOW from "
            "the pool, sell 2 IOW, or bid 60."
        )
    return OrderedMove(verb, company[:20], number, source)


def write_rules(rules: Sequence[OrderRule]) -> str:
    """Return rules in words that ``read_rules`` reads again: "if Bob bids over 50, pass; else bid 60"."""
    words = list[str]()
    for rule in rules:
        if (when := rule.when) is None:
            words.append(f"else {write_move(rule.move)}")
            continue
        than = f"{_SIGNS[when.sign].partition('|')[0]} {when.number}" if when.sign else ""
        verb = next((third for third, verb in _THIRD.items() if verb == when.verb), "")
        fact = (when.who, verb, when.company, than) if when.who else (when.company, "is", than)
        words.append(f"if {' '.join(filter(None, fact))}, {write_move(rule.move)}")
    return "; ".join(words)


def write_move(move: OrderedMove) -> str:
    """Return a move in words: "buy IOW from the pool", "sell 2 IOW"."""
    source = f"from the {move.source}" if move.source else ""
    number = str(move.number) if move.number or move.verb in ("sell", "bid") else ""
    order = (move.verb, number, move.company, source)
    return " ".join(filter(None, order))


def join_rules(lines: Sequence[str]) -> list[str]:
    """Return lines of a letter; a conditional order, with the lines that go on with it, as one command.

    What only begins with "if" stays as it is.
    """
    found: list[str] = []
    parts = ([line] if _CONDITIONAL.match(line) else _BEFORE_RULES.split(line, maxsplit=1) for line in lines)
    for line in chain.from_iterable(parts):
        command = found[-1].partition("/auto if ")[2] if found else ""
        is_wrapped = len(command) >= _MIN_WRAPPED_LETTERS or command[-1:] in (",", ";")
        if command and (is_wrapped or _FURTHER_RULE.match(line)):
            found[-1] += f" {line}" if is_wrapped else f"; {line}"
        elif rules := _CONDITIONAL.fullmatch(line):
            found.append(f"{rules['table'] or ''}/auto if {rules['rules'].translate(_MARKS)}")
        else:
            found.append(line)
    return found
