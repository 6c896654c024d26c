"""Posters: the card of a table that waits for players, and the frames of a time-lapse."""

from collections.abc import Sequence

import msgspec

from engine.game import Game, ignore_event, play_entry
from engine.hex_view import HexView
from engine.setup import Setup
from engine.title import Request
from engine.view import MAX_ALT_CHARACTERS, Banner, Chart, MapView, MarketView, Network, Poster, Rank, View

MAX_FRAMES = 60
"""Positions of the longest game."""


def sample_positions(game: Game, most: int = MAX_FRAMES) -> tuple[Game, ...]:
    """Return the start of a game, its position after each round, and the last one, without logs.

    If there are more than ``most``, they are evenly spread.
    """
    title, setup = game.title, game.setup
    state = title.deal(setup)
    kept = [title.clone(state)]
    rounds = _list_finished_rounds(Game(setup, (), (), state))
    for said in game.list_in_force():
        play_entry(title, state, said, ignore_event)
        now = _list_finished_rounds(Game(setup, (), (), state))
        if now != rounds:
            kept.append(title.clone(state))
        rounds = now
    kept.append(title.clone(state))
    step = max(1.0, (len(kept) - 1) / max(1, most - 1))
    count = min(len(kept), most)
    return tuple(Game(setup, (), (), kept[round(k * step)]) for k in range(count))


def make_frames(game: Game, names: Sequence[str] = (), table: str = "") -> tuple[View, ...]:
    """Return a picture of each sampled position: the card with the market, else the first picture.

    The charts of all cards have the axes of the last one, so that lines grow and never jump.

    Args:
        game: with its log.
        names: of the players by seat.
        table: its name.
    """
    known = [picture.name for picture in game.title.views.pictures]
    asked = Request("card" if "card" in known else known[0], names=tuple(names), table=table)
    frames = []
    for moment in sample_positions(game):
        view = moment.look(asked)
        market = moment.look(Request("market", names=asked.names)) if "market" in known else None
        if isinstance(view, Poster) and isinstance(market, MarketView):
            view = msgspec.structs.replace(view, market=market)
        frames.append(view)
    last = frames[-1]
    whole = last.chart if isinstance(last, Poster) else None
    return tuple(_fix_axes(view, whole) if whole and isinstance(view, Poster) else view for view in frames)


def _fix_axes(card: Poster, whole: Chart) -> Poster:
    """Return a card whose chart has the steps and the height of another, empty where it has no values yet."""
    if card.chart is None:
        return card
    most = max((value or 0 for line in whole.series for value in line.values), default=0)
    blank = (None,) * (len(whole.steps) - len(card.chart.steps))
    series = tuple(msgspec.structs.replace(line, values=(*line.values, *blank)) for line in card.chart.series)
    return msgspec.structs.replace(
        card, chart=msgspec.structs.replace(card.chart, steps=whole.steps, series=series, most=most)
    )


def _list_finished_rounds(game: Game) -> tuple[str, ...]:
    """Return the rounds that are over, as the chart shows them."""
    view = game.title.views.look(game.state, Request("chart"))
    return view.steps if isinstance(view, Chart) else ()


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
