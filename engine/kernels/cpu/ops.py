"""The CPU kernels as functions of arrays, named as in `reference.py`: what tests and the prefill call.

These check shapes and types, then hand addresses to the compiled kernels; a kernel itself checks nothing. The decode
step does not pass through here: it is one compiled function (`decode.py`).
"""

import numpy as np

from engine.kernels.cpu import activations, gemm, predict, prompt
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


def sign_scores(x, signs, bias):
    """x (d,), signs (n, words) uint64, bias (n,) float32 → (n,) float32."""
    words = round_up(len(x), 64) // 64
    if signs.dtype != np.uint64 or signs.shape != (len(bias), words) or not signs.flags.c_contiguous:
        raise ValueError(f"signs {signs.shape} {signs.dtype} are not those of {len(bias)} rows of {len(x)} values")
    source, packed = padded(x, 64 * words), aligned_zeros(words, np.uint64)
    predict.pack_signs(source.ctypes.data, packed.ctypes.data, 64 * words)
    scores, constants = aligned_zeros(len(bias), np.float32), np.ascontiguousarray(bias, np.float32)
    predict.sign_scores(
        signs.ctypes.data, words, len(x), packed.ctypes.data, 0, constants.ctypes.data, scores.ctypes.data, 0, 1, 0,
        len(bias),
    )  # fmt: skip
    return scores


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


def quantise_units(x, factors=None):
    """x (t, n), times factors (n,) → int16 (t, n padded) and units (t, n padded / UNIT_VALUES)."""
    t, n = x.shape
    width = round_up(n, gemm.UNIT_VALUES)
    source = _matrix(x, t, width)
    scale = None if factors is None else padded(factors, width)
    out = aligned_zeros(t * width, np.int16).reshape(t, width)
    units = aligned_zeros(t * width // gemm.UNIT_VALUES, np.float32).reshape(t, -1)
    prompt.quantise_tokens(
        source.ctypes.data, source.strides[0], 0 if scale is None else scale.ctypes.data, out.ctypes.data,
        out.strides[0], units.ctypes.data, units.strides[0], width, 0, t,
    )  # fmt: skip
    return out, units


def row_units(rows, n, fmt):
    """rows (r, stride) uint8 → (r,) float32: what the int16 form of each row is multiplied by."""
    _check_rows(rows, n, fmt)
    units = aligned_zeros(len(rows), np.float32)
    gemm.row_units(ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], units.ctypes.data, 0, len(rows), fmt.padded(n))
    return units


def multiply_rows(rows, n, fmt, x, units):
    """rows (r, stride) uint8; x and units as of quantise_units → (t, r) float32."""
    _check_rows(rows, n, fmt)
    y = _multiply(gemm.multiply_rows, rows, n, fmt, x, units, fmt.padded(n), round_up(len(rows), 64), None)
    return y[:, : len(rows)]


def multiply_down(down, d, fmt, x, units, factors):
    """down (k, stride) uint8; x and units as of quantise_units of activations times `factors` (k,) → (t, d) float32.

    `factors` are the row_units of down.
    """
    _check_rows(down, d, fmt)
    return _multiply(gemm.multiply_down, down, d, fmt, x, units, len(down), fmt.padded(d), factors)[:, :d]


def _multiply(kernel, rows, n, fmt, x, units, summed, outputs, factors):
    t = len(x)
    if x.shape[1] < round_up(summed, gemm.UNIT_VALUES) or units.shape != (t, x.shape[1] // gemm.UNIT_VALUES):
        raise ValueError(f"activations {x.shape} with units {units.shape} do not fit {summed} values")
    tokens = round_up(t, gemm.TILE_TOKENS)
    activations_, units_ = _matrix(x, tokens, x.shape[1], np.int16), _matrix(units, tokens, units.shape[1])
    y = aligned_zeros(tokens * outputs, np.float32).reshape(tokens, outputs)
    panel, stop = aligned_zeros(gemm.PANEL_BYTES, np.uint8), aligned_zeros(8, np.int64)
    scratch = aligned_zeros(gemm.PANEL_OUTPUTS, np.float32) if factors is None else padded(factors, len(rows))
    kernel(
        ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], len(rows), fmt.padded(n), activations_.ctypes.data,
        activations_.strides[0], units_.ctypes.data, units_.strides[0], y.ctypes.data, y.strides[0], tokens, 0,
        outputs, panel.ctypes.data, scratch.ctypes.data, stop.ctypes.data,
    )  # fmt: skip
    return y[:t]


def _matrix(x, rows, columns, dtype=np.float32):
    """x and zeros around it, (rows, columns), aligned."""
    out = aligned_zeros(rows * columns, dtype).reshape(rows, columns)
    out[: len(x), : x.shape[1]] = x
    return out


def softmax_visible(scores, position, window, scale):
    """scores (t, n) float32 → (t, n); see reference.softmax_visible."""
    t, n = scores.shape
    out = _matrix(scores, t, round_up(n, 8))
    prompt.softmax_tokens(out.ctypes.data, out.strides[0], out.shape[1], position, window, np.float32(scale), t)
    return out[:, :n]


def activate(products, ups, bias, activation, threshold):
    """products (t, n), ups (t, n) or None, bias (n,) or None, an activation of kinds.py → (t, n)."""
    t, n = products.shape
    width = round_up(n, 8)
    out = _matrix(products, t, width)
    second = out if ups is None else _matrix(ups, t, width)
    added = None if bias is None else padded(bias, width)
    prompt.activate_tokens(
        out.ctypes.data, second.ctypes.data, out.strides[0], 0 if added is None else added.ctypes.data, n, width,
        activation, int(ups is not None), np.float32(threshold), 0, t,
    )  # fmt: skip
    return out[:, :n]


def cache_rows(rows, cache):
    """rows (p, e) float32 → what this kind of cache holds, (p, e padded) and scales, and (p, e) float32 read back.

    Scales are (p, e padded / 32) for int8 and without meaning otherwise.
    """
    p, e = rows.shape
    width = round_up(e, 32 if cache == "int8" else 8)
    kind, item = CACHE_KINDS[cache], {"f16": np.float16, "f32": np.float32, "int8": np.int8}[cache]
    source = _matrix(rows, p, width)
    kept, scales = aligned_zeros(p * width, item).reshape(p, width), aligned_zeros(p * (width // 32), np.float32)
    scratch, back = aligned_zeros(width, np.float32), aligned_zeros(p * width, np.float32).reshape(p, width)
    prompt.append_tokens(
        kind, source.ctypes.data, source.strides[0], kept.ctypes.data, scales.ctypes.data, 0, e, width,
        scratch.ctypes.data, 0, p,
    )  # fmt: skip
    attention_kernels.read_rows(kind, kept.ctypes.data, scales.ctypes.data, back.ctypes.data, p, width)
    return kept, scales.reshape(p, -1), back[:, :e]
