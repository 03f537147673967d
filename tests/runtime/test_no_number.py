"""A first product that is no number is no silent neuron: it is noticed on either side, and never becomes a token."""

import numpy as np
import pytest

from engine.errors import InternalError
from tests.runtime.test_hybrid import all_on_card, split
from tests.runtime.test_live_budget import answer, use_card

ACTIVATIONS = [("relu", True), ("relu", False), ("fatrelu", True), ("drelu", True), ("relu2", False), ("silu", True)]
SCALE_TYPES = {"f32": np.float32, "int8": np.float16, "int4": np.float32}
ROW = 3


def shape(activation, is_gated):
    threshold = 0.01 if activation == "fatrelu" else 0.0
    return {"activation": activation, "is_gated": is_gated, "threshold": threshold}


def spoil(rows, weight_format):
    """Make the row's first number none: a weight, or the scale of its first group, or of the whole."""
    rows[ROW].view(SCALE_TYPES[weight_format])[0] = np.nan


@pytest.mark.parametrize("weight_format", SCALE_TYPES)
@pytest.mark.parametrize(("activation", "is_gated"), ACTIVATIONS)
@pytest.mark.parametrize("n_threads", [1, 2])
def test_on_the_processor(tiny_transformer, weight_format, activation, is_gated, n_threads):
    transformer = tiny_transformer(weight_format, n_threads=n_threads, **shape(activation, is_gated))
    transformer.decode_step(1)

    spoil(transformer._tensors["layers.1.gate" if is_gated else "layers.1.up"], weight_format)

    with pytest.raises(InternalError):
        transformer.decode_step(2)


@pytest.mark.parametrize("weight_format", SCALE_TYPES)
def test_in_the_second_product_of_a_drelu_neuron(tiny_transformer, weight_format):
    transformer = tiny_transformer(weight_format, activation="drelu", has_ffn_bias=True, n_layers=1)
    transformer.decode_step(1)

    transformer._tensors["layers.0.up_bias"][:] = np.nan

    with pytest.raises(InternalError):
        transformer.decode_step(2)
    transformer.prefill(list(range(20)), lambda done, total: None)
    with pytest.raises(InternalError):
        transformer.decode_step(2)


@pytest.mark.parametrize("weight_format", SCALE_TYPES)
@pytest.mark.parametrize(("activation", "is_gated"), ACTIVATIONS)
@pytest.mark.parametrize("make", [all_on_card, lambda c: split(c, 30), lambda c: split(c, 30, attention=False)])
def test_on_the_card(tiny_transformer, weight_format, activation, is_gated, make):
    transformer = tiny_transformer(weight_format, **shape(activation, is_gated))
    expected, _ = answer(transformer, 4)
    _, session, rows, downs = use_card(transformer)
    session.apply(make(transformer.config))

    def before_token(n):
        if n == 0:
            session.model.device.run()
            spoil(session.model.layers[1].neurons.rows("gate" if is_gated else "up"), weight_format)

    got, _ = answer(transformer, 4, before_token)

    assert [down.reason for down in downs] == ["wrong_result"]
    assert got == expected
    assert rows.are_whole()
