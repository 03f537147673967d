"""Norms and sums of the stream on the card, and predictors' scores, against reference.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cuda.ops import MAX_TOKENS
from engine.model.predictors import sign_bits
from tests.kernels.card_runs import FORMATS, CardRuns, few, is_poison, random_rows

FEW = few(10)
WIDTHS = st.one_of(st.integers(1, 70), st.integers(200, 700), st.sampled_from([4096, 5000]))


@pytest.mark.parametrize("kind", ["rms", "layer", "copy"])
@FEW
@given(
    d=WIDTHS, t=st.integers(1, MAX_TOKENS), in_place=st.booleans(), offset=st.sampled_from([0.0, 30.0]),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_norms_are_their_specification(device, kind, d, t, in_place, offset, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    x = (rng.standard_normal((t, d)) + offset).astype(np.float32)
    weight, bias = (rng.standard_normal(d).astype(np.float32) for _ in range(2))

    def run():
        own = card.wide(x, d + 2)
        out = own if in_place else card.empty((t, d + 5))
        card.ops.norm(
            own, None if kind == "copy" else card.put(weight), card.put(bias) if kind == "layer" else None, 1e-5, out, d
        )
        return (out,)

    (out,) = card.both(run)

    want = {
        "rms": lambda: reference.rms_norm(x, weight, 1e-5),
        "layer": lambda: reference.layer_norm(x, weight, bias, 1e-5),
        "copy": lambda: x,
    }[kind]()
    # a variance of few values around a large mean keeps fewer digits
    np.testing.assert_allclose(out[:, :d], want, rtol=2e-5, atol=2e-5 if offset == 0 or kind != "layer" else 2e-2)
    assert is_poison(out[:, d:])


@FEW
@given(
    d=WIDTHS, t=st.integers(1, MAX_TOKENS), shared=st.lists(st.booleans(), max_size=7), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_parts_are_added_in_their_order(device, d, t, shared, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    sizes = 10.0 ** rng.integers(-4, 4, len(shared) + 1)
    target = (rng.standard_normal((t, d)) * sizes[0]).astype(np.float32)
    parts = [
        (rng.standard_normal(d if is_shared else (t, d)) * size).astype(np.float32)
        for is_shared, size in zip(shared, sizes[1:], strict=True)
    ]

    def run():
        own = card.wide(target, d + 2)
        added = [card.put(part) if part.ndim == 1 else card.wide(part, d + i) for i, part in enumerate(parts)]
        card.ops.add(own, *added, width=d)
        return (own,)

    (own,) = card.both(run)

    want = target.copy()
    for part in parts:
        want += part
    assert np.array_equal(own[:, :d], want)
    assert is_poison(own[:, d:])


@FEW
@given(n=st.integers(0, 40000), first=st.sampled_from([0, 4, 16, 64]), seed=st.integers(0, 2**31))
def test_bytes_are_copied_and_no_others(device, n, first, seed):
    card = CardRuns(device)
    values = np.random.default_rng(seed).integers(0, 2**31, n // 4 + 1, np.int32)

    def run():
        source, target = card.put(values), card.empty((2 * first + 4 * len(values),), np.uint8)
        card.ops.copy(source, target[first : first + 4 * len(values)].view(np.int32))
        return (target,)

    (target,) = card.both(run)

    assert target[first : first + 4 * len(values)].tobytes() == values.tobytes()
    assert is_poison(target[:first])
    assert is_poison(target[first + 4 * len(values) :])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("is_rectified", [False, True])
@few(4)
@given(
    d=st.integers(1, 300), n=st.integers(1, 60), rank=st.integers(1, 70), t=st.integers(1, MAX_TOKENS),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_low_rank_scores_are_two_products_and_a_rounding_between_them(device, name, is_rectified, d, n, rank, t, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS[name], CardRuns(device)
    (inner, inner_rows), (outer, outer_rows) = random_rows(rng, rank, d, fmt), random_rows(rng, n, rank, fmt)
    x, bias = rng.standard_normal((t, d)).astype(np.float32), rng.standard_normal(n).astype(np.float32)

    def run():
        projected, scores = card.empty((t, rank + 2)), card.empty((t, n + 1))
        card.ops.low_rank_scores(
            card.wide(x, d + 1), card.put(inner), card.put(outer), card.put(bias), fmt, d, projected, scores,
            is_rectified=is_rectified,
        )  # fmt: skip
        return projected, scores

    projected, scores = card.both(run)

    for token, row in enumerate(x):
        between = np.maximum(inner_rows @ row, 0) if is_rectified else inner_rows @ row
        got = projected[token, :rank]
        step = np.abs(between).max() * {"int8": 1 / 32767, "int4": 1 / 127}.get(name, 0)  # rounded for the outer rows
        assert np.all(np.abs(got - between) <= 0.51 * step + 3e-6 * (np.abs(inner_rows) @ np.abs(row)) + 1e-6)
        want = outer_rows.astype(np.float64) @ got + bias
        assert np.all(np.abs(scores[token, :n] - want) <= 3e-6 * (np.abs(outer_rows) @ np.abs(got) + np.abs(bias)))


@FEW
@given(d=WIDTHS, n=st.integers(1, 60), t=st.integers(1, MAX_TOKENS), seed=st.integers(0, 2**31))
def test_sign_scores_equal_their_specification(device, d, n, t, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    x, rows = (rng.standard_normal(shape).astype(np.float32) for shape in ((t, d), (n, d)))
    x[rng.random((t, d)) < 0.2] = np.float32(-0.0)
    bias, signs = rng.standard_normal(n).astype(np.float32), sign_bits(rows)

    def run():
        scores = card.empty((t, n + 2))
        card.ops.sign_scores(card.wide(x, d + 1), d, card.put(signs), card.put(bias), scores)
        return (scores,)

    (scores,) = card.both(run)

    assert np.array_equal(scores[:, :n], np.stack([reference.sign_scores(row, signs, bias) for row in x]))
    assert is_poison(scores[:, n:])


def test_shapes_that_do_not_fit_are_refused(device):
    card = CardRuns(device)
    x, weight, short = card.empty((2, 8)), card.empty((8,)), card.empty((7,))

    with pytest.raises(InternalError):
        card.ops.norm(x, short, None, 1e-5, x, 8)
    with pytest.raises(InternalError):
        card.ops.norm(x, weight, short, 1e-5, x, 8)
    with pytest.raises(InternalError):
        card.ops.norm(x, weight, None, 1e-5, x, 9)
    with pytest.raises(InternalError):
        card.ops.add(x, card.empty((1, 8)))
    with pytest.raises(InternalError):
        card.ops.copy(weight, short)
    with pytest.raises(InternalError):
        card.ops.sign_scores(x, 8, card.empty((3, 2), np.uint64), weight, x)
    card.once(tuple)
