"""What a line says, in small letters, with its names and numbers as the letter has them."""

import re
from collections.abc import Collection, Sequence

from bot.mail.choices import SMILE
from bot.mail.numerals import write_digits
from bot.mail.phrases import WORDS, find_words, join_words
from bot.mail.vocabulary import PHRASES, SINGLE_WORDS
from bot.mail.worded import WordedChoice, guess_word

_REPEATED = re.compile(r"(\w)\1{2,}")
_BANK, _POOL = find_words("bank"), find_words("pool")
_ANOTHER, _ZERO, _LAST_OF = find_words("another"), find_words("zero"), find_words("last_of")
_TO = re.compile(rf"\s(?:{join_words('to')})\s")
_LINK_DASH = re.compile(r"(?<=\w) [-–—]+>? (?=\w)")
_ASKED_FOR = re.compile(r"(?<= )(?:om|efter|o|um) ")
_ARTICLE = re.compile(r"\bo (?=(?:dinheiro|comboio|trem|marcador|dividendo|lance|leilão|valor|melhor|preço)\b)")
_COINS = {"tenner": "10", "fiver": "5"}
_LETTERS = re.compile(r"(?<![\w&+/'%])[^\W\d_]{4,}(?![\w&+/'%])")
_TYPOS = frozenset(WORDS["typos"])
_REAL_WORDS = frozenset(re.findall(r"[^\W\d_]{4,}", " ".join(word for words in WORDS.values() for word in words)))
"""Words that are what they look like, and no slip."""
_SHORT_WORDS = frozenset(WORDS["short_words"])
"""Words that initials may look like, as “NO” for New Orleans."""
_IDLE = SINGLE_WORDS["noise"] | SINGLE_WORDS["things"]


class Folder:
    """Folds the lines of a reply to a letter with these choices, whose words are ``known``."""

    def __init__(self, offers: Sequence[WordedChoice], known: Collection[str]) -> None:
        self.kinds = {each.kind for each in offers}
        self.known = frozenset(known)
        self.initials = sorted(
            {
                (each.upper(), name)
                for offer in offers
                for each, name in offer.initials
                if each.lower() not in _SHORT_WORDS
            }
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
        text = _ZERO.sub("0", _ANOTHER.sub("onemore", _LAST_OF.sub("", text)))
        text = re.sub(r"\ball (?=\d)|(?<!drop )(?<!dropping )(?<!bow )(?<!count me )\bout (?=of\b)", "", text)
        if "tile" in self.kinds:
            text = re.sub(r"\b(?:number|nummer|no\.?|nr\.?|numéro|número|numero) (?=\d{2})", "", text)
        if "build" in self.kinds:
            text = _TO.sub(" to ", _LINK_DASH.sub(" to ", text))
        if "train" in self.kinds and PHRASES["ask"].search(text):
            text = _ASKED_FOR.sub("", text)
        text = " ".join(_COINS.get(word, word) for word in text.split(" "))
        text = _ARTICLE.sub("", text)
        text = _BANK.sub("bank", _POOL.sub("pool", text))
        for name, pattern in self.joined:
            text = pattern.sub(name, text)
        return _LETTERS.sub(lambda found: self._mend_word(found[0]), text)

    def _mend_word(self, word: str) -> str:
        """Return a word as it was meant, where a letter is wrong or only its beginning stands there."""
        if _REPEATED.search(word):
            shorter = (_REPEATED.sub(letters, word) for letters in (r"\1", r"\1\1"))
            return next((each for each in shorter if each in self.known | _IDLE | _REAL_WORDS), word)
        if len(word) < 4 or word in self.known or word in _IDLE or word in _REAL_WORDS:
            return word
        return guess_word(word, self.known, slips=False) or guess_word(word, _TYPOS, slips=True) or word
