"""Settings, read from the environment or a ``.env`` file."""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict

from bot.model.errors import BotError
from bot.model.plain import make_printable
from bot.operations import logs
from bot.operations.cli import UNREADABLE, end_with
from bot.service.contacts import check_mailbox
from bot.service.servers import Limit, Limits
from bot.store.address import check_address, find_folder, hide_password, is_server
from engine import Record
from engine.words import join_words

_PAIR = r"^\d{1,6},\d{1,6}$"
MAX_PORT = 65535
_LISTEN = r"^[^\s:]*:\d{1,5}$"
_PAGES = r"^(off|https?://[^\s<>@?#]{1,200})?$"
_HOST = r"^([^\s/:@]*|[0-9a-fA-F:]*)$"
PREFIX = "STATIONMASTER_"
_OUR_VARIABLES = re.compile(r"station_?master")
MIN_LIKENESS = 0.9
"""How like one of ours a name is whose prefix is misspelled, as in STATINMASTER_DATABASE."""
_TOKEN_NAME = re.compile(r"(stationmaster|discord)\w*_token\w*", re.IGNORECASE)
_OF_KUBERNETES = re.compile(r"stationmaster_(service_(host|port\w*)|port(_\d+_(tcp|udp)\w*)?)")
"""What Kubernetes tells every container about a service of the name "stationmaster"."""
MASK = "***"
MAX_SHOWN_LETTERS = 200
_TOKEN = re.compile(r"[\w-]{22,30}\.[\w-]{5,8}\.[\w-]{25,}")
"""A bot's token as Discord makes it."""
_PASSWORD = re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)")
_RANDOM = re.compile(r"[A-Za-z0-9+_=-]{20,}")
_SWITCH = re.compile(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[a-z])[A-Z]")
MIN_SWITCHES = 5
"""Between digits, small and large letters: what is made by chance has more than the name of a file."""


def _upper(said: object) -> object:
    return said.upper() if isinstance(said, str) else said


_NEVER_EMPTY = ("folder", "pictures", "imap_folder", "mail_trust")
_SECRETS = ("token", "mail_key", "smtp_password", "imap_password")


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
    backups: str = Field(default="24h,7", pattern=r"^(off|[1-9]\d{0,3}h,[1-9]\d{0,3})$", examples=["24h,7", "off"])
    shard: str = Field(
        default="0/1", pattern=r"^\d{1,4}/[1-9]\d{0,3}$", examples=["0/2"], validation_alias="STATIONMASTER_SHARDS"
    )
    limit_tables: str = Field(default="20,200", pattern=_PAIR, examples=["20,200"])
    limit_imports: str = Field(default="3,10", pattern=_PAIR, examples=["3,10"])
    limit_pictures: str = Field(default="40,400", pattern=_PAIR, examples=["40,400"])
    limit_searches: str = Field(default="60,600", pattern=_PAIR, examples=["60,600"])
    mail_address: str = ""
    mail_plus: str = Field(default="+", max_length=1)
    mail_key: SecretStr = SecretStr("")
    mail_authserv: str = ""
    mail_trust: Literal["dmarc", "code"] = "dmarc"
    mail_lmtp: str = Field(
        default="", pattern=rf"^$|^/\S+$|{_LISTEN}", examples=["127.0.0.1:8024", "/run/stationmaster.sock"]
    )
    mail_web: str = Field(default="", pattern=r"^(https://[^\s<>@]{1,200})?$", examples=["https://games.example/mail"])
    mail_web_listen: str = Field(default="127.0.0.1:8025", pattern=_LISTEN, examples=["127.0.0.1:8025"])
    mail_poll: int = Field(default=60, ge=5, le=3600)
    mail_per_person: int = Field(default=40, ge=1)
    mail_per_day: int = Field(default=300, ge=1)
    mail_ca_file: str = ""
    mail_plain_hosts: str = ""
    smtp_host: str = Field(default="", pattern=_HOST, examples=["mail.games.example"])
    smtp_port: int = Field(default=587, ge=1, le=MAX_PORT)
    smtp_user: str = ""
    smtp_password: SecretStr = SecretStr("")
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    imap_host: str = Field(default="", pattern=_HOST, examples=["mail.games.example"])
    imap_port: int = Field(default=993, ge=1, le=MAX_PORT)
    imap_user: str = ""
    imap_password: SecretStr = SecretStr("")
    imap_folder: str = "INBOX"
    imap_tls: Literal["tls", "starttls", "none"] = "tls"
    web: str = Field(default="", pattern=_PAGES, examples=["https://trains.example", "off"])
    web_listen: str = Field(default="127.0.0.1:8026", pattern=_LISTEN, examples=["127.0.0.1:8026"])
    web_proxies: str = "127.0.0.1,::1"
    metrics_listen: str = Field(
        default="127.0.0.1:8027", pattern=rf"^off$|{_LISTEN}", examples=["127.0.0.1:8027", "off"]
    )
    pictures: Path = Path("data/pictures")
    live_games: int = Field(default=1024, ge=1)
    workers: int | None = Field(default=None, ge=1, le=64)
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = "INFO"
    log_json: bool = False

    @property
    def bot_token(self) -> str:
        """The token of the bot; empty if none is set."""
        return self.token.get_secret_value().strip() if self.token else ""

    @property
    def home(self) -> Path:
        """The folder for what lies beside the database: boards, backups, the heartbeat."""
        return self.folder or find_folder(self.database)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_blank(cls, value: object, info: ValidationInfo) -> object:
        """Refuse what is blank, holds what no one can see, or is a bot's token in the wrong place."""
        if not isinstance(value, str):
            return value
        said = value.strip()
        if not said and (value or info.field_name in _NEVER_EMPTY):
            raise ValueError("it's empty; leave the variable out for the default")
        if not said.isprintable() or (info.field_name == "token" and " " in said):
            raise ValueError("it contains a space or an invisible character")
        if info.field_name != "token" and _TOKEN.search(said):
            raise ValueError("it looks like a bot token, which belongs in DISCORD_TOKEN")
        return value if info.field_name in _SECRETS else said

    @field_validator("database")
    @classmethod
    def _check_database(cls, address: str) -> str:
        try:
            return check_address(address)
        except BotError as refusal:
            raise ValueError(refusal.sentence) from None

    @field_validator("mail_web_listen", "mail_lmtp", "web_listen", "metrics_listen")
    @classmethod
    def _check_port(cls, place: str) -> str:
        port = place.rpartition(":")[2]
        if port.isdecimal() and not 0 < int(port) <= MAX_PORT:
            raise ValueError(f"the port must be 1–{MAX_PORT}")
        return place

    @field_validator("mail_address")
    @classmethod
    def _check_address(cls, address: str) -> str:
        try:
            return check_mailbox(address) if address else ""
        except BotError:
            raise ValueError("it isn't an e-mail address such as turns@games.example") from None

    @model_validator(mode="after")
    def _check_mail(self) -> "Settings":
        """Refuse mails that are set by half: no one would be told that none go out."""
        servers = {"SMTP_HOST": self.smtp_host, "IMAP_HOST": self.imap_host, "MAIL_LMTP": self.mail_lmtp}
        if self.mail_address and not self.smtp_host:
            raise ValueError(
                "STATIONMASTER_MAIL_ADDRESS is set without STATIONMASTER_SMTP_HOST, which sends the e-mails."
            )
        for name in (name for name, value in servers.items() if value and not self.mail_address):
            raise ValueError(f"STATIONMASTER_{name} is set without STATIONMASTER_MAIL_ADDRESS, the bot's own address.")
        if self.imap_host and self.mail_lmtp:
            raise ValueError("STATIONMASTER_IMAP_HOST and STATIONMASTER_MAIL_LMTP are both set; set only one of them.")
        login = ["STATIONMASTER_SMTP_USER", "STATIONMASTER_SMTP_PASSWORD"]
        if bool(self.smtp_user) != bool(self.smtp_password.get_secret_value()):
            here, absent = login if self.smtp_user else login[::-1]
            raise ValueError(f"{here} is set without {absent}; set both or neither.")
        if self.imap_host and not (self.imap_user or self.smtp_user):
            raise ValueError("STATIONMASTER_IMAP_HOST is set without STATIONMASTER_IMAP_USER, the mailbox's login.")
        return self

    @field_validator("shard")
    @classmethod
    def _check_shard(cls, shard: str) -> str:
        if int(shard.partition("/")[0]) >= int(shard.partition("/")[2]):
            raise ValueError("shards count from 0: of two, the first is 0/2 and the second 1/2")
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
    def serves_pages(self) -> bool:
        """Whether tables have pages under an address that people reach."""
        return self.web not in ("", "off")

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


class InForce(Record, frozen=True):
    """A setting as it is in force: its variable, its value as it may be shown, and where that comes from."""

    variable: str
    value: str
    source: str


def list_variables() -> dict[str, str]:
    """Return the variable of each field of the settings."""
    return {
        field: str(info.validation_alias or f"{PREFIX}{field.upper()}") for field, info in Settings.model_fields.items()
    }


def find_misspelled() -> list[str]:
    """Return a sentence for each variable that looks like one of ours and is none, with the one that is like it."""
    names = {name.lower() for name in list_variables().values()}
    return [
        f"{name.upper()} ({source}) isn't a setting.{_suggest_variable(name)}"
        for source, variables in _list_sources().items()
        for name in sorted(variables)
        if name not in names and not _OF_KUBERNETES.fullmatch(name)
        if _OUR_VARIABLES.match(name)
        or _TOKEN_NAME.fullmatch(name)
        or difflib.get_close_matches(name, names, 1, MIN_LIKENESS)
        or (source == ".env" and f"{PREFIX}{name}".lower() in names)  # the prefix was forgotten
    ]


def _suggest_variable(name: str) -> str:
    if _TOKEN_NAME.fullmatch(name):
        return " Did you mean DISCORD_TOKEN?"
    variables = list_variables().values()
    whole = f"{PREFIX}{name}".upper()
    return _suggest(whole if whole in variables else name, variables)


def explain_errors(error: ValidationError) -> Iterator[str]:
    """Yield a sentence for each setting that cannot be; secrets, and addresses that may hold one, are not repeated."""
    fields = {variable: field for field, variable in list_variables().items()}
    for each in error.errors():
        why = each["msg"].removeprefix("Value error, ")
        if not each["loc"]:  # of several settings together, which the sentence names
            yield why
            continue
        field = fields.get(str(each["loc"][0]), str(each["loc"][0]))
        info, value = Settings.model_fields[field], str(each["input"])
        shown_setting = list_variables()[field]
        if info.repr and "Secret" not in str(info.annotation):
            shown_setting += f" “{_mask(value)}”"
        if each["type"] == "literal_error":
            choices = re.findall(r"'([^']*)'", each["ctx"]["expected"])
            yield f"{shown_setting} must be {join_words(choices, 'or')}.{_suggest(value, choices)}"
            continue
        if each["type"] == "string_pattern_mismatch":
            why = f"write it like {' or '.join(map(str, info.examples or ()))}"
        yield f"{shown_setting} is wrong: {why[:1].lower()}{why[1:].rstrip('.')}."


def list_in_force(settings: Settings) -> Iterator[InForce]:
    """Yield every setting that is in force; secrets are masked."""
    sources = _list_sources()
    for field, variable in list_variables().items():
        value = getattr(settings, field)
        source = next((where for where, names in sources.items() if variable.lower() in names), "default")
        yield InForce(variable, _format_shown(field, value), source)


def mask_words(settings: Settings, words: str) -> str:
    """Return words without the values of settings that are masked where those are listed."""
    for field in list_variables():
        value = str(getattr(settings, field))
        if (
            value
            and (masked := _format_shown(field, getattr(settings, field))) not in ("", value)
            and len(value) > len(MASK)
        ):
            words = words.replace(value, masked)
    return words


def _list_sources() -> dict[str, Mapping[str, str | None]]:
    """Return the variables there are, in lower case, by where they come from; the first counts."""
    return {"environment": EnvSettingsSource(Settings).env_vars, ".env": DotEnvSettingsSource(Settings).env_vars}


def _format_shown(field: str, value: object) -> str:
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if field == "database":
        return hide_password(str(value)) if is_server(str(value)) else _mask(str(value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else _mask(str(value))


def _mask(value: str) -> str:
    """Return a value without what may be a secret that was set in the wrong place, and not longer than a line."""
    value = _TOKEN.sub(MASK, _PASSWORD.sub(MASK, value))
    value = _RANDOM.sub(lambda found: MASK if len(_SWITCH.findall(found[0])) >= MIN_SWITCHES else found[0], value)
    value = make_printable(value)
    return value if len(value) <= MAX_SHOWN_LETTERS else f"{value[:MAX_SHOWN_LETTERS]}…"


def _suggest(said: str, names: Collection[str]) -> str:
    """Return the question whether a name was meant that is like what was said; empty if none is."""
    like = difflib.get_close_matches(said.upper(), [name.upper() for name in names], 1)
    return f" Did you mean {next(name for name in names if name.upper() == like[0])}?" if like else ""


def add_to_file(settings: Settings, wanted: Mapping[str, str], file: Path) -> str:
    """Add fields that are set nowhere yet to a file of settings; return what was done, or is left to do.

    A line that is there stays as it is, and where there is no file, none is made.
    """
    sources, told = _list_sources(), list[str]()
    for field, value in wanted.items():
        variable = list_variables()[field]
        source = next((where for where, names in sources.items() if variable.lower() in names), "")
        if str(getattr(settings, field)) == value:
            continue
        if source or not file.is_file():
            said = f"{'change' if source else 'set'} {variable} to {value or 'nothing'}"
            told.append(f"{said} ({source})" if source else said)
            continue
        text = file.read_text(encoding="utf-8")
        with file.open("a", encoding="utf-8") as added:
            added.write(f"{'' if text.endswith(chr(10)) or not text else chr(10)}{variable}={value}\n")
        told.append(f"added {variable}={value} to {file}")
    return "; ".join(told) or "nothing needs to be changed"


def load_settings() -> Settings:
    """Return the settings; a wrong or unknown one ends the command with the name of its variable."""
    try:
        faults = find_misspelled()
        settings = Settings()
    except ValidationError as error:
        end_with(" ".join([*faults, *explain_errors(error)]), UNREADABLE)
    except (OSError, ValueError) as error:  # what stands in the file is no text, or it may not be read
        end_with(f"The settings in .env can't be read: {error}.", UNREADABLE)
    if faults:
        end_with(" ".join(faults), UNREADABLE)
    logs.set_up(settings.log_level, as_json=settings.log_json)
    return settings
