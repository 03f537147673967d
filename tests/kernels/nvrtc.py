"""NVRTC from its wheel, called by ctypes: CUDA C to machine code of a card that need not be there, and what it uses.

For the matrix of cards in test_cuda_compile.py. Needs the packages nvidia-cuda-nvrtc and nvidia-cuda-runtime (for its
headers), no driver, no CuPy and no nvcc.
"""

import ctypes
import importlib.metadata
import re
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("nvidia-cuda-nvrtc", "nvidia-cuda-runtime")


@dataclass(frozen=True)
class Usage:
    """What the assembler says of a kernel: registers a thread, bytes spilt to memory, shared bytes a block."""

    kernel: str
    registers: int
    spilt_bytes: int
    shared_bytes: int


class Nvrtc:
    """Raises PackageNotFoundError or FileNotFoundError where a package is missing or without what it should hold."""

    def __init__(self) -> None:
        # NVRTC looks for the other library by name when it compiles: loaded before, it is found wherever it is
        ctypes.CDLL(str(_file_of(PACKAGES[0], r"libnvrtc-builtins\.so\.[\d.]+|nvrtc-builtins64_\d+\.dll")))
        self._library = ctypes.CDLL(str(_file_of(PACKAGES[0], r"libnvrtc\.so\.\d+|nvrtc64_\d+_0\.dll")))
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
        self._headers = _file_of(PACKAGES[1], r"cuda_fp16\.h").parent

    def compile(self, text: str, name: str, architecture: str, options: tuple[str, ...]) -> tuple[bytes, str]:
        """Machine code, and the log; raises AssertionError with the compiler's words."""
        program = ctypes.c_void_p()
        self._call("CreateProgram", ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
        try:
            flags = [f"-arch=sm_{architecture}", f"-I{self._headers}", "--ptxas-options=-v", *options]
            given = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
            code = self._library.nvrtcCompileProgram(program, len(flags), given)
            log = self._text(program, "ProgramLog").decode(errors="replace")
            assert code == 0, f"{name} for sm_{architecture}:\n{log}"
            return self._text(program, "CUBIN"), log
        finally:
            self._call("DestroyProgram", ctypes.byref(program))

    def _text(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"Get{what}Size", program, ctypes.byref(size))
        held = ctypes.create_string_buffer(size.value)
        self._call(f"Get{what}", program, held)
        return held.raw.rstrip(b"\0") if what == "ProgramLog" else held.raw

    def _call(self, name: str, *arguments: object) -> None:
        code = getattr(self._library, f"nvrtc{name}")(*arguments)
        assert code == 0, f"nvrtc{name}: {self._library.nvrtcGetErrorString(code).decode()}"


def usages(log: str) -> list[Usage]:
    """Of every kernel in a log that was written with --ptxas-options=-v."""
    found = []
    for part in re.split(r"Compiling entry function ", log)[1:]:
        name = re.match(r"'(\w+)'", part)
        registers = re.search(r"Used (\d+) registers", part)
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part)
        shared = re.search(r"(\d+) bytes smem", part)
        assert name, part
        assert registers, part
        assert spills, part
        spilt = int(spills[1]) + int(spills[2])
        found.append(Usage(name[1], int(registers[1]), spilt, int(shared[1]) if shared else 0))
    return found


def _file_of(package: str, pattern: str) -> Path:
    for file in importlib.metadata.files(package) or ():
        if re.fullmatch(pattern, file.name):
            return Path(str(file.locate()))
    raise FileNotFoundError(f"{package} holds no {pattern}")
