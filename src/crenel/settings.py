"""What a user may set once for all commands: by environment variables, in a settings file, or not at all.

A variable ``CRENEL_NAME`` goes before the entry ``name`` of the settings file, and that before the default. The file
is TOML; it lies in the user's configuration folder (:func:`settings_file`) and need not exist. Only the command
line and the web read settings; the floors below get values as arguments. Not imported by ``import crenel``.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

_PREFIX = "CRENEL_"
_FILE_VARIABLE = "CRENEL_SETTINGS"


class InvalidSettings(ValueError):
    """A setting that cannot be used; the message names the variable or the entry of the file."""


def settings_file() -> Path:
    """The settings file of this user, whether it exists or not (``CRENEL_SETTINGS`` names another)."""
    named = os.environ.get(_FILE_VARIABLE)
    if named:
        return Path(named).expanduser()
    return platformdirs.user_config_path("crenel", appauthor=False) / "settings.toml"


def _data_folder() -> Path:
    return platformdirs.user_data_path("crenel", appauthor=False)


_Folder = Annotated[Path, AfterValidator(Path.expanduser)]


class Settings(BaseSettings):
    """The settings in force.

    Attributes:
        kernel_cache: Folder of the compiled kernels; ``None`` means the user's cache folder.
        data: Folder of what must survive, such as saved games.
        database: URL of the database that keeps the games of the browser; ``None`` means a file in ``data``.
        max_seconds: Processor seconds that a search may take when a command says nothing; ``None`` means no limit.
        max_states: Positions that a search may visit when a command says nothing; ``None`` means no limit.
        port: The port of the table in the browser when a command says nothing; the next free one when it is taken.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    kernel_cache: _Folder | None = None
    data: _Folder = Field(default_factory=_data_folder)
    database: str | None = None
    max_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    max_states: int | None = Field(default=None, gt=0)
    port: int = Field(default=8752, ge=0, le=65535)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments before variables before the file; no ``.env`` file is looked for."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())

    def export(self) -> None:
        """Hands the folder of compiled kernels to the solver; call it before ``crenel.solver`` is imported.

        The solver must know the folder while it is being imported, so it reads the variable and no settings. Worker
        processes inherit it.
        """
        if self.kernel_cache is not None:
            os.environ[_PREFIX + "KERNEL_CACHE"] = str(self.kernel_cache)


@cache
def load_settings() -> Settings:
    """Reads the settings, once per process.

    Raises:
        InvalidSettings: when the file cannot be read, or a value is unknown or wrong; the message names it.
    """
    file = settings_file()
    if os.environ.get(_FILE_VARIABLE) and not file.is_file():
        raise InvalidSettings(f"{_FILE_VARIABLE}: there is no file {file}")
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(f"the settings file {file} is not valid TOML: {error}") from None
    except UnicodeDecodeError:
        raise InvalidSettings(f"the settings file {file} is not a text file in UTF-8") from None
    except OSError as error:
        raise InvalidSettings(f"cannot read the settings file {file}: {error.strerror}") from None
    except ValidationError as error:
        raise InvalidSettings(_sentence(error, file)) from None


def _sentence(error: ValidationError, file: Path) -> str:
    """The first problem of a validation error, with the place where the user wrote it."""
    problem = error.errors()[0]
    name = str(problem["loc"][0])
    variable = _PREFIX + name.upper()
    if problem["type"] == "extra_forbidden":
        return f"the settings file {file} has an unknown entry '{name}'; known are {', '.join(Settings.model_fields)}"
    said = problem["msg"][:1].lower() + problem["msg"][1:]
    known = {key.upper() for key, value in os.environ.items() if value}
    place = variable if variable in known else f"the settings file {file}: {name}"
    return f"{place}={problem['input']} is not allowed: {said}"
