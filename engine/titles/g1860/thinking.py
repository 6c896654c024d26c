"""Thinking ahead in 1860: what comes of a few moves when games are played on from them to the end.

In stock rounds the moves are the shares that earn most for their price, companies to start, and sales; in operating
rounds paying or keeping, and trains. What a table hides from a seat is put aside first, and guessed.
"""

from engine.finance import trading
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile, order_lays
from engine.record import Action
from engine.setup import Rng
from engine.thinking import CLEAR, Thought, compare, rate_lead
from engine.title import ignore_event
from engine.titles.g1860 import actions as a
from engine.titles.g1860 import player
from engine.titles.g1860.catalogue import TRAINS, UNITS
from engine.titles.g1860.companies import SHARES_TO_FLOAT
from engine.titles.g1860.forecast import Forecast
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Auction, Company, Operating, State, Stock
from engine.titles.g1860.steps import building, trains

MAX_LAYS = 14
"""Lays that are tried out."""
LONG, MAX_LAYS_OF_LONG = 6, 5
"""Cities of a train whose runs take long to find, and lays that are tried out for it alone."""
FAR_TRAIN, FAR_PART = "5+3", 0.8
"""A train that shows where track leads, and the part of its gain that counts."""
ROUNDS_TO_PAY = 6
"""Rounds in which a tile must bring in its price."""
BETTER = "games played on end better with it"
"""What speaks for a move that no glance explains."""
MAX_BUYS, MAX_STARTS, MAX_SALES = 4, 2, 2
"""Moves of a kind that are thought about."""


def think(s: State, seat: int, rng: Rng, tries: int, boldness: int = 0) -> Thought:
    """Return the move that does best when games are played on from it, so many in all."""
    s = mask(s, seat)
    r, forecast = s.round, Forecast(s)
    if isinstance(r, Stock) and not r.homes:
        first = forecast.choose_purchase(s, r, seat, rng)
    elif isinstance(r, Operating) and r.step == "track" and r.offer is None:
        return _choose_lay(s, r, seat, forecast)
    else:
        first = player.choose(s, seat, rng)
    moves = list_candidates(s, seat, first, forecast)
    if len(moves) == 1 or tries < len(moves):
        return Thought(moves[0], find_reason(s, seat, moves[0], forecast))
    chance = rng.below(1 << 32)

    def try_out(action: Action, number: int) -> float:
        after = forecast.copy(s)
        turn.apply(after, turn.check(after, seat, action), ignore_event)
        most = CLEAR if isinstance(action, a.Answer) else 1  # where a game is decided, what is fair decides
        return rate_lead(forecast.play_on(after, Rng(chance + number)), seat, boldness, most)

    found = compare(moves, try_out, tries)
    return Thought(found[0].action, find_reason(s, seat, found[0].action, forecast), tuple(found))


def mask(s: State, seat: int) -> State:
    """Return the position as a seat may know it: what lies in treasuries that are hidden from it is guessed.

    Whether a buyer can pay what it offers is known by the answers that are possible.
    """
    if s.rules.open_treasuries:
        return s
    seen = s.clone()
    for company in seen.companies.values():
        if not company.shares[seat]:
            spent = sum(TRAINS[name].price for name in company.trains)
            company.cash = max(0, 10 * (company.par or 0) - spent) if company.floated else 0
    offer = seen.round.offer if isinstance(seen.round, Operating) else None
    if offer is not None and not seen.companies[offer.buyer].shares[seat]:
        can_pay = offer.price <= s.companies[offer.buyer].cash
        buyer = seen.companies[offer.buyer]
        buyer.cash = max(buyer.cash, offer.price) if can_pay else min(buyer.cash, offer.price - 1)
    return seen


def list_candidates(s: State, seat: int, first: Action, forecast: Forecast) -> list[Action]:
    """Return the moves worth a thought; the player's own comes first."""
    r = s.round
    if isinstance(r, Auction) or (isinstance(r, Stock) and r.homes):
        return [first]
    if isinstance(r, Stock):
        return list(dict.fromkeys([first, *_list_deals(s, seat, forecast)]))
    return list(dict.fromkeys([first, *_list_turn_moves(s, r, seat)]))


def _list_deals(s: State, seat: int, forecast: Forecast) -> list[Action]:
    legal = list(turn.list_legal(s, seat))
    found: list[Action] = [Pass()] if Pass() in legal else []
    buys = [move for move in legal if isinstance(move, a.BuyShare)]
    found += sorted(buys, key=lambda buy: -forecast.rate_share(s, buy))[:MAX_BUYS]
    starts = [move for move in legal if isinstance(move, a.Start)]
    alone = [start for start in starts if SHARES_TO_FLOAT * start.par <= s.cash[seat]]
    found += sorted(alone or starts, key=lambda start: -start.par)[:MAX_STARTS]
    sales = [move for move in legal if isinstance(move, a.Sell) and s.companies[move.company].operated]
    whole = [sale for sale in sales if sale.count == s.companies[sale.company].shares[seat]] or sales
    found += sorted(whole, key=lambda sale: forecast.rate_share(s, a.BuyShare(sale.company, "pool")))[:MAX_SALES]
    found += [move for move in legal if isinstance(move, (a.Exchange, a.BuyPrivate))][:2]
    return found


def _choose_lay(s: State, r: Operating, seat: int, forecast: Forecast) -> Thought:
    """Build what adds most to the run for its price, or else what leads on to where a larger train would earn more."""
    company, cheapest = s.companies[r.code], trains.find_cheapest(s)
    longest = max(company.trains or [cheapest], key=lambda name: TRAINS[name].cities)
    is_long = TRAINS[longest].cities >= LONG
    own, large = (longest,) if is_long else tuple(sorted(company.trains)) or (cheapest,), (FAR_TRAIN,)
    spare = company.cash if company.trains else company.cash - TRAINS[cheapest].price
    legal = list(turn.list_legal(s, seat))
    lays = order_lays(s.board, [move for move in legal if isinstance(move, LayTile)])
    now, then = (sum(forecast.find_run_on(s, company, names)) for names in (own, large))
    found: list[tuple[float, int, int, LayTile]] = []
    for lay in lays[: MAX_LAYS_OF_LONG if is_long else MAX_LAYS]:
        after = s.clone()
        building.apply_lay(after, building.check_lay(after, seat, lay), ignore_event)
        price = company.cash - after.companies[r.code].cash
        if price <= max(0, spare):
            run, far = (sum(forecast.find_run_on(after, after.companies[r.code], names)) for names in (own, large))
            found.append((run - now + (far - then) * FAR_PART - price / ROUNDS_TO_PAY, run, far - then, lay))
    value, run, more, best = max(found, key=lambda each: each[0], default=(-1.0, 0, 0, None))
    if best is None or (value < 0 and Pass() in legal):
        return Thought(Pass(), "no tile is worth its price" if lays else "")
    if run > now:
        return Thought(best, f"best run {UNITS.money(now)}→{UNITS.money(run)}")
    return Thought(best, f"a {FAR_TRAIN} would earn {UNITS.money(more)} more" if more > 0 else "it costs nothing")


def _list_turn_moves(s: State, r: Operating, seat: int) -> list[Action]:
    if r.offer is not None:
        return list(trains.list_answer_options(s, seat)) if seat == r.offer.decider else []
    if r.step == "dividend":
        return [a.Dividend("pay"), a.Dividend("keep")]
    if r.step == "train":
        legal = list(turn.list_legal(s, seat))
        bank = [move for move in legal if isinstance(move, a.BuyTrain) and move.seller == trains.BANK]
        return [*([Pass()] if Pass() in legal else []), *bank]
    return []


def find_reason(s: State, seat: int, action: Action, forecast: Forecast) -> str:
    """Return what speaks for a move at a glance, or nothing."""
    if isinstance(action, a.BuyShare):
        return _explain_purchase(s, seat, action, forecast)
    if isinstance(action, a.Sell):
        return _explain_sale(s, seat, action, forecast)
    if isinstance(action, a.Start):
        return f"{UNITS.money(SHARES_TO_FLOAT * action.par)} floats it"
    r = s.round
    if isinstance(r, Stock) and isinstance(action, Pass) and not r.acted:
        buys = any(isinstance(move, a.BuyShare) for move in turn.list_legal(s, seat))
        return "no share on offer seems worth its price" if buys else ""
    if not isinstance(r, Operating) or r.offer is not None:
        return ""
    if isinstance(action, a.Dividend):
        company, train = s.companies[r.code], TRAINS[trains.find_cheapest(s)]
        if action.kind == "pay":
            return f"{UNITS.money(r.revenue // 10)} a share"
        return f"it buys a {train.name}" if company.cash + r.revenue >= train.price else f"towards a {train.name}"
    return _explain_train(s, s.companies[r.code], action, forecast) if r.step == "train" else ""


def _explain_purchase(s: State, seat: int, buy: a.BuyShare, forecast: Forecast) -> str:
    company = s.companies[buy.company]
    if not company.floated:
        left = SHARES_TO_FLOAT - sum(company.shares)
        if left == 1:
            return "this share floats it"
        return f"{SHARES_TO_FLOAT} shares float it" if company.director == seat else f"{left} more shares float it"
    if not company.trains:
        return "it can buy a train" if company.cash >= TRAINS[trains.find_cheapest(s)].price else ""
    earned, price = forecast.estimate_run(s, company)[0] // 10, trading.find_share_price(company, buy.source)
    told = f"about {UNITS.money(earned)} a round for {UNITS.money(price)}" if earned else BETTER
    takes = 0 <= company.director != seat and company.shares[seat] >= company.shares[company.director]
    return f"{told}, and control" if takes else told


def _explain_sale(s: State, seat: int, sale: a.Sell, forecast: Forecast) -> str:
    company = s.companies[sale.company]
    earned = forecast.estimate_run(s, company)[0] // 10
    if not company.trains or not earned:
        return "it earns next to nothing" if company.trains else "it has no train"
    after, rate = s.clone(), forecast.rate_share(s, a.BuyShare(sale.company, "pool"))
    turn.apply(after, turn.check(after, seat, sale), ignore_event)
    legal = turn.list_legal(after, seat) if seat in turn.find_actors(after) else ()
    buys = [move for move in legal if isinstance(move, a.BuyShare) and move.company != sale.company]
    best = max(buys, key=lambda buy: forecast.rate_share(after, buy), default=None)
    if best is not None and after.companies[best.company].trains and forecast.rate_share(after, best) > rate:
        return f"a share of {best.company} brings more for its price"
    return BETTER


def _explain_train(s: State, company: Company, action: Action, forecast: Forecast) -> str:
    train = action.train if isinstance(action, a.BuyTrain) else trains.find_cheapest(s)
    now, then = (forecast.estimate_run(s, company, more=more)[0] for more in ((), (train,)))
    if isinstance(action, a.BuyTrain):
        return f"runs for about {UNITS.money(now)}→{UNITS.money(then)}" if then > now else ""
    return f"a {train} would earn no more" if then <= now else "the money is worth more later"
