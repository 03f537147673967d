"""Where compiled kernels are kept between starts.

numba does not notice edits in the files a kernel calls into, so the folder is named after a hash of all kernel sources
and of the versions that matter; it is chosen before any kernel module is imported. Compiled code of other versions of
Ember in the same folder is deleted, but for the last few used. A folder that cannot be written to is replaced by a
temporary one: kernels are then compiled at every start, and the caller is told.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import llvmlite
import numba

from engine.kernels.cpu.target import FORCE_GENERIC

_SOURCES = Path(__file__).parent
_PREFIX = "numba-"
_KEPT_VERSIONS = 3


def cache_name() -> str:
    """A name that changes whenever compiled kernels would."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {FORCE_GENERIC}".encode())
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return _PREFIX + digest.hexdigest()[:16]


def use_kernel_cache(folder: Path) -> bool:
    """Keep compiled kernels in `folder`; returns False where only a temporary folder could be used."""
    own = folder / cache_name()
    kept = True
    try:
        own.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=own):
            pass
        os.utime(own)
        by_age = sorted(folder.glob(_PREFIX + "*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for unused in by_age[_KEPT_VERSIONS:]:
            shutil.rmtree(unused, ignore_errors=True)
    except OSError:
        own = Path(tempfile.mkdtemp(prefix="ember-kernels-"))
        kept = False
    numba.config.CACHE_DIR = str(own)
    return kept
