"""The ways to run that differ in what matters: each said in words, played with one tap."""

from bot.screens.answer import Answer
from bot.screens.desk_controls import seated_or_shown
from bot.screens.draft import mark
from bot.screens.screen import LABEL, Button, Screen, clip, rows_of
from bot.screens.wire import Control


async def plans(answer: Answer, control: Control) -> None:
    """Show the ways to run, the best first."""
    await answer.acknowledge()
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    known = await answer.services.table.advice.planned(here, seat)
    found = known.plans or known.tips
    lines = [f"**{here.ask().headline}**", *(f"{number}. {tip.label}." for number, tip in enumerate(found, 1))]
    if len(found) < 2:  # the best, and one beside it
        lines.append("Nothing else gives the treasury more, or spares a train; *Other…* takes a plan of your own.")
    buttons = []
    for number, tip in enumerate(found, 1):
        played = Control(control.game, here.version, "tip", f"{number}.{mark(tip.action)}")
        label = f"{number} · Run {tip.label.partition(':')[0]}" if known.plans else tip.label
        buttons.append(Button(clip(label, LABEL), played, "main" if number == 1 else "plain"))
    back = Button("Back", Control(control.game, here.version, "at"))
    await answer.show(Screen("\n".join(lines), rows=rows_of([*buttons, back])))
