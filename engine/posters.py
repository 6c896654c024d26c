"""Posters: the card of a table that waits for players, and the frames of a time-lapse."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.game import Game, play_entry
from engine.hex_view import FIRST_STOP, HexView, Line
from engine.record import Event, Record
from engine.setup import Setup
from engine.title import Ran, Request, Title, insert_names
from engine.view import (
    MAX_ALT_CHARACTERS,
    Banner,
    Broadsheet,
    Chart,
    MapView,
    Network,
    Poster,
    Rank,
    Reached,
    Reel,
    View,
)
from engine.words import join_words, pluralise

MAX_FRAMES = 60
"""Positions of the longest game."""


class Sample(Record, frozen=True):
    """A position after a round, without its log, and what happened in that round."""

    game: Game
    events: tuple[Event, ...] = ()


def sample_positions(game: Game, most: int = MAX_FRAMES) -> tuple[Sample, ...]:
    """Return the start of a game, its position after each round, and the last one.

    If there are more than ``most``, they are evenly spread.
    """
    title, setup = game.title, game.setup
    state = title.deal(setup)
    kept, events = [Sample(Game(setup, (), (), title.clone(state)))], list[Event]()
    rounds = _list_finished_rounds(Game(setup, (), (), state))
    for said in game.list_in_force():
        play_entry(title, state, said, events.append)
        now = _list_finished_rounds(Game(setup, (), (), state))
        if now != rounds:
            kept.append(Sample(Game(setup, (), (), title.clone(state)), tuple(events)))
            events.clear()
        rounds = now
    kept.append(Sample(Game(setup, (), (), title.clone(state)), tuple(events)))
    step = max(1.0, (len(kept) - 1) / max(1, most - 1))
    count = min(len(kept), most)
    return tuple(kept[round(k * step)] for k in range(count))


def make_frames(game: Game, names: Sequence[str] = (), table: str = "") -> tuple[View, ...]:
    """Return a frame for each sampled position: its board, its caption, and worth so far; else the first picture.

    The charts of all frames have the axes of the last one, so that lines grow and never jump.

    Args:
        game: with its log.
        names: of the players by seat.
        table: its name.
    """
    moments, title = sample_positions(game), game.title
    if not can_make_broadsheet(title):
        first = Request(title.views.pictures[0].name, names=tuple(names), table=table)
        return tuple(moment.game.look(first) for moment in moments)
    players = tuple(names) or tuple(Request().find_name(seat) for seat in range(game.setup.seats))
    frames = []
    for number, moment in enumerate(moments):
        board, chart = (moment.game.look(Request(name, names=players, table=table)) for name in ("map", "chart"))
        assert isinstance(board, MapView | Network)
        assert isinstance(chart, Chart)
        when = chart.steps[-1] if number and chart.steps else ""
        told = _choose_caption(title, moment, players, chart) if number else table or title.name
        caption = ": ".join(filter(None, (when if number < len(moments) - 1 else "", told)))
        caption = caption[:1].upper() + caption[1:]
        if isinstance(board, MapView):
            board = replace(board, hexes=tuple(replace(each, mark="") for each in board.hexes), lines=(), notes=())
        board = replace(board, title="", headline="", banner=None)
        frames.append(
            Reel("Time-lapse", f"{caption}."[:MAX_ALT_CHARACTERS], board, caption, chart, identity=title.views.identity)
        )
    if len(frames) > 2 and frames[-2].caption.endswith(frames[-1].caption):  # the last round ended the game
        del frames[-2]
    steps = frames[-1].chart.steps
    most = max((value or 0 for line in frames[-1].chart.series for value in line.values), default=0)
    for number, frame in enumerate(frames):
        blank = (None,) * (len(steps) - len(frame.chart.steps))
        series = tuple(replace(line, values=(*line.values, *blank)) for line in frame.chart.series)
        frames[number] = replace(frame, chart=replace(frame.chart, steps=steps, series=series, most=most, now=()))
    return tuple(frames)


def _choose_caption(title: Title[Any], moment: Sample, names: Sequence[str], chart: Chart) -> str:
    """Return the end if it has come, else what mattered most in a round, else who leads after it."""
    result = title.result(moment.game.state)
    if result is not None:
        winners = join_words([names[seat] for seat in result.winners])
        return f"{winners} {'wins' if len(result.winners) == 1 else 'win'}: {result.reason_in_words}"
    for kind in title.words.headlines:
        said = [title.words.say(event, names) for event in moment.events if type(event) is kind]
        if any(said):
            return insert_names(next(filter(None, said)), names).rstrip(".")
    totals = [line.values[-1] or 0 for line in chart.series if line.values]
    if len(set(totals)) < 2:
        return ""
    first = max(range(len(totals)), key=totals.__getitem__)
    return f"{chart.series[first].name} leads with {chart.write_value(totals[first])}"


def _list_finished_rounds(game: Game) -> tuple[str, ...]:
    """Return the rounds that are over, as the chart shows them."""
    view = game.title.views.look(game.state, Request("chart"))
    return view.steps if isinstance(view, Chart) else ()


def can_make_broadsheet(title: Title[Any]) -> bool:
    """Return whether a title has the pictures that a sheet is made of."""
    return {"map", "card", "chart"} <= {each.name for each in title.views.pictures}


def make_broadsheet(game: Game, names: Sequence[str] = (), table: str = "") -> Broadsheet:
    """Return the sheet that tells a finished game, or one as it stands; plays the game once more.

    Args:
        game: with its log.
        names: of the players by seat.
        table: its name.
    """
    title, asked = game.title, Request("map", names=tuple(names), table=table)
    moment = title.orders.moment if title.orders is not None else None
    state, networks = title.deal(game.setup), dict[str, Reached]()
    first, best = title.views.look(state, asked), _BestRun()
    for said in game.list_in_force():
        found: list[Ran] = []

        def note(event: Event, found: list[Ran] = found) -> None:
            ran = title.story.ran(event) if title.story is not None else None
            found.extend([ran] if ran is not None else [])

        when = moment(state).round if moment is not None else ""
        play_entry(title, state, said, note)
        seen = title.views.look(state, asked) if found else None
        if isinstance(seen, MapView) and seen.lines:  # several may have run on their own: the map shows the last
            ran = found[-1]
            networks[ran.company] = Reached(ran.company, tuple(leg for line in seen.lines for leg in line.legs))
            if ran.revenue > best.revenue:
                line = max(seen.lines, key=lambda line: len(line.legs))
                best = _BestRun(ran.revenue, ran.company, when, list_stops(seen, line))
    board, card, chart = (
        title.views.look(state, Request(name, names=tuple(names), table=table)) for name in ("map", "card", "chart")
    )
    assert isinstance(card, Poster)
    assert isinstance(chart, Chart)
    hexes = board.hexes if isinstance(board, MapView) else ()
    here = {token.company for each in hexes for stop in each.stops for token in stop.tokens if token is not None}
    shown = [each for each in networks.values() if each.company in here] or [*networks.values()]
    turning, story = tell_course(chart, card.ranks, over=(result := title.result(state)) is not None)
    if result is not None:
        story = (f"{result.reason_in_words[:1].upper()}{result.reason_in_words[1:]}.", *story)
    words = f"{best.company} earns {chart.write_value(best.revenue)} in {best.round}" if best.company else ""
    course = [turning, *(line.rstrip(".") for line in story), f"The best run: {words}" if words else ""]
    told = ". ".join([title.name, card.headline or card.title, *filter(None, course)])
    told = f"{told}."[:MAX_ALT_CHARACTERS]
    return Broadsheet(
        "The game on one sheet", told, title.name, table, _restore_terrain(board, first), card.ranks, chart,
        tuple(shown), turning, best.company, words, best.stops, story,
        headline=card.headline, identity=title.views.identity,
    )  # fmt: skip


class _BestRun(Record, frozen=True):
    """The run that earned most so far: of which company, in which round, and the stops of its longest line."""

    revenue: int = 0
    company: str = ""
    round: str = ""
    stops: tuple[str, ...] = ()


def tell_course(chart: Chart, ranks: Sequence[Rank], *, over: bool) -> tuple[str, tuple[str, ...]]:
    """Return how a game was decided, and its course in up to three sentences."""
    rows = [[value or 0 for value in line.values] for line in chart.series]
    steps, first = chart.steps, next((rank for rank in ranks if rank.first), None)
    if first is None or len(steps) < 3 or not rows:
        return "", ()
    name = chart.series[first.line].name
    ahead = [
        [seat for seat, row in enumerate(rows) if row[k] == max(other[k] for other in rows)] for k in range(len(steps))
    ]
    since = next((k for k in reversed(range(len(steps))) if ahead[k] != [first.line]), -1)
    when = steps[min(since + 1, len(steps) - 1)]
    before = [chart.series[seat].name for seat in ahead[since] if seat != first.line and since > 0]
    at = _name_time(when)
    if since + 1 >= len(steps) and not before:
        turning = f"{name} won on the tie-break"
    elif not before:
        turning = f"{name} led from {'the start' if since < 0 else when} to the end"
    elif since + 2 >= len(steps):
        turning = f"{name} passed {before[0]} only {at}"
    else:
        turning = f"{name} took the lead from {before[0]} {at}" + " and kept it" * over
    leads = [sum(seats == [seat] for seats in ahead[1:]) for seat in range(len(rows))]
    longest = leads.index(max(leads))
    gains = [(row[k] - row[k - 1], seat, k) for seat, row in enumerate(rows) for k in range(1, len(row))]
    up, down = max(gains), min(gains)
    changes = sum(one != other for one, other in pairwise(ahead[1:]))
    changed = "once" if changes == 1 else pluralise(changes, "time")
    led = f"{leads[longest]} of {len(steps) - 1} rounds"
    told = [f"{chart.series[longest].name} was ahead in {led}; the lead changed {changed}."]
    told.append(f"The biggest gain: {chart.series[up[1]].name}, {chart.write_value(up[0])} {_name_time(steps[up[2]])}.")
    if down[0] < 0:
        lost = chart.write_value(-down[0])
        told.append(f"The biggest loss: {chart.series[down[1]].name}, {lost} {_name_time(steps[down[2]])}.")
    return turning, tuple(told)


def _name_time(step: str) -> str:
    """Return a step of the chart as a sentence has it."""
    return "at the end" if step == "end" else f"in {step}"


def list_stops(board: MapView, line: Line) -> tuple[str, ...]:
    """Return the names of the stops along a run, in its order; a stop without a name by its place on the map."""
    by_coord = {each.coord: each for each in board.hexes}
    found: list[str] = []
    for leg in line.legs:
        here = by_coord[leg.coord]
        for end in (leg.a, leg.b):
            if end >= FIRST_STOP:
                name = here.stops[end - FIRST_STOP].name or here.name or here.coord
                found += [name] if found[-1:] != [name] else []
    return tuple(found)


def _restore_terrain(board: View, first: View) -> MapView | Network:
    """Return a board with the hills and waters that tiles cover, and nothing new on it."""
    assert isinstance(board, MapView | Network)
    if not isinstance(board, MapView) or not isinstance(first, MapView):
        return board
    known = {each.coord: each.terrain for each in first.hexes}
    hexes = tuple(replace(each, terrain=known.get(each.coord, ""), mark="") for each in board.hexes)
    return replace(board, hexes=hexes, lines=(), notes=())


FREE = "free"


def make_lobby_card(setup: Setup, names: Sequence[str], table: str, facts: Sequence[str] = ()) -> Poster | None:
    """Return the card of a table that waits for players, ``None`` for a title without a board.

    Nothing on it depends on the seed, so it reveals nothing of the deal.

    Args:
        setup: with the seats asked for.
        names: of those who have joined.
        table: its name.
        facts: what was agreed, one line each.

    Raises:
        RuleError: the set-up is refused.
    """
    game = Game.new(setup)
    seen = [game.look(Request(each.name)) for each in game.title.views.pictures if each.every_turn]
    board = next((view for view in seen if isinstance(view, MapView | Network)), None)
    if board is None:
        return None
    board = msgspec.structs.replace(board, banner=None)
    if isinstance(board, MapView):
        board = msgspec.structs.replace(board, hexes=tuple(map(_remove_homes, board.hexes)), notes=(), lines=())
    taken = f"{len(names)} of {setup.seats} seats taken"
    ranks = tuple(
        Rank(str(seat + 1), names[seat] if seat < len(names) else FREE, first=seat < len(names))
        for seat in range(setup.seats)
    )
    told = ". ".join([f"A table for {game.title.name}", taken, *names, *facts])
    banner = Banner(game.title.name, "" if table == game.title.name else table, taken)
    return Poster(
        "Looking for players" if len(names) < setup.seats else "Ready to start",
        f"{told}."[:MAX_ALT_CHARACTERS], board, ranks, facts=tuple(facts), banner=banner,
        identity=game.title.views.identity,
    )  # fmt: skip


def _remove_homes(h: HexView) -> HexView:
    """Return a hex without homes, as the deal may decide which companies play."""
    stops = tuple(msgspec.structs.replace(stop, reserved=()) for stop in h.stops)
    return msgspec.structs.replace(h, homes=(), stops=stops)
