"""Who won what on a server; an undo of the end takes the result back; whoever is forgotten is named no more."""

import pytest
from sqlmodel import col

from bot.commands.command import Call
from bot.commands.me import build_me
from bot.commands.stats import build_stats
from bot.model.errors import BotError
from bot.model.records import Home, NewTable, Person
from bot.service.services import Services
from bot.service.workers.account import ACCOUNT
from bot.service.workers.files import FileAsked
from bot.store.rows import update_rows
from bot.store.tables import LogRow, ScoreRow
from engine.codec import encode_file
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.playthroughs.record import read
from tests.support.sure import sure
from tests.support.toy import Bid, Pass

HOME = Home("g", "c")


async def play_to_end(services: Services, winner: Person) -> int:
    """Play a game of Ann and Bob to its end; the winner pays little for all."""
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5), HOME)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    while (here := await services.table.load_position(table.id)).actors:
        user = here.actors[0].user
        leads = here.game.log and user == winner.id
        await services.table.submit(table.id, user, Bid(1) if leads or user == winner.id else Pass())
    return table.id


async def say(services: Services, name: str, **values: Person | str) -> str:
    command = sure(build_stats().find(name))
    return (await command.run(Call(services, ANN, dict(values), None, HOME))).text


async def test_winners_of_auctions_are_reported(services: Services) -> None:
    assert await say(services, "player") == "No game with you has ended here yet."
    await play_to_end(services, ANN)
    last = await play_to_end(services, BOB)
    assert "toy" in (await say(services, "player")).lower()
    assert "2 games, 1 won" in await say(services, "player")
    assert "2 players: 2 games" in await say(services, "title", title="toy")
    assert "Ann 1 : 1 Bob" in await say(services, "head_to_head", other=BOB)
    assert "No game with Cid has ended here yet." in await say(services, "player", user=CID)
    assert "has ended here yet" in await say(services, "head_to_head", other=EVE)
    holder = (await services.table.load_position(last)).game.log[-1].seat
    await services.back.undo(last, (ANN, BOB)[holder].id)
    assert "2 players: 1 game" in await say(services, "title", title="toy")
    await services.agreements.propose_close(last, ANN.id)
    await services.consent.vote(last, BOB.id, yes=True)
    await services.seats.forget_person(BOB.id)
    assert "Bob" not in await say(services, "title", title="toy")


async def test_a_game_ended_by_vote_and_one_with_a_stand_in_are_recognised(services: Services) -> None:
    """They are named and left out of the league."""
    table = await services.lobby.create(ANN, NewTable("steel_driver", 3, seed=5), HOME)
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.agreements.propose_end(table.id, ANN.id)
    for person in (BOB, CID):
        await services.consent.vote(table.id, person.id, yes=True)
    helped = await play_to_end(services, ANN)
    async with services.database.writing() as session:
        await update_rows(session, LogRow, col(LogRow.game) == helped, col(LogRow.seq) == 0, made_by="stand-in")
    played = await play_to_end(services, ANN)
    found = {each.game: (each.by_vote, each.stand_in) for each in await services.people.list_finished("g")}
    assert found == {table.id: (True, False), helped: (False, True), played: (False, False)}
    assert "Steel Driver, 3 players: no game; 1 left out" in await say(services, "title", title="steel_driver")
    assert "2 players: 1 game; 1 left out, ended by vote" in await say(services, "title", title="toy")


async def test_results_can_be_kept_private(services: Services) -> None:
    """Others see neither the profile nor the line of a player; their own results stay as they are."""
    await play_to_end(services, BOB)
    hide = sure(build_me().find("profile"))
    assert (await hide.run(Call(services, BOB, {"hidden": True}, None, HOME))).text == (
        "Only you can see your profile and results now."
    )
    told = await say(services, "title", title="toy")
    assert "Bob" not in told
    assert told.endswith("1 player keeps results private.")
    assert "Ann: 1 game, 0 won" in told
    for name, values in (("player", {"user": BOB}), ("head_to_head", {"other": BOB})):
        with pytest.raises(BotError, match="Bob keeps results private"):
            await say(services, name, **values)
    with pytest.raises(BotError, match="Bob keeps results private"):
        await hide.run(Call(services, ANN, {"user": BOB}, None, HOME))
    mine = sure(build_stats().find("title"))
    assert "Bob: 1 game, 1 won" in (await mine.run(Call(services, BOB, {"title": "toy"}, None, HOME))).text
    await hide.run(Call(services, BOB, {"hidden": False}, None, HOME))
    assert "Bob: 1 game, 1 won" in await say(services, "title", title="toy")


async def test_favourite_companies_and_what_they_brought(services: Services) -> None:
    """Those of most games first; the sums are those of the report of each game."""
    nothing = "No game of 1860 with shares of Ann has ended here yet."
    assert await say(services, "companies", title="1860") == nothing
    kept = read("1860-2")
    file = FileAsked(encode_file(kept.setup, kept.read_log(), ("Ann", "Bob")))
    table = (await services.transfer.import_file(ANN, file, "", HOME, "i1")).table
    async with services.database.writing() as session:
        for seat, person in enumerate((ANN, BOB)):
            total, place = kept.totals[seat], 1 + (kept.totals[seat] < max(kept.totals))
            session.add(ScoreRow(game=table.id, seat=seat, user=person.id, name=person.name, total=total, place=place))
    here = await services.table.load_position(table.id)
    stakes = [each for each in (await services.workers.do(ACCOUNT, None, here.course)).stakes if each.seat == 1]
    head, *lines = (await say(services, "companies", title="1860", user=BOB)).splitlines()
    assert head == "Bob at 1860, newest 1 game:"
    best = max(stakes, key=lambda each: each.got - each.paid)
    brought, sums = f"{best.got - best.paid:+,}", f"(paid {best.paid:,}, got {best.got:,})"
    won = int(kept.totals[1] == max(kept.totals))
    assert lines[0] == f"{best.company}: 1 game, {won} won, brought {brought} a game {sums}"
    assert len(lines) == min(15, len(stakes))
