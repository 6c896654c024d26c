"""Settings: misspelled and impossible ones stop the start by name, each is documented once, secrets are never shown."""

import ast
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.operations import settings
from bot.operations.cli import MODULES, app
from bot.operations.settings import Settings

ROOT = Path(__file__).parents[2]
STARTING = (
    ["run"],
    ["migrate"],
    ["doctor"],
    ["health"],
    ["check"],
    ["mail", "new", "1860", "--to", "a@b.example"],
    ["mail", "invite", "1", "a@b.example"],
    ["tables"],
    ["servers"],
    ["league"],
    ["person", "1"],
    ["forget", "--user", "1"],
    ["export", "1"],
    ["album", "1"],
    ["backup", "copy.sqlite"],
    ["restore", "copy.sqlite"],
    ["selfplay", "1860"],
)
"""Every command that reads settings."""


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for variable in settings.list_variables().values():
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), input="/quit\n")


TOKEN = "s3cretMTA0NTkzODQ1NjQ1M.GaBcDe.s3cretXyZ0123456789abcdefghijklm"
WRONG = {
    "$DATBASE=x": "$DATBASE (environment) isn't a setting. Did you mean $DATABASE?",
    "STATION_MASTER_FOLDER=x": "STATION_MASTER_FOLDER (environment) isn't a setting. Did you mean $FOLDER?",
    "STATINMASTER_DATABASE=x": "STATINMASTER_DATABASE (environment) isn't a setting. Did you mean $DATABASE?",
    "DISCORD_TOKN=s3cret": "DISCORD_TOKN (environment) isn't a setting. Did you mean DISCORD_TOKEN?",
    "$LOG_LEVEL=LOUD": "$LOG_LEVEL “LOUD” must be DEBUG, INFO, WARNING or ERROR.",
    "$LOG_LEVEL=warn": "$LOG_LEVEL “WARN” must be DEBUG, INFO, WARNING or ERROR. Did you mean WARNING?",
    "$LOG_JSON=perhaps": "$LOG_JSON “perhaps” is wrong: ",
    "$MAIL_ADDRESS=turns@games.example": "$MAIL_ADDRESS is set without $SMTP_HOST, which sends the e-mails.",
    "$SMTP_HOST=mail.example": "$SMTP_HOST is set without $MAIL_ADDRESS",
    "$MAIL_ADDRESS=foo": "$MAIL_ADDRESS “foo” is wrong: it isn't an e-mail address",
    "$SMTP_HOST=smtp://mail.example": "$SMTP_HOST “smtp://mail.example” is wrong: write it like",
    "$SMTP_PORT=70000": "$SMTP_PORT “70000” is wrong: ",
    "$SMTP_TLS=startls": "must be starttls, tls or none. Did you mean starttls?",
    "$MAIL_WEB_LISTEN=127.0.0.1:80250": "$MAIL_WEB_LISTEN “127.0.0.1:80250” is wrong: the port must be 1–65535.",
    "$DATABASE=mysql://bot:s3cret@db/x": "$DATABASE is wrong: the database is a file or on PostgreSQL, not “mysql:”",
    "$DATABASE=postgresql:bot:s3cret@db/x": "$DATABASE is wrong: ",
    "$DATABASE=postgresql://bot:s3cret@db": "$DATABASE is wrong: the address doesn't name a database",
    "$DATABASE=postgresql://bot:s3cret@db:port/x": "$DATABASE is wrong: ",
    "$DATABASE=": "$DATABASE is wrong: it's empty",
    "$SHARDS=2/2": "$SHARDS “2/2” is wrong: shards count from 0: of two, the first is 0/2",
    "$LIMIT_TABLES=20": "$LIMIT_TABLES “20” is wrong: write it like 20,200.",
    "$WORKERS=0": "$WORKERS “0” is wrong: ",
    "$FOLDER=": "$FOLDER “” is wrong: it's empty; leave the variable out for the default.",
    "$FOLDER=  ": "is wrong: it's empty",
    "$PICTURES=": "$PICTURES “” is wrong: it's empty",
    "$IMAP_FOLDER=": "$IMAP_FOLDER “” is wrong: it's empty",
    "$IMAP_FOLDER=\t": "is wrong: it's empty",
    "$IMAP_FOLDER=IN\nBOX": "is wrong: it contains a space or an invisible character.",
    "$DATABASE=   ": "$DATABASE is wrong: it's empty",
    "$SMTP_PASSWORD= ": "$SMTP_PASSWORD is wrong: it's empty",
    "DISCORD_TOKEN=   ": "DISCORD_TOKEN is wrong: it's empty",
    "DISCORD_TOKEN=Bot s3cret": "DISCORD_TOKEN is wrong: it contains a space",
    "$TOKEN=s3cret": "$TOKEN (environment) isn't a setting. Did you mean DISCORD_TOKEN?",
    "DISCORD_BOT_TOKEN=s3cret": "DISCORD_BOT_TOKEN (environment) isn't a setting. Did you mean DISCORD_TOKEN?",
    "DISCORD_TOKEN_FILE=/s3cret": "DISCORD_TOKEN_FILE (environment) isn't a setting. Did you mean DISCORD_TOKEN?",
    "$MAIL_ADDRESS=a@b.example\n$SMTP_HOST=x\n$IMAP_HOST=x\n$IMAP_USER=a\n$MAIL_LMTP=:24": (
        "$IMAP_HOST and $MAIL_LMTP are both set"
    ),
    "$MAIL_ADDRESS=a@b.example\n$SMTP_HOST=x\n$IMAP_HOST=x": "$IMAP_HOST is set without $IMAP_USER",
    "$SMTP_USER=ann": "$SMTP_USER is set without $SMTP_PASSWORD; set both or neither.",
    "$MAIL_WEB=https://ann:s3cret@games.example": "$MAIL_WEB “https://***@games.example” is wrong: write it like",
    "$SMTP_HOST=https://ann:s3cret@mail.example": "$SMTP_HOST “https://***@mail.example” is wrong: ",
    "$LOG_LEVEL=s3cretA1b2C3d4E5f6G7h8": "$LOG_LEVEL “***” must be DEBUG, INFO",
    f"$LOG_LEVEL={TOKEN}": "$LOG_LEVEL “***” is wrong: it looks like a bot token, which belongs in",
    f"$MAIL_ADDRESS={TOKEN}": "$MAIL_ADDRESS “***” is wrong: it looks like a bot token",
    f"$DATABASE={TOKEN}": "$DATABASE is wrong: it looks like a bot token",
    "$DATABASE=S3cretA1b2C3d4E5f6G7h8s3cret:x": "$DATABASE is wrong: the database is a file or on PostgreSQL; ",
}
"""Lines of the environment, and what is said of them; $ stands for the prefix."""


@pytest.mark.parametrize("line", WRONG)
def test_an_impossible_setting_is_refused_with_the_name_of_its_variable(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in [line] if "IN\nBOX" in line else line.split("\n"):
        monkeypatch.setenv(*each.replace("$", settings.PREFIX).split("=", 1))
    result = run("run")
    assert result.exit_code == 2
    assert WRONG[line].replace("$", settings.PREFIX) in result.stderr
    assert result.stderr.count("\n") == 1
    assert "s3cret" not in result.stderr
    assert list(Path().iterdir()) == [], "nothing was made"


@pytest.mark.parametrize("words", STARTING, ids=" ".join)
def test_every_command_refuses_a_misspelled_variable(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert {each[0] for each in STARTING} == {"run", *MODULES} - {"replay", "bench"}, "which read no settings"
    monkeypatch.setenv("STATIONMASTER_DATBASE", "x")
    result = run(*words)
    assert result.exit_code == 2
    assert "Did you mean STATIONMASTER_DATABASE?" in result.stderr


def test_a_file_env_is_read_as_strictly_and_all_errors_are_reported_at_once() -> None:
    """What stands there for others, as for the database's own container, is left alone."""
    Path(".env").write_text("POSTGRES_PASSWORD=x\nSTATIONMASTER_LOGLEVEL=DEBUG\nSTATIONMASTER_SHARDS=1\n")
    result = run("run")
    assert result.exit_code == 2
    assert result.stderr == (
        "STATIONMASTER_LOGLEVEL (.env) isn't a setting. Did you mean STATIONMASTER_LOG_LEVEL? "
        "STATIONMASTER_SHARDS “1” is wrong: write it like 0/2.\n"
    )
    Path(".env").write_text("POSTGRES_PASSWORD=x\nstationmaster_log_level=debug\n")
    assert run("run").exit_code == 0
    Path(".env").write_bytes(b"STATIONMASTER_FOLDER=\xff\xfe\n")
    assert run("run").stderr.startswith("The settings in .env can't be read: ")


def test_prefix_that_was_forgotten_in_the_file_env_is_named() -> None:
    """The environment holds what other programs set; the file is for this one and its database."""
    Path(".env").write_text("MAIL_ADDRESS=turns@games.example\n")
    assert run("run").stderr == ("MAIL_ADDRESS (.env) isn't a setting. Did you mean STATIONMASTER_MAIL_ADDRESS?\n")


def test_every_slip_of_one_letter_in_a_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter left out, doubled, wrong, or two swapped, the prefix included."""
    known = set(settings.list_variables().values())
    for name in ("DISCORD_TOKEN", "STATIONMASTER_DATABASE", "STATIONMASTER_IMAP_TLS", "STATIONMASTER_MAIL_WEB_LISTEN"):
        slips = {name[:at] + name[at + 1 :] for at in range(len(name))}
        slips |= {name[:at] + name[at] + name[at:] for at in range(len(name))}
        slips |= {f"{name[:at]}X{name[at + 1 :]}" for at in range(len(name))}
        slips |= {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1)}
        for slip in sorted(slips - known):
            monkeypatch.setattr(settings, "_list_sources", lambda slip=slip: {"environment": {slip.lower(): "x"}})
            (told,) = settings.find_misspelled()
            assert told.endswith(f"Did you mean {name}?"), slip


def test_secret_in_a_variable_that_is_none_is_masked_by_the_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is refused wherever it is no token; what is long and random, and a password in a URL, is not shown."""
    long = "Zm9vYmFyMTIzNDU2Nzg5MGFiY2Q"
    for variable in ("SMTP_USER", "MAIL_AUTHSERV", "MAIL_PLAIN_HOSTS", "IMAP_FOLDER", "MAIL_CA_FILE", "PICTURES"):
        with monkeypatch.context() as patch:
            patch.setenv(f"STATIONMASTER_{variable}", long)
            patch.setenv("STATIONMASTER_SMTP_PASSWORD", "x" if variable == "SMTP_USER" else "")
            told = run("doctor")
            assert f"STATIONMASTER_{variable}=***  (environment)" in told.stdout, told.output
            assert long not in told.output
    monkeypatch.setenv("STATIONMASTER_MAIL_AUTHSERV", "https://ann:s3cret@mx.example")
    assert "STATIONMASTER_MAIL_AUTHSERV=https://***@mx.example" in run("doctor").stdout


def test_variables_of_kubernetes_services_are_no_misspelled_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_WEB", "PORT", "PORT_8025_TCP", "PORT_8025_TCP_ADDR"):
        monkeypatch.setenv(f"STATIONMASTER_{name}", "10.0.0.1")
    assert settings.find_misspelled() == []


def test_the_doctor_shows_every_setting_in_force_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {"DISCORD_TOKEN": "t0ken", "STATIONMASTER_MAIL_KEY": "k3y", "STATIONMASTER_SMTP_PASSWORD": "pa55"}
    for variable, value in secrets.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("STATIONMASTER_SMTP_USER", "ann")
    monkeypatch.setenv("STATIONMASTER_DATABASE", "postgresql://bot:s3cret@127.0.0.1:1/x?sslpassword=s3cret")
    Path(".env").write_text("STATIONMASTER_LIMIT_TABLES=1,2\nSTATIONMASTER_IMAP_PASSWORD=1map\n")
    told = run("doctor").stdout
    lines = told.splitlines()
    for line in (
        "DISCORD_TOKEN=***  (environment)",
        "STATIONMASTER_DATABASE=postgresql://bot:***@127.0.0.1:1/x  (environment)",
        "STATIONMASTER_LIMIT_TABLES=1,2  (.env)",
        "STATIONMASTER_IMAP_PASSWORD=***  (.env)",
        "STATIONMASTER_LOG_JSON=false  (default)",
        "STATIONMASTER_LIVE_GAMES=1024  (default)",
        "ok  token: DISCORD_TOKEN is set; “stationmaster run” starts the bot",
    ):
        assert line in lines
    assert {line.partition("=")[0] for line in lines if "=" in line} >= set(settings.list_variables().values())
    assert not [secret for secret in ("t0ken", "k3y", "pa55", "1map", "s3cret") if secret in told]
    monkeypatch.delenv("DISCORD_TOKEN")
    told = run("doctor").stdout
    assert "ok  token: DISCORD_TOKEN isn't set; “stationmaster run” opens the local table" in told
    assert "DISCORD_TOKEN=  (default)" in told


def test_every_setting_is_documented_once_with_its_default() -> None:
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| .+ \| (?:`(.*)` )?\|$", (ROOT / "docs" / "hosting.md").read_text(), re.MULTILINE
    )
    defaults = {each.variable: each.value for each in settings.list_in_force(Settings(_env_file=None))}  # type: ignore[call-arg]
    assert sorted(variable for variable, _ in rows) == sorted(defaults)
    assert dict(rows) == defaults


def test_no_other_setting_is_mentioned_anywhere() -> None:
    names = set(settings.list_variables().values())
    documents = [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")) if path.stem != "CHANGELOG"]
    others = [ROOT / name for name in ("compose.yaml", "Dockerfile", "Makefile")]
    for file in (*documents, *others, *(ROOT / "bot").rglob("*.py")):
        for variable, more in re.findall(r"\b(STATIONMASTER_[A-Z_]*[A-Z])(_?…)?", file.read_text()):
            assert variable in names or (more and any(each.startswith(variable) for each in names)), (file, variable)


def test_no_message_names_a_file_that_is_not_installed() -> None:
    """A page of the manual is named by where it is: it's installed with the program."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for file in (ROOT / "bot").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text())))
        docs = [ast.get_docstring(each, clean=False) for each in nodes if isinstance(each, documented)]
        texts = [each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        for text in texts:
            absent = re.search(r"\b(README|CONTRIBUTING|CHANGELOG)\b|\bdocs/|\.md\b", text)
            assert text in docs or not absent or (ROOT / "docs" / text).is_file(), (file, text)


def test_the_settings_have_no_field_without_a_variable_of_ours() -> None:
    assert all(name.startswith(settings.PREFIX) for name in set(settings.list_variables().values()) - {"DISCORD_TOKEN"})
    assert len(set(settings.list_variables().values())) == len(Settings.model_fields)
