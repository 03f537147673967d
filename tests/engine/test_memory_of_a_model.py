"""What loading takes is known before, within a twentieth of what it then takes: the starter in int8."""

import pytest

from engine.messages import (
    ChatMessage,
    DescribeModel,
    EngineConfig,
    Generate,
    GenerationFinished,
    ImportModel,
    LoadModel,
    ModelDescription,
    ModelImported,
    ModelReady,
    SamplingParams,
)
from tests.engine.conftest import Front

STARTER = "smollm2-135m-instruct"


@pytest.fixture
def library(tmp_path, kernel_cache, starter_gguf):
    """The configuration of an engine whose library has the packed starter, and whose kernels are compiled."""
    config = EngineConfig(str(tmp_path / "library"), str(kernel_cache), log_path=str(tmp_path / "engine.log"))
    front = Front(config, in_process=False)
    assert isinstance(front.ask(ImportModel("import", str(starter_gguf), "int8")), ModelImported)
    assert isinstance(front.ask(LoadModel("load", STARTER)), ModelReady)
    front.engine.close()
    return config


@pytest.mark.model
def test_the_estimate_is_near_the_truth_at_the_first_load_and_at_the_next(library):
    front = Front(library, in_process=False)
    try:
        for number in ("1", "2"):  # the second finds kernels and libraries in memory, and the first one's gone
            described = front.ask(DescribeModel(f"describe-{number}", STARTER))
            assert isinstance(described, ModelDescription)
            ready = front.ask(LoadModel(f"load-{number}", STARTER))
            assert isinstance(ready, ModelReady)

            assert ready.estimated_bytes == described.memory_bytes
            assert described.free_bytes > 0
            assert described.weight_bytes + described.cache_bytes < described.memory_bytes
            assert ready.resident_bytes == pytest.approx(ready.estimated_bytes, rel=0.05), number
            front.engine.submit(Generate(f"ask-{number}", (ChatMessage("user", "Hi"),), SamplingParams(max_tokens=2)))
            front.until(GenerationFinished)
    finally:
        front.engine.close()
