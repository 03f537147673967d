"""Neurons in another order: the same answers, told by the numbers that the file knows."""

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import DamagedFile, InvalidRequest
from engine.kernels.formats import FORMATS
from engine.model.pack import pack
from engine.model.predictors import LayerChoice
from engine.runtime.neuron_order import NEURON_TENSORS, NeuronOrder, as_packed, by_importance, read_in_order
from engine.runtime.transformer import Transformer
from tests.runtime.test_tiers_in_the_step import CERTAIN, Fired, made, random_predictor, shapes_and_choices
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE, PROMPT_TOLERANCE
from tests.tiny_model import TINY, TinyCheckpoint

LAWS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ignore(done, total):
    """Progress nobody looks at."""


def random_order(rng, config):
    return NeuronOrder(np.stack([rng.permutation(config.n_neurons) for _ in range(config.n_layers)]).astype(np.int32))


@pytest.fixture
def packed_tiny(tmp_path):
    """A function: format, seed, config changes → a packed file of random weights."""
    made = []

    def make(weight_format, seed=0, **changes):
        made.append(tmp_path / f"{len(made)}.ember")
        checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **changes), seed)
        return pack(checkpoint, made[-1], weight_format, source="", note="", on_step=ignore)

    return make


@pytest.fixture
def ordered():
    """A function: packed model, order → a Transformer of it, closed after the test."""
    made = []

    def make(packed, order, n_threads=2):
        cache_kind = "f32" if packed.weight_format == "f32" else "int8"
        sizes = {"context_tokens": 64, "cache_kind": cache_kind, "n_threads": n_threads}
        made.append(Transformer(packed.config, packed.parts, read_in_order(packed, order, ignore), **sizes))
        return made[-1]

    yield make
    for transformer in made:
        transformer.close()


def decoded(transformer, tokens):
    transformer.cache.rewind(0)
    return np.stack([transformer.decode_step(token).copy() for token in tokens])


# Reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4", "mixed"])
@pytest.mark.parametrize("is_gated", [True, False])
def test_rows_of_a_neuron_move_together_and_nothing_else_moves(packed_tiny, weight_format, is_gated):
    packed = packed_tiny(weight_format, is_gated=is_gated, activation="relu", has_ffn_bias=True)
    plain, order = packed.read(ignore), random_order(np.random.default_rng(1), packed.config)

    tensors = read_in_order(packed, order, ignore)

    n, moved = packed.config.n_neurons, 0
    for name, tensor in tensors.items():
        layer, _, part = name.removeprefix("layers.").rpartition(".")
        if part in NEURON_TENSORS:
            assert np.array_equal(tensor[:n], plain[name][order.numbers[int(layer)]]), name
            assert np.array_equal(tensor[n:], plain[name][n:]), name
            moved += 1
        else:
            assert np.array_equal(tensor, plain[name]), name
    assert list(tensors) == list(plain)
    assert moved == packed.config.n_layers * (5 if is_gated else 3)


def test_each_tensor_is_shown_once_it_is_in_order(packed_tiny):
    packed = packed_tiny("int8")
    order, shown = random_order(np.random.default_rng(2), packed.config), {}

    tensors = read_in_order(packed, order, ignore, lambda name, tensor: shown.update({name: tensor.copy()}))

    assert list(shown) == list(tensors)
    assert all(np.array_equal(shown[name], tensors[name]) for name in tensors)


def test_a_damaged_tensor_is_found_whatever_the_order(packed_tiny):
    packed = packed_tiny("int8")
    data = bytearray(packed.path.read_bytes())
    data[packed.data_start + packed.tensors["layers.1.up"][1] + 200] ^= 1
    packed.path.write_bytes(data)

    with pytest.raises(DamagedFile) as caught:
        read_in_order(packed, random_order(np.random.default_rng(0), packed.config), ignore)

    assert "layers.1.up" in caught.value.what


def test_an_order_of_another_model_is_refused(packed_tiny):
    packed = packed_tiny("int8")

    with pytest.raises(InvalidRequest):
        read_in_order(packed, as_packed(dataclasses.replace(packed.config, n_neurons=71)), ignore)


@pytest.mark.parametrize("numbers", [[[0, 1, 1]], [[0, 1, 3]], [[-1, 0, 1]], [0, 1, 2]])
def test_an_order_names_each_neuron_once(numbers):
    with pytest.raises(InvalidRequest):
        NeuronOrder(np.asarray(numbers, np.int32))


def test_the_most_important_come_first_and_the_lower_number_among_equals():
    order = by_importance(np.array([[0.0, 3.0, 1.0, 3.0], [5.0, 5.0, 5.0, 5.0]]))

    assert order.numbers.tolist() == [[1, 3, 2, 0], [0, 1, 2, 3]]
    assert not order.is_as_packed
    assert as_packed(TINY).is_as_packed
    with pytest.raises(InvalidRequest):
        by_importance(np.array([[1.0, np.nan]]))


@given(st.integers(1, 4), st.integers(1, 30), st.integers(0, 100))
def test_there_and_back_is_nothing(n_layers, n, seed):
    rng = np.random.default_rng(seed)
    order = random_order(rng, dataclasses.replace(TINY, n_layers=n_layers, n_neurons=n))
    values = rng.integers(0, 1000, (2, n_layers, n))

    there = order.lying(values)

    assert np.array_equal(order.original(there), values)
    assert np.array_equal(order.lying(order.original(values)), values)
    assert np.array_equal(there[1, -1], values[1, -1][order.numbers[-1]])


# What is computed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@LAWS
@given(drawn=shapes_and_choices(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000))
def test_any_order_computes_the_same(packed_tiny, ordered, weight_format, drawn, n_threads, seed):
    shape, kinds = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    rng, kinds = np.random.default_rng(seed), [(*kind[:3], 0.0) for kind in kinds]  # at a cut rounding decides
    packed = packed_tiny(weight_format, seed, **shape)
    named = rng.random((shape["n_layers"], shape["n_neurons"])) < 0.6
    choices, order = made(rng, kinds, shape, np.where(named, CERTAIN, -CERTAIN)), random_order(rng, packed.config)
    plain, moved = ordered(packed, as_packed(packed.config), n_threads), ordered(packed, order, n_threads)
    plain.set_tiers({"fine": choices})
    moved.set_tiers({"fine": order.choices(choices)})
    tokens = rng.integers(0, shape["n_vocab"], 11).tolist()

    is_narrow = shape["width"] < FEWEST_AVERAGED and weight_format != "f32"
    rough = 4 if is_narrow or shape["activation"] == "fatrelu" else 1
    worst = 4 if weight_format == "int4" else 1  # one of its few steps taken the other way, at a single token
    for run, tolerances in (
        (lambda t: t.all_logits(tokens), PROMPT_TOLERANCE), (lambda t: decoded(t, tokens), LOGIT_TOLERANCE),
    ):  # fmt: skip
        expected = run(plain)
        lost = np.abs(run(moved) - expected).max(axis=1)
        most = rough * tolerances[weight_format] * max(1.0, float(np.abs(expected).max()))
        assert np.median(lost) <= most
        assert is_narrow or lost.max() <= worst * most
    plain.tier = moved.tier = "fine"
    expected = decoded(plain, tokens)
    lost = np.abs(decoded(moved, tokens) - expected).max(axis=1)
    assert np.median(lost) <= rough * LOGIT_TOLERANCE[weight_format] * max(1.0, float(np.abs(expected).max()))
    assert np.array_equal(plain.neuron_counts[:, 0], moved.neuron_counts[:, 0])
    plain.close()
    moved.close()


def greedy(transformer, prompt, n):
    transformer.cache.rewind(0)
    transformer.prefill(prompt[:-1], ignore)
    tokens = [prompt[-1]]
    while len(tokens) <= n:
        tokens.append(int(np.argmax(transformer.decode_step(tokens[-1]))))
    return tokens


@pytest.mark.parametrize("weight_format", ["int8", "mixed", "f32"])
@pytest.mark.parametrize("activation", ["relu", "silu", "drelu"])
def test_an_answer_is_the_same_in_any_order(packed_tiny, ordered, weight_format, activation):
    packed = packed_tiny(weight_format, activation=activation, width=80, n_neurons=200, is_tied=False)
    rng, prompt = np.random.default_rng(0), list(range(3, 24))
    expected = greedy(ordered(packed, as_packed(packed.config)), prompt, 30)

    assert greedy(ordered(packed, random_order(rng, packed.config)), prompt, 30) == expected
    assert len(set(expected)) > 3


@pytest.mark.parametrize("activation", ["relu", "drelu"])
def test_what_fired_is_told_by_the_files_numbers(packed_tiny, ordered, activation):
    packed = packed_tiny("f32", activation=activation)
    order, tokens = random_order(np.random.default_rng(3), packed.config), [(7 * i) % 300 for i in range(20)]
    plain, moved = ordered(packed, as_packed(packed.config)), ordered(packed, order)
    counts, watched = [], []
    for transformer in (plain, moved):
        watched.append(Fired())
        transformer.observe(tokens, watched[-1])
        transformer.counts_neurons = True
        decoded(transformer, tokens)
        counts.append(transformer.take_neuron_counts())

    assert np.array_equal(order.original(counts[1]), counts[0])
    assert not np.array_equal(counts[1], counts[0])
    profile = np.stack([watched[1].counts[layer] for layer in range(packed.config.n_layers)])
    assert np.array_equal(order.original(profile), counts[0])


@pytest.mark.parametrize("kind", ["sign", "linear", "relu"])
def test_a_predictor_names_the_same_neurons_in_any_order(packed_tiny, ordered, kind):
    packed = packed_tiny("f32", activation="relu", n_layers=1)
    c, rng = packed.config, np.random.default_rng(4)
    choice = LayerChoice(random_predictor(rng, kind, "normed", 13, c.width, c.n_neurons, np.zeros(c.n_neurons, "f4")))
    order, fired = random_order(rng, c), []
    for chosen, transformer in (
        ((choice,), ordered(packed, as_packed(c))), (order.choices((choice,)), ordered(packed, order)),
    ):  # fmt: skip
        transformer.set_tiers({"fine": chosen})
        transformer.tier, transformer.counts_neurons = "fine", True
        decoded(transformer, [5])
        fired.append(transformer.take_neuron_counts())

    assert np.array_equal(order.original(fired[1]), fired[0])
    assert 5 < fired[0].sum() < 60


def test_predictors_in_the_models_own_tensors_go_along(packed_tiny):
    packed, rng = packed_tiny("int8", activation="relu", n_layers=1), np.random.default_rng(5)
    c, fmt, order = packed.config, FORMATS["int8"], random_order(np.random.default_rng(6), packed.config)
    own = {
        "layers.0.predictor_in": fmt.pack(rng.standard_normal((9, c.width)).astype(np.float32)),
        "layers.0.predictor_out": fmt.pack(rng.standard_normal((c.n_neurons, 9)).astype(np.float32)),
        "layers.0.predictor_bias": rng.standard_normal(c.n_neurons).astype(np.float32),
    }
    by_tensor, fired = order.of_tensors(), []
    for is_moved in (False, True):
        tensors = read_in_order(packed, order if is_moved else as_packed(c), ignore)
        for name, rows in own.items():
            tensors[name] = rows[by_tensor[name]] if is_moved and name in by_tensor else rows
        transformer = Transformer(c, packed.parts, tensors, context_tokens=64, cache_kind="int8", n_threads=2)
        transformer.counts_neurons = True
        decoded(transformer, [3])
        fired.append(transformer.take_neuron_counts())
        transformer.close()

    assert np.array_equal(order.original(fired[1]), fired[0])
    assert 5 < fired[0].sum() < 60
