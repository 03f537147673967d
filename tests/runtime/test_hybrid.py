"""For any plan the hybrid engine computes what the dense one does: on a card of numpy, whatever lies where."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import Cancelled
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.runtime.card_step import is_all_on_card
from tests.runtime.card_stand_in import StandInDevice, StandInOps
from tests.runtime.test_tiers_in_the_step import CERTAIN, choices_of_layers, made
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE, reference_logits, shapes

LAWS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
CACHE_KINDS = ["f32", "f16", "int8"]


@st.composite
def plans(draw, n_layers, n_neurons):
    """Any: every layer whole on either side or split anywhere, attention and head on either."""
    layers = tuple(
        LayerPlacement(
            draw(st.booleans()), draw(st.sampled_from([0, n_neurons]) | st.integers(0, n_neurons)), n_neurons
        )
        for _ in range(n_layers)
    )
    return PlacementPlan("by hand", layers, draw(st.booleans()), 0.0)


def all_on_card(config):
    layers = (LayerPlacement(True, config.n_neurons, config.n_neurons),) * config.n_layers
    return PlacementPlan("by hand", layers, True, 0.0)


def split(config, n_hot, *, attention=True, head=True):
    layers = (LayerPlacement(attention, n_hot, config.n_neurons),) * config.n_layers
    return PlacementPlan("by hand", layers, head, 0.0)


@st.composite
def shapes_and_plans(draw):
    shape = draw(shapes())
    return shape, draw(plans(shape["n_layers"], shape["n_neurons"]))


@st.composite
def shapes_plans_and_choices(draw):
    shape, plan = draw(shapes_and_plans())
    return shape, plan, draw(choices_of_layers(shape["n_layers"]))


def with_card(transformer, plan, *, is_late=True, **options):
    device = StandInDevice(is_late=is_late)
    session = transformer.use_card(device, ops=StandInOps(device), **options)
    session.apply(plan)
    assert session.plan.layers == plan.layers
    return device


def decoded(transformer, tokens, sizes=()):
    """Logits after each token on an empty cache, computed in steps of these sizes, then one by one."""
    transformer.cache.rewind(0)
    out, at = [], 0
    for size in (*sizes, *[1] * len(tokens)):
        if at < len(tokens):
            out.extend(transformer.decode_steps(tokens[at : at + size]).copy())
            at += size
    return np.stack(out)


def is_close(got, expected, weight_format, *, times=1.0):
    scale = max(1.0, float(np.abs(expected).max()))
    return np.abs(got - expected).max() <= times * LOGIT_TOLERANCE[weight_format] * scale


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4"])
@LAWS
@given(
    drawn=shapes_and_plans(), n_threads=st.integers(1, 3), seed=st.integers(0, 1000), is_late=st.booleans(),
    cache_kind=st.sampled_from(CACHE_KINDS), sizes=st.lists(st.integers(1, 4), max_size=4),
)  # fmt: skip
def test_any_plan_computes_what_the_processor_computes(
    tiny_transformer, weight_format, drawn, n_threads, seed, is_late, cache_kind, sizes
):
    shape, plan = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    transformer = tiny_transformer(weight_format, cache_kind, n_threads=n_threads, seed=seed, **shape)
    tokens = np.random.default_rng(seed).integers(0, shape["n_vocab"], 7).tolist()
    alone = decoded(transformer, tokens, sizes)
    exact = reference_logits(transformer, tokens) if cache_kind == "f32" else alone
    with_card(transformer, plan, is_late=is_late)

    got = decoded(transformer, tokens, sizes)

    times = {"f32": 1.0, "f16": 20.0, "int8": 20.0}[cache_kind]  # a rounding of the cache is 100 times one of f32
    assert is_close(got, exact, weight_format, times=times if weight_format == "f32" else 1.0)
    assert np.array_equal(decoded(transformer, tokens, sizes), got)
    transformer.close()


@LAWS
@given(drawn=shapes_plans_and_choices(), seed=st.integers(0, 1000), is_late=st.booleans())
def test_counts_and_fired_neurons_are_those_of_the_processor(tiny_transformer, drawn, seed, is_late):
    shape, plan, kinds = drawn
    rng = np.random.default_rng(seed)
    transformer = tiny_transformer("f32", seed=seed, **shape)
    choices, margins = made(rng, kinds, shape, None), []
    transformer.set_tiers({"fine": choices})
    transformer.tier, transformer.counts_neurons = "fine", True
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()
    reference_logits(transformer, tokens, None, choices, margins)
    assume(min(margins, default=1.0) > 1e-3)  # nowhere does rounding decide who is named or cut
    exact, counts = decoded(transformer, tokens, [4]), transformer.step_counts.copy()
    fired = transformer.take_neuron_counts()
    with_card(transformer, plan, is_late=is_late)

    got = decoded(transformer, tokens, [4])

    assert is_close(got, exact, "f32")
    assert np.array_equal(transformer.step_counts[..., 0], counts[..., 0])
    # an activation next to zero may be alive on one side only
    assert np.abs(transformer.step_counts - counts).max() <= 1
    assert (transformer.take_neuron_counts() != fired).sum() <= 1
    transformer.close()


@pytest.mark.parametrize("weight_format", ["int8", "int4"])
@LAWS
@given(drawn=shapes_plans_and_choices(), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]), seed=st.integers(0, 1000))
def test_both_sides_compute_just_the_named_neurons(tiny_transformer, weight_format, drawn, share, seed):
    shape, plan, kinds = drawn
    assume(weight_format != "int4" or shape["width"] >= FEWEST_AVERAGED)
    rng = np.random.default_rng(seed)
    named = rng.random((shape["n_layers"], shape["n_neurons"])) < share
    choices = made(rng, [(*kind[:3], 0.0) for kind in kinds], shape, np.where(named, CERTAIN, -CERTAIN))
    transformer = tiny_transformer(weight_format, seed=seed, **shape)
    with_card(transformer, plan)
    transformer.set_tiers({"fast": choices})
    transformer.tier = "fast"
    tokens = rng.integers(0, shape["n_vocab"], 5).tolist()

    got = decoded(transformer, tokens)

    assert is_close(got, reference_logits(transformer, tokens, None, choices), weight_format)
    has_predictor = [choice.predictor is not None for choice in choices]
    wanted = np.where(has_predictor, named.sum(axis=1), shape["n_neurons"])
    assert transformer.neuron_counts[:, 0].tolist() == wanted.tolist()
    transformer.close()


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4", "mixed"])
@pytest.mark.parametrize("kind", ["sign", "linear", "relu"])
@pytest.mark.parametrize("reads", ["normed", "stream", "entering"])
@pytest.mark.parametrize("residual", ["sequential", "parallel", "post"])
@pytest.mark.parametrize("attention", [False, True])
def test_a_predictor_names_the_same_neurons_on_both_sides(
    tiny_transformer, weight_format, kind, reads, residual, attention
):
    shape = {"width": 40, "n_neurons": 90, "n_layers": 2, "n_vocab": 300}
    transformer = tiny_transformer(weight_format, residual=residual, activation="relu", **shape)
    choices = made(np.random.default_rng(2), [(kind, reads, 9, 0.1)] * 2, shape, None)
    transformer.set_tiers({"fine": choices})
    transformer.tier = "fine"
    exact, counts = decoded(transformer, [5, 9, 77]), transformer.neuron_counts
    with_card(transformer, split(transformer.config, 37, attention=attention))

    got = decoded(transformer, [5, 9, 77])

    apart = np.abs(transformer.neuron_counts - counts).max()
    if weight_format == "f32":
        assert is_close(got, exact, "f32")
        assert apart == 0
    elif apart == 0:
        assert is_close(got, exact, "int4" if weight_format == "int4" else "int8")
    else:  # an integer next to a boundary may be another after sums in another order, and so a neuron next to zero
        assert apart == 1
    assert (counts[:, 0] > 0).all()
    assert (counts[:, 0] < 90).all()


def test_every_silu_neuron_counts_as_fired(tiny_transformer):
    transformer = tiny_transformer("f32", activation="silu")
    transformer.counts_neurons = True
    with_card(transformer, split(transformer.config, 20))

    transformer.decode_step(3)

    assert (transformer.neuron_counts == transformer.config.n_neurons).all()
    assert (transformer.take_neuron_counts() == 1).all()


# The cache -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cache_kind", CACHE_KINDS)
def test_main_memory_holds_the_bits_of_the_cards_cache(tiny_transformer, cache_kind):
    transformer = tiny_transformer("int8", cache_kind)
    with_card(transformer, split(transformer.config, 30))

    decoded(transformer, list(range(9)), [4, 2])

    layers = transformer._decoder._model.layers
    for layer, held in enumerate(layers):
        for name, array in held.mirror._arrays.items():
            assert np.array_equal(array[:, :9], getattr(transformer.cache, name)[layer][:, :9])


@pytest.mark.parametrize("cache_kind", CACHE_KINDS)
@pytest.mark.parametrize("head_width", [6, 34])
def test_layers_appended_together_have_the_bits_of_the_processors_own(tiny_transformer, cache_kind, head_width):
    cache = tiny_transformer("f32", cache_kind, head_width=head_width, rotary_width=0).cache
    rng, shape = np.random.default_rng(0), (2, 3, 2, head_width)
    keys, values = (rng.standard_normal(shape).astype(np.float32) for _ in range(2))
    for layer, of_layer in ((0, 0), (2, 1)):
        cache.append(layer, 5, keys[of_layer], values[of_layer])
    arrays = (cache.keys, cache.values, cache.key_scales, cache.value_scales)
    expected = [array.copy() for array in arrays]
    for array in arrays:
        array[:] = 0

    cache.append_layers(np.array([0, 2]), 5, keys, values)

    assert all(np.array_equal(array, wanted) for array, wanted in zip(arrays, expected, strict=True))
    assert cache.keys[2].any()


@pytest.mark.parametrize("n_prompt", [3, 9, 30])
@pytest.mark.parametrize("attention", [False, True])
def test_prompts_between_answers_and_rewinding_leave_the_right_cache(tiny_transformer, n_prompt, attention):
    transformer = tiny_transformer("f32", "f32", activation="relu", context_tokens=120)
    prompt = [(7 * i) % 300 for i in range(n_prompt)]

    def conversation():
        transformer.cache.rewind(0)
        out = []
        for kept in (0, 4, 2):
            transformer.cache.rewind(kept)
            transformer.prefill(prompt, lambda done, total: None)
            out.extend(transformer.decode_step(token).copy() for token in (1, 2, 3, 4))
            transformer.cache.rewind(len(transformer.cache.tokens) - 2)
            out.append(transformer.decode_step(9).copy())
        return np.stack(out)

    exact = conversation()
    with_card(transformer, split(transformer.config, 33, attention=attention))

    assert is_close(conversation(), exact, "f32", times=5)


@pytest.mark.parametrize("weight_format", ["f32", "int8", "int4", "mixed"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=shapes_and_plans(), seed=st.integers(0, 1000), n_tokens=st.integers(9, 40), is_late=st.booleans())
def test_a_prompt_reads_hot_rows_on_the_card(tiny_transformer, weight_format, drawn, seed, n_tokens, is_late):
    shape, plan = drawn
    assume(shape["width"] >= FEWEST_AVERAGED and shape["activation"] != "fatrelu")
    transformer = tiny_transformer(weight_format, seed=seed, **shape)
    prompt = np.random.default_rng(seed).integers(0, shape["n_vocab"], n_tokens).tolist()

    def answer():
        transformer.cache.rewind(0)
        transformer.prefill(prompt, lambda done, total: None)
        return transformer.decode_step(5).copy()

    exact = answer()
    with_card(transformer, plan, is_late=is_late)

    got = answer()

    assert is_close(got, exact, {"f32": "f32", "int8": "int8"}.get(weight_format, "int4"), times=2)
    transformer.close()


# Graphs and stopping ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("residual", ["sequential", "parallel", "post"])
def test_a_step_that_is_all_on_the_card_is_recorded_once_and_replayed_with_the_same_bits(tiny_transformer, residual):
    transformer = tiny_transformer("int8", "int8", residual=residual, activation="relu")
    tokens = list(range(12))
    device = with_card(transformer, all_on_card(transformer.config))
    assert is_all_on_card(transformer.card.plan)
    transformer.decode_step(0)
    transformer._decoder._step.records_graphs = False
    expected = decoded(transformer, tokens)
    assert device.n_graph_launches == 0
    transformer._decoder._step.records_graphs = True

    got, n_launches = decoded(transformer, tokens), device.n_graph_launches
    together = decoded(transformer, tokens, [4, 4, 4])

    assert np.array_equal(got, expected)
    assert np.array_equal(together, expected)
    assert n_launches == len(tokens)
    assert device.n_graph_launches == n_launches + 2  # of four tokens: the first step makes what the others replay


@pytest.mark.parametrize("make", [all_on_card, lambda config: split(config, 20)])
def test_a_stop_is_noticed_and_the_answer_goes_on(tiny_transformer, make):
    transformer = tiny_transformer("int8")
    with_card(transformer, make(transformer.config))
    expected = decoded(transformer, [1, 2, 3])
    transformer.cache.rewind(2)
    transformer.request_stop()
    with pytest.raises(Cancelled):
        transformer.decode_step(3)
    transformer.clear_stop()

    assert np.array_equal(transformer.decode_step(3), expected[2])


def test_hot_rows_in_main_memory_are_never_read(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu", context_tokens=100)
    c, tensors = transformer.config, transformer._decoder._tensors
    with_card(transformer, split(c, 40, attention=False))
    prompt = list(range(30))

    def answer():
        transformer.cache.rewind(0)
        transformer.prefill(prompt, lambda done, total: None)
        return [transformer.decode_step(token).copy() for token in (4, 5)]

    before = answer()
    for layer in range(c.n_layers):
        for part in ("gate", "up", "down"):
            tensors[f"layers.{layer}.{part}"][:40] = 0xFF  # no numbers

    assert np.array_equal(answer(), before)
