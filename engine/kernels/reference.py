"""Every operation of the engine in numpy: the specification.

The kernels of each backend have these names, arguments and in-place rules and are held against this file by tests with
odd shapes. Letters: d model width, n neurons, k active neurons, h heads, g key/value heads, e head width, t tokens,
p positions, v vocabulary. Everything here is float32 unless said otherwise.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Bytes, Float32, Int64, RowFormat


def rms_norm(x: Float32, weight: Float32, eps: float) -> Float32:
    """x (…, d), weight (d,) → (…, d): x / sqrt(mean(x²) + eps) * weight. Source: Zhang and Sennrich, 2019."""
    mean_square = np.mean(np.square(x, dtype=np.float64), axis=-1, keepdims=True)
    return np.asarray(x / np.sqrt(mean_square + eps) * weight, np.float32)


def rope_table(positions: Int64, head_width: int, base: float) -> Float32:
    """positions (t,) → (t, 2, e/2).

    Cosines and sines. Source: Su et al., 2021, with the half-split pairing of the hub.
    """
    frequency = base ** (-np.arange(0, head_width, 2, dtype=np.float64) / head_width)
    angle = positions[:, None].astype(np.float64) * frequency
    return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)


def rope(x: Float32, table: Float32) -> Float32:
    """x (t, h, e), table (t, 2, e/2) → (t, h, e): rotates the pairs (i, i + e/2)."""
    half = x.shape[-1] // 2
    cos, sin = table[:, None, 0], table[:, None, 1]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def silu(x: Float32) -> Float32:
    return np.asarray(x / (1 + np.exp(-x.astype(np.float64))), np.float32)


def relu(x: Float32) -> Float32:
    return np.maximum(x, np.float32(0))


ACTIVATIONS = {"silu": silu, "relu": relu}


def matvec(rows: Bytes, n: int, fmt: RowFormat, x: Float32) -> Float32:
    """rows (r, stride) in `fmt`, x (n,) → (r,): one dot product a row, summed in float64."""
    return np.asarray(fmt.unpack(rows, n).astype(np.float64) @ x.astype(np.float64), np.float32)


def accumulate_down(acts: Float32, neurons: Int64, down: Bytes, d: int, fmt: RowFormat, out: Float32) -> None:
    """Add the active neurons' contribution to the layer output, in place.

    acts (k,); neurons (k,) row numbers, ascending; down (n, stride) in `fmt`: row i is the i-th column of W_down; out
    (d,). Source: the sparse axpy of PowerInfer (Song et al., 2023).
    """
    out += np.asarray(acts.astype(np.float64) @ fmt.unpack(down[neurons], d).astype(np.float64), np.float32)


def feed_forward(
    x: Float32, gate: Bytes, up: Bytes, down: Bytes, n_in: int, fmt: RowFormat, activation: str
) -> tuple[Float32, int]:
    """x (d,) → (d,) and the number of active neurons: down · (act(gate · x) * (up · x)), silent neurons left out.

    A neuron is silent where the activation is exactly zero: never with silu, often with relu.
    """
    acts = ACTIVATIONS[activation](matvec(gate, n_in, fmt, x))
    active = np.flatnonzero(acts).astype(np.int64)
    acts = acts[active] * matvec(up[active], n_in, fmt, x)
    out = np.zeros(n_in, np.float32)
    accumulate_down(acts, active, down, n_in, fmt, out)
    return out, len(active)


def attention(query: Float32, keys: Float32, values: Float32) -> Float32:
    """query (h, e), keys and values (g, p, e) → (h, e).

    Softmax(q·k / sqrt(e)) · v, h/g query heads to each key head.
    """
    h, e = query.shape
    g = keys.shape[0]
    q = query.reshape(g, h // g, e).astype(np.float64)
    scores = np.einsum("gqe,gpe->gqp", q, keys.astype(np.float64)) / np.sqrt(e)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.asarray(np.einsum("gqp,gpe->gqe", weights, values.astype(np.float64)).reshape(h, e), np.float32)


def quantise_int16(x: Float32) -> tuple[NDArray[np.int16], float]:
    """x (n,) → int16 values and their unit: the activations of int8 rows."""
    unit = max(float(np.abs(x).max(initial=0)), 1e-20) / 32767
    return np.rint(x / np.float32(unit)).astype(np.int16), unit


def quantise_grouped_int8(x: Float32) -> tuple[NDArray[np.int8], NDArray[np.int16], float]:
    """x (n,), n a multiple of 32 → int8 values, a 7-bit integer scale a group of 32, and the unit.

    Those of int4 rows.
    """
    groups = x.reshape(-1, 32)
    largest = np.abs(groups).max(axis=1)
    unit = max(float(largest.max(initial=0)), 1e-20) / (127 * 127)
    scale = np.clip(np.ceil(largest / (unit * 127) - 1e-4), 1, 127).astype(np.int16)
    values = np.rint(groups / (np.float32(unit) * scale[:, None]))
    return values.astype(np.int8).reshape(-1), scale, unit
