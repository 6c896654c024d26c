"""Trains: bought, offered by other companies, returned; phases and rust."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import PhaseBegun, TrainBought
from engine.finance.trains import find_on_sale, take_from_pile
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import events
from engine.titles.g1860.actions import Answer, BuyTrain, Counter, Discard, Withdraw
from engine.titles.g1860.catalogue import TRAINS, rule
from engine.titles.g1860.state import Company, Offer, State
from engine.titles.g1860.steps import shares
from engine.words import join_words, pluralise

BANK = "bank"
PILE = "pile"
"""The top of the pile, where one of its kind lies among those returned too: a company may take either."""
MIN_TRAIN_PRICE = 10
"""What a train between companies costs at least, and the step of its price (Buying Trains)."""


class Plan(Record, frozen=True):
    """A train to be bought; with ``asks`` the other director is asked first."""

    company: str
    train: str
    seller: str
    price: int
    asks: int = -1
    proposer: int = -1


class GiveBack(Record, frozen=True):
    """An excess train to be returned."""

    company: str
    train: str


def _get_acting_company(s: State) -> Company:
    return s.companies[s.operating.code]


def find_next_train(s: State) -> str:
    """Return the top train of the pile; the 9+5 never run out."""
    return find_on_sale(s.depot)


def list_for_sale(s: State) -> list[str]:
    """Return the trains the bank sells, cheapest first: the top of the pile and returned ones (Buying Trains)."""
    return sorted({find_next_train(s), *s.returned}, key=lambda name: TRAINS[name].price)


def is_in_two_places(s: State, name: str) -> bool:
    """Return whether a train is on top of the pile and among those returned: the choice decides what is sold next."""
    return name in s.returned and name == find_next_train(s)


def list_bank_trains(s: State) -> Iterator[BuyTrain]:
    """Yield all that the bank sells, affordable or not; of two alike both, the returned one first."""
    for name in list_for_sale(s):
        yield BuyTrain(name, BANK, TRAINS[name].price)
        if is_in_two_places(s, name):
            yield BuyTrain(name, PILE, TRAINS[name].price)


def find_cheapest(s: State) -> str:
    """Return the cheapest train of the bank: the one to be leased (Insolvency) or that must be bought (Insolvency)."""
    return list_for_sale(s)[0]


def _has_room(s: State, company: Company) -> bool:
    return len(company.trains) < s.train_limit


def must_buy(s: State, company: Company) -> bool:
    """Return whether a company must buy: no train, and money for one of the bank's (Insolvency)."""
    price = TRAINS[find_cheapest(s)].price
    return not company.trains and (company.cash > price or (company.cash == price and s.rules.exact_price_must_buy))


def is_open_for(s: State, company: Company) -> bool:
    """Return whether there is anything to decide about trains; in receivership none is bought beside another."""
    if company.receivership and company.trains:
        return False
    return _has_room(s, company) and (
        TRAINS[find_cheapest(s)].price <= company.cash or any(_list_trades(s, company, company.cash))
    )


def _list_trades(s: State, company: Company, cash: int) -> Iterator[tuple[str, str]]:
    """Yield (train, seller) of every train another company could sell."""
    if cash < MIN_TRAIN_PRICE or s.nationalised:
        return
    for seller in s.companies.values():
        if _find_seller_refusal(s, company, seller) is None:
            yield from ((train, seller.code) for train in dict.fromkeys(seller.trains))


def _find_seller_refusal(s: State, company: Company, seller: Company) -> RuleError | None:
    """Return the refusal of a train from another company, or nothing."""
    if s.nationalised:
        sentence = "After nationalisation, trains can be bought only from the bank."
        return RuleError(sentence, rule("Railway Nationalisation, and the creation of British Rail"))
    if company.receivership:
        sentence = f"{company.code} is in receivership, so it can buy only from the bank."
        return RuleError(sentence, rule("Companies In Receivership"))
    if seller is company:
        return RuleError(f"{seller.code} can't buy from itself.", rule("Buying Trains"))
    if not seller.trains:
        return RuleError(f"{seller.code} has no train to sell.", rule("Buying Trains"))
    if not seller.floated:
        sentence = f"{seller.code} is bankrupt; its trains stay with its charter until it has floated again."
        return RuleError(sentence, rule("Bankrupt Companies"))
    if seller.receivership:
        sentence = f"{seller.code} is in receivership, so it has no director who could agree to a sale."
        return RuleError(sentence, rule("Buying Trains"))
    if company.trains and len(seller.trains) == 1:
        sentence = f"{company.code} already has a train, so it can't buy the only train of {seller.code}."
        return RuleError(sentence, rule("Buying Trains"))
    return None


def list_options(s: State, seat: int) -> Iterator[BuyTrain]:
    """Yield every purchase: from the bank at the printed price, from companies at each price in tens."""
    del seat
    company = _get_acting_company(s)
    if not _has_room(s, company):
        return
    yield from (buy for buy in list_bank_trains(s) if buy.price <= company.cash)
    for train, seller in _list_trades(s, company, company.cash):
        for price in range(MIN_TRAIN_PRICE, company.cash + 1, MIN_TRAIN_PRICE):
            yield BuyTrain(train, seller, price)


def check(s: State, seat: int, action: BuyTrain) -> Plan:
    """Check a purchase."""
    company = _get_acting_company(s)
    if not _has_room(s, company):
        owned = pluralise(len(company.trains), "train")
        sentence = f"{company.code} has {owned} and the limit is {s.train_limit}, so it can't buy another."
        raise RuleError(sentence, rule("Phases"))
    if action.seller in (BANK, PILE):
        return _check_bank(s, company, action)
    seller = shares.find_company(s, action.seller)
    refusal = _find_seller_refusal(s, company, seller)
    if refusal is not None:
        raise refusal
    if action.train not in seller.trains:
        owned = join_words([*dict.fromkeys(seller.trains)])
        raise RuleError(f"{seller.code} has no “{action.train[:20]}”; it has {owned}.", rule("Buying Trains"))
    _check_tens(action.price)
    if action.price > company.cash:
        raise RuleError(
            f"{company.code} has {company.cash:,}cc, so it can't offer {action.price:,}cc.", rule("Buying Trains")
        )
    asks = -1 if seller.director == seat else seller.director
    return Plan(company.code, action.train, seller.code, action.price, asks, seat)


def _check_tens(price: int) -> None:
    """Refuse a price between companies that isn't a multiple of ten credits."""
    if price < MIN_TRAIN_PRICE or price % MIN_TRAIN_PRICE:
        raise RuleError("The price must be a multiple of 10cc, at least 10cc.", rule("Buying Trains"))


def _check_bank(s: State, company: Company, action: BuyTrain) -> Plan:
    if action.train not in list_for_sale(s):
        raise RuleError(
            f"The bank sells the {join_words(list_for_sale(s))} now, not “{action.train[:20]}”.", rule("Buying Trains")
        )
    if action.seller == PILE and not is_in_two_places(s, action.train):
        sentence = f"No {action.train} has been returned to the bank, so there is no choice between two: choose “bank”."
        raise RuleError(sentence, rule("Buying Trains"))
    price = TRAINS[action.train].price
    if price > company.cash:
        raise RuleError(
            f"The {action.train} costs {price:,}cc; {company.code} has {company.cash:,}cc.", rule("Buying Trains")
        )
    if action.price != price:
        raise RuleError(
            f"The bank sells the {action.train} for {price:,}cc, not {action.price:,}cc.", rule("Buying Trains")
        )
    return Plan(company.code, action.train, action.seller, price)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the train, or ask the other director."""
    if plan.asks >= 0:
        ask_director(s, Offer(plan.company, plan.seller, plan.train, plan.price, plan.asks, plan.proposer), tell)
    else:
        buy(s, plan, tell)


def ask_director(s: State, offer: Offer, tell: Tell) -> None:
    """Lay a price for a train before the director who must agree (Buying Trains)."""
    s.operating.offer = offer
    countered = offer.proposer == s.companies[offer.seller].director
    tell(events.TrainOffered(offer.buyer, offer.seller, offer.train, offer.price, offer.decider, countered))


def buy(s: State, plan: Plan, tell: Tell) -> None:
    """Move money and train; the first of a kind begins a phase (Phases)."""
    company = s.companies[plan.company]
    company.cash -= plan.price
    first = False
    if plan.seller in (BANK, PILE):
        if plan.seller == BANK and plan.train in s.returned:
            s.returned.remove(plan.train)
        else:
            first = TRAINS[plan.train].phase > s.phase
            take_from_pile(s.depot, plan.train)
    else:
        seller = s.companies[plan.seller]
        seller.cash += plan.price
        seller.trains.remove(plan.train)
    company.trains.append(plan.train)
    tell(TrainBought(plan.company, plan.train, plan.seller, plan.price))
    if company.insolvent and s.rules.insolvency_ends_with_train:
        company.insolvent = False
        tell(events.InsolvencyEnded(company.code))
    if first:
        _begin_phase(s, plan.train, tell)


def _begin_phase(s: State, train: str, tell: Tell) -> None:
    """Begin a phase: old trains rust wherever they lie; the first 9+5 forms the Southern."""
    kind = TRAINS[train]
    s.phase = kind.phase
    if kind.rusts:
        s.returned = [name for name in s.returned if name != kind.rusts]
        for company in s.companies.values():
            company.trains = [name for name in company.trains if name != kind.rusts]
    tell(PhaseBegun(kind.phase, kind.rusts))
    if train == list(TRAINS)[-1]:
        s.formed = True
        tell(events.SouthernFormed())


def buy_in_receivership(s: State, company: Company, tell: Tell) -> None:
    """Buy the next train as soon as a company in receivership can, if it has none (Companies In Receivership)."""
    train = find_cheapest(s)
    if not company.trains and TRAINS[train].price <= company.cash:
        buy(s, Plan(company.code, train, BANK, TRAINS[train].price), tell)


def list_discard_options(s: State, seat: int) -> Iterator[Discard]:
    """Yield each kind of train that may be returned."""
    del seat
    yield from (Discard(train) for train in dict.fromkeys(_get_acting_company(s).trains))


def check_discard(s: State, seat: int, action: Discard) -> GiveBack:
    """Check the return of an excess train."""
    del seat
    company = _get_acting_company(s)
    if action.train not in company.trains:
        owned = join_words([*dict.fromkeys(company.trains)], "or")
        raise RuleError(f"{company.code} has no “{action.train[:20]}”; return a {owned}.", rule("Buying Trains"))
    return GiveBack(company.code, action.train)


def apply_discard(s: State, plan: GiveBack, tell: Tell) -> None:
    """Return the train."""
    give_back(s, s.companies[plan.company], plan.train, tell)


def give_back(s: State, company: Company, train: str, tell: Tell) -> None:
    """Return an excess train to the bank without compensation; it is for sale at face value (Buying Trains)."""
    company.trains.remove(train)
    s.returned.append(train)
    tell(events.TrainDiscarded(company.code, train))


class ReplyPlan(Record, frozen=True):
    """An answer to the offer on the table; ``price`` above 0 is a counter-offer."""

    accept: bool = False
    price: int = 0


class Recall(Record, frozen=True):
    """The offer is to be taken back."""


def _get_offer(s: State) -> Offer:
    offer = s.operating.offer
    assert offer is not None
    return offer


def list_answer_options(s: State, seat: int) -> Iterator[Answer]:
    """Yield the answers of the director who decides; a price beyond the treasury cannot be accepted."""
    offer = _get_offer(s)
    if seat == offer.decider:
        if offer.price <= s.companies[offer.buyer].cash:
            yield Answer("accept")
        yield Answer("decline")


def check_answer(s: State, seat: int, action: Answer) -> ReplyPlan:
    """Check an answer."""
    _check_decider(s, seat)
    offer, cash = _get_offer(s), s.companies[_get_offer(s).buyer].cash
    if action.reply == "accept" and offer.price > cash:
        raise RuleError(
            f"{offer.buyer} has {cash:,}cc, so it can't pay {offer.price:,}cc; decline, or name a lower price.",
            rule("Buying Trains"),
        )
    return ReplyPlan(accept=action.reply == "accept")


def _check_decider(s: State, seat: int) -> None:
    if seat != _get_offer(s).decider:
        raise RuleError("You made this offer, so the other director must answer it.", rule("Buying Trains"))


def find_max_price(s: State, seat: int) -> int:
    """Return the highest price worth naming: what the buyer has, as far as the seller may know it (Miscellaneous).

    A treasury that is hidden from him bounds nothing; then it is what the dearest train costs.
    """
    buyer = s.companies[_get_offer(s).buyer]
    if s.rules.open_treasuries or buyer.shares[seat]:
        return buyer.cash
    return max(kind.price for kind in TRAINS.values())


def list_counter_options(s: State, seat: int) -> Iterator[Counter]:
    """Yield every other price the buyer could pay."""
    offer = _get_offer(s)
    if seat == offer.decider:
        most = find_max_price(s, seat)
        step = MIN_TRAIN_PRICE
        yield from (Counter(price) for price in range(step, most + 1, step) if price != offer.price)


def check_counter(s: State, seat: int, action: Counter) -> ReplyPlan:
    """Check a counter-offer."""
    _check_decider(s, seat)
    offer, most = _get_offer(s), find_max_price(s, seat)
    _check_tens(action.price)
    if action.price > most:
        hidden = not (s.rules.open_treasuries or s.companies[offer.buyer].shares[seat])
        why = f"no train costs more than {most:,}cc" if hidden else f"{offer.buyer} has {most:,}cc"
        raise RuleError(f"You can't ask for {action.price:,}cc: {why}.", rule("Buying Trains"))
    if action.price == offer.price:
        raise RuleError(
            f"{action.price:,}cc has already been offered; accept it, or name another price.", rule("Buying Trains")
        )
    return ReplyPlan(price=action.price)


def apply_reply(s: State, reply: ReplyPlan, tell: Tell) -> None:
    """Sell the train, decline, or ask the other side about another price."""
    offer = _get_offer(s)
    if reply.price:
        asked = Offer(offer.buyer, offer.seller, offer.train, reply.price, offer.proposer, offer.decider)
        ask_director(s, asked, tell)
        return
    s.operating.offer = None
    if reply.accept:
        buy(s, Plan(offer.buyer, offer.train, offer.seller, offer.price), tell)
    else:
        tell(events.OfferDeclined(offer.buyer, offer.seller, offer.train, offer.decider))


def list_withdraw_options(s: State, seat: int) -> Iterator[Withdraw]:
    """Yield the withdrawal, for the player who made the offer."""
    if seat == _get_offer(s).proposer:
        yield Withdraw()


def check_withdraw(s: State, seat: int, action: Withdraw) -> Recall:
    """Check a withdrawal."""
    del action
    if seat != _get_offer(s).proposer:
        raise RuleError(
            "Only the player who made the offer can take it back; you can accept or decline it.", rule("Buying Trains")
        )
    return Recall()


def apply_withdraw(s: State, recall: Recall, tell: Tell) -> None:
    """Take the offer back."""
    del recall
    offer = _get_offer(s)
    s.operating.offer = None
    tell(events.OfferWithdrawn(offer.buyer, offer.seller, offer.train))
