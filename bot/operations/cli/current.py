"""The settings of the process, with its log set up by them."""

from pydantic import ValidationError

from bot.operations import logs
from bot.operations.cli.ending import UNREADABLE, end
from bot.operations.settings import Settings


def settings_here() -> Settings:
    """Return the settings; a wrong one ends the command with its name."""
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        is_form = first["type"] == "string_pattern_mismatch"  # nobody reads patterns
        why = f"“{str(first['input'])[:40]}” is not of the form that docs/hosting.md shows" if is_form else first["msg"]
        end(f"The setting {first['loc'][0]} is wrong: {why}.", UNREADABLE)
    logs.set_up(settings.log_level, as_json=settings.log_json)
    return settings
