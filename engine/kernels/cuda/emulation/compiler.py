"""Kernels of the emulated card: a source compiled by the machine's own C++ compiler, kept by hash, loaded, called.

`cuda_emu.h` beside this file gives the source what CUDA C has. Nothing is compiled for more than this processor has:
conversions of half need no more than SSE2, and wider instructions are switched on where the system says they are there.
"""

import contextlib
import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import CardUnusable, CompilerMissing, InternalError
from engine.kernels.cuda.launch import Dims
from engine.kernels.cuda.sources import Signature, signatures

_HERE = Path(__file__).parent
_CPUINFO = Path("/proc/cpuinfo")
_COMPILERS = ("g++", "clang++", "c++")
FLAGS = (
    "-std=c++20", "-O2", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-fvisibility=hidden", "-w",
    "-DCUDA_EMU", f"-I{_HERE}",
)  # fmt: skip
_SANITISING = ("-g1", "-fsanitize=alignment,shift,bounds", "-fsanitize-recover=alignment,shift,bounds")
_X86_FEATURES = ("avx2", "fma", "f16c")
_ERROR_BYTES = 512


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How blocks are run: see `emulated_device.EmulatedDevice`."""

    os_threads: int = 1
    poisons: bool = True
    reverses: bool = False
    catches: bool = False


class EmulatedModule:
    """The kernels of one source, compiled.

    Raises CompilerMissing where this machine has no C++ compiler, InternalError where the source does not compile.
    """

    def __init__(self, name: str, text: str, cache: Path, *, sanitises: bool) -> None:
        self.signatures = signatures(text)
        exports = "\n".join(f"EMU_EXPORT({kernel})" for kernel in self.signatures)
        unit = f'#include "cuda_emu.h"\n{text}\n#line 1 "exports"\n{exports}\n'
        self._library = ctypes.CDLL(str(_compiled(name, unit, cache, sanitises=sanitises)))

    def kernel(self, name: str) -> "EmulatedKernel":
        function = self._library[f"emu__{name}"]
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        function.restype = ctypes.c_int
        return EmulatedKernel(self.signatures[name], function)


@dataclass(frozen=True)
class EmulatedKernel:
    signature: Signature
    function: Callable[..., int]

    def run(self, blocks: Dims, threads: Dims, args: bytes, shared_bytes: int, options: RunOptions) -> None:
        """Run all blocks, without the interpreter's lock. `args` are eight bytes for each parameter.

        Raises InternalError with what the kernel did wrong, and where.
        """
        values = ctypes.create_string_buffer(args, max(1, len(args)))
        at, n = ctypes.addressof(values), len(self.signature.parameters)
        pointers = (ctypes.c_void_p * max(1, n))(*(at + 8 * i for i in range(n)))
        launch = (ctypes.c_uint * 11)(
            *blocks, *threads, shared_bytes, options.os_threads, options.poisons, options.reverses, options.catches
        )
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        if self.function(pointers, launch, error, _ERROR_BYTES):
            raise InternalError("KernelFault", f"{self.signature.name}: {error.value.decode(errors='replace')}")


def _compiled(name: str, unit: str, cache: Path, *, sanitises: bool) -> Path:
    compiler = next((found for command in _COMPILERS if (found := shutil.which(command))), None)
    if compiler is None or sys.platform == "win32":  # the header is for systems with POSIX threads and signals
        raise CompilerMissing("C++", ", ".join(_COMPILERS))
    flags = [*FLAGS, *machine_flags(), *(_SANITISING if sanitises else ())]
    target = cache / f"{name}-{_digest(compiler, flags, unit)}.so"
    if not target.exists():
        source, parts, whole = (target.with_suffix(f".{os.getpid()}{end}") for end in (".cpp", ".o", ".new"))
        try:
            cache.mkdir(parents=True, exist_ok=True, mode=0o700)
            source.write_text(unit, encoding="utf-8")
            # linked apart: so the library that -fsanitize would bring is not needed, the header has its own answers
            _invoke(name, [compiler, *flags, "-c", "-o", str(parts), str(source)])
            _invoke(name, [compiler, "-shared", "-pthread", "-o", str(whole), str(parts)])
            whole.replace(target)
        except OSError as error:
            raise CardUnusable("failed", f"{error.filename or cache}: {error.strerror or error}") from error
        finally:
            for made in (source, parts, whole):
                with contextlib.suppress(OSError):
                    made.unlink(missing_ok=True)
    return target


def _invoke(name: str, command: list[str]) -> None:
    done = subprocess.run(  # noqa: S603 - the compiler that `which` found, over our own source
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InternalError("KernelCompile", f"{name}.cu: {done.stderr[:4000]}")


def _digest(compiler: str, flags: list[str], unit: str) -> str:
    binary = Path(compiler).resolve().stat()
    digest = hashlib.sha256(f"{compiler} {binary.st_size} {binary.st_mtime_ns} {flags}".encode())
    for header in sorted(_HERE.glob("*.h")):
        digest.update(header.read_bytes())
    digest.update(unit.encode())
    return digest.hexdigest()[:20]


def machine_flags() -> list[str]:
    """Of the instructions that Ember's kernels gain from, those that the system says are there."""
    if platform.machine() not in ("x86_64", "AMD64") or not _CPUINFO.exists():
        return []
    lines = (line for line in _CPUINFO.read_text(encoding="utf-8").splitlines() if line.startswith("flags"))
    has = next(lines, "").split()
    return [f"-m{feature}" for feature in _X86_FEATURES if feature in has]
