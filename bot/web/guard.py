"""What keeps pages safe: headers of every answer, what an address may say, how much each visitor may ask for."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from types import MappingProxyType

from engine import Record
from render import PALETTES, Palette

BURST, PER_SECOND = 200.0, 40.0
"""Requests that one address may make at once, and how many more each second."""
UNKNOWN_COST = 10.0
"""Requests that one to a page that is not there counts for: who tries addresses is soon stopped."""
PREVIEW_COST = 20.0
"""Requests that one for a preview counts for: it is painted, and each page needs it once."""
MAX_ADDRESSES = 10_000
MAX_STREAMS, MAX_STREAMS_EACH = 1000, 6
"""Event streams in all, and of one address."""
MAX_DRAWINGS, MAX_DRAWINGS_EACH = 240, 24
"""Figures that may wait to be drawn, in all and for one address."""
YEAR = 31_536_000
MAX_TARGET_CHARACTERS, MAX_IP_CHARACTERS = 300, 45
_FIGURE = re.compile(r"(0|[1-9][0-9]{0,5})-([0-9a-f]{16})/([a-z]{1,10})/([a-z]{1,20})(?:\.([^/\x00-\x1f\x7f]{1,60}))?")

SECURITY: Mapping[str, str] = MappingProxyType({
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Server": "Stationmaster",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
})  # fmt: skip
FRESH, KEPT, NEVER = "private, no-cache", f"private, max-age={YEAR}, immutable", "private, no-store"
FOREVER = f"public, max-age={YEAR}, immutable"
"""Of what holds no word of any table."""


class FigureAddress(Record, frozen=True):
    """What an address of a figure says: the number and name of its position, a palette, a picture and of what."""

    number: int
    name: str
    palette: Palette
    picture: str
    about: str = ""


def read_figure(path: str) -> FigureAddress | None:
    """Read the address of a figure, "6-0f3a…/standard/company.C&N"; ``None`` if it is none."""
    found = _FIGURE.fullmatch(path) if len(path) <= MAX_TARGET_CHARACTERS else None
    palette = next((each for each in PALETTES if found and each == found[3]), None)
    return FigureAddress(int(found[1]), found[2], palette, found[4], found[5] or "") if found and palette else None


def read_addresses(text: str) -> frozenset[str]:
    """Return the addresses of a list, separated by commas."""
    return frozenset(each.strip() for each in text.split(",") if each.strip())


def reads_gzip(accepts: str) -> bool:
    """Return whether who sent ``Accept-Encoding`` can read what is compressed."""
    for each in accepts.lower().split(","):
        name, _, weight = each.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _find_household(address: str) -> str:
    """Return the address or network that one household has; "" for what is no address."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


class Places:
    """Places that are taken and given back: so many in all, and so many for one address."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most, self.most_each = most, most_each
        self.taken = 0
        self._each: dict[str, int] = {}

    def take(self, address: str) -> bool:
        """Take a place; return whether there is one."""
        mine = self._each.get(address, 0)
        if mine >= self.most_each or self.taken >= self.most:
            return False
        self._each[address] = mine + 1
        self.taken += 1
        return True

    def give_back(self, address: str) -> None:
        """Give a place back."""
        self.taken -= 1
        self._each[address] -= 1
        if not self._each[address]:
            del self._each[address]


class Guard:
    """Counts what each address asks for.

    Args:
        proxies: addresses that are believed about who asks through them. clock: seconds, never going back.
    """

    def __init__(self, proxies: frozenset[str] = frozenset(), clock: Callable[[], float] = time.monotonic) -> None:
        self.proxies = proxies
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.streams = Places(MAX_STREAMS, MAX_STREAMS_EACH)
        self.drawings = Places(MAX_DRAWINGS, MAX_DRAWINGS_EACH)

    def find_address(self, peer: str, forwarded: str) -> str:
        """Return who asks: the last one that a proxy of ours names, else whoever is connected.

        Of IPv6 it is the network of 64 bits: a household has one, and each of its visitors as many addresses as wished.
        """
        if peer in self.proxies:
            return _find_household(forwarded.rpartition(",")[2].strip()[:MAX_IP_CHARACTERS]) or peer
        return _find_household(peer) or peer

    def admit(self, address: str, cost: float = 1.0) -> bool:
        """Count a request; return whether it may be answered."""
        now = self.clock()
        left, before = self._buckets.pop(address, (BURST, now))
        left = min(BURST, left + (now - before) * PER_SECOND)
        admitted = left >= 1.0
        self._buckets[address] = (left - cost if admitted else left, now)
        while len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return admitted
