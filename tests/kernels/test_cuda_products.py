"""The card's products of rows and activations against reference.py: every format, 1 to 8 tokens, odd sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cuda.ops import MAX_TOKENS
from tests.kernels.card_runs import FORMATS, CardRuns, assert_sums, few, is_poison, random_rows

FEW = few(8)


@pytest.mark.parametrize("name", FORMATS)
@FEW
@given(
    r=st.integers(1, 70), n=st.integers(1, 700), t=st.integers(1, MAX_TOKENS), biased=st.booleans(),
    rectified=st.booleans(), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_matvec_is_its_specification(device, name, r, n, t, biased, rectified, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS[name], CardRuns(device)
    packed, rows = random_rows(rng, r, n, fmt)
    x, bias = rng.standard_normal((t, n)).astype(np.float32), rng.standard_normal(r).astype(np.float32)

    def run():
        out = card.empty((t, r + 5))
        card.ops.matvec(
            card.put(packed), fmt, n, card.wide(x, n + 3), out, card.put(bias) if biased else None,
            is_rectified=rectified,
        )  # fmt: skip
        return (out,)

    (out,) = card.both(run)

    want = np.stack([reference.matvec(packed, n, fmt, row) for row in x]) + (bias if biased else 0)
    assert_sums(out[:, :r], np.maximum(want, 0) if rectified else want, np.abs(x) @ np.abs(rows).T + 4)
    assert is_poison(out[:, r:])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("n", [4096 + 32, 8192 + 1000])
def test_rows_longer_than_what_is_staged_at_a_time(device, name, n):
    rng, fmt, card = np.random.default_rng(5), FORMATS[name], CardRuns(device)
    packed, rows = random_rows(rng, 3, n, fmt)
    x = rng.standard_normal((MAX_TOKENS, n)).astype(np.float32)

    def run():
        out, one = card.empty((MAX_TOKENS, 3)), card.empty((1, 3))
        weights, values = card.put(packed), card.put(x)
        card.ops.matvec(weights, fmt, n, values, out)
        card.ops.matvec(weights, fmt, n, values[4:5], one)
        return out, one

    out, one = card.both(run)

    assert_sums(out, x.astype(np.float64) @ rows.astype(np.float64).T, np.abs(x) @ np.abs(rows).T)
    assert one[0].tobytes() == out[4].tobytes()


@pytest.mark.parametrize("name", FORMATS)
@FEW
@given(
    r=st.integers(1, 60), n=st.integers(1, 500), t=st.integers(1, MAX_TOKENS), biased=st.booleans(),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_listed_products_are_those_of_the_rows_listed(device, name, r, n, t, biased, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS[name], CardRuns(device)
    packed, rows = random_rows(rng, r, n, fmt)
    x, bias = rng.standard_normal((t, n)).astype(np.float32), rng.standard_normal(r).astype(np.float32)
    lists, counts = np.full((t, r + 3), -1, np.int32), np.zeros(t, np.int32)
    for token in range(t):
        listed = np.flatnonzero(rng.random(r) < rng.choice([0, 0.2, 1]))
        lists[token, : len(listed)], counts[token] = listed, len(listed)

    def run():
        out = card.empty((t, r + 2))
        card.ops.matvec_listed(
            card.put(packed), fmt, n, card.wide(x, n + 1), card.put(lists), card.put(counts), out,
            card.put(bias) if biased else None,
        )  # fmt: skip
        return (out,)

    (out,) = card.both(run)

    for token, k in enumerate(counts):
        listed = lists[token, :k]
        want = reference.matvec(packed[listed], n, fmt, x[token]) + (bias[listed] if biased else 0)
        assert_sums(out[token, :k], want, np.abs(rows[listed]) @ np.abs(x[token]) + 4)
        assert is_poison(out[token, k:])


@FEW
@given(r=st.integers(1, 70), n=st.integers(1, 700), t=st.integers(1, MAX_TOKENS), seed=st.integers(0, 2**31))
def test_a_prompts_int8_rows_are_multiplied_as_the_processors(device, r, n, t, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS["int8"], CardRuns(device)
    values = rng.standard_normal((r, n)) * 10.0 ** rng.integers(-4, 2, (r, 1)) * (rng.random((r, 1)) < 0.9)
    packed, x = fmt.pack(values.astype(np.float32)), rng.standard_normal((t, n)).astype(np.float32)
    listed = np.flatnonzero(rng.random(r) < 0.5).astype(np.int32)
    lists = np.tile(np.concatenate([listed, np.full(r - len(listed), -1, np.int32)]), (t, 1))

    def run():
        out, of_listed, rows = card.empty((t, r + 5)), card.empty((t, r + 2)), card.put(packed)
        own, counts = card.wide(x, n + 3), card.put(np.full(t, len(listed), np.int32))
        card.ops.matvec(rows, fmt, n, own, out, of_prompt=True)
        card.ops.matvec_listed(rows, fmt, n, own, card.put(lists), counts, of_listed, of_prompt=True)
        return out, of_listed

    out, of_listed = card.both(run)

    weights, unit = reference.int16_rows(packed, n, fmt)
    rows = weights[:, :n].astype(np.float64) * unit[:, None]
    want, magnitude = x.astype(np.float64) @ rows.T, np.abs(x) @ np.abs(rows).T
    assert_sums(out[:, :r], want, magnitude)
    assert_sums(of_listed[:, : len(listed)], want[:, listed], magnitude[:, listed])
    assert is_poison(out[:, r:])
    assert is_poison(of_listed[:, len(listed) :])


@pytest.mark.parametrize("name", FORMATS)
def test_a_tokens_bits_do_not_depend_on_how_many_there_are(device, name):
    rng, fmt, card = np.random.default_rng(11), FORMATS[name], CardRuns(device)
    packed, _ = random_rows(rng, 19, 333, fmt)
    x = rng.standard_normal((MAX_TOKENS, 333)).astype(np.float32)

    def run():
        weights, values = card.put(packed), card.put(x)
        outs = [card.empty((t, 19)) for t in range(1, MAX_TOKENS + 1)]
        for t, out in enumerate(outs, 1):
            card.ops.matvec(weights, fmt, 333, values[:t], out)
        return tuple(outs)

    *fewer, all_of_them = card.both(run)

    for out in fewer:
        assert out.tobytes() == all_of_them[: len(out)].tobytes()


@pytest.mark.parametrize("name", FORMATS)
def test_more_rows_than_one_grid_takes(device, name):
    rng, fmt, card = np.random.default_rng(12), FORMATS[name], CardRuns(device)
    r = 8 * 2048 + 9
    packed, rows = random_rows(rng, r, 20, fmt)
    x = rng.standard_normal((1, 20)).astype(np.float32)

    def run():
        out = card.empty((1, r))
        card.ops.matvec(card.put(packed), fmt, 20, card.put(x), out)
        return (out,)

    (out,) = card.once(run)

    assert_sums(out, x.astype(np.float64) @ rows.astype(np.float64).T, np.abs(x) @ np.abs(rows).T)


def test_what_does_not_fit_is_refused_by_name(device):
    card = CardRuns(device)
    int8 = FORMATS["int8"]
    rows, x, out = card.empty((4, int8.stride(64)), np.uint8), card.empty((2, 64)), card.empty((2, 4))

    def refused(*args, **options):
        with pytest.raises(InternalError) as caught:
            card.ops.matvec(*args, **options)
        assert caught.value.kind == "CardOps"
        assert "matvec" in caught.value.detail

    refused(rows, int8, 97, x, out)
    refused(rows, FORMATS["f32"], 64, x, out)
    refused(rows, int8, 64, card.empty((MAX_TOKENS + 1, 64)), card.empty((MAX_TOKENS + 1, 4)))
    refused(rows, int8, 64, x, card.empty((2, 3)))
    refused(rows, int8, 64, x, out, card.empty((3,)))
    refused(rows, int8, 64, x, card.empty((2, 4), np.float16))
    card.once(tuple)
