"""What the lines of a reply order: a mark, verbs with their values, commands; split as people write them.

A lone letter may be a signature, a lone number part of a sentence. It counts
only at the top of a reply, and only while the reply holds no other choice;
where that is in doubt the player is asked back.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from bot.mail.phrases import AUTO_COMMANDS, COMMANDS, LIMIT_WORDS, list_verbs, list_vocabulary
from bot.mail.reply import ReadReply
from bot.model.orders import join_rules
from bot.service.press import Message
from engine import Record

MAX_ORDERS = 12
MAX_MESSAGES = 4
_TO = re.compile(r"^to\s+([^:]{1,80}):\s*(.*)$", re.IGNORECASE)
MAX_PRAISE_LETTERS = 60
_PRAISE = re.compile(
    r"^(?:nice|nicely|well (?:played|done)|good (?:one|move|game)|great|wow|ha|haha|lol|congrat\w*|lovely|excellent|"
    r"ouch|clever|brilliant|schön|gut gespielt|toll|super|bravo|glückwunsch|stark|hübsch|bien joué|joli|belle|gg)"
    r"\b[^\d?]*[!.]$",
    re.IGNORECASE,
)

_POLITE = re.compile(
    r"^(?:(?:and then|and|then|please|bitte|i['’](?:m going to|ll|d like to)|i will|i want to|i|ich|je|also)\s+)+|"
    r"(?<![\s,.!–-])[\s,.!–-]*\b(?:please|pls|bitte|svp|s['’]il (?:te|vous) pla[iî]t|por favor|per favore|again|"
    r"good luck|have fun|viel (?:glück|spaß|erfolg)|bonne chance|(?:thanks|danke) (?:for|für) [^\W\d][^\d?]{0,40}|"
    r"(?:thanks|thank you|thx|danke|merci|cheers|lg|vg)(?: (?-i:[A-Z])\w+)?|ok)\s?[.!]*$",
    re.IGNORECASE,
)
_PADDING = frozenset(
    (
        "also", "answer", "antwort", "bitte", "choice", "choisis", "choix", "choose", "dann", "das", "definitely",
        "den", "die", "do", "el", "elijo", "for", "für", "gerne", "go", "going", "gut", "hallo", "hello", "het",
        "hey", "hi", "i", "i'd", "i'll", "ich", "ik", "il", "is", "ist", "it", "je", "kies", "la", "le", "let's",
        "like", "mal", "me", "meine", "mich", "mir", "moi", "my", "möchte", "na", "natürlich", "nehm", "nehme",
        "nehmen", "number", "nummer", "numéro", "n°", "ok", "okay", "opcion", "opción", "opcja", "optie", "option",
        "opzione", "play", "please", "pls", "pour", "prends", "respuesta", "risposta", "réponse", "scelgo",
        "take", "the", "then", "tomo", "wahl", "want", "well", "will", "with", "wähle", "würde",
    )
)  # fmt: skip
"""Words that people put around a choice: "I'll take 2", "dann nehme ich die 2"."""
_NUMBERED = re.compile(r"\b(?:number|nummer|numéro|option|opción|opzione|optie|choice|choix|wahl)\b", re.IGNORECASE)
_RAISE = re.compile(r"raise(?: it| the bid)? to (?=[£$€]?\d{1,6}\W*$)", re.IGNORECASE | re.ASCII)
_PASSE = re.compile(r"^passe\b", re.IGNORECASE)
_NUMBER_WORDS = {
    sign: number
    for words in (
        "one two three four five six seven eight nine",
        "eins zwei drei vier fünf sechs sieben acht neun",
        "une deux trois quatre cinq six sept huit neuf",
    )
    for number, sign in enumerate(words.split())
}
"""Choices written out."""
_SMILE = re.compile(
    r"(?<![\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])(?:(?<=\s)(?:[:;=]-?[)(DP]|\^\^|xD)|[\u2600-\u26ff\u2705\u2714\u2764\u200d\U0001f300-\U0001faff\s])+$"
)
_NOD = re.compile("^[\u2705\u2714\u2611\U0001f44d\U0001f44c\ufe0f\U0001f3fb-\U0001f3ff]+\\s+(?=\\S)")
"""A tick or a thumb up before a choice."""
_FROWN = re.compile("[\u2049\u2753\u2754\U0001f914\U0001f44e\U0001f937\U0001f615]")
"""A question mark as a picture, a thumb down, a shrug: what stands before them may not be meant."""
_BULLET = re.compile(r"^(?:[-*•]\s+)")
QUOTES = '"“”„'
_IN_AMOUNT = re.compile(r"(?<=\d),(\d{3})(?!\d)")
"""A comma within "1,250", and what follows it."""
_LONG = ("why ", "away ", "auto skip ", "auto build ", "/")
"""How orders begin whose words have commas."""
_MARK = re.compile(
    r"^(?:option|choice|nr\.?|no\.|#)?\s*\(?([1-9]|[a-i])[).:]?\s*(?:\(turn (\d{1,9})\))?[.!]?$",
    re.IGNORECASE | re.ASCII,
)
_AMOUNT = re.compile(r"(?!(\d)\1+$)[£$€]?\d{2,6}$", re.ASCII)
"""An amount and no choice; "22" may be a 2 that was typed twice."""
_MAXIMUM = re.compile(r"(?:most|max|maximum|auto bid)\s+[£$€]?(\d{1,6})", re.IGNORECASE | re.ASCII)
_MAXIMUM_ASKED = re.compile(
    r"(?:(?:i(?:['’]d|['’]ll)?|i would|i will|would|will) )?"
    r"(?:(?:bid |pay )?(?:up to|at most)|bid|pay|(?:my )?(?:most|max|maximum|limit)(?: is|:)?)?"
    r"\s*[£$€]?(\d{1,6})\s?(?:max|maximum|at most|tops|cubes?)?",
    re.IGNORECASE | re.ASCII,
)
_TABLE = re.compile(r"^#\s?(\d{1,9})\s*[:.]?\s+(\S.*)$")
_THANKS = re.compile(r"^\W*(?:thanks|thank you|thx|danke|cheers|lg|vg)\b", re.IGNORECASE)
_DASHED = re.compile(r"^\s*[-–—~/]\s")
_RETRACTION = re.compile(
    r"\b(?:(?:no|oh|ah|hm+|actually|sorry|hang on|hold on|nein|halt|ne|nee|non)\W+"
    r"(?:wait|warte|doch|moment|stop|attends?)|"
    r"on second thoughts?|scratch that|correction|changed my mind|i (?:mean|meant)|make (?:it|that)|"
    r"rather (?:take|than|not|play|the|an?|[a-h]|\d)|"
    r"(?:forget|ignore|disregard|cancel|vergiss|ignoriere?|storniere?) (?:it|that|this|the|what|my|das|es|was|meine?)|"
    r"(?:don['’]?t|do not) (?:play|do|send|submit|count) (?:it|that|this|anything)|take (?:it|that) back|hold off|"
    r"(?:ziehe|nehme) (?:das|es) zurück|(?:noch|bitte) nicht (?:ausführen|spielen|ziehen|werten|machen)|"
    r"(?:wrong|falsche[nrs]?) (?:mail|number|letter|choice|table|one|zahl|nummer|wahl|tisch)(?! for| für)|"
    r"(?:not|nicht) (?:\w+ )?(?:sure|sicher)(?! (?:when|whether|if)|,? (?:wann|ob|wie))|"
    r"(?:that was a|by|my) mistake|versehen|vertan|vertippt|verschrieben|typo|"
    r"think (?:about it|again|it over)|sleep on it|not yet|noch nicht$|pas encore|"
    r"(?:erst|only|seulement|nur) (?:if|when|after|wenn|nachdem|falls|si|quand|après)|sauf si|à moins|à condition|"
    r"(?:voulais|veux) dire|plutôt|finalement|attends|wait for me|"
    r"(?:nochmal|noch) überlegen|überlege noch|(?:ach|oh|nö) (?:nein|no|doch)(?=\W*$)|"
    r"nur,? wenn|unless|es sei denn|\d+ (?:if|falls|wenn)|"
    r"instead|oops|ups|nein\W|lieber|stattdessen|korrektur|ich mein(?:e|te)|mein(?:e|te) ich|doch (?:lieber|nicht))\b|"
    r"(?:^|[.,;!–—-]\s*)(?:wait|warte|actually|nein|stopp?)\b(?! for| auf)|^\W*(?:no|non|nope|nah|nee)\s?[:!,]|"
    r"^\W*(?:but |and |aber |und |mais )?(?:if|falls|wenn|si|sofern|provided)(?: [\w'’]+){1,5}\W*$|"
    r"\b(?:or|oder|right|richtig|correct)\s?\?",
    re.IGNORECASE,
)
"""Words by which people take back what they have just written."""
_ALONE = re.compile(r"^\W*(?:(?:or|oder|sorry|no|nein|doch|moment|hm+|ps)\W+)*([1-9]|[a-h]|\d{2,4})\W*$", re.IGNORECASE)
"""A choice or an amount and nothing else but words of doubt."""
_NUMBER = re.compile(r"(?<![\w£$€#.,:/+-])([1-9])(?![\w%£$€:/+-]|[.,]\d|\s?[%£$€])")
_BEFORE_A_NUMBER = re.compile(
    r"\b(?:at|um|by|until|till|bis|gegen|ab|since|seit|around|turn|round|runde|table|tisch|game|spiel|seat|phase|"
    r"room|zimmer|raum|page|seite|floor|stock|vom)\W*$",
    re.IGNORECASE,
)
_AFTER_A_NUMBER = re.compile(
    r"^\s*(?:days?|tage?n?|hours?|stunden?|h|min\w*|weeks?|wochen?|months?|monate?n?|years?|jahre?n?|uhr|[ap]m|o'clock|"
    r"shares?|aktien?|trains?|züge?n?|players?|spieler|of us|times|mal|more|mehr|pounds?|pfund|kids|games?|turns?|"
    r"moves?|people|leute)\b|"
    r"^\.? ?(?:jan(?:uar|uary|vier)?|feb(?:ruar|ruary)?|février|mar(?:ch|s)?|märz|apr(?:il)?|avril|mai|june?|juni|juin|"
    r"july?|juli|juillet|aug(?:ust)?|août|sep(?:t|tember|tembre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|"
    r"de[cz](?:ember)?|décembre|may(?=\W*$|[,.;]))\b|^\.? (?:bis|to|au|until|till|–|-) \d",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![\w'’.-])([A-H]|[a-h](?=\s*(?:$|[.,;!?)])))(?![\w'’]|\.\w)")
_ARTICLE = re.compile(r"^ (?!than\b|is\b|or\b|and\b|oder\b|ist\b|und\b|please\b|bitte\b|instead\b|would\b)[a-zäöü]")


class Mark(Record, frozen=True):
    """A marked choice, by its number from 0; ``version`` where the words say it; ``lettered`` as it was written."""

    number: int
    version: int | None = None
    lettered: bool = False


def read_mark(order: str) -> Mark | None:
    """Return the choice that an order marks."""
    found = _MARK.match(order)
    if found is None:
        written = _NUMBER_WORDS.get(order.casefold().strip(" .!"))
        return None if written is None else Mark(written)
    sign = found[1].lower()
    number = int(sign) - 1 if sign.isdecimal() else ord(sign) - ord("a")
    return Mark(number, int(found[2]) if found[2] else None, not sign.isdecimal())


def read_maximum(order: str, *, is_asked: bool = False) -> int | None:
    """Return the maximum bid that an order says, ``None`` if it says none.

    ``is_asked``: it answers a letter that asks for one, so an amount alone says enough.
    """
    bare = _IN_AMOUNT.sub(r"\1", order.strip(" .!"))
    found = (_MAXIMUM_ASKED if is_asked else _MAXIMUM).fullmatch(bare) or _MAXIMUM.fullmatch(bare)
    return int(found[1]) if found else None


def split_table(order: str) -> tuple[int, str]:
    """Return the table that an order names and the rest of it, as in "#8 best"; 0 if it names none."""
    found = _TABLE.match(order)
    return (int(found[1]), found[2]) if found else (0, order)


class MailOrders(Record, frozen=True):
    """What is ordered, in order, and what is said to other players.

    Args:
        orders: as written. remarks: lines that order nothing, in later paragraphs.
        why: why nothing is to be done; empty if something is.
        messages: to other players, after the orders.
    """

    orders: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    why: str = ""
    messages: tuple[Message, ...] = ()


def take_messages(read: ReadReply) -> tuple[ReadReply, tuple[Message, ...]]:
    """Return a reply without what it says to other players, and that: from a line "to Bob: …" on, all is a message.

    So nothing below such a line is an order, whatever it says.
    """
    found: list[Message] = []
    kept: list[tuple[str, ...]] = []
    for paragraph in read.paragraphs:
        orders: list[str] = []
        for line in paragraph:
            if begun := _TO.match(line):
                found.append(Message(begun[1].strip(), begun[2].strip()))
            elif found:
                found[-1] = Message(found[-1].to, f"{found[-1].text} {line}".strip())
            else:
                orders.append(line)
        kept += [tuple(orders)] if orders else []
    return msgspec.structs.replace(read, paragraphs=tuple(kept)), tuple(found)


def read_orders(reply: ReadReply, choices: int = 9, *, asks_maximum: bool = False) -> MailOrders:
    """Return what a reply orders: all of its first paragraph, and later ones as far as they are orders.

    Args:
        reply: what its writer wrote.
        choices: how many were offered.
        asks_maximum: it answers a letter that asks for a maximum bid.
    """
    reply, messages = take_messages(reply)
    if messages:
        read = _read_moves(reply, choices, asks_maximum=asks_maximum) if reply.paragraphs else MailOrders()
        if len(messages) > MAX_MESSAGES:
            return MailOrders(why=f"A mail can have {MAX_MESSAGES} messages. Nothing was done.")
        return msgspec.structs.replace(read, messages=() if read.why else messages)
    return _read_moves(reply, choices, asks_maximum=asks_maximum)


def _read_moves(reply: ReadReply, choices: int, *, asks_maximum: bool) -> MailOrders:
    """Return what a reply orders that says nothing to other players."""
    if not reply.paragraphs:
        return MailOrders(why=reply.why or "I found no new text in your e-mail.")
    reply, praise = _drop_praise(reply)
    first = _split(reply.paragraphs[0])
    if asks_maximum:
        limit = read_maximum(first[0], is_asked=True) if first else None
        first = [f"most {limit}", *first[1:]] if limit is not None else first
    unknown = [each for place, each in enumerate(first) if not _is_known(each, is_first=place == 0)]
    if unknown:
        return MailOrders(why=f"I can't read “{unknown[0][:80]}”. Nothing was done.", remarks=tuple(unknown))
    orders, remarks = [*first], list[str](praise)
    for paragraph in reply.paragraphs[1:]:
        split = _split(paragraph)
        if remarks == praise and all(_is_known(each, is_first=False) for each in split):
            orders += split
        else:
            remarks += paragraph
    if not orders:
        return MailOrders(why=f"I can't read “{' '.join(reply.lines)[:80]}”. Nothing was done.", remarks=tuple(remarks))
    if len(orders) > MAX_ORDERS:
        return MailOrders(why=f"{len(orders)} orders are too many: the limit is {MAX_ORDERS}. Nothing was done.")
    doubt = find_doubt(reply, orders, remarks, choices)
    if doubt:
        return MailOrders(why=f"{doubt} Nothing was done; reply with only your choice.", remarks=tuple(remarks))
    return MailOrders(tuple(orders), tuple(remarks))


def _drop_praise(reply: ReadReply) -> tuple[ReadReply, list[str]]:
    """Return a reply without a word to the others above its numbered choice, as "Nice move, Bob!", and that word.

    Nothing in it could be an order, and what follows is a number alone: a letter may sign it.
    """
    first, *rest = reply.paragraphs
    line = first[0]
    words = {word.strip(".,!?;:").casefold() for word in line.split()}
    below = (first[1:], *rest) if first[1:] else tuple(rest)
    is_praise = len(line) <= MAX_PRAISE_LETTERS and _PRAISE.match(line) is not None
    if not is_praise or not below or words & list_vocabulary() or _RETRACTION.search(line):
        return reply, []
    mark = read_mark(below[0][0])
    if mark is None or mark.lettered:
        return reply, []
    return msgspec.structs.replace(reply, paragraphs=below), [line]


def _split(lines: Sequence[str]) -> list[str]:
    """Return the orders of lines: divided by commas and semicolons outside quotation marks."""
    found: list[str] = []
    for written in join_rules(lines):
        line = written if _FROWN.search(written) else _NOD.sub("", _SMILE.sub("", written))
        begun, quoted = "", False
        is_long = split_table(line)[1].casefold().startswith(_LONG)
        for at, letter in enumerate(line):
            quoted ^= letter in QUOTES
            if letter in ",;" and not quoted and not is_long and not _IN_AMOUNT.match(line, at):
                found.append(begun)
                begun = ""
            else:
                begun += letter
        found.append(begun)
    bare = (_BULLET.sub("", each.strip()) for each in found)
    tidy = (each if each.startswith("/") else _POLITE.sub("", each).strip() for each in bare)
    return [each for each in map(_drop_padding, tidy) if each]


def _drop_padding(order: str) -> str:
    """Return the choice alone if only padding stands around it; "" for a word or two of padding without a choice."""
    order = _RAISE.sub("bid ", order)
    words = [word.strip("*_\"“”„'[]:.!") for word in order.replace("’", "'").split()]
    if order.endswith("?") or not words or words[0].casefold() in list_vocabulary():
        return order
    said = [word for word in words if word and word.casefold() not in _PADDING]
    if len(words) == 2 and words[0].casefold() in ("ok", "okay") and words[1].isalpha():  # "OK A" may be signed
        return order
    if len(said) == 1 and (_MARK.match(said[0]) or (read_mark(said[0]) and _NUMBERED.search(order))):
        return said[0]
    if not said and len(words) <= 2 and read_mark(order) is None:
        return ""
    return _PASSE.sub("pass", order)


def _is_known(order: str, *, is_first: bool) -> bool:
    """Return whether words can be an order at all: what is not must not be half done."""
    game, rest = split_table(order)
    if game:
        return _is_known(rest, is_first=True)
    if order.startswith("/") or (is_first and (read_mark(order) or _AMOUNT.match(order))):
        return True
    if read_mark(order.rstrip("? ")):  # a question, or not where a choice stands
        return False
    first, _, rest = order.casefold().partition(" ")
    first = first.strip(".!")
    if first in LIMIT_WORDS and read_maximum(order) is None:  # "Most likely", and "Auto" is a car in German
        return first == "auto" and len(order) <= 200 and rest.split(" ", maxsplit=1)[0] in AUTO_COMMANDS
    if first.rstrip("?") in COMMANDS:
        return len(order) <= 200 and not (first.rstrip("?") in _CHANGING_COMMANDS and order.endswith("?"))
    if order.endswith("?"):
        return False
    return (
        len(order.split()) <= 14 and (first in list_vocabulary() or len(order.split()) == 1) and not order.isdecimal()
    )


def find_doubt(reply: ReadReply, orders: Sequence[str], remarks: Sequence[str], choices: int) -> str:
    """Return why it is not certain what a reply orders, in a sentence; "" if it is.

    Args:
        reply: what its writer wrote.
        orders: what it orders.
        remarks: its lines that order nothing.
        choices: how many were offered.
    """
    later = (*orders[1:], *remarks, *reply.below)
    taken_back = [line for line in later if _RETRACTION.search(line) or _FROWN.search(line)]
    if orders and taken_back:
        return f"You wrote “{orders[0]}”, then “{taken_back[0][:80]}”: I'm not sure which you mean."
    known = {each.casefold() for each in orders}
    moves = [line for line in map(_read_bare_move, (*remarks, *reply.below)) if line and line not in known]
    if orders and moves:
        return f"You wrote “{orders[0]}” but also “{moves[0]}”: I'm not sure which you mean."
    chosen: dict[int, int] = {}
    for table, found in [(table, read_mark(rest)) for table, rest in map(split_table, orders) if table]:
        if found is not None and chosen.setdefault(table, found.number) != found.number:
            return f"You chose two moves for table #{table}."
    mark = read_mark(orders[0]) if orders else None
    if mark is None:
        amounts = {word for order in orders for word in order.split()}
        alone = [line for line in remarks if (sign := _ALONE.match(line)) and sign[1] not in amounts]
        return f"You wrote “{orders[0]}” but also “{alone[0]}”: I'm not sure which you mean." if alone else ""
    rule = next((each for each in orders[1:] if each.startswith("/auto if ")), "")
    if rule:  # "2", and below it "if Bob passes, otherwise 3"
        return f"You wrote “{orders[0]}”, then “{rule.removeprefix('/auto ')[:80]}”: I'm not sure which you mean."
    top = reply.paragraphs[0][0]
    is_below_words = mark.lettered and not _split((top.partition(",")[0],))  # "ok", and behind or below it "A"
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
_CHANGING_COMMANDS = frozenset({"pass", "undo", "redo", "yes", "no", "leave", "stop", "start", "away", "snooze"}) | {
    *LIMIT_WORDS
}
"""Commands that change something: as a question they are none."""


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
            is_amount = not mark.lettered and (_BEFORE_A_NUMBER.search(before) or _AFTER_A_NUMBER.search(after))
            if not is_amount and not (found[1] == "A" and _ARTICLE.search(after)):
                return line[:80]
    return ""
