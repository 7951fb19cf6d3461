"""A private PostgreSQL cluster for the tests, from whatever PostgreSQL the machine has installed."""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg

REQUIRED = os.environ.get("CRENEL_TEST_POSTGRES") == "required"
"""Whether a machine without PostgreSQL fails the tests; otherwise they are skipped there."""
USER = "crenel"
PASSWORD = "pa@ss/wo:rd"
"""What must never be seen in a message; its characters have a meaning in a URL."""


def find_binaries() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``: the one in PATH, else Debian's newest."""
    found = shutil.which("initdb")
    if found is not None and (Path(found).parent / "pg_ctl").exists():
        return Path(found).parent
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0), default=None)


class Cluster:
    """A cluster of its own in a temporary folder, on a free port of the loopback.

    Args:
        binaries: The folder of ``initdb`` and ``pg_ctl``.
        fsync: Whether it waits for the disk; off is fast, and enough where no power fails.
    """

    def __init__(self, binaries: Path, *, fsync: bool = False) -> None:
        self._binaries = binaries
        self._folder = Path(tempfile.mkdtemp(prefix="crenel-postgres-"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # initdb refuses to run as root
            names = {entry.pw_name for entry in pwd.getpwall()}
            user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        password = self._folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run(
            *("initdb", "-D", self._data, "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync"),
            *("--auth=scram-sha-256", f"--pwfile={password}"),
        )
        with (Path(self._data) / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n"
                f"fsync = {'on' if fsync else 'off'}\nmax_connections = 50\nshared_buffers = 16MB\n"
            )
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _run(self, command: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._binaries / command), *arguments],
            check=True,
            cwd=self._folder,
            env={"PATH": os.environ.get("PATH", ""), "HOME": str(self._folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server inherits it: a pipe would never end
            stderr=subprocess.DEVNULL,
            timeout=120,
            **self._as,
        )

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", str(self._folder / "log"))

    def stop(self) -> None:
        """Stops the server at once; its clients lose their connections."""
        self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", self._data)

    def remove(self) -> None:
        """Stops the server for good and removes its files."""
        try:
            self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self._data)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        """A connection beside the program's, which commits each statement."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            password=PASSWORD,
            dbname=database,
            autocommit=True,
        )

    def new_database(self) -> str:
        """Makes an empty database and returns its URL."""
        name = f"test_{secrets.token_hex(6)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str, *, password: str = "pa%40ss%2Fwo%3Ard") -> str:
        """The URL of a database here."""
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{name}"
