"""What the card does with neurons: who is alive, their activations, their contribution; against reference.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cpu import ops as cpu_ops
from engine.kernels.cuda.ops import ACTIVATIONS, MAX_TOKENS, down_parts
from tests.kernels.card_runs import FORMATS, CardRuns, assert_sums, few, is_poison, random_rows

FEW = few(10)
# Of warps, of what a thread takes and of a block there are more and fewer.
SIZES = st.one_of(st.integers(1, 70), st.integers(200, 300), st.sampled_from([256, 1024, 8192, 8193, 9000]))
SHARES = st.sampled_from([0.0, 0.02, 0.3, 0.9, 1.0])


def signed(rng, shape, share):
    """Random numbers of which about `share` are above zero, with zeros of both signs."""
    sizes = np.abs(rng.standard_normal(shape)).astype(np.float32) + np.float32(1e-3)
    values = np.where(rng.random(shape) < share, sizes, -sizes).astype(np.float32)
    zero = rng.random(shape) < (0.1 if 0 < share < 1 else 0)
    return np.where(zero, np.copysign(np.float32(0), values), values)


def put_lists(card, kept, slots):
    """Lists and counts of the numbers kept for each token."""
    lists = np.full((len(kept), slots), -7, np.int32)
    for row, numbers in zip(lists, kept, strict=True):
        row[: len(numbers)] = numbers
    return card.put(lists), card.put(np.array([len(numbers) for numbers in kept], np.int32))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("least", [0.0, 0.2])
def test_finished_in_parts_a_feed_forward_is_what_it_is_as_one(activation, least):
    rng, fmt, n, d = np.random.default_rng(9), FORMATS["f32"], 60, 30
    gate, up, down = (random_rows(rng, n, d, fmt)[0] for _ in range(3))
    x = rng.standard_normal(d).astype(np.float32)

    products, ups = reference.matvec(gate, d, fmt, x), reference.matvec(up, d, fmt, x)
    kept = reference.alive(products, activation, least)
    acts, out = reference.finish_acts(products[kept], ups[kept], activation), np.zeros(d, np.float32)
    reference.accumulate_down(acts, kept, down, d, fmt, out)

    whole, _, n_active = reference.feed_forward(x, gate, up, down, fmt, activation, least, None, cut=least)
    np.testing.assert_allclose(out, whole, rtol=1e-5, atol=1e-5)
    assert np.count_nonzero(acts) == n_active


@FEW
@given(
    n=SIZES, t=st.integers(1, MAX_TOKENS), share=SHARES, least=st.sampled_from([0.0, 0.3]),
    activation=st.sampled_from(ACTIVATIONS), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_the_alive_move_to_the_front_in_their_order(device, n, t, share, least, activation, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    values = signed(rng, (t, n), share)

    def run():
        acts, lists, counts = card.wide(values, n + 2), card.empty((t, n + 1), np.int32), card.empty((t,), np.int32)
        card.ops.alive(acts, n, least, activation, lists, counts)
        return acts, lists, counts

    acts, lists, counts = card.both(run)

    for token in range(t):
        kept = reference.alive(values[token], activation, least)
        assert counts[token] == len(kept)
        assert np.array_equal(lists[token, : len(kept)], kept)
        assert np.array_equal(acts[token, : len(kept)], values[token, kept])
        assert is_poison(lists[token, len(kept) :])
        assert is_poison(acts[token, n:])


@pytest.mark.parametrize("n", [70, 9000])
def test_what_is_no_number_stays_alive(device, n):
    rng, card = np.random.default_rng(n), CardRuns(device)
    values = signed(rng, (2, n), 0.3)
    values[rng.random((2, n)) < 0.1] = np.nan

    def run():
        acts, lists, counts = card.put(values), card.empty((2, n), np.int32), card.empty((2,), np.int32)
        card.ops.alive(acts, n, 0.2, "fatrelu", lists, counts)
        named, of_scores = card.empty((2, n), np.int32), card.empty((2,), np.int32)
        card.ops.candidates(card.put(values), named, of_scores)
        return acts, lists, counts, named, of_scores

    acts, lists, counts, named, of_scores = card.both(run)

    for token, row in enumerate(values):
        kept = np.flatnonzero(np.isnan(row) | (row >= np.float32(0.2)))
        assert np.array_equal(lists[token, : counts[token]], kept)
        assert np.array_equal(acts[token, : counts[token]], row[kept], equal_nan=True)
        assert np.array_equal(named[token, : of_scores[token]], np.flatnonzero(np.isnan(row) | (row > 0)))


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_second_product_that_is_no_number_makes_the_act_none(device, activation):
    card, ups = CardRuns(device), np.array([[1.0, np.nan, -1.0]], np.float32)

    def run():
        acts, active = card.put(np.ones((1, 3), np.float32)), card.empty((1,), np.int32)
        card.ops.finish_acts(acts, card.put(ups), card.put(np.array([3], np.int32)), activation, active)
        return (acts,)

    (acts,) = card.once(run)

    assert np.isnan(acts).tolist() == [[False, True, False]]


@pytest.mark.parametrize("n", [8193, 20000])
def test_more_neurons_than_a_block_holds_at_a_time(device, n):
    rng, card = np.random.default_rng(n), CardRuns(device)
    values = signed(rng, (2, n), 0.5)

    def run():
        acts, lists, counts = card.put(values), card.empty((2, n), np.int32), card.empty((2,), np.int32)
        some, few_of_them = card.empty((2, n), np.int32), card.empty((2,), np.int32)
        card.ops.candidates(acts, some, few_of_them)
        card.ops.alive(acts, n, 0.2, "relu", lists, counts)
        card.ops.alive(acts, None, 0.9, "relu", lists, counts)
        return acts, lists, counts, some, few_of_them

    acts, lists, counts, some, few_of_them = card.both(run)

    for token in range(2):
        kept, positive = np.flatnonzero(values[token] >= np.float32(0.9)), np.flatnonzero(values[token] > 0)
        assert np.array_equal(lists[token, : counts[token]], kept)
        assert np.array_equal(acts[token, : counts[token]], values[token, kept])
        assert np.array_equal(some[token, : few_of_them[token]], positive)


@FEW
@given(
    n=SIZES, t=st.integers(1, MAX_TOKENS), listed_share=SHARES, share=SHARES, least=st.sampled_from([0.0, 0.3]),
    activation=st.sampled_from(ACTIVATIONS), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_of_listed_neurons_the_alive_stay_listed(device, n, t, listed_share, share, least, activation, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    listed = [np.flatnonzero(rng.random(n) < listed_share) for _ in range(t)]
    values = signed(rng, (t, n), share)

    def run():
        acts = card.put(values)
        lists, counts = put_lists(card, listed, n)
        card.ops.alive(acts, None, least, activation, lists, counts)
        return acts, lists, counts

    acts, lists, counts = card.both(run)

    for token, numbers in enumerate(listed):
        own = values[token, : len(numbers)]
        stays = reference.alive(own, activation, least)
        k = len(stays)
        assert counts[token] == k
        assert np.array_equal(lists[token, :k], numbers[stays])
        assert np.array_equal(acts[token, :k], own[stays])


@FEW
@given(n=SIZES, more=st.integers(0, 40), t=st.integers(1, MAX_TOKENS), share=SHARES, seed=st.integers(0, 2**31))
def test_candidates_are_the_neurons_of_a_positive_score(device, n, more, t, share, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    scores = signed(rng, (t, n + more), share)

    def run():
        given, lists, counts = card.put(scores), card.empty((t, n), np.int32), card.empty((t,), np.int32)
        card.ops.candidates(given, lists, counts, n)
        return given, lists, counts

    given, lists, counts = card.both(run)

    assert np.array_equal(given, scores)
    for token in range(t):
        kept = np.flatnonzero(scores[token, :n] > 0)
        assert counts[token] == len(kept)
        assert np.array_equal(lists[token, : len(kept)], kept)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("gated", [True, False])
@few(5)
@given(n=st.integers(1, 300), t=st.integers(1, MAX_TOKENS), seed=st.integers(0, 2**31))
def test_acts_are_finished_as_the_activation_says(device, activation, gated, n, t, seed):
    rng, card = np.random.default_rng(seed), CardRuns(device)
    products = rng.standard_normal((t, n)).astype(np.float32) * 3
    if activation != "silu":
        products = np.abs(products) + np.float32(0.01)
    ups = signed(rng, (t, n), 0.5) * 2
    numbers = [np.sort(rng.choice(n + 30, int(rng.integers(0, n + 1)), replace=False)) for _ in range(t)]

    def run():
        acts, own_ups = card.wide(products, n + 1), card.wide(ups, n + 4) if gated else None
        lists, counts = put_lists(card, numbers, n)
        active, flags = card.empty((t,), np.int32), card.empty((t, n + 30), np.uint8)
        card.ops.finish_acts(acts, own_ups, counts, activation, active)
        card.ops.fired(lists, acts, counts, flags)
        return acts, active, flags

    acts, active, flags = card.both(run)

    for token, listed in enumerate(numbers):
        k = len(listed)
        want = reference.finish_acts(products[token, :k], ups[token, :k] if gated else None, activation)
        np.testing.assert_allclose(acts[token, :k], want, rtol=2e-6, atol=1e-12)
        assert active[token] == np.count_nonzero(want)
        assert np.array_equal(np.flatnonzero(flags[token]), listed[want != 0])
        assert set(np.unique(flags[token])) <= {0, 1}
        assert np.array_equal(acts[token, k:n], products[token, k:])


@pytest.mark.parametrize("name", FORMATS)
@FEW
@given(
    n=st.integers(1, 300), d=st.integers(1, 600), t=st.integers(1, MAX_TOKENS), share=SHARES,
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_what_active_neurons_contribute(device, name, n, d, t, share, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS[name], CardRuns(device)
    packed, rows = random_rows(rng, n, d, fmt)
    numbers = [np.flatnonzero(rng.random(n) < share) for _ in range(t)]
    values = np.where(rng.random((t, n)) < 0.2, 0, rng.standard_normal((t, n))).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = put_lists(card, numbers, n)
        out = card.empty((t, d + 3))
        card.ops.accumulate_down(card.wide(values, n + 1), lists, counts, card.put(packed), fmt, d, out)
        return (out,)

    (out,) = card.both(run)

    assert is_poison(out[:, d:])
    for token, listed in enumerate(numbers):
        acts, want = values[token, : len(listed)], np.zeros(d, np.float32)
        reference.accumulate_down(acts, listed, packed, d, fmt, want)
        assert_sums(out[token, :d], want, np.abs(acts) @ np.abs(rows[listed]))


@pytest.mark.parametrize(("name", "apart"), [("int8", 1e-6), ("int4", 1e-4)])
@pytest.mark.parametrize("power", [1, 4])
def test_the_processors_sum_of_down_rows_is_the_cards_but_for_rounding(device, name, apart, power):
    """Of int8 rows but for the order; what int4 rows are multiplied with the processor rounds to 14 bits, in groups
    that depend on who else is alive."""
    rng, fmt, card = np.random.default_rng(5), FORMATS[name], CardRuns(device)
    n, d, k = 500, 300, 230
    packed, _ = random_rows(rng, n, d, fmt)
    numbers, acts = np.sort(rng.choice(n, k, replace=False)), np.zeros((1, n), np.float32)
    acts[0, :k] = np.abs(rng.standard_normal(k)) ** power

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = put_lists(card, [numbers], n)
        out = card.empty((1, d))
        card.ops.accumulate_down(card.put(acts), lists, counts, card.put(packed), fmt, d, out)
        return (out,)

    (out,) = card.once(run)

    of_processor = np.zeros(d, np.float32)
    cpu_ops.accumulate_down(acts[0, :k], numbers.astype(np.int64), packed, d, fmt, of_processor)
    assert np.sqrt(np.mean((out[0] - of_processor) ** 2)) < apart * out[0].std()


@FEW
@given(
    n=st.integers(1, 300), d=st.integers(1, 600), t=st.integers(1, MAX_TOKENS), share=SHARES,
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_a_prompts_int8_rows_contribute_as_the_processors(device, n, d, t, share, seed):
    rng, fmt, card = np.random.default_rng(seed), FORMATS["int8"], CardRuns(device)
    packed, _ = random_rows(rng, n, d, fmt)
    numbers = [np.flatnonzero(rng.random(n) < share) for _ in range(t)]
    values = np.where(rng.random((t, n)) < 0.2, 0, rng.standard_normal((t, n))).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = put_lists(card, numbers, n)
        out = card.empty((t, d + 3))
        card.ops.accumulate_down(
            card.wide(values, n + 1), lists, counts, card.put(packed), fmt, d, out, of_prompt=True
        )  # fmt: skip
        return (out,)

    (out,) = card.both(run)

    assert is_poison(out[:, d:])
    weights, unit = reference.int16_rows(packed, d, fmt)
    rows = weights[:, :d].astype(np.float64) * unit[:, None]
    for token, listed in enumerate(numbers):
        acts = values[token, : len(listed)].astype(np.float64)
        assert_sums(out[token, :d], acts @ rows[listed], np.abs(acts) @ np.abs(rows[listed]))


@pytest.mark.parametrize("name", FORMATS)
def test_a_tokens_sum_does_not_depend_on_how_many_there_are(device, name):
    rng, fmt, card, n, d = np.random.default_rng(3), FORMATS[name], CardRuns(device), 120, 90
    packed, _ = random_rows(rng, n, d, fmt)
    numbers = [np.flatnonzero(rng.random(n) < 0.5) for _ in range(MAX_TOKENS)]
    values = rng.standard_normal((MAX_TOKENS, n)).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = put_lists(card, numbers, n)
        acts, rows, outs = card.put(values), card.put(packed), [card.empty((t, d)) for t in (1, 3, MAX_TOKENS)]
        for out in outs:
            t = len(out)
            card.ops.accumulate_down(acts[:t], lists[:t], counts[:t], rows, fmt, d, out)
        return tuple(outs)

    *fewer, all_of_them = card.both(run)

    for out in fewer:
        assert out.tobytes() == all_of_them[: len(out)].tobytes()


def test_the_workspace_holds_the_most_parts(device):
    card, fmt, n, d = CardRuns(device), FORMATS["int4"], 64 * 32, 65
    rng = np.random.default_rng(8)
    packed, rows = random_rows(rng, n, d, fmt)
    values = rng.standard_normal((MAX_TOKENS, n)).astype(np.float32)

    def run():
        card.ops.reserve(d, 1, 8)
        lists, counts = put_lists(card, [np.arange(n)] * MAX_TOKENS, n)
        out = card.empty((MAX_TOKENS, d))
        card.ops.accumulate_down(card.put(values), lists, counts, card.put(packed), fmt, d, out)
        return (out,)

    (out,) = card.once(run)

    assert down_parts(fmt, d, n) == 64
    assert_sums(out, values.astype(np.float64) @ rows.astype(np.float64), np.abs(values) @ np.abs(rows))


def test_partial_sums_without_a_workspace_for_them_are_refused(device):
    card, fmt = CardRuns(device), FORMATS["int8"]

    def run():
        lists, counts = put_lists(card, [np.arange(4)], 4)
        with pytest.raises(InternalError):
            card.ops.accumulate_down(
                card.empty((1, 4)), lists, counts, card.empty((4, fmt.stride(40)), np.uint8), fmt, 40,
                card.empty((1, 40)),
            )  # fmt: skip
        return ()

    card.once(run)
