"""Choices named by their own words, and choices whose words contradict the number."""

import pytest

from bot.mail.orders import read_orders
from bot.model.letters import NumberedMove, NumberedMoves
from tests.mail.letters import gmail, read_reply

OFFERS = (
    ("Pass", '{"do":"pass"}'),
    ("Sell 20% C&N for £90 · price stays £90", '{"do":"sell","company":"C&N","count":2}'),
    ("Swap the Cowes Marina & Ferry Company for 10% C&N", '{"do":"exchange","private":"CMH"}'),
    ("Swap the Ryde Pier & Ferry Company for 10% IOW", '{"do":"exchange","private":"RPSC"}'),
    ("Start IOW at par £100 for £200", '{"do":"start","company":"IOW","price":100}'),
    ("Best run £60: pays £6 a share, price stays £82", '{"do":"run","plan":"2+1 F2-G5"}'),
    ("Bid £20", '{"do":"bid","amount":20}'),
    ("Bid £30", '{"do":"bid","amount":30}'),
)
OFFERED = NumberedMoves(42, 0, tuple(NumberedMove(*each) for each in OFFERS))
NAMED = {
    3: ("Swap the Cowes Marina please", "the Cowes Marina", "swap cowes marina for C&N"),
    4: ("Ryde Pier for IOW", "I'll take the Ryde Pier, thanks"),
    7: ("7 (bid 20)",),
}


def read(text: str) -> tuple[str, ...]:
    return read_orders(read_reply(gmail(text)), len(OFFERS), offered=OFFERED).orders


@pytest.mark.parametrize(("number", "text"), [(number, text) for number, texts in NAMED.items() for text in texts])
def test_choice_is_known_by_its_words(number: int, text: str) -> None:
    assert read(text)[0] == f"{number} (turn 42)"


@pytest.mark.parametrize(
    "text",
    [
        "the Ferry", "the price stays", "not the Cowes Marina", "the Cowes Marina?", "Cowes Marina or Ryde Pier",
        "I like the Cowes Marina", "for the best", "let me take the ferry to Ryde", "for 90",
        "7 (bid 30)", "5 - C&N all the way!", "3 - Ryde Pier", "3, the Ryde Pier",
    ],
)  # fmt: skip
def test_words_that_name_no_choice_or_another_are_asked_back(text: str) -> None:
    assert not read(text)


@pytest.mark.parametrize(("mark", "text"), [("5", "5 - IOW all the way!"), ("1", "1 - IOW is too dear")])
def test_reason_that_names_the_choice_or_nothing_like_it_is_no_doubt(mark: str, text: str) -> None:
    assert read(text) == (f"{mark} (turn 42)",)
