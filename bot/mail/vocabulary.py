"""What the words of replies may be: moves, verbs, noise, doubt. The words themselves stand in ``words.toml``.

A label is what the desk calls a move ("pay", "no train", "bid"), or the section of
``words.toml`` where the words stand that change a meaning ("denial", "condition").
"""

import re

from bot.mail.phrases import WORDS, find_words, join_words

STEPS = {
    "no train": ("says_no_train", "no_train"),
    "no track": ("says_no_track", "no_track"),
    "no base": ("says_no_base", "no_base"),
    "keep": ("says_keep", "keep"),
    "best": ("says_best", "best"),
    "pay": ("says_pay", "pay"),
    "pass": ("says_pass", "pass", "done"),
    "accept": ("says_accept",),
    "decline": ("says_decline",),
    "refinance": ("says_raise",),
    "give": ("says_give",),
    "redeem": ("says_redeem",),
    "save": ("says_money",),
    "undo": ("says_undo",),
}
"""Moves that need no other words, and where the words for them stand; the first that fits is meant."""
STEPS_IN_A_ROW = frozenset(("no train", "no track", "no base", "keep", "best", "pay"))
"""Moves that follow each other in one turn: none of them may be dropped beside another."""
ONLY_AT = {
    "accept": "answer",
    "decline": "answer",
    "refinance": "raise",
    "give": "option",
    "redeem": "redeem",
    "save": "-",
}
"""The kinds of choices that must be there for some of them."""
VERBS = {
    "bid": ("says_bid", "bid"),
    "sell": ("says_sell", "sell"),
    "buy": ("says_buy", "buy"),
    "exchange": ("says_exchange", "exchange"),
    "start": ("says_start",),
    "lay": ("says_lay",),
    "remove": ("says_remove",),
    "merge": ("says_merge",),
    "redeem": ("says_redeem",),
    "claim": ("says_claim",),
    "run": ("says_run",),
    "ask": ("says_ask",),
    "counter": ("says_counter",),
}
"""Verbs that need values, and where the words for them stand."""
VERBS_OF = {
    "bid": ("bid",), "open": ("bid", "start"), "raise": ("bid", "sell"), "sell": ("sell",), "sell-private": ("sell",),
    "buy": ("buy",), "buy-private": ("buy",), "exchange": ("exchange",), "start": ("start", "buy"), "tile": ("lay",),
    "token": ("lay",), "station": ("lay",), "london": ("lay",), "build": ("lay",), "train": ("buy", "bid", "ask"),
    "markers": ("buy",), "remove": ("remove",), "dividend": ("pay",), "merge": ("merge",), "redeem": ("redeem",),
    "cube": ("claim", "lay"), "option": ("redeem",), "run": ("run",), "answer": ("counter",),
}  # fmt: skip
"""The verbs that fit the choices of each kind of action."""
DANGERS = frozenset(("doubt", "unsure", "second_thought", "retraction", "condition", "denial", "open", "others"))
"""Labels of words that may turn a meaning round, leave it open or give it to someone else."""
PLAYER = "bob"
"""Stands for any player in ``words.toml``: “(?:bob|he|she) thinks”."""
CONCEDES = "concede"
"""The label of words that leave a lot to others: where something is auctioned, they pass."""
_BETWEEN = ("small_talk", "praise", "joined", "instead", "valued", "reason", "tail")
_POLITE = ("begins", "begins_words", "ends", "approved", "pass_after", "move")
IDLE = frozenset(("noise", "things", "manners", "small_talk", "subject", *_POLITE))
"""Labels of what changes nothing beside a move."""
BESIDE = frozenset(("beside_choice", "small_talk", "manners", "subject", *_POLITE))
"""Labels of what may stand beside the bare number or name of a choice."""
PHRASES = {
    label: find_words(*kinds)
    for label, kinds in (
        *((move, (*STEPS.get(move, ()), *VERBS.get(move, ()))) for move in {**STEPS, **VERBS}),
        *((kind, (kind,)) for kind in (*sorted(DANGERS), *_POLITE, *_BETWEEN)),
        (CONCEDES, ("concedes",)),
    )
}
PHRASES["no"], PHRASES["yes"] = find_words("says_no", "says_decline"), find_words("says_yes", "says_accept")
PHRASES["counted"] = re.compile(
    rf"\b\d+ (?:{join_words('counted')}|{join_words('month')})\b|"
    rf"\b(?:{join_words('before_number')}) \d+\b"
)
PHRASES["spoken_of"] = re.compile(
    r"\b(?:turn|round|table|game|seat|phase|room|page|floor|runde|tisch|spiel|zug|ronde|tour|turno|ronda|tura) \d+\b|"
    r"\b\d+ cheers\b"
)
DOES = frozenset(WORDS["does"])
"""What finds the words of each label, where they may be several."""
SINGLE_WORDS = {kind: frozenset(WORDS[kind]) for kind in ("noise", "things", "manners", "amounts", "values")}
SINGLE_WORDS["beside_choice"] = frozenset((*WORDS["beside_choice"], *WORDS["padding"]))
"""Labels of single words."""
CORRECTION = re.compile(rf"^(?:(?:{join_words('correction')})(?=[\s,:]|$)[\s:]*)+", re.IGNORECASE)
ANSWERS = ("no", "yes")
ENDS = re.compile(
    rf"([,;!…\n()]+|\.{{2,}}|(?<!\bst)\.(?=\s|$)(?!\s(?:{join_words('month')})\b)|\s[-–—]+\s|\s[-–—]+$|:\s*$|\s//\s|(?<=\w)\?[?!]+)",
    re.IGNORECASE,
)
LIST = re.compile(r"(?:(?<=^)|(?<=\s))\(?([1-9])[.):]\s+(?=[^\W\d])")
"""A number that counts the steps of a list: "1. best 2. pay"."""
ORDER_WORDS = re.compile(rf"^(?:{join_words('order_words')})(?:\s+|$)", re.IGNORECASE)
THINGS_OF = {"train": frozenset({"train"}), "buy": frozenset({"share", "shares", "stock"})}
TALKED_OF = {
    "merge": {"merger", "fusion", "fusie", "fusione", "fusión", "fusão", "fuzja"}, "tile": {"tile", "track"},
    "token": {"marker", "token", "base", "station"}, "bid": {"bid", "auction", "price"}, "cube": {"cube"},
    "build": {"link", "connection"},
}  # fmt: skip
"""What talk behind a choice may name: "L&E, let's do this merger"."""
ACQUIRES, NO_WARRANTY = find_words("acquires"), find_words("no_warranty")
MINIMUM = find_words("minimum")
PLEASE = find_words("please")
MILD = find_words("mild")
THEREFORE = re.compile(rf"(?:{join_words('therefore')})\b")
SALUTATION = find_words("opening")
ORDINALS = {word: place for place, words in enumerate(WORDS["ordinals"], 1) for word in words.split()}
FIRST = frozenset(WORDS["numbers"][0].split())
LAST = re.compile(rf"(?:{join_words('last')})", re.IGNORECASE)
CHOICE_WORDS = frozenset(word for kind in ("choice", "one", "slips") for word in WORDS[kind] if " " not in word)
"""What people call a choice: "number two", "the last one"."""

COLOURS = {word: words.split()[0] for words in WORDS["colours"] for word in words.split()}
"""Colours that companies are called by, in other languages, and what the choices call them."""
