"""Buying trains from the bank and from companies (§7.9, §7.11, §8.0)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import PhaseBegun, TrainBought
from engine.finance.state import POOL
from engine.finance.trains import find_on_sale, take_from_pile
from engine.record import Record, Rule
from engine.title import Tell
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import BuyTrain
from engine.titles.g1862.catalogue import BANDS, FACES, Band, Kind, rule
from engine.titles.g1862.events import LnerAnnounced, OfferMade
from engine.titles.g1862.state import Company, Offer, State, Train
from engine.titles.g1862.steps import shares
from engine.words import join_words, pluralise

BANK = "bank"
WARRANTY_PRICE = 50
MAX_WARRANTIES = 3
SIMPLE_LIMITS = {"A": 4, "B": 4, "C": 4, "D": 4, "E": 3, "F": 3, "G": 2, "H": 2}
RECEIVERSHIP_ORDER: tuple[Kind, ...] = ("express", "freight", "local")


class Plan(Record, frozen=True):
    """A train to be bought, for ``price`` without warranties; with ``asks`` the other director is asked first."""

    company: str
    train: Train
    seller: str
    price: int
    warranties: int = 0
    asks: int = -1
    proposer: int = -1


def get_acting_company(s: State) -> Company:
    """Return the company whose turn it is."""
    return s.companies[s.operating.code]


def find_band_for_sale(s: State) -> Band:
    """Return the band that the bank sells; the last never runs out (§7.9)."""
    return BANDS[find_on_sale(s.depot)]


def find_resale_price(s: State, train: Train) -> int:
    """Return what a train of another company costs: its face, or half of it once a later band sells (§7.9)."""
    band = BANDS[train.printed.band]
    return band.price if band.name == s.phase else band.price // 2


def find_train(s: State, seller: Company, name: str) -> Train | None:
    """Return a train that a company may sell, told by its name or its card, ``None`` if it has none of that name."""
    return next((train for train in s.list_trains_for_sale(seller) if name in (train.name, train.id)), None)


def has_room(s: State, company: Company, kind: Kind) -> bool:
    """Return whether a company may own another train of a type (§7.9, §11.1)."""
    if s.rules.simple:
        return len(company.trains) < SIMPLE_LIMITS[s.phase]
    if s.band.limit_all:
        return len(company.trains) < s.band.limit_all
    return sum(1 for train in company.trains if train.printed.kind == kind) < s.band.limit_each


def _explain_no_room(s: State, company: Company, kind: Kind) -> str:
    total = s.rules.simple or s.band.limit_all
    limit = SIMPLE_LIMITS[s.phase] if s.rules.simple else s.band.limit_all or s.band.limit_each
    owned = sum(1 for train in company.trains if total or train.printed.kind == kind)
    trains, each = (
        (pluralise(owned, "train"), "") if total else (f"{owned} {kind.capitalize()} trains", " of each type")
    )
    return f"{company.code} has {trains}, and the limit in phase {s.phase} is {limit}{each}."


def _cite_limit(s: State) -> Rule:
    return rule("11.1") if s.rules.simple else rule("7.9")


def must_buy(s: State, company: Company) -> bool:
    """Return whether the company has no train and can pay for the bank's (§7.11)."""
    return not company.trains and company.cash >= find_band_for_sale(s).price


def is_short(s: State, company: Company) -> bool:
    """Return whether the company has no train and cannot pay for the bank's (§7.11)."""
    return not company.trains and company.cash < find_band_for_sale(s).price


def is_open_for(s: State, company: Company) -> bool:
    """Return whether there is anything to decide about trains."""
    return any(True for _ in list_options(s, company.director))


def list_options(s: State, seat: int) -> Iterator[BuyTrain]:
    """Yield every purchase."""
    del seat
    company = get_acting_company(s)
    yield from _list_bank_options(s, company)
    if not s.operating.rescued:
        for seller in s.companies.values():
            yield from _list_seller_options(s, company, seller)


def _list_bank_options(s: State, company: Company) -> Iterator[BuyTrain]:
    band = find_band_for_sale(s)
    for kind in s.rules.types:
        if has_room(s, company, kind) and band.price <= company.cash:
            for extra in range(_find_max_extra(s, company, band) + 1):
                yield BuyTrain(band.find_face(kind).name, BANK, extra)


def _find_max_extra(s: State, company: Company, band: Band) -> int:
    """Return how many extra warranties a company can have with a train (§7.10, §11.3)."""
    if s.rules.new_players:
        return 0
    return max(0, min(MAX_WARRANTIES - band.warranties, (company.cash - band.price) // WARRANTY_PRICE))


def _list_seller_options(s: State, company: Company, seller: Company) -> Iterator[BuyTrain]:
    if _find_seller_refusal(s, company, seller) is None:
        for name in dict.fromkeys(train.name for train in s.list_trains_for_sale(seller)):
            train = next(train for train in s.list_trains_for_sale(seller) if train.name == name)
            if has_room(s, company, train.printed.kind) and find_resale_price(s, train) <= company.cash:
                yield BuyTrain(name, seller.code)


def _find_seller_refusal(s: State, company: Company, seller: Company) -> RuleError | None:
    """Return the refusal of a train from another company, or nothing."""
    if s.lner:
        return RuleError("Trains can be bought only from the bank once the LNER has formed.", rule("10.3"))
    if seller is company:
        return RuleError(f"{seller.code} can't buy from itself.", rule("7.9"))
    if not seller.floated and not s.list_trains_for_sale(seller):
        return RuleError(f"{seller.code} hasn't floated, so it has no train to sell.", rule("7.9"))
    if seller.director == POOL:  # also before it has floated
        return RuleError(f"{seller.code} is in receivership, so it can't sell trains.", rule("8.0"))
    if company.receivership:
        return RuleError(f"{company.code} is in receivership, so it can buy only from the bank.", rule("7.3"))
    return None


def check(s: State, seat: int, action: BuyTrain) -> Plan:
    """Check a purchase."""
    company = get_acting_company(s)
    if action.seller == BANK:
        return _check_bank(s, company, action)
    seller = shares.find_company(s, action.seller)
    if s.operating.rescued:
        sentence = f"{company.code} has raised money for a train, so it must buy one from the bank."
        raise RuleError(sentence, rule("7.11"))
    refusal = _find_seller_refusal(s, company, seller)
    if refusal is not None:
        raise refusal
    if action.warranties:
        raise RuleError("Warranties can be bought only for trains from the bank.", rule("7.10"))
    plan = plan_purchase_from_company(s, company, seller, action.train)
    asks = seller.director if seller.director != seat and s.rules.train_sales_need_consent else -1
    return Plan(plan.company, plan.train, plan.seller, plan.price, 0, asks, seat)


def plan_purchase_from_company(s: State, company: Company, seller: Company, name: str) -> Plan:
    """Return the purchase of a train from a company, told by its name or its card; refused as in ``check``."""
    train = find_train(s, seller, name)
    if train is None:
        owned = join_words([*dict.fromkeys(train.name for train in s.list_trains_for_sale(seller))])
        what = f"no “{name[:20]}” to sell; it has {owned}" if owned else "no train to sell"
        raise RuleError(f"{seller.code} has {what}.", rule("7.9"))
    price = find_resale_price(s, train)
    if not has_room(s, company, train.printed.kind):
        raise RuleError(_explain_no_room(s, company, train.printed.kind), _cite_limit(s))
    if price > company.cash:
        raise RuleError(f"The {train.name} costs £{price:,}; {company.code} has £{company.cash:,}.", rule("7.9"))
    return Plan(company.code, train, seller.code, price)


def _check_bank(s: State, company: Company, action: BuyTrain) -> Plan:
    band = find_band_for_sale(s)
    face = FACES.get(action.train)
    sides = join_words([band.find_face(kind).name for kind in s.rules.types])
    if face is None or face.band != band.name or face.kind not in s.rules.types:
        raise RuleError(f"The bank sells the {sides} now, not “{action.train[:20]}”.", rule("7.9"))
    if not has_room(s, company, face.kind):
        raise RuleError(_explain_no_room(s, company, face.kind), _cite_limit(s))
    if action.warranties and s.rules.new_players:
        raise RuleError("In the game for new players, no extra warranties can be bought.", rule("11.3"))
    if not 0 <= action.warranties <= MAX_WARRANTIES - band.warranties:
        most = MAX_WARRANTIES - band.warranties
        raise RuleError(f"You can buy at most {most} warranties for a train of band {band.name}.", rule("7.10"))
    cost = band.price + WARRANTY_PRICE * action.warranties
    if cost > company.cash:
        extra = f" with {pluralise(action.warranties, 'warranty', 'warranties')}" if action.warranties else ""
        raise RuleError(f"The {face.name}{extra} costs £{cost:,}; {company.code} has £{company.cash:,}.", rule("7.9"))
    return _make_bank_plan(s, company, face.name, action.warranties)


def _make_bank_plan(s: State, company: Company, face: str, extra: int) -> Plan:
    band = find_band_for_sale(s)
    train = Train(f"{band.name}-{s.sold[band.name]}", face, band.warranties + extra)
    return Plan(company.code, train, BANK, band.price, extra)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the train, or ask the other director."""
    if plan.asks >= 0:
        s.operating.offer = Offer("train", plan.company, plan.seller, plan.asks, plan.proposer, train=plan.train.name)
        detail = f"{plan.train.name} for £{plan.price:,}"
        tell(OfferMade("train", plan.company, plan.seller, plan.proposer, plan.asks, detail))
    else:
        buy(s, plan, tell)


def buy(s: State, plan: Plan, tell: Tell) -> None:
    """Move money and train; the first of a band begins a phase (§9.0)."""
    company = s.companies[plan.company]
    company.cash -= plan.price + WARRANTY_PRICE * plan.warranties
    if plan.seller != BANK:
        seller = s.companies[plan.seller]
        seller.cash += plan.price
        seller.trains = [train for train in seller.trains if train != plan.train]
    company.trains.append(plan.train)
    tell(TrainBought(plan.company, plan.train.name, plan.seller, plan.price, plan.warranties))
    if plan.seller == BANK:
        s.operating.rescued = False
        _take_from_depot(s, plan.train.printed.band, tell)


def _take_from_depot(s: State, band: str, tell: Tell) -> None:
    s.sold[band] += 1
    take_from_pile(s.depot, band)
    if s.has_begun(band):
        return
    s.phase = band
    tell(PhaseBegun(band))
    companies.rust_trains(s, tell)
    if band == s.rules.last_band and not s.lner:
        s.lner_due = True
        tell(LnerAnnounced())


def buy_in_receivership(s: State, company: Company, tell: Tell) -> None:
    """Buy one train of the bank if money and limit allow: the first permitted of Express, Freight, Local (§8.0)."""
    permitted = s.rules.types if s.rules.simple else company.permits
    band = find_band_for_sale(s)
    if company.cash < band.price:
        return
    for kind in RECEIVERSHIP_ORDER:
        if kind in permitted and kind in s.rules.types and _has_receivership_room(s, company, kind):
            buy(s, _make_bank_plan(s, company, band.find_face(kind).name, 0), tell)
            return


def _has_receivership_room(s: State, company: Company, kind: Kind) -> bool:
    """Return whether a company in receivership may own another train (§8.0)."""
    if s.rules.receivership_limit_by_type and s.band.limit_all:
        return sum(1 for train in company.trains if train.printed.kind == kind) < s.band.limit_all
    return has_room(s, company, kind)
