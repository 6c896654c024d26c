"""What a report says of shares, trains and prices, counted once more from the positions of a game.

The reporter adds up the numbers of facts, lot by lot. Here each share is followed on its own, and what it cost or
brought is the cash that players had more or less after a move, wherever a move paid for one thing only. Trains and
prices are those of the positions before and after a move.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec

from engine import Event, Game, LogEntry
from engine.game import play_entry
from engine.report import Findings
from engine.titles.g1860.catalogue import PRIVATES

PAYS = {
    "CompanyStarted", "ShareBought", "SharesSold", "DividendPaid", "AuctionWon", "CharterWon", "OptionRedeemed",
    "OptionSold", "SharesCashed", "WentBankrupt", "PrivateBought", "PrivateSold", "PrivatesPaid", "FinePaid",
}  # fmt: skip
"""Facts that move money of players."""


class Snapshot:
    """What is seen of a position."""

    def __init__(self, s: Any) -> None:  # noqa: ANN401 - of a title
        self.name, self.phase, self.cash = s.name, s.phase, list(s.cash)
        companies = s.companies.items()
        self.shares = {code: list(company.shares) for code, company in companies}
        self.prices = {code: company.price for code, company in companies}
        self.trains = {code: [getattr(train, "face", train) for train in company.trains] for code, company in companies}


Move = tuple[Snapshot, Snapshot, list[tuple[Event, str]], LogEntry]
"""The positions before and after, the facts with their rounds, and what was played."""


class Token(msgspec.Struct):
    """One share that a seat bought in a round, or sold and might have kept."""

    seat: int
    bought_as: str
    round: str
    company: str
    cost: Fraction
    size: Fraction = Fraction(1)
    dividends: Fraction = Fraction()
    sold: Fraction = Fraction()
    left: Fraction = Fraction()


class Recount:
    """Counts a game again, a move at a time; ``seen`` is how often money was read from positions, of ``asked``."""

    def __init__(self) -> None:
        self.owned: list[Token] = []
        self.kept: list[Token] = []
        self.seen = self.asked = 0
        self.fined: Counter[int] = Counter()
        self._owed: Counter[int] = Counter()
        self._bids: Counter[tuple[int, str]] = Counter()
        self._merging: Counter[int] = Counter()

    def move(self, before: Snapshot, after: Snapshot, told: list[tuple[Event, str]]) -> None:
        """Note a move by the positions before and after it, and the facts with the round in which they were told."""
        self._before, self._after, self._prices = before, after, {**before.prices}
        self._alone = sum(type(event).__name__ in PAYS for event, _ in told) == 1
        for event, round_name in told:
            kind, fact = type(event).__name__, {"company": "", "seat": -1, **msgspec.structs.asdict(event)}
            self.asked, self.seen = self.asked + (kind in PAYS), self.seen + (kind in PAYS and self._alone)
            if fact["seat"] >= 0:
                self._note_trade(kind, fact, round_name)
            self._note_company(kind, fact)
        for event, _ in told:
            if type(event).__name__ == "CharterFailed":
                self._close(msgspec.structs.asdict(event)["company"], Fraction())

    def _read_cash(self, seat: int, otherwise: int) -> int:
        """Return what a seat has more after the move, if it paid for one thing only."""
        return self._after.cash[seat] - self._before.cash[seat] if self._alone else otherwise

    def _note_trade(self, kind: str, fact: dict[str, Any], round_name: str) -> None:
        """Note a fact about a seat."""
        seat, code = fact["seat"], fact["company"]
        if kind in ("CompanyStarted", "ShareBought", "PrivateExchanged"):
            count = self._after.shares[code][seat] - self._before.shares[code][seat]
            count = count if count > 0 else 1  # the company went bankrupt within the same move
            if kind == "PrivateExchanged":
                self._buy(seat, code, round_name, count, PRIVATES[fact["private"]].price)
            else:
                self._buy(seat, code, round_name, count, -self._read_cash(seat, -fact["price"]))
        elif kind in ("CharterFailed", "FinePaid", "DebtLapsed"):
            self._owed[seat] += fact.get("fine", 0) - fact.get("amount", 0)
            self.fined[seat] -= self._read_cash(seat, -fact["amount"]) if kind == "FinePaid" else 0
        elif kind == "SharesSold":
            self._sell(seat, code, round_name, fact["count"], self._read_cash(seat, fact["count"] * fact["each"]))
        elif kind in ("AuctionWon", "CharterWon"):
            self._bids[seat, code] -= self._read_cash(seat, -fact["amount"])
        elif kind == "PrivateBought":
            self._bids.pop((seat, ""), None)
        elif kind in ("OptionRedeemed", "OptionSold", "SharesCashed"):
            self._merging[seat] += self._read_cash(seat, fact["amount"] * (-1 if kind == "OptionRedeemed" else 1))

    def _note_company(self, kind: str, fact: dict[str, Any]) -> None:
        """Note a fact about a company."""
        code = fact["company"]
        if kind == "DividendPaid":
            seat = next((seat for seat, held in enumerate(self._after.shares[code]) if held), -1)
            each = Fraction(fact["revenue"] // 10)
            if seat >= 0:
                held = self._after.shares[code][seat]
                each = Fraction(self._read_cash(seat, held * fact["revenue"] // 10), held)
            for token in (*self.owned, *self.kept):
                token.dividends += token.size * each * (token.company == code)
        elif kind in ("MergerEnded", "Refinanced"):
            self._merge(fact.get("survivor") or code, fact.get("other", ""), self._after)
        elif kind == "PriceMoved":
            self._prices[code] = fact["after"]
        elif kind == "WentBankrupt":
            seat = next((seat for seat in range(len(self._before.cash)) if self.list_owned(seat, code)), -1)
            each = Fraction(self._prices[code] // (1 if self._before.trains[code] else 2))
            if seat >= 0 and "paid" in fact:
                held = sum((token.size for token in self.list_owned(seat, code)), Fraction())
                each = Fraction(self._read_cash(seat, fact["paid"][seat])) / held
            self._close(code, each if "paid" in fact else Fraction())

    def list_owned(self, seat: int, code: str) -> list[Token]:
        """Return the tokens of a seat, those of the lot first that was begun first: a round's purchases are one lot."""
        begun = {(token.seat, token.bought_as, token.round): at for at, token in reversed(list(enumerate(self.owned)))}
        mine = [token for token in self.owned if token.seat == seat and token.company == code and token.size]
        return sorted(mine, key=lambda token: begun[token.seat, token.bought_as, token.round])

    def _buy(self, seat: int, code: str, round_name: str, count: int, cost: int) -> None:
        cost += self._bids.pop((seat, code), 0) + self._bids.pop((seat, ""), 0)
        self.owned += [Token(seat, code, round_name, code, Fraction(cost, count)) for _ in range(count)]

    def _sell(self, seat: int, code: str, round_name: str, count: int, brought: int) -> None:
        need, each = Fraction(count), Fraction(brought, count)
        for token in self.list_owned(seat, code):
            taken = min([token.size, need])
            token.size, token.sold, need = token.size - taken, token.sold + taken * each, need - taken
        assert need == 0, f"{seat} sold {need} {code} too many"
        if self._owed[seat] > 0:  # to pay a fine: it could not have kept them
            return
        self.kept += [Token(seat, code, round_name, code, each) for _ in range(count)]

    def _close(self, code: str, price: Fraction) -> None:
        for token in (*self.owned, *self.kept):
            if token.company == code:
                token.sold, token.size = token.sold + token.size * price, Fraction()

    def _merge(self, survivor: str, gone: str, after: Snapshot) -> None:
        """Two become one; what a holder has after it is shared among its tokens."""
        for token in self.kept:
            if token.company in (survivor, gone):
                token.company, token.size = survivor, token.size / 2
        for token in self.owned:
            token.company = survivor if token.company == gone else token.company
        for seat, held in enumerate(after.shares[survivor]):
            mine, money = self.list_owned(seat, survivor), self._merging.pop(seat, 0)
            total = sum((token.size for token in mine), Fraction())
            for token in mine:
                part = token.size / total
                token.cost, token.sold = token.cost + part * max(-money, 0), token.sold + part * max(money, 0)
                token.size = held * part

    def add_up(self, tokens: list[Token]) -> dict[tuple[int, str, str], list[Fraction]]:
        """Return shares, cost, dividends and the rest, by seat, company and round."""
        sums: dict[tuple[int, str, str], list[Fraction]] = {}
        for token in tokens:
            row = sums.setdefault((token.seat, token.bought_as, token.round), [Fraction()] * 4)
            for at, amount in enumerate((Fraction(1), token.cost, token.dividends, token.sold + token.left)):
                row[at] += amount
        return sums


def recount(game: Game) -> tuple[Findings, Recount, list[Move]]:
    """Return what the title's reporter finds in a game, the same counted again, and all moves."""
    title, again, state = game.title, Recount(), Game.new(game.setup).state
    assert title.report is not None
    assert title.story is not None
    reporter, moves, before = title.report(), [], Snapshot(state)
    for entry in game.list_in_force():
        told: list[tuple[Event, str]] = []

        def note(event: Event, told: list[tuple[Event, str]] = told) -> None:
            reporter.note(state, event)
            told.append((event, state.name))

        play_entry(title, state, entry, note)
        reporter.end_move(state)
        after = Snapshot(state)
        again.move(before, after, told)
        moves.append((before, after, told, entry))
        before = after
    for seat in range(game.setup.seats):
        for code, worth in title.story.worth(state, seat):
            if code in state.companies:
                for token in again.list_owned(seat, code):
                    token.left = Fraction(worth) * token.size / state.companies[code].shares[seat]
    for token in again.kept:
        company = state.companies[token.company]
        token.left = token.size * (company.price if company.trains else company.price // 2)
    return reporter.finish(state), again, moves


def count_falls(
    moves: list[Move],
) -> list[tuple[int, str, int, int]]:
    """Return who lowered which price, by how much, and what that cost all others; of sales that end no round."""
    found = []
    for before, after, told, entry in moves:
        sold = [event for event, _ in told if type(event).__name__ == "SharesSold"]
        if getattr(entry.action, "verb", "") == "sell" and before.name == after.name and len(sold) == 1:
            code = msgspec.structs.asdict(sold[0])["company"]
            fall = before.prices[code] - after.prices[code]
            others = sum(mine for seat, mine in enumerate(before.shares[code]) if seat != entry.seat)
            if fall > 0 and others and after.prices[code]:
                found.append((entry.seat, code, fall, fall * others))
    return found


def count_rust(moves: list[Move]) -> list[dict[str, Counter[str]]]:
    """Return, for each move that began a phase with a train of the bank, the trains that companies had no more."""
    found = []
    for before, after, told, _ in moves:
        kinds = [type(event).__name__ for event, _ in told]
        if before.phase == after.phase or "TrainBought" not in kinds or kinds.count("TurnBegan"):
            continue
        lost = {code: Counter(owned) - Counter(after.trains.get(code, [])) for code, owned in before.trains.items()}
        found.append({code: gone for code, gone in lost.items() if gone})
    return [each for each in found if each]
