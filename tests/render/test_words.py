"""Words in pictures: whole, in as many lines as they need, beside and not over one another."""

from collections.abc import Iterator
from itertools import combinations

import msgspec
import pytest

from engine.hex_view import Line
from engine.view import Brand, Cell, Chart, Entry, MarketView, Panel, Panels, Series, Sheet, TableView
from render import fonts
from render.cache import build_scene
from render.fonts import UNKNOWN, clean_text, put_in_drawing_order
from render.scene import Box, Chip, Inset, Item, Label, Stamp
from tests.render.collisions import rect
from tests.render.samples import small_board

STOPS = tuple(f"{letter}{number}" for letter in "ABCDEFGH" for number in range(1, 15, 2))
RUN = "–".join(STOPS) + " = 1560, with 55 × 30 for hexes between"
NAMES = (
    "Wisbech, St Ives & Cambridge Junction Railway",
    "Colchester, Stour Valley, Sudbury & Halstead Railway",
    "Newmarket and Great Chesterford Railway",
)


def labels(items: tuple[Item, ...]) -> Iterator[Label]:
    """Return all labels of a scene, panels left out."""
    for item in items:
        if isinstance(item, Stamp):
            yield from labels(item.items)
        elif isinstance(item, Label):
            yield item


def overlaps(found: list[Label]) -> list[tuple[str, str]]:
    """Return the pairs of labels that cover one another."""
    return [
        (a.text, b.text)
        for (a, fa), (b, fb) in combinations([(label, rect(label)) for label in found], 2)
        if min(fa[2], fb[2]) - max(fa[0], fb[0]) > 0 and min(fa[3], fb[3]) - max(fa[1], fb[1]) > 0
    ]


def test_a_long_run_is_reported_whole_in_the_legend() -> None:
    """In as many lines as it needs, broken behind its dashes."""
    view = msgspec.structs.replace(small_board(), lines=(Line("9F", 1, (), RUN), Line("8F", 2, (), "A1–B2 = 90")))
    told = "".join(label.text for label in labels(build_scene(view).items)).replace(" ", "")
    assert f"9F:{RUN}".replace(" ", "") in told
    assert "8F:A1–B2=90" in told
    assert "…" not in told


def test_lines_are_no_wider_than_their_room() -> None:
    """Broken at blanks first, behind the dashes of a long word next."""
    lines = fonts.wrap(f"9F: {RUN}", 32, 300)
    assert all(fonts.measure_text(line, 32, "text") <= 300 for line in lines)
    assert lines[0].startswith("9F: A1–")
    assert all(line.endswith("–") for line in lines[:3])


def test_a_hard_blank_keeps_a_number_with_its_hex() -> None:
    """The choice "5 F13 Harwich" stands on one line."""
    words = ", ".join(f"{k}\u00a0F{k}\u00a0Great\u00a0Yarmouth" for k in range(1, 9))
    for line in fonts.wrap(words, 32, 500):
        assert all(part.count("\u00a0") == 3 for part in line.rstrip(",").split(", "))


def test_long_names_stand_whole_in_a_table() -> None:
    """Three long names among short ones: broken into lines, never cut."""
    rows = tuple((Entry(chip="X"), Entry(name), Entry("Wells-Next-The-Sea (E2)"), Entry("express"), Entry("may start"))
                 for name in (*NAMES, "East Norfolk Railway"))  # fmt: skip
    heads = tuple(Entry(text) for text in ("", "Name", "Home", "Permit", "Status"))
    found = list(labels(build_scene(Sheet("", "", (TableView("", heads, rows),))).items))
    told = " ".join(label.text for label in found)
    assert "…" not in told
    for name in NAMES:
        assert all(word in told for word in name.split())
    assert not overlaps(found)


def test_a_name_of_a_thousand_words_takes_three_lines_at_most() -> None:
    """A player may be called anything."""
    view = Sheet("", "", (TableView("", (Entry("Name"),), ((Entry("very " * 1000),), (Entry("Bob"),))),))
    found = [label for label in labels(build_scene(view).items) if label.text.startswith("very")]
    assert len(found) == 3
    assert found[-1].text.endswith("…")


def test_a_star_behind_a_number_touches_no_other_number() -> None:
    """The director's mark hangs out of the column of figures, not into the next one."""
    heads = (Entry("Player"), *(Entry(chip=code) for code in ("ECR", "ENR", "EUR", "N&E", "Y&N", "NGC", "WVR", "WStI")))
    rows = (
        (Entry("Alexandra (deal)"), *[Entry("50*", tone="strong")] * 8, Entry("14/18"), Entry("£12148")),
        (Entry("Bob"), *[Entry("40")] * 8, Entry("11/18"), Entry("£148")),
    )
    found = list(
        labels(build_scene(Sheet("", "", (TableView("", (*heads, Entry("Certs"), Entry("Worth")), rows),))).items)
    )
    assert not overlaps(found)
    tens = [label for label in found if label.text in ("50*", "40")]
    starts = {round(rect(label)[0]) for label in tens}
    assert len(starts) <= 2 * 8
    gaps = sorted(rect(label)[0] for label in found if label.text == "14/18")[0] - max(
        rect(label)[2] for label in found if label.text == "50*"
    )
    assert gaps > 6


def test_a_chip_in_the_head_of_numbers_keeps_its_words_beside_it() -> None:
    """As "EUR after" over the shares that a merger leaves."""
    table = TableView("", (Entry("Holder"), Entry("after", chip="EUR")), ((Entry("Bob"), Entry("60")),))
    the_scene = build_scene(Sheet("", "", (table,), (Brand("EUR", "", "#ff0000", "#000000", 0),)))
    words = next(label for label in labels(the_scene.items) if label.text == "after")
    chip = next(item for item in the_scene.items if isinstance(item, Chip))
    assert rect(words)[0] >= chip.x + chip.width / 2


def test_a_table_without_heads_has_no_empty_band() -> None:
    """Facts of a company need no headings."""
    facts = Sheet("", "", (TableView("", (Entry(""), Entry("")), ((Entry("Par"), Entry("62")),)),))
    assert not [item for item in build_scene(facts).items if isinstance(item, Box) and item.fill == "head"]


@pytest.mark.parametrize("price", [7, 50, 495, 1000, 10000])
def test_price_and_sign_of_a_space_stand_side_by_side(price: int) -> None:
    """The last space too, whose price has four figures, in a row of fourteen."""
    cells = (Cell(0, 0, price, "top", "T"), *(Cell(k / 2, k % 2, k, "par", "PP") for k in range(1, 28)))
    view = MarketView("", "", cells, zones=(("top", "T", "the game ends"), ("par", "PP", "par")))
    found = list(labels(build_scene(view).items))
    assert not overlaps(found)
    assert str(price) in [label.text for label in found]


def test_captions_of_panels_are_of_one_size_and_whole() -> None:
    """The shortest does not shout."""
    panels = tuple(Panel("", f"{number} · {left} left", ()) for number, left in (("5", 10), ("8852", 11), ("53y", 1)))
    found = [label for label in labels(build_scene(Panels("", "", panels)).items) if "left" in label.text]
    assert len({label.size for label in found}) == 1
    assert not any("…" in label.text for label in found)


def test_the_letter_of_a_choice_covers_nothing_of_its_picture() -> None:
    """It stands below, beside the caption."""
    from tests.render.samples import SMALL

    the_scene = build_scene(SMALL["panels"]())
    pictures = [item for item in the_scene.items if isinstance(item, Inset)]
    letters = [item for item in the_scene.items if isinstance(item, Box) and item.fill == "choice"]
    assert letters
    for letter in letters:
        for picture in pictures:
            high = picture.width * picture.scene.height / picture.scene.width
            beside = letter.x >= picture.x + picture.width or letter.x + letter.width <= picture.x
            assert beside or letter.y >= picture.y + high or letter.y + letter.height <= picture.y


def test_a_long_name_at_a_line_of_a_chart_says_that_it_is_cut() -> None:
    """Thirty letters are whole; of a hundred the rest is told by a sign."""
    series = tuple(Series(name, (1, 2)) for name in ("Bartholomew of the Isle", "x" * 100))
    found = [label.text for label in labels(build_scene(Chart("", "", ("1", "2"), series)).items)]
    assert "Bartholomew of the Isle 2" in found
    assert any(text.startswith("xxx") and text.endswith("… 2") for text in found)


WORLD = {
    "Latin": "Łucja Đặng-Ñuñez", "Greek": "Αλέξανδρος", "Cyrillic": "Дмитрий Щукин", "Armenian": "Արամ",
    "Georgian": "გიორგი", "Hebrew": "דוד בן־גוריון", "Arabic": "محمد عبد الله", "Persian": "پژمان گلچین",
    "Devanagari": "अर्जुन शर्मा", "Bengali": "রবীন্দ্রনাথ", "Gurmukhi": "ਗੁਰਪ੍ਰੀਤ", "Gujarati": "ગૌરવ", "Tamil": "தமிழ்ச்செல்வி",
    "Telugu": "వెంకట్", "Kannada": "ಕನ್ನಡ", "Malayalam": "മലയാളം", "Sinhala": "සිංහල", "Thai": "สมชาย ใจดี", "Lao": "ສົມຊາຍ",
    "Khmer": "សុខា", "Myanmar": "အောင်ဆန်း", "Ethiopic": "አበበ ቢቂላ", "Tibetan": "བསྟན་འཛིན", "Cherokee": "ᏣᎳᎩ",
    "Thaana": "ދިވެހި",

    "Han": "王小明 張偉 龍 凪 芃", "Kana": "さくら アキラ", "Hangul": "김민준",
    "emoji": "🚂🎩👨‍👩‍👧👍🏽❤️", "adorned": "𝓙𝓪𝓷𝓮",
}  # fmt: skip


@pytest.mark.parametrize("script", WORLD)
def test_names_of_the_whole_world_are_drawn_by_fonts_that_have_their_signs(script: str) -> None:
    """No sign becomes a box, none a dot: each comes from a font that has it."""
    for face, piece in fonts.split_by_font(WORLD[script], "semi"):
        assert all(fonts.has_glyph(face, sign) for sign in piece), (face, piece)
        assert UNKNOWN not in piece, (face, piece)


def test_a_vowel_that_is_written_before_its_letter_stands_there() -> None:
    """The i of “हिन्दी” follows its h, and is drawn to its left."""
    ((face, piece),) = fonts.split_by_font("हि", "bold")
    drawn = [bytes(fonts.load_font(name, 40).getmask(piece)) for name in (face, "world")]
    assert (face, drawn[0] == drawn[1]) == ("shaped", False)


def test_a_sign_that_no_font_has_becomes_a_dot() -> None:
    """A private sign and one of a script that is not bundled."""
    assert fonts.split_by_font("a\ue000b\U00012000", "bold") == (("bold", "a·b·"),)


def test_names_from_right_to_left_are_turned_and_what_follows_stays_behind() -> None:
    """Hebrew backwards by sign, its figures and amounts where the sentence has them."""
    assert put_in_drawing_order("דן") == "ןד"
    assert put_in_drawing_order("Dan (דן כהן) 12 · £120") == "Dan (ןהכ ןד) 12 · £120"
    assert put_in_drawing_order("plain") == "plain"


def test_arabic_letters_are_joined() -> None:
    """Beh takes three forms in a row of three."""
    assert put_in_drawing_order("ببب") == "\ufe90\ufe92\ufe91"


def test_a_tower_of_accents_is_cut() -> None:
    """Two on a letter, whoever stacks more."""
    assert len(clean_text("e" + "\u0317" * 50)) == 3


def test_signs_that_plex_lacks_come_from_the_other_font() -> None:
    """Squares, diamonds and stars would be boxes: each is drawn, and none as Plex draws what it does not have."""
    for sign in "■◆★▲●":
        ((face, piece),) = fonts.split_by_font(sign, "bold")
        assert (face, piece) == ("signs", sign)
        drawn = bytes(fonts.load_font(face, 24).getmask(sign))
        assert drawn != bytes(fonts.load_font("bold", 24).getmask("\U000fffff"))
        assert drawn != bytes(fonts.load_font(face, 24).getmask("\U000fffff"))
    assert fonts.split_by_font("IOW ★ 82", "semi") == (("semi", "IOW "), ("signs", "★"), ("semi", " 82"))
