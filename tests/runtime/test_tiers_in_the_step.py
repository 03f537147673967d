"""What a tier does in a step, and what it leaves alone: its predictors and cuts, switching, bytes, counted neurons."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import InternalError, InvalidRequest
from engine.kernels import reference
from engine.kernels.formats import FORMATS
from engine.model.predictors import LayerChoice, low_rank, sign_predictor
from engine.neuron_reports import EXACT, PREDICTOR_INPUTS, PREDICTOR_KINDS
from engine.runtime.kv_cache import cache_bytes
from engine.runtime.traffic import predictor_bytes, step_bytes
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE, reference_logits, shapes

# A constant that no score outweighs: what is named is then known whatever rounding does to scores.
CERTAIN = 1e3
FORMAT_NAMES = ["f32", "int8", "int4"]
LAWS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def random_predictor(rng, kind, reads, rank, d, n, bias):
    if kind == "sign":
        return sign_predictor(rng.standard_normal((n, d)).astype(np.float32), bias, reads)
    inner = rng.standard_normal((rank, d)).astype(np.float32) * np.float32(d**-0.5)
    outer = rng.standard_normal((n, rank)).astype(np.float32) * np.float32(rank**-0.5)
    return low_rank(kind, reads, inner, outer, bias)


@st.composite
def choices_of_layers(draw, n_layers):
    """For each layer: (kind or none, input, rank, cut)."""
    one = st.tuples(
        st.sampled_from([None, *PREDICTOR_KINDS]), st.sampled_from(PREDICTOR_INPUTS), st.integers(1, 90),
        st.sampled_from([0.0, 0.02, 0.3]),
    )  # fmt: skip
    return draw(st.lists(one, min_size=n_layers, max_size=n_layers))


@st.composite
def shapes_and_choices(draw):
    shape = draw(shapes())
    return shape, draw(choices_of_layers(shape["n_layers"]))


def made(rng, drawn, shape, biases):
    """LayerChoices as drawn; `biases` (layers, n), or None for random ones that name about half."""
    d, n = shape["width"], shape["n_neurons"]
    choices = []
    for layer, (kind, reads, rank, cut) in enumerate(drawn):
        bias = rng.standard_normal(n) * 0.3 if biases is None else biases[layer]
        bias = np.asarray(bias, np.float32)
        choices.append(LayerChoice(random_predictor(rng, kind, reads, rank, d, n, bias) if kind else None, cut))
    return choices


def decoded(transformer, tokens):
    transformer.cache.rewind(0)
    return np.stack([transformer.decode_step(token).copy() for token in tokens])


# What is computed -------------------------------------------------------------------------------------------------


@LAWS
@given(drawn=shapes_and_choices(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000))
def test_a_tier_computes_what_its_choices_say(tiny_transformer, drawn, n_threads, seed):
    shape, kinds = drawn
    rng = np.random.default_rng(seed)
    transformer = tiny_transformer("f32", n_threads=n_threads, seed=seed, **shape)
    choices = made(rng, kinds, shape, None)
    transformer.set_tiers({"fine": choices})
    transformer.tier = "fine"
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()
    scores, margins = [], []
    expected = reference_logits(transformer, tokens, scores, choices, margins)
    assume(min(margins, default=1.0) > 1e-4)  # two ways of summing float32 agree to some 1e-6

    got = decoded(transformer, tokens)

    assert np.abs(got - expected).max() <= LOGIT_TOLERANCE["f32"] * max(1.0, float(np.abs(expected).max()))
    named = [np.count_nonzero(s > 0) for s in scores[len(scores) * 4 // 5 :]]
    counted = transformer.neuron_counts[[choice.predictor is not None for choice in choices], 0]
    assert counted.tolist() == named
    transformer.close()


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
@LAWS
@given(drawn=shapes_and_choices(), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]), seed=st.integers(0, 1000))
def test_named_neurons_alone_make_the_answer_in_packed_rows(tiny_transformer, weight_format, drawn, share, seed):
    shape, kinds = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    rng = np.random.default_rng(seed)
    named = rng.random((shape["n_layers"], shape["n_neurons"])) < share
    choices = made(rng, [(*kind[:3], 0.0) for kind in kinds], shape, np.where(named, CERTAIN, -CERTAIN))
    transformer = tiny_transformer(weight_format, seed=seed, **shape)
    transformer.set_tiers({"fast": choices})
    transformer.tier = "fast"
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()
    expected = reference_logits(transformer, tokens, None, choices)

    got = decoded(transformer, tokens)

    assert np.abs(got - expected).max() <= LOGIT_TOLERANCE[weight_format] * max(1.0, float(np.abs(expected).max()))
    has_predictor = [choice.predictor is not None for choice in choices]
    wanted = np.where(has_predictor, named.sum(axis=1), shape["n_neurons"])
    assert transformer.neuron_counts[:, 0].tolist() == wanted.tolist()
    transformer.close()


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
@pytest.mark.parametrize("kind", ["linear", "relu"])
@pytest.mark.parametrize("reads", PREDICTOR_INPUTS)
def test_packed_matrices_score_as_their_rows_say(tiny_transformer, weight_format, kind, reads):
    tolerance, n_layers, d, n, rank = {"int8": 0.02, "int4": 0.15}[weight_format], 2, 48, 400, 37
    rng, fmt = np.random.default_rng(1), FORMATS[weight_format]
    biases = np.float32(0.5) * rng.standard_normal((n_layers, n)).astype(np.float32)
    predictors = [random_predictor(rng, kind, reads, rank, d, n, bias) for bias in biases]
    rounded = [  # what the rows keep of the matrices
        LayerChoice(
            low_rank(kind, reads, fmt.unpack(fmt.pack(p.inner), d), fmt.unpack(fmt.pack(p.outer), rank), p.bias)
        )
        for p in predictors
    ]
    transformer = tiny_transformer(weight_format, width=d, n_neurons=n, n_layers=n_layers, activation="relu")
    transformer.set_tiers({"fine": [LayerChoice(p) for p in predictors]})
    transformer.tier = "fine"
    scores = []
    reference_logits(transformer, [3], scores, rounded)

    transformer.decode_step(3)

    for values, counted in zip(scores, transformer.neuron_counts[:, 0], strict=True):
        assert (values > tolerance).sum() <= counted <= (values > -tolerance).sum()
        assert 50 < counted < 350


@pytest.mark.parametrize("weight_format", [*FORMAT_NAMES, "mixed"])
@LAWS
@given(drawn=shapes_and_choices(), n_threads=st.integers(2, 4), seed=st.integers(0, 1000),
       split=st.lists(st.integers(1, 4), max_size=5))  # fmt: skip
def test_threads_and_steps_of_several_tokens_give_the_same_bits(
    tiny_transformer, weight_format, drawn, n_threads, seed, split
):
    shape, kinds = drawn
    rng = np.random.default_rng(seed)
    cache_kind = "f32" if weight_format == "f32" else "int8"
    transformer = tiny_transformer(weight_format, cache_kind, n_threads=n_threads, seed=seed, **shape)
    transformer.set_tiers({"fine": made(rng, kinds, shape, None)})
    transformer.tier, transformer.counts_neurons = "fine", True
    tokens = rng.integers(0, shape["n_vocab"], 4 + sum(split)).tolist()
    alone, counts = [], []
    for token in tokens:
        alone.append(transformer.decode_step(token).copy())
        counts.append(transformer.neuron_counts.copy())
    fired = transformer.take_neuron_counts()
    assert fired.sum(axis=1).tolist() == np.sum(counts, axis=0)[:, 2].tolist()

    for n_active in (1, n_threads - 1, n_threads):
        transformer._decoder.n_active_threads = n_active
        transformer.cache.rewind(0)
        together, at = [], 0
        for size in (4, *split):
            together.extend(transformer.decode_steps(tokens[at : at + size]).copy())
            at += size
            assert np.array_equal(transformer.step_counts[-1], counts[at - 1])
        assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
        assert np.array_equal(transformer.take_neuron_counts(), fired)
    transformer.close()


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
def test_a_layers_scores_know_nothing_of_another_layers_rank(tiny_transformer, weight_format):
    transformer = tiny_transformer(weight_format, n_layers=2, activation="relu")
    c, rng = transformer.config, np.random.default_rng(0)
    zeros, everyone = np.zeros(c.n_neurons, np.float32), np.full(c.n_neurons, CERTAIN, np.float32)
    small = random_predictor(rng, "linear", "normed", 3, c.width, c.n_neurons, zeros)

    def naming_all(rank):
        inner = 1e4 * rng.standard_normal((rank, c.width)).astype(np.float32)
        return low_rank("linear", "normed", inner, np.zeros((c.n_neurons, rank), np.float32), everyone)

    transformer.set_tiers({"fine": [LayerChoice(naming_all(3)), LayerChoice(small)],
                           "fast": [LayerChoice(naming_all(90)), LayerChoice(small)]})  # fmt: skip
    logits = []
    for transformer.tier in ("fine", "fast"):
        logits.append(decoded(transformer, range(6)))

    assert np.array_equal(*logits)


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
@pytest.mark.parametrize("kind", PREDICTOR_KINDS)
@pytest.mark.parametrize("activation", ["relu", "silu"])
def test_rows_of_neurons_that_a_tier_does_not_name_are_never_used(tiny_transformer, weight_format, kind, activation):
    transformer = tiny_transformer(weight_format, activation=activation)
    c, rng = transformer.config, np.random.default_rng(1)
    named = rng.random((c.n_layers, c.n_neurons)) < 0.3
    transformer.set_tiers({"fine": [
        LayerChoice(random_predictor(rng, kind, "normed", 20, c.width, c.n_neurons, bias))
        for bias in np.where(named, CERTAIN, -CERTAIN).astype(np.float32)
    ]})  # fmt: skip
    transformer.tier = "fine"
    before = decoded(transformer, range(6))

    for layer in range(c.n_layers):
        for part in ("gate", "up", "down"):
            transformer._decoder._tensors[f"layers.{layer}.{part}"][~named[layer]] = 0xFF  # no numbers

    assert np.array_equal(decoded(transformer, range(6)), before)


def divergence(exact, other):
    """KL of each token's distribution, exact first."""
    a, b = (x - x.max(axis=1, keepdims=True) for x in (exact.astype(np.float64), other.astype(np.float64)))
    a, b = (x - np.log(np.exp(x).sum(axis=1, keepdims=True)) for x in (a, b))
    return (np.exp(a) * (a - b)).sum(axis=1)


@pytest.mark.parametrize("reads", ["normed", "stream"])
def test_a_predictor_that_knows_everything_loses_nothing_and_a_broken_one_is_seen(tiny_transformer, reads):
    residual = "sequential" if reads == "normed" else "post"  # there the stream is what the product multiplies
    transformer = tiny_transformer(activation="relu", residual=residual, has_ffn_bias=True)
    c, tensors = transformer.config, transformer._decoder._tensors
    gates = [tensors[f"layers.{layer}.gate"].view(np.float32)[:, : c.width] for layer in range(c.n_layers)]
    biases = [tensors[f"layers.{layer}.first_bias"][: c.n_neurons] for layer in range(c.n_layers)]
    perfect = [
        low_rank("linear", reads, np.eye(c.width, dtype=np.float32), gate, bias + np.float32(1e-4))
        for gate, bias in zip(gates, biases, strict=True)
    ]
    broken = [LayerChoice(low_rank("linear", reads, p.inner, -p.outer, p.bias)) for p in perfect]
    transformer.set_tiers({"fine": [LayerChoice(p) for p in perfect], "fast": broken})
    exact = decoded(transformer, range(12))

    transformer.tier = "fine"
    assert np.array_equal(decoded(transformer, range(12)), exact)
    assert (transformer.neuron_counts[:, 0] < c.n_neurons * 0.8).all()
    transformer.tier = "fast"
    assert divergence(exact, decoded(transformer, range(12))).mean() > 0.1


# Switching --------------------------------------------------------------------------------------------------------


def some_choices(config, seed=0, ranks=(7, 80, 33)):
    """A sign predictor, a look-ahead and a rectified one, with cuts: a tier that loses much."""
    rng, d, n = np.random.default_rng(seed), config.width, config.n_neurons
    kinds = [("sign", "normed"), ("linear", "entering"), ("relu", "stream")]
    return [
        LayerChoice(random_predictor(rng, kind, reads, rank, d, n, np.zeros(n, np.float32)), 0.05)
        for (kind, reads), rank in zip(kinds, ranks, strict=True)
    ]


@pytest.mark.parametrize("weight_format", FORMAT_NAMES)
@pytest.mark.parametrize("activation", ["silu", "relu", "fatrelu"])
def test_exact_has_the_bits_of_a_model_without_tiers(tiny_transformer, weight_format, activation):
    shape = {"activation": activation, "threshold": 0.05 if activation == "fatrelu" else 0.0}
    plain, tiered = (tiny_transformer(weight_format, **shape) for _ in range(2))
    expected = decoded(plain, range(8))
    tiered.set_tiers({"fine": some_choices(tiered.config), "fast": some_choices(tiered.config, 1, (3, 100, 1))})

    assert tiered.tier == EXACT
    assert np.array_equal(decoded(tiered, range(8)), expected)
    of_tier = {}
    for name in ("fine", "fast", "fine", EXACT, "fast", EXACT):
        tiered.tier = name
        logits = decoded(tiered, range(8))
        assert np.array_equal(logits, of_tier.setdefault(name, logits))
    assert np.array_equal(of_tier[EXACT], expected)
    assert not np.allclose(of_tier["fine"], expected)
    assert not np.allclose(of_tier["fine"], of_tier["fast"])


@pytest.mark.parametrize("n_tokens", [1, 8, 9, 40])
def test_a_prompt_is_read_exactly_whatever_the_tier(tiny_transformer, n_tokens):
    transformer = tiny_transformer("int8", activation="relu")
    transformer.set_tiers({"fine": some_choices(transformer.config)})
    prompt, after = list(range(n_tokens)), []
    for name in (EXACT, "fine"):
        transformer.tier = name
        transformer.cache.rewind(0)
        transformer.prefill(prompt, lambda done, total: None)
        transformer.tier = EXACT
        after.append(transformer.decode_step(3).copy())

    assert np.array_equal(*after)


def test_tiers_are_known_by_name_counted_in_memory_and_replaced(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu")
    without, choices = transformer.n_bytes, some_choices(transformer.config)
    assert transformer.tiers == (EXACT,)

    transformer.set_tiers({"fine": choices})
    transformer.tier = "fine"

    arrays = sum(c.predictor.signs.nbytes + c.predictor.bias.nbytes for c in choices)
    assert transformer.n_bytes > without + arrays
    assert transformer.tiers == (EXACT, "fine")
    with pytest.raises(InvalidRequest):
        transformer.tier = "fast"
    transformer.set_tiers({})
    assert (transformer.tier, transformer.tiers) == (EXACT, (EXACT,))
    assert transformer.n_bytes <= without
    assert np.isfinite(transformer.decode_step(1)).all()


def test_choices_of_another_shape_are_refused_and_change_nothing(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu")
    c, choices = transformer.config, some_choices(transformer.config)
    transformer.set_tiers({"fine": choices})
    zeros, rng = np.zeros(c.n_neurons, np.float32), np.random.default_rng(0)
    huge = low_rank(
        "linear", "normed", np.full((1, c.width), 1e30, np.float32), np.ones((c.n_neurons, 1), np.float32), zeros
    )
    wrong = [
        random_predictor(rng, "sign", "normed", 0, c.width + 64, c.n_neurons, zeros),
        random_predictor(rng, "linear", "normed", 5, c.width + 1, c.n_neurons, zeros),
        random_predictor(rng, "relu", "normed", 5, c.width, c.n_neurons + 1, zeros),
        low_rank("linear", "normed", np.zeros((0, c.width), np.float32), np.zeros((c.n_neurons, 0), np.float32), zeros),
        huge,
    ]  # fmt: skip
    for tiers in ({"fast": choices[:2]}, {EXACT: choices}, *({"fast": [LayerChoice(w), *choices[1:]]} for w in wrong)):
        with pytest.raises(InternalError):
            transformer.set_tiers(tiers)

    assert transformer.tiers == (EXACT, "fine")


# Bytes ------------------------------------------------------------------------------------------------------------


def test_a_step_says_how_many_bytes_it_read(tiny_transformer):
    transformer = tiny_transformer("int8", "int8", activation="relu")
    c, parts = transformer.config, transformer._parts
    assert transformer.step_bytes_read == 0
    transformer.set_tiers({"fine": some_choices(c)})
    gate = parts.of("gate")
    of_predictors = sum(
        predictor_bytes(kind, rank, c.width, c.n_neurons, gate)
        for kind, rank in (("sign", 0), ("linear", 80), ("relu", 33))
    )
    for name, read in ((EXACT, 0), ("fine", of_predictors), (EXACT, 0)):
        transformer.tier = name
        decoded(transformer, range(5))
        expected = step_bytes(c, parts, "int8", positions=5, counts=transformer.neuron_counts, predictors=read)

        assert transformer.step_bytes_read == sum(n for _, n in expected)
    alone = transformer.step_bytes_read
    transformer.cache.rewind(1)

    transformer.decode_steps([1, 2, 3, 4])

    whole = c.n_layers * (
        c.qkv_width * parts.of("qkv").stride(c.width) + c.width * parts.of("out").stride(c.attention_width)
    )
    assert alone < transformer.step_bytes_read < 4 * alone - 3 * whole
    rows = np.minimum(transformer.step_counts.sum(axis=0), c.n_neurons)
    once = dict(step_bytes(c, parts, "int8", positions=0, counts=rows))
    assert transformer.step_bytes_read == sum(once.values()) + (2 + 3 + 4 + 5) * cache_bytes(c, 1, "int8")


# Counting which neurons fire --------------------------------------------------------------------------------------


class Fired:
    """Counts of neurons whose product is not zero in a dense pass."""

    def __init__(self):
        self.counts = {}

    def attended(self, layer, heads):
        pass

    def neurons(self, layer, view):
        self.counts[layer] = self.counts.get(layer, 0) + (view.product != 0).sum(axis=0)


@pytest.mark.parametrize("activation", ["relu", "drelu", "silu"])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_neuron_is_counted_once_for_each_decoded_token_in_which_it_fires(tiny_transformer, activation, n_threads):
    transformer = tiny_transformer("f32", activation=activation, n_threads=n_threads)
    tokens, watched = [(7 * i) % 300 for i in range(20)], Fired()
    transformer.observe(tokens, watched)
    silent = decoded(transformer, tokens)
    assert not transformer.take_neuron_counts().any()

    transformer.counts_neurons = True
    counted = decoded(transformer, tokens)

    assert np.array_equal(counted, silent)
    assert np.array_equal(transformer.take_neuron_counts(), [watched.counts[layer] for layer in range(3)])
    assert not transformer.take_neuron_counts().any()
    transformer.decode_step(1)
    transformer.counts_neurons = False
    assert not transformer.take_neuron_counts().any()


def test_what_was_taken_back_and_what_is_of_a_prompt_does_not_count(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu")
    transformer.counts_neurons = True
    transformer.decode_step(1)
    one = transformer.take_neuron_counts()
    transformer.cache.rewind(0)

    transformer.decode_steps([1, 50, 60])
    transformer.cache.rewind(1)  # the guesses were wrong
    assert np.array_equal(transformer.take_neuron_counts(), one)
    transformer.cache.rewind(0)
    transformer.decode_steps([1, 50])
    transformer.cache.rewind(1)
    transformer.decode_step(70)
    transformer.cache.rewind(1)  # and 70 is computed again
    transformer.decode_step(70)
    counts = transformer.take_neuron_counts()

    transformer.cache.rewind(0)
    transformer.decode_steps([1, 70])
    assert np.array_equal(transformer.take_neuron_counts(), counts)
    assert counts.max() == 2
    for prompt in (range(5), range(30)):
        transformer.cache.rewind(0)
        transformer.prefill(list(prompt), lambda done, total: None)
    assert not transformer.take_neuron_counts().any()


def test_the_counts_of_a_tier_are_of_what_the_tier_computed(tiny_transformer):
    transformer = tiny_transformer("f32", activation="relu")
    c = transformer.config
    named = np.random.default_rng(0).random((c.n_layers, c.n_neurons)) < 0.5
    rng = np.random.default_rng(1)
    transformer.set_tiers({"fine": [
        LayerChoice(random_predictor(rng, "sign", "normed", 0, c.width, c.n_neurons, bias))
        for bias in np.where(named, CERTAIN, -CERTAIN).astype(np.float32)
    ]})  # fmt: skip
    transformer.tier, transformer.counts_neurons = "fine", True

    decoded(transformer, range(30))

    counts = transformer.take_neuron_counts()
    assert not counts[~named].any()
    assert (counts[named] > 0).mean() > 0.9


def test_sign_scores_in_a_step_are_exactly_the_specification(tiny_transformer):
    transformer = tiny_transformer("int8", width=90, n_neurons=130, n_layers=1, activation="relu")
    gate = FORMATS["int8"].unpack(transformer._decoder._tensors["layers.0.gate"], 90)
    choice = LayerChoice(sign_predictor(gate, np.zeros(130, np.float32), "entering"))
    transformer.set_tiers({"fine": [choice]})
    transformer.tier = "fine"
    for token in range(40):
        transformer.decode_step(token)
        entering = FORMATS["int8"].unpack(transformer._embedding[[token]], 90)[0]
        scores = reference.sign_scores(entering, choice.predictor.signs, choice.predictor.bias)

        assert transformer.neuron_counts[0, 0] == (scores > 0).sum()
