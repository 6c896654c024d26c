"""Whatever is dropped, deleted or altered is repaired within five minutes, and nothing is duplicated."""

from tests.discord.conftest import Desk, _toys, desk, server  # noqa: F401  # fixtures
from tests.inspection.cases import run_cases

SLICE = 18


async def test_damage_by_hand_is_healed_within_five_minutes(desk: Desk) -> None:  # noqa: F811
    damaged, failed = await run_cases(desk, 1, SLICE)
    assert failed == []
    assert damaged.total() == SLICE
