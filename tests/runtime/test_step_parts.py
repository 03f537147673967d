"""A step in parts: the bits of a whole step where all is here, and the same sums where some neurons are elsewhere."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import InternalError
from engine.kernels import reference
from engine.runtime.decoder import MAX_TOKENS
from tests.runtime.test_tiers_in_the_step import CERTAIN, made, shapes_and_choices
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE

LAWS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FORMAT_NAMES = ["f32", "int8", "int4", "mixed"]


class Subject:
    """A model and the decoder inside, with what the parts of its steps lead to."""

    def __init__(self, transformer, choices, rng):
        self.config, self.parts, self.choices = transformer.config, transformer._parts, choices
        self.decoder, self.tensors = transformer._decoder, transformer._decoder._tensors
        self.decoder.set_tiers({"fine": choices})
        self.decoder.notes_fired = True
        self.transformer, self.rng = transformer, rng

    def embedded(self, tokens, position=0):
        return self.transformer._embed(tokens, position)

    def whole(self, tokens, position=0, tier="fine"):
        """Logits, counts and fired of a step as a whole."""
        embedded = self.embedded(tokens, position)
        assert self.decoder.step(embedded, position, wants_logits=True, tier=tier, notes_fired=True)
        return self.outcome(len(tokens))

    def outcome(self, t):
        return self.decoder.logits[:t].copy(), self.decoder.neuron_counts.copy(), self.decoder.fired[:t].copy()

    def reads_entering(self, layer):
        predictor = self.choices[layer].predictor
        return predictor is not None and predictor.reads == "entering"


def subject(tiny_transformer, weight_format, shape, kinds, seed, n_threads=2, biases=None):
    rng = np.random.default_rng(seed)
    cache_kind = "f32" if weight_format == "f32" else "int8"
    transformer = tiny_transformer(weight_format, cache_kind, n_threads=n_threads, seed=seed, **shape)
    return Subject(transformer, made(rng, kinds, shape, biases), rng)


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


# All neurons here -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
@LAWS
@given(drawn=shapes_and_choices(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000), data=st.data())
def test_part_by_part_gives_the_bits_of_the_whole(tiny_transformer, weight_format, drawn, n_threads, seed, data):
    model = subject(tiny_transformer, weight_format, *drawn, seed, n_threads)
    decoder, n_layers, position = model.decoder, model.config.n_layers, 0
    for t in (1, MAX_TOKENS, 2):
        tokens = model.rng.integers(0, model.config.n_vocab, t).tolist()
        expected = model.whole(tokens, position)

        decoder.begin(model.embedded(tokens, position), position, tier="fine", notes_fired=True)
        layer = 0
        while layer < n_layers:
            end = data.draw(st.integers(layer, n_layers))
            if end > layer:
                assert decoder.whole_layers(layer, end)
            else:
                end = layer + 1
                assert decoder.attention_part(layer)
                assert decoder.feed_forward_part(layer, adds=True)
            layer = end
        decoder.head_part()

        assert same(model.outcome(t), expected)
        position += t
    model.transformer.close()


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
@LAWS
@given(drawn=shapes_and_choices(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000), t=st.integers(1, MAX_TOKENS))
def test_a_feed_forward_whose_attention_is_elsewhere_gets_the_same_bits(
    tiny_transformer, weight_format, drawn, n_threads, seed, t
):
    here, there = (subject(tiny_transformer, weight_format, *drawn, seed, n_threads) for _ in range(2))
    tokens = here.rng.integers(0, here.config.n_vocab, t).tolist()
    expected = here.whole(tokens)
    for model in (here, there):
        model.decoder.begin(model.embedded(tokens), 0, tier="fine", notes_fired=True)

    for layer in range(here.config.n_layers):
        entering = there.decoder.x.copy()
        assert there.decoder.attention_part(layer)
        if here.config.residual == "post":
            entering = there.decoder.normed.copy()
        here.decoder.x[:], here.decoder.projected[:] = there.decoder.x, there.decoder.projected
        assert here.decoder.feed_forward_part(layer, entering=entering, adds=True)
        there.decoder.x[:] = here.decoder.x
    here.decoder.head_part()

    assert same(here.outcome(t), expected)
    here.transformer.close()
    there.transformer.close()


# Some neurons elsewhere -------------------------------------------------------------------------------------------


@st.composite
def placed(draw):
    """A shape, its tiers' choices, and how many neurons of each layer are elsewhere: none, all and between."""
    shape, kinds = draw(shapes_and_choices())
    n = shape["n_neurons"]
    one = st.one_of(st.just(0), st.just(n), st.integers(0, n))
    return shape, kinds, draw(st.lists(one, min_size=shape["n_layers"], max_size=shape["n_layers"]))


def hot_sum(model, layer, normed, entering, stream, n_hot, tier):
    """(t, d): the specification of the layer's first n_hot neurons, from the unpacked weights."""
    c, tensors, name = model.config, model.tensors, f"layers.{layer}."
    biases = (tensors.get(name + bias) for bias in ("first_bias", "up_bias"))
    first_bias, up_bias = (None if bias is None else bias[: c.n_neurons] for bias in biases)
    choice = model.choices[layer] if tier == "fine" else None
    sums = []
    if n_hot == 0:
        return np.zeros_like(normed)
    for token in range(len(normed)):
        hot = np.arange(n_hot)
        if choice is not None and choice.predictor is not None:
            seen = {"normed": normed, "stream": stream, "entering": entering}[choice.predictor.reads]
            hot = hot[choice.predictor.scores(seen[token][None])[0, :n_hot] > 0]
        added, _, _ = reference.feed_forward(
            normed[token], tensors.get(name + "gate"), tensors[name + "up"], tensors[name + "down"],
            model.parts.of("gate"), c.activation, c.threshold, first_bias, hot, up_bias,
            0.0 if choice is None else choice.cut,
        )  # fmt: skip
        sums.append(added)
    return np.stack(sums)


def split_step(model, tokens, position, n_hot, tier):
    """A step whose hot neurons numpy computes."""
    c, decoder = model.config, model.decoder
    decoder.begin(model.embedded(tokens, position), position, tier=tier, notes_fired=True)
    for layer in range(c.n_layers):
        entering = decoder.x[:, : c.width].copy()
        assert decoder.attention_part(layer)
        if c.residual == "post":
            entering = decoder.normed[:, : c.width].copy()
        assert decoder.feed_forward_part(layer)
        base, normed = decoder.x[:, : c.width].copy(), decoder.normed[:, : c.width].copy()
        if n_hot[layer] == c.n_neurons:
            normed = normed_of(model, layer, base)
        stream = normed if c.residual == "post" else base
        hot = hot_sum(model, layer, normed, entering, stream, n_hot[layer], tier)
        added = decoder.contributed[:, : c.width] + hot
        if (bias := model.tensors.get(f"layers.{layer}.down_bias")) is not None:
            added = added + bias[: c.width]
        if c.residual == "parallel":
            added = added + decoder.projected[:, : c.width]
        decoder.x[:, : c.width] = (normed if c.residual == "post" else base) + added
    decoder.head_part()
    return model.outcome(len(tokens))


def normed_of(model, layer, x):
    """What a feed-forward multiplies, where the step has no neuron to norm it for."""
    c, name = model.config, f"layers.{layer}.{'attention_norm' if model.config.residual == 'post' else 'ffn_norm'}"
    weight, bias = model.tensors[name][: c.width], model.tensors.get(name + "_bias")
    if bias is None:
        return np.stack([reference.rms_norm(row, weight, c.norm_eps) for row in x])
    return np.stack([reference.layer_norm(row, weight, bias[: c.width], c.norm_eps) for row in x])


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@LAWS
@given(drawn=placed(), tier=st.sampled_from(["exact", "fine"]), n_threads=st.integers(1, 3), seed=st.integers(0, 1000))
def test_what_is_here_and_what_is_elsewhere_make_the_dense_sum(
    tiny_transformer, weight_format, drawn, tier, n_threads, seed
):
    shape, kinds, n_hot = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    c_rng, n = np.random.default_rng(seed), shape["n_neurons"]
    named = c_rng.random((shape["n_layers"], n)) < 0.6
    kinds = [(*kind[:3], 0.0) for kind in kinds]  # at a cut rounding decides
    biases = np.where(named, CERTAIN, -CERTAIN)
    model = subject(tiny_transformer, weight_format, shape, kinds, seed, n_threads, biases)
    tokens = model.rng.integers(0, shape["n_vocab"], 3).tolist()
    whole, counts, fired = model.whole(tokens, tier=tier)

    model.decoder.place(n_hot)
    logits, cold_counts, cold_fired = split_step(model, tokens, 0, n_hot, tier)

    scale = max(1.0, float(np.abs(whole).max()))
    rough = 4 if shape["activation"] == "fatrelu" or shape["width"] < FEWEST_AVERAGED else 1
    assert np.median(np.abs(logits - whole).max(axis=1)) <= rough * LOGIT_TOLERANCE[weight_format] * scale
    is_hot = np.arange(n) < np.asarray(n_hot)[:, None]
    has_predictor = [tier == "fine" and choice.predictor is not None for choice in model.choices]
    scored = np.where(np.asarray(has_predictor)[:, None], named & ~is_hot, ~is_hot).sum(axis=1)
    assert (cold_counts[:, :, 0] == scored).all()
    assert not cold_fired[:, is_hot].any()
    assert np.array_equal(cold_fired.sum(axis=2), cold_counts[:, :, 2])
    # the first layer's input is the same bits
    assert np.array_equal(cold_fired[:, 0], np.where(is_hot[0], 0, fired[:, 0]))
    assert np.array_equal(model.decoder.n_hot, n_hot)
    model.decoder.place([0] * shape["n_layers"])
    assert same(model.whole(tokens, tier=tier), (whole, counts, fired))
    model.transformer.close()


@pytest.mark.parametrize("kind", ["sign", "linear", "relu"])
@pytest.mark.parametrize("reads", ["normed", "stream", "entering"])
@pytest.mark.parametrize("n_hot", [1, 33, 64, 129])
def test_scores_are_those_of_the_neurons_that_are_here(tiny_transformer, kind, reads, n_hot):
    shape = {"width": 70, "n_neurons": 130, "n_layers": 1, "activation": "relu"}
    model = subject(tiny_transformer, "f32", shape, [(kind, reads, 37, 0.02)], 3)
    tokens = [5, 6, 7, 8]
    _, _, fired = model.whole(tokens)

    model.decoder.place([n_hot])
    _, counts, cold_fired = split_step(model, tokens, 0, [n_hot], "fine")

    assert np.array_equal(cold_fired[:, :, n_hot:], fired[:, :, n_hot:])
    assert not cold_fired[:, :, :n_hot].any()
    assert np.array_equal(counts[:, 0, 2], fired[:, 0, n_hot:].sum(axis=1))


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
@pytest.mark.parametrize("is_gated", [True, False])
@pytest.mark.parametrize("with_tier", [True, False])
def test_rows_of_neurons_that_are_elsewhere_are_never_read(tiny_transformer, weight_format, is_gated, with_tier):
    shape = {
        "width": 36, "n_neurons": 70, "n_layers": 3, "activation": "relu", "is_gated": is_gated, "has_ffn_bias": True,
    }  # fmt: skip
    kinds = [("sign", "normed", 9, 0.0), ("linear", "stream", 9, 0.0), (None, "normed", 1, 0.1)]
    model, tier = subject(tiny_transformer, weight_format, shape, kinds, 1), "fine" if with_tier else "exact"
    n_hot, tokens, states = [17, 70, 0], [1, 2, 3], []
    model.decoder.place(n_hot)

    for _ in range(2):
        model.decoder.begin(model.embedded(tokens), 0, tier=tier)
        for layer in range(3):
            model.decoder.attention_part(layer)
            model.decoder.feed_forward_part(layer)
            states.append(model.decoder.contributed.copy())
            model.decoder.x[:] += states[-1]
        for layer, n in enumerate(n_hot):
            for part in ("gate", "up", "down", "first_bias", "up_bias"):
                if (rows := model.tensors.get(f"layers.{layer}.{part}")) is not None:
                    rows[:n].view(np.uint8)[:] = 0xFF  # no numbers

    assert same(states[:3], states[3:])
    assert np.abs(states[0]).max() > 0
    assert not states[1].any()


def test_placement_holds_for_tiers_that_come_later_and_changes_what_is_said_to_be_read(tiny_transformer):
    shape = {"width": 36, "n_neurons": 70, "n_layers": 2, "activation": "relu"}
    kinds = [("sign", "normed", 1, 0.0), ("linear", "normed", 12, 0.0)]
    model = subject(tiny_transformer, "int8", shape, kinds, 0)
    decoder, everywhere = model.decoder, model.decoder.predictor_bytes("fine")
    decoder.place([30, 70])
    before = split_step(model, [1], 0, [30, 70], "fine")

    decoder.set_tiers({"fine": model.choices})

    assert same(split_step(model, [1], 0, [30, 70], "fine"), before)
    assert decoder.predictor_bytes("fine") == 40 * (8 + 4)  # a word of signs and a constant for each of 40
    decoder.place([0, 0])
    assert decoder.predictor_bytes("fine") == everywhere


@pytest.mark.parametrize("n_hot", [[1], [1, 2, 3, 4], [0, -1, 0], [0, 0, 71]])
def test_a_placement_of_another_shape_is_refused(tiny_transformer, n_hot):
    decoder = tiny_transformer("int8")._decoder

    with pytest.raises(InternalError):
        decoder.place(n_hot)

    assert decoder.n_hot == (0, 0, 0)


# Stopping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_stop_ends_a_part_and_clears(tiny_transformer, n_threads):
    shape = {"width": 36, "n_neurons": 70, "n_layers": 2, "activation": "relu"}
    model = subject(tiny_transformer, "int8", shape, [(None, "normed", 1, 0.0)] * 2, 0, n_threads)
    decoder, expected = model.decoder, model.whole([3])
    decoder.begin(model.embedded([3]), 0, tier="fine")

    decoder.request_stop()
    outcomes = [decoder.attention_part(0), decoder.feed_forward_part(0), decoder.feed_forward_part(0, adds=True),
                decoder.whole_layers(0, 2)]  # fmt: skip
    decoder.clear_stop()

    assert outcomes == [False] * 4
    assert same(model.whole([3]), expected)
