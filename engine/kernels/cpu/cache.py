"""Where compiled kernels are kept between starts.

numba does not notice edits in the files a kernel calls into, so the folder is named after a hash of all kernel sources
and of the versions that matter; it is chosen before any kernel module is imported. Compiled code of other versions of
Ember in the same folder is deleted, but for the last few used. A folder that cannot be written to is replaced by a
temporary one: kernels are then compiled at every start, and the caller is told. Checksums of the compiled code are kept
beside it: code that has changed on the disk since is discarded before it could crash the process or compute nonsense.
"""

import contextlib
import hashlib
import json
import logging
import os
import pickle
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher

from engine.kernels.cpu.target import TARGET

log = logging.getLogger(__name__)

# What numba raises on a cache file that is cut, altered or cannot be written.
_CACHE_FAULTS = (
    OSError,
    EOFError,
    pickle.PickleError,
    RuntimeError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)
_TEMPORARY = "ember-kernels-"
_TEMPORARY_KEPT_S = 24 * 3600
_SOURCES = Path(__file__).parent
_PREFIX = "numba-"
_KEPT_VERSIONS = 3
_SUMS = "checksums.json"


def cache_name() -> str:
    """A name that changes whenever compiled kernels would."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {TARGET}".encode())
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return _PREFIX + digest.hexdigest()[:16]


def remember_kernels() -> None:
    """Keep the checksums of all compiled code in the folder that is in use, if there is one."""
    if not numba.config.CACHE_DIR:
        return
    own = Path(numba.config.CACHE_DIR)
    with contextlib.suppress(OSError):  # without them damage is noticed later or not at all
        fresh = own / f"{_SUMS}.{os.getpid()}"
        fresh.write_text(json.dumps({str(path.relative_to(own)): _sum_of(path) for path in own.rglob("*.nbc")}))
        fresh.replace(own / _SUMS)


def _discard_damaged(own: Path) -> None:
    """Delete all compiled code of a folder in which some of it is not what was kept."""
    try:
        sums = dict(json.loads((own / _SUMS).read_text()))
        is_whole = all(not (own / name).exists() or _sum_of(own / name) == kept for name, kept in sums.items())
    except FileNotFoundError:
        return
    except (OSError, ValueError, TypeError):
        is_whole = False
    if not is_whole:
        log.warning("compiled kernels in %s are damaged: compiling again", own)
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir(parents=True, exist_ok=True)


def _sum_of(path: Path) -> int:
    return zlib.crc32(path.read_bytes())


def run_compiling(step: Callable[[], object]) -> None:
    """Run something that may compile kernels or load them; a cache that cannot be read or written costs only time.

    A file cut short by a power loss or a full disk would otherwise fail every load for good.
    """
    try:
        step()
    except _CACHE_FAULTS as error:
        log.warning("compiled kernels cannot be kept or read (%s: %s): compiling again", type(error).__name__, error)
        if numba.config.CACHE_DIR:
            shutil.rmtree(numba.config.CACHE_DIR, ignore_errors=True)
            with contextlib.suppress(OSError):
                Path(numba.config.CACHE_DIR).mkdir(parents=True, exist_ok=True)
        _keep_nothing()
        step()


def _keep_nothing() -> None:
    """Compile without a cache from here on, in this process."""
    for name, module in list(sys.modules.items()):
        if name.startswith("engine.kernels.cpu."):
            for kernel in vars(module).values():
                if isinstance(kernel, Dispatcher):
                    kernel._cache = NullCache()


def use_kernel_cache(folder: Path) -> bool:
    """Keep compiled kernels in `folder`; returns False where only a temporary folder could be used."""
    own = folder / cache_name()
    kept = True
    try:
        own.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=own):
            pass
        _discard_damaged(own)
        os.utime(own)
        by_age = sorted(folder.glob(_PREFIX + "*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for unused in by_age[_KEPT_VERSIONS:]:
            shutil.rmtree(unused, ignore_errors=True)
    except OSError:
        _remove_old_temporary()
        own = Path(tempfile.mkdtemp(prefix=_TEMPORARY))
        kept = False
    numba.config.CACHE_DIR = str(own)
    return kept


def _remove_old_temporary() -> None:
    """Delete this user's temporary folders of earlier starts."""
    for path in Path(tempfile.gettempdir()).glob(_TEMPORARY + "*"):
        with contextlib.suppress(OSError):
            facts = path.lstat()
            is_ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
            if is_ours and time.time() - facts.st_mtime > _TEMPORARY_KEPT_S:
                shutil.rmtree(path, ignore_errors=True)
