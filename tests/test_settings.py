"""Settings: where values come from, which goes first, and what is said about wrong ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from crenel.settings import InvalidSettings, Settings, load_settings, settings_file


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No variable and no file of the person who runs the tests gets in."""
    for name in list(os.environ):
        if name.upper().startswith("CRENEL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "config" / "crenel")
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def write(text: str) -> Path:
    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_need_no_file() -> None:
    assert not settings_file().exists()
    settings = load_settings()
    assert settings.kernel_cache is None
    assert settings.max_seconds is None
    assert settings.max_states is None
    assert settings.database is None
    assert settings.port == 8752
    assert settings.data.is_absolute()
    assert load_settings() is settings


def test_file_is_read_and_variables_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    write('max_seconds = 2.5\nmax_states = 1000\nkernel_cache = "~/kernels"\n')
    monkeypatch.setenv("CRENEL_MAX_STATES", "77")
    settings = load_settings()
    assert settings.max_seconds == 2.5
    assert settings.max_states == 77
    assert settings.kernel_cache == Path("~/kernels").expanduser()
    assert Settings(max_states=5).max_states == 5


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRENEL_MAX_SECONDS", "")
    assert load_settings().max_seconds is None


def test_another_file_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("max_states = 9\n", encoding="utf-8")
    write("max_states = 8\n")
    monkeypatch.setenv("CRENEL_SETTINGS", str(other))
    assert load_settings().max_states == 9


def test_export_hands_the_folder_to_the_solver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CRENEL_KERNEL_CACHE", "before")
    Settings(kernel_cache=tmp_path).export()
    assert os.environ["CRENEL_KERNEL_CACHE"] == str(tmp_path)
    monkeypatch.delenv("CRENEL_KERNEL_CACHE")
    Settings(kernel_cache=None).export()
    assert "CRENEL_KERNEL_CACHE" not in os.environ


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("max_seconds = 0\n", "max_seconds=0"),
        ("max_seconds = -1.5\n", "max_seconds=-1.5"),
        ("max_seconds = nan\n", "max_seconds=nan"),
        ('max_seconds = "soon"\n', "max_seconds=soon"),
        ("max_states = 2.5\n", "max_states=2.5"),
        ("max_states = []\n", "max_states=[]"),
        ("data = 7\n", "data=7"),
        ("port = 65536\n", "port=65536"),
        ("database = 7\n", "database=7"),
        ("max_minutes = 3\n", "max_minutes"),
        ("max_seconds 3\n", "line 1"),
    ],
)
def test_a_wrong_entry_is_named(text: str, culprit: str) -> None:
    file = write(text)
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert culprit in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAX_SECONDS", "soon"),
        ("MAX_SECONDS", "inf"),
        ("MAX_STATES", "-1"),
        ("MAX_STATES", "1.5"),
        ("PORT", "http"),
    ],
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"CRENEL_{name}", value)
    with pytest.raises(InvalidSettings, match=f"^CRENEL_{name}={value} is not allowed: "):
        load_settings()


def test_an_unreadable_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = write("")
    file.write_bytes(b'data = "\xff"\n')
    with pytest.raises(InvalidSettings, match="not a text file in UTF-8"):
        load_settings()
    monkeypatch.setenv("CRENEL_SETTINGS", str(tmp_path / "nowhere.toml"))
    with pytest.raises(InvalidSettings, match=r"CRENEL_SETTINGS: there is no file .*nowhere\.toml"):
        load_settings()
