"""The load benchmark on a small scale: nothing that was confirmed is lost when the server is killed in mid-game."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "load.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_server_has_kept_what_it_confirmed(tmp_path: Path) -> None:
    options = ["--players", "12", "--seconds", "4", "--wait", "0", "--sit-down", "8"]
    database = f"sqlite:///{tmp_path}/games.sqlite"
    done = subprocess.run(
        [sys.executable, str(LOAD), *options, "--database", database],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    row = re.search(r"^\| 12 \| (\d+) in .* \| 0 \|$", done.stdout, re.MULTILINE)
    assert row and int(row[1]) >= 12 * 3, done.stdout
