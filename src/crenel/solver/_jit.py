"""The only place that imports numba: the kernel decorator and the folder of compiled kernels.

Numba's own cache looks only at the file of the decorated function. A kernel that calls a kernel
of another module would then go on running the old code after a change there. So the cache folder
is named after a digest of all sources of this package, set before anything is decorated.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

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


def kernel(function: _F) -> _F:
    """Compiles ``function`` on first use with the settings that all kernels share."""
    compiled: _F = numba.njit(cache=True, nogil=True)(function)
    return compiled
