"""The card rounds activations to the bits that the processor multiplies, for every format of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cpu import activations, gemm, prompt
from engine.kernels.cpu.kinds import ROW_KINDS
from engine.kernels.cpu.ops import aligned_zeros
from engine.kernels.cuda.ops import MAX_TOKENS
from engine.kernels.formats import round_up
from tests.kernels.card_runs import FORMATS, CardRuns, few, is_poison

WIDTHS = st.one_of(st.integers(1, 200), st.sampled_from([576, 1000, 4096, 5000]))


def as_the_processor(x, fmt):
    """What the integers stand for that the processor's kernel makes of x (n,)."""
    n = round_up(len(x), 64)
    source, out = aligned_zeros(n, np.float32), aligned_zeros(8 * n + 256, np.uint8)
    source[: len(x)] = x
    unit = np.float32(activations.quantise_entry(ROW_KINDS[fmt.name], source.ctypes.data, out.ctypes.data, n))
    if fmt.name == "int8":
        return (out[: 2 * n].view(np.int16).astype(np.float32) * unit)[: len(x)]
    scales = out[n : n + 2 * (n // 32)].view(np.int16).astype(np.int32)
    values = out[:n].view(np.int8).astype(np.int32) * np.repeat(scales, 32)
    return (values.astype(np.float32) * unit)[: len(x)]


def drawn(rng, shape, kind):
    """Activations as they come: even, with outliers, halfway between integers, mostly zero, tiny."""
    x = rng.standard_normal(shape)
    match kind:
        case "outliers":
            x *= 10.0 ** rng.integers(-3, 4, shape)
        case "halves":
            x = rng.integers(-254, 255, shape) * 0.5
        case "sparse":
            x *= rng.random(shape) < 0.1
        case "tiny":
            x *= 1e-22
    return x.astype(np.float32)


@pytest.mark.parametrize("name", ["int8", "int4"])
@few(20)
@given(
    n=WIDTHS, t=st.integers(1, MAX_TOKENS), in_place=st.booleans(), seed=st.integers(0, 2**31),
    kind=st.sampled_from(["even", "outliers", "halves", "sparse", "tiny"]),
)  # fmt: skip
def test_rounding_gives_the_bits_of_the_processors_kernel(device, name, n, t, in_place, seed, kind):
    card, fmt = CardRuns(device), FORMATS[name]
    x = drawn(np.random.default_rng(seed), (t, n), kind)

    def run():
        own = card.wide(x, n + 3)
        out = own if in_place else card.empty((t, n + 5))
        card.ops.round_activations(own, fmt, n, out)
        return (out,)

    (out,) = card.both(run)

    of_processor = np.stack([as_the_processor(row, fmt) for row in x])
    assert np.array_equal(out[:, :n], of_processor)
    assert np.array_equal(reference.round_activations(x, fmt), of_processor)
    assert is_poison(out[:, n:])


@few(10)
@given(runs=st.integers(1, 9), length=st.integers(1, 130), t=st.integers(1, MAX_TOKENS), seed=st.integers(0, 2**31))
def test_runs_are_rounded_by_themselves(device, runs, length, t, seed):
    card, fmt = CardRuns(device), FORMATS["int8"]
    x = drawn(np.random.default_rng(seed), (t, runs * length), "outliers")

    def run():
        own = card.wide(x, runs * length + 3)
        card.ops.round_activations(own, fmt, runs * length, own, run=length)
        return (own,)

    (out,) = card.both(run)

    alone = [as_the_processor(row, fmt) for row in x.reshape(-1, length)]
    assert np.array_equal(out[:, : runs * length], np.stack(alone).reshape(t, -1))
    assert np.array_equal(out[:, : runs * length], reference.round_activations(x, fmt, length))
    assert is_poison(out[:, runs * length :])


@pytest.mark.parametrize("name", ["int8", "int4"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_one_value_that_is_no_number_makes_its_token_none(device, name, wrong):
    card, fmt = CardRuns(device), FORMATS[name]
    x = drawn(np.random.default_rng(0), (3, 100), "even")
    x[1, 77] = wrong

    def run():
        out = card.empty(x.shape)
        card.ops.round_activations(card.put(x), fmt, 100, out)
        return (out,)

    (out,) = card.once(run)

    assert np.isnan(out[1]).all()
    assert np.isfinite(out[[0, 2]]).all()
    assert np.isnan(as_the_processor(x[1], fmt)).all()
    assert np.isnan(reference.round_activations(x, fmt)[1]).all()


@few(15)
@given(
    n=WIDTHS, t=st.integers(1, MAX_TOKENS), in_place=st.booleans(), seed=st.integers(0, 2**31),
    kind=st.sampled_from(["even", "outliers", "halves", "sparse", "tiny"]), is_wrong=st.booleans(),
)  # fmt: skip
def test_a_prompt_is_rounded_to_the_bits_of_the_processors_kernel(device, n, t, in_place, seed, kind, is_wrong):
    rng, card, padded = np.random.default_rng(seed), CardRuns(device), round_up(n, gemm.UNIT_VALUES)
    x = drawn(rng, (t, n), kind)
    if is_wrong:
        x[rng.integers(t), rng.integers(n)] = np.nan
    source, values = aligned_zeros(t * padded, np.float32), aligned_zeros(t * padded, np.int16)
    units = aligned_zeros(t * padded // gemm.UNIT_VALUES, np.float32)
    source.reshape(t, padded)[:, :n] = x
    prompt.quantise_tokens(
        source.ctypes.data, 4 * padded, 0, values.ctypes.data, 2 * padded, units.ctypes.data,
        4 * padded // gemm.UNIT_VALUES, padded, 0, t,
    )  # fmt: skip
    of_processor = values.astype(np.float32) * np.repeat(units, gemm.UNIT_VALUES)

    def run():
        own = card.wide(x, n + 3)
        out = own if in_place else card.empty((t, n + 5))
        card.ops.round_prompt(own, n, out)
        return (out,)

    (out,) = card.both(run)

    wanted = of_processor.reshape(t, padded)[:, :n]
    assert np.array_equal(out[:, :n], wanted, equal_nan=True)
    of_reference = reference.round_prompt(x, gemm.UNIT_VALUES, gemm.LARGEST_ACTIVATION)
    assert np.array_equal(of_reference, wanted, equal_nan=True)
    assert np.isnan(wanted).any() == is_wrong
    assert is_poison(out[:, n:])


@pytest.mark.parametrize("name", ["int8", "int4"])
@few(10)
@given(
    n=st.integers(1, 500), d=st.integers(1, 90), t=st.integers(1, MAX_TOKENS), share=st.sampled_from([0.0, 0.1, 1.0]),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_a_prompts_acts_are_rounded_as_the_processor_rounds_them(device, name, n, d, t, share, seed):
    rng, card, fmt = np.random.default_rng(seed), CardRuns(device), FORMATS[name]
    down = fmt.pack((rng.standard_normal((n, d)) * (rng.random((n, 1)) < 0.9)).astype(np.float32))
    numbers = [np.flatnonzero(rng.random(n) < share) for _ in range(t)]
    acts, lists = drawn(rng, (t, n), "outliers"), np.full((t, n), -1, np.int32)
    for row, of_token in zip(lists, numbers, strict=True):
        row[: len(of_token)] = of_token
    counts = np.array([len(of_token) for of_token in numbers], np.int32)

    def run():
        own = card.wide(acts, n + 3)
        card.ops.round_prompt_acts(own, card.put(lists), card.put(counts), card.put(down), fmt, d)
        return (own,)

    (out,) = card.both(run)

    padded = round_up(n, gemm.UNIT_VALUES)
    units, factors = aligned_zeros(padded // gemm.UNIT_VALUES, np.float32), aligned_zeros(padded, np.float32)
    gemm.row_units(ROW_KINDS[name], down.ctypes.data, down.shape[1], factors.ctypes.data, 0, n, fmt.padded(d))
    for token, of_token in enumerate(numbers):
        k, source, values = len(of_token), aligned_zeros(padded, np.float32), aligned_zeros(padded, np.int16)
        source[of_token] = acts[token, :k]
        prompt.quantise_tokens(
            source.ctypes.data, 4 * padded, factors.ctypes.data, values.ctypes.data, 2 * padded, units.ctypes.data,
            4 * padded // gemm.UNIT_VALUES, padded, 0, 1,
        )  # fmt: skip
        of_processor = (values.astype(np.float32) * np.repeat(units, gemm.UNIT_VALUES))[of_token]
        rows = factors[of_token]
        wanted = np.where(rows == 0, 0, of_processor / np.where(rows == 0, 1, rows)).astype(np.float32)
        assert np.array_equal(out[token, :k], wanted)
        of_reference = reference.round_prompt_acts(
            acts[token, :k], of_token, down, d, fmt, gemm.UNIT_VALUES, gemm.LARGEST_ACTIVATION
        )
        assert np.array_equal(of_reference, wanted)
        assert np.array_equal(out[token, k:n], acts[token, k:])


def test_float_rows_are_refused(device):
    card = CardRuns(device)

    def run():
        x = card.put(np.ones((1, 4), np.float32))
        card.ops.round_activations(x, FORMATS["f32"], 4, x)

    with pytest.raises(InternalError, match="f32"):
        card.once(run)
