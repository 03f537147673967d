"""Every operation of the engine in numpy: the specification.

The kernels of each backend have these names, arguments and in-place rules and are held against this file by tests with
odd shapes. Letters: d model width, n neurons, k active neurons, h heads, g key/value heads, e head width, t tokens,
p positions, v vocabulary. Everything here is float32 unless said otherwise.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import GROUP, Bytes, Float32, Int64, RowFormat, round_up


def rms_norm(x: Float32, weight: Float32, eps: float) -> Float32:
    """x (…, d), weight (d,) → (…, d): x / sqrt(mean(x²) + eps) * weight. Source: Zhang and Sennrich, 2019."""
    mean_square = np.mean(np.square(x, dtype=np.float64), axis=-1, keepdims=True)
    return np.asarray(x / np.sqrt(mean_square + eps) * weight, np.float32)


def layer_norm(x: Float32, weight: Float32, bias: Float32, eps: float) -> Float32:
    """x (…, d), weight and bias (d,) → (…, d): (x - mean) / sqrt(variance + eps) * weight + bias. Source: Ba et al."""
    wide = x.astype(np.float64)
    centred = wide - wide.mean(axis=-1, keepdims=True)
    variance = np.mean(np.square(centred), axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + eps) * weight + bias, np.float32)


def rope_table(positions: Int64, frequencies: NDArray[np.float64], factor: float = 1.0) -> Float32:
    """positions (t,), frequencies (r/2,) → (t, 2, r/2): cosines and sines, times `factor`. Source: Su et al., 2021."""
    angle = positions[:, None].astype(np.float64) * frequencies
    return np.asarray(factor * np.stack([np.cos(angle), np.sin(angle)], axis=1), np.float32)


def rope(x: Float32, table: Float32) -> Float32:
    """x (t, h, e), table (t, 2, r/2) → (t, h, e).

    Rotates the pairs (i, i + r/2) of the first r values, as the hub does.
    """
    half = table.shape[-1]
    cos, sin = table[:, None, 0], table[:, None, 1]
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos, rest], axis=-1)


def silu(x: Float32) -> Float32:
    with np.errstate(over="ignore"):  # exp of a large number is infinite, and x / infinity the right zero
        return np.asarray(x / (1 + np.exp(-x.astype(np.float64))), np.float32)


def activate(x: Float32, activation: str, threshold: float = 0.0) -> Float32:
    """What the first product becomes.

    Silu; max(x, 0) (relu, drelu); x where x >= threshold (fatrelu); max(x, 0)² (relu2).
    """
    match activation:
        case "silu":
            return silu(x)
        case "fatrelu":
            return np.where(x < np.float32(threshold), np.float32(0), x)
        case "relu2":
            return np.square(np.maximum(x, np.float32(0)))
        case _:
            return np.maximum(x, np.float32(0))


def alive(products: Float32, activation: str, least: float) -> Int64:
    """products (n,) of neurons' first rows → the places, ascending, of those that go on.

    Above zero, and `least` at least (fatrelu's threshold, or a cut); with silu all of them. What is no number goes on,
    so that it is noticed in what comes of it.
    """
    goes_on = ~((products <= 0) | (products < np.float32(least)))
    return np.arange(len(products)) if activation == "silu" else np.flatnonzero(goes_on)


def finish_acts(products: Float32, ups: Float32 | None, activation: str) -> Float32:
    """products (k,) of neurons that are alive, ups (k,) unless there is no gate → factors of their down rows (k,).

    With drelu zero where the up product is not positive.
    """
    acts = activate(products, activation)
    if ups is None:
        return acts
    return acts * (np.maximum(ups, np.float32(0)) if activation == "drelu" else ups)


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
    x: Float32, gate: Bytes | None, up: Bytes, down: Bytes, fmt: RowFormat, activation: str, threshold: float,
    first_bias: Float32 | None, candidates: Int64 | None = None, up_bias: Float32 | None = None, cut: float = 0.0,
) -> tuple[Float32, int, int]:  # fmt: skip
    """x (d,) → (d,), with how many neurons were examined past their first product and how many were active.

    gate, up, down (n, stride): down · (act(gate · x + first_bias) * (up · x + up_bias)), or without a gate
    down · act(up · x + first_bias). A neuron is silent where the activation is exactly zero, never with silu; with
    drelu also where up · x + up_bias is not positive. With `candidates`, ascending row numbers, all others are silent
    too; and with a `cut` above zero those whose gate · x + first_bias is below it (relu2: before it is squared), but
    for silu, which is never cut.
    """
    n = x.shape[0]
    first = up if gate is None else gate
    numbers = np.arange(len(first), dtype=np.int64) if candidates is None else candidates
    product = matvec(first[numbers], n, fmt, x)
    if first_bias is not None:
        product = product + first_bias[numbers]
    acts = activate(product, activation, threshold)
    if cut > 0 and activation != "silu":
        acts = np.where(product < np.float32(cut), np.float32(0), acts)
    alive = np.arange(len(acts)) if activation == "silu" else np.flatnonzero(acts)
    active = numbers[alive]
    examined = len(active)
    acts = acts[alive]
    if gate is not None:
        ups = matvec(up[active], n, fmt, x)
        if up_bias is not None:
            ups = ups + up_bias[active]
        if activation == "drelu":
            kept = ~(ups <= 0)
            active, acts, ups = active[kept], acts[kept], ups[kept]
        acts = acts * ups
    out = np.zeros(n, np.float32)
    accumulate_down(acts, active, down, n, fmt, out)
    return out, examined, len(active)


def low_rank_scores(
    x: Float32, inner: Bytes, outer: Bytes, bias: Float32, fmt: RowFormat, *, is_rectified: bool = False
) -> Float32:
    """x (d,), inner (r, stride of d), outer (n, stride of r), bias (n,) → (n,): outer · (inner · x) + bias.

    Rectified, outer · max(inner · x, 0) + bias. The neurons of a positive score are the candidates of `feed_forward`.
    Sources: the predictors of Deja Vu (Liu et al., 2023) and, rectified, of PowerInfer (Song et al., 2023).
    """
    projected = matvec(inner, x.shape[0], fmt, x)
    if is_rectified:
        projected = np.maximum(projected, np.float32(0))
    return matvec(outer, len(inner), fmt, projected) + bias


def sign_words(x: Float32) -> NDArray[np.uint64]:
    """x (d,) → (d / 64 rounded up,): bit i of word j is set where x[64 j + i] is below zero."""
    below = np.zeros(round_up(len(x), 64), np.bool_)
    below[: len(x)] = x < 0
    return np.packbits(below, bitorder="little").view("<u8").astype(np.uint64)


def sign_scores(x: Float32, signs: NDArray[np.uint64], bias: Float32) -> Float32:
    """x (d,), signs (n, words) of the neurons' rows, bias (n,) → (n,): on how many of d values x and a row have the
    same sign, less d / 2, plus the bias.

    Zeros have the sign of positive numbers. Source: SparseInfer (Shin et al., 2024).
    """
    differing = np.bitwise_count(signs ^ sign_words(x)).sum(axis=1, dtype=np.int64)
    return np.asarray((len(x) - 2 * differing).astype(np.float32) * np.float32(0.5) + bias, np.float32)


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


def quantise_int16(x: Float32) -> tuple[NDArray[np.int16], np.float32]:
    """x (n,) → int16 values and their unit: the activations of int8 rows."""
    unit = np.maximum(np.abs(x).max(initial=np.float32(0)), np.float32(1e-20)) / np.float32(32767)
    return np.rint(x * (np.float32(1) / unit)).astype(np.int16), np.float32(unit)


def quantise_grouped_int8(x: Float32) -> tuple[NDArray[np.int8], NDArray[np.int16], np.float32]:
    """x (n,), n a multiple of 32 → int8 values, a 7-bit integer scale a group of 32, and the unit.

    Those of int4 rows.
    """
    groups = x.reshape(-1, 32)
    largest = np.abs(groups).max(axis=1)
    unit = np.maximum(largest.max(initial=np.float32(0)), np.float32(1e-20)) / np.float32(127 * 127)
    exact = largest / (unit * np.float32(127)) - np.float32(1e-4)
    scale = np.clip(np.ceil(exact), 1, 127).astype(np.int16)
    values = np.rint(groups * (np.float32(1) / (unit * scale.astype(np.float32)))[:, None])
    return values.astype(np.int8).reshape(-1), scale, np.float32(unit)


def round_activations(x: Float32, fmt: RowFormat, run: int = 0) -> Float32:
    """x (…, n) → (…, n): what a product with rows in `fmt` multiplies in its place, as floats.

    Each row's integers of `quantise_int16` or `quantise_grouped_int8` times their unit; with a `run` above zero each
    next `run` values are quantised by themselves. Float rows take x as it is. A row in which one value is no number, or
    infinite, is none altogether.
    """
    if fmt.name not in ("int8", "int4"):
        return x.copy()
    out = np.full(x.shape, np.nan, np.float32)
    rows = x.reshape(-1, run or x.shape[-1])
    for row, rounded in zip(rows, out.reshape(rows.shape), strict=True):
        if not np.isfinite(row).all():
            continue
        if fmt.name == "int8":
            values, unit = quantise_int16(row)
            rounded[:] = values.astype(np.float32) * unit
            continue
        wide = np.zeros(round_up(len(row), GROUP), np.float32)
        wide[: len(row)] = row
        small, scale, unit = quantise_grouped_int8(wide)
        rounded[:] = ((small.astype(np.int32) * np.repeat(scale, GROUP)).astype(np.float32) * unit)[: len(row)]
    return out


# Many tokens at once ----------------------------------------------------------------------------------------------


def quantise_units(x: Float32, unit_values: int, largest: int) -> tuple[NDArray[np.int16], Float32]:
    """x (t, n), n a multiple of `unit_values` → int16 (t, n) and their units (t, n / unit_values).

    The activations of many tokens: each token's next `unit_values` values share a unit, of which the largest of them
    is `largest`.
    """
    blocks = x.reshape(len(x), -1, unit_values)
    unit = np.maximum(np.abs(blocks).max(axis=2), np.float32(1e-30)) / np.float32(largest)
    values = np.rint(blocks * (np.float32(1) / unit)[:, :, None])
    return values.astype(np.int16).reshape(x.shape), np.asarray(unit, np.float32)


def round_prompt(x: Float32, unit_values: int, largest: int) -> Float32:
    """x (t, n) → (t, n): what a product of many tokens multiplies in its place, the integers of `quantise_units` times
    their units, as floats. Where one of the values that share a unit is no number, or infinite, all of them are none.
    """
    wide = np.zeros((len(x), round_up(x.shape[1], unit_values)), np.float32)
    wide[:, : x.shape[1]] = np.where(np.isfinite(x), x, np.float32(0))
    values, units = quantise_units(wide, unit_values, largest)
    rounded = values.astype(np.float32) * np.repeat(units, unit_values, axis=1)
    tainted = np.zeros(wide.shape, np.bool_)
    tainted[:, : x.shape[1]] = ~np.isfinite(x)
    of_unit = tainted.reshape(len(x), -1, unit_values).any(axis=2)
    rounded[np.repeat(of_unit, unit_values, axis=1)] = np.nan
    return rounded[:, : x.shape[1]].copy()


def round_prompt_acts(
    acts: Float32, neurons: Int64, down: Bytes, d: int, fmt: RowFormat, unit_values: int, largest: int
) -> Float32:
    """acts (k,) of listed neurons of one token of a prompt → (k,): what `multiply_down` multiplies in their place.

    Each act times its row's unit is rounded as `round_prompt` does, where the next `unit_values` neurons, listed or
    not, share a unit; then divided by the row's unit again, and zero where that is.
    """
    wide, row_unit = np.zeros((1, len(down)), np.float32), int16_rows(down, d, fmt)[1]
    wide[0, neurons] = acts * row_unit[neurons]
    rounded, units = round_prompt(wide, unit_values, largest)[0, neurons], row_unit[neurons]
    return np.asarray(np.where(units == 0, np.float32(0), rounded / np.where(units == 0, np.float32(1), units)))


def int16_rows(rows: Bytes, n: int, fmt: RowFormat) -> tuple[NDArray[np.int16], Float32]:
    """rows (r, stride) of int8 or int4 → int16 (r, padded n) and the unit of each row (r,).

    int4 exactly, (nibble - 8) * group scale; int8 with 1/32 of the row's largest group scale as the unit, each group's
    share of that scale in 1/32767 and the product rounded to the nearest, halves upwards.
    """
    width = fmt.padded(n)
    if fmt.name == "int4":
        unit = np.ascontiguousarray(rows[:, :4]).view(np.float32)[:, 0].copy()
        exact = fmt.unpack(rows, width) / np.where(unit == 0, np.float32(1), unit)[:, None]
        return np.rint(exact).astype(np.int16), unit
    groups = width // GROUP
    scale = np.ascontiguousarray(rows[:, : 2 * groups]).view(np.float16).astype(np.float32)
    unit = np.abs(scale).max(axis=1) * np.float32(32768 / (32 * 32767))
    ratio = np.rint(scale * (np.float32(1024) / np.where(unit == 0, np.float32(np.inf), unit))[:, None])
    start = round_up(2 * groups, 32)
    values = np.ascontiguousarray(rows[:, start : start + width]).view(np.int8).reshape(len(rows), groups, GROUP)
    product = values.astype(np.int64) * 32 * ratio.astype(np.int64)[:, :, None]
    return ((product + (1 << 14)) >> 15).astype(np.int16).reshape(len(rows), width), unit


def multiply_rows(rows: Bytes, n: int, fmt: RowFormat, x: NDArray[np.int16], units: Float32) -> Float32:
    """rows (r, stride); x (t, at least padded n) with its units, of quantise_units → (t, r): x · rowsᵀ."""
    weights, row_unit = int16_rows(rows, n, fmt)
    return np.asarray((_scaled(x, units)[:, : weights.shape[1]] @ weights.astype(np.float64).T) * row_unit, np.float32)


def multiply_down(down: Bytes, d: int, fmt: RowFormat, x: NDArray[np.int16], units: Float32) -> Float32:
    """down (k, stride); x (t, at least k) with its units, of activations times each row's unit → (t, padded d)."""
    weights, _ = int16_rows(down, d, fmt)
    return np.asarray(_scaled(x, units)[:, : len(down)] @ weights.astype(np.float64), np.float32)


def _scaled(x: NDArray[np.int16], units: Float32) -> NDArray[np.float64]:
    return x.astype(np.float64) * np.repeat(units.astype(np.float64), x.shape[1] // units.shape[1], axis=1)


def softmax_visible(scores: Float32, position: int, window: int, scale: float) -> Float32:
    """scores (t, n) of the tokens from `position` on → (t, n): softmax of scale * scores over what each token may see.

    That is itself and what came before, with a `window` > 0 only so many positions; elsewhere the result is 0.
    """
    t, n = scores.shape
    seen, at = position + 1 + np.arange(t)[:, None], np.arange(n)[None, :]
    visible = (at < seen) & ((at >= seen - window) if window else True)
    wide = np.where(visible, scores.astype(np.float64) * scale, -np.inf)
    weights = np.exp(wide - wide.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def quantise_cache(rows: Float32) -> tuple[NDArray[np.int8], Float32]:
    """rows (…, e), e a multiple of 32 → int8 (…, e) and a scale a group of 32 (…, e/32): an int8 cache's rows."""
    groups = rows.reshape(*rows.shape[:-1], -1, GROUP)
    scale = np.maximum(np.abs(groups).max(axis=-1), np.float32(1e-30)) / np.float32(127)
    values = np.rint(groups * (np.float32(1) / scale)[..., None])
    return values.astype(np.int8).reshape(rows.shape), np.asarray(scale, np.float32)


def cached(rows: Float32, kind: str) -> Float32:
    """rows (…, e) as a cache of this kind (f32, f16, int8) gives them back."""
    if kind == "f32":
        return rows
    if kind == "f16":
        return rows.astype(np.float16).astype(np.float32)
    e = rows.shape[-1]
    wide = np.zeros((*rows.shape[:-1], round_up(e, GROUP)), np.float32)
    wide[..., :e] = rows
    values, scale = quantise_cache(wide)
    return np.asarray(values.astype(np.float32) * np.repeat(scale, GROUP, axis=-1), np.float32)[..., :e]
