"""What a running bot shows to those who watch it: metrics for Prometheus, and whether it is alive and ready.

A listener of its own, on this machine unless it is told otherwise: nothing of it is meant for the internet. It shows
no names, no addresses and nothing of a game. ``docs/monitoring.md`` lists all metrics.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from bot.discord.client import DiscordClient
from bot.model.measures import Durations, Measures
from bot.service.services import Services
from bot.store import census
from bot.store.census import Census, OwedCount
from engine import Record

READ_SECONDS_MAX = 2.0
"""Seconds that the database may take to count what it has."""
BEAT_SECONDS, RETRY_SECONDS = 0.5, 60
PREFIX = "stationmaster"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
log = structlog.get_logger(__name__)


class StoreFigures(Record, frozen=True):
    """What the database has, how large it is, and how many seconds it took to say so."""

    census: Census
    size: int
    seconds: float


async def read_store(services: Services) -> StoreFigures | None:
    """Ask the database; ``None`` if it fails or is too slow."""
    began = time.perf_counter()
    try:
        async with asyncio.timeout(READ_SECONDS_MAX):
            async with services.database.reading() as session:
                found = await census.count_all(session, services.clock())
            size = await services.database.backend.measure_size()
    except Exception as error:  # noqa: BLE001 - whatever it is, the figures say that there are none
        log.warning("metrics of the database not read", error=repr(error)[:300])
        return None
    return StoreFigures(found, size, time.perf_counter() - began)


class Figures(Collector):
    """All metrics at one moment: a collector, as Prometheus's library asks for them."""

    def __init__(self, services: Services, bot: DiscordClient | None, store: StoreFigures | None) -> None:
        self._services, self._bot, self._store = services, bot, store

    def collect(self) -> Iterable[Metric]:
        """Yield them."""
        yield from _list_measures(self._services.measures)
        yield from _list_workers(self._services)
        yield from () if self._bot is None else _list_gateway(self._bot)
        yield _make_gauge("store_up", "Whether the database answered.", float(self._store is not None))
        if self._store is not None:
            yield from _list_store(self._store)


def _make_gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"{PREFIX}_{name}", words, value)


def _make_histogram(name: str, words: str, durations: Durations) -> Metric:
    buckets = durations.list_buckets()
    return HistogramMetricFamily(f"{PREFIX}_{name}_seconds", words, buckets=buckets, sum_value=durations.total)


def _list_measures(measures: Measures) -> Iterator[Metric]:
    moves = CounterMetricFamily(f"{PREFIX}_moves", "Log entries stored by this process.", labels=["title"])
    for title, count in sorted(measures.moves.items()):
        moves.add_metric([title], count)
    yield moves
    yield _make_histogram(
        "acknowledgement", "Time until Discord has a press or command acknowledged.", measures.acknowledged
    )
    yield _make_histogram("picture", "Time until a picture is drawn.", measures.drawn)
    yield _make_histogram("loop_delay", "How late the event loop ran.", measures.late)


def _list_workers(services: Services) -> Iterator[Metric]:
    named = {
        "workers": "Worker processes.",
        "workers_busy": "Workers that do something.",
        "workers_queue": "Tasks that wait for a worker.",
    }
    gauges = [GaugeMetricFamily(f"{PREFIX}_{name}", words, labels=["lane"]) for name, words in named.items()]
    for lane, load in services.workers.count_loads().items():
        for gauge, value in zip(gauges, load, strict=True):
            gauge.add_metric([lane], value)
    yield from gauges


def _list_gateway(bot: DiscordClient) -> Iterator[Metric]:
    yield _make_gauge("gateway_up", "Whether Discord sends events to this process.", float(bot.is_listening))
    yield _make_gauge("gateway_latency_seconds", "Time between a heartbeat and Discord's answer.", bot.latency)
    yield _make_gauge("guilds", "Servers of this process's shard.", len(bot.guilds))


def _list_store(store: StoreFigures) -> Iterator[Metric]:
    yield _make_gauge("store_read_seconds", "Time the database took to count all this.", store.seconds)
    yield _make_gauge("store_bytes", "Size of the database.", store.size)
    yield _make_gauge("servers", "Servers with a running table.", store.census.servers)
    yield _make_gauge("players", "People at running tables.", store.census.people)
    tables = GaugeMetricFamily(f"{PREFIX}_tables", "Tables in the database.", labels=["title", "state"])
    for (title, state), count in sorted(store.census.tables.items()):
        tables.add_metric([title, state], count)
    yield tables
    yield from _list_queue({"post": store.census.posts, "letter": store.census.letters})


def _list_queue(owed: dict[str, OwedCount]) -> Iterator[Metric]:
    named = {
        "queue": "Posts and letters that are due and not sent.",
        "queue_later": "Posts and letters to be sent later.",
        "queue_failing": "Posts and letters that could not be sent so far.",
        "queue_oldest_seconds": "How long the oldest that is due has been waiting.",
    }
    gauges = [GaugeMetricFamily(f"{PREFIX}_{name}", words, labels=["kind"]) for name, words in named.items()]
    for kind, count in owed.items():
        for gauge, value in zip(gauges, (count.posts, count.later, count.failing, count.waited), strict=True):
            gauge.add_metric([kind], value)
    yield from gauges


class MonitoringFront:
    """Answers ``/metrics``, ``/healthz`` and ``/readyz``."""

    def __init__(self, services: Services, bot: DiscordClient | None) -> None:
        self._services, self._bot = services, bot

    def make_app(self) -> web.Application:
        """Return what answers."""
        app = web.Application()
        app.router.add_get("/metrics", self.show_metrics)
        app.router.add_get("/healthz", self.show_health)
        app.router.add_get("/readyz", self.show_readiness)
        return app

    async def show_metrics(self, request: web.Request) -> web.Response:
        """Answer with all metrics, in the format of Prometheus."""
        del request
        registry = CollectorRegistry(auto_describe=False)
        figures = Figures(self._services, self._bot, await read_store(self._services))
        registry.register(figures)
        ProcessCollector(registry=registry)
        return web.Response(body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE})

    async def show_health(self, request: web.Request) -> web.Response:
        """Answer that the event loop runs: a bot that does not answer is to be restarted."""
        del request
        return web.Response(text="alive\n")

    async def show_readiness(self, request: web.Request) -> web.Response:
        """Answer whether people can play here: Discord, if it is served, is connected and the database answers."""
        del request
        missing = [] if self._bot is None or self._bot.is_listening else ["not connected to Discord"]
        if await read_store(self._services) is None:
            missing.append("the database doesn't answer")
        return web.Response(text=f"{'; '.join(missing) or 'ready'}\n", status=503 if missing else 200)


async def serve_monitoring(services: Services, bot: DiscordClient | None, listen: str) -> None:
    """Serve metrics at "host:port" until cancelled; what goes wrong there ends nothing else."""
    host, _, port = listen.rpartition(":")
    runner = web.AppRunner(MonitoringFront(services, bot).make_app(), access_log=None)
    await runner.setup()
    is_logged = False
    try:
        while True:
            try:
                await web.TCPSite(runner, host.strip("[]") or "127.0.0.1", int(port)).start()
                break
            except OSError as error:  # an address that is taken: by another bot on this machine, most likely
                if not is_logged:
                    log.warning("metrics not served", listen=listen, error=str(error))
                is_logged = True
                await asyncio.sleep(RETRY_SECONDS)
        await _watch_loop(services.measures)
    finally:
        await runner.cleanup()


async def _watch_loop(measures: Measures) -> None:
    """Note how late the event loop runs, until cancelled."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(BEAT_SECONDS)
        measures.late.add(max(0.0, time.perf_counter() - began - BEAT_SECONDS))
