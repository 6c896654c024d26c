"""Answers right below a quoted choice, and choices that are copied: "this one, please", "Buy 2F for £200"."""

import re

from msgspec.structs import replace

from bot.mail.labelled import Labeller
from bot.mail.phrases import WORDS, join_words
from bot.mail.reply import ReadReply
from bot.mail.vocabulary import STEPS, VERBS_OF
from bot.mail.worded import WordedChoice, find_head, list_offers
from bot.model.letters import NumberedMoves

_THIS = re.compile(rf"\b(?:{join_words('this_one')})\b", re.IGNORECASE)
_KNOWN = frozenset((*WORDS["approving"], *WORDS["this_one"]))
_STEPS = tuple(step for step in STEPS if step not in ("accept", "best", "redeem"))
MAX_LETTERS = 90


def name_quoted(reply: ReadReply, offered: NumberedMoves | None) -> tuple[ReadReply, str, str]:
    """Return a reply without "this one" below a quoted choice, the mark of that, and why it is unclear; or "".

    What is refused below other quoted choices goes.
    """
    marks = _list_marks(offered) if offered is not None and reply.beside else {}
    read = {line: _read_about(line, *marks[choice]) for line, choice in reply.beside if choice in marks}
    taken = {line: mark for line, (verdict, mark) in read.items() if verdict == "yes"}
    refused = {line for line, (verdict, _) in read.items() if verdict == "no"}
    if not taken and not refused:
        return reply, "", ""
    written = [line for line in reply.lines if line in taken]
    if len(written) != 1 or len(set(taken.values())) != 1:
        said = " ".join((*taken, *refused))[:80]
        return reply, "", f"I'm not sure which choice you mean by “{said}”. Nothing was done."
    rest = [tuple(each for each in lines if each not in taken and each not in refused) for lines in reply.paragraphs]
    return replace(reply, paragraphs=tuple(lines for lines in rest if lines), beside=()), taken[written[0]], ""


def name_copied(reply: ReadReply, offered: NumberedMoves | None) -> tuple[ReadReply, str]:
    """Return a reply without the choice that it begins with in the letter's own words, and the mark of that; or ""."""
    first, *more = reply.paragraphs[0]
    heads = [] if offered is None else [find_head(each.label) for each in offered.offers]
    copied = first.strip(" .!").casefold()
    if offered is None or heads.count(copied) != 1:
        return reply, ""
    rest = (tuple(more), *reply.paragraphs[1:])
    mark = f"{heads.index(copied) + 1} (turn {offered.version})"
    return replace(reply, paragraphs=tuple(lines for lines in rest if lines)), mark


def _list_marks(offered: NumberedMoves) -> dict[str, tuple[WordedChoice, str]]:
    """Return the choices of a letter and their marks, by their lines as a reply quotes them.

    A letter's marks are numbers or letters; a reply to an older form of it may quote the others.
    """
    found = dict[str, tuple[WordedChoice, str]]()
    for at, (worded, each) in enumerate(zip(list_offers(offered), offered.offers, strict=True)):
        for sign in ("123456789"[at], "ABCDEFGHI"[at]):
            line = " ".join(f"{sign} {each.label}".split())
            found[line] = (worded, f"{at + 1} (turn {offered.version})")
    return found


def _read_about(line: str, choice: WordedChoice, mark: str) -> tuple[str, str]:
    """Return what a line below a quoted choice says of it, "yes", "no" or "", and the mark of the choice."""
    verbs = VERBS_OF.get(choice.kind, ())
    words = Labeller(("yes", "no", *verbs, *_STEPS), (choice,)).label(line.lower().replace("’", "'"))
    if len(line) > MAX_LETTERS or "?" in line or any(re.search(r"\d", word.text) for word in words):
        return "", mark
    if any("no" in word.labels for word in words) and all("no" in word.labels or word.is_idle for word in words):
        return "no", mark
    if any(not word.labels.isdisjoint(("denial", *_STEPS)) for word in words):
        return "", mark
    is_meant = any(_THIS.search(word.text) for word in words) and all(
        word.is_idle or not word.labels.isdisjoint(("name", "yes", *verbs)) or word.text in _KNOWN for word in words
    )
    return ("yes" if is_meant else ""), mark
