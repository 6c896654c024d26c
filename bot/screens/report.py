"""What a finished game is reported by, in sentences: deals, sales, rust, falling prices, kept revenue, auctions.

Whatever looks like a mistake stands beside what would have been better, or not at all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

from bot.model.seating import join_names
from bot.service.workers.account import END, Account, Chances
from engine import Record
from engine.report import AuctionWin, CharterFine, PriceFall, RustCaused, RustVictim, ShareDeal, ShareSale, TrainSaving
from engine.view import MAX_ALT_CHARACTERS, AidSection, AidView, Chart, Identity, Series
from engine.words import add_article, join_words, pluralise

D = TypeVar("D", ShareDeal, AuctionWin)
MAX_FALLS, MAX_RUST, MAX_SAVINGS, MAX_DECISIONS, MAX_FINES = 2, 3, 4, 3, 4
BULLET = "\n• "
"""Stands before each of several sentences of a chapter."""


class Chapter(Record, frozen=True):
    """A line of a report, and what it is about; ``leads`` if the story under the end of the game has it too."""

    about: str
    text: str
    leads: bool = False

    @property
    def plain(self) -> str:
        """The line as it is read without any form."""
        return f"{self.about}:{'' if self.text.startswith(BULLET) else ' '}{self.text}"

    @property
    def marked(self) -> str:
        """The line in Discord's Markdown."""
        return f"**{self.about}**{'' if self.text.startswith(BULLET) else ' — '}{self.text}"


def make_report_view(chapters: Sequence[Chapter]) -> AidView:
    """Return a report as a page shows it: a heading for each chapter, and its sentences below."""
    lines = [[line for line in each.text.split(BULLET) if line] for each in chapters]
    sections = tuple(
        AidSection(each.about, (f"{first[:1].upper()}{first[1:]}", *more))
        for each, (first, *more) in zip(chapters, lines, strict=True)
    )
    return AidView("Report", " ".join(each.plain for each in chapters)[:MAX_ALT_CHARACTERS], sections)


def describe_findings(account: Account, names: Sequence[str]) -> Iterator[Chapter]:
    """Yield what a title's reporter has found, in words."""
    words = _Words(account.unit, names)
    found = account.findings
    yield from _describe_deals(words, found.deals)
    yield from _describe_sales(words, found.sales)
    if found.fines:
        worst_fines = sorted(found.fines, key=lambda fine: fine.due)[-MAX_FINES:]
        told = [words.write_fine(each) for each in found.fines if each in worst_fines]
        yield Chapter("Fines", words.list_lines(told), leads=True)
    if found.rust:
        worst = sorted(found.rust, key=_rate_rust)[-MAX_RUST:]
        told = [words.write_rust(each) for each in found.rust if each in worst]
        yield Chapter("Rust", words.list_lines(told), leads=True)
    if found.falls:
        falls = sorted(found.falls, key=lambda fall: -fall.lost)[:MAX_FALLS]
        yield Chapter("Sales that cost others", words.list_lines([words.write_fall(fall) for fall in falls]))
    savings = sorted(found.savings, key=lambda saving: -saving.kept)[:MAX_SAVINGS]
    if savings:
        yield Chapter("Revenue kept", words.list_lines([words.write_saving(saving) for saving in savings]))
    yield from _describe_auctions(words, found.auctions)


class _Words:
    """Sentences with the names of the players and the currency of the game."""

    def __init__(self, unit: str, names: Sequence[str]) -> None:
        self.unit, self.names = unit, names

    def list_lines(self, lines: Sequence[str]) -> str:
        """Return sentences, each on a line of its own if there are several."""
        return lines[0] if len(lines) == 1 else "".join(f"{BULLET}{line}" for line in lines)

    def write_amounts(self, *amounts: tuple[int, str]) -> str:
        """Return a sum and its parts: "£90: £20 in dividends and £70 at the end", "£70 at the end", "nothing"."""
        parts = [f"{self.unit}{amount:,} {words}" for amount, words in amounts if amount]
        total = f"{self.unit}{sum(amount for amount, _ in amounts):,}: " if len(parts) > 1 else ""
        return f"{total}{join_words(parts)}" if parts else "nothing"

    def write_lot(self, deal: ShareDeal) -> str:
        """Return whose shares are meant: "Ann's 3 IWNJ"."""
        what = f"{deal.shares} {deal.company}" if deal.shares else f"charter of {deal.company}"
        return f"{self.names[deal.seat]}'s {what}"

    def write_deal(self, deal: ShareDeal) -> str:
        """Return a purchase and what came of it, without a full stop."""
        parts = ((deal.dividends, "in dividends"), (deal.sold, "when sold"), (deal.left, _say_left(deal)))
        bought = f"bought in {deal.round} for {self.unit}{deal.paid:,}"
        fined = f"cost a fine of {self.unit}{deal.fine:,} and " if deal.fine else ""
        return f"{self.write_lot(deal)}, {bought}, {fined}brought {self.write_amounts(*parts)}"

    def write_sale(self, sale: ShareSale) -> str:
        """Return a sale and what keeping the shares would have brought, without a full stop."""
        final = _say_left(sale, "at the final price")  # which the sale itself may have lowered
        would = self.write_amounts((sale.dividends, "in dividends"), (sale.left, final))
        sold = (
            f"{self.names[sale.seat]} sold {sale.shares} {sale.company} in {sale.round} for {self.unit}{sale.brought:,}"
        )
        return f"{sold}; kept, they would have brought {would}"

    def write_rust(self, rust: RustCaused) -> str:
        """Return whose train took whose."""
        buyer = f"{self.names[rust.seat]}'s" if rust.seat >= 0 else "The"
        last = [self.write_owner(victim, rust.seat) for victim in rust.victims if victim.last]
        some = [
            f"{_count_trains(victim.trains)} of {self.write_owner(victim, rust.seat)}"
            for victim in rust.victims
            if not victim.last
        ]
        ends = f"the last trains of {join_words(last)}" if last else ""
        took = ", and ".join([*([ends] if last else []), *some])  # each of them may have an "and" of its own
        return f"{buyer} {rust.train} for {rust.company} in {rust.round} took {took}."

    def write_owner(self, victim: RustVictim, buyer: int) -> str:
        """Return a company with its director: "Bob's IWNJ", "Ann's own FYN"."""
        own = "own " * (victim.seat == buyer)
        return f"{self.names[victim.seat]}'s {own}{victim.company}" if victim.seat >= 0 else victim.company

    def write_fine(self, fine: CharterFine) -> str:
        """Return who was fined for which charter, and whether it was paid."""
        fined = f"{self.names[fine.seat]} was fined {self.unit}{fine.due:,} in {fine.round}"
        part = "" if fine.paid == fine.due else f", and could pay {self.unit}{fine.paid:,} of it"
        return f"{fined}, because {fine.company} hadn't floated{part}."

    def write_fall(self, fall: PriceFall) -> str:
        """Return what the shares of others lost by a sale, at the market."""
        what = "forced sale" if fall.forced else "sale"
        sold = f"{self.names[fall.seat]}'s {what} of {fall.shares} {fall.company} in {fall.round}"
        price = f"lowered the price from {self.unit}{fall.before:,} to {self.unit}{fall.after:,}"
        losses = [
            f"{self.names[seat]}'s {pluralise(shares, 'share')} lost {self.unit}{amount:,}"
            for seat, shares, amount in sorted(fall.losses, key=lambda loss: -loss[2])
        ]
        return f"{sold} {price}: {join_words(losses)}."

    def write_saving(self, saving: TrainSaving) -> str:
        """Return what a company kept, and the train that it bought next."""
        runs = f"{pluralise(saving.runs, 'run')} ({self.unit}{saving.each:,} a share)"
        kept = f"{self.names[saving.seat]}'s {saving.company} kept {self.unit}{saving.kept:,} of {runs}"
        if not saving.train:
            return f"{kept} and bought no train after that."
        bought = f"bought {add_article(saving.train)} for {self.unit}{saving.price:,} in {saving.round}"
        under = f" under {self.names[saving.buyer]}" if saving.buyer not in (-1, saving.seat) else ""
        return f"{kept}, then {bought}{under}."

    def write_auction(self, win: AuctionWin) -> str:
        """Return an auction and what it brought, without a full stop."""
        won = f"{self.names[win.seat]}'s {win.company}, won in {win.round} for {pluralise(win.cubes, 'cube')}"
        return f"{won}, brought {self.write_amounts((win.profit, 'of profit'), (win.share, 'for the share'))}"


def _say_left(shares: ShareDeal | ShareSale, when: str = "at the end") -> str:
    return f"{when}, as {shares.became}" if shares.became else when


def _count_trains(trains: Sequence[str]) -> str:
    """Return trains in words: "a 3L and 2 × 2F"."""
    counts = Counter(trains)
    return join_words([f"{count} × {train}" if count > 1 else add_article(train) for train, count in counts.items()])


def _find_better(deal: D, deals: Sequence[D], cost: int, costs: Sequence[int]) -> D | None:
    """Return the deal of the same round that brought most for its price, if that is more than this one's."""
    same = [
        (each, paid)
        for each, paid in zip(deals, costs, strict=True)
        if each.round == deal.round and each.company != deal.company and paid > 0
    ]
    best = max(same, key=lambda pair: pair[0].got / pair[1], default=None)
    return best[0] if best is not None and best[0].got * cost > deal.got * best[1] else None


def _describe_deals(words: _Words, deals: Sequence[ShareDeal]) -> Iterator[Chapter]:
    """Yield the best and the worst purchase of shares."""
    if len(deals) < 2:
        return
    best, worst = max(deals, key=lambda deal: deal.gain), min(deals, key=lambda deal: deal.gain)
    yield Chapter("Best deal", f"{words.write_deal(best)}.", leads=True)
    better = _find_better(worst, deals, worst.cost, [deal.cost for deal in deals])
    if better is not None:
        more = f"{words.write_lot(better)} of the same round brought {words.unit}{better.got:,}"
        instead = f"{more} for {words.unit}{better.cost:,}"
    else:
        instead = f"keeping the cash would have saved {words.unit}{-worst.gain:,}"
    if better is not None or worst.gain < 0:
        yield Chapter("Worst deal", f"{words.write_deal(worst)}; {instead}.", leads=True)


def _describe_sales(words: _Words, sales: Sequence[ShareSale]) -> Iterator[Chapter]:
    """Yield the most regretted sale of each player, and the sale that came just in time."""
    regretted = [
        max((sale for sale in sales if sale.seat == seat), key=lambda sale: sale.given_up)
        for seat in sorted({sale.seat for sale in sales})
    ]
    regretted = sorted((sale for sale in regretted if sale.given_up > 0), key=lambda sale: -sale.given_up)
    told = [f"{words.write_sale(sale)} ({words.unit}{sale.given_up:,} given up)." for sale in regretted]
    if told:
        yield Chapter("Most regretted sale", told[0], leads=True)
    if told[1:]:
        yield Chapter("Other sales to regret", words.list_lines(told[1:]))
    saved = min(sales, key=lambda sale: sale.given_up, default=None)
    if saved is not None and saved.given_up < 0:
        yield Chapter("Best sale", f"{words.write_sale(saved)}.")


def _rate_rust(rust: RustCaused) -> tuple[int, int]:
    """Return a sort key: trains taken that were the last, then all."""
    return sum(victim.last for victim in rust.victims), sum(len(victim.trains) for victim in rust.victims)


def _describe_auctions(words: _Words, wins: Sequence[AuctionWin]) -> Iterator[Chapter]:
    """Yield the best and the worst auction, what each player's cubes brought, and what each share was paid."""
    paid = [win for win in wins if win.cubes]
    if len(paid) < 2:
        return
    best, worst = (choose(paid, key=lambda win: (win.got / win.cubes, win.got)) for choose in (max, min))
    yield Chapter("Best auction", f"{words.write_auction(best)}.", leads=True)
    better = _find_better(worst, paid, worst.cubes, [win.cubes for win in paid])
    if better is not None:
        yield Chapter("Worst auction", f"{words.write_auction(worst)}; {words.write_auction(better)}.", leads=True)
    rows = []
    for seat, name in enumerate(words.names):
        own = [win for win in wins if win.seat == seat]
        got, cubes = sum(win.got for win in own), sum(win.cubes for win in own)
        each = f", {words.unit}{got // cubes:,} a cube" if cubes else ""
        won = f"{pluralise(len(own), 'company', 'companies')} for {pluralise(cubes, 'cube')}"
        rows.append(f"{name} won {won}, which brought {words.unit}{got:,}{each}." if own else f"{name} won none.")
    yield Chapter("Auctions", words.list_lines(rows))
    shares = {win.company: win.share for win in wins}
    worth = sorted(shares.items(), key=lambda share: -share[1])
    yield Chapter("Value of a share", f"{', '.join(f'{company} {words.unit}{share:,}' for company, share in worth)}.")


def list_missed_by_company(account: Account) -> str:
    """Return what the runs of each company fell short of the best, "" where it's one company or none."""
    missed: dict[str, int] = {}
    for run in account.runs:
        if run.seat >= 0 and run.left:
            missed[run.company] = missed.get(run.company, 0) + run.left
    rows = sorted(missed.items(), key=lambda row: -row[1])
    return join_names([f"{code} {account.unit}{amount:,}" for code, amount in rows]) if len(rows) > 1 else ""


def describe_decisions(account: Account, seats: Sequence[int], names: Sequence[str]) -> Iterator[Chapter]:
    """Yield up to three decisions of a player's seats, to be tried again on a copy: what cost them most."""
    words, found = _Words(account.unit, names), account.findings
    rows = [
        *(
            (sale.seat, sale.given_up, f"selling {sale.shares} {sale.company}", sale.round, sale.at)
            for sale in found.sales
        ),
        *((deal.seat, -deal.gain, f"buying {deal.shares} {deal.company}", deal.round, deal.at) for deal in found.deals),
        *((run.seat, run.left, f"running {run.company}", run.round, run.at) for run in account.runs),
    ]
    own = sorted((row for row in rows if row[0] in seats and row[1] > 0), key=lambda row: -row[1])[:MAX_DECISIONS]
    told = [f"{what} in {where} cost {words.unit}{cost:,}: /game fork at:{at}" for _, cost, what, where, at in own]
    worst = [win for win in found.auctions if win.seat in seats and win.cubes]
    for win in sorted(worst, key=lambda win: win.got / win.cubes)[:MAX_DECISIONS]:
        got = f"{words.unit}{win.got:,} for {pluralise(win.cubes, 'cube')}"
        told.append(f"winning {win.company} in {win.round} brought {got}: /game fork at:{win.at}")
    if told:
        yield Chapter("Decisions of yours to try again", words.list_lines(told))


def describe_chances(chances: Chances, names: Sequence[str]) -> Iterator[Chapter]:
    """Yield how each player's chances to win changed, and where most."""
    steps, values = chances.steps, chances.values
    if len(steps) < 2:
        return
    rows = (f"{name} {' → '.join(f'{value}%' for value in row)}" for name, row in zip(names, values, strict=True))
    how = f"if the program's players had played on after {', '.join(steps)}"
    yield Chapter("Chances to win", BULLET.join([how, *rows]))
    swings = [(abs(row[k] - row[k - 1]), seat, k) for seat, row in enumerate(values) for k in range(1, len(row))]
    _, seat, at = max(swings)
    before, after = values[seat][at - 1], values[seat][at]
    where = f"between the ends of {steps[at - 1]} and {steps[at]}"
    yield Chapter("Biggest swing", f"{names[seat]}'s chances went from {before}% to {after}% {where}.", leads=True)


def make_chances_chart(chances: Chances, names: Sequence[str], winners: Sequence[int], identity: Identity) -> Chart:
    """Return the chances to win as a chart that ends with who won."""
    ends = [round(100 / len(winners)) if seat in winners else 0 for seat in range(len(names))]
    rows = [(*row, end) for row, end in zip(chances.values, ends, strict=True)]
    series = tuple(Series(name, row) for name, row in zip(names, rows, strict=True))
    told = " ".join(chapter.plain for chapter in describe_chances(chances, names))
    return Chart("Chances to win, in percent", told, (*chances.steps, END), series, most=100, identity=identity)
