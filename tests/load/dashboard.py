"""What the example dashboard shows of a load run: each of its queries answered from the bot's own metrics.

It knows the few forms of PromQL that the dashboard uses, and refuses any other, so that a query stays one that can be
tried here. A rate is that of the whole run.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from prometheus_client.parser import text_string_to_metric_families

DASHBOARD = Path(__file__).parents[2] / "docs" / "monitoring" / "dashboard.json"
SCRAPED = {"job": "stationmaster"}
"""Labels that Prometheus adds to all it reads from a bot."""

Labels = frozenset[tuple[str, str]]
Samples = Mapping[tuple[str, Labels], float]
Values = dict[Labels, float]

_QUANTILE = re.compile(r"histogram_quantile\(([\d.]+), (.+)\)")
_TOTAL = re.compile(r"(sum|max)(?: by \(([a-z, ]+)\))? ?\((.+)\)")
_TIMES = re.compile(r"(\d+) \* (.+)")
_RATE = re.compile(r"rate\((.+)\[\w+\]\)")
_SELECTED = re.compile(r'(\w+)(?:\{(\w+)="(\w+)"\})?')


class Query(msgspec.Struct, frozen=True):
    """A query of a panel, and what its lines are called."""

    panel: str
    words: str
    legend: str


class Scrapes(msgspec.Struct, frozen=True):
    """All metrics before and after a run of some seconds."""

    before: Samples
    after: Samples
    seconds: float


def list_queries() -> list[Query]:
    """Return the queries of the dashboard."""
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return [Query(each["title"], row["expr"], row["legendFormat"]) for each in panels for row in each["targets"]]


def read_metrics(text: str, instance: str = "load") -> Samples:
    """Return the samples of a scrape of one process as Prometheus has them."""
    return {
        (sample.name, frozenset({**SCRAPED, "instance": instance, **sample.labels}.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def evaluate(words: str, scrapes: Scrapes) -> Values:
    """Return what a query finds, by labels; nothing if no metric fits.

    Raises:
        ValueError: it isn't one of the forms that the dashboard uses.
    """
    if found := _QUANTILE.fullmatch(words):
        return _find_quantiles(float(found[1]), evaluate(found[2], scrapes))
    if found := _TOTAL.fullmatch(words):
        kept = found[2].split(", ") if found[2] else []
        merge: Callable[[Sequence[float]], float] = math.fsum if found[1] == "sum" else max
        return {labels: merge(values) for labels, values in _group(evaluate(found[3], scrapes), kept)}
    if found := _TIMES.fullmatch(words):
        return {labels: int(found[1]) * value for labels, value in evaluate(found[2], scrapes).items()}
    if found := _RATE.fullmatch(words):
        before = _select(found[1], scrapes.before)
        after = _select(found[1], scrapes.after)
        return {labels: (value - before.get(labels, 0.0)) / scrapes.seconds for labels, value in after.items()}
    return _select(words, scrapes.after)


def _select(words: str, samples: Samples) -> Values:
    found = _SELECTED.fullmatch(words)
    if found is None:
        raise ValueError(f"“{words}” isn't a form that is known here.")
    wanted = {(found[2], found[3])} if found[2] else set()
    return {labels: value for (name, labels), value in samples.items() if name == found[1] and wanted <= labels}


def _group(values: Values, kept: Sequence[str]) -> Iterator[tuple[Labels, list[float]]]:
    """Yield the values that agree in the kept labels; a value that lacks one is in no group."""
    groups: dict[Labels, list[float]] = {}
    for labels, value in values.items():
        left = frozenset(each for each in labels if each[0] in kept)
        if len(left) == len(kept):
            groups.setdefault(left, []).append(value)
    yield from groups.items()


def _find_quantiles(share: float, buckets: Values) -> Values:
    """Return the quantile of a histogram as Prometheus does: evenly spread within the bucket that it falls into."""
    rows = sorted((float(dict(labels)["le"]), value) for labels, value in buckets.items())
    if not rows or rows[-1][1] <= 0:
        return {}
    wanted, low, below = share * rows[-1][1], 0.0, 0.0
    for bound, count in rows:
        if count >= wanted:
            inside = 0.0 if count == below else (wanted - below) / (count - below)
            return {frozenset(): low if math.isinf(bound) else low + (bound - low) * inside}
        low, below = bound, count
    return {}


def describe(scrapes: Scrapes) -> Iterator[str]:
    """Yield a line for each query: its panel, the lines it draws, and their last values."""
    for query in list_queries():
        found = evaluate(query.words, scrapes)
        values = [
            f"{_fill(query.legend, labels)} {value:,.3f}".rstrip("0").rstrip(".")
            for labels, value in sorted(found.items(), key=lambda each: sorted(each[0]))
        ]
        yield f"  {query.panel}: {', '.join(values) or 'NOTHING'}"


def _fill(legend: str, labels: Labels) -> str:
    """Return what a line is called."""
    return re.sub(r"\{\{(\w+)\}\}", lambda name: dict(labels).get(name[1], ""), legend)
