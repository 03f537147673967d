"""PowerInfer's GGUF as a checkpoint: the weights of the ordinary file, ReLU, and predictors left aside."""

import numpy as np

from engine.model.gguf_checkpoint import GgufCheckpoint
from tests.tiny_model import TINY, TinyCheckpoint, write_gguf


def test_its_tensors_and_configuration_are_those_of_the_source(tmp_path):
    source = TinyCheckpoint()

    with GgufCheckpoint(write_gguf(tmp_path / "tiny.gguf", powerinfer=True)) as checkpoint:
        config = checkpoint.config
        assert (config.activation, config.is_gated, config.n_layers) == ("relu", True, TINY.n_layers)
        assert (config.width, config.n_neurons, config.n_key_heads) == (TINY.width, TINY.n_neurons, TINY.n_key_heads)
        for layer in range(TINY.n_layers):
            for name in ("q", "k", "v", "out", "gate", "up", "down"):
                got, expected = checkpoint.tensor(name, layer), source.tensor(name, layer)
                assert np.array_equal(got, expected), name


def test_a_name_that_is_known_brings_its_threshold_back(tmp_path):
    with GgufCheckpoint(write_gguf(tmp_path / "prosparse-llama-2-7b.gguf", powerinfer=True)) as checkpoint:
        assert (checkpoint.config.activation, checkpoint.config.threshold) == ("fatrelu", 0.01)
