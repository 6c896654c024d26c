"""``/game``, as far as it concerns people: who sits where, who acts for whom, how a table stops and goes on."""

from bot.commands.command import GAME, Call, Command, CommandParameter, Reply
from bot.model.errors import BotError
from bot.model.plain import tidy_person
from bot.model.records import Choice, Outcome, Person, Seat
from bot.model.seating import join_names
from bot.screens.text import format_outcome
from bot.service.game_clock import ClockWish
from bot.service.game_clock import describe_clock as clock_words
from engine.player import LEVELS, STRONGEST, TEMPERS, Manner
from engine.words import join_words

_CLOSING = (
    "Closing “{name}” ends the game without a result: no one wins, and no one can move. The log stays "
    "readable, and /game reopen resumes the game. {asked} To confirm, use /game close sure:true. "
    "To end with the scores as they stand, use /game end."
)


def build_people() -> tuple[Command, ...]:
    """Return the commands about people."""
    seat = CommandParameter("seat", "whose seat", required=True, completes=True)
    guest = CommandParameter("seat", "whose seat", required=True, completes=True)
    user = CommandParameter("user", "who takes the seat; they must agree", "user", required=True)
    proxy = CommandParameter("user", "who acts for you; leave out to end this", "user")
    name = CommandParameter("name", "the new name", required=True)
    heir = CommandParameter("seat", "the new host", required=True, completes=True)
    on = CommandParameter("on", "no: the player takes over again", "bool")
    once = CommandParameter("once", "yes: for this turn only", "bool")
    late = CommandParameter("seat", "a seat whose time is up; yours if left out", completes=True)
    sure = CommandParameter("sure", "yes: close the running game", "bool")
    ways = tuple(Choice(way, way) for way in ("by pace", "off", "pause", "resume"))
    to = CommandParameter("set", "by pace: a clock that fits the table's pace", choices=ways)
    budget = CommandParameter("budget", "hours per player for the whole game", "int")
    increment = CommandParameter("increment", "hours added for each turn", "int")
    turn = CommandParameter("turn", "hours for each turn, instead of budget and increment", "int")
    grace = CommandParameter("grace", "hours after that before the others can have the seat played", "int")
    return (
        Command(
            "replace", "Give a seat in a running game to another person.", (seat, user, GAME), _replace, _complete_seats
        ),
        Command(
            "proxy", "Let another person act for you at this table.", (proxy, late, once, GAME), _proxy, _complete_seats
        ),
        Command("resign", "Give up your seat in a running game.", (GAME,), _resign),
        Command(
            "stand_in",
            "Let the bot play a seat, if the other players agree.",
            (seat, on, once, *MANNER_PARAMETERS, GAME),
            _stand_in,
            _complete_seats,
        ),
        Command("kick", "Remove a player before the start (host).", (guest, GAME), _kick, _complete_seats),
        Command("rename", "Rename the table (host).", (name, GAME), _rename),
        Command(
            "host",
            "Make another player the host; other players than the host need a majority.",
            (heir, GAME),
            _host,
            _complete_seats,
        ),
        Command("end", "End the game with the scores as they stand, if everyone agrees.", (GAME,), _end),
        Command("close", "Close a table (host); in a running game the others must agree.", (sure, GAME), _close),
        Command("reopen", "Reopen a closed game.", (GAME,), _reopen),
        Command(
            "clock",
            "Show or set the clock; in a running game everyone must agree.",
            (to, budget, increment, turn, grace, GAME),
            _clock,
        ),
    )


MANNER_PARAMETERS = (
    CommandParameter("level", "how well the bot plays", choices=tuple(Choice(word, word) for word in LEVELS)),
    CommandParameter("temper", "whether the bot takes chances", choices=tuple(Choice(word, word) for word in TEMPERS)),
)


def read_manner_wanted(call: Call) -> Manner:
    """Return how the program is to play a seat.

    Raises:
        BotError: there is no such level or temper.
    """
    found = []
    for name, known, usual in (("level", LEVELS, STRONGEST.level), ("temper", TEMPERS, STRONGEST.temper)):
        found.append(call.read_text(name, usual).lower())
        if found[-1] not in known:
            raise BotError(f"The {name} must be {join_words([*known], 'or')}, not “{found[-1][:40]}”.")
    return Manner(*found)


async def _complete_seats(call: Call, parameter: str) -> list[Choice]:
    del parameter
    table = await call.services.lobby.get_table(await call.find_game())
    return [Choice(seat.name, seat.name) for seat in table.seats]


async def find_seat(call: Call, game: int) -> Seat:
    """Return the seat of a table that a command names.

    Raises:
        BotError: no player has that name.
    """
    table, named = await call.services.lobby.get_table(game), call.read_text("seat")
    wanted = " ".join(named.lower().split())
    for seat in table.seats:
        if seat.name.lower() == wanted or str(seat.number + 1) == wanted:
            return seat
    raise BotError(f"No player at this table is called “{named[:40]}”; there are {join_names(table.names)}.")


def _reply_with(outcome: Outcome) -> Reply:
    return Reply(format_outcome(outcome), game=outcome.table.id, outcome=outcome, public=True)


async def _replace(call: Call) -> Reply:
    game, person = await call.find_game(), call.values.get("user")
    if not isinstance(person, Person):
        raise BotError("Choose who takes the seat with user:.")
    if call.hot_seat:  # one keyboard, another name
        person = Person(call.person.id, person.name)
    seat = (await find_seat(call, game)).number
    return _reply_with(await call.services.seats.propose_replacement(game, call.person.id, seat, person, call.delivery))


async def _stand_in(call: Call) -> Reply:
    game = await call.find_game()
    seat = (await find_seat(call, game)).number
    if call.values.get("on") is False:
        return _reply_with(await call.services.stand_ins.take_back(game, call.person.id, seat))
    once, manner = call.values.get("once") is True, read_manner_wanted(call)
    ask = call.services.stand_ins.propose(game, call.person.id, seat, call.delivery, once=once, manner=manner)
    return _reply_with(await ask)


async def _proxy(call: Call) -> Reply:
    user = call.values.get("user")
    proxy = user if isinstance(user, Person) else Person("", "")
    if call.read_text("seat"):
        game, once = await call.find_game(), call.values.get("once") is True
        seat = (await find_seat(call, game)).number
        if not proxy.id:
            raise BotError("Choose who acts for the seat with user:.")
        ask = call.services.seats.propose_deputy(game, call.person.id, seat, proxy, once=once, delivery=call.delivery)
        return _reply_with(await ask)
    return _reply_with(await call.services.seats.set_proxy(await call.find_game(), call.person.id, proxy))


async def _resign(call: Call) -> Reply:
    return _reply_with(await call.services.seats.resign(await call.find_game(), call.person.id))


async def _kick(call: Call) -> Reply:
    game = await call.find_game()
    guest = await find_seat(call, game)
    table = await call.services.hosting.kick(game, call.person.id, guest.user)
    return Reply(f"{guest.name} has been removed from “{table.name}”.", game=game)


async def _rename(call: Call) -> Reply:
    table = await call.services.hosting.rename(await call.find_game(), call.person.id, call.read_text("name"))
    return Reply(f"The table is now called “{table.name}”.", game=table.id)


async def _host(call: Call) -> Reply:
    game = await call.find_game()
    heir, user = await find_seat(call, game), call.person.id
    table = await call.services.lobby.get_table(game)
    if user == table.host:
        table = await call.services.hosting.hand_over(game, user, heir.user)
    elif call.manages and table.home.guild:
        name = tidy_person(call.person.name)
        table = await call.services.hosting.hand_over(game, user, heir.user, manager=name)
        deed = f"game {game}: made {heir.name} the host"
        await call.services.servers.note_deed(table.home.guild, call.person, deed)
    else:
        return _reply_with(await call.services.hosting.propose_host(game, user, heir.user, call.delivery))
    return Reply(f"{heir.name} is now the host of “{table.name}”.", game=game)


async def _end(call: Call) -> Reply:
    game = await call.find_game()
    return _reply_with(await call.services.agreements.propose_end(game, call.person.id, call.delivery))


async def _close(call: Call) -> Reply:
    game = await call.find_game()
    table = await call.services.lobby.get_table(game)
    if table.state != "running":
        table = await call.services.lobby.close(game, call.person.id)
        return Reply(f"“{table.name}” is closed; its log stays readable.", game=game, public=True)
    if call.values.get("sure") is not True and table.privacy != "private":
        others = [each for each in table.people if each != call.person.id]
        names = join_names([table.find_name(each) for each in others])
        asked = f"{names} must agree." if others else "There are no other players to ask."
        return Reply(_CLOSING.format(name=table.name, asked=asked), game=game)
    return _reply_with(await call.services.agreements.propose_close(game, call.person.id, call.delivery))


async def _clock(call: Call) -> Reply:
    game = await call.find_game()
    table = await call.services.lobby.get_table(game)
    hours = [call.read_int(each) for each in ("budget", "increment", "turn", "grace")]
    wish = ClockWish(call.read_text("set"), *hours)
    if wish == ClockWish():
        lines = await call.services.agreements.describe_clock(table)
        return Reply(
            "\n".join(lines) or 'The table has no clock. To add one, use /game clock set:"by pace".', game=game
        )
    if table.state == "open":
        table = await call.services.hosting.set_clock(game, call.person.id, wish)
        return Reply(f"“{table.name}”: {clock_words(table.clock)}.", game=game)
    return _reply_with(await call.services.agreements.propose_clock(game, call.person.id, wish, call.delivery))


async def _reopen(call: Call) -> Reply:
    return _reply_with(await call.services.agreements.reopen(await call.find_game(), call.person.id))
