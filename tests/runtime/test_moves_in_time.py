"""A new budget is in effect soon: it waits neither for a chunk of a prompt nor, slice by slice, for slow tokens."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine.runtime import card_session
from engine.runtime.card_session import on_processor
from tests.runtime.test_hybrid import all_on_card, split
from tests.runtime.test_live_budget import use_card

PROMPT = [(7 * i) % 300 for i in range(40)]


def read(transformer, at_layer, do):
    """Logits after a prompt of one chunk, in the middle of which something is done."""
    transformer.cache.rewind(0)
    calls = iter(range(100))

    def on_tokens(done, total):
        if next(calls) == at_layer + 1:  # the first call comes before the first layer
            do()

    transformer.prefill(PROMPT, on_tokens)
    return transformer.decode_step(5).copy()


@pytest.mark.parametrize("residual", ["sequential", "parallel", "post"])
@pytest.mark.parametrize("at_layer", [1, 2, 3])
@pytest.mark.parametrize("make", [all_on_card, lambda c: split(c, 30), lambda c: on_processor(c.n_layers, c.n_neurons)])
def test_a_budget_is_in_effect_before_the_chunk_ends(tiny_transformer, residual, at_layer, make):
    transformer = tiny_transformer("f32", activation="relu", residual=residual, context_tokens=100)
    expected = read(transformer, 0, lambda: None)
    _, session, rows, downs = use_card(transformer)
    session.apply(split(transformer.config, 50, attention=False))
    places = []

    def begin():
        session.begin(make(transformer.config))
        places.append(session.plan)

    got = read(transformer, at_layer, begin)
    chunk_end = session.plan

    assert places[0].layers != make(transformer.config).layers
    assert chunk_end.layers == make(transformer.config).layers
    assert not session.is_moving
    assert np.abs(got - expected).max() <= 1e-3 * max(1.0, float(np.abs(expected).max()))
    session.apply(on_processor(transformer.config.n_layers, transformer.config.n_neurons))
    assert rows.are_whole()
    assert not downs


@pytest.mark.parametrize("n_calls", [0, 3, 20])
def test_a_card_lost_while_a_prompt_is_read_and_rows_move(tiny_transformer, n_calls):
    transformer = tiny_transformer("f32", activation="relu", context_tokens=100)
    expected = read(transformer, 0, lambda: None)
    device, session, rows, downs = use_card(transformer)
    session.apply(split(transformer.config, 20))

    def begin_and_lose():
        session.begin(split(transformer.config, 60))
        device.lose_after(n_calls)

    got = read(transformer, 1, begin_and_lose)

    assert [down.reason for down in downs] == ["device_lost"]
    assert np.abs(got - expected).max() <= 1e-3 * max(1.0, float(np.abs(expected).max()))
    assert rows.are_whole()


class Clock:
    """Time that passes where a test says so."""

    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now


@pytest.mark.parametrize("token_s", [0.001, 0.05, 0.2, 3.0])
def test_a_move_takes_twice_its_copies_at_most_or_a_share_of_fast_tokens(tiny_transformer, monkeypatch, token_s):
    clock, slice_s = Clock(), 0.004
    monkeypatch.setattr(card_session, "time", SimpleNamespace(perf_counter=clock.perf_counter, monotonic=lambda: 0.0))
    transformer = tiny_transformer("int8", context_tokens=300)
    _, session, _, _ = use_card(transformer)
    session.slice_bytes = 1  # a neuron at a time
    plan, n_slices, after_slice = split(transformer.config, 70), 0, session._after_slice

    def slowly(model):
        nonlocal n_slices
        n_slices += 1
        clock.now += slice_s
        return after_slice(model)

    monkeypatch.setattr(session, "_after_slice", slowly)
    waited = [0.0]
    session.begin(plan)
    while session.is_moving:
        clock.now += token_s
        before = clock.now
        session.between_tokens()
        waited.append(clock.now - before)

    assert n_slices >= 210
    assert session.plan.layers == plan.layers
    assert session.last_move_s <= max(2, 1 + token_s / session.moving_s) * n_slices * slice_s + 2 * token_s + slice_s
    assert max(waited) <= max(session.moving_s, token_s) + 2 * slice_s
