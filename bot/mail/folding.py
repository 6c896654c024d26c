"""What a line says, in small letters, with its names and numbers as the letter has them."""

import re
from collections.abc import Collection, Sequence

from bot.mail.choices import SMILE
from bot.mail.numerals import write_digits
from bot.mail.phrases import WORDS, find_words, join_words
from bot.mail.vocabulary import COLOURS, MINIMUM, NO_WARRANTY, PHRASES, SINGLE_WORDS
from bot.mail.worded import BARE_TRAIN, WordedChoice, guess_word

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
_CODE = re.compile(r"[a-z](?:&?[a-z]){1,4}")
_IDLE = SINGLE_WORDS["noise"] | SINGLE_WORDS["things"]


def _spell_out(code: str) -> re.Pattern[str]:
    """Return what finds the full name of a company by its code: "Waveney Valley" is WVR, "Cowes & Newport" C&N."""
    letters = code.replace("&", "")
    bare = letters[:-1] if len(letters) > 2 and letters[-1] == "r" else letters
    words = " (?:(?:&|and|of|the) )?".join(
        f"(?:of|{each}[^\\W\\d_]{{2,}})" if each == "o" else f"{each}[^\\W\\d_]{{2,}}" for each in bare
    )
    return re.compile(rf"\b{words}(?: r(?:ailway|ailroad|ly))?\b")


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
        proper = frozenset[str]().union(*(each.proper for each in offers))
        names = sorted(name for name in self.known if "&" in name[1:-1])
        bids = [each for each in offers if each.kind in ("bid", "raise")]
        self.least = min(
            (int(word) for each in bids for form in each.numbers for word in form if word.isdecimal()), default=0
        )
        shown = self.known.union(*(each.further for each in offers))
        self.colours = {word: colour for word, colour in COLOURS.items() if colour in shown}
        self.full = [(name, _spell_out(name)) for name in sorted(proper) if _CODE.fullmatch(name)]
        self.joined = [(name, re.compile(rf"\b{join(map(re.escape, name.split('&')))}\b")) for name in names]

    def fold_line(self, line: str) -> str:
        """Return a line in small letters, with its names and numbers as the letter has them."""
        text = SMILE.sub("", line).replace("’", "'").replace("`", "'")
        text = re.sub(r'[*_“”„"\[\]]', " ", text)
        text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
        text = re.sub(r"[£$€]\s?(?=\d)", "", text)
        text = re.sub(r"(?<=\d)\s?(?:[£$€]|cc\b|gbp\b)", "", text, flags=re.IGNORECASE)
        text = re.sub(r"(?<=\d) ?%", "%", text)
        text = re.sub(r"\b(\d) ?[x×] (?=[^\W\d])", r"\1 ", text)
        text = re.sub(r"\b(n[ro])\. ?(?=\d)", r"\1 ", text, flags=re.IGNORECASE)
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
        if self.least:
            text = MINIMUM.sub(str(self.least), text)
        if "train" in self.kinds:
            text = NO_WARRANTY.sub(BARE_TRAIN, text)
        if "train" in self.kinds and PHRASES["ask"].search(text):
            text = _ASKED_FOR.sub("", text)
        text = " ".join(_COINS.get(word, word) for word in text.split(" "))
        text = self._fold_names(_BANK.sub("bank", _POOL.sub("pool", _ARTICLE.sub("", text))))
        return _LETTERS.sub(lambda found: self._mend_word(found[0]), text)

    def _fold_names(self, text: str) -> str:
        """Return a text with companies as the letter calls them: by codes, colours in English."""
        if self.colours:
            text = re.sub(r"[^\W\d_]+", lambda found: self.colours.get(found[0], found[0]), text)
        for name, pattern in self.joined:
            text = pattern.sub(name, text)
        for name, pattern in self.full:
            found = pattern.search(text)
            if found and _REAL_WORDS.isdisjoint(found[0].split()):
                text = text.replace(found[0], name)
        return text

    def _mend_word(self, word: str) -> str:
        """Return a word as it was meant, where a letter is wrong or only its beginning stands there."""
        if _REPEATED.search(word):
            shorter = (_REPEATED.sub(letters, word) for letters in (r"\1", r"\1\1"))
            return next((each for each in shorter if each in self.known | _IDLE | _REAL_WORDS), word)
        if len(word) < 4 or word in self.known or word in _IDLE or word in _REAL_WORDS:
            return word
        return guess_word(word, self.known, slips=False) or guess_word(word, _TYPOS, slips=True) or word
