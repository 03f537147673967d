"""Rotation, the cache and attention on the card: against reference.py, and the cache's rows against the processor's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.kernels.cpu.attention import append_entry
from engine.kernels.cpu.kinds import CACHE_KINDS
from engine.kernels.cpu.ops import padded
from engine.kernels.cuda.ops import MAX_TOKENS, CardCache, HeadLayout, attention_splits
from tests.kernels.card_runs import CardRuns, few, is_poison

FEW = few(8)
KINDS = ("int8", "f16", "f32")
WIDTHS = st.sampled_from([2, 8, 20, 32, 64, 80, 128])
# Query heads of a key head: one, a few, as many as share a block, more.
GROUPS = st.sampled_from([1, 2, 5, 8, 11])


def random_cache(rng, key_heads, context, head_width, kind):
    """(stored rows, scales), and what they stand for: (key heads, context, head width)."""
    multiple = 32 if kind == "int8" else 8
    wide = np.zeros((key_heads, context, -(-head_width // multiple) * multiple), np.float32)
    wide[..., :head_width] = rng.standard_normal((key_heads, context, head_width))
    stands_for = reference.cached(wide[..., :head_width], kind)
    if kind == "int8":
        return reference.quantise_cache(wide), stands_for
    return (wide.astype(np.float16 if kind == "f16" else np.float32), None), stands_for


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(
    key_heads=st.integers(1, 3), group=st.integers(1, 4), e=WIDTHS, rotary=st.sampled_from([0.0, 0.5, 1.0]),
    t=st.integers(1, MAX_TOKENS), first=st.integers(0, 9), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_queries_and_keys_are_rotated_and_the_cache_is_the_processors(
    device, kind, key_heads, group, e, rotary, t, first, seed
):
    rng, card, context = np.random.default_rng(seed), CardRuns(device), first + t + 2
    layout = HeadLayout(key_heads * group, key_heads, e, int(rotary * e) // 2 * 2)
    qkv = (rng.standard_normal((t, layout.qkv_width)) * 10).astype(np.float32)
    qkv[0, -e:] = 0
    positions = np.arange(first, first + t)
    table = reference.rope_table(positions, 1 / 10.0 ** np.arange(layout.rotary_width // 2))

    def run():
        own, cache = card.wide(qkv, layout.qkv_width + 3), card.cache(key_heads, context, e, kind)
        card.ops.rotate_and_append(
            own, card.put(table) if layout.rotary_width else None, card.put(positions.astype(np.int32)), layout, cache
        )
        arrays = (cache.keys, cache.values, cache.key_scales, cache.value_scales)
        return (own, *(array for array in arrays if array is not None))

    own, *rows = card.both(run)

    heads = qkv.reshape(t, -1, e)
    turned = layout.heads + key_heads
    want = np.concatenate([reference.rope(heads[:, :turned], table), heads[:, turned:]], axis=1)
    assert np.array_equal(own[:, : layout.qkv_width].reshape(want.shape), want)
    assert is_poison(own[:, layout.qkv_width :])
    for at, source in ((0, want[:, layout.heads : turned]), (1, want[:, turned:])):
        expected, scales = rows[at].copy(), rows[at + 2].copy() if kind == "int8" else np.zeros((1, 1), np.float32)
        written = expected[:, first : first + t]
        assert is_poison(expected[:, :first])
        assert is_poison(expected[:, first + t :])
        written[...] = 0
        for head in range(key_heads):
            for token in range(t):
                append_entry(
                    CACHE_KINDS[kind], padded(source[token, head], expected.shape[2]).ctypes.data,
                    expected[head].ctypes.data, scales[head].ctypes.data if kind == "int8" else 0, first + token,
                    expected.shape[2],
                )  # fmt: skip
        assert rows[at].tobytes() == expected.tobytes()
        if kind == "int8":
            assert rows[at + 2].tobytes() == scales.tobytes()


@pytest.mark.parametrize("position", [-1, 4, 2**30])
def test_nothing_is_written_outside_the_cache(device, position):
    card, layout = CardRuns(device), HeadLayout(1, 1, 32, 0)

    def run():
        cache = card.cache(1, 4, 32, "f32")
        qkv, positions = card.put(np.ones((1, 96), np.float32)), card.put(np.array([position], np.int32))
        card.ops.rotate_and_append(qkv, None, positions, layout, cache)
        return cache.keys, cache.values

    assert all(is_poison(rows) for rows in card.both(run))


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(
    key_heads=st.integers(1, 3), group=GROUPS, e=WIDTHS, t=st.integers(1, MAX_TOKENS),
    first=st.one_of(st.integers(0, 40), st.integers(90, 400)), window=st.sampled_from([0, 1, 31, 32, 100]),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_attention_is_its_specification(device, kind, key_heads, group, e, t, first, window, seed):
    rng, card, context = np.random.default_rng(seed), CardRuns(device), first + t + int(seed % 150)
    layout, scale = HeadLayout(key_heads * group, key_heads, e, 0), 0.7 / np.sqrt(e)
    qkv = rng.standard_normal((t, layout.qkv_width)).astype(np.float32)
    positions = np.arange(first, first + t)
    (keys, known_keys), (values, known_values) = (random_cache(rng, key_heads, context, e, kind) for _ in range(2))

    def run():
        card.ops.reserve(e, layout.heads, e)
        out = card.empty((t, layout.heads * e + 1))
        card.ops.attention(
            card.wide(qkv, layout.qkv_width + 1), layout, card.cache(key_heads, context, e, kind, keys, values),
            card.put(positions.astype(np.int32)), window, scale, out,
        )  # fmt: skip
        return (out,)

    (out,) = card.both(run)

    assert is_poison(out[:, layout.heads * e :])
    for token, position in enumerate(positions):
        seen = slice(max(0, position + 1 - window) if window else 0, position + 1)
        query = qkv[token, : layout.heads * e].reshape(-1, e) * np.float32(0.7)
        want = reference.attention(query, known_keys[:, seen], known_values[:, seen])
        np.testing.assert_allclose(out[token, : layout.heads * e].reshape(want.shape), want, rtol=2e-5, atol=5e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_as_wide_as_they_get_and_a_context_of_the_most_splits(device, kind):
    rng, card, context, e = np.random.default_rng(2), CardRuns(device), 2048, 256
    layout = HeadLayout(9, 1, e, 0)
    qkv = rng.standard_normal((MAX_TOKENS, layout.qkv_width)).astype(np.float32)
    (keys, known_keys), (values, known_values) = (random_cache(rng, 1, context, e, kind) for _ in range(2))
    positions = np.array([0, 31, 32, 33, 640, 1000, 2046, 2047], np.int32)

    def run():
        card.ops.reserve(e, layout.heads, e)
        out, one = card.empty((MAX_TOKENS, 9 * e)), card.empty((1, 9 * e))
        own, cache, at = card.put(qkv), card.cache(1, context, e, kind, keys, values), card.put(positions)
        card.ops.attention(own, layout, cache, at, 0, 1 / 16, out)
        card.ops.attention(own[5:6], layout, cache, at[5:6], 0, 1 / 16, one)
        return out, one

    out, one = card.both(run)

    assert attention_splits(context) == 32
    assert one[0].tobytes() == out[5].tobytes()
    for token, position in enumerate(positions):
        query = qkv[token, : 9 * e].reshape(9, e)
        want = reference.attention(query, known_keys[:, : position + 1], known_values[:, : position + 1])
        np.testing.assert_allclose(out[token].reshape(9, e), want, rtol=2e-5, atol=5e-6)


def test_a_captured_step_is_that_of_the_positions_it_finds(device):
    rng, card, layout, context, t = np.random.default_rng(6), CardRuns(device), HeadLayout(4, 2, 32, 16), 40, 2
    qkv = rng.standard_normal((2, t, layout.qkv_width)).astype(np.float32)
    table = reference.rope_table(np.arange(context), 1 / 10.0 ** np.arange(8))

    def run():
        card.ops.reserve(128, 4, 32)
        outs = []
        for is_captured in (False, True):
            cache = card.cache(2, context, 32, "int8")
            own, turns, at = card.empty((t, layout.qkv_width)), card.empty((t, 2, 8)), card.empty((t,), np.int32)
            out = card.empty((t, 128))

            def step(own=own, turns=turns, at=at, cache=cache, out=out):
                card.ops.rotate_and_append(own, turns, at, layout, cache)
                card.ops.attention(own, layout, cache, at, 0, 0.2, out)

            if is_captured:
                with device.capture():
                    step()
                graph = device.captured()
            for first, rows in ((0, qkv[0]), (2, qkv[1])):
                positions = np.arange(first, first + t, dtype=np.int32)
                for source, target in ((rows, own), (table[positions], turns), (positions, at)):
                    device.upload(source, target)
                    device.synchronise()
                (graph.launch if is_captured else step)()
                outs.append(card.copied(out))
        return tuple(outs)

    plain_first, plain, first, captured = card.both(run)

    assert plain_first.tobytes() == first.tobytes()
    assert plain.tobytes() == captured.tobytes()
    assert not np.array_equal(plain, plain_first)


def test_a_score_far_above_all_others_takes_all_of_the_weight(device):
    card, layout, context = CardRuns(device), HeadLayout(1, 1, 8, 0), 200
    keys, values = np.full((1, context, 8), -1e4, np.float32), np.zeros((1, context, 8), np.float32)
    keys[0, 137], values[0, 137] = 1e4, 5

    def run():
        card.ops.reserve(8, 1, 8)
        out, cache = card.empty((1, 8)), card.cache(1, context, 8, "f32", (keys, None), (values, None))
        qkv, positions = card.put(np.full((1, 24), 100, np.float32)), card.put(np.array([199], np.int32))
        card.ops.attention(qkv, layout, cache, positions, 0, 1.0, out)
        return (out,)

    (out,) = card.both(run)

    assert np.array_equal(out, np.full((1, 8), 5, np.float32))


def test_caches_that_are_none_are_refused(device):
    card, layout = CardRuns(device), HeadLayout(2, 1, 32, 0)
    int8, f32 = card.cache(1, 4, 32, "int8"), card.cache(1, 4, 32, "f32")
    qkv, positions = card.empty((1, 128)), card.empty((1,), np.int32)
    wrong = (
        CardCache(int8.keys, int8.values),
        CardCache(f32.keys, int8.values),
        CardCache(f32.keys, f32.values, int8.key_scales, int8.value_scales),
        card.cache(2, 4, 32, "f32"),
        card.cache(1, 4, 40, "f32"),
        CardCache(card.empty((1, 4, 32), np.int32), card.empty((1, 4, 32), np.int32)),
    )

    for cache in wrong:
        with pytest.raises(InternalError) as caught:
            card.ops.rotate_and_append(qkv, None, positions, layout, cache)
        assert caught.value.kind == "CardOps"
    card.once(tuple)
