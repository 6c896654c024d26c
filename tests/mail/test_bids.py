"""Fast auctions and standing orders by mail: the letter that asks for a maximum bid, and what people reply."""

import pytest

from bot.mail.choices import read_maximum
from bot.mail.orders import read_orders
from bot.mail.reply import ReadReply
from tests.mail.conftest import TWO, Begun, Mails, version
from tests.mail.letters import text_part

THREE = tuple(f"p{number}@home.example" for number in (1, 2, 3))


async def begin_fast(mails: Mails) -> tuple[int, str, list[str]]:
    """Begin a game of three by mail who agree on fast auctions; return it, who must decide, and the others."""
    table = await mails.seat("1860", 3)
    here = await mails.services.table.load_position(table.id)
    names = [here.actors[0].name, *(name for name in table.names if name != here.actors[0].name)]
    first, *others = [f"{name.lower()}@home.example" for name in names]
    assert "must agree" in await mails.answer(first, "auto fast")
    for other in others:
        assert "✓" in await mails.answer(other, "yes")
    await mails.answer(first, "bid 5")
    return table.id, first, others


async def test_all_bidders_are_asked_for_their_maximum_by_letter(mails: Mails) -> None:
    """At a table by mail alone; who must decide is asked for a bid instead."""
    game, first, others = await begin_fast(mails)
    asked = {to for to, mail in mails.out if "what's the most you would pay?" in str(mail["Subject"])}
    here = await mails.services.table.load_position(game)
    acting = f"{here.actors[0].name.lower()}@home.example"
    assert asked
    assert acting not in asked
    assert asked <= {first, *others}
    told = text_part(next(mail for to, mail in mails.out if to in asked and "most you would" in str(mail["Subject"])))
    assert told.startswith("Auction 1 of 6: what's the most you would pay?")
    assert "Reply with an amount, such as 150" in told


MAXIMA = ("150", "most 150", "£150", "max 150", "up to 150", "auto bid 150", "150 max", "bid 150", "I'd pay 150")
UNCLEAR = ("150 or 160", "about 150", "150?", "150\n\nno wait, 160", "not sure, 150", "1.5")


async def test_an_answer_to_that_letter_sets_the_maximum(mails: Mails) -> None:
    game, *_ = await begin_fast(mails)
    to, letter = next((to, mail) for to, mail in mails.out if "most you would pay" in str(mail["Subject"]))
    user = (await mails.services.contacts.find_contact(to)).user  # type: ignore[union-attr]
    for said in MAXIMA:
        told = await mails.answer(to, f"{said}\n\nCheers,\nP", to=letter)
        assert "Standing order: bid for" in told, said
        (order,) = await mails.services.orders.list_active(game, user)
        assert (order.kind, order.amount) == ("bid", 150), said
        if said != MAXIMA[-1]:
            await mails.services.orders.cancel(game, user)
    assert "up to 150" in await mails.answer(to, "auto list")
    assert "Cleared" in await mails.answer(to, "auto clear")
    assert await mails.services.orders.list_active(game, user) == []


async def test_an_unclear_maximum_is_asked_back(mails: Mails) -> None:
    game, *_ = await begin_fast(mails)
    to, letter = next((to, mail) for to, mail in mails.out if "most you would pay" in str(mail["Subject"]))
    for said in UNCLEAR:
        assert "✗" in await mails.answer(to, said, to=letter), said
        await mails.answer(to, "help", to=letter)  # many in a row that say nothing would be a robot's
    user = (await mails.services.contacts.find_contact(to)).user  # type: ignore[union-attr]
    assert await mails.services.orders.list_active(game, user) == []


async def test_a_maximum_for_a_lot_that_is_sold_is_refused(mails: Mails) -> None:
    game, *_ = await begin_fast(mails)
    to, letter = next((to, mail) for to, mail in mails.out if "most you would pay" in str(mail["Subject"]))
    lot = str(letter["Subject"])
    for _ in range(4):
        here = await mails.services.table.load_position(game)
        if here.ask().headline not in lot:
            break
        await mails.answer(f"{here.actors[0].name.lower()}@home.example", "pass")
    told = await mails.answer(to, "150", to=letter)
    assert "✗" in told
    assert "is over, so nothing was set" in told


async def test_a_maximum_is_refused_where_nothing_is_auctioned(mails: Mails) -> None:
    game = (await mails.seat("steel_driver", 3)).id
    here = await mails.services.table.load_position(game)
    told = await mails.answer(f"{here.actors[0].name.lower()}@home.example", "most 30")
    assert "✗ most 30: Nothing is being auctioned now, so no maximum bid was set." in told


async def test_orders_of_all_kinds_can_be_set_by_mail(begun: Begun) -> None:
    mails, game, first, _ = begun
    user = (await mails.services.contacts.find_contact(first)).user  # type: ignore[union-attr]
    assert "bid for any lot up to 20" in await mails.answer(first, "/auto bid on:any up_to:20")
    assert "“most 30”" not in await mails.answer(first, "most 30")
    kinds = {order.company: order.amount for order in await mails.services.orders.list_active(game, user)}
    assert kinds["any"] == 20
    assert 30 in kinds.values()
    assert "pass in the next stock round" in await mails.answer(first, "auto pass")
    assert "✗" in await mails.answer(first, "auto clear 99")


async def test_a_conditional_order_is_set_by_mail_and_played_when_its_owner_is_to_move(begun: Begun) -> None:
    """Behind a move, over several lines; a reader and a record with Discord's; what is no such order plays nothing."""
    mails, game, first, second = begun
    table = await mails.services.lobby.get_table(game)
    other = table.seats[0].name if first == TWO else table.seats[1].name
    told = await mails.answer(first, f"bid 5\nif {other.lower()} bids over £10, pass\nelse bid 20")
    assert f"✓ Standing order: if {other} bids over 10, pass; else bid 20 (AR 1, 6 lots left)." in told
    assert "bids £20" in await mails.answer(second, "bid 10")
    assert await version(mails, game) == 3
    assert f"✗ /auto if {other} bids over 30, pass: A condition must be about another player." in await mails.answer(
        second, f"if {other} bids over 30: pass"
    )
    assert "reply yes to send it to them" in await mails.answer(second, "If you have time we could meet")
    assert await version(mails, game) == 3


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        (("If Bob passes: pass", "if IOW < 100 buy IOW", "else pass"),
         ("/auto if Bob passes, pass; if IOW < 100 buy IOW; else pass",)),
        (("bid 10; if Bob bids over 20, pass",), ("bid 10", "/auto if Bob bids over 20, pass")),
        (("#8 if Bob bids more than £50, pass; if Bob bids more than £30, bid", "60; otherwise bid 40"),
         ("#8 /auto if Bob bids more than £50, pass; if Bob bids more than £30, bid 60; otherwise bid 40",)),
        (("pass, if Bob bids over 20; else bid 30",), ()),
        (("if Bob passes, pass", "", "actually, no"), ()),
        (("pass if Bob passes",), ()),
    ],
)  # fmt: skip
def test_a_condition_in_a_mail_is_read_whole_or_nothing_is_done(
    lines: tuple[str, ...], orders: tuple[str, ...]
) -> None:
    """“pass if Bob passes” is refused as a move of this turn."""
    paragraphs = tuple(tuple(part.split("\n")) for part in "\n".join(lines).split("\n\n"))
    assert read_orders(ReadReply(paragraphs)).orders == orders


async def test_an_amount_alone_is_the_bid_if_no_choice_can_be_meant(begun: Begun) -> None:
    mails, game, first, second = begun
    told = await mails.answer(first, "1")
    assert "✗ 1: You can't bid £1" in told
    assert "The choices have letters here, because a number is an amount." in told
    assert "bids £20" in await mails.answer(first, "20")
    assert "bids £25" in await mails.answer(second, "£25.")
    assert "✗" in await mails.answer(first, "26\n\nno wait, 30")
    assert await version(mails, game) == 2


async def test_steel_driver_takes_its_own_examples_by_mail(mails: Mails) -> None:
    """A raise names no company: "bid 4", or "4" alone; too little is refused with the rule."""
    table = await mails.seat("steel_driver", 3)
    played = 0
    for said, part in (("2", "up for auction"), ("bid 1", "✗"), ("bid 3", "bids 3"), ("1", "✗"), ("4", "bids 4")):
        here = await mails.services.table.load_position(table.id)
        told = await mails.answer(f"{here.actors[0].name.lower()}@home.example", said)
        assert part in told, told
        assert "company" not in told.splitlines()[0], told
        played += part != "✗"
    assert await version(mails, table.id) == played


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("most 150", 150),
        ("most £1,250", 1250),
        ("Max £90.", 90),
        ("auto bid 5", 5),
        ("most likely", None),
        ("auto bid P3 5", None),
        ("5", None),
    ],
)
def test_a_maximum_is_read_from_words(said: str, amount: int | None) -> None:
    assert read_maximum(said) == amount


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("bid 1,250", ("bid 1,250",)),
        ("buy train price:£1,200, pass", ("buy train price:£1,200", "pass")),
        ("pass, bid 100", ("pass", "bid 100")),
    ],
)
def test_a_comma_within_an_amount_divides_no_orders(said: str, orders: tuple[str, ...]) -> None:
    """It was a bid of 1, and an order "250"."""
    assert read_orders(ReadReply(((said,),))).orders == orders


def test_words_that_begin_like_a_maximum_are_no_orders() -> None:
    for said in ("Most likely tomorrow", "Auto ist kaputt", "max von nebenan", "maximum fun"):
        assert read_orders(ReadReply(((said,),))).why, said
