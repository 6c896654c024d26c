"""Debian's Dovecot as an ordinary process of a test: brings mails by LMTP, shows them by IMAP."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.mail.servers import Imap

PROGRAM = shutil.which("dovecot") or "/usr/sbin/dovecot"
IS_THERE = Path(PROGRAM).exists() and all(
    Path(f"/usr/lib/dovecot/{each}").exists() for each in ("imap", "imap-login", "lmtp")
)
SETTINGS = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap lmtp
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 0
first_valid_gid = 0
mail_uid = {user}
mail_gid = {group}
postmaster_address = postmaster@games.example
recipient_delimiter = +
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""


@contextmanager
def dovecot(imap: int, lmtp: int) -> Iterator[Imap]:
    """Run a server on two ports of the loopback; any name may log in.

    As root it keeps mails as no one, which it insists on; else as whoever runs the tests.
    """
    is_root = os.getuid() == 0
    user = "nobody" if is_root else subprocess.check_output(["id", "-un"], text=True).strip()
    group = "nogroup" if is_root else subprocess.check_output(["id", "-gn"], text=True).strip()
    with tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        for each, mode in (("run", 0o755), ("mail", 0o777)):
            (folder / each).mkdir()
            (folder / each).chmod(mode)
        settings = SETTINGS.format(folder=folder, user=user, group=group, imap=imap, lmtp=lmtp)
        (folder / "dovecot.conf").write_text(settings, "utf-8")
        process = subprocess.Popen([PROGRAM, "-F", "-c", str(folder / "dovecot.conf")])
        try:
            for port in (imap, lmtp):
                _until_open(port)
            yield Imap("127.0.0.1", imap, "turns@games.example", "secret", tls="none", poll=600)
        finally:
            process.terminate()
            process.wait(30)


def _until_open(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
