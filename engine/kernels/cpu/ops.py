"""The CPU kernels as functions of arrays, named as in `reference.py`: what tests and the prefill call.

These check shapes and types, then hand addresses to the compiled kernels; a kernel itself checks nothing. The decode
step does not pass through here: it is one compiled function (`decode.py`).
"""

import numpy as np

from engine.kernels.cpu import activations
from engine.kernels.cpu import attention as attention_kernels
from engine.kernels.cpu import rows as row_kernels
from engine.kernels.cpu.kinds import CACHE_KINDS, ROW_KINDS
from engine.kernels.formats import round_up

BUFFER_ALIGNMENT = 64


def aligned_zeros(n, dtype):
    """n zeros whose address is a multiple of 64."""
    item = np.dtype(dtype).itemsize
    raw = np.zeros(n * item + BUFFER_ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % BUFFER_ALIGNMENT
    return raw[start : start + n * item].view(dtype)


def padded(x, n):
    out = aligned_zeros(n, np.float32)
    out[: len(x)] = x
    return out


def _check_rows(rows, n, fmt):
    if rows.dtype != np.uint8 or rows.ndim != 2 or rows.shape[1] != fmt.stride(n) or not rows.flags.c_contiguous:
        raise ValueError(f"rows {rows.shape} {rows.dtype} are not {fmt.name} rows of {n} values")


def _quantised(x, n, fmt):
    width = fmt.padded(n)
    out = aligned_zeros(8 * width + 256, np.uint8)
    source = padded(x, round_up(width, 64))
    return out, activations.quantise_entry(ROW_KINDS[fmt.name], source.ctypes.data, out.ctypes.data, width)


def matvec(rows, n, fmt, x, fetch=0):
    """rows (r, stride) uint8, x (n,) float32 → (r,) float32."""
    _check_rows(rows, n, fmt)
    quantised, unit = _quantised(x, n, fmt)
    y = aligned_zeros(len(rows), np.float32)
    row_kernels.matvec(
        ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], quantised.ctypes.data, y.ctypes.data, 0, len(rows),
        fmt.padded(n), unit, fetch,
    )  # fmt: skip
    return y


def matvec_listed(rows, n, fmt, neurons, x):
    """As matvec, for the rows numbered by `neurons` (k,) int64."""
    _check_rows(rows, n, fmt)
    if len(neurons) and not (neurons.min() >= 0 and neurons.max() < len(rows)):
        raise ValueError("a row number is out of range")
    quantised, unit = _quantised(x, n, fmt)
    y = aligned_zeros(len(neurons), np.float32)
    listed = np.ascontiguousarray(neurons, np.int64)
    row_kernels.matvec_listed(
        ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], listed.ctypes.data, quantised.ctypes.data, y.ctypes.data,
        len(listed), fmt.padded(n), unit,
    )  # fmt: skip
    return y


def accumulate_down(acts, neurons, down, d, fmt, out):
    """Adds in place to out (d,) float32; see reference.accumulate_down."""
    _check_rows(down, d, fmt)
    if len(neurons) and not (neurons.min() >= 0 and neurons.max() < len(down)):
        raise ValueError("a row number is out of range")
    width = fmt.padded(d)
    y = padded(out, round_up(width, 64))
    listed = np.ascontiguousarray(neurons, np.int64)
    values = np.ascontiguousarray(acts, np.float32)
    row_kernels.accumulate_down_entry(
        ROW_KINDS[fmt.name], down.ctypes.data, down.shape[1], listed.ctypes.data, values.ctypes.data, y.ctypes.data,
        len(listed), width,
    )  # fmt: skip
    out[:] = y[:d]


def rms_norm(x, weight, eps):
    """x (d,), weight (d,) → (d,)."""
    n = round_up(len(x), 64)
    source, scale, out = padded(x, n), padded(weight, n), aligned_zeros(n, np.float32)
    activations.rms_norm(source.ctypes.data, scale.ctypes.data, out.ctypes.data, len(x), n, np.float32(eps))
    return out[: len(x)]


def layer_norm(x, weight, bias, eps):
    """x, weight, bias (d,) → (d,)."""
    n = round_up(len(x), 64)
    arrays = [padded(values, n) for values in (x, weight, bias)]
    out = aligned_zeros(n, np.float32)
    activations.layer_norm(*[a.ctypes.data for a in arrays], out.ctypes.data, len(x), n, np.float32(eps))
    return out[: len(x)]


def rope(x, table):
    """x (h, e), table (2, r/2) of one position → (h, e)."""
    out = np.zeros_like(x)
    flat = np.ascontiguousarray(table, np.float32)
    source = np.ascontiguousarray(x, np.float32)
    for h in range(len(x)):
        activations.rope(source[h].ctypes.data, out[h].ctypes.data, flat.ctypes.data, x.shape[1], 2 * flat.shape[1])
    return out


def silu_times(gate, up):
    n = round_up(len(gate), 8)
    g, u, out = padded(gate, n), padded(up, n), aligned_zeros(n, np.float32)
    activations.silu_times(g.ctypes.data, u.ctypes.data, out.ctypes.data, len(gate))
    return out[: len(gate)]


def attention(query, keys, values, cache):
    """query (h, e), keys and values (g, p, e) float32, stored as `cache` (f16, int8 or f32) → (h, e)."""
    h, e = query.shape
    g, n, _ = keys.shape
    width = round_up(e, 32 if cache == "int8" else 8)
    kind, item = CACHE_KINDS[cache], {"f16": np.float16, "f32": np.float32, "int8": np.int8}[cache]
    out = np.zeros((h, e), np.float32)
    scores, result = aligned_zeros(round_up(n, 8) + 8, np.float32), aligned_zeros(width, np.float32)
    ready = aligned_zeros(width, np.float32)
    for head in range(h):
        stored = []
        for source in (keys, values):
            kept, scales = aligned_zeros(n * width, item), aligned_zeros(n * width // 32 + 1, np.float32)
            for p in range(n):
                row = padded(source[head // (h // g), p], width)
                attention_kernels.append_entry(kind, row.ctypes.data, kept.ctypes.data, scales.ctypes.data, p, width)
            stored += [kept, scales]
        q = padded(query[head], width)
        attention_kernels.attend(
            kind, q.ctypes.data, *(a.ctypes.data for a in stored), result.ctypes.data, scores.ctypes.data,
            ready.ctypes.data, n, width, np.float32(1 / np.sqrt(e)),
        )  # fmt: skip
        out[head] = result[:e]
    return out


def unpack_rows(rows, n, fmt):
    """rows (r, stride) uint8 → (r, padded n) float32."""
    _check_rows(rows, n, fmt)
    out = np.empty((len(rows), fmt.padded(n)), np.float32)
    row_kernels.unpack_rows(
        ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], out.ctypes.data, 0, len(rows), out.shape[1]
    )
    return out
