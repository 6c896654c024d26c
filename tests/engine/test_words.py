"""Actions as typed: parameters, reading, completion."""

from collections.abc import Mapping, Sequence
from typing import Literal

import pytest

from engine import TITLES, Action, Undo
from engine.fuzzy import capitalise_hex, find_meant, fold, list_candidates, restore_code, strip_currency
from engine.words import (
    WordingError,
    add_article,
    describe_kinds,
    find_pass,
    join_words,
    list_completions,
    list_parameters,
    merge_repeats,
    pluralise,
    read_action,
    understand,
    write_command,
    write_ordinal,
    write_parameters,
)
from tests.support.toy import Answer, Bid, Offer, Pass

KINDS = (Bid, Pass, Offer, Answer)
LEGAL = [Pass(), Bid(4), Bid(5), Offer(1, 2, 5), Offer(1, 2, 1), Offer(2, 0, 5)]


def test_parameters_are_fields_or_spans_of_fields() -> None:
    assert [(p.name, p.whole) for p in list_parameters(Bid)] == [("amount", True)]
    assert [(p.name, p.whole) for p in list_parameters(Offer)] == [("lot", False), ("price", True)]
    assert list_parameters(Pass) == ()
    assert list_parameters(Offer)[0].help == "lot and buyer"


def test_every_action_of_every_title_describes_itself_and_its_fields() -> None:
    """Forms of Discord hold 45 signs in a title; buttons and refusals take the few words."""
    for title in TITLES.values():
        for kind in (each for each in title.actions if each.verb):
            assert kind.brief, kind
            for each in list_parameters(kind):
                assert set(kind.asks) >= {each.name}, (kind, each.name)
                assert "?" in each.question, (kind, each.name)
                assert len(each.question) <= 45, (kind, each.name)


def test_written_parameters_are_read_back_alike() -> None:
    for action in [*LEGAL, Answer("yes please")]:
        assert read_action(type(action), write_parameters(action)) == action
    assert write_parameters(Offer(1, 2, 5)) == {"lot": "1 2", "price": "5"}


@pytest.mark.parametrize(
    ("kind", "words", "sentence"),
    [
        (Bid, {}, "How much do you bid? Add the amount."),
        (Answer, {}, "/act answer needs word."),
        (Offer, {"price": "5"}, "Which lot, and to whom? Add the lot."),
        (Bid, {"amount": "many"}, "The amount must be a whole number, not “many”."),
        (Bid, {"amount": ""}, "The amount must be a whole number, not “”."),
        (Bid, {"amount": "4", "price": "5"}, "/act bid takes no “price”; it takes amount."),
        (Offer, {"lot": "1", "price": "5"}, "“1” isn't a choice for lot."),
        (Offer, {"lot": "1 2 3", "price": "5"}, "“1 2 3” isn't a choice for lot."),
        (Offer, {"lot": "1 x", "price": "5"}, "The lot must be a whole number, not “x”."),
        (Pass, {"x" * 41: "y" * 200}, f"/act pass takes no “{'x' * 40}”."),
    ],
)
def test_an_unreadable_file_is_reported(kind: type[Action], words: dict[str, str], sentence: str) -> None:
    with pytest.raises(WordingError) as error:
        read_action(kind, words)
    assert str(error.value) == sentence


class Send(Action, frozen=True, tag="send"):
    """Send something somewhere: to be told of, in tests alone."""

    verb = "send"
    brief = "send something"
    to: str
    way: Literal["rail", "road"]


class Steps(Action, frozen=True, tag="steps"):
    """Pass a number of steps."""

    verb = "pass"
    brief = "pass steps"
    count: int


def test_available_actions_are_listed_with_the_pass_last() -> None:
    for kinds, told in (
        ((Pass,), "pass"), ((Pass, Bid), "bid or pass"), ((Bid, Offer), "bid or offer a lot"),
        ((Bid, Pass, Offer), "bid, offer a lot, or pass"), ((Bid, Bid, Undo), "bid"),
    ):  # fmt: skip
        assert describe_kinds(kinds) == told


def test_one_declines_by_a_pass_that_needs_no_more_words() -> None:
    assert find_pass((Bid, Steps, Pass)) == Pass()
    assert find_pass((Bid, Steps)) is None


def test_a_verb_that_is_not_available_is_refused_as_such_before_its_words_are_checked() -> None:
    for legal, told in (
        (LEGAL, "How much do you bid? Add the amount. For example: /act bid amount:4"),
        ([], "How much do you bid? Add the amount."),
        ([Pass()], "You can't bid now; you can pass. For example: /act pass"),
    ):
        with pytest.raises(WordingError) as refusal:
            understand(KINDS, "bid", {}, legal)
        assert str(refusal.value) == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"way": "air"}, "“air” isn't available; choose rail or road. "),
        ({"to": "mars", "way": "air"}, "“mars” isn't available; only York is. "),
        ({"to": "york", "way": "rail x"}, "“rail x” isn't available; choose rail or road. "),
    ],
)
def test_each_word_that_is_given_is_looked_at(given: dict[str, str], told: str) -> None:
    legal = [Send("York", "rail"), Send("York", "road")]
    with pytest.raises(WordingError) as refusal:
        understand((Send,), "send", given, legal, _find_meaning)
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize(("count", "told"), [(60, "“zzz” isn't available; choose "), (61, "“zzz” isn't ")])
def test_of_more_than_sixty_choices_none_is_reported(count: int, told: str) -> None:
    with pytest.raises(WordingError) as refusal:
        understand(KINDS, "offer", {"lot": "zzz", "price": "5"}, [Offer(k, 0, 5) for k in range(count)], _find_meaning)
    assert str(refusal.value).startswith(told)
    assert ("choice for lot" in str(refusal.value)) is (count == 61)


@pytest.mark.parametrize("count", [2, 8])
def test_up_to_eight_values_that_a_word_can_mean_are_reported(count: int) -> None:
    legal = [Send(f"{k} · Newport", "rail") for k in range(count)]
    with pytest.raises(WordingError, match=r"“newport” could mean 0 · Newport.*; type one of them\."):
        understand((Send,), "send", {"to": "newport"}, legal, _find_meaning)


@pytest.mark.parametrize(("count", "to"), [(1, "0 · Newport"), (9, "newport")])
def test_one_value_is_taken_and_more_than_eight_are_left_to_the_rules(count: int, to: str) -> None:
    legal = [Send(f"{k} · Newport", "rail") for k in range(count)]
    assert understand((Send,), "send", {"to": "newport"}, legal, _find_meaning) == Send(to, "rail")


def test_an_unknown_word_is_refused_with_the_possible_values() -> None:
    with pytest.raises(WordingError, match=r"“zzz” isn't available; choose G1 Newport or G2 Newport\.") as refusal:
        understand(KINDS, "offer", {"lot": "zzz"}, LEGAL[3:5] + LEGAL[5:], label=_label)
    assert str(refusal.value).endswith('For example: /act offer lot:"1 2" price:5')
    with pytest.raises(WordingError, match=r"You can't answer an offer now; you can bid\. For example: /act "):
        understand(KINDS, "answer", {"words": "?", "more": "?"}, LEGAL[1:3])
    with pytest.raises(WordingError, match=r"“zzz” isn't available; only G1 Newport is\."):
        understand(KINDS, "offer", {"lot": "zzz"}, LEGAL[3:4], label=_label)


@pytest.mark.parametrize(
    ("count", "told"),
    [(6, "1, 2, 3, 4, 5 or 6"), (7, "1, 2, 3, 4, 5, 6 or 7"), (8, "1, 2, 3, 4, 5, 6 or 2 more")],
)
def test_six_choices_are_reported_where_a_word_is_none_of_them(count: int, told: str) -> None:
    """One more is told rather than counted."""
    legal = [Offer(number + 1, 0, 5) for number in range(count)]
    with pytest.raises(WordingError) as refusal:
        understand(KINDS, "offer", {"lot": "zzz"}, legal, label=lambda action, _: str(getattr(action, "lot", "")))
    assert str(refusal.value).startswith(f"“zzz” isn't available; choose {told}. ")


def test_codes_are_written_as_names_where_that_is_only_their_spelling() -> None:
    words = {"lot": "1→2 · Newport", "price": "£5"}
    assert write_command(Offer(1, 2, 5), lambda _, name: words[name]) == "/act offer lot:1-2 price:5"
    assert write_command(Offer(1, 2, 5)) == '/act offer lot:"1 2" price:5'
    assert understand(KINDS, "offer", {"lot": "1-2", "price": "5"}, LEGAL, _find_meaning) == Offer(1, 2, 5)


def test_a_verb_is_understood() -> None:
    assert understand(KINDS, "bid", {"amount": "4"}, LEGAL) == Bid(4)
    assert understand(KINDS, "offer", {"lot": " 1   2 ", "price": "5"}, LEGAL) == Offer(1, 2, 5)
    assert understand(KINDS, "bid", {"amount": "77"}, LEGAL) == Bid(77), "not legal, so that the rules can say why"


@pytest.mark.parametrize("verb", ["fly", "", "x" * 300])
def test_an_unknown_verb_is_reported(verb: str) -> None:
    with pytest.raises(WordingError, match="has no") as error:
        understand(KINDS, verb, {}, LEGAL)
    assert str(error.value).endswith("”; you can bid, offer a lot, or pass. For example: /act pass")
    assert len(str(error.value)) < 130


def test_an_action_without_a_verb_cannot_be_typed() -> None:
    """The end by agreement is the table's to decide; no one says it by saying nothing."""
    for title in TITLES.values():
        with pytest.raises(WordingError):
            understand(title.actions, "", {}, [])


def test_completions_fit_the_values_typed_so_far() -> None:
    assert list_completions(LEGAL, "offer", {}, "lot") == [Offer(1, 2, 5), Offer(2, 0, 5)]
    assert list_completions(LEGAL, "offer", {"lot": "1 2"}, "price") == [Offer(1, 2, 5), Offer(1, 2, 1)]
    assert list_completions(LEGAL, "offer", {"lot": "9 9"}, "price") == []
    assert list_completions(LEGAL, "offer", {"lot": "1 2", "price": "5"}, "lot") == [Offer(1, 2, 5), Offer(2, 0, 5)]
    assert list_completions(LEGAL, "pass", {}, "amount") == []


def _find_meaning(verb: str, given: Mapping[str, str], legal: Sequence[Action]) -> Action | None:
    return find_meant(verb, given, legal, _label)


def _label(action: Action, name: str) -> str:
    """Word a value of the toy as a title's menu would."""
    return f"G{getattr(action, 'lot', 0)} Newport · new" if name == "lot" else write_parameters(action).get(name, "")


@pytest.mark.parametrize(
    ("verb", "words", "action"),
    [
        ("bid", {"amount": "£4"}, Bid(4)),
        ("offer", {"lot": "1-2", "price": "5"}, Offer(1, 2, 5)),
        ("offer", {"lot": "“2 1”", "price": "$5"}, Offer(1, 2, 5)),  # from the other end
        ("offer", {"lot": "2 0"}, Offer(2, 0, 5)),  # the only price there is
        ("offer", {"lot": "B"}, Offer(2, 0, 5)),  # the letter of a panel
        ("offer", {"lot": "g2 newport"}, Offer(2, 0, 5)),
    ],
)
def test_input_forgives(verb: str, words: dict[str, str], action: Action) -> None:
    assert understand(KINDS, verb, words, LEGAL, _find_meaning) == action


def test_the_ends_of_a_link_may_be_joined_by_a_dash() -> None:
    """Also where it is no choice: it is read as it is written, for the rules to say what is wrong with it."""
    for lot in ("3–4", "3-4", "3 - 4", "3 to 4", "3 4"):
        assert read_action(Offer, {"lot": lot, "price": "5"}) == Offer(3, 4, 5)
    assert read_action(Offer, {"lot": "3 -4", "price": "5"}) == Offer(3, -4, 5), "a sign that counts"
    for lot, action in (("2 1", Offer(1, 2, 5)), ("2-1", None), ("1→2", Offer(1, 2, 5))):  # a direction is not turned
        assert find_meant("offer", {"lot": lot}, [Offer(1, 2, 5)], _label) == action, lot


def test_an_ambiguous_word_is_refused_with_its_possible_values() -> None:
    with pytest.raises(WordingError, match="“Newport” could mean 1 2 or 2 0; type one of them"):
        understand(KINDS, "offer", {"lot": "Newport", "price": "5"}, LEGAL, _find_meaning)


@pytest.mark.parametrize(
    ("word", "values"), [("iow", ["IOW"]), ("isle of wight", ["IOW"]), ("cowes", ["C&N"]), ("I", []), ("moon", [])]
)
def test_a_company_may_be_named_in_any_case_by_the_beginning_of_its_name(word: str, values: list[str]) -> None:
    known = [("C&N", "Cowes & Newport"), ("IOW", "Isle of Wight (Eastern Section)")]
    assert list_candidates(word, known) == values


def test_a_prefix_lists_its_meanings_and_a_whole_name_takes_precedence() -> None:
    known = [("IOW", "IOW · Isle of Wight (Eastern Section)"), ("IWNJ", "IWNJ · Isle of Wight, Newport Junction")]
    assert (list_candidates("isle", known), list_candidates("isle of wight", known)) == (["IOW", "IWNJ"], ["IOW"])
    assert (list_candidates("is", known), list_candidates("moon", known)) == ([], [])


@pytest.mark.parametrize("words", [{"lot": "1 2"}, {"lot": "Newport", "price": "5"}, {"lot": "Z", "price": "5"}])
def test_an_ambiguous_input_is_asked_back_with_an_example(words: dict[str, str]) -> None:
    with pytest.raises(WordingError, match='For example: /act offer lot:"1 2" price:5'):
        understand(KINDS, "offer", words, LEGAL, _find_meaning)


def test_a_whole_name_goes_before_the_beginning_of_a_longer_one_and_three_letters_begin_one() -> None:
    known = [("N", "New"), ("P", "Newport"), ("R", "Ryde")]
    legal = [Send(words, "rail") for _, words in known]
    for word, value in (("new", "N"), ("newp", "P"), ("ryd", "R"), ("ry", ""), ("newx", "")):
        assert list_candidates(word, known) == [value] * bool(value)
        fitting = [action for action in legal if action.to == dict(known).get(value)]
        assert find_meant("send", {"to": word}, legal, _label) == next(iter(fitting), None)
    assert [find_meant("send", {"to": letter}, legal, _label) for letter in "abc"] == legal


def test_counts_names_and_lists_are_reported_as_in_english() -> None:
    said = [*(pluralise(number, "base") for number in (0, 1, 3)), pluralise(2, "company", "companies")]
    assert said == ["no base", "1 base", "3 bases", "2 companies"]
    assert [add_article(name) for name in ("4+2", "8+4", "11", "18", "80", "110", "C&N", "ECR")] == [
        "a 4+2", "an 8+4", "an 11", "an 18", "an 80", "a 110", "a C&N", "an ECR",
    ]  # fmt: skip
    assert [join_words(["A", "B", "C"][:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert join_words("AB", "or") == "A or B"
    places = [write_ordinal(number) for number in (1, 2, 3, 4, 10, 11, 13, 14, 21, 111, 113, 114, 122)]
    assert " ".join(places) == "1st 2nd 3rd 4th 10th 11th 13th 14th 21st 111th 113th 114th 122nd"


def test_figures_and_signs() -> None:
    assert [strip_currency(amount) for amount in ("£1,250", "40cc")] == ["1250", "40"]
    assert fold("Boston–New_York") == fold("boston new york")
    assert [capitalise_hex(word) for word in ("f2 1", "best")] == ["F2 1", "best"]
    assert fold("-4") == "-4"


def _amount(action: Action, name: str) -> str:
    return f"£{write_parameters(action)[name]}"


def test_an_amount_is_never_taken_for_one_that_begins_with_it() -> None:
    """A bid of 100 that is too low is refused, though 1000 is the one legal bid that begins so."""
    legal = [Bid(amount) for amount in range(105, 1001, 5)]
    assert find_meant("bid", {"amount": "100"}, legal, _amount) is None
    assert find_meant("bid", {"amount": "£1,000"}, legal, _amount) == Bid(1000)
    assert understand(KINDS, "bid", {"amount": "100"}, legal, _find_meaning) == Bid(100)
    tile = [Hire("750", "3", 20), Hire("751", "3", 20)]
    assert (
        find_meant("hire", {"engine": "750"}, tile, lambda action, name: write_parameters(action)[name]) == tile[0]
    ), "no amount"
    with pytest.raises(WordingError, match="Which engine"):  # nor does an amount say of what it is
        understand((Hire,), "hire", {"price": "20"}, [Hire("2+1", "bank", 50), *HIRES], _find_meaning)


class Hire(Action, frozen=True, tag="hire"):
    """Hire an engine from someone: to be told of, in tests alone."""

    verb = "hire"
    brief = "hire an engine"
    asks = {"engine": "Which engine?", "price": "At what price?"}
    command = {"engine": ("engine", "owner"), "price": ("price",)}
    usual = {"owner": "bank", "price": "0"}
    engine: str
    owner: str
    price: int


HIRES = [Hire("2+1", "IOW", 10), Hire("2+1", "IOW", 20)]


@pytest.mark.parametrize("given", [{}, {"engine": "2+1 iow"}])
def test_where_all_that_is_given_fits_the_rest_is_asked_for(given: dict[str, str]) -> None:
    """What is usual is no answer to it."""
    with pytest.raises(WordingError) as refusal:
        understand((Hire,), "hire", given, HIRES, _find_meaning)
    assert str(refusal.value) == 'At what price? Add the price. For example: /act hire engine:"2+1 IOW" price:10'


@pytest.mark.parametrize(
    ("given", "action"),
    [
        ({"engine": "3+2"}, Hire("3+2", "bank", 0)),
        ({"engine": "3+2 FYN", "price": "5"}, Hire("3+2", "FYN", 5)),
        ({"engine": "2+1 iow", "price": "15"}, Hire("2+1", "IOW", 15)),
        ({"price": "15"}, Hire("2+1", "IOW", 15)),
    ],
)
def test_the_example_of_a_refusal_uses_common_and_unambiguous_values(given: dict[str, str], action: Action) -> None:
    """The rules say what is wrong with it."""
    assert understand((Hire,), "hire", given, HIRES, _find_meaning) == action


def test_an_unknown_word_is_reported_before_an_ambiguous_one() -> None:
    legal = [Send("York", "rail"), Send("York", "road")]
    with pytest.raises(WordingError, match="“mars” isn't available; only York is"):
        understand((Send,), "send", {"way": "r x", "to": "mars"}, legal, _find_meaning)


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("c&n", "C&N"), ("cowes & newport", "C&N"), ("iow IPO", "IOW IPO"), ("isle of wight", "IOW"),
        ("cowes", "cowes"), ("iowa", "iowa"), ("", ""),
    ],
)  # fmt: skip
def test_companies_are_known_by_code_in_any_case_and_by_their_names(word: str, read: str) -> None:
    companies = [("C&N", "C&N · Cowes & Newport"), ("IOW", "IOW · Isle of Wight (Eastern Section)")]
    assert restore_code(word, companies) == read


def test_repeated_lines_are_reported_once() -> None:
    said = ["A.", "B.", "B.", "", "", "B.", "A.", "A.", "A."]
    assert merge_repeats(said) == ("A.", "B, 2 times.", "", "B.", "A, 3 times.")


@pytest.mark.parametrize(
    ("given", "action"),
    [
        ({"where": "york", "way": "road"}, Send("York", "road")),
        ({"where": "york"}, Send("York", "rail")),
    ],
)
def test_a_word_under_the_name_it_has_in_another_game_is_understood(given: dict[str, str], action: Action) -> None:
    """“token Ely” is typed as in 1860, where it names a city; in 1862 it is a hex."""
    legal = [Send("York", "rail")] if "way" not in given else [Send("York", "rail"), Send("York", "road")]
    assert understand((Send,), "send", given, legal, _find_meaning) == action


@pytest.mark.parametrize("given", [{"amount": "4", "price": "5"}, {"a": "4", "b": "5"}])
def test_but_not_where_it_is_one_too_many(given: dict[str, str]) -> None:
    with pytest.raises(WordingError, match="/act bid takes no "):
        understand((Bid,), "bid", given, LEGAL)


def test_a_word_for_the_only_number_is_refused_under_its_name() -> None:
    """“/act bid twenty”: another game's bids start with a company, but this one's have none."""
    with pytest.raises(WordingError, match="The amount must be a whole number, not “twenty”"):
        understand((Bid,), "bid", {"company": "twenty"}, LEGAL)
