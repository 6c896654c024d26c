"""Settings, read from the environment or a ``.env`` file."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.service.servers.limits import Limit, Limits
from bot.store.address import folder_of
from engine import Record

_PAIR = r"^\d{1,6},\d{1,6}$"


class Schedule(Record, frozen=True):
    """How often a backup is made, in seconds, and how many are kept."""

    seconds: int
    kept: int


class Shard(Record, frozen=True):
    """One of the parts in which Discord sends what happens: its number from 0, and how many there are."""

    number: int
    count: int


class Settings(BaseSettings):
    """What the person who runs the program may set.

    ``DISCORD_TOKEN`` is the token of the bot; without it the local table
    opens. All others have the prefix ``STATIONMASTER_``.
    """

    model_config = SettingsConfigDict(env_prefix="STATIONMASTER_", env_file=".env", extra="ignore")

    token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    database: Annotated[str, BeforeValidator(str)] = Field(default="data/stationmaster.sqlite", repr=False)
    folder: Path | None = None
    backups: str = Field(default="24h,7", pattern=r"^(off|[1-9]\d{0,3}h,[1-9]\d{0,3})$")
    shard: str = Field(default="0/1", pattern=r"^\d{1,4}/[1-9]\d{0,3}$", validation_alias="STATIONMASTER_SHARDS")
    limit_tables: str = Field(default="20,200", pattern=_PAIR)
    limit_imports: str = Field(default="3,10", pattern=_PAIR)
    limit_pictures: str = Field(default="40,400", pattern=_PAIR)
    limit_searches: str = Field(default="60,600", pattern=_PAIR)
    mail_address: str = ""
    mail_plus: str = Field(default="+", max_length=1)
    mail_key: SecretStr = SecretStr("")
    mail_authserv: str = ""
    mail_trust: Literal["dmarc", "code"] = "dmarc"
    mail_lmtp: str = ""
    mail_web: str = Field(default="", pattern=r"^(https://[^\s<>]{1,200})?$")
    mail_web_listen: str = Field(default="127.0.0.1:8025", pattern=r"^[^\s:]*:\d{1,5}$")
    mail_poll: int = Field(default=60, ge=5, le=3600)
    mail_per_person: int = Field(default=40, ge=1)
    mail_per_day: int = Field(default=300, ge=1)
    mail_ca_file: str = ""
    mail_plain_hosts: str = ""
    smtp_host: str = ""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_user: str = ""
    smtp_password: SecretStr = SecretStr("")
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    imap_host: str = ""
    imap_port: int = Field(default=993, ge=1, le=65535)
    imap_user: str = ""
    imap_password: SecretStr = SecretStr("")
    imap_folder: str = "INBOX"
    imap_tls: Literal["tls", "starttls", "none"] = "tls"
    pictures: Path = Path("data/pictures")
    live_games: int = Field(default=256, ge=1)
    workers: int | None = Field(default=None, ge=1, le=64)
    log_level: str = "INFO"
    log_json: bool = False

    @property
    def home(self) -> Path:
        """The folder for what lies beside the store: boards, backups, the heartbeat."""
        return self.folder or folder_of(self.database)

    @field_validator("shard")
    @classmethod
    def _counted_from_nought(cls, shard: str) -> str:
        if int(shard.partition("/")[0]) >= int(shard.partition("/")[2]):
            raise ValueError("of two shards the first is 0/2, the second 1/2")
        return shard

    @property
    def shards(self) -> Shard:
        """Which of Discord's shards this process serves."""
        number, _, count = self.shard.partition("/")
        return Shard(int(number), int(count))

    @property
    def mails(self) -> bool:
        """Whether mails are served: there is an address, and a server that takes them."""
        return bool(self.mail_address and self.smtp_host)

    @property
    def limits(self) -> Limits:
        """How much one person, and one server, may ask for."""
        kinds = (self.limit_tables, self.limit_imports, self.limit_pictures, self.limit_searches)
        return Limits(*(Limit(*map(int, kind.split(","))) for kind in kinds))

    @property
    def schedule(self) -> Schedule | None:
        """When backups are made; ``None`` if the bot makes none."""
        if self.backups == "off":
            return None
        hours, _, kept = self.backups.partition("h,")
        return Schedule(int(hours) * 3600, int(kept))
