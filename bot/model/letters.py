"""Letters: what is written to one person at an address of their own, and which posts of a table owe one.

A letter follows from a post that names a person. A person with a confirmed
address gets it there, wherever else they are notified.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from bot.model import posts
from bot.model.posts import Owed, Post
from engine import Record

About = Literal[
    "turn", "reminder", "bid", "notice", "question", "outcome", "withdrawn", "end", "answer", "invitation", "code"
]  # fmt: skip


ContactState = Literal["asked", "confirmed", "stopped", "failing"]


class Contact(Record, frozen=True):
    """An address of a person's own, at which they are written to.

    Args:
        id: its number. address: folded. user: whose. name: what its person is called.
        state: asked for a word, confirmed, stopped by its person, or failing.
        epoch: counts how often what was written there before has become void.
        code: to be typed back; ``until`` when, with ``tries`` so far. asked: when it was asked last.
    """

    id: int
    address: str
    user: str
    name: str = ""
    state: ContactState = "asked"
    epoch: int = 1
    code: str = ""
    tries: int = 0
    until: int = 0
    asked: int = 0


class Letter(Post, frozen=True):
    """Write to one person; ``game`` is 0 where it is about none.

    Args:
        user: to whom.
        about: what it is about. text: the words, where they are not looked up when it is sent.
        turn_from: version at which the turn began that it is about.
        proposal: number of the question. number: of the reminder. lot: for which a maximum bid is asked.
        contact: the one address it goes to, 0 for that of the user. follows: name of what it answers.
        picture: what is shown beside it; empty for what the game thinks fit.
        games: the tables it tells of, where that is more than one.
        pending: what waits for a yes to this letter, as JSON. file: the command that makes the file beside it.
    """

    user: str
    about: About
    text: str = ""
    turn_from: int = 0
    proposal: int = 0
    number: int = 0
    contact: int = 0
    follows: str = ""
    picture: str = ""
    games: tuple[int, ...] = ()
    lot: str = ""
    pending: str = ""
    file: str = ""


class NumberedMove(Record, frozen=True):
    """What a numbered choice of a letter means: its words, and the action as JSON."""

    label: str
    action: str


class NumberedMoves(Record, frozen=True):
    """What the choices of a letter mean, in the position they were drawn for.

    Args:
        version, seat: whose choices they are, and in which position. offers: the choices.
        lettered: they have letters, for a number might be an amount.
        subject: how the letter names the company that acts, as in "Purple builds"; "" where a player does.
        examples: orders in words that the letter shows, each a move here.
    """

    version: int
    seat: int
    offers: tuple[NumberedMove, ...] = ()
    lettered: bool = False
    subject: str = ""
    examples: tuple[str, ...] = ()


def list_recipients(owed: Sequence[Owed]) -> set[str]:
    """Return the people for whom posts may owe letters."""
    return {user for each in owed for user, _ in _list_letters(each.post)}


def write_letters(owed: Sequence[Owed], reached: Iterable[str]) -> list[Owed]:
    """Return the letters that posts owe to those who have an address of their own."""
    wanted = set(reached)
    return [
        Owed(build_letter_key(f"{each.key}{':settled' * (letter.about == 'outcome')}", user), letter, each.due)
        for each in owed
        for user, letter in _list_letters(each.post)
        if user in wanted
    ]


def build_letter_key(post: str, user: str) -> str:
    """Build the key of the letter that a post owes to a person."""
    return f"{post}:to:{user}"


def build_withdrawn_letter(game: int, user: str, turn: str, now: int) -> Owed:
    """Return the letter by which a person hears that the turn with a key is theirs no longer."""
    letter = Letter(game, user, "withdrawn", turn_from=int(turn.rpartition(":")[2]))
    return Owed(build_letter_key(f"{turn}:withdrawn:{now}", user), letter, now)


def _list_letters(post: Post) -> list[tuple[str, Letter]]:
    """Return the letters of a post, by person."""
    game = post.game
    if isinstance(post, posts.Notice):
        return [(u, Letter(game, u, "notice", post.text, post.turn_from)) for u in post.mention]
    if isinstance(post, posts.Ballot):
        return [(u, Letter(game, u, "outcome", proposal=post.proposal)) for u in post.concerned]
    if isinstance(post, posts.Whisper):
        return [(post.user, Letter(game, post.user, "notice", text=post.text, games=post.games))]
    return []
