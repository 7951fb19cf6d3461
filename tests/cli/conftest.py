"""Running the command line inside the test process and outside of it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from crenel.cli.main import main
from crenel.settings import load_settings
from tests.cli.hearing import Heard


@dataclass(frozen=True)
class Run:
    """What one run gave."""

    status: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one sentence on standard error."""
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        return self.err.rstrip("\n")


Runner = Callable[..., Run]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees, or touches, the games and settings of whoever runs it."""
    data = tmp_path / "data"
    monkeypatch.setenv("CRENEL_DATA", str(data))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("CRENEL_SETTINGS", "CRENEL_MAX_SECONDS", "CRENEL_MAX_STATES"):
        monkeypatch.delenv(name, raising=False)
    load_settings.cache_clear()
    return data


@pytest.fixture
def crenel(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Runs a command in this process; ``stdin`` is the text or the bytes of standard input."""

    def run(*words: str, stdin: str | bytes = "") -> Run:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        status = main(words)
        sys.stdout.flush()
        printed = capfd.readouterr()
        return Run(status, printed.out, printed.err)

    return run


@pytest.fixture
def cruel(tmp_path: Path) -> Heard:
    """A table with Cruel ms:1."""
    return Heard(tmp_path)


def outside(words: Sequence[str], stdin: str = "", **variables: str) -> Run:
    """Runs a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "crenel", *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | variables,
    )
    return Run(done.returncode, done.stdout, done.stderr)
