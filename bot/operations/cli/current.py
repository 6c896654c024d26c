"""The settings of the process, with its log set up by them."""

from pydantic import ValidationError

from bot.operations import logs, variables
from bot.operations.cli.ending import UNREADABLE, end
from bot.operations.settings import Settings


def settings_here() -> Settings:
    """Return the settings; a wrong or unknown one ends the command with the name of its variable."""
    try:
        faults = variables.misspelled()
        settings = Settings()
    except ValidationError as error:
        end(" ".join([*faults, *variables.wrong(error)]), UNREADABLE)
    except (OSError, ValueError) as error:  # what stands in the file is no text, or it may not be read
        end(f"The settings cannot be read from .env: {error}.", UNREADABLE)
    if faults:
        end(" ".join(faults), UNREADABLE)
    logs.set_up(settings.log_level, as_json=settings.log_json)
    return settings
