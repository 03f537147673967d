"""With a predictor a token reads the first product of the neurons it names, and of no others."""

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.kernels.formats import FORMATS
from engine.model.pack import pack
from engine.runtime.transformer import Transformer
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE, reference_logits, shapes
from tests.tiny_model import TINY, TinyCheckpoint

# A constant that no score outweighs: what is named is then known whatever rounding does to scores.
CERTAIN = 1e3


@pytest.fixture
def predicted_transformer(tmp_path):
    """A function: format, rank, biases (layers, neurons), sizes → a Transformer with random predictors, and tensors."""
    made = []

    def make(weight_format, rank, biases, n_threads=2, seed=0, **changes):
        config = dataclasses.replace(TINY, **changes)
        path = tmp_path / f"{len(made)}.ember"
        packed = pack(TinyCheckpoint(config, seed), path, weight_format, source="", note="", on_step=lambda *a: None)
        tensors, fmt, rng = packed.read(lambda *a: None), FORMATS[packed.parts.ffn_first], np.random.default_rng(seed)
        for layer in range(config.n_layers):
            name = f"layers.{layer}.predictor_"
            inner = rng.standard_normal((rank, config.width)).astype(np.float32)
            tensors[name + "in"] = fmt.pack(inner * np.float32(config.width**-0.5))
            outer = rng.standard_normal((config.n_neurons, rank)).astype(np.float32)
            tensors[name + "out"] = fmt.pack(outer * np.float32(rank**-0.5))
            tensors[name + "bias"] = np.asarray(biases[layer], np.float32)
        sizes = {"context_tokens": 64, "cache_kind": "f32", "n_threads": n_threads}
        made.append(Transformer(packed.config, packed.parts, tensors, **sizes))
        return made[-1], tensors

    yield make
    for transformer in made:
        transformer.close()


def decoded(transformer, tokens):
    transformer.cache.rewind(0)
    return np.stack([transformer.decode_step(token).copy() for token in tokens])


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shape=shapes(), rank=st.integers(1, 90), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]), n_threads=st.integers(1, 3),
    seed=st.integers(0, 1000),
)  # fmt: skip
def test_named_neurons_alone_make_the_answer(predicted_transformer, weight_format, shape, rank, share, n_threads, seed):
    assume(shape["activation"] != "silu")
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    rng = np.random.default_rng(seed)
    named = rng.random((shape["n_layers"], shape["n_neurons"])) < share
    biases = np.where(named, CERTAIN, -CERTAIN)
    transformer, _ = predicted_transformer(weight_format, rank, biases, n_threads, seed, **shape)
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()
    expected = reference_logits(transformer, tokens)

    got = decoded(transformer, tokens)

    scale = max(1.0, float(np.abs(expected).max()))
    assert np.abs(got - expected).max() <= LOGIT_TOLERANCE[weight_format] * scale
    assert transformer.neuron_counts[:, 0].tolist() == named.sum(axis=1).tolist()
    assert (np.diff(transformer.neuron_counts, axis=1) <= 0).all()
    transformer.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shape=shapes(), rank=st.integers(1, 90), n_threads=st.integers(1, 3), seed=st.integers(0, 1000))
def test_the_neurons_named_are_those_of_a_positive_score(predicted_transformer, shape, rank, n_threads, seed):
    assume(shape["activation"] != "silu")
    rng = np.random.default_rng(seed)
    biases = rng.standard_normal((shape["n_layers"], shape["n_neurons"]))
    transformer, _ = predicted_transformer("f32", rank, biases, n_threads, seed, **shape)
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()
    scores = []
    expected = reference_logits(transformer, tokens, scores)
    # two ways of summing float32 agree to some 1e-6
    assume(min(float(np.abs(s).min()) for s in scores) > 1e-4)

    got = decoded(transformer, tokens)

    scale = max(1.0, float(np.abs(expected).max()))
    assert np.abs(got - expected).max() <= LOGIT_TOLERANCE["f32"] * scale
    last = scores[-shape["n_layers"] :]
    assert transformer.neuron_counts[:, 0].tolist() == [int((s > 0).sum()) for s in last]
    transformer.close()


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@pytest.mark.parametrize("is_gated", [True, False])
def test_rows_of_neurons_that_are_not_named_are_never_used(predicted_transformer, weight_format, is_gated):
    config = dataclasses.replace(TINY, activation="relu", is_gated=is_gated)
    named = np.random.default_rng(1).random((config.n_layers, config.n_neurons)) < 0.3
    transformer, tensors = predicted_transformer(
        weight_format, 20, np.where(named, CERTAIN, -CERTAIN), activation="relu", is_gated=is_gated
    )
    before = decoded(transformer, range(6))

    for layer in range(config.n_layers):
        for part in ("gate", "up", "down"):
            if (rows := tensors.get(f"layers.{layer}.{part}")) is not None:
                rows[~named[layer]] = 0xFF  # scales and floats that are no numbers

    assert np.array_equal(decoded(transformer, range(6)), before)


@pytest.mark.parametrize("n_threads", [2, 3])
def test_the_active_threads_of_a_pool_give_the_same_bits(predicted_transformer, n_threads):
    biases = np.random.default_rng(2).standard_normal((TINY.n_layers, TINY.n_neurons))
    transformer, _ = predicted_transformer("int8", 33, biases, n_threads, activation="relu")
    all_of_them = decoded(transformer, range(20))

    for n_active in range(1, n_threads):
        transformer._decoder.n_active_threads = n_active
        assert np.array_equal(decoded(transformer, range(20)), all_of_them)
