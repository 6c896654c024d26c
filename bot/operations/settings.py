"""Settings, read from the environment or a ``.env`` file."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What the person who runs the program may set.

    ``DISCORD_TOKEN`` is the token of the bot; without it the local table
    opens. All others have the prefix ``STATIONMASTER_``.
    """

    model_config = SettingsConfigDict(env_prefix="STATIONMASTER_", env_file=".env", extra="ignore")

    token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    database: Path = Path("data/stationmaster.sqlite")
    pictures: Path = Path("data/pictures")
    live_games: int = Field(default=64, ge=1)
    log_level: str = "INFO"
    log_json: bool = False
