"""The only place that imports numba: the kernel decorator, the folder of compiled kernels, the compile clock.

Numba's own cache looks only at the file of the decorated function. A kernel that calls a kernel of another module
would then go on running the old code after a change there. So the compiled kernels of a module lie in a folder
named after a digest of its source and the sources of all modules of this package that it imports, directly or not.
"""

from __future__ import annotations

import ast
import hashlib
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs
from numba.core import event, options

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = __name__.rpartition(".")[0]
_NO_COUNTS: dict[str, Any] = {"_nrt": False} if hasattr(options.DefaultOptions, "_nrt") else {}
"""Kernels make no arrays, and the caller holds those they work on, so nobody need count references to them. Numba
would, for each array of each call of a kernel by a kernel, with atomic operations: that took more than half of the
time. With this option it refuses to compile a kernel that makes an array."""


@cache
def _imported(module: str) -> frozenset[str]:
    """The modules of this package that a module imports, as they are named in its source."""
    found = set()
    for node in ast.walk(ast.parse(_source(module))):
        if isinstance(node, ast.ImportFrom) and node.module == _PACKAGE:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(_PACKAGE + "."):
            found.add(node.module.rpartition(".")[2])
    return frozenset(found)


def _source(module: str) -> bytes:
    return Path(__file__).with_name(f"{module}.py").read_bytes()


@cache
def _digest(module: str) -> str:
    """A short digest of the sources that the kernels of a module are compiled from, in a fixed order."""
    needed, waiting = {module, "_jit"}, [module]
    while waiting:
        more = _imported(waiting.pop()) - needed
        needed |= more
        waiting += more
    digest = hashlib.sha256(numba.__version__.encode())
    for name in sorted(needed):
        digest.update(name.encode() + b"\0" + _source(name))
    return digest.hexdigest()[:16]


def cache_folder(module: str) -> Path:
    """The folder of the compiled kernels of a module of this package, for exactly these sources.

    Args:
        module: Its name without the package, such as ``castle_rows``.

    Returns:
        A folder in the user's cache folder; the variable ``CRENEL_KERNEL_CACHE`` moves that.
    """
    root = os.environ.get("CRENEL_KERNEL_CACHE") or platformdirs.user_cache_dir("crenel", appauthor=False)
    return Path(root) / "kernels" / f"{module}-{_digest(module)}"


def kernel(function: _F) -> _F:
    """Compiles ``function`` on first use with the settings that all kernels share.

    Where no folder can be written, the compiled code is kept for this process only.
    """
    package, _, module = function.__module__.rpartition(".")
    is_kept = "NUMBA_CACHE_DIR" in os.environ or package != _PACKAGE
    if not is_kept:
        folder = cache_folder(module)
        is_kept = _is_writable(folder)
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # made when numba is imported
    return cast(_F, numba.njit(cache=is_kept, nogil=True, **_NO_COUNTS)(function))


@cache
def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


class _CompileClock(event.Listener):
    """Processor time spent compiling, so that a search can leave it out of its own.

    Compilations nest (a kernel compiles those it calls); only the outermost counts.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.announce: Callable[[str], None] | None = None
        self._depth = 0
        self._began = 0.0

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._began = time.thread_time()
            if self.announce is not None:
                self.announce("preparing the solver, once")
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.thread_time() - self._began


compile_clock = _CompileClock()
"""The clock of this process; ``announce`` is called at the start of each compilation."""

event.register("numba:compile", compile_clock)  # type: ignore[no-untyped-call]
