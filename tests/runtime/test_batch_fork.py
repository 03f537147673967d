"""Sequences decoded together: each token gets the bits it would get alone, whatever others are in the step."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import Cancelled, ContextFull, InternalError, InvalidRequest, OutOfMemory
from engine.runtime import decoder, fork
from engine.runtime.kv_cache import KVCache
from tests.runtime.test_hybrid import split, with_card
from tests.runtime.test_predicted import predicted_transformer  # noqa: F401 - a fixture
from tests.runtime.test_transformer import shapes

LAWS = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Neurons in blocks of sixteen, and room that is soon used up: a tiny model needs more than one of either."""
    monkeypatch.setattr(decoder, "BLOCK_BYTES", 1)
    monkeypatch.setattr(fork, "FIRST_ROOM", 2)


@st.composite
def schedules(draw):
    """How many sequences there are, and for each step of which they get a token, some of them several."""
    n = draw(st.integers(1, 6))
    step = st.lists(st.integers(0, n - 1), min_size=1, max_size=max(4, n))
    return n, draw(st.lists(step, min_size=1, max_size=8))


def decoded_together(transformer, n_sequences, schedule, tokens):
    """Of each sequence its tokens, and the logits and counts of each; tokens are taken from an iterator."""
    got = [[] for _ in range(n_sequences)]
    forked = transformer.fork(n_sequences)
    for step in schedule:
        chosen = [next(tokens) for _ in step]
        logits = forked.step(step, chosen)
        for i, sequence in enumerate(step):
            got[sequence].append((chosen[i], logits[i].copy(), forked.step_counts[i]))
    for sequence, outcomes in enumerate(got):
        assert forked.tokens(sequence)[len(transformer.cache.tokens) :] == [token for token, _, _ in outcomes]
    forked.close()
    return got


def assert_same_alone(transformer, got):
    n_before = len(transformer.cache.tokens)
    for outcomes in got:
        transformer.cache.rewind(n_before)
        for token, logits, counts in outcomes:
            assert np.array_equal(transformer.decode_step(token), logits)
            assert np.array_equal(transformer.neuron_counts, counts)


@pytest.mark.parametrize(("weight_format", "cache_kind"), [("f32", "f32"), ("int8", "int8"), ("int4", "f16")])
@LAWS
@given(
    shape=shapes(), drawn=schedules(), n_before=st.integers(0, 9), n_threads=st.integers(1, 3), seed=st.integers(0, 99)
)
def test_tokens_of_several_sequences_get_the_bits_they_get_alone(
    tiny_transformer, weight_format, cache_kind, shape, drawn, n_before, n_threads, seed
):
    n_sequences, schedule = drawn
    transformer = tiny_transformer(weight_format, cache_kind, n_threads=n_threads, seed=seed, **shape)
    rng = np.random.default_rng(seed)
    for token in rng.integers(0, shape["n_vocab"], n_before).tolist():
        transformer.decode_step(token)
    tokens = iter(rng.integers(0, shape["n_vocab"], 50).tolist())

    got = decoded_together(transformer, n_sequences, schedule, tokens)

    assert_same_alone(transformer, got)
    transformer.close()


@LAWS
@given(shape=shapes(), drawn=schedules(), share=st.floats(0.05, 0.95), seed=st.integers(0, 99))
def test_so_do_those_whose_neurons_a_predictor_names(predicted_transformer, shape, drawn, share, seed):  # noqa: F811
    n_sequences, schedule = drawn
    rng = np.random.default_rng(seed)
    biases = rng.standard_normal((shape["n_layers"], shape["n_neurons"])) + np.log(share / (1 - share))
    transformer, _ = predicted_transformer("int8", 20, biases, 2, seed, **shape)
    transformer.decode_step(1)
    tokens = iter(rng.integers(0, shape["n_vocab"], 50).tolist())

    got = decoded_together(transformer, n_sequences, schedule, tokens)

    assert_same_alone(transformer, got)
    transformer.close()


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
def test_thirty_two_sequences_of_neurons_divided_unevenly(tiny_transformer, weight_format):
    transformer = tiny_transformer(weight_format, "int8", n_threads=3, activation="relu", n_neurons=400)
    transformer.prefill(range(5), lambda done, total: None)
    schedule = [range(32), [*range(31, -1, -3)], range(32)]
    tokens = iter(np.random.default_rng(3).integers(0, 300, 80).tolist())

    got = decoded_together(transformer, 32, schedule, tokens)

    assert_same_alone(transformer, got)


def test_which_neurons_fired_is_told_for_each_token(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu", n_neurons=150)
    forked = transformer.fork(5)
    forked.notes_fired = True

    forked.step(range(5), [7, 8, 9, 10, 11])

    assert forked.fired.shape == (5, 3, 150)
    assert np.array_equal(forked.fired.sum(axis=2), forked.step_counts[:, :, 2])


def test_the_beginning_is_not_copied(tiny_transformer):
    transformer = tiny_transformer("int8", "int8")
    transformer.prefill(range(40), lambda done, total: None)
    before = transformer.cache.keys.copy(), transformer.cache.values.copy()

    forked = transformer.fork(4)
    forked.step(range(4), [1, 2, 3, 4])

    assert all(
        np.array_equal(a, b) for a, b in zip(before, (transformer.cache.keys, transformer.cache.values), strict=True)
    )
    assert forked._rows.context_tokens == 4 * fork.FIRST_ROOM


def test_stop_acts_on_a_fork_and_leaves_its_sequences(tiny_transformer):
    transformer = tiny_transformer("int8")
    transformer.decode_step(1)
    forked = transformer.fork(3)
    forked.step(range(3), [4, 5, 6])

    transformer.request_stop()
    with pytest.raises(Cancelled):
        forked.step(range(3), [7, 8, 9])
    transformer.clear_stop()

    assert [forked.tokens(sequence) for sequence in range(3)] == [[1, 4], [1, 5], [1, 6]]
    assert np.isfinite(forked.step([1], [3])).all()


def test_what_cannot_be_is_refused(tiny_transformer, monkeypatch):
    transformer = tiny_transformer("int8", context_tokens=6)
    for token in range(4):
        transformer.decode_step(token)
    for n in (0, fork.MOST_SEQUENCES + 1):
        with pytest.raises(InvalidRequest):
            transformer.fork(n)
    forked = transformer.fork(2)

    forked.step([0, 0], [1, 1])
    with pytest.raises(ContextFull):
        forked.step([1, 0], [1, 1])
    with pytest.raises(InternalError):
        forked.step([0, 1, 0, 1, 0], [1] * 5)
    transformer.cache.rewind(2)
    with pytest.raises(InternalError):
        forked.step([1], [1])

    def no_memory(self, *sizes):
        raise MemoryError

    monkeypatch.setattr(KVCache, "__init__", no_memory)
    with pytest.raises(OutOfMemory):
        transformer.fork(2)


def test_a_card_makes_way_and_comes_back(tiny_transformer):
    changes = {"activation": "relu", "n_neurons": 90}
    transformer, alone = tiny_transformer("int8", "int8", **changes), tiny_transformer("int8", "int8", **changes)
    session = with_card(transformer, split(transformer.config, 50)) and transformer.card
    for each in (transformer, alone):
        each.prefill(range(4), lambda done, total: None)
    tokens = [9, 10, 11]

    forked = transformer.fork(3)
    got = forked.step(range(3), tokens).copy()
    was_aside = not session.plan.uses_card
    forked.close()
    transformer.decode_step(5)

    assert was_aside
    assert session.plan.layers == split(transformer.config, 50).layers
    for token, logits in zip(tokens, got, strict=True):
        alone.cache.rewind(4)
        assert np.abs(alone.decode_step(token) - logits).max() < 1e-2


def test_another_placement_asked_for_meanwhile_stays(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu", n_neurons=90)
    with_card(transformer, split(transformer.config, 50))
    forked = transformer.fork(2)

    transformer.card.begin(split(transformer.config, 20))
    forked.close()
    transformer.decode_step(1)

    assert transformer.card.plan.layers == split(transformer.config, 20).layers
