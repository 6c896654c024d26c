"""The words that replies are made of, put together from ``words.toml``: moves, verbs, noise, doubt."""

import re

from bot.mail.guards import may_stand_beside
from bot.mail.phrases import WORDS, find_words, join_words

REASON = find_words("reason")
TAIL = find_words("tail")
CORRECTION = re.compile(rf"^(?:(?:{join_words('correction')})(?=[\s,:]|$)[\s:]*)+", re.IGNORECASE)
DOUBT = find_words("doubt", "unsure", "second_thought", "retraction", "condition")
THINGS_OF = {"train": frozenset({"train"}), "buy": frozenset({"share", "shares", "stock"})}
TALKED_OF = {
    "merge": {"merger", "fusion", "fusie", "fusione", "fusión", "fusão", "fuzja"}, "tile": {"tile", "track"},
    "token": {"marker", "token", "base", "station"}, "bid": {"bid", "auction", "price"}, "cube": {"cube"},
    "build": {"link", "connection"},
}  # fmt: skip
"""What talk behind a choice may name: "L&E, let's do this merger"."""
LETTERS = re.compile(r"(?<![\w&+/'%])[^\W\d_]{4,}(?![\w&+/'%])")
TYPOS = frozenset(WORDS["typos"])
REAL_WORDS = frozenset(re.findall(r"[^\W\d_]{4,}", " ".join(word for words in WORDS.values() for word in words)))
"""Words that are what they look like, and no slip."""
OTHERS = find_words("others")
OPEN = find_words("open", "unsure", "retraction")
DENIAL = re.compile(rf"n't\b|\b(?:{join_words('denial')})\b")
NOISE = frozenset(WORDS["noise"])
THINGS = frozenset(WORDS["things"])
AMOUNTS = frozenset(WORDS["amounts"])
VALUES = frozenset(WORDS["values"])
"""Words of choices that are never talk: who drops one plays another move."""
TO = re.compile(rf"\s(?:{join_words('to')})\s")
LINK_DASH = re.compile(r"(?<=\w) [-–—]+>? (?=\w)")
ASKED_FOR = re.compile(r"(?<= )(?:om|efter|o|um) ")
INSTEAD = re.compile(rf" (?:{join_words('instead')})$")
"""Behind the second of two moves of which the first makes room or money: "sell my I&B and buy a WNR instead"."""
COUNTED = re.compile(rf"\b\d+ (?:{join_words('counted')})\b")
"""A number that only tells of something, as in "it blocks 3 of them"."""
COINS = {"tenner": "10", "fiver": "5"}
MOVES = {
    "no train": find_words("says_no_train"),
    "no track": find_words("says_no_track"),
    "no base": find_words("says_no_base"),
    "keep": find_words("says_keep"),
    "best": find_words("says_best"),
    "pay": find_words("says_pay"),
    "pass": find_words("says_pass"),
    "accept": find_words("says_accept"),
    "decline": find_words("says_decline"),
    "refinance": find_words("says_raise"),
    "give": find_words("says_give"),
    "redeem": find_words("says_redeem"),
    "save": find_words("says_money"),
}
"""Moves that need no other words, by what the desk calls them; the first that fits is meant."""
STEPS = ("no train", "no track", "no base", "keep", "best", "pay")
"""Moves that stand in a row in one turn, so that none of them may be dropped beside another."""
ARTICLE = re.compile(r"\bo (?=(?:dinheiro|comboio|trem|marcador|dividendo|lance|leilão|valor|melhor|preço)\b)")
SUBJECT = re.compile(rf"^([\w&]+) (?=(?:{join_words('does')})\b)")
"""A company that does something, which is the one that is asked."""
ANSWERS = (("no", find_words("says_no", "says_decline")), ("yes", find_words("says_yes", "says_accept")))
ONLY_AT = {
    "accept": "answer",
    "decline": "answer",
    "refinance": "raise",
    "give": "option",
    "redeem": "redeem",
    "save": "-",
}
"""The kinds of choices that must be there for some of them."""
ALONE = [
    (move, re.compile(rf"(?:{join_words(kind)})", re.IGNORECASE))
    for move, kind in (
        ("no train", "no_train"), ("no track", "no_track"), ("no base", "no_base"), ("keep", "keep"), ("best", "best"),
        ("pay", "pay"), ("pass", "pass"), ("pass", "done"),
    )
]  # fmt: skip
"""The same, for words that say a move only where nothing but noise stands beside them."""
VERBS = {
    "bid": find_words("says_bid"),
    "sell": find_words("says_sell"),
    "buy": find_words("says_buy"),
    "exchange": find_words("says_exchange"),
    "start": find_words("says_start"),
    "lay": find_words("says_lay"),
    "remove": find_words("says_remove"),
    "merge": find_words("says_merge"),
    "redeem": find_words("says_redeem"),
    "claim": find_words("says_claim"),
    "run": find_words("says_run"),
    "ask": find_words("says_ask"),
}
"""Verbs that need values."""
OF_ACTION = {
    "bid": ("bid",), "open": ("bid", "start"), "raise": ("bid", "sell"), "sell": ("sell",), "sell-private": ("sell",),
    "buy": ("buy",), "buy-private": ("buy",), "exchange": ("exchange",), "start": ("start", "buy"), "tile": ("lay",),
    "token": ("lay",), "station": ("lay",), "london": ("lay",), "build": ("lay",), "train": ("buy", "bid", "ask"),
    "markers": ("buy",), "remove": ("remove",), "merge": ("merge",), "redeem": ("redeem",), "cube": ("claim", "lay"),
    "option": ("redeem",), "run": ("run",),
}  # fmt: skip
"""The verbs that fit the choices of each kind of action."""
JOINED = re.compile(rf"\s+(?:{join_words('joined')})\s+", re.IGNORECASE)
ENDS = re.compile(r"[,;!…\n()]+|\.{2,}|(?<!\bst)\.(?=\s|$)|\s[-–—]+\s|\s[-–—]+$|:\s*$", re.IGNORECASE)
LIST = re.compile(r"(?:(?<=^)|(?<=\s))\(?([1-9])[.):]\s+(?=[^\W\d])")
"""A number that counts the steps of a list: "1. best 2. pay"."""
ORDER_WORDS = re.compile(rf"^(?:{join_words('order_words')})(?:\s+|$)", re.IGNORECASE)
PLACE = re.compile(
    rf"(?:(?:{join_words('choice')}|#|nr\.?|no\.)\s*)+([1-9])|(?:the |die |der |das |le |la |el |il |de |den )?"
    rf"(?:([1-9])(?:st|nd|rd|th)|(\w+))(?: (?:{join_words('one')}))?",
    re.IGNORECASE,
)
ORDINALS = {word: place for place, words in enumerate(WORDS["ordinals"], 1) for word in words.split()}
BANK, POOL = find_words("bank"), find_words("pool")
ANOTHER, ZERO, LAST_OF = find_words("another"), find_words("zero"), find_words("last_of")
LAST = re.compile(rf"(?:{join_words('last')})", re.IGNORECASE)


def says_denial(text: str) -> bool:
    """Return whether a word denies something: what is denied might be a move."""
    return DENIAL.search(text) is not None


def read_place(text: str, count: int) -> int:
    """Return the place from 1 of the choice that a clause names by its number among ``count``; 0 for none."""
    words = " ".join(word for word in text.strip(" .").split() if word not in NOISE or word in ("the", "no."))
    found = PLACE.fullmatch(words)
    if found is None:
        return 0
    place = int(found[1] or found[2] or 0) or ORDINALS.get(found[3] or "", 0)
    if not place and found[3] and LAST.fullmatch(found[3]):
        place = count
    is_said = bool(found[1]) or " " in words
    is_beside = may_stand_beside(word for word in text.split() if not word.isdecimal() and word not in found[0].split())
    return place if is_said and is_beside and 0 < place <= count else 0
