"""A prompt read with some neurons elsewhere: the same answers, and nothing read of those neurons' rows."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import Cancelled, DeviceLost, InternalError
from engine.kernels import reference
from engine.kernels.formats import F32
from tests.runtime.test_transformer import FEWEST_AVERAGED, PROMPT_TOLERANCE, shapes


class NumpyCard:
    """Computes hot neurons densely from the unpacked weights, as a card would: begun, then finished."""

    def __init__(self, transformer, n_hot):
        self.config, self.n_hot, self.begun, self.calls = transformer.config, n_hot, None, []
        c, parts, tensors = transformer.config, transformer._parts, transformer._decoder._tensors
        self.layers = []
        for layer, n in enumerate(n_hot):
            name, held = f"layers.{layer}.", {}
            for part, fmt in (("gate", parts.of("gate")), ("up", parts.of_up(c)), ("down", parts.of("down"))):
                if name + part in tensors:
                    held[part] = F32.pack(fmt.unpack(tensors[name + part][:n], c.width))
            for part in ("first_bias", "up_bias"):
                held[part] = tensors[name + part][:n].copy() if name + part in tensors else None
            self.layers.append(held)

    def begin(self, layer, normed):
        assert self.begun is None
        assert self.n_hot[layer] > 0
        self.begun = (layer, normed.copy())
        self.calls.append(layer)

    def finish(self, layer):
        begun, normed = self.begun
        self.begun = None
        assert begun == layer
        c, held = self.config, self.layers[layer]
        sums = [
            reference.feed_forward(
                x, held.get("gate"), held["up"], held["down"], F32, c.activation, c.threshold, held["first_bias"],
                None, held["up_bias"],
            )[0]
            for x in normed
        ]  # fmt: skip
        return np.stack(sums)


@st.composite
def placed(draw):
    shape = draw(shapes())
    n = shape["n_neurons"]
    one = st.one_of(st.just(0), st.just(n), st.integers(0, n))
    return shape, draw(st.lists(one, min_size=shape["n_layers"], max_size=shape["n_layers"]))


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=placed(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000))
def test_a_prompt_is_read_the_same_wherever_neurons_are(tiny_transformer, weight_format, drawn, n_threads, seed):
    shape, n_hot = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    transformer = tiny_transformer(weight_format, n_threads=n_threads, seed=seed, **shape)
    tokens = np.random.default_rng(seed).integers(0, shape["n_vocab"], 11).tolist()
    dense = transformer.all_logits(tokens)
    card = NumpyCard(transformer, n_hot)

    transformer._prefill.place(n_hot, card)
    split = transformer.all_logits(tokens)

    scale = max(1.0, float(np.abs(dense).max()))
    is_narrow = shape["width"] < FEWEST_AVERAGED and weight_format != "f32"
    lost = np.abs(split - dense).max(axis=1)
    rough = 4 if is_narrow or shape["activation"] == "fatrelu" else 1
    # twice: both are rounded, each within the tolerance
    assert (np.median(lost) if is_narrow else lost.max()) <= 2 * rough * PROMPT_TOLERANCE[weight_format] * scale
    assert card.calls == [layer for layer, n in enumerate(n_hot) if n]
    transformer._prefill.place([0] * shape["n_layers"])
    assert np.array_equal(transformer.all_logits(tokens), dense)
    transformer.close()


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4", "mixed"])
@pytest.mark.parametrize("is_gated", [True, False])
def test_rows_of_neurons_that_are_elsewhere_are_never_read(tiny_transformer, weight_format, is_gated):
    transformer = tiny_transformer(weight_format, activation="relu", is_gated=is_gated, has_ffn_bias=True)
    n_hot, tensors, tokens = [33, 70, 0], transformer._decoder._tensors, list(range(20))
    transformer._prefill.place(n_hot, NumpyCard(transformer, n_hot))
    before = transformer.all_logits(tokens)

    for layer, n in enumerate(n_hot):
        for part in ("gate", "up", "down", "first_bias", "up_bias"):
            if (rows := tensors.get(f"layers.{layer}.{part}")) is not None:
                rows[:n].view(np.uint8)[:] = 0xFF  # no numbers

    assert np.array_equal(transformer.all_logits(tokens), before)
    assert np.isfinite(before).all()


class StoppingCard(NumpyCard):
    """Asks for a stop as soon as it has something to do."""

    def begin(self, layer, normed):
        super().begin(layer, normed)
        self.stop()


def test_a_stopped_pass_still_finishes_what_it_began(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu")
    card = StoppingCard(transformer, [20, 20, 20])
    card.stop = transformer.request_stop
    transformer._prefill.place([20, 20, 20], card)

    with pytest.raises(Cancelled):
        transformer.prefill(list(range(30)), lambda done, total: None)

    assert card.calls == [0]
    assert card.begun is None
    assert transformer.cache.tokens == []
    transformer.clear_stop()
    card.stop = lambda: None
    transformer.prefill(list(range(30)), lambda done, total: None)
    assert card.calls == [0, 0, 1, 2]


class LostCard(NumpyCard):
    def finish(self, layer):
        if layer == 1:
            raise DeviceLost("a card", "lost")
        return super().finish(layer)


def test_what_a_card_raises_reaches_the_caller_and_the_prompt_can_be_read_again(tiny_transformer):
    transformer, tokens = tiny_transformer("int8", activation="relu"), list(range(30))
    expected = transformer.all_logits(tokens)
    transformer._prefill.place([20, 20, 20], LostCard(transformer, [20, 20, 20]))
    with pytest.raises(DeviceLost):
        transformer.all_logits(tokens)

    transformer._prefill.place([0, 0, 0])

    assert np.array_equal(transformer.all_logits(tokens), expected)


class Watching:
    def attended(self, layer, heads):
        """Heads are not looked at."""

    def neurons(self, layer, view):
        """Neither are neurons."""


def test_a_tap_never_sees_a_part_of_the_neurons(tiny_transformer):
    transformer = tiny_transformer("int8")
    transformer._prefill.place([1, 0, 0], NumpyCard(transformer, [1, 0, 0]))

    with pytest.raises(InternalError):
        transformer.observe([1, 2, 3], Watching())


@pytest.mark.parametrize("n_hot", [[1], [0, -1, 0], [0, 0, 71], [1, 0, 0]])
def test_a_placement_that_nobody_computes_is_refused(tiny_transformer, n_hot):
    transformer = tiny_transformer("int8")

    with pytest.raises(InternalError):
        transformer._prefill.place(n_hot, None)
