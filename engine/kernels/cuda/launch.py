"""What a launch is held to before it is put on a stream: the same for a real card and for the emulated one.

Neither CUDA nor CuPy checks what a kernel is given: a Python number is passed as eight bytes, a view with gaps as if it
had none, freed memory as an address. Here dtype, count and contiguity are checked against the source's own parameters,
and that memory is this card's and still allocated; a fault says which parameter of which kernel it is in.
`Memory` is the account of what is allocated, by purpose and by address; copies are held to it as well.
"""

import bisect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InternalError
from engine.kernels.cuda.sources import Signature

# What every card since sm_75 grants a block unasked, static and dynamic together.
MOST_SHARED_BYTES = 48 * 1024
_MOST_BLOCKS = (2**31 - 1, 65535, 65535)
_KEPT = 1024  # arrays known to be right, for each kernel

Dims = tuple[int, int, int]
Span = tuple[int, int]  # where memory begins, and how many bytes


class Memory:
    """Allocations of one card, by address: what each is for, and which addresses lie within one.

    of_card      the class of the card's arrays; `address` gives where one begins
    generation   counts what was given back: what was known of addresses before no longer holds
    """

    def __init__(self, of_card: Any, address: Callable[[Any], int]) -> None:
        self.of_card = of_card
        self.address = address
        self.generation = 0
        self._held: tuple[Span, ...] = ()
        self._held_at = -1
        self._starts: list[int] = []
        self._found: dict[int, tuple[int, str]] = {}
        self._by_purpose: dict[str, int] = {}

    @property
    def by_purpose(self) -> dict[str, int]:
        return {purpose: n_bytes for purpose, n_bytes in self._by_purpose.items() if n_bytes}

    @property
    def starts(self) -> tuple[int, ...]:
        return tuple(self._starts)

    @property
    def total(self) -> int:
        return sum(self._by_purpose.values())

    def add(self, start: int, n_bytes: int, purpose: str) -> None:
        bisect.insort(self._starts, start)
        self._found[start] = (n_bytes, purpose)
        self._by_purpose[purpose] = self._by_purpose.get(purpose, 0) + n_bytes

    def remove(self, array: Any) -> int:
        """Where it began. Raises InternalError where it is no whole allocation, as it was given or in another shape."""
        start, n_bytes = self.span(array)
        if self._found.get(start, (-1,))[0] != n_bytes:
            raise InternalError("CardMemory", "a part of an allocation cannot be given back")
        _, purpose = self._found.pop(start)
        del self._starts[bisect.bisect_left(self._starts, start)]
        self._by_purpose[purpose] -= n_bytes
        self.generation += 1
        return start

    def holds(self, start: int, n_bytes: int) -> bool:
        """Whether these bytes lie in one allocation."""
        at = bisect.bisect_right(self._starts, start) - 1
        if at < 0:
            return False
        first = self._starts[at]
        return start + n_bytes <= first + self._found[first][0]

    def holds_all(self, spans: tuple[Span, ...]) -> bool:
        """The same of many, known at once where nothing was given back since it was last asked of these."""
        if self._held is not spans or self._held_at != self.generation:
            if not all(self.holds(*span) for span in spans if span[1]):
                return False
            self._held, self._held_at = spans, self.generation
        return True

    def span(self, array: Any) -> Span:
        """Where an array of the card lies. Raises InternalError where it is none, has gaps, or was given back."""
        if reason := self.refusal(array):
            raise InternalError("CardMemory", reason)
        return self.address(array), array.nbytes

    def refusal(self, array: Any) -> str:
        """Why these are no bytes in a row of this card's memory; "" where they are."""
        if not isinstance(array, self.of_card):
            return f"an array of the card wanted, {type(array).__name__} given"
        if not array.flags.c_contiguous:
            return f"a view with gaps, of shape {array.shape}"
        if array.nbytes and not self.holds(self.address(array), array.nbytes):
            return "not (or no longer) in this card's memory"
        return ""


def host_address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def host_span(array: Any) -> Span:
    """Where an array of main memory lies. Raises InternalError where it is none or has gaps."""
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous:
        raise InternalError("CardMemory", "an array in main memory, without gaps, is wanted")
    return host_address(array), array.nbytes


def copied_spans(on_card: Span, beside: Span) -> tuple[Span, Span]:
    """Both, where they have as many bytes. Raises InternalError otherwise."""
    if on_card[1] != beside[1]:
        raise InternalError("CardMemory", f"{on_card[1]} bytes on the card, {beside[1]} beside it")
    return on_card, beside


class CheckedKernel:
    """A kernel that refuses what its source does not declare; see `device.Kernel`.

    put   (grid, block, arguments, shared bytes): the launch itself; a null pointer comes as None
    """

    def __init__(
        self, signature: Signature, memory: Memory, put: Callable[[Dims, Dims, Sequence[Any], int], None]
    ) -> None:
        self.signature = signature
        self._memory = memory
        self._put = put
        self._right: dict[tuple[int, int], Any] = {}
        self._generation = -1

    def __call__(self, grid: Sequence[int], block: Sequence[int], args: Sequence[Any], shared_bytes: int = 0) -> None:
        """Put a launch on the stream; None is a null pointer. Raises InternalError (see the module)."""
        blocks, threads = self._dims("grid", grid), self._dims("block", block)
        n_threads = threads[0] * threads[1] * threads[2]
        if n_threads > self.signature.most_threads or threads[2] > 64:
            raise self._fault(f"{n_threads} threads in a block {threads}, bound {self.signature.most_threads}")
        if any(n > most for n, most in zip(blocks, _MOST_BLOCKS, strict=True)):
            raise self._fault(f"a grid of {blocks}")
        if not 0 <= shared_bytes <= MOST_SHARED_BYTES:
            raise self._fault(f"{shared_bytes} bytes of shared memory, at most {MOST_SHARED_BYTES}")
        self._check(args)
        self._put(blocks, threads, args, shared_bytes)

    def _dims(self, what: str, dims: Sequence[int]) -> Dims:
        x, y, z = (*(int(n) for n in dims), 1, 1)[:3]
        if len(dims) > 3 or min(x, y, z) < 1:
            raise self._fault(f"{what} {tuple(dims)}")
        return x, y, z

    def _check(self, args: Sequence[Any]) -> None:
        parameters = self.signature.parameters
        if len(args) != len(parameters):
            raise self._fault(f"{len(parameters)} arguments wanted, {len(args)} given")
        if self._generation != self._memory.generation or len(self._right) > _KEPT:
            self._right.clear()
            self._generation = self._memory.generation
        for at, (parameter, arg) in enumerate(zip(parameters, args, strict=True)):
            if parameter.is_pointer:
                if arg is not None and self._right.get((at, id(arg))) is not arg:
                    self._check_array(at, arg)
                    self._right[at, id(arg)] = arg
            elif not isinstance(arg, np.generic) or arg.dtype != parameter.dtype:
                found = f"numpy {arg.dtype}" if isinstance(arg, np.generic) else type(arg).__name__
                raise self._fault(f"{parameter.name}: a numpy scalar {parameter.dtype} wanted, {found} given")

    def _check_array(self, at: int, array: Any) -> None:
        parameter = self.signature.parameters[at]
        if reason := self._memory.refusal(array):
            raise self._fault(f"{parameter.name}: {reason}")
        if array.dtype != parameter.dtype:
            raise self._fault(f"{parameter.name}: {parameter.dtype} wanted, {array.dtype} given")

    def _fault(self, detail: str) -> InternalError:
        return InternalError("KernelLaunch", f"{self.signature.name}: {detail}")
