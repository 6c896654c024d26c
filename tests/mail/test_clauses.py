"""Replies that are read word by word: known noise beside the names of one choice, and all else asked back."""

from email.message import EmailMessage

import pytest

from bot.mail.clauses import ClauseReader
from bot.mail.numerals import write_digits
from bot.mail.orders import read_orders
from bot.mail.reply import ReadReply, read_message
from bot.model.letters import NumberedMove, NumberedMoves
from tests.mail.letters import gmail, read_reply

LETTERS = {
    "auction": (
        ("Bid £25", '{"do":"bid","amount":25}'),
        ("Bid £30", '{"do":"bid","amount":30}'),
        ("Pass", '{"do":"pass"}'),
    ),
    "lots": (
        ("Buy the Cowes Marina & Ferry Company for £90", '{"do":"buy-private","private":"CMH"}'),
        ("Buy the Yarmouth Port & Shipping Company for £50", '{"do":"buy-private","private":"YHC"}'),
        ("Start IOW at par £100 for £200", '{"do":"start","company":"IOW","price":100}'),
        ("Start C&N at par £100 for £200", '{"do":"start","company":"C&N","price":100}'),
    ),
    "shares": (
        ("Pass", '{"do":"pass"}'),
        ("Sell 20% IOW for £74 · price stays £74", '{"do":"sell","company":"IOW","count":2}'),
        ("Swap the Ryde Pier & Ferry Company for 10% IOW", '{"do":"exchange","private":"RPSC"}'),
        ("Buy 10% C&N from the pool for £68", '{"do":"buy","company":"C&N","source":"pool"}'),
        ("Buy 10% IOW from the IPO for £74", '{"do":"buy","company":"IOW","source":"ipo"}'),
    ),
    "track": (
        ("No track", '{"do":"pass"}'),
        ("Tile 757 on Godshill (G9): joins Godshill to H8", '{"do":"tile","hex":"G9","tile":"757","rotation":1}'),
        ("Tile 761 on Merstone (G7): open to Newport", '{"do":"tile","hex":"G7","tile":"761","rotation":0}'),
    ),
    "run": (
        ("Best run £60: pays £6 a share", '{"do":"run","plan":"2+1 F2-G5"}'),
        ("Run £50 + 10cc for halts: pays £5 a share", '{"do":"run","plan":"2+1 F2-F4"}'),
    ),
    "merger": (("Accept", '{"do":"answer","reply":"accept"}'), ("Decline", '{"do":"answer","reply":"decline"}')),
    "cubes": (
        ("Put up Red at 1 cube", '{"do":"open","company":"red","amount":1}'),
        ("Put up Blue at 1 cube", '{"do":"open","company":"blue","amount":1}'),
        ("Pass the marker", '{"do":"pass"}'),
    ),
    "links": (
        ("Build Baltimore→New York · +$50", '{"do":"build","origin":"baltimore","destination":"new_york"}'),
        ("Build Boston→Albany · +$20", '{"do":"build","origin":"boston","destination":"albany"}'),
    ),
    "more": (
        ("Done", '{"do":"pass"}'),
        ("Buy 10% I&B from the IPO for £62", '{"do":"buy","company":"I&B","source":"ipo"}'),
    ),
    "trains": (
        ("Buy 2E for £100, leaves £400", '{"do":"train","train":"2E","seller":"bank","warranties":0}'),
        ("Buy 1F for £100, leaves £400", '{"do":"train","train":"1F","seller":"bank","warranties":0}'),
        ("Ask Bob for the 2L of EUR for £100", '{"do":"train","train":"2L","seller":"EUR","warranties":0}'),
    ),
    "dividend": (
        ("Pay £24 a share · you £120", '{"do":"dividend","kind":"pay"}'),
        ("Keep £240", '{"do":"dividend","kind":"keep"}'),
    ),
    "option": (
        ("Redeem for £71", '{"do":"option","choice":"redeem"}'),
        ("Give up for £71", '{"do":"option","choice":"sell"}'),
    ),
    "redeem": (("Redeem 10% for £122", '{"do":"redeem"}'), ("Don't redeem", '{"do":"pass"}')),
    "merge": (
        ("No merger", '{"do":"pass"}'),
        ("I&B with L&E: £191", '{"do":"merge","company":"L&E","survivor":"I&B"}'),
        ("I&B with W&F: £174", '{"do":"merge","company":"W&F","survivor":"I&B"}'),
    ),
}
CLEAR = (
    ("auction", "3", "Let Cid have it. Pass."),
    ("auction", "3", "Too steep, this one is all yours, Bob."),
    ("auction", "3", "25?! You must be joking. I'm out."),
    ("auction", "3", "FYN isn't worth any more to me. Pass."),
    ("auction", "bid 25", "The minimum, please"),
    ("more", "1", "None of these four tempts me, I'm done."),
    ("more", "2", "This won't be popular. One more share please."),
    ("lots", "4", "The start of the Cowes & Newport at 100, please"),
    ("lots", "1", "The Cowes Marina please, 90 quid well spent"),
    ("shares", "5", "I'd like one IOW share"),
    ("shares", "4", "Another one of C&N, from the pool please"),
    ("shares", "4", "C&N looks like a bargain, so buy it."),
    ("dividend", "2", "Red, hold the money back this time"),
    ("links", "1", "Red baut Baltimore - New York"),
    ("cubes", "2", "Blau für 1 Würfel"),
    ("trains", "2", "The 1F, no extra warranty, please"),
    ("auction", "3", "I don't have that kind of money. Pass."),
    ("auction", "3", "the last one please"),
    ("auction", "3", "Da bin ich leider raus, viel Spaß euch noch!"),
    ("auction", "bid 30", "Bid 25 - sorry, 30"),
    ("auction", "2", "choice number two, the 30 pound bid"),
    ("auction", "bid 50", "bid 45, ach nein: 50"),
    ("auction", "bid 50", "45. No, make it 50."),
    ("auction", "2", "Je mets 30 livres"),
    ("auction", "2", "bid 30 just to annoy Bob"),
    ("auction", "2", "Dear Sir, I would like to raise the bid to £30."),
    ("lots", "2", "buy yhc for 50"),
    ("lots", "1", "cowes marena please"),
    ("lots", "start iow 90", "Start the IOW at 90"),
    ("lots", "4", "start C and N at 100"),
    ("lots", "2", "Ik neem de Yarmouth Port, dank je"),
    ("shares", "2", "dump both my IOW shares"),
    ("shares", "2", "sell 20% iow"),
    ("shares", "4", "a C&N from the bank pool"),
    ("shares", "1", "Nothing to do here for me, so I pass."),
    ("shares", "3", "swap the Ryde Pier, it's worth it"),
    ("shares", "2, buy C&N pool", "sell two IOW and then buy a C&N from the pool"),
    ("track", "2", "Put the 757 on Godshill please"),
    ("track", "3", "Merstone, the 761"),
    ("track", "1", "don't build anything"),
    ("run", "1, pay, no train", "1. best 2. pay 3. no train"),
    ("run", "2", "run for 50"),
    ("run", "1, keep", "Run as well as we can and keep the money."),
    ("run", "1, pay", "Beste Fahrt und dann ausschütten"),
    ("run", "1, keep", "first one, withhold"),
    ("run", "1, keep", "la mejor ruta y guardamos el dinero"),
    ("merger", "1", "yes, I accept"),
    ("merger", "2", "no thanks, I'd rather not"),
    ("cubes", "bid blue 2", "Blue, two cubes"),
    ("cubes", "3", "I'll pass the marker on"),
    ("links", "1", "Baltimore to NY"),
    ("links", "2", "connect Boston with Albany"),
    ("auction", "2", "I should like to bid thirty pounds, if you please."),
    ("auction", "bid 40", "40 lets gooo"),
    ("auction", "3", "I bow out gracefully"),
    ("run", "1, pay, no train", "best run pay dividend no train"),
    ("run", "1, keep", "Beste rit, geen dividend."),
    ("shares", "5", "One more: IOW, from the IPO"),
    ("shares", "2, buy C&N pool", "I'd like to sell my two IOW and buy a C&N from the pool instead"),
    ("more", "2, buy I&B ipo", "I'll take both."),
    ("shares", "sell 2 C&N", "Beide C&N verkaufen."),
    ("trains", "1, train 2E bank, pass", "Two 2E from the bank and that's all"),
    ("trains", "3", "Frag Bob nach dem 2L."),
    ("trains", "2e warranty", "2E with a warranty"),
    ("trains", "2e bob", "2E, from Bob"),
    ("trains", "2e warranty", "2E, with a warranty please"),
    ("links", "1", "Baltimore - New York, for the 50!"),
    ("links", "2", "Boston jusqu'à Albany"),
    ("dividend", "2", "EUR keeps the 240."),
    ("dividend", "2", "Behalten wir lieber, brauchen bald einen Zug"),
    ("dividend", "2", "Guardamos o dinheiro na companhia."),
    ("option", "2", "I'd rather have the cash."),
    ("option", "2", "Prefiero los 71."),
    ("option", "1", "Einlösen, ich zahle die 71"),
    ("redeem", "2", "No, we keep the money"),
    ("merge", "2", "L&E please, let's do this merger."),
    ("merger", "2", "Non merci Ann, pas intéressé."),
    ("run", "1, keep", "Bedste rute, behold pengene."),
    ("run", "1, pay, no train", "Corsa migliore, dividendo, nessun treno."),
    ("run", "2", "The 50 one"),
    ("auction", "2", "Starting with £30"),
    ("lots", "2", "That could be gone soon. Buy the Yarmouth Port."),
    ("shares", "4", "Only one share is left in the bank, so buy a C&N from the pool"),
    ("merger", "counter 60", "counter 60"),
    ("merger", "counter 60", "Make it 60"),
    ("merger", "counter 120", "40 is a joke. I want 120 for it."),
    ("merger", "2", "nope, the 3E stays with me"),
    ("merger", "1", "You've got yourself a deal, Bob!"),
    ("merger", "2", "40 for a 6+3?! Not in a million years. Declined."),
    ("option", "1", "Redeem it, 71 is nothing for me"),
    ("shares", "4", "Buy C&N. About time I won something in this game"),
    ("shares", "5", "C&N is too dear. Buy IOW"),
    ("links", "1", "Baltimore to New York! Go east, young man."),
    ("auction", "2", "Je mise 30 pour commencer."),
    ("auction", "3", "Not for me, pass"),
    ("auction", "3", "Pass. Off to bed now!"),
    ("run", "1", "Best run please, back on Monday"),
    ("trains", "1", "We need a train: the 2E"),
    ("auction", "3", "I'm skint so it's a pass from me"),
    ("shares", "4", "Salut ! Une action C&N pour moi."),
    ("merger", "2", "Lieber nicht, danke"),
    ("merger", "1", "Agreed, let's merge"),
    ("trains", "no train", "Hola, nada más de trenes."),
)
UNCLEAR = (
    ("shares", "That could be fun, buy C&N"),
    ("shares", "You should think about it. Buy C&N"),
    ("auction", "It could be fun. 30"),
    ("shares", "Hola amigos todos"),
    ("shares", "I would buy C&N but 68 is a lot"),
    ("shares", "Buy C&N. 68 is too much though"),
    ("shares", "Buy C&N. I would rather have IOW"),
    ("dividend", "Bob always pays out, doesn't he"),
    ("auction", "545?!"),
    ("auction", "25 isn't bad. Not bad at all."),
    ("shares", "IOW is a bargain"),
    ("links", "Blue builds Baltimore - New York"),
    ("auction", "I'll go up to forty on this one"),
    ("shares", "Let me diversify: C&N for 68"),
    ("auction", "bid 30 unless someone goes higher"),
    ("auction", "Normally I pass"),
    ("auction", "raise by 30"),
    ("shares", "I pass on C&N"),
    ("shares", "May I take the C&N"),
    ("shares", "Darf ich C&N kaufen"),
    ("shares", "Est-ce que je passe"),
    ("shares", "C&N is too much for me"),
    ("shares", "Hands off C&N!"),
    ("shares", "Next round, buy C&N."),
    ("shares", "En la próxima ronda, compro C&N."),
    ("shares", "Buy C&N, subject to Bob's agreement."),
    ("shares", "Bob, buy C&N!"),
    ("shares", "As Bob put it, pass."),
    ("shares", "My friend wants to buy C&N"),
    ("shares", "Ich wollte C&N kaufen"),
    ("lots", "My 2 friends are here"),
    ("lots", "For the first time"),
    ("links", "I am going to Boston"),
    ("auction", "I would have bid 30"),
    ("auction", "Bob thinks 30 is right"),
    ("auction", "bid 25 or 30"),
    ("auction", "bid 45, no wait"),
    ("auction", "Don't pass"),
    ("auction", "Nice pass, Bob!"),
    ("auction", "30 maybe"),
    ("auction", "they bid 30"),
    ("auction", "bid 5 more"),
    ("auction", "pass if Bob bids, else 30"),
    ("auction", "I'd like to know whether to pass."),
    ("lots", "one of the ferries"),
    ("lots", "not the Cowes Marina"),
    ("lots", "I have the Cowes Marina"),
    ("lots", "the Cowes Marina or Yarmouth"),
    ("shares", "buy C&N and IOW, whichever is cheaper"),
    ("shares", "sell something"),
    ("shares", "you sell IOW"),
    ("shares", "buy a share"),
    ("shares", "stop selling IOW"),
    ("track", "tile on Godshill or Merstone"),
    ("run", "best if it pays more than 60"),
    ("run", "best, then pay or keep"),
    ("merger", "I accept that it is hard"),
    ("cubes", "Red or Blue"),
    ("links", "New York to Baltimore?"),
    ("shares", "I own two IOW"),
    ("shares", "sell IOW, no buy it"),
    ("auction", "bid 30 each"),
    ("auction", "probably bid 30"),
    ("auction", "I'm out of town until Friday"),
    ("run", "best run, pay half"),
    ("track", "Godshill next time"),
    ("shares", "pass, buy C&N"),
    ("run", "melhor ou pior"),
    ("links", "Baltimore or New York"),
    ("links", "New York - Baltimore"),
    ("redeem", "we keep the money, redeem"),
    ("trains", "2 2E"),
    ("shares", "ik heb IOW"),
    ("shares", "Frage zu C&N."),
)


NEVER = (
    ("links", "Boston, we have a problem"),
    ("track", "It's Godshill now"),
    ("shares", "Sell IOW\n\nThree of them, please"),
    ("lots", "IOW would be fine too"),
    ("merge", "Merge, W&F survives"),
    ("shares", "Sell one IOW, another IOW"),
    ("auction", "Drop out, raise"),
    ("auction", "It's 30 here"),
    ("trains", "Local"),
    ("shares", "IOW"),
    ("auction", "Pass, raise"),
    ("cubes", "The end"),
    ("lots", "1 (C&N)"),
    ("auction", "bid 30\n\nNah"),
    ("auction", "Pass.\n\nOh hang on, scrap that. I'll bid 30."),
    ("cubes", "I'll put up Blue in turn 3"),
    ("auction", "Cid passes"),
    ("auction", "Cid, pass!"),
    ("auction", "Cid is right"),
    ("shares", "Could Cid sell IOW"),
    ("shares", "Cid reckons I ought to sell both IOW"),
    ("shares", "Cid schlägt vor: C&N kaufen"),
)
"""What was played once and must not be: names in talk, other survivors, second thoughts below, someone else's move."""


@pytest.mark.parametrize(("letter", "text"), NEVER, ids=[text for _, text in NEVER])
def test_names_numbers_and_second_thoughts_in_talk_play_nothing(letter: str, text: str) -> None:
    assert read(letter, text) == ""


def read(letter: str, text: str) -> str:
    """Return the orders of a reply to a letter, without the version of their choices; "" if it is asked back."""
    offers = tuple(NumberedMove(label, action) for label, action in LETTERS[letter])
    offered = NumberedMoves(42, 0, offers, subject="" if letter in ("lots", "shares", "cubes") else "Red builds")
    found = read_orders(read_reply(gmail(text)), len(offers), offered=offered, players=("Bob", "Cid"))
    return "" if found.why else ", ".join(found.orders).replace(" (turn 42)", "")


@pytest.mark.parametrize(("letter", "meant", "text"), CLEAR, ids=[text for *_, text in CLEAR])
def test_words_that_name_one_choice_or_move_are_read(letter: str, meant: str, text: str) -> None:
    assert read(letter, text).casefold() == meant.casefold()


@pytest.mark.parametrize(("letter", "text"), UNCLEAR, ids=[text for _, text in UNCLEAR])
def test_a_word_that_may_change_the_meaning_plays_nothing(letter: str, text: str) -> None:
    """What the desk refuses plays nothing either: it takes only orders whose words all belong to one move."""
    assert read(letter, text).casefold() in ("", text.casefold())


@pytest.mark.parametrize(
    ("meant", "text"),
    [
        ("2", "This one looks best to me, please build it."),
        ("2", "Yep, this one."),
        ("2", "ja, das hier bitte"),
        ("", "No thanks."),
        ("", "Thanks"),
        ("", "Is this one good?"),
        ("", "not this one"),
    ],
)
def test_an_answer_below_a_quoted_choice_means_that_choice(meant: str, text: str) -> None:
    offers = tuple(NumberedMove(label, action) for label, action in LETTERS["track"])
    message = EmailMessage()
    message["From"] = "Dirk <dirk@home.example>"
    message.set_content(f"Stationmaster wrote:\n> 2  {offers[1].label}\n{text}\n\nDirk\n")
    reply = read_message(message, [f"{at}  {each.label}" for at, each in enumerate(offers, 1)])
    found = read_orders(reply, len(offers), offered=NumberedMoves(42, 0, offers))
    assert ("" if found.why else ", ".join(found.orders)) == (f"{meant} (turn 42)" if meant else "")


def test_numbers_in_words_are_digits_in_every_language() -> None:
    said = "forty-five, fünfundvierzig, cuarenta y cinco, vijfenveertig, two hundred, a hundred and fifty, elf, drei"
    assert write_digits(said) == "45, 45, 45, 45, 200, 150, 11, 3"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("yes", "Sure, go ahead and take it back, no problem."),
        ("yes", "Sure, fine by me"),
        ("yes", "Yes, I'd love to!"),
        ("yes", "Ja, gerne!"),
        ("yes", "no objections"),
        ("no", "Nein, lieber nicht"),
        ("no", "I don't agree"),
        ("no", "No, sorry."),
        ("", "yes but only if Bob does"),
        ("", "not sure"),
        ("", "Let me think about it"),
        ("", "why?"),
        ("", "Yes. No."),
        ("", "not yes"),
    ],
)
def test_a_question_is_answered_in_any_words_for_yes_or_no(answer: str, text: str) -> None:
    assert ClauseReader(None).read_consent([text]) == answer


@pytest.mark.parametrize(("played", "text"), [("1", "go ahead"), ("1", "Yep, that's fine"), ("", "Should I?")])
def test_a_letter_with_one_choice_is_answered_by_yes(played: str, text: str) -> None:
    offered = NumberedMoves(42, 0, (NumberedMove("Tile 5 on Ryde (J4)", '{"do":"tile","hex":"J4","tile":"5"}'),))
    found = read_orders(read_reply(gmail(text)), 1, offered=offered)
    assert ("" if found.why else "".join(found.orders).replace(" (turn 42)", "")) == played


@pytest.mark.parametrize("text", ["tile F13 202 0", "tile F13 202 3", "raise refinance", "counter 10"])
def test_an_order_in_words_that_the_letter_shows_is_read_as_it_stands(text: str) -> None:
    """Its choices are others, so its words could mean one of them."""
    offers = (
        NumberedMove("Small station on F13 202", '{"do":"station","hex":"F13","tile":"202"}'),
        NumberedMove("Refinance for £580", '{"do":"raise","how":"refinance"}'),
    )
    shown = ("tile F13 202 0", "station F13", "raise refinance", "counter 10")
    found = read_orders(ReadReply(((text,),)), 2, offered=NumberedMoves(42, 0, offers, examples=shown))
    assert found.orders == (text,)


@pytest.mark.parametrize(
    ("played", "text"),
    [
        ("1", "Buy 2F for £200"),
        ("1", "buy 2f for £200.\n\nThanks!"),
        ("", "Buy 2F for £200?"),
        ("", "Buy 2F for £200\nor rather not"),
        ("", "Sell IOW"),
    ],
)
def test_the_words_of_a_choice_copied_from_the_letter_mean_it(played: str, text: str) -> None:
    """Even where the same words are within those of another choice; not where two choices have them."""
    offers = (
        NumberedMove("Buy 2F for £200, leaves £40", '{"do":"train","train":"2F","seller":"bank","warranties":0}'),
        NumberedMove("Buy 2F with a warranty for £200", '{"do":"train","train":"2F","seller":"bank","warranties":1}'),
        NumberedMove("Sell IOW · one", '{"do":"sell","company":"IOW","count":1}'),
        NumberedMove("Sell IOW · two", '{"do":"sell","company":"IOW","count":2}'),
    )
    found = read_orders(read_reply(gmail(text)), len(offers), offered=NumberedMoves(42, 0, offers))
    assert ("" if found.why else found.orders[0].casefold().removesuffix(" (turn 42)")) in (played, text.casefold())
