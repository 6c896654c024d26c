"""Where it is in doubt what a reply orders: another choice beside the first, words that take it back, a signature."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from bot.mail.choices import FROWN, Mark, read_mark, split_orders, split_table
from bot.mail.phrases import CONFIDENTIAL, find_words, join_words, list_verbs
from bot.mail.reply import ReadReply
from bot.mail.vocabulary import PHRASES, PLAYER

_ASKS = find_words("asks", before=r"^\W*(?:(?:so|and|well|hmm?|but|or)\W+)*")
_HEDGES, _PUT_OFF = find_words("hedges"), find_words("put_off")
_STOPS = re.compile(r"[,;!…\n()]+|\.(?=\s|$)|\s[-–—]+\s")
MAX_TALK_LETTERS = 80
RETRACTION = re.compile(rf"\b(?:{join_words('retraction')})\b|{join_words('retraction_line')}", re.IGNORECASE)
"""Words by which people take back what they have just written."""
_ALONE = re.compile(rf"^\W*(?:(?:{join_words('hesitation')})\W+)*([1-9]|[a-h]|\d{{2,4}})\W*$", re.IGNORECASE)
"""A choice or an amount and nothing else but words of doubt."""
_NUMBER = re.compile(r"(?<![\w£$€#.,:/+-])([1-9])(?![\w%£$€:/+-]|[.,]\d|\s?[%£$€])")
_BEFORE_A_NUMBER = re.compile(rf"\b(?:{join_words('before_number')})\W*$", re.IGNORECASE)
AFTER_A_NUMBER = re.compile(
    rf"^\s*(?:{join_words('after_number')})\b|^\.? ?(?:{join_words('month')})\b|^\.? (?:{join_words('until')}) \d",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![\w'’.-])([A-H]|[a-h](?=\s*(?:$|[.,;!?)])))(?![\w'’]|\.\w)")
_ARTICLE = re.compile(r"^ (?!than\b|is\b|or\b|and\b|oder\b|ist\b|und\b|please\b|bitte\b|instead\b|would\b)[a-zäöü]")
_UNSURE = re.compile(
    rf"\W*(?:(?:but|aber|mais|pero|ma|maar|ale|men|well|hm+|or|oder|just)\W+)?(?:{join_words('unsure')})\W*$",
    re.IGNORECASE,
)
_THANKS = re.compile(rf"^\W*(?:{join_words('thanks')})\b", re.IGNORECASE)
_DASHED = re.compile(r"^\s*[-–—~/]\s")


def is_in_doubt(lines: Iterable[str], players: Collection[str] = ()) -> bool:
    """Return whether lines ask, speak of another turn, set a condition, or tell what someone said or might do.

    The names of ``players`` are read like the one that stands for a player in ``words.toml``.
    """
    for text in (line.lower().replace("’", "'") for line in lines):
        if _says_doubt(text) or _says_doubt(" ".join(_name_players(text, players))):
            return True
    return False


def _name_players(text: str, players: Collection[str]) -> Iterator[str]:
    """Yield the words of a text, with one name for all players."""
    for word in text.split():
        bare = word.strip(".,;:!?'")
        yield word.replace(bare, PLAYER) if bare in players else word


def _says_doubt(text: str) -> bool:
    bare = PHRASES["small_talk"].sub(" ", text)
    return bool(_PUT_OFF.search(bare) or _HEDGES.search(bare) or any(map(_ASKS.match, _STOPS.split(text))))


def find_doubt(reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int) -> str:
    """Return why it is not certain what a reply orders, in a sentence; "" if it is.

    Args:
        reply: what its writer wrote.
        orders: what it orders.
        remarks: its lines that order nothing.
        choices: how many were offered.
    """
    if not orders:
        return ""
    below = [line for line in reply.below if not (CONFIDENTIAL.search(line) and len(line) > MAX_TALK_LETTERS)]
    later = (*orders[1:], *reply.lines[1:], *remarks, *below)
    taken_back = [
        line
        for line in later
        if RETRACTION.search(line)
        or FROWN.search(line)
        or _UNSURE.match(line)
        or (line in below and PHRASES["no"].fullmatch(line.strip(" .!")))
    ]
    if taken_back:
        return f"You wrote “{orders[0]}”, then “{taken_back[0][:80]}”: I'm not sure which you mean."
    known = {each.casefold() for each in orders}
    moves = [line for line in map(_read_bare_move, (*remarks, *reply.below)) if line and line not in known]
    if moves:
        return f"You wrote “{orders[0]}” but also “{moves[0]}”: I'm not sure which you mean."
    chosen: dict[int, int] = {}
    for table, found in [(table, read_mark(rest)) for table, rest in map(split_table, orders) if table]:
        if found is not None and chosen.setdefault(table, found.number) != found.number:
            return f"You chose two moves for table #{table}."
    mark = read_mark(orders[0])
    if mark is not None:
        return _find_doubt_about_mark(mark, reply, orders, remarks, choices)
    amounts = {word for order in orders for word in order.split()}
    alone = [line for line in remarks if (sign := _ALONE.match(line)) and sign[1] not in amounts]
    return f"You wrote “{orders[0]}” but also “{alone[0]}”: I'm not sure which you mean." if alone else ""


def _find_doubt_about_mark(
    mark: Mark, reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int
) -> str:
    """Return why a number or letter may not be a choice: it may end a mail, and another may be meant."""
    rule = next((each for each in orders[1:] if each.startswith("/auto if ")), "")
    if rule:  # "2", and below it "if Bob passes, otherwise 3"
        return f"You wrote “{orders[0]}”, then “{rule.removeprefix('/auto ')[:80]}”: I'm not sure which you mean."
    top = reply.paragraphs[0][0]
    is_below_words = mark.lettered and not split_orders((top.partition(",")[0],))  # "ok", and behind or below it "A"
    if mark.version is None and (reply.above or is_below_words or _THANKS.match(top) or _DASHED.match(top)):
        closing = reply.above[-1] if reply.above else top
        return f"“{orders[0]}” follows a closing (“{closing[:80]}”), so it may be a signature."
    other = _find_other_choice(mark, reply.below, (), choices) or _find_other_choice(mark, remarks, remarks, choices)
    other = other or _find_other_choice(
        mark, (), [each for each in orders[1:] if each[:3].casefold() in _ANSWERS], choices
    )
    return f"You wrote “{orders[0]}” but also “{other}”: I'm not sure which you mean." if other else ""


def _read_bare_move(line: str) -> str:
    """Return a line that is nothing but a move, as "bid 25", in small letters; "" for any other."""
    words = line.casefold().strip(" .!?").split()
    return " ".join(words) if words and len(words) <= 4 and words[0] in list_verbs() else ""


_ANSWERS = ("no ", "yes")


def _find_other_choice(mark: Mark, alone: Iterable[str], prose: Iterable[str], choices: int) -> str:
    """Return another choice than the one that is marked: a line of its own, or a sign within a sentence; else ""."""
    for line in alone:
        other = read_mark(line.strip(" -–—*•?"))
        if other is not None and (other.number, other.lettered) != (mark.number, mark.lettered):
            return line
    for line in prose:
        for found in (_LETTER if mark.lettered else _NUMBER).finditer(line):
            other = read_mark(found[1])
            if other is None or other.number in (mark.number, *range(choices, 9)):
                continue
            before, after = line[: found.start()], line[found.end() :]
            is_amount = not mark.lettered and (_BEFORE_A_NUMBER.search(before) or AFTER_A_NUMBER.search(after))
            if not is_amount and not (found[1] == "A" and _ARTICLE.search(after)):
                return line[:80]
    return ""
