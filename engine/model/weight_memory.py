"""Memory that weights lie in, and what of it is really there.

On Linux weights lie in a private mapping of our own, in huge pages where the system has them, which row gathers need.
Pages of it can be given back one by one and come again, as zeros, when they are written to. A model that is mapped from
its file lies in the file's pages, which come by themselves; the system can be told how they will be read. Elsewhere
weights lie in ordinary memory and stay.
"""

import contextlib
import ctypes
import mmap
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Bytes

CAN_GIVE_BACK = sys.platform == "linux"
_HUGE_PAGE = 2 << 20
_ALIGNMENT = 64
# Not counted against what the system may promise, for parts of it may never be written to. Linux's on x86 and ARM; not
# every Python names it.
_MAP_NORESERVE = 0x4000


def weight_memory(n_bytes: int) -> Bytes:
    """(n_bytes,) zeros that begin on a page, elsewhere on 64 bytes, and take memory as they are written. Raises
    MemoryError."""
    if sys.platform != "linux":
        ordinary = np.zeros(n_bytes + _ALIGNMENT, np.uint8)
        start = -ordinary.ctypes.data % _ALIGNMENT
        return ordinary[start : start + n_bytes]
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
    try:
        mapping = mmap.mmap(-1, n_bytes + _HUGE_PAGE, flags=flags)
    except OSError as error:
        raise MemoryError(f"{n_bytes} bytes") from error
    with contextlib.suppress(OSError):  # a system without huge pages
        mapping.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(mapping, np.uint8)
    start = -whole.ctypes.data % _HUGE_PAGE
    return whole[start : start + n_bytes]


def give_back(array: NDArray[Any]) -> int:
    """Give back the whole pages of a contiguous part of `weight_memory`, or of a mapped file; returns their bytes.

    In memory of our own their content is gone. Does nothing, and returns 0, where the array lies in neither.
    """
    if sys.platform != "linux":
        return 0
    return _advise(array, mmap.MADV_DONTNEED, outwards=False)


def expect_picked_rows(array: NDArray[Any]) -> None:
    """Tell the system that of a mapped file's array single rows will be read, so that it fetches no others."""
    if sys.platform == "linux" and is_mapped_file(array):
        _advise(array, mmap.MADV_RANDOM, outwards=True)


def expect_whole(array: NDArray[Any]) -> None:
    """Take `expect_picked_rows` back: the system fetches ahead again."""
    if sys.platform == "linux" and is_mapped_file(array):
        _advise(array, mmap.MADV_NORMAL, outwards=True)


def is_mapped_file(array: NDArray[Any]) -> bool:
    """Whether the array lies in a mapping that cannot be written to, as `PackedModel.map` makes it."""
    return not array.flags.writeable and _mapping_of(array) is not None


def resident_bytes(array: NDArray[Any]) -> int:
    """Bytes of the pages that a contiguous array touches and that are in memory now; all of them where the system does
    not tell."""
    if sys.platform != "linux":
        return int(array.nbytes)
    begin = array.ctypes.data // mmap.PAGESIZE * mmap.PAGESIZE
    n_bytes = array.ctypes.data + array.nbytes - begin
    pages = np.zeros(-(-n_bytes // mmap.PAGESIZE), np.uint8)
    mincore = ctypes.CDLL(None, use_errno=True).mincore
    if mincore(ctypes.c_void_p(begin), ctypes.c_size_t(n_bytes), ctypes.c_void_p(pages.ctypes.data)) != 0:
        return int(array.nbytes)
    return int(np.count_nonzero(pages & 1)) * mmap.PAGESIZE


def untouched_bytes(arrays: Iterable[NDArray[Any]]) -> int:
    """Bytes of contiguous arrays that the system has promised and not given yet; 0 where it does not tell."""
    return sum(max(0, int(array.nbytes) - resident_bytes(array)) for array in arrays if array.nbytes)


def _advise(array: NDArray[Any], advice: int, *, outwards: bool) -> int:
    """Give advice about the pages an array touches, or about those that lie wholly in it; returns their bytes."""
    mapping = _mapping_of(array)
    if mapping is None:
        return 0
    offset = array.ctypes.data - np.frombuffer(mapping, np.uint8).ctypes.data
    page, end = mmap.PAGESIZE, offset + array.nbytes
    first, last = (offset // page, -(-end // page)) if outwards else (-(-offset // page), end // page)
    if first >= last:
        return 0
    n_bytes = min(last * page, len(mapping)) - first * page
    mapping.madvise(advice, first * page, n_bytes)
    return n_bytes


def _mapping_of(array: NDArray[Any]) -> mmap.mmap | None:
    """The mapping an array lies in; None where it lies in ordinary memory."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, mmap.mmap) else None
