"""The fixtures of the tests in Discord serve here too."""

from tests.discord.conftest import _toys, desk, server

__all__ = ["_toys", "desk", "server"]
