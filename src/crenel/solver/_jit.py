"""The only place that imports numba: the kernel decorator, the folder of compiled kernels, the compile clock.

Numba's own cache looks only at the file of the decorated function. A kernel that calls a kernel
of another module would then go on running the old code after a change there. So the cache folder
is named after a digest of all sources of this package, set before anything is decorated.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import platformdirs

_F = TypeVar("_F", bound=Callable[..., Any])


def _source_digest() -> str:
    """A short digest of all kernel sources, in a fixed order."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """The folder of the compiled kernels of exactly this source (``CRENEL_KERNEL_CACHE`` moves it)."""
    root = os.environ.get("CRENEL_KERNEL_CACHE") or platformdirs.user_cache_dir("crenel", appauthor=False)
    return Path(root) / "kernels" / _source_digest()


os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))

import numba  # noqa: E402  (the cache folder must be known before numba is imported)
from numba.core import event  # noqa: E402


def kernel(function: _F) -> _F:
    """Compiles ``function`` on first use with the settings that all kernels share."""
    return cast(_F, numba.njit(cache=True, nogil=True)(function))


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
            self._began = time.process_time()
            if self.announce is not None:
                self.announce("preparing the solver, once")
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.process_time() - self._began


compile_clock = _CompileClock()
"""The clock of this process; ``announce`` is called at the start of each compilation."""

event.register("numba:compile", compile_clock)  # type: ignore[no-untyped-call]
