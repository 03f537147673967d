"""A tap sees what a dense pass computes, and what it changes is what the model goes on with."""

import numpy as np
import pytest

from engine.kernels.reference import activate


class Recorder:
    def __init__(self, change=None, heads=None):
        self.views, self.change, self.heads = {}, change, heads

    def attended(self, layer, heads):
        if self.heads:
            self.heads(layer, heads)

    def neurons(self, layer, view):
        names = ("entering", "stream", "normed", "first", "product")
        self.views.setdefault(layer, {name: getattr(view, name).copy() for name in names})
        if self.change:
            self.change(layer, view)


TOKENS = list(range(1, 31))


@pytest.mark.parametrize("residual", ["sequential", "parallel", "post"])
def test_watching_changes_nothing(tiny_transformer, residual):
    transformer = tiny_transformer(activation="relu", residual=residual, has_ffn_bias=True)
    plain, recorder = transformer.all_logits(TOKENS), Recorder()

    assert np.array_equal(transformer.all_logits(TOKENS, recorder), plain)
    assert sorted(recorder.views) == [0, 1, 2]


def test_a_layers_view_is_what_it_computes(tiny_transformer):
    transformer, recorder = tiny_transformer(activation="relu", has_ffn_bias=True), Recorder()
    transformer.observe(TOKENS, recorder)
    tensors, d = transformer._decoder._tensors, transformer.config.width
    for layer, view in recorder.views.items():
        gate, up = (tensors[f"layers.{layer}.{name}"].view(np.float32)[:, :d] for name in ("gate", "up"))
        n = len(gate)
        first = view["normed"] @ gate.T + tensors[f"layers.{layer}.first_bias"][:n]
        ups = view["normed"] @ up.T
        if f"layers.{layer}.up_bias" in tensors:
            ups = ups + tensors[f"layers.{layer}.up_bias"][:n]

        np.testing.assert_allclose(view["first"], first, atol=1e-4)
        np.testing.assert_allclose(view["product"], activate(first, "relu") * ups, atol=1e-3)
        assert not np.array_equal(view["entering"], view["stream"])


def test_what_a_tap_silences_stays_silent(tiny_transformer):
    transformer = tiny_transformer(activation="relu")

    def silence(layer, view):
        view.product[:] = 0

    def silence_heads(layer, heads):
        heads[:] = 0

    without_neurons = transformer.all_logits(TOKENS, Recorder(silence))
    without_both = transformer.all_logits(TOKENS, Recorder(silence, silence_heads))

    assert not np.allclose(without_neurons, transformer.all_logits(TOKENS))
    # Nothing is left to tell positions apart: the same token has the same logits wherever it stands.
    repeated = transformer.all_logits([5, 6, 5, 6], Recorder(silence, silence_heads))
    assert np.allclose(repeated[0], repeated[2])
    assert not np.allclose(without_both, without_neurons)
