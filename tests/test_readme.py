"""README.md tells the truth: its commands exist, and its session is what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def session() -> list[tuple[str, str]]:
    """The commands of the session with what README says they print."""
    parts = re.split(r"^\$ (.*)\n", "".join(blocks("console")), flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def shell(line: str, folder: Path) -> str:
    """Standard output of a shell command that finds ``crenel`` where these tests run, with data of its own."""
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    environment = os.environ | {"PATH": path, "CRENEL_DATA": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(
        ["sh", "-c", line],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr  # 1 is the status of an unwinnable deal
    return done.stdout


def without_figures(text: str) -> str:
    """The text with N for every number of the lines on a search: a change of the solver may change those."""
    lines = text.splitlines(keepends=True)
    counts = re.compile(r"positions visited|were searched|moves between")
    return "".join(re.sub(r"\d[\d,.]*(?<=\d)", "N", line) if counts.search(line) else line for line in lines)


def matches(told: str, printed: str) -> bool:
    """Whether a command may print this where README says ``told``.

    ``…`` alone on a line stands for any lines, after some moves for any line of moves.
    """
    pattern = re.escape(without_figures(told))
    pattern = re.sub(r"^…\\\n", r"(?:.*\\n)*", pattern, flags=re.MULTILINE)
    pattern = re.sub(r"^.*…\\\n", r"[0-9hRx -]+\\n", pattern, flags=re.MULTILINE)
    return re.fullmatch(pattern, without_figures(printed)) is not None


def test_matching_can_fail() -> None:
    told = "a\n…\n1,234 positions visited, 0.1 s.\n7-h R …\n"
    assert matches(told, "a\nx\n\n7 positions visited, 12.34 s.\n1-2\n")
    assert not matches(told, "a\nx\n7 positions visited, 12 m.\n1-2\n")
    assert not matches(told, "b\n7 positions visited, 12 s.\n1-2\n")
    assert not matches(told, "a\n7 positions visited, 12 s.\nno line\n")
    assert not matches("pile 7\n", "pile 8\n")


@pytest.mark.parametrize(("line", "printed"), session(), ids=[line[:40] for line, _ in session()])
def test_session(line: str, printed: str, tmp_path: Path) -> None:
    shown = shell(line, tmp_path)
    assert matches(printed, shown), shown


def test_there_is_a_session() -> None:
    assert len(session()) >= 4


def test_commands_exist(tmp_path: Path) -> None:
    """The commands in the table are those that ``crenel --help`` lists, neither more nor fewer."""
    told = re.findall(r"^\| `crenel (\w+)", README, flags=re.MULTILINE)
    listing = shell("crenel --help", tmp_path).split("Commands:\n")[1]
    assert sorted(told) == sorted(re.findall(r"^  (\w+)", listing, flags=re.MULTILINE))


def test_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python")
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("winnable ")
