"""The load generator at its smallest: its figures, and that the bot keeps within Discord's limits."""

import re

import pytest

from tests.load.__main__ import Load, measure
from tests.load.dashboard import Scrapes, evaluate, list_queries, read_metrics


@pytest.mark.slow
async def test_load_of_three_tables_and_a_start() -> None:
    """One table a title, which are played for two seconds, and one more that is started in the end."""
    lines = [line async for line in measure(Load(tables=3, seconds=2, rate=4, starts=1), max_moves=30)]
    told = "\n".join(lines)
    presses, moves = map(int, re.findall(r"^3 tables, (\d+) presses in 2 s: (\d+) moves$", told, re.MULTILINE)[0])
    assert presses >= moves > 0
    assert " presses too late, 0 not acknowledged, 0 without an answer\n" in told
    for name in ("acknowledged", "answered", "words of a move in the channel", "its pictures"):
        assert re.search(rf"^{name}: median 0\.\d+ s|^{name}: median \d+", told, re.MULTILINE), name
    assert re.search(r"^event loop late by \d+ ms at most, 99%: \d+ ms$", told, re.MULTILINE)
    assert "\n1 tables started at once: 0 not acknowledged, all turn messages after " in told
    end = lines.index("0 requests beyond Discord's limits")
    assert re.fullmatch(r"the dashboard's \d+ queries over this run:", lines[end + 1])
    assert [line for line in lines[end + 2 :] if line.endswith("NOTHING")] == []
    assert len(lines[end + 2 :]) == len(list_queries())


METRICS = """# TYPE h histogram
h_bucket{le="1"} 2
h_bucket{le="2"} 6
h_bucket{le="+Inf"} 8
t{title="1860",state="running"} 3
t{title="1862",state="open"} 4
"""
SCRAPES = Scrapes({}, read_metrics(METRICS), 4.0)


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("t", [3, 4]),
        ('t{state="running"}', [3]),
        ("max(t)", [4]),
        ("sum by (title) (t)", [3, 4]),
        ("60 * sum(rate(t[5m]))", [105]),
        ("histogram_quantile(0.5, sum by (le) (rate(h_bucket[5m])))", [1.5]),
        ("histogram_quantile(0.99, sum by (le) (rate(h_bucket[5m])))", [2]),
        ("sum by (lane) (t)", []),
        ("missing", []),
    ],
)
def test_queries_are_answered_as_prometheus_does(query: str, values: list[float]) -> None:
    assert sorted(evaluate(query, SCRAPES).values()) == values


def test_a_query_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="isn't a form that is known here"):
        evaluate("avg_over_time(t[1h])", SCRAPES)


def test_every_query_of_the_dashboard_has_a_known_form() -> None:
    assert {len(evaluate(each.words, SCRAPES)) for each in list_queries()} == {0}
