"""The CUDA C sources as text: found, joined with the project's own headers, and read for what their kernels take.

A kernel `name` of the source `x` is `extern "C" __global__ void name(…)` in `x.cu`. What the sources include from their
own folder (`#include "y.cuh"`) is put in their text once, so that NVRTC, nvcc and g++ need no search path and a cache
that is keyed by the text (CuPy's, ours) notices an edited header. Other includes are the compiler's. Kernels may be
stamped out by macros: `KERNEL(int8)` at the start of a line, where KERNEL's body holds the `__global__` function.
Knows nothing of devices.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike

from engine.errors import InternalError

FOLDER = Path(__file__).parent
NVRTC_OPTIONS = ("-std=c++17",)
MOST_THREADS = 1024  # of a block, on every card

_INCLUDE = re.compile(r'\s*#\s*include\s+"([\w.]+\.cuh)"')
_ONCE = re.compile(r"\s*#\s*pragma\s+once")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(
    r"^[ \t]*(?:#[ \t]*define|(?:static[ \t]+)?constexpr[ \t]+(?:int|unsigned))[ \t]+(\w+)[ \t]*=?[ \t]*(\d+);?[ \t]*$",
    re.MULTILINE,
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([\w\s,]*)\)(.*)$", re.MULTILINE)
_BOUNDS = r"__launch_bounds__\s*\(\s*(\w+)[^)]*\)\s*"
_KERNEL = re.compile(rf'extern\s+"C"\s+__global__\s+(?:{_BOUNDS})?void\s+(?:{_BOUNDS})?(\w+)\s*\(([^)]*)\)', re.DOTALL)
_BASES: Mapping[str, DTypeLike] = {
    "float": np.float32, "float2": np.float32, "float4": np.float32, "double": np.float64,
    "__half": np.float16, "half": np.float16, "__half2": np.float16, "half2": np.float16,
    "signed char": np.int8, "char": np.int8, "int8_t": np.int8, "char4": np.int8,
    "unsigned char": np.uint8, "uint8_t": np.uint8, "uchar4": np.uint8,
    "short": np.int16, "unsigned short": np.uint16,
    "int": np.int32, "int32_t": np.int32, "int2": np.int32, "int4": np.int32,
    "unsigned": np.uint32, "unsigned int": np.uint32, "uint32_t": np.uint32, "uint2": np.uint32, "uint4": np.uint32,
    "long long": np.int64, "unsigned long long": np.uint64, "size_t": np.uint64, "bool": np.bool_,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel; `dtype` is that of the values, pointed to or passed."""

    name: str
    dtype: np.dtype[np.generic]
    is_pointer: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """What a kernel takes; `most_threads` is its launch bound."""

    name: str
    parameters: tuple[Parameter, ...]
    most_threads: int = MOST_THREADS


def source_names(folder: Path = FOLDER) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.cu")))


def read_source(name: str, folder: Path = FOLDER) -> str:
    """The text of `name`.cu with the headers of its folder in it, lines numbered as in the files.

    Raises InternalError where a file is missing.
    """
    return "\n".join(_joined(folder / f"{name}.cu", set())) + "\n"


def _joined(path: Path, seen: set[str]) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InternalError("KernelSource", f"{path.name}: {error.strerror}") from error
    lines = [f'#line 1 "{path.name}"']
    for number, line in enumerate(text.splitlines(), 1):
        included = _INCLUDE.match(line)
        if included:
            if included[1] not in seen:
                seen.add(included[1])
                lines += _joined(path.parent / included[1], seen)
            lines.append(f'#line {number + 1} "{path.name}"')
        elif _ONCE.match(line):
            lines.append("")
        else:
            lines.append(line)
    return lines


def signatures(text: str) -> dict[str, Signature]:
    """The kernels that a source's text defines, by name. Raises InternalError on a type that has no numpy dtype."""
    plain = _COMMENT.sub("", text).replace("\\\n", " ")
    numbers = {name: int(value) for name, value in _NUMBER.findall(plain)}
    found = {}
    for match in _KERNEL.finditer(_with_macros(plain)):
        before, after, name, parameters = match.groups()
        bound = before or after or ""
        most = int(bound) if bound.isdigit() else numbers.get(bound, MOST_THREADS)
        taken = tuple(_parameter(name, part) for part in parameters.split(",") if part.strip() not in ("", "void"))
        found[name] = Signature(name, taken, most)
    return found


def _with_macros(text: str) -> str:
    """The text with the macros that define kernels put in; other macros and all other definitions left out."""
    macros = {name: (names.replace(" ", "").split(","), body) for name, names, body in _MACRO.findall(text)}
    stampers = {name for name, (_, body) in macros.items() if "__global__" in body}
    while grown := {
        name for name, (_, body) in macros.items() if name not in stampers and _uses(stampers).search(body)
    }:
        stampers |= grown
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
    if not stampers:
        return text
    use = _uses(stampers)
    while found := use.search(text):
        names, body = macros[found[1]]
        for name, value in zip(names, found[2].split(","), strict=True):
            body = re.sub(rf"\b{name}\b", value.strip(), body) if name else body
        text = text[: found.start()] + re.sub(r"\s*##\s*", "", body) + text[found.end() :]
    return text


def _uses(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(sorted(names))})\(([^()]*)\)")


def _parameter(kernel: str, text: str) -> Parameter:
    words = re.sub(r"\b(const|__restrict__|volatile)\b", " ", text).replace("*", " * ").split()
    base = " ".join(word for word in words[:-1] if word != "*")
    if base not in _BASES or words.count("*") > 1 or "*" in words[-1]:
        raise InternalError("KernelSource", f"{kernel}: parameter '{' '.join(text.split())}' has no numpy dtype")
    return Parameter(words[-1], np.dtype(_BASES[base]), "*" in words)
