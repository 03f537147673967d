"""What loading is said to need beside weights and cache is near what the buffers of a prompt then take."""

import dataclasses

import pytest

from engine.model.packed_model import WEIGHT_FORMATS
from engine.runtime.kv_cache import KVCache
from engine.runtime.prefill import Prefill, prompt_bytes
from engine.runtime.workers import WorkerPool
from tests.tiny_model import TINY


@pytest.mark.parametrize("is_gated", [True, False])
def test_the_buffers_of_a_prompt_are_reckoned_with(is_gated):
    config = dataclasses.replace(
        TINY, width=1024, n_neurons=3000, n_heads=8, n_key_heads=4, head_width=128, rotary_width=128,
        is_gated=is_gated, activation="relu",
    )  # fmt: skip
    pool = WorkerPool(1)
    try:
        prefill = Prefill(config, WEIGHT_FORMATS["int8"], {}, KVCache(config, 64, "int8"), pool, 512)
    finally:
        pool.close()

    assert prompt_bytes(config, 512) == pytest.approx(prefill.n_bytes, rel=0.2)
