"""What may come of the companies of 1862: their runs, and what their shares will pay and be worth.

Rounds to come, track and trains to be bought are guesses; a run is the best that is found quickly, and found once.
"""

from collections.abc import Sequence

from engine.titles.g1862.catalogue import BANDS, FACES, MARKET, PHASES
from engine.titles.g1862.companies import CAPITAL_SHARES, CHARTERED_COST, MARKER_COST, MIN_MARKERS
from engine.titles.g1862.rounds.stock import LAST_ROUNDS
from engine.titles.g1862.running.search import NOTHING, Best, find_best_quickly
from engine.titles.g1862.state import SHARES_TO_FLOAT, Company, Operating, State
from engine.titles.g1862.steps import running, trains

RUN_TRIES = 4_000
"""Of a search for runs: enough for a guess."""
MIN_EFFORT = 50
"""Of an estimate: the track is surveyed even where no train can run."""
ROUNDS = 14
"""Operating rounds that a game has, about."""
GROWTH = 0.06
"""Part by which the runs of a company grow in a round, about."""
FIRST_RUN, MORE_A_PHASE, MAX_FIRST_RUN = 80, 50, 350
"""Pounds that a company may earn with its first train, about: in the first phase, more in each, and at most."""
ENOUGH_FOR_TRAIN = 300
"""Pounds with which a company can replace trains that rust."""
MIN_RUN = 10
"""Pounds that pay each share one."""
MAX_PLANNED = 3
"""Trains that a company builds for."""
MAX_FREIGHTS, MAX_TRAINS, MAX_HEXES = 3, 4, 18
"""Trains that an estimate reckons with, and hexes of its Freights: they say how long the search takes."""
MAX_BOUGHT = 1
"""Trains that a company may buy in a turn, as far as others reckon with it; of more, each would wait for the others."""
KEEP_ABOVE = 1.05
"""Times what a share brings if revenue is paid that it must bring if it is kept."""
MAX_LEAPS = 4
"""Times its price that a dividend counts for at most."""


def count_rounds_left(s: State) -> int:
    """Return how many operating rounds are to come, the present one included; about, until the LNER is due."""
    r = s.round
    ahead = r.rounds - r.number + 1 if isinstance(r, Operating) else LAST_ROUNDS if s.lner else s.band.rounds
    if s.lner:
        return ahead
    return ahead + LAST_ROUNDS if s.lner_due else max(ahead + LAST_ROUNDS, ROUNDS - count_rounds_played(s))


def count_rounds_played(s: State) -> int:
    """Return how many operating rounds are over."""
    return sum(end.name.startswith("OR") for end in s.marks)


def estimate_run(s: State, company: Company, faces: Sequence[str] | None = None) -> int:
    """Return the revenue of the best run that is found quickly, with a company's own trains or with others."""
    return _find_run(s, company, faces).plan.revenue


def estimate_effort(s: State, company: Company, faces: Sequence[str]) -> int:
    """Return what it takes to estimate a run: about one for every 60 µs."""
    return MIN_EFFORT + _find_run(s, company, faces).effort


def _find_run(s: State, company: Company, faces: Sequence[str] | None) -> Best:
    """Return the best run that is found quickly; of many trains only the largest are looked at."""
    own = list_faces(company) if faces is None else faces
    large = sorted(own, key=lambda name: FACES[name].band, reverse=True)
    freights = [name for name in large if FACES[name].kind == "freight"][:MAX_FREIGHTS]
    while sum(FACES[name].hexes for name in freights) > MAX_HEXES:
        freights.pop()
    others = [name for name in large if FACES[name].kind != "freight"][: MAX_TRAINS - len(freights)]
    problem = running.make_problem(s, company, sorted([*freights, *others]))
    if not problem.runnable or problem.home is None:
        return Best(NOTHING, exact=True, bound=0)
    return find_best_quickly(problem, RUN_TRIES)


def list_faces(company: Company) -> list[str]:
    """Return the sides in use of a company's trains."""
    return [train.face for train in company.trains]


def list_lasting_faces(s: State, company: Company) -> list[str]:
    """Return the sides of the trains that stay when the next phase begins."""
    following = find_next_phase(s)
    return [
        train.face for train in company.trains
        if train.stars or not following or BANDS[train.printed.band].rusts_at != following
    ]  # fmt: skip


def has_permanent_train(company: Company) -> bool:
    """Return whether a company has a train that never rusts."""
    return any(not BANDS[train.printed.band].rusts_at for train in company.trains)


def find_price_of_lasting_train(s: State, company: Company) -> int:
    """Return what a company must save for its first train that never rusts; nothing if it has one."""
    left = [band for band in BANDS.values() if not band.rusts_at and s.depot[band.name]]
    return 0 if has_permanent_train(company) else left[0].price


def has_future(s: State, company: Company) -> bool:
    """Return whether a company can go on when its trains rust: it has one that stays, or money for the next."""
    return has_permanent_train(company) or company.cash >= trains.find_band_for_sale(s).price


def find_next_phase(s: State) -> str:
    """Return the phase that begins next; "" if there is none."""
    return next((name for name, left in s.depot.items() if left and not s.has_begun(name)), "")


def will_rust_soon(s: State, company: Company) -> bool:
    """Return whether the bank's train will rust before the company runs again, if others buy what they can pay."""
    band = trains.find_band_for_sale(s)
    if not band.rusts_at:
        return False
    left = sum(s.depot[name] for name in PHASES[PHASES.index(band.name) : PHASES.index(band.rusts_at)]) - 1
    bought = sum(
        min(MAX_BOUGHT, other.cash // band.price)
        for other in s.companies.values()
        if other is not company and other.floated and not other.receivership
    )
    return left < bought


def find_best_face(s: State, company: Company) -> tuple[str, int]:
    """Return the side that a company would buy of the bank's train, and what it would run for with it."""
    band = trains.find_band_for_sale(s)
    faces = [band.find_face(kind).name for kind in s.rules.types if kind in running.list_permits(s, company)]
    own = list_faces(company)
    return max(
        ((face, estimate_run(s, company, [*own, face])) for face in faces), key=lambda each: each[1], default=("", 0)
    )


def plan_faces(s: State, company: Company) -> list[str]:
    """Return the sides of the trains that a company has and could buy this turn, to build for."""
    band, cash, faces = trains.find_band_for_sale(s), company.cash, list_lasting_faces(s, company)
    for kind in [each for each in s.rules.types if each in running.list_permits(s, company)]:
        if cash >= band.price or not faces:
            faces, cash = [*faces, band.find_face(kind).name], cash - band.price
    return faces[:MAX_PLANNED]


def forecast_run(s: State, company: Company) -> int:
    """Return what a company will run for in its next rounds, about."""
    if not company.floated:
        return forecast_first_run(s)
    if company.trains:
        now, later = estimate_run(s, company), estimate_run(s, company, list_lasting_faces(s, company))
        return (now + 2 * later) // 3 if later < now and company.cash < ENOUGH_FOR_TRAIN else now
    if company.cash < trains.find_band_for_sale(s).price:
        return 0
    run = find_best_face(s, company)[1]
    return run if company.operated else max(run, forecast_first_run(s))  # before its first turn it has no track


def forecast_first_run(s: State) -> int:
    """Return what a new company may earn with the bank's train, about."""
    return min(MAX_FIRST_RUN, FIRST_RUN + MORE_A_PHASE * PHASES.index(trains.find_band_for_sale(s).name))


def find_capital(price: int, *, chartered: bool) -> int:
    """Return what a company has when one player has floated it and it has its first markers."""
    return CAPITAL_SHARES * price - CHARTERED_COST if chartered else SHARES_TO_FLOAT * price - MIN_MARKERS * MARKER_COST


def is_enough_for_trains(s: State, price: int, *, chartered: bool) -> bool:
    """Return whether a company that starts at a price can buy the train on sale and one of the next band."""
    band = trains.find_band_for_sale(s)
    following = PHASES[min(PHASES.index(band.name) + 1, len(PHASES) - 1)]
    return find_capital(price, chartered=chartered) >= band.price + BANDS[following].price


def forecast_start(s: State, price: int, *, chartered: bool) -> int:
    """Return what a share of a company brings that one player starts and floats at a price; it needs a train."""
    can_buy = find_capital(price, chartered=chartered) >= trains.find_band_for_sale(s).price
    revenue = forecast_first_run(s) if can_buy else 0
    return sum(project(s.companies[s.offer[0]], revenue, MARKET.prices.index(price), count_rounds_left(s) - 1))


def forecast_share(s: State, company: Company, known: int | None = None) -> tuple[int, int]:
    """Return what a share will pay until the end of the game, and what it is worth then."""
    cell = company.cell if company.cell is not None else MARKET.prices.index(company.par or MARKET.pars[0])
    return project(company, forecast_run(s, company) if known is None else known, cell, count_rounds_left(s))


def project(company: Company, revenue: float, cell: int, rounds: int) -> tuple[int, int]:
    """Return what a share pays in so many rounds from a price on, and what it is worth then."""
    paid, last = 0, len(company.prices) - 1
    for _ in range(rounds):
        if revenue < MIN_RUN:
            cell = max(0, cell - 2)
            continue
        paid += int(revenue) // 10
        cell = min(last, cell + count_steps(company, cell, revenue))
        revenue *= 1 + GROWTH
    price = company.prices[cell]
    return paid, price if revenue >= MIN_RUN else price // 2


def count_steps(company: Company, cell: int, revenue: float) -> int:
    """Return how many steps the price rises if a company pays."""
    return 2 * min(MAX_LEAPS, int(revenue) // max(1, company.prices[cell]))


def is_keeping_better(s: State, company: Company, revenue: int, later: int, times: int) -> bool:
    """Return whether a share brings more if revenue is kept so many times for a train that lets a company earn more."""
    cell, rounds, last = company.cell or 0, count_rounds_left(s) - 1, len(company.prices) - 1
    now = forecast_run(s, company)
    paying = revenue // 10 + sum(project(company, now, min(last, cell + count_steps(company, cell, revenue)), rounds))
    return sum(project(company, later, max(0, cell - 2 * times), rounds + 1 - times)) > KEEP_ABOVE * paying


def appraise(s: State, seat: int, codes: Sequence[str], revenue: int | None = None) -> int:
    """Return what a seat's money, and its shares of some companies, are worth at the end of the game, about."""
    held = [company for code in codes if (company := s.companies[code]).shares[seat]]
    return s.cash[seat] + sum(company.shares[seat] * sum(forecast_share(s, company, revenue)) for company in held)
