"""The reading report: what a file of 18xx.games states beside its moves, compared with what followed here.

Such a file tells prices, revenues, passes and the result, although the moves decide them. If what it states differs, or
a move was left out or put in, the game is not quite the one that was written, and the report has a line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from engine.finance.events import ShareBought, SharesSold, TrainBought, TrainsRan
from engine.finance.rounds import Pass
from engine.interop.site import ORDERS, Raw, read_amount, read_subsidy
from engine.record import Action, Event, Record
from engine.title import Result
from engine.titles.g1860.events import PrivateBought, PrivateSold
from engine.titles.g1862.actions import Run
from engine.titles.g1862.events import MarkerRemoved, RunCorrected, ShareRedeemed
from engine.titles.g1862.steps.running import NONE
from engine.words import pluralise

E = TypeVar("E", bound=Event)
MAX_LINES = 6
"""Repairs that are told one by one."""


class Repair(Record, frozen=True):
    """What an action of a file states otherwise, or what was done to read it: a sentence, with its position."""

    place: int
    words: str


class ReadingReport(Record, frozen=True):
    """How a file that was read differs from the game that was made of it.

    Args:
        repairs: what had to be repaired, in the file's order.
        results: where the stated result differs: player, score in the file, and here.
        end: what differs about the end itself, or nothing.
        currency: stands before a score.
    """

    repairs: tuple[Repair, ...] = ()
    results: tuple[tuple[str, int, int], ...] = ()
    end: str = ""
    currency: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether the file states nothing that differs."""
        return not (self.repairs or self.results or self.end)

    def write_lines(self) -> tuple[str, ...]:
        """Return the report in sentences: how much differs, then the first differences; none if nothing does."""
        if self.is_clean:
            return ()
        shown = [f"Action {each.place}: {each.words}" for each in self.repairs[:MAX_LINES]]
        if len(self.repairs) > MAX_LINES:
            shown.append(f"There are {len(self.repairs) - MAX_LINES} more.")
        shown += [
            f"{name} has {self.currency}{here:,}; the file states {self.currency}{stated:,}."
            for name, stated, here in self.results
        ]
        parts = [f"{pluralise(len(self.repairs), 'thing')} repaired"] * bool(self.repairs)
        off = max((abs(stated - here) for _, stated, here in self.results), default=0)
        parts += [f"the stated result differs by up to {self.currency}{off:,}"] * bool(off)
        parts += ["the end differs"] * bool(self.end)
        return (f"Read; {'; '.join(parts)}.", *shown, *filter(None, (self.end,)))


def compare_action(raw: Raw, said: Sequence[Action], events: Sequence[Event]) -> Iterator[str]:
    """Yield a sentence for each way in which an action differs from what it became.

    Args:
        raw: the action of the site.
        said: what we say for it.
        events: what followed from that.
    """
    kind = raw["type"]
    put_in = sum(isinstance(each, Pass) for each in said) if kind != "pass" else 0
    put_in += sum(isinstance(each, Run) and each.plan == NONE for each in said) if kind != "run_routes" else 0
    if put_in:
        yield f"{pluralise(put_in, 'pass', 'passes')} that the file leaves out came before it."
    if kind == "pass" and not said:
        yield f"No one is asked for the pass of {str(raw.get('entity'))[:20]}, so it was left out."
    compare = _COMPARE.get(str(kind))
    if compare is not None and said:
        yield from compare(raw, events)


def compare_result(
    stated: Mapping[str, int] | None, status: str, result: Result | None, people: Sequence[tuple[str, str]]
) -> ReadingReport:
    """Return where the end of a file differs from that of the game.

    Args:
        stated: the result in the file, by player id.
        status: "finished" where the file says that the game is over.
        result: of the game; ``None`` while it goes on.
        people: id and name of each seat.
    """
    if result is None:
        return ReadingReport(end="The file states that the game is over, but it goes on." * (status == "finished"))
    if result.reason == "standstill" and status != "finished":
        return ReadingReport()  # 18xx.games goes on from round to round; it states what the players have so far
    scores = {people[score.seat][0]: score.total for score in result.scores}
    off = tuple(
        (name, stated[id_], scores[id_])
        for id_, name in people
        if stated and stated.get(id_, scores[id_]) != scores[id_]
    )
    strangers = [id_ for id_ in stated or () if id_ not in scores]
    end = f"The result names a player {strangers[0][:20]} who isn't in the file." if strangers else ""
    return ReadingReport((), off, end, result.currency)


def _find_event(kind: type[E], events: Sequence[Event]) -> E | None:
    return next((event for event in events if isinstance(event, kind)), None)


def _compare_run(raw: Raw, events: Sequence[Event]) -> Iterator[str]:
    ran, routes = _find_event(TrainsRan, events), raw.get("routes")
    routes = [route for route in routes if isinstance(route, dict)] if isinstance(routes, list) else []
    if ran is None or "plan" in raw or not any("revenue" in route for route in routes):
        return
    revenue = sum(read_amount(route, "revenue") for route in routes) + read_amount(raw, "extra_revenue")
    subsidy = read_subsidy(raw, routes)
    corrected = _find_event(RunCorrected, events)
    earned = (corrected.our_revenue, corrected.our_subsidy) if corrected else (ran.revenue, ran.subsidy)
    if not ran.runs and routes:
        yield f"The routes of {ran.company} break a rule; £{ran.revenue:,} counts, as the file states."
    elif (revenue, subsidy) != earned:
        counts = "; what the file states counts" * (corrected is not None)
        yield (
            f"The file states £{revenue:,} and a subsidy of {subsidy} for a run of {ran.company} that earns "
            f"£{earned[0]:,} and {earned[1]}{counts}."
        )


def _compare_number(field: str, stated: object, real: int) -> Iterator[str]:
    if isinstance(stated, int) and stated != real:
        yield f"The file states {field} {stated}, but it is {real}."


def _compare_train(raw: Raw, events: Sequence[Event]) -> Iterator[str]:
    bought = _find_event(TrainBought, events)
    if bought is None:
        return
    yield from _compare_number("the price", raw.get("price"), bought.price)
    variant = raw.get("variant")
    if isinstance(variant, str) and variant.rstrip("*") != bought.train.rstrip("*"):
        yield f"The file states a {variant[:20]}, but {bought.company} bought a {bought.train}."


def _compare_shares(raw: Raw, events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, SharesSold):
            yield from _compare_number("the price", raw.get("share_price"), event.each)
            yield from _compare_number("the percentage", raw.get("percent"), event.count * 10)
            return
        if isinstance(event, ShareBought | ShareRedeemed):
            yield from _compare_number("the price", raw.get("share_price"), event.price)
            named = raw.get("shares")
            if not (isinstance(named, list) and any(str(share).endswith("_0") for share in named)):  # one of 10% only
                yield from _compare_number("the percentage", raw.get("percent"), 10)
            return


def _compare_private(raw: Raw, events: Sequence[Event]) -> Iterator[str]:
    changed = _find_event(PrivateBought, events) or _find_event(PrivateSold, events)
    if changed is not None:
        yield from _compare_number("the price", raw.get("price"), changed.price)


def _compare_token(raw: Raw, _events: Sequence[Event]) -> Iterator[str]:
    owner = raw.get("tokener")
    if owner is not None and owner != raw.get("entity"):
        yield f"The file states a marker of {str(owner)[:20]}, but it is one of {str(raw.get('entity'))[:20]}."


def _compare_removal(raw: Raw, events: Sequence[Event]) -> Iterator[str]:
    removed = _find_event(MarkerRemoved, events)
    if removed is not None and raw.get("entity") != removed.company:
        yield f"The file states that {str(raw.get('entity'))[:20]} removes a marker, but {removed.company} does."


def compare_order(raw: Raw) -> Iterator[str]:
    """Yield what is wrong with a standing order or a message; none changes the game, so it is left out."""
    what = "standing order" if raw["type"] in ORDERS else "message"
    if raw.get("entity_type") not in (None, "player"):
        yield f"{str(raw.get('entity'))[:20]} isn't a player, so its {what} was left out."
    for field in _NEEDED.get(str(raw["type"]), ()):
        if raw.get(field) is None:
            yield f"This {what} has no {'text' if field == 'message' else field}, so it was left out."


_NEEDED: Mapping[str, Sequence[str]] = {
    "program_buy_shares": ("corporation", "until_condition"),
    "program_disable": ("reason",),
    "program_auction_bid": ("bid_target", "maximum_bid", "buy_price"),
    "message": ("message",),
    "log": ("message",),
}
"""What the site asks of a standing order and of a message."""
_COMPARE: Mapping[str, Callable[[Raw, Sequence[Event]], Iterator[str]]] = {
    "run_routes": _compare_run,
    "buy_train": _compare_train,
    "buy_shares": _compare_shares,
    "sell_shares": _compare_shares,
    "bid": _compare_private,
    "buy_company": _compare_private,
    "sell_company": _compare_private,
    "place_token": _compare_token,
    "remove_token": _compare_removal,
}
