"""A stretch of a game in few words: how pieces are put together to lines."""

from engine.brief import BidFor, BidWon, Bit, Heading, PassMade, Piece, fold


def lines(*pieces: Piece) -> list[str]:
    return fold((piece, False) for piece in pieces)


def test_what_is_told_of_one_company_in_a_round_takes_one_line() -> None:
    found = lines(Bit("FYN", "tile on G5"), Bit("Bob", "buys 10% FYN"), Bit("FYN", "pays £50"))
    assert found == ["FYN: tile on G5, pays £50", "Bob buys 10% FYN"]


def test_bits_of_one_kind_are_added_up() -> None:
    bought = Bit("Bob", "buys #% FYN", key="+FYN", amount=10)
    tile = Bit("FYN", "a tile", "# tiles", "tile", 1)
    assert lines(bought, bought, tile) == ["Bob buys 20% FYN", "FYN: a tile"]
    assert lines(tile, tile, tile) == ["FYN: 3 tiles"]


def test_a_value_is_told_from_its_first_to_its_last() -> None:
    found = lines(Bit("FYN", "£74", key="price", first="£68"), Bit("FYN", "£82", key="price", first="£74"))
    assert found == ["FYN: £68→82"]


def test_a_value_that_is_what_it_was_is_not_told() -> None:
    assert lines(Bit("FYN", "£74", key="price", first="£68"), Bit("FYN", "£68", key="price", first="£74")) == []


def test_an_auction_is_told_as_who_beat_whom() -> None:
    bids: list[Piece] = [BidFor("Bob", "£15", "IOW"), PassMade("Ann"), BidFor("Carol", "£140", "IOW"), PassMade("Bob")]
    assert lines(*bids, BidWon("Carol", "£145", "IOW")) == ["Carol beats Bob for IOW at £145"]
    assert lines(BidFor("Bob", "£15"), PassMade("Ann"), BidWon("Bob", "£15")) == ["Bob wins the auction for £15"]


def test_an_auction_that_goes_on_is_told_by_its_last_bid() -> None:
    found = lines(BidFor("Bob", "5", "Red"), BidFor("Ann", "7", "Red"))
    assert found == ["Ann leads for Red at 7 (2 bids)"]
    assert lines(BidFor("Ann", "7", "Red")) == ["Ann bids 7 for Red"]


def test_a_chain_of_passes_is_counted() -> None:
    assert lines(PassMade("Bob"), PassMade("Ann")) == ["Bob and Ann pass"]
    assert lines(*[PassMade("Bob"), PassMade("Ann")] * 3) == ["6 passes"]


def test_a_round_stands_before_the_first_line_of_it() -> None:
    found = lines(Bit("Bob", "buys 10% FYN"), Heading("OR 2.1"), Bit("FYN", "pays £50"), Bit("FYN", "£74"))
    assert found == ["Bob buys 10% FYN", "OR 2.1 · FYN pays £50, £74"]


def test_a_verb_that_is_repeated_is_said_once() -> None:
    train = Bit("FYN", "buys a 2+1 for 250cc", "buys # × 2+1 at 250cc", "2+1", 1)
    found = lines(Bit("Bob", "buys 10% FYN"), Bit("Bob", "buys 20% IOW"), Bit("Bob", "sells 10% C&N"), train, train)
    assert found == ["Bob buys 10% FYN, 20% IOW, sells 10% C&N", "FYN buys 2 × 2+1 at 250cc"]


def test_what_follows_from_the_move_of_an_order_has_no_mark() -> None:
    assert fold([(Bit("Out", "Red", follows=True), True), (Bit("Red", "pays £50"), True)]) == [
        "Out: Red",
        "⚙ Red pays £50",
    ]


def test_a_line_in_which_an_order_moved_is_marked() -> None:
    bids: list[tuple[Piece, bool]] = [(BidFor("Bob", "£5", "IOW"), True), (BidFor("Ann", "£6", "IOW"), False)]
    found = fold([*bids, (BidWon("Ann", "£6"), False), (Bit("Bob", "buys 10% FYN"), False)])
    assert found == ["⚙ Ann beats Bob for IOW at £6", "Bob buys 10% FYN"]
