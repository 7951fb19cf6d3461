"""What starts at once stays light: no Numba, no NumPy, no web, unless a search or a server asks for them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"numba", "llvmlite", "numpy", "scipy", "matplotlib", "distributed"}
WEB = {"fastapi", "starlette", "uvicorn", "websockets", "sqlalchemy", "alembic"}
SCREEN = {"typer", "click", "rich", "pydantic", "pydantic_settings"}


def modules_after(code: str) -> tuple[str, set[str]]:
    """Runs ``code`` in a fresh interpreter: what it printed, and the modules that were loaded at its end."""
    report = "import sys as _s; print(' '.join(_s.modules), file=_s.stderr)"
    program = f"try:\n    {code}\nexcept SystemExit as end:\n    assert not end.code, end.code\n{report}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, set(done.stderr.splitlines()[-1].split())


def command(*words: str) -> tuple[str, set[str]]:
    """Like the shell command ``crenel WORDS``."""
    return modules_after(
        f"import sys; sys.argv = {['crenel', *words]!r}; from crenel.cli.main import main; sys.exit(main())"
    )


def tops(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


def test_the_probe_sees_what_is_loaded() -> None:
    _, modules = modules_after("import crenel.solver._jit")
    assert {"numba", "numpy"} <= tops(modules)


def test_import_crenel() -> None:
    _, modules = modules_after("import crenel; crenel.find_game('cruel')")
    assert not tops(modules) & (HEAVY | WEB | SCREEN)
    assert "crenel.settings" not in modules
    assert not {
        module for module in modules if module.startswith(("crenel.cli", "crenel.web", "crenel.play"))
    }


@pytest.mark.parametrize(
    "words",
    [
        ("games",),
        ("games", "--json"),
        ("rules", "cruel"),
        ("deal", "cruel", "ms:1"),
        ("deal", "citadel", "ms:1", "--format", "json"),
        ("deal", "beleaguered-castle", "ms:1", "--format", "pretty"),
    ],
    ids=" ".join,
)
def test_commands_without_a_search(words: tuple[str, ...]) -> None:
    printed, modules = command(*words)
    assert printed.strip()
    assert not tops(modules) & (HEAVY | WEB)


def test_text_needs_nothing_of_the_web() -> None:
    _, modules = command("play", "cruel", "ms:1", "--text")
    assert not tops(modules) & (HEAVY | WEB)
    assert not {module for module in modules if module.startswith(("crenel.web", "crenel.store"))}


def test_the_server_loads_neither_the_compiler_nor_arrays() -> None:
    _, modules = modules_after("import crenel.cli.serving, crenel.web.server, crenel.web.app")
    assert {"fastapi", "uvicorn", "sqlalchemy"} <= tops(modules)
    assert not tops(modules) & (HEAVY | {"alembic"})


def test_json_is_all_that_is_printed() -> None:
    printed, _ = command("games", "--json")
    lines = [json.loads(line) for line in printed.splitlines()]
    assert lines
