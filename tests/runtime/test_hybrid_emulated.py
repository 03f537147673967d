"""The hybrid engine over the card's own kernels, on the emulated card: bytes, overlap, replayed steps, losses."""

import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.runtime.step_load import MEASURED_EVERY, common
from tests.runtime.test_hybrid import all_on_card, decoded, is_close, plans, shapes_and_plans, split
from tests.runtime.test_hybrid_answers import answered, distance
from tests.runtime.test_live_budget import Rows, account, answer
from tests.runtime.test_tiers_in_the_step import made

PLAN_LAWS = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
RELU = {"activation": "relu", "has_ffn_bias": True}


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4", "mixed"])
@pytest.mark.parametrize("residual", ["sequential", "parallel", "post"])
@pytest.mark.parametrize("make", [all_on_card, lambda c: split(c, 23), lambda c: split(c, 23, attention=False)])
def test_the_cards_kernels_compute_what_the_processor_computes(tiny_transformer, device, weight_format, residual, make):
    cache_kind = "f32" if weight_format == "f32" else "int8"
    transformer = tiny_transformer(weight_format, cache_kind, residual=residual, **RELU)
    exact = decoded(transformer, [3, 1, 4, 1, 5, 9], [2])
    transformer.use_card(device).apply(make(transformer.config))

    got = decoded(transformer, [3, 1, 4, 1, 5, 9], [2])

    assert is_close(got, exact, "int4" if weight_format == "mixed" else weight_format)
    assert np.array_equal(decoded(transformer, [3, 1, 4, 1, 5, 9]), got)
    transformer.close()


@pytest.mark.parametrize("weight_format", ["f32", "int8"])
@PLAN_LAWS
@given(
    drawn=shapes_and_plans(), seed=st.integers(0, 1000), sizes=st.lists(st.integers(1, 4), max_size=3),
    cache_kind=st.sampled_from(["f32", "f16", "int8"]),
)  # fmt: skip
def test_any_plan_on_the_cards_kernels(tiny_transformer, emulated, weight_format, drawn, seed, sizes, cache_kind):
    shape, plan = drawn
    transformer = tiny_transformer(weight_format, cache_kind, seed=seed, **shape)
    tokens = np.random.default_rng(seed).integers(0, shape["n_vocab"], 5).tolist()
    exact = decoded(transformer, tokens, sizes)
    transformer.use_card(emulated).apply(plan)

    got = decoded(transformer, tokens, sizes)

    times = 20.0 if weight_format == "f32" and cache_kind != "f32" else 1.0  # roundings of the cache are larger
    assert is_close(got, exact, weight_format, times=times)
    assert np.array_equal(decoded(transformer, tokens, sizes), got)
    transformer.close()


@pytest.mark.parametrize("weight_format", ["f32", "int8", "mixed", "int4"])
@pytest.mark.parametrize("make", [all_on_card, lambda c: split(c, 60)])
def test_an_answer_by_the_cards_kernels_is_that_of_the_processor(tiny_transformer, device, weight_format, make):
    transformer = tiny_transformer(weight_format, "int8", is_tied=False, activation="relu", width=96, n_neurons=200)
    prompt = [(7 * i) % 300 for i in range(11)]
    alone = answered(transformer, prompt, n_tokens=8)
    transformer.use_card(device).apply(make(transformer.config))

    got = answered(transformer, prompt, n_tokens=8)

    assert got.tokens == alone.tokens
    assert np.mean(distance(got, alone)) < {"f32": 1e-6, "int8": 2e-4}.get(weight_format, 1.2e-3)
    transformer.close()


@pytest.mark.parametrize("kind", ["sign", "linear", "relu"])
@pytest.mark.parametrize("reads", ["normed", "stream", "entering"])
@pytest.mark.parametrize("make", [all_on_card, lambda c: split(c, 37), lambda c: split(c, 37, attention=False)])
def test_the_cards_predictors_name_what_the_processors_name(tiny_transformer, device, kind, reads, make):
    shape = {"width": 40, "n_neurons": 90, "n_layers": 2, "n_vocab": 300}
    transformer = tiny_transformer("f32", **(RELU | shape))
    transformer.set_tiers({"fine": made(np.random.default_rng(2), [(kind, reads, 9, 0.1)] * 2, shape, None)})
    transformer.tier, transformer.counts_neurons = "fine", True
    exact, counts = decoded(transformer, [5, 9, 77], [2]), transformer.step_counts
    fired = transformer.take_neuron_counts()
    session = transformer.use_card(device)
    session.apply(make(transformer.config))

    got = decoded(transformer, [5, 9, 77], [2])

    assert is_close(got, exact, "f32")
    assert np.array_equal(transformer.step_counts, counts)
    assert np.array_equal(transformer.take_neuron_counts(), fired)
    assert dict(session.allocated) == account(transformer, session.plan)
    transformer.close()


@PLAN_LAWS
@given(sequence=st.lists(plans(3, 70), min_size=1, max_size=4), cache_kind=st.sampled_from(["f32", "f16", "int8"]))
def test_allocated_bytes_are_the_accounts_to_the_byte(tiny_transformer, emulated, sequence, cache_kind):
    transformer = tiny_transformer("int8", cache_kind, norm="layer", has_qkv_bias=True, **RELU)
    session = transformer.use_card(emulated)
    for plan in sequence:
        session.apply(plan)

        assert dict(emulated.allocated) == account(transformer, plan)
    transformer.close()
    assert not emulated.allocated


def test_hot_and_cold_neurons_are_computed_at_the_same_time(tiny_transformer, emulated):
    transformer = tiny_transformer("f32", width=256, n_neurons=4000, n_layers=2, activation="relu")
    transformer.use_card(emulated).apply(split(transformer.config, 2000))
    transformer.decode_step(1)
    cold, step = [], transformer._decoder._step
    forward = step._cold.forward

    def slow_forward(*args, **options):
        began = time.perf_counter()
        time.sleep(0.03)  # a processor with more to do; asleep it takes no time from the card's thread
        result = forward(*args, **options)
        cold.append((began, time.perf_counter()))
        return result

    step._cold.forward = slow_forward
    transformer.take_load()
    for token in range(2 * MEASURED_EVERY):
        transformer.decode_step(token)

    load = transformer.take_load()
    assert load.n_tokens == 2
    assert load.overlap_s > 0.3 * min(load.card_busy_s, load.cpu_busy_s)
    assert load.overlap_s <= min(load.card_busy_s, load.cpu_busy_s) + 1e-9
    assert load.wall_s < load.card_busy_s + load.cpu_busy_s
    assert load.hot_bytes > 0
    assert load.cold_bytes > 0
    assert 0 < load.active_hot < load.n_tokens * 2 * 2000
    assert load.card_waited_s > 0


def test_a_replayed_step_has_the_bits_of_its_launches(tiny_transformer, emulated):
    transformer = tiny_transformer("int8", "int8", **RELU)
    transformer.use_card(emulated).apply(all_on_card(transformer.config))
    transformer.decode_step(0)
    step = transformer._decoder._step
    step.records_graphs = False
    launched = decoded(transformer, list(range(6)))
    step.records_graphs = True

    assert np.array_equal(decoded(transformer, list(range(6))), launched)
    assert any(graph is not None for graph in step._graphs.values())


def test_both_caches_hold_the_same_bits(tiny_transformer, device):
    transformer = tiny_transformer("int8", "int8", **RELU)
    transformer.use_card(device).apply(split(transformer.config, 30))

    decoded(transformer, list(range(9)), [4, 2])

    for layer, held in enumerate(transformer._decoder._model.layers):
        for name, array in held.mirror._arrays.items():
            copy = np.empty(array.shape, array.dtype)
            device.download(array, copy, wait=True)
            assert np.array_equal(copy[:, :9], getattr(transformer.cache, name)[layer][:, :9])
    transformer.close()


def test_a_prompt_over_both_sides_and_its_answer(tiny_transformer, device):
    transformer = tiny_transformer("int8", "int8", context_tokens=100, **RELU)
    prompt = [(7 * i) % 300 for i in range(29)]

    def after_prompt():
        transformer.cache.rewind(0)
        transformer.prefill(prompt, lambda done, total: None)
        return transformer.decode_step(5).copy()

    exact = after_prompt()
    transformer.use_card(device).apply(split(transformer.config, 41))

    assert is_close(after_prompt(), exact, "int8", times=2)
    transformer.close()


@pytest.mark.parametrize("n_calls", [0, 40, 130, 400, 1100])
def test_the_emulated_card_may_be_lost_at_any_call(tiny_transformer, emulated, n_calls):
    transformer = tiny_transformer("f32", **RELU)
    expected, margin = answer(transformer, 8)
    assert margin > 1e-3
    rows, downs = Rows(transformer), []
    session = transformer.use_card(emulated, rows=rows, on_step_down=downs.append)
    emulated.lose_after(n_calls)
    session.apply(split(transformer.config, 30))

    got, _ = answer(transformer, 8)

    assert got == expected
    assert [down.reason for down in downs] == (["device_lost"] if session.model is None else [])
    assert rows.are_whole() or session.model is not None
    transformer.close()


def test_what_spans_have_in_common():
    a, b = [(0.0, 2.0), (3.0, 5.0)], [(1.0, 4.0), (4.5, 6.0)]

    assert common(a, b) == [(1.0, 2.0), (3.0, 4.0), (4.5, 5.0)]
    assert common(b, a) == common(a, b)
    assert common([], a) == []
