"""``doctor --discord``: Discord tried out in a thread of its own, with the help of a person."""

import asyncio

from bot.discord.answer import TRIAL_COMMAND
from bot.discord.trial import WORD, Trial, TrialStep
from tests.discord.conftest import DOT, Desk
from tests.discord.person import Person
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel

STEPS = (
    "login", "gateway", "channel", "rights", "thread", "post with a picture", "edit", "command",
    "press", "form", "ping", "private message", "completion", "answer to a command", "clean-up",
)  # fmt: skip


async def _draw(*_: object) -> bytes:
    return DOT


async def run_trial(server: StandIn, person: Person | None, channel: Channel | None = None) -> list[TrialStep]:
    """Try Discord out; the person does what the thread asks, if there is one."""
    steps = list[TrialStep]()
    trial = Trial(str((channel or server.games).id), _draw, steps.append, patience=30.0 if person else 0.05)
    running = asyncio.create_task(trial.run_trial("token"))
    if person is not None:
        await server.world.until(lambda: running.done() or any(step.what == "command" for step in steps))
        assert not running.done(), steps
        thread = server.threads[-1]
        (word,) = next(each for each in server.world.commands if each["name"] == TRIAL_COMMAND)["options"]
        assert (word["type"], word["required"], word["autocomplete"]) == (3, True, True), "text that must be completed"
        form = await person.click(thread.messages[0], "Press me")
        assert "The form arrived" in (await person.submit(form, value="hello")).text
        assert [each["value"] for each in await person.complete(thread, TRIAL_COMMAND, "word")] == [WORD]
        assert "All of it works" in (await person.slash(thread, TRIAL_COMMAND, word=WORD)).text
    assert await running is all(step.well for step in steps)
    return steps


async def test_every_step_is_tried_reported_and_deleted_again(server: StandIn, desk: Desk) -> None:
    """A bot that runs beside it answers nothing of the trial."""
    alice = server.person("alice")
    async with desk.running():
        before = [command["name"] for command in server.world.commands]
        steps = await run_trial(server, alice)
        assert [step.what for step in steps if step.well] == [*STEPS], steps
        assert "alice" in server.pings()
        assert [command["name"] for command in server.world.commands] == before
        assert not server.threads
        assert all(message.deleted for message in server.world.messages.values() if not message.ephemeral)
    server.check()


async def test_what_is_missing_is_named_and_nothing_is_left_behind(server: StandIn) -> None:
    server.guild.granted -= {"read_message_history", "manage_threads"}
    steps = await run_trial(server, None)
    told = {step.what: step.words for step in steps if not step.well}
    assert told["rights"] == (
        "The bot lacks Read Message History and Manage Threads (to wake sleeping threads) in #games."
    )
    assert told["post with a picture"].startswith("Discord refused it: 403, code 50013")
    assert told["clean-up"] == "The bot couldn't delete the thread, for which it needs Manage Threads."
    assert [step.what for step in steps] == [*STEPS[:6], "clean-up"]


async def test_no_one_who_helps_and_no_such_channel(server: StandIn) -> None:
    steps = await run_trial(server, None)
    assert {step.what: step.words for step in steps if not step.well} == {
        "press": "No one pressed the button within 0 seconds."
    }
    assert not server.threads
    refused = (await run_trial(server, None, server.forum))[-2]
    assert refused.what == "channel"
    assert refused.words.startswith("The bot sees no text channel with this id.")
