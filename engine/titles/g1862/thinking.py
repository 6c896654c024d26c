"""The stand-in of 1862: each move by what it brings the seat, as far as a quick look at runs and shares tells.

Everything that this needs lies open. Of lays and mergers a few are tried out; the tries say how many.
"""

from collections.abc import Callable, Sequence
from math import ceil, isqrt
from typing import Literal

from engine.finance.rounds import Pass
from engine.rails.laying import LayTile, order_lays
from engine.record import Action
from engine.setup import Rng
from engine.thinking import Thought
from engine.title import ignore_event
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import advice, outlook, player
from engine.titles.g1862.catalogue import FACES, PHASES, UNITS
from engine.titles.g1862.dealing import BUY_ABOVE, ReasonedMove, choose_deal, choose_in_parliament, make_move
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Company, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import building, running, trains

EFFORT_A_TRY = 300
"""What may be spent on estimates of runs for each try, as ``outlook.estimate_effort`` counts it."""
MIN_LAYS, MAX_LAYS, MAX_STATIONS, MAX_AHEAD = 3, 12, 2, 7
"""Lays and small stations that are tried out, and lays after them; fewer where runs take long to find."""
RUN_TRIES = 100_000
"""Of the search for the runs that are made."""
MAX_MERGERS = 2
"""Mergers that are looked at closely."""
MIN_GAIN = 25
"""A merger must bring a seat at least one part of so many of its worth."""
MAX_SETTLED = 60
"""Decisions that are made to see what comes of a merger."""
IDLE_PRICES, MAX_IDLE_TRAINS = 2, 2
"""Times the price of a train that lie idle in a treasury, and trains that are bought for such money."""
ROUNDS_A_PHASE, MAX_ROUNDS_A_PHASE = 1.5, 2
"""Operating rounds of a phase, about, and at most; after them money that lies idle buys a train, so that no game stands
still: at first where enough is left for a train that stays."""
ROUNDS_TO_PAY = 3
"""Rounds in which a train that will rust must bring in its price, if it takes a company's last place."""
MAX_TIMES_KEPT = 2
"""Rounds in a row in which revenue is kept for a train."""
MIN_ROUNDS_TO_KEEP = 3
"""Rounds of which more must be left to buy a train that is not needed at once."""


def think(s: State, seat: int, rng: Rng, tries: int, boldness: int = 0) -> Thought:
    """Return the move that seems to bring the seat most."""
    r = s.round
    if isinstance(r, Parliament):
        choice = choose_in_parliament(s, r, seat, rng)
    elif isinstance(r, Stock):
        choice = choose_deal(s, r, seat, boldness)
    else:
        choice = _choose_in_turn(s, r, seat, tries, boldness)
    return Thought(*choice)


def _choose_in_turn(s: State, r: Operating, seat: int, tries: int, boldness: int) -> ReasonedMove:
    if r.offer is not None:
        return _choose_answer(s, r, seat)
    moves = list(turn.list_legal(s, seat))
    if len(moves) == 1:
        return ReasonedMove(moves[0])
    if r.removing:
        sites = [move for move in moves if isinstance(move, a.RemoveMarker)]
        return ReasonedMove(min(sites, key=lambda site: advice.find_site_value(s, site)))
    if r.merging is not None:
        return _choose_option(s, moves)
    if r.step in ("merge", "acquire"):
        return _choose_merger(s, seat, moves)
    if r.step in ("home", "track"):
        return _choose_lay(s, seat, moves, tries)
    return _STEPS[r.step](s, seat, moves, boldness)


def _choose_answer(s: State, r: Operating, seat: int) -> ReasonedMove:
    """Accept what leaves the seat better off; keep up an offer of one's own."""
    assert r.offer is not None
    if seat != r.offer.decider:
        return ReasonedMove(next(iter(turn.list_legal(s, seat))))
    parties = (r.offer.company, r.offer.other)
    gain = _find_gain(s, _see_through(s, seat, a.Answer("accept")), seat, parties)
    return ReasonedMove(a.Answer("accept" if gain > 0 else "decline"), _write_gain(gain))


def _see_through(s: State, seat: int, action: Action) -> State:
    """Return the position after a move that all agree to, and after what must be settled because of it.

    Proposer and partner see the same, so that no one proposes what the other program would turn down.
    """
    after, rng = make_move(s, seat, action), Rng(len(s.marks))
    for _ in range(MAX_SETTLED):
        r = after.round
        if not isinstance(r, Operating) or (r.offer is None and r.merging is None):
            break
        who = turn.find_actors(after)[0]
        move = a.Answer("accept") if r.offer is not None else player.choose(after, who, rng)
        turn.apply(after, turn.check(after, who, move), ignore_event)
    return after


def _find_gain(s: State, after: State, seat: int, parties: Sequence[str], revenue: int | None = None) -> int:
    """Return how much better off a seat is for what became of two companies, less what is too little to matter."""
    old, new = outlook.appraise(s, seat, parties), outlook.appraise(after, seat, parties, revenue)
    return new - old - old // MIN_GAIN


def _write_gain(gain: int) -> str:
    return f"worth about {UNITS.money(abs(gain))} {'more' if gain > 0 else 'less'} at the end"


def _choose_option(s: State, moves: Sequence[Action]) -> ReasonedMove:
    """Pay for the share where it brings more than it costs."""
    m = s.operating.merging
    assert m is not None
    if a.Option("redeem") not in moves:
        return ReasonedMove(a.Option("sell"))
    worth = m.parts * sum(outlook.forecast_share(s, s.companies[m.survivor]))
    reply: Literal["redeem", "sell"] = "redeem" if worth > BUY_ABOVE * (m.redeem + m.sell) else "sell"
    return ReasonedMove(a.Option(reply), f"the share brings about {UNITS.money(worth // m.parts)}")


def _choose_merger(s: State, seat: int, moves: Sequence[Action]) -> ReasonedMove:
    """Merge where that leaves the seat clearly better off, and the other director, too."""
    code = s.operating.code
    promising: list[tuple[int, a.Merge]] = []
    for move in moves:
        if isinstance(move, a.Merge):  # at a glance, as if they went on to earn what both do now
            both = sum(outlook.forecast_run(s, s.companies[each]) for each in (code, move.company))
            promising.append((_find_least_gain(s, seat, move, both), move))
    promising.sort(key=lambda each: -each[0])
    for glance, move in promising[:MAX_MERGERS]:
        gain = _find_least_gain(s, seat, move) if glance > 0 else 0
        if gain > 0:
            return ReasonedMove(move, _write_gain(gain))
    return ReasonedMove(Pass(), "no merger brings enough" if promising else "")


def _find_least_gain(s: State, seat: int, merge: a.Merge, revenue: int | None = None) -> int:
    """Return how much better off the seat is for a merger, or the other director if that is less."""
    after, parties = _see_through(s, seat, merge), (s.operating.code, merge.company)
    return min(_find_gain(s, after, each, parties, revenue) for each in (seat, s.companies[merge.company].director))


def _choose_lay(s: State, seat: int, moves: Sequence[Action], tries: int) -> ReasonedMove:
    """Build what adds most to the run of the company at once, or else with the lay after it."""
    lays = order_lays(s.board, [move for move in moves if isinstance(move, LayTile)])
    stations = [move for move in moves if isinstance(move, a.AddStation)]
    company = s.companies[s.operating.code]
    faces = outlook.plan_faces(s, company)
    now, effort = outlook.estimate_run(s, company, faces), outlook.estimate_effort(s, company, faces)
    estimates = tries * EFFORT_A_TRY // effort
    tried: list[Action] = [*lays[: max(MIN_LAYS, min(MAX_LAYS, estimates // 2))], *stations[:MAX_STATIONS]]
    if not tried:
        return ReasonedMove(Pass() if Pass() in moves else moves[0])
    after = {move: make_move(s, seat, move) for move in tried}
    runs = {move: outlook.estimate_run(there, there.companies[company.code], faces) for move, there in after.items()}
    best = max(tried, key=runs.__getitem__)
    if runs[best] > now:
        return ReasonedMove(best, f"best run {UNITS.money(now)}→{UNITS.money(runs[best])}")
    most = max(1, min(MAX_AHEAD, isqrt(max(0, estimates - len(tried)))))
    ahead = {move: _look_at_next_lay(after[move], seat, company.code, faces[-1:], most) for move in tried[:most]}
    best = max(ahead, key=ahead.__getitem__)
    run = ahead[best]
    why = f"with the next tile there, a {faces[-1]} could run for {UNITS.money(run)}" if run else ""
    return ReasonedMove(best, why)


def _look_at_next_lay(s: State, seat: int, code: str, faces: Sequence[str], most: int) -> int:
    """Return what a company could run for after one lay more, of so many."""
    if not isinstance(s.round, Operating) or s.round.code != code:
        return 0
    s.round.laid, s.round.step, best = [], "track", 0
    for lay in order_lays(s.board, list(building.list_lay_options(s, seat)))[:most]:
        then = s.clone()
        building.apply_lay(then, building.check_lay(then, seat, lay), ignore_event)
        best = max(best, outlook.estimate_run(then, then.companies[code], faces))
    return best


def _choose_marker(s: State, seat: int, moves: Sequence[Action], boldness: int) -> ReasonedMove:
    """Link London; place a marker where stops pay most."""
    del seat, boldness
    links = [move for move in moves if isinstance(move, a.LinkLondon)]
    sites = [move for move in moves if isinstance(move, a.PlaceMarker)]
    if links or not sites:
        return ReasonedMove((links or moves)[0])
    return ReasonedMove(max(sites, key=lambda site: advice.find_site_value(s, site)), "the best of its sites")


def _choose_run(s: State, seat: int, moves: Sequence[Action], boldness: int) -> ReasonedMove:
    del seat, moves, boldness
    return ReasonedMove(running.find_best_within(s, RUN_TRIES))


def _choose_dividend(s: State, seat: int, moves: Sequence[Action], boldness: int) -> ReasonedMove:
    """Pay, topped up where that lifts the price; keep where that buys a train which earns more."""
    del seat, boldness
    if a.Dividend("hudson") in moves:
        return ReasonedMove(a.Dividend("hudson"), "the price rises")
    r, rounds = s.operating, outlook.count_rounds_left(s)
    company, price = s.companies[r.code], trains.find_band_for_sale(s).price
    times = ceil((price - company.cash) / max(1, r.revenue))
    if times == 1 and rounds > MIN_ROUNDS_TO_KEEP and not outlook.list_lasting_faces(s, company):
        return ReasonedMove(a.Dividend("keep"), "for a train, as its own will rust")
    if 1 <= times <= MAX_TIMES_KEPT and rounds > times:
        best, now = outlook.find_best_face(s, company)[1], outlook.estimate_run(s, company)
        if best > now and outlook.is_keeping_better(s, company, r.revenue, best, times):
            more = f"for a train that earns about {UNITS.money(best - now)} more a round"
            return ReasonedMove(a.Dividend("keep"), more)
    return ReasonedMove(a.Dividend("pay"), f"{UNITS.money(r.revenue // 10)} a share")


def _choose_train(s: State, seat: int, moves: Sequence[Action], boldness: int) -> ReasonedMove:
    """Buy what adds most to the run; a company without a train takes what it can get.

    Money that lies idle buys one where a game stands still, and of the bold always: that brings better trains sooner,
    for all, and costs games.
    """
    company = s.companies[s.operating.code]
    buys = [move for move in moves if isinstance(move, a.BuyTrain) and not move.warranties]
    bank = [move for move in buys if move.seller == trains.BANK]
    face, most = outlook.find_best_face(s, company)
    wanted, now = next((move for move in bank if move.train == face), None), outlook.estimate_run(s, company)
    waits = Pass() in moves and outlook.will_rust_soon(s, company)
    if wanted is not None and not trains.find_band_for_sale(s).rusts_at and not outlook.has_permanent_train(company):
        return ReasonedMove(wanted, "it stays, the others will rust" if company.trains else "it has no train")
    if wanted is not None and not waits and Pass() in moves and _is_harmful(s, seat, wanted):
        return ReasonedMove(Pass(), "it would rust the trains of companies that can't replace them")
    if wanted is not None and not waits:
        if most > now and not _is_better_saved(s, company, face, most - now):
            return ReasonedMove(wanted, f"best run {UNITS.money(now)}→{UNITS.money(most)}")
        if not outlook.list_lasting_faces(s, company):
            return ReasonedMove(wanted, "the others will rust" if company.trains else "it has no train")
        if _is_idle(s, company, boldness) and outlook.count_rounds_left(s) > MIN_ROUNDS_TO_KEEP:
            return ReasonedMove(wanted, "its money lies idle, and better trains come sooner")
    if Pass() in moves:
        why = "it would add little, and leave no place for a better one" if most > now else ""
        why = "it would rust before it runs" if waits else why or "it would add nothing to the best run"
        return ReasonedMove(Pass(), why if wanted is not None else "")
    own = [move for move in buys if move not in bank and s.companies[move.seller].director == seat]
    own.sort(key=lambda buy: len(s.companies[buy.seller].trains) == 1)  # rather from one that keeps a train
    raising = [move for move in moves if isinstance(move, a.RaiseMoney)]
    return ReasonedMove([*bank, *own, *raising, *moves][0], "it has no train" if bank or own or raising else "")


def _is_idle(s: State, company: Company, boldness: int) -> bool:
    """Return whether a company has money to spare for a train that it doesn't need yet."""
    if len(company.trains) >= MAX_IDLE_TRAINS:
        return False
    price, spare = trains.find_band_for_sale(s).price, outlook.find_price_of_lasting_train(s, company)
    if boldness > 0 and company.cash >= IDLE_PRICES * price:
        return True
    pace = ROUNDS_A_PHASE if company.cash >= price + spare else MAX_ROUNDS_A_PHASE
    return _is_late(s, pace)


def _is_late(s: State, pace: float) -> bool:
    """Return whether a game is slower than so many operating rounds a phase."""
    return outlook.count_rounds_played(s) >= pace * (1 + PHASES.index(s.phase))


def _is_better_saved(s: State, company: Company, face: str, gain: int) -> bool:
    """Return whether money should wait for a better train: this one takes the last place for little."""
    band, lasting = trains.find_band_for_sale(s), outlook.list_lasting_faces(s, company)
    kept = outlook.list_faces(company) if s.has_begun(band.name) else lasting  # the first of a band makes others rust
    held = sum(FACES[name].kind == FACES[face].kind for name in kept)
    fills = bool(lasting) and held + 1 >= s.band.limit_each
    return bool(band.rusts_at) and fills and gain * ROUNDS_TO_PAY < band.price


def _is_harmful(s: State, seat: int, buy: a.BuyTrain) -> bool:
    """Return whether the first train of a band costs a seat more, by the trains that rust, than it brings.

    Where a game stands still this counts no more, so that it comes to an end.
    """
    if s.has_begun(trains.find_band_for_sale(s).name) or _is_late(s, MAX_ROUNDS_A_PHASE):
        return False
    held = [other.code for other in s.companies.values() if other.shares[seat] and other.floated]
    after = make_move(s, seat, buy)
    return outlook.appraise(after, seat, held) < outlook.appraise(s, seat, held)


def _choose_redemption(s: State, seat: int, moves: Sequence[Action], boldness: int) -> ReasonedMove:
    """Keep the money for trains."""
    del s, seat, moves, boldness
    return ReasonedMove(Pass())


_STEPS: dict[str, Callable[[State, int, Sequence[Action], int], ReasonedMove]] = {
    "token": _choose_marker,
    "run": _choose_run,
    "dividend": _choose_dividend,
    "train": _choose_train,
    "redeem": _choose_redemption,
}
