"""For any plan the hybrid engine computes what the dense one does: on a card of numpy, whatever lies where."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.errors import Cancelled
from engine.kernels.formats import FORMATS
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.runtime.card_step import is_all_on_card
from tests.runtime.card_stand_in import StandInDevice, StandInOps
from tests.runtime.test_tiers_in_the_step import CERTAIN, choices_of_layers, made
from tests.runtime.test_transformer import FEWEST_AVERAGED, LOGIT_TOLERANCE, reference_logits, shapes

LAWS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
