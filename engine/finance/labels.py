"""The words of choices with shares and runs, for lists and buttons."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from engine.finance import trading
from engine.finance.events import Held
from engine.finance.holdings import Owned, Priced, control
from engine.finance.say import HELD, purchase
from engine.printed import Units
from engine.record import Action
from engine.title import Ask
from engine.words import counted, listed

S = TypeVar("S")
Labels = Mapping[tuple[type[Action], str], Callable[[S, Any], str]]
"""One function a parameter, or for the whole of an action where that is ""; each takes its own type of action."""

MOST = 200
"""Signs of a label; what shows it cuts it where it must."""

OVER = Ask((), "The game is over", "", pictures=("card", "table", "chart", "map"))
ABOVE_LIMIT = "You are above the certificate limit: sell first."
_LYING = {"ipo": "IPO", "pool": "bank pool", "treasury": "treasury"}


class Chartered(Protocol):
    """What is printed on a charter: letters, name, and the place where the company begins."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def place(self) -> str: ...  # noqa: D102


def label(labels: Labels[S], s: S, action: Action, parameter: str) -> str:
    """Return words for one parameter of a legal action, as the title has them; else what is typed for it."""
    words = labels.get((type(action), parameter))
    return words(s, action)[:MOST] if words else str(getattr(action, parameter, ""))


def charter(printed: Chartered) -> str:
    """Return a company that may be started: "IOW · Isle of Wight Railway, home Ryde"."""
    return f"{printed.code} · {printed.name}, home {printed.place}"


def par(units: Units, price: int, shares: int) -> str:
    """Return a par with what the director's certificate, of so many shares, costs at it."""
    return f"par {units.money(price)} · {units.money(shares * price)} for the director's certificate"


def start(units: Units, company: str, price: int, shares: int) -> str:
    """Return a start as a button has it: "Start IOW at par £82 for £164"."""
    return f"Start {company} at par {units.money(price)} for {units.money(shares * price)}"


def run(plan: str, best: str) -> str:
    """Return a run as a button has it; ``best`` is what the plan is where the best is asked for."""
    return "Run the best routes" if plan == best else "Run these routes"


def run_plan(plan: str, best: str) -> str:
    """Return the plan of a run; ``best`` is what it is where the best is asked for."""
    return "the best run" if plan == best else plan


def share(units: Units, company: trading.Offered, source: str, left: int) -> str:
    """Return a share that may be bought: "10 % IOW · bank pool · £74 (30 % there)"."""
    where = f"{_LYING[source]} · {units.money(trading.share_price(company, source))} ({units.percent(left)} there)"
    return f"{units.percent(1)} {company.code} · {where}"


def buy(units: Units, company: trading.Offered, source: str) -> str:
    """Return a purchase as a button has it: "Buy 10 % IOW from the IPO for £74"."""
    return f"Buy {purchase(units, company.code, source, trading.share_price(company, source))}"


def block(units: Units, count: int, each: int, prices: tuple[int, int], why: Held | None) -> str:
    """Return a block of shares that may be sold: "20 % · £108 · price £54→£50".

    Args:
        units: of the title.
        count: shares sold.
        each: what one brings.
        prices: before and after.
        why: why the price stays, if the title has a reason to tell.
    """
    held = f", {HELD[why]}" if why else ""
    return f"{units.percent(count)} · {units.money(count * each)} · price {units.move(*prices)}{held}"


def sell(company: str, told: str) -> str:
    """Return a sale as a button has it, of a block as ``block`` tells it."""
    shares, money, price = told.split(" · ")
    return f"Sell {shares} {company} for {money} · {price}"


def seller(units: Units, company: Priced, each: int, after: int) -> str:
    """Return a company of which shares may be sold: what one brings, and where the price goes if one is sold."""
    half = ", half as it has no train" if each < company.price else ""
    return f"{company.code} · {units.money(each)} a share{half} · selling one: {units.move(company.price, after)}"


def holds(units: Units, companies: Collection[Owned], seat: int) -> list[str]:
    """Return the line that tells what a player holds and who directs it; none where that is nothing."""
    owned = control(units, companies, seat)
    return [f"You hold {owned}."] if owned else []


def passed(passes: int, seats: int) -> list[str]:
    """Return the line that tells how many have passed; none where nobody has."""
    return [f"{counted(passes, 'pass', 'passes')} so far; {seats} in a row end the round."] if passes else []


def dropped(seats: Sequence[int]) -> str:
    """Return who is out of an auction, to follow what stands: " Passed: {0} and {2}."; nothing where nobody is."""
    return f" Passed: {listed([f'{{{seat}}}' for seat in seats])}." if seats else ""
