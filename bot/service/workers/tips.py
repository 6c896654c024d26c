"""The moves worth a button: what is known of them, how they pass to workers, and the searches for them."""

from collections.abc import Iterable

import msgspec

from bot.service.workers.held import Held, Task
from engine import Action, Record, Tip
from engine.codec import decode_action, encode_action

PROOF_SECONDS = 10 * 60
"""After which all searches for a proof end, whatever they have."""


class Advised(Record, frozen=True):
    """What is known of a position.

    Args:
        version: of its table's log. seat: who is asked.
        tips: the moves worth a button. earlier: those that better ones have replaced; their buttons still work.
        plans: the ways to run that somebody asked to see, with the numbers they have there as shorthand.
    """

    version: int
    seat: int
    tips: tuple[Tip, ...]
    earlier: tuple[Tip, ...] = ()
    plans: tuple[Tip, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every move that some button was drawn for."""
        return tuple(tip.action for tip in (*self.tips, *self.plans, *self.earlier))

    def resolve(self, action: Action) -> Action:
        """Return the move that shorthand stands for, as the buttons tell it; any other action as it is."""
        return next((tip.action for tip in self.tips if tip.short == action), action)


NO_ADVICE = Advised(-1, -1, ())


class TipRow(msgspec.Struct, frozen=True):
    """A tip on the wire; its actions are JSON of their own, ``short`` may be empty."""

    action: str
    label: str
    short: str
    proven: bool


def encode_tips(tips: Iterable[Tip]) -> tuple[TipRow, ...]:
    """Return tips for the wire."""
    return tuple(TipRow(_encode_action(tip.action), tip.label, _encode_action(tip.short), tip.proven) for tip in tips)


def _encode_action(action: Action | None) -> str:
    return "" if action is None else encode_action(action).decode()


def decode_tips(title: str, rows: Iterable[TipRow]) -> tuple[Tip, ...]:
    """Return tips from the wire."""
    return tuple(
        Tip(
            decode_action(title, row.action),
            row.label,
            decode_action(title, row.short) if row.short else None,
            row.proven,
        )
        for row in rows
    )


class Considered(Record, frozen=True):
    """The moves worth a button that a seat knows of, beside which others are looked for.

    ``budget`` is of tries of a search that goes on from them.
    """

    seat: int
    tips: tuple[TipRow, ...]
    budget: int = 0


def _find_tips(held: Held, seat: int) -> tuple[TipRow, ...]:
    return encode_tips(held.game.tips(seat))


def _find_plans(held: Held, considered: Considered) -> tuple[TipRow, ...]:
    """Return the ways to run that differ in what matters."""
    title = held.game.title
    return encode_tips(title.advice.plans(held.game.state, considered.seat, decode_tips(title.id, considered.tips)))


def _prove(held: Held, considered: Considered) -> tuple[TipRow, ...]:
    """Return better tips, or their proof, as far as a budget of tries goes."""
    title, known = held.game.title, decode_tips(held.game.title.id, considered.tips)
    return encode_tips(title.advice.prove(held.game.state, considered.seat, known, considered.budget))


TIPS = Task("tips", _find_tips, int, tuple[TipRow, ...], lane="searches", rank=1)
PLANS = Task("plans", _find_plans, Considered, tuple[TipRow, ...], lane="searches", rank=1)
PROVE = Task(
    "prove", _prove, Considered, tuple[TipRow, ...], lane="proofs", seconds=PROOF_SECONDS, cpu_seconds=PROOF_SECONDS
)
