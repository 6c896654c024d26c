"""The variables that settings come from: which are known, what is in force, and what is wrong, in words."""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping

from pydantic import SecretStr, ValidationError
from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from bot.operations.settings import Settings
from bot.store.address import shown
from engine import Record

PREFIX = "STATIONMASTER_"
_OURS = re.compile(r"station_?master")
_OF_KUBERNETES = re.compile(r"stationmaster_(service_(host|port\w*)|port(_\d+_(tcp|udp)\w*)?)")
"""What Kubernetes tells every container about a service of the name "stationmaster"."""
MASK = "***"


class InForce(Record, frozen=True):
    """A setting as it is in force: its variable, its value as it may be shown, and where that comes from."""

    variable: str
    value: str
    source: str


def known() -> dict[str, str]:
    """Return the variable of each field of the settings."""
    return {
        field: str(info.validation_alias or f"{PREFIX}{field.upper()}") for field, info in Settings.model_fields.items()
    }


def misspelled() -> list[str]:
    """Return a sentence for each variable that looks like one of ours and is none, with the one that is like it."""
    names = {name.lower() for name in known().values()}
    return [
        f"{name.upper()} ({source}) is not a setting.{_suggested(name, known().values())}"
        for source, variables in _sources().items()
        for name in sorted(variables)
        if _OURS.match(name) and name not in names and not _OF_KUBERNETES.fullmatch(name)
    ]


def wrong(error: ValidationError) -> Iterator[str]:
    """Yield a sentence for each setting that cannot be; secrets, and addresses that may hold one, are not repeated."""
    fields = {variable: field for field, variable in known().items()}
    for each in error.errors():
        why = each["msg"].removeprefix("Value error, ")
        if not each["loc"]:  # of several settings together, which the sentence names
            yield why
            continue
        field = fields.get(str(each["loc"][0]), str(each["loc"][0]))
        info, value = Settings.model_fields[field], str(each["input"])[:40]
        said = known()[field]
        if info.repr and "Secret" not in str(info.annotation):
            said += f" “{value}”"
        if each["type"] == "literal_error":
            choices = re.findall(r"'([^']*)'", each["ctx"]["expected"])
            yield f"{said} is none of {', '.join(choices)}.{_suggested(value, choices)}"
            continue
        if each["type"] == "string_pattern_mismatch":
            why = f"write it like {' or '.join(map(str, info.examples or ()))}"
        yield f"{said} is wrong: {why[:1].lower()}{why[1:].rstrip('.')}."


def in_force(settings: Settings) -> Iterator[InForce]:
    """Yield every setting that is in force; secrets are masked."""
    sources = _sources()
    for field, variable in known().items():
        value = getattr(settings, field)
        source = next((where for where, names in sources.items() if variable.lower() in names), "default")
        yield InForce(variable, _shown(field, value), source)


def _sources() -> dict[str, Mapping[str, str | None]]:
    """Return the variables there are, in lower case, by where they come from; the first counts."""
    return {"environment": EnvSettingsSource(Settings).env_vars, ".env": DotEnvSettingsSource(Settings).env_vars}


def _shown(field: str, value: object) -> str:
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if field == "database":
        return shown(str(value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _suggested(said: str, names: Collection[str]) -> str:
    """Return the question whether a name was meant that is like what was said; empty if none is."""
    like = difflib.get_close_matches(said.upper(), [name.upper() for name in names], 1)
    return f" Did you mean {next(name for name in names if name.upper() == like[0])}?" if like else ""
