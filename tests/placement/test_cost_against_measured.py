"""Predicted steps against steps that were measured: the processor's part of the cost model, on docs/benchmarks.md."""

import numpy as np
import pytest

from engine.bench.shapes import shape_config
from engine.model.packed_model import PartFormats
from engine.placement.budget import model_bytes
from engine.placement.offer import Placer, even_shares, model_costs, shares_from_counts
from engine.placement_reports import MachineSpeeds, ThreadRate
from engine.runtime.kv_cache import cache_bytes

# "The same with AVX2 on both sides", where the weights' memory gave two threads 46.6 GB/s; at 512 tokens.
READ, CONTEXT = 46.6e9, 1024
ALL_INT4 = PartFormats("int4", "int4", "int4", "int4")  # as benchmarks of a shape have it, the head too
MEASURED = {"dense": (42.2, 995e6), "exact, 10 % active": (61.3, 640e6)}


@pytest.mark.parametrize("mode", sorted(MEASURED))
def test_the_processors_steps_are_predicted_within_a_tenth_of_what_was_measured(mode):
    config, parts = shape_config("7b-8"), ALL_INT4
    shape, zeros = (config.n_layers, config.n_neurons), [0] * config.n_layers
    caches = [cache_bytes(config, CONTEXT, "int8") // config.n_layers] * config.n_layers
    placed = model_bytes(config, parts, predictors=zeros, kv_caches=caches, context=0, workspace=0)
    shares = even_shares(*shape) if mode == "dense" else shares_from_counts(np.full(shape, 0.1))
    costs = model_costs(config, parts, placed, shares, context_tokens=CONTEXT)
    machine = MachineSpeeds((ThreadRate(2, READ),), "", 0, 0, 0, 0, 0, "", 1.0)

    plan = Placer(costs, machine, None).plan_for(0)

    tokens_per_s, n_bytes = MEASURED[mode]
    read = sum(layer.dense + float(layer.neurons.sum()) for layer in costs.work.layers) + costs.work.head
    assert read == pytest.approx(n_bytes, rel=0.03)
    assert plan.tokens_per_s == pytest.approx(tokens_per_s, rel=0.1)
