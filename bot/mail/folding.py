"""What a line says, in small letters, with its names and numbers as the letter has them."""

import re
from collections.abc import Collection, Sequence

from bot.mail.choices import SMILE
from bot.mail.guards import is_short_word
from bot.mail.labels import WordedChoice, guess_word
from bot.mail.numerals import write_digits
from bot.mail.spoken import (
    ANOTHER,
    ARTICLE,
    ASKED_FOR,
    BANK,
    COINS,
    LAST_OF,
    LETTERS,
    LINK_DASH,
    NOISE,
    POOL,
    REAL_WORDS,
    THINGS,
    TO,
    TYPOS,
    VERBS,
    ZERO,
)

_REPEATED = re.compile(r"(\w)\1{2,}")


class Folder:
    """Folds the lines of a reply to a letter with these choices, whose words are ``known``."""

    def __init__(self, offers: Sequence[WordedChoice], known: Collection[str]) -> None:
        self.kinds = {each.kind for each in offers}
        self.known = frozenset(known)
        self.initials = sorted(
            {(each.upper(), name) for offer in offers for each, name in offer.initials if not is_short_word(each)}
        )
        join = r"(?: ?& ?| ?[+] ?| (?:and|und|et|y|e|en|i|och|n) )".join  # "C and N", "C & N"
        names = sorted(name for name in self.known if "&" in name[1:-1])
        self.joined = [(name, re.compile(rf"\b{join(map(re.escape, name.split('&')))}\b")) for name in names]

    def fold_line(self, line: str) -> str:
        """Return a line in small letters, with its names and numbers as the letter has them."""
        text = SMILE.sub("", line).replace("’", "'").replace("`", "'")
        text = re.sub(r'[*_“”„"\[\]]', " ", text)
        text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
        text = re.sub(r"[£$€]\s?(?=\d)", "", text)
        text = re.sub(r"(?<=\d)\s?(?:[£$€]|cc\b|gbp\b)", "", text, flags=re.IGNORECASE)
        text = re.sub(r"(?<=\d) ?%", "%", text)
        text = re.sub(r"[-=]>|→", " to ", text)
        for initials, name in self.initials:
            text = re.sub(rf"\b{initials}\b", name, text)
        text = write_digits(re.sub(r"(?<=[^\W\d])[-–](?=[^\W\d])", " ", text).lower().replace("st. ", "st "))
        text = ZERO.sub("0", ANOTHER.sub("onemore", LAST_OF.sub("", text)))
        text = re.sub(r"\ball (?=\d)|(?<!drop )(?<!dropping )(?<!bow )(?<!count me )\bout (?=of\b)", "", text)
        if "tile" in self.kinds:
            text = re.sub(r"\b(?:number|nummer|no\.?|nr\.?|numéro|número|numero) (?=\d{2})", "", text)
        if "build" in self.kinds:
            text = TO.sub(" to ", LINK_DASH.sub(" to ", text))
        if "train" in self.kinds and VERBS["ask"].search(text):
            text = ASKED_FOR.sub("", text)
        text = " ".join(COINS.get(word, word) for word in text.split(" "))
        text = ARTICLE.sub("", text)
        text = BANK.sub("bank", POOL.sub("pool", text))
        for name, pattern in self.joined:
            text = pattern.sub(name, text)
        return LETTERS.sub(lambda found: self._mend_word(found[0]), text)

    def _mend_word(self, word: str) -> str:
        """Return a word as it was meant, where a letter is wrong or only its beginning stands there."""
        if _REPEATED.search(word):
            shorter = (_REPEATED.sub(letters, word) for letters in (r"\1", r"\1\1"))
            return next((each for each in shorter if each in self.known | NOISE | THINGS | REAL_WORDS), word)
        if len(word) < 4 or word in self.known or word in NOISE or word in THINGS or word in REAL_WORDS:
            return word
        return guess_word(word, self.known, slips=False) or guess_word(word, TYPOS, slips=True) or word
