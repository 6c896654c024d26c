"""What a game asks names the players, wherever it is told."""

from pathlib import Path

from bot.operations.settings import Settings
from engine.title import Ask
from tests.bot.test_local import evening


def test_an_ask_names_seats_by_their_number() -> None:
    ask = Ask((1,), "{0} asks {1}", "answer {0}", ("{1} has 5.", "{7} is nobody, {x} neither."))
    named = ask.named(("Ann", "Bob"))
    assert (named.headline, named.kind) == ("Ann asks Bob", "answer Ann")
    assert named.lines == ("Bob has 5.", "{7} is nobody, {x} neither.")


async def test_the_local_table_names_who_leads_an_auction(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "store.sqlite", pictures=tmp_path / "pictures", _env_file=None)
    new = '/game new title:steel_driver options:first=host players:"Ann, Bob, Cid"'
    said = await evening(settings, new, "/act bid company:red amount:3", "/rules now", "/act menu")
    assert said.count("Ann leads with 3 cubes. You have 10 cubes; still in: Ann has 10, Cid has 10.") == 2
    assert "{" not in said
