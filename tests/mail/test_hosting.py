"""Without any chat: a table opened from the command line beside a program that runs, and played to and fro."""

import asyncio
import re
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from bot.operations import backup
from bot.operations.cli import app
from bot.operations.doctor import check_health
from bot.operations.serve import serve, serve_beside_terminal
from bot.operations.settings import Settings
from bot.service.contacts import Contacts
from bot.service.workers.pool import Workers
from tests.mail.conftest import ONE, POST, PROVEN, TWO, Begun, Mails
from tests.mail.letters import text_part
from tests.mail.mailboxes import Mailbox, serve_mailbox
from tests.mail.test_servers import Taker, came, taker
from tests.support.settings import BareSettings

__all__ = ["taker"]


def run_command(store: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """Type a command of the program; return what it says."""
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(store))
    monkeypatch.setenv("STATIONMASTER_MAIL_ADDRESS", POST.address)
    monkeypatch.setenv("STATIONMASTER_SMTP_HOST", "127.0.0.1")
    done = CliRunner().invoke(app, ["mail", *words])
    assert done.exit_code == 0, done.output
    return done.output


async def test_a_table_is_opened_from_the_command_line_beside_a_running_bot(
    mails: Mails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is shared: the invitations go out by the program that runs; one more is asked later."""
    store = tmp_path / "store.sqlite"
    said = await asyncio.to_thread(
        run_command, store, monkeypatch, "new", "1860", "--to", f"Ann <{ONE}>", "--to", TWO, "--name", "Isle"
    )
    assert "Game 1, “Isle”: 2 players invited" in said
    assert sorted(to for to, _ in await mails.send_all()) == [ONE, TWO]
    told = text_part(mails.last(ONE))
    assert "You're invited to “Isle” (1860" in told
    assert "2 players; no one has joined yet." in told
    html = mails.last(ONE).get_body(("html",))
    assert html is not None
    assert re.search(r'href="mailto:turns%2B1\.[^"]+body=yes"', html.get_content()), "a yes at a touch"
    assert "1 more player has accepted" in await mails.answer(ONE, "yes")
    assert (await mails.services.lobby.get_table(1)).names == ("Ann",)
    await mails.answer(TWO, "Yes please, thanks!")
    assert any("the game begins" in text_part(mail) for to, mail in mails.out if to == TWO)


async def test_a_bot_without_any_token_serves_mails_makes_backups_and_is_healthy(
    tmp_path: Path, fresh_store: Path, taker: tuple[Taker, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `run` does without DISCORD_TOKEN: invitations out by SMTP, yes in by IMAP, the first turn out."""
    kept, smtp = taker
    store = tmp_path / "store.sqlite"
    store.write_bytes(fresh_store.read_bytes())
    await asyncio.to_thread(run_command, store, monkeypatch, "new", "1860", "--to", ONE, "--to", TWO)
    box = Mailbox()
    async with serve_mailbox(box) as imap:
        settings = BareSettings(
            database=str(store), folder=tmp_path, mail_address=POST.address, mail_authserv="mx.games.example",
            mail_key=SecretStr("k"), smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_tls="none",  # type: ignore[attr-defined]
            imap_host=imap.host, imap_port=imap.port, imap_tls="none", imap_user="ann", imap_password=SecretStr("x"),
            metrics_listen="off",
        )  # fmt: skip
        assert settings.mails
        monkeypatch.setattr(Contacts, "served", False, raising=False)
        running = asyncio.create_task(serve(settings, "", Workers.in_threads()))
        try:
            await came(kept, 2)
            for number, (to, mail) in enumerate(list(kept.mails), 1):
                head = f"From: {to}\nTo: {mail['Reply-To']}\nSubject: Re: x\nMessage-ID: <{number}@home.example>\n"
                box.put(number, (PROVEN.format(domain="home.example") + head + "\nyes\n").encode())
            for count in range(3, 6):
                if any("A  Bid" in text_part(mail) for _, mail in kept.mails):
                    break
                await came(kept, count)
            assert (await check_health(settings)).well
            async with asyncio.timeout(30):
                while backup.find_newest(tmp_path) is None:
                    await asyncio.sleep(0.01)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        assert not (await check_health(settings)).well, "it took its heartbeat with it"
    assert any("your turn" in str(mail["Subject"]) and "A  Bid" in text_part(mail) for _, mail in kept.mails[2:])


async def test_a_bot_beside_the_local_table_is_healthy_and_makes_backups(begun: Begun, tmp_path: Path) -> None:
    settings = BareSettings(
        database=str(tmp_path / "store.sqlite"), folder=tmp_path, mail_address=POST.address, smtp_host="127.0.0.1"
    )
    async with serve_beside_terminal(begun.mails.services, settings):
        async with asyncio.timeout(30):
            while backup.find_newest(tmp_path) is None:
                await asyncio.sleep(0.01)
        assert (await check_health(settings)).well
    assert not (await check_health(settings)).well


def test_without_a_terminal_the_program_serves_mails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under Docker or systemd no one types; the local table stays closed."""
    served: list[str] = []

    async def note(settings: Settings, token: str) -> None:
        served.append(f"{settings.mail_address} {token!r}")

    monkeypatch.setattr("bot.operations.serve.serve", note)
    for name, value in (("MAIL_ADDRESS", POST.address), ("SMTP_HOST", "127.0.0.1"), ("DATABASE", str(tmp_path / "s"))):
        monkeypatch.setenv(f"STATIONMASTER_{name}", value)
    done = CliRunner().invoke(app, ["run"])
    assert (done.exit_code, done.output, served) == (0, "", [f"{POST.address} ''"])
