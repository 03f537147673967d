"""What went wrong in another engine's sparse kernels must not go wrong in ours: one test a defect.

They are the defects of PowerInfer's kernels that the project's study of it lists under these letters.
"""

import numpy as np
import pytest

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cuda.ops import MAX_TOKENS, down_parts
from tests.kernels.card_runs import FORMATS, CardRuns, assert_sums, random_rows


def test_c_partial_sums_are_added_in_one_order(device):
    rng, fmt, card, n, d = np.random.default_rng(1), FORMATS["int8"], CardRuns(device), 2000, 130
    packed, _ = random_rows(rng, n, d, fmt)
    acts = (rng.standard_normal((1, n)) * 10.0 ** rng.integers(-6, 6, n)).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = card.put(np.arange(n, dtype=np.int32)[None]), card.put(np.array([n], np.int32))
        values, rows, outs = card.put(acts), card.put(packed), [card.empty((1, d)) for _ in range(4)]
        for os_threads, out in enumerate(outs, 1):
            if device.is_emulated:
                device.os_threads = os_threads
            card.ops.accumulate_down(values, lists, counts, rows, fmt, d, out)
            device.synchronise()
        return tuple(outs)

    try:
        outs = card.both(run)
    finally:
        if device.is_emulated:
            device.os_threads = 1

    assert len({out.tobytes() for out in outs}) == 1


@pytest.mark.parametrize("stored", FORMATS)
def test_d_rows_are_read_in_their_own_format_or_refused(device, stored):
    rng, card, n = np.random.default_rng(2), CardRuns(device), 700  # rows of each format as long as no other
    packed, rows = random_rows(rng, 5, n, FORMATS[stored])
    x = rng.standard_normal((1, n)).astype(np.float32)

    def run():
        own, values, out = card.put(packed), card.put(x), card.empty((1, 5))
        card.ops.matvec(own, FORMATS[stored], n, values, out)
        for name, other in FORMATS.items():
            if name != stored:
                with pytest.raises(InternalError):
                    card.ops.matvec(own, other, n, values, card.empty((1, 5)))
        with pytest.raises(InternalError):
            card.ops.matvec(own, Unknown(FORMATS[stored]), n, values, out)
        return (out,)

    (out,) = card.both(run)

    assert_sums(out, x @ rows.T, np.abs(x) @ np.abs(rows.T))


class Unknown:
    """A format of another name whose rows are as long."""

    name = "q5_1"

    def __init__(self, like) -> None:
        self._like = like

    def stride(self, n: int) -> int:
        return self._like.stride(n)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seed", range(3))
def test_e_a_random_bucket_of_neurons_contributes_what_it_does_in_the_dense_product(device, name, seed):
    rng, fmt, card, n, d = np.random.default_rng(seed), FORMATS[name], CardRuns(device), 90, 70
    bucket = np.sort(rng.choice(n, int(rng.integers(1, n)), replace=False))
    gate, up, down = (random_rows(rng, n, d, fmt)[0] for _ in range(3))
    x = rng.standard_normal((MAX_TOKENS, d)).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        k, t = len(bucket), MAX_TOKENS
        hot = [card.put(np.ascontiguousarray(rows[bucket])) for rows in (gate, up, down)]
        values, acts, ups, out = card.put(x), card.empty((t, k)), card.empty((t, k)), card.empty((t, d))
        lists, counts, active = card.empty((t, k), np.int32), card.empty((t,), np.int32), card.empty((t,), np.int32)
        card.ops.matvec(hot[0], fmt, d, values, acts)
        card.ops.alive(acts, k, 0.0, "relu", lists, counts)
        card.ops.matvec_listed(hot[1], fmt, d, values, lists, counts, ups)
        card.ops.finish_acts(acts, ups, counts, "relu", active)
        card.ops.accumulate_down(acts, lists, counts, hot[2], fmt, d, out)
        return (out, active)

    out, active = card.both(run)

    others = np.setdiff1d(np.arange(n), bucket)
    for token, row in enumerate(x):
        dense, _, all_active = reference.feed_forward(row, gate, up, down, fmt, "relu", 0.0, None)
        cold, _, cold_active = reference.feed_forward(
            row, gate, up, down, fmt, "relu", 0.0, None, candidates=others.astype(np.int64)
        )
        np.testing.assert_allclose(out[token] + cold, dense, rtol=1e-4, atol=1e-4 * np.abs(dense).max())
        assert active[token] + cold_active == all_active


def test_g_rows_of_silent_neurons_are_not_read_after_the_first_product(device):
    rng, fmt, card, n, d = np.random.default_rng(4), FORMATS["f32"], CardRuns(device), 200, 64
    gate, gate_rows = random_rows(rng, n, d, fmt)
    x = rng.standard_normal((1, d)).astype(np.float32)
    lives = gate_rows @ x[0] > 0
    up, down = (random_rows(rng, n, d, fmt)[0] for _ in range(2))
    for rows in (up, down):
        rows[~lives] = 0xFF  # no numbers: whatever reads them shows

    def run():
        card.ops.reserve(d, 1, 8)
        values, acts, ups, out = card.put(x), card.empty((1, n)), card.empty((1, n)), card.empty((1, d))
        lists, counts, active = card.empty((1, n), np.int32), card.empty((1,), np.int32), card.empty((1,), np.int32)
        card.ops.matvec(card.put(gate), fmt, d, values, acts)
        card.ops.alive(acts, n, 0.0, "relu", lists, counts)
        card.ops.matvec_listed(card.put(up), fmt, d, values, lists, counts, ups)
        card.ops.finish_acts(acts, ups, counts, "relu", active)
        card.ops.accumulate_down(acts, lists, counts, card.put(down), fmt, d, out)
        return out, active

    out, active = card.both(run)

    assert active[0] == lives.sum()
    assert np.isfinite(out).all()


@pytest.mark.parametrize("name", FORMATS)
def test_h_activations_beyond_float16_keep_their_value(device, name):
    rng, fmt, card = np.random.default_rng(5), FORMATS[name], CardRuns(device)
    packed, rows = random_rows(rng, 3, 40, fmt)
    acts = np.array([[3.0e6, 1.0e-9, 70000.0]], np.float32)  # float16 ends at 65504 and begins at 6e-8

    def run():
        card.ops.reserve(40, 1, 8)
        lists, counts = card.put(np.array([[0, 1, 2]], np.int32)), card.put(np.array([3], np.int32))
        out, small = card.empty((1, 40)), card.empty((1, 40))
        values, own = card.put(acts), card.put(packed)
        card.ops.accumulate_down(values, lists, counts, own, fmt, 40, out)
        second, one = card.put(np.array([[1]], np.int32)), card.put(np.array([1], np.int32))
        card.ops.accumulate_down(card.put(acts[:, 1:2]), second, one, own, fmt, 40, small)
        return out, small

    out, small = card.both(run)

    assert_sums(out, acts.astype(np.float64) @ rows, np.abs(acts) @ np.abs(rows))
    np.testing.assert_allclose(small[0], acts[0, 1] * rows[1], rtol=1e-6)


@pytest.mark.parametrize("where", ["first", "last", "spread"])
def test_j_active_neurons_are_divided_evenly_wherever_they_stand(device, where):
    fmt, card, n, d, k = FORMATS["f32"], CardRuns(device), 4096, 32, 333
    packed = fmt.pack(np.ones((n, d), np.float32))
    numbers = {
        "first": np.arange(k), "last": np.arange(n - k, n), "spread": np.linspace(0, n - 1, k).astype(int),
    }[where]  # fmt: skip
    slots = np.full((1, n), -1, np.int32)
    slots[0, :k] = numbers

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts, out = card.put(slots), card.put(np.array([k], np.int32)), card.empty((1, d))
        ones = card.put(np.ones((1, n), np.float32))
        card.ops.accumulate_down(ones, lists, counts, card.put(packed), fmt, d, out)
        return out, card.ops._workspace

    out, partials = card.both(run)

    parts = down_parts(fmt, d, n)
    added = partials[: parts * d].reshape(parts, d)[:, 0]
    assert out[0, 0] == k
    assert added.sum() == k
    assert added.max() - added.min() <= 1
