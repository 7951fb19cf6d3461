"""The house rules that no other tool checks: what the floors may know, names, sizes, and what is said about them."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path

import pytest

import crenel

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "crenel"
LONGEST_FILE = 550
TEXT_FOLDERS = (".ci", "benchmarks", "docs", "scripts", "src", "tests")
CODE = {".py", ".sh", ".js", ".mjs", ".css", ".html", ""}


def project_files() -> Iterator[Path]:
    """All files of the project that are text; whatever a tool or an editor left is skipped."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in TEXT_FOLDERS:
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in sorted(files):
        if {"__pycache__", ".mypy_cache", ".ruff_cache"} & {*path.parts} or path.suffix in {".png", ".gz"}:
            continue
        yield path


def named(path: Path) -> str:
    """A file as it is called inside the project."""
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere, those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}:{node.lineno} has a relative import"
            yield node.module or ""


def project() -> dict[str, object]:
    """The table [project] of pyproject.toml."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table = data["project"]
    assert isinstance(table, dict)
    return table


def test_the_walk_finds_the_project() -> None:
    found = {named(path) for path in project_files()}
    assert {"pyproject.toml", "scripts/_venv.sh", ".ci/run", "src/crenel/rules/games/cruel.toml"} <= found


@pytest.mark.parametrize("path", sorted((SOURCE / "rules").rglob("*.py")), ids=lambda path: path.name)
def test_rules_use_the_standard_library_only(path: Path) -> None:
    for module in imports(path):
        top = module.split(".")[0]
        allowed = (
            top in sys.stdlib_module_names or module == "crenel.rules" or module.startswith("crenel.rules.")
        )
        assert allowed, f"{named(path)} imports {module}"


def test_only_the_jit_module_names_numba() -> None:
    naming = [
        named(path) for path in SOURCE.rglob("*.py") if any(m.split(".")[0] == "numba" for m in imports(path))
    ]
    assert naming == ["src/crenel/solver/_jit.py"]


def test_all_is_sorted_and_without_repeats() -> None:
    assert crenel.__all__ == sorted(set(crenel.__all__))


def test_all_is_the_public_surface() -> None:
    """Each name of ``__all__`` is there, and nothing of the project's own is public without standing in it."""
    for name in crenel.__all__:
        assert getattr(crenel, name) is not None
    own = {
        name
        for name, value in vars(crenel).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and str(getattr(value, "__module__", type(value).__module__)).startswith("crenel")
    }
    assert own <= set(crenel.__all__)


def test_the_promised_names_are_public() -> None:
    """The Python interface that users' scripts rest on; names may be added here, never taken away."""
    promised = {
        *("Game", "Limit", "Move", "Position", "Result", "UnknownGame", "Verdict"),
        *(
            "deal",
            "find_game",
            "format_board",
            "format_moves",
            "parse_board",
            "parse_move",
            "solve",
            "solve_many",
        ),
    }
    assert promised <= set(crenel.__all__)


def test_what_is_public_is_described() -> None:
    for name in crenel.__all__:
        value = getattr(crenel, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), f"crenel.{name} has no docstring"


@pytest.mark.parametrize("floor", ["rules", "play", "cli"])
def test_the_words_for_cards_and_piles(floor: str) -> None:
    """A pile is a pile: one word for one thing wherever a reader of the rules or of the table looks."""
    banned = {"stack", "stacks", "column", "columns", "slot", "cell", "cells"}
    wrong = []
    for path in sorted((SOURCE / floor).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "name", None) or getattr(node, "arg", None) or getattr(node, "id", None)
            stored = not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store)
            if isinstance(name, str) and stored and not isinstance(node, ast.keyword):
                words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
                if words & banned:
                    wrong.append(f"{named(path)}:{getattr(node, 'lineno', '?')} {name}")
    assert not wrong


def test_no_file_is_too_long() -> None:
    lengths = {
        named(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in project_files()
        if path.suffix in CODE
    }
    assert len(lengths) > 30
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_path_of_a_machine_is_written_down() -> None:
    """Folders that exist on one machine only. The pattern is put together so that this file passes."""
    folders = "|".join(("wo" + "rk", "ro" + "ot", "tm" + "p/w", "home/" + r"\w+", "Users/" + r"\w+"))
    pattern = re.compile(rf"(?<![\w.$}}/])/(?:{folders})(?:/|\b)")
    found = []
    for path in project_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{named(path)}: {match.group()}" for match in pattern.finditer(text)]
    assert not found


def test_constraints_are_names_and_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 40
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    extras = project()["optional-dependencies"]
    needed = project()["dependencies"]
    assert isinstance(extras, dict)
    assert isinstance(needed, list)
    for requirement in [*needed, *(entry for extra in extras.values() for entry in extra)]:
        name = re.split(r"[\[<>=!~ ]", requirement)[0].lower().replace("_", "-")
        assert name in pinned | {"crenel"}, f"{name} is not in constraints.txt"


def test_all_extras_but_dev() -> None:
    extras = project()["optional-dependencies"]
    assert isinstance(extras, dict)
    match = re.fullmatch(r"crenel\[([a-z,]+)\]", extras["all"][0])
    assert match
    assert set(match.group(1).split(",")) == set(extras) - {"all", "dev"}


def test_changelog() -> None:
    """Keep a Changelog: what comes next stands first, then the versions; only the known headings."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert versions[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", version) for version in versions[1:])
    kinds = set(re.findall(r"^### (.*)$", text, flags=re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_one_version() -> None:
    assert project()["version"] == crenel.__version__ == metadata("crenel")["Version"]


def test_links_between_documents() -> None:
    for path in project_files():
        if path.suffix == ".md":
            text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)#\s]+)", text):
                if "://" not in target and not target.startswith("mailto:"):
                    assert (path.parent / target).exists(), (
                        f"{named(path)} points to {target}, which is not there"
                    )


@pytest.mark.parametrize("name", ["play", "test", "check", "bench"])
def test_scripts_are_short_and_valid(name: str) -> None:
    path = ROOT / "scripts" / name
    assert path.stat().st_mode & 0o111, f"scripts/{name} cannot be run"
    assert 5 <= len(path.read_text(encoding="utf-8").splitlines()) <= 15
    subprocess.run(["sh", "-n", str(path)], check=True)
