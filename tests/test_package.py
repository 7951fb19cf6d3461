"""What is packed: the wheel and the source package hold the data files, the types and nothing that is not theirs."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_wheel_and_source_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        (entry,) = (name for name in packed if name.endswith("entry_points.txt"))
        assert "crenel = crenel.cli.main:main" in archive.read(entry).decode()
    source = ROOT / "src"
    wanted = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and not {"__pycache__", ".mypy_cache", ".ruff_cache"} & {*path.parts}
    }
    assert {"crenel/py.typed", "crenel/rules/games/cruel.toml"} <= wanted
    assert wanted <= packed
    assert {name.split("/")[0].split("-")[0] for name in packed} == {"crenel"}
    assert any(name.endswith("licenses/LICENSE") for name in packed)

    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as bundle:
        names = {name.split("/", 1)[1] for name in bundle.getnames() if "/" in name}
    assert {f"src/{name}" for name in wanted} <= names
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "constraints.txt",
        "scripts/play",
        "tests/test_house.py",
    } <= names
    assert not {name for name in names if name.startswith((".venv", ".git/", "dist"))}
