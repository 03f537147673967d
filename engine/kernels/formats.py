"""Row formats of weights: how one row of a matrix is laid out in bytes, packed and unpacked with numpy.

A row decodes alone: its scales stand at its start, then its quantised values, padded with zeros to whole groups and to
a stride of 64 bytes. This module is the specification; the kernels in `cpu/` read the same bytes.

    f32   n float32
    f16   n float16; the card's kernels read it, no packed file holds it
    int8  n/32 float16 scales (padded to 32 bytes), n int8; value = q * scale; Q8_0 is imported exactly
    int4  float32 row scale S in a 32-byte header, n/32 int8 scales s (padded to 16), then for each 64 values
          32 bytes: low nibbles hold the first 32, high nibbles the next 32; value = (nibble - 8) * s * S    ("s4k")

Why these: the project's CPU study measured that scales at the row start and integer group scales let AVX2 kernels
stream at memory speed, at an error no larger than llama.cpp's Q8_0 and Q4_0.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Int64 = NDArray[np.int64]

GROUP = 32
ROW_ALIGNMENT = 64
INT4_HEADER = 32
FLOAT16_LARGEST = 65504.0
INT8_LARGEST = 127 * FLOAT16_LARGEST  # float16 scales
# Scales tried for each int4 group, as a fraction of the one that fits its largest value.
INT4_SCALE_TRIALS = (0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15)


def round_up(n: int, multiple: int) -> int:
    return -(-n // multiple) * multiple


class RowFormat(Protocol):
    """One way to store rows of `n` values; `pack` and `unpack` are inverse up to the format's error."""

    @property
    def name(self) -> str: ...

    def padded(self, n: int) -> int:
        """Values in a stored row, zeros included."""
        ...

    def stride(self, n: int) -> int:
        """Bytes of a stored row."""
        ...

    def pack(self, rows: Float32) -> Bytes:
        """(r, n) float32 → (r, stride) uint8."""
        ...

    def unpack(self, packed: Bytes, n: int) -> Float32:
        """(r, stride) uint8 → (r, n) float32."""
        ...


def _padded_columns(rows: Float32, width: int) -> Float32:
    if rows.shape[1] == width:
        return np.ascontiguousarray(rows, np.float32)
    out = np.zeros((rows.shape[0], width), np.float32)
    out[:, : rows.shape[1]] = rows
    return out


@dataclass(frozen=True, slots=True)
class F32Rows:
    name: str = "f32"

    def padded(self, n: int) -> int:
        return round_up(n, 32)

    def stride(self, n: int) -> int:
        return 4 * self.padded(n)

    def pack(self, rows: Float32) -> Bytes:
        return _padded_columns(rows, self.padded(rows.shape[1])).view(np.uint8)

    def unpack(self, packed: Bytes, n: int) -> Float32:
        return np.ascontiguousarray(packed).view(np.float32)[:, :n].copy()


@dataclass(frozen=True, slots=True)
class F16Rows:
    name: str = "f16"

    def padded(self, n: int) -> int:
        return round_up(n, 32)

    def stride(self, n: int) -> int:
        return 2 * self.padded(n)

    def pack(self, rows: Float32) -> Bytes:
        largest = np.abs(rows).max(initial=0)
        if largest > FLOAT16_LARGEST:
            raise OverflowError(f"a weight of {largest:.3g} in f16 rows, which end at {FLOAT16_LARGEST:.3g}")
        return _padded_columns(rows, self.padded(rows.shape[1])).astype(np.float16).view(np.uint8)

    def unpack(self, packed: Bytes, n: int) -> Float32:
        return np.ascontiguousarray(packed).view(np.float16)[:, :n].astype(np.float32)


@dataclass(frozen=True, slots=True)
class Int8Rows:
    name: str = "int8"

    def padded(self, n: int) -> int:
        return round_up(n, GROUP)

    def values_at(self, n: int) -> int:
        return round_up(2 * (self.padded(n) // GROUP), 32)

    def stride(self, n: int) -> int:
        return round_up(self.values_at(n) + self.padded(n), ROW_ALIGNMENT)

    def pack(self, rows: Float32) -> Bytes:
        n, width = rows.shape[1], self.padded(rows.shape[1])
        groups = _padded_columns(rows, width).reshape(len(rows), width // GROUP, GROUP)
        largest = np.abs(groups).max(axis=2)
        if largest.max(initial=0) > INT8_LARGEST:
            raise OverflowError(f"a weight of {largest.max():.3g} in int8 rows, whose scales end at {INT8_LARGEST:.3g}")
        scale = (largest / np.float32(127)).astype(np.float16)
        # A group that float16 cannot scale (all below 127 * 2^-24) becomes zero, which is its value at this precision.
        inverse = np.divide(1, scale, out=np.zeros(scale.shape, np.float32), where=scale > 0, dtype=np.float32)
        quantised = np.clip(np.rint(groups * inverse[:, :, None]), -127, 127).astype(np.int8)
        return self.join(scale, quantised.reshape(len(rows), width), n)

    def join(self, scale: NDArray[np.float16], quantised: NDArray[np.int8], n: int) -> Bytes:
        """Rows from ready scales (r, n/32) and values (r, padded n): the exact import of Q8_0."""
        out = np.zeros((len(scale), self.stride(n)), np.uint8)
        out[:, : 2 * scale.shape[1]] = np.ascontiguousarray(scale).view(np.uint8)
        start = self.values_at(n)
        out[:, start : start + quantised.shape[1]] = quantised.view(np.uint8)
        return out

    def unpack(self, packed: Bytes, n: int) -> Float32:
        width, start = self.padded(n), self.values_at(n)
        scale = np.ascontiguousarray(packed[:, : 2 * (width // GROUP)]).view(np.float16).astype(np.float32)
        quantised = np.ascontiguousarray(packed[:, start : start + width]).view(np.int8).astype(np.float32)
        values = quantised.reshape(len(packed), width // GROUP, GROUP) * scale[:, :, None]
        return values.reshape(len(packed), width)[:, :n].copy()


@dataclass(frozen=True, slots=True)
class Int4Rows:
    name: str = "int4"

    def padded(self, n: int) -> int:
        return round_up(n, 2 * GROUP)

    def values_at(self, n: int) -> int:
        return INT4_HEADER + round_up(self.padded(n) // GROUP, 16)

    def stride(self, n: int) -> int:
        return round_up(self.values_at(n) + self.padded(n) // 2, ROW_ALIGNMENT)

    def pack(self, rows: Float32) -> Bytes:
        n, width = rows.shape[1], self.padded(rows.shape[1])
        groups = _padded_columns(rows, width).reshape(len(rows), width // GROUP, GROUP).copy()
        highest, lowest = groups.max(axis=2), groups.min(axis=2)
        # Nibbles reach from -8 to 7: the sign of a group's scale gives the longer side to its largest value.
        sign = np.where(highest > -lowest, np.float32(-1), np.float32(1))
        ideal = np.maximum(highest, -lowest) / 8
        row_scale = (ideal.max(axis=1, keepdims=True) / 127).astype(np.float32)
        safe = np.where(row_scale > 0, row_scale, 1).astype(np.float32)
        ideal /= safe
        groups /= safe[:, :, None]
        best_scale, best_values = np.zeros(ideal.shape, np.float32), np.zeros(groups.shape, np.float32)
        best_error = np.full(ideal.shape, np.inf, np.float32)
        for trial in INT4_SCALE_TRIALS:
            scale = sign * np.clip(np.rint(ideal * trial), 1, 127)
            values = np.clip(np.rint(groups / scale[:, :, None]), -8, 7)
            error = np.square(values * scale[:, :, None] - groups).sum(axis=2)
            better = error < best_error
            best_scale[better], best_error[better], best_values[better] = scale[better], error[better], values[better]
        nibbles = (best_values + 8).astype(np.uint8).reshape(len(rows), width // (2 * GROUP), 2, GROUP)
        out = np.zeros((len(rows), self.stride(n)), np.uint8)
        out[:, :4] = row_scale.view(np.uint8)
        out[:, INT4_HEADER : INT4_HEADER + ideal.shape[1]] = best_scale.astype(np.int8).view(np.uint8)
        start = self.values_at(n)
        out[:, start : start + width // 2] = (nibbles[:, :, 0] | (nibbles[:, :, 1] << 4)).reshape(len(rows), width // 2)
        return out

    def unpack(self, packed: Bytes, n: int) -> Float32:
        width, start = self.padded(n), self.values_at(n)
        row_scale = np.ascontiguousarray(packed[:, :4]).view(np.float32)
        integer = np.ascontiguousarray(packed[:, INT4_HEADER : INT4_HEADER + width // GROUP]).view(np.int8)
        scale = integer.astype(np.float32) * row_scale
        pairs = packed[:, start : start + width // 2].reshape(len(packed), width // (2 * GROUP), GROUP)
        nibbles = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(len(packed), width // GROUP, GROUP)
        values = (nibbles.astype(np.float32) - 8) * scale[:, :, None]
        return values.reshape(len(packed), width)[:, :n].copy()


F32, F16, INT8, INT4 = F32Rows(), F16Rows(), Int8Rows(), Int4Rows()
# Those of packed files, which every backend has kernels for.
FORMATS: dict[str, RowFormat] = {f.name: f for f in (F32, INT8, INT4)}
